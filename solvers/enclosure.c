/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bound derived in enclosure.h.
 */
#include "solvers/enclosure.h"

#include "solvers/width.h"

#include <math.h>

/* Covers the second-order terms and the handful of roundings in evaluating the bound itself. */
#define SLACK 1.000001

double swq_enclosure_relative(int64_t n, const bool *zero, const double *x, const double *image,
                              const double *w, const double *w_image, double gamma, int64_t at)
{
    double eps = 0, sigma = INFINITY, ratio = 0;

    if (!(gamma < 1e-7)) /* SLACK is only valid for small gamma */
        return INFINITY;
    for (int64_t i = 0; i < n; i++) {
        if (zero && zero[i] && x[i] == 0 && image[i] == 0 && w[i] == 0 && w_image[i] == 0)
            continue;
        if (!(x[i] >= SWQ_LEAST && image[i] >= 0 && w[i] >= SWQ_LEAST && w_image[i] >= 0))
            return INFINITY;
        if (!isfinite(x[i]) || !isfinite(image[i]) || !isfinite(w[i]) || !isfinite(w_image[i]))
            return INFINITY;
        eps = fmax(eps, (fabs(image[i] - x[i]) + gamma * image[i]) / x[i]);
        /* gamma exceeds the rounding of one difference, and covers the cancellation in w - Q w */
        sigma = fmin(sigma, (w[i] - (1 + 2 * gamma) * w_image[i]) / x[i]);
        if (at < 0 || i == at)
            ratio = fmax(ratio, w[i] / x[i]);
    }
    return sigma > 0 ? SLACK * eps * ratio / sigma : INFINITY;
}

double swq_enclosure_companion(int64_t n, const double *x, const double *w,
                               const long double *w_image, double gamma)
{
    double sigma = INFINITY, ratio = 0;

    if (!(gamma < 1e-7))
        return INFINITY;
    for (int64_t i = 0; i < n; i++) {
        if (!(x[i] >= SWQ_LEAST && w[i] >= SWQ_LEAST && w_image[i] >= 0) || !isfinite(x[i]) ||
            !isfinite(w[i]) || !isfinite(w_image[i]))
            return INFINITY;
        sigma = fmin(sigma, (double)((w[i] - (1 + 2 * (long double)gamma) * w_image[i]) / x[i]));
        ratio = fmax(ratio, w[i] / x[i]);
    }
    return sigma > 0 ? SLACK * ratio / sigma : INFINITY;
}
