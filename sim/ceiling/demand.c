/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic as a matrix, from the groups of senders: the probability of each destination, as
 * sim/frame/drawing.c draws it, times the time that a message takes on a link.
 */
#include "sim/ceiling/demand.h"
#include "base/context.h"
#include "sim/patterns/image.h"
#include "sim/traffic/groups.h"
#include "sim/traffic/multicast.h"
#include "sim/traffic/spread.h"
#include "switchq/graph.h"

#include <string.h>

static bool has_own_loads(const swq_async *n)
{
    bool any = false;

    for (int g = 0; g < n->traffic.groups; g++)
        any = any || n->traffic.group[g].node_load;
    return any;
}

const char *swq_demand_none(const swq_async *n)
{
    if (n->traffic.trace)
        return "the traffic is that of a trace";
    if (swq_async_timed(n))
        return "groups of senders begin or end";
    if (has_own_loads(n))
        return "nodes have loads of their own";
    return swq_multicast_asked(n) ? "copies of multicast messages share links" : NULL;
}

swq_status swq_demand_lay(swq_context *ctx, const swq_async *network, const swq_fabric *fabric,
                          uint64_t seed, swq_demand *demand)
{
    const swq_places places = swq_fabric_places(fabric);
    swq_status status = SWQ_OK;

    *demand = (swq_demand){.network = network, .fabric = fabric};
    for (int g = 0; g < network->traffic.groups; g++) {
        const swq_sender_group *group = &network->traffic.group[g];
        for (int t = 0; t < group->types && !status; t++) {
            if (group->type[t].aim == SWQ_AIM_PATTERN)
                status = swq_pattern_make_image(ctx, group->type[t].pattern, &places, seed,
                                                &demand->image[g][t]);
        }
    }
    return status;
}

void swq_demand_clear(swq_context *ctx, swq_demand *demand)
{
    for (int g = 0; g < SWQ_MAX_SENDER_GROUPS; g++) {
        for (int t = 0; t < SWQ_MAX_MESSAGE_TYPES; t++)
            swq_free(ctx, demand->image[g][t]);
    }
    memset(demand, 0, sizeof *demand);
}

/* Adds `amount`, spread over the nodes d with (d & mask) == value, except the sender if there are
 * others and it sends nothing to itself. */
static void add_to_set(double *row, uint32_t nodes, uint32_t mask, uint32_t value, uint32_t except,
                       double amount)
{
    uint32_t members = 0;

    for (uint32_t d = 0; d < nodes; d++)
        members += (d & mask) == value;
    const bool skip = members > 1 && except < nodes && (except & mask) == value;
    for (uint32_t d = 0; d < nodes; d++) {
        if ((d & mask) == value && !(skip && d == except))
            row[d] += amount / (members - skip);
    }
}

/* Adds `amount`, spread over a group whose first node is given. */
static void add_to_group(const swq_fabric *f, double *row, uint32_t first, double amount)
{
    for (uint32_t d = first; d < first + f->group_nodes; d++)
        row[d] += amount / f->group_nodes;
}

/* Adds `amount`, spread over a row of a matrix. */
static void add_listed(double *row, const swq_destinations *m, uint32_t from, double amount)
{
    double all = 0;

    for (uint64_t k = m->first[from]; k < m->first[from + 1]; k++)
        all += m->share[k];
    for (uint64_t k = m->first[from]; k < m->first[from + 1]; k++)
        row[m->to[k]] += amount * m->share[k] / all;
}

/* Adds `amount` where messages of a type go. */
static void add_type(const swq_demand *r, const swq_message_type *type, const uint32_t *image,
                     uint32_t from, double amount, double *row)
{
    const uint32_t nodes = r->fabric->nodes;
    const uint32_t except = r->fabric->shape.kind->point_to_point ? from : SWQ_NO_WHERE;

    if (type->aim == SWQ_AIM_NODE)
        row[type->value] += amount;
    else if (type->aim == SWQ_AIM_SUBSET)
        add_to_set(row, nodes, type->mask, type->value, except, amount);
    else if (swq_aims_at_group(type))
        add_to_group(r->fabric, row, swq_group_aimed_at(r->fabric, type, from), amount);
    else if (type->matrix)
        add_listed(row, type->matrix, from, amount);
    else if (image)
        row[image[from]] += amount;
    else
        add_to_set(row, nodes, 0, 0, except, amount);
}

double swq_demand_row(const swq_demand *r, uint32_t from, double *busy)
{
    const swq_async *n = r->network;
    const bool not_itself = r->fabric->shape.kind->point_to_point;
    const double line = swq_graph_line_speed(r->fabric->shape.graph, from);
    double mean = 0, unsent = 0;
    uint32_t never;
    const int g = swq_sender_group_at(n, from, 0, &never);

    memset(busy, 0, r->fabric->nodes * sizeof *busy);
    if (g == n->traffic.groups)
        return 0;
    const swq_sender_group *group = &n->traffic.group[g];
    for (int t = 0; t < group->types; t++)
        mean += group->type[t].probability * swq_spread_mean(&group->type[t].length);
    for (int t = 0; t < group->types; t++) {
        const swq_message_type *type = &group->type[t];
        const double bytes = type->probability * swq_spread_mean(&type->length) / mean;
        const double time = line * type->probability / mean *
                            swq_spread_link_time(&type->length, n->packet.max, n->link.rest);
        const double before = busy[from];
        if (type->probability <= 0)
            continue;
        if (type->matrix && type->matrix->first[from] == type->matrix->first[from + 1]) {
            unsent += line * bytes;
            continue;
        }
        add_type(r, type, r->image[g][t], from, time, busy);
        unsent += not_itself ? (busy[from] - before) / time * line * bytes : 0;
    }
    if (not_itself)
        busy[from] = 0;
    return line - unsent;
}
