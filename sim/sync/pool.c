/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transmission of switches with one central pool: nothing to arbitrate, every output sends its
 * head; what must be decided is which of the simultaneous arrivals a pool short of slots takes in.
 * So the turn of a stage goes through the pools of the next one.
 * Room: sim. Includes models.
 */
#include "sim/sync/net.h"

#include <string.h>

/* Which input ports are open: all, or as many random ones as there are free slots. */
static uint32_t open_ports(swq_net *net, const uint16_t *seen)
{
    const swq_buffer *b = &net->part[0].rule;
    uint32_t open = 0, all = net->ports == 32 ? UINT32_MAX : (1u << net->ports) - 1;
    int room = b->capacity;

    for (int q = 0; q < net->queues; q++)
        room -= seen[q];
    if (b->pool_rule != SWQ_POOL_PORTS || room >= net->ports)
        return all;
    for (int left = net->ports; room > 0; room--, left--) {
        int which = swq_dice_fair(&net->dice, left), i = 0;
        while (open >> i & 1 || which-- > 0)
            i++;
        open |= 1u << i;
    }
    return open;
}

/* Of the waiting ports, the one that is served next: high priority first if the switch supports it,
 * then the oldest under that rule, then anyone. */
static int next_port(swq_net *net, const swq_packet *packet, const swq_trail *trail,
                     const int *waiting, int left)
{
    bool by_age = net->part[0].rule.pool_rule == SWQ_POOL_OLDEST;
    bool by_class = net->spec->support != SWQ_SUPPORT_NONE;
    int best[SWQ_MAX_PORTS] = {0}, ties = 0;

    for (int w = 0; w < left; w++) {
        const swq_packet *p = &packet[waiting[w]], *b = ties ? &packet[waiting[best[0]]] : p;
        int better = by_class ? swq_class_of(p) - swq_class_of(b) : 0;
        if (better == 0 && by_age && ties) {
            uint32_t mine = trail[waiting[w]].entered, its = trail[waiting[best[0]]].entered;
            better = (mine < its) - (mine > its);
        }
        if (better > 0)
            ties = 0;
        if (better >= 0)
            best[ties++] = w;
    }
    return best[swq_dice_fair(&net->dice, ties)];
}

void swq_pool_admit(swq_net *net, int stage, uint32_t sw, const swq_packet *packet,
                    const swq_trail *trail, bool *taken)
{
    size_t at = swq_buffer_at(net, stage, sw);
    uint32_t switches = net->system.nodes / (uint32_t)net->ports;
    uint16_t seen[SWQ_MAX_QUEUES];
    int waiting[SWQ_MAX_PORTS], left = 0;

    memcpy(seen, swq_seen(net, at), sizeof *seen * (size_t)net->queues);
    swq_switch_stream_begin(&net->switch_stream, (uint32_t)stage * switches + sw, net->cycle);
    uint32_t open = open_ports(net, seen);
    for (int i = 0; i < net->ports; i++) {
        taken[i] = false;
        if (packet[i].birth != SWQ_NEVER && open >> i & 1)
            waiting[left++] = i;
    }
    while (left > 0) {
        int turn = next_port(net, packet, trail, waiting, left), i = waiting[turn];
        int queue = swq_queue_of(net, stage, &packet[i]);
        waiting[turn] = waiting[--left];
        taken[i] = swq_net_admits(net, seen, queue);
        if (!taken[i])
            continue;
        swq_trail mark = trail[i];
        mark.entered = net->cycle + (stage > 0);
        seen[queue]++;
        swq_push(net, at, queue, packet[i], mark);
        net->stage_packets[stage]++;
        net->system.hops++;
    }
}

/* The queue that output `port` of a pool would send from, or -1. */
static int sending_queue(const swq_net *net, size_t at, int port)
{
    const uint16_t *length = net->length + at * (size_t)net->queues;
    int high = net->queue_base[1] + port;

    if (net->queue_base[1] > 0 && length[high] > 0)
        return high;
    return length[port] > 0 ? port : -1;
}

static void send_to_sinks(swq_net *net, int stage)
{
    uint64_t *count = net->system.tally + swq_tally_stage(stage);

    for (uint32_t line = 0; line < net->system.nodes; line++) {
        size_t at = swq_buffer_at(net, stage, line / (uint32_t)net->ports);
        int queue = sending_queue(net, at, (int)(line % (uint32_t)net->ports));
        swq_trail trail = {0};
        if (queue < 0)
            continue;
        swq_packet p = swq_pop(net, at, queue, &trail);
        count[SWQ_STAGE_BUSY]++;
        count[SWQ_STAGE_SENT]++;
        net->stage_packets[stage]--;
        swq_deliver(net, p, trail, net->wire[(size_t)(stage + 1) * net->system.nodes + line]);
    }
}

/* Offer what the stage has for switch `next` of the following stage. */
static void send_to_switch(swq_net *net, int stage, uint32_t next)
{
    uint64_t *count = net->system.tally + swq_tally_stage(stage);
    swq_packet packet[SWQ_MAX_PORTS] = {{0}};
    swq_trail trail[SWQ_MAX_PORTS] = {{0}};
    size_t from[SWQ_MAX_PORTS] = {0};
    int queue[SWQ_MAX_PORTS] = {0};
    bool taken[SWQ_MAX_PORTS] = {false};

    for (int i = 0; i < net->ports; i++) {
        uint32_t line = net->back[(size_t)(stage + 1) * net->system.nodes +
                                  next * (uint32_t)net->ports + (uint32_t)i];
        from[i] = swq_buffer_at(net, stage, line / (uint32_t)net->ports);
        queue[i] = sending_queue(net, from[i], (int)(line % (uint32_t)net->ports));
        packet[i].birth = SWQ_NEVER;
        if (queue[i] < 0)
            continue;
        size_t slot = swq_head_slot(net, from[i], queue[i]);
        packet[i] = net->packet[slot];
        if (net->trail)
            trail[i] = net->trail[slot];
    }
    swq_pool_admit(net, stage + 1, next, packet, trail, taken);
    for (int i = 0; i < net->ports; i++) {
        if (queue[i] < 0)
            continue;
        count[SWQ_STAGE_BUSY]++;
        if (!taken[i] && net->blocks) {
            count[SWQ_STAGE_BLOCKED]++;
            continue;
        }
        count[SWQ_STAGE_SENT]++;
        count[SWQ_STAGE_COUNTERS + SWQ_STAGE_ARRIVED]++;
        swq_pop(net, from[i], queue[i], &trail[i]);
        net->stage_packets[stage]--;
        if (!taken[i])
            swq_discard(net, stage + 1, packet[i], trail[i], net->cycle - packet[i].birth + 1);
    }
}

void swq_transmit_pool(swq_net *net, int stage)
{
    uint32_t switches = net->system.nodes / (uint32_t)net->ports;

    if (stage == net->system.levels - 1) {
        send_to_sinks(net, stage);
        return;
    }
    for (uint32_t next = 0; next < switches; next++)
        send_to_switch(net, stage, next);
}
