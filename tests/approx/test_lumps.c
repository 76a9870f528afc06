/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lumps of a chain: where each is one state, what they are scaled to is the chain's own
 * distribution; a chain that stands still is left alone, and so is what there is no telling of.
 */
#include "approx/lumps.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdint.h>

TestSuite(approx_lumps, .timeout = 120);

enum { STATES = 40, DOWN = 3, UP = 5 };

static double number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* A chain that leads from i to i - DOWN .. i + UP, downwards rather than upwards. */
static void make_chain(double p[STATES][STATES], double down)
{
    uint64_t seed = 7;

    for (int i = 0; i < STATES; i++) {
        double sum = 0;
        for (int j = 0; j < STATES; j++) {
            const bool near = j >= i - DOWN && j <= i + UP;
            p[i][j] = near ? number(&seed) * (j < i ? down : 1) : 0;
            sum += p[i][j];
        }
        for (int j = 0; j < STATES; j++)
            p[i][j] /= sum;
    }
}

static void let_flow(approx_lumps *l, double p[STATES][STATES], const double *x)
{
    approx_lumps_start(l);
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++)
            if (p[i][j] > 0)
                approx_lumps_add(l, i, j, x[i] * p[i][j]);
}

static void step(double p[STATES][STATES], const double *x, double *next)
{
    for (int j = 0; j < STATES; j++) {
        next[j] = 0;
        for (int i = 0; i < STATES; i++)
            next[j] += x[i] * p[i][j];
    }
}

static double sum_of(const double *x)
{
    double sum = 0;

    for (int i = 0; i < STATES; i++)
        sum += x[i];
    return sum;
}

/* From any distribution, in one step; from there on all factors are 1. */
Test(approx_lumps, lumps_of_one_state_are_solved_at_once)
{
    static const double downs[] = {1, 0.01, 30, 1e4};
    static double p[STATES][STATES];
    swq_context *ctx = swq_context_new();
    double x[STATES], next[STATES];
    approx_lumps l;
    uint64_t seed = 3;

    cr_assert_eq(approx_lumps_init(ctx, STATES, DOWN, UP, &l), SWQ_OK);
    for (size_t k = 0; k < sizeof downs / sizeof *downs; k++) {
        make_chain(p, downs[k]);
        for (int i = 0; i < STATES; i++)
            x[i] = number(&seed);
        let_flow(&l, p, x);
        step(p, x, next);
        approx_lumps_solve(&l);
        const double all = sum_of(next);
        for (int i = 0; i < STATES; i++)
            x[i] = next[i] * l.factor[i];
        assert_relative(sum_of(x), all, 1e-12, "sum");
        step(p, x, next);
        for (int i = 0; i < STATES; i++)
            assert_relative(next[i], x[i], 1e-11, "state %d of chain %zu", i, k);
        let_flow(&l, p, x);
        approx_lumps_solve(&l);
        for (int i = 0; i < STATES; i++)
            cr_assert_float_eq(l.factor[i], 1, 1e-10, "factor %d: %g", i, l.factor[i]);
    }
    approx_lumps_clear(ctx, &l);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* What an empty lump leads to is not known: it keeps what comes, and the others are balanced among
 * themselves. Here 2 is empty, and 0 and 1 change places. */
Test(approx_lumps, empty_lumps_keep_what_comes)
{
    swq_context *ctx = swq_context_new();
    approx_lumps l;

    cr_assert_eq(approx_lumps_init(ctx, 4, 1, 1, &l), SWQ_OK);
    approx_lumps_start(&l);
    approx_lumps_add(&l, 0, 0, 0.5);
    approx_lumps_add(&l, 0, 1, 0.1);
    approx_lumps_add(&l, 1, 0, 0.3);
    approx_lumps_add(&l, 1, 2, 0.1);
    approx_lumps_solve(&l);
    cr_assert_eq(l.factor[2], 1);
    cr_assert_eq(l.factor[3], 1);
    /* from 0 to 1 a sixth of what is there, back three quarters: 9 to 2 */
    const double zero = 0.8 * l.factor[0], one = 0.1 * l.factor[1];
    assert_relative(zero / one, 4.5, 1e-14, "%g to %g", zero, one);
    approx_lumps_clear(ctx, &l);
    swq_context_free(ctx);
}

/* A lump that is never left, above one that is. */
Test(approx_lumps, what_there_is_no_telling_of_is_left_alone)
{
    swq_context *ctx = swq_context_new();
    approx_lumps l;

    cr_assert_eq(approx_lumps_init(ctx, 2, 1, 1, &l), SWQ_OK);
    approx_lumps_start(&l);
    approx_lumps_add(&l, 0, 1, 0.2);
    approx_lumps_add(&l, 0, 0, 0.3);
    approx_lumps_add(&l, 1, 1, 0.5);
    approx_lumps_solve(&l);
    cr_assert(l.factor[0] == 1 && l.factor[1] == 1);
    approx_lumps_start(&l);
    approx_lumps_solve(&l);
    cr_assert(l.factor[0] == 1 && l.factor[1] == 1);
    approx_lumps_clear(ctx, &l);
    swq_context_free(ctx);
}

/* Distributions that fall by hundreds of orders of magnitude. */
Test(approx_lumps, steep_distributions)
{
    enum { LONG = 2000 };
    swq_context *ctx = swq_context_new();
    approx_lumps l;

    cr_assert_eq(approx_lumps_init(ctx, LONG, 1, 1, &l), SWQ_OK);
    for (int rising = 0; rising < 2; rising++) {
        approx_lumps_start(&l);
        for (int i = 0; i < LONG; i++) {
            approx_lumps_add(&l, i, i, 0.4);
            if (i > 0)
                approx_lumps_add(&l, i, i - 1, rising ? 0.1 : 0.5);
            if (i + 1 < LONG)
                approx_lumps_add(&l, i, i + 1, rising ? 0.5 : 0.1);
        }
        approx_lumps_solve(&l);
        const int top = rising ? LONG - 1 : 0, beside = rising ? LONG - 2 : 1;
        cr_assert(isfinite(l.factor[top]) && l.factor[top] > 0);
        /* a fifth of the height, of lumps that hold and get as they do */
        const double held[2] = {l.held[top], l.held[beside]};
        const double came[2] = {l.came[top], l.came[beside]};
        assert_relative(l.factor[beside] * came[1] / held[1] * 5, l.factor[top] * came[0] / held[0],
                        1e-12, "rising %d", rising);
    }
    approx_lumps_clear(ctx, &l);
    swq_context_free(ctx);
}

Test(approx_lumps, a_lack_of_memory_is_survived)
{
    for (size_t after = 0; after < 4; after++) {
        swq_context *ctx = swq_context_new();
        approx_lumps l;
        swq_context_fail_allocations(ctx, after, true);
        cr_assert_eq(approx_lumps_init(ctx, 10, 1, 1, &l), SWQ_ENOMEM);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}
