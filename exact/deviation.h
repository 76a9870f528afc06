/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The long-run effect of a disturbance of the flow between states on a mean: u Z h, where u is the
 * disturbance, Z = (I - P + 1 pi)^-1 the fundamental matrix and h the reward less its mean. It is
 * the covariance part of an asymptotic variance, and the first-order perturbation of a mean.
 *
 * With z (I - P) = u, u Z h = z h. Let u = plus - minus, both non-negative, of equal sums, and for
 * a frequent state, the root, let y+ = plus + y+ Q, y- = minus + y- Q (Q is P without the root's
 * column). Then z = y+ - y-, since the term that is missing from the root's equation is the sum of
 * u, which is zero. Both vectors are sums of positive terms, and known with small relative error in
 * each state; only their difference, weighted with h, cancels, and the bound takes this into
 * account. Sources: J. Kemeny and J. Snell, Finite Markov Chains, 1960 (fundamental matrix); P.
 * Schweitzer, J. Appl. Probab. 5, 1968 (perturbation).
 */
#ifndef SWQ_EXACT_DEVIATION_H
#define SWQ_EXACT_DEVIATION_H

#include "switchq/exact.h"

/* A chain that has been solved, with one of its rewards. */
typedef struct swq_solved {
    swq_context *ctx;
    swq_chain *chain;
    const swq_grouping *grouping;
    const swq_exact_options *options;
    const double *pi;     /* [states] */
    double pi_error;      /* relative, of every entry */
    const double *reward; /* [states] expected reward of the next cycle */
    double mean;          /* pi reward */
} swq_solved;

/* Two vectors of states, zeroed, in one block. */
typedef struct swq_flows {
    double *plus, *minus; /* [states] */
    double error;         /* bound on the relative error of each entry */
} swq_flows;

swq_status swq_flows_init(swq_context *ctx, int64_t states, swq_flows *flows);
void swq_flows_clear(swq_context *ctx, swq_flows *flows);

/* Relative error of sums over states of pi times products of the factors, including their
 * expectations. */
double swq_flow_error(const swq_solved *s);

/* u Z h. Errors: those of
 * swq_solve_visits; SWQ_ECONVERGE comes with a result. Cost: at most three solutions. */
swq_status swq_deviation(const swq_solved *s, const swq_flows *flows, swq_known *result);

/* to += from m, for a matrix that may have no rows. */
void swq_spread_into(const swq_csr *m, const long double *from, long double *to);

/* The asymptotic variance of the refusals (variance.c), for which the reward must be the refusals,
 * and the derivative of the reward's mean (slope.c), for discard and block. Errors: as
 * swq_deviation and swq_chain_slopes. */
swq_status swq_exact_variance(const swq_solved *s, swq_known *variance);
swq_status swq_exact_slope(const swq_solved *s, swq_known *slope);

#endif
