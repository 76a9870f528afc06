/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches that serve packets of high priority first, by the rotating arbiter: the packets that may
 * go are a row of bits for each class and input, and only heads of queues that hold both classes,
 * or packets for several outputs, are looked at. The numbers are those of swq_transmit_plain, to
 * the bit.
 */
#include "sim/stages/fast/classes.h"
#include "sim/stages/buffers.h"
#include "sim/stages/counts.h"
#include "sim/stages/spans.h"

#include "models/arbiters/four.h"
#include "sim/stages/turn.h"

#include <string.h>

enum { HIGH = SWQ_CLASSES - 1 };

/* The requests of a switch's queues. */
typedef struct {
    uint32_t row[SWQ_CLASSES][SWQ_FAST_PORTS]; /* outputs that each input asks for */
    uint32_t inputs[SWQ_CLASSES];              /* inputs that ask for any */
    uint32_t busy;                             /* inputs that hold packets */
} class_rows;

/* A packet that may leave. */
typedef struct {
    uint8_t input, output, class;
} class_grant;

/* Values that are constant during a stage's turn. The number of ports is a separate argument of
 * functions, so that the compiler may know it. */
typedef struct {
    int stage;
    bool always;      /* the buffers or sinks behind the outputs take any packet */
    bool last;        /* packets that leave are delivered */
    bool each;        /* each queue has a read port */
    bool apart;       /* no queue holds packets of both classes */
    size_t next;      /* the first buffer of the next stage */
    size_t high_part; /* of a buffer, in which packets of high priority are */
    const uint16_t *seen_room;
    swq_buffers b;
} class_stage;

static class_stage class_stage_of(const swq_net *net, int stage)
{
    const bool last = stage == net->system.levels - 1;

    return (class_stage){
        .stage = stage,
        .always = net->discards || last,
        .last = last,
        .each = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE,
        .apart = net->queue_base[HIGH] > 0,
        .next = swq_buffer_at(net, stage + 1, 0),
        .high_part = (size_t)swq_part_of(net, net->queue_base[HIGH]),
        .seen_room = net->seen_room ? net->seen_room : net->room,
        .b = swq_buffers_of(net),
    };
}

/* The outputs whose next buffer has room for a packet of each class. */
SWQ_INLINE void open_to(const class_stage *st, int ports, const swq_stage_turn *t, uint32_t *open)
{
    open[0] = open[HIGH] = UINT32_MAX;
    if (st->always)
        return;
    open[0] = open[HIGH] = 0;
    for (int j = 0; j < ports; j++) {
        const uint16_t *room = st->seen_room + (st->next + t->to[j]) * st->b.parts;
        open[0] |= (uint32_t)(room[0] != 0) << j;
        open[HIGH] |= (uint32_t)(room[st->high_part] != 0) << j;
    }
}

/* A bit for each of some queues that holds packets. */
SWQ_INLINE uint32_t held_by(const uint16_t *length, int queues)
{
    uint32_t held = 0;

    if (queues == 4 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        uint64_t row;
        memcpy(&row, length, sizeof row);
        return swq_lanes_in_use(row);
    }
    for (int q = 0; q < queues; q++)
        held |= (uint32_t)(length[q] != 0) << q;
    return held;
}

/* Adds the requests of the heads of queues from `first` on of the buffer `at`, a bit for each that
 * holds packets; row[class]: outputs. */
static void ask_by_heads(const swq_net *net, int stage, size_t at, int first, uint32_t held,
                         const uint32_t *open, uint32_t *row)
{
    for (; held; held &= held - 1) {
        const int q = first + __builtin_ctz(held);
        const swq_packet *head = &net->packet[swq_head_slot(net, at, q)];
        const int class = swq_class_of(head);
        row[class] |= 1u << swq_output_port(net, stage, head->to) & open[class];
    }
}

/* A bit for each queue of a buffer whose head is of high priority. The bit of an empty queue does
 * not matter. */
