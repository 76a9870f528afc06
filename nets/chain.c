/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generating the chain: from every node of a level, all outcomes of the dice of the next event.
 */
#include "nets/chain.h"

#include "base/context.h"

#include <float.h>
#include <string.h>

typedef struct {
    swq_context *ctx;
    swq_netchain *chain;
    swq_growing growing[SWQ_MOST_FACTORS];
    int64_t deepest[SWQ_MOST_FACTORS], loaded[SWQ_MOST_FACTORS]; /* most throws, and loaded ones */
    swq_word *work;                                              /* room for two nodes */
    swq_dice dice;
} expansion;

static swq_status number_of(expansion *x, int level, int64_t *number)
{
    swq_netchain *c = x->chain;

    swq_netrenamings_canonical(&c->renamings, x->work, x->work + c->plan.words);
    *number = swq_intern_number(x->ctx, &c->level[level].node, x->work);
    return *number < 0 ? swq_memory_status(x->ctx) : SWQ_OK;
}

static swq_status room_for_counts(expansion *x, swq_netlevel *level, int64_t node)
{
    if (node < level->room)
        return SWQ_OK;
    const int64_t room = 2 * level->room + 64;
    long double *count =
        swq_resize(x->ctx, level->count, (size_t)room, SWQ_NETCOUNTS * sizeof *level->count);
    if (!count)
        return swq_memory_status(x->ctx);
    level->count = count;
    level->room = room;
    return SWQ_OK;
}

static swq_status expand(expansion *x, int k, int64_t node)
{
    swq_netchain *c = x->chain;
    swq_netlevel *level = &c->level[k];
    const size_t bytes = sizeof *x->work * (size_t)c->plan.words;
    const int next = (k + 1) % c->plan.events;
    int64_t outcomes = 0, number = 0;
    swq_status status = room_for_counts(x, level, node);

    if (status)
        return status;
    long double *expected = level->count + node * SWQ_NETCOUNTS;
    swq_dice_begin_enumeration(&x->dice);
    do {
        int count[SWQ_NETCOUNTS] = {0};
        memcpy(x->work, swq_intern_state(&level->node, node), bytes);
        swq_netstep(&c->plan, &c->plan.event[k], x->work, &x->dice, count);
        for (int n = 0; n < SWQ_NETCOUNTS; n++)
            expected[n] += count[n] * x->dice.probability;
        status = number_of(x, next, &number);
        if (!status)
            status = swq_growing_add(x->ctx, &x->growing[k], number, x->dice.probability, 0, 0);
        x->loaded[k] = x->dice.loaded > x->loaded[k] ? x->dice.loaded : x->loaded[k];
        outcomes++;
    } while (!status && swq_dice_next(&x->dice));
    x->deepest[k] = x->dice.deepest > x->deepest[k] ? x->dice.deepest : x->deepest[k];
    if (outcomes > level->most_outcomes)
        level->most_outcomes = outcomes;
    return status ? status : swq_growing_finish(x->ctx, &x->growing[k]);
}

/* Expand nodes level by level, around the cycle again and again, until there are no new nodes. */
static swq_status explore(expansion *x)
{
    swq_netchain *c = x->chain;
    int64_t number;
    bool more = true;
    swq_status status = number_of(x, 0, &number); /* the empty network is all zero */

    while (more && !status) {
        more = false;
        for (int k = 0; k < c->plan.events && !status; k++) {
            while (x->growing[k].rows < c->level[k].node.count && !status) {
                more = true;
                if (swq_context_cancelled(x->ctx))
                    return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                                    (long long)c->level[0].node.count);
                if (x->growing[k].rows % 64 == 0)
                    swq_progress(x->ctx, "generating states", (double)c->level[0].node.count, 0);
                status = expand(x, k, x->growing[k].rows);
            }
        }
    }
    return status;
}

/* Hand over the factors, and sum up the roundings. */
static swq_status settle(expansion *x)
{
    swq_netchain *c = x->chain;
    const double fine = LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1;
    swq_status status = SWQ_OK;

    for (int k = 0; k < c->plan.events && !status; k++) {
        swq_netlevel *level = &c->level[k];
        const int64_t next = c->level[(k + 1) % c->plan.events].node.count;
        c->roundings += swq_growing_roundings(&x->growing[k], x->deepest[k]) +
                        c->plan.weight_roundings * (double)x->loaded[k];
        c->count_roundings += fine * 2 * (double)(level->most_outcomes + x->deepest[k] + 2);
        status = swq_growing_end_alone(x->ctx, &x->growing[k], next, &level->factor);
        c->factor[k] = level->factor;
        c->entries += swq_csr_nnz(&level->factor);
        c->intermediates += k > 0 ? level->node.count : 0;
    }
    c->count_roundings += c->roundings + 2;
    return status;
}

