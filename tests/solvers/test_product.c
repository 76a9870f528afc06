/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What swq_solve_product promises: true bounds by every method on random products of every kind,
 * with any grouping; refusals; iterations that end early; every failing allocation. Not pinned: how
 * tight a bound is (beyond not being vacuous), and the choice of root.
 */
#include "tests/solvers/products.h"

TestSuite(solve_product, .timeout = 480);

static bool is(const swq_solver *solver, const char *name)
{
    return strcmp(solver->name, name) == 0;
}

static void random_rewards(gsl_rng *rng, double reward[3][TEST_STATES])
{
    for (int64_t i = 0; i < TEST_STATES; i++) {
        reward[0][i] = gsl_rng_uniform(rng);
        reward[1][i] = 0;
        reward[2][i] = gsl_rng_uniform(rng) < 0.5 ? pow(10, -20 * gsl_rng_uniform(rng)) : 0;
    }
}

static void expect_true(const test_truth *truth, const swq_solution *s, const double *const *reward,
                        int rewards, const char *what)
{
    bool recurs[TEST_STATES] = {false};

    for (int64_t k = 0; k < truth->recurrent; k++)
        recurs[truth->state[k]] = true;
    cr_assert_eq(s->states, truth->n, "%s", what);
    cr_assert_eq(s->transient, truth->n - truth->recurrent, "%s, %s", what, s->solver->name);
    cr_assert_eq(s->period, truth->period, "%s, %s: period %lld, not %lld", what, s->solver->name,
                 (long long)s->period, (long long)truth->period);
    cr_assert(recurs[s->root], "%s, %s: root %lld", what, s->solver->name, (long long)s->root);
    for (int64_t i = 0; i < truth->n; i++)
        cr_assert(recurs[i] ? s->pi[i] >= 0 : s->pi[i] == 0, "%s, %s: pi[%lld] = %g", what,
                  s->solver->name, (long long)i, s->pi[i]);
    assert_claims_hold(s, truth->pi, reward, rewards, what);
}

/* How often each method could not prove a bound, or did not converge. */
typedef struct {
    int solved, vague, unsettled;
} product_tally;

static void solve_all(gsl_rng *rng, const test_product *t, const test_truth *truth,
                      const char *what, product_tally *count)
{
    static double reward[3][TEST_STATES];
    const double *const rewards[] = {reward[0], reward[1], reward[2]};
    int kind = (int)gsl_rng_uniform_int(rng, TEST_GROUPINGS + 1);
    int depth = 1 + (int)gsl_rng_uniform_int(rng, 2);
    swq_grouping g = {0};

    random_rewards(rng, reward);
    if (kind < TEST_GROUPINGS)
        g = test_grouping_new(rng, &t->p, (test_grouping_kind)kind, depth);
    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solver_options options = swq_solver_options_defaults();
        swq_solution s = {.states = -7};
        options.max_iterations = 3000;
        swq_status status =
            swq_solve_product(ctx, &t->p, g.depth ? &g : NULL, solver, &options, rewards, 3, &s);
        if (truth->classes > 1) {
            cr_assert_eq(status, SWQ_EREDUCIBLE, "%s, %s", what, solver->name);
            cr_assert_eq(s.states, -7);
        } else if (truth->period > 1 && is(solver, "power")) {
            cr_assert_eq(status, SWQ_EPERIODIC, "%s", what);
        } else {
            cr_assert(status == SWQ_OK || (solver->iterative && status == SWQ_ECONVERGE),
                      "%s, %s: %s", what, solver->name, swq_context_message(ctx));
            cr_assert_eq(s.converged, status == SWQ_OK);
            expect_true(truth, &s, rewards, 3, what);
            cr_assert(s.mean[1].value == 0 && s.mean[1].lower == 0 && s.mean[1].upper == 0,
                      "%s, %s: a reward of zero", what, solver->name);
            count[row].solved++;
            count[row].vague += !(s.pi_error < 1e-9);
            count[row].unsettled += status != SWQ_OK;
            swq_solution_clear(ctx, &s);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s, %s", what, solver->name);
        swq_context_free(ctx);
    }
    test_grouping_free(&g);
}

