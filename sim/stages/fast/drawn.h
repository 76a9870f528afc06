/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arbiters besides the rotating one. Random arbitration is written out: the packets that may go are
 * a matrix of bits, the random words of a block of switches are made together, and a throw is a
 * product. This code throws the same dice in the same order as the row of the random arbiter, and
 * hands the few throws that a product does not settle over to that row. Other arbiters are called
 * through their rows.
 */
#ifndef SWQ_SIM_STAGES_FAST_DRAWN_H
#define SWQ_SIM_STAGES_FAST_DRAWN_H

#include "sim/stages/fast/shape.h"

/* The most throws of a switch: one for each input, one for each queue, and one for each output that
 * is still free; and the blocks of four random words that so many throws take. */
enum { MOST_THROWS = 3 * SWQ_FAST_PORTS, MOST_BLOCKS = MOST_THROWS / 4 };

/* The packets that each switch of a block may send, [SWQ_BLOCK_SWITCHES]: for each input a row of
 * bits, one for each output. */
typedef struct {
    uint32_t row[SWQ_BLOCK_SWITCHES][SWQ_FAST_PORTS];
    uint16_t
        all[SWQ_BLOCK_SWITCHES]; /* four ports: instead, the rows in one word, input 0 lowest */
    uint32_t busy;               /* inputs that hold packets */
} asking;

/* The position of set bit number k, counted from 0; there must be more than k. */
SWQ_INLINE uint32_t bit_number(uint32_t bits, uint32_t k)
{
#ifdef __BMI2__
    return (uint32_t)__builtin_ctz(_pdep_u32(1u << k, bits));
#else
    while (k-- > 0)
        bits &= bits - 1;
    return (uint32_t)__builtin_ctz(bits);
#endif
}

/* ---- requests ---- */

/* Which of the four lengths in a word are not 0? Four bits. */
SWQ_INLINE uint32_t lanes_held(uint64_t lengths)
{
    const uint64_t top = UINT64_C(0x7fff7fff7fff7fff);

    /* a length is far below 2^15, so no lane carries into the next */
    return lowest_of_lanes((lengths + top) >> 15);
}

/* The queues that hold packets, one bit each, of four inputs with four queues. */
SWQ_INLINE uint32_t held_by_four(view v, shape s, size_t buffer)
{
    uint32_t all = 0;

    for (size_t i = 0; i < 4 && s.word == PACKED; i++)
        all |= lowest_of_lanes(word_of(v, buffer + i)) << 4 * i;
    if (s.word == PACKED)
        return all;
#ifdef __AVX2__
    const uint16_t *length = v.length + buffer * 4;
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)length);
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(length + 8));
    const __m128i none = _mm_cmpeq_epi8(_mm_packs_epi16(a, b), _mm_setzero_si128());
    return ~(uint32_t)_mm_movemask_epi8(none) & 0xffff;
#else
    for (size_t i = 0; i < 4; i++)
        all |= lanes_held(lanes_of(v, s, buffer + i)) << 4 * i;
    return all;
#endif
}

/* The lowest bit of each of four nibbles that is not 0. */
SWQ_INLINE uint32_t nibbles_set(uint32_t all)
{
    all |= all >> 1;
    all |= all >> 2;
    return all & 0x1111;
}

/* The outputs of a switch whose next buffer has room for any packet that wants this output. */
SWQ_INLINE uint32_t open_outputs(view v, shape s, const swq_stage_wiring *at, uint32_t base)
{
    uint32_t open = 0;

    for (uint32_t j = 0; j < (uint32_t)s.ports; j++)
        open |= way_is_open(v, s, at, at->wire[base + j], 0, 0) << j;
    return open;
}

/* The outputs to which input `buffer` may send, one bit each; *busy: 1 if it holds packets. */
SWQ_INLINE uint32_t row_of(view v, shape s, const swq_stage_wiring *at, uint32_t base,
                           size_t buffer, uint32_t open, uint32_t *busy)
{
    const uint32_t *wire = at->wire + base;
    const uint16_t *length = v.length + buffer * (size_t)s.queues; /* unless it is packed */
    uint32_t row = 0;

    if (s.queues == 1) {
        const uint32_t j = head_output(v, s, at, 0, buffer, 0);
        *busy = *length != 0;
        return (*busy & way_is_open(v, s, at, wire[j], buffer, 0)) << j;
    }
    if (s.word == PACKED)
        row = lowest_of_lanes(word_of(v, buffer));
    for (uint32_t j = 0; j < (uint32_t)s.ports && s.word != PACKED; j++)
        row |= (uint32_t)(length[j] != 0) << j;
    *busy = row != 0;
    if (!s.pieces)
        return row & open;
    for (uint32_t j = 0; j < (uint32_t)s.ports; j++)
        row &= ~((way_is_open(v, s, at, wire[j], buffer, j) ^ 1) << j);
    return row;
}

