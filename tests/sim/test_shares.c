/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One network on several threads gives the numbers that it gives on one, to the bit.
 */
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
    swq_network n = {.topology = swq_topologies[0], .stages = c->stages};
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
