/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marked chains where rows will not do: arbiters with a memory, whose chain is then not reduced,
 * and pools. A node is a whole switch with its mark behind it, and the rules are run over all falls
 * of the dice. A pool reads every queue in every cycle, so what becomes of a packet in it is
 * decided by how many are ahead, and nothing else is kept; an input of a pool has nothing of its
 * own, so the switch may be reduced around the mark. Room: models. Includes base.
 */
#include "base/context.h"
#include "models/cycle.h"
#include "models/marked.h"

#include <string.h>

typedef struct {
    swq_context *ctx;
    const swq_chain *chain;
    swq_mark mark;
    swq_marked *m;
    swq_intern node[2];
    swq_growing growing[2], enter, lose, leave;
    int words;      /* of the switch; the mark's follow */
    swq_word *work; /* room for three switches with their marks */
    swq_dice dice;
    int64_t loaded, deepest, outcomes;
} whole_marking;

enum { MARK_WORDS = 3 }; /* 1 + input, 1 + queue, packets ahead; 0 where it does not matter */

static bool pool_packet(const whole_marking *x)
{
    return x->mark == SWQ_MARK_PACKET && x->chain->sw.buffer.scope == SWQ_POOL;
}

static void note_dice(whole_marking *x)
{
    x->loaded = x->dice.loaded > x->loaded ? x->dice.loaded : x->loaded;
    x->deepest = x->dice.deepest > x->deepest ? x->dice.deepest : x->deepest;
}

/* Add the node made of the switch in `work`, or of nothing for a packet in a pool, and a mark. */
static swq_status add_node(whole_marking *x, swq_growing *g, int level, int input, int queue,
                           int ahead, long double chance)
{
    const swq_layout *l = &x->chain->layout;

    if (pool_packet(x))
        memset(x->work, 0, sizeof *x->work * (size_t)x->words);
    else
        swq_symmetry_canonical(&x->chain->symmetry, l, x->work, x->work + x->words + MARK_WORDS);
    x->work[x->words] = (swq_word)input;
    x->work[x->words + 1] = (swq_word)queue;
    x->work[x->words + 2] = (swq_word)ahead;
    int64_t number = swq_intern_number(x->ctx, &x->node[level], x->work);
    if (number < 0)
        return swq_memory_status(x->ctx);
    return swq_growing_add(x->ctx, g, number, chance, 0, 0);
}

/* The part of chance in which the mark leaves. */
static swq_status add_leaving(whole_marking *x, int input, int output, long double chance)
{
    return swq_growing_add(x->ctx, &x->leave, input * x->chain->sw.ports + output, chance, 0, 0);
}

static void load_switch(whole_marking *x, const swq_intern *set, int64_t number)
{
    memcpy(x->work, swq_intern_state(set, number), sizeof *x->work * (size_t)x->words);
}

/* Packets accepted in one fall of the dice begin; `before` are the queues of all buffers. */
static swq_status enter_packets(whole_marking *x, const swq_word *before)
{
    const swq_layout *l = &x->chain->layout;
    swq_status status = SWQ_OK;
    swq_word after[SWQ_MAX_PORTS * (2 * SWQ_MAX_PORTS + 4)];

    memcpy(after, x->work, sizeof *after * (size_t)x->words);
    for (int b = 0; b < l->buffers; b++) {
        for (int q = 0; q < l->queues; q++) {
            int at = b * l->queues + q, label = x->chain->symmetry.output_class[q];
            for (int ahead = before[at]; ahead < after[at] && !status; ahead++) {
                memcpy(x->work, after, sizeof *after * (size_t)x->words);
                status = add_node(x, &x->enter, 1, pool_packet(x) ? 0 : 1 + b,
                                  1 + (pool_packet(x) ? label : q), ahead, x->dice.probability);
            }
        }
    }
    memcpy(x->work, after, sizeof *after * (size_t)x->words);
    return status;
}

