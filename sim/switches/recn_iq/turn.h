/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of RECN-IQ, phase by phase as docs/congestion.md has them. The text is compiled twice, by
 * cycle.c and cycle_wide.c, which set WORDS: sim/switches/saqs/ports.h.
 */
#include "sim/switches/recn_iq/recn_iq.h"
#include "sim/switches/saqs/ports.h"

enum { XOFF, XON };

/* A unit, and the sets of its ports: a record of w->unit. */
typedef struct iq_unit {
    uint64_t first; /* its first input and output */
    swq_port_set idle[WORDS], able[WORDS], unsettled[WORDS], freeing[WORDS];
    swq_port_set links[WORDS], credited[WORDS];
} iq_unit;

static inline iq_unit *unit_of(const swq_iq *w, uint32_t unit)
{
    return (iq_unit *)w->unit + unit;
}

/* ---- due events ---- */

typedef struct {
    swq_port_set port[SWQ_IQ_DUE][WORDS]; /* sets of a unit's ports */
} due_sets;

/* Takes the events that are due at a unit in this cycle out of the wheel. */
static due_sets take_due(const swq_iq *w, uint32_t unit)
{
    const size_t record = (size_t)swq_iq_slot(w, w->cycle) * w->units + unit;
    uint8_t *set = w->due_ports + record * SWQ_IQ_DUE * w->bytes;
    due_sets taken;

    for (int kind = 0; kind < SWQ_IQ_DUE; kind++) {
        swq_port_set ports[WORDS] = {0};
        for (uint32_t k = 0; k < w->bytes; k++, set++) {
            ports[WORDS == 1 ? 0 : k / 8] |= (swq_port_set)*set << 8 * (WORDS == 1 ? k : k % 8);
            *set = 0;
        }
        for (uint32_t at = 0; at < WORDS; at++)
            taken.port[kind][at] = ports[at];
    }
    return taken;
}

/* ---- small words ---- */

static uint32_t bit(uint32_t k)
{
    return UINT32_C(1) << k;
}

/* The first member of a set, cyclically from `from` on. */
static uint32_t first_from(uint32_t set, uint32_t from)
{
    const uint32_t later = set & ~(bit(from) - 1);

    return (uint32_t)__builtin_ctz(later ? later : set);
}

static uint64_t head_way(const swq_iq *w, uint32_t port, uint32_t q)
{
    return swq_iq_slots_of(w, port)[swq_iq_queues_of(w, port)[q].list.head].route;
}

/* Updates the unit's sets about an input. */
static void note_input(swq_iq *w, const swq_iq_input *in)
{
    iq_unit *u = unit_of(w, in->unit);

    note_port(u->able, in->port, in->settled & ~in->stopped);
    note_port(u->unsettled, in->port, in->filled & ~in->settled);
}

static void tell(const swq_iq *w, swq_saq_event_kind kind, uint32_t port, int number,
                 const swq_path *path)
{
    if (w->told.event) {
        const swq_saq_event e = {.cycle = w->cycle,
                                 .kind = kind,
                                 .port = port,
                                 .number = number,
                                 .turns = path->turns,
                                 .length = swq_path_turns(path, w->bits),
                                 .bits = w->bits};
        w->told.event(w->told.event_arg, &e);
    }
}

/* ---- SAQs ---- */

/* Allocate a SAQ; 0: none is free. */
static uint32_t allocate(swq_iq *w, uint32_t port, const swq_path *path, bool stopped)
{
    swq_iq_input *in = &w->in[port];
    swq_path *line = swq_iq_lines_of(w, port);
    uint32_t valid = in->valid >> 1;
    const int k = swq_cam_take(line + 1, &valid, w->plan.saqs, path);

    if (k == SWQ_NO_LINE)
        return 0;
    const uint32_t q = (uint32_t)k + 1;
    in->valid |= bit(q);
    in->stopped = stopped ? in->stopped | bit(q) : in->stopped & ~bit(q);
    in->sent &= ~bit(q);
    in->used &= ~bit(q);
    put_port(unit_of(w, in->unit)->freeing, in->port);
    for (uint32_t set = in->settled; set; set &= set - 1) {
        const uint32_t other = (uint32_t)__builtin_ctz(set);
        if (line[other].mask < path->mask && swq_path_matches(path, head_way(w, port, other)))
            in->settled &= ~bit(other);
    }
    note_input(w, in);
    swq_saq_taken(&w->counts, port, w->cycle);
    tell(w, stopped ? SWQ_SAQ_TOLD : SWQ_SAQ_DETECTED, port, (int)q, path);
    return q;
}

