/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transmission of switches with one central pool: nothing to arbitrate, every output sends its
 * head. The next pool decides which of its simultaneous arrivals it takes in, so the turn of a
 * stage goes through the pools of the next stage.
 */
#include "sim/stages/buffers.h"
#include "sim/stages/counts.h"

#include <string.h>

/* The queue from which output `port` of a pool would send, or -1. */
static int sending_queue(const swq_net *net, size_t at, int port)
{
    const uint16_t *length = net->length + at * (size_t)net->queues;
    int high = net->queue_base[1] + port;

    if (net->queue_base[1] > 0 && length[high] > 0)
        return high;
    return length[port] > 0 ? port : -1;
}

/* For rules of admission that keep words: queue `queue` of buffer `at` sends a packet. */
static void note_queue(swq_net *net, size_t at, int queue)
{
    if (net->sent)
        net->sent[at * (size_t)net->queues + (size_t)queue] = 1;
}

static void send_to_sinks(swq_net *net, int stage)
{
    for (uint32_t line = 0; line < net->system.nodes; line++) {
        size_t at = swq_buffer_at(net, stage, line / (uint32_t)net->ports);
        int queue = sending_queue(net, at, (int)(line % (uint32_t)net->ports));
        swq_trail trail = {0};
        if (queue < 0)
            continue;
        swq_packet p = swq_pop(net, at, queue, &trail);
        note_queue(net, at, queue);
        swq_probe_buffers(&net->system, stage, 1, 1);
        swq_probe_sent(&net->system, stage, 1);
        swq_probe_outside(&net->system, stage, 1);
        swq_report_start(net, stage, at, &trail);
        swq_note_sent(net, stage, line);
        swq_tell_start(net, stage, line, 0, &p, trail.from);
        swq_deliver(net, p, trail, net->wire[(size_t)(stage + 1) * net->system.nodes + line]);
    }
}

/* Offers the stage's packets to switch `next` of the following stage. */
static void send_to_switch(swq_net *net, int stage, uint32_t next)
{
    swq_packet packet[SWQ_MAX_PORTS];
    swq_trail trail[SWQ_MAX_PORTS];
    size_t from[SWQ_MAX_PORTS];
    uint32_t line[SWQ_MAX_PORTS];
    int queue[SWQ_MAX_PORTS];
    bool taken[SWQ_MAX_PORTS];

    for (int i = 0; i < net->ports; i++) {
        line[i] = net->back[(size_t)(stage + 1) * net->system.nodes + next * (uint32_t)net->ports +
                            (uint32_t)i];
        from[i] = swq_buffer_at(net, stage, line[i] / (uint32_t)net->ports);
        queue[i] = sending_queue(net, from[i], (int)(line[i] % (uint32_t)net->ports));
        packet[i] = (swq_packet){SWQ_NEVER, 0};
        trail[i] = (swq_trail){0, 0};
        if (queue[i] < 0)
            continue;
        size_t slot = swq_head_slot(net, from[i], queue[i]);
        packet[i] = net->packet[slot];
        if (net->trail)
            trail[i] = net->trail[slot];
    }
    swq_pool_admit(net, stage + 1, next, packet, trail, taken);
    for (int i = 0; i < net->ports; i++) { /* as many as above */
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
        if (queue[i] < 0)
            continue;
        swq_probe_buffers(&net->system, stage, 1, taken[i] || !net->blocks);
        if (!taken[i] && net->blocks)
            continue;
        swq_probe_sent(&net->system, stage, 1);
        swq_probe_arrived(&net->system, stage + 1, 1);
        swq_note_sent(net, stage, line[i]);
        swq_tell_start(net, stage, line[i], 0, &packet[i], trail[i].from);
        swq_pop(net, from[i], queue[i], &trail[i]);
        note_queue(net, from[i], queue[i]);
        swq_report_start(net, stage, from[i], &trail[i]);
        swq_probe_outside(&net->system, stage, 1);
        if (!taken[i])
            swq_discard(net, stage + 1, packet[i], trail[i], net->cycle - packet[i].birth + 1);
    }
}

void swq_transmit_pool(swq_net *net, int stage)
{
    const swq_buffer *rule = &net->part[0].rule;
    uint32_t switches = net->system.nodes / (uint32_t)net->ports;

    if (stage == net->system.levels - 1)
        send_to_sinks(net, stage);
    for (uint32_t next = 0; next < switches && stage < net->system.levels - 1; next++)
        send_to_switch(net, stage, next);
    for (uint32_t sw = 0; sw < switches && net->kept; sw++) {
        const size_t at = swq_buffer_at(net, stage, sw), queues = (size_t)net->queues;
        swq_buffer_admission(rule)->end_cycle(rule, net->queues, net->length + at * queues,
                                              net->sent + at * queues, swq_kept_of(net, at));
        memset(net->sent + at * queues, 0, queues);
    }
}
