/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A linear program, and its solution by GLPK: the only file that knows GLPK is program.c.
 */
#ifndef SWQ_BOUND_PROGRAM_H
#define SWQ_BOUND_PROGRAM_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

/* Minimise column 0, over columns of at least 0, so that in each row the sum of value x column is
 * equal to `side`, or at most `side`. */
typedef struct swq_program {
    uint32_t rows, columns;
    uint64_t entries;
    double *side;    /* [rows] */
    bool *equal;     /* [rows] */
    double *most;    /* [columns] upper bound of a column; INFINITY: none */
    uint64_t *start; /* [columns + 1] entries of column k are start[k] .. start[k + 1] - 1 */
    uint32_t *row;   /* [entries] each row at most once in a column */
    double *value;   /* [entries] */
    bool bounded;    /* many columns have an upper bound, and there are few rows: by the simplex
                        method; else by interior points */
} swq_program;

/* Bytes that GLPK takes, roughly, measured (docs/bound.md). */
double swq_program_bytes(double rows, double columns, double entries);

/* column: [columns], and dual: [rows], the change of the minimum with the side of each row, of the
 * best that was found; all 0 if nothing was. Neither need be exact: the caller looks how good they
 * are. Errors: SWQ_ELIMIT if GLPK cannot be loaded or takes more than the context's limit;
 * SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status swq_program_solve(swq_context *ctx, const swq_program *program, double *column,
                             double *dual);

#endif
