/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Can packets of a network, as specified, wait for one another in a circle? The graph of
 * dependencies says so (sim/dependencies/waits.h); how many queues close a buffer, its limits and
 * thresholds. deadlock.c finds packets that do wait in a circle.
 */
#include "base/context.h"
#include "sim/dependencies/waits.h"
#include "sim/frame/rule.h"

#include <math.h>

/* Blocks of a packet if all packets have the same number; else 0. */
static int same_blocks(const swq_async *n)
{
    int blocks = 0;

    if (n->traffic.trace)
        return 0;
    for (int g = 0; g < n->traffic.groups; g++) {
        for (int t = 0; t < n->traffic.group[g].types && !n->traffic.group[g].silent; t++) {
            const swq_spread *length = &n->traffic.group[g].type[t].length;
            /* not split, or split into packets of equal length */
            bool whole = length->first <= n->packet.max || fmod(length->first, n->packet.max) == 0;
            double packet = length->first < n->packet.max ? length->first : n->packet.max;
            int each = ((int)packet + n->packet.block - 1) / n->packet.block;
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
    uint16_t length[SWQ_MAX_STORE_QUEUES] = {0}; /* a management may have more than classes */
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

/* Does each queue have room for a packet that no other queue can take? */
static bool has_own_room(const swq_async *n, int queues)
{
    const swq_buffer sent = swq_async_as_sent(n, queues);

    return swq_buffer_partitioned(&sent) || sent.queue_min >= swq_async_packet(n);
}

static int queues_of(const swq_async *n)
{
    swq_fabric f;

    /* no context for messages: the shape has been checked, so nothing can fail */
    return swq_fabric_count(NULL, &n->shape, &f) ? 0 : swq_async_queues(n, &f);
}

/* Are all queues those of the fabric's classes? An output store has one queue, and a management may
 * have queues of its own. */
static bool has_class_queues(const swq_async *n)
{
    return !swq_async_managed(n) || n->management.row->by_class || queues_of(n) == 1;
}

/* A packet that pauses keeps its channel and read port from packets of every queue. */
static bool holds_channels(const swq_async *n)
{
    return swq_async_unit(n) < n->packet.max;
}

/* Can packets always wait for an escape queue, which has room for a packet reserved? Output stores
 * are one queue each, in which packets wait behind others. */
static bool has_escapes(const swq_async *n)
{
    return swq_shape_adaptive(&n->shape) && n->shape.kind->escape && !n->shape.routing->unguarded &&
           !n->architecture.row->async.output_stores && !holds_channels(n);
}

/* ---- the graph of dependencies ---- */

static uint32_t joins(const void *arg, uint32_t port, const swq_packet_state *packet)
{
    const swq_waits_plan *plan = arg;
    const swq_fabric *f = plan->fabric;

    if (plan->queues == 1)
        return 1;
    return UINT32_C(1) << f->shape.kind->route(f, port, packet->from, packet->to);
}

/* May packets wait in a circle, if so many queues can close a buffer to the others? If the network
 * is too large to say, they may. */
static bool may_wait(const swq_async *n, int closing)
{
    const bool classes =
        has_class_queues(n) && !holds_channels(n) && !swq_shape_adaptive(&n->shape);
    swq_context *ctx = swq_context_new();
    swq_fabric fabric;
    bool circle = true;

    if (ctx && swq_waits_stand_in(ctx, &n->shape, false, &fabric)) {
        swq_waits_plan plan = {.fabric = &fabric,
                               .queues = classes && queues_of(n) > 1 &&
                                                 fabric.classes <= SWQ_MOST_WAIT_QUEUES
                                             ? fabric.classes
                                             : 1, /* where packets wait at least as long */
                               .closing = closing,
                               .output_stores = n->architecture.row->async.output_stores,
                               .joins = joins};
        plan.arg = &plan;
        if (has_escapes(n) ? swq_escapes_in_a_circle(ctx, &plan, &circle)
                           : swq_waits_in_a_circle(ctx, &plan, &circle))
            circle = true; /* or too much to be looked at */
        swq_fabric_clear(ctx, &fabric);
    }
    swq_context_free(ctx);
    return circle;
}

bool swq_async_may_deadlock(const swq_async *n)
{
    const swq_store_hooks *stores = swq_async_stores(n);
    if (stores) /* architectures with stores of their own usually refuse networks that could */
        return stores->may_deadlock && stores->may_deadlock(n);
    const int limit = n->flow.row->threshold ? n->flow.threshold : n->memory.buffer.capacity;
    const int queues = queues_of(n);

    return may_wait(n, !leaves_room(n, queues, limit) ? 1
                       : has_own_room(n, queues)      ? SWQ_NEVER_CLOSED
                                                      : 2);
}

bool swq_async_circle(const swq_async *n, char *text, size_t size)
{
    const swq_store_hooks *stores = swq_async_stores(n);

    return stores && stores->circle && stores->circle(n, text, size);
}

int swq_async_safe_threshold(const swq_async *n)
{
    const int queues = queues_of(n);
    int safe = -1, unsafe = n->memory.buffer.capacity + 1;

    if (swq_async_stores(n) || has_escapes(n) || (!n->shape.kind->rings && !may_wait(n, 1)))
        return n->memory.buffer.capacity;
    if (swq_shape_adaptive(&n->shape) || holds_channels(n) || !has_class_queues(n) ||
        n->architecture.row->async.output_stores || may_wait(n, 2))
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
