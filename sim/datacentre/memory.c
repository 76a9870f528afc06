/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a switch: what packets take of it and give back, and the end of packets there.
 */
#include "sim/datacentre/net.h"

/* What of a queue's bytes is beyond its reserved ones. */
static uint64_t beyond(uint64_t held, uint64_t reserved)
{
    return held > reserved ? held - reserved : 0;
}

void dc_hold(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet)
{
    const uint64_t reserved = net->spec->memory.queue_min;
    const uint32_t size = packet->size;
    dc_memory *m = &net->memory[memory];
    dc_queue *q = &net->queue[queue];

    if (reserved > 0)
        m->beyond += beyond(q->held + size, reserved) - beyond(q->held, reserved);
    m->free -= net->ingress ? dc_ingress_take(net, packet) : size;
    q->held += size;
    dc_note_used(&net->tally, memory, packet->class, size, net->now);
}

void dc_give_back(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet)
{
    const uint64_t reserved = net->spec->memory.queue_min;
    const uint32_t size = packet->size;
    dc_memory *m = &net->memory[memory];
    dc_queue *q = &net->queue[queue];

    if (reserved > 0)
        m->beyond -= beyond(q->held, reserved) - beyond(q->held - size, reserved);
    m->free += net->ingress ? dc_ingress_give(net, packet) : size;
    q->held -= size;
    dc_note_used(&net->tally, memory, packet->class, -(int64_t)size, net->now);
    if (net->ingress)
        dc_ingress_look(net, memory, packet->came, packet->class);
}

void dc_note_loss(dc_net *net, uint32_t k, swq_dc_end end)
{
    const dc_packet *p = &net->packets.packet[k];

    dc_note_lost(&net->tally, p, end);
    if (net->hosts > 0 && !p->ack)
        dc_host_lost(net, p);
    dc_note_fate(net, p, end);
}

void dc_lose_stored(dc_net *net, uint32_t queue, bool head, swq_dc_end end)
{
    dc_queue *q = &net->queue[queue];
    const uint32_t port = queue / (uint32_t)net->classes, class = queue % (uint32_t)net->classes;
    const uint32_t k =
        head ? dc_list_first(&net->packets, &q->waiting) : dc_list_last(&net->packets, &q->waiting);

    if (--q->packets == 0) {
        net->port[port].filled &= (uint8_t) ~(1u << class);
        q->deficit = 0;
    }
    dc_give_back(net, net->memory_of[port], queue, &net->packets.packet[k]);
    dc_note_link_loss(&net->tally, queue, net->packets.packet[k].bytes, end);
    dc_note_loss(net, k, end);
    dc_packet_give(&net->packets, k);
}
