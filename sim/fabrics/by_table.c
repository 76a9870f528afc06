/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fabrics that are known by their links alone: ports, classes, and routes from a table of shortest
 * ways.
 */
#include "sim/fabrics/by_table.h"
#include "base/context.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/galois.h"
#include "sim/fabrics/shortest.h"

#include <string.h>

/* ---- sizes ---- */

swq_status swq_check_order(swq_context *ctx, const char *topology, int q, int least, int most,
                           int links)
{
    char nearest[40];

    galois_nearest(q, least, most, nearest, sizeof nearest);
    if (!galois_exists(q))
        return swq_fail(ctx, SWQ_EINVAL,
                        "order of topology %s must be a power of a prime, such as %s, not %d",
                        topology, nearest, q);
    if (q > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "order of topology %s must be at most %d, not %d: the table of routes of "
                        "routers of %d links would be too large",
                        topology, most, q, links);
    return SWQ_OK;
}

/* ---- wiring ---- */

static void wire_port(swq_fabric *f, uint32_t port, uint32_t end, int level)
{
    f->link[port] = end;
    f->in_level[port] = f->out_level[port] = (uint8_t)level;
}

void swq_wire_nodes(swq_fabric *f, uint32_t router, int level)
{
    for (uint32_t k = 0; k < f->nodes_at_switch; k++) {
        const uint32_t node = router * f->nodes_at_switch + k;
        f->entry[node] = swq_first_port(f, router) + k;
        wire_port(f, f->entry[node], SWQ_TO_NODE | node, level);
    }
}

static uint32_t free_port(const swq_fabric *f, uint32_t router)
{
    uint32_t port = swq_first_port(f, router);

    while (f->link[port] != SWQ_NO_WHERE)
        port++;
    return port;
}

void swq_wire_link(swq_fabric *f, uint32_t a, uint32_t b, int level)
{
    const uint32_t from = free_port(f, a), to = free_port(f, b);

    wire_port(f, from, to, level);
    wire_port(f, to, from, level);
}

void swq_wire_all_classes(swq_fabric *f)
{
    const uint32_t ports = (uint32_t)f->ports;

    for (uint32_t first = 0; first < f->switches * ports; first += ports) {
        for (uint32_t in = first; in < first + ports; in++) {
            const bool from_node = f->link[in] != SWQ_NO_WHERE && f->link[in] & SWQ_TO_NODE;
            for (uint32_t out = 0; out < ports && f->in_level[in] != SWQ_UNUSED; out++) {
                if (f->link[first + out] != SWQ_NO_WHERE && !(from_node && first + out == in))
                    swq_outputs_of(f, in)[out] = (uint8_t)out;
            }
        }
    }
}

swq_status swq_table_fill(swq_context *ctx, swq_fabric *f)
{
    const uint32_t columns = swq_table_columns(f);
    swq_ways ways = {.switches = f->switches, .ports = (uint32_t)f->ports, .link = f->link};
    swq_status status = swq_ways_begin(ctx, &ways);

    for (uint32_t to = 0; to < columns && !status; to++) {
        if (swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        swq_ways_find(&ways, to);
        for (uint32_t at = 0; at < f->switches; at++)
            f->next[(size_t)at * columns + to] = swq_ways_output(&ways, at, to);
    }
    swq_ways_clear(ctx, &ways);
    return status;
}

/* The ways of a graph's table. */
static void take_ways(swq_fabric *f, const swq_graph *g)
{
    const size_t entries = (size_t)g->switches * g->columns, words = (size_t)f->set_words;

    if (g->several) {
        memcpy(f->ways, g->ways, entries * words * sizeof *f->ways);
        return;
    }
    for (size_t k = 0; k < entries; k++) {
        if (g->next[k] != SWQ_UNUSED)
            swq_port_set_put(f->ways + k * words, g->next[k], true, f->set_words);
    }
}

swq_status swq_ways_fill(swq_context *ctx, swq_fabric *f)
{
    swq_ways ways = {.switches = f->switches, .ports = (uint32_t)f->ports, .link = f->link};

    f->way_columns = swq_way_columns(f);
    if (f->shape.graph && f->shape.graph->table) {
        take_ways(f, f->shape.graph);
        return SWQ_OK;
    }
    swq_status status = swq_ways_begin(ctx, &ways);
    for (uint32_t to = 0; to < f->way_columns && !status; to++) {
        if (swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        swq_ways_find(&ways, to);
        for (uint32_t at = 0; at < f->switches; at++)
            swq_ways_outputs(&ways, at, swq_ways_of(f, at, to));
    }
    swq_ways_clear(ctx, &ways);
    return status;
}

/* ---- ways ---- */

static uint32_t router_of(const swq_fabric *f, uint32_t node)
{
    return node / f->nodes_at_switch;
}

int swq_table_route(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const uint32_t at = port / (uint32_t)f->ports, end = router_of(f, to);

    (void)from;
    return (int)(at == end ? to % f->nodes_at_switch
                           : f->next[(size_t)at * swq_table_columns(f) + end]);
}

uint32_t swq_other_routers(const swq_fabric *f, uint32_t from, uint32_t to)
{
    return router_of(f, from) == router_of(f, to) ? 0 : f->nodes / f->nodes_at_switch - 2;
}

uint32_t swq_other_router(const swq_fabric *f, uint32_t from, uint32_t to, uint32_t number)
{
    const uint32_t a = router_of(f, from), b = router_of(f, to);
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;

    number += number >= low;
    number += number >= high;
    return number * f->nodes_at_switch;
}

bool swq_at_router(const swq_fabric *f, uint32_t port, uint32_t node)
{
    return port / (uint32_t)f->ports == router_of(f, node);
}

int swq_phase_of_link(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    const int last = f->shape.kind->phases(&f->shape) - 1, taken = p->hops - 1;

    (void)port;
    return taken < 0 ? 0 : taken < last ? taken : last;
}
