/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stationary vector of a spread chain, and a bound on the error of each of its entries, as in
 * solvers/factors.c for a single process.
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

/* Find the stationary vector of a chain that is spread over ranks, with proven bounds, by the
 * method with the name of `solver`: aggregation, anderson, arnoldi or power. The caller frees pi.
 * Errors: as swq_solve_product; SWQ_ECONVERGE comes with a solution. */
swq_status swq_spread_solve(swq_spread_chain *s, const swq_solver *solver,
                            const swq_solver_options *options, swq_checkpoint *checkpoint,
                            swq_spread_solution *solution);

/* Compute the stationary vector by SLEPc's Krylov-Schur method, relative to its largest entry, into
 * x, of which positive entries stay positive. Errors: SWQ_EIO, SWQ_ECONVERGE. */
swq_status swq_spread_arnoldi(swq_spread_chain *s, double tolerance, int64_t most,
                              const bool *recurrent, double *x, int64_t *applied);

#endif
