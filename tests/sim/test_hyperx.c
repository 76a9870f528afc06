/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HyperX: counts, distances and link loads by their closed forms, and lanes that wait in no circle.
 */
#include "switchq/async.h"
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

TestSuite(hyperx, .init = setup, .fini = teardown, .timeout = 60);

static const swq_shape shapes[] = {
    {.kind = &swq_fabric_hyperx, .dims = 2, .extent = {4, 4}, .size = {4}},
    {.kind = &swq_fabric_hyperx, .dims = 1, .extent = {8}, .size = {3, 2}},
    {.kind = &swq_fabric_hyperx, .dims = 3, .extent = {2, 3, 4}, .size = {2}},
    {.kind = &swq_fabric_hyperx, .dims = 2, .extent = {5, 3}, .size = {4, 2}},
};

/* With R routers, S_k in a row of dimension k and N nodes: a packet for another node takes a link
 * of dimension k with the probability (1 - 1/S_k) N / (N - 1), and each of the w links of a pair
 * carries a w-th of t N / S_k packets of N - 1, if w divides t. */
Test(hyperx, counts_distances_and_loads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const swq_shape *shape = &shapes[s];
        const int t = shape->size[0], w = shape->size[1] ? shape->size[1] : 1;
        double routers = 1, hops = 0, ports = t;
        swq_fabric_loads loads;
        swq_fabric f;
        for (int k = 0; k < shape->dims; k++) {
            routers *= shape->extent[k];
            hops += 1 - 1.0 / shape->extent[k];
            ports += w * (shape->extent[k] - 1);
        }
        const double nodes = t * routers;
        cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(f.switches, routers);
        cr_assert_eq(f.nodes, nodes);
        cr_assert_eq(f.ports, ports);
        cr_assert_eq(f.shape.kind->longest(&f), shape->dims + 1);
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
        cr_assert_float_eq(loads.mean_hops, hops * nodes / (nodes - 1), 1e-12);
        for (int k = 0; k < shape->dims; k++)
            cr_assert_float_eq(loads.level_load[k], t * nodes / shape->extent[k] / (nodes - 1) / w,
                               1e-12);
        swq_fabric_clear(ctx, &f);
    }
}

static bool may_deadlock(const swq_shape *shape, const swq_routing *routing,
                         const swq_lane_choice *choice)
{
    swq_async n = swq_async_defaults();
    swq_sender_group group;
    uint32_t nodes;

    n.shape = *shape;
    n.shape.routing = routing;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = choice;
    n.architecture.lanes.count = 2;
    n.link.rest = 0;
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.1,
                                     (swq_spread){.kind = SWQ_CONSTANT, .first = 32});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
    return swq_async_may_deadlock(&n);
}

Test(hyperx, two_parts_of_a_way_need_lanes_of_their_own)
{
    const swq_lane_choice *any = &swq_lane_choice_any, *phase = &swq_lane_choice_phase;

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        cr_assert_not(may_deadlock(&shapes[s], NULL, any));
        cr_assert_not(may_deadlock(&shapes[s], &swq_routing_valiant, phase));
        cr_assert_not(may_deadlock(&shapes[s], &swq_routing_ugal, phase));
        cr_assert_not(may_deadlock(&shapes[s], NULL, phase));
    }
}

Test(hyperx, what_does_not_fit_is_refused)
{
    static const struct {
        swq_shape shape;
        const char *message;
    } cases[] = {
        {{.kind = &swq_fabric_hyperx, .dims = 2, .extent = {20, 20}, .size = {4}}, "32 ports"},
        {{.kind = &swq_fabric_hyperx, .dims = 2, .extent = {4, 1}, .size = {4}}, "at least 2"},
        {{.kind = &swq_fabric_hyperx, .extent = {4}, .size = {4}}, "dims must be"},
        {{.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}}, "shape t of topology hyperx"},
        {{.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}, .size = {2}, .levels = 2},
         "levels is for"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_fabric f;
        cr_expect_eq(swq_fabric_count(ctx, &cases[k].shape, &f), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s",
                  swq_context_message(ctx));
    }
}
