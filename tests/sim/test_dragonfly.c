/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dragonfly: its counts, its links against the definition of each arrangement, loads of links
 * against closed forms, lanes for the phases of a way and the circles without them, what UGAL
 * decides, and saturation under uniform and adversarial traffic against bounds.
 */
#include "sim/dependencies/waits.h"
#include "sim/switches/wormhole/worms.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
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

TestSuite(dragonfly, .init = setup, .fini = teardown, .timeout = 240);

enum { CONSECUTIVE, PALMTREE };

enum { BY_GROUP, BY_ROUTER };

static swq_shape shape_of(int p, int a, int h, int arrangement)
{
    return (swq_shape){.kind = &swq_fabric_dragonfly, .size = {p, a, h, arrangement}};
}

static swq_fabric made(const swq_shape *shape)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* ---- links ---- */

Test(dragonfly, counts_are_those_of_the_definition)
{
    static const struct {
        int p, a, h;
        uint32_t nodes, routers;
        int ports;
    } row[] = {{2, 0, 0, 72, 36, 7},
               {4, 0, 0, 1056, 264, 15},
               {8, 0, 0, 16512, 2064, 31},
               {1, 2, 1, 6, 6, 3},
               {3, 5, 2, 165, 55, 9}};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const swq_shape shape = shape_of(row[k].p, row[k].a, row[k].h, CONSECUTIVE);
        swq_fabric f;
        cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK);
        cr_expect(f.nodes == row[k].nodes && f.switches == row[k].routers &&
                      f.ports == row[k].ports,
                  "%d: %u nodes, %u routers, %d ports", row[k].p, f.nodes, f.switches, f.ports);
    }
    swq_fabric f;
    const swq_shape large = shape_of(86, 86, 86, CONSECUTIVE),
                    none = shape_of(0, 2, 1, CONSECUTIVE);
    cr_expect_eq(swq_fabric_count(ctx, &large, &f), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx),
                     "at most 256 ports, hosts + routers - 1 + globals, not 257"));
    cr_expect_eq(swq_fabric_count(ctx, &none, &f), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "hosts of topology dragonfly must be 1 to 254"));
}

/* Global link j of router r, number k = r h + j of its group i, leads to group k, or k + 1 from i
 * on (consecutive), or to i - k - 1 (palmtree); one link joins each pair of groups. */
Test(dragonfly, global_links_are_arranged_as_defined)
{
    for (int arrangement = 0; arrangement < 2; arrangement++) {
        const int a = 3, h = 2, groups = a * h + 1;
        const swq_shape shape = shape_of(2, a, h, arrangement);
        swq_fabric f = made(&shape);
        int joined[7][7] = {{0}};
        for (int i = 0; i < groups; i++) {
            for (int k = 0; k < a * h; k++) {
                const int router = i * a + k / h, port = 2 + a - 1 + k % h;
                const uint32_t out = (uint32_t)(router * f.ports + port);
                const int leads = (int)(f.link[out] / (uint32_t)f.ports) / a;
                cr_expect_eq(leads, arrangement ? (i - k - 1 + groups) % groups : k + (k >= i),
                             "arrangement %d, group %d, link %d: to %d", arrangement, i, k, leads);
                cr_expect_eq(f.link[f.link[out]], out, "the link back");
                joined[i][leads]++;
            }
        }
        for (int i = 0; i < groups; i++) {
            for (int j = 0; j < groups; j++)
                cr_expect_eq(joined[i][j], i != j);
        }
        swq_fabric_clear(ctx, &f);
    }
}

/* Uniform traffic over N - 1 others: each global link carries the (a p)^2 pairs of its two groups,
 * so (a p)^2 / (N - 1) a node and cycle; adversarial traffic, all nodes of a group to those of the
 * next, a p, of which no node can send more than 1 / (a p). */
