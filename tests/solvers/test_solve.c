/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What swq_solve promises whatever the method: every row of the table on chains with known answers,
 * bounds that hold on hundreds of random chains, poor iterations, refusals, and every failing
 * allocation. Not pinned: how tight a bound is (beyond not being vacuous), and the choice of root.
 */
#include "base/context.h"
#include "base/packed.h"
#include "tests/solvers/chains.h"

#include <float.h>

TestSuite(solve, .timeout = 480);

/* Solves g by every method (power only if the period is one) and compares pi with the truth: to a
 * relative tolerance for the methods that keep small entries, to an absolute 1e-13 for the
 * others. */
static void check_all(const test_graph *g, const long double *pi, int64_t period, double relative,
                      const double *const *reward, int rewards, const char *what)
{
    swq_csr p = test_graph_matrix(g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        swq_status status = test_solve_matrix(ctx, &p, solver->name, reward, rewards, &s);
        if (period > 1 && strcmp(solver->name, "power") == 0) {
            cr_assert_eq(status, SWQ_EPERIODIC, "%s", what);
        } else {
            cr_assert_eq(status, SWQ_OK, "%s, %s: %s", what, solver->name,
                         swq_context_message(ctx));
            cr_assert_eq(s.period, period, "%s, %s", what, solver->name);
            cr_assert_eq(s.states, g->n);
            cr_assert(s.converged);
            if (test_keeps_small_entries(s.solver))
                assert_pi(&s, pi, relative, what);
            for (int64_t i = 0; i < g->n; i++)
                cr_assert(fabsl(s.pi[i] - pi[i]) < 1e-13, "%s, %s: state %lld", what, solver->name,
                          (long long)i);
            assert_claims_hold(&s, pi, reward, rewards, what);
            swq_solution_clear(ctx, &s);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s, %s", what, solver->name);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
}

Test(solve, one_state)
{
    test_graph g = test_graph_dense(1, (const double[]){1});
    const double reward[] = {0.3};

    check_all(&g, (const long double[]){1}, 1, 0, (const double *const[]){reward}, 1, "one state");
    test_graph_free(&g);
}

/* 0 -> 1 with probability 1/4, back with 1/8: pi = (1/3, 2/3). */
Test(solve, two_states)
{
    test_graph g = test_graph_dense(2, (const double[]){6, 2, 1, 7});
    const double first[] = {1, 0}, both[] = {3, 6};

    check_all(&g, (const long double[]){1 / 3.0L, 2 / 3.0L}, 1, 1e-13,
              (const double *const[]){first, both}, 2, "two states");
    test_graph_free(&g);
}

/* Kemeny, Snell and Thompson's Land of Oz: rain, nice, snow. pi = (2/5, 1/5, 2/5). */
Test(solve, land_of_oz)
{
    test_graph g = test_graph_dense(3, (const double[]){2, 1, 1, 1, 0, 1, 1, 1, 2});
    const double nice[] = {0, 1, 0}, wet[] = {10, 0, 5};

    check_all(&g, (const long double[]){0.4L, 0.2L, 0.4L}, 1, 1e-13,
              (const double *const[]){nice, wet}, 2, "Land of Oz");
    test_graph_free(&g);
}

/* pi_k = (1 - r) r^k / (1 - r^n) with r = up / down, either way round. */
static void check_birth_death(int n, double up, double down, double whole)
{
    long double pi[64];
    double reward[64] = {0}, level[64];
    test_graph g = test_graph_birth_death(n, up, down, whole);
    long double r = (long double)up / down;
    char what[80];

    for (int k = 0; k < n; k++) {
        pi[k] = (1 - r) * powl(r, k) / (1 - powl(r, n));
        level[k] = k;
    }
    reward[n - 1] = 0.1;
    snprintf(what, sizeof what, "%d states, up %g, down %g, whole %g", n, up, down, whole);
    check_all(&g, pi, 1, 1e-12, (const double *const[]){reward, level}, 2, what);
    test_graph_free(&g);
}

Test(solve, birth_and_death)
{
    check_birth_death(2, 1, 2, 8);
    check_birth_death(10, 1, 2, 8);
    check_birth_death(10, 4, 3, 8);
    check_birth_death(40, 3, 4, 8);
    check_birth_death(10, 1, 7, 8);
}

/* 8^-33 = 1.6e-30: the methods that promise it must give 12 digits of every entry. */
Test(solve, probabilities_from_1e_minus_30_to_1)
{
    check_birth_death(34, 1, 8, 16);
}

/* With and without rewards that are zero everywhere, or in most states. */
static void random_rewards(gsl_rng *rng, int64_t n, double reward[4][64])
{
    int64_t one = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)n);

    for (int64_t i = 0; i < n; i++) {
        reward[0][i] = gsl_rng_uniform(rng);
        reward[1][i] = 0;
        reward[2][i] = i == one ? 1e-5 : 0;
        reward[3][i] = gsl_rng_uniform(rng) < 0.5 ? pow(10, -20 * gsl_rng_uniform(rng)) : 0;
    }
}

