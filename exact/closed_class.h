/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Closed classes: sets of states that a chain does not leave.
 */
#ifndef SWQ_EXACT_CLOSED_CLASS_H
#define SWQ_EXACT_CLOSED_CLASS_H

#include "exact/integers.h"

/* number[rows] receives the numbers of the states of one closed class, in their order, and -1
 * elsewhere; *states their number, and *classes the number of closed classes. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. Cost: two searches for each closed class, and for each transient class on the way
 * there. */
swq_status swq_closed_classes(swq_context *ctx, const swq_integer_rows *p, int32_t *number,
                              int64_t *states, int64_t *classes);

#endif
