/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of worms: arrivals, grants of lanes, crossings, and what nodes send. All switches see
 * the state at the start of the cycle, so their order does not matter.
 */
#include "sim/fabrics/state.h"
#include "sim/switches/wormhole/allocation.h"
#include "sim/switches/wormhole/asking.h"

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
static void weigh(const swq_worms *w, uint32_t port, swq_worm_lane *lane, const swq_packet_state *p,
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

/* Room taken behind an output: swq_switch_view.taken. */
static uint32_t taken(const void *engine, uint32_t output, int lane)
{
    const swq_worms *w = engine;
    const uint16_t *credit = &w->credit[(size_t)output << w->shift];
    uint32_t sum = 0;

    if (lane >= 0)
        return w->depth - credit[lane];
    for (uint32_t l = 0; l < w->lanes; l++)
        sum += w->depth - credit[l];
    return sum;
}

/* At its first switch a packet may do without the place by way of which it would go. */
static void decide(const swq_worms *w, uint32_t port, swq_packet_state *p)
{
    const swq_switch_view view = {w, taken};

    if (p->hops > 0 || p->then == SWQ_NO_WHERE ||
        w->plan.routing->detours(w->plan.fabric, port, p, &view))
        return;
    p->to = p->then;
    p->then = SWQ_NO_WHERE;
}

/* A packet has reached the front of a lane, and is routed. */
static void come_to_front(swq_worms *w, uint32_t port, uint32_t l, uint32_t from)
{
    const swq_fabric *f = w->plan.fabric;
    swq_worm_lane *lane = &w->lane[((size_t)port << w->shift) + l];
    swq_worm *p = &w->worm[lane->worm];

    if (f->outputs) {
        weigh(w, port, lane, &p->state, f->shape.kind->route(f, port, p->state.from, p->state.to));
    } else {
        if (w->plan.routing && w->plan.routing->detours)
            decide(w, port, &p->state);
        lane->out = (uint8_t)swq_state_output(f, port, &p->state);
        const uint32_t to = w->place[w->input[port].base + lane->out].to;
        lane->may = to & SWQ_TO_NODE ? w->all : swq_worm_lanes(&w->plan, to, &p->state);
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
            on_its_way(w, ahead + place->delay, SWQ_TAIL_COMES, worm);
    } else {
        take_credit(w, lane->next);
        on_its_way(w, ahead + place->delay, (place->to << w->shift) + out_lane,
                   header ? worm : SWQ_NO_WORM);
    }
    give_back(w, in->back, (up << w->shift) + l);
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
            const uint32_t want = port * w->ports + o, l = next_of(w->want[want], w->turn[want]);
            w->granted[port] = 0;
            w->place[in->base + o].grant = (uint8_t)(i + 1 < w->ports ? i + 1 : 0);
            in->accept = (uint8_t)(o + 1 < w->ports ? o + 1 : 0);
            w->turn[want] = (uint8_t)(l + 1 < w->lanes ? l + 1 : 0);
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
        swq_worms_allocate(w, sw);
    if (!s->coming && !(s->waiting && s->until > w->cycle))
        take_out(w->busy, sw);
}

/* ---- nodes ---- */

uint32_t swq_worms_send(swq_worms *w, uint32_t node, uint32_t to, uint32_t flits)
{
    const uint32_t number = w->free_worm;

    w->free_worm = w->worm[number].next;
    w->worm[number] =
        (swq_worm){.state = {.from = node, .to = to, .then = SWQ_NO_WHERE}, .flits = flits};
    w->inside++;
    w->node[node].worm = number;
    put(w->sending, node);
    return number;
}

uint32_t swq_worms_send_by(swq_worms *w, uint32_t node, uint32_t by, uint32_t to, uint32_t flits)
{
    const uint32_t number = swq_worms_send(w, node, by, flits);

    w->worm[number].state.then = to;
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
        may = free_of(w, p, may & swq_worm_lanes(&w->plan, p->to, &worm->state));
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

/* A node sends a flit: the first flit of a packet that is given a lane, or the next flit of the
 * packet of the lane whose turn it is. */
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
    on_its_way(w, p->delay, (p->to << w->shift) + l, header ? s->worm : SWQ_NO_WORM);
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
