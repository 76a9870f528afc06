/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/ref_atlas.c by itself: cycles worked out by hand from docs/atlas.md, and what that page
 * says follows from its rules.
 */
#include "tests/ref/ref_atlas.h"
#include "tests/support/support.h"

#include <math.h>

TestSuite(ref_atlas, .timeout = 60);

static ref_atlas atlas_of(const ref_plan *plan, const ref_message *cell, int cells)
{
    return (ref_atlas){.wiring = plan->wiring,
                       .bytes = 8,
                       .hop = 5,
                       .pool = 4,
                       .group = 1,
                       .lanes = 64,
                       .credit = 1,
                       .cell = cell,
                       .cells = cells,
                       .cycles = 100000};
}

static void expect_delivered(const ref_atlas *n, const long *delivered)
{
    ref_atlas_outcome o;

    ref_atlas_run(n, &o);
    cr_expect_eq(o.broken, 0, "%d", o.broken);
    for (int c = 0; c < n->cells; c++)
        cr_expect_eq(o.delivered[c], delivered[c], "cell %d: %ld, not %ld", c, o.delivered[c],
                     delivered[c]);
    ref_atlas_clear(&o);
}

Test(ref_atlas, a_cell_alone)
{
    const int extent[] = {3, 3};
    ref_plan *mesh = ref_mesh(2, extent);
    const ref_message cell = {7, 0, 8, 8};
    ref_atlas n = atlas_of(mesh, &cell, 1);

    for (n.hop = 1; n.hop < 20; n.hop += 6)
        expect_delivered(&n, (const long[]){7 + 5 * n.hop});
    ref_plan_free(mesh);
}

/* Cells of 8 cycles come to a switch in cycle 5: one for node 1, one for nodes 0 and 1, one for
 * nodes 2 and 3. The second is first in the multicast queue; its copy for node 1 waits for the
 * first cell, until cycle 13. The third is first from cycle 14 on. */
Test(ref_atlas, a_multicast_queue)
{
    ref_plan *plan = ref_omega(4, 1);
    const ref_message cell[] = {{0, 0, 1, 8}, {0, 1, 4, 8}, {0, 2, 5, 8}};
    const ref_node_set set[] = {0x3, 0xc};
    ref_atlas n = atlas_of(plan, cell, 3);

    n.sets = 2;
    n.set = set;
    expect_delivered(&n, (const long[]){5, 13, 14});
    n.copy_at_once = 1;
    expect_delivered(&n, (const long[]){5, 13, 5});
    ref_plan_free(plan);
}

/* min(1, min(b, B) (L + R) / (H + D)) of a link. */
Test(ref_atlas, a_round_trip)
{
    ref_plan *plan = ref_omega(2, 2);
    ref_message cell[60];

    for (int c = 0; c < 60; c++)
        cell[c] = (ref_message){0, 0, 0, 8};
    for (int group = 1; group <= 3; group++)
        for (int pool = 1; pool <= 3; pool++)
            for (int credit = 1; credit <= 21; credit += 10) {
                ref_atlas n = atlas_of(plan, cell, 60);
                const int least = group < pool ? group : pool;
                ref_atlas_outcome o;

                n.group = group;
                n.pool = pool;
                n.credit = credit;
                ref_atlas_run(&n, &o);
                const double is = 50.0 * 8 / (double)(o.delivered[59] - o.delivered[9]);
                const double should = fmin(1, least * 8.0 / (n.hop + credit));
                cr_expect(fabs(is / should - 1) < 0.05, "%d, %d, %d: %g, not %g", group, pool,
                          credit, is, should);
                cr_expect_eq(o.broken, 0);
                ref_atlas_clear(&o);
            }
    ref_plan_free(plan);
}

/* Cells of one node for outputs 0, 0 and 1. The second waits for the credit of the first; the third
 * is behind it at the node, where no cell overtakes another. */
Test(ref_atlas, one_credit_a_group)
{
    ref_plan *plan = ref_omega(2, 1);
    const ref_message cell[] = {{0, 0, 0, 8}, {0, 0, 0, 8}, {0, 0, 1, 8}};
    ref_atlas n = atlas_of(plan, cell, 3);

    n.credit = 10; /* of the first: 5 + 10 */
    expect_delivered(&n, (const long[]){5, 20, 28});
    n.group = 2;
    expect_delivered(&n, (const long[]){5, 13, 21});
    ref_plan_free(plan);
}

/* Node 0's cells for nodes 0 and 1 leave the first switch by one output. With one lane each the
 * second waits for the credits of the first, at its node and in that switch. */
Test(ref_atlas, one_lane_a_link)
{
    ref_plan *plan = ref_omega(2, 2);
    const ref_message cell[] = {{0, 0, 0, 8}, {0, 0, 1, 8}};
    ref_atlas n = atlas_of(plan, cell, 2);

    n.credit = 20;
    expect_delivered(&n, (const long[]){10, 18});
    /* the first leaves the first switch in 5, whose credit is at the node in 25; the second is
     * there in 30, as is the credit of the next link */
    n.lanes = 1;
    expect_delivered(&n, (const long[]){10, 35});
    n.hop = 9; /* 29, 38, and the credit of the cell that left in 18 is back in 38 */
    expect_delivered(&n, (const long[]){18, 47});
    ref_plan_free(plan);
}

/* Cells of nodes 0 and 1, all for node 0. The link to it takes one in cycles 5, 13, 21 and 29; the
 * second cells of the nodes are ready in 13 (node 1) and 14 (node 0), which is of priority 0. */
Test(ref_atlas, the_first_priority_goes_first)
{
    static const int alike[] = {0, 0}, later[] = {0, 1};
    ref_plan *plan = ref_omega(2, 1);
    const ref_message cell[] = {{0, 1, 0, 8}, {1, 0, 0, 8}, {1, 1, 0, 8}, {2, 0, 0, 8}};
    ref_atlas n = atlas_of(plan, cell, 4);

    n.group = 4;
    n.priority = alike;
    expect_delivered(&n, (const long[]){5, 13, 21, 29});
    n.priorities = 2;
    n.priority = later;
    expect_delivered(&n, (const long[]){5, 13, 29, 21});
    ref_plan_free(plan);
}
