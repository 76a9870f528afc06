/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mean fields of blocking networks: printed numbers, two independent forms of the same equations,
 * single stages that are exact, how much too high they are above simulations, and what Dias and
 * Jump (1981) and Kumar and Jump (1984) observed, of both.
 */
#include "tests/models/formulas/rows.h"
#include "tests/sim/samples.h"

typedef struct {
    double throughput, delay;
} figures;

static figures delta(int ports, int stages, int slots, bool same, double load)
{
    swq_context *ctx = swq_context_new();
    figures f;

    cr_assert_eq(swq_blocking_delta(ctx, ports, stages, slots, same, load, &f.throughput, &f.delay),
                 SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return f;
}

static figures jenq(int stages, double load)
{
    swq_context *ctx = swq_context_new();
    figures f;

    cr_assert_eq(swq_jenq(ctx, stages, load, &f.throughput, &f.delay), SWQ_OK);
    swq_context_free(ctx);
    return f;
}

Test(blocking, saturation)
{
    const int stages[] = {1, 2, 3, 4, 5, 6, 8, 10, 12};
    const double expected[] = {0.75,     0.633308, 0.569616, 0.530991, 0.505729,
                               0.488255, 0.466210, 0.453288, 0.445038};
    const double yoon[][2] = {
        {0.4883, 0.4974}, {0.6155, 0.5800}, {0.6826, 0.6287}, {0.7164, 0.6553}};
    const double small[] = {0.2793, 0.5353, 0.6183, 0.6528};

    for (int k = 0; k < 9; k++)
        cr_assert_float_eq(jenq(stages[k], 1).throughput, expected[k], 6e-7, "%d stages",
                           stages[k]);
    for (int k = 0; k < 4; k++) {
        cr_assert_float_eq(delta(2, 6, 1 << k, true, 1).throughput, yoon[k][0], 6e-5);
        cr_assert_float_eq(delta(4, 3, 1 << k, true, 1).throughput, yoon[k][1], 6e-5);
        cr_assert_float_eq(delta(4, 3, 1 << k, false, 1).throughput, small[k], 6e-5);
    }
    assert_relative(row_value("jenq", "6 1", "throughput"), jenq(6, 1).throughput, 0, "row");
    assert_relative(row_value("yoon-lee-liu", "4 3 2 1", "accepted"),
                    delta(4, 3, 2, true, 1).throughput, 0, "row");
    assert_relative(row_value("small-cycle", "4 3 2 1", "throughput"),
                    delta(4, 3, 2, false, 1).throughput, 0, "row");
}

/* One slot and 2 x 2 switches: Jenq's own equations. */
Test(blocking, two_forms_agree)
{
    for (int n = 1; n <= 10; n++) {
        for (double p = 0; p <= 1; p += 0.125) {
            figures a = jenq(n, p), b = delta(2, n, 1, true, p);
            assert_relative(a.throughput, b.throughput, 1e-12, "%d stages, load %g", n, p);
            assert_relative(a.delay, b.delay, 1e-12, "%d stages, load %g: %.15g %.15g", n, p,
                            a.delay, b.delay);
        }
    }
}

/* Both heads are always there, as in saturated input queues: 3/4. */
Test(blocking, one_stage_of_two_ports)
{
    swq_context *ctx = swq_context_new();
    double exact;

    cr_assert_eq(swq_hol_saturation(ctx, 2, 1, &exact), SWQ_OK);
    assert_relative(jenq(1, 1).throughput, exact, 1e-13, "saturated");
    swq_context_free(ctx);
}

/* Nothing is lost on the way, and at light load packets meet no others. */
Test(blocking, light_load)
{
    for (int same = 0; same < 2; same++) {
        figures f = delta(4, 5, 4, same, 1e-6);
        assert_relative(f.throughput, 1e-6, 1e-9, "%.15g", f.throughput);
        cr_assert_float_eq(f.delay, 5, 1e-5);
        f = delta(2, 3, 2, same, 0);
        cr_assert(f.throughput == 0 && f.delay == 3);
    }
}

/* Each too high by what its row says, give or take 2%. */
Test(blocking, against_simulation, .timeout = 240)
{
    const struct {
        int ports, stages, slots;
        bool same;
        double high;
    } cases[] = {{2, 2, 1, true, 0.05},  {2, 3, 1, true, 0.10},  {2, 6, 1, true, 0.26},
                 {2, 6, 2, true, 0.26},  {2, 6, 4, true, 0.19},  {4, 3, 1, true, 0.20},
                 {4, 3, 2, true, 0.24},  {4, 3, 8, true, 0.16},  {4, 3, 1, false, 0.15},
                 {4, 3, 2, false, 0.23}, {4, 3, 4, false, 0.22}, {4, 3, 8, false, 0.16}};
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_switch sw = test_switch(ctx, "fifo", cases[c].ports, cases[c].slots, 1, "random");
        sw.flow = SWQ_BLOCK;
        sw.credit = cases[c].same ? SWQ_CREDIT_SAME : SWQ_CREDIT_NEXT;
        swq_network network = network_in_stages(ctx, "omega", cases[c].stages, &sw);
        swq_sim_options options = run_of(11, 1, 500, cases[c].stages < 4 ? 6000 : 3000);
        double t = simulate(ctx, &network, &options).all.throughput.mean;
        double formula =
            delta(cases[c].ports, cases[c].stages, cases[c].slots, cases[c].same, 1).throughput;
        cr_assert(fabs(formula / t - 1 - cases[c].high) < 0.02, "case %zu: %+.3f", c,
                  formula / t - 1);
    }
    swq_context_free(ctx);
}

