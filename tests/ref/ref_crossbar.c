/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_crossbar.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NONE = -1 };

typedef struct {
    int from, to, bytes;
    long birth;
} crossing_packet;

/* A packet's stay in a store, from the start of the transfer that brings it to the end of the one
 * that takes it away. */
typedef struct crossing_stay {
    crossing_packet p;
    int queue, output;
    long header;     /* it can take part in an arbitration from this cycle on */
    long tail;       /* its last byte can go on from this cycle on */
    bool going;      /* it is being sent */
    long whole, end; /* as if it had left without interruption between these two */
    int pace; /* cycles that a block takes over the channel by which it leaves; 0: it leaves by a
                 link, evenly */
    int hop;  /* cycles after which its header is in the next store */
    struct crossing_stay *behind; /* the packet that came next, to whichever queue */
} crossing_stay;

typedef struct {
    crossing_stay *first;
    long *read;     /* [read ports] the cycle from which each is idle */
    ref_told *told; /* input stores: what its sender knows, or NULL: the sender sees everything */
} crossing_store;

typedef struct crossing_message {
    int from, to, left; /* bytes not sent yet */
    bool made;          /* the packet that comes next is created */
    long birth;         /* of that packet */
    struct crossing_message *behind;
} crossing_message;

/* Who sends: a sender, an input store's queue over the crossbar, or an output store. */
typedef struct {
    enum { FROM_SENDER, FROM_INPUT, FROM_OUTPUT } kind;
    int sw, port, queue; /* port: of the switch, in or out; or the node of a sender */
} crossing_choice;

typedef struct {
    const ref_crossbar *m;
    const ref_async *n;
    const ref_wiring *w;
    int blocks, queues, reads, most; /* of an input store; of the longest packet, in blocks */
    crossing_store *in, *out;        /* [switches * ports] */
    long *channel;                   /* [switches * ports] of the crossbars: idle from then on */
    long *link;                      /* [switches * ports] has rested from then on */
    long *sender_link;               /* [nodes] likewise */
    crossing_message **message;      /* [nodes] */
    int *pointer;                    /* [switches] */
    crossing_choice *choice;         /* of this cycle */
    int choices;
    bool *taken;      /* [ports] channels, in this cycle's arbitration of one switch */
    bool *used;       /* [ports * reads] read ports, likewise */
    int *held;        /* [queues] blocks of one input store */
    int slowest;      /* cycles until what is told has arrived, at most */
    int seen;         /* messages that have been created */
    long now, latest; /* nothing is due in any later cycle */
    ref_crossbar_outcome *o;
    long room;
} crossing_sim;

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static void must(bool so)
{
    if (!so)
        abort();
}

static long later(long a, long b)
{
    return a > b ? a : b;
}

static long sooner(long a, long b)
{
    return a < b ? a : b;
}

/* ---- channels ---- */

/* The cycles in which a channel of `bytes` in `cycles` carries that many bytes. */
static int time_over(int bytes, int cycles, int many)
{
    int t = 0;

    while (t * bytes < many * cycles)
        t++;
    return t;
}

static ref_line line_of(const crossing_sim *s, unsigned port)
{
    return s->n->line ? s->n->line[port] : (ref_line){s->n->hop_delay, 1, 1};
}

/* Cycles of a packet over a link; and until its first byte comes out, where bytes are spread evenly
 * over these cycles. */
static int line_takes(const ref_line *l, int many)
{
    return time_over(l->bytes, l->cycles, many);
}

static int rest_after(const crossing_sim *s, const ref_line *l, int many)
{
    return line_takes(l, many + s->n->link_rest) - line_takes(l, many);
}

static int first_over(const ref_line *l, int many)
{
    return time_over(many, line_takes(l, many), 1) - 1 + l->delay;
}

/* ---- stores ---- */

static int blocks_of(const crossing_sim *s, int bytes)
{
    int n = 0;

    for (; bytes > 0; bytes -= s->n->block)
        n++;
    return n;
}

/* When is the k-th block of a packet that is leaving free? */
static long free_from(const crossing_sim *s, const crossing_stay *y, int k)
{
    switch (s->n->release) {
    case REF_RELEASE_BLOCKS:
        if (k == blocks_of(s, y->p.bytes))
            return y->end;
        if (y->pace == 0)
            return y->whole + time_over(y->p.bytes, (int)(y->end - y->whole), k * s->n->block);
        return sooner(y->whole + (long)k * y->pace, y->end);
    case REF_RELEASE_START:
        return y->whole + 1;
    case REF_RELEASE_HOP:
        return sooner(y->whole + y->hop, y->end);
    default:
        return y->end;
    }
}

