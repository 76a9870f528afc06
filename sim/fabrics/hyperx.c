/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HyperX (Ahn, Binkert, Davis, McLaren and Schreiber, 2009): routers at the points of a grid, t
 * nodes at each, and w links from each router to each other one that differs from it in one
 * coordinate. With w = 1 it is the flattened butterfly (Kim, Dally and Abts, 2007). Ports of a
 * router, as inputs and outputs alike: t to nodes, then, dimension by dimension, w to each other
 * router of the row, in their order. Of the w links to a router, packets for node n take number n
 * modulo w.
 *
 * Coordinates are put right in the order of the dimensions, with one link each, so that no packet
 * waits in a circle. A way by another router is two such ways, in lanes of their own; via any and
 * via between are the rules of BookSim's valiant_flatfly and ugal_flatfly. A packet's class is its
 * output. Where ways are drawn, and with routing adaptive, a packet takes dimensions in any order;
 * with routing dal also, in each of three or more routers, once a link to a router that is no
 * nearer. Then each link of a way has lanes of its own.
 */
#include "base/context.h"
#include "sim/fabrics/by_table.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { NODES, WIDTH, VIA }; /* places in shape.size */

static const char *const vias[] = {"other", "any", "between", NULL};
enum { OTHER, ANY, BETWEEN };

static const swq_fabric_size sizes[] = {
    {.name = "hosts", .summary = "hosts of a router, t", .least = 1, .most = 255, .needed = true},
    {.name = "width",
     .summary = "links between two routers of a row, w (default 1)",
     .least = 1,
     .most = 255},
    {.name = "via",
     .summary = "routings by way of a router: drawn of all but those of the packet's ends (other, "
                "the default), of all (any), or of those that differ from its sender's only in "
                "coordinates in which its destination's does (between)",
     .words = vias},
    {0},
};

static uint32_t nodes_at(const swq_fabric *f)
{
    return (uint32_t)f->shape.size[NODES];
}

static uint32_t width(const swq_fabric *f)
{
    return (uint32_t)f->shape.size[WIDTH];
}

static bool by_another(const swq_shape *shape)
{
    return shape->routing && shape->routing->by_another;
}

/* ---- the shape ---- */

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *f)
{
    const int w = shape->size[WIDTH] ? shape->size[WIDTH] : 1;
    double routers = 1, ports = shape->size[NODES];

    if (shape->dims < 1 || shape->dims >= SWQ_MAX_DIMS)
        return swq_fail(ctx, SWQ_EINVAL, "dims must be 1 to %d, not %d", SWQ_MAX_DIMS - 1,
                        shape->dims);
    for (int k = 0; k < shape->dims; k++) {
        if (shape->extent[k] < 2)
            return swq_fail(ctx, SWQ_EINVAL, "extent %d of dims must be at least 2, not %d", k + 1,
                            shape->extent[k]);
        routers *= shape->extent[k];
        ports += (double)w * (shape->extent[k] - 1);
    }
    if (shape->size[VIA] && !by_another(shape))
        return swq_fail(ctx, SWQ_EINVAL, "via is for routings valiant and ugal, not for %s",
                        shape->routing ? shape->routing->name : swq_routings[0]->name);
    if (shape->drawn_ways && shape->size[VIA] > OTHER)
        return swq_fail(ctx, SWQ_EINVAL,
                        "via must be other with ways drawn, not %s, which is for ways in "
                        "the order of the dimensions",
                        vias[shape->size[VIA]]);
    if (ports > SWQ_MOST_ROUTER_PORTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hosts of topology hyperx must leave a router at most %d ports, hosts, and "
                        "width for each other router of a row, not %g",
                        SWQ_MOST_ROUTER_PORTS, ports);
    if (swq_shape_chooses(shape) && shape->dims > SWQ_MAX_DEROUTED_DIMS)
        return swq_fail(ctx, SWQ_EINVAL, "routing %s is for at most %d dims, not %d",
                        shape->routing->name, SWQ_MAX_DEROUTED_DIMS, shape->dims);
    f->shape.size[WIDTH] = w;
    f->ports = f->classes = (int)ports;
    if (routers * shape->size[NODES] > SWQ_MOST_ROUTER_NODES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hosts of topology hyperx must give at most %d nodes in all, not %g",
                        SWQ_MOST_ROUTER_NODES, routers * shape->size[NODES]);
    f->switches = (uint32_t)routers;
    f->nodes = f->switches * (uint32_t)shape->size[NODES];
    f->nodes_at_switch = (uint32_t)shape->size[NODES];
    f->levels = shape->dims + 1;
    f->group_nodes = f->nodes_at_switch; /* the routers of a row in the last dimension */
    f->group_ring = (uint32_t)shape->extent[shape->dims - 1];
    f->place_dims = shape->dims + 1; /* patterns of traffic know rows, and nodes of a router */
    f->shape.extent[shape->dims] = shape->size[NODES];
    return SWQ_OK;
}

