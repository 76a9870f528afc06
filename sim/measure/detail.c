/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of each node and link, and the distribution of latencies, from the same batches as the
 * means of the whole network.
 */
#include "switchq/detail.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/fairness.h"
#include "sim/measure/measures.h"
#include "sim/measure/percentiles.h"
#include "sim/measure/streams.h"

#include <math.h>
#include <string.h>

swq_status swq_detail_new(swq_context *ctx, uint32_t nodes, size_t outputs, unsigned what,
                          swq_detail *detail)
{
    swq_detail d = {.nodes = nodes, .links = nodes + outputs};

    if (what & SWQ_DETAIL_NODES)
        d.node = swq_calloc(ctx, d.nodes, sizeof *d.node);
    if (what & SWQ_DETAIL_LINKS)
        d.link = swq_calloc(ctx, d.links, sizeof *d.link);
    if (what & SWQ_DETAIL_HISTOGRAM)
        d.bin = swq_calloc(ctx, SWQ_HISTOGRAM_BINS, sizeof *d.bin);
    if ((what & SWQ_DETAIL_NODES && !d.node) || (what & SWQ_DETAIL_LINKS && !d.link) ||
        (what & SWQ_DETAIL_HISTOGRAM && !d.bin)) {
        swq_detail_clear(ctx, &d);
        return swq_memory_status(ctx);
    }
    *detail = d;
    return SWQ_OK;
}

void swq_detail_clear(swq_context *ctx, swq_detail *detail)
{
    swq_free(ctx, detail->node);
    swq_free(ctx, detail->link);
    swq_free(ctx, detail->bin);
    *detail = (swq_detail){0};
}

/* ---- nodes and links ---- */

static uint64_t total(const swq_collector *c, ptrdiff_t counter)
{
    uint64_t sum = 0;

    for (int k = 0; k < c->options->replications; k++)
        sum += c->replication[k].system->tally[counter];
    return sum;
}

/* A rate as a part of what a link carries at most. */
static swq_estimate of_link(const swq_system *s, size_t link, swq_estimate rate)
{
    const double speed = swq_speed_of_link(s, link);

    return (swq_estimate){rate.mean / speed, rate.half_width / speed};
}

static void collect_nodes(const swq_collector *c, swq_detail *d)
{
    const swq_system *s = c->replication->system;
    const bool bytes = s->amount == SWQ_CELL_BYTES;

    swq_counter_fill(c, -1, c->below);
    for (uint32_t i = 0; i < d->nodes; i++) {
        const ptrdiff_t at = swq_node_counters(s, i) - s->tally;
        d->node[i] = (swq_node_detail){
            .created = total(c, at + SWQ_NODE_CREATED),
            .delivered = total(c, at + SWQ_NODE_DELIVERED),
            .discarded = total(c, at + SWQ_NODE_DISCARDED),
            .bytes_created = total(c, at + SWQ_NODE_BYTES_CREATED),
            .bytes_delivered = total(c, at + SWQ_NODE_BYTES),
            .offered = of_link(
                s, i,
                swq_counter_ratio(c, at + (bytes ? SWQ_NODE_BYTES_CREATED : SWQ_NODE_CREATED))),
            .throughput = of_link(
                s, i, swq_counter_ratio(c, at + (bytes ? SWQ_NODE_BYTES : SWQ_NODE_DELIVERED))),
        };
    }
    for (uint32_t i = 0; i < d->nodes; i++) {
        const ptrdiff_t at = swq_node_counters(s, i) - s->tally;
        d->node[i].sender_throughput = swq_collect_sender(c, i);
        swq_counter_fill(c, at + SWQ_NODE_DELIVERED, c->below);
        d->node[i].latency = swq_counter_ratio(c, at + SWQ_NODE_LATENCY);
    }
}

