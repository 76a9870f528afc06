/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of the packets that come to a pool at once are taken in, when it is short of slots.
 * Room: sim. Includes models.
 */
#include "sim/stages/buffers.h"
#include "sim/stages/counts.h"

#include "models/buffers/arrivals.h"

#include <string.h>

/* The packets that come to a pool, and their properties. */
typedef struct {
    const swq_packet *packet;
    const swq_trail *trail;
    bool by_class, by_age, by_port;
} coming;

/* High priority first if the switch supports it, then the oldest, or the one at the lowest port, if
 * the rule says so. */
static int precedes(const void *packets, int i, int k)
{
    const coming *c = packets;
    const uint32_t mine = c->trail[i].entered, its = c->trail[k].entered;
    const int by_class =
        c->by_class ? swq_class_of(&c->packet[i]) - swq_class_of(&c->packet[k]) : 0;

    if (!by_class && c->by_port)
        return k - i;
    return by_class || !c->by_age ? by_class : (mine < its) - (mine > its);
}

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

void swq_pool_admit(swq_net *net, int stage, uint32_t sw, const swq_packet *packet,
                    const swq_trail *trail, bool *taken)
{
    const swq_buffer *rule = &net->part[0].rule;
    const coming packets = {packet, trail, net->spec->support != SWQ_SUPPORT_NONE,
                            swq_buffer_pool_rule(rule)->oldest_first,
                            swq_buffer_pool_rule(rule)->in_order};
    swq_precedes_fn *ranks =
        packets.by_class || packets.by_age || packets.by_port ? precedes : NULL;
    size_t at = swq_buffer_at(net, stage, sw);
    uint32_t switches = net->system.nodes / (uint32_t)net->ports;
    uint16_t seen[SWQ_MAX_QUEUES];
    uint16_t *kept = net->kept ? net->kept + at * (size_t)net->queues : NULL;
    swq_arrivals arrivals;

    memcpy(seen, swq_seen(net, at), sizeof *seen * (size_t)net->queues);
    swq_switch_stream_begin(&net->switch_stream, (uint32_t)stage * switches + sw, net->cycle);
    expel(net, stage, at, rule, seen);
    swq_arrivals_begin(rule, net->queues, seen, net->ports, &net->dice, &arrivals);
    for (int i = 0; i < net->ports; i++) {
        taken[i] = false;
        if (packet[i].birth != SWQ_NEVER)
            swq_arrivals_add(&arrivals, i);
    }
    for (int i; (i = swq_arrivals_next(&arrivals, ranks, &packets, &net->dice)) >= 0;) {
        const int queue = swq_queue_of(net, stage, &packet[i]);
        const swq_fate fate =
            net->parts > 1 ? (swq_net_admits(net, seen, queue) ? SWQ_TAKE : SWQ_REFUSE)
                           : swq_buffer_fate(rule, net->queues, seen, kept, queue, &net->dice);
        taken[i] = fate != SWQ_REFUSE;
        if (!taken[i])
            continue;
        if (fate >= 0) {
            seen[fate]--;
            push_out(net, stage, at, fate, rule->drop_head);
        }
        swq_trail mark = trail[i];
        mark.entered = net->cycle + (stage > 0);
        seen[queue]++;
        swq_push(net, at, queue, packet[i], mark);
        swq_report_enter(net, stage, at, &mark);
        swq_probe_inside(&net->system, stage, 1);
        swq_probe_hops(&net->system, 1);
    }
}
