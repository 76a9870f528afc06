/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mixing of probabilities, on chains whose stationary distribution is known.
 */
#include "approx/mixing.h"
#include "tests/support/support.h"

TestSuite(approx_mixing, .timeout = 120);

enum { N = 1100 }; /* more than two blocks */

/* A random walk that goes up with probability p, down with 1 - p, and is reflected at the ends. */
static void walk(double p, const double *x, double *image)
{
    memset(image, 0, sizeof *image * N);
    for (int i = 0; i < N; i++) {
        image[i + 1 < N ? i + 1 : i] += p * x[i];
        image[i > 0 ? i - 1 : i] += (1 - p) * x[i];
    }
}

/* Geometric, for p < 1/2. */
Test(approx_mixing, finds_the_fixed_point)
{
    static double x[N], image[N];
    double p = 0.46, ratio = p / (1 - p), change = 1, first = 1 - ratio;
    swq_context *ctx = swq_context_new();
    approx_mixing mix;
    int steps = 0;

    cr_assert_eq(approx_mixing_init(ctx, N, &mix), SWQ_OK);
    for (int i = 0; i < N; i++)
        x[i] = i < 40 ? 1.0 / 40 : 0;
    for (; change > 1e-12 && steps < 20000; steps++) {
        walk(p, x, image);
        change = approx_mixing_step(&mix, x, image);
        double sum = 0;
        for (int i = 0; i < N; i++) {
            cr_assert(image[i] >= 0 && isfinite(image[i]), "step %d, entry %d", steps, i);
            sum += image[i];
        }
        for (int i = 0; i < N; i++)
            x[i] = image[i] / sum;
    }
    cr_assert(steps < 1000, "%d steps", steps); /* without mixing, some 5,000 */
    for (int i = 0; i < 60; i++)
        assert_relative(x[i], first * pow(ratio, i), 1e-6, "entry %d", i);
    approx_mixing_clear(ctx, &mix);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The first step has no history, and a step whose change jumps up discards it. */
Test(approx_mixing, the_change_and_when_nothing_is_mixed)
{
    static double x[N], image[N], plain[N];
    swq_context *ctx = swq_context_new();
    approx_mixing mix;

    cr_assert_eq(approx_mixing_init(ctx, N, &mix), SWQ_OK);
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < N; i++) {
            x[i] = 1.0 / N;
            plain[i] = image[i] = x[i] * (1 + (k == 5 ? 0.5 : 0.01 / (k + 1)) * (i % 2 ? 1 : -1));
        }
        double expected = (k == 5 ? 0.5 : 0.01 / (k + 1));
        assert_relative(approx_mixing_step(&mix, x, image), expected, 1e-12, "change");
        cr_assert_eq(memcmp(plain, image, sizeof plain) == 0, k == 0 || k == 5, "step %d", k);
    }
    approx_mixing_clear(ctx, &mix);
    swq_context_free(ctx);
}

Test(approx_mixing, failing_allocations_are_reported)
{
    swq_context *ctx = swq_context_new();
    approx_mixing mix;

    swq_context_fail_allocations(ctx, 0, true);
    cr_assert_eq(approx_mixing_init(ctx, N, &mix), SWQ_ENOMEM);
    approx_mixing_clear(ctx, &mix);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
