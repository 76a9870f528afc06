/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load at which an asynchronous network delivers most. With packets of one length and a full
 * load whose answer is known: a ring of two nodes has no contention, so it delivers what its
 * senders' links carry, 32 bytes of 34 cycles, and no load gives more.
 */
#include "tests/support/support.h"

static swq_async ring(int nodes, bool one_way, swq_sender_group *group)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = &swq_fabric_torus, .dims = 1, .extent = {nodes}};
    n.shape.one_way = one_way;
    give_buffer(&n, "damq", 256);
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

static swq_async_result full_load; /* of the last search */

static swq_status search(swq_context *ctx, const swq_async *n, const swq_sim_options *o,
                         double resolution, swq_peak *peak)
{
    swq_saturation found = {.peak = *peak};
    const swq_status status = swq_async_saturation(
        ctx, n, o, &(swq_search){.resolution = resolution}, &full_load, &found);

    *peak = found.peak;
    return status;
}

static swq_peak find(swq_context *ctx, const swq_async *n, double resolution)
{
    swq_sim_options o = swq_sim_defaults();
    swq_peak peak = {.runs = 0};

    o.warmup = 1000;
    o.threads = 2;
    cr_assert_eq(search(ctx, n, &o, resolution, &peak), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    return peak;
}

Test(async_saturation, where_nothing_is_in_the_way_it_is_the_links)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n = ring(2, false, &group);

    swq_peak peak = find(ctx, &n, 0.02);
    double full = full_load.sim.all.throughput.mean;
    cr_assert(fabs(full - 32.0 / 34) < 2e-3, "%g", full);
    cr_assert(fabs(peak.throughput.mean - full) < 2e-3, "%g", peak.throughput.mean);
    cr_assert(peak.load > 0.9, "%g", peak.load);
    cr_assert(peak.below < peak.load && peak.above >= peak.load && peak.above <= 1);
    cr_assert(isnan(peak.deadlock_load));
    swq_context_free(ctx);
}

/* A reactive ring: it does deliver the throughput found at the load found, which is more than at
 * full load and, beyond noise, than at loads around. */
Test(async_saturation, the_highest_is_below_full_load)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n = ring(12, false, &group);

    n.flow.row = &swq_flow_maximum_usage;
    n.flow.threshold = 24;
    swq_peak peak = find(ctx, &n, 0.02);
    swq_sim_options o = swq_sim_defaults();
    swq_async_result r;
    const double around[] = {peak.load, peak.load - 0.1, 1};
    o.warmup = 1000;
    for (int k = 0; k < 3; k++) {
        swq_sender_group_load(&n, &group, around[k]);
        cr_assert_eq(swq_async_run(ctx, &n, &o, NULL, &r), SWQ_OK);
        double less = peak.throughput.mean - r.sim.all.throughput.mean;
        if (k == 0) {
            cr_assert(less >= 0 && less <= peak.throughput.half_width + peak.at_load.half_width,
                      "%g less at load %g", less, peak.load);
            cr_assert_eq(r.sim.all.throughput.mean, peak.at_load.mean);
            cr_assert(r.sim.all.throughput.half_width < peak.at_load.half_width,
                      "intervals of all runs together are wider");
        } else
            cr_assert(r.sim.all.throughput.mean <= peak.throughput.mean, "load %g: %g over %g",
                      around[k], r.sim.all.throughput.mean, peak.throughput.mean);
    }
    /* seven eighths and full load, two for each halving from 1/8 to 1/64, and three for the least
     * load that does as well */
    cr_assert(peak.runs >= 8 + 3 && peak.runs <= 8 + 6 + 3, "%d", peak.runs);
    cr_assert(peak.load - peak.below <= 1.0 / 64, "%g %g", peak.load, peak.below);
    swq_context_free(ctx);
}

/* Open senders cannot deliver more than they are given, so what is said of a load is of a run at
 * that load, and the highest throughput is of a load that is at least as high. */
