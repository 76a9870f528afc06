/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_recn_iq.h"

#include <stdlib.h>
#include <string.h>

enum { PORTS = 256, COLD = -1, NOBODY = -1 };

/* What comes over a link, or, of a slot, about: */
enum { HEADER, CREDIT, XOFF, XON, SLOT };

typedef struct iq_queue {
    int *packet; /* [packets], the head first */
    int packets;
    int settled; /* the head has been inspected, and no SAQ for it has been allocated since */
} iq_queue;

typedef struct iq_saq {
    int valid, stopped, sent, used;
    ref_way path;
    iq_queue q;
} iq_saq;

typedef struct iq_line {
    int valid;
    ref_way path;
} iq_line;

typedef struct iq_input {
    int used;
    /* the output that feeds it; a place of -1: packets are created here */
    int from_place, from_port;
    iq_queue cold;
    iq_saq saq[REF_TREE_SAQS];
    int taken; /* slots */
    long read_free;
    long looked;   /* the cycle from which it can inspect another head */
    int inspected; /* the queue inspected last, 0: cold, 1 + a SAQ's number */
    int first;     /* the queue with which arbitration begins, as above */
} iq_input;

typedef struct iq_output {
    int used;
    int to_place, to_port; /* a place of -1: a node */
    int credits;
    iq_line line[REF_TREE_SAQS];
    long free;
    int first; /* the input with which arbitration begins */
} iq_output;

typedef struct iq_packet {
    ref_way way;
    int at; /* the next turn of the switch that it is in, or enters */
} iq_packet;

typedef struct iq_net {
    const ref_trees *n;
    ref_trees_outcome *o;
    int switches, places, ports;
    iq_input *in;   /* [places * ports] */
    iq_output *out; /* [places * ports] */
    iq_packet *packet;
    ref_post post;
    long now;
    int *offered; /* [nodes] the first message that may be its next to offer */
    int not_offered;
} iq_net;

/* ---- the network ---- */

static int is_switch(const iq_net *t, int place)
{
    return place < t->switches;
}

static int ports_of(const iq_net *t, int place)
{
    return is_switch(t, place) ? t->ports : 1;
}

static iq_input *input_of(const iq_net *t, int place, int port)
{
    return &t->in[place * t->ports + port];
}

static iq_output *output_of(const iq_net *t, int place, int port)
{
    return &t->out[place * t->ports + port];
}

static void join(iq_net *t, int place, int port, unsigned to)
{
    iq_output *out = output_of(t, place, port);
    iq_input *in;

    out->used = 1;
    if (to & REF_NODE) {
        out->to_place = NOBODY;
        return;
    }
    out->to_place = (int)to / t->ports;
    out->to_port = (int)to % t->ports;
    out->credits = t->n->slots;
    in = input_of(t, out->to_place, out->to_port);
    in->used = 1;
    in->from_place = place;
    in->from_port = port;
}

static void *zeroed(int count, size_t bytes)
{
    void *p = calloc((size_t)count + !count, bytes);

    if (!p)
        abort();
    return p;
}

static void lay_out(iq_net *t)
{
    const ref_wiring *w = &t->n->wiring;
    const int room = t->n->slots > t->n->interface ? t->n->slots : t->n->interface;

    t->switches = w->switches;
    t->places = w->switches + w->nodes;
    t->ports = w->ports;
    t->in = zeroed(t->places * t->ports, sizeof *t->in);
    t->out = zeroed(t->places * t->ports, sizeof *t->out);
    t->packet = zeroed(t->n->messages, sizeof *t->packet);
    t->offered = zeroed(w->nodes, sizeof *t->offered);
    t->not_offered = t->n->messages;
    for (int s = 0; s < t->switches; s++)
        for (int p = 0; p < t->ports; p++)
            if (w->link[s * t->ports + p] != REF_NOWHERE)
                join(t, s, p, w->link[s * t->ports + p]);
    for (int node = 0; node < w->nodes; node++) {
        const int place = t->switches + node;

        join(t, place, 0, w->entry[node]);
        input_of(t, place, 0)->used = 1;
        input_of(t, place, 0)->from_place = NOBODY;
    }
    for (int i = 0; i < t->places * t->ports; i++) {
        t->in[i].cold.packet = zeroed(room, sizeof(int));
        t->in[i].inspected = t->n->saqs; /* the cold one first */
        for (int s = 0; s < t->n->saqs; s++)
            t->in[i].saq[s].q.packet = zeroed(room, sizeof(int));
    }
    for (int m = 0; m < t->n->messages; m++)
        t->packet[m].way = ref_way_of(w, t->n->message[m].from, t->n->message[m].to);
}

