/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_recn.h"

#include <stdlib.h>
#include <string.h>

enum { PORTS = 72, NOBODY = -1, MARKER = 0x40000000 };

/* A parcel is a packet, a slot or a credit that becomes free, or one of the messages, which have
 * the kinds of the events of their sending: REF_NOTICE .. REF_REFUSED. */
enum { ARRIVAL = REF_TREE_KINDS, SLOT, CREDIT };

typedef enum side { INPUT, OUTPUT, INTERFACE } recn_side;

/* What a queue knows about a contributor. */
typedef struct recn_contributor {
    int told, halted, refused;
} recn_contributor;

typedef struct recn_queue {
    int *item; /* [items] packets, and MARKER + the number of a queue, the head first */
    int items;
    recn_contributor by[PORTS];
    int valid; /* SAQs: as all below */
    ref_way path;
    int owes, stopped;
    int blocked; /* markers of its own in other queues */
    char *named; /* FBICM [nodes * PORTS] destinations of which a contributor has been told */
} recn_queue;

typedef struct recn_store {
    recn_side side;
    int place, port; /* an interface: the place is its own, and its port is 0 */
    int used;
    int plain;  /* queues; SAQs come after them */
    int queues; /* with SAQs */
    recn_queue *queue;
    int *where; /* FBICM [nodes] the queue of the line that a destination is in; NOBODY: none */
    int slots, taken;
    int first;       /* the queue with which arbitration begins */
    int from;        /* an input: the store that feeds it */
    int to;          /* an output or interface: the input that its link leads to; NOBODY: a node */
    int credits;     /* ... and its free slots, as far as is known */
    long link_free;  /* an output, an interface */
    long read_free;  /* an input */
    long write_free; /* an output */
    int first_input; /* an output: its arbiter's pointer */
} recn_store;

typedef struct recn_packet {
    ref_way way;
    int at;
    long last; /* its last byte can go on from this cycle on */
} recn_packet;

typedef struct recn_mail {
    long sent;
    int phase, sender, number; /* the order in which messages take effect */
    ref_parcel parcel;         /* place: the store; port: the contributor, of what answers */
    int stop;                  /* a notice that says stop */
    int destination;           /* FBICM */
} recn_mail;

typedef struct recn_net {
    const ref_trees *n;
    ref_trees_outcome *o;
    int switches, ports, inputs, stores; /* inputs: switches * ports; the outputs come after them */
    recn_store *store;
    recn_packet *packet;
    ref_post post; /* packets, slots, credits */
    recn_mail *mail;
    long mails;
    int sent, phase;
    int *offered, not_offered;
    long *ready; /* [nodes] the source's next packet */
    long now;
} recn_net;

/* ---- the network ---- */

static void *zeroed(int count, size_t bytes)
{
    void *p = calloc((size_t)count + !count, bytes);

    if (!p)
        abort();
    return p;
}

static int input_at(const recn_net *t, int place, int port)
{
    return place * t->ports + port;
}

static int output_at(const recn_net *t, int place, int port)
{
    return t->inputs + place * t->ports + port;
}

static int interface_of(const recn_net *t, int node)
{
    return 2 * t->inputs + node;
}

static void connect(recn_net *t, int from, unsigned to)
{
    recn_store *s = &t->store[from];

    s->used = 1;
    s->to = to & REF_NODE ? NOBODY : (int)to;
    if (s->to == NOBODY)
        return;
    s->credits = t->n->slots;
    t->store[s->to].used = 1;
    t->store[s->to].from = from;
}

