/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a switch of a network in stage cycles costs. Its slots are packets of `slot_bytes`, in
 * blocks of `block_bytes`.
 */
#include "cost/parts.h"
#include "models/priority.h"
#include "sim/tables/gate.h"

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

/* The buffer whose numbers of slots are multiplied by the blocks of a slot. */
static swq_buffer in_blocks(const swq_buffer *slots, double blocks)
{
    swq_buffer b = *slots;

    b.capacity = (int)(slots->capacity * blocks);
    b.queue_min = (int)(slots->queue_min * blocks);
    b.queue_max = (int)(slots->queue_max * blocks);
    return b;
}

/* The queues of a buffer and the parts that they share: one part, or, if packets of high priority
 * have slots of their own, two. */
static swq_class_queues queues_of(const swq_network *n)
{
    swq_class_queues q;

    swq_class_queues_init(&n->sw.buffer, n->sw.ports, &n->sw.priority, &q);
    for (int p = 1; p < q.parts && n->sw.priority.support != SWQ_SUPPORT_BUFFER; p++)
        q.part[p].rule.queue_min = q.part[p].rule.queue_max; /* each queue has slots of its own */
    return q;
}

/* Add the input buffers, or the pool, with the queues and slots for packets of high priority. */
static void add_buffers(cost_sum *s, const swq_network *n, double blocks, double block)
{
    const swq_class_queues q = queues_of(n);
    const bool pool = n->sw.buffer.scope == SWQ_POOL;

    for (int p = 0; p < q.parts; p++) {
        const swq_buffer b = in_blocks(&q.part[p].rule, blocks);
        cost_add_buffers(s,
                         p      ? "high priority"
                         : pool ? "central pool"
                                : "input buffers",
                         &b, q.part[p].queues, block);
    }
    const bool lists = q.parts == 1 && q.base[1] > 0; /* of both classes in one memory */
    if (lists && !(q.fans[0] && q.fans[1]))
        cost_add(s, SWQ_COST_HEADERS, "high priority",
                 s->ports * n->sw.buffer.capacity * blocks * cost_bits_for(s->ports),
                 q.fans[0] ? "an output for each header register, since their queue is for all "
                             "outputs"
                           : "an output for each header register, since a queue is for all outputs",
                 "Frazier (1995), 3.5");
}

/* Does each queue have slots of its own, and so a wire and a counter (Frazier, 8.6.2)? */
static bool has_static_queues(const swq_buffer *b)
{
    return b->queues != SWQ_ONE_QUEUE && swq_buffer_partitioned(b);
}

static bool by_queue(const swq_network *n)
{
    return n->sw.flow != SWQ_DISCARD && has_static_queues(&n->sw.buffer);
}

/* Add the counters or wires that say whether a part of a buffer is full. */
static void add_full(cost_sum *s, const char *part, const swq_buffer *b, int queues)
{
    const double buffers = b->scope == SWQ_POOL ? 1 : s->ports;

    if (has_static_queues(b)) {
        cost_add(s, SWQ_COST_WIRES, part, queues, "a wire for each queue", COST_FLOWS);
        cost_add(s, SWQ_COST_POINTERS, part,
                 buffers * queues * cost_bits_for(floor(b->capacity / (double)queues) + 1),
                 "a counter of slots for each queue", COST_FLOWS);
    } else {
        cost_add(s, SWQ_COST_WIRES, part, 1, "a wire that says full", COST_FLOWS);
        cost_add(s, SWQ_COST_POINTERS, part, buffers * cost_bits_for(b->capacity + 1),
                 "a counter of free slots", COST_FLOWS);
    }
}

static void add_links(cost_sum *s, const swq_network *n)
{
    const swq_class_queues q = queues_of(n);

    cost_add(s, SWQ_COST_WIRES, "link", s->link_bits, "data", COST_FLOWS);
    if (n->sw.flow == SWQ_DISCARD)
        return;
    for (int p = 0; p < q.parts; p++)
        add_full(s, p ? "flow control, high priority" : "flow control", &q.part[p].rule,
                 q.part[p].queues);
    if (by_queue(n))
        cost_leave_out(s, "pre-routing",
                       "the logic that finds a packet's queue in the next switch");
}