static void clear(iq_net *t)
{
    for (int i = 0; i < t->places * t->ports; i++) {
        free(t->in[i].cold.packet);
        for (int s = 0; s < t->n->saqs; s++)
            free(t->in[i].saq[s].q.packet);
    }
    free(t->in);
    free(t->out);
    free(t->packet);
    free(t->offered);
    free(t->post.parcel);
}

/* ---- queues ---- */

/* Of an input, 0: the cold one, 1 + s: that of a SAQ. */
static iq_queue *queue_of(iq_input *in, int number)
{
    return number ? &in->saq[number - 1].q : &in->cold;
}

static int path_length(const iq_input *in, int number)
{
    return number ? in->saq[number - 1].path.turns : 0;
}

static int matches(const iq_net *t, int p, const ref_way *path)
{
    return ref_way_begins(&t->packet[p].way, t->packet[p].at, path);
}

static void put(iq_queue *q, int p)
{
    if (!q->packets)
        q->settled = 0;
    q->packet[q->packets++] = p;
}

static int take(iq_queue *q)
{
    const int p = q->packet[0];

    q->packets--;
    for (int i = 0; i < q->packets; i++)
        q->packet[i] = q->packet[i + 1];
    q->settled = 0;
    return p;
}

static void tell(iq_net *t, ref_tree_kind kind, int place, int port, const ref_way *path)
{
    ref_trees_tell(t->o, t->now, kind, place, port, path);
}

/* ---- SAQs and notices ---- */

static iq_saq *saq_with(const iq_net *t, iq_input *in, const ref_way *path)
{
    for (int s = 0; s < t->n->saqs; s++)
        if (in->saq[s].valid && ref_way_same(&in->saq[s].path, path))
            return &in->saq[s];
    return NULL;
}

/* NULL: none is free. */
static iq_saq *allocate(iq_net *t, int place, int port, const ref_way *path, ref_tree_kind why)
{
    iq_input *in = input_of(t, place, port);
    iq_saq *s = NULL;

    for (int i = t->n->saqs - 1; i >= 0; i--)
        if (!in->saq[i].valid)
            s = &in->saq[i];
    if (!s) {
        tell(t, why == REF_SAQ_TOLD ? REF_NO_SAQ_TOLD : REF_NO_SAQ, place, port, path);
        return NULL;
    }
    tell(t, why, place, port, path);
    s->valid = 1;
    s->stopped = s->sent = s->used = 0;
    s->path = *path;
    for (int q = 0; q <= t->n->saqs; q++) {
        iq_queue *shorter = queue_of(in, q);

        if (shorter->packets && (!q || in->saq[q - 1].valid) && path_length(in, q) < path->turns &&
            matches(t, shorter->packet[0], path))
            shorter->settled = 0;
    }
    return s;
}

static void notify(iq_net *t, int place, int port, int kind, const ref_way *path)
{
    const iq_input *in = input_of(t, place, port);

    tell(t, kind == XOFF ? REF_NOTICE_XOFF : REF_NOTICE_XON, place, port, path);
    ref_post_send(&t->post, &(ref_parcel){.due = t->now + t->n->hop_delay,
                                          .kind = kind,
                                          .place = in->from_place,
                                          .port = in->from_port,
                                          .path = *path});
}

/* It has received a packet. */
static void grown(iq_net *t, int place, int port, iq_saq *s)
{
    if (is_switch(t, place) && !s->sent && s->q.packets >= t->n->xoff) {
        s->sent = 1;
        notify(t, place, port, XOFF, &s->path);
    }
}

/* A packet has left it. */
static void shrunk(iq_net *t, int place, int port, iq_saq *s)
{
    if (s->sent && s->q.packets < t->n->xon) {
        s->sent = 0;
        notify(t, place, port, XON, &s->path);
    }
}

/* A point seen from the inputs of a place that has it behind that output. */
static ref_way inside(const iq_net *t, int place, int port, const ref_way *path)
{
    return is_switch(t, place) ? ref_way_behind(port, path) : *path;
}

static void xoff_comes(iq_net *t, int place, int port, const ref_way *path)
{
    iq_output *out = output_of(t, place, port);
    iq_line *l = NULL;

    for (int i = t->n->saqs - 1; i >= 0; i--)
        if (!out->line[i].valid)
            l = &out->line[i];
    for (int i = 0; i < t->n->saqs; i++)
        if (out->line[i].valid && ref_way_same(&out->line[i].path, path))
            return;
    if (!l) {
        tell(t, REF_NO_LINE, place, port, path);
        return;
    }
    tell(t, REF_LINE_TAKEN, place, port, path);
    l->valid = 1;
    l->path = *path;
}

