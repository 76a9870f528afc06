/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The architecture of ATLAS I: the engine of cells.h, between the senders and the counters of an
 * asynchronous network. A cell counts at an input from the cycle in which it begins to leave the
 * sender or switch before, as in every other architecture. A multicast cell counts as one packet
 * for each of its nodes, but as a single transmission.
 */
#define SWQ_GENERAL       1
#define SWQ_OUTPUT_STORES 0
#define SWQ_READ_PORTS    0

#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/dependencies/waits.h"
#include "sim/frame/numbered.h"
#include "sim/frame/turn_packets.h"
#include "sim/switches/atlas/cells.h"
#include "sim/switches/check.h"
#include "sim/traffic/multicast.h"

#include <math.h>
#include <string.h>

/* The engine's number of a cell is the index of its packet among the network's packets. */
typedef struct {
    swq_cells cells;
    uint8_t *level; /* [cells] the level of a cell, or SWQ_NO_LEVEL */
} atlas_state;

static atlas_state *own(const swq_async_net *net)
{
    return swq_own_state(net);
}

/* ---- events of a cell ---- */

static void comes_to(swq_async_net *net, uint32_t cell, uint32_t port)
{
    swq_packet_comes(net, own(net)->level, cell, port);
    swq_probe_stays(&net->system, port, net->cycle);
}

/* A node takes a cell, which still waits there. */
static void taken(void *arg, uint32_t cell)
{
    swq_async_net *net = arg;

    swq_sender_begins(net, net->parcel[cell].from);
    swq_probe_waits(&net->system, 1);
    if (net->messages.each)
        net->messages.tag[cell] = net->passing;
}

static void begun(void *arg, uint32_t cell)
{
    swq_async_net *net = arg;
    const uint32_t from = net->parcel[cell].from;

    swq_probe_departs(&net->system, 1);
    comes_to(net, cell, net->fabric->entry[from]);
    if (own(net)->cells.plan.node_cells) /* the node has room for one more */
        swq_wheel_set(&net->senders, net->cycle + 1, from);
}

static void passed(void *arg, uint32_t cell, uint32_t port, uint32_t out)
{
    swq_async_net *net = arg;
    swq_parcel *p = &net->parcel[cell];
    const uint32_t sw = port / (uint32_t)net->ports, base = sw * (uint32_t)net->ports;

    if (net->watch && net->watch->started)
        show_start(net, sw, (int)(port - base), (int)(out - base), p);
    swq_probe_sent(&net->system, net->port[out].out_level, p->bytes);
    swq_probe_goes(&net->system, port, net->cycle);
    swq_probe_link(&net->system, link_of(net, out), p->bytes);
    if (net->fabric->link[out] & SWQ_TO_NODE)
        return;
    p->entered = (uint8_t)(p->entered + (p->entered < UINT8_MAX));
    swq_packet_goes(net, own(net)->level, cell);
    comes_to(net, cell, net->fabric->link[out]);
}

static void last(void *arg, uint32_t cell)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[cell];

    swq_packet_goes(net, own(net)->level, cell);
    deliver(net, p);
    if (net->messages.each)
        message_arrives(net, net->messages.tag[cell], net->cycle, net->cycle + p->bytes,
                        net->cycle + p->bytes, p);
}

static void sent(void *arg, uint32_t node)
{
    swq_async_net *net = arg;

    swq_sender_ends(net, node, net->cycle + 1);
}

/* ---- events of a multicast cell ---- */

/* The next record of a multicast cell behind record `cell`, or SWQ_NO_CELL. */
static uint32_t next_ride(const swq_async_net *net, uint32_t cell)
{
    return own(net)->cells.copy[cell].ride;
}

/* The parcel of a multicast cell has been set: copies it to the records of the cell's other
 * nodes. */
static void all_offered(swq_async_net *net, uint32_t cell)
{
    const swq_parcel parcel = net->parcel[cell];

    for (uint32_t k = cell; k != SWQ_NO_CELL; k = next_ride(net, k)) {
        net->parcel[k] = parcel;
        net->parcel[k].to = own(net)->cells.cell[k].to;
    }
}

