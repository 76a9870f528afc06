/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Longest-queue drop, run ahead of the network. In each cycle it draws the order of packets and
 * breaks ties as the network will, and only then turns answers round.
 */
#include "sim/stages/oracle.h"

#include "sim/stages/arriving.h"
#include "sim/stages/buffers.h"
#include "sim/stages/sources.h"

static int capacity_of(const swq_net *net)
{
    return net->part[0].rule.capacity;
}

/* The answers for a cycle's packets. */
static size_t answers_at(const swq_net *net, uint32_t cycle)
{
    return (size_t)(cycle % (uint32_t)(capacity_of(net) + 1)) * (size_t)net->ports;
}

void swq_oracle_changing(swq_net *net, swq_arrays *list)
{
    const swq_buffer *b = &net->spec->sw.buffer;
    const bool asked = swq_buffer_admission(b)->needs & SWQ_NEEDS(SWQ_NEED_FUTURE);
    const double ports = asked && !b->oracle.answer ? net->spec->sw.ports : 0;
    swq_ahead *a = &net->ahead;

    SWQ_ARRAY(list, a->cycle, ports > 0);
    SWQ_ARRAY(list, a->birth, ports);
    SWQ_ARRAY(list, a->to, ports);
    SWQ_ARRAY(list, a->number, ports);
    SWQ_ARRAY(list, a->length, ports);
    SWQ_ARRAY(list, a->first, ports);
    SWQ_ARRAY(list, a->held, ports * b->capacity);
    SWQ_ARRAY(list, a->lost, ports * (b->capacity + 1));
}

/* ---- longest-queue drop ---- */

/* The place of packet k of a queue, 0 for the head. */
static uint32_t *held_at(const swq_net *net, int queue, int k)
{
    const int capacity = capacity_of(net);

    return &net->ahead.held[(size_t)queue * (size_t)capacity +
                            (size_t)((net->ahead.first[queue] + k) % capacity)];
}

/* A packet comes for a queue; `answer` is the place of its fate. */
static void come(swq_net *net, const swq_buffer *drops, int queue, size_t answer)
{
    swq_ahead *a = &net->ahead;
    const swq_fate fate = swq_buffer_fate(drops, net->queues, a->length, NULL, queue, &net->dice);

    if (fate == SWQ_REFUSE) {
        a->lost[answer] ^= 1;
        return;
    }
    if (fate >= 0)
        a->lost[*held_at(net, fate, --a->length[fate])] ^= 1;
    *held_at(net, queue, a->length[queue]++) = (uint32_t)answer;
}

static void send(swq_net *net)
{
    swq_ahead *a = &net->ahead;

    for (int q = 0; q < net->queues; q++) {
        if (a->length[q] == 0)
            continue;
        a->length[q]--;
        a->first[q] = (uint16_t)((a->first[q] + 1) % capacity_of(net));
    }
}

static void turn_round(swq_net *net, const swq_packet *packet, size_t answers)
{
    const double flip = net->part[0].rule.oracle.flip, chance[2] = {1 - flip, flip};

    for (int i = 0; i < net->ports && flip > 0; i++) {
        if (packet[i].birth != SWQ_NEVER)
            net->ahead.lost[answers + (size_t)i] ^= (uint8_t)swq_dice_loaded(&net->dice, chance, 2);
    }
}

static void run_cycle(swq_net *net, uint32_t cycle)
{
    swq_ahead *a = &net->ahead;
    swq_buffer drops = net->part[0].rule;
    swq_packet packet[SWQ_MAX_PORTS];
    const swq_trail trail[SWQ_MAX_PORTS] = {{0}};
    const size_t answers = answers_at(net, cycle);
    int order[SWQ_MAX_PORTS];

    drops.admission = &swq_admission_longest_queue_drop;
    for (int i = 0; i < net->ports; i++) {
        packet[i] = (swq_packet){a->birth[i] <= cycle ? a->birth[i] : SWQ_NEVER, a->to[i]};
        a->lost[answers + (size_t)i] = 0;
    }
    swq_switch_stream_begin(&net->switch_stream, 0, cycle);
    const int count = swq_pool_order(net, a->length, packet, trail, order);
    for (int k = 0; k < count; k++)
        come(net, &drops, swq_queue_of(net, 0, &packet[order[k]]), answers + (size_t)order[k]);
    turn_round(net, packet, answers);
    for (int i = 0; i < net->ports; i++) {
        if (packet[i].birth != SWQ_NEVER)
            swq_source_place(net, net->back[i], ++a->number[i], a->birth[i] + 1, &a->birth[i],
                             &a->to[i]);
    }
    send(net);
}

void swq_oracle_run(swq_net *net)
{
    swq_ahead *a = &net->ahead;

    for (int i = 0; i < net->ports && *a->cycle == 0; i++)
        swq_source_place(net, net->back[i], 0, 0, &a->birth[i], &a->to[i]);
    while (*a->cycle <= net->cycle + (uint32_t)capacity_of(net))
        run_cycle(net, (*a->cycle)++);
}

bool swq_oracle_says_lost(const swq_net *net, int input)
{
    const swq_sources *s = &net->sources;
    const swq_oracle *o = &net->part[0].rule.oracle;
    const uint32_t source = net->back[input];

    return o->answer ? o->answer[s->trace_order[s->trace_start[source] + s->number[source]]]
                     : net->ahead.lost[answers_at(net, net->cycle) + (size_t)input];
}
