/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranks of an MPI job on one study. Rank 0 has the database and hands out the points; the other
 * ranks lend rank 0 their workers, each of which it reaches through a link, like its own workers.
 * If a rank is lost, the whole job ends (MPI has no other way); recorded answers stay.
 */
#ifndef SWQ_STUDY_RANKS_H
#define SWQ_STUDY_RANKS_H

#include "study/crew.h"
#include "study/mpi.h"

/* The default number of workers of this process: the processors that it may run on, divided among
 * the ranks of the machine if they may use the same processors. */
int swq_ranks_workers(void);

/* For rank 0: the workers of all other ranks. */
typedef struct swq_ranks swq_ranks;

/* Waits until every rank has sent its number of workers, and makes a link to each worker. `version`
 * is the program's. Errors: SWQ_EINVAL if a rank runs another version; SWQ_EIO; SWQ_ENOMEM;
 * SWQ_ECANCELLED. */
swq_status swq_ranks_meet(swq_context *ctx, swq_mpi *mpi, const char *version, swq_ranks **ranks);

/* The links, owned by `ranks`; each is valid until its end() is called. */
swq_link *const *swq_ranks_links(const swq_ranks *ranks, int *links);

/* Lets the other ranks leave, whether swq_ranks_meet succeeded or not (ranks may be NULL), and
 * frees. */
void swq_ranks_dismiss(swq_context *ctx, swq_mpi *mpi, swq_ranks *ranks);

/* For the other ranks: lends `workers` workers of the keeper to rank 0 until rank 0 lets this rank
 * leave. Does not return SWQ_ECANCELLED, since only rank 0 decides that. */
swq_status swq_ranks_lend(swq_context *ctx, swq_mpi *mpi, const char *version, swq_keeper *keeper,
                          int workers);

#endif