static void check_random(int trials, bool walk, double extra, double spread, unsigned long seed,
                         int allowed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    product_tally count[16] = {{0}};
    int reducible = 0, transient = 0, periodic = 0;
    char what[80];

    gsl_rng_set(rng, seed);
    for (int trial = 0; trial < trials; trial++) {
        test_product t;
        test_product_random(rng, walk, extra, spread, &t);
        test_product_truth(&t, &truth);
        reducible += truth.classes > 1;
        transient += truth.classes == 1 && truth.recurrent < truth.n;
        periodic += truth.classes == 1 && truth.period > 1;
        snprintf(what, sizeof what, "seed %lu, trial %d, %lld states, %d factors", seed, trial,
                 (long long)truth.n, t.p.factors);
        solve_all(rng, &t, &truth, what, count);
        test_product_free(&t);
    }
    if (!walk)
        cr_expect(reducible > trials / 20 && transient > trials / 20 && periodic > trials / 40,
                  "%d reducible, %d with transient states, %d periodic", reducible, transient,
                  periodic);
    for (int row = 0; swq_solvers[row]; row++) {
        if (extra < 1 && is(swq_solvers[row], "sor"))
            continue; /* over-relaxation does not suit a ring */
        if (!is(swq_solvers[row], "power") && !is(swq_solvers[row], "anderson") &&
            test_keeps_small_entries(swq_solvers[row]))
            cr_expect(100 * count[row].vague <= allowed * count[row].solved,
                      "%s: %d of %d bounds are wider than 1e-9, %d not settled",
                      swq_solvers[row]->name, count[row].vague, count[row].solved,
                      count[row].unsettled);
    }
    gsl_rng_free(rng);
}

Test(solve_product, bounds_hold_on_mild_products)
{
    check_random(150, true, 2, 10, 1, 1);
}

Test(solve_product, bounds_hold_on_wild_products)
{
    check_random(150, true, 2, 1e5, 2, 10);
}

/* Few transitions: closed classes, transient states and periods of all kinds. */
Test(solve_product, structures_of_all_kinds)
{
    check_random(300, false, 0.3, 10, 3, 1);
    check_random(200, true, 0.3, 10, 4, 1);
}

/* Up with 1e-10, down with 1/2, in two factors: entries of 1e-200 and less, which the methods that
 * promise it must compute to 12 digits. */
Test(solve_product, entries_down_to_1e_minus_200)
{
    const int64_t size[] = {21, 21};
    static test_truth truth;
    test_product t;
    double level[21], last[21] = {[20] = 1};
    const double *const rewards[] = {level, last};

    test_product_new(2, size, &t);
    for (int i = 0; i < 21; i++) {
        level[i] = i;
        t.weight[0][i * 21 + i] = 1e10;
        t.weight[0][i * 21 + (i < 20 ? i + 1 : i)] += 1;
        t.weight[1][i * 21 + i] = 1;
        t.weight[1][i * 21 + (i > 0 ? i - 1 : i)] += 1;
    }
    test_product_finish(&t);
    test_product_truth(&t, &truth);
    cr_assert(truth.pi[20] < 1e-200L && truth.pi[20] > 1e-250L);
    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solver_options options = swq_solver_options_defaults();
        swq_solution s;
        cr_assert_eq(swq_solve_product(ctx, &t.p, NULL, solver, &options, rewards, 2, &s), SWQ_OK,
                     "%s: %s", solver->name, swq_context_message(ctx));
        expect_true(&truth, &s, rewards, 2, "tiny entries");
        if (test_keeps_small_entries(solver)) {
            assert_pi(&s, truth.pi, 1e-12, "tiny entries");
            cr_assert(s.pi_error < 1e-9, "%s: %g", solver->name, s.pi_error);
        }
        swq_solution_clear(ctx, &s);
        swq_context_free(ctx);
    }
    test_product_free(&t);
}

/* Three factors, two states at the end reached only from transient states, and nodes that only
 * these use: removing them must not change the groups of the others. */
static void make_transient(test_product *t)
{
    const int64_t size[] = {12, 14, 12};

    test_product_new(3, size, t);
    for (int i = 0; i < 12; i++) { /* the last two of each level are those of transient states */
        bool behind = i >= 10;
        t->weight[0][i * 14 + (behind ? i + 2 : i)] = 3;
        t->weight[0][i * 14 + (i + 1) % (behind ? 14 : 11)] += 2;
        t->weight[2][i * 12 + (behind ? i : i % 10)] = 1;
        t->weight[2][i * 12 + (i + 1) % 10] += 1;
    }
    for (int i = 0; i < 14; i++) {
        t->weight[1][i * 12 + (i >= 12 ? i - 2 : i % 10)] = 4;
        t->weight[1][i * 12 + (i > 0 && i < 12 ? (i - 1) % 10 : 0)] += 5;
    }
    test_product_finish(t);
}

