/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A product of factors as an operator: Q is the product with the root's column set to zero.
 * Room: solvers.
 */
#ifndef SWQ_SOLVERS_OPERATOR_H
#define SWQ_SOLVERS_OPERATOR_H

#include "switchq/csr.h"

typedef struct swq_operator {
    swq_context *ctx;
    const swq_product *p;
    int64_t root, n;
    double *level[SWQ_MOST_FACTORS + 1]; /* [nodes] by level; the last is level 0 again */
    double *block;                       /* of all levels */
    int64_t room;                        /* long doubles that it has room for */
} swq_operator;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_operator_init(swq_context *ctx, const swq_product *p, int64_t root,
                             swq_operator *op);
void swq_operator_clear(swq_context *ctx, swq_operator *op);

/* Bytes that it takes for levels of the given numbers of nodes. */
double swq_operator_bytes(const double *nodes, int levels);

/* Spread op->level[0], a row vector, over all levels; the last one is level[0] P. */
void swq_operator_spread(swq_operator *op);

/* image = x Q + the root's unit vector if `start`, and a bound on the relative error
 * of each entry (against the exact product, the factors' own errors included). It works in the
 * memory of the levels, whose values are lost. O(entries). */
double swq_operator_image(const swq_operator *op, bool start, const long double *x,
                          long double *image);

/* Most nodes of any level. */
int64_t swq_product_widest(const swq_product *p);

#endif