static void lay_out(recn_net *t)
{
    const ref_wiring *w = &t->n->wiring;

    t->switches = w->switches;
    t->ports = w->ports;
    t->inputs = w->switches * w->ports;
    t->stores = 2 * t->inputs + w->nodes;
    t->store = zeroed(t->stores, sizeof *t->store);
    t->packet = zeroed(t->n->messages, sizeof *t->packet);
    t->offered = zeroed(w->nodes, sizeof *t->offered);
    t->ready = zeroed(w->nodes, sizeof *t->ready);
    t->not_offered = t->n->messages;
    if (t->ports > PORTS)
        abort();
    for (int i = 0; i < t->stores; i++) {
        recn_store *s = &t->store[i];
        const int at = i % t->inputs;

        s->side = i < t->inputs ? INPUT : i < 2 * t->inputs ? OUTPUT : INTERFACE;
        s->place = s->side == INTERFACE ? t->switches + i - 2 * t->inputs : at / t->ports;
        s->port = s->side == INTERFACE ? 0 : at % t->ports;
        s->plain = t->n->enhanced && s->side == INPUT ? t->ports : 1;
        s->queues = s->plain + t->n->saqs;
        s->queue = zeroed(s->queues, sizeof *s->queue);
        s->slots = s->side == INPUT    ? t->n->slots
                   : s->side == OUTPUT ? t->n->output_slots
                                       : t->n->interface;
        s->where = zeroed(w->nodes, sizeof *s->where);
        for (int d = 0; d < w->nodes; d++)
            s->where[d] = NOBODY;
        for (int q = 0; q < s->queues; q++) {
            s->queue[q].named = zeroed(w->nodes * PORTS, 1);
            s->queue[q].item = zeroed(s->slots + t->n->saqs, sizeof(int));
            s->queue[q].valid = q < s->plain;
        }
    }
    for (int p = 0; p < t->inputs; p++)
        if (w->link[p] != REF_NOWHERE)
            connect(t, t->inputs + p, w->link[p]);
    for (int node = 0; node < w->nodes; node++)
        connect(t, interface_of(t, node), w->entry[node]);
    for (int m = 0; m < t->n->messages; m++)
        t->packet[m].way = ref_way_of(w, t->n->message[m].from, t->n->message[m].to);
}

static void clear(recn_net *t)
{
    for (int i = 0; i < t->stores; i++) {
        for (int q = 0; q < t->store[i].queues; q++) {
            free(t->store[i].queue[q].item);
            free(t->store[i].queue[q].named);
        }
        free(t->store[i].where);
        free(t->store[i].queue);
    }
    free(t->store);
    free(t->packet);
    free(t->offered);
    free(t->ready);
    free(t->post.parcel);
    free(t->mail);
}

/* ---- queues ---- */

static int holds(const recn_queue *q)
{
    int packets = 0;

    for (int i = 0; i < q->items; i++)
        packets += q->item[i] < MARKER;
    return packets;
}

static int take(recn_queue *q)
{
    const int first = q->item[0];

    q->items--;
    for (int i = 0; i < q->items; i++)
        q->item[i] = q->item[i + 1];
    return first;
}

static int matches(const recn_net *t, int p, const ref_way *path)
{
    return ref_way_begins(&t->packet[p].way, t->packet[p].at, path);
}

/* NULL: there is none. */
static recn_queue *saq_with(const recn_store *s, const ref_way *path)
{
    for (int q = s->plain; q < s->queues; q++)
        if (s->queue[q].valid && ref_way_same(&s->queue[q].path, path))
            return &s->queue[q];
    return NULL;
}

static void tell(recn_net *t, ref_tree_kind kind, const recn_store *s, const ref_way *path)
{
    ref_trees_tell(t->o, t->now, kind, s->place, s->port + (s->side == OUTPUT ? t->ports : 0),
                   path);
}

/* NULL: none is free. */
static recn_queue *allocate(recn_net *t, recn_store *s, const ref_way *path, ref_tree_kind why)
{
    for (int q = s->plain; q < s->queues; q++) {
        recn_queue *saq = &s->queue[q];

        if (saq->valid)
            continue;
        tell(t, why, s, path);
        memset(saq->by, 0, sizeof saq->by);
        memset(saq->named, 0, (size_t)t->n->wiring.nodes * PORTS);
        saq->valid = 1;
        saq->path = *path;
        saq->owes = saq->stopped = saq->blocked = 0;
        return saq;
    }
    tell(t, why == REF_SAQ_TOLD ? REF_NO_SAQ_TOLD : REF_NO_SAQ, s, path);
    return NULL;
}