static int held_by(const crossing_sim *s, const crossing_stay *y)
{
    int all = blocks_of(s, y->p.bytes), n = 0;

    for (int k = 1; k <= all; k++)
        n += !y->going || free_from(s, y, k) > s->now;
    return n;
}

/* Blocks of a queue, or of all (NONE). */
static int length_of(const crossing_sim *s, const crossing_store *t, int queue, bool waiting_only)
{
    int n = 0;

    for (const crossing_stay *y = t->first; y; y = y->behind) {
        if ((queue == NONE || y->queue == queue) && !(waiting_only && y->going))
            n += held_by(s, y);
    }
    return n;
}

static crossing_stay *head_of(const crossing_store *t, int queue)
{
    crossing_stay *y = t->first;

    while (y && (y->going || y->queue != queue))
        y = y->behind;
    return y;
}

/* Removes the packets that have left and hold nothing. */
static void tidy(const crossing_sim *s, crossing_store *t)
{
    for (crossing_stay **y = &t->first; *y;) {
        crossing_stay *gone = *y;
        if (gone->going && gone->end <= s->now && held_by(s, gone) == 0) {
            *y = gone->behind;
            free(gone);
        } else
            y = &gone->behind;
    }
}

static int class_at(const crossing_sim *s, unsigned port, const crossing_packet *p)
{
    int class_ = s->w->class_of(s->w->self, port, p->from, p->to);
    must(class_ >= 0 && class_ < s->w->classes);
    return class_;
}

static int queue_at(const crossing_sim *s, unsigned port, const crossing_packet *p)
{
    return s->n->one_queue ? 0 : class_at(s, port, p);
}

/* The free part of the shared memory, if one queue were longer by that much. */
static int shared_free(const crossing_sim *s, const crossing_store *t, int queue, int longer)
{
    int n = s->blocks;

    for (int q = 0; q < s->queues; q++)
        n -= (int)later(length_of(s, t, q, false) + (q == queue ? longer : 0), s->n->least);
    return n;
}

static bool queue_has_room(const crossing_sim *s, const crossing_store *t, int queue)
{
    int length = length_of(s, t, queue, false), then = length + s->most;
    int above = (int)later(length - s->n->least, 0);

    if (s->n->partitioned)
        return then <= s->blocks / s->queues;
    if (s->n->most && then > s->n->most)
        return false;
    if (then <= s->n->least)
        return true;
    return shared_free(s, t, queue, s->most) >= 0 &&
           (s->n->alpha == 0 || above < s->n->alpha * shared_free(s, t, queue, 0));
}

static bool input_open(const crossing_sim *s, unsigned leads, const crossing_packet *p)
{
    if (leads & REF_NODE) {
        must((leads & ~REF_NODE) == (unsigned)p->to);
        return true;
    }
    const crossing_store *t = &s->in[leads];
    int queue = queue_at(s, leads, p);
    if (t->told)
        return ref_told_open(t->told, queue);
    return queue_has_room(s, t, queue) && (s->n->threshold == REF_NO_THRESHOLD ||
                                           length_of(s, t, queue, false) <= s->n->threshold);
}

static bool output_open(const crossing_sim *s, int sw, int output)
{
    const crossing_store *t = &s->out[sw * s->w->ports + output];
    return s->m->output_blocks - length_of(s, t, NONE, false) >= s->most;
}

/* p enters a store by a transfer that ends in `end` over a channel with that delay; its header is
 * there after `first` cycles. */
static void let_in(crossing_sim *s, crossing_store *t, const crossing_packet *p, int queue,
                   int output, long end, int delay, int first)
{
    crossing_stay *y = get(1, sizeof *y), **last = &t->first;

    *y = (crossing_stay){.p = *p, .queue = queue, .output = output};
    y->tail = end - 1 + delay;
    y->header = s->m->whole ? y->tail : s->now + first;
    while (*last)
        last = &(*last)->behind;
    *last = y;
    s->latest = later(s->latest, y->tail);
}

static void into_switch(crossing_sim *s, unsigned port, const crossing_packet *p, long end,
                        const ref_line *line)
{
    int output = s->w->output_of(s->w->self, port, class_at(s, port, p));

    must(output >= 0 && output < s->w->ports);
    let_in(s, &s->in[port], p, queue_at(s, port, p), output, end, line->delay,
           first_over(line, p->bytes));
    if (s->in[port].told)
        ref_told_send(s->in[port].told, queue_at(s, port, p), blocks_of(s, p->bytes));
    s->o->entered++;
}

