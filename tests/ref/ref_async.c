/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_async.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

typedef struct {
    int from, to, bytes;
    long birth;
} ref_async_packet;

typedef struct stay stay;

/* A block of a buffer's memory. */
typedef struct {
    stay *of;    /* NULL: the block is free */
    int to_come; /* bytes for which it was taken and that have not arrived yet */
    int here;
    bool given_up; /* counts as free, whatever it still holds */
} ref_block;

/* A packet's stay in a buffer, from the beginning of the transmission that brings it to the end of
 * the one that takes it away. */
struct stay {
    ref_async_packet p;
    int queue, output;
    ref_block **blocks; /* in the order of the packet's bytes */
    int blocks_count;
    int came, sent; /* bytes */
    long here;      /* the cycle in which the first byte came */
    long tail;      /* the cycle in which the last byte has come or will come */
    bool waits;     /* it is not being sent yet */
    stay *behind;   /* the next one in the queue */
};

typedef struct {
    ref_block *memory; /* [blocks] */
    stay **head;       /* [queues] first of those that wait, or NULL */
    stay **read;       /* [read ports] what is being sent, or NULL */
    ref_told *told;    /* what its sender knows, or NULL: the sender sees everything */
    int *count;        /* [queues] REF_TWO_COUNTER */
} buffer;

/* A byte on its way. */
typedef struct {
    stay *to; /* NULL with `any`: to a node */
    int number;
    bool any;
} byte;

/* A link with its wire, from a switch's output or a sender. */
typedef struct {
    unsigned leads; /* as in ref_wiring.link */
    ref_line line;
    byte *wire; /* [line.delay]; what is sent in cycle t is in t mod line.delay */
    bool busy;  /* a packet is being sent over it, */
    int size;   /* of so many bytes, ... */
    int lasts;  /* ... for so many cycles, ... */
    int gone;   /* ... of which these are over */
    int rest;   /* cycles that it must still be idle */
    stay *to;   /* of the packet that is being sent; NULL: to a node */
} link;

/* What a sender still has to send. */
typedef struct sender_message {
    int from, to, left; /* bytes not sent yet */
    bool made;          /* creation time of the packet that comes next */
    long birth;         /* of that packet */
    struct sender_message *behind;
} sender_message;

typedef struct {
    sender_message *head;
    link out;
    ref_async_packet sending;
    int sent;               /* bytes of it */
    sender_message **queue; /* [destinations] of its interface, if there is one: first packets */
    int inside;             /* packets in all of them */
    int turn;               /* the queue that is tried first */
} sender;

/* A decision to send, taken before anything of its cycle happens. */
typedef struct {
    int sw, input, output, queue; /* sw NONE: sender `input` */
} ref_decision;

typedef struct {
    const ref_async *n;
    const ref_wiring *w;
    int blocks, queues, reads, most_blocks; /* of a buffer; most_blocks: of a packet */
    int stored;            /* the existing blocks: those that count as free may still hold bytes */
    int inputs;            /* switches * ports */
    buffer *in;            /* [inputs] */
    link *out;             /* [inputs], by output */
    sender *from;          /* [nodes] */
    int *pointer;          /* [switches] */
    ref_decision *decided; /* [nodes + inputs] */
    int decisions;
    bool offered; /* in this cycle, to some interface */
    bool *taken;  /* [ports] outputs, in this cycle's arbitration of one switch */
    bool *used;   /* [ports * reads] read ports, likewise */
    int *held;    /* [queues] blocks of one buffer */
    int seen;     /* messages that have been created */
    long now;
    ref_outcome *o;
    long start_room;
} ref_async_sim;

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

/* ---- buffers ---- */

static int free_blocks(const ref_async_sim *s, const buffer *b)
{
    int n = s->blocks;
    for (int i = 0; i < s->stored; i++)
        n -= b->memory[i].of != NULL && !b->memory[i].given_up;
    return n;
}

