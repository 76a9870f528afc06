/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps: held step by step against the textbook's Gauss-Seidel and SOR on the transposed system.
 */
#include "solvers/sweep.h"

#include "tests/solvers/chains.h"

TestSuite(sweep, .timeout = 240);

enum { N = 40 };

/* One pass over y = b + y Q in the given direction, entry by entry. */
static void plain_pass(const swq_csr *p, int64_t root, double omega, bool forwards, const double *b,
                       double *y)
{
    int64_t n = p->rows;

    for (int64_t at = 0; at < n; at++) {
        int64_t j = forwards ? at : n - 1 - at;
        double sum = b[j], leave = 0;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t e = p->start[i]; e < p->start[i + 1]; e++) {
                sum += p->col[e] == j && i != j && j != root ? y[i] * p->value[e] : 0;
                leave += i == j && p->col[e] != j ? p->value[e] : 0;
            }
        }
        double fresh = j == root ? b[j] : sum / leave;
        y[j] = j == root ? fresh : fmax((1 - omega) * y[j] + omega * fresh, 0.1 * fresh);
    }
}

Test(sweep, runs_are_forward_and_backward_passes_in_turn)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static const double omegas[] = {0.7, 1, 1.3, 1.9};

    for (int trial = 0; trial < 200; trial++) {
        int64_t n = 2 + (int64_t)gsl_rng_uniform_int(rng, N - 2);
        int64_t root = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)n);
        double omega = omegas[trial % 4], b[N], x[N], y[N];
        test_graph g = test_graph_random(rng, n, 3, 1e4);
        swq_csr p = test_graph_matrix(&g);
        swq_context *ctx = swq_context_new();
        swq_sweep s;
        cr_assert_eq(swq_sweep_init(ctx, &p, root, omega, &s), SWQ_OK);
        for (int run = 0; run < 3; run++) { /* what a run leaves behind must not matter */
            for (int64_t i = 0; i < n; i++) {
                b[i] = gsl_rng_uniform(rng) < 0.5 ? gsl_rng_uniform(rng) : 0;
                x[i] = y[i] = pow(1e-30, gsl_rng_uniform(rng));
            }
            swq_sweep_run(&s, run, b, x);
            for (int k = 0; k < run; k++) {
                plain_pass(&p, root, omega, true, b, y);
                plain_pass(&p, root, omega, false, b, y);
            }
            for (int64_t i = 0; i < n; i++)
                cr_assert(relative_difference(x[i], y[i]) < 1e-11, "trial %d, run %d: %g, not %g",
                          trial, run, x[i], y[i]);
        }
        swq_sweep_clear(ctx, &s);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* The matrix of a coarse grid gets new values in the same places. */
Test(sweep, values_may_change)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_context *ctx = swq_context_new();
    test_graph g = test_graph_random(rng, 20, 3, 10);
    swq_csr p = test_graph_matrix(&g);
    swq_sweep s;
    double b[20], x[20], y[20];

    cr_assert_eq(swq_sweep_init(ctx, &p, 3, 1, &s), SWQ_OK);
    for (int64_t i = 0; i < 20; i++) {
        double sum = 0;
        b[i] = x[i] = y[i] = gsl_rng_uniform(rng);
        for (int64_t e = p.start[i]; e < p.start[i + 1]; e++)
            sum += p.value[e] = gsl_rng_uniform_pos(rng);
        for (int64_t e = p.start[i]; e < p.start[i + 1]; e++)
            p.value[e] /= sum;
    }
    swq_sweep_values(&s);
    swq_sweep_run(&s, 1, b, x);
    plain_pass(&p, 3, 1, true, b, y);
    plain_pass(&p, 3, 1, false, b, y);
    for (int64_t i = 0; i < 20; i++)
        assert_relative(x[i], y[i], 1e-13, "%g, not %g", x[i], y[i]);
    swq_sweep_clear(ctx, &s);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
    gsl_rng_free(rng);
}

/* Far from the solution, relaxation would overshoot below zero. */
Test(sweep, over_relaxation_keeps_every_entry_positive)
{
    test_graph g = test_graph_birth_death(10, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_sweep s;
    double b[10] = {1}, x[10];

    cr_assert_eq(swq_sweep_init(ctx, &p, 0, 1.9, &s), SWQ_OK);
    for (int i = 0; i < 10; i++)
        x[i] = 1e6;
    for (int k = 0; k < 10; k++) {
        swq_sweep_run(&s, 1, b, x);
        for (int i = 0; i < 10; i++)
            cr_assert(x[i] > 0, "%g", x[i]);
    }
    swq_sweep_clear(ctx, &s);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

Test(sweep, failing_allocations_are_reported)
{
    test_graph g = test_graph_birth_death(10, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);

    for (size_t k = 0; k < 4; k++) {
        swq_context *ctx = swq_context_new();
        swq_sweep s;
        swq_context_fail_allocations(ctx, k, k % 2);
        cr_assert_eq(swq_sweep_init(ctx, &p, 0, 1, &s), SWQ_ENOMEM);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}
