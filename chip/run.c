/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test bench: a link before the chip, a crossbar behind it, and a check of every byte.
 * Includes base and GSL's random numbers.
 */
#include "chip/chip.h"

#include "base/context.h"
#include "switchq/dice.h"

#include <string.h>

enum {
    RING = 1 << 14,  /* the most bytes of one list that are on their way: a power of two, more than
                        the chip's memory */
    LOOKS = 1 << 16, /* cycles between checks for cancellation */
    CHANCE = 1 << 16
};

/* What must come out of one list of the chip: a ring of bytes, and the cycles in which the headers
 * of their packets arrived. */
typedef struct {
    uint8_t byte[RING];
    uint64_t came[RING];
    uint64_t in, out;
} expected;

typedef struct {
    const swq_chip_spec *spec;
    const swq_chip_traffic *traffic;
    swq_chip *chip;
    gsl_rng *rng;
    expected *list; /* [queues] */
    swq_chip_result *result;
    uint64_t cycle;
    int next; /* index of the next given packet */
    uint8_t packet[SWQ_CHIP_MAX_PACKET + 2];
    int at, bytes; /* of the packet on the link */
    int to;
    int sending_left; /* bytes of the packet on the crossbar, -1: its length is not known */
    uint64_t removed; /* cycle of FSM_fwd's last REMOVE; 0: its NULL has been written */
} chip_bench;

static unsigned below(chip_bench *b, unsigned n)
{
    return (unsigned)gsl_rng_uniform_int(b->rng, n);
}

static bool by_chance(chip_bench *b, double chance)
{
    return chance >= 1 || below(b, CHANCE) < chance * CHANCE;
}

static void put_packet(chip_bench *b, int output, int bytes)
{
    const bool longest = bytes == b->spec->packet_bytes;

    b->bytes = 0;
    b->packet[b->bytes++] = (uint8_t)((longest ? 0x80 : 0) | output);
    if (!longest)
        b->packet[b->bytes++] = (uint8_t)bytes;
    for (int k = 0; k < bytes; k++)
        b->packet[b->bytes++] = (uint8_t)(gsl_rng_get(b->rng) >> 8);
    b->at = 0;
    b->to = b->spec->fifo ? 0 : output;
    b->result->packets_in++;
}

/* Does a packet begin in this cycle? */
static void begin_packet(chip_bench *b, bool ready)
{
    const swq_chip_traffic *t = b->traffic;

    if (b->at < b->bytes || !ready)
        return;
    if (t->packet) {
        if (b->next < t->packets && t->packet[b->next].cycle <= b->cycle) {
            put_packet(b, t->packet[b->next].output, t->packet[b->next].bytes);
            b->next++;
        }
        return;
    }
    if (!by_chance(b, t->load))
        return;
    const int output = (int)below(b, (unsigned)b->spec->queues);
    const int longest = b->spec->packet_bytes;
    put_packet(b, output, below(b, 2) ? longest : 1 + (int)below(b, (unsigned)longest - 1));
}

/* The byte that must come out: the switch changes a header, which counts one more switch. */
static uint8_t expected_byte(uint8_t byte, bool header)
{
    return header ? (uint8_t)((byte & 0x87) | ((byte + 0x08) & 0x78)) : byte;
}

static void send(chip_bench *b, swq_chip_in *in)
{
    if (b->at == b->bytes)
        return;
    expected *e = &b->list[b->to];
    in->valid = true;
    in->byte = b->packet[b->at];
    e->byte[e->in % RING] = expected_byte(in->byte, b->at == 0);
    e->came[e->in++ % RING] = b->cycle;
    b->at++;
    b->result->bytes_in++;
}

/* A header has crossed: record how long it took, and whether its packet had arrived completely. */
static void note_header(chip_bench *b, const expected *e)
{
    swq_chip_result *r = b->result;
    const int latency = (int)(b->cycle - e->came[e->out % RING]) + 1;
    const uint8_t header = e->byte[e->out % RING];
    const uint64_t known = e->in - e->out;
    const uint64_t whole = header & 0x80 ? (uint64_t)b->spec->packet_bytes + 1
                           : known > 1   ? (uint64_t)e->byte[(e->out + 1) % RING] + 2
                                         : UINT64_MAX;

    r->packets_out++;
    r->cut_through += known < whole || e->came[(e->out + whole - 1) % RING] == b->cycle;
    if (r->least_latency == 0 || latency < r->least_latency)
        r->least_latency = latency;
}

static const char *check_byte(chip_bench *b, const swq_chip_out *out)
{
    expected *e = &b->list[b->spec->fifo ? 0 : out->output];

    if (e->out == e->in)
        return "a byte came out that never came in";
    if (out->header != (b->sending_left == 0))
        return out->header ? "a header within a packet" : "a packet without a header";
    if (e->byte[e->out % RING] != out->byte)
        return "a byte is lost, changed or out of order";
    if (out->header) {
        note_header(b, e);
        b->sending_left = out->byte & 0x80 ? b->spec->packet_bytes : -1;
    } else {
        b->sending_left = b->sending_left < 0 ? out->byte : b->sending_left - 1;
    }
    e->out++;
    b->result->bytes_out++;
    return NULL;
}

