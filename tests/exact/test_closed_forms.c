/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains small or special enough to have closed forms. The formulas are written out here; sources
 * beside each.
 */
#include "models/formulas/formulas.h"
#include "tests/support/support.h"

TestSuite(closed_forms, .timeout = 240);

static double discard(const char *buffer, int ports, int slots, double load)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, buffer, ports, slots, load, "random");

    swq_context_free(ctx);
    return test_discard(&sw);
}

/* FIFO-1: with x the mean number left behind, D = x / 2 and x = p^2 / (p^2 - p + 2). */
Test(closed_forms, fifo_of_one_slot)
{
    for (double p = 1e-9; p <= 1; p += p < 0.01 ? 9 * p : 0.0099) {
        long double q = p, expected = q * q / (2 * (q * q - q + 2));
        double got = discard("fifo", 2, 1, p);
        assert_relative(got, (double)expected, 1e-13, "p = %g: %.17g, not %.17Lg", p, got,
                        expected);
    }
}

/* SAFC with one slot per queue: D = a^2 / (2 (a^2 - a + 1)), a = p / 2. */
Test(closed_forms, safc_of_two_slots)
{
    for (double p = 0.01; p <= 1; p += 0.01) {
        long double a = p / 2.0L, expected = a * a / (2 * (a * a - a + 1));
        assert_relative(discard("safc", 2, 2, p), (double)expected, 1e-13, "p = %g", p);
    }
}

/* The rationals, at loads that a double represents exactly. */
Test(closed_forms, rationals)
{
    assert_relative(discard("fifo", 2, 1, 0.25), 1.0 / 58, 1e-13, "fifo 1");
    assert_relative(discard("fifo", 2, 1, 0.75), 9.0 / 58, 1e-13, "fifo 1");
    assert_relative(discard("fifo", 2, 2, 0.5), 3.0 / 242, 1e-13, "fifo 2");
    assert_relative(discard("samq", 2, 2, 0.5), 29.0 / 616, 1e-13, "samq 2");
    assert_relative(discard("samq", 2, 2, 1), 7.0 / 36, 1e-13, "samq 2");
    assert_relative(discard("safc", 2, 2, 0.5), 1.0 / 26, 1e-13, "safc 2");
    assert_relative(discard("damq", 2, 2, 0.5), 609.0 / 96569, 1e-13, "damq 2");
}

/* ... and at 9/10, where a double is off by 1e-17, far less than the tolerance. */
Test(closed_forms, rationals_at_nine_tenths)
{
    assert_relative(discard("fifo", 2, 1, 0.9), 81.0 / 382, 1e-13, "fifo 1");
    assert_relative(discard("fifo", 2, 2, 0.9), 72171.0 / 404546, 1e-13, "fifo 2");
    assert_relative(discard("samq", 2, 2, 0.9), 56781.0 / 350920, 1e-13, "samq 2");
    assert_relative(discard("safc", 2, 2, 0.9), 81.0 / 602, 1e-13, "safc 2");
    assert_relative(discard("damq", 2, 2, 0.9), 6950218203.0 / 65707870201.0, 1e-13, "damq 2");
}

Test(closed_forms, pool_with_port_rule)
{
    swq_context *ctx = swq_context_new();
    const double load[] = {0.5, 0.9, 1}, one[] = {1.0 / 14, 81.0 / 382, 1.0 / 4};
    for (int k = 0; k < 3; k++) {
        swq_switch sw = test_switch(ctx, "cbda", 2, 1, load[k], "random");
        sw.buffer.pool_rule = &swq_pool_ports;
        assert_relative(test_discard(&sw), one[k], 1e-13, "cbda 1 at %g", load[k]);
    }
    swq_switch two = test_switch(ctx, "cbda", 2, 2, 0.5, "random");
    two.buffer.pool_rule = &swq_pool_ports;
    assert_relative(test_discard(&two), 1.0 / 1094, 1e-13, "cbda 2 at 0.5");
    two.load[0] = two.load[1] = 0.9;
    assert_relative(test_discard(&two), 531441.0 / 7883542, 1e-13, "cbda 2 at 0.9");
    swq_context_free(ctx);
}

/* With heads always backlogged: saturation at 3/4, 43/63 and 325/496 for 2, 3 and 4 ports, whatever
 * the capacity (Karol, Hluchyj and Morgan, 1987; exact rationals from the partition chain). */
