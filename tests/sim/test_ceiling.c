/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ceiling that links set on throughput: against closed forms for meshes, tori, cubes,
 * dragonflies, HyperX and a graph, straight and by way of other places; against the enumeration of
 * all examples; refusals; and against simulations, which never exceed it.
 */
#include "sim/ceiling/demand.h"
#include "sim/fabrics/fabrics.h"
#include "switchq/graph.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <stdio.h>
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

TestSuite(ceiling, .init = setup, .fini = teardown, .timeout = 240);

static const swq_spread one_flit = {SWQ_CONSTANT, 1, 0};

/* A network of wormhole lanes, in which a link rests never, with room for traffic. */
typedef struct {
    swq_async n;
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
} net;

static void make(net *w, swq_shape shape, const swq_pattern *pattern)
{
    w->n = swq_async_defaults();
    w->n.shape = shape;
    w->n.architecture.row = &swq_wormhole_lanes;
    if (shape.kind->phases)
        w->n.architecture.lanes.choice = &swq_lane_choice_phase;
    else if (shape.kind->rings)
        w->n.architecture.lanes.choice = &swq_lane_choice_dateline;
    w->n.architecture.lanes.count = 8;
    w->n.architecture.lanes.flits = 32;
    w->n.packet.max = 1;
    w->n.link.rest = 0;
    w->group[0] = swq_sender_group_uniform(&w->n, SWQ_SOURCE_OPEN, 0.5, one_flit);
    w->group[0].type[0].pattern = pattern;
    w->n.traffic.group = w->group;
    w->n.traffic.groups = 1;
}

static swq_ceiling ceiling_of(const net *w)
{
    swq_ceiling c;

    cr_assert_eq(swq_async_ceiling(ctx, &w->n, 1, &c), SWQ_OK, "%s", swq_context_message(ctx));
    return c;
}

static swq_ceiling under(swq_shape shape, const swq_routing *routing, const swq_pattern *pattern)
{
    net w;

    shape.routing = routing;
    make(&w, shape, pattern);
    return ceiling_of(&w);
}

#define EXPECT_LOAD(ceiling, expected)                                                             \
    do {                                                                                           \
        const swq_ceiling got_ = (ceiling);                                                        \
        cr_expect(got_.none == NULL, "%s", got_.none ? got_.none : "");                            \
        cr_expect_float_eq(got_.load, (expected), 1e-9, "%.10g, not %.10g: %s to %s", got_.load,   \
                           (double)(expected), got_.from, got_.to);                                \
    } while (0)

static swq_shape grid(const swq_fabric_kind *kind, int dims, int extent)
{
    swq_shape shape = {.kind = kind, .dims = dims};

    for (int k = 0; k < dims; k++)
        shape.extent[k] = extent;
    return shape;
}

/* ---- closed forms, nodes that send to all others alike ---- */

/* The link in the middle of a row of the dimension that is traversed first carries the packets of
 * half a row to half of the network. */
Test(ceiling, of_a_mesh)
{
    for (int dims = 1; dims <= 3; dims++) {
        for (int k = 2; k <= 5; k++) {
            const double nodes = pow(k, dims), left = k / 2, right = k - k / 2;
            const double middle = left * right * nodes / k / (nodes - 1);
            EXPECT_LOAD(under(grid(&swq_fabric_mesh, dims, k), NULL, &swq_pattern_uniform),
                        1 / fmax(1, middle));
        }
    }
}

/* Every link of a torus carries the same: k^2 - 1 over 8 k, or k / 8 with an extent of 8, whose
 * ties of both ways round are shared out evenly. By way of any node, itself included, and for any
 * permutation, it carries twice that. */
