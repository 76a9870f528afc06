/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transmission of switches with a buffer at each input, by the rules of models/ as they are: what
 * each queue asks for, one call of the arbiter (two with priorities), the packets moved.
 * Room: sim. Includes models.
 */
#include "sim/sync/turn.h"

#include <string.h>

/* The weight of a stale queue: above any length, and increasing with the cycles that its head has
 * waited. It is far below the weight of a packet for an arbiter that adds lengths up. */
enum { STALE_LEAD = 2 * SWQ_MAX_SLOTS, STALE_MOST = 20000 };

static int weight_of(const swq_net *net, size_t queue)
{
    if (!net->since)
        return net->length[queue];
    uint32_t waited = net->cycle - net->since[queue];
    if (waited < (uint32_t)net->spec->stale)
        return net->length[queue];
    return STALE_LEAD + (int)(waited < STALE_MOST ? waited : STALE_MOST);
}

/* Clears the requests of a switch. Rows of inputs are adjacent, and are cleared at once. */
static void ask_nothing(swq_net *net)
{
    const int classes = net->spec->support == SWQ_SUPPORT_NONE ? 1 : SWQ_CLASSES;

    for (int class = 0; class < classes; class ++) {
        swq_requests *r = &net->requests[class];
        memset(r->length, 0, sizeof r->length[0] * (size_t)net->ports);
        memset(r->waiting, 0, sizeof r->waiting[0] * (size_t)net->ports);
    }
}

/* Fills in the requests of the queues of input i; queue[j] is the queue that asks for output j. */
static void ask(swq_net *net, const swq_stage_turn *t, int i, int (*queue)[SWQ_MAX_PORTS])
{
    const size_t at = t->buffer + (size_t)i;
    const uint16_t *length = net->length + at * (size_t)net->queues;

    for (int q = 0; q < net->queues; q++) {
        if (length[q] == 0)
            continue;
        const swq_packet *head = &net->packet[swq_head_slot(net, at, q)];
        int j = swq_output_port(net, t->stage, head->to);
        int class = net->spec->support == SWQ_SUPPORT_NONE ? 0 : swq_class_of(head);
        net->requests[0].waiting[i] += length[q];
        if (!swq_way_is_open(net, t, j, head))
            continue;
        net->requests[class].length[i][j] = weight_of(net, at * (size_t)net->queues + (size_t)q);
        queue[class][j] = q;
    }
}

static void move(swq_net *net, const swq_stage_turn *t, int i, int queue)
{
    swq_trail trail = {0};
    const swq_packet p = swq_pop(net, t->buffer + (size_t)i, queue, &trail);

    swq_send_on(net, t, i, p, trail);
}

/* High priority comes first; the others share the rest of the crossbar. */
static void arbitrate(swq_net *net, int *grant, int *class)
{
    const swq_arbiter *arbiter = net->spec->sw.arbiter;
    swq_requests *low = &net->requests[0], *high = &net->requests[1];

    if (net->spec->support != SWQ_SUPPORT_NONE) {
        memcpy(high->waiting, low->waiting, sizeof high->waiting);
        swq_grant_classes(arbiter, low, high, &net->dice, grant, class);
        return;
    }
    for (int j = 0; j < net->ports; j++)
        class[j] = 0;
    arbiter->arbitrate(low, &net->dice, grant);
    if (arbiter->settle)
        arbiter->settle(low, grant);
}

void swq_transmit_plain(swq_net *net, int stage)
{
    int queue[SWQ_MAX_PORTS][SWQ_CLASSES][SWQ_MAX_PORTS], grant[SWQ_MAX_PORTS],
        class[SWQ_MAX_PORTS];
    uint32_t switches = net->system.nodes / (uint32_t)net->ports;
    uint64_t *count = net->system.tally + swq_tally_stage(stage), busy = 0, blocked = 0;

    for (int c = 0; c < SWQ_CLASSES; c++) {
        net->requests[c].ports = net->ports;
        net->requests[c].read_each_queue = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE;
        net->requests[c].iterations = net->spec->sw.iterations > 0 ? net->spec->sw.iterations : 1;
    }
    for (uint32_t sw = 0; sw < switches; sw++) {
        const swq_stage_turn t = swq_turn_of(net, stage, sw);
        for (int c = 0; c < SWQ_CLASSES && net->memory; c++)
            net->requests[c].memory = net->memory + t.number * (size_t)net->memory_words;
        ask_nothing(net);
        for (int i = 0; i < net->ports; i++)
            ask(net, &t, i, queue[i]);
        arbitrate(net, grant, class);
        unsigned sent = 0;
        for (int j = 0; j < net->ports; j++) {
            if (grant[j] == SWQ_NO_INPUT)
                continue;
            /* a grant answers a request, whose queue ask() has noted */
            // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript)
            move(net, &t, grant[j], queue[grant[j]][class[j]][j]);
            sent |= 1u << grant[j];
        }
        for (int i = 0; i < net->ports; i++) {
            const bool waits = net->requests[0].waiting[i] > 0;
            busy += waits;
            blocked += waits && !(sent >> i & 1);
        }
    }
    count[SWQ_STAGE_BUSY] += busy;
    count[SWQ_STAGE_BLOCKED] += blocked;
}
