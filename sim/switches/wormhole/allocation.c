/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation of lanes. The packets in front that have been routed request free lanes of outputs;
 * each of these grants one request, and each packet accepts one grant: one iteration of iSLIP
 * (McKeown 1999). All choices are made in circles that begin behind the lane or request that was
 * served last.
 */
#include "sim/switches/wormhole/allocation.h"

#include "sim/switches/wormhole/asking.h"

/* How far a number is from the first of a circle of less than 2^16 numbers. */
static inline uint32_t steps_to(uint32_t number, uint32_t first)
{
    return (uint16_t)(number - first);
}

/* ---- requests ---- */

/* The packet in front of a lane requests these free lanes of an output. */
static inline void request(swq_worm_notes *n, uint32_t number, uint32_t out, uint32_t lanes)
{
    n->request[n->requests++] = (swq_worm_request){number, out, lanes};
    n->rivals[out]++;
}

/* Free room for flits in all lanes of a link. */
static uint32_t room_behind(const swq_worms *w, uint32_t place)
{
    uint32_t room = 0;

    for (uint32_t l = 0; l < w->lanes; l++)
        room += w->exit[((size_t)place << w->shift) + l].credit;
    return room;
}

/* The lanes of an output that a packet may take, without the escape lane if that comes last. */
static inline uint32_t lanes_of(const swq_worms *w, uint32_t number, uint32_t o)
{
    const swq_worm_lane *lane = &w->lane[number];
    const uint32_t may = w->outs[number] >> o & 1 ? lane->may : 0;
    const bool escape = w->plan.escapes_alike && o == lane->escape_out;

    return escape ? may | UINT32_C(1) << lane->escape_lane : may;
}

/* The outputs at which a packet may take a lane, likewise. */
static inline swq_worm_ports outputs_of(const swq_worms *w, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    const bool escape = w->plan.escapes_alike && lane->escape_out != UINT8_MAX;
    return escape ? w->outs[number] | port_bit(lane->escape_out) : w->outs[number];
}

/* Requests all free lanes of all outputs. */
static void request_all(swq_worms *w, uint32_t base, uint32_t number)
{
    for (swq_worm_ports set = outputs_of(w, number); set; set &= set - 1) {
        const uint32_t o = first_port(set);
        const uint32_t lanes = free_of(w, base + o, lanes_of(w, number, o));
        if (lanes)
            request(&w->notes, number, o, lanes);
    }
}

/* Requests the free lanes of one output: of the allowed outputs that have free lanes, the first
 * from the deterministic output on; or the output with the most room at the next switch, and among
 * equals the first behind the output that a packet of this lane was given last. */
static void request_one(swq_worms *w, uint32_t base, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    const bool first = w->plan.pick == SWQ_PICK_FIRST;
    const uint32_t behind = (lane->accept + (1u << w->shift) - 1) >> w->shift;
    const uint32_t from = first ? lane->out : behind < w->ports ? behind : 0;
    uint32_t most = 0, found = 0, lanes = 0;

    for (swq_worm_ports set = outputs_of(w, number); set;) {
        const uint32_t o = next_port(set, from);
        const uint32_t unowned = free_of(w, base + o, lanes_of(w, number, o));
        set &= ~port_bit(o);
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
        request(&w->notes, number, found, lanes);
}

/* The requests of a packet that has a choice of outputs. */
static void request_by_choice(swq_worms *w, uint32_t base, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    const uint32_t before = w->notes.requests;

    if (w->plan.pick == SWQ_PICK_TURN)
        request_all(w, base, number);
    else
        request_one(w, base, number);
    if (w->notes.requests > before || lane->escape_out == UINT8_MAX)
        return;
    const uint32_t escape = UINT32_C(1) << lane->escape_lane;
    const uint32_t lanes = free_of(w, base + lane->escape_out, escape);
    if (lanes)
        request(&w->notes, number, lane->escape_out, lanes);
}

/* The requests of all packets in front that have been routed. */
static inline void request_lanes(swq_worms *w, uint32_t base, swq_worm_ports inputs)
{
    const uint32_t shift = w->shift, cycle = w->cycle;
    const bool by_choice = w->outs != NULL;
    swq_worm_notes *n = &w->notes;

    for (; inputs; inputs &= inputs - 1) {
        const uint32_t port = base + first_port(inputs);
        for (uint32_t set = w->input[port].waiting; set; set &= set - 1) {
            const uint32_t number = (port << shift) + (uint32_t)__builtin_ctz(set);
            const swq_worm_lane *lane = &w->lane[number];
            if (lane->since > cycle)
                continue;
            if (by_choice) {
                request_by_choice(w, base, number);
                continue;
            }
            const uint32_t lanes = free_of(w, base + lane->out, lane->may);
            if (lanes)
                request(n, number, lane->out, lanes);
        }
    }
}

/* ---- grants ---- */

/* A lane grants the request that comes first in its circle; a request without rivals at its output
 * is granted by all lanes that it requests. */
static inline void grant(swq_worms *w, uint32_t base, const swq_worm_request *r)
{
    swq_worm_notes *n = &w->notes;
    swq_worm_exit *exit = &w->exit[(size_t)(base + r->out) << w->shift];
    const uint32_t requested = n->requested[r->out];

    for (uint32_t set = n->rivals[r->out] > 1 ? r->lanes : 0; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set);
        const uint32_t first = (base << w->shift) + exit[l].grant;
        if (!(requested >> l & 1) || steps_to(r->lane, first) < steps_to(exit[l].holder, first))
            exit[l].holder = r->lane;
    }
    n->requested[r->out] = requested | r->lanes;
}

