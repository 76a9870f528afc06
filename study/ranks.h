/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranks of an MPI job on one study. Rank 0 has the database and hands out the points; the
 * others lend it their workers, each of which it reaches through a link as it does its own. A rank
 * that is lost takes the job with it (MPI has no other way); what was recorded stays.
 * Room: study.
 */
#ifndef SWQ_STUDY_RANKS_H
#define SWQ_STUDY_RANKS_H

#include "study/crew.h"
#include "study/mpi.h"

/* How many workers this process should have where nobody says: the processors that it may run on,
 * shared with the other ranks of its machine if they may run on the same. */
int swq_ranks_workers(void);

/* Of rank 0: the workers of all others. */
typedef struct swq_ranks swq_ranks;

/* Wait until every rank has said how many workers it has, and make a link to each. `version` is
 * that of the program. Errors: SWQ_EINVAL when a rank runs another version; SWQ_EIO; SWQ_ENOMEM;
 * SWQ_ECANCELLED. */
swq_status swq_ranks_meet(swq_context *ctx, swq_mpi *mpi, const char *version, swq_ranks **ranks);

/* The links, owned by `ranks`, each until its end() is called. */
swq_link *const *swq_ranks_links(const swq_ranks *ranks, int *links);

/* Let the other ranks leave, whether they were met or not (ranks may be NULL), and free. */
void swq_ranks_dismiss(swq_context *ctx, swq_mpi *mpi, swq_ranks *ranks);

/* Of the other ranks: lend `workers` workers of the keeper to rank 0, until it lets this one leave.
 * SWQ_ECANCELLED is not returned: what is cancelled is rank 0's to say. */
swq_status swq_ranks_lend(swq_context *ctx, swq_mpi *mpi, const char *version, swq_keeper *keeper,
                          int workers);

#endif
