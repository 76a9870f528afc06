/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dragonfly (Kim, Dally, Scott and Abts, 2008): g groups of `a` routers, each with p nodes, a
 * link to each other router of its group, and h global ports; m = a h / (g - 1) global links,
 * rounded down, join each pair of groups, one at full size, g = a h + 1. Ports of a router, as
 * inputs and outputs alike: p to nodes, then a - 1 to the other routers of its group in their
 * order, then h global ones. The global links of a group are numbered router by router: g - 1, one
 * to each other group, then g - 1 more, and so on; in which order is the arrangement (Hastings et
 * al., 2015). Ports behind the last link are not used.
 *
 * The shortest way between groups is local, global, local. Of several links between them a packet
 * takes one of its router, if it has any, and the one of the number of the packet's node, modulo
 * their number. A way by another group is local, global, local, global, local. Links in a group
 * before, between and behind global links are told apart by the phase of the way, so that lanes for
 * each phase make an order of all lanes: no packet waits in a circle. A packet's class is its
 * output.
 *
 * With via router a packet goes on from a router of the other group, to which it takes another link
 * of that group, and with progressive routing it may leave the straight way behind a first link in
 * its sender's group: these links have phases of their own.
 */
#include "base/context.h"
#include "base/divide.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>
#include <stdio.h>

enum { NODES, ROUTERS, GLOBALS, ARRANGEMENT, VIA, GROUPS };           /* places in shape.size */
enum { LOCAL_LINKS, GLOBAL_LINKS, HOSTS, LEVELS };                    /* levels */
enum { BY_NODES, BY_ROUTERS, BY_GLOBALS, BY_PORTS, BY_OTHER_GROUPS }; /* in fabric.inverse */

static const char *const arrangements[] = {"consecutive", "palmtree", "relative",
                                           "circulant",   "absolute", NULL};
enum { CONSECUTIVE, PALMTREE, RELATIVE, CIRCULANT, ABSOLUTE /* is consecutive */ };

static const char *const vias[] = {"group", "router", NULL};
enum { BY_GROUP, BY_ROUTER };

static const swq_fabric_size sizes[] = {
    {.name = "hosts", .summary = "hosts of a router, p", .least = 1, .most = 254, .needed = true},
    {.name = "routers", .summary = "routers of a group, a (default 2 p)", .least = 1, .most = 255},
    {.name = "globals",
     .summary = "global links of a router, h (default p)",
     .least = 1,
     .most = 254},
    {.name = "arrangement",
     .summary =
         "of the global links, by the groups that they lead to: in their order (consecutive, "
         "the default, also called absolute), each one further (relative) or back "
         "(palmtree), or further and back in turn (circulant)",
     .words = arrangements},
    {.name = "via",
     .summary = "routings by way of another group: any router of it will do (group, the default), "
                "or a router of it is drawn, too (router)",
     .words = vias},
    {.name = "groups",
     .summary = "groups, g, 2 to a h + 1 (the default)",
     .least = 2,
     .most = SWQ_MOST_ROUTER_PORTS * SWQ_MOST_ROUTER_PORTS},
    {0},
};

static uint32_t size_of(const swq_fabric *f, int which)
{
    return (uint32_t)f->shape.size[which];
}

static bool by_another(const swq_shape *shape)
{
    return shape->routing && shape->routing->by_another;
}

static bool progressive(const swq_shape *shape)
{
    return shape->routing && shape->routing->progressive;
}

static uint32_t groups(const swq_fabric *f)
{
    return size_of(f, GROUPS);
}

/* Links between two groups. */
static uint32_t copies(const swq_fabric *f)
{
    return swq_quotient(size_of(f, ROUTERS) * size_of(f, GLOBALS), f->inverse[BY_OTHER_GROUPS]);
}

