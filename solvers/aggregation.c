/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multilevel aggregation as a method: the engine is in multilevel.c.
 * Room: solvers. Includes base.
 */
#include "base/context.h"
#include "solvers/multilevel.h"
#include "solvers/solvers.h"

swq_status swq_aggregation_iterate(swq_context *ctx, swq_iteration *it)
{
    double change;
    double *start = swq_calloc(ctx, (size_t)it->p->factor[0].rows, sizeof *start);

    if (!start)
        return swq_memory_status(ctx);
    start[it->root] = 1;
    swq_status status = swq_multilevel_solve(ctx, it->grids, start, it->y, it->tolerance, it->most,
                                             &change, &it->done);
    swq_free(ctx, start);
    return status;
}

const swq_solver swq_solver_aggregation = {
    .name = "aggregation",
    .summary = "multilevel aggregation and disaggregation on the factors, with Anderson mixing",
    .promise = "every entry relatively exact to its proven bound, however small",
    .iterative = true,
    .any_root = true,
    .iterate = swq_aggregation_iterate,
};
