/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Power iteration: it refuses what it cannot do, and its steps are those of the plain iteration.
 */
#include "tests/solvers/chains.h"

TestSuite(power, .timeout = 240);

static swq_status solve(swq_context *ctx, const swq_csr *p, int64_t most, swq_solution *s)
{
    const swq_solver *row;
    swq_solver_options options = {1e-14, most, 0};

    cr_assert_eq(swq_solver_find(ctx, "power", &row), SWQ_OK);
    return swq_solve(ctx, p, 1, row, &options, NULL, 0, s);
}

Test(power, periodic_chains_are_refused_with_their_period)
{
    for (int period = 2; period <= 7; period++) {
        test_graph g = test_graph_new(period + 2);
        swq_context *ctx = swq_context_new();
        swq_solution s = {.states = -7};
        char expected[32];
        for (int i = 0; i < period; i++)
            test_graph_add(&g, i, (i + 1) % period, 1);
        test_graph_add(&g, period, 0, 1); /* transient, with a loop */
        test_graph_add(&g, period + 1, period, 1);
        test_graph_add(&g, period + 1, period + 1, 1);
        swq_csr p = test_graph_matrix(&g);
        cr_assert_eq(solve(ctx, &p, 1000, &s), SWQ_EPERIODIC);
        snprintf(expected, sizeof expected, "period %d", period);
        cr_assert(strstr(swq_context_message(ctx), expected), "%s", swq_context_message(ctx));
        cr_assert_eq(s.states, -7);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
        test_matrix_free(&p);
        test_graph_free(&g);
    }
}

/* Stopped after k steps, it returns the uniform vector times P^k. */
Test(power, stopped_early_it_hands_over_its_last_iterate)
{
    test_graph g = test_graph_dense(3, (const double[]){2, 1, 1, 1, 0, 1, 1, 1, 2});
    swq_csr p = test_graph_matrix(&g);
    double pi[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0}, next[3];

    for (int64_t k = 1; k <= 8; k++) {
        swq_context *ctx = swq_context_new();
        swq_solution s;
        for (int j = 0; j < 3; j++) {
            next[j] = 0;
            for (int i = 0; i < 3; i++)
                next[j] += pi[i] * (double[]){.5, .25, .25, .5, 0, .5, .25, .25, .5}[3 * i + j];
        }
        memcpy(pi, next, sizeof pi);
        cr_assert_eq(solve(ctx, &p, k, &s), SWQ_ECONVERGE);
        cr_assert(!s.converged);
        cr_assert_eq(s.pi_error, INFINITY);
        for (int j = 0; j < 3; j++)
            assert_relative(s.pi[j], pi[j], 1e-14, "%lld steps, state %d", (long long)k, j);
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* A doubly stochastic matrix leaves the uniform start unchanged. */
Test(power, the_uniform_vector_is_recognised_at_once)
{
    test_graph g =
        test_graph_dense(4, (const double[]){1, 1, 1, 1, 2, 0, 1, 1, 0, 2, 1, 1, 1, 1, 1, 1});
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s;

    cr_assert_eq(solve(ctx, &p, 100000, &s), SWQ_OK);
    for (int i = 0; i < 4; i++)
        assert_relative(s.pi[i], 0.25, 1e-15, "state %d: %.17g", i, s.pi[i]);
    swq_solution_clear(ctx, &s);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}
