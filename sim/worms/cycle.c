/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of worms: arrivals, grants of lanes, crossings, and what nodes send. All switches see
 * the state at the start of the cycle, so their order does not matter.
 * Room: sim.
 */
#include "sim/worms/worms.h"

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

/* ---- what lanes ask for ---- */

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
static void set_credited(swq_worms *w, uint32_t k, uint32_t now)
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
static void holds_now(swq_worms *w, uint32_t k, uint32_t l, uint32_t before)
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

static void change_pool(swq_worms *w, uint32_t place_lane, int credits)
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
static void opens(swq_worms *w, uint32_t place_lane)
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

/* ---- packets in front ---- */

/* One member of a set of outputs, drawn at random. */
static uint32_t drawn(const swq_worms *w, uint32_t port, uint32_t l, uint32_t outs)
{
    const uint64_t place = (uint64_t)w->cycle << 5 | l;
    const swq_words word = swq_stream_words(w->told.streams, SWQ_STREAM_CHOICE, port, place);
    uint32_t left = swq_word_below(word.v[0], (uint32_t)__builtin_popcount(outs));

    for (; left > 0; left--)
        outs &= outs - 1;
    return outs & -outs;
}

/* Chooses the outputs of a packet that has a choice. */
static void weigh(const swq_worms *w, uint32_t port, swq_worm_lane *lane, const swq_worm *p,
                  int class)
{
    const swq_fabric *f = w->plan.fabric;

    lane->outs = f->outputs[(size_t)port * (size_t)f->classes + (size_t) class];
    lane->may = w->all & ~UINT32_C(0) << f->escapes;
    lane->escape_out = UINT8_MAX;
    if (w->plan.pick == SWQ_PICK_RANDOM && lane->outs & (lane->outs - 1))
        lane->outs = drawn(w, port, lane->number, lane->outs);
    if (w->plan.pick == SWQ_PICK_FIRST)
        lane->out = (uint8_t)f->shape.kind->first(f, port, p->from, p->to);
    if (!f->escapes)
        return;
    const int first = f->shape.kind->first(f, port, p->from, p->to);
    const uint32_t to = w->place[w->input[port].base + (uint32_t)first].to;
    if (to & SWQ_TO_NODE) {
        lane->may = w->all;
        return;
    }
    lane->escape_out = (uint8_t)first;
    lane->escape_lane = (uint8_t)f->shape.kind->escape(f, to, p->from, p->to);
    if (w->plan.escapes_kept && lane->number < f->escapes && w->input[port].upstream < w->inputs)
        lane->outs = 0;
}

/* The output of a packet. At the node via which it travels, it goes on as if it came from there. */
static uint32_t output_of(swq_worms *w, uint32_t port, swq_worm *p)
{
    const swq_fabric *f = w->plan.fabric;

    if (p->then != SWQ_NO_WORM && w->input[port].switch_ == p->to) {
        p->from = p->to;
        p->to = p->then;
        p->then = SWQ_NO_WORM;
        p->goes_on = true;
    }
    if (p->goes_on && w->input[port].switch_ == p->from)
        port = w->input[port].base + w->ports - 1;
    if (p->goes_on && p->from == p->to) /* to which no host port leads */
        return w->ports - 1;
    const int class = f->shape.kind->route(f, port, p->from, p->to);
    return f->output[(size_t)port * (size_t)f->classes + (size_t) class];
}

/* A packet has reached the front of a lane, and is routed. */
static void come_to_front(swq_worms *w, uint32_t port, uint32_t l, uint32_t from)
{
    const swq_fabric *f = w->plan.fabric;
    swq_worm_lane *lane = &w->lane[((size_t)port << w->shift) + l];
    swq_worm *p = &w->worm[lane->worm];

    if (f->outputs) {
        weigh(w, port, lane, p, f->shape.kind->route(f, port, p->from, p->to));
    } else {
        lane->out = (uint8_t)output_of(w, port, p);
        const uint32_t to = w->place[w->input[port].base + lane->out].to;
        lane->may = to & SWQ_TO_NODE ? w->all : swq_worm_lanes(&w->plan, to, p);
    }
    lane->left = p->flits;
    lane->begins = true;
    lane->since = from + (uint32_t)w->plan.times.routing;
    w->input[port].waiting |= UINT32_C(1) << l;
    w->switch_[w->input[port].switch_].waiting |= UINT32_C(1) << (port - w->input[port].base);
    look_until(w, w->input[port].switch_, lane->since);
}