SWQ_INLINE uint32_t high_heads(const class_stage *st, int queues, size_t at, uint32_t held)
{
    uint32_t high = 0;

    for (int q = 0; q < queues; q++) {
        if (st->b.words || held >> q & 1) /* an empty list has no head to look at */
            high |= (uint32_t)swq_class_of(&st->b.packet[swq_head_place(&st->b, at, q)]) << q;
    }
    return high;
}

/* Fills in row[class], the outputs for which the queues of a buffer ask. Returns whether the buffer
 * holds packets. */
SWQ_INLINE uint32_t ask_buffer(const swq_net *net, const class_stage *st, int ports, size_t at,
                               const uint32_t *open, uint32_t *row)
{
    const uint16_t *length = st->b.length + at * st->b.queues;
    const int high = net->queue_base[HIGH];

    row[0] = row[HIGH] = 0;
    if (!st->apart) {
        const uint32_t held = held_by(length, net->queue_fans[0] ? ports : 1);
        if (!net->queue_fans[0]) {
            ask_by_heads(net, st->stage, at, 0, held, open, row);
            return held;
        }
        const uint32_t high_held = held & high_heads(st, ports, at, held);
        row[0] = (held ^ high_held) & open[0];
        row[HIGH] = high_held & open[HIGH];
        return held != 0;
    }
    const uint32_t low_held = held_by(length, net->queue_fans[0] ? ports : 1);
    const uint32_t high_held = held_by(length + high, net->queue_fans[HIGH] ? ports : 1);
    if (net->queue_fans[0])
        row[0] = low_held & open[0];
    else
        ask_by_heads(net, st->stage, at, 0, low_held, open, row);
    if (net->queue_fans[HIGH])
        row[HIGH] = high_held & open[HIGH];
    else if (high_held)
        ask_by_heads(net, st->stage, at, high, high_held, open, row);
    return (low_held | high_held) != 0;
}

SWQ_INLINE void ask(const swq_net *net, const class_stage *st, int ports, const swq_stage_turn *t,
                    class_rows *asked)
{
    uint32_t open[SWQ_CLASSES], busy = 0, low = 0, high = 0;

    open_to(st, ports, t, open);
    for (int i = 0; i < ports; i++) {
        uint32_t row[SWQ_CLASSES];
        busy |= ask_buffer(net, st, ports, t->buffer + (size_t)i, open, row) << i;
        asked->row[0][i] = row[0];
        asked->row[HIGH][i] = row[HIGH];
        low |= (uint32_t)(row[0] != 0) << i;
        high |= (uint32_t)(row[HIGH] != 0) << i;
    }
    asked->busy = busy;
    asked->inputs[0] = low;
    asked->inputs[HIGH] = high;
}

/* The queue of a class for an output. */
static inline int queue_for(const swq_net *net, int class, int output)
{
    return net->queue_base[class] + (net->queue_fans[class] ? output : 0);
}

/* Of several outputs, the one with the longest queue; of equally long ones the first, counted
 * cyclically from output `first`. */
static int longest_of(const swq_net *net, const uint16_t *length, int class, uint32_t outputs,
                      int first)
{
    uint32_t best = 0;

    for (; outputs; outputs &= outputs - 1) {
        const int j = __builtin_ctz(outputs);
        const uint32_t turn = (uint32_t)(first - j + (first <= j ? net->ports : 0));
        const uint32_t key =
            (uint32_t)length[queue_for(net, class, j)] << 12 | turn << 6 | (uint32_t)j;
        best = key > best ? key : best;
    }
    return (int)(best & 63);
}

/* From the pointer on, each input sends from its longest queue whose output is free; high priority
 * comes first. *sent: the inputs that send. Returns the number of grants. */
