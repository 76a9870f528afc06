/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last look at probabilities.
 */
#include "base/probability.h"
#include "tests/support/support.h"

Test(probability, what_is_one_and_what_is_not)
{
    static const double fine[] = {0, 1, 0.5, -0.0, -1e-9, 1 + 1e-9, 5e-324, NAN},
                        bad[] = {-1e-3, 1.001, 1.6e16, INFINITY, -INFINITY};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof fine / sizeof *fine; k++)
        cr_assert_eq(swq_probability_check(ctx, "chance", fine[k], 0), SWQ_OK, "%g", fine[k]);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        cr_assert_eq(swq_probability_check(ctx, "chance", bad[k], 0), SWQ_EINTERNAL, "%g", bad[k]);
        cr_assert(strstr(swq_context_message(ctx), "internal error: the chance came out as "), "%s",
                  swq_context_message(ctx));
    }
    cr_assert_eq(swq_probability_check(ctx, "chance", 1.3, 0.31), SWQ_OK);
    cr_assert_eq(swq_probability_check(ctx, "chance", 1.3, 0.29), SWQ_EINTERNAL);
    cr_assert_eq(swq_probability_check(ctx, "chance", -0.1, 0.5), SWQ_EINTERNAL);
    cr_assert_str_eq(swq_status_text(SWQ_EINTERNAL), "internal error");
    swq_context_free(ctx);
}
