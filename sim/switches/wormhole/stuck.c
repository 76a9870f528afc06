/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deadlocks of worms: lanes whose packets in front can never move again.
 *
 * The lanes that can move are a least fixed point. The packet in front of a lane can move if it has
 * a lane of the link to its node, or a next lane that has room or can move itself; or if it waits
 * for a next lane that has room or can move, and that is free or held by a packet of a lane that
 * can move. The lanes that are then left can never move: the first of them to move would need
 * another of them to move before.
 */
#include "sim/fabrics/fabrics.h"
#include "sim/switches/wormhole/worms.h"

#include <string.h>

/* Marks of an input's lane. */
enum { MOVABLE = 1, CREDIT_COMES = 2 };

static bool holds(const swq_worms *w, uint32_t lane)
{
    return w->lane[lane].packets > 0;
}

static bool is_movable(const swq_worms *w, uint32_t lane)
{
    return w->movable[lane] & MOVABLE;
}

/* Credits on their way back count as room. */
static void find_coming_credits(swq_worms *w)
{
    memset(w->movable, 0, w->inputs << w->shift);
    for (uint32_t slot = 0; slot < w->latest; slot++) {
        for (uint32_t port = 0; port < w->inputs; port++) {
            const uint32_t l = swq_worms_credit_under_way(w, slot, port);
            if (l < w->lanes)
                w->movable[(port << w->shift) + l] |= CREDIT_COMES;
        }
    }
    for (uint32_t port = 0; w->trips.sent && port < w->inputs; port++) {
        for (uint32_t k = 0; k < w->trips.held[port]; k++)
            w->movable[(port << w->shift) + swq_worms_late_credit(w, port, k)] |= CREDIT_COMES;
    }
}

/* Will some lane return room to its pool? */
static bool pool_opens(const swq_worms *w, uint32_t place)
{
    for (uint32_t l = 0; l < w->lanes; l++) {
        const uint32_t next = (w->place[place].to << w->shift) + l;
        const bool used = w->exit[((size_t)place << w->shift) + l].credit < w->depth;
        if (w->movable[next] || (used && !holds(w, next)))
            return true;
    }
    return false;
}

/* Does the buffer of a lane have room for a flit, now or once all credits under way have come? */
static bool has_room(const swq_worms *w, uint32_t place, uint32_t l)
{
    const uint32_t next = (w->place[place].to << w->shift) + l;

    if (w->plan.pool > 0 && !(w->place[place].credited >> l & 1) && !pool_opens(w, place))
        return false;
    return w->exit[((size_t)place << w->shift) + l].credit > 0 || w->movable[next] & CREDIT_COMES ||
           !holds(w, next);
}

/* Will the buffer get room or, if lanes are given atomically, become empty? */
static bool opens(const swq_worms *w, uint32_t place, uint32_t l)
{
    const uint32_t to = w->place[place].to;
    const uint16_t credit = w->exit[(place << w->shift) + l].credit;

    if (to & SWQ_TO_NODE)
        return true;
    const uint32_t next = (to << w->shift) + l;
    if (w->plan.pool > 0 && !has_room(w, place, l) && !is_movable(w, next))
        return false;
    if (credit == w->depth)
        return true;
    /* what is on its way, there or back, is not held for good */
    return !holds(w, next) || is_movable(w, next) || (!w->plan.atomic && has_room(w, place, l));
}

/* The lane that holds a lane of output o of the bank whose ports begin at `base`; SWQ_NO_WORM: the
 * lane is free. */
static uint32_t holder(const swq_worms *w, uint32_t base, uint32_t o, uint32_t l)
{
    if (w->place[base + o].unowned >> l & 1)
        return SWQ_NO_WORM;
    const uint32_t first = (base + o) / w->ports * w->ports;
    for (uint32_t port = first; port < first + w->ports; port++) {
        for (uint32_t k = 0; k < w->lanes; k++) {
            const uint32_t lane = (port << w->shift) + k;
            if (holds(w, lane) && !(w->input[port].waiting >> k & 1) && w->lane[lane].out == o &&
                w->lane[lane].out_lane == l)
                return lane;
        }
    }
    return SWQ_NO_WORM; /* the flits are on their way here */
}

