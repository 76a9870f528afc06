/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeping a network's state and bringing it back: what follows is the same again, to the packet,
 * for every kind of buffer, engine and whatever else has a state. A branch goes another way, and
 * the same way each time.
 */
#include "sim/stages/net.h"
#include "tests/sim/samples.h"

#include <math.h>

#include <string.h>

TestSuite(rare_state, .timeout = 240);

typedef struct {
    const char *what, *buffer, *arbiter, *topology;
    int slots, stages, stale;
    swq_credit credit;
    swq_support support;
    double high;
    bool plain;
} state_kind;

static const state_kind kinds[] = {
    {.what = "words", .buffer = "damq", .arbiter = "rotating", .slots = 4, .stages = 3},
    {.what = "lists", .buffer = "damq", .arbiter = "rotating", .slots = 20, .stages = 2},
    {.what = "pieces", .buffer = "samq", .arbiter = "rotating", .slots = 4, .stages = 2},
    {.what = "plain", .buffer = "safc", .arbiter = "random", .slots = 4, .stages = 2},
    {.what = "credit",
     .buffer = "fifo",
     .arbiter = "rotating",
     .slots = 3,
     .stages = 2,
     .credit = SWQ_CREDIT_NEXT},
    {.what = "credit, plain",
     .buffer = "damq",
     .arbiter = "rotating",
     .slots = 3,
     .stages = 2,
     .credit = SWQ_CREDIT_NEXT,
     .plain = true},
    {.what = "pool", .buffer = "cbda", .arbiter = "random", .slots = 2, .stages = 2},
    {.what = "pointers", .buffer = "damq", .arbiter = "islip", .slots = 3, .stages = 2},
    {.what = "stale", .buffer = "damq", .arbiter = "rotating", .slots = 3, .stages = 2, .stale = 1},
    {.what = "priorities",
     .buffer = "damq",
     .arbiter = "rotating",
     .slots = 5,
     .stages = 2,
     .support = SWQ_SUPPORT_QUEUE,
     .high = 0.3},
};
enum { KINDS = sizeof kinds / sizeof *kinds, CYCLES = 200 };

static swq_network network_like(swq_context *ctx, const state_kind *k)
{
    swq_network n = {
        .shape.stages = k->stages, .stale = k->stale, .sw.priority.support = k->support};
    const swq_buffer_kind *row;

    n.traffic = swq_traffic_defaults();
    n.traffic.load = 0.8;
    n.sw.priority.fraction = k->high;
    n.sw.ports = 2;
    n.sw.flow = SWQ_DISCARD;
    n.sw.credit = k->credit;
    swq_traffic_uniform(&n.sw);
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, k->arbiter, &n.sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, k->buffer, &row), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, row, 2, k->slots, &n.sw.buffer), SWQ_OK);
    return n;
}

/* What a run of some cycles counts: all counters. */
static uint64_t counts_of(swq_net *net, uint64_t *count)
{
    const size_t size = (size_t)swq_tally_size(net->system.levels, net->system.cells);
    uint64_t sum = 0;

    memset(net->system.tally, 0, sizeof *count * size);
    net->system.advance(&net->system, CYCLES);
    memcpy(count, net->system.tally, sizeof *count * size);
    for (size_t c = 0; c < size; c++)
        sum += count[c];
    return sum;
}

Test(rare_state, a_state_brought_back_has_the_same_future)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < KINDS; k++) {
        swq_network n = network_like(ctx, &kinds[k]);
        swq_sim_options o = swq_sim_defaults();
        uint64_t first[512], again[512], other[512];
        swq_state state;
        swq_net *net;

        o.plain = kinds[k].plain;
        cr_assert_eq(swq_net_new(ctx, &n, &o, 0, &net), SWQ_OK);
        const size_t size =
            sizeof *first * (size_t)swq_tally_size(net->system.levels, net->system.cells);
        cr_assert(size <= sizeof first);
        net->system.advance(&net->system, 100);
        swq_net_state_of(net, &state);
        unsigned char *kept = malloc(state.bytes);
        swq_state_save(&state, kept);
        cr_assert(counts_of(net, first) > 0);
        swq_state_restore(&state, kept);
        counts_of(net, again);
        cr_assert(memcmp(first, again, size) == 0, "%s: not the same", kinds[k].what);

        swq_state_restore(&state, kept);
        swq_net_branch(net, swq_streams_branch(&net->streams, 7));
        counts_of(net, other);
        cr_assert(memcmp(first, other, size) != 0, "%s: a branch is not another way",
                  kinds[k].what);
        swq_state_restore(&state, kept);
        swq_net_branch(net, swq_streams_branch(&net->streams, 7));
        counts_of(net, again);
        cr_assert(memcmp(again, other, size) == 0, "%s: a branch is not one way", kinds[k].what);
        free(kept);
        swq_net_free(ctx, net);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Gaps drawn again have the distribution of those drawn before: the packets created in the cycles
 * after a branch, over many branches from one state, are compared with their binomial mean and
 * variance. */
Test(rare_state, what_is_drawn_again_is_drawn_alike)
{
    swq_context *ctx = swq_context_new();
    swq_network n = network_like(ctx, &kinds[0]);
    swq_sim_options o = swq_sim_defaults();
    enum { BRANCHES = 4000, SPAN = 3 };
    swq_state state;
    swq_net *net;
    double sum = 0, squares = 0;

    n.traffic.load = 0.3;
    cr_assert_eq(swq_net_new(ctx, &n, &o, 0, &net), SWQ_OK);
    net->system.advance(&net->system, 50);
    swq_net_state_of(net, &state);
    unsigned char *kept = malloc(state.bytes);
    swq_state_save(&state, kept);
    const swq_streams streams = net->streams;
    for (uint64_t b = 0; b < BRANCHES; b++) {
        swq_state_restore(&state, kept);
        swq_net_branch(net, swq_streams_branch(&streams, b));
        const uint64_t before = net->system.created;
        net->system.advance(&net->system, SPAN);
        const double x = (double)(net->system.created - before);
        sum += x;
        squares += x * x;
    }
    const double trials = 8 * SPAN, mean = trials * 0.3, variance = trials * 0.3 * 0.7;
    const double got = sum / BRANCHES, spread = squares / BRANCHES - got * got;
    cr_assert(fabs(got - mean) < 4 * sqrt(variance / BRANCHES), "%g, not %g", got, mean);
    cr_assert(fabs(spread / variance - 1) < 4 * sqrt(2.0 / BRANCHES), "%g, not %g", spread,
              variance);
    free(kept);
    swq_net_free(ctx, net);
    swq_context_free(ctx);
}
