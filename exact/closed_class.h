/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states that a chain does not leave.
 * Room: exact. Includes base.
 */
#ifndef SWQ_EXACT_CLOSED_CLASS_H
#define SWQ_EXACT_CLOSED_CLASS_H

#include "exact/integers.h"

/* number[rows]: numbers the states of one closed class, in their order, and is -1 elsewhere;
 * *states are in it, of *classes closed classes in all. Errors: SWQ_ENOMEM, SWQ_ELIMIT. Cost: two
 * searches for each class, and for each step from a transient class to the next on the way there.
 */
swq_status swq_closed_classes(swq_context *ctx, const swq_integer_rows *p, int32_t *number,
                              int64_t *states, int64_t *classes);

#endif
