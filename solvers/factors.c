/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solving a product of factors without multiplying it out: structure, root, iteration, proof. The
 * proof needs two evaluations and a companion that may be rough (enclosure.h), whatever the method.
 */
#include "base/context.h"
#include "base/packed.h"
#include "solvers/enclosure.h"
#include "solvers/multilevel.h"
#include "solvers/operator.h"
#include "solvers/solvers.h"
#include "solvers/ways.h"
#include "solvers/width.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum {
    /* steps from all states alike after which the frequent states are roughly known */
    ROOT_STEPS = 24,
    ROUNDS = 3,            /* rounds of iterating and proving, each round to a smaller change */
    ROUGH_ROUNDS = 6,      /* rounds of looking for a frequent root */
    REWARD_ROUNDINGS = 70, /* roundings of a reward, a sum over at most 32 ports */
    FINE_STEPS = 6,        /* steps in long double before a proof */
    MORE_ROUNDS = 20       /* further rounds of steps in long double, where they are needed */
};

/* One rounding of a sum over states, in units of a double's rounding. */
#define SUMMING (LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1)

/* Largest relative change per iteration at which the frequent states can be recognised. */
#define ROUGH_CHANGE 0.1

/* A root that is rarer than the most frequent state by this factor is replaced by that state. */
#define RARE_ROOT 3

/* Another round of steps in long double is worth its time if it leaves no more than this part of
 * the bound. */
#define MORE_GAIN 0.9

/* The companion w need not satisfy w - w Q >= y: this part of y may be missing. */
#define ROUGH_COMPANION 0.5

typedef struct {
    swq_context *ctx;
    swq_product p;                      /* the product, restricted to the recurrent states */
    swq_csr part[SWQ_MOST_FACTORS];     /* factors of the product from which states were left out */
    swq_grouping grouping, part_groups; /* depth 0: none */
    swq_structure structure;
    double relaxation;
    swq_multilevel *grids;
    swq_operator op;
    int64_t n, root;
    double *y, *w;
    long double *fine, *fine_image; /* y, and y Q plus the root's unit vector; both vectors are lent
                                       by the grids */
    long double *w_image;           /* w Q; also lent by the grids */
    double pi_error;
} product_solving;

static void clear(product_solving *s)
{
    for (int k = 0; k < SWQ_MOST_FACTORS; k++)
        swq_csr_clear(s->ctx, &s->part[k]);
    swq_grouping_clear(s->ctx, &s->part_groups);
    swq_structure_clear(s->ctx, &s->structure);
    swq_multilevel_free(s->ctx, s->grids);
    swq_operator_clear(s->ctx, &s->op);
    swq_free(s->ctx, s->y);
    swq_free(s->ctx, s->w);
}

/* Rows `from` of m, with columns renumbered; `to`, which is made here, lists the columns in use,
 * which are rows of the next factor. place[m->cols] is zero, and is left so. */
static swq_status cut_factor(swq_context *ctx, const swq_csr *m, const int32_t *from, int64_t rows,
                             int32_t *place, bool renumber, swq_csr *out, int32_t **to,
                             int64_t *count)
{
    int64_t entries = 0, found = 0, at = 0;

    for (int64_t k = 0; k < rows; k++)
        entries += m->start[from[k] + 1] - m->start[from[k]];
    out->start = swq_calloc(ctx, (size_t)rows + 1, sizeof *out->start);
    out->col = swq_calloc(ctx, (size_t)entries, sizeof *out->col);
    out->value = swq_calloc(ctx, (size_t)entries, sizeof *out->value);
    *to = swq_calloc(ctx, (size_t)m->cols, sizeof **to);
    if (!out->start || !out->col || !out->value || !*to)
        return swq_memory_status(ctx);
    if (renumber) {
        for (int64_t k = 0; k < rows; k++) {
            for (int64_t e = m->start[from[k]]; e < m->start[from[k] + 1]; e++)
                place[m->col[e]] = 1;
        }
        for (int64_t j = 0; j < m->cols; j++) { /* ascending, so rows stay sorted */
            if (place[j]) {
                (*to)[found] = (int32_t)j;
                place[j] = (int32_t)++found;
            }
        }
    }
    for (int64_t k = 0; k < rows; k++) {
        for (int64_t e = m->start[from[k]]; e < m->start[from[k] + 1]; e++) {
            out->col[at] = place[m->col[e]] - 1;
            out->value[at++] = m->value[e];
        }
        out->start[k + 1] = at;
    }
    out->rows = rows;
    out->cols = found;
    for (int64_t k = 0; renumber && k < found; k++)
        place[(*to)[k]] = 0;
    *count = found;
    return SWQ_OK;
}

