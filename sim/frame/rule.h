/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The room rule of an asynchronous network: a buffer is open to a queue when that has room for a
 * packet of the greatest length, by the rule that all engines share, in blocks.
 */
#ifndef SWQ_SIM_FRAME_RULE_H
#define SWQ_SIM_FRAME_RULE_H

#include "models/buffers/buffers.h"
#include "sim/frame/management.h"
#include "sim/frame/stores.h"
#include "switchq/async.h"

/* The most bytes that are sent at once: a packet, or a piece of one. */
static inline int swq_async_unit(const swq_async *n)
{
    return n->packet.piece > 0 && n->packet.piece < n->packet.max ? n->packet.piece : n->packet.max;
}

/* Blocks of the longest packet, or piece. */
static inline int swq_async_packet(const swq_async *n)
{
    return (swq_async_unit(n) + n->packet.block - 1) / n->packet.block;
}

/* Does the network have a management other than "none"? */
static inline bool swq_async_managed(const swq_async *n)
{
    return n->management.row && n->management.row->hooks;
}

/* The hooks of the stores that its management or architecture brings, or NULL. */
static inline const swq_store_hooks *swq_async_stores(const swq_async *n)
{
    if (n->management.row && n->management.row->stores)
        return n->management.row->stores;
    return n->architecture.row->async.stores;
}

/* Queues of a buffer: one for all classes, or one for each, and the escape queues in either
 * case. */
static inline int swq_async_queues(const swq_async *n, const swq_fabric *f)
{
    if (swq_async_managed(n))
        return n->management.row->hooks->queues(n, f, false);
    const int queues = swq_buffer_queues(&n->memory.buffer, f->classes);
    return queues == 1 ? f->escapes + 1 : queues;
}

/* The room rule where the first `escapes` queues have the room of a packet reserved each, unless
 * the buffer is partitioned or reserves more for every queue. */
static inline bool swq_async_room(const swq_buffer *b, int escapes, int queues,
                                  const uint16_t *length, int join, int packet)
{
    const int reserve = b->queue_min < packet ? packet : b->queue_min;
    const int own_reserve = join < escapes ? reserve : b->queue_min;
    const int own = length[join] - own_reserve;
    int shared = b->capacity, used = 0;

    if (!escapes || swq_buffer_partitioned(b))
        return swq_buffer_room(b, queues, length, join, packet);
    if (length[join] + packet > b->queue_max)
        return false;
    if (own + packet <= 0)
        return true;
    for (int q = 0; q < queues; q++) {
        const int least = q < escapes ? reserve : b->queue_min;
        shared -= least;
        used += length[q] > least ? length[q] - least : 0;
    }
    if (used + (own > 0 ? packet : own + packet) > shared)
        return false;
    return b->alpha == 0 || (own > 0 ? own : 0) < b->alpha * (shared - used);
}

/* Bytes of the shortest possible packet. O(lines of the trace). */
int swq_async_shortest(const swq_async *n);

/* Flow controls by credits and signals (credit_rules.c). The buffer as its senders see it: with
 * credits for each queue its blocks are split among the queues. */
swq_buffer swq_async_as_sent(const swq_async *n, int queues);

/* Is the flow control credits or stop and go? */
static inline bool swq_credits_ask(const swq_async *n)
{
    return n->flow.row->credits || n->flow.row->stop_go;
}

/* Is the flow control acknowledged, so that buffers take or refuse a packet (acks.c)? */
static inline bool swq_acks_ask(const swq_async *n)
{
    return n->flow.row->by_destination || n->flow.row->by_path;
}

#endif
