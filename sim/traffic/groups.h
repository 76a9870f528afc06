/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is in which group of senders.
 */
#ifndef SWQ_SIM_TRAFFIC_GROUPS_H
#define SWQ_SIM_TRAFFIC_GROUPS_H

#include "switchq/async.h"
#include "switchq/fabric.h"

/* The number of nodes in each group and, after the last group, in none; and how many of them send
 * nothing because all their messages would be to themselves. */
typedef struct swq_group_sizes {
    uint32_t nodes[SWQ_MAX_SENDER_GROUPS + 1], to_self[SWQ_MAX_SENDER_GROUPS + 1];
} swq_group_sizes;
/* For a network whose fabric has been counted. Cost: nodes x groups. */
void swq_sender_groups_count(const swq_async *network, const swq_fabric *fabric,
                             swq_group_sizes *sizes);

#endif
