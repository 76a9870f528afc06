/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slowest process of the senders, from the means of what they draw.
 */
#include "sim/traffic/pace.h"

#include "sim/traffic/groups.h"
#include "sim/traffic/spread.h"
#include "switchq/graph.h"

#include <math.h>

static double pace_of_group(const swq_async *n, uint32_t nodes, const swq_sender_group *g)
{
    const double burst = g->burst > 1 ? g->burst : 1;
    double mean_link = 0, message = 0, slowest = 1;

    for (uint32_t i = 0; n->shape.graph && i < nodes; i++)
        slowest = fmin(slowest, swq_graph_line_speed(n->shape.graph, i));
    for (int t = 0; t < g->types; t++) {
        const swq_spread *length = &g->type[t].length;
        const double link = swq_spread_link_time(length, n->packet.max, n->link.rest) / slowest;
        mean_link += g->type[t].probability * link;
        if (g->type[t].probability > 0 && swq_spread_most(length) > n->packet.max)
            message = fmax(message, link);
    }
    if (burst == 1 && g->interval.kind == SWQ_GEOMETRIC)
        return message;
    double interval = swq_spread_mean(&g->interval);
    if (swq_sender_has_own_interval(n, g)) {
        interval = 0;
        for (uint32_t i = 0; i < nodes; i++) {
            const swq_spread own = swq_sender_interval(n, g, i);
            if (!swq_sender_silent(g, i))
                interval = fmax(interval, swq_spread_mean(&own));
        }
    }
    const bool open = g->kind == SWQ_SOURCE_OPEN; /* intervals are between creations */
    const double links = open ? burst - 1 : burst;
    return fmax(message, interval + links * mean_link);
}

double swq_senders_pace(const swq_async *network, uint32_t nodes)
{
    double pace = 0;

    for (int g = 0; g < network->traffic.groups && !network->traffic.trace; g++)
        if (!network->traffic.group[g].silent)
            pace = fmax(pace, pace_of_group(network, nodes, &network->traffic.group[g]));
    return pace;
}
