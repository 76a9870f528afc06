/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symmetric Gauss-Seidel sweeps for x = b + x Q, where Q is the matrix P without the root's column.
 * A state adds its current value along its own row to sums for other states; each state has two
 * sums, from states before it and from states after it. So no transpose is needed, and a forward
 * pass uses only the entries right of the diagonal, a backward pass the entries left of it: both
 * together cost as much as one product with the matrix. All terms are positive, and 1 - p_ii is the
 * sum of the rest of row i, so small entries keep their relative accuracy. Sources: V. Conrad and
 * Y. Wallach, Numer. Math. 32, 1979 (passes that share their sums); W. Stewart, Introduction to the
 * Numerical Solution of Markov Chains, 1994, 3.2.
 */
#ifndef SWQ_SOLVERS_SWEEP_H
#define SWQ_SOLVERS_SWEEP_H

#include "switchq/csr.h"

typedef struct swq_sweep {
    const swq_csr *p;
    int64_t root;
    double omega;   /* 1: Gauss-Seidel; above 1: over-relaxation, where an entry stays above a
                       fraction of its Gauss-Seidel value */
    int64_t *after; /* [states] first entry right of the diagonal */
    double *leave;  /* [states] 1 - p_ii */
    double *before, *later; /* [states] sums from the states on either side */
} swq_sweep;

/* The pattern of p must stay the same; its values may change. Errors: SWQ_ENOMEM, SWQ_ELIMIT.
 * O(entries). */
swq_status swq_sweep_init(swq_context *ctx, const swq_csr *p, int64_t root, double omega,
                          swq_sweep *s);
void swq_sweep_clear(swq_context *ctx, swq_sweep *s);

/* Update for the current values of p. O(entries). */
void swq_sweep_values(swq_sweep *s);

/* `times` forward and backward passes over x. O((times + 1/2) entries). */
void swq_sweep_run(swq_sweep *s, int times, const double *b, double *x);

#endif
