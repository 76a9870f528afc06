/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores, crossbars and arbiters of switch architectures, counted from the parts that an
 * architecture's row lists. Source: Sivaram, Stunkel and Panda (1997), sections 2 to 4, for k x k
 * switches whose links carry f bits.
 */
#include "cost/parts.h"

#include <math.h>

static void add_crossbar(cost_sum *s, double times, const char *rule)
{
    cost_add(s, SWQ_COST_CROSSPOINTS, "crossbar", times * s->ports * s->ports * s->link_bits, rule,
             COST_XBARS);
}

/* An arbiter for each output, which serves `served` FIFOs, each with `requests` requests. */
static void add_output_arbiters(cost_sum *s, double served, double requests, const char *rule)
{
    cost_add(s, SWQ_COST_REQUESTS, "outputs' arbiters", s->ports * served * requests, rule,
             COST_HIPIQS);
    cost_add(s, SWQ_COST_POINTERS, "outputs' arbiters", s->ports * cost_bits_for(served),
             "the one served last", COST_HIPIQS);
    cost_leave_out(s, "arbiters", "the gates that decide among the requests, which are counted");
}

/* ---- architectures with buffers of --buffer, or with output stores ---- */

static void add_output_stores(cost_sum *s, const swq_async *n)
{
    const bool at_once = n->architecture.row->async.at_once;

    /* the queues of a management before the links are counted with the management */
    if (n->management.row && (n->management.row->hooks || n->management.row->stores))
        return;
    cost_add_fifos(s,
                   &(cost_fifos){.part = "output stores",
                                 .count = s->ports,
                                 .bytes = (double)n->architecture.output.blocks * n->packet.block,
                                 .ports = at_once ? (int)s->ports + 1 : 2,
                                 .rule = at_once ? "a FIFO for each output, which all inputs "
                                                   "write"
                                                 : "a FIFO for each output",
                                 .source = COST_BUFFERS});
}

static void add_input_queued(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture.row;
    const double speedup =
        n->architecture.output.speedup_cycles > 0
            ? (double)n->architecture.output.speedup_bytes / n->architecture.output.speedup_cycles
            : 1;

    if (a->async.output_stores)
        add_output_stores(s, n);
    if (a->async.at_once) {
        add_crossbar(s, s->ports, "k^2 f, k times as fast");
        cost_add_data(s, "input stores", s->ports * n->packet.max, 2,
                      "staging buffers, in which a packet is while it is routed", COST_BUFFERS);
        return;
    }
    if (n->memory.buffer.read == SWQ_READ_EACH_QUEUE && a->async.input_buffers &&
        !n->management.row)
        cost_add(s, SWQ_COST_CROSSPOINTS, "crossbar",
                 fmax(speedup, 1) * s->ports * s->ports * s->link_bits,
                 "k crossbars of k x 1: k^2 f", COST_BUFFERS);
    else
        add_crossbar(s, a->async.output_stores ? fmax(speedup, 1) : 1,
                     a->async.output_stores ? "k^2 f, as many times as it is fast" : "k^2 f");
    const bool queues = cost_flow_by_queue(n);
    const double lines = fmax(f->classes, s->ports);
    if (n->management.row && n->management.row->apart) {
        /* a queue asks for one output, and for the queue of its own destination behind that
         * output */
        cost_add_arbiter(s, n->arbiter.row, s->ports * swq_management_queues(n, f, false),
                         "a request for each queue of an input");
        return;
    }
    cost_add_arbiter(s, n->arbiter.row, s->ports * lines * (queues ? s->ports : 1),
                     queues ? "a request for each input, output and queue of the next buffer"
                            : "a request for each input and output");
}

/* ---- architectures with stores of their own ---- */

