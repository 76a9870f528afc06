/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last check of a value reported as a probability: nonsense is a fault to report, not an
 * answer.
 * Room: base.
 */
#ifndef SWQ_BASE_PROBABILITY_H
#define SWQ_BASE_PROBABILITY_H

#include "switchq/context.h"

#define SWQ_PROBABILITY_ROUNDING 1e-6

/* Is `value` from 0 to 1 + above, but for SWQ_PROBABILITY_ROUNDING? NAN is nothing told, and is.
 * Errors: SWQ_EINTERNAL naming `what`. */
swq_status swq_probability_check(swq_context *ctx, const char *what, double value, double above);

#endif
