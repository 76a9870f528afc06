/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a transition matrix to a stationary vector and enclosed mean rewards: find the structure,
 * keep the recurrent states, choose a root, solve, and bound the error.
 */
#include "base/context.h"
#include "solvers/enclosure.h"
#include "solvers/solvers.h"
#include "solvers/ways.h"
#include "solvers/width.h"

#include <math.h>
#include <string.h>

enum {
    ROOT_STEPS = 24,          /* steps of the chain that roughly show its frequent states */
    ROOT_STEPS_NEEDED = 4000, /* steps for methods that fail with a rare root */
    ROOT_RARITY =
        50 /* a root that is rarer than the most frequent state by this factor is replaced */
};

/* If the bound on pi is worse than this, a second elimination from a better root is worthwhile. */
#define WIDE_BOUND 1e-10

/* A solution in progress, on the recurrent states only. */
typedef struct {
    swq_context *ctx;
    const swq_csr *p; /* the given matrix, or `part` */
    swq_csr part;
    swq_structure structure;
    const swq_solver *solver;
    void *work;
    int64_t n, root;
    double gamma_rows, gamma_columns;   /* relative error of one evaluation of Q x, of y Q */
    double *visits, *cycles, *cycles_w; /* [n] y, t and t's companion */
    bool *zero;                         /* [n] the reward from here to the root is exactly zero */
    double *scratch[4];                 /* [n] each */
    double *block;                      /* the block that contains these arrays */
    double cycles_error;                /* relative error of t at the root */
} solving;

static void clear(solving *s)
{
    if (s->work)
        s->solver->release(s->ctx, s->work);
    swq_csr_clear(s->ctx, &s->part);
    swq_structure_clear(s->ctx, &s->structure);
    swq_free(s->ctx, s->block);
    swq_free(s->ctx, s->zero);
}

/* The rows and columns of the closed class; nothing leaves it, so whole rows are kept. */
static swq_status restrict_to_class(solving *s, const swq_csr *p)
{
    s->n = s->structure.recurrent;
    s->p = p;
    if (s->n == p->rows)
        return SWQ_OK;
    int64_t entries = 0;
    for (int64_t k = 0; k < s->n; k++)
        entries +=
            p->start[s->structure.class_state[k] + 1] - p->start[s->structure.class_state[k]];
    int64_t *renumbered = swq_calloc(s->ctx, (size_t)p->rows, sizeof *renumbered);
    swq_csr *m = &s->part;
    m->rows = m->cols = s->n;
    m->start = swq_calloc(s->ctx, (size_t)s->n + 1, sizeof *m->start);
    m->col = swq_calloc(s->ctx, (size_t)entries, sizeof *m->col);
    m->value = swq_calloc(s->ctx, (size_t)entries, sizeof *m->value);
    if (!renumbered || !m->start || !m->col || !m->value) {
        swq_free(s->ctx, renumbered);
        return swq_memory_status(s->ctx);
    }
    for (int64_t k = 0; k < s->n; k++)
        renumbered[s->structure.class_state[k]] = k;
    int64_t at = 0;
    for (int64_t k = 0; k < s->n; k++) {
        int64_t state = s->structure.class_state[k];
        for (int64_t e = p->start[state]; e < p->start[state + 1]; e++) {
            m->col[at] = (int32_t)renumbered[p->col[e]];
            m->value[at++] = p->value[e];
        }
        m->start[k + 1] = at;
    }
    swq_free(s->ctx, renumbered);
    s->p = m;
    return SWQ_OK;
}

/* Any recurrent state can be the root; a frequent one keeps cycles short and bounds tight. */
static void choose_root(solving *s)
{
    double *pi = s->scratch[0], *next = s->scratch[1];

    for (int64_t i = 0; i < s->n; i++)
        pi[i] = 1 / (double)s->n;
    double change = 1;
    int steps = s->solver->any_root ? ROOT_STEPS : ROOT_STEPS_NEEDED;
    for (int k = 0; k < steps && change > 1e-4; k++) {
        swq_csr_vector_times(pi, s->p, next);
        change = 0;
        for (int64_t i = 0; i < s->n; i++)
            change += fabs(next[i] - pi[i]);
        memcpy(pi, next, sizeof *pi * (size_t)s->n);
    }
    s->root = 0;
    for (int64_t i = 1; i < s->n; i++)
        s->root = pi[i] > pi[s->root] ? i : s->root;
}

