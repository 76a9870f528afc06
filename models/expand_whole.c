/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator that defines chains: states and the intermediate states between reception and
 * transmission, each row from running the rules of models/cycle.c over all falls of the dice.
 */
#include "base/context.h"
#include "models/chain_parts.h"
#include "models/classes.h"
#include "models/cycle.h"
#include "models/reception.h"

#include <string.h>

typedef struct {
    swq_context *ctx;
    swq_chain *chain;
    swq_growing growing[SWQ_CHAIN_LEVELS];
    int64_t loaded[SWQ_CHAIN_LEVELS]; /* most loaded throws in one outcome, by factor */
    int64_t outcomes;                 /* most outcomes of one reception */
    int64_t deepest;                  /* most throws in one outcome */
    swq_word *work;                   /* room for three states */
    swq_dice dice;
} whole_expansion;

/* The number of the orbit of the state in `work`. */
static swq_status number_of(whole_expansion *x, int level, int64_t *number)
{
    swq_chain *c = x->chain;

    swq_symmetry_canonical(&c->symmetry, &c->layout, x->work, x->work + c->layout.words);
    *number = swq_intern_number(x->ctx, &c->node[level], x->work);
    return *number < 0 ? swq_memory_status(x->ctx) : SWQ_OK;
}

static swq_status add_fall(whole_expansion *x, int level, int into, long double refused,
                           long double pairs)
{
    int64_t number;
    swq_status status = number_of(x, into, &number);

    if (x->dice.loaded > x->loaded[level])
        x->loaded[level] = x->dice.loaded;
    if (x->dice.deepest > x->deepest)
        x->deepest = x->dice.deepest;
    return status ? status
                  : swq_growing_add(x->ctx, &x->growing[level], number, x->dice.probability,
                                    refused * x->dice.probability, pairs * x->dice.probability);
}

static void load_node(whole_expansion *x, int level, int64_t node)
{
    memcpy(x->work, swq_intern_state(&x->chain->node[level], node),
           sizeof *x->work * (size_t)x->chain->layout.words);
}

/* Add the destination of the packet that input i offered in a state. The destination is not needed
 * before a FIFO queue without bursts. */
static void add_destination(const swq_chain *c, const swq_word *state, int i, swq_word packet,
                            long double chance, long double *to)
{
    const swq_layout *l = &c->layout;

    if (!l->deferred)
        to[packet - 1] += chance;
    if (l->same < 0)
        return;
    const swq_word words[] = {state[i], state[l->head + i], state[l->same + i], state[l->held + i]};
    for (int j = 0; j < l->ports; j++)
        to[j] += chance * swq_next_chance(l, c->sw.dest[i], words, j);
}

/* Note one outcome of a reception, by the known properties of the packets. */
static void note_classes(const whole_expansion *x, int64_t state, const swq_reception *what)
{
    swq_chain *c = x->chain;
    const double chance = (double)x->dice.probability;

    for (int i = 0; i < c->sw.ports; i++) {
        double of[SWQ_CLASSES] = {0};
        swq_class_rewards *r = &c->of_class[state];
        if (!what->packet[i])
            continue;
        double *to = (what->refused[i] ? c->refused_to : c->accepted_to) + state * c->sw.ports;
        swq_share_packet(&c->layout, c->sw.dest[i], what->packet[i], chance, to, of);
        for (int h = 0; h < SWQ_CLASSES; h++) {
            r->accepted[h] += what->accepted[i] ? of[h] : 0;
            r->refused[h] += what->refused[i] ? of[h] : 0;
            r->places[h] += what->accepted[i] ? of[h] * what->place[i] : 0;
        }
    }
}

static swq_status expand_reception(whole_expansion *x, int64_t state)
{
    swq_chain *c = x->chain;
    long double accepted[SWQ_CHAIN_PORTS] = {0}, refused[SWQ_CHAIN_PORTS] = {0};
    long double to[2][SWQ_CHAIN_PORTS] = {{0}}; /* by destination: accepted, refused */
    int64_t outcomes = 0;
    swq_reception what;
    swq_status status = swq_chain_reward_room(x->ctx, c, state + 1);

    if (status)
        return status;
    swq_dice_begin_enumeration(&x->dice);
    do {
        int total = 0;
        load_node(x, 0, state);
        swq_receive(&c->sw, &c->layout, x->work, &x->dice, &what);
        for (int i = 0; i < c->sw.ports; i++) {
            const bool lost = swq_reception_lost(&what, i);
            accepted[i] += what.packet[i] && !lost ? x->dice.probability : 0;
            refused[i] += lost ? x->dice.probability : 0;
            total += lost;
            if (what.pushes[i]) { /* a packet for another output is lost after all */
                to[0][what.pushes[i] - 1] -= x->dice.probability;
                to[1][what.pushes[i] - 1] += x->dice.probability;
            }
        }
        if (what.expelled > 0) {
            accepted[0] -= what.expelled * x->dice.probability;
            refused[0] += what.expelled * x->dice.probability;
            total += what.expelled;
        }
        for (int j = 0; j < c->sw.ports && what.expelled > 0; j++) {
            to[0][j] -= what.expels[j] * x->dice.probability;
            to[1][j] += what.expels[j] * x->dice.probability;
        }
        if (c->of_class)
            note_classes(x, state, &what);
        for (int i = 0; i < c->sw.ports && !c->of_class; i++) {
            if (what.packet[i])
                add_destination(c, swq_intern_state(&c->node[0], state), i, what.packet[i],
                                x->dice.probability, to[what.refused[i]]);
        }
        status = add_fall(x, 0, 1, total, total * (total - 1));
        if (status)
            return status;
        outcomes++;
    } while (swq_dice_next(&x->dice));
    for (int i = 0; i < c->sw.ports; i++) {
        c->accepted[state * c->sw.ports + i] = (double)accepted[i];
        c->refused[state * c->sw.ports + i] = (double)refused[i];
    }
    swq_chain_share(c, c->accepted + state * c->sw.ports);
    swq_chain_share(c, c->refused + state * c->sw.ports);
    for (int j = 0; j < c->sw.ports && c->accepted_to && !c->of_class; j++) {
        c->accepted_to[state * c->sw.ports + j] = (double)to[0][j];
        c->refused_to[state * c->sw.ports + j] = (double)to[1][j];
    }
    x->outcomes = outcomes > x->outcomes ? outcomes : x->outcomes;
    return swq_growing_finish(x->ctx, &x->growing[0]);
}

