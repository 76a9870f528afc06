/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches, ports and hosts that are joined by lines.
 */
#include "sim/datacentre/graph.h"
#include "base/context.h"

#include <stdio.h>
#include <string.h>

void swq_dc_graph_free(swq_context *ctx, swq_dc_graph *g)
{
    if (!g)
        return;
    for (uint32_t k = 0; g->name && k < g->switches + g->hosts; k++)
        swq_free(ctx, g->name[k]);
    swq_free(ctx, g->name);
    swq_free(ctx, g->first);
    swq_free(ctx, g->of);
    swq_free(ctx, g->to);
    swq_free(ctx, g->rate);
    swq_free(ctx, g->delay);
    swq_free(ctx, g->bytes);
    swq_free(ctx, g->at);
    swq_free(ctx, g->column);
    swq_free(ctx, g->way);
    swq_free(ctx, g->choice);
    swq_free(ctx, g);
}

swq_status dc_graph_new(swq_context *ctx, uint32_t switches, const uint32_t *ports, uint32_t hosts,
                        swq_dc_graph **graph)
{
    swq_dc_graph *g = swq_calloc(ctx, 1, sizeof *g);

    if (!g)
        return swq_memory_status(ctx);
    g->switches = switches;
    g->hosts = hosts;
    g->first = swq_calloc(ctx, (size_t)switches + 1, sizeof *g->first);
    for (uint32_t w = 0; g->first && w < switches; w++)
        g->first[w + 1] = g->first[w] + ports[w];
    g->ports = g->first ? g->first[switches] : 0;
    g->of = swq_calloc(ctx, g->ports, sizeof *g->of);
    g->to = swq_calloc(ctx, g->ports, sizeof *g->to);
    g->rate = swq_calloc(ctx, g->ports, sizeof *g->rate);
    g->delay = swq_calloc(ctx, g->ports, sizeof *g->delay);
    g->bytes = swq_calloc(ctx, switches, sizeof *g->bytes);
    g->at = swq_calloc(ctx, (size_t)hosts + 1, sizeof *g->at);
    g->column = swq_calloc(ctx, switches, sizeof *g->column);
    if (!g->first || !g->of || !g->to || !g->rate || !g->delay || !g->bytes || !g->at ||
        !g->column) {
        swq_dc_graph_free(ctx, g);
        return swq_memory_status(ctx);
    }
    memset(g->to, 0xff, g->ports * sizeof *g->to);
    for (uint32_t w = 0; w < switches; w++) {
        for (uint32_t p = g->first[w]; p < g->first[w + 1]; p++)
            g->of[p] = w;
    }
    *graph = g;
    return SWQ_OK;
}

static void put_line(swq_dc_graph *g, uint32_t port, uint32_t to, uint64_t rate, uint64_t delay)
{
    g->to[port] = to;
    g->rate[port] = rate;
    g->delay[port] = delay;
}

void dc_graph_join(swq_dc_graph *g, uint32_t a, uint32_t b, uint64_t rate, uint64_t delay)
{
    put_line(g, a, b, rate, delay);
    put_line(g, b, a, rate, delay);
}

void dc_graph_host(swq_dc_graph *g, uint32_t host, uint32_t port, uint64_t rate, uint64_t delay)
{
    put_line(g, port, g->ports + host, rate, delay);
    g->at[host] = port;
}

static uint32_t hosts_at(const swq_dc_graph *g, uint32_t w)
{
    uint32_t hosts = 0;

    for (uint32_t p = g->first[w]; p < g->first[w + 1]; p++)
        hosts += g->to[p] != DC_NONE && g->to[p] >= g->ports;
    return hosts;
}

void dc_graph_find_racks(swq_dc_graph *g)
{
    const uint32_t each = g->hosts > 0 ? hosts_at(g, dc_switch_of(g, 0)) : 1;

    g->rack = g->hosts > each ? each : 1;
    for (uint32_t h = 0; h < g->hosts && g->rack > 1; h++) {
        const uint32_t w = dc_switch_of(g, h);
        if (dc_switch_of(g, h - h % each) != w || (h % each == 0 && hosts_at(g, w) != each))
            g->rack = 1;
    }
}

void dc_graph_switch_name(const swq_dc_graph *g, uint32_t number, char name[DC_GRAPH_NAME])
{
    if (g->name)
        snprintf(name, DC_GRAPH_NAME, "switch %s", g->name[number]);
    else
        snprintf(name, DC_GRAPH_NAME, "switch %u", number);
}

double dc_graph_capacity(const swq_dc_graph *g)
{
    double sum = 0;

    for (uint32_t p = 0; p < g->ports; p++)
        sum += (double)g->rate[p];
    return sum;
}

double dc_graph_host_capacity(const swq_dc_graph *g)
{
    double sum = 0;

    for (uint32_t h = 0; h < g->hosts; h++)
        sum += (double)g->rate[g->at[h]];
    return sum;
}

bool dc_graph_hosts_alike(const swq_dc_graph *g)
{
    for (uint32_t h = 1; h < g->hosts; h++) {
        if (g->rate[g->at[h]] != g->rate[g->at[0]])
            return false;
    }
    return true;
}

/* ---- for the caller ---- */

uint32_t swq_dc_graph_switches(const swq_dc_graph *g)
{
    return g->switches;
}

uint32_t swq_dc_graph_hosts(const swq_dc_graph *g)
{
    return g->hosts;
}

uint32_t swq_dc_graph_ports(const swq_dc_graph *g, uint32_t w, uint64_t *rates)
{
    *rates = 0;
    for (uint32_t p = g->first[w]; p < g->first[w + 1]; p++)
        *rates += g->rate[p];
    return g->first[w + 1] - g->first[w];
}

const char *swq_dc_graph_name(const swq_dc_graph *g, bool host, uint32_t number)
{
    return g->name[(host ? g->switches : 0) + number];
}

void swq_dc_graph_give_memory(swq_dc_graph *g, uint32_t w, uint64_t bytes)
{
    g->bytes[w] = bytes;
}

uint64_t swq_dc_largest_memory(const swq_dc *dc)
{
    const swq_dc_network *n = &dc->network;
    uint64_t most = dc->memory.bytes;

    for (int k = 0; k < SWQ_DC_LEVELS; k++)
        most = n->level_bytes[k] > most ? n->level_bytes[k] : most;
    for (uint32_t w = 0; n->graph && w < n->graph->switches; w++)
        most = n->graph->bytes[w] > most ? n->graph->bytes[w] : most;
    return most / dc->memory.parts;
}
