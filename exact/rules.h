/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A policy as lines of text.
 */
#ifndef SWQ_EXACT_RULES_H
#define SWQ_EXACT_RULES_H

#include "exact/values.h"
#include "switchq/optimal.h"

/* Fill in rules, rule and text of *optimal from values that have converged; the caller clears it,
 * also after an error. Errors: SWQ_ENOMEM, SWQ_ELIMIT. Cost: that of one iteration, and a
 * microsecond per line. */
swq_status swq_rules_list(swq_context *ctx, const swq_values *values, swq_optimal *optimal);

#endif