/* ---- messages ---- */

/* From store s to another one about a path of the receiver; of answers to a notice, s is that
 * contributor of the receiver's. */
static void send(recn_net *t, const recn_store *s, int to, ref_tree_kind kind, const ref_way *own,
                 const ref_way *path, int as, int stop, int destination)
{
    const int inside = t->store[to].place == s->place;

    tell(t, kind, s, own);
    t->mail = ref_grow(t->mail, t->mails, sizeof *t->mail);
    t->mail[t->mails++] = (recn_mail){.sent = t->now,
                                      .phase = t->phase,
                                      .sender = (int)(s - t->store),
                                      .number = t->sent++,
                                      .stop = stop,
                                      .destination = destination,
                                      .parcel = {.due = t->now + (inside ? 1 : t->n->hop_delay),
                                                 .kind = (int)kind,
                                                 .place = to,
                                                 .port = as,
                                                 .path = *path}};
}

/* The name under which contributors know a queue. */
static ref_way told_as(const recn_net *t, const recn_store *s, const recn_queue *q)
{
    const int number = (int)(q - s->queue) - s->plain + 1;

    if (t->n->flows)
        return s->side == INPUT ? (ref_way){1, {number}} : (ref_way){2, {s->port, number}};
    return s->side == INPUT ? q->path : ref_way_behind(s->port, &q->path);
}

/* To a contributor, about a queue of store s. */
static void send_up(recn_net *t, const recn_store *s, const recn_queue *q, int who,
                    ref_tree_kind kind, int stop, int destination)
{
    const ref_way seen = told_as(t, s, q);

    send(t, s, s->side == INPUT ? s->from : input_at(t, s->place, who), kind, &q->path, &seen, 0,
         stop, destination);
}

/* To the store that sent a notice of that path. */
static void send_down(recn_net *t, const recn_store *s, const ref_way *path, ref_tree_kind kind)
{
    if (s->side == INPUT) {
        ref_way rest = {.turns = path->turns - 1};

        for (int i = 0; i < rest.turns; i++)
            rest.turn[i] = path->turn[i + 1];
        send(t, s, output_at(t, s->place, path->turn[0]), kind, path, &rest, s->port, 0, NOBODY);
    } else {
        send(t, s, s->to, kind, path, path, 0, 0, NOBODY);
    }
}

/* SAQ saq may not send before the present content of that queue has left. */
static void wait_for(recn_net *t, recn_store *s, recn_queue *parent, recn_queue *saq)
{
    const int marker = MARKER + (int)(saq - s->queue);
    int kept = 0;

    if (!parent->items && !parent->blocked)
        return;
    for (int i = 0; i < parent->items; i++)
        if (parent->item[i] != marker)
            parent->item[kept++] = parent->item[i];
    if (kept == parent->items && !saq->blocked++)
        tell(t, REF_BLOCKED, s, &saq->path);
    parent->item[kept] = marker;
    parent->items = kept + 1;
}

static void mark(recn_net *t, recn_store *s, recn_queue *saq)
{
    recn_queue *parent = &s->queue[s->plain > 1 ? saq->path.turn[0] : 0];

    for (int q = s->plain; q < s->queues; q++)
        if (s->queue[q].valid && ref_way_proper(&s->queue[q].path, &saq->path) &&
            (parent < s->queue + s->plain || s->queue[q].path.turns > parent->path.turns))
            parent = &s->queue[q];
    wait_for(t, s, parent, saq);
}

/* FBICM: a destination goes to a SAQ's line, from another one or from none. */
static void moves(recn_store *s, int destination, int to)
{
    s->where[destination] = to;
    for (int q = 0; q < s->queues; q++)
        memset(s->queue[q].named + destination * PORTS, 0, PORTS);
}

static void takes(recn_net *t, recn_store *s, recn_queue *saq, int destination)
{
    const int was = s->where[destination];
    recn_queue *from =
        was != NOBODY ? &s->queue[was] : &s->queue[s->plain > 1 ? saq->path.turn[0] : 0];

    moves(s, destination, (int)(saq - s->queue));
    wait_for(t, s, from, saq);
}