Test(closed_forms, fifo_saturation)
{
    const double saturation[] = {0, 1, 3.0 / 4, 43.0 / 63, 325.0 / 496};
    swq_context *ctx = swq_context_new();

    for (int ports = 1; ports <= 4; ports++) {
        for (int slots = 1; slots <= (ports == 4 ? 1 : 4); slots++) {
            assert_relative(discard("fifo", ports, slots, 1), 1 - saturation[ports],
                            ports == 1 ? 0 : 1e-12, "discard, %d ports, %d slots", ports, slots);
            swq_switch sw = test_switch(ctx, "fifo", ports, slots, 0.5, "random");
            sw.flow = SWQ_BLOCK;
            swq_answers a = test_solve(ctx, &sw, "auto");
            assert_relative(a.saturation.value, saturation[ports], 1e-12,
                            "block, %d ports, %d slots: %.17g", ports, slots, a.saturation.value);
            swq_answers_clear(ctx, &a);
        }
    }
    swq_context_free(ctx);
}

/* Above saturation s the discards of ever longer FIFOs converge to 1 - s / p. */
Test(closed_forms, long_fifo_limit)
{
    assert_relative(discard("fifo", 2, 60, 0.95), 1 - 0.75 / 0.95, 1e-12, "load 0.95");
    assert_relative(discard("fifo", 2, 100, 0.85), 1 - 0.75 / 0.85, 1e-12, "load 0.85");
}

/* One slot per queue: a packet left behind is one that refuses. D = E[left] / n^2 (SAMQ, SAFC), / n
 * (FIFO). */
Test(closed_forms, one_slot_identities)
{
    swq_context *ctx = swq_context_new();
    const struct {
        const char *buffer;
        int ports;
        double divisor;
    } cases[] = {{"fifo", 2, 2}, {"fifo", 3, 3}, {"samq", 2, 4}, {"safc", 2, 4},
                 {"samq", 3, 9}, {"safc", 3, 9}, {"fifo", 4, 4}};
    int skipped = 0;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int slots = strcmp(cases[c].buffer, "fifo") == 0 ? 1 : cases[c].ports;
        for (int k = 0; swq_arbiters[k]; k++) {
            swq_switch sw = test_switch(ctx, cases[c].buffer, cases[c].ports, slots, 0.8,
                                        swq_arbiters[k]->name);
            swq_chain_size size;
            cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
            if (size.states > 50000) { /* six or eight pointers, each with any value */
                cr_assert_str_eq(sw.arbiter->name, "islip");
                skipped++;
                continue;
            }
            swq_answers a = test_solve(ctx, &sw, "auto");
            assert_relative(a.discard.value, a.mean_packets / cases[c].divisor, 1e-12,
                            "%s %d ports %s", cases[c].buffer, cases[c].ports,
                            swq_arbiters[k]->name);
            swq_answers_clear(ctx, &a);
        }
    }
    cr_assert_eq(skipped, 1, "%d", skipped);
    swq_context_free(ctx);
}

/* Independent output queues with room b: q_1 = q_0 (1 - a_0 - a_1) / a_0, q_m = (q_{m-1} - sum
 * a_{m-j} q_j) / a_0, loss 1 - (1 - q_0 a_0) / p (Hluchyj and Karol, 1988). A pool that never
 * fills, with at most b + 1 packets per queue, is the same: here a packet leaves after the others
 * have arrived. */
static double output_queue_loss(int n, double p, int b)
{
    long double a[20] = {0}, q[64] = {1}, sum = 1;

    for (int k = 0; k <= n; k++) { /* binomial arrivals */
        long double ways = 1;
        for (int i = 0; i < k; i++)
            ways = ways * (n - i) / (i + 1);
        a[k] = ways * powl((long double)p / n, k) * powl(1 - (long double)p / n, n - k);
    }
    for (int m = 1; m <= b; m++) {
        q[m] = q[m - 1];
        if (m == 1)
            q[m] -= (a[0] + a[1]) * q[0];
        else
            for (int j = 0; j < m; j++)
                q[m] -= m - j <= n ? a[m - j] * q[j] : 0;
        q[m] /= a[0];
        sum += q[m];
    }
    return (double)(1 - (1 - q[0] / sum * a[0]) / p);
}

