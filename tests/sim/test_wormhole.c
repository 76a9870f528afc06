/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wormhole switching as an architecture: latencies from a trace by the formula of docs/wormhole.md,
 * what must hold of any run, and deadlocks named as those of other architectures are.
 */
#include "tests/sim/inspector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(wormhole, .timeout = 240);

static swq_async wormhole_of(const swq_fabric_kind *kind, int extent)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = kind, .dims = 2, .extent = {extent, extent}};
    n.architecture.row = &swq_wormhole_lanes;
    n.packet.max = 40;
    n.link.rest = 0;
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

    n.traffic.trace = message;
    n.traffic.trace_messages = 2;
    for (int d = 0; d < 2; d++) {
        int stages = 0;
        for (int k = 0; k < 4; k++)
            stages += n.architecture.lanes.router_delay[k] = delays[d][k];
        n.architecture.lanes.link_delay = delays[d][4];
        swq_async_result r;
        start_log log = run_logged(&n, 2000, &r);
        double header = 0, tail = 0;
        for (int k = 0; k < 2; k++) {
            header += hops[k] * (stages + n.architecture.lanes.link_delay) / 2.0;
            tail += (hops[k] * (stages + n.architecture.lanes.link_delay) + message[k].bytes +
                     n.architecture.lanes.link_delay - 1) /
                    2.0; /* the last flit is one cycle on a link of delay 1 */
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
        n.architecture.lanes.count = k & 4 ? 4 : 2;
        n.architecture.lanes.flits = k & 4 ? 3 : 8;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        if (k & 1)
            n.architecture.lanes.choice = &swq_lane_choice_dateline;
        if (k == 6) {
            n.shape.routing = &swq_routing_adaptive;
            n.architecture.lanes.given_empty = true;
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

    n.architecture.lanes.count = 2;
    n.traffic.group = &group;
    n.traffic.groups = 1;
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
    n.architecture.lanes.count = 1;
    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_assert_eq(swq_selection_find(ctx, "random", &n.arbiter.choice), SWQ_OK);
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
    n.architecture.lanes.count = 2;
    n.traffic.group = &group;
    n.traffic.groups = 1;
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

/* ---- nodes that send several packets at once ---- */

/* A switch whose lanes carry a flit in twelve cycles: one to get there, where it goes on at once,
 * and eleven until its credit counts. So a packet of four flits leaves its node in 37 cycles, and
 * packets in other lanes meanwhile. */
static swq_async slow_lanes(int node_lanes)
{
    static const int at_once[4] = {0, 0, 1, 0};
    swq_async n = wormhole_of(&swq_fabric_mesh, 4);

    n.shape = shape_in_stages("omega", 4, 1);
    n.packet.max = 4;
    n.architecture.lanes.count = 4;
    n.architecture.lanes.of_node = node_lanes;
    n.architecture.lanes.flits = 1;
    n.flow.credit_delay = 10;
    memcpy(n.architecture.lanes.router_delay, at_once, sizeof at_once);
    return n;
}

/* The cycles in which the first packets of node 0 are created, and start, after the first one. */
static void check_packets(const char *what, const swq_async *n, int count, const int *births,
                          const int *starts)
{
    swq_async_result r;
    start_log log = run_logged(n, 120, &r);
    long first = -1;
    int k = 0;

    for (size_t i = 0; i < log.count && k < count; i++) {
        const swq_start *s = &log.at[i];
        if (s->switch_ != SWQ_NO_WHERE)
            continue;
        first = first < 0 ? (long)s->cycle : first;
        cr_expect_eq((long)s->birth - first, births[k], "%s: packet %d is created in %ld", what, k,
                     (long)s->birth - first);
        cr_expect_eq((long)s->cycle - first, starts[k], "%s: packet %d starts in %ld", what, k,
                     (long)s->cycle - first);
        k++;
    }
    cr_expect_eq(k, count, "%s: %d packets", what, k);
    free(log.at);
}

/* Node 0 alone sends, to node 1, as much as it can. The next packet is created four cycles after
 * the one before, or, if that has to wait for longer, when that starts; but not while as many are
 * under way as may be. The third of three starts in cycle 8 and the first ends in 36; so the fourth
 * is created in 37, and takes the last lane. The second ends in 40, but the fifth waits for the
 * credit of the first lane, in 48, and the sixth, which is created when that starts, for that of
 * the second. */
Test(wormhole, a_node_has_several_packets_under_way)
{
    static const int one[] = {0, 37, 74}, births[] = {0, 4, 8, 37, 41, 49},
                     starts[] = {0, 4, 8, 37, 48, 52};
    swq_async n = slow_lanes(1);
    swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(4));

    group.mask = 3;
    group.type[0].aim = SWQ_AIM_NODE;
    group.type[0].value = 1;
    n.traffic.group = &group;
    n.traffic.groups = 1;
    check_packets("one at once", &n, 3, one, one);
    n.architecture.lanes.of_node = 3;
    check_packets("three at once", &n, 6, births, starts);
}

/* The packets of one message are created as if there were nothing to wait for, if nothing has to
 * be waited for; messages that wait start one after the other in turn. */
Test(wormhole, messages_of_several_packets_overlap)
{
    static const int one[] = {0, 37, 74}, three[] = {0, 4, 8}, open[] = {0, 0, 0},
                     open_one[] = {0, 37, 74}, at_once[] = {0, 1, 2};
    const swq_async_message whole = {5, 0, 1, 12},
                            cut[] = {{5, 0, 1, 4}, {5, 0, 1, 4}, {5, 0, 1, 4}};
    swq_async n = slow_lanes(1);

    n.traffic.trace = &whole;
    n.traffic.trace_messages = 1;
    check_packets("one message, one at once", &n, 3, one, one);
    n.architecture.lanes.of_node = 3;
    check_packets("one message, three at once", &n, 3, three, three);
    n.traffic.trace = cut;
    n.traffic.trace_messages = 3;
    check_packets("three messages, three at once", &n, 3, open, at_once);
    n.architecture.lanes.of_node = 1;
    check_packets("three messages, one at once", &n, 3, open, open_one);
}

/* A long packet that starts second is over, as far as the next one of its message is concerned,
 * when its link could have sent it, however short the first one was. */
Test(wormhole, the_latest_packet_delays_the_next_one)
{
    static const int births[] = {0, 1, 31}, starts[] = {0, 1, 31}, one_births[] = {0, 1, 33},
                     one_starts[] = {0, 3, 33};
    const swq_async_message message[] = {{5, 0, 1, 3}, {6, 0, 1, 60}};
    swq_async n = slow_lanes(2);

    n.packet.max = 30;
    n.architecture.lanes.flits = 64;
    n.flow.credit_delay = 0;
    n.traffic.trace = message;
    n.traffic.trace_messages = 2;
    check_packets("two at once", &n, 3, births, starts);
    n.architecture.lanes.of_node = 1;
    check_packets("one at once", &n, 3, one_births, one_starts);
}

/* Intervals from the start of a packet: the next one is created even if this one has not been sent,
 * and waits. */
Test(wormhole, intervals_from_a_start_do_not_wait)
{
    static const int one_births[] = {0, 2, 39}, one_starts[] = {0, 37, 74}, births[] = {0, 2, 4, 6},
                     starts[] = {0, 2, 4, 37};
    swq_async n = slow_lanes(1);
    swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(4));

    group.mask = 3;
    group.type[0].aim = SWQ_AIM_NODE;
    group.type[0].value = 1;
    group.from_start = true;
    group.interval = constantly(2);
    n.traffic.group = &group;
    n.traffic.groups = 1;
    check_packets("one at once", &n, 3, one_births, one_starts);
    n.architecture.lanes.of_node = 3;
    check_packets("three at once", &n, 4, births, starts);
}

/* The mean time between messages is that of the load, however many are under way. */
Test(wormhole, the_load_is_the_same_whatever_is_under_way)
{
    for (int lanes = 1; lanes <= 4; lanes++) {
        swq_async n = wormhole_of(&swq_fabric_mesh, 4);
        swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.05, constantly(8));

        n.architecture.lanes.of_node = lanes;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_async_result r = run(&n, 40000);
        cr_expect(r.sim.conserved && r.sim.little_exact, "%d lanes", lanes);
        cr_expect_float_eq(r.sim.all.throughput.mean, 0.05, 0.002, "%d lanes: %g", lanes,
                           r.sim.all.throughput.mean);
    }
}

