/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What finds single numbers and claims, with printed_row's `find`: where neither a figure nor the
 * answer of a command (targets_asked.c) has them.
 */
#ifndef SWQ_VALIDATE_PRINTED_FIND_H
#define SWQ_VALIDATE_PRINTED_FIND_H

#include "validate/checks/printed.h"

typedef swq_status printed_find_fn(swq_context *ctx, swq_effort effort, uint64_t seed,
                                   swq_finding *finding);

/* chapter 7 */
printed_find_fn printed_chip_move;

/* document 003 */
printed_find_fn printed_pipelines, printed_bmin_buffer, printed_bmin_cycles;

/* document 002 */
printed_find_fn printed_overlap, printed_merging;

#endif