/* A sum of k products has at most k relative roundings, and each coefficient has `roundings`. */
static void bound_evaluation(solving *s, int64_t roundings)
{
    double *count = s->scratch[0];
    double rows = 0, columns = 0;

    memset(count, 0, sizeof *count * (size_t)s->n);
    for (int64_t i = 0; i < s->n; i++) {
        rows = fmax(rows, (double)(s->p->start[i + 1] - s->p->start[i]));
        for (int64_t e = s->p->start[i]; e < s->p->start[i + 1]; e++)
            count[s->p->col[e]]++;
    }
    for (int64_t i = 0; i < s->n; i++)
        columns = fmax(columns, count[i]);
    s->gamma_rows = ((double)roundings + rows + 3) * SWQ_ROUNDING;
    s->gamma_columns = ((double)roundings + columns + 3) * SWQ_ROUNDING;
}

/* image = b + Q x, with b == NULL for zero */
static void apply_rows(const solving *s, const double *b, double *x, double *image)
{
    double at_root = x[s->root];

    x[s->root] = 0;
    swq_csr_times_vector(s->p, x, image);
    x[s->root] = at_root;
    for (int64_t i = 0; b && i < s->n; i++)
        image[i] += b[i];
}

/* image = y Q, plus the root's unit vector if `start` */
static void apply_columns(const solving *s, bool start, const double *y, double *image)
{
    swq_csr_vector_times(y, s->p, image);
    image[s->root] = start ? 1 : 0;
}

/* Mark where x is exactly zero: there is no reward, and every transition leads to the root or to a
 * state where x is also zero. If this fails anywhere, zeros are underflow, and none is marked. */
static void mark_zeros(solving *s, const double *b, const double *x)
{
    bool sound = true;

    for (int64_t i = 0; i < s->n; i++) {
        s->zero[i] = x[i] == 0;
        sound = sound && !(s->zero[i] && b[i] != 0);
        for (int64_t e = s->p->start[i]; s->zero[i] && e < s->p->start[i + 1]; e++)
            sound = sound && (s->p->col[e] == s->root || x[s->p->col[e]] == 0);
    }
    for (int64_t i = 0; !sound && i < s->n; i++)
        s->zero[i] = false;
}

/* Solve x = b + Q x and then w = x + Q w, and bound the relative error of x at the root with both
 * residuals. */
static swq_status bounded_rewards(solving *s, const double *b, double *x, double *w, double *error)
{
    swq_status status = s->solver->rewards(s->ctx, s->work, b, x);
    if (!status)
        status = s->solver->rewards(s->ctx, s->work, x, w);
    if (status)
        return status;
    apply_rows(s, b, x, s->scratch[2]);
    apply_rows(s, NULL, w, s->scratch[3]);
    mark_zeros(s, b, x);
    *error = swq_enclosure_relative(s->n, s->zero, x, s->scratch[2], w, s->scratch[3],
                                    s->gamma_rows, s->root);
    return SWQ_OK;
}

static swq_status solve_visits(solving *s)
{
    double *unit = s->scratch[0];

    if (s->solver->stationary) {
        swq_status status = s->solver->stationary(s->ctx, s->work, s->visits);
        double at_root = s->visits[s->root];
        for (int64_t i = 0; i < s->n; i++)
            s->visits[i] /= at_root;
        return status;
    }
    memset(unit, 0, sizeof *unit * (size_t)s->n);
    unit[s->root] = 1;
    return s->solver->visits(s->ctx, s->work, unit, s->visits);
}

/* The bound on every entry of pi = y / sum y, from the bound on every entry of y. */
static swq_status bound_visits(solving *s, double *pi_error)
{
    double *w = s->scratch[0];
    swq_status status = s->solver->visits(s->ctx, s->work, s->visits, w);
    if (status)
        return status;
    apply_columns(s, true, s->visits, s->scratch[2]);
    apply_columns(s, false, w, s->scratch[3]);
    /* every state of the class is visited: a zero could only be underflow */
    double e = swq_enclosure_relative(s->n, NULL, s->visits, s->scratch[2], w, s->scratch[3],
                                      s->gamma_columns, -1);
    double summing = (double)s->n * SWQ_ROUNDING;
    *pi_error = e < 0.5 ? 2 * e / (1 - e) + 2 * summing : INFINITY;
    return SWQ_OK;
}

