/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The iteration by itself: a chain with a known distribution, one that jitters, one that never
 * settles, and interruption.
 */
#include "approx/fixed_point.h"
#include "tests/support/support.h"

TestSuite(approx_fixed_point, .timeout = 120);

enum { LENGTHS = 60 };

/* A queue that grows with probability `up` in a step and shrinks with `down`. */
typedef struct {
    double up, down, wobble;
    int steps;
    swq_context *cancel_after_ten;
} birth_queue;

static void step(void *arg, const double *x, double *next, approx_reading *reading)
{
    birth_queue *q = arg;
    double busy = 0, mean = 0, sum = 0;

    for (int n = 0; n <= LENGTHS; n++) {
        double up = n < LENGTHS ? q->up : 0, down = n > 0 ? q->down : 0;
        next[n] = x[n] * (1 - up - down);
        next[n] += n > 0 ? x[n - 1] * q->up : 0;
        next[n] += n < LENGTHS ? x[n + 1] * q->down : 0;
        busy += n > 0 ? x[n] : 0;
        mean += n * x[n];
    }
    for (int n = 0; n <= LENGTHS; n++)
        sum += next[n];
    for (int n = 0; n <= LENGTHS; n++)
        next[n] /= sum;
    next[0] += q->wobble * (q->steps % 2 ? 1 : -1);
    next[1] -= q->wobble * (q->steps % 2 ? 1 : -1);
    *reading = (approx_reading){q->up * (1 - x[LENGTHS]), q->down * busy, mean};
    if (++q->steps == 10 && q->cancel_after_ten)
        swq_context_cancel(q->cancel_after_ten);
}

static swq_status find(swq_context *ctx, birth_queue *q, double *x, approx_fixed_point *f)
{
    *f = (approx_fixed_point){.n = LENGTHS + 1, .x = x, .step = step, .model = q};
    for (int n = 0; n <= LENGTHS; n++)
        x[n] = 1.0 / (LENGTHS + 1);
    return approx_fixed_point_find(ctx, f);
}

Test(approx_fixed_point, a_queue_comes_to_its_distribution)
{
    swq_context *ctx = swq_context_new();
    birth_queue q = {.up = 0.28, .down = 0.3};
    double x[LENGTHS + 1], ratio = q.up / q.down;
    approx_fixed_point f;

    cr_assert_eq(find(ctx, &q, x, &f), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(f.converged && f.change < 1e-9);
    for (int n = 0; n < LENGTHS; n++)
        assert_relative(x[n + 1] / x[n], ratio, 1e-4, "%d: %g", n, x[n + 1] / x[n]);
    /* without acceleration it takes some 4000 steps */
    cr_assert(f.steps == q.steps && f.steps < 1500, "%d steps", f.steps);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(approx_fixed_point, jitter_that_cannot_be_read_is_no_matter)
{
    swq_context *ctx = swq_context_new();
    birth_queue q = {.up = 0.2, .down = 0.3, .wobble = 1e-8};
    double x[LENGTHS + 1];
    approx_fixed_point f;

    cr_assert_eq(find(ctx, &q, x, &f), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(f.converged);
    assert_relative(f.reading.packets, 2, 1e-4, "%g", f.reading.packets);
    swq_context_free(ctx);
}

Test(approx_fixed_point, what_never_settles_is_said)
{
    swq_context *ctx = swq_context_new();
    birth_queue q = {.up = 0.2, .down = 0.3, .wobble = 1e-3};
    double x[LENGTHS + 1];
    approx_fixed_point f;

    cr_assert_eq(find(ctx, &q, x, &f), SWQ_ECONVERGE);
    cr_assert_not(f.converged);
    cr_assert_eq(f.steps, 20000);
    cr_assert(strstr(swq_context_message(ctx), "not settled"), "%s", swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(approx_fixed_point, it_can_be_interrupted)
{
    swq_context *ctx = swq_context_new();
    birth_queue q = {.up = 0.28, .down = 0.3, .cancel_after_ten = ctx};
    double x[LENGTHS + 1];
    approx_fixed_point f;

    cr_assert_eq(find(ctx, &q, x, &f), SWQ_ECANCELLED);
    cr_assert_eq(q.steps, 10);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(approx_fixed_point, without_memory_that_is_said)
{
    for (size_t after = 0; after < 2; after++) {
        swq_context *ctx = swq_context_new();
        birth_queue q = {.up = 0.2, .down = 0.3};
        double x[LENGTHS + 1];
        approx_fixed_point f;
        swq_context_fail_allocations(ctx, after, false);
        cr_assert_eq(find(ctx, &q, x, &f), SWQ_ENOMEM, "allocation %zu", after);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}
