/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breadth first from the empty switch. The rules are those of models/cycle.h; the rational
 * probability of an outcome is derived from the throws that the dice have recorded. Then the chain
 * is restricted to its closed class.
 */
#include "exact/rational_chain.h"

#include "base/context.h"
#include "exact/closed_class.h"
#include "exact/gathering.h"
#include "exact/orbits.h"
#include "models/chain_parts.h"
#include "models/cycle.h"
#include "models/reception.h"
#include "switchq/chain.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    swq_context *ctx;
    const swq_rational_spec *spec;
    swq_layout layout;
    swq_renamings renamings;
    swq_orbits states, middles;
    swq_integer_rows transmit, p;
    swq_integers accepted, refused;
    int input_class[SWQ_CHAIN_PORTS];
    swq_gathering row;
    mpq_t sum[2][SWQ_CHAIN_PORTS]; /* accepted and refused in the row under construction */
    mpq_t chance;
    mpz_t factor, part;
    swq_word *work;
    swq_dice dice;
} rational_walk;

void swq_rational_spec_init(swq_rational_spec *spec, const swq_switch *sw)
{
    spec->sw = *sw;
    for (int i = 0; i < sw->ports; i++) {
        mpq_inits(spec->load[i], spec->create[i][0], spec->create[i][1], NULL);
        for (int j = 0; j < sw->ports; j++)
            mpq_init(spec->dest[i][j]);
    }
    mpq_inits(spec->burst, spec->burst_ends[0], spec->burst_ends[1], NULL);
    mpq_set_ui(spec->burst, 1, 1);
}

void swq_rational_spec_clear(swq_rational_spec *spec)
{
    for (int i = 0; i < spec->sw.ports; i++) {
        mpq_clears(spec->load[i], spec->create[i][0], spec->create[i][1], NULL);
        for (int j = 0; j < spec->sw.ports; j++)
            mpq_clear(spec->dest[i][j]);
    }
    mpq_clears(spec->burst, spec->burst_ends[0], spec->burst_ends[1], NULL);
}

/* 0, 1, or one half for a value between. */
static double mark(const mpq_t value)
{
    return mpq_sgn(value) == 0 ? 0 : mpq_cmp_ui(value, 1, 1) == 0 ? 1 : 0.5;
}

void swq_rational_spec_mark(swq_rational_spec *spec)
{
    for (int i = 0; i < spec->sw.ports; i++) {
        /* the probability that a burst begins: load / (load + B (1 - load)) */
        mpq_t *idle = &spec->create[i][0], *begin = &spec->create[i][1];
        mpq_set_ui(*idle, 1, 1);
        mpq_sub(*idle, *idle, spec->load[i]);
        mpq_mul(*idle, *idle, spec->burst);
        mpq_add(*begin, spec->load[i], *idle);
        mpq_div(*idle, *idle, *begin);
        mpq_div(*begin, spec->load[i], *begin);
        spec->sw.load[i] = mark(spec->load[i]);
        for (int j = 0; j < spec->sw.ports; j++)
            spec->sw.dest[i][j] = mark(spec->dest[i][j]);
    }
    mpq_inv(spec->burst_ends[1], spec->burst);
    mpq_set_ui(spec->burst_ends[0], 1, 1);
    mpq_sub(spec->burst_ends[0], spec->burst_ends[0], spec->burst_ends[1]);
    spec->sw.burst = mpq_cmp_ui(spec->burst, 1, 1) > 0 ? 2 : 1;
}

/* The rational probability of a loaded throw's face, or NULL. */
static const mpq_t *meaning(const rational_walk *w, const double *weight, int face)
{
    for (int i = 0; i < w->layout.ports; i++) {
        if (weight == w->layout.create[i])
            return &w->spec->create[i][face];
        if (weight == w->spec->sw.dest[i])
            return &w->spec->dest[i][face];
    }
    return weight == w->layout.burst_ends ? &w->spec->burst_ends[face] : NULL;
}

/* The probability of the current outcome. */
static swq_status weigh(rational_walk *w)
{
    mpz_t *above = &w->factor, *below = &w->part;

    mpz_set_ui(*above, 1);
    mpz_set_ui(*below, 1);
    for (int t = 0; t < w->dice.throws; t++) {
        const double *weight = w->dice.stack[t].weight;
        if (!weight) {
            mpz_mul_ui(*below, *below, (unsigned long)w->dice.stack[t].faces);
            continue;
        }
        const mpq_t *value = meaning(w, weight, w->dice.stack[t].face);
        if (!value)
            return swq_fail(w->ctx, SWQ_EINVAL,
                            "arbiter %s throws loaded dice of its own, whose weights are not known "
                            "as rationals",
                            w->spec->sw.arbiter->name);
        mpz_mul(*above, *above, mpq_numref(*value));
        mpz_mul(*below, *below, mpq_denref(*value));
    }
    mpz_set(mpq_numref(w->chance), *above);
    mpz_set(mpq_denref(w->chance), *below);
    mpq_canonicalize(w->chance);
    return SWQ_OK;
}