static swq_status expand_step(whole_expansion *x, int level, int64_t middle)
{
    const swq_chain *c = x->chain;
    swq_moves moves;

    swq_dice_begin_enumeration(&x->dice);
    do {
        load_node(x, level, middle);
        swq_take_step(&c->sw, &c->layout, level - 1, x->work, &x->dice, &moves);
        swq_status status = add_fall(x, level, (level + 1) % c->levels, 0, 0);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return swq_growing_finish(x->ctx, &x->growing[level]);
}

/* Breadth first: the rows of all known states, then those of all known intermediate states. */
static swq_status explore(whole_expansion *x)
{
    const swq_chain *c = x->chain;
    const swq_intern *node = c->node;
    int64_t number;
    swq_status status = number_of(x, 0, &number); /* the empty switch is all zero */

    while (!status && x->growing[0].rows < node[0].count) {
        while (!status && x->growing[0].rows < node[0].count) {
            if (swq_context_cancelled(x->ctx))
                return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                                (long long)node[0].count);
            swq_progress(x->ctx, "generating states", (double)node[0].count, 0);
            status = expand_reception(x, x->growing[0].rows);
        }
        for (int level = 1; level < c->levels; level++) {
            while (!status && x->growing[level].rows < node[level].count)
                status = expand_step(x, level, x->growing[level].rows);
        }
    }
    return status;
}

swq_status swq_expand_whole(swq_context *ctx, swq_chain *c)
{
    whole_expansion x = {.ctx = ctx, .chain = c};

    c->levels = 1 + c->layout.steps;
    c->receptions = 1;
    for (int k = 0; k < c->levels; k++)
        swq_intern_init(&c->node[k], c->layout.words);
    x.work = swq_calloc(ctx, (size_t)c->layout.words, 3 * sizeof *x.work);
    swq_status status = x.work ? explore(&x) : swq_memory_status(ctx);
    for (int k = 0; k < c->levels && !status; k++) {
        c->roundings += swq_growing_roundings(&x.growing[k], x.deepest + x.outcomes) +
                        c->layout.loaded_roundings * (double)x.loaded[k];
        status = swq_growing_end(ctx, &x.growing[k], c->node[(k + 1) % c->levels].count,
                                 &c->factor[k], &c->refusals[k], &c->pairs[k]);
    }
    for (int k = 0; k < c->levels; k++)
        swq_growing_clear(ctx, &x.growing[k]);
    swq_free(ctx, x.work);
    return status;
}

/* Enumerate a reception again: the logarithmic derivative of an outcome's probability has a term 1
 * for each packet created and -p / (1 - p) for each free source that created none, times the
 * logarithmic derivative of p with respect to the load (not 1 with bursts). */
static swq_status differentiate(whole_expansion *x, int64_t state, swq_slopes *slopes)
{
    swq_chain *c = x->chain;
    long double up[2] = {0}, down[2] = {0}; /* packets accepted, refused */
    swq_reception what;

    swq_dice_begin_enumeration(&x->dice);
    do {
        int total[2] = {0};
        long double created = 0, idle = 0;
        load_node(x, 0, state);
        swq_receive(&c->sw, &c->layout, x->work, &x->dice, &what);
        for (int i = 0; i < c->sw.ports; i++) {
            const double *create = c->layout.create[i];
            double steeper = c->layout.steeper[i];
            created += what.packet[i] && !what.held[i] ? steeper : 0;
            idle += what.packet[i] ? 0 : (long double)create[1] / create[0] * steeper;
            total[0] += what.packet[i] && !swq_reception_lost(&what, i);
            total[1] += swq_reception_lost(&what, i);
        }
        total[0] -= what.expelled;
        total[1] += what.expelled;
        for (int k = 0; k < 2; k++) {
            up[k] += x->dice.probability * created * total[k];
            down[k] += x->dice.probability * idle * total[k];
        }
        swq_status status = add_fall(x, 0, 1, created, idle);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    slopes->accepted[state] = (double)(up[0] - down[0]);
    slopes->refused[state] = (double)(up[1] - down[1]);
    return swq_growing_finish(x->ctx, &x->growing[0]);
}

swq_status swq_slopes_whole(swq_context *ctx, swq_chain *c, swq_slopes *slopes)
{
    whole_expansion x = {.ctx = ctx, .chain = c};
    swq_csr again = {0};

    x.work = swq_calloc(ctx, (size_t)c->layout.words, 3 * sizeof *x.work);
    swq_status status = x.work ? SWQ_OK : swq_memory_status(ctx);
    while (!status && x.growing[0].rows < c->node[0].count)
        status = differentiate(&x, x.growing[0].rows, slopes);
    if (!status)
        status = swq_growing_end(ctx, &x.growing[0], c->node[1].count, &again, &slopes->created[0],
                                 &slopes->idle[0]);
    swq_csr_clear(ctx, &again);
    swq_growing_clear(ctx, &x.growing[0]);
    swq_free(ctx, x.work);
    return status;
}
