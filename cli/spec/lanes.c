/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of wormhole switching: the lanes of a link and the stages of a switch.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "sim/dependencies/waits.h"
#include "switchq/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORMHOLE "sim --engine async --architecture wormhole"

static swq_status read_lanes(swq_context *ctx, const char *text, void *spec);
static swq_status read_router_delay(swq_context *ctx, const char *text, void *spec);
static void put_router_delay(cli_record *model, const void *spec);
static swq_status read_level_delay(swq_context *ctx, const char *text, void *spec);
static void put_level_delay(cli_record *model, const void *spec);

CLI_PROPERTY(has_lanes, swq_architecture, async.lanes)
static bool has_lanes_or_groups(const void *row)
{
    const swq_architecture *architecture = row;
    return architecture->async.lanes || architecture->async.flow_groups;
}

static bool is_wormhole(const void *spec)
{
    return has_lanes(((const cli_async *)spec)->network.architecture.row);
}

static bool has_pool(const void *spec)
{
    return ((const cli_async *)spec)->network.architecture.lanes.pool > 0;
}

/* Have all links the same delay? */
static bool has_one_delay(const void *spec)
{
    const swq_async *n = &((const cli_async *)spec)->network;
    return !n->architecture.lanes.level_delay[0] && !(n->shape.graph && n->shape.graph->delays);
}

static bool is_deadlock_allowed(const void *spec)
{
    return ((const cli_async *)spec)->deadlock_allowed;
}

/* Are some lanes escape lanes? */
static bool has_escapes(const void *spec)
{
    return swq_shape_escapes(&((const cli_async *)spec)->network.shape);
}

#define LANES               .takers = {{&cli_by_architecture, has_lanes}}
#define FIELD(kind, member) CLI_AT(kind, cli_async, network.member)

