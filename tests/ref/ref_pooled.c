/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_pooled.h"

#include <stdlib.h>
#include <string.h>

enum { PORTS = 32, NONE = -1 };

typedef struct {
    int from, to, flits;
    int entered; /* flits that have been sent over the last link */
} pooled_packet;

/* A link into an input FIFO, and that FIFO. */
typedef struct {
    int *flit_of; /* [fifo] packets of the flits on the link and in the FIFO, a ring ... */
    long *there;  /* ... and when each can go on */
    int first, flits;
    int freed;      /* by flits that left in this cycle */
    int head_state; /* of the packet that the first flit is of: 0 not admitted, 1 stored, 2 bypasses
                     */
    int taken;      /* flits of it that have left */
    int output;
    int class_; /* flits of that packet that are here */
} pooled_input;

typedef struct {
    int *queue; /* [chunks] packets */
    long *ready;
    int first, packets;
    int sends; /* a packet, or NONE */
    int sent;  /* flits of it */
    int from;  /* the input that it bypasses from, or NONE */
    long free;
    int next;
} pooled_output;

typedef struct {
    const ref_pooled *n;
    ref_pooled_outcome *o;
    pooled_packet *packet;
    int packets;
    int switches, ports;
    pooled_input *in;   /* [switches * ports] */
    pooled_output *out; /* [switches * ports] */
    int *free, *freed, *next, *next_out;
    int *writes, *reads; /* turns still to be caught up */
    int *message, *sent,
        *sending; /* [nodes] the next message, bytes of it sent, flits of the packet */
    long *node_free;
    int *node_packet;
    long now, room;
} pooled_net;

static void *array(size_t n, size_t size)
{
    void *a = calloc(n ? n : 1, size);
    if (!a)
        abort();
    return a;
}

static void note(pooled_net *t, int place, int stored, int in, int out, const pooled_packet *p)
{
    if (t->o->starts == t->room) {
        t->room = 2 * t->room + 1024;
        t->o->start = realloc(t->o->start, (size_t)t->room * sizeof *t->o->start);
        if (!t->o->start)
            abort();
    }
    t->o->start[t->o->starts++] =
        (ref_pooled_start){t->now, place, stored, in, out, p->from, p->to, p->flits};
}

static int chunks_of(const pooled_net *t, const pooled_packet *p)
{
    return t->n->modules ? 1 : (p->flits + t->n->chunk - 1) / t->n->chunk;
}

/* ---- links ---- */

/* May a flit be sent into that FIFO? A flit that left it in this cycle counts from the next on. */
static int room(const pooled_net *t, unsigned port)
{
    return t->in[port].flits + t->in[port].freed < t->n->fifo;
}

static void put(pooled_net *t, unsigned port, int p)
{
    pooled_input *i = &t->in[port];
    const int at = (i->first + i->flits++) % t->n->fifo;

    i->flit_of[at] = p;
    i->there[at] = t->now + t->n->hop_delay;
}

static int flit_there(const pooled_net *t, const pooled_input *i)
{
    return i->flits > 0 && i->there[i->first] <= t->now;
}

/* The first flit leaves the FIFO. */
static void take(pooled_net *t, pooled_input *i)
{
    const pooled_packet *p = &t->packet[i->flit_of[i->first]];

    if (!flit_there(t, i))
        t->o->broken++;
    i->first = (i->first + 1) % t->n->fifo;
    i->flits--;
    i->freed++;
    if (++i->taken == p->flits) {
        i->taken = 0;
        i->head_state = 0;
        i->output = NONE;
    }
}

/* ---- a switch ---- */

static int begins(const pooled_net *t, int w, int x)
{
    const pooled_output *o = &t->out[w * t->ports + x];
    const unsigned link = t->n->wiring.link[w * t->ports + x];

    return o->sends == NONE && o->free <= t->now && (link & REF_NODE || room(t, link));
}

static void begin(pooled_net *t, int w, int x, int p, int from)
{
    pooled_output *o = &t->out[w * t->ports + x];

    o->sends = p;
    o->sent = 0;
    o->from = from;
    note(t, w, 0, 0, x, &t->packet[p]);
}

static void from_queue(pooled_net *t, int w, int x)
{
    pooled_output *o = &t->out[w * t->ports + x];

    if (o->packets == 0 || o->ready[o->first] > t->now || !begins(t, w, x) ||
        (!t->n->modules && t->reads[w] < 1))
        return;
    t->reads[w]--;
    t->next_out[w] = (x + 1) % t->ports;
    begin(t, w, x, o->queue[o->first], NONE);
    o->first = (o->first + 1) % t->n->chunks;
    o->packets--;
}

static void route(pooled_net *t, int w)
{
    for (int i = 0; i < t->ports; i++) {
        const unsigned port = (unsigned)(w * t->ports + i);
        pooled_input *in = &t->in[port];
        if (in->head_state || in->output != NONE || !flit_there(t, in))
            continue;
        const pooled_packet *p = &t->packet[in->flit_of[in->first]];
        const int class_ = t->n->wiring.class_of(t->n->wiring.self, port, p->from, p->to);
        in->output = t->n->wiring.output_of(t->n->wiring.self, port, class_);
    }
}

