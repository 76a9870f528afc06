/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of several shortest ways, one drawn for each packet: which outputs are drawn and how often, the
 * ceiling against a count of its own and against numbers of a second reader, circles of lanes, runs
 * below the ceiling, and what is refused.
 */
#include "sim/ceiling/demand.h"
#include "sim/fabrics/state.h"
#include "switchq/ceiling.h"
#include "switchq/graph.h"
#include "tests/sim/inspector.h"
#include "tests/sim/router_graph.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

TestSuite(drawn_ways, .init = setup, .fini = teardown, .timeout = 240);

static swq_shape slimfly(int q, int t)
{
    return (swq_shape){.kind = &swq_fabric_slimfly, .size = {q, t}, .drawn_ways = true};
}

static swq_fabric made(const swq_shape *shape)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* The number of links from router a to router b, and one of them. */
static int links_between(const swq_fabric *f, uint32_t a, uint32_t b, uint32_t *link)
{
    int count = 0;

    for (uint32_t port = 0; port < (uint32_t)f->ports; port++) {
        const uint32_t out = a * (uint32_t)f->ports + port, end = f->link[out];
        if (end == SWQ_NO_WHERE || end & SWQ_TO_NODE || end / (uint32_t)f->ports != b)
            continue;
        *link = out;
        count++;
    }
    return count;
}

/* ---- what is drawn ---- */

/* Of 60,000 packets between two routers with n common neighbours 60,000/n take each, within five
 * standard deviations; and all that a packet may draw is among them. */
Test(drawn_ways, outputs_are_drawn_alike)
{
    const swq_shape shape = slimfly(7, 1);
    swq_fabric f = made(&shape);
    bool met_several = false;

    for (uint32_t to = 1; to < f.nodes; to += 7) {
        const double draws = 60000;
        uint32_t count[32] = {0}, link;
        swq_packet_state set = {.from = 0, .to = to, .then = SWQ_NO_WHERE};
        swq_port_set own[SWQ_PORT_SET_WIDE];
        const uint64_t outputs = *swq_state_outputs(&f, f.entry[0], &set, own);
        const int n = __builtin_popcountll(outputs);
        for (uint32_t k = 0; k < (uint32_t)draws; k++) {
            swq_packet_state p = {.from = 0, .to = to, .then = SWQ_NO_WHERE};
            p.draw = k * UINT32_C(0x9e3779b1);
            count[swq_state_output(&f, f.entry[0], &p)]++;
        }
        met_several |= n > 1;
        for (uint32_t port = 0; port < (uint32_t)f.ports; port++) {
            const bool may = outputs >> port & 1;
            const double mean = may ? draws / n : 0;
            const double most = 5 * sqrt(draws * (1.0 / n) * (1 - 1.0 / n));
            cr_expect_leq(fabs(count[port] - mean), may ? most : 0, "to %u, port %u: %u of %d", to,
                          port, count[port], n);
            if (may && !links_between(&f, 0, to, &link))
                cr_expect(links_between(&f, f.link[port] / (uint32_t)f.ports, to, &link));
        }
    }
    cr_expect(met_several);
    swq_fabric_clear(ctx, &f);
}

/* ---- the ceiling ---- */

static swq_async uniform(const swq_shape *shape, const swq_routing *routing, double load,
                         swq_sender_group *group)
{
    swq_async n = swq_async_defaults();

    n.shape = *shape;
    n.shape.routing = routing;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = 8;
    n.architecture.lanes.flits = 32;
    n.packet.max = 1;
    n.link.rest = 0;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, constantly(1));
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

