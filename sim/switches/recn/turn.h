/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of switches with set-aside queues at inputs and outputs: slots and credits that are free,
 * arrivals, the crossbars and the links. docs/congestion.md has the rules. The text is compiled
 * twice, by cycle.c and cycle_wide.c, which set WORDS: sim/switches/saqs/ports.h.
 */
#include "sim/switches/recn/messages.h"

/* ---- sets ---- */

/* The first member of a set that is not empty, cyclically from `from` on. */
static inline int next_of(uint64_t set, uint32_t from)
{
    const uint64_t ahead = set & ~UINT64_C(0) << from;
    return __builtin_ctzll(ahead ? ahead : set);
}

/* ---- queues ---- */

static void append(swq_recn *n, swq_recn_queue *q, uint32_t record)
{
    n->packet[record].next = UINT32_MAX;
    if (q->packets + q->markers > 0)
        n->packet[q->tail].next = record;
    else
        q->head = record;
    q->tail = record;
}

static inline uint32_t turn_of(const swq_recn *n, uint64_t route)
{
    return swq_route_turn(route, n->bits);
}

static void note_head(swq_recn *n, uint32_t s, swq_recn_queue *q)
{
    if (s < n->inputs && q->packets)
        q->out = (uint8_t)turn_of(n, n->packet[q->head].route);
}

/* ---- packets ---- */

/* The SAQ of a packet at a store, or SWQ_NO_LINE. */
static int saq_of(const swq_recn *n, uint32_t s, const swq_recn_packet *p)
{
    if (n->where)
        return (int)n->where[(size_t)s * n->nodes + p->to] - 1;
    return swq_cam_longest(swq_recn_lines_of(n, s), n->store[s].saqs, p->route);
}

static void arrive(swq_recn *n, uint32_t s)
{
    swq_recn_store *e = &n->store[s];
    const uint32_t record = e->first;
    const swq_recn_packet *p = &n->packet[record];
    const int plain = swq_recn_plain(n, s);

    e->first = p->next;
    int q = e->saqs ? saq_of(n, s, p) : SWQ_NO_LINE;
    q = q != SWQ_NO_LINE ? plain + q : plain > 1 ? (int)turn_of(n, p->route) : 0;
    swq_recn_queue *queue = &swq_recn_queues_of(n, s)[q];
    append(n, queue, record);
    queue->packets++;
    if (queue->packets == 1 && queue->markers == 0)
        note_head(n, s, queue);
    swq_recn_weigh(n, s, q);
    swq_recn_look(n, n->cycle, s);
    if (s < 2 * n->inputs)
        after_arrival(n, s, q, p);
}

/* ---- markers ---- */

/* Removes the markers at the front of a queue that is not blocked, and then the markers at the
 * front of queues that are unblocked thereby; these queues can take part from the next cycle on. */
static void settle_front(swq_recn *n, uint32_t s, int first)
{
    swq_recn_queue *queues = swq_recn_queues_of(n, s);
    swq_recn_saq *saqs = swq_recn_saqs_of(n, s);
    const int plain = swq_recn_plain(n, s);
    uint32_t due = 0; /* SAQs that have been unblocked */

    for (int q = first;; due &= due - 1) {
        swq_recn_queue *queue = &queues[q];
        while (queue->markers && n->packet[queue->head].bytes == 0) {
            const uint32_t record = queue->head;
            const int k = (int)n->packet[record].to;
            queue->head = n->packet[record].next;
            queue->markers--;
            swq_recn_give_back(n, record);
            if (--saqs[k].blocked == 0) {
                due |= UINT32_C(1) << k;
                swq_recn_look(n, n->cycle + 1, s);
            }
        }
        note_head(n, s, queue);
        swq_recn_weigh(n, s, q);
        swq_wheel_set(&n->settling, n->cycle, s);
        if (!due)
            return;
        q = plain + __builtin_ctz(due);
    }
}

/* The packet at the head of a queue begins to leave. */
static uint32_t leave(swq_recn *n, uint32_t s, int q)
{
    swq_recn_queue *queue = &swq_recn_queues_of(n, s)[q];
    const uint32_t record = queue->head;

    queue->head = n->packet[record].next;
    queue->packets--;
    if (queue->markers) {
        settle_front(n, s, q);
    } else {
        note_head(n, s, queue);
        swq_recn_weigh(n, s, q);
    }
    after_departure(n, s, q);
    return record;
}

/* ---- crossbars ---- */

