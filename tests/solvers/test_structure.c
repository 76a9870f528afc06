/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Closed classes, recurrent states and periods: graphs drawn by hand, random ones against
 * reachability by transitive closure, and long ones that recursion would not survive. Which of
 * several closed classes is reported first is not pinned.
 */
#include "tests/solvers/products.h"

TestSuite(structure, .timeout = 240);

static swq_structure find(swq_context *ctx, const test_graph *g)
{
    swq_structure found;
    swq_csr p = test_graph_matrix(g);

    cr_assert_eq(swq_structure_find(ctx, &p, &found), SWQ_OK, "%s", swq_context_message(ctx));
    test_matrix_free(&p);
    return found;
}

/* Asserts one closed class with `states` (ended by -1), and its period. */
static void expect(test_graph *g, const int64_t *states, int64_t period, const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_structure found = find(ctx, g);
    int64_t count = 0;

    cr_assert_eq(found.closed_classes, 1, "%s: %lld classes", what,
                 (long long)found.closed_classes);
    for (; states[count] >= 0; count++)
        cr_assert(count < found.recurrent && found.class_state[count] == states[count],
                  "%s: state %lld", what, (long long)count);
    cr_assert_eq(found.recurrent, count, "%s: %lld recurrent", what, (long long)found.recurrent);
    cr_assert_eq(found.period, period, "%s: period %lld", what, (long long)found.period);
    swq_structure_clear(ctx, &found);
    cr_assert_null(found.class_state);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_graph_free(g);
}

Test(structure, one_state)
{
    test_graph g = test_graph_dense(1, (const double[]){1});
    expect(&g, (const int64_t[]){0, -1}, 1, "loop");
}

Test(structure, a_cycle_has_its_length_as_period)
{
    for (int64_t n = 1; n <= 12; n++) {
        test_graph g = test_graph_new(n);
        int64_t all[16];
        for (int64_t i = 0; i < n; i++) {
            test_graph_add(&g, i, (i + 1) % n, 1);
            all[i] = i;
        }
        all[n] = -1;
        expect(&g, all, n, "cycle");
    }
}

Test(structure, a_loop_makes_a_cycle_aperiodic)
{
    test_graph g = test_graph_dense(3, (const double[]){0, 1, 0, 0, 1, 1, 1, 0, 0});
    expect(&g, (const int64_t[]){0, 1, 2, -1}, 1, "cycle with a loop");
}

/* Cycles of 4 and of 6 states through state 0. */
Test(structure, the_period_is_the_common_divisor_of_all_cycles)
{
    test_graph g = test_graph_new(9);
    const int64_t four[] = {0, 1, 2, 3, 0}, six[] = {0, 4, 5, 6, 7, 8, 0};

    for (int k = 0; k < 4; k++)
        test_graph_add(&g, four[k], four[k + 1], 1);
    for (int k = 0; k < 6; k++)
        test_graph_add(&g, six[k], six[k + 1], 1);
    expect(&g, (const int64_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, -1}, 2, "cycles of 4 and 6");
}

/* 3 -> 2 -> {0, 1}; 0 and 1 alternate: the loop at 3 must not count towards the period. */
Test(structure, transient_states_count_neither_as_recurrent_nor_for_the_period)
{
    test_graph g =
        test_graph_dense(4, (const double[]){0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1});
    expect(&g, (const int64_t[]){0, 1, -1}, 2, "two behind two");
}

Test(structure, the_closed_class_need_not_come_first)
{
    test_graph g =
        test_graph_dense(4, (const double[]){1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0});
    expect(&g, (const int64_t[]){2, 3, -1}, 1, "two after two");
}

Test(structure, several_closed_classes_are_counted)
{
    swq_context *ctx = swq_context_new();
    /* 0 leads to the loops 1, 2 and to the pair 3, 4 */
    test_graph g = test_graph_dense(5, (const double[]){0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1,
                                                        0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0});
    swq_structure found = find(ctx, &g);

    cr_assert_eq(found.closed_classes, 3);
    swq_structure_clear(ctx, &found);
    test_graph_free(&g);
    swq_context_free(ctx);
}

/* Random graphs, many of them reducible, against the transitive closure. */
Test(structure, random_graphs_agree_with_reachability)
{
    enum { N = 12 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_context *ctx = swq_context_new();
    int several = 0, transient = 0, periodic = 0;

    for (int trial = 0; trial < 2000; trial++) {
        int64_t n = 1 + (int64_t)gsl_rng_uniform_int(rng, N);
        bool reach[N][N] = {{false}};
        test_graph g = test_graph_new(n);
        for (int64_t i = 0; i < n; i++) {
            int degree = 1 + (int)gsl_rng_uniform_int(rng, 2);
            for (int d = 0; d < degree; d++) {
                int64_t j = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)n);
                if (!reach[i][j])
                    test_graph_add(&g, i, j, 1);
                reach[i][j] = true;
            }
        }
        for (int64_t k = 0; k < n; k++) {
            for (int64_t i = 0; i < n; i++) {
                for (int64_t j = 0; j < n; j++)
                    reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
            }
        }
        /* a state is recurrent if everything that it reaches reaches it; a class is counted at its
         * first state */
        int64_t classes = 0, recurs[N] = {0}, count = 0;
        for (int64_t i = 0; i < n; i++) {
            bool first = true;
            recurs[i] = 1;
            for (int64_t j = 0; j < n; j++) {
                recurs[i] = recurs[i] && (!reach[i][j] || reach[j][i]);
                first = first && (j >= i || !reach[i][j]);
            }
            classes += recurs[i] && first;
            count += recurs[i];
        }
        swq_structure found = find(ctx, &g);
        cr_assert_eq(found.closed_classes, classes, "trial %d", trial);
        for (int64_t k = 0; k < found.recurrent; k++) {
            cr_assert(recurs[found.class_state[k]], "trial %d", trial);
            cr_assert(k == 0 || found.class_state[k - 1] < found.class_state[k], "ascending");
        }
        if (classes == 1) {
            cr_assert_eq(found.recurrent, count, "trial %d", trial);
            if (count == n)
                cr_assert_eq(found.period, test_graph_period(&g), "trial %d", trial);
        }
        several += classes > 1;
        transient += count < n;
        periodic += classes == 1 && count == n && found.period > 1;
        swq_structure_clear(ctx, &found);
        test_graph_free(&g);
    }
    cr_assert(several > 100 && transient > 100 && periodic > 20, "%d %d %d", several, transient,
              periodic);
    swq_context_free(ctx);
    gsl_rng_free(rng);
}

