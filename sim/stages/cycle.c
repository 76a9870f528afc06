/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One stage cycle of a network, or of a share of it.
 */
#include "sim/measure/probe.h"
#include "sim/stages/spans.h"

#include <string.h>

/* Copies the lengths and the room of a stage for the stage before it, as they are before the stage
 * transmits. */
static void show(swq_net *net, int stage)
{
    const size_t each = net->buffers / net->switches;
    swq_span span = {0, 0};

    while (swq_next_span(net, stage, net->switches, UINT32_MAX, &span)) {
        const size_t at = swq_buffer_at(net, stage, 0) + each * span.first;
        const size_t buffers = each * (span.end - span.first);
        if (net->seen_length)
            memcpy(net->seen_length + at * (size_t)net->queues,
                   net->length + at * (size_t)net->queues,
                   sizeof *net->length * buffers * (size_t)net->queues);
        if (net->seen_room)
            memcpy(net->seen_room + at * (size_t)net->parts, net->room + at * (size_t)net->parts,
                   sizeof *net->room * buffers * (size_t)net->parts);
    }
}

/* Adds the packets of every buffer, for details of the links that lead to them. */
static void add_occupancy(swq_net *net)
{
    const size_t buffers = (size_t)net->system.levels * net->buffers;

    for (size_t at = 0; at < buffers; at++) {
        uint16_t copy[SWQ_PACKED_QUEUES];
        const uint16_t *length = swq_lengths(net, at, 1, copy);
        for (int q = 0; q < net->queues; q++)
            net->area[at] += length[q];
    }
}

void swq_net_cycle(swq_net *net)
{
    net->create(net);
    swq_probe_population(&net->system);
    /* from the last stage back, so that a packet moves only once, and into a stage that has
     * transmitted */
    for (int s = net->system.levels - 1; s >= 0; s--) {
        if (!net->show)
            show(net, s);
        else if (net->credit_next)
            net->show(net, s);
        net->transmit(net, s);
        if (net->show && !net->credit_next)
            net->show(net, s);
        if (net->mine.owner && net->mine.meets[s])
            swq_barrier_meet(net->mine.meet);
    }
    swq_probe_occupancy(&net->system);
    if (net->area)
        add_occupancy(net);
    net->cycle++;
}
