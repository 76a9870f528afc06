/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures: quantities that a run measures only if it is asked to. A row of the table says which
 * report of kernels has the values of a measure and what becomes of them; counters, batches,
 * intervals, percentiles and answers follow from the row. No kernel knows a measure.
 */
#ifndef SWQ_SIM_MEASURE_MEASURES_H
#define SWQ_SIM_MEASURE_MEASURES_H

#include "sim/measure/system.h"
#include "switchq/detail.h"

/* A report: what a value can be computed from. */
typedef struct swq_reported {
    uint32_t cycle;
    uint32_t came; /* start: the cycle in which the packet came to the store */
    uint32_t store;
    int level;       /* of the store */
    uint64_t amount; /* deliver: latency; lose: cycles in the system; pause: cycles of the pause;
                        message: cycles from its creation until its last byte has arrived */
} swq_reported;

/* The counters of a measure. Of a spread, a histogram follows. */
enum { SWQ_MEASURE_REPORTS, SWQ_MEASURE_SUM, SWQ_MEASURE_BINS };

size_t swq_measure_counters(const swq_measure *measure);

/* Do measures that are asked for need reports of messages? detail may be NULL. */
bool swq_measures_messages(const swq_detail *detail);

/* The number of counters of all measures that are asked for; detail may be NULL. */
size_t swq_measures_counters(const swq_detail *detail);

/* Adds a report to all measures that it has values of. Only where measures are asked for. */
void swq_measures_take(swq_system *system, swq_probe_report report, const swq_reported *step);

#endif