static void arrive(swq_worms *w, const swq_worm_flit *flit)
{
    swq_worm_lane *lane = &w->lane[flit->lane];
    swq_worm_behind *ring = &w->behind[(size_t)flit->lane * w->depth];

    if (flit->worm != SWQ_NO_WORM) { /* a header */
        uint32_t place = lane->first + lane->packets;
        place -= place >= w->depth ? w->depth : 0;
        ring[place] = (swq_worm_behind){flit->worm, 1};
        if (lane->packets++ > 0)
            return;
        lane->worm = flit->worm;
        lane->here = 1;
        come_to_front(w, flit->lane >> w->shift, lane->number, w->cycle);
        return;
    }
    if (lane->packets > 1) {
        uint32_t last = lane->first + lane->packets - 1u;
        last -= last >= w->depth ? w->depth : 0;
        ring[last].here++;
        return;
    }
    if (lane->here++ == 0 && lane->active)
        ask_if_credited(w, lane);
}

static void at_node(swq_worms *w, const swq_worm_flit *flit)
{
    if (flit->lane == SWQ_HEADER_LEAVES) {
        w->told.last(w->told.arg, flit->worm);
        return;
    }
    w->told.arrived(w->told.arg, flit->worm);
    w->worm[flit->worm].next = w->free_worm;
    w->free_worm = flit->worm;
    w->inside--;
}

static void receive(swq_worms *w)
{
    const uint32_t slot = w->cycle & (w->latest - 1);
    const swq_worm_flit *flit = w->flit + (size_t)slot * w->width;
    const swq_worm_flit *last_flit = w->flit + w->flits[slot];
    const uint32_t *credit = w->credited + (size_t)slot * w->inputs;
    const uint32_t *last_credit = w->credited + w->credits[slot];

    for (; flit < last_flit; flit++) {
        if (flit->lane >= SWQ_HEADER_LEAVES)
            at_node(w, flit);
        else
            arrive(w, flit);
    }
    for (; credit < last_credit; credit++)
        take_back(w, *credit);
    w->flits[slot] = slot * w->width;
    w->credits[slot] = slot * w->inputs;
}

/* ---- lanes ---- */

