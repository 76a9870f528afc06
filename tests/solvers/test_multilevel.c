/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Aggregation against elimination in long double: random products and roots, right-hand sides like
 * a start and like a companion's, steps and sweeps, groupings good, bad and absent. Not pinned: how
 * many cycles a grouping takes.
 */
#include "solvers/multilevel.h"

#include "tests/solvers/products.h"

TestSuite(multilevel, .timeout = 240);

static void start_at(int64_t n, int64_t root, gsl_rng *rng, double *b, double *x)
{
    for (int64_t i = 0; i < n; i++) {
        b[i] = i == root;
        x[i] = 0.01 + gsl_rng_uniform(rng);
    }
}

static void expect_solution(const test_truth *truth, int64_t root, const double *b, const double *x,
                            double tolerance, const char *what)
{
    long double y[TEST_STATES];

    test_truth_visits(truth, root, b, y);
    for (int64_t i = 0; i < truth->n; i++)
        cr_assert(fabsl(x[i] - y[i]) <= tolerance * y[i],
                  "%s: entry %lld of %lld, root %lld: %.17g, not %.17Lg", what, (long long)i,
                  (long long)truth->n, (long long)root, x[i], y[i]);
}

/* The product as it is, or multiplied out for sweeps. */
static void check(gsl_rng *rng, const test_product *t, const test_truth *truth, int64_t root,
                  const swq_grouping *grouping, double omega, double tolerance, const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_multilevel *m = NULL;
    double b[TEST_STATES], x[TEST_STATES], w[TEST_STATES], change;
    int64_t cycles = 0;

    cr_assert_eq(swq_multilevel_new(ctx, &t->p, grouping, root, omega, &m), SWQ_OK);
    start_at(truth->n, root, rng, b, x);
    cr_assert_eq(swq_multilevel_solve(ctx, m, b, x, 1e-14, 20000, &change, &cycles), SWQ_OK,
                 "%s: %s", what, swq_context_message(ctx));
    cr_assert(cycles > 0 && change < 1e-11);
    expect_solution(truth, root, b, x, tolerance, what);
    /* the same grids again, for a companion: b = x, from a poor guess */
    for (int64_t i = 0; i < truth->n; i++)
        w[i] = x[i] * (1 + (double)truth->n * gsl_rng_uniform(rng));
    int64_t before = cycles;
    cr_assert_eq(swq_multilevel_solve(ctx, m, x, w, 1e-14, 20000, &change, &cycles), SWQ_OK,
                 "%s: %s", what, swq_context_message(ctx));
    cr_assert_gt(cycles, before);
    expect_solution(truth, root, x, w, tolerance, what);
    swq_multilevel_free(ctx, m);
    cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", what);
    swq_context_free(ctx);
}

/* An irreducible random product. */
static void draw(gsl_rng *rng, double extra, double spread, bool single, test_product *t,
                 test_truth *truth)
{
    for (;;) {
        test_product_random(rng, true, extra, spread, t);
        test_product_truth(t, truth);
        if (truth->classes == 1 && truth->recurrent == truth->n && (!single || t->p.factors == 1))
            return;
        test_product_free(t);
    }
}

static void check_groupings(double omega, double spread, double tolerance)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    char what[80];

    for (int trial = 0; trial < 60; trial++) {
        test_product t;
        draw(rng, 1.5, spread, omega > 0, &t, &truth);
        int64_t root = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)truth.n);
        for (int64_t i = 0; spread > 1000 && i < truth.n; i++)
            root = truth.pi[i] > truth.pi[root] ? i : root; /* a rare root takes very long */
        snprintf(what, sizeof what, "trial %d, by distance", trial);
        check(rng, &t, &truth, root, NULL, omega, tolerance, what);
        for (int kind = 0; kind < TEST_GROUPINGS; kind++) {
            for (int depth = 1; depth <= 3; depth++) {
                swq_grouping g = test_grouping_new(rng, &t.p, (test_grouping_kind)kind, depth);
                snprintf(what, sizeof what, "trial %d, grouping %d, depth %d", trial, kind, depth);
                check(rng, &t, &truth, root, &g, omega, tolerance, what);
                test_grouping_free(&g);
            }
        }
        test_product_free(&t);
    }
    gsl_rng_free(rng);
}

