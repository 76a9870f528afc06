/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The queues of a pool that are not followed one by one: of them only the total is in the state.
 * How many of them hold packets is found as if all queues, given the pool's total, were independent
 * ones: P(q1 .. qk | total) = w(q1) .. w(qk) / sum. The weights w are such that the queue that is
 * followed is distributed as it is.
 * Room: approx. Includes base.
 */
#ifndef SWQ_APPROX_POOL_REST_H
#define SWQ_APPROX_POOL_REST_H

#include "switchq/context.h"

typedef struct pool_rest {
    int ports, capacity;
    double *folded; /* [(ports + 1) * (capacity + 1)]: n packets in m queues, none of them empty */
    double *nonempty; /* [(capacity + 1) * ports]: P(m queues of the rest hold packets | total r) */
    double *others;   /* [capacity + 1]: n packets in the rest's queues */
    double *all;      /* [capacity + 1]: and in all queues */
} pool_rest;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status pool_rest_init(swq_context *ctx, int ports, int capacity, pool_rest *rest);
void pool_rest_clear(swq_context *ctx, pool_rest *rest);

/* By the weights [capacity + 1]. O(ports capacity^2). */
void pool_rest_find(pool_rest *rest, const double *weight);

/* The weights that make the followed queue's distribution length[capacity + 1], given that of the
 * pool's total; one step of proportional fitting from those last found by. Lengths that are less
 * probable than `rare` are not worth a weight. */
void pool_rest_fit(const pool_rest *rest, const double *total, const double *length, double rare,
                   double *weight);

#endif
