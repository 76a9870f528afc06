/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A coarse form of a stage's chain: only the length of the followed queue and the number of other
 * packets, both in lumps of a few. Long queues and full pools build up and decay slowly, so that
 * plain steps alone would take thousands; the chain of lumps is solved directly, and says by how
 * much the contents of each lump must be scaled (iterative aggregation and disaggregation: Y.
 * Takahashi, 1975; W. Stewart, Introduction to the Numerical Solution of Markov Chains, 1994,
 * section 6.3).
 */
#ifndef SWQ_APPROX_POOL_COARSE_H
#define SWQ_APPROX_POOL_COARSE_H

#include "switchq/context.h"

typedef struct pool_coarse {
    int rows, lumps;
    int reach;      /* the most lumps by which a cycle changes either number */
    int *of;        /* [capacity + 1]: the lump of a number of packets */
    int *row;       /* [rows + 1]: first lump of a row, which has the lumps of equal queue length */
    int *first;     /* [lumps]: lowest column that is reached, also during elimination */
    size_t *offset; /* [lumps + 1]: offset of its columns, from `first` on, in `flow` */
    double *flow;   /* from lump to lump, at offset[from] + to - first[from] */
    double *factor; /* [lumps] */
} pool_coarse;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status pool_coarse_init(swq_context *ctx, int ports, int capacity, pool_coarse *c);
void pool_coarse_clear(swq_context *ctx, pool_coarse *c);

/* Reset all flows to zero. */
void pool_coarse_start(pool_coarse *c);

static inline int pool_coarse_lump(const pool_coarse *c, int queue, int rest)
{
    return c->row[c->of[queue]] + c->of[rest];
}

static inline void pool_coarse_add(pool_coarse *c, int from, int to, double mass)
{
    c->flow[c->offset[from] + (size_t)(to - c->first[from])] += mass;
}

/* Find the factors by which lumps must be scaled so that as much mass flows into each lump as out
 * of it; all 1 if they cannot be found. Destroys the flow. O(lumps^2 ports / lumps of a row). */
void pool_coarse_solve(pool_coarse *c);

#endif
