/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The multifrontal elimination against the dense one, entry by entry: shapes that lead to one
 * front, to many small ones, to chains of them and to fronts larger than a block, under any
 * numbering.
 */
#include "tests/solvers/chains.h"

TestSuite(sparse_gth, .timeout = 240);

/* pi, its bound, and two means from both must agree up to rounding. */
static void compare(const test_graph *g, double tolerance, const char *what)
{
    static double level[2000], last[2000];
    const double *const rewards[] = {level, last};
    swq_csr p = test_graph_matrix(g);
    swq_context *ctx = swq_context_new();
    swq_solution dense, sparse;

    cr_assert(g->n <= 2000);
    for (int64_t i = 0; i < g->n; i++) {
        level[i] = (double)i;
        last[i] = i == g->n - 1;
    }
    cr_assert_eq(test_solve_matrix(ctx, &p, "gth", rewards, 2, &dense), SWQ_OK);
    cr_assert_eq(test_solve_matrix(ctx, &p, "sparse-gth", rewards, 2, &sparse), SWQ_OK, "%s: %s",
                 what, swq_context_message(ctx));
    for (int64_t i = 0; i < g->n; i++)
        assert_relative(dense.pi[i], sparse.pi[i], tolerance, "%s, %lld of %lld: %.17g %.17g", what,
                        (long long)i, (long long)g->n, dense.pi[i], sparse.pi[i]);
    cr_assert(sparse.pi_error < 1e-6, "%s: %g", what, sparse.pi_error);
    for (int k = 0; k < 2; k++)
        cr_assert(dense.mean[k].lower <= sparse.mean[k].upper &&
                      sparse.mean[k].lower <= dense.mean[k].upper,
                  "%s: the enclosures of mean %d exclude each other", what, k);
    swq_solution_clear(ctx, &dense);
    swq_solution_clear(ctx, &sparse);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_matrix_free(&p);
}

