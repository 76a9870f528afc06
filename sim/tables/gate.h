/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate of everything that computes with the rules of a network.
 */
#ifndef SWQ_SIM_TABLES_GATE_H
#define SWQ_SIM_TABLES_GATE_H

#include "switchq/async.h"
#include "switchq/sim.h"

extern const swq_gated swq_gated_topologies, swq_gated_patterns, swq_gated_fabrics,
    swq_gated_routings, swq_gated_hop_flows, swq_gated_senders, swq_gated_selections,
    swq_gated_lane_choices, swq_gated_managements;

/* Refuse a network of which a row has a need that `takes` does not list. A missing row, such as the
 * sender scheme of an asynchronous network without one, needs nothing. Errors: SWQ_EINVAL naming
 * the row, the need, and the consumer (takes->who) that does not meet it. */
swq_status swq_gate_network(swq_context *ctx, const swq_takes *takes, const swq_network *network);
swq_status swq_gate_async(swq_context *ctx, const swq_takes *takes, const swq_async *network);

#endif