static void notice_comes(recn_net *t, recn_store *s, const recn_mail *m)
{
    const ref_way *path = &m->parcel.path;
    recn_queue *saq = saq_with(s, path);

    if (saq) {
        t->o->broken += saq->owes;
        if (t->n->flows && s->where[m->destination] == NOBODY)
            takes(t, s, saq, m->destination);
    } else {
        for (int q = s->plain; !t->n->enhanced && q < s->queues; q++)
            if (s->queue[q].valid && ref_way_proper(&s->queue[q].path, path)) {
                tell(t, REF_MORE_SPECIFIC, s, path);
                send_down(t, s, path, REF_REFUSED);
                return;
            }
        saq = allocate(t, s, path, REF_SAQ_TOLD);
        if (!saq) {
            send_down(t, s, path, REF_REFUSED);
            return;
        }
        if (t->n->flows)
            takes(t, s, saq, m->destination);
        else
            mark(t, s, saq);
    }
    saq->owes = 1;
    if (m->stop && !saq->stopped) {
        saq->stopped = 1;
        tell(t, REF_STOPPED, s, path);
    }
}

/* Stop, go, or, in FBICM, an additional destination, which may say stop. */
static void word_comes(recn_net *t, recn_store *s, const recn_mail *m)
{
    const int kind = m->parcel.kind, stop = kind == REF_STOP || (kind == REF_ADD && m->stop);
    recn_queue *saq = saq_with(s, &m->parcel.path);

    if (!saq) {
        tell(t, REF_UNANSWERED, s, &m->parcel.path);
        return;
    }
    if (kind == REF_ADD && s->where[m->destination] == NOBODY)
        takes(t, s, saq, m->destination);
    if (kind == REF_ADD && !stop)
        return;
    if (saq->stopped != stop)
        tell(t, stop ? REF_STOPPED : REF_RELEASED, s, &m->parcel.path);
    saq->stopped = stop;
}

/* By what a store has been told of it. */
static recn_queue *queue_told(const recn_net *t, const recn_store *s, const ref_way *path)
{
    if (t->n->flows)
        return &s->queue[path->turn[0] ? s->plain + path->turn[0] - 1 : 0];
    return path->turns || s->side == INPUT ? saq_with(s, path) : &s->queue[0];
}

/* A token, or that the notice was refused. */
static void answer_comes(recn_net *t, recn_store *s, const ref_way *path, int who, int refused)
{
    recn_queue *q = queue_told(t, s, path);

    if (!q || !q->by[who].told) {
        t->o->broken++;
        return;
    }
    q->by[who] = (recn_contributor){.refused = (refused && !t->n->repeat) || q->by[who].refused};
    for (int d = 0; d < t->n->wiring.nodes; d++)
        q->named[d * PORTS + who] = 0;
}

static int before(const recn_mail *a, const recn_mail *b)
{
    if (a->sent != b->sent)
        return a->sent < b->sent;
    if (a->phase != b->phase)
        return a->phase < b->phase;
    if (a->sender != b->sender)
        return a->sender < b->sender;
    return a->number < b->number;
}

static void hear(recn_net *t)
{
    ref_parcel a;
    ref_post later = {0};

    while (ref_post_due(&t->post, t->now, &a))
        if (a.kind == SLOT)
            t->store[a.place].taken--;
        else if (a.kind == CREDIT)
            t->store[a.place].credits++;
        else
            ref_post_send(&later, &a);
    for (;;) {
        long first = NOBODY;

        for (long i = 0; i < t->mails; i++)
            if (t->mail[i].parcel.due <= t->now &&
                (first == NOBODY || before(&t->mail[i], &t->mail[first])))
                first = i;
        if (first == NOBODY)
            break;
        const recn_mail m = t->mail[first];
        recn_store *s = &t->store[m.parcel.place];

        t->mail[first] = t->mail[--t->mails];
        if (m.parcel.kind == REF_NOTICE)
            notice_comes(t, s, &m);
        else if (m.parcel.kind == REF_TOKEN || m.parcel.kind == REF_REFUSED)
            answer_comes(t, s, &m.parcel.path, m.parcel.port, m.parcel.kind == REF_REFUSED);
        else
            word_comes(t, s, &m);
    }
    /* for the next phase, in an order that does not matter */
    while (ref_post_due(&later, t->now, &a))
        ref_post_send(&t->post, &a);
    free(later.parcel);
}

