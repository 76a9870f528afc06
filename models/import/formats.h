/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats that are read, and what they share: transitions in any order become rows.
 * Room: models.
 */
#ifndef SWQ_MODELS_IMPORT_H
#define SWQ_MODELS_IMPORT_H

#include "base/lines.h"
#include "switchq/import.h"

extern const swq_import_format swq_import_tra, swq_import_mtx;

/* Transitions as they come. Zeroed at first. */
typedef struct transitions {
    int64_t count, room;
    int32_t *from, *to; /* [room] */
    double *value;      /* [room] */
    bool fractions;     /* some number was written as one */
} transitions;

/* Sizes from a header, checked: every state needs a transition, and numbers must fit. */
swq_status transitions_sizes(swq_lines *lines, int64_t states, int64_t entries);

/* Read "FROM TO VALUE" off the line, states counted from `base`. */
swq_status transitions_read(swq_lines *lines, int64_t states, int base, transitions *t);

/* Sort them into chain->p, equal places added up, and set chain->roundings. Frees *t, whatever
 * happens. */
swq_status transitions_sort(swq_context *ctx, transitions *t, int64_t states, swq_imported *chain);
void transitions_clear(swq_context *ctx, transitions *t);

/* The files beside a chain, whose p is there already. `optional`: no such file is no error. */
swq_status import_rewards(swq_context *ctx, const char *path, bool optional, swq_imported *chain);
swq_status import_names(swq_context *ctx, const char *path, swq_imported *chain);
swq_status import_labels(swq_context *ctx, const char *path, swq_imported *chain);

/* The text between the first two quotation marks in *at, and *at moved behind them; NULL if there
 * is none (then *at stays) or no memory (then *status says so). */
char *import_quoted(swq_context *ctx, char **at, swq_status *status);

#endif
