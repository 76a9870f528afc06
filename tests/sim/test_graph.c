/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks from files: every built-in network, written and read again, is the same network; routes
 * of random graphs are as short as those of another algorithm; lanes for each link of a way wait in
 * no circle; and what is wrong is named with file and line.
 */
#include "sim/dependencies/waits.h"
#include "switchq/async.h"
#include "switchq/graph.h"
#include "tests/sim/router_graph.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static swq_context *ctx;
static char path[] = "/tmp/switchq-graph-XXXXXX";

static void setup(void)
{
    ctx = swq_context_new();
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
}

static void teardown(void)
{
    remove(path);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(graph, .init = setup, .fini = teardown, .timeout = 120);

static swq_status read_text(const char *text, swq_graph *g)
{
    FILE *file = fopen(path, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return swq_graph_read(ctx, path, NULL, g);
}

/* ---- built-in networks ---- */

/* Is the written file a network with the same links, ports and routes? */
static void expect_same(const swq_shape *shape, int *count)
{
    char what[200];
    swq_fabric f, again;
    swq_graph g;

    if (!shape->kind->point_to_point || shape->chained)
        return;
    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK);
    shape->kind->describe(&f, what, sizeof what);
    cr_assert_eq(swq_graph_write(ctx, &f, path), SWQ_OK, "%s: %s", what, swq_context_message(ctx));
    cr_assert_eq(swq_graph_read(ctx, path, NULL, &g), SWQ_OK, "%s: %s", what,
                 swq_context_message(ctx));
    const swq_shape read = {.kind = &swq_fabric_graph, .graph = &g};
    cr_assert_eq(swq_fabric_make(ctx, &read, &again), SWQ_OK, "%s", what);
    cr_assert_eq(again.nodes, f.nodes, "%s", what);
    cr_assert_eq(again.switches, f.switches, "%s", what);
    cr_assert_eq(again.ports, f.ports, "%s", what);
    cr_assert_arr_eq(again.entry, f.entry, f.nodes * sizeof *f.entry, "%s", what);
    cr_assert_arr_eq(again.link, f.link, f.switches * (size_t)f.ports * sizeof *f.link, "%s", what);
    expect_same_routes(&f, &again, what);
    swq_fabric_clear(ctx, &again);
    swq_graph_clear(ctx, &g);
    swq_fabric_clear(ctx, &f);
    (*count)++;
}

Test(graph, every_network_that_is_written_is_read_as_the_same)
{
    int count = 0;

    for (int k = 0; swq_fabric_kinds[k]; k++) {
        for (const swq_shape *s = swq_fabric_kinds[k]->examples; s && s->kind; s++)
            expect_same(s, &count);
    }
    cr_assert_geq(count, 12, "only %d networks", count);
}

/* ---- random graphs ---- */

enum { SWITCHES = 12, FAR_AWAY = 1000 };

static int random_below(int n)
{
    static uint64_t state = 12345;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)(state >> 33) % n;
}

/* Floyd and Warshall. */
static void close_distances(int d[SWITCHES][SWITCHES])
{
    for (int k = 0; k < SWITCHES; k++)
        for (int i = 0; i < SWITCHES; i++)
            for (int j = 0; j < SWITCHES; j++)
                d[i][j] = d[i][k] + d[k][j] < d[i][j] ? d[i][k] + d[k][j] : d[i][j];
}

/* A tree with some links more, one in four of them in one direction alone. */
static void draw_graph(char *text, size_t size, int d[SWITCHES][SWITCHES])
{
    size_t used = 0;

    for (int i = 0; i < SWITCHES; i++) {
        for (int j = 0; j < SWITCHES; j++)
            d[i][j] = i == j ? 0 : FAR_AWAY;
        used += (size_t)snprintf(text + used, size - used, "host h%d s%d\n", i, i);
    }
    for (int k = 1; k < SWITCHES + 10; k++) {
        const int i = k < SWITCHES ? k : random_below(SWITCHES);
        const int j = random_below(k < SWITCHES ? k : SWITCHES);
        const bool arc = k >= SWITCHES && random_below(4) == 0;
        if (i == j)
            continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s s%d s%d\n", arc ? "arc" : "link", i, j);
        d[i][j] = 1;
        d[j][i] = arc ? d[j][i] : 1;
    }
}

Test(graph, routes_are_as_short_as_can_be)
{
    char text[4096];
    int d[SWITCHES][SWITCHES];

    for (int turn = 0; turn < 50; turn++) {
        swq_graph g;
        int longest = 0;
        draw_graph(text, sizeof text, d);
        close_distances(d);
        cr_assert_eq(read_text(text, &g), SWQ_OK, "%s", swq_context_message(ctx));
        for (uint32_t i = 0; i < SWITCHES; i++) {
            for (uint32_t j = 0; j < SWITCHES; j++) {
                int links = 0;
                for (uint32_t at = i; at != j; links++) {
                    const uint8_t out = g.next[at * g.columns + j];
                    at = g.link[at * (uint32_t)g.ports + out] / (uint32_t)g.ports;
                }
                cr_assert_eq(links, d[i][j], "turn %d, %u to %u", turn, i, j);
                longest = links > longest ? links : longest;
            }
        }
        cr_assert_eq(g.longest, longest + 1);
        swq_graph_clear(ctx, &g);
    }
}

