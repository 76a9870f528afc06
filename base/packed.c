/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing factors into strips.
 */
#include "base/packed.h"

#include "base/context.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_GAP = 255,
    NARROW_VALUES = 256, /* 0 among them */
    WIDE_VALUES = 65536
};

swq_status swq_packed_new(swq_context *ctx, swq_packed **packed)
{
    swq_packed *p = swq_calloc(ctx, 1, sizeof *p);

    if (!p)
        return swq_memory_status(ctx);
    p->filed = swq_scratch_used(ctx);
    p->values = 1;
    p->values_room = NARROW_VALUES;
    p->slots = 2 * NARROW_VALUES;
    p->value = swq_calloc(ctx, (size_t)p->values_room, sizeof *p->value);
    p->slot = swq_calloc(ctx, (size_t)p->slots, sizeof *p->slot);
    if (!p->value || !p->slot) {
        swq_packed_free(ctx, p);
        return swq_memory_status(ctx);
    }
    *packed = p;
    return SWQ_OK;
}

void swq_packed_free(swq_context *ctx, swq_packed *p)
{
    if (!p)
        return;
    for (int64_t s = 0; s < p->strips; s++) {
        swq_strip *strip = &p->strip[s];
        for (int64_t k = 0; k < strip->chunks_room && !p->filed; k++) {
            swq_free(ctx, strip->chunk ? strip->chunk[k] : NULL);
            swq_free(ctx, strip->gap ? strip->gap[k] : NULL);
        }
        swq_free(ctx, strip->chunk);
        swq_free(ctx, strip->gap);
    }
    swq_shelf_clear(ctx, &p->shelf);
    swq_free(ctx, p->strip);
    swq_free(ctx, p->value);
    swq_free(ctx, p->slot);
    swq_free(ctx, p);
}

int64_t swq_packed_nnz(const swq_packed *p)
{
    return p->entries;
}

/* The slot of a value in the hash table, or the free slot where the value belongs. */
static int place_of(const swq_packed *p, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits *= 0x9e3779b97f4a7c15u;
    int at = (int)(bits >> 40) & (p->slots - 1);
    while (p->slot[at] && p->value[p->slot[at]] != value)
        at = (at + 1) & (p->slots - 1);
    return at;
}

static void *new_block(swq_context *ctx, swq_packed *p, size_t bytes)
{
    return p->filed ? swq_shelf_take(ctx, &p->shelf, bytes) : swq_calloc(ctx, bytes, 1);
}

/* Change from 8 bits for values and for gaps to 16 bits for values and separate gaps. */
static swq_status widen(swq_context *ctx, swq_packed *p)
{
    double *value = swq_resize(ctx, p->value, WIDE_VALUES, sizeof *value);

    if (!value)
        return swq_scratch_status(ctx);
    p->value = value;
    p->values_room = WIDE_VALUES;
    uint16_t *slot = swq_calloc(ctx, 2 * WIDE_VALUES, sizeof *slot);
    if (!slot)
        return swq_scratch_status(ctx);
    swq_free(ctx, p->slot);
    p->slot = slot;
    p->slots = 2 * WIDE_VALUES;
    for (int k = 1; k < p->values; k++)
        p->slot[place_of(p, p->value[k])] = (uint16_t)k;
    for (int64_t s = 0; s < p->strips; s++) {
        swq_strip *strip = &p->strip[s];
        strip->gap = swq_calloc(ctx, (size_t)strip->chunks_room + 1, sizeof *strip->gap);
        if (!strip->gap)
            return swq_scratch_status(ctx);
        for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
            uint32_t *word = strip->chunk[k];
            strip->gap[k] = new_block(ctx, p, SWQ_CHUNK * sizeof **strip->gap);
            if (!strip->gap[k])
                return swq_scratch_status(ctx);
            for (int64_t e = 0; e < SWQ_CHUNK; e++) {
                strip->gap[k][e] = (uint8_t)(word[e] >> 24);
                word[e] &= 0xffffff;
            }
        }
    }
    p->wide = true;
    return SWQ_OK;
}

