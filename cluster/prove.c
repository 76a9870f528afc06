/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Root, iteration and proof on a spread chain. The proof is the one of solvers/enclosure.h: two
 * evaluations in long double and a companion that may be approximate. Minima and maxima of the
 * proof are taken over all ranks, which causes no rounding; sums are rounded as in a single
 * process, and the bound on that rounding holds for any order.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/prove.h"

#include "base/context.h"
#include "cluster/structure.h"
#include "solvers/solvers.h"
#include "solvers/width.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* As in solvers/factors.c. */
enum {
    ROOT_STEPS = 24,
    ROUNDS = 3,
    ROUGH_ROUNDS = 6,
    FINE_STEPS = 6,
    MENDING = 50 /* steps after Krylov-Schur, whose small entries are noise */
};
#define ROUGH_CHANGE    0.1
#define RARE_ROOT       3
#define ROUGH_COMPANION 0.5
#define SUMMING         (LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1)

/* As in solvers/enclosure.c. */
#define SLACK 1.000001

typedef struct {
    swq_spread_chain *s;
    swq_context *ctx;
    swq_spread_method method;
    bool arnoldi;
    swq_spread_iteration iteration;
    swq_checkpoint *checkpoint;
    int64_t n, root;
    bool *recurrent, *zero; /* zero: transient states; NULL if there are none */
    double *y, *w, *unit;
    long double *fine, *fine_image, *w_image;
    double pi_error;
} spread_solving;

static void clear(spread_solving *z)
{
    swq_spread_iteration_clear(&z->iteration);
    swq_free(z->ctx, z->recurrent);
    swq_free(z->ctx, z->zero);
    swq_free(z->ctx, z->y);
    swq_free(z->ctx, z->w);
    swq_free(z->ctx, z->unit);
    swq_free(z->ctx, z->fine);
    swq_free(z->ctx, z->fine_image);
    swq_free(z->ctx, z->w_image);
}

static swq_status furnish(spread_solving *z)
{
    const size_t n = (size_t)z->n + 1;

    z->recurrent = swq_calloc(z->ctx, n, sizeof *z->recurrent);
    z->zero = swq_calloc(z->ctx, n, sizeof *z->zero);
    z->y = swq_calloc(z->ctx, n, sizeof *z->y);
    z->w = swq_calloc(z->ctx, n, sizeof *z->w);
    z->unit = swq_calloc(z->ctx, n, sizeof *z->unit);
    z->fine = swq_calloc(z->ctx, n, sizeof *z->fine);
    z->fine_image = swq_calloc(z->ctx, n, sizeof *z->fine_image);
    z->w_image = swq_calloc(z->ctx, n, sizeof *z->w_image);
    const bool room = z->recurrent && z->zero && z->y && z->w && z->unit && z->fine &&
                      z->fine_image && z->w_image;
    return swq_fleet_agree(z->s->fleet, room ? SWQ_OK : swq_memory_status(z->ctx));
}

/* image = x Q, plus the root's unit vector if `start`, through all factors in long double. Returns
 * a bound on the relative error of each entry. */
static double image_of(spread_solving *z, bool start, const long double *x, long double *image)
{
    swq_spread_apply_fine(z->s, x, image);
    if (z->root >= 0)
        image[z->root] = start ? 1 : 0;
    return (z->s->roundings + z->s->summing) * SWQ_ROUNDING;
}

/* The value at the root, which one rank has. */
static double at_root(const spread_solving *z, const double *x)
{
    return swq_fleet_greatest(z->s->fleet, z->root >= 0 ? x[z->root] : -1);
}

/* Choose a frequent recurrent state as root, and a first guess of the visits to all states. */
static swq_status choose_root(spread_solving *z)
{
    double *x = z->y, *image = z->unit;

    for (int64_t i = 0; i < z->n; i++)
        x[i] = 1 / (double)z->s->all[0];
    for (int k = 0; k < ROOT_STEPS; k++) {
        swq_spread_apply(z->s, x, image, NULL, NULL);
        for (int64_t i = 0; i < z->n; i++)
            x[i] = 0.5 *
                   (x[i] +
                    image[i]); /* averaged, since a periodic chain would not converge otherwise */
    }
    return swq_spread_recurrent(z->s, x, &z->root, z->recurrent);
}