static void cross(swq_recn *n, uint32_t in, int q, uint32_t o)
{
    const swq_recn_plan *plan = &n->plan;
    const uint32_t base = in - in % n->ports, out = n->inputs + base + o;
    swq_recn_store *e = &n->store[in], *to = &n->store[out];
    const uint32_t record = leave(n, in, q);
    swq_recn_packet *p = &n->packet[record];
    const uint32_t cycles =
        (p->bytes * plan->speed_cycles + plan->speed_bytes - 1) / plan->speed_bytes;
    const uint32_t end = n->cycle + cycles > p->tail ? n->cycle + cycles : p->tail + 1;

    e->port_free = to->way_free = end;
    swq_wheel_set(&n->freed, end, in);
    swq_wheel_set(&n->switches, end, base / n->ports);
    swq_recn_take_slot(to);
    p->came = (uint8_t)(in - base);
    n->told.crossed(n->told.arg, p, in, base + o);
    p->route = swq_route_on(p->route, n->bits);
    swq_recn_comes_to(n, out, record, n->cycle + plan->crossbar_delay);
}

/* The outputs of a switch to which a packet can cross. */
static void open_outputs(const swq_recn *n, uint32_t base, swq_port_set *open)
{
    const swq_recn_store *out = &n->store[n->inputs + base];

    for (uint32_t at = 0; at < WORDS; at++)
        open[at] = 0;
    for (uint32_t o = 0; o < n->ports; o++) {
        if (out[o].way_free <= n->cycle && out[o].taken < n->plan.slots[SWQ_RECN_OUTPUT])
            put_port(open, o);
    }
}

/* Would a head join a SAQ that is long and whose notice its input has refused? */
static bool held_by_refusal(const swq_recn *n, uint32_t in, const swq_recn_queue *queue)
{
    const uint32_t port = in % n->ports, out = n->inputs + in - port + queue->out;
    swq_recn_packet p = n->packet[queue->head];

    if (!n->store[out].saqs)
        return false;
    p.route = swq_route_on(p.route, n->bits);
    const int k = saq_of(n, out, &p);
    return k != SWQ_NO_LINE && has_port(contributors_of(n, out, k)->refused, port) &&
           swq_recn_queues_of(n, out)[n->plain[SWQ_RECN_OUTPUT] + k].packets >= n->plan.xoff;
}

/* The first queue of an input, cyclically, whose head can cross; -1: there is none. */
static int pick(const swq_recn *n, uint32_t in, const swq_port_set *open)
{
    enum { QUEUE_WORDS = WORDS == 1 ? 1 : SWQ_RECN_QUEUE_WORDS };
    const swq_recn_store *e = &n->store[in];
    const swq_recn_queue *queues = swq_recn_queues_of(n, in);
    const uint64_t *may = WORDS == 1 ? &e->may : n->ready + (size_t)in * SWQ_RECN_QUEUE_WORDS;
    swq_port_set left[QUEUE_WORDS];

    for (int at = 0; at < QUEUE_WORDS; at++)
        left[at] = may[at];
    while (swq_port_set_any(left, QUEUE_WORDS)) {
        const uint32_t q = swq_port_set_next(left, e->turn, QUEUE_WORDS);
        swq_port_set_take(left, q, QUEUE_WORDS);
        if (has_port(open, queues[q].out) &&
            !(n->plan.refused == SWQ_REFUSED_HOLD && held_by_refusal(n, in, &queues[q])))
            return (int)q;
    }
    return -1;
}

static void cross_all(swq_recn *n, uint32_t sw)
{
    const uint32_t base = sw * n->ports;
    swq_port_set asked[64 * WORDS][WORDS]; /* for each output, the inputs that ask for it */
    swq_port_set open[WORDS], outputs[WORDS] = {0}, granted[WORDS] = {0}, all[WORDS] = {0};

    open_outputs(n, base, open);
    for (uint32_t i = 0, ports = any_port(open) ? n->ports : 0; i < ports; i++) {
        swq_recn_store *e = &n->store[base + i];
        if (!e->may || e->port_free > n->cycle)
            continue;
        const int q = pick(n, base + i, open);
        if (q < 0)
            continue;
        const uint8_t o = swq_recn_queues_of(n, base + i)[q].out;
        e->picked = (uint16_t)q;
        if (!has_port(outputs, o))
            swq_port_set_clear(asked[o], WORDS);
        put_port(asked[o], i);
        put_port(outputs, o);
        put_port(all, i);
    }
    EACH_PORT (o, outputs[at]) {
        swq_recn_store *to = &n->store[n->inputs + base + o];
        const uint32_t i = next_port(asked[o], to->grant);
        put_port(granted, i);
        to->grant = (uint8_t)(i + 1 < n->ports ? i + 1 : 0);
    }
    EACH_PORT (i, granted[at]) {
        const uint32_t in = base + i;
        const int q = n->store[in].picked;
        n->store[in].turn = (uint16_t)(q + 1 < n->queues[SWQ_RECN_INPUT] ? q + 1 : 0);
        cross(n, in, q, swq_recn_queues_of(n, in)[q].out);
    }
    for (uint32_t at = 0; at < WORDS; at++)
        all[at] &= ~granted[at];
    if (any_port(all))
        swq_wheel_set(&n->switches, n->cycle + 1, sw);
}

