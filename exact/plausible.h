/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is told as a probability is one.
 * Room: exact.
 */
#ifndef SWQ_EXACT_PLAUSIBLE_H
#define SWQ_EXACT_PLAUSIBLE_H

#include "switchq/exact.h"

/* All probabilities among the answers of a switch with so many ports. Errors: SWQ_EINTERNAL. */
swq_status swq_answers_check(swq_context *ctx, const swq_answers *answers, int ports);

#endif
