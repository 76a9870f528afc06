/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every stage of a cycle of worms does with lanes: who asks for the crossbar, and how credits,
 * pools and owners change that.
 */
#ifndef SWQ_SIM_SWITCHES_WORMHOLE_ASKING_H
#define SWQ_SIM_SWITCHES_WORMHOLE_ASKING_H

#include "sim/switches/wormhole/worms.h"

/* ---- sets ---- */

/* The first member of a set of lanes that is not empty, cyclically from `from` on. */
static inline uint32_t next_of(uint32_t set, uint32_t from)
{
    const uint32_t ahead = set & ~UINT32_C(0) << from;
    return (uint32_t)__builtin_ctz(ahead ? ahead : set);
}

/* The same of a set of ports; and the first member. */
static inline uint32_t next_port(swq_worm_ports set, uint32_t from)
{
    const swq_worm_ports ahead = set & ~UINT64_C(0) << from;
    return (uint32_t)__builtin_ctzll(ahead ? ahead : set);
}

static inline uint32_t first_port(swq_worm_ports set)
{
    return (uint32_t)__builtin_ctzll(set);
}

static inline swq_worm_ports port_bit(uint32_t k)
{
    return UINT64_C(1) << k;
}

static inline void put(uint64_t *set, uint32_t k)
{
    set[k / 64] |= UINT64_C(1) << k % 64;
}

static inline void take_out(uint64_t *set, uint32_t k)
{
    set[k / 64] &= ~(UINT64_C(1) << k % 64);
}

/* ---- requests of lanes ---- */

/* Waiting packets of a switch are looked at up to a given cycle, the last in which something
 * changes for them. */
static inline void look_until(swq_worms *w, uint32_t sw, uint32_t cycle)
{
    swq_worm_switch *s = &w->switch_[sw];

    s->until = s->until > cycle ? s->until : cycle;
}

/* A lane of an input, by its number over all inputs, asks for the crossbar. */
static inline void ask(swq_worms *w, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    swq_worm_input *in = &w->input[number >> w->shift];

    in->asking |= UINT32_C(1) << lane->number;
    w->place[in->base + lane->out].asked |= port_bit(lane->input);
    w->switch_[in->switch_].asked |= port_bit(lane->out);
}

/* The lanes of an input that ask for an output, of those in a set. */
static inline uint32_t asking_for(const swq_worms *w, uint32_t port, uint32_t o, uint32_t set)
{
    const swq_worm_lane *lane = &w->lane[(size_t)port << w->shift];
    uint32_t found = 0;

    for (; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set);
        found |= (uint32_t)(lane[l].out == o) << l;
    }
    return found;
}

static inline void ask_no_more(swq_worms *w, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    const uint32_t port = number >> w->shift;
    swq_worm_input *in = &w->input[port];
    swq_worm_place *place = &w->place[in->base + lane->out];

    in->asking &= ~(UINT32_C(1) << lane->number);
    if (in->asking && asking_for(w, port, lane->out, in->asking))
        return;
    place->asked &= ~port_bit(lane->input);
    if (!place->asked)
        w->switch_[in->switch_].asked &= ~port_bit(lane->out);
}

/* A lane may ask from now on, or again has a flit. */
static inline void ask_if_credited(swq_worms *w, uint32_t number)
{
    const swq_worm_lane *lane = &w->lane[number];
    const swq_worm_place *place = &w->place[w->input[number >> w->shift].base + lane->out];

    if (place->credited >> lane->out_lane & 1)
        ask(w, number);
}

/* ---- links ---- */

static inline uint32_t slot_after(const swq_worms *w, uint32_t after)
{
    return (w->cycle + after) & (w->latest - 1);
}

/* A flit is on its way from a place to the next switch, with its packet if it is a header. */
static inline void on_its_way(swq_worms *w, uint32_t after, const swq_worm_place *place,
                              uint32_t lane, uint32_t worm)
{
    const uint32_t slot = slot_after(w, after);

    w->flit[swq_worms_at_input(w, slot, place->to)] = (swq_worm_flit){lane, worm};
    w->arriving[swq_worms_at_switch(w, slot, place->receiver)] |= port_bit(place->receiver_in);
}

static inline void leaves(swq_worms *w, uint32_t after, uint32_t worm, bool tail)
{
    const uint32_t slot = slot_after(w, after);

    w->leaving[(size_t)slot * w->width + w->leaves[slot]++] = (swq_worm_leaving){worm, tail};
}

/* A flit has left a lane of an input, of which the sender over its link will know. */
static inline void give_back(swq_worms *w, const swq_worm_input *in, uint32_t lane)
{
    const uint32_t slot = slot_after(w, in->back);

    w->credited[swq_worms_at_place(w, slot, in->upstream)] = (uint8_t)lane;
    if (in->sender & SWQ_TO_NODE) {
        const uint32_t node = in->sender & ~SWQ_TO_NODE;
        w->returning_node[swq_worms_at_node(w, slot, node)] |= UINT64_C(1) << node % 64;
    } else {
        w->returning[swq_worms_at_switch(w, slot, in->sender)] |= port_bit(in->sender_out);
    }
}

