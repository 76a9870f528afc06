/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Long-run averages in continuous time, from the chain of jumps.
 */
#include "solvers/timed.h"

#include "base/context.h"
#include "solvers/bounds.h"
#include "solvers/solvers.h"

#include <math.h>

/* pi of jumps becomes pi of time: each entry times the mean time in its state, scaled. */
static void weigh_by_time(const swq_timed *chain, swq_solution *s)
{
    long double all = 0;

    for (int64_t i = 0; i < s->states; i++)
        all += (long double)s->pi[i] * chain->hold[i];
    for (int64_t i = 0; i < s->states; i++)
        s->pi[i] = (double)(s->pi[i] * chain->hold[i] / all);
    /* numerator and denominator are each off by this */
    const double each = bound_chain(s->pi_error, ((double)chain->roundings + 2) * SWQ_ROUNDING +
                                                     (double)s->states * BOUND_LONG_ROUNDING);
    s->pi_error = bound_ratio(each);
}

swq_status swq_timed_solve(swq_context *ctx, const swq_timed *chain, const double *reward,
                           const swq_solver *solver, const swq_solver_options *options,
                           swq_solution *solution)
{
    if (!chain->hold)
        return swq_solve(ctx, chain->p, chain->roundings, solver, options,
                         (const double *const[]){reward}, reward ? 1 : 0, solution);
    double *earned = NULL;
    if (reward) {
        earned = swq_calloc(ctx, (size_t)chain->p->rows, sizeof *earned);
        if (!earned)
            return swq_memory_status(ctx);
        for (int64_t i = 0; i < chain->p->rows; i++)
            earned[i] = chain->hold[i] * reward[i];
    }
    swq_status status =
        swq_solve(ctx, chain->p, chain->roundings, solver, options,
                  (const double *const[]){earned, chain->hold}, reward ? 2 : 0, solution);
    swq_free(ctx, earned);
    if (status && status != SWQ_ECONVERGE)
        return status;
    weigh_by_time(chain, solution);
    if (reward)
        solution->mean[0] = bound_divide(&solution->mean[0], &solution->mean[1]);
    return status;
}
