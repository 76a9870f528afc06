/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The integrated autocorrelation time of a series. Sources: Geyer 1992, "Practical Markov chain
 * Monte Carlo", Statistical Science 7, section 3.3; Marriott and Pope 1954, "Bias in the estimation
 * of autocorrelations", Biometrika 41.
 */
#include "base/correlation_time.h"

#include <float.h>
#include <math.h>

enum {
    MOST_LAGS = 512, /* most lags that are looked at; even */
    ROUNDS = 5       /* corrections of the bias */
};

/* The residuals of all runs, and those of their autocovariances that have been computed so far. */
typedef struct {
    const double *residual;
    const size_t *run;
    size_t runs, entries, known;
    double covariance[MOST_LAGS];
} lagged;

static double covariance(lagged *s, size_t lag)
{
    for (; s->known <= lag; s->known++) {
        double sum = 0, pairs = 0;
        const double *x = s->residual;
        for (size_t k = 0; k < s->runs; x += s->run[k++]) {
            for (size_t i = s->known; i < s->run[k]; i++)
                sum += x[i] * x[i - s->known];
            pairs += s->run[k] > s->known ? (double)(s->run[k] - s->known) : 0;
        }
        s->covariance[s->known] = pairs > 0 ? sum / pairs : -DBL_MAX;
    }
    return s->covariance[lag];
}

/* Geyer's sum, if all covariances are too small by `missing`. Long lags, which have few products,
 * are left out. */
static double time_with(lagged *s, size_t longest, double missing)
{
    const double variance = covariance(s, 0) + missing;
    double sum = 0, before = INFINITY;

    for (size_t lag = 0; lag + 1 < MOST_LAGS && 2 * lag < longest; lag += 2) {
        const double pair = covariance(s, lag) + covariance(s, lag + 1) + 2 * missing;
        if (pair <= 0)
            break;
        before = fmin(before, pair);
        sum += before;
    }
    return fmax(1, 2 * sum / variance - 1);
}

/* Overwrites `above` with residuals; false: nothing varies, up to rounding. */
static double make_residuals(double *above, const double *below, size_t entries)
{
    double a = 0, b = 0, squares = 0;

    for (size_t i = 0; i < entries; i++) {
        a += above[i];
        b += below ? below[i] : 1;
    }
    const double r = b > 0 ? a / b : 0;
    for (size_t i = 0; i < entries; i++) {
        const double expected = r * (below ? below[i] : 1), off = above[i] - expected;
        above[i] = fabs(off) <= (double)entries * DBL_EPSILON * fabs(expected) ? 0 : off;
        squares += above[i] * above[i];
    }
    return squares;
}

double swq_correlation_time(double *above, const double *below, const size_t *run, size_t runs)
{
    lagged s = {.residual = above, .run = run, .runs = runs};
    size_t longest = 0;

    for (size_t k = 0; k < runs; k++) {
        s.entries += run[k];
        longest = run[k] > longest ? run[k] : longest;
    }
    if (!(make_residuals(above, below, s.entries) > 0))
        return 1;
    if (s.entries < SWQ_CORRELATION_LEAST)
        return (double)s.entries;
    const double n = (double)s.entries;
    double time = time_with(&s, longest, 0);
    for (int k = 0; k < ROUNDS; k++) {
        /* the variance is too small by the same amount, so this amount, too, is found as a fixed
         * point */
        const double share = fmin(time / n, 0.5);
        time = time_with(&s, longest, covariance(&s, 0) * share / (1 - share));
    }
    return fmin(time, n);
}

/* Entries of a process with the correlation time 2 u have the correlation time 1 / (1 - u (1 -
 * exp(-1 / u))). */
double swq_correlation_time_between(double entries)
{
    const double inverse = 1 / entries;
    double low = 0, high = entries;

    for (int k = 0; k < 60; k++) {
        const double u = (low + high) / 2;
        if (1 + u * expm1(-1 / u) > inverse)
            low = u;
        else
            high = u;
    }
    return low + high;
}
