/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marked chains where rows will not do: arbiters with a memory, whose chain is then not reduced,
 * and pools. A node is a whole switch with its mark behind it, and the rules are run over all falls
 * of the dice. A pool reads every queue in every cycle, so the departure of a packet in it depends
 * only on the number of packets ahead, and no other word is kept; an input of a pool has no state
 * of its own, so the switch may be reduced around the mark.
 */
#include "base/context.h"
#include "models/cycle.h"
#include "models/marked.h"
#include "models/reception.h"

#include <string.h>

typedef struct {
    swq_context *ctx;
    const swq_chain *chain;
    swq_mark mark;
    swq_marked *m;
    swq_intern node[SWQ_CHAIN_LEVELS];
    swq_growing growing[SWQ_CHAIN_LEVELS], enter, lose, leave;
    int words;      /* words of the switch; the words of the mark follow */
    swq_word *work; /* working space for three switches with their marks */
    swq_dice dice;
    int64_t loaded, deepest, outcomes;
} whole_marking;

/* 1 + input; 1 + queue (that of the input, or BEHIND + output for memory behind the buffers);
 * packets ahead; each word is 0 if it does not matter */
enum { MARK_WORDS = 3, BEHIND = SWQ_CHAIN_PORTS };

static bool pool_packet(const whole_marking *x)
{
    return x->mark == SWQ_MARK_PACKET && x->chain->sw.buffer.scope == SWQ_POOL;
}

static void note_dice(whole_marking *x)
{
    x->loaded = x->dice.loaded > x->loaded ? x->dice.loaded : x->loaded;
    x->deepest = x->dice.deepest > x->deepest ? x->dice.deepest : x->deepest;
}

/* Does the departure of a packet depend only on the packets ahead of it? */
static bool only_ahead(const whole_marking *x, int queue)
{
    return pool_packet(x) || (x->chain->layout.out >= 0 && queue > BEHIND);
}

/* Add the node that consists of a mark and the switch in `work`, or of the mark alone if only the
 * packets ahead of it matter. */
