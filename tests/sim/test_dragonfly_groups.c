/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dragonflies by the arrangement of their global links, and of fewer groups than the full size,
 * with several links between two groups: distances by breadth-first search against numbers of a
 * program of its own, ways, places and waits.
 */
#include "sim/fabrics/state.h"
#include "sim/switches/wormhole/worms.h"
#include "switchq/fabric.h"
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

TestSuite(dragonfly_groups, .init = setup, .fini = teardown, .timeout = 60);

enum { CONSECUTIVE, PALMTREE, RELATIVE, CIRCULANT, ABSOLUTE, ARRANGEMENTS };
enum { LOCAL_LINKS, GLOBAL_LINKS };

static swq_shape shape_of(int p, int a, int h, int g, int arrangement)
{
    return (swq_shape){.kind = &swq_fabric_dragonfly, .size = {p, a, h, arrangement, 0, g}};
}

static swq_fabric made(const swq_shape *shape)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* ---- distances ---- */

enum { MOST = 300 }; /* routers */

/* Adds up the distances from a router, in links. Returns the greatest. */
static int distances(const swq_fabric *f, uint32_t from, long *sum)
{
    int far[MOST], greatest = 0;
    uint32_t list[MOST], count = 1;

    memset(far, -1, sizeof far);
    far[from] = 0;
    list[0] = from;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t out = 0; out < (uint32_t)f->ports; out++) {
            const uint32_t end = f->link[list[k] * (uint32_t)f->ports + out];
            const uint32_t to = end / (uint32_t)f->ports;
            if (end & SWQ_TO_NODE || far[to] >= 0)
                continue;
            far[to] = greatest = far[list[k]] + 1;
            *sum += far[to];
            list[count++] = to;
        }
    }
    cr_assert_eq(count, f->switches);
    return greatest;
}

/* Sums of the distances of all ordered pairs of routers, of a program of some lines that makes each
 * network from the definitions of Hastings et al. (2015). Palmtrees are mirrors of relative ones.
 */
Test(dragonfly_groups, distances_by_breadth_first_search)
{
    static const struct {
        int a, h, g, links, diameter; /* links: of all routers, to routers */
        long absolute, relative, circulant;
    } row[] = {
        {4, 2, 9, 180, 3, 2964, 2952, 2934},      {4, 2, 5, 100, 3, 732, 740, 700},
        {4, 2, 4, 72, 3, 456, 456, 444},          {8, 4, 33, 2904, 3, 187032, 186516, 185856},
        {8, 4, 17, 1496, 3, 44728, 44608, 44268}, {8, 4, 12, 936, 3, 21928, 21696, 21708},
        {6, 3, 19, 912, 3, 33222, 33098, 32870},  {6, 3, 10, 480, 3, 7968, 7960, 7880},
        {3, 2, 7, 84, 3, 912, 910, 882},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const long sums[ARRANGEMENTS] = {row[k].absolute, row[k].relative, row[k].relative,
                                         row[k].circulant, row[k].absolute};
        for (int arrangement = 0; arrangement < ARRANGEMENTS; arrangement++) {
            const swq_shape shape = shape_of(1, row[k].a, row[k].h, row[k].g, arrangement);
            swq_fabric f = made(&shape);
            int diameter = 0, links = 0;
            long sum = 0;
            for (uint32_t router = 0; router < f.switches; router++) {
                const int far = distances(&f, router, &sum);
                diameter = far > diameter ? far : diameter;
            }
            for (uint32_t out = 0; out < f.switches * (uint32_t)f.ports; out++)
                links += !(f.link[out] & SWQ_TO_NODE);
            cr_expect_eq((int)f.switches, row[k].a * row[k].g);
            cr_expect_eq(links, row[k].links, "%zu: %d", k, links);
            cr_expect_eq(diameter, row[k].diameter, "%zu %d: %d", k, arrangement, diameter);
            cr_expect_eq(sum, sums[arrangement], "%zu %d: %ld", k, arrangement, sum);
            swq_fabric_clear(ctx, &f);
        }
    }
}

/* ---- ways ---- */

