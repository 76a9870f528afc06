/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of a data-centre network, one after another: docs/datacentre.md has their order.
 */
#include "sim/datacentre/net.h"

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
    dc_note_link(&net->tally, port * (uint32_t)net->classes + net->packets.packet[k].class,
                 net->packets.packet[k].bytes);
    if (memory != DC_NONE) {
        dc_give_back(net, memory, p->queue, &net->packets.packet[k]);
        if (net->rule->sent)
            net->rule->sent(net, memory, p->queue, &net->packets.packet[k]);
        dc_note_sent(&net->tally, &net->packets.packet[k], net->now);
        if (net->spec->cut_through)
            dc_note_cut(&net->tally, &net->packets.packet[k],
                        net->now - swq_dc_time(net->packets.packet[k].bytes, net->line[port].rate));
        dc_note_fate(net, &net->packets.packet[k], SWQ_DC_SENT);
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
    dc_packet *p = &net->packets.packet[k];
    if (net->spec->cut_through && p->onward == DC_GONE) {
        dc_packet_give(&net->packets, k);
        return;
    }
    p->came = line->to;
    const bool decided = net->spec->cut_through && p->onward != DC_NONE;
    dc_arrive(net, decided ? p->onward : dc_route(net, net->graph->of[line->to], p), k);
}

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
            dc_start(net, place);
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
        case DC_HEAD:
            dc_cut_head(net, place);
            break;
        case DC_FLOW:
            dc_flow_begins(net, place);
            break;
        case DC_TIMER:
            dc_timer(net, place);
            break;
        case DC_PACE:
            dc_pace_event(net, place);
            break;
        case DC_PAUSE:
            dc_frame(net, place);
            if (net->watch)
                dc_watch_pause(net, place);
            break;
        case DC_WATCH:
            dc_watch_turn(net, place);
            break;
        }
        if (events->failed)
            return events->failed;
        if (done % EVENTS_BETWEEN_LOOKS == 0 && swq_context_cancelled(net->ctx))
            return SWQ_ECANCELLED;
    }
    if (net->now < end && end != SWQ_DC_NEVER)
        net->now = end;
    return SWQ_OK;
}
