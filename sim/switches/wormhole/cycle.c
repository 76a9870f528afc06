/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of worms: arrivals, grants of lanes, crossings, and what nodes send. A switch looks at
 * nothing of another one, and what it sends arrives in a later cycle: so each does all its work of
 * the cycle at once, while its memory is near, and the order of switches does not matter.
 */
#include "base/fetch.h"
#include "sim/fabrics/state.h"
#include "sim/switches/wormhole/allocation.h"
#include "sim/switches/wormhole/asking.h"

enum {
    LINE = 64, /* bytes of a line of the caches */
    AHEAD = 8  /* packets that are fetched ahead */
};

/* ---- packets in front ---- */

/* One member of a set of outputs, drawn at random. */
static swq_worm_ports drawn(const swq_worms *w, uint32_t port, uint32_t l, swq_worm_ports outs)
{
    const uint64_t place = (uint64_t)w->cycle << 5 | l;
    const swq_words word = swq_stream_words(w->told.streams, SWQ_STREAM_CHOICE, port, place);
    uint32_t left = swq_word_below(word.v[0], (uint32_t)__builtin_popcountll(outs));

    for (; left > 0; left--)
        outs &= outs - 1;
    return outs & -outs;
}

/* Chooses the outputs of a packet that has a choice. */
static void weigh(const swq_worms *w, uint32_t port, swq_worm_lane *lane, const swq_packet_state *p,
                  int class)
{
    const swq_fabric *f = w->plan.fabric;
    swq_worm_ports *outs = &w->outs[((size_t)port << w->shift) + lane->number];

    *outs = f->outputs[(size_t)port * (size_t)f->classes + (size_t) class];
    lane->may = w->all & ~UINT32_C(0) << f->escapes;
    lane->escape_out = UINT8_MAX;
    if (w->plan.pick == SWQ_PICK_RANDOM && *outs & (*outs - 1))
        *outs = drawn(w, port, lane->number, *outs);
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
        *outs = 0;
}

static uint32_t taken_in_all(const swq_worms *w, uint32_t output)
{
    const swq_worm_exit *exit = &w->exit[(size_t)output << w->shift];
    uint32_t sum = 0;

    for (uint32_t l = 0; l < w->lanes; l++)
        sum += w->depth - exit[l].credit;
    return sum;
}

/* Room taken behind an output: swq_switch_view.taken. */
static uint32_t taken(const void *engine, uint32_t output, int lane)
{
    const swq_worms *w = engine;

    if (lane >= 0)
        return w->depth - w->exit[((size_t)output << w->shift) + (uint32_t)lane].credit;
    return w->known ? w->known[output] : taken_in_all(w, output);
}

/* Where packets look at other switches, they see these as they were before the cycle, in whatever
 * order switches work. */
static void look_round(swq_worms *w)
{
    for (uint32_t out = 0; w->known && out < w->inputs; out++)
        w->known[out] = taken_in_all(w, out);
}

/* The lanes of the link to the next switch that a packet may take. */
static inline uint32_t lanes_to(const swq_worms *w, uint32_t to, const swq_packet_state *p)
{
    const swq_fabric *f = w->plan.fabric;

    if (w->phases)
        return w->phase_lanes[f->shape.kind->phase(f, to, p)];
    return swq_worm_lanes(&w->plan, to, p);
}

/* The same: swq_switch_view.lanes. */
static uint32_t lanes_ahead(const void *engine, uint32_t port, const swq_packet_state *p)
{
    return lanes_to(engine, port, p);
}

