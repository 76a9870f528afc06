/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/mpi.c and study/ranks.c without other ranks: what the launchers' variables say. Jobs of
 * several ranks are run by tests/faults/ranks.py.
 */
#include "study/ranks.h"
#include "tests/support/support.h"

#include <unistd.h>

static const char *const variables[] = {
    "OMPI_COMM_WORLD_SIZE",
    "PMI_SIZE",
    "SLURM_STEP_NUM_TASKS",
    "SLURM_NTASKS",
    "OMPI_COMM_WORLD_RANK",
    "PMI_RANK",
    "SLURM_PROCID",
    "MPI_LOCALNRANKS",
    "SLURM_ARRAY_TASK_ID",
    "SLURM_JOB_ID",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "SLURM_NTASKS_PER_NODE",
};

static void begin(void)
{
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        unsetenv(variables[k]);
}

TestSuite(mpi, .init = begin);

Test(mpi, launchers)
{
    cr_assert_eq(swq_mpi_launched(), 1);
    cr_assert_eq(swq_mpi_launched_rank(), 0);
    setenv("SLURM_NTASKS", "8", 1); /* of a job, not of a step, so nothing was launched */
    cr_assert_eq(swq_mpi_launched(), 1);
    setenv("SLURM_STEP_NUM_TASKS", "8", 1);
    setenv("SLURM_PROCID", "3", 1);
    cr_assert_eq(swq_mpi_launched(), 8);
    cr_assert_eq(swq_mpi_launched_rank(), 3);
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    setenv("OMPI_COMM_WORLD_RANK", "2", 1);
    cr_assert_eq(swq_mpi_launched(), 4);
    cr_assert_eq(swq_mpi_launched_rank(), 2);
    begin();
    setenv("PMI_SIZE", "nonsense", 1);
    setenv("PMI_RANK", "-7", 1);
    cr_assert_eq(swq_mpi_launched(), 1);
    cr_assert_eq(swq_mpi_launched_rank(), 0);
}

Test(mpi, workers)
{
    const int alone = swq_ranks_workers();

    cr_assert(alone >= 1 && alone <= sysconf(_SC_NPROCESSORS_ONLN));
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1000", 1);
    cr_assert(swq_ranks_workers() >= 1 && swq_ranks_workers() <= alone);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "-3", 1);
    cr_assert_eq(swq_ranks_workers(), alone);
}

Test(mpi, a_build_without)
{
    if (swq_mpi_built())
        cr_skip_test("this build has MPI");
    swq_context *ctx = swq_context_new();
    swq_mpi *mpi = NULL;

    cr_assert_eq(swq_mpi_open(ctx, &mpi), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "make MPI=1"));
    cr_assert_null(mpi);
    swq_mpi_close(NULL, true);
    swq_context_free(ctx);
}
