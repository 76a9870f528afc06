/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fat trees (Al-Fares, Loukissas and Vahdat, SIGCOMM 2008): k pods of k/2 edge and k/2 aggregation
 * switches, and (k/2)^2 core switches. Edge switch e of a pod is joined with all aggregation
 * switches of the pod, and aggregation switch a with the core switches a k/2 to a k/2 + k/2 - 1,
 * each of which has a port for each pod.
 */
#include "base/context.h"
#include "sim/datacentre/topologies.h"

#include <stdio.h>

enum { MOST_PORTS = 64 };

static void preset(swq_dc *dc)
{
    dc->network.hosts = dc->ports / 2;
}

static swq_status check(swq_context *ctx, const swq_dc *dc)
{
    if (dc->ports < 4 || dc->ports % 2 || dc->ports > MOST_PORTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ports of a fat tree must be an even number from 4 to %d, not %d",
                        MOST_PORTS, dc->ports);
    return SWQ_OK;
}

static int levels(const swq_dc *dc, swq_dc_level level[SWQ_DC_LEVELS])
{
    const uint32_t k = (uint32_t)dc->ports, half = k / 2, hosts = (uint32_t)dc->network.hosts;

    level[0] = (swq_dc_level){"edge", k * half, hosts + half, hosts};
    level[1] = (swq_dc_level){"aggregation", k * half, k, 0};
    level[2] = (swq_dc_level){"core", half * half, k, 0};
    return 3;
}

static void join(const swq_dc *dc, swq_dc_graph *g)
{
    const uint32_t k = (uint32_t)dc->ports, half = k / 2, each = k * half; /* edge, aggregation */
    const uint32_t hosts = (uint32_t)dc->network.hosts;
    const uint64_t rate = dc_rate_between(dc), delay = dc->network.delay;

    for (uint32_t w = 0; w < each; w++) {
        const uint32_t pod = w / half, place = w % half; /* edge, and aggregation switch, w */
        for (uint32_t a = 0; a < half; a++) {
            dc_graph_join(g, g->first[w] + hosts + a, g->first[each + pod * half + a] + place, rate,
                          delay);
            dc_graph_join(g, g->first[each + w] + half + a,
                          g->first[2 * each + place * half + a] + pod, rate, delay);
        }
    }
}

static void says(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT])
{
    const int hosts = dc->network.hosts;
    char rate[SWQ_UNITS_TEXT];

    snprintf(text, SWQ_DC_TOPOLOGY_TEXT,
             "fat tree of switches of %d ports, %d host%s at each edge switch, links of %s between "
             "switches",
             dc->ports, hosts, hosts == 1 ? "" : "s",
             swq_units_text(SWQ_UNITS_RATE, dc_rate_between(dc), rate));
}

const dc_topology dc_fat_tree = {
    .row = {.name = "fat-tree",
            .summary = "three levels of switches with k ports",
            .number = {[SWQ_DC_SWITCH_PORTS] = "ports of a switch, an even number",
                       [SWQ_DC_HOSTS] = "hosts of each edge switch",
                       [SWQ_DC_SPINE_RATE] = "rate of links between switches"},
            .alike = true},
    .preset = preset,
    .check = check,
    .levels = levels,
    .join = join,
    .says = says,
};
