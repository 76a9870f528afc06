/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An arbitration of a tuple of rows, with every possible outcome.
 */
#ifndef SWQ_MODELS_DECIDE_H
#define SWQ_MODELS_DECIDE_H

#include "models/matching.h"

/* sent[k]: the outputs to which the row in place k sends, as a mask. */
typedef swq_status swq_decision_fn(void *arg, const uint32_t *sent, long double chance);

/* Call `each` for all combinations of decisions about the parts of the switch that node[ports]
 * describes; their probabilities sum to one. Errors: SWQ_ENOMEM, SWQ_ELIMIT, those of `each`. */
swq_status swq_decide(swq_context *ctx, const swq_rows *rows, swq_matchings *matchings,
                      const swq_word *node, swq_decision_fn *each, void *arg);

/* swq_decide for outputs that choose independently: from the rows' crosspoints, or from the rows'
 * own queues if there are no crosspoints. */
swq_status swq_decide_columns(const swq_rows *rows, const swq_word *node, swq_decision_fn *each,
                              void *arg);

/* swq_decide for two classes: heads of high priority, which are in the upper halves of the masks,
 * are matched first. */
swq_status swq_decide_classes(swq_context *ctx, const swq_rows *rows, swq_matchings *matchings,
                              const swq_word *node, swq_decision_fn *each, void *arg);

#endif
