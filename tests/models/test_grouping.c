/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/grouping.c: every node is in a group of every depth, no group is empty, groups become
 * fewer and in the end are few. Not pinned: who is with whom, which changes the pace of solving
 * only.
 */
#include "tests/support/support.h"

#include <stdint.h>

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

TestSuite(grouping, .init = setup, .fini = teardown, .timeout = 240);

static void expect_grouping(const swq_switch *sw, bool reduce, const char *text)
{
    swq_chain *chain;
    swq_grouping g;

    cr_assert_eq(swq_chain_generate(ctx, sw, reduce, &chain), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(swq_chain_group(ctx, chain, &g), SWQ_OK);
    swq_product p = swq_chain_product(chain);
    cr_assert(g.levels == p.factors && g.depth >= 1, "%s", text);
    for (int l = 0; l < g.levels; l++) {
        int64_t nodes = p.factor[l].rows;
        for (int d = 0; d < g.depth; d++) {
            int64_t groups = g.groups[d * g.levels + l];
            const int32_t *of = g.of[d * g.levels + l];
            bool *met = calloc((size_t)groups, sizeof *met);
            cr_assert(groups >= 1 && groups <= nodes, "%s: %lld groups of %lld", text,
                      (long long)groups, (long long)nodes);
            for (int64_t k = 0; k < nodes; k++) {
                cr_assert(of[k] >= 0 && of[k] < groups, "%s: level %d, depth %d", text, l, d);
                met[of[k]] = true;
            }
            for (int64_t k = 0; k < groups; k++)
                cr_assert(met[k], "%s: level %d, depth %d: group %lld is empty", text, l, d,
                          (long long)k);
            free(met);
            nodes = groups; /* the next depth merges the groups of this one: they are nested */
        }
        cr_assert_leq(nodes, 300, "%s: level %d ends with %lld groups", text, l, (long long)nodes);
    }
    swq_grouping_clear(ctx, &g);
    cr_assert(g.of == NULL && g.depth == 0);
    swq_grouping_clear(ctx, &g); /* safe a second time */
    swq_chain_free(ctx, chain);
}

Test(grouping, groups_of_many_chains)
{
    char text[100];

    for (int k = 0; swq_buffer_kinds[k]; k++) {
        for (int variant = 0; variant < 16; variant++) {
            int n = 2 + variant / 8;
            swq_switch sw =
                test_switch(ctx, swq_buffer_kinds[k]->name, n, n == 2 ? 4 : 3, 0.8, "random");
            bool reduce = variant % 2 || n == 3;
            sw.flow = variant / 2 % 2 && n == 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 4 % 2 && n == 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (n == 3 && variant > 9)
                continue;
            snprintf(text, sizeof text, "%s, variant %d", swq_buffer_kinds[k]->name, variant);
            expect_grouping(&sw, reduce, text);
        }
    }
    swq_switch sw = test_switch(ctx, "damq", 3, 1, 0.8, "rotating");
    expect_grouping(&sw, true, "rotating");
    sw = test_switch(ctx, "fifo", 7, 1, 0.8, "random");
    expect_grouping(&sw, true, "seven ports");
    sw = test_switch(ctx, "damq", 1, 3, 0.8, "random");
    expect_grouping(&sw, true, "one port");
    sw = test_switch(ctx, "damq", 2, 40, 0.8, "random"); /* merged more than once */
    expect_grouping(&sw, true, "many slots");
}

Test(grouping, every_allocation_failing)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 6, 0.8, "random");
    swq_chain *chain;

    cr_assert_eq(swq_chain_generate(ctx, &sw, false, &chain), SWQ_OK);
    size_t blocks = swq_context_live_blocks(ctx);
    for (size_t after = 0;; after++) {
        swq_grouping g = {.depth = -3};
        cr_assert_lt(after, 1000);
        swq_context_fail_allocations(ctx, after, true);
        swq_status status = swq_chain_group(ctx, chain, &g);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        if (!status) {
            swq_grouping_clear(ctx, &g);
            break;
        }
        cr_assert_eq(status, SWQ_ENOMEM);
        cr_assert_eq(g.depth, -3, "the output was touched");
        cr_assert_eq(swq_context_live_blocks(ctx), blocks, "leaked after %zu", after);
    }
    swq_chain_free(ctx, chain);
}
