/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The integrated autocorrelation time of a stationary series: for how long the series remembers.
 */
#ifndef SWQ_BASE_CORRELATION_TIME_H
#define SWQ_BASE_CORRELATION_TIME_H

#include <stddef.h>

/* The correlation time, in entries, of the ratio of above to below in `runs` independent runs of
 * run[k] entries each, one run after another: the mean of n entries is known as well as the mean of
 * (n divided by this time) independent entries. The time is 1 + 2 (sum of the correlations of all
 * lags). With below == NULL all entries of below are 1. *above is overwritten with the residuals.
 * At least 1; 1 if nothing varies, and the number of entries if there are fewer than
 * SWQ_CORRELATION_LEAST.
 *
 * Sums of correlations of two successive lags are positive and decrease in a reversible chain, so
 * these sums are added up to the first that is not positive, each sum at most as large as the
 * previous one (Geyer 1992, the initial monotone sequence). Residuals are taken from a mean that
 * follows the series, so that all correlations are too small by the correlation time divided by the
 * number of entries. This is added until time and correlations agree, at most a few times. For a
 * series that is shorter than ten or twenty correlation times, the answer is still too small, but a
 * large part of the series. Cost: O(entries * lags). */
double swq_correlation_time(double *above, const double *below, const size_t *run, size_t runs);

enum { SWQ_CORRELATION_LEAST = 8 };

/* The correlation time of a process in continuous time whose correlations fall exponentially, if
 * each entry of a series is the integral of the process over a unit of time, and the series has the
 * correlation time `entries` >= 1: 0 for entries = 1, about 2 (entries - 1) just above, and about
 * entries - 2/3 for large values. */
double swq_correlation_time_between(double entries);

#endif
