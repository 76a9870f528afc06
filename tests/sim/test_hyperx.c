/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HyperX: counts, distances and link loads by their closed forms, and lanes that wait in no circle.
 */
#include "sim/fabrics/state.h"
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

/* ---- ways by another router ---- */

enum { OTHER, ANY, BETWEEN }; /* shape.size[2] */

static swq_fabric by_another(size_t s, int via)
{
    swq_shape shape = shapes[s];
    swq_fabric f;

    shape.size[2] = via;
    shape.routing = &swq_routing_valiant;
    cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* The links between routers that a packet takes. */
static int links_of(const swq_fabric *f, swq_packet_state p)
{
    const uint32_t ports = (uint32_t)f->ports;
    uint32_t port = f->entry[p.from];

    for (int links = 0;; links++) {
        const uint32_t out = port / ports * ports + (uint32_t)swq_state_output(f, port, &p);
        if (f->link[out] & SWQ_TO_NODE)
            return links;
        port = f->link[out];
    }
}

/* The same of a way from router a by router `via` to router b in dimension order, one coordinate
 * after another, that ends where it meets b. */
static int links_until(const swq_fabric *f, uint32_t a, uint32_t via, uint32_t b)
{
    const int dims = f->shape.dims;
    int links = 0;

    for (int part = 0; part < 2; part++) {
        const uint32_t end = part ? b : via;
        uint32_t stride = f->switches;
        for (int k = 0; k < dims && a != b; k++) {
            const uint32_t row = (uint32_t)f->shape.extent[k];
            stride /= row;
            const uint32_t here = a / stride % row, there = end / stride % row;
            links += here != there;
            a += (there - here) * stride;
        }
    }
    return links;
}

/* All routers, each as often as another, on ways that end where they meet the destination's. */
Test(hyperx, via_any_draws_all_routers)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        swq_fabric f = by_another(s, ANY);
        const uint32_t t = f.nodes_at_switch;
        for (uint32_t pair = 0; pair < f.switches * f.switches; pair++) {
            const uint32_t a = pair / f.switches, b = pair % f.switches;
            const uint32_t from = a * t, to = b * t + t - 1;
            int links = 0, expected = 0;
            cr_assert_eq(f.shape.kind->places(&f, from, to), a == b ? 0 : f.switches);
            for (uint32_t k = 0; k < f.switches && a != b; k++) {
                const uint32_t by = f.shape.kind->place(&f, from, to, k);
                links += links_of(&f, (swq_packet_state){.from = from, .to = by, .then = to});
                expected += links_until(&f, a, k, b);
            }
            cr_assert_eq(links, expected);
        }
        swq_fabric_clear(ctx, &f);
    }
}

/* Each router once. In a dimension of S_k routers in which the ends differ, the coordinate drawn is
 * that of either end with the probability 2 / S_k, and the packet takes one link there; otherwise
 * two. */
Test(hyperx, via_between_stays_between_the_ends)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        swq_fabric f = by_another(s, BETWEEN);
        const uint32_t t = f.nodes_at_switch;
        double links = 0, expected = 0;
        for (int k = 0; k < f.shape.dims; k++) {
            const double row = f.shape.extent[k];
            expected += (1 - 1 / row) * (2 - 2 / row);
        }
        for (uint32_t pair = 0; pair < f.switches * f.switches; pair++) {
            const uint32_t from = pair / f.switches * t, to = pair % f.switches * t;
            const uint32_t places = f.shape.kind->places(&f, from, to);
            uint32_t seen = 0;
            for (uint32_t k = 0; k < places; k++) {
                const uint32_t by = f.shape.kind->place(&f, from, to, k);
                seen |= UINT32_C(1) << by / t;
                const swq_packet_state p = {.from = from, .to = by, .then = to};
                links += links_of(&f, p) / (double)places;
            }
            cr_assert_eq((uint32_t)__builtin_popcount(seen), places);
        }
        cr_assert_float_eq(links / f.switches / f.switches, expected, 1e-12);
        swq_fabric_clear(ctx, &f);
    }
}

/* Neither end's router, and no other twice. */
Test(hyperx, via_other_leaves_out_the_ends)
{
    swq_fabric f = by_another(2, OTHER);
    const uint32_t t = f.nodes_at_switch, from = 3 * t, to = 17 * t;
    uint32_t seen = 0;

    for (uint32_t k = 0; k < f.shape.kind->places(&f, from, to); k++)
        seen |= UINT32_C(1) << f.shape.kind->place(&f, from, to, k) / t;
    cr_assert_eq(seen, 0xffffff & ~(UINT32_C(1) << 3 | UINT32_C(1) << 17));
    swq_fabric_clear(ctx, &f);
}

/* Room that is taken behind the outputs of a router: 10 behind the straight one, 4 behind others.
 */
static uint32_t taken(const void *straight, uint32_t output, int lane)
{
    (void)lane;
    return output == *(const uint32_t *)straight ? 10 : 4;
}

/* Straight one link, 1 x 10; by the router drawn two, 2 x 4. */
Test(hyperx, ugal_goes_straight_up_to_its_threshold)
{
    swq_shape shape = {.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}, .size = {2}};
    swq_fabric f;

    shape.routing = &swq_routing_ugal;
    for (int threshold = 0; threshold < 4; threshold++) {
        const swq_packet_state p = {.from = 0, .to = 4, .then = 2};
        const uint32_t straight = 2;
        const swq_switch_view view = {&straight, taken, NULL};
        shape.ugal_threshold = threshold;
        cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(swq_routing_ugal.detours(&f, f.entry[0], &p, &view), threshold < 2);
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
        for (int via = ANY; via <= BETWEEN; via++) {
            swq_shape shape = shapes[s];
            shape.size[2] = via;
            cr_assert_not(may_deadlock(&shape, &swq_routing_valiant, phase));
            cr_assert_not(may_deadlock(&shape, &swq_routing_ugal, phase));
        }
    }
}

Test(hyperx, what_does_not_fit_is_refused)
{
    static const struct {
        swq_shape shape;
        const char *message;
    } cases[] = {
        {{.kind = &swq_fabric_hyperx, .dims = 2, .extent = {128, 128}, .size = {4}}, "256 ports"},
        {{.kind = &swq_fabric_hyperx,
          .dims = 13,
          .extent = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
          .size = {1}},
         "at most 16777216 nodes"},
        {{.kind = &swq_fabric_hyperx, .dims = 2, .extent = {4, 1}, .size = {4}}, "at least 2"},
        {{.kind = &swq_fabric_hyperx, .extent = {4}, .size = {4}}, "dims must be"},
        {{.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}}, "hosts of topology hyperx"},
        {{.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}, .size = {2}, .levels = 2},
         "levels is for"},
        {{.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}, .size = {2, 1, ANY}}, "via"},
        {{.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}, .size = {2}, .ugal_threshold = 1},
         "ugal-threshold is for routings ugal, par and dal, not for deterministic"},
        {{.kind = &swq_fabric_hyperx,
          .dims = 1,
          .extent = {4},
          .size = {2},
          .routing = &swq_routing_ugal,
          .ugal_threshold = -1},
         "ugal-threshold must be 0 to 1000000, not -1"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_fabric f;
        cr_expect_eq(swq_fabric_count(ctx, &cases[k].shape, &f), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s",
                  swq_context_message(ctx));
    }
}
