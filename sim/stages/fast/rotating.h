/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rotating arbiter without a branch that depends on a queue's content: a queue's weight, its
 * tie-break and its number are packed into one word, so that the choice of the longest is a
 * maximum; a grant is written to the end of a list whether there is a grant or not, and the end
 * moves on only if there is one.
 */
#ifndef SWQ_SIM_STAGES_FAST_ROTATING_H
#define SWQ_SIM_STAGES_FAST_ROTATING_H

#include "sim/stages/fast/eight.h"
#include "sim/stages/fast/shape.h"

/* Buffers with one queue. */
SWQ_INLINE outcome arbitrate_heads(view v, shape s, const swq_stage_wiring *at, uint32_t base,
                                   uint32_t first, swq_leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const size_t buffers = base;
    uint32_t taken = 0;
    outcome o = {0};

    for (uint32_t k = 0; k < (uint32_t)s.ports; k++) {
        uint32_t i = first + k;
        i -= i >= (uint32_t)s.ports ? (uint32_t)s.ports : 0;
        uint32_t busy = v.length[buffers + i] != 0;
        uint32_t j = head_output(v, s, at, 0, buffers + i, 0);
        uint32_t go = busy & ~(taken >> j) & way_is_open(v, s, at, wire[j], buffers + i, 0);
        out[o.grants] = leave(s, base + i, j);
        o.grants += (int)go;
        taken |= go << j;
        o.busy += busy;
        o.sent += go;
        o.first_stays = k == 0 ? busy & ~go : o.first_stays;
    }
    return o;
}

/* Buffers with a queue for each output, four ports, and room that is the same for all queues of a
 * buffer: the four lengths of an input are a word of four lanes. The key of a lane is its length,
 * then its rank among equally long queues (two bits, from the pointer), then the number of the
 * queue (two bits); the best queue has the largest key. */
static const uint64_t lane_keys[4] = {
    UINT64_C(0x000300060009000c),
    UINT64_C(0x0007000a000d0000),
    UINT64_C(0x000b000e00010004),
    UINT64_C(0x000f000200050008),
};

SWQ_INLINE outcome arbitrate_four(view v, shape s, const swq_stage_wiring *at, uint32_t base,
                                  uint32_t first, swq_leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const size_t buffers = base;
    uint64_t open = 0;
    outcome o = {0};

    for (uint32_t j = 0; j < 4; j++)
        open |= (UINT64_C(0xffff) & -(uint64_t)way_is_open(v, s, at, wire[j], 0, 0)) << 16 * j;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t i = (first + k) & 3;
        const uint64_t lengths = lanes_of(v, s, buffers + i);
        const uint64_t key = (lengths & open) << 4 | lane_keys[first];
        const uint32_t a = key & 0xffff, b = key >> 16 & 0xffff, c = key >> 32 & 0xffff,
                       d = (uint32_t)(key >> 48);
        const uint32_t ab = a > b ? a : b, cd = c > d ? c : d, best = ab > cd ? ab : cd;
        const uint32_t j = best & 3, go = best > 15;
        out[o.grants] = leave(s, base + i, j);
        o.grants += (int)go;
        open &= ~((uint64_t)(0xffff & -go) << 16 * j);
        const uint32_t busy = lengths != 0;
        o.busy += busy;
        o.sent += go;
        o.first_stays = k == 0 ? busy & ~go : o.first_stays;
    }
    return o;
}

#ifdef __AVX2__ /* without AVX2, this code is slower than arbitrating one switch after another */

/* Four switches with four ports side by side: sixteen lanes. */
typedef int16_t lanes __attribute__((vector_size(32)));
typedef int64_t words __attribute__((vector_size(32)));
typedef uint16_t pointers __attribute__((vector_size(8)));

SWQ_INLINE lanes larger(lanes a, lanes b)
{
    return (lanes)_mm256_max_epi16((__m256i)a, (__m256i)b);
}

/* In every lane, the largest of the four in its word. */
SWQ_INLINE lanes largest_of_word(lanes a)
{
    /* by bytes: the halves of each word are swapped */
    const __m256i by_one = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2,
                                            3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);

    a = larger(a, (lanes)_mm256_shuffle_epi32((__m256i)a, _MM_SHUFFLE(2, 3, 0, 1)));
    return larger(a, (lanes)_mm256_shuffle_epi8((__m256i)a, by_one));
}

