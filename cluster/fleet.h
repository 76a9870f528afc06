/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranks of a job, and what they agree on.
 * Room: cluster. mpi.h is seen by this room and study/mpi.c alone.
 */
#ifndef SWQ_CLUSTER_FLEET_H
#define SWQ_CLUSTER_FLEET_H

#include "cluster/cluster.h"

#include <mpi.h>

struct swq_fleet {
    swq_context *ctx;
    MPI_Comm comm;
    int rank, ranks;
    int opened; /* by this program, which then closes it */
};

/* What the ranks have come to together: SWQ_OK if all have, else the status of the first that has
 * not, whose message all have afterwards. */
swq_status swq_fleet_told(swq_fleet *fleet, swq_status status);

/* The same. To a tool that analyses one caller, it also shows that a failure remains a failure. */
static inline swq_status swq_fleet_agree(swq_fleet *fleet, swq_status status)
{
    const swq_status told = swq_fleet_told(fleet, status);

    return told ? told : status;
}

/* Of one number from each rank. */
int64_t swq_fleet_sum(const swq_fleet *fleet, int64_t value);
int64_t swq_fleet_most(const swq_fleet *fleet, int64_t value);
double swq_fleet_greatest(const swq_fleet *fleet, double value);
double swq_fleet_least(const swq_fleet *fleet, double value);

/* Sums over all ranks, the same bits on each of them. */
void swq_fleet_add(const swq_fleet *fleet, double *value, int count);
void swq_fleet_add_fine(const swq_fleet *fleet, long double *value, int count);

/* Is any rank to stop? */
bool swq_fleet_cancelled(const swq_fleet *fleet);

#endif
