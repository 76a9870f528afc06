/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small banded chains, solved by elimination without subtraction.
 */
#ifndef SWQ_APPROX_HOTSPOT_CHAIN_H
#define SWQ_APPROX_HOTSPOT_CHAIN_H

#include "switchq/context.h"

typedef struct hot_chain {
    size_t most, most_reach; /* largest sizes that memory is allocated for */
    int n, reach;
    double *p;  /* [n * (2 reach + 1)]: row i holds columns i - reach .. i + reach */
    double *pi; /* [n] */
} hot_chain;

/* Allocate memory for chains with this number of states and this reach. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status hot_chain_init(swq_context *ctx, size_t states, size_t reach, hot_chain *chain);
void hot_chain_clear(swq_context *ctx, hot_chain *chain);

/* Reset to n states without transitions. */
void hot_chain_start(hot_chain *chain, int n, int reach);

static inline void hot_chain_add(hot_chain *chain, int from, int to, double probability)
{
    chain->p[(size_t)from * (size_t)(2 * chain->reach + 1) + (size_t)(to - from + chain->reach)] +=
        probability;
}

/* Compute the stationary distribution pi of the states that state 0 reaches. Destroys the
 * transitions. O(n reach^2) (Grassmann, Taksar and Heyman, 1985). */
void hot_chain_solve(hot_chain *chain);

#endif