/* The groups of the remaining nodes, level by level; groups at greater depths stay as they are. */
static swq_status cut_groups(product_solving *s, const swq_grouping *whole, int level,
                             const int32_t *kept, int64_t count)
{
    swq_grouping *g = &s->part_groups;

    if (whole->depth == 0)
        return SWQ_OK;
    for (int d = 0; d < whole->depth; d++) {
        int at = d * whole->levels + level;
        int64_t nodes = d == 0 ? count : whole->groups[at - whole->levels];
        g->of[at] = swq_calloc(s->ctx, (size_t)nodes, sizeof **g->of);
        if (!g->of[at])
            return swq_memory_status(s->ctx);
        for (int64_t k = 0; k < nodes; k++)
            g->of[at][k] = whole->of[at][d == 0 ? kept[k] : k];
        g->groups[at] = whole->groups[at];
    }
    return SWQ_OK;
}

/* Leave out the transient states, and the nodes that only they lead to. */
static swq_status cut_transient(product_solving *s, const swq_product *whole,
                                const swq_grouping *groups)
{
    swq_context *ctx = s->ctx;
    int64_t widest = swq_product_widest(whole), rows = s->structure.recurrent;
    int32_t *place = swq_calloc(ctx, (size_t)widest, sizeof *place);
    int32_t *from = swq_calloc(ctx, (size_t)rows, sizeof *from);
    swq_status status = SWQ_OK;

    if (!place || !from) {
        swq_free(ctx, place);
        swq_free(ctx, from);
        return swq_memory_status(ctx);
    }
    s->part_groups = (swq_grouping){.depth = groups->depth, .levels = whole->factors};
    size_t arrays = (size_t)groups->depth * (size_t)whole->factors;
    if (!status && groups->depth > 0) {
        s->part_groups.of = swq_calloc(ctx, arrays, sizeof *s->part_groups.of);
        s->part_groups.groups = swq_calloc(ctx, arrays, sizeof *s->part_groups.groups);
        if (!s->part_groups.of || !s->part_groups.groups)
            status = swq_memory_status(ctx);
    }
    for (int64_t k = 0; k < rows && !status; k++)
        from[k] = (int32_t)s->structure.class_state[k];
    for (int k = 0; k < whole->factors && !status; k++) {
        bool last = k + 1 == whole->factors;
        int32_t *to = NULL;
        int64_t count = 0;
        status = cut_groups(s, groups, k, from, rows);
        for (int64_t i = 0; last && i < s->structure.recurrent && !status; i++)
            place[s->structure.class_state[i]] = (int32_t)(i + 1);
        if (!status)
            status = cut_factor(ctx, &whole->factor[k], from, rows, place, !last, &s->part[k], &to,
                                &count);
        if (last)
            s->part[k].cols = s->structure.recurrent;
        swq_free(ctx, from);
        from = to;
        rows = count;
    }
    swq_free(ctx, place);
    swq_free(ctx, from);
    s->p = (swq_product){whole->factors, s->part, whole->roundings, false};
    s->grouping = s->part_groups;
    return status;
}

/* Leave out the transient states of packed factors: unpack them into rows, which take more
 * memory. */
