/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chip's clock: which machine has the data path, and the answers of router and arbiter.
 */
#include "chip/chip.h"

#include "base/context.h"

#include <stdio.h>
#include <string.h>

swq_chip_spec swq_chip_defaults(void)
{
    return (swq_chip_spec){.queues = 4,
                           .blocks = 12,
                           .block_bytes = 8,
                           .packet_bytes = 32,
                           .router_cycles = 1,
                           .arbiter_cycles = 1};
}

static swq_status within(swq_context *ctx, const char *name, int value, int least, int most)
{
    if (value >= least && value <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "%s must be %d to %d, not %d", name, least, most, value);
}

swq_status swq_chip_check(swq_context *ctx, const swq_chip_spec *s)
{
    swq_status status = within(ctx, "queues", s->queues, 1, SWQ_CHIP_MAX_QUEUES);

    if (!status)
        status = within(ctx, "block-bytes", s->block_bytes, SWQ_CHIP_MIN_BLOCK_BYTES,
                        SWQ_CHIP_MAX_BLOCK_BYTES);
    /* the machines alternate: the next block is linked in time only if blocks always end in the
     * same turn */
    if (!status && s->block_bytes % 2)
        status = swq_fail(ctx, SWQ_EINVAL, "block-bytes must be even, not %d", s->block_bytes);
    if (!status)
        status =
            within(ctx, "packet-bytes", s->packet_bytes, SWQ_CHIP_MIN_PACKET, SWQ_CHIP_MAX_PACKET);
    if (!status) {
        const int least = (s->packet_bytes + s->block_bytes - 1) / s->block_bytes;
        status = within(ctx, "blocks", s->blocks, least, SWQ_CHIP_MAX_BLOCKS);
    }
    if (!status)
        status = within(ctx, "router-cycles", s->router_cycles, 1, 3);
    if (!status)
        status = within(ctx, "arbiter-cycles", s->arbiter_cycles, 1, 16);
    return status;
}

swq_status swq_chip_new(swq_context *ctx, const swq_chip_spec *spec, swq_chip **made)
{
    swq_status status = swq_chip_check(ctx, spec);
    if (status)
        return status;
    swq_chip *c = swq_calloc(ctx, 1, sizeof *c);
    if (!c)
        return swq_memory_status(ctx);
    c->spec = *spec;
    c->lists = spec->fifo ? 1 : spec->queues;
    for (int l = 0; l < c->lists; l++)
        c->list[l].null = true;
    c->list[c->lists] = (swq_chip_list){.head = 1, .tail = (uint8_t)spec->blocks};
    for (int b = 1; b < spec->blocks; b++)
        c->pointer[b] = (uint8_t)(b + 1);
    c->free = spec->blocks;
    c->tr.first = true;
    *made = c;
    return SWQ_OK;
}

void swq_chip_free(swq_context *ctx, swq_chip *chip)
{
    swq_free(ctx, chip);
}

/* Queues that are not empty request their outputs, and so does a queue to which the router has just
 * sent a packet. Under FIFO control, only the first packet does. */
static uint8_t requests(const swq_chip *c)
{
    unsigned asked = 0;

    if (c->spec.fifo) {
        if (!c->list[0].null)
            asked = 1u << c->bypass_output[0];
        else if (c->router.strobe)
            asked = 1u << c->router.queue;
        return (uint8_t)asked;
    }
    for (int q = 0; q < c->lists; q++)
        asked |= (unsigned)!c->list[q].null << q;
    if (c->router.strobe)
        asked |= 1u << c->router.queue;
    return (uint8_t)asked;
}

static void arbitrate(swq_chip *c, unsigned open)
{
    if (c->arbiter.valid || c->arbiter.left > 0 || !open)
        return;
    while (!(open >> c->turn & 1))
        c->turn = (uint8_t)((c->turn + 1) % c->spec.queues);
    c->arbiter.coming = c->turn;
    c->arbiter.left = c->spec.arbiter_cycles;
    c->turn = (uint8_t)((c->turn + 1) % c->spec.queues);
}

/* Latch an answer at the end of a cycle. */
static void latch(swq_chip_answer *a)
{
    a->strobe = a->left > 0 && --a->left == 0;
    if (!a->strobe)
        return;
    a->valid = true;
    a->queue = a->coming;
    a->header = a->coming_header;
}

/* Clear the router's answer when all blocks of its packet are in the queue. */
static void clear_router(swq_chip *c)
{
    const swq_chip_sto *s = &c->sto;

    if (c->tr.state != SWQ_TR_READY || c->tr.first || c->tr.written ||
        (s->busy && (s->length || s->left > c->spec.block_bytes - s->at)))
        return;
    c->router.valid = false;
    c->tr.first = true;
}

/* Clear the arbiter's answer when its packet has been read, its blocks are free, and the header of
 * the next packet has been loaded. */
static void clear_arbiter(swq_chip *c)
{
    const swq_chip_fwd *f = &c->fwd;

    if (!f->busy || f->left > 0 || f->removes || f->appends || f->terminates || f->loads)
        return;
    c->fwd.busy = false;
    c->fwd.block = 0;
    c->arbiter.valid = false;
}