static void add_hipiqs(cost_sum *s, const swq_async *n)
{
    const double k = s->ports, chunk = n->packet.block;
    const double registers =
        2 + 2 * k + (n->architecture.stores.crosspoint == SWQ_CROSSPOINT_RAM ? k : 0);
    const double beside = n->architecture.stores.count_all
                              ? k * n->architecture.stores.crosspoint_chunks * chunk + registers
                              : 0;
    const double chunks = floor(fmax(n->memory.bytes - beside, 0) / chunk);

    cost_add_lists(s, &(cost_lists){.part = "input buffers",
                                    .count = k,
                                    .blocks = chunks,
                                    .block_bytes = chunk,
                                    .queues = k,
                                    .ports = 2,
                                    .more = cost_bits_for(k),
                                    .stack = true,
                                    .rule = "chunks in k banks, read by all outputs in turns",
                                    .source = COST_HIPIQS});
    cost_add_fifos(s, &(cost_fifos){.part = "crosspoint FIFOs",
                                    .count = k * k,
                                    .bytes = n->architecture.stores.crosspoint_chunks * chunk,
                                    .ports = 2,
                                    .rule = "chunks of a FIFO for each input and output",
                                    .source = COST_HIPIQS});
    cost_add_data(s, "registers", k * registers, 2,
                  "R1 to R4 of an input, a flit each: 2 + 2 k, or 2 + 3 k with FIFOs in RAM",
                  COST_HIPIQS);
    add_crossbar(s, k + 2, "(k+2) k^2 f");
    add_output_arbiters(s, k, 1, "an input each");
}

static void add_fifos(cost_sum *s, const swq_async *n, double fifos, const char *crossbar,
                      double times)
{
    cost_add_fifos(s, &(cost_fifos){.part = "input FIFOs",
                                    .count = s->ports * fifos,
                                    .bytes = floor(n->memory.bytes / fifos),
                                    .ports = 2,
                                    .rule = "the memory of an input, split among its FIFOs",
                                    .source = COST_BUFFERS});
    add_crossbar(s, times, crossbar);
}

static void add_shared(cost_sum *s, const swq_async *n)
{
    const bool modules = n->architecture.row->async.modules;
    const double k = s->ports;
    const double unit =
        modules ? (n->architecture.stores.module ? n->architecture.stores.module : n->packet.max)
                : n->packet.block;
    const double units =
        floor(fmax(k * n->memory.bytes - k * n->architecture.stores.fifo, 0) / unit);

    cost_add_fifos(s, &(cost_fifos){.part = "input FIFOs",
                                    .count = k,
                                    .bytes = n->architecture.stores.fifo,
                                    .ports = 2,
                                    .rule = "in which packets wait for the shared memory",
                                    .source = COST_SHARED});
    cost_add_lists(s, &(cost_lists){.part = "shared memory",
                                    .count = 1,
                                    .blocks = units,
                                    .block_bytes = unit,
                                    .queues = k,
                                    .ports = 2,
                                    .stack = true,
                                    .rule = modules ? "modules of one packet each"
                                                    : "chunks, a port at a time",
                                    .source = COST_SHARED});
    if (modules) {
        cost_add(s, SWQ_COST_CROSSPOINTS, "crossbars", 2 * k * units * s->link_bits,
                 "2 k f times the modules", COST_XBARS);
    } else {
        add_crossbar(s, 3, "3 k^2 f: into the memory, out of it, and by it");
        cost_add(s, SWQ_COST_REQUESTS, "memory's arbiter", 2 * k, "a port each, to write and read",
                 COST_SHARED);
    }
}

