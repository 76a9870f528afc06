/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One network on several threads gives the numbers that it gives on one, to the bit.
 */
#include "sim/stages/spans.h"
#include "tests/support/support.h"

#include <string.h>

TestSuite(sim_shares, .timeout = 240);

typedef struct {
    const char *arbiter, *buffer;
    int ports, stages, slots;
    swq_flow flow;
    swq_credit credit;
    double load, hot;
    swq_source_kind sources;
} sharing_case;

static swq_network network_of(swq_context *ctx, const sharing_case *c)
{
    swq_network n = {.shape = {.kind = &swq_fabric_multistage,
                               .wiring = swq_topologies[0],
                               .stages = c->stages}};
    const swq_buffer_kind *kind;

    n.sw.ports = c->ports;
    n.sw.flow = c->flow;
    n.sw.credit = c->credit;
    n.traffic = swq_traffic_defaults();
    n.traffic.load = c->load;
    n.traffic.kind = c->sources;
    n.traffic.hot_spots = c->hot > 0;
    n.traffic.hot[0] = (swq_hot_spot){7, c->hot};
    cr_assert_eq(swq_arbiter_find(ctx, c->arbiter, &n.sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, c->buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, c->ports, c->slots, &n.sw.buffer), SWQ_OK);
    return n;
}

/* All fields but times and bytes. */
static bool same(swq_sim_result x, swq_sim_result y)
{
    x.cpu_seconds = x.wall_seconds = y.cpu_seconds = y.wall_seconds = 0;
    x.bytes = y.bytes = 0;
    return memcmp(&x, &y, sizeof x) == 0;
}

static const sharing_case cases[] = {
    {"rotating", "damq", 2, 12, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0.9, 0, SWQ_SOURCE_HOLD},
    {"rotating", "damq", 4, 7, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, 1, 0, SWQ_SOURCE_HOLD},
    {"rotating", "fifo", 2, 13, 2, SWQ_BLOCK, SWQ_CREDIT_SAME, 0.5, 0, SWQ_SOURCE_HOLD},
    {"rotating", "safc", 4, 7, 8, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0.6, 0, SWQ_SOURCE_HOLD},
    {"rotating", "damq", 2, 12, 20, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0.8, 0, SWQ_SOURCE_HOLD},
    {"rotating", "samq", 2, 13, 4, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.9, 0, SWQ_SOURCE_HOLD},
    {"rotating", "fifo", 4, 7, 3, SWQ_DISCARD, SWQ_CREDIT_NEXT, 1, 0, SWQ_SOURCE_HOLD},
    {"rotating", "dafc", 2, 13, 3, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.7, 0.01, SWQ_SOURCE_HOLD},
    {"rotating", "damq", 4, 7, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0.5, 0, SWQ_SOURCE_OPEN},
    {"rotating", "safc", 2, 13, 4, SWQ_BLOCK, SWQ_CREDIT_SAME, 0.4, 0, SWQ_SOURCE_OPEN},
    {"random", "damq", 4, 7, 4, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0.9, 0, SWQ_SOURCE_HOLD},
    {"random", "safc", 2, 12, 4, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.9, 0, SWQ_SOURCE_HOLD},
    {"pim", "damq", 2, 12, 20, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0.8, 0, SWQ_SOURCE_HOLD},
};

Test(sim_shares, numbers_do_not_depend_on_threads)
{
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_network n = network_of(ctx, &cases[k]);
        swq_sim_options options = swq_sim_defaults();
        swq_sim_result one, more;
        options.cycles = 24;
        options.warmup = 20;
        cr_assert_eq(swq_sim_run(ctx, &n, &options, &one), SWQ_OK);
        cr_assert(one.conserved && one.all.delivered > 0);
        for (options.threads = 2; options.threads <= 4; options.threads++) {
            cr_assert_eq(swq_sim_run(ctx, &n, &options, &more), SWQ_OK);
            cr_assert(same(one, more), "case %zu with %d threads", k, options.threads);
        }
        cr_assert(more.bytes > one.bytes, "case %zu was not shared out", k);
    }
    swq_context_free(ctx);
}

/* The share that has a switch of a stage, or a source (-1). */
static uint8_t owner_of(const swq_net *net, int stage, uint32_t member)
{
    return net->mine.owner[(size_t)(stage + 1) * net->mine.blocks + member / SWQ_SHARE_GRAIN];
}

/* Does no packet between a stage, or the sources, and the next stage come into another share? */
static bool stays_inside(const swq_net *net, int stage)
{
    const uint32_t ports = (uint32_t)net->ports, lines = stage < 0 ? 1 : ports;
    const uint32_t *wire = net->wire + (size_t)(stage + 1) * net->system.nodes;

    for (uint32_t line = 0; line < net->system.nodes; line++) {
        if (owner_of(net, stage, line / lines) != owner_of(net, stage + 1, wire[line] / ports))
            return false;
    }
    return true;
}

static uint32_t shares_of(const swq_net *net)
{
    uint8_t last = 0;

    for (uint32_t k = 0; k < net->switches; k++)
        last = owner_of(net, 0, k) > last ? owner_of(net, 0, k) : last;
    return 1u + last;
}

/* Shares of equal size; packets that cross do so between two meetings. Returns the meetings of a
 * cycle. */
static int check_division(const swq_net *net)
{
    const uint32_t shares = shares_of(net);
    const int levels = net->system.levels;
    int meetings = 0;

    for (int stage = -1; stage < levels; stage++) {
        const uint32_t members = stage < 0 ? net->system.nodes : net->switches;
        uint32_t count[4] = {0};
        for (uint32_t k = 0; k < members; k++)
            count[owner_of(net, stage, k)]++;
        for (uint32_t k = 0; k < shares; k++)
            cr_assert(count[k] + SWQ_SHARE_GRAIN > members / shares);
        meetings += stage >= 0 && net->mine.meets[stage];
        if (stage + 1 < levels && !stays_inside(net, stage))
            cr_assert(net->mine.meets[stage + 1] && net->mine.meets[stage < 0 ? levels - 1 : stage],
                      "stage %d", stage);
    }
    return meetings;
}

Test(sim_shares, packets_cross_between_meetings_of_which_there_are_few)
{
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int t = 0; swq_topologies[t]; t++) {
            swq_network n = network_of(ctx, &cases[k]);
            swq_sim_options options = swq_sim_defaults();
            n.shape.wiring = swq_topologies[t];
            for (options.threads = 2; options.threads <= 4; options.threads++) {
                swq_net *net;
                if (swq_net_new(ctx, &n, &options, 0, &net)) /* a single switch */
                    continue;
                if (net->mine.owner) {
                    const int meetings = check_division(net);
                    cr_assert(shares_of(net) == 3 || meetings <= n.shape.stages / 2 + 1,
                              "%s of %d stages: %d meetings", n.shape.wiring->name, n.shape.stages,
                              meetings);
                }
                swq_net_free(ctx, net);
            }
        }
    }
    swq_context_free(ctx);
}

Test(sim_shares, every_allocation_fails)
{
    swq_status status = SWQ_ENOMEM;
    size_t after = 0;

    for (; status == SWQ_ENOMEM; after++) {
        swq_context *ctx = swq_context_new();
        swq_network n = network_of(ctx, &cases[0]);
        swq_sim_options options = swq_sim_defaults();
        swq_sim_result r;
        options.threads = 2;
        options.cycles = 1;
        options.warmup = 0;
        swq_context_fail_allocations(ctx, after, false);
        status = swq_sim_run(ctx, &n, &options, &r);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
        swq_context_free(ctx);
    }
    cr_assert_eq(status, SWQ_OK);
}
