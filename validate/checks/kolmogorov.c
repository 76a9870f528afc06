/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kolmogorov and Smirnov's test. GSL has none.
 */
#include "validate/checks/kolmogorov.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double swq_kolmogorov_distance(double *value, size_t count)
{
    double distance = 0;

    qsort(value, count, sizeof *value, by_value);
    for (size_t k = 0; k < count; k++) {
        double at = gsl_cdf_ugaussian_P(value[k]);
        distance = fmax(distance,
                        fmax(at - (double)k / (double)count, (double)(k + 1) / (double)count - at));
    }
    return distance;
}

double swq_kolmogorov_p(double distance, size_t count)
{
    const double root = sqrt((double)count), x = (root + 0.12 + 0.11 / root) * distance;
    double p = 0;

    if (x < 0.2) /* the series would need many terms for a result of 1 - 1e-12 */
        return 1;
    for (int k = 1; k <= 50; k++)
        p += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * x * x);
    return fmin(1, fmax(0, p));
}
