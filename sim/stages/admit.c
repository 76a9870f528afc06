/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of the packets that come to a pool at once are taken in, when it is short of slots.
 */
#include "sim/stages/arriving.h"
#include "sim/stages/buffers.h"
#include "sim/stages/counts.h"
#include "sim/stages/oracle.h"

#include <string.h>

/* The first or the last packet of a queue is lost. */
static void push_out(swq_net *net, int stage, size_t at, int queue, bool head)
{
    const swq_buffers b = swq_buffers_of(net);
    swq_trail trail = {0};
    const swq_packet lost =
        head ? swq_remove(&b, at, queue, &trail) : swq_remove_last(&b, at, queue, &trail);

    swq_probe_outside(&net->system, stage, 1);
    swq_discard(net, stage, lost, trail, net->cycle - lost.birth + (stage > 0));
}

/* The rule of admission expels packets, before others come. */
static void expel(swq_net *net, int stage, size_t at, const swq_buffer *rule, uint16_t *seen)
{
    const swq_admission_rule *admission = swq_buffer_admission(rule);

    for (int turn = 0, q;
         admission->expel && (q = admission->expel(rule, net->queues, seen, turn, &net->dice)) >= 0;
         turn++) {
        seen[q]--;
        push_out(net, stage, at, q, true);
    }
}

/* A packet comes to input i of a pool, whose queues admission sees as `seen`; is it taken? */
static bool come(swq_net *net, int stage, size_t at, const swq_packet *packet, swq_trail trail,
                 int i, uint16_t *seen)
{
    const swq_buffer *rule = &net->part[0].rule;
    const int queue = swq_queue_of(net, stage, packet);
    swq_fate fate = net->parts > 1 ? (swq_net_admits(net, seen, queue) ? SWQ_TAKE : SWQ_REFUSE)
                                   : swq_buffer_fate(rule, net->queues, seen, swq_kept_of(net, at),
                                                     queue, &net->dice);

    if (fate == SWQ_ASK)
        fate = swq_oracle_says_lost(net, i) ? SWQ_REFUSE : SWQ_TAKE;
    if (fate == SWQ_REFUSE)
        return false;
    if (fate >= 0) {
        seen[fate]--;
        push_out(net, stage, at, fate, rule->drop_head);
    }
    trail.entered = net->cycle + (stage > 0);
    seen[queue]++;
    swq_push(net, at, queue, *packet, trail);
    swq_report_enter(net, stage, at, &trail);
    swq_probe_inside(&net->system, stage, 1);
    swq_probe_hops(&net->system, 1);
    return true;
}

void swq_pool_admit(swq_net *net, int stage, uint32_t sw, const swq_packet *packet,
                    const swq_trail *trail, bool *taken)
{
    const swq_arriving packets = swq_arriving_of(net, packet, trail);
    swq_precedes_fn *ranks = swq_arriving_ranks(&packets);
    size_t at = swq_buffer_at(net, stage, sw);
    uint32_t switches = net->system.nodes / (uint32_t)net->ports;
    uint16_t seen[SWQ_MAX_QUEUES];
    int order[SWQ_MAX_PORTS];
    swq_arrivals arrivals;

    memcpy(seen, swq_seen(net, at), sizeof *seen * (size_t)net->queues);
    if (net->ahead.cycle)
        swq_oracle_run(net);
    swq_switch_stream_begin(&net->switch_stream, (uint32_t)stage * switches + sw, net->cycle);
    expel(net, stage, at, &net->part[0].rule, seen);
    for (int i = 0; i < net->ports; i++)
        taken[i] = false;
    if (net->ahead.cycle) { /* the oracle has drawn the order before all else, too */
        const int count = swq_pool_order(net, seen, packet, trail, order);
        for (int k = 0; k < count; k++)
            taken[order[k]] =
                come(net, stage, at, &packet[order[k]], trail[order[k]], order[k], seen);
        return;
    }
    swq_arriving_begin(net, seen, packet, &arrivals);
    for (int i; (i = swq_arrivals_next(&arrivals, ranks, &packets, &net->dice)) >= 0;)
        taken[i] = come(net, stage, at, &packet[i], trail[i], i, seen);
}
