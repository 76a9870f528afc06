/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several databases of one study into one: the databases that the tasks of a job array have
 * written, each its own.
 */
#ifndef SWQ_STUDY_MERGE_H
#define SWQ_STUDY_MERGE_H

#include "study/store.h"

typedef struct swq_merge_options {
    /* Do two answers to a point say the same? The caller knows which fields may differ, such as the
     * time taken. If two answers differ otherwise, `where` receives the field that differs. NULL:
     * answers must be equal texts. */
    bool (*same)(const char *a, const char *b, char *where, size_t room);
    bool prefer_newest; /* keep the newer of two answers that differ, which is otherwise an error */
} swq_merge_options;

typedef struct swq_merge_counts {
    int64_t points;   /* points in the parts */
    int64_t taken;    /* answers that the study's database did not have */
    int64_t same;     /* answers that the database had already */
    int64_t replaced; /* answers replaced by newer ones */
    int64_t failed;   /* failures taken, of points to which there is no answer */
    int64_t foreign;  /* points that were not in the study's database and now are */
} swq_merge_counts;

/* Merges the databases `part` into the store, which may be in use: an answer replaces a failure,
 * which replaces a point that is open or in progress. All or nothing (one transaction). The parts
 * are only read. Errors: SWQ_EINVAL for two answers to a point that differ, naming the point, the
 * part, and the difference; for a part that is the store itself, or no database of this program;
 * SWQ_EIO, SWQ_ECANCELLED. */
swq_status swq_store_merge(swq_context *ctx, swq_store *store, const char *const *part, int parts,
                           const swq_merge_options *options, swq_merge_counts *counts);

#endif
