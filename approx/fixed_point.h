/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fixed point of a whole network's state: the distributions of all stages' chains, and the
 * measurements that stages take from one another, in one vector. Plain steps x <- G(x), with
 * Anderson mixing (approx/mixing.h).
 */
#ifndef SWQ_APPROX_FIXED_POINT_H
#define SWQ_APPROX_FIXED_POINT_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>

/* The flows of a step, by which convergence is judged: packets per cycle and node that enter the
 * network (and are not discarded), and leave; packets in the network per node, sources included. */
typedef struct approx_reading {
    double in, out, packets;
} approx_reading;

typedef struct approx_fixed_point {
    size_t n;
    double *x; /* [n], owned by the caller: the first guess before the call, the fixed point
                  afterwards */
    /* One step: next <- G(x), with entries >= 0. The step must not depend on anything that earlier
     * steps left behind, or mixing goes astray. It must normalise every distribution, since mixing
     * bounds single entries, so that sums drift. */
    void (*step)(void *model, const double *x, double *next, approx_reading *reading);
    void *model;
    int most_steps; /* 0: 20,000 */
    /* out: */
    int steps;
    double change; /* sum of |next - x| / sum of next */
    bool converged;
    approx_reading reading;
} approx_fixed_point;

/* Iterate until the state has settled: when change < 1e-9 and |in - out| < 1e-7 out and neither the
 * packets leaving nor the packets inside have changed by more than a relative 1e-7 since the step
 * before, or when change < 1e-5 and neither number has changed by more than a relative 1e-6 in a
 * hundred steps. Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED; SWQ_ECONVERGE after most_steps.
 * Progress is told. */
swq_status approx_fixed_point_find(swq_context *ctx, approx_fixed_point *f);

#endif
