/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * solvers/weighing.c: the coarse factors are the shares of what groups hold that go to other
 * groups, from sums over all pairs of nodes; levels whose shares cannot depend on the nodes are
 * found and are right, and no others are. In a chain of a switch whose buffers share all slots,
 * these are the receptions.
 */
#include "models/chain_parts.h"
#include "solvers/grid.h"
#include "tests/solvers/products.h"
#include "tests/support/support.h"

#include <string.h>

TestSuite(weighing, .timeout = 120);

static swq_chain_grid *make_grids(swq_context *ctx, const swq_product *p,
                                  const swq_grouping *grouping)
{
    swq_chain_grid *g = NULL;

    cr_assert_eq(swq_chain_grid_new(ctx, p->factors, p->factor, &g), SWQ_OK);
    cr_assert_eq(swq_chain_grid_build(ctx, g, grouping, 0), SWQ_OK);
    if (g->coarser)
        cr_assert_eq(swq_chain_grid_find_steady(ctx, g), SWQ_OK);
    return g;
}

/* The shares of one level, from a table of all pairs of groups. */
static void expect_shares(const swq_chain_grid *g, int level, double tolerance)
{
    const int next = (level + 1) % g->p.factors;
    const swq_csr *m = &g->p.factor[level], *into = &g->coarser->own[level];
    const int64_t groups = g->groups[level], to = g->groups[next];
    double *sum = calloc((size_t)(groups * to), sizeof *sum);
    double *held = calloc((size_t)groups, sizeof *held);

    for (int64_t i = 0; i < m->rows; i++) {
        const int32_t group = g->group[level][i];
        held[group] += g->op.level[level][i];
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            sum[group * to + g->group[next][m->col[e]]] += g->op.level[level][i] * m->value[e];
    }
    for (int64_t k = 0; k < groups; k++) {
        double all = 0;
        for (int64_t e = into->start[k]; e < into->start[k + 1]; e++) {
            const double share = sum[k * to + into->col[e]] / held[k];
            cr_assert(fabs(into->value[e] - share) <= tolerance * share,
                      "level %d: %.17g, not %.17g", level, into->value[e], share);
            all += into->value[e];
        }
        cr_assert(fabs(all - 1) < 1e-12);
    }
    free(sum);
    free(held);
}

Test(weighing, shares_of_random_products)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int trial = 0; trial < 60; trial++) {
        swq_context *ctx = swq_context_new();
        test_product t;
        test_product_random(rng, true, 2, 10, &t);
        swq_grouping grouping = test_grouping_new(rng, &t.p, TEST_RANDOM, 1);
        swq_chain_grid *g = make_grids(ctx, &t.p, &grouping);
        for (int64_t i = 0; i < g->op.n; i++)
            g->op.level[0][i] = 0.01 + gsl_rng_uniform(rng);
        swq_chain_grid_coarsen(g);
        /* the levels between share their memory, and only the first one is still there */
        expect_shares(g, 0, 1e-12);
        swq_chain_grid_free(ctx, g);
        test_grouping_free(&grouping);
        test_product_free(&t);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    gsl_rng_free(rng);
}

/* Three groups of two nodes; both nodes of group 0 go to group 1 and 2 alike, by different nodes;
 * those of group 2 do not. */
Test(weighing, a_level_is_steady_if_all_its_groups_are)
{
    static const double alike[36] = {0, 0, 1, 0, 3, 0, /**/ 0, 0, 0, 1, 1, 2, /**/
                                     1, 0, 1, 0, 0, 0, /**/ 0, 1, 0, 1, 0, 0, /**/
                                     1, 1, 0, 0, 0, 0, /**/ 2, 0, 0, 0, 0, 0};
    static const double different[36] = {0, 0, 1, 0, 3, 0, /**/ 0, 0, 0, 1, 1, 2, /**/
                                         1, 0, 1, 0, 0, 0, /**/ 0, 1, 0, 1, 0, 0, /**/
                                         1, 1, 2, 0, 0, 0, /**/ 2, 0, 0, 3, 0, 0};
    const int64_t size[] = {6, 6, 6};
    swq_context *ctx = swq_context_new();
    int32_t of[3][6] = {{0, 0, 1, 1, 2, 2}, {0, 0, 1, 1, 2, 2}, {0}};
    int32_t *levels[] = {of[0], of[1]};
    int64_t groups[] = {3, 3};
    const swq_grouping grouping = {1, 2, levels, groups};
    test_product t;

    test_product_new(2, size, &t);
    memcpy(t.weight[0], different, sizeof different);
    memcpy(t.weight[1], alike, sizeof alike);
    test_product_finish(&t);
    swq_chain_grid *g = make_grids(ctx, &t.p, &grouping);
    /* the root is a group of its own, which splits group 0: what leads to it is not steady */
    cr_assert(!g->steady[0] && !g->steady[1]);
    swq_chain_grid_free(ctx, g);
    test_product_free(&t);
    test_product_new(2, size, &t);
    memcpy(t.weight[0], alike, sizeof alike);
    memcpy(t.weight[1], different, sizeof different);
    test_product_finish(&t);
    g = make_grids(ctx, &t.p, &grouping);
    cr_assert(g->steady[0] && !g->steady[1]);
    for (int64_t i = 0; i < 6; i++)
        g->op.level[0][i] = (double)(1 + i * i);
    expect_shares(g, 0, 1e-14);
    swq_chain_grid_coarsen(g);
    expect_shares(g, 0, 1e-14);
    swq_chain_grid_free(ctx, g);
    test_product_free(&t);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(weighing, receptions_are_steady)
{
    static const struct {
        const char *buffer;
        int ports, slots;
    } cases[] = {{"damq", 3, 4}, {"damq", 4, 4}, {"dafc", 4, 3}};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw =
            test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0.9, "random");
        swq_grouping grouping = {0};
        swq_chain *chain = NULL;
        cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_OK);
        cr_assert_eq(swq_chain_group(ctx, chain, &grouping), SWQ_OK);
        const swq_product p = swq_chain_product(chain);
        swq_chain_grid *g = make_grids(ctx, &p, &grouping);
        for (int f = 0; f < p.factors; f++)
            cr_assert_eq(g->steady[f], f < swq_chain_receptions(chain), "%s %d: factor %d",
                         cases[k].buffer, cases[k].ports, f);
        swq_chain_grid_free(ctx, g);
        swq_grouping_clear(ctx, &grouping);
        swq_chain_free(ctx, chain);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
