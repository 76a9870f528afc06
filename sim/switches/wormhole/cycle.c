/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happens to a packet when it reaches the front of a lane: it is routed.
 */
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/state.h"
#include "sim/switches/wormhole/sets.h"
#include "sim/switches/wormhole/turns.h"

/* ---- packets in front ---- */

/* Keeps one member of a set of outputs, drawn at random. */
SWQ_INLINE void draw(const swq_worms *w, uint32_t port, uint32_t l, swq_worm_ports *outs, int words)
{
    const uint32_t count = (uint32_t)swq_port_set_count(outs, words);

    if (count < 2)
        return;
    const uint64_t place = (uint64_t)w->cycle << 5 | l;
    const swq_words word = swq_stream_words(w->told.streams, SWQ_STREAM_CHOICE, port, place);
    const uint32_t out = swq_port_set_member(outs, swq_word_below(word.v[0], count), words);
    swq_port_set_clear(outs, words);
    swq_port_set_put(outs, out, true, words);
}

/* The lanes of the link to the next switch that a packet may take. */
static inline uint32_t lanes_to(const swq_worms *w, uint32_t to, const swq_packet_state *p)
{
    const swq_fabric *f = w->plan.fabric;

    if (w->phases)
        return w->phase_lanes[f->shape.kind->phase(f, to, p)];
    return swq_worm_lanes(&w->plan, to, p);
}

/* The outputs that a packet has a choice of, by their numbers in the bank, and the lanes that it
 * may take there, without escape lanes. All links between switches that are shortest ways for a
 * packet have the same lanes. A bank of sets of several words is a switch, whose first port is 0.
 */
SWQ_INLINE void find_outputs(const swq_worms *w, uint32_t port, swq_packet_state *p,
                             swq_worm_ports *outs, uint32_t *may, int words)
{
    const swq_fabric *f = w->plan.fabric;
    const swq_worm_input *in = &w->input[port];
    const swq_port_set *set =
        f->outputs ? swq_set_of(f, port, f->shape.kind->route(f, port, p->from, p->to))
                   : swq_state_outputs(f, port, p, outs);

    for (int at = 0; at < words; at++)
        outs[at] = set[at] << in->first;
    if (f->outputs) {
        p->hops = (uint8_t)(p->hops + (p->hops < UINT8_MAX));
        *may = w->all & ~UINT32_C(0) << f->escapes;
        return;
    }
    const uint32_t to = w->place[in->base + swq_port_set_member(outs, 0, words)].to;
    *may = to & SWQ_TO_NODE ? w->all : lanes_to(w, to, p);
}

/* Chooses the outputs of a packet that has a choice, a set of `words` words. */
SWQ_INLINE void weigh(const swq_worms *w, uint32_t port, swq_worm_lane *lane, swq_packet_state *p,
                      int words)
{
    const swq_fabric *f = w->plan.fabric;
    const swq_worm_input *in = &w->input[port];
    swq_worm_ports *outs = w->outs + (((size_t)port << w->shift) + lane->number) * (size_t)words;

    find_outputs(w, port, p, outs, &lane->may, words);
    lane->escape_out = UINT8_MAX;
    if (w->plan.pick == SWQ_PICK_RANDOM)
        draw(w, port, lane->number, outs, words);
    if (w->plan.pick == SWQ_PICK_FIRST)
        lane->out = (uint8_t)(in->first + swq_first_output(f, port, p->from, p->to));
    if (!f->escapes)
        return;
    const uint32_t first = in->first + (uint32_t)swq_first_output(f, port, p->from, p->to);
    const uint32_t to = w->place[in->base + first].to;
    if (to & SWQ_TO_NODE) {
        lane->may = w->all;
        return;
    }
    lane->escape_out = (uint8_t)first;
    lane->escape_lane = (uint8_t)swq_escape_class(f, to, p->from, p->to);
    if (w->plan.escapes_kept && lane->number < f->escapes && in->upstream < w->inputs)
        swq_port_set_clear(outs, words);
}

