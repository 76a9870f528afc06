/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transmission of switches with a buffer at each input, by the rules of models/ as they are: what
 * each queue asks for, one call of the arbiter (two with priorities), the packets moved.
 * Room: sim. Includes models.
 */
#include "sim/sync/turn.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* The weight of a stale queue: above any length, and increasing with the cycles that its head has
 * waited. It is far below the weight of a packet for an arbiter that adds lengths up. */
enum { STALE_LEAD = 2 * SWQ_MAX_SLOTS, STALE_MOST = 20000 };

/* What the compiler is told about a network. */
typedef struct {
    int ports;
    bool fanned; /* no classes, and a queue for each output */
    bool single; /* no classes, and one queue */
    bool ahead;  /* room is a matter of the queue that a packet will join: its head is looked at */
} plain_shape;

/* A switch in its turn. */
typedef struct {
    swq_stage_turn at;
    bool always; /* what is behind the outputs takes any packet */
    /* of the buffer behind each output, the queues that have room, a bit each ... */
    uint64_t open[SWQ_MAX_PORTS];
    int mask[SWQ_MAX_PORTS]; /* ... or, where they all have or none has, -1 or 0 */
} plain_turn;

/* A packet that may leave. */
typedef struct {
    int input, output, queue;
} plain_grant;

/* What a stage's turn comes to. */
typedef struct {
    uint64_t busy, sending, sent, lost;
} plain_counts;

static int weight_of(const swq_net *net, size_t queue)
{
    uint32_t waited = net->cycle - net->since[queue];

    if (waited < (uint32_t)net->spec->stale)
        return net->length[queue];
    return STALE_LEAD + (int)(waited < STALE_MOST ? waited : STALE_MOST);
}

/* ---- room ---- */

static inline uint64_t all_of(int queues)
{
    return queues < 64 ? (UINT64_C(1) << queues) - 1 : UINT64_MAX;
}

/* The queues of a buffer, as the stage before sees it, that have room. */
INLINE uint64_t seen_rooms(const swq_net *net, plain_shape s, size_t at)
{
    const uint16_t *seen = swq_seen(net, at);
    uint64_t rooms = 0;

    if (s.fanned)
        return swq_buffer_rooms(&net->part[0].rule, s.ports, seen);
    for (int p = 0; p < net->parts; p++) {
        const swq_buffer_part *part = &net->part[p];
        rooms |= swq_buffer_rooms(&part->rule, part->queues, seen + part->first_queue)
                 << part->first_queue;
    }
    return rooms;
}

/* The same where room is a matter of the parts' free slots alone. */
INLINE uint64_t seen_slots(const swq_net *net, size_t at)
{
    const uint16_t *room = (net->seen_room ? net->seen_room : net->room) + at * (size_t)net->parts;

    if (net->parts == 1)
        return room[0] ? UINT64_MAX : 0;
    const uint64_t first = all_of(net->part[1].first_queue);
    return (room[0] ? first : 0) | (room[1] ? ~first : 0);
}

INLINE void look_ahead(const swq_net *net, plain_shape s, plain_turn *t)
{
    t->always = net->discards || t->at.last;
    for (int j = 0; j < s.ports && t->always; j++)
        t->open[j] = UINT64_MAX;
    for (int j = 0; j < s.ports && !t->always; j++) {
        const size_t next = swq_buffer_at(net, t->at.stage + 1, t->at.to[j]);
        t->open[j] = s.ahead ? seen_rooms(net, s, next) : seen_slots(net, next);
    }
    for (int j = 0; j < s.ports; j++)
        t->mask[j] = -(int)(t->open[j] & 1);
}

/* ---- requests ---- */

/* The output that a packet takes in a stage. */
INLINE int output_of(const swq_net *net, plain_shape s, int stage, uint32_t to)
{
    return s.ports == 4 ? (int)((to & ~SWQ_HIGH) >> net->digit[stage].shift & 3)
                        : swq_output_port(net, stage, to);
}

/* The queue that the packet at the head of a queue joins in the next stage. */
INLINE int next_queue(const swq_net *net, plain_shape s, const plain_turn *t, size_t at, int queue)
{
    const swq_packet *head = &net->packet[swq_head_slot(net, at, queue)];

    return s.fanned ? output_of(net, s, t->at.stage + 1, head->to)
                    : swq_queue_of(net, t->at.stage + 1, head);
}

