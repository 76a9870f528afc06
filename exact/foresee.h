/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory for solving a chain, before it is generated.
 */
#ifndef SWQ_EXACT_FORESEE_H
#define SWQ_EXACT_FORESEE_H

#include "models/chain_parts.h"
#include "switchq/exact.h"

typedef struct swq_foreseen {
    double states; /* states that will be reached */
    double bytes;  /* peak memory of generating, or of solving by aggregation */
    double filed;  /* bytes in a file, if the context has one */
} swq_foreseen;

typedef swq_status swq_solve_fn(swq_context *ctx, const swq_switch *sw,
                                const swq_exact_options *options, swq_answers *answers);

/* Foresee by example: `solve` a chain of the same switch with fewer slots, of some thousand states;
 * memory is extrapolated in proportion to the states, and the states in proportion to the contents
 * that swq_chain_foresee counts, or faster if a still smaller example shows faster growth.
 * *foreseen is zero if there is no example, or the memory of the method is not proportional to the
 * states. Costs a few tenths of a second. Errors: as swq_chain_foresee, SWQ_ENOMEM. */
swq_status swq_exact_foresee(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, swq_solve_fn *solve,
                             swq_foreseen *foreseen);

/* Check that the chain is within the memory limit, if there is one. Examples are solved only if the
 * chain might exceed the limit; without examples, the size foreseen for the generation decides.
 * Errors: SWQ_ELIMIT, naming the memory needed, and those of swq_exact_foresee. */
swq_status swq_exact_check_room(swq_context *ctx, const swq_switch *sw,
                                const swq_exact_options *options, swq_solve_fn *solve);

#endif
