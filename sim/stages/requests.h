/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The requests of a switch's queues to an arbiter, where buffers are at the inputs: each queue, or
 * its head, requests its output if the buffer behind that output has room.
 */
#ifndef SWQ_SIM_STAGES_REQUESTS_H
#define SWQ_SIM_STAGES_REQUESTS_H

#include "sim/stages/buffers.h"
#include "sim/stages/turn.h"

#include <string.h>

/* The weight of a stale queue: above any length, and increasing with the cycles that its head has
 * waited. It is far below the weight of a packet for an arbiter that adds lengths up. */
enum { STALE_LEAD = 2 * SWQ_MAX_SLOTS, STALE_MOST = 20000 };

/* The properties of a network that the compiler knows as constants. */
typedef struct {
    int ports;
    bool fanned; /* no classes, and a queue for each output */
    bool single; /* no classes, and one queue */
    bool ahead;  /* room is a matter of the queue that a packet will join: its head is looked at */
    bool wide;   /* buffers have more queues than a word has bits: room is asked for head by head */
    bool words;  /* each queue is a word, and buffers have one part */
    bool shorts; /* ... and the words have 16 bits */
    bool rows;   /* four queues of an input ask with a word (models/arbiters/four.h) */
} plain_shape;

/* Values that are constant during a stage's turn. */
typedef struct {
    int stage;
    bool always;               /* the buffers or sinks behind the outputs take any packet */
    bool last;                 /* packets that leave are delivered */
    bool each;                 /* each queue has a read port */
    bool noted;                /* somebody wants to know of each packet that leaves */
    bool apart;                /* delivered packets are counted by class, group or node ... */
    uint64_t *histogram;       /* ... or all latencies here */
    size_t next;               /* the first buffer of the next stage */
    const uint16_t *seen_room; /* see swq_seen_admits */
    int shift[2];              /* of four ports: to the digits of this stage and of the next */
    swq_buffers b;
} plain_stage;

/* A switch in its turn. */
typedef struct {
    swq_stage_turn at;
    /* of the buffer behind each output, unless it is wide, the queues that have room, a bit each;
     * where they all have or none has, ... */
    uint64_t open[SWQ_MAX_PORTS];
    uint64_t lanes; /* ... with four outputs, a lane of 16 bits each, all ones or all zeros */
    swq_four_requests four;
} plain_turn;

SWQ_INLINE plain_stage plain_stage_of(const swq_net *net, plain_shape s, int stage)
{
    plain_stage st = {.stage = stage,
                      .always = net->discards || stage == net->system.levels - 1,
                      .last = stage == net->system.levels - 1,
                      .noted = net->system.link_tally || net->started || net->system.measured,
                      .apart = net->system.cells > 1 || net->system.node_count ||
                               net->system.node_tally || net->system.measured || net->ended,
                      .histogram = net->system.histogram,
                      .each = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE,
                      .next = swq_buffer_at(net, stage + 1, 0),
                      .seen_room = net->seen_room ? net->seen_room : net->room,
                      .shift = {net->digit[stage].shift, 0},
                      .b = swq_buffers_of(net)};

    if (!st.last)
        st.shift[1] = net->digit[stage + 1].shift;

    /* for the compiler, which knows them */
    if (s.fanned || s.single)
        st.b.queues = s.fanned ? (size_t)s.ports : 1;
    if (s.words)
        st.b.words = st.b.words_of_one = true;
    if (s.shorts) {
        st.b.shorts = true;
        st.b.places = SWQ_SHORT_SLOTS;
    }
    return st;
}

/* ---- room ---- */

SWQ_INLINE uint64_t all_of(int queues)
{
    return queues < 64 ? (UINT64_C(1) << queues) - 1 : UINT64_MAX;
}

/* The queues of a buffer, as the stage before sees it, that have room. */
SWQ_INLINE uint64_t seen_rooms(const swq_net *net, plain_shape s, size_t at)
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

/* As seen_rooms, for buffers in which a queue has room if its part has a free slot. */
SWQ_INLINE uint64_t seen_slots(const plain_stage *st, size_t at)
{
    const uint16_t *room = st->seen_room + at * st->b.parts;

    if (st->b.words_of_one || st->b.parts == 1)
        return room[0] ? UINT64_MAX : 0;
    const uint64_t first = all_of(st->b.second);
    return (room[0] ? first : 0) | (room[1] ? ~first : 0);
}

