/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_stores.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NONE = -1 };
enum { PLAIN, APART, LECN_QUEUES }; /* of an output store, with LECN */

typedef struct {
    int from, to, bytes;
    long birth;
    long number; /* of its sender's packets, in the order in which they are sent */
} stores_packet;

/* A packet's stay in a store, from the start of the transfer that brings it to the end of the one
 * that takes it away. */
typedef struct stores_stay {
    stores_packet p;
    int queue;
    ref_outputs outputs;        /* that it may take */
    long header;                /* it can take part in an arbitration from this cycle on */
    long tail;                  /* its last byte can go on from this cycle on */
    bool going;                 /* it is being sent */
    bool before;                /* in a plain queue: separate packets wait until it has left */
    long whole, end;            /* as if it had left without interruption between these two */
    int pace;                   /* cycles that a block takes over the channel by which it leaves */
    struct stores_stay *behind; /* the packet that came next, to whichever queue */
} stores_stay;

/* A notice that has not arrived yet. */
typedef struct stores_notice {
    long due;
    int queue; /* LECN: the output of the next switch */
    bool stop; /* LECN: congested, not relieved */
    struct stores_notice *next;
} stores_notice;

typedef struct {
    stores_stay *first;
    int queues;
    long *read;             /* [read ports] the cycle from which each is idle */
    ref_outputs *set;       /* [queues] the outputs of those that wait in it; 0: not known yet */
    int *counter;           /* [queues] the second one of two; the first is the queue's length */
    bool *said_stop;        /* [queues] the last notice that was sent was Xoff */
    bool *stopped;          /* [queues] the last one that has arrived was */
    stores_notice *notices; /* on their way to the store or sender that feeds it */
    ref_told *told; /* input stores: what its sender knows, or NULL: the sender sees everything */
    bool told_all;  /* LECN: its last notice said that it is congested */
    ref_outputs congested; /* LECN: outputs of the next switch, as reported */
    ref_outputs kept;      /* ... whose packets are kept separate */
} stores_store;

typedef struct stores_message {
    int from, to, left; /* bytes not sent yet */
    bool made;          /* the packet that comes next is created */
    long birth;         /* of that packet */
    struct stores_message *behind;
} stores_message;

/* Who sends, and into which queue of what is next. */
typedef struct {
    enum { SENDER_SENDS, INPUT_SENDS, OUTPUT_SENDS } kind;
    int sw, port, queue; /* port: of the switch, in or out; or the node of a sender */
    int output, next;    /* next: NONE at a node */
} stores_decision;

typedef struct {
    const ref_stores *m;
    const ref_async *n;
    const ref_wiring *w;
    int blocks, queues, reads, most; /* of an input store; of the longest packet, in blocks */
    int escapes;
    stores_store *in, *out;   /* [switches * ports] */
    long *channel;            /* [switches * ports] of the crossbars: idle from then on */
    long *link;               /* [switches * ports] has rested from then on */
    long *sender_link;        /* [nodes] likewise */
    stores_message **message; /* [nodes] */
    long *latest_number;      /* [nodes * nodes] of what has been delivered */
    long *sent;               /* [nodes] packets that a sender has sent */
    int *pointer;             /* [switches] */
    stores_decision *decided; /* of this cycle */
    int decisions;
    bool *taken;      /* [ports] outputs, in this cycle's arbitration of one switch */
    bool *used;       /* [ports * reads] read ports, likewise */
    int *held;        /* [queues] blocks of one input store */
    int seen;         /* messages that have been created */
    long now, latest; /* nothing is due in any later cycle */
    ref_stores_outcome *o;
    long room;
} stores_sim;

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

/* The cycles in which a channel of `bytes` in `cycles` carries that many bytes. */
static int time_over(int bytes, int cycles, int many)
{
    int t = 0;

    while (t * bytes < many * cycles)
        t++;
    return t;
}

/* ---- stores ---- */

static int blocks_of(const stores_sim *s, int bytes)
{
    int n = 0;

    for (; bytes > 0; bytes -= s->n->block)
        n++;
    return n;
}

/* When is the k-th block of a packet that is leaving free? */
static long free_from(const stores_sim *s, const stores_stay *y, int k)
{
    switch (s->n->release) {
    case REF_RELEASE_BLOCKS:
        return k == blocks_of(s, y->p.bytes) ? y->end
                                             : sooner(y->whole + (long)k * y->pace, y->end);
    case REF_RELEASE_START:
        return y->whole + 1;
    case REF_RELEASE_HOP:
        return sooner(y->whole + s->n->hop_delay, y->end);
    default:
        return y->end;
    }
}

