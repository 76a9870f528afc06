/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics for the output of simulations: intervals from batches, a test of the batches'
 * correlation, the end of the warm-up, and histograms with exact or nearly exact percentiles.
 */
#ifndef SWQ_BASE_STATISTICS_H
#define SWQ_BASE_STATISTICS_H

#include "switchq/context.h"

#include <stddef.h>
#include <stdint.h>

/* Student's t: the value that |t| exceeds with probability 1 - confidence (0 < confidence < 1) with
 * `degrees` degrees of freedom (> 0). */
double swq_student_t(double confidence, double degrees);

/* Mean and half-width of the ratio sum(above) / sum(below) of `batches` pairs, which are assumed to
 * be independent: the classical ratio estimator, half-width = t sqrt(sum (a - r b)^2 / (n (n-1))) /
 * mean(b) with n-1 degrees of freedom. With below == NULL all b are 1: an ordinary mean.
 * *half_width is INFINITY for fewer than two batches; both are NAN if sum(below) is 0. */
void swq_ratio_interval(const double *above, const double *below, size_t batches, double confidence,
                        double *mean, double *half_width);

/* A ratio of sums over batches, and how well it is known. */
typedef struct swq_ratio {
    double mean;    /* NAN if sum(below) is 0, and so is `error` */
    double error;   /* standard error; INFINITY for fewer than two batches */
    double degrees; /* of freedom of `error`; 0 if it is infinite */
} swq_ratio;

/* The ratio sum(above) / sum(below) of batches of `runs` independent runs, one run after another:
 * run[k] consecutive batches each, possibly 0. With below == NULL all b are 1. As
 * swq_ratio_interval, but correlated batches of a run count as fewer: n batches count as n (1 - c)
 * / (1 + c) for the error, and as n (1 - c^2) / (1 + c^2) for its degrees of freedom, but at least
 * as 2 (Bayley and Hammersley 1946). c is the lag-1 correlation of the residuals a - r b within
 * runs, if it is positive, but at most 0.6. This is exact for a first-order autoregression, and
 * right in the first order of the correlation for other processes. The estimate of c is on average
 * too low by (1 + 3 c) / n (Marriott and Pope 1954), which is added, so that intervals of
 * independent batches are a few percent too wide. O(batches). */
swq_ratio swq_ratio_of_runs(const double *above, const double *below, const size_t *run,
                            size_t runs);

/* Half of the width of the ratio's confidence interval, by Student's t. */
double swq_ratio_half_width(const swq_ratio *r, double confidence);

/* The number of independent events with which a mean would have this standard error: the square of
 * the mean divided by the square of the error, but at most `count`, the number of events seen. */
double swq_independent_events(double mean, double error, double count);

/* The Poisson mean for which no more than `events` (>= 0, not necessarily whole) are seen with a
 * probability of 1 - confidence: the upper end of a one-sided interval. */
double swq_poisson_above(double events, double confidence);

/* The quantile of a beta distribution with parameters a, b > 0: if k of n trials are successes, the
 * quantiles (alpha / 2; k, n - k + 1) and (1 - alpha / 2; k + 1, n - k) are the bounds of Clopper
 * and Pearson for the probability of success. 0 where a, and 1 where b, is not above 0. */
double swq_beta_quantile(double probability, double a, double b);

/* Lag-1 correlation of the residuals a - r b of consecutive batches (NAN for fewer than three or if
 * all residuals are 0, which counts as uncorrelated), and whether it is significant: von Neumann's
 * ratio beyond the one-sided 95% point of its normal approximation, positive correlation only
 * (Fishman 1978). */
double swq_batch_correlation(const double *above, const double *below, size_t batches,
                             bool *significant);

/* MSER-5 (White 1997; Spratt 1998): the series is cut into means of five, and the truncation point
 * minimises the marginal standard error of what remains, over points in the first half. Returns the
 * number of observations to drop (a multiple of 5), or `count` if the minimum lies at the end of
 * the first half: the series is too short to decide. O(count), no memory. */
size_t swq_mser5(const double *series, size_t count);

/* ---- histograms of non-negative integers ---- */

enum {
    SWQ_HISTOGRAM_EXACT = 8192, /* values below are counted one by one */
    SWQ_HISTOGRAM_PARTS = 64,   /* bins of each doubling above that */
    SWQ_HISTOGRAM_BINS = SWQ_HISTOGRAM_EXACT + (32 - 13) * SWQ_HISTOGRAM_PARTS
};

/* The bin of a value below 2^32, and the smallest value of a bin. */
static inline uint32_t swq_histogram_bin(uint32_t value)
{
    if (value < SWQ_HISTOGRAM_EXACT)
        return value;
    int octave = 31 - __builtin_clz(value); /* 13 .. 31 */
    return (uint32_t)(SWQ_HISTOGRAM_EXACT + (octave - 13) * SWQ_HISTOGRAM_PARTS) +
           ((value - (1u << octave)) >> (octave - 6));
}
uint32_t swq_histogram_value(uint32_t bin);

/* The percentile as Frazier (1995, chapter 5) defines it: with q = 0.99, the lowest value of the
 * slowest one percent, i.e. the largest v such that at least (1-q) of the counted values are >= v.
 * count: [bins], bins <= SWQ_HISTOGRAM_BINS, where bin b stands for swq_histogram_value(b). NAN if
 * nothing was counted. O(bins). */
double swq_histogram_percentile(const uint64_t *count, uint32_t bins, double q);

#endif
