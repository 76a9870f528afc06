/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What it takes to solve a chain, before it is generated. Room: exact.
 */
#ifndef SWQ_EXACT_FORESEE_H
#define SWQ_EXACT_FORESEE_H

#include "models/chain_parts.h"
#include "switchq/exact.h"

typedef struct swq_foreseen {
    double states; /* that will be reached */
    double bytes;  /* of memory at the peak, of generating or of solving by aggregation */
    double filed;  /* bytes in a file, if the context has one */
} swq_foreseen;

typedef swq_status swq_solve_fn(swq_context *ctx, const swq_switch *sw,
                                const swq_exact_options *options, swq_answers *answers);

/* Foresee by example: `solve` a chain of the same switch with fewer slots, of a few thousand
 * states; what it takes grows on with the states, and these with the contents that
 * swq_chain_foresee counts, or faster if a still smaller example shows that. *foreseen is zero
 * where there is no example to go by, or the method is none whose memory grows with the states.
 * Costs a few tenths of a second. Errors: as swq_chain_foresee, SWQ_ENOMEM. */
swq_status swq_exact_foresee(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, swq_solve_fn *solve,
                             swq_foreseen *foreseen);

/* Does the chain keep the memory limit, if there is one? Examples are looked at only where it might
 * not; without them, what is foreseen of the generation decides. Errors: SWQ_ELIMIT, with what it
 * would take, and those of swq_exact_foresee. */
swq_status swq_exact_check_room(swq_context *ctx, const swq_switch *sw,
                                const swq_exact_options *options, swq_solve_fn *solve);

#endif
