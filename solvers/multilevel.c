/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multilevel aggregation on products of factors.
 */
#include "solvers/multilevel.h"

#include "base/context.h"
#include "solvers/grid.h"
#include "solvers/mixing.h"
#include "solvers/solvers.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    STEPS = 2,      /* steps in each cycle, before the one that comes with the weighing */
    MORE_STEPS = 8, /* cycles without a new least change before each gets one more step */
    SWEEPS = 2,     /* sweeps forwards and back, where the entries of the matrix are at hand */
    LONG_WAIT = 40, /* cycles without a new least change that show that rounding is reached */
    STALLED = 1000, /* cycles that show that the changes will not decrease any more */
};

/* Largest relative change that rounding alone can cause in the largest chains. */
#define ROUGH 1e-11

struct swq_multilevel {
    swq_chain_grid *finest;
    swq_mixing mixing;
    swq_grouping distances; /* groups by distance, if no grouping was given */
};

void swq_multilevel_free(swq_context *ctx, swq_multilevel *m)
{
    if (!m)
        return;
    swq_chain_grid_free(ctx, m->finest);
    swq_mixing_clear(ctx, &m->mixing);
    swq_grouping_clear(ctx, &m->distances);
    swq_free(ctx, m);
}

/* op: the operator whose vectors are used, or NULL. `varying`: the values of the factors come
 * later. */
static swq_status new_multilevel(swq_context *ctx, const swq_product *p, const swq_operator *op,
                                 const swq_grouping *grouping, int64_t root, double omega,
                                 bool varying, swq_multilevel **out)
{
    swq_multilevel *m = swq_calloc(ctx, 1, sizeof *m);

    if (!m)
        return swq_memory_status(ctx);
    swq_status status = swq_chain_grid_new(ctx, p->factors, p->factor, &m->finest);
    if (!status) {
        m->finest->root = root;
        m->finest->borrows = op != NULL;
        if (op)
            m->finest->op = *op;
        if (!grouping)
            status = swq_group_by_distance(ctx, p, root, &m->distances);
    }
    if (!status)
        status = swq_chain_grid_build(ctx, m->finest, grouping ? grouping : &m->distances, omega);
    if (!status && m->finest->coarser && !varying)
        status = swq_chain_grid_find_steady(ctx, m->finest);
    if (!status)
        status = swq_mixing_init(ctx, m->finest->op.n, SWQ_MIXING_DEPTH, &m->mixing);
    if (status) {
        swq_multilevel_free(ctx, m);
        return status;
    }
    *out = m;
    return SWQ_OK;
}

swq_status swq_multilevel_new(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                              int64_t root, double omega, swq_multilevel **m)
{
    return new_multilevel(ctx, p, NULL, grouping, root, omega, false, m);
}

swq_status swq_multilevel_new_varying(swq_context *ctx, const swq_product *p,
                                      const swq_grouping *grouping, int64_t root,
                                      swq_multilevel **m)
{
    return new_multilevel(ctx, p, NULL, grouping, root, 0, true, m);
}

swq_status swq_multilevel_new_on(swq_context *ctx, const swq_operator *op,
                                 const swq_grouping *grouping, double omega, swq_multilevel **m)
{
    return new_multilevel(ctx, op->p, op, grouping, op->root, omega, false, m);
}

long double *swq_multilevel_lend(swq_multilevel *m, int k)
{
    /* lent from the memory of mixing, which the next solve overwrites */
    long double *const block = (void *)m->mixing.block;

    assert(k < SWQ_LENT_VECTORS && SWQ_LENT_VECTORS * sizeof(long double) <= SWQ_MIXING_BYTES);
    return block + k * m->mixing.n;
}

/* x <- b + x Q, where the last level has x Q; returns the largest relative change. */
static double take_image(swq_chain_grid *g)
{
    const double *image = g->op.level[g->p.factors];
    double *x = g->op.level[0], change = 0;

    for (int64_t i = 0; i < g->op.n; i++) {
        const double now = (g->b ? g->b[i] : i == g->root) + (i == g->root ? 0 : image[i]);
        const double part = fabs(now - x[i]) / now;
        /* not a number where both are zero, which the comparison ignores */
        change = part > change ? part : change;
        x[i] = now;
    }
    return change;
}

/* A step of the iteration, which returns its largest relative change; or sweeps, which solve for
 * each entry in turn, and return 0. */
static double step(swq_chain_grid *g, int sweeps)
{
    if (g->sweep.p) {
        swq_sweep_run(&g->sweep, sweeps, g->b, g->op.level[0]);
        return 0;
    }
    swq_operator_spread(&g->op, NULL);
    return take_image(g);
}

