/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation of lanes. The packets in front that have been routed request free lanes of outputs;
 * each of these grants one request, and each packet accepts one grant: one iteration of iSLIP
 * (McKeown 1999). All choices are made in circles that begin behind the lane or request that was
 * served last.
 */
#include "sim/switches/wormhole/allocation.h"

#include "sim/switches/wormhole/asking.h"

#include <assert.h>

/* How far a number is from the first of a circle of less than 2^16 numbers. */
static inline uint32_t steps_to(uint32_t number, uint32_t first)
{
    return (uint16_t)(number - first);
}

/* ---- requests ---- */

/* The packet in front of a lane requests these free lanes of an output. */
static inline void request(swq_worms *w, uint32_t number, uint32_t k, uint32_t lanes)
{
    w->request[w->requests++] = (swq_worm_request){number, k, lanes};
    w->place[k].rivals++;
}

/* Free room for flits in all lanes of a link. */
static uint32_t room_behind(const swq_worms *w, uint32_t place)
{
    uint32_t room = 0;

    for (uint32_t l = 0; l < w->lanes; l++)
        room += w->credit[((size_t)place << w->shift) + l];
    return room;
}

/* The lanes of an output that a packet may take, without the escape lane if that comes last. */
static inline uint32_t lanes_of(const swq_worms *w, const swq_worm_lane *lane, uint32_t o)
{
    const uint32_t may = lane->outs >> o & 1 ? lane->may : 0;
    const bool escape = w->plan.escapes_alike && o == lane->escape_out;

    return escape ? may | UINT32_C(1) << lane->escape_lane : may;
}

/* The outputs at which a packet may take a lane, likewise. */
static inline uint32_t outputs_of(const swq_worms *w, const swq_worm_lane *lane)
{
    const bool escape = w->plan.escapes_alike && lane->escape_out != UINT8_MAX;
    return escape ? lane->outs | UINT32_C(1) << lane->escape_out : lane->outs;
}

/* Requests all free lanes of all outputs. */
static void request_all(swq_worms *w, uint32_t base, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];

    for (uint32_t set = outputs_of(w, lane); set; set &= set - 1) {
        const uint32_t o = (uint32_t)__builtin_ctz(set);
        const uint32_t lanes = free_of(w, &w->place[base + o], lanes_of(w, lane, o));
        if (lanes)
            request(w, number, base + o, lanes);
    }
}

/* Requests the free lanes of one output: of the allowed outputs that have free lanes, the first
 * from the deterministic output on; or the output with the most room at the next switch, and among
 * equals the first behind the output that a packet of this lane was given last. */
static void request_one(swq_worms *w, uint32_t base, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    const bool first = w->plan.pick == SWQ_PICK_FIRST;
    const uint32_t behind = (w->accept[number] + (1u << w->shift) - 1) >> w->shift;
    const uint32_t from = first ? lane->out : behind < w->ports ? behind : 0;
    uint32_t most = 0, found = 0, lanes = 0;

    for (uint32_t set = outputs_of(w, lane); set;) {
        const uint32_t o = next_of(set, from);
        assert(o < 32); /* an output of the set */
        const uint32_t unowned = free_of(w, &w->place[base + o], lanes_of(w, lane, o));
        set &= ~(UINT32_C(1) << o);
        if (!unowned)
            continue;
        const uint32_t room = first ? 0 : room_behind(w, base + o);
        if (!lanes || room > most) {
            found = o;
            lanes = unowned;
            most = room;
        }
    }
    if (lanes)
        request(w, number, base + found, lanes);
}

/* The requests of a packet that has a choice of outputs. */
static void request_by_choice(swq_worms *w, uint32_t base, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    const uint32_t before = w->requests;

    if (w->plan.pick == SWQ_PICK_TURN)
        request_all(w, base, number);
    else
        request_one(w, base, number);
    if (w->requests > before || lane->escape_out == UINT8_MAX)
        return;
    const uint32_t escape = UINT32_C(1) << lane->escape_lane;
    const uint32_t lanes = free_of(w, &w->place[base + lane->escape_out], escape);
    if (lanes)
        request(w, number, base + lane->escape_out, lanes);
}

/* The requests of all packets in front that have been routed. */
static void request_lanes(swq_worms *w, uint32_t base, uint32_t inputs)
{
    for (; inputs; inputs &= inputs - 1) {
        const uint32_t port = base + (uint32_t)__builtin_ctz(inputs);
        for (uint32_t set = w->input[port].waiting; set; set &= set - 1) {
            const uint32_t number = (port << w->shift) + (uint32_t)__builtin_ctz(set);
            const swq_worm_lane *lane = &w->lane[number];
            if (lane->since > w->cycle)
                continue;
            if (w->plan.fabric->outputs) {
                request_by_choice(w, base, number);
                continue;
            }
            const uint32_t k = base + lane->out, lanes = free_of(w, &w->place[k], lane->may);
            if (lanes)
                request(w, number, k, lanes);
        }
    }
}

/* ---- grants ---- */

/* A lane grants the request that comes first in its circle; a request without rivals at its output
 * is granted by all lanes that it requests. */
