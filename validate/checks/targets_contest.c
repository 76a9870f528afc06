/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers and claims of chapter 8 that no single figure has: who is in which group, wires,
 * and which combination does best in all benchmarks.
 * Room: validate. Includes sim, models.
 */
#include "base/context.h"
#include "switchq/formula.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/contest.h"

#include <math.h>
#include <stdio.h>

#define UNUSED (void)effort, (void)seed

/* The members of a benchmark's groups except G_NUT, counted as in Table 8.4 and 8.5.6. That these
 * groups follow from the network's routes is checked where groups are made. */
static swq_status groups_of(swq_context *ctx, const char *benchmark, const uint32_t *printed,
                            int groups, swq_finding *f)
{
    const swq_benchmark *row;
    swq_async network;
    swq_benchmark_groups made;
    int wrong = 0;

    swq_status status = swq_benchmark_find(ctx, benchmark, &row);
    if (!status)
        status = contestant_make(ctx, &contestants[DAMQ_B], &network);
    if (!status)
        status = swq_benchmark_make(ctx, row, &network, 1, &made);
    for (int g = 0; g < groups && !status; g++)
        wrong += made.members[g] != printed[g];
    if (!status)
        printed_none(f, wrong, groups);
    return status;
}

swq_status printed_groups(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const uint32_t printed[] = {4, 12, 48, 192};

    UNUSED;
    return groups_of(ctx, "I", printed, 4, f);
}

swq_status printed_groups_inside(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const uint32_t printed[] = {4, 12, 240};

    UNUSED;
    return groups_of(ctx, "III", printed, 3, f);
}

/* 8.6.2: nine wires become twelve, a third more. */
swq_status printed_wires(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const swq_formula *row;
    swq_argument argument[SWQ_FORMULA_PARAMETERS];
    double value[SWQ_FORMULA_PARAMETERS], result[SWQ_FORMULA_RESULTS] = {0};

    UNUSED;
    swq_status status = swq_formula_find(ctx, "flow-control-cost", &row);
    for (int k = 0; !status && k < row->parameters; k++)
        value[k] = k == 0 ? 4 : row->parameter[k].usual,
        argument[k] = (swq_argument){.value = value[k], .list = &value[k], .count = 1};
    if (!status)
        status = swq_formula_evaluate(ctx, row, argument, result);
    if (!status)
        swq_finding_near(f, result[2], 1.0 / 3, result[0] == 9 && result[1] == 12 ? 1e-12 : -1);
    return status;
}

/* 8.4.3: with sigma = Y = Y_max = 1 and X_inc = X_dec - 1, two-counter flow control equals maximum
 * usage with threshold X_inc, to the last bit, in Benchmark I at full load. */
swq_status printed_usage_of_counters(swq_context *ctx, swq_effort effort, uint64_t seed,
                                     swq_finding *f)
{
    const int threshold = contestants[MU_6].threshold;
    swq_sim_options options = swq_sim_defaults();
    contest_cell cell[2];

    options.cycles = effort == SWQ_EFFORT_QUICK ? 5000 : 50000;
    options.warmup = 1000;
    options.seed = seed;
    for (int k = 0; k < 2; k++) {
        contest_point p = {0};
        swq_status status =
            contest_point_make(ctx, &contestants[k ? TWO_H : MU_6], "I", 1, &options, &p);
        if (k)
            p.run.network.counters = (swq_two_counter){
                .sigma = 1, .x_inc = threshold, .x_dec = threshold + 1, .y = 1, .y_max = 1};
        if (!status)
            status = swq_async_run(ctx, &p.run.network, &p.run.options, NULL, &p.run.result);
        if (!status)
            contest_point_read(&p, &cell[k]);
        swq_detail_clear(ctx, &p.detail);
        if (status)
            return status;
    }
    swq_finding_near(f, cell[1].total_latency.mean, cell[0].total_latency.mean,
                     cell[0].total.mean == cell[1].total.mean ? 0 : -1);
    return SWQ_OK;
}

/* All benchmarks except the uniform one, at full load: with a pool read by several ports, G_0 and
 * the network do no worse than with DAMQ buffers, with or without maximum usage, up to 3% and the
 * intervals. The results of a static partition are shown, too. */
swq_status printed_combined_best(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    enum { BENCHMARKS = 5, LINES = 4 };
    static const char *const name[] = {"I", "II", "III", "IV", "V"};
    static const contestant_id line[] = {DST_DAFC, DST_256, DST_MU_22, DST_SAFC};
    swq_sim_options options = swq_sim_defaults();
    int worse = 0, worse_static = 0;

    options.cycles = effort == SWQ_EFFORT_QUICK ? 20000 : 200000;
    options.warmup = CONTEST_WARMUP;
    options.seed = seed;
    for (int b = 0; b < BENCHMARKS; b++) {
        contest_cell cell[LINES];
        for (int l = 0; l < LINES; l++) {
            contest_point p = {0};
            swq_status status =
                contest_point_make(ctx, &contestants[line[l]], name[b], 1, &options, &p);
            if (!status)
                status = swq_async_run(ctx, &p.run.network, &p.run.options, NULL, &p.run.result);
            if (!status)
                contest_point_read(&p, &cell[l]);
            swq_detail_clear(ctx, &p.detail);
            if (status)
                return status;
        }
        for (int l = 1; l < LINES; l++) {
            const contest_cell *pool = &cell[0], *other = &cell[l];
            const bool less =
                pool->throughput[1].mean + pool->throughput[1].half_width <
                    0.97 * other->throughput[1].mean - other->throughput[1].half_width ||
                pool->total.mean + pool->total.half_width <
                    0.97 * other->total.mean - other->total.half_width;
            worse += less && l < 3;
        }
        for (int l = 1; l < 3; l++)
            worse_static += cell[3].total.mean < 0.97 * cell[l].total.mean;
    }
    printed_none(f, worse, 2 * BENCHMARKS);
    snprintf(f->text, sizeof f->text,
             "a pool (dafc) does no worse in %d of 10 comparisons; a static partition carries less "
             "in %d",
             10 - worse, worse_static);
    return SWQ_OK;
}
