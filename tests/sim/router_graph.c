/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/sim/router_graph.h"
#include "switchq/graph.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

router_graph router_graph_of(const swq_fabric *f, const char *what)
{
    router_graph g = {.routers = (int)f->switches};
    const uint32_t ports = (uint32_t)f->ports;

    g.linked = calloc((size_t)f->switches * f->switches, 1);
    cr_assert_not_null(g.linked);
    for (uint32_t port = 0; port < f->switches * ports; port++) {
        const uint32_t end = f->link[port];
        if (end & SWQ_TO_NODE)
            continue;
        cr_assert_eq(f->link[end], port, "%s: no link back from port %u", what, end);
        g.linked[port / ports * f->switches + end / ports]++;
    }
    return g;
}

void router_graph_clear(router_graph *g)
{
    free(g->linked);
    g->linked = NULL;
}

static int linked(const router_graph *g, int a, int b)
{
    return g->linked[(size_t)a * (size_t)g->routers + (size_t)b];
}

int router_links(const router_graph *g, int router)
{
    int links = 0;

    for (int other = 0; other < g->routers; other++)
        links += linked(g, router, other);
    return links;
}

/* Rounds over the matrix: after round k those at distance k are known. */
static void measure(const router_graph *g, int from, int *distance)
{
    bool more = true;

    for (int k = 0; k < g->routers; k++)
        distance[k] = k == from ? 0 : -1;
    for (int round = 1; more; round++) {
        more = false;
        for (int a = 0; a < g->routers; a++) {
            for (int b = 0; b < g->routers && distance[a] == round - 1; b++) {
                if (distance[b] < 0 && linked(g, a, b)) {
                    distance[b] = round;
                    more = true;
                }
            }
        }
    }
}

router_distances router_graph_distances(const router_graph *g, int ends)
{
    int *distance = calloc((size_t)g->routers, sizeof *distance);
    router_distances all = {0};

    for (int from = 0; from < ends; from++) {
        measure(g, from, distance);
        for (int to = 0; to < ends; to++) {
            cr_assert_geq(distance[to], 0);
            all.most = distance[to] > all.most ? distance[to] : all.most;
            all.mean += distance[to];
        }
    }
    all.mean /= (double)ends * (ends - 1);
    free(distance);
    return all;
}

void router_graph_common(const router_graph *g, int links, int most, int *count)
{
    memset(count, 0, (size_t)most * sizeof *count);
    for (int a = 0; a < g->routers; a++) {
        for (int b = a + 1; b < g->routers; b++) {
            int common = 0;
            cr_assert_leq(linked(g, a, b), 1);
            for (int c = 0; c < g->routers; c++)
                common += linked(g, a, c) && linked(g, c, b);
            cr_assert_lt(common, most);
            count[common] += linked(g, a, b) == links;
        }
    }
}

/* ---- routes ---- */

void expect_same_routes(const swq_fabric *f, const swq_fabric *g, const char *what)
{
    for (uint32_t from = 0; from < f->nodes; from++) {
        for (uint32_t to = 0; to < f->nodes; to++) {
            uint32_t port = f->entry[from];
            while (from != to && !(port & SWQ_TO_NODE)) {
                const uint32_t first = port - port % (uint32_t)f->ports;
                const int a = f->shape.kind->route(f, port, from, to);
                const int b = g->shape.kind->route(g, port, from, to);
                const uint8_t out = f->output[(size_t)port * (size_t)f->classes + (size_t)a];
                cr_assert_eq(out, g->output[(size_t)port * (size_t)g->classes + (size_t)b],
                             "%s: from %u to %u", what, from, to);
                port = f->link[first + out];
            }
        }
    }
}

/* ---- networks with lanes ---- */

/* Lends `group` to the network. */
static swq_async with_lanes(const swq_shape *shape, int lanes, swq_sender_group *group)
{
    swq_async n = swq_async_defaults();

    n.shape = *shape;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = lanes;
    n.link.rest = 0;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.1,
                                      (swq_spread){.kind = SWQ_CONSTANT, .first = 4});
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

bool lanes_may_deadlock(swq_context *ctx, const swq_shape *shape, const swq_routing *routing,
                        const swq_lane_choice *choice, int lanes)
{
    swq_sender_group group;
    swq_async n = with_lanes(shape, lanes, &group);
    uint32_t nodes;

    n.shape.routing = routing;
    n.architecture.lanes.choice = choice;
    cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
    return swq_async_may_deadlock(&n);
}

static swq_async_result run(const swq_shape *shape, const swq_lane_choice *choice, int lanes)
{
    const swq_sim_options options = run_of(1, 1, 100, 1500);
    swq_sender_group group;
    swq_async n = with_lanes(shape, lanes, &group);

    n.architecture.lanes.choice = choice;
    return run_async(&n, &options, NULL);
}

void expect_run_of_file(swq_context *ctx, const swq_shape *shape, const swq_lane_choice *choice,
                        int lanes)
{
    char path[] = "/tmp/switchq-routers-XXXXXX";
    const int file = mkstemp(path);
    swq_fabric f;
    swq_graph g;

    cr_assert_geq(file, 0);
    close(file);
    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK);
    cr_assert_eq(swq_graph_write(ctx, &f, path), SWQ_OK, "%s", swq_context_message(ctx));
    swq_fabric_clear(ctx, &f);
    cr_assert_eq(swq_graph_read(ctx, path, NULL, &g), SWQ_OK, "%s", swq_context_message(ctx));
    remove(path);
    const swq_shape read = {.kind = &swq_fabric_graph, .graph = &g};
    const swq_async_result a = run(shape, choice, lanes), b = run(&read, choice, lanes);
    cr_expect_gt(a.sim.total_delivered, 100);
    cr_expect_eq(a.sim.total_delivered, b.sim.total_delivered);
    cr_expect_eq(a.sim.all.throughput.mean, b.sim.all.throughput.mean);
    cr_expect_eq(a.sim.all.latency.mean, b.sim.all.latency.mean);
    swq_graph_clear(ctx, &g);
}