void swq_chip_clock(swq_chip *c, const swq_chip_in *in, swq_chip_out *out)
{
    const int most = (c->spec.packet_bytes + c->spec.block_bytes - 1) / c->spec.block_bytes;

    *out = (swq_chip_out){.synchronised = in->valid,
                          .routed = c->router.strobe,
                          .arbitrated = c->arbiter.strobe,
                          .output = c->arbiter.queue};
    c->sync = c->arbiter.strobe || (!c->router.strobe && !c->sync);
    out->owner = c->sync ? SWQ_CHIP_FWD : SWQ_CHIP_TR;
    out->requests = requests(c);
    arbitrate(c, out->requests & in->grants);
    swq_chip_store(c, out);
    if (c->sync)
        swq_chip_fwd_turn(c, out);
    else
        swq_chip_tr_turn(c, out);
    swq_chip_read(c, out);
    clear_router(c);
    clear_arbiter(c);
    latch(&c->router);
    latch(&c->arbiter);
    c->synchroniser.valid = in->valid;
    c->synchroniser.byte = in->byte;
    out->ready = c->tr.state == SWQ_TR_READY && c->tr.first && !c->router.valid &&
                 c->router.left == 0 && c->free >= most - 1;
}

uint64_t swq_chip_late(const swq_chip *c)
{
    return c->late;
}

/* ---- invariants ---- */

const char *swq_chip_broken(const swq_chip *c)
{
    uint64_t seen = 0;
    int blocks = 0;

    for (int l = 0; l <= c->lists; l++) {
        uint8_t b = c->list[l].head;
        if (c->list[l].null)
            continue;
        for (int k = 0;; k++, b = c->pointer[b]) {
            if (b == 0 || b > c->spec.blocks)
                return "a list leads to no block before its tail";
            if (l == c->lists && c->fwd.next == b)
                return "a block is free before it is read";
            if (seen >> (b - 1) & 1)
                return "a block is in two lists, or twice in one";
            seen |= UINT64_C(1) << (b - 1);
            blocks++;
            if (b == c->list[l].tail)
                break;
        }
    }
    const uint8_t held[] = {c->tr.state == SWQ_TR_READY ? c->tr.tmp : 0,
                            c->fwd.appends ? c->fwd.tmp : 0};
    for (int k = 0; k < 2; k++) {
        if (held[k] == 0)
            continue;
        if (seen >> (held[k] - 1) & 1)
            return "a block is in a temporary register and in a list";
        seen |= UINT64_C(1) << (held[k] - 1);
        blocks++;
    }
    if (blocks != c->spec.blocks)
        return "a block is lost";
    if (c->free != swq_chip_length(c, c->lists))
        return "free blocks are miscounted";
    return NULL;
}

/* ---- signals ---- */

enum { FIXED = 12, MORE = 3 };

int swq_chip_signals(const swq_chip *c)
{
    return FIXED + 3 * (c->lists + 1) + 2 * c->spec.blocks + MORE + c->lists;
}

static const char *fixed_signal(const swq_chip *c, int k, int *bits, uint32_t *value)
{
    const struct {
        const char *name;
        int bits;
        uint32_t value;
    } fixed[FIXED] = {
        {"sync", 1, c->sync},
        {"synchroniser_valid", 1, c->synchroniser.valid},
        {"synchroniser", 8, c->synchroniser.byte},
        {"router_valid", 1, c->router.valid},
        {"router_queue", 3, c->router.queue},
        {"router_strobe", 1, c->router.strobe},
        {"arbiter_valid", 1, c->arbiter.valid},
        {"arbiter_queue", 3, c->arbiter.queue},
        {"arbiter_strobe", 1, c->arbiter.strobe},
        {"fsm_tr", 2, c->tr.state},
        {"tmp_tr", 7, c->tr.tmp},
        {"tmp_fwd", 7, c->fwd.tmp},
    };

    *bits = fixed[k].bits;
    *value = fixed[k].value;
    return fixed[k].name;
}

/* Signal k of those that a trace shows last: whether the byte machines have a packet, the router's
 * header, and the bypass registers. Returns its name. */
static const char *late_signal(const swq_chip *c, int k, int *bits, uint32_t *value)
{
    static const char *const machine[MORE] = {"fsm_sto_busy", "fsm_fwd_busy", "new_header"};
    static const char *const bypass[SWQ_CHIP_MAX_QUEUES] = {
        "bypass0", "bypass1", "bypass2", "bypass3", "bypass4", "bypass5", "bypass6", "bypass7"};
    const uint32_t now[MORE] = {c->sto.busy, c->fwd.busy, c->router.header};

    *bits = k < 2 ? 1 : 8;
    if (k < MORE) {
        *value = now[k];
        return machine[k];
    }
    k -= MORE;
    *value = k < c->lists ? c->bypass[k] : c->header[k - c->lists + 1];
    return k < c->lists ? bypass[k] : "header"; /* of a block, as with pointers */
}

const char *swq_chip_signal(const swq_chip *c, int k, int *bits, uint32_t *value)
{
    static const char *const names[3][SWQ_CHIP_MAX_QUEUES + 1] = {
        {"head0", "head1", "head2", "head3", "head4", "head5", "head6", "head7", "head_free"},
        {"tail0", "tail1", "tail2", "tail3", "tail4", "tail5", "tail6", "tail7", "tail_free"},
        {"null0", "null1", "null2", "null3", "null4", "null5", "null6", "null7", "null_free"}};

    if (k < FIXED)
        return fixed_signal(c, k, bits, value);
    k -= FIXED;
    if (k < 3 * (c->lists + 1)) {
        const int l = k / 3;
        const swq_chip_list *list = &c->list[l];
        *bits = k % 3 == 2 ? 1 : 7;
        *value = k % 3 == 2 ? list->null : k % 3 == 1 ? list->tail : list->head;
        return names[k % 3][l == c->lists ? SWQ_CHIP_MAX_QUEUES : l];
    }
    k -= 3 * (c->lists + 1);
    if (k < c->spec.blocks) {
        *bits = 7;
        *value = c->pointer[k + 1];
        return "pointer"; /* of block k: the caller numbers them */
    }
    return late_signal(c, k - c->spec.blocks, bits, value);
}
