/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joining, leaving, and agreeing. A rank that fails must not leave the others waiting, so every
 * stage ends with all ranks telling each other how it went.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/fleet.h"

#include "base/context.h"

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <slepcsys.h>
#include <string.h>

bool swq_cluster_built(void)
{
    return true;
}

/* Open MPI tells the C library to keep all memory that was ever used, for networks that registered
 * it. Large blocks are to be given back again: memory for generating a chain is not needed while
 * the chain is solved, and arrays that grow are not to leave holes. */
static void give_memory_back(void)
{
#ifdef __GLIBC__
    enum { MOST_BLOCKS = 1 << 16, LARGE_BYTES = 1 << 17, SPARE_BYTES = 1 << 20 };
    mallopt(M_MMAP_MAX, MOST_BLOCKS);
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TRIM_THRESHOLD, SPARE_BYTES);
#endif
}

swq_status swq_fleet_open(swq_context *ctx, int launched, swq_fleet **fleet)
{
    swq_fleet *f = swq_calloc(ctx, 1, sizeof *f);

    if (!f)
        return swq_memory_status(ctx);
    /* signals are the program's own, and errors are returned, not printed */
    PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
    if (SlepcInitialize(NULL, NULL, NULL, NULL)) {
        swq_free(ctx, f);
        return swq_fail(ctx, SWQ_EIO, "PETSc cannot be initialised");
    }
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    give_memory_back();
    f->ctx = ctx;
    f->comm = PETSC_COMM_WORLD;
    f->opened = 1;
    MPI_Comm_rank(f->comm, &f->rank);
    MPI_Comm_size(f->comm, &f->ranks);
    if (f->ranks < launched) {
        const int ranks = f->ranks;
        swq_fleet_close(f);
        return swq_fail(
            ctx, SWQ_EINVAL,
            "the launcher started %d ranks, MPI finds %d: it belongs to another MPI than "
            "the one that this switchq was built with",
            launched, ranks);
    }
    *fleet = f;
    return SWQ_OK;
}

int swq_fleet_rank(const swq_fleet *f)
{
    return f->rank;
}

int swq_fleet_size(const swq_fleet *f)
{
    return f->ranks;
}

void swq_fleet_close(swq_fleet *f)
{
    if (!f)
        return;
    PetscPopErrorHandler();
    SlepcFinalize();
    swq_free(f->ctx, f);
}

swq_status swq_fleet_told(swq_fleet *f, swq_status status)
{
    char text[400] = "";
    int mine = status ? f->rank : INT_MAX, first, told = (int)status;

    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, f->comm);
    if (first == INT_MAX)
        return SWQ_OK;
    if (first == f->rank)
        snprintf(text, sizeof text, "%s", swq_context_message(f->ctx));
    MPI_Bcast(&told, 1, MPI_INT, first, f->comm);
    MPI_Bcast(text, (int)sizeof text, MPI_CHAR, first, f->comm);
    return swq_fail(f->ctx, (swq_status)told, "%s", text);
}

int64_t swq_fleet_sum(const swq_fleet *f, int64_t value)
{
    int64_t all;

    MPI_Allreduce(&value, &all, 1, MPI_INT64_T, MPI_SUM, f->comm);
    return all;
}

int64_t swq_fleet_most(const swq_fleet *f, int64_t value)
{
    int64_t all;

    MPI_Allreduce(&value, &all, 1, MPI_INT64_T, MPI_MAX, f->comm);
    return all;
}

double swq_fleet_greatest(const swq_fleet *f, double value)
{
    double all;

    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, f->comm);
    return all;
}

double swq_fleet_least(const swq_fleet *f, double value)
{
    double all;

    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MIN, f->comm);
    return all;
}

/* Adds up on one rank, so that rounding cannot lead ranks to different decisions. */
void swq_fleet_add(const swq_fleet *f, double *value, int count)
{
    MPI_Reduce(f->rank == 0 ? MPI_IN_PLACE : value, value, count, MPI_DOUBLE, MPI_SUM, 0, f->comm);
    MPI_Bcast(value, count, MPI_DOUBLE, 0, f->comm);
}

void swq_fleet_add_fine(const swq_fleet *f, long double *value, int count)
{
    MPI_Reduce(f->rank == 0 ? MPI_IN_PLACE : value, value, count, MPI_LONG_DOUBLE, MPI_SUM, 0,
               f->comm);
    MPI_Bcast(value, count, MPI_LONG_DOUBLE, 0, f->comm);
}

bool swq_fleet_cancelled(const swq_fleet *f)
{
    return swq_fleet_most(f, swq_context_cancelled(f->ctx)) != 0;
}

#endif
