/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hop-level flow controls add: wires, counters, memory that is searched by content.
 * Source: Frazier (1995), 8.6.
 */
#include "cost/parts.h"

#include <math.h>

/* Does each queue of an input have its own part of the memory? Of the architectures with stores of
 * their own, this holds only for the one with a buffer for each pair of input and output; of
 * managements, only for VOQnet. */
bool cost_static_queues(const swq_async *n)
{
    const swq_architecture *a = n->architecture.row;

    if (a->async.stores)
        return !a->async.lanes && !a->async.flow_groups && !a->async.input_fifos &&
               !a->async.crosspoints && !a->async.several;
    if (n->management.row && (n->management.row->hooks || n->management.row->stores))
        return n->management.row->apart;
    return n->memory.buffer.queues != SWQ_ONE_QUEUE && swq_buffer_partitioned(&n->memory.buffer);
}

bool cost_flow_by_queue(const swq_async *n)
{
    return n->flow.row->threshold || n->flow.row->counters || cost_static_queues(n);
}

/* Counters of free or occupied memory. Buffers in blocks count blocks, other buffers bytes (8.6.1);
 * queues with memory of their own have one counter each, and no central counter (8.6.2). */
static void add_occupancy(cost_sum *s, const swq_async *n, double blocks, double queues)
{
    const bool stores = n->architecture.row->async.stores, parted = cost_static_queues(n);
    const double bytes = stores ? (double)n->memory.bytes : blocks * n->packet.block;

    if (parted)
        cost_add(s, SWQ_COST_POINTERS, "flow control",
                 s->ports * queues * cost_bits_for(floor(bytes / queues) + 1),
                 "a counter of bytes for each queue", COST_FLOWS);
    else if (!stores && queues <= 1)
        cost_add(s, SWQ_COST_POINTERS, "flow control", s->ports * cost_bits_for(bytes + 1),
                 "a counter of free bytes for each input", COST_FLOWS);
    else
        cost_add(s, SWQ_COST_POINTERS, "flow control", s->ports * cost_bits_for(blocks + 1),
                 "a counter of free blocks for each input", COST_FLOWS);
    if (n->flow.row->threshold || n->flow.row->counters)
        cost_add(s, SWQ_COST_POINTERS, "flow control",
                 s->ports * queues * cost_bits_for(blocks + 1),
                 "a counter of blocks for each queue", COST_FLOWS);
}

/* Wires and counters of all flow controls except those with lanes or flow groups. */
static void add_wires(cost_sum *s, const swq_async *n, double blocks, double queues)
{
    const swq_hop_flow *flow = n->flow.row;
    const bool by_queue = cost_flow_by_queue(n);

    cost_add(s, SWQ_COST_WIRES, "flow control", by_queue ? queues : 1,
             by_queue ? "a wire for each queue" : "a wire that says full", COST_FLOWS);
    if (flow->by_destination || flow->by_path)
        cost_add(s, SWQ_COST_WIRES, "flow control", 1, "a wire for acknowledgements", COST_FLOWS);
    add_occupancy(s, n, blocks, queues);
    if (flow->threshold || flow->counters || flow->stop_go)
        cost_leave_out(s, "--flow", "what compares its counters with thresholds");
    if (by_queue &&
        !(n->management.row && n->management.row->apart)) /* VOQnet's queue is the destination */
        cost_leave_out(s, "pre-routing",
                       "the logic that finds a packet's queue in the next switch");
}

static void add_counters(cost_sum *s, const swq_async *n, double queues)
{
    cost_add(s, SWQ_COST_POINTERS, "flow control",
             s->ports * queues * cost_bits_for(n->flow.counters.y_max + 1),
             "a second counter for each queue", COST_FLOWS);
    cost_add(s, SWQ_COST_POINTERS, "flow control", s->ports * cost_bits_for(n->flow.counters.sigma),
             "what divides the clock", COST_FLOWS);
}

static void add_credits(cost_sum *s, const swq_async *n, double blocks, double queues)
{
    const bool apart = n->flow.credit_unit != SWQ_CREDIT_CHANNEL;

    cost_add(s, SWQ_COST_POINTERS, "flow control",
             s->ports * (apart ? queues + (n->flow.credit_unit == SWQ_CREDIT_POOL) : 1) *
                 cost_bits_for(blocks + 1),
             "credits at each output, for what is behind its link", COST_RECN_IQ);
    if (apart)
        cost_add(s, SWQ_COST_WIRES, "flow control", cost_bits_for(queues),
                 "whose credit comes back", COST_OF_RULES);
}

static void add_acknowledged(cost_sum *s, const swq_async *n, double blocks)
{
    const double headers = blocks, address = cost_bits_for(s->nodes);
    const double path = fmin(n->flow.answers.path_hops * cost_bits_for(s->ports), address);

    cost_add(s, SWQ_COST_CAM, "flow control",
             s->ports * headers * (n->flow.row->by_path ? path : address),
             n->flow.row->by_path ? "the next hops of each header, searched"
                                  : "the destination of each header, searched",
             COST_FLOWS);
    cost_add(s, SWQ_COST_POINTERS, "flow control", s->ports * (2 * cost_pointer_bits(blocks) + 1),
             "head, tail and null of the list that is being sent", COST_FLOWS);
    if (!n->flow.answers.no_restrict)
        cost_add(s, SWQ_COST_HEADERS, "flow control", s->ports * 2 * headers,
                 "restricted retry: BLOCKER and BLOCKEE of each packet", COST_FLOWS);
    cost_leave_out(s, "--flow", "the control of sending again");
}

void cost_add_flow(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture.row;
    const swq_management *m = n->management.row;
    const bool managed = m && (m->hooks || m->stores);
    const bool plain = !a->async.lanes && !a->async.flow_groups && !(m && m->stores);
    const double blocks = a->async.stores ? floor((double)n->memory.bytes / n->packet.block)
                                          : n->memory.buffer.capacity;
    double queues = 0;

    if (plain && a->async.stores && cost_static_queues(n))
        queues = s->ports;
    else if (plain)
        queues = managed ? swq_management_queues(n, f, false)
                         : swq_buffer_queues(&n->memory.buffer, f->classes);

    cost_add(s, SWQ_COST_WIRES, "link", s->link_bits, "data", COST_FLOWS);
    if (!plain) {
        if (m && m->stores)
            cost_add(s, SWQ_COST_WIRES, "flow control", 1, "a wire for credits", COST_RECN_IQ);
        return;
    }
    add_wires(s, n, blocks, queues);
    if (n->flow.row->counters)
        add_counters(s, n, queues);
    if (n->flow.row->credits)
        add_credits(s, n, blocks, queues);
    if (n->flow.row->stop_go)
        cost_add(s, SWQ_COST_POINTERS, "flow control", s->ports, "whether each output is stopped",
                 COST_OF_RULES);
    if (n->flow.row->by_destination || n->flow.row->by_path)
        add_acknowledged(s, n, blocks);
    if (n->flow.row->clocks)
        cost_add(s, SWQ_COST_POINTERS, "flow control", 8 * swq_circuit_state_bytes(n, f),
                 "a clock and a rate for each circuit, a stamp for each packet", COST_OF_RULES);
}
