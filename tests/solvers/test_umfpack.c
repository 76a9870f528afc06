/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UMFPACK: the matrix I - Q has to be assembled with the diagonal in its place, whether a row has
 * transitions on, before or behind it, or to the root alone. And what it and CHOLMOD allocate is
 * counted by the context, and kept below its limit.
 */
#include "solvers/solvers.h"
#include "tests/solvers/chains.h"

TestSuite(umfpack, .timeout = 240);

Test(umfpack, the_diagonal_finds_its_place_in_every_kind_of_row)
{
    /* clang-format off */
    test_graph g = test_graph_dense(6, (const double[]){
        0, 1, 0, 2, 0, 0, /* only after the diagonal */
        1, 0, 0, 0, 0, 0, /* only before it */
        1, 0, 1, 0, 0, 1, /* on it, and on both sides */
        0, 0, 1, 0, 1, 0, /* on both sides, not on it */
        0, 0, 3, 0, 1, 0, /* before and on it */
        0, 0, 0, 0, 2, 5  /* the last row */
    });
    /* clang-format on */
    const swq_solver *umfpack;
    const swq_solver_options options = swq_solver_options_defaults();
    swq_csr p = test_graph_matrix(&g);
    const double b[] = {1, 0, 2, 0, 0, 3};

    for (int64_t root = 0; root < 6; root++) {
        swq_context *ctx = swq_context_new();
        void *work;
        double x[6];
        long double exact[6];
        cr_assert_eq(swq_solver_find(ctx, "umfpack", &umfpack), SWQ_OK);
        cr_assert_eq(umfpack->prepare(ctx, &p, root, &options, &work), SWQ_OK);
        for (int visits = 0; visits < 2; visits++) {
            cr_assert_eq((visits ? umfpack->visits : umfpack->rewards)(ctx, work, b, x), SWQ_OK);
            test_graph_system(&g, root, visits, b, exact);
            for (int i = 0; i < 6; i++)
                cr_assert(fabsl(x[i] - exact[i]) <= 1e-13L * fabsl(exact[i]) + 1e-16L,
                          "root %lld, visits %d, entry %d: %.17g, not %.17Lg", (long long)root,
                          visits, i, x[i], exact[i]);
        }
        umfpack->release(ctx, work);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* The most that a method takes to factor the chain, or more than the limit. */
static size_t peak_of(const swq_csr *p, const char *name, size_t limit, size_t fail,
                      swq_status *got, char *said)
{
    const swq_solver_options options = swq_solver_options_defaults();
    swq_context *ctx = swq_context_new();
    const swq_solver *solver;
    void *work = NULL;

    swq_context_limit_memory(ctx, limit);
    cr_assert_eq(swq_solver_find(ctx, name, &solver), SWQ_OK);
    cr_assert_eq(swq_solver_has_room(ctx, solver), SWQ_OK);
    swq_context_fail_allocations(ctx, fail, true);
    *got = solver->prepare(ctx, p, 0, &options, &work);
    snprintf(said, 400, "%s", *got ? swq_context_message(ctx) : "");
    if (!*got)
        solver->release(ctx, work);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    cr_assert_eq(swq_context_live_bytes(ctx), 0);
    const size_t peak = swq_context_peak_bytes(ctx);
    swq_context_free(ctx);
    return peak;
}

/* UMFPACK's matrix takes 16 bytes for each entry, and 8 for each state. Its factors fill in, and
 * take several times as much; its order alone takes more than a copy of the matrix. */
Test(umfpack, memory_is_counted_and_limited)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    test_graph g = test_graph_random(rng, 900, 4, 100);
    swq_csr p = test_graph_matrix(&g);
    const size_t own = 16 * (size_t)(p.rows + swq_csr_nnz(&p));
    swq_status status;
    char said[400];

    const size_t free_peak = peak_of(&p, "umfpack", 0, SIZE_MAX, &status, said);
    cr_assert_eq(status, SWQ_OK);
    cr_expect_gt(free_peak, 5 * own, "%zu of %zu", free_peak, own);
    /* its own estimate comes before the numeric step, and is an upper bound */
    cr_expect_eq(peak_of(&p, "umfpack", 2 * free_peak, SIZE_MAX, &status, said), free_peak);
    cr_expect_eq(status, SWQ_OK, "%s", said);
    size_t peak = peak_of(&p, "umfpack", free_peak / 2, SIZE_MAX, &status, said);
    cr_expect_eq(status, SWQ_ELIMIT);
    cr_expect(strstr(said, "umfpack would take up to"), "%s", said);
    cr_expect_lt(peak, free_peak / 4, "%zu of %zu", peak, free_peak);
    /* not even its order fits */
    peak = peak_of(&p, "umfpack", own + 20000, SIZE_MAX, &status, said);
    cr_expect_eq(status, SWQ_ELIMIT);
    cr_expect_leq(peak, own + 20000);
    test_matrix_free(&p);
    test_graph_free(&g);
    gsl_rng_free(rng);
}

/* CHOLMOD's graph alone has two numbers of 8 bytes for each entry. */
Test(umfpack, so_is_that_of_cholmod)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    test_graph g = test_graph_random(rng, 900, 4, 100);
    swq_csr p = test_graph_matrix(&g);
    double multiplications, bytes;
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_sparse_gth_foresee(ctx, &p, &multiplications, &bytes), SWQ_OK);
    cr_expect_gt(swq_context_peak_bytes(ctx), 16 * (size_t)swq_csr_nnz(&p));
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
    gsl_rng_free(rng);
}

/* From 6,000 states on METIS dissects the graph, and takes 16 bytes for each of its entries beside
 * the 8 of CHOLMOD's two copies, of one triangle and of both: 28 for each edge and direction. */
Test(umfpack, and_what_metis_takes_beside_it)
{
    test_graph g = test_graph_birth_death(6000, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    double multiplications, bytes;
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_sparse_gth_foresee(ctx, &p, &multiplications, &bytes), SWQ_OK);
    const size_t peak = swq_context_peak_bytes(ctx);
    cr_expect_gt(peak, 28 * 2 * 5999 + 8 * 6000, "%zu", peak);
    cr_expect_eq(swq_context_live_bytes(ctx), 0);
    swq_context_limit_memory(ctx, 28 * 2 * 5999 + 8 * 6000);
    cr_expect_eq(swq_sparse_gth_foresee(ctx, &p, &multiplications, &bytes), SWQ_ELIMIT);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* Every allocation of the libraries fails in turn: an answer from less memory, or a status. */
Test(umfpack, every_allocation_of_the_libraries_may_fail)
{
    static const char *const names[] = {"umfpack", "sparse-gth"};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    test_graph g = test_graph_random(rng, 60, 3, 100);
    swq_csr p = test_graph_matrix(&g);
    char said[400];

    for (int k = 0; k < 2; k++) {
        swq_status status = SWQ_ENOMEM;
        size_t fail = 0;
        for (; status; fail++) {
            peak_of(&p, names[k], 0, fail, &status, said);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%s", said);
        }
        cr_expect_gt(fail, 20);
    }
    test_matrix_free(&p);
    test_graph_free(&g);
    gsl_rng_free(rng);
}
