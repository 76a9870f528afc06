/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The check of the spec of an asynchronous network: its rows, its routing, and its parts one by
 * one.
 */
#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/async/checks.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/pieces.h"
#include "sim/frame/rule.h"
#include "sim/frame/schemes.h"
#include "sim/switches/check.h"
#include "sim/tables/gate.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace.h"
#include "switchq/graph.h"

#include <math.h>
#include <stdio.h>

static swq_status check_architecture(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!n->architecture.row)
        return swq_fail(ctx, SWQ_EINVAL, "architecture must be given");
    if (swq_async_stores(n))
        return swq_async_stores(n)->check(ctx, n, f);
    return n->architecture.row->async.output_stores ? swq_check_output_stores(ctx, n, f) : SWQ_OK;
}

static swq_status check_rows(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!n->flow.row)
        return swq_fail(ctx, SWQ_EINVAL, "flow must be given");
    if (!n->arbiter.row)
        return swq_fail(ctx, SWQ_EINVAL, "arbiter must be given");
    if (n->arbiter.row->most_ports && f->ports > n->arbiter.row->most_ports)
        return swq_fail(ctx, SWQ_EINVAL, "arbiter %s is for switches of at most %d ports, not %d",
                        n->arbiter.row->name, n->arbiter.row->most_ports, f->ports);
    if (n->flow.row->threshold)
        return swq_check_whole(ctx, "threshold", n->flow.threshold, 0, SWQ_MAX_BUFFER_BLOCKS);
    return SWQ_OK;
}

/* Parts of lanes, which a table of routes may name, are taken by phase. */
static swq_status check_parts(swq_context *ctx, const swq_async *n)
{
    const bool lanes = n->architecture.row->async.lanes;

    if (!n->shape.graph || !n->shape.graph->parts ||
        (lanes && n->architecture.lanes.choice->lanes == SWQ_LANES_PHASE))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "routes of this table name parts of lanes, which are for architecture %s with "
                    "lane choice %s, not for %s",
                    swq_wormhole_lanes.name, swq_lane_choice_phase.name,
                    lanes ? n->architecture.lanes.choice->name : n->architecture.row->name);
}

