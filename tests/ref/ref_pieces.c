/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_pieces.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NONE = -1 };

typedef struct {
    int number, from, to, bytes;
    long birth;
} piece_packet;

/* A piece in a store, from the cycle in which it begins to arrive. */
typedef struct {
    int bytes;
    bool leaving;
    long whole, end; /* it leaves as if without a pause between these two */
    int pace;        /* cycles that a block takes over the channel by which it leaves */
} piece_here;

/* A packet in a store. */
typedef struct piece_stay {
    piece_packet p;
    int queue, output, class_;
    /* [p.bytes] the cycle from which each can go on, or -1: it has not begun to arrive */
    long *byte;
    piece_here *piece; /* [pieces of the packet] */
    int came, went;    /* pieces */
    long head;         /* its header can go on from this cycle on */
    struct piece_stay *behind;
} piece_stay;

/* For whom a channel is held. */
typedef struct {
    piece_stay *by;
    long idle; /* with `by`: the piece before has ended; else: it has rested */
} piece_channel;

typedef struct {
    piece_stay *first;
    long *read; /* [read ports] idle from then on */
    ref_told *told;
} piece_store;

typedef struct piece_message {
    int from, to, left;
    bool made;
    int number, sent; /* of the packet: bytes that have begun to leave */
    long birth;
    struct piece_message *behind;
} piece_message;

/* Who sends a piece in this cycle. */
typedef struct {
    enum { FROM_SENDER, FROM_INPUT, FROM_OUTPUT } kind;
    int place, queue; /* a node; an input port; an output */
} piece_choice;

typedef struct {
    const ref_pieces *m;
    const ref_async *n;
    const ref_wiring *w;
    int places, blocks, queues, reads, most;
    piece_store *in, *out;       /* [places] */
    piece_channel *cross, *link; /* [places] of crossbars, if there are output stores; of links */
    long *sender_link;           /* [nodes] */
    piece_message **message;     /* [nodes] */
    int *pointer;                /* [switches] */
    piece_choice *choice;
    int choices;
    bool *taken, *used;
    int *held;
    int seen, packets;
    long now, latest, room;
    ref_pieces_outcome *o;
} pieces_sim;

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

static int up(int a, int b)
{
    int n = 0;

    for (; a > 0; a -= b)
        n++;
    return n;
}

/* ---- stores ---- */

static int blocks_of(const pieces_sim *s, int bytes)
{
    return up(bytes, s->n->block);
}

static long free_from(const pieces_sim *s, const piece_here *h, int k)
{
    switch (s->n->release) {
    case REF_RELEASE_BLOCKS:
        return k == blocks_of(s, h->bytes) ? h->end : sooner(h->whole + (long)k * h->pace, h->end);
    case REF_RELEASE_START:
        return h->whole + 1;
    case REF_RELEASE_HOP:
        return sooner(h->whole + s->n->hop_delay, h->end);
    default:
        return h->end;
    }
}

static int held_by(const pieces_sim *s, const piece_here *h)
{
    int n = 0;

    for (int k = 1; k <= blocks_of(s, h->bytes); k++)
        n += !h->leaving || free_from(s, h, k) > s->now;
    return n;
}

static int length_of(const pieces_sim *s, const piece_store *t, int queue, bool waiting_only)
{
    int n = 0;

    for (const piece_stay *y = t->first; y; y = y->behind) {
        for (int j = 0; j < y->came && (queue == NONE || y->queue == queue); j++)
            n += waiting_only && y->piece[j].leaving ? 0 : held_by(s, &y->piece[j]);
    }
    return n;
}

static int pieces_of(const pieces_sim *s, int bytes)
{
    return up(bytes, s->m->piece);
}

/* The packet at the head of a queue: the one whose last piece has not begun to leave. */
static piece_stay *head_of(const pieces_sim *s, const piece_store *t, int queue)
{
    piece_stay *y = t->first;

    while (y && (y->queue != queue || y->went == pieces_of(s, y->p.bytes)))
        y = y->behind;
    return y;
}

static void tidy(const pieces_sim *s, piece_store *t)
{
    for (piece_stay **y = &t->first; *y;) {
        piece_stay *gone = *y;
        bool over = gone->went == pieces_of(s, gone->p.bytes);
        for (int j = 0; over && j < gone->went; j++)
            over = gone->piece[j].end <= s->now && held_by(s, &gone->piece[j]) == 0;
        if (!over) {
            y = &gone->behind;
            continue;
        }
        *y = gone->behind;
        free(gone->byte);
        free(gone->piece);
        free(gone);
    }
}

