/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coarse factors of packed factors: pairs of groups are gathered in a hash table, then sorted.
 */
#include "solvers/near.h"

#include "base/context.h"
#include "base/packed.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024, BYTE_ENTRIES = 256 };

/* A set of pairs of groups between which the factor has entries; `at` is the place of a pair in the
 * row of its first group. */
typedef struct {
    int64_t count, slots; /* a power of two, at least twice count */
    uint64_t *pair;       /* [slots] + 1; 0 when free */
    int32_t *at;          /* [slots] */
} pairs;

static uint64_t pair_of(int64_t group, int64_t next)
{
    return ((uint64_t)group << 32 | (uint64_t)next) + 1;
}

static int64_t place_of(const pairs *p, uint64_t pair)
{
    int64_t at = (int64_t)(pair * 0x9e3779b97f4a7c15u >> 24) & (p->slots - 1);

    while (p->pair[at] && p->pair[at] != pair)
        at = (at + 1) & (p->slots - 1);
    return at;
}

static swq_status grow(swq_context *ctx, pairs *p)
{
    pairs more = {p->count, p->slots ? 4 * p->slots : FIRST_SLOTS, NULL, NULL};

    more.pair = swq_calloc(ctx, (size_t)more.slots, sizeof *more.pair);
    if (!more.pair)
        return swq_memory_status(ctx);
    for (int64_t k = 0; k < p->slots; k++) {
        if (p->pair[k])
            more.pair[place_of(&more, p->pair[k])] = p->pair[k];
    }
    swq_free(ctx, p->pair);
    *p = more;
    return SWQ_OK;
}

/* All pairs that the entries of the factor connect. */
static swq_status gather(swq_context *ctx, const swq_csr *m, const int32_t *group,
                         const int32_t *next, pairs *p)
{
    swq_status status = grow(ctx, p);

    for (int64_t s = 0; s < m->packed->strips; s++) {
        const swq_strip *strip = &m->packed->strip[s];
        const int32_t *from = group, *to = next + (s << SWQ_STRIP_BITS);
        for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
            swq_packed_chunk w = swq_strip_chunk(strip, k, m->packed->wide);
            for (int64_t e = 0; e < w.count && !status; e++) {
                from += swq_word_gap(&w, e, m->packed->wide);
                if (swq_word_value(&w, e, m->packed->wide) == 0)
                    continue;
                uint64_t pair = pair_of(*from, to[swq_word_col(&w, e)]);
                int64_t at = place_of(p, pair);
                if (p->pair[at])
                    continue;
                p->pair[at] = pair;
                if (2 * ++p->count > p->slots)
                    status = grow(ctx, p);
            }
        }
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The pairs as a matrix in rows, with ascending columns. *longest receives the most entries of a
 * row. */
static swq_status sort_pairs(swq_context *ctx, pairs *p, swq_csr *into, int64_t *longest)
{
    into->start = swq_calloc(ctx, (size_t)into->rows + 2, sizeof *into->start);
    into->col = swq_calloc(ctx, (size_t)p->count + 1, sizeof *into->col);
    into->value = swq_calloc(ctx, (size_t)p->count + 1, sizeof *into->value);
    p->at = swq_calloc(ctx, (size_t)p->slots, sizeof *p->at);
    if (!into->start || !into->col || !into->value || !p->at)
        return swq_memory_status(ctx);
    for (int64_t k = 0; k < p->slots; k++) {
        if (p->pair[k])
            into->start[((p->pair[k] - 1) >> 32) + 2]++;
    }
    for (int64_t i = 2; i <= into->rows; i++)
        into->start[i] += into->start[i - 1];
    for (int64_t k = 0; k < p->slots; k++) {
        if (p->pair[k])
            into->col[into->start[((p->pair[k] - 1) >> 32) + 1]++] =
                (int32_t)((p->pair[k] - 1) & 0xffffffff);
    }
    *longest = 0;
    for (int64_t i = 0; i < into->rows; i++) {
        int64_t from = into->start[i], count = into->start[i + 1] - from;
        qsort(into->col + from, (size_t)count, sizeof *into->col, ascending);
        for (int64_t k = 0; k < count; k++)
            p->at[place_of(p, pair_of(i, into->col[from + k]))] = (int32_t)k;
        *longest = count > *longest ? count : *longest;
    }
    return SWQ_OK;
}

/* Record the place of each word's pair. */
static void note(const swq_csr *m, const int32_t *group, const int32_t *next, const pairs *p,
                 swq_near *near)
{
    int64_t word = 0;

    for (int64_t s = 0; s < m->packed->strips; s++) {
        const swq_strip *strip = &m->packed->strip[s];
        const int32_t *from = group, *to = next + (s << SWQ_STRIP_BITS);
        for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
            swq_packed_chunk w = swq_strip_chunk(strip, k, m->packed->wide);
            for (int64_t e = 0; e < w.count; e++, word++) {
                int32_t at = 0; /* a bridging word adds zero to the first entry */
                from += swq_word_gap(&w, e, m->packed->wide);
                if (swq_word_value(&w, e, m->packed->wide) != 0)
                    at = p->at[place_of(p, pair_of(*from, to[swq_word_col(&w, e)]))];
                if (near->byte)
                    near->byte[word] = (uint8_t)at;
                else
                    near->word[word] = at;
            }
        }
    }
}