static int held_by(const stores_sim *s, const stores_stay *y)
{
    int all = blocks_of(s, y->p.bytes), n = 0;

    for (int k = 1; k <= all; k++)
        n += !y->going || free_from(s, y, k) > s->now;
    return n;
}

/* Blocks of a queue, or of all (NONE). */
static int length_of(const stores_sim *s, const stores_store *t, int queue, bool waiting_only)
{
    int n = 0;

    for (const stores_stay *y = t->first; y; y = y->behind) {
        if ((queue == NONE || y->queue == queue) && !(waiting_only && y->going))
            n += held_by(s, y);
    }
    return n;
}

static stores_stay *head_of(const stores_store *t, int queue)
{
    stores_stay *y = t->first;

    while (y && (y->going || y->queue != queue))
        y = y->behind;
    return y;
}

/* Removes the packets that have left and hold nothing. */
static void tidy(const stores_sim *s, stores_store *t)
{
    for (stores_stay **y = &t->first; *y;) {
        stores_stay *gone = *y;
        if (gone->going && gone->end <= s->now && held_by(s, gone) == 0) {
            *y = gone->behind;
            free(gone);
        } else
            y = &gone->behind;
    }
}

/* ---- routes and queues ---- */

static bool has_choice(const stores_sim *s)
{
    return s->m->ways.outputs != NULL;
}

static int class_at(const stores_sim *s, unsigned port, const stores_packet *p)
{
    int class_ = s->w->class_of(s->w->self, port, p->from, p->to);
    must(class_ >= 0 && class_ < s->w->classes);
    return class_;
}

static ref_outputs outputs_at(const stores_sim *s, unsigned port, const stores_packet *p)
{
    if (has_choice(s))
        return s->m->ways.outputs(s->m->ways.self, port, p->from, p->to);
    return (ref_outputs)1 << s->w->output_of(s->w->self, port, class_at(s, port, p));
}

/* The output that the deterministic rule gives, from the switch of an input port. */
static int first_at(const stores_sim *s, unsigned port, const stores_packet *p)
{
    if (has_choice(s))
        return s->m->ways.first(s->m->ways.self, port, p->from, p->to);
    return s->w->output_of(s->w->self, port, class_at(s, port, p));
}

/* The queue of an input store that a packet joins, escape queues excepted. */
static int queue_at(const stores_sim *s, unsigned port, const stores_packet *p)
{
    if (s->n->destinations)
        return p->to % s->n->destinations;
    if (s->n->one_queue)
        return s->escapes;
    if (!has_choice(s))
        return class_at(s, port, p);
    stores_store *t = &s->in[port];
    const ref_outputs set = outputs_at(s, port, p);
    int q = s->escapes;
    while (q < s->queues && t->set[q] && t->set[q] != set)
        q++;
    must(q < s->queues && set);
    t->set[q] = set;
    return q;
}

static int least_of(const stores_sim *s, int queue)
{
    return queue < s->escapes ? (int)later(s->most, s->n->least) : s->n->least;
}

/* The free part of the shared memory, if one queue were longer by that much. */
static int shared_free(const stores_sim *s, const stores_store *t, int queue, int longer)
{
    int n = s->blocks;

    for (int q = 0; q < s->queues; q++)
        n -= (int)later(length_of(s, t, q, false) + (q == queue ? longer : 0), least_of(s, q));
    return n;
}

static bool queue_has_room(const stores_sim *s, const stores_store *t, int queue)
{
    int length = length_of(s, t, queue, false), then = length + s->most;
    int above = (int)later(length - least_of(s, queue), 0);

    if (s->n->partitioned)
        return then <= s->blocks / s->queues;
    if (s->n->most && then > s->n->most)
        return false;
    if (then <= least_of(s, queue))
        return true;
    return shared_free(s, t, queue, s->most) >= 0 &&
           (s->n->alpha == 0 || above < s->n->alpha * shared_free(s, t, queue, 0));
}

