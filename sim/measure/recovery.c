/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far throughput falls after an onset, and when it has recovered, from the windows of a run.
 */
#include "switchq/sim.h"

#include <math.h>

static const swq_flow_result *flow_of(const swq_window *w, int group)
{
    return group < 0 ? &w->all : &w->by_group[group];
}

static double throughput(const swq_series *s, size_t k, int group)
{
    return flow_of(&s->window[k], group)->throughput.mean;
}

/* Mean and scatter of the whole windows before the onset. */
static size_t look_before(const swq_series *s, int group, swq_recovery *r)
{
    double mean = 0, square = 0;
    size_t n = 0;

    while (n < s->windows && s->window[n].first + s->window[n].cycles <= r->onset) {
        const double value = throughput(s, n, group), off = value - mean;
        n++;
        mean += off / (double)n;
        square += off * (value - mean);
    }
    r->windows = n;
    r->before = n ? mean : NAN;
    r->scatter = n > 1 ? sqrt(square / (double)(n - 1)) / mean : NAN;
    return n;
}

swq_recovery swq_series_recovery(const swq_series *s, int group, uint64_t onset)
{
    swq_recovery r = {.onset = onset, .least = NAN, .cycles = NAN};
    size_t k = look_before(s, group, &r), within = 0;

    /* the window that contains the onset counts as one after the onset; the last window may be
     * short */
    for (; k < s->windows && within < SWQ_RECOVERY_WINDOWS && r.before > 0; k++) {
        const swq_window *w = &s->window[k];
        const double value = throughput(s, k, group);
        if (w->cycles < s->window[0].cycles)
            break;
        if (!(value >= r.least)) {
            r.least = value;
            r.least_cycle = w->first;
        }
        within = fabs(value - r.before) <= SWQ_RECOVERY_WITHIN * r.before ? within + 1 : 0;
    }
    if (within == SWQ_RECOVERY_WINDOWS) {
        const uint64_t first = s->window[k - SWQ_RECOVERY_WINDOWS].first;
        r.cycles = first > onset ? (double)(first - onset) : 0;
    }
    return r;
}
