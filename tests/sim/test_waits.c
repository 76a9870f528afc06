/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of dependencies (sim/dependencies/waits.h): what stands in for a network has circles if
 * and only if the network itself has, for all rows of the table; circles are where they are known
 * to be; and runs deadlock only where a deadlock was not ruled out.
 */
#include "sim/dependencies/waits.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <string.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(waits, .init = setup, .fini = teardown, .timeout = 240);

/* ---- how switches keep packets ---- */

static uint32_t by_class(const void *arg, uint32_t port, const swq_packet_state *p)
{
    const swq_waits_plan *plan = arg;
    const swq_fabric *f = plan->fabric;

    return plan->queues == 1 ? 1 : UINT32_C(1) << f->shape.kind->route(f, port, p->from, p->to);
}

/* Buffers of one queue, queues that close a buffer alone, in pairs or never, and stores before
 * links. */
static const struct keeping {
    const char *what;
    bool classes;
    int closing;
    bool output_stores;
} keepings[] = {
    {"one queue", false, 1, false},        {"closed by one", true, 1, false},
    {"closed by two", true, 2, false},     {"parts", true, SWQ_NEVER_CLOSED, false},
    {"one queue, stores", false, 1, true}, {"parts, stores", true, SWQ_NEVER_CLOSED, true},
};
enum { KEEPINGS = sizeof keepings / sizeof *keepings };

static bool circle_of(const swq_fabric *f, const struct keeping *k)
{
    swq_waits_plan plan = {.fabric = f,
                           .queues = k->classes ? f->classes : 1,
                           .closing = k->closing,
                           .output_stores = k->output_stores,
                           .joins = by_class};
    bool circle;

    plan.arg = &plan;
    cr_assert_eq(swq_waits_in_a_circle(ctx, &plan, &circle), SWQ_OK);
    return circle;
}

/* A ring in one direction: all its links wait for one another, and are named in their order. */
Test(waits, a_circle_is_named)
{
    const swq_shape shape = {.kind = &swq_fabric_torus, .dims = 1, .extent = {5}, .one_way = true};
    swq_waits_circle named;
    swq_waits_plan plan = {.queues = 1, .closing = 1, .joins = by_class, .named = &named};
    swq_fabric f;
    bool circle;

    plan.arg = &plan;
    cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK);
    plan.fabric = &f;
    cr_assert_eq(swq_waits_in_a_circle(ctx, &plan, &circle), SWQ_OK);
    cr_assert(circle);
    cr_assert_eq(named.length, 5);
    for (uint32_t k = 0; k < 5; k++) {
        const uint32_t next = named.port[(k + 1) % 5],
                       base = named.port[k] - named.port[k] % (uint32_t)f.ports;
        bool leads = false;
        for (uint32_t out = 0; out < (uint32_t)f.ports; out++)
            leads |= f.link[base + out] == next;
        cr_expect(leads, "%u", k);
    }
    swq_fabric_clear(ctx, &f);
}

static bool escapes_of(const swq_fabric *f)
{
    const swq_waits_plan plan = {.fabric = f};
    bool circle;

    cr_assert_eq(swq_escapes_in_a_circle(ctx, &plan, &circle), SWQ_OK);
    return circle;
}

/* ---- stand-ins ---- */

/* The whole network and its stand-in agree however packets are kept. */
static void expect_alike(const swq_shape *shape)
{
    swq_fabric whole, small;
    char what[200];

    cr_assert(swq_waits_stand_in(ctx, shape, true, &whole));
    cr_assert(swq_waits_stand_in(ctx, shape, false, &small));
    shape->kind->describe(&whole, what, sizeof what);
    for (int k = 0; k < KEEPINGS; k++) {
        if (!shape->routing || !keepings[k].classes)
            cr_expect_eq(circle_of(&whole, &keepings[k]), circle_of(&small, &keepings[k]), "%s, %s",
                         what, keepings[k].what);
    }
    if (whole.escapes)
        cr_expect_eq(escapes_of(&whole), escapes_of(&small), "%s, escape queues", what);
    swq_fabric_clear(ctx, &whole);
    swq_fabric_clear(ctx, &small);
}

Test(waits, small_networks_stand_in_for_those_of_all_rows)
{
    for (int k = 0; swq_fabric_kinds[k]; k++) {
        for (const swq_shape *example = swq_fabric_kinds[k]->examples; example->kind; example++) {
            swq_shape shape = *example;
            swq_fabric counted;
            shape.wiring = shape.kind == &swq_fabric_multistage ? swq_topologies[0] : NULL;
            expect_alike(&shape);
            shape.routing = &swq_routing_adaptive;
            if (!swq_fabric_count(ctx, &shape, &counted))
                expect_alike(&shape);
        }
    }
}

