/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of groups of nodes, for aggregation. There are a few thousand groups for any size of
 * chain, so their chain is summed over the ranks and solved on rank 0, by the multilevel
 * aggregation of a single process.
 */
#ifndef SWQ_CLUSTER_COARSE_H
#define SWQ_CLUSTER_COARSE_H

#include "cluster/spread.h"
#include "solvers/multilevel.h"
#include "solvers/near.h"

typedef struct swq_coarse {
    swq_spread_chain *s;
    int64_t root;        /* the root's number among this rank's states; -1: another rank has
                            the root */
    int32_t root_group;  /* the group out of which the root is taken */
    bool root_was_alone; /* no node is left in root_group */
    int64_t groups[SWQ_CHAIN_LEVELS]; /* in level 0, the last is the root */
    bool steady[SWQ_CHAIN_LEVELS];    /* the sums that a group sends on do not depend on the values
                                         of its nodes: see swq_chain_grid */
    swq_csr factor[SWQ_CHAIN_LEVELS]; /* the same pattern on all ranks */
    swq_near home[SWQ_CHAIN_LEVELS], away[SWQ_CHAIN_LEVELS]; /* the places at which entries are
                                                                added in the factor */
    double *held[SWQ_CHAIN_LEVELS]; /* [groups] sum over the nodes of a group */
    double *b, *x;                  /* [groups[0]] */
    double *before;                 /* [groups[0]] */
    swq_product product;            /* on rank 0: */
    swq_grouping further;
    swq_multilevel *grids;
} swq_coarse;

/* Prepare for the groups of the chain and a group of the root alone; root: the root's number among
 * the own states, or -1. Only one swq_coarse exists at a time. The caller clears *c, also after a
 * failure. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_coarse_new(swq_spread_chain *s, int64_t root, swq_coarse *c);
void swq_coarse_clear(swq_coarse *c);

/* Begin an aggregation with the right-hand side b[own[0]]. */
void swq_coarse_start(swq_coarse *c, const double *b);

/* Record the flow between groups in factor k, from nodes of level k that hold x[own[k]]: a
 * swq_spread_note_fn, whose `arg` is the swq_coarse. */
void swq_coarse_note(void *arg, int k, const double *x);

/* Solve the chain that was recorded, and scale each own state so that its group has the right sum.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ESINGULAR, on all ranks. */
swq_status swq_coarse_correct(swq_coarse *c, double *x);

#endif
