/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights on the nodes of a marked chain, moved from cycle to cycle. They are only multiplied and
 * added, never negative, in long double, so that the relative error of every weight is at most that
 * of the stationary vector plus a little for each cycle.
 */
#ifndef SWQ_EXACT_FOLLOW_H
#define SWQ_EXACT_FOLLOW_H

#include "models/marked.h"
#include "switchq/packets.h"

typedef struct swq_follow {
    swq_chain *chain;
    swq_solution solution;
    swq_marked marked;
    long double *weight[SWQ_CHAIN_LEVELS]; /* [nodes] weights of marked nodes, by level */
    double begun;                          /* relative error of the initial weights */
    double cycle;                          /* relative error that each cycle adds */
    int64_t transitions;
} swq_follow;

/* Check the options, generate, solve and mark, and put the marks that begin into weight[1]. Errors:
 * as swq_exact_delay; SWQ_ECONVERGE comes with a *f that must be cleared. */
swq_status swq_follow_begin(swq_context *ctx, const swq_switch *sw,
                            const swq_exact_options *options, const swq_packets_options *packets,
                            swq_mark mark, swq_follow *f);
void swq_follow_clear(swq_context *ctx, swq_follow *f);

/* Move the weights from level `from` to level `to`, where 0 may also mean the end of the cycle. */
void swq_follow_move(swq_follow *f, int from, int to);

/* y = x m, or y += x m. */
void swq_follow_times(const swq_csr *m, const long double *x, long double *y, bool add);

/* The least and the greatest ratio now[k] / before[k] over all k with a weight; if before[k] is 0,
 * the greatest is INFINITY. If the step from `before` to `now` is repeated, the later weights stay,
 * entry by entry, between `now` times powers of these ratios. 0 and 0 if there is no weight. */
void swq_follow_ratios(const long double *before, const long double *now, int64_t count,
                       double *least, double *greatest);

#endif
