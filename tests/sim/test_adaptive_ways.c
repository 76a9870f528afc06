/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any shortest way over links, chosen in each switch: where each pair has one way, runs are those
 * of deterministic routing; a fat tree from a file is the built-in one; what a table of routes
 * offers; circles of lanes against long runs at full load; and what is refused.
 * test_graph_reference.c has the rules of choice.
 */
#include "switchq/ceiling.h"
#include "switchq/graph.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static swq_context *ctx;
static char path[] = "/tmp/switchq-adaptive-XXXXXX", table[] = "/tmp/switchq-adaptive-XXXXXX";

static void setup(void)
{
    ctx = swq_context_new();
    close(mkstemp(path));
    close(mkstemp(table));
}

static void teardown(void)
{
    remove(path);
    remove(table);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(adaptive_ways, .init = setup, .fini = teardown, .timeout = 240);

static const char *const choices[] = {"room", "first", "turn", "random"};

enum { CHOICES = sizeof choices / sizeof *choices };

/* ---- runs ---- */

/* Uniform traffic of packets of three flits over lanes of a choice; choice NULL: deterministic. */
static swq_async network(const swq_shape *shape, const char *choice, const swq_lane_choice *lanes,
                         int count, double load, swq_sender_group *group)
{
    swq_async n = swq_async_defaults();

    n.shape = *shape;
    n.shape.routing = choice ? &swq_routing_adaptive : shape->routing;
    n.packet.max = 3;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = lanes;
    n.architecture.lanes.count = count;
    n.link.rest = 0;
    if (choice)
        cr_assert_eq(swq_selection_find(ctx, choice, &n.arbiter.choice), SWQ_OK);
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, constantly(3));
    n.traffic.groups = 1;
    n.traffic.group = group;
    return n;
}

static swq_async_result run(swq_async *n, swq_sender_group *group, uint64_t cycles)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;

    n->traffic.group = group;
    options.warmup = 0;
    options.cycles = cycles;
    cr_assert_eq(swq_async_run(ctx, n, &options, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact);
    return r;
}

static void expect_same(const swq_async_result *a, const swq_async_result *b, const char *what)
{
    cr_expect_eq(a->sim.total_delivered, b->sim.total_delivered, "%s", what);
    cr_expect_eq(a->sim.all.tail_latency.mean, b->sim.all.tail_latency.mean, "%s: %.17g, not %.17g",
                 what, a->sim.all.tail_latency.mean, b->sim.all.tail_latency.mean);
    cr_expect_gt(a->sim.total_delivered, 500, "%s", what);
}

/* ---- networks with one way for each pair ---- */

Test(adaptive_ways, of_single_ways_are_the_routes)
{
    const swq_shape shapes[] = {
        {.kind = &swq_fabric_slimfly, .size = {5, 1}},
        {.kind = &swq_fabric_polarfly, .size = {3, 1}},
        {.kind = &swq_fabric_hyperx, .dims = 1, .extent = {5}, .size = {2}},
        {.kind = &swq_fabric_megafly, .size = {2, 3, 1, 2, 3}},
        {.kind = &swq_fabric_hyperx, .dims = 1, .extent = {70}, .size = {2}},
        {.kind = &swq_fabric_hyperx, .dims = 1, .extent = {255}, .size = {1}},
    };

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int c = 0; c < CHOICES; c++) {
            swq_sender_group group;
            swq_async n = network(&shapes[k], NULL, &swq_lane_choice_phase, 4, 0.6, &group);
            const uint64_t cycles = shapes[k].extent[0] > 64 ? 150 : 1500;
            const swq_async_result one = run(&n, &group, cycles);
            n = network(&shapes[k], choices[c], &swq_lane_choice_phase, 4, 0.6, &group);
            const swq_async_result any = run(&n, &group, cycles);
            char what[80];
            snprintf(what, sizeof what, "%s, %s", shapes[k].kind->name, choices[c]);
            expect_same(&any, &one, what);
        }
}

/* ---- a fat tree as a file ---- */

static void write_graph(const swq_shape *shape, swq_graph *g)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_graph_write(ctx, &f, path), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_graph_read(ctx, path, NULL, g), SWQ_OK, "%s", swq_context_message(ctx));
    swq_fabric_clear(ctx, &f);
}