/* ---- arrivals ---- */

/* Tells a contributor of a queue that has received packet p from it, unless it has refused, or
 * knows. */
static void tell_of(recn_net *t, recn_store *s, recn_queue *q, int who, int p, int stop)
{
    recn_contributor *c = &q->by[who];
    char *named = &q->named[t->n->message[p].to * PORTS + who];

    if (c->refused)
        return;
    if (!c->told)
        send_up(t, s, q, who, REF_NOTICE, stop, t->n->message[p].to);
    else if (t->n->flows && !*named)
        send_up(t, s, q, who, REF_ADD, stop, t->n->message[p].to);
    else if (stop && !c->halted)
        send_up(t, s, q, who, REF_STOP, 0, NOBODY);
    c->told = 1;
    c->halted |= stop;
    *named = 1;
}

/* The SAQ of store s has received packet p from that contributor. */
static void propagate(recn_net *t, recn_store *s, recn_queue *saq, int who, int p, int in_any_case)
{
    const int full = holds(saq) >= t->n->xoff;

    if (s->side != INTERFACE && (full || in_any_case))
        tell_of(t, s, saq, who, p, full);
}

static void detect_at_output(recn_net *t, recn_store *s, int who, int p)
{
    recn_queue *q = &s->queue[0];

    if (holds(q) < t->n->detect)
        return;
    t->o->false_detections += !q->by[who].told && !q->by[who].refused && t->now >= s->link_free &&
                              (s->to == NOBODY || s->credits);
    tell_of(t, s, q, who, p, 0);
}

static void detect_at_input(recn_net *t, recn_store *s, recn_queue *q, int p)
{
    const int output = (int)(q - s->queue);
    const ref_way path = t->n->flows ? (ref_way){2, {output, 0}} : (ref_way){1, {output}};
    const recn_store *out = &t->store[output_at(t, s->place, output)];
    recn_queue *saq = saq_with(s, &path);
    int *item;

    if (holds(q) < t->n->detect)
        return;
    if (saq) { /* of FBICM, or the packet would have joined it */
        takes(t, s, saq, t->n->message[p].to);
        return;
    }
    saq = allocate(t, s, &path, REF_SAQ_DETECTED);
    if (!saq)
        return;
    t->o->false_detections += t->now >= out->write_free && out->taken < out->slots;
    item = saq->item;
    saq->item = q->item;
    saq->items = q->items;
    q->item = item;
    q->items = 0;
    for (int i = 0; t->n->flows && i < saq->items; i++)
        if (saq->item[i] < MARKER && s->where[t->n->message[saq->item[i]].to] == NOBODY)
            moves(s, t->n->message[saq->item[i]].to, (int)(saq - s->queue));
    propagate(t, s, saq, 0, p, 1);
}

static void arrive(recn_net *t, recn_store *s, int p, int who)
{
    recn_queue *q = &s->queue[s->plain > 1 ? t->packet[p].way.turn[t->packet[p].at] : 0];

    if (t->n->flows && s->where[t->n->message[p].to] != NOBODY)
        q = &s->queue[s->where[t->n->message[p].to]];
    for (int i = s->plain; !t->n->flows && i < s->queues; i++)
        if (s->queue[i].valid && matches(t, p, &s->queue[i].path) &&
            (q < s->queue + s->plain || s->queue[i].path.turns > q->path.turns))
            q = &s->queue[i];
    q->item[q->items++] = p;
    if (q >= s->queue + s->plain)
        propagate(t, s, q, who, p, 0);
    else if (s->side == OUTPUT)
        detect_at_output(t, s, who, p);
    else if (s->side == INPUT && t->n->enhanced)
        detect_at_input(t, s, q, p);
}

