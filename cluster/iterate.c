/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cycles of aggregation on a spread chain.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/iterate.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 3,       /* steps of the iteration in each cycle */
    PLAIN_STEPS = 8, /* steps of a cycle without aggregation */
    LONG_WAIT = 40,  /* cycles without a new least change after which only rounding is left */
    STALLED = 1000,  /* cycles after which there will be no more progress */
};

/* Changes that rounding alone can cause in the largest chains. */
#define ROUGH 1e-11

swq_status swq_spread_iteration_new(swq_spread_chain *s, swq_spread_method method, int64_t root,
                                    swq_spread_iteration *it)
{
    *it = (swq_spread_iteration){.s = s, .method = method, .root = root};
    it->before = swq_calloc(s->ctx, (size_t)s->own[0] + 1, sizeof *it->before);
    it->after = swq_calloc(s->ctx, (size_t)s->own[0] + 1, sizeof *it->after);
    swq_status status = it->before && it->after ? SWQ_OK : swq_memory_status(s->ctx);
    if (!status && method != SWQ_SPREAD_STEPS)
        status = swq_spread_mixing_init(s->fleet, s->own[0], &it->mixing);
    status = swq_fleet_agree(s->fleet, status);
    return status || method != SWQ_SPREAD_AGGREGATES ? status
                                                     : swq_coarse_new(s, root, &it->coarse);
}

void swq_spread_iteration_clear(swq_spread_iteration *it)
{
    if (!it->s)
        return;
    swq_coarse_clear(&it->coarse);
    swq_spread_mixing_clear(&it->mixing);
    swq_free(it->s->ctx, it->before);
    swq_free(it->s->ctx, it->after);
    *it = (swq_spread_iteration){0};
}

/* x <- b + x Q */
static void step(swq_spread_iteration *it, const double *b, double *x)
{
    swq_spread_chain *s = it->s;

    swq_spread_apply(s, x, it->after, NULL, NULL);
    for (int64_t i = 0; i < s->own[0]; i++)
        x[i] = b[i] + (i == it->root ? 0 : it->after[i]);
}

/* Record the flow between groups over all levels, and correct x by the chain of groups. */
static swq_status aggregate(swq_spread_iteration *it, double *x)
{
    swq_spread_apply(it->s, x, it->after, swq_coarse_note, &it->coarse);
    return swq_coarse_correct(&it->coarse, x);
}

static swq_status cycle(swq_spread_iteration *it, const double *b, double *x)
{
    const bool aggregates = it->method == SWQ_SPREAD_AGGREGATES;

    for (int k = 0; k < (aggregates ? STEPS : PLAIN_STEPS - 1); k++)
        step(it, b, x);
    return aggregates ? aggregate(it, x) : SWQ_OK;
}

static double change_between(const swq_spread_chain *s, const double *x, const double *image)
{
    double change = 0;

    for (int64_t i = 0; i < s->own[0]; i++) {
        if (image[i] > 0)
            change = fmax(change, fabs(image[i] - x[i]) / image[i]);
        else if (image[i] != x[i])
            change = INFINITY;
    }
    return swq_fleet_greatest(s->fleet, change);
}

swq_status swq_spread_iterate(swq_spread_iteration *it, const double *b, double *x,
                              double tolerance, int64_t most_cycles, double *change,
                              int64_t *cycles)
{
    swq_spread_chain *s = it->s;
    const size_t bytes = sizeof *x * (size_t)s->own[0];
    double least = INFINITY, *image = it->after; /* as long as no step is taken */
    int64_t waited = 0;
    swq_status status = SWQ_OK;

    if (it->method == SWQ_SPREAD_AGGREGATES)
        swq_coarse_start(&it->coarse, b);
    swq_spread_mixing_restart(&it->mixing);
    for (int64_t k = 0; !status; k++) {
        memcpy(it->before, x, bytes);
        status = cycle(it, b, x);
        if (!status)
            step(it, b, x);
        if (status == SWQ_ECANCELLED && it->pause) /* in the middle of a cycle */
            (void)it->pause(it->arg, it->before, *cycles, true);
        if (status)
            break;
        ++*cycles;
        memcpy(image, x, bytes);
        *change = it->method == SWQ_SPREAD_STEPS
                      ? change_between(s, it->before, x)
                      : swq_spread_mixing_step(&it->mixing, it->before, x);
        waited = *change < least ? 0 : waited + 1;
        least = fmin(least, *change);
        if (*change <= tolerance || (waited > LONG_WAIT && least < ROUGH)) {
            memcpy(x, image, bytes); /* not the extrapolation, whose change is not known */
            break;
        }
        const bool last = swq_fleet_cancelled(s->fleet);
        if (it->pause)
            status = it->pause(it->arg, x, *cycles, last);
        if (!status && last)
            status =
                swq_fail(s->ctx, SWQ_ECANCELLED, "cancelled after %lld cycles", (long long)*cycles);
        else if (!status && (k + 1 >= most_cycles || waited > STALLED))
            status = swq_fail(s->ctx, SWQ_ECONVERGE,
                              "the iteration did not reach a change of %g in %lld cycles",
                              tolerance, (long long)k + 1);
        swq_progress(s->ctx, "cycles of aggregation", (double)*cycles, 0);
    }
    return status;
}

#endif
