/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where packets end: delivered, discarded, or back at their source; and telling where they go.
 */
#include "sim/stages/counts.h"
#include "switchq/fabric.h"

#include <assert.h>

void swq_show_start(const swq_net *net, int stage, uint32_t line, int input, const swq_packet *p,
                    uint32_t source)
{
    const uint32_t ports = (uint32_t)net->ports;
    swq_start start = {.cycle = net->cycle,
                       .from = source,
                       .to = p->to & ~SWQ_HIGH,
                       .birth = p->birth,
                       .switch_ = SWQ_NO_WHERE,
                       .packet_class = swq_class_of(p)};

    if (stage >= 0) {
        start.switch_ = (uint32_t)stage * (net->system.nodes / ports) + line / ports;
        start.input = (uint32_t)input;
        start.output = line % ports;
        start.output_store =
            net->spec->sw.buffer.scope == SWQ_POOL || net->system.stores > net->system.input_stores;
    }
    net->started(net->system.options->started_arg, &start);
}

void swq_show_end(const swq_net *net, const swq_packet *p, uint32_t source, bool lost)
{
    const swq_end end = {.cycle = net->cycle,
                         .from = source,
                         .to = p->to & ~SWQ_HIGH,
                         .birth = p->birth,
                         .high = swq_class_of(p) > 0,
                         .lost = lost};

    net->ended(net->system.options->ended_arg, &end);
}

void swq_deliver(swq_net *net, swq_packet packet, swq_trail trail, uint32_t sink)
{
    uint32_t latency = net->cycle - packet.birth + 1;
    int cell = swq_cell_of(net, trail.from, &packet);

    assert(sink == (packet.to & ~SWQ_HIGH));
    swq_probe_delivered(&net->system, cell, 1, latency);
    swq_probe_latency(swq_probe_histogram(&net->system, cell), latency);
    swq_probe_delivered_at(&net->system, true, net->system.classes > 1 ? swq_class_of(&packet) : 0,
                           sink, latency, 0);
    swq_tell_end(net, &packet, trail.from, false);
}

/* A discarded packet goes back to its source. */
static void give_back(swq_net *net, uint32_t source, swq_packet packet)
{
    swq_sources *s = &net->sources;
    uint32_t at = s->returned_free;

    if (!at) {
        net->system.overflow = true;
        swq_probe_lost(&net->system, 0, 0);
        swq_tell_end(net, &packet, source, true);
        return;
    }
    s->returned_free = s->returned_next[at - 1];
    s->returned[at - 1] = packet;
    s->returned_next[at - 1] = 0;
    if (s->returned_head[source])
        s->returned_next[s->returned_tail[source] - 1] = at;
    else
        s->returned_head[source] = at;
    s->returned_tail[source] = at;
    swq_probe_waits(&net->system, 1);
}

void swq_discard(swq_net *net, int stage, swq_packet packet, swq_trail trail, uint32_t age)
{
    swq_probe_refused(&net->system, swq_cell_of(net, trail.from, &packet), packet.to & ~SWQ_HIGH);
    swq_probe_dropped(&net->system, stage);
    if (net->spec->resend) {
        give_back(net, trail.from, packet);
        return;
    }
    swq_probe_lost(&net->system, age, 0);
    swq_tell_end(net, &packet, trail.from, true);
}
