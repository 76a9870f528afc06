/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of files, which graph_file.c reads.
 */
#include "base/context.h"
#include "sim/datacentre/topologies.h"

#include <stdio.h>

static swq_status check(swq_context *ctx, const swq_dc *dc)
{
    if (!dc->network.graph)
        return swq_fail(ctx, SWQ_EINVAL, "topology graph needs a graph");
    return SWQ_OK;
}

static void says(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT])
{
    const swq_dc_graph *g = dc->network.graph;
    char rate[SWQ_UNITS_TEXT];

    snprintf(text, SWQ_DC_TOPOLOGY_TEXT,
             "network of a file: %u switch%s, %u hosts; lines whose rate or delay is not said "
             "there have %s",
             g->switches, g->switches == 1 ? "" : "es", g->hosts,
             swq_units_text(SWQ_UNITS_RATE, dc->rate, rate));
}

const dc_topology dc_of_file = {
    .row = {.name = "graph", .summary = "the network of a file (docs/graphs.md)", .file = true},
    .check = check,
    .says = says,
};
