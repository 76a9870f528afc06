/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole networks of two and three stages of 2 x 2 switches, their chains against the simulator.
 * They share the rules inside of a switch; wires, turns, credits, sources and counting are each
 * one's own.
 */
#include "base/context.h"
#include "switchq/netchain.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { RUNS = 16, QUANTITIES = 3, QUICK = 6 };

static const struct {
    const char *topology, *buffer, *arbiter;
    int stages, slots;
    double load;
    swq_case_mode mode;
    double hot; /* additional fraction to node 2 */
} cases[] = {
    /* quick runs only the first ones */
    {"omega", "fifo", "random", 2, 1, 0.8, SWQ_BLOCK_SAME, 0},
    {"cube", "samq", "longest", 2, 2, 0.9, SWQ_DISCARD_NEXT, 0},
    {"butterfly", "cbda", "random", 2, 1, 0.9, SWQ_BLOCK_NEXT, 0},
    {"flip", "fifo", "rotating", 2, 1, 0.7, SWQ_BLOCK_NEXT, 0},
    {"baseline", "damq", "random", 2, 2, 0.8, SWQ_DISCARD_SAME, 0},
    {"omega", "fifo", "random", 2, 1, 0.9, SWQ_DISCARD_SAME, 0.2},
    {"omega", "fifo", "longest", 2, 2, 0.6, SWQ_BLOCK_SAME, 0},
    {"butterfly", "fifo", "random", 2, 2, 0.9, SWQ_BLOCK_NEXT, 0},
    {"flip", "fifo", "random", 2, 3, 0.8, SWQ_DISCARD_SAME, 0},
    {"cube", "fifo", "rotating", 2, 2, 0.9, SWQ_DISCARD_NEXT, 0},
    {"baseline", "fifo", "random", 2, 1, 0.5, SWQ_BLOCK_NEXT, 0.3},
    {"omega", "samq", "random", 2, 2, 0.5, SWQ_BLOCK_SAME, 0},
    {"butterfly", "samq", "random", 2, 2, 0.9, SWQ_BLOCK_NEXT, 0},
    {"flip", "samq", "rotating", 2, 2, 0.7, SWQ_DISCARD_SAME, 0},
    {"cube", "safc", "random", 2, 2, 0.9, SWQ_BLOCK_SAME, 0},
    {"omega", "safc", "longest", 2, 2, 0.9, SWQ_BLOCK_NEXT, 0},
    {"baseline", "safc", "random", 2, 4, 0.9, SWQ_DISCARD_SAME, 0},
    {"omega", "damq", "longest", 2, 2, 0.8, SWQ_BLOCK_SAME, 0},
    {"butterfly", "damq", "maximum", 2, 2, 0.9, SWQ_BLOCK_NEXT, 0},
    {"flip", "damq", "longest", 2, 3, 0.9, SWQ_DISCARD_NEXT, 0},
    {"cube", "damq", "maximum", 2, 3, 0.5, SWQ_DISCARD_SAME, 0},
    {"omega", "dafc", "random", 2, 2, 0.9, SWQ_DISCARD_SAME, 0},
    {"baseline", "dafc", "longest", 2, 2, 0.7, SWQ_BLOCK_SAME, 0},
    {"omega", "cbda", "random", 2, 2, 0.9, SWQ_BLOCK_SAME, 0},
    {"flip", "cbda", "random", 2, 2, 0.9, SWQ_DISCARD_NEXT, 0},
    {"butterfly", "cbda", "random", 2, 1, 0.8, SWQ_DISCARD_SAME, 0.2},
    {"omega", "fifo", "random", 3, 1, 0.8, SWQ_DISCARD_SAME, 0},
    {"cube", "cbda", "random", 3, 1, 0.9, SWQ_DISCARD_SAME, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

static const char *const quantities[QUANTITIES] = {"throughput", "packets-first", "packets-last"};

static int count(swq_effort effort)
{
    return QUANTITIES * (effort == SWQ_EFFORT_FULL ? (int)CASES : (int)QUICK);
}

static const char *mode_word(swq_case_mode mode)
{
    return mode == SWQ_DISCARD_SAME   ? "discard-same"
           : mode == SWQ_DISCARD_NEXT ? "discard-next"
           : mode == SWQ_BLOCK_SAME   ? "block-same"
                                      : "block-next";
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const int c = k / QUANTITIES;

    snprintf(check->name, sizeof check->name,
             "whole-network/%s,topology=%s,stages=%d,buffer=%s-%d,load=%g,arbiter=%s,flow=%s%s",
             quantities[k % QUANTITIES], cases[c].topology, cases[c].stages, cases[c].buffer,
             cases[c].slots, cases[c].load, cases[c].arbiter, mode_word(cases[c].mode),
             cases[c].hot > 0 ? ",hot" : "");
    snprintf(check->claim, sizeof check->claim,
             "%s, %d stages of 2x2 %s-%d, load %g, %s, %s: the simulator's %s equals the "
             "chain's",
             cases[c].topology, cases[c].stages, cases[c].buffer, cases[c].slots, cases[c].load,
             cases[c].arbiter, mode_word(cases[c].mode), quantities[k % QUANTITIES]);
    check->level = SWQ_LEVEL_STAT;
    check->weight = effort == SWQ_EFFORT_FULL ? 4 : 0.3;
}

static swq_status make_network(swq_context *ctx, int c, swq_network *network)
{
    const swq_case of = {.buffer = cases[c].buffer,
                         .arbiter = cases[c].arbiter,
                         .ports = 2,
                         .slots = cases[c].slots,
                         .load = cases[c].load,
                         .mode = cases[c].mode,
                         .iterations = 1};
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, &of, &sw);

    *network = (swq_network){.shape.stages = cases[c].stages, .traffic = swq_traffic_defaults()};
    network->sw = sw;
    network->traffic.load = cases[c].load;
    network->traffic.hot[0] = (swq_hot_spot){2, cases[c].hot};
    network->traffic.hot_spots = cases[c].hot > 0;
    return status ? status : swq_fabric_find(ctx, cases[c].topology, &network->shape);
}

/* Means over the runs, and the standard deviations of these means. */
static swq_status simulate(swq_context *ctx, const swq_network *network, int c, uint64_t cycles,
                           uint64_t seed, double mean[QUANTITIES], double deviation[QUANTITIES])
{
    swq_sim_options options = swq_sim_defaults();
    double sum[QUANTITIES] = {0}, square[QUANTITIES] = {0};
    swq_sim_result r;
    swq_status status = SWQ_OK;

    options.cycles = cycles;
    options.warmup = SWQ_SCORE_WARM_UP;
    for (int n = 0; n < RUNS && !status; n++) {
        options.seed = swq_check_seed(seed, "whole-network", RUNS * c + n);
        status = swq_sim_run(ctx, network, &options, &r);
        if (!status && (r.stopped_by == SWQ_STOP_INTERRUPTED || r.cycles < cycles))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        if (status)
            return status;
        const double found[QUANTITIES] = {r.all.throughput.mean, r.stage[0].occupancy.mean,
                                          r.stage[network->shape.stages - 1].occupancy.mean};
        for (int q = 0; q < QUANTITIES; q++) {
            sum[q] += found[q];
            square[q] += found[q] * found[q];
        }
    }
    for (int q = 0; q < QUANTITIES; q++) {
        mean[q] = sum[q] / RUNS;
        deviation[q] = sqrt(fmax(0, square[q] - sum[q] * sum[q] / RUNS) / (RUNS - 1) / RUNS);
    }
    return status;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const uint64_t cycles = effort == SWQ_EFFORT_FULL ? 100000 : 4000;
    const swq_exact_options how = swq_exact_options_defaults();
    const int c = k / QUANTITIES;
    double mean[QUANTITIES], deviation[QUANTITIES];
    swq_netchain_answers a;
    swq_network network;
    swq_status status = make_network(ctx, c, &network);

    if (!status)
        status = swq_netchain_solve(ctx, &network, &how, &a);
    if (!status)
        status = simulate(ctx, &network, c, cycles, seed, mean, deviation);
    if (status)
        return status;
    const double exact[QUANTITIES] = {a.throughput.value, a.stage[0].packets,
                                      a.stage[a.stages - 1].packets};
    for (int q = 0; q < QUANTITIES; q++) {
        const double t = (mean[q] - exact[q]) / deviation[q];
        f[q].left = exact[q];
        f[q].right = mean[q];
        f[q].off = fabs(t);
        f[q].p = fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), RUNS - 1));
        snprintf(f[q].text, sizeof f[q].text, "off: Student's t of %d runs of %llu cycles", RUNS,
                 (unsigned long long)cycles);
    }
    return SWQ_OK;
}

const swq_family swq_family_whole_network = {
    .name = "whole-network",
    .title = "Whole networks against their chains",
    .legs = "chain of all buffers; synchronous simulator",
    .criterion = "throughput, and packets in the first and in the last stage: Student's t over "
                 "16 independent runs of 4,000 cycles (full: 100,000) after 1,000 that are not "
                 "measured; p-values are judged with all others",
    .count = count,
    .describe = describe,
    .parts = QUANTITIES,
    .run = run,
};