/* Any link up a tree begins a shortest way, and the built-in tree offers the same links. The file
 * has no route at switches off the routes, where choice first begins with another link in the
 * second tree. */
Test(adaptive_ways, tree_from_a_file_is_the_tree)
{
    const swq_shape shapes[] = {
        {.kind = &swq_fabric_fat_tree, .ports = 4, .levels = 3},
        {.kind = &swq_fabric_tree, .levels = 3, .arity = {3, 2, 2}, .up_ports = 2},
        {.kind = &swq_fabric_tree, .levels = 2, .arity = {62, 2}, .up_ports = 2},
        {.kind = &swq_fabric_tree, .levels = 2, .arity = {2, 70}, .up_ports = 2},
        {.kind = &swq_fabric_tree, .levels = 2, .arity = {66, 3}, .up_ports = 62},
    };

    const uint64_t cycles[] = {3000, 3000, 300, 100, 100};

    for (int k = 0; k < 5; k++) {
        swq_graph g;
        write_graph(&shapes[k], &g);
        const swq_shape read = {.kind = &swq_fabric_graph, .graph = &g};
        for (int c = 0; c < CHOICES; c++) {
            swq_sender_group group;
            swq_async n = network(&shapes[k], choices[c], &swq_lane_choice_any, 2, 0.7, &group);
            const swq_async_result tree = run(&n, &group, cycles[k]);
            n = network(&read, choices[c], &swq_lane_choice_any, 2, 0.7, &group);
            cr_expect_not(swq_async_may_deadlock(&n), "tree %d", k);
            const swq_async_result file = run(&n, &group, cycles[k]);
            if (k == 0 || strcmp(choices[c], "first") != 0)
                expect_same(&file, &tree, choices[c]);
        }
        swq_graph_clear(ctx, &g);
    }
}

/* ---- many ports ---- */

/* Writes the file anew without routes, with all numbers of ports times a factor. */
static void spread_ports(int times)
{
    char *text = NULL, *line;
    size_t room = 0, size;
    FILE *file = fopen(path, "r"), *all = open_memstream(&line, &size);

    cr_assert(file && all);
    while (getline(&text, &room, file) > 0) {
        for (char *at = text; *at && strncmp(text, "route", 5) != 0;) {
            fputc(*at, all);
            if (*at++ == ':' && *at >= '0' && *at <= '9')
                fprintf(all, "%ld", times * strtol(at, &at, 10));
        }
    }
    free(text);
    fclose(file);
    fclose(all);
    file = fopen(path, "w");
    cr_assert_eq(fwrite(line, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    free(line);
}

/* Ways depend on the order of a switch's ports alone: with numbers far apart, up to 254, so that
 * sets of ports have several words, all runs are the same, drawn, drawn from a table, and chosen.
 * Draws of choice random are made by the number of the port. */
Test(adaptive_ways, of_ports_far_apart_are_the_same)
{
    const swq_shape shapes[] = {
        {.kind = &swq_fabric_fat_tree, .ports = 4, .levels = 3},
        {.kind = &swq_fabric_hyperx, .dims = 2, .extent = {4, 3}, .size = {2}},
        {.kind = &swq_fabric_slimfly, .size = {4, 2}},
    };
    const int apart[] = {84, 41, 30};

    for (int k = 0; k < 3; k++)
        for (int way = 0; way < 8; way++) {
            const char *choice = way < 2 ? NULL : choices[(way - 2) % 3];
            swq_async_result r[2];
            bool circle[2];
            for (int far = 0; far < 2; far++) {
                swq_graph g;
                write_graph(&shapes[k], &g);
                swq_graph_clear(ctx, &g);
                spread_ports(far ? apart[k] : 1);
                cr_assert_eq(swq_graph_read(ctx, path, NULL, &g), SWQ_OK, "%s",
                             swq_context_message(ctx));
                cr_assert(!far || g.ports > 200);
                swq_shape shape = {.kind = &swq_fabric_graph, .graph = &g, .drawn_ways = !choice};
                if (way == 1) {
                    swq_fabric f;
                    swq_graph by_table;
                    cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK);
                    cr_assert_eq(swq_graph_write_table(ctx, &f, table), SWQ_OK, "%s",
                                 swq_context_message(ctx));
                    swq_fabric_clear(ctx, &f);
                    swq_graph_clear(ctx, &g);
                    cr_assert_eq(swq_graph_read_table(ctx, path, table, &by_table), SWQ_OK, "%s",
                                 swq_context_message(ctx));
                    g = by_table;
                }
                swq_sender_group group;
                swq_async n = network(&shape, choice, &swq_lane_choice_phase, 6, 0.5, &group);
                if (way >= 5) {
                    n.shape.routing = &swq_routing_escape;
                    n.architecture.lanes.choice = &swq_lane_choice_any;
                    n.architecture.lanes.given_empty = true;
                }
                circle[far] = swq_async_may_deadlock(&n);
                r[far] = run(&n, &group, 400);
                swq_graph_clear(ctx, &g);
            }
            char what[80];
            snprintf(what, sizeof what, "%s, way %d", shapes[k].kind->name, way);
            expect_same(&r[1], &r[0], what);
            cr_expect_eq(circle[0], circle[1], "%s", what);
        }
}

/* ---- random graphs ---- */

static uint64_t dice;

static int below(int n)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)n);
}