/* Random chains by every method; `spread` is the range of weights. */
static void check_random(int trials, double spread, unsigned long seed, int64_t iterations)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static double reward[4][64];
    const double *const rewards[] = {reward[0], reward[1], reward[2], reward[3]};
    long double pi[64];
    int unproven = 0;

    gsl_rng_set(rng, seed);
    for (int trial = 0; trial < trials; trial++) {
        int64_t n = 2 + (int64_t)gsl_rng_uniform_int(rng, 39);
        test_graph g = test_graph_random(rng, n, 3 * gsl_rng_uniform(rng), spread);
        swq_csr p = test_graph_matrix(&g);
        char what[80];
        test_graph_stationary(&g, (int64_t)gsl_rng_uniform_int(rng, (unsigned long)n), pi);
        random_rewards(rng, n, reward);
        int64_t period = test_graph_period(&g);
        snprintf(what, sizeof what, "seed %lu, trial %d, %lld states", seed, trial, (long long)n);
        for (int row = 0; swq_solvers[row]; row++) {
            const swq_solver *solver = swq_solvers[row];
            swq_context *ctx = swq_context_new();
            swq_solver_options options = swq_solver_options_defaults();
            swq_solution s;
            options.max_iterations = iterations;
            swq_status status = swq_solve(ctx, &p, 1, solver, &options, rewards, 4, &s);
            if (period > 1 && strcmp(solver->name, "power") == 0) {
                cr_assert_eq(status, SWQ_EPERIODIC, "%s", what);
            } else {
                cr_assert(status == SWQ_OK || (solver->iterative && status == SWQ_ECONVERGE),
                          "%s, %s: %s", what, solver->name, swq_context_message(ctx));
                cr_assert_eq(s.period, period, "%s, %s", what, solver->name);
                assert_claims_hold(&s, pi, rewards, 4, what);
                cr_assert(s.mean[1].value == 0 && s.mean[1].lower == 0 && s.mean[1].upper == 0,
                          "%s, %s: a reward of zero", what, solver->name);
                if (strstr(s.solver->name, "gth")) {
                    assert_pi(&s, pi, 1e-12, what);
                    unproven += !(s.pi_error < 1e-9);
                }
                swq_solution_clear(ctx, &s);
            }
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s, %s", what, solver->name);
            swq_context_free(ctx);
        }
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    /* three rows of the table run gth or sparse-gth; their bounds should hardly ever be vacuous */
    cr_assert(unproven <= trials / 10, "%d of %d bounds of gth are wider than 1e-9", unproven,
              3 * trials);
    gsl_rng_free(rng);
}

Test(solve, bounds_hold_on_mild_random_chains)
{
    check_random(200, 10, 1, 20000);
}

Test(solve, bounds_hold_on_wild_random_chains)
{
    check_random(200, 1e4, 2, 2000);
}

Test(solve, bounds_hold_where_probabilities_are_far_apart)
{
    check_random(100, 1e9, 3, 300);
}

/* Matrix and rewards may be less accurate than their nearest doubles if the caller says so: each
 * entry is perturbed by up to `roundings` roundings, and the bounds must contain the answers of the
 * exact chain. */
