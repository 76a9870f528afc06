/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of wormhole switching: the lanes of a link and the stages of a switch. Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *lanes, *node_lanes, *lane_flits, *lane_pool, *lane_reserve, *lane_reserve_for,
        *lane_choice, *lane_reuse, *escape_use, *escape_exit, *router_delay, *link_delay;
} given;

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &given.member, SWQ_ENGINE_ASYNC, help, argument               \
    }

struct poptOption cli_lanes_options[] = {
    TEXT("lanes", lanes,
         "wormhole: lanes (virtual channels) of a link, each with a buffer at its end (default 4); "
         "atlas: flow groups that use a link at once (default 4096)",
         "L"),
    TEXT("node-lanes", node_lanes,
         "wormhole: packets that a node sends at once, each in a lane of its own, flit by flit in "
         "turn (default 1: one packet after another)",
         "N"),
    TEXT("lane-flits", lane_flits, "wormhole: flits that the buffer of a lane holds (default 8)",
         "F"),
    TEXT("lane-pool", lane_pool,
         "wormhole: flits in one buffer that all lanes of a link share; --lane-flits then limits "
         "what a lane may take (default: each lane has a buffer of its own)",
         "P"),
    TEXT("lane-reserve", lane_reserve,
         "wormhole with --lane-pool: flits of the pool that are reserved for each lane (default 1)",
         "N"),
    TEXT("lane-reserve-for", lane_reserve_for,
         "wormhole with --lane-pool: lanes have their reserve always (default: DAMQall), or only "
         "while they have a packet or flits, and every packet always finds a lane (ViChaR)",
         "all|used"),
    TEXT("lane-choice", lane_choice,
         "wormhole: which lanes of a link a packet may take: 'switchq list lane-choices' (default "
         "any; torus with deterministic routing: dateline; dragonfly: phase)",
         "NAME"),
    TEXT("lane-reuse", lane_reuse,
         "wormhole: a lane goes to the next packet when the last flit of the previous one has been "
         "sent (default), or when its buffer is empty (default with adaptive routing in meshes and "
         "tori, which could deadlock otherwise)",
         "sent|empty"),
    TEXT("escape-use", escape_use,
         "wormhole, --routing adaptive in meshes and tori: packets take an escape lane when no "
         "other lane is free (default), or like any other lane; with alike, nodes send over all "
         "lanes",
         "last|alike"),
    TEXT("escape-exit", escape_exit,
         "wormhole, --routing adaptive in meshes and tori: a packet may leave escape lanes for any "
         "free lane (default), or stays in escape lanes to its destination",
         "free|never"),
    TEXT("router-delay", router_delay,
         "wormhole: cycles of the stages of a switch: routing, lane allocation, crossbar "
         "allocation and crossing (default 0,1,1,1)",
         "R,V,S,X"),
    TEXT("link-delay", link_delay, "wormhole: cycles of a flit, or a credit, on a link (default 1)",
         "N"),
    POPT_TABLEEND,
};

swq_status cli_lanes_refuse(swq_context *ctx, const swq_architecture *row)
{
    const struct {
        const char *option, *text;
    } owned[] = {
        {"node-lanes", given.node_lanes},
        {"lane-flits", given.lane_flits},
        {"lane-pool", given.lane_pool},
        {"lane-reserve", given.lane_reserve},
        {"lane-reserve-for", given.lane_reserve_for},
        {"lane-choice", given.lane_choice},
        {"lane-reuse", given.lane_reuse},
        {"escape-use", given.escape_use},
        {"escape-exit", given.escape_exit},
        {"router-delay", given.router_delay},
        {"link-delay", given.link_delay},
    };
    if (given.lanes && !row->lanes && !row->flow_groups)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--lanes is for --architecture wormhole and atlas, not for %s", row->name);
    static const char *const others[] = {"hop-delay", "link-rest", "bytes", NULL};

    for (size_t k = 0; k < sizeof owned / sizeof *owned && !row->lanes; k++) {
        if (owned[k].text)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --architecture wormhole, not for %s",
                            owned[k].option, row->name);
    }
    for (int k = 0; others[k] && row->lanes; k++) {
        if (cli_text(cli_async_options, others[k]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s is not for --architecture %s, which has --lanes, --lane-flits, "
                            "--router-delay and --link-delay",
                            others[k], row->name);
    }
    return SWQ_OK;
}