/* A tree of switches, or a ring, with a host each, and some links more. */
static void draw_graph(bool ring, int switches, int more, swq_graph *g)
{
    FILE *file = fopen(path, "w");

    cr_assert(file);
    for (int w = 0; w < switches; w++)
        fprintf(file, "host %d %d\n", w, w);
    for (int w = ring ? 0 : 1; w < switches; w++)
        fprintf(file, "link %d %d\n", w, ring ? (w + 1) % switches : below(w));
    for (; more > 0; more--) {
        const int a = below(switches), b = below(switches);
        if (a != b)
            fprintf(file, "link %d %d\n", a, b);
    }
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(swq_graph_read(ctx, path, NULL, g), SWQ_OK, "%s", swq_context_message(ctx));
}

/* With one lane, of a flit, and all senders always sending, a network that is said never to
 * deadlock does not, and many of the others do. With a lane for each link of a way none does, and
 * with an escape lane none whose escape lanes are in no circle. */
Test(adaptive_ways, circles_of_lanes_and_deadlocks)
{
    int safe = 0, stuck = 0, escapes = 0;

    dice = 1;
    for (int k = 0; k < 120; k++) {
        swq_graph g;
        swq_sender_group group;
        draw_graph(k % 2, 4 + below(6), below(k % 2 ? 3 : 8), &g);
        const swq_shape shape = {.kind = &swq_fabric_graph, .graph = &g};
        swq_async n = network(&shape, choices[k % CHOICES], &swq_lane_choice_any, 1, 1, &group);
        n.architecture.lanes.flits = 1;
        const bool may = swq_async_may_deadlock(&n);
        const swq_async_result r = run(&n, &group, 4000);
        const bool does = r.sim.stopped_by == SWQ_STOP_DEADLOCK;
        cr_expect(may || !does, "graph %d: said never to deadlock", k);
        safe += !may;
        stuck += does;
        n.architecture.lanes.count = g.longest > 1 ? g.longest - 1 : 1;
        n.architecture.lanes.choice = &swq_lane_choice_phase;
        cr_expect_not(swq_async_may_deadlock(&n));
        const swq_async_result safely = run(&n, &group, 2000);
        cr_expect_neq(safely.sim.stopped_by, SWQ_STOP_DEADLOCK, "graph %d", k);
        n.shape.routing = &swq_routing_escape;
        n.architecture.lanes.count = 2;
        n.architecture.lanes.choice = &swq_lane_choice_any;
        n.architecture.lanes.given_empty = true;
        n.architecture.lanes.escapes_kept = k % 3 == 0;
        if (!swq_async_may_deadlock(&n)) {
            const swq_async_result kept = run(&n, &group, 2000);
            cr_expect_neq(kept.sim.stopped_by, SWQ_STOP_DEADLOCK, "graph %d, with escapes", k);
            escapes++;
        }
        swq_graph_clear(ctx, &g);
    }
    cr_expect_gt(escapes, 20, "%d", escapes);
    cr_expect(safe > 20 && stuck > 20, "%d said safe, %d deadlocks", safe, stuck);
}

/* ---- a table of routes ---- */

