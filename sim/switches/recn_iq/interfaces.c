/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ: an interface takes packets from its node.
 */
#include "sim/switches/recn_iq/recn_iq.h"
#include "sim/switches/saqs/routes.h"

bool swq_iq_has_room(swq_iq *w, uint32_t node)
{
    const uint32_t port = w->inputs + node;

    swq_iq_free_slot(w, port);
    return w->in[port].free.free != SWQ_NO_SLOT_NEXT &&
           (!w->plan.cold || swq_iq_queues_of(w, port)->list.packets < w->plan.cold);
}

uint32_t swq_iq_take(swq_iq *w, uint32_t from, uint32_t to, uint32_t bytes)
{
    const uint32_t port = w->inputs + from;
    const uint32_t packet = w->free_packet[--w->free_packets];
    swq_iq_input *in = &w->in[port];
    swq_slot *slot = swq_iq_slots_of(w, port);
    const uint16_t k = swq_slot_take(slot, &in->free);

    slot[k].route =
        w->route ? w->route[(size_t)from * w->nodes + to] : swq_route_of(w->plan.fabric, from, to);
    slot[k].packet = packet;
    slot[k].bytes = (uint16_t)bytes;
    swq_slot_append(slot, &in->come, k);
    swq_iq_due(w, w->cycle, in->unit, 0, SWQ_IQ_ARRIVAL);
    return packet;
}
