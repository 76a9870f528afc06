/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks as their topologies have them: levels of switches, hosts and lines.
 */
#include "base/context.h"
#include "sim/datacentre/topologies.h"

#include <stdio.h>

const char *const swq_dc_number_words[] = {"leaves",      "spines",     "ports", "hosts",
                                           "spine-links", "spine-rate", NULL};

const dc_topology *dc_topology_of(const swq_dc *dc)
{
    const swq_dc_topology *row = dc->network.topology;

    return row ? (const dc_topology *)row : &dc_one_switch;
}

const swq_dc_topology *swq_dc_topology_of(const swq_dc *dc)
{
    return &dc_topology_of(dc)->row;
}

void swq_dc_topology_preset(swq_dc *dc)
{
    const dc_topology *t = dc_topology_of(dc);

    if (t->preset)
        t->preset(dc);
}

int swq_dc_levels(const swq_dc *dc, swq_dc_level level[SWQ_DC_LEVELS])
{
    const dc_topology *t = dc_topology_of(dc);

    return t->levels ? t->levels(dc, level) : 0;
}

uint64_t dc_rate_between(const swq_dc *dc)
{
    return dc->network.spine_rate ? dc->network.spine_rate : dc->rate;
}

uint64_t swq_dc_level_rates(const swq_dc *dc, const swq_dc_level *l)
{
    return l->hosts * dc->rate + (l->ports - l->hosts) * dc_rate_between(dc);
}

uint64_t swq_dc_number_of(const swq_dc *dc, swq_dc_number number)
{
    const swq_dc_network *n = &dc->network;
    const int whole[] = {[SWQ_DC_LEAVES] = n->leaves,
                         [SWQ_DC_SPINES] = n->spines,
                         [SWQ_DC_SWITCH_PORTS] = dc->ports,
                         [SWQ_DC_HOSTS] = n->hosts,
                         [SWQ_DC_SPINE_LINKS] = n->spine_links};

    return number == SWQ_DC_SPINE_RATE ? dc_rate_between(dc) : (uint64_t)whole[number];
}

const char *swq_dc_topology_says(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT])
{
    dc_topology_of(dc)->says(dc, text);
    return text;
}

const char *swq_dc_switch_name(const swq_dc *dc, uint32_t number, char text[SWQ_DC_SWITCH_NAME])
{
    swq_dc_level level[SWQ_DC_LEVELS];
    const int levels = swq_dc_levels(dc, level);
    int k = 0;

    if (levels == 0) {
        snprintf(text, SWQ_DC_SWITCH_NAME, "%s",
                 swq_dc_graph_name(dc->network.graph, false, number));
        return text;
    }
    while (k < levels - 1 && number >= level[k].switches)
        number -= level[k++].switches;
    snprintf(text, SWQ_DC_SWITCH_NAME, "%s %u", level[k].name, number);
    return text;
}

static swq_status check_levels(swq_context *ctx, const swq_dc *dc)
{
    swq_dc_level level[SWQ_DC_LEVELS];
    const int levels = swq_dc_levels(dc, level);

    for (int k = 0; k < levels; k++) {
        if (level[k].ports < 1 || level[k].ports > SWQ_DC_PORTS)
            return swq_fail(ctx, SWQ_EINVAL,
                            "the ports of a switch, here %s 0, must be 1 to %d, not %u",
                            level[k].name, SWQ_DC_PORTS, level[k].ports);
    }
    return SWQ_OK;
}

swq_status dc_topology_check(swq_context *ctx, const swq_dc *dc)
{
    const dc_topology *t = dc_topology_of(dc);
    const swq_status status = t->check ? t->check(ctx, dc) : SWQ_OK;

    return status ? status : check_levels(ctx, dc);
}

/* ---- the graph ---- */

static swq_status make_switches(swq_context *ctx, const swq_dc_level *level, int levels,
                                swq_dc_graph **graph)
{
    uint32_t switches = 0, hosts = 0;

    for (int k = 0; k < levels; k++) {
        switches += level[k].switches;
        hosts += level[k].switches * level[k].hosts;
    }
    uint32_t *ports = swq_calloc(ctx, switches, sizeof *ports);
    if (!ports)
        return swq_memory_status(ctx);
    for (uint32_t k = 0, w = 0; k < (uint32_t)levels; w += level[k++].switches) {
        for (uint32_t s = 0; s < level[k].switches; s++)
            ports[w + s] = level[k].ports;
    }
    const swq_status status = dc_graph_new(ctx, switches, ports, hosts, graph);
    swq_free(ctx, ports);
    return status;
}

/* The hosts of a level, of which the first one is `host`, and its memories. */
static void furnish(const swq_dc *s, const swq_dc_level *l, uint64_t bytes, uint32_t first,
                    uint32_t host, swq_dc_graph *g)
{
    for (uint32_t h = 0; h < l->switches * l->hosts; h++)
        dc_graph_host(g, host + h, g->first[first + h / l->hosts] + h % l->hosts, s->rate,
                      s->network.delay);
    for (uint32_t w = first; w < first + l->switches; w++)
        g->bytes[w] = bytes ? bytes : s->memory.bytes;
}

swq_status dc_graph_make(swq_context *ctx, const swq_dc *s, swq_dc_graph **graph)
{
    swq_dc_level level[SWQ_DC_LEVELS];
    const int levels = swq_dc_levels(s, level);
    const swq_status status = make_switches(ctx, level, levels, graph);
    uint32_t first = 0, host = 0;

    if (status)
        return status;
    for (int k = 0; k < levels; k++) {
        furnish(s, &level[k], s->network.level_bytes[k], first, host, *graph);
        first += level[k].switches;
        host += level[k].switches * level[k].hosts;
    }
    dc_topology_of(s)->join(s, *graph);
    dc_graph_find_racks(*graph);
    return SWQ_OK;
}