/* The current weights of the groups, from which the iteration of the coarse chain starts. */
static void fill_groups(const swq_chain_grid *g)
{
    swq_chain_grid *c = g->coarser;
    double *groups = c->op.level[0];

    memset(groups, 0, sizeof *groups * (size_t)c->op.n);
    for (int64_t i = 0; i < g->op.n; i++)
        groups[g->group[0][i]] += g->op.level[0][i];
    memcpy(c->held, groups, sizeof *groups * (size_t)c->op.n);
}

/* Scale the weights of all nodes so that each group has the weight found for it. */
static void share_out(swq_chain_grid *g)
{
    const swq_chain_grid *c = g->coarser;

    for (int64_t i = 0; i < g->op.n; i++) {
        const int32_t group = g->group[0][i];
        const double factor = c->op.level[0][group] / c->held[group];
        if (factor > 0 && isfinite(factor))
            g->op.level[0][i] *= factor;
    }
}

/* Solve the coarsest chain by elimination. */
static swq_status eliminate(swq_context *ctx, swq_chain_grid *g)
{
    const swq_solver *method = swq_solver_elimination(g->op.n);
    swq_solver_options options = swq_solver_options_defaults();
    swq_csr p = {0};
    void *work = NULL;

    if (!method)
        return swq_solver_has_room(ctx, &swq_solver_sparse_gth);
    swq_status status = swq_product_multiply(ctx, &g->p, &p, NULL);
    if (!status)
        status = method->prepare(ctx, &p, g->root, &options, &work);
    if (!status)
        status = method->visits(ctx, work, g->b, g->op.level[0]);
    if (work)
        method->release(ctx, work);
    swq_csr_clear(ctx, &p);
    return status;
}

static swq_status cycle(swq_context *ctx, swq_chain_grid *g, int steps)
{
    swq_chain_grid *c = g->coarser;

    if (!c)
        return eliminate(ctx, g);
    for (int k = 0; k < (g->sweep.p ? 1 : steps); k++)
        step(g, SWEEPS);
    swq_chain_grid_coarsen(g);
    if (c->sweep.p)
        swq_sweep_values(&c->sweep);
    else
        take_image(g); /* a step that comes with the weighing */
    fill_groups(g);
    swq_status status = cycle(ctx, c, steps);
    if (!status && c->coarser) /* solve coarse chains twice: a coarse chain mixes as slowly as the
                                  fine chain */
        status = cycle(ctx, c, steps);
    if (!status)
        share_out(g);
    return status;
}

swq_status swq_multilevel_solve(swq_context *ctx, swq_multilevel *m, const double *b, double *x,
                                double tolerance, int64_t most_cycles, double *change,
                                int64_t *cycles)
{
    swq_chain_grid *g = m->finest;
    size_t bytes = sizeof *x * (size_t)g->op.n;
    double least = INFINITY;
    int64_t waited = 0;
    int steps = STEPS;
    swq_status status = SWQ_OK;

    g->b = b ? b : g->own_b;
    if (!b && g->own_b) {
        memset(g->own_b, 0, bytes);
        g->own_b[g->root] = 1;
    }
    swq_mixing_restart(&m->mixing);
    for (int64_t k = 0;; k++) {
        memcpy(g->op.level[0], x, bytes);
        status = cycle(ctx, g, steps);
        if (status)
            return status;
        const double last = step(g, 1);
        ++*cycles;
        *change = swq_mixing_step(&m->mixing, x, g->op.level[0], x);
        /* a cycle may return to its beginning although each of its steps changes much */
        if (last > ROUGH)
            *change = fmax(*change, last);
        if (*change <= tolerance) {
            /* the iterate, not the mixture, whose change is not known */
            memcpy(x, g->op.level[0], bytes);
            return SWQ_OK;
        }
        waited = *change < least ? 0 : waited + 1;
        least = fmin(least, *change);
        if (waited > LONG_WAIT && least < ROUGH) {
            memcpy(x, g->op.level[0], bytes);
            return SWQ_OK;
        }
        if (k + 1 >= most_cycles || waited > STALLED)
            return swq_fail(ctx, SWQ_ECONVERGE,
                            "aggregation did not reach a change of %g in %lld cycles", tolerance,
                            (long long)k + 1);
        steps += waited > 0 && waited % MORE_STEPS == 0 && least > ROUGH;
        swq_progress(ctx, "cycles of aggregation", (double)*cycles, 0);
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld cycles", (long long)*cycles);
    }
}