static bool input_open(const stores_sim *s, unsigned leads, int queue)
{
    const stores_store *t = &s->in[leads];

    if (t->stopped[queue] || (s->m->sigma && t->counter[queue] >= s->m->y))
        return false;
    if (t->told)
        return ref_told_open(t->told, queue);
    return queue_has_room(s, t, queue) && (s->n->threshold == REF_NO_THRESHOLD ||
                                           length_of(s, t, queue, false) <= s->n->threshold);
}

/* The output by which a packet will leave the switch behind the link of an output store, as a set;
 * behind a link to a node there is none. */
static ref_outputs next_turn(const stores_sim *s, int place, const stores_packet *p)
{
    const unsigned leads = s->w->link[place];

    return leads & REF_NODE ? 0 : (ref_outputs)1 << first_at(s, leads, p);
}

static int output_queue(const stores_sim *s, int place, const stores_packet *p)
{
    if (s->m->detect)
        return next_turn(s, place, p) & s->out[place].kept ? APART : PLAIN;
    return s->m->output_destinations ? p->to % s->m->output_destinations : 0;
}

static bool output_open(const stores_sim *s, int place, int queue)
{
    const stores_store *t = &s->out[place];

    return !t->stopped[queue] && s->m->output_blocks - length_of(s, t, NONE, false) >= s->most;
}

/* LECN: is the separate queue not allowed to send? */
static bool held_apart(const stores_sim *s, int place)
{
    const stores_store *t = &s->out[place];
    const stores_stay *head = head_of(t, APART);

    for (const stores_stay *y = t->first; y; y = y->behind) {
        if (y->before && y->queue == PLAIN && !y->going)
            return true;
    }
    return head && (next_turn(s, place, &head->p) & t->congested);
}

/* ---- coming and leaving ---- */

/* p enters a store by a transfer that ends in `end` over a channel with that delay. */
static void let_in(stores_sim *s, stores_store *t, const stores_packet *p, int queue,
                   ref_outputs outputs, long end, int delay)
{
    stores_stay *y = get(1, sizeof *y), **last = &t->first;

    *y = (stores_stay){.p = *p, .queue = queue, .outputs = outputs};
    y->tail = end - 1 + delay;
    y->header = s->m->output_stores && s->m->whole ? y->tail : s->now + delay;
    while (*last)
        last = &(*last)->behind;
    *last = y;
    s->latest = later(s->latest, y->tail);
}

static void into_switch(stores_sim *s, unsigned port, const stores_packet *p, int queue, long end)
{
    stores_store *t = &s->in[port];

    let_in(s, t, p, queue, outputs_at(s, port, p), end, s->n->hop_delay);
    if (t->told)
        ref_told_send(t->told, queue, blocks_of(s, p->bytes));
    must(length_of(s, t, NONE, false) <= s->blocks);
    s->o->escaped += queue < s->escapes;
    s->o->entered++;
}

/* y begins to leave over a channel of `bytes` in `cycles`. */
static void leave(stores_sim *s, stores_stay *y, int bytes, int cycles)
{
    int takes = time_over(bytes, cycles, y->p.bytes);

    must(!y->going && y->header <= s->now);
    y->going = true;
    y->end = later(s->now + takes, y->tail + 1);
    y->whole = y->end - takes;
    y->pace = time_over(bytes, cycles, s->n->block);
    s->latest = later(s->latest, y->end);
}

static void delivered(stores_sim *s, const stores_packet *p)
{
    long *last = &s->latest_number[p->from * s->w->nodes + p->to];

    s->o->delivered++;
    s->o->bytes_delivered += p->bytes;
    s->o->latency_sum += s->now - p->birth;
    s->o->unordered += p->number < *last;
    *last = later(*last, p->number);
}

/* ---- who sends ---- */

static int read_port_of(const stores_sim *s, int queue)
{
    return s->n->read_each ? queue : 0;
}

/* The read port of the queue is idle, and its head can take part. */
static bool ready(const stores_sim *s, int sw, int input, int queue)
{
    const stores_store *t = &s->in[sw * s->w->ports + input];
    const stores_stay *y = head_of(t, queue);

    return t->read[read_port_of(s, queue)] <= s->now && y && y->header <= s->now;
}

/* Is the next channel behind an output idle, given everything decided? */
static bool idle(const stores_sim *s, int sw, int output)
{
    const long *from = s->m->output_stores ? s->channel : s->link;
    return !s->taken[output] && from[sw * s->w->ports + output] <= s->now;
}

