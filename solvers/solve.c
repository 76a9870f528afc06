/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solving a chain: check the input, choose a method, and solve by the matrix or by the factors, as
 * the method needs.
 */
#include "base/context.h"
#include "solvers/solvers.h"
#include "solvers/ways.h"
#include "solvers/width.h"

#include <time.h>

/* Is there a solution with this status? */
static bool solved(swq_status status)
{
    return !status || status == SWQ_ECONVERGE;
}

swq_status swq_solve(swq_context *ctx, const swq_csr *p, int64_t roundings, const swq_solver *asked,
                     const swq_solver_options *options, const double *const *reward, int rewards,
                     swq_solution *solution)
{
    const swq_solver *solver = NULL;
    const char *why = NULL;
    clock_t began = clock();

    if (p->packed)
        return swq_fail(ctx, SWQ_EINVAL, "a transition matrix must have rows, not be packed");
    if (p->rows != p->cols || p->rows < 1)
        return swq_fail(ctx, SWQ_EINVAL, "a transition matrix must be square, not %lld x %lld",
                        (long long)p->rows, (long long)p->cols);
    for (int64_t e = 0; e < swq_csr_nnz(p); e++) {
        if (!(p->value[e] > 0 && p->value[e] <= 2)) /* row sums may be off by rounding */
            return swq_fail(ctx, SWQ_EINVAL,
                            "a stored transition probability must be above 0, not %g", p->value[e]);
    }
    if (!(options->tolerance > 0 && options->tolerance < 1) || options->max_iterations < 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "tolerance must be above 0 and below 1, and max_iterations positive");
    swq_status status = swq_solver_choose(ctx, asked, p, &solver, &why);
    if (status)
        return status;
    if (solver->iterate) { /* works on products, of which this is one */
        status = swq_solve_product(ctx, &(swq_product){1, p, (double)roundings, false}, NULL,
                                   solver, options, reward, rewards, solution);
        if (solved(status))
            solution->transitions = swq_csr_nnz(p);
    } else {
        status = swq_solve_matrix(ctx, p, roundings, solver, options, reward, rewards, solution);
        if (solved(status))
            solution->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    }
    if (solved(status))
        solution->why = why;
    return status;
}

/* Multiply a product out, for a method that needs its entries. */
static swq_status solve_multiplied(swq_context *ctx, const swq_product *p, const swq_solver *solver,
                                   const swq_solver_options *options, const double *const *reward,
                                   int rewards, swq_solution *solution)
{
    swq_csr m = {0};
    int64_t roundings = 0;
    swq_status status = swq_product_multiply(ctx, p, &m, &roundings);

    for (int64_t e = 0; e < swq_csr_nnz(&m) && !status; e++) {
        if (m.value[e] < SWQ_LEAST)
            status = swq_fail(ctx, SWQ_ERANGE,
                              "a transition has probability %g, too small for honest arithmetic; "
                              "loads or destination probabilities are too small",
                              m.value[e]);
    }
    if (!status)
        status = swq_solve(ctx, &m, roundings, solver, options, reward, rewards, solution);
    swq_csr_clear(ctx, &m);
    return status;
}

swq_status swq_solve_product(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                             const swq_solver *asked, const swq_solver_options *options,
                             const double *const *reward, int rewards, swq_solution *solution)
{
    const char *why = NULL;
    const swq_solver *solver = asked;
    swq_status status;

    for (int k = 0; k < p->factors; k++) {
        int64_t next = p->factor[(k + 1) % p->factors].rows;
        if (p->factor[k].rows < 1 || p->factor[k].cols != next)
            return swq_fail(ctx, SWQ_EINVAL, "factor %d is %lld x %lld, the next has %lld rows", k,
                            (long long)p->factor[k].rows, (long long)p->factor[k].cols,
                            (long long)next);
    }
    if (!(options->tolerance > 0 && options->tolerance < 1) || options->max_iterations < 1 ||
        !(options->enclosure >= 0))
        return swq_fail(ctx, SWQ_EINVAL,
                        "tolerance must be above 0 and below 1, enclosure not below 0, and "
                        "max_iterations positive");
    if (asked->chooses)
        solver = swq_solver_for_states(p->factor[0].rows, &why);
    if (solver->iterate)
        status = swq_solve_factors(ctx, p, grouping, solver, options, reward, rewards, solution);
    else
        status = solve_multiplied(ctx, p, solver, options, reward, rewards, solution);
    if (solved(status))
        solution->why = why || solver->iterate ? why : solution->why;
    return status;
}
