/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forms of a cycle: the text of turn.h, compiled for all plans, for the plans that low latency
 * networks have, and for links of several speeds. And what none of them needs a form for.
 */
#ifndef SWQ_SIM_SWITCHES_WORMHOLE_TURNS_H
#define SWQ_SIM_SWITCHES_WORMHOLE_TURNS_H

#include "sim/switches/wormhole/worms.h"

/* All switches and nodes work for a cycle. Wide: switches have more than 64 ports. Paced: links
 * have several speeds. */
void swq_worms_turn_general(swq_worms *w);
void swq_worms_turn_lean(swq_worms *w);
void swq_worms_turn_paced(swq_worms *w);
void swq_worms_turn_lean_paced(swq_worms *w);
void swq_worms_turn_general_wide(swq_worms *w);
void swq_worms_turn_lean_wide(swq_worms *w);
void swq_worms_turn_paced_wide(swq_worms *w);
void swq_worms_turn_lean_paced_wide(swq_worms *w);

/* Lanes with a buffer each, which are given away as soon as they are free; credits that are not
 * held back; one output for each packet; and a packet with a lane asks for the crossbar in the next
 * cycle. */
static inline bool swq_worms_are_lean(const swq_worms *w)
{
    return !w->pool && !w->by_credits && !w->outs && !w->trips.sent && w->plan.times.lane == 1;
}

/* A packet has reached the front of lane l of an input, and is routed, with a look at switches as
 * they were when the cycle before `from` ended. It may ask for a lane times.routing cycles after
 * cycle `from`. */
void swq_worms_come_to_front(swq_worms *w, uint32_t port, uint32_t l, uint32_t from);

/* As a cycle ends: routes the packets that will be in front in the next one, if their routing looks
 * at credits. All switches have sent what they send in this cycle, so that the order of inputs and
 * of switches does not matter. */
void swq_worms_route_fronts(swq_worms *w);

#endif
