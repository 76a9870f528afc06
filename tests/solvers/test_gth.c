/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elimination without subtraction, dense: every entry to full relative accuracy, wherever the root
 * lies and however far the probabilities are apart.
 */
#include "tests/solvers/chains.h"

TestSuite(gth, .timeout = 240);

/* Weights 1 .. 2^50: stationary probabilities far below 1e-30 among those near 1. */
Test(gth, every_digit_counts_however_small)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    long double pi[64], least = 1;

    for (int trial = 0; trial < 100; trial++) {
        int64_t n = 2 + (int64_t)gsl_rng_uniform_int(rng, 50);
        test_graph g = test_graph_random(rng, n, 1, 0x1p50);
        swq_csr p = test_graph_matrix(&g);
        swq_context *ctx = swq_context_new();
        swq_solution s;
        cr_assert_eq(test_solve_matrix(ctx, &p, "gth", NULL, 0, &s), SWQ_OK);
        test_graph_stationary(&g, trial % n, pi);
        assert_pi(&s, pi, 1e-13, "wild");
        assert_claims_hold(&s, pi, NULL, 0, "wild");
        for (int64_t i = 0; i < n; i++)
            least = pi[i] < least ? pi[i] : least;
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    cr_assert(least < 1e-30L, "%Lg", least);
    gsl_rng_free(rng);
}

/* Two halves joined by a probability of 2^-50 each way, the classic case that subtraction ruins: pi
 * of a half is proportional to the exit probability of the other. */
Test(gth, nearly_uncoupled_halves)
{
    const double w = 0x1p50;
    test_graph g = test_graph_dense(
        4, (const double[]){w, w, 0, 0, w, w - 1, 1, 0, 0, 3, w - 3, w, 0, 0, w, w});
    const long double pi[] = {3 / 8.0L, 3 / 8.0L, 1 / 8.0L, 1 / 8.0L};
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s;

    cr_assert_eq(test_solve_matrix(ctx, &p, "gth", NULL, 0, &s), SWQ_OK);
    assert_pi(&s, pi, 1e-14, "halves");
    assert_claims_hold(&s, pi, NULL, 0, "halves");
    swq_solution_clear(ctx, &s);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* 8 n^2 bytes, as promised; counted, and given back. */
Test(gth, memory_is_that_of_a_dense_matrix)
{
    test_graph g = test_graph_birth_death(500, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s;

    cr_assert_eq(test_solve_matrix(ctx, &p, "gth", NULL, 0, &s), SWQ_OK);
    cr_assert(swq_context_peak_bytes(ctx) >= 8 * 500 * 500);
    cr_assert(swq_context_peak_bytes(ctx) < 8 * 500 * 500 + 200 * 500);
    swq_solution_clear(ctx, &s);
    cr_assert_eq(swq_context_live_bytes(ctx), 0);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}
