/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals and correlation of batches, MSER-5, and histograms. Nothing here allocates. Sources:
 * Fishman 1978, "Grouping observations in digital simulation", Management Science 24; Marriott and
 * Pope 1954, "Bias in the estimation of autocorrelations", Biometrika 41; Bayley and Hammersley
 * 1946, "The effective number of independent observations in an autocorrelated time series",
 * Supplement to the Journal of the Royal Statistical Society 8; White 1997,
 * "An effective truncation heuristic for bias reduction in simulation output", Simulation 69;
 * Spratt 1998, "An evaluation of contemporary heuristics for the startup problem", University of
 * Virginia.
 * Includes GSL for Student's t.
 */
#include "base/statistics.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

double swq_student_t(double confidence, double degrees)
{
    return gsl_cdf_tdist_Qinv((1 - confidence) / 2, degrees);
}

static double denominator(const double *below, size_t i)
{
    return below ? below[i] : 1;
}

/* sum(above) / sum(below), correct to about the last place: the second pass adds the rounding error
 * of the first. NAN if *sum_below is 0. */
static double ratio(const double *above, const double *below, size_t batches, double *sum_below)
{
    double a = 0, b = 0, rest = 0;

    for (size_t i = 0; i < batches; i++) {
        a += above[i];
        b += denominator(below, i);
    }
    *sum_below = b;
    if (b == 0)
        return NAN;
    for (size_t i = 0; i < batches; i++)
        rest += above[i] - a / b * denominator(below, i);
    return a / b + rest / b;
}

/* a - r b. Rounding (one of a, one of the product, and two of r) leaves up to 2 DBL_EPSILON |r b|,
 * which counts as 0: it has the same sign for equal batches, and would look like a perfect
 * correlation of batches that do not vary at all. */
static double residual(double a, double r, double b)
{
    double x = a - r * b;

    return fabs(x) <= 2 * DBL_EPSILON * fabs(r * b) ? 0 : x;
}

void swq_ratio_interval(const double *above, const double *below, size_t batches, double confidence,
                        double *mean, double *half_width)
{
    double sum_below, squares = 0, n = (double)batches;
    double r = ratio(above, below, batches, &sum_below);

    *mean = r;
    *half_width = sum_below == 0 ? NAN : INFINITY;
    if (sum_below == 0 || batches < 2)
        return;
    for (size_t i = 0; i < batches; i++) {
        double x = residual(above[i], r, denominator(below, i));
        squares += x * x;
    }
    *half_width =
        swq_student_t(confidence, n - 1) * sqrt(squares / (n * (n - 1))) / fabs(sum_below / n);
}

/* Products of the residuals of a run's consecutive batches. */
static double lag_products(const double *above, const double *below, double r, size_t batches)
{
    double sum = 0, before = 0;

    for (size_t i = 0; i < batches; i++) {
        const double x = residual(above[i], r, denominator(below, i));
        sum += i > 0 ? x * before : 0;
        before = x;
    }
    return sum;
}

/* The largest correlation used: from few batches a correlation is hardly known, and larger
 * correlations are detected by other means. */
#define MOST_CORRELATION 0.6

/* The correlation of n consecutive batches, whose residuals have this sum of squares; 0 if it seems
 * to be negative. */
static double correlation(double n, double squares, double products, double pairs)
{
    if (pairs == 0 || squares == 0)
        return 0;
    const double c = products / pairs / (squares / n);
    return fmin(fmax(c + (1 + 3 * c) / n, 0), MOST_CORRELATION);
}

swq_ratio swq_ratio_of_runs(const double *above, const double *below, const size_t *run,
                            size_t runs)
{
    double sum_below, squares = 0, products = 0, pairs = 0;
    size_t batches = 0;

    for (size_t k = 0; k < runs; k++)
        batches += run[k];
    const double n = (double)batches, r = ratio(above, below, batches, &sum_below);
    if (sum_below == 0 || batches < 2)
        return (swq_ratio){r, sum_below == 0 ? NAN : INFINITY, 0};
    for (size_t i = 0; i < batches; i++) {
        const double x = residual(above[i], r, denominator(below, i));
        squares += x * x;
    }
    for (size_t k = 0, at = 0; k < runs; at += run[k++]) {
        products += lag_products(above + at, below ? below + at : NULL, r, run[k]);
        pairs += run[k] > 1 ? (double)run[k] - 1 : 0;
    }
    const double c = correlation(n, squares, products, pairs);
    const double as_mean = fmax(2, n * (1 - c) / (1 + c));
    const double as_variance = fmax(2, n * (1 - c * c) / (1 + c * c));
    return (swq_ratio){r, sqrt(squares / (n * (as_mean - 1))) / fabs(sum_below / n),
                       as_variance - 1};
}

