/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Megafly, or Dragonfly+ (Flajslik, Borch and Parker, 2018; Shpiner, Haramaty, Eliad, Zdornov,
 * Gafni and Zahavi, 2017): g groups of l leaves, with p nodes each, and s spines, with h global
 * links each. In a group every leaf is linked to every spine, and c = s h / (g - 1) links, rounded
 * down, join each two groups; ports that are left over are not used.
 *
 * Leaves are numbered first, group by group, and then spines. Ports of a leaf, as inputs and
 * outputs alike: p to nodes, s to spines; of a spine: l to leaves, h global ones. Global link k of
 * a group, at its spine k / h, leads to the group of place k modulo g - 1 among the others.
 *
 * Between leaves, the shortest way is a link up, a global one and one down, or up and down in a
 * group, so that no packets wait in a circle. A way by another leaf is two such ways, in lanes of
 * their own.
 */
#include "base/context.h"
#include "sim/fabrics/by_table.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>
#include <stdio.h>

enum { NODES, LEAVES, SPINES, GLOBALS, GROUPS };   /* places in shape.size */
enum { LOCAL_LINKS, GLOBAL_LINKS, HOSTS, LEVELS }; /* levels */

static const swq_fabric_size sizes[] = {
    {.name = "hosts", .summary = "hosts of a leaf, p", .least = 1, .most = 254, .needed = true},
    {.name = "leaves", .summary = "leaves of a group, l (default p)", .least = 1, .most = 254},
    {.name = "spines", .summary = "spines of a group, s (default p)", .least = 1, .most = 254},
    {.name = "globals",
     .summary = "global links of a spine, h (default p)",
     .least = 1,
     .most = 254},
    {.name = "groups", .summary = "groups, g (default s h + 1)", .least = 2, .most = 254 * 254 + 1},
    {0},
};

static uint32_t size_of(const swq_fabric *f, int which)
{
    return (uint32_t)f->shape.size[which];
}

/* ---- the shape ---- */

/* Sets the sizes that are not given. */
static void complete(int *size)
{
    for (int k = LEAVES; k <= GLOBALS; k++)
        size[k] = size[k] ? size[k] : size[NODES];
    size[GROUPS] = size[GROUPS] ? size[GROUPS] : size[SPINES] * size[GLOBALS] + 1;
}

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *f)
{
    int *size = f->shape.size;

    (void)shape; /* f has a copy */
    complete(size);
    const int leaf = size[NODES] + size[SPINES], spine = size[LEAVES] + size[GLOBALS];
    if (leaf > SWQ_MOST_TABLE_PORTS || spine > SWQ_MOST_TABLE_PORTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hosts of topology megafly must leave a switch at most %d ports: hosts + "
                        "spines at a leaf, not %d, and leaves + globals at a spine, not %d",
                        SWQ_MOST_TABLE_PORTS, leaf, spine);
    if (size[GROUPS] > size[SPINES] * size[GLOBALS] + 1)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "groups of topology megafly must be at most spines x globals + 1, %d, not %d",
            size[SPINES] * size[GLOBALS] + 1, size[GROUPS]);
    f->ports = f->classes = leaf > spine ? leaf : spine;
    f->switches = (uint32_t)(size[GROUPS] * (size[LEAVES] + size[SPINES]));
    f->nodes = (uint32_t)(size[GROUPS] * size[LEAVES] * size[NODES]);
    f->nodes_at_switch = size_of(f, NODES);
    f->levels = LEVELS;
    f->group_nodes = (uint32_t)(size[LEAVES] * size[NODES]);
    f->group_ring = (uint32_t)size[GROUPS];
    f->place_dims = 2; /* patterns of traffic know groups, and nodes in a group */
    f->shape.extent[0] = size[GROUPS];
    f->shape.extent[1] = size[LEAVES] * size[NODES];
    return SWQ_OK;
}

/* Leaf, spine, spine, leaf. */
static int longest(const swq_fabric *f)
{
    (void)f;
    return 4;
}