/* y begins to leave over a channel of `bytes` in `cycles`, a link or not. */
static void leave(crossing_sim *s, crossing_stay *y, int bytes, int cycles, bool link)
{
    int takes = time_over(bytes, cycles, y->p.bytes);

    must(!y->going && y->header <= s->now);
    y->going = true;
    y->end = later(s->now + takes, y->tail + 1);
    y->whole = y->end - takes;
    y->pace = link ? 0 : time_over(bytes, cycles, s->n->block);
    y->hop = s->n->hop_delay;
    s->latest = later(s->latest, y->end);
}

/* ---- who sends ---- */

static int read_port_of(const crossing_sim *s, int queue)
{
    return s->n->read_each ? queue : 0;
}

/* The read port of the queue is idle, and its head can take part. */
static bool ready(const crossing_sim *s, int sw, int input, int queue)
{
    const crossing_store *t = &s->in[sw * s->w->ports + input];
    const crossing_stay *y = head_of(t, queue);

    return t->read[read_port_of(s, queue)] <= s->now && y && y->header <= s->now;
}

static bool can_cross(const crossing_sim *s, int sw, int input, int queue)
{
    if (!ready(s, sw, input, queue) || s->used[input * s->reads + read_port_of(s, queue)])
        return false;
    int output = head_of(&s->in[sw * s->w->ports + input], queue)->output;
    return !s->taken[output] && s->channel[sw * s->w->ports + output] <= s->now &&
           output_open(s, sw, output);
}

/* The longest queue of an input that can send; of equal ones the one whose head came first. */
static int longest_queue(const crossing_sim *s, int sw, int input)
{
    const crossing_store *t = &s->in[sw * s->w->ports + input];
    int best = NONE;

    for (int q = 0; q < s->queues; q++) {
        if (!can_cross(s, sw, input, q))
            continue;
        int more = best == NONE ? 1 : length_of(s, t, q, true) - length_of(s, t, best, true);
        if (more > 0 || (more == 0 && head_of(t, q)->header < head_of(t, best)->header))
            best = q;
    }
    return best;
}

static void arbitrate(crossing_sim *s, int sw)
{
    int first = s->pointer[sw], ports = s->w->ports, before = s->choices, q;
    bool ready_there = false, sent_there = false;

    for (int i = 0; i < ports; i++)
        s->taken[i] = false;
    for (int i = 0; i < ports * s->reads; i++)
        s->used[i] = false;
    for (int k = 0; k < ports; k++) {
        int input = (first + k) % ports;
        while ((q = longest_queue(s, sw, input)) != NONE) {
            s->choice[s->choices++] = (crossing_choice){FROM_INPUT, sw, input, q};
            s->taken[head_of(&s->in[sw * ports + input], q)->output] = true;
            s->used[input * s->reads + read_port_of(s, q)] = true;
            sent_there = sent_there || input == first;
            if (!s->n->read_each)
                break;
        }
    }
    for (q = 0; q < s->queues; q++)
        ready_there = ready_there || ready(s, sw, first, q);
    if (s->choices > before && (s->n->advancing || sent_there || !ready_there))
        s->pointer[sw] = (first + 1) % ports;
}

static void output_chooses(crossing_sim *s, int sw, int output)
{
    int place = sw * s->w->ports + output;
    const crossing_stay *y = head_of(&s->out[place], 0);

    const ref_line line = line_of(s, (unsigned)place);

    if (y && y->header <= s->now && s->now + line_takes(&line, y->p.bytes) > y->tail &&
        s->link[place] <= s->now && input_open(s, s->w->link[place], &y->p))
        s->choice[s->choices++] = (crossing_choice){FROM_OUTPUT, sw, output, 0};
}

static crossing_packet next_packet(const crossing_sim *s, const crossing_message *m)
{
    return (crossing_packet){m->from, m->to, (int)sooner(m->left, s->n->max_packet), m->birth};
}

static void sender_chooses(crossing_sim *s, int node)
{
    const crossing_message *m = s->message[node];

    if (!m || !m->made || s->sender_link[node] > s->now)
        return;
    crossing_packet p = next_packet(s, m);
    if (input_open(s, s->w->entry[node], &p))
        s->choice[s->choices++] = (crossing_choice){FROM_SENDER, NONE, node, 0};
}

/* ---- decisions take effect ---- */

