/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a switch of a data centre costs: one memory of cells in linked lists, which its ports write
 * and read in turns, and what its rule of admission keeps. Of leaves and spines, a leaf.
 */
#include "base/context.h"
#include "cost/parts.h"

#include <math.h>

static void add_kept(cost_sum *s, double bits, const char *rule)
{
    cost_add(s, SWQ_COST_POINTERS, "admission", bits, rule, COST_OF_RULES);
}

/* ports, queues: of the switch; length: bits of a number of cells, up to all of the memory. */
static void add_rule(cost_sum *s, const swq_dc *dc, double ports, double queues, double length)
{
    const swq_admission_rule *rule = dc->memory.admission;
    const swq_dc_kept kept = swq_dc_keeps(rule);
    const double in_interval =
        cost_bits_for(floor((double)dc->rate / 8e12 * (double)dc->memory.interval) + 1);

    add_kept(s, length, "a counter of the cells that are free");
    add_kept(s, queues * length * kept.lengths,
             "a counter of cells for each queue, and what the rule keeps like lengths");
    add_kept(s, queues * kept.bits, "the state of each queue");
    add_kept(s, length * (kept.sums + dc->classes * kept.class_sums), "sums over queues");
    add_kept(s, queues * in_interval * kept.intervals,
             "of each queue the bytes that it sent in this interval and in the last one");
    if (kept.windows)
        add_kept(
            s,
            queues * kept.windows *
                cost_bits_for(
                    floor((double)dc->rate / 8e12 * ports * (double)dc->memory.afd_interval) + 1),
            "of each queue the bytes that came in this window and in the last one");
    if (kept.inputs && dc->pfc.classes)
        add_kept(s, ports * __builtin_popcount(dc->pfc.classes) * length * kept.inputs,
                 "the average length of each input and lossless class, and its degree");
    if (swq_dc_takes(rule) & SWQ_ADMISSION_EXPEL)
        add_kept(s, cost_bits_for(dc->memory.expel_bucket + 1.0) + cost_bits_for(queues),
                 "tokens, and the queue whose turn it is");
    if (kept.flows)
        cost_leave_out(s, "flows", "the table of flows, whose size depends on the traffic");
    if (kept.lengths)
        cost_leave_out(s, "--admission",
                       swq_admission_loses_stored(rule)
                           ? "what finds the queue that loses a packet, and takes the packet out"
                           : "what compares lengths and thresholds");
}

swq_status swq_cost_datacentre(swq_context *ctx, const swq_dc *dc, const swq_cost_terms *terms,
                               swq_cost *cost)
{
    const swq_dc_options usual = swq_dc_options_defaults();
    swq_dc asked = *dc; /* of any traffic */
    swq_dc_level level[SWQ_DC_LEVELS] = {{.ports = 0}};
    const int levels = swq_dc_levels(dc, level);
    const double k = level[0].ports, queues = k * dc->classes;
    const double cells = floor((double)dc->memory.bytes / dc->memory.cell);
    cost_sum s = {
        .cost = cost, .terms = terms, .ports = k, .link_bits = terms->link_bits, .byte_bits = 8};

    asked.arrivals = SWQ_DC_TRACE;
    swq_status status = swq_dc_check(ctx, &asked, &usual);

    if (!status && dc->memory.parts > 1)
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "memories must be 1, not %u: what inputs need to write to several memories "
                     "is not known here",
                     dc->memory.parts);

    if (status)
        return status;
    if (levels == 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "topology graph has switches that may all differ; ask what one costs, with "
                        "its ports");
    *cost = (swq_cost){.ports = (int)k};
    cost_add_lists(&s, &(cost_lists){.part = "shared memory",
                                     .count = 1,
                                     .blocks = cells,
                                     .block_bytes = dc->memory.cell,
                                     .queues = queues,
                                     .ports = 2,
                                     .stack = true,
                                     .rule = "cells, a port at a time",
                                     .source = COST_SHARED});
    cost_add(&s, SWQ_COST_CROSSPOINTS, "crossbar", 3 * k * k * s.link_bits,
             "3 k^2 f: into the memory, out of it, and by it", COST_XBARS);
    cost_add(&s, SWQ_COST_REQUESTS, "memory's arbiter", 2 * k, "a port each, to write and read",
             COST_SHARED);
    cost_add(&s, SWQ_COST_WIRES, "link", s.link_bits, "data", COST_FLOWS);
    add_rule(&s, dc, k, queues, cost_bits_for(cells + 1));
    if (dc->schedule == SWQ_DC_DRR)
        cost_add(&s, SWQ_COST_POINTERS, "schedule",
                 queues * cost_bits_for(dc->quantum[0] + 1.0) + k * cost_bits_for(dc->classes),
                 "the deficit of each queue, and the class whose turn it is", COST_OF_RULES);
    if (dc->schedule == SWQ_DC_ROUND_ROBIN)
        cost_add(&s, SWQ_COST_POINTERS, "schedule", k * cost_bits_for(dc->classes),
                 "the class whose turn it is", COST_OF_RULES);
    if (dc->pfc.classes)
        cost_add(&s, SWQ_COST_POINTERS, "priority flow control",
                 k * __builtin_popcount(dc->pfc.classes) * (2 * cost_bits_for(cells + 1) + 2),
                 "of each input and lossless class what it holds, in the shared part and in the "
                 "headroom, whether it paused its sender, and whether its output is paused",
                 COST_OF_RULES);
    if (dc->cut_through)
        cost_leave_out(&s, "--cut-through", "what lets a packet be read while it is written");
    cost_leave_out(&s, "hosts", "what hosts keep of flows is no part of the switch");
    cost_finish(&s);
    return SWQ_OK;
}