static int blocks_of_queue(const ref_async_sim *s, const buffer *b, int queue, bool waiting_only)
{
    int n = 0;
    for (int i = 0; i < s->stored; i++) {
        const stay *of = b->memory[i].of;
        n += of && !b->memory[i].given_up && of->queue == queue && (of->waits || !waiting_only);
    }
    return n;
}

static int queue_at(const ref_async_sim *s, unsigned port, const ref_async_packet *p)
{
    if (s->n->destinations)
        return p->to % s->n->destinations;
    if (s->n->one_queue)
        return 0;
    int class_ = s->w->class_of(s->w->self, port, p->from, p->to);
    must(class_ >= 0 && class_ < s->w->classes);
    return class_;
}

/* Blocks that are neither taken nor reserved for a queue, if one queue were longer by that much. */
static int unclaimed(const ref_async_sim *s, const buffer *b, int queue, int longer)
{
    int n = s->blocks;

    for (int q = 0; q < s->queues; q++) {
        int held = blocks_of_queue(s, b, q, false) + (q == queue ? longer : 0);
        n -= held > s->n->least ? held : s->n->least;
    }
    return n;
}

/* Do the limits of queues admit a packet of the greatest length? */
static bool shared_room(const ref_async_sim *s, const buffer *b, int queue)
{
    int length = blocks_of_queue(s, b, queue, false), then = length + s->most_blocks;
    int above = length > s->n->least ? length - s->n->least : 0;

    if (s->n->most && then > s->n->most)
        return false;
    if (then <= s->n->least)
        return true;
    return unclaimed(s, b, queue, s->most_blocks) >= 0 &&
           (s->n->alpha == 0 || above < s->n->alpha * unclaimed(s, b, queue, 0));
}

/* May p be sent to where a link leads? */
static bool open_to(const ref_async_sim *s, unsigned leads, const ref_async_packet *p)
{
    if (leads & REF_NODE) {
        must((leads & ~REF_NODE) == (unsigned)p->to);
        return true;
    }
    const buffer *b = &s->in[leads];
    if (b->told)
        return ref_told_open(b->told, queue_at(s, leads, p));
    int length = blocks_of_queue(s, b, queue_at(s, leads, p), false);

    if (free_blocks(s, b) < s->most_blocks)
        return false;
    if (!shared_room(s, b, queue_at(s, leads, p)))
        return false;
    if (s->n->partitioned && length > s->blocks / s->queues - s->most_blocks)
        return false;
    if (s->n->flow == REF_TWO_COUNTER)
        return b->count[queue_at(s, leads, p)] < s->n->closes;
    return s->n->threshold == REF_NO_THRESHOLD || length <= s->n->threshold;
}

/* p is about to enter a buffer: takes its blocks and appends it to its queue. */
static stay *let_in(ref_async_sim *s, unsigned port, const ref_async_packet *p)
{
    buffer *b = &s->in[port];
    stay *y = get(1, sizeof *y);

    *y = (stay){.p = *p, .queue = queue_at(s, port, p), .waits = true};
    y->output = s->w->output_of(s->w->self, port, s->w->class_of(s->w->self, port, p->from, p->to));
    must(y->output >= 0 && y->output < s->w->ports);
    y->blocks = get((size_t)p->bytes, sizeof(ref_block *));
    for (int left = p->bytes; left > 0; left -= s->n->block) {
        int i = 0;
        while (i < s->stored && b->memory[i].of)
            i++;
        must(i < s->stored);
        b->memory[i] = (ref_block){.of = y, .to_come = left < s->n->block ? left : s->n->block};
        y->blocks[y->blocks_count++] = &b->memory[i];
    }
    stay **last = &b->head[y->queue];
    while (*last)
        last = &(*last)->behind;
    *last = y;
    s->o->entered++;
    if (b->told)
        ref_told_send(b->told, y->queue, y->blocks_count);
    must(free_blocks(s, b) >= 0);
    return y;
}

/* ---- what continues by itself ---- */