static void describe(const swq_fabric *f, char *text, size_t size)
{
    const int *n = f->shape.size;

    snprintf(text, size,
             "megafly of %d groups of %d %s with %d node%s and %d spine%s with %d global link%s "
             "each, %" PRIu32 " nodes",
             n[GROUPS], n[LEAVES], n[LEAVES] > 1 ? "leaves" : "leaf", n[NODES],
             n[NODES] > 1 ? "s" : "", n[SPINES], n[SPINES] > 1 ? "s" : "", n[GLOBALS],
             n[GLOBALS] > 1 ? "s" : "", f->nodes);
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* One node a leaf will do, as nodes wait for none; and few leaves, spines and groups, as long as a
 * way has each kind of turn. */
static void stand_in(swq_shape *shape)
{
    int *size = shape->size;

    complete(size);
    size[NODES] = 1;
    size[LEAVES] = least_of(size[LEAVES], 3);
    size[SPINES] = least_of(size[SPINES], 2);
    size[GLOBALS] = least_of(size[GLOBALS], 2);
    size[GROUPS] = least_of(size[GROUPS], least_of(size[SPINES] * size[GLOBALS] + 1, 3));
}

/* ---- wiring ---- */

/* The spine of a group at which its link number `copy` to another group is. */
static uint32_t spine_for(const swq_fabric *f, uint32_t group, uint32_t other, uint32_t copy)
{
    const uint32_t link = copy * (size_of(f, GROUPS) - 1) + other - (other > group);

    return size_of(f, GROUPS) * size_of(f, LEAVES) + group * size_of(f, SPINES) +
           link / size_of(f, GLOBALS);
}

static void wire_group(swq_fabric *f, uint32_t group)
{
    const uint32_t l = size_of(f, LEAVES), s = size_of(f, SPINES), g = size_of(f, GROUPS);

    for (uint32_t leaf = group * l; leaf < (group + 1) * l; leaf++) {
        swq_wire_nodes(f, leaf, HOSTS);
        for (uint32_t k = 0; k < s; k++)
            swq_wire_link(f, leaf, g * l + group * s + k, LOCAL_LINKS);
    }
}

static void wire(swq_fabric *f)
{
    const uint32_t g = size_of(f, GROUPS),
                   copies = size_of(f, SPINES) * size_of(f, GLOBALS) / (g - 1);

    for (uint32_t group = 0; group < g; group++)
        wire_group(f, group);
    for (uint32_t copy = 0; copy < copies; copy++) {
        for (uint32_t a = 0; a < g; a++) {
            for (uint32_t b = a + 1; b < g; b++)
                swq_wire_link(f, spine_for(f, a, b, copy), spine_for(f, b, a, copy), GLOBAL_LINKS);
        }
    }
    swq_wire_all_classes(f);
}

/* ---- ways ---- */

static int phases(const swq_shape *shape)
{
    return shape->routing && shape->routing->by_another ? 2 : 1;
}

/* Up to the other leaf; and on from there, or straight. */
static int phase(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    (void)port;
    return phases(&f->shape) == 2 && p->then == SWQ_NO_WHERE;
}

/* ---- the row ---- */

static void level_name(const swq_fabric *fabric, int level, char *text, size_t size)
{
    static const char *const names[] = {"local links", "global links", "hosts"};

    (void)fabric;
    snprintf(text, size, "%s", names[level]);
}

static const swq_shape examples[] = {
    {.kind = &swq_fabric_megafly, .size = {1}},
    {.kind = &swq_fabric_megafly, .size = {2}},
    {.kind = &swq_fabric_megafly, .size = {1, 3, 2, 2, 3}},
    {.kind = &swq_fabric_megafly, .size = {2, 1, 3, 1, 3}},
    {0},
};

const swq_fabric_kind swq_fabric_megafly = {
    .name = "megafly",
    .summary =
        "groups of leaves and spines, all linked to each other, and links between the spines "
        "of each two groups; Dragonfly+",
    .source = "Flajslik, Borch and Parker (2018); Shpiner, Haramaty, Eliad, Zdornov, Gafni and "
              "Zahavi (2017)",
    .phase_is = "the first to the leaf between, the second on from it, or straight",
    .place_is = "leaf",
    .global_level = GLOBAL_LINKS,
    .phase = phase,
    SWQ_BY_TABLE_ROW,
};
