/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/fabrics/tree.c against trees described otherwise: the digits of document 000's and 003's
 * networks, distances by common blocks, closed forms of hops and link loads, and the order of
 * waits.
 */
#include "switchq/fabric.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(trees, .init = setup, .fini = teardown, .timeout = 240);

typedef struct {
    int levels, up_ports, arity[4];
} tree_shape;

/* Equal and different arities, powers of two and others, slimmed or not. */
static const tree_shape shapes[] = {
    {2, 0, {4, 4}},    {3, 0, {4, 4, 4}}, {4, 0, {2, 2, 2, 2}},
    {3, 0, {3, 3, 3}}, {3, 0, {4, 4, 2}}, {3, 0, {2, 3, 5}},
    {3, 2, {4, 4, 8}}, {3, 1, {3, 2, 4}}, {4, 2, {4, 2, 3, 2}},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static swq_fabric laid_out(const tree_shape *t)
{
    swq_shape shape = {.levels = t->levels, .up_ports = t->up_ports};
    swq_fabric f;

    memcpy(shape.arity, t->arity, sizeof t->arity);
    cr_assert_eq(swq_fabric_find(ctx, "tree", &shape), SWQ_OK);
    cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

static int up_ports(const tree_shape *t, int l)
{
    return l == t->levels - 1 ? 0 : t->up_ports ? t->up_ports : t->arity[l];
}

/* The lowest level, from 0, at which a switch is above both. */
static int meeting(const tree_shape *t, uint32_t from, uint32_t to)
{
    int l = 0;

    for (from /= (uint32_t)t->arity[0], to /= (uint32_t)t->arity[0]; from != to; l++) {
        from /= (uint32_t)t->arity[l + 1];
        to /= (uint32_t)t->arity[l + 1];
    }
    return l;
}

enum { LONGEST = 16 };

/* The outputs on the way, as port numbers; returns their number. */
static int walk(const swq_fabric *f, uint32_t from, uint32_t to, uint32_t *output, uint32_t *input)
{
    uint32_t port = f->entry[from];
    int stops = 0;

    while (!(port & SWQ_TO_NODE)) {
        cr_assert_lt(stops, LONGEST, "from %u to %u in circles", from, to);
        const int class = f->shape.kind->route(f, port, from, to);
        const int out = f->output[(size_t)port * (size_t)f->classes + (size_t) class];
        cr_assert(class >= 0 && class < f->classes && out < f->ports, "from %u to %u: class %d",
                  from, to, class);
        input[stops] = port;
        output[stops] = port / (uint32_t)f->ports * (uint32_t)f->ports + (uint32_t)out;
        port = f->link[output[stops++]];
    }
    cr_assert_eq(port, SWQ_TO_NODE | to, "from %u to %u arrives at %#x", from, to, port);
    return stops;
}

Test(trees, counts)
{
    for (int k = 0; k < SHAPES; k++) {
        const tree_shape *t = &shapes[k];
        swq_fabric f = laid_out(t);
        uint32_t nodes = 1, switches = 0;
        for (int l = 0; l < t->levels; l++) {
            uint32_t above = 1, ways = 1;
            for (int m = l + 1; m < t->levels; m++)
                above *= (uint32_t)t->arity[m];
            for (int m = 0; m < l; m++)
                ways *= (uint32_t)up_ports(t, m);
            nodes *= (uint32_t)t->arity[l];
            switches += above * ways;
        }
        cr_expect_eq(f.nodes, nodes, "shape %d", k);
        cr_expect_eq(f.switches, switches, "shape %d", k);
        cr_expect_eq(f.levels, 2 * t->levels - 1, "shape %d", k);
        swq_fabric_clear(ctx, &f);
    }
}

/* Up to the level where they meet and down again: 2 m links between switches, first up, then down,
 * through the levels in order. */
Test(trees, every_pair_turns_at_the_lowest_common_level)
{
    uint32_t output[LONGEST], input[LONGEST];

    for (int k = 0; k < SHAPES; k++) {
        swq_fabric f = laid_out(&shapes[k]);
        for (uint32_t from = 0; from < f.nodes; from++) {
            for (uint32_t to = 0; to < f.nodes; to++) {
                if (from == to)
                    continue;
                const int turn = meeting(&shapes[k], from, to);
                const int stops = walk(&f, from, to, output, input);
                cr_assert_eq(stops, 2 * turn + 1, "shape %d: from %u to %u in %d switches", k, from,
                             to, stops);
                for (int s = 0; s < stops; s++) {
                    const int up = s, down = f.levels - 1 - (stops - 1 - s);
                    cr_assert_eq(f.out_level[output[s]], s < turn ? up : down,
                                 "shape %d: from %u to %u, stop %d", k, from, to, s);
                }
            }
        }
        swq_fabric_clear(ctx, &f);
    }
}

/* The networks of documents 000 and 003: switch w = p[n-1]..p[1] of the leaves has node p at port
 * p[0]; port j up of (level l, w) leads to (l + 1, w with digit l := j), down port w_l there; and
 * the way up takes digit l of the destination. Walked here by digits alone. */
Test(trees, digits_of_k_ary_trees)
{
    static const struct {
        uint32_t arity;
        int levels;
    } trees[] = {{4, 2}, {4, 3}, {2, 4}, {3, 3}};
    uint32_t output[LONGEST], input[LONGEST];

    for (size_t k = 0; k < sizeof trees / sizeof *trees; k++) {
        const uint32_t arity = trees[k].arity;
        const int levels = trees[k].levels;
        tree_shape t = {.levels = levels};
        for (int l = 0; l < levels; l++)
            t.arity[l] = (int)arity;
        swq_fabric f = laid_out(&t);
        uint32_t per_level = f.nodes / arity, *name = calloc(f.switches, sizeof *name);
        cr_assert_eq(f.switches, per_level * (uint32_t)levels);
        memset(name, 0xff, f.switches * sizeof *name);
        for (uint32_t from = 0; from < f.nodes; from++) {
            for (uint32_t to = 0; to < f.nodes; to++) {
                if (from == to)
                    continue;
                const int stops = walk(&f, from, to, output, input), turn = stops / 2;
                uint32_t w = from / arity, unit = 1;
                for (int s = 0; s <= turn; s++) {
                    /* a switch always has the same name: level and w */
                    uint32_t called = (uint32_t)s * per_level + w,
                             *is = &name[input[s] / (uint32_t)f.ports];
                    if (*is == UINT32_MAX)
                        *is = called;
                    cr_assert_eq(*is, called, "%u-ary: from %u to %u, up %d", arity, from, to, s);
                    if (s == turn)
                        break;
                    const uint32_t digit = to / unit % arity;
                    cr_assert_eq(output[s] % (uint32_t)f.ports, arity + digit);
                    cr_assert_eq(input[s + 1] % (uint32_t)f.ports, w / unit % arity);
                    w += (digit - w / unit % arity) * unit;
                    unit *= arity;
                }
            }
        }
        free(name);
        swq_fabric_clear(ctx, &f);
    }
}

/* No packet that goes down goes up later: every wait is for something nearer to a node. Every link
 * is used, and is the end of exactly one other. */
Test(trees, links_are_pairs_and_waits_are_in_order)
{
    for (int k = 0; k < SHAPES; k++) {
        swq_fabric f = laid_out(&shapes[k]);
        const uint32_t ports = f.switches * (uint32_t)f.ports;
        for (uint32_t p = 0; p < ports; p++) {
            cr_assert_eq(f.in_level[p] == 255, f.out_level[p] == 255);
            if (f.out_level[p] == 255)
                continue;
            if (!(f.link[p] & SWQ_TO_NODE))
                cr_assert_eq(f.link[f.link[p]], p, "shape %d: port %u", k, p);
            for (int c = 0; c < f.classes; c++) {
                const int out = f.output[p * (uint32_t)f.classes + (uint32_t)c];
                const int before = f.in_level[p];
                if (out == 255)
                    continue;
                cr_assert_neq(out, (int)(p % (uint32_t)f.ports), "shape %d: turned back", k);
                const int after =
                    f.out_level[p / (uint32_t)f.ports * (uint32_t)f.ports + (uint32_t)out];
                /* from a node or on the way: levels only grow, but from the host links on */
                cr_assert(before == f.levels - 1 || after > before, "shape %d: %d behind %d", k,
                          after, before);
            }
        }
        swq_fabric_clear(ctx, &f);
    }
}

/* Uniform traffic, self excluded: a packet turns at level m with the fraction of the nodes that
 * meet there, and each link of a level carries the same load, by d mod k. */
Test(trees, hops_and_loads_of_uniform_traffic)
{
    for (int k = 0; k < SHAPES; k++) {
        const tree_shape *t = &shapes[k];
        swq_fabric f = laid_out(t);
        swq_fabric_loads loads;
        double hops = 0, block = 1, links = f.nodes;
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
        for (int l = 0; l < t->levels; l++) {
            block *= t->arity[l];
            const double beyond = (f.nodes - block) / (f.nodes - 1.0);
            hops += 2 * beyond;
            if (l == t->levels - 1)
                break;
            links *= (double)up_ports(t, l) / t->arity[l];
            const double load = f.nodes * beyond / links;
            cr_expect_float_eq(loads.level_load[l], load, 1e-12, "shape %d, up %d", k, l);
            cr_expect_float_eq(loads.level_load[f.levels - 2 - l], load, 1e-12, "shape %d", k);
            if (!t->up_ports) /* each digit of a destination is equally frequent */
                cr_expect_float_eq(loads.level_most[f.levels - 2 - l], load, 1e-12, "shape %d", k);
        }
        cr_expect_float_eq(loads.mean_hops, hops, 1e-12, "shape %d: %g", k, loads.mean_hops);
        cr_expect_float_eq(loads.mean_entered, hops + 1, 1e-12, "shape %d", k);
        cr_expect_float_eq(loads.level_load[f.levels - 1], 1, 1e-12, "shape %d", k);
        swq_fabric_clear(ctx, &f);
    }
}

/* A fat tree is the tree whose root switches have all ports down. */
Test(trees, fat_trees)
{
    static const struct {
        int radix, levels;
        uint32_t nodes, switches;
    } fat[] = {{4, 2, 8, 6}, {4, 3, 16, 20}, {8, 2, 32, 12}, {8, 3, 128, 80}, {16, 2, 128, 24}};

    for (size_t k = 0; k < sizeof fat / sizeof *fat; k++) {
        swq_shape shape = {.ports = fat[k].radix, .levels = fat[k].levels};
        swq_fabric f;
        cr_assert_eq(swq_fabric_find(ctx, "fat-tree", &shape), SWQ_OK);
        cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
        cr_expect_eq(f.nodes, fat[k].nodes);
        cr_expect_eq(f.switches, fat[k].switches);
        cr_expect_eq(f.ports, fat[k].radix);
        for (uint32_t p = 0; p < f.switches * (uint32_t)f.ports; p++)
            cr_assert_neq(f.out_level[p], 255, "radix %d: a port is not used", fat[k].radix);
        swq_fabric_clear(ctx, &f);
    }
}

/* An invalid tree is refused in a line that names the parameter. */
Test(trees, none)
{
    static const struct {
        const char *kind;
        swq_shape shape;
        const char *says;
    } none[] = {
        {"tree", {.levels = 1, .arity = {4}}, "levels must be 2 to"},
        {"tree", {.levels = 13, .arity = {2}}, "levels must be 2 to"},
        {"tree", {.levels = 2, .arity = {4, 1}}, "arity must be 2"},
        {"tree", {.levels = 2, .arity = {128, 4}}, "256 ports of at most 255"},
        {"tree", {.levels = 2, .arity = {4, 4}, .up_ports = 5}, "up-ports must be 1"},
        {"tree", {.levels = 12, .arity = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}}, "nodes must be"},
        {"fat-tree", {.levels = 4, .ports = 8}, "levels must be 2 or 3"},
        {"fat-tree", {.levels = 2, .ports = 7}, "radix must be an even"},
        {"fat-tree", {.levels = 2, .ports = 2}, "radix must be an even"},
    };

    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        swq_shape shape = none[k].shape;
        swq_fabric f;
        cr_assert_eq(swq_fabric_find(ctx, none[k].kind, &shape), SWQ_OK);
        cr_expect_eq(swq_fabric_make(ctx, &shape, &f), SWQ_EINVAL, "case %zu", k);
        cr_expect(strstr(swq_context_message(ctx), none[k].says), "case %zu: %s", k,
                  swq_context_message(ctx));
    }
}
