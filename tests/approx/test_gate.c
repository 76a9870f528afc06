/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate of the methods: rows that are in no method's list are refused by name, whatever they say
 * of themselves, and a method is asked for nothing that its row does not take.
 */
#include "approx/methods.h"
#include "tests/support/support.h"

static swq_context *ctx;
static swq_sender_group group;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(approx_gate, .init = setup, .fini = teardown, .timeout = 240);

static swq_async torus(void)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = &swq_fabric_torus, .dims = 2, .extent = {4, 4}};
    give_buffer(&n, "damq", 256);
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.1, (swq_spread){SWQ_CONSTANT, 32, 0});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    return n;
}

static swq_network omega(const swq_buffer_kind *kind, swq_flow flow)
{
    swq_network n = {.shape.stages = 2, .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, "damq", 2, 4, 0.5, "rotating");
    n.sw.flow = flow;
    n.sw.credit = flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    n.traffic.load = 0.5;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 2, 4, &n.sw.buffer), SWQ_OK);
    return n;
}

static void refused(swq_status status, const char *word)
{
    cr_assert_eq(status, SWQ_EINVAL, "%s: %d", word, status);
    cr_assert(strstr(swq_context_message(ctx), word), "'%s' lacks '%s'", swq_context_message(ctx),
              word);
}

/* By every method, and if none is named. */
static void refused_by_all(const swq_async *n, const char *word)
{
    swq_approx_torus_result r;

    refused(swq_approx_run_async(ctx, n, NULL, &r), word);
    for (int k = 0; swq_approx_methods[k]; k++)
        refused(swq_approx_run_async(ctx, n, swq_approx_methods[k], &r),
                swq_approx_methods[k]->run_async ? word : swq_approx_methods[k]->name);
}

Test(approx_gate, every_row_says_what_it_takes)
{
    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_approx_method *m = swq_approx_methods[k];
        cr_assert(m->takes && m->takes->fabrics && m->takes->patterns, "%s", m->name);
        cr_assert(!m->run != !m->run_async, "%s", m->name);
        cr_assert(!m->run_async || (m->takes->buffers && m->takes->hop_flows), "%s", m->name);
    }
}

/* A tree that claims to be point to point. */
Test(approx_gate, a_made_up_fabric)
{
    swq_fabric_kind tree = swq_fabric_torus;
    swq_async n = torus();

    tree.name = "tree";
    n.shape.kind = &tree;
    refused_by_all(&n, "the topology must be torus, mesh or hypercube, not tree");
}

/* One with a block of its own for every queue. */
Test(approx_gate, a_made_up_buffer_of_an_asynchronous_network)
{
    const swq_buffer_kind quad = {.name = "quad",
                                  .scope = SWQ_PER_INPUT,
                                  .queues = SWQ_QUEUE_PER_OUTPUT,
                                  .read = SWQ_READ_ONE,
                                  .queue_min = 1};
    swq_async n = torus();

    cr_assert_eq(swq_async_buffer(ctx, &n, &quad, 256), SWQ_OK, "%s", swq_context_message(ctx));
    refused_by_all(&n, "reserved blocks");
}

/* A pool that is permanently divided among its queues. Methods that take a switch's choices as they
 * are treat it like any other switch. */
Test(approx_gate, a_made_up_buffer_of_a_synchronous_network)
{
    const swq_buffer_kind split_pool = {.name = "split-pool",
                                        .scope = SWQ_POOL,
                                        .queues = SWQ_QUEUE_PER_OUTPUT,
                                        .read = SWQ_READ_EACH_QUEUE,
                                        .partitioned = true};
    swq_approx_result r;

    for (int flow = 0; flow < 2; flow++) {
        swq_network n = omega(&split_pool, (swq_flow)flow);
        n.sw.buffer.queue_min = n.sw.buffer.queue_max = n.sw.buffer.capacity / 2;
        for (int k = 0; swq_approx_methods[k]; k++) {
            const swq_approx_method *m = swq_approx_methods[k];
            n.traffic.hot_spots = m->takes->least_hot_spots;
            n.traffic.hot[0] = (swq_hot_spot){0, 0.1};
            swq_status status = swq_approx_run(ctx, &n, m, &r);
            cr_assert_eq(status == SWQ_OK, !m->takes->buffers && n.sw.flow == SWQ_DISCARD, "%s",
                         m->name);
            if (m->takes->buffers && m->run)
                refused(status, "the buffer must be");
        }
        n.traffic.hot_spots = 0;
        if (flow == SWQ_BLOCK)
            refused(swq_approx_run(ctx, &n, NULL, &r), "the buffer must be");
    }
}

