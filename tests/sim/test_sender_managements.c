/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes that hold senders back together with managements of congestion: each pair of rows changes
 * the answer or is refused by name. With set-aside queues a packet counts as sent when it enters
 * its node's interface: throughput of a window of one packet in closed form, limits that are never
 * exceeded, and senders that a hot spot no longer holds up.
 */
#include "base/context.h"
#include "switchq/async.h"
#include "switchq/fabric.h"
#include "tests/sim/inspector.h"

#include <string.h>

TestSuite(sender_managements, .timeout = 120);

enum { NODES = 16, HOT_NODE = 5 };

/* A tree of 16 nodes with a management whose stores have room for eight packets. */
static swq_async managed(const swq_management *row)
{
    swq_async n = async_network((swq_shape){.kind = &swq_fabric_tree, .levels = 2, .arity = {4, 4}},
                                "fifo", 512);

    n.management.row = row;
    n.packet.block = n.packet.max = 64;
    n.link.rest = 0;
    if (row->needs_output_stores)
        n.architecture.row = &swq_cioq;
    n.architecture.output.blocks = 8;
    n.management.queues = row->default_queues;
    n.memory.bytes = 512;
    n.interface.packets = 64;
    n.interface.queued = true;
    n.management.saqs = 4;
    n.management.detect = 2;
    n.management.xoff = 4;
    n.management.xon = 1;
    if (row->hooks && !row->stores) {
        swq_context *ctx = swq_context_new();
        n.management.detect = row->tells_upstream ? 2 : 0;
        n.management.xoff = 0;
        n.management.xon = row->tells_upstream ? 1 : 0;
        n.interface.packets = 0;
        n.interface.queued = false;
        n.management.saqs = 0;
        cr_assert_eq(swq_async_memory(ctx, &n, 512 * 4), SWQ_OK, "%s", swq_context_message(ctx));
        swq_context_free(ctx);
    }
    return n;
}

static void hold_back(swq_async *n, const swq_sender_scheme *scheme, double first, double second,
                      double third)
{
    const double value[SWQ_MAX_SENDER_PARAMETERS] = {first, second, third};

    n->sender.row = scheme;
    memcpy(n->sender.value, value, sizeof value);
}

/* Numbers with which each scheme holds something back. */
static const struct {
    const swq_sender_scheme *scheme;
    double value[3];
} holding[] = {
    {&swq_sender_window, {1}},           {&swq_sender_bucket, {0.05, 64}},
    {&swq_sender_feedback, {3, 2, 9}},   {&swq_sender_tokens, {12}},
    {&swq_sender_dctcp, {0, 0.0625, 1}},
};

static swq_sim_options short_run(void)
{
    swq_sim_options options = swq_sim_defaults();

    options.warmup = 1000;
    options.cycles = 12000;
    options.replications = options.threads = 1;
    return options;
}

/* Nodes of which every fourth sends to one node, and all others to all. */
static void give_hot_spot(swq_async *n, swq_sender_group group[2], double load)
{
    for (int g = 0; g < 2; g++)
        group[g] =
            swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, g == 0 ? 0.9 : load, constantly(64));
    group[0].mask = 3;
    group[0].type[0].aim = SWQ_AIM_NODE;
    group[0].type[0].value = HOT_NODE;
    n->traffic.group = group;
    n->traffic.groups = 2;
}

/* Runs a network with each scheme. Returns how many schemes were refused. */
static int try_schemes(swq_async n)
{
    const swq_sim_options options = short_run();
    const char *name = n.management.row->name;
    swq_context *ctx = swq_context_new();
    swq_sender_group group[2];
    int refused = 0;

    give_hot_spot(&n, group, 0.5);
    const swq_async_result free = run_async(&n, &options, NULL);
    for (size_t k = 0; k < sizeof holding / sizeof *holding; k++) {
        swq_async_result r;
        hold_back(&n, holding[k].scheme, holding[k].value[0], holding[k].value[1],
                  holding[k].value[2]);
        if (swq_async_run(ctx, &n, &options, NULL, &r)) {
            cr_expect(strstr(swq_context_message(ctx), name), "%s", swq_context_message(ctx));
            cr_expect(strstr(swq_context_message(ctx), n.sender.row->name));
            refused++;
            continue;
        }
        cr_expect(r.sim.conserved && r.sim.little_exact, "%s, %s", name, n.sender.row->name);
        cr_expect(r.sim.total_delivered != free.sim.total_delivered ||
                      r.sim.all.latency.mean != free.sim.all.latency.mean,
                  "%s ignores %s", name, n.sender.row->name);
    }
    swq_context_free(ctx);
    return refused;
}