/* May the packet go there, and to which queue? */
static bool goes_to(const stores_sim *s, int sw, int output, const stores_packet *p, int *next)
{
    const int place = sw * s->w->ports + output;
    const unsigned leads = s->w->link[place];

    if (s->m->output_stores) {
        *next = output_queue(s, place, p);
        return output_open(s, place, *next);
    }
    *next = NONE;
    if (leads & REF_NODE) {
        must((leads & ~REF_NODE) == (unsigned)p->to);
        return true;
    }
    *next = queue_at(s, leads, p);
    return input_open(s, leads, *next);
}

/* The escape queue behind the deterministic output, if there is one and it is open; else NONE. */
static int escape_behind(const stores_sim *s, int sw, int output, const stores_packet *p)
{
    const unsigned leads = s->w->link[sw * s->w->ports + output];

    if (!s->escapes || (leads & REF_NODE))
        return NONE;
    const int queue = s->m->ways.escape(s->m->ways.self, leads, p->from, p->to);
    return input_open(s, leads, queue) ? queue : NONE;
}

/* Of some outputs, those for which `choice` counts the fewest blocks. */
static ref_outputs fewest(const stores_sim *s, int sw, const stores_packet *p, ref_outputs of)
{
    int least = NONE;
    ref_outputs best = 0;

    for (int o = 0; o < s->w->ports; o++) {
        if (!(of >> o & 1))
            continue;
        const int place = sw * s->w->ports + o;
        const unsigned leads = s->w->link[place];
        const stores_store *t = s->m->output_stores ? &s->out[place] : &s->in[leads];
        int queue = NONE, n = 0;
        if (s->m->output_stores || !(leads & REF_NODE)) {
            if (s->m->ways.choice == REF_CHOICE_QUEUE)
                queue = s->m->output_stores ? output_queue(s, place, p) : queue_at(s, leads, p);
            n = length_of(s, t, queue, false);
        }
        if (least == NONE || n < least) {
            least = n;
            best = 0;
        }
        if (n == least)
            best |= (ref_outputs)1 << o;
    }
    return best;
}

static int lowest(ref_outputs set)
{
    int o = 0;

    must(set != 0);
    while (!(set >> o & 1))
        o++;
    return o;
}

static int choose(stores_sim *s, int sw, int input, const stores_stay *y, ref_outputs open)
{
    const ref_ways *ways = &s->m->ways;
    const unsigned port = (unsigned)(sw * s->w->ports + input);
    int o = first_at(s, port, &y->p);

    if (!(open & (open - 1)))
        return lowest(open);
    if (ways->choice == REF_CHOICE_FIRST) {
        while (!(open >> o & 1))
            o = (o + 1) % s->w->ports;
        return o;
    }
    if (ways->choice != REF_CHOICE_RANDOM)
        open = fewest(s, sw, &y->p, open);
    if (!(open & (open - 1)))
        return lowest(open);
    s->o->had_choice++;
    o = ways->taken(ways->arg, s->now, sw, input, y->p.from, y->p.to, y->p.birth);
    o = o >= 0 && o < s->w->ports && (open >> o & 1) ? o : lowest(open);
    const ref_outputs others = open & (open - 1);
    s->o->among[2 * ((others & (others - 1)) != 0) + (o != lowest(open))]++;
    return o;
}

/* Can the head of the queue be sent, given everything decided in this cycle? *open is the set of
 * outputs that it may take then; none: it takes the escape queue *next. */
static bool can_go(const stores_sim *s, int sw, int input, int queue, ref_outputs *open, int *next)
{
    const unsigned port = (unsigned)(sw * s->w->ports + input);

    if (!ready(s, sw, input, queue) || s->used[input * s->reads + read_port_of(s, queue)])
        return false;
    const stores_stay *y = head_of(&s->in[port], queue);
    *open = 0;
    for (int o = 0; o < s->w->ports; o++) {
        if ((y->outputs >> o & 1) && idle(s, sw, o) && goes_to(s, sw, o, &y->p, next))
            *open |= (ref_outputs)1 << o;
    }
    *next = NONE;
    if (!*open && !s->m->output_stores && idle(s, sw, first_at(s, port, &y->p)))
        *next = escape_behind(s, sw, first_at(s, port, &y->p), &y->p);
    return *open || *next != NONE;
}

