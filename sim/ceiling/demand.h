/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic as a matrix, row by row: how much each node sends to each other one.
 */
#ifndef SWQ_SIM_CEILING_DEMAND_H
#define SWQ_SIM_CEILING_DEMAND_H

#include "switchq/async.h"

/* What the senders of a network aim at, laid out. */
typedef struct swq_demand {
    const swq_async *network;
    const swq_fabric *fabric;
    uint32_t *image[SWQ_MAX_SENDER_GROUPS][SWQ_MAX_MESSAGE_TYPES]; /* [nodes] of permutations */
} swq_demand;

/* For a network that has been checked, and its fabric, counted or laid out. Free with
 * swq_demand_clear, also after an error. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_demand_lay(swq_context *ctx, const swq_async *network, const swq_fabric *fabric,
                          uint64_t seed, swq_demand *demand);
void swq_demand_clear(swq_context *ctx, swq_demand *demand);

/* Why there is no such matrix (multicast, a trace, groups that begin or end); NULL: there is. */
const char *swq_demand_none(const swq_async *network);

/* busy[to], [nodes]: cycles for which messages from a node to node `to` keep a link busy, one of
 * the fastest, in each cycle at a load of 1, which is what the node's own link carries; what a node
 * would send to itself is 0 in point-to-point fabrics, where it is not sent. Returns the bytes that
 * are sent in each cycle then, at most the speed of that link. */
double swq_demand_row(const swq_demand *demand, uint32_t from, double *busy);

#endif
