/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grids of aggregation (multilevel.h): a chain as a product, the chain of its groups of nodes,
 * that of theirs, and so on. grid.c makes them, weighing.c computes what groups send to each other.
 * Room: solvers.
 */
#ifndef SWQ_SOLVERS_GRID_H
#define SWQ_SOLVERS_GRID_H

#include "solvers/near.h"
#include "solvers/operator.h"
#include "solvers/sweep.h"

enum { SWQ_MOST_PARTS = 8 }; /* in which a level is weighed */

/* One degree of coarseness. */
typedef struct swq_chain_grid {
    swq_product p;
    swq_operator op;
    swq_sweep sweep; /* of the single factor; p == NULL: steps of the iteration instead */
    bool borrows;    /* op has somebody else's vectors */
    int64_t root;
    const double *b;                        /* [states]; NULL: the root's unit vector */
    double *own_b;                          /* ... of a coarse grid, or of sweeps */
    const int32_t *group[SWQ_MOST_FACTORS]; /* of each node; NULL in the coarsest grid */
    int32_t *renumbered[SWQ_MOST_FACTORS];  /* ... where they are not those of the grouping */
    int64_t groups[SWQ_MOST_FACTORS];
    int32_t *sorted[SWQ_MOST_FACTORS]; /* nodes by group, while the pattern is found */
    int64_t *first[SWQ_MOST_FACTORS];  /* where a group begins in sorted */
    int32_t *slot[SWQ_MOST_FACTORS];   /* where each entry is added in the coarse factor */
    swq_near near[SWQ_MOST_FACTORS];   /* ... if the factor is packed */
    bool steady[SWQ_MOST_FACTORS];     /* what a group sends to others does not depend on what its
                                          nodes hold: the coarse factor stays as it is */
    double *weight;                    /* [groups of any level] what groups hold */
    double *parts[SWQ_MOST_PARTS];     /* what entries add to a coarse factor, but for part 0 */
    double *held;                      /* [states] what the groups held before they were solved;
                                          NULL in the finest grid */
    swq_csr own[SWQ_MOST_FACTORS];     /* a coarse grid's factors */
    struct swq_chain_grid *coarser;
} swq_chain_grid;

/* A grid of these factors; NULL: of its own, which are still to be made. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_chain_grid_new(swq_context *ctx, int factors, const swq_csr *factor,
                              swq_chain_grid **out);
void swq_chain_grid_free(swq_context *ctx, swq_chain_grid *g); /* and all coarser ones */

/* The coarser grids of a grouping, but for the values of their factors. `omega` as in
 * swq_multilevel_new; `grouping` outlives the grids. Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_EIO. */
swq_status swq_chain_grid_build(swq_context *ctx, swq_chain_grid *finest,
                                const swq_grouping *grouping, double omega);

/* Room for the weighing of a grid whose coarser grid has its pattern. Errors: as above. */
swq_status swq_chain_grid_furnish_weights(swq_context *ctx, swq_chain_grid *g);

/* Find the levels of the finest grid that are steady, and compute their coarse factors once and for
 * all: only for factors whose values stay as they are. Coarser grids have values only later.
 * Errors: as above. */
swq_status swq_chain_grid_find_steady(swq_context *ctx, swq_chain_grid *finest);

/* Make the values of the coarser grid from what the nodes hold (op.level[0]): all levels in one
 * step of the iteration, whose image is left in the last level, or, with sweeps, the one level
 * there is. */
void swq_chain_grid_coarsen(swq_chain_grid *g);

/* Nodes in groups by their distance from the root, for chains of which nothing else is known.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_group_by_distance(swq_context *ctx, const swq_product *p, int64_t root,
                                 swq_grouping *g);

#endif