Test(ceiling, of_a_torus)
{
    const int odd[] = {3, 5, 7};

    for (int dims = 1; dims <= 2; dims++) {
        for (int k = 0; k < 3; k++) {
            const double e = odd[k], nodes = pow(e, dims), each = (e * e - 1) / (8 * e);
            const swq_shape shape = grid(&swq_fabric_torus, dims, odd[k]);
            EXPECT_LOAD(under(shape, NULL, &swq_pattern_uniform),
                        1 / fmax(1, each * nodes / (nodes - 1)));
        }
    }
    EXPECT_LOAD(under(grid(&swq_fabric_torus, 2, 8), NULL, &swq_pattern_uniform), 63.0 / 64);
    EXPECT_LOAD(under(grid(&swq_fabric_torus, 2, 7), &swq_routing_valiant, &swq_pattern_uniform),
                1 / fmax(1, 2 * 48.0 / 56));
    const swq_pattern *tornado;
    cr_assert_eq(swq_pattern_find(ctx, "tornado", &tornado), SWQ_OK);
    EXPECT_LOAD(under(grid(&swq_fabric_torus, 2, 7), &swq_routing_valiant, tornado), 56.0 / 96);
    EXPECT_LOAD(under(grid(&swq_fabric_torus, 1, 8), NULL, tornado), 1.0 / 3);
}

/* A dimension is crossed by half of all packets, on one link of each node: links from nodes are
 * busier. */
Test(ceiling, of_a_cube_is_that_of_its_nodes)
{
    net w;

    make(&w, grid(&swq_fabric_hypercube, 4, 0), &swq_pattern_uniform);
    w.n.architecture = swq_async_defaults().architecture;
    w.n.packet.max = 32;
    give_buffer(&w.n, "damq", 96);
    const swq_ceiling c = ceiling_of(&w);
    EXPECT_LOAD(c, 1);
    cr_expect_str_eq(c.from, "node 0");
    cr_expect_eq(c.links, 32, "%llu: those from nodes, and those to nodes",
                 (unsigned long long)c.links);
}

/* The dragonfly's one link between two groups of 8 nodes: all of a group to the next, 8; by way of
 * the 7 other groups each link carries 8 / 7 of its own group and 8 / 7 of another one. */
static swq_ceiling adversarial(const swq_routing *routing, int by)
{
    net w;

    make(&w, (swq_shape){.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}, .routing = routing},
         &swq_pattern_uniform);
    for (uint32_t g = 0; g < 9; g++) {
        w.group[g] = w.group[0];
        w.group[g].mask = w.group[g].type[0].mask = 0x78;
        w.group[g].value = 8 * g;
        w.group[g].type[0].value = 8 * ((g + (uint32_t)by) % 9);
        w.group[g].type[0].aim = SWQ_AIM_SUBSET;
    }
    w.n.traffic.groups = 9;
    return ceiling_of(&w);
}

Test(ceiling, of_a_dragonfly)
{
    const swq_shape shape = {.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}};

    EXPECT_LOAD(under(shape, NULL, &swq_pattern_uniform), 1);
    for (int by = 1; by < 9; by++)
        EXPECT_LOAD(adversarial(NULL, by), 1.0 / 8);
    cr_expect(adversarial(&swq_routing_valiant, 1).load <= 7.0 / 16 + 1e-9);
}

/* Two routers of t nodes on each link that is used, whether a way is drawn or not. By way of one
 * of 48 other routers with q = 5, the busiest link is on the way of its first router to 7 of them,
 * on that of 6 neighbours to one each, and on as many ways from these routers on: 26 ways of 4
 * nodes. */
Test(ceiling, of_the_worst_case_of_a_slimfly)
{
    static const int sizes[][2] = {{3, 1}, {4, 3}, {5, 4}, {7, 2}, {8, 1}, {9, 2}};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int drawn = 0; drawn < 2; drawn++) {
            net w;
            make(&w,
                 (swq_shape){.kind = &swq_fabric_slimfly,
                             .size = {sizes[k][0], sizes[k][1]},
                             .drawn_ways = drawn},
                 &swq_pattern_uniform);
            w.group[0].type[0].aim = SWQ_AIM_WORST;
            EXPECT_LOAD(ceiling_of(&w), 0.5 / sizes[k][1]);
            w.n.shape.routing = &swq_routing_valiant;
            if (sizes[k][0] == 5)
                EXPECT_LOAD(ceiling_of(&w), 48.0 / (4 * 26));
        }
    }
}

/* A row of 6 routers with 3 nodes each, all to the next router but one: 3 on one link; by way of
 * the 4 other routers 3 / 4 on the first link, and 3 / 4 on the second. */