/* R,V,S,X, each within its range. */
static swq_status read_router_delay(swq_context *ctx, int delay[4])
{
    static const int least[4] = {0, 0, 1, 0}, most[4] = {64, 64, 1, 64};
    const char *at = given.router_delay;

    for (int k = 0; k < 4; k++) {
        char *end;
        const long value = strtol(at, &end, 10);
        const bool fine = end > at && *end == (k < 3 ? ',' : '\0') && value >= least[k] &&
                          value <= most[k] && *at >= '0' && *at <= '9';
        if (!fine)
            return swq_fail(
                ctx, SWQ_EINVAL,
                "--router-delay must be four numbers of cycles, R,V,S,X: routing 0 to 64, lane "
                "allocation 0 to 64, crossbar allocation 1, crossing 0 to 64; not '%.60s'",
                given.router_delay);
        delay[k] = (int)value;
        at = end + 1;
    }
    return SWQ_OK;
}

/* Unless told otherwise, a lane may take all of its pool. */
static swq_status read_pool(swq_context *ctx, swq_async *net)
{
    static const char *const whom[] = {"all", "used", NULL};
    const char *option = given.lane_reserve ? "lane-reserve" : "lane-reserve-for";
    int used = 0;

    if (!given.lane_pool && (given.lane_reserve || given.lane_reserve_for))
        return swq_fail(ctx, SWQ_EINVAL, "--%s is for --lane-pool, which is not given", option);
    if (!given.lane_pool)
        return SWQ_OK;
    swq_status status =
        cli_integer(ctx, "lane-pool", given.lane_pool, 1, SWQ_MAX_LANE_POOL, &net->lane_pool);
    if (!status && !given.lane_flits)
        net->lane_flits = net->lane_pool < SWQ_MAX_LANE_FLITS ? net->lane_pool : SWQ_MAX_LANE_FLITS;
    if (!status && given.lane_reserve)
        status = cli_integer(ctx, "lane-reserve", given.lane_reserve, 1, SWQ_MAX_LANE_FLITS,
                             &net->lane_reserve);
    if (!status && given.lane_reserve_for)
        status = cli_word(ctx, "lane-reserve-for", given.lane_reserve_for, whom, &used);
    net->reserve_in_use = used == 1;
    return status;
}

/* Are some lanes escape lanes? */
static bool has_escapes(const swq_async *net)
{
    return swq_shape_adaptive(&net->shape) && net->shape.kind->escape &&
           !net->shape.routing->unguarded;
}

static swq_status read_escapes(swq_context *ctx, swq_async *net)
{
    static const char *const uses[] = {"last", "alike", NULL}, *const exits[] = {"free", "never",
                                                                                 NULL};
    const swq_routing *row = net->shape.routing ? net->shape.routing : swq_routings[0];
    int use = 0, exit = 0;

    if (!has_escapes(net) && (given.escape_use || given.escape_exit))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--%s is for escape lanes, which --topology %s with --routing %s does not have",
            given.escape_use ? "escape-use" : "escape-exit", net->shape.kind->name, row->name);
    swq_status status =
        given.escape_use ? cli_word(ctx, "escape-use", given.escape_use, uses, &use) : SWQ_OK;
    if (!status && given.escape_exit)
        status = cli_word(ctx, "escape-exit", given.escape_exit, exits, &exit);
    net->escapes_alike = use == 1;
    net->escapes_kept = exit == 1;
    return status;
}

