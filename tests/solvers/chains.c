/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See chains.h.
 */
#include "tests/solvers/chains.h"

enum { MOST = 64 };

test_graph test_graph_new(int64_t n)
{
    return (test_graph){.n = n};
}

void test_graph_add(test_graph *g, int64_t from, int64_t to, double weight)
{
    if (g->edges == g->room) {
        g->room = g->room ? 2 * g->room : 64;
        g->edge = realloc(g->edge, g->room * sizeof *g->edge);
        cr_assert_not_null(g->edge);
    }
    g->edge[g->edges++] = (test_edge){from, to, weight};
}

void test_graph_free(test_graph *g)
{
    free(g->edge);
    *g = (test_graph){0};
}

test_graph test_graph_dense(int64_t n, const double *weight)
{
    test_graph g = test_graph_new(n);

    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            if (weight[i * n + j] > 0)
                test_graph_add(&g, i, j, weight[i * n + j]);
        }
    }
    return g;
}

test_graph test_graph_birth_death(int64_t n, double up, double down, double whole)
{
    test_graph g = test_graph_new(n);

    for (int64_t i = 0; i < n; i++) {
        double rest = whole - (i > 0 ? down : 0) - (i < n - 1 ? up : 0);
        if (i > 0)
            test_graph_add(&g, i, i - 1, down);
        if (rest > 0)
            test_graph_add(&g, i, i, rest);
        if (i < n - 1)
            test_graph_add(&g, i, i + 1, up);
    }
    return g;
}

test_graph test_graph_random(gsl_rng *rng, int64_t n, double extra, double spread)
{
    test_graph g = test_graph_new(n);
    bool *there = calloc((size_t)(n * n), sizeof *there);
    int64_t *order = calloc((size_t)n, sizeof *order);

    cr_assert(there && order);
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (int64_t i = 0; i < n; i++)
        there[order[i] * n + order[(i + 1) % n]] = true;
    for (int64_t e = 0; e < (int64_t)(extra * (double)n); e++)
        there[gsl_rng_uniform_int(rng, (unsigned long)(n * n))] = true;
    for (int64_t e = 0; e < n * n; e++) {
        if (there[e])
            test_graph_add(&g, e / n, e % n, floor(pow(spread, gsl_rng_uniform(rng))));
    }
    free(there);
    free(order);
    return g;
}

