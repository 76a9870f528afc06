/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/growing.c: rows come out merged and in order, refusals beside them, whatever the order
 * and number of outcomes; too small a probability and failed allocations are reported.
 */
#include "models/growing.h"
#include "tests/support/support.h"

#include <gsl/gsl_rng.h>
#include <stdint.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(growing, .init = setup, .fini = teardown, .timeout = 120);

static void add(swq_growing *g, int64_t col, long double value, long double refused)
{
    cr_assert_eq(swq_growing_add(ctx, g, col, value, refused, 0), SWQ_OK);
}

Test(growing, outcomes_are_merged_by_column)
{
    swq_growing g = {0};
    swq_csr m, refused, pairs = {0};

    add(&g, 3, 0.25, 0);
    add(&g, 1, 0.125, 0.25);
    add(&g, 3, 0.25, 0.125);
    add(&g, 0, 0.25, 0);
    add(&g, 1, 0.125, 0.5);
    cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_OK);
    add(&g, 2, 1, 0);
    cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_OK);
    cr_assert_eq(g.most_met, 2);
    cr_assert_not(g.inexact, "all are binary fractions");
    cr_assert_eq(swq_growing_end(ctx, &g, 5, &m, &refused, &pairs), SWQ_OK);
    swq_growing_clear(ctx, &g);
    const int32_t col[] = {0, 1, 3, 2}, met[] = {1, 3};
    const double value[] = {0.25, 0.25, 0.5, 1}, lost[] = {0.75, 0.125};
    cr_assert(m.rows == 2 && m.cols == 5 && refused.rows == 2 && refused.cols == 5);
    cr_assert(m.start[1] == 3 && m.start[2] == 4 && refused.start[1] == 2 && refused.start[2] == 2);
    cr_assert_eq(memcmp(m.col, col, sizeof col), 0);
    cr_assert_eq(memcmp(m.value, value, sizeof value), 0);
    cr_assert_eq(memcmp(refused.col, met, sizeof met), 0);
    cr_assert_eq(memcmp(refused.value, lost, sizeof lost), 0);
    cr_assert_eq(swq_csr_nnz(&pairs), 0);
    swq_csr_clear(ctx, &pairs);
    swq_csr_clear(ctx, &m);
    swq_csr_clear(ctx, &refused);
}

/* Pairs of refusals are a separate matrix, with a row for each row even if the first rows had
 * none. */
Test(growing, pairs_that_come_late)
{
    swq_growing g = {0};
    swq_csr m, refused, pairs = {0};

    for (int r = 0; r < 100; r++) {
        cr_assert_eq(swq_growing_add(ctx, &g, 0, 0.5, 0.25, 0), SWQ_OK);
        cr_assert_eq(swq_growing_add(ctx, &g, r % 3, 0.25, 0.5, r < 70 ? 0 : 0.125), SWQ_OK);
        cr_assert_eq(swq_growing_add(ctx, &g, r % 3, 0.25, 0.5, r < 70 ? 0 : 0.5), SWQ_OK);
        cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_OK);
    }
    cr_assert_eq(swq_growing_end(ctx, &g, 3, &m, &refused, &pairs), SWQ_OK);
    swq_growing_clear(ctx, &g);
    cr_assert(pairs.rows == 100 && pairs.cols == 3 && pairs.start[70] == 0);
    for (int r = 70; r < 100; r++) {
        cr_assert_eq(pairs.start[r + 1], r - 69);
        cr_assert_eq(pairs.col[r - 70], r % 3);
        cr_assert_eq(pairs.value[r - 70], 0.625);
    }
    swq_csr_clear(ctx, &m);
    swq_csr_clear(ctx, &refused);
    swq_csr_clear(ctx, &pairs);
}

/* Rows of many lengths, on both sides of where the sorting method changes, compared with sums kept
 * in an array. */
