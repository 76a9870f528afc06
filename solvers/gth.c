/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elimination after Grassmann, Taksar and Heyman (Oper. Res. 33(5), 1985): states are censored one
 * after another, and the pivot 1 - a_kk is formed as the sum of the rest of its row, so nothing is
 * ever subtracted and every entry keeps its relative accuracy, however small (O'Cinneide, Numer.
 * Math. 65, 1993). Dense, in plain loops: the reference with which the other methods are compared.
 */
#include "base/context.h"
#include "solvers/solvers.h"

typedef struct {
    int64_t n, root;
    int64_t *state;    /* [n] position -> state; position 0 is the root */
    int64_t *position; /* [n] state -> position */
    double
        *a; /* [n * n] by positions, factored: column k above the diagonal is divided by pivot[k] */
    double *pivot; /* [n] probability of leaving k for a smaller position; pivot[0] is not used */
    double *b;     /* [n] a right-hand side by positions */
} gth;

static void release(swq_context *ctx, void *work)
{
    gth *g = work;

    if (!g)
        return;
    swq_free(ctx, g->state);
    swq_free(ctx, g->position);
    swq_free(ctx, g->a);
    swq_free(ctx, g->pivot);
    swq_free(ctx, g->b);
    swq_free(ctx, g);
}

static void factor(gth *g)
{
    int64_t n = g->n;

    for (int64_t k = n - 1; k > 0; k--) {
        const double *row = g->a + k * n;
        double pivot = 0;
        for (int64_t j = 0; j < k; j++)
            pivot += row[j];
        g->pivot[k] = pivot;
        for (int64_t i = 0; i < k; i++) {
            double *to = g->a + i * n;
            if (to[k] == 0)
                continue;
            double f = to[k] /= pivot;
            for (int64_t j = 0; j < k; j++)
                to[j] += f * row[j];
        }
    }
}

static swq_status prepare(swq_context *ctx, const swq_csr *p, int64_t root,
                          const swq_solver_options *options, void **work)
{
    (void)options;
    int64_t n = p->rows;
    gth *g = swq_calloc(ctx, 1, sizeof *g);
    if (!g)
        return swq_memory_status(ctx);
    g->n = n;
    g->root = root;
    g->state = swq_calloc(ctx, (size_t)n, sizeof *g->state);
    g->position = swq_calloc(ctx, (size_t)n, sizeof *g->position);
    g->pivot = swq_calloc(ctx, (size_t)n, sizeof *g->pivot);
    g->b = swq_calloc(ctx, (size_t)n, sizeof *g->b);
    g->a = swq_calloc(ctx, (size_t)n, (size_t)n * sizeof *g->a);
    if (!g->state || !g->position || !g->pivot || !g->b || !g->a) {
        release(ctx, g);
        return swq_memory_status(ctx);
    }
    for (int64_t s = 0; s < n; s++)
        g->position[s] = s == root ? 0 : s < root ? s + 1 : s;
    for (int64_t s = 0; s < n; s++) {
        g->state[g->position[s]] = s;
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++)
            g->a[g->position[s] * n + g->position[p->col[e]]] = p->value[e];
    }
    factor(g);
    *work = g;
    return SWQ_OK;
}

/* y = b + y Q: pass the starts in state k on to states that are censored later, then sum the
 * visits. */
static swq_status visits(swq_context *ctx, void *work, const double *b, double *y)
{
    (void)ctx;
    gth *g = work;
    int64_t n = g->n;

    for (int64_t k = 0; k < n; k++)
        g->b[k] = b[g->state[k]];
    for (int64_t k = n - 1; k > 0; k--) {
        double each = g->b[k] /= g->pivot[k];
        for (int64_t j = 1; j < k; j++)
            g->b[j] += each * g->a[k * n + j];
    }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = i + 1; k < n; k++)
            g->b[k] += g->b[i] * g->a[i * n + k];
    }
    for (int64_t k = 0; k < n; k++)
        y[g->state[k]] = g->b[k];
    return SWQ_OK;
}

/* x = b + Q x: add to each state's reward the reward of excursions to the censored states, then
 * substitute back. */
static swq_status rewards(swq_context *ctx, void *work, const double *b, double *x)
{
    (void)ctx;
    gth *g = work;
    int64_t n = g->n;

    for (int64_t k = 0; k < n; k++)
        g->b[k] = b[g->state[k]];
    for (int64_t i = n - 2; i >= 0; i--) {
        for (int64_t k = i + 1; k < n; k++)
            g->b[i] += g->a[i * n + k] * g->b[k];
    }
    x[g->root] = g->b[0];
    for (int64_t k = 1; k < n; k++) {
        double sum = g->b[k];
        for (int64_t j = 1; j < k; j++)
            sum += g->a[k * n + j] * g->b[j];
        g->b[k] = sum / g->pivot[k];
        x[g->state[k]] = g->b[k];
    }
    return SWQ_OK;
}

const swq_solver swq_solver_gth = {
    .name = "gth",
    .summary = "dense elimination without subtraction (Grassmann, Taksar, Heyman): the reference",
    .promise = "every entry relatively exact to rounding, however small; O(n^3) time, 8 n^2 bytes",
    .any_root = true,
    .prepare = prepare,
    .visits = visits,
    .rewards = rewards,
    .release = release,
};
