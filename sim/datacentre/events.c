/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wheel's memory, and events that are beyond the wheel.
 */
#include "sim/datacentre/events.h"

#include <math.h>

swq_status dc_events_make(swq_context *ctx, double gap, dc_events **events)
{
    dc_events *q = swq_calloc(ctx, 1, sizeof *q);

    if (!q)
        return swq_memory_status(ctx);
    q->shift = gap > 2 ? (int)log2(gap) : 0;
    q->shift = q->shift > 40 ? 40 : q->shift;
    for (int k = 0; k < DC_SLOTS; k++)
        q->first[k] = DC_NO_NODE;
    q->free = DC_NO_NODE;
    q->fetch_at = UINT64_MAX;
    *events = q;
    return SWQ_OK;
}

void dc_events_free(swq_context *ctx, dc_events *q)
{
    if (!q)
        return;
    swq_free(ctx, q->node);
    swq_free(ctx, q->beyond);
    swq_free(ctx, q);
}

bool dc_events_grow(swq_context *ctx, dc_events *q)
{
    const uint32_t room = 2 * q->room + 256;

    if (room > 1u << 30) {
        q->failed = swq_fail(ctx, SWQ_ELIMIT,
                             "more than %u events are due at the same time; fewer hosts, or flows "
                             "that are complete sooner (a lower load), need fewer",
                             q->room);
        return false;
    }
    if (!swq_resize_array(ctx, &q->node, room, sizeof *q->node)) {
        q->failed = swq_memory_status(ctx);
        return false;
    }
    for (uint32_t k = room; k-- > q->room;) {
        q->node[k].next = q->free;
        q->free = k;
    }
    q->room = room;
    return true;
}

static void set_fetch_at(dc_events *q)
{
    q->fetch_at =
        q->beyond_count > 0 ? (q->beyond[0].time >> q->shift) - (DC_SLOTS - 1) : UINT64_MAX;
}

void dc_events_push_far(swq_context *ctx, dc_events *q, dc_event e)
{
    if (q->beyond_count == q->beyond_room) {
        const size_t room = 2 * q->beyond_room + 64;
        if (!swq_resize_array(ctx, &q->beyond, (int64_t)room, sizeof *q->beyond)) {
            q->failed = swq_memory_status(ctx);
            return;
        }
        q->beyond_room = room;
    }
    size_t k = q->beyond_count++;
    for (size_t up; k > 0 && dc_earlier(e, q->beyond[up = (k - 1) / 4]); k = up)
        q->beyond[k] = q->beyond[up];
    q->beyond[k] = e;
    set_fetch_at(q);
}

static dc_event pop_far(dc_events *q)
{
    const dc_event first = q->beyond[0], last = q->beyond[--q->beyond_count];
    size_t k = 0;

    for (;;) {
        const size_t child = 4 * k + 1;
        const size_t end = child + 4 < q->beyond_count ? child + 4 : q->beyond_count;
        if (child >= q->beyond_count)
            break;
        size_t least = child;
        for (size_t c = child + 1; c < end; c++)
            least = dc_earlier(q->beyond[c], q->beyond[least]) ? c : least;
        if (!dc_earlier(q->beyond[least], last))
            break;
        q->beyond[k] = q->beyond[least];
        k = least;
    }
    q->beyond[k] = last;
    return first;
}

void dc_events_fetch(swq_context *ctx, dc_events *q)
{
    while (q->beyond_count > 0 && (q->beyond[0].time >> q->shift) - q->slot < DC_SLOTS &&
           !q->failed)
        dc_events_put(ctx, q, pop_far(q));
    set_fetch_at(q);
}
