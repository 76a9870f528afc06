/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The architecture of multi-lane wormhole switching: worms.h between the senders and the counts
 * of an asynchronous network. A packet counts where its header is, from the cycle in which that
 * begins to leave the place before, as in every other architecture.
 */
#define SWQ_GENERAL       1
#define SWQ_OUTPUT_STORES 0
#define SWQ_READ_PORTS    0

#include "base/context.h"
#include "base/fetch.h"
#include "models/arbiters/arbiters.h"
#include "sim/dependencies/waits.h"
#include "sim/frame/numbered.h"
#include "sim/frame/turn_packets.h"
#include "sim/switches/check.h"
#include "sim/switches/wormhole/worms.h"
#include "switchq/graph.h"

#include <stdio.h>
#include <string.h>

/* The engine's number of a packet is its index among the network's packets. */
typedef struct {
    swq_worms worms;
    swq_worm_team team; /* of the whole network */
    uint8_t *level;     /* [worms] of a packet inside its level when it came, or that of its last
                           switch; else SWQ_NO_LEVEL */
    uint32_t *last;     /* [worms] cycle in which the worm's header began on its last link */
} wormhole_state;

static wormhole_state *own(const swq_async_net *net)
{
    return swq_own_state(net);
}

/* ---- events of a packet ---- */

/* A packet enters the buffer of an input, which is of a level; and: begins to leave it. */
static inline void comes_to(swq_async_net *net, uint32_t worm, uint32_t port, int level)
{
    swq_probe_inside(&net->system, level, 1);
    swq_probe_hops(&net->system, 1);
    if (net->system.followed) {
        swq_probe_comes(&net->system, worm, port, level, net->cycle);
        swq_probe_stays(&net->system, port, net->cycle);
    }
}

static inline void goes_from(swq_async_net *net, uint32_t worm, int level)
{
    swq_probe_outside(&net->system, level, 1);
    swq_probe_begins(&net->system, worm, level, net->cycle);
}

/* The node via which a packet travels, + 1; 0: none. */
static uint32_t goes_over(const swq_packet_state *p)
{
    return p->then != SWQ_NO_WHERE ? p->to + 1 : p->goes_on ? p->from + 1 : 0;
}

static void begun(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[worm];

    net->drawn = goes_over(&own(net)->worms.worm[worm].state);
    swq_sender_begins(net, p->from);
    if (net->sent)
        net->sent[worm] = net->cycle;
    if (net->messages.each)
        net->messages.tag[worm] = net->passing;
    net->pieces.unfinished++;
    const uint32_t port = net->fabric->entry[p->from];
    const uint8_t level = net->fabric->in_level[port];
    own(net)->level[worm] = level;
    comes_to(net, worm, port, level);
}

static void show_header(const swq_async_net *net, uint32_t worm, uint32_t port, uint32_t out)
{
    const swq_parcel *p = &net->parcel[worm];
    const uint32_t ports = (uint32_t)net->ports;
    const swq_start start = {.cycle = net->cycle,
                             .from = p->from,
                             .to = p->to,
                             .birth = p->birth,
                             .bytes = p->bytes,
                             .switch_ = port / ports,
                             .input = port % ports,
                             .output = out % ports,
                             .packet_class = p->packet_class,
                             .over = goes_over(&own(net)->worms.worm[worm].state)};

    net->watch->started(net->watch->arg, &start);
}

static void passed(void *arg, uint32_t worm, uint32_t port, uint32_t out, uint32_t flits)
{
    swq_async_net *net = arg;
    const swq_fabric *f = net->fabric;
    const uint32_t to = f->link[out];
    const uint8_t level = f->in_level[port];

    if (net->watch && net->watch->started)
        show_header(net, worm, port, out);
    swq_probe_sent(&net->system, f->out_level[out], flits);
    if (net->system.followed)
        swq_probe_goes(&net->system, port, net->cycle);
    swq_probe_link(&net->system, link_of(net, out), flits);
    if (to & SWQ_TO_NODE) { /* there until the packet is on its last link */
        own(net)->level[worm] = level;
        return;
    }
    goes_from(net, worm, level);
    comes_to(net, worm, to, f->in_level[to]);
}