static void byte_arrives(ref_async_sim *s, const link *l, byte x)
{
    if (!x.to) {
        must((l->leads & REF_NODE) != 0);
        s->o->bytes_arrived++;
        return;
    }
    ref_block *k = x.to->blocks[x.number / s->n->block];
    must(x.number == x.to->came && k->of == x.to && k->to_come > 0);
    k->to_come--;
    k->here++;
    if (x.to->came == 0)
        x.to->here = s->now;
    x.to->came++;
}

static void wire_moves(ref_async_sim *s, link *l)
{
    byte *end = &l->wire[s->now % l->line.delay];

    if (end->any)
        byte_arrives(s, l, *end);
    end->any = false;
}

static void put_on_wire(ref_async_sim *s, link *l, int number)
{
    l->wire[s->now % l->line.delay] = (byte){.to = l->to, .number = number, .any = true};
}

/* Cycles in which a link sends so many bytes, which are spread evenly over these cycles. */
static int cycles_for(const link *l, int bytes)
{
    return (bytes * l->line.cycles + l->line.bytes - 1) / l->line.bytes;
}

/* Another cycle of a transmission: does it end with the next byte, `sent` having been sent? */
static bool another_byte(link *l, int sent)
{
    l->gone++;
    must(l->gone <= l->lasts);
    return (long)l->gone * l->size / l->lasts > sent;
}

/* Cycles until the first byte of the transmission comes out of the wire. */
static int header_delay(const link *l)
{
    int first = 1;

    while ((long)first * l->size / l->lasts < 1)
        first++;
    return first - 1 + l->line.delay;
}

static void packet_has_left(ref_async_sim *s, link *l)
{
    l->busy = false;
    l->rest = cycles_for(l, l->size + s->n->link_rest) - cycles_for(l, l->size);
    l->to = NULL;
}

static void give_up(stay *y)
{
    for (int i = 0; i < y->blocks_count; i++)
        y->blocks[i]->given_up = true;
}

/* Sends the next byte of the packet that a read port is sending. */
static void read_on(ref_async_sim *s, int sw, stay **read)
{
    stay *y = *read;

    if (!y)
        return;
    link *l = &s->out[sw * s->w->ports + y->output];
    const bool sends = another_byte(l, y->sent);
    if (s->n->release == REF_RELEASE_START ||
        (s->n->release == REF_RELEASE_HOP && l->gone >= header_delay(l)))
        give_up(y);
    if (!sends)
        return;
    ref_block *k = y->blocks[y->sent / s->n->block];
    must(y->came > y->sent && k->of == y && k->here > 0);
    put_on_wire(s, l, y->sent);
    s->o->links_bytes++;
    k->here--;
    if (k->here == 0 && k->to_come == 0 && s->n->release == REF_RELEASE_BLOCKS)
        k->of = NULL;
    y->sent++;
    if (y->sent == y->p.bytes) {
        for (int i = 0; i < y->blocks_count; i++) {
            if (y->blocks[i]->of == y)
                y->blocks[i]->of = NULL;
        }
        packet_has_left(s, l);
        *read = NULL;
        free(y->blocks);
        free(y);
    }
}

static void send_on(ref_async_sim *s, sender *from)
{
    if (!from->out.busy || !another_byte(&from->out, from->sent))
        return;
    put_on_wire(s, &from->out, from->sent);
    if (++from->sent == from->sending.bytes)
        packet_has_left(s, &from->out);
}

/* ---- who sends ---- */

static bool usable(const link *l)
{
    return !l->busy && l->rest == 0;
}

static bool header_here(const stay *y)
{
    return y && y->came > 0;
}

static int read_port_of(const ref_async_sim *s, int queue)
{
    return s->n->read_each ? queue : 0;
}

/* Will the last byte of a packet have come when its last cycle on the next link comes? */
static bool keeps_up(const ref_async_sim *s, int sw, const stay *y)
{
    return s->now + cycles_for(&s->out[sw * s->w->ports + y->output], y->p.bytes) - 1 >= y->tail;
}

/* The read port of the queue is idle, and its head's header has come, and the packet is not
 * slower than the next link. */