/* The longest queue of an input that can send; of equal ones the one whose head came first. */
static int longest_queue(const stores_sim *s, int sw, int input)
{
    const stores_store *t = &s->in[sw * s->w->ports + input];
    int best = NONE, next;
    ref_outputs open;

    for (int q = 0; q < s->queues; q++) {
        if (!can_go(s, sw, input, q, &open, &next))
            continue;
        int more = best == NONE ? 1 : length_of(s, t, q, true) - length_of(s, t, best, true);
        if (more > 0 || (more == 0 && head_of(t, q)->header < head_of(t, best)->header))
            best = q;
    }
    return best;
}

static void decide(stores_sim *s, int sw, int input, int queue)
{
    const stores_stay *y = head_of(&s->in[sw * s->w->ports + input], queue);
    stores_decision d = {INPUT_SENDS, sw, input, queue, 0, NONE};
    ref_outputs open;

    must(can_go(s, sw, input, queue, &open, &d.next));
    if (open) {
        d.output = choose(s, sw, input, y, open);
        must(goes_to(s, sw, d.output, &y->p, &d.next));
    } else
        d.output = first_at(s, (unsigned)(sw * s->w->ports + input), &y->p);
    s->decided[s->decisions++] = d;
    s->taken[d.output] = true;
    s->used[input * s->reads + read_port_of(s, queue)] = true;
}

static void arbitrate(stores_sim *s, int sw)
{
    int first = s->pointer[sw], ports = s->w->ports, before = s->decisions, q;
    bool ready_there = false, sent_there = false;

    for (int i = 0; i < ports; i++)
        s->taken[i] = false;
    for (int i = 0; i < ports * s->reads; i++)
        s->used[i] = false;
    for (int k = 0; k < ports; k++) {
        int input = (first + k) % ports;
        while ((q = longest_queue(s, sw, input)) != NONE) {
            decide(s, sw, input, q);
            sent_there = sent_there || input == first;
            if (!s->n->read_each)
                break;
        }
    }
    for (q = 0; q < s->queues; q++)
        ready_there = ready_there || ready(s, sw, first, q);
    if (s->decisions > before && (sent_there || !ready_there))
        s->pointer[sw] = (first + 1) % ports;
}

/* The queue from which an output store sends: the longest one that may; of equal ones the one whose
 * head came first. */
static void output_decides(stores_sim *s, int sw, int output)
{
    const int place = sw * s->w->ports + output;
    const unsigned leads = s->w->link[place];
    const stores_store *t = &s->out[place];
    int best = NONE, best_next = NONE;

    if (s->link[place] > s->now)
        return;
    for (int q = 0; q < t->queues; q++) {
        const stores_stay *y = head_of(t, q);
        int next = NONE;
        if (!y || y->header > s->now || (s->m->detect && q == APART && held_apart(s, place)))
            continue;
        if (!(leads & REF_NODE)) {
            next = queue_at(s, leads, &y->p);
            if (!input_open(s, leads, next) &&
                (output != first_at(s, (unsigned)place, &y->p) ||
                 (next = escape_behind(s, sw, output, &y->p)) == NONE))
                continue;
        }
        int more = best == NONE ? 1 : length_of(s, t, q, true) - length_of(s, t, best, true);
        if (more > 0 || (more == 0 && y->header < head_of(t, best)->header)) {
            best = q;
            best_next = next;
        }
    }
    if (best != NONE)
        s->decided[s->decisions++] =
            (stores_decision){OUTPUT_SENDS, sw, output, best, output, best_next};
}

static stores_packet next_packet(const stores_sim *s, const stores_message *m)
{
    return (stores_packet){m->from, m->to, (int)sooner(m->left, s->n->max_packet), m->birth,
                           s->sent[m->from]};
}

static void sender_decides(stores_sim *s, int node)
{
    const stores_message *m = s->message[node];

    if (!m || !m->made || s->sender_link[node] > s->now)
        return;
    stores_packet p = next_packet(s, m);
    const int next = queue_at(s, s->w->entry[node], &p);
    if (input_open(s, s->w->entry[node], next))
        s->decided[s->decisions++] = (stores_decision){SENDER_SENDS, NONE, node, 0, 0, next};
}

/* ---- decisions take effect ---- */

static ref_departure *record(stores_sim *s, const stores_packet *p, int sw, int input, int output)
{
    ref_stores_outcome *o = s->o;

    if (o->starts == s->room) {
        s->room = 2 * s->room + 256;
        o->start = realloc(o->start, (size_t)s->room * sizeof *o->start);
        must(o->start != NULL);
    }
    o->start[o->starts] = (ref_departure){
        {s->now, p->birth, sw, input, output, 0, p->from, p->to, p->bytes}, NONE, false};
    return &o->start[o->starts++];
}

