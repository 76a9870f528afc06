/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The three state machines. FSM_sto writes the bytes that arrive, FSM_tr links blocks to queues,
 * FSM_fwd reads and frees them; the last two share the data path. Source: Frazier
 * (1995), 7.1.2, 7.1.3, 7.2.3.
 *
 * A block is moved in three steps: REMOVE, APPEND, TERMINATE. FSM_tr does REMOVE in advance, so
 * that it can do APPEND as soon as the router has answered. Between APPEND and TERMINATE, the last
 * block's pointer still has its value from the previous list. If that block is also the first of
 * its list, the other machine would take the old value for the new head; therefore the other
 * machine waits.
 */
#include "chip/chip.h"

/* Does the list have a single block, whose pointer is not NULL yet? */
static bool loose(const swq_chip *c, int list, bool terminates, int of)
{
    const swq_chip_list *l = &c->list[list];

    return terminates && list == of && !l->null && l->head == l->tail;
}

/* ---- FSM_sto ---- */

void swq_chip_store(swq_chip *c, swq_chip_out *out)
{
    swq_chip_sto *s = &c->sto;
    const uint8_t byte = c->synchroniser.byte;

    if (!c->synchroniser.valid)
        return;
    if (!s->busy) { /* a header, which is passed on to the router */
        s->busy = true;
        s->length = !(byte & 0x80);
        s->left = s->length ? 1 : c->spec.packet_bytes;
        s->at = c->spec.block_bytes;
        c->router.left = c->spec.router_cycles;
        c->router.coming = (uint8_t)((byte & 0x07) % c->spec.queues);
        /* the bits between flag and output count the switches passed */
        c->router.coming_header = (uint8_t)((byte & 0x87) | ((byte + 0x08) & 0x78));
        return;
    }
    if (s->at == c->spec.block_bytes) {
        if (c->tr.state != SWQ_TR_READY || c->tr.written) {
            c->late++;
            return;
        }
        s->block = c->tr.tmp;
        s->at = 0;
        c->tr.written = true;
    }
    c->memory[s->block][s->at++] = byte;
    out->stored = true;
    s->left--;
    if (s->length) {
        s->length = false;
        s->left = byte;
    }
    if (s->left <= 0)
        s->busy = false;
}

/* ---- FSM_tr ---- */

static int router_list(const swq_chip *c)
{
    return c->spec.fifo ? 0 : c->router.queue;
}

/* Write the new header to the block's header register, and to the bypass registers of all empty
 * queues. */
static void write_header(swq_chip *c)
{
    c->header[c->tr.tmp] = c->router.header;
    c->output[c->tr.tmp] = c->router.queue;
    for (int q = 0; q < c->lists; q++) {
        if (c->list[q].null) {
            c->bypass[q] = c->router.header;
            c->bypass_output[q] = c->router.queue;
        }
    }
}

void swq_chip_tr_turn(swq_chip *c, swq_chip_out *out)
{
    swq_chip_tr *t = &c->tr;
    const int free_list = c->lists, q = router_list(c);

    switch (t->state) {
    case SWQ_TR_FETCH:
        if (c->list[free_list].null || loose(c, free_list, c->fwd.terminates, free_list))
            break;
        swq_chip_remove(c, free_list, &t->tmp, out);
        t->written = false;
        t->state = SWQ_TR_READY;
        break;
    case SWQ_TR_READY:
        if (!c->router.valid || (!t->first && !t->written))
            break;
        if (t->first)
            write_header(c);
        swq_chip_append(c, q, t->tmp, out);
        t->first = false;
        t->state = SWQ_TR_TERMINATE;
        break;
    case SWQ_TR_TERMINATE:
        swq_chip_terminate(c, q, out);
        t->state = SWQ_TR_FETCH;
        break;
    }
}

/* ---- FSM_fwd ---- */

static int sending_list(const swq_chip *c)
{
    return c->spec.fifo ? 0 : c->arbiter.queue;
}

/* Address the block at the head of the queue for reading, and take it from the queue in the same
 * step, unless its pointer is not yet valid. */
static uint8_t take_head(swq_chip *c, int q, swq_chip_out *out)
{
    swq_chip_fwd *f = &c->fwd;

    f->tmp_is_read = false;
    if (loose(c, q, c->tr.state == SWQ_TR_TERMINATE, router_list(c))) {
        f->removes = true;
        return swq_chip_select(c, q, out);
    }
    f->appends = true;
    return swq_chip_remove(c, q, &f->tmp, out);
}

static void begin(swq_chip *c, swq_chip_out *out)
{
    const int q = sending_list(c);
    swq_chip_fwd *f = &c->fwd;

    *f = (swq_chip_fwd){.busy = true, .loads = true, .tmp = f->tmp};
    f->length = !(c->bypass[q] & 0x80);
    f->left = f->length ? 1 : c->spec.packet_bytes;
    out->valid = out->header = true;
    out->byte = c->bypass[q];
    f->next = take_head(c, q, out);
}

/* Does the packet go on beyond the block being read, and is the next block not yet addressed? */
static bool wants_block(const swq_chip *c)
{
    const swq_chip_fwd *f = &c->fwd;

    return f->next == 0 && !f->length && f->left > c->spec.block_bytes - f->at;
}

void swq_chip_fwd_turn(swq_chip *c, swq_chip_out *out)
{
    const int free_list = c->lists, q = sending_list(c);
    swq_chip_fwd *f = &c->fwd;

    if (!c->arbiter.valid)
        return;
    if (!f->busy) {
        begin(c, out);
    } else if (f->removes) {
        if (loose(c, q, c->tr.state == SWQ_TR_TERMINATE, router_list(c)))
            return;
        swq_chip_remove(c, q, &f->tmp, out);
        f->removes = false;
        f->appends = true;
    } else if (f->appends) {
        if (!f->tmp_is_read)
            return;
        swq_chip_append(c, free_list, f->tmp, out);
        f->appends = false;
        f->terminates = true;
    } else if (f->terminates) {
        swq_chip_terminate(c, free_list, out);
        f->terminates = false;
    } else if (wants_block(c)) {
        if (!c->list[q].null)
            f->next = take_head(c, q, out);
    } else if (f->loads && !f->length && f->next == 0) {
        if (!c->list[q].null)
            swq_chip_load_header(c, q, out);
        f->loads = false;
    }
}

/* Read one byte in each cycle of a transmission, including the first. */
void swq_chip_read(swq_chip *c, swq_chip_out *out)
{
    swq_chip_fwd *f = &c->fwd;

    if (f->latched) {
        out->valid = true;
        out->byte = f->byte;
        f->latched = false;
    }
    if (!f->busy || f->left == 0)
        return;
    if (f->block == 0 || f->at == c->spec.block_bytes) {
        if (f->next == 0) {
            c->late++;
            return;
        }
        f->block = f->next;
        f->next = 0;
        f->at = 0;
        f->tmp_is_read = true;
    }
    f->byte = c->memory[f->block][f->at++];
    f->latched = true;
    f->left--;
    if (f->length) {
        f->length = false;
        f->left = f->byte;
    }
}