/* Finds the outputs, and the queues behind them, to which the packets of a switch could go. */
SWQ_INLINE void look_ahead(const swq_net *net, plain_shape s, const plain_stage *st, plain_turn *t)
{
    uint64_t closed = 0;

    if (st->always || s.wide)
        return;
    for (int j = 0; j < s.ports; j++) {
        const size_t next = st->next + t->at.to[j];
        if (s.rows && !s.ahead) /* 0 - 1 has all bits */
            closed |= (uint64_t)((st->seen_room[next * st->b.parts] - 1u) >> 16) << 16 * j;
        else
            t->open[j] = s.ahead ? seen_rooms(net, s, next) : seen_slots(st, next);
    }
    t->lanes = ~closed;
}

/* ... if the buffers or sinks behind all outputs take any packet. */
SWQ_INLINE void open_all(plain_shape s, plain_turn *t)
{
    t->lanes = UINT64_MAX;
    for (int j = 0; j < s.ports; j++)
        t->open[j] = UINT64_MAX;
}

/* Has the buffer behind output j room in a queue? */
SWQ_INLINE bool is_open(const swq_net *net, plain_shape s, const plain_stage *st,
                        const plain_turn *t, int j, int queue)
{
    if (s.wide)
        return st->always || swq_seen_admits(net, st->next + t->at.to[j], queue);
    return t->open[j] >> queue & 1;
}

/* ---- requests ---- */

/* The output that a packet takes in this stage, or in the next one (ahead = 1). */
SWQ_INLINE int output_of(const swq_net *net, plain_shape s, const plain_stage *st, int ahead,
                         uint32_t to)
{
    return s.ports == 4 ? (int)((to & ~SWQ_HIGH) >> st->shift[ahead] & 3)
                        : swq_output_port(net, st->stage + ahead, to);
}

static int weight_of(const swq_net *net, size_t queue)
{
    uint32_t waited = net->cycle - net->since[queue];

    if (waited < (uint32_t)net->spec->stale)
        return net->length[queue];
    return STALE_LEAD + (int)(waited < STALE_MOST ? waited : STALE_MOST);
}

/* Sets the weights of the requests of queues `first` to first + ports - 1. */
SWQ_INLINE void weigh(const swq_net *net, plain_shape s, size_t first, int *request)
{
    for (int j = 0; j < s.ports; j++) {
        if (request[j])
            request[j] = weight_of(net, first + (size_t)j);
    }
}

/* The queue that the packet at the head of a queue joins in the next stage. */
SWQ_INLINE int next_queue(const swq_net *net, plain_shape s, const plain_stage *st, size_t at,
                          int queue)
{
    const swq_packet *head = &st->b.packet[swq_head_place(&st->b, at, queue)];

    return s.fanned ? output_of(net, s, st, 1, head->to) : swq_queue_of(net, st->stage + 1, head);
}

/* Requests of queues that are each for one output and one class. */
SWQ_INLINE void ask_by_queue(const swq_net *net, plain_shape s, const plain_stage *st,
                             const plain_turn *t, int class, size_t at, int *request)
{
    const int base = s.fanned ? 0 : net->queue_base[class];
    const uint16_t *length = st->b.length + at * st->b.queues + (size_t)base;

    if (s.ahead && !st->always) {
        /* reading the place where the head of an empty queue would be takes no branch; an empty
         * list has no such place */
        for (int j = 0; j < s.ports; j++) {
            const int next = st->b.words || length[j] ? next_queue(net, s, st, at, base + j) : 0;
            request[j] = length[j] & -(int)is_open(net, s, st, t, j, next);
        }
        return;
    }
    for (int j = 0; j < s.ports; j++)
        request[j] = length[j] & -(int)is_open(net, s, st, t, j, base);
}

/* Requests of the queues from `first` to before `end`, each for the output of its head. */
SWQ_INLINE void ask_by_head(swq_net *net, plain_shape s, const plain_stage *st, const plain_turn *t,
                            int i, int first, int end)
{
    const size_t at = t->at.buffer + (size_t)i;
    const size_t queues = at * (size_t)net->queues;

    for (int q = first; q < end; q++) {
        if (net->length[queues + (size_t)q] == 0)
            continue;
        const swq_packet *head = &net->packet[swq_head_slot(net, at, q)];
        const int j = swq_output_port(net, t->at.stage, head->to);
        const int class =
            net->spec->sw.priority.support == SWQ_SUPPORT_NONE ? 0 : swq_class_of(head);
        const int next = t->at.last ? 0 : swq_queue_of(net, t->at.stage + 1, head);
        if (is_open(net, s, st, t, j, next))
            net->requests[class].length[i][j] =
                net->since ? weight_of(net, queues + (size_t)q) : net->length[queues + (size_t)q];
    }
}

