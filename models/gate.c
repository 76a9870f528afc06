/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate of everything that computes with one switch's rules.
 */
#include "models/gate.h"

#include <stddef.h>

#define ROWS(table) (const void *const *)(table)

const swq_gated swq_gated_arbiters = {"arbiter", ROWS(swq_arbiters), offsetof(swq_arbiter, needs)};
const swq_gated swq_gated_pool_rules = {"pool-rule", ROWS(swq_pool_rules),
                                        offsetof(swq_pool_rule, needs)};
const swq_gated swq_gated_admission_rules = {"admission", ROWS(swq_admission_rules),
                                             offsetof(swq_admission_rule, needs)};
const swq_gated swq_gated_architectures = {"architecture", ROWS(swq_architectures),
                                           offsetof(swq_architecture, needs)};

swq_status swq_gate_switch(swq_context *ctx, const swq_takes *takes, const swq_switch *sw)
{
    swq_status status = swq_gate(ctx, takes, &swq_gated_architectures, swq_switch_architecture(sw));

    /* all queues of a pool send: it has no arbiter */
    if (!status && sw->buffer.scope == SWQ_POOL)
        status = swq_gate(ctx, takes, &swq_gated_pool_rules, swq_buffer_pool_rule(&sw->buffer));
    else if (!status)
        status = swq_gate(ctx, takes, &swq_gated_arbiters, sw->arbiter);
    return status ? status
                  : swq_gate(ctx, takes, &swq_gated_admission_rules,
                             swq_buffer_admission(&sw->buffer));
}