Test(dragonfly, loads_of_global_links)
{
    for (int arrangement = 0; arrangement < 2; arrangement++) {
        const swq_shape shape = shape_of(2, 4, 2, arrangement);
        swq_fabric f = made(&shape);
        swq_fabric_loads loads;
        double *weight = calloc(72 * 72, sizeof *weight);
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
        cr_expect_float_eq(loads.level_load[1], 64.0 / 71, 1e-12);
        cr_expect_float_eq(loads.level_most[1], 64.0 / 71, 1e-12);
        for (int from = 0; from < 72; from++) {
            for (int k = 0; k < 8; k++)
                weight[from * 72 + (from / 8 + 1) % 9 * 8 + k] = 1.0 / 8;
        }
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, weight, &loads), SWQ_OK);
        cr_expect_float_eq(loads.most, 8, 1e-12);
        free(weight);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- waits ---- */

static bool waits_in_a_circle(const swq_shape *shape, swq_lanes_for choice, int lanes)
{
    swq_fabric f = made(shape);
    const bool by_another = shape->routing && shape->routing->by_another;
    const swq_worm_plan plan = {
        .fabric = &f, .lanes = lanes, .choice = choice, .by_another = by_another};
    bool circle;

    cr_assert_eq(swq_worms_dependencies(ctx, &plan, &circle), SWQ_OK);
    swq_fabric_clear(ctx, &f);
    return circle;
}

/* With lanes for each phase no packets wait in a circle, straight or by way of another group; with
 * any lanes they do, and so they do with a half of the lanes for each part of a way by another
 * group. The network that stands in for each of them says the same. */
Test(dragonfly, lanes_for_phases_have_no_circle)
{
    static const struct {
        swq_lanes_for choice;
        const swq_routing *routing;
        int lanes;
        bool circle;
    } row[] = {
        {SWQ_LANES_PHASE, NULL, 2, false},
        {SWQ_LANES_PHASE, &swq_routing_valiant, 3, false},
        {SWQ_LANES_PHASE, &swq_routing_ugal, 5, false},
        {SWQ_LANES_ANY, NULL, 4, true},
        {SWQ_LANES_ANY, &swq_routing_valiant, 4, true},
    };
    static const int sizes[][3] = {{1, 2, 1}, {1, 3, 1}, {2, 2, 2},
                                   {1, 3, 2}, {1, 4, 2}, {1, 2, 3}};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        for (size_t s = 0; s < 2 * (sizeof sizes / sizeof *sizes); s++) {
            const int *size = sizes[s / 2];
            swq_shape shape = shape_of(size[0], size[1], size[2], s % 2);
            shape.routing = row[k].routing;
            swq_shape small = shape;
            shape.kind->stand_in(&small);
            cr_expect_eq(waits_in_a_circle(&shape, row[k].choice, row[k].lanes), row[k].circle,
                         "row %zu, sizes %zu", k, s);
            cr_expect_eq(waits_in_a_circle(&small, row[k].choice, row[k].lanes), row[k].circle,
                         "row %zu, stand-in for sizes %zu", k, s);
        }
    }
}

/* A lane for each link that a packet has taken, at most the last: the fewest lanes without a circle
 * are one less than the links of the longest way, as what goes from the last link but one to the
 * last goes from a global link to a local one. So by way of a group 4 lanes and with progressive
 * routing 5, and by way of a router 5 and 6. Lanes for phases need no more than the phases. */
