/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The methods, a row and a file each.
 * Room: solvers.
 */
#ifndef SWQ_SOLVERS_H
#define SWQ_SOLVERS_H

#include "switchq/solver.h"

extern const swq_solver swq_solver_auto, swq_solver_gth, swq_solver_sparse_gth, swq_solver_lu,
    swq_solver_umfpack, swq_solver_gauss_seidel, swq_solver_power, swq_solver_aggregation,
    swq_solver_anderson, swq_solver_sor, swq_solver_arnoldi;

/* Solve by the grids that come with the iteration, whatever they do between aggregations. */
swq_status swq_aggregation_iterate(swq_context *ctx, swq_iteration *it);

/* What auto takes when all that is known is the number of states of a product, and why; auto itself
 * when the entries must be looked at. */
const swq_solver *swq_solver_for_states(int64_t states, const char **why);

/* The elimination for so many states: gth, or sparse-gth where that is quicker; NULL when only the
 * latter would be quick enough and BLAS has no room for its work space. */
const swq_solver *swq_solver_elimination(int64_t states);

/* Is there room for what the method calls by itself? Errors: SWQ_ELIMIT. */
swq_status swq_solver_has_room(swq_context *ctx, const swq_solver *solver);

/* What sparse-gth would take on a chain: multiplications, and bytes for the factors (its working
 * memory comes on top, rarely more than as much again). Costs the ordering, not the elimination. */
swq_status swq_sparse_gth_foresee(swq_context *ctx, const swq_csr *p, double *multiplications,
                                  double *bytes);

/* Half a unit in the last place of 1. */
#define SWQ_ROUNDING 0x1p-53

#endif
