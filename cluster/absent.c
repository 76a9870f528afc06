/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replaces the rest of this room in a build without PETSc.
 */
#ifndef SWQ_HAVE_PETSC

#include "base/context.h"
#include "cluster/cluster.h"

bool swq_cluster_built(void)
{
    return false;
}

swq_status swq_fleet_open(swq_context *ctx, int launched, swq_fleet **fleet)
{
    (void)launched;
    *fleet = NULL;
    return swq_fail(
        ctx, SWQ_EINVAL,
        "--mpi spreads a chain over the ranks of an MPI job, and this switchq was built "
        "without PETSc: build it with 'make PETSC=1' (packages: petsc-dev, slepc-dev)");
}

int swq_fleet_rank(const swq_fleet *fleet)
{
    (void)fleet;
    return 0;
}

int swq_fleet_size(const swq_fleet *fleet)
{
    (void)fleet;
    return 1;
}

void swq_fleet_close(swq_fleet *fleet)
{
    (void)fleet;
}

swq_status swq_cluster_solve(swq_fleet *fleet, const swq_switch *sw,
                             const swq_exact_options *options, const swq_cluster_options *cluster,
                             swq_answers *answers, swq_cluster_cost *cost)
{
    (void)fleet;
    (void)sw;
    (void)options;
    (void)cluster;
    (void)answers;
    (void)cost;
    return SWQ_EINVAL; /* never called: no fleet can be opened */
}

#endif