Test(dragonfly, fewest_lanes_by_links_taken)
{
    static const struct {
        const swq_routing *routing;
        int via, hop, phase;
    } row[] = {
        {&swq_routing_valiant, BY_GROUP, 4, 3},
        {&swq_routing_par, BY_GROUP, 5, 4},
        {&swq_routing_valiant, BY_ROUTER, 5, 4},
        {&swq_routing_par, BY_ROUTER, 6, 5},
    };
    static const int sizes[][3] = {{1, 4, 2}, {1, 3, 2}, {2, 4, 1}};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            swq_shape shape = shape_of(sizes[s][0], sizes[s][1], sizes[s][2], CONSECUTIVE);
            shape.size[4] = row[k].via;
            shape.routing = row[k].routing;
            for (int small = 0; small < 2; small++) {
                cr_expect(waits_in_a_circle(&shape, SWQ_LANES_HOP, row[k].hop - 1), "%zu %zu %d", k,
                          s, small);
                cr_expect_not(waits_in_a_circle(&shape, SWQ_LANES_HOP, row[k].hop), "%zu %zu %d", k,
                              s, small);
                cr_expect_not(waits_in_a_circle(&shape, SWQ_LANES_PHASE, row[k].phase),
                              "%zu %zu %d", k, s, small);
                shape.kind->stand_in(&shape);
            }
        }
    }
}

/* ---- UGAL ---- */

static uint32_t taken_behind[7 * 36];

static uint32_t look_up(const void *engine, uint32_t output, int lane)
{
    (void)engine;
    cr_assert_lt(lane, 0);
    return taken_behind[output];
}

/* From router 0 of group 0, which has global links to groups 1 and 2, to router 1 of group 1: 2
 * links straight, 3 by way of group 2. */
Test(dragonfly, ugal_compares_products_of_links_and_queues)
{
    swq_shape shape = shape_of(2, 4, 2, CONSECUTIVE);
    shape.routing = &swq_routing_ugal;
    swq_fabric f = made(&shape);
    const swq_switch_view view = {NULL, look_up, NULL};
    /* router 0 of group 0 has links 0 and 1, to groups 1 and 2, which come to their routers 0 */
    const uint32_t straight = 5, other = 6;
    const swq_packet_state p = {.from = 0, .to = 2 * 8, .then = 8 + 2};

    cr_assert_eq(f.link[straight] / 7, 4);
    cr_assert_eq(f.link[other] / 7, 8);
    /* group 2 comes in at its router 0, which also has the link on to group 1 */
    for (uint32_t q = 0; q < 40; q++) {
        taken_behind[straight] = q;
        taken_behind[other] = 10;
        cr_expect_eq(swq_routing_ugal.detours(&f, 0, &p, &view), 2 * q > 3 * 10, "%u", q);
    }
    swq_fabric_clear(ctx, &f);
}

static uint32_t in_one_lane(const void *engine, uint32_t output, int lane)
{
    (void)engine;
    return lane == 2 ? 100 : lane < 0 ? taken_behind[output] : 1;
}

static uint32_t last_lanes(const void *engine, uint32_t port, const swq_packet_state *p)
{
    (void)engine, (void)port;
    return p->then == SWQ_NO_WHERE ? 4 : 8; /* lane 2 straight, lane 3 by another group */
}

/* From router 1 of group 0 to group 1: over router 0 and its global link, 0; or by group 3, whose
 * global link, 2, is at router 1. What the queue is decides between the two ways. */
Test(dragonfly, ugal_takes_the_queue_of_its_word)
{
    enum { LINKS = 2, OTHER_LINKS = 3 };
    swq_shape shape = shape_of(2, 4, 2, CONSECUTIVE);
    shape.routing = &swq_routing_ugal;
    const swq_switch_view view = {NULL, in_one_lane, last_lanes};
    const swq_packet_state p = {.from = 2, .to = 3 * 8, .then = 8 + 2 * 0};

    for (int word = SWQ_QUEUE_LOCAL; word <= SWQ_QUEUE_PATH; word++) {
        shape.ugal_queue = (swq_way_queue)word;
        swq_fabric f = made(&shape);
        const uint32_t local = 7 + 2, global = 5, other = 7 + 5;
        cr_assert_eq(f.link[local] / 7, 0);
        cr_assert_eq(f.link[global] / 7, 4);
        cr_assert_eq(f.link[other] / 7, 12);
        for (uint32_t q = 0; q < 40; q++) {
            memset(taken_behind, 0, sizeof taken_behind);
            taken_behind[local] = q;
            taken_behind[global] = 3;
            taken_behind[other] = 6;
            bool leaves = LINKS * q > OTHER_LINKS * 6;
            if (word == SWQ_QUEUE_LANE)
                leaves = LINKS * 100 > OTHER_LINKS * 1;
            if (word == SWQ_QUEUE_GLOBAL)
                leaves = LINKS * 3 > OTHER_LINKS * 6;
            if (word == SWQ_QUEUE_PATH)
                leaves = q + 3 > 6;
            cr_expect_eq(swq_routing_ugal.detours(&f, 7, &p, &view), leaves, "%d: %u", word, q);
        }
        swq_fabric_clear(ctx, &f);
    }
}

