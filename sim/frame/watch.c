/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Watching queues: those of the host input ports, as mean blocks in frames of time (Frazier 1995,
 * Figs. 6.10 to 6.12); and all stores, at a moment.
 */
#include "base/context.h"
#include "sim/frame/net.h"

#include <string.h>

static size_t watched_queues(const swq_async_net *net)
{
    return (size_t)net->fabric->nodes * (size_t)net->queues;
}

swq_status swq_watch_new(swq_context *ctx, swq_async_net *net, swq_async_watch *watch)
{
    net->watch = watch;
    if (watch && net->stores && net->stores->watch)
        net->stores->watch(net);
    if (!watch || !watch->queue_blocks)
        return SWQ_OK;
    if (net->managed.hooks && !net->spec->management.row->by_class)
        return swq_fail(ctx, SWQ_EINVAL,
                        "frames are of a buffer's queues by class, which management %s has not",
                        net->spec->management.row->name);
    if (net->stores)
        return swq_fail(ctx, SWQ_EINVAL,
                        "frames are of a buffer's queues by class, which architecture %s has not",
                        net->spec->architecture.row->name);
    watch->frames_seen = 0;
    net->frames_all = swq_calloc(ctx, watched_queues(net), sizeof *net->frames_all);
    net->frame = swq_calloc(ctx, watched_queues(net), sizeof *net->frame);
    return net->frame && net->frames_all ? SWQ_OK : swq_memory_status(ctx);
}

/* Mean occupancies by node and class; a buffer with one queue shows it as class 0. */
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
        const swq_queue *queue = net->queue + (size_t)net->fabric->entry[i] * (uint32_t)net->queues;
        for (int q = 0; q < net->queues; q++, k++) {
            net->frame[k] += queue[q].blocks;
            net->frames_all[k] += queue[q].blocks;
        }
    }
    net->watched_cycles++;
    if (++net->frame_cycles == net->watch->frame_cycles)
        close_frame(net);
}

/* The warm-up is over: the watch forgets its counts so far. */
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
    if (net->watch->phase_end)
        swq_after_phases(net, net->watch->phase_end);
}

/* ---- all stores, at a moment ---- */

/* Blocks that the packet still holds which has been read last from queue q of a store. With output
 * stores, a packet whose tail was late counts as if it had begun later. */
static uint32_t leaving_blocks(const swq_async_net *net, uint32_t store, int q,
                               const swq_leaving *l)
{
    const uint32_t evenly = net->left_bytes ? *swq_left_bytes(net, store, q) : 0;

    if ((int32_t)(net->cycle - l->cycle) < 0)
        return l->blocks;
    if (evenly)
        return swq_left_evenly(l, net->cycle, evenly, net->block);
    return swq_left(l, net->cycle, net->step[store >= net->inputs]);
}

static uint32_t blocks_in(const swq_async_net *net, uint32_t store)
{
    const bool output = store >= net->inputs;
    const swq_port *port = &net->port[store];
    uint32_t blocks = port->blocks;

    if (net->stores)
        return net->stores->held ? net->stores->held(net, store) : 0;
    if (output || !net->each_queue)
        return blocks + leaving_blocks(net, store, 0, &port->reader.leaving);
    for (int q = 0; q < net->queues; q++)
        blocks += leaving_blocks(
            net, store, q,
            &net->reader[(size_t)store * (uint32_t)net->queues + (uint32_t)q].leaving);
    return blocks;
}

static uint32_t blocks_to(const swq_async_net *net, uint32_t store, uint32_t node)
{
    if (net->stores && net->stores->held_for)
        return net->stores->held_for(net, store, node);
    const swq_parcel *parcels = swq_parcels_of(net, store);
    uint32_t blocks = 0;

    for (swq_walk w = swq_walk_begin(net, store); w.now; swq_walk_on(&w)) {
        const swq_queue *queue = &swq_queues_of(net, store)[swq_walk_queue(&w)];
        for (uint16_t slot = queue->head; slot != SWQ_NO_SLOT; slot = parcels[slot].next)
            blocks += parcels[slot].to != node ? 0
                      : net->stores            ? parcels[slot].bytes
                                               : parcels[slot].blocks;
    }
    return blocks;
}

void swq_watch_hold(const swq_system *system, uint32_t marked, uint16_t *held, uint16_t *of_marked)
{
    const swq_async_net *net = (const swq_async_net *)system;

    for (uint32_t store = 0; store < net->elements; store++) {
        held[store] = (uint16_t)blocks_in(net, store);
        if (of_marked)
            of_marked[store] = (uint16_t)blocks_to(net, store, marked);
    }
}

uint32_t swq_watch_rows(const swq_async_net *net)
{
    return (uint32_t)net->ports * (net->output_stores ? 2 : 1);
}

uint32_t swq_watch_columns(const swq_async_net *net)
{
    if (net->stores)
        return net->stores->lanes(net);
    return (uint32_t)(net->queues > net->output_queues ? net->queues : net->output_queues);
}

/* Blocks in a queue of a store, with those of the packet that was read last from it. */
static uint32_t blocks_in_queue(const swq_async_net *net, uint32_t store, uint32_t queue)
{
    const bool output = store >= net->inputs;
    const swq_reader *reader = &net->port[store].reader;

    if (net->stores)
        return net->stores->held_in(net, store, queue);
    if (queue >= (uint32_t)(output ? net->output_queues : net->queues))
        return 0;
    const uint32_t blocks = swq_queues_of(net, store)[queue].blocks;
    if (!output && net->each_queue)
        reader = &net->reader[(size_t)store * (uint32_t)net->queues + queue];
    else if (reader->queue != queue)
        return blocks;
    return blocks + leaving_blocks(net, store, (int)queue, &reader->leaving);
}

void swq_watch_hold_by_queue(const swq_async_net *net, uint32_t *held)
{
    const uint32_t ports = (uint32_t)net->ports, rows = swq_watch_rows(net);
    const uint32_t columns = swq_watch_columns(net);

    for (uint32_t store = 0; store < net->elements; store++) {
        const uint32_t at = store < net->inputs ? store : store - net->inputs;
        const uint32_t row = at % ports + (store < net->inputs ? 0 : ports);
        uint32_t *to = held + ((size_t)(at / ports) * rows + row) * columns;
        for (uint32_t k = 0; k < columns; k++)
            to[k] = blocks_in_queue(net, store, k);
    }
}

void swq_watch_aside(const swq_system *system, uint8_t *saqs)
{
    const swq_async_net *net = (const swq_async_net *)system;

    for (uint32_t store = 0; store < net->elements; store++)
        saqs[store] = (uint8_t)net->stores->aside(net, store);
}
