/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of each node and link, and the distribution of latencies, from the same batches as the
 * means of the whole network.
 * Room: sim. Includes base.
 */
#include "switchq/detail.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/fairness.h"
#include "sim/measure/sums.h"

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

/* ---- sums ---- */

/* A counter in each merged batch; -1: the cycles. */
static void fill(const swq_collector *c, ptrdiff_t counter, double *array)
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

static swq_estimate over(const swq_collector *c, ptrdiff_t counter)
{
    fill(c, counter, c->above);
    return swq_filled_ratio(c, c->below);
}

static uint64_t total(const swq_collector *c, ptrdiff_t counter)
{
    uint64_t sum = 0;

    for (int k = 0; k < c->options->replications; k++)
        sum += c->replication[k].system->tally[counter];
    return sum;
}

/* ---- nodes and links ---- */

static void collect_nodes(const swq_collector *c, swq_detail *d)
{
    const swq_system *s = c->replication->system;
    const bool bytes = s->amount == SWQ_CELL_BYTES;

    fill(c, -1, c->below);
    for (uint32_t i = 0; i < d->nodes; i++) {
        const ptrdiff_t at = swq_node_counters(s, i) - s->tally;
        d->node[i] = (swq_node_detail){
            .created = total(c, at + SWQ_NODE_CREATED),
            .delivered = total(c, at + SWQ_NODE_DELIVERED),
            .discarded = total(c, at + SWQ_NODE_DISCARDED),
            .bytes_created = total(c, at + SWQ_NODE_BYTES_CREATED),
            .bytes_delivered = total(c, at + SWQ_NODE_BYTES),
            .offered = over(c, at + (bytes ? SWQ_NODE_BYTES_CREATED : SWQ_NODE_CREATED)),
            .throughput = over(c, at + (bytes ? SWQ_NODE_BYTES : SWQ_NODE_DELIVERED)),
        };
    }
    for (uint32_t i = 0; i < d->nodes; i++) {
        const ptrdiff_t at = swq_node_counters(s, i) - s->tally;
        d->node[i].sender_throughput = swq_collect_sender(c, i);
        fill(c, at + SWQ_NODE_DELIVERED, c->below);
        d->node[i].latency = over(c, at + SWQ_NODE_LATENCY);
    }
}

static void collect_links(const swq_collector *c, swq_detail *d)
{
    const swq_system *s = c->replication->system;
    const bool bytes = s->amount == SWQ_CELL_BYTES;

    fill(c, -1, c->below);
    for (size_t k = 0; k < d->links; k++) {
        const ptrdiff_t at = swq_link_counters(s, k) - s->tally;
        d->link[k] = (swq_link_detail){
            .packets = total(c, at + SWQ_LINK_PACKETS),
            .bytes = total(c, at + SWQ_LINK_BYTES),
            .utilisation = over(c, at + (bytes ? SWQ_LINK_BYTES : SWQ_LINK_PACKETS)),
            .packet_rate = over(c, at + SWQ_LINK_PACKETS),
            .occupancy = {NAN, NAN},
            .saqs = NAN,
            .saqs_before = NAN,
        };
        if (!s->ends_at_node(s, k))
            d->link[k].occupancy = over(c, at + SWQ_LINK_OCCUPANCY);
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

/* Packets in bins `first` and above, in each merged batch. */
static void fill_above(const swq_collector *c, uint32_t first, double *array)
{
    const swq_system *s = c->replication->system;
    const size_t bins = (size_t)(s->bin_tally - s->tally);
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
static double independent(const swq_collector *c, uint32_t first, double packets)
{
    fill_above(c, first, c->above);
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

static void collect_percentile(const swq_collector *c, const uint64_t *sum, double packets,
                               swq_percentile *p)
{
    const double alpha = 1 - c->options->confidence;

    p->value = swq_histogram_percentile(sum, SWQ_HISTOGRAM_BINS, p->level);
    p->lower = p->upper = NAN;
    if (!(packets > 0) || c->batches < 2)
        return;
    /* The effective numbers for "as slow or slower" and for "slower" differ where many packets have
     * the same latency; use the smaller one. */
    const uint32_t bin = swq_histogram_bin((uint32_t)p->value);
    const double slow = independent(c, bin, packets), slower = independent(c, bin + 1, packets);
    const double above = 1 - p->level, known = fmin(slow, slower) * c->share * above;
    const double k = known < SWQ_RARE_EVENTS ? swq_relied_on(known, packets * above) : known;
    const double n = k / above;
    const double least = swq_beta_quantile(alpha / 2, k, n - k + 1);
    const double most = swq_beta_quantile(1 - alpha / 2, k + 1, n - k);
    p->lower = swq_histogram_percentile(sum, SWQ_HISTOGRAM_BINS, 1 - most);
    p->upper = at_level(sum, packets, 1 - least);
}

static swq_status collect_latencies(swq_context *ctx, const swq_collector *c, swq_detail *d)
{
    uint64_t *sum = swq_calloc(ctx, SWQ_HISTOGRAM_BINS, sizeof *sum);
    double packets = 0;

    if (!sum)
        return swq_memory_status(ctx);
    for (int k = 0; k < c->options->replications; k++) {
        for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++)
            sum[b] += c->replication[k].system->bin_tally[b];
    }
    for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++)
        packets += (double)sum[b];
    if (d->bin)
        collect_bins(sum, d);
    fill_above(c, 0, c->below);
    for (int p = 0; p < d->percentiles; p++)
        collect_percentile(c, sum, packets, &d->percentile[p]);
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
    return d->bin || d->percentiles ? collect_latencies(ctx, c, d) : SWQ_OK;
}
