/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocation of lanes. The packets in front that have been routed request free lanes of outputs;
 * each of these grants one request, and each packet accepts one grant: one iteration of iSLIP
 * (McKeown 1999). All choices are made in circles that begin behind the lane or request that was
 * served last. A part of the text of turn.h, with its words.
 */
#include "sim/switches/wormhole/asking.h"

/* How far a number is from the first of a circle of less than 2^16 numbers. */
static inline uint32_t steps_to(uint32_t number, uint32_t first)
{
    return (uint16_t)(number - first);
}

/* ---- requests ---- */

/* Each lane of an output grants the request that comes first in its circle. */
static inline void grant(const swq_worm_here *h, const swq_worm_request *r, uint32_t requested)
{
    swq_worm_exit *exit = &h->exit[r->out << h->shift];

    for (uint32_t set = r->lanes; set; set &= set - 1) {
        const uint32_t l = first_of(set), first = exit[l].grant;
        if (!(requested >> l & 1) || steps_to(r->lane, first) < steps_to(exit[l].holder, first))
            exit[l].holder = r->lane;
    }
}

/* The packet in front of a lane requests these free lanes of an output. A request without rivals at
 * its output is granted by all of them; grants are looked at once there is a rival. */
static inline void request(const swq_worm_here *h, uint32_t number, uint32_t out, uint32_t lanes)
{
    swq_worm_notes *n = &h->w->notes;
    const uint32_t k = n->requests++;

    n->request[k] = (swq_worm_request){number, out, lanes};
    if (!has_port(n->wanted, out)) {
        put_port(n->wanted, out, true);
        n->first[out] = k;
        n->requested[out] = lanes;
        return;
    }
    if (!has_port(n->rivals, out)) {
        put_port(n->rivals, out, true);
        grant(h, &n->request[n->first[out]], 0);
    }
    grant(h, &n->request[k], n->requested[out]);
    n->requested[out] |= lanes;
}

#if !SWQ_WORM_LEAN

/* Free room for flits in all lanes of a link. */
static uint32_t room_behind(const swq_worms *w, uint32_t place)
{
    uint32_t room = 0;

    for (uint32_t l = 0; l < w->lanes; l++)
        room += w->exit[((size_t)place << w->shift) + l].credit;
    return room;
}

/* The set of the outputs that the packet in front of a lane may take by adaptive lanes. */
static inline const swq_worm_ports *adaptive_of(const swq_worm_here *h, uint32_t number)
{
    return h->w->outs + (((size_t)h->base << h->shift) + number) * SWQ_WORM_WORDS;
}

/* The lanes of an output that a packet may take, without the escape lane if that comes last. */
static inline uint32_t lanes_of(const swq_worm_here *h, uint32_t number, uint32_t o)
{
    const swq_worm_lane *lane = &h->lane[number];
    const uint32_t may = has_port(adaptive_of(h, number), o) ? lane->may : 0;
    const bool escape = h->w->plan.escapes_alike && o == lane->escape_out;

    return escape ? may | UINT32_C(1) << lane->escape_lane : may;
}

/* set[SWQ_WORM_WORDS] receives the outputs at which a packet may take a lane, likewise. */
static inline void find_outputs(const swq_worm_here *h, uint32_t number, swq_worm_ports *set)
{
    const swq_worm_lane *lane = &h->lane[number];
    const swq_worm_ports *adaptive = adaptive_of(h, number);

    for (uint32_t at = 0; at < SWQ_WORM_WORDS; at++)
        set[at] = adaptive[at];
    if (h->w->plan.escapes_alike && lane->escape_out != UINT8_MAX)
        put_port(set, lane->escape_out, true);
}

/* Requests all free lanes of all outputs. */
static void request_all(const swq_worm_here *h, uint32_t number)
{
    swq_worms *w = h->w;
    swq_worm_ports set[SWQ_WORM_WORDS];
    uint32_t o;

    find_outputs(h, number, set);
    EACH_PORT (o, set[at]) {
        const uint32_t lanes = free_of(w, h->base + o, lanes_of(h, number, o));
        if (lanes)
            request(h, number, o, lanes);
    }
}

/* Requests the free lanes of one output: of the allowed outputs that have free lanes, the first
 * from the deterministic output on; or the output with the most room at the next switch, and among
 * equals the first behind the output that a packet of this lane was given last. */
static void request_one(const swq_worm_here *h, uint32_t number)
{
    swq_worms *w = h->w;
    const swq_worm_lane *lane = &h->lane[number];
    const bool first = w->plan.pick == SWQ_PICK_FIRST;
    const uint32_t behind = (lane->accept + (1u << w->shift) - 1) >> w->shift;
    const uint32_t from = first ? lane->out : behind % (64 * SWQ_WORM_WORDS);
    swq_worm_ports set[SWQ_WORM_WORDS];
    uint32_t most = 0, found = 0, lanes = 0;

    find_outputs(h, number, set);
    while (any_port(set)) {
        const uint32_t o = next_port(set, from);
        const uint32_t unowned = free_of(w, h->base + o, lanes_of(h, number, o));
        take_port(set, o, true);
        if (!unowned)
            continue;
        const uint32_t room = first ? 0 : room_behind(w, h->base + o);
        if (!lanes || room > most) {
            found = o;
            lanes = unowned;
            most = room;
        }
    }
    if (lanes)
        request(h, number, found, lanes);
}