/* The index of a value; negative if it is new and there is no room for it. */
static swq_status index_of(swq_context *ctx, swq_packed *p, double value, int *index)
{
    int at = place_of(p, value);
    swq_status status = SWQ_OK;

    if (!p->slot[at] && p->values == NARROW_VALUES && !p->wide) {
        status = widen(ctx, p);
        at = place_of(p, value);
    }
    *index = -1;
    if (status || (!p->slot[at] && p->values == p->values_room))
        return status;
    if (!p->slot[at]) {
        p->value[p->values] = value;
        p->slot[at] = (uint16_t)p->values++;
    }
    *index = p->slot[at];
    return SWQ_OK;
}

swq_status swq_packed_new_like(swq_context *ctx, const swq_packed *other, swq_packed **packed)
{
    swq_packed *p = NULL;
    swq_status status = swq_packed_new(ctx, &p);

    if (!status && other->wide)
        status = widen(ctx, p);
    if (status) {
        swq_packed_free(ctx, p);
        return status;
    }
    p->values = other->values;
    for (int k = 1; k < p->values; k++) {
        p->value[k] = other->value[k];
        p->slot[place_of(p, p->value[k])] = (uint16_t)k;
    }
    *packed = p;
    return SWQ_OK;
}

static swq_status room_for_strips(swq_context *ctx, swq_packed *p, int64_t strips)
{
    if (strips > p->strips_room) {
        int64_t room = 2 * strips;
        swq_strip *strip = swq_resize(ctx, p->strip, (size_t)room, sizeof *strip);
        if (!strip)
            return swq_memory_status(ctx);
        p->strip = strip;
        p->strips_room = room;
    }
    if (strips > p->strips)
        p->strips = strips;
    return SWQ_OK;
}

static swq_status new_chunk(swq_context *ctx, swq_packed *p, swq_strip *strip)
{
    const bool wide = p->wide;
    int64_t k = strip->words / SWQ_CHUNK;

    if (k == strip->chunks_room) {
        int64_t room = 2 * k + 4;
        uint32_t **chunk = swq_resize(ctx, strip->chunk, (size_t)room, sizeof *chunk);
        if (!chunk)
            return swq_scratch_status(ctx);
        strip->chunk = chunk;
        uint8_t **gap = wide ? swq_resize(ctx, strip->gap, (size_t)room, sizeof *gap) : NULL;
        if (wide && !gap)
            return swq_scratch_status(ctx);
        strip->gap = gap;
        strip->chunks_room = room;
    }
    strip->chunk[k] = new_block(ctx, p, SWQ_CHUNK * sizeof **strip->chunk);
    if (strip->chunk[k] && wide)
        strip->gap[k] = new_block(ctx, p, SWQ_CHUNK * sizeof **strip->gap);
    return strip->chunk[k] && (!wide || strip->gap[k]) ? SWQ_OK : swq_scratch_status(ctx);
}

static swq_status add_word(swq_context *ctx, swq_packed *p, swq_strip *strip, uint32_t gap,
                           uint32_t index, uint32_t col)
{
    const bool wide = p->wide;
    int64_t k = strip->words / SWQ_CHUNK, e = strip->words % SWQ_CHUNK;
    swq_status status = e == 0 ? new_chunk(ctx, p, strip) : SWQ_OK;

    if (status)
        return status;
    assert(strip->chunk && (!wide || strip->gap));
    strip->chunk[k][e] = (wide ? 0 : gap << 24) | index << 16 | col;
    if (wide)
        strip->gap[k][e] = (uint8_t)gap;
    strip->row += gap;
    strip->words++;
    return SWQ_OK;
}

swq_status swq_packed_put(swq_context *ctx, swq_packed *p, int64_t row, int64_t col, int value)
{
    int64_t s = col >> SWQ_STRIP_BITS;
    swq_status status = s >= p->strips ? room_for_strips(ctx, p, s + 1) : SWQ_OK;

    if (status)
        return status;
    swq_strip *strip = &p->strip[s];
    while (row - strip->row > MOST_GAP && !status)
        status = add_word(ctx, p, strip, MOST_GAP, 0, 0);
    if (!status)
        status = add_word(ctx, p, strip, (uint32_t)(row - strip->row), (uint32_t)value,
                          (uint32_t)(col & (SWQ_STRIP - 1)));
    p->entries += !status;
    return status;
}

