/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Single counters of the tally, and percentiles of histograms in it, from merged batches.
 */
#ifndef SWQ_SIM_MEASURE_PERCENTILES_H
#define SWQ_SIM_MEASURE_PERCENTILES_H

#include "sim/measure/collector.h"
#include "switchq/detail.h"

#include <stddef.h>

/* A counter in each merged batch, in array[c->batches]; -1: the cycles. */
void swq_counter_fill(const swq_collector *c, ptrdiff_t counter, double *array);

/* The ratio of a counter to the sums in c->below. Uses c->above. */
swq_estimate swq_counter_ratio(const swq_collector *c, ptrdiff_t counter);

/* Percentiles, their levels set, of the histogram that begins at counter `bins`. Fills in sum,
 * [SWQ_HISTOGRAM_BINS], the histogram of all replications. Uses c->above and c->below. */
void swq_collect_percentiles(const swq_collector *c, size_t bins, uint64_t *sum,
                             swq_percentile *percentile, int percentiles);

#endif
