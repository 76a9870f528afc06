/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hosts that send one flow at a time, and are silent between two of them.
 */
#include "sim/datacentre/net.h"

/* Flows at random times and queries have the first two processes of a run. */
enum { FIRST_PROCESS = 2 };

void dc_falls_silent(dc_net *net, uint32_t host)
{
    dc_silence *s = &net->own.silence[host];
    swq_flow_process process = {.streams = net->streams,
                                .who = FIRST_PROCESS + host,
                                .nodes = net->hosts,
                                .rack = net->graph->rack,
                                .gap = (double)net->spec->flows.off,
                                .classes = net->classes,
                                .class_share = net->spec->class_share,
                                .number = s->number++,
                                .time = net->now};

    swq_flow_from(&process, host, &net->own.sizes, &s->next);
    if (s->next.start < SWQ_MOST_FLOW_START)
        dc_events_push(net->ctx, net->events, s->next.start, DC_FLOW, DC_SILENT + host);
}