static void refuse(swq_async n, int node_lanes, const char *message)
{
    swq_sim_options options = swq_sim_defaults();
    swq_context *ctx = swq_context_new();
    swq_async_result r;

    n.architecture.lanes.of_node = node_lanes;
    cr_expect_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_EINVAL);
    cr_expect_str_eq(swq_context_message(ctx), message);
    swq_context_free(ctx);
}

/* Each packet under way has a lane, and nodes send over no escape lanes unless they are as any
 * others. */
Test(wormhole, no_more_packets_than_lanes_are_under_way)
{
    swq_async n = wormhole_of(&swq_fabric_mesh, 4);
    swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.1, constantly(4));

    n.traffic.group = &group;
    n.traffic.groups = 1;
    refuse(n, 0, "node-lanes must be from 1 to 4, the lanes over which nodes send here, not 0");
    refuse(n, 5, "node-lanes must be from 1 to 4, the lanes over which nodes send here, not 5");
    n.shape.routing = &swq_routing_adaptive;
    n.architecture.lanes.given_empty = true;
    refuse(n, 4, "node-lanes must be from 1 to 3, the lanes over which nodes send here, not 4");
    n.architecture.lanes.escapes_alike = true;
    refuse(n, 5, "node-lanes must be from 1 to 4, the lanes over which nodes send here, not 5");
}
