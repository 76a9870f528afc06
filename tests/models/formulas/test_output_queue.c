/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output queues against the exact chain of a pooled buffer, of which each output may have so many
 * slots, and closed forms of special cases.
 */
#include "switchq/formula.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(formula_output_queue, .init = setup, .fini = teardown, .timeout = 240);

/* A pool with so many slots that `slots` per output are never lacking. */
static swq_answers chain(int ports, double load, int slots)
{
    swq_switch sw = test_switch(ctx, "cbda", ports, slots, load, "random");

    sw.buffer.queue_max = slots;
    return test_solve(ctx, &sw, "auto");
}

Test(formula_output_queue, finite_queues_are_those_of_the_chain)
{
    for (int ports = 2; ports <= 3; ports++) {
        for (int slots = 1; slots <= 6; slots++) {
            for (double load = 0.25; load <= 1; load += 0.25) {
                swq_answers a = chain(ports, load, slots);
                double left, loss = swq_output_queue_loss(ports, load, slots, &left);
                assert_relative(loss, a.discard.value, 1e-12, "%d ports, %d slots at %g", ports,
                                slots, load);
                assert_relative(1 + left / (load * (1 - loss)), a.mean_delay, 1e-12,
                                "delay with %d ports, %d slots at %g", ports, slots, load);
                swq_answers_clear(ctx, &a);
            }
        }
    }
}

/* Infinite queues: beyond 30 slots the probability is less than 1e-25. */
Test(formula_output_queue, infinite_queues_are_those_of_a_long_chain)
{
    swq_switch sw = test_switch(ctx, "cbda", 2, 30, 0.5, "random");
    swq_exact_options how = swq_exact_options_defaults();
    swq_packets_options packets = swq_packets_options_defaults();
    swq_delay delay = {0};

    cr_assert_eq(swq_exact_delay(ctx, &sw, &how, &packets, &delay), SWQ_OK);
    assert_relative(1 + swq_output_queue_wait(2, 0.5), delay.mean.value, 1e-12, "mean");
    assert_relative(swq_output_queue_wait_variance(2, 0.5), delay.variance.value, 1e-11,
                    "variance");
    swq_delay_clear(ctx, &delay);
    for (int ports = 2; ports <= 1000; ports = 3 * ports + 1) {
        double left, load = 0.7;
        double loss = swq_output_queue_loss(ports, load, 300, &left);
        assert_relative(left / load, swq_output_queue_wait(ports, load), 1e-12, "%d", ports);
        cr_assert(loss > 0 && loss < 1e-40);
    }
}

Test(formula_output_queue, known_values)
{
    assert_relative(swq_output_queue_wait(4, 0.8), 1.5, 1e-14, "4 ports");
    assert_relative(swq_output_queue_wait(1000000, 0.9), 4.5, 2e-6, "many");
    assert_relative(swq_output_queue_wait(2, 0.5), 0.25, 1e-15, "2 ports");
    assert_relative(swq_output_queue_wait_variance(2, 0.5), 0.25, 1e-15, "variance");
    cr_assert_float_eq(swq_output_queue_wait_variance(4, 0.5), 0.4368, 0.001);
    for (int ports = 2; ports <= 64; ports *= 2) {
        /* one slot: Patel's unbuffered switch; */
        double p = 0.6, kept = (1 - pow(1 - p / ports, ports)) / p;
        assert_relative(swq_output_queue_loss(ports, p, 1, NULL), 1 - kept, 1e-13, "%d", ports);
    }
    for (int slots = 1; slots <= 100000; slots *= 10) {
        /* two ports at load 1: all lengths are equally likely; a packet is lost if the queue is
         * full and both come */
        assert_relative(swq_output_queue_loss(2, 1, slots, NULL), 0.25 / slots, 1e-12, "%d", slots);
    }
}

/* Hluchyj and Karol's b: the slots in addition to that of the packet being sent. */
Test(formula_output_queue, slots_for_a_millionth)
{
    static const struct {
        int ports, room;
    } row[] = {{2, 15}, {4, 21}, {8, 25}, {16, 26}, {32, 27}, {1000000, 28}};
    int slots;
    double loss;

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cr_assert_eq(swq_output_queue_slots(ctx, row[k].ports, 0.8, 1e-6, &slots, &loss), SWQ_OK);
        cr_assert_eq(slots - 1, row[k].room, "%d ports: %d", row[k].ports, slots - 1);
        cr_assert_eq(loss, swq_output_queue_loss(row[k].ports, 0.8, slots, NULL));
        cr_assert(swq_output_queue_loss(row[k].ports, 0.8, slots - 1, NULL) > 1e-6);
    }
    cr_assert_float_eq(loss, 8.12e-7, 1e-9);
}

/* Each slot reduces the loss by the root of (1 - p/2 + p z/2)^2 = z, which is 1/9 at 0.5, however
 * small the loss. */
Test(formula_output_queue, small_losses_keep_their_digits)
{
    for (int slots = 20; slots <= 300; slots += 40) {
        double here = swq_output_queue_loss(2, 0.5, slots, NULL),
               next = swq_output_queue_loss(2, 0.5, slots + 1, NULL);
        assert_relative(next / here, 1.0 / 9, 1e-13, "%d slots: %.17g", slots, next / here);
    }
}

Test(formula_output_queue, ends_of_the_range)
{
    int slots = 7;
    double loss = 7;

    cr_assert(isinf(swq_output_queue_wait(2, 1)) && isinf(swq_output_queue_wait_variance(2, 1)));
    cr_assert_eq(swq_output_queue_wait(1, 1), 0);
    cr_assert_eq(swq_output_queue_wait_variance(1, 0.5), 0);
    cr_assert_eq(swq_output_queue_wait(8, 0), 0);
    cr_assert_eq(swq_output_queue_wait_variance(8, 0), 0);
    cr_assert_eq(swq_output_queue_loss(1, 1, 3, NULL), 0);
    cr_assert_eq(swq_output_queue_loss(4, 0, 3, NULL), 0);
    cr_assert(isnan(swq_output_queue_wait(0, 0.5)) && isnan(swq_output_queue_wait(2, 1.5)));
    cr_assert(isnan(swq_output_queue_wait_variance(2, NAN)));
    cr_assert(isnan(swq_output_queue_loss(2, 0.5, 0, NULL)));
    cr_assert_eq(swq_output_queue_slots(ctx, 2, 2, 1e-6, &slots, &loss), SWQ_EINVAL);
    cr_assert_eq(swq_output_queue_slots(ctx, 2, 0.5, 0, &slots, &loss), SWQ_EINVAL);
    cr_assert_eq(swq_output_queue_slots(ctx, 2, 1, 1e-9, &slots, &loss), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "100000"));
    cr_assert(slots == 7 && loss == 7);
    cr_assert_eq(swq_output_queue_slots(ctx, 1, 1, 1e-9, &slots, &loss), SWQ_OK);
    cr_assert(slots == 1 && loss == 0);
}