static void all_taken(void *arg, uint32_t cell)
{
    swq_async_net *net = arg;

    taken(net, cell);
    for (uint32_t k = cell; (k = next_ride(net, k)) != SWQ_NO_CELL;) {
        swq_probe_waits(&net->system, 1);
        swq_probe_rides(&net->system, 1);
        net->messages.tag[k] = net->passing;
    }
}

static void all_begun(void *arg, uint32_t cell)
{
    swq_async_net *net = arg;
    const uint32_t port = net->fabric->entry[net->parcel[cell].from];

    begun(net, cell);
    for (uint32_t k = cell; (k = next_ride(net, k)) != SWQ_NO_CELL;) {
        swq_probe_departs(&net->system, 1);
        swq_probe_rides_on(&net->system, 1);
        swq_packet_comes(net, own(net)->level, k, port);
    }
}

static void all_passed(void *arg, uint32_t cell, uint32_t port, uint32_t out)
{
    swq_async_net *net = arg;
    const uint32_t to = net->fabric->link[out];

    passed(net, cell, port, out);
    for (uint32_t k = cell; !(to & SWQ_TO_NODE) && (k = next_ride(net, k)) != SWQ_NO_CELL;) {
        net->parcel[k].entered = net->parcel[cell].entered;
        swq_packet_goes(net, own(net)->level, k);
        swq_packet_comes(net, own(net)->level, k, to);
    }
}

/* ---- the kernel ---- */

static void look_at_units(swq_async_net *net)
{
    own(net)->cells.turn(&own(net)->cells);
}

static bool is_open(swq_async_net *net, uint32_t port, int class)
{
    (void)class;
    return swq_cells_idle(&own(net)->cells, net->port[port].feeder & ~SWQ_TO_NODE);
}

/* A sender has a cell for its link, where it is sent once there are credits. */
static void offer(swq_async_net *net, uint32_t sender, const swq_parcel *parcel)
{
    const swq_async *n = net->spec;
    const int priority =
        parcel->group < n->traffic.groups ? n->traffic.group[parcel->group].priority : 0;

    const uint32_t cell = swq_cells_send(&own(net)->cells, sender, parcel->to, priority);

    net->parcel[cell] = *parcel;
    if (net->sets.sets)
        all_offered(net, cell);
    net->sender[sender].link_free = SWQ_NEVER; /* until the cell has been sent */
}

/* ---- checks of a spec ---- */

/* Does every message consist of whole cells? */
static swq_status check_lengths(swq_context *ctx, const swq_async *n)
{
    const double cell = n->packet.max;
    const char *name = n->architecture.row->name;

    for (uint64_t k = 0; n->traffic.trace && k < n->traffic.trace_messages; k++) {
        if (n->traffic.trace[k].bytes % (uint32_t)n->packet.max)
            return swq_fail(ctx, SWQ_EINVAL,
                            "architecture %s carries cells of max-packet: message %llu of the "
                            "trace is of %g cells, not of whole ones",
                            name, (unsigned long long)k, n->traffic.trace[k].bytes / cell);
    }
    for (int g = 0; !n->traffic.trace && g < n->traffic.groups; g++) {
        for (int t = 0; t < n->traffic.group[g].types && !n->traffic.group[g].silent; t++) {
            const swq_spread *length = &n->traffic.group[g].type[t].length;
            if (length->kind == SWQ_CONSTANT && fmod(length->first, cell) != 0)
                return swq_fail(ctx, SWQ_EINVAL,
                                "max-packet must divide the length of every message with "
                                "architecture %s, which carries whole cells, not make %g cells of "
                                "one",
                                name, length->first / cell);
            if (length->kind != SWQ_CONSTANT && n->packet.max > 1)
                return swq_fail(ctx, SWQ_EINVAL,
                                "max-packet must be 1 with architecture %s, which carries whole "
                                "cells, if the length of messages varies, not %d",
                                name, n->packet.max);
        }
    }
    return SWQ_OK;
}