Test(growing, rows_of_every_length)
{
    enum { COLS = 97, ROWS = 400 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    long double(*sum)[COLS] = calloc(ROWS, sizeof *sum), (*lost)[COLS] = calloc(ROWS, sizeof *lost);
    int most = 0;
    swq_growing g = {0};
    swq_csr m, refused, pairs = {0};

    gsl_rng_set(rng, 3);
    for (int r = 0; r < ROWS; r++) {
        int met[COLS] = {0};
        for (int k = 0; k <= r % 130; k++) {
            int c = (int)gsl_rng_uniform_int(rng, r % 3 ? COLS : 5);
            long double value = (1 + gsl_rng_uniform_int(rng, 1000)) / 1024.0L;
            long double out = k % 4 ? 0 : value / 2;
            add(&g, c, value, out);
            sum[r][c] += value;
            lost[r][c] += out;
            most = ++met[c] > most ? met[c] : most;
        }
        cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_OK);
    }
    cr_assert_eq(g.most_met, most);
    cr_assert_eq(swq_growing_end(ctx, &g, COLS, &m, &refused, &pairs), SWQ_OK);
    swq_growing_clear(ctx, &g);
    for (int r = 0; r < ROWS; r++) {
        int64_t e = m.start[r], f = refused.start[r];
        for (int c = 0; c < COLS; c++) { /* sums with few binary digits, which are exact */
            if (sum[r][c] > 0) {
                cr_assert(e < m.start[r + 1] && m.col[e] == c);
                cr_assert_eq(m.value[e++], (double)sum[r][c]);
            }
            if (lost[r][c] > 0) {
                cr_assert(f < refused.start[r + 1] && refused.col[f] == c);
                cr_assert_eq(refused.value[f++], (double)lost[r][c]);
            }
        }
        cr_assert(e == m.start[r + 1] && f == refused.start[r + 1]);
    }
    swq_csr_clear(ctx, &m);
    swq_csr_clear(ctx, &refused);
    swq_csr_clear(ctx, &pairs);
    free(sum);
    free(lost);
    gsl_rng_free(rng);
}

/* One rounding where something had to be rounded, and a little for intermediate steps. */
Test(growing, roundings)
{
    swq_growing g = {0};

    add(&g, 0, 0.5, 0);
    add(&g, 1, 0.5, 0);
    cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_OK);
    double exact = swq_growing_roundings(&g, 0);
    cr_assert(exact >= 0 && swq_growing_roundings(&g, 9) > exact);
    add(&g, 0, 1.0L / 3, 0);
    add(&g, 1, 2.0L / 3, 0);
    cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_OK);
    cr_assert_eq(swq_growing_roundings(&g, 0), exact + (sizeof(long double) > sizeof(double)));
    swq_growing_clear(ctx, &g);
}

Test(growing, too_small_a_probability)
{
    swq_growing g = {0};

    add(&g, 0, 1, 0);
    add(&g, 1, 1e-291L, 0);
    cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_ERANGE);
    cr_assert_not_null(strstr(swq_context_message(ctx), "too small"), "%s",
                       swq_context_message(ctx));
    cr_assert_eq(g.rows, 0);
    swq_growing_clear(ctx, &g);
    for (int k = 0; k < 20; k++) /* many small ones together are a probability that counts */
        add(&g, 1, 1e-291L, 0);
    cr_assert_eq(swq_growing_finish(ctx, &g), SWQ_OK);
    swq_growing_clear(ctx, &g);
}

static swq_status build(swq_growing *g, swq_csr *m, swq_csr *refused, swq_csr *pairs)
{
    swq_status status = SWQ_OK;

    for (int r = 0; r < 200 && !status; r++) {
        for (int k = 0; k <= r && !status; k++)
            status = swq_growing_add(ctx, g, (k * 7) % 211, 0.001L, k % 2 ? 0.0005L : 0,
                                     k % 3 ? 0 : 0.0001L);
        if (!status)
            status = swq_growing_finish(ctx, g);
    }
    return status ? status : swq_growing_end(ctx, g, 211, m, refused, pairs);
}

Test(growing, every_allocation_failing)
{
    for (size_t after = 0;; after++) {
        swq_growing g = {0};
        swq_csr m = {.rows = 77}, refused = {.rows = 77}, pairs = {.rows = 77};
        cr_assert_lt(after, 1000);
        swq_context_fail_allocations(ctx, after, true);
        swq_status status = build(&g, &m, &refused, &pairs);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        swq_growing_clear(ctx, &g);
        if (!status) {
            cr_assert_eq(m.rows, 200);
            swq_csr_clear(ctx, &m);
            swq_csr_clear(ctx, &refused);
            swq_csr_clear(ctx, &pairs);
            cr_assert_gt(after, 20);
            break;
        }
        cr_assert_eq(status, SWQ_ENOMEM);
        cr_assert(m.rows == 77 && refused.rows == 77 && pairs.rows == 77,
                  "the outputs were touched");
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "leaked after %zu", after);
    }
}
