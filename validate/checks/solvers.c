/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The methods of solvers/ against one another on the same chains, each with the bounds that it
 * proves; and against fractions.
 */
#include "base/context.h"
#include "switchq/rational.h"
#include "validate/checks/cases.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double tolerance = 1e-9, to_fractions = 1e-12;

static const swq_case_block grid[] = {
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_WORDS("random", "maximum-longest", "rotating"), SWQ_NUMBERS(2),
              SWQ_NUMBERS(2, 3), SWQ_LOADS(0.5, 0.875), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 7,
              .full = 1),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(2),
              SWQ_LOADS(0.75), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 3, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq"), SWQ_WORDS("random", "pim"), SWQ_NUMBERS(3),
              SWQ_NUMBERS(1, 2), SWQ_LOADS(0.75), SWQ_DISCARD_SAME, 5, .full = 1),
    {0},
};

/* ---- methods ---- */

/* The number of methods, without the first method of the table, which only chooses one of the
 * others, and the second, with which the others are compared. */
static int methods(void)
{
    int n = 1;

    while (swq_solvers[2 + n])
        n++;
    return n;
}

static int count_methods(swq_effort effort)
{
    return methods() * swq_grid_count(grid, effort);
}

static const swq_solver *method_of(swq_effort effort, int k, swq_case *c)
{
    swq_grid_case(grid, effort, k / methods(), c);
    return swq_solvers[2 + k % methods()];
}

static void describe_methods(swq_effort effort, int k, swq_check *check)
{
    swq_case c;
    const swq_solver *solver = method_of(effort, k, &c);
    char text[128];

    snprintf(check->name, sizeof check->name, "solver-solver/solver=%s,%s", solver->name,
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s solves %s as %s does", solver->name,
             swq_case_words(&c, text, sizeof text), swq_solvers[1]->name);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.005;
}

/* The distance between two intervals that are each proven to contain the same number, relative to
 * that number; 0 if they meet. */
static double gap(const swq_mean *a, const swq_mean *b)
{
    double apart = fmax(a->lower - b->upper, b->lower - a->upper);

    return apart > 0 ? apart / fmax(a->value, b->value) : 0;
}

static swq_status run_methods(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                              swq_finding *f)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a = {0}, b = {0};
    swq_case c;
    swq_switch sw;
    const swq_solver *solver = method_of(effort, k, &c);

    (void)seed;
    swq_status status = swq_case_switch(ctx, &c, &sw);
    options.solver = swq_solvers[1];
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &a);
    options.solver = solver;
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &b);
    if (status == SWQ_EPERIODIC) {
        f->outcome = SWQ_OUTCOME_SKIPPED;
        snprintf(f->text, sizeof f->text, "%s", swq_context_message(ctx));
        status = SWQ_OK;
    } else if (!status) {
        swq_compare_answers(f, &a, &b, sw.ports);
        swq_judge(f, tolerance);
        if (gap(&a.throughput, &b.throughput) > 0 || gap(&a.discard, &b.discard) > 0) {
            f->outcome = SWQ_OUTCOME_FAIL;
            snprintf(f->text, sizeof f->text, "the proven intervals do not overlap");
        }
    }
    swq_answers_clear(ctx, &a);
    swq_answers_clear(ctx, &b);
    return swq_skip_reducible(status, f);
}

const swq_family swq_family_solvers = {
    .name = "solver-solver",
    .title = "Every method of solution against gth, on the same chains",
    .legs = "gth (elimination without subtraction); each other method",
    .criterion = "throughput, losses, delay and occupancies differ by at most 1e-9 of their "
                 "value, and the proven intervals overlap",
    .count = count_methods,
    .describe = describe_methods,
    .run = run_methods,
};

/* ---- fractions ---- */

static const swq_case_block small[] = {
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_ALL_BUT_ISLIP, SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.5, 0.75), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 7, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.75, 0.875), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 3, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq", "dafc"),
              SWQ_WORDS("random", "longest", "maximum", "rotating"), SWQ_NUMBERS(3), SWQ_NUMBERS(1),
              SWQ_LOADS(0.75), SWQ_DISCARD_SAME, 5, .full = 1),
    {0},
};

static int count_fractions(swq_effort effort)
{
    return swq_grid_count(small, effort);
}

static void describe_fractions(swq_effort effort, int k, swq_check *check)
{
    swq_case c;
    char text[128];

    swq_grid_case(small, effort, k, &c);
    snprintf(check->name, sizeof check->name, "fractions/%s", swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s: the same in floating point as in fractions",
             swq_case_words(&c, text, sizeof text));
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.02;
}

static void compare_fraction(swq_finding *f, const char *what, double value,
                             const swq_fraction *fraction)
{
    if (fraction->numerator)
        swq_compare(f, what, value, strtod(fraction->decimal, NULL));
}

static swq_status run_fractions(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                                swq_finding *f)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_rational_traffic traffic = {.pattern = SWQ_RATIONAL_UNIFORM};
    swq_rational_answers exact = {0};
    swq_answers a = {0};
    swq_case c;
    swq_switch sw;
    char load[32];

    (void)seed;
    swq_grid_case(small, effort, k, &c);
    snprintf(load, sizeof load, "%.17g", c.load);
    for (int i = 0; i < c.ports; i++)
        traffic.load[i] = load;
    swq_status status = swq_case_switch(ctx, &c, &sw);
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &a);
    if (!status)
        status = swq_rational_solve(ctx, &sw, &traffic, true, &exact);
    if (!status) {
        compare_fraction(f, "throughput", a.throughput.value, &exact.throughput);
        compare_fraction(f, "discard probability", a.discard.value, &exact.discard);
        compare_fraction(f, "refusal probability", a.refusal, &exact.refusal);
        compare_fraction(f, "mean packets", a.mean_packets, &exact.mean_packets);
        compare_fraction(f, "mean delay", a.mean_delay, &exact.mean_delay);
        compare_fraction(f, "packets held", a.mean_held, &exact.mean_held);
        compare_fraction(f, "saturation throughput", a.saturation.value, &exact.saturation);
        swq_judge(f, to_fractions);
    }
    swq_answers_clear(ctx, &a);
    swq_rational_answers_clear(ctx, &exact);
    return swq_skip_reducible(status, f);
}

const swq_family swq_family_fractions = {
    .name = "fractions",
    .title = "Chains in floating point against chains in fractions",
    .legs = "solver auto; GMP, p-adic lifting, checked in integers",
    .criterion = "throughput, losses, packets and delay differ by at most 1e-12 of their value",
    .count = count_fractions,
    .describe = describe_fractions,
    .run = run_fractions,
};
