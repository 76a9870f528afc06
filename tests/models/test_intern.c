/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/intern.c: states are numbered in the order of first sight and keep their numbers.
 */
#include "models/intern.h"
#include "tests/support/support.h"

#include <gsl/gsl_rng.h>
#include <stdint.h>

static swq_context *ctx;
static swq_intern set;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_intern_clear(ctx, &set);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(intern, .init = setup, .fini = teardown, .timeout = 120);

enum { STATES = 20000 };

/* State k of a sequence without repetitions: k in base 29, words shuffled by multiplication. */
static void make(int k, int words, swq_word *state)
{
    for (int w = 0; w < words; w++, k /= 29)
        state[w] = (swq_word)(k % 29 * 7 % 29);
}

Test(intern, numbers_in_order_of_first_sight)
{
    static const swq_word states[][2] = {{0, 0}, {1, 0}, {0, 1}, {65535, 65535}};
    static const int64_t order[] = {2, 2, 0, 3, 0, 2, 1, 3};
    static const int64_t numbers[] = {0, 0, 1, 2, 1, 0, 3, 2};

    swq_intern_init(&set, 2);
    cr_assert_eq(swq_context_live_blocks(ctx), 0, "nothing is allocated before it is needed");
    for (int k = 0; k < 8; k++)
        cr_assert_eq(swq_intern_number(ctx, &set, states[order[k]]), numbers[k], "step %d", k);
    cr_assert_eq(set.count, 4);
    cr_assert_eq(memcmp(swq_intern_state(&set, 3), states[1], sizeof states[1]), 0);
}

Test(intern, growth_changes_no_number)
{
    for (int words = 3; words <= 40; words += 37) {
        swq_word state[40];
        swq_intern_init(&set, words);
        for (int k = 0; k < STATES; k++) {
            make(k, words, state);
            cr_assert_eq(swq_intern_number(ctx, &set, state), k);
            if (k % 7 == 0) { /* an old one now and then */
                make(k / 2, words, state);
                cr_assert_eq(swq_intern_number(ctx, &set, state), k / 2);
            }
            cr_assert(set.slots >= 2 * set.count && (set.slots & (set.slots - 1)) == 0,
                      "%lld slots for %lld", (long long)set.slots, (long long)set.count);
        }
        cr_assert_eq(set.count, STATES);
        for (int k = STATES - 1; k >= 0; k--) {
            make(k, words, state);
            cr_assert_eq(swq_intern_number(ctx, &set, state), k);
            cr_assert_eq(memcmp(swq_intern_state(&set, k), state, sizeof *state * (size_t)words),
                         0);
        }
        for (int k = 0; k < STATES + 4000; k++) { /* looking up adds nothing */
            make(k, words, state);
            cr_assert_eq(swq_intern_find(&set, state), k < STATES ? k : -1);
        }
        cr_assert_eq(set.count, STATES);
        swq_intern_clear(ctx, &set);
    }
}

/* Every word takes part in the comparison, wherever it is. */
Test(intern, one_word_makes_the_difference)
{
    swq_intern_init(&set, 30);
    for (int w = 0; w < 30; w++) {
        for (int value = 1; value <= 65535; value *= 3) {
            swq_word state[30] = {0};
            int64_t count = set.count;
            state[w] = (swq_word)value;
            cr_assert_eq(swq_intern_number(ctx, &set, state), count);
        }
    }
}

Test(intern, nothing_is_found_in_an_empty_set)
{
    swq_word state[2] = {0, 0};

    swq_intern_init(&set, 2);
    cr_assert_eq(swq_intern_find(&set, state), -1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    cr_assert_eq(swq_intern_number(ctx, &set, state), 0, "all zero is a state like any other");
    cr_assert_eq(swq_intern_find(&set, state), 0);
}

/* A failed allocation is reported, changes nothing, and the next attempt succeeds. */
Test(intern, every_allocation_failing)
{
    swq_word state[3];
    int failures = 0;

    swq_intern_init(&set, 3);
    for (int k = 0; k < 2000; k++) {
        make(k, 3, state);
        for (size_t after = 0;; after++) {
            swq_context_fail_allocations(ctx, after, false);
            int64_t number = swq_intern_number(ctx, &set, state);
            if (number >= 0) {
                cr_assert_eq(number, k);
                break;
            }
            failures++;
            cr_assert_eq(swq_memory_status(ctx), SWQ_ENOMEM);
            cr_assert_eq(set.count, k);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            for (int old = 0; old < k; old += 13) {
                swq_word known[3];
                make(old, 3, known);
                cr_assert_eq(memcmp(swq_intern_state(&set, old), known, sizeof known), 0);
            }
        }
    }
    cr_assert_eq(failures, 2 * 6); /* room for 64, 128, ... 2048; two blocks each */
}

Test(intern, several_are_found_at_once)
{
    for (int words = 1; words <= 9; words += 4) {
        swq_word state[SWQ_INTERN_SOME * 9];
        int32_t number[SWQ_INTERN_SOME];
        const int known = words == 1 ? 29 : 700;
        swq_intern_init(&set, words);
        for (int k = 0; k < SWQ_INTERN_SOME; k++)
            make(k, words, state + k * words);
        swq_intern_find_some(&set, state, SWQ_INTERN_SOME, number);
        for (int k = 0; k < SWQ_INTERN_SOME; k++)
            cr_assert_eq(number[k], -1, "an empty set has no states");
        for (int k = 0; k < known; k++) {
            swq_word one[9];
            make(k, words, one);
            cr_assert_eq(swq_intern_number(ctx, &set, one), k);
        }
        for (int from = 0; from < known + 40; from += SWQ_INTERN_SOME) {
            for (int k = 0; k < SWQ_INTERN_SOME; k++)
                make(from + k, words, state + k * words);
            swq_intern_find_some(&set, state, SWQ_INTERN_SOME, number);
            for (int k = 0; k < SWQ_INTERN_SOME; k++)
                cr_assert_eq(number[k], swq_intern_find(&set, state + k * words), "%d words: %d",
                             words, from + k);
        }
        swq_intern_clear(ctx, &set);
    }
}

Test(intern, trimmed_it_keeps_its_states_and_grows_again)
{
    swq_word state[3];

    for (int for_good = 0; for_good < 2; for_good++) {
        swq_intern_init(&set, 3);
        for (int k = 0; k < 500; k++) {
            make(k, 3, state);
            swq_intern_number(ctx, &set, state);
        }
        cr_assert_eq(swq_intern_trim(ctx, &set, for_good), SWQ_OK);
        cr_assert_eq(set.room, 500);
        make(77, 3, state);
        cr_assert_eq(swq_intern_find(&set, state), for_good ? -1 : 77);
        cr_assert_eq(swq_intern_number(ctx, &set, state), 77);
        cr_assert_eq(swq_intern_find(&set, state), 77);
        make(500, 3, state);
        cr_assert_eq(swq_intern_number(ctx, &set, state), 500);
        make(499, 3, state);
        cr_assert_eq(swq_intern_number(ctx, &set, state), 499);
        cr_assert_eq(set.count, 501);
        swq_intern_clear(ctx, &set);
    }
}
