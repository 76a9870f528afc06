/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Do intervals of asynchronous networks contain the true value as often as they claim, where they
 * are given? Many short runs of each network against long ones, below saturation and at full load.
 * Room: validate. Includes sim, GSL.
 */
#include "base/context.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"
#include "validate/figures/figures.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { OF_THROUGHPUT, OF_LATENCY, QUANTITIES };

static const char *const names[QUANTITIES] = {"throughput", "latency"};

/* Another case is another row. */
static const struct {
    const char *name;
    figure_network network;
    double load;
    uint64_t cycles;  /* with a precision, the most */
    double precision; /* 0: none */
    double given;     /* the least fraction of runs that must have intervals */
} rows[] = {
    {"torus-full-short",
     {.buffer = "damq",
      .async = {.extent = 7, .bytes = 128, .threshold = 11, .memory = FIGURE_MEMORY_BY_BLOCKS}},
     1,
     20000,
     0,
     0},
    {"torus-full-long",
     {.buffer = "damq",
      .async = {.extent = 7, .bytes = 128, .threshold = 11, .memory = FIGURE_MEMORY_BY_BLOCKS}},
     1,
     250000,
     0,
     .5},
    {"torus-low",
     {.buffer = "damq",
      .async = {.extent = 7, .bytes = 128, .threshold = 11, .memory = FIGURE_MEMORY_BY_BLOCKS}},
     .2,
     20000,
     0,
     .8},
    {"omega-middle",
     {.buffer = "damq", .async = {.stages = 2, .bytes = 128, .memory = FIGURE_MEMORY_BY_BLOCKS}},
     .5,
     30000,
     0,
     .8},
    {"omega-full",
     {.buffer = "fifo", .async = {.stages = 2, .bytes = 128, .memory = FIGURE_MEMORY_BY_BLOCKS}},
     1,
     100000,
     0,
     .8},
    {"omega-precision",
     {.buffer = "damq", .async = {.stages = 2, .bytes = 128, .memory = FIGURE_MEMORY_BY_BLOCKS}},
     .5,
     4000000,
     .05,
     .8},
};
enum { ROWS = sizeof rows / sizeof *rows, LONG_RUNS = 8, LONGER = 60, MOST_CYCLES = 1500000 };

/* Of 200 intervals 181 must hold the value; of fewer, as many as are as likely. */
static const double least_likely = 0.005;

static int runs_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 200 : 40;
}

static int count(swq_effort effort)
{
    (void)effort;
    return ROWS * QUANTITIES;
}

static int together(swq_effort effort, int k)
{
    (void)effort;
    (void)k;
    return QUANTITIES;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const int row = k / QUANTITIES;

    snprintf(check->name, sizeof check->name, "coverage-async/%s,%s", rows[row].name,
             names[k % QUANTITIES]);
    snprintf(check->claim, sizeof check->claim,
             "asynchronous %s, load %g, %s %g: intervals of %s contain the mean of long runs",
             rows[row].network.buffer, rows[row].load,
             rows[row].precision > 0 ? "precision" : "cycles",
             rows[row].precision > 0 ? rows[row].precision : (double)rows[row].cycles,
             names[k % QUANTITIES]);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.02 * runs_of(effort);
}

static swq_status estimate(swq_context *ctx, int row, const swq_sim_options *options,
                           swq_estimate found[QUANTITIES])
{
    swq_sender_group group;
    swq_async network;
    swq_async_result result;
    swq_status status =
        figure_make_async(ctx, &rows[row].network, rows[row].load, &group, &network);

    if (!status)
        status = swq_async_run(ctx, &network, options, NULL, &result);
    if (!status) /* as a user sees the run: without the intervals that it is too short for */
        swq_result_refuse(&result.sim, options->detail);
    if (status)
        return status;
    if (result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    found[OF_THROUGHPUT] = result.sim.all.throughput;
    found[OF_LATENCY] = result.sim.all.latency;
    return SWQ_OK;
}

static void judge(int row, int covered, int given, int runs, swq_finding *f)
{
    const bool enough = given >= rows[row].given * runs;
    const double p = given > 0 ? gsl_cdf_binomial_P((unsigned)covered, 0.95, (unsigned)given) : 1;

    f->left = 0.95;
    f->right = given > 0 ? covered / (double)given : NAN;
    if (!enough || p < least_likely)
        f->outcome = SWQ_OUTCOME_FAIL;
    snprintf(f->text, sizeof f->text, "%d of %d intervals, given by %d of %d runs", covered, given,
             given, runs);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const int row = k / QUANTITIES, runs = runs_of(effort);
    swq_sim_options options = swq_sim_defaults();
    swq_estimate truth[QUANTITIES], found[QUANTITIES];
    int covered[QUANTITIES] = {0}, given[QUANTITIES] = {0};

    options.seed = swq_check_seed(seed, rows[row].name, -1);
    options.replications = LONG_RUNS;
    options.cycles =
        rows[row].cycles * LONGER < MOST_CYCLES ? rows[row].cycles * LONGER : MOST_CYCLES;
    swq_status status = estimate(ctx, row, &options, truth);
    options.replications = 1;
    options.cycles = rows[row].cycles;
    options.precision = rows[row].precision;
    for (int n = 0; n < runs && !status; n++) {
        options.seed = swq_check_seed(seed, rows[row].name, n);
        status = estimate(ctx, row, &options, found);
        for (int q = 0; q < QUANTITIES && !status; q++) {
            given[q] += isfinite(found[q].half_width);
            covered[q] += fabs(found[q].mean - truth[q].mean) <= found[q].half_width;
        }
    }
    for (int q = 0; q < QUANTITIES && !status; q++)
        judge(row, covered[q], given[q], runs, &f[q]);
    return status;
}

const swq_family swq_family_coverage_async = {
    .name = "coverage-async",
    .title = "The simulator's own intervals, asynchronous",
    .legs = "95% intervals of 40 (full: 200) runs; the mean of 8 long runs",
    .criterion = "of the intervals that are given, as many contain the mean of the long runs as do "
                 "with a probability of 0.5% or more where each does with 0.95: 181 of 200; and of "
                 "the runs that are long enough, 80% give intervals (50% at full load on a torus)",
    .count = count,
    .describe = describe,
    .together = together,
    .run = run,
};