static int longest(const swq_fabric *f)
{
    return f->shape.dims + 1;
}

static void describe(const swq_fabric *f, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "hyperx ");

    for (int k = 0; k < f->shape.dims && used < size; k++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%d", k ? "x" : "", f->shape.extent[k]);
    if (used < size)
        snprintf(text + used, size - used,
                 " of routers with %" PRIu32 " nodes, %" PRIu32 " link%s between two of a row, "
                 "%" PRIu32 " nodes",
                 nodes_at(f), width(f), width(f) > 1 ? "s" : "", f->nodes);
}

/* One node a router will do, as nodes wait for none; one link between two routers; and rows of
 * three, in which a way has each kind of turn. */
static void stand_in(swq_shape *shape)
{
    shape->size[NODES] = shape->size[WIDTH] = 1;
    for (int k = 0; k < shape->dims; k++)
        shape->extent[k] = shape->extent[k] < 3 ? shape->extent[k] : 3;
    shape->dims = shape->dims < 4 ? shape->dims : 4;
}

/* ---- wiring ---- */

/* Routers are numbered by their coordinates, the first dimension's the most significant: how many
 * routers a step in dimension k is. */
static uint32_t stride(const swq_fabric *f, int k)
{
    uint32_t step = 1;

    for (int d = f->shape.dims - 1; d > k; d--)
        step *= (uint32_t)f->shape.extent[d];
    return step;
}

static uint32_t place_in_row(const swq_fabric *f, uint32_t router, int k)
{
    return router / stride(f, k) % (uint32_t)f->shape.extent[k];
}

/* The first port of dimension k. */
static uint32_t first_of(const swq_fabric *f, int k)
{
    uint32_t port = nodes_at(f);

    for (int d = 0; d < k; d++)
        port += width(f) * ((uint32_t)f->shape.extent[d] - 1);
    return port;
}

/* The port of a router, at place `here` of its row in dimension k, to the router at place `there`.
 */
static uint32_t port_to(const swq_fabric *f, int k, uint32_t here, uint32_t there, uint32_t link)
{
    return first_of(f, k) + (there - (there > here)) * width(f) + link;
}

static void wire_port(swq_fabric *f, uint32_t port, uint32_t end, int level)
{
    f->link[port] = end;
    f->in_level[port] = f->out_level[port] = (uint8_t)level;
}

/* A class for each output that a packet may take from a port: behind a link of a dimension those of
 * later dimensions; on its way from another router, and where it takes dimensions in any order,
 * all. */
static void wire_classes(swq_fabric *f, uint32_t first)
{
    const bool any = by_another(&f->shape) || swq_shape_phase_a_link(&f->shape);

    for (int in = 0; in < f->ports; in++) {
        const int level = f->in_level[first + (uint32_t)in], hosts = f->shape.dims;
        for (int out = 0; out < f->ports; out++) {
            const int next = f->in_level[first + (uint32_t)out];
            if (level == hosts ? out != in : any || next > level)
                swq_outputs_of(f, first + (uint32_t)in)[out] = (uint8_t)out;
        }
    }
}