static swq_status enter_losses(whole_marking *x, const swq_reception *what)
{
    const uint8_t *class = x->chain->symmetry.input_class;
    swq_status status = SWQ_OK;

    for (int i = 0; i < x->chain->sw.ports && !status; i++) {
        if (what->refused[i])
            status = add_node(x, &x->enter, 1, 1 + class[i], 0, 0, x -> dice.probability);
    }
    return status;
}

static swq_status enter_from(whole_marking *x, int64_t state)
{
    const swq_chain *c = x->chain;
    const swq_word *before = swq_intern_state(&c->node[0], state);
    swq_reception what;
    int64_t outcomes = 0;

    swq_dice_begin_enumeration(&x->dice);
    do {
        memcpy(x->work, before, sizeof *x->work * (size_t)x->words);
        swq_receive(&c->sw, &c->layout, x->work, &x->dice, &what);
        swq_status status =
            x->mark == SWQ_MARK_PACKET ? enter_packets(x, before) : enter_losses(x, &what);
        if (status)
            return status;
        note_dice(x);
        outcomes++;
    } while (swq_dice_next(&x->dice));
    x->outcomes = outcomes > x->outcomes ? outcomes : x->outcomes;
    return swq_growing_finish(x->ctx, &x->enter);
}

static swq_status receive(whole_marking *x, int64_t number)
{
    const swq_chain *c = x->chain;
    const swq_word *mark = swq_intern_state(&x->node[0], number) + x->words;
    int input = mark[0], queue = mark[1], ahead = mark[2], i = input - 1;
    swq_reception what;
    swq_status status = SWQ_OK;

    if (pool_packet(x))
        return add_node(x, &x->growing[0], 1, input, queue, ahead, 1);
    swq_dice_begin_enumeration(&x->dice);
    do {
        load_switch(x, &x->node[0], number);
        swq_receive(&c->sw, &c->layout, x->work, &x->dice, &what);
        if (x->mark == SWQ_MARK_INPUT && what.accepted[i])
            status = add_leaving(x, i, 0, x->dice.probability);
        else
            status = add_node(
                x, x->mark == SWQ_MARK_INPUT && what.refused[i] ? &x->lose : &x->growing[0], 1,
                input, queue, ahead, x->dice.probability);
        note_dice(x);
    } while (!status && swq_dice_next(&x->dice));
    return status;
}

/* Does the arbitration take a packet from the mark's queue? To which output, or -1. */
static int taken_to(const whole_marking *x, const int *grant, int input, int queue)
{
    if (!x->chain->layout.deferred)
        return grant[queue - 1] == input - 1 ? queue - 1 : -1;
    for (int j = 0; j < x->chain->sw.ports; j++) {
        if (grant[j] == input - 1)
            return j;
    }
    return -1;
}

static swq_status transmit(whole_marking *x, int64_t number)
{
    const swq_chain *c = x->chain;
    const swq_word *mark = swq_intern_state(&x->node[1], number) + x->words;
    int input = mark[0], queue = mark[1], ahead = mark[2], grant[SWQ_MAX_PORTS];
    swq_status status = SWQ_OK;

    if (pool_packet(x))
        return ahead == 0 ? add_leaving(x, 0, queue - 1, 1)
                          : add_node(x, &x->growing[1], 0, input, queue, ahead - 1, 1);
    swq_dice_begin_enumeration(&x->dice);
    do {
        int output = -1;
        load_switch(x, &x->node[1], number);
        if (c->sw.buffer.scope == SWQ_POOL) {
            swq_transmit(&c->sw, &c->layout, x->work, &x->dice);
        } else {
            swq_arbitrate(&c->sw, &c->layout, x->work, &x->dice, grant);
            swq_send_granted(&c->sw, &c->layout, grant, x->work, &x->dice);
            if (x->mark == SWQ_MARK_PACKET)
                output = taken_to(x, grant, input, queue);
        }
        if (output >= 0 && ahead == 0)
            status = add_leaving(x, input - 1, output, x->dice.probability);
        else
            status = add_node(x, &x->growing[1], 0, input, queue, ahead - (output >= 0),
                              x->dice.probability);
        note_dice(x);
    } while (!status && swq_dice_next(&x->dice));
    return status;
}