Test(multilevel, any_grouping_solves_mild_chains)
{
    check_groupings(0, 10, 1e-11);
}

Test(multilevel, any_grouping_solves_wild_chains)
{
    check_groupings(0, 1e5, 1e-9);
}

Test(multilevel, any_grouping_solves_by_sweeps)
{
    check_groupings(1, 10, 1e-11);
    check_groupings(1, 1e5, 1e-9);
    check_groupings(1.2, 10, 1e-11);
}

/* A grouping that merges what mixes fast needs a few cycles where the chain itself takes 1e8 steps:
 * two clusters of states, joined by 1e-8. */
Test(multilevel, good_groups_make_slow_chains_quick)
{
    const int64_t size[] = {20};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    int32_t cluster[20], *of[] = {cluster};
    int64_t groups[] = {2};
    const swq_grouping g = {1, 1, of, groups};

    for (int method = 0; method < 2; method++) {
        swq_context *ctx = swq_context_new();
        swq_multilevel *m;
        test_product t;
        double b[20], x[20], change;
        int64_t cycles = 0;
        test_product_new(1, size, &t);
        for (int i = 0; i < 20; i++) {
            cluster[i] = i / 10;
            for (int j = 0; j < 20; j++)
                t.weight[0][i * 20 + j] =
                    (i / 10 == j / 10 ? 1e8 : 1) * (1 + (double)gsl_rng_uniform_int(rng, 9));
        }
        test_product_finish(&t);
        test_product_truth(&t, &truth);
        cr_assert_eq(swq_multilevel_new(ctx, &t.p, &g, 0, method, &m), SWQ_OK);
        start_at(20, 0, rng, b, x);
        cr_assert_eq(swq_multilevel_solve(ctx, m, b, x, 1e-13, 100, &change, &cycles), SWQ_OK);
        cr_assert(cycles < 15, "%lld cycles", (long long)cycles);
        expect_solution(&truth, 0, b, x, 1e-11, "two clusters");
        swq_multilevel_free(ctx, m);
        test_product_free(&t);
        swq_context_free(ctx);
    }
    gsl_rng_free(rng);
}

/* A ratio of 1e-9 per state, down to 1e-198, in a grouping of pairs. */
Test(multilevel, small_entries_keep_their_digits)
{
    const int64_t size[] = {23, 23};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    int32_t pair[23], *of[] = {pair, pair};
    int64_t groups[] = {12, 12};
    const swq_grouping g = {1, 2, of, groups};
    test_product t;

    test_product_new(2, size, &t); /* up, then down */
    for (int i = 0; i < 23; i++) {
        pair[i] = i / 2;
        t.weight[0][i * 23 + i] = 1e9;
        t.weight[0][i * 23 + (i < 22 ? i + 1 : i)] += 1;
        t.weight[1][i * 23 + i] = 1;
        t.weight[1][i * 23 + (i > 0 ? i - 1 : i)] += 1;
    }
    test_product_finish(&t);
    test_product_truth(&t, &truth);
    cr_assert(truth.pi[22] < 1e-190L && truth.pi[22] > 1e-205L);
    check(rng, &t, &truth, 0, &g, 0, 1e-11, "pairs");
    check(rng, &t, &truth, 0, NULL, 0, 1e-11, "by distance");
    test_product_free(&t);
    gsl_rng_free(rng);
}

