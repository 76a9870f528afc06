/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the room rule is worked out from: the length of the shortest packet, which says how many fit
 * a buffer and how many come in a time, and the buffer as its senders see it.
 */
#include "sim/frame/rule.h"

/* The length of the last packet of a message. */
static int last_packet(const swq_async *spec, uint32_t bytes)
{
    uint32_t rest = bytes % (uint32_t)spec->packet.max;
    return rest > 0 ? (int)rest : spec->packet.max;
}

int swq_async_shortest(const swq_async *spec)
{
    int shortest = spec->packet.max;

    for (uint64_t k = 0; spec->traffic.trace && k < spec->traffic.trace_messages; k++) {
        int last = last_packet(spec, spec->traffic.trace[k].bytes);
        shortest = last < shortest ? last : shortest;
    }
    for (int k = 0; !spec->traffic.trace && k < spec->traffic.groups * SWQ_MAX_MESSAGE_TYPES; k++) {
        const swq_sender_group *g = &spec->traffic.group[k / SWQ_MAX_MESSAGE_TYPES];
        const swq_spread *length = &g->type[k % SWQ_MAX_MESSAGE_TYPES].length;
        int last = 1;
        if (g->silent || k % SWQ_MAX_MESSAGE_TYPES >= g->types)
            continue;
        if (length->kind == SWQ_CONSTANT)
            last = last_packet(spec, (uint32_t)length->first);
        else if (length->kind == SWQ_UNIFORM && length->second <= spec->packet.max)
            last = (int)length->first;
        shortest = last < shortest ? last : shortest;
    }
    return shortest;
}

swq_buffer swq_async_as_sent(const swq_async *n, int queues)
{
    swq_buffer b = n->memory.buffer;

    if (n->flow.row && n->flow.row->credits && n->flow.credit_unit == SWQ_CREDIT_QUEUE &&
        queues > 0) {
        const int part = b.capacity / queues;
        b.queue_max = b.queue_max < part ? b.queue_max : part;
        b.queue_min = b.queue_max;
        b.alpha = 0;
    }
    return b;
}
