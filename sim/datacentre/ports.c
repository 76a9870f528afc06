/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output ports of switches and hosts begin to send.
 */
#include "sim/datacentre/marks.h"

static uint64_t time_of(const dc_line *line, uint32_t bytes)
{
    return line->ps_per_byte ? line->ps_per_byte * bytes : swq_dc_time(bytes, line->rate);
}

/* Writes into a packet what it meets at a port, and counts what the port sends. */
static void tell(dc_net *net, uint32_t port, uint32_t k)
{
    const dc_packet *p = &net->packets.packet[k];
    dc_telemetry *t = &net->packets.telemetry[k];
    uint64_t held = 0;

    for (int c = 0; c < net->classes; c++)
        held += net->queue[port * (uint32_t)net->classes + (uint32_t)c].held;
    if (!p->ack && t->hops < DC_MOST_HOPS)
        t->hop[t->hops++] = (dc_hop){net->now, net->carried[port], held - p->size,
                                     (double)net->line[port].rate / 8e12};
    net->carried[port] += p->bytes;
}

/* A packet begins to be sent: what switches write into it now. */
static void write_into(dc_net *net, uint32_t port, uint32_t k, uint64_t held)
{
    dc_packet *p = &net->packets.packet[k];

    if (net->spec->marking.on && net->spec->marking.at_dequeue && dc_can_be_marked(p)) {
        p->marked = dc_marks(net, held - p->size);
        if (p->marked)
            dc_note_link_mark(&net->tally, port * (uint32_t)net->classes + p->class);
    }
    if (net->carried)
        tell(net, port, k);
}

/* Takes the next packet out of a queue of a switch; DC_NONE: there is none. */
static uint32_t next_of_switch(dc_net *net, uint32_t port)
{
    dc_port *p = &net->port[port];
    const int class = dc_schedule(net, port);

    if (class < 0)
        return DC_NONE;
    dc_queue *q = &net->queue[port * (uint32_t)net->classes + (uint32_t) class];
    const uint32_t k = dc_list_first(&net->packets, &q->waiting);
    if (--q->packets == 0)
        p->filled &= (uint8_t) ~(1u << class);
    p->queue = port * (uint32_t)net->classes + (uint32_t) class;
    if (net->writes)
        write_into(net, port, k, q->held);
    return k;
}

/* With cut through: a packet begins to be sent, and its header will be at the end of the line. */
static void send_ahead(dc_net *net, uint32_t port, uint32_t k)
{
    dc_packet *p = &net->packets.packet[k];
    const dc_line *line = &net->line[port];
    const uint32_t header = net->spec->cut_after;

    p->onward = DC_NONE;
    if (line->to < net->host_ports && p->bytes > header)
        dc_events_push(net->ctx, net->events, net->now + time_of(line, header) + line->delay,
                       DC_HEAD, port);
}

void dc_start(dc_net *net, uint32_t port)
{
    const uint32_t k = port < net->host_ports ? next_of_switch(net, port)
                                              : dc_host_next(net, port - net->host_ports);

    if (k == DC_NONE)
        return;
    net->port[port].sending = k;
    net->port[port].ends = net->now + time_of(&net->line[port], net->packets.packet[k].bytes);
    dc_events_push(net->ctx, net->events, net->port[port].ends, DC_SENT, port);
    if (net->spec->cut_through)
        send_ahead(net, port, k);
}

double dc_part_sent(const dc_net *net, uint32_t port)
{
    const dc_port *p = &net->port[port];

    if (p->sending == DC_NONE)
        return 0;
    const uint32_t bytes = net->packets.packet[p->sending].bytes;
    return bytes * (1 - (double)(p->ends - net->now) / (double)time_of(&net->line[port], bytes));
}

static bool has_packets(const dc_net *net, uint32_t port)
{
    const dc_port *p = &net->port[port];

    return port < net->host_ports ? (p->filled & ~p->paused) != 0
                                  : dc_host_waits(net, port - net->host_ports);
}

void dc_look_at_idle_port(dc_net *net, uint32_t port)
{
    dc_port *p = &net->port[port];

    if (p->looked || !has_packets(net, port))
        return;
    if (!net->coming && dc_moment_over(net->events, net->now)) {
        dc_start(net, port);
        return;
    }
    p->looked = true;
    dc_events_push(net->ctx, net->events, net->now, DC_START, port);
}
