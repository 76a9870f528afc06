/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transmission of switches with a buffer at each input, by calling the rules of models/: the
 * requests of each queue, one call of the arbiter (two with priorities), then the moves of the
 * granted packets.
 */
#include "sim/stages/buffers.h"
#include "sim/stages/counts.h"
#include "sim/stages/requests.h"

#include "base/port_set.h"
#include "base/statistics.h"

#include <assert.h>

/* The grants of a switch. */
typedef struct {
    int input[SWQ_MAX_PORTS]; /* that sends to each output, or SWQ_NO_INPUT */
    int class[SWQ_MAX_PORTS]; /* of its packet */
    int count;
    uint8_t output[SWQ_MAX_PORTS + 1]; /* [count] the outputs to which an input sends */
} plain_grants;

/* Counts of a stage's turn. */
typedef struct {
    swq_stage_counts stage;
    uint64_t delivered, latency; /* of packets that are all counted in the same place */
} plain_counts;

/* ---- grants ---- */

/* High priority comes first; the others share the rest of the crossbar. */
SWQ_INLINE void arbitrate(swq_net *net, const swq_arbiter *arbiter, plain_shape s, plain_grants *g)
{
    swq_requests *low = &net->requests[0], *high = &net->requests[1];

    if (!s.fanned && !s.single && net->spec->sw.priority.support != SWQ_SUPPORT_NONE) {
        memcpy(high->waiting, low->waiting, sizeof *high->waiting * (size_t)s.ports);
        swq_grant_classes(arbiter, low, high, &net->dice, g->input, g->class);
        return;
    }
    arbiter->arbitrate(low, &net->dice, g->input);
    if (arbiter->settle)
        arbiter->settle(low, g->input);
}

/* The inputs that send to the outputs of the list, whose sets have `words` words. */
SWQ_INLINE int count_inputs(const plain_grants *g, int words)
{
    swq_port_set inputs[SWQ_PORT_SET_WIDE];
    int sending = 0;

    swq_port_set_clear(inputs, words);
    for (int k = 0; k < g->count; k++)
        swq_port_set_put(inputs, (uint32_t)g->input[g->output[k]], true, words);
    for (int at = 0; at < words; at++) {
        for (swq_port_set left = inputs[at]; left; left &= left - 1)
            sending++;
    }
    return sending;
}

/* Lists the outputs to which something is sent; returns the number of inputs that send. An output
 * is noted whether it counts or not, and then counted. */
SWQ_INLINE int list_grants(plain_shape s, bool each, plain_grants *g)
{
    g->count = 0;
    for (int j = 0; j < s.ports; j++) {
        g->output[g->count] = (uint8_t)j;
        g->count += g->input[j] != SWQ_NO_INPUT;
    }
    if (!each) /* an output an input */
        return g->count;
    return s.ports <= 64 ? count_inputs(g, 1) : count_inputs(g, SWQ_PORT_SET_WIDE);
}

/* ---- the packets ---- */

/* The queue of a class for an output. */
SWQ_INLINE int queue_for(const swq_net *net, plain_shape s, int class, int output)
{
    if (s.fanned)
        return output;
    return s.single ? 0 : net->queue_base[class] + (net->queue_fans[class] ? output : 0);
}

/* The queue that a packet joins in the next stage. */
SWQ_INLINE int joins(const swq_net *net, plain_shape s, const plain_stage *st, const swq_packet *p)
{
    if (s.fanned)
        return output_of(net, s, st, 1, p->to);
    return s.single ? 0 : swq_queue_of(net, st->stage + 1, p);
}

/* A packet reaches its sink. */
SWQ_INLINE void deliver(swq_net *net, const plain_stage *st, swq_packet p, swq_trail trail,
                        uint32_t sink, plain_counts *c)
{
    if (st->apart) {
        swq_deliver(net, p, trail, sink);
        return;
    }
    const uint32_t latency = st->b.cycle - p.birth + 1;
    assert(sink == (p.to & ~SWQ_HIGH));
    swq_probe_latency(st->histogram, latency);
    c->delivered++;
    c->latency += latency;
}

/* A packet that has left by output j comes to its sink, or to the next stage. */
SWQ_INLINE void land(swq_net *net, plain_shape s, const plain_stage *st, const plain_turn *t, int j,
                     swq_packet p, swq_trail trail, bool noted, plain_counts *c)
{
    const uint32_t line = t->at.to[j];

    if (st->last) {
        deliver(net, st, p, trail, line, c);
        return;
    }
    const size_t to = st->next + line;
    const int join = joins(net, s, st, &p);
    if (net->discards && !swq_seen_admits(net, to, join)) {
        swq_discard(net, st->stage + 1, p, trail, net->cycle - p.birth + 1);
        c->stage.lost++;
        return;
    }
    trail.entered = net->cycle + 1;
    swq_append(&st->b, to, join, p, trail);
    if (noted)
        swq_report_enter(net, st->stage + 1, to, &trail);
}

/* A packet leaves by output j. */
SWQ_INLINE void move(swq_net *net, plain_shape s, const plain_stage *st, const plain_turn *t,
                     const plain_grants *g, int j, plain_counts *c)
{
    const swq_stage_turn *at = &t->at;
    const size_t from = at->buffer + (size_t)g->input[j];
    swq_trail trail = {0};
    const swq_packet p = swq_remove(&st->b, from, queue_for(net, s, g->class[j], j), &trail);

    if (st->noted) {
        swq_note_sent(net, st->stage, at->line + (uint32_t)j);
        swq_tell_start(net, st->stage, at->line + (uint32_t)j, g->input[j], &p, trail.from);
        swq_report_start(net, st->stage, from, &trail);
        land(net, s, st, t, j, p, trail, true, c);
    } else {
        land(net, s, st, t, j, p, trail, false, c);
    }
}

