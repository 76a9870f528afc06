/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Can packets of a network, as specified, wait for one another in a circle? deadlock.c finds those
 * that do.
 * Room: sim. Includes base and models.
 */
#include "sim/async/rule.h"

#include <math.h>

/* Blocks of a packet if all packets have the same number; else 0. */
static int same_blocks(const swq_async *n)
{
    int blocks = 0;

    if (n->trace)
        return 0;
    for (int g = 0; g < n->groups; g++) {
        for (int t = 0; t < n->group[g].types && !n->group[g].silent; t++) {
            const swq_spread *length = &n->group[g].type[t].length;
            /* not split, or split into packets of equal length */
            bool whole = length->first <= n->max_packet || fmod(length->first, n->max_packet) == 0;
            double packet = length->first < n->max_packet ? length->first : n->max_packet;
            int each = ((int)packet + n->block - 1) / n->block;
            if (length->kind != SWQ_CONSTANT || !whole || (blocks && each != blocks))
                return 0;
            blocks = each;
        }
    }
    return blocks;
}

/* If a queue grows as long as it can on its own with that threshold (blocks; the capacity: no
 * threshold), does it leave room for a packet of another queue? */
static bool leaves_room(const swq_async *n, int queues, int threshold)
{
    const int packet = swq_async_packet(n), same = same_blocks(n), step = same ? same : 1;
    const swq_buffer sent = swq_async_as_sent(n, queues);
    uint16_t length[SWQ_MAX_FABRIC_CLASSES] = {0};
    int open = 0; /* the greatest length at which it is sent another packet */

    if (queues == 1)
        return false;
    while (length[0] <= threshold && swq_buffer_room(&sent, queues, length, 0, packet)) {
        open = length[0];
        length[0] = (uint16_t)(open + step);
    }
    length[0] = (uint16_t)(open + (same ? same : packet));
    return swq_buffer_room(&sent, queues, length, 1, packet);
}

static int queues_of(const swq_async *n)
{
    swq_fabric f;

    /* no context for messages: the shape has been checked, so nothing can fail */
    return swq_fabric_count(NULL, &n->shape, &f) ? 0 : swq_async_queues(n, &f);
}

/* Are all queues those of the fabric's classes, which packets pass in a fixed order? An output
 * store has one queue, and a management may have queues of its own. */
static bool ordered_queues(const swq_async *n)
{
    return !n->architecture->output_stores &&
           (!swq_async_managed(n) || n->management->by_class || queues_of(n) == 1);
}

/* Does adaptive routing here lack the escape queues that the fabric needs? They are also of no use
 * if each output store is one queue. */
static bool lacks_escapes(const swq_async *n)
{
    return n->shape.routing->unguarded || n->architecture->output_stores;
}

/* A packet that pauses keeps its channel and read port from packets of every queue, so that a fixed
 * order of queues does not help. */
static bool holds_channels(const swq_async *n)
{
    return swq_async_unit(n) < n->max_packet;
}

bool swq_async_may_deadlock(const swq_async *n)
{
    const swq_store_hooks *stores = swq_async_stores(n);
    if (stores) /* architectures with stores of their own usually refuse networks that could */
        return stores->may_deadlock && stores->may_deadlock(n);
    if (swq_shape_adaptive(&n->shape) && n->shape.kind->escape)
        return lacks_escapes(n) || holds_channels(n);
    const int limit = n->flow->threshold ? n->threshold : n->buffer.capacity;

    return n->shape.kind->one_queue_rings &&
           (holds_channels(n) || !ordered_queues(n) || !leaves_room(n, queues_of(n), limit));
}

int swq_async_safe_threshold(const swq_async *n)
{
    const int queues = queues_of(n);
    int safe = -1, unsafe = n->buffer.capacity + 1;

    if (swq_async_stores(n))
        return n->buffer.capacity;
    if (swq_shape_adaptive(&n->shape) && n->shape.kind->escape)
        return lacks_escapes(n) ? -1 : n->buffer.capacity;
    if (!n->shape.kind->one_queue_rings)
        return n->buffer.capacity;
    if (holds_channels(n) || !ordered_queues(n))
        return -1;
    while (unsafe - safe > 1) { /* the longer a queue may grow, the less room it leaves */
        int middle = safe + (unsafe - safe) / 2;
        if (leaves_room(n, queues, middle))
            safe = middle;
        else
            unsafe = middle;
    }
    return safe;
}
