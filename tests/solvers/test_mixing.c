/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing of linear positive iterations x <- b + x M: fixed point, positivity, entries far
 * apart, restarts. Not pinned: the mixed iterates themselves.
 */
#include "solvers/mixing.h"

#include "tests/support/support.h"

#include <gsl/gsl_rng.h>

TestSuite(mixing, .timeout = 240);

enum { N = 30 };

typedef struct {
    double m[N][N], b[N], fixed[N]; /* fixed = b + fixed M by construction */
} linear;

/* The fixed point is chosen first, from 1 to 1 / spread; of an entry's value there, a fraction of
 * up to `rate` comes from itself and its neighbours and the rest from b. */
static void make(gsl_rng *rng, double rate, double spread, linear *l)
{
    for (int i = 0; i < N; i++)
        l->fixed[i] = pow(spread, -gsl_rng_uniform(rng));
    for (int j = 0; j < N; j++) {
        double share[N], sum = 0, part = rate * (1 - 0.2 * gsl_rng_uniform(rng));
        for (int i = 0; i < N; i++)
            sum += share[i] = abs(i - j) <= 1 ? 0.1 + gsl_rng_uniform(rng) : 0;
        for (int i = 0; i < N; i++) /* this fraction of j's value comes from i */
            l->m[i][j] = part * share[i] / sum * l->fixed[j] / l->fixed[i];
        l->b[j] = (1 - part) * l->fixed[j];
    }
}

static void image_of(const linear *l, const double *x, double *image)
{
    for (int j = 0; j < N; j++) {
        image[j] = l->b[j];
        for (int i = 0; i < N; i++)
            image[j] += x[i] * l->m[i][j];
    }
}

/* Steps until the change is 1e-13; each is checked to be positive. */
static int steps_to_converge(const linear *l, int depth, double *x)
{
    swq_context *ctx = swq_context_new();
    swq_mixing mix;
    double image[N], change = 1;
    int steps = 0;

    cr_assert_eq(swq_mixing_init(ctx, N, depth, &mix), SWQ_OK);
    for (int i = 0; i < N; i++)
        x[i] = l->fixed[i] * (i % 2 ? 40 : 0.03);
    for (; change > 1e-13 && steps < 5000; steps++) {
        image_of(l, x, image);
        double expected = 0;
        for (int i = 0; i < N; i++)
            expected = fmax(expected, fabs(image[i] - x[i]) / image[i]);
        change = swq_mixing_step(&mix, x, image, image);
        cr_assert_eq(change, expected, "the change is that from x to its image");
        for (int i = 0; i < N; i++)
            cr_assert(image[i] > 0 && isfinite(image[i]), "step %d, entry %d: %g", steps, i,
                      image[i]);
        memcpy(x, image, sizeof image);
    }
    swq_mixing_clear(ctx, &mix);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return steps;
}

static void check_fixed_point(double spread)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static linear l;
    double x[N];
    int plain = 0, mixed = 0;

    for (int trial = 0; trial < 20; trial++) {
        make(rng, 0.97, spread, &l);
        plain += steps_to_converge(&l, 0, x);
        mixed += steps_to_converge(&l, SWQ_MIXING_DEPTH, x);
        for (int i = 0; i < N; i++)
            assert_relative(x[i], l.fixed[i], 1e-10, "trial %d, entry %d: %.17g, not %.17g", trial,
                            i, x[i], l.fixed[i]);
    }
    cr_assert(3 * mixed < plain, "%d steps mixed, %d plain", mixed, plain);
    gsl_rng_free(rng);
}

Test(mixing, finds_the_fixed_point_in_fewer_steps)
{
    check_fixed_point(10);
}

/* Relative residuals: entries of 1e-120 are extrapolated as well as those of 1. */
Test(mixing, entries_far_apart_converge_alike)
{
    check_fixed_point(1e120);
}