Test(async_saturation, no_load_delivers_more_than_is_offered)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n = ring(8, false, &group);

    group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.5, (swq_spread){SWQ_CONSTANT, 32, 0});
    swq_peak peak = find(ctx, &n, 0.02);
    cr_assert(peak.load < peak.highest_load, "%g: the case says too little", peak.load);
    cr_assert(peak.at_load.mean <= peak.load + peak.at_load.half_width, "%g at load %g",
              peak.at_load.mean, peak.load);
    cr_assert(peak.throughput.mean <= peak.highest_load + peak.throughput.half_width,
              "%g at load %g", peak.throughput.mean, peak.highest_load);
    cr_assert(peak.at_load.mean <= peak.throughput.mean);
    swq_context_free(ctx);
}

/* Senders without obstacles send as much as they are told to, also with several lengths. */
Test(async_saturation, loads_are_met)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options o = swq_sim_defaults();
    swq_sender_group group;
    swq_async n = ring(2, false, &group);

    o.cycles = 500000;
    for (int k = 0; k < 8; k++) {
        swq_async_result r;
        double load = k / 2 * 0.15 + 0.15;
        group.kind = k % 2 ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD;
        group.types = 2;
        group.type[1] = group.type[0];
        group.type[0].length = (swq_spread){SWQ_CONSTANT, 8, 0};
        group.type[1].length = (swq_spread){SWQ_UNIFORM, 20, 60};
        group.type[0].probability = 0.75;
        group.type[1].probability = 0.25;
        swq_sender_group_load(&n, &group, load);
        cr_assert_eq(swq_async_run(ctx, &n, &o, NULL, &r), SWQ_OK);
        swq_estimate got = r.sim.all.throughput;
        cr_expect(fabs(got.mean - load) < 2.5 * got.half_width, "load %g: %g +- %g", load, got.mean,
                  got.half_width);
        cr_expect_lt(got.half_width, 0.03 * load, "or the case says too little: %g",
                     got.half_width);
    }
    swq_context_free(ctx);
}

/* All send to one node, whose link is saturated at a small load: noise does not select a higher
 * one. */
Test(async_saturation, the_least_load_of_a_flat_top)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n = ring(8, false, &group);

    give_buffer(&n, "damq", 512);
    group.type[0].aim = SWQ_AIM_NODE;
    swq_peak peak = find(ctx, &n, 0.01);
    double carries = 32.0 / 34 / 7; /* of each of the seven that send */
    cr_assert(fabs(peak.throughput.mean - 32.0 / 34 / 8) < 2e-3, "%g", peak.throughput.mean);
    cr_assert(peak.load > 0.85 * carries && peak.load < 1.1 * carries, "%g", peak.load);
    cr_assert(peak.below < peak.load && peak.load - peak.below <= 0.01, "%g", peak.below);
    cr_assert(peak.above > peak.load && peak.above - peak.load <= 0.125, "%g", peak.above);
    swq_context_free(ctx);
}

/* A search that was cancelled before a run was finished gives nothing, or no answer. */
Test(async_saturation, cancelled)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options o = swq_sim_defaults();
    swq_sender_group group;
    swq_async n = ring(4, false, &group);
    swq_peak peak = {.runs = -1};

    swq_context_cancel(ctx);
    cr_assert_eq(search(ctx, &n, &o, 0.1, &peak), SWQ_ECANCELLED);
    cr_assert_eq(peak.runs, -1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Loads that end in a deadlock are not among the highest, and the lowest of them is reported. */
Test(async_saturation, deadlocks_are_told)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n = ring(8, true, &group);

    give_buffer(&n, "fifo", 64);
    static const double resolution[] = {0.125, 0.02};
    for (int k = 0; k < 2; k++) {
        swq_peak peak = find(ctx, &n, resolution[k]);
        double step = k ? 1.0 / 64 : 1.0 / 8;
        cr_assert(full_load.sim.stopped_by == SWQ_STOP_DEADLOCK);
        /* throughput rises with the load until there are deadlocks, and what counts is below all of
         * them: the highest throughput is at the load next below the first deadlock, or was
         * reached, to within its interval, at a lower load */
        cr_assert(peak.load < peak.deadlock_load, "%g and %g", peak.load, peak.deadlock_load);
        cr_assert(peak.throughput.mean < peak.deadlock_load + step, "%g", peak.throughput.mean);
        cr_assert(peak.throughput.mean + peak.throughput.half_width >=
                      peak.deadlock_load - 2 * step,
                  "%g", peak.throughput.mean);
        cr_assert(peak.above <= peak.deadlock_load);
    }
    swq_context_free(ctx);
}

