/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cut through: a packet comes to a switch when its header is there, if the line of its output is no
 * faster than that by which it comes, and its output may begin to send it before the rest is there.
 * So a packet is at two switches at once: what goes on is a copy, and the packet itself is nothing
 * but the tail that follows. Source: virtual cut-through of P. Kermani and L. Kleinrock, "Virtual
 * cut-through: a new computer communication switching technique" (Computer Networks, 1979).
 */
#include "sim/datacentre/net.h"

uint64_t dc_cut_rest(const dc_net *net, uint32_t bytes)
{
    const swq_dc *s = net->spec;

    return bytes > s->cut_after ? swq_dc_time(bytes, s->rate) - swq_dc_time(s->cut_after, s->rate)
                                : 0;
}

/* A copy of a packet, of which only the tail remains on its line; DC_NONE: there is none. */
static uint32_t split(dc_net *net, uint32_t k)
{
    dc_packets *all = &net->packets;
    const uint32_t copy = dc_packet_take(net->ctx, all);

    if (copy == DC_NONE) {
        net->events->failed = dc_no_packet(net->ctx, all);
        return DC_NONE;
    }
    all->packet[copy] = all->packet[k];
    if (all->telemetry)
        all->telemetry[copy] = all->telemetry[k];
    all->packet[k].onward = DC_GONE;
    return copy;
}

void dc_cut_head(dc_net *net, uint32_t port)
{
    const dc_line *line = &net->line[port];
    const bool all_sent = line->flying.head != DC_NONE; /* else the port still sends the packet */
    const uint32_t k = all_sent ? line->flying.head : net->port[port].sending;
    dc_packet *p = &net->packets.packet[k];
    const uint32_t out = dc_route(net, net->graph->of[line->to], p);
    const uint64_t last = all_sent ? p->time : net->port[port].ends + line->delay;

    p->onward = out;
    if (net->line[out].rate > line->rate)
        return;
    const uint32_t copy = split(net, k);
    if (copy == DC_NONE)
        return;
    p = &net->packets.packet[copy];
    p->came = line->to;
    p->time = last;
    dc_arrive(net, out, copy);
}
