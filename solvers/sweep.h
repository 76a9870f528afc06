/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symmetric Gauss-Seidel sweeps for x = b + x Q on a matrix P whose root's column Q lacks. A state
 * hands what it holds now on along its own row, to two sums for each state: what comes from states
 * before it, and from states after it. So no transpose is kept, and a pass forwards needs the
 * entries right of the diagonal alone, one backwards those left of it: both together cost what one
 * product with the matrix does. All terms are positive, and 1 - p_ii is the sum of the rest of row
 * i, so small entries keep their relative accuracy.
 * Sources: V. Conrad and Y. Wallach, Numer. Math. 32, 1979 (passes that share their sums); W.
 * Stewart, Introduction to the Numerical Solution of Markov Chains, 1994, 3.2. Room: solvers.
 */
#ifndef SWQ_SOLVERS_SWEEP_H
#define SWQ_SOLVERS_SWEEP_H

#include "switchq/csr.h"

typedef struct swq_sweep {
    const swq_csr *p;
    int64_t root;
    double omega;           /* 1: Gauss-Seidel; above: over-relaxed, an entry kept above a part of
                               what Gauss-Seidel would make it */
    int64_t *after;         /* [states] first entry right of the diagonal */
    double *leave;          /* [states] 1 - p_ii */
    double *before, *later; /* [states] what comes from the states on either side */
} swq_sweep;

/* The pattern of p must stay, its values may change. Errors: SWQ_ENOMEM, SWQ_ELIMIT. O(entries). */
swq_status swq_sweep_init(swq_context *ctx, const swq_csr *p, int64_t root, double omega,
                          swq_sweep *s);
void swq_sweep_clear(swq_context *ctx, swq_sweep *s);

/* Take note of the values that p has now. O(entries). */
void swq_sweep_values(swq_sweep *s);

/* `times` passes forwards and back over x. O((times + 1/2) entries). */
void swq_sweep_run(swq_sweep *s, int times, const double *b, double *x);

#endif
