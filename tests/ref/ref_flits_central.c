/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shared central queue of the SP2 (sections 2.2 and 5.1 of the report): small input FIFOs, a
 * pool of chunks that is written in one of them and read in one of them a cycle, and a way past it
 * for a packet whose output has nothing to send. Links have a credit for each flit of the FIFO at
 * their end, so that a packet may stop inside.
 */
#include "ref_flits_part.h"

#include <stdlib.h>

enum { HEADER, PAST, STORED }; /* what the packet at the head of an input FIFO does */

typedef struct ref_small_fifo {
    ref_flit *fifo; /* [size] */
    int first, flits, coming;
    int state;
    int freed[16]; /* flits, by the cycle since which they are free */
} ref_small_fifo;

/* A packet in the pool. */
typedef struct ref_stored {
    int packet, hop;
    int written, read; /* flits */
} ref_stored;

typedef struct ref_wide_output {
    ref_stored *queue; /* [most] */
    int first, packets;
    ref_flit *reg; /* [2 * chunk] */
    int reg_first, reg_flits;
    int past; /* the input whose packet bypasses the pool, or -1 */
    int after;
    int goes; /* a flit goes in this cycle */
} ref_wide_output;

typedef struct ref_central {
    ref_small_fifo input[REF_FLIT_PORTS];
    ref_wide_output output[REF_FLIT_PORTS];
    int size, pool, free, most;
    int write_after, read_after;
    int writes, reads; /* the input, and the output, that does so in this cycle, or -1 */
} ref_central;

static void set_up(ref_net *t, void *self)
{
    ref_central *s = self;

    s->size = t->n->input_fifo > 0 ? t->n->input_fifo : 32;
    s->pool = s->free = t->ports * (t->n->buffer - s->size) / t->n->chunk;
    s->most = s->pool + 1; /* a packet takes at least a chunk */
    for (int i = 0; i < t->ports; i++) {
        s->input[i].fifo = calloc((size_t)s->size, sizeof(ref_flit));
        s->output[i].queue = calloc((size_t)s->most, sizeof(ref_stored));
        s->output[i].reg = calloc(2 * (size_t)t->n->chunk, sizeof(ref_flit));
        s->output[i].past = -1;
    }
}

static void clear(ref_net *t, void *self)
{
    ref_central *s = self;

    for (int i = 0; i < t->ports; i++) {
        free(s->input[i].fifo);
        free(s->output[i].queue);
        free(s->output[i].reg);
    }
}

static int room(ref_net *t, int number, int packet, int x)
{
    const ref_central *s = ref_net_switch(t, number / t->ports);
    const ref_small_fifo *in = &s->input[number % t->ports];
    int untold = 0;

    (void)packet;
    (void)x;
    for (int ago = 0; ago < t->n->credit; ago++)
        untold += in->freed[(t->now - ago + 16) % 16];
    return in->flits + in->coming + untold < s->size;
}

static void promise(ref_net *t, int number, int packet, int x)
{
    ref_central *s = ref_net_switch(t, number / t->ports);

    (void)packet;
    (void)x;
    s->input[number % t->ports].coming++;
}

static const ref_flit *head_of(const ref_small_fifo *in)
{
    return in->flits > 0 ? &in->fifo[in->first] : NULL;
}

/* Flits at the head of the FIFO that belong to one packet. */
static int in_a_row(const ref_net *t, const ref_small_fifo *in)
{
    const ref_flit *head = head_of(in);

    if (!head)
        return 0;
    const int left = ref_net_flits(t, head->packet) - head->index;
    return in->flits < left ? in->flits : left;
}

static int header_for(ref_net *t, const ref_small_fifo *in, int x)
{
    const ref_flit *f = head_of(in);

    return f && in->state == HEADER && (x < 0 || ref_net_hop(t, *f)->output == x);
}

/* "Bypass when nothing waits": an output that has nothing to send takes a header at once. */
static void decide_past(ref_net *t, ref_central *s)
{
    for (int x = 0; x < t->ports; x++) {
        ref_wide_output *out = &s->output[x];

        if (out->past >= 0 || out->packets > 0 || out->reg_flits > 0)
            continue;
        for (int k = 0; k < t->ports; k++) {
            const int i = (out->after + k) % t->ports;

            if (!header_for(t, &s->input[i], x))
                continue;
            out->past = i;
            out->after = (i + 1) % t->ports;
            s->input[i].state = PAST;
            break;
        }
    }
}

/* The others are to be stored, if all of their chunks can be reserved. */
static void admit(ref_net *t, ref_central *s)
{
    for (int k = 0; k < t->ports; k++) {
        const int i = (int)((t->now + 1 + k) % t->ports);
        ref_small_fifo *in = &s->input[i];

        if (!header_for(t, in, -1))
            continue;
        const ref_flit f = *head_of(in);
        const int chunks = (ref_net_flits(t, f.packet) + t->n->chunk - 1) / t->n->chunk;
        ref_wide_output *out = &s->output[ref_net_hop(t, f)->output];
        if (chunks > s->free)
            continue;
        s->free -= chunks;
        in->state = STORED;
        ref_net_expect(t, out->packets < s->most);
        out->queue[(out->first + out->packets++) % s->most] = (ref_stored){f.packet, f.hop, 0, 0};
    }
}

/* Flits of the next chunk of the output's first packet, if they have been written. */
static int readable(const ref_net *t, const ref_wide_output *out)
{
    if (out->packets == 0)
        return 0;
    const ref_stored *p = &out->queue[out->first];
    const int left = ref_net_flits(t, p->packet) - p->read;
    const int flits = left < t->n->chunk ? left : t->n->chunk;
    return p->written - p->read >= flits ? flits : 0;
}

