/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error bound by itself: vectors made by hand whose true error is known, everything that must
 * make it give up, and random systems whose exact solution is worked out in long double.
 */
#include "solvers/enclosure.h"
#include "tests/solvers/chains.h"

TestSuite(enclosure, .timeout = 120);

/* Q = 0: the exact solution is b itself, the companion of x is x, and nothing rounds. */
Test(enclosure, an_exact_solution_has_no_error)
{
    const double x[] = {1, 1e-200, 3e200}, zero[] = {0, 0, 0};

    cr_assert_eq(swq_enclosure_relative(3, NULL, x, x, x, zero, 0, -1), 0);
    cr_assert_eq(swq_enclosure_relative(3, NULL, x, x, x, zero, 0, 1), 0);
}

Test(enclosure, without_feedback_the_bound_is_the_relative_residual)
{
    const double x[] = {1, 1e-200}, image[] = {1.25, 1e-200}, zero[] = {0, 0};
    double bound = swq_enclosure_relative(2, NULL, x, image, x, zero, 0, -1);

    cr_assert(bound >= 0.25 && bound < 0.2501, "%g", bound);
}

/* One state with Q = 1/2 and b = 1: X = 2. x = 1.9 is off by 0.1 / 1.9; its companion is 2 x. */
Test(enclosure, feedback_is_accounted_for)
{
    const double x = 1.9, image = 1 + 0.5 * x, w = 2 * x, w_image = 0.5 * w;
    double bound = swq_enclosure_relative(1, NULL, &x, &image, &w, &w_image, 0, -1);

    cr_assert(bound >= 0.1 / 1.9 && bound < 1.001 * 0.1 / 1.9, "%g", bound);
}

/* A companion that is too large by any factor costs nothing if its shape fits. */
Test(enclosure, the_scale_of_the_companion_does_not_matter)
{
    const double x = 1.9, image = 1 + 0.5 * x;

    for (double scale = 1e-100; scale < 1e101; scale *= 1e50) {
        double w = scale * x, w_image = 0.5 * w;
        double bound = swq_enclosure_relative(1, NULL, &x, &image, &w, &w_image, 0, -1);
        cr_assert(bound >= 0.1 / 1.9 && bound < 1.001 * 0.1 / 1.9, "%g: %g", scale, bound);
    }
}

Test(enclosure, rounding_of_the_evaluation_widens_the_bound)
{
    const double x = 2, image = 2, w = 4, w_image = 2;
    double before = 0;

    for (double gamma = 1e-16; gamma < 1e-7; gamma *= 10) {
        double bound = swq_enclosure_relative(1, NULL, &x, &image, &w, &w_image, gamma, -1);
        /* 1 / (1 - q) times gamma is the least effect of a relative error gamma of b and Q */
        cr_assert(bound >= 2 * gamma && bound < 2.1 * gamma && bound > before, "%g: %g", gamma,
                  bound);
        before = bound;
    }
}

/* Two states without links, the first with Q = 0, b = x = 1, the second with Q = b = 3/4, so that
 * X = 3 where x = 1 and the error is exactly 2. */
Test(enclosure, one_entry_may_be_asked_for)
{
    const double x[] = {1, 1}, image[] = {1, 1.5}, w[] = {1, 4}, w_image[] = {0, 3};
    double first = swq_enclosure_relative(2, NULL, x, image, w, w_image, 0, 0);
    double second = swq_enclosure_relative(2, NULL, x, image, w, w_image, 0, 1);
    double all = swq_enclosure_relative(2, NULL, x, image, w, w_image, 0, -1);

    /* sigma is 1 for both: the bounds are eps times w / x */
    cr_assert(first >= 0.5 && first < 0.5001, "%g", first);
    cr_assert(second >= 2 && second < 2.0001, "%g", second);
    cr_assert_eq(all, second);
}

/* No reward can be reached from the second state. */
Test(enclosure, entries_that_are_zero_throughout_are_left_out)
{
    const double x[] = {2, 0}, image[] = {2, 0}, w[] = {4, 0}, w_image[] = {2, 0};

    const bool zero[] = {false, true};

    cr_assert_eq(swq_enclosure_relative(2, zero, x, image, w, w_image, 0, -1), 0);
    cr_assert_eq(swq_enclosure_relative(2, NULL, x, image, w, w_image, 0, -1), INFINITY,
                 "not known to be zero: it may be underflow");
}

/* Numbers for one state, and why nothing follows from them. */
typedef struct {
    const char *what;
    double x, image, w, w_image, gamma;
} hopeless;

/* By itself, and next to a state without problems. */
static void expect_nothing(const hopeless *cases, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        const double x[] = {1, cases[c].x}, image[] = {1, cases[c].image}, w[] = {1, cases[c].w},
                     w_image[] = {0, cases[c].w_image};
        double alone = swq_enclosure_relative(1, NULL, x + 1, image + 1, w + 1, w_image + 1,
                                              cases[c].gamma, -1);
        cr_expect_eq(alone, INFINITY, "%s: %g", cases[c].what, alone);
        for (int at = -1; at < 2; at++) {
            double bound =
                swq_enclosure_relative(2, NULL, x, image, w, w_image, cases[c].gamma, at);
            cr_expect_eq(bound, INFINITY, "%s, beside another, entry %d: %g", cases[c].what, at,
                         bound);
        }
    }
}

