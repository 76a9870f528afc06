/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hop-level flow controls: their table, and the flow controls of chapter 6, which differ in a
 * limit per queue and are carried out by build (net.c) and open_to (turn_asking.h). Flow controls
 * that do more are rows with hooks (flow.h), in files of their own: credits.c, two_counter.c,
 * acks.c, virtual_clock.c.
 */
#include "base/names.h"
#include "switchq/async.h"

const swq_hop_flow swq_flow_blocking = {
    .name = "block",
    .summary = "a buffer is sent nothing unless it has room for a packet of the greatest length",
    .source = "Frazier (1995), 6.1.1 and 8.4.1",
    .engines = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_maximum_usage = {
    .name = "maximum-usage",
    .summary = "as block, and a queue of more blocks than a threshold is sent nothing",
    .source = "Frazier (1995), 6.3.1 and 8.4.2; channel queue limits (Irland, 1978)",
    .threshold = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow *const swq_hop_flows[] = {&swq_flow_blocking,
                                             &swq_flow_maximum_usage,
                                             &swq_flow_credits,
                                             &swq_flow_stop_go,
                                             &swq_flow_two_counter,
                                             &swq_flow_destination,
                                             &swq_flow_destination_usage,
                                             &swq_flow_path,
                                             &swq_flow_path_usage,
                                             &swq_flow_virtual_clock,
                                             NULL};

swq_status swq_hop_flow_find(swq_context *ctx, const char *name, const swq_hop_flow **flow)
{
    const void *row = swq_name_lookup(ctx, "flow", name, (const void *const *)swq_hop_flows);
    if (!row)
        return SWQ_EINVAL;
    *flow = row;
    return SWQ_OK;
}
