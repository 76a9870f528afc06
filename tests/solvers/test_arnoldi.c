/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arnoldi: chains smaller than what ARPACK asks for, periods, absolute accuracy with bounds that
 * tell, and steps that are counted. That its bounds are true is tested with all methods.
 */
#include "tests/solvers/chains.h"

TestSuite(arnoldi, .timeout = 240);

static swq_status solve(swq_context *ctx, const test_graph *g, int64_t most, swq_solution *s)
{
    const swq_solver *row;
    swq_solver_options options = swq_solver_options_defaults();
    swq_csr p = test_graph_matrix(g);

    options.max_iterations = most;
    cr_assert_eq(swq_solver_find(ctx, "arnoldi", &row), SWQ_OK);
    swq_status status = swq_solve(ctx, &p, 1, row, &options, NULL, 0, s);
    test_matrix_free(&p);
    return status;
}

/* From one state on, to more than the size of the basis. */
Test(arnoldi, chains_of_every_small_size)
{
    for (int64_t n = 1; n <= 40; n++) {
        swq_context *ctx = swq_context_new();
        test_graph g = test_graph_birth_death(n, 1, 2, 4);
        swq_solution s;
        cr_assert_eq(solve(ctx, &g, 10000, &s), SWQ_OK, "%lld states: %s", (long long)n,
                     swq_context_message(ctx));
        for (int64_t k = 0; k < n; k++) {
            double exact = pow(0.5, (double)k) / (2 - pow(0.5, (double)(n - 1)));
            cr_assert(fabs(s.pi[k] - exact) < 1e-13, "%lld states, %lld: %.17g, not %.17g",
                      (long long)n, (long long)k, s.pi[k], exact);
        }
        cr_assert(s.iterations > 0);
        swq_solution_clear(ctx, &s);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
        test_graph_free(&g);
    }
}

/* All eigenvalues of a ring lie on the unit circle; one has the largest real part. */
Test(arnoldi, periods_do_not_matter)
{
    for (int64_t n = 2; n <= 30; n++) {
        swq_context *ctx = swq_context_new();
        test_graph g = test_graph_new(n);
        swq_solution s;
        for (int64_t i = 0; i < n; i++) {
            test_graph_add(&g, i, (i + 1) % n, 1);
            if (i % 2 == 0 && n % 2 == 0 && n > 4)
                test_graph_add(&g, i, (i + 3) % n, 2);
        }
        cr_assert_eq(solve(ctx, &g, 10000, &s), SWQ_OK, "%lld: %s", (long long)n,
                     swq_context_message(ctx));
        cr_assert(s.period > 1 && s.pi_error < 1e-8, "%lld: period %lld, %g", (long long)n,
                  (long long)s.period, s.pi_error);
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
        test_graph_free(&g);
    }
}

/* The last of 16 states has about 8^-15, of which an absolute accuracy of 1e-16 leaves two or three
 * digits: the final steps restore the others. */
Test(arnoldi, small_entries_are_mended)
{
    swq_context *ctx = swq_context_new();
    test_graph g = test_graph_birth_death(16, 1, 8, 9);
    swq_solution s;

    test_graph_add(&g, 3, 7, 1e-3); /* so that no first guess is exact */
    test_graph_add(&g, 9, 2, 3);
    long double pi[16];
    test_graph_stationary(&g, 0, pi);
    cr_assert_eq(solve(ctx, &g, 10000, &s), SWQ_OK, "%s", swq_context_message(ctx));
    assert_pi(&s, pi, 1e-9, "mended");
    swq_solution_clear(ctx, &s);
    swq_context_free(ctx);
    test_graph_free(&g);
}

/* Entries down to 1e-60: those above 1e-16 are known absolutely, the others may be anything, and
 * the bound claims nothing else. */
Test(arnoldi, small_entries_are_not_claimed_to_be_known)
{
    const int64_t n = 200;
    swq_context *ctx = swq_context_new();
    test_graph g = test_graph_birth_death(n, 1, 2, 64);
    swq_solution s;

    swq_status status = solve(ctx, &g, 100000, &s);
    cr_assert(status == SWQ_OK || status == SWQ_ECONVERGE);
    for (int64_t k = 0; k < n; k++) {
        double exact = 0.5 * pow(0.5, (double)k);
        cr_assert(fabs(s.pi[k] - exact) < 1e-13 && s.pi[k] > 0, "%lld: %g", (long long)k, s.pi[k]);
        cr_assert(!(fabs(s.pi[k] - exact) > s.pi_error * exact), "%lld: %g, not %g to %g",
                  (long long)k, s.pi[k], exact, s.pi_error);
    }
    swq_solution_clear(ctx, &s);
    swq_context_free(ctx);
    test_graph_free(&g);
}
