/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Large sparse factors at four bytes an entry, and how vectors pass through them.
 *
 * The columns are cut into strips of 65,536. A strip has its entries in the order of their rows, in
 * chunks, one word each:
 *
 *      gap to the row of the entry before | index of the value | column within the strip
 *                   8 bits                |       8 bits       |        16 bits
 *
 * The beginnings of rows are not stored; a gap of more than 255 rows is bridged by words of value
 * 0. A chain's factors have a few dozen different values: beyond 255, the index takes 16 bits and
 * gaps are in separate bytes (`wide`), and beyond 65,535 a factor is not packed.
 *
 * x M adds the terms of a column in the order of the rows, as with a matrix in rows, so that the
 * sums are the same to the bit. The part of y that is written stays in the cache, no loop is short,
 * and strips share nothing, so that each thread can take one.
 */
#ifndef SWQ_BASE_PACKED_H
#define SWQ_BASE_PACKED_H

#include "base/scratch.h"
#include "switchq/csr.h"

enum {
    SWQ_STRIP_BITS = 16,
    SWQ_STRIP = 1 << SWQ_STRIP_BITS, /* columns of a strip */
    SWQ_CHUNK = 1 << 13              /* words of a chunk */
};

typedef struct swq_strip {
    int64_t words, row; /* row: the row of the last entry, from which the next gap counts */
    int64_t chunks_room;
    uint32_t **chunk; /* [chunks_room] */
    uint8_t **gap;    /* [chunks_room]; NULL unless wide */
} swq_strip;

struct swq_packed {
    bool filed;      /* the chunks are in the shelf; else they are separate blocks */
    swq_shelf shelf; /* in the context's file */
    int64_t entries; /* not counting the words that bridge gaps */
    int64_t tallest; /* most entries in one column; set by swq_packed_finish */
    int64_t strips, strips_room;
    swq_strip *strip;
    bool wide;
    int values, values_room; /* the first value is 0 */
    double *value;
    int slots;      /* of a hash table of values, a power of two */
    uint16_t *slot; /* index, 0 when free */
};

/* An empty factor. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_packed_new(swq_context *ctx, swq_packed **packed);
void swq_packed_free(swq_context *ctx, swq_packed *packed);

/* Append an entry; rows come in order. *fits turns false, and nothing is appended, when there are
 * too many different values. Errors: SWQ_ENOMEM, SWQ_ELIMIT. Amortised O(1). */
swq_status swq_packed_add(swq_context *ctx, swq_packed *p, int64_t row, int64_t col, double value,
                          bool *fits);

/* An empty factor with the values of another one, at the same indices. Errors: as swq_packed_new.
 */
swq_status swq_packed_new_like(swq_context *ctx, const swq_packed *other, swq_packed **packed);

/* swq_packed_add for the index of a value. */
swq_status swq_packed_put(swq_context *ctx, swq_packed *p, int64_t row, int64_t col, int value);

/* Call after the last entry: makes strips for all columns, and finds the tallest column. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_packed_finish(swq_context *ctx, swq_packed *p, int64_t cols);

/* Say that a pass over all words is over, and that they need not stay in memory. */
static inline void swq_packed_let_go(const swq_packed *p)
{
    if (p->filed)
        swq_shelf_let_go(&p->shelf);
}

/* Pack a matrix in rows in place; it stays as it is, with SWQ_OK, if it has too many different
 * values. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_csr_pack(swq_context *ctx, swq_csr *m);

/* Renumber a packed matrix in place: row i becomes row[i], column j col[j]; both are permutations.
 * Takes six bytes an entry and eight a row until it returns. Errors: SWQ_ENOMEM, SWQ_ELIMIT,
 * SWQ_EIO; *m can then only be cleared. O(entries). */
swq_status swq_packed_arrange(swq_context *ctx, swq_csr *m, const int32_t *row, const int32_t *col);

/* A copy of a packed matrix in rows. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_csr_unpack(swq_context *ctx, const swq_csr *m, swq_csr *out);

/* Copies of all factors in rows, in `plain`, which the caller clears even after an error. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_product_unpack(swq_context *ctx, const swq_product *p, swq_csr *plain);
bool swq_product_packed(const swq_product *p);

/* A chunk of words: chunk k of a strip, and how many words are in it. */
typedef struct swq_packed_chunk {
    const uint32_t *word;
    const uint8_t *gap; /* NULL unless wide */
    int64_t count;
} swq_packed_chunk;

static inline swq_packed_chunk swq_strip_chunk(const swq_strip *s, int64_t k, bool wide)
{
    int64_t left = s->words - k * SWQ_CHUNK;

    return (swq_packed_chunk){s->chunk[k], wide ? s->gap[k] : NULL,
                              left < SWQ_CHUNK ? left : SWQ_CHUNK};
}

static inline int64_t swq_strip_chunks(const swq_strip *s)
{
    return (s->words + SWQ_CHUNK - 1) / SWQ_CHUNK;
}

/* The three parts of word e; callers in inner loops pass a constant for `wide`. */
static inline int64_t swq_word_gap(const swq_packed_chunk *w, int64_t e, bool wide)
{
    return wide ? w->gap[e] : w->word[e] >> 24;
}

static inline uint32_t swq_word_value(const swq_packed_chunk *w, int64_t e, bool wide)
{
    return wide ? w->word[e] >> 16 : w->word[e] >> 16 & 0xff;
}

static inline uint32_t swq_word_col(const swq_packed_chunk *w, int64_t e)
{
    return w->word[e] & (SWQ_STRIP - 1);
}

/* The columns of strip s of y = x M; x[rows], y[cols]. O(words of the strip). */
void swq_packed_times(const swq_csr *m, int64_t s, const double *x, double *y);

/* sum += x M in long double, in the columns of strip s alone. */
void swq_packed_add_times(const swq_csr *m, int64_t s, const long double *x, long double *sum);

/* Long doubles in 12 bytes: a double, and the remainder as a float in units of the double's last
 * digit, so that the remainder underflows no earlier than the double. The relative error is at most
 * 2^-77. */
typedef struct swq_compensated {
    double *high;
    float *low;
} swq_compensated;

static inline long double swq_compensated_get(const swq_compensated *x, int64_t i)
{
    return x->high[i] + (long double)x->low[i] * 0x1p-53L * x->high[i];
}

static inline void swq_compensated_put(swq_compensated *x, int64_t i, long double value)
{
    const double high = (double)value;

    x->high[i] = high;
    x->low[i] = high != 0 ? (float)((value - high) / high * 0x1p53L) : 0;
}

/* swq_packed_add_times for a vector in compensated form. */
void swq_packed_add_times_compensated(const swq_csr *m, int64_t s, const swq_compensated *x,
                                      long double *sum);

#endif
