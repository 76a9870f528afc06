/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks that are built in: one switch, leaves and spines, fat trees. Switches with hosts come
 * first, and have the ports of their hosts first.
 */
#include "base/context.h"
#include "sim/datacentre/net.h"

/* Hosts of each switch that has some, one switch after another. */
static void put_hosts(swq_dc_graph *g, uint32_t switches, uint32_t each, const swq_dc *s)
{
    for (uint32_t h = 0; h < switches * each; h++)
        dc_graph_host(g, h, g->first[h / each] + h % each, s->rate, s->network.delay);
}

static uint64_t rate_between(const swq_dc *s)
{
    return s->network.spine_rate ? s->network.spine_rate : s->rate;
}

static swq_status make_switch(swq_context *ctx, const swq_dc *s, swq_dc_graph **graph)
{
    const uint32_t ports = (uint32_t)s->ports, hosts = s->network.sender ? ports : 0;
    const swq_status status = dc_graph_new(ctx, 1, &ports, hosts, graph);

    if (status)
        return status;
    put_hosts(*graph, 1, hosts, s);
    for (uint32_t p = hosts; p < ports; p++)
        (*graph)->rate[p] = s->rate;
    return SWQ_OK;
}

/* ports: [switches] room. Ports of a leaf: hosts, then those to spine 0, spine 1, ...; of a spine:
 * to leaf 0, leaf 1, ... */
static swq_status make_leaves(swq_context *ctx, const swq_dc *s, uint32_t *ports,
                              swq_dc_graph **graph)
{
    const swq_dc_network *n = &s->network;
    const uint32_t leaves = (uint32_t)n->leaves, spines = (uint32_t)n->spines;
    const uint32_t hosts = (uint32_t)n->hosts, links = (uint32_t)n->spine_links;

    for (uint32_t w = 0; w < leaves + spines; w++)
        ports[w] = w < leaves ? hosts + spines * links : leaves * links;
    const swq_status status = dc_graph_new(ctx, leaves + spines, ports, leaves * hosts, graph);
    if (status)
        return status;
    swq_dc_graph *g = *graph;
    put_hosts(g, leaves, hosts, s);
    for (uint32_t l = 0; l < leaves; l++) {
        for (uint32_t k = 0; k < spines * links; k++)
            dc_graph_join(g, g->first[l] + hosts + k,
                          g->first[leaves + k / links] + l * links + k % links, rate_between(s),
                          n->delay);
    }
    for (uint32_t w = leaves; w < leaves + spines; w++)
        g->bytes[w] = n->spine_bytes;
    return SWQ_OK;
}

/* Al-Fares, Loukissas and Vahdat, SIGCOMM 2008: k pods of k/2 edge and k/2 aggregation switches,
 * and (k/2)^2 core switches. Edge switch e of a pod is joined with all aggregation switches of the
 * pod, and aggregation switch a with the core switches a k/2 to a k/2 + k/2 - 1, each of which has
 * a port for each pod. */
static swq_status make_fat_tree(swq_context *ctx, const swq_dc *s, uint32_t *ports,
                                swq_dc_graph **graph)
{
    const uint32_t k = (uint32_t)s->ports, half = k / 2, each = k * half; /* edge, aggregation */
    const uint32_t hosts = (uint32_t)s->network.hosts;
    const uint64_t rate = rate_between(s), delay = s->network.delay;

    for (uint32_t w = 0; w < 2 * each + half * half; w++)
        ports[w] = w < each ? hosts + half : k;
    const swq_status status = dc_graph_new(ctx, 2 * each + half * half, ports, each * hosts, graph);
    if (status)
        return status;
    swq_dc_graph *g = *graph;
    put_hosts(g, each, hosts, s);
    for (uint32_t w = each; w < g->switches; w++)
        g->bytes[w] = s->network.spine_bytes;
    for (uint32_t w = 0; w < each; w++) {
        const uint32_t pod = w / half, place = w % half; /* edge, and aggregation switch, w */
        for (uint32_t a = 0; a < half; a++) {
            dc_graph_join(g, g->first[w] + hosts + a, g->first[each + pod * half + a] + place, rate,
                          delay);
            dc_graph_join(g, g->first[each + w] + half + a,
                          g->first[2 * each + place * half + a] + pod, rate, delay);
        }
    }
    return SWQ_OK;
}

/* As many switches as the built-in network of a spec has. */
static uint32_t switches_of(const swq_dc *s)
{
    const uint32_t half = (uint32_t)s->ports / 2;

    return s->network.topology == SWQ_DC_FAT_TREE
               ? 5 * half * half
               : (uint32_t)s->network.leaves + (uint32_t)s->network.spines;
}

static swq_status make_of_several(swq_context *ctx, const swq_dc *s, swq_dc_graph **graph)
{
    uint32_t *ports = swq_calloc(ctx, switches_of(s), sizeof *ports);

    if (!ports)
        return swq_memory_status(ctx);
    const swq_status status = s->network.topology == SWQ_DC_FAT_TREE
                                  ? make_fat_tree(ctx, s, ports, graph)
                                  : make_leaves(ctx, s, ports, graph);
    swq_free(ctx, ports);
    return status;
}

swq_status dc_graph_make(swq_context *ctx, const swq_dc *s, swq_dc_graph **graph)
{
    const swq_status status = s->network.topology == SWQ_DC_SWITCH ? make_switch(ctx, s, graph)
                                                                   : make_of_several(ctx, s, graph);

    if (status)
        return status;
    for (uint32_t w = 0; w < (*graph)->switches; w++) {
        if ((*graph)->bytes[w] == 0)
            (*graph)->bytes[w] = s->memory.bytes;
    }
    dc_graph_find_racks(*graph);
    return SWQ_OK;
}
