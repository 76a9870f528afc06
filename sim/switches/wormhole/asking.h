/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every stage of a cycle of worms does with lanes: who asks for the crossbar, and how credits,
 * pools and owners change that.
 */
#ifndef SWQ_SIM_SWITCHES_WORMHOLE_ASKING_H
#define SWQ_SIM_SWITCHES_WORMHOLE_ASKING_H

#include "sim/switches/wormhole/worms.h"

/* ---- sets ---- */

/* The first member of a set that is not empty, cyclically from `from` on. */
static inline uint32_t next_of(uint32_t set, uint32_t from)
{
    const uint32_t ahead = set & ~UINT32_C(0) << from;
    return (uint32_t)__builtin_ctz(ahead ? ahead : set);
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
    put(w->busy, sw);
}

static inline void ask(swq_worms *w, const swq_worm_lane *lane)
{
    const uint32_t out = lane->next >> w->shift;

    w->want[lane->want] |= UINT32_C(1) << lane->number;
    w->place[out].asked |= UINT32_C(1) << lane->input;
    put(w->asking, out);
}

static inline void ask_no_more(swq_worms *w, const swq_worm_lane *lane)
{
    const uint32_t out = lane->next >> w->shift;
    uint32_t *want = &w->want[lane->want];

    *want &= ~(UINT32_C(1) << lane->number);
    if (*want)
        return;
    w->place[out].asked &= ~(UINT32_C(1) << lane->input);
    if (!w->place[out].asked)
        take_out(w->asking, out);
}

/* A lane may ask from now on, or again has a flit. */
static inline void ask_if_credited(swq_worms *w, const swq_worm_lane *lane)
{
    if (w->place[lane->next >> w->shift].credited >> lane->out_lane & 1)
        ask(w, lane);
}

/* ---- links ---- */

static inline void on_its_way(swq_worms *w, uint32_t after, uint32_t lane, uint32_t worm)
{
    const uint32_t slot = (w->cycle + after) & (w->latest - 1);

    w->flit[w->flits[slot]++] = (swq_worm_flit){lane, worm};
}

static inline void give_back(swq_worms *w, uint32_t after, uint32_t place_lane)
{
    const uint32_t slot = (w->cycle + after) & (w->latest - 1);

    w->credited[w->credits[slot]++] = place_lane;
}

/* Lanes of a place have gained or lost room: update whether their owners may ask. */
static inline void set_credited(swq_worms *w, uint32_t k, uint32_t now)
{
    swq_worm_place *place = &w->place[k];
    uint32_t changed = (place->credited ^ now) & ~place->unowned;

    place->credited = now;
    for (; k < w->inputs && changed; changed &= changed - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(changed);
        const swq_worm_lane *holder = &w->lane[w->holder[(k << w->shift) + l]];
        if (!holder->active || holder->here == 0)
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
    const uint32_t bit = UINT32_C(1) << l, credit = w->credit[((size_t)k << w->shift) + l];
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

    w->credit[place_lane] = (uint16_t)(w->credit[place_lane] + credits);
    holds_now(w, k, l, before);
}

static inline void take_credit(swq_worms *w, uint32_t place_lane)
{
    if (w->plan.pool > 0) {
        change_pool(w, place_lane, -1);
        return;
    }
    if (--w->credit[place_lane] == 0)
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
    const swq_worm_lane *holder = &w->lane[w->holder[place_lane]];
    if (holder->active && holder->here > 0)
        ask(w, holder);
}

/* A credit has come back. */
static inline void take_back(swq_worms *w, uint32_t place_lane)
{
    if (w->plan.pool > 0)
        change_pool(w, place_lane, 1);
    else if (w->credit[place_lane]++ == 0)
        opens(w, place_lane);
    if (w->by_credits && place_lane >> w->shift < w->inputs)
        look_until(w, w->input[place_lane >> w->shift].switch_, w->cycle);
}

/* ---- lanes ---- */

/* A lane may ask for the crossbar from now on. */
static void activate(swq_worms *w, swq_worm_lane *lane)
{
    lane->active = true;
    if (lane->here > 0)
        ask_if_credited(w, lane);
}

/* Flits of the pool that have to be reserved for a lane when it is given to a packet. */
static inline uint32_t reserve_needed(const swq_worms *w, uint32_t k, uint32_t l)
{
    const uint32_t hold = swq_worms_hold(w, k, l), reserve = (uint32_t)w->plan.reserve;
    return hold < reserve ? reserve - hold : 0;
}

/* The lanes of a set that can be given to a packet now. */
static inline uint32_t free_of(const swq_worms *w, const swq_worm_place *place, uint32_t may)
{
    uint32_t unowned = place->unowned & may;

    if (!w->by_credits || place->to & SWQ_TO_NODE)
        return unowned;
    const uint32_t k = (uint32_t)(place - w->place);
    for (uint32_t set = unowned; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set);
        const uint32_t used = w->depth - w->credit[((size_t)k << w->shift) + l];
        const bool full = w->plan.pool > 0 && w->pool[k].free < reserve_needed(w, k, l);
        if ((w->plan.atomic && used > 0) || full)
            unowned &= ~(UINT32_C(1) << l);
    }
    return unowned;
}

#endif
