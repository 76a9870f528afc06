/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Do intervals of asynchronous networks contain the true value as often as they claim, where they
 * are given? Many short runs of each network against long ones: below saturation, near it and at
 * full load; bursts and lengths; crossbars, central memories and lanes; means, occupancies and
 * percentiles; fixed lengths and precisions.
 */
#include "base/context.h"
#include "switchq/detail.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"
#include "validate/figures/figures.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { OF_THROUGHPUT, OF_LATENCY, OF_OCCUPANCY, OF_PERCENTILE, QUANTITIES };

static const char *const names[QUANTITIES] = {"throughput", "latency", "occupancy",
                                              "99th percentile"};

/* ---- the networks ---- */

#define OMEGA "--engine async --stages 2 --bytes 128 --arbiter advancing "
#define TORUS                                                                                      \
    "--topology torus --dims 7x7 --buffer damq --bytes 128 --flow maximum-usage --threshold 11 "   \
    "--arbiter advancing"
#define TREE                                                                                       \
    "--topology tree --arity 4 --levels 2 --routing adaptive --choice queue --bytes 320 --chunk "  \
    "8 "                                                                                           \
    "--hop-delay 3 --link-rest 0 --sources open --max-packet 64 --length 64 --architecture "

/* Bursts come from sources that never wait; they are of ten messages on average. */
static const char damq[] = OMEGA "--buffer damq", fifo[] = OMEGA "--buffer fifo --block 1",
                  bursts[] = OMEGA "--buffer damq --sources open --burst 10",
                  lengths[] = OMEGA "--buffer damq --sources open --length 6-256", torus[] = TORUS,
                  worms[] = "--topology torus --dims 4x4 --architecture wormhole --lane-choice "
                            "dateline --length 4",
                  hipiqs[] = TREE "hipiqs", central[] = TREE "central";

/* Another case is another row. */
static const struct {
    const char *name;
    const char *network; /* as options */
    double load;
    uint64_t cycles;  /* with a precision, the most */
    double precision; /* 0: none */
    double given;     /* the least fraction of runs that must have intervals */
} rows[] = {
    {"omega-middle", damq, .5, 30000, 0, .8},
    {"torus-low", torus, .2, 20000, 0, .8},
    {"wormhole", worms, .4, 10000, 0, .5},
    {"hipiqs", hipiqs, .5, 60000, 0, .5},
    {"omega-full", fifo, 1, 100000, 0, .8},
    {"omega-precision", damq, .5, 4000000, .05, .8},
    {"bursts-short", bursts, .3, 60000, 0, 0},
    {"bursts-long", bursts, .3, 600000, 0, .5},
    {"lengths", lengths, .4, 400000, 0, .5},
    {"central-short", central, .7, 60000, 0, 0},
    {"central-long", central, .7, 250000, 0, .5},
    {"torus-full-short", torus, 1, 20000, 0, 0},
    {"torus-full-long", torus, 1, 250000, 0, .5},
    {"torus-full-precision", torus, 1, 4000000, .05, .8},
};
enum {
    ROWS = sizeof rows / sizeof *rows,
    QUICK_ROWS = 4,
    LONG_RUNS = 8,
    LONGER = 60,
    MOST_CYCLES = 3000000
};

/* Of 200 intervals 181 must hold the value; of fewer, as many as are as likely. */
static const double least_likely = 0.005;

static int runs_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 200 : 40;
}

static int count(swq_effort effort)
{
    return (effort == SWQ_EFFORT_QUICK ? QUICK_ROWS : ROWS) * QUANTITIES;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const int row = k / QUANTITIES;

    snprintf(check->name, sizeof check->name, "coverage-async/%s,%s", rows[row].name,
             names[k % QUANTITIES]);
    snprintf(check->claim, sizeof check->claim,
             "asynchronous, load %g, %s %g: intervals of the %s contain that of long runs",
             rows[row].load, rows[row].precision > 0 ? "precision" : "cycles",
             rows[row].precision > 0 ? rows[row].precision : (double)rows[row].cycles,
             names[k % QUANTITIES]);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.02 * runs_of(effort);
}

typedef struct {
    double mean, lower, upper; /* NAN: there is no interval */
} interval;

static interval interval_of(const swq_estimate *e)
{
    return (interval){e->mean, e->mean - e->half_width, e->mean + e->half_width};
}

/* As a user sees a run that asks for the percentile. */
static swq_status estimate_with(swq_context *ctx, const swq_async *network,
                                const swq_sim_options *options, interval found[QUANTITIES])
{
    const swq_percentile *p = &options->detail->percentile[0];
    swq_async_result result;
    const swq_status status = swq_async_run(ctx, network, options, NULL, &result);

    if (status)
        return status;
    if (result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    swq_result_refuse(&result.sim, options->detail);
    found[OF_THROUGHPUT] = interval_of(&result.sim.all.throughput);
    found[OF_LATENCY] = interval_of(&result.sim.all.latency);
    found[OF_OCCUPANCY] = interval_of(&result.sim.stage[0].occupancy);
    found[OF_PERCENTILE] = (interval){p->value, p->lower, p->upper};
    return SWQ_OK;
}

static swq_status estimate(swq_context *ctx, int row, swq_sim_options options,
                           interval found[QUANTITIES])
{
    swq_figure_setting s;
    swq_fabric fabric = {0};
    swq_detail detail;
    swq_status status = figure_network(ctx, &s, "%s --load %g", rows[row].network, rows[row].load);

    if (!status)
        status = swq_fabric_count(ctx, &s.async.shape, &fabric);
    if (!status)
        status = swq_detail_new(ctx, fabric.nodes, 0, 0, &detail);
    if (status)
        return status;
    detail.percentiles = 1;
    detail.percentile[0].level = 0.99;
    options.detail = &detail;
    status = estimate_with(ctx, &s.async, &options, found);
    swq_detail_clear(ctx, &detail);
    return status;
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
    interval truth[QUANTITIES] = {{0}}, found[QUANTITIES] = {{0}};
    int covered[QUANTITIES] = {0}, given[QUANTITIES] = {0};

    options.seed = swq_check_seed(seed, rows[row].name, -1);
    options.replications = LONG_RUNS;
    options.cycles =
        rows[row].cycles * LONGER < MOST_CYCLES ? rows[row].cycles * LONGER : MOST_CYCLES;
    swq_status status = estimate(ctx, row, options, truth);
    options.replications = 1;
    options.cycles = rows[row].cycles;
    options.precision = rows[row].precision;
    for (int n = 0; n < runs && !status; n++) {
        options.seed = swq_check_seed(seed, rows[row].name, n);
        status = estimate(ctx, row, options, found);
        for (int q = 0; q < QUANTITIES && !status; q++) {
            given[q] += !isnan(found[q].upper);
            covered[q] += found[q].lower <= truth[q].mean && truth[q].mean <= found[q].upper;
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
                 "the runs that are long enough, 80% give intervals, or 50% where sources or "
                 "buffers remember for long",
    .count = count,
    .describe = describe,
    .parts = QUANTITIES,
    .run = run,
};