/* A packet that has gone straight so far may be sent by way of a place that is drawn now. */
static void reconsider(const swq_worms *w, uint32_t port, uint32_t l, swq_packet_state *p,
                       const swq_switch_view *view)
{
    const swq_fabric *f = w->plan.fabric;
    const uint64_t moment = (uint64_t)w->cycle << 5 | l;

    p->open = f->shape.kind->turns(f, port, p);
    if (!p->open)
        return;
    const uint32_t places = f->shape.kind->places(f, p->from, p->to);
    const swq_words word = swq_stream_words(w->told.streams, SWQ_STREAM_TURN, port, moment);
    swq_packet_state turned = *p;
    turned.to = f->shape.kind->place(f, p->from, p->to, swq_word_below(word.v[0], places));
    turned.then = p->to;
    turned.open = false;
    if (w->plan.routing->detours(f, port, &turned, view))
        *p = turned;
}

/* At its first switch a packet may do without the place by way of which it would go. */
static void decide(const swq_worms *w, uint32_t port, uint32_t l, swq_packet_state *p)
{
    const swq_switch_view view = {w, taken, lanes_ahead};

    if (p->open)
        reconsider(w, port, l, p, &view);
    if (p->hops > 0 || p->then == SWQ_NO_WHERE ||
        w->plan.routing->detours(w->plan.fabric, port, p, &view))
        return;
    p->to = p->then;
    p->then = SWQ_NO_WHERE;
    p->open = w->plan.routing->progressive;
}

/* A packet has reached the front of a lane, and is routed. */
static void come_to_front(swq_worms *w, uint32_t port, uint32_t l, uint32_t from)
{
    const swq_fabric *f = w->plan.fabric;
    swq_worm_input *in = &w->input[port];
    swq_worm_lane *lane = &w->lane[((size_t)port << w->shift) + l];
    swq_worm *p = &w->worm[lane->worm];

    if (f->outputs) {
        p->state.hops = (uint8_t)(p->state.hops + (p->state.hops < UINT8_MAX));
        weigh(w, port, lane, &p->state, f->shape.kind->route(f, port, p->state.from, p->state.to));
    } else {
        if (w->plan.routing && w->plan.routing->detours)
            decide(w, port, l, &p->state);
        lane->out = (uint8_t)swq_state_output(f, port, &p->state);
        const uint32_t to = w->place[in->base + lane->out].to;
        lane->may = to & SWQ_TO_NODE ? w->all : lanes_to(w, to, &p->state);
    }
    lane->left = p->flits;
    lane->begins = true;
    lane->since = from + (uint32_t)w->plan.times.routing;
    in->waiting |= UINT32_C(1) << l;
    w->switch_[in->switch_].waiting |= port_bit(lane->input);
    look_until(w, in->switch_, lane->since);
}

static inline void arrive(swq_worms *w, uint32_t port, swq_worm_flit flit)
{
    const uint32_t number = (port << w->shift) + flit.lane;
    swq_worm_lane *lane = &w->lane[number];
    swq_worm_behind *ring = &w->behind[(size_t)number * w->depth];

    if (flit.worm != SWQ_NO_WORM) { /* a header */
        if (lane->packets++ == 0) {
            lane->worm = flit.worm;
            lane->here = 1;
            come_to_front(w, port, flit.lane, w->cycle);
            return;
        }
        uint32_t place = lane->first + lane->packets - 1u;
        place -= place >= w->depth ? w->depth : 0;
        ring[place] = (swq_worm_behind){flit.worm, 1};
        return;
    }
    if (lane->packets > 1) {
        uint32_t last = lane->first + lane->packets - 1u;
        last -= last >= w->depth ? w->depth : 0;
        ring[last].here++;
        return;
    }
    if (lane->here++ == 0 && lane->active)
        ask_if_credited(w, number);
}

static void at_node(swq_worms *w, const swq_worm_leaving *leaving)
{
    if (!leaving->tail) {
        w->told.last(w->told.arg, leaving->worm);
        return;
    }
    w->told.arrived(w->told.arg, leaving->worm);
    w->worm[leaving->worm].next = w->free_worm;
    w->free_worm = leaving->worm;
    w->inside--;
}

