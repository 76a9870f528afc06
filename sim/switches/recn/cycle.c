/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of switches with set-aside queues at inputs and outputs: slots and credits that are free,
 * arrivals, the crossbars and the links. docs/congestion.md has the rules.
 */
#include "sim/switches/recn/recn.h"

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

static void comes_to(swq_recn *n, uint32_t s, uint32_t record, uint32_t cycle)
{
    swq_recn_store *e = &n->store[s];

    n->packet[record].next = UINT32_MAX;
    if (e->first == UINT32_MAX)
        e->first = record;
    else
        n->packet[e->last].next = record;
    e->last = record;
    swq_wheel_set(&n->arriving, cycle, s);
}

static void take_slot(swq_recn_store *e)
{
    e->taken++;
    if (e->taken > e->most)
        e->most = e->taken;
}

bool swq_recn_open(const swq_recn *n, uint32_t node)
{
    return n->store[2 * n->inputs + node].taken < n->plan.slots[SWQ_RECN_INTERFACE];
}

void swq_recn_give(swq_recn *n, uint32_t node, const swq_recn_packet *p)
{
    const uint32_t s = 2 * n->inputs + node, record = swq_recn_record(n);

    n->packet[record] = *p;
    take_slot(&n->store[s]);
    n->inside++;
    comes_to(n, s, record, n->cycle);
}

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
        swq_recn_joined(n, s, q, p);
}

/* ---- markers ---- */

/* Removes the markers at the front of a queue that is not blocked, and then the markers at the
 * front of queues that are unblocked thereby; these queues can take part from the next cycle on. */
static void settle_front(swq_recn *n, uint32_t s, int first)
{
    swq_recn_queue *queues = swq_recn_queues_of(n, s);
    swq_recn_saq *saqs = swq_recn_saqs_of(n, s);
    const int plain = swq_recn_plain(n, s);
    uint64_t due = UINT64_C(1) << first;

    while (due) {
        const int q = __builtin_ctzll(due);
        swq_recn_queue *queue = &queues[q];
        due &= due - 1;
        while (queue->markers && n->packet[queue->head].bytes == 0) {
            const uint32_t record = queue->head;
            const int k = (int)n->packet[record].to;
            queue->head = n->packet[record].next;
            queue->markers--;
            swq_recn_give_back(n, record);
            if (--saqs[k].blocked == 0) {
                due |= UINT64_C(1) << (plain + k);
                swq_recn_look(n, n->cycle + 1, s);
            }
        }
        note_head(n, s, queue);
        swq_recn_weigh(n, s, q);
        swq_wheel_set(&n->settling, n->cycle, s);
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
    swq_recn_left(n, s, q);
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
    take_slot(to);
    p->came = (uint8_t)(in - base);
    n->told.crossed(n->told.arg, p, in, base + o);
    p->route = swq_route_on(p->route, n->bits);
    comes_to(n, out, record, n->cycle + plan->crossbar_delay);
}

/* The outputs of a switch to which a packet can cross. */
static uint32_t open_outputs(const swq_recn *n, uint32_t base)
{
    const swq_recn_store *out = &n->store[n->inputs + base];
    uint32_t open = 0;

    for (uint32_t o = 0; o < n->ports; o++) {
        if (out[o].way_free <= n->cycle && out[o].taken < n->plan.slots[SWQ_RECN_OUTPUT])
            open |= UINT32_C(1) << o;
    }
    return open;
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
    return k != SWQ_NO_LINE && swq_recn_saqs_of(n, out)[k].refused >> port & 1 &&
           swq_recn_queues_of(n, out)[n->plain[SWQ_RECN_OUTPUT] + k].packets >= n->plan.xoff;
}

/* The first queue of an input, cyclically, whose head can cross; -1: there is none. */
static int pick(const swq_recn *n, uint32_t in, uint32_t open)
{
    const swq_recn_store *e = &n->store[in];
    const swq_recn_queue *queues = swq_recn_queues_of(n, in);

    for (uint64_t left = e->may; left;) {
        const int q = next_of(left, e->turn);
        left &= ~(UINT64_C(1) << q);
        if (open >> queues[q].out & 1 &&
            !(n->plan.refused == SWQ_REFUSED_HOLD && held_by_refusal(n, in, &queues[q])))
            return q;
    }
    return -1;
}

static void cross_all(swq_recn *n, uint32_t sw)
{
    const uint32_t base = sw * n->ports, open = open_outputs(n, base);
    int picked[SWQ_MAX_FABRIC_PORTS] = {0};
    uint32_t asked[SWQ_MAX_FABRIC_PORTS] = {0};
    uint32_t outputs = 0, granted = 0, all = 0;

    for (uint32_t i = 0; i < n->ports && open; i++) {
        const swq_recn_store *e = &n->store[base + i];
        if (!e->may || e->port_free > n->cycle)
            continue;
        picked[i] = pick(n, base + i, open);
        if (picked[i] < 0)
            continue;
        const uint8_t o = swq_recn_queues_of(n, base + i)[picked[i]].out;
        asked[o] |= UINT32_C(1) << i;
        outputs |= UINT32_C(1) << o;
        all |= UINT32_C(1) << i;
    }
    for (uint32_t set = outputs; set; set &= set - 1) {
        const int o = __builtin_ctz(set);
        swq_recn_store *to = &n->store[n->inputs + base + (uint32_t)o];
        const int i = next_of(asked[o], to->grant);
        granted |= UINT32_C(1) << i;
        to->grant = (uint8_t)((uint32_t)i + 1 < n->ports ? i + 1 : 0);
    }
    for (uint32_t set = granted; set; set &= set - 1) {
        const uint32_t in = base + (uint32_t)__builtin_ctz(set);
        const int q = picked[in - base];
        n->store[in].turn = (uint8_t)(q + 1 < n->queues[SWQ_RECN_INPUT] ? q + 1 : 0);
        cross(n, in, q, swq_recn_queues_of(n, in)[q].out);
    }
    if (all & ~granted)
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
    take_slot(&n->store[e->neighbour]);
    p->tail = n->cycle + p->bytes - 1 + plan->hop_delay;
    p->entered = (uint8_t)(p->entered + (p->entered < UINT8_MAX));
    if (s < 2 * n->inputs)
        n->told.linked(n->told.arg, p, port);
    else
        n->told.begun(n->told.arg, p);
    comes_to(n, e->neighbour, record, n->cycle + plan->hop_delay);
}

static void link_turn(swq_recn *n, uint32_t s)
{
    swq_recn_store *e = &n->store[s];

    if (!e->may || e->port_free > n->cycle || (!(e->neighbour & SWQ_TO_NODE) && e->credit == 0))
        return;
    const int q = next_of(e->may, e->turn);
    const int queues = n->queues[swq_recn_place_of(n, s)];
    e->turn = (uint8_t)(q + 1 < queues ? q + 1 : 0);
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

void swq_recn_cycle(swq_recn *n)
{
    each(n, &n->freed, 0, slot_is_free);
    each(n, &n->credited, 0, credit);
    swq_recn_news(n);
    each(n, &n->arriving, 0, arrive);
    each(n, &n->switches, 0, cross_all);
    each(n, &n->links, n->inputs, link_turn);
    each(n, &n->settling, 0, swq_recn_settle);
    n->cycle++;
}