SWQ_INLINE int choose(const swq_net *net, const class_stage *st, const swq_stage_turn *t,
                      const class_rows *asked, int first, uint32_t *sent, class_grant *grant)
{
    uint32_t taken = 0;
    int n = 0;

    *sent = 0;
    for (int class = HIGH; class >= 0; class --) {
        /* in two parts: from the pointer on, and from input 0 up to it */
        const uint32_t inputs = asked->inputs[class], behind = inputs >> first << first;
        for (int part = 0; part < 2; part++) {
            for (uint32_t left = part == 0 ? behind : inputs ^ behind; left; left &= left - 1) {
                const int i = __builtin_ctz(left);
                uint32_t outputs = asked->row[class][i] & ~taken;
                if (!outputs || (!st->each && *sent >> i & 1))
                    continue;
                if (!st->each && outputs & (outputs - 1))
                    outputs =
                        1u << longest_of(net, st->b.length + (t->buffer + (size_t)i) * st->b.queues,
                                         class, outputs, first);
                taken |= outputs;
                *sent |= 1u << i;
                for (; outputs; outputs &= outputs - 1)
                    grant[n++] =
                        (class_grant){(uint8_t)i, (uint8_t)__builtin_ctz(outputs), (uint8_t) class};
            }
        }
    }
    return n;
}

SWQ_INLINE void move(swq_net *net, const class_stage *st, const swq_stage_turn *t,
                     const class_grant *g, swq_stage_counts *c)
{
    swq_trail trail = {0};
    const swq_packet p =
        swq_remove(&st->b, t->buffer + g->input, queue_for(net, g->class, g->output), &trail);
    const uint32_t line = t->to[g->output];

    c->sent++;
    swq_note_sent(net, st->stage, t->line + g->output);
    if (st->last) {
        swq_deliver(net, p, trail, line);
        return;
    }
    const size_t to = st->next + line;
    const int join = swq_queue_of(net, st->stage + 1, &p);
    if (net->discards && !swq_seen_admits(net, to, join)) {
        swq_discard(net, st->stage + 1, p, trail, net->cycle - p.birth + 1);
        c->lost++;
        return;
    }
    swq_append(&st->b, to, join, p, trail);
}

/* The number of inputs whose bit is set in `bits`. */
SWQ_INLINE uint64_t inputs_of(int ports, uint32_t bits)
{
    return (uint64_t)(ports == 4 ? swq_four_count(bits) : __builtin_popcount(bits));
}

SWQ_INLINE void serve_switch(swq_net *net, const class_stage *st, uint32_t sw, int ports,
                             swq_stage_counts *c)
{
    const swq_stage_turn t = swq_turn_of(net, st->stage, sw);
    uint16_t *pointer = net->memory + t.number * (size_t)net->memory_words;
    class_grant grant[SWQ_FAST_PORTS];
    class_rows asked;
    uint32_t sent;

    ask(net, st, ports, &t, &asked);
    const int n = choose(net, st, &t, &asked, *pointer, &sent, grant);
    /* it stays at an input that holds packets and could send none */
    if (sent >> *pointer & 1 || !(asked.busy >> *pointer & 1))
        *pointer = (uint16_t)(*pointer + 1 == ports ? 0 : *pointer + 1);
    c->busy += inputs_of(ports, asked.busy);
    c->sending += inputs_of(ports, sent);
    for (int k = 0; k < n; k++)
        move(net, st, &t, &grant[k], c);
}

SWQ_INLINE void transmit(swq_net *net, const class_stage *st, int ports, swq_stage_counts *c)
{
    swq_span span = {0, 0};

    while (swq_next_span(net, st->stage, net->switches, UINT32_MAX, &span)) {
        for (uint32_t sw = span.first; sw < span.end; sw++)
            serve_switch(net, st, sw, ports, c);
    }
}

void swq_transmit_high_first(swq_net *net, int stage)
{
    const class_stage st = class_stage_of(net, stage);
    swq_stage_counts c = {0};

    if (net->ports == 4)
        transmit(net, &st, 4, &c);
    else
        transmit(net, &st, net->ports, &c);
    swq_probe_stage(&net->system, stage, &c);
}