cli_parameter cli_lanes_parameters[] = {
    {CLI_OPTION("lanes", "L", SWQ_ENGINE_ASYNC), .says = "% lane~",
     FIELD(CLI_INT, architecture.lanes.count),
     .takers = {{&cli_by_architecture, has_lanes_or_groups}}, .read = read_lanes,
     .about = "lanes (virtual channels) of a link, each with a buffer at its end; flow groups that "
              "use a link at once",
     .preset = "default 4; atlas: 4096", .key = "lanes", .unit = "lanes", .shown = is_wormhole,
     CLI_DEFAULTS({WORMHOLE, "4", "of 8 flits, as in most of BookSim's examples"},
                  {CLI_ATLAS_LINE, "4096", "the chip's number of flow groups on a link"})},
    {CLI_OPTION("node-lanes", "N", SWQ_ENGINE_ASYNC), .plain = "1",
     FIELD(CLI_INT, architecture.lanes.of_node), CLI_FROM(1, SWQ_MAX_LANES), LANES,
     .about = "packets that a node sends at once, each in a lane of its own, flit by flit in turn",
     .key = "node_lanes", .unit = "packets",
     CLI_DEFAULTS({WORMHOLE, "1", "senders work as with other architectures"})},
    {CLI_OPTION("lane-flits", "F", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.lanes.flits),
     CLI_FROM(1, SWQ_MAX_LANE_FLITS), LANES, .about = "flits that the buffer of a lane holds",
     .key = "lane_flits", .unit = "flits",
     CLI_DEFAULTS({WORMHOLE, "8", "covers the round trip of a credit at the default delays"})},
    {CLI_OPTION("lane-pool", "P", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.lanes.pool),
     CLI_FROM(1, SWQ_MAX_LANE_POOL), LANES,
     .about = "flits in one buffer that all lanes of a link share; --lane-flits then limits what a "
              "lane may take",
     .preset = "default: each lane has a buffer of its own", .key = "lane_pool", .unit = "flits",
     .shown = has_pool, CLI_DEFAULTS({WORMHOLE, "(none)", "each lane has a buffer of its own"})},
    {CLI_OPTION("lane-reserve", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.lanes.reserve),
     CLI_FROM(1, SWQ_MAX_LANE_FLITS), LANES,
     .about = "with --lane-pool: flits of the pool that are reserved for each lane",
     .preset = "default 1", .key = "lane_reserve", .unit = "flits", .shown = has_pool,
     CLI_DEFAULTS({WORMHOLE, "(1)", "with a pool: one flit is enough to prevent deadlock"})},
    {CLI_OPTION("lane-reserve-for", "all|used", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.lanes.reserve_in_use), CLI_WORDS_OF("all", "used"), LANES,
     .about = "with --lane-pool: lanes have their reserve always (all), or only while they have a "
              "packet or flits, and every packet always finds a lane (used: ViChaR)",
     .preset = "default all: DAMQall", .key = "lane_reserve_for", .shown = has_pool,
     CLI_DEFAULTS({WORMHOLE, "(all)", "with a pool, DAMQall: every lane always has its reserve"})},
    {CLI_OPTION("lane-choice", "NAME", SWQ_ENGINE_ASYNC),
     FIELD(CLI_NAMED, architecture.lanes.choice), CLI_ROWS_OF(swq_lane_choices),
     .list = "lane-choices", LANES,
     .about = "which lanes of a link a packet may take: 'switchq list lane-choices'",
     .preset = "default any; torus with deterministic routing: dateline; dragonfly, hyperx, "
               "slim-fly, polarfly, megafly, "
               "and a graph whose routes may wait in a circle: phase",
     .key = "lane_choice",
     CLI_DEFAULTS(
         {WORMHOLE, "(any)",
          "dateline in a torus with one path for each pair of nodes; phase in a "
          "dragonfly, hyperx, slim-fly, polarfly, megafly, and in a graph whose routes may "
          "wait in a circle"})},
    {CLI_OPTION("lane-reuse", "sent|empty", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.lanes.given_empty), CLI_WORDS_OF("sent", "empty"), LANES,
     .about = "a lane goes to the next packet when the last flit of the previous one has been sent "
              "(sent), or when its buffer is empty (empty)",
     .preset = "default sent; with adaptive routing in meshes and tori, and routing escape, which "
               "could deadlock otherwise: empty",
     .key = "lane_reuse",
     CLI_DEFAULTS({WORMHOLE, "(sent)", "with escape lanes: empty, which their proof requires"})},
    {CLI_OPTION("escape-use", "last|alike", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.lanes.escapes_alike), CLI_WORDS_OF("last", "alike"), LANES,
     .about =
         "--routing adaptive in meshes and tori, and escape: packets take an escape lane when "
         "no other lane is free (last), or like any other lane (alike); with alike, nodes send "
         "over all lanes",
     .preset = "default last", .key = "escape_use", .shown = has_escapes,
     CLI_DEFAULTS({WORMHOLE, "(last)", "for packets that find no other lane free"})},
    {CLI_OPTION("escape-exit", "free|never", SWQ_ENGINE_ASYNC),
     FIELD(CLI_EITHER, architecture.lanes.escapes_kept), CLI_WORDS_OF("free", "never"), LANES,
     .about = "--routing adaptive in meshes and tori, and escape: a packet may leave escape lanes "
              "for any free lane (free), or stays in escape lanes to its destination (never)",
     .preset = "default free", .key = "escape_exit", .shown = has_escapes,
     CLI_DEFAULTS({WORMHOLE, "(free)", "keeps more paths open"})},
    {CLI_OPTION("router-delay", "R,V,S,X", SWQ_ENGINE_ASYNC), LANES, .read = read_router_delay,
     .put = put_router_delay, .costless = true,
     .about = "cycles of the stages of a switch: routing, lane allocation, crossbar allocation and "
              "crossing",
     CLI_DEFAULTS({WORMHOLE, "0,1,1,1",
                   "lane allocation, crossbar allocation and crossing take a cycle each"})},
    {CLI_OPTION("link-delay", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, architecture.lanes.link_delay),
     CLI_FROM(1, SWQ_MAX_LINK_DELAY), LANES, .costless = true,
     .about = "cycles of a flit, or a credit, on a link", .key = "link_delay", .unit = "cycles",
     .shown = has_one_delay, CLI_DEFAULTS({WORMHOLE, "1", "neighbouring switches"})},
    {CLI_OPTION("level-delay", "D,D,...", SWQ_ENGINE_ASYNC), LANES, .read = read_level_delay,
     .put = put_level_delay, .costless = true,
     .about = "in place of --link-delay, cycles on the links of each level: dragonfly: local, "
              "global, hosts; grids: each dimension, hosts; trees: each level of switches, from "
              "the hosts up",
     CLI_DEFAULTS({WORMHOLE, "(none)", "all links are alike"})},
    {CLI_OPTION("deadlock", "refuse|allow", SWQ_ENGINE_ASYNC),
     CLI_AT(CLI_EITHER, cli_async, deadlock_allowed), CLI_WORDS_OF("refuse", "allow"), LANES,
     .costless = true,
     .about = "a network whose lanes may wait for one another in a circle is refused, or is run "
              "until it deadlocks",
     .preset = "default refuse; --routing unguarded: allow", .key = "deadlock_rule",
     .shown = is_deadlock_allowed,
     CLI_DEFAULTS({WORMHOLE, "refuse", "a run that deadlocks measures nothing"})},
    CLI_PARAMETERS_END,
};

