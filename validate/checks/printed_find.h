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

/* the network of 64 nodes, simulated */
printed_find_fn printed_identity, printed_cbda_spread;

/* chapters 7 and 8 */
printed_find_fn printed_chip_move;
printed_find_fn printed_combined_best, printed_usage_of_counters;

/* described in the text of documents 003 and 004 */
printed_find_fn printed_pipelines, printed_chained_tori, printed_large_last_stage;
printed_find_fn printed_better_than_damq, printed_better_than_crosspoints;

/* document 003 */
printed_find_fn printed_bmin_buffer, printed_bmin_cycles, printed_hipiqs_least;

/* document 002 */
printed_find_fn printed_larger_effect, printed_overlap, printed_merging;

#endif
