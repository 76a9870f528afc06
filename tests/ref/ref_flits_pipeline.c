/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switch of section 3 of the report, register by register as in Fig. 3 and 5, and crosspoint
 * queues, which are what is left of it without the input buffer. Which sentence says what:
 *
 *   pipe 1   IR R4 OB                   "If queue_x as well as FIFO_x are empty, the crossbar is
 *                                       set up to transfer the packet flits to R4_x": 2 cycles
 *   pipe 2   IR R3' R4 OB               "If FIFO_x is not empty (but queue_x is), the crossbar
 *                                       output is written into FIFO_x": 3 cycles
 *   pipe 2'  IR R3" RAM R4 OB           "if the FIFO is implemented as a RAM": 4 cycles
 *   pipe 3   IR R1 buffer R2 R3' R4 OB  "If FIFO_x is full or if queue_x is not empty when the
 *                                       first flit of the packet arrives, the packet flit is
 *                                       transferred from IR to R1": 6 cycles
 *   pipe 3'  ... R3" RAM ...            7 cycles
 */
#include "ref_flits_part.h"

#include <stdlib.h>

enum { PENDING = 8 };

typedef struct ref_chunk {
    ref_flit *bank; /* [n->chunk] */
    int filled, read;
    int open; /* the packet that was written last has not been written whole */
    int next; /* NC: of the queue, or of the free list; -1: none */
} ref_chunk;

typedef struct ref_pair {
    ref_flit r2, r3, r4; /* r3: R3", in front of a RAM */
    ref_flit *fifo;      /* [fifo_size] */
    int fifo_first, fifo_flits;
    int head, tail;  /* chunks; -1: none */
    int freed[16];   /* crosspoint: flits, by the cycle since which they are free */
    int used, flits; /* chunks of the queue, and flits in them */
    int queue_is_empty, fifo_is_empty, fifo_is_full, may_read; /* at the beginning of the cycle */
} ref_pair;

/* A packet that has been sent to an input and has not arrived completely. */
typedef struct ref_pending {
    int packet, x;
    int left;    /* flits that have neither been written to the buffer nor bypassed it */
    int written; /* at least one is in the buffer */
} ref_pending;

typedef struct ref_module {
    ref_flit r1;
    ref_chunk *chunk; /* [chunks] */
    int free_list, free;
    int freed[16]; /* chunks, by the cycle since which they are free */
    ref_pending coming[PENDING];
    int comings;
    ref_pair pair[REF_FLIT_PORTS];
} ref_module;

typedef struct ref_pipeline {
    ref_module input[REF_FLIT_PORTS];
    int held[REF_FLIT_PORTS];  /* by output: the input whose packet goes through its MUX, or -1 */
    int after[REF_FLIT_PORTS]; /* ... the input whose turn it is */
    int chunks, fifo_size;
} ref_pipeline;

static void set_up(ref_net *t, void *self)
{
    ref_pipeline *s = self;
    const int crosspoint = t->n->kind == REF_CROSSPOINT;

    s->chunks = crosspoint ? 0 : t->n->buffer / t->n->chunk;
    s->fifo_size = crosspoint       ? t->n->buffer / t->ports
                   : t->n->fifo > 0 ? t->n->fifo
                                    : 2 * t->n->chunk;
    for (int i = 0; i < t->ports; i++) {
        ref_module *in = &s->input[i];

        in->r1 = REF_NO_FLIT;
        in->chunk = calloc((size_t)s->chunks + 1, sizeof *in->chunk);
        for (int c = 0; c < s->chunks; c++) {
            in->chunk[c].bank = calloc((size_t)t->n->chunk, sizeof *in->chunk[c].bank);
            in->chunk[c].next = c + 1 < s->chunks ? c + 1 : -1;
        }
        in->free = s->chunks;
        in->free_list = s->chunks > 0 ? 0 : -1;
        s->held[i] = -1;
        for (int x = 0; x < t->ports; x++) {
            ref_pair *p = &in->pair[x];

            p->r2 = p->r3 = p->r4 = REF_NO_FLIT;
            p->fifo = calloc((size_t)s->fifo_size, sizeof *p->fifo);
            p->head = p->tail = -1;
        }
    }
}