Test(approx_gate, other_made_up_rows)
{
    swq_arbiter arbiter = *test_switch(ctx, "damq", 2, 4, 0.5, "longest").arbiter;
    swq_pattern pattern = swq_pattern_uniform;
    swq_hop_flow flow = swq_flow_blocking;
    swq_approx_result r;
    const swq_buffer_kind *damq;
    swq_async n = torus();

    arbiter.name = "made-up-arbiter";
    pattern.name = "made-up-pattern";
    flow.name = "made-up-flow";
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &damq), SWQ_OK);
    swq_network s = omega(damq, SWQ_BLOCK);
    s.sw.arbiter = &arbiter;
    refused(swq_approx_run(ctx, &s, NULL, &r), "not made-up-arbiter");
    s = omega(damq, SWQ_BLOCK);
    s.traffic.pattern = &pattern;
    refused(swq_approx_run(ctx, &s, NULL, &r), "not made-up-pattern");
    n.flow.row = &flow;
    refused_by_all(&n, "not made-up-flow");
    n = torus();
    group.type[0].pattern = &pattern;
    refused_by_all(&n, "not made-up-pattern");
}

Test(approx_gate, a_method_by_name_is_the_one_that_is_chosen)
{
    swq_async n = torus();
    swq_approx_torus_result chosen, named;

    cr_assert_eq(swq_approx_run_async(ctx, &n, NULL, &chosen), SWQ_OK);
    cr_assert_eq(swq_approx_run_async(ctx, &n, &approx_grid_waits, &named), SWQ_OK);
    cr_assert_str_eq(chosen.method, "grid-waits");
    cr_assert_eq(chosen.latency, named.latency);
    swq_approx_torus_result r;
    refused(swq_approx_run_async(ctx, &n, &approx_links, &r),
            "method links is not for this network: the topology must be multistage, not torus");
}

Test(approx_gate, no_probability_is_above_one)
{
    swq_approx_result r = {.stages = 2, .throughput = 0.5, .discard_fraction = 0.1};
    double *const field[] = {&r.throughput,       &r.discard_fraction, &r.refusal,
                             &r.stage[1].blocked, &r.stage[1].sent,    &r.stage[0].discarded};

    cr_assert_eq(approx_check(ctx, &r), SWQ_OK);
    for (size_t k = 0; k < sizeof field / sizeof *field; k++) {
        const double was = *field[k];
        *field[k] = 1.01;
        cr_assert_eq(approx_check(ctx, &r), SWQ_EINTERNAL, "field %zu", k);
        *field[k] = -0.01;
        cr_assert_eq(approx_check(ctx, &r), SWQ_EINTERNAL, "field %zu", k);
        *field[k] = NAN;
        cr_assert_eq(approx_check(ctx, &r), SWQ_OK, "field %zu is not told", k);
        *field[k] = was;
    }
}

/* The method of exact chains takes every arbiter that a chain can have, and no other. */
Test(approx_gate, exact_chains_take_the_arbiters_of_chains)
{
    const swq_arbiter oldest = {.name = "oldest-first", .needs = SWQ_NEEDS(SWQ_NEED_AGES)};
    const swq_buffer_kind *damq;
    swq_approx_result r;

    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &damq), SWQ_OK);
    swq_network n = omega(damq, SWQ_DISCARD);
    for (int k = 0; swq_arbiters[k]; k++) {
        n.sw.arbiter = swq_arbiters[k];
        cr_assert_eq(swq_approx_run(ctx, &n, &approx_exact_chains, &r), SWQ_OK, "%s: %s",
                     swq_arbiters[k]->name, swq_context_message(ctx));
    }
    n.sw.arbiter = &oldest;
    refused(swq_approx_run(ctx, &n, &approx_exact_chains, &r),
            "oldest-first needs the ages of packets");
}

/* A queue limit in a buffer with one queue does not limit the links' model. */
Test(approx_gate, a_limited_fifo)
{
    const swq_buffer_kind *fifo;
    swq_approx_result r;

    cr_assert_eq(swq_buffer_kind_find(ctx, "fifo", &fifo), SWQ_OK);
    swq_network n = omega(fifo, SWQ_DISCARD);
    cr_assert_eq(swq_approx_run(ctx, &n, &approx_links, &r), SWQ_OK);
    n.sw.buffer.queue_max = 2;
    refused(swq_approx_run(ctx, &n, &approx_links, &r), "limit");
}
