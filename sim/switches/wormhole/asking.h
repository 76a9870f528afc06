/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every stage of a cycle of worms does with lanes: who asks for the crossbar, and how credits,
 * pools and owners change that. A part of the text of turn.h, with its words.
 */
#include "sim/switches/wormhole/ports.h"
#include "sim/switches/wormhole/turns.h"

/* A bank at work, and its rows of the arrays. Its ports, and their lanes, are numbered within it.
 */
typedef struct swq_worm_here {
    swq_worms *w;
    swq_worm_sets *sets;
    swq_worm_input *in;    /* [bank_ports] */
    swq_worm_place *place; /* [bank_ports] */
    swq_worm_ports *asked; /* [bank_ports * words] */
    swq_worm_exit *exit;   /* [bank_ports << shift] */
    swq_worm_lane *lane;   /* [bank_ports << shift] */
    uint32_t base, shift;  /* base: its first port */
    uint32_t cycle;
} swq_worm_here;

static inline bool has_pools(const swq_worms *w)
{
    return !SWQ_WORM_LEAN && w->plan.pool > 0;
}

/* ---- requests of lanes ---- */

/* Waiting packets of the switch of port k are looked at up to a given cycle, the last in which
 * something changes for them. */
static inline void look_until(const swq_worm_here *h, uint32_t k, uint32_t cycle)
{
    uint32_t *until = &h->w->until[h->in[k].switch_];

    *until = *until > cycle ? *until : cycle;
}

/* The set of the inputs with a lane that asks for an output. */
static inline swq_worm_ports *asked_of(const swq_worm_here *h, uint32_t o)
{
    return &h->asked[o * SWQ_WORM_WORDS];
}

/* A lane of an input asks for the crossbar, if `asks`. */
static inline void ask_if(const swq_worm_here *h, const swq_worm_lane *lane, bool asks)
{
    h->in[lane->input].asking |= (uint32_t)asks << lane->number;
    put_port(asked_of(h, lane->out), lane->input, asks);
    put_port(h->sets->asked, lane->out, asks);
}

/* The lanes of an input whose byte in `outs` is o. */
static inline uint32_t lanes_with(uint64_t outs, uint32_t o)
{
    const uint64_t each = UINT64_C(0x0101010101010101), low = 0x7f * each;
    const uint64_t other = outs ^ o * each, zero = ~(((other & low) + low) | other | low);

    return (uint32_t)((zero >> 7) * UINT64_C(0x0102040810204080) >> 56); /* a bit of each byte */
}

/* Those lanes of a set, of input i, that are for output o. */
static inline uint32_t lanes_for(const swq_worm_here *h, uint32_t i, uint32_t o, uint32_t set)
{
    const swq_worm_lane *lane = &h->lane[(size_t)i << h->shift];
    uint32_t found = 0;

    if (1u << h->shift <= SWQ_WORM_FEW)
        return set & lanes_with(h->in[i].outs, o);
    for (; set; set &= set - 1) {
        const uint32_t l = first_of(set);
        found |= (uint32_t)(lane[l].out == o) << l;
    }
    return found;
}

/* Lane l of input i has been given a lane of output o. */
static inline void set_output(swq_worm_input *in, swq_worm_lane *lane, uint32_t o)
{
    const uint32_t at = 8 * lane->number;

    lane->out = (uint8_t)o;
    if (lane->number < SWQ_WORM_FEW)
        in->outs = (in->outs & ~(UINT64_C(0xff) << at)) | (uint64_t)o << at;
}

/* If `no_more`, a lane stops asking for the crossbar; `rivals`: the lanes of its input that ask for
 * the same output, with it. Without branches, like all that depends on whether a lane asks: that
 * changes flit by flit, and is mispredicted. */
static inline void ask_no_more(const swq_worm_here *h, const swq_worm_lane *lane, uint32_t rivals,
                               bool no_more)
{
    const uint32_t i = lane->input, o = lane->out, bit = (uint32_t)no_more << lane->number;
    swq_worm_ports *asked = asked_of(h, o);

    h->in[i].asking &= ~bit;
    take_port(asked, i, !(rivals & ~bit));
    take_port(h->sets->asked, o, !any_port(asked));
}