Test(enclosure, nothing_is_claimed_that_cannot_be_shown)
{
    static const hopeless cases[] = {
        {"companion does not decrease", 1, 1, 1, 1, 0},
        {"companion grows", 1, 1, 1, 2, 0},
        {"companion decreases by less than rounding", 1, 1, 1, 1 - 1e-12, 1e-12},
        {"x zero, image positive", 0, 1, 1, 0, 0},
        {"x positive, companion zero", 1, 1, 0, 0, 0},
        {"x zero, companion positive", 0, 0, 1, 0, 0},
        {"x zero, image of the companion positive", 0, 0, 0, 1, 0},
        {"x below 1e-290", 1e-291, 1e-291, 1, 0, 0},
        {"companion below 1e-290", 1, 1, 1e-291, 0, 0},
        {"x denormal", 5e-324, 5e-324, 5e-324, 0, 0},
        {"x negative", -1, -1, 1, 0, 0},
        {"image negative", 1, -1, 1, 0, 0},
        {"companion negative", 1, 1, -1, -2, 0},
        {"image of the companion negative", 1, 1, 1, -1, 0},
        {"rounding too large", 1, 1, 1, 0, 1e-7},
        {"rounding not a number", 1, 1, 1, 0, NAN},
        {"rounding infinite", 1, 1, 1, 0, INFINITY},
        {"x not a number", NAN, 1, 1, 0, 0},
        {"image not a number", 1, NAN, 1, 0, 0},
        {"companion not a number", 1, 1, NAN, 0, 0},
        {"image of the companion not a number", 1, 1, 1, NAN, 0},
    };

    expect_nothing(cases, sizeof cases / sizeof *cases);
}

/* The difference of two infinities is NaN, which fmax and fmin ignore. */
Test(enclosure, nothing_is_claimed_of_what_overflowed)
{
    static const hopeless cases[] = {
        {"x infinite", INFINITY, 1, 1, 0, 0},
        {"image infinite", 1, INFINITY, 1, 0, 0},
        {"x and image infinite", INFINITY, INFINITY, 1, 0, 0},
        {"companion infinite", 1, 1, INFINITY, INFINITY, 0},
        {"all infinite", INFINITY, INFINITY, INFINITY, INFINITY, 0},
        {"all infinite, with rounding", INFINITY, INFINITY, INFINITY, INFINITY, 1e-15},
    };

    expect_nothing(cases, sizeof cases / sizeof *cases);
}

/* Solve x = b + Q x in long double by elimination; Q's row sums are well below one. */
static void exact_solution(int n, double q[][16], const long double *b, long double *x)
{
    long double a[16][17];

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = (i == j) - (long double)q[i][j];
        a[i][n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            long double f = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; f != 0 && j <= n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        x[i] = a[i][n] / a[i][i];
}

/* Random systems, x and w perturbed by relative 1e-1 .. 1e-12: if there is a bound, it is at least
 * the true error of every entry; and there is one if w is good. */
Test(enclosure, random_systems_stay_within_the_bound)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int shown = 0;

    for (int trial = 0; trial < 2000; trial++) {
        int n = 1 + (int)gsl_rng_uniform_int(rng, 16);
        double q[16][16] = {{0}}, b[16], x[16], w[16], image[16], w_image[16];
        long double lb[16], exact[16], companion[16];
        double spoil = pow(10, -1 - (double)gsl_rng_uniform_int(rng, 12));
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                q[i][j] = gsl_rng_uniform(rng) < 0.3 ? 0.9 * gsl_rng_uniform(rng) / n : 0;
            lb[i] = b[i] = pow(10, -20 * gsl_rng_uniform(rng));
        }
        exact_solution(n, q, lb, exact);
        for (int i = 0; i < n; i++) {
            x[i] = (double)exact[i] * (1 + spoil * (2 * gsl_rng_uniform(rng) - 1));
            lb[i] = x[i];
        }
        exact_solution(n, q, lb, companion);
        for (int i = 0; i < n; i++)
            w[i] = (double)companion[i] * (1 + spoil * (2 * gsl_rng_uniform(rng) - 1));
        for (int i = 0; i < n; i++) {
            image[i] = b[i];
            w_image[i] = 0;
            for (int j = 0; j < n; j++) {
                image[i] += q[i][j] * x[j];
                w_image[i] += q[i][j] * w[j];
            }
        }
        double gamma = (n + 3) * 0x1p-53;
        double all = swq_enclosure_relative(n, NULL, x, image, w, w_image, gamma, -1);
        for (int i = 0; i < n; i++) {
            double own = swq_enclosure_relative(n, NULL, x, image, w, w_image, gamma, i);
            double off = (double)(fabsl(exact[i] - x[i]) / x[i]);
            cr_assert(off <= own && own <= all, "trial %d, entry %d: off by %g, bounds %g %g",
                      trial, i, off, own, all);
        }
        if (spoil <= 1e-3)
            cr_assert(all < 1e3 * spoil, "trial %d: spoilt by %g, bound %g", trial, spoil, all);
        shown += isfinite(all);
    }
    cr_assert(shown > 1800, "%d", shown);
    gsl_rng_free(rng);
}