/* Set transient states to zero, and scale so that the root has one visit. */
static void scale_to_root(spread_solving *z)
{
    const double root = at_root(z, z->y);

    for (int64_t i = 0; i < z->n; i++)
        z->y[i] = z->recurrent[i] ? z->y[i] / root : 0;
}

static swq_status keep(void *arg, const double *x, int64_t cycles, bool last)
{
    spread_solving *z = arg;

    return swq_checkpoint_write(z->checkpoint, z->s, x, z->root, cycles, last);
}

static swq_status new_iteration(spread_solving *z)
{
    swq_spread_iteration_clear(&z->iteration);
    return swq_spread_iteration_new(z->s, z->method, z->root, &z->iteration);
}

static void set_unit(spread_solving *z)
{
    memset(z->unit, 0, sizeof *z->unit * (size_t)z->n);
    if (z->root >= 0)
        z->unit[z->root] = 1;
}

/* Every bound grows with the length of the cycles between visits to the root: solve approximately,
 * and make the most frequent state the root. */
static swq_status settle_root(spread_solving *z, int64_t *steps)
{
    double change;
    swq_status status = new_iteration(z);

    for (int round = 0; round < ROUGH_ROUNDS && !status; round++) {
        set_unit(z);
        status =
            swq_spread_iterate(&z->iteration, z->unit, z->y, ROUGH_CHANGE, 200, &change, steps);
        if (status == SWQ_ECONVERGE)
            status = SWQ_OK; /* an approximate solution is enough */
        if (status)
            break;
        const int64_t best = swq_spread_greatest(z->s, z->y, z->recurrent);
        const double most = swq_fleet_greatest(z->s->fleet, best >= 0 ? z->y[best] : -1);
        if (most < RARE_ROOT * at_root(z, z->y))
            break;
        z->root = best;
        scale_to_root(z);
        status = new_iteration(z);
    }
    return status;
}

/* The largest ratio of the companion's residual to y, over all states. */
static double unexplained(spread_solving *z)
{
    double most = 0;

    for (int64_t i = 0; i < z->n; i++)
        z->fine[i] = z->w[i];
    image_of(z, false, z->fine, z->w_image);
    for (int64_t i = 0; i < z->n; i++) {
        if (z->recurrent[i])
            most = fmax(most, 1 - (double)((z->fine[i] - z->w_image[i]) / z->y[i]));
    }
    return swq_fleet_greatest(z->s->fleet, most);
}

/* Find a companion of y that is good enough for a bound. It is kept for the next round. */
static swq_status find_companion(spread_solving *z, int64_t most, int64_t *steps)
{
    double change, tolerance = 1e-3, total = 0, held = 0;
    swq_status status = SWQ_OK;

    for (int64_t i = 0; i < z->n; i++) {
        total += z->y[i];
        held += z->w[i];
    }
    double sums[] = {total, held};
    swq_fleet_add(z->s->fleet, sums, 2);
    for (int64_t i = 0; i < z->n && sums[1] == 0; i++)
        z->w[i] = z->y[i] * sums[0];
    for (int round = 0; round < 4 && !status; round++, tolerance *= 0.03) {
        status = swq_spread_iterate(&z->iteration, z->y, z->w, tolerance, most, &change, steps);
        if (unexplained(z) < ROUGH_COMPANION)
            break;
    }
    return status;
}

/* Remove the rounding from y by a few steps in long double; fine and fine_image receive y and y Q +
 * e. */
static double refine(spread_solving *z)
{
    double gamma = 0;

    for (int64_t i = 0; i < z->n; i++)
        z->fine[i] = z->y[i];
    for (int k = 0; k < FINE_STEPS; k++) {
        gamma = image_of(z, true, z->fine, z->fine_image);
        if (k + 1 < FINE_STEPS)
            memcpy(z->fine, z->fine_image, sizeof *z->fine * (size_t)z->n);
    }
    for (int64_t i = 0; i < z->n; i++)
        z->y[i] = (double)z->fine[i];
    return gamma;
}

