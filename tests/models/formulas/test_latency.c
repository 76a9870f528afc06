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

/* Hardly any other packets: the simulator measures the first byte. */
Test(latency, first_byte_simulated, .timeout = 240)
{
    swq_async n = async_network(shape_in_stages("omega", 4, 3), "damq", 128);
    swq_sender_group g =
        swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.001, (swq_spread){SWQ_UNIFORM, 1, 32});
    n.traffic.group = &g;
    n.traffic.groups = 1;
    swq_sim_options options = run_of(5, 1, 1000, 40000);
    double l = run_async(&n, &options, NULL).sim.all.latency.mean;
    cr_assert(l >= swq_alone(3, 5, 0, 1, false) && l < 15.2, "%g", l);
}

/* The row's claims about tori; the simulator counts one more switch and not the last byte. */
Test(latency, agarwal_simulated, .timeout = 240)
{
    const struct {
        int dims, extent, length;
        bool one_way;
        double utilisation, low, high;
    } cases[] = {{2, 8, 4, true, 0.2, 1.02, 1.13},   {2, 8, 4, true, 0.4, 1.02, 1.13},
                 {2, 8, 4, true, 0.6, 1.02, 1.13},   {2, 8, 16, true, 0.4, 1.08, 1.18},
                 {2, 8, 16, false, 0.4, 0.83, 0.93}, {3, 4, 16, true, 0.4, 0.84, 0.94}};

    for (int c = 0; c < 6; c++) {
        swq_shape shape = shape_of_grid("torus", cases[c].dims, cases[c].extent);
        swq_grid grid = {.torus = true, .one_way = cases[c].one_way, .dims = cases[c].dims};
        swq_context *ctx = swq_context_new();
        swq_grid_figures f;
        for (int d = 0; d < grid.dims; d++)
            grid.extent[d] = cases[c].extent;
        cr_assert_eq(swq_grid_solve(ctx, &grid, &f), SWQ_OK);
        swq_context_free(ctx);
        shape.one_way = cases[c].one_way;
        swq_async n = async_network(shape, "safc", 80 * cases[c].length);
        n.link.hop_delay = 1;
        n.link.rest = 0;
        n.packet.block = n.packet.max = cases[c].length;
        swq_sender_group g = swq_sender_group_uniform(
            &n, SWQ_SOURCE_OPEN, cases[c].utilisation / f.load, constantly(cases[c].length));
        n.traffic.group = &g;
        n.traffic.groups = 1;
        swq_sim_options options = run_of(9, 1, 2000, 30000);
        double l = run_async(&n, &options, NULL).sim.all.latency.mean - 1 + cases[c].length;
        double formula = swq_agarwal(grid.dims, f.mean_hops, cases[c].utilisation, cases[c].length);
        cr_assert(formula > cases[c].low * l && formula < cases[c].high * l, "case %d: %g, not %g",
                  c, formula, l);
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

/* The example of the source, and in general 2 N + 18 over 10. */
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
