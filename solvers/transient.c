/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distribution of a chain at a time: by steps, or in continuous time by uniformisation. Only
 * positive terms are added, in long double, so that every entry keeps its relative accuracy.
 *
 * In continuous time a step of length 1 / L leaves state i with the probability h_i = 1 / (L
 * hold_i), L being twice the largest rate out of a state: then h_i is at most 1/2, and 1 - h_i as
 * accurate as h_i. The number of steps until the time t has the Poisson distribution with mean L t.
 */
#include "base/context.h"
#include "solvers/bounds.h"
#include "solvers/solvers.h"
#include "solvers/timed.h"

#include <math.h>

#define MOST_STEPS 1e10
/* Weights below this share of the largest are left out, and their sum is bounded. */
#define LEAST_WEIGHT 1e-40L
/* What entries near the least long double, or below the least normal double, may lose in all. */
#define LOST 1e-300

enum { STEPS_PER_REPORT = 1 << 10 };

typedef struct {
    swq_context *ctx;
    const swq_timed *chain;
    long double *x, *next; /* [states] */
    double *leaves;        /* [states] h_i; NULL: in discrete time */
} time_walk;

static void step(time_walk *w)
{
    const swq_csr *p = w->chain->p;
    long double *x = w->x, *next = w->next;

    for (int64_t j = 0; j < p->rows; j++)
        next[j] = w->leaves ? x[j] * (1 - (long double)w->leaves[j]) : 0;
    for (int64_t i = 0; i < p->rows; i++) {
        const long double moves = w->leaves ? x[i] * w->leaves[i] : x[i];
        if (moves == 0)
            continue;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            next[p->col[e]] += moves * p->value[e];
    }
    w->x = next;
    w->next = x;
}

static swq_status cancelled(const time_walk *w, int64_t done, int64_t all)
{
    if (done % STEPS_PER_REPORT == 0)
        swq_progress(w->ctx, "taking steps", (double)done, (double)all);
    return swq_context_cancelled(w->ctx)
               ? swq_fail(w->ctx, SWQ_ECANCELLED, "interrupted after %lld of %lld steps",
                          (long long)done, (long long)all)
               : SWQ_OK;
}

/* The relative error that a step adds to every entry. */
static double error_of_step(const time_walk *w, const int32_t *entering, int64_t states)
{
    const double roundings = (double)w->chain->roundings;
    int32_t most = 0;

    for (int64_t j = 0; j < states; j++)
        most = entering[j] > most ? entering[j] : most;
    return (w->leaves ? 2 * roundings + 3 : roundings) * SWQ_ROUNDING +
           (most + 5.0) * BOUND_LONG_ROUNDING;
}

static swq_status begin(time_walk *w, int64_t start, double *each)
{
    const swq_csr *p = w->chain->p;
    const size_t states = (size_t)p->rows;
    int32_t *entering = swq_calloc(w->ctx, states, sizeof *entering);

    w->x = swq_calloc(w->ctx, states, sizeof *w->x);
    w->next = swq_calloc(w->ctx, states, sizeof *w->next);
    if (!entering || !w->x || !w->next) {
        swq_free(w->ctx, entering);
        return swq_memory_status(w->ctx);
    }
    for (int64_t e = 0; e < swq_csr_nnz(p); e++)
        entering[p->col[e]]++;
    *each = error_of_step(w, entering, p->rows);
    swq_free(w->ctx, entering);
    w->x[start] = 1;
    return SWQ_OK;
}

/* The relative error after that many steps with an error each. */
static double after_steps(double each, double steps)
{
    return expm1(each * steps * 1.000001) * 1.000001;
}

/* ---- in discrete time ---- */

static swq_status take_steps(time_walk *w, int64_t steps)
{
    swq_status status = SWQ_OK;

    for (int64_t k = 0; k < steps && !(status = cancelled(w, k, steps)); k++)
        step(w);
    return status;
}

/* ---- in continuous time ---- */

/* Poisson weights from `first` on, not scaled: of the mean `mean`, with the largest being 1. */
typedef struct {
    long double mean, sum;
    int64_t first, count;
    long double *weight; /* [count] */
    long double lost;    /* at least the sum of the weights left out */
} poisson;

/* The weight after w, of k, is w mean / (k + 1), and that before w is w k / mean. */
static swq_status weigh(swq_context *ctx, long double mean, poisson *out)
{
    const int64_t mode = (int64_t)floorl(mean);
    int64_t first = mode, last = mode;
    long double w = 1;

    for (; first > 0 && w >= LEAST_WEIGHT; first--)
        w *= (long double)first / mean;
    out->lost = first > 0 ? w / (1 - (long double)first / mean) : 0;
    for (w = 1; w >= LEAST_WEIGHT || (long double)last < mean; last++)
        w *= mean / (long double)(last + 1);
    out->lost = (out->lost + w / (1 - mean / (long double)(last + 1))) * 1.001L;
    /* the weight of `last` is below the least one, and that of `first`, too, unless it is 0 */
    out->mean = mean;
    out->first = first;
    out->count = last - first + 1;
    out->weight = swq_calloc(ctx, (size_t)out->count, sizeof *out->weight);
    if (!out->weight)
        return swq_memory_status(ctx);
    out->weight[mode - first] = 1;
    for (int64_t k = mode; k > first; k--)
        out->weight[k - 1 - first] = out->weight[k - first] * ((long double)k / mean);
    for (int64_t k = mode; k < last; k++)
        out->weight[k + 1 - first] = out->weight[k - first] * (mean / (long double)(k + 1));
    out->sum = 0;
    for (int64_t k = 0; k < out->count; k++)
        out->sum += out->weight[k];
    return SWQ_OK;
}