/* swq_enclosure_companion over all ranks: its least sigma and its largest ratio. */
static double enclose(spread_solving *z, double gamma)
{
    double sigma = INFINITY, ratio = 0, good = gamma < 1e-7;

    for (int64_t i = 0; i < z->n; i++) {
        if (!z->recurrent[i]) {
            good = good && z->y[i] == 0 && z->w[i] == 0;
            continue;
        }
        const long double left = z->w[i] - (1 + 2 * (long double)gamma) * z->w_image[i];
        good = good && z->y[i] >= SWQ_LEAST && z->w[i] >= SWQ_LEAST && z->w_image[i] >= 0 &&
               isfinite(z->y[i]) && isfinite(z->w[i]) && isfinite(z->w_image[i]);
        sigma = fmin(sigma, (double)(left / z->y[i]));
        ratio = fmax(ratio, z->w[i] / z->y[i]);
    }
    sigma = swq_fleet_least(z->s->fleet, sigma);
    ratio = swq_fleet_greatest(z->s->fleet, ratio);
    good = swq_fleet_least(z->s->fleet, good);
    return good > 0 && sigma > 0 ? SLACK * ratio / sigma : INFINITY;
}

/* The bound on the relative error of every entry of pi = y / sum y. */
static swq_status prove(spread_solving *z, int64_t most, int64_t *steps)
{
    long double worst = 0;
    swq_status status = find_companion(z, most, steps);

    z->pi_error = INFINITY;
    if (status && status != SWQ_ECONVERGE) /* any companion gives a bound */
        return status;
    const double gamma = refine(z);
    for (int64_t i = 0; i < z->n; i++) {
        if (z->recurrent[i])
            worst = fmaxl(worst, fabsl(z->fine_image[i] / z->fine[i] - 1));
        else if (z->fine[i] != 0 || z->fine_image[i] != 0)
            worst = INFINITY;
    }
    double e = enclose(z, gamma);
    e *= swq_fleet_greatest(z->s->fleet, (double)worst) * (1 + SWQ_ROUNDING) + gamma;
    const double rounded = (3 + SUMMING * (double)z->s->all[0]) * SWQ_ROUNDING;
    z->pi_error = e < 0.5 ? 2 * e / (1 - e) + rounded : INFINITY;
    return SWQ_OK;
}

static double find_residual(spread_solving *z)
{
    double worst = 0;

    swq_spread_apply(z->s, z->y, z->unit, NULL, NULL);
    for (int64_t i = 0; i < z->n; i++) {
        if (z->recurrent[i])
            worst = fmax(worst, fabs(z->unit[i] - z->y[i]) / z->y[i]);
    }
    return swq_fleet_greatest(z->s->fleet, worst);
}

/* First Krylov-Schur, then steps of the iteration, which only adds. */
static swq_status begin_by_arnoldi(spread_solving *z, const swq_solver_options *options,
                                   int64_t *steps)
{
    swq_status status = swq_spread_arnoldi(z->s, options->tolerance, options->max_iterations,
                                           z->recurrent, z->y, steps);

    if (status && status != SWQ_ECONVERGE)
        return status;
    scale_to_root(z);
    for (int k = 0; k < MENDING; k++, ++*steps) {
        swq_spread_apply(z->s, z->y, z->unit, NULL, NULL);
        memcpy(z->y, z->unit, sizeof *z->y * (size_t)z->n);
        if (z->root >= 0)
            z->y[z->root] = 1;
    }
    return status;
}

