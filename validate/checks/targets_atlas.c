/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of document 001 (a survey) on ATLAS I that no figure has: the chip's parameters as the
 * model has them, and the buffer that a link needs.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/figures.h"

#include <stdio.h>

enum { PORTS = 16, FASTER = 4, CELL = 32 /* bytes */ };

/* The nodes of a switch, or the first node alone, send as much as they can to another node each,
 * over links with `pool` credits. */
static swq_status run_flows(swq_context *ctx, uint64_t seed, int ports, int cell, int pool,
                            bool first_alone, swq_async_result *result)
{
    swq_sim_options options = swq_sim_defaults();
    swq_figure_setting s;
    const swq_status status =
        figure_network(ctx, &s,
                       "--engine async --topology switch --architecture atlas --ports %d "
                       "--pool-cells %d --max-packet %d --group "
                       "mask=%d,load=1,length=%d,traffic=bit-complement",
                       ports, pool, cell, first_alone ? ports - 1 : 0, cell);

    options.seed = seed;
    options.warmup = 3200;
    options.cycles = 32000;
    return status ? status : swq_async_run(ctx, &s.async, &options, NULL, result);
}

/* 16 x 16, and 4 x 4 with links four times as fast, on which a cell takes a quarter of the cycles,
 * and as many cells in the switch: when every node sends to another one either carries 16 bytes a
 * cycle. Fails if a switch of either size cannot keep all of its links busy. */
swq_status printed_atlas_ports(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const int ports[] = {PORTS, PORTS / FASTER};
    const int pool = swq_async_defaults().architecture.cells.pool;
    swq_status status = SWQ_OK;
    int wrong = 0;

    (void)effort;
    for (int k = 0; k < 2 && !status; k++) {
        swq_async_result result;
        const int faster = PORTS / ports[k];
        status = run_flows(ctx, seed, ports[k], CELL / faster, pool * faster, false, &result);
        wrong += !status && result.sim.all.throughput.mean * ports[k] * faster < PORTS - 1e-9;
    }
    if (!status)
        printed_none(f, wrong, 2);
    return status;
}

/* With a round trip of 6 cycles and cells of 32, one credit keeps a link busy. */
swq_status printed_atlas_one_cell(swq_context *ctx, swq_effort effort, uint64_t seed,
                                  swq_finding *f)
{
    swq_async_result result;
    const swq_status status = run_flows(ctx, seed, PORTS, CELL, 1, true, &result);

    (void)effort;
    if (!status)
        swq_finding_near(f, result.sim.all.throughput.mean * PORTS, 1, 1e-9);
    return status;
}

/* Printed: a cell needs more than one credit of the pool. If that were so, a pool of one credit
 * would carry nothing. */
swq_status printed_atlas_condition(swq_context *ctx, swq_effort effort, uint64_t seed,
                                   swq_finding *f)
{
    const swq_status status = printed_atlas_one_cell(ctx, effort, seed, f);

    if (!status) {
        swq_finding_near(f, f->left, 0, 0);
        if (f->outcome == SWQ_OUTCOME_FAIL)
            f->off = 1;
    }
    return status;
}

/* ---- multicast queues ---- */

/* Node 0 multicasts to nodes 14 and 15, and node 15 gets cells of priority 0 all the time, so that
 * later priorities wait for ever. Node 1 multicasts to nodes 12 and 13, which get no other cells.
 * *copies: bytes per cycle that node 1 gets through. */
static swq_status run_behind(swq_context *ctx, uint64_t seed, int blocked, int behind,
                             double *copies)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    swq_figure_setting s;
    swq_status status =
        figure_network(ctx, &s,
                       "--engine async --topology switch --architecture atlas --ports 16 "
                       "--group mask=15,value=0,load=1,priority=%d,traffic=all:14:14 "
                       "--group mask=15,value=1,load=1,priority=%d,traffic=all:14:12 "
                       "--group mask=12,value=4,load=1,traffic=node:15",
                       blocked, behind);

    options.seed = seed;
    options.warmup = 3200;
    options.cycles = 32000;
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, NULL, &result);
    if (!status)
        *copies = result.sim.by_group[1].throughput.mean;
    return status;
}

/* Printed: 3 multicast queues and 3 priorities. With a queue for each priority, a first cell that
 * waits holds up the cells of its priority, and no others. Fails if cells of an earlier priority do
 * not fill both of their outputs, or if any cell of the same priority leaves. */
swq_status printed_atlas_multicast(swq_context *ctx, swq_effort effort, uint64_t seed,
                                   swq_finding *f)
{
    swq_status status = SWQ_OK;
    int wrong = 0, pairs = 0;

    (void)effort;
    for (int blocked = 1; blocked < SWQ_CELL_PRIORITIES; blocked++) {
        for (int behind = 0; behind <= blocked && !status; behind++, pairs++) {
            double copies = 0;
            status = run_behind(ctx, seed, blocked, behind, &copies);
            wrong += !status && (behind < blocked ? copies < 2 - 1e-9 : copies > 0);
        }
    }
    if (!status)
        printed_none(f, wrong, pairs);
    return status;
}
