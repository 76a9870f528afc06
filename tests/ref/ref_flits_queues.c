/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches whose inputs have plain queues of packets (section 2 of the report): a FIFO; a FIFO for
 * each output (crosspoint queues, or in one memory); several FIFOs for any output, the least full
 * of which takes a packet (PaRC, Arctic, PRC); and the packets of the modules of a Prizma, in which
 * an output takes those that are for it in the order in which they came. A header is in the queue
 * in the cycle after the one in which it was in the input register, and may be on the next link in
 * the one after that.
 */
#include "ref_flits_part.h"

#include <stdlib.h>

enum { PENDING = 8 };

typedef struct ref_queued {
    int packet, hop;
    int came, gone; /* flits */
} ref_queued;

typedef struct ref_queue_of {
    ref_queued *entry; /* [size] */
    int size, first, entries;
    int flits;  /* that it holds */
    int coming; /* that have been sent to it */
    int packets_coming;
    int freed[16]; /* flits, by the cycle since which they are free */
} ref_queue_of;

typedef struct ref_coming {
    int packet, queue, left;
} ref_coming;

typedef struct ref_queue_input {
    ref_queue_of queue[REF_FLIT_PORTS];
    ref_coming coming[PENDING];
    int comings;
} ref_queue_input;

typedef struct ref_queue_switch {
    ref_queue_input input[REF_FLIT_PORTS];
    int each, capacity;        /* queues of an input, flits of a queue */
    int held[REF_FLIT_PORTS];  /* by output: input * each + queue, or -1 */
    int after[REF_FLIT_PORTS]; /* likewise, the one whose turn it is */
    int by_output; /* a packet joins its output's queue when it arrives, and its memory does not
                      belong to the queue: Prizma, and where all queues share it */
    int modules, modules_free;
    int modules_freed[16];
} ref_queue_switch;

static void set_up(ref_net *t, void *self)
{
    ref_queue_switch *s = self;
    const int memory = t->n->buffer * t->ports;

    s->each = t->n->kind == REF_ONE_FIFO ? 1 : t->ports;
    s->capacity = t->n->kind == REF_PRIZMA   ? memory
                  : t->n->kind == REF_SHARED ? t->n->buffer
                                             : t->n->buffer / s->each;
    s->by_output = t->n->kind == REF_PRIZMA || t->n->kind == REF_SHARED;
    s->modules = s->modules_free = t->n->kind == REF_PRIZMA ? memory / t->n->module : 0;
    for (int i = 0; i < t->ports; i++) {
        s->held[i] = -1;
        for (int q = 0; q < s->each; q++) {
            s->input[i].queue[q].size = s->capacity + 1;
            s->input[i].queue[q].entry = calloc((size_t)s->capacity + 1, sizeof(ref_queued));
        }
    }
}

static void clear(ref_net *t, void *self)
{
    ref_queue_switch *s = self;

    for (int i = 0; i < t->ports; i++)
        for (int q = 0; q < s->each; q++)
            free(s->input[i].queue[q].entry);
}

/* Space that has become free too recently for the sender to know. */
static int untold(const ref_net *t, const int *freed)
{
    int sum = 0;

    for (int ago = 0; ago < t->n->credit; ago++)
        sum += freed[(t->now - ago + 16) % 16];
    return sum;
}

static int queue_room(const ref_net *t, const ref_queue_switch *s, const ref_queue_of *q,
                      int packet)
{
    return s->capacity - q->flits - q->coming - untold(t, q->freed) >= ref_net_flits(t, packet);
}

static int shared_room(const ref_net *t, const ref_queue_switch *s, const ref_queue_input *in,
                       int packet)
{
    int taken = 0;

    for (int k = 0; k < in->comings; k++)
        taken += in->coming[k].left;
    for (int q = 0; q < s->each; q++)
        taken += in->queue[q].flits + untold(t, in->queue[q].freed);
    return s->capacity - taken >= ref_net_flits(t, packet);
}

