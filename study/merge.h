/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several databases of one study into one: what the tasks of a job array have written, each by
 * itself.
 * Room: study.
 */
#ifndef SWQ_STUDY_MERGE_H
#define SWQ_STUDY_MERGE_H

#include "study/store.h"

typedef struct swq_merge_options {
    /* Do two answers to one point say the same? The caller knows what in them may differ, the time
     * that they took, say. If not, `where` receives what differs. NULL: equal texts do. */
    bool (*same)(const char *a, const char *b, char *where, size_t room);
    bool prefer_newest; /* of answers that differ; otherwise they are an error */
} swq_merge_options;

typedef struct swq_merge_counts {
    int64_t points;   /* in the parts */
    int64_t taken;    /* answers that the study's database had not */
    int64_t same;     /* that it had */
    int64_t replaced; /* by newer ones */
    int64_t failed;   /* failures taken, of points that nobody has an answer to */
    int64_t foreign;  /* points that were not in the study's database: they are now */
} swq_merge_counts;

/* Take what the databases `part` have into the store, which may be in use: an answer beats a
 * failure, which beats a point that is open or under way. All of it or nothing (one transaction).
 * The parts are read alone. Errors: SWQ_EINVAL for two answers to a point that differ, naming
 * it, the part, and where they do; for a part that is the store itself or no database of this
 * program; SWQ_EIO, SWQ_ECANCELLED. */
swq_status swq_store_merge(swq_context *ctx, swq_store *store, const char *const *part, int parts,
                           const swq_merge_options *options, swq_merge_counts *counts);

#endif