static const int sizes[][4] = {{2, 4, 2, 9}, {2, 4, 2, 5}, {2, 4, 2, 4}, {3, 2, 4, 3},
                               {1, 6, 3, 7}, {2, 4, 1, 2}, {2, 2, 4, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Each link has one back, and m = a h / (g - 1) join each pair of groups. */
Test(dragonfly_groups, links_between_groups)
{
    for (int s = 0; s < SIZES; s++) {
        const int a = sizes[s][1], h = sizes[s][2], g = sizes[s][3];
        for (int arrangement = 0; arrangement < ARRANGEMENTS; arrangement++) {
            const swq_shape shape = shape_of(sizes[s][0], a, h, g, arrangement);
            swq_fabric f = made(&shape);
            const uint32_t of_group = (uint32_t)(f.ports * a);
            int joined[9][9] = {{0}};
            for (uint32_t out = 0; out < f.switches * (uint32_t)f.ports; out++) {
                if (f.out_level[out] != GLOBAL_LINKS)
                    continue;
                cr_assert_eq(f.link[f.link[out]], out);
                joined[out / of_group][f.link[out] / of_group]++;
            }
            for (int i = 0; i < g; i++) {
                for (int j = 0; j < g; j++)
                    cr_expect_eq(joined[i][j], i == j ? 0 : a * h / (g - 1));
            }
            swq_fabric_clear(ctx, &f);
        }
    }
}

/* A way is local, global, local at most, takes a link of its own router if there is one, and all
 * ways together use every link. */
Test(dragonfly_groups, ways_take_one_global_link)
{
    for (int s = 0; s < SIZES; s++) {
        for (int arrangement = 0; arrangement < ARRANGEMENTS; arrangement++) {
            const swq_shape shape =
                shape_of(sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3], arrangement);
            swq_fabric f = made(&shape);
            const uint32_t ports = (uint32_t)f.ports;
            uint8_t *used = calloc(f.switches * ports, 1);
            for (uint32_t pair = 0; pair < f.nodes * f.nodes; pair++) {
                const uint32_t from = pair / f.nodes, to = pair % f.nodes;
                swq_packet_state p = {.from = from, .to = to, .then = SWQ_NO_WHERE};
                int levels = 0, before = -1;
                for (uint32_t port = f.entry[from]; from != to && !(port & SWQ_TO_NODE);) {
                    const uint32_t out =
                        port / ports * ports + (uint32_t)swq_state_output(&f, port, &p);
                    used[out] = 1;
                    cr_expect(f.out_level[out] != before, "two links of a kind");
                    before = f.out_level[out];
                    levels += before == GLOBAL_LINKS;
                    port = f.link[out];
                    cr_assert(!(port & SWQ_TO_NODE) || port == (SWQ_TO_NODE | to));
                }
                cr_expect_eq(levels, from / f.group_nodes != to / f.group_nodes);
            }
            for (uint32_t out = 0; out < f.switches * ports; out++)
                cr_expect_eq(used[out], f.out_level[out] != UINT8_MAX, "%d %d: %u", s, arrangement,
                             out);
            free(used);
            swq_fabric_clear(ctx, &f);
        }
    }
}

/* Places are drawn in groups other than both ends', in each as often as in another. */
Test(dragonfly_groups, places_are_in_all_other_groups)
{
    for (int s = 0; s < 2 * SIZES; s++) {
        const int *size = sizes[s / 2];
        swq_shape shape = shape_of(size[0], size[1], size[2], size[3], CIRCULANT);
        shape.routing = &swq_routing_valiant;
        shape.size[4] = s % 2;
        swq_fabric f = made(&shape);
        const uint32_t to = f.nodes - 1, places = f.shape.kind->places(&f, 0, to);
        uint32_t met[9] = {0};
        for (uint32_t k = 0; k < places; k++) {
            const uint32_t node = f.shape.kind->place(&f, 0, to, k);
            for (uint32_t j = 0; j < k; j++)
                cr_assert_neq(node, f.shape.kind->place(&f, 0, to, j));
            met[node / f.group_nodes]++;
        }
        for (int g = 0; g < size[3]; g++)
            cr_expect_eq(met[g] * (uint32_t)(size[3] - 2), g == 0 || g == size[3] - 1 ? 0 : places);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- waits ---- */

static bool waits_in_a_circle(const swq_shape *shape, swq_lanes_for choice, int lanes)
{
    swq_fabric f = made(shape);
    const bool by_another = shape->routing && shape->routing->by_another;
    const swq_worm_plan plan = {
        .fabric = &f, .lanes = lanes, .choice = choice, .by_another = by_another};
    bool circle;

    cr_assert_eq(swq_worms_dependencies(ctx, &plan, &circle), SWQ_OK);
    swq_fabric_clear(ctx, &f);
    return circle;
}

/* Lanes for phases exclude a circle in all of them, and the network that is looked at in place of
 * another one says what that one would. Where each router has a link to each group, a way has no
 * local link before its global one: one lane is enough straight, and by way of a group two, one for
 * the first global link and one for the second and the local link behind it. */
Test(dragonfly_groups, waits)
{
    static const int small[][4] = {{1, 4, 2, 5}, {1, 3, 2, 4}, {2, 2, 4, 5}, {1, 4, 2, 3}};
    const swq_routing *const routings[] = {NULL, &swq_routing_valiant, &swq_routing_par};
    static const int phases[] = {2, 3, 4};

    for (int s = 0; s < 4; s++) {
        for (int r = 0; r < 3; r++) {
            swq_shape shape =
                shape_of(small[s][0], small[s][1], small[s][2], small[s][3], s % ARRANGEMENTS);
            shape.routing = routings[r];
            swq_shape stand_in = shape;
            shape.kind->stand_in(&stand_in);
            cr_expect_not(waits_in_a_circle(&shape, SWQ_LANES_PHASE, phases[r]), "%d %d", s, r);
            for (int lanes = 1; lanes <= 5; lanes++)
                cr_expect_eq(waits_in_a_circle(&stand_in, SWQ_LANES_HOP, lanes),
                             waits_in_a_circle(&shape, SWQ_LANES_HOP, lanes), "%d %d %d", s, r,
                             lanes);
        }
    }
    swq_shape own = shape_of(2, 2, 4, 5, CONSECUTIVE);
    cr_expect_not(waits_in_a_circle(&own, SWQ_LANES_HOP, 1));
    own.routing = &swq_routing_valiant;
    cr_expect(waits_in_a_circle(&own, SWQ_LANES_HOP, 1));
    cr_expect_not(waits_in_a_circle(&own, SWQ_LANES_HOP, 2));
}

Test(dragonfly_groups, too_many_groups_are_refused)
{
    static const int groups[] = {1, 10};
    static const char *const says[] = {"groups of topology dragonfly must be 2 to 65536, not 1",
                                       "groups of topology dragonfly must be 2 to 9, routers x "
                                       "globals + 1 with 4 routers and 2 globals, "
                                       "not 10"};

    for (int k = 0; k < 2; k++) {
        const swq_shape shape = shape_of(2, 4, 2, groups[k], CONSECUTIVE);
        swq_fabric f;
        cr_expect_eq(swq_fabric_count(ctx, &shape, &f), SWQ_EINVAL);
        cr_expect_str_eq(swq_context_message(ctx), says[k]);
    }
}