static uint32_t find(const swq_iq *w, uint32_t port, const swq_path *path)
{
    const int k = swq_cam_find(swq_iq_lines_of(w, port) + 1, w->in[port].valid >> 1, path);
    return k == SWQ_NO_LINE ? 0 : (uint32_t)k + 1;
}

/* Is a head of a queue with a shorter path about to move into that SAQ? */
static bool is_wanted(const swq_iq *w, uint32_t port, uint32_t q)
{
    const swq_path *line = swq_iq_lines_of(w, port);

    for (uint32_t set = w->in[port].filled; set; set &= set - 1) {
        const uint32_t other = (uint32_t)__builtin_ctz(set);
        if (line[other].mask < line[q].mask && swq_path_matches(&line[q], head_way(w, port, other)))
            return true;
    }
    return false;
}

/* Phase 5 for an input; true: some SAQ must be looked at again. */
static bool free_saqs(swq_iq *w, uint32_t port)
{
    swq_iq_input *in = &w->in[port];
    bool left = false;

    for (uint32_t set = in->valid & ~in->filled & ~in->stopped; set; set &= set - 1) {
        const uint32_t q = (uint32_t)__builtin_ctz(set);
        if (in->used & bit(q) || !is_wanted(w, port, q)) {
            in->valid &= ~bit(q);
            in->used &= ~bit(q);
            swq_saq_given(&w->counts, port, w->cycle);
            tell(w, SWQ_SAQ_FREED, port, (int)q, &swq_iq_lines_of(w, port)[q]);
        } else {
            left = true;
        }
    }
    return left;
}

/* ---- phase 1: news ---- */

static void notify(swq_iq *w, uint32_t port, uint32_t q, uint16_t kind)
{
    const swq_path *path = &swq_iq_lines_of(w, port)[q];
    swq_iq_input *in = &w->in[port];

    in->sent ^= bit(q);
    if (kind == XOFF)
        w->counts.xoffs++;
    else
        w->counts.xons++;
    swq_news_send(&w->news, w->cycle, (uint32_t)w->plan.hop,
                  (swq_news_item){.path = *path, .port = in->upstream, .kind = kind});
    tell(w, kind == XOFF ? SWQ_SAQ_XOFF : SWQ_SAQ_XON, port, (int)q, path);
}

/* A path that an output is told of, as seen from an input of its unit. */
static swq_path inside(const swq_iq *w, uint32_t out, const swq_path *path)
{
    return swq_iq_at_node(w, out) ? *path : swq_path_behind(path, w->out[out].port, w->bits);
}

static void take_xoff(swq_iq *w, const swq_news_item *item)
{
    swq_iq_output *out = &w->out[item->port];
    swq_path *line = swq_iq_output_lines_of(w, item->port);

    if (swq_cam_find(line, out->lines, &item->path) != SWQ_NO_LINE)
        return;
    const int k = swq_cam_take(line, &out->lines, w->plan.saqs, &item->path);
    if (k == SWQ_NO_LINE)
        w->counts.lost_notices++;
    tell(w, k == SWQ_NO_LINE ? SWQ_SAQ_NO_LINE : SWQ_SAQ_LINE_TAKEN, item->port, k, &item->path);
}

static void release(swq_iq *w, uint32_t port, const swq_path *path)
{
    swq_iq_input *in = &w->in[port];
    const uint32_t q = find(w, port, path);

    if (!q)
        return;
    const bool was_stopped = in->stopped & bit(q);
    in->stopped &= ~bit(q);
    in->used |= bit(q);
    put_port(unit_of(w, in->unit)->freeing, in->port);
    note_input(w, in);
    swq_iq_wake(w, w->cycle, in->unit);
    if (was_stopped)
        tell(w, SWQ_SAQ_RELEASED, port, (int)q, path);
}

