/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multicast messages of an asynchronous network: the sets of nodes that they are for (sets.h).
 */
#ifndef SWQ_SIM_TRAFFIC_MULTICAST_H
#define SWQ_SIM_TRAFFIC_MULTICAST_H

#include "base/arrays.h"
#include "sim/traffic/sets.h"
#include "switchq/async.h"

/* Is a message of this type for several nodes? */
static inline bool swq_aims_at_several(const swq_message_type *type)
{
    return type->aim == SWQ_AIM_ALL || type->aim == SWQ_AIM_SETS;
}

/* Is any group to send such messages? */
bool swq_multicast_asked(const swq_async *spec);

/* The numbers of sets and of their members, which the spec gives, and the arrays for them. */
void swq_node_sets_count(const swq_async *spec, const swq_fabric *fabric, swq_node_sets *sets);
void swq_node_sets_list(swq_node_sets *sets, swq_arrays *list);

/* The number of sets of a type of messages; the sets of a type come after the sets of the types
 * before it. */
uint32_t swq_sets_of_type(const swq_message_type *type);

/* Fills in the sets. Sets of SWQ_AIM_SETS are drawn without replacement, and are the same in all
 * replications, since replications repeat one experiment. O(sum of the squares of the sets'
 * sizes). */
void swq_node_sets_draw(const swq_async *spec, uint64_t seed, swq_node_sets *sets);

#endif