static bool ready(const ref_async_sim *s, int sw, int input, int queue)
{
    const buffer *b = &s->in[sw * s->w->ports + input];
    return !b->read[read_port_of(s, queue)] && header_here(b->head[queue]) &&
           keeps_up(s, sw, b->head[queue]);
}

/* ... and it can be sent, given everything decided in this cycle. */
static bool sendable(const ref_async_sim *s, int sw, int input, int queue)
{
    int read = read_port_of(s, queue);

    if (!ready(s, sw, input, queue) || s->used[input * s->reads + read])
        return false;
    const stay *y = s->in[sw * s->w->ports + input].head[queue];
    const link *l = &s->out[sw * s->w->ports + y->output];
    return !s->taken[y->output] && usable(l) && open_to(s, l->leads, &y->p);
}

static int length_of(const ref_async_sim *s, int sw, int input, int queue)
{
    return blocks_of_queue(s, &s->in[sw * s->w->ports + input], queue, true);
}

static int output_wanted(const ref_async_sim *s, int sw, int input, int queue)
{
    return s->in[sw * s->w->ports + input].head[queue]->output;
}

static void decide(ref_async_sim *s, int sw, int input, int queue)
{
    int output = output_wanted(s, sw, input, queue);

    s->decided[s->decisions++] = (ref_decision){sw, input, output, queue};
    s->taken[output] = true;
    s->used[input * s->reads + read_port_of(s, queue)] = true;
}

/* The queue of an input that goes first by the rotating arbiter's rule, or NONE. */
static int longest_queue(const ref_async_sim *s, int sw, int input)
{
    int best = NONE, longest = 0;
    long since = 0;

    for (int q = 0; q < s->queues; q++) {
        if (!sendable(s, sw, input, q))
            continue;
        int length = length_of(s, sw, input, q);
        long here = s->in[sw * s->w->ports + input].head[q]->here;
        if (best == NONE || length > longest || (length == longest && here < since)) {
            best = q;
            longest = length;
            since = here;
        }
    }
    return best;
}

static void rotating(ref_async_sim *s, int sw)
{
    int first = s->pointer[sw], before = s->decisions, q;
    bool ready_there = false, sent_there = false;

    for (int k = 0; k < s->w->ports; k++) {
        int input = (first + k) % s->w->ports;
        while ((q = longest_queue(s, sw, input)) != NONE) {
            decide(s, sw, input, q);
            sent_there = sent_there || input == first;
            if (!s->n->read_each)
                break;
        }
    }
    for (q = 0; q < s->queues; q++)
        ready_there = ready_there || ready(s, sw, first, q);
    if (s->decisions > before && (s->n->advancing || sent_there || !ready_there))
        s->pointer[sw] = (first + 1) % s->w->ports;
}

/* Of an input's queues for an output, the longest that can be sent, the lower class first. */
static int longest_for(const ref_async_sim *s, int sw, int input, int output)
{
    int best = NONE;

    for (int q = 0; q < s->queues; q++) {
        if (sendable(s, sw, input, q) && output_wanted(s, sw, input, q) == output &&
            (best == NONE || length_of(s, sw, input, q) > length_of(s, sw, input, best)))
            best = q;
    }
    return best;
}

static void fixed(ref_async_sim *s, int sw)
{
    int ports = s->w->ports;

    for (int input = 0; input < ports; input++) { /* one packet of each input */
        int q = NONE;
        for (int output = 0; output < ports && q == NONE; output++)
            q = longest_for(s, sw, input, output);
        if (q != NONE)
            decide(s, sw, input, q);
    }
    for (int output = 0; output < ports && s->n->read_each; output++) { /* outputs left idle */
        for (int input = 0; input < ports; input++) {
            int q = longest_for(s, sw, input, output);
            if (q != NONE)
                decide(s, sw, input, q);
        }
    }
}

