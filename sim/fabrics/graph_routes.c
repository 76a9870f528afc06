/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routes of a graph: shortest ways by breadth-first search from every switch, one for each
 * destination, in place of which the file may name others. Of n outputs with shortest ways to
 * switch number d, the one of place d modulo n is taken, so that ways are spread over equal links.
 */
#include "base/arrays.h"
#include "base/context.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/graph_plan.h"

#include <inttypes.h>
#include <string.h>

#define FAR UINT32_MAX

/* What a search needs. */
typedef struct {
    uint32_t *back;     /* [switches * ports] the output that leads to an input port */
    uint32_t *distance; /* [switches] to the switch that is looked for, in links; FAR: no way */
    uint32_t *list;     /* [switches] in the order of their distance */
} way_search;

/* From the switch `to` backwards over the links. */
static void find_distances(const swq_graph *g, uint32_t to, way_search *s)
{
    const uint32_t ports = (uint32_t)g->ports;
    uint32_t count = 1;

    for (uint32_t w = 0; w < g->switches; w++)
        s->distance[w] = FAR;
    s->distance[to] = 0;
    s->list[0] = to;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t in = s->list[k] * ports; in < (s->list[k] + 1) * ports; in++) {
            if (s->back[in] == SWQ_NO_WHERE)
                continue;
            const uint32_t other = s->back[in] / ports;
            if (s->distance[other] != FAR)
                continue;
            s->distance[other] = s->distance[s->list[k]] + 1;
            s->list[count++] = other;
        }
    }
}

/* The output of packets at a switch for a switch at such distances. */
static uint8_t output_of(const swq_graph *g, uint32_t at, uint32_t to, const uint32_t *distance)
{
    uint8_t output[SWQ_MAX_FABRIC_PORTS];
    uint32_t count = 0;

    for (uint32_t port = 0; port < (uint32_t)g->ports; port++) {
        const uint32_t end = g->link[at * (uint32_t)g->ports + port];
        if (!(end & SWQ_TO_NODE) && distance[at] != FAR && distance[at] > 0 &&
            distance[end / (uint32_t)g->ports] == distance[at] - 1)
            output[count++] = (uint8_t)port;
    }
    return count ? output[to % count] : SWQ_UNUSED;
}

static bool has_nodes(const swq_graph *g, uint32_t w)
{
    for (uint32_t port = w * (uint32_t)g->ports; port < (w + 1) * (uint32_t)g->ports; port++) {
        if (g->link[port] != SWQ_NO_WHERE && g->link[port] & SWQ_TO_NODE)
            return true;
    }
    return false;
}

/* The name of a switch in the file. */
static const char *name_of(const graph_plan *p, uint32_t number)
{
    for (uint32_t k = 0; k < p->names_count; k++) {
        if (!p->names[k]->node && p->names[k]->number == number)
            return p->names[k]->name;
    }
    return "?";
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

static swq_status find_shortest(graph_plan *p, swq_graph *g, way_search *s)
{
    swq_context *ctx = p->lines->ctx;

    for (uint32_t to = 0; to < g->switches; to++) {
        if (!has_nodes(g, to))
            continue;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        find_distances(g, to, s);
        for (uint32_t at = 0; at < g->switches; at++) {
            const uint8_t output = output_of(g, at, to, s->distance);
            if (s->distance[at] == FAR && has_nodes(g, at))
                return swq_fail(
                    ctx, SWQ_EINVAL,
                    "%s: no way leads from the hosts of switch %s to those of switch %s", g->name,
                    name_of(p, at), name_of(p, to));
            set_columns(g, at, to, output);
        }
    }
    return SWQ_OK;
}

/* Routes of one line: `count` nodes from `node` on. */
static swq_status set_route(graph_plan *p, swq_graph *g, const graph_route *r)
{
    for (uint32_t k = 0; k < r->count; k++) {
        const uint32_t node = r->node + k, ports = (uint32_t)g->ports;
        const uint8_t port = r->port[k];
        if (port == SWQ_UNUSED)
            continue;
        if (g->entry[node] / ports == r->at)
            return swq_fail(p->lines->ctx, SWQ_EINVAL,
                            "%s, line %" PRId64 ": host %" PRIu32
                            " is at this switch, and needs no "
                            "route",
                            g->name, r->line, node);
        if (port >= ports || g->link[r->at * ports + port] & SWQ_TO_NODE)
            return swq_fail(p->lines->ctx, SWQ_EINVAL,
                            "%s, line %" PRId64 ": port %d of this switch has no link to a switch",
                            g->name, r->line, port);
        g->next[(size_t)r->at * g->columns + g->column[node]] = port;
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
                                g->name, name_of(p, from), name_of(p, to));
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
    const uint32_t ports = g->switches * (uint32_t)g->ports;
    way_search s = {0};
    swq_arrays all = {0};

    SWQ_ARRAY(&all, s.back, ports);
    SWQ_ARRAY(&all, s.distance, g->switches);
    SWQ_ARRAY(&all, s.list, g->switches);
    swq_status status = swq_arrays_take(ctx, &all);
    if (status) {
        swq_arrays_free(ctx, &all);
        return status;
    }
    memset(s.back, 0xff, ports * sizeof *s.back); /* SWQ_NO_WHERE */
    for (uint32_t out = 0; out < ports; out++) {
        if (!(g->link[out] & SWQ_TO_NODE))
            s.back[g->link[out]] = out;
    }
    memset(g->next, SWQ_UNUSED, (size_t)g->switches * g->columns);
    status = find_shortest(p, g, &s);
    if (!status)
        status = set_routes(p, g);
    for (uint32_t n = 0; n < g->nodes && !status; n++) {
        const uint32_t to = g->entry[n] / (uint32_t)g->ports;
        if (n == 0 || p->routes || to != g->entry[n - 1] / (uint32_t)g->ports)
            status = measure(p, g, to, g->column[n]);
    }
    swq_arrays_free(ctx, &all);
    return status;
}
