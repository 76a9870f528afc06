/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delays and speeds of single links, which a file gives. The wire of a link without a delay in the
 * file takes one of the cycles of the hop delay, so that a delay of D adds D - 1. The fastest links
 * carry a byte a cycle.
 */
#include "sim/frame/timings.h"

#include "switchq/graph.h"

bool swq_links_unlike(const swq_async *spec)
{
    const swq_graph *g = spec->shape.graph;

    return g && (g->delay != 1 || g->speed_of) && !spec->architecture.row->async.lanes;
}

static uint32_t delay_of(const swq_graph *g, uint32_t port)
{
    return g->delays ? g->delays[port] : (uint32_t)g->delay;
}

/* The timing of the link at a port that has one. */
static swq_timing timing_of(const swq_async *spec, uint32_t port)
{
    const swq_graph *g = spec->shape.graph;
    swq_timing t = {1, 1, (uint32_t)spec->link.hop_delay + delay_of(g, port) - 1,
                    (uint32_t)spec->link.rest};

    if (g->speed_of) {
        t.bytes = g->speed[g->speed_of[port]].flits;
        t.per = g->speed[g->speed_of[port]].cycles;
    }
    return t;
}

uint32_t swq_links_longest(const swq_async *spec)
{
    const swq_graph *g = spec->shape.graph;
    const uint32_t busy = (uint32_t)(spec->packet.max + spec->link.rest);
    uint32_t longest = 0;

    if (!swq_links_unlike(spec))
        return 0;
    for (uint32_t port = 0; port < g->switches * (uint32_t)g->ports; port++) {
        if (g->link[port] == SWQ_NO_WHERE)
            continue;
        const swq_timing t = timing_of(spec, port);
        const uint32_t cycles =
            t.delay - (uint32_t)spec->link.hop_delay + swq_timing_cycles(&t, busy) - busy;
        longest = cycles > longest ? cycles : longest;
    }
    return longest;
}

void swq_links_fill(swq_async_net *net)
{
    for (uint32_t port = 0; net->link_timing && port < net->inputs; port++) {
        if (net->fabric->link[port] != SWQ_NO_WHERE)
            net->link_timing[port] = timing_of(net->spec, port);
    }
}
