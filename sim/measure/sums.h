/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over batches, of all replications together, and their ratios, whose intervals come from the
 * batches' scatter.
 */
#ifndef SWQ_SIM_MEASURE_SUMS_H
#define SWQ_SIM_MEASURE_SUMS_H

#include "sim/measure/collector.h"

/* A sum of counters times a factor: numerator or denominator of a ratio. */
typedef struct swq_sum {
    int first, step, count; /* counters first, first + step, ... */
    int beside, also;       /* if > 0: also the counters that many places after each */
    double factor;
    bool cycles; /* the batch's cycles instead of counters */
} swq_sum;

/* Sums: of cycles times `units`; of one counter; of a counter of cells first, first + step, ... */
swq_sum swq_sum_cycles(double units);
swq_sum swq_sum_counter(int which);
swq_sum swq_sum_cells(const swq_system *system, int which, int first, int step, int count);

swq_sum swq_sum_times(double factor, swq_sum what);

/* The sum in each batch, in array[c->batches]. */
void swq_sum_fill(const swq_collector *c, const swq_sum *what, double *array);

/* The sum of all batches, without its factor. */
uint64_t swq_sum_total(const swq_collector *c, swq_sum what);

/* The ratio of the sums in c->above to those in `below` (NULL: a mean of c->above). */
swq_estimate swq_filled_ratio(const swq_collector *c, const double *below);

/* A ratio of two sums. Uses c->above and c->below. */
swq_estimate swq_sum_ratio(const swq_collector *c, swq_sum above, swq_sum below);

/* The fraction of trials that are events. If no event was seen, `together` says how many may occur
 * together: a refused packet is offered again, and a blocked buffer tends to be blocked in the next
 * cycle, too. */
typedef struct swq_events {
    swq_sum events, trials, counted; /* counted: the trials without an event */
    double together;
    bool packets; /* a mean number of packets, which may be above 1, and whose events are never
                     independent: a packet that waits is counted in several cycles */
} swq_events;

/* On how many of the independent events an interval relies, of which the scatter of `count` events
 * shows `known`: on all if none of them come together, and on down to half of them the larger
 * clusters are, since the largest ones have often not been seen, and the scatter is too small
 * without them. */
double swq_relied_on(double known, double count);

/* The fraction; *below receives its upper bound if events were rare, else NAN. */
swq_estimate swq_events_fraction(const swq_collector *c, const swq_events *what, double *below);

#endif
