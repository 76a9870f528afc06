/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decision processes: estimating the size and exploring. choose.c has the actions of a node, and
 * outcomes.c keeps what is found.
 * Room: models. Includes base.
 */
#include "models/decisions.h"

#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "models/chain_parts.h"
#include "models/cycle.h"
#include "models/priority.h"
#include "models/reception.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Outcomes that can be enumerated in about an hour. */
#define MOST_OUTCOMES 2e9

/* The switch whose symmetry counts: its arbiter can break the symmetry only if the arbiter
 * decides. */
static swq_switch as_decided(const swq_switch *sw, const swq_powers *powers)
{
    swq_switch other = *sw;

    if (powers->send)
        other.arbiter = &swq_arbiter_random;
    return other;
}

/* Number of ways in which packets can arrive in a cycle. */
static double arrivals(const swq_switch *sw)
{
    double ways = 1;

    for (int i = 0; i < sw->ports; i++) {
        int destinations = 0;
        for (int j = 0; j < sw->ports; j++)
            destinations += sw->dest[i][j] > 0;
        if (sw->buffer.queues == SWQ_ONE_QUEUE)
            destinations = 1;
        ways *= (sw->load[i] > 0 ? destinations : 0) + (sw->load[i] < 1 ? 1 : 0);
    }
    return ways;
}

/* Upper bound of the number of sets of packets that can be sent. */
static double matchings(int n)
{
    double all = 0, sets = 1;

    for (int k = 0; k <= n; k++) {
        all += sets;
        sets *= (double)(n - k) * (n - k) / (k + 1);
    }
    return all;
}

typedef struct {
    const swq_switch *sw;
    const swq_powers *powers;
    double limit; /* bytes; 0: none */
} size_question;

static double bytes_of(const size_question *q, double states, double *outcomes)
{
    const int n = q->sw->ports, queues = swq_buffer_queues(&q->sw->buffer, n);
    const double ways = arrivals(q->sw),
                 node =
                     2.0 * (q->sw->buffer.scope == SWQ_POOL ? 1 : n) * (queues + 1) + 2.0 * n + 32;
    /* at a port with a packet: refuse, admit, or push out of each queue */
    const double options = q->powers->push_out ? 2 + 0.5 * queues : 2;
    const double actions = pow((1 + n * options) / (n + 1), n);
    const double sets = q->powers->send ? matchings(n) : 1;
    const double each = 28 + 24; /* bytes of an action and of an outcome */

    *outcomes = states * ways;
    double bytes = states * (node + ways * 24) + states * (node + sets * each);
    if (q->powers->refuse || q->powers->push_out) {
        *outcomes += states * ways * actions;
        bytes += states * ways * (node + actions * each);
    }
    *outcomes += states * sets;
    return bytes;
}

static bool can_be_made(const swq_chain_size *size, const void *arg)
{
    const size_question *q = arg;
    double outcomes;
    double bytes = bytes_of(q, size->states, &outcomes);

    return (q->limit == 0 || bytes <= q->limit) && outcomes <= MOST_OUTCOMES;
}

static swq_status check_limit(swq_context *ctx, const swq_switch *sw, const swq_powers *powers,
                              bool reduce, const swq_chain_size *size)
{
    const size_question q = {sw, powers, (double)swq_context_memory_limit(ctx)};
    char needed[40], allowed[40], fits[80] = "no fewer slots would fit";
    double outcomes;

    if (can_be_made(size, &q))
        return SWQ_OK;
    const double bytes = bytes_of(&q, size->states, &outcomes);
    int slots = swq_chain_most_slots(ctx, sw, reduce, can_be_made, &q);
    if (slots > 0)
        snprintf(fits, sizeof fits, "%d slot%s per input port would fit", slots,
                 slots == 1 ? "" : "s");
    if (q.limit == 0 || bytes <= q.limit)
        return swq_fail(
            ctx, SWQ_ELIMIT,
            "up to %.3g states have %.2g outcomes of decisions in all, which would take "
            "hours or more to go through (%s)",
            size->states, outcomes, fits);
    return swq_fail(ctx, SWQ_ELIMIT,
                    "the decisions of up to %.3g states take about %s; the memory limit is %s (%s)",
                    size->states, swq_bytes_text(bytes, needed, sizeof needed),
                    swq_bytes_text(q.limit, allowed, sizeof allowed), fits);
}

