/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A share of a chain: the nodes that one of several processes owns. Each process has the same table
 * of rows, so that a node is the same words everywhere; which nodes it owns is for the caller to
 * say, who adds them to the sets of the chain below and keeps what leads from them elsewhere (the
 * chain has no factors). All that can be asked of a state of a chain can be asked of an own state.
 * Room: models.
 */
#ifndef SWQ_MODELS_SHARE_H
#define SWQ_MODELS_SHARE_H

#include "models/chain_parts.h"

typedef struct swq_share swq_share;

/* Start without nodes; the table of rows is complete. The caller frees *share. Errors: as
 * swq_chain_generate, but for the limit of memory, which is the caller's to hold the foreseen size
 * against; SWQ_EINVAL for a switch that is not taken apart into rows (pools, arbiters with
 * pointers), or has packets of high priority or memory behind its crossbar. */
swq_status swq_share_new(swq_context *ctx, const swq_switch *sw, bool reduce, swq_share **share);
void swq_share_free(swq_context *ctx, swq_share *share);

swq_chain *swq_share_chain(swq_share *share);

/* The empty switch: node[rows.tuple]. */
swq_status swq_share_first(swq_share *share, swq_word *node);

/* Go through the ways on from own node `number` of a level; for a state, note what its inputs
 * expect of a reception as well. Errors: SWQ_ENOMEM, SWQ_ELIMIT, those of `each`; SWQ_EINTERNAL if
 * a row turns up that the table lacks. */
swq_status swq_share_expand(swq_share *share, int level, int64_t number, swq_way_fn *each,
                            void *arg);

/* Relative error of the entries of a level's factor, in roundings of 2^-53, each of which was
 * summed in long double from at most `most_met` ways; inexact: some were rounded to double. */
double swq_share_roundings(const swq_share *share, int level, int64_t most_met, bool inexact);

#endif
