/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state-graph generator. States and intermediate states are numbered as they are met; a state's
 * row of the arrival factor and an intermediate state's row of the transmission factor come from
 * running the rules of models/cycle.c over all falls of the dice.
 * Room: models. Includes base.
 */
#include "switchq/chain.h"

#include "base/context.h"
#include "models/cycle.h"
#include "models/intern.h"
#include "models/symmetry.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Products of probabilities below this are too near the end of double to keep their digits. */
#define LEAST_PROBABILITY 1e-290

enum {
    THROW_ROUNDINGS = 6 /* of one throw: its weight (at most five operations) and the product */
};

struct swq_chain {
    swq_switch sw;
    swq_layout layout;
    swq_symmetry symmetry;
    swq_intern states, middles;
    swq_csr arrive, transmit;
    double *accepted, *refused; /* [states * ports] */
    int64_t rewards_room;       /* states allocated in the two */
    int64_t arrive_roundings, transmit_roundings;
};

/* One row under construction: outcomes merged by target, in the order in which they are met. */
typedef struct {
    int32_t col;
    int32_t met;
    double value;
} entry;

typedef struct {
    entry *entry;
    int64_t count, room;
    int64_t *place; /* place[col] - 1: where col is in entry; 0: not in this row */
    int64_t places;
} row_builder;

static void row_clear(swq_context *ctx, row_builder *row)
{
    swq_free(ctx, row->entry);
    swq_free(ctx, row->place);
}

static swq_status row_add(swq_context *ctx, row_builder *row, int64_t col, double value)
{
    if (col >= row->places) {
        int64_t places = 2 * col + 64;
        int64_t *place = swq_resize(ctx, row->place, (size_t)places, sizeof *place);
        if (!place)
            return swq_memory_status(ctx);
        row->place = place;
        row->places = places;
    }
    assert(row->place);
    if (row->place[col]) {
        entry *e = &row->entry[row->place[col] - 1];
        e->value += value;
        e->met++;
        return SWQ_OK;
    }
    if (row->count == row->room) {
        int64_t room = 2 * row->room + 64;
        entry *grown = swq_resize(ctx, row->entry, (size_t)room, sizeof *grown);
        if (!grown)
            return swq_memory_status(ctx);
        row->entry = grown;
        row->room = room;
    }
    row->entry[row->count++] = (entry){(int32_t)col, 1, value};
    row->place[col] = row->count;
    return SWQ_OK;
}

static int by_column(const void *a, const void *b)
{
    int32_t x = ((const entry *)a)->col, y = ((const entry *)b)->col;
    return (x > y) - (x < y);
}

/* A factor that grows by rows. */
typedef struct {
    int64_t rows, rows_room, entries_room, roundings;
    swq_csr m;
} growing;

/* Append the finished row to the factor and empty the builder. */
static swq_status row_finish(swq_context *ctx, row_builder *row, growing *g, int deepest)
{
    if (g->rows + 2 > g->rows_room) {
        int64_t room = 2 * g->rows_room + 64;
        int64_t *start = swq_resize(ctx, g->m.start, (size_t)room, sizeof *start);
        if (!start)
            return swq_memory_status(ctx);
        g->m.start = start;
        g->rows_room = room;
    }
    int64_t from = g->m.start[g->rows], to = from + row->count;
    if (to > g->entries_room) {
        int64_t room = 2 * g->entries_room + row->count + 64;
        int32_t *col = swq_resize(ctx, g->m.col, (size_t)room, sizeof *col);
        if (!col)
            return swq_memory_status(ctx);
        g->m.col = col;
        double *value = swq_resize(ctx, g->m.value, (size_t)room, sizeof *value);
        if (!value)
            return swq_memory_status(ctx);
        g->m.value = value;
        g->entries_room = room;
    }
    assert(row->entry);
    qsort(row->entry, (size_t)row->count, sizeof *row->entry, by_column);
    for (int64_t e = 0; e < row->count; e++) {
        const entry *from_row = &row->entry[e];
        g->m.col[from + e] = from_row->col;
        g->m.value[from + e] = from_row->value;
        row->place[from_row->col] = 0;
        if (from_row->value < LEAST_PROBABILITY)
            return swq_fail(ctx, SWQ_ERANGE,
                            "a transition has probability %g, too small for honest arithmetic; "
                            "loads or destination probabilities are too small",
                            from_row->value);
        if (THROW_ROUNDINGS * deepest + from_row->met > g->roundings)
            g->roundings = THROW_ROUNDINGS * deepest + from_row->met;
    }
    row->count = 0;
    g->m.start[++g->rows] = to;
    return SWQ_OK;
}

