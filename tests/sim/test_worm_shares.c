/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each sender of a wormhole network gets when more is sent than can be carried: equal senders
 * the same, at each merge of a row half, and in a transpose no one nothing.
 */
#include "tests/sim/inspector.h"

#include <math.h>

TestSuite(worm_shares, .timeout = 60);

enum { NODES_MOST = 64, WARMUP = 3000, CYCLES = 10000 };

/* Five standard deviations of the packets of a sender if each packet were of any of them at random:
 * circles are more regular. */
static const double DEVIATIONS = 5;

static void count_packets(void *arg, const swq_start *x)
{
    int *count = arg;

    if (x->switch_ == SWQ_NO_WHERE && x->cycle >= WARMUP)
        count[x->from]++;
}

static swq_async lanes_of(swq_shape shape, int lanes, int length)
{
    swq_async n = swq_async_defaults();

    n.shape = shape;
    n.architecture.row = &swq_wormhole_lanes;
    n.packet.max = length;
    n.link.rest = 0;
    n.architecture.lanes.count = lanes;
    return n;
}

static void run_counting(swq_async *n, swq_sender_group *group, uint64_t seed, int count[])
{
    swq_context *ctx = swq_context_new();
    const swq_sim_options options = run_of(seed, 1, WARMUP, CYCLES);
    swq_async_watch watch = {.started = count_packets, .arg = count};
    swq_async_result r;

    for (int k = 0; k < NODES_MOST; k++)
        count[k] = 0;
    n->traffic.group = group;
    n->traffic.groups = 1;
    cr_assert_eq(swq_async_run(ctx, n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    swq_context_free(ctx);
}

/* Runs with all senders sending to one node as much as they can. */
static void run_to(uint32_t node, swq_async *n, uint64_t seed, int count[])
{
    swq_sender_group group =
        swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, 1, constantly(n->packet.max));

    group.type[0].aim = SWQ_AIM_NODE;
    group.type[0].value = node;
    run_counting(n, &group, seed, count);
}

/* The largest deviation of some senders from their mean, in standard deviations. */
static double unlike(const int count[], uint32_t begin, uint32_t end)
{
    double mean = 0, most = 0;

    for (uint32_t k = begin; k < end; k++)
        mean += count[k] / (double)(end - begin);
    for (uint32_t k = begin; k < end; k++)
        most = fmax(most, fabs(count[k] - mean) / sqrt(mean));
    return most;
}

static void expect_equal(swq_async *n, uint32_t first, uint32_t nodes, const char *what)
{
    int count[NODES_MOST];

    run_to(0, n, 1, count);
    const double most = unlike(count, first, nodes);
    cr_expect_lt(most, DEVIATIONS, "%s, %d lanes, %d flits, pool %d: %g deviations", what,
                 n->architecture.lanes.count, n->packet.max, n->architecture.lanes.pool, most);
}

/* Butterflies of 3 to 5 ports: all nodes are equally far from node 0. */
Test(worm_shares, equal_senders_of_a_butterfly_get_equal_shares)
{
    for (int ports = 3; ports <= 5; ports++) {
        for (int lanes = 1; lanes <= 8; lanes += lanes < 4 ? 1 : 4) {
            for (int length = 1; length <= 20; length += length == 1 ? 3 : 16) {
                swq_async n = lanes_of(shape_in_stages("butterfly", ports, 2), lanes, length);
                expect_equal(&n, 0, (uint32_t)(ports * ports), "butterfly");
                if (lanes < 2 || ports < 4)
                    continue;
                n.architecture.lanes.pool = 4 * lanes;
                n.architecture.lanes.flits = n.architecture.lanes.pool;
                expect_equal(&n, 0, (uint32_t)(ports * ports), "butterfly");
                n.architecture.lanes.given_empty = n.architecture.lanes.reserve_in_use = true;
                expect_equal(&n, 0, (uint32_t)(ports * ports), "butterfly, lanes when needed");
            }
        }
    }
}

/* A tree of two levels: nodes 4 to 15 are equally far from node 0. */
Test(worm_shares, equal_senders_of_a_tree_get_equal_shares)
{
    static const char *const choices[] = {NULL, "room", "first", "random", "turn"};
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
        for (int lanes = 1; lanes <= 8; lanes *= 2) {
            for (int length = 1; length <= 4; length += 3) {
                const swq_shape shape = {.kind = &swq_fabric_tree,
                                         .levels = 2,
                                         .arity = {4, 4},
                                         .up_ports = 4,
                                         .routing = choices[c] ? &swq_routing_adaptive : NULL};
                swq_async n = lanes_of(shape, lanes, length);
                if (choices[c])
                    cr_assert_eq(swq_selection_find(ctx, choices[c], &n.arbiter.choice), SWQ_OK);
                expect_equal(&n, 4, 16, choices[c] ? choices[c] : "deterministic");
            }
        }
    }
    swq_context_free(ctx);
}

/* The parking lot: seven nodes of a row send to the eighth. Each switch gives its own node half of
 * what it sends on, so that the shares are 1/2, 1/4, ... 1/64 and 1/64, if no packet is longer than
 * a buffer (of longer ones a node has fewer in its switch that request a lane). */
Test(worm_shares, each_merge_of_a_row_takes_halves)
{
    for (int lanes = 1; lanes <= 8; lanes *= 2) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            for (int length = 1; length <= 4; length += 3) {
                swq_async n = lanes_of(shape_of_grid("mesh", 1, 8), lanes, length);
                int count[NODES_MOST], all = 0;
                run_to(7, &n, seed, count);
                for (int k = 0; k < 7; k++)
                    all += count[k];
                for (int k = 0; k < 7; k++) {
                    const double share = ldexp(all, k == 0 ? -6 : k - 7);
                    cr_expect_float_eq(count[k], share, DEVIATIONS * sqrt(share),
                                       "%d lanes, %d flits: node %d sends %d, not %g", lanes,
                                       length, k, count[k], share);
                }
            }
        }
    }
}

/* A transpose overloads the mesh around its diagonal. Whoever sends across the most switches is
 * merged six times, and gets a 64th of a link, as in the row. */
Test(worm_shares, a_transpose_starves_no_one)
{
    static const double loads[] = {0.2, 0.5, 1};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 3; k++) {
        swq_async n = lanes_of(shape_of_grid("mesh", 2, 8), 2, 1);
        swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, loads[k], constantly(1));
        int count[NODES_MOST], least = INT32_MAX;

        cr_assert_eq(swq_pattern_find(ctx, "transpose", &group.type[0].pattern), SWQ_OK);
        run_counting(&n, &group, 1, count);
        for (int node = 0; node < 64; node++) {
            if (node % 9 != 0 && count[node] < least)
                least = count[node];
        }
        const double share = CYCLES / 64.0;
        cr_expect_gt(least, share - DEVIATIONS * sqrt(share), "load %g: %d packets", loads[k],
                     least);
    }
    swq_context_free(ctx);
}