static ref_async_packet next_packet(const ref_async_sim *s, const sender_message *m)
{
    int bytes = m->left < s->n->max_packet ? m->left : s->n->max_packet;
    return (ref_async_packet){m->from, m->to, bytes, m->birth};
}

/* The queues of a sender's interface, in turns. */
static void interface_decides(ref_async_sim *s, int node)
{
    const int queues = s->n->destinations;
    sender *from = &s->from[node];

    for (int k = 0; k < queues && usable(&from->out); k++) {
        int q = (from->turn + k) % queues;
        if (!from->queue[q])
            continue;
        ref_async_packet p = next_packet(s, from->queue[q]);
        if (open_to(s, from->out.leads, &p)) {
            s->decided[s->decisions++] = (ref_decision){NONE, node, 0, q};
            return;
        }
    }
}

static void sender_decides(ref_async_sim *s, int node)
{
    sender *from = &s->from[node];

    if (s->n->interface) {
        interface_decides(s, node);
        return;
    }
    if (!from->head || !from->head->made || !usable(&from->out))
        return;
    ref_async_packet p = next_packet(s, from->head);
    if (open_to(s, from->out.leads, &p))
        s->decided[s->decisions++] = (ref_decision){NONE, node, 0, 0};
}

/* ---- decisions take effect ---- */

static void record(ref_async_sim *s, ref_start start)
{
    ref_outcome *o = s->o;

    if (o->starts == s->start_room) {
        s->start_room = 2 * s->start_room + 256;
        o->start = realloc(o->start, (size_t)s->start_room * sizeof *o->start);
        must(o->start != NULL);
    }
    o->start[o->starts++] = start;
}

static void begin(ref_async_sim *s, link *l, const ref_async_packet *p)
{
    must(usable(l));
    l->busy = true;
    l->size = p->bytes;
    l->lasts = cycles_for(l, p->bytes);
    l->gone = 0;
    l->to = NULL;
    if (l->leads & REF_NODE) {
        long latency = s->now - p->birth;
        s->o->delivered++;
        s->o->bytes_delivered += p->bytes;
        s->o->latency_sum += latency;
        if (latency > s->o->latency_max)
            s->o->latency_max = latency;
        s->o->tail_sum += latency + l->lasts + l->line.delay - s->n->hop_delay;
    } else {
        l->to = let_in(s, l->leads, p);
        l->to->tail = s->now + l->lasts - 1 + l->line.delay;
    }
}

static void switch_begins(ref_async_sim *s, ref_decision d)
{
    unsigned port = (unsigned)(d.sw * s->w->ports + d.input);
    buffer *b = &s->in[port];
    stay *y = b->head[d.queue];

    record(s, (ref_start){s->now, y->p.birth, d.sw, d.input, d.output,
                          s->w->class_of(s->w->self, port, y->p.from, y->p.to), y->p.from, y->p.to,
                          y->p.bytes});
    b->head[d.queue] = y->behind;
    y->waits = false;
    must(!b->read[read_port_of(s, d.queue)]);
    b->read[read_port_of(s, d.queue)] = y;
    begin(s, &s->out[d.sw * s->w->ports + d.output], &y->p);
}

static void sender_begins(ref_async_sim *s, ref_decision d)
{
    sender *from = &s->from[d.input];
    sender_message **first = s->n->interface ? &from->queue[d.queue] : &from->head, *m = *first;

    from->sending = next_packet(s, m);
    from->sent = 0;
    record(s, (ref_start){s->now, m->birth, REF_SENDER, 0, 0,
                          s->w->class_of(s->w->self, from->out.leads, m->from, m->to), m->from,
                          m->to, from->sending.bytes});
    begin(s, &from->out, &from->sending);
    m->left -= from->sending.bytes;
    m->made = false;
    if (m->left == 0) {
        *first = m->behind;
        free(m);
    }
    if (s->n->interface) {
        from->inside--;
        from->turn = (d.queue + 1) % s->n->destinations;
    }
}

