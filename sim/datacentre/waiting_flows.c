/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See waiting_flows.h.
 */
#include "sim/datacentre/waiting_flows.h"

#include "base/context.h"
#include "sim/datacentre/net.h"

bool dc_waiting_number(swq_context *ctx, dc_waiting *w, uint64_t number)
{
    if (number >= w->numbers_room) {
        const uint64_t room = 2 * number + 64;
        if (!swq_resize_array(ctx, &w->first, (int64_t)room, sizeof *w->first))
            return false;
        w->numbers_room = room;
    }
    while (w->numbers <= number)
        w->first[w->numbers++] = DC_NO_FLOW;
    return true;
}

swq_status dc_waiting_add(swq_context *ctx, dc_waiting *w, const swq_listed_flow *flow,
                          uint64_t number, uint32_t *slot, bool *due)
{
    uint32_t k = w->slots;

    if (w->some_free) {
        k = w->free;
        w->free = w->slot[k].next;
        w->some_free = w->free != DC_NO_FLOW;
    } else {
        if (k == w->room) {
            const uint32_t room = 2 * w->room + 64;
            if (room > DC_MOST_WAITING)
                return swq_fail(ctx, SWQ_ELIMIT,
                                "more than %u flows wait for others at the same time; a list in "
                                "which flows stand soon after those that they wait for needs fewer",
                                w->room);
            if (!swq_resize_array(ctx, &w->slot, room, sizeof *w->slot))
                return swq_memory_status(ctx);
            w->room = room;
        }
        w->slots++;
    }
    uint32_t *first = &w->first[flow->after];
    w->slot[k] = (dc_waiting_flow){*flow, number, DC_NO_FLOW};
    *slot = k;
    *due = *first == DC_FLOW_DONE;
    if (!*due) {
        w->slot[k].next = *first;
        *first = k;
    }
    return SWQ_OK;
}

uint32_t dc_waiting_done(dc_waiting *w, uint64_t number)
{
    const uint32_t first = w->first[number];

    w->first[number] = DC_FLOW_DONE;
    return first;
}

void dc_flow_is_complete(dc_net *net, const dc_flow *flow)
{
    dc_waiting *w = &net->own.waiting;

    if (!flow->listed)
        return;
    if (net->own.collective.left > 0 && --net->own.collective.left == 0)
        net->own.collective.took = net->now - net->own.collective.begun;
    for (uint32_t k = dc_waiting_done(w, flow->listed); k != DC_NO_FLOW; k = w->slot[k].next)
        dc_events_push(net->ctx, net->events, net->now + w->slot[k].flow.start, DC_FLOW,
                       DC_WAITED + k);
}

dc_waiting_flow dc_waiting_take(dc_waiting *w, uint32_t slot)
{
    const dc_waiting_flow flow = w->slot[slot];

    w->slot[slot].next = w->some_free ? w->free : DC_NO_FLOW;
    w->free = slot;
    w->some_free = true;
    return flow;
}

void dc_waiting_free(swq_context *ctx, dc_waiting *w)
{
    swq_free(ctx, w->slot);
    swq_free(ctx, w->first);
}
