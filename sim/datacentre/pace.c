/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gaps between the packets of a flow, of senders that have a rate: a packet begins no earlier than
 * the last one's beginning and the gap after it, which follows the rate as it changes. An event is
 * due at that time or before; it comes again if the gap has grown.
 */
#include "sim/datacentre/senders.h"

static dc_pace *pace_of(const dc_net *net, const dc_flow *f)
{
    return &net->own.pace[f - net->own.flow];
}

static void expect(dc_net *net, dc_flow *f)
{
    dc_pace *p = pace_of(net, f);

    if (p->due <= net->now || p->event <= p->due || f->paces == UINT16_MAX)
        return;
    f->paces++;
    p->event = p->due;
    dc_events_push(net->ctx, net->events, p->due, DC_PACE, (uint32_t)(f - net->own.flow));
}

void dc_pace_look(dc_net *net, dc_flow *f)
{
    dc_pace *p = pace_of(net, f);

    if (p->bytes == 0)
        return;
    const double gap = dc_sender_of(net, f)->gap(net, f, p->bytes);
    p->due = p->sent + (gap < SWQ_DC_MOST_TIME ? (uint64_t)(gap + .5) : SWQ_DC_MOST_TIME);
    expect(net, f);
}

void dc_pace_sent(dc_net *net, dc_flow *f, uint32_t packet)
{
    const uint32_t bytes = net->packets.packet[packet].bytes;
    dc_pace *p = pace_of(net, f);

    if (dc_sender_of(net, f)->told)
        net->packets.telemetry[packet].hops = 0;
    p->sent = net->now;
    p->bytes = bytes;
    if (dc_sender_of(net, f)->sends)
        dc_sender_of(net, f)->sends(net, f, bytes);
    dc_pace_look(net, f);
}

bool dc_pace_over(dc_net *net, dc_flow *f)
{
    dc_pace *p = pace_of(net, f);

    if (p->event != net->now)
        return false; /* another event comes, or has come, earlier */
    p->event = SWQ_DC_NEVER;
    expect(net, f);
    return true;
}
