/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Aggregation and disaggregation on several levels of coarseness, for x = b + x Q with positive b
 * and x. A cycle takes some steps of the iteration itself, weighs the transitions between groups of
 * nodes by the nodes' current weights, solves the small chain of the groups (in the same way, or by
 * elimination when it is small enough), and scales the nodes of each group to the group's new
 * weight. All steps add and multiply positive numbers, so an entry of 1e-30 is known as well,
 * relatively, as one of 0.1. Between cycles, Anderson mixing.
 *
 * The product is never multiplied out: the levels of its nodes are the steps of one long cycle, and
 * aggregation works on all of them. Sources: R. Koury, D. McAllister, W. Stewart, SIAM J. Alg.
 * Disc. Meth. 5(2), 1984; G. Horton, S. Leutenegger, SIGMETRICS 1994; H. De Sterck et al., SIAM
 * J. Sci. Comput. 30(5), 2008.
 */
#ifndef SWQ_SOLVERS_MULTILEVEL_H
#define SWQ_SOLVERS_MULTILEVEL_H

#include "solvers/operator.h"
#include "switchq/solver.h"

typedef struct swq_multilevel swq_multilevel;

/* Prepare for a product and a root. grouping may be NULL: the nodes are then grouped by their
 * distance from the root. Between aggregations come steps of the iteration (omega 0) or, for a
 * product of one factor, sweeps of Gauss-Seidel (1) or over-relaxation (above 1). Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. `grouping` outlives *m. Memory: a number for each node,
 * SWQ_MIXING_BYTES for each state, and the coarse chains. */
swq_status swq_multilevel_new(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                              int64_t root, double omega, swq_multilevel **m);

/* swq_multilevel_new with steps of the iteration, for a product whose factors have their pattern
 * but no values yet, and may have other values in every solve: nothing is concluded from values. */
swq_status swq_multilevel_new_varying(swq_context *ctx, const swq_product *p,
                                      const swq_grouping *grouping, int64_t root,
                                      swq_multilevel **m);
void swq_multilevel_free(swq_context *ctx, swq_multilevel *m);

/* swq_multilevel_new with the vectors of `op`, for its product and its root: the content of these
 * vectors is lost in every solve. `op` and `grouping` outlive *m. */
swq_status swq_multilevel_new_on(swq_context *ctx, const swq_operator *op,
                                 const swq_grouping *grouping, double omega, swq_multilevel **m);

/* Vector k < SWQ_LENT_VECTORS, with a number for each state, which the caller may use between two
   solves.
 */
enum { SWQ_LENT_VECTORS = 3 };
long double *swq_multilevel_lend(swq_multilevel *m, int k);

/* Improve x, which must be positive wherever the solution is, until a cycle changes no entry by
 * more than `tolerance` of itself or the changes come down to rounding. b is the root's unit vector
 * if it is NULL. *change receives the last
 * change, *cycles is counted up. Errors: SWQ_ECONVERGE after most_cycles, x the last iterate;
 * SWQ_ECANCELLED, SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ESINGULAR. */
swq_status swq_multilevel_solve(swq_context *ctx, swq_multilevel *m, const double *b, double *x,
                                double tolerance, int64_t most_cycles, double *change,
                                int64_t *cycles);

#endif