/* The requests of a packet that has a choice of outputs. */
static void request_by_choice(const swq_worm_here *h, uint32_t number)
{
    swq_worms *w = h->w;
    const swq_worm_lane *lane = &h->lane[number];
    const uint32_t before = w->notes.requests;

    if (w->plan.pick == SWQ_PICK_TURN)
        request_all(h, number);
    else
        request_one(h, number);
    if (w->notes.requests > before || lane->escape_out == UINT8_MAX)
        return;
    const uint32_t escape = UINT32_C(1) << lane->escape_lane;
    const uint32_t lanes = free_of(w, h->base + lane->escape_out, escape);
    if (lanes)
        request(h, number, lane->escape_out, lanes);
}

#endif

/* The requests of all packets in front that have been routed, and for which something may have
 * changed. */
static inline void request_lanes(const swq_worm_here *h)
{
    swq_worms *w = h->w;
    uint32_t i;

    EACH_PORT (i, h->sets->waiting[at]) {
        if (w->until[h->in[i].switch_] < h->cycle)
            continue;
        for (uint32_t set = h->in[i].waiting; set; set &= set - 1) {
            const uint32_t number = (i << h->shift) + first_of(set);
            const swq_worm_lane *lane = &h->lane[number];
            if (lane->since > h->cycle)
                continue;
#if !SWQ_WORM_LEAN
            if (w->outs) {
                request_by_choice(h, number);
                continue;
            }
#endif
            const uint32_t lanes = SWQ_WORM_LEAN ? h->place[lane->out].unowned & lane->may
                                                 : free_of(w, h->base + lane->out, lane->may);
            if (lanes)
                request(h, number, lane->out, lanes);
        }
    }
}

/* ---- grants ---- */

#if !SWQ_WORM_LEAN

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

#endif

/* Gives the packet in front of an input's lane a lane of an output. The lane may ask for the
 * crossbar in this cycle, in the next or later; until then it is "coming". */
static inline void give_lane(const swq_worm_here *h, uint32_t number, uint32_t o, uint32_t l)
{
    swq_worms *w = h->w;
    swq_worm_lane *lane = &h->lane[number];
    swq_worm_input *in = &h->in[lane->input];
    swq_worm_exit *exit = &h->exit[(o << h->shift) + l];
    const uint32_t bit = UINT32_C(1) << lane->number;

    exit->grant = (uint16_t)(number + 1);
    exit->holder = number;
    lane->accept = (uint16_t)((o << h->shift) + l + 1);
    set_output(in, lane, o);
    lane->out_lane = (uint8_t)l;
    lane->since = h->cycle + (uint32_t)w->plan.times.lane;
    give_away(h, o, l, true);
    in->waiting &= ~bit;
    take_port(h->sets->waiting, lane->input, !in->waiting);
    if (SWQ_WORM_LEAN || w->plan.times.lane == 0) { /* lean: flits have crossed already */
        activate(h, lane);
    } else if (w->plan.times.lane == 1) {
        w->notes.given[w->notes.given_count++] = number;
    } else {
        in->coming |= bit;
        put_port(h->sets->coming, lane->input, true);
    }
}

/* The lanes of an output that grant a request. */
static inline uint32_t granted_to(const swq_worm_here *h, const swq_worm_request *r)
{
    const swq_worm_notes *n = &h->w->notes;
    const swq_worm_exit *exit = &h->exit[r->out << h->shift];
    uint32_t granted = 0;

    if (!has_port(n->rivals, r->out))
        return SWQ_WORM_LEAN ? r->lanes : r->lanes & n->requested[r->out];
    for (uint32_t set = r->lanes & n->requested[r->out]; set; set &= set - 1) {
        const uint32_t l = first_of(set);
        granted |= (uint32_t)(exit[l].holder == r->lane) << l;
    }
    return granted;
}

/* Packets that wait for a lane of an output request those that are free, ... */
static inline void request_and_grant(const swq_worm_here *h)
{
    swq_worm_notes *n = &h->w->notes;

    n->requests = 0;
    no_ports(n->wanted);
    no_ports(n->rivals);
    request_lanes(h);
#if !SWQ_WORM_LEAN
    uint32_t o;
    EACH_PORT (o, h->w->plan.reserve_in_use ? n->wanted[at] : 0)
        limit_to_pool(h->w, h->base + o, &n->requested[o]);
#endif
}

/* ... and each accepts the grant that comes first in the circle of its lane, over the lanes of all
 * outputs, as (output << shift) + lane. One that was granted nothing requests lanes again. */
static inline void give_lanes(const swq_worm_here *h)
{
    const swq_worm_notes *n = &h->w->notes;
    const uint32_t shift = h->shift, requests = n->requests;

    for (uint32_t k = 0; k < requests;) {
        const uint32_t number = n->request[k].lane, first = h->lane[number].accept;
        uint32_t next = UINT32_MAX;
        do {
            const uint32_t granted = granted_to(h, &n->request[k]),
                           here = n->request[k].out << shift;
            if (!granted)
                continue;
            const bool begins = first >> shift == n->request[k].out;
            const uint32_t other = here + next_of(granted, begins * (first - here));
            if (SWQ_WORM_LEAN || next == UINT32_MAX ||
                steps_to(other, first) < steps_to(next, first))
                next = other;
        } while (++k < requests && !SWQ_WORM_LEAN && n->request[k].lane == number);
        if (next == UINT32_MAX)
            look_until(h, number >> shift, h->cycle + 1);
        else
            give_lane(h, number, next >> shift, next & ((1u << shift) - 1));
    }
}