static void take_xon(swq_iq *w, const swq_news_item *item)
{
    swq_iq_output *out = &w->out[item->port];
    const int k = swq_cam_find(swq_iq_output_lines_of(w, item->port), out->lines, &item->path);

    if (k == SWQ_NO_LINE)
        return;
    out->lines &= ~bit((uint32_t)k);
    tell(w, SWQ_SAQ_LINE_FREED, item->port, k, &item->path);
    const swq_path path = inside(w, item->port, &item->path);
    const uint32_t first = (uint32_t)unit_of(w, out->unit)->first;
    const uint32_t ports = swq_iq_at_node(w, item->port) ? 1 : (uint32_t)w->plan.fabric->ports;
    for (uint32_t port = first; port < first + ports; port++)
        release(w, port, &path);
}

static void take_notices(swq_iq *w)
{
    swq_news_item item;

    while (swq_news_take(&w->news, w->cycle, &item)) {
        if (item.kind == XOFF)
            take_xoff(w, &item);
        else
            take_xon(w, &item);
    }
}

static void take_news(swq_iq *w, iq_unit *u, const due_sets *d)
{
    EACH_PORT (k, d->port[SWQ_IQ_CREDIT][at])
        w->out[u->first + k].credits++;
    for (uint32_t at = 0; at < WORDS; at++) {
        u->credited[at] |= d->port[SWQ_IQ_CREDIT][at];
        u->links[at] |= d->port[SWQ_IQ_LINK][at];
        u->idle[at] |= d->port[SWQ_IQ_READ][at];
    }
    EACH_PORT (k, d->port[SWQ_IQ_READ][at])
        swq_iq_free_slot(w, (uint32_t)u->first + k);
}

/* ---- phase 2: arrivals ---- */

static void detect(swq_iq *w, uint32_t port)
{
    const iq_unit *u = unit_of(w, w->in[port].unit);
    const uint32_t turn = swq_route_turn(head_way(w, port, 0), w->bits);
    const swq_path path = swq_path_of_turn(turn, w->bits);

    if (find(w, port, &path))
        return;
    w->counts.detections++;
    w->counts.false_detections += has_port(u->links, turn) && has_port(u->credited, turn);
    if (!allocate(w, port, &path, false)) {
        w->counts.unserved_detections++;
        tell(w, SWQ_SAQ_NONE_FREE, port, 0, &path);
    }
}

static void arrive(swq_iq *w, uint32_t port)
{
    swq_iq_input *in = &w->in[port];
    swq_slot *slot = swq_iq_slots_of(w, port);
    swq_iq_queue *cold = swq_iq_queues_of(w, port);

    swq_slot_append(slot, &cold->list, swq_slot_leaves(slot, &in->come));
    in->filled |= 1;
    note_input(w, in);
    if (cold->list.packets >= w->plan.detect && w->plan.saqs && !swq_iq_at_node(w, port))
        detect(w, port);
}

/* ---- phase 3: post-processing ---- */

/* Updates the state of a queue and its SAQ when a packet has left the queue, for another queue of
 * the port or for good. */
static void left(swq_iq *w, uint32_t port, uint32_t q)
{
    swq_iq_input *in = &w->in[port];
    const uint16_t packets = swq_iq_queues_of(w, port)[q].list.packets;

    in->settled &= ~bit(q);
    if (packets == 0)
        in->filled &= ~bit(q);
    if (q == 0) {
        if (packets + 1 == w->plan.cold && swq_iq_at_node(w, port))
            w->told.room(w->told.arg, port - w->inputs);
        return;
    }
    if (in->sent & bit(q) && packets < w->plan.xon)
        notify(w, port, q, XON);
    if (packets == 0)
        put_port(unit_of(w, in->unit)->freeing, in->port);
}

static void move(swq_iq *w, uint32_t port, uint32_t from, uint32_t to)
{
    swq_iq_input *in = &w->in[port];
    swq_slot *slot = swq_iq_slots_of(w, port);
    swq_iq_queue *queue = swq_iq_queues_of(w, port);

    swq_slot_append(slot, &queue[to].list, swq_slot_leaves(slot, &queue[from].list));
    in->filled |= bit(to);
    in->used |= bit(to);
    w->counts.moves++;
    if (queue[to].list.packets >= w->plan.xoff && !(in->sent & bit(to)) && !swq_iq_at_node(w, port))
        notify(w, port, to, XOFF);
    left(w, port, from);
}

