/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the spec of a network says of its lanes: the plan of the worms, and which specs have none.
 */
#include "sim/switches/wormhole/spec.h"
#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/frame/numbered.h"
#include "sim/switches/check.h"
#include "switchq/graph.h"

#include <stdio.h>
#include <string.h>

static swq_worm_pick pick_of(const swq_selection *row)
{
    if (!row || row->by_room)
        return SWQ_PICK_ROOM;
    return row->by_first ? SWQ_PICK_FIRST : row->by_turn ? SWQ_PICK_TURN : SWQ_PICK_RANDOM;
}

swq_worm_plan swq_worm_plan_of(const swq_async *spec, const swq_fabric *fabric)
{
    const int link = spec->architecture.lanes.link_delay;

    return (swq_worm_plan){
        .fabric = fabric,
        .lanes = spec->architecture.lanes.count,
        .node_lanes = spec->architecture.lanes.of_node,
        .lane_flits = spec->architecture.lanes.flits,
        .pool = spec->architecture.lanes.pool,
        .reserve = spec->architecture.lanes.reserve,
        .reserve_in_use = spec->architecture.lanes.reserve_in_use,
        .choice = spec->architecture.lanes.choice->lanes,
        .by_another = spec->shape.routing && spec->shape.routing->by_another,
        .routing = spec->shape.routing,
        .pick = pick_of(spec->arbiter.choice),
        .escapes_alike = spec->architecture.lanes.escapes_alike,
        .escapes_kept = spec->architecture.lanes.escapes_kept,
        .atomic = spec->architecture.lanes.given_empty,
        .times = {spec->architecture.lanes.router_delay[0],
                  spec->architecture.lanes.router_delay[1],
                  spec->architecture.lanes.router_delay[2],
                  spec->architecture.lanes.router_delay[3], link, link, spec->flow.credit_delay},
        .level_delay =
            spec->architecture.lanes.level_delay[0] ? spec->architecture.lanes.level_delay : NULL,
    };
}

/* The halves of the lanes, and their uses, must be known. */
static swq_status check_lanes(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_lanes_for lanes = n->architecture.lanes.choice->lanes;
    const bool halves = lanes == SWQ_LANES_DATELINE || lanes == SWQ_LANES_CROSSING;

    if (f->escapes && n->architecture.lanes.count <= f->escapes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "lanes must be at least %d with routing %s in topology %s, which has %d "
                        "escape lanes, not %d",
                        f->escapes + 1, n->shape.routing->name, n->shape.kind->name, f->escapes,
                        n->architecture.lanes.count);
    if (lanes != SWQ_LANES_ANY && swq_shape_adaptive(&n->shape) &&
        (!n->shape.kind->shortest_ways || f->escapes))
        return swq_fail(ctx, SWQ_EINVAL, "lane-choice must be any with routing %s, not %s",
                        n->shape.routing->name, n->architecture.lanes.choice->name);
    if (halves && (!f->shape.kind->rings || f->shape.chained))
        return swq_fail(ctx, SWQ_EINVAL,
                        "lane-choice %s is for tori with one switch a node, not for topology %s%s",
                        n->architecture.lanes.choice->name, n->shape.kind->name,
                        f->shape.chained ? " with chained switches" : "");
    const int phases = f->shape.kind->phases ? f->shape.kind->phases(&f->shape) : 0;
    if (lanes == SWQ_LANES_PHASE && phases == 0)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "lane-choice %s is for topologies whose ways have phases (dragonfly, hyperx, "
            "slim-fly, polarfly, megafly, graph), not for %s",
            n->architecture.lanes.choice->name, swq_shape_name(&n->shape));
    if (lanes == SWQ_LANES_PHASE && n->architecture.lanes.count < phases)
        return swq_fail(ctx, SWQ_EINVAL,
                        "lanes must be at least %d with lane-choice %s and routing %s in topology "
                        "%s, not %d",
                        phases, n->architecture.lanes.choice->name,
                        n->shape.routing ? n->shape.routing->name : swq_routings[0]->name,
                        n->shape.kind->name, n->architecture.lanes.count);
    const bool by_another = n->shape.routing && n->shape.routing->by_another;
    if (by_another &&
        (lanes == SWQ_LANES_DESTINATION || (lanes == SWQ_LANES_HOP && !f->shape.kind->places)))
        return swq_fail(ctx, SWQ_EINVAL, "lane-choice %s is not for routing %s%s%s",
                        n->architecture.lanes.choice->name, n->shape.routing->name,
                        lanes == SWQ_LANES_HOP ? " in topology " : "",
                        lanes == SWQ_LANES_HOP ? swq_shape_name(&n->shape) : "");
    if (by_another && n->architecture.lanes.count < (halves ? 4 : 2))
        return swq_fail(ctx, SWQ_EINVAL,
                        "lanes must be at least %d with routing %s and lane-choice %s, not %d",
                        halves ? 4 : 2, n->shape.routing->name, n->architecture.lanes.choice->name,
                        n->architecture.lanes.count);
    if (halves && n->architecture.lanes.count < 2)
        return swq_fail(ctx, SWQ_EINVAL, "lanes must be at least 2 with lane-choice %s, not %d",
                        n->architecture.lanes.choice->name, n->architecture.lanes.count);
    return SWQ_OK;
}

