/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a host sends next: flows that may send take turns in a ring; acknowledgements go first.
 */
#include "sim/datacentre/scoreboard.h"
#include "sim/datacentre/senders.h"

void dc_enter_ring(dc_net *net, dc_flow *f)
{
    dc_hosts *own = &net->own;
    const uint32_t slot = (uint32_t)(f - own->flow);
    uint32_t *last = &own->ring[f->from];

    if (f->ready)
        return;
    f->ready = true;
    f->next_ready = *last == DC_NONE ? slot : own->flow[*last].next_ready;
    if (*last != DC_NONE)
        own->flow[*last].next_ready = slot;
    *last = slot;
}

/* The first flow of the ring leaves. */
static dc_flow *leave_ring(dc_net *net, uint32_t host)
{
    dc_hosts *own = &net->own;
    dc_flow *last = &own->flow[own->ring[host]], *first = &own->flow[last->next_ready];

    if (first == last)
        own->ring[host] = DC_NONE;
    else
        last->next_ready = first->next_ready;
    first->ready = false;
    return first;
}

static bool is_paused(const dc_net *net, uint32_t host, int class)
{
    return net->port[net->host_ports + host].paused >> class & 1;
}

static inline bool may_send(const dc_net *net, const dc_flow *f)
{
    if (!f->used || (f->holes == 0 && !f->again && f->next == f->packets))
        return false;
    if (dc_sender_of(net, f)->gap && net->now < net->own.pace[f - net->own.flow].due)
        return false;
    return dc_on_way(f) < f->window;
}

bool dc_may_send(const dc_net *net, const dc_flow *f)
{
    return may_send(net, f);
}

/* The slot of a flow that is over, once nothing refers to it. */
void dc_give_slot(dc_net *net, dc_flow *f)
{
    if (f->used || f->ready || f->timed || f->paces > 0)
        return;
    f->next_ready = net->own.free;
    net->own.free = (uint32_t)(f - net->own.flow);
}

/* ---- packets ---- */

uint32_t dc_host_packet(dc_net *net, const dc_flow *f, uint32_t to, uint32_t bytes)
{
    const uint32_t k = dc_packet_take(net->ctx, &net->packets);
    const uint32_t cell = net->spec->memory.cell;

    if (k == DC_NONE) {
        net->events->failed = dc_no_packet(net->ctx, &net->packets);
        return DC_NONE;
    }
    net->packets.packet[k] = (dc_packet){.number = net->come++,
                                         .next = DC_NONE,
                                         .before = DC_NONE,
                                         .bytes = bytes,
                                         .size = (bytes + cell - 1) / cell * cell,
                                         .class = f->class,
                                         .flow = (uint32_t)(f - net->own.flow),
                                         .generation = f->generation,
                                         .to = to,
                                         .hash = f->hash,
                                         .stamp = net->now};
    return k;
}

void dc_set_deadline(dc_net *net, dc_flow *f)
{
    f->deadline = net->now + f->timeout;
    if (f->timed)
        return;
    f->timed = true;
    dc_events_push(net->ctx, net->events, f->deadline, DC_TIMER, (uint32_t)(f - net->own.flow));
}

static uint32_t data_of(dc_net *net, dc_flow *f)
{
    const bool again = f->holes > 0 || f->again;
    const bool paced = dc_sender_of(net, f)->gap != NULL;
    const bool first = paced ? dc_on_way(f) <= 0 : f->next == f->acked; /* nothing is on its way */
    const uint32_t place = again ? dc_take_hole(f, net->now) : f->next;
    const uint32_t bytes = place + 1 == f->packets ? f->last : net->spec->size_bytes[0];
    const uint32_t k = dc_host_packet(net, f, f->to, bytes);

    if (k == DC_NONE)
        return k;
    net->packets.packet[k].place = place;
    if (f->start + f->round_alone > net->now)
        net->packets.packet[k].flags = SWQ_DC_FIRST_ROUND_TRIP;
    if (first && !dc_sender_of(net, f)->open)
        dc_set_deadline(net, f);
    if (place < f->sent)
        net->own.retransmitted += net->tally.on;
    else
        f->sent = place + 1;
    if (!again)
        dc_pass_next(f);
    if (paced)
        dc_pace_sent(net, f, k);
    return k;
}

bool dc_host_waits(const dc_net *net, uint32_t host)
{
    return net->own.answers[host].head != DC_NONE || net->own.ring[host] != DC_NONE;
}

uint32_t dc_host_next(dc_net *net, uint32_t host)
{
    dc_hosts *own = &net->own;

    const uint32_t answer = own->answers[host].head;
    if (answer != DC_NONE && !is_paused(net, host, net->packets.packet[answer].class))
        return dc_list_first(&net->packets, &own->answers[host]);
    const dc_flow *met = NULL; /* the first flow that is paused */
    while (own->ring[host] != DC_NONE) {
        dc_flow *f = leave_ring(net, host);
        if (f->used && is_paused(net, host, f->class)) {
            dc_enter_ring(net, f);
            if (f == met)
                break;
            met = met ? met : f;
            continue;
        }
        if (!may_send(net, f)) {
            dc_give_slot(net, f);
            continue;
        }
        const uint32_t k = data_of(net, f);
        if (may_send(net, f))
            dc_enter_ring(net, f);
        return k;
    }
    return DC_NONE;
}
