/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains that no machine has the memory for, spread over the ranks of an MPI job: each rank owns
 * the states that a hash gives it, generates what leads from them, and keeps its rows of the
 * factors as PETSc's distributed matrices (make PETSC=1). A build without PETSc has the same
 * functions, and says that it has not. All functions are called by all ranks alike, and return the
 * same. Room: cluster. Includes exact, models, solvers, base.
 */
#ifndef SWQ_CLUSTER_H
#define SWQ_CLUSTER_H

#include "switchq/exact.h"

/* Was the program built with PETSc (make PETSC=1)? */
bool swq_cluster_built(void);

typedef struct swq_fleet swq_fleet;

/* Join the other ranks (MPI_Init), once in a process. `launched`: how many ranks the launcher says
 * there are. Errors: SWQ_EINVAL without PETSc, or when MPI finds fewer ranks than were launched,
 * which is several jobs of one; SWQ_ENOMEM. */
swq_status swq_fleet_open(swq_context *ctx, int launched, swq_fleet **fleet);

int swq_fleet_rank(const swq_fleet *fleet);
int swq_fleet_size(const swq_fleet *fleet);

/* Leave (MPI_Finalize). NULL is allowed. */
void swq_fleet_close(swq_fleet *fleet);

typedef struct swq_cluster_options {
    const char *checkpoint;    /* a file; NULL: none */
    double checkpoint_seconds; /* between writings */
} swq_cluster_options;

/* What it took: bytes are the most that a rank had resident, and the least of any rank. */
typedef struct swq_cluster_cost {
    int ranks;
    double most_bytes, least_bytes; /* resident in a rank, at its peak */
    int64_t most_entries;           /* of a rank */
    double sent_bytes;              /* all ranks: in one application of the chain */
    double generating, solving;     /* seconds, by the clock on the wall */
    bool resumed;                   /* the iterate was read from the checkpoint */
} swq_cluster_cost;

/* As swq_exact_solve, of whose options variance and slope must be off, and whose solver must be
 * auto, aggregation, anderson, arnoldi or power. *answers are the same on all ranks; the caller
 * clears them. Errors: as swq_exact_solve; SWQ_EINVAL naming what is not modelled; SWQ_EIO for a
 * checkpoint that cannot be read or written, or is another chain's. Cost: that of
 * swq_exact_solve, over the ranks. */
swq_status swq_cluster_solve(swq_fleet *fleet, const swq_switch *sw,
                             const swq_exact_options *options, const swq_cluster_options *cluster,
                             swq_answers *answers, swq_cluster_cost *cost);

#endif
