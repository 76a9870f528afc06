/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building sparse factors row by row.
 */
#include "models/growing.h"

#include "base/context.h"
#include "base/packed.h"

#include <float.h>
#include <stdlib.h>

/* Products of probabilities below this are too close to the end of double's range to keep their
 * digits. */
#define LEAST_PROBABILITY 1e-290L

enum {
    SHORT_ROW = 24,   /* up to here insertion beats qsort */
    PACK_FROM = 16384 /* entries from which a factor is worth packing */
};

void swq_growing_clear(swq_context *ctx, swq_growing *g)
{
    swq_free(ctx, g->entry);
    swq_csr_clear(ctx, &g->m);
    swq_csr_clear(ctx, &g->refused);
    swq_csr_clear(ctx, &g->pairs);
    *g = (swq_growing){0};
}

swq_status swq_growing_add(swq_context *ctx, swq_growing *g, int64_t col, long double value,
                           long double refused, long double pairs)
{
    if (g->count == g->room) {
        int64_t room = 2 * g->room + 64;
        swq_growing_entry *grown = swq_resize(ctx, g->entry, (size_t)room, sizeof *grown);
        if (!grown)
            return swq_memory_status(ctx);
        g->entry = grown;
        g->room = room;
    }
    g->entry[g->count++] = (swq_growing_entry){(int32_t)col, 1, value, refused, pairs};
    return SWQ_OK;
}

static int by_column(const void *a, const void *b)
{
    int32_t x = ((const swq_growing_entry *)a)->col, y = ((const swq_growing_entry *)b)->col;
    return (x > y) - (x < y);
}

static void sort_entries(swq_growing_entry *entry, int64_t count)
{
    if (count > SHORT_ROW) {
        qsort(entry, (size_t)count, sizeof *entry, by_column);
        return;
    }
    for (int64_t k = 1; k < count; k++) {
        swq_growing_entry moving = entry[k];
        int64_t at = k;
        for (; at > 0 && entry[at - 1].col > moving.col; at--)
            entry[at] = entry[at - 1];
        entry[at] = moving;
    }
}

int64_t swq_growing_merge(swq_growing_entry *entry, int64_t count)
{
    int64_t kept = 0;

    if (count == 0) /* a row without transitions */
        return 0;
    sort_entries(entry, count);
    for (int64_t k = 1; k < count; k++) {
        if (entry[k].col == entry[kept].col) {
            entry[kept].value += entry[k].value;
            entry[kept].refused += entry[k].refused;
            entry[kept].pairs += entry[k].pairs;
            entry[kept].met += entry[k].met;
        } else {
            entry[++kept] = entry[k];
        }
    }
    return kept + 1;
}

static swq_status room_for_entries(swq_context *ctx, swq_csr *m, int64_t *room, int64_t needed)
{
    if (needed <= *room)
        return SWQ_OK;
    int64_t more = *room + *room / 2 + needed - *room + 64;
    int32_t *col = swq_resize(ctx, m->col, (size_t)more, sizeof *col);
    if (!col)
        return swq_memory_status(ctx);
    m->col = col;
    double *value = swq_resize(ctx, m->value, (size_t)more, sizeof *value);
    if (!value)
        return swq_memory_status(ctx);
    m->value = value;
    *room = more;
    return SWQ_OK;
}

static swq_status room_for_row(swq_context *ctx, swq_growing *g)
{
    if (g->rows + 2 <= g->rows_room)
        return SWQ_OK;
    int64_t room = 2 * g->rows_room + 64;
    int64_t *start = NULL;
    if (!g->m.packed) {
        start = swq_resize(ctx, g->m.start, (size_t)room, sizeof *start);
        if (!start)
            return swq_memory_status(ctx);
        g->m.start = start;
    }
    if (!g->bare) {
        start = swq_resize(ctx, g->refused.start, (size_t)room, sizeof *start);
        if (!start)
            return swq_memory_status(ctx);
        g->refused.start = start;
    }
    if (g->pairs.start) {
        start = swq_resize(ctx, g->pairs.start, (size_t)room, sizeof *start);
        if (!start)
            return swq_memory_status(ctx);
        g->pairs.start = start;
    }
    g->rows_room = room;
    return SWQ_OK;
}

/* Append the pairs of refused packets of one row. Most chains never refuse two packets in one step,
 * so memory for pairs is allocated with the first pair. */
static swq_status finish_pairs(swq_context *ctx, swq_growing *g, const swq_growing_entry *entry,
                               int64_t count)
{
    int64_t pairs = 0;

    for (int64_t k = 0; k < count; k++)
        pairs += entry[k].pairs > 0;
    if (pairs > 0 && !g->pairs.start) {
        g->pairs.start = swq_calloc(ctx, (size_t)g->rows_room, sizeof *g->pairs.start);
        if (!g->pairs.start)
            return swq_memory_status(ctx);
    }
    if (!g->pairs.start)
        return SWQ_OK;
    int64_t at = g->pairs.start[g->rows];
    swq_status status = room_for_entries(ctx, &g->pairs, &g->pairs_room, at + pairs);
    for (int64_t k = 0; k < count && !status; k++) {
        if (entry[k].pairs > 0) {
            g->pairs.col[at] = entry[k].col;
            g->pairs.value[at++] = (double)entry[k].pairs;
        }
    }
    g->pairs.start[g->rows + 1] = at;
    return status;
}

