/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals that are not given: of a run that is not many times as long as the network's memory, of
 * latencies that hardly vary, and of messages without a variance.
 * Room: sim.
 */
#include "sim/measure/refuse.h"

#include "sim/measure/streams.h"
#include "switchq/detail.h"

#include <math.h>

swq_unknown swq_what_is_unknown(const swq_memory *m, const swq_system *s)
{
    if (s->sources == 0 || s->changing)
        return SWQ_UNKNOWN_NOTHING;
    if (s->infinite_variance)
        return SWQ_UNKNOWN_VARIANCE;
    if (!(m->cycles >= SWQ_MEMORY_TIMES * m->network))
        return SWQ_UNKNOWN_ALL;
    return m->cycles >= SWQ_MEMORY_TIMES * m->waits ? SWQ_UNKNOWN_NOTHING : SWQ_UNKNOWN_WAITS;
}

static void drop_latencies(swq_flow_result *f)
{
    swq_drop_interval(&f->latency);
    swq_drop_interval(&f->tail_latency);
    swq_drop_interval(&f->message_head);
    swq_drop_interval(&f->message_tail);
}

/* A sample with hardly any deviation says little about how large deviations are, and how frequent.
 * Where sources are regular, so that throughput does not vary, packets are no sample. */
static void drop_rare_waits(swq_flow_result *f)
{
    if (f->unlike < SWQ_RARE_EVENTS && f->throughput.half_width != 0)
        drop_latencies(f);
}

static void drop_waits(swq_sim_result *r, swq_detail *d)
{
    drop_latencies(&r->all);
    for (int k = 0; k < SWQ_CLASSES; k++)
        drop_latencies(&r->by_class[k]);
    for (int g = 0; g < SWQ_MAX_GROUPS; g++)
        drop_latencies(&r->by_group[g]);
    swq_drop_interval(&r->source_queue);
    for (uint32_t i = 0; d && d->node && i < d->nodes; i++)
        swq_drop_interval(&d->node[i].latency);
    for (int p = 0; d && p < d->percentiles; p++)
        d->percentile[p].lower = d->percentile[p].upper = NAN;
}

static void drop_detail(swq_detail *d)
{
    for (uint32_t i = 0; d->node && i < d->nodes; i++)
        d->node[i].offered.half_width = d->node[i].sender_throughput.half_width =
            d->node[i].throughput.half_width = d->node[i].latency.half_width = NAN;
    for (size_t k = 0; d->link && k < d->links; k++)
        d->link[k].utilisation.half_width = d->link[k].packet_rate.half_width =
            d->link[k].occupancy.half_width = NAN;
    for (int p = 0; p < d->percentiles; p++)
        d->percentile[p].lower = d->percentile[p].upper = NAN;
}

void swq_result_drop_intervals(swq_sim_result *r, swq_detail *d)
{
    swq_drop_intervals(r->groups, r->stages, &r->all, r->by_class, r->by_group, r->stage);
    swq_drop_interval(&r->source_queue);
    swq_drop_interval(&r->saqs);
    swq_drop_interval(&r->refusal);
    r->source_queue_below = r->refusal_below = NAN;
    r->fairness.least.half_width = r->fairness.greatest.half_width = NAN;
    r->correlated = false;
    if (d)
        drop_detail(d);
}

void swq_result_refuse(swq_sim_result *r, swq_detail *d)
{
    if (r->unknown == SWQ_UNKNOWN_ALL || r->unknown == SWQ_UNKNOWN_VARIANCE)
        swq_result_drop_intervals(r, d);
    else if (r->unknown == SWQ_UNKNOWN_WAITS)
        drop_waits(r, d);
    drop_rare_waits(&r->all);
    for (int k = 0; k < SWQ_CLASSES; k++)
        drop_rare_waits(&r->by_class[k]);
    for (int g = 0; g < SWQ_MAX_GROUPS; g++)
        drop_rare_waits(&r->by_group[g]);
}