double swq_ratio_half_width(const swq_ratio *r, double confidence)
{
    return r->degrees > 0 ? swq_student_t(confidence, r->degrees) * r->error : r->error;
}

double swq_independent_events(double mean, double error, double count)
{
    if (!(error > 0) || !isfinite(error))
        return count;
    const double scale = mean / error;

    return fmin(count, scale * scale);
}

/* By bisection: gsl_cdf_gamma_Pinv does not converge for some numbers of events, and ends the
 * program. */
double swq_poisson_above(double events, double confidence)
{
    double least = 0, most = events + 1;

    while (gsl_cdf_gamma_P(most, events + 1, 1) < confidence)
        most *= 2;
    for (int k = 0; k < 100 && least < most; k++) {
        const double middle = (least + most) / 2;
        if (gsl_cdf_gamma_P(middle, events + 1, 1) < confidence)
            least = middle;
        else
            most = middle;
    }
    return most;
}

double swq_beta_quantile(double probability, double a, double b)
{
    double least = 0, most = 1;

    if (a <= 0)
        return 0;
    if (b <= 0)
        return 1;
    /* by bisection: gsl_cdf_beta_Pinv fails if a and b are very different */
    for (int k = 0; k < 64; k++) {
        const double middle = (least + most) / 2;
        if (gsl_cdf_beta_P(middle, a, b) < probability)
            least = middle;
        else
            most = middle;
    }
    return (least + most) / 2;
}

/* With C = 1 - sum (x_i - x_(i+1))^2 / (2 sum x_i^2), the lag-1 correlation up to the two end
 * terms; its variance is (n-2) / (n^2-1) for independent normal batches (Fishman 1978). */
double swq_batch_correlation(const double *above, const double *below, size_t batches,
                             bool *significant)
{
    double sum_below, squares = 0, steps = 0, before = 0, n = (double)batches;
    double r = ratio(above, below, batches, &sum_below);

    *significant = false;
    if (sum_below == 0 || batches < 3)
        return NAN;
    for (size_t i = 0; i < batches; i++) {
        double x = residual(above[i], r, denominator(below, i));
        squares += x * x;
        if (i > 0)
            steps += (x - before) * (x - before);
        before = x;
    }
    if (squares == 0)
        return NAN;
    double c = 1 - steps / (2 * squares);
    *significant = c / sqrt((n - 2) / (n * n - 1)) > 1.645;
    return c;
}

/* White's sum (y_i - mean)^2 / kept^2 over Spratt's means of five. The loop starts at the end, so
 * that the mean and the squares of the points kept grow by one term per point (Welford's
 * recurrence). The last count % 5 observations are left out; of equal minima the earliest is
 * chosen, so that a constant series loses nothing. */
size_t swq_mser5(const double *series, size_t count)
{
    size_t means = count / 5, half = means / 2, best = half;
    double mean = 0, squares = 0, least = INFINITY;

    for (size_t d = means; d-- > 0;) {
        const double *five = series + 5 * d;
        double y = (five[0] + five[1] + five[2] + five[3] + five[4]) / 5;
        double kept = (double)(means - d), off = y - mean;
        mean += off / kept;
        squares += off * (y - mean);
        double error = squares / (kept * kept);
        if (d <= half && error <= least) {
            least = error;
            best = d;
        }
    }
    return best == half ? count : 5 * best;
}

uint32_t swq_histogram_value(uint32_t bin)
{
    if (bin < SWQ_HISTOGRAM_EXACT)
        return bin;
    uint32_t above = bin - SWQ_HISTOGRAM_EXACT, octave = 13 + above / SWQ_HISTOGRAM_PARTS;
    return (1u << octave) + ((above % SWQ_HISTOGRAM_PARTS) << (octave - 6));
}

double swq_histogram_percentile(const uint64_t *count, uint32_t bins, double q)
{
    uint64_t total = 0, tail = 0;

    for (uint32_t b = 0; b < bins; b++)
        total += count[b];
    if (total == 0 || !(q >= 0 && q <= 1))
        return NAN;
    /* 1 - 0.99 is a little more than 0.01: the slack covers the rounding of q, of the difference
     * and of the product; without it, one of 100 values would be less than one percent */
    double share = (1 - q) * (double)total - DBL_EPSILON * (double)total;
    uint64_t need = share > 1 ? (uint64_t)ceil(share) : 1; /* q = 1 asks for the largest value */
    for (uint32_t b = bins; b-- > 0;) {
        tail += count[b];
        if (tail >= need)
            return swq_histogram_value(b);
    }
    return NAN; /* never reached: need <= total */
}
