/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grids of aggregation (multilevel.h): a chain as a product, the chain of its groups of nodes,
 * the chain of the groups of these groups, and so on. grid.c makes the grids, weighing.c computes
 * the weights that groups send to each other.
 */
#ifndef SWQ_SOLVERS_GRID_H
#define SWQ_SOLVERS_GRID_H

#include "solvers/near.h"
#include "solvers/operator.h"
#include "solvers/sweep.h"

enum { SWQ_MOST_PARTS = 8 }; /* most parts in which a level is weighed, each by a task */

/* A chain at one degree of coarseness: the finest grid is the given chain, and each coarser grid is
 * a chain of groups. */
typedef struct swq_chain_grid {
    swq_product p;
    swq_operator op;
    swq_sweep sweep; /* sweeps over the entries of the single factor; p == NULL: steps of the
                        iteration instead */
    bool borrows;    /* the vectors of op belong to the caller's operator */
    int64_t root;
    const double *b; /* [states]; NULL: the root's unit vector */
    double *own_b;   /* b of a coarse grid, or of sweeps, which the grid owns */
    const int32_t *group[SWQ_MOST_FACTORS]; /* the group of each node; NULL in the coarsest grid */
    int32_t *renumbered[SWQ_MOST_FACTORS];  /* `group`, where groups have other numbers than in the
                                               grouping */
    int64_t groups[SWQ_MOST_FACTORS];
    int32_t *sorted[SWQ_MOST_FACTORS]; /* nodes by group, while the pattern is found */
    int64_t *first[SWQ_MOST_FACTORS];  /* where a group begins in sorted */
    int32_t *slot[SWQ_MOST_FACTORS];   /* where each entry is added in the coarse factor */
    swq_near near[SWQ_MOST_FACTORS];   /* these places, if the factor is packed */
    bool steady[SWQ_MOST_FACTORS]; /* the shares that a group sends to other groups do not depend on
                                      the weights of its nodes: the coarse factor never changes */
    double *weight; /* [groups of any level] total weight of the nodes of each group */
    double *parts[SWQ_MOST_PARTS]; /* sums of the values that entries add to a coarse factor, by
                                      part, except part 0 */
    double *held; /* [states] weights of the groups before the coarse chain was solved; NULL in the
                     finest grid */
    swq_csr own[SWQ_MOST_FACTORS]; /* a coarse grid's factors */
    struct swq_chain_grid *coarser;
} swq_chain_grid;

/* A grid of the given factors; NULL: a grid with factors of its own, which are made later. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_chain_grid_new(swq_context *ctx, int factors, const swq_csr *factor,
                              swq_chain_grid **out);
void swq_chain_grid_free(swq_context *ctx, swq_chain_grid *g); /* also frees all coarser grids */

/* Make the coarser grids of a grouping, except the values of their factors. `omega` as in
 * swq_multilevel_new; `grouping` outlives the grids. Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_EIO. */
swq_status swq_chain_grid_build(swq_context *ctx, swq_chain_grid *finest,
                                const swq_grouping *grouping, double omega);

/* Allocate the arrays for weighing a grid, after the pattern of its coarser grid has been found.
 * Errors: as above. */
swq_status swq_chain_grid_furnish_weights(swq_context *ctx, swq_chain_grid *g);

/* Find the steady levels of the finest grid, and compute their coarse factors once and for all:
 * only for factors whose values never change. Coarser grids get their values later. Errors: as
 * above. */
swq_status swq_chain_grid_find_steady(swq_context *ctx, swq_chain_grid *finest);

/* Make the values of the coarser grid from the weights of the nodes (op.level[0]): for all levels,
 * in one step of the iteration, whose image is left in the last level, or, with sweeps, for the
 * only level. */
void swq_chain_grid_coarsen(swq_chain_grid *g);

/* Group nodes by their distance from the root, for chains without a grouping of their own. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_group_by_distance(swq_context *ctx, const swq_product *p, int64_t root,
                                 swq_grouping *g);

#endif
