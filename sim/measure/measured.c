/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adding up the reports that measures have values of.
 */
#include "base/statistics.h"
#include "sim/measure/probe.h"

size_t swq_measure_counters(const swq_measure *measure)
{
    return SWQ_MEASURE_BINS + (measure->kind == SWQ_MEASURE_SPREAD ? SWQ_HISTOGRAM_BINS : 0);
}

size_t swq_measures_counters(const swq_detail *detail)
{
    size_t counters = 0;

    for (int k = 0; detail && k < detail->measures; k++)
        counters += swq_measure_counters(detail->measured[k].measure);
    return counters;
}

void swq_follow_in(swq_system *s, size_t packet, uint32_t store, int level, uint32_t cycle)
{
    swq_probe_stays(s, store, cycle);
    swq_probe_comes(s, packet, store, level, cycle);
}

void swq_follow_out(swq_system *s, size_t packet, uint32_t store, int level, uint32_t cycle)
{
    swq_probe_goes(s, store, cycle);
    swq_probe_begins(s, packet, level, cycle);
}

void swq_measures_take(swq_system *s, swq_probe_report report, const swq_reported *step)
{
    const swq_detail *d = s->options->detail;
    uint64_t *count = s->measured;

    for (int k = 0; k < d->measures; k++) {
        const swq_measure *m = d->measured[k].measure;
        if (m->report == report) {
            const uint32_t value = m->value(step);
            count[SWQ_MEASURE_REPORTS]++;
            count[SWQ_MEASURE_SUM] += value;
            if (m->kind == SWQ_MEASURE_SPREAD)
                count[SWQ_MEASURE_BINS + swq_histogram_bin(value)]++;
        }
        count += swq_measure_counters(m);
    }
}