static swq_status read_lanes(swq_context *ctx, const char *text, void *spec)
{
    swq_async *net = &((cli_async *)spec)->network;

    if (net->architecture.row->async.flow_groups)
        return cli_integer(ctx, "lanes", text, 1, SWQ_MAX_FLOW_GROUPS,
                           &net->architecture.cells.groups);
    return cli_integer(ctx, "lanes", text, 1, SWQ_MAX_LANES, &net->architecture.lanes.count);
}

/* Reads --router-delay, R,V,S,X: the cycles of the four stages of a router, each within its range.
 */
static swq_status read_router_delay(swq_context *ctx, const char *text, void *spec)
{
    static const int least[4] = {0, 0, 1, 0}, most[4] = {64, 64, 1, 64};
    int *delay = ((cli_async *)spec)->network.architecture.lanes.router_delay;
    const char *at = text;

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
                text);
        delay[k] = (int)value;
        at = end + 1;
    }
    return SWQ_OK;
}

static void put_router_delay(cli_record *model, const void *spec)
{
    static const char *const stages[] = {"routing_delay", "lane_delay", "arbitration_delay",
                                         "crossing_delay"};

    for (int k = 0; k < 4; k++)
        cli_put_count(
            model, stages[k],
            (uint64_t)((const cli_async *)spec)->network.architecture.lanes.router_delay[k]);
}

/* Reads --level-delay, D,D,...: the cycles of the links of each level. How many there are, the
 * network checks. */
static swq_status read_level_delay(swq_context *ctx, const char *text, void *spec)
{
    int *delay = ((cli_async *)spec)->network.architecture.lanes.level_delay;
    const char *at = text;

    for (int k = 0; k < SWQ_MAX_LEVELS; k++) {
        char *end;
        const long value = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || value < 1 || value > SWQ_MAX_LINK_DELAY ||
            (*end && *end != ','))
            break;
        delay[k] = (int)value;
        if (!*end)
            return SWQ_OK;
        at = end + 1;
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "--level-delay must be whole numbers of cycles, 1 to %d, one for each level of "
                    "links, joined by commas, not '%.60s'",
                    SWQ_MAX_LINK_DELAY, text);
}

