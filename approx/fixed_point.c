/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain steps and Anderson mixing, until a network's state stands still.
 */
#include "approx/fixed_point.h"

#include "approx/mixing.h"
#include "base/context.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 20000, WINDOW = 100 };

/* Largest relative changes of a settled state, and of the packets that enter and leave. */
#define SETTLED  1e-9
#define BALANCED 1e-7

/* A state that jitters, or creeps, has settled as well if the packets leaving and inside change by
 * less than this over a window of steps. */
#define STANDING 1e-6
#define JITTER   1e-5

/* At light loads hardly any part of the state can change: the packets leaving and inside must stand
   still, too.
 */
static bool same(double now, double last)
{
    return fabs(now - last) <= BALANCED * now;
}

/* The readings in the steps of a window. */
typedef struct {
    double least[2], most[2]; /* packets leaving, packets inside */
    int steps;
} window;

/* Returns whether the readings of a full window stood still, and begins the next window. */
static bool stands_still(window *w, const approx_reading *reading)
{
    const double value[2] = {reading->out, reading->packets};
    bool still = w->steps == WINDOW;

    if (w->steps == WINDOW)
        w->steps = 0;
    for (int k = 0; k < 2; k++) {
        still = still && w->most[k] - w->least[k] <= STANDING * w->most[k];
        w->least[k] = w->steps ? fmin(w->least[k], value[k]) : value[k];
        w->most[k] = w->steps ? fmax(w->most[k], value[k]) : value[k];
    }
    w->steps++;
    return still;
}

/* Report progress: changes shrink by factors, and grow again now and then. Progress stays just
 * below 100%, since the last steps may take long. */
static void tell(swq_context *ctx, double change, double *most, double *done)
{
    *most = fmax(*most, change);
    *done = fmax(*done, log(*most / change) / log(*most / SETTLED));
    swq_progress(ctx, "approximating", fmin(*done, 0.99), 1);
}

swq_status approx_fixed_point_find(swq_context *ctx, approx_fixed_point *f)
{
    approx_mixing mix;
    double *next = swq_calloc(ctx, f->n, sizeof *next);
    swq_status status = next ? approx_mixing_init(ctx, f->n, &mix) : swq_memory_status(ctx);
    if (status) {
        swq_free(ctx, next);
        return status;
    }
    const int most_steps = f->most_steps ? f->most_steps : MOST_STEPS;
    window seen = {.steps = 0};
    double most = 0, done = 0;
    f->converged = false;
    f->reading = (approx_reading){0};
    for (f->steps = 0; !status && !f->converged && f->steps < most_steps; f->steps++) {
        approx_reading last = f->reading;
        f->step(f->model, f->x, next, &f->reading);
        f->change = approx_mixing_step(&mix, f->x, next);
        memcpy(f->x, next, f->n * sizeof *next);
        bool balanced = fabs(f->reading.in - f->reading.out) <= BALANCED * f->reading.out &&
                        same(f->reading.out, last.out) && same(f->reading.packets, last.packets);
        bool still = stands_still(&seen, &f->reading) && f->change < JITTER;
        f->converged = (f->change < SETTLED && balanced) || still;
        tell(ctx, f->change, &most, &done);
        if (swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted after %d steps", f->steps);
    }
    approx_mixing_clear(ctx, &mix);
    swq_free(ctx, next);
    if (!status && !f->converged)
        status = swq_fail(ctx, SWQ_ECONVERGE,
                          "the approximation has not settled: its state still changes by %.1e of "
                          "itself a step, after %d steps",
                          f->change, f->steps);
    return status;
}
