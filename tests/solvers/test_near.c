/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * solvers/near.c: the coarse factor has an entry for each pair of groups that the fine one connects
 * and no other, and its weights are the sums of what the entries carry. Whole numbers, so that
 * sums are exact.
 */
#include "base/packed.h"
#include "solvers/near.h"
#include "tests/support/support.h"

#include <gsl/gsl_rng.h>
#include <string.h>

enum { ROWS = 3000, COLS = 70000, EACH = 4 };

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

TestSuite(near, .init = setup, .fini = teardown, .timeout = 60);

/* The same sums by the places in a pattern that is known already. */
static void expect_places(const swq_csr *m, const int32_t *group, const int32_t *next,
                          const double *x, const swq_csr *into)
{
    double *sum = calloc((size_t)swq_csr_nnz(into), sizeof *sum);
    swq_near near = {0};

    cr_assert_eq(swq_near_place(ctx, m, group, next, into, &near), SWQ_OK);
    swq_near_weigh(m, group, x, &near, into, 0, 1, sum);
    for (int64_t e = 0; e < swq_csr_nnz(into); e++)
        cr_assert_eq(sum[e], into->value[e]);
    swq_near_clear(ctx, &near);
    free(sum);
}

static void expect_sums(int groups, int next_groups, int values)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *sum = calloc((size_t)groups * (size_t)next_groups, sizeof *sum),
           *x = calloc(ROWS, sizeof *x);
    int32_t *group = calloc(ROWS, sizeof *group), *next = calloc(COLS, sizeof *next);
    swq_csr m = {.rows = ROWS, .cols = COLS}, into = {0};
    swq_near near = {0};

    m.start = swq_calloc(ctx, ROWS + 1, sizeof *m.start);
    m.col = swq_calloc(ctx, ROWS * EACH, sizeof *m.col);
    m.value = swq_calloc(ctx, ROWS * EACH, sizeof *m.value);
    for (int i = 0; i < ROWS; i++) {
        group[i] = (int32_t)gsl_rng_uniform_int(rng, (unsigned)groups);
        x[i] = (double)(1 + gsl_rng_uniform_int(rng, 50));
    }
    for (int j = 0; j < COLS; j++)
        next[j] = (int32_t)gsl_rng_uniform_int(rng, (unsigned)next_groups);
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < EACH; k++) {
            int e = i * EACH + k;
            m.col[e] = (int32_t)(k * (COLS / EACH) + (int)gsl_rng_uniform_int(rng, COLS / EACH));
            m.value[e] = (double)(1 + gsl_rng_uniform_int(rng, (unsigned)values));
            sum[group[i] * next_groups + next[m.col[e]]] += x[i] * m.value[e];
        }
        m.start[i + 1] = (int64_t)(i + 1) * EACH;
    }
    cr_assert_eq(swq_csr_pack(ctx, &m), SWQ_OK);
    cr_assert_eq(swq_near_find(ctx, &m, group, groups, next, next_groups, &into, &near), SWQ_OK);
    cr_assert(into.rows == groups && into.cols == next_groups);
    for (int64_t part = 0; part < 3; part++) /* some of them without a strip */
        swq_near_weigh(&m, group, x, &near, &into, part, 3, into.value);
    swq_near_let_go(&near);
    swq_csr plain = {0};
    cr_assert_eq(swq_csr_unpack(ctx, &m, &plain), SWQ_OK);
    expect_places(&m, group, next, x, &into);
    expect_places(&plain, group, next, x, &into);
    swq_csr_clear(ctx, &plain);
    for (int64_t i = 0; i < groups; i++) {
        for (int64_t e = into.start[i]; e < into.start[i + 1]; e++) {
            double *expected = &sum[i * next_groups + into.col[e]];
            cr_assert(into.value[e] == *expected && *expected > 0, "%lld to %d: %g, not %g",
                      (long long)i, into.col[e], into.value[e], *expected);
            cr_assert(e == into.start[i] || into.col[e] > into.col[e - 1]);
            *expected = 0;
        }
    }
    for (int64_t k = 0; k < (int64_t)groups * next_groups; k++)
        cr_assert_eq(sum[k], 0, "pair %lld is missing", (long long)k);
    swq_near_clear(ctx, &near);
    swq_csr_clear(ctx, &into);
    swq_csr_clear(ctx, &m);
    free(sum);
    free(x);
    free(group);
    free(next);
    gsl_rng_free(rng);
}

Test(near, sums_by_pairs_of_groups)
{
    expect_sums(40, 30, 20);   /* bytes tell which */
    expect_sums(3, 2000, 20);  /* rows too long for bytes */
    expect_sums(70, 90, 900);  /* words of five bytes */
    expect_sums(3, 3000, 900); /* both */
    expect_sums(1, 1, 1);
}