static void xon_comes(iq_net *t, int place, int port, const ref_way *path)
{
    iq_output *out = output_of(t, place, port);
    const ref_way seen = inside(t, place, port, path);
    int found = 0;

    for (int i = 0; i < t->n->saqs; i++)
        if (out->line[i].valid && ref_way_same(&out->line[i].path, path)) {
            found = 1;
            out->line[i].valid = 0;
        }
    if (!found) {
        tell(t, REF_UNANSWERED, place, port, path);
        return;
    }
    tell(t, REF_LINE_FREED, place, port, path);
    for (int i = 0; i < ports_of(t, place); i++) {
        iq_saq *s = saq_with(t, input_of(t, place, i), &seen);

        if (s)
            s->used = 1;
        if (s && s->stopped) {
            s->stopped = 0;
            tell(t, REF_RELEASED, place, i, &seen);
        }
    }
}

/* ---- the phases of a cycle ---- */

static void detect(iq_net *t, int place, int port)
{
    iq_input *in = input_of(t, place, port);

    if (!is_switch(t, place) || !t->n->saqs || in->cold.packets < t->n->detect)
        return;
    const iq_packet *head = &t->packet[in->cold.packet[0]];
    const ref_way path = {1, {head->way.turn[head->at]}};
    const iq_output *out = output_of(t, place, path.turn[0]);

    if (saq_with(t, in, &path))
        return;
    (void)allocate(t, place, port, &path, REF_SAQ_DETECTED);
    t->o->false_detections += t->now >= out->free && (out->to_place == NOBODY || out->credits);
}

static void arrive(iq_net *t, int place, int port, int p)
{
    iq_input *in = input_of(t, place, port);

    put(&in->cold, p);
    detect(t, place, port);
}

/* A node offers at most one packet per cycle, in the order of their creation. */
static int is_full(const iq_net *t, const iq_input *in)
{
    return in->taken == t->n->interface || (t->n->cold && in->cold.packets >= t->n->cold);
}

static void offer(iq_net *t)
{
    for (int node = 0; node < t->n->wiring.nodes; node++) {
        const int place = t->switches + node;
        iq_input *in = input_of(t, place, 0);
        int m = t->offered[node];

        while (m < t->n->messages && t->n->message[m].from != node)
            m++;
        t->offered[node] = m;
        if (m == t->n->messages || t->n->message[m].cycle > t->now ||
            (is_full(t, in) && t->n->unbounded))
            continue;
        t->offered[node]++;
        t->not_offered--;
        if (is_full(t, in)) {
            t->o->lost++;
            t->o->delivered[m] = -2;
            continue;
        }
        in->taken++;
        arrive(t, place, 0, m);
    }
}

static void hear(iq_net *t)
{
    ref_parcel a;
    ref_post later = {0};

    while (ref_post_due(&t->post, t->now, &a)) {
        if (a.kind == CREDIT)
            output_of(t, a.place, a.port)->credits++;
        else if (a.kind == SLOT)
            input_of(t, a.place, a.port)->taken--;
        else if (a.kind == XOFF)
            xoff_comes(t, a.place, a.port, &a.path);
        else if (a.kind == XON)
            xon_comes(t, a.place, a.port, &a.path);
        else
            ref_post_send(&later, &a);
    }
    offer(t);
    while (ref_post_due(&later, t->now, &a)) {
        t->packet[a.packet].at = a.at;
        arrive(t, a.place, a.port, a.packet);
    }
    free(later.parcel);
}

/* One inspection. */
static void inspect(iq_net *t, int place, int port)
{
    iq_input *in = input_of(t, place, port);
    const int queues = t->n->saqs + 1;

    for (int i = 1; i <= queues && in->looked <= t->now; i++) {
        const int q = (in->inspected + i) % queues;
        iq_queue *from = queue_of(in, q);
        iq_saq *to = NULL;

        if (!from->packets || from->settled)
            continue;
        in->inspected = q;
        in->looked = t->now + t->n->inspection;
        for (int s = 0; s < t->n->saqs; s++)
            if (in->saq[s].valid && in->saq[s].path.turns > path_length(in, q) &&
                matches(t, from->packet[0], &in->saq[s].path) &&
                (!to || in->saq[s].path.turns < to->path.turns))
                to = &in->saq[s];
        if (!to) {
            from->settled = 1;
            return;
        }
        put(&to->q, take(from));
        to->used = 1;
        grown(t, place, port, to);
        if (q)
            shrunk(t, place, port, &in->saq[q - 1]);
        return;
    }
}

