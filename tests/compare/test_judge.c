/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contests judged by hand: what pairing finds that intervals apart do not, marks after correction
 * for their number, ranks, gains, and what is missing.
 */
#include "compare/judge.h"

#include <criterion/criterion.h>
#include <math.h>

enum { REPEATS = 6 };

static const bool more_better[2] = {true, true};

static swq_comparison judge(const double *value, int scenarios, int contestants, bool more,
                            swq_compared *standing)
{
    swq_comparison c = {.scenarios = scenarios,
                        .contestants = contestants,
                        .repeats = REPEATS,
                        .value = value,
                        .more_better = more ? more_better : NULL,
                        .confidence = 0.95,
                        .standing = standing};
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_contest_judge(ctx, &c), SWQ_OK);
    swq_context_free(ctx);
    return c;
}

static double gain_of(const swq_comparison *c, int k)
{
    double half;

    return swq_contest_gain(c, k, 0, 0, c->scenarios, &half);
}

/* Seeds shift both by 10, and their difference is 1 within 0.1. */
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
    cr_expect_float_eq(gain_of(&c, 1), 35.0 / 36, 1e-12);
}

Test(compare, more_may_be_better)
{
    swq_compared s[2];
    const swq_comparison c = judge(&close_pair[0][0], 1, 2, true, s);

    cr_expect_eq(c.winner[0], 1);
    cr_expect(s[1].wins && s[0].rank == 2);
    cr_expect_float_eq(gain_of(&c, 1), 36.0 / 35, 1e-12);
}

/* p of the second pair is 0.011: significant alone, but not as one of six. */
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
    cr_expect(isnan(gain_of(&c, 1)));
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

/* The two of a pair may have different numbers of repeats: those that both have count. */
Test(compare, pairs_are_of_what_both_have)
{
    static const double value[2][REPEATS] = {{10, 20, 30, 1e9, NAN, NAN},
                                             {11.1, 20.9, 31, 41.1, NAN, NAN}};
    static const int count[2] = {3, 4};
    swq_compared s[2];
    swq_comparison c = {.scenarios = 1,
                        .contestants = 2,
                        .repeats = REPEATS,
                        .value = &value[0][0],
                        .count = count,
                        .confidence = 0.95,
                        .standing = s};
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_contest_judge(ctx, &c), SWQ_OK);
    cr_expect(s[0].there && s[1].there);
    cr_expect_float_eq(s[0].mean, 20, 1e-12);
    cr_expect_float_eq(s[1].mean, 26.025, 1e-12);
    cr_expect_float_eq(s[1].behind, 1, 1e-12);
    cr_expect(s[0].rank == 1 && s[1].rank == 2);
    /* deviations 0.1, -0.1, 0 with 2 degrees of freedom: t = 4.302653 */
    cr_expect_float_eq(swq_contest_pair(&c, 0, 0, 1), 4.302653 * sqrt(0.02 / 2 / 3), 1e-6);
    swq_context_free(ctx);
}

/* A chain's value has its proven width; an approximation is in no pair and has no rank. */
Test(compare, what_is_exact_and_what_is_about)
{
    static const double value[4][REPEATS] = {{9.9, 10.1, 10, 10.05, 9.95, 10}, {10.2}, {11}, {1}};
    static const double narrow[4] = {0, 1e-9, 1e-9, 7}, wide[4] = {0, 0.5, 0.6, 7};
    static const swq_known_by by[4] = {SWQ_BY_SIMULATION, SWQ_BY_CHAIN, SWQ_BY_CHAIN,
                                       SWQ_BY_APPROXIMATION};
    static bool mark[16];
    swq_compared s[4];
    swq_comparison c = {.scenarios = 1,
                        .contestants = 4,
                        .repeats = REPEATS,
                        .value = &value[0][0],
                        .by = by,
                        .width = narrow,
                        .confidence = 0.95,
                        .standing = s,
                        .mark = mark};
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_contest_judge(ctx, &c), SWQ_OK);
    cr_expect_eq(c.pairs, 3);
    cr_expect_eq(c.best[0], 0);
    cr_expect_eq(c.winner[0], 0);
    cr_expect(s[0].rank == 1 && s[1].rank == 2 && s[2].rank == 3 && s[3].rank == 0);
    cr_expect(s[3].there && s[3].mean == 1);
    cr_expect(mark[0 * 4 + 1] && mark[1 * 4 + 2] && !mark[1 * 4 + 0] && !mark[3 * 4 + 0]);
    cr_expect(isnan(swq_contest_pair(&c, 0, 0, 3)));
    c.width = wide; /* the widths of the chains meet, and 10 is within 0.5 of 10.2 */
    cr_assert_eq(swq_contest_judge(ctx, &c), SWQ_OK);
    cr_expect(!mark[0 * 4 + 1] && !mark[1 * 4 + 2] && mark[0 * 4 + 2]);
    cr_expect_float_eq(s[1].half, 0.5, 1e-12);
    swq_context_free(ctx);
}

/* The mean over all repeats of one may order the pair differently from the repeats that both have,
 * which decide. */
Test(compare, the_direction_is_that_of_the_pairs)
{
    static const double value[2][REPEATS] = {{10, 20, 30, 90, 100, 110},
                                             {11, 21.01, 31, NAN, NAN, NAN}};
    static const int count[2] = {6, 3};
    static const bool more[1] = {true};
    swq_compared s[2];
    swq_comparison c = {.scenarios = 1,
                        .contestants = 2,
                        .repeats = REPEATS,
                        .value = &value[0][0],
                        .count = count,
                        .confidence = 0.95,
                        .standing = s};
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_contest_judge(ctx, &c), SWQ_OK);
    cr_expect_eq(c.best[0], 1);
    cr_expect(s[0].rank == 1 && s[1].rank == 2, "it needs less in each pair");
    cr_expect_float_eq(s[0].behind, -1.01 / 3 - 2.0 / 3, 1e-9);
    c.more_better = more;
    cr_assert_eq(swq_contest_judge(ctx, &c), SWQ_OK);
    cr_expect_eq(c.best[0], 0);
    cr_expect(s[0].rank == 2 && s[1].rank == 1);
    cr_expect_float_eq(s[1].behind, -1.01 / 3 - 2.0 / 3, 1e-9);
    swq_context_free(ctx);
}

/* Gains are over the scenarios that count for gains, relative to the first contestant that is in
 * all of these. */
Test(compare, gains_leave_out_scenarios_without)
{
    double value[2][3][REPEATS], half;
    bool no_gain[2] = {false, true};
    swq_compared s[6];

    for (int r = 0; r < REPEATS; r++) {
        value[0][0][r] = NAN;
        value[0][1][r] = 10 + r;
        value[0][2][r] = 5 + 0.5 * r;
        value[1][0][r] = value[1][1][r] = 1;
        value[1][2][r] = NAN;
    }
    swq_comparison c = judge(&value[0][0][0], 2, 3, false, s);
    cr_expect_eq(swq_contest_base(&c, 0, 2), 1);
    cr_expect(isnan(swq_contest_gain(&c, 2, 1, 0, 2, &half)), "it is not there in the second");
    c.no_gain = no_gain;
    cr_expect_eq(swq_contest_base(&c, 0, 2), 1);
    cr_expect_float_eq(swq_contest_gain(&c, 2, 1, 0, 2, &half), 2, 1e-12);
    cr_expect_lt(half, 1e-9);
    no_gain[0] = true;
    cr_expect(isnan(swq_contest_gain(&c, 2, 1, 0, 2, &half)), "over none");
}
