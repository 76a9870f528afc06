/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delays of single links, which a file gives. The wire of a link without a delay in the file takes
 * one of the cycles of the hop delay, so that a delay of D adds D - 1.
 */
#include "sim/frame/timings.h"

#include "switchq/graph.h"

bool swq_links_unlike(const swq_async *spec)
{
    const swq_graph *g = spec->shape.graph;

    return g && g->delay != 1 && !spec->architecture.row->async.lanes;
}

static uint32_t delay_of(const swq_graph *g, uint32_t port)
{
    return g->delays ? g->delays[port] : (uint32_t)g->delay;
}

uint32_t swq_links_longest(const swq_async *spec)
{
    const swq_graph *g = spec->shape.graph;
    uint32_t longest = 1;

    if (!swq_links_unlike(spec))
        return 0;
    for (uint32_t port = 0; port < g->switches * (uint32_t)g->ports; port++)
        longest = delay_of(g, port) > longest ? delay_of(g, port) : longest;
    return longest - 1;
}

void swq_links_fill(swq_async_net *net)
{
    const swq_graph *g = net->spec->shape.graph;

    for (uint32_t port = 0; net->link_timing && port < net->inputs; port++) {
        net->link_timing[port] = net->timing[net->output_stores];
        if (net->fabric->link[port] != SWQ_NO_WHERE)
            net->link_timing[port].delay += delay_of(g, port) - 1;
    }
}