static void arrivals(recn_net *t)
{
    ref_parcel a;
    ref_post now = {0};

    for (long i = 0; i < t->post.parcels; i++)
        if (t->post.parcel[i].due <= t->now)
            ref_post_send(&now, &t->post.parcel[i]);
    while (ref_post_due(&t->post, t->now, &a))
        ;
    while (ref_post_due(&now, t->now, &a)) {
        t->packet[a.packet].at = a.at;
        arrive(t, &t->store[a.place], a.packet, a.port);
    }
    free(now.parcel);
}

/* A source hands its interface one packet, if that had room. */
static void sources(recn_net *t)
{
    for (int node = 0; node < t->n->wiring.nodes; node++) {
        recn_store *s = &t->store[interface_of(t, node)];
        int m = t->offered[node];

        while (m < t->n->messages && t->n->message[m].from != node)
            m++;
        t->offered[node] = m;
        const int full = s->taken == s->slots, lost = full && t->n->open && !t->n->unbounded;

        if (m == t->n->messages || t->n->message[m].cycle > t->now || t->ready[node] > t->now ||
            (full && !lost))
            continue;
        t->offered[node]++;
        t->not_offered--;
        t->ready[node] = t->now + (t->n->open ? 1 : t->n->message[m].bytes + t->n->link_rest);
        if (lost) {
            t->o->lost++;
            t->o->delivered[m] = -2;
            continue;
        }
        s->taken++;
        ref_post_send(&t->post, &(ref_parcel){.due = t->now,
                                              .kind = ARRIVAL,
                                              .place = interface_of(t, node),
                                              .packet = m});
    }
}

/* ---- arbitration ---- */

static int may_send(const recn_queue *q)
{
    return q->valid && holds(q) && !q->stopped && !q->blocked;
}

/* The SAQ of an output that a packet at an input of its switch would join; NULL: none. */
static const recn_queue *saq_behind(const recn_net *t, const recn_store *out, int p)
{
    const recn_queue *found = NULL;

    if (t->n->flows) {
        const int line = out->where[t->n->message[p].to];

        return line == NOBODY ? NULL : &out->queue[line];
    }
    for (int q = out->plain; q < out->queues; q++)
        if (out->queue[q].valid &&
            ref_way_begins(&t->packet[p].way, t->packet[p].at + 1, &out->queue[q].path) &&
            (!found || out->queue[q].path.turns > found->path.turns))
            found = &out->queue[q];
    return found;
}

static int is_held(const recn_net *t, const recn_store *out, int p, int input)
{
    const recn_queue *saq = t->n->hold ? saq_behind(t, out, p) : NULL;

    return saq && holds(saq) >= t->n->xoff && saq->by[input].refused;
}

/* NOBODY: no one requests it. */
static int asking(const recn_net *t, const recn_store *s)
{
    for (int i = 0; s->side == INPUT && s->used && t->now >= s->read_free && i < s->queues; i++) {
        const int number = (s->first + i) % s->queues;
        const recn_queue *q = &s->queue[number];

        if (!may_send(q))
            continue;
        const recn_packet *p = &t->packet[q->item[0]];
        const recn_store *out = &t->store[output_at(t, s->place, p->way.turn[p->at])];

        if (t->now >= out->write_free && out->taken < out->slots &&
            !is_held(t, out, q->item[0], s->port))
            return number;
    }
    return NOBODY;
}

static int sending(const recn_net *t, const recn_store *s)
{
    if (s->side == INPUT || !s->used || t->now < s->link_free || (s->to != NOBODY && !s->credits))
        return NOBODY;
    for (int i = 0; i < s->queues; i++)
        if (may_send(&s->queue[(s->first + i) % s->queues]))
            return (s->first + i) % s->queues;
    return NOBODY;
}

/* A packet has begun to leave. */
static void fall(recn_net *t, recn_store *s, recn_queue *q)
{
    if (holds(q) >= t->n->xon)
        return;
    for (int c = 0; c < PORTS; c++) {
        if (q->by[c].halted)
            send_up(t, s, q, c, REF_GO, 0, NOBODY);
        q->by[c].halted = q->by[c].refused = 0;
    }
}

