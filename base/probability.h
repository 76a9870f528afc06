/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last check of a value that is reported as a probability: an impossible value is a fault of
 * the program, not an answer.
 */
#ifndef SWQ_BASE_PROBABILITY_H
#define SWQ_BASE_PROBABILITY_H

#include "switchq/context.h"

#define SWQ_PROBABILITY_ROUNDING 1e-6

/* Check that `value` is from 0 to 1 + above, up to SWQ_PROBABILITY_ROUNDING. NAN means that there
 * is no value, and passes. Errors: SWQ_EINTERNAL naming `what`. */
swq_status swq_probability_check(swq_context *ctx, const char *what, double value, double above);

#endif
