/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/csr.c against dense loops on random matrices of small whole numbers, for which every sum is
 * exact and every comparison an equality. Signed values, so that terms cancel: a stored zero is
 * pinned where terms meet, and no entry where none do.
 */
#include "tests/support/support.h"

#include <gsl/gsl_rng.h>
#include <stdint.h>

enum { MOST = 24, ROUNDS = 200 };

typedef struct {
    int rows, cols;
    bool stored[MOST][MOST];
    double value[MOST][MOST];
} dense_matrix;

static swq_context *ctx;
static gsl_rng *rng;

static void setup(void)
{
    ctx = swq_context_new();
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20240229);
}

static void teardown(void)
{
    swq_context_free(ctx);
    gsl_rng_free(rng);
}

TestSuite(csr, .init = setup, .fini = teardown, .timeout = 120);

static int below(int n)
{
    return (int)gsl_rng_uniform_int(rng, (unsigned long)n);
}

static dense_matrix random_dense(int rows, int cols)
{
    dense_matrix d = {.rows = rows, .cols = cols};
    double density = gsl_rng_uniform(rng);

    for (int i = 0; i < rows; i++) {
        bool empty = below(5) == 0;
        for (int j = 0; j < cols; j++) {
            d.stored[i][j] = !empty && gsl_rng_uniform(rng) < density;
            d.value[i][j] = d.stored[i][j] ? below(13) - 6 : 0;
        }
    }
    return d;
}

static swq_csr sparse(const dense_matrix *d)
{
    swq_csr m = {.rows = d->rows, .cols = d->cols};
    size_t most = (size_t)d->rows * (size_t)d->cols;

    m.start = swq_calloc(ctx, (size_t)d->rows + 1, sizeof *m.start);
    m.col = swq_calloc(ctx, most, sizeof *m.col);
    m.value = swq_calloc(ctx, most, sizeof *m.value);
    for (int i = 0; i < d->rows; i++) {
        m.start[i + 1] = m.start[i];
        for (int j = 0; j < d->cols; j++) {
            if (!d->stored[i][j])
                continue;
            m.col[m.start[i + 1]] = j;
            m.value[m.start[i + 1]++] = d->value[i][j];
        }
    }
    return m;
}

/* Same shape, same pattern, same values, columns ascending. */
static void expect_matrix(const swq_csr *m, const dense_matrix *d)
{
    cr_assert_eq(m->rows, d->rows);
    cr_assert_eq(m->cols, d->cols);
    cr_assert_eq(m->start[0], 0);
    for (int i = 0; i < d->rows; i++) {
        int64_t e = m->start[i];
        for (int j = 0; j < d->cols; j++) {
            if (!d->stored[i][j])
                continue;
            cr_assert_lt(e, m->start[i + 1], "row %d is short", i);
            cr_assert_eq(m->col[e], j, "row %d: column %d instead of %d", i, m->col[e], j);
            cr_assert_eq(m->value[e], d->value[i][j], "(%d, %d)", i, j);
            e++;
        }
        cr_assert_eq(e, m->start[i + 1], "row %d is long", i);
    }
}

