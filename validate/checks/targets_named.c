/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What documents describe beside their figures: the pipelines of HIPIQS (003, 3.4), and tori of
 * chained switches and large buffers in the last stage (Frazier 1995, 6.3.1 and 8.2.3).
 * Room: validate. Includes sim.
 */
#include "base/context.h"
#include "switchq/benchmark.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/contest.h"

#include <math.h>
#include <stdio.h>

#define UNUSED (void)effort, (void)seed

/* ---- 003, 3.4: pipelines behind blocked packets ---- */

static void note_last(void *arg, const swq_start *x)
{
    if (x->switch_ != SWQ_NO_WHERE && x->from == 1 && x->bytes == 1)
        *(uint32_t *)arg = x->cycle;
}

/* Cycles that a packet of one flit takes from the input register to its output, if it is sent to a
 * switch of that many ports in a cycle in which packets of eight flits block it there. */
static swq_status pipeline(swq_context *ctx, int ports, int chunk, uint32_t sent,
                           swq_crosspoint crosspoint, double *cycles)
{
    const uint32_t to = (uint32_t)ports - 1;
    const swq_async_message message[] = {{0, 0, to, 8}, {0, 1, to, 8}, {sent, 1, to, 1}};
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    uint32_t left = 0;
    swq_async_watch watch = {.started = note_last, .arg = &left};
    swq_status status = swq_fabric_find(ctx, "omega", &n.shape);

    n.shape.ports = ports;
    n.shape.stages = 1;
    n.architecture = &swq_hipiqs;
    n.crosspoint = crosspoint;
    n.memory = 64;
    n.block = chunk;
    n.max_packet = 8;
    n.hop_delay = 3;
    n.link_rest = 0;
    n.trace = message;
    n.trace_messages = 3;
    options.cycles = 100;
    options.warmup = 0;
    if (!status)
        status = swq_async_run(ctx, &n, &options, &watch, &result);
    *cycles = (double)left - (sent + 1);
    return status;
}

/* "3 or 4 stage pipeline" through the FIFO at a crosspoint, "6 or 7 stages" through the memory: a
 * FIFO of registers or a RAM. */
swq_status printed_pipelines(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const struct {
        int ports, chunk;
        uint32_t sent;
        swq_crosspoint crosspoint;
        double printed;
    } way[] = {{4, 8, 15, SWQ_CROSSPOINT_REGISTERS, 3},
               {4, 8, 15, SWQ_CROSSPOINT_RAM, 4},
               {2, 2, 12, SWQ_CROSSPOINT_REGISTERS, 6},
               {2, 2, 12, SWQ_CROSSPOINT_RAM, 7}};
    double cycles[4];
    int wrong = 0;

    UNUSED;
    for (int k = 0; k < 4; k++) {
        swq_status status =
            pipeline(ctx, way[k].ports, way[k].chunk, way[k].sent, way[k].crosspoint, &cycles[k]);
        if (status)
            return status;
        wrong += cycles[k] != way[k].printed;
    }
    printed_none(f, wrong, 4);
    snprintf(f->text, sizeof f->text, "%g, %g, %g and %g cycles", cycles[0], cycles[1], cycles[2],
             cycles[3]);
    return SWQ_OK;
}

/* ---- 6.3.1: a torus of any dimension ---- */

/* Does a torus of so many dimensions, radix 3, have ceil(n/2) switches of 5 x 5 a node, and carry
 * full load without a deadlock? */
static swq_status torus_of_5_by_5(swq_context *ctx, int dims, uint64_t seed, bool *does)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    const swq_buffer_kind *kind;
    swq_fabric fabric;
    swq_async_result result;
    swq_status status = swq_fabric_find(ctx, "torus", &n.shape);

    n.shape.dims = dims;
    n.shape.chained = true;
    for (int d = 0; d < dims; d++)
        n.shape.extent[d] = 3;
    if (!status)
        status = swq_buffer_kind_find(ctx, "damq", &kind);
    if (!status)
        status = swq_async_buffer(ctx, &n, kind, 256);
    n.flow = &swq_flow_maximum_usage;
    n.threshold = 26;
    const swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    n.group = &group;
    n.groups = 1;
    options.cycles = 2000;
    options.warmup = 1000;
    options.seed = seed;
    if (!status)
        status = swq_fabric_count(ctx, &n.shape, &fabric);
    if (!status)
        status = swq_async_run(ctx, &n, &options, NULL, &result);
    if (!status)
        *does = fabric.ports == 5 && fabric.switches == fabric.nodes * (uint32_t)((dims + 1) / 2) &&
                result.waiting_count == 0 && result.sim.all.throughput.mean > 0.5;
    return status;
}

/* Three to five dimensions. */
swq_status printed_chained_tori(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    int wrong = 0;

    (void)effort;
    for (int dims = 3; dims <= 5; dims++) {
        bool does = false;
        const swq_status status = torus_of_5_by_5(ctx, dims, seed, &does);
        if (status)
            return status;
        wrong += !does;
    }
    printed_none(f, wrong, 3);
    return SWQ_OK;
}

/* ---- 8.2.3: large buffers in the last stage ---- */

/* Benchmark I at full load with thresholds of 8 and 4 packets and a delay of 20 cycles, twice a
 * stage's: G_0, whose senders share all but the hot link with the hot packets, has more with 512
 * bytes in the last stage than with 128, by more than both intervals. */
swq_status printed_large_last_stage(swq_context *ctx, swq_effort effort, uint64_t seed,
                                    swq_finding *f)
{
    const swq_benchmark *row;
    swq_async n;
    swq_benchmark_groups made;
    swq_sim_options options = swq_sim_defaults();
    swq_estimate cold[2];

    options.cycles = effort == SWQ_EFFORT_QUICK ? 20000 : 100000;
    options.warmup = CONTEST_WARMUP;
    options.seed = seed;
    options.replications = 4;
    swq_status status = swq_benchmark_find(ctx, "I", &row);
    for (int large = 0; large < 2 && !status; large++) {
        swq_async_result result;
        status = contestant_make(ctx, &contestants[DAMQ_B], &n);
        if (!status)
            status = swq_sender_scheme_find(ctx, "feedback", &n.sender);
        if (!status)
            status = swq_benchmark_make(ctx, row, &n, 1, &made);
        n.group = made.group;
        n.groups = made.groups;
        n.feedback_hot = 8;
        n.feedback_cold = 4;
        n.feedback_delay = 20;
        n.last_blocks = large ? 512 / n.block : 0;
        if (!status)
            status = swq_async_run(ctx, &n, &options, NULL, &result);
        if (!status)
            cold[large] = result.sim.by_group[1].throughput;
    }
    if (status)
        return status;
    printed_none(f, cold[1].mean - cold[1].half_width <= cold[0].mean + cold[0].half_width, 1);
    snprintf(f->text, sizeof f->text, "G_0 has %.3f +- %.3f with 128 bytes, %.3f +- %.3f with 512",
             cold[0].mean, cold[0].half_width, cold[1].mean, cold[1].half_width);
    return SWQ_OK;
}
