/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dumbbells: two switches with hosts, and links between the two, which all flows share. Ports of a
 * switch: hosts, then those to the other one.
 */
#include "sim/datacentre/topologies.h"

#include <stdio.h>

static int levels(const swq_dc *dc, swq_dc_level level[SWQ_DC_LEVELS])
{
    const uint32_t hosts = (uint32_t)dc->network.hosts, links = (uint32_t)dc->network.spine_links;

    level[0] = (swq_dc_level){"end", 2, hosts + links, hosts};
    return 1;
}

static void join(const swq_dc *dc, swq_dc_graph *g)
{
    for (uint32_t p = (uint32_t)dc->network.hosts; p < g->first[1]; p++)
        dc_graph_join(g, p, g->first[1] + p, dc_rate_between(dc), dc->network.delay);
}

static void says(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT])
{
    const swq_dc_network *n = &dc->network;
    char rate[SWQ_UNITS_TEXT];

    snprintf(text, SWQ_DC_TOPOLOGY_TEXT,
             "dumbbell: two switches with %d host%s each, %d link%s of %s between the two",
             n->hosts, n->hosts == 1 ? "" : "s", n->spine_links, n->spine_links == 1 ? "" : "s",
             swq_units_text(SWQ_UNITS_RATE, dc_rate_between(dc), rate));
}

const dc_topology dc_dumbbell = {
    .row = {.name = "dumbbell",
            .summary = "two switches with hosts, whose flows share the links between the two",
            .number = {[SWQ_DC_HOSTS] = "hosts of each switch",
                       [SWQ_DC_SPINE_LINKS] = "links between the switches",
                       [SWQ_DC_SPINE_RATE] = "rate of these links"},
            .alike = true},
    .levels = levels,
    .join = join,
    .says = says,
};
