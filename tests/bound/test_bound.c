/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of what links can carry: against closed forms, against the ceilings of all routings, which
 * are no higher, and against simulations with UGAL; that what a program finds carries what it says;
 * refusals, and failing allocations. tests/ref/bound_check.py has the programs once more.
 */
#include "sim/fabrics/fabrics.h"
#include "switchq/bound.h"
#include "switchq/ceiling.h"
#include "tests/support/support.h"

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

TestSuite(bound, .init = setup, .fini = teardown, .timeout = 240);

static swq_shape grid(const swq_fabric_kind *kind, int dims, int extent)
{
    swq_shape shape = {.kind = kind, .dims = dims};

    for (int k = 0; k < dims; k++)
        shape.extent[k] = extent;
    return shape;
}

static const swq_pattern *pattern(const char *name)
{
    const swq_pattern *row = NULL;

    cr_assert_eq(swq_pattern_find(ctx, name, &row), SWQ_OK);
    return row;
}

/* Links that never rest. */
static swq_async network(swq_shape shape, const swq_pattern *row, swq_sender_group *group)
{
    swq_async n = swq_async_defaults();

    n.shape = shape;
    n.link.rest = 0;
    n.packet.max = 1;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 1, (swq_spread){SWQ_CONSTANT, 1, 0});
    group->type[0].pattern = row;
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

static swq_bound bound_of(const swq_async *n, swq_bound_paths paths)
{
    const swq_bound_options options = {.paths = paths, .seed = 1};
    swq_bound b;

    cr_assert_eq(swq_bound_run(ctx, n, &options, &b), SWQ_OK, "%s", swq_context_message(ctx));
    return b;
}

/* The bound, after a look at what the program found. */
static double any_ways(swq_shape shape, const char *name)
{
    swq_sender_group group;
    const swq_async n = network(shape, pattern(name), &group);
    const swq_bound b = bound_of(&n, SWQ_PATHS_ANY);

    cr_expect_null(b.none);
    cr_expect(b.flow_load <= b.links_load * (1 + 1e-9), "%.12g carried of %.12g", b.flow_load,
              b.links_load);
    cr_expect(b.flow_load >= b.links_load * (1 - 1e-6), "%.12g carried of %.12g", b.flow_load,
              b.links_load);
    return b.load;
}

#define EXPECT_NEAR(got, expected)                                                                 \
    do {                                                                                           \
        const double got_ = (got), expected_ = (expected);                                         \
        cr_expect(relative_difference(got_, expected_) <= 1e-6, "%.10g, not %.10g", got_,          \
                  expected_);                                                                      \
    } while (0)

/* A row has one way; a ring of odd extent in which all send to all is best used by shortest ways;
 * in a ring of 8 whose nodes all send 3 further, 5/8 go the short way and 3/8 the long one. */
Test(bound, of_rows_and_rings)
{
    for (int k = 2; k <= 6; k++) {
        const double left = k / 2, right = k - k / 2;
        EXPECT_NEAR(any_ways(grid(&swq_fabric_mesh, 1, k), "uniform"),
                    1 / fmax(1, left * right / (k - 1)));
    }
    EXPECT_NEAR(any_ways(grid(&swq_fabric_torus, 1, 9), "uniform"), 8 * 8.0 / 80);
    EXPECT_NEAR(any_ways(grid(&swq_fabric_torus, 1, 8), "tornado"), 8.0 / 15);
    swq_shape one_way = grid(&swq_fabric_torus, 1, 8);
    one_way.one_way = true;
    EXPECT_NEAR(any_ways(one_way, "tornado"), 1.0 / 3);
}

/* All of a group of 8 nodes to another group: one straight link, and 7 others, over which half as
 * much goes, as each of these ways takes two of the network's global links: 1 + 7 / 2 of 8. */
Test(bound, of_a_dragonfly)
{
    const swq_shape shape = {.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}};
    swq_sender_group group;

    EXPECT_NEAR(any_ways(shape, "tornado"), 9.0 / 16);
    swq_async n = network(shape, pattern("tornado"), &group);
    n.shape.routing = &swq_routing_ugal;
    const swq_bound ugal = bound_of(&n, SWQ_PATHS_MINIMAL_VALIANT);
    EXPECT_NEAR(ugal.load, 0.5266203703703); /* tests/ref/bound_check.py */
    EXPECT_NEAR(ugal.flow_load, ugal.load);
    cr_expect(ugal.load < 9.0 / 16);
    group.type[0].pattern = &swq_pattern_uniform;
    EXPECT_NEAR(bound_of(&n, SWQ_PATHS_MINIMAL_VALIANT).load, 1);
}

/* 3 nodes of each of 6 routers in a row send to the same other router: straight, or by the 4
 * others, where each link is taken by two pairs: 3 s / 4 x 2 = 3 - 3 s for a share s of 2 / 3. */
