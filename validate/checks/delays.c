/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long single packets stay: the simulator's latencies against the distribution that the chain
 * with a marked packet has. And what a bounded queue at a source loses: it makes a FIFO longer.
 */
#include "base/context.h"
#include "switchq/packets.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

/* ---- delays ---- */

enum { MEAN, VARIANCE, PERCENTILES, CHECKS, RUNS = 16, CYCLES = 12000 };

static const char *const check_names[CHECKS] = {"mean", "variance", "percentiles"};

#define CASE(buffer, arbiter, ports, slots, load, mode, traffic)                                   \
    {                                                                                              \
        buffer, arbiter, ports, slots, load, mode, traffic, 1, 0, 0, 0, &swq_pool_room, NULL, 0,   \
            0, false                                                                               \
    }

static const swq_case delay_cases[] = {
    CASE("fifo", "random", 2, 2, 0.7, SWQ_DISCARD_SAME, SWQ_CASE_UNIFORM),
    CASE("fifo", "longest", 2, 3, 0.95, SWQ_DISCARD_NEXT, SWQ_CASE_LOPSIDED),
    CASE("samq", "longest", 2, 4, 0.9, SWQ_DISCARD_SAME, SWQ_CASE_UNIFORM),
    CASE("safc", "random", 2, 4, 0.9, SWQ_DISCARD_SAME, SWQ_CASE_HOT),
    CASE("damq", "random", 2, 3, 0.9, SWQ_DISCARD_SAME, SWQ_CASE_UNIFORM),
    CASE("damq", "maximum", 2, 4, 0.95, SWQ_DISCARD_SAME, SWQ_CASE_LOPSIDED),
    CASE("dafc", "longest", 2, 3, 0.9, SWQ_DISCARD_SAME, SWQ_CASE_UNIFORM),
    CASE("damq", "pim", 3, 1, 0.8, SWQ_DISCARD_SAME, SWQ_CASE_UNIFORM),
    CASE("fifo", "random", 3, 2, 0.8, SWQ_DISCARD_SAME, SWQ_CASE_UNIFORM),
    CASE("cbda", "random", 2, 2, 0.9, SWQ_DISCARD_SAME, SWQ_CASE_UNIFORM),
};
enum { DELAY_CASES = sizeof delay_cases / sizeof *delay_cases };

static int count_delays(swq_effort effort)
{
    (void)effort;
    return CHECKS * DELAY_CASES;
}

static uint64_t longer(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 20 : 1;
}

static void describe_delays(swq_effort effort, int k, swq_check *check)
{
    const swq_case *c = &delay_cases[k / CHECKS];
    char text[128];

    snprintf(check->name, sizeof check->name, "delays/%s,%s", check_names[k % CHECKS],
             swq_case_name(c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s: %s of latencies equals the chain's",
             swq_case_words(c, text, sizeof text), check_names[k % CHECKS]);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.1 * (double)longer(effort);
}

/* Student's t test of values whose mean should be `mean`. */
static void judge_t(const double *value, double mean, swq_finding *f)
{
    double sum = 0, square = 0;

    for (int r = 0; r < RUNS; r++)
        sum += value[r] / RUNS;
    for (int r = 0; r < RUNS; r++)
        square += (value[r] - sum) * (value[r] - sum);
    f->left = mean;
    f->right = sum;
    f->off = fabs(sum - mean) / sqrt(square / (RUNS - 1) / RUNS);
    f->p = fmin(1, 2 * gsl_cdf_tdist_Q(f->off, RUNS - 1));
}

/* The probability of a delay of v cycles or more. */
static double at_least(const swq_delay *d, double v)
{
    return v < 1 ? 1 : v > (double)d->most ? 0 : d->longer[(int64_t)v - 1];
}

/* The percentile v of level q is right if P(delay >= v) >= 1 - q > P(delay >= v + 1), up to five
 * standard deviations of the estimate of 1 - q from n packets, doubled since packets are not
 * independent. */
static void judge_percentiles(const swq_delay *d, const swq_flow_result *all, swq_finding *f)
{
    f->off = 0;
    for (int p = 0; p < SWQ_PERCENTILES; p++) {
        const double v = all->percentile[p], tail = 1 - swq_percentile_levels[p];
        const double deviation = 2 * sqrt(tail / (double)all->delivered);
        const double off = fmax(tail - at_least(d, v), at_least(d, v + 1) - tail) / deviation;
        if (off > f->off || p == 0) {
            f->off = fmax(0, off);
            f->left = (double)d->percentile[p];
            f->right = v;
            snprintf(f->text, sizeof f->text, "of level %g", swq_percentile_levels[p]);
        }
    }
    swq_judge(f, 5);
}

static swq_status run_delays(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                             swq_finding *f)
{
    const swq_case *c = &delay_cases[k / CHECKS];
    swq_exact_options exact = swq_exact_options_defaults();
    swq_packets_options packets = swq_packets_options_defaults();
    const uint64_t cycles = CYCLES * longer(effort);
    double node_load[SWQ_CHAIN_PORTS], mean[RUNS], variance[RUNS];
    swq_delay d = {0};
    swq_network network;
    swq_sim_result r;
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, c, &sw);

    if (!status)
        status = swq_exact_delay(ctx, &sw, &exact, &packets, &d);
    if (!status)
        status = swq_case_network(ctx, c, &sw, node_load, &network);
    for (int run = 0; run < RUNS && !status; run++) {
        status = swq_score_simulate(ctx, &network, cycles,
                                    swq_check_seed(seed, "delays", RUNS * k + run), &r);
        mean[run] = r.all.latency.mean;
        variance[run] = r.all.variance;
    }
    if (!status)
        status = swq_score_simulate(ctx, &network, RUNS * cycles,
                                    swq_check_seed(seed, "percentiles", k), &r);
    if (!status) {
        judge_t(mean, d.mean.value, &f[MEAN]);
        judge_t(variance, d.variance.value, &f[VARIANCE]);
        judge_percentiles(&d, &r.all, &f[PERCENTILES]);
    }
    swq_delay_clear(ctx, &d);
    return status;
}

