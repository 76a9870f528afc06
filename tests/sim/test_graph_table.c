/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routes of a graph from a file of their own: those of every built-in network, written and read
 * again, are its routes; lanes by the parts of a table wait in a circle or not as these say; and
 * what is missing or leads in a circle is named.
 */
#include "switchq/async.h"
#include "switchq/graph.h"
#include "tests/sim/router_graph.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static swq_context *ctx;
static char network[] = "/tmp/switchq-links-XXXXXX", table[] = "/tmp/switchq-table-XXXXXX";

static void setup(void)
{
    ctx = swq_context_new();
    const int a = mkstemp(network), b = mkstemp(table);
    cr_assert(a >= 0 && b >= 0);
    close(a);
    close(b);
}

static void teardown(void)
{
    remove(network);
    remove(table);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(graph_table, .init = setup, .fini = teardown, .timeout = 120);

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* ---- built-in networks ---- */

static void expect_same(const swq_shape *shape, int *count)
{
    char what[200];
    swq_fabric f, again;
    swq_graph g;

    if (!shape->kind->point_to_point || shape->chained)
        return;
    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK);
    shape->kind->describe(&f, what, sizeof what);
    cr_assert_eq(swq_graph_write(ctx, &f, network), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_graph_write_table(ctx, &f, table), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_graph_read_table(ctx, network, table, &g), SWQ_OK, "%s: %s", what,
                 swq_context_message(ctx));
    const swq_shape read = {.kind = &swq_fabric_graph, .graph = &g};
    cr_assert_eq(swq_fabric_make(ctx, &read, &again), SWQ_OK, "%s", what);
    expect_same_routes(&f, &again, what);
    cr_expect_eq(g.longest, shape->kind->longest(&f), "%s: %d", what, g.longest);
    swq_fabric_clear(ctx, &again);
    swq_graph_clear(ctx, &g);
    swq_fabric_clear(ctx, &f);
    (*count)++;
}

Test(graph_table, of_every_network_has_its_routes)
{
    int count = 0;

    for (int k = 0; swq_fabric_kinds[k]; k++) {
        for (const swq_shape *s = swq_fabric_kinds[k]->examples; s && s->kind; s++)
            expect_same(s, &count);
    }
    cr_assert_geq(count, 12, "only %d networks", count);
}

/* ---- lanes ---- */

static const char ring[] = "host a A:0\nhost b B:0\nhost c C:0\n"
                           "link A:1 B:2\nlink B:1 C:2\nlink C:1 A:2\n";

static bool may_deadlock(const char *routes, const swq_lane_choice *choice)
{
    swq_graph g;

    put(network, ring);
    put(table, routes);
    cr_assert_eq(swq_graph_read_table(ctx, network, table, &g), SWQ_OK, "%s",
                 swq_context_message(ctx));
    const swq_shape shape = {.kind = &swq_fabric_graph, .graph = &g};
    const bool may = lanes_may_deadlock(ctx, &shape, NULL, choice, 2);
    swq_graph_clear(ctx, &g);
    return may;
}

/* Round a ring of three in one direction: all links wait for one another if they have the same
 * lanes. If the last link of a way has lanes of its own, the first ones wait for these alone. */
Test(graph_table, parts_of_lanes_decide_whether_packets_wait_in_a_circle)
{
    static const char none[] = "routes A - 1 1\nroutes B 1 - 1\nroutes C 1 1 -\n",
                      same[] = "routes A - 1/1 1/1\nroutes B 1/1 - 1/1\nroutes C 1/1 1/1 -\n",
                      last[] = "routes A - 1/1 1/0\nroutes B 1/0 - 1/1\nroutes C 1/1 1/0 -\n";
    const swq_lane_choice *any = &swq_lane_choice_any, *phase = &swq_lane_choice_phase;

    cr_expect(may_deadlock(none, any));
    cr_expect_not(may_deadlock(none, phase), "a part for each link of a way");
    cr_expect(may_deadlock(same, phase));
    cr_expect_not(may_deadlock(last, phase));
}

/* ---- runs ---- */

/* Flits that are carried, and the mean latency of the tail, where all nodes always send. */
static void run_of(const swq_shape *shape, double *carried, double *latency)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group;
    swq_async_result r;

    n.shape = *shape;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = 4;
    n.link.rest = 0;
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1,
                                     (swq_spread){.kind = SWQ_CONSTANT, .first = 1});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    options.warmup = 500;
    options.cycles = 1500;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.stopped_by != SWQ_STOP_DEADLOCK);
    *carried = r.sim.all.throughput.mean;
    *latency = r.sim.all.tail_latency.mean;
}

/* Routes, parts of the lanes and drawn ways of a table give the numbers of the network that it was
 * written from. */