static swq_status check_others(swq_context *ctx, const swq_async *n)
{
    if (n->architecture.cells.credit_at_departure && swq_shape_has_rings(&n->shape))
        return swq_fail(ctx, SWQ_EINVAL,
                        "group-credit must be queue in topology %s, in whose rings cells may wait "
                        "for each other, not departure",
                        n->shape.kind->name);
    if (n->flow.row != &swq_flow_blocking)
        return swq_architecture_refuse(ctx, n, "flow", n->flow.row->name,
                                       "which has credits of flow groups and pools: flow block");
    if (swq_async_managed(n))
        return swq_architecture_refuse(ctx, n, "management", n->management.row->name,
                                       "which has lists for flow groups of its own");
    if (swq_shape_adaptive(&n->shape))
        return swq_architecture_refuse(
            ctx, n, "routing", n->shape.routing->name,
            "whose flow groups have one way each: routing deterministic");
    if (n->arbiter.row != &swq_arbiter_rotating)
        return swq_architecture_refuse(ctx, n, "arbiter", n->arbiter.row->name,
                                       "whose outputs send first in, first out: arbiter rotating");
    if (n->packet.piece > 0 && n->packet.piece < n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece must not be given with architecture %s, through which cells go "
                        "whole",
                        n->architecture.row->name);
    if (n->memory.release != SWQ_RELEASE_BLOCKS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "release must be blocks with architecture %s, where the credits of a cell "
                        "go back as it begins to leave",
                        n->architecture.row->name);
    return SWQ_OK;
}

/* The number of priorities: one more than the highest priority of any group. */
static int priorities_of(const swq_async *n)
{
    int most = 0;

    for (int g = 0; g < n->traffic.groups; g++)
        most = n->traffic.group[g].priority > most ? n->traffic.group[g].priority : most;
    return most + 1;
}

/* Do sets of nodes need too many flow groups, or records of cells? */
static bool has_too_many_sets(const swq_async *n, const swq_fabric *f, double places)
{
    const double at_nodes = (double)f->nodes * n->architecture.cells.node;
    swq_node_sets sets;

    swq_node_sets_count(n, f, &sets);
    return sets.sets > 0 && (places * (f->nodes + sets.sets) > 1e9 ||
                             (places * n->architecture.cells.pool + at_nodes) * sets.most > 1e9);
}

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const double places = ((double)f->switches * f->ports + f->nodes) * priorities_of(n);
    swq_status status =
        swq_check_whole(ctx, "pool-cells", n->architecture.cells.pool, 1, SWQ_MAX_POOL_CELLS);

    if (!status)
        status = swq_check_whole(ctx, "lane-cells", n->architecture.cells.lane, 1,
                                 n->architecture.cells.pool);
    if (!status)
        status =
            swq_check_whole(ctx, "lanes", n->architecture.cells.groups, 1, SWQ_MAX_FLOW_GROUPS);
    if (!status)
        status =
            swq_check_whole(ctx, "node-cells", n->architecture.cells.node, 0, SWQ_MAX_POOL_CELLS);
    if (!status)
        status = swq_check_whole(ctx, "credit-delay", n->flow.credit_delay, 1, 4096);
    if (!status)
        status = check_others(ctx, n);
    if (!status)
        status = check_lengths(ctx, n);
    if (!status && (places * f->nodes > 1e9 || places * n->architecture.cells.pool > 1e9 ||
                    has_too_many_sets(n, f, places)))
        status = swq_fail(ctx, SWQ_ELIMIT,
                          "architecture %s: the network has too many flow groups or places",
                          n->architecture.row->name);
    return status;
}

/* Links can wait for each other only around a ring, and only if a cell can wait for one with
 * another destination: docs/atlas.md. */
static bool may_deadlock(const swq_async *n)
{
    swq_fabric f;

    if (!swq_shape_has_circle(&n->shape))
        return false;
    if (swq_fabric_count(NULL, &n->shape, &f))
        return true;
    return (double)n->architecture.cells.pool < (double)n->architecture.cells.lane * f.nodes ||
           (uint32_t)n->architecture.cells.groups < f.nodes;
}

/* ---- the row ---- */