static swq_status cut_packed(product_solving *s, const swq_product *whole,
                             const swq_grouping *groups)
{
    swq_csr plain[SWQ_MOST_FACTORS] = {{0}};
    swq_status status = swq_product_unpack(s->ctx, whole, plain);

    if (!status)
        status = cut_transient(s, &(swq_product){whole->factors, plain, whole->roundings, false},
                               groups);
    for (int k = 0; k < whole->factors; k++) {
        swq_csr_clear(s->ctx, &plain[k]);
        if (!status && whole->factor[k].packed)
            status = swq_csr_pack(s->ctx, &s->part[k]);
    }
    return status;
}

static swq_status find_structure(product_solving *s, const swq_product *whole,
                                 const swq_grouping *groups)
{
    swq_status status = swq_structure_of_product(s->ctx, whole, &s->structure);
    if (status)
        return status;
    if (s->structure.closed_classes > 1)
        return swq_fail(s->ctx, SWQ_EREDUCIBLE,
                        "the chain is reducible: %lld closed classes of states, so its long run "
                        "depends on chance and there is no single stationary distribution",
                        (long long)s->structure.closed_classes);
    s->n = s->structure.recurrent;
    s->p = *whole;
    s->grouping = *groups;
    if (s->n == whole->factor[0].rows) { /* no state was left out: numbers stay as they are */
        swq_free(s->ctx, s->structure.class_state);
        s->structure.class_state = NULL;
        return SWQ_OK;
    }
    return swq_product_packed(whole) ? cut_packed(s, whole, groups)
                                     : cut_transient(s, whole, groups);
}

/* The number in the whole chain of recurrent state k. */
static int64_t state_of(const product_solving *s, int64_t k)
{
    return s->structure.class_state ? s->structure.class_state[k] : k;
}

static swq_status furnish(product_solving *s)
{
    size_t n = (size_t)s->n;

    s->y = swq_calloc(s->ctx, n, sizeof *s->y);
    s->w = swq_calloc(s->ctx, n, sizeof *s->w);
    if (!s->y || !s->w)
        return swq_memory_status(s->ctx);
    return swq_operator_init(s->ctx, &s->p, 0, &s->op);
}

/* Choose a frequent state as root, and a first guess of the visits to all states. */
static void choose_root(product_solving *s)
{
    double *x = s->op.level[0], *image = s->op.level[s->p.factors];

    for (int64_t i = 0; i < s->n; i++)
        x[i] = 1 / (double)s->n;
    for (int k = 0; k < ROOT_STEPS; k++) {
        swq_operator_spread(&s->op, NULL);
        for (int64_t i = 0; i < s->n; i++)
            /* the mean of two steps, since a periodic chain would never settle */
            x[i] = 0.5 * (x[i] + image[i]);
    }
    for (int64_t i = 1; i < s->n; i++)
        s->root = x[i] > x[s->root] ? i : s->root;
    for (int64_t i = 0; i < s->n; i++)
        s->y[i] = x[i] / x[s->root];
    s->op.root = s->root;
}

static swq_status make_grids(product_solving *s)
{
    swq_multilevel_free(s->ctx, s->grids);
    s->grids = NULL;
    swq_status status = swq_multilevel_new_on(
        s->ctx, &s->op, s->grouping.depth ? &s->grouping : NULL, s->relaxation, &s->grids);
    if (status)
        return status;
    s->fine = swq_multilevel_lend(s->grids, 0);
    s->fine_image = swq_multilevel_lend(s->grids, 1);
    s->w_image = swq_multilevel_lend(s->grids, 2);
    return SWQ_OK;
}

/* Every bound grows with the length of the cycles between visits to the root: solve roughly, and
 * take the state that turns out to be the most frequent. */
