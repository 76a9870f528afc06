/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing of a fixed-point iteration x <- G(x) on vectors of probabilities. Squares of
 * residuals are weighed by 1 / sqrt(g): a compromise between absolute residuals, with which rare
 * states would settle last, and residuals relative to each entry (solvers/mixing.h), since entries
 * below the tolerance do not matter. Differences of residuals and their Gram matrix are kept from
 * step to step, the weights of the entries for some steps. Sources: D. Anderson, J. ACM 12(4),
 * 1965; H. Walker and P. Ni, SIAM J. Numer. Anal. 49(4), 2011.
 */
#ifndef SWQ_APPROX_MIXING_H
#define SWQ_APPROX_MIXING_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>

enum { APPROX_MIXING_DEPTH = 10 };

typedef struct approx_mixing {
    size_t n;
    double *memory;
    /* differences, a ring: as floats, since a step takes as long as reading them does */
    float *residual[APPROX_MIXING_DEPTH], *image[APPROX_MIXING_DEPTH];
    float *differences;
    double *last_residual, *last_image, *weight;
    double gram[APPROX_MIXING_DEPTH][APPROX_MIXING_DEPTH];
    int pairs, at; /* number of differences; place of the next difference */
    bool begun;    /* a residual of an earlier step exists */
    bool mixed;    /* the last step was an extrapolation */
    double change; /* the last change */
    double limit;  /* changes above this are not extrapolated */
    int since;     /* steps since the entries were weighed */
} approx_mixing;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status approx_mixing_init(swq_context *ctx, size_t n, approx_mixing *mix);
void approx_mixing_clear(swq_context *ctx, approx_mixing *mix);

/* Given x and G(x) in *image, both >= 0, put the mixed iterate into image. Returns the change,
 * sum |G(x) - x| / sum G(x). O(depth n); now and then O(depth^2 n). */
double approx_mixing_step(approx_mixing *mix, const double *x, double *image);

#endif
