/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events to come, in the order of their times, and at equal times of their kinds and places.
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
    DC_WATCH,    /* a queue: has it been paused, or not been, for long enough? */
    DC_ARRIVE,   /* a link: its first packet is there */
    DC_HEAD,     /* a link: the header of its first packet is there */
    DC_COME,     /* packets come from outside */
    DC_FLOW,     /* a process of flows: the next one begins */
    DC_START,    /* a port: is idle, and may have packets */
    DC_INTERVAL, /* a switch: drain rates are looked at */
    DC_TIMER,    /* a flow: has it waited too long? */
    DC_PACE      /* a flow: its next packet may be sent */
} dc_event_kind;

typedef struct dc_event {
    uint64_t time;
    uint32_t order; /* kind, then place */
} dc_event;

enum { DC_PLACE_BITS = 28 };

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

#define DC_NO_NODE UINT32_MAX
enum { DC_SLOT_BITS = 15, DC_SLOTS = 1 << DC_SLOT_BITS, DC_SLOT_WORDS = DC_SLOTS / 64 };

/* An event in a list. Its parts stand side by side, so that a node has 16 bytes. */
typedef struct dc_node {
    uint64_t time;
    uint32_t order, next;
} dc_node;

static inline dc_event dc_event_of(const dc_node *n)
{
    return (dc_event){n->time, n->order};
}

/* A wheel of DC_SLOTS slots of 2^shift ps each, from the present on, each with a sorted list, for
 * events that are near; and a heap for those beyond. */
typedef struct dc_events {
    size_t count;
    swq_status failed; /* why the run cannot go on: first of all, no memory for another event */
    int shift;
    uint64_t slot; /* the present: time >> shift */
    uint32_t first[DC_SLOTS], last[DC_SLOTS];
    uint64_t filled[DC_SLOT_WORDS];     /* a bit for each slot with events */
    uint64_t words[DC_SLOT_WORDS / 64]; /* a bit for each word that is not 0 */
    dc_node *node;
    uint32_t room, free; /* nodes; the first of the list of unused ones */
    dc_event *beyond;    /* the heap, with four children to a node */
    size_t beyond_count, beyond_room;
    uint64_t fetch_at; /* the slot from which on the first of the heap is near; UINT64_MAX: it is
                          empty */
} dc_events;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. gap: ps between two events, more or less. */
swq_status dc_events_make(swq_context *ctx, double gap, dc_events **events);
void dc_events_free(swq_context *ctx, dc_events *events);
/* For an event that is beyond the wheel, or a wheel without nodes. Both set `failed`: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
void dc_events_push_far(swq_context *ctx, dc_events *q, dc_event e);
bool dc_events_grow(swq_context *ctx, dc_events *q);
/* Moves events of the heap into the wheel that the present has come near. */
void dc_events_fetch(swq_context *ctx, dc_events *q);

/* The present slot has no event at this time: all that happens at it has been taken. */
static inline bool dc_moment_over(const dc_events *q, uint64_t now)
{
    const uint32_t k = q->first[(now >> q->shift) & (DC_SLOTS - 1)];

    return k == DC_NO_NODE || q->node[k].time > now;
}

static inline void dc_events_put(swq_context *ctx, dc_events *q, dc_event e)
{
    const uint32_t at = (uint32_t)(e.time >> q->shift) & (DC_SLOTS - 1);

    if (q->free == DC_NO_NODE && !dc_events_grow(ctx, q))
        return;
    const uint32_t k = q->free;
    q->free = q->node[k].next;
    q->node[k].time = e.time;
    q->node[k].order = e.order;
    if (q->first[at] == DC_NO_NODE) {
        q->first[at] = q->last[at] = k;
        q->node[k].next = DC_NO_NODE;
        q->filled[at / 64] |= UINT64_C(1) << at % 64;
        q->words[at / 4096] |= UINT64_C(1) << at / 64 % 64;
    } else if (!dc_earlier(e, dc_event_of(&q->node[q->last[at]]))) {
        q->node[q->last[at]].next = k;
        q->node[k].next = DC_NO_NODE;
        q->last[at] = k;
    } else {
        uint32_t *link = &q->first[at];
        while (!dc_earlier(e, dc_event_of(&q->node[*link])))
            link = &q->node[*link].next;
        q->node[k].next = *link;
        *link = k;
    }
}

static inline void dc_events_push(swq_context *ctx, dc_events *q, uint64_t time, dc_event_kind kind,
                                  uint32_t place)
{
    const dc_event e = {time, (uint32_t)kind << DC_PLACE_BITS | place};

    q->count++;
    if ((time >> q->shift) - q->slot < DC_SLOTS)
        dc_events_put(ctx, q, e);
    else
        dc_events_push_far(ctx, q, e);
}

/* The slot of the next event in the wheel, from the present on, or DC_SLOTS: there is none. */
static inline uint32_t dc_events_next_slot(const dc_events *q)
{
    const uint32_t from = (uint32_t)q->slot & (DC_SLOTS - 1);
    const uint64_t here = q->filled[from / 64] >> from % 64;

    if (here)
        return from + (uint32_t)__builtin_ctzll(here);
    for (uint32_t k = 1; k <= DC_SLOT_WORDS; k++) {
        const uint32_t word = (from / 64 + k) % DC_SLOT_WORDS;
        if (word % 64 == 0 && !q->words[word / 64]) {
            k += 63;
            continue;
        }
        if (q->filled[word])
            return word * 64 + (uint32_t)__builtin_ctzll(q->filled[word]);
    }
    return DC_SLOTS;
}

/* Takes the first event, if it is before `end`. */
static inline bool dc_events_pop(swq_context *ctx, dc_events *q, uint64_t end, dc_event *e)
{
    uint32_t at = dc_events_next_slot(q);

    if (at == DC_SLOTS) {
        if (q->beyond_count == 0 || q->beyond[0].time >= end)
            return false;
        q->slot = q->beyond[0].time >> q->shift;
        dc_events_fetch(ctx, q);
        at = dc_events_next_slot(q);
        if (at == DC_SLOTS)
            return false; /* no memory for nodes */
    }
    const uint32_t k = q->first[at];
    if (q->node[k].time >= end)
        return false;
    *e = dc_event_of(&q->node[k]);
    q->first[at] = q->node[k].next;
    q->node[k].next = q->free;
    q->free = k;
    q->count--;
    if (q->first[at] == DC_NO_NODE) {
        q->filled[at / 64] &= ~(UINT64_C(1) << at % 64);
        if (!q->filled[at / 64])
            q->words[at / 4096] &= ~(UINT64_C(1) << at / 64 % 64);
    }
    if (e->time >> q->shift != q->slot) {
        q->slot = e->time >> q->shift;
        if (q->slot >= q->fetch_at)
            dc_events_fetch(ctx, q);
    }
    return true;
}

#endif