static void add_crossbar(cost_sum *s, const swq_network *n, double slot)
{
    const swq_architecture *a = swq_switch_architecture(&n->sw);
    const double k = s->ports, one = k * k * s->link_bits;

    if (n->sw.buffer.scope == SWQ_POOL) {
        cost_leave_out(s, "crosspoints of a memory that all ports share",
                       "its ports are the crossbar: they are counted in the area");
    } else if (a->stage.input_buffers && n->sw.buffer.read == SWQ_READ_EACH_QUEUE) {
        cost_add(s, SWQ_COST_CROSSPOINTS, "crossbar", one * (a->stage.speedup ? n->sw.speedup : 1),
                 "k crossbars of k x 1: k^2 f", COST_BUFFERS);
    } else {
        cost_add(s, SWQ_COST_CROSSPOINTS, "crossbar", one * (a->stage.speedup ? n->sw.speedup : 1),
                 a->stage.speedup ? "k^2 f, as many times as it is fast" : "k^2 f", COST_XBARS);
    }
    if (a->stage.input_buffers && a->stage.output_queues)
        cost_add_fifos(s, &(cost_fifos){.part = "output queues",
                                        .count = k,
                                        .bytes = n->sw.output_slots * slot,
                                        .ports = 2,
                                        .rule = "a FIFO for each output",
                                        .source = COST_BUFFERS});
    if (a->stage.input_buffers && a->stage.crosspoints)
        cost_add_fifos(s, &(cost_fifos){.part = "crosspoint buffers",
                                        .count = k * k,
                                        .bytes = n->sw.crosspoint_slots * slot,
                                        .ports = 2,
                                        .rule = "a FIFO for each input and output",
                                        .source = COST_HIPIQS});
    if (a->stage.arbitrates && n->sw.buffer.scope != SWQ_POOL)
        cost_add_arbiter(
            s, n->sw.arbiter,
            (a->stage.columns && a->stage.two_steps ? 2 : 1) * k * k * (by_queue(n) ? k : 1),
            by_queue(n) ? "a request for each input, output and queue of the next buffer"
                        : "a request for each input and output");
}

swq_status swq_cost_stages(swq_context *ctx, const swq_network *n, uint32_t nodes,
                           const swq_cost_terms *terms, swq_cost *cost)
{
    const swq_architecture *a = swq_switch_architecture(&n->sw);
    const double block = fmin(terms->block_bytes, terms->slot_bytes);
    const double blocks = ceil(terms->slot_bytes / block), slot = blocks * block;
    cost_sum s = {.cost = cost,
                  .terms = terms,
                  .ports = n->sw.ports,
                  .link_bits = terms->link_bits,
                  .byte_bits = 8,
                  .nodes = nodes};

    const swq_status status = swq_gate_network(ctx, &cost_takes, n);
    if (status)
        return status;
    *cost = (swq_cost){.ports = n->sw.ports, .nodes = nodes};
    if (!a->stage.input_buffers && a->stage.output_queues) {
        cost_add_fifos(&s, &(cost_fifos){.part = "output queues",
                                         .count = s.ports,
                                         .bytes = n->sw.output_slots * slot,
                                         .ports = n->sw.ports + 1,
                                         .rule = "a FIFO for each output, which all inputs write",
                                         .source = COST_BUFFERS});
    } else {
        add_buffers(&s, n, blocks, block);
    }
    add_crossbar(&s, n, slot);
    add_links(&s, n);
    if (n->stale)
        cost_leave_out(&s, "--stale", "the counters of how long the heads of queues have waited");
    const swq_admission_rule *admission = swq_buffer_admission(&n->sw.buffer);
    if (admission->fate)
        cost_leave_out(&s, "--admission",
                       swq_admission_loses_stored(admission)
                           ? "what finds the queue that loses a packet, and takes the packet out"
                       : admission->keeps
                           ? "what compares the lengths of queues, and what it keeps for each queue"
                           : "what compares the lengths of queues");
    if (n->resend)
        cost_leave_out(&s, "--resend", "the sources' memory of what may come back");
    cost_finish(&s);
    return SWQ_OK;
}