/* ---- the reception ---- */

/* Admit the packets that arrive at the state in `work`, by the rule; returns the number of packets
 * lost. */
static int admit_by_rule(swq_deciding *x)
{
    swq_reception what;
    int lost = 0;

    if (x->d->powers.longest)
        return swq_receive_pushing(x, &x->dice);
    swq_receive(&x->rules, &x->d->layout, x->work, &x->dice, &what);
    for (int i = 0; i < x->d->sw.ports; i++)
        lost += what.refused[i];
    return lost;
}

/* All packets of the cycle are in `given`: pass them on to the admission stage, or admit them by
 * the rule. */
static swq_status arrived(swq_deciding *x, long double chance)
{
    const swq_layout *l = &x->d->layout;
    const size_t bytes = sizeof *x->work * (size_t)l->words;

    if (x->d->stages == SWQ_STAGES) {
        memcpy(x->work, x->given, bytes);
        return swq_deciding_outcome(x, chance, 0);
    }
    swq_dice_begin_enumeration(&x->dice);
    do {
        memcpy(x->work, x->given, bytes);
        const int lost = admit_by_rule(x);
        memset(x->work + l->held, 0, sizeof *x->work * (size_t)l->ports);
        swq_status status = swq_deciding_outcome(x, chance * x->dice.probability, lost);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return SWQ_OK;
}

/* Let packets arrive at inputs i, i + 1, ... */
static swq_status arrive(swq_deciding *x, int i, long double chance)
{
    const swq_switch *sw = &x->d->sw;
    const swq_layout *l = &x->d->layout;
    const long double load = sw->load[i < sw->ports ? i : 0];
    long double all = 0;
    swq_status status = SWQ_OK;

    if (i == sw->ports)
        return arrived(x, chance);
    for (int j = 0; j < sw->ports; j++)
        all += sw->dest[i][j];
    swq_word *packet = &x->given[l->held + i];
    if (load < 1) {
        *packet = 0;
        status = arrive(x, i + 1, chance * (1 - load));
    }
    for (int j = 0; j < (l->deferred ? 1 : sw->ports) && load > 0 && !status; j++) {
        const long double to = l->deferred ? 1 : sw->dest[i][j] / all;
        *packet = (swq_word)(j + 1);
        if (to > 0)
            status = arrive(x, i + 1, chance * load * to);
    }
    *packet = 0;
    return status;
}

/* ---- all nodes ---- */

static swq_status expand(swq_deciding *x)
{
    swq_choices *c = &x->d->stage[x->level];
    swq_status status = SWQ_OK;

    if (c->expanded + 2 > c->first_room) {
        int64_t room = c->first_room + c->first_room / 2 + 64;
        int64_t *first = swq_resize(x->ctx, c->first, (size_t)room, sizeof *first);
        if (!first)
            return swq_memory_status(x->ctx);
        c->first = first;
        c->first_room = room;
    }
    if (!swq_more_actions(x->ctx, c, 0))
        return swq_memory_status(x->ctx);
    memcpy(x->given, swq_intern_state(&c->node, c->expanded),
           sizeof *x->given * (size_t)x->d->layout.words);
    c->first[c->expanded] = c->actions;
    x->listed = 0;
    if (c->stage == SWQ_STAGE_RECEPTION) {
        status = arrive(x, 0, 1);
        if (!status)
            status = swq_deciding_action(x, 0);
    } else if (c->stage == SWQ_STAGE_ADMISSION) {
        status = swq_choose_admission(x);
    } else {
        status = swq_choose_transmission(x);
    }
    c->first[++c->expanded] = c->actions;
    return status;
}

static swq_status explore(swq_deciding *x)
{
    swq_decisions *d = x->d;
    swq_status status = SWQ_OK;
    bool more = true;

    if (swq_intern_number(x->ctx, &d->stage[0].node, x->given) <
        0) /* the empty switch is all zero */
        return swq_memory_status(x->ctx);
    while (more && !status) {
        more = false;
        for (x->level = 0; x->level < d->stages && !status; x->level++) {
            swq_choices *c = &d->stage[x->level];
            while (c->expanded < c->node.count && !status) {
                if (c->expanded % 256 == 0) {
                    swq_progress(x->ctx, "generating decisions", (double)d->stage[0].node.count, 0);
                    if (swq_context_cancelled(x->ctx))
                        return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                                        (long long)d->stage[0].node.count);
                }
                status = expand(x);
                more = true;
            }
        }
    }
    return status;
}

