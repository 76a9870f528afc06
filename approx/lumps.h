/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A coarse form of a chain: its states in lumps along a line, where a cycle leads only to lumps
 * nearby. Full buffers fill and drain slowly, so that plain steps take thousands; the chain of the
 * lumps is solved directly, and gives the factor by which the mass in each lump must be scaled
 * (iterative aggregation and disaggregation: Y. Takahashi, 1975; W. Stewart, Introduction to the
 * Numerical Solution of Markov Chains, 1994, section 6.3). For a stationary distribution all
 * factors are 1, so that lumps do not change the fixed point of the iteration.
 */
#ifndef SWQ_APPROX_LUMPS_H
#define SWQ_APPROX_LUMPS_H

#include "switchq/context.h"

#include <stdbool.h>

typedef struct approx_lumps {
    int count;
    int down, up;   /* from lump i a cycle leads to i - down .. i + up */
    double *flow;   /* [count][down + 1 + up] */
    double *held;   /* [count]: probability of a lump before the cycle */
    double *came;   /* [count]: probability of a lump after the cycle */
    double *factor; /* [count]: by which the states of a lump are to be multiplied */
} approx_lumps;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status approx_lumps_init(swq_context *ctx, int count, int down, int up, approx_lumps *lumps);
void approx_lumps_clear(swq_context *ctx, approx_lumps *lumps);

/* Set all flows to zero. */
void approx_lumps_start(approx_lumps *lumps);

/* Add the mass that goes from one lump to another in a cycle, or stays. */
static inline void approx_lumps_add(approx_lumps *l, int from, int to, double mass)
{
    l->flow[(size_t)from * (size_t)(l->down + 1 + l->up) + (size_t)(to - from + l->down)] += mass;
}

/* Find the factors by which the mass in each lump after the cycle must be scaled so that the lumps
 * have their long-run masses; all 1 if the factors cannot be found. Lumps that were empty before
 * the cycle keep the mass that has come, since it is not known where this mass would go. Destroys
 * the flow. O(count up down). */
void approx_lumps_solve(approx_lumps *lumps);

#endif