Test(closed_forms, output_queues)
{
    swq_context *ctx = swq_context_new();

    for (int n = 2; n <= 3; n++) {
        for (int b = 1; b <= 4; b++) {
            swq_switch sw = test_switch(ctx, "cbda", n, b + 1, 0.8, "random");
            sw.buffer.queue_max = b + 1;
            assert_relative(test_discard(&sw), output_queue_loss(n, 0.8, b), 1e-11,
                            "%d ports, room %d", n, b);
        }
    }
    swq_context_free(ctx);
}

static swq_switch output_queued(swq_context *ctx, int ports, int slots, double load)
{
    swq_switch sw = test_switch(ctx, "damq", ports, 1, load, "random");

    cr_assert_eq(swq_architecture_find(ctx, "output-queued", SWQ_ENGINE_SYNC, &sw.architecture),
                 SWQ_OK);
    sw.output_slots = slots;
    swq_switch_own_memory(&sw);
    return sw;
}

/* Hluchyj and Karol's b is the room after the departure: one slot less than --output-slots. */
Test(closed_forms, output_queued_architecture)
{
    swq_context *ctx = swq_context_new();

    for (int n = 2; n <= 8; n *= 2) {
        for (int b = 1; b <= 8; b++) {
            const swq_switch sw = output_queued(ctx, n, b + 1, 0.8);
            assert_relative(test_discard(&sw), output_queue_loss(n, 0.8, b), 1e-12,
                            "%d ports, room %d", n, b);
        }
    }
    swq_context_free(ctx);
}

/* With more and more slots the delay's mean and variance converge to those of unlimited output
 * queues (Karol, Hluchyj and Morgan 1987): a departure takes one cycle, the rest is W. */
