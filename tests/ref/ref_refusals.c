/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_refusals.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NONE = -1 };

typedef struct {
    int from, to, bytes;
    long birth;
    long number; /* of its sender's packets, in the order in which they are sent first */
} refusals_packet;

/* A packet in a buffer, from the beginning of the transmission that brings it; or the one that a
 * sender sends. */
typedef struct refusals_stay {
    refusals_packet p;
    unsigned port; /* the input port of the buffer; or REF_NODE | sender */
    int queue, output;
    long header;   /* it has arrived, and been accepted, if it was, by this cycle */
    bool compared; /* including those that are there, in the cycle of its header */
    bool turned;   /* it was refused here: only its memory is left, until `gone` */
    long gone;     /* the cycle in which it is removed */
    bool going;    /* it is being sent, or its answer is awaited */
    long began;    /* the transmission: its first cycle */
    long answer;   /* when the answer comes; 0: there is no answer to come */
    bool left;     /* it was accepted by the next buffer: no longer here, except for its memory */
    bool blocks;   /* a packet was refused because of it: BLOCKER */
    bool held_off; /* it was refused, and the packet that blocked it is still there: BLOCKEE */
    struct refusals_stay *next;   /* its copy in the next buffer, while it is sent */
    struct refusals_stay *before; /* its copy in the buffer before, until that has the answer */
    /* the packet that it was refused because of; NULL if that has left since */
    struct refusals_stay *because;
    struct refusals_stay *behind; /* in the buffer, in the order of the queues */
} refusals_stay;

typedef struct {
    refusals_stay *first;
    long *read; /* [read ports] the cycle from which each is idle */
} refusals_buffer;

typedef struct refusals_message {
    int from, to, left; /* bytes not sent yet */
    bool made;          /* the packet that comes next is created */
    long birth;         /* of that packet */
    struct refusals_message *behind;
} refusals_message;

typedef struct {
    int sw, input; /* sw NONE: sender `input` */
    refusals_stay *y;
} refusals_decision;

typedef struct {
    const ref_refusals *m;
    const ref_async *n;
    const ref_wiring *w;
    int blocks, queues, reads, most;
    refusals_buffer *in;        /* [switches * ports] */
    long *link;                 /* [switches * ports] has rested from then on */
    long *sender_link;          /* [nodes] likewise */
    refusals_stay **sending;    /* [nodes] what a sender sends, or NULL */
    refusals_message **message; /* [nodes] */
    long *sent;                 /* [nodes] packets */
    long *latest_number;        /* [nodes * nodes] of what has been delivered */
    int *pointer;               /* [switches] */
    refusals_decision *decided; /* of this cycle */
    int decisions;
    bool *taken; /* [ports] outputs, in this cycle's arbitration of one switch */
    bool *used;  /* [ports * reads] read ports, likewise */
    int seen;    /* messages that have been created */
    long now, latest;
    ref_refusals_outcome *o;
    long start_room, refusal_room;
} refusals_sim;

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

static int blocks_of(const refusals_sim *s, int bytes)
{
    return (bytes + s->n->block - 1) / s->n->block;
}

/* ---- memory ---- */

/* From which cycle on is the k-th block of a packet free that the next buffer has accepted? Not
 * before the answer. */
static long free_from(const refusals_sim *s, const refusals_stay *y, int k)
{
    const long end = y->began + y->p.bytes, ack = y->answer;

    switch (s->n->release) {
    case REF_RELEASE_BLOCKS:
        return later(sooner(y->began + (long)k * s->n->block, end), ack);
    case REF_RELEASE_START:
        return later(y->began + 1, ack);
    case REF_RELEASE_HOP:
        return later(sooner(y->began + s->n->hop_delay, end), ack);
    default:
        return later(end, ack);
    }
}

static int held_by(const refusals_sim *s, const refusals_stay *y)
{
    const int all = blocks_of(s, y->p.bytes);
    int n = 0;

    if (y->turned)
        return s->now < y->gone ? all : 0;
    for (int k = 1; k <= all; k++)
        n += !y->left || free_from(s, y, k) > s->now;
    return n;
}

static bool refuses(const refusals_sim *s, unsigned port);

/* Is a packet on its way to a buffer that has not been asked whether it has room? */
static bool unannounced(const refusals_sim *s, const refusals_stay *y)
{
    return s->m->no_preroute && !y->compared && refuses(s, y->port);
}