/* A pool in which lanes take their reserve when they are allocated may not have enough for all
 * requested lanes. It has enough for the next few lanes in a circle, which begins behind the lane
 * that granted last; the other lanes grant nothing. */
static void limit_to_pool(swq_worms *w, uint32_t k, uint32_t *requested)
{
    swq_worm_place *out = &w->place[k];
    uint32_t left, turn = out->turn;

    if (out->to & SWQ_TO_NODE)
        return;
    left = w->pool[k].free;
    for (uint32_t set = *requested; set;) {
        const uint32_t l = next_of(set, out->turn), needed = reserve_needed(w, k, l);
        set &= ~(UINT32_C(1) << l);
        if (needed <= left) {
            left -= needed;
            turn = l + 1;
        } else {
            *requested &= ~(UINT32_C(1) << l);
        }
    }
    out->turn = (uint8_t)(turn < w->lanes ? turn : 0);
}

/* Gives the packet in front of an input's lane a lane of an output. The lane may ask for the
 * crossbar in this cycle, in the next or later; until then it is "coming". */
static inline void give_lane(swq_worms *w, uint32_t sw, uint32_t number, uint32_t o, uint32_t l)
{
    const uint32_t shift = w->shift, base = sw * w->ports;
    swq_worm_lane *lane = &w->lane[number];
    swq_worm_input *in = &w->input[number >> shift];
    swq_worm_exit *exit = &w->exit[((size_t)(base + o) << shift) + l];
    const uint32_t bit = UINT32_C(1) << lane->number;

    exit->grant = (uint16_t)(number - (base << shift) + 1);
    exit->holder = number;
    lane->accept = (uint16_t)((o << shift) + l + 1);
    lane->out = (uint8_t)o;
    lane->out_lane = (uint8_t)l;
    lane->since = w->cycle + (uint32_t)w->plan.times.lane;
    give_away(w, base + o, l, true);
    in->waiting &= ~bit;
    if (!in->waiting)
        w->switch_[sw].waiting &= ~port_bit(lane->input);
    if (w->plan.times.lane == 0) {
        activate(w, number);
    } else if (w->plan.times.lane == 1) {
        w->notes.given[w->notes.given_count++] = number;
    } else {
        in->coming |= bit;
        w->switch_[sw].coming |= port_bit(lane->input);
    }
}

/* The lanes of an output that grant a request. */
static inline uint32_t granted_to(const swq_worms *w, uint32_t base, const swq_worm_request *r)
{
    const swq_worm_notes *n = &w->notes;
    const uint32_t lanes = r->lanes & n->requested[r->out];
    const swq_worm_exit *exit = &w->exit[(size_t)(base + r->out) << w->shift];
    uint32_t granted = 0;

    if (n->rivals[r->out] == 1)
        return lanes;
    for (uint32_t set = lanes; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set);
        granted |= (uint32_t)(exit[l].holder == r->lane) << l;
    }
    return granted;
}

/* Each packet accepts the grant that comes first in the circle of its lane, over the lanes of all
 * outputs, as (output << shift) + lane. Was one granted nothing? */
static inline bool accept_grants(swq_worms *w, uint32_t sw)
{
    const swq_worm_notes *n = &w->notes;
    const uint32_t base = sw * w->ports, shift = w->shift;
    bool denied = false;

    for (uint32_t k = 0; k < n->requests;) {
        const uint32_t number = n->request[k].lane, first = w->lane[number].accept;
        uint32_t next = UINT32_MAX;
        for (; k < n->requests && n->request[k].lane == number; k++) {
            const uint32_t granted = granted_to(w, base, &n->request[k]);
            const uint32_t here = n->request[k].out << shift;
            if (!granted)
                continue;
            const bool begins = first >> shift == n->request[k].out;
            const uint32_t other = here + next_of(granted, begins ? first - here : 0);
            if (next == UINT32_MAX || steps_to(other, first) < steps_to(next, first))
                next = other;
        }
        if (next == UINT32_MAX)
            denied = true;
        else
            give_lane(w, sw, number, next >> shift, next & ((1u << shift) - 1));
    }
    return denied;
}

void swq_worms_allocate(swq_worms *w, uint32_t sw)
{
    const uint32_t base = sw * w->ports;
    swq_worm_notes *n = &w->notes;

    n->requests = 0;
    request_lanes(w, base, w->switch_[sw].waiting);
    for (uint32_t k = 0; k < n->requests; k++)
        grant(w, base, &n->request[k]);
    for (uint32_t o = 0; w->plan.reserve_in_use && o < w->ports; o++)
        limit_to_pool(w, base + o, &n->requested[o]);
    if (accept_grants(w, sw))
        look_until(w, sw, w->cycle + 1);
    for (uint32_t k = 0; k < n->requests; k++)
        n->requested[n->request[k].out] = n->rivals[n->request[k].out] = 0;
}
