/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multilevel aggregation as a method: the engine is in multilevel.c.
 */
#include "solvers/multilevel.h"
#include "solvers/solvers.h"

swq_status swq_aggregation_iterate(swq_context *ctx, swq_iteration *it)
{
    double change;

    return swq_multilevel_solve(ctx, it->grids, NULL, it->y, it->tolerance, it->most, &change,
                                &it->done);
}

const swq_solver swq_solver_aggregation = {
    .name = "aggregation",
    .summary = "multilevel aggregation and disaggregation on the factors, with Anderson mixing",
    .promise = "every entry relatively exact to its proven bound, however small",
    .iterative = true,
    .any_root = true,
    .iterate = swq_aggregation_iterate,
};
