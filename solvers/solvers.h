/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The methods, a row and a file each.
 */
#ifndef SWQ_SOLVERS_H
#define SWQ_SOLVERS_H

#include "switchq/solver.h"

extern const swq_solver swq_solver_auto, swq_solver_gth, swq_solver_sparse_gth, swq_solver_lu,
    swq_solver_umfpack, swq_solver_gauss_seidel, swq_solver_power, swq_solver_aggregation,
    swq_solver_anderson, swq_solver_sor, swq_solver_arnoldi;

/* Solve by aggregation with the prepared levels of the iteration, whose row says which steps are
 * taken between aggregations. */
swq_status swq_aggregation_iterate(swq_context *ctx, swq_iteration *it);

/* The method that auto chooses from the number of states of a product alone, and why; auto itself
 * if the choice depends on the entries. */
const swq_solver *swq_solver_for_states(int64_t states, const char **why);

/* The elimination for this number of states: gth, or sparse-gth if that is faster; NULL if only
 * sparse-gth is fast enough and BLAS has no room for its work space. */
const swq_solver *swq_solver_elimination(int64_t states);

/* Check that BLAS has room for its work space, if the method calls BLAS. Errors: SWQ_ELIMIT. */
swq_status swq_solver_has_room(swq_context *ctx, const swq_solver *solver);

/* The cost of sparse-gth on a chain: multiplications, and bytes for the factors (its working memory
 * is additional, and rarely larger than these). Costs an ordering, not an elimination. */
swq_status swq_sparse_gth_foresee(swq_context *ctx, const swq_csr *p, double *multiplications,
                                  double *bytes);

/* The relative error of one rounding to double: half a unit in the last place of 1. */
#define SWQ_ROUNDING 0x1p-53

#endif
