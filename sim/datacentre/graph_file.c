/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of files: docs/graphs.md has the format. A speed is in Gb/s here, and a delay in ns.
 */
#include "base/context.h"
#include "sim/datacentre/graph.h"
#include "sim/fabrics/graph_plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static swq_status refuse(const graph_plan *p, int64_t line, const char *why)
{
    return swq_fail(p->lines->ctx, SWQ_EINVAL, "%s, line %" PRId64 ": %s", p->lines->path, line,
                    why);
}

static swq_status read_line_of(const graph_plan *p, const graph_line *link, uint64_t *rate,
                               uint64_t *delay)
{
    if (link->one_way)
        return refuse(p, link->line, "an arc leads one way, and lines of data centres lead both");
    if (link->speed > 0) {
        const double bits = link->speed * 1e9;
        if (!(bits >= SWQ_DC_LEAST_RATE && bits <= SWQ_DC_MOST_RATE))
            return refuse(p, link->line, "speed must be 0.001 to 10000 (Gb/s)");
        *rate = (uint64_t)llround(bits);
    }
    if (link->delay > 0) {
        if (!(link->delay * 1e3 <= SWQ_DC_MOST_TIME))
            return refuse(p, link->line, "delay must be at most 1e15 (ns)");
        *delay = (uint64_t)llround(link->delay * 1e3);
    }
    return SWQ_OK;
}

static swq_status take_names(swq_context *ctx, const graph_plan *p, swq_dc_graph *g)
{
    g->name = swq_calloc(ctx, (size_t)g->switches + g->hosts, sizeof *g->name);
    if (!g->name)
        return swq_memory_status(ctx);
    for (uint32_t k = 0; k < p->names_count; k++) {
        const graph_name *name = p->names[k];
        char **to = &g->name[(name->node ? g->switches : 0) + name->number];
        const size_t length = strlen(name->name) + 1;
        *to = swq_calloc(ctx, length, 1);
        if (!*to)
            return swq_memory_status(ctx);
        memcpy(*to, name->name, length);
    }
    return SWQ_OK;
}

static swq_status join_all(const graph_plan *p, uint64_t rate, uint64_t delay, swq_dc_graph *g)
{
    swq_status status = SWQ_OK;

    for (uint32_t k = 0; k < p->links && !status; k++) {
        const graph_line *link = &p->link[k];
        uint64_t its_rate = rate, its_delay = delay;
        status = read_line_of(p, link, &its_rate, &its_delay);
        const uint32_t b = g->first[link->to[1].at] + (uint32_t)link->to[1].port;
        if (link->node)
            dc_graph_host(g, link->to[0].at, b, its_rate, its_delay);
        else
            dc_graph_join(g, g->first[link->to[0].at] + (uint32_t)link->to[0].port, b, its_rate,
                          its_delay);
    }
    return status;
}

static swq_status build(swq_context *ctx, const graph_plan *p, uint64_t rate, uint64_t delay,
                        swq_dc_graph **graph)
{
    const uint32_t switches = p->count[false], hosts = p->count[true];
    uint32_t *ports = swq_calloc(ctx, switches, sizeof *ports);
    swq_status status = ports ? SWQ_OK : swq_memory_status(ctx);

    if (!status && p->routes > 0)
        status = refuse(p, p->route[0].line,
                        "routes are not read here: packets take any of the shortest ways");
    for (uint32_t k = 0; k < p->links && !status; k++) {
        for (int e = p->link[k].node; e < 2; e++) {
            const graph_end *end = &p->link[k].to[e];
            if ((uint32_t)end->port + 1 > ports[end->at])
                ports[end->at] = (uint32_t)end->port + 1;
        }
    }
    if (!status)
        status = dc_graph_new(ctx, switches, ports, hosts, graph);
    swq_free(ctx, ports);
    if (status)
        return status;
    status = join_all(p, rate, delay, *graph);
    if (!status)
        status = take_names(ctx, p, *graph);
    if (status)
        return status;
    dc_graph_find_racks(*graph);
    return dc_graph_find_ways(ctx, *graph);
}

swq_status swq_dc_graph_read(swq_context *ctx, const char *path, uint64_t rate, uint64_t delay,
                             swq_dc_graph **graph)
{
    swq_lines lines = {0};
    graph_plan p = {.lines = &lines, .most_ports = SWQ_DC_PORTS};
    swq_dc_graph *g = NULL;
    int ports = 0;
    swq_status status = swq_lines_open(ctx, path, &lines, NULL);

    if (status)
        return status;
    status = graph_read_plan(&p, &ports);
    if (!status)
        status = build(ctx, &p, rate, delay, &g);
    graph_clear_plan(&p);
    swq_lines_close(&lines);
    if (!status)
        *graph = g;
    else
        swq_dc_graph_free(ctx, g);
    return status;
}
