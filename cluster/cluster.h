/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains that are too large for one machine's memory, spread over the ranks of an MPI job: each
 * rank owns some groups of neighbouring nodes, generates their transitions, and keeps its rows of
 * the factors (make PETSC=1, for SLEPc's Krylov-Schur method). A build without PETSc has the same
 * functions, which fail and say so. All ranks call all functions, with the same results.
 */
#ifndef SWQ_CLUSTER_H
#define SWQ_CLUSTER_H

#include "switchq/exact.h"

/* Was the program built with PETSc (make PETSC=1)? */
bool swq_cluster_built(void);

typedef struct swq_fleet swq_fleet;

/* Join the other ranks (MPI_Init), once in a process. `launched`: the number of ranks by the
 * launcher's account. Errors: SWQ_EINVAL without PETSc, or if MPI finds fewer ranks than were
 * launched, which means several jobs of one rank each; SWQ_ENOMEM. */
swq_status swq_fleet_open(swq_context *ctx, int launched, swq_fleet **fleet);

int swq_fleet_rank(const swq_fleet *fleet);
int swq_fleet_size(const swq_fleet *fleet);

/* Leave (MPI_Finalize). NULL is allowed. */
void swq_fleet_close(swq_fleet *fleet);

typedef struct swq_cluster_options {
    const char *checkpoint;    /* a file; NULL: none */
    double checkpoint_seconds; /* between two writes */
} swq_cluster_options;

/* The cost of a solution. */
typedef struct swq_cluster_cost {
    int ranks;
    double most_bytes, least_bytes; /* resident memory of a rank at its peak: the largest and the
                                       smallest of all ranks */
    int64_t most_entries;           /* largest number of entries of a rank */
    double sent_bytes;              /* by all ranks, in one application of the chain */
    double generating, solving;     /* seconds of wall-clock time */
    bool resumed;                   /* the iterate was read from the checkpoint */
} swq_cluster_cost;

/* As swq_exact_solve; the options variance and slope must be off, and the solver must be auto,
 * aggregation, anderson, arnoldi or power. *answers are the same on all ranks; the caller clears
 * them. Errors: as swq_exact_solve; SWQ_EINVAL naming what is not modelled; SWQ_EINVAL for a file
 * that is not a checkpoint, or is a checkpoint of another chain; SWQ_EIO for a file that cannot be
 * read or written. Cost: that of swq_exact_solve, divided among the ranks. */
swq_status swq_cluster_solve(swq_fleet *fleet, const swq_switch *sw,
                             const swq_exact_options *options, const swq_cluster_options *cluster,
                             swq_answers *answers, swq_cluster_cost *cost);

#endif