static void clear(ref_net *t, void *self)
{
    ref_pipeline *s = self;

    for (int i = 0; i < t->ports; i++) {
        for (int c = 0; c < s->chunks; c++)
            free(s->input[i].chunk[c].bank);
        free(s->input[i].chunk);
        for (int x = 0; x < t->ports; x++)
            free(s->input[i].pair[x].fifo);
    }
}

/* ---- the buffer ---- */

static int chunks_for(const ref_net *t, int flits)
{
    return flits <= 0 ? 0 : (flits + t->n->chunk - 1) / t->n->chunk;
}

/* Chunks that packets already sent to the input may yet take; of queue x, or of all (-1). The rest
 * of a packet goes on in the banks that are left of its last chunk. */
static int promised(const ref_net *t, const ref_module *in, int x)
{
    int sum = 0;

    for (int k = 0; k < in->comings; k++) {
        const ref_pending *c = &in->coming[k];
        int left = c->left;

        if (x >= 0 && c->x != x)
            continue;
        if (c->written && in->pair[c->x].tail >= 0)
            left -= t->n->chunk - in->chunk[in->pair[c->x].tail].filled;
        sum += chunks_for(t, left);
    }
    return sum;
}

/* Space that has become free too recently for the sender to know. */
static int untold(const ref_net *t, const int *freed)
{
    int sum = 0;

    for (int ago = 0; ago < t->n->credit; ago++)
        sum += freed[(t->now - ago + 16) % 16];
    return sum;
}

static int crosspoint_room(const ref_net *t, const ref_pipeline *s, const ref_module *in,
                           int packet, int x)
{
    const ref_pair *p = &in->pair[x];
    int taken = p->fifo_flits + (p->r3.packet >= 0) + (p->r4.packet >= 0);

    for (int k = 0; k < in->comings; k++)
        if (in->coming[k].x == x)
            taken += in->coming[k].left;
    return s->fifo_size - taken - untold(t, p->freed) >= ref_net_flits(t, packet);
}

static int room(ref_net *t, int number, int packet, int x)
{
    const ref_pipeline *s = ref_net_switch(t, number / t->ports);
    const ref_module *in = &s->input[number % t->ports];

    if (t->n->kind == REF_CROSSPOINT)
        return crosspoint_room(t, s, in, packet, x);
    int free_for_x = in->free - promised(t, in, -1) - untold(t, in->freed);
    for (int y = 0; y < t->ports && t->n->queue_min > 0; y++) {
        const int kept = t->n->queue_min - in->pair[y].used - promised(t, in, y);

        if (y != x && kept > 0)
            free_for_x -= kept;
    }
    return free_for_x >= chunks_for(t, ref_net_flits(t, packet));
}

static void promise(ref_net *t, int number, int packet, int x)
{
    ref_pipeline *s = ref_net_switch(t, number / t->ports);
    ref_module *in = &s->input[number % t->ports];

    ref_net_expect(t, in->comings < PENDING);
    in->coming[in->comings++] = (ref_pending){packet, x, ref_net_flits(t, packet), 0};
}

/* A flit of it is in the buffer, or has bypassed it. */
static void fulfil(ref_net *t, ref_module *in, ref_flit f, int written)
{
    int k = 0;

    while (k < in->comings && in->coming[k].packet != f.packet)
        k++;
    ref_net_expect(t, k < in->comings);
    in->coming[k].x = ref_net_hop(t, f)->output;
    in->coming[k].written |= written;
    if (--in->coming[k].left > 0)
        return;
    for (in->comings--; k < in->comings; k++)
        in->coming[k] = in->coming[k + 1];
}

static void free_head(ref_net *t, ref_module *in, ref_pair *p)
{
    const int c = p->head;

    p->head = in->chunk[c].next;
    if (p->head < 0)
        p->tail = -1;
    in->chunk[c].next = in->free_list;
    in->free_list = c;
    in->free++;
    in->freed[(t->now + 1) % 16]++;
    p->used--;
}