/* Blocks of a queue, or of all (NONE). */
static int length_of(const refusals_sim *s, const refusals_buffer *b, int queue, bool waiting_only)
{
    int n = 0;

    for (const refusals_stay *y = b->first; y; y = y->behind) {
        if ((queue == NONE || y->queue == queue) &&
            !(waiting_only && (y->going || y->left || y->turned)) && !unannounced(s, y))
            n += held_by(s, y);
    }
    return n;
}

static int class_at(const refusals_sim *s, unsigned port, const refusals_packet *p)
{
    return s->w->class_of(s->w->self, port, p->from, p->to);
}

static int output_at(const refusals_sim *s, unsigned port, const refusals_packet *p)
{
    return s->w->output_of(s->w->self, port, class_at(s, port, p));
}

static int queue_at(const refusals_sim *s, unsigned port, const refusals_packet *p)
{
    return s->n->one_queue ? 0 : class_at(s, port, p);
}

/* ---- what is open ---- */

/* Does a buffer compare arriving packets? */
static bool refuses(const refusals_sim *s, unsigned port)
{
    return s->m->stage_of(s->m->self, port) < s->m->stages;
}

/* Does a packet stay in its buffer until it is known to have been accepted? This holds for packets
 * that came to a buffer that compares, and for those that senders send to one. */
static bool awaits(const refusals_sim *s, const refusals_stay *y)
{
    return refuses(s, y->port & REF_NODE ? s->w->entry[y->port & ~REF_NODE] : y->port);
}

static bool room(const refusals_sim *s, unsigned leads)
{
    return s->blocks - length_of(s, &s->in[leads], NONE, false) >= s->most;
}

/* The queue there accepts packets, as far as its own length is concerned. */
static bool queue_open(const refusals_sim *s, unsigned leads, const refusals_packet *p)
{
    const int length = length_of(s, &s->in[leads], queue_at(s, leads, p), false);

    if (s->n->partitioned && length + s->most > s->blocks / s->queues)
        return false;
    if (s->n->most && length + s->most > s->n->most)
        return false;
    return s->n->threshold == REF_NO_THRESHOLD || length <= s->n->threshold;
}

static bool open_to(const refusals_sim *s, unsigned leads, const refusals_packet *p)
{
    return (leads & REF_NODE) || (room(s, leads) && queue_open(s, leads, p));
}

/* As far as its sender knows. */
static bool seems_open_to(const refusals_sim *s, unsigned leads, const refusals_packet *p)
{
    return (s->m->no_preroute && !(leads & REF_NODE) && refuses(s, leads)) || open_to(s, leads, p);
}

/* ---- accepting and refusing ---- */

static unsigned leads_to(const refusals_sim *s, const refusals_stay *y)
{
    if (y->port & REF_NODE)
        return s->w->entry[y->port & ~REF_NODE];
    return s->w->link[(int)y->port / s->w->ports * s->w->ports + y->output];
}

/* Are two packets in that buffer of the same destination, or do they share their next hops? */
static bool alike(const refusals_sim *s, unsigned port, const refusals_packet *a,
                  const refusals_packet *b)
{
    if (!s->m->path_hops)
        return a->to == b->to;
    for (int hop = 0; hop < s->m->path_hops && !(port & REF_NODE); hop++) {
        const int output = output_at(s, port, a);
        if (output != output_at(s, port, b))
            return false;
        port = s->w->link[(int)port / s->w->ports * s->w->ports + output];
    }
    return true;
}

/* The packet because of which x, whose header has arrived, is refused; or NULL. */
static refusals_stay *in_the_way(const refusals_sim *s, const refusals_stay *x)
{
    for (refusals_stay *z = s->in [x->port].first; z; z = z->behind) {
        if (z != x && !z->turned && !z->left && z->header <= s->now &&
            alike(s, x->port, &x->p, &z->p))
            return z;
    }
    return NULL;
}

static void record(ref_start **list, long *count, long *room_for, const ref_start *what)
{
    if (*count == *room_for) {
        *room_for = 2 * *room_for + 256;
        *list = realloc(*list, (size_t)*room_for * sizeof **list);
        must(*list != NULL);
    }
    (*list)[(*count)++] = *what;
}

