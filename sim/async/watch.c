/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Watching the queues of the host input ports: mean blocks in frames of time (Frazier 1995, Figs.
 * 6.10 to 6.12).
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "sim/async/net.h"

#include <string.h>

static size_t watched_queues(const swq_async_net *net)
{
    return (size_t)net->fabric->nodes * (size_t)net->queues;
}

swq_status swq_watch_new(swq_context *ctx, swq_async_net *net, swq_async_watch *watch)
{
    net->watch = watch;
    if (!watch || !watch->queue_blocks)
        return SWQ_OK;
    if (net->managed.hooks && !net->spec->management->by_class)
        return swq_fail(ctx, SWQ_EINVAL,
                        "frames are of a buffer's queues by class, which management %s has not",
                        net->spec->management->name);
    watch->frames_seen = 0;
    net->frames_all = swq_calloc(ctx, watched_queues(net), sizeof *net->frames_all);
    net->frame = swq_calloc(ctx, watched_queues(net), sizeof *net->frame);
    return net->frame && net->frames_all ? SWQ_OK : swq_memory_status(ctx);
}

/* Means of block-cycles, by node and class; a buffer of one queue shows it as class 0. */
static void write_frame(const swq_async_net *net, const uint64_t *sum, double cycles, double *frame)
{
    for (uint32_t i = 0; i < net->fabric->nodes; i++) {
        for (int q = 0; q < net->classes; q++)
            frame[(size_t)i * (size_t)net->classes + (size_t)q] =
                q < net->queues && cycles > 0
                    ? (double)sum[(size_t)i * (size_t)net->queues + (size_t)q] / cycles
                    : 0;
    }
}

static double *frame_at(const swq_async_net *net, int frame)
{
    return net->watch->queue_blocks + (size_t)frame * net->fabric->nodes * (size_t)net->classes;
}

static void close_frame(swq_async_net *net)
{
    swq_async_watch *w = net->watch;

    if (w->frames_seen < w->frames)
        write_frame(net, net->frame, (double)net->frame_cycles, frame_at(net, w->frames_seen++));
    memset(net->frame, 0, watched_queues(net) * sizeof *net->frame);
    net->frame_cycles = 0;
}

void swq_watch_cycle(swq_async_net *net)
{
    size_t k = 0;

    for (uint32_t i = 0; i < net->fabric->nodes; i++) {
        const swq_lane *lane = net->lane + (size_t)net->fabric->entry[i] * (uint32_t)net->queues;
        for (int q = 0; q < net->queues; q++, k++) {
            net->frame[k] += lane[q].blocks;
            net->frames_all[k] += lane[q].blocks;
        }
    }
    net->watched_cycles++;
    if (++net->frame_cycles == net->watch->frame_cycles)
        close_frame(net);
}

/* The warm-up is over: what was seen is forgotten. */
void swq_watch_begin(swq_async_net *net)
{
    if (!net->frame)
        return;
    memset(net->frame, 0, watched_queues(net) * sizeof *net->frame);
    memset(net->frames_all, 0, watched_queues(net) * sizeof *net->frames_all);
    net->frame_cycles = net->watched_cycles = 0;
    net->watch->frames_seen = 0;
}

void swq_watch_finish(swq_async_net *net)
{
    if (net->frame)
        write_frame(net, net->frames_all, (double)net->watched_cycles,
                    frame_at(net, net->watch->frames));
}