/* Lanes of a place have gained or lost room: update whether their owners may ask. */
static inline void set_credited(swq_worms *w, uint32_t k, uint32_t now)
{
    swq_worm_place *place = &w->place[k];
    uint32_t changed = (place->credited ^ now) & ~place->unowned;

    place->credited = now;
    for (; k < w->inputs && changed; changed &= changed - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(changed);
        const uint32_t holder = w->exit[(k << w->shift) + l].holder;
        if (!w->lane[holder].active || w->lane[holder].here == 0)
            continue;
        if (now >> l & 1)
            ask(w, holder);
        else
            ask_no_more(w, holder);
    }
}

/* Updates how much of its pool a lane holds. */
static inline void holds_now(swq_worms *w, uint32_t k, uint32_t l, uint32_t before)
{
    swq_worm_pool *pool = &w->pool[k];
    const uint32_t bit = UINT32_C(1) << l, credit = w->exit[((size_t)k << w->shift) + l].credit;
    const uint32_t hold = swq_worms_hold(w, k, l);

    pool->free += before - hold;
    pool->room = credit > 0 ? pool->room | bit : pool->room & ~bit;
    pool->reserve = w->depth - credit < hold ? pool->reserve | bit : pool->reserve & ~bit;
    set_credited(w, k, pool->free > 0 ? pool->room : pool->room & pool->reserve);
}

/* A lane is given to a packet, or given up. */
static inline void give_away(swq_worms *w, uint32_t k, uint32_t l, bool given)
{
    swq_worm_place *place = &w->place[k];
    const bool pool = w->plan.pool > 0 && !(place->to & SWQ_TO_NODE);
    const uint32_t before = pool ? swq_worms_hold(w, k, l) : 0, bit = UINT32_C(1) << l;

    place->unowned = given ? place->unowned & ~bit : place->unowned | bit;
    if (pool)
        holds_now(w, k, l, before);
}

static inline void change_pool(swq_worms *w, uint32_t place_lane, int credits)
{
    const uint32_t k = place_lane >> w->shift, l = place_lane & ((1u << w->shift) - 1);
    const uint32_t before = swq_worms_hold(w, k, l);

    w->exit[place_lane].credit = (uint16_t)(w->exit[place_lane].credit + credits);
    holds_now(w, k, l, before);
}

static inline void take_credit(swq_worms *w, uint32_t place_lane)
{
    if (w->plan.pool > 0) {
        change_pool(w, place_lane, -1);
        return;
    }
    if (--w->exit[place_lane].credit == 0)
        w->place[place_lane >> w->shift].credited &=
            ~(UINT32_C(1) << (place_lane & ((1u << w->shift) - 1)));
}

/* A lane has room again, so that its owner may ask again. */
static inline void opens(swq_worms *w, uint32_t place_lane)
{
    const uint32_t k = place_lane >> w->shift, l = place_lane & ((1u << w->shift) - 1);
    swq_worm_place *place = &w->place[k];

    place->credited |= UINT32_C(1) << l;
    if (k >= w->inputs || place->unowned >> l & 1)
        return;
    const uint32_t holder = w->exit[place_lane].holder;
    if (w->lane[holder].active && w->lane[holder].here > 0)
        ask(w, holder);
}

/* A credit has come back. */
static inline void take_back(swq_worms *w, uint32_t place_lane)
{
    if (w->plan.pool > 0)
        change_pool(w, place_lane, 1);
    else if (w->exit[place_lane].credit++ == 0)
        opens(w, place_lane);
}

/* ---- lanes ---- */

/* A lane may ask for the crossbar from now on. */
static inline void activate(swq_worms *w, uint32_t number)
{
    w->lane[number].active = true;
    if (w->lane[number].here > 0)
        ask_if_credited(w, number);
}

/* Flits of the pool that have to be reserved for a lane when it is given to a packet. */
static inline uint32_t reserve_needed(const swq_worms *w, uint32_t k, uint32_t l)
{
    const uint32_t hold = swq_worms_hold(w, k, l), reserve = (uint32_t)w->plan.reserve;
    return hold < reserve ? reserve - hold : 0;
}

/* The lanes of place k in a set that can be given to a packet now. */
static inline uint32_t free_of(const swq_worms *w, uint32_t k, uint32_t may)
{
    uint32_t unowned = w->place[k].unowned & may;

    if (!w->by_credits || w->place[k].to & SWQ_TO_NODE)
        return unowned;
    for (uint32_t set = unowned; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set);
        const uint32_t used = w->depth - w->exit[((size_t)k << w->shift) + l].credit;
        const bool full = w->plan.pool > 0 && w->pool[k].free < reserve_needed(w, k, l);
        if ((w->plan.atomic && used > 0) || full)
            unowned &= ~(UINT32_C(1) << l);
    }
    return unowned;
}

#endif
