/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of document 003 (Sivaram, Stunkel and Panda 1997, HIPIQS) that are in none of its
 * figures: its network, parameters, least latency, fragmentation and crosspoints, compared with the
 * simulated network's.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>

#define UNUSED (void)effort, (void)seed

enum { PORTS = 8 /* of a switch: four up, four down; also flits of a chunk */ };

/* The network of 5.1, with open sources; flits are the engine's bytes. */
static swq_status hipiqs(swq_context *ctx, int levels, int message, const char *length, double load,
                         swq_figure_setting *s)
{
    return figure_network(ctx, s,
                          "--topology tree --arity 4 --levels %d --routing adaptive --choice queue "
                          "--architecture hipiqs --bytes 640 --chunk 8 --hop-delay 3 --link-rest 0 "
                          "--sources open --max-packet %d --length %s --load %g",
                          levels, message, length, load);
}

/* 16 nodes, 8 switches; 64 nodes, 48; all of 8 ports. */
swq_status printed_bmin_sizes(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const uint32_t nodes[] = {16, 64}, switches[] = {8, 48};
    int wrong = 0;

    UNUSED;
    for (int k = 0; k < 2; k++) {
        swq_figure_setting s;
        swq_fabric fabric;
        swq_status status = hipiqs(ctx, 2 + k, 64, "64", 0.5, &s);
        if (!status)
            status = swq_fabric_count(ctx, &s.async.shape, &fabric);
        if (status)
            return status;
        wrong += fabric.nodes != nodes[k];
        wrong += fabric.switches != switches[k];
        wrong += fabric.ports != PORTS;
    }
    printed_none(f, wrong, 6);
    return SWQ_OK;
}

/* 5 KB in a switch with 8 ports and flits of 2 bytes are 320 flits per port, the smallest buffer in
 * the figures. */
swq_status printed_bmin_buffer(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_figure_kind *kind;
    double least = INFINITY;

    UNUSED;
    swq_status status = swq_figure_open(ctx, "003.7", false, &kind);
    if (status)
        return status;
    for (int k = 0; k < kind->plan->lines * (kind->plan->xs + 1); k++)
        least = fmin(least, kind->plan->there[k] ? kind->plan->setting[k].memory : INFINITY);
    swq_figure_close(ctx, kind);
    swq_finding_near(f, least, 5 * 1024.0 / PORTS / 2, 0);
    return SWQ_OK;
}

/* The figures run a million cycles by default, measured after 350,000. */
swq_status printed_bmin_cycles(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const double cycles = (double)swq_figure_defaults(false).cycles;
    swq_figure_kind *kind;

    UNUSED;
    swq_status status = swq_figure_open(ctx, "003.7", false, &kind);
    if (status)
        return status;
    const figure_lengths run = kind->plan->run;
    swq_figure_close(ctx, kind);
    swq_finding_near(f, cycles * (run.measured + run.warmup), 1e6,
                     cycles * run.warmup >= 350000 ? 0 : -1);
    return SWQ_OK;
}

/* A single message through three switches: cycles from its creation until its header is on the last
 * link, less one for each link before, per switch. */
swq_status printed_hipiqs_least(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const swq_async_message message = {0, 0, 5, 64};
    swq_sim_options options = swq_sim_defaults();
    swq_figure_setting s;
    swq_async_result result;

    UNUSED;
    swq_status status = hipiqs(ctx, 2, 64, "64", 0.5, &s);
    s.async.traffic.trace = &message;
    s.async.traffic.trace_messages = 1;
    options.cycles = 1000;
    options.warmup = 0;
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, NULL, &result);
    if (!status)
        swq_finding_near(f, result.sim.all.latency.mean / result.sim.all.hops.mean - 1, 2, 0);
    return status;
}

/* Two chunks, each with as many flits as a switch has ports. */
swq_status printed_crosspoint_fifo(swq_context *ctx, swq_effort effort, uint64_t seed,
                                   swq_finding *f)
{
    swq_figure_setting s;

    UNUSED;
    swq_status status = hipiqs(ctx, 2, 64, "64", 0.5, &s);
    if (!status)
        swq_finding_near(f, s.async.architecture.stores.crosspoint_chunks * s.async.packet.block,
                         2 * PORTS, 0);
    return status;
}

/* With messages of 1 to 16 flits and a network full of them: the most partly filled chunks in an
 * input buffer. */
swq_status printed_partly_filled(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_sim_options options = swq_sim_defaults();
    swq_figure_setting s;
    swq_async_result result;

    options.seed = seed;
    options.cycles = effort == SWQ_EFFORT_QUICK ? 20000 : 200000;
    options.warmup = 5000;
    swq_status status = hipiqs(ctx, 2, 16, "1-16", 1, &s);
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, NULL, &result);
    if (!status) {
        swq_finding_near(f, result.chunks.most_partly, 0, PORTS);
        snprintf(f->text, sizeof f->text, "at most %g chunks of an input buffer, %.2f on average",
                 result.chunks.most_partly, result.chunks.partly);
    }
    return status;
}

/* Counts section 4's crosspoints one by one: the crossbar of an input connects k banks and the
 * bypass to k outputs, the multiplexor of an output k inputs to one. */
swq_status printed_crosspoints(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const double k = PORTS;
    double points = 0;

    (void)ctx;
    UNUSED;
    for (int port = 0; port < PORTS; port++)
        points += (k + 1) * k + k;
    swq_finding_near(f, points, (k + 2) * k * k, 0);
    snprintf(f->text, sizeof f->text,
             "HIPIQS %g crosspoints a bit with 8 ports, SP central buffer %g, DAMQ %g", points,
             3 * k * k, k * k);
    return SWQ_OK;
}
