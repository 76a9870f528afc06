/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense LU: what is its own, the limit on its size and the honest end at a singular matrix. Its
 * answers are held against the truth with all other methods in test_solve.c.
 */
#include "tests/solvers/chains.h"

TestSuite(lu, .timeout = 240);

/* 46001 squared does not fit LAPACK's index, so it is refused before any memory is taken. */
Test(lu, too_many_states_are_refused)
{
    test_graph g = test_graph_birth_death(46001, 1, 2, 4);
    swq_csr p = test_graph_matrix(&g);
    swq_context *ctx = swq_context_new();
    swq_solution s = {.states = -7};

    cr_assert_eq(test_solve_matrix(ctx, &p, "lu", NULL, 0, &s), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "46000"), "%s", swq_context_message(ctx));
    cr_assert(strstr(swq_context_message(ctx), "46001"), "%s", swq_context_message(ctx));
    cr_assert(swq_context_peak_bytes(ctx) < 46001 * 300);
    cr_assert_eq(s.states, -7);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_matrix_free(&p);
    test_graph_free(&g);
}

/* An exit of 1e-20 is lost next to a loop of 1, so I - Q has a zero on its diagonal. */
Test(lu, a_matrix_that_rounds_to_singular_is_no_answer)
{
    int64_t start[] = {0, 2, 4};
    int32_t col[] = {0, 1, 0, 1};
    double value[] = {1, 1e-20, 1e-20, 1};
    const swq_csr p = {.rows = 2, .cols = 2, .start = start, .col = col, .value = value};

    for (int k = 0; k < 2; k++) {
        const char *name = k ? "umfpack" : "lu";
        swq_context *ctx = swq_context_new();
        swq_solution s = {.states = -7};
        cr_assert_eq(test_solve_matrix(ctx, &p, name, NULL, 0, &s), SWQ_ESINGULAR, "%s", name);
        cr_assert_eq(s.states, -7);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}
