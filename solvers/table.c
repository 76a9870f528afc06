/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of methods and the choice that `auto` makes.
 * Room: solvers. Includes base.
 */
#include "base/names.h"
#include "solvers/solvers.h"

#include <stddef.h>

enum {
    SMALL = 100,      /* up to here the plain loops of gth are fastest */
    ELIMINABLE = 8000 /* up to here elimination takes seconds at most */
};

const swq_solver swq_solver_auto = {
    .name = "auto",
    .summary = "choose by the number of states",
    .promise = "that of the method chosen",
};

const swq_solver *const swq_solvers[] = {
    &swq_solver_auto,    &swq_solver_gth,          &swq_solver_sparse_gth, &swq_solver_lu,
    &swq_solver_umfpack, &swq_solver_gauss_seidel, &swq_solver_power,      NULL,
};

swq_status swq_solver_find(swq_context *ctx, const char *name, const swq_solver **solver)
{
    const void *row = swq_name_lookup(ctx, "solver", name, (const void *const *)swq_solvers);
    if (!row)
        return SWQ_EINVAL;
    *solver = row;
    return SWQ_OK;
}

const swq_solver *swq_solver_choose(const swq_solver *asked, int64_t states, const char **why)
{
    const char *reason = NULL;
    const swq_solver *chosen = asked;

    if (asked == &swq_solver_auto && states <= SMALL) {
        chosen = &swq_solver_gth;
        reason = "at most 100 states: plain elimination is exact in every digit that matters";
    } else if (asked == &swq_solver_auto && states <= ELIMINABLE) {
        chosen = &swq_solver_sparse_gth;
        reason = "at most 8000 states: sparse elimination without a subtraction";
    } else if (asked == &swq_solver_auto) {
        chosen = &swq_solver_gauss_seidel;
        reason = "more than 8000 states: elimination would fill in, sweeps do not";
    }
    if (why)
        *why = reason;
    return chosen;
}

swq_solver_options swq_solver_options_defaults(void)
{
    return (swq_solver_options){.tolerance = 1e-14, .max_iterations = 100000};
}
