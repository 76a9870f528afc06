/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of senders that begin and end: who sends what and when, seen from outside as transmissions
 * that begin, and what of it is counted where.
 */
#include "tests/sim/inspector.h"

TestSuite(async_times, .timeout = 240);

enum { GROUPS = 4, CYCLES = 4000 };

/* The lengths of its messages identify a group: 5, 6, 7 ... bytes. */
static swq_sender_group lasting(int number, swq_source_kind kind, swq_spread interval,
                                uint32_t from, uint32_t until)
{
    return (swq_sender_group){.kind = kind,
                              .interval = interval,
                              .from = from,
                              .until = until,
                              .type = {{.probability = 1,
                                        .pattern = &swq_pattern_uniform,
                                        .length = constantly(5 + number)}},
                              .types = 1};
}

/* By the definition: the first group that includes the sender and is active. */
static int group_then(const swq_async *n, uint32_t sender, uint32_t cycle)
{
    for (int g = 0; g < n->traffic.groups; g++) {
        const swq_sender_group *group = &n->traffic.group[g];
        if ((sender & group->mask) == group->value && cycle >= group->from &&
            (group->until == 0 || cycle < group->until))
            return g;
    }
    return -1;
}

static uint32_t draw(uint32_t below)
{
    static uint64_t state = 7;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Random groups: of all nodes, or half, or a quarter of them; for ever, from a cycle on, until one,
 * or between two. */
static void draw_groups(swq_sender_group *g, swq_source_kind kind)
{
    for (int k = 0; k < GROUPS; k++) {
        const uint32_t from = draw(2) * draw(CYCLES);
        const swq_spread interval =
            draw(2) ? constantly(20 + draw(60)) : (swq_spread){SWQ_GEOMETRIC, 20 + draw(60), 1};
        g[k] = lasting(k, kind, interval, from, draw(2) ? from + 1 + draw(CYCLES) : 0);
        g[k].mask = draw(4);
        g[k].value = draw(4) & g[k].mask;
        if (draw(8) == 0)
            g[k].silent = true;
        if (draw(4) == 0) { /* most of them have no other sender */
            g[k].type[0].aim = SWQ_AIM_NODE;
            g[k].type[0].value = draw(16);
        }
    }
}

Test(async_times, every_message_is_created_in_its_group_and_counted_there)
{
    uint64_t all = 0;

    for (int k = 0; k < 60; k++) {
        swq_async n = async_network(
            k % 3 ? shape_of_grid("torus", 2, 4) : shape_in_stages("omega", 4, 2), "damq", 160);
        swq_sender_group g[GROUPS];
        uint64_t sent[GROUPS] = {0}, waiting = 0;
        swq_async_result r;
        draw_groups(g, k % 2 ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD);
        n.traffic.group = g;
        n.traffic.groups = GROUPS;
        start_log log = run_logged(&n, CYCLES, &r);
        for (size_t i = 0; i < log.count; i++) {
            const swq_start *s = &log.at[i];
            if (s->switch_ != SWQ_NO_WHERE)
                continue;
            const int group = group_then(&n, s->from, s->birth);
            cr_assert(group >= 0, "spec %d: sender %u is in no group in cycle %u", k, s->from,
                      s->birth);
            cr_assert(!g[group].silent, "spec %d: group %d is silent", k, group);
            cr_assert_eq(s->bytes, 5 + (uint32_t)group, "spec %d: sender %u, cycle %u", k, s->from,
                         s->birth);
            sent[group]++;
            all++;
        }
        free(log.at);
        for (int i = 0; i < GROUPS; i++) {
            const swq_flow_result *f = &r.sim.by_group[i];
            cr_assert(f->created >= sent[i] && f->delivered <= sent[i], "spec %d", k);
            cr_assert_eq(f->bytes, (double)f->delivered * (5 + i), "spec %d", k);
            waiting += f->created - sent[i];
        }
        cr_assert_eq(r.sim.total_created, r.sim.all.created);
        cr_assert(waiting <= r.sim.total_in_flight && r.sim.conserved && r.sim.little_exact);
    }
    cr_assert_gt(all, 40000, "%llu messages", (unsigned long long)all);
}

/* One message in ten cycles, in each of these spans of time: the second group interrupts the third
 * one at odd nodes. */
Test(async_times, as_much_as_asked_as_long_as_asked)
{
    swq_async n = async_network(shape_in_stages("omega", 2, 3), "dafc", 4096);
    swq_sender_group g[3] = {
        lasting(0, SWQ_SOURCE_OPEN, constantly(10), 3500, 0),
        lasting(1, SWQ_SOURCE_OPEN, constantly(10), 1000, 1500),
        lasting(2, SWQ_SOURCE_OPEN, constantly(10), 200, 3000),
    };
    swq_async_result r;

    g[1].mask = g[1].value = 1;
    n.link.rest = 0;
    n.traffic.group = g;
    n.traffic.groups = 3;
    free(run_logged(&n, CYCLES, &r).at);
    /* in a span of T cycles each node has T / 10 messages, less one for its first interval */
    const double spans[3] = {8 * 50, 4 * 50, 4 * 280 + 4 * (80 + 150)}, nodes[3] = {8, 4, 8};
    for (int k = 0; k < 3; k++) {
        const swq_flow_result *f = &r.sim.by_group[k];
        const double few = k == 2 ? 24 : 16;
        cr_expect((double)f->created <= spans[k] && (double)f->created >= spans[k] - few,
                  "group %d: %llu messages", k, (unsigned long long)f->created);
        assert_relative(f->throughput.mean * CYCLES * nodes[k], f->bytes, 1e-9, "group %d", k);
    }
}

/* A group that lasts longer than the run equals one without an end, except for the intervals: those
 * of one run do not exist, and those of several come from their scatter. */
Test(async_times, a_group_that_outlasts_the_run)
{
    for (int kind = 0; kind < 2; kind++) {
        swq_async n = async_network(shape_of_grid("torus", 2, 4), "damq", 160);
        swq_sender_group g = swq_sender_group_uniform(&n, kind ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD,
                                                      0.4, constantly(20));
        swq_sim_options options = run_of(3, 1, 500, 5000);
        n.traffic.group = &g;
        n.traffic.groups = 1;
        const swq_async_result endless = run_async(&n, &options, NULL);
        g.until = 4000000000;
        const swq_async_result r = run_async(&n, &options, NULL);
        options.replications = 3;
        const swq_async_result three = run_async(&n, &options, NULL);
        assert_relative(r.sim.all.throughput.mean, endless.sim.all.throughput.mean, 1e-13, "%d",
                        kind);
        assert_relative(r.sim.all.latency.mean, endless.sim.all.latency.mean, 1e-13, "%d", kind);
        cr_expect_eq(r.sim.total_created, endless.sim.total_created);
        cr_expect(isnan(r.sim.all.throughput.half_width));
        cr_expect(isnan(r.sim.stage[0].occupancy.half_width));
        cr_expect_eq(three.sim.batches, 3);
        cr_expect(three.sim.all.throughput.half_width > 0 &&
                  isfinite(three.sim.all.throughput.half_width));
    }
}

/* Background traffic goes on while a burst comes and goes: windows distinguish them, and their
 * packets in flight follow from the packets created and delivered. */
Test(async_times, a_burst_over_a_background_in_windows)
{
    swq_context *ctx = swq_context_new();
    swq_async n = async_network(shape_of_grid("torus", 2, 4), "damq", 160);
    swq_sender_group g[2] = {
        lasting(0, SWQ_SOURCE_HOLD, constantly(0), 1000, 2000),
        lasting(1, SWQ_SOURCE_HOLD, constantly(80), 0, 0),
    };
    swq_sim_options options = run_of(3, 4, 0, CYCLES);
    swq_async_result r;

    g[0].mask = g[0].value = 1;
    g[0].type[0].aim = SWQ_AIM_NODE;
    n.traffic.group = g;
    n.traffic.groups = 2;
    options.series = 500;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK);
    for (int k = 0; k < 2; k++) {
        double before = 0;
        for (size_t w = 0; w < r.sim.series->windows; w++) {
            const swq_flow_result *f = &r.sim.series->window[w].by_group[k];
            const double more = (double)f->created - (double)f->delivered;
            const bool burst = w == 2 || w == 3;
            cr_expect(fabs(f->in_flight.mean * 4 - before - more) < 1e-6, "window %zu", w);
            before = f->in_flight.mean * 4;
            cr_expect_eq(f->created > 0, k == 1 || burst, "group %d, window %zu: %llu created", k,
                         w, (unsigned long long)f->created);
        }
        cr_expect_gt(r.sim.by_group[k].delivered, 300);
    }
    swq_series_free(ctx, r.sim.series);
    swq_context_free(ctx);
}