static int class_at(const pieces_sim *s, unsigned port, const piece_packet *p)
{
    return s->w->class_of(s->w->self, port, p->from, p->to);
}

static int queue_at(const pieces_sim *s, unsigned port, const piece_packet *p)
{
    return s->n->one_queue ? 0 : class_at(s, port, p);
}

static int shared_free(const pieces_sim *s, const piece_store *t, int queue, int longer)
{
    int n = s->blocks;

    for (int q = 0; q < s->queues; q++)
        n -= (int)later(length_of(s, t, q, false) + (q == queue ? longer : 0), s->n->least);
    return n;
}

/* Has the queue room for a piece of the greatest length? */
static bool queue_has_room(const pieces_sim *s, const piece_store *t, int queue)
{
    const int length = length_of(s, t, queue, false), then = length + s->most;
    const int above = (int)later(length - s->n->least, 0);

    if (s->n->partitioned)
        return then <= s->blocks / s->queues;
    if (s->n->most && then > s->n->most)
        return false;
    if (then <= s->n->least)
        return true;
    return shared_free(s, t, queue, s->most) >= 0 &&
           (s->n->alpha == 0 || above < s->n->alpha * shared_free(s, t, queue, 0));
}

static bool input_open(const pieces_sim *s, unsigned leads, const piece_packet *p)
{
    if (leads & REF_NODE) {
        must((leads & ~REF_NODE) == (unsigned)p->to);
        return true;
    }
    const piece_store *t = &s->in[leads];
    const int queue = queue_at(s, leads, p);

    if (t->told)
        return ref_told_open(t->told, queue);
    return queue_has_room(s, t, queue) && (s->n->threshold == REF_NO_THRESHOLD ||
                                           length_of(s, t, queue, false) <= s->n->threshold);
}

/* Is the store behind an output of a switch, or behind its link, open? */
static bool next_open(const pieces_sim *s, int place, const piece_packet *p)
{
    if (!s->m->output_blocks)
        return input_open(s, s->w->link[place], p);
    return s->m->output_blocks - length_of(s, &s->out[place], NONE, false) >= s->most;
}

/* ---- bytes ---- */

/* The packet's stay in a store that it enters, from the first piece on. */
static piece_stay *stay_of(const pieces_sim *s, piece_store *t, const piece_packet *p, bool first)
{
    piece_stay **y = &t->first;

    while (*y && (*y)->p.number != p->number)
        y = &(*y)->behind;
    must(first == !*y);
    if (*y) { /* and no other packet has arrived after it */
        must(!(*y)->behind);
        return *y;
    }
    *y = get(1, sizeof **y);
    (*y)->p = *p;
    (*y)->byte = get((size_t)p->bytes, sizeof(long));
    (*y)->piece = get((size_t)pieces_of(s, p->bytes), sizeof(piece_here));
    for (int k = 0; k < p->bytes; k++)
        (*y)->byte[k] = -1;
    return *y;
}

/* Piece `number` of p goes over a channel of `bytes` in `cycles`, of bytes that are available from
 * the cycles `there` on (NULL: from the beginning of time), each in the first cycle in which the
 * channel can carry it; into `to` after `delay` (NULL: to a node). Returns the cycle after the last
 * byte. */
static long carry(pieces_sim *s, const piece_packet *p, int number, const long *there, int bytes,
                  int cycles, piece_stay *to, int delay)
{
    const int first = number * s->m->piece, end = (int)sooner(first + s->m->piece, p->bytes);
    int byte = first;
    long u = s->now;

    for (; byte < end; u++) {
        const long may = (u - s->now + 1) * bytes; /* in units of 1 / `cycles` bytes, in all */
        for (; byte < end && (long)(byte - first + 1) * cycles <= may; byte++) {
            if (there)
                must(there[byte] >= 0);
            if (there && there[byte] > u)
                break;
            if (to) {
                must(to->byte[byte] == -1 && (byte == 0 || to->byte[byte - 1] >= 0));
                to->byte[byte] = u + delay;
            } else
                s->o->bytes_arrived++;
        }
    }
    s->latest = later(s->latest, u + delay);
    if (!to)
        return u;
    must(to->came == number);
    to->piece[to->came++] = (piece_here){.bytes = end - first};
    if (number == 0)
        to->head = to->byte[0];
    return u;
}

