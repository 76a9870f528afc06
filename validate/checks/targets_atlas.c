/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of document 001 (a survey) on ATLAS I that no figure has: the chip's parameters as the
 * model has them, and the buffer that a link needs.
 */
#include "base/context.h"
#include "sim/patterns/patterns.h"
#include "validate/checks/printed_find.h"

#include <stdio.h>

enum { PORTS = 16, FASTER = 4, CELL = 32 /* bytes */ };

/* The nodes of a switch, or the first node alone, send as much as they can to another node each,
 * over links with `pool` credits. */
static swq_status run_flows(swq_context *ctx, uint64_t seed, int ports, int cell, int pool,
                            bool first_alone, swq_async_result *result)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();

    n.architecture.row = &swq_atlas_cells;
    n.shape = (swq_shape){.ports = ports, .stages = 1};
    n.link.rest = 0;
    n.architecture.cells.pool = pool;
    n.packet.max = cell;
    swq_status status = swq_fabric_find(ctx, "switch", &n.shape);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, cell, 0});
    if (first_alone)
        group.mask = (uint32_t)ports - 1;
    group.type[0].pattern = &swq_pattern_bit_complement;
    n.traffic.group = &group;
    n.traffic.groups = 1;
    options.seed = seed;
    options.warmup = 3200;
    options.cycles = 32000;
    return status ? status : swq_async_run(ctx, &n, &options, NULL, result);
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

/* A sender of a 16 x 16 switch with all it can, to all nodes d with d & 14 == value. */
static swq_sender_group multicaster(const swq_async *n, uint32_t node, uint32_t value, int priority)
{
    swq_sender_group group =
        swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, CELL, 0});

    group.mask = PORTS - 1;
    group.value = node;
    group.priority = priority;
    group.type[0].aim = SWQ_AIM_ALL;
    group.type[0].mask = PORTS - 2;
    group.type[0].value = value;
    return group;
}

/* Node 0 multicasts to nodes 14 and 15, and node 15 gets cells of priority 0 all the time, so that
 * later priorities wait for ever. Node 1 multicasts to nodes 12 and 13, which get no other cells.
 * *copies: bytes per cycle that node 1 gets through. */
static swq_status run_behind(swq_context *ctx, uint64_t seed, int blocked, int behind,
                             double *copies)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;

    n.architecture.row = &swq_atlas_cells;
    n.shape = (swq_shape){.ports = PORTS, .stages = 1};
    n.link.rest = 0;
    n.packet.max = CELL;
    swq_status status = swq_fabric_find(ctx, "switch", &n.shape);
    swq_sender_group group[] = {multicaster(&n, 0, PORTS - 2, blocked),
                                multicaster(&n, 1, PORTS - 4, behind), multicaster(&n, 4, 0, 0)};
    group[2].mask = PORTS - 4; /* nodes 4 to 7 */
    group[2].type[0].aim = SWQ_AIM_NODE;
    group[2].type[0].value = PORTS - 1;
    n.traffic.group = group;
    n.traffic.groups = 3;
    options.seed = seed;
    options.warmup = 3200;
    options.cycles = 32000;
    if (!status)
        status = swq_async_run(ctx, &n, &options, NULL, &result);
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