static void lay_out(swq_async_net *net)
{
    const swq_async *n = net->spec;
    atlas_state *a = own(net);
    const swq_cells_plan plan = {
        .fabric = net->fabric,
        .sets = &net->sets,
        .copies_at_outputs = n->architecture.cells.copied_at_arrival,
        .pool = n->architecture.cells.pool,
        .each = n->architecture.cells.lane,
        .lanes = n->architecture.cells.groups,
        .at_departure = n->architecture.cells.credit_at_departure,
        .node_cells = n->architecture.cells.node,
        .priorities = priorities_of(n),
        .time = n->packet.max,
        .rest = n->link.rest,
        .hop = n->link.hop_delay,
        .credit = n->flow.credit_delay,
    };

    swq_cells_lay_out(&a->cells, &plan);
    net->queues = 1;
    net->slots = (int)((a->cells.cells + net->inputs - 1) / net->inputs);
    net->system.store_room[0] = n->architecture.cells.pool * n->packet.max * priorities_of(n);
}

static void list(swq_async_net *net, swq_arrays *arrays)
{
    swq_cells_list(&own(net)->cells, arrays);
    SWQ_ARRAY(arrays, own(net)->level, own(net)->cells.cells);
}

static void empty(swq_async_net *net)
{
    const swq_cells_told alone = {net, taken, begun, passed, last, sent};
    const swq_cells_told several = {net, all_taken, all_begun, all_passed, last, sent};

    swq_cells_empty(&own(net)->cells, net->sets.sets ? &several : &alone);
    memset(own(net)->level, SWQ_NO_LEVEL, own(net)->cells.cells);
}

/* Does a cell wait at its node after the sender has handed it over? */
static bool is_kept(const swq_cells *c, uint32_t k)
{
    return c->cell[k].port == SWQ_NO_CELL && c->cell[k].state > SWQ_CELL_AT_NODE;
}

static void audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    const atlas_state *a = own(net);

    for (uint32_t k = 0; k < a->cells.cells; k++) {
        if (a->level[k] != SWQ_NO_LEVEL || is_kept(&a->cells, k))
            swq_packet_audit(net, k, packets, age, bytes);
    }
}

static bool conserved(const swq_async_net *net)
{
    return swq_cells_sound(&own(net)->cells);
}

static uint32_t held(const swq_async_net *net, uint32_t store)
{
    return own(net)->cells.held[store] * (uint32_t)net->spec->packet.max;
}

/* The class of a cell at its present place. */
static int class_of(const swq_async_net *net, const swq_cell *cell)
{
    return net->fabric->shape.kind->route(net->fabric, cell->port, cell->from, cell->to);
}

static bool deadlocked(swq_async_net *net)
{
    swq_cells *c = &own(net)->cells;
    swq_cell_wait wait[SWQ_MAX_WAITING];

    if (!may_deadlock(net->spec) || !swq_cells_stuck(c, wait, SWQ_MAX_WAITING, &net->waiting_count))
        return false;
    for (int k = 0; k < net->waiting_count && k < SWQ_MAX_WAITING; k++) {
        const swq_cell *cell = &c->cell[wait[k].cell], *next = &c->cell[wait[k].next];
        net->waiting[k] =
            (swq_waiting){cell->port, class_of(net, cell), next->port, class_of(net, next)};
    }
    return true;
}

static const swq_kernel kernel = {
    .look_at_units = look_at_units, .open = is_open, .offer = offer, .deadlocked = deadlocked};

static const swq_store_hooks atlas = {
    .kernel = &kernel,
    .state = sizeof(atlas_state),
    .check = check,
    .lay_out = lay_out,
    .list = list,
    .empty = empty,
    .audit = audit,
    .conserved = conserved,
    .held = held,
    .may_deadlock = may_deadlock,
    .by_flit = true,
};

const swq_architecture swq_atlas_cells = {
    .name = "atlas",
    .summary =
        "ATLAS-I: cells in a shared buffer with queues at the outputs; each cell needs a credit of "
        "its flow group and one of the link's pool; up to three priorities, and multicast",
    .source = "Katevenis, Serpanos and Spyridakis (1998), ATLAS I: 16x16, 256 cells",
    .engines = SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_BYTES),
    .async = {.place = "output queues, a shared buffer: one module, a part for each link",
              .crosspoints_cost = "2 k^2 f",
              .arbitration =
                  "none inside: first in, first out among cells with a credit of their flow group",
              .stores = &atlas,
              .flow_groups = true,
              .copies = true},
};
