/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input smoothing: known frames, the sum as it is written, and a frame of one cycle.
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

TestSuite(formula_smoothing, .init = setup, .fini = teardown, .timeout = 240);

Test(formula_smoothing, frames_for_a_millionth)
{
    static const struct {
        int ports, frame;
    } row[] = {{2, 179}, {4, 248}, {8, 282}, {16, 299}, {32, 308}, {64, 312}, {1000000, 316}};
    int frame;
    double loss;

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cr_assert_eq(swq_smoothing_frame(ctx, row[k].ports, 0.8, 1e-6, &frame, &loss), SWQ_OK);
        cr_assert_eq(frame, row[k].frame, "%d ports: %d", row[k].ports, frame);
        cr_assert_eq(loss, swq_smoothing_loss(row[k].ports, 0.8, frame));
        cr_assert(loss <= 1e-6 && swq_smoothing_loss(row[k].ports, 0.8, frame - 1) > 1e-6);
    }
}

/* (1 / (b p)) sum over k > b of (k - b) C(Nb, k) (p/N)^k (1 - p/N)^(Nb-k), with each term a
 * product. */
static double as_written(int ports, double load, int frame)
{
    int trials = ports * frame;
    long double p = (long double)load / ports, term = 1, sum = 0;

    for (int k = 0; k < trials; k++)
        term *= 1 - p;
    for (int k = 0; k <= trials; k++) {
        if (k > frame)
            sum += (k - frame) * term;
        term *= (trials - k) / (k + 1.0L) * p / (1 - p);
    }
    return (double)(sum / (frame * (long double)load));
}

Test(formula_smoothing, the_sum_as_it_is_written)
{
    for (int ports = 2; ports <= 32; ports *= 2) {
        for (int frame = 1; frame <= 100; frame = 2 * frame + 1) {
            for (double load = 0.1; load <= 1; load += 0.3) {
                double got = swq_smoothing_loss(ports, load, frame),
                       want = as_written(ports, load, frame);
                assert_relative(got, want, 1e-12, "%d ports, %d at %g: %.17g, not %.17g", ports,
                                frame, load, got, want);
            }
        }
    }
}

Test(formula_smoothing, a_frame_of_one_cycle_is_an_output_slot)
{
    for (int ports = 2; ports <= 1000; ports *= 3) {
        double got = swq_smoothing_loss(ports, 0.9, 1);
        assert_relative(got, swq_output_queue_loss(ports, 0.9, 1, NULL), 1e-13, "%d", ports);
    }
}

Test(formula_smoothing, ends_of_the_range)
{
    int frame = 7;
    double loss = 7;

    cr_assert_eq(swq_smoothing_loss(1, 1, 5), 0);
    cr_assert_eq(swq_smoothing_loss(3, 0, 5), 0);
    cr_assert(isnan(swq_smoothing_loss(0, 0.5, 5)) && isnan(swq_smoothing_loss(2, 0.5, 0)));
    cr_assert(isnan(swq_smoothing_loss(2, 1.1, 5)) && isnan(swq_smoothing_loss(2, 0.5, 1000001)));
    cr_assert_eq(swq_smoothing_frame(ctx, 2, 0.5, 0, &frame, &loss), SWQ_EINVAL);
    cr_assert_eq(swq_smoothing_frame(ctx, 2, -1, 0.1, &frame, &loss), SWQ_EINVAL);
    cr_assert_eq(swq_smoothing_frame(ctx, 2, 1, 1e-6, &frame, &loss), SWQ_ELIMIT);
    cr_assert(frame == 7 && loss == 7);
    cr_assert_eq(swq_smoothing_frame(ctx, 2, 0.8, 1, &frame, &loss), SWQ_OK);
    cr_assert_eq(frame, 1);
}