/* ---- the shape ---- */

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *f)
{
    const int p = shape->size[NODES], a = shape->size[ROUTERS] ? shape->size[ROUTERS] : 2 * p,
              h = shape->size[GLOBALS] ? shape->size[GLOBALS] : p;

    if (p + a - 1 + h > SWQ_MOST_ROUTER_PORTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hosts of topology dragonfly must leave a router at most %d ports, hosts + "
                        "routers - 1 + globals, not %d",
                        SWQ_MOST_ROUTER_PORTS, p + a - 1 + h);
    if (shape->size[VIA] && !by_another(shape))
        return swq_fail(ctx, SWQ_EINVAL, "via is for routings valiant, ugal and par, not for %s",
                        shape->routing ? shape->routing->name : swq_routings[0]->name);
    if (shape->size[GROUPS] > a * h + 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "groups of topology dragonfly must be 2 to %d, routers x globals + 1 with "
                        "%d routers and %d globals, not %d",
                        a * h + 1, a, h, shape->size[GROUPS]);
    f->shape.size[ROUTERS] = a;
    f->shape.size[GLOBALS] = h;
    f->shape.size[GROUPS] = shape->size[GROUPS] ? shape->size[GROUPS] : a * h + 1;
    f->ports = f->classes = p + a - 1 + h;
    f->inverse[BY_NODES] = swq_inverse((uint32_t)p);
    f->inverse[BY_ROUTERS] = swq_inverse((uint32_t)a);
    f->inverse[BY_GLOBALS] = swq_inverse((uint32_t)h);
    f->inverse[BY_PORTS] = swq_inverse((uint32_t)f->ports);
    f->inverse[BY_OTHER_GROUPS] = swq_inverse(groups(f) - 1);
    f->switches = (uint32_t)a * groups(f);
    f->nodes = (uint32_t)p * f->switches; /* less than 2^30 */
    if (f->nodes > SWQ_MOST_ROUTER_NODES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hosts of topology dragonfly must give at most %d nodes in all, not %u",
                        SWQ_MOST_ROUTER_NODES, f->nodes);
    f->nodes_at_switch = (uint32_t)p;
    f->levels = LEVELS;
    f->group_nodes = (uint32_t)(a * p);
    f->group_ring = groups(f);
    f->place_dims = 2; /* patterns of traffic know groups, and nodes in a group */
    f->shape.extent[0] = (int)groups(f);
    f->shape.extent[1] = a * p;
    return SWQ_OK;
}

static void describe(const swq_fabric *f, char *text, size_t size)
{
    const uint32_t links = copies(f) * (groups(f) - 1);
    const uint32_t spare = size_of(f, ROUTERS) * size_of(f, GLOBALS) - links;
    char pairs[100] = "";

    if (copies(f) > 1 || spare > 0)
        snprintf(pairs, sizeof pairs,
                 ", %" PRIu32 " link%s between two groups, %" PRIu32 " port%s of a group unused",
                 copies(f), copies(f) > 1 ? "s" : "", spare, spare == 1 ? "" : "s");
    snprintf(text, size,
             "dragonfly of %" PRIu32 " groups of %d routers with %d nodes and %d global link%s "
             "each, %s%s, %" PRIu32 " nodes",
             groups(f), f->shape.size[ROUTERS], f->shape.size[NODES], f->shape.size[GLOBALS],
             f->shape.size[GLOBALS] > 1 ? "s" : "", arrangements[f->shape.size[ARRANGEMENT]], pairs,
             f->nodes);
}

/* One node a router will do, as nodes wait for none; and few routers and links, as long as a way
 * has each kind of turn. Of fewer groups than the full size, in which every router may have a link
 * to every group, a small network is its own. */
static void stand_in(swq_shape *shape)
{
    enum { SMALL = 64, FEW = 4 }; /* routers, groups */
    int *size = shape->size;

    size[ROUTERS] = size[ROUTERS] ? size[ROUTERS] : 2 * size[NODES];
    size[GLOBALS] = size[GLOBALS] ? size[GLOBALS] : size[NODES];
    size[NODES] = 1;
    if (size[GROUPS] && size[GROUPS] * size[ROUTERS] <= SMALL)
        return;
    size[ROUTERS] = size[ROUTERS] < 3 ? size[ROUTERS] : 3;
    size[GLOBALS] = size[GLOBALS] < 2 ? size[GLOBALS] : 2;
    if (size[GROUPS] && size[ROUTERS] * size[GLOBALS] >= FEW)
        size[GROUPS] = FEW;
    else
        size[GROUPS] = 0;
}

/* ---- wiring ---- */

static uint32_t group_of(const swq_fabric *f, uint32_t router)
{
    return swq_quotient(router, f->inverse[BY_ROUTERS]);
}

static uint32_t router_of_node(const swq_fabric *f, uint32_t node)
{
    return swq_quotient(node, f->inverse[BY_NODES]);
}