static double ceiling_of(const swq_shape *shape, const swq_routing *routing)
{
    swq_sender_group group;
    const swq_async n = uniform(shape, routing, 0.5, &group);
    swq_ceiling c;

    cr_assert_eq(swq_async_ceiling(ctx, &n, 1, &c), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_null(c.none);
    return c.load;
}

/* In a network of diameter 2: a pair of routers shares its t^2 flows out among the links between
 * them, or else among the routers between. Links of nodes carry at most 1, too. */
static double counted(const swq_shape *shape)
{
    swq_fabric f = made(shape);
    double *load = calloc((size_t)f.switches * (size_t)f.ports, sizeof *load), most = 0;
    const double t = f.nodes_at_switch, each = t * t / (f.nodes - 1);

    for (uint32_t a = 0; a < f.switches; a++) {
        for (uint32_t b = 0; b < f.switches; b++) {
            uint32_t first, second;
            int between = 0;
            if (a == b)
                continue;
            if (links_between(&f, a, b, &first)) {
                load[first] += each;
                continue;
            }
            for (uint32_t m = 0; m < f.switches; m++)
                between += links_between(&f, a, m, &first) && links_between(&f, m, b, &second);
            for (uint32_t m = 0; m < f.switches; m++) {
                if (!links_between(&f, a, m, &first) || !links_between(&f, m, b, &second))
                    continue;
                load[first] += each / between;
                load[second] += each / between;
            }
        }
    }
    for (size_t k = 0; k < (size_t)f.switches * (size_t)f.ports; k++)
        most = load[k] > most ? load[k] : most;
    free(load);
    swq_fabric_clear(ctx, &f);
    return 1 / most;
}

Test(drawn_ways, ceiling_is_that_of_all_shortest_ways)
{
    static const struct {
        int q, t;
    } row[] = {{3, 2}, {4, 3}, {5, 4}, {7, 6}, {8, 6}};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const swq_shape shape = slimfly(row[k].q, row[k].t);
        cr_expect_float_eq(ceiling_of(&shape, NULL), fmin(1, counted(&shape)), 1e-9, "q = %d",
                           row[k].q);
    }
}

/* The numbers of a second reader for q = 7 and 11 with nodes for half the links, and those of one
 * way for each pair of routers. */
Test(drawn_ways, ceilings_of_slim_flies)
{
    swq_shape shape = slimfly(7, 0);

    cr_expect_float_eq(ceiling_of(&shape, NULL), 0.858, 5e-4);
    shape.drawn_ways = false;
    cr_expect_float_eq(ceiling_of(&shape, NULL), 0.7765, 5e-4);
    shape = slimfly(11, 0);
    cr_expect_float_eq(ceiling_of(&shape, NULL), 0.867, 5e-4);
}

/* Flits a node and cycle where all nodes always send. */
static double carried(const swq_shape *shape, const swq_routing *routing)
{
    swq_sender_group group;
    const swq_async n = uniform(shape, routing, 1, &group);
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;

    options.warmup = 1000;
    options.cycles = 4000;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.stopped_by != SWQ_STOP_DEADLOCK);
    return r.sim.all.throughput.mean;
}

/* A graph has the ways of the network that it was written from, and runs of both are the same; by
 * way of any node less can be carried, and runs stay below. */
Test(drawn_ways, of_a_graph)
{
    swq_shape shape = slimfly(4, 2);
    char path[] = "/tmp/switchq-drawn-XXXXXX";
    const int file = mkstemp(path);
    swq_graph g;

    shape.drawn_ways = false;
    swq_fabric f = made(&shape);
    cr_assert_eq(swq_graph_write(ctx, &f, path), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_graph_read(ctx, path, NULL, &g), SWQ_OK, "%s", swq_context_message(ctx));
    close(file);
    unlink(path);
    swq_fabric_clear(ctx, &f);
    shape.drawn_ways = true;
    const swq_shape read = {.kind = &swq_fabric_graph, .graph = &g, .drawn_ways = true};
    cr_expect_float_eq(ceiling_of(&read, NULL), ceiling_of(&shape, NULL), 1e-12);
    const double others = ceiling_of(&read, &swq_routing_valiant);
    cr_expect_lt(others, ceiling_of(&read, NULL));
    cr_expect_leq(carried(&read, &swq_routing_valiant), others * 1.005);
    cr_expect_leq(carried(&read, NULL), ceiling_of(&read, NULL) * 1.005);
    cr_expect_float_eq(carried(&read, NULL), carried(&shape, NULL), 0);
    swq_graph_clear(ctx, &g);
}

