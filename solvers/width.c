/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How narrow a proven interval is.
 */
#include "solvers/width.h"

#include "base/context.h"

#include <float.h>
#include <math.h>

void swq_mean_widen(double operations, swq_mean *mean)
{
    const double lost = operations * DBL_TRUE_MIN; /* the whole least double instead of half of it,
                                                      since the half is no double */

    mean->lower = fmax(0, mean->lower - lost);
    mean->upper += lost;
}

double swq_mean_width(const swq_mean *mean)
{
    const double half = fmax(mean->upper - mean->value, mean->value - mean->lower);

    return half > 0 ? half / fabs(mean->value) : 0;
}

swq_status swq_width_check(swq_context *ctx, const swq_solver *solver,
                           const swq_solver_options *options, double width)
{
    if (width <= options->enclosure)
        return SWQ_OK;
    if (width > 1)
        return swq_fail(ctx, SWQ_ECONVERGE,
                        "solver %s: nothing useful could be proven of the result (--tol %.2g "
                        "wanted)",
                        solver->name, options->enclosure);
    return swq_fail(ctx, SWQ_ECONVERGE,
                    "solver %s: proven to within %.1g of itself, not %.1g as wanted (--tol)",
                    solver->name, width, options->enclosure);
}