static void last(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    swq_parcel *p = &net->parcel[worm];
    uint8_t *level = &own(net)->level[worm];

    goes_from(net, worm, *level);
    *level = SWQ_NO_LEVEL;
    own(net)->last[worm] = net->cycle;
    p->entered = own(net)->worms.worm[worm].state.hops;
    deliver(net, p);
}

static void arrived(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[worm];
    const uint32_t begin = own(net)->last[worm], end = net->cycle;

    swq_probe_held_up(&net->system, p->group, end - begin - p->bytes);
    if (net->messages.each)
        message_arrives(net, net->messages.tag[worm], begin, end, end, p);
    net->pieces.unfinished--;
}

static void done(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[worm];

    swq_sender_goes_on(net, p->from, p->birth);
}

static void fetch(void *arg, uint32_t worm)
{
    const swq_async_net *net = arg;

    swq_fetch(&net->parcel[worm]);
    swq_fetch(&own(net)->worms.worm[worm]);
    swq_fetch(&own(net)->last[worm]);
}

static swq_worm_told told_of(swq_async_net *net)
{
    return (swq_worm_told){net, begun, passed, last, arrived, done, fetch, &net->streams};
}

/* ---- the kernel ---- */

static void look_at_units(swq_async_net *net)
{
    swq_worms *w = &own(net)->worms;
    const uint64_t before = w->stalled;

    swq_worms_cycle(w);
    swq_probe_paused(&net->system, w->stalled - before);
}

static bool is_open(swq_async_net *net, uint32_t port, int class)
{
    const swq_worms *w = &own(net)->worms;

    (void)class;
    return swq_worms_idle(w, w->input[port].sender & ~SWQ_TO_NODE);
}

/* A place by way of which a packet may go, as one of its nodes; SWQ_NO_WHERE: there is none. */
static uint32_t drawn_place(const swq_async_net *net, uint32_t sender, uint32_t to)
{
    const swq_fabric *f = net->fabric;
    const swq_words word = swq_stream_words(&net->streams, SWQ_STREAM_CHOICE, sender, net->cycle);

    if (!f->shape.kind->places)
        return swq_word_below(word.v[0], f->nodes);
    const uint32_t places = f->shape.kind->places(f, sender, to);
    return places ? f->shape.kind->place(f, sender, to, swq_word_below(word.v[0], places))
                  : SWQ_NO_WHERE;
}

/* A sender has a packet for its link, where it is sent once there is a lane. */
static void offer(swq_async_net *net, uint32_t sender, const swq_parcel *parcel)
{
    swq_worms *w = &own(net)->worms;
    uint32_t worm;

    const uint32_t by = w->plan.by_another ? drawn_place(net, sender, parcel->to) : SWQ_NO_WHERE;
    if (by != SWQ_NO_WHERE)
        worm = swq_worms_send_by(w, sender, by, parcel->to, parcel->bytes);
    else
        worm = swq_worms_send(w, sender, parcel->to, parcel->bytes);
    if (net->fabric->ways)
        w->worm[worm].state.draw =
            swq_stream_words(&net->streams, SWQ_STREAM_TURN, sender, net->cycle).v[1];
    net->parcel[worm] = *parcel;
    net->sender[sender].link_free = SWQ_NEVER; /* until the node may be given another one */
}

/* ---- the row ---- */

static swq_worm_pick pick_of(const swq_selection *row)
{
    if (!row || row->by_room)
        return SWQ_PICK_ROOM;
    return row->by_first ? SWQ_PICK_FIRST : row->by_turn ? SWQ_PICK_TURN : SWQ_PICK_RANDOM;
}