/* Reads a flit into R2. A chunk is free when its last flit has been read and no more of a packet
 * will be written into it. */
static void read_buffer(ref_net *t, ref_module *in, ref_pair *p)
{
    ref_chunk *c = &in->chunk[p->head];

    p->r2 = c->bank[c->read++];
    p->flits--;
    if (c->read == c->filled && (c->filled == t->n->chunk || !c->open))
        free_head(t, in, p);
}

/* "New packets may be written into a PFC", of the same output: the last chunk of the queue. */
static void write_buffer(ref_net *t, ref_module *in, ref_flit f)
{
    ref_pair *p = &in->pair[ref_net_hop(t, f)->output];
    ref_chunk *c = p->tail < 0 ? NULL : &in->chunk[p->tail];

    if (!c || c->filled == t->n->chunk || (t->n->apart && !c->open)) {
        const int taken = in->free_list;

        ref_net_expect(t, taken >= 0);
        if (c)
            c->next = taken;
        else
            p->head = taken;
        c = &in->chunk[taken];
        in->free_list = c->next;
        in->free--;
        c->filled = c->read = 0;
        c->next = -1;
        p->tail = taken;
        p->used++;
    }
    c->bank[c->filled++] = f;
    c->open = f.index < ref_net_flits(t, f.packet) - 1;
    p->flits++;
    fulfil(t, in, f, 1);
}

/* ---- the cycle ---- */

/* Every output takes, in turn, an input that has a header in the output's R4, if there is room for
 * the whole packet where it goes. */
static void decide(ref_net *t, int place)
{
    ref_pipeline *s = ref_net_switch(t, place);

    for (int x = 0; x < t->ports; x++)
        for (int k = 0; k < t->ports && s->held[x] < 0; k++) {
            const int i = (s->after[x] + k) % t->ports, output = place * t->ports + x;
            const ref_flit f = s->input[i].pair[x].r4;

            if (f.packet < 0 || f.index > 0 || !ref_net_may_begin(t, output, f.packet))
                continue;
            ref_net_begin(t, output, f.packet, f.hop);
            s->held[x] = i;
            s->after[x] = (i + 1) % t->ports;
            break;
        }
}

/* The signals of Fig. 3 at the beginning of the cycle. */
static void look(const ref_net *t, const ref_pipeline *s, ref_module *in)
{
    for (int x = 0; x < t->ports; x++) {
        ref_pair *p = &in->pair[x];
        const int flits = p->fifo_flits + (p->r3.packet >= 0);
        const int size = s->fifo_size + (t->n->ram ? 1 : 0);

        p->fifo_is_empty = flits == 0;
        p->fifo_is_full = flits == size;
        p->queue_is_empty = p->flits == 0 && p->r2.packet < 0;
        p->may_read = p->flits > 0 && flits + (p->r2.packet >= 0) < size;
    }
}

static void push(ref_net *t, const ref_pipeline *s, ref_pair *p, ref_flit f)
{
    ref_net_expect(t, p->fifo_flits < s->fifo_size);
    p->fifo[(p->fifo_first + p->fifo_flits++) % s->fifo_size] = f;
}

/* Out of the crossbar: into R3', or R3" where the FIFO is a RAM. */
static void enter_fifo(ref_net *t, const ref_pipeline *s, ref_pair *p, ref_flit f)
{
    if (!t->n->ram) {
        push(t, s, p, f);
        return;
    }
    ref_net_expect(t, p->r3.packet < 0);
    p->r3 = f;
}

/* From R4 to the output buffer, from the FIFO to R4, from R3" to the RAM, from R2 to the FIFO. */
static void move_pair(ref_net *t, int place, ref_pipeline *s, int i, int x)
{
    ref_pair *p = &s->input[i].pair[x];

    p->freed[(t->now + 1) % 16] = 0;
    if (s->held[x] == i && p->r4.packet >= 0) {
        ref_net_send(t, place * t->ports + x, p->r4);
        if (p->r4.index == ref_net_flits(t, p->r4.packet) - 1)
            s->held[x] = -1;
        p->r4 = REF_NO_FLIT;
        p->freed[(t->now + 1) % 16]++;
    }
    if (p->r4.packet < 0 && p->fifo_flits > 0) {
        p->r4 = p->fifo[p->fifo_first];
        p->fifo_first = (p->fifo_first + 1) % s->fifo_size;
        p->fifo_flits--;
    }
    if (p->r3.packet >= 0 && p->fifo_flits < s->fifo_size) {
        push(t, s, p, p->r3);
        p->r3 = REF_NO_FLIT;
    }
    if (p->r2.packet >= 0) {
        enter_fifo(t, s, p, p->r2);
        p->r2 = REF_NO_FLIT;
    }
}