/* The requests of switch `number` of the block, whose first line is `base`. Returns the most throws
 * that the switch may need: a throw for every input but the last, to choose among inputs; then a
 * throw for each output with several queues; and, with one read port per queue, a throw among
 * several inputs. */
SWQ_INLINE uint32_t ask(view v, shape s, const swq_stage_wiring *at, uint32_t base, uint32_t k,
                        asking *a)
{
    const size_t buffers = base;

    if (lane_wise(s)) {
        const uint32_t held = held_by_four(v, s, buffers), open = open_outputs(v, s, at, base);
        const uint32_t all = held & open * 0x1111u, rows = nibbles_set(all);
        a->busy += (uint32_t)__builtin_popcount(nibbles_set(held));
        a->all[k] = (uint16_t)all;
        /* a row with a single bit is empty without its lowest bit */
        return (uint32_t)__builtin_popcount(rows) - (rows != 0) +
               (uint32_t)__builtin_popcount(nibbles_set(all & (all - rows)));
    }
    const uint32_t open = s.queues > 1 && !s.pieces ? open_outputs(v, s, at, base) : 0;
    uint32_t inputs = 0, choices = 0, asked = 0, asked_twice = 0;
    for (uint32_t i = 0; i < (uint32_t)s.ports; i++) {
        uint32_t busy;
        const uint32_t row = a->row[k][i] = row_of(v, s, at, base, buffers + i, open, &busy);
        a->busy += busy;
        inputs += row != 0;
        choices += (row & (row - 1)) != 0;
        asked_twice |= asked & row;
        asked |= row;
    }
    if (s.each)
        choices += (uint32_t)__builtin_popcount(asked_twice);
    return inputs - (inputs != 0) + choices;
}

/* ---- the dice ---- */

/* The random words of a switch, in the order of its throws. */
typedef struct {
    const uint64_t *pair; /* two words each, the lower half first */
    uint32_t used;
    bool doubtful; /* the product did not decide a throw */
} thrower;

/* A fair throw, which GSL makes from a word by dividing it by (2^32 - 1) / faces, taking another
 * word if the quotient is `faces` or more. The product is equal unless it is within faces^2 below a
 * multiple of 2^32. A throw with one face uses no word. */
SWQ_INLINE uint32_t throw_fair(thrower *d, uint32_t faces)
{
    const uint32_t word = (uint32_t)(d->pair[d->used >> 1] >> 32 * (d->used & 1));
    const uint64_t product = (uint64_t)word * faces;

    d->used += faces > 1;
    d->doubtful |= (uint32_t)product >= (uint32_t) - (SWQ_FAST_PORTS * SWQ_FAST_PORTS);
    return (uint32_t)(product >> 32);
}

/* The words of a block of switches: blocks[k] blocks of four words for switch k. */
SHARED void make_words(const swq_net *net, uint32_t first, uint32_t switches, const uint8_t *blocks,
                       uint64_t *pair)
{
    const swq_streams streams = net->switch_stream.streams;
    const uint64_t cycle = (uint64_t)net->cycle << 12;
    uint64_t who[SWQ_BLOCK_SWITCHES * MOST_BLOCKS], word_block[SWQ_BLOCK_SWITCHES * MOST_BLOCKS];
    uint32_t n = 0;

    for (uint32_t k = 0; k < switches; k++) {
        for (uint32_t b = 0; b < blocks[k]; b++) {
            who[n] = first + k;
            word_block[n++] = cycle | b;
        }
    }
    for (uint32_t k = 0; k < n; k++)
        swq_stream_pair(&streams, SWQ_STREAM_SWITCH, (uint32_t)who[k], word_block[k],
                        &pair[2 * k + 1], &pair[2 * k]);
    pair[2 * n] = 0;
}

/* ---- random arbitration ---- */

/* bit_number for four bits; 4 if there is no such bit. */
static const uint8_t bit_of_four[16][4] = {{4, 4, 4, 4}, {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 1, 1, 1},
                                           {2, 2, 2, 2}, {0, 2, 2, 2}, {1, 2, 2, 2}, {0, 1, 2, 2},
                                           {3, 3, 3, 3}, {0, 3, 3, 3}, {1, 3, 3, 3}, {0, 1, 3, 3},
                                           {2, 3, 3, 3}, {0, 2, 3, 3}, {1, 2, 3, 3}, {0, 1, 2, 3}};

