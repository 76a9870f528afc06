/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Credits, and stop and go: what they can be asked for, and which thresholds no buffer can overflow
 * with. docs/asynchronous.md has the rules.
 */
#include "base/context.h"
#include "sim/flows/flows.h"

enum { MOST_DELAY = 4096 };

/* The most blocks of packets that begin to be sent one after another, all but the last within
 * `cycles`. Of the lengths with the same number of blocks the shortest is the worst. */
static int blocks_within(const swq_async *n, int cycles)
{
    const int shortest = swq_async_shortest(n), most = swq_async_packet(n);
    const int time_left = cycles < 0 ? 0 : cycles < MOST_DELAY ? cycles : MOST_DELAY;
    int best[MOST_DELAY + 1] = {0}; /* for each number of cycles */

    for (int blocks = 1; blocks <= most; blocks++) {
        int bytes = (blocks - 1) * n->packet.block + 1;
        bytes = bytes > shortest ? bytes : shortest;
        const int time = bytes + n->link.rest;
        if (bytes > blocks * n->packet.block)
            continue;
        for (int c = time; c <= time_left; c++) {
            const int with = best[c - time] + blocks;
            best[c] = with > best[c] ? with : best[c];
        }
    }
    return best[time_left];
}

int swq_stop_go_room(const swq_async *n)
{
    return swq_buffer_partitioned(&n->memory.buffer) ? n->memory.buffer.queue_max
                                                     : n->memory.buffer.capacity;
}

int swq_async_highest_stop(const swq_async *n)
{
    return swq_stop_go_room(n) - swq_async_packet(n) - blocks_within(n, n->flow.credit_delay) + 1;
}

/* Does the buffer accept packets by its occupancy alone? */
static swq_status check_plain(swq_context *ctx, const swq_async *n, const char *who)
{
    const swq_buffer *b = &n->memory.buffer;

    if (b->queue_min > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "queue-min must be 0 with %s, not %d: --flow credits --credit-unit pool is "
                        "for reserved blocks",
                        who, b->queue_min);
    if (b->queue_max < b->capacity)
        return swq_fail(ctx, SWQ_EINVAL,
                        "queue-max must be all %d blocks with %s, not %d: --flow credits "
                        "--credit-unit pool is for limits",
                        b->capacity, who, b->queue_max);
    if (b->alpha > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "alpha must be 0 with %s, not %g: --flow credits --credit-unit pool is for "
                        "dynamic thresholds",
                        who, b->alpha);
    return SWQ_OK;
}

/* A queue's part must hold a packet. */
static swq_status check_parts(swq_context *ctx, const swq_async *n, int queues)
{
    const swq_buffer *b = &n->memory.buffer, sent = swq_async_as_sent(n, queues);
    const int packet = swq_async_packet(n);

    if (!swq_buffer_partitioned(b) && b->queue_min > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "queue-min must be 0 with credit-unit queue, which splits the buffer, not "
                        "%d: --credit-unit pool is for reserved blocks",
                        b->queue_min);
    if (!swq_buffer_partitioned(b) && b->alpha > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "alpha must be 0 with credit-unit queue, which splits the buffer, not %g: "
                        "--credit-unit pool is for dynamic thresholds",
                        b->alpha);
    if (sent.queue_max >= packet)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "credit-unit queue splits %d blocks among %d queues: credits for %d blocks are "
                    "below a packet, which takes up to %d; --bytes must be at least %d",
                    b->capacity, queues, sent.queue_max, packet, packet * queues * n->packet.block);
}

static swq_status check_stop_go(swq_context *ctx, const swq_async *n)
{
    const int packet = swq_async_packet(n), room = swq_stop_go_room(n);
    const int highest = swq_async_highest_stop(n), late = room - packet + 1 - highest;

    if (highest < 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "credit-delay %d with stop-go: %d blocks can arrive until a sender has "
                        "heard of a stop, after a packet of %d, so that %d blocks would overflow",
                        n->flow.credit_delay, late, packet, room);
    if (n->flow.stop < 1 || n->flow.stop > highest)
        return swq_fail(ctx, SWQ_EINVAL,
                        "stop must be 1 to %d of %d blocks, not %d: a packet of up to %d, and %d "
                        "in the %d cycles until its sender has heard of it, come on top and have "
                        "to fit",
                        highest, room, n->flow.stop, packet, late, n->flow.credit_delay);
    if (n->flow.go < 0 || n->flow.go >= n->flow.stop)
        return swq_fail(ctx, SWQ_EINVAL, "go must be 0 to %d blocks, less than stop, not %d",
                        n->flow.stop - 1, n->flow.go);
    return SWQ_OK;
}

swq_status swq_credits_check(swq_context *ctx, const swq_async *n, int queues)
{
    swq_status status = SWQ_OK;

    if (n->flow.credit_delay < 0 || n->flow.credit_delay > MOST_DELAY)
        return swq_fail(ctx, SWQ_EINVAL, "credit-delay must be 0 to %d, not %d", MOST_DELAY,
                        n->flow.credit_delay);
    if (!n->architecture.row->async.input_buffers)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is for --architecture input-queued and cioq, not for %s",
                        n->flow.row->name, n->architecture.row->name);
    if (swq_async_managed(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for networks with a management (%s), which block",
                        n->flow.row->name, n->management.row->name);
    if (n->flow.row->stop_go) {
        if (!swq_buffer_partitioned(&n->memory.buffer))
            status = check_plain(ctx, n, "stop-go");
        return status ? status : check_stop_go(ctx, n);
    }
    switch (n->flow.credit_unit) {
    case SWQ_CREDIT_CHANNEL:
        if (queues > 1 && swq_buffer_partitioned(&n->memory.buffer))
            return swq_fail(ctx, SWQ_EINVAL,
                            "credit-unit channel counts the blocks of all queues together, of "
                            "which this buffer's have parts of their own: credit-unit must be "
                            "queue or pool");
        return swq_buffer_partitioned(&n->memory.buffer)
                   ? SWQ_OK
                   : check_plain(ctx, n, "credit-unit channel");
    case SWQ_CREDIT_QUEUE:
        return check_parts(ctx, n, queues);
    case SWQ_CREDIT_POOL:
        return SWQ_OK;
    }
    return swq_fail(ctx, SWQ_EINVAL, "credit-unit must be channel, queue or pool");
}
