/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two ways from a chain to its solution, which solve.c chooses between: by systems with the
 * matrix, or by iterating on the factors.
 */
#ifndef SWQ_SOLVERS_WAYS_H
#define SWQ_SOLVERS_WAYS_H

#include "switchq/solver.h"

/* swq_solve by a method that prepares the matrix. `p` is square, and its entries and the options
 * have been checked. The caller sets `why` and `seconds`. */
swq_status swq_solve_matrix(swq_context *ctx, const swq_csr *p, int64_t roundings,
                            const swq_solver *solver, const swq_solver_options *options,
                            const double *const *reward, int rewards, swq_solution *solution);

/* swq_solve_product by a method with an `iterate`. The caller sets `why`. */
swq_status swq_solve_factors(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                             const swq_solver *solver, const swq_solver_options *options,
                             const double *const *reward, int rewards, swq_solution *solution);

#endif