/* Headers begin their way to nodes, and tails arrive there. */
static void receive_at_nodes(swq_worms *w, uint32_t slot)
{
    const swq_worm_leaving *leaving = w->leaving + (size_t)slot * w->width;

    for (uint32_t k = 0; k < w->leaves[slot]; k++) {
        if (w->far && k + AHEAD < w->leaves[slot])
            w->told.fetch(w->told.arg, leaving[k + AHEAD].worm);
        at_node(w, &leaving[k]);
    }
    w->leaves[slot] = 0;
}

/* The flits that come to a switch. */
static inline void receive(swq_worms *w, uint32_t slot, uint32_t sw)
{
    const uint32_t base = sw * w->ports;
    const swq_worm_flit *flit = &w->flit[swq_worms_at_input(w, slot, base)];
    swq_worm_ports *arriving = &w->arriving[swq_worms_at_switch(w, slot, sw)];

    for (swq_worm_ports set = *arriving; set; set &= set - 1) {
        const uint32_t i = first_port(set);
        arrive(w, base + i, flit[i]);
    }
    *arriving = 0;
}

/* The credits that come back to the outputs of a switch. */
static inline void take_credits_back(swq_worms *w, uint32_t slot, uint32_t sw)
{
    const uint32_t base = sw * w->ports;
    const uint8_t *lane = &w->credited[swq_worms_at_place(w, slot, base)];
    swq_worm_ports *returning = &w->returning[swq_worms_at_switch(w, slot, sw)];

    if (*returning && w->by_credits)
        look_until(w, sw, w->cycle);
    for (swq_worm_ports set = *returning; set; set &= set - 1) {
        const uint32_t o = first_port(set);
        take_back(w, ((base + o) << w->shift) + lane[o]);
    }
    *returning = 0;
}

/* The credits that come back to nodes. */
static void take_credits_back_to_nodes(swq_worms *w, uint32_t slot)
{
    const uint8_t *lane = &w->credited[swq_worms_at_place(w, slot, w->inputs)];

    for (uint32_t first = 0; first < w->plan.fabric->nodes; first += 64) {
        uint64_t *word = &w->returning_node[swq_worms_at_node(w, slot, first)];
        for (uint64_t set = *word; set; set &= set - 1) {
            const uint32_t node = first + (uint32_t)__builtin_ctzll(set);
            take_back(w, ((w->inputs + node) << w->shift) + lane[node]);
        }
        *word = 0;
    }
}