static void draw_ring(char *text, size_t size)
{
    size_t used = 0;

    for (int i = 0; i < SWITCHES; i++)
        used += (size_t)snprintf(text + used, size - used, "host h%d s%d\nlink s%d s%d\n", i, i, i,
                                 (i + 1) % SWITCHES);
}

/* The graph of dependencies, walked: lanes for each link of a way, straight and by way of others.
 */
Test(graph, lanes_for_each_link_wait_in_no_circle)
{
    const swq_routing *const routings[] = {NULL, &swq_routing_valiant};
    char text[4096];
    int d[SWITCHES][SWITCHES];

    for (int turn = 0; turn < 6; turn++) {
        swq_graph g;
        if (turn)
            draw_graph(text, sizeof text, d);
        else
            draw_ring(text, sizeof text);
        cr_assert_eq(read_text(text, &g), SWQ_OK);
        for (int r = 0; r < 2; r++) {
            swq_async n = swq_async_defaults();
            swq_sender_group group;
            uint32_t nodes;
            n.shape = (swq_shape){.kind = &swq_fabric_graph, .graph = &g, .routing = routings[r]};
            n.architecture.row = &swq_wormhole_lanes;
            n.link.rest = 0;
            group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.1,
                                             (swq_spread){.kind = SWQ_CONSTANT, .first = 32});
            n.traffic.group = &group;
            n.traffic.groups = 1;
            n.architecture.lanes.choice = &swq_lane_choice_phase;
            n.architecture.lanes.count = (r + 1) * (g.longest - 1);
            cr_assert_leq(n.architecture.lanes.count, 32);
            cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
            cr_assert_not(swq_async_may_deadlock(&n));
            n.architecture.lanes.count--;
            cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
            cr_assert(strstr(swq_context_message(ctx), "lanes must be at least"));
        }
        swq_graph_clear(ctx, &g);
    }
}

/* ---- formats and errors ---- */

