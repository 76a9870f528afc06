/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate of everything that computes with one switch's rules.
 */
#ifndef SWQ_MODELS_GATE_H
#define SWQ_MODELS_GATE_H

#include "switchq/switch.h"

extern const swq_gated swq_gated_arbiters, swq_gated_pool_rules, swq_gated_admission_rules,
    swq_gated_architectures;

/* What chains have. */
extern const swq_takes swq_chain_takes;

/* Refuse a switch of which a row has a need that `takes` does not list: its architecture, its pool
 * rule or else its arbiter, its rule of admission. Errors: SWQ_EINVAL naming the row, the need and
 * the consumer that does not meet it. */
swq_status swq_gate_switch(swq_context *ctx, const swq_takes *takes, const swq_switch *sw);

#endif