Test(closed_forms, output_queues_without_limit)
{
    const swq_exact_options options = swq_exact_options_defaults();
    const swq_packets_options packets = swq_packets_options_defaults();
    const double n = 4, p = 0.6, a2 = p * p * (1 - 1 / n), a3 = a2 * p * (1 - 2 / n);
    const double a = a2 / (2 * (1 - p)), b = a3 / (6 * (1 - p)), y = a2 / (2 * p);
    const double mean = (n - 1) / n * p / (2 * (1 - p));
    const double variance =
        2 * (a * a + b) + 2 * a * y + a3 / (3 * p) + mean - mean * mean; /* E[W(W-1)] + ... */
    swq_context *ctx = swq_context_new();
    double before = 1, varied = 10;

    for (int slots = 8; slots <= 32; slots += 8) {
        const swq_switch sw = output_queued(ctx, 4, slots, p);
        swq_delay d;
        cr_assert_eq(swq_exact_delay(ctx, &sw, &options, &packets, &d), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const double off = fabs(d.mean.value - 1 - mean), apart = fabs(d.variance.value - variance);
        cr_assert(off < before / 10 && apart < varied / 10, "%d slots: %g, %g", slots, off, apart);
        before = off;
        varied = apart;
        swq_delay_clear(ctx, &d);
    }
    cr_assert(before < 1e-10 && varied < 1e-8, "%g, %g", before, varied);
    swq_context_free(ctx);
}

/* One memory for all output queues: compared with the formula's own chain, of queue lengths
 * only. */
Test(closed_forms, shared_memory)
{
    swq_context *ctx = swq_context_new();

    for (int n = 2; n <= 4; n++) {
        for (int slots = 1; slots <= 3; slots++) {
            const swq_switch sw = test_switch(ctx, "cbda", n, slots, 0.9, "random");
            swq_answers a = test_solve(ctx, &sw, "auto");
            double loss, mean;
            cr_assert_eq(swq_shared_output_chain(ctx, n, 0.9, n * slots, &loss, &mean), SWQ_OK);
            assert_relative(a.discard.value, loss, 1e-12, "%d x %d: loss", n, slots);
            assert_relative(a.mean_packets, mean, 1e-12, "%d x %d: packets", n, slots);
            swq_answers_clear(ctx, &a);
        }
    }
    swq_context_free(ctx);
}

/* Limits that limit nothing leave the pool as it is; a pool that is entirely reserved equals
 * separate output queues; if only one output is used, its queue has the length that the limit
 * allows. */
Test(closed_forms, pools_at_their_limits)
{
    swq_context *ctx = swq_context_new();

    for (int n = 2; n <= 3; n++) {
        swq_switch sw = test_switch(ctx, "cbda", n, 3, 0.9, "random");
        const double sharing = test_discard(&sw);
        sw.buffer.alpha = 1e9;
        assert_relative(test_discard(&sw), sharing, 1e-12, "%d ports, no threshold", n);
        sw.buffer.alpha = 0;
        sw.buffer.queue_min = sw.buffer.queue_max = 3;
        assert_relative(test_discard(&sw), output_queue_loss(n, 0.9, 2), 1e-12, "%d ports", n);
        sw.buffer.queue_min = 0;
        for (int most = 2; most <= 4; most++) {
            swq_switch queue = output_queued(ctx, n, most, 0.9 / n);
            swq_traffic_hotspot(ctx, &queue, 1, 0);
            memcpy(sw.dest, queue.dest, sizeof sw.dest);
            memcpy(sw.load, queue.load, sizeof sw.load);
            sw.buffer.queue_max = most;
            assert_relative(test_discard(&sw), test_discard(&queue), 1e-12, "limit %d", most);
            assert_relative(test_discard(&sw), output_queue_loss(n, 0.9, most - 1), 1e-12,
                            "limit %d", most);
        }
        sw.buffer.queue_max = sw.buffer.capacity; /* q < alpha (B - q): up to B / 2, rounded up */
        sw.buffer.alpha = 1;
        assert_relative(test_discard(&sw),
                        output_queue_loss(n, 0.9, (sw.buffer.capacity + 1) / 2 - 1), 1e-12,
                        "%d ports, threshold", n);
    }
    swq_context_free(ctx);
}

/* A pool's loss falls by ((p/2) / (1 - p/2))^2 with every further slot, and its first values are
 * known. */
Test(closed_forms, pool_decay)
{
    const double printed[][2] = {{16, 1.6046e-6}, {20, 6.2611e-8}, {24, 2.4430e-9}};
    for (int k = 0; k < 3; k++)
        assert_relative(discard("cbda", 2, (int)printed[k][0] / 2, 0.8), printed[k][1], 3.2e-5,
                        "%g slots", printed[k][0]);
    double two_slots = discard("cbda", 2, 21, 0.8) / discard("cbda", 2, 20, 0.8);
    assert_relative(two_slots, 16.0 / 81, 1e-3, "ratio %g", two_slots); /* (4/9)^2 */
}

/* Arbitration matters as much as the buffer: percentages at 0.80, 0.90, 0.99, computed
 * independently for this project's reference catalogue (A21). */
Test(closed_forms, arbitration_study)
{
    const struct {
        const char *buffer;
        int slots;
        const char *arbiter;
        double percent[3];
    } cases[] = {
        {"damq", 4, "random", {0.9495, 3.3644, 8.1361}},
        {"damq", 4, "random-outputs", {0.9495, 3.3644, 8.1361}},
        {"damq", 4, "maximum", {0.6750, 2.2149, 5.5929}},
        {"damq", 4, "maximum-longest", {0.1271, 1.1716, 5.4591}},
        {"damq", 4, "max-weight", {0.1302, 1.2113, 5.4730}},
        {"damq", 4, "longest", {0.7488, 2.9323, 7.5790}},
        {"samq", 4, "random", {4.2048, 7.1391, 10.5437}},
        {"samq", 4, "maximum", {3.4068, 5.3886, 7.3787}},
        {"samq", 4, "maximum-longest", {1.9047, 3.9759, 6.7794}},
        {"fifo", 4, "random", {8.1834, 16.7829, 24.2424}},
        {"fifo", 4, "max-weight", {6.9775, 16.6768, 24.2424}},
        {"safc", 4, "random", {2.8234, 5.1348, 8.1087}},
        {"safc", 4, "maximum", {2.9096, 5.3167, 8.4238}},
        {"safc", 4, "max-weight", {1.5542, 3.6142, 6.7215}},
        {"cbda", 4, "random", {0.1055, 1.1142, 5.4519}},
    };
    const double load[3] = {0.80, 0.90, 0.99};
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int l = 0; l < 3; l++) {
            swq_switch sw =
                test_switch(ctx, cases[c].buffer, 2, cases[c].slots, load[l], cases[c].arbiter);
            double percent = 100 * test_discard(&sw);
            cr_assert(fabs(percent - cases[c].percent[l]) < 0.6e-4, "%s %d %s %g: %.5f not %.4f",
                      cases[c].buffer, cases[c].slots, cases[c].arbiter, load[l], percent,
                      cases[c].percent[l]);
        }
    }
    swq_context_free(ctx);
}
