/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a switch of a network in stage cycles costs. Its slots are packets of `slot_bytes`, in
 * blocks of `block_bytes`.
 * Room: cost. Includes sim, models and base.
 */
#include "cost/parts.h"

#include <math.h>

void cost_add_arbiter(cost_sum *s, const swq_arbiter *arbiter, double requests, const char *rule)
{
    const int k = (int)s->ports;

    cost_add(s, SWQ_COST_REQUESTS, "crossbar's arbiter", requests, rule, COST_FLOWS);
    cost_add(s, SWQ_COST_POINTERS, "crossbar's arbiter",
             swq_arbiter_memory(arbiter, k <= SWQ_MAX_PORTS ? k : SWQ_MAX_PORTS) *
                 cost_bits_for(s->ports),
             "what it keeps from cycle to cycle", COST_OF_RULES);
    cost_leave_out(s, "arbiters", "the gates that decide among the requests, which are counted");
}

/* The same buffer with its slots counted in blocks. */
static swq_buffer in_blocks(const swq_buffer *slots, double blocks)
{
    swq_buffer b = *slots;

    b.capacity = (int)(slots->capacity * blocks);
    b.queue_min = (int)(slots->queue_min * blocks);
    b.queue_max = (int)(slots->queue_max * blocks);
    return b;
}

/* Add the memory dedicated to packets of high priority. */
static void add_priority(cost_sum *s, const swq_network *n, double slot)
{
    const double k = s->ports, slots = n->high_slots;
    const bool queues = n->high_queues == SWQ_QUEUE_PER_OUTPUT;
    const char *source = "Frazier (1995), chapter 5";

    switch (n->support) {
    case SWQ_SUPPORT_NONE:
    case SWQ_SUPPORT_ARBITER:
        break;
    case SWQ_SUPPORT_QUEUE:
    case SWQ_SUPPORT_QUEUES: {
        const double more =
            n->support == SWQ_SUPPORT_QUEUE && n->sw.buffer.scope != SWQ_POOL ? 1 : k;
        const double inputs = n->sw.buffer.scope == SWQ_POOL ? 1 : k;
        cost_add_data(s, "high priority", k * slots * slot, 2, "slots of their own", source);
        cost_add(s, SWQ_COST_POINTERS, "high priority",
                 inputs * more * (2 * cost_bits_for(n->sw.buffer.capacity) + 1),
                 "head, tail and null of a queue more, or of one for each output", source);
        break;
    }
    case SWQ_SUPPORT_BUFFER:
        cost_add_data(s, "high priority", k * slots * slot, 2, "a buffer of their own", source);
        cost_add(s, SWQ_COST_POINTERS, "high priority",
                 k * (queues ? k : 1) * (2 * cost_bits_for(slots) + 1),
                 "head, tail and null of its queues", source);
        break;
    }
}

/* Does each queue have slots of its own, and so a wire and a counter (Frazier, 8.6.2)? */
static bool static_queues(const swq_network *n)
{
    const swq_buffer *b = &n->sw.buffer;

    return n->sw.flow != SWQ_DISCARD && b->queues != SWQ_ONE_QUEUE && swq_buffer_partitioned(b);
}

static void add_links(cost_sum *s, const swq_network *n)
{
    const swq_buffer *b = &n->sw.buffer;
    const bool by_queue = static_queues(n);
    const double buffers = b->scope == SWQ_POOL ? 1 : s->ports;

    cost_add(s, SWQ_COST_WIRES, "link", s->link_bits, "data", COST_FLOWS);
    if (n->sw.flow == SWQ_DISCARD)
        return;
    cost_add(s, SWQ_COST_WIRES, "flow control", by_queue ? s->ports : 1,
             by_queue ? "a wire for each queue" : "a wire that says full", COST_FLOWS);
    if (by_queue)
        cost_add(s, SWQ_COST_POINTERS, "flow control",
                 buffers * s->ports * cost_bits_for(floor(b->capacity / s->ports) + 1),
                 "a counter of slots for each queue", COST_FLOWS);
    else
        cost_add(s, SWQ_COST_POINTERS, "flow control", buffers * cost_bits_for(b->capacity + 1),
                 "a counter of free slots", COST_FLOWS);
    if (by_queue)
        cost_leave_out(s, "pre-routing",
                       "the logic that finds a packet's queue in the next switch");
}

