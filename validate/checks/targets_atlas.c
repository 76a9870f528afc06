/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of document 001 (a survey) on ATLAS I that no figure has: the chip's parameters as the
 * model has them, and the buffer that a link needs.
 * Room: validate. Includes sim.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"

#include <stdio.h>

#define UNUSED (void)effort, (void)seed

enum { PORTS = 16, PRIORITIES = 3 };

/* A node of a switch sends as much as it can to another node, over links with that many credits. */
static swq_status one_flow(swq_context *ctx, uint64_t seed, int pool, swq_async_result *result)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();

    n.architecture = &swq_atlas_cells;
    n.shape = (swq_shape){.ports = PORTS, .stages = 1};
    n.link_rest = 0;
    n.pool_cells = pool;
    swq_status status = swq_fabric_find(ctx, "switch", &n.shape);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    group.mask = PORTS - 1;
    group.type[0].aim = SWQ_AIM_NODE;
    group.type[0].value = PORTS - 1;
    n.group = &group;
    n.groups = 1;
    options.seed = seed;
    options.warmup = 3200;
    options.cycles = 32000;
    return status ? status : swq_async_run(ctx, &n, &options, NULL, result);
}

/* A switch of 16 ports is one of the networks that can be run. */
swq_status printed_atlas_ports(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_async_result result;
    const swq_status status = one_flow(ctx, seed, swq_async_defaults().pool_cells, &result);

    (void)effort;
    if (!status)
        swq_finding_near(f, result.sim.nodes, PORTS, 0);
    return status;
}

/* 256 cells are 16 for each of 16 ports. 51 of the 54 queues are those of 3 priorities, each with
 * one for each output and one for the chip's control; one more per priority is for multicast. */
swq_status printed_atlas_cells(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const int outputs = PRIORITIES * PORTS, control = PRIORITIES, multicast = PRIORITIES;
    int wrong = swq_async_defaults().pool_cells * PORTS != 256;

    (void)ctx;
    UNUSED;
    wrong += outputs + control + multicast != 54;
    printed_none(f, wrong, 2);
    return SWQ_OK;
}

swq_status printed_atlas_groups(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    (void)ctx;
    UNUSED;
    swq_finding_near(f, swq_async_defaults().group_lanes, 4096, 0);
    return SWQ_OK;
}

/* With a round trip of 6 cycles and cells of 32, one credit keeps a link busy. */
swq_status printed_atlas_one_cell(swq_context *ctx, swq_effort effort, uint64_t seed,
                                  swq_finding *f)
{
    swq_async_result result;
    const swq_status status = one_flow(ctx, seed, 1, &result);

    (void)effort;
    if (!status)
        swq_finding_near(f, result.sim.all.throughput.mean * PORTS, 1, 1e-9);
    return status;
}

/* Printed: more than one credit of the pool. Then a pool of one would carry nothing. */
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
