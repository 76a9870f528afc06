/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of switches with as many ways up as their arities allow, packets turning round at the
 * lowest level that sender and receiver have in common: k-ary n-trees (Petrini and Vanneschi 1997),
 * which are bidirectional multistage networks; the same with fewer links up than down (slimmed);
 * and fat trees of switches that all have one radix. All are extended generalized fat trees
 * (Öhring et al. 1995).
 *
 * Level 0 has the leaves' switches. A switch of level l has down[l] links down and up[l] links up,
 * none at the top. `block` nodes lie below it, and `ways` switches of its level share that block:
 * block b of level l has the switches first + b * ways + j, where j tells which link up was taken
 * at each level below, level 0 first. Ports 0 .. down - 1 of a switch lead down, to the parts of
 * its block in order, and down .. down + up - 1 up; the input of that number comes from there.
 *
 * Up goes the link that the destination alone chooses (d mod k): of all its digits each level uses
 * another, so that the packets for one node meet at one root, and uniform traffic loads all links
 * of a level alike. Down there is one way. Links down never wait for links up, so nothing can wait
 * in a circle. A packet's class is its output; with adaptive routing, going up, it is that of the
 * first link up, `down`, and any link up may be taken.
 *
 * Levels as they are measured are in the order of a packet's way: up from level 0, .., down to
 * level 0, and last the links to and from the nodes.
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the shape ---- */

static swq_status lay_levels(swq_context *ctx, const int *arity, int levels, swq_fabric *f)
{
    const int slim = f->shape.up_ports;
    uint64_t nodes = 1, switches = 0;
    uint32_t ways = 1;

    for (int l = 0; l < levels; l++) {
        const bool top = l == levels - 1;
        const int up = top ? 0 : slim ? slim : arity[l];
        if (up > arity[l])
            return swq_fail(ctx, SWQ_EINVAL,
                            "up-ports must be 1 to the links down of each level below the top, "
                            "which are %d at level %d, not %d",
                            arity[l], l + 1, slim);
        nodes *= (uint64_t)arity[l];
        if (nodes > SWQ_MAX_NODES)
            return swq_fail(ctx, SWQ_EINVAL,
                            "nodes must be at most %d, which the first %d levels exceed: %" PRIu64,
                            SWQ_MAX_NODES, l + 1, nodes);
        f->tree[l] = (swq_tree_level){
            .down = (uint32_t)arity[l], .up = (uint32_t)up, .ways = ways, .block = (uint32_t)nodes};
        ways *= (uint32_t)(top ? 1 : up);
        if (arity[l] + up > f->ports)
            f->ports = arity[l] + up;
    }
    if (f->ports > SWQ_MAX_WORM_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "%s: a switch would have %d ports of at most %d",
                        f->shape.arity[0] ? "arity" : "radix", f->ports, SWQ_MAX_WORM_PORTS);
    for (int l = 0; l < levels; l++) {
        f->tree[l].first = (uint32_t)switches;
        switches += nodes / f->tree[l].block * f->tree[l].ways;
    }
    f->nodes = (uint32_t)nodes;
    f->nodes_at_switch = f->tree[0].down;
    f->switches = (uint32_t)switches; /* a level has at most nodes / 2 */
    f->classes = f->ports;
    if (swq_shape_adaptive(&f->shape)) {
        f->classes = arity[levels - 1];
        for (int l = 0; l < levels - 1; l++)
            f->classes = arity[l] + 1 > f->classes ? arity[l] + 1 : f->classes;
    }
    f->levels = 2 * levels - 1;
    return SWQ_OK;
}

static swq_status count_tree(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    if (shape->levels < 2 || shape->levels > SWQ_MAX_TREE_LEVELS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "levels must be 2 to %d, not %d: a tree of one level is a switch alone",
                        SWQ_MAX_TREE_LEVELS, shape->levels);
    for (int l = 0; l < shape->levels; l++) {
        if (shape->arity[l] < 2 || shape->arity[l] > SWQ_MAX_WORM_PORTS)
            return swq_fail(ctx, SWQ_EINVAL, "arity must be 2 to %d at each level, not %d",
                            SWQ_MAX_WORM_PORTS, shape->arity[l]);
    }
    return lay_levels(ctx, shape->arity, shape->levels, fabric);
}

