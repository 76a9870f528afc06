/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Megafly: counts, links between groups, distances and loads by their closed forms; ways that go up
 * and down; lanes that wait in no circle; and a run of the written network.
 */
#include "tests/sim/router_graph.h"
#include "tests/support/support.h"

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

TestSuite(megafly, .init = setup, .fini = teardown, .timeout = 120);

/* p, l, s, h, g */
static const swq_shape shapes[] = {
    {.kind = &swq_fabric_megafly, .size = {1, 1, 1, 1, 2}},
    {.kind = &swq_fabric_megafly, .size = {2, 2, 2, 2, 5}},
    {.kind = &swq_fabric_megafly, .size = {3, 3, 3, 3, 10}},
    {.kind = &swq_fabric_megafly, .size = {2, 3, 4, 2, 9}},
    {.kind = &swq_fabric_megafly, .size = {2, 4, 3, 2, 3}}, /* 3 links a pair */
    {.kind = &swq_fabric_megafly, .size = {1, 2, 4, 3, 6}}, /* 2, and 2 ports left over */
    {.kind = &swq_fabric_megafly, .size = {1, 3, 2, 4, 2}}, /* 8 */
    {.kind = &swq_fabric_megafly, .size = {8, 8, 8, 4, 33}},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Every leaf is linked to every spine of its group alone; any two groups are joined by as many
 * links as s h / (g - 1), rounded down, of spines, none of which has more than h. */
static void expect_links(const router_graph *graph, const int *n)
{
    const int l = n[1], s = n[2], h = n[3], g = n[4], leaves = g * l;

    for (int a = 0; a < graph->routers; a++) {
        int global = 0;
        for (int b = 0; b < graph->routers; b++) {
            const bool spine = a >= leaves, other_spine = b >= leaves;
            const int group = spine ? (a - leaves) / s : a / l;
            const int other = other_spine ? (b - leaves) / s : b / l;
            const int links = graph->linked[a * graph->routers + b];
            if (spine != other_spine || !spine)
                cr_assert_eq(links, spine != other_spine && group == other, "%d, %d", a, b);
            else if (group == other)
                cr_assert_eq(links, 0, "%d, %d", a, b);
            global += spine && other_spine ? links : 0;
        }
        cr_assert_leq(global, h);
    }
    for (int group = 0; group < g; group++) {
        for (int other = 0; other < g; other++) {
            int links = 0;
            for (int k = 0; k < s * s; k++)
                links += graph->linked[(leaves + group * s + k / s) * graph->routers + leaves +
                                       other * s + k % s];
            cr_assert_eq(links, group == other ? 0 : s * h / (g - 1));
        }
    }
}

/* Of N - 1 other nodes, p - 1 are at the leaf, p (l - 1) are two links away, and all others three.
 */
Test(megafly, counts_links_distances_and_loads)
{
    for (size_t k = 0; k < SHAPES; k++) {
        const int *n = shapes[k].size, groups = n[4], copies = n[2] * n[3] / (groups - 1);
        const double in_group = n[0] * n[1], nodes = in_group * groups, others = nodes - in_group;
        swq_fabric_loads loads;
        swq_fabric f;
        cr_assert_eq(swq_fabric_make(ctx, &shapes[k], &f), SWQ_OK, "%s", swq_context_message(ctx));
        router_graph g = router_graph_of(&f, "megafly");
        cr_assert_eq(f.switches, (uint32_t)(groups * (n[1] + n[2])));
        cr_assert_eq(f.nodes, nodes);
        cr_assert_eq(f.ports, n[0] + n[2] > n[1] + n[3] ? n[0] + n[2] : n[1] + n[3]);
        expect_links(&g, n);
        cr_expect_eq(router_graph_distances(&g, groups * n[1]).most, 3);
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
        cr_expect_float_eq(loads.mean_hops, (3 * others + 2 * n[0] * (n[1] - 1)) / (nodes - 1),
                           1e-12, "shape %zu", k);
        cr_expect_float_eq(loads.level_load[1], in_group * in_group / copies / (nodes - 1), 1e-12,
                           "shape %zu", k);
        if (copies == 1)
            cr_expect_float_eq(loads.level_most[1], loads.level_load[1], 1e-12, "shape %zu", k);
        router_graph_clear(&g);
        swq_fabric_clear(ctx, &f);
    }
}

/* From leaf to leaf: up, at most one global link, and down. */
Test(megafly, ways_go_up_and_down)
{
    for (size_t k = 0; k + 1 < SHAPES; k++) {
        swq_fabric f;
        cr_assert_eq(swq_fabric_make(ctx, &shapes[k], &f), SWQ_OK);
        const uint32_t leaves = f.nodes / f.nodes_at_switch;
        for (uint32_t pair = 0; pair < f.nodes * f.nodes; pair++) {
            const uint32_t from = pair / f.nodes, to = pair % f.nodes;
            uint32_t port = f.entry[from];
            bool down = false;
            int global = 0;
            while (from != to && !(port & SWQ_TO_NODE)) {
                const uint32_t at = port / (uint32_t)f.ports;
                const uint32_t out =
                    at * (uint32_t)f.ports + (uint32_t)f.shape.kind->route(&f, port, from, to);
                port = f.link[out];
                if (port & SWQ_TO_NODE)
                    continue;
                cr_assert_not(down, "shape %zu, from %u to %u", k, from, to);
                global += at >= leaves && port / (uint32_t)f.ports >= leaves;
                down = at >= leaves && port / (uint32_t)f.ports < leaves;
            }
            cr_assert_leq(global, 1);
        }
        swq_fabric_clear(ctx, &f);
    }
}

Test(megafly, the_full_size_is_built_unless_sizes_are_given)
{
    const swq_shape shape = {.kind = &swq_fabric_megafly, .size = {8}};
    swq_fabric f;

    cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK);
    for (int k = 0; k < 4; k++)
        cr_expect_eq(f.shape.size[k], 8);
    cr_expect_eq(f.shape.size[4], 65);
    cr_expect_eq(f.nodes, 65 * 64);
    cr_expect_eq(swq_fabric_places(&f).dims, 2);
    cr_expect_eq(swq_fabric_places(&f).extent[0], 65);
}

