/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/state.c: which words a spec has, and how a state reads.
 */
#include "models/state.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(state, .init = setup, .fini = teardown, .timeout = 120);

static swq_layout layout_of(const char *buffer, swq_flow flow, swq_credit credit)
{
    swq_switch sw = test_switch(ctx, buffer, 3, 3, 0.25, "random");
    swq_layout l;

    sw.flow = flow;
    sw.credit = credit;
    swq_layout_init(&l, &sw);
    return l;
}

Test(state, layouts_of_three_ports)
{
    static const struct {
        const char *buffer;
        swq_flow flow;
        swq_credit credit;
        int buffers, queues, head, freed, held, words;
    } cases[] = {
        {"damq", SWQ_DISCARD, SWQ_CREDIT_SAME, 3, 3, -1, -1, -1, 9},
        {"damq", SWQ_DISCARD, SWQ_CREDIT_NEXT, 3, 3, -1, 9, -1, 18},
        {"damq", SWQ_BLOCK, SWQ_CREDIT_SAME, 3, 3, -1, -1, 9, 12},
        {"damq", SWQ_BLOCK, SWQ_CREDIT_NEXT, 3, 3, -1, 9, 18, 21},
        {"fifo", SWQ_DISCARD, SWQ_CREDIT_SAME, 3, 1, 3, -1, -1, 6},
        {"fifo", SWQ_DISCARD, SWQ_CREDIT_NEXT, 3, 1, 3, 6, -1, 9},
        {"fifo", SWQ_BLOCK, SWQ_CREDIT_SAME, 3, 1, 3, -1, 6, 9},
        {"fifo", SWQ_BLOCK, SWQ_CREDIT_NEXT, 3, 1, 3, 6, 9, 12},
        {"cbda", SWQ_DISCARD, SWQ_CREDIT_SAME, 1, 3, -1, -1, -1, 3},
        {"cbda", SWQ_BLOCK, SWQ_CREDIT_NEXT, 1, 3, -1, 3, 6, 9},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_layout l = layout_of(cases[c].buffer, cases[c].flow, cases[c].credit);
        cr_assert_eq(l.ports, 3);
        cr_assert_eq(l.buffers, cases[c].buffers, "case %zu", c);
        cr_assert_eq(l.queues, cases[c].queues, "case %zu", c);
        cr_assert_eq(l.deferred, strcmp(cases[c].buffer, "fifo") == 0, "case %zu", c);
        cr_assert_eq(l.head, cases[c].head, "case %zu", c);
        cr_assert_eq(l.freed, cases[c].freed, "case %zu", c);
        cr_assert_eq(l.held, cases[c].held, "case %zu", c);
        cr_assert_eq(l.words, cases[c].words, "case %zu", c);
        for (int i = 0; i < 3; i++) {
            cr_assert_eq(l.create[i][0], 0.75);
            cr_assert_eq(l.create[i][1], 0.25);
        }
    }
}

Test(state, occupancy_and_text)
{
    static const swq_word lengths[] = {1, 0, 2, 0, 0, 0, 3, 0, 0};
    static const swq_word all[] = {1, 0, 3, /* lengths */ 2, 0, 1, /* heads */
                                   0, 1, 0, /* freed */ 1,   0, 1 /* held */};
    static const swq_word pool[] = {4, 0, 11, 0, 2, 3};
    char text[128];

    swq_layout l = layout_of("damq", SWQ_DISCARD, SWQ_CREDIT_SAME);
    cr_assert_eq(swq_occupancy(&l, lengths, 0), 3);
    cr_assert_eq(swq_occupancy(&l, lengths, 1), 0);
    cr_assert_eq(swq_occupancy(&l, lengths, 2), 3);
    cr_assert_str_eq(swq_state_print(&l, lengths, text, sizeof text), "(1 0 2 | 0 0 0 | 3 0 0)");

    l = layout_of("fifo", SWQ_BLOCK, SWQ_CREDIT_NEXT);
    cr_assert_eq(swq_occupancy(&l, all, 2), 3);
    cr_assert_str_eq(swq_state_print(&l, all, text, sizeof text),
                     "(1 | 0 | 3; head 2 0 1; freed 0 | 1 | 0; held 1 0 1)");

    l = layout_of("cbda", SWQ_BLOCK, SWQ_CREDIT_SAME);
    cr_assert_eq(swq_occupancy(&l, pool, 0), 15);
    cr_assert_str_eq(swq_state_print(&l, pool, text, sizeof text), "(4 0 11; held 0 2 3)");
}

Test(state, text_is_cut_to_size)
{
    static const swq_word lengths[] = {10, 20, 30, 40, 50, 60, 70, 80, 90};
    swq_layout l = layout_of("damq", SWQ_DISCARD, SWQ_CREDIT_SAME);
    char whole[64], text[64];

    swq_state_print(&l, lengths, whole, sizeof whole);
    for (size_t size = 1; size <= strlen(whole) + 1; size++) {
        memset(text, '#', sizeof text);
        swq_state_print(&l, lengths, text, size);
        cr_assert_lt(strlen(text), size);
        cr_assert_eq(text[size], '#', "wrote beyond %zu", size);
    }
    cr_assert_str_eq(text, whole);
}

Test(state, lengths_of_a_buffer)
{
    swq_word state[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    swq_layout l = layout_of("damq", SWQ_DISCARD, SWQ_CREDIT_SAME);

    for (int b = 0; b < 3; b++)
        cr_assert_eq(swq_lengths(&l, state, b)[0], 3 * b + 1);
}

Test(state, roundings_of_destinations)
{
    double matrix[64] = {0};
    swq_switch sw = test_switch(ctx, "damq", 4, 4, 0.5, "random");

    cr_expect_eq(swq_dest_roundings(&sw, 0), 0);
    sw = test_switch(ctx, "damq", 3, 3, 0.5, "random");
    cr_expect_eq(swq_dest_roundings(&sw, 2), 1);
    cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.1, 1), SWQ_OK);
    cr_expect_eq(swq_dest_roundings(&sw, 0), 3);
    cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 1, 1), SWQ_OK);
    cr_expect_eq(swq_dest_roundings(&sw, 0), 0);
    /* seven additions of a row of eight, and the quotient */
    sw = test_switch(ctx, "fifo", 8, 1, 0.5, "random");
    for (int k = 0; k < 64; k++)
        matrix[k] = k % 8 == k / 8 ? 0.3 : 0.1;
    cr_assert_eq(swq_traffic_matrix(ctx, &sw, matrix), SWQ_OK);
    cr_expect_eq(swq_dest_roundings(&sw, 5), 8);
}
