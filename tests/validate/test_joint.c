/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers judged together: numbers that lean to one side by less than any tolerance, noise
 * that is too large, digits that are rounded or truncated, and what is left out.
 */
#include "switchq/joint.h"
#include "tests/support/support.h"

#include <math.h>

enum { NUMBERS = 40 };

/* Numbers 1.0, 1.1, ... with one digit, and values that lie `lean` below in all of them, with
 * `noise` to both sides in turn. */
static void make(swq_joint_number number[NUMBERS], double lean, double noise)
{
    for (int k = 0; k < NUMBERS; k++) {
        const double printed = 1 + 0.1 * k;
        number[k] = (swq_joint_number){
            .part = "discards",
            .printed = printed,
            .unit = 0.1,
            .found = printed - lean + (k % 4 < 2 ? noise : -noise),
            .error = 0.02,
        };
    }
}

Test(joint, a_table_that_leans_does_not_agree)
{
    swq_joint_number number[NUMBERS];

    make(number, 0.04, 0.005); /* within half a digit, each of them */
    swq_joint joint = swq_joint_judge(number, NUMBERS, NULL);
    cr_expect_eq(joint.verdict, SWQ_JOINT_DIFFERS);
    cr_expect_eq(joint.part[0].above, NUMBERS);
    cr_expect_float_eq(joint.part[0].sign_p, pow(0.5, NUMBERS - 1), 1e-15);
    cr_expect(joint.part[0].chi_p > 0.001, "no chi-square sees it: %g", joint.part[0].chi_p);

    joint = swq_joint_judge(number, NUMBERS, "everything");
    cr_expect_eq(joint.verdict, SWQ_JOINT_KNOWN);
    cr_expect_str_eq(joint.known, "everything");
}

Test(joint, a_table_that_scatters_too_far_does_not_agree)
{
    swq_joint_number number[NUMBERS];

    make(number, 0, 0.08);
    swq_joint joint = swq_joint_judge(number, NUMBERS, NULL);
    cr_expect_eq(joint.verdict, SWQ_JOINT_DIFFERS);
    cr_expect_eq(joint.part[0].above, joint.part[0].below, "no sign test sees it");
    cr_expect(joint.part[0].chi_p < 1e-6);

    make(number, 0, 0.03);
    joint = swq_joint_judge(number, NUMBERS, "everything");
    cr_expect_eq(joint.verdict, SWQ_JOINT_AGREES);
    cr_expect_null(joint.known, "there is nothing to explain");
}

/* 40 numbers between 1 and 4 with one digit, of values that go by the golden ratio. */
static swq_joint judge_digits(double half)
{
    swq_joint_number number[NUMBERS];

    for (int k = 0; k < NUMBERS; k++) {
        const double value = 1 + 3 * fmod(0.6180339887 * k, 1);
        number[k] =
            (swq_joint_number){"discards", floor(10 * value + half) / 10, 0.1, value, 0.001};
    }
    return swq_joint_judge(number, NUMBERS, NULL);
}

Test(joint, digits_may_be_rounded_or_truncated)
{
    const swq_joint rounded = judge_digits(0.5), truncated = judge_digits(0),
                    raised = judge_digits(1);

    cr_expect_eq(rounded.verdict, SWQ_JOINT_AGREES);
    cr_expect_not(rounded.truncated);
    cr_expect_eq(truncated.verdict, SWQ_JOINT_AGREES);
    cr_expect(truncated.truncated);
    cr_expect_eq(raised.verdict, SWQ_JOINT_DIFFERS, "digits are not rounded up");
}

/* One part leans up and the other down: together they would look fair. */
Test(joint, parts_are_judged_by_themselves)
{
    swq_joint_number number[NUMBERS];

    make(number, 0.04, 0);
    for (int k = NUMBERS / 2; k < NUMBERS; k++) {
        number[k].part = "latencies";
        number[k].found += 0.08;
    }
    const swq_joint joint = swq_joint_judge(number, NUMBERS, NULL);
    cr_assert_eq(joint.parts, 2);
    cr_expect_eq(joint.verdict, SWQ_JOINT_DIFFERS);
    cr_expect_eq(joint.part[0].above, NUMBERS / 2);
    cr_expect_eq(joint.part[1].below, NUMBERS / 2);
}

Test(joint, numbers_without_a_digit_or_a_value_are_left_out)
{
    const swq_joint_number number[] = {
        {"discards", 0, 0.1, 0.4, 0.001},
        {"discards", 5, 0.1, NAN, 0.001},
        {"discards", 5, 0.1, 7, INFINITY},
    };

    cr_expect_eq(swq_joint_judge(number, 3, "x").verdict, SWQ_JOINT_NONE);
    cr_expect_str_eq(swq_joint_verdict_text(SWQ_JOINT_NONE), "not judged");
}

Test(joint, error_of_print_and_simulation)
{
    cr_expect_float_eq(swq_joint_error(1.96, 20000, 20000), sqrt(2), 1e-4);
    cr_expect_float_eq(swq_joint_error(1.96, 300, 100), 2, 1e-4);
}