static void record(crossing_sim *s, const crossing_packet *p, int sw, int input, int output,
                   int class_, bool output_store)
{
    ref_crossbar_outcome *o = s->o;

    if (o->starts == s->room) {
        s->room = 2 * s->room + 256;
        o->start = realloc(o->start, (size_t)s->room * sizeof *o->start);
        must(o->start != NULL);
    }
    o->start[o->starts++] = (ref_crossing){
        {s->now, p->birth, sw, input, output, class_, p->from, p->to, p->bytes}, output_store};
}

static void sender_begins(crossing_sim *s, int node)
{
    crossing_message *m = s->message[node];
    crossing_packet p = next_packet(s, m);
    const ref_line line = line_of(s, s->w->entry[node]);
    long end = s->now + line_takes(&line, p.bytes);

    record(s, &p, REF_SENDER, 0, 0, class_at(s, s->w->entry[node], &p), false);
    into_switch(s, s->w->entry[node], &p, end, &line);
    s->sender_link[node] = end + rest_after(s, &line, p.bytes);
    s->latest = later(s->latest, s->sender_link[node]);
    m->left -= p.bytes;
    m->made = false;
    if (m->left == 0) {
        s->message[node] = m->behind;
        free(m);
    }
}

static void input_begins(crossing_sim *s, crossing_choice c)
{
    int port = c.sw * s->w->ports + c.port;
    crossing_stay *y = head_of(&s->in[port], c.queue);
    int place = c.sw * s->w->ports + y->output;

    record(s, &y->p, c.sw, c.port, y->output, class_at(s, (unsigned)port, &y->p), false);
    leave(s, y, s->m->bytes, s->m->cycles, false);
    s->in[port].read[read_port_of(s, c.queue)] = y->end;
    must(s->channel[place] <= s->now);
    s->channel[place] = y->end;
    let_in(s, &s->out[place], &y->p, 0, 0, y->end, s->m->delay, s->m->delay);
    must(length_of(s, &s->out[place], NONE, false) <= s->m->output_blocks);
}

static void output_begins(crossing_sim *s, crossing_choice c)
{
    int place = c.sw * s->w->ports + c.port;
    crossing_stay *y = head_of(&s->out[place], 0);

    record(s, &y->p, c.sw, 0, c.port, 0, true);
    const ref_line line = line_of(s, (unsigned)place);
    leave(s, y, line.bytes, line.cycles, true);
    must(y->end == s->now + line_takes(&line, y->p.bytes));
    y->hop = first_over(&line, y->p.bytes);
    s->link[place] = y->end + rest_after(s, &line, y->p.bytes);
    s->latest = later(s->latest, s->link[place]);
    if (s->w->link[place] & REF_NODE) {
        s->o->delivered++;
        s->o->bytes_delivered += y->p.bytes;
        s->o->latency_sum += s->now - y->p.birth;
        s->o->latency_max = later(s->o->latency_max, s->now - y->p.birth);
    } else
        into_switch(s, s->w->link[place], &y->p, y->end, &line);
}

/* ---- senders' messages ---- */

static void make_packet(crossing_sim *s, crossing_message *m)
{
    m->made = true;
    m->birth = s->now;
    s->o->created++;
    s->o->bytes_created += next_packet(s, m).bytes;
}

static void create(crossing_sim *s)
{
    for (; s->seen < s->n->messages && s->n->message[s->seen].cycle == s->now; s->seen++) {
        const ref_message *given = &s->n->message[s->seen];
        crossing_message **last = &s->message[given->from], *m = get(1, sizeof *m);
        *m = (crossing_message){.from = given->from, .to = given->to, .left = given->bytes};
        make_packet(s, m);
        while (*last)
            last = &(*last)->behind;
        *last = m;
    }
    for (int i = 0; i < s->w->nodes; i++) { /* the next packets of messages that are under way */
        if (s->message[i] && !s->message[i]->made && s->sender_link[i] <= s->now)
            make_packet(s, s->message[i]);
    }
}

/* ---- a cycle ---- */

static void tell(crossing_sim *s)
{
    for (int i = 0; i < s->w->switches * s->w->ports && s->n->flow != REF_BLOCKING; i++) {
        for (int q = 0; q < s->queues; q++)
            s->held[q] = length_of(s, &s->in[i], q, false);
        ref_told_cycle(s->in[i].told, s->held);
    }
}

