/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DAL in HyperX: the links that a packet may choose from, the lanes that exclude a deadlock, and
 * runs within the bounds of links. tests/sim/test_graph_reference.c holds its decisions, start by
 * start, against a program of its own.
 */
#include "sim/switches/wormhole/worms.h"
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

TestSuite(dal, .init = setup, .fini = teardown, .timeout = 60);

static swq_shape shape_of(int dims, const int *extent, int nodes, int width)
{
    swq_shape shape = {.kind = &swq_fabric_hyperx,
                       .dims = dims,
                       .size = {nodes, width},
                       .routing = &swq_routing_dal};

    for (int k = 0; k < dims; k++)
        shape.extent[k] = extent[k];
    return shape;
}

static swq_fabric made(const swq_shape *shape)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* ---- links to choose from ---- */

/* Ways between two routers that differ in `once` dimensions of rows of s routers with w links each,
 * and in `twice` dimensions in which they have left their way: any dimension is next, straight or
 * by one of s - 2 others. */
static double ways_left(int once, int twice, int s, int w)
{
    double ways = once + twice == 0;

    if (once > 0)
        ways += once * w *
                (ways_left(once - 1, twice, s, w) + (s - 2) * ways_left(once - 1, twice + 1, s, w));
    if (twice > 0)
        ways += twice * w * ways_left(once, twice - 1, s, w);
    return ways;
}

/* Walks all ways of a packet. Every one must end at its node after at most `left` links, of which
 * the list says how many are ahead where it goes straight from there. *steps: links taken. */
static double walk(const swq_fabric *f, uint32_t port, swq_packet_state p, int left, double *steps)
{
    const uint32_t base = port - port % (uint32_t)f->ports;
    swq_next_link list[SWQ_MAX_NEXT_LINKS];
    const int count = f->shape.kind->next_links(f, port, &p, list);
    double ways = count == 0;

    if (count == 0)
        cr_assert_eq(f->link[base + (uint32_t)f->shape.kind->route(f, port, p.from, p.to)],
                     SWQ_TO_NODE | p.to);
    cr_assert(count == 0 || left > 0);
    for (int k = 0; k < count; k++) {
        const uint32_t next = f->link[base + list[k].output];
        swq_packet_state then = p;
        swq_next_link ahead[SWQ_MAX_NEXT_LINKS];
        then.derouted = list[k].derouted;
        const bool ends = f->shape.kind->next_links(f, next, &then, ahead) == 0;
        cr_assert_eq(list[k].links, ends ? 1 : ahead[0].links - !ahead[0].straight + 1);
        ways += walk(f, next, then, left - 1, steps);
        ++*steps;
    }
    return ways;
}

/* All ways between routers 0 and the last are walked, counted and ended; in rows of two there is no
 * other router to go by. */
Test(dal, ways_are_counted)
{
    static const int extents[][3] = {{4}, {3, 3}, {2, 2, 2}, {3, 3, 3}};
    static const int dims[] = {1, 2, 3, 3}, widths[] = {2, 1, 1, 1};

    for (int s = 0; s < 4; s++) {
        const int row = extents[s][0];
        const swq_shape shape = shape_of(dims[s], extents[s], 1, widths[s]);
        swq_fabric f = made(&shape);
        const swq_packet_state p = {.from = 0, .to = f.nodes - 1, .then = SWQ_NO_WHERE};
        double steps = 0;
        const int longest = f.shape.kind->phases(&shape);
        cr_expect_eq(longest, row > 2 ? 2 * dims[s] : dims[s]);
        cr_expect_eq(walk(&f, f.entry[0], p, longest, &steps),
                     ways_left(dims[s], 0, row, widths[s]), "%d", s);
        cr_expect_eq(f.shape.kind->links_of_ways(&f), steps, "%d", s);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- waits ---- */

static bool waits(const swq_shape *shape, swq_lanes_for choice, int lanes, char *text, size_t size)
{
    swq_fabric f = made(shape);
    const swq_worm_plan plan = {.fabric = &f, .lanes = lanes, .choice = choice};
    bool circle;

    cr_assert_eq(swq_worms_name_circle(ctx, &plan, &circle, text, size), SWQ_OK);
    swq_fabric_clear(ctx, &f);
    return circle;
}

/* A lane for each link of the longest way, two in each dimension with another router to go by,
 * excludes a deadlock; with one lane less the last two links of ways wait in a circle, which is
 * named. In rows of two the ways are those of dimensions in any order. The small network that
 * stands in for a shape says the same. */
Test(dal, fewest_lanes)
{
    static const int extents[][3] = {{4}, {3, 4}, {5, 5}, {2, 3}, {3, 3, 3}, {2, 2}};
    static const int dims[] = {1, 2, 2, 2, 3, 2}, least[] = {2, 4, 4, 3, 6, 2};
    char text[600];

    for (int s = 0; s < 6; s++) {
        swq_shape shape = shape_of(dims[s], extents[s], 1, 1);
        for (int small = 0; small < 2; small++) {
            cr_expect_not(waits(&shape, SWQ_LANES_HOP, least[s], text, sizeof text), "%d %d", s,
                          small);
            cr_expect_not(waits(&shape, SWQ_LANES_PHASE, least[s], text, sizeof text), "%d %d", s,
                          small);
            cr_expect(waits(&shape, SWQ_LANES_HOP, least[s] - 1, text, sizeof text), "%d %d", s,
                      small);
            cr_expect(strstr(text, "lane "), "%s", text);
            cr_expect(waits(&shape, SWQ_LANES_ANY, 32, text, sizeof text), "%d %d", s, small);
            shape.kind->stand_in(&shape);
        }
    }
}

/* ---- runs ---- */

static swq_async_result run(swq_shape shape, double load, int lanes, uint32_t group_step)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group;
    swq_async_result r;

    n.shape = shape;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = lanes;
    n.architecture.lanes.flits = 32;
    n.packet.max = 1;
    n.link.rest = 0;
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load,
                                     (swq_spread){.kind = SWQ_CONSTANT, .first = 1});
    if (group_step) {
        group.type[0].aim = SWQ_AIM_GROUP;
        group.type[0].value = group_step;
    }
    n.traffic.group = &group;
    n.traffic.groups = 1;
    options.cycles = 2000;
    options.warmup = 500;
    cr_expect_not(swq_async_may_deadlock(&n));
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact && r.sim.stopped_by != SWQ_STOP_DEADLOCK);
    return r;
}

