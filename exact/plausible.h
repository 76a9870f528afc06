/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that values reported as probabilities are possible ones.
 */
#ifndef SWQ_EXACT_PLAUSIBLE_H
#define SWQ_EXACT_PLAUSIBLE_H

#include "switchq/exact.h"

/* Check all probabilities in the answers of a switch. Errors: SWQ_EINTERNAL. */
swq_status swq_answers_check(swq_context *ctx, const swq_answers *answers, int ports);

#endif
