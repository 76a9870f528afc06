/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores, crossbars and arbiters of switch architectures, counted from the parts that an
 * architecture's row lists. Source: Sivaram, Stunkel and Panda (1997), sections 2 to 4, for k x k
 * switches whose links carry f bits.
 * Room: cost. Includes sim.
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
    const bool at_once = n->architecture->at_once;

    /* the queues of a management before the links are counted with the management */
    if (n->management && (n->management->hooks || n->management->stores))
        return;
    cost_add_fifos(s, &(cost_fifos){.part = "output stores",
                                    .count = s->ports,
                                    .bytes = (double)n->output_blocks * n->block,
                                    .ports = at_once ? (int)s->ports + 1 : 2,
                                    .rule = at_once ? "a FIFO for each output, which all inputs "
                                                      "write"
                                                    : "a FIFO for each output",
                                    .source = COST_BUFFERS});
}

static void add_input_queued(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture;
    const double speedup = n->speedup_cycles > 0 ? (double)n->speedup_bytes / n->speedup_cycles : 1;

    if (a->output_stores)
        add_output_stores(s, n);
    if (a->at_once) {
        add_crossbar(s, s->ports, "k^2 f, k times as fast");
        cost_add_data(s, "input stores", s->ports * n->max_packet, 2,
                      "staging buffers, in which a packet is while it is routed", COST_BUFFERS);
        return;
    }
    if (n->buffer.read == SWQ_READ_EACH_QUEUE && a->input_buffers && !n->management)
        cost_add(s, SWQ_COST_CROSSPOINTS, "crossbar",
                 fmax(speedup, 1) * s->ports * s->ports * s->link_bits,
                 "k crossbars of k x 1: k^2 f", COST_BUFFERS);
    else
        add_crossbar(s, a->output_stores ? fmax(speedup, 1) : 1,
                     a->output_stores ? "k^2 f, as many times as it is fast" : "k^2 f");
    const bool queues = cost_flow_by_queue(n);
    const double lines = fmax(f->classes, s->ports);
    if (n->management && n->management->apart) {
        /* a queue asks for one output, and for the queue of its own destination behind that
         * output */
        cost_add_arbiter(s, n->arbiter, s->ports * swq_management_queues(n, f, false),
                         "a request for each queue of an input");
        return;
    }
    cost_add_arbiter(s, n->arbiter, s->ports * lines * (queues ? s->ports : 1),
                     queues ? "a request for each input, output and queue of the next buffer"
                            : "a request for each input and output");
}

/* ---- architectures with stores of their own ---- */

static void add_hipiqs(cost_sum *s, const swq_async *n)
{
    const double k = s->ports, chunk = n->block;
    const double registers = 2 + 2 * k + (n->crosspoint == SWQ_CROSSPOINT_RAM ? k : 0);
    const double beside = n->count_all ? k * n->crosspoint_chunks * chunk + registers : 0;
    const double chunks = floor(fmax(n->memory - beside, 0) / chunk);

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
                                    .bytes = n->crosspoint_chunks * chunk,
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
                                    .bytes = floor(n->memory / fifos),
                                    .ports = 2,
                                    .rule = "the memory of an input, split among its FIFOs",
                                    .source = COST_BUFFERS});
    add_crossbar(s, times, crossbar);
}

static void add_shared(cost_sum *s, const swq_async *n)
{
    const bool modules = n->architecture->modules;
    const double k = s->ports;
    const double unit = modules ? (n->module ? n->module : n->max_packet) : n->block;
    const double units = floor(fmax(k * n->memory - k * n->fifo, 0) / unit);

    cost_add_fifos(s, &(cost_fifos){.part = "input FIFOs",
                                    .count = k,
                                    .bytes = n->fifo,
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
    const double k = s->ports, lanes = n->lanes, lane_bits = cost_bits_for(lanes);
    const double flits = n->lane_pool ? n->lane_pool : lanes * n->lane_flits;

    if (n->lane_pool)
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
                                        .bytes = n->lane_flits,
                                        .ports = 2,
                                        .rule = "flits of each lane",
                                        .source = COST_OF_RULES});
    cost_add(s, SWQ_COST_POINTERS, "lanes", k * lanes * (cost_bits_for(k) + lane_bits + 2),
             "of each lane its output, its lane there, and its state", COST_OF_RULES);
    cost_add(s, SWQ_COST_POINTERS, "lanes", k * lanes * (cost_bits_for(n->lane_flits + 1) + 1),
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
    const double k = s->ports, cells = k * n->pool_cells, groups = fmin(n->group_lanes, s->nodes);

    cost_add_lists(s, &(cost_lists){.part = "shared buffer",
                                    .count = 1,
                                    .blocks = cells,
                                    .block_bytes = n->max_packet,
                                    .queues = k,
                                    .ports = 2,
                                    .headers = true,
                                    .rule = "cells, a pipelined memory that all ports share",
                                    .source = "Katevenis, Serpanos and Spyridakis (1998)"});
    cost_add(s, SWQ_COST_POINTERS, "credits", k * cost_bits_for(n->pool_cells + 1),
             "of the pool of each link", COST_OF_RULES);
    cost_add(s, SWQ_COST_CAM, "credits",
             k * groups * (cost_bits_for(s->nodes) + cost_bits_for(n->lane_cells + 1)),
             "of each flow group that has cells: its destination, searched for, and its credits",
             COST_OF_RULES);
    cost_add(s, SWQ_COST_WIRES, "flow control", cost_bits_for(s->nodes) + 1,
             "whose credit comes back", COST_OF_RULES);
    cost_add(s, SWQ_COST_NODE, "node's cells", s->byte_bits * n->node_cells * n->max_packet,
             "what a node keeps with a list for each destination", COST_OF_RULES);
    add_crossbar(s, 2, "2 k^2 f");
}

void cost_add_architecture(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture;

    if (!a->stores) {
        add_input_queued(s, n, f);
    } else if (a->lanes) {
        add_lanes(s, n);
    } else if (a->flow_groups) {
        add_cells(s, n);
    } else if (a->input_fifos) {
        add_shared(s, n);
    } else if (a->crosspoints) {
        add_hipiqs(s, n);
    } else if (a->several) {
        const double fifos = n->fifos ? n->fifos : s->ports;
        add_fifos(s, n, fifos, "k^2 f for each FIFO of an input", fifos);
        add_output_arbiters(s, s->ports * fifos, 1, "a FIFO each");
    } else {
        add_fifos(s, n, s->ports, "k^2 f", 1);
        add_output_arbiters(s, s->ports, s->ports, "a FIFO and a queue of the next switch each");
    }
}
