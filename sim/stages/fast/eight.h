/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rotating arbiter for switches with four ports and packed buffers, without a branch: 32 bytes
 * are the queues of eight inputs, one of each switch of a group, and the inputs have their turns
 * one after the other. A turn waits for the one before, so two groups take turns side by side.
 */
#ifndef SWQ_SIM_STAGES_FAST_EIGHT_H
#define SWQ_SIM_STAGES_FAST_EIGHT_H

#include "sim/stages/fast/shape.h"

#ifdef __AVX2__

enum { EIGHT = 8 };

/* Eight words of 32 bits, or 32 bytes: four queues in each word. */
typedef uint32_t eight __attribute__((vector_size(32)));
typedef int8_t queues_of_eight __attribute__((vector_size(32)));

enum { GROUPS = 2 /* at once */ };

/* The state that is read of a group of eight switches. */
typedef struct {
    const uint16_t *queue; /* [128] */
    uint16_t *pointer;     /* [8] */
    const uint32_t *wire;  /* [32] from their outputs to ... */
    const uint16_t *room;  /* ... buffers of the next stage, in seen_room; NULL: all take packets */
} group_of_eight;

/* The arbitration of such a group. */
typedef struct {
    eight first, bases;   /* the pointers; the first input of each switch, as `leaving` has it */
    eight input[4];       /* the input of each that comes k-th: four times its queues' lengths */
    queues_of_eight rank; /* among equally long queues: highest at the pointer's output */
    queues_of_eight open; /* outputs that can be taken */
    eight holds, waits;   /* minus the inputs that hold packets; minus 1: the first one waits */
} turns_of_eight;

/* Four times the length of each of 16 queues, in 16 bits. */
SWQ_INLINE __m256i lengths_of_switch(const uint16_t *queue)
{
    const __m256i ones = _mm256_set1_epi16(0x1111);
    const __m256i word = _mm256_loadu_si256((const __m256i *)(const void *)queue);

    /* the product's highest four bits are the sum of the four bits, and the two below are 0 */
    return _mm256_srli_epi16(_mm256_mullo_epi16(_mm256_and_si256(word, ones), ones), 10);
}

/* The inputs of switches k and k + 4, four bytes each, beginning with the input to which the
 * pointer points. */
SWQ_INLINE __m256i turned_pair(const uint16_t *queue, eight first, uint32_t k)
{
    const eight order =
        (eight)_mm256_permutevar8x32_epi32(
            (__m256i)first, (__m256i)(eight){k, k, k, k, k + 4, k + 4, k + 4, k + 4}) +
        (eight){0, 1, 2, 3, 0, 1, 2, 3};
    const __m256i both = _mm256_packus_epi16(lengths_of_switch(queue + (size_t)16 * k),
                                             lengths_of_switch(queue + (size_t)16 * k + 64));

    /* packing mixes the halves of the two; of `order` only the lowest two bits count */
    return _mm256_castps_si256(_mm256_permutevar_ps(
        _mm256_castsi256_ps(_mm256_permute4x64_epi64(both, _MM_SHUFFLE(3, 1, 2, 0))),
        (__m256i)order));
}

/* The inputs of eight switches: input[k] has the input of each that comes k-th. */
SWQ_INLINE void take_eight_turns(const uint16_t *queue, eight first, eight *input)
{
    const __m256i p0 = turned_pair(queue, first, 0), p1 = turned_pair(queue, first, 1);
    const __m256i p2 = turned_pair(queue, first, 2), p3 = turned_pair(queue, first, 3);
    const __m256i a = _mm256_unpacklo_epi32(p0, p1), b = _mm256_unpackhi_epi32(p0, p1);
    const __m256i c = _mm256_unpacklo_epi32(p2, p3), d = _mm256_unpackhi_epi32(p2, p3);

    input[0] = (eight)_mm256_unpacklo_epi64(a, c);
    input[1] = (eight)_mm256_unpackhi_epi64(a, c);
    input[2] = (eight)_mm256_unpacklo_epi64(b, d);
    input[3] = (eight)_mm256_unpackhi_epi64(b, d);
}

/* The value of seen_room for the buffers to which 16 lines lead. */
SWQ_INLINE __m128i rooms_of_sixteen(const uint32_t *to, const uint16_t *room)
{
    __m128i r = _mm_cvtsi32_si128(room[to[0]]);

#define ROOM(k) r = _mm_insert_epi8(r, room[to[k]], k)
    ROOM(1), ROOM(2), ROOM(3), ROOM(4), ROOM(5), ROOM(6), ROOM(7), ROOM(8);
    ROOM(9), ROOM(10), ROOM(11), ROOM(12), ROOM(13), ROOM(14), ROOM(15);
#undef ROOM
    return r;
}