static __attribute__((noinline)) void weigh_wide(const swq_worms *w, uint32_t port,
                                                 swq_worm_lane *lane, swq_packet_state *p)
{
    weigh(w, port, lane, p, SWQ_WORM_WIDE);
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

/* The lanes of lanes_to: swq_switch_view.lanes. */
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

/* Takes one of the links that a packet may choose from. At the switch of its node it has none. */
static uint8_t choose(const swq_worms *w, uint32_t port, uint32_t l, swq_packet_state *p)
{
    const swq_fabric *f = w->plan.fabric;
    const swq_switch_view view = {w, taken, lanes_ahead};
    const uint64_t moment = (uint64_t)w->cycle << 5 | l;
    swq_next_link next[SWQ_MAX_NEXT_LINKS];
    const int count = f->shape.kind->next_links(f, port, p, next);

    if (count == 0)
        return (uint8_t)swq_state_output(f, port, p);
    const swq_words word = swq_stream_words(w->told.streams, SWQ_STREAM_TURN, port, moment);
    const int k = w->plan.routing->choose(f, port, p, next, count, &view, word.v[0]);
    p->hops = (uint8_t)(p->hops + (p->hops < UINT8_MAX));
    p->derouted = next[k].derouted;
    return next[k].output;
}

/* The output of a packet that its destination alone determines: swq_worms.straight. */
static inline uint8_t straight_on(const swq_fabric *f, uint32_t port, swq_packet_state *p)
{
    p->hops = (uint8_t)(p->hops + (p->hops < UINT8_MAX));
    return (uint8_t)f->shape.kind->route(f, port, p->from, p->to);
}

static uint8_t routed(const swq_worms *w, uint32_t port, uint32_t l, swq_packet_state *p)
{
    const swq_routing *routing = w->plan.routing;

    if (routing && routing->detours)
        decide(w, port, l, p);
    return routing && routing->choose ? choose(w, port, l, p)
                                      : (uint8_t)swq_state_output(w->plan.fabric, port, p);
}

/* A packet has reached the front of a lane, and is routed. */
void swq_worms_come_to_front(swq_worms *w, uint32_t port, uint32_t l, uint32_t from)
{
    const swq_fabric *f = w->plan.fabric;
    swq_worm_input *in = &w->input[port];
    swq_worm_lane *lane = &w->lane[((size_t)port << w->shift) + l];
    swq_worm *p = &w->worm[lane->worm];

    if (w->outs && w->words == 1) {
        weigh(w, port, lane, &p->state, 1);
    } else if (w->outs) {
        weigh_wide(w, port, lane, &p->state);
    } else {
        lane->out = (uint8_t)(in->first + (w->straight ? straight_on(f, port, &p->state)
                                                       : routed(w, port, l, &p->state)));
        const uint32_t to = w->place[in->base + lane->out].to;
        lane->may = to & SWQ_TO_NODE ? w->all : lanes_to(w, to, &p->state);
    }
    lane->left = p->flits;
    lane->begins = true;
    lane->since = from + (uint32_t)w->plan.times.routing;
    in->waiting |= UINT32_C(1) << l;
    uint32_t *until = &w->until[in->switch_];
    *until = *until > lane->since ? *until : lane->since;
    w->bank[in->bank * 3 * w->words + lane->input / 64] |= port_bit(lane->input % 64);
}

/* What packets see of other switches until the next cycle ends. */
static void look_round(swq_worms *w)
{
    for (uint32_t out = 0; w->known && out < w->inputs; out++)
        w->known[out] = taken_in_all(w, out);
}

void swq_worms_route_fronts(swq_worms *w)
{
    look_round(w);
    for (uint32_t k = 0; k < w->front_count; k++)
        swq_worms_come_to_front(w, w->front[k] >> w->shift, w->lane[w->front[k]].number,
                                w->cycle + 1);
    w->front_count = 0;
}