static void begin(recn_net *t, const recn_store *s, int p, int output)
{
    const ref_message *m = &t->n->message[p];
    const int node = s->side == INTERFACE;

    ref_trees_start(t->o, &(ref_start){.cycle = t->now,
                                       .birth = m->cycle,
                                       .switch_ = node ? REF_SENDER : s->place,
                                       .input = s->side == INPUT ? s->port : NOBODY,
                                       .output = output,
                                       .from = m->from,
                                       .to = m->to,
                                       .bytes = m->bytes});
}

static void free_slot(recn_net *t, const recn_store *s, long when)
{
    const int at = (int)(s - t->store);

    ref_post_send(&t->post, &(ref_parcel){.due = when, .kind = SLOT, .place = at});
    if (s->side == INPUT)
        ref_post_send(
            &t->post,
            &(ref_parcel){.due = when + t->n->credit_delay, .kind = CREDIT, .place = s->from});
}

static void take_slot(recn_net *t, recn_store *s)
{
    s->taken++;
    if (s->side == INPUT && s->taken > t->o->most_slots)
        t->o->most_slots = s->taken;
    t->o->broken += s->taken > s->slots;
}

static void cross(recn_net *t, recn_store *s, int number, recn_store *out)
{
    const int p = take(&s->queue[number]);
    const int bytes = t->n->message[p].bytes;
    const long through =
        (bytes * (long)t->n->speed_under + t->n->speed_over - 1) / t->n->speed_over;
    const long end =
        t->now + through > t->packet[p].last + 1 ? t->now + through : t->packet[p].last + 1;

    begin(t, s, p, out->port);
    s->read_free = out->write_free = end;
    s->first = (number + 1) % s->queues;
    out->first_input = (s->port + 1) % t->ports;
    free_slot(t, s, end);
    take_slot(t, out);
    ref_post_send(&t->post, &(ref_parcel){.due = t->now + t->n->crossbar_delay,
                                          .kind = ARRIVAL,
                                          .place = (int)(out - t->store),
                                          .port = s->port,
                                          .packet = p,
                                          .at = t->packet[p].at + 1});
    fall(t, s, &s->queue[number]);
}

static void go_over_link(recn_net *t, recn_store *s, int number)
{
    const int p = take(&s->queue[number]);
    const int bytes = t->n->message[p].bytes;

    begin(t, s, p, s->port);
    s->link_free = t->now + bytes + t->n->link_rest;
    s->first = (number + 1) % s->queues;
    free_slot(t, s, t->now + bytes);
    if (s->to == NOBODY) {
        t->o->delivered[p] = t->now;
    } else {
        s->credits--;
        take_slot(t, &t->store[s->to]);
        t->packet[p].last = t->now + bytes - 1 + t->n->hop_delay;
        ref_post_send(&t->post, &(ref_parcel){.due = t->now + t->n->hop_delay,
                                              .kind = ARRIVAL,
                                              .place = s->to,
                                              .packet = p,
                                              .at = t->packet[p].at});
    }
    fall(t, s, &s->queue[number]);
}

static void unblock(recn_net *t, recn_store *s)
{
    for (int again = 1; again;) {
        again = 0;
        for (int i = 0; i < s->queues; i++) {
            recn_queue *q = &s->queue[i];

            if (!q->valid || q->blocked || !q->items || q->item[0] < MARKER)
                continue;
            recn_queue *saq = &s->queue[take(q) - MARKER];

            t->o->broken += !saq->valid || !saq->blocked;
            if (!--saq->blocked)
                tell(t, REF_UNBLOCKED, s, &saq->path);
            again = 1;
        }
    }
}