Test(solve_product, transient_states_are_cut_out_of_factors_and_groups)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    test_product t;
    product_tally count[16] = {{0}};

    make_transient(&t);
    test_product_truth(&t, &truth);
    cr_assert(truth.classes == 1 && truth.recurrent == 10);
    for (int trial = 0; trial < 10; trial++)
        solve_all(rng, &t, &truth, "transient states", count);
    for (int row = 0; swq_solvers[row]; row++)
        cr_assert(count[row].unsettled == 0 && count[row].vague == 0, "%s: %d %d",
                  swq_solvers[row]->name, count[row].unsettled, count[row].vague);
    test_product_free(&t);
    gsl_rng_free(rng);
}

/* Ended early, or converged by a lax criterion: still a solution, with valid bounds, its own
 * residual, and the name of the method in the message. */
Test(solve_product, iterations_that_end_early_say_what_they_have)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    static double reward[3][TEST_STATES];
    const double *const rewards[] = {reward[0], reward[1], reward[2]};
    static const swq_solver_options poor[] = {
        {1e-14, 1, 0}, {1e-14, 2, 0}, {1e-14, 5, 1e-12}, {0.5, 1000, 1}, {1e-4, 1000, 0}};
    int early = 0, wide = 0, finite = 0;

    random_rewards(rng, reward);
    for (int trial = 0; trial < 60; trial++) {
        test_product t;
        test_product_random(rng, true, 1.5, 1000, &t);
        test_product_truth(&t, &truth);
        for (int row = 0; swq_solvers[row] && truth.classes == 1; row++) {
            const swq_solver *solver = swq_solvers[row];
            for (size_t o = 0; solver->iterate && o < sizeof poor / sizeof *poor; o++) {
                swq_context *ctx = swq_context_new();
                swq_solution s;
                char what[80];
                snprintf(what, sizeof what, "trial %d, tolerance %g, at most %lld", trial,
                         poor[o].tolerance, (long long)poor[o].max_iterations);
                swq_status status =
                    swq_solve_product(ctx, &t.p, NULL, solver, &poor[o], rewards, 3, &s);
                cr_assert(status == SWQ_OK || status == SWQ_ECONVERGE, "%s, %s: %s", what,
                          solver->name, swq_context_message(ctx));
                cr_assert_eq(s.converged, status == SWQ_OK);
                cr_assert_eq(s.solver, solver);
                expect_true(&truth, &s, rewards, 3, what);
                double sum = 0, residual = 0;
                for (int64_t j = 0; j < truth.n; j++) {
                    long double image = 0;
                    for (int64_t i = 0; i < truth.n; i++)
                        image += s.pi[i] * truth.dense[i][j];
                    if (s.pi[j] > 0)
                        residual = fmax(residual, (double)fabsl(image - s.pi[j]) / s.pi[j]);
                    sum += s.pi[j];
                }
                cr_assert(fabs(sum - 1) < 1e-12, "%s: the sum is %.17g", what, sum);
                cr_assert(fabs(s.residual - residual) <= 1e-13 + 1e-9 * residual,
                          "%s, %s: residual %g, not %g", what, solver->name, s.residual, residual);
                if (status) {
                    cr_assert(strstr(swq_context_message(ctx), solver->name), "%s, %s",
                              solver->name, swq_context_message(ctx));
                    early++;
                }
                wide += !(s.pi_error < 1e-6);
                finite += isfinite(s.pi_error);
                swq_solution_clear(ctx, &s);
                cr_assert_eq(swq_context_live_blocks(ctx), 0);
                swq_context_free(ctx);
            }
        }
        test_product_free(&t);
    }
    cr_assert(early > 200 && wide > 200 && finite > 200, "%d %d %d", early, wide, finite);
    gsl_rng_free(rng);
}

Test(solve_product, iterations_can_be_cancelled)
{
    test_product t;

    make_transient(&t);
    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        swq_context *ctx = swq_context_new();
        swq_solver_options options = swq_solver_options_defaults();
        swq_solution s = {.states = -7};
        swq_context_cancel(ctx);
        swq_status status = swq_solve_product(ctx, &t.p, NULL, solver, &options, NULL, 0, &s);
        if (solver->iterative)
            cr_assert_eq(status, SWQ_ECANCELLED, "%s", solver->name);
        if (status)
            cr_assert(status == SWQ_ECANCELLED && s.states == -7, "%s", solver->name);
        else
            swq_solution_clear(ctx, &s);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", solver->name);
        swq_context_free(ctx);
    }
    test_product_free(&t);
}

