/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Up to which load open sources are served in full: the decision about made-up queues, and switches
 * whose saturation is known, 3/4 of two heads of line (Karol, Hluchyj and Morgan, 1987) and all
 * that a link carries behind output queues.
 */
#include "sim/measure/bracket.h"
#include "tests/sim/samples.h"

#define CONFIDENCE 0.95

/* Queues of that slope and noise over unit batches, each of `offered` packets. */
static bool decide(double slope, double behind, bool clear, swq_growth *g)
{
    double waiting[SWQ_GROWTH_BATCHES], created[SWQ_GROWTH_BATCHES], delivered[SWQ_GROWTH_BATCHES];

    for (int b = 0; b < SWQ_GROWTH_BATCHES; b++) {
        waiting[b] = 100 + slope * b + 5 * sin(37.0 * b * b);
        created[b] = 1000 + 10 * sin(11.0 * b * b);
        delivered[b] = created[b] - behind + 5 * cos(23.0 * b * b);
    }
    *g = (swq_growth){0};
    return swq_growth_decide(waiting, created, delivered, 10, CONFIDENCE, clear, g);
}

Test(sim_bracket, both_signs_have_to_agree)
{
    swq_growth g;

    cr_assert(decide(0, 0, false, &g) && g.below);
    cr_assert(fabs(g.slope) < 2.5 * g.error, "%g +- %g", g.slope, g.error);
    cr_assert(decide(1, 20, false, &g) && !g.below);
    cr_assert(fabs(g.slope - 0.1) < 3 * g.error && g.error < 0.02, "%g +- %g", g.slope, g.error);
    cr_assert(decide(-5, 0, false, &g) && g.below);
    cr_assert(!decide(1, 0, false, &g), "growing queues, and all delivered");
    cr_assert(!decide(0, 20, false, &g), "less delivered, and queues that do not grow");
    cr_assert(!g.below);
    /* a slope of two standard errors is not above 0 at 99%, one of three is */
    const double error = 10 * g.error;
    cr_assert(decide(2 * error, 0, false, &g) && g.below, "%g +- %g", g.slope, g.error);
    cr_assert(!decide(4 * error, 0, false, &g), "%g +- %g", g.slope, g.error);
    cr_assert(!decide(0.4, 20, true, &g), "a run is not ended by a slope that may be chance");
    cr_assert(decide(20, 40, true, &g));
}

/* A slow wave is no growth: batches that are not independent widen the error. */
Test(sim_bracket, correlated_batches_widen_the_error)
{
    double waiting[SWQ_GROWTH_BATCHES], same[SWQ_GROWTH_BATCHES];
    swq_growth g = {0};

    for (int b = 0; b < SWQ_GROWTH_BATCHES; b++) {
        waiting[b] = 100 - 20 * cos(5.2 * b / SWQ_GROWTH_BATCHES);
        same[b] = 1000;
    }
    cr_assert(swq_growth_decide(waiting, same, same, 1, CONFIDENCE, false, &g) && g.below,
              "%g +- %g", g.slope, g.error);
    cr_assert(g.slope > 0.3, "or the case says nothing: %g", g.slope);
}

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

Test(sim_bracket, two_heads_of_line)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "fifo", 2, 50, 0.1, "random");

    sw.flow = SWQ_BLOCK;
    const swq_network network = network_of(&sw);
    const swq_bracket one = find_sync(ctx, &network, 1), three = find_sync(ctx, &network, 3);
    cr_assert(one.least > 0.71 && one.least < 0.76, "%g", one.least);
    cr_assert(one.most > 0.74 && one.most - one.least <= 0.02, "%g", one.most);
    cr_assert(one.cycles == 20000 && one.longest >= 20000 && one.longest <= 8 * 20064);
    cr_assert(one.runs == 6 && isnan(one.deadlock_load) && !one.interrupted);
    cr_assert(one.least == three.least && one.most == three.most && one.runs == three.runs &&
              one.longest == three.longest && one.undecided == three.undecided);
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
    cr_assert(b.least == 1 && b.most == 1 && b.runs == 0);
    swq_context_free(ctx);
}

static swq_async a_switch(swq_context *ctx, swq_sender_group *group)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = &swq_fabric_multistage, .ports = 4, .stages = 1};
    cr_assert_eq(swq_topology_find(ctx, "omega", &n.shape.wiring), SWQ_OK);
    n.link_rest = 0;
    give_buffer(&n, "fifo", 2048);
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, (swq_spread){SWQ_CONSTANT, 32, 0});
    n.group = group;
    n.groups = 1;
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
    n.architecture = &swq_output_queued;
    n.output_blocks = 256;
    n.speedup_bytes = 4;
    n.store_and_forward = true;
    cr_assert_eq(swq_async_bracket(ctx, &n, &options, 0.02, &output), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(output.least > 0.95 && output.most == 1, "%g to %g", output.least, output.most);
    cr_assert(group.kind == SWQ_SOURCE_HOLD, "the caller's groups are as they were");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
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
