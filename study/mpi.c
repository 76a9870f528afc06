/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MPI. A message is kept until it has been sent: two ranks that send each other long messages, and
 * both wait for the other to receive, would wait for ever. Only this file sees the header mpi.h.
 */
#include "study/mpi.h"

#include "base/context.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The first of several environment variables that is a number of at least `least`; or
 * `otherwise`. */
static int first_number(const char *const *names, int least, int otherwise)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        const long number = text ? strtol(text, NULL, 10) : -1;
        if (number >= least && number <= INT_MAX)
            return (int)number;
    }
    return otherwise;
}

int swq_mpi_launched(void)
{
    /* Open MPI's mpirun; the PMI of MPICH and Slurm; srun, which sets the last one only within a
     * step */
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                        NULL};

    return first_number(names, 2, 1);
}

int swq_mpi_launched_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", NULL};

    return first_number(names, 0, 0);
}

#ifdef SWQ_HAVE_MPI

#include <mpi.h>

typedef struct {
    MPI_Request request;
    char *bytes;
} parcel;

struct swq_mpi {
    swq_context *ctx;
    int rank, ranks;
    parcel *sent; /* [parcels] messages being sent */
    size_t parcels, room;
    char *received; /* [most] */
    size_t most;
};

bool swq_mpi_built(void)
{
    return true;
}

static swq_status failure(swq_context *ctx, const char *what, int error)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (MPI_Error_string(error, text, &length) != MPI_SUCCESS)
        memcpy(text, "unknown error", sizeof "unknown error");
    return swq_fail(ctx, SWQ_EIO, "MPI cannot %s: %s", what, text);
}

swq_status swq_mpi_open(swq_context *ctx, swq_mpi **mpi)
{
    swq_mpi *new = swq_calloc(ctx, 1, sizeof *new);

    if (!new)
        return swq_memory_status(ctx);
    new->ctx = ctx;
    int error = MPI_Init(NULL, NULL);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_rank(MPI_COMM_WORLD, &new->rank);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_size(MPI_COMM_WORLD, &new->ranks);
    if (error != MPI_SUCCESS) {
        swq_free(ctx, new);
        return failure(ctx, "begin", error);
    }
    if (new->ranks < swq_mpi_launched()) {
        swq_fail(ctx, SWQ_EINVAL,
                 "the launcher started %d ranks, but MPI sees %d: start it with the mpirun of the "
                 "MPI that switchq was built with, or 'srun --mpi=pmix'",
                 swq_mpi_launched(), new->ranks);
        swq_mpi_close(new, false);
        return SWQ_EINVAL;
    }
    *mpi = new;
    return SWQ_OK;
}

int swq_mpi_rank(const swq_mpi *mpi)
{
    return mpi->rank;
}

int swq_mpi_ranks(const swq_mpi *mpi)
{
    return mpi->ranks;
}

/* Frees the messages that have been sent. */
static swq_status sweep_out(swq_mpi *mpi)
{
    size_t kept = 0;

    for (size_t k = 0; k < mpi->parcels; k++) {
        int gone;
        int error = MPI_Test(&mpi->sent[k].request, &gone, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS)
            return failure(mpi->ctx, "send", error);
        if (gone)
            swq_free(mpi->ctx, mpi->sent[k].bytes);
        else
            mpi->sent[kept++] = mpi->sent[k];
    }
    mpi->parcels = kept;
    return SWQ_OK;
}

swq_status swq_mpi_send(swq_mpi *mpi, int to, int tag, const void *bytes, size_t size)
{
    swq_context *ctx = mpi->ctx;

    if (size > INT_MAX)
        return swq_fail(ctx, SWQ_ELIMIT, "a message of %zu bytes is too long for MPI", size);
    if (mpi->parcels == mpi->room) {
        const size_t room = mpi->room ? 2 * mpi->room : 16;
        parcel *more = swq_resize(ctx, mpi->sent, room, sizeof *more);
        if (!more)
            return swq_memory_status(ctx);
        mpi->sent = more;
        mpi->room = room;
    }
    parcel *new = &mpi->sent[mpi->parcels];
    new->bytes = swq_calloc(ctx, size + 1, 1);
    if (!new->bytes)
        return swq_memory_status(ctx);
    memcpy(new->bytes, bytes, size);
    int error = MPI_Isend(new->bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &new->request);
    if (error != MPI_SUCCESS) {
        swq_free(ctx, new->bytes);
        return failure(ctx, "send", error);
    }
    mpi->parcels++;
    return SWQ_OK;
}

swq_status swq_mpi_receive(swq_mpi *mpi, swq_mpi_message *message)
{
    MPI_Status waiting;
    int there, size;

    *message = (swq_mpi_message){.from = -1};
    swq_status status = sweep_out(mpi);
    if (status)
        return status;
    int error = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &waiting);
    if (error != MPI_SUCCESS)
        return failure(mpi->ctx, "receive", error);
    if (!there)
        return SWQ_OK;
    error = MPI_Get_count(&waiting, MPI_BYTE, &size);
    if (error != MPI_SUCCESS)
        return failure(mpi->ctx, "receive", error);
    if ((size_t)size + 1 > mpi->most) {
        char *more = swq_resize(mpi->ctx, mpi->received, (size_t)size + 1, 1);
        if (!more)
            return swq_memory_status(mpi->ctx);
        mpi->received = more;
        mpi->most = (size_t)size + 1;
    }
    error = MPI_Recv(mpi->received, size, MPI_BYTE, waiting.MPI_SOURCE, waiting.MPI_TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS)
        return failure(mpi->ctx, "receive", error);
    mpi->received[size] = '\0';
    *message = (swq_mpi_message){.from = waiting.MPI_SOURCE,
                                 .tag = waiting.MPI_TAG,
                                 .bytes = mpi->received,
                                 .size = (size_t)size};
    return SWQ_OK;
}

void swq_mpi_close(swq_mpi *mpi, bool failed)
{
    if (!mpi)
        return;
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t k = 0; k < mpi->parcels; k++) {
        MPI_Wait(&mpi->sent[k].request, MPI_STATUS_IGNORE);
        swq_free(mpi->ctx, mpi->sent[k].bytes);
    }
    MPI_Finalize();
    swq_free(mpi->ctx, mpi->sent);
    swq_free(mpi->ctx, mpi->received);
    swq_free(mpi->ctx, mpi);
}

#else

bool swq_mpi_built(void)
{
    return false;
}

swq_status swq_mpi_open(swq_context *ctx, swq_mpi **mpi)
{
    (void)mpi;
    return swq_fail(ctx, SWQ_EINVAL, "this switchq was built without MPI ('make MPI=1' has it)");
}

int swq_mpi_rank(const swq_mpi *mpi)
{
    (void)mpi;
    return 0;
}

int swq_mpi_ranks(const swq_mpi *mpi)
{
    (void)mpi;
    return 1;
}

swq_status swq_mpi_send(swq_mpi *mpi, int to, int tag, const void *bytes, size_t size)
{
    (void)mpi, (void)to, (void)tag, (void)bytes, (void)size;
    return SWQ_EINVAL;
}

swq_status swq_mpi_receive(swq_mpi *mpi, swq_mpi_message *message)
{
    (void)mpi;
    *message = (swq_mpi_message){.from = -1};
    return SWQ_EINVAL;
}

void swq_mpi_close(swq_mpi *mpi, bool failed)
{
    (void)mpi, (void)failed;
}

#endif
