/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Approximate networks of switches with one central pool: near the exact chain of one switch, near
 * the simulator for networks, and in agreement with themselves. Figures of the simulator are those
 * of `switchq sim --ports K --stages S --buffer cbda --slots B --flow F --load L --cycles 60000`.
 * Not pinned: how many steps it takes.
 */
#include "tests/support/support.h"

TestSuite(approx_pool, .timeout = 240);

static swq_network pools(swq_context *ctx, int ports, int stages, int slots, bool block,
                         double load)
{
    swq_network n = {.shape.stages = stages,
                     .sw = test_switch(ctx, "cbda", ports, slots, load, "rotating"),
                     .traffic = swq_traffic_defaults()};

    n.sw.flow = block ? SWQ_BLOCK : SWQ_DISCARD;
    n.sw.credit = block ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    n.traffic.load = load;
    cr_assert_eq(swq_fabric_find(ctx, stages == 1 ? "switch" : "omega", &n.shape), SWQ_OK);
    return n;
}

static swq_approx_result approximate(int ports, int stages, int slots, bool block, double load)
{
    swq_context *ctx = swq_context_new();
    swq_network n = pools(ctx, ports, stages, slots, block, load);
    swq_approx_result r;
    swq_status status = swq_approx_run(ctx, &n, NULL, &r);

    cr_assert_eq(status, SWQ_OK, "%dx%d, %d stages, %d slots, load %g: %s", ports, ports, stages,
                 slots, load, swq_context_message(ctx));
    cr_assert(r.converged && (r.steps > 0 || load == 0));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return r;
}

/* ---- against the chain of one switch ---- */

static void near_the_chain(int ports, int slots, bool block, double load)
{
    swq_context *ctx = swq_context_new();
    swq_network n = pools(ctx, ports, 1, slots, block, load);
    swq_answers exact = test_solve(ctx, &n.sw, "auto");
    swq_approx_result r = approximate(ports, 1, slots, block, load);
    double delay = exact.mean_delay + (block ? exact.mean_source_wait : 0);

    /* two queues are the whole state; of more queues, all but one are approximated */
    double tolerance = ports == 2 ? 1e-6 : 0.004;
    assert_relative(r.throughput, exact.throughput.value, tolerance, "%d %d %d %g: %g, %g", ports,
                    slots, block, load, r.throughput, exact.throughput.value);
    assert_relative(r.latency, delay, 2 * tolerance, "%d %d %d %g: %g, %g", ports, slots, block,
                    load, r.latency, delay);
    cr_assert(fabs(r.refusal - exact.refusal) <= tolerance, "%d %d %d %g: %g, %g", ports, slots,
              block, load, r.refusal, exact.refusal);
    swq_answers_clear(ctx, &exact);
    swq_context_free(ctx);
}

Test(approx_pool, one_stage_is_near_the_exact_chain)
{
    for (int block = 0; block < 2; block++)
        for (int l = 0; l < 2; l++) {
            double load = l ? 1 : 0.75;
            near_the_chain(2, 1, block, load);
            near_the_chain(2, 4, block, load);
            near_the_chain(3, 2, block, load);
            near_the_chain(4, 1, block, load);
            near_the_chain(4, 2, block, load);
        }
}

/* The iteration of a pool of 128 slots starts from one of 64. */
Test(approx_pool, large_pools_start_from_smaller_ones)
{
    for (int block = 0; block < 2; block++) {
        near_the_chain(2, 64, block, 0.75);
        near_the_chain(2, 64, block, 0.99);
        for (int stages = 1; stages <= 3; stages++) {
            const swq_approx_result large = approximate(2, stages, 64, block, 0.8);
            const swq_approx_result small = approximate(2, stages, 63, block, 0.8);
            assert_relative(large.latency, small.latency, 1e-6, "%d stages", stages);
            assert_relative(large.throughput, small.throughput, 1e-7, "%d stages", stages);
        }
    }
}

/* ---- against the simulator ---- */

typedef struct pool_row {
    int ports, stages, slots;
    double load, throughput, latency;
} pool_row;

Test(approx_pool, discarding_networks_deliver_what_the_simulator_says_within_one_percent)
{
    static const pool_row rows[] = {
        {4, 3, 1, 0.5, 0.448968, 3.89384}, {4, 3, 1, 1, 0.531652, 4.29799},
        {4, 3, 2, 0.7, 0.672228, 5.41759}, {4, 3, 2, 1, 0.734917, 6.58202},
        {4, 3, 3, 1, 0.817552, 9.00054},   {4, 3, 4, 0.9, 0.852329, 10.27696},
        {4, 3, 4, 1, 0.860995, 11.45387},  {4, 3, 8, 0.6, 0.599761, 4.78851}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pool_row t = rows[i];
        swq_approx_result r = approximate(t.ports, t.stages, t.slots, false, t.load);
        assert_relative(r.throughput, t.throughput, 0.01, "%d slots, load %g: %g, %g", t.slots,
                        t.load, r.throughput, t.throughput);
        assert_relative(r.latency, t.latency, 0.05, "%d slots, load %g: %g, %g", t.slots, t.load,
                        r.latency, t.latency);
    }
}

