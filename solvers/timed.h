/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions about chains in discrete or continuous time: long-run averages, also from a start state
 * of a chain with several closed classes; where and when a path is absorbed; the distribution at a
 * time. All answers have proven bounds: what a linear system is needed for is a stationary vector
 * (switchq/solver.h), with its bound, and the rest are sums of positive terms.
 */
#ifndef SWQ_SOLVERS_TIMED_H
#define SWQ_SOLVERS_TIMED_H

#include "switchq/solver.h"

/* A chain. `p` is square, with an entry in every row. In continuous time p is the chain of jumps,
 * hold[i] > 0 the mean time from a jump to state i to the next jump, and stays[i] says that no jump
 * leads out of state i, whose row of p is then a one on the diagonal. Every entry of p and hold, of
 * rewards and of their products with hold, is known to `roundings` relative roundings of 2^-53. The
 * arrays are the caller's. */
typedef struct swq_timed {
    const swq_csr *p;
    const double *hold; /* [p->rows]; NULL: time is counted in steps */
    const bool *stays;  /* [p->rows], with hold */
    int64_t roundings;
} swq_timed;

/* swq_solve for a chain with one closed class: solution->pi and mean[0], of `reward` (NULL: none),
 * are averages over time, reward being per unit of time. `residual` is of the chain of jumps. Same
 * errors and cost; in continuous time, four more systems. Source: for every embedded chain,
 * pi_i hold_i / sum pi hold is the share of time (renewal-reward theorem). */
swq_status swq_timed_solve(swq_context *ctx, const swq_timed *chain, const double *reward,
                           const swq_solver *solver, const swq_solver_options *options,
                           swq_solution *solution);

/* The end of a path that starts in one state and ends where it first enters a set of states. */
typedef struct swq_passage {
    int sets;
    swq_mean *arrives;        /* [sets] probability that the path ends in each set */
    swq_mean time;            /* mean time until then */
    swq_mean reward;          /* mean reward collected until then; 0 without rewards */
    int64_t transient;        /* states that the path may visit before */
    const swq_solver *solver; /* NULL: none was needed */
    double error;             /* largest proven relative error of the numbers of visits */
} swq_passage;

/* Follow a path from the state `start`. set[i] is the set of state i, from 0 to sets - 1, or
 * negative; from every state that the path may visit, it must be possible to reach a set
 * (SWQ_EREDUCIBLE otherwise). A reward is per step, or per unit of time. The caller frees with
 * swq_passage_clear. Errors: those of swq_solve. SWQ_ECONVERGE comes with an answer whose bounds
 * are true. Cost: one solution of a chain of the states that the path may visit, in which all sets
 * are one state that leads back to the start: a cycle of that chain is a path. Source: J. Kemeny
 * and J. Snell, Finite Markov Chains, 1960, chapter 3. */
swq_status swq_passage_solve(swq_context *ctx, const swq_timed *chain, int64_t start,
                             const int32_t *set, int sets, const double *reward,
                             const swq_solver *solver, const swq_solver_options *options,
                             swq_passage *passage);
void swq_passage_clear(swq_context *ctx, swq_passage *passage);

/* A closed class that a path may end in. */
typedef struct swq_ending {
    int64_t states, first; /* how many states, and the least of them */
    int64_t period;
    swq_mean probability; /* that the path ends in the class */
    swq_mean reward;      /* average over time in the class; 0 without rewards */
} swq_ending;

/* Averages over time of paths that start in one state. */
typedef struct swq_long_run {
    int classes; /* closed classes that can be reached from the start */
    swq_ending *ending;
    double *pi;      /* [states] expected share of time spent in each state, in the long run */
    double pi_error; /* proven bound on the relative error of every entry */
    swq_mean reward; /* expected average over time */
    swq_mean time;   /* mean time until the path is in a closed class */
    int64_t transient;
    const swq_solver *solver; /* of the largest chain that was solved */
} swq_long_run;

/* The closed classes that a path from `start` may end in. reward may be NULL. The caller frees with
 * swq_long_run_clear. Errors and bounds as above; SWQ_ELIMIT for more than 100,000 classes. Cost:
 * one solution for the passage and one for each class. */
swq_status swq_long_run_solve(swq_context *ctx, const swq_timed *chain, int64_t start,
                              const double *reward, const swq_solver *solver,
                              const swq_solver_options *options, swq_long_run *run);
void swq_long_run_clear(swq_context *ctx, swq_long_run *run);

/* The distribution at a time: |x[i] - X[i]| <= relative x[i] in every state, and the sum of what is
 * lost beyond that over all states is at most `absolute`. `relative` is INFINITY if nothing can be
 * proven. */
typedef struct swq_transient {
    double *x; /* [states] */
    double relative, absolute;
    int64_t steps; /* taken */
} swq_transient;

/* The distribution after `time` steps (a whole number), or in continuous time after that time, of a
 * chain that is in `start` at time 0. The caller frees x with swq_transient_clear. Errors:
 * SWQ_EINVAL for a negative time; SWQ_ELIMIT if more than 1e10 steps were needed; SWQ_ENOMEM,
 * SWQ_ELIMIT, SWQ_ECANCELLED. Cost: a multiplication for each entry and step; in continuous time
 * there are about 2 L t + 30 sqrt(L t) steps, L being the largest rate out of a state. Sources:
 * A. Jensen, Skand. Aktuarietidskr. 36, 1953 (uniformisation); B. Fox and P. Glynn, Comm. ACM
 * 31(4), 1988 (weights from the mode outwards, scaled by their own sum; here the tails are bounded
 * by geometric series). */
swq_status swq_transient_solve(swq_context *ctx, const swq_timed *chain, int64_t start, double time,
                               swq_transient *transient);
void swq_transient_clear(swq_context *ctx, swq_transient *transient);

/* The closed classes of a chain: of[i] receives the class of state i, numbered from 0 in the order
 * of their first states, or -1 if state i is transient. Errors and cost of swq_structure_find. */
swq_status swq_classes_find(swq_context *ctx, const swq_csr *p, int32_t *of, int64_t *classes);

#endif