static void add_lanes(cost_sum *s, const swq_async *n)
{
    const double k = s->ports, lanes = n->architecture.lanes.count,
                 lane_bits = cost_bits_for(lanes);
    const double flits = n->architecture.lanes.pool ? n->architecture.lanes.pool
                                                    : lanes * n->architecture.lanes.flits;

    if (n->architecture.lanes.pool)
        cost_add_lists(s, &(cost_lists){.part = "lanes",
                                        .count = k,
                                        .blocks = flits,
                                        .block_bytes = 1,
                                        .queues = lanes,
                                        .ports = 2,
                                        .rule = "flits that the lanes of a link share",
                                        .source = COST_OF_RULES});
    else
        cost_add_fifos(s, &(cost_fifos){.part = "lanes",
                                        .count = k * lanes,
                                        .bytes = n->architecture.lanes.flits,
                                        .ports = 2,
                                        .rule = "flits of each lane",
                                        .source = COST_OF_RULES});
    cost_add(s, SWQ_COST_POINTERS, "lanes", k * lanes * (cost_bits_for(k) + lane_bits + 2),
             "of each lane its output, its lane there, and its state", COST_OF_RULES);
    cost_add(s, SWQ_COST_POINTERS, "lanes",
             k * lanes * (cost_bits_for(n->architecture.lanes.flits + 1) + 1),
             "credits of each lane of an output, and whether it is taken", COST_OF_RULES);
    cost_add(s, SWQ_COST_WIRES, "flow control", 2 * lane_bits + 1,
             "which lane a flit is for, and which lane a credit is of", COST_OF_RULES);
    add_crossbar(s, 1, "k^2 f");
    cost_add(s, SWQ_COST_REQUESTS, "arbiters", k * lanes + k * k,
             "a lane each at its input, an input each at the outputs", COST_OF_RULES);
    cost_leave_out(s, "arbiters", "the gates that decide among the requests, which are counted");
}

static void add_cells(cost_sum *s, const swq_async *n)
{
    const double k = s->ports, cells = k * n->architecture.cells.pool,
                 groups = fmin(n->architecture.cells.groups, s->nodes);

    cost_add_lists(s, &(cost_lists){.part = "shared buffer",
                                    .count = 1,
                                    .blocks = cells,
                                    .block_bytes = n->packet.max,
                                    .queues = k,
                                    .ports = 2,
                                    .headers = true,
                                    .rule = "cells, a pipelined memory that all ports share",
                                    .source = "Katevenis, Serpanos and Spyridakis (1998)"});
    cost_add(s, SWQ_COST_POINTERS, "credits", k * cost_bits_for(n->architecture.cells.pool + 1),
             "of the pool of each link", COST_OF_RULES);
    cost_add(s, SWQ_COST_CAM, "credits",
             k * groups * (cost_bits_for(s->nodes) + cost_bits_for(n->architecture.cells.lane + 1)),
             "of each flow group that has cells: its destination, searched for, and its credits",
             COST_OF_RULES);
    cost_add(s, SWQ_COST_WIRES, "flow control", cost_bits_for(s->nodes) + 1,
             "whose credit comes back", COST_OF_RULES);
    cost_add(s, SWQ_COST_NODE, "node's cells",
             s->byte_bits * n->architecture.cells.node * n->packet.max,
             "what a node keeps with a list for each destination", COST_OF_RULES);
    add_crossbar(s, 2, "2 k^2 f");
}

void cost_add_architecture(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture.row;

    if (!a->async.stores) {
        add_input_queued(s, n, f);
    } else if (a->async.lanes) {
        add_lanes(s, n);
    } else if (a->async.flow_groups) {
        add_cells(s, n);
    } else if (a->async.input_fifos) {
        add_shared(s, n);
    } else if (a->async.crosspoints) {
        add_hipiqs(s, n);
    } else if (a->async.several) {
        const double fifos = n->architecture.stores.fifos ? n->architecture.stores.fifos : s->ports;
        add_fifos(s, n, fifos, "k^2 f for each FIFO of an input", fifos);
        add_output_arbiters(s, s->ports * fifos, 1, "a FIFO each");
    } else {
        add_fifos(s, n, s->ports, "k^2 f", 1);
        add_output_arbiters(s, s->ports, s->ports, "a FIFO and a queue of the next switch each");
    }
}