static int class_told(const stores_sim *s, unsigned port, const stores_packet *p)
{
    return has_choice(s) ? NONE : class_at(s, port, p);
}

static void sender_begins(stores_sim *s, const stores_decision *d)
{
    const int node = d->port;
    stores_message *m = s->message[node];
    stores_packet p = next_packet(s, m);
    long end = s->now + p.bytes;

    record(s, &p, REF_SENDER, 0, 0)->start.class_ = class_told(s, s->w->entry[node], &p);
    into_switch(s, s->w->entry[node], &p, d->next, end);
    s->sent[node]++;
    s->sender_link[node] = end + s->n->link_rest;
    s->latest = later(s->latest, s->sender_link[node]);
    m->left -= p.bytes;
    m->made = false;
    if (m->left == 0) {
        s->message[node] = m->behind;
        free(m);
    }
}

/* y goes over a link of a switch. */
static void over_link(stores_sim *s, int place, const stores_stay *y, int next)
{
    must(s->link[place] <= s->now);
    s->link[place] = y->end + s->n->link_rest;
    s->latest = later(s->latest, s->link[place]);
    if (s->w->link[place] & REF_NODE)
        delivered(s, &y->p);
    else
        into_switch(s, s->w->link[place], &y->p, next, y->end);
}

static void input_begins(stores_sim *s, const stores_decision *d)
{
    const int port = d->sw * s->w->ports + d->port, place = d->sw * s->w->ports + d->output;
    stores_stay *y = head_of(&s->in[port], d->queue);
    ref_departure *r = record(s, &y->p, d->sw, d->port, d->output);

    r->start.class_ = class_told(s, (unsigned)port, &y->p);
    r->escape = d->queue < s->escapes ? d->queue : NONE;
    must(y->outputs >> d->output & 1);
    if (s->m->output_stores) {
        leave(s, y, s->m->bytes, s->m->cycles);
        must(s->channel[place] <= s->now);
        s->channel[place] = y->end;
        let_in(s, &s->out[place], &y->p, d->next, 0, y->end, s->m->delay);
        s->o->apart += s->m->detect && d->next == APART;
        must(length_of(s, &s->out[place], NONE, false) <= s->m->output_blocks);
    } else {
        leave(s, y, 1, 1);
        over_link(s, place, y, d->next);
    }
    s->in[port].read[read_port_of(s, d->queue)] = y->end;
}

static void output_begins(stores_sim *s, const stores_decision *d)
{
    const int place = d->sw * s->w->ports + d->port;
    stores_stay *y = head_of(&s->out[place], d->queue);

    record(s, &y->p, d->sw, 0, d->port)->output_store = true;
    leave(s, y, 1, 1);
    over_link(s, place, y, d->next);
}

/* ---- Xoff and Xon ---- */

/* At the end of the cycle, tells the sender of a store which queues have become long, or short
 * again. */
static void notify(stores_sim *s, stores_store *t, int delay)
{
    for (int q = 0; s->m->xoff && q < t->queues; q++) {
        const int wait = length_of(s, t, q, true);
        if (t->said_stop[q] ? wait > s->m->xon * s->most : wait < s->m->xoff * s->most)
            continue;
        t->said_stop[q] = !t->said_stop[q];
        stores_notice *x = get(1, sizeof *x);
        *x = (stores_notice){s->now + delay, q, t->said_stop[q], t->notices};
        t->notices = x;
        s->latest = later(s->latest, x->due);
        s->o->notices++;
    }
}

static void receive(const stores_sim *s, stores_store *t)
{
    for (stores_notice **x = &t->notices; *x;) {
        stores_notice *come = *x;
        if (come->due <= s->now) {
            must(t->stopped[come->queue] != come->stop);
            t->stopped[come->queue] = come->stop;
            *x = come->next;
            free(come);
        } else
            x = &come->next;
    }
}

/* ---- local explicit congestion notification ---- */

static void tell_feeders(stores_sim *s, int sw, int output, bool congested)
{
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        const unsigned leads = s->w->link[i];
        if (leads == REF_NOWHERE || (leads & REF_NODE) || (int)leads / s->w->ports != sw)
            continue;
        stores_notice *x = get(1, sizeof *x);
        *x = (stores_notice){s->now + s->n->hop_delay, output, congested, s->out[i].notices};
        s->out[i].notices = x;
        s->latest = later(s->latest, x->due);
        s->o->notices++;
    }
}

