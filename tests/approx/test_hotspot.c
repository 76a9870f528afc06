/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks with a hot spot, class by class: against the simulator, the exact chain of one switch,
 * Pfister and Norton's bound, and laws that hold exactly. Not pinned: how many steps it takes.
 */
#include "approx/methods.h"
#include "tests/support/support.h"

TestSuite(approx_hotspot, .timeout = 240);

static const char *const kinds[] = {"fifo", "samq", "safc", "damq", "cbda"};
enum { SAMQ = 1, KINDS = sizeof kinds / sizeof *kinds };

static swq_network network_of(swq_context *ctx, const char *buffer, int ports, int stages,
                              int slots, swq_flow flow, double fraction, double load)
{
    swq_network n = {
        .shape = {.kind = &swq_fabric_multistage, .wiring = swq_topologies[0], .stages = stages}};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &n.sw.arbiter), SWQ_OK);
    n.sw.ports = ports;
    n.sw.flow = flow;
    n.sw.credit = flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    n.traffic = swq_traffic_defaults();
    n.traffic.load = load;
    n.traffic.hot_spots = 1;
    n.traffic.hot[0].fraction = fraction;
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, ports, slots, &n.sw.buffer), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return n;
}

static swq_approx_result approximate(const char *buffer, int ports, int stages, int slots,
                                     swq_flow flow, double fraction, double load,
                                     swq_approx_hot_spot *spot)
{
    swq_context *ctx = swq_context_new();
    swq_network n = network_of(ctx, buffer, ports, stages, slots, flow, fraction, load);
    swq_approx_result r = {.load = load, .stages = stages};
    char text[200];

    cr_assert_null(approx_objection(&approx_hot_tree, &n, text, sizeof text));
    cr_assert_eq(swq_approx_run(ctx, &n, &approx_hot_tree, &r), SWQ_OK,
                 "%s %dx%d, %d stages, %g: %s", buffer, ports, ports, stages, load,
                 swq_context_message(ctx));
    *spot = r.hot;
    cr_assert(r.converged && r.steps > 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return r;
}

/* switchq sim --ports 4 --stages 3 --slots 4 --cycles 40000 --buffer B --flow F --traffic hotspot:H
 * --load R; throughput, latency, and the tolerance of the latency. The last rows of each kind are
 * beyond the bound, where throughput equals the bound. */
static const struct {
    const char *buffer;
    swq_flow flow;
    double fraction, load, throughput, latency, near;
} simulated[] = {
    {"fifo", SWQ_BLOCK, 0.05, 0.1, 0.0999469, 3.15864, 0.02},
    {"fifo", SWQ_BLOCK, 0.05, 0.15, 0.15023, 3.29712, 0.03},
    {"fifo", SWQ_BLOCK, 0.05, 0.19, 0.190145, 3.50577, 0.05},
    {"fifo", SWQ_BLOCK, 0.05, 1.0, 0.24062, 25.5343, 0.04},
    {"samq", SWQ_BLOCK, 0.05, 0.1, 0.099657, 3.2577, 0.02},
    {"samq", SWQ_BLOCK, 0.05, 0.15, 0.149105, 3.45276, 0.03},
    {"samq", SWQ_BLOCK, 0.05, 0.19, 0.187397, 3.67216, 0.05},
    {"samq", SWQ_BLOCK, 0.05, 1.0, 0.240957, 10.8427, 0.04},
    {"safc", SWQ_BLOCK, 0.05, 0.1, 0.0996594, 3.23999, 0.02},
    {"safc", SWQ_BLOCK, 0.05, 0.15, 0.149139, 3.40694, 0.03},
    {"safc", SWQ_BLOCK, 0.05, 0.19, 0.187493, 3.59439, 0.05},
    {"safc", SWQ_BLOCK, 0.05, 1.0, 0.240958, 10.6715, 0.04},
    {"damq", SWQ_BLOCK, 0.05, 0.1, 0.0999469, 3.1562, 0.02},
    {"damq", SWQ_BLOCK, 0.05, 0.15, 0.15023, 3.28129, 0.03},
    {"damq", SWQ_BLOCK, 0.05, 0.19, 0.19015, 3.43728, 0.05},
    {"damq", SWQ_BLOCK, 0.05, 1.0, 0.240971, 25.4241, 0.04},
    {"cbda", SWQ_BLOCK, 0.05, 0.1, 0.0999469, 3.14214, 0.02},
    {"cbda", SWQ_BLOCK, 0.05, 0.15, 0.15023, 3.24608, 0.03},
    {"cbda", SWQ_BLOCK, 0.05, 0.19, 0.19015, 3.37302, 0.05},
    {"cbda", SWQ_BLOCK, 0.05, 1.0, 0.240837, 25.3589, 0.04},
    {"fifo", SWQ_BLOCK, 0.2, 0.058, 0.0579809, 3.47551, 0.08},
    {"fifo", SWQ_BLOCK, 0.2, 1.0, 0.0735121, 83.7513, 0.04},
    {"samq", SWQ_BLOCK, 0.2, 0.058, 0.0578809, 3.63345, 0.08},
    {"samq", SWQ_BLOCK, 0.2, 1.0, 0.0735121, 31.6461, 0.04},
    {"safc", SWQ_BLOCK, 0.2, 0.058, 0.0578797, 3.61143, 0.08},
    {"safc", SWQ_BLOCK, 0.2, 1.0, 0.0734582, 31.6403, 0.04},
    {"damq", SWQ_BLOCK, 0.2, 0.058, 0.0579809, 3.44688, 0.08},
    {"damq", SWQ_BLOCK, 0.2, 1.0, 0.0735262, 83.7359, 0.04},
    {"cbda", SWQ_BLOCK, 0.2, 0.058, 0.0579809, 3.43595, 0.08},
    {"cbda", SWQ_BLOCK, 0.2, 1.0, 0.0734906, 83.768, 0.04},
    {"fifo", SWQ_DISCARD, 0.05, 0.19, 0.189948, 3.45988, 0.05},
    {"fifo", SWQ_DISCARD, 0.05, 0.3, 0.293459, 4.1838, 0.03},
    {"samq", SWQ_DISCARD, 0.05, 0.19, 0.185773, 3.31289, 0.05},
    {"samq", SWQ_DISCARD, 0.05, 0.3, 0.282564, 3.56184, 0.03},
    {"safc", SWQ_DISCARD, 0.05, 0.19, 0.186269, 3.26887, 0.05},
    {"safc", SWQ_DISCARD, 0.05, 0.3, 0.285114, 3.4546, 0.03},
    {"damq", SWQ_DISCARD, 0.05, 0.19, 0.190066, 3.42315, 0.05},
    {"damq", SWQ_DISCARD, 0.05, 0.3, 0.2938, 4.13207, 0.03},
    {"cbda", SWQ_DISCARD, 0.05, 0.19, 0.190147, 3.37176, 0.05},
    {"cbda", SWQ_DISCARD, 0.05, 0.3, 0.293859, 4.17877, 0.03},
};

Test(approx_hotspot, agrees_with_the_simulator)
{
    for (size_t i = 0; i < sizeof simulated / sizeof *simulated; i++) {
        swq_approx_hot_spot spot;
        swq_approx_result r = approximate(simulated[i].buffer, 4, 3, 4, simulated[i].flow,
                                          simulated[i].fraction, simulated[i].load, &spot);

        assert_relative(r.throughput, simulated[i].throughput, 0.01, "%s h %g load %g: %g",
                        simulated[i].buffer, simulated[i].fraction, simulated[i].load,
                        r.throughput);
        assert_relative(r.latency, simulated[i].latency, simulated[i].near,
                        "%s h %g load %g: latency %g", simulated[i].buffer, simulated[i].fraction,
                        simulated[i].load, r.latency);
    }
}

/* The same command with --node-groups 0: packets to the hot node, and all others. */
Test(approx_hotspot, hot_and_cold_packets_apart)
{
    static const struct {
        const char *buffer;
        double load, hot, cold, near_hot, near_cold;
    } row[] = {
        {"fifo", 0.15, 3.9874, 3.24961, 0.1, 0.04},   {"fifo", 1.0, 52.8926, 23.6378, 0.06, 0.06},
        {"samq", 0.15, 4.4534, 3.38399, 0.13, 0.04},  {"samq", 1.0, 54.5112, 7.81496, 0.12, 0.06},
        {"safc", 0.15, 4.30496, 3.34522, 0.13, 0.04}, {"safc", 1.0, 55.2015, 7.58371, 0.12, 0.06},
        {"damq", 0.15, 3.98865, 3.23261, 0.1, 0.04},  {"damq", 1.0, 101.134, 20.1746, 0.06, 0.06},
        {"cbda", 0.15, 3.92134, 3.1996, 0.1, 0.04},   {"cbda", 1.0, 101.504, 20.076, 0.06, 0.06},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        swq_approx_hot_spot spot;

        approximate(row[i].buffer, 4, 3, 4, SWQ_BLOCK, 0.05, row[i].load, &spot);
        assert_relative(spot.hot_latency, row[i].hot, row[i].near_hot, "%s %g: %g", row[i].buffer,
                        row[i].load, spot.hot_latency);
        assert_relative(spot.cold_latency, row[i].cold, row[i].near_cold, "%s %g: %g",
                        row[i].buffer, row[i].load, spot.cold_latency);
    }
}

/* If all sources send beyond the bound the tree is full, whatever the switches. */
Test(approx_hotspot, full_load_reaches_the_bound)
{
    static const struct {
        int ports, stages, slots;
    } shape[] = {{2, 6, 4}, {3, 4, 3}, {4, 3, 4}, {8, 2, 8}, {2, 16, 2}};

    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        for (int k = 0; k < KINDS; k++) {
            double nodes = pow(shape[i].ports, shape[i].stages), h = 0.2;
            double bound = 1 / (1 + h * (nodes - 1));
            swq_approx_hot_spot spot;
            swq_approx_result r = approximate(kinds[k], shape[i].ports, shape[i].stages,
                                              shape[i].slots, SWQ_BLOCK, h, 1, &spot);

            assert_relative(spot.bound, bound, 1e-12, "%g", spot.bound);
            cr_assert(r.throughput <= bound * (1 + 1e-6), "%s: %g", kinds[k], r.throughput / bound);
            cr_assert(r.throughput >= bound * 0.985, "%s: %g", kinds[k], r.throughput / bound);
            assert_relative(spot.stage[shape[i].stages - 1].hot_sent,
                            nodes * bound * h + bound * (1 - h), 0.015, "the hot line is busy");
            cr_assert(shape[i].stages == 16 || spot.hot_latency > spot.cold_latency);
        }
}

/* What enters a stage leaves it, and Little's law holds for each class. */
Test(approx_hotspot, flows_balance)
{
    for (int k = 0; k < KINDS; k++)
        for (int full = 0; full < 2; full++) {
            swq_approx_hot_spot spot;
            swq_approx_result r =
                approximate(kinds[k], 4, 3, 4, SWQ_BLOCK, 0.05, full ? 1 : 0.15, &spot);
            double packets = r.source_queue;

            for (int s = 0; s < 3; s++) {
                double share = pow(4, -s), all = 0.05 * pow(4, s + 1) + 0.95;

                assert_relative(r.stage[s].sent, r.throughput, 1e-6, "%s", kinds[k]);
                assert_relative(spot.stage[s].hot_sent, r.throughput * all, 1e-6, "%s", kinds[k]);
                assert_relative(spot.stage[s].cold_sent, r.throughput * 0.95, 1e-6, "%s", kinds[k]);
                packets += r.stage[s].occupancy / 4;
                if (s > 0)
                    assert_relative(spot.stage[s].on_tree * share +
                                        spot.stage[s].off_tree * (1 - share),
                                    r.stage[s].occupancy, 1e-9, "%s", kinds[k]);
            }
            assert_relative(r.latency, 1 + packets / r.throughput, 1e-6, "%s: %g", kinds[k],
                            r.latency);
            assert_relative(0.05 * spot.hot_latency + 0.95 / 64 * spot.hot_latency +
                                0.95 * 63 / 64 * spot.cold_latency,
                            r.latency, 1e-6, "%s", kinds[k]);
        }
}

/* Discarding: what enters a stage is sent or lost there. */
Test(approx_hotspot, losses_add_up)
{
    for (int k = 0; k < KINDS; k++) {
        swq_approx_hot_spot spot;
        swq_approx_result r = approximate(kinds[k], 4, 3, 4, SWQ_DISCARD, 0.05, 0.8, &spot);
        double flow = 0.8;

        for (int s = 0; s < 3; s++) {
            flow *= 1 - r.stage[s].discarded;
            assert_relative(r.stage[s].sent, flow, 1e-6, "%s stage %d", kinds[k], s);
        }
        assert_relative(r.throughput, flow, 1e-6, "%s", kinds[k]);
        assert_relative(r.discard_fraction, 1 - flow / 0.8, 1e-6, "%s", kinds[k]);
        cr_assert(r.source_queue == 0 && r.refusal == 0);
    }
}

/* A packet that is alone takes one cycle per stage. */
Test(approx_hotspot, light_load)
{
    for (int k = 0; k < KINDS; k++)
        for (int block = 0; block < 2; block++) {
            swq_approx_hot_spot spot;
            swq_approx_result r =
                approximate(kinds[k], 2, 5, 2, block ? SWQ_BLOCK : SWQ_DISCARD, 0.1, 1e-6, &spot);

            cr_assert_float_eq(r.latency, 5, 1e-4, "%s: %g", kinds[k], r.latency);
            assert_relative(r.throughput, 1e-6, 1e-5, "%s: %g", kinds[k], r.throughput);
        }
}

/* One switch, compared with the exact chain. SAMQ is the least accurate, where its read ports are
 * busy. */
Test(approx_hotspot, one_switch_against_the_exact_chain)
{
    static const struct {
        const char *buffer;
        int slots;
    } row[] = {{"fifo", 3}, {"samq", 4}, {"safc", 4}, {"damq", 3}, {"cbda", 3}};

    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < 2; i++) {
            swq_context *ctx = swq_context_new();
            static const double near[2][2] = {{0.005, 0.005}, {0.025, 0.06}};
            double load = i ? 0.9 : 0.5;
            swq_switch sw = test_switch(ctx, row[k].buffer, 2, row[k].slots, load, "rotating");
            swq_approx_hot_spot spot;
            swq_approx_result r =
                approximate(row[k].buffer, 2, 1, row[k].slots, SWQ_DISCARD, 0.2, load, &spot);

            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 0), SWQ_OK);
            double exact = test_discard(&sw);
            cr_assert_float_eq(r.discard_fraction, exact, near[i][k == SAMQ],
                               "%s load %g: %g, exactly %g", row[k].buffer, load,
                               r.discard_fraction, exact);
            swq_context_free(ctx);
        }
}

