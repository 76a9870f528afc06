/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hop-level flow controls. Those of chapter 6 differ in a limit per queue; what they mean is in
 * build (net.c) and open_to (turn.h). What those mean whose senders are told with a delay is in
 * credit_rules.c and credits.c, and two_counter.c has the counters of two-counter flow control.
 * Room: sim. Includes base.
 */
#include "base/names.h"
#include "switchq/async.h"

const swq_hop_flow swq_flow_blocking = {
    .name = "block",
    .summary = "a buffer with less than a maximum packet free is sent nothing",
    .source = "Frazier (1995), 6.1.1 and 8.4.1",
    .engines = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_maximum_usage = {
    .name = "maximum-usage",
    .summary = "and a queue of more blocks than a threshold is sent nothing",
    .source = "Frazier (1995), 6.3.1 and 8.4.2; channel queue limits (Irland, 1978)",
    .threshold = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_credits = {
    .name = "credits",
    .summary = "a sender knows of the room in a buffer what credits have come back",
    .source = "Kung and Chapman (1993); Dally and Towles (2004), 13.3.1",
    .credits = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_stop_go = {
    .name = "stop-go",
    .summary = "a buffer tells its sender to stop at one occupancy, and to go again at a lower one",
    .source = "Dally and Towles (2004), 13.3.2, on/off flow control; Myrinet (Boden et al., 1995)",
    .stop_go = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_destination = {
    .name = "destination",
    .summary = "a buffer that has a packet for a node refuses another one for it",
    .source = "Dias and Kumar (1989); Frazier (1995), 8.4.4",
    .by_destination = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_destination_usage = {
    .name = "destination+maximum-usage",
    .summary =
        "both: refused for its node, and not sent to a queue of more blocks than a threshold",
    .source = "Frazier (1995), 8.5.10",
    .by_destination = true,
    .threshold = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_path = {
    .name = "path",
    .summary = "a buffer refuses a packet whose next hops are those of one that it has",
    .source = "Frazier (1995), 8.4.5",
    .by_path = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_path_usage = {
    .name = "path+maximum-usage",
    .summary =
        "both: refused for its path, and not sent to a queue of more blocks than a threshold",
    .source = "here, after Frazier (1995), 8.4.5 and 8.5.10",
    .by_path = true,
    .threshold = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow swq_flow_two_counter = {
    .name = "two-counter",
    .summary = "a queue's second counter, which rises and falls with time while the queue is long "
               "and short, closes it",
    .source = "Frazier (1995), 8.4.3 and Tables 8.1 and 8.2; hysteresis: Reiser (1983), Yum and "
              "Yen (1983)",
    .counters = true,
    .engines = SWQ_ENGINE_ASYNC,
};

const swq_hop_flow *const swq_hop_flows[] = {&swq_flow_blocking,          &swq_flow_maximum_usage,
                                             &swq_flow_credits,           &swq_flow_stop_go,
                                             &swq_flow_two_counter,       &swq_flow_destination,
                                             &swq_flow_destination_usage, &swq_flow_path,
                                             &swq_flow_path_usage,        NULL};

swq_status swq_hop_flow_find(swq_context *ctx, const char *name, const swq_hop_flow **flow)
{
    const void *row = swq_name_lookup(ctx, "flow", name, (const void *const *)swq_hop_flows);
    if (!row)
        return SWQ_EINVAL;
    *flow = row;
    return SWQ_OK;
}
