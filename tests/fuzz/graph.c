/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks from files: what is read is a network, in which every route ends.
 */
#include "switchq/graph.h"
#include "sim/fabrics/fabrics.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>

enum { MEGABYTES = 64, MOST_NODES = 200 };

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
    assert(swq_context_live_blocks(ctx) == 0);
    swq_context_free(ctx);
    return 0;
}