/* Queues that are each for one output and one class ask for what they hold. */
INLINE void ask_by_queue(const swq_net *net, plain_shape s, const plain_turn *t, int class,
                         size_t at, int *request)
{
    const int base = s.fanned ? 0 : net->queue_base[class];
    const size_t first = at * (size_t)(s.fanned ? s.ports : net->queues) + (size_t)base;
    const uint16_t *length = net->length + first;

    if (s.ahead && !t->always) {
        /* looking at what lies where the head of an empty queue would be takes no branch; a list
         * says nothing of the kind */
        const bool words = swq_queues_are_words(net);
        for (int j = 0; j < s.ports; j++) {
            const int next = words || length[j] ? next_queue(net, s, t, at, base + j) : 0;
            request[j] = length[j] & -(int)(t->open[j] >> next & 1);
        }
    } else {
        for (int j = 0; j < s.ports; j++)
            request[j] = length[j] & (s.fanned ? t->mask[j] : -(int)(t->open[j] >> base & 1));
    }
    if (!net->since)
        return;
    for (int j = 0; j < s.ports; j++) {
        if (request[j])
            request[j] = weight_of(net, first + (size_t)j);
    }
}

/* Queues from `first` to before `end` ask for what their heads ask for. */
static void ask_by_head(swq_net *net, const plain_turn *t, int i, int first, int end)
{
    const size_t at = t->at.buffer + (size_t)i;
    const size_t queues = at * (size_t)net->queues;

    for (int q = first; q < end; q++) {
        if (net->length[queues + (size_t)q] == 0)
            continue;
        const swq_packet *head = &net->packet[swq_head_slot(net, at, q)];
        const int j = swq_output_port(net, t->at.stage, head->to);
        const int class = net->spec->support == SWQ_SUPPORT_NONE ? 0 : swq_class_of(head);
        const int next = t->at.last ? 0 : swq_queue_of(net, t->at.stage + 1, head);
        if (t->open[j] >> next & 1)
            net->requests[class].length[i][j] =
                net->since ? weight_of(net, queues + (size_t)q) : net->length[queues + (size_t)q];
    }
}

/* One queue asks for what its head asks for. */
INLINE void ask_alone(const swq_net *net, plain_shape s, const plain_turn *t, size_t at,
                      int *request)
{
    const int length = net->length[at];

    for (int j = 0; j < s.ports; j++)
        request[j] = 0;
    if (!swq_queues_are_words(net) && length == 0)
        return;
    const int j = output_of(net, s, t->at.stage, net->packet[swq_head_slot(net, at, 0)].to);
    request[j] = length & t->mask[j];
    if (net->since && request[j])
        request[j] = weight_of(net, at);
}

/* The queues of input i where there are classes. */
INLINE void ask_in_general(swq_net *net, plain_shape s, const plain_turn *t, int i)
{
    const int classes = net->spec->support == SWQ_SUPPORT_NONE ? 1 : SWQ_CLASSES;
    /* does a queue hold both classes? */
    const bool mixed = classes > 1 && net->queue_base[SWQ_CLASSES - 1] == 0;

    for (int class = 0; class < classes; class ++) {
        int *request = net->requests[class].length[i];
        if (!mixed && net->queue_fans[class])
            ask_by_queue(net, s, t, class, t->at.buffer + (size_t)i, request);
        else
            memset(request, 0, sizeof *request * (size_t)s.ports);
    }
    for (int class = 0; class < (mixed ? 1 : classes); class ++) {
        if (mixed || !net->queue_fans[class])
            ask_by_head(net, t, i, net->queue_base[class],
                        class + 1 == classes || mixed ? net->queues : net->queue_base[class + 1]);
    }
}

/* What the queues of input i ask for; returns the packets that it holds. */
INLINE int ask(swq_net *net, plain_shape s, const plain_turn *t, int i)
{
    const size_t at = t->at.buffer + (size_t)i;
    const int queues = s.fanned ? s.ports : s.single ? 1 : net->queues;
    const uint16_t *length = net->length + at * (size_t)queues;
    int waiting = 0;

    for (int q = 0; q < queues; q++)
        waiting += length[q];
    net->requests[0].waiting[i] = waiting;
    if (s.fanned)
        ask_by_queue(net, s, t, 0, at, net->requests[0].length[i]);
    else if (s.single)
        ask_alone(net, s, t, at, net->requests[0].length[i]);
    else
        ask_in_general(net, s, t, i);
    return waiting;
}

/* ---- grants ---- */

/* High priority comes first; the others share the rest of the crossbar. */
static void arbitrate(swq_net *net, int *grant, int *class)
{
    const swq_arbiter *arbiter = net->spec->sw.arbiter;
    swq_requests *low = &net->requests[0], *high = &net->requests[1];

    if (net->spec->support != SWQ_SUPPORT_NONE) {
        memcpy(high->waiting, low->waiting, sizeof high->waiting);
        swq_grant_classes(arbiter, low, high, &net->dice, grant, class);
        return;
    }
    arbiter->arbitrate(low, &net->dice, grant);
    if (arbiter->settle)
        arbiter->settle(low, grant);
}