Test(ceiling, of_a_hyperx)
{
    swq_shape shape = grid(&swq_fabric_hyperx, 1, 6);
    const swq_pattern *tornado;

    shape.size[0] = 3;
    cr_assert_eq(swq_pattern_find(ctx, "tornado", &tornado), SWQ_OK);
    EXPECT_LOAD(under(shape, NULL, tornado), 1.0 / 3);
    EXPECT_LOAD(under(shape, &swq_routing_valiant, tornado), 2.0 / 3);
    EXPECT_LOAD(under(shape, NULL, &swq_pattern_uniform), 1); /* 9 / 17 on a link */
}

/* Petersen's graph with two nodes a switch: 15 links, ways of a mean length of 15 / 9, all alike,
 * and one shortest way for each pair. */
Test(ceiling, of_a_graph)
{
    char path[] = "/tmp/petersen.XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    swq_graph graph;

    cr_assert(file);
    for (int k = 0; k < 10; k++)
        fprintf(file, "router %d node %d node %d router %d router %d\n", k, 2 * k, 2 * k + 1,
                k < 5 ? (k + 1) % 5 : 5 + (k - 5 + 2) % 5, k < 5 ? k + 5 : k - 5);
    fclose(file);
    cr_assert_eq(swq_graph_read(ctx, path, NULL, &graph), SWQ_OK, "%s", swq_context_message(ctx));
    unlink(path);
    const swq_shape shape = {.kind = &swq_fabric_graph, .graph = &graph};
    EXPECT_LOAD(under(shape, NULL, &swq_pattern_uniform), 19.0 / 20);
    /* by way of any node: each switch sends 2 / 10 to each other one, in both parts of the ways,
     * and the distances of all pairs, 150, are shared out over 30 links */
    EXPECT_LOAD(under(shape, &swq_routing_valiant, &swq_pattern_uniform), 1 / (2 * 0.2 * 150 / 30));
    swq_graph_clear(ctx, &graph);
}

/* ---- other traffic ---- */

/* The link to one node carries what the 15 others send; a message of 40 bytes is packets of 32 and
 * 8, and the link rests for 2 cycles behind each. */
Test(ceiling, of_one_destination_with_rests)
{
    net w;

    make(&w, grid(&swq_fabric_mesh, 2, 4), &swq_pattern_uniform);
    w.n.architecture = swq_async_defaults().architecture;
    w.n.packet.max = 32;
    w.n.link.rest = 2;
    give_buffer(&w.n, "damq", 96);
    w.group[0].type[0].length.first = 40;
    w.group[0].type[0].aim = SWQ_AIM_NODE;
    w.group[0].type[0].value = 5;
    const swq_ceiling c = ceiling_of(&w);
    EXPECT_LOAD(c, 40.0 / 44 / 15);
    cr_expect_float_eq(c.throughput, 40.0 / 44 / 16, 1e-12);
    cr_expect_str_eq(c.to, "node 5");
}

/* A half of the nodes sends nothing, and the diagonal of a transpose to itself. */
Test(ceiling, of_silent_nodes)
{
    const swq_pattern *transpose;
    net w;

    cr_assert_eq(swq_pattern_find(ctx, "transpose", &transpose), SWQ_OK);
    make(&w, grid(&swq_fabric_mesh, 2, 4), transpose);
    /* row 0's three nodes turn at its last column: (0,1) .. (0,3) */
    swq_ceiling c = ceiling_of(&w);
    EXPECT_LOAD(c, 1.0 / 3);
    cr_expect_float_eq(c.throughput, 12.0 / 16 / 3, 1e-12);
    w.group[0].mask = 8;
    c = ceiling_of(&w);
    cr_expect_float_eq(c.throughput / c.load, 6.0 / 16, 1e-12);
}

/* ---- every row against the enumeration, which walks by other functions ---- */

