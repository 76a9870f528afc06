/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/packed.c: what was packed comes out as it was, and vectors pass through it to the same bits,
 * with few values and many, gaps that need bridges, several strips, rows and columns without
 * entries; by any number of threads (base/team.c).
 */
#include "base/packed.h"
#include "base/team.h"
#include "solvers/operator.h"
#include "tests/support/support.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdint.h>
#include <string.h>

static swq_context *ctx;
static gsl_rng *rng;

static void setup(void)
{
    ctx = swq_context_new();
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20261123);
}

static void teardown(void)
{
    gsl_rng_free(rng);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(packed, .init = setup, .fini = teardown, .timeout = 60);

/* A random matrix by rows; a row has entries with probability `density`, at most `most` of them. */
static swq_csr random_matrix(int64_t rows, int64_t cols, double density, int most, int values)
{
    swq_csr m = {.rows = rows, .cols = cols};

    m.start = swq_calloc(ctx, (size_t)rows + 1, sizeof *m.start);
    m.col = swq_calloc(ctx, (size_t)(rows * most) + 1, sizeof *m.col);
    m.value = swq_calloc(ctx, (size_t)(rows * most) + 1, sizeof *m.value);
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = m.start[i];
        int count =
            gsl_rng_uniform(rng) < density ? 1 + (int)gsl_rng_uniform_int(rng, (unsigned)most) : 0;
        int64_t step = cols / most, col = 0;
        for (int k = 0; k < count; k++) {
            m.col[at] = (int32_t)(col + (int64_t)gsl_rng_uniform_int(rng, (unsigned)step));
            m.value[at++] = 1.0 / (3 + (double)gsl_rng_uniform_int(rng, (unsigned)values));
            col += step;
        }
        m.start[i + 1] = at;
    }
    return m;
}

static swq_csr copy_of(const swq_csr *m)
{
    size_t entries = (size_t)swq_csr_nnz(m);
    swq_csr copy = {.rows = m->rows, .cols = m->cols};

    copy.start = swq_calloc(ctx, (size_t)m->rows + 1, sizeof *copy.start);
    copy.col = swq_calloc(ctx, entries + 1, sizeof *copy.col);
    copy.value = swq_calloc(ctx, entries + 1, sizeof *copy.value);
    memcpy(copy.start, m->start, sizeof *copy.start * ((size_t)m->rows + 1));
    memcpy(copy.col, m->col, sizeof *copy.col * entries);
    memcpy(copy.value, m->value, sizeof *copy.value * entries);
    return copy;
}

static double *random_vector(int64_t n)
{
    double *x = swq_calloc(ctx, (size_t)n, sizeof *x);

    for (int64_t i = 0; i < n; i++)
        x[i] = gsl_rng_uniform_pos(rng);
    return x;
}

static void expect_same_entries(const swq_csr *packed, const swq_csr *m, const char *what)
{
    swq_csr back = {0};
    size_t entries = (size_t)swq_csr_nnz(m);

    cr_assert_eq(swq_csr_nnz(packed), swq_csr_nnz(m), "%s", what);
    cr_assert_eq(swq_csr_unpack(ctx, packed, &back), SWQ_OK);
    cr_assert(memcmp(back.start, m->start, sizeof *m->start * ((size_t)m->rows + 1)) == 0, "%s",
              what);
    cr_assert(memcmp(back.col, m->col, sizeof *m->col * entries) == 0, "%s", what);
    cr_assert(memcmp(back.value, m->value, sizeof *m->value * entries) == 0, "%s", what);
    swq_csr_clear(ctx, &back);
}

