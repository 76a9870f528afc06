/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The defaults of an asynchronous network. network_check.c has the checks on a spec.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"

swq_async swq_async_defaults(void)
{
    return (swq_async){
        .packet.block = 8,
        .packet.max = 32,
        .flow.row = &swq_flow_blocking,
        .architecture.row = &swq_input_queued,
        .management.row = &swq_management_none,
        .arbiter.row = &swq_arbiter_rotating,
        .link.hop_delay = 5,
        .link.rest = 2,
        .architecture.output.speedup_bytes = 1,
        .architecture.output.speedup_cycles = 1,
        .architecture.output.crossbar_delay = 1,
        .flow.credit_delay = 1,
        .architecture.stores.crosspoint_chunks = 2,
        .architecture.stores.fifo = 32,
        .architecture.lanes.count = 4,
        .architecture.lanes.of_node = 1,
        .architecture.lanes.flits = 8,
        .architecture.lanes.reserve = 1,
        .architecture.cells.pool = 16,
        .architecture.cells.lane = 1,
        .architecture.cells.groups = SWQ_MAX_FLOW_GROUPS,
        .architecture.lanes.choice = &swq_lane_choice_any,
        .architecture.lanes.router_delay = {0, 1, 1, 1},
        .architecture.lanes.link_delay = 1,
        .management.turnpool_bits = 31,
        .interface.packets = 64,
        .management.inspection = 1,
    };
}