/* The first steps of the chain may be misleading about its frequent states. Every bound grows with
 * the length of the cycles between visits to the root, so a rare root is replaced by a frequent
 * state. */
static swq_status move_root(solving *s, const swq_solver_options *options, bool *moved)
{
    int64_t best = s->root;

    *moved = false;

    for (int64_t i = 0; i < s->n; i++)
        best = s->visits[i] > s->visits[best] ? i : best;
    if (s->visits[best] <= ROOT_RARITY * s->visits[s->root])
        return SWQ_OK;
    *moved = true;
    s->solver->release(s->ctx, s->work);
    s->work = NULL;
    s->root = best;
    swq_status status = s->solver->prepare(s->ctx, s->p, s->root, options, &s->work);
    if (status || !s->solver->stationary)
        return status ? status : solve_visits(s);
    double at_root = s->visits[s->root];
    for (int64_t i = 0; i < s->n; i++)
        s->visits[i] /= at_root;
    return SWQ_OK;
}

/* Compute pi and its bound. A method that needs a frequent root gets one first; the others only if
 * the bound is wide. */
static swq_status solve_and_bound(solving *s, const swq_solver_options *options, bool *converged,
                                  double *pi_error)
{
    bool moved = false;
    swq_status status = solve_visits(s);

    if (!status && !s->solver->any_root)
        status = move_root(s, options, &moved);
    *converged = !status;
    if (!status)
        status = bound_visits(s, pi_error);
    if (status || !s->solver->any_root || *pi_error < WIDE_BOUND)
        return status;
    status = move_root(s, options, &moved);
    return status || !moved ? status : bound_visits(s, pi_error);
}

static double residual(solving *s, const double *pi)
{
    double *image = s->scratch[0], worst = 0;

    swq_csr_vector_times(pi, s->p, image);
    for (int64_t i = 0; i < s->n; i++) {
        if (pi[i] != 0 || image[i] != 0)
            worst = fmax(worst, fabs(image[i] - pi[i]) / fabs(pi[i]));
    }
    return worst;
}

/* Enclose the mean of one reward, given on the states of the whole chain. */
static swq_status enclose(solving *s, const double *reward, int64_t roundings,
                          const swq_solution *solution, swq_mean *mean)
{
    double *c = s->scratch[0], *v = s->scratch[1], *w = s->cycles_w;
    double sum = 0, most = 0, error = 0;

    for (int64_t k = 0; k < s->n; k++) {
        int64_t state = s->structure.class_state[k];
        c[k] = reward[state];
        most = fmax(most, c[k]);
        sum += solution->pi[state] * c[k];
    }
    double given = (double)roundings * SWQ_ROUNDING; /* error of the rewards themselves */
    *mean = (swq_mean){.value = sum, .lower = 0, .upper = most * (1 + 2 * given)};
    if (most == 0)
        return SWQ_OK; /* no reward in any recurrent state: exactly zero */
    if (solution->pi_error < 1) {
        double d = solution->pi_error + (double)(roundings + s->n) * SWQ_ROUNDING;
        mean->lower = fmax(mean->lower, sum * (1 - d));
        mean->upper = fmin(mean->upper, sum * (1 + d));
    }
    swq_mean_widen((double)s->n + 8, mean); /* products may be denormal */
    swq_status status = bounded_rewards(s, c, v, w, &error);
    if (status && status != SWQ_ECONVERGE) /* without convergence, the bounds above must suffice */
        return status;
    if (!status && error < 1 && s->cycles_error < 1) {
        double ratio = v[s->root] / s->cycles[s->root];
        swq_mean by_cycles = {ratio,
                              ratio * (1 - error) / (1 + s->cycles_error) * (1 - 4 * SWQ_ROUNDING),
                              ratio * (1 + error) / (1 - s->cycles_error) * (1 + 4 * SWQ_ROUNDING)};
        swq_mean_widen(8, &by_cycles);
        mean->lower = fmax(mean->lower, by_cycles.lower);
        mean->upper = fmin(mean->upper, by_cycles.upper);
    }
    return SWQ_OK;
}

