/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches of 64 ports and more in stage cycles, against closed forms and a plain simulation of
 * heads of queues.
 */
#include "tests/sim/samples.h"

#include <math.h>

TestSuite(wide_switches, .timeout = 120);

static swq_network switch_of(swq_context *ctx, const char *buffer, int ports, int slots,
                             const char *arbiter, double load)
{
    const swq_buffer_kind *kind;
    swq_switch sw = {.ports = ports};

    sw.load[0] = load;
    cr_assert_eq(swq_arbiter_find(ctx, arbiter, &sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, ports, slots, &sw.buffer), SWQ_OK);
    return network_of(&sw);
}

/* ---- FIFO queues at full load ---- */

static uint64_t seed = 5;

static int below(int n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)n);
}

/* Heads of n queues that never end: in each cycle an output serves one of its heads, which the next
 * packet of the queue follows. */
static double heads_served(int n, int cycles)
{
    int head[SWQ_MAX_PORTS], served = 0;

    for (int i = 0; i < n; i++)
        head[i] = below(n);
    for (int t = -200; t < cycles; t++) {
        int chosen[SWQ_MAX_PORTS], rivals[SWQ_MAX_PORTS] = {0};
        for (int i = 0; i < n; i++) {
            if (below(++rivals[head[i]]) == 0)
                chosen[head[i]] = i;
        }
        for (int j = 0; j < n; j++) {
            if (rivals[j] > 0)
                head[chosen[j]] = below(n);
            served += t >= 0 && rivals[j] > 0;
        }
    }
    return (double)served / cycles / n;
}

/* Karol, Hluchyj and Morgan (1987): 2 - sqrt(2) with unlimited ports, more with few. */
Test(wide_switches, fifo_queues_saturate_as_their_heads_do)
{
    static const int sizes[] = {33, 64, 128, SWQ_MAX_PORTS};
    const swq_sim_options options = run_of(3, 8, 400, 800);
    double before = 1;

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        swq_context *ctx = swq_context_new();
        const swq_network n = switch_of(ctx, "fifo", sizes[k], 20, "random", 1);
        const swq_sim_result r = simulate(ctx, &n, &options);
        const double heads = heads_served(sizes[k], 6000);
        cr_assert_float_eq(r.all.throughput.mean, heads, 0.003, "%d ports: %.4f, not %.4f",
                           sizes[k], r.all.throughput.mean, heads);
        cr_assert(heads > 2 - sqrt(2) - 0.001 && heads < before, "%.4f", heads);
        before = heads;
        swq_context_free(ctx);
    }
}

/* ---- arbiters at full load ---- */

/* One iteration of PIM matches 1 - (1 - 1/n)^n of the outputs if no queue is empty; iSLIP all, once
 * its pointers have parted. Queues of 20 slots are empty now and then. */
Test(wide_switches, full_queues_are_matched_as_by_the_closed_forms)
{
    const swq_sim_options options = run_of(3, 2, 5000, 500);

    for (int k = 0; k < 2; k++) {
        swq_context *ctx = swq_context_new();
        const swq_network n = switch_of(ctx, "samq", 64, 64 * 20, k ? "islip" : "pim", 1);
        const swq_sim_result r = simulate(ctx, &n, &options);
        const double most = k ? 1 : 1 - pow(1 - 1.0 / 64, 64), least = k ? 0.93 : most - 0.006;
        cr_assert(r.all.throughput.mean > least && r.all.throughput.mean < most + 1e-3,
                  "%s: %.4f, at most %.4f", n.sw.arbiter->name, r.all.throughput.mean, most);
        swq_context_free(ctx);
    }
}

/* ---- output queues ---- */

/* Hluchyj and Karol (1988): `switchq formula output-queue-finite --slots 8 --load 0.9`. */
Test(wide_switches, output_queues_lose_what_the_formula_says)
{
    static const struct {
        int ports;
        double loss;
    } cases[] = {{64, 0.0233555794124}, {SWQ_MAX_PORTS, 0.0238790547867}};
    const swq_sim_options options = run_of(3, 8, 200, 1000);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_context *ctx = swq_context_new();
        swq_switch sw = {.ports = cases[k].ports,
                         .architecture = &swq_output_queued,
                         .arbiter = swq_arbiters[0],
                         .output_slots = 8};
        sw.load[0] = 0.9;
        swq_switch_own_memory(&sw);
        const swq_network n = network_of(&sw);
        const swq_sim_result r = simulate(ctx, &n, &options);
        const double error = r.stage[0].discarded.half_width / 2.3;
        cr_assert(error < 0.001 && fabs(r.stage[0].discarded.mean - cases[k].loss) < 4.5 * error,
                  "%d ports: %g +- %g, not %g", cases[k].ports, r.stage[0].discarded.mean, error,
                  cases[k].loss);
        swq_context_free(ctx);
    }
}
