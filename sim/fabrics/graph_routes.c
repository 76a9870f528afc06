/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routes of a graph: a shortest way to each destination (shortest.h), in place of which the file
 * may name others; or those of a table (graph_table.c).
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/graph_plan.h"
#include "sim/fabrics/shortest.h"

#include <inttypes.h>
#include <string.h>

static bool has_nodes(const swq_graph *g, uint32_t w)
{
    for (uint32_t port = w * (uint32_t)g->ports; port < (w + 1) * (uint32_t)g->ports; port++) {
        if (g->link[port] != SWQ_NO_WHERE && g->link[port] & SWQ_TO_NODE)
            return true;
    }
    return false;
}

/* The output of packets at a switch for all nodes of another one. */
static void set_columns(swq_graph *g, uint32_t at, uint32_t to, uint8_t output)
{
    const uint32_t first = to * (uint32_t)g->ports;

    for (uint32_t port = first; port < first + (uint32_t)g->ports; port++) {
        if (g->link[port] != SWQ_NO_WHERE && g->link[port] & SWQ_TO_NODE)
            g->next[(size_t)at * g->columns + g->column[g->link[port] & ~SWQ_TO_NODE]] = output;
    }
}

static swq_status find_shortest(graph_plan *p, swq_graph *g, swq_ways *ways)
{
    swq_context *ctx = p->lines->ctx;

    for (uint32_t to = 0; to < g->switches; to++) {
        if (!has_nodes(g, to))
            continue;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        swq_ways_find(ways, to);
        for (uint32_t at = 0; at < g->switches; at++) {
            const uint8_t output = swq_ways_output(ways, at, to);
            if (ways->distance[at] == SWQ_FAR && has_nodes(g, at))
                return swq_fail(
                    ctx, SWQ_EINVAL,
                    "%s: no way leads from the hosts of switch %s to those of switch %s", g->name,
                    graph_name_of(p, false, at), graph_name_of(p, false, to));
            set_columns(g, at, to, output);
        }
    }
    return SWQ_OK;
}

/* The set of ports of entry k of a line. */
static graph_ways ways_of(const graph_route *r, uint32_t k)
{
    graph_ways ways = {0};

    if (r->ways)
        ways = r->ways[k];
    if (!swq_port_set_any(ways.word, SWQ_PORT_SET_WIDE))
        swq_port_set_put(ways.word, r->port[k], true, SWQ_PORT_SET_WIDE);
    return ways;
}

/* One of a set of ports that has no link to a switch; -1: none. */
static int no_link(const swq_graph *g, uint32_t at, const graph_ways *ways)
{
    const uint32_t ports = (uint32_t)g->ports;
    uint32_t port;

    SWQ_EACH_PORT (port, ways->word, SWQ_PORT_SET_WIDE) {
        if (port >= ports || g->link[at * ports + port] & SWQ_TO_NODE)
            return (int)port;
    }
    return -1;
}

/* Routes of one line: `count` nodes from `node` on. */
static swq_status set_route(graph_plan *p, swq_graph *g, const graph_route *r)
{
    const size_t words = (size_t)swq_port_set_words(g->ports);

    for (uint32_t k = 0; k < r->count; k++) {
        const uint32_t node = r->node + k, ports = (uint32_t)g->ports;
        const size_t entry = (size_t)r->at * g->columns + g->column[node];
        const char *path = p->table ? p->table : g->name;
        const uint8_t port = r->port[k];
        if (port == SWQ_UNUSED)
            continue;
        if (g->entry[node] / ports == r->at)
            return swq_fail(p->lines->ctx, SWQ_EINVAL,
                            "%s, line %" PRId64 ": host %" PRIu32
                            " is at this switch, and needs no "
                            "route",
                            path, r->line, node);
        const graph_ways ways = ways_of(r, k);
        const int wrong = no_link(g, r->at, &ways);
        if (wrong >= 0)
            return swq_fail(p->lines->ctx, SWQ_EINVAL,
                            "%s, line %" PRId64 ": port %d of this switch has no link to a switch",
                            path, r->line, wrong);
        g->next[entry] = port;
        if (g->part)
            g->part[entry] = r->part ? r->part[k] : 0;
        if (g->several)
            memcpy(g->ways + entry * words, ways.word, words * sizeof *g->ways);
    }
    return SWQ_OK;
}

static swq_status set_routes(graph_plan *p, swq_graph *g)
{
    swq_status status = SWQ_OK;

    for (uint32_t k = 0; k < p->routes && !status; k++)
        status = set_route(p, g, &p->route[k]);
    return status;
}

/* Walks from all switches with nodes to all columns, and keeps the longest way. */
static swq_status measure(const graph_plan *p, swq_graph *g, uint32_t to, uint32_t column)
{
    for (uint32_t from = 0; from < g->switches; from++) {
        uint32_t at = from, entered = 1;
        if (!has_nodes(g, from))
            continue;
        while (at != to) {
            const uint8_t output = g->next[(size_t)at * g->columns + column];
            if (++entered > g->switches)
                return swq_fail(p->lines->ctx, SWQ_EINVAL,
                                "%s: the routes from switch %s to the hosts of switch %s lead in a "
                                "circle",
                                g->name, graph_name_of(p, false, from),
                                graph_name_of(p, false, to));
            at = g->link[at * (uint32_t)g->ports + output] / (uint32_t)g->ports;
        }
        if ((int)entered > g->longest)
            g->longest = (int)entered;
    }
    return SWQ_OK;
}

swq_status graph_find_routes(graph_plan *p, swq_graph *g)
{
    swq_context *ctx = p->lines->ctx;
    swq_ways ways = {.switches = g->switches, .ports = (uint32_t)g->ports, .link = g->link};
    swq_status status = SWQ_OK;

    memset(g->next, SWQ_UNUSED, (size_t)g->switches * g->columns);
    if (p->table) {
        status = set_routes(p, g);
        return status ? status : graph_check_table(p, g);
    }
    status = swq_ways_begin(ctx, &ways);
    if (!status)
        status = find_shortest(p, g, &ways);
    if (!status)
        status = set_routes(p, g);
    for (uint32_t n = 0; n < g->nodes && !status; n++) {
        const uint32_t to = g->entry[n] / (uint32_t)g->ports;
        if (n == 0 || p->routes || to != g->entry[n - 1] / (uint32_t)g->ports)
            status = measure(p, g, to, g->column[n]);
    }
    swq_ways_clear(ctx, &ways);
    return status;
}