/* A piece of y begins to leave over a channel, and has left in `end`. */
static void leaves(pieces_sim *s, piece_stay *y, long end, int bytes, int cycles)
{
    piece_here *h = &y->piece[y->went++];

    h->leaving = true;
    h->end = end;
    h->whole = end - up(h->bytes * cycles, bytes);
    h->pace = up(s->n->block * cycles, bytes);
    s->latest = later(s->latest, end);
}

static void record(pieces_sim *s, const piece_packet *p, ref_start at, bool output_store, bool end)
{
    ref_pieces_outcome *o = s->o;

    at.birth = p->birth;
    at.from = p->from;
    at.to = p->to;
    at.bytes = p->bytes;
    if (o->moments == s->room) {
        s->room = 2 * s->room + 256;
        o->moment = realloc(o->moment, (size_t)s->room * sizeof *o->moment);
        must(o->moment != NULL);
    }
    o->moment[o->moments++] = (ref_moment){at, output_store, end};
}

/* p's piece enters the switch behind an input port. */
static piece_stay *into_switch(pieces_sim *s, unsigned port, const piece_packet *p, int number)
{
    piece_stay *y = stay_of(s, &s->in[port], p, number == 0);

    y->class_ = class_at(s, port, p);
    y->queue = queue_at(s, port, p);
    y->output = s->w->output_of(s->w->self, port, y->class_);
    return y;
}

static void tell_sent(const pieces_sim *s, unsigned port, const piece_stay *y)
{
    if (s->in[port].told)
        ref_told_send(s->in[port].told, y->queue, blocks_of(s, y->piece[y->came - 1].bytes));
}

/* ---- who sends ---- */

static int read_port_of(const pieces_sim *s, int queue)
{
    return s->n->read_each ? queue : 0;
}

static bool ready(const pieces_sim *s, int place, int queue)
{
    const piece_store *t = &s->in[place];
    const piece_stay *y = head_of(s, t, queue);

    return t->read[read_port_of(s, queue)] <= s->now && y && y->went == 0 && y->head <= s->now;
}

static piece_channel *channel_of(const pieces_sim *s, int place)
{
    return s->m->output_blocks ? &s->cross[place] : &s->link[place];
}

static bool can_begin(const pieces_sim *s, int sw, int input, int queue)
{
    const int place = sw * s->w->ports + input;

    if (!ready(s, place, queue) || s->used[input * s->reads + read_port_of(s, queue)])
        return false;
    const piece_stay *y = head_of(s, &s->in[place], queue);
    const int out = sw * s->w->ports + y->output;
    const piece_channel *c = channel_of(s, out);
    return !s->taken[y->output] && !c->by && c->idle <= s->now && next_open(s, out, &y->p);
}

static int longest_queue(const pieces_sim *s, int sw, int input)
{
    const piece_store *t = &s->in[sw * s->w->ports + input];
    int best = NONE;

    for (int q = 0; q < s->queues; q++) {
        if (!can_begin(s, sw, input, q))
            continue;
        int more = best == NONE ? 1 : length_of(s, t, q, true) - length_of(s, t, best, true);
        if (more > 0 || (more == 0 && head_of(s, t, q)->head < head_of(s, t, best)->head))
            best = q;
    }
    return best;
}

static void arbitrate(pieces_sim *s, int sw)
{
    const int first = s->pointer[sw], ports = s->w->ports, before = s->choices;
    bool ready_there = false, sent_there = false;

    for (int i = 0; i < ports; i++)
        s->taken[i] = false;
    for (int i = 0; i < ports * s->reads; i++)
        s->used[i] = false;
    for (int k = 0; k < ports; k++) {
        const int input = (first + k) % ports, place = sw * ports + input;
        for (int q; (q = longest_queue(s, sw, input)) != NONE;) {
            s->choice[s->choices++] = (piece_choice){FROM_INPUT, place, q};
            s->taken[head_of(s, &s->in[place], q)->output] = true;
            s->used[input * s->reads + read_port_of(s, q)] = true;
            sent_there = sent_there || input == first;
            if (!s->n->read_each)
                break;
        }
    }
    for (int q = 0; q < s->queues; q++)
        ready_there = ready_there || ready(s, sw * ports + first, q);
    if (s->choices > before && (sent_there || !ready_there))
        s->pointer[sw] = (first + 1) % ports;
}

