/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The defaults of an asynchronous network. network_check.c has the checks on a spec.
 * Room: sim. Includes base and models.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"

swq_async swq_async_defaults(void)
{
    return (swq_async){
        .block = 8,
        .max_packet = 32,
        .flow = &swq_flow_blocking,
        .architecture = &swq_input_queued,
        .management = &swq_management_none,
        .arbiter = &swq_arbiter_rotating,
        .hop_delay = 5,
        .link_rest = 2,
        .speedup_bytes = 1,
        .speedup_cycles = 1,
        .crossbar_delay = 1,
        .credit_delay = 1,
        .crosspoint_chunks = 2,
        .fifo = 32,
        .lanes = 4,
        .node_lanes = 1,
        .lane_flits = 8,
        .lane_reserve = 1,
        .pool_cells = 16,
        .lane_cells = 1,
        .group_lanes = SWQ_MAX_FLOW_GROUPS,
        .lane_choice = &swq_lane_choice_any,
        .router_delay = {0, 1, 1, 1},
        .link_delay = 1,
        .turnpool_bits = 31,
        .interface = 64,
        .inspection = 1,
    };
}
