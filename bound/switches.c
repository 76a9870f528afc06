/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches, links and demand from a fabric; and distances between switches, by Dijkstra's algorithm
 * from each of them.
 */
#include "bound/switches.h"
#include "base/arrays.h"
#include "base/context.h"
#include "switchq/graph.h"

#include <math.h>
#include <string.h>

static void list_arrays(swq_switches *s, swq_arrays *list)
{
    const double outputs = (double)s->fabric.switches * s->fabric.ports;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, s->from, outputs);
    SWQ_ARRAY(list, s->to, outputs);
    SWQ_ARRAY(list, s->speed, outputs);
    SWQ_ARRAY(list, s->number, outputs);
    SWQ_ARRAY(list, s->wanted, (double)s->switches * s->switches);
    SWQ_ARRAY(list, s->row, s->fabric.nodes);
    SWQ_ARRAY(list, s->hops, s->minimal ? (double)s->switches * s->switches : 0);
}

static void list_links(swq_switches *s)
{
    const swq_fabric *f = &s->fabric;
    const uint32_t ports = (uint32_t)f->ports;

    for (uint32_t out = 0; out < f->switches * ports; out++) {
        const uint32_t end = f->link[out];
        s->number[out] = SWQ_NO_WHERE;
        if (end & SWQ_TO_NODE) /* or no link at all */
            continue;
        s->number[out] = s->links;
        s->from[s->links] = out / ports;
        s->speed[s->links] = swq_graph_link_speed(f->shape.graph, out);
        s->to[s->links++] = end / ports;
    }
}

/* The switch from which each node receives. */
static void find_exits(const swq_fabric *f, uint32_t *exit)
{
    const uint32_t ports = (uint32_t)f->ports;

    for (uint32_t out = 0; out < f->switches * ports; out++) {
        if (f->link[out] != SWQ_NO_WHERE && f->link[out] & SWQ_TO_NODE)
            exit[f->link[out] & ~SWQ_TO_NODE] = out / ports;
    }
}

static void add_demand(swq_switches *s, const uint32_t *exit, double *arrives)
{
    const swq_fabric *f = &s->fabric;
    const swq_graph *g = f->shape.graph;
    const uint32_t ports = (uint32_t)f->ports;
    double lines = 0;

    for (uint32_t node = 0; node < f->nodes; node++)
        lines += swq_graph_line_speed(g, node);
    for (uint32_t from = 0; from < f->nodes; from++) {
        const uint32_t entry = f->entry[from] / ports;
        double leaves = 0;
        s->sent += swq_demand_row(&s->demand, from, s->row) / lines;
        for (uint32_t to = 0; to < f->nodes; to++) {
            leaves += s->row[to];
            arrives[to] += s->row[to];
            s->wanted[(size_t)entry * s->switches + exit[to]] += s->row[to];
        }
        s->nodes_most = fmax(s->nodes_most, leaves / swq_graph_line_speed(g, from));
    }
    for (uint32_t to = 0; to < f->nodes; to++)
        s->nodes_most = fmax(s->nodes_most, arrives[to] / swq_graph_line_speed(g, to));
}

/* Links between switches and one of them, by rounds over all links until none is nearer. */
static void count_hops(const swq_switches *s, uint32_t to)
{
    uint32_t *hops = s->hops + (size_t)to * s->switches;
    bool more = true;

    for (uint32_t w = 0; w < s->switches; w++)
        hops[w] = w == to ? 0 : SWQ_NO_WHERE;
    for (uint32_t round = 0; more; round++) {
        more = false;
        for (uint32_t k = 0; k < s->links; k++) {
            if (hops[s->to[k]] != round || hops[s->from[k]] != SWQ_NO_WHERE)
                continue;
            hops[s->from[k]] = round + 1;
            more = true;
        }
    }
}

