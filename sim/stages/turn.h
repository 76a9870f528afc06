/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A switch in its turn, and the steps of a departing packet that are the same in all forms of a
 * turn.
 */
#ifndef SWQ_SIM_STAGES_TURN_H
#define SWQ_SIM_STAGES_TURN_H

#include "sim/stages/buffers.h"
#include "sim/stages/counts.h"
#include "switchq/fabric.h"

typedef struct swq_stage_turn {
    int stage;
    uint32_t line;      /* the first line of the switch, within the stage */
    size_t number;      /* of the switch, counted over all stages */
    size_t buffer;      /* the index of its first input's buffer */
    const uint32_t *to; /* [ports]: the next stage's lines, or the sinks */
    bool last;          /* it is the last stage */
} swq_stage_turn;

/* Begins the turn of switch `sw` of a stage, and its random numbers. */
static inline swq_stage_turn swq_turn_of(swq_net *net, int stage, uint32_t sw)
{
    const uint32_t line = sw * (uint32_t)net->ports;
    const size_t number = (size_t)stage * net->switches + sw;

    swq_switch_stream_begin(&net->switch_stream, (uint32_t)number, net->cycle);
    return (swq_stage_turn){.stage = stage,
                            .line = line,
                            .number = number,
                            .buffer = swq_buffer_at(net, stage, line),
                            .to = net->wire + (size_t)(stage + 1) * net->system.nodes + line,
                            .last = stage == net->system.levels - 1};
}

/* Does the next stage have room for the packet that leaves through output `port` of the switch? */
static inline bool swq_way_is_open(const swq_net *net, const swq_stage_turn *t, int port,
                                   const swq_packet *p)
{
    if (net->discards || t->last)
        return true;
    return swq_seen_admits(net, swq_buffer_at(net, t->stage + 1, t->to[port]),
                           swq_queue_of(net, t->stage + 1, p));
}

/* A packet leaves the switch, to the next stage or its sink. `input`: the input that it comes from;
 * packets from a queue before an output have none. */
static inline void swq_send_on(swq_net *net, const swq_stage_turn *t, int input, swq_packet p,
                               swq_trail trail)
{
    const int port = swq_output_port(net, t->stage, p.to);
    const uint32_t line = t->to[port];

    swq_probe_sent(&net->system, t->stage, 1);
    /* a queue before an output does not say from which buffer its packets have come */
    swq_report_start(net, t->stage,
                     net->system.stores > net->system.input_stores ? SWQ_NO_WHERE
                                                                   : t->buffer + (size_t)input,
                     &trail);
    swq_probe_outside(&net->system, t->stage, 1);
    swq_note_sent(net, t->stage, t->line + (uint32_t)port);
    swq_tell_start(net, t->stage, t->line + (uint32_t)port, input, &p, trail.from);
    if (t->last) {
        swq_deliver(net, p, trail, line);
        return;
    }
    size_t to = swq_buffer_at(net, t->stage + 1, line);
    int join = swq_queue_of(net, t->stage + 1, &p);
    swq_probe_arrived(&net->system, t->stage + 1, 1);
    if (net->discards && !swq_seen_admits(net, to, join)) {
        swq_discard(net, t->stage + 1, p, trail, net->cycle - p.birth + 1);
        return;
    }
    trail.entered = net->cycle + 1;
    swq_push(net, to, join, p, trail);
    swq_report_enter(net, t->stage + 1, to, &trail);
    swq_probe_inside(&net->system, t->stage + 1, 1);
    swq_probe_hops(&net->system, 1);
}

#endif