/* 4x4 routers with 4 nodes that send to the next router of their row: one link carries straight
 * what four nodes send, 1 / 4; no routing carries more than half of a node's link, as the two links
 * of a way by another router of the row, or as all in and out of a router. */
Test(dal, saturation_is_within_the_bounds)
{
    static const int extent[] = {4, 4};
    swq_shape shape = shape_of(2, extent, 4, 1);
    const double against = run(shape, 1, 8, 1).sim.all.throughput.mean;
    const double even = run(shape, 1, 8, 0).sim.all.throughput.mean;

    cr_expect(against > 0.25 && against <= 0.5, "%g", against);
    cr_expect(even > 0.25 && even <= 63.0 / 64 + 1e-3, "%g", even);
}

/* With a threshold that no queue reaches all links lead nearer: as many as the coordinates in which
 * two nodes differ. Ties between dimensions are drawn, so that both are first as often. */
Test(dal, straight_below_the_threshold)
{
    static const int extent[] = {4, 4};
    swq_shape shape = shape_of(2, extent, 4, 1);

    shape.ugal_threshold = 10000;
    const swq_async_result r = run(shape, 0.2, 4, 0);
    const double links = 2 * (3.0 / 4) * 64 / 63;

    cr_expect(fabs(r.sim.all.hops.mean - 1 - links) < 0.01, "%g, not %g", r.sim.all.hops.mean,
              1 + links);
}

Test(dal, what_it_does_not_know_is_refused)
{
    static const struct {
        swq_shape shape;
        const char *says;
    } refused[] = {
        {{.kind = &swq_fabric_dragonfly, .size = {2}, .routing = &swq_routing_dal},
         "routing dal is for topology hyperx, not for dragonfly"},
        {{.kind = &swq_fabric_hyperx,
          .dims = 1,
          .extent = {4},
          .size = {2},
          .routing = &swq_routing_dal,
          .ugal_queue = SWQ_QUEUE_PATH},
         "ugal-queue must be local or lane with routing dal, which knows no more of a way than its "
         "next link"},
        {{.kind = &swq_fabric_hyperx,
          .dims = 9,
          .extent = {2, 2, 2, 2, 2, 2, 2, 2, 2},
          .size = {2},
          .routing = &swq_routing_dal},
         "routing dal is for at most 8 dims, not 9"},
        {{.kind = &swq_fabric_hyperx,
          .dims = 1,
          .extent = {4},
          .size = {2, 1, 1},
          .routing = &swq_routing_dal},
         "via is for routings valiant and ugal, not for dal"},
        {{.kind = &swq_fabric_hyperx, .dims = 1, .extent = {4}, .size = {2}, .detour_factor = 2},
         "detour-factor is for routings ugal, par and dal, not for deterministic"},
        {{.kind = &swq_fabric_slimfly,
          .size = {5},
          .routing = &swq_routing_ugal,
          .ugal_queue = SWQ_QUEUE_PATH,
          .straight_factor = 1},
         "straight-factor is for products with a queue, not for ugal-queue path, which has none"},
        {{.kind = &swq_fabric_slimfly,
          .size = {5},
          .routing = &swq_routing_ugal,
          .straight_factor = 101},
         "straight-factor must be 0 to 100, not 101"},
    };

    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        swq_fabric f;
        cr_expect_eq(swq_fabric_count(ctx, &refused[k].shape, &f), SWQ_EINVAL, "%zu", k);
        cr_expect_str_eq(swq_context_message(ctx), refused[k].says);
    }
}
