/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For how long a stationary series remembers: its integrated autocorrelation time.
 * Room: base.
 */
#ifndef SWQ_BASE_CORRELATION_TIME_H
#define SWQ_BASE_CORRELATION_TIME_H

#include <stddef.h>

/* The correlation time, in entries, of the ratio of above to below in `runs` independent runs of
 * run[k] entries each, one run after another: the mean of n entries is known as well as that of n
 * independent ones divided by this time, 1 + 2 (sum of the correlations of all lags). With below ==
 * NULL all are 1. *above is overwritten with the residuals. At least 1; 1 if nothing varies, and
 * the number of entries if there are fewer than SWQ_CORRELATION_LEAST.
 *
 * Sums of correlations of two successive lags are positive and decrease in a reversible chain, so
 * they are added up to the first that is not positive, each at most as large as the one before
 * (Geyer 1992, the initial monotone sequence). Residuals are from a mean that follows the series,
 * so that all correlations are too small by the time divided by the number of entries, which is
 * added until time and correlations agree, at most a few times. Of a series of fewer than ten or
 * twenty of its times the answer is still too small, but a large part of the series. Cost:
 * O(entries * lags). */
double swq_correlation_time(double *above, const double *below, const size_t *run, size_t runs);

enum { SWQ_CORRELATION_LEAST = 8 };

/* The correlation time of a process in continuous time, if its correlations fall exponentially, of
 * which each entry is the integral over a unit of time and the entries have the time `entries`
 * >= 1: 0 for 1, about 2 (entries - 1) just above, and about entries - 2/3 for large ones. */
double swq_correlation_time_between(double entries);

#endif
