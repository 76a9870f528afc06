/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reports of a synchronous network are about: the cell of a packet, and the number of a link.
 */
#ifndef SWQ_SIM_STAGES_COUNTS_H
#define SWQ_SIM_STAGES_COUNTS_H

#include "sim/measure/probe.h"
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

/* A packet leaves a stage by that output line (stage -1: its source): for details of links. */
static inline void swq_note_sent(swq_net *net, int stage, uint32_t line)
{
    swq_probe_link(&net->system, (size_t)(stage + 1) * net->system.nodes + line, 0);
}

/* For measures: a packet has come to a buffer in the cycle in which it left the stage before or its
 * source. Its trail says from which cycle on it can be sent. */
static inline uint32_t swq_came_to(int stage, const swq_trail *trail)
{
    return trail->entered - (stage > 0);
}

/* For measures: a packet enters a buffer of a stage, or begins to leave the buffer. */
static inline void swq_report_enter(swq_net *net, int stage, size_t buffer, const swq_trail *trail)
{
    swq_probe_comes_in(&net->system, buffer, stage, swq_came_to(stage, trail));
}

static inline void swq_report_start(swq_net *net, int stage, size_t buffer, const swq_trail *trail)
{
    swq_probe_begins_after(&net->system, buffer, stage, swq_came_to(stage, trail), net->cycle);
}

#endif