static swq_status make_reward_room(swq_context *ctx, swq_chain *c, int64_t states)
{
    if (states <= c->rewards_room)
        return SWQ_OK;
    int64_t room = 2 * states + 64;
    size_t each = sizeof(double) * (size_t)c->sw.ports;
    double *accepted = swq_resize(ctx, c->accepted, (size_t)room, each);
    if (!accepted)
        return swq_memory_status(ctx);
    c->accepted = accepted;
    double *refused = swq_resize(ctx, c->refused, (size_t)room, each);
    if (!refused)
        return swq_memory_status(ctx);
    c->refused = refused;
    c->rewards_room = room;
    return SWQ_OK;
}

/* The number of a state's orbit; the state is replaced by its representative. `work` is followed by
 * room for two states more. Numbers are 32 bits wide in the factors. */
static swq_status number_of(swq_context *ctx, const swq_chain *c, swq_intern *set, swq_word *work,
                            int64_t *number)
{
    swq_word *state = work;

    swq_symmetry_canonical(&c->symmetry, &c->layout, work, work + c->layout.words);
    *number = swq_intern_number(ctx, set, state);
    if (*number < 0)
        return swq_memory_status(ctx);
    if (*number >= INT32_MAX)
        return swq_fail(ctx, SWQ_ELIMIT, "the chain has more than %d states", INT32_MAX);
    return SWQ_OK;
}

/* Replace what the inputs of a class get by its mean: in an orbit each of them has each share in
 * turn. */
static void share_among_class(const swq_chain *c, double *by_input)
{
    double sum[SWQ_MAX_PORTS] = {0};
    int members[SWQ_MAX_PORTS] = {0};

    for (int i = 0; i < c->sw.ports; i++) {
        sum[c->symmetry.input_class[i]] += by_input[i];
        members[c->symmetry.input_class[i]]++;
    }
    for (int i = 0; i < c->sw.ports; i++)
        by_input[i] = sum[c->symmetry.input_class[i]] / members[c->symmetry.input_class[i]];
}

static swq_status expand_reception(swq_context *ctx, swq_chain *c, int64_t state, row_builder *row,
                                   growing *arrive, swq_dice *dice, swq_word *work)
{
    size_t bytes = sizeof *work * (size_t)c->layout.words;
    swq_reception what;
    swq_status status = make_reward_room(ctx, c, state + 1);
    if (status)
        return status;
    double *accepted = c->accepted + state * c->sw.ports;
    double *refused = c->refused + state * c->sw.ports;
    int64_t outcomes = 0;

    swq_dice_begin_enumeration(dice);
    do {
        int64_t middle;
        memcpy(work, swq_intern_state(&c->states, state), bytes);
        swq_receive(&c->sw, &c->layout, work, dice, &what);
        status = number_of(ctx, c, &c->middles, work, &middle);
        if (!status)
            status = row_add(ctx, row, middle, dice->probability);
        if (status)
            return status;
        for (int i = 0; i < c->sw.ports; i++) {
            accepted[i] += what.accepted[i] ? dice->probability : 0;
            refused[i] += what.refused[i] ? dice->probability : 0;
        }
        outcomes++;
    } while (swq_dice_next(dice));
    share_among_class(c, accepted);
    share_among_class(c, refused);
    /* the two expectations add more terms than any entry, and are then summed over the inputs */
    int64_t roundings = THROW_ROUNDINGS * dice->deepest + outcomes + 2 * c->sw.ports;
    arrive->roundings = roundings > arrive->roundings ? roundings : arrive->roundings;
    return row_finish(ctx, row, arrive, dice->deepest);
}

