/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches that serve packets of high priority first, by the rotating arbiter: what may go is a row
 * of bits for each class and input, and only heads of queues that hold both classes, or packets for
 * several outputs, are looked at. The numbers are those of swq_transmit_plain, to the bit.
 * Room: sim.
 */
#include "sim/sync/fast/classes.h"

#include "sim/sync/turn.h"

enum { HIGH = SWQ_CLASSES - 1 };

/* The requests of a switch's queues. */
typedef struct {
    uint32_t row[SWQ_CLASSES][SWQ_MAX_PORTS]; /* outputs that each input asks for */
    uint32_t inputs[SWQ_CLASSES];             /* inputs that ask for any */
    uint32_t busy;                            /* inputs that hold packets */
} class_rows;

/* A packet that may leave. */
typedef struct {
    uint8_t input, output, class;
} class_grant;

/* The outputs whose next buffer has room for a packet of that class. */
static uint32_t open_to(const swq_net *net, const swq_stage_turn *t, int class)
{
    uint32_t open = 0;

    if (net->discards || t->last)
        return UINT32_MAX;
    for (int j = 0; j < net->ports; j++)
        open |= (uint32_t)swq_seen_admits(net, swq_buffer_at(net, t->stage + 1, t->to[j]),
                                          net->queue_base[class])
                << j;
    return open;
}

/* A bit for each queue from `first` to `end` - 1 that holds packets. */
static inline uint32_t held_by(const uint16_t *length, int first, int end)
{
    uint32_t held = 0;

    for (int q = first; q < end; q++)
        held |= (uint32_t)(length[q] != 0) << (q - first);
    return held;
}

/* Adds the request of the head of queue q of input i. */
static inline void ask_by_head(const swq_net *net, const swq_stage_turn *t, int i, int q,
                               const uint32_t *open, class_rows *asked)
{
    const swq_packet *head = &net->packet[swq_head_slot(net, t->buffer + (size_t)i, q)];
    const int class = swq_class_of(head);

    asked->row[class][i] |= 1u << swq_output_port(net, t->stage, head->to) & open[class];
}

static void ask(const swq_net *net, const swq_stage_turn *t, class_rows *asked)
{
    const uint32_t open[SWQ_CLASSES] = {open_to(net, t, 0), open_to(net, t, HIGH)};
    const bool apart = net->queue_base[HIGH] > 0; /* no queue holds packets of both classes */

    *asked = (class_rows){.busy = 0};
    for (int i = 0; i < net->ports; i++) {
        const uint16_t *length = net->length + (t->buffer + (size_t)i) * (size_t)net->queues;
        uint32_t all = 0;
        for (int class = 0; class < (apart ? SWQ_CLASSES : 1); class ++) {
            const int first = net->queue_base[class];
            const int end = apart && class == 0 ? net->queue_base[HIGH] : net->queues;
            const uint32_t held = held_by(length, first, end);
            all |= held;
            if (apart && net->queue_fans[class]) {
                asked->row[class][i] = held & open[class];
                continue;
            }
            for (uint32_t left = held; left; left &= left - 1)
                ask_by_head(net, t, i, first + __builtin_ctz(left), open, asked);
        }
        asked->busy |= (uint32_t)(all != 0) << i;
        for (int class = 0; class < SWQ_CLASSES; class ++)
            asked->inputs[class] |= (uint32_t)(asked->row[class][i] != 0) << i;
    }
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
static int choose(const swq_net *net, const swq_stage_turn *t, const class_rows *asked, int first,
                  uint32_t *sent, class_grant *grant)
{
    const bool each = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE;
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
                if (!outputs || (!each && *sent >> i & 1))
                    continue;
                if (!each && outputs & (outputs - 1))
                    outputs = 1u << longest_of(
                                  net, net->length + (t->buffer + (size_t)i) * (size_t)net->queues,
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

/* The sums over a stage's turn. */
typedef struct {
    uint64_t busy, sending, sent, lost;
} class_counts;

static void move(swq_net *net, const swq_stage_turn *t, const class_grant *g, class_counts *c)
{
    swq_trail trail = {0};
    const swq_packet p =
        swq_pop(net, t->buffer + g->input, queue_for(net, g->class, g->output), &trail);
    const uint32_t line = t->to[g->output];

    c->sent++;
    swq_note_sent(net, t->stage, t->line + g->output);
    if (t->last) {
        swq_deliver(net, p, trail, line);
        return;
    }
    const size_t to = swq_buffer_at(net, t->stage + 1, line);
    const int join = swq_queue_of(net, t->stage + 1, &p);
    if (net->discards && !swq_seen_admits(net, to, join)) {
        swq_discard(net, t->stage + 1, p, trail, net->cycle - p.birth + 1);
        c->lost++;
        return;
    }
    swq_push(net, to, join, p, trail);
}

static void serve_switch(swq_net *net, int stage, uint32_t sw, class_counts *c)
{
    const swq_stage_turn t = swq_turn_of(net, stage, sw);
    uint16_t *pointer = net->memory + t.number * (size_t)net->memory_words;
    class_grant grant[SWQ_MAX_PORTS];
    class_rows asked;
    uint32_t sent;

    ask(net, &t, &asked);
    const int n = choose(net, &t, &asked, *pointer, &sent, grant);
    /* it stays at an input that holds packets and could send none */
    if (sent >> *pointer & 1 || !(asked.busy >> *pointer & 1))
        *pointer = (uint16_t)(*pointer + 1 == net->ports ? 0 : *pointer + 1);
    c->busy += (uint64_t)__builtin_popcount(asked.busy);
    c->sending += (uint64_t)__builtin_popcount(sent);
    for (int k = 0; k < n; k++)
        move(net, &t, &grant[k], c);
}

void swq_transmit_high_first(swq_net *net, int stage)
{
    uint64_t *count = net->system.tally + swq_tally_stage(stage);
    class_counts c = {0};
    swq_span span = {0, 0};

    while (swq_next_span(net, stage, net->switches, UINT32_MAX, &span)) {
        for (uint32_t sw = span.first; sw < span.end; sw++)
            serve_switch(net, stage, sw, &c);
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
