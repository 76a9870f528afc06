/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/switches/saqs: ways and paths as words, CAM lines, slots, notices, each against what it is
 * written out turn by turn.
 */
#include "sim/switches/saqs/cam.h"
#include "sim/switches/saqs/counts.h"
#include "sim/switches/saqs/news.h"
#include "sim/switches/saqs/routes.h"
#include "sim/switches/saqs/slots.h"
#include "tests/sim/async_cases.h"
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

TestSuite(saqs, .init = setup, .fini = teardown, .timeout = 60);

static swq_path path_of(const int *turn, int turns, int bits)
{
    swq_path p = {0, 0};

    for (int k = turns - 1; k >= 0; k--)
        p = swq_path_behind(&p, (uint32_t)turn[k], bits);
    return p;
}

Test(saqs, paths_are_beginnings_of_ways)
{
    const int way[5] = {6, 0, 3, 7, 1}, other[5] = {6, 0, 3, 5, 1};
    const uint64_t word = path_of(way, 5, 3).turns;
    const swq_path none = {0, 0}, one = swq_path_of_turn(6, 3);

    cr_expect(swq_path_matches(&none, word));
    for (int k = 1; k <= 5; k++) {
        const swq_path p = path_of(way, k, 3), q = path_of(other, k, 3);
        cr_expect(swq_path_matches(&p, word));
        cr_expect_eq(swq_path_matches(&q, word), k <= 3);
        cr_expect_eq(swq_path_turns(&p, 3), k);
        cr_expect_eq(swq_path_same(&p, &one), k == 1);
        for (int j = 0; j <= 5; j++) {
            const swq_path longer = path_of(way, j, 3);
            cr_expect_eq(swq_path_begins(&p, &longer), k <= j);
        }
        cr_expect(swq_path_matches(&(swq_path){p.turns >> 3, p.mask >> 3}, swq_route_on(word, 3)));
    }
    cr_expect_eq(swq_route_turn(word, 3), 6);
    cr_expect_eq(swq_route_turn(swq_route_on(word, 3), 3), 0);
}

Test(saqs, lines_match_shortest_and_longest)
{
    const int way[4] = {2, 1, 0, 3};
    swq_path line[4];
    uint32_t valid = 0;
    const uint64_t word = path_of(way, 4, 2).turns;
    const swq_path wrong = swq_path_of_turn(3, 2);

    for (int k = 3; k >= 1; k--) { /* the longest path in the lowest line */
        const swq_path p = path_of(way, k, 2);
        cr_assert_eq(swq_cam_take(line, &valid, 4, &p), 3 - k);
        cr_assert_eq(swq_cam_find(line, valid, &p), 3 - k);
    }
    cr_assert_eq(swq_cam_take(line, &valid, 4, &wrong), 3);
    cr_assert_eq(swq_cam_take(line, &valid, 4, &wrong), SWQ_NO_LINE);
    cr_expect_eq(swq_cam_matches(line, valid, word), 7);
    cr_expect_eq(swq_cam_shortest(line, valid, word, 0), 2);
    cr_expect_eq(swq_cam_shortest(line, valid, word, line[2].mask), 1);
    cr_expect_eq(swq_cam_shortest(line, valid, word, line[0].mask), SWQ_NO_LINE);
    cr_expect_eq(swq_cam_longest(line, valid, word), 0);
    valid &= ~1u;
    cr_expect_eq(swq_cam_longest(line, valid, word), 1);
    cr_expect_eq(swq_cam_take(line, &valid, 4, &wrong), 0, "the lowest free line");
    valid = 0;
    cr_assert_eq(swq_cam_take(line, &valid, SWQ_MAX_SAQS, &wrong), 0);
    cr_assert_eq(swq_cam_take(line, &valid, 0, &wrong), SWQ_NO_LINE);
}

Test(saqs, slots_make_queues)
{
    swq_slot slot[4];
    swq_slot_list list;
    swq_slot_queue a = {0}, b = {0};

    swq_slots_empty(slot, 4, &list);
    for (uint32_t k = 0; k < 4; k++) {
        const uint16_t s = swq_slot_take(slot, &list);
        slot[s].packet = k;
        swq_slot_append(slot, k % 2 ? &b : &a, s);
    }
    cr_expect_eq(list.free, SWQ_NO_SLOT_NEXT);
    uint16_t s = swq_slot_leaves(slot, &a);
    cr_expect_eq(slot[s].packet, 0);
    swq_slot_append(slot, &b, s);
    const uint32_t wanted[] = {1, 3, 0};
    for (int k = 0; k < 3; k++) {
        s = swq_slot_leaves(slot, &b);
        cr_expect_eq(slot[s].packet, wanted[k]);
        swq_slot_give(slot, &list, s);
    }
    cr_expect_eq(b.packets, 0);
    cr_expect_eq(a.packets, 1);
    cr_expect_eq(list.taken, 1);
    cr_expect_eq(list.most, 4);
    cr_expect_eq(swq_slot_take(slot, &list), s, "the slot that was given last is taken first");
}

