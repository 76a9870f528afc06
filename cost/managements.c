/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores of congestion managements: their queues, and the lines and set-aside queues of RECN and
 * its variants.
 * Source: Mora, Garcia, Flich and Duato (RECN-IQ), 2.1 and 3: a memory of slots, a pointer for each
 * slot, two registers of the stack of free slots; head, tail, empty and the number of packets of
 * each queue; a memory of headers; a register of 7 bits for the requested output and whether a
 * request is allowed, which is enough for 64 outputs; lines of a turnpool, a mask and three bits.
 * This document does not describe FBICM's lines, which are counted from the engine's rules.
 */
#include "cost/parts.h"

#include <math.h>

/* Stores at one side of a switch. */
typedef struct {
    const char *part;
    double blocks, block_bytes, queues;
    int ports;
} store_side;

static void add_slots(cost_sum *s, const swq_async *n, const store_side *at, double header)
{
    cost_add_lists(s, &(cost_lists){.part = at->part,
                                    .count = s->ports,
                                    .blocks = at->blocks,
                                    .block_bytes = at->block_bytes,
                                    .queues = at->queues,
                                    .ports = at->ports,
                                    .stack = true,
                                    .counted = true,
                                    .rule = "slots that all queues of a store share",
                                    .source = COST_RECN_IQ});
    (void)n;
    cost_add(s, SWQ_COST_HEADERS, at->part, s->ports * at->blocks * header,
             "the header of each packet, for what looks at it again", COST_RECN_IQ);
    cost_add(s, SWQ_COST_HEADERS, at->part,
             s->ports * at->blocks * (fmax(cost_bits_for(s->ports), 6) + 1),
             "the output that each packet asks for, at least 6 bits, and whether it may",
             COST_RECN_IQ);
}

/* Adds the lines of stores that know a congested point by the path to it. */
static void add_lines_of_ways(cost_sum *s, const swq_async *n)
{
    cost_add(s, SWQ_COST_CAM, "congested points",
             2 * s->ports * (double)n->management.saqs * (2.0 * n->management.turnpool_bits + 3),
             "a line for each set-aside queue of inputs and outputs: turnpool, mask and 3 bits",
             COST_RECN_IQ);
}

/* Adds the memory of managements (FBICM) whose stores know a congested point by the destinations
 * behind the point (docs/congestion.md): lines, and a table of destinations. A destination is in at
 * most one line of a store, so a table by destination is enough; lines are searched only when a
 * message names the queue that sent the notice. */
static void add_lines_of_flows(cost_sum *s, const swq_async *n)
{
    const double saqs = n->management.saqs, queue = cost_bits_for(saqs + 1), nodes = s->nodes;

    cost_add(s, SWQ_COST_CAM, "congested points",
             s->ports * saqs * (cost_bits_for(s->ports) + queue + 3),
             "a line for each set-aside queue of inputs: the output and its queue that told of it, "
             "and 3 bits",
             COST_OF_RULES);
    cost_add(s, SWQ_COST_CAM, "congested points", s->ports * saqs * (cost_bits_for(saqs) + 3),
             "a line for each set-aside queue of outputs: the queue that told of it, and 3 bits",
             COST_OF_RULES);
    cost_add(s, SWQ_COST_POINTERS, "congested points", 2 * s->ports * nodes * queue,
             "the line of each destination, at inputs and outputs", COST_OF_RULES);
    cost_add(s, SWQ_COST_POINTERS, "congested points", s->ports * nodes * (1 + s->ports),
             "who has been told of each destination: of inputs the link, of outputs each input",
             COST_OF_RULES);
    cost_leave_out(s, "routing tables", "which a management by destinations asks for");
}

static void add_set_aside(cost_sum *s, const swq_async *n)
{
    const swq_management *m = n->management.row;
    const double turns = n->management.turnpool_bits, slot = n->packet.max,
                 saqs = n->management.saqs;
    const double header = m->by_flow ? cost_bits_for(s->nodes) : turns + cost_bits_for(turns);
    const double slots = floor((double)n->memory.bytes / slot);
    const double plain = m->detection_queues ? s->ports : 1;

    add_slots(s, n, &(store_side){"input stores", slots, slot, plain + saqs, 2}, header);
    if (m->needs_output_stores)
        add_slots(
            s, n,
            &(store_side){"output stores",
                          floor((double)n->architecture.output.blocks * n->packet.block / slot),
                          slot, 1 + saqs, 2},
            header);
    if (m->by_flow)
        add_lines_of_flows(s, n);
    else
        add_lines_of_ways(s, n);
    cost_add(s, SWQ_COST_POINTERS, "flow control", s->ports * cost_bits_for(slots + 1),
             "credits at each output", COST_RECN_IQ);
    cost_leave_out(s, "--management",
                   "what compares ways with lines, and the bandwidth of its "
                   "notices");
}

static void add_queues(cost_sum *s, const swq_async *n, const swq_fabric *f, bool output)
{
    const double queues = swq_management_queues(n, f, output);
    const double blocks = output ? n->architecture.output.blocks : n->memory.buffer.capacity;
    const char *part = output ? "output stores" : "input stores";

    if (n->management.row->apart || queues <= 1)
        cost_add_fifos(s, &(cost_fifos){.part = part,
                                        .count = s->ports * queues,
                                        .bytes = floor(blocks / queues) * n->packet.block,
                                        .ports = 2,
                                        .rule = "a FIFO for each queue, with a part of the memory",
                                        .source = COST_BUFFERS});
    else
        cost_add_lists(s, &(cost_lists){.part = part,
                                        .count = s->ports,
                                        .blocks = blocks,
                                        .block_bytes = n->packet.block,
                                        .queues = queues,
                                        .ports = 2,
                                        .headers = true,
                                        .rule = "blocks that all queues of a store share",
                                        .source = COST_CHIP});
    if (n->management.xoff > 0)
        cost_add(s, SWQ_COST_POINTERS, part, s->ports * queues * (cost_bits_for(blocks + 1) + 2),
                 "stop and go of each queue: a counter, and what was told and heard",
                 COST_OF_RULES);
}

void cost_add_management(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    const swq_management *m = n->management.row;

    if (m->stores) {
        add_set_aside(s, n);
        return;
    }
    add_queues(s, n, f, false);
    if (n->architecture.row->async.output_stores)
        add_queues(s, n, f, true);
    if (m->to_shortest)
        cost_leave_out(s, "--management", "what finds the shortest queue");
    if (m->tells_upstream) {
        cost_add(s, SWQ_COST_POINTERS, "congested points", s->ports * s->ports,
                 "whether each output of the next switch is congested", COST_OF_RULES);
        cost_leave_out(s, "--management", "what carries its notices");
    }
}
