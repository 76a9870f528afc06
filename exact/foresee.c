/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Foreseeing the size of a solution. How many of the counted contents are ever reached depends on
 * the arbiter, and the memory per state on how the levels of the chain grow: both are measured on
 * chains of the same switch with fewer slots.
 */
#include "exact/foresee.h"

#include "base/context.h"
#include "base/scratch.h"
#include "solvers/solvers.h"

#include <math.h>
#include <stdio.h>

enum {
    EXAMPLE_STATES = 60000,   /* contents of an example; DAMQ-4 of a 4x4 switch has 50,400 */
    EXAMPLE_BYTES = 25000000, /* most bytes for generating an example */
    MOST_BYTES = 100000000,   /* most bytes for solving an example; a larger chain is no example */
    EXAMPLE_OUTCOMES = 10000000
};

/* A margin for memory that an example does not show: tables that have grown beyond their contents,
 * and further growth of the levels. */
#define MARGIN 1.2

/* This multiple of the bytes foreseen for the generation, plus bytes per state, is far more than
 * enough to solve. */
#define GENERATIONS 2.5
#define STATE_BYTES 200

/* If the bytes foreseen for the generation exceed the limit by this factor, no example helps. */
#define HOPELESS 1000

/* An example, and how the fraction of contents that are reached grows with their number. */
typedef struct {
    double contents, states, bytes, filed, power;
} example;

static swq_foreseen grown(const example *e, double contents)
{
    const double times = contents / e->contents;
    const double states = fmin(contents, e->states * pow(times, 1 + e->power));
    const double each = MARGIN * states / e->states;

    return (swq_foreseen){states, each * e->bytes, each * e->filed};
}

/* The limits of an example. */
typedef struct {
    double contents, bytes;
} most_example;

static bool is_small(const swq_chain_size *size, const void *arg)
{
    const most_example *most = arg;

    return size->states <= most->contents && size->bytes <= most->bytes &&
           (size->in_turns || size->outcomes <= EXAMPLE_OUTCOMES);
}

/* Solve the largest chain of the switch that is small enough, in a context of its own, which counts
 * the memory. e->states is 0 if there is none. */
static swq_status try_example(swq_context *ctx, const swq_switch *sw,
                              const swq_exact_options *options, swq_solve_fn *solve,
                              const most_example *most, example *e)
{
    const int slots = swq_chain_most_slots(ctx, sw, options->reduce, is_small, most);
    swq_context *own = slots > 0 ? swq_context_new() : NULL;
    swq_answers answers = {0};
    swq_chain_size size;

    *e = (example){0};
    if (slots == 0)
        return SWQ_OK;
    if (!own)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for a context");
    const swq_switch smaller = swq_chain_resized(sw, slots);
    swq_exact_options how = *options;
    how.solver = how.solver->chooses ? &swq_solver_aggregation : how.solver;
    swq_context_serve(own, ctx);
    swq_context_limit_memory(own, MOST_BYTES);
    swq_status status = SWQ_OK;
    if (swq_scratch_used(ctx))
        status = swq_context_use_scratch(own, swq_context_scratch(ctx)->directory);
    if (!status)
        status = swq_chain_foresee(own, &smaller, options->reduce, &size);
    if (!status)
        status = solve(own, &smaller, &how, &answers);
    if (!status || status == SWQ_ECONVERGE)
        *e = (example){.contents = size.states,
                       .states = (double)answers.states,
                       .bytes = (double)swq_context_peak_bytes(own),
                       .filed = swq_context_scratch(own)->most};
    swq_answers_clear(own, &answers);
    swq_context_free(own);
    return swq_context_cancelled(ctx) ? swq_fail(ctx, SWQ_ECANCELLED, "cancelled") : SWQ_OK;
}

