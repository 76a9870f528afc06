/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of a data-centre network, one after another: docs/datacentre.md has their order.
 */
#include "sim/datacentre/net.h"

double dc_uniform(dc_net *net)
{
    uint64_t first, second;

    swq_stream_pair(&net->streams, SWQ_STREAM_SWITCH, 0, net->drawn++, &first, &second);
    return swq_word_uniform(first);
}

static uint64_t time_of(const dc_line *line, uint32_t bytes)
{
    return line->ps_per_byte ? line->ps_per_byte * bytes : swq_dc_time(bytes, line->rate);
}

/* ---- memory ---- */

static uint64_t beyond(const dc_net *net, uint64_t held)
{
    const uint64_t reserved = net->spec->memory.queue_min;

    return held > reserved ? held - reserved : 0;
}

static void hold(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet)
{
    const uint32_t size = packet->size;
    dc_memory *m = &net->memory[memory];
    dc_queue *q = &net->queue[queue];

    m->beyond += beyond(net, q->held + size) - beyond(net, q->held);
    m->free -= net->ingress ? dc_ingress_take(net, packet) : size;
    q->held += size;
    dc_note_used(&net->tally, memory, (int)(queue % (uint32_t)net->classes), size, net->now);
}

static void give_back(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet)
{
    const uint32_t size = packet->size;
    dc_memory *m = &net->memory[memory];
    dc_queue *q = &net->queue[queue];

    m->beyond -= beyond(net, q->held) - beyond(net, q->held - size);
    m->free += net->ingress ? dc_ingress_give(net, packet) : size;
    q->held -= size;
    dc_note_used(&net->tally, memory, (int)(queue % (uint32_t)net->classes), -(int64_t)size,
                 net->now);
    if (net->ingress)
        dc_ingress_look(net, memory, packet->came, packet->class);
}

static void note_end(dc_net *net, uint32_t k, swq_dc_end end)
{
    const dc_packet *p = &net->packets.packet[k];

    if (end == SWQ_DC_SENT)
        dc_note_sent(&net->tally, p, net->now);
    else
        dc_note_lost(&net->tally, p, end);
    if (net->hosts > 0 && end != SWQ_DC_SENT && !p->ack)
        dc_host_lost(net, p);
    if (net->fate)
        net->fate[p->number] = (swq_dc_fate){net->now, end, p->marked};
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
    give_back(net, net->memory_of[port], queue, &net->packets.packet[k]);
    note_end(net, k, end);
    dc_packet_give(&net->packets, k);
}

/* ---- marks ---- */

/* Marks stay; acknowledgements carry that of the packet that caused them. */
static bool can_be_marked(const dc_packet *p)
{
    return !p->marked && !p->ack;
}

static bool marks(dc_net *net, uint64_t length)
{
    const swq_dc_marking *m = &net->spec->marking;

    if (length <= m->low)
        return false;
    if (length > m->high)
        return true;
    return dc_uniform(net) <= m->most * (double)(length - m->low) / (double)(m->high - m->low);
}

/* ---- sending ---- */

/* Takes the next packet out of a queue of a switch; DC_NONE: there is none. */
static uint32_t next_of_switch(dc_net *net, uint32_t port)
{
    dc_port *p = &net->port[port];
    const int class = dc_schedule(net, port);

    if (class < 0)
        return DC_NONE;
    dc_queue *q = &net->queue[port * (uint32_t)net->classes + (uint32_t) class];
    const uint32_t k = dc_list_first(&net->packets, &q->waiting);
    dc_packet *packet = &net->packets.packet[k];
    if (--q->packets == 0)
        p->filled &= (uint8_t) ~(1u << class);
    p->queue = port * (uint32_t)net->classes + (uint32_t) class;
    if (net->spec->marking.on && net->spec->marking.at_dequeue && can_be_marked(packet))
        packet->marked = marks(net, q->held - packet->size);
    return k;
}

static void start(dc_net *net, uint32_t port)
{
    const uint32_t k = port < net->host_ports ? next_of_switch(net, port)
                                              : dc_host_next(net, port - net->host_ports);

    if (k == DC_NONE)
        return;
    net->port[port].sending = k;
    net->port[port].ends = net->now + time_of(&net->line[port], net->packets.packet[k].bytes);
    dc_events_push(net->ctx, net->events, net->port[port].ends, DC_SENT, port);
}

static bool has_packets(const dc_net *net, uint32_t port)
{
    const dc_port *p = &net->port[port];

    return port < net->host_ports ? (p->filled & ~p->paused) != 0
                                  : dc_host_waits(net, port - net->host_ports);
}

void dc_look_at_port(dc_net *net, uint32_t port)
{
    dc_port *p = &net->port[port];

    if (p->sending != DC_NONE || p->looked || !has_packets(net, port))
        return;
    if (!net->coming && dc_moment_over(net->events, net->now)) {
        start(net, port);
        return;
    }
    p->looked = true;
    dc_events_push(net->ctx, net->events, net->now, DC_START, port);
}

/* A packet is on the line of a port. */
static void fly(dc_net *net, uint32_t port, uint32_t k)
{
    dc_line *line = &net->line[port];

    net->packets.packet[k].time = net->now + line->delay;
    if (line->flying.head == DC_NONE)
        dc_events_push(net->ctx, net->events, net->now + line->delay, DC_ARRIVE, port);
    dc_list_append(&net->packets, &line->flying, k);
}