swq_status swq_switches_make(swq_context *ctx, const swq_async *network, uint64_t seed,
                             bool minimal, swq_switches *s)
{
    swq_arrays list, here = {0};
    uint32_t *exit = NULL;
    double *arrives = NULL;

    memset(s, 0, sizeof *s);
    swq_status status = swq_fabric_make(ctx, &network->shape, &s->fabric);
    if (status)
        return status;
    s->switches = s->fabric.switches;
    s->minimal = minimal;
    list_arrays(s, &list);
    SWQ_ARRAY(&here, exit, s->fabric.nodes);
    SWQ_ARRAY(&here, arrives, s->fabric.nodes);
    status = swq_arrays_take(ctx, &list);
    if (!status)
        status = swq_arrays_take(ctx, &here);
    if (!status)
        status = swq_demand_lay(ctx, network, &s->fabric, seed, &s->demand);
    if (!status) {
        list_links(s);
        find_exits(&s->fabric, exit);
        add_demand(s, exit, arrives);
        for (uint32_t to = 0; minimal && to < s->switches; to++)
            count_hops(s, to);
    }
    swq_arrays_free(ctx, &here);
    return status;
}

void swq_switches_clear(swq_context *ctx, swq_switches *s)
{
    swq_arrays list;

    list_arrays(s, &list);
    swq_arrays_free(ctx, &list);
    swq_demand_clear(ctx, &s->demand);
    swq_fabric_clear(ctx, &s->fabric);
    memset(s, 0, sizeof *s);
}

/* ---- distances ---- */

/* Distances of all switches to one, over links that lead nearer by the number of links: after a
 * round over all links for each of the links of the longest way, they are found. */
static void find_minimal(const swq_switches *s, const double *length, uint32_t to, double *distance)
{
    bool more = true;

    for (uint32_t w = 0; w < s->switches; w++)
        distance[w] = w == to ? 0 : INFINITY;
    while (more) {
        more = false;
        for (uint32_t k = 0; k < s->links; k++) {
            if (!swq_switches_may_take(s, k, to) ||
                !(distance[s->to[k]] + length[k] < distance[s->from[k]]))
                continue;
            distance[s->from[k]] = distance[s->to[k]] + length[k];
            more = true;
        }
    }
}

/* Distances from one switch to all; the nearest that is not done is found by looking at all, as
 * there are few hundred. */
static void find_distances(const swq_switches *s, const double *length, uint32_t from,
                           double *distance, bool *done)
{
    const uint32_t ports = (uint32_t)s->fabric.ports;

    for (uint32_t w = 0; w < s->switches; w++) {
        distance[w] = INFINITY;
        done[w] = false;
    }
    distance[from] = 0;
    for (;;) {
        uint32_t at = SWQ_NO_WHERE;
        for (uint32_t w = 0; w < s->switches; w++) {
            if (!done[w] && !isinf(distance[w]) &&
                (at == SWQ_NO_WHERE || distance[w] < distance[at]))
                at = w;
        }
        if (at == SWQ_NO_WHERE)
            return;
        done[at] = true;
        for (uint32_t out = at * ports; out < (at + 1) * ports; out++) {
            const uint32_t link = s->number[out];
            if (link != SWQ_NO_WHERE)
                distance[s->to[link]] = fmin(distance[s->to[link]], distance[at] + length[link]);
        }
    }
}

swq_status swq_switches_least(swq_context *ctx, const swq_switches *s, const double *length,
                              double *sum)
{
    double *distance = NULL, total = 0;
    bool *done = NULL;
    swq_arrays list = {0};

    SWQ_ARRAY(&list, distance, s->switches);
    SWQ_ARRAY(&list, done, s->switches);
    swq_status status = swq_arrays_take(ctx, &list);
    for (uint32_t one = 0; one < s->switches && !status; one++) {
        if (s->hops)
            find_minimal(s, length, one, distance);
        else
            find_distances(s, length, one, distance, done);
        for (uint32_t other = 0; other < s->switches && !status; other++) {
            const uint32_t from = s->hops ? other : one, to = s->hops ? one : other;
            const double wanted = s->wanted[(size_t)from * s->switches + to];
            if (wanted > 0 && isinf(distance[other]))
                status = swq_fail(ctx, SWQ_EINVAL, "no links lead from switch %u to switch %u",
                                  from, to);
            else if (wanted > 0)
                total += wanted * distance[other];
        }
    }
    if (!status)
        *sum = total;
    swq_arrays_free(ctx, &list);
    return status;
}