static int by_place(const void *a, const void *b)
{
    const test_edge *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

swq_csr test_graph_matrix(const test_graph *g)
{
    swq_csr p = {.rows = g->n, .cols = g->n};
    test_edge *edge = malloc(g->edges * sizeof *edge);
    long double *sum = calloc((size_t)g->n, sizeof *sum);

    p.start = calloc((size_t)g->n + 1, sizeof *p.start);
    p.col = calloc(g->edges, sizeof *p.col);
    p.value = calloc(g->edges, sizeof *p.value);
    cr_assert(edge && sum && p.start && p.col && p.value);
    memcpy(edge, g->edge, g->edges * sizeof *edge);
    qsort(edge, g->edges, sizeof *edge, by_place);
    for (size_t e = 0; e < g->edges; e++) {
        sum[edge[e].from] += edge[e].weight;
        p.start[edge[e].from + 1]++;
    }
    for (int64_t i = 0; i < g->n; i++)
        p.start[i + 1] += p.start[i];
    for (size_t e = 0; e < g->edges; e++) {
        p.col[e] = (int32_t)edge[e].to;
        p.value[e] = (double)(edge[e].weight / sum[edge[e].from]);
    }
    free(edge);
    free(sum);
    return p;
}

void test_matrix_free(swq_csr *p)
{
    free(p->start);
    free(p->col);
    free(p->value);
    *p = (swq_csr){0};
}

void test_graph_stationary(const test_graph *g, int64_t root, long double *pi)
{
    static long double a[MOST][MOST];
    long double sum[MOST] = {0}, total = 1;
    int64_t n = g->n;

    /* the root is renumbered 0; the others keep their order */
    cr_assert(n <= MOST);
    memset(a, 0, sizeof a);
    for (size_t e = 0; e < g->edges; e++)
        sum[g->edge[e].from] += g->edge[e].weight;
    for (size_t e = 0; e < g->edges; e++) {
        int64_t i = g->edge[e].from, j = g->edge[e].to;
        int64_t row = i == root ? 0 : i < root ? i + 1 : i;
        int64_t col = j == root ? 0 : j < root ? j + 1 : j;
        a[row][col] = g->edge[e].weight / sum[i];
    }
    for (int64_t k = n - 1; k > 0; k--) {
        long double leave = 0;
        for (int64_t j = 0; j < k; j++)
            leave += a[k][j];
        for (int64_t i = 0; i < k; i++) {
            a[i][k] /= leave;
            for (int64_t j = 0; j < k; j++)
                a[i][j] += a[i][k] * a[k][j];
        }
    }
    long double y[MOST] = {1};
    for (int64_t k = 1; k < n; k++) {
        for (int64_t i = 0; i < k; i++)
            y[k] += y[i] * a[i][k];
        total += y[k];
    }
    for (int64_t s = 0; s < n; s++)
        pi[s] = y[s == root ? 0 : s < root ? s + 1 : s] / total;
}

void test_graph_system(const test_graph *g, int64_t root, bool visits, const double *b,
                       long double *x)
{
    static long double a[MOST][MOST + 1];
    long double sum[MOST] = {0};
    int64_t n = g->n;

    cr_assert(n <= MOST);
    memset(a, 0, sizeof a);
    for (size_t e = 0; e < g->edges; e++)
        sum[g->edge[e].from] += g->edge[e].weight;
    for (int64_t i = 0; i < n; i++) {
        a[i][i] = 1;
        a[i][n] = b[i];
    }
    for (size_t e = 0; e < g->edges; e++) {
        int64_t i = g->edge[e].from, j = g->edge[e].to;
        if (j != root)
            a[visits ? j : i][visits ? i : j] -= g->edge[e].weight / sum[i];
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++)
            best = fabsl(a[i][k]) > fabsl(a[best][k]) ? i : best;
        for (int64_t j = k; j <= n; j++) {
            long double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        for (int64_t i = 0; i < n; i++) {
            long double f = i == k ? 0 : a[i][k] / a[k][k];
            for (int64_t j = k; f != 0 && j <= n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int64_t i = 0; i < n; i++)
        x[i] = a[i][n] / a[i][i];
}

int64_t test_graph_period(const test_graph *g)
{
    bool step[MOST][MOST] = {{false}}, here[MOST] = {true};
    int64_t divisor = 0;

    cr_assert(g->n <= MOST);
    for (size_t e = 0; e < g->edges; e++)
        step[g->edge[e].from][g->edge[e].to] = true;
    /* returns of every length up to 3 n: to a cycle and back, with and without going around it */
    for (int64_t length = 1; length <= 3 * g->n; length++) {
        bool next[MOST] = {false};
        for (int64_t i = 0; i < g->n; i++) {
            for (int64_t j = 0; here[i] && j < g->n; j++)
                next[j] = next[j] || step[i][j];
        }
        memcpy(here, next, sizeof here);
        if (!here[0])
            continue;
        int64_t a = length;
        while (a) {
            int64_t rest = divisor % a;
            divisor = a;
            a = rest;
        }
    }
    return divisor;
}

double test_residual(const swq_csr *p, const double *pi)
{
    double worst = 0;

    for (int64_t j = 0; j < p->rows; j++) {
        double image = 0;
        for (int64_t i = 0; i < p->rows; i++) {
            for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
                image += p->col[e] == j ? pi[i] * p->value[e] : 0;
        }
        if (pi[j] != 0 || image != 0)
            worst = fmax(worst, fabs(image - pi[j]) / fabs(pi[j]));
    }
    return worst;
}

swq_status test_solve_matrix(swq_context *ctx, const swq_csr *p, const char *solver,
                             const double *const *reward, int rewards, swq_solution *solution)
{
    const swq_solver *row;
    swq_solver_options options = swq_solver_options_defaults();

    cr_assert_eq(swq_solver_find(ctx, solver, &row), SWQ_OK, "%s", swq_context_message(ctx));
    return swq_solve(ctx, p, 1, row, &options, reward, rewards, solution);
}

void assert_claims_hold(const swq_solution *s, const long double *pi, const double *const *reward,
                        int rewards, const char *what)
{
    const long double own = 1e-17L; /* the reference's own rounding, far below a double's */

    for (int64_t i = 0; i < s->states && isfinite(s->pi_error); i++) {
        long double off = fabsl(s->pi[i] - pi[i]);
        cr_assert(off <= (s->pi_error + own) * pi[i],
                  "%s, %s: pi[%lld] = %.17g, exactly %.20Lg, said to be within %g", what,
                  s->solver->name, (long long)i, s->pi[i], pi[i], s->pi_error);
    }
    for (int k = 0; k < rewards; k++) {
        long double mean = 0;
        for (int64_t i = 0; i < s->states; i++)
            mean += pi[i] * reward[k][i];
        cr_assert(s->mean[k].lower <= mean * (1 + own) && mean * (1 - own) <= s->mean[k].upper,
                  "%s, %s: mean %d is %.20Lg, said to be in %.17g .. %.17g", what, s->solver->name,
                  k, mean, s->mean[k].lower, s->mean[k].upper);
    }
}

void assert_pi(const swq_solution *s, const long double *pi, double tolerance, const char *what)
{
    for (int64_t i = 0; i < s->states; i++)
        cr_assert(fabsl(s->pi[i] - pi[i]) <= tolerance * pi[i],
                  "%s, %s: pi[%lld] = %.17g, exactly %.20Lg", what, s->solver->name, (long long)i,
                  s->pi[i], pi[i]);
}

bool test_keeps_small_entries(const swq_solver *solver)
{
    return strcmp(solver->name, "lu") != 0 && strcmp(solver->name, "umfpack") != 0 &&
           strcmp(solver->name, "arnoldi") != 0;
}