static swq_status add_node(whole_marking *x, swq_growing *g, int level, int input, int queue,
                           int ahead, long double chance)
{
    const swq_layout *l = &x->chain->layout;

    if (only_ahead(x, queue))
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

/* Add `chance` to the probability that the mark leaves. */
static swq_status add_leaving(whole_marking *x, int input, int output, long double chance)
{
    return swq_growing_add(x->ctx, &x->leave, input * x->chain->sw.ports + output, chance, 0, 0);
}

static void load_switch(whole_marking *x, const swq_intern *set, int64_t number)
{
    memcpy(x->work, swq_intern_state(set, number), sizeof *x->work * (size_t)x->words);
}

/* Mark the packets accepted in one outcome of the dice; `before`: the queue lengths of all buffers
 * before. */
static swq_status enter_packets(whole_marking *x, const swq_word *before)
{
    const swq_layout *l = &x->chain->layout;
    swq_status status = SWQ_OK;
    swq_word after[SWQ_CHAIN_PORTS * (3 * SWQ_CHAIN_PORTS + 5)];

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

    if (only_ahead(x, queue))
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

/* Where the mark is, and where a step moves it. */
typedef struct {
    int input, queue, ahead;
    int output; /* the output for which it has left; -1: not yet */
} mark_place;

/* The output for which the packet leaves the mark's queue in this step, or -1. */
static int taken_to(const whole_marking *x, const swq_moves *moves, swq_step step,
                    const mark_place *at)
{
    const int i = at->input - 1, j = at->queue - 1;

    for (int k = x->chain->layout.deferred ? 0 : j;
         k < (x->chain->layout.deferred ? x->chain->sw.ports : j + 1); k++) {
        if (step == SWQ_STEP_FILL ? moves->filled[i] >> k & 1 : moves->grant[k] == i)
            return k;
    }
    return -1;
}

/* A step behind the buffers; `moves` is NULL where each queue sends. */
static void depart(const swq_moves *moves, swq_step step, mark_place *at)
{
    const int j = at->queue - 1 - BEHIND;

    if (moves && step == SWQ_STEP_SERVE && moves->grant[j] != at->input - 1)
        return;
    if (at->ahead == 0)
        at->output = j;
    at->ahead--;
}

/* A step of the buffers; `before` is the state before it. */
static void move_on(const whole_marking *x, const swq_moves *moves, swq_step step,
                    const swq_word *before, mark_place *at)
{
    const swq_layout *l = &x->chain->layout;
    const int to = taken_to(x, moves, step, at);

    if (to < 0)
        return;
    if (at->ahead > 0) {
        at->ahead--;
    } else if (step == SWQ_STEP_SEND) {
        at->output = to;
    } else {
        at->queue = 1 + BEHIND + to;
        at->ahead = step == SWQ_STEP_FILL ? before[l->cross + (at->input - 1) * l->ports + to]
                                          : before[l->out + to];
    }
}

static swq_status take_step(whole_marking *x, int level, int64_t number)
{
    const swq_chain *c = x->chain;
    const swq_step step = c->layout.step[level - 1];
    const bool departs = step == SWQ_STEP_SERVE || step == SWQ_STEP_DEPART;
    const int into = (level + 1) % x->m->levels;
    swq_growing *g = &x->growing[level];
    swq_moves moves;
    swq_status status = SWQ_OK;

    swq_dice_begin_enumeration(&x->dice);
    do {
        const swq_word *node = swq_intern_state(&x->node[level], number);
        mark_place at = {node[x->words], node[x->words + 1], node[x->words + 2], -1};
        if (pool_packet(x)) {
            at.output = at.ahead == 0 ? at.queue - 1 : -1;
            at.ahead--;
        } else if (only_ahead(x, at.queue)) {
            if (departs)
                depart(NULL, step, &at);
        } else {
            load_switch(x, &x->node[level], number);
            swq_take_step(&c->sw, &c->layout, level - 1, x->work, &x->dice, &moves);
            if (x->mark == SWQ_MARK_PACKET && at.queue > BEHIND && departs)
                depart(&moves, step, &at);
            else if (x->mark == SWQ_MARK_PACKET && at.queue <= BEHIND && !departs)
                move_on(x, &moves, step, node, &at);
        }
        if (at.output >= 0)
            status = add_leaving(x, at.input ? at.input - 1 : 0, at.output, x->dice.probability);
        else
            status = add_node(x, g, into, at.input, at.queue, at.ahead, x->dice.probability);
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
    swq_status status = level == 0 ? receive(x, number) : take_step(x, level, number);
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
        for (int turn = 1; turn <= x->m->levels; turn++) {
            const int level = turn % x->m->levels;
            while (!status && x->growing[level].rows < x->node[level].count)
                status = expand(x, level);
        }
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
    } part[] = {{&x->enter, x->node[1].count, &m->enter},
                {&x->leave, n * n, &m->leave},
                {&x->lose, x->node[1].count, &m->lose}};
    int parts = x->mark == SWQ_MARK_INPUT ? 3 : 2;
    swq_status status = SWQ_OK;

    for (int k = 0; k < m->levels && !status; k++) {
        m->roundings += swq_growing_roundings(&x->growing[k], x->deepest + x->outcomes) +
                        x->chain->layout.loaded_roundings * (double)x->loaded;
        m->nodes[k] = x->node[k].count;
        status = swq_growing_end_alone(x->ctx, &x->growing[k], x->node[(k + 1) % m->levels].count,
                                       &m->factor[k]);
    }
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
    return status;
}

/* The level whose step takes packets out of the switch. */
static int leaving_level(const swq_layout *l)
{
    int level = 1;

    while (l->step[level - 1] == SWQ_STEP_TRANSFER || l->step[level - 1] == SWQ_STEP_FILL)
        level++;
    return level;
}

swq_status swq_mark_whole(swq_context *ctx, const swq_chain *c, swq_mark mark, swq_marked *m)
{
    whole_marking x = {.ctx = ctx, .chain = c, .mark = mark, .m = m, .words = c->layout.words};
    swq_status status = SWQ_OK;

    m->levels = 1 + c->layout.steps;
    m->leaving = mark == SWQ_MARK_PACKET ? leaving_level(&c->layout) : 0;
    for (int k = 0; k < m->levels; k++)
        swq_intern_init(&x.node[k], x.words + MARK_WORDS);
    x.work = swq_calloc(ctx, (size_t)x.words + MARK_WORDS, 3 * sizeof *x.work);
    if (!x.work)
        status = swq_memory_status(ctx);
    if (!status)
        status = explore(&x);
    if (!status)
        status = finish(&x);
    for (int k = 0; k < m->levels; k++) {
        swq_growing_clear(ctx, &x.growing[k]);
        swq_intern_clear(ctx, &x.node[k]);
    }
    swq_growing_clear(ctx, &x.enter);
    swq_growing_clear(ctx, &x.lose);
    swq_growing_clear(ctx, &x.leave);
    swq_free(ctx, x.work);
    return status;
}
