/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normal equations, scaled to a unit diagonal, and solved by plain elimination: BLAS would cost a
 * lock and its work space for a few dozen numbers.
 */
#include "base/normal_equations.h"

#include <assert.h>
#include <math.h>

/* Added to the unit diagonal, so that linearly dependent columns can be solved. */
#define TOUCH 1e-10

static void swap_rows(size_t n, double *a, double *x, size_t one, size_t other)
{
    for (size_t k = 0; k < n; k++) {
        const double kept = a[one * n + k];
        a[one * n + k] = a[other * n + k];
        a[other * n + k] = kept;
    }
    const double kept = x[one];
    x[one] = x[other];
    x[other] = kept;
}

/* Gaussian elimination with partial pivoting of the n x n rows of a; x is the right-hand side, and
 * then the solution. False: a pivot is zero. */
static bool solve(size_t n, double *a, double *x)
{
    for (size_t s = 0; s < n; s++) {
        size_t best = s;
        for (size_t i = s + 1; i < n; i++)
            best = fabs(a[i * n + s]) > fabs(a[best * n + s]) ? i : best;
        if (a[best * n + s] == 0)
            return false;
        if (best != s)
            swap_rows(n, a, x, s, best);
        for (size_t i = s + 1; i < n; i++) {
            const double factor = a[i * n + s] / a[s * n + s];
            for (size_t k = s + 1; k < n; k++)
                a[i * n + k] -= factor * a[s * n + k];
            x[i] -= factor * x[s];
        }
    }
    for (size_t s = n; s-- > 0;) {
        for (size_t k = s + 1; k < n; k++)
            x[s] -= a[s * n + k] * x[k];
        x[s] /= a[s * n + s];
    }
    return true;
}

bool swq_normal_equations(size_t n, const double *gram, size_t stride, const double *right,
                          double *x)
{
    double scaled[SWQ_NORMAL_MOST * SWQ_NORMAL_MOST], length[SWQ_NORMAL_MOST];

    assert(n <= SWQ_NORMAL_MOST);
    for (size_t a = 0; a < n; a++) {
        const double square = gram[a * stride + a];
        if (!(square > 0) || !isfinite(square))
            return false;
        length[a] = sqrt(square);
        x[a] = right[a] / length[a];
        for (size_t b = 0; b < a; b++)
            scaled[a * n + b] = scaled[b * n + a] = gram[a * stride + b] / length[a] / length[b];
        scaled[a * n + a] = 1 + TOUCH;
    }
    const bool regular = solve(n, scaled, x);
    for (size_t a = 0; a < n; a++)
        x[a] /= length[a];
    return regular;
}