static int by_output(const void *a, const void *b)
{
    const ref_decision *x = a, *y = b;

    if (x->sw != y->sw)
        return x->sw < y->sw ? -1 : 1;
    int left = x->sw == NONE ? x->input : x->output, right = x->sw == NONE ? y->input : y->output;
    return left < right ? -1 : left > right;
}

/* ---- senders' messages ---- */

static void make_packet(ref_async_sim *s, sender_message *m)
{
    m->made = true;
    m->birth = s->now;
    s->o->created++;
    s->o->bytes_created += next_packet(s, m).bytes;
}

static void append(sender_message **last, sender_message *m)
{
    while (*last)
        last = &(*last)->behind;
    *last = m;
}

/* The first packet that waits before an interface enters it, or is lost. A packet that is being
 * sent takes a place as well. */
static void offer(ref_async_sim *s, sender *from)
{
    sender_message *m = from->head;
    const bool room = from->inside + from->out.busy < s->n->interface;

    if (!m || (!room && !s->n->loses))
        return;
    from->head = m->behind;
    m->behind = NULL;
    s->offered = true;
    if (room) {
        append(&from->queue[m->to % s->n->destinations], m);
        from->inside++;
    } else {
        s->o->lost++;
        s->o->bytes_lost += m->left;
        free(m);
    }
}

static void create(ref_async_sim *s)
{
    s->offered = false;
    for (; s->seen < s->n->messages && s->n->message[s->seen].cycle == s->now; s->seen++) {
        const ref_message *given = &s->n->message[s->seen];
        sender_message *m = get(1, sizeof *m);
        *m = (sender_message){.from = given->from, .to = given->to, .left = given->bytes};
        make_packet(s, m);
        append(&s->from[given->from].head, m);
    }
    for (int i = 0; i < s->w->nodes && s->n->interface; i++)
        offer(s, &s->from[i]);
    for (int i = 0; i < s->w->nodes && !s->n->interface; i++) {
        /* the next packets of messages that are under way */
        sender_message *m = s->from[i].head;
        if (m && !m->made && usable(&s->from[i].out))
            make_packet(s, m);
    }
}

/* ---- a cycle ---- */

/* The direction in which a queue's counter changes: 1, -1 or 0. */
static int direction(const ref_async_sim *s, const buffer *b, int queue)
{
    int length = blocks_of_queue(s, b, queue, false);

    if (length > s->n->above)
        return b->count[queue] < s->n->most_count;
    return length < s->n->below && b->count[queue] > 0 ? -1 : 0;
}

static void count(ref_async_sim *s)
{
    for (int i = 0; i < s->inputs && s->now % s->n->every == 0; i++) {
        for (int q = 0; q < s->queues; q++)
            s->in[i].count[q] += direction(s, &s->in[i], q);
    }
}

static void tell(ref_async_sim *s)
{
    if (s->n->flow == REF_TWO_COUNTER) {
        count(s);
        return;
    }
    for (int i = 0; i < s->inputs && s->n->flow != REF_BLOCKING; i++) {
        memset(s->held, 0, (size_t)s->queues * sizeof *s->held);
        for (int k = 0; k < s->stored; k++) {
            const ref_block *b = &s->in[i].memory[k];
            if (b->of && !b->given_up)
                s->held[b->of->queue]++;
        }
        ref_told_cycle(s->in[i].told, s->held);
    }
}