static void collect_links(const swq_collector *c, swq_detail *d)
{
    const swq_system *s = c->replication->system;
    const bool bytes = s->amount == SWQ_CELL_BYTES;

    swq_counter_fill(c, -1, c->below);
    for (size_t k = 0; k < d->links; k++) {
        const ptrdiff_t at = swq_link_counters(s, k) - s->tally;
        d->link[k] = (swq_link_detail){
            .packets = total(c, at + SWQ_LINK_PACKETS),
            .bytes = total(c, at + SWQ_LINK_BYTES),
            .utilisation = of_link(
                s, k, swq_counter_ratio(c, at + (bytes ? SWQ_LINK_BYTES : SWQ_LINK_PACKETS))),
            .packet_rate = swq_counter_ratio(c, at + SWQ_LINK_PACKETS),
            .occupancy = {NAN, NAN},
            .saqs = NAN,
            .saqs_before = NAN,
        };
        if (!s->ends_at_node(s, k))
            d->link[k].occupancy = swq_counter_ratio(c, at + SWQ_LINK_OCCUPANCY);
    }
}

/* ---- latencies ---- */

static void collect_bins(const uint64_t *sum, swq_detail *d)
{
    d->bins = 0;
    for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++) {
        const uint32_t next =
            b + 1 < SWQ_HISTOGRAM_BINS ? swq_histogram_value(b + 1) - 1 : UINT32_MAX;
        if (sum[b])
            d->bin[d->bins++] = (swq_latency_bin){swq_histogram_value(b), next, sum[b]};
    }
}

static swq_status collect_latencies(swq_context *ctx, const swq_collector *c, swq_detail *d)
{
    const swq_system *s = c->replication->system;
    uint64_t *sum = swq_calloc(ctx, SWQ_HISTOGRAM_BINS, sizeof *sum);

    if (!sum)
        return swq_memory_status(ctx);
    swq_collect_percentiles(c, (size_t)(s->bin_tally - s->tally), sum, d->percentile,
                            d->percentiles);
    if (d->bin)
        collect_bins(sum, d);
    swq_free(ctx, sum);
    return SWQ_OK;
}

/* ---- measures ---- */

static void collect_measure(const swq_collector *c, ptrdiff_t at, uint64_t *sum, swq_measured *m)
{
    m->reports = total(c, at + SWQ_MEASURE_REPORTS);
    swq_counter_fill(c, m->measure->kind == SWQ_MEASURE_RATE ? -1 : at + SWQ_MEASURE_REPORTS,
                     c->below);
    m->value = swq_counter_ratio(c, at + SWQ_MEASURE_SUM);
    if (m->measure->kind == SWQ_MEASURE_SPREAD)
        swq_collect_percentiles(c, (size_t)(at + SWQ_MEASURE_BINS), sum, m->percentile,
                                m->percentiles);
}

static swq_status collect_measures(swq_context *ctx, const swq_collector *c, swq_detail *d)
{
    const swq_system *s = c->replication->system;
    uint64_t *sum = swq_calloc(ctx, SWQ_HISTOGRAM_BINS, sizeof *sum);
    ptrdiff_t at = s->measured - s->tally;

    if (!sum)
        return swq_memory_status(ctx);
    for (int k = 0; k < d->measures; k++) {
        collect_measure(c, at, sum, &d->measured[k]);
        at += (ptrdiff_t)swq_measure_counters(d->measured[k].measure);
    }
    swq_free(ctx, sum);
    return SWQ_OK;
}

swq_status swq_collect_detail(swq_context *ctx, const swq_collector *c)
{
    swq_detail *d = c->options->detail;

    if (!d)
        return SWQ_OK;
    /* a run that was cut short ends within a batch */
    for (int k = 0; k < c->options->replications; k++)
        swq_system_settle(c->replication[k].system);
    if (d->node)
        collect_nodes(c, d);
    if (d->link)
        collect_links(c, d);
    swq_status status = d->bin || d->percentiles ? collect_latencies(ctx, c, d) : SWQ_OK;
    return !status && d->measures ? collect_measures(ctx, c, d) : status;
}
