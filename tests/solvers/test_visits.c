/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems y = b + y Q with any right-hand side, on random chains as one factor and as several,
 * against elimination in long double: the values, and that the bounds hold and are of use.
 */
#include "tests/solvers/chains.h"

TestSuite(visits, .timeout = 240);

enum { MOST = 64 };

typedef struct {
    double b[2][MOST], y[2][MOST], error[MOST];
    long double exact[2][MOST];
} systems;

static swq_status solve(swq_context *ctx, const swq_product *p, const char *solver, int64_t root,
                        systems *s)
{
    const swq_solver *row;
    swq_solver_options options = swq_solver_options_defaults();

    cr_assert_eq(swq_solver_find(ctx, solver, &row), SWQ_OK);
    return swq_solve_visits(ctx, p, NULL, row, &options, root,
                            (const double *const[]){s->b[0], s->b[1]}, 2,
                            (double *const[]){s->y[0], s->y[1]}, s->error);
}

static void check(const systems *s, int64_t n, const char *what)
{
    for (int64_t i = 0; i < n; i++) {
        long double off = fabsl(s->y[0][i] - s->exact[0][i]) + fabsl(s->y[1][i] - s->exact[1][i]);
        long double all = s->exact[0][i] + s->exact[1][i];
        cr_assert(off <= s->error[i], "%s: state %lld is off by %Lg, bound %g", what, (long long)i,
                  off, s->error[i]);
        cr_assert(s->error[i] <= 1e-9L * all, "%s: state %lld: bound %Lg", what, (long long)i,
                  s->error[i] / all);
    }
}

/* Right-hand sides of all magnitudes, including zeros. */
static void fill(gsl_rng *rng, int64_t n, int64_t root, systems *s)
{
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < n; i++) {
            s->b[k][i] = gsl_rng_uniform(rng) < 0.5 ? 0 : pow(10, -8 * gsl_rng_uniform(rng));
            s->y[k][i] = 1;
        }
        s->b[k][root] = 1e-3;
    }
}

static const char *const solvers[] = {"auto",     "gth",          "sparse-gth", "aggregation",
                                      "anderson", "gauss-seidel", "lu"};

Test(visits, random_chains)
{
    swq_context *ctx = swq_context_new();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    char what[80];

    for (int round = 0; round < 40; round++) {
        int64_t n = 2 + round % 30, root = round % n;
        test_graph g = test_graph_random(rng, n, 1 + round % 4, round % 3 ? 10 : 1000);
        swq_csr m = test_graph_matrix(&g);
        swq_product p = {1, &m, 1, false};
        systems *s = calloc(1, sizeof *s);
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
            fill(rng, n, root, s);
            for (int b = 0; b < 2; b++)
                test_graph_system(&g, root, true, s->b[b], s->exact[b]);
            cr_assert_eq(solve(ctx, &p, solvers[k], root, s), SWQ_OK, "%s",
                         swq_context_message(ctx));
            snprintf(what, sizeof what, "round %d %s", round, solvers[k]);
            check(s, n, what);
        }
        free(s);
        test_matrix_free(&m);
        test_graph_free(&g);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    gsl_rng_free(rng);
    swq_context_free(ctx);
}

/* A transient state 0 before a chain of period 2, 1 <-> 2, and further 3 and 4; as one matrix and
 * as two factors, one of which is a permutation. */
Test(visits, transient_states_and_factors)
{
    swq_context *ctx = swq_context_new();
    const double weight[25] = {1, 1, 0, 0, 1, /**/ 0, 0, 3,      1, 0, /**/ 0, 1, 0,
                               0, 1, 0, 1, 0, 0,      1, /**/ 0, 0, 1, 1,      0};
    test_graph g = test_graph_dense(5, weight);
    swq_csr m = test_graph_matrix(&g);
    int64_t turn_start[] = {0, 1, 2, 3, 4, 5};
    int32_t turn_col[] = {4, 0, 1, 2, 3}, moved[25];
    double ones[] = {1, 1, 1, 1, 1};
    swq_csr factor[2] = {{5, 5, turn_start, turn_col, ones, NULL}, m};
    systems *s = calloc(1, sizeof *s);

    /* the rotation takes state i to row i - 1 of the second factor, whose rows are rotated back */
    swq_csr second = {5, 5, calloc(6, sizeof(int64_t)), moved, calloc(25, sizeof(double)), NULL};
    for (int row = 0, at = 0; row < 5; row++) {
        int of = (row + 1) % 5;
        for (int64_t e = m.start[of]; e < m.start[of + 1]; e++, at++) {
            second.col[at] = m.col[e];
            second.value[at] = m.value[e];
        }
        second.start[row + 1] = at;
    }
    factor[1] = second;
    swq_product whole = {1, &m, 1, false}, parts = {2, factor, 1, false};
    for (size_t k = 0; k < 2 * sizeof solvers / sizeof *solvers; k++) {
        for (int b = 0; b < 2; b++) {
            for (int i = 0; i < 5; i++) {
                s->b[b][i] = i == 0 ? 0 : 1.0 / (i + b);
                s->y[b][i] = i > 0;
            }
            test_graph_system(&g, 2, true, s->b[b], s->exact[b]);
        }
        cr_assert_eq(solve(ctx, k % 2 ? &parts : &whole, solvers[k / 2], 2, s), SWQ_OK, "%s",
                     swq_context_message(ctx));
        check(s, 5, solvers[k / 2]);
        cr_assert(s->y[0][0] == 0 && s->error[0] == 0, "%s: transient", solvers[k / 2]);
    }
    free(second.start);
    free(second.value);
    free(s);
    test_matrix_free(&m);
    test_graph_free(&g);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* An iteration cut short still returns its iterate, with a bound that is wide but valid. */
Test(visits, cut_short)
{
    swq_context *ctx = swq_context_new();
    const swq_solver *row;
    swq_solver_options options = swq_solver_options_defaults();
    test_graph g = test_graph_birth_death(60, 9, 10, 20);
    swq_csr m = test_graph_matrix(&g);
    swq_product p = {1, &m, 1, false};
    systems *s = calloc(1, sizeof *s);

    options.max_iterations = 1;
    for (int i = 0; i < 60; i++) {
        s->b[0][i] = 1 + i % 3;
        s->y[0][i] = 1;
    }
    test_graph_system(&g, 0, true, s->b[0], s->exact[0]);
    cr_assert_eq(swq_solver_find(ctx, "aggregation", &row), SWQ_OK);
    cr_assert_eq(swq_solve_visits(ctx, &p, NULL, row, &options, 0, (const double *const[]){s->b[0]},
                                  1, (double *const[]){s->y[0]}, s->error),
                 SWQ_ECONVERGE);
    for (int i = 0; i < 60; i++)
        cr_assert(fabsl(s->y[0][i] - s->exact[0][i]) <= s->error[i]);
    s->b[0][0] = 0;
    s->error[1] = 77;
    cr_assert_eq(swq_solve_visits(ctx, &p, NULL, row, &options, 0, (const double *const[]){s->b[0]},
                                  1, (double *const[]){s->y[0]}, s->error),
                 SWQ_EINVAL);
    cr_assert_eq(s->error[1], 77);
    free(s);
    test_matrix_free(&m);
    test_graph_free(&g);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
