/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solving y = b + y Q on a spread chain: steps of the iteration, aggregation and Anderson mixing,
 * as in solvers/multilevel.h for a single process.
 */
#ifndef SWQ_CLUSTER_ITERATE_H
#define SWQ_CLUSTER_ITERATE_H

#include "cluster/coarse.h"

enum { SWQ_FLEET_MIXING = 6 };

/* Anderson mixing of vectors that are spread over ranks; see solvers/mixing.h. */
typedef struct swq_spread_mixing {
    swq_fleet *fleet;
    int64_t n; /* entries of a vector that this rank has */
    int64_t seen;
    double *x[SWQ_FLEET_MIXING], *image[SWQ_FLEET_MIXING];
    double change, limit;
    bool mixed;
} swq_spread_mixing;

swq_status swq_spread_mixing_init(swq_fleet *fleet, int64_t n, swq_spread_mixing *mix);
void swq_spread_mixing_clear(swq_spread_mixing *mix);
void swq_spread_mixing_restart(swq_spread_mixing *mix);
double swq_spread_mixing_step(swq_spread_mixing *mix, const double *x, double *image);

/* How y = b + y Q is iterated. */
typedef enum swq_spread_method {
    SWQ_SPREAD_AGGREGATES,
    SWQ_SPREAD_MIXES, /* the iteration with Anderson mixing, without aggregation */
    SWQ_SPREAD_STEPS  /* only the iteration */
} swq_spread_method;

typedef struct swq_spread_iteration {
    swq_spread_chain *s;
    swq_spread_method method;
    int64_t root; /* the root's number on this rank; -1: another rank has the root */
    swq_coarse coarse;
    swq_spread_mixing mixing;
    double *before, *after; /* [own[0]] around a cycle, and around a step */
    /* called between cycles with the iterate, on all ranks; `last`: the job must stop. NULL: not
     * called */
    swq_status (*pause)(void *arg, const double *x, int64_t cycles, bool last);
    void *arg;
} swq_spread_iteration;

/* Prepare an iteration with a root. The caller clears *it, also after a failure. */
swq_status swq_spread_iteration_new(swq_spread_chain *s, swq_spread_method method, int64_t root,
                                    swq_spread_iteration *it);
void swq_spread_iteration_clear(swq_spread_iteration *it);

/* As swq_multilevel_solve: b and x[own[0]]. */
swq_status swq_spread_iterate(swq_spread_iteration *it, const double *b, double *x,
                              double tolerance, int64_t most_cycles, double *change,
                              int64_t *cycles);

#endif
