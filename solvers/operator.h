/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A product of factors as an operator: Q is the product with the root's column set to zero.
 */
#ifndef SWQ_SOLVERS_OPERATOR_H
#define SWQ_SOLVERS_OPERATOR_H

#include "switchq/csr.h"

/* Levels 0 and `factors`, which is level 0 after a whole cycle, have memory of their own. The
 * levels between lie at the two ends of one block in turn: when the next level is computed, the
 * level before is lost. */
typedef struct swq_operator {
    swq_context *ctx;
    const swq_product *p;
    int64_t root, n;
    double *level[SWQ_MOST_FACTORS + 1]; /* [nodes] by level */
    double *block;                       /* of all levels */
    int64_t room;      /* nodes for which the block has room at its two ends together */
    long double *sums; /* while levels are summed in long double: [desks][desk] */
    int64_t desks, desk;
    int64_t tallest[SWQ_MOST_FACTORS]; /* most entries in one column of a factor */
} swq_operator;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_operator_init(swq_context *ctx, const swq_product *p, int64_t root,
                             swq_operator *op);
void swq_operator_clear(swq_context *ctx, swq_operator *op);

/* Work on a level before its memory is reused: `tasks` tasks, which threads do beside the product,
 * then `finish`. All functions get `arg`. */
typedef struct swq_beside {
    void *arg;
    int64_t (*tasks)(void *arg, int level);
    void (*run)(void *arg, int level, int64_t task);
    void (*finish)(void *arg, int level);
} swq_beside;

/* Spread op->level[0], a row vector, over the levels one by one, up to level[factors], which is
 * level[0] P. beside: for levels 0 to factors - 1, or NULL. O(entries). */
void swq_operator_spread(swq_operator *op, const swq_beside *beside);

/* image = x Q + the root's unit vector if `start`, and a bound on the relative error
 * of each entry (against the exact product, the factors' own errors included). It works in
 * long doubles and in the memory of the levels, whose values are lost. x and image are different.
 * O(entries). */
double swq_operator_image(const swq_operator *op, bool start, const long double *x,
                          long double *image);

/* Most nodes of any level. */
int64_t swq_product_widest(const swq_product *p);

#endif