static void note_move(chip_bench *b, const swq_chip_out *out)
{
    swq_chip_result *r = b->result;

    if (out->owner != SWQ_CHIP_FWD)
        return;
    if (out->step == SWQ_CHIP_REMOVE)
        b->removed = b->cycle;
    if (out->step == SWQ_CHIP_TERMINATE) {
        const int move = (int)(b->cycle - b->removed) + 1;
        r->least_move = r->least_move == 0 || move < r->least_move ? move : r->least_move;
        r->most_move = move > r->most_move ? move : r->most_move;
    }
}

static const char *check(chip_bench *b, const swq_chip_out *out)
{
    const char *broken = swq_chip_broken(b->chip);

    if (!broken && swq_chip_late(b->chip))
        broken = "a byte is late, or there was no block for one";
    if (!broken && out->valid)
        broken = check_byte(b, out);
    if (!broken && !out->valid && b->sending_left != 0)
        broken = "a gap within a packet";
    note_move(b, out);
    return broken;
}

static swq_status run(swq_context *ctx, chip_bench *b, uint64_t cycles, swq_chip_cycle_fn *tell,
                      void *arg)
{
    swq_chip_result *r = b->result;
    bool ready = false;

    for (b->cycle = 1; b->cycle <= cycles && !r->violation; b->cycle++) {
        swq_chip_in in = {0};
        swq_chip_out out;
        begin_packet(b, ready);
        send(b, &in);
        for (int q = 0; q < b->spec->queues; q++)
            in.grants |= (uint8_t)(by_chance(b, b->traffic->grant) << q);
        swq_chip_clock(b->chip, &in, &out);
        ready = out.ready;
        r->violation = check(b, &out);
        r->cycles = b->cycle;
        if (tell)
            tell(arg, b->cycle, b->chip, &in, &out);
        if (b->cycle % LOOKS == 0) {
            swq_progress(ctx, "clock cycles", (double)b->cycle, (double)cycles);
            if (swq_context_cancelled(ctx) && b->cycle < cycles)
                return swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
        }
    }
    return SWQ_OK;
}

static swq_status check_traffic(swq_context *ctx, const swq_chip_spec *spec,
                                const swq_chip_traffic *t, uint64_t cycles)
{
    if (cycles < 1)
        return swq_fail(ctx, SWQ_EINVAL, "cycles must be at least 1, not 0");
    if (!(t->load >= 0 && t->load <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "load must be 0 to 1, not %g", t->load);
    if (!(t->grant > 0 && t->grant <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "grant must be above 0 and at most 1, not %g", t->grant);
    for (int k = 0; t->packet && k < t->packets; k++) {
        const swq_chip_packet *p = &t->packet[k];
        if (p->output < 0 || p->output >= spec->queues)
            return swq_fail(ctx, SWQ_EINVAL, "output of packet %d must be 0 to %d, not %d", k + 1,
                            spec->queues - 1, p->output);
        if (p->bytes < 1 || p->bytes > spec->packet_bytes)
            return swq_fail(ctx, SWQ_EINVAL, "bytes of packet %d must be 1 to %d, not %d", k + 1,
                            spec->packet_bytes, p->bytes);
        if (p->cycle > cycles)
            return swq_fail(ctx, SWQ_EINVAL,
                            "cycle of packet %d is %llu, after the last of %llu cycles", k + 1,
                            (unsigned long long)p->cycle, (unsigned long long)cycles);
        if (k > 0 && p->cycle < t->packet[k - 1].cycle)
            return swq_fail(ctx, SWQ_EINVAL, "cycle of packet %d is before that of packet %d",
                            k + 1, k);
    }
    return SWQ_OK;
}

swq_status swq_chip_run(swq_context *ctx, const swq_chip_spec *spec,
                        const swq_chip_traffic *traffic, uint64_t cycles, swq_chip_cycle_fn *tell,
                        void *arg, swq_chip_result *result)
{
    chip_bench b = {.spec = spec, .traffic = traffic, .result = result};
    swq_status status = swq_chip_check(ctx, spec);

    *result = (swq_chip_result){0};
    if (!status)
        status = check_traffic(ctx, spec, traffic, cycles);
    if (!status)
        status = swq_chip_new(ctx, spec, &b.chip);
    if (status)
        return status;
    b.list = swq_calloc(ctx, (size_t)spec->queues, sizeof *b.list);
    b.rng = gsl_rng_alloc(gsl_rng_taus2);
    if (!b.list || !b.rng) {
        status = b.list ? swq_fail(ctx, SWQ_ENOMEM, "no memory for random numbers")
                        : swq_memory_status(ctx);
    } else {
        gsl_rng_set(b.rng, (unsigned long)traffic->seed);
        status = run(ctx, &b, cycles, tell, arg);
    }
    if (b.rng)
        gsl_rng_free(b.rng);
    swq_free(ctx, b.list);
    swq_chip_free(ctx, b.chip);
    return status;
}