/* Without a hot spot all classes are the same. */
Test(approx_hotspot, uniform_traffic_has_no_tree)
{
    for (int k = 0; k < KINDS; k++) {
        swq_approx_hot_spot spot;

        approximate(kinds[k], 4, 3, 4, SWQ_BLOCK, 0, 0.3, &spot);
        for (int s = 1; s < 3; s++)
            assert_relative(spot.stage[s].on_tree, spot.stage[s].off_tree, 0.02,
                            "%s stage %d: %g, %g", kinds[k], s, spot.stage[s].on_tree,
                            spot.stage[s].off_tree);
        assert_relative(spot.hot_latency, spot.cold_latency, 0.01, "%s", kinds[k]);
    }
}

Test(approx_hotspot, a_million_nodes)
{
    for (int k = 0; k < KINDS; k++) {
        swq_approx_hot_spot spot;
        swq_approx_result r = approximate(kinds[k], 4, 10, 4, SWQ_BLOCK, 0.05, 1, &spot);

        assert_relative(r.throughput, spot.bound, 0.01, "%s: %g", kinds[k], r.throughput);
    }
}

Test(approx_hotspot, what_it_is_not_for)
{
    swq_context *ctx = swq_context_new();
    swq_network good = network_of(ctx, "damq", 4, 3, 4, SWQ_BLOCK, 0.05, 0.5), bad;
    char text[200];

    cr_assert_null(approx_objection(&approx_hot_tree, &good, text, sizeof text));
#define REFUSES(change, word)                                                                      \
    do {                                                                                           \
        bad = good;                                                                                \
        change;                                                                                    \
        const char *why = approx_objection(&approx_hot_tree, &bad, text, sizeof text);             \
        cr_assert(why &&strstr(why, word), "%s: %s", #change, why ? why : "accepted");             \
    } while (0)
    REFUSES(bad.traffic.hot_spots = 0, "hot spot");
    REFUSES((bad.traffic.hot_spots = 2, bad.traffic.hot[1] = (swq_hot_spot){3, 0.1}), "hot spot");
    REFUSES(bad.sw.credit = SWQ_CREDIT_SAME, "credit");
    REFUSES(bad.sw.buffer.alpha = 1, "buffer");
    REFUSES(bad.sw.buffer.queue_max = 2, "buffer");
    swq_context_free(ctx);
}

Test(approx_hotspot, too_many_states_are_refused)
{
    for (int k = 3; k < KINDS; k++) {
        swq_context *ctx = swq_context_new();
        swq_network n = network_of(ctx, kinds[k], 8, 2, 64, SWQ_BLOCK, 0.05, 0.5);
        swq_approx_result r = {0};

        cr_assert_eq(approx_hot_tree.run(ctx, &n, &r), SWQ_ELIMIT);
        cr_assert(strstr(swq_context_message(ctx), "slots"), "%s", swq_context_message(ctx));
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}

Test(approx_hotspot, every_allocation_may_fail)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t k = 0;

        for (; status; k++) {
            swq_context *ctx = swq_context_new();
            swq_network n = network_of(ctx, "fifo", 4, 3, 4, SWQ_BLOCK, 0.05, 0.1);
            swq_approx_result r = {0};

            swq_context_fail_allocations(ctx, k, for_good);
            status = approx_hot_tree.run(ctx, &n, &r);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
            swq_context_free(ctx);
        }
        cr_assert(k > 4, "%zu", k);
    }
}
