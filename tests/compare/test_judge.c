/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contests judged by hand: what pairing finds that intervals apart do not, marks after correction
 * for their number, ranks, gains, and what is missing.
 */
#include "compare/judge.h"

#include <criterion/criterion.h>
#include <math.h>

enum { REPEATS = 6 };

static swq_comparison judge(const double *value, int scenarios, int contestants, bool more,
                            swq_compared *standing)
{
    swq_comparison c = {.scenarios = scenarios,
                        .contestants = contestants,
                        .repeats = REPEATS,
                        .value = value,
                        .more_is_better = more,
                        .confidence = 0.95,
                        .standing = standing};
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_contest_judge(ctx, &c), SWQ_OK);
    swq_context_free(ctx);
    return c;
}

/* Seeds move both by 10, and their difference is 1 within 0.1. */
static const double close_pair[2][REPEATS] = {{10, 20, 30, 40, 50, 60},
                                              {11.1, 20.9, 31, 41.1, 50.9, 61}};

Test(compare, pairs_part_where_intervals_overlap)
{
    swq_compared s[2];
    const swq_comparison c = judge(&close_pair[0][0], 1, 2, false, s);

    cr_expect_eq(c.winner[0], 0);
    cr_expect(s[0].wins && s[0].rank == 1 && s[1].rank == 2);
    cr_expect(s[0].mean + s[0].half > s[1].mean, "they overlap by themselves");
    cr_expect_float_eq(s[1].behind, 1, 1e-12);
    /* deviations 0.1, -0.1, 0, 0.1, -0.1, 0 with 5 degrees of freedom: t = 2.570582 */
    cr_expect_float_eq(s[1].behind_half, 2.570582 * sqrt(0.04 / 5 / 6), 1e-6);
    cr_expect_gt(c.ratio[0], 100);
    cr_expect_float_eq(c.gain[1], 35.0 / 36, 1e-12);
}

Test(compare, more_may_be_better)
{
    swq_compared s[2];
    const swq_comparison c = judge(&close_pair[0][0], 1, 2, true, s);

    cr_expect_eq(c.winner[0], 1);
    cr_expect(s[1].wins && s[0].rank == 2);
    cr_expect_float_eq(c.gain[1], 36.0 / 35, 1e-12);
}

/* p of the second pair is 0.011: more than chance alone, but not as one of six. */
Test(compare, marks_are_corrected_for_their_number)
{
    static const double value[][REPEATS] = {{5, 5, 5, 5, 5, 5}, {5.9, 6.2, 5.1, 5.5, 6.3, 5.2}};
    static const double many[4][REPEATS] = {{5, 5, 5, 5, 5, 5},
                                            {5.9, 6.2, 5.1, 5.5, 6.3, 5.2},
                                            {5.9, 5.1, 6.2, 5.5, 5.2, 6.3},
                                            {5.5, 6.3, 5.1, 5.9, 5.2, 6.2}};
    swq_compared s[4];
    swq_comparison c = judge(&value[0][0], 1, 2, false, s);

    cr_expect_eq(c.winner[0], 0);
    c = judge(&many[0][0], 1, 4, false, s);
    cr_expect_eq(c.pairs, 6);
    cr_expect_eq(c.winner[0], -1);
    for (int k = 0; k < 4; k++)
        cr_expect(s[k].rank == 1 && !s[k].wins);
}

Test(compare, what_is_missing_is_blank)
{
    static const double value[3][REPEATS] = {
        {10, 20, 30, 40, 50, 60}, {1, 2, NAN, 4, 5, 6}, {11.1, 20.9, 31, 41.1, 50.9, 61}};
    swq_compared s[3];
    const swq_comparison c = judge(&value[0][0], 1, 3, false, s);

    cr_expect(!s[1].there);
    cr_expect_eq(c.pairs, 1);
    cr_expect_eq(c.winner[0], 0);
    cr_expect(isnan(c.gain[1]));
}

Test(compare, equals_are_nobodys_win)
{
    static const double value[2][REPEATS] = {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}};
    swq_compared s[2];
    const swq_comparison c = judge(&value[0][0], 1, 2, false, s);

    cr_expect_eq(c.winner[0], -1);
    cr_expect(s[0].rank == 1 && s[1].rank == 1);
    cr_expect(isnan(c.ratio[0]));
}
