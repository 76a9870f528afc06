/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relative value iteration with policies kept for some cycles ("modified policy iteration"), and
 * bounds on the gain that rounding errors in rare states do not spoil.
 *
 * Let h be any values of the states, and Th the least values that one more cycle gives. No policy
 * has a mean cost below the smallest entry of Th - h, and the policy of the minimising actions has
 * none above the largest (Odoni 1969). In states that are nearly full h is of order one and known
 * to 1e-19, absolutely, while the gain g may be 1e-25. So let e(s) be at least |(Th - h)(s) - g|,
 * including rounding errors: the mean cost of any policy is at least g minus its mean of e, and
 * that of the minimising policy at most g plus its mean of e. Policies that are often in bad states
 * also lose many packets: with e = lambda r, and L the least mean of cost - r under any policy,
 * which is a decision process as well, the mean of e is at most lambda (cost - L). So L need only
 * be known roughly. Values are kept above zero, so that rounding errors are relative to the values.
 *
 * Sources: A. Odoni, Operations Research 17(5), 1969; M. Puterman and M. Shin, Management Science
 * 24(11), 1978.
 */
#include "exact/values.h"

#include "base/context.h"

#include <float.h>
#include <math.h>

/* Largest rebate on the cost of a cycle, in packets: small compared with one, large compared with
 * errors. */
#define LARGEST_REBATE 0.01L

/* The fraction of the step to the new values that is taken. */
#define STEP 0.9375L

enum {
    KEPT = 12, /* iterations for which a policy is kept */
    FIRST_TRY =
        40, /* policies after which weighted bounds are first tried, if plain ones are not enough */
    VAIN_TRIES = 3
};

swq_status swq_values_init(swq_context *ctx, const swq_decisions *d, swq_values *v)
{
    swq_values out = {.d = d};

    for (int k = 0; k < d->stages; k++) {
        const size_t nodes = (size_t)d->stage[k].node.count;
        out.of[k] = swq_calloc(ctx, nodes, sizeof *out.of[k]);
        out.best[k] = swq_calloc(ctx, nodes, sizeof *out.best[k]);
        if (!out.of[k] || !out.best[k]) {
            swq_values_clear(ctx, &out);
            return swq_memory_status(ctx);
        }
    }
    out.fresh = swq_calloc(ctx, (size_t)d->stage[0].node.count, sizeof *out.fresh);
    if (!out.fresh) {
        swq_values_clear(ctx, &out);
        return swq_memory_status(ctx);
    }
    *v = out;
    return SWQ_OK;
}

void swq_values_clear(swq_context *ctx, swq_values *v)
{
    for (int k = 0; k < SWQ_STAGES; k++) {
        swq_free(ctx, v->of[k]);
        swq_free(ctx, v->best[k]);
    }
    swq_free(ctx, v->fresh);
    *v = (swq_values){.d = NULL};
}

static inline long double worth(const swq_choices *c, const long double *next, int64_t action)
{
    long double sum = c->cost[action];

    for (int64_t k = c->outcome[action]; k < c->outcome[action + 1]; k++)
        sum += c->chance[k] * next[c->into[k]];
    return sum;
}

long double swq_value_of_action(const swq_values *v, int k, int64_t action)
{
    return worth(&v->d->stage[k], v->of[(k + 1) % v->d->stages], action);
}

static void look_back_stage(swq_values *v, int k, bool improve)
{
    const swq_choices *c = &v->d->stage[k];
    const long double *next = v->of[(k + 1) % v->d->stages];
    long double *to = k == 0 ? v->fresh : v->of[k];
    int64_t *best = v->best[k];

    for (int64_t node = 0; node < c->node.count && !improve; node++)
        to[node] = worth(c, next, best[node]);
    for (int64_t node = 0; node < c->node.count && improve; node++) {
        best[node] = c->first[node];
        to[node] = worth(c, next, best[node]);
        for (int64_t a = c->first[node] + 1; a < c->first[node + 1]; a++) {
            const long double value = worth(c, next, a);
            if (value < to[node]) {
                to[node] = value;
                best[node] = a;
            }
        }
    }
}

