/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sparse factor that grows row by row, together with the refusals in its transitions. If allowed,
 * it is packed (base/packed.h) once it is large.
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
    bool inexact;    /* at least one entry was rounded to double */
    bool packs;      /* m may be packed when it grows large */
    bool bare;       /* refusals are not recorded */
    swq_csr m;       /* the finished rows */
    swq_csr refused; /* with the same rows as m: the expected number of refusals in a transition,
                        times its probability */
    swq_csr pairs;   /* likewise for ordered pairs of refusals; `pairs` has no rows before the first
                        pair */
    int64_t pairs_room;
} swq_growing;

void swq_growing_clear(swq_context *ctx, swq_growing *g);

/* Add an outcome to the row under construction: its probability, and the products of the
 * probability with the number of refusals and with the number of ordered pairs of refusals. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_growing_add(swq_context *ctx, swq_growing *g, int64_t col, long double value,
                           long double refused, long double pairs);

/* Merge the outcomes by column and append the row. Errors: SWQ_ERANGE for a probability that is too
 * small for correct arithmetic; SWQ_ENOMEM, SWQ_ELIMIT. O(k log k) for k outcomes. */
swq_status swq_growing_finish(swq_context *ctx, swq_growing *g);

/* Merge the outcomes by column, in place; returns the number of columns. O(k log k). */
int64_t swq_growing_merge(swq_growing_entry *entry, int64_t count);

/* Append merged outcomes as a row. Errors: as swq_growing_finish. */
swq_status swq_growing_append(swq_context *ctx, swq_growing *g, const swq_growing_entry *entry,
                              int64_t count);

/* Bound on the relative error of an entry, in roundings of 2^-53, if each outcome comes from at
 * most `throws` throws of the dice. */
double swq_growing_roundings(const swq_growing *g, int64_t throws);

/* Free unused memory, and hand over the factors. */
swq_status swq_growing_end(swq_context *ctx, swq_growing *g, int64_t cols, swq_csr *m,
                           swq_csr *refused, swq_csr *pairs);

/* swq_growing_end for a factor whose refusals are not needed. */
swq_status swq_growing_end_alone(swq_context *ctx, swq_growing *g, int64_t cols, swq_csr *m);

#endif