Test(approx_pool, blocking_networks_saturate_within_five_percent)
{
    static const pool_row rows[] = {
        {4, 3, 1, 1, 0.327907, 6.69056},  {4, 3, 2, 1, 0.591057, 6.40321},
        {4, 3, 3, 1, 0.730111, 7.90856},  {4, 3, 4, 1, 0.801909, 9.88897},
        {4, 3, 6, 1, 0.873103, 14.30777}, {8, 2, 2, 1, 0.6272, 0}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pool_row t = rows[i];
        swq_approx_result r = approximate(t.ports, t.stages, t.slots, true, t.load);
        assert_relative(r.throughput, t.throughput, 0.05, "%d slots: %g, %g", t.slots, r.throughput,
                        t.throughput);
        if (t.latency > 0)
            assert_relative(r.latency, t.latency, 0.05, "%d slots: %g, %g", t.slots, r.latency,
                            t.latency);
    }
}

Test(approx_pool, latency_well_below_saturation_is_the_simulators)
{
    static const pool_row rows[] = {{4, 3, 1, 0.2, 0.199338, 3.36355},
                                    {4, 3, 2, 0.4, 0.400058, 3.79083},
                                    {4, 3, 4, 0.6, 0.599761, 4.78876},
                                    {4, 3, 8, 0.7, 0.699805, 5.7998}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pool_row t = rows[i];
        swq_approx_result r = approximate(t.ports, t.stages, t.slots, true, t.load);
        assert_relative(r.throughput, t.throughput, 0.005, "%d slots: %g", t.slots, r.throughput);
        assert_relative(r.latency, t.latency, 0.01, "%d slots, load %g: %g, %g", t.slots, t.load,
                        r.latency, t.latency);
    }
}

/* ---- consistency ---- */

static void agrees_with_itself(int ports, int stages, int slots, bool block, double load)
{
    swq_approx_result r = approximate(ports, stages, slots, block, load);
    double cycles = 1 + r.source_queue / r.stage[0].sent, passed = 1;

    for (int s = 0; s < stages; s++) {
        const swq_approx_stage *t = &r.stage[s];
        cycles += t->occupancy / (ports * t->sent);
        passed *= 1 - t->discarded;
        cr_assert(t->occupancy >= 0 && t->occupancy <= ports * slots);
        if (block)
            assert_relative(t->sent, r.throughput, 2e-7, "stage %d: %.9g, %.9g", s, t->sent,
                            r.throughput);
        if (s > 0)
            assert_relative(t->sent, r.stage[s - 1].sent * (1 - t->discarded), 2e-6,
                            "stage %d: %.9g", s, t->sent);
        cr_assert(block ? t->discarded == 0 : t->blocked == 0);
    }
    cr_assert(r.stage[stages - 1].blocked == 0);
    cr_assert(r.throughput <= load && r.refusal >= 0 && r.source_queue >= 0 &&
              r.discard_fraction >= 0);
    assert_relative(r.latency, cycles, 1e-12, "%g, %g", r.latency, cycles);
    /* when blocking, throughput is what sources create, and equals what enters within the same
     * tolerance as what leaves */
    assert_relative(r.stage[stages - 1].sent, r.throughput, block ? 2e-7 : 2e-6, "%g",
                    r.throughput);
    assert_relative(1 - r.discard_fraction, passed, 2e-6, "%g, %g", r.discard_fraction, passed);
}

Test(approx_pool, flow_is_conserved_between_stages)
{
    for (int block = 0; block < 2; block++)
        for (int l = 0; l < 2; l++) {
            agrees_with_itself(2, 6, 2, block, l ? 1 : 0.4);
            agrees_with_itself(3, 2, 2, block, l ? 1 : 0.4);
            agrees_with_itself(4, 3, 3, block, l ? 1 : 0.4);
            agrees_with_itself(8, 2, 1, block, l ? 1 : 0.4);
            agrees_with_itself(8, 2, 3, block, l ? 1 : 0.4);
        }
}

Test(approx_pool, next_to_nothing_waits_at_light_load)
{
    for (int ports = 2; ports <= 8; ports *= 2)
        for (int block = 0; block < 2; block++) {
            double load = 1e-4, k = ports;
            swq_approx_result r = approximate(ports, 3, 2, block, load);
            /* at each stage, another packet for the same output arrives at the same time with
             * probability (k-1)/k load / 2 */
            double latency = 3 + 3 * (k - 1) / k * load / 2;
            assert_relative(r.throughput, load, 1e-6, "%g", r.throughput);
            cr_assert(fabs(r.latency - latency) < 1e-2 * (latency - 3), "%.9g, %.9g", r.latency,
                      latency);
        }
}