Test(graph, anynet_is_read_with_names_quotes_and_missing_weights)
{
    swq_graph g;

    cr_assert_eq(read_text("router 0 node 0 router 1 router \"2\" 1\n"
                           "router 1 node 1 router 0 router 2\n"
                           "node 2 router 2\n"
                           "router 10 router 2 node 3\n",
                           &g),
                 SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(g.nodes, 4);
    cr_assert_eq(g.switches, 4);
    cr_assert_eq(g.links, 4); /* each once, though three are in the lines of both ends */
    cr_assert_eq(g.entry[3] / (uint32_t)g.ports, 3); /* names that are numbers are in order */
    cr_assert_eq(g.longest, 3);
    swq_graph_clear(ctx, &g);
}

Test(graph, routes_of_a_file_take_the_place_of_the_shortest)
{
    static const char ring[] = "host h0 a\nhost h1 b\nhost h2 c\nlink a:1 b:1\nlink b:2 c:2\n"
                               "link c:1 a:2\n";
    char text[400];
    swq_graph g;

    cr_assert_eq(read_text(ring, &g), SWQ_OK);
    cr_assert_eq(g.longest, 2);
    swq_graph_clear(ctx, &g);
    snprintf(text, sizeof text, "%sroute a h1 2\n", ring); /* the long way round */
    cr_assert_eq(read_text(text, &g), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(g.longest, 3);
    cr_assert_eq(g.next[0 * g.columns + 1], 2);
    swq_graph_clear(ctx, &g);
    snprintf(text, sizeof text, "%sroutes a - 2 -\n", ring);
    cr_assert_eq(read_text(text, &g), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(g.longest, 3);
    swq_graph_clear(ctx, &g);
}

/* ---- many ports ---- */

enum { HOSTS_EACH = 18, LINKS = 6 };

/* Three switches in a triangle of double links, at ports from `first` on. */
static void draw_triangle(char *text, size_t size, int first)
{
    size_t used = 0;

    for (int sw = 0; sw < 3; sw++) {
        for (int k = 0; k < HOSTS_EACH; k++)
            used += (size_t)snprintf(text + used, size - used, "host h%d-%d s%d:%d\n", sw, k, sw,
                                     first + k);
    }
    for (int k = 0; k < LINKS; k++)
        used += (size_t)snprintf(text + used, size - used, "link s%d:%d s%d:%d\n", k % 3,
                                 first + HOSTS_EACH + k / 3, (k + 1) % 3,
                                 first + HOSTS_EACH + 2 + k / 3);
}

static void run_triangle(int first, bool valiant, int length, swq_sim_result *result)
{
    static char text[6000];
    swq_sim_options options = swq_sim_defaults();
    swq_async n = swq_async_defaults();
    swq_async_result r;
    swq_graph g;

    draw_triangle(text, sizeof text, first);
    cr_assert_eq(read_text(text, &g), SWQ_OK, "%s", swq_context_message(ctx));
    n.shape = (swq_shape){
        .kind = &swq_fabric_graph, .graph = &g, .routing = valiant ? &swq_routing_valiant : NULL};
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = 4;
    n.packet.max = length;
    n.link.rest = 0;
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.2, (swq_spread){SWQ_CONSTANT, length, 0});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    options.warmup = 100;
    options.cycles = 1500;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(r.sim.conserved, "%d", first);
    cr_assert_gt(r.sim.all.delivered, 500, "%d, %d: %llu", first, length,
                 (unsigned long long)r.sim.all.delivered);
    *result = r.sim;
    result->cpu_seconds = result->wall_seconds = result->bytes = 0;
    swq_graph_clear(ctx, &g);
}

/* The first ports of a switch and any others give the same numbers, also if they are in two words
 * of a set of ports or the last of all: only the order of ports matters. */
Test(graph, numbers_do_not_depend_on_which_ports_are_used)
{
    for (int k = 0; k < 4; k++) {
        static const int first[] = {21, 64 - HOSTS_EACH - 4, 61, 126, 255 - HOSTS_EACH - 4};
        const bool valiant = k & 1;
        const int length = k & 2 ? 7 : 1;
        swq_sim_result low, high;
        run_triangle(0, valiant, length, &low);
        for (size_t f = 0; f < sizeof first / sizeof *first; f++) {
            run_triangle(first[f], valiant, length, &high);
            cr_assert_eq(memcmp(&low, &high, sizeof low), 0, "case %d, from port %d on", k,
                         first[f]);
        }
    }
}

/* ---- refusals ---- */

Test(graph, what_is_wrong_is_named)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no line"},
        {"swich a\n", "line 1: a line begins with switch"},
        {"host h a\n", "at least 2 nodes"},
        {"host h a\nhost h b\n", "line 2: host h is at a switch already"},
        {"host h a\nhost i b\n", "no way leads"},
        {"host h a\nlink a a\n", "line 2: a link must lead to another switch"},
        {"host h a:0\nhost i b\nlink a:0 b\n", "line 3: port 0 is used twice"},
        {"host h a:255\n", "line 1: the port in 'a:255' must be 0 to 254"},
        {"host h a\nhost i b\nlink a b speed=1\nlink a b speed=2000\n",
         "line 1: a link has at least 1/1024 of the fastest"},
        {"host h a\nhost i b\nlink a b delay=0\n", "line 3: speed=NUMBER or delay=NUMBER"},
        {"host h a\nhost i b\nlink a b colour=3\n", "no 'colour'"},
        {"host h a\nhost i b\nlink a b delay=2 delay=2\n", "line 3: 'delay' stands twice"},
        {"host h a speed=2 speed=3\n", "line 1: 'speed' stands twice"},
        {"host h a\nhost i b\nlink a b\nroute a j 1\n", "line 4: host j is not known"},
        {"host h a\nhost i b\nlink a b\nroute a i 9\n",
         "line 4: port 9 of this switch has no link"},
        {"host h a\nhost i b\nlink a b\nroute b i 1\n", "needs no route"},
        {"host h a\nhost i b\nlink a b\nlink b c\nroute b h 2\nroute c h 0\n", "in a circle"},
        {"host h a\nhost i b\nlink a b\nroutes a -\n", "line 4: the port"},
        {"host \"h a\n", "quotation mark"},
        {"router 0 node 0 router\n", "the router's name is missing"},
        {"router 0 node 0 router 1 5\nrouter 1 node 1 router 0 6\n", "delay 6, and 5 in line 1"},
        {"host h a\nhost i b delay=1.5\nlink a b delay=2\n", "line 2: where delays differ, they"},
        {"host h a\nhost i b\nlink a b delay=1025\n", "line 3: where delays differ, they"},
        {"router 0 node 0\nrouter 1 node 0\n", "line 2: a node of this line is at another router"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_graph g;
        cr_expect_eq(read_text(cases[k].text, &g), SWQ_EINVAL, "%s", cases[k].text);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s: %s", cases[k].text,
                  swq_context_message(ctx));
    }
}

Test(graph, too_many_ports_and_too_little_memory_are_refused)
{
    char text[4096];
    size_t used = 0;
    swq_graph g;

    for (int k = 0; k < 256; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "host h%d a\n", k);
    cr_assert_eq(read_text(text, &g), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "at most 255 links and nodes"));
    for (int k = 0; k < 400; k++) {
        swq_context_fail_allocations(ctx, (size_t)k, true);
        const swq_status status = read_text("host h a\nhost i b\nlink a b\nroutes a - 1\n", &g);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%d: %s", k, swq_context_message(ctx));
        if (!status) {
            swq_graph_clear(ctx, &g);
            break;
        }
        cr_assert_lt(k, 399);
    }
}