Test(bound, of_a_hyperx_straight_and_by_others)
{
    swq_shape shape = grid(&swq_fabric_hyperx, 1, 6);
    swq_sender_group group;

    shape.size[0] = 3;
    shape.routing = &swq_routing_ugal;
    const swq_async n = network(shape, pattern("tornado"), &group);
    EXPECT_NEAR(bound_of(&n, SWQ_PATHS_MINIMAL_VALIANT).load, 1);
    EXPECT_NEAR(bound_of(&n, SWQ_PATHS_MINIMAL_VALIANT).links_load, 1);
}

/* The link to a node; and a switch alone, whose packets take no link between switches. */
Test(bound, of_links_of_nodes)
{
    swq_sender_group group;
    swq_async n = network(grid(&swq_fabric_mesh, 2, 4), &swq_pattern_uniform, &group);

    group.type[0].aim = SWQ_AIM_NODE;
    group.type[0].value = 5;
    swq_bound b = bound_of(&n, SWQ_PATHS_ANY);
    EXPECT_NEAR(b.load, 1.0 / 15);
    EXPECT_NEAR(b.throughput, 1.0 / 16);
    cr_expect(b.links_load > b.nodes_load);
    n = network(
        (swq_shape){
            .kind = &swq_fabric_multistage, .wiring = swq_topologies[0], .ports = 4, .stages = 1},
        &swq_pattern_uniform, &group);
    b = bound_of(&n, SWQ_PATHS_ANY);
    cr_expect(isinf(b.links_load) && b.columns == 0, "%g, %llu", b.links_load,
              (unsigned long long)b.columns);
    EXPECT_NEAR(b.load, 1);
}

/* Minimal ways of a ring of 8 whose nodes all send 3 further are the short ones; those of a row,
 * and of a ring of odd extent in which all send to all, are the best. */
Test(bound, of_minimal_ways)
{
    swq_sender_group group;
    swq_async n = network(grid(&swq_fabric_torus, 1, 8), pattern("tornado"), &group);

    EXPECT_NEAR(bound_of(&n, SWQ_PATHS_MINIMAL).load, 1.0 / 3);
    n = network(grid(&swq_fabric_torus, 1, 9), pattern("uniform"), &group);
    EXPECT_NEAR(bound_of(&n, SWQ_PATHS_MINIMAL).load, 8 * 8.0 / 80);
    n = network(grid(&swq_fabric_mesh, 1, 5), pattern("uniform"), &group);
    EXPECT_NEAR(bound_of(&n, SWQ_PATHS_MINIMAL).load, 1 / fmax(1, 2 * 3 / 4.0));
}

/* Shortest ways, drawn or for each pair one, have no higher ceiling than the bound for all of them,
 * and adaptive routing carries no more. */
Test(bound, of_minimal_ways_is_that_of_adaptive_routing)
{
    const swq_shape shapes[] = {
        {.kind = &swq_fabric_slimfly, .size = {4, 3}},
        {.kind = &swq_fabric_hyperx, .dims = 2, .extent = {3, 3}, .size = {3}},
        {.kind = &swq_fabric_megafly, .size = {2}},
    };

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        swq_sender_group group;
        swq_sim_options options = swq_sim_defaults();
        swq_async_result r;
        swq_ceiling one, drawn;
        swq_async n = network(shapes[k], &swq_pattern_random_permutation, &group);
        const double any = bound_of(&n, SWQ_PATHS_ANY).load;
        const swq_bound minimal = bound_of(&n, SWQ_PATHS_MINIMAL);
        EXPECT_NEAR(minimal.flow_load, minimal.links_load);
        cr_assert_eq(swq_async_ceiling(ctx, &n, 1, &one), SWQ_OK);
        n.shape.drawn_ways = true;
        cr_assert_eq(swq_async_ceiling(ctx, &n, 1, &drawn), SWQ_OK);
        cr_expect(fmax(one.load, drawn.load) <= minimal.load * (1 + 1e-9) &&
                      minimal.load <= any * (1 + 1e-9),
                  "%zu: one way %g, drawn %g, minimal %g, any %g", k, one.load, drawn.load,
                  minimal.load, any);
        n.shape.drawn_ways = false;
        n.shape.routing = &swq_routing_adaptive;
        n.architecture.row = &swq_wormhole_lanes;
        n.architecture.lanes.choice = &swq_lane_choice_phase;
        n.architecture.lanes.flits = 32;
        options.warmup = 1000;
        options.cycles = 3000;
        options.seed = 1;
        swq_sender_group_load(&n, &group, fmin(1, minimal.load));
        n.traffic.group = &group;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const double got = r.sim.all.throughput.mean;
        cr_expect(got <= minimal.throughput * 1.01 && got > 0.5 * minimal.throughput,
                  "%zu: %g of %g", k, got, minimal.throughput);
    }
}

