/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/context.c: every byte and block counted, the limit kept, failures injected where asked.
 * Not pinned: the size of what lies in front of a block.
 */
#include "tests/support/support.h"

#include <stdalign.h>
#include <stdint.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(context, .init = setup, .fini = teardown, .timeout = 120);

static void expect_counts(size_t live, size_t peak, size_t blocks)
{
    cr_assert_eq(swq_context_live_bytes(ctx), live, "live %zu", swq_context_live_bytes(ctx));
    cr_assert_eq(swq_context_peak_bytes(ctx), peak, "peak %zu", swq_context_peak_bytes(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), blocks, "%zu blocks", swq_context_live_blocks(ctx));
}

static bool all_bytes(const unsigned char *block, size_t from, size_t to, unsigned char value)
{
    for (size_t i = from; i < to; i++) {
        if (block[i] != value)
            return false;
    }
    return true;
}

Test(context, a_new_one_is_empty)
{
    expect_counts(0, 0, 0);
    cr_assert_eq(swq_context_memory_limit(ctx), 0);
    cr_assert_str_empty(swq_context_message(ctx));
    cr_assert_not(swq_context_cancelled(ctx));
    swq_context_free(NULL);
}

Test(context, counts_are_exact)
{
    void *a = swq_calloc(ctx, 10, 3);
    expect_counts(30, 30, 1);
    void *b = swq_calloc(ctx, 5, 8);
    expect_counts(70, 70, 2);
    a = swq_resize(ctx, a, 20, 3);
    expect_counts(100, 100, 2);
    swq_free(ctx, b);
    expect_counts(60, 100, 1);
    a = swq_resize(ctx, a, 4, 3);
    expect_counts(12, 100, 1);
    b = swq_resize(ctx, NULL, 11, 8); /* 12 + 88: reaches the old peak, and does not exceed it */
    expect_counts(100, 100, 2);
    b = swq_resize(ctx, b, 12, 8);
    expect_counts(108, 108, 2);
    swq_free(ctx, b);
    swq_free(ctx, a);
    swq_free(ctx, NULL);
    expect_counts(0, 108, 0);
}

Test(context, an_empty_block_is_a_block)
{
    void *block = swq_calloc(ctx, 0, 8);
    cr_assert_not_null(block);
    expect_counts(0, 0, 1);
    block = swq_resize(ctx, block, 3, 8);
    cr_assert(all_bytes(block, 0, 24, 0));
    expect_counts(24, 24, 1);
    swq_free(ctx, block);
    expect_counts(0, 24, 0);
}

Test(context, blocks_are_zeroed_and_aligned)
{
    for (size_t bytes = 1; bytes < 5000; bytes = bytes * 2 + 1) {
        unsigned char *block = swq_calloc(ctx, bytes, 1);
        cr_assert_eq((uintptr_t)block % alignof(max_align_t), 0, "%zu bytes", bytes);
        cr_assert(all_bytes(block, 0, bytes, 0), "%zu bytes", bytes);
        memset(block, 0xa5, bytes);
        swq_free(ctx, block);
    }
    expect_counts(0, swq_context_peak_bytes(ctx), 0);
}

Test(context, resize_keeps_the_old_and_zeroes_the_new)
{
    unsigned char *block = swq_calloc(ctx, 8, 1);
    memset(block, 0xa5, 8);
    for (size_t bytes = 16; bytes <= 1 << 20; bytes *= 4) {
        size_t before = bytes == 16 ? 8 : bytes / 4;
        block = swq_resize(ctx, block, bytes, 1);
        cr_assert(all_bytes(block, 0, before, 0xa5), "%zu bytes", bytes);
        cr_assert(all_bytes(block, before, bytes, 0), "%zu bytes", bytes);
        memset(block, 0xa5, bytes);
    }
    block = swq_resize(ctx, block, 5, 1);
    cr_assert(all_bytes(block, 0, 5, 0xa5));
    block = swq_resize(ctx, block, 64, 1); /* what was cut off does not come back */
    cr_assert(all_bytes(block, 5, 64, 0));
    swq_free(ctx, block);
}