/* w->factor = the least common denominator of the gathered row. */
static void find_common_denominator(rational_walk *w)
{
    mpz_set_ui(w->factor, 1);
    for (int64_t k = 0; k < w->row.count; k++)
        mpz_lcm(w->factor, w->factor, mpq_denref(w->row.value[k]));
}

/* w->part = value * w->factor, a whole number. */
static void scale(rational_walk *w, const mpq_t value)
{
    mpz_divexact(w->part, w->factor, mpq_denref(value));
    mpz_mul(w->part, w->part, mpq_numref(value));
}

/* Append the gathered row, over the denominator w->factor, to a matrix. */
static swq_status append_row(rational_walk *w, swq_integer_rows *m)
{
    swq_status status = SWQ_OK;

    for (int64_t k = 0; !status && k < w->row.count; k++) {
        scale(w, w->row.value[k]);
        status = swq_integer_rows_entry(w->ctx, m, w->row.col[k], w->part);
    }
    swq_gathering_empty(&w->row);
    return status ? status : swq_integer_rows_finish(w->ctx, m, w->factor);
}

static swq_status expand_transmission(rational_walk *w, int64_t middle)
{
    size_t bytes = sizeof *w->work * (size_t)w->layout.words;
    swq_status status = SWQ_OK;
    int32_t state;

    swq_dice_begin_enumeration(&w->dice);
    do {
        memcpy(w->work, swq_orbits_state(&w->middles, middle), bytes);
        swq_transmit(&w->spec->sw, &w->layout, w->work, &w->dice);
        status = weigh(w);
        if (!status)
            status = swq_orbits_number(w->ctx, &w->states, w->work, &state);
        if (!status)
            status = swq_gathering_add(w->ctx, &w->row, state, w->chance);
    } while (!status && swq_dice_next(&w->dice));
    if (status)
        return status;
    find_common_denominator(w);
    return append_row(w, &w->transmit);
}

/* Gather a state's row from the rows of the intermediate states to which its receptions lead. */
static swq_status combine(rational_walk *w, const int32_t *middle, mpq_t *chance, int64_t count)
{
    swq_status status = SWQ_OK;
    mpq_t part;

    mpq_init(part);
    for (int64_t k = 0; !status && k < count; k++) {
        const mpz_t *below = &w->transmit.denominator.at[middle[k]];
        for (int64_t e = w->transmit.start[middle[k]];
             !status && e < w->transmit.start[middle[k] + 1]; e++) {
            mpz_mul(mpq_numref(part), mpq_numref(chance[k]), w->transmit.value.at[e]);
            mpz_mul(mpq_denref(part), mpq_denref(chance[k]), *below);
            mpq_canonicalize(part);
            status = swq_gathering_add(w->ctx, &w->row, w->transmit.col[e], part);
        }
    }
    mpq_clear(part);
    return status;
}

/* The row of a state, with the expected packets accepted and refused, over one denominator. */
static swq_status finish_state(rational_walk *w)
{
    swq_status status = SWQ_OK;

    find_common_denominator(w);
    for (int i = 0; i < w->layout.ports; i++) {
        mpz_lcm(w->factor, w->factor, mpq_denref(w->sum[0][i]));
        mpz_lcm(w->factor, w->factor, mpq_denref(w->sum[1][i]));
    }
    for (int i = 0; !status && i < w->layout.ports; i++) {
        scale(w, w->sum[0][i]);
        status = swq_integers_append(w->ctx, &w->accepted, w->part);
        scale(w, w->sum[1][i]);
        if (!status)
            status = swq_integers_append(w->ctx, &w->refused, w->part);
    }
    return status ? status : append_row(w, &w->p);
}

/* Gather all receptions from a state in w->row, by intermediate state. */
static swq_status expand_reception(rational_walk *w, int64_t state)
{
    size_t bytes = sizeof *w->work * (size_t)w->layout.words;
    swq_status status = SWQ_OK;
    swq_reception what;
    int32_t middle;

    for (int i = 0; i < w->layout.ports; i++) {
        mpq_set_ui(w->sum[0][i], 0, 1);
        mpq_set_ui(w->sum[1][i], 0, 1);
    }
    swq_dice_begin_enumeration(&w->dice);
    do {
        memcpy(w->work, swq_orbits_state(&w->states, state), bytes);
        swq_receive(&w->spec->sw, &w->layout, w->work, &w->dice, &what);
        status = weigh(w);
        if (!status)
            status = swq_orbits_number(w->ctx, &w->middles, w->work, &middle);
        if (!status)
            status = swq_gathering_add(w->ctx, &w->row, middle, w->chance);
        for (int i = 0; !status && i < w->layout.ports; i++) {
            int c = w->input_class[i];
            if (what.accepted[i])
                mpq_add(w->sum[0][c], w->sum[0][c], w->chance);
            if (what.refused[i])
                mpq_add(w->sum[1][c], w->sum[1][c], w->chance);
        }
    } while (!status && swq_dice_next(&w->dice));
    return status;
}