/* ---- links ---- */

static void over_link(swq_recn *n, uint32_t s, int q)
{
    const swq_recn_plan *plan = &n->plan;
    swq_recn_store *e = &n->store[s];
    const uint32_t record = leave(n, s, q), port = s - n->inputs;
    swq_recn_packet *p = &n->packet[record];

    e->port_free = n->cycle + p->bytes + plan->link_rest;
    swq_wheel_set(&n->freed, n->cycle + p->bytes, s);
    swq_wheel_set(&n->links, e->port_free, port);
    if (e->neighbour & SWQ_TO_NODE) {
        uint32_t *latest = &n->latest[(size_t)p->to * n->nodes + p->from];
        n->more.overtaken += p->birth < *latest;
        *latest = p->birth;
        n->told.arrived(n->told.arg, p, port);
        n->inside--;
        swq_recn_give_back(n, record);
        return;
    }
    e->credit--;
    swq_recn_take_slot(&n->store[e->neighbour]);
    p->tail = n->cycle + p->bytes - 1 + plan->hop_delay;
    p->entered = (uint8_t)(p->entered + (p->entered < UINT8_MAX));
    if (s < 2 * n->inputs)
        n->told.linked(n->told.arg, p, port);
    else
        n->told.begun(n->told.arg, p);
    swq_recn_comes_to(n, e->neighbour, record, n->cycle + plan->hop_delay);
}

static void link_turn(swq_recn *n, uint32_t s)
{
    swq_recn_store *e = &n->store[s];

    if (!e->may || e->port_free > n->cycle || (!(e->neighbour & SWQ_TO_NODE) && e->credit == 0))
        return;
    const int q = next_of(e->may, e->turn);
    const int queues = n->queues[swq_recn_place_of(n, s)];
    e->turn = (uint16_t)(q + 1 < queues ? q + 1 : 0);
    over_link(n, s, q);
}

/* ---- slots ---- */

static void credit(swq_recn *n, uint32_t feeder)
{
    if (n->store[feeder].credit++ == 0)
        swq_recn_look(n, n->cycle, feeder);
}

static void slot_is_free(swq_recn *n, uint32_t s)
{
    swq_recn_store *e = &n->store[s];
    const swq_recn_place at = swq_recn_place_of(n, s);
    const bool full = e->taken == n->plan.slots[at];

    e->taken--;
    switch (at) {
    case SWQ_RECN_INPUT:
        if (n->plan.credit_delay)
            swq_wheel_set(&n->credited, n->cycle + n->plan.credit_delay, e->neighbour);
        else
            credit(n, e->neighbour);
        return;
    case SWQ_RECN_OUTPUT:
        if (full)
            swq_wheel_set(&n->switches, n->cycle, (s - n->inputs) / n->ports);
        return;
    default:
        if (full)
            n->told.room(n->told.arg, s - 2 * n->inputs);
    }
}

/* ---- a cycle ---- */

static void each(swq_recn *n, swq_wheel *wheel, uint32_t first, void (*turn)(swq_recn *, uint32_t))
{
    swq_wheel_due due = swq_wheel_begin(wheel, n->cycle);

    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        for (; set; set &= set - 1)
            turn(n, first + due.word * 64 + (uint32_t)__builtin_ctzll(set));
    }
}

static void turn_all(swq_recn *n)
{
    each(n, &n->freed, 0, slot_is_free);
    each(n, &n->credited, 0, credit);
    deliver_news(n);
    each(n, &n->arriving, 0, arrive);
    each(n, &n->switches, 0, cross_all);
    each(n, &n->links, n->inputs, link_turn);
    each(n, &n->settling, 0, settle);
    n->cycle++;
}