static void activate_those_that_come(swq_worms *w, uint32_t sw)
{
    for (swq_worm_ports inputs = w->switch_[sw].coming; inputs; inputs &= inputs - 1) {
        const uint32_t i = first_port(inputs), port = sw * w->ports + i;
        swq_worm_input *in = &w->input[port];
        for (uint32_t set = in->coming; set; set &= set - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(set), number = (port << w->shift) + l;
            if (w->lane[number].since > w->cycle)
                continue;
            in->coming &= ~(UINT32_C(1) << l);
            activate(w, number);
        }
        if (!in->coming)
            w->switch_[sw].coming &= ~port_bit(i);
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
    const uint32_t out = in->base + o, number = (port << w->shift) + l;
    swq_worm_lane *lane = &w->lane[number];
    swq_worm_place *place = &w->place[out];
    const uint32_t worm = lane->worm, out_lane = lane->out_lane;
    const uint32_t ahead = (uint32_t)(t->crossbar + t->crossing);
    const bool header = lane->begins, tail = --lane->left == 0;

    lane->here--;
    if (place->to & SWQ_TO_NODE) {
        if (header)
            leaves(w, ahead, worm, false);
        if (tail)
            leaves(w, ahead + place->delay, worm, true);
    } else {
        take_credit(w, (out << w->shift) + out_lane);
        on_its_way(w, ahead + place->delay, place, out_lane, header ? worm : SWQ_NO_WORM);
    }
    give_back(w, in, l);
    if (tail || lane->here == 0 || !(place->credited >> out_lane & 1))
        ask_no_more(w, number);
    if (header) {
        lane->begins = false;
        w->told.passed(w->told.arg, worm, port, out, lane->left + 1);
    }
    if (tail) {
        give_away(w, out, out_lane, false);
        look_until(w, in->switch_, w->cycle + 1);
        make_way(w, port, l);
    }
}

/* One iteration of iSLIP: each output grants its next input, ... Returns the set of these inputs.
 */
static inline swq_worm_ports grant_outputs(swq_worms *w, uint32_t sw)
{
    const swq_worm_place *place = &w->place[(size_t)sw * w->ports];
    swq_worm_ports *granted = w->notes.granted, accepting = 0;

    for (swq_worm_ports set = w->switch_[sw].asked; set; set &= set - 1) {
        const uint32_t o = first_port(set), i = next_port(place[o].asked, place[o].grant);
        granted[i] |= port_bit(o);
        accepting |= port_bit(i);
    }
    return accepting;
}

/* ... and each input accepts its next output; the input's lanes for that output take turns. */
static inline void accept_outputs(swq_worms *w, uint32_t sw, swq_worm_ports accepting)
{
    const uint32_t base = sw * w->ports, ports = w->ports, lanes = w->lanes;
    swq_worm_ports *granted = w->notes.granted;

    for (; accepting; accepting &= accepting - 1) {
        const uint32_t i = first_port(accepting), port = base + i;
        swq_worm_input *in = &w->input[port];
        const uint32_t o = next_port(granted[i], in->accept), asking = in->asking;
        uint8_t *turn = &w->turn[(size_t)port * ports + o];
        const uint32_t l = asking & (asking - 1) ? next_of(asking_for(w, port, o, asking), *turn)
                                                 : (uint32_t)__builtin_ctz(asking);
        granted[i] = 0;
        w->place[base + o].grant = (uint8_t)(i + 1 < ports ? i + 1 : 0);
        in->accept = (uint8_t)(o + 1 < ports ? o + 1 : 0);
        *turn = (uint8_t)(l + 1 < lanes ? l + 1 : 0);
        cross(w, port, o, l);
    }
}

/* Gives lanes to packets of a switch, and lets its flits cross. */
static inline void work(swq_worms *w, uint32_t sw)
{
    const swq_worm_switch *s = &w->switch_[sw];

    if (s->coming)
        activate_those_that_come(w, sw);
    if (s->waiting && s->until >= w->cycle)
        swq_worms_allocate(w, sw);
    if (s->asked)
        accept_outputs(w, sw, grant_outputs(w, sw));
    for (uint32_t k = 0; k < w->notes.given_count; k++)
        activate(w, w->notes.given[k]);
    w->notes.given_count = 0;
}

/* ---- nodes ---- */

uint32_t swq_worms_send(swq_worms *w, uint32_t node, uint32_t to, uint32_t flits)
{
    const uint32_t number = w->free_worm;

    w->free_worm = w->worm[number].next;
    if (w->far) /* the next one */
        w->told.fetch(w->told.arg, w->free_worm);
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
        may = free_of(w, place, may & swq_worm_lanes(&w->plan, p->to, &worm->state));
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
    on_its_way(w, p->delay, p, l, header ? s->worm : SWQ_NO_WORM);
    if (header) {
        w->told.begun(w->told.arg, s->worm);
        if (n->packets < w->plan.node_lanes)
            w->told.done(w->told.arg, s->worm);
    }
    if (--s->left == 0)
        end(w, node, l);
}

/* What arrives at all switches, and then their work: a packet's way may be chosen with a look at
 * any switch. */
static void work_in_two_passes(swq_worms *w, uint32_t slot)
{
    const uint32_t switches = w->plan.fabric->switches;

    look_round(w);
    for (uint32_t sw = 0; sw < switches; sw++)
        receive(w, slot, sw);
    for (uint32_t sw = 0; sw < switches; sw++)
        take_credits_back(w, slot, sw);
    for (uint32_t sw = 0; sw < switches; sw++)
        work(w, sw);
}

/* Begins to fetch a row of an array: what the ports of a switch have there. */
static inline void fetch_row(const void *row, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE)
        swq_fetch((const char *)row + at);
}

