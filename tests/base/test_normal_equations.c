/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small least-squares problems whose answers are known.
 */
#include "base/normal_equations.h"
#include "tests/support/support.h"

#include <math.h>

enum { N = 3, ROWS = 5, STRIDE = 4 };

/* Columns 1, t and t^2 at t = 0 .. 4, of very different lengths: a parabola is recovered. */
Test(normal_equations, a_parabola)
{
    static const double coefficient[N] = {2e6, -3, 5e-7}, unit[N] = {1e-6, 1, 1e7};
    double gram[N * STRIDE], right[N] = {0}, x[N];

    for (int k = 0; k < N * STRIDE; k++)
        gram[k] = NAN; /* the upper triangle is not read */
    for (int a = 0; a < N; a++) {
        for (int b = 0; b <= a; b++) {
            gram[a * STRIDE + b] = 0;
            for (int t = 0; t < ROWS; t++)
                gram[a * STRIDE + b] += unit[a] * unit[b] * pow(t, a + b);
        }
        for (int t = 0; t < ROWS; t++) {
            double y = 0;
            for (int c = 0; c < N; c++)
                y += coefficient[c] * unit[c] * pow(t, c);
            right[a] += unit[a] * pow(t, a) * y;
        }
    }
    cr_assert(swq_normal_equations(N, gram, STRIDE, right, x));
    for (int a = 0; a < N; a++)
        assert_relative(x[a], coefficient[a], 1e-6, "%d: %g, not %g", a, x[a], coefficient[a]);
}

Test(normal_equations, columns_that_are_alike_share)
{
    static const double gram[] = {4, 0, 4, 4}, right[] = {12, 12};
    double x[2];

    cr_assert(swq_normal_equations(2, gram, 2, right, x));
    cr_assert(fabs(x[0] - 1.5) < 1e-6 && fabs(x[1] - 1.5) < 1e-6, "%g %g", x[0], x[1]);
}

Test(normal_equations, nothing_to_tell_by)
{
    static const double diagonal[] = {0, -1, INFINITY, NAN};
    static const double right[] = {1, 1};
    double x[2];

    for (int k = 0; k < 4; k++) {
        const double gram[] = {1, 0, 0, diagonal[k]};
        cr_assert_not(swq_normal_equations(2, gram, 2, right, x), "%g", diagonal[k]);
    }
}