/* Checks the packets that a node sends at the same time, of which each needs a lane of its own. */
static swq_status check_nodes(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int lanes =
        n->architecture.lanes.count - (n->architecture.lanes.escapes_alike ? 0 : f->escapes);

    if (n->architecture.lanes.of_node >= 1 && n->architecture.lanes.of_node <= lanes)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "node-lanes must be from 1 to %d, the lanes over which nodes send here, not %d",
                    lanes, n->architecture.lanes.of_node);
}

/* Names the levels, for each of which a delay is wanted. */
static swq_status refuse_level_count(swq_context *ctx, const swq_fabric *f)
{
    char names[512] = "";

    for (int level = 0; level < f->levels; level++) {
        char name[48];
        const size_t used = strlen(names);
        f->shape.kind->level_name(f, level, name, sizeof name);
        snprintf(names + used, sizeof names - used, "%s%s", level ? ", " : "", name);
    }
    return swq_fail(ctx, SWQ_EINVAL, "level-delay must be %d numbers of cycles here, for %s",
                    f->levels, names);
}

/* A delay for every level of links, and none where delays are a file's. */
static swq_status check_level_delays(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int *delay = n->architecture.lanes.level_delay;
    swq_status status = SWQ_OK;

    if (!delay[0])
        return SWQ_OK;
    if (!f->shape.kind->point_to_point)
        return swq_fail(ctx, SWQ_EINVAL,
                        "level-delay is not for topology %s, whose nodes receive from other "
                        "switches than they send to",
                        swq_shape_name(&n->shape));
    if (f->shape.graph && f->shape.graph->delays)
        return swq_fail(ctx, SWQ_EINVAL, "level-delay is not for %s, which has delays of its own",
                        f->shape.graph->name);
    for (int level = 0; level < f->levels && !status && delay[level]; level++)
        status = swq_check_whole(ctx, "level-delay", delay[level], 1, SWQ_MAX_LINK_DELAY);
    if (!status && (!delay[f->levels - 1] || (f->levels < SWQ_MAX_LEVELS && delay[f->levels])))
        status = refuse_level_count(ctx, f);
    return status;
}

