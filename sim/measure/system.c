/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counters of a network in simulation: their memory, and resetting them.
 * Room: sim. Includes base.
 */
#include "sim/measure/windows.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/replication.h"
#include "switchq/detail.h"

#include <string.h>

/* Counters of nodes, links and latencies, if asked for; they follow the other counters. */
static size_t node_counters(const swq_system *s)
{
    const swq_detail *d = s->options->detail;
    return d && d->node ? (size_t)s->nodes * SWQ_NODE_COUNTERS : 0;
}

static size_t link_counters(const swq_system *s)
{
    const swq_detail *d = s->options->detail;
    return d && d->link ? s->links * SWQ_LINK_COUNTERS : 0;
}

static size_t bin_counters(const swq_system *s)
{
    const swq_detail *d = s->options->detail;
    return d && (d->bin || d->percentiles) ? SWQ_HISTOGRAM_BINS : 0;
}

size_t swq_system_counters(const swq_system *s)
{
    return (size_t)swq_tally_size(s->levels, s->cells) + node_counters(s) + link_counters(s) +
           bin_counters(s);
}

static size_t histogram_size(const swq_system *s)
{
    return (size_t)s->cells * (size_t)SWQ_HISTOGRAM_BINS;
}

static size_t node_count_size(const swq_system *s)
{
    return (size_t)s->classes * s->nodes * SWQ_NODE_BINS;
}

swq_status swq_system_count(swq_context *ctx, swq_system *s)
{
    const swq_detail *d = s->options->detail;

    if (d && d->link && d->links != s->links)
        return swq_fail(ctx, SWQ_EINVAL, "detail must have room for %zu links, not %zu", s->links,
                        d->links);
    s->tally = swq_calloc(ctx, swq_system_counters(s), sizeof *s->tally);
    s->histogram = swq_calloc(ctx, histogram_size(s), sizeof *s->histogram);
    if (s->options->per_node)
        s->node_count = swq_calloc(ctx, node_count_size(s), sizeof *s->node_count);
    if (s->tally && s->histogram && (s->node_count || !s->options->per_node)) {
        uint64_t *next = s->tally + swq_tally_size(s->levels, s->cells);
        s->node_tally = node_counters(s) ? next : NULL;
        s->link_tally = link_counters(s) ? next + node_counters(s) : NULL;
        s->bin_tally = bin_counters(s) ? next + node_counters(s) + link_counters(s) : NULL;
        return SWQ_OK;
    }
    swq_system_free_counts(ctx, s);
    return swq_memory_status(ctx);
}

void swq_system_free_counts(swq_context *ctx, swq_system *s)
{
    swq_free(ctx, s->tally);
    swq_free(ctx, s->histogram);
    swq_free(ctx, s->node_count);
    s->tally = s->histogram = s->node_tally = s->link_tally = s->bin_tally = NULL;
    s->node_count = NULL;
}

double swq_system_bytes(const swq_system *s)
{
    swq_windows windows = swq_windows_of(s->options, s->levels, s->cells);
    swq_by_sender senders = swq_by_sender_of(s);
    swq_arrays list = {0};
    swq_windows_list(&windows, &list);
    swq_by_sender_list(&senders, &list);
    double bytes = (double)swq_system_counters(s) * sizeof *s->tally +
                   (double)histogram_size(s) * sizeof *s->histogram;

    if (s->options->detail) /* without details batches are small */
        bytes += (double)swq_system_counters(s) * sizeof *s->tally * SWQ_MOST_BATCHES;

    bytes += swq_arrays_bytes(&list);
    return bytes + (s->options->per_node ? (double)node_count_size(s) * sizeof *s->node_count : 0);
}

void swq_system_settle(swq_system *s)
{
    if (s->settle)
        s->settle(s);
    if (!s->bin_tally)
        return;
    memset(s->bin_tally, 0, sizeof *s->bin_tally * SWQ_HISTOGRAM_BINS);
    for (size_t k = 0; k < histogram_size(s); k++)
        s->bin_tally[k % SWQ_HISTOGRAM_BINS] += s->histogram[k];
}

void swq_system_reset(swq_system *s)
{
    memset(s->tally, 0, sizeof *s->tally * swq_system_counters(s));
    memset(s->histogram, 0, sizeof *s->histogram * histogram_size(s));
    if (s->node_count)
        memset(s->node_count, 0, sizeof *s->node_count * node_count_size(s));
}