Test(solve_product, bad_factors_and_options_are_refused)
{
    static const swq_solver_options bad[] = {{0, 100, 0},  {1, 100, 0},     {NAN, 100, 0},
                                             {1e-9, 0, 0}, {1e-9, 100, -1}, {1e-9, 100, NAN}};
    const int64_t size[] = {3, 4, 5};
    test_product t;

    test_product_new(3, size, &t);
    for (int k = 0; k < 3; k++) {
        for (int64_t i = 0; i < t.size[k]; i++)
            t.weight[k][i * t.size[k + 1]] = 1;
    }
    test_product_finish(&t);
    for (int row = 0; swq_solvers[row]; row++) {
        swq_context *ctx = swq_context_new();
        swq_solver_options options = swq_solver_options_defaults();
        swq_solution s = {.states = -7};
        for (size_t o = 0; o < sizeof bad / sizeof *bad; o++) {
            cr_assert_eq(swq_solve_product(ctx, &t.p, NULL, swq_solvers[row], &bad[o], NULL, 0, &s),
                         SWQ_EINVAL);
            cr_assert(strstr(swq_context_message(ctx), "tolerance"));
        }
        const swq_product cut = {2, t.factor, 2, false}, shifted = {2, t.factor + 1, 2, false};
        cr_assert_eq(swq_solve_product(ctx, &cut, NULL, swq_solvers[row], &options, NULL, 0, &s),
                     SWQ_EINVAL);
        cr_assert(strstr(swq_context_message(ctx), "4 x 5"), "%s", swq_context_message(ctx));
        cr_assert_eq(
            swq_solve_product(ctx, &shifted, NULL, swq_solvers[row], &options, NULL, 0, &s),
            SWQ_EINVAL);
        cr_assert_eq(s.states, -7);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    test_product_free(&t);
}

/* Allocation k fails, once or with all later ones, for k = 0, 1, 2, ... until the solver succeeds.
 */
Test(solve_product, every_failing_allocation_is_reported)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    test_product t;
    static double level[TEST_STATES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const double *const rewards[] = {level};

    make_transient(&t);
    swq_grouping g = test_grouping_new(rng, &t.p, TEST_RANDOM, 2);
    for (int row = 0; swq_solvers[row]; row++) {
        const swq_solver *solver = swq_solvers[row];
        for (int variant = 0; variant < 4; variant++) {
            swq_status status = SWQ_ENOMEM;
            size_t k = 0;
            for (; status; k++) {
                swq_context *ctx = swq_context_new();
                swq_solver_options options = swq_solver_options_defaults();
                swq_solution s, before;
                options.enclosure = 1e-3; /* fewer cycles, whose eliminations allocate, too */
                memset(&s, 0xA5, sizeof s);
                before = s;
                cr_assert(k < 3000, "%s", solver->name);
                swq_context_fail_allocations(ctx, k, variant % 2);
                status = swq_solve_product(ctx, &t.p, variant < 2 ? &g : NULL, solver, &options,
                                           rewards, 1, &s);
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
    test_grouping_free(&g);
    test_product_free(&t);
    gsl_rng_free(rng);
}

/* By the number of states alone: elimination for few, aggregation on the factors for many. */
Test(solve_product, auto_chooses_by_the_number_of_states)
{
    static const struct {
        int64_t states;
        const char *chosen, *reason;
    } cases[] = {{300, "gth", "300 states"},
                 {1500, "sparse-gth", "few enough states"},
                 {1501, "aggregation", "1500 states"}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_context *ctx = swq_context_new();
        swq_solver_options options = swq_solver_options_defaults();
        swq_solution s;
        test_graph g = test_graph_birth_death(cases[c].states, 9, 10, 32);
        test_graph same = test_graph_new(cases[c].states);
        for (int64_t i = 0; i < cases[c].states; i++)
            test_graph_add(&same, i, i, 1);
        swq_csr factor[] = {test_graph_matrix(&g), test_graph_matrix(&same)};
        const swq_product p = {2, factor, 2, false};
        cr_assert_eq(swq_solve_product(ctx, &p, NULL, swq_solvers[0], &options, NULL, 0, &s),
                     SWQ_OK, "%s", swq_context_message(ctx));
        cr_expect_str_eq(s.solver->name, cases[c].chosen);
        cr_expect(s.why && strstr(s.why, cases[c].reason), "%s", s.why);
        swq_solution_clear(ctx, &s);
        test_matrix_free(&factor[0]);
        test_matrix_free(&factor[1]);
        test_graph_free(&g);
        test_graph_free(&same);
        swq_context_free(ctx);
    }
}