static void inspect(swq_iq *w, uint32_t port)
{
    swq_iq_input *in = &w->in[port];
    const uint32_t q = first_from(in->filled & ~in->settled, in->inspect);
    const uint64_t route = head_way(w, port, q);
    const swq_path *line = swq_iq_lines_of(w, port);
    const int k = swq_cam_shortest(line + 1, in->valid >> 1, route, line[q].mask);

    in->looked = w->cycle + (uint32_t)w->plan.inspection;
    in->inspect = (uint8_t)(q + 1 < (uint32_t)w->queues ? q + 1 : 0);
    w->counts.inspections++;
    if (k != SWQ_NO_LINE) {
        move(w, port, q, (uint32_t)k + 1);
    } else {
        in->settled |= bit(q);
        swq_iq_queues_of(w, port)[q].goes =
            (uint16_t)(swq_iq_at_node(w, port) ? 0 : swq_route_turn(route, w->bits));
    }
    note_input(w, in);
}

/* ---- phase 4: arbitration and departures ---- */

/* The queue that an input sends from, given the free outputs; w->queues: none can send. */
static uint32_t pick(const swq_iq *w, uint32_t port, const swq_port_set *open)
{
    const swq_iq_input *in = &w->in[port];
    const swq_iq_queue *queue = swq_iq_queues_of(w, port);
    const uint32_t ready = in->settled & ~in->stopped;
    const uint32_t later = ready & ~(bit(in->pick) - 1);

    for (uint32_t set = later; set; set &= set - 1) {
        const uint32_t q = (uint32_t)__builtin_ctz(set);
        if (has_port(open, queue[q].goes))
            return q;
    }
    for (uint32_t set = ready & ~later; set; set &= set - 1) {
        const uint32_t q = (uint32_t)__builtin_ctz(set);
        if (has_port(open, queue[q].goes))
            return q;
    }
    return (uint32_t)w->queues;
}

/* A packet that passes an output makes its input stop the paths for which the output has lines. */
static void stop(swq_iq *w, uint32_t port, uint32_t out, uint64_t route)
{
    const swq_path *line = swq_iq_output_lines_of(w, out);
    swq_iq_input *in = &w->in[port];

    for (uint32_t set = swq_cam_matches(line, w->out[out].lines, route); set; set &= set - 1) {
        const swq_path path = inside(w, out, &line[__builtin_ctz(set)]);
        uint32_t q = find(w, port, &path);
        if (q && in->stopped & bit(q))
            continue;
        if (q) {
            in->stopped |= bit(q);
            tell(w, SWQ_SAQ_STOPPED, port, (int)q, &path);
        } else {
            q = allocate(w, port, &path, true);
        }
        if (q) {
            w->counts.stops++;
        } else {
            w->counts.unserved_stops++;
            tell(w, SWQ_SAQ_NONE_FREE, port, 0, &path);
        }
    }
}

/* A packet begins its way to the next input. */
static void send_on(swq_iq *w, swq_iq_output *out, const swq_slot *from, uint64_t route)
{
    swq_iq_input *next = &w->in[out->to];
    swq_slot *slot = swq_iq_slots_of(w, out->to);

    swq_iq_free_slot(w, out->to); /* its time is phase 1, which may still be to come there */
    const uint16_t k = swq_slot_take(slot, &next->free);

    slot[k].route = route;
    slot[k].packet = from->packet;
    slot[k].bytes = from->bytes;
    swq_slot_append(slot, &next->come, k);
    swq_iq_due(w, w->cycle + (uint32_t)w->plan.hop, next->unit, next->port, SWQ_IQ_ARRIVAL);
    if (--out->credits == 0)
        take_port(unit_of(w, out->unit)->credited, out->port);
}

static void depart(swq_iq *w, uint32_t port, uint32_t q, uint32_t o)
{
    swq_iq_input *in = &w->in[port];
    iq_unit *u = unit_of(w, in->unit);
    swq_slot *slot = swq_iq_slots_of(w, port);
    const uint32_t out = (uint32_t)u->first + o;
    const uint16_t k = swq_slot_leaves(slot, &swq_iq_queues_of(w, port)[q].list);
    const uint32_t end = w->cycle + slot[k].bytes, packet = slot[k].packet;
    const uint64_t route =
        swq_iq_at_node(w, port) ? slot[k].route : swq_route_on(slot[k].route, w->bits);

    take_port(u->idle, in->port);
    take_port(u->links, o);
    in->leaving = k;
    in->until = end;
    swq_iq_due(w, end, in->unit, in->port, SWQ_IQ_READ);
    swq_iq_due(w, end + (uint32_t)w->plan.rest, in->unit, o, SWQ_IQ_LINK);
    if (in->upstream != SWQ_NO_WHERE) {
        const swq_iq_output *up = &w->out[in->upstream];
        swq_iq_due(w, end + (uint32_t)w->plan.credit, up->unit, up->port, SWQ_IQ_CREDIT);
    }
    left(w, port, q);
    note_input(w, in);
    if (w->out[out].to & SWQ_TO_NODE) {
        w->free_packet[w->free_packets++] = packet;
        w->told.last(w->told.arg, packet, port, out);
        return;
    }
    send_on(w, &w->out[out], &slot[k], route);
    if (swq_iq_at_node(w, port))
        w->told.begun(w->told.arg, packet);
    else
        w->told.passed(w->told.arg, packet, port, out);
    if (w->out[out].lines) {
        stop(w, port, out, route);
        note_input(w, in);
    }
}

