/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counters of a network in simulation: their memory, and resetting them.
 */
#include "sim/measure/windows.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/measures.h"
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
           bin_counters(s) + swq_measures_counters(s->options->detail);
}

static size_t histogram_size(const swq_system *s)
{
    return (size_t)s->cells * (size_t)SWQ_HISTOGRAM_BINS;
}

static size_t stays_size(const swq_system *s)
{
    return s->reports_stays && link_counters(s) ? s->stores : 0;
}

static size_t came_size(const swq_system *s)
{
    return swq_measures_counters(s->options->detail) ? s->packets : 0;
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
    s->inside = swq_calloc(ctx, (size_t)s->levels, sizeof *s->inside);
    if (stays_size(s)) {
        s->stayed = swq_calloc(ctx, s->stores, sizeof *s->stayed);
        s->stayed_before = swq_calloc(ctx, s->stores, sizeof *s->stayed_before);
        s->staying = swq_calloc(ctx, s->stores, sizeof *s->staying);
    }
    if (came_size(s))
        s->came = swq_calloc(ctx, s->packets, sizeof *s->came);
    const bool stays = !stays_size(s) || (s->stayed && s->stayed_before && s->staying);
    if (s->options->per_node)
        s->node_count = swq_calloc(ctx, node_count_size(s), sizeof *s->node_count);
    if (s->tally && s->histogram && s->inside && stays && (s->came || !came_size(s)) &&
        (s->node_count || !s->options->per_node)) {
        uint64_t *next = s->tally + swq_tally_size(s->levels, s->cells);
        s->node_tally = node_counters(s) ? next : NULL;
        s->link_tally = link_counters(s) ? next + node_counters(s) : NULL;
        next += node_counters(s) + link_counters(s);
        s->bin_tally = bin_counters(s) ? next : NULL;
        s->measured = swq_measures_counters(d) ? next + bin_counters(s) : NULL;
        s->followed = s->stayed || s->measured;
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
    swq_free(ctx, s->inside);
    swq_free(ctx, s->came);
    swq_free(ctx, s->stayed);
    swq_free(ctx, s->stayed_before);
    swq_free(ctx, s->staying);
    s->inside = s->stayed = s->stayed_before = NULL;
    s->staying = NULL;
    s->came = NULL;
    s->tally = s->histogram = s->node_tally = s->link_tally = s->bin_tally = s->measured = NULL;
    s->node_count = NULL;
}

double swq_system_bytes(const swq_system *s)
{
    swq_windows windows = swq_windows_of(s->options, s->levels, s->cells);
    swq_by_sender senders = swq_by_sender_of(s);
    swq_arrays list = {0};
    swq_windows_list(&windows, &list);
    swq_by_sender_list(&senders, &list);
    double bytes =
        (double)swq_system_counters(s) * sizeof *s->tally +
        (double)histogram_size(s) * sizeof *s->histogram + (double)s->levels * sizeof *s->inside +
        (double)came_size(s) * sizeof *s->came +
        (double)stays_size(s) * (sizeof *s->stayed + sizeof *s->stayed_before + sizeof *s->staying);

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

/* ---- shares ---- */

/* The counters of a share: tally without details, histogram, and packets inside. */
static size_t share_counters(const swq_system *s)
{
    return (size_t)swq_tally_size(s->levels, s->cells) + histogram_size(s) + (size_t)s->levels;
}

double swq_system_share_bytes(const swq_system *s)
{
    return (double)share_counters(s) * sizeof *s->tally;
}

swq_status swq_system_share(swq_context *ctx, swq_system *share)
{
    uint64_t *own = swq_calloc(ctx, share_counters(share), sizeof *own);

    share->tally = own;
    if (!own)
        return swq_memory_status(ctx);
    share->histogram = own + swq_tally_size(share->levels, share->cells);
    share->inside = share->histogram + histogram_size(share);
    return SWQ_OK;
}

void swq_system_free_share(swq_context *ctx, swq_system *share)
{
    swq_free(ctx, share->tally);
}

void swq_system_collect(swq_system *to, swq_system *from)
{
    uint64_t *single[][2] = {{&to->waiting, &from->waiting},
                             {&to->riding, &from->riding},
                             {&to->created, &from->created},
                             {&to->delivered, &from->delivered},
                             {&to->discarded, &from->discarded},
                             {&to->hops, &from->hops},
                             {&to->bytes_created, &from->bytes_created},
                             {&to->bytes_delivered, &from->bytes_delivered},
                             {&to->bytes_lost, &from->bytes_lost},
                             {&to->sojourn, &from->sojourn},
                             {&to->area, &from->area}};

    for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
        *single[k][0] += *single[k][1];
        *single[k][1] = 0;
    }
    for (size_t k = 0; k < (size_t)swq_tally_size(to->levels, to->cells); k++)
        to->tally[k] += from->tally[k];
    for (size_t k = 0; k < histogram_size(to); k++)
        to->histogram[k] += from->histogram[k];
    for (int k = 0; k < to->levels; k++)
        to->inside[k] += from->inside[k];
    memset(from->tally, 0, share_counters(from) * sizeof *from->tally);
}
