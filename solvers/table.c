/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of methods and the choice that `auto` makes.
 */
#include "base/blas.h"
#include "base/context.h"
#include "base/names.h"
#include "solvers/solvers.h"

#include <stddef.h>

enum {
    SMALL = 100,   /* number of states up to which the plain loops of gth are fastest for a coarse
                      level */
    PLAIN = 300,   /* states up to which they are fastest for a chain: loading BLAS alone takes as
                      long   as 250 states do */
    FEW = 1500,    /* states up to which elimination is faster than aggregation on factors */
    MEDIUM = 3000, /* up to here sparse elimination takes well below a second, whatever the fill */
};

/* Most multiplications of an elimination: about 20 seconds. */
#define AFFORDABLE 2e11

const swq_solver swq_solver_auto = {
    .name = "auto",
    .summary = "chooses by the number of states and the fill that elimination would cause",
    .promise = "that of the method chosen",
    .chooses = true,
};

const swq_solver *const swq_solvers[] = {
    &swq_solver_auto,     &swq_solver_gth,         &swq_solver_sparse_gth,   &swq_solver_lu,
    &swq_solver_umfpack,  &swq_solver_aggregation, &swq_solver_gauss_seidel, &swq_solver_sor,
    &swq_solver_anderson, &swq_solver_arnoldi,     &swq_solver_power,        NULL,
};

swq_status swq_solver_find(swq_context *ctx, const char *name, const swq_solver **solver)
{
    const void *row = swq_name_lookup(ctx, "solver", name, (const void *const *)swq_solvers);
    if (!row)
        return SWQ_EINVAL;
    *solver = row;
    return SWQ_OK;
}

const swq_solver *swq_solver_for_states(int64_t states, const char **why)
{
    if (states <= FEW)
        return &swq_solver_auto;
    *why = "auto: more than 1500 states, aggregation on the factors beats elimination";
    return &swq_solver_aggregation;
}

const swq_solver *swq_solver_elimination(int64_t states)
{
    if (states <= SMALL)
        return &swq_solver_gth;
    if (swq_blas_ready())
        return &swq_solver_sparse_gth;
    return states <= FEW ? &swq_solver_gth : NULL;
}

swq_status swq_solver_has_room(swq_context *ctx, const swq_solver *solver)
{
    if (!solver->blas || swq_blas_ready())
        return SWQ_OK;
    return swq_fail(ctx, SWQ_ELIMIT,
                    "solver %s calls BLAS, whose work space of %d MB does not fit into the address "
                    "space that the process may have (ulimit -v); solver gth needs none",
                    solver->name, SWQ_BLAS_MEGABYTES);
}

/* The method that auto chooses from the entries of p, and why. */
static swq_status choose(swq_context *ctx, const swq_csr *p, const swq_solver **chosen,
                         const char **why)
{
    double multiplications, bytes, limit = (double)swq_context_memory_limit(ctx);

    *chosen = &swq_solver_gth;
    *why = "auto: at most 300 states, plain elimination is fastest";
    if (p->rows <= PLAIN)
        return SWQ_OK;
    *chosen = swq_solver_elimination(p->rows);
    *why = "auto: there is no address space for BLAS, which sparse elimination would need";
    if (!*chosen || !(*chosen)->fills) {
        *chosen = *chosen ? *chosen : &swq_solver_gauss_seidel;
        return SWQ_OK;
    }
    *why = "auto: few enough states for sparse elimination to be fast whatever the fill";
    if (p->rows <= MEDIUM)
        return SWQ_OK;
    swq_status status = swq_sparse_gth_foresee(ctx, p, &multiplications, &bytes);
    if (status == SWQ_ELIMIT && swq_over_limit(ctx)) {
        *chosen = &swq_solver_gauss_seidel;
        *why = "auto: to look for an order of elimination would exceed the memory limit";
        return SWQ_OK;
    }
    if (status)
        return status;
    if (multiplications > AFFORDABLE) {
        *chosen = &swq_solver_gauss_seidel;
        *why = "auto: elimination would fill in and take more than 2e11 multiplications";
    } else if (limit > 0 && 2 * bytes > limit) {
        *chosen = &swq_solver_gauss_seidel;
        *why = "auto: elimination would fill in beyond the memory limit";
    } else {
        *why = "auto: the fill that elimination would bring is affordable";
    }
    return SWQ_OK;
}

swq_status swq_solver_choose(swq_context *ctx, const swq_solver *asked, const swq_csr *p,
                             const swq_solver **chosen, const char **why)
{
    *chosen = asked;
    *why = NULL;
    swq_status status = asked->chooses ? choose(ctx, p, chosen, why) : SWQ_OK;
    return status ? status : swq_solver_has_room(ctx, *chosen);
}

swq_solver_options swq_solver_options_defaults(void)
{
    return (swq_solver_options){.tolerance = 1e-14, .max_iterations = 100000, .enclosure = 1e-10};
}
