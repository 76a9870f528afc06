/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of the nodes of a decision process, and their iteration: the value of a node is its cost
 * from now on, relative to other nodes.
 */
#ifndef SWQ_EXACT_VALUES_H
#define SWQ_EXACT_VALUES_H

#include "models/decisions.h"

typedef struct swq_values {
    const swq_decisions *d;
    long double *of[SWQ_STAGES]; /* by node; in stage 0 the smallest is subtracted */
    int64_t *best[SWQ_STAGES];   /* by node: the action last found best */
    long double *fresh;          /* [states] the values after one more cycle */
    int64_t iterations;
} swq_values;

/* Packets lost per cycle under the best policy: the estimate, a lower bound for all policies, and
 * an upper bound for the best one. */
typedef struct swq_gain {
    long double value, lower, upper;
} swq_gain;

/* Allocate zero values. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */ swq_status
swq_values_init(swq_context *ctx, const swq_decisions *d, swq_values *v);
void swq_values_clear(swq_context *ctx, swq_values *v);

/* Iterate until the gain's interval is narrower than tolerance times the gain. After `most`
 * iterations, the status is SWQ_ECONVERGE, with the gain reached. Errors: SWQ_ECANCELLED,
 * SWQ_ENOMEM. */
swq_status swq_values_iterate(swq_context *ctx, swq_values *v, double tolerance, int64_t most,
                              swq_gain *gain);

/* The cost of one action of a node of stage k, by the current values. */
long double swq_value_of_action(const swq_values *v, int k, int64_t action);

#endif
