/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of groups of nodes, for aggregation. Groups are what models/grouping.c says; there are
 * a few thousand of them however large the chain is, so their chain is summed up over the ranks and
 * solved on rank 0, by the levels of aggregation that one process has. Room: cluster.
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
    int32_t *halo[SWQ_CHAIN_LEVELS];  /* likewise of the nodes in the halo of factor k */
    int32_t *order[SWQ_CHAIN_LEVELS]; /* [own] nodes by group */
    swq_csr factor[SWQ_CHAIN_LEVELS]; /* the same pattern on all ranks */
    double *held[SWQ_CHAIN_LEVELS];   /* [groups] what the nodes of a group hold */
    int32_t *place;                   /* [most groups] 1 + entry of the coarse row */
    double *b, *x;                    /* [groups[0]] */
    double *before;                   /* [groups[0]] */
    swq_product product;              /* rank 0: */
    swq_grouping further;
    swq_multilevel *grids;
} swq_coarse;

/* Group all nodes, the root alone. root: its number among the own states, or -1. The caller clears
 * *c, also after a failure. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_coarse_new(swq_spread_chain *s, int64_t root, swq_coarse *c);
void swq_coarse_clear(swq_coarse *c);

/* Begin with a right-hand side b[own[0]]. */
void swq_coarse_start(swq_coarse *c, const double *b);

/* Take note of what leaves the nodes of level k, which hold x[own[k]], by factor k. Errors:
 * SWQ_EIO.
 */
swq_status swq_coarse_note(swq_coarse *c, int k, const double *x);

/* Solve the chain that was noted, and give each own state its share of what its group should hold.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ESINGULAR, agreed on. */
swq_status swq_coarse_correct(swq_coarse *c, double *x);

#endif