static swq_status generate(swq_context *ctx, swq_netchain *c)
{
    expansion *x = swq_calloc(ctx, 1, sizeof *x); /* the dice are too large for the stack */
    swq_status status = x ? SWQ_OK : swq_memory_status(ctx);

    for (int k = 0; k < c->plan.events; k++)
        swq_intern_init(&c->level[k].node, c->plan.words);
    if (!status) {
        x->ctx = ctx;
        x->chain = c;
        x->work = swq_calloc(ctx, (size_t)c->plan.words, 2 * sizeof *x->work);
        status = x->work ? explore(x) : swq_memory_status(ctx);
    }
    if (!status)
        status = settle(x);
    for (int k = 0; k < c->plan.events && x; k++)
        swq_growing_clear(ctx, &x->growing[k]);
    if (x)
        swq_free(ctx, x->work);
    swq_free(ctx, x);
    return status;
}

swq_status swq_netchain_generate(swq_context *ctx, const swq_network *network, bool reduce,
                                 swq_netchain **chain)
{
    swq_netchain_size size;
    swq_status status = swq_netchain_check(ctx, network);
    swq_netchain *c = status ? NULL : swq_calloc(ctx, 1, sizeof *c);

    if (!c)
        return status ? status : swq_memory_status(ctx);
    status = swq_netplan_make(ctx, network, reduce, &c->plan);
    if (!status)
        status = swq_netrenamings_find(ctx, &c->plan, reduce, &c->renamings);
    if (!status) {
        swq_netplan_size(&c->plan, &c->renamings, &size);
        status = swq_netchain_check_size(ctx, &size);
    }
    if (!status && c->plan.events > SWQ_MOST_FACTORS)
        status = swq_fail(ctx, SWQ_ELIMIT,
                          "the cycle of a network's chain may have %d steps; this one has %d",
                          SWQ_MOST_FACTORS, c->plan.events);
    if (!status)
        status = generate(ctx, c);
    if (status)
        swq_netchain_free(ctx, c);
    else
        *chain = c;
    return status;
}

void swq_netchain_free(swq_context *ctx, swq_netchain *c)
{
    if (!c)
        return;
    for (int k = 0; k < SWQ_MOST_FACTORS; k++) {
        swq_intern_clear(ctx, &c->level[k].node);
        swq_csr_clear(ctx, &c->level[k].factor);
        swq_free(ctx, c->level[k].count);
    }
    swq_netrenamings_clear(ctx, &c->renamings);
    swq_netplan_clear(ctx, &c->plan);
    swq_free(ctx, c);
}

swq_status swq_netchain_expect(swq_context *ctx, const swq_netchain *c, bool reception, int stage,
                               swq_netcount count, double *expected)
{
    long double *behind =
        NULL; /* expected from the nodes of the next level to the end of the cycle */

    for (int k = c->plan.events - 1; k >= 0; k--) {
        const swq_netlevel *level = &c->level[k];
        const swq_netevent *event = &c->plan.event[k];
        const bool counted =
            (event->kind == SWQ_NETEVENT_RECEPTION) == reception && event->stage == stage;
        long double *now = swq_calloc(ctx, (size_t)level->node.count, sizeof *now);
        if (!now) {
            swq_free(ctx, behind);
            return swq_memory_status(ctx);
        }
        for (int64_t i = 0; i < level->node.count; i++) {
            long double sum = counted ? level->count[i * SWQ_NETCOUNTS + (int64_t)count] : 0;
            for (int64_t e = level->factor.start[i]; e < level->factor.start[i + 1] && behind; e++)
                sum += level->factor.value[e] * behind[level->factor.col[e]];
            now[i] = sum;
        }
        swq_free(ctx, behind);
        behind = now;
    }
    for (int64_t i = 0; i < c->level[0].node.count && behind; i++)
        expected[i] = (double)behind[i];
    swq_free(ctx, behind);
    return SWQ_OK;
}