static void add_crossbar(cost_sum *s, const swq_network *n, double slot)
{
    const swq_stage_architecture *a = swq_switch_architecture(&n->sw);
    const double k = s->ports, one = k * k * s->link_bits;

    if (n->sw.buffer.scope == SWQ_POOL) {
        cost_leave_out(s, "crosspoints of a memory that all ports share",
                       "its ports are the crossbar: they are counted in the area");
    } else if (a->input_buffers && n->sw.buffer.read == SWQ_READ_EACH_QUEUE) {
        cost_add(s, SWQ_COST_CROSSPOINTS, "crossbar", one * (a->speedup ? n->sw.speedup : 1),
                 "k crossbars of k x 1: k^2 f", COST_BUFFERS);
    } else {
        cost_add(s, SWQ_COST_CROSSPOINTS, "crossbar", one * (a->speedup ? n->sw.speedup : 1),
                 a->speedup ? "k^2 f, as many times as it is fast" : "k^2 f", COST_XBARS);
    }
    if (a->input_buffers && a->output_queues)
        cost_add_fifos(s, &(cost_fifos){.part = "output queues",
                                        .count = k,
                                        .bytes = n->sw.output_slots * slot,
                                        .ports = 2,
                                        .rule = "a FIFO for each output",
                                        .source = COST_BUFFERS});
    if (a->input_buffers && a->crosspoints)
        cost_add_fifos(s, &(cost_fifos){.part = "crosspoint buffers",
                                        .count = k * k,
                                        .bytes = n->sw.crosspoint_slots * slot,
                                        .ports = 2,
                                        .rule = "a FIFO for each input and output",
                                        .source = COST_HIPIQS});
    if (a->arbitrates && n->sw.buffer.scope != SWQ_POOL)
        cost_add_arbiter(s, n->sw.arbiter,
                         (a->columns && a->two_steps ? 2 : 1) * k * k * (static_queues(n) ? k : 1),
                         static_queues(n)
                             ? "a request for each input, output and queue of the next buffer"
                             : "a request for each input and output");
}

swq_status swq_cost_stages(swq_context *ctx, const swq_network *n, uint32_t nodes,
                           const swq_cost_terms *terms, swq_cost *cost)
{
    const swq_stage_architecture *a = swq_switch_architecture(&n->sw);
    const double block = fmin(terms->block_bytes, terms->slot_bytes);
    const double blocks = ceil(terms->slot_bytes / block), slot = blocks * block;
    cost_sum s = {.cost = cost,
                  .terms = terms,
                  .ports = n->sw.ports,
                  .link_bits = terms->link_bits,
                  .byte_bits = 8,
                  .nodes = nodes};

    (void)ctx;
    *cost = (swq_cost){.ports = n->sw.ports, .nodes = nodes};
    if (!a->input_buffers && a->output_queues) {
        cost_add_fifos(&s, &(cost_fifos){.part = "output queues",
                                         .count = s.ports,
                                         .bytes = n->sw.output_slots * slot,
                                         .ports = n->sw.ports + 1,
                                         .rule = "a FIFO for each output, which all inputs write",
                                         .source = COST_BUFFERS});
    } else {
        const swq_buffer b = in_blocks(&n->sw.buffer, blocks);
        cost_add_buffers(&s, &b, swq_buffer_queues(&b, n->sw.ports), block);
    }
    add_priority(&s, n, slot);
    add_crossbar(&s, n, slot);
    add_links(&s, n);
    if (n->resend)
        cost_leave_out(&s, "--resend", "the sources' memory of what may come back");
    cost_finish(&s);
    return SWQ_OK;
}