static void read_queues(ref_net *t, ref_module *in)
{
    unsigned long long busy = 0; /* banks, up to 64 */

    for (int k = 0; k < t->ports; k++) {
        ref_pair *p = &in->pair[(int)((t->now + 1 + k) % t->ports)];

        if (!p->may_read)
            continue;
        const unsigned long long bank = 1ull << (in->chunk[p->head].read & 63);
        if (t->n->banks && (busy & bank))
            continue;
        busy |= bank;
        read_buffer(t, in, p);
    }
}

/* Where the flit in the input register goes. */
static void move_input_register(ref_net *t, ref_pipeline *s, ref_module *in, ref_flit f)
{
    ref_flit_hop *h = ref_net_hop(t, f);
    ref_pair *p = &in->pair[h->output];
    int path = 3;

    if (!p->queue_is_empty || p->fifo_is_full) {
        in->r1 = f;
    } else if (p->fifo_is_empty && p->r4.packet < 0) {
        p->r4 = f;
        path = 1;
    } else {
        enter_fifo(t, s, p, f);
        path = 2;
    }
    if (path < 3) {
        /* no flit bypasses a chunk that its packet has begun, even if there are gaps between
         * them */
        ref_net_expect(t, p->tail < 0 || !in->chunk[p->tail].open);
        fulfil(t, in, f, 0);
    }
    if (f.index == 0)
        h->path = path;
}

static void move(ref_net *t, int place)
{
    ref_pipeline *s = ref_net_switch(t, place);

    for (int i = 0; i < t->ports; i++) {
        ref_module *in = &s->input[i];
        const ref_flit f = t->ir[place * t->ports + i];

        in->freed[(t->now + 1) % 16] = 0;
        look(t, s, in);
        if (in->r1.packet >= 0)
            in->pair[ref_net_hop(t, in->r1)->output].queue_is_empty = 0;
        for (int x = 0; x < t->ports; x++)
            move_pair(t, place, s, i, x);
        read_queues(t, in);
        if (in->r1.packet >= 0)
            write_buffer(t, in, in->r1);
        in->r1 = REF_NO_FLIT;
        if (f.packet >= 0)
            move_input_register(t, s, in, f);
    }
}

/* No chunk is lost; in each queue, only the last is partly filled. */
static void sample(ref_net *t, int place, ref_flit_sample *sum)
{
    ref_pipeline *s = ref_net_switch(t, place);

    for (int i = 0; i < t->ports; i++) {
        const ref_module *in = &s->input[i];
        int used = 0, partial = 0;

        for (int x = 0; x < t->ports; x++) {
            const ref_pair *p = &in->pair[x];
            int flits = 0;

            for (int c = p->head; c >= 0; c = in->chunk[c].next) {
                const int short_of = in->chunk[c].filled < t->n->chunk;

                used++;
                flits += in->chunk[c].filled - in->chunk[c].read;
                partial += short_of && !in->chunk[c].open;
                ref_net_expect(t, t->n->apart || !short_of || c == p->tail);
            }
            ref_net_expect(t, flits == p->flits);
            sum->flits += flits;
        }
        ref_net_expect(t, used + in->free == s->chunks);
        ref_net_expect(t, s->chunks == 0 || in->free >= promised(t, in, -1));
        sum->chunks += used;
        if (partial > t->o->most_partial)
            t->o->most_partial = partial;
    }
}

const ref_machine ref_machine_pipeline = {
    0, sizeof(ref_pipeline), set_up, clear, room, promise, decide, move, sample};