/* The lengths of switch sw's inputs, a word each, beginning with the pointer's input. */
SWQ_INLINE __m256i turned(view v, shape s, size_t buffer, uint32_t first)
{
    static const int32_t by_pointer[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                             {2, 3, 4, 5, 6, 7, 0, 1},
                                             {4, 5, 6, 7, 0, 1, 2, 3},
                                             {6, 7, 0, 1, 2, 3, 4, 5}};
    const __m256i w =
        s.word == PACKED
            ? _mm256_srli_epi16(lengths_of_switch(v.short_order + buffer * 4), 2)
            : _mm256_loadu_si256((const __m256i *)(const void *)(v.length + buffer * 4));
    const __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)by_pointer[first]);

    return _mm256_permutevar8x32_epi32(w, order);
}

/* The input lengths of four switches: input[k] has the input of each that comes k-th. */
SWQ_INLINE void take_turns(view v, shape s, size_t buffer, const uint16_t *pointer, words *input)
{
    const __m256i t0 = turned(v, s, buffer, pointer[0]), t1 = turned(v, s, buffer + 4, pointer[1]);
    const __m256i t2 = turned(v, s, buffer + 8, pointer[2]),
                  t3 = turned(v, s, buffer + 12, pointer[3]);
    const __m256i a = _mm256_unpacklo_epi64(t0, t1), b = _mm256_unpackhi_epi64(t0, t1);
    const __m256i c = _mm256_unpacklo_epi64(t2, t3), d = _mm256_unpackhi_epi64(t2, t3);

    /* the lower halves of two pairs, then the upper halves */
    input[0] = (words)_mm256_permute2x128_si256(a, c, 0x20);
    input[1] = (words)_mm256_permute2x128_si256(b, d, 0x20);
    input[2] = (words)_mm256_permute2x128_si256(a, c, 0x31);
    input[3] = (words)_mm256_permute2x128_si256(b, d, 0x31);
}

/* Appends those of four entries whose lane of `go` is set; writes four entries, and returns how
 * many count. */
SWQ_INLINE int append(words what, words go, swq_leaving *out)
{
    /* by the mask of four: moves the low halves of the words that are kept to the front */
    static const int32_t in_front[16][8] = {
        {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0, 0, 0},
        {0, 2, 0, 0, 0, 0, 0, 0}, {4, 0, 0, 0, 0, 0, 0, 0}, {0, 4, 0, 0, 0, 0, 0, 0},
        {2, 4, 0, 0, 0, 0, 0, 0}, {0, 2, 4, 0, 0, 0, 0, 0}, {6, 0, 0, 0, 0, 0, 0, 0},
        {0, 6, 0, 0, 0, 0, 0, 0}, {2, 6, 0, 0, 0, 0, 0, 0}, {0, 2, 6, 0, 0, 0, 0, 0},
        {4, 6, 0, 0, 0, 0, 0, 0}, {0, 4, 6, 0, 0, 0, 0, 0}, {2, 4, 6, 0, 0, 0, 0, 0},
        {0, 2, 4, 6, 0, 0, 0, 0}};
    const int mask = _mm256_movemask_pd((__m256d)go);
    const __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)in_front[mask]);
    const __m256i packed = _mm256_permutevar8x32_epi32((__m256i)what, order);

    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(packed));
    return __builtin_popcount((unsigned)mask);
}

/* Does what arbitrate_four does for four switches, with their pointers; returns the number of
 * grants. *busy: a count for each of the four. */
SWQ_INLINE int arbitrate_four_by_four(view v, shape s, const swq_stage_wiring *at, uint32_t base,
                                      uint16_t *pointer, words *busy, swq_leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const words none = {0};
    words first = {pointer[0], pointer[1], pointer[2], pointer[3]}, input[4], stays = none;
    const lanes keys =
        (lanes)(words){(int64_t)lane_keys[pointer[0]], (int64_t)lane_keys[pointer[1]],
                       (int64_t)lane_keys[pointer[2]], (int64_t)lane_keys[pointer[3]]};
    const words bases = (words){base, base + 4, base + 8, base + 12} << s.bits;
    lanes open;
    int grants = 0;

    take_turns(v, s, base, pointer, input);
    if (!s.asks) {
        open = (lanes)~none;
    } else {
        int16_t room[16];
        for (int k = 0; k < 16; k++)
            room[k] = (int16_t)v.seen_room[at->next + wire[k]];
        memcpy(&open, room, sizeof open);
        open = open != 0;
    }
    for (int k = 0; k < 4; k++) {
        const lanes key = ((lanes)input[k] & open) << 4 | keys, best = largest_of_word(key);
        const lanes go = best > 15;
        const words holds = input[k] != none;
        const words what = bases + (((first + k) & 3) << s.bits) + ((words)best & 3);
        open &= ~((key == best) & go);
        grants += append(what, (words)go, out + grants);
        *busy -= holds;
        stays = k == 0 ? holds & ~(words)go : stays;
    }
    first = (first + 1 + stays) & 3;
    const pointers after = __builtin_convertvector(first, pointers);
    memcpy(pointer, &after, sizeof after);
    return grants;
}