/* The output that a packet requests at its place. */
static int wanted(const iq_net *t, int place, int p)
{
    return is_switch(t, place) ? t->packet[p].way.turn[t->packet[p].at] : 0;
}

/* The queue for which an input requests a transmission; NOBODY: none. */
static int offered(const iq_net *t, int place, int port)
{
    iq_input *in = input_of(t, place, port);
    const int queues = t->n->saqs + 1;

    for (int i = 0; in->used && t->now >= in->read_free && i < queues; i++) {
        const int number = (in->first + i) % queues;
        const iq_queue *q = queue_of(in, number);

        if (!q->packets || !q->settled || (number && in->saq[number - 1].stopped))
            continue;
        const iq_output *out = output_of(t, place, wanted(t, place, q->packet[0]));

        if (t->now >= out->free && (out->to_place == NOBODY || out->credits))
            return number;
    }
    return NOBODY;
}

/* A packet has passed lines that say stop: the input from which it came is told. */
static void pass_lines(iq_net *t, int place, int port, int came, int p)
{
    const iq_output *out = output_of(t, place, port);

    for (int i = 0; i < t->n->saqs; i++) {
        const ref_way seen = inside(t, place, port, &out->line[i].path);
        iq_saq *s;

        if (!out->line[i].valid || !matches(t, p, &seen))
            continue;
        s = saq_with(t, input_of(t, place, came), &seen);
        if (!s)
            s = allocate(t, place, came, &seen, REF_SAQ_TOLD);
        if (s && !s->stopped) {
            s->stopped = 1;
            tell(t, REF_STOPPED, place, came, &seen);
        }
    }
}

static void depart(iq_net *t, int place, int port, int number, int to)
{
    iq_input *in = input_of(t, place, port);
    iq_output *out = output_of(t, place, to);
    const int p = take(queue_of(in, number));
    const ref_message *m = &t->n->message[p];
    const int sw = is_switch(t, place);

    ref_trees_start(t->o, &(ref_start){.cycle = t->now,
                                       .birth = m->cycle,
                                       .switch_ = sw ? place : REF_SENDER,
                                       .input = sw ? port : 0,
                                       .output = sw ? to : 0,
                                       .from = m->from,
                                       .to = m->to,
                                       .bytes = m->bytes});
    in->read_free = t->now + m->bytes;
    out->free = t->now + m->bytes + t->n->link_rest;
    ref_post_send(
        &t->post,
        &(ref_parcel){.due = t->now + m->bytes, .kind = SLOT, .place = place, .port = port});
    if (in->from_place != NOBODY)
        ref_post_send(&t->post, &(ref_parcel){.due = t->now + m->bytes + t->n->credit_delay,
                                              .kind = CREDIT,
                                              .place = in->from_place,
                                              .port = in->from_port});
    if (number)
        shrunk(t, place, port, &in->saq[number - 1]);
    pass_lines(t, place, to, port, p);
    if (out->to_place == NOBODY) {
        t->o->delivered[p] = t->now;
        return;
    }
    out->credits--;
    iq_input *next = input_of(t, out->to_place, out->to_port);

    next->taken++;
    if (next->taken > t->o->most_slots)
        t->o->most_slots = next->taken;
    ref_post_send(&t->post, &(ref_parcel){.due = t->now + t->n->hop_delay,
                                          .kind = HEADER,
                                          .place = out->to_place,
                                          .port = out->to_port,
                                          .packet = p,
                                          .at = t->packet[p].at + sw});
}

static void arbitrate(iq_net *t, int place)
{
    const int ports = ports_of(t, place), queues = t->n->saqs + 1;
    int queue_asked[PORTS], wants[PORTS];

    for (int i = 0; i < ports; i++) {
        queue_asked[i] = offered(t, place, i);
        if (queue_asked[i] != NOBODY)
            wants[i] = wanted(t, place, queue_of(input_of(t, place, i), queue_asked[i])->packet[0]);
    }
    for (int o = 0; o < ports; o++) {
        iq_output *out = output_of(t, place, o);

        for (int k = 0; k < ports; k++) {
            const int i = (out->first + k) % ports;

            if (queue_asked[i] == NOBODY || wants[i] != o)
                continue;
            out->first = (i + 1) % ports;
            input_of(t, place, i)->first = (queue_asked[i] + 1) % queues;
            depart(t, place, i, queue_asked[i], o);
            break;
        }
    }
}

