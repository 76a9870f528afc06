/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slots and load for a given loss: against the direct question, closed forms, and targets that
 * nothing meets.
 */
#include "tests/support/support.h"

TestSuite(target, .timeout = 240);

static swq_status slots_for(swq_context *ctx, const char *buffer, int ports, double load,
                            double target, int *slots)
{
    const swq_buffer_kind *kind;
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers answers;
    swq_switch sw = test_switch(ctx, buffer, ports, ports, load, "random");
    const double alpha = sw.buffer.alpha = strcmp(buffer, "cbda") == 0 ? 1 : 0;

    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    swq_status status =
        swq_exact_slots_for_target(ctx, &sw, kind, target, 400, &options, slots, &answers);
    if (!status) {
        cr_assert(answers.discard.upper <= target);
        cr_assert_eq(sw.buffer.capacity, answers.capacity, "the buffer found comes back");
        cr_assert_eq(sw.buffer.alpha, alpha);
        swq_answers_clear(ctx, &answers);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    return status;
}

/* The size found meets the target and the next smaller one does not. */
Test(target, smallest_size)
{
    const struct {
        const char *buffer;
        int ports;
        double load, target;
    } cases[] = {{"fifo", 2, 0.5, 1e-6}, {"samq", 2, 0.8, 1e-3}, {"safc", 3, 0.5, 1e-2},
                 {"damq", 2, 0.5, 1e-9}, {"dafc", 2, 0.7, 1e-6}, {"cbda", 2, 0.8, 1e-6}};
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int slots = 0, step = strncmp(cases[c].buffer, "sa", 2) == 0 ? cases[c].ports : 1;
        cr_assert_eq(
            slots_for(ctx, cases[c].buffer, cases[c].ports, cases[c].load, cases[c].target, &slots),
            SWQ_OK, "%s", swq_context_message(ctx));
        swq_switch sw =
            test_switch(ctx, cases[c].buffer, cases[c].ports, slots, cases[c].load, "random");
        sw.buffer.alpha = strcmp(cases[c].buffer, "cbda") == 0 ? 1 : 0;
        cr_assert(test_discard(&sw) <= cases[c].target, "%s %d", cases[c].buffer, slots);
        cr_assert_gt(slots, step);
        sw = test_switch(ctx, cases[c].buffer, cases[c].ports, slots - step, cases[c].load,
                         "random");
        sw.buffer.alpha = strcmp(cases[c].buffer, "cbda") == 0 ? 1 : 0;
        cr_assert(test_discard(&sw) > cases[c].target, "%s %d is enough", cases[c].buffer,
                  slots - step);
    }
    swq_context_free(ctx);
}

/* A FIFO saturates at 3/4: above that, more slots do not help, and the search ends by itself. */
Test(target, no_size_will_do)
{
    swq_context *ctx = swq_context_new();
    int slots = 0;

    cr_assert_eq(slots_for(ctx, "fifo", 2, 0.9, 1e-3, &slots), SWQ_ERANGE);
    cr_assert(strstr(swq_context_message(ctx), "no longer falls"), "%s", swq_context_message(ctx));
    cr_assert_eq(slots_for(ctx, "fifo", 2, 0.9, 0, &slots), SWQ_EINVAL);
    cr_assert_eq(slots_for(ctx, "fifo", 2, 0.9, 1, &slots), SWQ_EINVAL);
    swq_context_free(ctx);
}

/* FIFO-1: D = p^2 / (2 (p^2 - p + 2)) solved for p. */
Test(target, largest_load)
{
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    const double targets[] = {1e-10, 1e-6, 1e-3, 0.1, 0.2};

    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        swq_answers answers;
        double d = targets[k], factor = 0;
        swq_switch sw = test_switch(ctx, "fifo", 2, 1, 0.5, "random");
        cr_assert_eq(swq_exact_load_for_target(ctx, &sw, d, &options, &factor, &answers), SWQ_OK,
                     "%s", swq_context_message(ctx));
        double p = (-2 * d + sqrt(4 * d * d + 16 * d * (1 - 2 * d))) / (2 * (1 - 2 * d));
        assert_relative(0.5 * factor, p, 1e-11, "target %g: load %.15g, not %.15g", d, 0.5 * factor,
                        p);
        assert_relative(answers.discard.value, d, 1e-10, "target %g", d);
        cr_assert_leq(answers.discard.upper, d, "target %g is not met for sure", d);
        swq_answers_clear(ctx, &answers);
    }
    swq_context_free(ctx);
}

/* At a load of 1e-6 the fullest states of a large buffer are too rare for a double: the search goes
 * on from loads at which they are not. */