static swq_status expand(whole_marking *x, int level)
{
    int64_t number = x->growing[level].rows;

    if (number % 1024 == 0) {
        swq_progress(x->ctx, "following marks", (double)x->node[level].count, 0);
        if (swq_context_cancelled(x->ctx))
            return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld marks",
                            (long long)x->node[level].count);
    }
    swq_status status = level == 0 ? receive(x, number) : transmit(x, number);
    if (!status && level == 0 && x->mark == SWQ_MARK_INPUT)
        status = swq_growing_finish(x->ctx, &x->lose);
    if (!status && level == x->m->leaving)
        status = swq_growing_finish(x->ctx, &x->leave);
    return status ? status : swq_growing_finish(x->ctx, &x->growing[level]);
}

static swq_status explore(whole_marking *x)
{
    swq_status status = SWQ_OK;

    for (int64_t s = 0; s < x->chain->node[0].count && !status; s++)
        status = enter_from(x, s);
    while (!status &&
           (x->growing[0].rows < x->node[0].count || x->growing[1].rows < x->node[1].count)) {
        while (!status && x->growing[1].rows < x->node[1].count)
            status = expand(x, 1);
        while (!status && x->growing[0].rows < x->node[0].count)
            status = expand(x, 0);
    }
    return status;
}

static swq_status finish(whole_marking *x)
{
    swq_marked *m = x->m;
    int n = x->chain->sw.ports;
    struct {
        swq_growing *from;
        int64_t cols;
        swq_csr *to;
    } part[] = {{&x->growing[0], x->node[1].count, &m->factor[0]},
                {&x->growing[1], x->node[0].count, &m->factor[1]},
                {&x->enter, x->node[1].count, &m->enter},
                {&x->leave, n * n, &m->leave},
                {&x->lose, x->node[1].count, &m->lose}};
    int parts = x->mark == SWQ_MARK_INPUT ? 5 : 4;
    swq_status status = SWQ_OK;

    for (int k = 0; k < parts && !status; k++) {
        m->roundings += swq_growing_roundings(part[k].from, x->deepest + x->outcomes) +
                        x->chain->layout.loaded_roundings * (double)x->loaded;
        status = swq_growing_end_alone(x->ctx, part[k].from, part[k].cols, part[k].to);
    }
    m->input = swq_calloc(x->ctx, (size_t)x->node[0].count + 1, sizeof *m->input);
    if (!m->input)
        return status ? status : swq_memory_status(x->ctx);
    for (int64_t k = 0; k < x->node[0].count && x->mark == SWQ_MARK_INPUT; k++)
        m->input[k] = (uint8_t)(swq_intern_state(&x->node[0], k)[x->words] - 1);
    m->nodes[0] = x->node[0].count;
    m->nodes[1] = x->node[1].count;
    return status;
}

swq_status swq_mark_whole(swq_context *ctx, const swq_chain *c, swq_mark mark, swq_marked *m)
{
    whole_marking x = {.ctx = ctx, .chain = c, .mark = mark, .m = m, .words = c->layout.words};
    swq_status status = SWQ_OK;

    m->levels = 2;
    m->leaving = mark == SWQ_MARK_PACKET ? 1 : 0;
    for (int k = 0; k < 2; k++)
        swq_intern_init(&x.node[k], x.words + MARK_WORDS);
    x.work = swq_calloc(ctx, (size_t)x.words + MARK_WORDS, 3 * sizeof *x.work);
    if (!x.work)
        status = swq_memory_status(ctx);
    if (!status)
        status = explore(&x);
    if (!status)
        status = finish(&x);
    for (int k = 0; k < 2; k++) {
        swq_growing_clear(ctx, &x.growing[k]);
        swq_intern_clear(ctx, &x.node[k]);
    }
    swq_growing_clear(ctx, &x.enter);
    swq_growing_clear(ctx, &x.lose);
    swq_growing_clear(ctx, &x.leave);
    swq_free(ctx, x.work);
    return status;
}
