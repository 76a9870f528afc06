/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sparse factor that grows row by row, together with the refusals that its transitions bring. If
 * it may, it is packed (base/packed.h) once it is large. Room: models.
 */
#ifndef SWQ_MODELS_GROWING_H
#define SWQ_MODELS_GROWING_H

#include "switchq/csr.h"

typedef struct swq_growing_entry {
    int32_t col, met; /* met: outcomes that lead there */
    long double value, refused, pairs;
} swq_growing_entry;

typedef struct swq_growing {
    swq_growing_entry *entry; /* the row under construction */
    int64_t count, room;
    int64_t rows, rows_room, entries_room, refusals_room;
    int64_t most_met;
    bool inexact;    /* some entry was rounded to double */
    bool packs;      /* may m be packed when it grows large? */
    bool bare;       /* nobody wants the refusals */
    swq_csr m;       /* the finished rows */
    swq_csr refused; /* the same rows: expected refusals on a transition times its probability */
    swq_csr pairs;   /* ... ordered pairs of refusals; no rows at all as long as there are none */
    int64_t pairs_room;
} swq_growing;

void swq_growing_clear(swq_context *ctx, swq_growing *g);

/* Add an outcome to the row under construction: its probability, and that times the refusals and
 * times their ordered pairs. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_growing_add(swq_context *ctx, swq_growing *g, int64_t col, long double value,
                           long double refused, long double pairs);

/* Merge the outcomes by column and append the row. Errors: SWQ_ERANGE for a probability too small
 * for honest arithmetic; SWQ_ENOMEM, SWQ_ELIMIT. O(k log k) for k outcomes. */
swq_status swq_growing_finish(swq_context *ctx, swq_growing *g);

/* Merge the outcomes by column, in place; returns how many columns there are. O(k log k). */
int64_t swq_growing_merge(swq_growing_entry *entry, int64_t count);

/* Append merged outcomes as a row. Errors: as swq_growing_finish. */
swq_status swq_growing_append(swq_context *ctx, swq_growing *g, const swq_growing_entry *entry,
                              int64_t count);

/* Relative error of an entry, in roundings of 2^-53, when each outcome comes from at most `throws`
 * throws of the dice. */
double swq_growing_roundings(const swq_growing *g, int64_t throws);

/* Give unused memory back, and hand the factors over. */
swq_status swq_growing_end(swq_context *ctx, swq_growing *g, int64_t cols, swq_csr *m,
                           swq_csr *refused, swq_csr *pairs);

/* The same for a factor whose refusals nobody wants. */
swq_status swq_growing_end_alone(swq_context *ctx, swq_growing *g, int64_t cols, swq_csr *m);

#endif