/* Requests of a single queue: its head's alone. */
SWQ_INLINE void ask_alone(const swq_net *net, plain_shape s, const plain_stage *st,
                          const plain_turn *t, size_t at, int *request)
{
    const int length = st->b.length[at];

    for (int j = 0; j < s.ports; j++)
        request[j] = 0;
    if (!st->b.words && length == 0)
        return;
    const int j = output_of(net, s, st, 0, st->b.packet[swq_head_place(&st->b, at, 0)].to);
    request[j] = length & -(int)(t->open[j] & 1);
    if (st->b.since && request[j])
        request[j] = weight_of(net, at);
}

/* The queues of input i where there are classes. */
SWQ_INLINE void ask_in_general(swq_net *net, plain_shape s, const plain_stage *st,
                               const plain_turn *t, int i)
{
    const size_t at = t->at.buffer + (size_t)i;
    /* does a queue hold both classes? */
    const bool mixed = net->queue_base[SWQ_CLASSES - 1] == 0;

    for (int class = 0; class < SWQ_CLASSES; class ++) {
        int *request = net->requests[class].length[i];
        if (mixed || !net->queue_fans[class]) {
            memset(request, 0, sizeof *request * (size_t)s.ports);
            continue;
        }
        ask_by_queue(net, s, st, t, class, at, request);
        if (st->b.since)
            weigh(net, s, at * st->b.queues + (size_t)net->queue_base[class], request);
    }
    for (int class = 0; class < (mixed ? 1 : SWQ_CLASSES); class ++) {
        if (mixed || !net->queue_fans[class])
            ask_by_head(net, s, st, t, i, net->queue_base[class],
                        class + 1 == SWQ_CLASSES || mixed ? net->queues
                                                          : net->queue_base[class + 1]);
    }
}

/* The packets in the queues of a buffer: of four at a time, as a product that adds up the lanes of
 * a word. */
SWQ_INLINE int packets_in(const uint16_t *length, int queues)
{
    int packets = 0, q = 0;

    for (; queues - q >= 4; q += 4) {
        uint64_t lanes;
        memcpy(&lanes, length + q, sizeof lanes);
        packets += (int)(lanes * UINT64_C(0x0001000100010001) >> 48);
    }
    for (; q < queues; q++)
        packets += length[q];
    return packets;
}

/* Fills in the requests of the queues of input i; returns the number of packets that the input
 * holds. */
SWQ_INLINE int ask(swq_net *net, plain_shape s, const plain_stage *st, const plain_turn *t, int i)
{
    const size_t at = t->at.buffer + (size_t)i, first = at * st->b.queues;
    const int waiting = packets_in(st->b.length + first, (int)st->b.queues);
    int *request = net->requests[0].length[i];

    if (s.fanned)
        ask_by_queue(net, s, st, t, 0, at, request);
    else if (s.single)
        ask_alone(net, s, st, t, at, request);
    else
        ask_in_general(net, s, st, t, i);
    if (s.fanned && st->b.since)
        weigh(net, s, first, request);
    net->requests[0].waiting[i] = waiting;
    return waiting;
}

/* ... of an input that asks with a word: 1 if it holds packets. */
SWQ_INLINE int ask_by_row(const swq_net *net, plain_shape s, const plain_stage *st, plain_turn *t,
                          int i)
{
    const size_t at = t->at.buffer + (size_t)i;
    uint64_t held, open = t->lanes;

    memcpy(&held, st->b.length + 4 * at, sizeof held);
    t->four.held[i] = held;
    if (s.ahead && !st->always) {
        open = 0;
        for (int j = 0; j < 4; j++) { /* the requests of an empty queue do not matter */
            const int next = next_queue(net, s, st, at, j);
            open |= (UINT64_C(0xffff) & -(t->open[j] >> next & 1)) << 16 * j;
        }
    }
    t->four.row[i] = held & open;
    return held != 0;
}

#endif
