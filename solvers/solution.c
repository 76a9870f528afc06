/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a solution.
 */
#include "base/context.h"
#include "switchq/solver.h"

void swq_solution_clear(swq_context *ctx, swq_solution *solution)
{
    swq_free(ctx, solution->pi);
    swq_free(ctx, solution->mean);
    *solution = (swq_solution){0};
}