static void write_table(const char *text)
{
    FILE *file = fopen(table, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Packets choose among the ports of a table: with both of two links named, they carry what both
 * do, and with one what one does. */
Test(adaptive_ways, among_the_ports_of_a_table)
{
    const char *const tables[] = {"routes a - - 1,2 1,2\nroutes b 1 1 - -\n",
                                  "routes a - - 2 2\nroutes b 1 1 - -\n"};
    FILE *file = fopen(path, "w");
    double carried[2];

    cr_assert(file);
    fputs("host 0 a:0\nhost 1 a:3\nhost 2 b:0\nhost 3 b:3\nlink a:1 b:1\nlink a:2 b:2\n", file);
    cr_assert_eq(fclose(file), 0);
    for (int k = 0; k < 2; k++) {
        swq_graph g;
        swq_sender_group group;
        write_table(tables[k]);
        cr_assert_eq(swq_graph_read_table(ctx, path, table, &g), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const swq_shape shape = {.kind = &swq_fabric_graph, .graph = &g};
        swq_async n = network(&shape, "room", &swq_lane_choice_any, 4, 1, &group);
        cr_expect_not(swq_async_may_deadlock(&n));
        swq_async_message trace[400];
        for (uint32_t p = 0; p < 400; p++)
            trace[p] = (swq_async_message){p / 2, p % 2, 2 + p % 2, 1};
        n.traffic.groups = 0;
        n.traffic.trace = trace;
        n.traffic.trace_messages = 400;
        const swq_async_result r = run(&n, NULL, 10000);
        carried[k] = 400.0 / (double)r.sim.cycles;
        swq_graph_clear(ctx, &g);
    }
    cr_expect(carried[0] > 1.4 && carried[1] < 1.01 && carried[1] > 0.9, "%g, %g", carried[0],
              carried[1]);
}

/* ---- errors ---- */

static void expect_refused(const swq_async *n, const char *words)
{
    uint32_t nodes;

    cr_expect_eq(swq_async_check(ctx, n, &nodes), SWQ_EINVAL, "%s", words);
    cr_expect(strstr(swq_context_message(ctx), words), "%s", swq_context_message(ctx));
}

Test(adaptive_ways, are_refused)
{
    swq_shape shape = {.kind = &swq_fabric_slimfly, .size = {3, 1}};
    swq_sender_group group;
    swq_async n = network(&shape, "room", &swq_lane_choice_phase, 1, 1, &group);

    expect_refused(&n, "lanes must be at least 2 with lane-choice phase and routing adaptive");
    n.shape.drawn_ways = true;
    expect_refused(&n, "ways drawn is not for routing adaptive");
    n.shape =
        (swq_shape){.kind = &swq_fabric_dragonfly, .size = {2}, .routing = &swq_routing_adaptive};
    expect_refused(&n, "megafly and graph, not dragonfly");
    n.shape = shape;
    n.shape.routing = &swq_routing_unguarded;
    expect_refused(&n, "routing unguarded is for topologies torus and mesh");
    n.shape = (swq_shape){.kind = &swq_fabric_hyperx,
                          .dims = 1,
                          .extent = {256},
                          .size = {1},
                          .routing = &swq_routing_adaptive};
    expect_refused(&n, "routing adaptive is for switches of at most 255 ports");
    n = network(&shape, "room", &swq_lane_choice_any, 2, 1, &group);
    n.shape.routing = &swq_routing_escape;
    n.architecture.lanes.given_empty = true;
    char circle[SWQ_CIRCLE_WORDS];
    cr_expect(swq_async_circle(&n, circle, sizeof circle) && strstr(circle, "lane 0 of"), "%s",
              circle);
    n.architecture.lanes.count = 1;
    expect_refused(&n, "lanes must be at least 2 with routing escape");
    n.shape = (swq_shape){
        .kind = &swq_fabric_torus, .dims = 2, .extent = {4, 4}, .routing = &swq_routing_escape};
    expect_refused(&n, "routing escape is for topologies hyperx");
    n = async_network(shape, "damq", 256);
    n.shape.routing = &swq_routing_adaptive;
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.1, constantly(32));
    n.traffic.group = &group;
    n.traffic.groups = 1;
    expect_refused(&n, "routing adaptive in topology slim-fly is for architecture wormhole");
}
