/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PolarFly: counts, degrees and distances; two points of a projective plane have one line in
 * common; lanes that wait in no circle; and a run of the written network.
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

TestSuite(polarfly, .init = setup, .fini = teardown, .timeout = 240);

static const int orders[] = {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29};

enum { ORDERS = sizeof orders / sizeof *orders };

static swq_shape shape_of(int q, int t)
{
    return (swq_shape){.kind = &swq_fabric_polarfly, .size = {q, t}};
}

/* q + 1 routers have q links, all others q + 1; of the q^2 + q others q + 1 are at distance 1, less
 * the one that would be the router itself. */
Test(polarfly, routers_links_and_distances)
{
    for (int o = 0; o < ORDERS; o++) {
        const int q = orders[o], routers = q * q + q + 1;
        const swq_shape shape = shape_of(q, 1);
        const double mean = 2 - (q + 1.0) / routers;
        swq_fabric_loads loads;
        swq_fabric f;
        int fewer = 0;
        char what[40];
        snprintf(what, sizeof what, "q %d", q);
        cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
        router_graph g = router_graph_of(&f, what);
        cr_assert_eq(g.routers, routers, "%s", what);
        cr_assert_eq(f.nodes, f.switches, "%s", what);
        cr_assert_eq(f.ports, q + 2, "%s", what);
        for (int r = 0; r < g.routers; r++) {
            fewer += router_links(&g, r) == q;
            cr_assert(router_links(&g, r) == q || router_links(&g, r) == q + 1, "%s", what);
        }
        cr_expect_eq(fewer, q + 1, "%s: %d routers", what, fewer);
        if (q <= 19) {
            const router_distances d = router_graph_distances(&g, g.routers);
            cr_expect_eq(d.most, 2, "%s", what);
            cr_expect_float_eq(d.mean, mean, 1e-12, "%s", what);
        }
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
        cr_expect_float_eq(loads.mean_hops, mean, 1e-12, "%s", what);
        router_graph_clear(&g);
        swq_fabric_clear(ctx, &f);
    }
}

/* With a link of each router that has only q of them to itself, every two routers have one common
 * neighbour: the pole of the line through them. So routers and their neighbours are points and
 * lines of a projective plane of order q, and the links a polarity of it. */
Test(polarfly, any_two_routers_have_one_common_neighbour)
{
    for (int o = 0; orders[o] <= 13; o++) {
        const swq_shape shape = shape_of(orders[o], 1);
        swq_fabric f;
        cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK);
        router_graph g = router_graph_of(&f, "polarfly");
        const int n = g.routers;
        for (int r = 0; r < n; r++)
            g.linked[r * n + r] = router_links(&g, r) == orders[o];
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < a; b++) {
                int common = 0;
                for (int c = 0; c < n; c++)
                    common += g.linked[a * n + c] * g.linked[c * n + b];
                cr_assert_eq(common, 1, "q %d, routers %d and %d", orders[o], a, b);
            }
        }
        router_graph_clear(&g);
        swq_fabric_clear(ctx, &f);
    }
}

Test(polarfly, lanes_for_each_link_wait_in_no_circle)
{
    const swq_lane_choice *any = &swq_lane_choice_any, *phase = &swq_lane_choice_phase;

    for (int o = 0; o < ORDERS; o++) {
        const swq_shape shape = shape_of(orders[o], 1);
        cr_expect(lanes_may_deadlock(ctx, &shape, NULL, any, 2), "q %d", orders[o]);
        cr_expect_not(lanes_may_deadlock(ctx, &shape, NULL, phase, 2), "q %d", orders[o]);
        cr_expect_not(lanes_may_deadlock(ctx, &shape, &swq_routing_valiant, phase, 4));
        cr_expect_not(lanes_may_deadlock(ctx, &shape, &swq_routing_ugal, phase, 4));
    }
}

Test(polarfly, a_run_of_the_written_network_is_the_same)
{
    const swq_shape shape = shape_of(4, 2);

    expect_run_of_file(ctx, &shape, &swq_lane_choice_phase, 2);
}

Test(polarfly, what_does_not_fit_is_refused)
{
    static const struct {
        swq_shape shape;
        const char *message;
    } cases[] = {
        {{.size = {6}},
         "order of topology polarfly must be a power of a prime, such as 5 and 7, not 6"},
        {{.size = {28}}, "such as 27 and 29, not 28"},
        {{.size = {97}}, "must be at most 89, not 97: the table of routes of routers of 98 links"},
        {{.size = {43, 212}},
         "hosts of topology polarfly must be at most 211 with order 43, not 212"},
        {{.size = {89, 166}},
         "hosts of topology polarfly must be at most 165 with order 89, not 166"},
        {{.size = {5, 1, 1}}, "size 3 must be 0 for topology polarfly"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_shape shape = cases[k].shape;
        swq_fabric f;
        shape.kind = &swq_fabric_polarfly;
        cr_expect_eq(swq_fabric_count(ctx, &shape, &f), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s",
                  swq_context_message(ctx));
    }
}
