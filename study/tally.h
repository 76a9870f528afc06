/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a status tells of a study's database beside the counts: who is at work, why points failed,
 * which versions answered, how fast it goes.
 */
#ifndef SWQ_STUDY_TALLY_H
#define SWQ_STUDY_TALLY_H

#include "study/store.h"

typedef enum swq_tally {
    SWQ_TALLY_REASONS, /* messages of failed points */
    SWQ_TALLY_OWNERS,  /* processes that have points in progress: "HOST, process PID", followed by "
                          (gone)" if it is known to have ended */
    SWQ_TALLY_VERSIONS, /* of the program that gave the answer */
    SWQ_TALLIES
} swq_tally;

/* Called for each message, process or version (`what`) with the number of its wanted points, the
 * largest number first. */
typedef swq_status swq_tally_visit(void *arg, const char *what, int64_t points);
swq_status swq_store_tally(swq_context *ctx, swq_store *store, swq_tally of, swq_tally_visit *visit,
                           void *arg);

typedef struct swq_pace {
    int64_t recent;     /* wanted points finished in the last ten minutes */
    double seconds;     /* since the first of these points was finished, at least 1 */
    double cpu_seconds; /* mean of a point; NAN if none is done */
} swq_pace;
swq_status swq_store_pace(swq_context *ctx, swq_store *store, swq_pace *pace);

#endif