swq_status cli_lanes_read(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    static const char *const reuses[] = {"sent", "empty", NULL};
    const swq_fabric_kind *kind = net->shape.kind;
    int reuse = has_escapes(net);
    swq_status status = SWQ_OK;

    if (!net->architecture->lanes)
        return SWQ_OK;
    net->link_rest = 0;
    if (kind->rings && !swq_shape_adaptive(&net->shape))
        net->lane_choice = &swq_lane_choice_dateline;
    if (kind->phases)
        net->lane_choice = &swq_lane_choice_phase;
    if (given.lanes)
        status = cli_integer(ctx, "lanes", given.lanes, 1, SWQ_MAX_LANES, &net->lanes);
    if (!status && given.node_lanes)
        status =
            cli_integer(ctx, "node-lanes", given.node_lanes, 1, SWQ_MAX_LANES, &net->node_lanes);
    if (!status && given.lane_flits)
        status = cli_integer(ctx, "lane-flits", given.lane_flits, 1, SWQ_MAX_LANE_FLITS,
                             &net->lane_flits);
    if (!status)
        status = read_pool(ctx, net);
    if (!status && given.lane_choice)
        status = swq_lane_choice_find(ctx, given.lane_choice, &net->lane_choice);
    if (!status && given.lane_reuse)
        status = cli_word(ctx, "lane-reuse", given.lane_reuse, reuses, &reuse);
    if (!status)
        status = read_escapes(ctx, net);
    if (!status && given.router_delay)
        status = read_router_delay(ctx, net->router_delay);
    if (!status && given.link_delay)
        status = cli_integer(ctx, "link-delay", given.link_delay, 1, 255, &net->link_delay);
    net->lanes_empty = reuse == 1;
    n->bytes = net->lane_pool ? net->lane_pool : net->lanes * net->lane_flits;
    return status;
}

void cli_put_lanes(cli_record *model, const swq_async *net)
{
    static const char *const stages[] = {"routing_delay", "lane_delay", "arbitration_delay",
                                         "crossing_delay"};

    if (!net->architecture->lanes)
        return;
    cli_put_count(model, "lanes", (uint64_t)net->lanes);
    cli_put_count(model, "node_lanes", (uint64_t)net->node_lanes);
    cli_put_count(model, "lane_flits", (uint64_t)net->lane_flits);
    if (net->lane_pool) {
        cli_put_count(model, "lane_pool", (uint64_t)net->lane_pool);
        cli_put_count(model, "lane_reserve", (uint64_t)net->lane_reserve);
        cli_put_word(model, "lane_reserve_for", net->reserve_in_use ? "used" : "all");
    }
    cli_put_word(model, "lane_choice", net->lane_choice->name);
    cli_put_word(model, "lane_reuse", net->lanes_empty ? "empty" : "sent");
    if (has_escapes(net)) {
        cli_put_word(model, "escape_use", net->escapes_alike ? "alike" : "last");
        cli_put_word(model, "escape_exit", net->escapes_kept ? "never" : "free");
    }
    for (int k = 0; k < 4; k++)
        cli_put_count(model, stages[k], (uint64_t)net->router_delay[k]);
    cli_put_count(model, "link_delay", (uint64_t)net->link_delay);
}

void cli_say_lanes(cli_record *root, const swq_async *net)
{
    const int *d = net->router_delay;
    char pool[120] = "", nodes[60] = "";

    if (!net->architecture->lanes)
        return;
    if (net->lane_pool)
        snprintf(pool, sizeof pool, ", %d in all, %d reserved for each%s", net->lane_pool,
                 net->lane_reserve, net->reserve_in_use ? " that is used" : "");
    if (net->node_lanes > 1)
        snprintf(nodes, sizeof nodes, "; nodes send up to %d packets at once", net->node_lanes);
    cli_say(root,
            "%s: %d lanes of %d flits a link%s (%s, given again when %s); a switch takes "
            "%d+%d+%d+%d cycles, a link %d%s",
            net->architecture->name, net->lanes, net->lane_flits, pool, net->lane_choice->name,
            net->lanes_empty ? "empty" : "sent", d[0], d[1], d[2], d[3], net->link_delay, nodes);
}