static void sent(dc_net *net, uint32_t port)
{
    dc_port *p = &net->port[port];
    const uint32_t k = p->sending, memory = net->memory_of[port];

    p->sending = DC_NONE;
    if (memory != DC_NONE) {
        give_back(net, memory, p->queue, &net->packets.packet[k]);
        if (net->rule->sent)
            net->rule->sent(net, memory, p->queue, &net->packets.packet[k]);
        note_end(net, k, SWQ_DC_SENT);
    }
    if (net->line[port].to == DC_NONE)
        dc_packet_give(&net->packets, k);
    else
        fly(net, port, k);
    dc_look_at_port(net, port);
}

/* The first packet on the line of a port is at its end. */
static void land(dc_net *net, uint32_t port)
{
    dc_line *line = &net->line[port];
    const uint32_t k = dc_list_first(&net->packets, &line->flying);

    if (line->flying.head != DC_NONE)
        dc_events_push(net->ctx, net->events, net->packets.packet[line->flying.head].time,
                       DC_ARRIVE, port);
    if (line->to >= net->host_ports) {
        dc_host_receive(net, line->to - net->host_ports, k);
        return;
    }
    const uint32_t memory = net->memory_of[line->to];
    net->packets.packet[k].came = line->to;
    dc_arrive(net, memory, dc_route(net, memory, &net->packets.packet[k]), k);
}

/* ---- arrivals ---- */

static void take(dc_net *net, uint32_t memory, uint32_t port, uint32_t k)
{
    dc_packet *packet = &net->packets.packet[k];
    const uint32_t queue = port * (uint32_t)net->classes + packet->class;
    dc_queue *q = &net->queue[queue];

    if (net->spec->marking.on && !net->spec->marking.at_dequeue && can_be_marked(packet))
        packet->marked = marks(net, q->held);
    hold(net, memory, queue, packet);
    dc_list_append(&net->packets, &q->waiting, k);
    q->packets++;
    net->port[port].filled |= (uint8_t)(1u << packet->class);
    if (net->rule->expels)
        dc_expel_look(net, memory);
    dc_look_at_port(net, port);
}

void dc_arrive(dc_net *net, uint32_t memory, uint32_t port, uint32_t k)
{
    const dc_memory *m = &net->memory[memory];
    dc_packet *packet = &net->packets.packet[k];
    const uint32_t join = port * (uint32_t)net->classes + packet->class - m->first_queue;
    swq_fate fate = SWQ_REFUSE;

    packet->time = net->now;
    dc_note_offered(&net->tally, packet);
    if (net->rule->comes)
        net->rule->comes(net, memory, join, packet);
    packet->in_headroom = false;
    if (net->ingress && dc_lossless(net, packet->class)) {
        fate = dc_lossless_fate(net, memory, packet);
    } else if (packet->size <= m->capacity) {
        while ((fate = net->rule->fate(net, memory, join, packet)) >= 0)
            dc_lose_stored(net, m->first_queue + (uint32_t)fate, net->spec->memory.drop_head,
                           SWQ_DC_PUSHED_OUT);
    }
    if (fate == SWQ_TAKE) {
        take(net, memory, port, k);
        return;
    }
    note_end(net, k, SWQ_DC_REFUSED);
    dc_packet_give(&net->packets, k);
}

/* ---- the loop ---- */

static void interval(dc_net *net, uint32_t memory)
{
    net->rule->interval(net, memory);
    dc_events_push(net->ctx, net->events, net->now + net->spec->memory.interval, DC_INTERVAL,
                   memory);
}

enum { EVENTS_BETWEEN_LOOKS = 1 << 14 };

swq_status dc_net_run(dc_net *net, uint64_t end)
{
    dc_events *events = net->events;
    dc_event e;

    for (uint64_t done = 0; dc_events_pop(net->ctx, events, end, &e); done++) {
        const uint32_t place = dc_place_of(e);
        net->now = e.time;
        switch (dc_kind_of(e)) {
        case DC_SENT:
            sent(net, place);
            break;
        case DC_TOKEN:
            dc_expel_turn(net, place);
            break;
        case DC_COME:
            dc_outside(net);
            break;
        case DC_START:
            net->port[place].looked = false;
            start(net, place);
            break;
        case DC_INTERVAL:
            if (net->spec->arrivals == SWQ_DC_TRACE && net->packets.used == 0 &&
                net->come == net->spec->packets)
                break;
            interval(net, place);
            break;
        case DC_ARRIVE:
            land(net, place);
            break;
        case DC_FLOW:
            dc_flow_begins(net, place);
            break;
        case DC_TIMER:
            dc_timer(net, place);
            break;
        case DC_PAUSE:
            dc_frame(net, place);
            break;
        }
        if (events->failed)
            return net->own.status ? net->own.status : swq_memory_status(net->ctx);
        if (done % EVENTS_BETWEEN_LOOKS == 0 && swq_context_cancelled(net->ctx))
            return SWQ_ECANCELLED;
    }
    if (net->now < end && end != SWQ_DC_NEVER)
        net->now = end;
    return SWQ_OK;
}
