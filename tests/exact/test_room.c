/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exact/foresee.c: a chain takes what is foreseen, not more and not much less, so that a limit of
 * just that is kept; what does not fit is refused before it is begun. Not pinned: the numbers.
 */
#include "exact/foresee.h"
#include "tests/support/support.h"

#include <string.h>

TestSuite(room, .timeout = 100);

Test(room, a_chain_takes_what_is_foreseen)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
    } cases[] = {{"damq", "maximum", 3, 7}, {"damq", "random", 2, 20}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_context *ctx = swq_context_new();
        swq_switch sw = test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0.9,
                                    cases[k].arbiter);
        const swq_exact_options options = swq_exact_options_defaults();
        swq_answers answers = {0};
        swq_foreseen f;
        cr_assert_eq(swq_exact_foresee(ctx, &sw, &options, swq_exact_solve, &f), SWQ_OK);
        cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &answers), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const double taken = (double)swq_context_peak_bytes(ctx);
        cr_assert(f.bytes > taken && f.bytes < 1.5 * taken, "case %zu: %g, not %g", k, taken,
                  f.bytes);
        cr_assert_float_eq(f.states / (double)answers.states, 1, 0.15, "case %zu: %g states", k,
                           f.states);
        swq_answers_clear(ctx, &answers);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}

Test(room, what_does_not_fit_is_refused)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 4, 8, 0.9, "maximum");
    const swq_exact_options options = swq_exact_options_defaults();
    swq_answers answers = {0};

    swq_context_limit_memory(ctx, (size_t)8 << 30);
    cr_assert_eq(swq_exact_check_room(ctx, &sw, &options, swq_exact_solve), SWQ_ELIMIT);
    cr_assert_not_null(strstr(swq_context_message(ctx), "to solve"), "%s",
                       swq_context_message(ctx));
    cr_assert_not_null(strstr(swq_context_message(ctx), "(7 slots per input port would fit)"), "%s",
                       swq_context_message(ctx));
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &answers), SWQ_ELIMIT);
    cr_assert_lt(swq_context_peak_bytes(ctx), 1 << 20, "it began to generate");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* A method whose memory cannot be predicted, and a chain without an example, are limited to what
 * generation takes. */
Test(room, without_an_example_the_generation_decides)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 4, 7, 0.9, "maximum"),
               wide = test_switch(ctx, "damq", 8, 2, 0.9, "maximum");
    swq_exact_options options = swq_exact_options_defaults();
    swq_foreseen f;

    cr_assert_eq(swq_exact_foresee(ctx, &wide, &options, swq_exact_solve, &f), SWQ_OK);
    cr_assert_eq(swq_solver_find(ctx, "sparse-gth", &options.solver), SWQ_OK);
    cr_assert_eq(swq_exact_foresee(ctx, &sw, &options, swq_exact_solve, &f), SWQ_OK);
    cr_assert_eq(f.bytes, 0);
    swq_context_limit_memory(ctx, (size_t)1 << 30);
    cr_assert_eq(swq_exact_check_room(ctx, &sw, &options, swq_exact_solve), SWQ_ELIMIT);
    cr_assert_not_null(strstr(swq_context_message(ctx), "to generate"), "%s",
                       swq_context_message(ctx));
    swq_context_limit_memory(ctx, (size_t)20 << 30);
    cr_assert_eq(swq_exact_check_room(ctx, &sw, &options, swq_exact_solve), SWQ_OK);
    swq_context_free(ctx);
}
