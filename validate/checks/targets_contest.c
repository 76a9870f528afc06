/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims of chapter 8 that no single figure has: two-counter flow control as maximum usage, and
 * which combination does best in all benchmarks.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/grid.h"

#include <math.h>
#include <stdio.h>

/* The networks, by lines; benchmarks I to V are its columns 1 to 5. */
static const char networks[] = "table benchmarks";

enum { WARMUP = 20000 /* cycles until a tree of full buffers has grown */ };

/* 8.4.3: with sigma = Y = Y_max = 1 and X_inc = X_dec - 1, two-counter flow control equals maximum
 * usage with threshold X_inc, to the last bit, in Benchmark I at full load. */
swq_status printed_usage_of_counters(swq_context *ctx, swq_effort effort, uint64_t seed,
                                     swq_finding *f)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result[2];
    int threshold = 0;

    options.cycles = effort == SWQ_EFFORT_QUICK ? 5000 : 50000;
    options.warmup = 1000;
    options.seed = seed;
    for (int k = 0; k < 2; k++) {
        swq_figure_setting s;
        swq_status status = figure_setting_open(ctx, networks, k ? "H" : "MU-6", 1, &s);
        if (status)
            return status;
        if (k)
            s.async.flow.counters = (swq_two_counter){
                .sigma = 1, .x_inc = threshold, .x_dec = threshold + 1, .y = 1, .y_max = 1};
        threshold = s.async.flow.threshold;
        status = swq_async_run(ctx, &s.async, &options, NULL, &result[k]);
        if (status)
            return status;
    }
    const swq_flow_result *usage = &result[0].sim.all, *counters = &result[1].sim.all;
    swq_finding_near(f, counters->latency.mean, usage->latency.mean,
                     usage->throughput.mean == counters->throughput.mean ? 0 : -1);
    return SWQ_OK;
}

/* All benchmarks except the uniform one, at full load: with a pool read by several ports, G_0 and
 * the network do no worse than with DAMQ buffers, with or without maximum usage, up to 3% and the
 * intervals. The results of a static partition are shown, too. */
swq_status printed_combined_best(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    enum { BENCHMARKS = 5, LINES = 4 };
    static const char *const line[] = {"Dst-Based SAFC pool dafc", "Dst-Based 256",
                                       "Dst-Based MU-22", "Dst-Based SAFC static"};
    swq_sim_options options = swq_sim_defaults();
    int worse = 0, worse_static = 0;

    options.cycles = effort == SWQ_EFFORT_QUICK ? 20000 : 200000;
    options.warmup = WARMUP;
    options.seed = seed;
    for (int b = 1; b <= BENCHMARKS; b++) {
        swq_estimate cold[LINES], total[LINES]; /* throughputs of G_0, and of all */
        for (int l = 0; l < LINES; l++) {
            swq_figure_setting s;
            swq_async_result result;
            swq_status status = figure_setting_open(ctx, networks, line[l], b, &s);
            if (!status)
                status = swq_async_run(ctx, &s.async, &options, NULL, &result);
            if (status)
                return status;
            cold[l] = result.sim.by_group[1].throughput;
            total[l] = result.sim.all.throughput;
        }
        for (int l = 1; l < LINES; l++) {
            const bool less =
                cold[0].mean + cold[0].half_width < 0.97 * cold[l].mean - cold[l].half_width ||
                total[0].mean + total[0].half_width < 0.97 * total[l].mean - total[l].half_width;
            worse += less && l < 3;
        }
        for (int l = 1; l < 3; l++)
            worse_static += total[3].mean < 0.97 * total[l].mean;
    }
    printed_none(f, worse, 2 * BENCHMARKS);
    snprintf(f->text, sizeof f->text,
             "a pool (dafc) does no worse in %d of 10 comparisons; a static partition carries less "
             "in %d",
             10 - worse, worse_static);
    return SWQ_OK;
}
