/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Aggregation with sweeps over the entries of the matrix (sweep.h) in place of steps on its
 * factors: the product is multiplied out first.
 */
#include "solvers/solvers.h"

const swq_solver swq_solver_gauss_seidel = {
    .name = "gauss-seidel",
    .summary = "symmetric Gauss-Seidel sweeps on the matrix, with aggregation",
    .promise = "every entry relatively exact to its proven bound, however small",
    .iterative = true,
    .any_root = true,
    .iterate = swq_aggregation_iterate,
    .relaxation = 1,
};

const swq_solver swq_solver_sor = {
    .name = "sor",
    .summary = "Gauss-Seidel sweeps with over-relaxation by 1.2",
    .promise = "what its proven bounds say; over-relaxed sweeps need not converge",
    .iterative = true,
    .any_root = true,
    .iterate = swq_aggregation_iterate,
    .relaxation =
        1.2, /* with deep buffers near saturation, 1.4 gains little more, and 1.6 loses the gain */
};