static void arbitrate(recn_net *t)
{
    int *asked = zeroed(t->stores, sizeof *asked);

    for (int i = 0; i < t->stores; i++)
        asked[i] = t->store[i].side == INPUT ? asking(t, &t->store[i]) : sending(t, &t->store[i]);
    for (int place = 0; place < t->switches; place++)
        for (int o = 0; o < t->ports; o++) {
            recn_store *out = &t->store[output_at(t, place, o)];

            for (int k = 0; k < t->ports; k++) {
                const int i = input_at(t, place, (out->first_input + k) % t->ports);
                const recn_packet *p;

                if (asked[i] == NOBODY)
                    continue;
                p = &t->packet[t->store[i].queue[asked[i]].item[0]];
                if (p->way.turn[p->at] != o)
                    continue;
                cross(t, &t->store[i], asked[i], out);
                asked[i] = NOBODY;
                break;
            }
        }
    for (int i = t->inputs; i < t->stores; i++)
        if (asked[i] != NOBODY)
            go_over_link(t, &t->store[i], asked[i]);
    for (int i = 0; i < t->stores; i++)
        unblock(t, &t->store[i]);
    free(asked);
}

/* ---- freeing ---- */

static void free_leaves(recn_net *t, recn_store *s)
{
    for (int i = s->plain; i < s->queues; i++) {
        recn_queue *q = &s->queue[i];
        int told = 0;

        for (int c = 0; c < PORTS; c++)
            told += q->by[c].told;
        if (!q->valid || q->items || q->stopped || q->blocked || told)
            continue;
        tell(t, REF_SAQ_FREED, s, &q->path);
        q->valid = 0;
        for (int d = 0; d < t->n->wiring.nodes; d++)
            if (s->where[d] == i)
                moves(s, d, NOBODY);
        if (q->owes)
            send_down(t, s, &q->path, REF_TOKEN);
    }
}

/* ---- invariants ---- */

static void check(recn_net *t)
{
    for (int i = 0; i < t->stores; i++) {
        recn_store *s = &t->store[i];
        int in_use = 0, waiting = 0, markers = 0, blocked = 0;

        for (int q = 0; q < s->queues; q++) {
            in_use += q >= s->plain && s->queue[q].valid;
            waiting += holds(&s->queue[q]);
            markers += s->queue[q].items - holds(&s->queue[q]);
            blocked += s->queue[q].valid ? s->queue[q].blocked : 0;
            for (int k = 0; !t->n->flows && q >= s->plain && k < s->queue[q].items; k++)
                t->o->broken += s->queue[q].item[k] < MARKER &&
                                !matches(t, s->queue[q].item[k], &s->queue[q].path);
        }
        t->o->broken += markers != blocked || waiting > s->taken || s->taken > s->slots;
        t->o->saqs_sum += in_use;
        if (in_use > t->o->saqs_most)
            t->o->saqs_most = in_use;
    }
}

static int left(const recn_net *t)
{
    int things = (int)(t->post.parcels + t->mails) + t->not_offered;

    for (int i = 0; i < t->stores; i++) {
        const recn_store *s = &t->store[i];

        things += s->taken;
        for (int q = 0; q < s->queues; q++)
            things += s->queue[q].items + (q >= s->plain && s->queue[q].valid);
    }
    return things;
}

static int credits_home(const recn_net *t)
{
    for (int i = t->inputs; i < t->stores; i++)
        if (t->store[i].used && t->store[i].to != NOBODY && t->store[i].credits != t->n->slots)
            return 0;
    return 1;
}

void ref_recn_run(const ref_trees *n, ref_trees_outcome *o)
{
    recn_net t = {.n = n, .o = o};

    memset(o, 0, sizeof *o);
    lay_out(&t);
    o->delivered = zeroed(n->messages, sizeof *o->delivered);
    for (int m = 0; m < n->messages; m++)
        o->delivered[m] = -1;
    for (t.now = 0; t.now < n->cycles && left(&t); t.now++) {
        t.phase = 0;
        sources(&t);
        t.phase = 1;
        hear(&t);
        t.phase = 2;
        arrivals(&t);
        t.phase = 3;
        arbitrate(&t);
        t.phase = 4;
        for (int i = 0; i < t.stores; i++)
            free_leaves(&t, &t.store[i]);
        check(&t);
    }
    o->cycles = t.now;
    o->left = left(&t) + !credits_home(&t);
    ref_trees_order(n, o);
    clear(&t);
}
