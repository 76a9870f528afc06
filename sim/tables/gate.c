/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate of everything that computes with the rules of a network.
 */
#include "sim/tables/gate.h"

#include "models/gate.h"

#include <stddef.h>

#define GATED(word, table, type)                                                                   \
    {                                                                                              \
        word, (const void *const *)(table), offsetof(type, needs)                                  \
    }

const swq_gated swq_gated_topologies = GATED("topology", swq_topologies, swq_topology),
                swq_gated_patterns = GATED("traffic", swq_patterns, swq_pattern),
                swq_gated_fabrics = GATED("topology", swq_fabric_kinds, swq_fabric_kind),
                swq_gated_routings = GATED("routing", swq_routings, swq_routing),
                swq_gated_hop_flows = GATED("flow", swq_hop_flows, swq_hop_flow),
                swq_gated_senders = GATED("sender", swq_sender_schemes, swq_sender_scheme),
                swq_gated_selections = GATED("choice", swq_selections, swq_selection),
                swq_gated_lane_choices = GATED("lane-choice", swq_lane_choices, swq_lane_choice),
                swq_gated_managements = GATED("management", swq_managements, swq_management);

swq_status swq_gate_network(swq_context *ctx, const swq_takes *takes, const swq_network *n)
{
    swq_status status = swq_gate_switch(ctx, takes, &n->sw);

    if (!status)
        status = swq_gate(ctx, takes, &swq_gated_fabrics, n->shape.kind);
    if (!status && n->shape.wiring)
        status = swq_gate(ctx, takes, &swq_gated_topologies, n->shape.wiring);
    if (!status && n->traffic.pattern)
        status = swq_gate(ctx, takes, &swq_gated_patterns, n->traffic.pattern);
    return status;
}

/* The patterns of all senders. */
static swq_status gate_patterns(swq_context *ctx, const swq_takes *takes, const swq_async *n)
{
    swq_status status = SWQ_OK;

    for (int g = 0; g < n->traffic.groups; g++) {
        for (int t = 0; t < n->traffic.group[g].types && !status; t++) {
            const swq_pattern *pattern = n->traffic.group[g].type[t].pattern;
            if (n->traffic.group[g].type[t].aim == SWQ_AIM_PATTERN && pattern)
                status = swq_gate(ctx, takes, &swq_gated_patterns, pattern);
        }
    }
    return status;
}

swq_status swq_gate_async(swq_context *ctx, const swq_takes *takes, const swq_async *n)
{
    const struct {
        const swq_gated *table;
        const void *row;
    } rows[] = {
        {&swq_gated_fabrics, n->shape.kind},
        {&swq_gated_routings, n->shape.routing},
        {&swq_gated_architectures, n->architecture.row},
        {&swq_gated_managements, n->management.row},
        {&swq_gated_hop_flows, n->flow.row},
        {&swq_gated_arbiters, n->arbiter.row},
        {&swq_gated_selections, n->arbiter.choice},
        {&swq_gated_lane_choices, n->architecture.lanes.choice},
        {&swq_gated_senders, n->sender.row},
        {&swq_gated_admission_rules, swq_buffer_admission(&n->memory.buffer)},
    };
    swq_status status = SWQ_OK;

    for (size_t k = 0; k < sizeof rows / sizeof *rows && !status; k++) {
        if (rows[k].row)
            status = swq_gate(ctx, takes, rows[k].table, rows[k].row);
    }
    return status ? status : gate_patterns(ctx, takes, n);
}
