/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaves and spines: each leaf has hosts, and links to every spine. Ports of a leaf: hosts, then
 * those to spine 0, spine 1, ...; of a spine: to leaf 0, leaf 1, ...
 */
#include "sim/datacentre/topologies.h"

#include <stdio.h>

static int levels(const swq_dc *dc, swq_dc_level level[SWQ_DC_LEVELS])
{
    const swq_dc_network *n = &dc->network;
    const uint32_t leaves = (uint32_t)n->leaves, spines = (uint32_t)n->spines;
    const uint32_t hosts = (uint32_t)n->hosts, links = (uint32_t)n->spine_links;

    level[0] = (swq_dc_level){"leaf", leaves, hosts + spines * links, hosts};
    level[1] = (swq_dc_level){"spine", spines, leaves * links, 0};
    return 2;
}

static void join(const swq_dc *dc, swq_dc_graph *g)
{
    const swq_dc_network *n = &dc->network;
    const uint32_t leaves = (uint32_t)n->leaves, spines = (uint32_t)n->spines;
    const uint32_t hosts = (uint32_t)n->hosts, links = (uint32_t)n->spine_links;

    for (uint32_t l = 0; l < leaves; l++) {
        for (uint32_t k = 0; k < spines * links; k++)
            dc_graph_join(g, g->first[l] + hosts + k,
                          g->first[leaves + k / links] + l * links + k % links, dc_rate_between(dc),
                          n->delay);
    }
}

static void says(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT])
{
    const swq_dc_network *n = &dc->network;
    char rate[SWQ_UNITS_TEXT];

    snprintf(text, SWQ_DC_TOPOLOGY_TEXT,
             "leaf-spine: %d lea%s with %d host%s each, %d spine%s, %d link%s of %s between each "
             "two",
             n->leaves, n->leaves == 1 ? "f" : "ves", n->hosts, n->hosts == 1 ? "" : "s", n->spines,
             n->spines == 1 ? "" : "s", n->spine_links, n->spine_links == 1 ? "" : "s",
             swq_units_text(SWQ_UNITS_RATE, dc_rate_between(dc), rate));
}

const dc_topology dc_leaf_spine = {
    .row = {.name = "leaf-spine",
            .summary = "leaves with hosts, each joined to every spine",
            .number = {[SWQ_DC_LEAVES] = "switches with hosts",
                       [SWQ_DC_SPINES] = "switches that join all leaves",
                       [SWQ_DC_HOSTS] = "hosts of each leaf",
                       [SWQ_DC_SPINE_LINKS] = "links from each leaf to each spine",
                       [SWQ_DC_SPINE_RATE] = "rate of these links"},
            .alike = true},
    .levels = levels,
    .join = join,
    .says = says,
};