static void decide(ref_net *t, int place)
{
    ref_central *s = ref_net_switch(t, place);

    decide_past(t, s);
    admit(t, s);
    s->writes = s->reads = -1;
    for (int k = 0; k < t->ports; k++) {
        const int i = (s->write_after + k) % t->ports, x = (s->read_after + k) % t->ports;
        const ref_small_fifo *in = &s->input[i];
        const ref_wide_output *out = &s->output[x];

        if (s->writes < 0 && in->state == STORED && in->flits > 0) {
            const int row = in_a_row(t, in), last = head_of(in)->index + row;

            if (row >= t->n->chunk || last == ref_net_flits(t, head_of(in)->packet))
                s->writes = i;
        }
        if (s->reads < 0 && readable(t, out) > 0 && out->reg_flits <= t->n->chunk)
            s->reads = x;
    }
    for (int x = 0; x < t->ports; x++) {
        ref_wide_output *out = &s->output[x];
        const ref_small_fifo *in = out->past >= 0 ? &s->input[out->past] : NULL;
        const ref_flit *f = in ? head_of(in) : out->reg_flits ? &out->reg[out->reg_first] : NULL;

        out->goes = f && ref_net_may_begin(t, place * t->ports + x, f->packet);
        if (out->goes)
            ref_net_begin(t, place * t->ports + x, f->packet, f->hop);
    }
}

static ref_flit pop(ref_net *t, const ref_central *s, ref_small_fifo *in)
{
    const ref_flit f = in->fifo[in->first];

    in->first = (in->first + 1) % s->size;
    in->flits--;
    in->freed[(t->now + 1) % 16]++;
    if (f.index == ref_net_flits(t, f.packet) - 1)
        in->state = HEADER;
    return f;
}

static void send(ref_net *t, int place, ref_central *s, int x)
{
    ref_wide_output *out = &s->output[x];
    ref_flit f;

    if (out->past >= 0) {
        f = pop(t, s, &s->input[out->past]);
        if (f.index == ref_net_flits(t, f.packet) - 1)
            out->past = -1;
    } else {
        f = out->reg[out->reg_first];
        out->reg_first = (out->reg_first + 1) % (2 * t->n->chunk);
        out->reg_flits--;
    }
    ref_net_send(t, place * t->ports + x, f);
}

/* A chunk from the pool to the output's register. */
static void read_chunk(ref_net *t, ref_central *s, int x)
{
    ref_wide_output *out = &s->output[x];
    ref_stored *p = &out->queue[out->first];
    const int flits = readable(t, out);

    for (int f = 0; f < flits; f++)
        out->reg[(out->reg_first + out->reg_flits++) % (2 * t->n->chunk)] =
            (ref_flit){p->packet, p->read++, p->hop};
    ref_net_expect(t, out->reg_flits <= 2 * t->n->chunk);
    s->free++;
    if (p->read < ref_net_flits(t, p->packet))
        return;
    out->first = (out->first + 1) % s->most;
    out->packets--;
}

/* A chunk from an input FIFO to the pool: `row` flits of the packet at the FIFO's head. */
static void write_chunk(ref_net *t, ref_central *s, int i, int row)
{
    ref_small_fifo *in = &s->input[i];
    ref_wide_output *out = &s->output[ref_net_hop(t, *head_of(in))->output];
    ref_stored *p = NULL;

    for (int k = 0; k < out->packets && !p; k++)
        if (out->queue[(out->first + k) % s->most].packet == head_of(in)->packet)
            p = &out->queue[(out->first + k) % s->most];
    ref_net_expect(t, p != NULL);
    if (!p)
        return;
    for (int f = 0; f < row && f < t->n->chunk; f++)
        ref_net_expect(t, pop(t, s, in).index == p->written++);
}

static void move(ref_net *t, int place)
{
    ref_central *s = ref_net_switch(t, place);
    const int row = s->writes >= 0 ? in_a_row(t, &s->input[s->writes]) : 0;

    for (int i = 0; i < t->ports; i++)
        s->input[i].freed[(t->now + 1) % 16] = 0;
    for (int x = 0; x < t->ports; x++)
        if (s->output[x].goes)
            send(t, place, s, x);
    if (s->reads >= 0) {
        read_chunk(t, s, s->reads);
        s->read_after = (s->reads + 1) % t->ports;
    }
    if (s->writes >= 0) {
        write_chunk(t, s, s->writes, row);
        s->write_after = (s->writes + 1) % t->ports;
    }
    for (int i = 0; i < t->ports; i++) {
        ref_small_fifo *in = &s->input[i];
        const ref_flit f = t->ir[place * t->ports + i];

        if (f.packet < 0)
            continue;
        ref_net_expect(t, in->flits < s->size && in->coming > 0);
        in->fifo[(in->first + in->flits++) % s->size] = f;
        in->coming--;
    }
}

static void sample(ref_net *t, int place, ref_flit_sample *sum)
{
    ref_central *s = ref_net_switch(t, place);
    int kept = 0;

    for (int x = 0; x < t->ports; x++)
        for (int k = 0; k < s->output[x].packets; k++) {
            const ref_stored *p = &s->output[x].queue[(s->output[x].first + k) % s->most];
            const int left = ref_net_flits(t, p->packet) - p->read;

            kept += (left + t->n->chunk - 1) / t->n->chunk;
            sum->flits += p->written - p->read;
        }
    ref_net_expect(t, kept == s->pool - s->free && s->free >= 0);
    sum->chunks += kept;
}

const ref_machine ref_machine_central = {
    1, sizeof(ref_central), set_up, clear, room, promise, decide, move, sample};