static swq_status expand_state(rational_walk *w, int64_t state)
{
    swq_status status = expand_reception(w, state);
    int64_t count = w->row.count;
    int32_t *middle = status ? NULL : swq_calloc(w->ctx, (size_t)count, sizeof *middle);
    mpq_t *chance = middle ? swq_calloc(w->ctx, (size_t)count, sizeof *chance) : NULL;
    if (!status && !chance)
        status = swq_memory_status(w->ctx);
    for (int64_t k = 0; chance && k < count; k++) {
        middle[k] = w->row.col[k];
        mpq_init(chance[k]);
        mpq_set(chance[k], w->row.value[k]);
    }
    swq_gathering_empty(&w->row);
    while (!status && w->transmit.rows < w->middles.kept.count)
        status = expand_transmission(w, w->transmit.rows);
    if (!status)
        status = combine(w, middle, chance, count);
    if (!status)
        status = finish_state(w);
    for (int64_t k = 0; chance && k < count; k++)
        mpq_clear(chance[k]);
    swq_free(w->ctx, middle);
    swq_free(w->ctx, chance);
    return status;
}

static bool few_enough(const swq_chain_size *size, const void *arg)
{
    (void)arg;
    return size->states <= SWQ_RATIONAL_STATES;
}

/* Refuse a chain that is far too large before generating it, and one that turned out to be too
 * large. The foreseen size is an upper bound, so that a chain a little above the limit is tried. */
static swq_status check_size(const rational_walk *w)
{
    enum { HOPELESS = 20 };
    bool met = w->states.kept.count > SWQ_RATIONAL_STATES;
    swq_switch sw = w->spec->sw;
    swq_chain_size size;
    int whole = 1;
    char fits[100] = "fewer ports are needed";

    for (int i = 2; i <= sw.ports && i <= SWQ_ORBITS_PORTS; i++)
        whole *= i * i;
    /* the foreseen size is reduced only if the switch has the symmetry of uniform traffic */
    bool reduce = w->renamings.count == whole;
    for (int i = 0; i < sw.ports; i++)
        sw.load[i] = 0.5;
    swq_traffic_uniform(&sw);
    swq_status status = swq_chain_foresee(w->ctx, &sw, reduce, &size);
    if (status)
        return status;
    double orbit = reduce || w->renamings.count == 0 ? 1 : w->renamings.count;
    if (!met && size.states / orbit <= (double)HOPELESS * SWQ_RATIONAL_STATES)
        return SWQ_OK;
    int slots = swq_chain_most_slots(w->ctx, &sw, reduce, few_enough, NULL);
    if (slots > 0)
        snprintf(fits, sizeof fits, "%d slot%s per input port would fit", slots,
                 slots == 1 ? "" : "s");
    return swq_fail(w->ctx, SWQ_ELIMIT,
                    "exact rationals are for chains of at most %d states; this one has %s %.6g; %s",
                    SWQ_RATIONAL_STATES, met ? "more, up to" : "up to", size.states, fits);
}

static swq_status explore(rational_walk *w)
{
    swq_status status = check_size(w);
    int32_t number;

    if (!status) /* the empty switch is all zero */
        status = swq_orbits_number(w->ctx, &w->states, w->work, &number);
    while (!status && w->p.rows < w->states.kept.count) {
        status = expand_state(w, w->p.rows);
        swq_progress(w->ctx, "generating states", (double)w->states.kept.count, 0);
        if (!status && swq_context_cancelled(w->ctx))
            status = swq_fail(w->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                              (long long)w->p.rows);
        if (!status && w->states.kept.count > SWQ_RATIONAL_STATES)
            status = check_size(w);
    }
    return status;
}

