/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flow control: may a packet enter a queue, and when will it? Part of the text of a kernel
 * (turn.h).
 */
#include "sim/switches/input_queued/turn_places.h"

static inline swq_reader *reader_of(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    if (reads_each_queue(net, port) && abroad(net, port))
        return &swq_border_readers(net->share.border, port)[q];
    return reads_each_queue(net, port)
               ? &net->reader[(size_t)port * (uint32_t)net->queues + (uint32_t)q]
               : &e->reader;
}

/* Blocks that departing packets of a port still hold. */
static inline uint32_t left_in_port(swq_async_net *net, swq_port *e, uint32_t port)
{
    uint32_t left = 0;

    if (!reads_each_queue(net, port))
        return left_of(net, port, 0, &e->reader.leaving);
    for (int q = 0; q < net->queues; q++)
        left += left_of(net, port, q, &reader_of(net, e, port, q)->leaving);
    return left;
}

/* The first cycle in which a departing packet, read from queue q, holds at most `allowed` blocks.
 */
static inline uint32_t left_until(const swq_async_net *net, uint32_t port, int q,
                                  const swq_leaving *l, uint32_t allowed)
{
    uint32_t steps = l->blocks > allowed ? l->blocks - allowed : 0;
    if (left_evenly(net, port, q))
        return swq_freed_evenly(l, steps, left_evenly(net, port, q), net->block);
    uint64_t gone = (uint64_t)steps * net->step[behind(net, port)];
    return l->cycle + (gone < l->held ? (uint32_t)gone : l->held);
}

/* The cycle in which departing packets free their next block, or SWQ_NEVER. */
static uint32_t next_freed(swq_async_net *net, swq_port *e, uint32_t port)
{
    uint32_t when = SWQ_NEVER;

    for (int k = 0; k < (reads_each_queue(net, port) ? net->queues : 1); k++) {
        const swq_leaving *l = &reader_of(net, e, port, k)->leaving;
        uint32_t left = left_of(net, port, k, l);
        uint32_t next = left ? left_until(net, port, k, l, left - 1) : SWQ_NEVER;
        when = next < when ? next : when;
    }
    return when;
}

/* A closed port: if a departing packet will open it, the feeder is woken then. */
static void wake_when_open(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    const swq_queue *queue = &queues_at(net, port)[q];
    const swq_admission *a = admission_of(net, port);
    uint32_t now = net->cycle, when;

    if (a->by_rule) { /* any block freed, of whatever queue, may open it */
        when = next_freed(net, e, port);
        if (when != SWQ_NEVER)
            swq_wake_feeder(net, when, e->feeder);
        return;
    }
    if (a->pooled && e->blocks <= a->room) {
        /* several packets may depart at once: look again whenever one of them has freed a block */
        when = reads_each_queue(net, port)
                   ? next_freed(net, e, port)
                   : left_until(net, port, 0, &e->reader.leaving, (uint32_t)a->room - e->blocks);
        if (when != SWQ_NEVER && when > now)
            swq_wake_feeder(net, when, e->feeder);
    }
    const swq_reader *r = reader_of(net, e, port, q);
    if (a->limited && queue->blocks <= a->limit && r->queue == (uint32_t)q) {
        when = left_until(net, port, q, &r->leaving, (uint32_t)(a->limit - queue->blocks));
        if (when > now)
            swq_wake_feeder(net, when, e->feeder);
    }
}

/* Is a store that a packet is about to leave closed to the packet's queue, or nearly so? */
static inline bool is_tight(const swq_admission *a, const swq_port *e, const swq_queue *queue,
                            uint32_t left)
{
    return (a->pooled && (int)(e->blocks + left) > a->room) ||
           (a->limited && (a->by_rule || queue->blocks > a->limit));
}

/* Asks the room rule itself, for queue q of a port. */
static bool room_by_rule(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    const swq_queue *queues = queues_at(net, port);
    uint16_t length[SWQ_WIDE ? SWQ_MAX_PORTS : SWQ_MAX_FABRIC_CLASSES] = {0};

    for (int k = 0; k < net->queues; k++) {
        const swq_reader *r = reader_of(net, e, port, k);
        uint32_t left = r->queue == (uint32_t)k ? left_of(net, port, k, &r->leaving) : 0;
        length[k] = (uint16_t)(queues[k].blocks + left);
    }
    if (SWQ_GENERAL)
        return swq_async_room(&net->spec->memory.buffer, net->escapes, net->queues, length, q,
                              net->packet);
    return swq_buffer_room(&net->spec->memory.buffer, net->queues, length, q, net->packet);
}

/* The flow control of a store beyond room and threshold, or NULL. */
static inline const swq_flow_hooks *flow_at(const swq_async_net *net, uint32_t port)
{
    return SWQ_GENERAL && net->flow && net->flow->open && !behind(net, port) ? net->flow : NULL;
}

static inline bool open_to(swq_async_net *net, uint32_t port, int class)
{
    swq_port *e = port_at(net, port);
    const swq_admission *a = admission_of(net, port);
    const swq_flow_hooks *flow = flow_at(net, port);
    int q = queue_number(net, port, class);
    bool open = true;

    if (SWQ_GENERAL && managed_stops(net, port, q))
        return false;
    if (flow && flow->in_place)
        return flow->open(net, port, q);
    /* usually a port is open whatever a departing packet still holds, so that need not be
     * computed */
    if (a->pooled &&
        (reads_each_queue(net, port) || e->blocks + e->reader.leaving.blocks > a->room))
        open = (int)(e->blocks + left_in_port(net, e, port)) <= a->room;
    if (open && a->limited) {
        const swq_queue *queue = &queues_at(net, port)[q];
        const swq_reader *r = reader_of(net, e, port, q);
        open = queue->blocks + r->leaving.blocks <= a->limit;
        if (!open) {
            uint32_t left = r->queue == (uint32_t)q ? left_of(net, port, q, &r->leaving) : 0;
            open = (int)(queue->blocks + left) <= a->limit;
        }
        open = open && (!a->by_rule || room_by_rule(net, e, port, q));
    }
    if (!open)
        wake_when_open(net, e, port, q);
    return flow && open ? flow->open(net, port, q) : open;
}

static bool port_open(swq_async_net *net, uint32_t port, int class)
{
    return open_to(net, port, class);
}

#include "sim/switches/input_queued/choice.h"