const swq_family swq_family_delays = {
    .name = "delays",
    .title = "Latencies of single packets, one switch",
    .legs = "chain with a marked packet; synchronous simulator",
    .criterion = "mean and variance: Student's t of 16 runs of 12,000 cycles, p-values judged "
                 "with all others. Percentiles 50, 90, 99, 99.9: within 5 standard deviations "
                 "of the counts beyond them, doubled for correlation",
    .count = count_delays,
    .describe = describe_delays,
    .parts = CHECKS,
    .run = run_delays,
};

/* ---- queues at sources ---- */

enum { SIZES = 3, LIMITS = 4, SOURCE_CYCLES = 200000 };

static int count_sources(swq_effort effort)
{
    (void)effort;
    return SIZES * LIMITS;
}

static void describe_sources(swq_effort effort, int k, swq_check *check)
{
    const int slots = 1 + k % SIZES, limit = 1 + k / SIZES;

    (void)effort;
    snprintf(check->name, sizeof check->name, "source-queues/buffer=fifo-%d,queue-limit=%d", slots,
             limit);
    snprintf(check->claim, sizeof check->claim,
             "a queue of %d at the source, blocked by fifo-%d, loses as much as fifo-%d", limit,
             slots, slots + limit);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.15;
}

/* A new packet joins the queue of its source before the queue's first packet is offered, when a
 * packet that has just left still counts: this is the credit of the next cycle. */
static swq_status run_sources(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                              swq_finding *f)
{
    const int slots = 1 + k % SIZES, limit = 1 + k / SIZES;
    swq_case c = {.buffer = "fifo",
                  .arbiter = k % 2 ? "rotating" : "random",
                  .ports = 2,
                  .slots = slots,
                  .load = 0.7 + 0.1 * (k % 3),
                  .mode = SWQ_BLOCK_SAME,
                  .iterations = 1};
    double node_load[SWQ_CHAIN_PORTS];
    swq_switch blocked, own;
    swq_network network;
    swq_expected e;
    swq_sim_result r;
    swq_status status = swq_case_switch(ctx, &c, &blocked);

    if (!status)
        status = swq_case_network(ctx, &c, &blocked, node_load, &network);
    c.slots = slots + limit;
    c.mode = SWQ_DISCARD_NEXT;
    if (!status)
        status = swq_case_switch(ctx, &c, &own);
    if (!status)
        status = swq_expect(ctx, &own, &e);
    network.traffic.kind = SWQ_SOURCE_OPEN;
    network.traffic.queue_limit = (uint32_t)limit;
    if (!status)
        status =
            swq_score_simulate(ctx, &network, SOURCE_CYCLES * (effort == SWQ_EFFORT_FULL ? 10 : 1),
                               swq_check_seed(seed, "source-queues", k), &r);
    if (status)
        return status;
    swq_score_losses(f, &e, r.all.discarded, r.cycles);
    return SWQ_OK;
}

const swq_family swq_family_source_queues = {
    .name = "source-queues",
    .title = "Bounded queues at sources make FIFOs longer",
    .legs = "exact chain of the longer FIFO; simulator with queues at its sources",
    .criterion = "losses per cycle: z with the chain's own variance, 200,000 cycles; p-values are "
                 "judged with all others",
    .count = count_sources,
    .describe = describe_sources,
    .run = run_sources,
};