static inline void grant(swq_worms *w, const swq_worm_request *r)
{
    swq_worm_place *out = &w->place[r->place];
    const uint32_t base = out->base << w->shift;

    for (uint32_t set = out->rivals > 1 ? r->lanes : 0; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set), next = (r->place << w->shift) + l;
        const uint32_t first = base + w->grant[next];
        if (!(out->requested >> l & 1) ||
            steps_to(r->lane, first) < steps_to(w->holder[next], first))
            w->holder[next] = r->lane;
    }
    out->requested |= r->lanes;
}

/* A pool in which lanes take their reserve when they are allocated may not have enough for all
 * requested lanes. It has enough for the next few lanes in a circle, which begins behind the lane
 * that granted last; the other lanes grant nothing. */
static void limit_to_pool(swq_worms *w, uint32_t k)
{
    swq_worm_place *out = &w->place[k];
    uint32_t left, turn = out->turn;

    if (out->to & SWQ_TO_NODE)
        return;
    left = w->pool[k].free;
    for (uint32_t set = out->requested; set;) {
        const uint32_t l = next_of(set, out->turn), needed = reserve_needed(w, k, l);
        set &= ~(UINT32_C(1) << l);
        if (needed <= left) {
            left -= needed;
            turn = l + 1;
        } else {
            out->requested &= ~(UINT32_C(1) << l);
        }
    }
    out->turn = (uint8_t)(turn < w->lanes ? turn : 0);
}

/* Gives the packet in front of an input's lane a lane of an output. The lane may ask for the
 * crossbar in this cycle, in the next or later; until then it is "coming". */
static void give_lane(swq_worms *w, uint32_t number, uint32_t next)
{
    swq_worm_lane *lane = &w->lane[number];
    const uint32_t port = number >> w->shift, k = next >> w->shift;
    swq_worm_input *in = &w->input[port];
    const uint32_t first = in->base << w->shift, bit = UINT32_C(1) << lane->number;

    w->grant[next] = (uint16_t)(number - first + 1);
    w->accept[number] = (uint16_t)(next - first + 1);
    w->holder[next] = number;
    lane->out = (uint8_t)(k - in->base);
    lane->out_lane = (uint8_t)(next - (k << w->shift));
    lane->want = port * w->ports + lane->out;
    lane->next = next;
    lane->since = w->cycle + (uint32_t)w->plan.times.lane;
    give_away(w, k, lane->out_lane, true);
    in->waiting &= ~bit;
    if (!in->waiting)
        w->switch_[in->switch_].waiting &= ~(UINT32_C(1) << lane->input);
    if (w->plan.times.lane == 0) {
        activate(w, lane);
    } else if (w->plan.times.lane == 1) {
        w->given[w->given_count++] = number;
    } else {
        in->coming |= bit;
        w->switch_[in->switch_].coming |= UINT32_C(1) << lane->input;
    }
}

/* Of the lanes of an output that grant a packet's request, the next one in the circle of its lane.
 */
static inline uint32_t next_granted(const swq_worms *w, const swq_worm_request *r, uint32_t granted)
{
    const uint32_t k = r->place << w->shift, first = w->accept[r->lane];
    const uint32_t here = k - (w->place[r->place].base << w->shift);
    const bool begins = first >> w->shift == here >> w->shift;

    return k + next_of(granted, begins ? first - here : 0);
}

/* The lanes of an output that grant a request. */
static inline uint32_t granted_to(const swq_worms *w, const swq_worm_request *r)
{
    const swq_worm_place *out = &w->place[r->place];
    const uint32_t lanes = r->lanes & out->requested;
    uint32_t granted = 0;

    if (out->rivals == 1)
        return lanes;
    for (uint32_t set = lanes; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set);
        if (w->holder[(r->place << w->shift) + l] == r->lane)
            granted |= UINT32_C(1) << l;
    }
    return granted;
}

/* Each packet accepts the grant that comes first in the circle of its lane. Was one granted
 * nothing? */
static bool accept_grants(swq_worms *w)
{
    bool denied = false;

    for (uint32_t k = 0; k < w->requests;) {
        const uint32_t number = w->request[k].lane;
        const uint32_t base = w->place[w->request[k].place].base << w->shift;
        uint32_t next = UINT32_MAX;
        for (; k < w->requests && w->request[k].lane == number; k++) {
            const uint32_t granted = granted_to(w, &w->request[k]);
            if (!granted)
                continue;
            const uint32_t other = next_granted(w, &w->request[k], granted);
            const uint32_t first = base + w->accept[number];
            if (next == UINT32_MAX || steps_to(other, first) < steps_to(next, first))
                next = other;
        }
        if (next == UINT32_MAX)
            denied = true;
        else
            give_lane(w, number, next);
    }
    return denied;
}

void swq_worms_allocate(swq_worms *w, uint32_t sw)
{
    const uint32_t base = sw * w->ports;

    w->requests = 0;
    request_lanes(w, base, w->switch_[sw].waiting);
    for (uint32_t k = 0; k < w->requests; k++)
        grant(w, &w->request[k]);
    for (uint32_t o = 0; w->plan.reserve_in_use && o < w->ports; o++)
        limit_to_pool(w, base + o);
    if (accept_grants(w))
        look_until(w, sw, w->cycle + 1);
    for (uint32_t k = 0; k < w->requests; k++) {
        swq_worm_place *out = &w->place[w->request[k].place];
        out->requested = out->rivals = 0;
    }
}