Test(ceiling, of_all_examples_is_that_of_the_enumeration)
{
    for (int k = 0; swq_fabric_kinds[k]; k++) {
        for (const swq_shape *s = swq_fabric_kinds[k]->examples; s->kind; s++) {
            swq_shape shape = *s;
            swq_fabric f;
            swq_fabric_loads loads;
            net w;
            if (!(shape.kind->engines & SWQ_ENGINE_ASYNC))
                continue;
            if (shape.kind == &swq_fabric_multistage)
                shape.wiring = swq_topologies[0];
            make(&w, shape, &swq_pattern_uniform);
            w.n.architecture = swq_async_defaults().architecture;
            w.n.packet.max = 32;
            give_buffer(&w.n, "damq", 2048);
            cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK);
            cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
            swq_fabric_clear(ctx, &f);
            EXPECT_LOAD(ceiling_of(&w), 1 / fmax(1, loads.most));
        }
    }
}

/* ---- no ceiling ---- */

Test(ceiling, there_is_none_where_the_state_decides)
{
    const swq_shape dragonfly = {.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}};
    const swq_async_message message = {0, 0, 1, 1};
    net w;

    cr_expect_str_eq(under(dragonfly, &swq_routing_ugal, &swq_pattern_uniform).none,
                     "packets choose between two ways by the state of the network");
    cr_expect_str_eq(
        under(grid(&swq_fabric_mesh, 2, 4), &swq_routing_adaptive, &swq_pattern_uniform).none,
        "packets choose among outputs by the state of the network");
    make(&w, grid(&swq_fabric_mesh, 2, 4), &swq_pattern_uniform);
    w.group[0].until = 1000;
    cr_expect_str_eq(ceiling_of(&w).none, "groups of senders begin or end");
    w.group[0].until = 0;
    w.group[0].type[0].aim = SWQ_AIM_ALL;
    cr_expect_str_eq(swq_demand_none(&w.n), "copies of multicast messages share links");
    w.n.traffic.trace = &message;
    w.n.traffic.trace_messages = 1;
    w.n.traffic.groups = 0;
    const swq_ceiling c = ceiling_of(&w);
    cr_expect_str_eq(c.none, "the traffic is that of a trace");
    cr_expect(isnan(c.load) && isnan(c.throughput));
}

Test(ceiling, every_allocation_may_fail)
{
    net w;
    swq_ceiling c;

    make(&w, grid(&swq_fabric_mesh, 2, 3), &swq_pattern_uniform);
    w.n.shape.routing = &swq_routing_valiant;
    size_t k = 0;
    for (swq_status status = SWQ_ENOMEM; status != SWQ_OK; k++) {
        swq_context_fail_allocations(ctx, k, true);
        status = swq_async_ceiling(ctx, &w.n, 1, &c);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%d", (int)status);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
    }
    cr_expect(k > 5);
}

/* ---- simulations ---- */

/* Senders that all are alike get no more through than the ceiling, and most of it. */
Test(ceiling, simulations_stay_below_it)
{
    const swq_pattern *tornado;
    cr_assert_eq(swq_pattern_find(ctx, "tornado", &tornado), SWQ_OK);
    const struct {
        swq_shape shape;
        const swq_routing *routing;
        const swq_pattern *pattern;
        double least; /* part of the ceiling that is reached */
    } row[] = {
        {grid(&swq_fabric_torus, 1, 8), NULL, tornado, 0.3},
        {grid(&swq_fabric_torus, 2, 5), &swq_routing_valiant, tornado, 0.5},
        {grid(&swq_fabric_mesh, 2, 4), &swq_routing_valiant, &swq_pattern_uniform, 0.5},
        {{.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}}, NULL, tornado, 0.95},
        {{.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}}, &swq_routing_valiant, tornado, 0.5},
        {{.kind = &swq_fabric_hyperx, .dims = 2, .extent = {4, 4}, .size = {4}},
         NULL,
         tornado,
         0.9},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        swq_sim_options options = swq_sim_defaults();
        swq_async_result r;
        net w;
        make(&w, row[k].shape, row[k].pattern);
        w.n.shape.routing = row[k].routing;
        swq_sender_group_load(&w.n, &w.group[0], 1);
        options.warmup = 1000;
        options.cycles = 4000;
        const swq_ceiling c = ceiling_of(&w);
        cr_assert_eq(swq_async_run(ctx, &w.n, &options, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const double got = r.sim.all.throughput.mean;
        cr_expect(got <= c.throughput * 1.005 + 1e-6 && got >= row[k].least * c.throughput,
                  "row %zu: %g of %g", k, got, c.throughput);
    }
}