/* Half of a switch's ports lead up, except at the top, where all lead down. */
static swq_status count_fat_tree(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    int arity[3];

    if (shape->levels < 2 || shape->levels > 3)
        return swq_fail(ctx, SWQ_EINVAL, "levels must be 2 or 3 for topology fat-tree, not %d",
                        shape->levels);
    if (shape->ports < 4 || shape->ports > SWQ_MAX_WORM_PORTS || shape->ports % 2)
        return swq_fail(ctx, SWQ_EINVAL, "radix must be an even number from 4 to %d, not %d",
                        SWQ_MAX_WORM_PORTS, shape->ports);
    for (int l = 0; l < shape->levels; l++)
        arity[l] = l == shape->levels - 1 ? shape->ports : shape->ports / 2;
    return lay_levels(ctx, arity, shape->levels, fabric);
}

/* ---- wiring ---- */

/* Number of levels of switches, from the number of levels of links. */
static int tree_levels(const swq_fabric *f)
{
    return (f->levels + 1) / 2;
}

static int up_level(int l)
{
    return l;
}

static int down_level(const swq_fabric *f, int l) /* of links that lead down to level l */
{
    return f->levels - 2 - l;
}

/* The outputs possible at each port of a switch: from below any other way down, or any way up; from
 * above any way down. */
static void wire_choices(swq_fabric *f, const swq_tree_level *t, uint32_t first)
{
    for (uint32_t p = 0; p < t->down + t->up; p++) {
        f->position[first + p] = (uint16_t)(t - f->tree);
        for (uint32_t q = 0; q < t->down; q++) {
            swq_port_set_put(swq_set_of(f, first + p, (int)q), q, p != q, f->set_words);
            swq_outputs_of(f, first + p)[q] = (uint8_t)(p == q ? SWQ_UNUSED : q);
        }
        for (uint32_t q = t->down; p < t->down && q < t->down + t->up; q++)
            swq_port_set_put(swq_set_of(f, first + p, (int)t->down), q, true, f->set_words);
    }
}

static void wire_switch(swq_fabric *f, const swq_tree_level *t, uint32_t first)
{
    if (f->outputs) {
        wire_choices(f, t, first);
        return;
    }
    const int level = (int)(t - f->tree);

    for (uint32_t p = 0; p < t->down + t->up; p++) {
        uint8_t *output = swq_outputs_of(f, first + p);
        const uint32_t ways = p < t->down ? t->down + t->up : t->down;
        f->position[first + p] = (uint16_t)level;
        for (uint32_t q = 0; q < ways; q++)
            output[q] = (uint8_t)(p == q ? SWQ_UNUSED : q);
    }
}

/* The two directions of the link between a port up and the port down at its other end. */
static void wire_up(swq_fabric *f, int l, uint32_t below, uint32_t above)
{
    f->link[below] = above;
    f->link[above] = below;
    f->out_level[below] = f->in_level[above] = (uint8_t)up_level(l);
    f->out_level[above] = f->in_level[below] = (uint8_t)down_level(f, l);
}

static void wire(swq_fabric *f)
{
    for (int l = 0; l < tree_levels(f); l++) {
        const swq_tree_level *t = &f->tree[l], *next = t + 1;
        const uint32_t blocks = f->nodes / t->block;
        for (uint32_t w = 0; w < blocks * t->ways; w++) {
            const uint32_t block = w / t->ways, way = w % t->ways;
            const uint32_t first = swq_first_port(f, t->first + w);
            wire_switch(f, t, first);
            for (uint32_t u = 0; u < t->up; u++) {
                uint32_t above = next->first + block / next->down * next->ways + way + t->ways * u;
                wire_up(f, l, first + t->down + u, swq_first_port(f, above) + block % next->down);
            }
            for (uint32_t d = 0; l == 0 && d < t->down; d++) {
                const uint32_t node = block * t->down + d;
                f->entry[node] = first + d;
                f->link[first + d] = SWQ_TO_NODE | node;
                f->in_level[first + d] = f->out_level[first + d] = (uint8_t)(f->levels - 1);
            }
        }
    }
}

static int first_output(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const swq_tree_level *t = &f->tree[f->position[port]];
    const uint32_t block = (port / (uint32_t)f->ports - t->first) / t->ways;

    (void)from;
    if (to / t->block == block)
        return (int)(to / (t->block / t->down) % t->down);
    return (int)(t->down + to / t->ways % t->up);
}

