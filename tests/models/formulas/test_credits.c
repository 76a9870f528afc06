/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffer that a link needs with credits: against its definition, and against simulated links.
 */
#include "switchq/async.h"
#include "switchq/formula.h"
#include "tests/models/formulas/rows.h"
#include "tests/support/support.h"

TestSuite(formula_credits, .timeout = 240);

/* By hand: a packet of 32 bytes takes 34 cycles of the link. Its header is in the next switch after
 * 5 cycles, its last byte has left 32 cycles later, and with a delay of 31 that is known after 68,
 * which is the time of two packets. With a longer delay a third packet has to begin at 68, when
 * fewer blocks of the first one are back. */
Test(formula_credits, by_hand)
{
    cr_expect_eq(row_value("credit-buffer", "31", "round_trip"), 68);
    cr_expect_eq(row_value("credit-buffer", "31", "blocks_full"), 8);
    cr_expect_eq(row_value("credit-buffer", "31", "bytes_full"), 64);
    /* in 68 cycles three blocks of the first packet are back, the third one since 5 + 24 + 32 */
    cr_expect_eq(row_value("credit-buffer", "32", "blocks_full"), 9);
    /* the first one's first block is back in 5 + 8 + 55 = 68 */
    cr_expect_eq(row_value("credit-buffer", "55", "blocks_full"), 11);
    cr_expect_eq(row_value("credit-buffer", "56", "blocks_full"), 12);
    assert_relative(row_value("credit-buffer", "56 32 8 5 2 64", "throughput"), 64.0 / 93, 1e-15,
                    "two packets in a round trip");
    cr_expect_eq(row_value("credit-buffer", "56 32 8 5 2 24", "throughput"), 0);
    row_fails("credit-buffer", "-1", SWQ_EINVAL, "credit-delay");
}

static double draw(uint32_t *state, uint32_t below)
{
    *state = *state * 69069 + 1;
    return *state % below;
}

/* The least: a block less slows the link down. */
Test(formula_credits, least)
{
    uint32_t state = 1;

    for (int k = 0; k < 2000; k++) {
        swq_credit_loop l;
        l.length = 1 + draw(&state, 97);
        l.block = 1 + draw(&state, 19);
        l.hop_delay = 1 + draw(&state, 23);
        l.link_rest = draw(&state, 7);
        l.credit_delay = draw(&state, 301);
        const double full = swq_credit_blocks(&l), link = l.length / (l.length + l.link_rest);
        cr_assert_float_eq(swq_credit_throughput(&l, full), link, 1e-12, "%g bytes", l.length);
        cr_assert_lt(swq_credit_throughput(&l, full - 1), link - 1e-9, "%g bytes, %g blocks",
                     l.length, full);
    }
}

/* A single sender to a single node, through two switches; the link between them is like its own. */
static double simulated(const swq_credit_loop *l, int blocks)
{
    swq_context *ctx = swq_context_new();
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    static swq_async_result r;
    swq_sender_group group = {.mask = 3,
                              .kind = SWQ_SOURCE_HOLD,
                              .interval = {SWQ_CONSTANT, 0, 0},
                              .type = {{.probability = 1,
                                        .aim = SWQ_AIM_NODE,
                                        .value = 3,
                                        .length = {SWQ_CONSTANT, l->length, 0}}},
                              .types = 1};
    const swq_buffer_kind *fifo;

    n.shape.ports = n.shape.stages = 2;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, "fifo", &fifo), SWQ_OK);
    n.packet.block = (int)l->block;
    n.packet.max = (int)l->length;
    n.link.hop_delay = (int)l->hop_delay;
    n.link.rest = (int)l->link_rest;
    n.flow.row = &swq_flow_credits;
    n.flow.credit_delay = (int)l->credit_delay;
    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_assert_eq(swq_async_buffer(ctx, &n, fifo, blocks * n.packet.block), SWQ_OK);
    options.warmup = 2000;
    options.cycles = 60000;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(r.sim.conserved);
    swq_context_free(ctx);
    return r.sim.all.throughput.mean * 4;
}

/* min(1, buffer / round trip), from one packet to more than a full link needs, block by block. */
Test(formula_credits, simulated)
{
    static const swq_credit_loop loop[] = {{32, 8, 5, 2, 60},
                                           {32, 8, 5, 0, 100},
                                           {20, 8, 3, 4, 33},
                                           {64, 16, 9, 2, 0},
                                           {30, 7, 1, 1, 211}};

    for (size_t k = 0; k < sizeof loop / sizeof *loop; k++) {
        const swq_credit_loop *l = &loop[k];
        const int packet = (int)ceil(l->length / l->block), full = (int)swq_credit_blocks(l);
        for (int blocks = packet; blocks <= full + 2; blocks++) {
            const double found = simulated(l, blocks), foreseen = swq_credit_throughput(l, blocks);
            cr_expect(fabs(found - foreseen) < 0.002 * foreseen, "%g bytes, %d blocks: %g, not %g",
                      l->length, blocks, found, foreseen);
        }
    }
}