/* Copy the states of the closed class; number[s] is the new number of state s, or -1. */
static swq_status keep_class(const rational_walk *w, const int32_t *number, int64_t states,
                             swq_rational_chain *chain)
{
    const swq_layout *l = &w->layout;
    swq_status status = SWQ_OK;

    chain->packets = swq_calloc(w->ctx, (size_t)states, sizeof *chain->packets);
    if (chain->packets)
        chain->held = swq_calloc(w->ctx, (size_t)states, sizeof *chain->held);
    if (!chain->held)
        return swq_memory_status(w->ctx);
    for (int64_t s = 0; !status && s < w->p.rows; s++) {
        const swq_word *state = swq_orbits_state(&w->states, s);
        if (number[s] < 0)
            continue;
        assert(chain->packets);
        for (int b = 0; b < l->buffers; b++)
            chain->packets[number[s]] += swq_occupancy(l, state, b);
        chain->packets[number[s]] += swq_behind(l, state);
        for (int i = 0; l->held >= 0 && !l->bursts && i < l->ports; i++)
            chain->held[number[s]] += state[l->held + i] != 0;
        for (int64_t k = s * l->ports; !status && k < (s + 1) * l->ports; k++) {
            status = swq_integers_append(w->ctx, &chain->accepted, w->accepted.at[k]);
            if (!status)
                status = swq_integers_append(w->ctx, &chain->refused, w->refused.at[k]);
        }
        for (int64_t e = w->p.start[s]; !status && e < w->p.start[s + 1]; e++)
            status =
                swq_integer_rows_entry(w->ctx, &chain->p, number[w->p.col[e]], w->p.value.at[e]);
        if (!status)
            status = swq_integer_rows_finish(w->ctx, &chain->p, w->p.denominator.at[s]);
    }
    return status;
}

static swq_status restrict_to_class(const rational_walk *w, swq_rational_chain *chain)
{
    int32_t *number = swq_calloc(w->ctx, (size_t)w->p.rows, sizeof *number);
    int64_t states = 0, classes = 0;
    swq_status status = number ? SWQ_OK : swq_memory_status(w->ctx);

    if (!status)
        status = swq_closed_classes(w->ctx, &w->p, number, &states, &classes);
    if (!status && classes > 1)
        status = swq_fail(w->ctx, SWQ_EREDUCIBLE,
                          "the chain is reducible: %lld closed classes of states, so its long run "
                          "depends on chance and there is no single stationary distribution",
                          (long long)classes);
    if (!status)
        status = keep_class(w, number, states, chain);
    swq_free(w->ctx, number);
    if (status) {
        swq_rational_chain_clear(w->ctx, chain);
        return status;
    }
    chain->transient = w->p.rows - states;
    memcpy(chain->input_class, w->input_class, sizeof chain->input_class);
    return SWQ_OK;
}

static void walk_begin(rational_walk *w)
{
    mpq_init(w->chance);
    mpz_inits(w->factor, w->part, NULL);
    for (int i = 0; i < w->layout.ports; i++)
        mpq_inits(w->sum[0][i], w->sum[1][i], NULL);
}

static void walk_end(rational_walk *w)
{
    mpq_clear(w->chance);
    mpz_clears(w->factor, w->part, NULL);
    for (int i = 0; i < w->layout.ports; i++)
        mpq_clears(w->sum[0][i], w->sum[1][i], NULL);
    swq_gathering_clear(w->ctx, &w->row);
    swq_orbits_clear(w->ctx, &w->states);
    swq_orbits_clear(w->ctx, &w->middles);
    swq_integer_rows_clear(w->ctx, &w->transmit);
    swq_integer_rows_clear(w->ctx, &w->p);
    swq_integers_clear(w->ctx, &w->accepted);
    swq_integers_clear(w->ctx, &w->refused);
    swq_free(w->ctx, w->renamings.one);
    swq_free(w->ctx, w->work);
    swq_free(w->ctx, w);
}

swq_status swq_rational_chain_walk(swq_context *ctx, const swq_rational_spec *spec, bool reduce,
                                   swq_rational_chain *chain)
{
    rational_walk *w = swq_calloc(ctx, 1, sizeof *w); /* the dice are too large for the stack */
    if (!w)
        return swq_memory_status(ctx);
    w->ctx = ctx;
    w->spec = spec;
    swq_layout_init(&w->layout, &spec->sw);
    walk_begin(w);
    *chain = (swq_rational_chain){0};
    swq_status status =
        swq_renamings_find(ctx, spec, &w->layout, reduce, &w->renamings, w->input_class);
    if (!status)
        status = swq_orbits_init(ctx, &w->states, &w->layout, &w->renamings);
    if (!status)
        status = swq_orbits_init(ctx, &w->middles, &w->layout, &w->renamings);
    if (!status) {
        w->work = swq_calloc(ctx, (size_t)w->layout.words, sizeof *w->work);
        status = w->work ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status)
        status = explore(w);
    if (!status)
        status = restrict_to_class(w, chain);
    walk_end(w);
    return status;
}

void swq_rational_chain_clear(swq_context *ctx, swq_rational_chain *chain)
{
    swq_integer_rows_clear(ctx, &chain->p);
    swq_integers_clear(ctx, &chain->accepted);
    swq_integers_clear(ctx, &chain->refused);
    swq_free(ctx, chain->packets);
    swq_free(ctx, chain->held);
    *chain = (swq_rational_chain){0};
}
