/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saturation of FIFO input queues: rationals, the exact chain of a switch, and a chain of all heads
 * written out.
 */
#include "switchq/formula.h"
#include "tests/support/support.h"

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

TestSuite(formula_saturation, .init = setup, .fini = teardown, .timeout = 240);

static double saturation(int ports, int speedup)
{
    double throughput = 0;

    cr_assert_eq(swq_hol_saturation(ctx, ports, speedup, &throughput), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return throughput;
}

/* From rational arithmetic on the same chain; then floating-point values, to the digits
 * computed. */
Test(formula_saturation, rationals)
{
    static const double exact[] = {
        1,
        3.0 / 4,
        43.0 / 63,
        325.0 / 496,
        3450867.0 / 5392675,
        239951039.0 / 380784264,
        1455156362474069867233.0 / 2334336143461104781789.0,
        907829143692237066503143239.0 / 1468053011144896100563129664.0,
    };
    static const struct {
        int ports;
        double throughput;
    } digits[] = {{9, 0.614575466},  {10, 0.611560406}, {12, 0.607097174},
                  {16, 0.601615594}, {20, 0.598377209}, {24, 0.596238883}};

    for (int n = 1; n <= 8; n++)
        assert_relative(saturation(n, 1), exact[n - 1], 4e-15, "%d ports: %.17g", n,
                        saturation(n, 1));
    for (size_t k = 0; k < sizeof digits / sizeof *digits; k++)
        cr_assert_float_eq(saturation(digits[k].ports, 1), digits[k].throughput, 6e-10);
}

Test(formula_saturation, a_full_fifo_switch_has_it)
{
    for (int n = 2; n <= 4; n++) {
        swq_switch sw = test_switch(ctx, "fifo", n, 2, 1, "random");
        assert_relative(saturation(n, 1), 1 - test_discard(&sw), 1e-12, "%d ports", n);
    }
}

/* The chain of all heads, where the first inputs are served first; power iteration. */
enum { MOST_HEADS = 256 };

static double served_of(int n, int speedup, const double *now, double *then)
{
    int states = 1;
    double mean = 0;

    for (int i = 0; i < n; i++)
        states *= n;
    memset(then, 0, MOST_HEADS * sizeof *then);
    for (int s = 0; s < states; s++) {
        int head[4], taken[4] = {0}, weight[4], served = 0, kept = 0, digit = 1;
        for (int i = 0, rest = s; i < n; i++, rest /= n, digit *= n) {
            head[i] = rest % n;
            if (taken[head[i]]++ < speedup)
                weight[served++] = digit;
            else
                kept += head[i] * digit;
        }
        mean += now[s] * served;
        int outcomes = 1;
        for (int k = 0; k < served; k++)
            outcomes *= n;
        for (int o = 0; o < outcomes; o++) {
            int next = kept;
            for (int k = 0, rest = o; k < served; k++, rest /= n)
                next += rest % n * weight[k];
            then[next] += now[s] / outcomes;
        }
    }
    return mean / n;
}

Test(formula_saturation, all_heads_written_out)
{
    for (int n = 2; n <= 4; n++) {
        for (int speedup = 1; speedup <= 3; speedup++) {
            double a[MOST_HEADS] = {1}, b[MOST_HEADS], got = 0;
            for (int cycle = 0; cycle < 60; cycle++) {
                served_of(n, speedup, a, b);
                got = served_of(n, speedup, b, a);
            }
            assert_relative(saturation(n, speedup), got, 1e-13, "%d ports, speedup %d: %.17g", n,
                            speedup, got);
        }
    }
}

/* Oie et al.; and the limit for many ports, with the term in 1/n subtracted. */
Test(formula_saturation, limits)
{
    static const double known[] = {0.585786438, 0.88454, 0.97550, 0.99559};

    for (int speedup = 1; speedup <= 4; speedup++) {
        double limit = swq_hol_saturation_limit(speedup), few = saturation(15, speedup),
               many = saturation(30, speedup);
        cr_assert_float_eq(limit, known[speedup - 1], 6e-6, "%d: %.9f", speedup, limit);
        cr_assert(few > many && many > limit);
        cr_assert_float_eq(2 * many - few, limit, 4e-4, "%d: %.9f", speedup, 2 * many - few);
        if (speedup > 1)
            cr_assert(limit > swq_hol_saturation_limit(speedup - 1));
    }
    cr_assert(isnan(swq_hol_saturation_limit(0)));
    cr_assert_eq(saturation(5, 5), 1);
}

Test(formula_saturation, bad_input)
{
    double throughput = 7;

    cr_assert_eq(swq_hol_saturation(ctx, 0, 1, &throughput), SWQ_EINVAL);
    cr_assert_eq(swq_hol_saturation(ctx, 41, 1, &throughput), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "ports") && strstr(swq_context_message(ctx), "41"));
    cr_assert_eq(swq_hol_saturation(ctx, 4, 0, &throughput), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "speedup"));
    swq_context_cancel(ctx);
    cr_assert_eq(swq_hol_saturation(ctx, 4, 1, &throughput), SWQ_ECANCELLED);
    cr_assert_eq(throughput, 7);
}

Test(formula_saturation, every_allocation_may_fail)
{
    double throughput = 7;
    size_t k = 0;

    for (;; k++) {
        swq_context_fail_allocations(ctx, k, false);
        swq_status status = swq_hol_saturation(ctx, 6, 1, &throughput);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        if (status == SWQ_OK)
            break;
        cr_assert_eq(status, SWQ_ENOMEM);
        cr_assert_eq(throughput, 7);
    }
    cr_assert(k >= 4);
}
