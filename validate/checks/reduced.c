/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two ways to the same chain: with the symmetry of the switch and without it; by rows and factors,
 * and by whole switches. This checks an arbiter's row: the symmetry that it states, and that its
 * steps make up the whole arbitration.
 */
#include "base/context.h"
#include "switchq/exact.h"
#include "validate/checks/cases.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"

#include <math.h>
#include <stdio.h>

static const double tolerance = 1e-9;

/* The lengths of the lists have no factor in common with the strides. */
static const swq_case_block grid[] = {
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_ALL_ARBITERS, SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.5, 0.9), SWQ_ALL_MODES, 7, .full = 1),
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_ALL_BUT_ISLIP, SWQ_NUMBERS(3), SWQ_NUMBERS(1), SWQ_LOADS(0.8),
              SWQ_DISCARD_SAME | SWQ_DISCARD_NEXT, 1, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq", "dafc"),
              SWQ_WORDS("random", "longest", "maximum-longest", "max-weight", "pim", "rotating"),
              SWQ_NUMBERS(3), SWQ_NUMBERS(2), SWQ_LOADS(0.6, 0.9), SWQ_DISCARD_SAME, 5, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq", "dafc"), SWQ_WORDS("random", "longest", "maximum", "pim"),
              SWQ_NUMBERS(3), SWQ_NUMBERS(1), SWQ_LOADS(0.8), SWQ_BLOCK_SAME | SWQ_BLOCK_NEXT, 0,
              .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq", "dafc"),
              SWQ_WORDS("random", "random-outputs", "maximum", "longest", "pim"), SWQ_NUMBERS(4),
              SWQ_NUMBERS(1), SWQ_LOADS(0.9), SWQ_DISCARD_SAME, 0, .full = 1),
    /* only some ports are symmetric */
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_WORDS("random", "longest", "maximum", "rotating", "pim"),
              SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1), SWQ_LOADS(0.9), SWQ_DISCARD_SAME, 3, .full = 1,
              .traffic = SWQ_CASE_HOT),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq"), SWQ_WORDS("random", "longest", "maximum"),
              SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1), SWQ_LOADS(0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT,
              5, .full = 1, .traffic = SWQ_CASE_UNEQUAL),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.6, 0.9), SWQ_DISCARD_SAME | SWQ_DISCARD_NEXT | SWQ_BLOCK_NEXT, 5,
              .full = 1),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.6, 0.9), SWQ_DISCARD_SAME, 3, .full = 1, .rule = &swq_pool_ports),
    SWQ_BLOCK(SWQ_WORDS("damq", "dafc"), SWQ_WORDS("random", "longest"), SWQ_NUMBERS(2),
              SWQ_NUMBERS(3), SWQ_LOADS(0.7, 0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 5, .full = 1,
              .least = 1, .most = 2, .alpha = 1),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2), SWQ_NUMBERS(3),
              SWQ_LOADS(0.7, 0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 3, .full = 1, .least = 1,
              .most = 2, .alpha = 1),
    {0},
};

static int count(swq_effort effort)
{
    return swq_grid_count(grid, effort);
}

/* ---- reduced against unreduced ---- */

static void describe_reduced(swq_effort effort, int k, swq_check *check)
{
    swq_case c;
    char text[128];

    swq_grid_case(grid, effort, k, &c);
    snprintf(check->name, sizeof check->name, "reduced-unreduced/%s",
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s: the same with and without symmetry",
             swq_case_words(&c, text, sizeof text));
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.003 * pow(4, c.ports + (double)c.slots / c.ports - 2);
}

static swq_status run_reduced(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                              swq_finding *f)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers with = {0}, without = {0};
    swq_case c;
    swq_switch sw;

    (void)seed;
    swq_grid_case(grid, effort, k, &c);
    swq_status status = swq_case_switch(ctx, &c, &sw);
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &with);
    options.reduce = false;
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &without);
    if (!status) {
        /* the switch is blocked for good in one of two ways; the symmetry exchanges these, and the
         * reduction merges them */
        if (isnan(without.saturation.value))
            with.saturation = without.saturation;
        swq_compare_answers(f, &with, &without, sw.ports);
        swq_judge(f, tolerance);
    }
    swq_answers_clear(ctx, &with);
    swq_answers_clear(ctx, &without);
    return swq_skip_reducible(status, f);
}

