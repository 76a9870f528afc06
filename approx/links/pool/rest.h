/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The queues of a pool that are not followed: the state has only their total. How many of them hold
 * packets is computed as if all queues were independent given the pool's total: P(q1 .. qk | total)
 * = w(q1) .. w(qk) / sum. The weights w are fitted to the distribution of the queue that is
 * followed.
 */
#ifndef SWQ_APPROX_POOL_REST_H
#define SWQ_APPROX_POOL_REST_H

#include "switchq/context.h"

typedef struct pool_rest {
    int ports, capacity;
    double *folded; /* [(ports + 1) * (capacity + 1)]: weight of n packets in m queues, none of them
                       empty */
    double *nonempty; /* [(capacity + 1) * ports]: P(m queues of the rest hold packets | total r) */
    double *others;   /* [capacity + 1]: weight of n packets in the other queues */
    double *all;      /* [capacity + 1]: weight of n packets in all queues */
} pool_rest;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status pool_rest_init(swq_context *ctx, int ports, int capacity, pool_rest *rest);
void pool_rest_clear(swq_context *ctx, pool_rest *rest);

/* Compute all of *rest from the weights [capacity + 1]. O(ports capacity^2). */
void pool_rest_find(pool_rest *rest, const double *weight);

/* Find the weights with which the followed queue has the distribution length[capacity + 1], given
 * the distribution of the pool's total: one step of proportional fitting from the weights of the
 * last pool_rest_find. Lengths less probable than `rare` get no weight of their own. */
void pool_rest_fit(const pool_rest *rest, const double *total, const double *length, double rare,
                   double *weight);

#endif
