/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/arbiters/four.h: the second form of an arbiter, which reads requests as words, against its
 * first, on random requests: the same grants, the same memory afterwards, the same throws of the
 * dice.
 */
#include "models/arbiters/arbiters.h"
#include "models/arbiters/four.h"
#include "switchq/buffer.h"
#include "tests/support/support.h"

#include <gsl/gsl_rng.h>
#include <string.h>

TestSuite(four, .timeout = 60);

enum { TRIALS = 20000, WORDS = 8 };

/* The same requests in both forms. */
typedef struct {
    swq_requests general;
    int length[4][SWQ_MAX_PORTS]; /* of `general` */
    swq_four_requests four;
    uint16_t memory[2][WORDS];
} both_forms;

/* A length: often 0, often the same as others, sometimes the largest that there is. */
static int some_length(gsl_rng *rng)
{
    const unsigned long kind = gsl_rng_uniform_int(rng, 8);

    return kind < 3 ? 0 : kind < 7 ? (int)gsl_rng_uniform_int(rng, 4) : SWQ_MAX_SLOTS - (int)kind;
}

static void ask_something(both_forms *b, int words, gsl_rng *rng)
{
    memset(b, 0, sizeof *b);
    b->general.ports = 4;
    b->general.length = b->length;
    b->general.read_each_queue = b->four.read_each_queue = gsl_rng_uniform_int(rng, 3) == 0;
    b->general.iterations = b->four.iterations = 1 + (int)gsl_rng_uniform_int(rng, 4);
    b->general.memory = b->memory[0];
    b->four.memory = b->memory[1];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const uint64_t length = (uint64_t)some_length(rng);
            const bool open = gsl_rng_uniform_int(rng, 3) > 0;
            b->general.length[i][j] = open ? (int)length : 0;
            b->general.waiting[i] += (int)length;
            b->four.row[i] |= (open ? length : 0) << 16 * j;
            b->four.held[i] |= length << 16 * j;
        }
    }
    for (int w = 0; w < words; w++)
        b->memory[0][w] = b->memory[1][w] = (uint16_t)gsl_rng_uniform_int(rng, 4);
}

static void compare_forms(const swq_arbiter *arbiter, swq_arbitrate_four_fn *four, gsl_rng *rng)
{
    gsl_rng *one = gsl_rng_alloc(gsl_rng_mt19937), *other = gsl_rng_alloc(gsl_rng_mt19937);
    const int words = swq_arbiter_memory(arbiter, 4);
    swq_dice first, second;

    swq_dice_begin_sampling(&first, one);
    swq_dice_begin_sampling(&second, other);
    for (int trial = 0; trial < TRIALS; trial++) {
        both_forms b;
        int expected[SWQ_CHAIN_PORTS], grant[4];
        ask_something(&b, words, rng);
        arbiter->arbitrate(&b.general, &first, expected);
        if (arbiter->settle)
            arbiter->settle(&b.general, expected);
        four(&b.four, &second, grant);
        for (int j = 0; j < 4; j++)
            cr_assert_eq(grant[j], expected[j], "%s, trial %d, output %d", arbiter->name, trial, j);
        for (int w = 0; w < words; w++)
            cr_assert_eq(b.memory[1][w], b.memory[0][w], "%s, trial %d, word %d", arbiter->name,
                         trial, w);
        cr_assert_eq(gsl_rng_get(one), gsl_rng_get(other), "%s, trial %d", arbiter->name, trial);
    }
    gsl_rng_free(one);
    gsl_rng_free(other);
}

Test(four, the_second_form_of_an_arbiter_answers_as_the_first)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int forms = 0;

    for (const swq_arbiter *const *a = swq_arbiters; *a; a++) {
        swq_arbitrate_four_fn *four = swq_arbiter_four(*a);
        if (!four)
            continue;
        compare_forms(*a, four, rng);
        forms++;
    }
    gsl_rng_free(rng);
    cr_assert_eq(forms, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 5 : 0);
}

Test(four, bits_of_rows_and_columns)
{
    for (uint32_t asked = 0; asked < 1 << 16; asked++) {
        swq_four_requests r = {.iterations = 1};
        for (int b = 0; b < 16; b++)
            r.row[b / 4] |= (uint64_t)(asked >> b & 1 ? 1 + 2046 * (b & 1) : 0) << 16 * (b % 4);
        cr_assert_eq(swq_four_asked(&r), asked);
        for (int j = 0; j < 4; j++)
            cr_assert_eq(swq_four_column(asked, j), (asked >> j & 1) | (asked >> (4 + j) & 1) << 1 |
                                                        (asked >> (8 + j) & 1) << 2 |
                                                        (asked >> (12 + j) & 1) << 3);
    }
    for (uint32_t bits = 1; bits < 16; bits++) {
        int count = 0;
        for (int b = 0; b < 4; b++) {
            if (bits >> b & 1)
                cr_assert_eq(swq_four_bit(bits, count++), b);
        }
        cr_assert_eq(swq_four_count(bits), count);
    }
}
