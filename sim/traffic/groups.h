/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is in which group of senders, and which group of nodes a sender's messages are for.
 */
#ifndef SWQ_SIM_TRAFFIC_GROUPS_H
#define SWQ_SIM_TRAFFIC_GROUPS_H

#include "switchq/async.h"
#include "switchq/fabric.h"

/* Does each sender send messages of this type to a random node of one group of nodes? */
static inline bool swq_aims_at_group(const swq_message_type *type)
{
    return type->aim == SWQ_AIM_GROUP || type->aim == SWQ_AIM_WORST;
}

/* The first of the fabric.group_nodes nodes of the group to which node `from` sends messages of
 * such a type. */
static inline uint32_t swq_group_aimed_at(const swq_fabric *fabric, const swq_message_type *type,
                                          uint32_t from)
{
    const uint32_t nodes = fabric->group_nodes;

    if (type->aim == SWQ_AIM_WORST)
        return fabric->shape.kind->worst(fabric, from / nodes) * nodes;
    return swq_fabric_group_ahead(fabric, from, type->value);
}

/* Has any node a link that is slower than the fastest link of the network? And may senders of the
 * group have intervals of their own? O(nodes). */
bool swq_has_slow_senders(const swq_async *network);
bool swq_sender_has_own_interval(const swq_async *network, const swq_sender_group *group);

/* The number of nodes in each group and, after the last group, in none; and how many of them send
 * nothing because all their messages would be to themselves. */
typedef struct swq_group_sizes {
    uint32_t nodes[SWQ_MAX_SENDER_GROUPS + 1], to_self[SWQ_MAX_SENDER_GROUPS + 1];
} swq_group_sizes;
/* For a network whose fabric has been counted. Cost: nodes x groups. */
void swq_sender_groups_count(const swq_async *network, const swq_fabric *fabric,
                             swq_group_sizes *sizes);

#endif
