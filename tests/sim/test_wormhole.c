/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wormhole switching as an architecture: latencies from a trace by the formula of docs/wormhole.md,
 * what must hold of any run, and deadlocks named as those of other architectures are.
 */
#include "tests/sim/inspector.h"

#include <math.h>
#include <stdlib.h>

TestSuite(wormhole, .timeout = 240);

static swq_async wormhole_of(const swq_fabric_kind *kind, int extent)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = kind, .dims = 2, .extent = {extent, extent}};
    n.architecture = &swq_wormhole_lanes;
    n.max_packet = 40;
    n.link_rest = 0;
    return n;
}

static swq_async_result run(const swq_async *n, uint64_t cycles)
{
    swq_sim_options options = swq_sim_defaults();
    swq_context *ctx = swq_context_new();
    swq_async_result r;

    options.cycles = cycles;
    options.warmup = 1000;
    cr_assert_eq(swq_async_run(ctx, n, &options, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    swq_context_free(ctx);
    return r;
}

/* Two packets that meet no other: the stages of each switch and the cycles of each link, and then
 * the flits one after another. */
Test(wormhole, a_packet_alone_takes_what_the_stages_take)
{
    swq_async n = wormhole_of(&swq_fabric_mesh, 4);
    const swq_async_message message[] = {{10, 0, 15, 6}, {500, 5, 6, 3}};
    const int hops[] = {7, 2}, delays[][5] = {{0, 1, 1, 1, 1}, {2, 3, 1, 0, 4}};

    n.trace = message;
    n.trace_messages = 2;
    for (int d = 0; d < 2; d++) {
        int stages = 0;
        for (int k = 0; k < 4; k++)
            stages += n.router_delay[k] = delays[d][k];
        n.link_delay = delays[d][4];
        swq_async_result r;
        start_log log = run_logged(&n, 2000, &r);
        double header = 0, tail = 0;
        for (int k = 0; k < 2; k++) {
            header += hops[k] * (stages + n.link_delay) / 2.0;
            tail += (hops[k] * (stages + n.link_delay) + message[k].bytes) / 2.0;
        }
        cr_expect_eq((int)r.sim.total_delivered, 2);
        cr_expect_float_eq(r.sim.all.latency.mean, header, 1e-12);
        cr_expect_float_eq(r.sim.all.tail_latency.mean, tail, 1e-12);
        cr_expect(r.sim.conserved);
        cr_expect_eq((int)log.count, 2 + 7 + 2, "%zu starts", log.count);
        free(log.at);
    }
}

/* Packets longer than the buffers on their way, messages of several packets, both kinds of sources,
 * one lane and many, with a choice and without: nothing is lost, and Little's law holds. */
Test(wormhole, what_must_hold_holds)
{
    for (int k = 0; k < 8; k++) {
        swq_async n = wormhole_of(k & 1 ? &swq_fabric_torus : &swq_fabric_mesh, 4);
        swq_sender_group group = swq_sender_group_uniform(
            &n, k & 2 ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, 0.5, (swq_spread){SWQ_UNIFORM, 1, 100});
        n.lanes = k & 4 ? 4 : 2;
        n.lane_flits = k & 4 ? 3 : 8;
        n.group = &group;
        n.groups = 1;
        if (k & 1)
            n.lane_choice = &swq_lane_choice_dateline;
        if (k == 6) {
            n.shape.routing = &swq_routing_adaptive;
            n.lanes_empty = true;
        }
        const swq_async_result r = run(&n, 20000);
        cr_expect(r.sim.conserved, "case %d", k);
        cr_expect_eq(r.sim.stopped_by, SWQ_STOP_CYCLES, "case %d", k);
        cr_expect_gt(r.sim.all.throughput.mean, 0.2, "case %d", k);
        cr_expect_not(swq_async_may_deadlock(&n), "case %d", k);
        /* the last flit is as many cycles behind the first as there are flits, or more */
        cr_expect_gt(r.sim.all.tail_latency.mean - r.sim.all.latency.mean, 20, "case %d", k);
    }
}

Test(wormhole, a_deadlock_is_named)
{
    swq_async n = wormhole_of(&swq_fabric_torus, 8);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.8, (swq_spread){SWQ_CONSTANT, 4, 0});

    n.lanes = 2;
    n.group = &group;
    n.groups = 1;
    cr_expect(swq_async_may_deadlock(&n));
    const swq_async_result r = run(&n, 20000);
    cr_expect_eq(r.sim.stopped_by, SWQ_STOP_DEADLOCK);
    cr_expect_geq(r.waiting_count, 2);
    for (int k = 0; k < r.waiting_count && k < SWQ_MAX_WAITING; k++)
        cr_expect_eq(r.waiting[k].next_port, r.waiting[(k + 1) % r.waiting_count].port);
}

static void count_up(void *arg, const swq_start *x)
{
    int *count = arg;

    if (x->switch_ == 0 && x->output >= 4)
        count[x->output - 4]++;
}

/* --choice random takes each link up a tree equally often, whoever waits for it. */
Test(wormhole, links_up_are_drawn)
{
    swq_async n = wormhole_of(&swq_fabric_torus, 4);
    swq_sender_group group;
    int count[4] = {0}, sum = 0;
    swq_async_watch watch = {.started = count_up, .arg = count};
    swq_context *ctx = swq_context_new();
    const swq_sim_options options = run_of(1, 1, 0, 20000);
    double squares = 0;
    swq_async_result r;

    n.shape = (swq_shape){.kind = &swq_fabric_tree,
                          .levels = 3,
                          .arity = {4, 4, 4},
                          .up_ports = 4,
                          .routing = &swq_routing_adaptive};
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.7, constantly(4));
    n.lanes = 1;
    n.group = &group;
    n.groups = 1;
    cr_assert_eq(swq_selection_find(ctx, "random", &n.choice), SWQ_OK);
    cr_assert_eq(swq_async_run(ctx, &n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    for (int k = 0; k < 4; k++)
        sum += count[k];
    cr_assert_gt(sum, 5000);
    for (int k = 0; k < 4; k++)
        squares += (count[k] - sum / 4.0) * (count[k] - sum / 4.0) / (sum / 4.0);
    cr_expect_lt(squares, 16.3, "%g", squares); /* 99.9% of chi-square with 3 degrees of freedom */
    cr_expect_not(r.sim.stopped_by == SWQ_STOP_DEADLOCK);
    cr_expect(r.sim.conserved);
    swq_context_free(ctx);
}

static void count_over(void *arg, const swq_start *x)
{
    int *count = arg;

    if (x->switch_ == x->from && x->input == 4) /* from its node into its first switch */
        count[x->over]++;
}

/* Routing valiant draws every node equally often, including the packet's own and its receiver's. */
Test(wormhole, all_nodes_are_as_likely_to_be_gone_over)
{
    enum { NODES = 16 };
    swq_async n = wormhole_of(&swq_fabric_mesh, 4);
    swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.2, constantly(4));
    int count[NODES + 1] = {0}, sum = 0;
    swq_async_watch watch = {.started = count_over, .arg = count};
    swq_context *ctx = swq_context_new();
    const swq_sim_options options = run_of(1, 1, 0, 20000);
    double squares = 0;
    swq_async_result r;

    cr_assert_eq(swq_routing_find(ctx, "valiant", &n.shape.routing), SWQ_OK);
    n.lanes = 2;
    n.group = &group;
    n.groups = 1;
    cr_assert_eq(swq_async_run(ctx, &n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect_eq(count[0], 0); /* straight */
    for (int node = 1; node <= NODES; node++)
        sum += count[node];
    cr_assert_gt(sum, 10000);
    for (int node = 1; node <= NODES; node++) {
        const double mean = (double)sum / NODES;
        squares += (count[node] - mean) * (count[node] - mean) / mean;
    }
    cr_expect_lt(squares, 37.7, "%g", squares); /* 99.9% of chi-square with 15 degrees of freedom */
    swq_context_free(ctx);
}