Test(sender_managements, each_pair_changes_the_answer_or_is_refused)
{
    int refused = 0, schemes = 0;

    while (swq_sender_schemes[schemes])
        schemes++;
    cr_assert_eq(sizeof holding / sizeof *holding, schemes, "a scheme has no numbers here");
    for (int m = 1; swq_managements[m]; m++) {
        swq_async n = managed(swq_managements[m]);
        refused += try_schemes(n);
        if (!n.management.row->hooks || n.management.row->tells_upstream)
            continue;
        n.interface.present = n.interface.queued = true;
        n.interface.packets = 64;
        refused += try_schemes(n);
    }
    cr_expect_eq(refused, 4, "%d", refused); /* dctcp with set-aside queues */
}

/* ---- set-aside queues ---- */

static bool has_set_aside_queues(const swq_management *row)
{
    return row->stores != NULL;
}

/* Packets that a pair alone delivers, sent as fast as it can or a single one. */
static swq_async_result run_pair(swq_async *n, bool single)
{
    static const swq_async_message one[] = {{0, 1, 14, 64}};
    swq_sender_group group = swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 1, constantly(64));
    swq_sim_options options = short_run();

    group.mask = NODES - 1;
    group.value = 1;
    group.type[0].aim = SWQ_AIM_NODE;
    group.type[0].value = 14;
    n->traffic.group = &group;
    n->traffic.groups = single ? 0 : 1;
    n->traffic.trace = single ? one : NULL;
    n->traffic.trace_messages = single;
    options.warmup = single ? 0 : 1000;
    options.cycles = 20000;
    const swq_async_result r = run_async(n, &options, NULL);
    n->traffic.group = NULL;
    n->traffic.groups = 0;
    n->traffic.trace = NULL;
    return r;
}

/* A packet that enters its interface in cycle 0 and begins to go to its node in cycle t is there in
 * t + L + H, and acknowledged a hop delay later: W L / (t + L + 2 H) bytes a cycle, or as many as
 * the link carries without a window. */
Test(sender_managements, a_window_is_limited_by_the_round_trip)
{
    int limited = 0;

    for (int m = 1; swq_managements[m]; m++) {
        if (!has_set_aside_queues(swq_managements[m]))
            continue;
        for (int k = 0; k < 6; k++) {
            swq_async n = managed(swq_managements[m]);
            n.link.hop_delay = k % 2 ? 60 : 5;
            const double trip = run_pair(&n, true).sim.all.latency.mean + 64 + 2 * n.link.hop_delay;
            const double link = run_pair(&n, false).sim.all.throughput.mean * NODES;
            const int window = 1 + k / 2;
            hold_back(&n, &swq_sender_window, window, 0, 0);
            const double got = run_pair(&n, false).sim.all.throughput.mean * NODES;
            const double expected = fmin(link, window * 64 / trip);
            limited += expected < link;
            cr_expect_float_eq(got, expected, 64.0 / 20000 * 2, "%s, W %d, H %d: %g, not %g",
                               swq_managements[m]->name, window, n.link.hop_delay, got, expected);
        }
    }
    cr_expect_geq(limited, 8);
}

/* Packets of each pair that are under way, from their starts. */
typedef struct {
    const swq_fabric *fabric;
    uint32_t hop_delay;
    bool output_stores;
    int under_way[NODES * NODES], most; /* sent by the node's link, and not acknowledged */
    struct {
        uint32_t cycle;
        uint32_t pair;
    } back[40000];
    int returns, taken;
} pair_watch;