/* What a switch surely needs, ... */
static void fetch_rows(const swq_worms *w, uint32_t slot, uint32_t sw)
{
    const swq_fabric *f = w->plan.fabric;
    const size_t base = (size_t)sw * w->ports, ports = w->ports;

    fetch_row(&w->flit[swq_worms_at_input(w, slot, (uint32_t)base)], ports * sizeof *w->flit);
    fetch_row(&w->input[base], ports * sizeof *w->input);
    fetch_row(&w->place[base], ports * sizeof *w->place);
    fetch_row(&w->exit[base << w->shift], (ports * sizeof *w->exit) << w->shift);
    fetch_row(&w->turn[base * ports], ports * ports);
    if (f->output)
        fetch_row(&f->output[base * (size_t)f->classes], ports * (size_t)f->classes);
}

/* ... and, once that is there, the lanes that flits come to or ask in, and the packets that come.
 */
static void fetch_lanes(const swq_worms *w, uint32_t slot, uint32_t sw)
{
    const uint32_t base = sw * w->ports;
    const swq_worm_flit *flit = &w->flit[swq_worms_at_input(w, slot, base)];
    const swq_worm_place *place = &w->place[base];
    swq_worm_ports asking = 0;

    for (swq_worm_ports set = w->arriving[swq_worms_at_switch(w, slot, sw)]; set; set &= set - 1) {
        const uint32_t i = first_port(set);
        swq_fetch(&w->lane[((base + i) << w->shift) + flit[i].lane]);
        if (flit[i].worm != SWQ_NO_WORM)
            swq_fetch(&w->worm[flit[i].worm]);
    }
    for (swq_worm_ports set = w->switch_[sw].asked; set; set &= set - 1)
        asking |= place[first_port(set)].asked;
    for (; asking; asking &= asking - 1) {
        const uint32_t port = base + first_port(asking), set = w->input[port].asking;
        swq_fetch(&w->lane[(port << w->shift) + (uint32_t)__builtin_ctz(set | 1u << 31)]);
    }
}

static void work_in_one_pass(swq_worms *w, uint32_t slot)
{
    const uint32_t switches = w->plan.fabric->switches;

    for (uint32_t sw = 0; sw < switches; sw++) {
        if (w->far && sw + 2 < switches) {
            fetch_rows(w, slot, sw + 2);
            fetch_lanes(w, slot, sw + 1);
        }
        receive(w, slot, sw);
        take_credits_back(w, slot, sw);
        work(w, sw);
    }
}

/* The packets that wait at nodes, of a set that begins with node `first`. */
static void fetch_packets(const swq_worms *w, uint32_t first, uint64_t set)
{
    for (; set; set &= set - 1) {
        const uint32_t worm = w->node[first + (uint32_t)__builtin_ctzll(set)].worm;
        if (worm != SWQ_NO_WORM)
            w->told.fetch(w->told.arg, worm);
    }
}

void swq_worms_cycle(swq_worms *w)
{
    const uint32_t nodes = w->plan.fabric->nodes, slot = w->cycle & (w->latest - 1);

    receive_at_nodes(w, slot);
    take_credits_back_to_nodes(w, slot);
    if (w->plan.routing && w->plan.routing->detours)
        work_in_two_passes(w, slot);
    else
        work_in_one_pass(w, slot);
    for (uint32_t k = 0; k < (nodes + 63) / 64; k++) {
        if (w->far)
            fetch_packets(w, 64 * k, w->sending[k]);
        for (uint64_t set = w->sending[k]; set; set &= set - 1)
            node_turn(w, 64 * k + (uint32_t)__builtin_ctzll(set));
    }
    w->cycle++;
}