/* Both ways from router 1 of group 0 by router 0, to group 1 and by group 2: hybrid looks at the
 * lanes, of which the straight way's is fuller. */
Test(dragonfly, hybrid_queues_are_of_lanes_where_the_link_is_the_same)
{
    swq_shape shape = shape_of(2, 4, 2, CONSECUTIVE);
    const swq_switch_view view = {NULL, in_one_lane, last_lanes};
    const swq_packet_state p = {.from = 2, .to = 2 * 8, .then = 8};

    shape.routing = &swq_routing_ugal;
    memset(taken_behind, 0, sizeof taken_behind);
    for (int word = SWQ_QUEUE_LOCAL; word <= SWQ_QUEUE_HYBRID; word++) {
        shape.ugal_queue = (swq_way_queue)word;
        swq_fabric f = made(&shape);
        cr_expect_eq(swq_routing_ugal.detours(&f, 7, &p, &view), word != SWQ_QUEUE_LOCAL, "%d",
                     word);
        swq_fabric_clear(ctx, &f);
    }
}

/* A packet may turn only in its sender's group, and words that a shape does not know are refused.
 */
Test(dragonfly, progressive_routing_turns_in_the_senders_group)
{
    swq_shape shape = shape_of(2, 4, 2, CONSECUTIVE);
    const swq_packet_state p = {.from = 9, .to = 40, .then = SWQ_NO_WHERE, .open = true};

    shape.routing = &swq_routing_par;
    swq_fabric f = made(&shape);
    for (uint32_t port = 0; port < 7 * 36; port++)
        cr_expect_eq(shape.kind->turns(&f, port, &p), port / 28 == 1, "%u", port);
    swq_fabric_clear(ctx, &f);

    static const struct {
        swq_shape shape;
        const char *says;
    } refused[] = {
        {{.kind = &swq_fabric_hyperx,
          .dims = 1,
          .extent = {4},
          .size = {2},
          .routing = &swq_routing_par},
         "routing par is for topology dragonfly, not for hyperx"},
        {{.kind = &swq_fabric_slimfly,
          .size = {5},
          .routing = &swq_routing_ugal,
          .ugal_queue = SWQ_QUEUE_GLOBAL},
         "ugal-queue global is for topologies with links between groups, dragonfly and megafly, "
         "not for slim-fly"},
        {{.kind = &swq_fabric_dragonfly, .size = {2}, .ugal_queue = SWQ_QUEUE_PATH},
         "ugal-queue is for routings ugal, par and dal, not for deterministic"},
        {{.kind = &swq_fabric_dragonfly, .size = {2, 0, 0, 0, BY_ROUTER}},
         "via is for routings valiant, ugal and par, not for deterministic"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        cr_expect_eq(swq_fabric_count(ctx, &refused[k].shape, &f), SWQ_EINVAL, "%zu", k);
        cr_expect_str_eq(swq_context_message(ctx), refused[k].says);
    }
}

/* ---- saturation ---- */

/* All nodes always send packets of one flit: uniformly, or each group to random nodes of the next
 * one. Flits a node and cycle. */
static double carried(const swq_routing *routing, bool adversarial)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group[9];
    swq_message_type type[9];
    swq_async_result r;

    n.shape = shape_of(2, 4, 2, CONSECUTIVE);
    n.shape.routing = routing;
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = 6;
    n.architecture.lanes.flits = 32;
    n.packet.max = 1;
    n.link.rest = 0;
    for (uint32_t g = 0; g < 9; g++) {
        group[g] = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 1, constantly(1));
        if (!adversarial)
            continue;
        type[g] = group[g].type[0];
        type[g].aim = SWQ_AIM_SUBSET;
        type[g].mask = group[g].mask = 0x78;
        group[g].value = 8 * g;
        type[g].value = 8 * ((g + 1) % 9);
        group[g].type[0] = type[g];
    }
    n.traffic.group = group;
    n.traffic.groups = adversarial ? 9 : 1;
    options.cycles = 2000;
    options.warmup = 1000;
    cr_expect_not(swq_async_may_deadlock(&n));
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.stopped_by != SWQ_STOP_DEADLOCK);
    return r.sim.all.throughput.mean;
}

