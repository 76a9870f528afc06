/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of worms: arrivals, grants of lanes, crossings, and what nodes send. A switch looks at
 * nothing of another one, and what it sends arrives in a later cycle: so each does all its work of
 * the cycle at once, while its memory is near, and the order of switches does not matter. Small
 * switches do so together, in banks: a loop over a set of ports that ends after one or two of them
 * is mispredicted each time.
 *
 * This is the text of a turn, included by general.c for all plans, and with SWQ_WORM_LEAN 1 by
 * lean.c for those that need no more: swq_worms_are_lean. Both are for links of one speed, and
 * paced.c and lean_paced.c, with SWQ_WORM_PACED 1, for links of several. All of them are for
 * switches of up to 64 ports; general_wide.c and so on are for more, with SWQ_WORM_WORDS words for
 * a set of ports.
 */
#include "base/fetch.h"
#include "sim/switches/wormhole/round_trips.h"

enum {
    LINE = 64, /* bytes of a line of the caches */
    AHEAD = 8  /* packets that are fetched ahead */
};

/* ---- arrivals ---- */

/* A flit comes to an input. */
static inline void arrive(const swq_worm_here *h, uint32_t i, swq_worm_flit flit)
{
    swq_worms *w = h->w;
    const uint32_t number = (i << h->shift) + flit.lane;
    swq_worm_lane *lane = &h->lane[number];

    if (flit.worm != SWQ_NO_WORM && lane->packets++ == 0) { /* a header, for the front */
        lane->worm = flit.worm;
        lane->here = 1;
        swq_worms_come_to_front(w, h->base + i, flit.lane, h->cycle);
        return;
    }
    if (lane->packets > 1) {
        swq_worm_behind *ring = &w->behind[(((size_t)h->base << h->shift) + number) * w->depth];
        uint32_t last = lane->first + lane->packets - 1u;
        last -= last >= w->depth ? w->depth : 0;
        if (flit.worm != SWQ_NO_WORM)
            ring[last] = (swq_worm_behind){flit.worm, 1};
        else
            ring[last].here++;
        return;
    }
    lane->here++;
    ask_if_credited(h, lane);
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
    if (++w->idle >= SWQ_WORM_SPARE && w->team)
        swq_worms_give_numbers(w);
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

/* The flits that come to a bank, whose words in the time wheel begin at `first`. */
static inline void receive(const swq_worm_here *h, uint32_t slot, size_t first)
{
    const swq_worm_flit *flit = &h->w->flit[swq_worms_at_input(h->w, slot, h->base)];
    uint32_t i;

    EACH_PORT (i, swq_worms_arriving(h->w, first + at, true))
        arrive(h, i, flit[i]);
}

/* The credits that come back to the outputs of a bank. */
static inline void take_credits_back(const swq_worm_here *h, uint32_t slot, size_t first)
{
    const uint8_t *lane = &h->w->credited[swq_worms_at_place(h->w, slot, h->base)];
    uint32_t o;

    EACH_PORT (o, swq_worms_returning(h->w, first + at, true)) {
        if (!SWQ_WORM_LEAN && h->w->by_credits)
            look_until(h, o, h->cycle);
        if (times_credits(h->w))
            note_back(h, o, lane[o]);
        take_back(h, o, lane[o]);
    }
}

/* The credits that come back to nodes. */
static void take_credits_back_to_nodes(swq_worms *w, uint32_t slot)
{
    const uint8_t *lane = &w->credited[swq_worms_at_place(w, slot, w->inputs)];

    for (uint32_t first = 0; first < w->plan.fabric->nodes; first += 64) {
        uint64_t *word = &w->returning_node[swq_worms_at_node(w, slot, first)];
        for (uint64_t set = *word; set; set &= set - 1) {
            const uint32_t node = first + (uint32_t)__builtin_ctzll(set);
            change_credit_at_node(w, w->inputs + node, lane[node], 1);
        }
        *word = 0;
    }
}

#if !SWQ_WORM_LEAN

static void activate_those_that_come(const swq_worm_here *h)
{
    uint32_t i;

    EACH_PORT (i, h->sets->coming[at]) {
        swq_worm_input *in = &h->in[i];
        for (uint32_t set = in->coming; set; set &= set - 1) {
            const uint32_t l = first_of(set);
            swq_worm_lane *lane = &h->lane[(i << h->shift) + l];
            if (lane->since > h->cycle)
                continue;
            in->coming &= ~(UINT32_C(1) << l);
            activate(h, lane);
        }
        take_port(h->sets->coming, i, !in->coming);
    }
}

#endif

/* ---- the crossbar ---- */

/* The last flit of a packet has left its buffer, and the next packet moves to the front. */
static inline void make_way(const swq_worm_here *h, uint32_t i, uint32_t l)
{
    swq_worms *w = h->w;
    const uint32_t number = (i << h->shift) + l;
    swq_worm_lane *lane = &h->lane[number];

    lane->active = false;
    lane->first = (uint8_t)(lane->first + 1u < w->depth ? lane->first + 1u : 0);
    if (--lane->packets > 0) {
        const size_t ring = (((size_t)h->base << h->shift) + number) * w->depth;
        const swq_worm_behind *front = &w->behind[ring + lane->first];
        lane->worm = front->worm;
        lane->here = (uint16_t)front->here;
        if (w->front)
            w->front[w->front_count++] = ((h->base + i) << h->shift) + l;
        else
            swq_worms_come_to_front(w, h->base + i, l, h->cycle + 1);
    }
}

/* Moves a flit from lane l of input i, one of those that ask for this, to output o of its switch.
 */
static inline void cross(const swq_worm_here *h, uint32_t i, uint32_t o, uint32_t l,
                         uint32_t rivals)
{
    swq_worms *w = h->w;
    const swq_worm_times *t = &w->plan.times;
    swq_worm_lane *lane = &h->lane[(i << h->shift) + l];
    swq_worm_place *place = &h->place[o];
    const uint32_t worm = lane->worm, out_lane = lane->out_lane;
    const uint32_t ahead = (uint32_t)(t->crossbar + t->crossing);
    const uint32_t delay = take_link(w, h->base + o, place);
    const bool header = lane->begins, tail = --lane->left == 0;

    lane->here--;
    if (place->to & SWQ_TO_NODE) {
        if (header)
            leaves(w, ahead, worm, false);
        if (tail)
            leaves(w, ahead + delay, worm, true);
    } else {
        take_credit(h, o, out_lane);
        if (times_credits(w))
            note_sent(h, o, out_lane);
        on_its_way(w, ahead + delay, place, out_lane, header ? worm : SWQ_NO_WORM);
    }
    if (!times_credits(w) || !holds_back(h, i, l, o))
        give_back(w, &h->in[i], l);
    if (has_pools(w)) /* of whose lanes several may have lost room */
        rivals = lanes_for(h, i, o, h->in[i].asking);
    ask_no_more(h, lane, rivals, tail | (lane->here == 0) | !(place->credited >> out_lane & 1));
    if (header) {
        lane->begins = false;
        w->told.passed(w->told.arg, worm, h->base + i, h->base + o, lane->left + 1);
    }
    if (tail) {
        give_away(h, o, out_lane, false);
        look_until(h, i, h->cycle + 1);
        make_way(h, i, l);
    }
}

/* One iteration of iSLIP: each output grants its next input, ... Sets the set of these inputs. */
static inline void grant_outputs(const swq_worm_here *h, swq_worm_ports *accepting)
{
    swq_worm_ports *granted = h->w->notes.granted;
    uint32_t o;

    no_ports(accepting);
    EACH_PORT (o, h->sets->asked[at]) {
        if (!link_is_free(h->w, h->base + o))
            continue;
        const uint32_t i = next_port(asked_of(h, o), h->place[o].grant);
        put_port(&granted[i * SWQ_WORM_WORDS], o, true);
        put_port(accepting, i, true);
    }
}

/* ... and each input accepts its next output; the input's lanes for that output take turns. */
static inline void accept_outputs(const swq_worm_here *h, const swq_worm_ports *accepting)
{
    const uint32_t ports = h->w->ports, lanes = h->w->lanes;
    uint32_t i;

    EACH_PORT (i, accepting[at]) {
        swq_worm_input *in = &h->in[i];
        swq_worm_ports *granted = h->w->notes.granted + i * SWQ_WORM_WORDS;
        const uint32_t o = next_port(granted, in->accept);
        const uint32_t rivals = lanes_for(h, i, o, in->asking);
        uint8_t *turn = &h->w->turn[(size_t)(h->base + i) * ports + o - in->first];
        const uint32_t l = next_of(rivals, *turn);
        no_ports(granted);
        h->place[o].grant = port_behind(i);
        in->accept = port_behind(o);
        *turn = (uint8_t)(l + 1 < lanes ? l + 1 : 0);
        cross(h, i, o, l, rivals);
    }
}

/* Gives lanes to packets of a bank, and lets its flits cross. */
static inline void work(const swq_worm_here *h)
{
    swq_worm_ports accepting[SWQ_WORM_WORDS];

#if !SWQ_WORM_LEAN
    if (any_port(h->sets->coming))
        activate_those_that_come(h);
#endif
    const bool waits = any_port(h->sets->waiting);
    if (waits)
        request_and_grant(h);
    if (waits && !SWQ_WORM_LEAN)
        give_lanes(h);
    if (any_port(h->sets->asked)) {
        grant_outputs(h, accepting);
        accept_outputs(h, accepting);
    }
    if (waits && SWQ_WORM_LEAN) /* which ask from the next cycle on */
        give_lanes(h);
#if !SWQ_WORM_LEAN
    swq_worm_notes *n = &h->w->notes;
    for (uint32_t k = 0; k < n->given_count; k++)
        activate(h, &h->lane[n->given[k]]);
    n->given_count = 0;
#endif
}

/* ---- nodes ---- */

/* Gives the packet that waits at a node a lane, if there is one. */
static bool begin(swq_worms *w, uint32_t node, uint32_t *l)
{
    const uint32_t place = w->inputs + node;
    const swq_worm_place *p = &w->place[place];
    swq_worm_node *n = &w->node[node];
    const swq_worm *worm = &w->worm[n->worm];
    uint32_t may = p->unowned & p->credited;

    if (may)
        may = free_of(
            w, place,
            may & (w->node_lanes ? w->node_lanes : swq_worm_lanes(&w->plan, p->to, &worm->state)));
    if (!may)
        return false;
    *l = next_of(may, n->turn);
    n->turn = (uint8_t)(*l + 1 < w->lanes ? *l + 1 : 0);
    n->lanes |= UINT32_C(1) << *l;
    n->packets++;
    n->latest = n->worm;
    n->worm = SWQ_NO_WORM;
    w->under_way[(node << w->shift) + *l] = (swq_worm_sending){n->latest, worm->flits};
    give_away_at_node(w, place, *l, true);
    return true;
}

/* The last flit of a packet has left its node. */
static void end(swq_worms *w, uint32_t node, uint32_t l)
{
    swq_worm_node *n = &w->node[node];

    give_away_at_node(w, w->inputs + node, l, false);
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

    if (!link_is_free(w, place))
        return;
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
    change_credit_at_node(w, place, l, -1);
    on_its_way(w, take_link(w, place, p), p, l, header ? s->worm : SWQ_NO_WORM);
    if (header) {
        w->told.begun(w->told.arg, s->worm);
        if (n->packets < w->plan.node_lanes)
            w->told.done(w->told.arg, s->worm);
    }
    if (--s->left == 0)
        end(w, node, l);
}

/* ---- the turn ---- */

/* Begins to fetch a row of an array: what the ports of a bank have there. */
static inline void fetch_row(const void *row, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE)
        swq_fetch((const char *)row + at);
}