/* One lane is enough for straight ways, and one for each part of others. */
Test(megafly, ways_up_and_down_wait_in_no_circle)
{
    const swq_lane_choice *any = &swq_lane_choice_any, *phase = &swq_lane_choice_phase;

    for (size_t k = 0; k < SHAPES; k++) {
        cr_expect_not(lanes_may_deadlock(ctx, &shapes[k], NULL, any, 1), "shape %zu", k);
        cr_expect_not(lanes_may_deadlock(ctx, &shapes[k], NULL, phase, 1), "shape %zu", k);
        cr_expect_not(lanes_may_deadlock(ctx, &shapes[k], &swq_routing_valiant, phase, 2));
        cr_expect_not(lanes_may_deadlock(ctx, &shapes[k], &swq_routing_ugal, phase, 2));
    }
}

Test(megafly, a_run_of_the_written_network_is_the_same)
{
    const swq_shape shape = {.kind = &swq_fabric_megafly, .size = {2, 2, 2, 2, 5}};

    expect_run_of_file(ctx, &shape, &swq_lane_choice_any, 3);
}

Test(megafly, what_does_not_fit_is_refused)
{
    static const struct {
        swq_shape shape;
        const char *message;
    } cases[] = {
        {{.size = {128}},
         "at most 255 ports: hosts + spines at a leaf, not 256, and leaves + globals at a spine, "
         "not 256"},
        {{.size = {4, 252}}, "leaves + globals at a spine, not 256"},
        {{.size = {2, 2, 2, 2, 6}},
         "groups of topology megafly must be at most spines x globals + 1, 5, not 6"},
        {{.size = {2, 2, 2, 2, 1}}, "groups of topology megafly must be 2 to 64517, not 1"},
        {{.size = {0, 2}}, "hosts of topology megafly must be 1 to 254, not 0"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_shape shape = cases[k].shape;
        swq_fabric f;
        shape.kind = &swq_fabric_megafly;
        cr_expect_eq(swq_fabric_count(ctx, &shape, &f), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s",
                  swq_context_message(ctx));
    }
}