static ref_start start_of(const refusals_sim *s, const refusals_stay *y, long cycle)
{
    ref_start r = {.cycle = cycle,
                   .birth = y->p.birth,
                   .switch_ = REF_SENDER,
                   .from = y->p.from,
                   .to = y->p.to,
                   .bytes = y->p.bytes};

    if (y->port & REF_NODE) {
        r.class_ = class_at(s, s->w->entry[y->port & ~REF_NODE], &y->p);
        return r;
    }
    r.switch_ = (int)y->port / s->w->ports;
    r.input = (int)y->port % s->w->ports;
    r.output = y->output;
    r.class_ = class_at(s, y->port, &y->p);
    return r;
}

/* Appends y to its buffer, and so to its queue. */
static void relink(refusals_sim *s, refusals_stay *y)
{
    refusals_stay **at = &s->in[y->port].first;

    while (*at != y)
        at = &(*at)->behind;
    *at = y->behind;
    while (*at)
        at = &(*at)->behind;
    *at = y;
    y->behind = NULL;
}

/* The packet whose header has arrived at a buffer is refused, or joins its queue: after one that
 * has been refused elsewhere and returns in this cycle. */
static void compare_header(refusals_sim *s, refusals_buffer *b)
{
    refusals_stay *x = b->first, *z;

    while (x && (x->header != s->now || x->turned))
        x = x->behind;
    if (!x)
        return;
    z = x->before && refuses(s, x->port) ? in_the_way(s, x) : NULL;
    const bool full = unannounced(s, x) && !open_to(s, x->port, &x->p);
    x->compared = true;
    if (z || full) {
        x->turned = true;
        x->gone = s->now;
        if (z)
            z->blocks = true;
        x->before->because = z;
        const ref_start r = start_of(s, x->before, x->before->began);
        record(&s->o->refusal, &s->o->refusals, &s->refusal_room, &r);
    } else
        relink(s, x);
}

/* ---- answers ---- */

static int read_port_of(const refusals_sim *s, int queue)
{
    return s->n->read_each ? queue : 0;
}

/* No one waits for y, which is leaving a buffer, any more: marks of packets for that buffer are
 * removed. */
static void let_go(refusals_sim *s, const refusals_stay *y)
{
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        for (refusals_stay *x = s->in[i].first; x; x = x->behind) {
            if (x->because == y)
                x->because = NULL;
            if (y->blocks && leads_to(s, x) == y->port)
                x->held_off = false;
        }
    }
    for (int i = 0; i < s->w->nodes; i++) {
        refusals_stay *x = s->sending[i];
        if (x && x->because == y)
            x->because = NULL;
        if (x && y->blocks && s->w->entry[i] == y->port)
            x->held_off = false;
    }
}

static void was_refused(refusals_sim *s, refusals_stay *y)
{
    const long end = y->began + y->p.bytes;
    const bool sender = y->port & REF_NODE;
    long *link = sender ? &s->sender_link[y->port & ~REF_NODE]
                        : &s->link[(int)y->port / s->w->ports * s->w->ports + y->output];
    const long stop = s->m->no_abort ? later(end, s->now) : s->now;

    y->going = false;
    y->answer = 0;
    y->next->before = NULL;
    y->next = NULL;
    y->held_off = !s->m->no_restrict && y->because;
    y->because = NULL;
    *link = stop + s->n->link_rest;
    s->latest = later(s->latest, *link);
    if (sender)
        return;
    long *read = &s->in[y->port].read[read_port_of(s, y->queue)];
    *read = stop;
    if (!s->m->no_abort && s->m->relinks)
        *read = later(*read, s->now + 2L * blocks_of(s, y->p.bytes));
    s->latest = later(s->latest, *read);
    relink(s, y);
}

static void message_goes_on(refusals_sim *s, int node)
{
    refusals_message *m = s->message[node];

    m->left -= s->sending[node]->p.bytes;
    m->made = false;
    if (m->left == 0) {
        s->message[node] = m->behind;
        free(m);
    }
}

/* y has been accepted by the next buffer, or by its node. */
static void was_taken(refusals_sim *s, refusals_stay *y)
{
    if (y->next) {
        y->next->before = NULL;
        y->next = NULL;
    }
    if (y->port & REF_NODE) {
        const int node = (int)(y->port & ~REF_NODE);
        message_goes_on(s, node);
        s->sending[node] = NULL;
        free(y);
        return;
    }
    let_go(s, y);
    y->left = true;
}