/* A lane with a flit asks if it is active and has a credit. */
static inline void ask_if_credited(const swq_worm_here *h, const swq_worm_lane *lane)
{
    ask_if(h, lane, lane->active & (h->place[lane->out].credited >> lane->out_lane));
}

/* A lane may ask for the crossbar from now on. */
static inline void activate(const swq_worm_here *h, swq_worm_lane *lane)
{
    lane->active = true;
    if (lane->here > 0)
        ask_if_credited(h, lane);
}

/* ---- links ---- */

/* Can the link of place k, of all, take a flit that is sent in this cycle? */
static inline bool link_is_free(const swq_worms *w, uint32_t k)
{
    return !SWQ_WORM_PACED || w->pace[k].free <= w->cycle;
}

/* The link of place k takes a flit in this cycle. Returns the cycles until the flit has come to its
 * end: the delay, and what the flit takes to pass beyond one cycle. */
static inline uint32_t take_link(swq_worms *w, uint32_t k, const swq_worm_place *place)
{
    if (!SWQ_WORM_PACED)
        return place->delay;
    swq_worm_pace *p = &w->pace[k];
    const uint32_t left = p->cycles - (p->free == w->cycle ? p->early : 0);
    const uint32_t passes = (left + p->flits - 1) / p->flits;
    p->early = passes * p->flits - left;
    p->free = w->cycle + passes;
    return place->delay + passes - 1;
}

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
    put_port(&w->arriving[SWQ_WORM_WORDS * swq_worms_at_bank(w, slot, place->receiver)],
             place->receiver_in, true);
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
        put_port(&w->returning[SWQ_WORM_WORDS * swq_worms_at_bank(w, slot, in->sender)],
                 in->sender_out, true);
    }
}

/* ---- pools ---- */

/* Updates how much of its pool lane l of place k holds. Returns the set of the lanes with room. */
static inline uint32_t pool_lets(swq_worms *w, uint32_t k, uint32_t l, uint32_t before)
{
    swq_worm_pool *pool = &w->pool[k];
    const uint32_t credit = w->exit[((size_t)k << w->shift) + l].credit, bit = UINT32_C(1) << l;
    const uint32_t hold = swq_worms_hold(w, k, l);

    pool->free += before - hold;
    pool->room = credit > 0 ? pool->room | bit : pool->room & ~bit;
    pool->reserve = w->depth - credit < hold ? pool->reserve | bit : pool->reserve & ~bit;
    return pool->free > 0 ? pool->room : pool->room & pool->reserve;
}

/* Lanes of an output have gained or lost room: update whether their owners may ask. */
static inline void set_credited(const swq_worm_here *h, uint32_t o, uint32_t now)
{
    swq_worm_place *place = &h->place[o];
    uint32_t changed = (place->credited ^ now) & ~place->unowned;

    place->credited = now;
    for (; changed; changed &= changed - 1) {
        const uint32_t l = first_of(changed);
        const swq_worm_lane *holder = &h->lane[h->exit[(o << h->shift) + l].holder];
        if (!holder->active || holder->here == 0)
            continue;
        ask_if(h, holder, now >> l & 1);
        ask_no_more(h, holder,
                    lanes_for(h, holder->input, holder->out, h->in[holder->input].asking),
                    !(now >> l & 1));
    }
}

/* ---- credits, and owners ---- */

static inline void set_owned(swq_worm_place *place, uint32_t l, bool owned)
{
    const uint32_t bit = UINT32_C(1) << l;

    place->unowned = owned ? place->unowned & ~bit : place->unowned | bit;
}

/* A lane of an output is given to a packet, or given up. */
static inline void give_away(const swq_worm_here *h, uint32_t o, uint32_t l, bool given)
{
    const bool pool = has_pools(h->w) && !(h->place[o].to & SWQ_TO_NODE);
    const uint32_t before = pool ? swq_worms_hold(h->w, h->base + o, l) : 0;

    set_owned(&h->place[o], l, given);
    if (pool)
        set_credited(h, o, pool_lets(h->w, h->base + o, l, before));
}

