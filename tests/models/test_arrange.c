/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/arrange.c: an arranged chain is the same chain under other numbers. A vector given by what
 * the states are goes through both to the same vector, and groups stand together. Chains that are
 * not arranged stay as they are.
 */
#include "models/chain_parts.h"
#include "solvers/operator.h"
#include "tests/support/support.h"

#include <stdint.h>
#include <string.h>

enum { WORDS = 64 };

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

TestSuite(arrange, .init = setup, .fini = teardown, .timeout = 120);

static swq_chain *generate_grouped(const swq_switch *sw, bool lean, swq_grouping *g)
{
    swq_chain *chain = NULL;

    cr_assert_eq((lean ? swq_chain_generate_lean : swq_chain_generate)(ctx, sw, true, &chain),
                 SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_chain_group(ctx, chain, g), SWQ_OK);
    if (lean)
        swq_chain_forget_nodes(ctx, chain);
    return chain;
}

/* The numbers in `full` of the states of `chain`. */
static int64_t *numbers_in(swq_chain *full, const swq_chain *chain)
{
    const int64_t states = swq_chain_states(chain);
    int64_t *number = calloc((size_t)states, sizeof *number);
    bool *met = calloc((size_t)states, sizeof *met);

    cr_assert_eq(swq_chain_states(full), states);
    for (int64_t i = 0; i < states; i++) {
        uint16_t words[WORDS];
        swq_chain_state(chain, i, words);
        number[i] = swq_chain_find(ctx, full, words);
        cr_assert(number[i] >= 0 && !met[number[i]]);
        met[number[i]] = true;
    }
    free(met);
    return number;
}

/* x P, where state i holds 1 + (its number in the full chain mod 17). */
static double *one_cycle(const swq_chain *chain, const int64_t *number)
{
    const swq_product p = swq_chain_product(chain);
    const int64_t states = swq_chain_states(chain);
    double *y = calloc((size_t)states, sizeof *y);
    swq_operator op;

    cr_assert_eq(swq_operator_init(ctx, &p, 0, &op), SWQ_OK);
    for (int64_t i = 0; i < states; i++)
        op.level[0][i] = (double)(1 + (number ? number[i] : i) % 17);
    swq_operator_spread(&op, NULL);
    for (int64_t i = 0; i < states; i++)
        y[number ? number[i] : i] = op.level[p.factors][i];
    swq_operator_clear(ctx, &op);
    return y;
}

static void expect_ordered(const swq_chain *chain, const swq_grouping *g)
{
    for (int at = 0; at < g->depth * g->levels; at++) {
        int64_t members =
            at < g->levels ? swq_chain_product(chain).factor[at].rows : g->groups[at - g->levels];
        for (int64_t i = 1; i < members; i++)
            cr_assert(g->of[at][i - 1] <= g->of[at][i] && g->of[at][i] < g->groups[at]);
    }
}

static void expect_same_chain(const swq_switch *sw)
{
    swq_grouping before = {0}, after = {0};
    swq_chain *full = generate_grouped(sw, false, &before);
    swq_chain *chain = generate_grouped(sw, true, &after);

    cr_assert_eq(swq_chain_arrange(ctx, chain, &after), SWQ_OK);
    expect_ordered(chain, &after);
    int64_t *number = numbers_in(full, chain), moved = 0;
    for (int64_t i = 0; i < swq_chain_states(chain); i++)
        moved += number[i] != i;
    cr_assert(number[0] == 0 && moved > 0, "%lld states moved", (long long)moved);
    double *y = one_cycle(full, NULL), *z = one_cycle(chain, number);
    for (int64_t i = 0; i < swq_chain_states(chain); i++)
        cr_assert(fabs(y[i] - z[i]) <= 1e-14 * y[i], "state %lld: %.17g, not %.17g", (long long)i,
                  z[i], y[i]);
    free(y);
    free(z);
    free(number);
    swq_grouping_clear(ctx, &before);
    swq_grouping_clear(ctx, &after);
    swq_chain_free(ctx, full);
    swq_chain_free(ctx, chain);
}

Test(arrange, another_order_of_the_same_chain)
{
    swq_switch sw = test_switch(ctx, "damq", 4, 4, 0.9, "maximum");
    expect_same_chain(&sw);
    sw = test_switch(ctx, "damq", 3, 6, 0.8, "random"); /* more values than a byte tells */
    sw.flow = SWQ_BLOCK;
    expect_same_chain(&sw);
}

/* Those with factors in rows, and those that keep more than the chain. */
Test(arrange, other_chains_stay_as_they_are)
{
    const struct {
        const char *buffer;
        int ports, slots;
        bool lean;
    } cases[] = {{"damq", 2, 3, true}, {"damq", 4, 4, false}, {"cbda", 3, 3, true}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw =
            test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0.9, "random");
        swq_grouping g = {0};
        swq_chain *chain = generate_grouped(&sw, cases[k].lean, &g);
        const size_t bytes = sizeof *g.of[0] * (size_t)swq_chain_states(chain);
        int32_t *of = malloc(bytes);
        memcpy(of, g.of[0], bytes);
        cr_assert_eq(swq_chain_arrange(ctx, chain, &g), SWQ_OK);
        cr_assert_eq(memcmp(of, g.of[0], bytes), 0);
        free(of);
        swq_grouping_clear(ctx, &g);
        swq_chain_free(ctx, chain);
    }
}

Test(arrange, every_allocation_may_fail)
{
    const swq_switch sw = test_switch(ctx, "damq", 4, 4, 0.9, "maximum");
    swq_status status = SWQ_ENOMEM;

    for (size_t after = 0; status; after++) {
        swq_grouping g = {0};
        swq_chain *chain = generate_grouped(&sw, true, &g);
        swq_context_fail_allocations(ctx, after, true);
        status = swq_chain_arrange(ctx, chain, &g);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
        swq_grouping_clear(ctx, &g);
        swq_chain_free(ctx, chain);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        after += after / 4; /* most allocations are much alike */
    }
}
