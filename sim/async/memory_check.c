/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the memory of an asynchronous network, before and behind the crossbar; and buffers of a
 * number of bytes.
 */
#include "base/context.h"
#include "sim/async/checks.h"
#include "sim/frame/pieces.h"
#include "sim/frame/rule.h"
#include "sim/switches/check.h"
#include "sim/tables/gate.h"

#include <stdio.h>

swq_status swq_async_buffer(swq_context *ctx, swq_async *n, const swq_buffer_kind *kind, int bytes)
{
    swq_fabric f;
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status)
        status = swq_check_whole(ctx, "block", n->packet.block, 1, SWQ_MAX_PACKET);
    if (!status)
        status = swq_check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
    if (!status)
        status = swq_check_whole(ctx, "bytes", bytes, 1, SWQ_MAX_BUFFER_BLOCKS * n->packet.block);
    if (!status)
        swq_buffer_fill(kind, kind->queues == SWQ_ONE_QUEUE ? 1 : f.classes,
                        bytes / n->packet.block, swq_async_packet(n), &n->memory.buffer);
    return status;
}

swq_status swq_async_memory(swq_context *ctx, swq_async *n, int bytes)
{
    return swq_async_buffer(ctx, n, &swq_buffer_damq, bytes);
}

/* Appends a hint: which options would admit packets to stores smaller than they are. */
static void hint_at_pieces(const swq_async *n, char *text, size_t size)
{
    if (n->packet.piece == 0 && n->packet.max > n->packet.block && !swq_async_managed(n) &&
        !n->flow.row->stop_go && !n->architecture.output.store_and_forward)
        snprintf(text, size, "; piece lets packets lie in several smaller ones");
}

/* An empty buffer without room for a packet will never have any. */
static swq_status check_room(swq_context *ctx, const swq_async *n, int queues, int escapes)
{
    const uint16_t empty[SWQ_MAX_PORTS] = {0};
    const swq_buffer *b = &n->memory.buffer;
    const int packet = swq_async_packet(n);
    const int more = b->queue_min < packet ? packet - b->queue_min : 0; /* for an escape queue */
    const int least = swq_buffer_partitioned(b)
                          ? packet * queues
                          : b->queue_min * (queues - 1) + packet + more * escapes;
    const char *what = swq_async_unit(n) < n->packet.max ? "piece" : "packet";
    char each[40] = "its queue", pieces[100] = "";

    swq_buffer plain = *b;
    plain.alpha = 0; /* closes no queue that is empty */
    if (swq_async_room(&plain, escapes, queues, empty, queues - 1, packet))
        return SWQ_OK;
    if (b->queue_max < packet && b->capacity >= least)
        return swq_fail(ctx, SWQ_EINVAL,
                        "queue-max must be at least %d, so that a queue takes a %s of %d bytes "
                        "in blocks of %d, not %d",
                        packet, what, swq_async_unit(n), n->packet.block, b->queue_max);
    if (queues > 1)
        snprintf(each, sizeof each, "each of %d queues", queues);
    hint_at_pieces(n, pieces, sizeof pieces);
    return swq_fail(ctx, SWQ_EINVAL,
                    "bytes must be at least %d, %d blocks, so that %s takes a %s of %d bytes in "
                    "blocks of %d, not %d blocks%s",
                    least * n->packet.block, least, each, what, swq_async_unit(n), n->packet.block,
                    b->capacity, pieces);
}

swq_status swq_check_buffer(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_buffer *b = &n->memory.buffer;
    const int queues = swq_async_managed(n) ? 1 : swq_async_queues(n, f);

    if (n->architecture.row && swq_async_stores(n)) {
        const swq_status packet =
            swq_check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
        return packet ? packet : swq_check_whole(ctx, "chunk", n->packet.block, 1, SWQ_MAX_PACKET);
    }
    if (b->scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "scope must be input: an asynchronous network has a buffer at each input "
                        "port, no pools");
    swq_status status = swq_check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
    if (!status)
        status = swq_check_whole(ctx, "block", n->packet.block, 1, SWQ_MAX_PACKET);
    if (!status && b->capacity < 1)
        status = swq_fail(ctx, SWQ_EINVAL, "bytes must be at least a block of %d", n->packet.block);
    if (!status)
        status = check_room(ctx, n, queues, f->escapes);
    return status ? status
                  : swq_buffer_check_units(ctx, b, queues, SWQ_MAX_BUFFER_BLOCKS, "blocks");
}