/* Answers arrive: those of packets that have been accepted, or refused. */
static void hear(refusals_sim *s, bool refused)
{
    for (int i = 0; i < s->w->nodes; i++) {
        refusals_stay *y = s->sending[i];
        if (!y || !y->going || y->answer != s->now || y->next->turned != refused)
            continue;
        if (refused)
            was_refused(s, y);
        else
            was_taken(s, y);
    }
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        for (refusals_stay *y = s->in[i].first, *next; y; y = next) {
            next = y->behind;
            if (!y->going || y->left || y->answer != s->now ||
                (y->next && y->next->turned) != refused)
                continue;
            if (refused)
                was_refused(s, y);
            else
                was_taken(s, y);
        }
    }
}

/* Has it arrived, and does it wait in that queue? */
static bool waits(const refusals_sim *s, const refusals_stay *y, int queue)
{
    return y->queue == queue && !y->going && !y->left && !y->turned && y->header <= s->now;
}

/* Is it still the head, as it may return? */
static bool undecided(const refusals_stay *y)
{
    return y->going && !y->left && y->next && (!y->next->compared || y->next->turned);
}

/* In a FIFO, packets that are held off go behind the first that is not, when they reach its
 * head. */
static void settle(refusals_sim *s, refusals_buffer *b)
{
    refusals_stay *free = b->first, *y, *next;

    if (!s->n->one_queue)
        return;
    for (y = b->first; y; y = y->behind) {
        if (undecided(y))
            return;
    }
    while (free && (!waits(s, free, 0) || free->held_off))
        free = free->behind;
    if (!free)
        return;
    for (y = b->first; y != free; y = next) {
        next = y->behind;
        if (waits(s, y, 0))
            relink(s, y);
    }
}

/* Removes the packets that have left and hold nothing. */
static void tidy(refusals_sim *s, refusals_buffer *b)
{
    for (refusals_stay **y = &b->first; *y;) {
        refusals_stay *gone = *y;
        const bool over = gone->turned ? !gone->before : gone->left;
        if (over && held_by(s, gone) == 0 && !gone->before) {
            *y = gone->behind;
            free(gone);
        } else
            y = &gone->behind;
    }
}

/* ---- who sends ---- */

static bool usable(const refusals_sim *s, int sw, int output)
{
    return !s->taken[output] && s->link[sw * s->w->ports + output] <= s->now;
}

/* The packet of a queue that leaves next if the arbiter allows it, or NULL: the first that is not
 * held off and, where blocked packets make way, is not blocked. */
static refusals_stay *next_of(const refusals_sim *s, int sw, int input, int queue)
{
    const refusals_buffer *b = &s->in[sw * s->w->ports + input];

    if (b->read[read_port_of(s, queue)] > s->now ||
        s->used[input * s->reads + read_port_of(s, queue)])
        return NULL;
    for (refusals_stay *y = b->first; y; y = y->behind) {
        if (!waits(s, y, queue) || y->held_off)
            continue;
        if (seems_open_to(s, leads_to(s, y), &y->p) && usable(s, sw, y->output))
            return y;
        if (s->m->no_requeue || s->n->one_queue ||
            !refuses(s, (unsigned)(sw * s->w->ports + input)))
            return NULL;
    }
    return NULL;
}

static bool ready(const refusals_sim *s, int sw, int input, int queue)
{
    const refusals_buffer *b = &s->in[sw * s->w->ports + input];

    for (const refusals_stay *y = b->first; y; y = y->behind) {
        if (waits(s, y, queue))
            return b->read[read_port_of(s, queue)] <= s->now;
    }
    return false;
}

/* When did the first packet that waits in a queue arrive, held off or not? */
static long age_of(const refusals_sim *s, const refusals_buffer *b, int queue)
{
    const refusals_stay *y = b->first;

    while (!waits(s, y, queue))
        y = y->behind;
    return y->header;
}

static refusals_stay *longest(const refusals_sim *s, int sw, int input)
{
    const refusals_buffer *b = &s->in[sw * s->w->ports + input];
    refusals_stay *best = NULL;
    int most = 0;

    for (int q = 0; q < s->queues; q++) {
        refusals_stay *y = next_of(s, sw, input, q);
        const int length = y ? length_of(s, b, q, true) : 0;
        if (y && (!best || length > most ||
                  (length == most && age_of(s, b, q) < age_of(s, b, best->queue)))) {
            best = y;
            most = length;
        }
    }
    return best;
}