Test(multilevel, too_few_cycles_are_no_convergence)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    test_product t;
    swq_multilevel *m;
    double b[TEST_STATES], x[TEST_STATES], change = -1;
    int64_t cycles = 7;

    do {
        draw(rng, 1.5, 100, false, &t, &truth);
        if (truth.n > 10)
            break;
        test_product_free(&t);
    } while (true);
    swq_context *ctx = swq_context_new();
    swq_grouping g = test_grouping_new(rng, &t.p, TEST_RANDOM, 1);
    cr_assert_eq(swq_multilevel_new(ctx, &t.p, &g, 0, 0, &m), SWQ_OK);
    start_at(truth.n, 0, rng, b, x);
    cr_assert_eq(swq_multilevel_solve(ctx, m, b, x, 1e-14, 2, &change, &cycles), SWQ_ECONVERGE);
    cr_assert_eq(cycles, 9, "counted up");
    cr_assert(change > 1e-14);
    for (int64_t i = 0; i < truth.n; i++)
        cr_assert(x[i] > 0 && isfinite(x[i]));
    swq_context_cancel(ctx);
    cr_assert_eq(swq_multilevel_solve(ctx, m, b, x, 1e-14, 20, &change, &cycles), SWQ_ECANCELLED);
    swq_multilevel_free(ctx, m);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_grouping_free(&g);
    test_product_free(&t);
    gsl_rng_free(rng);
}

/* Grids are made before there are values, as for the chain of groups of a spread chain. */
Test(multilevel, values_may_come_after_the_grids)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;

    for (int trial = 0; trial < 20; trial++) {
        swq_context *ctx = swq_context_new();
        test_product t;
        swq_multilevel *m;
        double b[TEST_STATES], x[TEST_STATES], change, *value[SWQ_MOST_FACTORS];
        int64_t cycles = 0;
        draw(rng, 1.5, 100, false, &t, &truth);
        swq_grouping g = test_grouping_new(rng, &t.p, TEST_RANDOM, 1);
        for (int k = 0; k < t.p.factors; k++) {
            const size_t bytes = sizeof *value[k] * (size_t)swq_csr_nnz(&t.p.factor[k]);
            value[k] = malloc(bytes);
            memcpy(value[k], t.p.factor[k].value, bytes);
            memset(t.p.factor[k].value, 0, bytes);
        }
        cr_assert_eq(swq_multilevel_new_varying(ctx, &t.p, &g, 0, &m), SWQ_OK);
        for (int k = 0; k < t.p.factors; k++) {
            memcpy(t.p.factor[k].value, value[k],
                   sizeof *value[k] * (size_t)swq_csr_nnz(&t.p.factor[k]));
            free(value[k]);
        }
        start_at(truth.n, 0, rng, b, x);
        cr_assert_eq(swq_multilevel_solve(ctx, m, b, x, 1e-14, 20000, &change, &cycles), SWQ_OK);
        expect_solution(&truth, 0, b, x, 1e-10, "values that come later");
        swq_multilevel_free(ctx, m);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
        test_grouping_free(&g);
        test_product_free(&t);
    }
    gsl_rng_free(rng);
}

/* In the preparation, and in the elimination within a cycle. */
Test(multilevel, every_failing_allocation_is_reported)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;

    for (int sweeps = 0; sweeps < 2; sweeps++) {
        test_product t;
        draw(rng, 2, 10, sweeps, &t, &truth);
        swq_grouping g = test_grouping_new(rng, &t.p, TEST_RANDOM, 2);
        for (int variant = 0; variant < 4; variant++) {
            swq_status status = SWQ_ENOMEM;
            size_t k = 0;
            for (; status; k++) {
                swq_context *ctx = swq_context_new();
                swq_multilevel *m = NULL;
                double b[TEST_STATES], x[TEST_STATES], change;
                int64_t cycles = 0;
                swq_context_fail_allocations(ctx, k, variant % 2);
                status = swq_multilevel_new(ctx, &t.p, variant < 2 ? &g : NULL, 0, sweeps, &m);
                cr_assert((status == SWQ_OK) == (m != NULL));
                if (!status) {
                    start_at(truth.n, 0, rng, b, x);
                    status = swq_multilevel_solve(ctx, m, b, x, 1e-3, 1000, &change, &cycles);
                }
                cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
                swq_multilevel_free(ctx, m);
                cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
                swq_context_free(ctx);
            }
            cr_assert(k > 15, "%zu", k);
        }
        test_grouping_free(&g);
        test_product_free(&t);
    }
    gsl_rng_free(rng);
}