/* ---- lanes ---- */

Test(drawn_ways, lanes_for_each_link_wait_in_no_circle)
{
    const swq_lane_choice *any = &swq_lane_choice_any, *phase = &swq_lane_choice_phase;
    const swq_shape shapes[] = {
        slimfly(4, 1),
        {.kind = &swq_fabric_polarfly, .size = {3, 1}, .drawn_ways = true},
        {.kind = &swq_fabric_megafly, .size = {1, 3, 2, 2, 3}, .drawn_ways = true},
    };

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const bool by_levels = shapes[k].kind == &swq_fabric_megafly; /* up, over, down */
        cr_expect_eq(lanes_may_deadlock(ctx, &shapes[k], NULL, any, 4), !by_levels, "%zu", k);
        cr_expect_not(lanes_may_deadlock(ctx, &shapes[k], NULL, phase, 4), "%zu", k);
        cr_expect_not(lanes_may_deadlock(ctx, &shapes[k], &swq_routing_valiant, phase, 4), "%zu",
                      k);
        cr_expect_not(lanes_may_deadlock(ctx, &shapes[k], &swq_routing_ugal, phase, 4), "%zu", k);
    }
}

/* ---- runs ---- */

/* Never more is carried than the ceiling. */
Test(drawn_ways, runs_stay_below_the_ceiling)
{
    for (int k = 0; k < 3; k++) {
        const swq_routing *routing = k == 0   ? NULL
                                     : k == 1 ? &swq_routing_valiant
                                              : &swq_routing_ugal;
        const swq_shape shape = slimfly(7, 3);
        const double drawn = carried(&shape, routing);
        if (k < 2)
            cr_expect_leq(drawn, ceiling_of(&shape, routing) * 1.005, "%d", k);
        cr_expect_gt(drawn, 0.3, "%d", k);
    }
}

/* Where each pair has one shortest way, nothing is different. */
Test(drawn_ways, of_single_ways_are_the_same)
{
    swq_shape drawn = slimfly(5, 2), one = drawn;

    one.drawn_ways = false;
    cr_expect_float_eq(carried(&drawn, NULL), carried(&one, NULL), 0);
    cr_expect_float_eq(carried(&drawn, &swq_routing_ugal), carried(&one, &swq_routing_ugal), 0);
    cr_expect_float_eq(ceiling_of(&drawn, &swq_routing_valiant),
                       ceiling_of(&one, &swq_routing_valiant), 1e-12);
}

/* ---- errors ---- */

Test(drawn_ways, are_refused_elsewhere)
{
    const swq_shape torus = {
        .kind = &swq_fabric_torus, .dims = 2, .extent = {3, 3}, .drawn_ways = true};
    const swq_shape shape = slimfly(3, 1);
    swq_fabric f;
    swq_fabric_loads loads;
    swq_sender_group group;
    uint32_t nodes;

    cr_expect_eq(swq_fabric_count(ctx, &torus, &f), SWQ_EINVAL);
    cr_expect_str_eq(swq_context_message(ctx),
                     "ways drawn is for topologies whose routes are shortest ways over links "
                     "(hyperx, slim-fly, polarfly, megafly, graph), not for torus");
    swq_async n = async_network(shape, "damq", 256);
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.1, constantly(32));
    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "ways drawn is for architecture wormhole"), "%s",
              swq_context_message(ctx));
    f = made(&shape);
    cr_expect_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_EINVAL);
    cr_expect_eq(swq_graph_write(ctx, &f, "/dev/null"), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "ways must be one"), "%s", swq_context_message(ctx));
    swq_fabric_clear(ctx, &f);
}