/* Checks that the network supports a choice of outputs, if it has one. */
static swq_status check_routing(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_status status = check_parts(ctx, n);

    if (status)
        return status;
    if (n->arbiter.choice && !swq_shape_adaptive(&n->shape))
        return swq_fail(ctx, SWQ_EINVAL, "choice is for routing adaptive, not for deterministic");
    if (n->arbiter.choice && !n->arbiter.row->unrolled && !swq_async_stores(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "choice is for arbiter %s, not for %s, which matches queues to outputs "
                        "itself",
                        swq_arbiter_rotating.name, n->arbiter.row->name);
    if (n->arbiter.choice && n->arbiter.choice->by_turn && !n->architecture.row->async.lanes)
        return swq_fail(
            ctx, SWQ_EINVAL, "choice %s is for architecture %s, which has lanes, not %s",
            n->arbiter.choice->name, swq_wormhole_lanes.name, n->architecture.row->name);
    if (swq_shape_chooses(&n->shape) && n->architecture.row != &swq_wormhole_lanes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for architecture %s, which has lanes for each link of a "
                        "way, not for %s",
                        n->shape.routing->name, swq_wormhole_lanes.name, n->architecture.row->name);
    if (n->shape.routing && n->shape.routing->by_another &&
        n->architecture.row != &swq_wormhole_lanes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for architecture %s, which has lanes for both halves of a "
                        "way, not for %s",
                        n->shape.routing->name, swq_wormhole_lanes.name, n->architecture.row->name);
    if (n->shape.drawn_ways && n->architecture.row != &swq_wormhole_lanes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ways drawn is for architecture %s, whose packets carry what was drawn, "
                        "not for %s",
                        swq_wormhole_lanes.name, n->architecture.row->name);
    if (!swq_shape_adaptive(&n->shape))
        return SWQ_OK;
    if (n->shape.kind->shortest_ways && n->architecture.row != &swq_wormhole_lanes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s in topology %s is for architecture %s, which has lanes for "
                        "each link of a way, not for %s",
                        n->shape.routing->name, swq_shape_name(&n->shape), swq_wormhole_lanes.name,
                        n->architecture.row->name);
    if (swq_async_managed(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing must be deterministic with a management (%s), whose queues are "
                        "for the ways of packets, not %s",
                        n->management.row->name, n->shape.routing->name);
    if (swq_credits_ask(n) && f->escapes > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for escape queues, for each of which a packet's room is "
                        "reserved (routing %s in topology %s): --flow block, maximum-usage",
                        n->flow.row->name, n->shape.routing->name, n->shape.kind->name);
    if (swq_credits_ask(n) && n->arbiter.choice &&
        (n->arbiter.choice->by_room || n->arbiter.choice->by_queue))
        return swq_fail(ctx, SWQ_EINVAL,
                        "choice %s depends on the contents of stores, which flow %s does not show: "
                        "choice must be random or first",
                        n->arbiter.choice->name, n->flow.row->name);
    return SWQ_OK;
}

static swq_status check_flow(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!swq_acks_ask(n) &&
        (n->flow.answers.path_hops || n->flow.answers.stages || n->flow.answers.no_abort ||
         n->flow.answers.no_restrict || n->flow.answers.no_requeue || n->flow.answers.no_preroute))
        return swq_fail(ctx, SWQ_EINVAL,
                        "path-hops, destination-stages, no-abort, no-restrict, no-requeue and "
                        "no-preroute are for flows destination and path, not for %s",
                        n->flow.row->name);
    return n->flow.row->hooks ? n->flow.row->hooks->check(ctx, n, swq_async_queues(n, f)) : SWQ_OK;
}

/* Which options a row takes is said by members of the row itself. */
static const swq_takes takes = {.who = "the asynchronous engine",
                                .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS) | SWQ_NEEDS(SWQ_NEED_BYTES)};

swq_status swq_async_check(swq_context *ctx, const swq_async *n, uint32_t *nodes)
{
    swq_fabric f = {0};
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status)
        status = swq_check_buffer(ctx, n, &f);
    if (!status)
        status = swq_check_last(ctx, n, &f);
    if (!status)
        status = swq_check_whole(ctx, "hop-delay", n->link.hop_delay, 1, SWQ_MOST_DELAY);
    if (!status)
        status = swq_check_whole(ctx, "link-rest", n->link.rest, 0, SWQ_MOST_DELAY);
    if (!status)
        status = swq_check_whole(ctx, "release", (int)n->memory.release, SWQ_RELEASE_BLOCKS,
                                 SWQ_RELEASE_AFTER);
    if (!status && n->memory.release == SWQ_RELEASE_AFTER)
        status = swq_check_whole(ctx, "release", n->memory.release_cycles, 1, SWQ_MOST_DELAY);
    if (!status)
        status = check_rows(ctx, n, &f);
    if (!status)
        status = check_architecture(ctx, n, &f);
    if (!status)
        status = swq_check_links(ctx, n);
    if (!status)
        status = swq_check_management(ctx, n, &f);
    if (!status)
        status = swq_check_notices(ctx, n);
    if (!status)
        status = swq_pieces_check(ctx, n, &f);
    if (!status)
        status = check_routing(ctx, n, &f);
    if (!status)
        status = check_flow(ctx, n, &f);
    if (!status)
        status = swq_check_traffic(ctx, n, &f);
    if (!status)
        status = swq_after_check(ctx, n);
    if (!status)
        status = swq_messages_check(ctx, n);
    if (!status)
        status = swq_scheme_check(ctx, n, &f);
    if (!status)
        status = swq_gate_async(ctx, &takes, n);
    if (!status)
        *nodes = f.nodes;
    return status;
}