static void expect_same_products(const swq_csr *packed, const swq_csr *m, const char *what)
{
    double *x = random_vector(m->rows), *y = random_vector(m->cols), *z = random_vector(m->cols);
    long double *fine = swq_calloc(ctx, (size_t)m->rows, sizeof *fine);
    long double *a = swq_calloc(ctx, (size_t)m->cols, sizeof *a);
    swq_compensated split = {random_vector(m->rows),
                             swq_calloc(ctx, (size_t)m->rows, sizeof *split.low)};
    int64_t tallest = 0;
    int32_t *terms = swq_calloc(ctx, (size_t)m->cols, sizeof *terms);

    swq_csr_vector_times(x, m, y);
    swq_csr_vector_times(x, packed, z);
    cr_assert(memcmp(y, z, sizeof *y * (size_t)m->cols) == 0, "%s", what);
    for (int64_t i = 0; i < m->rows; i++) {
        fine[i] = x[i] / 3.0L; /* more digits than a double has */
        swq_compensated_put(&split, i, fine[i]);
        cr_assert(fabsl(swq_compensated_get(&split, i) - fine[i]) <= 0x1p-63L * fine[i]);
    }
    for (int64_t s = 0; s < packed->packed->strips; s++) {
        swq_packed_add_times(packed, s, fine, a + s * SWQ_STRIP);
        swq_packed_add_times_compensated(packed, s, &split, a + s * SWQ_STRIP);
    }
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            a[m->col[e]] -= 2 * fine[i] * m->value[e];
            tallest = ++terms[m->col[e]] > tallest ? terms[m->col[e]] : tallest;
        }
    }
    for (int64_t j = 0; j < m->cols; j++)
        cr_assert(a[j] < 1e-16 && a[j] > -1e-16, "%s: column %lld", what, (long long)j);
    swq_free(ctx, split.high);
    swq_free(ctx, split.low);
    cr_assert_eq(packed->packed->tallest, tallest, "%s", what);
    swq_free(ctx, x);
    swq_free(ctx, y);
    swq_free(ctx, z);
    swq_free(ctx, fine);
    swq_free(ctx, a);
    swq_free(ctx, terms);
}

Test(packed, keeps_entries_and_products)
{
    const struct {
        const char *what;
        int64_t rows, cols;
        double density;
        int most, values;
        bool wide;
    } cases[] = {
        {"few values", 500, 700, 1, 5, 20, false},
        {"as many as a byte tells", 20000, 300, 1, 5, 255, false},
        {"many values", 20000, 300, 1, 5, 2000, true},
        {"long gaps", 90000, 50, 0.001, 3, 9, false},
        {"long gaps, many values", 400000, 50, 0.003, 3, 600, true},
        {"three strips", 9000, 150000, 0.9, 6, 40, false},
        {"strips without entries", 20, 400000, 0.5, 2, 4, false},
        {"just one strip", 3000, SWQ_STRIP, 0.9, 3, 4, false},
        {"nothing", 40, 30, 0, 3, 4, false},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_csr m = random_matrix(cases[c].rows, cases[c].cols, cases[c].density, cases[c].most,
                                  cases[c].values);
        swq_csr packed = copy_of(&m);
        cr_assert_eq(swq_csr_pack(ctx, &packed), SWQ_OK);
        cr_assert(packed.packed && !packed.start && !packed.col && !packed.value, "%s",
                  cases[c].what);
        cr_assert_eq(packed.packed->wide, cases[c].wide, "%s", cases[c].what);
        expect_same_entries(&packed, &m, cases[c].what);
        expect_same_products(&packed, &m, cases[c].what);
        swq_csr_clear(ctx, &packed);
        swq_csr_clear(ctx, &m);
    }
}

/* A random permutation. */
static int32_t *shuffled(int64_t n)
{
    int32_t *place = swq_calloc(ctx, (size_t)n + 1, sizeof *place);

    for (int64_t i = 0; i < n; i++)
        place[i] = (int32_t)i;
    gsl_ran_shuffle(rng, place, (size_t)n, sizeof *place);
    return place;
}

/* Row i of m becomes row[i], column j col[j]: by looking for each entry. */
static void expect_arranged(const swq_csr *packed, const swq_csr *m, const int32_t *row,
                            const int32_t *col, const char *what)
{
    swq_csr plain;

    cr_assert(packed->packed && packed->rows == m->rows && packed->cols == m->cols);
    cr_assert_eq(swq_csr_unpack(ctx, packed, &plain), SWQ_OK);
    cr_assert_eq(swq_csr_nnz(&plain), swq_csr_nnz(m), "%s", what);
    for (int64_t i = 0; i < m->rows; i++) {
        const int64_t from = plain.start[row[i]], to = plain.start[row[i] + 1];
        cr_assert_eq(to - from, m->start[i + 1] - m->start[i], "%s: row %lld", what, (long long)i);
        for (int64_t e = from + 1; e < to; e++)
            cr_assert_lt(plain.col[e - 1], plain.col[e], "%s", what);
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            int64_t at = from;
            while (at < to && plain.col[at] != col[m->col[e]])
                at++;
            cr_assert(at < to && plain.value[at] == m->value[e], "%s: row %lld", what,
                      (long long)i);
        }
    }
    swq_csr_clear(ctx, &plain);
}