static void cycle(ref_async_sim *s)
{
    tell(s);
    for (int i = 0; i < s->w->nodes; i++)
        wire_moves(s, &s->from[i].out);
    for (int i = 0; i < s->inputs; i++)
        wire_moves(s, &s->out[i]);
    create(s);

    s->decisions = 0;
    for (int i = 0; i < s->w->nodes; i++)
        sender_decides(s, i);
    for (int sw = 0; sw < s->w->switches; sw++) {
        memset(s->taken, 0, (size_t)s->w->ports * sizeof *s->taken);
        memset(s->used, 0, (size_t)(s->w->ports * s->reads) * sizeof *s->used);
        if (s->n->fixed)
            fixed(s, sw);
        else
            rotating(s, sw);
    }
    qsort(s->decided, (size_t)s->decisions, sizeof *s->decided, by_output);

    /* links that were idle have rested for another cycle */
    for (int i = 0; i < s->w->nodes; i++)
        s->from[i].out.rest -= s->from[i].out.rest > 0;
    for (int i = 0; i < s->inputs; i++)
        s->out[i].rest -= s->out[i].rest > 0;

    for (int i = 0; i < s->decisions; i++) {
        if (s->decided[i].sw == NONE)
            sender_begins(s, s->decided[i]);
        else
            switch_begins(s, s->decided[i]);
    }
    for (int i = 0; i < s->w->nodes; i++)
        send_on(s, &s->from[i]);
    for (int i = 0; i < s->inputs; i++) {
        for (int r = 0; r < s->reads; r++)
            read_on(s, i / s->w->ports, &s->in[i].read[r]);
    }
}

/* Nothing was decided, and nothing is on its way, resting or still to be created: if this holds
 * after two cycles, all later ones will be like the second. */
static bool link_still(const link *l)
{
    for (int i = 0; i < l->line.delay; i++) {
        if (l->wire[i].any)
            return false;
    }
    return usable(l);
}

static bool still(const ref_async_sim *s)
{
    if (s->decisions > 0 || s->offered || s->seen < s->n->messages)
        return false;
    for (int i = 0; i < s->w->nodes; i++) {
        if (!link_still(&s->from[i].out))
            return false;
    }
    for (int i = 0; i < s->inputs; i++) {
        if (!link_still(&s->out[i]) || (s->in[i].told && !ref_told_still(s->in[i].told)))
            return false;
        for (int q = 0; q < s->queues && s->n->flow == REF_TWO_COUNTER; q++) {
            if (direction(s, &s->in[i], q))
                return false;
        }
    }
    return true;
}

static bool anything_waits(const ref_async_sim *s)
{
    for (int i = 0; i < s->w->nodes; i++) {
        if (s->from[i].head || s->from[i].inside > 0)
            return true;
    }
    for (int i = 0; i < s->inputs * s->stored; i++) {
        if (s->in[i / s->stored].memory[i % s->stored].of)
            return true;
    }
    return false;
}

/* ---- beginning and end ---- */

static ref_line line_of(const ref_async_sim *s, unsigned port)
{
    return s->n->line ? s->n->line[port] : (ref_line){s->n->hop_delay, 1, 1};
}

static link new_link(const ref_async_sim *s, unsigned leads, unsigned port)
{
    const ref_line line = line_of(s, port);

    return (link){.leads = leads, .line = line, .wire = get((size_t)line.delay, sizeof(byte))};
}

/* The delay of the link to an input. */
static int delay_to(const ref_async_sim *s, unsigned port)
{
    for (unsigned i = 0; i < (unsigned)s->inputs; i++) {
        if (s->w->link[i] == port)
            return line_of(s, i).delay;
    }
    return line_of(s, port).delay; /* from a node */
}

