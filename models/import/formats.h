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

/* Transitions in the order of the file. Begin with a zeroed struct. */
typedef struct transitions {
    int64_t count, room;
    int32_t *from, *to; /* [room] */
    double *value;      /* [room] */
    bool fractions;     /* at least one number was written as a fraction */
} transitions;

/* Check the sizes in a header: every state needs a transition, and numbers must be in range. */
swq_status transitions_sizes(swq_lines *lines, int64_t states, int64_t entries);

/* Read "FROM TO VALUE" from the line, with states counted from `base`. */
swq_status transitions_read(swq_lines *lines, int64_t states, int base, transitions *t);

/* Sort the transitions into chain->p, adding up those in the same place, and set chain->roundings.
 * Frees *t, also on failure. */
swq_status transitions_sort(swq_context *ctx, transitions *t, int64_t states, swq_imported *chain);
void transitions_clear(swq_context *ctx, transitions *t);

/* Read a file that accompanies a chain, whose p is complete. `optional`: a missing file is not an
 * error. */
swq_status import_rewards(swq_context *ctx, const char *path, bool optional, swq_imported *chain);
swq_status import_names(swq_context *ctx, const char *path, swq_imported *chain);
swq_status import_labels(swq_context *ctx, const char *path, swq_imported *chain);

/* The text between the first two quotation marks in *at, which moves past them; NULL if there is
 * none (*at is unchanged) or no memory (*status says so). */
char *import_quoted(swq_context *ctx, char **at, swq_status *status);

#endif