Test(async_times, what_cannot_be_is_refused)
{
    swq_context *ctx = swq_context_new();
    swq_async n = async_network(shape_of_grid("torus", 2, 4), "damq", 160);
    const swq_sim_options options = run_of(3, 1, 0, 100);
    static swq_async_result full;
    swq_saturation found;
    uint32_t nodes;

    for (int k = 0; k < 5; k++) {
        swq_sender_group g[2] = {
            lasting(0, SWQ_SOURCE_HOLD, constantly(9), 10, k == 0 ? 10 : 20),
            lasting(1, k == 0 ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN, constantly(9), 0, 0),
        };
        g[0].mask = g[1].mask = k > 2;
        g[0].value = k > 2;
        n.traffic.group = g;
        n.traffic.groups = 2;
        const char *const name = k == 0 ? "end" : "same sources";
        const swq_status status = swq_async_check(ctx, &n, &nodes);
        if (k > 2) { /* they have no sender in common */
            cr_expect_eq(status, SWQ_OK);
            cr_expect_eq(swq_async_saturation(ctx, &n, &options, &(swq_search){.resolution = 0.1},
                                              &full, &found),
                         SWQ_EINVAL);
            cr_expect(strstr(swq_context_message(ctx), "change with time"));
            continue;
        }
        cr_expect_eq(status, SWQ_EINVAL, "%d", k);
        cr_expect(strstr(swq_context_message(ctx), name), "%s", swq_context_message(ctx));
    }
    swq_context_free(ctx);
}