/* A pool must be large enough for the reserves of all its lanes. */
static swq_status check_pool(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_worm_plan plan = swq_worm_plan_of(n, f);

    if (n->architecture.lanes.pool == 0)
        return SWQ_OK;
    const int lanes = n->architecture.lanes.reserve_in_use
                          ? __builtin_popcount(swq_worm_first_lanes(&plan))
                          : n->architecture.lanes.count;
    if (n->architecture.lanes.reserve < 1 ||
        n->architecture.lanes.reserve > n->architecture.lanes.flits)
        return swq_fail(ctx, SWQ_EINVAL,
                        "lane-reserve must be from 1 to the %d flits that a lane may have, not %d",
                        n->architecture.lanes.flits, n->architecture.lanes.reserve);
    if (n->architecture.lanes.pool < lanes * n->architecture.lanes.reserve ||
        n->architecture.lanes.pool > SWQ_MAX_LANE_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "lane-pool must be from %d (%d reserved for each of %d lanes) to %d flits, "
                        "not %d",
                        lanes * n->architecture.lanes.reserve, n->architecture.lanes.reserve, lanes,
                        SWQ_MAX_LANE_POOL, n->architecture.lanes.pool);
    return SWQ_OK;
}

swq_status swq_worms_check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    static const int least[4] = {0, 0, 1, 0};
    const char *name = n->architecture.row->name;
    swq_status status =
        swq_check_whole(ctx, "lanes", n->architecture.lanes.count, 1, SWQ_MAX_LANES);

    if (!status)
        status =
            swq_check_whole(ctx, "lane-flits", n->architecture.lanes.flits, 1, SWQ_MAX_LANE_FLITS);
    if (!status)
        status = swq_check_whole(ctx, "link-delay", n->architecture.lanes.link_delay, 1,
                                 SWQ_MAX_LINK_DELAY);
    if (!status)
        status = check_level_delays(ctx, n, f);
    for (int k = 0; k < 4 && !status; k++)
        status = swq_check_whole(ctx, "router-delay", n->architecture.lanes.router_delay[k],
                                 least[k], k == 2 ? 1 : SWQ_MAX_ROUTER_DELAY);
    if (!status)
        status = swq_check_whole(ctx, "link-rest", n->link.rest, 0, 0);
    if (!status)
        status = check_lanes(ctx, n, f);
    if (!status)
        status = check_nodes(ctx, n, f);
    if (!status)
        status = check_pool(ctx, n, f);
    if (!status && n->flow.row != &swq_flow_blocking)
        status = swq_architecture_refuse(ctx, n, "flow", n->flow.row->name,
                                         "which has credits for each lane: flow block");
    if (!status && swq_async_managed(n))
        status = swq_architecture_refuse(ctx, n, "management", n->management.row->name,
                                         "whose queues are its lanes");
    if (!status && n->packet.piece > 0 && n->packet.piece < n->packet.max)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "piece must not be given with architecture %s, through which packets go "
                          "flit by flit",
                          name);
    if (!status && n->arbiter.choice && n->arbiter.choice->by_queue)
        status = swq_architecture_refuse(
            ctx, n, "choice", n->arbiter.choice->name,
            "which has lanes and no queues for outputs: room, random, first or turn");
    if (!status && (n->architecture.lanes.escapes_alike || n->architecture.lanes.escapes_kept) &&
        f->escapes == 0)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "%s is for escape lanes, which topology %s with routing %s does not have",
                          n->architecture.lanes.escapes_alike ? "escape-use" : "escape-exit",
                          n->shape.kind->name,
                          n->shape.routing ? n->shape.routing->name : swq_routings[0]->name);
    if (!status && n->arbiter.row != &swq_arbiter_rotating)
        status =
            swq_architecture_refuse(ctx, n, "arbiter", n->arbiter.row->name,
                                    "whose crossbar goes by one iteration of iSLIP of its own");
    if (!status && n->memory.release != SWQ_RELEASE_BLOCKS)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "release must be blocks with architecture %s, whose memory is free flit "
                          "by flit",
                          name);
    if (!status &&
        (double)f->switches * f->ports * n->architecture.lanes.count * n->architecture.lanes.flits >
            1e9)
        status =
            swq_fail(ctx, SWQ_ELIMIT, "architecture %s: the network has too many buffers", name);
    return status;
}
