/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranks of a job, and how they agree.
 * Only this folder and study/mpi.c include mpi.h.
 */
#ifndef SWQ_CLUSTER_FLEET_H
#define SWQ_CLUSTER_FLEET_H

#include "cluster/cluster.h"

#include <mpi.h>

struct swq_fleet {
    swq_context *ctx;
    MPI_Comm comm;
    int rank, ranks;
    int opened; /* MPI was initialised by this program, which must finalise it */
};

/* The common status of all ranks: SWQ_OK if all have it, else the status of the first rank that
 * failed, whose message all ranks then have. */
swq_status swq_fleet_told(swq_fleet *fleet, swq_status status);

/* As swq_fleet_told, in a form that shows static analysers that a failure remains a failure. */
static inline swq_status swq_fleet_agree(swq_fleet *fleet, swq_status status)
{
    const swq_status told = swq_fleet_told(fleet, status);

    return told ? told : status;
}

/* Sum, largest and smallest of one number from each rank. */
int64_t swq_fleet_sum(const swq_fleet *fleet, int64_t value);
int64_t swq_fleet_most(const swq_fleet *fleet, int64_t value);
double swq_fleet_greatest(const swq_fleet *fleet, double value);
double swq_fleet_least(const swq_fleet *fleet, double value);

/* Sums over all ranks, the same bits on each of them. */
void swq_fleet_add(const swq_fleet *fleet, double *value, int count);
void swq_fleet_add_fine(const swq_fleet *fleet, long double *value, int count);

/* Must any rank stop? */
bool swq_fleet_cancelled(const swq_fleet *fleet);

#endif
