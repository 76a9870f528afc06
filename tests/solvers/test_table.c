/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of methods: every row is whole and found by its name; auto chooses as it says.
 */
#include "base/blas.h"
#include "tests/solvers/chains.h"
#include "tests/support/space.h"

TestSuite(solver_table, .timeout = 120);

Test(solver_table, rows_are_complete_and_their_names_differ)
{
    cr_assert_str_eq(swq_solvers[0]->name, "auto");
    for (int k = 0; swq_solvers[k]; k++) {
        const swq_solver *s = swq_solvers[k];
        cr_assert(s->name && *s->name && s->summary && *s->summary && s->promise && *s->promise);
        for (int other = 0; other < k; other++)
            cr_assert_str_neq(s->name, swq_solvers[other]->name);
        /* systems on a matrix, or the iteration on a product; auto has neither */
        bool systems = s->prepare && s->visits && s->rewards && s->release;
        bool none = !s->prepare && !s->visits && !s->rewards && !s->release && !s->stationary;
        cr_assert(s->iterate || k == 0 ? none : systems, "%s", s->name);
        cr_assert_eq(s->iterative, s->iterate || s->iterations, "%s", s->name);
        cr_assert(!s->iterate || !s->iterations, "%s", s->name);
        cr_assert(s->relaxation == 0 || (s->iterate && s->relaxation > 0 && s->relaxation < 2));
    }
}

Test(solver_table, every_row_is_found_by_its_name)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; swq_solvers[k]; k++) {
        const swq_solver *found = NULL;
        cr_assert_eq(swq_solver_find(ctx, swq_solvers[k]->name, &found), SWQ_OK);
        cr_assert_eq(found, swq_solvers[k]);
    }
    swq_context_free(ctx);
}

Test(solver_table, an_unknown_name_is_refused_with_the_nearest)
{
    static const struct {
        const char *name, *nearest;
    } cases[] = {{"gauss-siedel", "'gauss-seidel'"},
                 {"umfpak", "'umfpack'"},
                 {"GTH", "'gth'"},
                 {"sparse_gth", "'sparse-gth'"},
                 {"jacobi", "known: auto, gth"},
                 {"", "known: auto, gth"}};
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const swq_solver *found = swq_solvers[3];
        cr_assert_eq(swq_solver_find(ctx, cases[c].name, &found), SWQ_EINVAL);
        cr_assert_eq(found, swq_solvers[3], "the output is untouched on failure");
        cr_assert(strstr(swq_context_message(ctx), cases[c].name));
        cr_assert(strstr(swq_context_message(ctx), cases[c].nearest), "%s",
                  swq_context_message(ctx));
    }
    swq_context_free(ctx);
}

