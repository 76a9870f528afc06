/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stationary vector of a spread chain, and a bound on the error of each of its entries: what
 * solvers/factors.c does in one process. Room: cluster.
 */
#ifndef SWQ_CLUSTER_PROVE_H
#define SWQ_CLUSTER_PROVE_H

#include "cluster/checkpoint.h"
#include "cluster/iterate.h"

typedef struct swq_spread_solution {
    double *pi;      /* [own[0]]; zero exactly where a state is transient */
    double pi_error; /* as in swq_solution */
    double residual;
    int64_t transient, period, iterations;
    bool converged, resumed;
} swq_spread_solution;

/* Solve by aggregation, anderson, arnoldi or power, which `solver` says by name. The caller frees
 * pi. Errors: as swq_solve_product; SWQ_ECONVERGE comes with a solution. */
swq_status swq_spread_solve(swq_spread_chain *s, const swq_solver *solver,
                            const swq_solver_options *options, swq_checkpoint *checkpoint,
                            swq_spread_solution *solution);

/* The stationary vector by SLEPc's Krylov-Schur method, to some digits of its largest entry, into
 * x, whose entries stay positive where they are. Errors: SWQ_EIO, SWQ_ECONVERGE. */
swq_status swq_spread_arnoldi(swq_spread_chain *s, double tolerance, int64_t most,
                              const bool *recurrent, double *x, int64_t *applied);

#endif
