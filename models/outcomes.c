/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decision processes: the actions and outcomes found so far, without duplicates.
 */
#include "models/decisions.h"

#include "base/context.h"

#include <stdlib.h>

bool swq_more_actions(swq_context *ctx, swq_choices *c, int64_t outcomes)
{
    if (c->actions + 2 > c->action_room) {
        int64_t room = c->action_room + c->action_room / 2 + 64;
        if (!swq_resize_array(ctx, &c->outcome, room, sizeof *c->outcome) ||
            !swq_resize_array(ctx, &c->what, room, sizeof *c->what) ||
            !swq_resize_array(ctx, &c->cost, room, sizeof *c->cost))
            return false;
        c->action_room = room;
    }
    if (c->outcomes + outcomes > c->outcome_room) {
        int64_t room = c->outcome_room + c->outcome_room / 2 + outcomes + 64;
        if (!swq_resize_array(ctx, &c->into, room, sizeof *c->into) ||
            !swq_resize_array(ctx, &c->chance, room, sizeof *c->chance))
            return false;
        c->outcome_room = room;
    }
    return true;
}

swq_status swq_deciding_outcome(swq_deciding *x, long double chance, long double lost)
{
    swq_decisions *d = x->d;
    swq_choices *next = &d->stage[(x->level + 1) % d->stages];

    swq_symmetry_canonical(&d->symmetry, &d->layout, x->work, x->work + d->layout.words);
    int64_t number = swq_intern_number(x->ctx, &next->node, x->work);
    if (number < 0)
        return swq_memory_status(x->ctx);
    if (x->listed == x->list_room) {
        int64_t room = 2 * x->list_room + 64;
        if (!swq_resize_array(x->ctx, &x->list, room, sizeof *x->list))
            return swq_memory_status(x->ctx);
        x->list_room = room;
    }
    x->list[x->listed++] = (swq_decided_outcome){number, chance, lost};
    return SWQ_OK;
}

static int by_node(const void *a, const void *b)
{
    const int64_t left = ((const swq_decided_outcome *)a)->into,
                  right = ((const swq_decided_outcome *)b)->into;
    return (left > right) - (left < right);
}

/* Sort and merge the outcomes of the action, with probabilities scaled to sum to one; returns the
 * mean number of packets lost. */
static long double merge_list(swq_deciding *x)
{
    long double chance = 0, lost = 0;
    int64_t kept = 0;

    if (x->listed > 1)
        qsort(x->list, (size_t)x->listed, sizeof *x->list, by_node);
    for (int64_t k = 0; k < x->listed; k++) {
        chance += x->list[k].chance;
        lost += x->list[k].chance * x->list[k].lost;
        if (kept > 0 && x->list[kept - 1].into == x->list[k].into)
            x->list[kept - 1].chance += x->list[k].chance;
        else
            x->list[kept++] = x->list[k];
    }
    x->listed = kept;
    for (int64_t k = 0; k < kept; k++)
        x->list[k].chance /= chance;
    return lost / chance;
}

static bool same_action(const swq_deciding *x, const swq_choices *c, int64_t action,
                        long double cost)
{
    const int64_t from = c->outcome[action];

    if (c->cost[action] != cost || c->outcome[action + 1] - from != x->listed)
        return false;
    for (int64_t k = 0; k < x->listed; k++) {
        if (c->into[from + k] != x->list[k].into || c->chance[from + k] != x->list[k].chance)
            return false;
    }
    return true;
}

swq_status swq_deciding_action(swq_deciding *x, int32_t what)
{
    swq_choices *c = &x->d->stage[x->level];
    const long double cost = merge_list(x);
    bool known = false;

    for (int64_t a = c->first[c->expanded]; a < c->actions && !known; a++)
        known = same_action(x, c, a, cost);
    if (!known) {
        if (!swq_more_actions(x->ctx, c, x->listed))
            return swq_memory_status(x->ctx);
        c->what[c->actions] = what;
        c->cost[c->actions++] = cost;
        for (int64_t k = 0; k < x->listed; k++) {
            c->into[c->outcomes] = (int32_t)x->list[k].into;
            c->chance[c->outcomes++] = x->list[k].chance;
        }
        c->outcome[c->actions] = c->outcomes;
        c->most = x->listed > c->most ? x->listed : c->most;
    }
    x->listed = 0;
    return SWQ_OK;
}