/* Rings of all lengths, alone and crossed; more dimensions than a stand-in has; larger trees. */
Test(waits, stand_ins_of_larger_networks)
{
    for (int extent = 2; extent <= 20; extent++) {
        for (int way = 0; way < 2; way++)
            expect_alike(&(swq_shape){
                .kind = &swq_fabric_torus, .dims = 1, .extent = {extent}, .one_way = way == 1});
    }
    static const swq_shape larger[] = {
        {.kind = &swq_fabric_torus, .dims = 2, .extent = {9, 12}},
        {.kind = &swq_fabric_torus, .dims = 3, .extent = {4, 3, 4}},
        {.kind = &swq_fabric_torus, .dims = 4, .extent = {2, 3, 2, 4}},
        {.kind = &swq_fabric_torus, .dims = 4, .extent = {2, 3, 5, 2}, .chained = true},
        {.kind = &swq_fabric_torus, .dims = 2, .extent = {6, 3}, .routing = &swq_routing_adaptive},
        {.kind = &swq_fabric_torus,
         .dims = 3,
         .extent = {5, 3, 3},
         .routing = &swq_routing_adaptive},
        {.kind = &swq_fabric_mesh,
         .dims = 3,
         .extent = {5, 2, 3},
         .routing = &swq_routing_unguarded},
        {.kind = &swq_fabric_hypercube, .dims = 7},
        {.kind = &swq_fabric_tree, .levels = 5, .arity = {2, 2, 3, 2, 2}},
        {.kind = &swq_fabric_fat_tree, .levels = 3, .ports = 8},
        {.kind = &swq_fabric_slimfly, .size = {7, 1}},
        {.kind = &swq_fabric_slimfly, .size = {8, 1}},
        {.kind = &swq_fabric_slimfly, .size = {9, 2}},
        {.kind = &swq_fabric_polarfly, .size = {5, 1}},
        {.kind = &swq_fabric_polarfly, .size = {7, 1}},
        {.kind = &swq_fabric_polarfly, .size = {8, 2}},
        {.kind = &swq_fabric_megafly, .size = {2, 3, 3, 2, 7}},
        {.kind = &swq_fabric_megafly, .size = {1, 4, 2, 3, 4}},
    };
    for (size_t k = 0; k < sizeof larger / sizeof *larger; k++)
        expect_alike(&larger[k]);
}

/* ---- where circles are ---- */

/* A ring of more than four nodes has circles, of one queue or where one queue closes a buffer, and
 * none where it takes two or each queue has its part (docs/asynchronous.md): in a shorter ring no
 * packet goes on in turn. Elsewhere links have an order. */
Test(waits, circles_are_in_rings)
{
    for (int extent = 2; extent <= 12; extent++) {
        for (int one_way = 0; one_way < 2; one_way++) {
            const swq_shape shape = {.kind = &swq_fabric_torus,
                                     .dims = 2,
                                     .extent = {extent, 3 - one_way},
                                     .one_way = one_way};
            const bool long_ring = extent > (one_way ? 2 : 4);
            swq_fabric f;
            cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK);
            for (int k = 0; k < KEEPINGS; k++)
                cr_expect_eq(circle_of(&f, &keepings[k]),
                             long_ring && (keepings[k].closing == 1 || keepings[k].output_stores),
                             "%d nodes, one way %d, %s", extent, one_way, keepings[k].what);
            cr_expect_eq(swq_shape_has_circle(&shape), long_ring);
            swq_fabric_clear(ctx, &f);
        }
    }
    for (int k = 0; swq_fabric_kinds[k]; k++) {
        swq_shape shape = *swq_fabric_kinds[k]->examples;
        shape.wiring = shape.kind == &swq_fabric_multistage ? swq_topologies[0] : NULL;
        if (shape.kind == &swq_fabric_mesh || shape.kind == &swq_fabric_hypercube ||
            shape.kind == &swq_fabric_multistage || shape.kind->tree)
            cr_expect_not(swq_shape_has_circle(&shape), "%s", shape.kind->name);
    }
}

/* A network too large to be walked, without a stand-in: nothing is ruled out. */
Test(waits, what_is_not_walked_is_not_ruled_out)
{
    swq_shape shape = {.kind = &swq_fabric_mesh, .dims = 2, .extent = {200, 200}};
    swq_fabric_kind row = swq_fabric_mesh;
    swq_fabric f;

    cr_expect_not(swq_shape_has_circle(&shape));
    row.stand_in = NULL;
    shape.kind = &row;
    cr_expect_not(swq_waits_stand_in(ctx, &shape, false, &f));
    cr_expect(swq_shape_has_circle(&shape));
}

/* ---- runs ---- */

static swq_async full(swq_shape shape, const char *buffer, const swq_sender_group *group)
{
    swq_async n = async_network(shape, buffer, 128);

    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

static bool deadlocks(const swq_async *n)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;

    options.cycles = 30000;
    options.warmup = 0;
    cr_assert_eq(swq_async_run(ctx, n, &options, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    return r.sim.stopped_by == SWQ_STOP_DEADLOCK;
}

/* Tori at full load, without thresholds: those of short rings, which a row's flag once said might
 * deadlock, do not; those of longer ones do, with a FIFO within these cycles. */
Test(waits, tori_of_short_rings_do_not_deadlock)
{
    static const int extents[][2] = {{2, 2}, {3, 3}, {4, 3}, {4, 4}, {6, 6}, {8, 8}};

    for (size_t k = 0; k < sizeof extents / sizeof *extents; k++) {
        const swq_shape shape = {
            .kind = &swq_fabric_torus, .dims = 2, .extent = {extents[k][0], extents[k][1]}};
        swq_async any = async_network(shape, "fifo", 128);
        const swq_sender_group group =
            swq_sender_group_uniform(&any, SWQ_SOURCE_HOLD, 1, constantly(32));
        const swq_async fifo = full(shape, "fifo", &group), damq = full(shape, "damq", &group);
        const bool may = extents[k][0] > 4;
        cr_expect_eq(swq_async_may_deadlock(&fifo), may, "%d", extents[k][0]);
        cr_expect_eq(swq_async_may_deadlock(&damq), may, "%d", extents[k][0]);
        cr_expect_eq(deadlocks(&fifo), may, "%d", extents[k][0]);
        cr_expect(may || !deadlocks(&damq), "%d", extents[k][0]);
    }
}
