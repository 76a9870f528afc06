/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of document 001 (a survey) on ATLAS I that no figure has: the chip's parameters as the
 * model has them, and the buffer that a link needs.
 * Room: validate. Includes sim.
 */
#include "base/context.h"
#include "sim/patterns/patterns.h"
#include "validate/checks/printed_find.h"

#include <stdio.h>

enum { PORTS = 16, FASTER = 4, CELL = 32 /* bytes */ };

/* The nodes of a switch, or the first of them alone, send as much as they can to another node each,
 * over links with that many credits. */
static swq_status run_flows(swq_context *ctx, uint64_t seed, int ports, int cell, int pool,
                            bool first_alone, swq_async_result *result)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();

    n.architecture = &swq_atlas_cells;
    n.shape = (swq_shape){.ports = ports, .stages = 1};
    n.link_rest = 0;
    n.pool_cells = pool;
    n.max_packet = cell;
    swq_status status = swq_fabric_find(ctx, "switch", &n.shape);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, cell, 0});
    if (first_alone)
        group.mask = (uint32_t)ports - 1;
    group.type[0].pattern = &swq_pattern_bit_complement;
    n.group = &group;
    n.groups = 1;
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
    const int pool = swq_async_defaults().pool_cells;
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