swq_status swq_check_last(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_buffer *b = &n->memory.buffer;
    const int least = swq_async_packet(n);
    const char *what = NULL;

    if (!n->memory.last_blocks)
        return SWQ_OK;
    if (f->shape.kind != &swq_fabric_multistage)
        what = "multistage networks";
    else if (n->architecture.row != &swq_input_queued)
        what = "architecture input-queued";
    else if (swq_async_managed(n))
        what = "management none";
    else if (n->flow.row != &swq_flow_blocking)
        what = "flow block";
    else if (swq_pieces_asked(n))
        what = "packets that go whole";
    else if (swq_buffer_partitioned(b) || b->queue_min > 0 || b->alpha > 0 ||
             b->queue_max < b->capacity)
        what = "buffers whose queues share all memory, such as fifo and damq";
    if (what)
        return swq_fail(ctx, SWQ_EINVAL, "last-bytes %d is for %s alone",
                        n->memory.last_blocks * n->packet.block, what);
    if (n->memory.last_blocks < least || n->memory.last_blocks > SWQ_MAX_BUFFER_BLOCKS)
        return swq_fail(ctx, SWQ_EINVAL, "last-bytes must be %d to %d, not %d",
                        least * n->packet.block, SWQ_MAX_BUFFER_BLOCKS * n->packet.block,
                        n->memory.last_blocks * n->packet.block);
    return SWQ_OK;
}

swq_status swq_check_output_stores(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture.row;
    const int packet = swq_async_packet(n);
    char pieces[100] = "";

    if (f->levels == SWQ_MAX_LEVELS)
        return swq_fail(ctx, SWQ_EINVAL, "architecture %s: the network has too many levels, %d",
                        a->name, f->levels);
    hint_at_pieces(n, pieces, sizeof pieces);
    if (n->architecture.output.blocks < packet ||
        n->architecture.output.blocks > SWQ_MAX_BUFFER_BLOCKS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "output-bytes must be %d to %d: %d to %d blocks of %d, of which a %s "
                        "takes up to %d; not %d blocks%s",
                        packet * n->packet.block, SWQ_MAX_BUFFER_BLOCKS * n->packet.block, packet,
                        SWQ_MAX_BUFFER_BLOCKS, n->packet.block,
                        swq_async_unit(n) < n->packet.max ? "piece" : "packet", packet,
                        n->architecture.output.blocks, pieces);
    if (n->architecture.output.speedup_cycles < 1 ||
        n->architecture.output.speedup_bytes < n->architecture.output.speedup_cycles ||
        n->architecture.output.speedup_bytes >
            (int64_t)f->ports * n->architecture.output.speedup_cycles ||
        n->architecture.output.speedup_bytes > 1000000)
        return swq_fail(ctx, SWQ_EINVAL,
                        "speedup must be 1 to %d, the ports of a switch, not %d bytes in %d cycles",
                        f->ports, n->architecture.output.speedup_bytes,
                        n->architecture.output.speedup_cycles);
    if (a->async.at_once &&
        (!n->architecture.output.store_and_forward || n->architecture.output.speedup_cycles != 1 ||
         n->architecture.output.speedup_bytes != f->ports))
        return swq_fail(ctx, SWQ_EINVAL,
                        "architecture %s has a speedup of %d, its ports, and packets cross whole",
                        a->name, f->ports);
    return swq_check_whole(ctx, "crossbar-delay", n->architecture.output.crossbar_delay, 1,
                           SWQ_MOST_DELAY);
}