static int head_would_join(const iq_net *t, iq_input *in, const iq_saq *s)
{
    for (int q = 0; q <= t->n->saqs; q++) {
        const iq_queue *shorter = queue_of(in, q);

        if (shorter->packets && (!q || in->saq[q - 1].valid) &&
            path_length(in, q) < s->path.turns && matches(t, shorter->packet[0], &s->path))
            return 1;
    }
    return 0;
}

static void free_empty(iq_net *t, int place, int port)
{
    iq_input *in = input_of(t, place, port);

    for (int i = 0; i < t->n->saqs; i++) {
        iq_saq *s = &in->saq[i];

        if (s->valid && !s->q.packets && !s->stopped && (s->used || !head_would_join(t, in, s))) {
            s->valid = 0;
            tell(t, REF_SAQ_FREED, place, port, &s->path);
            t->o->broken += s->sent;
        }
    }
}

/* ---- invariants ---- */

/* Credits, packets and what is under way add up to the memory; moves go to longer paths; a stopped
 * SAQ has a line that will release it. */
static void check(iq_net *t)
{
    for (int place = 0; place < t->places; place++)
        for (int port = 0; port < ports_of(t, place); port++) {
            iq_input *in = input_of(t, place, port);
            int waiting = in->cold.packets, in_use = 0, credits = 0;

            if (!in->used)
                continue;
            for (int s = 0; s < t->n->saqs; s++) {
                iq_saq *q = &in->saq[s];
                int lines = 0;

                in_use += q->valid;
                waiting += q->q.packets;
                t->o->broken += !q->valid && q->q.packets;
                for (int p = 0; p < q->q.packets; p++)
                    t->o->broken += !matches(t, q->q.packet[p], &q->path);
                if (!q->valid || !q->stopped)
                    continue;
                const int o = is_switch(t, place) ? q->path.turn[0] : 0;

                for (int l = 0; l < t->n->saqs; l++) {
                    const iq_line *k = &output_of(t, place, o)->line[l];
                    const ref_way seen = inside(t, place, o, &k->path);

                    lines += k->valid && ref_way_same(&seen, &q->path);
                }
                t->o->broken += lines != 1;
            }
            t->o->saqs_sum += in_use;
            if (in_use > t->o->saqs_most)
                t->o->saqs_most = in_use;
            if (waiting > in->taken ||
                in->taken > (in->from_place == NOBODY ? t->n->interface : t->n->slots))
                t->o->broken++;
            if (in->from_place == NOBODY)
                continue;
            for (long i = 0; i < t->post.parcels; i++) {
                const ref_parcel *a = &t->post.parcel[i];

                credits += a->kind == CREDIT && a->place == in->from_place &&
                           a->port == in->from_port && a->due <= t->now + t->n->credit_delay;
            }
            credits += output_of(t, in->from_place, in->from_port)->credits;
            t->o->broken += credits + in->taken != t->n->slots;
        }
}

static int left(const iq_net *t)
{
    int things = (int)t->post.parcels + t->not_offered;

    for (int i = 0; i < t->places * t->ports; i++) {
        things += t->in[i].cold.packets;
        for (int s = 0; s < t->n->saqs; s++)
            things += t->in[i].saq[s].valid + t->in[i].saq[s].q.packets + t->out[i].line[s].valid;
    }
    return things;
}

void ref_recn_iq_run(const ref_trees *n, ref_trees_outcome *o)
{
    iq_net t = {.n = n, .o = o};

    memset(o, 0, sizeof *o);
    lay_out(&t);
    o->delivered = zeroed(n->messages, sizeof *o->delivered);
    for (int m = 0; m < n->messages; m++)
        o->delivered[m] = -1;
    for (t.now = 0; t.now < n->cycles && left(&t); t.now++) {
        hear(&t);
        for (int place = 0; place < t.places; place++)
            for (int port = 0; port < ports_of(&t, place); port++)
                inspect(&t, place, port);
        for (int place = 0; place < t.places; place++)
            arbitrate(&t, place);
        for (int place = 0; place < t.places; place++)
            for (int port = 0; port < ports_of(&t, place); port++)
                free_empty(&t, place, port);
        check(&t);
    }
    o->cycles = t.now;
    o->left = left(&t);
    ref_trees_order(n, o);
    clear(&t);
}
