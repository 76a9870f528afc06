/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/stream.h: fractions of traffic that differ by less than the last of 32 binary digits are
 * different fractions. Each run gets a fraction that the first 32 digits of its first packet's
 * number leave open, half a digit above them, so that the further digits have the packet below it
 * in half of the runs. Without those digits all packets were below it.
 */
#include "sim/stream.h"
#include "tests/sim/inspector.h"
#include "tests/sim/samples.h"

TestSuite(digits, .timeout = 240);

enum { RUNS = 200, NODES = 4, HALF_LESS = 70, HALF_MORE = 130 /* four standard deviations */ };

/* A word of the first packet of node 0. */
static uint32_t word_of(uint64_t seed, uint32_t stream, int which)
{
    const swq_streams streams = swq_streams_of(seed, 0);

    return swq_stream_words(&streams, stream, 0, 0).v[which];
}

static double fraction_above(uint32_t word)
{
    return ((double)word + 0.5) * 0x1p-32;
}

static void expect_half(int below, const char *what)
{
    cr_expect(below > HALF_LESS && below < HALF_MORE, "%s: %d of %d", what, below, RUNS);
}

/* ---- synchronous networks ---- */

/* A switch of 4 ports at full load, in which node 0 sends to node 1 what is not said otherwise. */
static swq_network full_switch(swq_context *ctx)
{
    swq_switch sw = {.ports = NODES, .flow = SWQ_DISCARD};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, NODES, 4, &sw.buffer), SWQ_OK);
    swq_network n = network_in_stages(ctx, "omega", 1, &sw);
    n.traffic.load = 1;
    cr_assert_eq(swq_pattern_find(ctx, "neighbour", &n.traffic.pattern), SWQ_OK);
    return n;
}

static void keep_first(void *arg, const swq_start *s)
{
    swq_start *first = arg;

    if (first->cycle == SWQ_NO_WHERE && s->switch_ == SWQ_NO_WHERE && s->from == 0)
        *first = *s;
}

/* The first packet that node 0 sends. */
static swq_start first_start(swq_context *ctx, const swq_network *n, uint64_t seed)
{
    swq_start first = {.cycle = SWQ_NO_WHERE};
    swq_sim_options o = run_of(seed, 1, 0, 64);

    o.started = keep_first;
    o.started_arg = &first;
    (void)simulate(ctx, n, &o);
    cr_assert_eq(first.cycle, 0);
    return first;
}

Test(digits, of_hot_spots)
{
    swq_context *ctx = swq_context_new();
    swq_network n = full_switch(ctx);
    int below = 0;

    n.traffic.hot_spots = 1;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        n.traffic.hot[0] = (swq_hot_spot){
            .node = 3, .fraction = fraction_above(word_of(seed, SWQ_STREAM_PACKET, 3))};
        below += first_start(ctx, &n, seed).to == 3;
    }
    expect_half(below, "to the hot spot");
    swq_context_free(ctx);
}

Test(digits, of_matrices)
{
    swq_context *ctx = swq_context_new();
    swq_network n = full_switch(ctx);
    double matrix[NODES * NODES];
    int below = 0;

    n.traffic.pattern = &swq_pattern_matrix;
    n.traffic.matrix = matrix;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        const double fraction = fraction_above(word_of(seed, SWQ_STREAM_PACKET, 2));
        for (int k = 0; k < NODES * NODES; k++)
            matrix[k] = k == 0 ? fraction : k == 1 ? 1 - fraction : k < NODES ? 0 : 0.25;
        below += first_start(ctx, &n, seed).to == 0;
    }
    expect_half(below, "to node 0");
    swq_context_free(ctx);
}

Test(digits, of_priorities)
{
    swq_context *ctx = swq_context_new();
    swq_network n = full_switch(ctx);
    int below = 0;

    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        n.sw.priority.fraction = fraction_above(word_of(seed, SWQ_STREAM_MORE, 1));
        below += first_start(ctx, &n, seed).packet_class == 1;
    }
    expect_half(below, "of high priority");
    swq_context_free(ctx);
}

/* ---- asynchronous networks ---- */

Test(digits, of_message_types)
{
    swq_async n = async_network(shape_of_grid("torus", 1, NODES), "dafc", 4096);
    int below = 0;

    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        const double fraction = fraction_above(word_of(seed, SWQ_STREAM_PACKET, 3));
        swq_sender_group group = {
            .kind = SWQ_SOURCE_HOLD,
            .interval = constantly(0),
            .type = {{.aim = SWQ_AIM_NODE, .value = 2, .probability = fraction},
                     {.aim = SWQ_AIM_NODE, .value = 1, .probability = 1 - fraction}},
            .types = 2};
        group.type[0].length = group.type[1].length = constantly(32);
        n.traffic.group = &group;
        n.traffic.groups = 1;
        swq_start first = {.cycle = SWQ_NO_WHERE};
        swq_async_watch watch = {.started = keep_first, .arg = &first};
        const swq_sim_options o = run_of(seed, 1, 0, 200);
        (void)run_async(&n, &o, &watch);
        cr_assert_neq(first.cycle, SWQ_NO_WHERE);
        below += first.to == 2;
    }
    expect_half(below, "of the first type");
}