static swq_status settle_root(product_solving *s, int64_t *steps)
{
    double change;
    swq_status status = make_grids(s);

    for (int round = 0; round < ROUGH_ROUNDS && !status; round++) {
        int64_t best = s->root;
        status =
            swq_multilevel_solve(s->ctx, s->grids, NULL, s->y, ROUGH_CHANGE, 200, &change, steps);
        for (int64_t i = 0; i < s->n; i++)
            best = s->y[i] > s->y[best] ? i : best;
        if (status == SWQ_ECONVERGE)
            status = SWQ_OK; /* a rough solution is enough to find the root */
        if (status || s->y[best] < RARE_ROOT * s->y[s->root])
            break;
        double at_root = s->y[best];
        for (int64_t i = 0; i < s->n; i++)
            s->y[i] /= at_root;
        s->root = s->op.root = best;
        status = make_grids(s);
    }
    return status;
}

/* Find a companion of y that is good enough for a bound. The companion is kept for the next
 * round. */
static swq_status find_companion(product_solving *s, int64_t most, int64_t *steps)
{
    double total = 0, change, tolerance = 1e-3;
    swq_status status = SWQ_OK;

    for (int64_t i = 0; i < s->n; i++)
        total += s->y[i];
    for (int64_t i = 0; i < s->n && s->w[0] == 0; i++)
        s->w[i] = s->y[i] * total;
    for (int round = 0; round < 4 && !status; round++, tolerance *= 0.03) {
        double unexplained = 0;
        status =
            swq_multilevel_solve(s->ctx, s->grids, s->y, s->w, tolerance, most, &change, steps);
        for (int64_t i = 0; i < s->n; i++)
            s->fine[i] = s->w[i];
        swq_operator_image(&s->op, false, s->fine, s->w_image);
        for (int64_t i = 0; i < s->n; i++)
            unexplained = fmax(unexplained, 1 - (double)((s->fine[i] - s->w_image[i]) / s->y[i]));
        if (unexplained < ROUGH_COMPANION)
            break;
    }
    return status;
}

/* Steps of the iteration in long double, from fine on. fine_image receives fine Q + e; returns the
 * bound on its rounding. */
static double refine(product_solving *s)
{
    double gamma = 0;

    for (int k = 0; k < FINE_STEPS; k++) {
        gamma = swq_operator_image(&s->op, true, s->fine, s->fine_image);
        if (k + 1 < FINE_STEPS)
            memcpy(s->fine, s->fine_image, sizeof *s->fine * (size_t)s->n);
    }
    return gamma;
}

/* The largest relative residual of fine. */
static double fine_residual(const product_solving *s)
{
    long double worst = 0;

    for (int64_t i = 0; i < s->n; i++)
        worst = fmaxl(worst, fabsl(s->fine_image[i] / s->fine[i] - 1));
    return (double)worst;
}

/* The bound on the relative error of every entry of pi = y / sum y. A few steps in long double
 * remove from y the rounding errors of the steps in double; the remaining error changes slowly and
 * has a small residual. If this is not enough for a bound of `wanted`, more steps in long double
 * follow while they help: the chain of the groups, which is solved in double, may have left an
 * error in y that its rounding brings back in every cycle. */
static swq_status prove(product_solving *s, double wanted, int64_t most, int64_t *steps)
{
    swq_status status = find_companion(s, most, steps);

    for (int64_t i = 0; i < s->n; i++)
        s->fine[i] = s->y[i];
    double gamma = refine(s), worst = fine_residual(s);
    for (int64_t i = 0; i < s->n; i++)
        s->y[i] = (double)s->fine[i];
    s->pi_error = INFINITY;
    /* a companion that has not converged may still give a bound */
    if (status && status != SWQ_ECONVERGE)
        return status;
    double e = swq_enclosure_companion(s->n, s->y, s->w, s->w_image, gamma);
    const bool more = wanted > 0; /* else only the tolerance counts */
    for (int k = 0; more && k < MORE_ROUNDS && e * worst > wanted && worst > gamma; k++) {
        const double last = worst;
        if (swq_context_cancelled(s->ctx))
            return swq_fail(s->ctx, SWQ_ECANCELLED, "cancelled during the proof");
        gamma = refine(s);
        worst = fine_residual(s);
        for (int64_t i = 0; i < s->n; i++)
            s->y[i] = (double)s->fine[i];
        e = swq_enclosure_companion(s->n, s->y, s->w, s->w_image, gamma);
        if (worst > MORE_GAIN * last)
            break;
    }
    const double d = e * (worst + gamma);
    /* y, the quotient and each term of the sum are rounded to double; the sum itself is long */
    const double rounded = (3 + SUMMING * (double)s->n) * SWQ_ROUNDING;
    s->pi_error = d < 0.5 ? 2 * d / (1 - d) + rounded : INFINITY;
    return SWQ_OK;
}