/* At the end of the cycle. */
static void detect(stores_sim *s)
{
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        stores_store *t = &s->out[i];
        const int holds = length_of(s, t, NONE, true);
        if (t->told_all ? holds >= s->m->relief * s->most : holds <= s->m->detect * s->most)
            continue;
        t->told_all = !t->told_all;
        tell_feeders(s, i / s->w->ports, i % s->w->ports, t->told_all);
    }
}

/* The separate queue is empty: outputs that have been relieved are no longer recorded. */
static void forget(stores_store *t)
{
    if (!head_of(t, APART))
        t->kept &= t->congested;
}

static void learn(const stores_sim *s, stores_store *t)
{
    forget(t); /* at the end of the last cycle */
    for (stores_notice **x = &t->notices; *x;) {
        stores_notice *come = *x;
        const ref_outputs output = (ref_outputs)1 << come->queue;
        if (come->due > s->now) {
            x = &come->next;
            continue;
        }
        must(!(t->congested & output) == come->stop);
        t->congested ^= output;
        if (come->stop && !(t->kept & output)) {
            t->kept |= output;
            for (stores_stay *y = t->first; y; y = y->behind)
                y->before = y->queue == PLAIN && !y->going;
        }
        *x = come->next;
        free(come);
    }
    forget(t);
}

/* ---- two counters ---- */

/* From the lengths at the beginning of the cycle. */
static void count(const stores_sim *s, stores_store *t)
{
    for (int q = 0; q < t->queues; q++) {
        const int length = length_of(s, t, q, false);
        if (length > s->m->x_inc && t->counter[q] < s->m->y_max)
            t->counter[q]++;
        if (length < s->m->x_dec && t->counter[q] > 0)
            t->counter[q]--;
    }
}

/* ---- senders' messages ---- */

static void make_packet(stores_sim *s, stores_message *m)
{
    m->made = true;
    m->birth = s->now;
    s->o->created++;
    s->o->bytes_created += next_packet(s, m).bytes;
}