swq_status swq_near_find(swq_context *ctx, const swq_csr *m, const int32_t *group, int64_t groups,
                         const int32_t *next, int64_t next_groups, swq_csr *into, swq_near *near)
{
    pairs p = {0};
    int64_t longest = 0;
    size_t words = 1;
    swq_status status = gather(ctx, m, group, next, &p);

    into->rows = groups;
    into->cols = next_groups;
    if (!status)
        status = sort_pairs(ctx, &p, into, &longest);
    for (int64_t s = 0; s < m->packed->strips; s++)
        words += (size_t)m->packed->strip[s].words;
    if (!status) {
        const bool bytes = longest <= BYTE_ENTRIES;
        const size_t size = words * (bytes ? sizeof *near->byte : sizeof *near->word);
        void *block =
            m->packed->filed ? swq_shelf_take(ctx, &near->shelf, size) : swq_calloc(ctx, size, 1);
        if (bytes)
            near->byte = block;
        else
            near->word = block;
        status = block ? SWQ_OK : swq_scratch_status(ctx);
    }
    if (!status)
        note(m, group, next, &p, near);
    swq_free(ctx, p.pair);
    swq_free(ctx, p.at);
    return status;
}

/* The place of a group in a row of the pattern, which has it. */
static int32_t place_in_row(const swq_csr *into, int64_t row, int32_t group)
{
    int64_t from = into->start[row], to = into->start[row + 1];

    while (to - from > 1) {
        const int64_t middle = from + (to - from) / 2;
        if (into->col[middle] <= group)
            from = middle;
        else
            to = middle;
    }
    return (int32_t)(from - into->start[row]);
}

static inline void write_place(swq_near *near, int64_t word, int32_t at)
{
    if (near->byte)
        near->byte[word] = (uint8_t)at;
    else
        near->word[word] = at;
}

static void place_rows(const swq_csr *m, const int32_t *group, const int32_t *next,
                       const swq_csr *into, swq_near *near)
{
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            write_place(near, e, place_in_row(into, group[i], next[m->col[e]]));
    }
}

static void place_words(const swq_csr *m, const int32_t *group, const int32_t *next,
                        const swq_csr *into, swq_near *near)
{
    int64_t word = 0;

    for (int64_t s = 0; s < m->packed->strips; s++) {
        const swq_strip *strip = &m->packed->strip[s];
        const int32_t *from = group, *to = next + (s << SWQ_STRIP_BITS);
        for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
            const swq_packed_chunk w = swq_strip_chunk(strip, k, m->packed->wide);
            for (int64_t e = 0; e < w.count; e++, word++) {
                from += swq_word_gap(&w, e, m->packed->wide);
                if (swq_word_value(&w, e, m->packed->wide) != 0)
                    write_place(near, word, place_in_row(into, *from, to[swq_word_col(&w, e)]));
            }
        }
    }
}

