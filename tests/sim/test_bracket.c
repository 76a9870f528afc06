/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between which loads open sources cease to be served in full: switches whose saturation is known,
 * 3/4 of two heads of line (Karol, Hluchyj and Morgan, 1987) and all that a link carries behind
 * output queues; networks whose saturation a chain knows; and senders that are not alike.
 */
#include "sim/measure/bracket.h"
#include "switchq/netchain.h"
#include "tests/sim/samples.h"

static swq_bracket find_sync(swq_context *ctx, const swq_network *network, int threads)
{
    swq_sim_options options = swq_sim_defaults();
    swq_bracket b;

    options.cycles = 20000;
    options.threads = threads;
    cr_assert_eq(swq_sim_bracket(ctx, network, &options, 0.02, &b), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    return b;
}

static void expect_within(const swq_bracket *b, double load, const char *what)
{
    cr_expect(b->least <= load && load <= b->most, "%s: %g, not %g to %g", what, load, b->least,
              b->most);
    cr_expect(b->worst_least <= load && load <= b->worst_most, "%s: %g, not %g to %g", what, load,
              b->worst_least, b->worst_most);
    cr_expect(b->worst_least <= b->least && b->worst_most <= b->most, "%s", what);
}

Test(sim_bracket, two_heads_of_line)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 2, 50, 0.1, "random");

    sw.flow = SWQ_BLOCK;
    const swq_network network = network_of(&sw);
    const swq_bracket one = find_sync(ctx, &network, 1), three = find_sync(ctx, &network, 3);
    expect_within(&one, 0.75, "two heads");
    cr_assert(one.most - one.least <= 0.03, "%g to %g", one.least, one.most);
    cr_assert(one.cycles == 20000 && one.longest >= 20000 && one.longest <= 8 * 20064);
    cr_assert(isnan(one.deadlock_load) && !one.interrupted && one.worst_sender < 2);
    cr_assert(one.confidence == 0.95);
    cr_assert(one.least == three.least && one.most == three.most && one.runs == three.runs &&
              one.worst_least == three.worst_least && one.worst_most == three.worst_most &&
              one.longest == three.longest && one.undecided == three.undecided);
    swq_context_free(ctx);
}

/* Longer runs make it narrower, as the square root of their length. */
Test(sim_bracket, shorter_runs_know_less)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 2, 4, 0.1, "random");
    swq_sim_options options = swq_sim_defaults();
    swq_bracket b;
    double before = 1;

    sw.flow = SWQ_BLOCK;
    const swq_network network = network_of(&sw);
    for (options.cycles = 100; options.cycles <= 102400; options.cycles *= 32) {
        cr_assert_eq(swq_sim_bracket(ctx, &network, &options, 0.002, &b), SWQ_OK);
        expect_within(&b, 0.75, "short");
        cr_assert(b.most - b.least < before / 2, "%g to %g", b.least, b.most);
        before = b.most - b.least;
    }
    swq_context_free(ctx);
}

/* A hot node takes 1 packet a cycle: of each of n sources the share 1 / n and, of what is hot, all.
 * Sources that send to it no more than others do are served. */
Test(sim_bracket, a_hot_output)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 64, 0.1, "longest");
    swq_bracket b;

    sw.flow = SWQ_BLOCK;
    swq_network network = network_in_stages(ctx, "omega", 2, &sw);
    network.traffic.hot_spots = 1;
    network.traffic.hot[0] = (swq_hot_spot){.node = 0, .fraction = 0.5};
    b = find_sync(ctx, &network, 1);
    expect_within(&b, 1 / (0.5 * 4 + 0.5), "a hot output");
    swq_context_free(ctx);
}

/* A network that loses what it cannot take has no saturation load. */
Test(sim_bracket, where_nothing_waits)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 2, 4, 0.1, "random");

    sw.flow = SWQ_DISCARD;
    const swq_network network = network_of(&sw);
    const swq_bracket b = find_sync(ctx, &network, 1);
    cr_assert(b.least == 1 && b.most == 1 && b.worst_least == 1 && b.runs == 0);
    swq_context_free(ctx);
}

static swq_async a_switch(swq_context *ctx, swq_sender_group *group)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = &swq_fabric_multistage, .ports = 4, .stages = 1};
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.link.rest = 0;
    give_buffer(&n, "fifo", 2048);
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, (swq_spread){SWQ_CONSTANT, 32, 0});
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

/* With four inputs, head-of-line blocking saturates at .6553; here packets come at any time, which
 * is not quite the same. */
Test(sim_bracket, asynchronous_switches)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group;
    swq_async n = a_switch(ctx, &group);
    swq_bracket fifo, output;

    options.cycles = 100000;
    cr_assert_eq(swq_async_bracket(ctx, &n, &options, 0.02, &fifo), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(fifo.least > 0.6 && fifo.most < 0.7, "%g to %g", fifo.least, fifo.most);
    cr_assert(fifo.worst_least > 0.5 && fifo.worst_most <= fifo.most && fifo.worst_sender < 4);
    n.architecture.row = &swq_output_queued;
    n.architecture.output.blocks = 256;
    n.architecture.output.speedup_bytes = 4;
    n.architecture.output.store_and_forward = true;
    cr_assert_eq(swq_async_bracket(ctx, &n, &options, 0.02, &output), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(output.least > 0.95 && output.most == 1, "%g to %g", output.least, output.most);
    cr_assert(output.worst_most == 1 && output.worst_sender == SWQ_NO_SENDER);
    cr_assert(group.kind == SWQ_SOURCE_HOLD, "the caller's groups are as they were");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* All four nodes send to one of them: a quarter of its link each, whether messages are packets or
 * are cut into four, of which only the first is created before its turn. */
Test(sim_bracket, all_to_one)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group;
    swq_async n = a_switch(ctx, &group);
    swq_bracket b;

    options.cycles = 40000;
    group.type[0].aim = SWQ_AIM_NODE;
    for (int cut = 0; cut < 2; cut++) {
        group.type[0].length.first = cut ? 128 : 32;
        cr_assert_eq(swq_async_bracket(ctx, &n, &options, 0.02, &b), SWQ_OK, "%s",
                     swq_context_message(ctx));
        expect_within(&b, 0.25, cut ? "messages of four packets" : "messages of a packet");
        cr_expect(b.worst_sender < 4, "node %u", b.worst_sender);
        cr_expect(b.worst_least > 0.15 && b.most < 0.35, "%g to %g", b.worst_least, b.most);
    }
    swq_context_free(ctx);
}

Test(sim_bracket, cancelled)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group;
    swq_async n = a_switch(ctx, &group);
    swq_bracket b;

    swq_context_cancel(ctx);
    cr_assert_eq(swq_async_bracket(ctx, &n, &options, 0.02, &b), SWQ_OK);
    cr_assert(b.interrupted && b.runs == 0 && b.least == 0 && b.most == 1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(sim_bracket, no_memory)
{
    swq_context *own = swq_context_new();
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group;
    const swq_async n = a_switch(own, &group);

    options.cycles = 960;
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t failures = 0;
        for (size_t after = 0; status != SWQ_OK; after++) {
            swq_context *ctx = swq_context_new();
            swq_bracket b = {.runs = -1};
            swq_context_fail_allocations(ctx, after, for_good);
            status = swq_async_bracket(ctx, &n, &options, 0.3, &b);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%d", status);
            cr_assert(status == SWQ_OK || b.runs == -1);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            failures += status != SWQ_OK;
            swq_context_free(ctx);
        }
        cr_assert_gt(failures, 3, "of its own and of a run, not %zu", failures);
    }
    swq_context_free(own);
}
