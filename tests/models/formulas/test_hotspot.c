/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hot-spot bounds: printed numbers, groups that are all alike, and simulated saturation.
 */
#include "tests/models/formulas/rows.h"
#include "tests/sim/samples.h"

Test(hotspot, numbers)
{
    const struct {
        double nodes, fraction, bound;
    } printed[] = {
        {64, 0.05, 0.240964}, {256, 0.05, 0.072727}, {256, 0.03, 0.115607}, {64, 0.1, 0.136986}};

    for (int k = 0; k < 4; k++)
        cr_assert_float_eq(swq_hotspot_bound(printed[k].nodes, printed[k].fraction, 1),
                           printed[k].bound, 6e-7);
    assert_relative(row_value("hotspot-bound", "64 0.05 0.5", "throughput"), 0.5 / 4.15, 1e-15,
                    "half a link");
    assert_relative(row_value("hotspot-bound", "64 1", "bandwidth"), 1, 1e-14, "all to one");
    cr_assert_eq(row_value("hotspot-bound", "64 0", "throughput"), 1);
    /* 128 senders with 3% to the hot spot and 97% to 256 nodes; the others silent: 3.84 + 0.485 */
    const double alone = 32.0 / 34 / (3.84 + 0.485);
    assert_relative(
        row_value("hotspot-groups", "256 128,128 0.03,0 1,0 0.94117647058823529", "throughput_1"),
        alone, 1e-14, "one group");
    cr_assert_float_eq(alone, 0.2176, 5e-5);
    assert_relative(row_value("hotspot-groups", "256 128,128 0.03,0 1,1 0.94", "factor"),
                    0.94 / (3.84 + 0.485 + 0.5), 1e-14, "both groups");
    /* what is left by 0.6 of the others: (0.94 - 0.3) / 4.325 */
    assert_relative(row_value("hotspot-groups", "256 128,128 0.03,0 0,0.6 0.94", "alone_1"),
                    0.64 / 4.325, 1e-14, "the rest");
}

Test(hotspot, groups_alike_are_one)
{
    for (double h = 0; h <= 1; h += 0.125) {
        char text[80];
        snprintf(text, sizeof text, "64 16,40,8 %g - 0.9", h);
        assert_relative(row_value("hotspot-groups", text, "throughput"),
                        swq_hotspot_bound(64, h, 0.9) > 0.9 ? 0.9 : swq_hotspot_bound(64, h, 0.9),
                        1e-14, "%s", text);
    }
    cr_assert(isinf(row_value("hotspot-groups", "64 16,48 0.1 0", "factor")));
    cr_assert(isnan(row_value("hotspot-groups", "64 16,48 0.1 0", "throughput_3")));
}

/* Saturated networks of DAMQ switches are at the bound: tree saturation leaves nothing else. */
Test(hotspot, against_simulation, .timeout = 240)
{
    swq_context *ctx = swq_context_new();

    for (int k = 1; k <= 2; k++) {
        swq_switch sw = test_switch(ctx, "damq", 4, 8, 1, "random");
        sw.flow = SWQ_BLOCK;
        swq_network network = network_in_stages(ctx, "omega", 3, &sw);
        network.traffic.hot[0] = (swq_hot_spot){.node = 5, .fraction = 0.05 * k};
        network.traffic.hot_spots = 1;
        swq_sim_options options = run_of(2, 1, 2000, 8000);
        swq_sim_result r = simulate(ctx, &network, &options);
        double bound = swq_hotspot_bound(64, 0.05 * k, 1);
        cr_assert(fabs(r.all.throughput.mean / bound - 1) < 0.02, "%g, not %g",
                  r.all.throughput.mean, bound);
    }
    swq_context_free(ctx);
}

Test(hotspot, bad_input)
{
    row_fails("hotspot-bound", "64 1.1", SWQ_EINVAL, "fraction");
    row_fails("hotspot-groups", "64 40,40 0.1", SWQ_EINVAL, "80 senders");
    row_fails("hotspot-groups", "64 4,4,4 0.1,0", SWQ_EINVAL, "3 and 2");
}