/* ---- the turn of a stage ---- */

static void add_up(swq_net *net, int stage, const plain_counts *c)
{
    swq_probe_stage(&net->system, stage, &c->stage);
    swq_probe_delivered(&net->system, 0, c->delivered, c->latency);
}

SWQ_INLINE void transmit(swq_net *net, int stage, plain_shape s)
{
    const swq_arbiter *arbiter = net->spec->sw.arbiter;
    const plain_stage st = plain_stage_of(net, s, stage);
    plain_grants g = {.count = 0};
    plain_counts c = {0};
    plain_turn t;

    open_all(s, &t);
    t.four.read_each_queue = st.each;
    t.four.iterations = net->requests[0].iterations;
    for (uint32_t sw = 0; sw < net->switches; sw++) {
        t.at = swq_turn_of(net, stage, sw);
        uint16_t *memory =
            net->memory ? net->memory + t.at.number * (size_t)net->memory_words : NULL;
        look_ahead(net, s, &st, &t);
        if (s.rows) {
            t.four.memory = memory;
            for (int i = 0; i < 4; i++)
                c.stage.busy += (uint64_t)ask_by_row(net, s, &st, &t, i);
            net->four(&t.four, &net->dice, g.input);
        } else {
            net->requests[0].memory = net->requests[1].memory = memory;
            for (int i = 0; i < s.ports; i++)
                c.stage.busy += ask(net, s, &st, &t, i) > 0;
            arbitrate(net, arbiter, s, &g);
        }
        c.stage.sending += (uint64_t)list_grants(s, st.each, &g);
        c.stage.sent += (uint64_t)g.count;
        for (int k = 0; k < g.count; k++)
            move(net, s, &st, &t, &g, g.output[k], &c);
    }
    add_up(net, stage, &c);
}

/* The forms, each a function of its own. */
#define FORM(name, ...)                                                                            \
    static void name(swq_net *net, int stage)                                                      \
    {                                                                                              \
        transmit(net, stage, (plain_shape){__VA_ARGS__});                                          \
    }
/* Two forms of a name: for buffers of one part whose queues are words, and for any others. */
#define FORMS(name, ...)                                                                           \
    FORM(name##_words, .words = true, __VA_ARGS__)                                                 \
    FORM(name##_any, __VA_ARGS__)

FORM(rows, .ports = 4, .fanned = true, .words = true, .rows = true)
FORM(rows_short, .ports = 4, .fanned = true, .words = true, .shorts = true, .rows = true)
FORM(rows_ahead, .ports = 4, .fanned = true, .ahead = true, .words = true, .rows = true)
FORM(rows_ahead_short, .ports = 4, .fanned = true, .ahead = true, .words = true, .shorts = true,
     .rows = true)
FORMS(four, .ports = 4, .fanned = true)
FORMS(four_ahead, .ports = 4, .fanned = true, .ahead = true)
FORMS(four_alone, .ports = 4, .single = true, .ahead = !net->whole)
FORMS(fanned, .ports = net->ports, .fanned = true)
FORMS(fanned_ahead, .ports = net->ports, .fanned = true, .ahead = true)
FORMS(alone, .ports = net->ports, .single = true, .ahead = !net->whole)
FORMS(classes, .ports = net->ports, .ahead = !net->whole)
FORM(fanned_wide, .ports = net->ports, .fanned = true, .ahead = true, .wide = true)
FORM(classes_wide, .ports = net->ports, .ahead = !net->whole, .wide = true)
FORMS(four_classes, .ports = 4, .ahead = !net->whole)

static swq_stage_fn *form_of(const swq_net *net)
{
    enum { SHARED, APART, ALONE, CLASSES, KINDS };
    static swq_stage_fn *const form[2][KINDS][2] = {
        {[SHARED] = {fanned_any, fanned_words},
         [APART] = {fanned_ahead_any, fanned_ahead_words},
         [ALONE] = {alone_any, alone_words},
         [CLASSES] = {classes_any, classes_words}},
        {[SHARED] = {four_any, four_words},
         [APART] = {four_ahead_any, four_ahead_words},
         [ALONE] = {four_alone_any, four_alone_words},
         [CLASSES] = {four_classes_any, four_classes_words}},
    };
    const bool words = swq_queues_are_words(net) && net->parts == 1;
    const bool classes = net->spec->sw.priority.support != SWQ_SUPPORT_NONE;

    if (net->queues > 64 && (classes || !net->whole))
        return classes ? classes_wide : fanned_wide;
    if (classes)
        return form[net->ports == 4][CLASSES][words];
    if (words && net->ports == 4 && net->queue_fans[0] && !net->since && net->four)
        return net->short_order ? net->whole ? rows_short : rows_ahead_short
               : net->whole     ? rows
                                : rows_ahead;
    return form[net->ports == 4][!net->queue_fans[0] ? ALONE : net->whole ? SHARED : APART][words];
}

void swq_transmit_plain(swq_net *net, int stage)
{
    for (int c = 0; c < SWQ_CLASSES; c++) {
        net->requests[c].ports = net->ports;
        net->requests[c].read_each_queue = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE;
        net->requests[c].iterations = net->spec->sw.iterations > 0 ? net->spec->sw.iterations : 1;
    }
    form_of(net)(net, stage);
}