/* Of some lanes, those that can be given to a packet now. */
static inline uint32_t free_of(const swq_worms *w, const swq_worm_place *place, uint32_t may)
{
    uint32_t unowned = place->unowned & may;

    if (!w->by_credits || place->to & SWQ_TO_NODE)
        return unowned;
    const uint32_t k = (uint32_t)(place - w->place);
    for (uint32_t set = unowned; set; set &= set - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(set);
        const uint32_t used = w->depth - w->credit[((size_t)k << w->shift) + l];
        const uint32_t hold = w->plan.pool > 0 ? swq_worms_hold(w, k, l) : 0;
        /* flits that must be reserved for it */
        const uint32_t more = (uint32_t)w->plan.reserve - hold;
        const bool full =
            w->plan.pool > 0 && hold < (uint32_t)w->plan.reserve && w->pool[k].free < more;
        if ((w->plan.atomic && used > 0) || full)
            unowned &= ~(UINT32_C(1) << l);
    }
    return unowned;
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

/* The next free lane of all outputs, cyclically over outputs and their lanes. */
static bool choose_in_turn(const swq_worms *w, uint32_t port, const swq_worm_lane *lane,
                           uint32_t *out, uint32_t *may)
{
    const uint32_t after = w->after[(port << w->shift) + lane->number];
    const uint32_t first = after / w->lanes, from = ~UINT32_C(0) << after % w->lanes;
    uint32_t o = first;

    for (uint32_t k = 0; k <= w->ports; k++, o = o + 1 < w->ports ? o + 1 : 0) {
        uint32_t lanes = lanes_of(w, lane, o);
        if (o == first)
            lanes &= k == 0 ? from : ~from;
        if (lanes)
            lanes = free_of(w, &w->place[w->input[port].base + o], lanes);
        if (!lanes)
            continue;
        *out = o;
        *may = lanes & -lanes;
        return true;
    }
    return false;
}

/* Of the outputs that a packet may take and that have a lane for it: the one with the most room at
 * the next switch, ties going to the first from a starting point that moves on every cycle; or the
 * first one from the deterministic output on. Returns false if there is none. */
static bool choose_output(const swq_worms *w, uint32_t base, const swq_worm_lane *lane,
                          uint32_t *out, uint32_t *may)
{
    const bool first = w->plan.pick == SWQ_PICK_FIRST;
    uint32_t most = 0, found = UINT32_MAX;

    for (uint32_t set = outputs_of(w, lane); set;) {
        const uint32_t o = next_of(set, first ? lane->out : w->rotation);
        const swq_worm_place *place = &w->place[base + o];
        set &= ~(UINT32_C(1) << o);
        if (!free_of(w, place, lanes_of(w, lane, o)))
            continue;
        const uint32_t room = first ? 0 : room_behind(w, base + o);
        if (found == UINT32_MAX || room > most) {
            found = o;
            most = room;
        }
    }
    *out = found;
    *may = found == UINT32_MAX ? 0 : lanes_of(w, lane, found);
    if (found == UINT32_MAX && lane->escape_out != UINT8_MAX) {
        *out = lane->escape_out;
        *may = UINT32_C(1) << lane->escape_lane;
    }
    return *out != UINT32_MAX;
}

static bool choose(const swq_worms *w, uint32_t port, const swq_worm_lane *lane, uint32_t *out,
                   uint32_t *may)
{
    if (w->plan.pick == SWQ_PICK_TURN && choose_in_turn(w, port, lane, out, may))
        return true;
    if (w->plan.pick == SWQ_PICK_TURN) { /* only an escape lane may be left */
        *out = lane->escape_out;
        *may = UINT32_C(1) << lane->escape_lane;
        return lane->escape_out != UINT8_MAX && !w->plan.escapes_alike;
    }
    return choose_output(w, w->input[port].base, lane, out, may);
}

/* A lane may ask for the crossbar from now on. */
static void activate(swq_worms *w, swq_worm_lane *lane)
{
    lane->active = true;
    if (lane->here > 0)
        ask_if_credited(w, lane);
}

/* Gives the packet in front of lane l a lane of an output, if possible. The lane may ask for the
 * crossbar in this cycle, in the next or later; until then it is "coming". */
static void give_lane(swq_worms *w, uint32_t port, uint32_t l)
{
    const uint32_t number = (port << w->shift) + l;
    swq_worm_input *in = &w->input[port];
    swq_worm_lane *lane = &w->lane[number];
    uint32_t may = lane->may, o = lane->out;

    if (w->plan.fabric->outputs && !choose(w, port, lane, &o, &may))
        return;
    swq_worm_place *out = &w->place[in->base + o];
    const uint32_t unowned = free_of(w, out, may);
    if (!unowned)
        return;
    const uint32_t out_lane = next_of(unowned, out->turn);
    out->turn = (uint8_t)(out_lane + 1 < w->lanes ? out_lane + 1 : 0);
    if (w->after)
        w->after[number] = (uint16_t)((o * w->lanes + out_lane + 1) % (w->ports * w->lanes));
    lane->want = port * w->ports + o;
    lane->next = ((in->base + o) << w->shift) + out_lane;
    w->holder[lane->next] = number;
    give_away(w, in->base + o, out_lane, true);
    lane->out = (uint8_t)o;
    lane->out_lane = (uint8_t)out_lane;
    lane->since = w->cycle + (uint32_t)w->plan.times.lane;
    in->waiting &= ~(UINT32_C(1) << l);
    in->first = (uint8_t)(l + 1 < w->lanes ? l + 1 : 0);
    if (w->plan.times.lane == 0) {
        activate(w, lane);
    } else if (w->plan.times.lane == 1) {
        w->given[w->given_count++] = number;
    } else {
        in->coming |= UINT32_C(1) << l;
        w->switch_[in->switch_].coming |= UINT32_C(1) << (port - in->base);
    }
}

/* Gives lanes to packets in front that need one. The input that comes first moves on every cycle;
 * each packet takes the next free lane that it may have. */
static void give_lanes(swq_worms *w, uint32_t sw)
{
    const uint32_t base = sw * w->ports;

    for (uint32_t inputs = w->switch_[sw].waiting; inputs;) {
        const uint32_t i = next_of(inputs, w->rotation);
        const swq_worm_input *in = &w->input[base + i];
        const uint32_t first = in->first;
        inputs &= ~(UINT32_C(1) << i);
        for (uint32_t set = in->waiting; set;) {
            const uint32_t l = next_of(set, first);
            set &= ~(UINT32_C(1) << l);
            if (w->lane[((size_t)(base + i) << w->shift) + l].since <= w->cycle)
                give_lane(w, base + i, l);
        }
        if (!in->waiting)
            w->switch_[sw].waiting &= ~(UINT32_C(1) << i);
    }
}

static void activate_those_that_come(swq_worms *w, uint32_t sw)
{
    for (uint32_t inputs = w->switch_[sw].coming; inputs; inputs &= inputs - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(inputs), port = sw * w->ports + i;
        swq_worm_input *in = &w->input[port];
        for (uint32_t set = in->coming; set; set &= set - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(set);
            swq_worm_lane *lane = &w->lane[((size_t)port << w->shift) + l];
            if (lane->since > w->cycle)
                continue;
            in->coming &= ~(UINT32_C(1) << l);
            activate(w, lane);
        }
        if (!in->coming)
            w->switch_[sw].coming &= ~(UINT32_C(1) << i);
    }
}

/* ---- the crossbar ---- */

/* The last flit of a packet has left its buffer, and the next packet moves to the front. */
static void make_way(swq_worms *w, uint32_t port, uint32_t l)
{
    const size_t number = ((size_t)port << w->shift) + l;
    swq_worm_lane *lane = &w->lane[number];

    lane->active = false;
    lane->first = (uint8_t)(lane->first + 1u < w->depth ? lane->first + 1u : 0);
    if (--lane->packets > 0) {
        const swq_worm_behind *front = &w->behind[number * w->depth + lane->first];
        lane->worm = front->worm;
        lane->here = (uint16_t)front->here;
        come_to_front(w, port, l, w->cycle + 1);
    }
}

/* Moves a flit from lane l of an input to output o of its switch. */
static inline void cross(swq_worms *w, uint32_t port, uint32_t o, uint32_t l)
{
    const swq_worm_times *t = &w->plan.times;
    const swq_worm_input *in = &w->input[port];
    const uint32_t out = in->base + o;
    swq_worm_lane *lane = &w->lane[((size_t)port << w->shift) + l];
    swq_worm_place *place = &w->place[out];
    const uint32_t worm = lane->worm, out_lane = lane->out_lane;
    const uint32_t ahead = (uint32_t)(t->crossbar + t->crossing);
    const bool header = lane->begins, tail = --lane->left == 0;
    const uint32_t up = in->upstream;

    lane->here--;
    w->crossed[out]++;
    if (place->to & SWQ_TO_NODE) {
        if (header)
            on_its_way(w, ahead, SWQ_HEADER_LEAVES, worm);
        if (tail)
            on_its_way(w, ahead + (uint32_t)t->node_link, SWQ_TAIL_COMES, worm);
    } else {
        take_credit(w, lane->next);
        on_its_way(w, ahead + (uint32_t)t->link, (place->to << w->shift) + out_lane,
                   header ? worm : SWQ_NO_WORM);
    }
    give_back(w, (uint32_t)((up < w->inputs ? t->link : t->node_link) + t->credit),
              (up << w->shift) + l);
    if (tail || lane->here == 0 || !(place->credited >> out_lane & 1))
        ask_no_more(w, lane);
    if (header) {
        lane->begins = false;
        w->told.passed(w->told.arg, worm, port, out);
    }
    if (tail) {
        give_away(w, out, out_lane, false);
        look_until(w, in->switch_, w->cycle + 1);
        make_way(w, port, l);
    }
}

/* One iteration of iSLIP: each output grants its next input, ... */
static void grant_all(swq_worms *w)
{
    for (uint32_t k = 0; k < (w->inputs + 63) / 64; k++) {
        for (uint64_t set = w->asking[k]; set; set &= set - 1) {
            const uint32_t out = 64 * k + (uint32_t)__builtin_ctzll(set);
            const swq_worm_place *place = &w->place[out];
            const uint32_t port = place->base + next_of(place->asked, place->grant);
            w->granted[port] |= UINT32_C(1) << (out - place->base);
            put(w->accepting, port);
        }
    }
}

/* ... and each input accepts its next output; the input's lanes for that output take turns. */
static void accept_all(swq_worms *w)
{
    for (uint32_t k = 0; k < (w->inputs + 63) / 64; k++) {
        for (uint64_t set = w->accepting[k]; set; set &= set - 1) {
            const uint32_t port = 64 * k + (uint32_t)__builtin_ctzll(set);
            swq_worm_input *in = &w->input[port];
            const uint32_t i = port - in->base, o = next_of(w->granted[port], in->accept);
            const uint32_t l = next_of(w->want[port * w->ports + o], in->turn);
            w->granted[port] = 0;
            w->place[in->base + o].grant = (uint8_t)(i + 1 < w->ports ? i + 1 : 0);
            in->accept = (uint8_t)(o + 1 < w->ports ? o + 1 : 0);
            in->turn = (uint8_t)(l + 1 < w->lanes ? l + 1 : 0);
            cross(w, port, o, l);
        }
        w->accepting[k] = 0;
    }
}

static void look_at(swq_worms *w, uint32_t sw)
{
    swq_worm_switch *s = &w->switch_[sw];

    if (s->coming)
        activate_those_that_come(w, sw);
    if (s->waiting && s->until >= w->cycle)
        give_lanes(w, sw);
    if (!s->coming && !(s->waiting && s->until > w->cycle))
        take_out(w->busy, sw);
}

/* ---- nodes ---- */

uint32_t swq_worms_send(swq_worms *w, uint32_t node, uint32_t to, uint32_t flits)
{
    const uint32_t number = w->free_worm;

    w->free_worm = w->worm[number].next;
    w->worm[number] = (swq_worm){.from = node, .to = to, .then = SWQ_NO_WORM, .flits = flits};
    w->inside++;
    w->node[node].worm = number;
    put(w->sending, node);
    return number;
}

uint32_t swq_worms_send_by(swq_worms *w, uint32_t node, uint32_t by, uint32_t to, uint32_t flits)
{
    const uint32_t number = swq_worms_send(w, node, by, flits);

    w->worm[number].then = to;
    return number;
}

/* Gives the packet that waits at a node a lane, if there is one. */
static bool begin(swq_worms *w, uint32_t node, uint32_t *l)
{
    const uint32_t place = w->inputs + node;
    const swq_worm_place *p = &w->place[place];
    swq_worm_node *n = &w->node[node];
    const swq_worm *worm = &w->worm[n->worm];
    uint32_t may = p->unowned & p->credited;

    if (may)
        may = free_of(w, p, may & swq_worm_lanes(&w->plan, p->to, worm));
    if (!may)
        return false;
    *l = next_of(may, n->turn);
    n->turn = (uint8_t)(*l + 1 < w->lanes ? *l + 1 : 0);
    n->lanes |= UINT32_C(1) << *l;
    n->packets++;
    n->latest = n->worm;
    n->worm = SWQ_NO_WORM;
    w->under_way[(node << w->shift) + *l] = (swq_worm_sending){n->latest, worm->flits};
    give_away(w, place, *l, true);
    return true;
}

/* The last flit of a packet has left its node. */
static void end(swq_worms *w, uint32_t node, uint32_t l)
{
    swq_worm_node *n = &w->node[node];

    give_away(w, w->inputs + node, l, false);
    n->lanes &= ~(UINT32_C(1) << l);
    if (!n->lanes && n->worm == SWQ_NO_WORM)
        take_out(w->sending, node);
    if (n->packets-- == w->plan.node_lanes)
        w->told.done(w->told.arg, n->latest);
}

/* A node sends a flit: the first one of a packet that is given a lane, or that of the next lane. */
static void node_turn(swq_worms *w, uint32_t node)
{
    const uint32_t place = w->inputs + node;
    const swq_worm_place *p = &w->place[place];
    swq_worm_node *n = &w->node[node];
    uint32_t l;

    const bool header = n->worm != SWQ_NO_WORM && begin(w, node, &l);
    if (!header) {
        const uint32_t lanes = n->lanes & p->credited;
        if (!lanes) {
            w->stalled += n->lanes != 0;
            return;
        }
        const uint32_t behind = lanes & ~UINT32_C(1) << n->last;
        l = (uint32_t)__builtin_ctz(behind ? behind : lanes);
    }
    swq_worm_sending *s = &w->under_way[(node << w->shift) + l];
    n->last = (uint8_t)l;
    take_credit(w, (place << w->shift) + l);
    on_its_way(w, (uint32_t)w->plan.times.node_link, (p->to << w->shift) + l,
               header ? s->worm : SWQ_NO_WORM);
    if (header) {
        w->told.begun(w->told.arg, s->worm);
        if (n->packets < w->plan.node_lanes)
            w->told.done(w->told.arg, s->worm);
    }
    if (--s->left == 0)
        end(w, node, l);
}

void swq_worms_cycle(swq_worms *w)
{
    const uint32_t nodes = w->plan.fabric->nodes, switches = w->plan.fabric->switches;

    receive(w);
    w->rotation = w->rotation + 1 < w->ports ? w->rotation + 1 : 0;
    for (uint32_t k = 0; k < (switches + 63) / 64; k++) {
        for (uint64_t set = w->busy[k]; set; set &= set - 1)
            look_at(w, 64 * k + (uint32_t)__builtin_ctzll(set));
    }
    grant_all(w);
    accept_all(w);
    for (uint32_t k = 0; k < w->given_count; k++)
        activate(w, &w->lane[w->given[k]]);
    w->given_count = 0;
    for (uint32_t k = 0; k < (nodes + 63) / 64; k++) {
        for (uint64_t set = w->sending[k]; set; set &= set - 1)
            node_turn(w, 64 * k + (uint32_t)__builtin_ctzll(set));
    }
    w->cycle++;
}