/* The relative residual of the answer, including the root's own entry, which y = e + y Q sets to
 * one. */
static double residual(product_solving *s)
{
    const double *image = s->op.level[s->p.factors];
    double worst = 0;

    memcpy(s->op.level[0], s->y, sizeof *s->y * (size_t)s->n);
    swq_operator_spread(&s->op, NULL);
    for (int64_t i = 0; i < s->n; i++)
        worst = fmax(worst, fabs(image[i] - s->y[i]) / s->y[i]);
    return worst;
}

/* Iterate and prove in turn until the bound is as small as requested, or no longer decreases. */
static swq_status iterate(product_solving *s, const swq_solver *solver,
                          const swq_solver_options *options, int64_t *steps)
{
    swq_iteration it = {.p = &s->p,
                        .root = s->root,
                        .grids = s->grids,
                        .y = s->y,
                        .tolerance = fmax(options->enclosure * 1e-4, options->tolerance),
                        .most = options->max_iterations,
                        .done = *steps};
    swq_status status = swq_solver_has_room(s->ctx, solver);
    double last = INFINITY;

    if (status)
        return status;
    for (int round = 0; round < ROUNDS && !status; round++) {
        status = solver->iterate(s->ctx, &it);
        if (status && status != SWQ_ECONVERGE)
            return status;
        swq_status proof = prove(s, 0.1 * options->enclosure, options->max_iterations, &it.done);
        *steps = it.done;
        if (proof && proof != SWQ_ECONVERGE)
            return proof;
        if (s->pi_error <= 0.5 * options->enclosure || it.tolerance <= options->tolerance ||
            s->pi_error > 0.7 * last)
            break;
        last = s->pi_error;
        it.tolerance =
            fmax(it.tolerance * 0.2 * options->enclosure / s->pi_error, options->tolerance);
    }
    if (status) /* several rows of the table of methods share this code: the message names the
                   method */
        swq_fail(s->ctx, status, "%s did not reach a change of %g in %lld steps", solver->name,
                 it.tolerance, (long long)options->max_iterations);
    return status;
}

static void weigh(const product_solving *s, const double *const *reward, int rewards,
                  swq_solution *out)
{
    for (int r = 0; r < rewards; r++) {
        long double sum = 0;
        double most = 0;
        assert(out->pi);
        for (int64_t k = 0; k < s->n; k++) {
            int64_t state = state_of(s, k);
            sum += (long double)out->pi[state] * reward[r][state];
            most = fmax(most, reward[r][state]);
        }
        /* rewards have the roundings of the factors, and of the sums that they are */
        double given = (s->p.roundings + REWARD_ROUNDINGS) * SWQ_ROUNDING;
        double d = s->pi_error + 2 * given + (double)s->n * 0x1p-60;
        assert(out->mean);
        out->mean[r] = (swq_mean){(double)sum, 0, most * (1 + 2 * given)};
        if (d < 1) {
            out->mean[r].lower = (double)sum * (1 - d);
            out->mean[r].upper = fmin(out->mean[r].upper, (double)sum * (1 + d));
        }
        if (most > 0) /* else exactly zero */
            swq_mean_widen((double)s->n + 8, &out->mean[r]);
    }
}

