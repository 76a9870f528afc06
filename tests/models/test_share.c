/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/share.h: a share that owns every node is the chain that swq_chain_generate makes, node for
 * node and chance for chance in sums; the table of rows is complete from the beginning; and what a
 * share does not have is refused by name.
 */
#include "models/share.h"
#include "tests/support/support.h"

#include <math.h>
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

TestSuite(share, .init = setup, .fini = teardown, .timeout = 120);

/* The sums over all nodes. */
typedef struct {
    swq_chain *chain;
    int into;
    long double row; /* of probabilities */
    int64_t ways;
} walk;

static swq_status take_way(void *arg, const swq_word *node, long double chance)
{
    walk *w = arg;

    w->row += chance;
    w->ways++;
    return swq_intern_number(ctx, &w->chain->node[w->into], node) < 0 ? SWQ_ENOMEM : SWQ_OK;
}

static void walk_all(swq_share *share)
{
    walk w = {.chain = swq_share_chain(share)};
    int64_t done[SWQ_CHAIN_LEVELS] = {0};
    swq_word first[SWQ_ROW_PORTS];
    bool more = true;

    cr_assert_eq(swq_share_first(share, first), SWQ_OK);
    cr_assert_eq(swq_intern_number(ctx, &w.chain->node[0], first), 0);
    while (more) {
        more = false;
        for (int level = 0; level < w.chain->levels; level++) {
            w.into = (level + 1) % w.chain->levels;
            for (; done[level] < w.chain->node[level].count; done[level]++, more = true) {
                w.row = 0;
                cr_assert_eq(swq_share_expand(share, level, done[level], take_way, &w), SWQ_OK,
                             "%s", swq_context_message(ctx));
                cr_assert_float_eq((double)w.row, 1, 1e-14);
            }
        }
    }
}

/* The same states, found by their words, with the same expectations. */
static void expect_same(const swq_switch *sw, bool reduce)
{
    swq_share *share = NULL;
    swq_chain *chain = NULL;

    cr_assert_eq(swq_share_new(ctx, sw, reduce, &share), SWQ_OK, "%s", swq_context_message(ctx));
    walk_all(share);
    cr_assert_eq(swq_chain_generate(ctx, sw, reduce, &chain), SWQ_OK);
    const swq_chain *own = swq_share_chain(share);
    const int64_t states = swq_chain_states(chain);
    cr_assert_eq(swq_chain_states(own), states);
    for (int64_t s = 0; s < states; s++) {
        uint16_t words[SWQ_CHAIN_PORTS * (5 * SWQ_CHAIN_PORTS + 6)];
        swq_chain_state(own, s, words);
        const int64_t same = swq_chain_find(ctx, chain, words);
        cr_assert_geq(same, 0);
        double accepted[SWQ_CHAIN_PORTS], refused[SWQ_CHAIN_PORTS];
        swq_chain_reception(own, s, accepted, refused);
        for (int i = 0; i < sw->ports; i++) {
            const int64_t there = same * sw->ports + i;
            cr_assert_float_eq(accepted[i], swq_chain_accepted(chain)[there], 1e-15);
            cr_assert_float_eq(refused[i], swq_chain_refused(chain)[there], 1e-15);
        }
    }
    swq_chain_free(ctx, chain);
    swq_share_free(ctx, share);
}

Test(share, of_every_node_is_the_chain)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
        swq_flow flow;
        bool reduce;
    } cases[] = {
        {"damq", "random", 2, 4, SWQ_DISCARD, true},   {"damq", "maximum", 3, 3, SWQ_DISCARD, true},
        {"fifo", "random", 3, 2, SWQ_DISCARD, true},   {"safc", "random", 2, 4, SWQ_BLOCK, true},
        {"samq", "longest", 2, 4, SWQ_DISCARD, false}, {"fifo", "longest", 2, 3, SWQ_BLOCK, true},
        {"damq", "random", 6, 1, SWQ_DISCARD, true}, /* more permutations than are listed */
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw = test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0.8,
                                    cases[k].arbiter);
        sw.flow = cases[k].flow;
        expect_same(&sw, cases[k].reduce);
        sw.load[0] = 0.3; /* two classes of inputs */
        expect_same(&sw, cases[k].reduce);
    }
}

Test(share, bursts_and_late_credit)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.6, "random");

    sw.burst = 3;
    expect_same(&sw, true);
    sw = test_switch(ctx, "samq", 2, 4, 0.6, "random");
    sw.flow = SWQ_BLOCK;
    sw.credit = SWQ_CREDIT_NEXT;
    expect_same(&sw, true);
}

Test(share, what_it_does_not_have_is_refused_by_name)
{
    swq_share *share = NULL;
    swq_switch pool = test_switch(ctx, "cbda", 2, 2, 0.5, "random");
    swq_switch pointers = test_switch(ctx, "damq", 2, 2, 0.5, "rotating");
    swq_switch queues = test_switch(ctx, "damq", 2, 2, 0.5, "random");

    cr_assert_eq(swq_share_new(ctx, &pool, true, &share), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "pool"), "%s", swq_context_message(ctx));
    cr_assert_eq(swq_share_new(ctx, &pointers, true, &share), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "pointers"), "%s", swq_context_message(ctx));
    queues.priority.fraction = 0.1;
    queues.priority.support = SWQ_SUPPORT_ARBITER;
    cr_assert_eq(swq_share_new(ctx, &queues, true, &share), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "--high"), "%s", swq_context_message(ctx));
    cr_assert_null(share);
}

Test(share, allocations_that_fail_leave_nothing)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    swq_status status = SWQ_ENOMEM;

    for (size_t after = 0; status == SWQ_ENOMEM; after++) {
        swq_share *share = NULL;
        swq_context_fail_allocations(ctx, after, false);
        status = swq_share_new(ctx, &sw, true, &share);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        swq_share_free(ctx, share);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    cr_assert_eq(status, SWQ_OK);
}