Test(context, the_limit_is_kept_to_the_byte)
{
    swq_context_limit_memory(ctx, 100);
    cr_assert_eq(swq_context_memory_limit(ctx), 100);
    cr_assert_null(swq_calloc(ctx, 101, 1));
    cr_assert_eq(swq_memory_status(ctx), SWQ_ELIMIT);
    unsigned char *block = swq_calloc(ctx, 60, 1);
    cr_assert_not_null(block);
    cr_assert_null(swq_calloc(ctx, 41, 1));
    memset(block, 0xa5, 60);
    cr_assert_null(swq_resize(ctx, block, 101, 1));
    cr_assert_eq(swq_memory_status(ctx), SWQ_ELIMIT);
    cr_assert_not_null(strstr(swq_context_message(ctx), "limit of 100 bytes"), "%s",
                       swq_context_message(ctx));
    cr_assert(all_bytes(block, 0, 60, 0xa5));
    expect_counts(60, 60, 1);
    block = swq_resize(ctx, block, 100, 1); /* its old 60 do not count twice */
    cr_assert_not_null(block);
    cr_assert_null(swq_calloc(ctx, 1, 1));
    expect_counts(100, 100, 1);
    swq_context_limit_memory(ctx, 0);
    void *more = swq_calloc(ctx, 1000, 1);
    cr_assert_not_null(more);
    swq_context_limit_memory(ctx, 1000); /* below what is allocated: nothing is taken away */
    expect_counts(1100, 1100, 2);
    cr_assert_null(swq_calloc(ctx, 1, 1));
    swq_free(ctx, more);
    swq_free(ctx, block);
}

Test(context, multiplication_overflow_is_caught)
{
    static const struct {
        size_t count, size;
    } cases[] = {
        {SIZE_MAX, 1},        {SIZE_MAX - 1, 1},     {1, SIZE_MAX},        {SIZE_MAX / 2 + 1, 2},
        {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 8 + 2, 8}, {(size_t)1 << 63, 2}, {SIZE_MAX / 3 + 1, 3},
    };
    void *block = swq_calloc(ctx, 3, 5);

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cr_assert_null(swq_calloc(ctx, cases[c].count, cases[c].size), "case %zu", c);
        cr_assert_eq(swq_memory_status(ctx), SWQ_ELIMIT);
        cr_assert_null(swq_resize(ctx, block, cases[c].count, cases[c].size), "case %zu", c);
        expect_counts(15, 15, 1);
    }
    swq_free(ctx, block);
}

/* Whatever the library returns for them, and whatever size a block had before. */
Test(context, larger_blocks_begin_at_a_line_of_the_cache)
{
    enum { BLOCKS = 12, LEAST = 1000 };
    unsigned char *block[BLOCKS] = {0};

    for (size_t turn = 0; turn < 40; turn++) {
        for (size_t k = 0; k < BLOCKS; k++) {
            const size_t bytes = LEAST + (turn * 7919 + k * 1237) % 9000;
            block[k] = swq_resize(ctx, block[k], bytes, 1);
            if (bytes >= 2048)
                cr_assert_eq((uintptr_t)block[k] % 64, 0, "%zu bytes", bytes);
            for (size_t at = 0; turn > 0 && at < LEAST; at++)
                cr_assert_eq(block[k][at], (k + 31 * at) % 251, "%zu bytes, at %zu", bytes, at);
            for (size_t at = 0; at < bytes; at++)
                block[k][at] = (unsigned char)((k + 31 * at) % 251);
        }
    }
    for (size_t k = 0; k < BLOCKS; k++)
        swq_free(ctx, block[k]);
}

/* Without a memory limit, no message may speak of one. */
Test(context, overflow_does_not_blame_a_limit_that_is_not_set)
{
    cr_assert_null(swq_calloc(ctx, SIZE_MAX, 8));
    cr_assert_null(strstr(swq_context_message(ctx), "limit of 0 bytes"), "%s",
                   swq_context_message(ctx));
}