static void put_level_delay(cli_record *model, const void *spec)
{
    const int *delay = ((const cli_async *)spec)->network.architecture.lanes.level_delay;
    double cycles[SWQ_MAX_LEVELS];
    int levels = 0;

    for (; levels < SWQ_MAX_LEVELS && delay[levels]; levels++)
        cycles[levels] = delay[levels];
    if (levels)
        cli_put_numbers(model, "level_delay", cycles, levels);
}

/* Refuses options of a pool, or of escape lanes, where there are none. */
static swq_status refuse_parts(swq_context *ctx, const cli_async *n)
{
    const swq_shape *shape = &n->network.shape;
    const swq_routing *row = shape->routing ? shape->routing : swq_routings[0];

    if (!cli_async_text("lane-pool") &&
        (cli_async_text("lane-reserve") || cli_async_text("lane-reserve-for")))
        return swq_fail(ctx, SWQ_EINVAL, "--%s is for --lane-pool, which is not given",
                        cli_async_text("lane-reserve") ? "lane-reserve" : "lane-reserve-for");
    if (cli_async_text("link-delay") && cli_async_text("level-delay"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--link-delay is the delay of all links, and --level-delay that of each "
                        "level: only one of them");
    if (!has_escapes(n) && (cli_async_text("escape-use") || cli_async_text("escape-exit")))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--%s is for escape lanes, which --topology %s with --routing %s does not have",
            cli_async_text("escape-use") ? "escape-use" : "escape-exit", shape->kind->name,
            row->name);
    return SWQ_OK;
}

swq_status cli_lanes_read(swq_context *ctx, cli_async *n)
{
    swq_async *net = &n->network;
    const swq_fabric_kind *kind = net->shape.kind;

    if (!net->architecture.row->async.lanes)
        return SWQ_OK;
    net->link.rest = 0;
    if (kind->rings && !swq_shape_adaptive(&net->shape))
        net->architecture.lanes.choice = &swq_lane_choice_dateline;
    const bool parts = net->shape.graph && net->shape.graph->parts;
    if (kind->phases && !has_escapes(n) &&
        (!kind->file || parts || swq_shape_has_circle(&net->shape)))
        net->architecture.lanes.choice = &swq_lane_choice_phase;
    net->architecture.lanes.given_empty = has_escapes(n);
    swq_status status = refuse_parts(ctx, n);
    if (!status)
        status = cli_parameters_read(ctx, cli_lanes_parameters, n);
    if (net->architecture.lanes.pool &&
        !cli_async_text("lane-flits")) /* a lane may take all of its pool */
        net->architecture.lanes.flits = net->architecture.lanes.pool < SWQ_MAX_LANE_FLITS
                                            ? net->architecture.lanes.pool
                                            : SWQ_MAX_LANE_FLITS;
    n->bytes = net->architecture.lanes.pool
                   ? net->architecture.lanes.pool
                   : net->architecture.lanes.count * net->architecture.lanes.flits;
    return status;
}

swq_status cli_lanes_refuse_circle(swq_context *ctx, const swq_async *n)
{
    const swq_fabric_kind *kind = n->shape.kind;
    char circle[SWQ_CIRCLE_WORDS];

    if (!swq_async_circle(n, circle, sizeof circle))
        return SWQ_OK;
    const bool escapes = n->shape.routing && n->shape.routing->escapes;
    const bool remedy =
        !escapes && n->architecture.lanes.choice == &swq_lane_choice_any &&
        (kind->rings || (kind->phases && !(n->shape.graph && n->shape.graph->parts)));
    return swq_fail(ctx, SWQ_EINVAL,
                    "packets of this %s can wait for one another in a circle: %s. %s%s"
                    "--deadlock allow runs the network all the same",
                    kind->name, circle, remedy ? "--lane-choice " : "",
                    escapes       ? "--routing adaptive, with lanes for each link, excludes it; "
                    : !remedy     ? ""
                    : kind->rings ? "dateline excludes it; "
                                  : "phase excludes it; ");
}