swq_status swq_near_place(swq_context *ctx, const swq_csr *m, const int32_t *group,
                          const int32_t *next, const swq_csr *into, swq_near *near)
{
    int64_t longest = 0, words = m->packed ? 0 : swq_csr_nnz(m);

    for (int64_t i = 0; i < into->rows; i++) {
        const int64_t count = into->start[i + 1] - into->start[i];
        longest = count > longest ? count : longest;
    }
    for (int64_t s = 0; m->packed && s < m->packed->strips; s++)
        words += m->packed->strip[s].words;
    if (longest <= BYTE_ENTRIES)
        near->byte = swq_calloc(ctx, (size_t)words + 1, sizeof *near->byte);
    else
        near->word = swq_calloc(ctx, (size_t)words + 1, sizeof *near->word);
    if (!near->byte && !near->word)
        return swq_memory_status(ctx);
    (m->packed ? place_words : place_rows)(m, group, next, into, near);
    return SWQ_OK;
}

void swq_near_clear(swq_context *ctx, swq_near *near)
{
    if (near->shelf.count == 0) {
        swq_free(ctx, near->byte);
        swq_free(ctx, near->word);
    }
    swq_shelf_clear(ctx, &near->shelf);
    *near = (swq_near){0};
}

/* Add the entries of one chunk of a packed factor, times x, to the sums of the coarse factor. The
 * chunk's first word has number `first`, and belongs to node *row, which moves on. */
static inline void weigh_words(const swq_packed_chunk *w, const double *value, const int32_t *group,
                               const double *x, const swq_near *near, int64_t first,
                               const int64_t *start, double *sum, int64_t *row, const bool wide)
{
    const uint8_t *byte = near->byte ? near->byte + first : NULL;
    const int32_t *word = near->byte ? NULL : near->word + first;
    int64_t i = *row;

    for (int64_t e = 0; e < w->count; e++) {
        i += swq_word_gap(w, e, wide);
        int64_t at = start[group[i]] + (byte ? byte[e] : word[e]);
        sum[at] += x[i] * value[swq_word_value(w, e, wide)];
    }
    *row = i;
}

static void weigh_rows(const swq_csr *m, const int32_t *group, const double *x,
                       const swq_near *near, const swq_csr *into, double *value)
{
    for (int64_t i = 0; i < m->rows; i++) {
        double *row = value + into->start[group[i]];
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            row[near->byte ? near->byte[e] : near->word[e]] += x[i] * m->value[e];
    }
}

void swq_near_weigh(const swq_csr *m, const int32_t *group, const double *x, const swq_near *near,
                    const swq_csr *into, int64_t part, int64_t parts, double *value)
{
    const swq_packed *p = m->packed;

    if (!p) {
        weigh_rows(m, group, x, near, into, value);
        return;
    }
    const int64_t from = part * p->strips / parts, to = (part + 1) * p->strips / parts;
    int64_t first = 0;

    for (int64_t s = 0; s < from; s++)
        first += p->strip[s].words;
    for (int64_t s = from; s < to; s++) {
        int64_t row = 0;
        for (int64_t k = 0; k < swq_strip_chunks(&p->strip[s]); k++) {
            swq_packed_chunk w = swq_strip_chunk(&p->strip[s], k, p->wide);
            if (p->wide)
                weigh_words(&w, p->value, group, x, near, first, into->start, value, &row, true);
            else
                weigh_words(&w, p->value, group, x, near, first, into->start, value, &row, false);
            first += w.count;
        }
    }
}

void swq_near_let_go(const swq_near *near)
{
    swq_shelf_let_go(&near->shelf);
}