static void wire(swq_fabric *f)
{
    for (uint32_t router = 0; router < f->switches; router++) {
        const uint32_t first = swq_first_port(f, router);
        for (uint32_t n = 0; n < nodes_at(f); n++) {
            f->entry[router * nodes_at(f) + n] = first + n;
            wire_port(f, first + n, SWQ_TO_NODE | (router * nodes_at(f) + n), f->shape.dims);
        }
        for (int k = 0; k < f->shape.dims; k++) {
            const uint32_t here = place_in_row(f, router, k);
            for (uint32_t there = 0; there < (uint32_t)f->shape.extent[k]; there++) {
                const uint32_t other = router + (there - here) * stride(f, k);
                for (uint32_t link = 0; link < width(f) && there != here; link++)
                    wire_port(f, first + port_to(f, k, here, there, link),
                              swq_first_port(f, other) + port_to(f, k, there, here, link), k);
            }
        }
        wire_classes(f, first);
    }
}

/* ---- ways ---- */

static uint32_t router_of(const swq_fabric *f, uint32_t node)
{
    return node / nodes_at(f);
}

static int route(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const uint32_t router = port / (uint32_t)f->ports, end = router_of(f, to);

    (void)from;
    for (int k = 0; k < f->shape.dims; k++) {
        const uint32_t here = place_in_row(f, router, k), there = place_in_row(f, end, k);
        if (here != there)
            return (int)port_to(f, k, here, there, to % width(f));
    }
    return (int)(to % nodes_at(f));
}

/* Does the way from router a to router `via` lead by router b, another one than a? It does if the
 * coordinates of `via` are those of b up to the last in which a differs from b. */
static bool leads_by(const swq_fabric *f, uint32_t a, uint32_t via, uint32_t b)
{
    int last = f->shape.dims - 1;

    while (place_in_row(f, a, last) == place_in_row(f, b, last))
        last--;
    for (int k = 0; k <= last; k++) {
        if (place_in_row(f, via, k) != place_in_row(f, b, k))
            return false;
    }
    return true;
}

/* Between nodes of one router packets go straight. */
static uint32_t places(const swq_fabric *f, uint32_t from, uint32_t to)
{
    const uint32_t a = router_of(f, from), b = router_of(f, to);
    uint32_t between = 1;

    if (a == b)
        return 0;
    if (f->shape.size[VIA] == OTHER)
        return f->switches - 2;
    if (f->shape.size[VIA] == ANY)
        return f->switches;
    for (int k = 0; k < f->shape.dims; k++) {
        if (place_in_row(f, a, k) != place_in_row(f, b, k))
            between *= (uint32_t)f->shape.extent[k];
    }
    return between;
}

/* Router `number` of those that share with routers a and b all coordinates in which these agree. */
static uint32_t router_between(const swq_fabric *f, uint32_t a, uint32_t b, uint32_t number)
{
    uint32_t router = a;

    for (int k = 0; k < f->shape.dims; k++) {
        const uint32_t here = place_in_row(f, a, k), row = (uint32_t)f->shape.extent[k];
        if (here == place_in_row(f, b, k))
            continue;
        router += (number % row - here) * stride(f, k);
        number /= row;
    }
    return router;
}

/* With via other, a router that is neither end's; otherwise any router, but a way that leads by
 * the destination's router ends there. */
static uint32_t place(const swq_fabric *f, uint32_t from, uint32_t to, uint32_t number)
{
    const uint32_t a = router_of(f, from), b = router_of(f, to);
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;

    if (f->shape.size[VIA] == OTHER) {
        number += number >= low;
        number += number >= high;
        return number * nodes_at(f);
    }
    if (f->shape.size[VIA] == BETWEEN)
        number = router_between(f, a, b, number);
    return (leads_by(f, a, number, b) ? b : number) * nodes_at(f);
}

static bool come(const swq_fabric *f, uint32_t port, uint32_t node)
{
    return port / (uint32_t)f->ports == router_of(f, node);
}

/* Links that a packet may choose from: in each dimension in which it is not in its node's place,
 * those that lead there, and, unless it has taken one of these before, those to other routers of
 * the row. */