static uint32_t router_of_port(const swq_fabric *f, uint32_t port)
{
    return swq_quotient(port, f->inverse[BY_PORTS]);
}

/* The port of a router, `here` in its group, that leads to another one, `there`. */
static uint32_t local_port(const swq_fabric *f, uint32_t here, uint32_t there)
{
    return size_of(f, NODES) + there - (there > here);
}

/* The router that has a global link, by its number in a group, and the port there. */
static uint32_t leads_to(const swq_fabric *f, uint32_t link)
{
    return swq_quotient(link, f->inverse[BY_GLOBALS]);
}

static uint32_t global_port(const swq_fabric *f, uint32_t link)
{
    return size_of(f, NODES) + size_of(f, ROUTERS) - 1 + link -
           leads_to(f, link) * size_of(f, GLOBALS);
}

/* The number, in its group, of the first link from one group to another; links to the same group
 * are groups - 1 apart. */
static uint32_t link_between(const swq_fabric *f, uint32_t from, uint32_t to)
{
    const int arrangement = f->shape.size[ARRANGEMENT];

    if (arrangement == CONSECUTIVE || arrangement == ABSOLUTE)
        return to - (to > from);
    const uint32_t ahead = to > from ? to - from : to + groups(f) - from, back = groups(f) - ahead;
    return arrangement == PALMTREE   ? back - 1
           : arrangement == RELATIVE ? ahead - 1
           : ahead <= back           ? 2 * (ahead - 1)
                                     : 2 * back - 1;
}

/* Is a global link, by its number in a group, one of the router `here`? */
static bool is_at(const swq_fabric *f, uint32_t link, uint32_t here)
{
    return leads_to(f, link) == here;
}

/* The links of router `here` of a group to another group. */
static uint32_t own_links(const swq_fabric *f, uint32_t here, uint32_t group, uint32_t other)
{
    const uint32_t first = link_between(f, group, other), step = groups(f) - 1;
    uint32_t own = 0;

    for (uint32_t k = 0; k < copies(f); k++)
        own += is_at(f, first + k * step, here);
    return own;
}

/* Local, global, local; groups of one router have global links alone, and where each router has a
 * link to each group, no local one comes before. */
static int longest(const swq_fabric *f)
{
    uint32_t own = 1;

    for (uint32_t here = 0; here < size_of(f, ROUTERS) && own; here++) {
        for (uint32_t other = 1; other < groups(f) && own; other++)
            own = own_links(f, here, 0, other);
    }
    return size_of(f, ROUTERS) == 1 ? 2 : own ? 3 : 4;
}

/* The link to another group that packets for a node take at the router `here` of a group. */
static uint32_t link_taken(const swq_fabric *f, uint32_t here, uint32_t group, uint32_t other,
                           uint32_t to)
{
    const uint32_t first = link_between(f, group, other), step = groups(f) - 1, all = copies(f);
    uint32_t own, k = 0;

    if (all == 1)
        return first;
    own = own_links(f, here, group, other);
    if (own == 0)
        return first + to % all * step;
    for (uint32_t left = to % own; left > 0 || !is_at(f, first + k * step, here); k++)
        left -= is_at(f, first + k * step, here);
    return first + k * step;
}

/* A class for each output that a packet may take from a port: on from a local link only out of the
 * group or to a node, unless it goes by way of a router or may turn; from a global link also out of
 * the group again, by way of it. */
static void wire_classes(swq_fabric *f, uint32_t first)
{
    const int nodes = f->shape.size[NODES], locals = nodes + f->shape.size[ROUTERS] - 1;
    const bool turn = f->shape.size[VIA] == BY_ROUTER || progressive(&f->shape);

    for (int in = 0; in < f->ports; in++) {
        uint8_t *output = swq_outputs_of(f, first + (uint32_t)in);
        for (int out = 0; out < f->ports; out++) {
            const bool local = in >= nodes && in < locals, global = in >= locals;
            const bool none = local    ? out >= nodes && out < locals && !turn
                              : global ? out >= locals && !by_another(&f->shape)
                                       : out == in;
            if (!none && f->out_level[first + (uint32_t)out] != SWQ_UNUSED)
                output[out] = (uint8_t)out;
        }
    }
}

static void wire_port(swq_fabric *f, uint32_t port, uint32_t end, int level)
{
    f->link[port] = end;
    f->in_level[port] = f->out_level[port] = (uint8_t)level;
}