/* Append the row under construction to m, and pack m if it has become large. */
static swq_status append_row(swq_context *ctx, swq_growing *g, const swq_growing_entry *entry,
                             int64_t count)
{
    int64_t from = g->m.start[g->rows];
    swq_status status = room_for_entries(ctx, &g->m, &g->entries_room, from + count);

    if (status)
        return status;
    for (int64_t k = 0; k < count; k++) {
        g->m.col[from + k] = entry[k].col;
        g->m.value[from + k] = (double)entry[k].value;
    }
    g->m.start[g->rows + 1] = from + count;
    if (!g->packs || from + count < PACK_FROM)
        return SWQ_OK;
    g->m.rows = g->rows + 1;
    g->packs = false; /* do not try again: a factor with too many values always has too many */
    return swq_csr_pack(ctx, &g->m);
}

static swq_status append_packed_row(swq_context *ctx, swq_growing *g,
                                    const swq_growing_entry *entry, int64_t count)
{
    bool fits = true;
    swq_status status = SWQ_OK;

    for (int64_t k = 0; k < count && fits && !status; k++)
        status =
            swq_packed_add(ctx, g->m.packed, g->rows, entry[k].col, (double)entry[k].value, &fits);
    if (status || fits)
        return status;
    /* too many different values: go back to rows, without the part of the current row that is
     * already packed */
    swq_csr plain = {0};
    g->m.rows = g->rows + 1;
    status = swq_csr_unpack(ctx, &g->m, &plain);
    if (status)
        return status;
    swq_csr_clear(ctx, &g->m);
    g->m = plain;
    g->entries_room = g->m.start[g->rows];
    int64_t *start = swq_resize(ctx, g->m.start, (size_t)g->rows_room, sizeof *start);
    if (!start)
        return swq_memory_status(ctx);
    g->m.start = start;
    return append_row(ctx, g, entry, count);
}

static swq_status append_refusals(swq_context *ctx, swq_growing *g, const swq_growing_entry *entry,
                                  int64_t count)
{
    int64_t refusals = 0, at = g->refused.start[g->rows];

    for (int64_t k = 0; k < count; k++)
        refusals += entry[k].refused > 0;
    swq_status status = room_for_entries(ctx, &g->refused, &g->refusals_room, at + refusals);
    for (int64_t k = 0; k < count && !status; k++) {
        if (entry[k].refused > 0) {
            g->refused.col[at] = entry[k].col;
            g->refused.value[at++] = (double)entry[k].refused;
        }
    }
    g->refused.start[g->rows + 1] = at;
    return status;
}

swq_status swq_growing_append(swq_context *ctx, swq_growing *g, const swq_growing_entry *entry,
                              int64_t count)
{
    swq_status status = room_for_row(ctx, g);
    if (status)
        return status;
    for (int64_t k = 0; k < count; k++) {
        const swq_growing_entry *e = &entry[k];
        if (e->value < LEAST_PROBABILITY)
            return swq_fail(ctx, SWQ_ERANGE,
                            "a transition has probability %Lg, too small for honest arithmetic; "
                            "loads or destination probabilities are too small",
                            e->value);
        g->inexact = g->inexact || (double)e->value != e->value;
        g->most_met = e->met > g->most_met ? e->met : g->most_met;
    }
    status = g->bare ? SWQ_OK : append_refusals(ctx, g, entry, count);
    if (!status && !g->bare)
        status = finish_pairs(ctx, g, entry, count);
    if (!status)
        status = (g->m.packed ? append_packed_row : append_row)(ctx, g, entry, count);
    if (!status)
        g->rows++;
    return status;
}

swq_status swq_growing_finish(swq_context *ctx, swq_growing *g)
{
    swq_status status = swq_growing_append(ctx, g, g->entry, swq_growing_merge(g->entry, g->count));

    if (!status)
        g->count = 0;
    return status;
}

double swq_growing_roundings(const swq_growing *g, int64_t throws)
{
    double fine = LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1;

    return fine * (double)(2 * throws + g->most_met) + (g->inexact ? 1 : 0);
}

/* Cut a factor's arrays to their length. */
static swq_status trim(swq_context *ctx, swq_csr *m, int64_t rows)
{
    int64_t entries = m->start ? m->start[rows] : 0;
    int64_t *start = swq_resize(ctx, m->start, (size_t)rows + 1, sizeof *start);
    int32_t *col = swq_resize(ctx, m->col, (size_t)(entries ? entries : 1), sizeof *col);
    double *value = swq_resize(ctx, m->value, (size_t)(entries ? entries : 1), sizeof *value);
    m->start = start ? start : m->start;
    m->col = col ? col : m->col;
    m->value = value ? value : m->value;
    return start && col && value ? SWQ_OK : swq_memory_status(ctx);
}

swq_status swq_growing_end(swq_context *ctx, swq_growing *g, int64_t cols, swq_csr *m,
                           swq_csr *refused, swq_csr *pairs)
{
    g->m.rows = g->refused.rows = g->pairs.rows = g->rows;
    g->m.cols = g->refused.cols = g->pairs.cols = cols;
    swq_status status =
        g->m.packed ? swq_packed_finish(ctx, g->m.packed, cols) : trim(ctx, &g->m, g->rows);
    if (!status && !g->bare)
        status = trim(ctx, &g->refused, g->rows);
    if (!status && g->pairs.start)
        status = trim(ctx, &g->pairs, g->rows);
    if (status)
        return status;
    *m = g->m;
    *refused = g->refused;
    *pairs = g->pairs;
    g->m = g->refused = g->pairs = (swq_csr){0};
    return SWQ_OK;
}

swq_status swq_growing_end_alone(swq_context *ctx, swq_growing *g, int64_t cols, swq_csr *m)
{
    swq_csr refused = {0}, pairs = {0};
    swq_status status = swq_growing_end(ctx, g, cols, m, &refused, &pairs);

    swq_csr_clear(ctx, &refused);
    swq_csr_clear(ctx, &pairs);
    return status;
}
