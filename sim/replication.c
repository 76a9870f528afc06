/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running one network: warm-up, then batches. Nothing is allocated after the beginning.
 * Room: sim. Includes base.
 */
#include "sim/replication.h"

#include "base/context.h"
#include "base/statistics.h"

#include <string.h>

enum { FIRST_LOOK = 256 /* cycles before the first look at a large network's warm-up */ };

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

swq_status swq_replication_new(swq_context *ctx, const swq_network *spec,
                               const swq_sim_options *options, uint32_t number, swq_replication *r)
{
    *r = (swq_replication){.stationary = true};
    swq_status status = swq_net_new(ctx, spec, options, number, &r->net);
    if (status)
        return status;
    r->counters = swq_tally_size(r->net->stages, r->net->cells);
    if (TAKE(r->batch, SWQ_MOST_BATCHES * r->counters) && TAKE(r->length, SWQ_MOST_BATCHES) &&
        TAKE(r->before, r->counters) && TAKE(r->series, SWQ_SERIES))
        return SWQ_OK;
    swq_replication_free(ctx, r);
    return swq_memory_status(ctx);
}

void swq_replication_free(swq_context *ctx, swq_replication *r)
{
    swq_net_free(ctx, r->net);
    swq_free(ctx, r->batch);
    swq_free(ctx, r->length);
    swq_free(ctx, r->before);
    swq_free(ctx, r->series);
    r->net = NULL;
    r->batch = r->length = r->before = NULL;
    r->series = NULL;
}

/* One cycle, unless somebody wants us to stop. */
static bool step(swq_replication *r, const swq_context *ctx)
{
    if (swq_context_cancelled(ctx)) {
        r->interrupted = true;
        return false;
    }
    swq_net_cycle(r->net);
    atomic_fetch_add_explicit(&r->done, 1, memory_order_relaxed);
    return true;
}

/* The packets in the system, observed over `span` cycles each; halve when the series is full. */
static void find_warm_up(swq_replication *r, const swq_context *ctx, uint64_t longest)
{
    const uint64_t *population = &r->net->tally[SWQ_NET_POPULATION];
    uint64_t span = 1, look = r->net->nodes > 4096 ? FIRST_LOOK : SWQ_SERIES;
    size_t count = 0;

    while (r->warmup < longest) {
        uint64_t before = *population;
        for (uint64_t k = 0; k < span; k++) {
            if (!step(r, ctx))
                return;
            r->warmup++;
        }
        r->series[count++] = (double)(*population - before) / (double)span;
        if (r->warmup < look)
            continue;
        if (swq_mser5(r->series, count) < count / 2)
            return;
        look *= 2;
        if (2 * count > SWQ_SERIES) {
            for (size_t k = 0; k < count / 2; k++)
                r->series[k] = (r->series[2 * k] + r->series[2 * k + 1]) / 2;
            count /= 2;
            span *= 2;
        }
    }
    r->stationary = false;
}

void swq_replication_warm_up(swq_replication *r, const swq_context *ctx, uint64_t longest)
{
    if (r->net->options->warmup == SWQ_WARMUP_AUTO)
        find_warm_up(r, ctx, longest);
    else
        while (r->warmup < r->net->options->warmup && step(r, ctx))
            r->warmup++;
    swq_net_reset_tally(r->net);
    memset(r->before, 0, sizeof *r->before * (size_t)r->counters);
    r->hops_before = r->net->hops;
    r->warm = !r->interrupted;
}

/* A trace has nothing more to say and the network is empty. */
static bool ran_dry(const swq_net *net)
{
    return net->spec->traffic.kind == SWQ_SOURCE_TRACE && net->waiting == 0 &&
           net->created == net->spec->traffic.trace_packets &&
           net->created == net->delivered + net->discarded;
}

void swq_replication_run(swq_replication *r, const swq_context *ctx, size_t batches, uint64_t most)
{
    swq_net *net = r->net;

    while (r->warm && !r->interrupted && !r->drained && r->batches < batches && r->cycles < most) {
        uint64_t cycles = r->batch_cycles < most - r->cycles ? r->batch_cycles : most - r->cycles;
        uint64_t *batch = r->batch + r->batches * (size_t)r->counters, k = 0;
        while (k < cycles && !r->drained && step(r, ctx)) {
            k++;
            r->drained = ran_dry(net);
        }
        if (r->interrupted)
            return; /* what was measured since the last batch is in no interval */
        for (int c = 0; c < r->counters; c++) {
            batch[c] = net->tally[c] - r->before[c];
            r->before[c] = net->tally[c];
        }
        r->length[r->batches++] = k;
        r->cycles += k;
    }
}

void swq_replication_merge(swq_replication *r)
{
    for (size_t b = 0; b < r->batches / 2; b++) {
        uint64_t *to = r->batch + b * (size_t)r->counters;
        const uint64_t *from = r->batch + 2 * b * (size_t)r->counters;
        for (int c = 0; c < r->counters; c++)
            to[c] = from[c] + from[c + r->counters];
        r->length[b] = r->length[2 * b] + r->length[2 * b + 1];
    }
    if (r->batches % 2) { /* an odd one out joins the last pair */
        size_t last = r->batches / 2 - 1;
        for (int c = 0; c < r->counters; c++)
            r->batch[last * (size_t)r->counters + (size_t)c] +=
                r->batch[(r->batches - 1) * (size_t)r->counters + (size_t)c];
        r->length[last] += r->length[r->batches - 1];
    }
    r->batches /= 2;
    r->batch_cycles *= 2;
}