/* One iteration: compute `fresh` from the values of the states, with the best actions (`improve`)
 * or those last found best. rebate[states] is subtracted from a cycle's costs; NULL: nothing. */
static void look_back(swq_values *v, const long double *rebate, bool improve)
{
    for (int k = v->d->stages - 1; k >= 0; k--)
        look_back_stage(v, k, improve);
    for (int64_t s = 0; rebate && s < v->d->stage[0].node.count; s++)
        v->fresh[s] -= rebate[s];
    v->iterations++;
}

/* Move the values of the states most of the way to the new ones; not all the way, so that nothing
 * oscillates if the chain is periodic. Then subtract the smallest, so that none is negative. */
static void take_over(swq_values *v)
{
    const int64_t states = v->d->stage[0].node.count;
    long double *of = v->of[0], least = INFINITY;

    for (int64_t s = 0; s < states; s++) {
        of[s] = STEP * v->fresh[s] + (1 - STEP) * of[s];
        least = of[s] < least ? of[s] : least;
    }
    for (int64_t s = 0; s < states; s++)
        of[s] -= least;
}

/* The relative rounding error of a cycle: in each stage, a term goes through as many additions as
 * an action has outcomes; and the chance of an outcome is a product of probabilities that are
 * doubles: for each input the probability of a packet, of its destination and, behind a head, of
 * the next destination. */
static long double rounding(const swq_decisions *d)
{
    const int loaded = d->sw.ports * (d->layout.deferred ? 3 : 2);
    long double steps = 8;

    for (int k = 0; k < d->stages; k++)
        steps += (long double)d->stage[k].most + 3;
    return steps * LDBL_EPSILON + loaded * d->layout.loaded_roundings * 0x1p-53L;
}

/* The increase of a state's value by one more cycle, and a bound on its error. */
static long double gained(const swq_values *v, int64_t s, long double relative, long double *error)
{
    *error = relative * (v->fresh[s] + v->of[0][s]);
    return v->fresh[s] - v->of[0][s];
}

/* After look_back with improvement: bounds from the extreme states. */
static swq_gain plain_bounds(const swq_values *v, long double *slack)
{
    const long double relative = rounding(v->d);
    long double error;
    swq_gain g = {gained(v, 0, relative, &error), INFINITY, -INFINITY};

    *slack = 0;
    for (int64_t s = 0; s < v->d->stage[0].node.count; s++) {
        const long double more = gained(v, s, relative, &error);
        g.lower = fminl(g.lower, more - error);
        g.upper = fmaxl(g.upper, more + error);
        *slack = fmaxl(*slack, error);
    }
    return g;
}

static bool narrow(const swq_gain *g, double tolerance)
{
    return g->upper - g->lower <= tolerance * g->value;
}

/* A lower bound on the least mean of cost - rebate under any policy: the first bound that is at
 * least `enough`, or the bound after `most` iterations. w has the initial values. */
static swq_status bound_rebated(swq_context *ctx, swq_values *w, const long double *rebate,
                                long double enough, int64_t most, long double *bound)
{
    const long double relative = rounding(w->d);

    *bound = -INFINITY;
    for (int64_t k = 0; k < most; k += KEPT + 1) {
        long double lower = INFINITY, error;
        look_back(w, rebate, true);
        for (int64_t s = 0; s < w->d->stage[0].node.count; s++) {
            const long double more = gained(w, s, relative, &error);
            lower = fminl(lower, more - error - 2 * relative * rebate[s]);
        }
        *bound = fmaxl(*bound, lower);
        if (*bound >= enough)
            return SWQ_OK;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled while bounding the least loss");
        for (int keep = 0; keep < KEPT; keep++) {
            take_over(w);
            look_back(w, rebate, false);
        }
        take_over(w);
    }
    return SWQ_OK;
}

