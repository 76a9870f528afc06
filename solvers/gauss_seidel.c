/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symmetric Gauss-Seidel sweeps on y = e + y Q and x = b + Q x. All terms are positive and 1 - p_ii
 * is the sum of the rest of row i, so the iterates, which start at zero, grow towards the solution
 * and keep their relative accuracy in the far tail. Room: solvers. Includes base.
 */
#include "base/context.h"
#include "solvers/solvers.h"

#include <math.h>

typedef struct {
    const swq_csr *p;
    swq_csr transposed;
    int64_t root, sweeps;
    swq_solver_options options;
    double *leave; /* [n] 1 - p_ii without subtraction */
} sweeper;

static void release(swq_context *ctx, void *work)
{
    sweeper *g = work;

    if (!g)
        return;
    swq_csr_clear(ctx, &g->transposed);
    swq_free(ctx, g->leave);
    swq_free(ctx, g);
}

static swq_status prepare(swq_context *ctx, const swq_csr *p, int64_t root,
                          const swq_solver_options *options, void **work)
{
    sweeper *g = swq_calloc(ctx, 1, sizeof *g);
    if (!g)
        return swq_memory_status(ctx);
    g->p = p;
    g->root = root;
    g->options = *options;
    g->leave = swq_calloc(ctx, (size_t)p->rows, sizeof *g->leave);
    swq_status status =
        g->leave ? swq_csr_transpose(ctx, p, &g->transposed) : swq_memory_status(ctx);
    if (status) {
        release(ctx, g);
        return status;
    }
    for (int64_t s = 0; s < p->rows; s++) {
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++)
            g->leave[s] += p->col[e] == s ? 0 : p->value[e];
        if (s == root) /* the root's column of Q is zero, its diagonal too */
            g->leave[s] = 1;
    }
    *work = g;
    return SWQ_OK;
}

/* One component of x = b + M x; `by_rows` is M with the entries that Q lacks left in. When M is Q
 * the terms of the root are skipped; when it is Q transposed the root's own row is. */
static double component(const sweeper *g, const swq_csr *by_rows, bool visits, int64_t s,
                        const double *b, const double *x)
{
    double sum = b[s];

    if (visits && s == g->root)
        return sum;
    for (int64_t e = by_rows->start[s]; e < by_rows->start[s + 1]; e++) {
        int64_t j = by_rows->col[e];
        if (j != s && (visits || j != g->root))
            sum += by_rows->value[e] * x[j];
    }
    return sum / g->leave[s];
}

static swq_status sweep(swq_context *ctx, sweeper *g, bool visits, const double *b, double *x)
{
    const swq_csr *m = visits ? &g->transposed : g->p;
    int64_t n = m->rows;

    for (int64_t s = 0; s < n; s++)
        x[s] = 0;
    for (int64_t k = 0; k < g->options.max_iterations; k++) {
        double change = 0;
        g->sweeps++;
        for (int64_t at = 0; at < n; at++) {
            int64_t s = k % 2 ? n - 1 - at : at;
            double fresh = component(g, m, visits, s, b, x);
            if (fresh > 0)
                change = fmax(change, fabs(fresh - x[s]) / fresh);
            x[s] = fresh;
        }
        if (change <= g->options.tolerance)
            return SWQ_OK;
        swq_progress(ctx, "sweeping", (double)(k + 1), 0);
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld sweeps",
                            (long long)g->sweeps);
    }
    return swq_fail(ctx, SWQ_ECONVERGE, "gauss-seidel did not reach a change of %g in %lld sweeps",
                    g->options.tolerance, (long long)g->options.max_iterations);
}

static swq_status visits(swq_context *ctx, void *work, const double *b, double *y)
{
    return sweep(ctx, work, true, b, y);
}

static swq_status rewards(swq_context *ctx, void *work, const double *b, double *x)
{
    return sweep(ctx, work, false, b, x);
}

static int64_t iterations(const void *work)
{
    return ((const sweeper *)work)->sweeps;
}

const swq_solver swq_solver_gauss_seidel = {
    .name = "gauss-seidel",
    .summary = "symmetric Gauss-Seidel sweeps in positive arithmetic",
    .promise =
        "relative accuracy about the tolerance times the mixing time, small entries included",
    .iterative = true,
    .prepare = prepare,
    .visits = visits,
    .rewards = rewards,
    .iterations = iterations,
    .release = release,
};