static void wire_router(swq_fabric *f, uint32_t router)
{
    const uint32_t a = size_of(f, ROUTERS), p = size_of(f, NODES),
                   first = swq_first_port(f, router);
    const uint32_t group = group_of(f, router), here = router % a;

    for (uint32_t k = 0; k < p; k++) {
        f->entry[router * p + k] = first + k;
        wire_port(f, first + k, SWQ_TO_NODE | (router * p + k), HOSTS);
    }
    for (uint32_t there = 0; there < a; there++) {
        if (there != here)
            wire_port(f, first + local_port(f, here, there),
                      swq_first_port(f, group * a + there) + local_port(f, there, here),
                      LOCAL_LINKS);
    }
    for (uint32_t k = 0; k < groups(f) * copies(f); k++) {
        const uint32_t other = k % groups(f), behind = k / groups(f) * (groups(f) - 1);
        if (other == group || !is_at(f, link_between(f, group, other) + behind, here))
            continue;
        const uint32_t back = link_between(f, other, group) + behind;
        wire_port(f, first + global_port(f, link_between(f, group, other) + behind),
                  swq_first_port(f, other * a + back / size_of(f, GLOBALS)) + global_port(f, back),
                  GLOBAL_LINKS);
    }
    wire_classes(f, first);
}

static void wire(swq_fabric *f)
{
    for (uint32_t router = 0; router < f->switches; router++)
        wire_router(f, router);
}

/* ---- ways ---- */

static uint32_t either(bool first, uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & (0 - (uint32_t)first)); /* not ?:, of which the compiler makes a branch */
}

/* Where a packet is on its way is a matter of chance, so that branches would be mispredicted: the
 * outputs in all cases are computed, and one is taken. */
static int route(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const uint32_t a = size_of(f, ROUTERS), router = router_of_port(f, port);
    const uint32_t end = router_of_node(f, to), group = group_of(f, router);
    const uint32_t other = group_of(f, end), here = router - group * a;
    const bool inside = group == other;
    const uint32_t link = copies(f) == 1 || inside ? link_between(f, group, other)
                                                   : link_taken(f, here, group, other, to);
    const uint32_t leads = leads_to(f, link), global = global_port(f, link);
    const uint32_t local = local_port(f, here, either(inside, end - other * a, leads));
    const uint32_t on = either(!inside & (leads == here), global, local);

    (void)from;
    return (int)either(router == end, to - end * size_of(f, NODES), on);
}

static uint32_t group_of_node(const swq_fabric *f, uint32_t node)
{
    return group_of(f, router_of_node(f, node));
}

/* A place is drawn as one of its nodes, as many as there are links between two groups, so that ways
 * to it use all of them. */
static uint32_t nodes_drawn(const swq_fabric *f)
{
    const uint32_t nodes = f->shape.size[VIA] == BY_ROUTER
                               ? size_of(f, NODES)
                               : size_of(f, ROUTERS) * size_of(f, NODES);

    return copies(f) < nodes ? copies(f) : nodes;
}

/* Places by way of which packets go are the other groups, or their routers; within a group packets
 * stay there. */
static uint32_t places(const swq_fabric *f, uint32_t from, uint32_t to)
{
    const uint32_t routers = f->shape.size[VIA] == BY_ROUTER ? size_of(f, ROUTERS) : 1;

    return group_of_node(f, from) == group_of_node(f, to)
               ? 0
               : (groups(f) - 2) * routers * nodes_drawn(f);
}

static uint32_t place(const swq_fabric *f, uint32_t from, uint32_t to, uint32_t number)
{
    const uint32_t a = group_of_node(f, from), b = group_of_node(f, to);
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    const bool drawn = f->shape.size[VIA] == BY_ROUTER;
    const uint32_t node = number % nodes_drawn(f), which = number / nodes_drawn(f);
    uint32_t group = drawn ? which / size_of(f, ROUTERS) : which;

    group += group >= low;
    group += group >= high;
    return (group * size_of(f, ROUTERS) + (drawn ? which % size_of(f, ROUTERS) : 0)) *
               size_of(f, NODES) +
           node;
}