/* A product has the structure of its multiplied-out matrix, whatever nodes lie between. */
Test(structure, products_are_like_their_matrices)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    int several = 0, transient = 0, periodic = 0;

    for (int trial = 0; trial < 1500; trial++) {
        swq_context *ctx = swq_context_new();
        test_product t;
        swq_structure found, of_matrix;
        swq_csr m = {0};
        test_product_random(rng, trial % 2, 0.6 * gsl_rng_uniform(rng), 10, &t);
        test_product_truth(&t, &truth);
        cr_assert_eq(swq_structure_of_product(ctx, &t.p, &found), SWQ_OK);
        cr_assert_eq(swq_product_multiply(ctx, &t.p, &m, NULL), SWQ_OK);
        cr_assert_eq(swq_structure_find(ctx, &m, &of_matrix), SWQ_OK);
        cr_assert_eq(found.closed_classes, truth.classes, "trial %d: %lld classes, not %lld", trial,
                     (long long)found.closed_classes, (long long)truth.classes);
        cr_assert_eq(found.closed_classes, of_matrix.closed_classes, "trial %d", trial);
        if (truth.classes == 1) {
            cr_assert_eq(found.recurrent, truth.recurrent, "trial %d", trial);
            cr_assert_eq(found.recurrent, of_matrix.recurrent, "trial %d", trial);
            for (int64_t k = 0; k < found.recurrent; k++)
                cr_assert_eq(found.class_state[k], truth.state[k], "trial %d", trial);
            cr_assert_eq(found.period, truth.period, "trial %d: period %lld, not %lld", trial,
                         (long long)found.period, (long long)truth.period);
            cr_assert_eq(found.period, of_matrix.period, "trial %d", trial);
        }
        several += truth.classes > 1;
        transient += truth.classes == 1 && truth.recurrent < truth.n;
        periodic += truth.classes == 1 && truth.period > 1;
        swq_structure_clear(ctx, &found);
        swq_structure_clear(ctx, &of_matrix);
        swq_csr_clear(ctx, &m);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        test_product_free(&t);
        swq_context_free(ctx);
    }
    cr_assert(several > 100 && transient > 100 && periodic > 50, "%d %d %d", several, transient,
              periodic);
    gsl_rng_free(rng);
}

/* A path of 100,000 states, either way round, ending in a loop or closed to a cycle. */
Test(structure, long_paths_do_not_overflow_the_stack)
{
    const int64_t n = 100000;
    swq_context *ctx = swq_context_new();

    for (int backwards = 0; backwards < 2; backwards++) {
        for (int closed = 0; closed < 2; closed++) {
            test_graph g = test_graph_new(n);
            for (int64_t i = 0; i < n; i++) {
                int64_t next = i < n - 1 ? i + 1 : closed ? 0 : i;
                test_graph_add(&g, backwards ? n - 1 - i : i, backwards ? n - 1 - next : next, 1);
            }
            swq_structure found = find(ctx, &g);
            cr_assert_eq(found.closed_classes, 1);
            cr_assert_eq(found.recurrent, closed ? n : 1);
            cr_assert_eq(found.period, closed ? n : 1);
            cr_assert_eq(found.class_state[0], closed || backwards ? 0 : n - 1);
            swq_structure_clear(ctx, &found);
            test_graph_free(&g);
        }
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(structure, every_failing_allocation_is_reported)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t k = 0; status; k++) {
            swq_context *ctx = swq_context_new();
            test_graph g = test_graph_birth_death(5, 1, 2, 4);
            swq_csr p = test_graph_matrix(&g);
            swq_structure found = {.closed_classes = -7};
            cr_assert(k < 100);
            swq_context_fail_allocations(ctx, k, for_good);
            status = swq_structure_find(ctx, &p, &found);
            if (status) {
                cr_assert_eq(status, SWQ_ENOMEM);
                cr_assert_eq(found.closed_classes, -7);
                cr_assert_null(found.class_state);
            } else {
                cr_assert_gt(k, 1, "at least two allocations");
                swq_structure_clear(ctx, &found);
            }
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            test_matrix_free(&p);
            test_graph_free(&g);
            swq_context_free(ctx);
        }
    }
}

Test(structure, the_memory_limit_is_kept)
{
    swq_context *ctx = swq_context_new();
    test_graph g = test_graph_birth_death(50, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    swq_structure found;

    swq_context_limit_memory(ctx, 1000);
    cr_assert_eq(swq_structure_find(ctx, &p, &found), SWQ_ELIMIT);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    test_matrix_free(&p);
    test_graph_free(&g);
    swq_context_free(ctx);
}