const swq_family swq_family_reduced = {
    .name = "reduced-unreduced",
    .title = "Chains reduced by the symmetry of the switch against full chains",
    .legs = "exact chain of orbits; exact chain of all states",
    .criterion = "throughput, losses, delay and occupancies, also by input and output, differ "
                 "by at most 1e-9 of their value; both are proven to 1e-10 or better; so does "
                 "the saturation throughput, if both have one",
    .count = count,
    .describe = describe_reduced,
    .run = run_reduced,
};

/* ---- by factors against by whole switches ---- */

static void describe_factors(swq_effort effort, int k, swq_check *check)
{
    swq_case c;
    char text[128];

    swq_grid_case(grid, effort, k, &c);
    snprintf(check->name, sizeof check->name, "factors-whole/%s",
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim,
             "%s: the same by rows and factors as by whole switches",
             swq_case_words(&c, text, sizeof text));
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.002 * pow(4, c.ports + (double)c.slots / c.ports - 2);
}

enum { ACCEPTED, REFUSED, PACKETS, HELD, REWARDS };

typedef swq_status generate_fn(swq_context *, const swq_switch *, bool, swq_chain **);

/* Means per cycle of packets admitted and refused at all inputs, and of the contents of buffers and
 * sources. */
static swq_status means_of(swq_context *ctx, generate_fn *generate, const swq_switch *sw,
                           double mean[REWARDS], int64_t *states)
{
    swq_solver_options how = swq_solver_options_defaults();
    swq_chain *chain = NULL;
    swq_solution solution = {0};
    const double *reward[REWARDS] = {NULL};
    swq_status status = generate(ctx, sw, true, &chain);

    if (status)
        return status;
    const int64_t n = *states = swq_chain_states(chain);
    double *all = swq_calloc(ctx, (size_t)n, REWARDS * sizeof *all);
    if (!all)
        status = swq_memory_status(ctx);
    for (int64_t s = 0; s < n && !status; s++) {
        for (int i = 0; i < sw->ports; i++) {
            all[ACCEPTED * n + s] += swq_chain_accepted(chain)[s * sw->ports + i];
            all[REFUSED * n + s] += swq_chain_refused(chain)[s * sw->ports + i];
        }
        for (int b = 0; b < swq_chain_buffers(chain); b++)
            all[PACKETS * n + s] += swq_chain_occupancy(chain, s, b);
        all[HELD * n + s] = swq_chain_held(chain, s);
    }
    for (int r = 0; r < REWARDS; r++)
        reward[r] = all + r * n;
    how.enclosure = 1e-11;
    swq_product p = swq_chain_product(chain);
    if (!status)
        status = swq_solve_product(ctx, &p, NULL, swq_solvers[0], &how, reward, REWARDS, &solution);
    for (int r = 0; r < REWARDS && !status; r++)
        mean[r] = solution.mean[r].value;
    swq_solution_clear(ctx, &solution);
    swq_free(ctx, all);
    swq_chain_free(ctx, chain);
    return status;
}

static swq_status run_factors(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                              swq_finding *f)
{
    static const char *const names[REWARDS] = {"accepted per cycle", "refused per cycle",
                                               "packets in buffers", "packets at sources"};
    double factors[REWARDS], whole[REWARDS];
    int64_t states[2];
    swq_case c;
    swq_switch sw;

    (void)seed;
    swq_grid_case(grid, effort, k, &c);
    swq_status status = swq_case_switch(ctx, &c, &sw);
    if (!status)
        status = means_of(ctx, swq_chain_generate, &sw, factors, &states[0]);
    if (!status)
        status = means_of(ctx, swq_chain_generate_whole, &sw, whole, &states[1]);
    if (status)
        return swq_skip_reducible(status, f);
    for (int r = 0; r < REWARDS; r++)
        swq_compare(f, names[r], factors[r], whole[r]);
    swq_compare(f, "number of states", (double)states[0], (double)states[1]);
    swq_judge(f, tolerance);
    return SWQ_OK;
}

const swq_family swq_family_factors = {
    .name = "factors-whole",
    .title = "Chains generated row by row against whole switches",
    .legs = "product of factors, arbiters in steps; the rules run on whole switches",
    .criterion = "the numbers of states are equal, and the packets accepted, refused and "
                 "waiting in a cycle differ by at most 1e-9 of their value",
    .count = count,
    .describe = describe_factors,
    .run = run_factors,
};