Test(csr, product_is_that_of_a_dense_loop)
{
    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + below(MOST), m = 1 + below(MOST), k = 1 + below(MOST);
        dense_matrix a = random_dense(n, k), b = random_dense(k, m), c = {.rows = n, .cols = m};
        int64_t most = 0, terms = -1;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                int64_t met = 0;
                for (int x = 0; x < k; x++) {
                    met += a.stored[i][x] && b.stored[x][j];
                    c.value[i][j] += a.value[i][x] * b.value[x][j];
                }
                c.stored[i][j] = met > 0;
                most = met > most ? met : most;
            }
        }
        swq_csr sa = sparse(&a), sb = sparse(&b), product;
        cr_assert_eq(swq_csr_multiply(ctx, &sa, &sb, &product, &terms), SWQ_OK);
        expect_matrix(&product, &c);
        cr_assert_eq(terms, most, "round %d: %lld terms instead of %lld", round, (long long)terms,
                     (long long)most);
        swq_csr_clear(ctx, &product);
        swq_csr_clear(ctx, &sa);
        swq_csr_clear(ctx, &sb);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(csr, transpose_turns_and_turns_back)
{
    for (int round = 0; round < ROUNDS; round++) {
        dense_matrix a = random_dense(1 + below(MOST), 1 + below(MOST));
        dense_matrix turned = {.rows = a.cols, .cols = a.rows};
        for (int i = 0; i < a.rows; i++) {
            for (int j = 0; j < a.cols; j++) {
                turned.stored[j][i] = a.stored[i][j];
                turned.value[j][i] = a.value[i][j];
            }
        }
        swq_csr m = sparse(&a), t, back;
        cr_assert_eq(swq_csr_transpose(ctx, &m, &t), SWQ_OK);
        expect_matrix(&t, &turned);
        cr_assert_eq(swq_csr_transpose(ctx, &t, &back), SWQ_OK);
        expect_matrix(&back, &a);
        swq_csr_clear(ctx, &back);
        swq_csr_clear(ctx, &t);
        swq_csr_clear(ctx, &m);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(csr, products_with_vectors)
{
    for (int round = 0; round < ROUNDS; round++) {
        dense_matrix a = random_dense(1 + below(MOST), 1 + below(MOST));
        double x[MOST], y[MOST], right[MOST] = {0}, left[MOST] = {0}, out[MOST];
        for (int i = 0; i < MOST; i++) {
            x[i] = below(19) - 9;
            y[i] = below(19) - 9;
        }
        for (int i = 0; i < a.rows; i++) {
            for (int j = 0; j < a.cols; j++) {
                right[i] += a.value[i][j] * x[j];
                left[j] += y[i] * a.value[i][j];
            }
        }
        swq_csr m = sparse(&a);
        memset(out, 0xff, sizeof out); /* elements not written stay NaN, which equals nothing */
        swq_csr_times_vector(&m, x, out);
        for (int i = 0; i < a.rows; i++)
            cr_assert_eq(out[i], right[i], "row %d", i);
        memset(out, 0xff, sizeof out);
        swq_csr_vector_times(y, &m, out);
        for (int j = 0; j < a.cols; j++)
            cr_assert_eq(out[j], left[j], "column %d", j);
        swq_csr_clear(ctx, &m);
    }
}

Test(csr, nothing_but_empty_rows)
{
    dense_matrix a = {.rows = 3, .cols = 4}, b = {.rows = 4, .cols = 2},
                 none = {.rows = 3, .cols = 2};
    dense_matrix turned = {.rows = 4, .cols = 3};
    double x[4] = {1, 2, 3, 4}, y[3] = {7, 7, 7};
    int64_t terms = -1;
    swq_csr sa = sparse(&a), sb = sparse(&b), product, t;

    cr_assert_eq(swq_csr_multiply(ctx, &sa, &sb, &product, &terms), SWQ_OK);
    expect_matrix(&product, &none);
    cr_assert_eq(terms, 0);
    cr_assert_eq(swq_csr_nnz(&product), 0);
    cr_assert_eq(swq_csr_transpose(ctx, &sa, &t), SWQ_OK);
    expect_matrix(&t, &turned);
    swq_csr_times_vector(&sa, x, y);
    cr_assert(y[0] == 0 && y[1] == 0 && y[2] == 0);
    swq_csr_clear(ctx, &t);
    swq_csr_clear(ctx, &product);
    swq_csr_clear(ctx, &sa);
    swq_csr_clear(ctx, &sb);
}

Test(csr, no_rows_or_columns_at_all)
{
    dense_matrix a = {.rows = 0, .cols = 4}, b = {.rows = 4, .cols = 0}, none = {0};
    swq_csr sa = sparse(&a), sb = sparse(&b), product;

    cr_assert_eq(swq_csr_multiply(ctx, &sa, &sb, &product, NULL), SWQ_OK);
    expect_matrix(&product, &none);
    swq_csr_clear(ctx, &product);
    cr_assert_eq(swq_csr_multiply(ctx, &sb, &sa, &product, NULL), SWQ_OK);
    none.rows = none.cols = 4;
    expect_matrix(&product, &none);
    swq_csr_clear(ctx, &product);
    swq_csr_clear(ctx, &sa);
    swq_csr_clear(ctx, &sb);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(csr, dimensions_that_do_not_meet)
{
    dense_matrix a = random_dense(3, 4), b = random_dense(5, 2);
    swq_csr sa = sparse(&a), sb = sparse(&b), product = {.rows = 77};
    int64_t terms = 77;
    size_t blocks = swq_context_live_blocks(ctx);

    cr_assert_eq(swq_csr_multiply(ctx, &sa, &sb, &product, &terms), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "4 columns meet 5 rows"), "%s",
                       swq_context_message(ctx));
    cr_assert_eq(product.rows, 77, "the output was touched");
    cr_assert_eq(terms, 77, "the output was touched");
    cr_assert_eq(swq_context_live_blocks(ctx), blocks);
    swq_csr_clear(ctx, &sa);
    swq_csr_clear(ctx, &sb);
}

Test(csr, every_allocation_failing)
{
    dense_matrix a = random_dense(6, 6), b = random_dense(6, 6);
    swq_csr sa = sparse(&a), sb = sparse(&b), out = {.rows = 77};
    size_t blocks = swq_context_live_blocks(ctx);

    for (int transpose = 0; transpose < 2; transpose++) {
        for (int for_good = 0; for_good < 2; for_good++) {
            swq_status status = SWQ_ENOMEM;
            size_t after = 0;
            for (; status; after++) {
                cr_assert_lt(after, 100);
                swq_context_fail_allocations(ctx, after, for_good);
                status = transpose ? swq_csr_transpose(ctx, &sa, &out)
                                   : swq_csr_multiply(ctx, &sa, &sb, &out, NULL);
                if (!status)
                    break;
                cr_assert_eq(status, SWQ_ENOMEM);
                cr_assert_eq(out.rows, 77, "the output was touched");
                cr_assert_eq(swq_context_live_blocks(ctx), blocks, "leaked after %zu", after);
            }
            cr_assert_geq(after, 3); /* at least start, col, value */
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            swq_csr_clear(ctx, &out);
            out.rows = 77;
        }
    }
    swq_csr_clear(ctx, &sa);
    swq_csr_clear(ctx, &sb);
}

Test(csr, the_memory_limit_is_reported)
{
    dense_matrix a = random_dense(20, 20);
    swq_csr m = sparse(&a), out = {.rows = 77};

    swq_context_limit_memory(ctx, swq_context_live_bytes(ctx) + 100);
    cr_assert_eq(swq_csr_multiply(ctx, &m, &m, &out, NULL), SWQ_ELIMIT);
    cr_assert_eq(swq_csr_transpose(ctx, &m, &out), SWQ_ELIMIT);
    cr_assert_eq(out.rows, 77, "the output was touched");
    swq_csr_clear(ctx, &m);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_csr_clear(ctx, &m); /* safe on a zeroed struct */
}