Test(solve, bounds_cover_errors_of_matrix_and_rewards)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static double reward[4][64], given[4][64];
    const double *const rewards[] = {reward[0], reward[1], reward[2], reward[3]};
    const double *const givens[] = {given[0], given[1], given[2], given[3]};
    long double pi[64];

    for (int trial = 0; trial < 60; trial++) {
        int64_t n = 2 + (int64_t)gsl_rng_uniform_int(rng, 20);
        int64_t roundings = 10;
        for (int k = 0; k < trial % 5; k++)
            roundings *= 100; /* up to 1e9, for which nothing can be proven */
        test_graph g = test_graph_random(rng, n, 2, 1000);
        swq_csr p = test_graph_matrix(&g);
        test_graph_stationary(&g, 0, pi);
        random_rewards(rng, n, reward);
        for (int k = 0; k < 4; k++) {
            for (int64_t i = 0; i < n; i++) {
                double off = 2 * gsl_rng_uniform(rng) - 1;
                given[k][i] = reward[k][i] * (1 + off * (double)(roundings - 1) * 0x1p-53);
            }
        }
        for (int64_t e = 0; e < swq_csr_nnz(&p); e++)
            p.value[e] *= 1 + (2 * gsl_rng_uniform(rng) - 1) * (double)(roundings - 1) * 0x1p-53;
        for (int row = 0; swq_solvers[row]; row++) {
            const swq_solver *solver = swq_solvers[row];
            swq_context *ctx = swq_context_new();
            swq_solver_options options = swq_solver_options_defaults();
            swq_solution s;
            options.max_iterations = 2000;
            swq_status status = swq_solve(ctx, &p, roundings, solver, &options, givens, 4, &s);
            if (status == SWQ_OK || status == SWQ_ECONVERGE) {
                assert_claims_hold(&s, pi, rewards, 4, "spoilt matrix");
                if (roundings >= 1000000000) {
                    cr_assert_eq(s.pi_error, INFINITY);
                    cr_assert(s.mean[0].lower >= 0 && s.mean[0].upper <= 1.01);
                }
                swq_solution_clear(ctx, &s);
            } else {
                cr_assert(status == SWQ_EPERIODIC && strcmp(solver->name, "power") == 0);
            }
            swq_context_free(ctx);
        }
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* The same reward in every state, too low by the largest allowed error: the exact mean is above all
 * given rewards. */
Test(solve, bounds_cover_errors_of_the_largest_reward)
{
    test_graph g = test_graph_dense(3, (const double[]){2, 1, 1, 1, 0, 1, 1, 1, 2});
    const long double pi[] = {0.4L, 0.2L, 0.4L};
    swq_csr p = test_graph_matrix(&g);

    for (int64_t roundings = 10; roundings < 100000000; roundings *= 100) {
        double low = 0.7 * (1 - (double)(roundings - 1) * 0x1p-53);
        const double exact[] = {0.7, 0.7, 0.7}, given[] = {low, low, low};
        for (int row = 0; swq_solvers[row]; row++) {
            const swq_solver *solver = swq_solvers[row];
            swq_context *ctx = swq_context_new();
            swq_solver_options options = swq_solver_options_defaults();
            swq_solution s;
            cr_assert_eq(swq_solve(ctx, &p, roundings, solver, &options,
                                   (const double *const[]){given}, 1, &s),
                         SWQ_OK);
            cr_expect(s.mean[0].lower <= 0.7 && 0.7 <= s.mean[0].upper,
                      "%s, %lld roundings: %.17g .. %.17g leaves out 0.7", solver->name,
                      (long long)roundings, s.mean[0].lower, s.mean[0].upper);
            assert_claims_hold(&s, pi, (const double *const[]){exact}, 0, "largest reward");
            swq_solution_clear(ctx, &s);
            swq_context_free(ctx);
        }
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* Poor iterations: converged by a lax criterion, or not at all. Claims stay true, the bounds show
 * how poor the result is, and the residual is that of the vector returned. */
Test(solve, poor_iterations_are_told_from_good_ones)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static double reward[4][64];
    const double *const rewards[] = {reward[0], reward[1], reward[2], reward[3]};
    static const swq_solver_options poor[] = {{0.5, 100000, 0},  {1e-3, 100000, 0},
                                              {1e-6, 100000, 0}, {1e-14, 1, 0},
                                              {1e-14, 2, 0},     {1e-14, 7, 0}};
    long double pi[64];
    int early = 0, wide = 0, finite = 0;

    for (int trial = 0; trial < 60; trial++) {
        int64_t n = 3 + (int64_t)gsl_rng_uniform_int(rng, 30);
        test_graph g = test_graph_random(rng, n, 2, 20);
        test_graph_add(&g, 0, 0, 3);
        swq_csr p = test_graph_matrix(&g);
        test_graph_stationary(&g, 0, pi);
        random_rewards(rng, n, reward);
        for (int row = 0; swq_solvers[row]; row++) {
            const swq_solver *solver = swq_solvers[row];
            for (size_t o = 0; solver->iterative && o < sizeof poor / sizeof *poor; o++) {
                swq_context *ctx = swq_context_new();
                swq_solution s;
                char what[80];
                snprintf(what, sizeof what, "trial %d, tolerance %g, at most %lld", trial,
                         poor[o].tolerance, (long long)poor[o].max_iterations);
                swq_status status = swq_solve(ctx, &p, 1, solver, &poor[o], rewards, 4, &s);
                cr_assert(status == SWQ_OK || status == SWQ_ECONVERGE, "%s: %s", what,
                          swq_context_message(ctx));
                cr_assert_eq(s.converged, status == SWQ_OK, "%s", what);
                cr_assert(s.iterations > 0);
                assert_claims_hold(&s, pi, rewards, 4, what);
                double sum = 0;
                for (int64_t i = 0; i < n; i++)
                    sum += s.pi[i];
                cr_assert(fabs(sum - 1) < 1e-12, "%s: the sum is %.17g", what, sum);
                if (status) {
                    cr_assert(strstr(swq_context_message(ctx), solver->name));
                    early++;
                }
                wide += s.mean[0].upper - s.mean[0].lower > 1e-9;
                finite += isfinite(s.pi_error);
                swq_solution_clear(ctx, &s);
                cr_assert_eq(swq_context_live_blocks(ctx), 0);
                swq_context_free(ctx);
            }
        }
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    cr_assert(early > 200 && wide > 200 && finite > 100, "%d %d %d", early, wide, finite);
    gsl_rng_free(rng);
}

/* max over states of |pi P - pi| / pi, for the very vector that is returned. */
Test(solve, the_residual_is_what_a_recomputation_gives)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int trial = 0; trial < 20; trial++) {
        test_graph g = test_graph_random(rng, 5 + trial, 2, 20);
        swq_csr p = test_graph_matrix(&g);
        for (int row = 0; swq_solvers[row]; row++) {
            const swq_solver *solver = swq_solvers[row];
            for (int64_t most = 1; most < 100000; most *= 10) {
                swq_context *ctx = swq_context_new();
                swq_solver_options options = {1e-14, most, 0};
                swq_solution s;
                swq_status status = swq_solve(ctx, &p, 1, solver, &options, NULL, 0, &s);
                if (status != SWQ_EPERIODIC) {
                    double again = test_residual(&p, s.pi);
                    cr_assert(s.residual == again ||
                                  fabs(s.residual - again) <= 1e-14 + 1e-9 * again,
                              "%s, at most %lld iterations: %.17g, again %.17g", solver->name,
                              (long long)most, s.residual, again);
                    cr_assert(solver->iterative || s.residual < 1e-9);
                    swq_solution_clear(ctx, &s);
                }
                swq_context_free(ctx);
            }
        }
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* A closed class of three states reached from four transient ones, with mixed numbering. */
Test(solve, transient_states_get_exactly_nothing)
{
    /* clang-format off */
    test_graph g = test_graph_dense(7, (const double[]){
        1, 1, 0, 0, 0, 0, 0,
        0, 2, 0, 1, 0, 0, 1, /* 1, 3 and 6 are closed */
        1, 0, 1, 0, 1, 0, 0,
        0, 1, 0, 1, 0, 0, 0,
        0, 0, 1, 0, 0, 0, 1,
        0, 0, 0, 0, 1, 1, 0,
        0, 1, 0, 0, 0, 0, 0});
    /* clang-format on */
    const double everywhere[] = {1, 2, 3, 4, 5, 6, 7}, transient[] = {1, 0, 1, 0, 1, 1, 0};
    const double *const rewards[] = {everywhere, transient};
    /* pi_3 = pi_1 / 4 + pi_3 / 2, pi_6 = pi_1 / 4: (4, 2, 1) / 7 */
    const long double pi[] = {0, 4 / 7.0L, 0, 2 / 7.0L, 0, 0, 1 / 7.0L};
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        cr_assert_eq(test_solve_matrix(ctx, &p, solver->name, rewards, 2, &s), SWQ_OK);
        cr_assert_eq(s.transient, 4, "%s", solver->name);
        cr_assert(pi[s.root] > 0, "%s: root %lld", solver->name, (long long)s.root);
        for (int64_t i = 0; i < 7; i++)
            cr_assert(pi[i] > 0 ? fabsl(s.pi[i] - pi[i]) < 1e-13 : s.pi[i] == 0, "%s: %lld",
                      solver->name, (long long)i);
        assert_claims_hold(&s, pi, rewards, 2, "transient states");
        cr_assert(s.mean[1].value == 0 && s.mean[1].lower == 0 && s.mean[1].upper == 0,
                  "%s: rewards of transient states alone", solver->name);
        swq_solution_clear(ctx, &s);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

Test(solve, two_closed_classes_are_refused)
{
    /* 0 falls into the loop at 1 or into the pair 2, 3 */
    test_graph g =
        test_graph_dense(4, (const double[]){1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0});
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s = {.states = -7};
        cr_assert_eq(test_solve_matrix(ctx, &p, solver->name, NULL, 0, &s), SWQ_EREDUCIBLE, "%s",
                     solver->name);
        cr_assert(strstr(swq_context_message(ctx), "2 closed classes"), "%s",
                  swq_context_message(ctx));
        cr_assert_eq(s.states, -7, "%s: the output is untouched", solver->name);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* Periods 2 and 3: two and three groups of states visited in turn. */
Test(solve, periodic_chains)
{
    /* a walk on a path of five: pi in proportion to the weights around a state */
    test_graph two = test_graph_dense(5, (const double[]){0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 2, 0,
                                                          3, 0, 0, 0, 3, 0, 4, 0, 0, 0, 4, 0});
    const long double pi_two[] = {1 / 20.0L, 3 / 20.0L, 5 / 20.0L, 7 / 20.0L, 4 / 20.0L};
    /* 0 -> {1, 2} -> {3, 4} -> 0 */
    test_graph three = test_graph_dense(5, (const double[]){0, 1, 3, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0,
                                                            1, 3, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0});
    const long double pi_three[] = {1 / 3.0L, 1 / 12.0L, 1 / 4.0L, (1 / 24.0L) + (1 / 16.0L),
                                    (1 / 24.0L) + (3 / 16.0L)};
    const double level[] = {0, 1, 2, 3, 4}, last[] = {0, 0, 0, 0, 1};

    check_all(&two, pi_two, 2, 1e-13, (const double *const[]){level, last}, 2, "period 2");
    check_all(&three, pi_three, 3, 1e-13, (const double *const[]){level, last}, 2, "period 3");
    test_graph_free(&two);
    test_graph_free(&three);
}

/* A walk on an n x n grid: an axis by a fair coin, then one step with probability 4/8 up, 2/8 down,
 * none at the walls. pi is a product of two birth-and-death distributions with ratio 1/2, here 1 ..
 * 2^-62. */
Test(solve, a_walk_on_a_grid_of_1024_states)
{
    enum { N = 32 };
    test_graph g = test_graph_new(N * N);
    static long double pi[N * N];
    static double reward[N * N], corner[N * N];
    const double *const rewards[] = {reward, corner};

    for (int x = 0; x < N; x++) {
        for (int y = 0; y < N; y++) {
            const int from = x * N + y;
            double rest = 8;
            const struct {
                int to;
                double weight;
                bool there;
            } step[] = {{from + N, 1, x < N - 1},
                        {from - N, 2, x > 0},
                        {from + 1, 1, y < N - 1},
                        {from - 1, 2, y > 0}};
            for (int k = 0; k < 4; k++) {
                if (step[k].there) {
                    test_graph_add(&g, from, step[k].to, step[k].weight);
                    rest -= step[k].weight;
                }
            }
            test_graph_add(&g, from, from, rest);
            pi[from] = powl(0.5L, x + y + 2) / ((1 - powl(0.5L, N)) * (1 - powl(0.5L, N)));
            reward[from] = x + y;
        }
    }
    corner[N * N - 1] = 1;
    check_all(&g, pi, 1, 1e-12, rewards, 2, "grid");
    test_graph_free(&g);
}

/* An upward drift of up / down = r: pi_k is r^k (r - 1) / (r^n - 1), and the chain starts far from
 * where its probability is. */
static test_graph drift(int n, double up, double down, double whole, long double *pi, double *level)
{
    long double r = (long double)up / down;

    for (int k = 0; k < n; k++) {
        pi[k] = powl(r, k) * (r - 1) / (powl(r, n) - 1);
        level[k] = k;
    }
    return test_graph_birth_death(n, up, down, whole);
}

enum { MOST_DRIFT = 400 };

/* Elimination handles it, and moves the root there, as the bounds would be useless otherwise. */
Test(solve, elimination_follows_a_chain_to_where_it_lives)
{
    static const struct {
        int n;
        double up, down, whole;
    } cases[] = {{34, 8, 1, 16}, {200, 2, 1, 4}, {400, 5, 4, 16}};
    static const char *const names[] = {"auto", "gth", "sparse-gth"};
    static long double pi[MOST_DRIFT];
    static double level[MOST_DRIFT];
    const double *const rewards[] = {level};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        test_graph g = drift(cases[c].n, cases[c].up, cases[c].down, cases[c].whole, pi, level);
        swq_csr p = test_graph_matrix(&g);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            swq_context *ctx = swq_context_new();
            swq_solution s;
            cr_assert_eq(test_solve_matrix(ctx, &p, names[k], rewards, 1, &s), SWQ_OK, "%s: %s",
                         names[k], swq_context_message(ctx));
            assert_pi(&s, pi, 1e-12, "drift");
            assert_claims_hold(&s, pi, rewards, 1, "drift");
            cr_assert(pi[s.root] > pi[cases[c].n - 1] / 60, "%s: root %lld", names[k],
                      (long long)s.root);
            cr_assert(s.mean[0].upper - s.mean[0].lower < 1e-8, "%s: %.17g .. %.17g", names[k],
                      s.mean[0].lower, s.mean[0].upper);
            swq_solution_clear(ctx, &s);
            swq_context_free(ctx);
        }
        test_matrix_free(&p);
        test_graph_free(&g);
    }
}

/* Every method must handle it, too: these chains mix within a few hundred steps and no entry that
 * matters is small. */
static void check_drift(int n, double up, double down, double whole)
{
    static long double pi[MOST_DRIFT];
    static double level[MOST_DRIFT];
    const double *const rewards[] = {level};
    test_graph g = drift(n, up, down, whole, pi, level);
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        swq_status status = test_solve_matrix(ctx, &p, solver->name, rewards, 1, &s);
        cr_expect_eq(status, SWQ_OK, "%d states, %s: %s", n, solver->name,
                     swq_context_message(ctx));
        if (status == SWQ_OK || status == SWQ_ECONVERGE) {
            assert_claims_hold(&s, pi, rewards, 1, "drift");
            swq_solution_clear(ctx, &s);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

Test(solve, every_method_follows_a_chain_to_where_it_lives)
{
    check_drift(34, 8, 1, 16);
    check_drift(200, 2, 1, 4);
    check_drift(100, 5, 4, 16);
}

/* Probabilities outside the range of double: nothing wrong may be claimed. 0 -> 1 -> 2 with 1e-200
 * each, back with certainty: pi_2 = 1e-400. */
Test(solve, nothing_is_claimed_of_probabilities_below_the_range)
{
    int64_t start[] = {0, 2, 4, 5};
    int32_t col[] = {0, 1, 0, 2, 0};
    double value[] = {1, 1e-200, 1, 1e-200, 1};
    const swq_csr p = {.rows = 3, .cols = 3, .start = start, .col = col, .value = value};
    const double last[] = {0, 0, 1};

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        cr_assert_eq(test_solve_matrix(ctx, &p, solver->name, (const double *const[]){last}, 1, &s),
                     SWQ_OK, "%s: %s", solver->name, swq_context_message(ctx));
        cr_expect(s.pi[2] > 0 || !isfinite(s.pi_error),
                  "%s: pi_2 is 1e-400, not %g to within %g of itself", solver->name, s.pi[2],
                  s.pi_error);
        cr_expect(s.mean[0].upper > 0, "%s: the mean is 1e-400, not in %g .. %g", solver->name,
                  s.mean[0].lower, s.mean[0].upper);
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
    }
}

/* The same, but state 2 is left only with 1e-200: pi_2 = 1e-200 is well within the range. */
Test(solve, underflow_on_the_way_is_not_taken_for_zero)
{
    int64_t start[] = {0, 2, 4, 6};
    int32_t col[] = {0, 1, 0, 2, 0, 2};
    double value[] = {1, 1e-200, 1, 1e-200, 1e-200, 1};
    const swq_csr p = {.rows = 3, .cols = 3, .start = start, .col = col, .value = value};
    const double last[] = {0, 0, 1};

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        swq_status status =
            test_solve_matrix(ctx, &p, solver->name, (const double *const[]){last}, 1, &s);
        /* LU loses the exit of state 2 next to its 1, and is right to say so */
        if (status != SWQ_ESINGULAR) {
            cr_expect(status == SWQ_OK || status == SWQ_ECONVERGE, "%s: %s", solver->name,
                      swq_context_message(ctx));
            cr_expect(!(fabs(s.pi[2] - 1e-200) > s.pi_error * 1e-200),
                      "%s: pi_2 is 1e-200, not %g to within %g of itself", solver->name, s.pi[2],
                      s.pi_error);
            cr_expect(s.mean[0].lower <= 1.001e-200 && 0.999e-200 <= s.mean[0].upper,
                      "%s: the mean is 1e-200, not in %g .. %g", solver->name, s.mean[0].lower,
                      s.mean[0].upper);
            swq_solution_clear(ctx, &s);
        }
        swq_context_free(ctx);
    }
}

/* Two wells, each left by two steps of 1e-200: pi is 1/2 at both bottoms, 0 and 4. The top between
 * them is rarer than a double can represent, so the share of each well cannot be known. */
Test(solve, no_well_is_forgotten)
{
    int64_t start[] = {0, 2, 4, 6, 8, 10};
    int32_t col[] = {0, 1, 0, 2, 1, 3, 2, 4, 3, 4};
    double value[] = {1, 1e-200, 1, 1e-200, 0.5, 0.5, 1e-200, 1, 1e-200, 1};
    const swq_csr p = {.rows = 5, .cols = 5, .start = start, .col = col, .value = value};
    const double far[] = {0, 0, 0, 0, 1}, near[] = {1, 0, 0, 0, 0};

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        swq_status status =
            test_solve_matrix(ctx, &p, solver->name, (const double *const[]){far, near}, 2, &s);
        if (status == SWQ_OK || status == SWQ_ECONVERGE) {
            cr_expect(!(fabs(s.pi[4] - 0.5) > s.pi_error * 0.5),
                      "%s: pi_4 is 1/2, not %g to within %g of itself", solver->name, s.pi[4],
                      s.pi_error);
            for (int k = 0; k < 2; k++)
                cr_expect(s.mean[k].lower <= 0.5 && 0.5 <= s.mean[k].upper,
                          "%s: the mean is 1/2, not in %g .. %g", solver->name, s.mean[k].lower,
                          s.mean[k].upper);
            swq_solution_clear(ctx, &s);
        }
        swq_context_free(ctx);
    }
}

/* A stored zero is no transition: these two states are two closed classes. Whatever a method makes
 * of it, NaN must not be returned as solved with a residual of zero. */
Test(solve, what_is_not_a_number_is_not_solved)
{
    int64_t start[] = {0, 2, 4};
    int32_t col[] = {0, 1, 0, 1};
    double value[] = {1, 0, 0, 1};
    const swq_csr p = {.rows = 2, .cols = 2, .start = start, .col = col, .value = value};

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        swq_status status = test_solve_matrix(ctx, &p, solver->name, NULL, 0, &s);
        if (status == SWQ_OK) {
            cr_expect(isfinite(s.pi[0]) && isfinite(s.pi[1]),
                      "%s: pi = (%g, %g), residual %g, and all is well", solver->name, s.pi[0],
                      s.pi[1], s.residual);
            swq_solution_clear(ctx, &s);
        }
        cr_expect_neq(status, SWQ_OK, "%s: no unique answer exists", solver->name);
        swq_context_free(ctx);
    }
}

Test(solve, bad_options_are_refused)
{
    static const swq_solver_options bad[] = {{0, 100, 0},  {-1e-9, 100, 0},    {1, 100, 0},
                                             {2, 100, 0},  {INFINITY, 100, 0}, {NAN, 100, 0},
                                             {1e-9, 0, 0}, {1e-9, -1, 0}};
    test_graph g = test_graph_birth_death(4, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        for (size_t o = 0; o < sizeof bad / sizeof *bad; o++) {
            swq_context *ctx = swq_context_new();
            swq_solution s = {.states = -7};
            cr_assert_eq(swq_solve(ctx, &p, 1, solver, &bad[o], NULL, 0, &s), SWQ_EINVAL,
                         "%s: %g, %lld", solver->name, bad[o].tolerance,
                         (long long)bad[o].max_iterations);
            cr_assert(strstr(swq_context_message(ctx), "tolerance"));
            cr_assert_eq(s.states, -7);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            swq_context_free(ctx);
        }
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

Test(solve, only_square_matrices_are_solved)
{
    test_graph g = test_graph_birth_death(4, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    const swq_csr wide = {.rows = 4, .cols = 5, .start = p.start, .col = p.col, .value = p.value};
    const swq_csr empty = {.rows = 0, .cols = 0, .start = p.start};
    swq_solver_options options = swq_solver_options_defaults();

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s = {.states = -7};
        cr_assert_eq(swq_solve(ctx, &wide, 1, solver, &options, NULL, 0, &s), SWQ_EINVAL);
        cr_assert(strstr(swq_context_message(ctx), "4 x 5"));
        cr_assert_eq(swq_solve(ctx, &empty, 1, solver, &options, NULL, 0, &s), SWQ_EINVAL);
        cr_assert_eq(s.states, -7);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

Test(solve, packed_matrices_are_refused)
{
    test_graph g = test_graph_birth_death(4, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g), packed = {.rows = 4, .cols = 4};
    swq_solver_options options = swq_solver_options_defaults();
    swq_context *ctx = swq_context_new();
    swq_solution s = {.states = -7};

    packed.start = swq_calloc(ctx, 5, sizeof *packed.start);
    packed.col = swq_calloc(ctx, (size_t)p.start[4], sizeof *packed.col);
    packed.value = swq_calloc(ctx, (size_t)p.start[4], sizeof *packed.value);
    memcpy(packed.start, p.start, 5 * sizeof *packed.start);
    memcpy(packed.col, p.col, (size_t)p.start[4] * sizeof *packed.col);
    memcpy(packed.value, p.value, (size_t)p.start[4] * sizeof *packed.value);
    cr_assert_eq(swq_csr_pack(ctx, &packed), SWQ_OK);
    cr_assert(packed.packed);
    cr_assert_eq(swq_solve(ctx, &packed, 1, swq_solvers[0], &options, NULL, 0, &s), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "packed"));
    cr_assert_eq(s.states, -7);
    swq_csr_clear(ctx, &packed);
    test_matrix_free(&p);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_graph_free(&g);
}

Test(solve, iterations_can_be_cancelled)
{
    test_graph g = test_graph_birth_death(30, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s = {.states = -7};
        swq_context_cancel(ctx);
        swq_status status = test_solve_matrix(ctx, &p, solver->name, NULL, 0, &s);
        if (solver->iterative)
            cr_assert_eq(status, SWQ_ECANCELLED, "%s", solver->name);
        if (status == SWQ_OK) {
            swq_solution_clear(ctx, &s); /* a direct method may be too fast to notice */
        } else {
            cr_assert_eq(status, SWQ_ECANCELLED, "%s", solver->name);
            cr_assert(strstr(swq_context_message(ctx), "cancelled"));
            cr_assert_eq(s.states, -7);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", solver->name);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* Allocation k fails, once or with all later ones, for k = 0, 1, 2, ... until the solver succeeds.
 * The chain has transient states and moves its root, so that every allocation occurs. */
Test(solve, every_failing_allocation_is_reported)
{
    enum { N = 22 };
    static double level[N + 2];
    const double *const rewards[] = {level, level};
    test_graph g = test_graph_birth_death(N, 4, 3, 8);
    g.n += 2; /* two more transient states */
    test_graph_add(&g, N, 0, 1);
    test_graph_add(&g, N + 1, N, 1);
    swq_csr p = test_graph_matrix(&g);

    for (int k = 0; k < N; k++)
        level[k] = k;
    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        for (int for_good = 0; for_good < 2; for_good++) {
            swq_status status = SWQ_ENOMEM;
            size_t k = 0;
            for (; status; k++) {
                swq_context *ctx = swq_context_new();
                swq_solution s, before;
                memset(&s, 0xA5, sizeof s);
                before = s;
                cr_assert(k < 1000, "%s", solver->name);
                swq_context_fail_allocations(ctx, k, for_good);
                status = test_solve_matrix(ctx, &p, solver->name, rewards, 2, &s);
                if (status) {
                    cr_assert_eq(status, SWQ_ENOMEM, "%s, allocation %zu: %s", solver->name, k,
                                 swq_status_text(status));
                    cr_assert_eq(memcmp(&s, &before, sizeof s), 0, "%s, allocation %zu",
                                 solver->name, k);
                } else {
                    cr_assert_eq(s.transient, 2);
                    swq_solution_clear(ctx, &s);
                }
                cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s, allocation %zu", solver->name,
                             k);
                swq_context_free(ctx);
            }
            cr_assert(k > 10, "%s: only %zu allocations", solver->name, k);
        }
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* From nothing to enough in small steps: refused or solved, and nothing in between. */
Test(solve, the_memory_limit_is_kept)
{
    test_graph g = test_graph_birth_death(40, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_status status = SWQ_ELIMIT;
        for (size_t limit = 16; status; limit += limit / 8 + 1) {
            swq_context *ctx = swq_context_new();
            swq_solution s = {.states = -7};
            swq_context_limit_memory(ctx, limit);
            status = test_solve_matrix(ctx, &p, solver->name, NULL, 0, &s);
            cr_assert(swq_context_peak_bytes(ctx) <= limit, "%s", solver->name);
            if (status) {
                cr_assert_eq(status, SWQ_ELIMIT, "%s, %zu bytes: %s", solver->name, limit,
                             swq_context_message(ctx));
                cr_assert_eq(s.states, -7);
            } else {
                swq_solution_clear(ctx, &s);
            }
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s, %zu bytes", solver->name, limit);
            swq_context_free(ctx);
        }
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

typedef struct {
    int calls;
    double last, total;
    const char *stage;
} told;

static void listen(void *arg, const char *stage, double done, double total)
{
    told *t = arg;

    cr_expect(stage && *stage && done > 0 && total >= 0);
    cr_expect(total == 0 || done <= total * (1 + 1e-12), "%s: %g of %g", stage, done, total);
    t->calls++;
    t->last = done;
    t->total = total;
    t->stage = stage;
}

/* A callback hears of sparse elimination, to its end, and of sweeps. */
Test(solve, progress_is_told)
{
    test_graph g = test_graph_birth_death(300, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        told heard = {0};
        swq_context_watch(ctx, listen, &heard);
        cr_assert_eq(test_solve_matrix(ctx, &p, solver->name, NULL, 0, &s), SWQ_OK);
        swq_solution_clear(ctx, &s);
        if (strstr(solver->name, "sparse")) {
            cr_assert(heard.calls > 1);
            assert_relative(heard.last, heard.total, 1e-12, "elimination is told to its end");
        }
        if (strstr(solver->name, "seidel"))
            cr_assert(heard.calls > 1);
        /* and no more after that */
        int calls = heard.calls;
        swq_context_watch(ctx, NULL, NULL);
        cr_assert_eq(test_solve_matrix(ctx, &p, solver->name, NULL, 0, &s), SWQ_OK);
        cr_assert_eq(heard.calls, calls);
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

Test(solve, the_solution_says_how_it_was_made)
{
    test_graph g = test_graph_birth_death(20, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);

    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solution s;
        bool automatic = strcmp(solver->name, "auto") == 0;
        cr_assert_eq(test_solve_matrix(ctx, &p, solver->name, NULL, 0, &s), SWQ_OK);
        cr_assert_str_eq(s.solver->name, automatic ? "gth" : solver->name);
        cr_assert_eq(automatic, s.why != NULL);
        cr_assert_eq(s.solver->iterative, s.iterations > 0);
        cr_assert(s.seconds >= 0 && s.seconds < 60);
        cr_assert_eq(s.transient, 0);
        swq_solution_clear(ctx, &s);
        cr_assert(s.pi == NULL && s.mean == NULL);
        swq_solution_clear(ctx, &s); /* safe a second time */
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}