static swq_status start(solving *s, const swq_csr *p, int64_t roundings,
                        const swq_solver_options *options)
{
    swq_status status = swq_structure_find(s->ctx, p, &s->structure);
    if (status)
        return status;
    if (s->structure.closed_classes > 1)
        return swq_fail(s->ctx, SWQ_EREDUCIBLE,
                        "the chain is reducible: %lld closed classes of states, so its long run "
                        "depends on chance and there is no single stationary distribution",
                        (long long)s->structure.closed_classes);
    status = restrict_to_class(s, p);
    if (status)
        return status;
    if (s->solver->stationary && s->structure.period > 1)
        return swq_fail(s->ctx, SWQ_EPERIODIC,
                        "the chain has period %lld and power iteration does not converge on it; "
                        "use another solver",
                        (long long)s->structure.period);
    s->block = swq_calloc(s->ctx, (size_t)s->n, 7 * sizeof *s->block);
    s->zero = swq_calloc(s->ctx, (size_t)s->n, sizeof *s->zero);
    if (!s->block || !s->zero)
        return swq_memory_status(s->ctx);
    s->visits = s->block;
    s->cycles = s->block + s->n;
    s->cycles_w = s->block + 2 * s->n;
    for (int k = 0; k < 4; k++)
        s->scratch[k] = s->block + (3 + k) * s->n;
    choose_root(s);
    bound_evaluation(s, roundings);
    return s->solver->prepare(s->ctx, s->p, s->root, options, &s->work);
}

/* Scale the visits to the recurrent states to probabilities, with 0 for all transient states. */
static void fill_pi(solving *s, swq_solution *out)
{
    double sum = 0;

    for (int64_t k = 0; k < s->n; k++)
        sum += s->visits[k];
    for (int64_t k = 0; k < s->n; k++)
        s->visits[k] /= sum;
    out->residual = residual(s, s->visits);
    for (int64_t k = 0; k < s->n; k++)
        out->pi[s->structure.class_state[k]] = s->visits[k];
}

/* Everything after pi: error bounds and enclosed rewards. If an iteration does not converge here, a
 * bound is wide, which is not a failure. */
static swq_status judge(solving *s, const double *const *reward, int rewards, int64_t roundings,
                        bool bounded, swq_solution *out)
{
    swq_status status = SWQ_OK;
    double *one = s->scratch[0];

    for (int64_t i = 0; i < s->n; i++)
        one[i] = 1;
    s->cycles_error = INFINITY;
    if (bounded)
        status = bounded_rewards(s, one, s->cycles, s->cycles_w, &s->cycles_error);
    for (int k = 0; k < rewards && (!status || status == SWQ_ECONVERGE); k++)
        status = enclose(s, reward[k], roundings, out, &out->mean[k]);
    return status == SWQ_ECONVERGE ? SWQ_OK : status;
}

swq_status swq_solve_matrix(swq_context *ctx, const swq_csr *p, int64_t roundings,
                            const swq_solver *solver, const swq_solver_options *options,
                            const double *const *reward, int rewards, swq_solution *solution)
{
    swq_solution out = {
        .states = p->rows, .pi_error = INFINITY, .converged = true, .solver = solver};
    solving s = {.ctx = ctx, .solver = solver};
    swq_status status = start(&s, p, roundings, options);

    out.pi = status ? NULL : swq_calloc(ctx, (size_t)p->rows, sizeof *out.pi);
    out.mean = status ? NULL : swq_calloc(ctx, (size_t)rewards + 1, sizeof *out.mean);
    if (!status && (!out.pi || !out.mean))
        status = swq_memory_status(ctx);
    if (!status)
        status = solve_and_bound(&s, options, &out.converged, &out.pi_error);
    if (status && status != SWQ_ECONVERGE)
        goto done;
    fill_pi(&s, &out);
    status = judge(&s, reward, rewards, roundings, out.converged, &out);
    if (status)
        goto done;
    out.iterations = solver->iterations ? solver->iterations(s.work) : 0;
    out.root = s.structure.class_state[s.root];
    out.transient = p->rows - s.n;
    out.period = s.structure.period;
    out.transitions = swq_csr_nnz(p);
    *solution = out;
    out = (swq_solution){0};
    if (!solution->converged)
        status = SWQ_ECONVERGE;
done:
    swq_solution_clear(ctx, &out);
    clear(&s);
    return status;
}