/* Iterate and prove in turn until the bound is as small as requested, or no longer falls. */
static swq_status iterate(spread_solving *z, const swq_solver_options *options, int64_t *steps)
{
    double last = INFINITY, tolerance = fmax(options->enclosure * 1e-4, options->tolerance), change;
    swq_status status = SWQ_OK;

    for (int round = 0; round < ROUNDS && !status; round++) {
        set_unit(z);
        z->iteration.pause = keep;
        z->iteration.arg = z;
        if (z->arnoldi && round == 0)
            status = begin_by_arnoldi(z, options, steps);
        else
            status = swq_spread_iterate(&z->iteration, z->unit, z->y, tolerance,
                                        options->max_iterations, &change, steps);
        z->iteration.pause = NULL; /* a companion must not be written as a checkpoint */
        if (status && status != SWQ_ECONVERGE)
            return status;
        swq_status proof = swq_checkpoint_write(z->checkpoint, z->s, z->y, z->root, *steps, true);
        if (!proof)
            proof = prove(z, options->max_iterations, steps);
        if (proof && proof != SWQ_ECONVERGE)
            return proof;
        if (z->pi_error <= 0.5 * options->enclosure || tolerance <= options->tolerance ||
            (z->pi_error > 0.7 * last && !z->arnoldi))
            break;
        last = z->pi_error;
        tolerance =
            fmax(tolerance * 0.2 * fmin(1, options->enclosure / z->pi_error), options->tolerance);
    }
    if (status)
        swq_fail(z->ctx, status, "the iteration did not reach a change of %g in %lld steps",
                 tolerance, (long long)options->max_iterations);
    return status;
}

static void fill_pi(const spread_solving *z, double *pi)
{
    long double sum = 0;

    for (int64_t i = 0; i < z->n; i++)
        sum += z->y[i];
    swq_fleet_add_fine(z->s->fleet, &sum, 1);
    for (int64_t i = 0; i < z->n; i++)
        pi[i] = (double)(z->y[i] / sum);
}

/* Begin from the checkpoint, or from a first guess. */
static swq_status begin(spread_solving *z, swq_spread_solution *out)
{
    swq_status status =
        swq_checkpoint_read(z->checkpoint, z->s, z->y, &z->root, &out->iterations, &out->resumed);

    if (!status && !out->resumed)
        status = choose_root(z);
    if (!status && out->resumed) {
        memcpy(z->unit, z->y, sizeof *z->y * (size_t)z->n);
        status = swq_spread_recurrent(z->s, z->unit, &z->root, z->recurrent);
    }
    if (!status)
        status = swq_spread_period(z->s, z->root, &out->period);
    if (status)
        return status;
    scale_to_root(z);
    if (!out->resumed)
        return settle_root(z, &out->iterations);
    double least = INFINITY;
    for (int64_t i = 0; i < z->n; i++)
        least = z->recurrent[i] ? fmin(least, z->y[i]) : least;
    if (!(swq_fleet_least(z->s->fleet, least) > 0))
        return swq_fail(z->ctx, SWQ_EINVAL, "the checkpoint '%s' has zeros where there are none",
                        z->checkpoint->path);
    return new_iteration(z);
}

swq_status swq_spread_solve(swq_spread_chain *s, const swq_solver *solver,
                            const swq_solver_options *options, swq_checkpoint *checkpoint,
                            swq_spread_solution *solution)
{
    spread_solving z = {.s = s, .ctx = s->ctx, .n = s->own[0], .checkpoint = checkpoint};
    swq_spread_solution out = {.pi_error = INFINITY};

    z.method = strcmp(solver->name, "power") == 0      ? SWQ_SPREAD_STEPS
               : strcmp(solver->name, "anderson") == 0 ? SWQ_SPREAD_MIXES
                                                       : SWQ_SPREAD_AGGREGATES;
    z.arnoldi = strcmp(solver->name, "arnoldi") == 0;
    swq_status status = furnish(&z);
    if (!status)
        status = begin(&z, &out);
    if (!status)
        status = iterate(&z, options, &out.iterations);
    if (!status || status == SWQ_ECONVERGE) {
        int64_t recurrent = 0;
        for (int64_t i = 0; i < z.n; i++)
            recurrent += z.recurrent[i];
        out.converged = !status;
        out.pi_error = z.pi_error;
        out.transient = s->all[0] - swq_fleet_sum(s->fleet, recurrent);
        out.residual = find_residual(&z);
        out.pi = z.unit;
        fill_pi(&z, out.pi);
        z.unit = NULL;
        *solution = out;
    }
    clear(&z);
    return status;
}

#endif