/* Everything that matters there is rare, and still computed. */
Test(approx_pool, the_lightest_loads_are_delivered)
{
    for (double load = 1e-13; load < 1e-3; load *= 100)
        for (int slots = 1; slots <= 4; slots *= 2)
            for (int block = 0; block < 2; block++) {
                swq_approx_result r = approximate(4, 3, slots, block, load);
                assert_relative(r.throughput, load, 1e-12, "%d slots, load %g: %.9g", slots, load,
                                r.throughput);
                for (int s = 0; s < 3; s++)
                    assert_relative(r.stage[s].sent, load, 1e-7, "load %g: %.9g", load,
                                    r.stage[s].sent);
                cr_assert(r.throughput <= load && fabs(r.latency - 3) <= 2 * load,
                          "%.17g of %.17g, %.9g", r.throughput, load, r.latency);
                cr_assert(r.refusal >= 0 && r.refusal < 1e-12 && r.discard_fraction >= 0 &&
                              r.discard_fraction < 1e-12,
                          "%g, %g", r.refusal, r.discard_fraction);
            }
}

/* Two queues are the whole state, so even losses of one in 1e21 packets are exact. */
Test(approx_pool, rare_losses_of_one_switch_are_the_exact_chains)
{
    static const double load[] = {0.5, 0.1, 0.01, 1e-3};

    for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
        swq_context *ctx = swq_context_new();
        swq_network n = pools(ctx, 2, 1, 2, false, load[i]);
        swq_answers exact = test_solve(ctx, &n.sw, "auto");
        swq_approx_result r = approximate(2, 1, 2, false, load[i]);
        assert_relative(r.discard_fraction, exact.discard.value, 1e-6, "load %g: %g, %g", load[i],
                        r.discard_fraction, exact.discard.value);
        swq_answers_clear(ctx, &exact);
        swq_context_free(ctx);
    }
}

/* Large pools are almost never full: differences of numbers near 1 could become negative. */
Test(approx_pool, nothing_is_below_zero)
{
    for (int block = 0; block < 2; block++) {
        swq_approx_result r = approximate(4, 3, 24, block, 0.7);
        cr_assert(r.refusal >= 0 && r.source_queue >= 0 && r.discard_fraction >= 0, "%g, %g, %g",
                  r.refusal, r.source_queue, r.discard_fraction);
        for (int s = 0; s < 3; s++)
            cr_assert(r.stage[s].blocked >= 0 && !signbit(r.stage[s].blocked) &&
                          r.stage[s].discarded >= 0,
                      "%g, %g", r.stage[s].blocked, r.stage[s].discarded);
        cr_assert(r.throughput <= 0.7, "%.17g", r.throughput);
    }
}

Test(approx_pool, nothing_comes_of_nothing)
{
    for (int block = 0; block < 2; block++) {
        swq_approx_result r = approximate(4, 2, 1, block, 0);
        cr_assert(r.throughput == 0 && r.latency == 2 && r.stage[1].occupancy == 0);
        cr_assert(r.discard_fraction == 0 && r.refusal == 0 && r.source_queue == 0);
    }
}

Test(approx_pool, a_million_nodes_are_as_easy)
{
    swq_approx_result few = approximate(4, 3, 4, true, 0.5),
                      many = approximate(4, 10, 4, true, 0.5);

    assert_relative(few.throughput, many.throughput, 1e-4, "%g, %g", few.throughput,
                    many.throughput);
    /* KSW: later stages are all alike */
    double stage = many.stage[9].occupancy / (4 * many.throughput);
    assert_relative(many.latency, few.latency + 7 * stage, 1e-3, "%g", many.latency);
}

/* ---- refusals ---- */

Test(approx_pool, what_is_not_approximated_is_said)
{
    swq_context *ctx = swq_context_new();
    swq_network n = pools(ctx, 4, 3, 4, true, 0.5);
    swq_approx_result r;

    n.sw.buffer.pool_rule = &swq_pool_ports;
    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "ports"));
    n.sw.buffer.pool_rule = &swq_pool_oldest;
    n.sw.buffer.queue_max = 8;
    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_EINVAL);
    n.sw.buffer.queue_max = n.sw.buffer.capacity = 3;
    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_EINVAL);
    n = pools(ctx, 16, 2, 500, true, 0.5);
    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "8000 slots"), "%s", swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static void fail_each_allocation(int slots)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t after = 0;
        for (; status == SWQ_ENOMEM; after++) {
            swq_context *ctx = swq_context_new();
            swq_network n = pools(ctx, 2, 2, slots, true, 0.5);
            swq_approx_result r;
            swq_context_fail_allocations(ctx, after, for_good);
            status = swq_approx_run(ctx, &n, NULL, &r);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
            cr_assert(status == SWQ_ENOMEM || status == SWQ_OK, "%d", status);
            swq_context_free(ctx);
        }
        cr_assert(after > 25, "only %zu allocations", after);
    }
}

Test(approx_pool, every_allocation_fails)
{
    fail_each_allocation(1);
    fail_each_allocation(64);
}
