/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symmetric Gauss-Seidel sweeps, with relaxation.
 */
#include "solvers/sweep.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

/* Relaxation leaves an entry at least this fraction of its Gauss-Seidel value. */
#define LEAST_PART 0.1

swq_status swq_sweep_init(swq_context *ctx, const swq_csr *p, int64_t root, double omega,
                          swq_sweep *s)
{
    size_t n = (size_t)p->rows;

    *s = (swq_sweep){.p = p, .root = root, .omega = omega};
    s->after = swq_calloc(ctx, n, sizeof *s->after);
    s->leave = swq_calloc(ctx, n, sizeof *s->leave);
    s->before = swq_calloc(ctx, n, sizeof *s->before);
    s->later = swq_calloc(ctx, n, sizeof *s->later);
    if (!s->after || !s->leave || !s->before || !s->later) {
        swq_sweep_clear(ctx, s);
        return swq_memory_status(ctx);
    }
    for (int64_t i = 0; i < p->rows; i++) {
        s->after[i] = p->start[i];
        while (s->after[i] < p->start[i + 1] && p->col[s->after[i]] <= i)
            s->after[i]++;
    }
    swq_sweep_values(s);
    return SWQ_OK;
}

void swq_sweep_clear(swq_context *ctx, swq_sweep *s)
{
    swq_free(ctx, s->after);
    swq_free(ctx, s->leave);
    swq_free(ctx, s->before);
    swq_free(ctx, s->later);
    *s = (swq_sweep){0};
}

void swq_sweep_values(swq_sweep *s)
{
    const swq_csr *p = s->p;

    for (int64_t i = 0; i < p->rows; i++) {
        s->leave[i] = 0;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            s->leave[i] += p->col[e] == i ? 0 : p->value[e];
    }
    s->leave[s->root] = 1; /* its column of Q is zero, including the diagonal */
}

static double renewed(const swq_sweep *s, int64_t i, double b, double x)
{
    if (i == s->root)
        return b;
    if (!(s->leave[i] > 0)) /* underflow: the value is unknown */
        return x;
    double fresh = (b + s->before[i] + s->later[i]) / s->leave[i];
    return s->omega == 1 ? fresh : fmax(x + s->omega * (fresh - x), LEAST_PART * fresh);
}

static void hand_back(swq_sweep *s, int64_t i, double x)
{
    const swq_csr *p = s->p;

    for (int64_t e = p->start[i]; e < s->after[i] && p->col[e] < i; e++)
        s->later[p->col[e]] += x * p->value[e];
}

void swq_sweep_run(swq_sweep *s, int times, const double *b, double *x)
{
    const swq_csr *p = s->p;
    int64_t n = p->rows;
    size_t bytes = sizeof *x * (size_t)n;

    memset(s->later, 0, bytes);
    for (int64_t i = 0; i < n; i++)
        hand_back(s, i, x[i]);
    for (int k = 0; k < times; k++) {
        memset(s->before, 0, bytes);
        for (int64_t i = 0; i < n; i++) {
            x[i] = renewed(s, i, b[i], x[i]);
            for (int64_t e = s->after[i]; e < p->start[i + 1]; e++)
                s->before[p->col[e]] += x[i] * p->value[e];
        }
        memset(s->later, 0, bytes);
        for (int64_t i = n - 1; i >= 0; i--) {
            x[i] = renewed(s, i, b[i], x[i]);
            hand_back(s, i, x[i]);
        }
    }
}