/* Full matrices are one front; 48 pivots are a block. */
Test(sparse_gth, full_matrices_of_all_sizes_around_a_block)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int n = 1; n < 150; n += n < 6 || n % 48 < 3 || n % 48 > 45 ? 1 : 7) {
        test_graph g = test_graph_new(n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                test_graph_add(&g, i, j, 1 + (double)gsl_rng_uniform_int(rng, 1000));
        }
        compare(&g, 1e-13, "full");
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* A hub with n leaves, whatever the hub's number. */
Test(sparse_gth, stars)
{
    for (int n = 2; n < 300; n = 2 * n + 1) {
        for (int hub = 0; hub < n; hub += n / 2) {
            test_graph g = test_graph_new(n);
            for (int i = 0; i < n; i++) {
                if (i != hub) {
                    test_graph_add(&g, hub, i, i + 1);
                    test_graph_add(&g, i, hub, 1);
                    test_graph_add(&g, i, i, i + 1);
                }
            }
            compare(&g, 1e-13, "star");
            test_graph_free(&g);
        }
    }
}

/* One-way rings: no two states point at each other, so the matrix is far from symmetric. */
Test(sparse_gth, rings_with_shortcuts)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int n = 5; n < 600; n = 2 * n + 3) {
        test_graph g = test_graph_new(n);
        for (int i = 0; i < n; i++) {
            test_graph_add(&g, i, (i + 1) % n, 5);
            if (i % 3 == 0)
                test_graph_add(&g, i, (i + 2 + (int)gsl_rng_uniform_int(rng, (unsigned)n - 2)) % n,
                               1);
        }
        compare(&g, 1e-12, "ring");
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* Birth and death under a random numbering: every front is as small as can be. */
Test(sparse_gth, shuffled_paths)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int n = 3; n < 700; n = 2 * n + 5) {
        int64_t name[700];
        for (int i = 0; i < n; i++)
            name[i] = i;
        for (int i = n - 1; i > 0; i--) {
            int j = (int)gsl_rng_uniform_int(rng, (unsigned long)i + 1);
            int64_t swap = name[i];
            name[i] = name[j];
            name[j] = swap;
        }
        test_graph g = test_graph_birth_death(n, 9, 10, 32);
        for (size_t e = 0; e < g.edges; e++) {
            g.edge[e].from = name[g.edge[e].from];
            g.edge[e].to = name[g.edge[e].to];
        }
        compare(&g, 1e-12, "path");
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* Weights over a wide range, so that one lost digit anywhere would be noticed. */
Test(sparse_gth, random_chains_of_all_densities)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int trial = 0; trial < 150; trial++) {
        int64_t n = 2 + (int64_t)gsl_rng_uniform_int(rng, 60);
        long double pi[64];
        test_graph g = test_graph_random(rng, n, 0.1 * trial, 0x1p40);
        swq_csr p = test_graph_matrix(&g);
        swq_context *ctx = swq_context_new();
        swq_solution s;
        test_graph_stationary(&g, 0, pi);
        cr_assert_eq(test_solve_matrix(ctx, &p, "sparse-gth", NULL, 0, &s), SWQ_OK);
        assert_pi(&s, pi, 1e-13, "wild");
        assert_claims_hold(&s, pi, NULL, 0, "wild");
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* 1200 states with random transitions fill in to one large front after many small ones. Also by the
 * two LU methods, which keep absolute accuracy. */
Test(sparse_gth, a_random_chain_of_1200_states_by_all_direct_methods)
{
    enum { N = 1200 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    test_graph g = test_graph_new(N);

    for (int i = 0; i < N; i++) {
        int first = (int)gsl_rng_uniform_int(rng, N), second = (int)gsl_rng_uniform_int(rng, N);
        test_graph_add(&g, i, i, 1 + (double)gsl_rng_uniform_int(rng, 100));
        test_graph_add(&g, i, (i + 1) % N, 1 + (double)gsl_rng_uniform_int(rng, 100));
        if (first != i && first != (i + 1) % N)
            test_graph_add(&g, i, first, 1 + (double)gsl_rng_uniform_int(rng, 100));
        if (second != i && second != (i + 1) % N && second != first)
            test_graph_add(&g, i, second, 1 + (double)gsl_rng_uniform_int(rng, 100));
    }
    compare(&g, 1e-12, "random");

    static const char *const names[] = {"sparse-gth", "lu", "umfpack"};
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s[3];
    for (int k = 0; k < 3; k++) {
        cr_assert_eq(test_solve_matrix(ctx, &p, names[k], NULL, 0, &s[k]), SWQ_OK, "%s", names[k]);
        for (int i = 0; i < N; i++)
            cr_assert(fabs(s[k].pi[i] - s[0].pi[i]) < 1e-14, "%s: %d", names[k], i);
    }
    for (int k = 0; k < 3; k++)
        swq_solution_clear(ctx, &s[k]);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
    gsl_rng_free(rng);
}

/* A grid of 10,000 states against its product form; dense elimination would take 800 MB. */
Test(sparse_gth, a_grid_of_10000_states)
{
    enum { N = 100 };
    test_graph g = test_graph_new(N * N);
    swq_context *ctx = swq_context_new();
    swq_solution s;

    for (int x = 0; x < N; x++) {
        for (int y = 0; y < N; y++) {
            double rest = 16;
            for (int axis = 0; axis < 2; axis++) {
                int at = axis ? y : x, stride = axis ? 1 : N;
                if (at < N - 1)
                    test_graph_add(&g, x * N + y, x * N + y + stride, 3);
                if (at > 0)
                    test_graph_add(&g, x * N + y, x * N + y - stride, 4);
                rest -= (at < N - 1 ? 3 : 0) + (at > 0 ? 4 : 0);
            }
            test_graph_add(&g, x * N + y, x * N + y, rest);
        }
    }
    swq_csr p = test_graph_matrix(&g);
    cr_assert_eq(test_solve_matrix(ctx, &p, "sparse-gth", NULL, 0, &s), SWQ_OK);
    long double scale = powl((1 - 0.75L) / (1 - powl(0.75L, N)), 2);
    for (int x = 0; x < N; x++) {
        for (int y = 0; y < N; y++)
            assert_relative(s.pi[x * N + y], (double)(scale * powl(0.75L, x + y)), 1e-11,
                            "%d, %d: %.17g", x, y, s.pi[x * N + y]);
    }
    cr_assert(swq_context_peak_bytes(ctx) < 100 * 1000 * 1000);
    swq_solution_clear(ctx, &s);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* Unlike the other direct methods it checks for cancellation, front by front. */
Test(sparse_gth, elimination_can_be_cancelled)
{
    test_graph g = test_graph_birth_death(200, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s;

    swq_context_cancel(ctx);
    cr_assert_eq(test_solve_matrix(ctx, &p, "sparse-gth", NULL, 0, &s), SWQ_ECANCELLED);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}