static int next_links(const swq_fabric *f, uint32_t port, const swq_packet_state *p,
                      swq_next_link *list)
{
    const uint32_t router = port / (uint32_t)f->ports, end = router_of(f, p->to);
    int count = 0, links = 0;

    for (int k = 0; k < f->shape.dims; k++)
        links += place_in_row(f, router, k) != place_in_row(f, end, k);
    for (int k = 0; k < f->shape.dims; k++) {
        const uint32_t here = place_in_row(f, router, k), there = place_in_row(f, end, k);
        const bool once = !(p->derouted >> k & 1);
        for (uint32_t at = 0; at < (uint32_t)f->shape.extent[k] && here != there; at++) {
            const bool straight = at == there;
            for (uint32_t w = 0; w < width(f) && at != here && (straight || once); w++)
                list[count++] = (swq_next_link){
                    (uint8_t)port_to(f, k, here, at, w), (uint8_t)(links + !straight),
                    (uint8_t)(p->derouted | (straight ? 0u : 1u << k)), straight};
        }
    }
    return count;
}

/* Of `once` dimensions in which a packet may still leave its way and `twice` in which it has, any
 * comes next; rows are taken to be as long as the longest. */
static double links_of_ways(const swq_fabric *f)
{
    enum { MOST = SWQ_MAX_DEROUTED_DIMS + 1 };
    double links[MOST][MOST] = {{0}}, others = 0;

    for (int k = 0; k < f->shape.dims; k++)
        others = fmax(others, f->shape.extent[k] - 2);
    for (int once = 0; once <= f->shape.dims; once++) {
        for (int twice = 0; once + twice <= f->shape.dims; twice++) {
            double *sum = &links[once][twice];
            if (once > 0)
                *sum += once * width(f) *
                        (1 + links[once - 1][twice] + others * (1 + links[once - 1][twice + 1]));
            if (twice > 0)
                *sum += twice * width(f) * (1 + links[once][twice - 1]);
        }
    }
    return links[f->shape.dims][0];
}

/* With dimensions in any order, a phase is a link: one in each dimension; with routing dal, in
 * those in which there is another router to go by, two. */
static int phases(const swq_shape *shape)
{
    const int parts = by_another(shape) ? 2 : 1;
    int most = 0;

    if (!swq_shape_chooses(shape))
        return swq_shape_has_ways(shape) ? parts * shape->dims : parts;
    for (int k = 0; k < shape->dims; k++)
        most += shape->extent[k] > 2 ? 2 : 1;
    return most;
}

/* Up to the other router; and on from there, or straight. */
static int phase(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    if (swq_shape_phase_a_link(&f->shape))
        return swq_phase_of_link(f, port, p);
    return phases(&f->shape) == 2 && p->then == SWQ_NO_WHERE;
}

/* ---- the row ---- */

static const swq_shape examples[] = {
    {.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}, .size = {2}},
    {.kind = &swq_fabric_hyperx, .dims = 2, .extent = {3, 4}, .size = {2}},
    {.kind = &swq_fabric_hyperx, .dims = 2, .extent = {2, 3}, .size = {1, 2}},
    {.kind = &swq_fabric_hyperx, .dims = 3, .extent = {2, 3, 2}, .size = {1}},
    {0},
};

const swq_fabric_kind swq_fabric_hyperx = {
    .name = "hyperx",
    .summary = "routers at the points of a grid, linked to all others of their rows; the flattened "
               "butterfly",
    .source = "Ahn, Binkert, Davis, McLaren and Schreiber (2009); Kim, Dally and Abts (2007)",
    .point_to_point = true,
    .classes_are_outputs = true,
    .engines = SWQ_ENGINE_ASYNC,
    .parameters = SWQ_HAS_DIMS | SWQ_HAS_EXTENTS,
    .shortest_ways = true,
    .ordered = true,
    .sizes = sizes,
    .examples = examples,
    .count = count,
    .wire = wire,
    .route = route,
    .stand_in = stand_in,
    .places = places,
    .place = place,
    .come = come,
    .next_links = next_links,
    .links_of_ways = links_of_ways,
    .phases = phases,
    .phase_is = "the first to the router between, the second on from it, or straight",
    .place_is = "router",
    .phase = phase,
    .longest = longest,
    .describe = describe,
    .level_name = swq_fabric_dimension_name,
};
