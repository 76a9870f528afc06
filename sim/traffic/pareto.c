/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pareto's distribution in whole numbers. Its sums are Hurwitz's zeta function.
 */
#include "sim/traffic/pareto.h"

#include <gsl/gsl_sf_zeta.h>
#include <math.h>

/* The sum of (1 + (from + k * step) / s)^-shape over k = 0 .. terms - 1. */
static double sum_of_chances(double s, double shape, double from, double step, double terms)
{
    const double first = (s + from) / step;

    if (terms <= 0)
        return 0;
    return pow(s / step, shape) * (gsl_sf_hzeta(shape, first) - gsl_sf_hzeta(shape, first + terms));
}

double swq_pareto_scale(const swq_spread *s)
{
    const double beyond = s->first - 1;
    double low = -30, high = 60; /* bounds of the logarithm */

    if (beyond <= 0)
        return 0;
    /* The mean grows with s from 0 to its maximum; bisection needs no derivative and cannot
     * fail. */
    while (high - low > 1e-13 * fmax(fabs(low), 1)) {
        const double middle = (low + high) / 2;
        if (!(middle > low && middle < high))
            break;
        if (sum_of_chances(exp(middle), s->second, 1, 1, SWQ_MAX_MESSAGE - 1.0) < beyond)
            low = middle;
        else
            high = middle;
    }
    return exp((low + high) / 2);
}

double swq_pareto_parts(const swq_spread *s, double m)
{
    const double scale = swq_pareto_scale(s);

    /* the probability of more than k m, for each k with k m below the maximum */
    return scale > 0 ? 1 + sum_of_chances(scale, s->second, m, m, floor((SWQ_MAX_MESSAGE - 1) / m))
                     : 1;
}