/* In short runs, loads above one that deadlocked may not deadlock: they do not count. The answer is
 * from a run below. */
Test(async_saturation, luck_beyond_a_deadlock_does_not_count)
{
    static const struct {
        uint64_t cycles, seed;
    } cases[] = {{3000, 1}, {8000, 7}, {8000, 8}};
    swq_context *ctx = swq_context_new();
    swq_sim_options o = swq_sim_defaults();
    swq_sender_group group;

    o.warmup = 0;
    for (int k = 0; k < 3; k++) {
        swq_async n = ring(3, true, &group);
        swq_peak peak = {.runs = 0};
        swq_async_result r;
        bool below = false;
        give_buffer(&n, "fifo", 64);
        o.cycles = cases[k].cycles;
        o.seed = cases[k].seed;
        cr_assert_eq(search(ctx, &n, &o, 0.05, &peak), SWQ_OK);
        cr_assert(full_load.sim.stopped_by == SWQ_STOP_CYCLES, "full load got away");
        cr_assert(peak.load < peak.deadlock_load, "case %d: %g and %g", k, peak.load,
                  peak.deadlock_load);
        for (double load = 1.0 / 64; load < peak.deadlock_load && !below; load += 1.0 / 64) {
            swq_sender_group_load(&n, &group, load);
            cr_assert_eq(swq_async_run(ctx, &n, &o, NULL, &r), SWQ_OK);
            below = r.sim.all.throughput.mean == peak.throughput.mean;
        }
        cr_assert(below, "case %d: %g is of no load below %g", k, peak.throughput.mean,
                  peak.deadlock_load);
    }
    swq_context_free(ctx);
}

static void refuse(swq_context *ctx, const swq_async *n, double resolution, const char *says)
{
    const swq_sim_options o = swq_sim_defaults();
    swq_peak peak = {.runs = -1};

    cr_assert_eq(search(ctx, n, &o, resolution, &peak), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), says), "no '%s' in %s", says,
              swq_context_message(ctx));
    cr_assert_eq(peak.runs, -1, "left alone");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(async_saturation, what_it_cannot_change_is_refused)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n = ring(4, false, &group);
    const swq_async_message line = {0, 0, 1, 8};

    refuse(ctx, &n, 0, "resolution must be above 0");
    refuse(ctx, &n, 0.6, "not 0.6");
    group.from_start = true;
    refuse(ctx, &n, 0.1, "intervals from the link's rest");
    group.from_start = false;
    give_buffer(&n, "damq", 8);
    refuse(ctx, &n, 0.1, "bytes");
    give_buffer(&n, "damq", 256);
    n.traffic.trace = &line;
    n.traffic.trace_messages = 1;
    refuse(ctx, &n, 0.1, "trace");
    swq_context_free(ctx);
}

/* Every allocation failing, once and for good, leaves the result alone and leaks nothing. */
Test(async_saturation, no_memory)
{
    swq_sim_options o = swq_sim_defaults();
    swq_sender_group group;
    swq_async n = ring(3, false, &group);

    o.cycles = 200;
    o.warmup = 0;
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t failures = 0;
        for (size_t after = 0; status != SWQ_OK; after++) {
            swq_context *ctx = swq_context_new();
            swq_peak peak = {.runs = -1};
            swq_context_fail_allocations(ctx, after, for_good);
            status = search(ctx, &n, &o, 0.1, &peak);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%d", status);
            cr_assert(status == SWQ_OK || peak.runs == -1);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            failures += status != SWQ_OK;
            swq_context_free(ctx);
        }
        cr_assert_gt(failures, 20, "of its own and of the first run, not %zu", failures);
    }
}