static void bypasses(pooled_net *t, int w, int x)
{
    pooled_output *o = &t->out[w * t->ports + x];

    if (o->packets > 0 || !begins(t, w, x))
        return;
    for (int k = 0; k < t->ports; k++) {
        const int i = (o->next + k) % t->ports;
        pooled_input *in = &t->in[w * t->ports + i];
        if (in->head_state || in->output != x)
            continue;
        in->head_state = 2;
        begin(t, w, x, in->flit_of[in->first], i);
        o->next = (i + 1) % t->ports;
        return;
    }
}

/* From the input whose turn it is on, as it was when the cycle began. */
static void admit(pooled_net *t, int w)
{
    const int first = t->next[w];

    for (int k = 0; k < t->ports; k++) {
        const int i = (first + k) % t->ports;
        pooled_input *in = &t->in[w * t->ports + i];
        if (in->head_state || in->output == NONE || (!t->n->modules && t->writes[w] < 1))
            continue;
        const int p = in->flit_of[in->first], chunks = chunks_of(t, &t->packet[p]);
        const int flits = t->packet[p].flits;
        if (chunks > t->free[w])
            continue;
        pooled_output *o = &t->out[w * t->ports + in->output];
        const int at = (o->first + o->packets++) % t->n->chunks;
        t->free[w] -= chunks;
        t->writes[w]--;
        in->head_state = 1;
        o->queue[at] = p;
        o->ready[at] = t->now;
        if (!t->n->modules) {
            /* the first chunk is gathered, written, and read */
            o->ready[at] += (flits < t->n->chunk ? flits : t->n->chunk) + 1;
        }
        note(t, w, 1, i, in->output, &t->packet[p]);
        t->next[w] = (i + 1) % t->ports;
    }
}

/* Flits move: from outputs over their links, and from FIFOs into the pool. */
static void move(pooled_net *t, int w, int x)
{
    pooled_output *o = &t->out[w * t->ports + x];
    const unsigned link = t->n->wiring.link[w * t->ports + x];
    const pooled_packet *p = o->sends == NONE ? NULL : &t->packet[o->sends];
    pooled_input *from = p && o->from != NONE ? &t->in[w * t->ports + o->from] : NULL;

    if (!p)
        return;
    if (from && !flit_there(t, from))
        return;
    if (!(link & REF_NODE) && !room(t, link)) {
        t->o->stalls++;
        t->o->passed_on += from != NULL;
        return;
    }
    if (!(link & REF_NODE))
        put(t, link, o->sends);
    if (from)
        take(t, from);
    o->sent++;
    if (!from && (o->sent == p->flits || (!t->n->modules && o->sent % t->n->chunk == 0)))
        t->freed[w]++;
    if (o->sent < p->flits)
        return;
    if (link & REF_NODE) {
        t->o->delivered++;
        t->o->last = t->now;
    }
    o->sends = NONE;
    o->free = t->now + 1 + t->n->link_rest;
}

static void write(pooled_net *t, int w)
{
    for (int i = 0; i < t->ports; i++) {
        pooled_input *in = &t->in[w * t->ports + i];
        if (in->head_state == 1)
            take(t, in);
    }
}

/* ---- senders ---- */

static void sender(pooled_net *t, int node)
{
    const unsigned port = t->n->wiring.entry[node];
    const int m = t->message[node];

    if (t->node_packet[node] == NONE && m < t->n->messages && t->n->message[m].cycle <= t->now &&
        t->node_free[node] <= t->now && room(t, port)) {
        const ref_message *msg = &t->n->message[m];
        const int left = msg->bytes - t->sent[node];
        const int flits = left < t->n->max_packet ? left : t->n->max_packet;
        t->packet[t->packets] = (pooled_packet){msg->from, msg->to, flits, 0};
        t->node_packet[node] = t->packets++;
        t->sending[node] = 0;
        note(t, -1, 0, 0, node, &t->packet[t->node_packet[node]]);
    }
    if (t->node_packet[node] == NONE || !room(t, port))
        return;
    put(t, port, t->node_packet[node]);
    const int flits = t->packet[t->node_packet[node]].flits;
    if (++t->sending[node] < flits)
        return;
    t->node_packet[node] = NONE;
    t->node_free[node] = t->now + 1 + t->n->link_rest;
    t->sent[node] += flits;
    if (t->sent[node] < t->n->message[m].bytes)
        return;
    t->sent[node] = 0;
    do
        t->message[node]++;
    while (t->message[node] < t->n->messages && t->n->message[t->message[node]].from != node);
}

/* ---- the run ---- */