/* The method that auto chooses for g; *why receives the reason. */
static const char *chosen_for(swq_context *ctx, const test_graph *g, const char **why)
{
    const swq_solver *chosen = NULL;
    swq_csr p = test_graph_matrix(g);

    cr_assert_eq(swq_solver_choose(ctx, swq_solvers[0], &p, &chosen, why), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(*why && strncmp(*why, "auto: ", 6) == 0, "a reason is given");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    test_matrix_free(&p);
    return chosen->name;
}

/* Paths do not fill in, so size alone decides, until memory does. */
Test(solver_table, auto_chooses_by_size_and_says_why)
{
    static const struct {
        int64_t states;
        size_t limit;
        const char *chosen, *reason;
    } cases[] = {
        {1, 0, "gth", "300 states"},
        {300, 0, "gth", "300 states"},
        {301, 0, "sparse-gth", "few enough states"},
        {3000, 0, "sparse-gth", "few enough states"},
        {3001, 0, "sparse-gth", "affordable"},
        {30000, 0, "sparse-gth", "affordable"},
        {30000, 10000000, "sparse-gth", "affordable"},
        {30000, 400000, "gauss-seidel", "memory limit"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_context *ctx = swq_context_new();
        const char *why = NULL;
        test_graph g = test_graph_birth_death(cases[c].states, 1, 2, 4);
        swq_context_limit_memory(ctx, cases[c].limit);
        cr_expect_str_eq(chosen_for(ctx, &g, &why), cases[c].chosen, "%lld states",
                         (long long)cases[c].states);
        cr_expect(strstr(why, cases[c].reason), "%lld states: %s", (long long)cases[c].states, why);
        test_graph_free(&g);
        swq_context_free(ctx);
    }
}

/* Random transitions among 30,000 states would fill in to a front of thousands. */
Test(solver_table, auto_leaves_elimination_where_it_would_fill_in)
{
    enum { N = 30000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_context *ctx = swq_context_new();
    test_graph g = test_graph_new(N);
    const char *why = NULL;

    for (int i = 0; i < N; i++) {
        int step = 2 + (int)gsl_rng_uniform_int(rng, N / 2 - 4);
        test_graph_add(&g, i, (i + 1) % N, 1);
        test_graph_add(&g, i, (i + step) % N, 1);
        test_graph_add(&g, i, (i + step + N / 2) % N, 1);
    }
    cr_assert_str_eq(chosen_for(ctx, &g, &why), "gauss-seidel");
    cr_assert(strstr(why, "2e11 multiplications"), "%s", why);
    test_graph_free(&g);
    swq_context_free(ctx);
    gsl_rng_free(rng);
}

Test(solver_table, choosing_reports_failing_allocations)
{
    test_graph g = test_graph_birth_death(3001, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);

    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t k = 0;
        for (; status; k++) {
            swq_context *ctx = swq_context_new();
            const swq_solver *chosen = NULL;
            const char *why;
            swq_context_fail_allocations(ctx, k, for_good);
            status = swq_solver_choose(ctx, swq_solvers[0], &p, &chosen, &why);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            swq_context_free(ctx);
        }
        cr_assert_gt(k, 1);
    }
    swq_context *ctx = swq_context_new();
    const swq_solver *chosen = NULL;
    const char *why;
    /* looking for an order takes memory, too; a method without one takes less */
    swq_context_limit_memory(ctx, 1000);
    cr_assert_eq(swq_solver_choose(ctx, swq_solvers[0], &p, &chosen, &why), SWQ_OK);
    cr_assert_str_eq(chosen->name, "gauss-seidel");
    cr_assert(strstr(why, "look for an order"), "%s", why);
    cr_assert_leq(swq_context_peak_bytes(ctx), 1000);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

Test(solver_table, a_named_method_is_kept_whatever_the_size)
{
    swq_context *ctx = swq_context_new();

    for (int64_t states = 1; states < 20000; states *= 9) {
        test_graph g = test_graph_birth_death(states, 1, 2, 4);
        swq_csr p = test_graph_matrix(&g);
        for (int k = 1; swq_solvers[k]; k++) {
            const char *why = "unset";
            const swq_solver *chosen = NULL;
            cr_assert_eq(swq_solver_choose(ctx, swq_solvers[k], &p, &chosen, &why), SWQ_OK);
            cr_assert_eq(chosen, swq_solvers[k]);
            cr_assert_null(why);
        }
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    swq_context_free(ctx);
}

/* Every method by itself, with every state as the root and arbitrary right-hand sides: y = b + y Q
 * and x = b + Q x. Systems may be solved in any order and any number of times. */
Test(solver_table, every_row_solves_its_two_systems)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const swq_solver_options options = swq_solver_options_defaults();

    cr_assert(swq_blas_ready()); /* as swq_solver_choose asks before it returns a row */
    for (int trial = 0; trial < 40; trial++) {
        int64_t n = 1 + trial % 20, root = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)n);
        test_graph g = test_graph_random(rng, n, 2, 20);
        swq_csr p = test_graph_matrix(&g);
        for (int k = 1; swq_solvers[k]; k++) {
            const swq_solver *s = swq_solvers[k];
            swq_context *ctx = swq_context_new();
            void *work = NULL;
            if (s->iterate) {
                swq_context_free(ctx);
                continue;
            }
            cr_assert_eq(s->prepare(ctx, &p, root, &options, &work), SWQ_OK, "%s: %s", s->name,
                         swq_context_message(ctx));
            for (int which = 0; which < 6; which++) {
                double b[20], x[20];
                long double exact[20];
                for (int64_t i = 0; i < n; i++)
                    b[i] = gsl_rng_uniform(rng) < 0.6 ? gsl_rng_uniform(rng) : 0;
                test_graph_system(&g, root, which % 2, b, exact);
                swq_status status =
                    which % 2 ? s->visits(ctx, work, b, x) : s->rewards(ctx, work, b, x);
                cr_assert_eq(status, SWQ_OK, "%s: %s", s->name, swq_context_message(ctx));
                for (int64_t i = 0; i < n; i++)
                    cr_assert(fabsl(x[i] - exact[i]) <= 1e-10L * exact[i] + 1e-15L,
                              "%s, trial %d, %s: entry %lld is %.17g, not %.17Lg", s->name, trial,
                              which % 2 ? "visits" : "rewards", (long long)i, x[i], exact[i]);
            }
            if (s->iterations)
                cr_assert(s->iterations(work) >= 6, "%s", s->name);
            s->release(ctx, work);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", s->name);
            swq_context_free(ctx);
        }
        test_matrix_free(&p);
        test_graph_free(&g);
    }
    gsl_rng_free(rng);
}

/* A method that iterates on a product prepares nothing; all others can release nothing, or what
 * they have prepared, which leaves no block behind. */
Test(solver_table, release_takes_nothing)
{
    swq_context *ctx = swq_context_new();
    test_graph g = test_graph_birth_death(8, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    swq_solver_options options = swq_solver_options_defaults();
    int prepared = 0;

    cr_assert(swq_blas_ready());
    for (int k = 1; swq_solvers[k]; k++) {
        const swq_solver *s = swq_solvers[k];
        void *work = NULL;
        cr_assert_neq(s->iterate == NULL, s->release == NULL, "%s", s->name);
        if (s->iterate)
            continue;
        s->release(ctx, NULL);
        cr_assert_eq(s->prepare(ctx, &p, 0, &options, &work), SWQ_OK, "%s", s->name);
        cr_assert(work && swq_context_live_blocks(ctx) > 0, "%s", s->name);
        s->release(ctx, work);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", s->name);
        prepared++;
    }
    cr_assert(prepared >= 4, "%d", prepared);
    cr_assert_str_empty(swq_context_message(ctx));
    test_matrix_free(&p);
    test_graph_free(&g);
    swq_context_free(ctx);
}

Test(solver_table, defaults_are_those_of_the_header)
{
    swq_solver_options options = swq_solver_options_defaults();

    cr_assert_eq(options.tolerance, 1e-14);
    cr_assert_eq(options.max_iterations, 100000);
    cr_assert_eq(options.enclosure, 1e-10);
}

/* If BLAS has no room, auto does without it, and a method that needs it is refused. */
Test(solver_table, without_address_space_for_blas)
{
    static const struct {
        int64_t states;
        const char *name;
    } cases[] = {{300, "gth"}, {301, "gth"}, {1500, "gth"}, {1501, "gauss-seidel"}};
    swq_context *ctx = swq_context_new();
    const char *why;

    test_limit_space(64);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        test_graph g = test_graph_birth_death(cases[c].states, 1, 2, 4);
        const char *name = chosen_for(ctx, &g, &why);
        cr_assert_str_eq(name, cases[c].name, "%lld states", (long long)cases[c].states);
        cr_assert(cases[c].states == 300 || strstr(why, "address space"), "%s", why);
        test_graph_free(&g);
    }
    test_graph g = test_graph_birth_death(10, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    const swq_solver_options options = swq_solver_options_defaults();
    for (int k = 0; swq_solvers[k]; k++) {
        swq_solution solution = {0};
        swq_status status = swq_solve(ctx, &p, 1, swq_solvers[k], &options, NULL, 0, &solution);
        cr_assert_eq(status, swq_solvers[k]->blas ? SWQ_ELIMIT : SWQ_OK, "%s: %s",
                     swq_solvers[k]->name, swq_context_message(ctx));
        swq_solution_clear(ctx, &solution);
    }
    test_limit_space(-1); /* a sanitizer maps memory at the end of the process */
    test_matrix_free(&p);
    test_graph_free(&g);
    swq_context_free(ctx);
}