/* Dias and Jump (1981): throughput gains little from more than four slots, and delay at saturation
 * grows in proportion to the slots. In the recursion, and simulated. */
Test(blocking, dias_and_jump, .timeout = 240)
{
    swq_context *ctx = swq_context_new();

    for (int way = 0; way < 2; way++) {
        figures f[4];
        for (int k = 0; k < 4; k++) {
            if (way == 0) {
                f[k] = delta(2, 6, 1 << k, true, 1);
                continue;
            }
            swq_switch sw = test_switch(ctx, "fifo", 2, 1 << k, 1, "random");
            sw.flow = SWQ_BLOCK;
            sw.credit = SWQ_CREDIT_SAME;
            swq_network network = network_in_stages(ctx, "omega", 6, &sw);
            swq_sim_options options = run_of(3, 1, 500, 2500);
            swq_sim_result r = simulate(ctx, &network, &options);
            f[k] = (figures){r.all.throughput.mean, r.all.latency.mean};
        }
        double gain[3];
        for (int k = 0; k < 3; k++)
            gain[k] = f[k + 1].throughput - f[k].throughput;
        cr_assert(gain[0] > gain[1] && gain[1] > gain[2] && gain[2] > 0, "%g %g %g", gain[0],
                  gain[1], gain[2]);
        cr_assert(gain[2] < 0.13 * f[2].throughput, "%d: %g", way, gain[2]);
        /* cycles per additional slot, from two to four and from four to eight */
        double slope = (f[2].delay - f[1].delay) / 2, next = (f[3].delay - f[2].delay) / 4;
        cr_assert(fabs(next / slope - 1) < 0.1, "%d: %g and %g", way, slope, next);
    }
    swq_context_free(ctx);
}

/* Kumar and Jump (1984): with little memory in all, few stages of large switches are better than
 * many of small ones; with much memory they are not. 64 nodes, 384 and 1536 slots. */
Test(blocking, kumar_and_jump)
{
    cr_assert(delta(4, 3, 2, true, 1).throughput > delta(2, 6, 1, true, 1).throughput);
    cr_assert(delta(4, 3, 8, true, 1).throughput < delta(2, 6, 4, true, 1).throughput);
}

Test(blocking, bad_input)
{
    swq_context *ctx = swq_context_new();
    double a = 0, b = 0;

    row_fails("yoon-lee-liu", "2 6 65 1", SWQ_EINVAL, "slots");
    row_fails("small-cycle", "2 65 1 1", SWQ_EINVAL, "stages");
    row_fails("jenq", "6 -1", SWQ_EINVAL, "load");
    cr_assert_eq(swq_blocking_delta(ctx, 1, 2, 1, true, 1, &a, &b), SWQ_EINVAL);
    cr_assert_eq(swq_blocking_delta(ctx, 2, 2, 1, true, NAN, &a, &b), SWQ_EINVAL);
    cr_assert_eq(swq_jenq(ctx, 65, 1, &a, &b), SWQ_EINVAL);
    cr_assert_eq(row_without_memory("yoon-lee-liu", "2 3 2 0.5"), 1);
    swq_context_cancel(ctx);
    cr_assert_eq(swq_blocking_delta(ctx, 2, 2, 1, true, 1, &a, &b), SWQ_ECANCELLED);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