static swq_status generate(swq_context *ctx, swq_decisions *d)
{
    swq_deciding *x = swq_calloc(ctx, 1, sizeof *x); /* the dice are large */
    swq_status status = x ? SWQ_OK : swq_memory_status(ctx);

    if (!x)
        return status;
    x->ctx = ctx;
    x->d = d;
    x->rules = d->sw;
    x->rules.flow = SWQ_BLOCK; /* sources hold the arriving packets, and nothing else */
    for (int i = 0; i < d->sw.ports; i++)
        x->rules.load[i] = 0;
    swq_layout_init(&d->layout, &x->rules);
    for (int k = 0; k < d->stages; k++)
        swq_intern_init(&d->stage[k].node, d->layout.words);
    x->work = swq_calloc(ctx, (size_t)d->layout.words, 3 * sizeof *x->work);
    x->given = swq_calloc(ctx, (size_t)d->layout.words, sizeof *x->given);
    status = x->work && x->given ? explore(x) : swq_memory_status(ctx);
    swq_free(ctx, x->work);
    swq_free(ctx, x->given);
    swq_free(ctx, x->list);
    swq_free(ctx, x);
    return status;
}

swq_status swq_decisions_generate(swq_context *ctx, const swq_switch *sw, const swq_powers *powers,
                                  bool reduce, swq_decisions *d)
{
    const bool admits = powers->refuse || powers->push_out;
    swq_decisions out = {.sw = as_decided(sw, powers), .powers = *powers};
    swq_chain_size size;
    swq_status status = swq_priority_refuse(ctx, &sw->priority, "a decision process");

    if (!status)
        status = swq_chain_foresee_symmetry(ctx, &out.sw, reduce, &size, &out.symmetry);
    if (status)
        return status;
    out.stages = admits ? 3 : 2;
    out.stage[0].stage = SWQ_STAGE_RECEPTION;
    out.stage[1].stage = SWQ_STAGE_ADMISSION;
    out.stage[out.stages - 1].stage = SWQ_STAGE_TRANSMISSION;
    status = check_limit(ctx, &out.sw, powers, reduce, &size);
    if (!status)
        status = generate(ctx, &out);
    if (status)
        swq_decisions_clear(ctx, &out);
    else
        *d = out;
    return status;
}

void swq_decisions_clear(swq_context *ctx, swq_decisions *d)
{
    for (int k = 0; k < SWQ_STAGES; k++) {
        swq_choices *c = &d->stage[k];
        swq_intern_clear(ctx, &c->node);
        swq_free(ctx, c->first);
        swq_free(ctx, c->outcome);
        swq_free(ctx, c->what);
        swq_free(ctx, c->cost);
        swq_free(ctx, c->into);
        swq_free(ctx, c->chance);
    }
    swq_symmetry_clear(ctx, &d->symmetry);
    *d = (swq_decisions){.stages = 0};
}