Test(mixing, depth_is_bounded_and_none_leaves_the_image_alone)
{
    swq_context *ctx = swq_context_new();
    swq_mixing mix;
    double x[] = {1, 2}, image[] = {1.5, 2};

    cr_assert_eq(swq_mixing_init(ctx, 2, 100, &mix), SWQ_OK);
    cr_assert_eq(mix.depth, SWQ_MIXING_DEPTH);
    swq_mixing_clear(ctx, &mix);
    for (int depth = 0; depth < 2; depth++) {
        cr_assert_eq(swq_mixing_init(ctx, 2, depth, &mix), SWQ_OK);
        for (int k = 0; k < 5; k++) {
            assert_relative(swq_mixing_step(&mix, x, image, image), 1 / 3.0, 1e-15, "change");
            cr_assert(image[0] == 1.5 && image[1] == 2);
        }
        swq_mixing_clear(ctx, &mix);
    }
    swq_context_free(ctx);
}

/* After a restart the history is gone: the first step is plain, and steps of another iteration do
 * not affect the new one. */
Test(mixing, a_restart_forgets)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_context *ctx = swq_context_new();
    static linear l[2];
    swq_mixing mix;
    double x[N], image[N], plain[N];

    for (int k = 0; k < 2; k++)
        make(rng, 0.9, 10, &l[k]);
    cr_assert_eq(swq_mixing_init(ctx, N, SWQ_MIXING_DEPTH, &mix), SWQ_OK);
    for (int i = 0; i < N; i++)
        x[i] = l[0].fixed[i] * (1 + 0.05 * gsl_rng_uniform(rng));
    int mixed = 0;
    for (int k = 0; k < 8; k++) {
        image_of(&l[0], x, image);
        memcpy(plain, image, sizeof plain);
        swq_mixing_step(&mix, x, image, image);
        mixed += memcmp(plain, image, sizeof plain) != 0;
        memcpy(x, image, sizeof x);
    }
    cr_assert_eq(mixed, 7, "every step but the first is mixed");
    for (int i = 0; i < N; i++)
        x[i] = l[1].fixed[i] * (1 + 1e-9 * gsl_rng_uniform(rng));
    swq_mixing_restart(&mix);
    image_of(&l[1], x, image);
    memcpy(plain, image, sizeof plain);
    swq_mixing_step(&mix, x, image, image);
    cr_assert_eq(memcmp(plain, image, sizeof plain), 0);
    /* a change that jumps up causes a restart */
    for (int i = 0; i < N; i++)
        x[i] = l[1].fixed[i] * (1 + 0.05 * gsl_rng_uniform(rng));
    image_of(&l[1], x, image);
    memcpy(plain, image, sizeof plain);
    swq_mixing_step(&mix, x, image, image);
    cr_assert_eq(memcmp(plain, image, sizeof plain), 0);
    swq_mixing_clear(ctx, &mix);
    swq_context_free(ctx);
    gsl_rng_free(rng);
}

/* Zeros stay zero where the image has them; they count as a change only if they were not zero
 * before. */
Test(mixing, zeros_are_exact)
{
    swq_context *ctx = swq_context_new();
    swq_mixing mix;
    double x[] = {1, 0}, image[] = {1, 0};

    cr_assert_eq(swq_mixing_init(ctx, 2, SWQ_MIXING_DEPTH, &mix), SWQ_OK);
    for (int k = 0; k < 4; k++) {
        image[0] = 1 + 0.01 / (k + 1);
        image[1] = 0;
        cr_assert(swq_mixing_step(&mix, x, image, image) < 0.02);
        cr_assert(image[0] > 0 && image[1] == 0);
    }
    x[1] = 1;
    image[1] = 0;
    cr_assert_eq(swq_mixing_step(&mix, x, image, image), INFINITY);
    cr_assert(isfinite(image[0]) && image[1] == 0);
    swq_mixing_clear(ctx, &mix);
    swq_context_free(ctx);
}

Test(mixing, failing_allocations_are_reported)
{
    swq_context *ctx = swq_context_new();
    swq_mixing mix;

    swq_context_fail_allocations(ctx, 0, false);
    cr_assert_eq(swq_mixing_init(ctx, 5, SWQ_MIXING_DEPTH, &mix), SWQ_ENOMEM);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