#endif

/* A queue for each output, in general. */
SWQ_INLINE outcome arbitrate_queues(view v, shape s, const swq_stage_wiring *at, uint32_t base,
                                    uint32_t first, swq_leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const size_t buffers = base;
    const uint32_t ports = (uint32_t)s.ports;
    uint32_t closed = 0, taken = 0;
    outcome o = {0};

    for (uint32_t j = 0; j < ports && !s.pieces; j++)
        closed |= (way_is_open(v, s, at, wire[j], 0, 0) ^ 1) << j;
    for (uint32_t k = 0; k < ports; k++) {
        uint32_t i = first + k, any = 0, best = 0, sent = 0;
        i -= i >= ports ? ports : 0;
        uint16_t copy[SWQ_PACKED_QUEUES];
        const uint16_t *length = lengths_of(v, s, buffers + i, copy);
        for (uint32_t j = 0; j < ports; j++) {
            uint32_t waiting = length[j], go = (waiting != 0) & ~((taken | closed) >> j);
            any |= waiting;
            if (s.pieces)
                go &= way_is_open(v, s, at, wire[j], buffers + i, j);
            if (s.each) {
                out[o.grants] = leave(s, base + i, j);
                o.grants += (int)go;
                taken |= go << j;
                sent |= go;
            } else {
                /* the longest queue; of equal ones the first from the pointer on */
                uint32_t turn = first - j + (first <= j ? ports : 0);
                uint32_t key = (waiting << 12 | turn << 6 | j) & -go;
                best = key > best ? key : best;
            }
        }
        if (!s.each) {
            const uint32_t j = best & 63;
            sent = best != 0;
            out[o.grants] = leave(s, base + i, j);
            o.grants += (int)sent;
            taken |= sent << j;
        }
        const uint32_t busy = any != 0;
        o.busy += busy;
        o.sent += sent;
        o.first_stays = k == 0 ? busy & ~sent : o.first_stays;
    }
    return o;
}

/* Arbitrates one switch with the given pointer. */
SWQ_INLINE outcome arbitrate(view v, shape s, const swq_stage_wiring *at, uint32_t base,
                             uint16_t *pointer, swq_leaving *out)
{
    const uint32_t first = *pointer;
    outcome o;

    if (s.queues == 1)
        o = arbitrate_heads(v, s, at, base, first, out);
    else if (lane_wise(s))
        o = arbitrate_four(v, s, at, base, first, out);
    else
        o = arbitrate_queues(v, s, at, base, first, out);
    const uint32_t after = first + 1 - o.first_stays;
    *pointer = (uint16_t)(after == (uint32_t)s.ports ? 0 : after);
    return o;
}

/* Arbitrates a block of switches, from switch `sw` of the stage on. */
SWQ_INLINE int rotate_block(swq_net *net, view v, shape s, const swq_stage_wiring *at, uint32_t sw,
                            uint32_t end, swq_input_count *count, swq_leaving *out)
{
    uint16_t *pointer = net->memory + (size_t)at->stage * net->switches + sw;
    uint32_t k = sw;
    int n = 0;

#ifdef __AVX2__
    if (s.word == PACKED && lane_wise(s)) {
        const uint32_t base = 4 * sw, groups = (end - sw) / EIGHT;
        const group_of_eight g = {.queue = v.short_order + 4 * base,
                                  .pointer = pointer,
                                  .wire = at->wire + base,
                                  .room = s.asks ? v.seen_room + at->next : NULL};
        n = groups ? arbitrate_by_eight(g, base, groups, &count->busy, out) : 0;
        count->sending += (uint64_t)n;
        k += groups * EIGHT;
    }
    words busy_four = {0};
    for (; lane_wise(s) && end - k >= 4; k += 4) {
        const int more =
            arbitrate_four_by_four(v, s, at, 4 * k, pointer + (k - sw), &busy_four, out + n);
        n += more;
        count->sending += (uint64_t)more;
    }
    count->busy += (uint64_t)(busy_four[0] + busy_four[1] + busy_four[2] + busy_four[3]);
#endif
    for (; k < end; k++) {
        outcome o = arbitrate(v, s, at, k * (uint32_t)s.ports, pointer + (k - sw), out + n);
        n += o.grants;
        count->busy += o.busy;
        count->sending += o.sent;
    }
    return n;
}

#endif
