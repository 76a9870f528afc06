/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One memory for all outputs: the project's own chains, numbers, the decay rate of one queue, and
 * how far off independence is.
 */
#include "tests/models/formulas/rows.h"

static double chain(int ports, double load, int slots, double *mean)
{
    swq_context *ctx = swq_context_new();
    double loss;

    cr_assert_eq(swq_shared_output_chain(ctx, ports, load, slots, &loss, mean), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return loss;
}

static double tail(int ports, double load, int slots)
{
    swq_context *ctx = swq_context_new();
    double t;

    cr_assert_eq(swq_shared_output_tail(ctx, ports, load, slots, &t), SWQ_OK);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return t;
}

/* A pool is this switch. */
Test(shared_output, is_the_pool)
{
    swq_context *ctx = swq_context_new();

    for (int ports = 2; ports <= 4; ports++) {
        for (int slots = 1; slots <= (ports == 4 ? 1 : 4); slots++) {
            for (double load = 0.25; load <= 1; load += 0.25) {
                swq_switch sw = test_switch(ctx, "cbda", ports, slots, load, "random");
                swq_answers a = test_solve(ctx, &sw, "auto");
                double mean, loss = chain(ports, load, ports * slots, &mean);
                assert_relative(loss, a.discard.value, 1e-12, "%d ports, %d slots, load %g: %.15g",
                                ports, slots, load, loss);
                assert_relative(mean, a.mean_packets, 1e-12, "%d ports, %d slots, load %g", ports,
                                slots, load);
                swq_answers_clear(ctx, &a);
            }
        }
    }
    swq_context_free(ctx);
}

Test(shared_output, numbers)
{
    const int slots[] = {16, 17, 20, 24, 29};
    const double loss[] = {1.6046e-6, 7.1318e-7, 6.2611e-8, 2.4430e-9, 4.2365e-11};
    double mean;

    for (int k = 0; k < 5; k++)
        assert_relative(chain(2, 0.8, slots[k], &mean), loss[k], 4e-5, "%d slots", slots[k]);
    /* in the limit, each further slot reduces it by ((p/2) / (1 - p/2))^2 */
    assert_relative(chain(2, 0.8, 61, &mean) / chain(2, 0.8, 60, &mean), 4.0 / 9, 1e-9, "decay");
    assert_relative(mean, 1.6, 1e-12, "as without end");
    cr_assert(chain(2, 0, 8, &mean) == 0 && mean == 0);
    /* always full if all inputs always send */
    assert_relative(chain(2, 1, 1, &mean), 0.5, 1e-14, "one slot");
}

/* Two independent queues with geometric tails, summed by hand. */
Test(shared_output, independent)
{
    const double a = 0.4, z = a * a / (0.6 * 0.6); /* q_m = (1 - s) z^m beyond 0, s = q's decay */
    double q[200], sum = 0;
    const int enough[][2] = {{2, 21}, {4, 36}, {8, 55}, {16, 82}};

    q[0] = 0.2 / 0.36;
    q[1] = q[0] * 0.16 / 0.36;
    for (int m = 2; m < 200; m++)
        q[m] = q[m - 1] * z;
    for (int k = 398; k >= 10; k--)
        for (int i = k < 200 ? 0 : k - 199; i <= k && i < 200; i++)
            sum += q[i] * q[k - i];
    assert_relative(tail(2, 0.8, 10), sum, 1e-12, "%.15g", sum);
    for (int k = 0; k < 4; k++) {
        char text[40];
        snprintf(text, sizeof text, "%d 0.8 10", enough[k][0]);
        cr_assert_eq(row_value("shared-output-independent", text, "enough"), enough[k][1], "%s",
                     text);
        cr_assert(tail(enough[k][0], 0.8, enough[k][1]) < 1e-6 &&
                  tail(enough[k][0], 0.8, enough[k][1] - 1) >= 1e-6);
    }
    cr_assert_eq(tail(4, 1, 100), 1);
    cr_assert(isnan(row_value("shared-output-independent", "4 1 10", "enough")));
    cr_assert(isnan(row_value("shared-output-independent", "4 0.999 10", "enough")));
    assert_relative(tail(1024, 0.5, 300) + 1, 2, 0.5, "many ports");
    /* light load and a far tail: no digits are lost to 1 - x */
    cr_assert(tail(2, 0.1, 40) > 0 && tail(2, 0.1, 40) < 1e-60);
}

/* The row's claim: an overestimate. */
Test(shared_output, too_careful)
{
    const int least[][2] = {{2, 17}, {4, 29}};
    double mean;

    for (int k = 0; k < 2; k++) {
        cr_assert(chain(least[k][0], 0.8, least[k][1], &mean) < 1e-6);
        cr_assert(chain(least[k][0], 0.8, least[k][1] - 1, &mean) >= 1e-6);
    }
}

Test(shared_output, bad_input)
{
    row_fails("shared-output-chain", "7 0.8 10", SWQ_EINVAL, "ports");
    row_fails("shared-output-chain", "4 0.8 60", SWQ_ELIMIT, "2000 states");
    row_fails("shared-output-independent", "4 0.8 1001", SWQ_EINVAL, "slots");
    cr_assert(row_without_memory("shared-output-chain", "2 0.8 8") >= 7);
    cr_assert(row_without_memory("shared-output-independent", "2 0.8 8") >= 1);
}
