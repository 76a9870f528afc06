/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applying products: against the factors multiplied out in long double, and the claimed error of an
 * image against the exact product.
 */
#include "solvers/operator.h"

#include "tests/solvers/products.h"

TestSuite(solver_operator, .timeout = 240);

/* A level against the one before, while both are there; each task once. */
typedef struct {
    const test_product *t;
    const swq_operator *op;
    int done[SWQ_MOST_FACTORS], trial;
} watch;

static int64_t two_tasks(void *arg, int level)
{
    (void)arg;
    return 1 + level % 2;
}

static void count(void *arg, int level, int64_t task)
{
    watch *w = arg;
    w->done[level] += 1 + (int)task;
}

static void compare_levels(void *arg, int k)
{
    const watch *w = arg;
    const test_product *t = w->t;

    cr_assert_eq(w->done[k], k % 2 ? 3 : 1);
    for (int64_t j = 0; j < t->size[k + 1]; j++) {
        long double sum = 0;
        for (int64_t i = 0; i < t->size[k]; i++) {
            long double all = 0;
            for (int64_t c = 0; c < t->size[k + 1]; c++)
                all += t->weight[k][i * t->size[k + 1] + c];
            sum += w->op->level[k][i] * t->weight[k][i * t->size[k + 1] + j] / all;
        }
        cr_assert(fabsl(w->op->level[k + 1][j] - sum) <= 1e-14L * sum,
                  "trial %d, level %d, node %lld", w->trial, k + 1, (long long)j);
    }
}

Test(solver_operator, spreads_over_every_level)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int trial = 0; trial < 100; trial++) {
        swq_context *ctx = swq_context_new();
        test_product t;
        swq_operator op;
        test_product_random(rng, true, 2, 100, &t);
        int64_t widest = 0;
        for (int k = 0; k < t.p.factors; k++)
            widest = t.size[k] > widest ? t.size[k] : widest;
        cr_assert_eq(swq_product_widest(&t.p), widest);
        cr_assert_eq(swq_operator_init(ctx, &t.p, 0, &op), SWQ_OK);
        cr_assert_eq(op.n, t.size[0]);
        for (int64_t i = 0; i < op.n; i++)
            op.level[0][i] = gsl_rng_uniform(rng);
        watch w = {&t, &op, {0}, trial};
        const double first = op.level[0][0];
        swq_operator_spread(&op, &(swq_beside){&w, two_tasks, count, compare_levels});
        for (int k = 0; k < SWQ_MOST_FACTORS; k++)
            cr_assert_eq(w.done[k] > 0, k < t.p.factors);
        cr_assert_eq(op.level[0][0], first);
        swq_operator_clear(ctx, &op);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        test_product_free(&t);
        swq_context_free(ctx);
    }
    gsl_rng_free(rng);
}

/* The factors are rounded to doubles, and may be perturbed further: the bound covers all of it. */
Test(solver_operator, an_image_is_as_exact_as_it_says)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static test_truth truth;
    long double worst = 0;

    for (int trial = 0; trial < 400; trial++) {
        swq_context *ctx = swq_context_new();
        test_product t;
        swq_operator op;
        long double x[TEST_STATES], image[TEST_STATES];
        test_product_random(rng, true, 3, 1e6, &t);
        test_product_truth(&t, &truth);
        if (trial % 2) { /* up to 1000 more roundings */
            t.p.roundings += 1000;
            for (int k = 0; k < t.p.factors; k++) {
                for (int64_t e = 0; e < swq_csr_nnz(&t.factor[k]); e++)
                    t.factor[k].value[e] *=
                        1 + 990.0 / t.p.factors * 0x1p-53 * (trial % 4 == 1 ? 1 : -1);
            }
        }
        int64_t root = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)truth.n);
        cr_assert_eq(swq_operator_init(ctx, &t.p, root, &op), SWQ_OK);
        for (int64_t i = 0; i < truth.n; i++)
            x[i] = powl(10, -30 * (long double)gsl_rng_uniform(rng));
        for (int start = 0; start < 2; start++) {
            double gamma = swq_operator_image(&op, start, x, image);
            cr_assert(gamma < (trial % 2 ? 1100 : 20) * 0x1p-53, "%g", gamma);
            cr_assert_eq(image[root], start);
            for (int64_t j = 0; j < truth.n; j++) {
                long double exact = 0;
                for (int64_t i = 0; i < truth.n && j != root; i++)
                    exact += x[i] * truth.dense[i][j];
                if (j == root)
                    continue;
                cr_assert(fabsl(image[j] - exact) <= (long double)gamma * exact,
                          "trial %d, entry %lld is off by %Lg of itself, not %g", trial,
                          (long long)j, fabsl(image[j] - exact) / exact, gamma);
                if (exact > 0)
                    worst = fmaxl(worst, fabsl(image[j] - exact) / exact / gamma);
            }
        }
        swq_operator_clear(ctx, &op);
        test_product_free(&t);
        swq_context_free(ctx);
    }
    cr_assert(worst > 0.5, "the bound is not vacuous: %Lg", worst);
    gsl_rng_free(rng);
}

/* Factors without an error of their own: what remains is the rounding of long sums. */
Test(solver_operator, long_sums_are_as_exact_as_they_say)
{
    enum { TALL = 4000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static int64_t down[TALL + 1], across[] = {0, TALL, 2 * TALL};
    static int32_t left[2 * TALL], right[2 * TALL];
    static double half[2 * TALL], small[2 * TALL];
    static long double x[TALL], image[TALL];
    const swq_csr factor[] = {{TALL, 2, down, left, half, NULL},
                              {2, TALL, across, right, small, NULL}};
    const swq_product p = {2, factor, 0, false};
    swq_context *ctx = swq_context_new();
    swq_operator op;
    long double worst = 0;

    for (int i = 0; i < TALL; i++) {
        down[i + 1] = 2 * (i + 1);
        for (int k = 0; k < 2; k++) {
            left[2 * i + k] = k;
            right[k * TALL + i] = i;
            half[2 * i + k] = 0.5;
            small[k * TALL + i] = 0x1p-12;
        }
    }
    cr_assert_eq(swq_operator_init(ctx, &p, 0, &op), SWQ_OK);
    for (int trial = 0; trial < 20; trial++) {
        __float128 sum = 0;
        for (int i = 0; i < TALL; i++) {
            x[i] = 1 + trial * 1e-3L * (long double)gsl_rng_uniform(rng);
            sum += x[i];
        }
        double gamma = swq_operator_image(&op, false, x, image);
        __float128 exact = sum * 0x1p-12;
        long double off = fabsl((long double)((image[1] - exact) / exact));
        cr_assert(off <= gamma, "%Lg, said to be below %g", off, gamma);
        worst = fmaxl(worst, off / gamma);
    }
    cr_assert(worst > 1e-3L, "%Lg of the bound", worst);
    swq_operator_clear(ctx, &op);
    swq_context_free(ctx);
    gsl_rng_free(rng);
}

Test(solver_operator, failing_allocations_are_reported)
{
    const int64_t size[] = {3, 4};
    swq_context *ctx = swq_context_new();
    test_product t;
    swq_operator op;

    test_product_new(2, size, &t);
    test_product_finish(&t);
    swq_context_fail_allocations(ctx, 0, true);
    cr_assert_eq(swq_operator_init(ctx, &t.p, 0, &op), SWQ_ENOMEM);
    swq_operator_clear(ctx, &op); /* safe after failure */
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    test_product_free(&t);
}
