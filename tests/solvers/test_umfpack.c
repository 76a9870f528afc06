/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UMFPACK: the matrix I - Q has to be assembled with the diagonal in its place, whether a row has
 * transitions on, before or behind it, or to the root alone.
 */
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
