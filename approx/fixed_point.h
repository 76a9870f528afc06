/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fixed point of a whole network's state: distributions of all stages' chains, and what stages
 * measure of one another, in one vector. Plain steps x <- G(x), with Anderson mixing
 * (approx/mixing.h). Room: approx.
 */
#ifndef SWQ_APPROX_FIXED_POINT_H
#define SWQ_APPROX_FIXED_POINT_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>

/* What flows through the network in a step, to judge it by. Packets per cycle and node that enter
 * (and are not discarded), and leave; packets in it per node, sources included. */
typedef struct approx_reading {
    double in, out, packets;
} approx_reading;

typedef struct approx_fixed_point {
    size_t n;
    double *x; /* [n]; the caller's: first guess before, fixed point afterwards */
    /* One step: next <- G(x), all of it >= 0. Must not depend on anything that earlier steps left
     * behind, or mixing goes astray; and must normalise every distribution, as mixing bounds
     * single entries, so that their sums drift. */
    void (*step)(void *model, const double *x, double *next, approx_reading *reading);
    void *model;
    int most_steps; /* 0: 20,000 */
    /* out: */
    int steps;
    double change; /* sum of |next - x| / sum of next */
    bool converged;
    approx_reading reading;
} approx_fixed_point;

/* It has settled when change < 1e-9 and |in - out| < 1e-7 out and neither what leaves nor what is
 * inside has changed by more than 1e-7 of itself since the step before, or when change < 1e-5 and
 * neither what leaves nor what is inside has changed by more than 1e-6 of itself in a hundred
 * steps. Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED; SWQ_ECONVERGE after most_steps. Progress
 * is told. */
swq_status approx_fixed_point_find(swq_context *ctx, approx_fixed_point *f);

#endif