/* Returns true if an input that was not chosen may be in the next cycle. */
SWQ_INLINE bool arbitrate(swq_iq *w, const iq_unit *u)
{
    const uint32_t first = (uint32_t)u->first;
    swq_port_set open[WORDS], asked[WORDS] = {0}, asking[WORDS] = {0};
    swq_port_set asks[64 * WORDS][WORDS]; /* for each output, the inputs that ask for this output */

    for (uint32_t at = 0; at < WORDS; at++)
        open[at] = u->links[at] & u->credited[at];
    const bool some = any_port(open);
    EACH_PORT (i, some ? u->idle[at] & u->able[at] : 0) {
        const uint32_t port = first + i, q = pick(w, port, open);
        if (q == (uint32_t)w->queues)
            continue;
        const uint32_t o = swq_iq_queues_of(w, port)[q].goes;
        if (!has_port(asked, o))
            swq_port_set_clear(asks[o], WORDS);
        put_port(asks[o], i);
        put_port(asked, o);
        put_port(asking, i);
        w->in[port].asks = (uint8_t)q;
    }
    EACH_PORT (o, asked[at]) {
        swq_iq_output *out = &w->out[first + o];
        const uint32_t i = next_port(asks[o], out->pick);
        swq_iq_input *in = &w->in[first + i];
        const uint32_t q = in->asks;
        take_port(asking, i);
        out->pick = (uint8_t)(i + 1 < (uint32_t)w->plan.fabric->ports ? i + 1 : 0);
        in->pick = (uint8_t)(q + 1 < (uint32_t)w->queues ? q + 1 : 0);
        depart(w, first + i, q, o);
    }
    return any_port(asking);
}

/* ---- a cycle ---- */

SWQ_INLINE void turn(swq_iq *w, uint32_t unit)
{
    iq_unit *u = unit_of(w, unit);
    const uint32_t first = (uint32_t)u->first;
    const due_sets d = take_due(w, unit);

    take_news(w, u, &d);
    EACH_PORT (k, d.port[SWQ_IQ_ARRIVAL][at])
        arrive(w, first + k);
    EACH_PORT (k, u->unsettled[at])
        if (w->in[first + k].looked <= w->cycle)
            inspect(w, first + k);
    const bool again = arbitrate(w, u);
    EACH_PORT (k, u->freeing[at])
        if (!free_saqs(w, first + k))
            take_port(u->freeing, k);
    if (again || any_port(u->unsettled))
        swq_iq_wake(w, w->cycle + 1, unit);
}

static void turn_all(swq_iq *w)
{
    uint64_t *slot = w->due + (size_t)swq_iq_slot(w, w->cycle) * w->words;

    if (w->news.flying)
        take_notices(w);
    for (uint32_t word = 0; word < w->words; word++) {
        uint64_t set = slot[word];
        slot[word] = 0;
        for (; set; set &= set - 1)
            turn(w, word * 64 + (uint32_t)__builtin_ctzll(set));
    }
    w->cycle++;
}

/* ---- empty ---- */

static void empty_units(swq_iq *w)
{
    for (uint32_t unit = 0; unit < w->units; unit++) {
        const uint32_t first = swq_iq_first(w, unit);
        iq_unit *u = unit_of(w, unit);
        u->first = first;
        for (uint32_t k = 0; k < swq_iq_first(w, unit + 1) - first; k++) {
            put_port(u->idle, k);
            if (w->out[first + k].to == SWQ_NO_WHERE) /* a link that leads nowhere */
                continue;
            put_port(u->links, k);
            put_port(u->credited, k);
        }
    }
}