/* The lane that keeps a lane from having room: the lane itself, or another lane of its pool. */
static uint32_t blocker(const swq_worms *w, uint32_t place, uint32_t l)
{
    const uint32_t first = w->place[place].to << w->shift;

    for (uint32_t k = 0; k < w->lanes && !holds(w, first + l); k++) {
        if (holds(w, first + k) && !is_movable(w, first + k))
            return first + k;
    }
    return first + l;
}

/* The lanes that a waiting packet could be given. */
typedef struct {
    uint32_t out, may;
} lane_option;

static int options_of(const swq_worms *w, uint32_t number, lane_option list[])
{
    const swq_worm_lane *lane = &w->lane[number];
    int count = 0;
    uint32_t out;

    if (!w->outs) {
        list[0] = (lane_option){lane->out, lane->may};
        return 1;
    }
    SWQ_EACH_PORT (out, w->outs + (size_t)number * w->words, (int)w->words)
        list[count++] = (lane_option){out, lane->may};
    if (lane->escape_out != UINT8_MAX)
        list[count++] = (lane_option){lane->escape_out, UINT32_C(1) << lane->escape_lane};
    return count;
}

/* Can the packet in front of lane `number` move? If not, finds a lane that the packet waits for. Of
 * the lanes that the packet could be given, the last one counts: the packet waits for an input's
 * lane of the next switch if that is full, or for a lane of this switch whose packet holds the
 * lane. */
static bool can_move(const swq_worms *w, uint32_t number, uint32_t *waits_for)
{
    const uint32_t port = number >> w->shift, l = number & ((1u << w->shift) - 1);
    const swq_worm_lane *lane = &w->lane[number];
    const uint32_t base = w->input[port].base;
    lane_option list[SWQ_MAX_WORM_PORTS + 1];

    if (!(w->input[port].waiting >> l & 1)) {
        const uint32_t to = w->place[base + lane->out].to;
        *waits_for = (to << w->shift) + lane->out_lane;
        return to & SWQ_TO_NODE || has_room(w, base + lane->out, lane->out_lane) ||
               is_movable(w, *waits_for);
    }
    for (int k = options_of(w, number, list); k-- > 0;) {
        for (uint32_t set = list[k].may & w->all; set; set &= set - 1) {
            const uint32_t o = (uint32_t)__builtin_ctz(set);
            const uint32_t held = holder(w, base, list[k].out, o);
            const bool free = held == SWQ_NO_WORM || is_movable(w, held);
            if (free && opens(w, base + list[k].out, o))
                return true;
            *waits_for = free ? blocker(w, base + list[k].out, o) : held;
        }
    }
    return false;
}

bool swq_worms_stuck(swq_worms *w, swq_worm_wait *wait, int most, int *count)
{
    const uint32_t lanes = w->inputs << w->shift;
    uint32_t stuck = SWQ_NO_WORM, next = 0;
    bool more = true;

    find_coming_credits(w);
    while (more) {
        more = false;
        stuck = SWQ_NO_WORM;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            if (!holds(w, lane) || is_movable(w, lane))
                continue;
            if (!can_move(w, lane, &next)) {
                stuck = lane;
                continue;
            }
            w->movable[lane] |= MOVABLE;
            more = true;
        }
    }
    if (stuck == SWQ_NO_WORM)
        return false;
    for (uint32_t k = 0; k < lanes; k++, stuck = next) /* after that many steps it is on a cycle */
        (void)can_move(w, stuck, &next);
    const uint32_t first = stuck;
    *count = 0;
    do {
        (void)can_move(w, stuck, &next);
        if (*count < most)
            wait[*count] = (swq_worm_wait){stuck, next};
        ++*count;
        stuck = next;
    } while (stuck != first);
    return true;
}
