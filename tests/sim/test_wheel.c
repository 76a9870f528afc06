/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timing wheel: what is due in a cycle is taken once, in order, and without what is due in
 * another.
 */
#include "sim/frame/wheel.h"
#include "tests/support/support.h"

#include <string.h>

/* More than 64 words of 64 numbers, so that a slot has several words that say which others are not
 * 0. */
enum { COUNT = 10000, AHEAD = 100 };

/* Takes all that is due in that cycle and compares it with what is expected. */
static void expect_due(const swq_wheel *wheel, uint32_t cycle, const bool *expected)
{
    swq_wheel_due due = swq_wheel_begin(wheel, cycle);
    uint32_t next = 0;

    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        for (; set; set &= set - 1) {
            const uint32_t number = due.word * 64 + (uint32_t)__builtin_ctzll(set);
            while (next < number)
                cr_assert_not(expected[next++]);
            cr_assert_eq(next++, number, "%u is taken twice, or too late", number);
            cr_assert(expected[number], "%u is not due", number);
        }
    }
    while (next < COUNT)
        cr_assert_not(expected[next++]);
}

Test(wheel, takes_what_is_due_once_and_in_order)
{
    static bool expected[2][COUNT], nothing[COUNT];
    swq_context *ctx = swq_context_new();
    swq_wheel wheel;
    uint32_t state = 1;

    cr_assert_eq(swq_wheel_new(ctx, COUNT, AHEAD, &wheel), SWQ_OK);
    for (int round = 0; round < 50; round++) {
        const uint32_t cycle = 7 * AHEAD * (uint32_t)round;
        memset(expected, 0, sizeof expected);
        for (int k = 0; k < 20 * round; k++) {
            state = state * 1664525u + 1013904223u;
            const uint32_t number = (state >> 8) % COUNT, later = state >> 31;
            expected[later][number] = true;
            swq_wheel_set(&wheel, cycle + later * AHEAD, number);
        }
        for (uint32_t number = 0; number < COUNT; number += COUNT - 1) {
            expected[0][number] = true;
            swq_wheel_set(&wheel, cycle, number);
        }
        expect_due(&wheel, cycle, expected[0]);
        expect_due(&wheel, cycle, nothing);
        expect_due(&wheel, cycle + AHEAD, expected[1]);
    }
    swq_wheel_free(ctx, &wheel);
    swq_context_free(ctx);
}

/* What is added while a cycle's numbers are taken, is taken as well. */
Test(wheel, takes_what_is_added_meanwhile)
{
    swq_context *ctx = swq_context_new();
    swq_wheel wheel;

    cr_assert_eq(swq_wheel_new(ctx, COUNT, AHEAD, &wheel), SWQ_OK);
    swq_wheel_set(&wheel, 3, 5000);
    swq_wheel_due due = swq_wheel_begin(&wheel, 3);
    cr_assert_eq(swq_wheel_take(&due), UINT64_C(1) << 5000 % 64);
    swq_wheel_set(&wheel, 3, 5100);
    cr_assert_eq(swq_wheel_take(&due), UINT64_C(1) << 5100 % 64);
    cr_assert_eq(due.word, 5100 / 64);
    cr_assert_eq(swq_wheel_take(&due), 0);
    swq_wheel_free(ctx, &wheel);
    swq_context_free(ctx);
}
