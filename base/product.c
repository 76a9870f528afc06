/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices from rows to strips and back, and products of factors of both kinds.
 */
#include "base/context.h"
#include "base/packed.h"

#include <math.h>
#include <string.h>

swq_status swq_csr_pack(swq_context *ctx, swq_csr *m)
{
    swq_packed *p = NULL;
    bool fits = true;
    swq_status status = swq_packed_new(ctx, &p);

    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1] && fits && !status; e++)
            status = swq_packed_add(ctx, p, i, m->col[e], m->value[e], &fits);
    }
    if (!status && fits)
        status = swq_packed_finish(ctx, p, m->cols);
    if (status || !fits) {
        swq_packed_free(ctx, p);
        return status;
    }
    swq_csr packed = {.rows = m->rows, .cols = m->cols, .packed = p};
    swq_csr_clear(ctx, m);
    *m = packed;
    return SWQ_OK;
}

/* Strips have ascending columns, so a row's entries come in order when they are sorted by row. */
swq_status swq_csr_unpack(swq_context *ctx, const swq_csr *m, swq_csr *out)
{
    const swq_packed *p = m->packed;
    swq_csr plain = {.rows = m->rows, .cols = m->cols};

    plain.start = swq_calloc(ctx, (size_t)m->rows + 2, sizeof *plain.start);
    plain.col = swq_calloc(ctx, (size_t)p->entries, sizeof *plain.col);
    plain.value = swq_calloc(ctx, (size_t)p->entries, sizeof *plain.value);
    if (!plain.start || !plain.col || !plain.value) {
        swq_csr_clear(ctx, &plain);
        return swq_memory_status(ctx);
    }
    for (int fill = 0; fill < 2; fill++) { /* first count the entries, then place them */
        for (int64_t s = 0; s < p->strips; s++) {
            int64_t row = 0;
            for (int64_t k = 0; k < swq_strip_chunks(&p->strip[s]); k++) {
                swq_packed_chunk w = swq_strip_chunk(&p->strip[s], k, p->wide);
                for (int64_t e = 0; e < w.count; e++) {
                    uint32_t index = swq_word_value(&w, e, p->wide);
                    row += swq_word_gap(&w, e, p->wide);
                    if (index == 0)
                        continue;
                    if (fill) {
                        int64_t at = plain.start[row + 1]++;
                        plain.col[at] = (int32_t)((s << SWQ_STRIP_BITS) + swq_word_col(&w, e));
                        plain.value[at] = p->value[index];
                    } else {
                        plain.start[row + 2]++;
                    }
                }
            }
        }
        for (int64_t i = 2; i <= m->rows && !fill; i++)
            plain.start[i] += plain.start[i - 1];
    }
    *out = plain;
    return SWQ_OK;
}

bool swq_product_packed(const swq_product *p)
{
    bool packed = false;

    for (int k = 0; k < p->factors; k++)
        packed = packed || p->factor[k].packed;
    return packed;
}

/* A copy of a matrix in rows. */
static swq_status copy(swq_context *ctx, const swq_csr *m, swq_csr *out)
{
    size_t rows = (size_t)m->rows + 1, entries = (size_t)swq_csr_nnz(m);

    *out = (swq_csr){.rows = m->rows, .cols = m->cols};
    out->start = swq_calloc(ctx, rows, sizeof *out->start);
    out->col = swq_calloc(ctx, entries + 1, sizeof *out->col);
    out->value = swq_calloc(ctx, entries + 1, sizeof *out->value);
    if (!out->start || !out->col || !out->value)
        return swq_memory_status(ctx);
    memcpy(out->start, m->start, rows * sizeof *out->start);
    if (entries > 0) {
        memcpy(out->col, m->col, entries * sizeof *out->col);
        memcpy(out->value, m->value, entries * sizeof *out->value);
    }
    return SWQ_OK;
}

swq_status swq_product_unpack(swq_context *ctx, const swq_product *p, swq_csr *plain)
{
    swq_status status = SWQ_OK;

    for (int k = 0; k < p->factors && !status; k++)
        status = (p->factor[k].packed ? swq_csr_unpack : copy)(ctx, &p->factor[k], &plain[k]);
    return status;
}

static swq_status multiply_plain(swq_context *ctx, const swq_product *p, swq_csr *m,
                                 int64_t *roundings)
{
    swq_csr sofar = {0};
    double bound = ceil(p->roundings);
    const swq_csr *right = &p->factor[p->factors - 1];

    if (p->factors == 1) { /* a copy */
        swq_csr turned = {0};
        swq_status status = swq_csr_transpose(ctx, right, &turned);
        if (!status)
            status = swq_csr_transpose(ctx, &turned, &sofar);
        swq_csr_clear(ctx, &turned);
        if (status)
            return status;
    }
    for (int k = p->factors - 2; k >= 0; k--) {
        int64_t terms = 0;
        swq_csr next = {0};
        swq_status status = swq_csr_multiply(ctx, &p->factor[k], right, &next, &terms);
        swq_csr_clear(ctx, &sofar);
        if (status)
            return status;
        sofar = next;
        right = &sofar;
        bound += (double)terms + 1;
    }
    *m = sofar;
    if (roundings)
        *roundings = (int64_t)bound;
    return SWQ_OK;
}

swq_status swq_product_multiply(swq_context *ctx, const swq_product *p, swq_csr *m,
                                int64_t *roundings)
{
    swq_csr plain[SWQ_MOST_FACTORS] = {{0}};

    if (!swq_product_packed(p))
        return multiply_plain(ctx, p, m, roundings);
    swq_status status = swq_product_unpack(ctx, p, plain);
    if (!status)
        status = multiply_plain(ctx, &(swq_product){p->factors, plain, p->roundings, false}, m,
                                roundings);
    for (int k = 0; k < p->factors; k++)
        swq_csr_clear(ctx, &plain[k]);
    return status;
}