Test(context, injected_failure_once)
{
    void *block[4];

    swq_context_fail_allocations(ctx, 2, false);
    for (int i = 0; i < 4; i++)
        block[i] = swq_calloc(ctx, 1, 8);
    cr_assert_not_null(block[0]);
    cr_assert_not_null(block[1]);
    cr_assert_null(block[2]);
    cr_assert_eq(swq_memory_status(ctx), SWQ_ENOMEM);
    cr_assert_not_null(strstr(swq_context_message(ctx), "no memory for 1 x 8 bytes"), "%s",
                       swq_context_message(ctx));
    cr_assert_not_null(block[3]);
    expect_counts(24, 24, 3);
    for (int i = 0; i < 4; i++)
        swq_free(ctx, block[i]);
}

Test(context, injected_failure_for_good)
{
    swq_context_fail_allocations(ctx, 1, true);
    unsigned char *block = swq_calloc(ctx, 8, 1);
    cr_assert_not_null(block);
    memset(block, 0xa5, 8);
    for (int i = 0; i < 3; i++) {
        cr_assert_null(swq_calloc(ctx, 1, 8));
        cr_assert_null(swq_resize(ctx, block, 16, 1));
        cr_assert_eq(swq_memory_status(ctx), SWQ_ENOMEM);
        cr_assert(all_bytes(block, 0, 8, 0xa5));
        expect_counts(8, 8, 1);
    }
    swq_context_fail_allocations(ctx, SIZE_MAX, true);
    block = swq_resize(ctx, block, 16, 1);
    cr_assert_not_null(block);
    swq_free(ctx, block);
}

Test(context, messages)
{
    char expected[64], endless[2000];

    cr_assert_eq(swq_fail(ctx, SWQ_EPERIODIC, "%s of %d", "period", 3), SWQ_EPERIODIC);
    cr_assert_str_eq(swq_context_message(ctx), "period of 3");
    cr_assert_eq(swq_fail(ctx, SWQ_EINVAL, "%s", ""), SWQ_EINVAL);
    cr_assert_str_empty(swq_context_message(ctx));

    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    swq_fail(ctx, SWQ_EINVAL, "begin %s", endless);
    const char *message = swq_context_message(ctx);
    snprintf(expected, sizeof expected, "begin %.50s", endless);
    cr_assert_eq(strncmp(message, expected, strlen(expected)), 0, "%s", message);
    cr_assert_lt(strlen(message), sizeof endless);
}

static void count_up(void *arg, const char *stage, double done, double total)
{
    double *sum = arg;

    cr_assert_str_eq(stage, "counting");
    cr_assert_eq(total, 9);
    *sum += done;
}

Test(context, progress_goes_to_whoever_watches)
{
    double sum = 0;

    swq_progress(ctx, "counting", 1, 9); /* there is no callback */
    swq_context_watch(ctx, count_up, &sum);
    swq_progress(ctx, "counting", 2, 9);
    swq_progress(ctx, "counting", 4, 9);
    cr_assert_eq(sum, 6);
    swq_context_watch(ctx, NULL, NULL);
    swq_progress(ctx, "counting", 8, 9);
    cr_assert_eq(sum, 6);
}

/* Two contexts in a process do not affect each other. */
Test(context, no_global_state)
{
    swq_context *other = swq_context_new();

    swq_context_limit_memory(other, 10);
    swq_context_fail_allocations(other, 0, true);
    swq_context_cancel(other);
    swq_fail(other, SWQ_EIO, "other");
    void *block = swq_calloc(ctx, 100, 1);
    cr_assert_not_null(block);
    expect_counts(100, 100, 1);
    cr_assert_str_empty(swq_context_message(ctx));
    cr_assert_not(swq_context_cancelled(ctx));
    cr_assert(swq_context_cancelled(other));
    cr_assert_eq(swq_context_live_bytes(other), 0);
    swq_free(ctx, block);
    swq_context_free(other);
}

Test(context, every_status_has_a_text_of_its_own)
{
    for (int a = SWQ_OK; a <= SWQ_ECANCELLED; a++) {
        const char *text = swq_status_text((swq_status)a);
        cr_assert_not_null(text, "status %d", a);
        cr_assert_str_not_empty(text, "status %d", a);
        for (int b = SWQ_OK; b < a; b++)
            cr_assert_str_neq(text, swq_status_text((swq_status)b), "statuses %d and %d", b, a);
    }
    cr_assert_str_not_empty(swq_status_text((swq_status)(SWQ_ECANCELLED + 1)));
    cr_assert_str_not_empty(swq_status_text((swq_status)-1));
}
