/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks from files: what is read is a network, in which every route ends; and so are the routes
 * of a table.
 */
#include "switchq/graph.h"
#include "sim/datacentre/graph.h"
#include "sim/fabrics/fabrics.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>

enum { MEGABYTES = 64, MOST_NODES = 200 };

/* From each switch that has a way to a host, every choice leads to it. */
static void walk(const swq_dc_graph *g, uint32_t to)
{
    for (uint32_t from = 0; from < g->hosts; from++) {
        uint32_t w = dc_switch_of(g, from), steps = 0;
        for (; w != dc_switch_of(g, to); steps++) {
            const uint8_t *way = dc_ways(g, w, to);
            const uint32_t port = g->first[w] + way[1 + (from + steps) % (way[0] + 1u)];
            assert(port < g->first[w + 1] && steps < g->switches);
            w = g->of[g->to[port]];
        }
    }
}

static void read_datacentre(swq_context *ctx)
{
    swq_dc_graph *g = NULL;

    if (swq_dc_graph_read(ctx, "graph.txt", UINT64_C(10000000000), 0, &g))
        return;
    for (uint32_t h = 0; h < g->hosts && g->hosts <= MOST_NODES; h++)
        walk(g, h);
    swq_dc_graph_free(ctx, g);
}

/* The same bytes as a table of routes for a ring. */
static void read_table(swq_context *ctx)
{
    static const char ring[] = "host a A\nhost b B\nhost c C\nlink A B\nlink B C\nlink C A\n";
    swq_graph g;
    swq_fabric f;

    fuzz_file("ring.txt", (const uint8_t *)ring, sizeof ring - 1);
    if (swq_graph_read_table(ctx, "ring.txt", "graph.txt", &g))
        return;
    const swq_shape shape = {.kind = &swq_fabric_graph, .graph = &g, .drawn_ways = g.several};
    if (!swq_fabric_make(ctx, &shape, &f)) {
        swq_fabric_loads loads;
        assert(g.longest <= 3);
        if (!g.several) {
            const swq_status status = swq_fabric_enumerate(ctx, &f, NULL, &loads);
            assert(status == SWQ_OK && loads.mean_entered <= g.longest);
        }
        swq_fabric_clear(ctx, &f);
    }
    swq_graph_clear(ctx, &g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    swq_context *ctx = swq_context_new();
    swq_graph graph;

    fuzz_file("graph.txt", data, size);
    swq_context_limit_memory(ctx, (size_t)MEGABYTES << 20);
    if (!swq_graph_read(ctx, "graph.txt", NULL, &graph)) {
        const swq_shape shape = {.kind = &swq_fabric_graph, .graph = &graph};
        swq_fabric_loads loads;
        swq_fabric f;
        assert(graph.nodes >= 2 && graph.ports <= SWQ_MOST_TABLE_PORTS);
        if (graph.nodes <= MOST_NODES && !swq_fabric_make(ctx, &shape, &f)) {
            const swq_status status = swq_fabric_enumerate(ctx, &f, NULL, &loads);
            assert(status == SWQ_OK && loads.mean_entered <= graph.longest);
            swq_fabric_clear(ctx, &f);
        }
        swq_graph_clear(ctx, &graph);
    }
    read_datacentre(ctx);
    read_table(ctx);
    assert(swq_context_live_blocks(ctx) == 0);
    swq_context_free(ctx);
    return 0;
}
