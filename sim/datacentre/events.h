/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events to come, in the order of their times, and at equal times of their kinds and places: a heap
 * with four children to a node.
 */
#ifndef SWQ_SIM_DATACENTRE_EVENTS_H
#define SWQ_SIM_DATACENTRE_EVENTS_H

#include "base/context.h"

#include <stdbool.h>
#include <stdint.h>

/* What happens, in the order in which events of the same time are taken. */
typedef enum dc_event_kind {
    DC_SENT,     /* a port: its transmission ends */
    DC_TOKEN,    /* a switch: packets may be expelled */
    DC_PAUSE,    /* a port: a pause frame from the other end takes effect */
    DC_ARRIVE,   /* a link: its first packet is there */
    DC_COME,     /* packets come from outside */
    DC_FLOW,     /* a process of flows: the next one begins */
    DC_START,    /* a port: is idle, and may have packets */
    DC_INTERVAL, /* a switch: drain rates are looked at */
    DC_TIMER     /* a flow: has it waited too long? */
} dc_event_kind;

typedef struct dc_event {
    uint64_t time;
    uint32_t order; /* kind, then place */
} dc_event;

enum { DC_PLACE_BITS = 28 };

typedef struct dc_events {
    dc_event *heap;
    size_t count, room;
    bool failed; /* no memory for another event */
} dc_events;

static inline dc_event_kind dc_kind_of(dc_event e)
{
    return (dc_event_kind)(e.order >> DC_PLACE_BITS);
}

static inline uint32_t dc_place_of(dc_event e)
{
    return e.order & ((1u << DC_PLACE_BITS) - 1);
}

static inline bool dc_earlier(dc_event a, dc_event b)
{
    return a.time < b.time || (a.time == b.time && a.order < b.order);
}

/* The next event is at another time, or there is none. */
static inline bool dc_moment_over(const dc_events *q, uint64_t now)
{
    return q->count == 0 || q->heap[0].time > now;
}

static inline void dc_events_push(swq_context *ctx, dc_events *q, uint64_t time, dc_event_kind kind,
                                  uint32_t place)
{
    const dc_event e = {time, (uint32_t)kind << DC_PLACE_BITS | place};

    if (q->count == q->room) {
        const size_t room = 2 * q->room + 64;
        if (!swq_resize_array(ctx, &q->heap, (int64_t)room, sizeof *q->heap)) {
            q->failed = true;
            return;
        }
        q->room = room;
    }
    size_t k = q->count++;
    for (size_t up; k > 0 && dc_earlier(e, q->heap[up = (k - 1) / 4]); k = up)
        q->heap[k] = q->heap[up];
    q->heap[k] = e;
}

/* Takes the first event; there is one. */
static inline dc_event dc_events_pop(dc_events *q)
{
    const dc_event first = q->heap[0], last = q->heap[--q->count];
    size_t k = 0;

    for (;;) {
        const size_t child = 4 * k + 1;
        const size_t end = child + 4 < q->count ? child + 4 : q->count;
        if (child >= q->count)
            break;
        size_t least = child;
        for (size_t c = child + 1; c < end; c++)
            least = dc_earlier(q->heap[c], q->heap[least]) ? c : least;
        if (!dc_earlier(q->heap[least], last))
            break;
        q->heap[k] = q->heap[least];
        k = least;
    }
    q->heap[k] = last;
    return first;
}

#endif
