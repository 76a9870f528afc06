/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the ranks of an MPI job, as little as a sweep needs: whole messages of bytes
 * with a tag, sent without waiting and received if there is one. A build without MPI has the same
 * functions, and says that it has not.
 * Room: study.
 */
#ifndef SWQ_STUDY_MPI_H
#define SWQ_STUDY_MPI_H

#include "switchq/context.h"

/* Was the program built with MPI (make MPI=1)? */
bool swq_mpi_built(void);

/* How many ranks the launcher that started this process says there are, from the environment that
 * mpirun and srun set; 1 when there is no launcher. Tells it before MPI is touched, and in a build
 * without it. */
int swq_mpi_launched(void);

/* Which of them this is, in the same way: 0, 1, ... */
int swq_mpi_launched_rank(void);

typedef struct swq_mpi swq_mpi;

/* Join the other ranks (MPI_Init): once in a process, after its workers are forked, since a child
 * of a process that runs MPI may not use it. Errors: SWQ_EINVAL without MPI or when it finds fewer
 * ranks than swq_mpi_launched(), which is several jobs of one; SWQ_EIO, SWQ_ENOMEM. */
swq_status swq_mpi_open(swq_context *ctx, swq_mpi **mpi);

int swq_mpi_rank(const swq_mpi *mpi);
int swq_mpi_ranks(const swq_mpi *mpi);

/* Send `size` bytes, which are copied, to another rank. tag: 0 .. 1000, the receiver's to know.
 * Messages between two ranks arrive in order. Errors: SWQ_EIO when MPI fails, SWQ_ENOMEM. */
swq_status swq_mpi_send(swq_mpi *mpi, int to, int tag, const void *bytes, size_t size);

/* A message that has come, from anyone; never waits. */
typedef struct swq_mpi_message {
    int from; /* the rank; -1: none has come */
    int tag;
    char *bytes; /* [size] and a zero behind them; valid until the next call */
    size_t size;
} swq_mpi_message;
swq_status swq_mpi_receive(swq_mpi *mpi, swq_mpi_message *message);

/* Wait until all that was sent has gone, and leave (MPI_Finalize, which waits for all ranks). With
 * `failed` the whole job is ended at once (MPI_Abort), so that nobody waits for a rank that is
 * not going on; it then may not return. NULL is allowed. */
void swq_mpi_close(swq_mpi *mpi, bool failed);

#endif