/* Can the packet that a channel is held for send its next piece? */
static bool goes_on(const pieces_sim *s, const piece_channel *c, bool open)
{
    const piece_stay *y = c->by;
    const bool there =
        c->idle <= s->now && y->came > y->went && y->byte[y->went * s->m->piece] <= s->now;

    s->o->pauses += there && !open;
    return there && open;
}

static void held_choose(pieces_sim *s, int place)
{
    const piece_channel *c = channel_of(s, place);

    if (!c->by || !goes_on(s, c, next_open(s, place, &c->by->p)))
        return;
    int input = 0; /* that the packet lies in */
    const int base = place / s->w->ports * s->w->ports;
    for (int i = 0; i < s->w->ports; i++) {
        for (const piece_stay *y = s->in [base + i].first; y; y = y->behind)
            input = y == c->by ? base + i : input;
    }
    s->choice[s->choices++] = (piece_choice){FROM_INPUT, input, c->by->queue};
}

static void output_chooses(pieces_sim *s, int place)
{
    const piece_channel *c = &s->link[place];
    const piece_stay *y = head_of(s, &s->out[place], 0);
    const bool can = c->by ? goes_on(s, c, input_open(s, s->w->link[place], &c->by->p))
                           : y && c->idle <= s->now && y->head <= s->now &&
                                 input_open(s, s->w->link[place], &y->p);

    if (can)
        s->choice[s->choices++] = (piece_choice){FROM_OUTPUT, place, 0};
}

static piece_packet next_packet(const pieces_sim *s, const piece_message *m)
{
    return (piece_packet){m->number, m->from, m->to, (int)sooner(m->left, s->n->max_packet),
                          m->birth};
}

static void sender_chooses(pieces_sim *s, int node)
{
    const piece_message *m = s->message[node];

    if (!m || !m->made || s->sender_link[node] > s->now)
        return;
    const piece_packet p = next_packet(s, m);
    if (input_open(s, s->w->entry[node], &p))
        s->choice[s->choices++] = (piece_choice){FROM_SENDER, node, 0};
}

/* ---- decisions take effect ---- */

static void sender_sends(pieces_sim *s, int node)
{
    piece_message *m = s->message[node];
    const piece_packet p = next_packet(s, m);
    const unsigned port = s->w->entry[node];
    const int number = m->sent / s->m->piece;
    ref_start at = {.cycle = s->now, .switch_ = REF_SENDER, .class_ = class_at(s, port, &p)};

    if (number == 0)
        record(s, &p, at, false, false);
    piece_stay *y = into_switch(s, port, &p, number);
    at.cycle = carry(s, &p, number, NULL, 1, 1, y, s->n->hop_delay);
    tell_sent(s, port, y);
    m->sent = (int)sooner(m->sent + s->m->piece, p.bytes);
    s->sender_link[node] = at.cycle;
    if (m->sent < p.bytes)
        return;
    record(s, &p, at, false, true);
    s->sender_link[node] += s->n->link_rest;
    s->latest = later(s->latest, s->sender_link[node]);
    m->left -= p.bytes;
    m->made = false;
    if (m->left == 0) {
        s->message[node] = m->behind;
        free(m);
    }
}

/* A piece of y goes over a link, from an input store or an output store. */
static long over_link(pieces_sim *s, piece_stay *y, int place)
{
    const unsigned leads = s->w->link[place];
    piece_stay *to = leads & REF_NODE ? NULL : into_switch(s, leads, &y->p, y->went);
    const bool first = y->went == 0, last = y->went + 1 == pieces_of(s, y->p.bytes);
    const long end = carry(s, &y->p, y->went, y->byte, 1, 1, to, to ? s->n->hop_delay : 0);

    if (to)
        tell_sent(s, leads, to);
    if (!to && first) {
        s->o->delivered++;
        s->o->bytes_delivered += y->p.bytes;
        s->o->latency_sum += s->now - y->p.birth;
    }
    if (!to && last) {
        s->o->arrived++;
        s->o->tail_sum += end - y->p.birth;
    }
    return end;
}