static void create(stores_sim *s)
{
    for (; s->seen < s->n->messages && s->n->message[s->seen].cycle == s->now; s->seen++) {
        const ref_message *given = &s->n->message[s->seen];
        stores_message **last = &s->message[given->from], *m = get(1, sizeof *m);
        *m = (stores_message){.from = given->from, .to = given->to, .left = given->bytes};
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

static void tell(stores_sim *s)
{
    for (int i = 0; i < s->w->switches * s->w->ports && s->n->flow != REF_BLOCKING; i++) {
        for (int q = 0; q < s->queues; q++)
            s->held[q] = length_of(s, &s->in[i], q, false);
        ref_told_cycle(s->in[i].told, s->held);
    }
}

static void begin_cycle(stores_sim *s)
{
    tell(s);
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        tidy(s, &s->in[i]);
        tidy(s, &s->out[i]);
        receive(s, &s->in[i]);
        if (s->m->detect)
            learn(s, &s->out[i]);
        else
            receive(s, &s->out[i]);
        if (s->m->sigma && s->now % s->m->sigma == 0)
            count(s, &s->in[i]);
    }
    create(s);
}

static void cycle(stores_sim *s)
{
    const int ports = s->w->ports;

    begin_cycle(s);
    s->decisions = 0;
    for (int i = 0; i < s->w->nodes; i++)
        sender_decides(s, i);
    for (int sw = 0; sw < s->w->switches; sw++) {
        arbitrate(s, sw);
        for (int output = 0; output < ports && s->m->output_stores; output++)
            output_decides(s, sw, output);
    }
    for (int i = 0; i < s->decisions; i++) {
        const stores_decision *d = &s->decided[i];
        if (d->kind == SENDER_SENDS)
            sender_begins(s, d);
        else if (d->kind == INPUT_SENDS)
            input_begins(s, d);
        else
            output_begins(s, d);
    }
    for (int i = 0; i < s->w->switches * ports; i++) {
        notify(s, &s->in[i], s->n->hop_delay);
        notify(s, &s->out[i], s->m->delay);
    }
    if (s->m->detect)
        detect(s);
}

/* Are packets left? */
static bool anything_waits(const stores_sim *s)
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

static void set_up_store(stores_store *t, int queues, int reads)
{
    t->queues = queues;
    t->read = get((size_t)reads, sizeof *t->read);
    t->set = get((size_t)queues, sizeof *t->set);
    t->counter = get((size_t)queues, sizeof *t->counter);
    t->said_stop = get((size_t)queues, sizeof *t->said_stop);
    t->stopped = get((size_t)queues, sizeof *t->stopped);
}

static void set_up(stores_sim *s)
{
    const ref_async *n = s->n;
    size_t nodes = (size_t)s->w->nodes, places = (size_t)(s->w->switches * s->w->ports);

    must(!n->fixed && n->flow != REF_TWO_COUNTER);
    s->blocks = n->bytes / n->block;
    s->most = blocks_of(s, n->max_packet);
    s->escapes = has_choice(s) ? s->m->ways.escapes : 0;
    s->queues = n->destinations ? n->destinations
                : n->one_queue  ? s->escapes + 1
                : has_choice(s) ? s->escapes + s->m->ways.sets
                                : s->w->classes;
    s->reads = n->read_each ? s->queues : 1;
    s->in = get(places, sizeof *s->in);
    s->out = get(places, sizeof *s->out);
    s->held = get((size_t)s->queues, sizeof *s->held);
    const ref_telling telling = ref_telling_of(n, s->queues, s->most);
    const int behind = s->m->detect ? LECN_QUEUES : s->m->output_destinations;
    for (size_t i = 0; i < places; i++) {
        set_up_store(&s->in[i], s->queues, s->reads);
        set_up_store(&s->out[i], behind ? behind : 1, 1);
        s->in[i].told = n->flow == REF_BLOCKING ? NULL : ref_told_new(&telling);
    }
    s->channel = get(places, sizeof *s->channel);
    s->link = get(places, sizeof *s->link);
    s->sender_link = get(nodes, sizeof *s->sender_link);
    s->message = get(nodes, sizeof(stores_message *));
    s->latest_number = get(nodes * nodes, sizeof *s->latest_number);
    s->sent = get(nodes, sizeof *s->sent);
    s->pointer = get((size_t)s->w->switches, sizeof *s->pointer);
    s->decided = get(nodes + 2 * places * (size_t)s->reads, sizeof *s->decided);
    s->taken = get((size_t)s->w->ports, sizeof *s->taken);
    s->used = get((size_t)(s->w->ports * s->reads), sizeof *s->used);
}

static void empty(stores_store *t)
{
    for (stores_stay *y = t->first, *next; y; y = next) {
        next = y->behind;
        free(y);
    }
    for (stores_notice *x = t->notices, *next; x; x = next) {
        next = x->next;
        free(x);
    }
    free(t->read);
    free(t->set);
    free(t->counter);
    free(t->said_stop);
    free(t->stopped);
    ref_told_free(t->told);
}

static void take_down(stores_sim *s)
{
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        empty(&s->in[i]);
        empty(&s->out[i]);
    }
    for (int i = 0; i < s->w->nodes; i++) {
        for (stores_message *m = s->message[i], *next; m; m = next) {
            next = m->behind;
            free(m);
        }
    }
    free(s->in);
    free(s->out);
    free(s->held);
    free(s->channel);
    free(s->link);
    free(s->sender_link);
    free(s->message);
    free(s->latest_number);
    free(s->sent);
    free(s->pointer);
    free(s->decided);
    free(s->taken);
    free(s->used);
}

void ref_stores_run(const ref_stores *model, ref_stores_outcome *outcome)
{
    const ref_async *n = &model->network;
    stores_sim s = {.m = model, .n = n, .w = &n->wiring, .o = outcome};

    *outcome = (ref_stores_outcome){0};
    set_up(&s);
    while (n->cycles < 0 || s.now < n->cycles) {
        cycle(&s);
        /* nothing began, nothing is due: all later cycles will equal this one */
        bool still = s.decisions == 0 && s.seen == n->messages &&
                     s.now > s.latest + n->told_after + 1 + (long)model->sigma * (model->y_max + 1);
        s.now++;
        if (still) {
            outcome->deadlock = anything_waits(&s);
            break;
        }
    }
    outcome->cycles = s.now;
    take_down(&s);
}

void ref_stores_outcome_clear(ref_stores_outcome *outcome)
{
    free(outcome->start);
    *outcome = (ref_stores_outcome){0};
}
