/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expulsion: tokens of a cell come at the rate of the memory's spare bandwidth, and pay for packets
 * that are taken from the heads of queues above their threshold, in turn. Source: D. Shan et al.,
 * "Occamy: a preemptive buffer management for on-chip shared-memory switches" (EuroSys 2025).
 */
#include "sim/datacentre/net.h"

static bool above(const dc_net *net, const dc_memory *m, uint32_t queue)
{
    const dc_queue *q = &net->queue[m->first_queue + queue];
    const double alpha = net->spec->memory.alpha[(int)queue % net->classes];

    return q->packets > 0 && (double)q->held > alpha * (double)m->free;
}

/* The next queue in turn that is above its threshold, or the number of queues. */
static uint32_t next_above(const dc_net *net, const dc_memory *m)
{
    for (uint32_t k = 0; k < m->queues; k++) {
        const uint32_t queue = (m->expel_next + k) % m->queues;
        if (above(net, m, queue))
            return queue;
    }
    return m->queues;
}

/* Can a queue be above its threshold? No queue holds more than all do together. */
static bool may_be_above(const dc_net *net, const dc_memory *m)
{
    double least = net->spec->memory.alpha[0];

    for (int k = 1; k < net->classes; k++)
        least = net->spec->memory.alpha[k] < least ? net->spec->memory.alpha[k] : least;
    return (double)(m->capacity - m->free) > least * (double)m->free;
}

void dc_expel_look(dc_net *net, uint32_t memory)
{
    dc_memory *m = &net->memory[memory];
    const uint64_t every = net->spec->memory.expel_every;

    if (m->token_due || !may_be_above(net, m))
        return;
    m->token_due = true;
    dc_events_push(net->ctx, net->events, (net->now / every + 1) * every, DC_TOKEN, memory);
}

void dc_expel_turn(dc_net *net, uint32_t memory)
{
    dc_memory *m = &net->memory[memory];
    const swq_dc_memory_spec *spec = &net->spec->memory;
    const uint64_t come = net->now / spec->expel_every - m->tokens_at / spec->expel_every;
    const int64_t most = spec->expel_bucket;

    m->tokens_at = net->now;
    m->tokens = come >= (uint64_t)(most - m->tokens) ? most : m->tokens + (int64_t)come;
    m->token_due = false;
    while (m->tokens > 0) {
        const uint32_t queue = next_above(net, m);
        if (queue == m->queues)
            return;
        const dc_queue *q = &net->queue[m->first_queue + queue];
        m->tokens -= net->packets.packet[q->waiting.head].size / spec->cell;
        dc_lose_stored(net, m->first_queue + queue, true, SWQ_DC_EXPELLED);
        m->expel_next = (queue + 1) % m->queues;
    }
    dc_expel_look(net, memory);
}