/* sum <- sum of the distributions after k steps, weighted. */
static swq_status mix(time_walk *w, const poisson *weights, long double *sum)
{
    const int64_t states = w->chain->p->rows, steps = weights->first + weights->count;
    swq_status status = SWQ_OK;

    for (int64_t k = 0; k < steps && !(status = cancelled(w, k, steps)); k++) {
        const long double share =
            k < weights->first ? 0 : weights->weight[k - weights->first] / weights->sum;
        for (int64_t i = 0; share > 0 && i < states; i++)
            sum[i] += share * w->x[i];
        if (k + 1 < steps)
            step(w);
    }
    return status;
}

static swq_status uniformise(time_walk *w, double time, double *relative, double *absolute,
                             int64_t *steps)
{
    const swq_timed *chain = w->chain;
    const int64_t states = chain->p->rows;
    poisson weights = {0};
    double fastest = 0, each = *relative;

    for (int64_t i = 0; i < states; i++)
        fastest = chain->stays[i] ? fastest : fmax(fastest, 1 / chain->hold[i]);
    const double pace = 2 * fastest;
    const long double mean = (long double)pace * time;
    *relative = 0;
    if (mean == 0)
        return SWQ_OK;
    if (!(mean <= MOST_STEPS))
        return swq_fail(w->ctx, SWQ_ELIMIT,
                        "%.3Lg steps would be needed: the time is %g, and the largest rate out of "
                        "a state %g",
                        mean, time, fastest);
    for (int64_t i = 0; i < states; i++)
        w->leaves[i] = chain->stays[i] ? 0 : 1 / (pace * chain->hold[i]);
    long double *sum = swq_calloc(w->ctx, (size_t)states, sizeof *sum);
    swq_status status = sum ? weigh(w->ctx, mean, &weights) : swq_memory_status(w->ctx);
    if (!status)
        status = mix(w, &weights, sum);
    if (status) {
        swq_free(w->ctx, sum);
        swq_free(w->ctx, weights.weight);
        return status;
    }
    swq_free(w->ctx, w->x);
    w->x = sum;
    *steps = weights.first + weights.count - 1;
    /* of the weights: roundings of the recursion, the sum and the shares, and of the mean itself,
     * which changes the weight of k by a factor of at most exp((k + mean) error) */
    const double rounding = BOUND_LONG_ROUNDING,
                 of_weights = after_steps(rounding, 6.0 * (double)weights.count + 12) +
                              after_steps(rounding, (double)*steps + (double)mean),
                 lost = (double)(weights.lost / weights.sum);
    *relative = bound_chain(after_steps(each, (double)*steps), bound_chain(of_weights, lost));
    *absolute = 1.001 * lost;
    swq_free(w->ctx, weights.weight);
    return SWQ_OK;
}

swq_status swq_transient_solve(swq_context *ctx, const swq_timed *chain, int64_t start, double time,
                               swq_transient *transient)
{
    const int64_t states = chain->p->rows;
    time_walk w = {.ctx = ctx, .chain = chain};
    swq_transient out = {0};

    if (!(time >= 0) || (!chain->hold && time != floor(time)))
        return swq_fail(ctx, SWQ_EINVAL, "the time must be %s, not %g",
                        chain->hold ? "0 or more" : "a whole number of steps", time);
    if (!chain->hold && time > MOST_STEPS)
        return swq_fail(ctx, SWQ_ELIMIT, "%g steps are more than %g", time, MOST_STEPS);
    out.x = swq_calloc(ctx, (size_t)states, sizeof *out.x);
    if (chain->hold)
        w.leaves = swq_calloc(ctx, (size_t)states, sizeof *w.leaves);
    swq_status status = out.x && (w.leaves || !chain->hold) ? begin(&w, start, &out.relative)
                                                            : swq_memory_status(ctx);
    if (!status && chain->hold)
        status = uniformise(&w, time, &out.relative, &out.absolute, &out.steps);
    else if (!status) {
        out.steps = (int64_t)time;
        out.relative = after_steps(out.relative, time);
        status = take_steps(&w, out.steps);
    }
    for (int64_t i = 0; i < states && !status; i++)
        out.x[i] = (double)w.x[i];
    /* rounding to double comes on top; and what is above is relative to the exact entry */
    const double each = bound_chain(out.relative, 2 * SWQ_ROUNDING);
    out.relative = each < 0.5 ? each / (1 - each) * 1.000001 : INFINITY;
    out.absolute = 2 * (out.absolute + LOST);
    swq_free(ctx, w.x);
    swq_free(ctx, w.next);
    swq_free(ctx, w.leaves);
    if (status) {
        swq_free(ctx, out.x);
        return status;
    }
    *transient = out;
    return SWQ_OK;
}

void swq_transient_clear(swq_context *ctx, swq_transient *transient)
{
    swq_free(ctx, transient->x);
    *transient = (swq_transient){0};
}