/* After a piece the channel is held, or, after the last one, rests. */
static void hold(pieces_sim *s, piece_channel *c, piece_stay *y, long end, int rest)
{
    const bool last = y->went == pieces_of(s, y->p.bytes);

    must(c->by == y || (!c->by && c->idle <= s->now));
    c->by = last ? NULL : y;
    c->idle = last ? end + rest : end;
    s->latest = later(s->latest, c->idle);
}

static void input_sends(pieces_sim *s, piece_choice c)
{
    piece_store *t = &s->in[c.place];
    piece_stay *y = head_of(s, t, c.queue);
    const int ports = s->w->ports, sw = c.place / ports, place = sw * ports + y->output;
    const bool cross = s->m->output_blocks > 0;
    const int bytes = cross ? s->m->bytes : 1, cycles = cross ? s->m->cycles : 1;
    ref_start at = {s->now, 0, sw, c.place % ports, y->output, y->class_, 0, 0, 0};

    if (y->went == 0)
        record(s, &y->p, at, false, false);
    if (cross) {
        piece_stay *to = stay_of(s, &s->out[place], &y->p, y->went == 0);
        at.cycle = carry(s, &y->p, y->went, y->byte, bytes, cycles, to, s->m->delay);
        must(length_of(s, &s->out[place], NONE, false) <= s->m->output_blocks);
    } else
        at.cycle = over_link(s, y, place);
    leaves(s, y, at.cycle, bytes, cycles);
    hold(s, channel_of(s, place), y, at.cycle, cross ? 0 : s->n->link_rest);
    const bool last = y->went == pieces_of(s, y->p.bytes);
    t->read[read_port_of(s, c.queue)] = last ? at.cycle : 1L << 60;
    if (last)
        record(s, &y->p, at, false, true);
}

static void output_sends(pieces_sim *s, int place)
{
    piece_stay *y = head_of(s, &s->out[place], 0);
    ref_start at = {.cycle = s->now, .switch_ = place / s->w->ports, .output = place % s->w->ports};

    if (y->went == 0)
        record(s, &y->p, at, true, false);
    at.cycle = over_link(s, y, place);
    leaves(s, y, at.cycle, 1, 1);
    hold(s, &s->link[place], y, at.cycle, s->n->link_rest);
    if (y->went == pieces_of(s, y->p.bytes))
        record(s, &y->p, at, true, true);
}

/* ---- senders' messages ---- */

static void make_packet(pieces_sim *s, piece_message *m)
{
    m->made = true;
    m->birth = s->now;
    m->sent = 0;
    m->number = ++s->packets;
    s->o->created++;
    s->o->bytes_created += next_packet(s, m).bytes;
}

static void create(pieces_sim *s)
{
    for (; s->seen < s->n->messages && s->n->message[s->seen].cycle == s->now; s->seen++) {
        const ref_message *given = &s->n->message[s->seen];
        piece_message **last = &s->message[given->from], *m = get(1, sizeof *m);
        *m = (piece_message){.from = given->from, .to = given->to, .left = given->bytes};
        make_packet(s, m);
        while (*last)
            last = &(*last)->behind;
        *last = m;
    }
    for (int i = 0; i < s->w->nodes; i++) {
        if (s->message[i] && !s->message[i]->made && s->sender_link[i] <= s->now)
            make_packet(s, s->message[i]);
    }
}

/* ---- a cycle ---- */

/* In how many stores has a packet bytes that have not left? */
static void note_spread(pieces_sim *s)
{
    int *stores = get((size_t)s->packets + 1, sizeof *stores);

    for (int i = 0; i < 2 * s->places; i++) {
        for (const piece_stay *y = (i < s->places ? &s->in[i] : &s->out[i - s->places])->first; y;
             y = y->behind)
            stores[y->p.number] += y->came > y->went;
    }
    for (int i = 1; i <= s->packets; i++)
        s->o->spread = later(s->o->spread, stores[i]);
    free(stores);
}

