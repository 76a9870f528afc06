/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Details that documents describe outside their figures: the pipelines of HIPIQS, its turns and its
 * rivals (003, 3 and 4), and tori of chained switches and large buffers in the last stage (Frazier
 * 1995, 6.3.1 and 8.2.3).
 */
#include "base/context.h"
#include "switchq/benchmark.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/grid.h"

#include <math.h>
#include <stdio.h>

#define UNUSED (void)effort, (void)seed

/* ---- 003, 3.4: pipelines behind blocked packets ---- */

static void note_last(void *arg, const swq_start *x)
{
    if (x->switch_ != SWQ_NO_WHERE && x->from == 1 && x->bytes == 1)
        *(uint32_t *)arg = x->cycle;
}

/* Cycles that a packet of one flit takes from the input register to its output, if it is sent in
 * cycle `sent` to a switch of `ports` ports, where packets of eight flits block it. */
static swq_status pipeline(swq_context *ctx, int ports, int chunk, uint32_t sent,
                           const char *crosspoint, double *cycles)
{
    const uint32_t to = (uint32_t)ports - 1;
    const swq_async_message message[] = {{0, 0, to, 8}, {0, 1, to, 8}, {sent, 1, to, 1}};
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    swq_figure_setting s;
    uint32_t left = 0;
    swq_async_watch watch = {.started = note_last, .arg = &left};
    swq_status status =
        figure_network(ctx, &s,
                       "--engine async --stages 1 --ports %d --architecture hipiqs --bytes 64 "
                       "--chunk %d --max-packet 8 --hop-delay 3 --link-rest 0 "
                       "--load 1 --crosspoint %s",
                       ports, chunk, crosspoint);

    s.async.traffic.trace = message;
    s.async.traffic.trace_messages = 3;
    options.cycles = 100;
    options.warmup = 0;
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, &watch, &result);
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
        const char *crosspoint;
        double printed;
    } way[] = {{4, 8, 15, "registers", 3},
               {4, 8, 15, "ram", 4},
               {2, 2, 12, "registers", 6},
               {2, 2, 12, "ram", 7}};
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

/* ---- 003, 3 and 4: HIPIQS at full load ---- */

/* The throughput of 16 nodes at full load with messages of one length and, as the paper counts
 * them, 640 flits an input: HIPIQS with turns at its banks, or another switch. */
static swq_status at_full_load(swq_context *ctx, swq_effort effort, uint64_t seed, int message,
                               const char *other, swq_async_result *result)
{
    swq_sim_options options = swq_sim_defaults();
    swq_figure_setting s;
    swq_status status = figure_network(
        ctx, &s,
        "--topology tree --arity 4 --levels 2 --routing adaptive --bytes 640 --hop-delay 3 "
        "--link-rest 0 --sources open --load 1 --max-packet %d --length %d %s",
        message, message, other);

    options.cycles = effort == SWQ_EFFORT_QUICK ? 40000 : 100000;
    options.warmup = 5000;
    options.replications = 4;
    options.seed = seed;
    return status ? status : swq_async_run(ctx, &s.async, &options, NULL, result);
}

static const char with_turns[] = "--architecture hipiqs --chunk 8 --choice queue --banks turns";

/* In how many of three lengths does HIPIQS carry more, or clearly less, than another switch? */
static swq_status against(swq_context *ctx, swq_effort effort, uint64_t seed, const char *rival,
                          int *more, int *less, swq_finding *f)
{
    static const int lengths[] = {1, 8, 64};
    size_t used = 0;

    *more = *less = 0;
    for (int k = 0; k < 3; k++) {
        swq_async_result ours, other;
        swq_status status = at_full_load(ctx, effort, seed, lengths[k], with_turns, &ours);
        if (!status)
            status = at_full_load(ctx, effort, seed, lengths[k], rival, &other);
        if (status)
            return status;
        const swq_estimate a = ours.sim.all.throughput, b = other.sim.all.throughput;
        const double chance = hypot(a.half_width, b.half_width); /* of the difference, 95% */
        *more += a.mean - b.mean > chance;
        *less += b.mean - a.mean > chance;
        used += (size_t)snprintf(f->text + used, sizeof f->text - used, "%s%.3f against %.3f",
                                 k ? ", " : "", a.mean, b.mean);
    }
    return SWQ_OK;
}

/* "Compared to the DAMQ approach, HIPIQS should always perform better" (4): at all three lengths.
 * Short runs only tell whether it does clearly worse. */
swq_status printed_better_than_damq(swq_context *ctx, swq_effort effort, uint64_t seed,
                                    swq_finding *f)
{
    int more, less;
    const swq_status status =
        against(ctx, effort, seed, "--buffer damq --block 1", &more, &less, f);

    if (!status)
        printed_none(f, effort == SWQ_EFFORT_QUICK ? less : 3 - more, 3);
    return status;
}

/* "Compared to crosspoint queuing, HIPIQS should almost always perform better" (4): less at none of
 * the three lengths, and more at one at least. */
swq_status printed_better_than_crosspoints(swq_context *ctx, swq_effort effort, uint64_t seed,
                                           swq_finding *f)
{
    int more, less;
    const swq_status status =
        against(ctx, effort, seed, "--architecture crosspoint --choice queue", &more, &less, f);

    if (!status)
        printed_none(f, more ? less : 3, 3);
    return status;
}

/* ---- 6.3.1: a torus of any dimension ---- */

/* Does a torus of so many dimensions, radix 3, have ceil(n/2) switches of 5 x 5 a node, and carry
 * full load without a deadlock? */
static swq_status torus_of_5_by_5(swq_context *ctx, int dims, uint64_t seed, bool *does)
{
    static const char *const extents[] = {"3x3x3", "3x3x3x3", "3x3x3x3x3"};
    swq_sim_options options = swq_sim_defaults();
    swq_fabric fabric = {0};
    swq_async_result result = {0};
    swq_figure_setting s;
    swq_status status = figure_network(ctx, &s,
                                       "--topology torus --chained --dims %s --buffer damq --bytes "
                                       "256 --flow maximum-usage --threshold 26 --load 1",
                                       extents[dims - 3]);

    options.cycles = 2000;
    options.warmup = 1000;
    options.seed = seed;
    if (!status)
        status = swq_fabric_count(ctx, &s.async.shape, &fabric);
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, NULL, &result);
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
    swq_sim_options options = swq_sim_defaults();
    swq_estimate cold[2];

    options.cycles = effort == SWQ_EFFORT_QUICK ? 20000 : 100000;
    options.warmup = 20000; /* until a tree of full buffers has grown */
    options.seed = seed;
    options.replications = 4;
    swq_figure_setting damq;
    swq_async *n = &damq.async;
    swq_status status = figure_setting_open(ctx, "table benchmarks", "DAMQ", 1, &damq);
    for (int large = 0; large < 2 && !status; large++) {
        swq_async_result result;
        n->sender.row = &swq_sender_feedback;
        n->sender.value[0] = 8;  /* hot */
        n->sender.value[1] = 4;  /* cold */
        n->sender.value[2] = 20; /* delay */
        n->memory.last_blocks = large ? 512 / n->packet.block : 0;
        status = swq_async_run(ctx, n, &options, NULL, &result);
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
