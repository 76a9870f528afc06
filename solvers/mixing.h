/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing of a fixed-point iteration x <- G(x) on positive vectors. Residuals are measured
 * relative to each entry, and an entry may change by a bounded factor only, so that the smallest
 * entries are extrapolated as well as the largest and keep their relative accuracy.
 * Sources: D. Anderson, J. ACM 12(4), 1965; H. Walker and P. Ni, SIAM J. Numer. Anal. 49(4), 2011.
 * Room: solvers.
 */
#ifndef SWQ_SOLVERS_MIXING_H
#define SWQ_SOLVERS_MIXING_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

enum { SWQ_MIXING_DEPTH = 6 };

typedef struct swq_mixing {
    int64_t n;
    int depth; /* pairs remembered; fewer where memory is short */
    int64_t seen;
    double *block; /* of all of these: */
    double *x[SWQ_MIXING_DEPTH], *image[SWQ_MIXING_DEPTH];
    double change; /* the last one */
    double limit;  /* changes above this are not extrapolated */
    bool mixed;    /* the last step was */
} swq_mixing;

/* `depth` 0: no mixing. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_mixing_init(swq_context *ctx, int64_t n, int depth, swq_mixing *mix);
void swq_mixing_clear(swq_context *ctx, swq_mixing *mix);

/* Given x and G(x) in *image, put the mixed iterate into image. Returns the largest relative change
 * from x to G(x). O(depth^2 n). */
double swq_mixing_step(swq_mixing *mix, const double *x, double *image);

/* Forget the past: the iteration is another one from here on. */
void swq_mixing_restart(swq_mixing *mix);

#endif