static swq_worm_plan plan_of(const swq_async *spec, const swq_fabric *fabric)
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
    if (lanes != SWQ_LANES_ANY && swq_shape_adaptive(&n->shape))
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
            "slimfly, polarfly, megafly, graph), not for %s",
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
    const swq_worm_plan plan = plan_of(n, f);

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

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
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
        status = swq_fail(ctx, SWQ_EINVAL,
                          "flow %s is not for architecture %s, which has credits for each lane: "
                          "flow block",
                          n->flow.row->name, name);
    if (!status && swq_async_managed(n))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "management %s is not for architecture %s, whose queues are its lanes",
                          n->management.row->name, name);
    if (!status && n->packet.piece > 0 && n->packet.piece < n->packet.max)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "piece must not be given with architecture %s, through which packets go "
                          "flit by flit",
                          name);
    if (!status && n->arbiter.choice && n->arbiter.choice->by_queue)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "choice %s is not for architecture %s, which has lanes and no queues for "
                          "outputs: room, random, first or turn",
                          n->arbiter.choice->name, name);
    if (!status && (n->architecture.lanes.escapes_alike || n->architecture.lanes.escapes_kept) &&
        f->escapes == 0)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "%s is for escape lanes, which topology %s with routing %s does not have",
                          n->architecture.lanes.escapes_alike ? "escape-use" : "escape-exit",
                          n->shape.kind->name,
                          n->shape.routing ? n->shape.routing->name : swq_routings[0]->name);
    if (!status && n->arbiter.row != &swq_arbiter_rotating)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "arbiter %s is not for architecture %s, whose crossbar goes by one "
                          "iteration of iSLIP of its own",
                          n->arbiter.row->name, name);
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

enum { MOST_SMALL_DIMS = 4 }; /* of networks that stand in for others */

/* Searches the graph of dependencies between lanes for a circle, and says it in words if there is
 * one. True, without words, if this graph is too large to be searched. Where the destination
 * determines a packet's lane, the whole network is searched, since a smaller one would have other
 * lanes; and so it is where the links taken do, unless ways in the smaller one are as long. */
static bool find_circle(const swq_async *spec, char *text, size_t size)
{
    const bool as_long = spec->shape.kind->phases && spec->shape.dims <= MOST_SMALL_DIMS;
    const swq_lanes_for lanes = spec->architecture.lanes.choice->lanes;
    const bool whole = lanes == SWQ_LANES_DESTINATION || (lanes == SWQ_LANES_HOP && !as_long);
    /* lanes for each link of a way are in an order: known also where a network is too large */
    const bool in_order = swq_shape_phase_a_link(&spec->shape) &&
                          (lanes == SWQ_LANES_PHASE ||
                           (lanes == SWQ_LANES_HOP && spec->architecture.lanes.count >=
                                                          spec->shape.kind->phases(&spec->shape)));
    swq_fabric fabric;
    bool cycle = !in_order;

    *text = 0;
    if (swq_shape_adaptive(&spec->shape) && spec->shape.kind->escape &&
        !spec->architecture.lanes.given_empty)
        return true;
    swq_context *ctx = swq_context_new();
    if (ctx && swq_waits_stand_in(ctx, &spec->shape, whole, &fabric)) {
        const swq_worm_plan plan = plan_of(spec, &fabric);
        if (swq_worms_name_circle(ctx, &plan, &cycle, text, size))
            cycle = true;
        swq_fabric_clear(ctx, &fabric);
    }
    swq_context_free(ctx);
    return cycle;
}

static bool may_deadlock(const swq_async *spec)
{
    char text[SWQ_CIRCLE_WORDS];

    return find_circle(spec, text, sizeof text);
}

static bool circle(const swq_async *spec, char *text, size_t size)
{
    return find_circle(spec, text, size) && *text;
}

static void lay_out(swq_async_net *net)
{
    wormhole_state *h = own(net);
    swq_worm_plan plan = plan_of(net->spec, net->fabric);

    plan.spare = net->system.options->threads > 1
                     ? (uint32_t)net->system.options->threads * SWQ_WORM_SPARE
                     : 0;
    swq_worms_lay_out(&h->worms, &plan);
    net->queues = 1;
    net->slots = (int)((h->worms.worms + net->inputs - 1) / net->inputs);
    net->system.store_room[0] = plan.pool ? plan.pool : plan.lanes * plan.lane_flits;
}

static void list(swq_async_net *net, swq_arrays *arrays)
{
    wormhole_state *h = own(net);

    swq_worms_list(&h->worms, arrays);
    SWQ_ARRAY(arrays, h->level, h->worms.worms);
    SWQ_ARRAY(arrays, h->last, h->worms.worms);
}

static void empty(swq_async_net *net)
{
    wormhole_state *h = own(net);
    const swq_worm_told told = told_of(net);

    swq_worms_empty(&h->worms, &told);
    memset(h->level, SWQ_NO_LEVEL, h->worms.worms);
}

