/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counters of a network in simulation: their memory, and forgetting.
 * Room: sim. Includes base.
 */
#include "sim/measure/system.h"

#include "base/context.h"
#include "base/statistics.h"

#include <string.h>

static size_t tally_size(const swq_system *s)
{
    return (size_t)swq_tally_size(s->levels, s->cells);
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
    s->tally = swq_calloc(ctx, tally_size(s), sizeof *s->tally);
    s->histogram = swq_calloc(ctx, histogram_size(s), sizeof *s->histogram);
    if (s->options->per_node)
        s->node_count = swq_calloc(ctx, node_count_size(s), sizeof *s->node_count);
    if (s->tally && s->histogram && (s->node_count || !s->options->per_node))
        return SWQ_OK;
    swq_system_free_counts(ctx, s);
    return swq_memory_status(ctx);
}

void swq_system_free_counts(swq_context *ctx, swq_system *s)
{
    swq_free(ctx, s->tally);
    swq_free(ctx, s->histogram);
    swq_free(ctx, s->node_count);
    s->tally = s->histogram = NULL;
    s->node_count = NULL;
}

double swq_system_bytes(const swq_system *s)
{
    double bytes =
        (double)tally_size(s) * sizeof *s->tally + (double)histogram_size(s) * sizeof *s->histogram;

    return bytes + (s->options->per_node ? (double)node_count_size(s) * sizeof *s->node_count : 0);
}

void swq_system_reset(swq_system *s)
{
    memset(s->tally, 0, sizeof *s->tally * tally_size(s));
    memset(s->histogram, 0, sizeof *s->histogram * histogram_size(s));
    if (s->node_count)
        memset(s->node_count, 0, sizeof *s->node_count * node_count_size(s));
}
