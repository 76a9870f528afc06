/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse matrices by rows: product, transpose, and products with a vector.
 */
#include "switchq/csr.h"

#include "base/context.h"
#include "base/packed.h"

#include <assert.h>
#include <stdlib.h>

void swq_csr_clear(swq_context *ctx, swq_csr *m)
{
    swq_free(ctx, m->start);
    swq_free(ctx, m->col);
    swq_free(ctx, m->value);
    swq_packed_free(ctx, m->packed);
    *m = (swq_csr){0};
}

static swq_status allocate(swq_context *ctx, swq_csr *m, int64_t rows, int64_t cols)
{
    *m = (swq_csr){.rows = rows, .cols = cols};
    m->start = swq_calloc(ctx, (size_t)rows + 1, sizeof *m->start);
    return m->start ? SWQ_OK : swq_memory_status(ctx);
}

static swq_status allocate_entries(swq_context *ctx, swq_csr *m)
{
    size_t nnz = (size_t)m->start[m->rows];
    m->col = swq_calloc(ctx, nnz, sizeof *m->col);
    m->value = m->col ? swq_calloc(ctx, nnz, sizeof *m->value) : NULL;
    return m->value ? SWQ_OK : swq_memory_status(ctx);
}

static int by_column(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Count the distinct columns of each row of the product; marker[j] == i means that row i already
 * has column j. */
static void count_product(const swq_csr *a, const swq_csr *b, swq_csr *c, int64_t *marker)
{
    for (int64_t j = 0; j < b->cols; j++)
        marker[j] = -1;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t count = 0;
        for (int64_t e = a->start[i]; e < a->start[i + 1]; e++) {
            int32_t k = a->col[e];
            for (int64_t f = b->start[k]; f < b->start[k + 1]; f++) {
                if (marker[b->col[f]] != i) {
                    marker[b->col[f]] = i;
                    count++;
                }
            }
        }
        c->start[i + 1] = c->start[i] + count;
    }
}

swq_status swq_csr_multiply(swq_context *ctx, const swq_csr *a, const swq_csr *b, swq_csr *product,
                            int64_t *terms)
{
    swq_csr c = {0};
    double *sum = NULL;
    int64_t *marker = NULL, *met = NULL, most = 0;
    swq_status status;

    if (a->cols != b->rows)
        return swq_fail(ctx, SWQ_EINVAL, "matrix product: %lld columns meet %lld rows",
                        (long long)a->cols, (long long)b->rows);
    assert(a->start && b->start);
    status = allocate(ctx, &c, a->rows, b->cols);
    if (status)
        return status;
    sum = swq_calloc(ctx, (size_t)b->cols, sizeof *sum);
    marker = swq_calloc(ctx, (size_t)b->cols, sizeof *marker);
    met = swq_calloc(ctx, (size_t)b->cols, sizeof *met);
    if (!sum || !marker || !met) {
        status = swq_memory_status(ctx);
        goto done;
    }
    count_product(a, b, &c, marker);
    status = allocate_entries(ctx, &c);
    if (status)
        goto done;

    for (int64_t j = 0; j < b->cols; j++)
        marker[j] = -1;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t next = c.start[i];
        for (int64_t e = a->start[i]; e < a->start[i + 1]; e++) {
            int32_t k = a->col[e];
            for (int64_t f = b->start[k]; f < b->start[k + 1]; f++) {
                int32_t j = b->col[f];
                if (marker[j] != i) {
                    marker[j] = i;
                    sum[j] = 0;
                    met[j] = 0;
                    c.col[next++] = j;
                }
                sum[j] += a->value[e] * b->value[f];
                most = ++met[j] > most ? met[j] : most;
            }
        }
        qsort(c.col + c.start[i], (size_t)(next - c.start[i]), sizeof *c.col, by_column);
        for (int64_t e = c.start[i]; e < next; e++)
            c.value[e] = sum[c.col[e]];
    }
    *product = c;
    c = (swq_csr){0};
    if (terms)
        *terms = most;

done:
    swq_csr_clear(ctx, &c);
    swq_free(ctx, met);
    swq_free(ctx, marker);
    swq_free(ctx, sum);
    return status;
}

swq_status swq_csr_transpose(swq_context *ctx, const swq_csr *m, swq_csr *out)
{
    swq_csr t = {0};
    swq_status status = allocate(ctx, &t, m->cols, m->rows);
    if (status)
        return status;
    for (int64_t e = 0; e < swq_csr_nnz(m); e++)
        t.start[m->col[e] + 1]++;
    for (int64_t j = 0; j < t.rows; j++)
        t.start[j + 1] += t.start[j];
    status = allocate_entries(ctx, &t);
    if (status) {
        swq_csr_clear(ctx, &t);
        return status;
    }
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            int64_t at = t.start[m->col[e]]++;
            t.col[at] = (int32_t)i;
            t.value[at] = m->value[e];
        }
    }
    for (int64_t j = t.rows; j > 0; j--) /* start[j] now holds the end of row j: shift back */
        t.start[j] = t.start[j - 1];
    t.start[0] = 0;
    *out = t;
    return SWQ_OK;
}

void swq_csr_times_vector(const swq_csr *m, const double *x, double *y)
{
    for (int64_t i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            sum += m->value[e] * x[m->col[e]];
        y[i] = sum;
    }
}

void swq_csr_vector_times(const double *x, const swq_csr *m, double *y)
{
    for (int64_t s = 0; m->packed && s < m->packed->strips; s++)
        swq_packed_times(m, s, x, y);
    if (m->packed)
        return;
    for (int64_t j = 0; j < m->cols; j++)
        y[j] = 0;
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            y[m->col[e]] += x[i] * m->value[e];
    }
}

void swq_grouping_clear(swq_context *ctx, swq_grouping *g)
{
    for (int k = 0; g->of && k < g->depth * g->levels; k++)
        swq_free(ctx, g->of[k]);
    swq_free(ctx, g->of);
    swq_free(ctx, g->groups);
    *g = (swq_grouping){0};
}