static void watch_pairs(void *arg, const swq_start *x)
{
    pair_watch *w = arg;
    const uint32_t pair = x->from * NODES + x->to;

    for (; w->taken < w->returns && w->back[w->taken].cycle <= x->cycle; w->taken++)
        w->under_way[w->back[w->taken].pair]--;
    if (x->switch_ == SWQ_NO_WHERE) {
        const int now = ++w->under_way[pair];
        w->most = now > w->most ? now : w->most;
        return;
    }
    const uint32_t out = x->switch_ * (uint32_t)w->fabric->ports + x->output;
    if (x->output_store != w->output_stores || !(w->fabric->link[out] & SWQ_TO_NODE))
        return;
    cr_assert_lt(w->returns, 40000);
    w->back[w->returns].cycle = x->cycle + x->bytes + 2 * w->hop_delay;
    w->back[w->returns++].pair = pair;
}

Test(sender_managements, windows_are_never_exceeded)
{
    static pair_watch w;
    swq_context *ctx = swq_context_new();
    const swq_sim_options options = short_run();

    for (int m = 1; swq_managements[m]; m++) {
        for (int window = 1; window <= 3 && has_set_aside_queues(swq_managements[m]); window++) {
            swq_async n = managed(swq_managements[m]);
            swq_sender_group group[2];
            swq_fabric f;
            swq_async_result r;
            swq_async_watch watch = {.started = watch_pairs, .arg = &w};
            hold_back(&n, &swq_sender_window, window, 0, 0);
            give_hot_spot(&n, group, 0.8);
            cr_assert_eq(swq_fabric_make(ctx, &n.shape, &f), SWQ_OK);
            w = (pair_watch){.fabric = &f,
                             .hop_delay = (uint32_t)n.link.hop_delay,
                             .output_stores = n.architecture.row->async.output_stores};
            cr_assert_eq(swq_async_run(ctx, &n, &options, &watch, &r), SWQ_OK);
            cr_expect_eq(w.most, window, "%s: %d", n.management.row->name, w.most);
            cr_expect_gt(w.returns, 1000, "%d", w.returns);
            swq_fabric_clear(ctx, &f);
        }
    }
    swq_context_free(ctx);
}

/* The last switch of a pair alone holds no packet or one. So a node that is hot from two packets on
 * is sent everything. One that is hot from one packet on is so for a few cycles in those of a
 * packet, and its sender is held back with a delay of news that lets it see them. */
Test(sender_managements, feedback_counts_what_the_last_switch_holds)
{
    for (int m = 1; swq_managements[m]; m++) {
        double least = INFINITY;
        if (!has_set_aside_queues(swq_managements[m]))
            continue;
        swq_async n = managed(swq_managements[m]);
        const double free = run_pair(&n, false).sim.all.throughput.mean;
        for (int delay = 0; delay < 64; delay += 4) {
            hold_back(&n, &swq_sender_feedback, 2, 2, delay);
            cr_expect_eq(run_pair(&n, false).sim.all.throughput.mean, free, "%s, %d",
                         n.management.row->name, delay);
            hold_back(&n, &swq_sender_feedback, 1, 1, delay);
            least = fmin(least, run_pair(&n, false).sim.all.throughput.mean);
        }
        cr_expect(least > free / 2 && least < free, "%s: %g of %g", n.management.row->name, least,
                  free);
    }
}

/* Without set-aside queues the packets for the hot node fill the switches, and the other senders
 * get less than they offer. With a window of a packet they get all of it, with or without such
 * queues. */
Test(sender_managements, a_window_protects_the_senders_beside_a_hot_spot)
{
    swq_sim_options options = short_run();

    options.warmup = 10000;
    options.cycles = 60000;
    for (int m = 1; swq_managements[m]; m++) {
        if (!has_set_aside_queues(swq_managements[m]))
            continue;
        for (int saqs = 0; saqs <= 4; saqs += 4) {
            swq_async n = managed(swq_managements[m]);
            swq_sender_group group[2];
            n.management.saqs = saqs;
            give_hot_spot(&n, group, 0.4);
            const swq_async_result without = run_async(&n, &options, NULL);
            hold_back(&n, &swq_sender_window, 1, 0, 0);
            const swq_async_result with = run_async(&n, &options, NULL);
            const double free = without.sim.by_group[1].throughput.mean,
                         kept = with.sim.by_group[1].throughput.mean;
            cr_expect_gt(kept, 0.4 * 0.98, "%s, %d: %g", swq_managements[m]->name, saqs, kept);
            if (saqs == 0)
                cr_expect_lt(free, 0.4 * 0.95, "%s: %g", swq_managements[m]->name, free);
        }
    }
}
