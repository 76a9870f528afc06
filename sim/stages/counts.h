/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where packets are counted: in the cells of their groups, and for the details of nodes and links.
 * Room: sim.
 */
#ifndef SWQ_SIM_STAGES_COUNTS_H
#define SWQ_SIM_STAGES_COUNTS_H

#include "sim/stages/net.h"

/* The cell in which a packet is counted. */
static inline int swq_cell_of(const swq_net *net, uint32_t source, const swq_packet *p)
{
    int cell = net->system.classes > 1 ? swq_class_of(p) : 0;
    if (net->system.group)
        cell +=
            net->system.classes *
            net->system.group[net->system.options->group_by_source ? source : p->to & ~SWQ_HIGH];
    return cell;
}

static inline uint64_t *swq_cell(swq_net *net, uint32_t source, const swq_packet *p)
{
    return net->system.tally + swq_tally_cell(net->system.levels, swq_cell_of(net, source, p));
}

/* Counts a packet that a source has created, if details of nodes are asked for. */
static inline void swq_note_created(swq_net *net, uint32_t source)
{
    if (net->system.node_tally)
        swq_node_counters(&net->system, source)[SWQ_NODE_CREATED]++;
}

/* Counts a packet that leaves a stage by that output line (stage -1: its source), if details of
 * links are asked for. */
static inline void swq_note_sent(swq_net *net, int stage, uint32_t line)
{
    if (net->system.link_tally)
        swq_link_counters(&net->system,
                          (size_t)(stage + 1) * net->system.nodes + line)[SWQ_LINK_PACKETS]++;
}

/* Counts a packet for the node `sink` that has been delivered, or lost. */
static inline void swq_note_delivered(swq_net *net, uint32_t sink, uint32_t latency)
{
    if (!net->system.node_tally)
        return;
    swq_node_counters(&net->system, sink)[SWQ_NODE_DELIVERED]++;
    swq_node_counters(&net->system, sink)[SWQ_NODE_LATENCY] += latency;
}

static inline void swq_note_discarded(swq_net *net, const swq_packet *p)
{
    if (net->system.node_tally)
        swq_node_counters(&net->system, p->to & ~SWQ_HIGH)[SWQ_NODE_DISCARDED]++;
}

#endif