/* After look_back with improvement: bounds in which a state counts as much as a policy that loses
 * little can visit it. */
static swq_status weighed_bounds(swq_context *ctx, const swq_values *v, swq_values *w,
                                 double tolerance, int64_t most, swq_gain *g)
{
    const int64_t states = v->d->stage[0].node.count;
    const long double relative = rounding(v->d), slack = 8 * LDBL_EPSILON;
    long double error, largest = 0, least = 0;
    long double *rebate = swq_calloc(ctx, (size_t)states, sizeof *rebate);

    if (!rebate)
        return swq_memory_status(ctx);
    for (int64_t s = 0; s < states; s++) {
        const long double more = gained(v, s, relative, &error);
        rebate[s] = fabsl(more - g->value) * (1 + slack) + error;
        largest = fmaxl(largest, rebate[s]);
    }
    const long double lambda = largest / LARGEST_REBATE;
    swq_status status = SWQ_OK;
    if (lambda > 0 && lambda < tolerance / 16 && w->of[0]) {
        for (int64_t s = 0; s < states; s++)
            rebate[s] = rebate[s] / lambda * (1 + slack);
        for (int64_t s = 0; s < states; s++)
            w->of[0][s] = v->of[0][s];
        status = bound_rebated(ctx, w, rebate, -tolerance * g->value / lambda / 8, most, &least);
        least = fminl(least, 0);
        g->lower = fmaxl(g->lower, (g->value + lambda * least) / (1 + lambda) * (1 - slack));
        g->upper = fminl(g->upper, (g->value - lambda * least) / (1 - lambda) * (1 + slack));
    }
    swq_free(ctx, rebate);
    return status;
}

/* Improve the values by KEPT steps of the policy found so far, without looking for a better action.
 */
static void follow(swq_values *v)
{
    for (int keep = 0; keep < KEPT; keep++) {
        take_over(v);
        look_back(v, NULL, false);
    }
    take_over(v);
}

/* Improve the policy and follow it for a while, until the interval is narrow. */
static swq_status iterate(swq_context *ctx, swq_values *v, swq_values *w, double tolerance,
                          int64_t most, swq_gain *gain)
{
    int64_t next_try = FIRST_TRY;
    int in_vain = 0; /* iterations after which little but rounding errors was left */

    for (int64_t round = 0;; round++) {
        long double slack;
        look_back(v, NULL, true);
        *gain = plain_bounds(v, &slack);
        const bool ends = v->iterations >= most;
        if (!narrow(gain, tolerance) && (round == next_try || ends)) {
            next_try *= 2;
            in_vain += slack > (gain->upper - gain->lower) / 10;
            swq_status status = weighed_bounds(ctx, v, w, tolerance, v->iterations, gain);
            if (status)
                return status;
        }
        if (narrow(gain, tolerance))
            return SWQ_OK;
        if (ends || in_vain == VAIN_TRIES)
            return swq_fail(
                ctx, SWQ_ECONVERGE,
                "the least loss is known to within %.1Lg of itself after %lld cycles of "
                "value iteration, not %.1g as wanted (--tol)",
                (gain->upper - gain->lower) / 2 / gain->value, (long long)v->iterations, tolerance);
        swq_progress(ctx, "cycles of value iteration", (double)v->iterations, 0);
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld cycles of value iteration",
                            (long long)v->iterations);
        follow(v);
    }
}

swq_status swq_values_iterate(swq_context *ctx, swq_values *v, double tolerance, int64_t most,
                              swq_gain *gain)
{
    swq_values w = {.d = NULL};
    swq_status status = swq_values_init(ctx, v->d, &w);

    if (!status)
        status = iterate(ctx, v, &w, tolerance, most, gain);
    gain->value = (gain->lower + gain->upper) / 2;
    swq_values_clear(ctx, &w);
    return status;
}