static void make(pooled_net *t)
{
    const ref_wiring *g = &t->n->wiring;
    const size_t all = (size_t)t->switches * (size_t)t->ports, nodes = (size_t)g->nodes;
    long flits = 0;

    for (int m = 0; m < t->n->messages; m++)
        flits += t->n->message[m].bytes / t->n->max_packet + 1;
    t->packet = array((size_t)flits, sizeof *t->packet);
    t->in = array(all, sizeof *t->in);
    t->out = array(all, sizeof *t->out);
    t->free = array((size_t)t->switches, sizeof *t->free);
    t->freed = array((size_t)t->switches, sizeof *t->freed);
    t->next = array((size_t)t->switches, sizeof *t->next);
    t->next_out = array((size_t)t->switches, sizeof *t->next_out);
    t->writes = array((size_t)t->switches, sizeof *t->writes);
    t->reads = array((size_t)t->switches, sizeof *t->reads);
    t->message = array(nodes, sizeof *t->message);
    t->sent = array(nodes, sizeof *t->sent);
    t->sending = array(nodes, sizeof *t->sending);
    t->node_free = array(nodes, sizeof *t->node_free);
    t->node_packet = array(nodes, sizeof *t->node_packet);
    for (size_t k = 0; k < all; k++) {
        t->in[k].flit_of = array((size_t)t->n->fifo, sizeof(int));
        t->in[k].there = array((size_t)t->n->fifo, sizeof(long));
        t->in[k].output = NONE;
        t->out[k].queue = array((size_t)t->n->chunks, sizeof(int));
        t->out[k].ready = array((size_t)t->n->chunks, sizeof(long));
        t->out[k].sends = NONE;
    }
    for (int w = 0; w < t->switches; w++) {
        t->free[w] = t->n->chunks;
        t->writes[w] = t->reads[w] = t->ports;
    }
    for (int i = 0; i < g->nodes; i++) {
        t->node_packet[i] = NONE;
        while (t->message[i] < t->n->messages && t->n->message[t->message[i]].from != i)
            t->message[i]++;
    }
}

static void unmake(pooled_net *t)
{
    for (int k = 0; k < t->switches * t->ports; k++) {
        free(t->in[k].flit_of);
        free(t->in[k].there);
        free(t->out[k].queue);
        free(t->out[k].ready);
    }
    free(t->packet);
    free(t->in);
    free(t->out);
    free(t->free);
    free(t->freed);
    free(t->next);
    free(t->next_out);
    free(t->writes);
    free(t->reads);
    free(t->message);
    free(t->sent);
    free(t->sending);
    free(t->node_free);
    free(t->node_packet);
}

/* A write and a read per cycle, of which at most as many as there are ports can be caught up.
 * Chunks within packets come first: their first flits leave a FIFO, or go over a link, in this
 * cycle. */
static void turns(pooled_net *t, int w)
{
    t->writes[w] += t->writes[w] < t->ports;
    t->reads[w] += t->reads[w] < t->ports;
    for (int i = 0; i < t->ports; i++) {
        const pooled_input *in = &t->in[w * t->ports + i];
        const pooled_output *o = &t->out[w * t->ports + i];
        const unsigned link = t->n->wiring.link[w * t->ports + i];
        if (in->head_state == 1 && in->taken > 0 && in->taken % t->n->chunk == 0)
            t->writes[w]--;
        if (o->sends != NONE && o->from == NONE && o->sent > 0 && o->sent % t->n->chunk == 0 &&
            (link & REF_NODE || room(t, link)))
            t->reads[w]--;
    }
}

static void all_from_queues(pooled_net *t, int w)
{
    const int first = t->next_out[w];

    for (int k = 0; k < t->ports; k++)
        from_queue(t, w, (first + k) % t->ports);
}

static void cycle(pooled_net *t)
{
    for (int i = 0; i < t->n->wiring.nodes; i++)
        sender(t, i);
    for (int w = 0; w < t->switches; w++) {
        turns(t, w);
        all_from_queues(t, w);
        route(t, w);
        for (int x = 0; x < t->ports && !t->n->modules; x++)
            bypasses(t, w, x);
        admit(t, w);
        if (t->n->modules)
            all_from_queues(t, w);
        for (int x = 0; x < t->ports && t->n->modules; x++)
            bypasses(t, w, x);
    }
    for (int w = 0; w < t->switches; w++) {
        for (int x = 0; x < t->ports; x++)
            move(t, w, x);
        write(t, w);
    }
    for (int k = 0; k < t->switches * t->ports; k++)
        t->in[k].freed = 0;
    for (int w = 0; w < t->switches; w++) {
        t->free[w] += t->freed[w];
        t->freed[w] = 0;
    }
}

void ref_pooled_run(const ref_pooled *n, ref_pooled_outcome *o)
{
    pooled_net t = {.n = n, .o = o, .switches = n->wiring.switches, .ports = n->wiring.ports};
    long packets = 0;

    *o = (ref_pooled_outcome){0};
    make(&t);
    for (int m = 0; m < n->messages; m++)
        packets += (n->message[m].bytes + n->max_packet - 1) / n->max_packet;
    for (; t.now < n->cycles && o->delivered < packets; t.now++)
        cycle(&t);
    unmake(&t);
}
