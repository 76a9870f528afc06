/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Latencies: packets alone, and Agarwal's torus beside simulated ones; and the memory of congestion
 * notification.
 */
#include "tests/models/formulas/rows.h"
#include "tests/sim/inspector.h"

Test(latency, alone)
{
    assert_relative(row_value("zero-load", "3 5 32", "first_byte"), 15, 1e-15, "three switches");
    assert_relative(row_value("zero-load", "4 5 32", "first_byte"), 20, 1e-15, "four switches");
    assert_relative(row_value("zero-load", "3 5 32 2", "latency"), 31, 1e-15, "two bytes a cycle");
    assert_relative(row_value("zero-load", "3 5 32 2", "stored"), 63, 1e-15, "stored");
    assert_relative(swq_alone(1, 5, 32, 1, true), swq_alone(1, 5, 32, 1, false), 1e-15, "one");
}

/* Nearly alone: what the simulator measures is the first byte's. */
Test(latency, first_byte_simulated, .timeout = 60)
{
    swq_async n = async_network(shape_in_stages("omega", 4, 3), "damq", 128);
    swq_sender_group g =
        swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.001, (swq_spread){SWQ_UNIFORM, 1, 32});
    n.group = &g;
    n.groups = 1;
    swq_sim_options options = run_of(5, 1, 1000, 40000);
    double l = run_async(&n, &options, NULL).sim.all.latency.mean;
    cr_assert(l >= swq_alone(3, 5, 0, 1, false) && l < 15.2, "%g", l);
}

/* What the row says of one-way tori: a few percent high; the simulator counts a switch more and not
 * the last byte. */
Test(latency, agarwal_simulated, .timeout = 60)
{
    const double utilisation[] = {0.2, 0.4, 0.6};

    for (int k = 0; k < 3; k++) {
        swq_shape shape = shape_of_grid("torus", 2, 8);
        shape.one_way = true;
        swq_async n = async_network(shape, "safc", 1280);
        const double hops = 7 * 64 / 63.0, load = utilisation[k] / (hops / 2);
        n.hop_delay = 1;
        n.link_rest = 0;
        n.block = n.max_packet = 4;
        swq_sender_group g = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, constantly(4));
        n.group = &g;
        n.groups = 1;
        swq_sim_options options = run_of(9, 1, 2000, 30000);
        double l = run_async(&n, &options, NULL).sim.all.latency.mean - 1 + 4;
        double formula = swq_agarwal(2, hops, utilisation[k], 4);
        cr_assert(formula > 1.02 * l && formula < 1.13 * l, "%g: %g, not %g", utilisation[k],
                  formula, l);
    }
}

Test(latency, agarwal)
{
    /* alone, and unstable; and the row's own hops and loads */
    assert_relative(swq_agarwal(2, 8, 0, 16), 24, 1e-15, "alone");
    cr_assert(isinf(swq_agarwal(2, 8, 1, 16)));
    assert_relative(row_value("agarwal", "8 2 0.225 4 1", "utilisation"), 0.8, 1e-14, "one way");
    assert_relative(row_value("agarwal", "8 2 0.225 4 1", "wait"), 34.5, 1e-12, "one way");
    assert_relative(row_value("agarwal", "11 2 0.5 4", "hops"), 5.5, 1e-14, "both ways");
    row_fails("agarwal", "8 16 0.2 4", SWQ_EINVAL, "dims");
}

/* The source's example, and 2 N + 18 over 10 in general. */
Test(latency, recn_memory)
{
    cr_assert_eq(row_value("recn-memory", "16", "slots_recn"), 800);
    cr_assert_eq(row_value("recn-memory", "16", "slots_recn_iq"), 160);
    cr_assert_eq(row_value("recn-memory", "16", "factor"), 5);
    cr_assert_eq(row_value("recn-memory", "16", "detection_recn"), 256);
    for (int n = 2; n <= 64; n *= 2) {
        char text[20];
        snprintf(text, sizeof text, "%d", n);
        assert_relative(row_value("recn-memory", text, "factor"), (2 * n + 18) / 10.0, 1e-15, "%d",
                        n);
    }
    row_fails("recn-memory", "16 4 0", SWQ_EINVAL, "detection");
}