/* No routing has a higher ceiling than the bound for any routing, nor a bound for two ways. */
Test(bound, is_no_lower_than_ceilings)
{
    static const swq_routing *const routings[] = {NULL, &swq_routing_valiant};
    int seen = 0;

    for (int k = 0; swq_fabric_kinds[k]; k++) {
        for (const swq_shape *s = swq_fabric_kinds[k]->examples; s->kind; s++) {
            swq_shape shape = *s;
            swq_sender_group group;
            if (shape.kind == &swq_fabric_multistage)
                shape.wiring = swq_topologies[0];
            swq_async n = network(shape, &swq_pattern_random_permutation, &group);
            swq_fabric f;
            swq_ceiling c;
            cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK);
            if (f.switches > 40)
                continue;
            const double any = bound_of(&n, SWQ_PATHS_ANY).load;
            for (int r = 0; r < 2; r++) {
                n.shape.routing = routings[r];
                if (swq_async_ceiling(ctx, &n, 1, &c) != SWQ_OK)
                    continue;
                cr_expect(c.none || c.load <= any * (1 + 1e-9), "%s, %d: %g above %g",
                          shape.kind->name, r, c.load, any);
                if (r == 0)
                    continue;
                const double two = bound_of(&n, SWQ_PATHS_MINIMAL_VALIANT).load;
                cr_expect(c.load <= two * (1 + 1e-9) && two <= any * (1 + 1e-6),
                          "%s: ceiling %g, two ways %g, any %g", shape.kind->name, c.load, two,
                          any);
                seen++;
            }
        }
    }
    cr_expect(seen >= 6, "%d", seen);
}

/* UGAL gets no more through a dragonfly than the bound for its two ways, and more than straight
 * ways alone, 1 / 8. */
Test(bound, simulations_with_ugal_stay_below_it)
{
    swq_sender_group group;
    swq_async n = network((swq_shape){.kind = &swq_fabric_dragonfly, .size = {2, 4, 2}},
                          pattern("tornado"), &group);
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;

    n.shape.routing = &swq_routing_ugal;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = 6;
    n.architecture.lanes.flits = 32;
    options.warmup = 1000;
    options.cycles = 3000;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    const double got = r.sim.all.throughput.mean,
                 bound = bound_of(&n, SWQ_PATHS_MINIMAL_VALIANT).throughput;
    cr_expect(got <= bound && got > 1.0 / 8, "%g of %g", got, bound);
}

/* ---- refusals ---- */

static void expect_refused(const swq_async *n, swq_bound_paths paths, swq_status expected,
                           const char *message)
{
    const swq_bound_options options = {.paths = paths, .seed = 1};
    swq_bound b;

    cr_expect_eq(swq_bound_run(ctx, n, &options, &b), expected);
    cr_expect_not_null(strstr(swq_context_message(ctx), message), "%s", swq_context_message(ctx));
}

Test(bound, refusals)
{
    swq_sender_group group;
    swq_async n = network(grid(&swq_fabric_torus, 2, 5), &swq_pattern_uniform, &group);

    expect_refused(&n, SWQ_PATHS_MINIMAL_VALIANT, SWQ_EINVAL,
                   "paths minimal+valiant is for routings valiant and ugal, not for deterministic");
    n.link.rest = -1;
    expect_refused(&n, SWQ_PATHS_ANY, SWQ_EINVAL, "link-rest must be 0 to");
    n.link.rest = 0;
    n.shape = grid(&swq_fabric_torus, 2, 40);
    expect_refused(&n, SWQ_PATHS_ANY, SWQ_ELIMIT,
                   "a linear program of 10240001 columns is too large: at most 300000");
    n.shape = grid(&swq_fabric_torus, 2, 7);
    swq_context_limit_memory(ctx, 4000000);
    expect_refused(&n, SWQ_PATHS_ANY, SWQ_ELIMIT, "columns would take about");
    swq_context_limit_memory(ctx, 0);
    n.traffic.groups = 0;
    expect_refused(&n, SWQ_PATHS_ANY, SWQ_EINVAL, "groups must be 1 to");
}

Test(bound, a_cancelled_one_ends)
{
    swq_sender_group group;
    const swq_async n = network(grid(&swq_fabric_torus, 2, 6), &swq_pattern_uniform, &group);

    swq_context_cancel(ctx);
    expect_refused(&n, SWQ_PATHS_ANY, SWQ_ECANCELLED, "cancelled");
}

Test(bound, every_allocation_may_fail)
{
    for (int paths = 0; paths < 2; paths++) {
        const swq_bound_options options = {.paths = (swq_bound_paths)paths, .seed = 1};
        swq_shape shape = grid(&swq_fabric_hyperx, 1, 4);
        swq_sender_group group;
        swq_bound b;
        shape.size[0] = 1;
        shape.routing = &swq_routing_valiant;
        const swq_async n = network(shape, pattern("random-permutation"), &group);
        size_t k = 0;
        for (swq_status status = SWQ_ENOMEM; status != SWQ_OK; k++) {
            swq_context_fail_allocations(ctx, k, k % 2);
            status = swq_bound_run(ctx, &n, &options, &b);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%d", (int)status);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
        }
        cr_expect(k > 8);
    }
}