static void cycle(crossing_sim *s)
{
    int ports = s->w->ports;

    tell(s);

    for (int i = 0; i < s->w->switches * ports; i++) {
        tidy(s, &s->in[i]);
        tidy(s, &s->out[i]);
    }
    create(s);
    s->choices = 0;
    for (int i = 0; i < s->w->nodes; i++)
        sender_chooses(s, i);
    for (int sw = 0; sw < s->w->switches; sw++) {
        arbitrate(s, sw);
        for (int output = 0; output < ports; output++)
            output_chooses(s, sw, output);
    }
    for (int i = 0; i < s->choices; i++) {
        crossing_choice c = s->choice[i];
        if (c.kind == FROM_SENDER)
            sender_begins(s, c.port);
        else if (c.kind == FROM_INPUT)
            input_begins(s, c);
        else
            output_begins(s, c);
    }
}

/* Are packets left? */
static bool anything_waits(const crossing_sim *s)
{
    for (int i = 0; i < s->w->nodes; i++) {
        if (s->message[i])
            return true;
    }
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        if (s->in[i].first || s->out[i].first)
            return true;
    }
    return false;
}

/* ---- beginning and end ---- */

/* The delay of the link to an input. */
static int delay_to(const crossing_sim *s, unsigned port)
{
    for (unsigned i = 0; i < (unsigned)(s->w->switches * s->w->ports); i++) {
        if (s->w->link[i] == port)
            return line_of(s, i).delay;
    }
    return line_of(s, port).delay; /* from a node */
}

static void set_up(crossing_sim *s)
{
    const ref_async *n = s->n;
    size_t nodes = (size_t)s->w->nodes, places = (size_t)(s->w->switches * s->w->ports);

    must(!n->fixed && n->flow != REF_TWO_COUNTER);
    s->blocks = n->bytes / n->block;
    s->most = blocks_of(s, n->max_packet);
    s->queues = n->one_queue ? 1 : s->w->classes;
    s->reads = n->read_each ? s->queues : 1;
    s->in = get(places, sizeof *s->in);
    s->out = get(places, sizeof *s->out);
    s->held = get((size_t)s->queues, sizeof *s->held);
    ref_telling telling = ref_telling_of(n, s->queues, s->most);
    for (size_t i = 0; i < places; i++) {
        telling.delay = n->told_after + delay_to(s, (unsigned)i) - n->hop_delay;
        s->slowest = (int)later(s->slowest, telling.delay);
        s->in[i].read = get((size_t)s->reads, sizeof(long));
        s->in[i].told = n->flow == REF_BLOCKING ? NULL : ref_told_new(&telling);
    }
    s->channel = get(places, sizeof *s->channel);
    s->link = get(places, sizeof *s->link);
    s->sender_link = get(nodes, sizeof *s->sender_link);
    s->message = get(nodes, sizeof(crossing_message *));
    s->pointer = get((size_t)s->w->switches, sizeof *s->pointer);
    s->choice = get(nodes + 2 * places, sizeof *s->choice);
    s->taken = get((size_t)s->w->ports, sizeof *s->taken);
    s->used = get((size_t)(s->w->ports * s->reads), sizeof *s->used);
}

static void empty(crossing_store *t)
{
    for (crossing_stay *y = t->first, *next; y; y = next) {
        next = y->behind;
        free(y);
    }
    free(t->read);
    ref_told_free(t->told);
}

static void take_down(crossing_sim *s)
{
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        empty(&s->in[i]);
        empty(&s->out[i]);
    }
    for (int i = 0; i < s->w->nodes; i++) {
        for (crossing_message *m = s->message[i], *next; m; m = next) {
            next = m->behind;
            free(m);
        }
    }
    free(s->in);
    free(s->out);
    free(s->channel);
    free(s->link);
    free(s->sender_link);
    free(s->message);
    free(s->pointer);
    free(s->choice);
    free(s->taken);
    free(s->used);
    free(s->held);
}

void ref_crossbar_run(const ref_crossbar *model, ref_crossbar_outcome *outcome)
{
    const ref_async *n = &model->network;
    crossing_sim s = {.m = model, .n = n, .w = &n->wiring, .o = outcome};

    *outcome = (ref_crossbar_outcome){0};
    set_up(&s);
    while (n->cycles < 0 || s.now < n->cycles) {
        cycle(&s);
        /* nothing began, nothing is due: all later cycles will equal this one */
        bool still = s.choices == 0 && s.seen == n->messages && s.now > s.latest + s.slowest + 1;
        s.now++;
        if (still) {
            outcome->deadlock = anything_waits(&s);
            break;
        }
    }
    outcome->cycles = s.now;
    take_down(&s);
}

void ref_crossbar_outcome_clear(ref_crossbar_outcome *outcome)
{
    free(outcome->start);
    *outcome = (ref_crossbar_outcome){0};
}