Test(target, largest_load_of_a_large_buffer)
{
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers answers;
    double factor = 0;
    swq_switch sw = test_switch(ctx, "damq", 2, 12, 1e-6, "random");

    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &answers), SWQ_ECONVERGE);
    swq_answers_clear(ctx, &answers);
    sw.load[0] = sw.load[1] = 0.5;
    cr_assert_eq(swq_exact_load_for_target(ctx, &sw, 1e-6, &options, &factor, &answers), SWQ_OK,
                 "%s", swq_context_message(ctx));
    assert_relative(answers.discard.value, 1e-6, 1e-9, "the loss at the load that was found");
    swq_answers_clear(ctx, &answers);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(target, load_at_the_edges)
{
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers answers;
    double factor = 0;
    swq_switch sw = test_switch(ctx, "fifo", 2, 1, 0.5, "random");

    sw.load[1] = 0.25;
    cr_assert_eq(swq_exact_load_for_target(ctx, &sw, 0.5, &options, &factor, &answers), SWQ_OK);
    assert_relative(factor, 2, 1e-14, "the busiest input is always busy");
    swq_answers_clear(ctx, &answers);
    cr_assert_eq(swq_exact_load_for_target(ctx, &sw, 1e-15, &options, &factor, &answers),
                 SWQ_ERANGE);
    sw.load[0] = sw.load[1] = 0;
    cr_assert_eq(swq_exact_load_for_target(ctx, &sw, 0.1, &options, &factor, &answers), SWQ_EINVAL);
    sw.load[0] = 0.5;
    sw.flow = SWQ_BLOCK;
    cr_assert_eq(swq_exact_load_for_target(ctx, &sw, 0.1, &options, &factor, &answers), SWQ_EINVAL);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static void count_tries(void *arg, const char *stage, double done, double total)
{
    (void)done;
    (void)total;
    if (strcmp(stage, "slots tried") == 0)
        ++*(int *)arg;
}

/* The search in leaps finds the same size as the search step by step, with far fewer sizes
 * solved. */
Test(target, leaps_find_what_a_walk_finds)
{
    static const struct {
        const char *buffer;
        int ports, step, most_tries;
        double load, target;
    } cases[] = {{"fifo", 2, 1, 20, 0.72, 1e-5}, {"fifo", 3, 1, 14, 0.4, 1e-8},
                 {"damq", 2, 1, 14, 0.8, 1e-6},  {"safc", 2, 2, 14, 0.85, 1e-4},
                 {"cbda", 3, 1, 14, 0.9, 1e-5},  {"samq", 2, 2, 20, 0.9, 1e-3},
                 {"damq", 2, 1, 6, 0.3, 1e-3},   {"fifo", 2, 1, 30, 0.9, 0.1667}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_context *ctx = swq_context_new();
        int slots = 0, tries = 0, walked = 0;
        swq_context_watch(ctx, count_tries, &tries);
        cr_assert_eq(
            slots_for(ctx, cases[c].buffer, cases[c].ports, cases[c].load, cases[c].target, &slots),
            SWQ_OK, "%s", swq_context_message(ctx));
        for (int s = cases[c].step; walked == 0; s += cases[c].step) {
            swq_switch sw =
                test_switch(ctx, cases[c].buffer, cases[c].ports, s, cases[c].load, "random");
            sw.buffer.alpha = strcmp(cases[c].buffer, "cbda") == 0 ? 1 : 0;
            walked = test_discard(&sw) <= cases[c].target ? s : 0;
        }
        cr_assert_eq(slots, walked, "%s %g: %d slots, not %d", cases[c].buffer, cases[c].load,
                     slots, walked);
        cr_assert_leq(tries, cases[c].most_tries, "%s %g: %d sizes tried", cases[c].buffer,
                      cases[c].load, tries);
        swq_context_free(ctx);
    }
}

/* Wherever the target lies between two sizes. */
Test(target, every_size_is_found)
{
    enum { SIZES = 14 };
    double loss[SIZES + 1];
    swq_context *ctx = swq_context_new();

    for (int s = 1; s <= SIZES; s++) {
        swq_switch sw = test_switch(ctx, "damq", 2, s, 0.6, "random");
        loss[s] = test_discard(&sw);
    }
    for (int s = 2; s <= SIZES; s++) {
        int slots = 0;
        cr_assert_eq(slots_for(ctx, "damq", 2, 0.6, loss[s] * 1.001, &slots), SWQ_OK);
        cr_assert_eq(slots, s, "%d slots, not %d", slots, s);
        cr_assert_eq(slots_for(ctx, "damq", 2, 0.6, loss[s - 1] * 0.999, &slots), SWQ_OK);
        cr_assert_eq(slots, s, "%d slots, not %d: just below %d", slots, s, s - 1);
    }
    swq_context_free(ctx);
}

/* The loss of a pool at a high load falls ever faster at first, so a leap lands too far. */
Test(target, a_leap_too_far_is_taken_back)
{
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    swq_switch sw = test_switch(ctx, "cbda", 3, 1, 0.95, "random");
    const swq_buffer_kind *kind;
    swq_answers answers;
    int slots;

    cr_assert_eq(swq_buffer_kind_find(ctx, "cbda", &kind), SWQ_OK);
    cr_assert_eq(swq_exact_slots_for_target(ctx, &sw, kind, 1e-5, 400, &options, &slots, &answers),
                 SWQ_OK);
    swq_answers_clear(ctx, &answers);
    sw = test_switch(ctx, "cbda", 3, slots, 0.95, "random");
    cr_assert_leq(test_discard(&sw), 1e-5);
    sw = test_switch(ctx, "cbda", 3, slots - 1, 0.95, "random");
    cr_assert_gt(test_discard(&sw), 1e-5, "%d slots are enough", slots - 1);
    swq_context_free(ctx);
}
