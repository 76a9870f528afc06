/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches with four ports, whose requests are words: what an input asks for is a row of four lanes
 * of 16 bits, one for each output. Some arbiters have a second form that reads these. It answers as
 * their first form does, with the same throws of the dice, and a simulator need not write the
 * matrix that the first form reads. Lane 0 is the lowest on machines on which it is the first in
 * memory; others have no such forms.
 */
#ifndef SWQ_MODELS_FOUR_H
#define SWQ_MODELS_FOUR_H

#include "switchq/arbiter.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* As swq_requests. No length is above SWQ_MAX_SLOTS. */
typedef struct swq_four_requests {
    uint64_t row[4];  /* the lengths of input i's queues that may send */
    uint64_t held[4]; /* the lengths of all its queues, 0 if its buffer is empty */
    bool read_each_queue;
    int iterations;
    uint16_t *memory;
} swq_four_requests;

/* `arbitrate` followed by `settle`, in one function. */
typedef void swq_arbitrate_four_fn(const swq_four_requests *requests, swq_dice *dice, int *grant);

/* The second form of an arbiter, for four ports; NULL: the arbiter has none. */
swq_arbitrate_four_fn *swq_arbiter_four(const swq_arbiter *arbiter);

swq_arbitrate_four_fn swq_rotating_four, swq_advancing_four, swq_islip_four, swq_longest_four,
    swq_random_four;

/* The four lanes of a row as a vector that the compiler adds and compares, with four further lanes
 * that are ignored. */
typedef int16_t swq_lanes __attribute__((vector_size(16)));

typedef uint64_t swq_two_rows __attribute__((vector_size(16)));

static inline swq_lanes swq_lanes_of(uint64_t row)
{
    return (swq_lanes)(swq_two_rows){row, 0};
}

static inline uint64_t swq_row_of(swq_lanes lanes)
{
    return ((swq_two_rows)lanes)[0];
}

static inline swq_lanes swq_all_lanes(int16_t value)
{
    return (swq_lanes){value, value, value, value, value, value, value, value};
}

/* In every lane, the larger of two. */
static inline swq_lanes swq_larger_lanes(swq_lanes a, swq_lanes b)
{
#ifdef __SSE2__
    return (swq_lanes)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    const swq_lanes more = a > b;
    return (a & more) | (b & ~more);
#endif
}

/* In every lane, the largest of all four. */
static inline swq_lanes swq_largest_lane(swq_lanes a)
{
    a = swq_larger_lanes(a, (swq_lanes){a[2], a[3], a[0], a[1], a[4], a[5], a[6], a[7]});
    return swq_larger_lanes(a, (swq_lanes){a[1], a[0], a[3], a[2], a[4], a[5], a[6], a[7]});
}

/* The lanes that are not 0, a bit each. No lane has its highest bit set: an addition sets the
 * highest bit of each lane that is not 0, and a product gathers these bits. */
static inline uint32_t swq_lanes_in_use(uint64_t row)
{
    const uint64_t highest = (row + UINT64_C(0x7fff7fff7fff7fff)) & UINT64_C(0x8000800080008000);

    return (uint32_t)((highest >> 15) * UINT64_C(0x0001000200040008) >> 48);
}

/* The rows as bits: bit 4 i + j says that input i asks for output j. */
static inline uint32_t swq_four_asked(const swq_four_requests *r)
{
    return swq_lanes_in_use(r->row[0]) | swq_lanes_in_use(r->row[1]) << 4 |
           swq_lanes_in_use(r->row[2]) << 8 | swq_lanes_in_use(r->row[3]) << 12;
}

/* A column of the bits of swq_four_asked: the inputs that ask for output j. */
static inline uint32_t swq_four_column(uint32_t asked, int j)
{
    return (asked >> j & 0x1111) * 0x249 >> 9 & 15;
}

/* The number of four bits that are set, and which of them is number `turn`, counted from 0. */
static inline int swq_four_count(uint32_t bits)
{
    return (int)(UINT64_C(0x4332322132212110) >> 4 * bits & 15);
}

static inline int swq_four_bit(uint32_t bits, int turn)
{
    while (turn-- > 0)
        bits &= bits - 1;
    return __builtin_ctz(bits);
}

#endif
