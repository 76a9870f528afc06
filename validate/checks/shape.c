/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scores of the simulator against the chain, all together: if chain, variance and simulator
 * are right, they are standard normal. A small error everywhere shows here, even if it shows in no
 * single check.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/grids.h"
#include "validate/checks/kolmogorov.h"
#include "validate/checks/scores.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum {
    CYCLES = 20000,
    FEW = 400, /* refusals expected in a run; with fewer the count is skewed */
    MEAN = 0,
    VARIANCE,
    DISTRIBUTION,
    TESTS
};

static const char *const test_names[TESTS] = {"mean", "variance", "distribution"};
static const char *const test_claims[TESTS] = {"have mean 0", "have variance 1",
                                               "are standard normal (Kolmogorov and Smirnov)"};

static int count(swq_effort effort)
{
    (void)effort;
    return SWQ_SCORES * TESTS;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const char *quantity = swq_score_names[k / TESTS];

    snprintf(check->name, sizeof check->name, "chain-simulator-shape/%s,%s", quantity,
             test_names[k % TESTS]);
    snprintf(check->claim, sizeof check->claim, "the scores of %s over the grid %s", quantity,
             test_claims[k % TESTS]);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.03 / (SWQ_SCORES * TESTS) * swq_grid_count(swq_one_switch, effort);
}

static int together(swq_effort effort, int k)
{
    (void)k;
    return count(effort);
}

/* Two-sided p-value from both tails of a continuous distribution. */
static double two_tails(double below, double above)
{
    return fmin(1, 2 * fmin(below, above));
}

static void test_scores(double *score, int n, swq_finding *f)
{
    double sum = 0, square = 0;

    for (int k = 0; k < n; k++) {
        sum += score[k];
        square += score[k] * score[k];
    }
    f[MEAN].left = 0;
    f[MEAN].right = sum / n;
    f[MEAN].off = fabs(sum / sqrt(n));
    f[MEAN].p = swq_two_sided(sum / sqrt(n));
    f[VARIANCE].left = 1;
    f[VARIANCE].right = square / n;
    f[VARIANCE].off = fabs(square / n - 1) / sqrt(2.0 / n);
    f[VARIANCE].p = two_tails(gsl_cdf_chisq_P(square, n), gsl_cdf_chisq_Q(square, n));
    f[DISTRIBUTION].left = 0;
    f[DISTRIBUTION].right = swq_kolmogorov_distance(score, (size_t)n);
    f[DISTRIBUTION].p = swq_kolmogorov_p(f[DISTRIBUTION].right, (size_t)n);
    f[DISTRIBUTION].off = gsl_cdf_ugaussian_Qinv(f[DISTRIBUTION].p / 2);
    for (int t = 0; t < TESTS; t++)
        snprintf(f[t].text, sizeof f[t].text, "%d scores", n);
}

/* Adds the scores of a case; a constant quantity has none. */
static swq_status add_case(swq_context *ctx, const swq_case *c, uint64_t seed,
                           double *const score[SWQ_SCORES], int n[SWQ_SCORES])
{
    swq_switch sw;
    swq_expected e = {0};
    double observed[SWQ_SCORES], z[SWQ_SCORES];
    swq_status status = swq_case_switch(ctx, c, &sw);

    if (!status)
        status = swq_expect(ctx, &sw, &e);
    if (!status)
        status = swq_score_case(ctx, c, seed, CYCLES, &sw, &e, observed, z);
    for (int q = 0; q < SWQ_SCORES && !status; q++) {
        if (e.variance[q] > 1e-9 && (q != SWQ_SCORE_REFUSALS || e.mean[q] * CYCLES >= FEW))
            score[q][n[q]++] = z[q];
    }
    return status == SWQ_EREDUCIBLE ? SWQ_OK : status;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const int cases = swq_grid_count(swq_one_switch, effort);
    int n[SWQ_SCORES] = {0};
    double *all = swq_calloc(ctx, (size_t)cases, SWQ_SCORES * sizeof *all);
    double *const score[SWQ_SCORES] = {all, all + cases};
    swq_status status = all ? SWQ_OK : swq_memory_status(ctx);

    (void)k;
    for (int at = 0; at < cases && !status; at++) {
        swq_case c;
        swq_grid_case(swq_one_switch, effort, at, &c);
        status = add_case(ctx, &c, swq_check_seed(seed, "chain-simulator-shape", at), score, n);
    }
    for (int q = 0; q < SWQ_SCORES && !status; q++)
        test_scores(score[q], n[q], &f[q * TESTS]);
    swq_free(ctx, all);
    return status;
}

const swq_family swq_family_shape = {
    .name = "chain-simulator-shape",
    .title = "All scores of the simulator against the chain",
    .legs = "standard normal distribution; scores as in chain-simulator, from other runs",
    .criterion = "p-values of the scores' mean, sum of squares (chi-squared) and distance from "
                 "the normal distribution (Kolmogorov and Smirnov), judged with all others. "
                 "20,000 cycles each; refusals where 400 or more are expected",
    .count = count,
    .describe = describe,
    .together = together,
    .run = run,
};
