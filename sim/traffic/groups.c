/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is in which group of senders, and who of them sends nothing.
 * Room: sim.
 */
#include "sim/traffic/groups.h"
#include "switchq/fabric.h"

/* The only destination of a node's messages of a type; SWQ_NO_WHERE: there are several, or it is
 * drawn. */
static uint32_t only_destination(const swq_fabric *f, const swq_message_type *type, uint32_t node)
{
    uint32_t only = SWQ_NO_WHERE;

    if (type->aim == SWQ_AIM_NODE)
        return type->value;
    if (type->aim == SWQ_AIM_PATTERN) {
        const swq_places places = swq_fabric_places(f);
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
    const int groups = network->groups;

    for (uint32_t i = 0; i < f->nodes; i++) {
        bool any = false;
        for (int k = 0; k < groups; k++) {
            const bool member = swq_sender_group_has(network, k, i);
            any = any || member;
            sizes->nodes[k] += member;
            if (member && !network->trace && !network->group[k].silent)
                sizes->to_self[k] += sends_to_itself_alone(f, &network->group[k], i);
        }
        sizes->nodes[groups] += !any;
    }
}