static swq_status expand_transmission(swq_context *ctx, swq_chain *c, int64_t middle,
                                      row_builder *row, growing *transmit, swq_dice *dice,
                                      swq_word *work)
{
    size_t bytes = sizeof *work * (size_t)c->layout.words;

    swq_dice_begin_enumeration(dice);
    do {
        int64_t state;
        memcpy(work, swq_intern_state(&c->middles, middle), bytes);
        swq_transmit(&c->sw, &c->layout, work, dice);
        swq_status status = number_of(ctx, c, &c->states, work, &state);
        if (!status)
            status = row_add(ctx, row, state, dice->probability);
        if (status)
            return status;
    } while (swq_dice_next(dice));
    return row_finish(ctx, row, transmit, dice->deepest);
}

/* Breadth first: the rows of all known states, then those of all known intermediate states. */
static swq_status explore(swq_context *ctx, swq_chain *c, growing *arrive, growing *transmit)
{
    row_builder to_middle = {0}, to_state = {0};
    swq_dice dice;
    int64_t number;
    swq_word *work = swq_calloc(ctx, (size_t)c->layout.words, 3 * sizeof *work);
    swq_status status = work ? SWQ_OK : swq_memory_status(ctx);

    if (!status)
        status = number_of(ctx, c, &c->states, work, &number); /* all zero: the empty switch */
    while (!status && (arrive->rows < c->states.count || transmit->rows < c->middles.count)) {
        if (swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                              (long long)c->states.count);
        while (!status && arrive->rows < c->states.count) {
            swq_progress(ctx, "generating states", (double)c->states.count, 0);
            status = expand_reception(ctx, c, arrive->rows, &to_middle, arrive, &dice, work);
        }
        while (!status && transmit->rows < c->middles.count)
            status = expand_transmission(ctx, c, transmit->rows, &to_state, transmit, &dice, work);
    }
    swq_free(ctx, work);
    row_clear(ctx, &to_middle);
    row_clear(ctx, &to_state);
    return status;
}

static swq_status check_limit(swq_context *ctx, const swq_chain_size *size)
{
    double limit = (double)swq_context_memory_limit(ctx);
    char needed[40], allowed[40];

    if (limit == 0 || size->bytes <= limit)
        return SWQ_OK;
    swq_bytes_text(limit, allowed, sizeof allowed);
    if (!isfinite(size->bytes))
        return swq_fail(ctx, SWQ_ELIMIT,
                        "the chain may have more than 1e300 states; the memory limit is %s",
                        allowed);
    return swq_fail(
        ctx, SWQ_ELIMIT,
        "the chain may have up to %.3g states and take %s to generate; the memory limit "
        "is %s",
        size->states, swq_bytes_text(size->bytes, needed, sizeof needed), allowed);
}

swq_status swq_chain_generate(swq_context *ctx, const swq_switch *sw, bool reduce,
                              swq_chain **chain)
{
    swq_chain_size size;
    growing arrive = {0}, transmit = {0};
    if (sw->buffer.pool_rule == SWQ_POOL_OLDEST)
        return swq_fail(ctx, SWQ_EINVAL,
                        "pool-rule oldest looks at ages, which a chain's states do not have; use "
                        "room or ports");
    swq_status status = swq_chain_foresee(ctx, sw, reduce, &size);
    if (status)
        return status;
    status = check_limit(ctx, &size);
    if (status)
        return status;
    swq_chain *c = swq_calloc(ctx, 1, sizeof *c);
    if (!c)
        return swq_memory_status(ctx);
    c->sw = *sw;
    swq_layout_init(&c->layout, sw);
    swq_intern_init(&c->states, c->layout.words);
    swq_intern_init(&c->middles, c->layout.words);
    status = swq_symmetry_find(ctx, sw, reduce, &c->symmetry);
    if (!status)
        status = explore(ctx, c, &arrive, &transmit);

    c->arrive = arrive.m;
    c->arrive.rows = c->transmit.cols = arrive.rows;
    c->transmit = transmit.m;
    c->transmit.rows = c->arrive.cols = transmit.rows;
    c->transmit.cols = arrive.rows;
    c->arrive_roundings = arrive.roundings;
    c->transmit_roundings = transmit.roundings;
    if (status) {
        swq_chain_free(ctx, c);
        return status;
    }
    *chain = c;
    return SWQ_OK;
}

