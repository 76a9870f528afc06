/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats that are read, and what they share: transitions in any order become rows.
 */
#ifndef SWQ_MODELS_IMPORT_H
#define SWQ_MODELS_IMPORT_H

#include "base/lines.h"
#include "switchq/import.h"

extern const swq_import_format swq_import_tra, swq_import_mtx, swq_import_drn, swq_import_csv,
    swq_import_npy;

/* The sum of a row may differ from one by the rounding of decimals with ten digits. */
#define IMPORT_SUM_TOLERANCE 1e-9

/* Transitions in the order of the file. Begin with transitions_begin. */
typedef struct transitions {
    int64_t count, room;
    int32_t *from, *to; /* [room] */
    double *value;      /* [room] */
    bool fractions;     /* at least one number was written as a fraction */
    bool rates;         /* the numbers are rates: those on the diagonal may be negative */
    double most;        /* the largest number allowed */
} transitions;

transitions transitions_begin(const swq_import_options *options);

/* Check the sizes in a header: every state needs a transition (of rates: one out of it or one into
 * it), and numbers must be in range. */
swq_status transitions_sizes(swq_lines *lines, const transitions *t, int64_t states,
                             int64_t entries);

/* Read "FROM TO VALUE" from the line, with states counted from `base`. */
swq_status transitions_read(swq_lines *lines, int64_t states, int base, transitions *t);

/* Read "VALUE" from the line, of a transition whose states (counted from 0) are known. With `both`
 * the transition in the other direction has the same value. */
swq_status transitions_read_value(swq_lines *lines, int64_t from, int64_t to, bool both,
                                  transitions *t);

/* Is the value of a transition wrong? `text` says then what is. */
bool transitions_refuse(const transitions *t, bool diagonal, double value, char text[160]);

/* Add a transition, unless its value is zero. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status transitions_add(swq_context *ctx, transitions *t, int64_t from, int64_t to,
                           double value);

/* Sort the transitions into chain->p, adding up those in the same place, and set chain->roundings.
 * Frees *t, also on failure. */
swq_status transitions_sort(swq_context *ctx, transitions *t, int64_t states, swq_imported *chain);
void transitions_clear(swq_context *ctx, transitions *t);

/* Make the rows of chain->p, as read from the file, probabilities. Errors: SWQ_EINVAL, SWQ_ERANGE,
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status import_scale(swq_context *ctx, const char *path, const swq_import_options *options,
                        swq_imported *chain);

/* Read a file that accompanies a chain, whose p is complete. `optional`: a missing file is not an
 * error. */
swq_status import_rewards(swq_context *ctx, const char *path, bool optional, swq_imported *chain);
swq_status import_names(swq_context *ctx, const char *path, swq_imported *chain);
swq_status import_labels(swq_context *ctx, const char *path, swq_imported *chain);

/* A new label without states, whose name the chain owns from here on, also on failure. */
swq_status import_new_label(swq_context *ctx, char *name, swq_imported *chain);

/* Give the label one more state, which must be above those that it has. Errors: SWQ_EINVAL if the
 * label has the state already. */
swq_status import_label_state(swq_lines *lines, swq_label *label, int64_t state);

/* The text between the first two quotation marks in *at, which moves past them; NULL if there is
 * none (*at is unchanged) or no memory (*status says so). */
char *import_quoted(swq_context *ctx, char **at, swq_status *status);

#endif
