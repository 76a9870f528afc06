/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One switch: the topology of a question that names none.
 */
#include "sim/datacentre/topologies.h"

#include <stdio.h>

static int levels(const swq_dc *dc, swq_dc_level level[SWQ_DC_LEVELS])
{
    const uint32_t ports = (uint32_t)dc->ports;

    level[0] = (swq_dc_level){"switch", 1, ports, dc->network.sending[0].sender ? ports : 0};
    return 1;
}

/* Without hosts lines lead out of the network. */
static void join(const swq_dc *dc, swq_dc_graph *g)
{
    for (uint32_t p = g->hosts; p < g->ports; p++)
        g->rate[p] = dc->rate;
}

static void says(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT])
{
    char delay[SWQ_UNITS_TEXT];

    snprintf(text, SWQ_DC_TOPOLOGY_TEXT, "a host at each port, %s away",
             swq_units_text(SWQ_UNITS_TIME, dc->network.delay, delay));
}

const dc_topology dc_one_switch = {
    .row = {.name = "switch",
            .summary = "one switch, with a host at each port if there is a sender",
            .number = {[SWQ_DC_SWITCH_PORTS] = "ports of the switch"},
            .single = true,
            .alike = true},
    .levels = levels,
    .join = join,
    .says = says,
};
