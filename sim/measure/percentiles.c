/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Single counters of the tally, and percentiles of histograms in it, from merged batches.
 */
#include "sim/measure/percentiles.h"

#include "base/statistics.h"
#include "sim/measure/sums.h"

#include <math.h>
#include <string.h>

void swq_counter_fill(const swq_collector *c, ptrdiff_t counter, double *array)
{
    size_t at = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        const size_t groups = c->taken[k];
        for (size_t g = 0, b = 0; g < groups; g++, at++) {
            uint64_t sum = 0;
            for (; b < swq_taken_end(c, r, g, groups); b++)
                sum += counter < 0 ? r->length[b] : r->batch[b * r->counters + (size_t)counter];
            array[at] = (double)sum;
        }
    }
}

swq_estimate swq_counter_ratio(const swq_collector *c, ptrdiff_t counter)
{
    swq_counter_fill(c, counter, c->above);
    return swq_filled_ratio(c, c->below);
}

/* Packets in bins `first` and above of the histogram that begins at counter `bins`, in each merged
 * batch. */
static void fill_above(const swq_collector *c, size_t bins, uint32_t first, double *array)
{
    size_t at = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        const size_t groups = c->taken[k];
        for (size_t g = 0, b = 0; g < groups; g++, at++) {
            uint64_t sum = 0;
            for (; b < swq_taken_end(c, r, g, groups); b++) {
                for (uint32_t k2 = first; k2 < SWQ_HISTOGRAM_BINS; k2++)
                    sum += r->batch[b * r->counters + bins + k2];
            }
            array[at] = (double)sum;
        }
    }
}

/* The effective number of packets: that many independent ones would estimate the fraction in bins
 * `first` and above with the same variance. At most their true number. c->below holds the packets
 * of each batch. */
static double independent(const swq_collector *c, size_t bins, uint32_t first, double packets)
{
    fill_above(c, bins, first, c->above);
    const swq_estimate e = swq_filled_ratio(c, c->below);
    if (!(e.half_width > 0))
        return packets;
    /* Korn and Graubard: the normal quantile, since the half-width already contains Student's t */
    const double z = swq_student_t(c->options->confidence, 1e9) / e.half_width;
    return fmin(packets, e.mean * (1 - e.mean) * z * z);
}

/* The percentile at a level; INFINITY if less than one packet is expected above it. */
static double at_level(const uint64_t *sum, double packets, double level)
{
    if ((1 - level) * packets < 1)
        return INFINITY;
    return swq_histogram_percentile(sum, SWQ_HISTOGRAM_BINS, level);
}

static void collect_percentile(const swq_collector *c, size_t bins, const uint64_t *sum,
                               double packets, swq_percentile *p)
{
    const double alpha = 1 - c->options->confidence;

    p->value = swq_histogram_percentile(sum, SWQ_HISTOGRAM_BINS, p->level);
    p->lower = p->upper = NAN;
    if (!(packets > 0) || c->batches < 2)
        return;
    /* The effective numbers for "as slow or slower" and for "slower" differ where many packets have
     * the same latency; use the smaller one. */
    const uint32_t bin = swq_histogram_bin((uint32_t)p->value);
    const double slow = independent(c, bins, bin, packets),
                 slower = independent(c, bins, bin + 1, packets);
    const double above = 1 - p->level, known = fmin(slow, slower) * c->share * above;
    const double k = known < SWQ_RARE_EVENTS ? swq_relied_on(known, packets * above) : known;
    const double n = k / above;
    const double least = swq_beta_quantile(alpha / 2, k, n - k + 1);
    const double most = swq_beta_quantile(1 - alpha / 2, k + 1, n - k);
    p->lower = swq_histogram_percentile(sum, SWQ_HISTOGRAM_BINS, 1 - most);
    p->upper = at_level(sum, packets, 1 - least);
}

void swq_collect_percentiles(const swq_collector *c, size_t bins, uint64_t *sum,
                             swq_percentile *percentile, int percentiles)
{
    double packets = 0;

    memset(sum, 0, sizeof *sum * SWQ_HISTOGRAM_BINS);
    for (int k = 0; k < c->options->replications; k++) {
        for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++)
            sum[b] += c->replication[k].system->tally[bins + b];
    }
    for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++)
        packets += (double)sum[b];
    fill_above(c, bins, 0, c->below);
    for (int p = 0; p < percentiles; p++)
        collect_percentile(c, bins, sum, packets, &percentile[p]);
}