/* The queue of the input that the packet will join, or -1: it may not enter. */
static int queue_for(const ref_net *t, const ref_queue_switch *s, const ref_queue_input *in,
                     int packet, int x)
{
    int best = -1;

    if (t->n->kind == REF_PRIZMA)
        return s->modules_free - untold(t, s->modules_freed) > 0 ? 0 : -1;
    if (t->n->kind == REF_SHARED)
        return shared_room(t, s, in, packet) ? 0 : -1;
    if (t->n->kind == REF_PAIRS)
        return queue_room(t, s, &in->queue[x], packet) ? x : -1;
    for (int q = 0; q < s->each; q++) {
        const ref_queue_of *a = &in->queue[q];

        if (!queue_room(t, s, a, packet))
            continue;
        if (best < 0 || a->entries + a->packets_coming <
                            in->queue[best].entries + in->queue[best].packets_coming)
            best = q;
    }
    return best;
}

static int room(ref_net *t, int number, int packet, int x)
{
    const ref_queue_switch *s = ref_net_switch(t, number / t->ports);

    return queue_for(t, s, &s->input[number % t->ports], packet, x) >= 0;
}

static void promise(ref_net *t, int number, int packet, int x)
{
    ref_queue_switch *s = ref_net_switch(t, number / t->ports);
    ref_queue_input *in = &s->input[number % t->ports];
    const int q = s->by_output ? -1 : queue_for(t, s, in, packet, x);

    ref_net_expect(t, in->comings < PENDING);
    in->coming[in->comings++] = (ref_coming){packet, q, ref_net_flits(t, packet)};
    s->modules_free -= t->n->kind == REF_PRIZMA;
    if (s->by_output)
        return;
    in->queue[q].coming += ref_net_flits(t, packet);
    in->queue[q].packets_coming++;
}

static ref_queued *head_of(ref_queue_of *q)
{
    return &q->entry[q->first];
}

/* May the head of the queue leave by output x, and does it wait for that? */
static int wants(ref_net *t, int place, ref_queue_of *q, int x)
{
    int way[REF_FLIT_PORTS] = {0};

    if (q->entries == 0)
        return 0;
    const int bound = t->trip[head_of(q)->packet].hop[head_of(q)->hop].output;
    if (bound >= 0)
        return bound == x;
    const int ways = ref_net_ways(t, place, head_of(q)->packet, way);
    for (int w = 0; w < ways; w++)
        if (way[w] == x)
            return 1;
    return 0;
}

/* The queue, by input * each + queue, that output x takes next; -1: none. */
static int pick(ref_net *t, int place, ref_queue_switch *s, int x)
{
    const int all = t->ports * s->each;
    int oldest = -1;
    long came = 0;

    for (int a = 0; a < all; a++) {
        const int k = t->n->kind == REF_PRIZMA ? a : (s->after[x] + a) % all;
        ref_queue_of *q = &s->input[k / s->each].queue[k % s->each];

        if (!wants(t, place, q, x))
            continue;
        if (!ref_net_may_begin(t, place * t->ports + x, head_of(q)->packet))
            continue;
        if (t->n->kind != REF_PRIZMA)
            return k;
        const long mine = t->trip[head_of(q)->packet].hop[head_of(q)->hop].came;
        if (oldest < 0 || mine < came) {
            oldest = k;
            came = mine;
        }
    }
    return oldest;
}

static void decide(ref_net *t, int place)
{
    ref_queue_switch *s = ref_net_switch(t, place);

    for (int y = 0; y < t->ports; y++) {
        const int x = (int)((t->now + 1 + y) % t->ports);

        if (s->held[x] >= 0)
            continue;
        const int k = pick(t, place, s, x);
        if (k < 0)
            continue;
        const ref_queued *e = head_of(&s->input[k / s->each].queue[k % s->each]);
        if (t->trip[e->packet].hop[e->hop].output < 0)
            ref_net_bind(t, place * t->ports + k / s->each, e->packet, e->hop, x);
        ref_net_begin(t, place * t->ports + x, e->packet, e->hop);
        s->held[x] = k;
        s->after[x] = (k + 1) % (t->ports * s->each);
    }
}

