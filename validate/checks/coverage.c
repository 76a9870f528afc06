/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Do the simulator's intervals contain the true value as often as they claim? Many independent
 * runs of a switch whose answers the chain knows.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { THROUGHPUT, LATENCY, OCCUPANCY, REFUSAL, QUANTITIES };

static const char *const names[QUANTITIES] = {"throughput", "latency", "occupancy", "refusals"};

/* Ways to run a simulation. */
static const struct {
    const char *name;
    swq_case_mode mode;
    int replications;
    uint64_t warmup, cycles;
    double precision; /* 0: none */
} ways[] = {
    {"batches", SWQ_DISCARD_SAME, 1, 200, 8192, 0},
    {"replications", SWQ_DISCARD_SAME, 4, 200, 2048, 0},
    {"automatic-warm-up", SWQ_BLOCK_SAME, 1, SWQ_WARMUP_AUTO, 8192, 0},
    {"precision", SWQ_DISCARD_SAME, 1, 200, 1 << 20, 0.02},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* The coverage that a 95% interval may have. Batches of a hundred cycles and more are correlated
 * over the few cycles that the switch remembers. Intervals are widened by the correlation found in
 * the run, which on average is slightly too much where batches are not correlated. A run that ends
 * when its intervals are narrow enough has intervals that are too narrow. */
static const double least = 0.93, most = 0.96;

static int runs_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 1000 : 250;
}

static int count(swq_effort effort)
{
    (void)effort;
    return WAYS * QUANTITIES;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    snprintf(check->name, sizeof check->name, "coverage/%s,%s", ways[k / QUANTITIES].name,
             names[k % QUANTITIES]);
    snprintf(check->claim, sizeof check->claim,
             "2x2 damq-2, load 0.8, longest, %s: intervals of %s contain the chain's value",
             ways[k / QUANTITIES].name, names[k % QUANTITIES]);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.005 / QUANTITIES * runs_of(effort);
}

static bool covers(const swq_estimate *e, double value)
{
    return fabs(e->mean - value) <= e->half_width;
}

static swq_status measure(swq_context *ctx, const swq_network *network,
                          const swq_sim_options *options, const swq_answers *a, int *covered)
{
    const bool block = network->sw.flow == SWQ_BLOCK;
    swq_sim_result r;
    swq_status status = swq_sim_run(ctx, network, options, &r);

    if (status)
        return status;
    if (r.stopped_by == SWQ_STOP_INTERRUPTED)
        return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    covered[THROUGHPUT] += covers(&r.all.throughput, a->throughput.value);
    covered[LATENCY] += covers(&r.all.latency, a->mean_delay + (block ? a->mean_source_wait : 0));
    covered[OCCUPANCY] += covers(&r.stage[0].occupancy, a->mean_packets);
    covered[REFUSAL] +=
        block ? covers(&r.refusal, a->refusal) : covers(&r.all.discard_fraction, a->discard.value);
    return SWQ_OK;
}

static void judge(int covered, int runs, swq_finding *f)
{
    double few = gsl_cdf_binomial_P((unsigned)covered, least, (unsigned)runs);
    double many = covered ? gsl_cdf_binomial_Q((unsigned)covered - 1, most, (unsigned)runs) : 1;

    f->left = 0.95;
    f->right = covered / (double)runs;
    f->p = fmin(1, 2 * fmin(few, many));
    f->off = fabs(gsl_cdf_ugaussian_Qinv(f->p / 2));
    snprintf(f->text, sizeof f->text, "%d of %d intervals", covered, runs);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const int way = k / QUANTITIES, runs = runs_of(effort);
    const swq_case c = {.buffer = "damq",
                        .arbiter = "longest",
                        .ports = 2,
                        .slots = 2,
                        .load = 0.8,
                        .mode = ways[way].mode,
                        .iterations = 1};
    swq_exact_options exact = swq_exact_options_defaults();
    swq_sim_options options = swq_sim_defaults();
    double node_load[SWQ_CHAIN_PORTS];
    int covered[QUANTITIES] = {0};
    swq_answers a = {0};
    swq_network network;
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, &c, &sw);

    if (!status)
        status = swq_exact_solve(ctx, &sw, &exact, &a);
    if (!status)
        status = swq_case_network(ctx, &c, &sw, node_load, &network);
    options.replications = ways[way].replications;
    options.warmup = ways[way].warmup;
    options.cycles = ways[way].cycles;
    options.precision = ways[way].precision;
    for (int n = 0; n < runs && !status; n++) {
        options.seed = swq_check_seed(seed, ways[way].name, n);
        status = measure(ctx, &network, &options, &a, covered);
    }
    for (int q = 0; q < QUANTITIES && !status; q++)
        judge(covered[q], runs, &f[q]);
    swq_answers_clear(ctx, &a);
    return status;
}

const swq_family swq_family_coverage = {
    .name = "coverage",
    .title = "The simulator's own intervals",
    .legs = "95% intervals of 250 (full: 1000) runs; the chain's values",
    .criterion = "the number of intervals that contain the value is that of a probability of "
                 "0.93 to 0.96: p-value of the binomial tail beyond it, judged with all others. "
                 "The intended probability is 0.95; the correlation of batches, by which intervals "
                 "are widened, is slightly overestimated where there is none",
    .count = count,
    .describe = describe,
    .parts = QUANTITIES,
    .run = run,
};