Test(saqs, news_arrives_in_order_when_due)
{
    swq_news news = {0};
    swq_arrays list = {0};
    swq_news_item item;

    swq_news_lay_out(&news, 6, 5);
    swq_news_list(&news, &list);
    cr_assert_eq(swq_arrays_take(ctx, &list), SWQ_OK);
    swq_news_begin(&news);
    for (uint32_t now = 0; now < 100; now++) {
        uint32_t due = 0;
        while (swq_news_take(&news, now, &item)) {
            cr_assert_eq(item.word, 2 * now + due);
            due++;
        }
        cr_assert_eq(due, now == 3 ? 1 : now > 3 ? 2 : 0);
        if (now > 0)
            swq_news_send(&news, now, 3,
                          (swq_news_item){.word = (uint16_t)(2 * (now + 3)), .port = now});
        swq_news_send(&news, now, now > 0 ? 3 : 3,
                      (swq_news_item){.word = (uint16_t)(2 * (now + 3) + (now > 0))});
    }
    cr_expect_eq(news.flying, 6);
    swq_arrays_free(ctx, &list);
}

Test(saqs, uses_are_summed_up)
{
    swq_saq_counts c = {.ports = 2};
    swq_arrays list = {0};

    swq_saq_counts_list(&c, &list);
    cr_assert_eq(swq_arrays_take(ctx, &list), SWQ_OK);
    swq_saq_taken(&c, 1, 10);
    swq_saq_counts_begin(&c, 20);
    swq_saq_taken(&c, 1, 25);
    swq_saq_taken(&c, 0, 25);
    swq_saq_given(&c, 1, 27);
    swq_saq_counted(&c.port[0], 30);
    swq_saq_counted(&c.port[1], 30);
    cr_expect_eq(c.port[1].area, 5 + 2 * 2 + 3);
    cr_expect_eq(c.port[0].area, 5);
    cr_expect_eq(c.port[1].most, 2);
    cr_expect_eq(c.most, 3);
    cr_expect_eq(c.in_use, 2);
    cr_expect_eq(c.allocated, 3);
    swq_arrays_free(ctx, &list);
}

/* ---- routes ---- */

static swq_fabric laid_out(const char *name, swq_shape shape)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_find(ctx, name, &shape), SWQ_OK);
    cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* Every word leads from its sender to its receiver, and the longest one has the stated length. */
static void ways_lead(const char *name, swq_shape shape)
{
    swq_fabric f = laid_out(name, shape);
    const int bits = swq_turn_bits(&f);
    int most = 0;

    for (uint32_t from = 0; from < f.nodes; from++) {
        for (uint32_t to = 0; to < f.nodes; to++) {
            if (from == to && f.shape.kind->point_to_point)
                continue;
            uint64_t way = swq_route_of(&f, from, to);
            uint32_t at = f.entry[from];
            int turns = 0;
            for (; !(at & SWQ_TO_NODE); way = swq_route_on(way, bits), turns++)
                at = f.link[at / (uint32_t)f.ports * (uint32_t)f.ports + swq_route_turn(way, bits)];
            cr_assert_eq(at, SWQ_TO_NODE | to);
            cr_assert_eq(way, 0);
            most = turns > most ? turns : most;
        }
    }
    const int longest = f.shape.kind->longest(&f);
    cr_expect_eq(longest, most, "%s: %d, not %d", name, longest, most);
    swq_fabric_clear(ctx, &f);
}

Test(saqs, ways_lead_to_their_nodes)
{
    ways_lead("tree", (swq_shape){.levels = 3, .arity = {4, 4, 4}});
    ways_lead("tree", (swq_shape){.levels = 3, .arity = {4, 2, 3}, .up_ports = 2});
    ways_lead("fat-tree", (swq_shape){.levels = 3, .ports = 4});
    ways_lead("omega", (swq_shape){.ports = 4, .stages = 3});
    ways_lead("mesh", (swq_shape){.dims = 2, .extent = {4, 5}});
    ways_lead("mesh", (swq_shape){.dims = 3, .extent = {2, 3, 3}});
    ways_lead("torus", (swq_shape){.dims = 2, .extent = {4, 5}});
    ways_lead("hypercube", (swq_shape){.dims = 5});
}

Test(saqs, turnpools_are_refused_by_number)
{
    const swq_shape big = {.levels = 6, .arity = {4, 4, 4, 4, 4, 2}};
    swq_shape shape = big;
    swq_fabric f;

    cr_assert_eq(swq_fabric_find(ctx, "tree", &shape), SWQ_OK);
    cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK);
    cr_expect_eq(swq_routes_check(ctx, "recn-iq", &f, 33), SWQ_OK);
    cr_expect_eq(swq_routes_check(ctx, "recn-iq", &f, 31), SWQ_EINVAL);
    cr_expect_not_null(strstr(swq_context_message(ctx), "turnpool-bits must be at least 33"));
    cr_expect_eq(swq_routes_check(ctx, "recn-iq", &f, 64), SWQ_EINVAL);
    f.shape.kind = &swq_fabric_torus;
    cr_expect_eq(swq_routes_check(ctx, "recn-iq", &f, 33), SWQ_EINVAL);
    /* 33 turns of 3 bits, which no turnpool holds */
    shape = case_grid(&swq_fabric_mesh, 2, (const int[]){17, 17}, false);
    cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK);
    cr_expect_eq(swq_routes_check(ctx, "fbicm", &f, 63), SWQ_EINVAL);
    cr_expect_not_null(strstr(swq_context_message(ctx), "at most 63 bits, and those of this mesh"));
    cr_expect_not_null(strstr(swq_context_message(ctx), "up to 33 turns of 3 bits"));
}