static void cycle(pieces_sim *s)
{
    for (int i = 0; i < s->places && s->n->flow != REF_BLOCKING; i++) {
        for (int q = 0; q < s->queues; q++)
            s->held[q] = length_of(s, &s->in[i], q, false);
        ref_told_cycle(s->in[i].told, s->held);
    }
    for (int i = 0; i < s->places; i++) {
        tidy(s, &s->in[i]);
        tidy(s, &s->out[i]);
        must(s->n->flow != REF_BLOCKING || length_of(s, &s->in[i], NONE, false) <= s->blocks);
    }
    create(s);
    s->choices = 0;
    for (int i = 0; i < s->w->nodes; i++)
        sender_chooses(s, i);
    for (int sw = 0; sw < s->w->switches; sw++)
        arbitrate(s, sw);
    for (int place = 0; place < s->places; place++) {
        held_choose(s, place);
        if (s->m->output_blocks)
            output_chooses(s, place);
    }
    for (int i = 0; i < s->choices; i++) {
        const piece_choice c = s->choice[i];
        if (c.kind == FROM_SENDER)
            sender_sends(s, c.place);
        else if (c.kind == FROM_INPUT)
            input_sends(s, c);
        else
            output_sends(s, c.place);
    }
    note_spread(s);
}

static bool anything_waits(const pieces_sim *s)
{
    for (int i = 0; i < s->w->nodes; i++) {
        if (s->message[i])
            return true;
    }
    for (int i = 0; i < s->places; i++) {
        if (s->in[i].first || s->out[i].first)
            return true;
    }
    return false;
}

/* ---- beginning and end ---- */

static void set_up(pieces_sim *s)
{
    const ref_async *n = s->n;
    const size_t nodes = (size_t)s->w->nodes;

    must(!n->fixed && n->destinations == 0);
    s->places = s->w->switches * s->w->ports;
    const size_t places = (size_t)s->places;
    s->blocks = n->bytes / n->block;
    s->most = blocks_of(s, (int)sooner(s->m->piece, n->max_packet));
    s->queues = n->one_queue ? 1 : s->w->classes;
    s->reads = n->read_each ? s->queues : 1;
    s->in = get(places, sizeof *s->in);
    s->out = get(places, sizeof *s->out);
    s->held = get((size_t)s->queues, sizeof *s->held);
    const ref_telling telling = ref_telling_of(n, s->queues, s->most);
    for (size_t i = 0; i < places; i++) {
        s->in[i].read = get((size_t)s->reads, sizeof(long));
        s->in[i].told = n->flow == REF_BLOCKING ? NULL : ref_told_new(&telling);
    }
    s->cross = get(places, sizeof *s->cross);
    s->link = get(places, sizeof *s->link);
    s->sender_link = get(nodes, sizeof *s->sender_link);
    s->message = get(nodes, sizeof(piece_message *));
    s->pointer = get((size_t)s->w->switches, sizeof *s->pointer);
    s->choice = get(nodes + places * ((size_t)s->reads + 2), sizeof *s->choice);
    s->taken = get((size_t)s->w->ports, sizeof *s->taken);
    s->used = get((size_t)(s->w->ports * s->reads), sizeof *s->used);
}

static void empty(piece_store *t)
{
    for (piece_stay *y = t->first, *next; y; y = next) {
        next = y->behind;
        free(y->byte);
        free(y->piece);
        free(y);
    }
    free(t->read);
    ref_told_free(t->told);
}

static void take_down(pieces_sim *s)
{
    for (int i = 0; i < s->places; i++) {
        empty(&s->in[i]);
        empty(&s->out[i]);
    }
    for (int i = 0; i < s->w->nodes; i++) {
        for (piece_message *m = s->message[i], *next; m; m = next) {
            next = m->behind;
            free(m);
        }
    }
    free(s->in);
    free(s->out);
    free(s->cross);
    free(s->link);
    free(s->sender_link);
    free(s->message);
    free(s->pointer);
    free(s->choice);
    free(s->taken);
    free(s->used);
    free(s->held);
}

void ref_pieces_run(const ref_pieces *model, ref_pieces_outcome *outcome)
{
    const ref_async *n = &model->network;
    pieces_sim s = {.m = model, .n = n, .w = &n->wiring, .o = outcome};

    *outcome = (ref_pieces_outcome){0};
    set_up(&s);
    while (n->cycles < 0 || s.now < n->cycles) {
        cycle(&s);
        /* nothing began, nothing is due: all later cycles will equal this one */
        const bool still =
            s.choices == 0 && s.seen == n->messages && s.now > s.latest + n->told_after + 1;
        s.now++;
        if (still) {
            outcome->deadlock = anything_waits(&s);
            break;
        }
    }
    outcome->cycles = s.now;
    take_down(&s);
}

void ref_pieces_outcome_clear(ref_pieces_outcome *outcome)
{
    free(outcome->moment);
    *outcome = (ref_pieces_outcome){0};
}
