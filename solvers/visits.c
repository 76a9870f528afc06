/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems y = b + y Q with any right-hand side, for what lies beyond the stationary vector:
 * variances and derivatives. The bound is that of enclosure.h, separately for every state: with |b
 * + y Q - y| <= eps y in all systems and w - w Q >= sigma (sum of all y), the errors of a state add
 * up to eps / sigma w at most.
 */
#include "base/context.h"
#include "solvers/multilevel.h"
#include "solvers/operator.h"
#include "solvers/solvers.h"
#include "solvers/width.h"

#include <math.h>
#include <string.h>

enum {
    FINE_STEPS = 4,      /* steps in long double at the end, which remove the rounding errors of the
                            steps before */
    COMPANION_ROUNDS = 4 /* rounds for the companion, each to a smaller change */
};

/* The companion w may be rough: w - w Q must reach this part of its aim, and where the iteration is
 * slow, the changes of w say little about that. */
#define COMPANION_CHANGE 1e-4
#define COMPANION_PART   0.5

typedef struct {
    swq_context *ctx;
    const swq_product *p;
    const swq_solver_options *options;
    swq_csr multiplied; /* for methods that need the entries, else empty */
    const swq_solver *method;
    void *work;
    swq_multilevel *grids;
    swq_operator op;
    int64_t n;
    double *total, *w; /* [states] */
    long double *fine, *image;
} visits_solving;

static swq_status prepare(visits_solving *s, const swq_grouping *grouping, const swq_solver *asked,
                          int64_t root)
{
    const char *why;
    const swq_solver *method = asked == swq_solvers[0] ? swq_solver_for_states(s->n, &why) : asked;
    swq_status status = swq_operator_init(s->ctx, s->p, root, &s->op);

    s->total = swq_calloc(s->ctx, (size_t)s->n, sizeof *s->total);
    s->w = swq_calloc(s->ctx, (size_t)s->n, sizeof *s->w);
    s->fine = swq_calloc(s->ctx, (size_t)s->n, sizeof *s->fine);
    s->image = swq_calloc(s->ctx, (size_t)s->n, sizeof *s->image);
    if (!status && (!s->total || !s->w || !s->fine || !s->image))
        status = swq_memory_status(s->ctx);
    if (status)
        return status;
    if (method->iterate || method->iterative) {
        bool grouped = grouping && grouping->depth > 0;
        return swq_multilevel_new_on(s->ctx, &s->op, grouped ? grouping : NULL, 0, &s->grids);
    }
    status = swq_product_multiply(s->ctx, s->p, &s->multiplied, NULL);
    if (!status)
        status = swq_solver_choose(s->ctx, method, &s->multiplied, &s->method, &why);
    return status ? status : s->method->prepare(s->ctx, &s->multiplied, root, s->options, &s->work);
}

static void clear(visits_solving *s)
{
    if (s->work)
        s->method->release(s->ctx, s->work);
    swq_multilevel_free(s->ctx, s->grids);
    swq_operator_clear(s->ctx, &s->op);
    swq_csr_clear(s->ctx, &s->multiplied);
    swq_free(s->ctx, s->total);
    swq_free(s->ctx, s->w);
    swq_free(s->ctx, s->fine);
    swq_free(s->ctx, s->image);
}

static swq_status solve(visits_solving *s, const double *b, double *y, double tolerance)
{
    double change;
    int64_t cycles = 0;

    if (s->work)
        return s->method->visits(s->ctx, s->work, b, y);
    return swq_multilevel_solve(s->ctx, s->grids, b, y, tolerance, s->options->max_iterations,
                                &change, &cycles);
}

/* The largest relative residual of y, against exact coefficients, after a few steps in long double
 * that end in y. */
static double refine(visits_solving *s, const double *b, double *y)
{
    long double worst = 0;

    for (int64_t i = 0; i < s->n; i++)
        s->fine[i] = y[i];
    for (int k = 0;; k++) {
        double gamma = swq_operator_image(&s->op, false, s->fine, s->image);
        for (int64_t i = 0; i < s->n; i++)
            s->image[i] += b[i];
        if (k == FINE_STEPS) {
            for (int64_t i = 0; i < s->n; i++) {
                long double off = fabsl(s->image[i] - s->fine[i]) + gamma * s->image[i];
                /* products on the way to this node may lack digits */
                if (s->fine[i] > 0 && s->fine[i] < SWQ_LEAST)
                    off = INFINITY;
                worst = off == 0 ? worst : fmaxl(worst, off / s->fine[i]);
                y[i] = (double)s->fine[i];
            }
            return (double)worst;
        }
        memcpy(s->fine, s->image, sizeof *s->fine * (size_t)s->n);
    }
}

/* The largest sigma that can be shown for w - w Q >= sigma (sum of all y). */
static long double explained(visits_solving *s)
{
    long double sigma = INFINITY;

    for (int64_t i = 0; i < s->n; i++)
        s->fine[i] = s->w[i];
    const double gamma = swq_operator_image(&s->op, false, s->fine, s->image);
    for (int64_t i = 0; i < s->n; i++) {
        if (s->total[i] > 0)
            sigma =
                fminl(sigma, (s->w[i] - (1 + 2 * (long double)gamma) * s->image[i]) / s->total[i]);
    }
    return sigma;
}

/* Compute errors from the residual. */
static swq_status bound(visits_solving *s, double eps, double *error)
{
    double sum = 0, tolerance = COMPANION_CHANGE;
    long double sigma = 0;

    for (int64_t i = 0; i < s->n; i++)
        sum += s->total[i];
    for (int64_t i = 0; i < s->n; i++)
        s->w[i] = s->total[i] * (1 + sum / s->total[s->op.root]);
    for (int round = 0; round < COMPANION_ROUNDS && sigma < COMPANION_PART; round++) {
        swq_status status = solve(s, s->total, s->w, tolerance);
        if (status && status != SWQ_ECONVERGE)
            return status;
        sigma = explained(s);
        tolerance *= 0.03;
        /* the method is direct or has failed: another round changes nothing */
        if (status || s->work)
            break;
    }
    for (int64_t i = 0; i < s->n; i++) {
        error[i] = sigma > 0 ? eps * s->w[i] / (double)sigma : INFINITY;
        error[i] += s->total[i] * SWQ_ROUNDING; /* y itself was rounded */
        error[i] = s->total[i] > 0 ? error[i] : 0;
    }
    return SWQ_OK;
}

swq_status swq_solve_visits(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                            const swq_solver *solver, const swq_solver_options *options,
                            int64_t root, const double *const *b, int systems, double *const *y,
                            double *error)
{
    visits_solving s = {.ctx = ctx, .p = p, .options = options, .n = p->factor[0].rows};
    double eps = 0;
    swq_status status = SWQ_OK, early = SWQ_OK;

    for (int k = 0; k < systems; k++) {
        if (!(b[k][root] > 0))
            return swq_fail(ctx, SWQ_EINVAL, "system %d does not start at the root", k);
    }
    status = prepare(&s, grouping, solver, root);
    for (int k = 0; k < systems && !status; k++) {
        status = solve(&s, b[k], y[k], options->tolerance);
        if (status == SWQ_ECONVERGE) {
            early = status;
            status = SWQ_OK;
        }
        if (!status)
            eps = fmax(eps, refine(&s, b[k], y[k]));
        for (int64_t i = 0; i < s.n && !status; i++)
            s.total[i] += y[k][i];
    }
    if (!status)
        status = bound(&s, eps, error);
    clear(&s);
    return status ? status : early;
}