/* What a bank surely needs, ... */
static void fetch_rows(const swq_worms *w, uint32_t slot, uint32_t bank)
{
    const swq_fabric *f = w->plan.fabric;
    const size_t base = (size_t)bank * w->bank_ports, ports = w->bank_ports;

    fetch_row(&w->flit[swq_worms_at_input(w, slot, (uint32_t)base)], ports * sizeof *w->flit);
    fetch_row(&w->input[base], ports * sizeof *w->input);
    fetch_row(&w->place[base], ports * sizeof *w->place);
    fetch_row(&w->asked[base * SWQ_WORM_WORDS], ports * SWQ_WORM_WORDS * sizeof *w->asked);
    fetch_row(&w->exit[base << w->shift], (ports * sizeof *w->exit) << w->shift);
    fetch_row(&w->turn[base * w->ports], ports * w->ports);
    if (!f->shape.kind->classes_are_outputs)
        fetch_row(&f->output[base * (size_t)f->classes], ports * (size_t)f->classes);
}

/* ... and, once that is there, the lanes that flits come to or ask in, and the packets that come.
 */
static void fetch_lanes(const swq_worms *w, uint32_t slot, uint32_t bank)
{
    const uint32_t base = bank * w->bank_ports;
    const swq_worm_flit *flit = &w->flit[swq_worms_at_input(w, slot, base)];
    const swq_worm_sets *sets = (const swq_worm_sets *)w->bank + bank;
    const size_t first = SWQ_WORM_WORDS * swq_worms_at_bank(w, slot, bank);
    swq_worm_ports asking[SWQ_WORM_WORDS] = {0};
    uint32_t i;

    EACH_PORT (i, swq_worms_arriving(w, first + at, false)) {
        swq_fetch(&w->lane[((base + i) << w->shift) + flit[i].lane]);
        if (flit[i].worm != SWQ_NO_WORM)
            swq_fetch(&w->worm[flit[i].worm]);
    }
    EACH_PORT (i, sets->asked[at])
        add_ports(asking, &w->asked[(base + i) * SWQ_WORM_WORDS]);
    EACH_PORT (i, asking[at]) {
        const uint32_t port = base + i;
        const uint32_t l = first_of(w->input[port].asking | 1u << 31);
        swq_fetch(&w->lane[(port << w->shift) + l]);
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

static inline swq_worm_here at_bank(swq_worms *w, uint32_t bank)
{
    const uint32_t base = bank * w->bank_ports;
    const size_t lane = (size_t)base << w->shift;

    return (swq_worm_here){.w = w,
                           .sets = (swq_worm_sets *)w->bank + bank,
                           .in = &w->input[base],
                           .place = &w->place[base],
                           .asked = &w->asked[(size_t)base * SWQ_WORM_WORDS],
                           .exit = &w->exit[lane],
                           .lane = &w->lane[lane],
                           .base = base,
                           .shift = w->shift,
                           .cycle = w->cycle};
}

/* Has a bank nothing to do in this cycle? Its words in the time wheel begin at `first`. */
static inline bool is_idle(const swq_worms *w, size_t first, uint32_t bank)
{
    const swq_worm_sets *s = (const swq_worm_sets *)w->bank + bank;
    swq_worm_ports all = 0;

    for (uint32_t at = 0; at < SWQ_WORM_WORDS; at++)
        all |= w->arriving[first + at] | w->returning[first + at] | s->asked[at] | s->waiting[at] |
               s->coming[at];
    return !all;
}

static void work_in_banks(swq_worms *w, uint32_t slot)
{
    const uint32_t end = w->first_bank + w->banks;
    const size_t row = swq_worms_at_bank(w, slot, 0);

    for (uint32_t bank = w->first_bank; bank < end; bank++) {
        if (w->far && bank + 2 < end) {
            fetch_rows(w, slot, bank + 2);
            fetch_lanes(w, slot, bank + 1);
        }
        const size_t first = SWQ_WORM_WORDS * (row + bank);
        if (!w->team && is_idle(w, first, bank))
            continue;
        const swq_worm_here h = at_bank(w, bank);
        receive(&h, slot, first);
        take_credits_back(&h, slot, first);
        work(&h);
    }
}

static void turn(swq_worms *w)
{
    const uint32_t nodes = w->plan.fabric->nodes, slot = w->cycle & (w->latest - 1);

    receive_at_nodes(w, slot);
    take_credits_back_to_nodes(w, slot);
    work_in_banks(w, slot);
    if (times_credits(w))
        release_credits(w);
    for (uint32_t k = 0; k < (nodes + 63) / 64; k++) {
        if (w->far)
            fetch_packets(w, 64 * k, w->sending[k]);
        for (uint64_t set = w->sending[k]; set; set &= set - 1)
            node_turn(w, 64 * k + (uint32_t)__builtin_ctzll(set));
    }
}
