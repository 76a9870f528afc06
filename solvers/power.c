/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Power iteration pi <- pi P for the stationary vector, and the Neumann series of Q for the systems
 * that bound its error. The simplest method, which needs only products.
 */
#include "base/context.h"
#include "solvers/solvers.h"

#include <math.h>
#include <string.h>

typedef struct {
    const swq_csr *p;
    int64_t root, steps;
    swq_solver_options options;
    double *next; /* [n] */
} power;

static void release(swq_context *ctx, void *work)
{
    power *g = work;

    if (!g)
        return;
    swq_free(ctx, g->next);
    swq_free(ctx, g);
}

static swq_status prepare(swq_context *ctx, const swq_csr *p, int64_t root,
                          const swq_solver_options *options, void **work)
{
    power *g = swq_calloc(ctx, 1, sizeof *g);
    if (!g)
        return swq_memory_status(ctx);
    *g = (power){.p = p, .root = root, .options = *options};
    g->next = swq_calloc(ctx, (size_t)p->rows, sizeof *g->next);
    if (!g->next) {
        release(ctx, g);
        return swq_memory_status(ctx);
    }
    *work = g;
    return SWQ_OK;
}

/* Replace x by g->next; returns the largest relative change of a component. */
static double take(power *g, double *x)
{
    double change = 0;

    for (int64_t s = 0; s < g->p->rows; s++) {
        if (g->next[s] > 0)
            change = fmax(change, fabs(g->next[s] - x[s]) / g->next[s]);
        x[s] = g->next[s];
    }
    g->steps++;
    return change;
}

static swq_status early(swq_context *ctx, const power *g)
{
    return swq_fail(ctx, SWQ_ECONVERGE, "power did not reach a change of %g in %lld steps",
                    g->options.tolerance, (long long)g->options.max_iterations);
}

static swq_status stationary(swq_context *ctx, void *work, double *pi)
{
    power *g = work;
    int64_t n = g->p->rows;

    for (int64_t s = 0; s < n; s++)
        pi[s] = 1.0 / (double)n;
    for (int64_t k = 0; k < g->options.max_iterations; k++) {
        double sum = 0;
        swq_csr_vector_times(pi, g->p, g->next);
        for (int64_t s = 0; s < n; s++)
            sum += g->next[s];
        for (int64_t s = 0; s < n; s++)
            g->next[s] /= sum;
        if (take(g, pi) <= g->options.tolerance)
            return SWQ_OK;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld steps", (long long)g->steps);
    }
    return early(ctx, g);
}

static swq_status series(swq_context *ctx, power *g, bool visits, const double *b, double *x)
{
    int64_t n = g->p->rows;

    memset(x, 0, sizeof *x * (size_t)n);
    for (int64_t k = 0; k < g->options.max_iterations; k++) {
        double at_root = x[g->root];
        if (visits) {
            swq_csr_vector_times(x, g->p, g->next);
            g->next[g->root] = 0;
        } else {
            x[g->root] = 0; /* the root's column of Q is zero */
            swq_csr_times_vector(g->p, x, g->next);
            x[g->root] = at_root;
        }
        for (int64_t s = 0; s < n; s++)
            g->next[s] += b[s];
        if (take(g, x) <= g->options.tolerance)
            return SWQ_OK;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld steps", (long long)g->steps);
    }
    return early(ctx, g);
}

static swq_status visits(swq_context *ctx, void *work, const double *b, double *y)
{
    return series(ctx, work, true, b, y);
}

static swq_status rewards(swq_context *ctx, void *work, const double *b, double *x)
{
    return series(ctx, work, false, b, x);
}

static int64_t iterations(const void *work)
{
    return ((const power *)work)->steps;
}

const swq_solver swq_solver_power = {
    .name = "power",
    .summary = "power iteration; refuses periodic chains",
    .promise = "relative accuracy about the tolerance times the mixing time; slow near saturation",
    .iterative = true,
    .prepare = prepare,
    .visits = visits,
    .rewards = rewards,
    .stationary = stationary,
    .iterations = iterations,
    .release = release,
};