/* Fill pi over all states. If all states are recurrent, the array of y becomes pi. */
static void fill_pi(product_solving *s, double **pi)
{
    long double sum = 0;

    for (int64_t k = 0; k < s->n; k++)
        sum += s->y[k];
    if (!s->structure.class_state) {
        *pi = s->y;
        s->y = NULL;
    }
    const double *y = s->y ? s->y : *pi;
    assert(y && *pi);
    for (int64_t k = 0; k < s->n; k++)
        (*pi)[state_of(s, k)] = (double)(y[k] / sum);
}

static swq_status solve_factors(swq_context *ctx, const swq_product *p,
                                const swq_grouping *grouping, const swq_solver *solver,
                                const swq_solver_options *options, const double *const *reward,
                                int rewards, swq_solution *solution)
{
    product_solving s = {.ctx = ctx, .relaxation = solver->relaxation};
    swq_solution out = {.states = p->factor[0].rows, .solver = solver};
    const swq_grouping none = {0};
    clock_t began = clock();
    swq_status status = find_structure(&s, p, grouping ? grouping : &none);

    if (!status)
        status = furnish(&s);
    if (!status) {
        choose_root(&s);
        status = settle_root(&s, &out.iterations);
    }
    const bool apart = !status && s.structure.class_state;
    out.pi = apart ? swq_calloc(ctx, (size_t)out.states, sizeof *out.pi) : NULL;
    out.mean = status ? NULL : swq_calloc(ctx, (size_t)rewards + 1, sizeof *out.mean);
    if (!status && ((apart && !out.pi) || !out.mean))
        status = swq_memory_status(ctx);
    if (!status)
        status = iterate(&s, solver, options, &out.iterations);
    if (!status || status == SWQ_ECONVERGE) {
        out.converged = !status;
        out.pi_error = s.pi_error;
        out.residual = residual(&s);
        out.root = state_of(&s, s.root);
        out.transient = out.states - s.n;
        out.period = s.structure.period;
        fill_pi(&s, &out.pi);
        weigh(&s, reward, rewards, &out);
        out.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        *solution = out;
        out = (swq_solution){0};
    }
    swq_solution_clear(ctx, &out);
    clear(&s);
    return status;
}

/* A method that sweeps over entries: multiply out, and keep the groups of the states. */
static swq_status solve_entries(swq_context *ctx, const swq_product *p,
                                const swq_grouping *grouping, const swq_solver *solver,
                                const swq_solver_options *options, const double *const *reward,
                                int rewards, swq_solution *solution)
{
    swq_csr m = {0};
    int64_t roundings = 0;
    swq_grouping states = {.depth = grouping ? grouping->depth : 0, .levels = 1};
    size_t arrays = (size_t)states.depth + 1;

    if (p->factors == 1)
        return solve_factors(ctx, p, grouping, solver, options, reward, rewards, solution);
    states.of = swq_calloc(ctx, arrays, sizeof *states.of);
    states.groups = swq_calloc(ctx, arrays, sizeof *states.groups);
    swq_status status = states.of && states.groups ? SWQ_OK : swq_memory_status(ctx);
    for (int d = 0; d < states.depth && !status; d++) {
        states.of[d] = grouping->of[d * grouping->levels];
        states.groups[d] = grouping->groups[d * grouping->levels];
    }
    if (!status)
        status = swq_product_multiply(ctx, p, &m, &roundings);
    if (!status)
        status = solve_factors(ctx, &(swq_product){1, &m, (double)roundings, false}, &states,
                               solver, options, reward, rewards, solution);
    if (!status || status == SWQ_ECONVERGE)
        solution->transitions = swq_csr_nnz(&m);
    swq_csr_clear(ctx, &m);
    swq_free(ctx, states.of); /* the arrays themselves are the caller's */
    swq_free(ctx, states.groups);
    return status;
}

swq_status swq_solve_factors(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                             const swq_solver *solver, const swq_solver_options *options,
                             const double *const *reward, int rewards, swq_solution *solution)
{
    return (solver->relaxation > 0 ? solve_entries : solve_factors)(
        ctx, p, grouping, solver, options, reward, rewards, solution);
}