INLINE void move(swq_net *net, plain_shape s, const plain_turn *t, const plain_grant *g,
                 plain_counts *c)
{
    const swq_stage_turn *at = &t->at;
    swq_trail trail = {0};
    const swq_packet p = swq_pop(net, at->buffer + (size_t)g->input, g->queue, &trail);
    const uint32_t line = at->to[g->output];

    swq_note_sent(net, at->stage, at->line + (uint32_t)g->output);
    swq_tell_start(net, at->stage, at->line + (uint32_t)g->output, g->input, &p, trail.from);
    if (at->last) {
        swq_deliver(net, p, trail, line);
        return;
    }
    const size_t to = swq_buffer_at(net, at->stage + 1, line);
    const int join = s.fanned   ? output_of(net, s, at->stage + 1, p.to)
                     : s.single ? 0
                                : swq_queue_of(net, at->stage + 1, &p);
    if (net->discards && !swq_seen_admits(net, to, join)) {
        swq_discard(net, at->stage + 1, p, trail, net->cycle - p.birth + 1);
        c->lost++;
        return;
    }
    trail.entered = net->cycle + 1;
    swq_push(net, to, join, p, trail);
}

/* What a switch's grants are, one after the other; returns how many. */
INLINE int list_grants(const swq_net *net, plain_shape s, const int *grant, const int *class,
                       plain_grant *out, plain_counts *c)
{
    uint32_t inputs = 0;
    int n = 0;

    for (int j = 0; j < s.ports; j++) {
        const bool go = grant[j] != SWQ_NO_INPUT;
        const int queue = s.fanned ? j
                          : s.single
                              ? 0
                              : net->queue_base[class[j]] + (net->queue_fans[class[j]] ? j : 0);
        out[n] = (plain_grant){grant[j], j, queue};
        n += go;
        inputs |= (uint32_t)go << (grant[j] & (SWQ_MAX_PORTS - 1));
    }
    c->sent += (uint64_t)n;
    if (!net->requests[0].read_each_queue) { /* an output an input */
        c->sending += (uint64_t)n;
        return n;
    }
    for (; inputs; inputs &= inputs - 1)
        c->sending++;
    return n;
}

INLINE void transmit(swq_net *net, int stage, plain_shape s)
{
    uint64_t *count = net->system.tally + swq_tally_stage(stage);
    int grant[SWQ_MAX_PORTS], class[SWQ_MAX_PORTS] = {0};
    plain_counts c = {0};
    plain_turn t;

    for (uint32_t sw = 0; sw < net->switches; sw++) {
        plain_grant out[SWQ_MAX_PORTS];
        t.at = swq_turn_of(net, stage, sw);
        for (int k = 0; k < SWQ_CLASSES && net->memory; k++)
            net->requests[k].memory = net->memory + t.at.number * (size_t)net->memory_words;
        look_ahead(net, s, &t);
        for (int i = 0; i < s.ports; i++)
            c.busy += ask(net, s, &t, i) > 0;
        arbitrate(net, grant, class);
        const int n = list_grants(net, s, grant, class, out, &c);
        for (int k = 0; k < n; k++)
            move(net, s, &t, &out[k], &c);
    }
    count[SWQ_STAGE_BUSY] += c.busy;
    count[SWQ_STAGE_BLOCKED] += c.busy - c.sending;
    count[SWQ_STAGE_SENT] += c.sent;
    net->stage_packets[stage] -= c.sent;
    if (stage + 1 < net->system.levels) {
        count[SWQ_STAGE_COUNTERS + SWQ_STAGE_ARRIVED] += c.sent;
        net->stage_packets[stage + 1] += c.sent - c.lost;
        net->system.hops += c.sent - c.lost;
    }
}

INLINE void transmit_ports(swq_net *net, int stage, int ports)
{
    const bool alike = net->spec->support == SWQ_SUPPORT_NONE;

    if (alike && net->queue_fans[0] && net->whole)
        transmit(net, stage, (plain_shape){.ports = ports, .fanned = true});
    else if (alike && net->queue_fans[0])
        transmit(net, stage, (plain_shape){.ports = ports, .fanned = true, .ahead = true});
    else if (alike)
        transmit(net, stage, (plain_shape){.ports = ports, .single = true, .ahead = !net->whole});
    else
        transmit(net, stage, (plain_shape){.ports = ports, .ahead = !net->whole});
}

void swq_transmit_plain(swq_net *net, int stage)
{
    for (int c = 0; c < SWQ_CLASSES; c++) {
        net->requests[c].ports = net->ports;
        net->requests[c].read_each_queue = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE;
        net->requests[c].iterations = net->spec->sw.iterations > 0 ? net->spec->sw.iterations : 1;
    }
    if (net->ports == 4)
        transmit_ports(net, stage, 4);
    else
        transmit_ports(net, stage, net->ports);
}