Test(packed, arranged_entries_go_where_their_rows_and_columns_go)
{
    const struct {
        const char *what;
        int64_t rows, cols;
        double density;
        int most, values;
    } cases[] = {
        {"few values", 5000, 700, 1, 5, 20},     {"many values", 20000, 300, 1, 5, 2000},
        {"long gaps", 90000, 50, 0.001, 3, 9},   {"three strips", 9000, 150000, 0.9, 6, 40},
        {"empty strips", 20, 400000, 0.5, 2, 4}, {"nothing", 40, 30, 0, 3, 4},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_csr m = random_matrix(cases[c].rows, cases[c].cols, cases[c].density, cases[c].most,
                                  cases[c].values);
        swq_csr packed = copy_of(&m);
        int32_t *row = shuffled(m.rows), *col = shuffled(m.cols);
        cr_assert_eq(swq_csr_pack(ctx, &packed), SWQ_OK);
        const bool wide = packed.packed->wide;
        const int64_t entries = packed.packed->entries;
        cr_assert_eq(swq_packed_arrange(ctx, &packed, row, col), SWQ_OK);
        cr_assert(packed.packed->wide == wide && packed.packed->entries == entries);
        expect_arranged(&packed, &m, row, col, cases[c].what);
        swq_free(ctx, row);
        swq_free(ctx, col);
        swq_csr_clear(ctx, &packed);
        swq_csr_clear(ctx, &m);
    }
}

Test(packed, arranging_may_fail_at_every_allocation)
{
    for (size_t after = 0;; after++) {
        swq_csr m = random_matrix(3000, 70000, 1, 5, 700);
        int32_t *row = shuffled(m.rows), *col = shuffled(m.cols);
        cr_assert_eq(swq_csr_pack(ctx, &m), SWQ_OK);
        swq_context_fail_allocations(ctx, after, true);
        const swq_status status = swq_packed_arrange(ctx, &m, row, col);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
        swq_csr_clear(ctx, &m);
        swq_free(ctx, row);
        swq_free(ctx, col);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        if (!status)
            break;
    }
}

Test(packed, too_many_values_stay_in_rows)
{
    swq_csr m = random_matrix(30000, 40, 1, 4, 10);
    int64_t entries = swq_csr_nnz(&m);

    for (int64_t e = 0; e < entries; e++)
        m.value[e] = 1 / (double)(1 + e);
    cr_assert(entries > 65536);
    cr_assert_eq(swq_csr_pack(ctx, &m), SWQ_OK);
    cr_assert(m.packed == NULL && m.value && m.value[0] == 1 && swq_csr_nnz(&m) == entries);
    swq_csr_clear(ctx, &m);
}

Test(packed, every_allocation_may_fail)
{
    for (size_t after = 0;; after++) {
        swq_csr m = random_matrix(3000, 70000, 1, 5, 700);
        swq_context_fail_allocations(ctx, after, true);
        swq_status status = swq_csr_pack(ctx, &m);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || (status == SWQ_ENOMEM && !m.packed && m.start));
        swq_csr_clear(ctx, &m);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        if (!status)
            break;
    }
}

Test(packed, any_number_of_threads_gives_the_same_bytes)
{
    swq_csr factor[2] = {random_matrix(150000, 200000, 1, 4, 30),
                         random_matrix(200000, 150000, 1, 3, 400)};
    const swq_product p = {2, factor, 0, false};
    double *first = NULL, *start = random_vector(150000);

    for (int k = 0; k < 2; k++)
        cr_assert_eq(swq_csr_pack(ctx, &factor[k]), SWQ_OK);
    for (int threads = 1; threads <= 5; threads += 2) {
        swq_context *own = swq_context_new();
        swq_operator op;
        swq_context_use_threads(own, threads);
        cr_assert_eq(swq_operator_init(own, &p, 0, &op), SWQ_OK);
        memcpy(op.level[0], start, sizeof *start * 150000);
        swq_operator_spread(&op, NULL);
        if (!first) {
            first = random_vector(150000);
            memcpy(first, op.level[2], sizeof *first * 150000);
        }
        cr_assert(memcmp(first, op.level[2], sizeof *first * 150000) == 0, "%d threads", threads);
        swq_operator_clear(own, &op);
        swq_context_free(own);
    }
    swq_free(ctx, first);
    swq_free(ctx, start);
    swq_csr_clear(ctx, &factor[0]);
    swq_csr_clear(ctx, &factor[1]);
}

static void count_task(void *arg, int64_t task)
{
    ((int *)arg)[task]++;
}

Test(packed, a_team_does_each_task_once)
{
    int done[1000] = {0};

    for (int threads = 1; threads <= 4; threads++) {
        swq_context *own = swq_context_new();
        swq_context_use_threads(own, threads);
        for (int job = 0; job < 200; job++)
            swq_team_run(own, 1000, count_task, done);
        swq_team_run(own, 0, count_task, done);
        swq_context_free(own);
        for (int k = 0; k < 1000; k++)
            cr_assert_eq(done[k], 200 * threads, "task %d", k);
    }
}