swq_status swq_packed_add(swq_context *ctx, swq_packed *p, int64_t row, int64_t col, double value,
                          bool *fits)
{
    int index;
    swq_status status = index_of(ctx, p, value, &index);

    *fits = index >= 0;
    return status || !*fits ? status : swq_packed_put(ctx, p, row, col, index);
}

swq_status swq_packed_finish(swq_context *ctx, swq_packed *p, int64_t cols)
{
    swq_status status = room_for_strips(ctx, p, (cols + SWQ_STRIP - 1) >> SWQ_STRIP_BITS);
    int32_t *terms = status ? NULL : swq_calloc(ctx, SWQ_STRIP, sizeof *terms);

    if (!terms)
        return status ? status : swq_memory_status(ctx);
    p->tallest = 0;
    for (int64_t s = 0; s < p->strips; s++) {
        memset(terms, 0, sizeof *terms * SWQ_STRIP);
        for (int64_t k = 0; k < swq_strip_chunks(&p->strip[s]); k++) {
            swq_packed_chunk w = swq_strip_chunk(&p->strip[s], k, p->wide);
            for (int64_t e = 0; e < w.count; e++)
                terms[swq_word_col(&w, e)] += swq_word_value(&w, e, p->wide) != 0;
        }
        for (int64_t j = 0; j < SWQ_STRIP; j++)
            p->tallest = terms[j] > p->tallest ? terms[j] : p->tallest;
    }
    swq_free(ctx, terms);
    swq_packed_let_go(p);
    return SWQ_OK;
}

static inline void times_words(const swq_packed_chunk *w, const double **x, const double *value,
                               double *y, const bool wide)
{
    const double *from = *x;

#pragma GCC unroll 4
    for (int64_t e = 0; e < w->count; e++) {
        from += swq_word_gap(w, e, wide);
        y[swq_word_col(w, e)] += *from * value[swq_word_value(w, e, wide)];
    }
    *x = from;
}

void swq_packed_times(const swq_csr *m, int64_t s, const double *x, double *y)
{
    const swq_packed *p = m->packed;
    const swq_strip *strip = &p->strip[s];
    int64_t first = s << SWQ_STRIP_BITS, left = m->cols - first;

    memset(y + first, 0, sizeof *y * (size_t)(left < SWQ_STRIP ? left : SWQ_STRIP));
    for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
        swq_packed_chunk w = swq_strip_chunk(strip, k, p->wide);
        if (p->wide)
            times_words(&w, &x, p->value, y + first, true);
        else
            times_words(&w, &x, p->value, y + first, false);
    }
}

void swq_packed_add_times(const swq_csr *m, int64_t s, const long double *x, long double *sum)
{
    const swq_packed *p = m->packed;
    const swq_strip *strip = &p->strip[s];

    for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
        swq_packed_chunk w = swq_strip_chunk(strip, k, p->wide);
        for (int64_t e = 0; e < w.count; e++) {
            x += swq_word_gap(&w, e, p->wide);
            sum[swq_word_col(&w, e)] += *x * p->value[swq_word_value(&w, e, p->wide)];
        }
    }
}

void swq_packed_add_times_compensated(const swq_csr *m, int64_t s, const swq_compensated *x,
                                      long double *sum)
{
    const swq_packed *p = m->packed;
    const swq_strip *strip = &p->strip[s];
    int64_t row = 0;
    long double held = swq_compensated_get(x, 0);

    for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
        swq_packed_chunk w = swq_strip_chunk(strip, k, p->wide);
        for (int64_t e = 0; e < w.count; e++) {
            const int64_t gap = swq_word_gap(&w, e, p->wide);
            if (gap > 0)
                held = swq_compensated_get(x, row += gap);
            sum[swq_word_col(&w, e)] += held * p->value[swq_word_value(&w, e, p->wide)];
        }
    }
}