/* For 32 lines, whether the buffers to which they lead have room: all bits of a byte, or none. */
SWQ_INLINE queues_of_eight open_of_eight(const uint32_t *to, const uint16_t *room)
{
    return (queues_of_eight)_mm256_set_m128i(rooms_of_sixteen(to + 16, room),
                                             rooms_of_sixteen(to, room)) != 0;
}

/* In every byte, the largest of the four in its word. */
SWQ_INLINE queues_of_eight largest_of_four(queues_of_eight a)
{
    const __m256i by_two = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2,
                                            3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    const __m256i by_one = _mm256_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1,
                                            0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    __m256i m = (__m256i)a;

    m = _mm256_max_epi8(m, _mm256_shuffle_epi8(m, by_two));
    return (queues_of_eight)_mm256_max_epi8(m, _mm256_shuffle_epi8(m, by_one));
}

/* Appends those of eight entries whose bit is set in the mask; writes eight entries, and returns
 * how many of these count. */
SWQ_INLINE int append_of_eight(eight what, uint32_t mask, swq_leaving *out)
{
    const uint64_t bytes = _pdep_u64(mask, UINT64_C(0x0101010101010101)) * 255;
    const uint64_t kept = _pext_u64(UINT64_C(0x0706050403020100), bytes);
    const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)kept));

    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permutevar8x32_epi32((__m256i)what, order));
    return __builtin_popcount(mask);
}

/* Appends the numbers of those of the 32 sources from `first` on whose bit is set in the mask;
 * writes up to eight numbers too many, and returns how many count. */
SWQ_INLINE uint32_t append_sources(uint32_t first, uint32_t mask, uint32_t *out)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < 32; k += EIGHT)
        n += (uint32_t)append_of_eight(first + k + (eight){0, 1, 2, 3, 4, 5, 6, 7}, mask >> k & 255,
                                       out + n);
    return n;
}

/* Which of 32 sources offer a packet; birth: the cycles in which their packets are created. */
SWQ_INLINE uint32_t offers_of(const uint32_t *birth, uint32_t now)
{
    const __m256i latest = _mm256_set1_epi32((int)now);
    uint32_t mask = 0;

    for (uint32_t k = 0; k < 32; k += EIGHT) {
        const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(birth + k));
        const __m256i due = _mm256_cmpeq_epi32(_mm256_min_epu32(b, latest), b);
        mask |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(due)) << k;
    }
    return mask;
}

/* Of four buffers, the entry of the next packet, in 64 bits each. */
SWQ_INLINE __m256i next_of_four(const uint16_t *queue, int slots)
{
    /* by an entry: a bit for its slot; and by the bits of the slots in use */
    const __m256i bit = _mm256_setr_epi8(0, 1, 0, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2,
                                         0, 4, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i next = _mm256_setr_epi8(1, 3, 1, 5, 1, 3, 1, 7, 1, 3, 1, 5, 1, 3, 1, 0, 1, 3, 1,
                                          5, 1, 3, 1, 7, 1, 3, 1, 5, 1, 3, 1, 0);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)queue);
    const __m256i even = _mm256_shuffle_epi8(bit, _mm256_and_si256(words, low));
    const __m256i odd =
        _mm256_shuffle_epi8(bit, _mm256_and_si256(_mm256_srli_epi16(words, 4), low));
    /* no two packets have the same slot, so that a sum is as good as a union */
    const __m256i used = _mm256_sad_epu8(_mm256_or_si256(even, odd), _mm256_setzero_si256());
    /* slots that do not exist are in use; the upper bytes give 0 */
    const __m256i missing =
        _mm256_set1_epi64x((int64_t)(UINT64_C(0x8080808080808000) | (15 << slots & 15)));

    return _mm256_shuffle_epi8(next, _mm256_or_si256(used, missing));
}

