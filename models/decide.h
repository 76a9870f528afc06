/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An arbitration of a tuple of rows, with every possible outcome.
 * Room: models.
 */
#ifndef SWQ_MODELS_DECIDE_H
#define SWQ_MODELS_DECIDE_H

#include "models/matching.h"

/* sent[k]: the outputs that the row in place k sends to, as a mask. */
typedef swq_status swq_decision_fn(void *arg, const uint32_t *sent, long double chance);

/* Call `each` for all combinations of the decisions about the parts of the switch that node[ports]
 * describes; their chances sum to one. Errors: SWQ_ENOMEM, SWQ_ELIMIT, those of `each`. */
swq_status swq_decide(swq_context *ctx, const swq_rows *rows, swq_matchings *matchings,
                      const swq_word *node, swq_decision_fn *each, void *arg);

/* Likewise where each output chooses by itself: of the crosspoints that the rows have, or of the
 * rows' own queues where there are no crosspoints behind. */
swq_status swq_decide_columns(const swq_rows *rows, const swq_word *node, swq_decision_fn *each,
                              void *arg);

/* The same where there are two classes: heads of high priority first, which are in the masks' upper
 * halves. */
swq_status swq_decide_classes(swq_context *ctx, const swq_rows *rows, swq_matchings *matchings,
                              const swq_word *node, swq_decision_fn *each, void *arg);

#endif
