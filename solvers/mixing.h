/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing of a fixed-point iteration x <- G(x) on positive vectors. Residuals are measured
 * relative to each entry, and an entry may change by a bounded factor only, so that the smallest
 * entries are extrapolated as well as the largest and keep their relative accuracy. Differences are
 * remembered as floats, which are exact enough. Sources: D. Anderson, J. ACM 12(4), 1965; H. Walker
 * and P. Ni, SIAM J. Numer. Anal. 49(4), 2011.
 */
#ifndef SWQ_SOLVERS_MIXING_H
#define SWQ_SOLVERS_MIXING_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

enum { SWQ_MIXING_DEPTH = 6 };

typedef struct swq_mixing {
    int64_t n;
    int depth;       /* number of iterates that a mixture combines */
    int64_t seen;    /* iterates since the past was forgotten */
    double *block;   /* memory of all following arrays, [n] each: */
    double *image;   /* the last image */
    float *residual; /* difference of the last image from its iterate, in units of the image */
    /* differences from each iterate to the next, in units of the next iterate's image: */
    float *residuals[SWQ_MIXING_DEPTH - 1], *images[SWQ_MIXING_DEPTH - 1];
    double change; /* the last change, relative */
    double limit;  /* changes above this are not extrapolated */
    bool mixed;    /* the last step was an extrapolation */
} swq_mixing;

/* Bytes an entry. */
enum { SWQ_MIXING_BYTES = sizeof(double) + (2 * SWQ_MIXING_DEPTH - 1) * sizeof(float) };

/* `depth` 0: no mixing. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_mixing_init(swq_context *ctx, int64_t n, int depth, swq_mixing *mix);
void swq_mixing_clear(swq_context *ctx, swq_mixing *mix);

/* Given x and its image G(x), put the mixed iterate into next, which may be either of them. Returns
 * the largest relative change from x to G(x). O(depth^2 n). */
double swq_mixing_step(swq_mixing *mix, const double *x, const double *image, double *next);

/* Forget all earlier iterates: from here on the iteration is a different one. */
void swq_mixing_restart(swq_mixing *mix);

#endif