static void arbitrate(refusals_sim *s, int sw)
{
    const int first = s->pointer[sw], ports = s->w->ports, before = s->decisions;
    bool ready_there = false, sent_there = false;
    refusals_stay *y;

    for (int i = 0; i < ports; i++)
        s->taken[i] = false;
    for (int i = 0; i < ports * s->reads; i++)
        s->used[i] = false;
    for (int k = 0; k < ports; k++) {
        const int input = (first + k) % ports;
        while ((y = longest(s, sw, input))) {
            s->decided[s->decisions++] = (refusals_decision){sw, input, y};
            s->taken[y->output] = true;
            s->used[input * s->reads + read_port_of(s, y->queue)] = true;
            sent_there = sent_there || input == first;
            if (!s->n->read_each)
                break;
        }
    }
    for (int q = 0; q < s->queues; q++)
        ready_there = ready_there || ready(s, sw, first, q);
    if (s->decisions > before && (s->m->unretained || sent_there || !ready_there))
        s->pointer[sw] = (first + 1) % ports;
}

/* A sender has one packet at a time, which it sends until it is accepted. */
static void sender_decides(refusals_sim *s, int node)
{
    const refusals_message *m = s->message[node];

    if (!s->sending[node] && m && m->made) {
        refusals_stay *y = s->sending[node] = get(1, sizeof *y);
        y->p = (refusals_packet){m->from, m->to, (int)sooner(m->left, s->n->max_packet), m->birth,
                                 s->sent[node]++};
        y->port = REF_NODE | (unsigned)node;
    }
    refusals_stay *y = s->sending[node];
    if (y && !y->going && !y->held_off && s->sender_link[node] <= s->now &&
        seems_open_to(s, s->w->entry[node], &y->p))
        s->decided[s->decisions++] = (refusals_decision){NONE, node, y};
}

/* ---- decisions take effect ---- */

static void delivered(refusals_sim *s, const refusals_packet *p)
{
    long *last = &s->latest_number[p->from * s->w->nodes + p->to];

    s->o->delivered++;
    s->o->bytes_delivered += p->bytes;
    s->o->latency_sum += s->now - p->birth;
    s->o->unordered += p->number < *last;
    *last = later(*last, p->number);
}

static refusals_stay *let_in(refusals_sim *s, unsigned port, const refusals_packet *p)
{
    refusals_buffer *b = &s->in[port];
    refusals_stay *x = get(1, sizeof *x), **last = &b->first;

    *x = (refusals_stay){.p = *p,
                         .port = port,
                         .queue = queue_at(s, port, p),
                         .output = output_at(s, port, p),
                         .header = s->now + s->n->hop_delay};
    while (*last)
        last = &(*last)->behind;
    *last = x;
    must(length_of(s, b, NONE, false) <= s->blocks);
    s->o->entered++;
    return x;
}

/* Those that y goes before go to the tail of its queue. */
static void make_way(refusals_sim *s, const refusals_stay *y)
{
    refusals_stay *x = s->in[y->port].first, *next;

    for (; x != y; x = next) {
        next = x->behind;
        if (waits(s, x, y->queue))
            relink(s, x);
    }
}

static void begins(refusals_sim *s, const refusals_decision *d)
{
    refusals_stay *y = d->y;
    const unsigned leads = leads_to(s, y);
    const long end = s->now + y->p.bytes;
    const ref_start r = start_of(s, y, s->now);

    record(&s->o->start, &s->o->starts, &s->start_room, &r);
    if (d->sw != NONE)
        make_way(s, y);
    y->going = true;
    y->began = s->now;
    y->answer = s->now + s->n->hop_delay + 1;
    const long busy = later(end, awaits(s, y) ? y->answer : 0);
    if (d->sw == NONE)
        s->sender_link[d->input] = busy + s->n->link_rest;
    else {
        s->link[d->sw * s->w->ports + y->output] = busy + s->n->link_rest;
        s->in[y->port].read[read_port_of(s, y->queue)] = busy;
    }
    s->latest = later(s->latest, later(y->answer, busy + s->n->link_rest));
    if (leads & REF_NODE)
        delivered(s, &y->p);
    else {
        y->next = let_in(s, leads, &y->p);
        y->next->before = y;
    }
    if (!awaits(s, y)) { /* nothing is expected */
        y->answer = 0;
        was_taken(s, y);
    }
}

/* ---- senders' messages ---- */

static void make_packet(refusals_sim *s, refusals_message *m)
{
    m->made = true;
    m->birth = s->now;
    s->o->created++;
    s->o->bytes_created += sooner(m->left, s->n->max_packet);
}

