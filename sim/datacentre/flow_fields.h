/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of lists of flows share: fields of a line, and the checks of a flow.
 */
#ifndef SWQ_SIM_DATACENTRE_FLOW_FIELDS_H
#define SWQ_SIM_DATACENTRE_FLOW_FIELDS_H

#include "sim/datacentre/flow_list.h"

/* The next field of the line as text, cut to the room; "" at the end of the line. */
void swq_flow_word(swq_lines *l, char *field, size_t room);

/* Numbers of a flow, by their names in messages. */
swq_status swq_flow_node(swq_lines *l, const char *what, uint32_t nodes, uint32_t *node);
swq_status swq_flow_bytes(swq_lines *l, uint64_t most, uint64_t *bytes);

/* A start, of which `unit` is ps or s, as an exact decimal. */
swq_status swq_flow_start(swq_lines *l, const char *unit, uint64_t *start);

/* Errors: SWQ_EINVAL if a flow goes from a node to itself. */
swq_status swq_flow_ends_differ(swq_lines *l, const swq_listed_flow *flow);

#endif
