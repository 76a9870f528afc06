/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/ref_lanes.c by itself: cycles worked out by hand from docs/wormhole.md.
 */
#include "tests/ref/ref_lanes.h"
#include "tests/support/support.h"

TestSuite(ref_lanes, .timeout = 60);

/* Stages 0,1,1,1, links of a cycle, two lanes of four flits. */
static ref_lanes lanes_of(const ref_plan *plan, const ref_message *packet, int packets)
{
    return (ref_lanes){.wiring = plan->wiring,
                       .lanes = 2,
                       .at_once = 1,
                       .room = 4,
                       .given = 1,
                       .granted = 1,
                       .crossed = 1,
                       .link = 1,
                       .packet = packet,
                       .packets = packets,
                       .cycles = 100000};
}

static void expect_last(const ref_lanes *n, const long *last)
{
    ref_lanes_outcome o;

    ref_lanes_run(n, &o);
    cr_expect_eq(o.broken, 0);
    cr_expect_eq(o.inside, 0);
    for (int i = 0; i < n->packets; i++)
        cr_expect_eq(o.last[i], last[i], "packet %d: %ld, not %ld", i, o.last[i], last[i]);
    ref_lanes_clear(&o);
}

/* H switches take H (R + V + S + X + L), and the other flits follow. */
Test(ref_lanes, a_packet_alone)
{
    const int extent[] = {3, 3};
    ref_plan *mesh = ref_mesh(2, extent);

    for (int flits = 1; flits <= 9; flits += 4)
        for (int link = 1; link <= 3; link++) {
            const ref_message packet = {10, 0, 8, flits};
            ref_lanes n = lanes_of(mesh, &packet, 1);
            const int stages = 2 + 3 + 1 + 4;

            n.routed = 2;
            n.given = 3;
            n.crossed = 4;
            n.link = link;
            n.room = 20;
            expect_last(&n, (const long[]){10 + 5 * (stages + link) + flits - 1});
        }
    ref_plan_free(mesh);
}

/* Through a lane with room for r flits, r pass per round trip: over the link and at once to the
 * crossbar, and the credit back. */
Test(ref_lanes, credits_come_back)
{
    ref_plan *plan = ref_omega(2, 1);

    for (int room = 1; room <= 4; room++)
        for (int credit = 0; credit < 3; credit++) {
            const ref_message packet = {0, 0, 0, 12};
            ref_lanes n = lanes_of(plan, &packet, 1);
            const int trip = 2 * 2 + credit; /* there and back */
            /* the header waits a cycle for its lane, and delays the flits behind it */
            long sent[12], crossed[12];

            n.room = room;
            n.link = 2;
            n.credit = credit;
            for (int i = 0; i < 12; i++) {
                sent[i] = i == 0 ? 0 : sent[i - 1] + 1;
                if (i >= room && sent[i] < crossed[i - room] + trip - 2)
                    sent[i] = crossed[i - room] + trip - 2;
                crossed[i] = sent[i] + 2 + (i == 0);
                if (i > 0 && crossed[i] <= crossed[i - 1])
                    crossed[i] = crossed[i - 1] + 1;
            }
            expect_last(&n, (const long[]){crossed[11] + 2});
        }
    ref_plan_free(plan);
}

/* Two packets for one output: flit by flit over two lanes, one after the other over one. The header
 * of the second comes to the switch with that of the first. */
Test(ref_lanes, lanes_share_the_link)
{
    ref_plan *plan = ref_omega(2, 1);
    const ref_message packet[] = {{0, 0, 1, 3}, {0, 1, 1, 3}};
    ref_lanes n = lanes_of(plan, packet, 2);

    /* in the switch in 1; the crossbar from 2 on: by turns 2, 4, 6 and 3, 5, 7 */
    expect_last(&n, (const long[]){8, 9});
    n.lanes = 1;
    /* in cycle 1 input 0, (1 + 1) modulo 2, is first: 2, 3, 4; the lane is given again in 5, the
     * crossbar from 6 on */
    expect_last(&n, (const long[]){6, 10});
    n.given = 0;
    expect_last(&n, (const long[]){5, 8});
    ref_plan_free(plan);
}

/* A second packet behind the first in the lane of its source: it goes in the cycle after the last
 * flit of the first, or when that has left the switch's buffer and its credit is back. */
Test(ref_lanes, a_lane_is_used_again)
{
    ref_plan *plan = ref_omega(2, 1);
    const ref_message packet[] = {{0, 0, 1, 3}, {0, 0, 0, 1}};
    ref_lanes n = lanes_of(plan, packet, 2);

    n.lanes = 1;
    /* the first leaves the buffer in 2, 3, 4; the second is in front from 5 on, and asks for the
     * crossbar in 6 */
    expect_last(&n, (const long[]){6, 8});
    n.empty = 1;
    /* its credits are back in 3, 4 and 5; the second is in the switch in 6 */
    expect_last(&n, (const long[]){6, 9});
    ref_plan_free(plan);
}

/* A ring of four, one way, whose packets each hold a link and wait for the next one. */
Test(ref_lanes, a_deadlock)
{
    const int extent[] = {4};
    ref_plan *ring = ref_torus(1, extent, 1);
    const ref_message packet[] = {{0, 0, 3, 9}, {0, 1, 0, 9}, {0, 2, 1, 9}, {0, 3, 2, 9}};
    ref_lanes n = lanes_of(ring, packet, 4);
    ref_lanes_outcome o;

    n.lanes = 1;
    n.room = 2;
    n.grid = ring;
    ref_lanes_run(&n, &o);
    cr_expect_eq(o.delivered, 0);
    cr_expect_eq(o.broken, 0);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(o.held[2 * i], 2, "input %d: %d", 2 * i, o.held[2 * i]);
    ref_lanes_clear(&o);
    n.lanes = 2;
    n.choice = REF_LANE_DATELINE;
    ref_lanes_run(&n, &o);
    cr_expect_eq(o.delivered, 4);
    ref_lanes_clear(&o);
    /* three of the ways lead over the end, and are longer than half the ring */
    n.choice = REF_LANE_CROSSING;
    ref_lanes_run(&n, &o);
    cr_expect_eq(o.delivered, 1);
    ref_lanes_clear(&o);
    ref_plan_free(ring);
}