SWQ_INLINE outcome draw_four(shape s, uint32_t base, uint32_t all, thrower *d, swq_leaving *out)
{
    uint32_t waiting = nibbles_set(all) * 0x1248 >> 12 & 15, free = 15;
    uint32_t left = (uint32_t)__builtin_popcount(waiting);
    outcome o = {0};

    for (int step = 0; step < 4; step++) {
        const uint32_t i = bit_of_four[waiting][throw_fair(d, left) & 3];
        waiting &= ~(1u << i);
        left -= left > 0;
        const uint32_t row = all >> 4 * i & free; /* 0 if there is no input */
        const uint32_t choices = (uint32_t)__builtin_popcount(row);
        const uint32_t j = bit_of_four[row][throw_fair(d, choices) & 3], go = row != 0;
        out[o.grants] = leave(s, base + i, j);
        o.grants += (int)go;
        free &= ~(1u << j);
    }
    o.sent = (uint32_t)o.grants;
    return o;
}

SWQ_INLINE outcome draw_rows(shape s, uint32_t base, const uint32_t *row, thrower *d,
                             swq_leaving *out)
{
    const uint32_t ports = (uint32_t)s.ports;
    uint32_t waiting = 0, taken = 0, sent = 0;
    outcome o = {0};

    for (uint32_t i = 0; i < ports; i++)
        waiting |= (uint32_t)(row[i] != 0) << i;
    while (waiting) {
        const uint32_t turn = throw_fair(d, (uint32_t)__builtin_popcount(waiting));
        const uint32_t i = bit_number(waiting, turn), open = row[i] & ~taken;
        waiting &= ~(1u << i);
        if (!open)
            continue;
        const uint32_t j = bit_number(open, throw_fair(d, (uint32_t)__builtin_popcount(open)));
        out[o.grants++] = leave(s, base + i, j);
        taken |= 1u << j;
        sent |= 1u << i;
    }
    for (uint32_t j = 0; s.each && j < ports; j++) {
        uint32_t column = 0;
        for (uint32_t i = 0; i < ports; i++)
            column |= (row[i] >> j & 1) << i;
        if (taken >> j & 1 || !column)
            continue;
        const uint32_t i = bit_number(column, throw_fair(d, (uint32_t)__builtin_popcount(column)));
        out[o.grants++] = leave(s, base + i, j);
        sent |= 1u << i;
    }
    o.sent = (uint32_t)__builtin_popcount(sent);
    return o;
}

/* ---- the arbiter's row ---- */

/* Appends the packets to which an arbiter has given a grant to the list of departing packets. */
SWQ_INLINE outcome list_granted(shape s, uint32_t base, const int *grant, swq_leaving *out)
{
    uint32_t sent = 0;
    outcome o = {0};

    for (uint32_t j = 0; j < (uint32_t)s.ports; j++) {
        const uint32_t go = grant[j] != SWQ_NO_INPUT, i = go ? (uint32_t)grant[j] : 0;
        out[o.grants] = leave(s, base + i, j);
        o.grants += (int)go;
        sent |= go << i;
    }
    o.sent = s.each ? (uint32_t)__builtin_popcount(sent) : (uint32_t)o.grants;
    return o;
}

/* The grants of the arbiter's row for the requests of switch `number`, counted over all stages. */
SWQ_INLINE outcome grant_by_row(swq_net *net, shape s, uint32_t number, uint32_t base,
                                swq_leaving *out)
{
    const swq_arbiter *arbiter = net->spec->sw.arbiter;
    swq_requests *r = &net->requests[0];
    int grant[SWQ_FAST_PORTS];

    if (net->memory)
        r->memory = net->memory + (size_t)number * (size_t)net->memory_words;
    swq_switch_stream_begin(&net->switch_stream, number, net->cycle);
    arbiter->arbitrate(r, &net->dice, grant);
    if (arbiter->settle)
        arbiter->settle(r, grant);
    return list_granted(s, base, grant, out);
}

/* Asks the second form of an arbiter, which reads requests as words. */
SWQ_INLINE outcome arbitrate_by_words(swq_net *net, view v, shape s, const swq_stage_wiring *at,
                                      uint32_t number, uint32_t base, swq_leaving *out)
{
    const uint32_t *wire = at->wire + base;
    swq_four_requests r = {.iterations = net->requests[0].iterations};
    uint32_t busy = 0;
    uint64_t open = 0;
    int grant[4];

    if (net->memory)
        r.memory = net->memory + (size_t)number * (size_t)net->memory_words;
    for (uint32_t j = 0; j < 4; j++)
        open |= (UINT64_C(0xffff) & -(uint64_t)way_is_open(v, s, at, wire[j], 0, 0)) << 16 * j;
    for (uint32_t i = 0; i < 4; i++) {
        r.held[i] = lanes_of(v, s, base + i);
        r.row[i] = r.held[i] & open;
        busy += r.held[i] != 0;
    }
    swq_switch_stream_begin(&net->switch_stream, number, net->cycle);
    net->four(&r, &net->dice, grant);
    outcome o = list_granted(s, base, grant, out);
    o.busy = busy;
    return o;
}

