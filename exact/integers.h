/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integers of any size: arrays of them, sparse rows of them, and fractions as text. numbers.h has
 * their memory.
 */
#ifndef SWQ_EXACT_INTEGERS_H
#define SWQ_EXACT_INTEGERS_H

#include "switchq/rational.h"

#include <gmp.h>

/* at[0 .. count-1] are initialised. */
typedef struct swq_integers {
    mpz_t *at;
    int64_t count, room;
} swq_integers;

/* Append a value (NULL: zero). Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_integers_append(swq_context *ctx, swq_integers *list, const mpz_t value);
swq_status swq_integers_zeros(swq_context *ctx, swq_integers *list, int64_t count);
void swq_integers_clear(swq_context *ctx, swq_integers *list);

/* Sparse rows of fractions: row r has the entries start[r] .. start[r + 1] - 1, and each value is a
 * numerator over the row's denominator. */
typedef struct swq_integer_rows {
    int64_t rows, rows_room, entries_room;
    int64_t *start;
    int32_t *col;
    swq_integers value;
    swq_integers denominator;
} swq_integer_rows;

/* Add an entry to the row under construction, and finish it. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_integer_rows_entry(swq_context *ctx, swq_integer_rows *m, int32_t col,
                                  const mpz_t value);
swq_status swq_integer_rows_finish(swq_context *ctx, swq_integer_rows *m, const mpz_t denominator);
void swq_integer_rows_clear(swq_context *ctx, swq_integer_rows *m);

/* Read a decimal number or a fraction of whole numbers; false if it is neither. */
bool swq_fraction_read(const char *text, mpq_t value);

/* Write part / whole in lowest terms. Errors: SWQ_ENOMEM, SWQ_ELIMIT; *out is then unchanged. */
swq_status swq_fraction_write(swq_context *ctx, const mpz_t part, const mpz_t whole,
                              swq_fraction *out);

/* A non-negative value correctly rounded to 20 significant digits. */
void swq_fraction_decimal(const mpq_t value, char decimal[SWQ_RATIONAL_DECIMAL]);

#endif
