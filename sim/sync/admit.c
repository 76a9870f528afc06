/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of the packets that come to a pool at once are taken in, when it is short of slots.
 * Room: sim. Includes models.
 */
#include "sim/sync/buffers.h"

#include <string.h>

/* The waiting port that is served next: high priority first if the switch supports it, then the
 * oldest if the rule says so, then any. */
static int next_port(swq_net *net, const swq_packet *packet, const swq_trail *trail,
                     const int *waiting, int left)
{
    bool by_age = net->part[0].rule.pool_rule == SWQ_POOL_OLDEST;
    bool by_class = net->spec->support != SWQ_SUPPORT_NONE;
    int best[SWQ_MAX_PORTS] = {0}, ties = 0;

    if (!by_class && !by_age)
        return swq_dice_fair(&net->dice, left);
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
    const uint32_t open =
        swq_pool_open(&net->part[0].rule, net->queues, seen, net->ports, &net->dice);
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