/* The entries of the next packets of 16 buffers, in 16 bits each. */
SWQ_INLINE void show_sixteen(const uint16_t *queue, int slots, uint16_t *seen)
{
    const __m256i a =
        _mm256_packus_epi32(next_of_four(queue, slots), next_of_four(queue + 16, slots));
    const __m256i b =
        _mm256_packus_epi32(next_of_four(queue + 32, slots), next_of_four(queue + 48, slots));
    const __m256i mixed = _mm256_packus_epi32(a, b); /* buffers 0, 1, 4, 5 and so on */

    _mm256_storeu_si256(
        (__m256i *)(void *)seen,
        _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}

/* The entries of the next packets of four buffers. */
SWQ_INLINE void show_four(const uint16_t *queue, int slots, uint16_t *seen)
{
    const __m256i next = next_of_four(queue, slots);
    const __m256i narrow = _mm256_packus_epi32(next, next);
    const __m256i both = _mm256_packus_epi32(narrow, narrow);
    const uint64_t two[2] = {(uint32_t)_mm256_extract_epi32(both, 0),
                             (uint32_t)_mm256_extract_epi32(both, 4)};
    const uint64_t all = two[1] << 32 | two[0];

    memcpy(seen, &all, sizeof all);
}

SWQ_INLINE void begin_turns(const group_of_eight *g, uint32_t base, turns_of_eight *t)
{
    const eight none = {0};
    const queues_of_eight byte = (queues_of_eight)(none + 0x03020100);

    t->first =
        (eight)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)g->pointer));
    t->bases = (base + (eight){0, 4, 8, 12, 16, 20, 24, 28}) << 2;
    t->rank = ((queues_of_eight)(t->first * 0x01010101) - byte - 1) & 3;
    t->open = g->room ? open_of_eight(g->wire, g->room) : ~(queues_of_eight)none;
    t->holds = t->waits = none;
    take_eight_turns(g->queue, t->first, t->input);
}

/* The inputs that come k-th have their turn; returns the number of grants. */
SWQ_INLINE int take_turn(turns_of_eight *t, uint32_t k, swq_leaving *out)
{
    const queues_of_eight key = ((queues_of_eight)t->input[k] & t->open) | t->rank;
    const queues_of_eight best = largest_of_four(key);
    const queues_of_eight go = best > 3;
    const eight holds = (eight)(t->input[k] != 0);
    const eight output = (t->first - 1 - (eight)best) & 3, input = (t->first + k) & 3;

    t->open &= ~((queues_of_eight)(key == best) & go);
    t->holds += holds;
    if (k == 0)
        t->waits = holds & ~(eight)go;
    return append_of_eight(t->bases | input << 2 | output, (uint32_t)_mm256_movemask_ps((__m256)go),
                           out);
}

/* The pointers move on, unless the first input waits. */
SWQ_INLINE void end_turns(const turns_of_eight *t, uint16_t *pointer)
{
    const __m256i next = (__m256i)((t->first + 1 + t->waits) & 3);

    _mm_storeu_si128(
        (__m128i *)(void *)pointer,
        _mm_packus_epi32(_mm256_castsi256_si128(next), _mm256_extracti128_si256(next, 1)));
}

/* Arbitrates `groups` groups, whose first one begins at line `base`; adds minus the inputs that
 * hold packets to *holds. Returns the number of grants. */
SWQ_INLINE int arbitrate_groups(group_of_eight g, uint32_t base, uint32_t groups, eight *holds,
                                swq_leaving *out)
{
    turns_of_eight t[GROUPS];
    uint16_t *pointer = g.pointer;
    int n = 0;

    for (uint32_t h = 0; h < groups; h++) {
        begin_turns(&g, base + h * 4 * EIGHT, &t[h]);
        g = (group_of_eight){g.queue + 16 * EIGHT, g.pointer + EIGHT, g.wire + 4 * EIGHT, g.room};
    }
    for (uint32_t k = 0; k < 4; k++) {
        for (uint32_t h = 0; h < groups; h++)
            n += take_turn(&t[h], k, out + n);
    }
    for (uint32_t h = 0; h < groups; h++) {
        *holds += t[h].holds;
        end_turns(&t[h], pointer + h * EIGHT);
    }
    return n;
}

/* Arbitrates `groups` groups, whose first one begins at line `base`. *busy: inputs that hold
 * packets. Returns the number of grants. */
SHARED int arbitrate_by_eight(group_of_eight g, uint32_t base, uint32_t groups, uint64_t *busy,
                              swq_leaving *out)
{
    eight holds = {0};
    int n = 0;

    for (; groups >= GROUPS; groups -= GROUPS) {
        n += arbitrate_groups(g, base, GROUPS, &holds, out + n);
        g = (group_of_eight){g.queue + 16 * GROUPS * EIGHT, g.pointer + GROUPS * EIGHT,
                             g.wire + 4 * GROUPS * EIGHT, g.room};
        base += 4 * GROUPS * EIGHT;
    }
    if (groups)
        n += arbitrate_groups(g, base, 1, &holds, out + n);
    for (int k = 0; k < EIGHT; k++)
        *busy += -holds[k];
    return n;
}

#endif
#endif
