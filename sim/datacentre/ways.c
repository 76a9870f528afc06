/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All shortest ways between switches with hosts, counted in lines: by breadth-first search from
 * each of them.
 */
#include "base/context.h"
#include "sim/datacentre/graph.h"

#include <string.h>

typedef struct {
    uint32_t *distance; /* [switches] DC_NONE: none yet */
    uint32_t *queue;    /* [switches] */
} nearness;

/* The switch at the other end of a port; DC_NONE: a host's, or none. */
static uint32_t beyond(const swq_dc_graph *g, uint32_t port)
{
    return g->to[port] < g->ports ? g->of[g->to[port]] : DC_NONE;
}

static void spread_from(const swq_dc_graph *g, uint32_t from, nearness *s)
{
    uint32_t end = 0;

    memset(s->distance, 0xff, g->switches * sizeof *s->distance);
    s->distance[from] = 0;
    s->queue[end++] = from;
    for (uint32_t k = 0; k < end; k++) {
        const uint32_t w = s->queue[k];
        for (uint32_t p = g->first[w]; p < g->first[w + 1]; p++) {
            const uint32_t next = beyond(g, p);
            if (next == DC_NONE || s->distance[next] != DC_NONE)
                continue;
            s->distance[next] = s->distance[w] + 1;
            s->queue[end++] = next;
        }
    }
}

/* Notes the ports of a switch that lead nearer; those of the column before are used again if they
 * are the same, as they are in trees. */
static swq_status note(swq_context *ctx, swq_dc_graph *g, uint32_t w, uint32_t column,
                       const nearness *s)
{
    uint8_t set[SWQ_DC_PORTS + 1];
    int count = 0;
    uint32_t *way = &g->way[(size_t)w * g->columns + column];

    for (uint32_t p = g->first[w]; p < g->first[w + 1]; p++) {
        const uint32_t next = beyond(g, p);
        if (next != DC_NONE && s->distance[next] < s->distance[w])
            set[1 + count++] = (uint8_t)(p - g->first[w]);
    }
    if (count == 0)
        return SWQ_OK;
    set[0] = (uint8_t)(count - 1);
    if (column > 0 && g->choices > 0 && g->choice[way[-1]] == set[0] &&
        memcmp(&g->choice[way[-1]], set, (size_t)count + 1) == 0) {
        *way = way[-1];
        return SWQ_OK;
    }
    if (g->choices + SWQ_DC_PORTS + 1 > g->room) {
        const uint32_t room = 2 * g->room + 4 * (SWQ_DC_PORTS + 1);
        if (room > UINT32_MAX / 4)
            return swq_fail(ctx, SWQ_ELIMIT, "the table of ways takes more than 1 GB");
        if (!swq_resize_array(ctx, &g->choice, room, 1))
            return swq_memory_status(ctx);
        g->room = room;
    }
    *way = g->choices;
    memcpy(&g->choice[g->choices], set, (size_t)count + 1);
    g->choices += (uint32_t)count + 1;
    return SWQ_OK;
}

static swq_status find_column(swq_context *ctx, swq_dc_graph *g, uint32_t to, nearness *s)
{
    swq_status status = SWQ_OK;

    spread_from(g, to, s);
    for (uint32_t w = 0; w < g->switches && !status; w++) {
        if (s->distance[w] == DC_NONE && g->column[w] != DC_NONE) {
            char one[DC_GRAPH_NAME], other[DC_GRAPH_NAME];
            dc_graph_switch_name(g, w, one);
            dc_graph_switch_name(g, to, other);
            return swq_fail(ctx, SWQ_EINVAL, "there is no way between the hosts of %s and of %s",
                            one, other);
        }
        if (s->distance[w] != DC_NONE)
            status = note(ctx, g, w, g->column[to], s);
    }
    return status;
}

swq_status dc_graph_find_ways(swq_context *ctx, swq_dc_graph *g)
{
    nearness s = {swq_calloc(ctx, g->switches, sizeof *s.distance),
                  swq_calloc(ctx, g->switches, sizeof *s.queue)};
    swq_status status = s.distance && s.queue ? SWQ_OK : swq_memory_status(ctx);

    if (!status) {
        memset(g->column, 0xff, g->switches * sizeof *g->column);
        for (uint32_t h = 0; h < g->hosts; h++)
            g->column[dc_switch_of(g, h)] = 0;
        for (uint32_t w = 0; w < g->switches; w++)
            g->column[w] = g->column[w] == DC_NONE ? DC_NONE : g->columns++;
        g->way = swq_calloc(ctx, (size_t)g->switches * g->columns + 1, sizeof *g->way);
        status = g->way ? SWQ_OK : swq_memory_status(ctx);
    }
    for (uint32_t w = 0; w < g->switches && !status; w++) {
        if (g->column[w] != DC_NONE)
            status = find_column(ctx, g, w, &s);
        if (swq_context_cancelled(ctx))
            status = SWQ_ECANCELLED;
    }
    swq_free(ctx, s.distance);
    swq_free(ctx, s.queue);
    return status;
}