void swq_chain_free(swq_context *ctx, swq_chain *c)
{
    if (!c)
        return;
    swq_symmetry_clear(ctx, &c->symmetry);
    swq_intern_clear(ctx, &c->states);
    swq_intern_clear(ctx, &c->middles);
    swq_csr_clear(ctx, &c->arrive);
    swq_csr_clear(ctx, &c->transmit);
    swq_free(ctx, c->accepted);
    swq_free(ctx, c->refused);
    swq_free(ctx, c);
}

const swq_switch *swq_chain_switch(const swq_chain *c)
{
    return &c->sw;
}

int64_t swq_chain_states(const swq_chain *c)
{
    return c->states.count;
}

int64_t swq_chain_intermediates(const swq_chain *c)
{
    return c->middles.count;
}

const swq_csr *swq_chain_arrive(const swq_chain *c)
{
    return &c->arrive;
}

const swq_csr *swq_chain_transmit(const swq_chain *c)
{
    return &c->transmit;
}

int64_t swq_chain_roundings(const swq_chain *c)
{
    return c->arrive_roundings + c->transmit_roundings;
}

const double *swq_chain_accepted(const swq_chain *c)
{
    return c->accepted;
}

const double *swq_chain_refused(const swq_chain *c)
{
    return c->refused;
}

int swq_chain_buffers(const swq_chain *c)
{
    return c->layout.buffers;
}

int swq_chain_occupancy(const swq_chain *c, int64_t state, int b)
{
    return swq_occupancy(&c->layout, swq_intern_state(&c->states, state), b);
}

int swq_chain_held(const swq_chain *c, int64_t state)
{
    int held = 0;

    for (int i = 0; c->layout.held >= 0 && i < c->sw.ports; i++)
        held += swq_intern_state(&c->states, state)[c->layout.held + i] != 0;
    return held;
}

int swq_chain_input_class(const swq_chain *c, int i)
{
    return c->symmetry.input_class[i];
}

int swq_chain_words(const swq_chain *c)
{
    return c->layout.words;
}

char *swq_chain_word_name(const swq_chain *c, int word, char *text, size_t size)
{
    const swq_layout *l = &c->layout;

    if (l->memory >= 0 && word >= l->memory)
        snprintf(text, size, "memory%d", word - l->memory);
    else if (l->held >= 0 && word >= l->held)
        snprintf(text, size, "held%d", word - l->held);
    else if (l->freed >= 0 && word >= l->freed)
        snprintf(text, size, "freed%d_%d", (word - l->freed) / l->queues,
                 (word - l->freed) % l->queues);
    else if (l->head >= 0 && word >= l->head)
        snprintf(text, size, "head%d", word - l->head);
    else
        snprintf(text, size, "len%d_%d", word / l->queues, word % l->queues);
    return text;
}

int swq_chain_word(const swq_chain *c, int64_t state, int word)
{
    return swq_intern_state(&c->states, state)[word];
}

char *swq_chain_state_text(const swq_chain *c, int64_t state, char *text, size_t size)
{
    return swq_state_print(&c->layout, swq_intern_state(&c->states, state), text, size);
}

swq_status swq_chain_matrix(swq_context *ctx, const swq_chain *c, swq_csr *p, int64_t *roundings)
{
    int64_t terms = 0;
    swq_status status = swq_csr_multiply(ctx, &c->arrive, &c->transmit, p, &terms);

    if (!status && roundings)
        *roundings = swq_chain_roundings(c) + terms + 1;
    return status;
}