/* One link between two groups carries all that 8 nodes send: straight within 5% of 1 / 8, and never
 * more. By way of other groups a packet takes two global links, of which there is one a node: at
 * most 1 / 2; with 1 / 8 straight and the rest by others, 9 / 16. Under uniform traffic UGAL
 * carries more than ways by others, and no more than straight ones. */
Test(dragonfly, saturation_is_within_the_bounds)
{
    const double straight = carried(NULL, true), others = carried(&swq_routing_valiant, true);
    const double ugal = carried(&swq_routing_ugal, true);
    const double even_straight = carried(NULL, false);
    const double even_others = carried(&swq_routing_valiant, false);
    const double even_ugal = carried(&swq_routing_ugal, false);
    const double par = carried(&swq_routing_par, true), even_par = carried(&swq_routing_par, false);

    cr_expect(straight > 0.95 / 8 && straight <= 1.0 / 8 + 1e-3, "%g", straight);
    cr_expect(others > 2 * straight && others <= 0.5, "%g", others);
    cr_expect(ugal > 2 * straight && ugal <= 9.0 / 16, "%g", ugal);
    /* of what goes straight, no more than 1 / 8 either; deciding again in the router with the full
     * global link, fewer packets wait for it */
    cr_expect(par > ugal && par <= 9.0 / 16, "%g %g", par, ugal);
    cr_expect(even_par > even_others && even_par < even_straight + 0.02, "%g %g", even_par,
              even_straight);
    cr_expect(even_straight <= 1 && even_straight > even_others, "%g %g", even_straight,
              even_others);
    cr_expect(even_ugal > even_others && even_ugal < even_straight + 0.02, "%g %g", even_ugal,
              even_straight);
}

/* ---- without lanes ---- */

/* Buffers that one queue can close: the answer says that the network may deadlock, and it does.
 * With a part for each output it may not, as a way takes its outputs in order, and does not. */
Test(dragonfly, buffers_without_parts_deadlock)
{
    static const struct {
        const char *buffer;
        int bytes;
        bool may;
    } row[] = {{"damq", 64, true}, {"fifo", 64, true}, {"samq", 448, false}};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        swq_async n = async_network(shape_of(2, 4, 2, CONSECUTIVE), row[k].buffer, row[k].bytes);
        swq_sim_options options = swq_sim_defaults();
        swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(32));
        swq_async_result r;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        options.cycles = 60000;
        options.warmup = 0;
        cr_expect_eq(swq_async_may_deadlock(&n), row[k].may, "%s", row[k].buffer);
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK);
        cr_expect_eq(r.sim.stopped_by == SWQ_STOP_DEADLOCK, row[k].may, "%s: %d, %g", row[k].buffer,
                     (int)r.sim.stopped_by, r.sim.all.throughput.mean);
    }
}
