/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals that are wider than the scatter of batches, or not given: of a run that is not many
 * times as long as the network's memory, of latencies that hardly vary, and of messages without a
 * variance.
 */
#include "sim/measure/refuse.h"

#include "sim/measure/streams.h"
#include "switchq/detail.h"

#include <math.h>

/* The share of a run that counts. The memory of a network can be trusted only after a run of many
 * times that memory: a run without the rare slow changes shows a short memory and narrow intervals.
 * So a run counts only as far as it is longer than that. */
static double share_beyond(double cycles, double memory)
{
    const double share = 1 - SWQ_MEMORY_TIMES * memory / cycles;

    return share > 0 ? share : 0;
}

swq_counting swq_counting_of(const swq_memory *m, const swq_system *s)
{
    if (s->sources == 0 || s->changing)
        return (swq_counting){1, 1};
    if (s->infinite_variance)
        return (swq_counting){0, 0};
    return (swq_counting){share_beyond(m->cycles, m->network), share_beyond(m->cycles, m->waits)};
}

swq_unknown swq_what_is_unknown(const swq_counting *counts, const swq_system *s)
{
    return counts->waits > 0      ? SWQ_UNKNOWN_NOTHING
           : counts->most > 0     ? SWQ_UNKNOWN_WAITS
           : s->infinite_variance ? SWQ_UNKNOWN_VARIANCE
                                  : SWQ_UNKNOWN_ALL;
}

double swq_widening_of(double share)
{
    return share > 0 ? 1 / sqrt(share) : NAN;
}

/* A sample with hardly any deviation says little about how large deviations are, and how frequent.
 * Where sources are regular, so that throughput does not vary, packets are no sample. */
static void drop_rare_waits(swq_flow_result *f)
{
    if (f->unlike < SWQ_RARE_EVENTS && f->throughput.half_width != 0)
        swq_widen_flow(f, (swq_widening){1, NAN});
}

static void widen_detail(swq_detail *d, swq_widening widening)
{
    for (uint32_t i = 0; d->node && i < d->nodes; i++) {
        swq_widen_interval(&d->node[i].offered, widening.most);
        swq_widen_interval(&d->node[i].sender_throughput, widening.most);
        swq_widen_interval(&d->node[i].throughput, widening.most);
        swq_widen_interval(&d->node[i].latency, widening.waits);
    }
    for (size_t k = 0; d->link && k < d->links; k++) {
        swq_widen_interval(&d->link[k].utilisation, widening.most);
        swq_widen_interval(&d->link[k].packet_rate, widening.most);
        swq_widen_interval(&d->link[k].occupancy, widening.most);
    }
    for (int k = 0; k < d->measures; k++) {
        swq_measured *m = &d->measured[k];
        swq_widen_interval(&m->value,
                           m->measure->kind == SWQ_MEASURE_RATE ? widening.most : widening.waits);
        for (int p = 0; p < m->percentiles && isnan(widening.waits); p++)
            m->percentile[p].lower = m->percentile[p].upper = NAN;
    }
    for (int p = 0; p < d->percentiles && isnan(widening.waits); p++)
        d->percentile[p].lower = d->percentile[p].upper = NAN;
}

static void widen(swq_sim_result *r, swq_detail *d, swq_widening widening)
{
    swq_widen_intervals(r->groups, r->stages, widening, &r->all, r->by_class, r->by_group,
                        r->stage);
    swq_widen_interval(&r->saqs, widening.most);
    swq_widen_interval(&r->refusal, widening.most);
    swq_widen_interval(&r->fairness.least, widening.most);
    swq_widen_interval(&r->fairness.greatest, widening.most);
    swq_widen_interval(&r->source_queue, widening.waits);
    if (isnan(widening.most)) {
        r->source_queue_below = r->refusal_below = NAN;
        r->correlated = false;
    }
    if (d)
        widen_detail(d, widening);
}

void swq_result_drop_intervals(swq_sim_result *r, swq_detail *d)
{
    widen(r, d, (swq_widening){NAN, NAN});
}

void swq_result_refuse(swq_sim_result *r, swq_detail *d)
{
    widen(r, d, (swq_widening){swq_widening_of(r->counts.most), swq_widening_of(r->counts.waits)});
    drop_rare_waits(&r->all);
    for (int k = 0; k < SWQ_CLASSES; k++)
        drop_rare_waits(&r->by_class[k]);
    for (int g = 0; g < r->groups; g++)
        drop_rare_waits(&r->by_group[g]);
}