static bool come(const swq_fabric *f, uint32_t port, uint32_t node)
{
    const uint32_t router = router_of_port(f, port);

    if (f->shape.size[VIA] == BY_ROUTER)
        return router == router_of_node(f, node);
    return group_of(f, router) == group_of_node(f, node);
}

static bool turns(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    return group_of(f, router_of_port(f, port)) == group_of_node(f, p->from);
}

static int phases(const swq_shape *shape)
{
    if (!by_another(shape))
        return 2;
    return (shape->size[VIA] == BY_ROUTER ? 4 : 3) + progressive(shape);
}

/* Behind a link in the sender's group from which packets may turn, the last phase has no global
 * link ahead, the one before has one; by way of a router, each part of the way has two phases. */
static int phase(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    const uint32_t here = group_of(f, router_of_port(f, port)), to = group_of_node(f, p->to);
    const bool first_part = p->then != SWQ_NO_WHERE;

    if (p->open && here == group_of_node(f, p->from))
        return 0;
    if (f->shape.size[VIA] == BY_ROUTER)
        return phases(&f->shape) - 1 - (here != to) - (first_part ? 2 : 0);
    const bool on = first_part && group_of_node(f, p->then) != to;
    return phases(&f->shape) - 1 - (here != to) - on;
}

static const char *place_words(const swq_shape *shape)
{
    return vias[shape->size[VIA]];
}

static const char *phase_words(const swq_shape *shape)
{
    static const char *const words[2][2] = {
        {"by the global links ahead of a packet: the last with none, the one before with one",
         "the first behind a link from which packets may still be sent by way of another group; "
         "the others by the global links ahead of a packet, the last with none"},
        {"two to the router between, before and behind a global link, and two on from it, or "
         "straight",
         "the first behind a link from which packets may still be sent by way of another router; "
         "then two to that router, before and behind a global link, and two on from it, or "
         "straight"}};

    return words[shape->size[VIA] == BY_ROUTER][progressive(shape)];
}

/* ---- the row ---- */

static void level_name(const swq_fabric *fabric, int level, char *text, size_t size)
{
    static const char *const names[] = {"local links", "global links", "hosts"};

    (void)fabric;
    snprintf(text, size, "%s", names[level]);
}

/* "local link 2", counted from 0 among the links of its level at the router. */
static void direction_name(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    static const char *const names[] = {"local link", "global link", "node link"};
    const uint32_t p = port % (uint32_t)f->ports, nodes = size_of(f, NODES);
    const uint32_t first[] = {nodes, nodes + size_of(f, ROUTERS) - 1, 0};

    snprintf(text, size, "%s %u", names[f->in_level[port]], p - first[f->in_level[port]]);
}

static const swq_shape examples[] = {
    {.kind = &swq_fabric_dragonfly, .size = {1, 2, 1}},
    {.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}},
    {.kind = &swq_fabric_dragonfly, .size = {2, 3, 1, PALMTREE}},
    {.kind = &swq_fabric_dragonfly, .size = {1, 1, 4}},
    {.kind = &swq_fabric_dragonfly, .size = {1, 4, 3, PALMTREE}},
    {.kind = &swq_fabric_dragonfly, .size = {2, 3, 2, RELATIVE}},
    {.kind = &swq_fabric_dragonfly, .size = {1, 4, 2, CIRCULANT, 0, 4}},
    {.kind = &swq_fabric_dragonfly, .size = {2, 2, 4, RELATIVE, 0, 3}},
    {.kind = &swq_fabric_dragonfly, .size = {1, 4, 1, CONSECUTIVE, 0, 2}},
    {0},
};

const swq_fabric_kind swq_fabric_dragonfly = {
    .name = "dragonfly",
    .summary = "groups of routers, all linked to each other, and links between each two groups",
    .source = "Kim, Dally, Scott and Abts (2008); Hastings et al. (2015)",
    .point_to_point = true,
    .classes_are_outputs = true,
    .engines = SWQ_ENGINE_ASYNC,
    .sizes = sizes,
    .examples = examples,
    .count = count,
    .wire = wire,
    .route = route,
    .stand_in = stand_in,
    .places = places,
    .place = place,
    .come = come,
    .turns = turns,
    .phases = phases,
    .phase_words = phase_words,
    .place_words = place_words,
    .global_level = GLOBAL_LINKS,
    .phase = phase,
    .longest = longest,
    .describe = describe,
    .level_name = level_name,
    .direction_name = direction_name,
};