static int route(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const int output = first_output(f, port, from, to), up = (int)f->tree[f->position[port]].down;

    return f->outputs && output > up ? up : output;
}

/* Up to the top, and down again. */
static int longest(const swq_fabric *f)
{
    return f->levels;
}

/* Links lead up from level to level, and then down: three levels have each kind of turn. */
static void stand_in_tree(swq_shape *shape)
{
    shape->levels = shape->levels < 3 ? shape->levels : 3;
    shape->up_ports = shape->up_ports > 2 ? 2 : shape->up_ports;
    for (int l = 0; l < shape->levels; l++)
        shape->arity[l] = 2;
}

static void stand_in_fat_tree(swq_shape *shape)
{
    shape->ports = 4;
    shape->up_ports = shape->up_ports > 2 ? 2 : shape->up_ports;
}

/* "tree of 3 levels, 4 links down and 4 up, 64 nodes, 48 switches" */
static void describe(const swq_fabric *f, char *text, size_t size)
{
    const int levels = tree_levels(f);
    size_t used = (size_t)snprintf(text, size, "%s of %d levels", f->shape.kind->name, levels);
    bool alike = true;

    for (int l = 1; l < levels; l++)
        alike &= f->tree[l].down == f->tree[0].down &&
                 (l == levels - 1 || f->tree[l].up == f->tree[0].up);
    for (int l = 0; l < (alike ? 1 : levels) && used < size; l++) {
        used += (size_t)snprintf(text + used, size - used, ", %u links down", f->tree[l].down);
        if (l < levels - 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, " and %u up", f->tree[l].up);
    }
    if (used < size)
        snprintf(text + used, size - used, ", %u nodes, %u switches", f->nodes, f->switches);
}

static void level_name(const swq_fabric *f, int level, char *text, size_t size)
{
    const int last = f->levels - 1, levels = tree_levels(f);

    if (level == last)
        snprintf(text, size, "hosts");
    else if (level < levels - 1)
        snprintf(text, size, "up %d", level + 1);
    else
        snprintf(text, size, "down %d", last - level);
}

static const swq_shape trees[] = {
    {.kind = &swq_fabric_tree, .levels = 2, .arity = {4, 4}},
    {.kind = &swq_fabric_tree, .levels = 4, .arity = {2, 2, 2, 2}},
    {.kind = &swq_fabric_tree, .levels = 3, .arity = {3, 4, 2}, .up_ports = 2},
    {0},
};

const swq_fabric_kind swq_fabric_tree = {
    .name = "tree",
    .summary = "k-ary n-tree: k^n nodes, n levels of switches with k links down and k up",
    .source = "Petrini and Vanneschi (1997); Sivaram, Stunkel and Panda (1997)",
    .point_to_point = true,
    .engines = SWQ_ENGINE_ASYNC,
    .parameters = SWQ_HAS_ARITY | SWQ_HAS_LEVELS | SWQ_HAS_UP_PORTS,
    .examples = trees,
    .tree = true,
    .positions = true,
    .count = count_tree,
    .wire = wire,
    .route = route,
    .first = first_output,
    .stand_in = stand_in_tree,
    .longest = longest,
    .describe = describe,
    .level_name = level_name,
};

static const swq_shape fat_trees[] = {
    {.kind = &swq_fabric_fat_tree, .levels = 2, .ports = 4},
    {.kind = &swq_fabric_fat_tree, .levels = 3, .ports = 4},
    {.kind = &swq_fabric_fat_tree, .levels = 2, .ports = 6, .up_ports = 2},
    {0},
};

const swq_fabric_kind swq_fabric_fat_tree = {
    .name = "fat-tree",
    .summary = "2 or 3 levels of switches that all have R ports, 2 (R/2)^levels nodes",
    .source = "Leiserson (1985); Al-Fares, Loukissas and Vahdat (2008)",
    .point_to_point = true,
    .engines = SWQ_ENGINE_ASYNC,
    .parameters = SWQ_HAS_RADIX | SWQ_HAS_LEVELS | SWQ_HAS_UP_PORTS,
    .examples = fat_trees,
    .tree = true,
    .positions = true,
    .count = count_fat_tree,
    .wire = wire,
    .route = route,
    .first = first_output,
    .stand_in = stand_in_fat_tree,
    .longest = longest,
    .describe = describe,
    .level_name = level_name,
};