/* Asks the arbiter's row, with the requests as queue lengths. */
SWQ_INLINE outcome arbitrate_by_row(swq_net *net, view v, shape s, const swq_stage_wiring *at,
                                    uint32_t number, uint32_t base, swq_leaving *out)
{
    if (lane_wise(s) && net->four)
        return arbitrate_by_words(net, v, s, at, number, base, out);
    swq_requests *r = &net->requests[0];
    const uint32_t open = s.queues > 1 && !s.pieces ? open_outputs(v, s, at, base) : 0;
    const uint32_t ports = (uint32_t)s.ports;
    uint32_t inputs = 0;
    int *asked = r->length[0];

    for (uint32_t i = 0; i < ports; i++, asked += SWQ_MAX_PORTS) {
        const size_t buffer = base + i;
        uint16_t copy[SWQ_PACKED_QUEUES];
        const uint16_t *length = lengths_of(v, s, buffer, copy);
        uint32_t busy, row = row_of(v, s, at, base, buffer, open, &busy);
        int waiting = 0;
        for (uint32_t j = 0; j < ports; j++)
            asked[j] = length[s.queues > 1 ? j : 0] & -(int)(row >> j & 1);
        for (uint32_t q = 0; q < (uint32_t)s.queues; q++)
            waiting += length[q];
        r->waiting[i] = waiting;
        inputs += busy;
    }
    outcome o = grant_by_row(net, s, number, base, out);
    o.busy = inputs;
    return o;
}

/* Called once in a million throws. The random arbiter does not distinguish the queues that may
 * send. */
SHARED outcome draw_by_row(swq_net *net, shape s, uint32_t number, uint32_t base,
                           const uint32_t *row, uint32_t all, swq_leaving *out)
{
    swq_requests *r = &net->requests[0];

    for (int i = 0; i < s.ports; i++) {
        const uint32_t bits = lane_wise(s) ? all >> 4 * i & 15 : row[i];
        for (int j = 0; j < s.ports; j++)
            r->length[i][j] = (int)(bits >> j & 1);
    }
    return grant_by_row(net, s, number, base, out);
}

/* Arbitrates a block of switches at random, from switch `sw` of the stage on. */
SWQ_INLINE int draw_block(swq_net *net, view v, shape s, const swq_stage_wiring *at, uint32_t sw,
                          uint32_t end, swq_input_count *count, swq_leaving *out)
{
    const uint32_t ports = (uint32_t)s.ports, switches = end - sw;
    const uint32_t number = (uint32_t)at->stage * net->switches + sw; /* of all switches */
    /* reads may go one element beyond the last word */
    uint64_t pair[2 * (SWQ_BLOCK_SWITCHES * MOST_BLOCKS + 1)];
    uint8_t blocks[SWQ_BLOCK_SWITCHES] = {0};
    asking a;
    int n = 0;
    uint32_t from = 0;

    a.busy = 0;
    for (uint32_t k = 0; k < switches; k++)
        blocks[k] = (uint8_t)((ask(v, s, at, (sw + k) * ports, k, &a) + 3) / 4);
    make_words(net, number, switches, blocks, pair);
    for (uint32_t k = 0; k < switches; k++) {
        const uint32_t base = (sw + k) * ports;
        thrower d = {.pair = pair + 2 * from};
        outcome o = lane_wise(s) ? draw_four(s, base, a.all[k], &d, out + n)
                                 : draw_rows(s, base, a.row[k], &d, out + n);
        if (__builtin_expect(d.doubtful, 0))
            o = draw_by_row(net, s, number + k, base, a.row[k], a.all[k], out + n);
        from += blocks[k];
        n += o.grants;
        count->sending += o.sent;
    }
    count->busy += a.busy;
    return n;
}

/* Asks the arbiter's row for each switch of a block, from switch `sw` of the stage on. */
SWQ_INLINE int ask_block(swq_net *net, view v, shape s, const swq_stage_wiring *at, uint32_t sw,
                         uint32_t end, swq_input_count *count, swq_leaving *out)
{
    const uint32_t first = (uint32_t)at->stage * net->switches;
    int n = 0;

    for (; sw < end; sw++) {
        const outcome o =
            arbitrate_by_row(net, v, s, at, first + sw, sw * (uint32_t)s.ports, out + n);
        n += o.grants;
        count->busy += o.busy;
        count->sending += o.sent;
    }
    return n;
}

#endif
