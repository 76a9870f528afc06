/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions shared by the files that number and tabulate rows.
 */
#ifndef SWQ_MODELS_ROW_PARTS_H
#define SWQ_MODELS_ROW_PARTS_H

#include "models/row.h"

enum { SWQ_ROW_SETTLED, SWQ_ROW_ARRIVING, SWQ_ROW_DRAWING, SWQ_ROW_FILLING };

enum { SWQ_ROW_STATE_WORDS = SWQ_ROW_PORTS * (SWQ_ROW_WORDS + 1) };

/* The number of a row of that kind, which may be new. Without a context, rows are only looked up.
 */
swq_status swq_rows_intern(swq_context *ctx, swq_rows *rows, int class, int kind,
                           const swq_word *content, int32_t *number);

/* Does acceptance depend on a packet's destination? */
bool swq_rows_know_destinations(const swq_rows *rows);

/* Write the mark of `row` to a content, after the row has sent to the outputs in `sent`. */
void swq_rows_carry_mark(const swq_rows *rows, int32_t row, uint32_t sent, swq_word *content);

/* Tabulate all known rows, and the rows that are added by doing so. */
swq_status swq_rows_close(swq_context *ctx, swq_rows *rows);

#endif
