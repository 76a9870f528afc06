/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Other numbers for the rows and columns of a packed factor. Its entries are first brought into the
 * new order of the rows. A strip has them in the old order: all strips are read side by side, a few
 * rows of each at a time, so that what is written meanwhile stays in the cache.
 */
#include "base/context.h"
#include "base/packed.h"

enum { ROWS_AT_A_TIME = 2048 };

/* How far a strip has been read: word `at` of chunk `chunk` comes next, after an entry in row
 * `row`. */
typedef struct {
    int64_t chunk, at, row;
} bookmark;

typedef struct {
    const swq_csr *old;
    const int32_t *row, *col; /* new numbers */
    int64_t *start;           /* [rows + 1] entries in the rows before a new row */
    bookmark *mark;           /* [strips] */
    int32_t *to;              /* [entries] new columns, by new rows */
    uint16_t *value;          /* [entries] ... and the indices of their values */
} arranging;

static void count_entries(arranging *a)
{
    const swq_packed *p = a->old->packed;

    for (int64_t s = 0; s < p->strips; s++) {
        const int32_t *row = a->row;
        for (int64_t k = 0; k < swq_strip_chunks(&p->strip[s]); k++) {
            const swq_packed_chunk w = swq_strip_chunk(&p->strip[s], k, p->wide);
            for (int64_t e = 0; e < w.count; e++) {
                row += swq_word_gap(&w, e, p->wide);
                a->start[*row + 1] += swq_word_value(&w, e, p->wide) != 0;
            }
        }
    }
    swq_packed_let_go(p);
    for (int64_t i = 0; i < a->old->rows; i++)
        a->start[i + 1] += a->start[i];
}

/* Read a strip up to old row `end`. While entries are gathered, start[i] is where the next entry of
 * new row i goes. */
static void read_strip(arranging *a, int64_t strip, int64_t end)
{
    const swq_packed *p = a->old->packed;
    const int32_t *col = a->col + (strip << SWQ_STRIP_BITS);
    bookmark m = a->mark[strip];

    for (; m.chunk < swq_strip_chunks(&p->strip[strip]); m.chunk++, m.at = 0) {
        const swq_packed_chunk w = swq_strip_chunk(&p->strip[strip], m.chunk, p->wide);
        for (; m.at < w.count; m.at++) {
            const int64_t row = m.row + swq_word_gap(&w, m.at, p->wide);
            if (row >= end) {
                a->mark[strip] = m;
                return;
            }
            m.row = row;
            const uint32_t value = swq_word_value(&w, m.at, p->wide);
            if (value != 0) {
                const int64_t at = a->start[a->row[row]]++;
                a->to[at] = col[swq_word_col(&w, m.at)];
                a->value[at] = (uint16_t)value;
            }
        }
    }
    a->mark[strip] = m;
}

/* Gather the entries of each new row; start[i] is then where row i ends. */
static void gather(arranging *a)
{
    for (int64_t end = 0; end < a->old->rows;) {
        end += ROWS_AT_A_TIME;
        for (int64_t s = 0; s < a->old->packed->strips; s++)
            read_strip(a, s, end);
    }
    swq_packed_let_go(a->old->packed);
}

static void sort_by_column(int32_t *to, uint16_t *value, int64_t count)
{
    for (int64_t k = 1; k < count; k++) {
        const int32_t moving = to[k];
        const uint16_t with = value[k];
        int64_t at = k;
        for (; at > 0 && to[at - 1] > moving; at--) {
            to[at] = to[at - 1];
            value[at] = value[at - 1];
        }
        to[at] = moving;
        value[at] = with;
    }
}

/* Pack the entries that were gathered. */
static swq_status pack(swq_context *ctx, arranging *a, swq_csr *m)
{
    swq_status status = SWQ_OK;

    for (int64_t i = 0, e = 0; i < m->rows; i++) {
        sort_by_column(a->to + e, a->value + e, a->start[i] - e);
        for (; e < a->start[i] && !status; e++)
            status = swq_packed_put(ctx, m->packed, i, a->to[e], a->value[e]);
    }
    return status ? status : swq_packed_finish(ctx, m->packed, m->cols);
}

static swq_status arrange(swq_context *ctx, arranging *a, swq_csr *m)
{
    const swq_packed *p = m->packed;
    swq_packed *made = NULL;
    swq_status status = swq_packed_new_like(ctx, p, &made);

    a->start = swq_calloc(ctx, (size_t)m->rows + 1, sizeof *a->start);
    a->mark = swq_calloc(ctx, (size_t)p->strips + 1, sizeof *a->mark);
    a->to = swq_calloc(ctx, (size_t)p->entries + 1, sizeof *a->to);
    a->value = swq_calloc(ctx, (size_t)p->entries + 1, sizeof *a->value);
    if (status || !a->start || !a->mark || !a->to || !a->value) {
        swq_packed_free(ctx, made);
        return status ? status : swq_memory_status(ctx);
    }
    count_entries(a);
    gather(a);
    swq_packed_free(ctx, m->packed); /* all entries of the old matrix have been gathered */
    m->packed = made;
    return pack(ctx, a, m);
}

swq_status swq_packed_arrange(swq_context *ctx, swq_csr *m, const int32_t *row, const int32_t *col)
{
    arranging a = {.old = m, .row = row, .col = col};
    swq_status status = arrange(ctx, &a, m);

    swq_free(ctx, a.start);
    swq_free(ctx, a.mark);
    swq_free(ctx, a.to);
    swq_free(ctx, a.value);
    return status;
}
