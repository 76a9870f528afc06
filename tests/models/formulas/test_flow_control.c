/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What flow controls cost: the numbers of Frazier (1995), 8.6 and 7, and others by hand.
 */
#include "tests/models/formulas/rows.h"
#include "tests/support/support.h"

TestSuite(formula_flow_control, .timeout = 120);

#define COST "flow-control-cost"

/* ports nodes bytes block shortest wires path-hops y-max sigma */
Test(formula_flow_control, the_printed_switch)
{
    cr_expect_eq(row_value(COST, "4", "wires_blocking"), 9);
    cr_expect_eq(row_value(COST, "4", "wires_queues"), 12);
    assert_relative(row_value(COST, "4", "wires_overhead"), 1.0 / 3, 1e-15, "a third more");
    /* the chip's buffer of 96 bytes has twelve header registers */
    cr_expect_eq(row_value(COST, "4 256 96 8 8", "headers"), 12);
    cr_expect_eq(row_value(COST, "4 256 96 8 8", "cam_bits_destination"), 96);
}

Test(formula_flow_control, by_hand)
{
    /* 0 to 16 blocks are 17 values; four queues and the free list */
    cr_expect_eq(row_value(COST, "4 256 128 8", "counter_bits"), 5);
    cr_expect_eq(row_value(COST, "4 256 128 8", "queue_counter_bits"), 25);
    cr_expect_eq(row_value(COST, "4 256 120 8", "counter_bits"), 4);
    /* Table 8.2, A: sigma 20, Y_max 4 */
    cr_expect_eq(row_value(COST, "4 256 128 8 8 8 2 4 20", "second_counter_bits"), 12);
    cr_expect_eq(row_value(COST, "4 256 128 8 8 8 2 4 20", "divider_bits"), 5);
    /* packets of four blocks: four of them; two hops of three bits, ten bits of an address */
    cr_expect_eq(row_value(COST, "8 1024 128 8 32", "headers"), 4);
    cr_expect_eq(row_value(COST, "8 1024 128 8 32", "cam_bits_destination"), 40);
    cr_expect_eq(row_value(COST, "8 1024 128 8 32 8 2", "cam_bits_path"), 24);
    /* with more hops than digits, they say no more than an address */
    cr_expect_eq(row_value(COST, "8 1024 128 8 32 8 4", "cam_bits_path"), 40);
    cr_expect_eq(row_value(COST, "8 1024 128 8 32", "retry_bits"), 8);
    cr_expect_eq(row_value(COST, "8 1024 128 8 32", "preroute_bits"), 3);
    cr_expect_eq(row_value(COST, "8 1024 128 8 32", "list_bits"), 2 * 5 + 1);
    cr_expect_eq(row_value(COST, "8 1024 128 8 32 16", "wires_queues"), 24);
    row_fails(COST, "4 256 8 8 32", SWQ_EINVAL, "shortest");
    row_fails(COST, "1", SWQ_EINVAL, "ports");
}
