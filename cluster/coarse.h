/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of groups of nodes, for aggregation. Groups are those of models/grouping.c; there are a
 * few thousand of them for any size of chain, so their chain is summed over the ranks and solved on
 * rank 0, by the multilevel aggregation of a single process. Room: cluster.
 */
#ifndef SWQ_CLUSTER_COARSE_H
#define SWQ_CLUSTER_COARSE_H

#include "cluster/spread.h"
#include "solvers/multilevel.h"

typedef struct swq_coarse {
    swq_spread_chain *s;
    int words;                         /* of a key */
    swq_intern keys[SWQ_CHAIN_LEVELS]; /* groups by key, the same on all ranks */
    int64_t groups[SWQ_CHAIN_LEVELS];
    int32_t *of[SWQ_CHAIN_LEVELS];    /* [own] group of a node */
    int32_t *halo[SWQ_CHAIN_LEVELS];  /* the same for nodes in the halo of factor k */
    int32_t *order[SWQ_CHAIN_LEVELS]; /* [own] nodes by group */
    swq_csr factor[SWQ_CHAIN_LEVELS]; /* the same pattern on all ranks */
    double *held[SWQ_CHAIN_LEVELS];   /* [groups] sum over the nodes of a group */
    int32_t *place;                   /* [most groups] 1 + entry of the coarse row */
    double *b, *x;                    /* [groups[0]] */
    double *before;                   /* [groups[0]] */
    swq_product product;              /* on rank 0: */
    swq_grouping further;
    swq_multilevel *grids;
} swq_coarse;

/* Group all nodes; the root is a group by itself. root: its number among the own states, or -1. The
 * caller clears *c, also after a failure. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_coarse_new(swq_spread_chain *s, int64_t root, swq_coarse *c);
void swq_coarse_clear(swq_coarse *c);

/* Begin an aggregation with the right-hand side b[own[0]]. */
void swq_coarse_start(swq_coarse *c, const double *b);

/* Record the flow between groups in factor k, from nodes of level k that hold x[own[k]]. Errors:
 * SWQ_EIO. */
swq_status swq_coarse_note(swq_coarse *c, int k, const double *x);

/* Solve the chain that was recorded, and scale each own state so that its group has the right sum.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ESINGULAR, on all ranks. */
swq_status swq_coarse_correct(swq_coarse *c, double *x);

#endif