static void create(refusals_sim *s)
{
    for (; s->seen < s->n->messages && s->n->message[s->seen].cycle == s->now; s->seen++) {
        const ref_message *given = &s->n->message[s->seen];
        refusals_message **last = &s->message[given->from], *m = get(1, sizeof *m);
        *m = (refusals_message){.from = given->from, .to = given->to, .left = given->bytes};
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

static void cycle(refusals_sim *s)
{
    const int inputs = s->w->switches * s->w->ports;

    hear(s, false);
    hear(s, true);
    for (int i = 0; i < inputs; i++)
        settle(s, &s->in[i]);
    for (int i = 0; i < inputs; i++)
        compare_header(s, &s->in[i]);
    for (int i = 0; i < inputs; i++) {
        settle(s, &s->in[i]);
        tidy(s, &s->in[i]);
    }
    create(s);
    s->decisions = 0;
    for (int i = 0; i < s->w->nodes; i++)
        sender_decides(s, i);
    for (int sw = 0; sw < s->w->switches; sw++)
        arbitrate(s, sw);
    for (int i = 0; i < s->decisions; i++)
        begins(s, &s->decided[i]);
    for (int i = 0; i < inputs; i++)
        settle(s, &s->in[i]);
}

static bool anything_waits(const refusals_sim *s)
{
    for (int i = 0; i < s->w->nodes; i++) {
        if (s->message[i])
            return true;
    }
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        if (s->in[i].first)
            return true;
    }
    return false;
}

/* ---- beginning and end ---- */

static void set_up(refusals_sim *s)
{
    const ref_async *n = s->n;
    const size_t nodes = (size_t)s->w->nodes, places = (size_t)(s->w->switches * s->w->ports);

    must(!n->fixed && !n->destinations && n->flow == REF_BLOCKING && !n->least && n->alpha == 0);
    s->blocks = n->bytes / n->block;
    s->most = blocks_of(s, n->max_packet);
    s->queues = n->one_queue ? 1 : s->w->classes;
    s->reads = n->read_each ? s->queues : 1;
    s->in = get(places, sizeof *s->in);
    for (size_t i = 0; i < places; i++)
        s->in[i].read = get((size_t)s->reads, sizeof(long));
    s->link = get(places, sizeof *s->link);
    s->sender_link = get(nodes, sizeof *s->sender_link);
    s->sending = get(nodes, sizeof(refusals_stay *));
    s->message = get(nodes, sizeof(refusals_message *));
    s->sent = get(nodes, sizeof *s->sent);
    s->latest_number = get(nodes * nodes, sizeof *s->latest_number);
    s->pointer = get((size_t)s->w->switches, sizeof *s->pointer);
    s->decided = get(nodes + places * (size_t)s->reads, sizeof *s->decided);
    s->taken = get((size_t)s->w->ports, sizeof *s->taken);
    s->used = get((size_t)(s->w->ports * s->reads), sizeof *s->used);
}

static void take_down(refusals_sim *s)
{
    for (int i = 0; i < s->w->switches * s->w->ports; i++) {
        for (refusals_stay *y = s->in[i].first, *next; y; y = next) {
            next = y->behind;
            free(y);
        }
        free(s->in[i].read);
    }
    for (int i = 0; i < s->w->nodes; i++) {
        free(s->sending[i]);
        for (refusals_message *m = s->message[i], *next; m; m = next) {
            next = m->behind;
            free(m);
        }
    }
    free(s->in);
    free(s->link);
    free(s->sender_link);
    free(s->sending);
    free(s->message);
    free(s->sent);
    free(s->latest_number);
    free(s->pointer);
    free(s->decided);
    free(s->taken);
    free(s->used);
}

void ref_refusals_run(const ref_refusals *model, ref_refusals_outcome *outcome)
{
    const ref_async *n = &model->network;
    refusals_sim s = {.m = model, .n = n, .w = &n->wiring, .o = outcome};

    *outcome = (ref_refusals_outcome){0};
    set_up(&s);
    while (n->cycles < 0 || s.now < n->cycles) {
        cycle(&s);
        const bool still = s.decisions == 0 && s.seen == n->messages && s.now > s.latest + 1;
        s.now++;
        if (still) {
            outcome->stuck = anything_waits(&s);
            break;
        }
    }
    outcome->cycles = s.now;
    take_down(&s);
}

void ref_refusals_outcome_clear(ref_refusals_outcome *outcome)
{
    free(outcome->start);
    free(outcome->refusal);
    *outcome = (ref_refusals_outcome){0};
}