static void set_up(ref_async_sim *s)
{
    const ref_async *n = s->n;

    s->blocks = n->bytes / n->block;
    s->most_blocks = (n->max_packet + n->block - 1) / n->block;
    s->queues = n->destinations ? n->destinations : n->one_queue ? 1 : s->w->classes;
    s->reads = n->read_each ? s->queues : 1;
    s->stored = s->blocks + s->reads * s->most_blocks;
    s->inputs = s->w->switches * s->w->ports;
    s->in = get((size_t)s->inputs, sizeof *s->in);
    s->out = get((size_t)s->inputs, sizeof *s->out);
    s->from = get((size_t)s->w->nodes, sizeof *s->from);
    s->pointer = get((size_t)s->w->switches, sizeof *s->pointer);
    s->decided = get((size_t)(s->w->nodes + s->inputs), sizeof *s->decided);
    s->taken = get((size_t)s->w->ports, sizeof *s->taken);
    s->used = get((size_t)(s->w->ports * s->reads), sizeof *s->used);
    s->held = get((size_t)s->queues, sizeof *s->held);
    ref_telling telling = ref_telling_of(n, s->queues, s->most_blocks);
    for (int i = 0; i < s->inputs; i++) {
        telling.delay = n->told_after + delay_to(s, (unsigned)i) - n->hop_delay;
        if (n->flow == REF_TWO_COUNTER)
            s->in[i].count = get((size_t)s->queues, sizeof *s->in[i].count);
        else if (n->flow != REF_BLOCKING)
            s->in[i].told = ref_told_new(&telling);
        s->in[i].memory = get((size_t)s->stored, sizeof(ref_block));
        s->in[i].head = get((size_t)s->queues, sizeof(stay *));
        s->in[i].read = get((size_t)s->reads, sizeof(stay *));
        s->out[i] = new_link(s, s->w->link[i], (unsigned)i);
    }
    for (int i = 0; i < s->w->nodes; i++) {
        s->from[i].out = new_link(s, s->w->entry[i], s->w->entry[i]);
        if (n->interface)
            s->from[i].queue = get((size_t)n->destinations, sizeof *s->from[i].queue);
    }
}

static void note(ref_async_sim *s, int port, const stay *y, int place)
{
    ref_outcome *o = s->o;
    const ref_async_packet *p = &y->p;

    o->left = realloc(o->left, (size_t)(o->lefts + 1) * sizeof *o->left);
    must(o->left != NULL);
    int blocks = 0;
    for (int i = 0; i < s->stored; i++)
        blocks += s->in[port].memory[i].of == y && !s->in[port].memory[i].given_up;
    o->left[o->lefts++] = (ref_left){
        (unsigned)port, y->queue, s->w->class_of(s->w->self, (unsigned)port, p->from, p->to),
        place,          blocks,   p->from,
        p->to,          p->bytes, p->birth};
}

static void free_stay(stay *y)
{
    free(y->blocks);
    free(y);
}

static void free_messages(sender_message *m)
{
    while (m) {
        sender_message *next = m->behind;
        free(m);
        m = next;
    }
}

static void take_down(ref_async_sim *s)
{
    for (int i = 0; i < s->inputs; i++) {
        buffer *b = &s->in[i];
        for (int r = 0; r < s->reads; r++) {
            if (b->read[r]) {
                note(s, i, b->read[r], -1);
                free_stay(b->read[r]);
            }
        }
        for (int q = 0; q < s->queues; q++) {
            int place = 0;
            for (stay *y = b->head[q], *next; y; y = next) {
                next = y->behind;
                note(s, i, y, place++);
                free_stay(y);
            }
        }
        ref_told_free(b->told);
        free(b->count);
        free(b->memory);
        free(b->head);
        free(b->read);
        free(s->out[i].wire);
    }
    for (int i = 0; i < s->w->nodes; i++) {
        free_messages(s->from[i].head);
        for (int q = 0; s->from[i].queue && q < s->n->destinations; q++)
            free_messages(s->from[i].queue[q]);
        free(s->from[i].queue);
        free(s->from[i].out.wire);
    }
    free(s->in);
    free(s->out);
    free(s->from);
    free(s->pointer);
    free(s->decided);
    free(s->taken);
    free(s->used);
    free(s->held);
}

void ref_async_run(const ref_async *network, ref_outcome *outcome)
{
    ref_async_sim s = {.n = network, .w = &network->wiring, .o = outcome};

    *outcome = (ref_outcome){0};
    set_up(&s);
    bool was_still = false;
    while (network->cycles < 0 || s.now < network->cycles) {
        cycle(&s);
        s.now++;
        bool is_still = still(&s);
        if (was_still && is_still) {
            outcome->deadlock = anything_waits(&s);
            break;
        }
        was_still = is_still;
    }
    outcome->cycles = s.now;
    take_down(&s);
}

void ref_outcome_clear(ref_outcome *outcome)
{
    free(outcome->start);
    free(outcome->left);
    *outcome = (ref_outcome){0};
}
