/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A packet comes to a switch: admission, marking, its queue.
 */
#include "sim/datacentre/marks.h"

static void take(dc_net *net, uint32_t memory, uint32_t port, uint32_t k)
{
    dc_packet *packet = &net->packets.packet[k];
    const uint32_t queue = port * (uint32_t)net->classes + packet->class;
    dc_queue *q = &net->queue[queue];

    if (net->marks_at_enqueue && dc_can_be_marked(packet)) {
        packet->marked = dc_marks(net, q->held);
        if (packet->marked)
            dc_note_link_mark(&net->tally, queue);
    }
    dc_hold(net, memory, queue, packet);
    dc_list_append(&net->packets, &q->waiting, k);
    q->packets++;
    net->port[port].filled |= (uint8_t)(1u << packet->class);
    if (net->rule->expels)
        dc_expel_look(net, memory);
    dc_look_at_port(net, port);
}

static void lose(dc_net *net, uint32_t port, uint32_t k, swq_dc_end end)
{
    const dc_packet *packet = &net->packets.packet[k];

    dc_note_link_loss(&net->tally, port * (uint32_t)net->classes + packet->class, packet->bytes,
                      end);
    dc_note_loss(net, k, end);
    dc_packet_give(&net->packets, k);
}

void dc_arrive(dc_net *net, uint32_t port, uint32_t k)
{
    const uint32_t memory = net->memory_of[port];
    const dc_memory *m = &net->memory[memory];
    dc_packet *packet = &net->packets.packet[k];
    const uint32_t join = port * (uint32_t)net->classes + packet->class - m->first_queue;
    swq_fate fate = SWQ_REFUSE;

    dc_note_offered(&net->tally, packet);
    if (net->rule->comes)
        net->rule->comes(net, memory, join, packet);
    packet->in_headroom = false;
    if (net->ingress && dc_lossless(net, packet->class)) {
        if (net->watch && dc_watch_drops(net, m->first_queue + join)) {
            lose(net, port, k, SWQ_DC_IN_STORM);
            return;
        }
        fate = dc_lossless_fate(net, memory, packet);
    } else if (packet->size <= m->capacity) {
        while ((fate = net->rule->fate(net, memory, join, packet)) >= 0)
            dc_lose_stored(net, m->first_queue + (uint32_t)fate, net->spec->memory.drop_head,
                           SWQ_DC_PUSHED_OUT);
    }
    if (fate == SWQ_TAKE)
        take(net, memory, port, k);
    else
        lose(net, port, k, SWQ_DC_REFUSED);
}