static void send(ref_net *t, int place, ref_queue_switch *s, int x)
{
    const int k = s->held[x];
    ref_queue_of *q = &s->input[k / s->each].queue[k % s->each];
    ref_queued *e = head_of(q);

    /* a packet that arrives without a gap leaves without one */
    ref_net_expect(t, e->gone < e->came);
    ref_net_send(t, place * t->ports + x, (ref_flit){e->packet, e->gone, e->hop});
    q->flits--;
    q->freed[(t->now + 1) % 16]++;
    if (++e->gone < ref_net_flits(t, e->packet))
        return;
    q->first = (q->first + 1) % q->size;
    q->entries--;
    s->held[x] = -1;
    if (t->n->kind == REF_PRIZMA) {
        s->modules_free++;
        s->modules_freed[(t->now + 1) % 16]++;
    }
}

static void take(ref_net *t, ref_queue_switch *s, ref_queue_input *in, ref_flit f)
{
    ref_coming *c = &in->coming[0];

    ref_net_expect(t, in->comings > 0 && c->packet == f.packet);
    const int k = s->by_output ? ref_net_hop(t, f)->output : c->queue;
    ref_queue_of *q = &in->queue[k];
    if (f.index == 0) {
        ref_net_expect(t, q->entries < q->size);
        q->entry[(q->first + q->entries++) % q->size] = (ref_queued){f.packet, f.hop, 0, 0};
        q->packets_coming -= !s->by_output;
    }
    ref_queued *e = &q->entry[(q->first + q->entries - 1) % q->size];
    ref_net_expect(t, e->packet == f.packet && e->came == f.index);
    e->came++;
    q->flits++;
    q->coming -= !s->by_output;
    ref_net_expect(t, q->flits <= s->capacity);
    if (--c->left > 0)
        return;
    in->comings--;
    for (int m = 0; m < in->comings; m++)
        in->coming[m] = in->coming[m + 1];
}

static void move(ref_net *t, int place)
{
    ref_queue_switch *s = ref_net_switch(t, place);

    s->modules_freed[(t->now + 1) % 16] = 0;
    for (int i = 0; i < t->ports; i++)
        for (int q = 0; q < s->each; q++)
            s->input[i].queue[q].freed[(t->now + 1) % 16] = 0;
    for (int x = 0; x < t->ports; x++)
        if (s->held[x] >= 0)
            send(t, place, s, x);
    for (int i = 0; i < t->ports; i++)
        if (t->ir[place * t->ports + i].packet >= 0)
            take(t, s, &s->input[i], t->ir[place * t->ports + i]);
}

static void sample(ref_net *t, int place, ref_flit_sample *sum)
{
    ref_queue_switch *s = ref_net_switch(t, place);
    int packets = 0;

    if (t->n->kind != REF_PRIZMA)
        return;
    for (int i = 0; i < t->ports; i++) {
        packets += s->input[i].comings;
        for (int q = 0; q < s->each; q++) {
            const ref_queue_of *a = &s->input[i].queue[q];

            sum->flits += a->flits;
            packets += a->entries;
        }
        /* one that has begun to arrive counts in both */
        packets -= s->input[i].comings > 0 &&
                   s->input[i].coming[0].left < ref_net_flits(t, s->input[i].coming[0].packet);
    }
    sum->chunks += s->modules - s->modules_free;
    /* the tail of a packet that has left may still be before the end of its entry, never behind */
    ref_net_expect(t, packets == s->modules - s->modules_free);
}

const ref_machine ref_machine_queues = {
    0, sizeof(ref_queue_switch), set_up, clear, room, promise, decide, move, sample};
