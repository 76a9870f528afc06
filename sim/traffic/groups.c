/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of senders: their loads and times, who is in which group, and who of them sends nothing.
 */
#include "sim/traffic/groups.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace.h"
#include "switchq/graph.h"

#include <math.h>

/* The intervals with which a sender of the group has that load, which is not 0. */
static swq_spread interval_for(const swq_async *network, const swq_sender_group *group, double load)
{
    double bytes = 0, link_time = 0;

    for (int t = 0; t < group->types; t++) {
        const swq_message_type *type = &group->type[t];
        bytes += type->probability * swq_spread_mean(&type->length);
        link_time += type->probability *
                     swq_spread_link_time(&type->length, network->packet.max, network->link.rest);
    }
    double apart = bytes / load;
    double burst = group->burst > 1 ? group->burst : 1;
    swq_spread interval = {SWQ_GEOMETRIC, apart, group->kind == SWQ_SOURCE_OPEN};
    if (group->kind != SWQ_SOURCE_OPEN) {
        apart -= link_time;
        interval.first = apart > 0 && load < 1 ? burst * apart : 0;
    } else if (burst > 1) {
        interval.first = fmax(1, burst * apart - (burst - 1) * link_time);
    }
    return interval;
}

void swq_sender_group_load(const swq_async *network, swq_sender_group *group, double load)
{
    group->silent = load <= 0;
    group->by_load = true;
    group->interval = group->silent
                          ? (swq_spread){SWQ_GEOMETRIC, INFINITY, group->kind == SWQ_SOURCE_OPEN}
                          : interval_for(network, group, load);
}

swq_spread swq_sender_interval(const swq_async *network, const swq_sender_group *group,
                               uint32_t sender)
{
    swq_spread interval = group->node_load && group->node_load[sender] > 0
                              ? interval_for(network, group, group->node_load[sender])
                              : group->interval;

    if (group->by_load)
        interval.first /= swq_graph_line_speed(network->shape.graph, sender);
    return interval;
}

bool swq_sender_has_own_interval(const swq_async *network, const swq_sender_group *group)
{
    return group->node_load || (group->by_load && swq_has_slow_senders(network));
}

bool swq_has_slow_senders(const swq_async *network)
{
    const swq_graph *g = network->shape.graph;

    for (uint32_t node = 0; g && g->speed_of && node < g->nodes; node++) {
        if (swq_graph_line_speed(g, node) < 1)
            return true;
    }
    return false;
}

bool swq_sender_silent(const swq_sender_group *group, uint32_t sender)
{
    return group->silent || (group->node_load && !(group->node_load[sender] > 0));
}

static uint32_t end_of(const swq_sender_group *g)
{
    return g->until ? g->until : SWQ_NEVER;
}

int swq_sender_group_at(const swq_async *network, uint32_t sender, uint32_t cycle, uint32_t *next)
{
    int g = 0;

    *next = SWQ_NEVER;
    for (; g < network->traffic.groups; g++) {
        const swq_sender_group *group = &network->traffic.group[g];
        if ((sender & group->mask) != group->value || cycle >= end_of(group))
            continue;
        const uint32_t change = cycle < group->from ? group->from : end_of(group);
        *next = change < *next ? change : *next;
        if (cycle >= group->from)
            break;
    }
    return g;
}

bool swq_sender_group_has(const swq_async *network, int group, uint32_t sender)
{
    const swq_sender_group *of = &network->traffic.group[group];
    uint32_t next = of->from;

    if ((sender & of->mask) != of->value)
        return false;
    for (uint32_t cycle = next; cycle < end_of(of); cycle = next) {
        if (swq_sender_group_at(network, sender, cycle, &next) == group)
            return true;
    }
    return false;
}

bool swq_async_timed(const swq_async *n)
{
    bool timed = false;

    for (int g = 0; g < n->traffic.groups && !n->traffic.trace; g++)
        timed = timed || n->traffic.group[g].from > 0 || n->traffic.group[g].until > 0;
    return timed;
}

swq_sender_group swq_sender_group_uniform(const swq_async *network, swq_source_kind kind,
                                          double load, swq_spread length)
{
    swq_sender_group g = {
        .kind = kind,
        .type = {{.probability = 1, .pattern = &swq_pattern_uniform, .length = length}},
        .types = 1,
    };

    swq_sender_group_load(network, &g, load);
    return g;
}

/* The only destination of a node in a matrix, the node itself if there is none; SWQ_NO_WHERE: there
 * are several. */
static uint32_t only_listed(const swq_destinations *m, uint32_t node)
{
    const uint64_t first = m->first[node], count = m->first[node + 1] - first;

    return count == 0 ? node : count == 1 ? m->to[first] : SWQ_NO_WHERE;
}

/* The only destination of a node's messages of a type; SWQ_NO_WHERE: there are several, or it is
 * drawn. */
static uint32_t only_destination(const swq_fabric *f, const swq_message_type *type, uint32_t node)
{
    uint32_t only = SWQ_NO_WHERE;

    if (type->aim == SWQ_AIM_NODE)
        return type->value;
    if (swq_aims_at_group(type)) /* which is never the node's own */
        return SWQ_NO_WHERE;
    if (type->aim == SWQ_AIM_PATTERN) {
        const swq_places places = swq_fabric_places(f);
        if (type->matrix)
            return only_listed(type->matrix, node);
        return type->pattern->image ? type->pattern->image(&places, node) : SWQ_NO_WHERE;
    }
    for (uint32_t d = 0; d < f->nodes; d++) {
        if ((d & type->mask) != type->value)
            continue;
        if (only != SWQ_NO_WHERE)
            return SWQ_NO_WHERE;
        only = d;
    }
    return only;
}

static bool sends_to_itself_alone(const swq_fabric *f, const swq_sender_group *g, uint32_t node)
{
    if (!f->shape.kind->point_to_point)
        return false;
    for (int t = 0; t < g->types; t++) {
        if (g->type[t].probability > 0 && only_destination(f, &g->type[t], node) != node)
            return false;
    }
    return true;
}

void swq_sender_groups_count(const swq_async *network, const swq_fabric *f, swq_group_sizes *sizes)
{
    *sizes = (swq_group_sizes){0};
    const int groups = network->traffic.groups;

    for (uint32_t i = 0; i < f->nodes; i++) {
        bool any = false;
        for (int k = 0; k < groups; k++) {
            const bool member = swq_sender_group_has(network, k, i);
            any = any || member;
            sizes->nodes[k] += member;
            if (member && !network->traffic.trace && !network->traffic.group[k].silent)
                sizes->to_self[k] += sends_to_itself_alone(f, &network->traffic.group[k], i);
        }
        sizes->nodes[groups] += !any;
    }
}
