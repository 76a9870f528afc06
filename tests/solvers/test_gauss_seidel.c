/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gauss-Seidel and SOR as methods: small entries keep their digits, a laxer tolerance costs fewer
 * cycles and more error. The sweeps themselves: test_sweep.c.
 */
#include "tests/solvers/chains.h"

TestSuite(gauss_seidel, .timeout = 240);

static swq_solution solve(swq_context *ctx, const swq_csr *p, double tolerance)
{
    const swq_solver *row;
    swq_solver_options options = {tolerance, 100000, 0};
    swq_solution s;

    cr_assert_eq(swq_solver_find(ctx, "gauss-seidel", &row), SWQ_OK);
    cr_assert_eq(swq_solve(ctx, p, 1, row, &options, NULL, 0, &s), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return s;
}

/* pi_k proportional to 8^-k, down to 1e-199: without subtraction nothing is lost. */
Test(gauss_seidel, small_entries_keep_their_digits)
{
    enum { N = 220 };
    test_graph g = test_graph_birth_death(N, 1, 8, 16);
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s = solve(ctx, &p, 1e-14);

    for (int k = 0; k < N; k++) {
        double exact = 7.0 / 8 * pow(2, -3 * k);
        assert_relative(s.pi[k], exact, 1e-12, "state %d: %.17g, not %.17g", k, s.pi[k], exact);
    }
    cr_assert(s.pi_error < 1e-8, "%g", s.pi_error);
    swq_solution_clear(ctx, &s);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* Exit probabilities of 1 and of 5 in 3 * 2^50, of which 1 - p_ii would preserve only a digit or
 * two. */
Test(gauss_seidel, the_way_out_is_not_formed_by_subtraction)
{
    const double whole = 3 * 0x1p50;
    test_graph g = test_graph_dense(2, (const double[]){whole - 1, 1, 5, whole - 5});
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s = solve(ctx, &p, 1e-14);

    assert_relative(s.pi[0], 5 / 6.0, 1e-14, "%.17g", s.pi[0]);
    assert_relative(s.pi[1], 1 / 6.0, 1e-14, "%.17g", s.pi[1]);
    swq_solution_clear(ctx, &s);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* Nodes equally far from the root are grouped; here they differ, so that sweeps have work to do. */
Test(gauss_seidel, a_laxer_tolerance_takes_fewer_sweeps_and_says_so)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    test_graph g = test_graph_random(rng, 60, 3, 100);
    swq_csr p = test_graph_matrix(&g);
    int64_t cycles = 0;
    double error = INFINITY;

    for (double tolerance = 1e-2; tolerance > 1e-14; tolerance /= 10000) {
        swq_context *ctx = swq_context_new();
        swq_solution s = solve(ctx, &p, tolerance);
        cr_assert(s.iterations > cycles, "%g: %lld", tolerance, (long long)s.iterations);
        cr_assert(s.pi_error < error / 10, "%g: %g", tolerance, s.pi_error);
        cycles = s.iterations;
        error = s.pi_error;
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
    gsl_rng_free(rng);
}

/* On a ring, a pass along the states solves everything except at its starting point. */
Test(gauss_seidel, a_ring_takes_a_few_sweeps)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        const int n = 1000;
        test_graph g = test_graph_new(n);
        swq_context *ctx = swq_context_new();
        for (int i = 0; i < n; i++)
            test_graph_add(&g, backwards ? (i + 1) % n : i, backwards ? i : (i + 1) % n, 1);
        swq_csr p = test_graph_matrix(&g);
        swq_solution s = solve(ctx, &p, 1e-14);
        cr_assert_eq(s.period, n);
        cr_assert(s.iterations < 40, "%lld", (long long)s.iterations);
        for (int i = 0; i < n; i++)
            assert_relative(s.pi[i], 1.0 / n, 1e-13, "state %d: %.17g", i, s.pi[i]);
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
        test_matrix_free(&p);
        test_graph_free(&g);
    }
}
