/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the ranks of an MPI job, as little as a sweep needs: whole messages of bytes
 * with a tag, sent without waiting, and received if a message has come. A build without MPI has the
 * same functions, which say that there is no MPI.
 */
#ifndef SWQ_STUDY_MPI_H
#define SWQ_STUDY_MPI_H

#include "switchq/context.h"

/* Was the program built with MPI (make MPI=1)? */
bool swq_mpi_built(void);

/* The number of ranks that the launcher has started, from the environment set by mpirun and srun; 1
 * if there is no launcher. Works before MPI is initialized, and in a build without it. */
int swq_mpi_launched(void);

/* The number of this rank, from the same source: 0, 1, ... */
int swq_mpi_launched_rank(void);

typedef struct swq_mpi swq_mpi;

/* Joins the other ranks (MPI_Init): once in a process, and after its workers are forked, since a
 * child of a process that runs MPI may not use it. Errors: SWQ_EINVAL without MPI, or if MPI finds
 * fewer ranks than swq_mpi_launched(), as when several jobs of one rank were started; SWQ_EIO,
 * SWQ_ENOMEM. */
swq_status swq_mpi_open(swq_context *ctx, swq_mpi **mpi);

int swq_mpi_rank(const swq_mpi *mpi);
int swq_mpi_ranks(const swq_mpi *mpi);

/* Sends a copy of `size` bytes to another rank. tag: 0 .. 1000, for the receiver. Messages between
 * two ranks arrive in order. Errors: SWQ_EIO if MPI fails, SWQ_ENOMEM. */
swq_status swq_mpi_send(swq_mpi *mpi, int to, int tag, const void *bytes, size_t size);

/* A message from any rank; receiving never waits. */
typedef struct swq_mpi_message {
    int from; /* its sender; -1: no message has come */
    int tag;
    char *bytes; /* [size] with a zero after them; valid until the next call */
    size_t size;
} swq_mpi_message;
swq_status swq_mpi_receive(swq_mpi *mpi, swq_mpi_message *message);

/* Waits until everything has been sent, and leaves (MPI_Finalize, which waits for all ranks). With
 * `failed` the whole job is aborted (MPI_Abort), so that no rank waits for a rank that does not go
 * on; the function may not return then. NULL is allowed. */
void swq_mpi_close(swq_mpi *mpi, bool failed);

#endif