static void audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    const wormhole_state *h = own(net);

    for (uint32_t k = 0; k < h->worms.worms; k++) {
        if (h->level[k] != SWQ_NO_LEVEL)
            swq_packet_audit(net, k, packets, age, bytes);
    }
}

static bool conserved(const swq_async_net *net)
{
    bool sound;

    (void)swq_worms_audit(&own(net)->worms, &sound);
    return sound;
}

static uint32_t held(const swq_async_net *net, uint32_t store)
{
    return swq_worms_held(&own(net)->worms, store);
}

/* The class of the packet in front of a lane. */
static int class_of(const swq_async_net *net, uint32_t lane)
{
    const swq_worms *w = &own(net)->worms;
    const swq_packet_state *p = &w->worm[w->lane[lane].worm].state;

    if (net->fabric->ways || swq_shape_chooses(&net->fabric->shape)) /* whose classes are outputs */
        return w->lane[lane].out;
    return net->fabric->shape.kind->route(net->fabric, lane >> w->shift, p->from, p->to);
}

static bool deadlocked(swq_async_net *net)
{
    swq_worms *w = &own(net)->worms;
    swq_worm_wait wait[SWQ_MAX_WAITING];

    if (!swq_worms_stuck(w, wait, SWQ_MAX_WAITING, &net->waiting_count))
        return false;
    for (int k = 0; k < net->waiting_count && k < SWQ_MAX_WAITING; k++)
        net->waiting[k] = (swq_waiting){wait[k].lane >> w->shift, class_of(net, wait[k].lane),
                                        wait[k].next >> w->shift, class_of(net, wait[k].next)};
    return true;
}

static const swq_kernel kernel = {.look_at_units = look_at_units,
                                  .open = is_open,
                                  .offer = offer,
                                  .shared = &kernel,
                                  .deadlocked = deadlocked};

/* ---- several threads ---- */

/* Is there nothing to observe or to count that only one thread could, and does no packet look at
 * switches of other shares? */
static bool divisible(const swq_async_net *net)
{
    const swq_async *n = net->spec;
    const swq_detail *detail = net->system.options->detail;

    return !n->general && !n->sender.row && !swq_messages_are_followed(n) &&
           !swq_shape_adaptive(&n->shape) && !own(net)->worms.looks_round &&
           !net->spec->shape.late_credits &&
           !(detail && (detail->node || detail->link || detail->measures));
}

static double share_bytes(const swq_async_net *net)
{
    return swq_worms_share_bytes(&own(net)->worms);
}

static swq_status make_share(swq_context *ctx, swq_async_net *whole, swq_async_net *share)
{
    const swq_worm_told told = told_of(share);
    const uint32_t switches = share->share.inputs / (uint32_t)share->ports;
    wormhole_state *h = own(share);

    h->level = own(whole)->level;
    h->last = own(whole)->last;
    return swq_worms_share(ctx, &own(whole)->worms, &own(whole)->team, share->share.first_switch,
                           switches, &told, &h->worms);
}

static void free_share(swq_context *ctx, swq_async_net *share)
{
    swq_worms_unshare(ctx, &own(share)->worms);
}

static const swq_store_hooks lanes = {
    .kernel = &kernel,
    .state = sizeof(wormhole_state),
    .check = check,
    .lay_out = lay_out,
    .list = list,
    .empty = empty,
    .audit = audit,
    .conserved = conserved,
    .held = held,
    .may_deadlock = may_deadlock,
    .circle = circle,
    .divisible = divisible,
    .least_switches = 64,
    .share_bytes = share_bytes,
    .share = make_share,
    .unshare = free_share,
    .by_flit = true,
};

const swq_architecture swq_wormhole_lanes = {
    .name = "wormhole",
    .summary = "wormhole routing over lanes (virtual channels) with a buffer each; packets move "
               "flit by flit and may lie in several switches",
    .source = "Dally (1992)",
    .engines = SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_BYTES),
    .async = {.place = "input queues, several buffers an input: one for each lane of the link",
              .crosspoints_cost = "k^2 f",
              .arbitration = "lanes in turns; the crossbar by one iteration of iSLIP",
              .stores = &lanes,
              .lanes = true},
};