Test(graph_table, runs_of_a_network_and_of_its_table_are_the_same)
{
    const swq_shape shapes[] = {
        {.kind = &swq_fabric_dragonfly, .size = {1, 4, 1}},
        {.kind = &swq_fabric_dragonfly, .size = {2, 4, 2, 2}},
        {.kind = &swq_fabric_slimfly, .size = {4, 2}},
        {.kind = &swq_fabric_slimfly, .size = {4, 2}, .drawn_ways = true},
    };

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        swq_shape links = shapes[k];
        swq_graph g;
        swq_fabric f;
        double a[2], b[2];
        links.drawn_ways = false;
        cr_assert_eq(swq_fabric_make(ctx, &links, &f), SWQ_OK);
        cr_assert_eq(swq_graph_write(ctx, &f, network), SWQ_OK);
        swq_fabric_clear(ctx, &f);
        cr_assert_eq(swq_fabric_make(ctx, &shapes[k], &f), SWQ_OK);
        cr_assert_eq(swq_graph_write_table(ctx, &f, table), SWQ_OK);
        swq_fabric_clear(ctx, &f);
        cr_assert_eq(swq_graph_read_table(ctx, network, table, &g), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_expect_eq(g.parts > 0, k < 2, "%zu", k);
        cr_expect_eq(g.several, shapes[k].drawn_ways, "%zu", k);
        const swq_shape read = {
            .kind = &swq_fabric_graph, .graph = &g, .drawn_ways = shapes[k].drawn_ways};
        run_of(&shapes[k], &a[0], &a[1]);
        run_of(&read, &b[0], &b[1]);
        cr_expect_float_eq(a[0], b[0], 0, "%zu: %.17g %.17g", k, a[0], b[0]);
        cr_expect_float_eq(a[1], b[1], 0, "%zu: %.17g %.17g", k, a[1], b[1]);
        swq_graph_clear(ctx, &g);
    }
}

/* ---- errors ---- */

Test(graph_table, what_is_missing_or_wrong_is_named)
{
    static const struct {
        const char *text, *says;
    } row[] = {
        {"", "there is no line in it"},
        {"routes A - 1 1\nroutes B 1 - 1\n",
         "packets from switch B to host a have no route at switch C"},
        {"routes A - 1 1\nroutes B 1 - 1\nroute C b 1\n",
         "packets from switch B to host a have no route at switch C"},
        {"routes A - 1 1\nroutes B 2 - 1\nroutes C 1 2 -\nroute A c 1\nroute B c 2\n",
         "routes to host c lead in a circle: by switches A, B, A"},
        {"link A B\n", "line 1: a line of a table begins with route or routes, not with 'link'"},
        {"# x\nroute D a 1\n", "line 2: the network has no switch D"},
        {"route A d 1\n", "line 1: the network has no host d"},
        {"route A a 1\n", "line 1: host 0 is at this switch, and needs no route"},
        {"route A b 0\n", "line 1: port 0 of this switch has no link to a switch"},
        {"route A b 1,0\n", "line 1: port 0 of this switch has no link to a switch"},
        {"route A b 7\n", "line 1: port 7 of this switch has no link to a switch"},
        {"route A b 1,1\n", "several ports of a route must be unlike ones, not '1,1'"},
        {"route A b 1,255\n", "with ports 0 to 254, not '1,255'"},
        {"route A b x\n", "a route is PORT[,PORT...][/PART] with ports 0 to 254, not 'x'"},
        {"route A b 255\n", "with ports 0 to 254"},
        {"routes A -1 1 2\n", "line 1: '-1' is no port"},
        {"route A b 1x\n", "line 1: a port ends with , or / or a space, not as in '1x'"},
        {"route A b 1/\n", "the part of the lanes must be 0 to 31, not '1/'"},
        {"route A b 1/32\n", "the part of the lanes must be 0 to 31"},
        {"route A b 1/0x\n", "the part of the lanes must be 0 to 31"},
    };

    put(network, ring);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        swq_graph g;
        put(table, row[k].text);
        cr_expect_eq(swq_graph_read_table(ctx, network, table, &g), SWQ_EINVAL, "%zu", k);
        cr_expect(strstr(swq_context_message(ctx), row[k].says) &&
                      strstr(swq_context_message(ctx), table),
                  "%zu: %s", k, swq_context_message(ctx));
    }
}

/* A table with several ways is for drawn ones, and these for packets that go straight. */
Test(graph_table, several_ways_are_for_drawn_ones)
{
    swq_graph g;
    swq_fabric f;

    put(network, ring);
    put(table, "routes A - 1,2 1\nroutes B 1 - 1\nroutes C 1 2 -\n");
    cr_assert_eq(swq_graph_read_table(ctx, network, table, &g), SWQ_OK, "%s",
                 swq_context_message(ctx));
    swq_shape shape = {.kind = &swq_fabric_graph, .graph = &g};
    cr_expect_eq(swq_fabric_count(ctx, &shape, &f), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "ways must not be one with routing deterministic"),
              "%s", swq_context_message(ctx));
    shape.drawn_ways = true;
    cr_expect_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK);
    shape.routing = &swq_routing_valiant;
    cr_expect_eq(swq_fabric_count(ctx, &shape, &f), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "are for routing deterministic, not for valiant"),
              "%s", swq_context_message(ctx));
    swq_graph_clear(ctx, &g);
}

/* Where lanes are not taken by phase nothing would ask for the parts. */
Test(graph_table, parts_are_for_lanes_by_phase)
{
    swq_async n = swq_async_defaults();
    swq_graph g;
    uint32_t nodes;

    put(network, ring);
    put(table, "routes A - 1/1 1/0\nroutes B 1/0 - 1/1\nroutes C 1/1 1/0 -\n");
    cr_assert_eq(swq_graph_read_table(ctx, network, table, &g), SWQ_OK, "%s",
                 swq_context_message(ctx));
    n.shape = (swq_shape){.kind = &swq_fabric_graph, .graph = &g};
    cr_assert_eq(swq_async_buffer(ctx, &n, swq_buffer_kinds[0], 128), SWQ_OK);
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "not for input-queued"), "%s",
              swq_context_message(ctx));
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.count = 2;
    n.link.rest = 0;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "not for any"), "%s", swq_context_message(ctx));
    swq_graph_clear(ctx, &g);
}