/* A flit takes room behind an output, in lane l. */
static inline void take_credit(const swq_worm_here *h, uint32_t o, uint32_t l)
{
    swq_worm_exit *exit = &h->exit[(o << h->shift) + l];

    if (has_pools(h->w)) {
        const uint32_t before = swq_worms_hold(h->w, h->base + o, l);
        exit->credit--;
        set_credited(h, o, pool_lets(h->w, h->base + o, l, before));
    } else if (--exit->credit == 0) {
        h->place[o].credited &= ~(UINT32_C(1) << l);
    }
}

/* A lane has room again, so that its owner may ask again. */
static inline void opens(const swq_worm_here *h, uint32_t o, uint32_t l)
{
    swq_worm_place *place = &h->place[o];

    place->credited |= UINT32_C(1) << l;
    if (place->unowned >> l & 1)
        return;
    const swq_worm_lane *holder = &h->lane[h->exit[(o << h->shift) + l].holder];
    ask_if(h, holder, holder->active & (holder->here > 0));
}

/* A credit has come back. */
static inline void take_back(const swq_worm_here *h, uint32_t o, uint32_t l)
{
    swq_worm_exit *exit = &h->exit[(o << h->shift) + l];

    if (has_pools(h->w)) {
        const uint32_t before = swq_worms_hold(h->w, h->base + o, l);
        exit->credit++;
        set_credited(h, o, pool_lets(h->w, h->base + o, l, before));
    } else if (exit->credit++ == 0) {
        opens(h, o, l);
    }
}

/* The same of a node, whose packets need no crossbar: the lane of its link is given away or given
 * up; and a flit takes room, or a credit has come back. */
static inline void give_away_at_node(swq_worms *w, uint32_t place, uint32_t l, bool given)
{
    const uint32_t before = has_pools(w) ? swq_worms_hold(w, place, l) : 0;

    set_owned(&w->place[place], l, given);
    if (has_pools(w))
        w->place[place].credited = pool_lets(w, place, l, before);
}

static inline void change_credit_at_node(swq_worms *w, uint32_t place, uint32_t l, int change)
{
    swq_worm_exit *exit = &w->exit[((size_t)place << w->shift) + l];
    const uint32_t before = has_pools(w) ? swq_worms_hold(w, place, l) : 0;
    const uint32_t bit = UINT32_C(1) << l;

    exit->credit = (uint16_t)(exit->credit + change);
    if (has_pools(w))
        w->place[place].credited = pool_lets(w, place, l, before);
    else if (exit->credit == 0)
        w->place[place].credited &= ~bit;
    else
        w->place[place].credited |= bit;
}

/* ---- lanes that can be given away ---- */

/* Flits of the pool that have to be reserved for a lane of place k when it is given to a packet. */
static inline uint32_t reserve_needed(const swq_worms *w, uint32_t k, uint32_t l)
{
    const uint32_t hold = swq_worms_hold(w, k, l), reserve = (uint32_t)w->plan.reserve;
    return hold < reserve ? reserve - hold : 0;
}

/* The lanes of place k in a set that can be given to a packet now. */
static inline uint32_t free_of(const swq_worms *w, uint32_t k, uint32_t may)
{
    uint32_t unowned = w->place[k].unowned & may;

    if (SWQ_WORM_LEAN || !w->by_credits || w->place[k].to & SWQ_TO_NODE)
        return unowned;
    for (uint32_t set = unowned; set; set &= set - 1) {
        const uint32_t l = first_of(set);
        const uint32_t used = w->depth - w->exit[((size_t)k << w->shift) + l].credit;
        const bool full = w->plan.pool > 0 && w->pool[k].free < reserve_needed(w, k, l);
        if ((w->plan.atomic && used > 0) || full)
            unowned &= ~(UINT32_C(1) << l);
    }
    return unowned;
}
