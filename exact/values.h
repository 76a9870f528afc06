/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of the nodes of a decision process, and their iteration: what a node costs more than
 * another from now on.
 * Room: exact.
 */
#ifndef SWQ_EXACT_VALUES_H
#define SWQ_EXACT_VALUES_H

#include "models/decisions.h"

typedef struct swq_values {
    const swq_decisions *d;
    long double *of[SWQ_STAGES]; /* by node; stage 0: less the smallest */
    int64_t *best[SWQ_STAGES];   /* by node: the action last found best */
    long double *fresh;          /* [states] one cycle further */
    int64_t iterations;
} swq_values;

/* Packets per cycle under the best policy: the estimate, and what no policy can be below and the
 * best policy cannot be above. */
typedef struct swq_gain {
    long double value, lower, upper;
} swq_gain;

/* All zero. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_values_init(swq_context *ctx, const swq_decisions *d, swq_values *v);
void swq_values_clear(swq_context *ctx, swq_values *v);

/* Iterate until the gain's interval is narrower than tolerance times the gain, or `most` cycles are
 * done: SWQ_ECONVERGE, with the gain that was reached. Errors: SWQ_ECANCELLED, SWQ_ENOMEM. */
swq_status swq_values_iterate(swq_context *ctx, swq_values *v, double tolerance, int64_t most,
                              swq_gain *gain);

/* What one action of a node of stage k costs, by the values as they are. */
long double swq_value_of_action(const swq_values *v, int k, int64_t action);

#endif