/* Find two examples; the smaller one only shows how the fraction of contents reached grows. */
static swq_status find_example(swq_context *ctx, const swq_switch *sw,
                               const swq_exact_options *options, swq_solve_fn *solve, example *e)
{
    const double limit = (double)swq_context_memory_limit(ctx);
    most_example most = {EXAMPLE_STATES, limit > 0 ? fmin(limit, EXAMPLE_BYTES) : EXAMPLE_BYTES};
    example smaller;

    swq_status status = try_example(ctx, sw, options, solve, &most, e);
    if (status || e->states == 0)
        return status;
    most.contents = e->contents / 2;
    status = try_example(ctx, sw, options, solve, &most, &smaller);
    if (!status && smaller.states > 0)
        e->power = fmax(0, log(e->states / e->contents * smaller.contents / smaller.states) /
                               log(e->contents / smaller.contents));
    return status;
}

/* Is the memory proportional to the states, and are the contents counted exactly? For a buffer per
 * input with more ports than rows allow, the count is only a lower bound. */
static bool in_proportion(const swq_switch *sw, const swq_exact_options *options)
{
    return (options->solver->chooses || options->solver->iterate) &&
           (sw->ports <= SWQ_ROW_PORTS || sw->buffer.scope == SWQ_POOL);
}

swq_status swq_exact_foresee(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, swq_solve_fn *solve,
                             swq_foreseen *foreseen)
{
    swq_chain_size size;
    example e = {0};
    swq_status status = swq_chain_foresee(ctx, sw, options->reduce, &size);

    *foreseen = (swq_foreseen){0};
    if (!status && in_proportion(sw, options))
        status = find_example(ctx, sw, options, solve, &e);
    if (!status && e.states > 0)
        *foreseen = grown(&e, size.states);
    return status;
}

/* The question whether a number of slots would fit. */
typedef struct {
    const example *e;
    double limit, disk;
} fitting;

static bool fits(const swq_chain_size *size, const void *arg)
{
    const fitting *f = arg;

    const swq_foreseen need = grown(f->e, size->states);

    return need.bytes <= f->limit && need.filed <= f->disk;
}

static swq_status refuse(swq_context *ctx, const swq_switch *sw, const swq_exact_options *options,
                         const fitting *f, double contents)
{
    const swq_foreseen need = grown(f->e, contents);
    const int slots = swq_chain_most_slots(ctx, sw, options->reduce, fits, f);
    char needed[40], allowed[40], fewer[80] = "no fewer slots would fit";

    if (slots > 0)
        snprintf(fewer, sizeof fewer, "%d slot%s per input port would fit", slots,
                 slots == 1 ? "" : "s");
    const bool disk = need.bytes <= f->limit;
    swq_bytes_text(disk ? need.filed : need.bytes, needed, sizeof needed);
    swq_bytes_text(disk ? f->disk : f->limit, allowed, sizeof allowed);
    if (disk)
        return swq_fail(
            ctx, SWQ_ELIMIT,
            "the factors of the chain take about %s in '%.200s', where %s are free (%s)", needed,
            swq_context_scratch(ctx)->directory, allowed, fewer);
    return swq_fail(ctx, SWQ_ELIMIT,
                    "the chain may have some %.3g states and takes about %s to solve; the memory "
                    "limit is %s (%s)",
                    need.states, needed, allowed, fewer);
}

swq_status swq_exact_check_room(swq_context *ctx, const swq_switch *sw,
                                const swq_exact_options *options, swq_solve_fn *solve)
{
    const double limit = (double)swq_context_memory_limit(ctx);
    swq_chain_size size;
    example e = {0};

    if (limit == 0)
        return SWQ_OK;
    swq_status status = swq_chain_foresee(ctx, sw, options->reduce, &size);
    if (status ||
        GENERATIONS * size.bytes + STATE_BYTES * size.states <= fmin(limit, swq_scratch_room(ctx)))
        return status;
    if (in_proportion(sw, options) && size.states > EXAMPLE_STATES && size.bytes < HOPELESS * limit)
        status = find_example(ctx, sw, options, solve, &e);
    if (status)
        return status;
    if (e.states == 0)
        return swq_chain_check_room(ctx, sw, options->reduce);
    const fitting f = {&e, limit, swq_scratch_room(ctx)};
    return fits(&size, &f) ? SWQ_OK : refuse(ctx, sw, options, &f, size.states);
}
