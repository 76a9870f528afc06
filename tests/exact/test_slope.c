/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Derivatives by the load: against closed forms, against differences of high order of whole
 * solutions, and what must hold of the flows they are made of.
 */
#include "tests/support/support.h"

#include <stdint.h>

TestSuite(slope, .timeout = 480);

static swq_answers solve(swq_context *ctx, const swq_switch *sw, bool reduce, const char *solver)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = reduce;
    options.slope = true;
    cr_assert_eq(swq_solver_find(ctx, solver, &options.solver), SWQ_OK);
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

/* FIFO-1: D = p^2 / (2 (p^2 - p + 2)); from 1e-9 to just below 1. */
Test(slope, fifo_of_one_slot)
{
    swq_context *ctx = swq_context_new();
    const double load[] = {1e-9, 1e-4, 0.25, 0.5, 0.75, 1 - 0x1p-10, 1 - 0x1p-40};

    for (int k = 0; k < 7; k++) {
        long double p = load[k], under = p * p - p + 2;
        long double expected = (2 * p * under - p * p * (2 * p - 1)) / (2 * under * under);
        swq_switch sw = test_switch(ctx, "fifo", 2, 1, load[k], "random");
        for (int reduce = 0; reduce < 2; reduce++) {
            swq_answers a = solve(ctx, &sw, reduce, "auto");
            assert_relative(a.slope_by_load.value, (double)expected, 1e-13, "p %g: %.17g %.17Lg",
                            load[k], a.slope_by_load.value, expected);
            assert_relative(a.slope.value, (double)(p * expected), 1e-13, "p %g", load[k]);
            cr_assert(fabsl(a.slope_by_load.value - expected) <= a.slope_by_load.error);
            cr_assert(a.slope_by_load.error <= 1e-10L * expected, "p %g: bound %g", load[k],
                      a.slope_by_load.error);
            swq_answers_clear(ctx, &a);
        }
    }
    swq_context_free(ctx);
}

/* SAFC with one slot per queue: D = a^2 / (2 (a^2 - a + 1)), a = p / 2. */
Test(slope, safc_of_two_slots)
{
    swq_context *ctx = swq_context_new();

    for (int k = 1; k < 20; k++) {
        long double p = 0.05 * k, a = p / 2, under = a * a - a + 1;
        long double expected = (2 * a * under - a * a * (2 * a - 1)) / (4 * under * under);
        swq_switch sw = test_switch(ctx, "safc", 2, 2, (double)p, "random");
        swq_answers s = solve(ctx, &sw, true, "auto");
        assert_relative(s.slope_by_load.value, (double)expected, 1e-13, "p %Lg", p);
        swq_answers_clear(ctx, &s);
    }
    swq_context_free(ctx);
}

static double headline(swq_context *ctx, const swq_switch *sw, double log_factor)
{
    swq_switch scaled = *sw;
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    for (int i = 0; i < sw->ports; i++)
        scaled.load[i] *= exp(log_factor);
    cr_assert_eq(swq_exact_solve(ctx, &scaled, &options, &a), SWQ_OK, "%s",
                 swq_context_message(ctx));
    double value = sw->flow == SWQ_BLOCK ? a.throughput.value : a.discard.value;
    swq_answers_clear(ctx, &a);
    return value;
}

/* Central differences of eighth order. */
static double difference(swq_context *ctx, const swq_switch *sw)
{
    const double weight[] = {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 0.004;
    double sum = 0;

    for (int k = 1; k <= 4; k++)
        sum += weight[k] * (headline(ctx, sw, k * h) - headline(ctx, sw, -k * h));
    return sum / h;
}

Test(slope, differences)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
    } cases[] = {{"fifo", "random", 2, 3}, {"samq", "longest", 2, 4}, {"safc", "maximum", 2, 4},
                 {"damq", "random", 2, 4}, {"dafc", "fixed", 2, 3},   {"cbda", "random", 2, 3},
                 {"damq", "islip", 2, 2},  {"fifo", "random", 3, 2},  {"cbda", "random", 3, 2},
                 {"damq", "random", 3, 2}};
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int variant = 0; variant < 6; variant++) {
            swq_switch sw = test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots,
                                        variant == 5 ? 0.2 : 0.8, cases[c].arbiter);
            sw.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant == 3 || variant == 4 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (variant >= 2 && variant < 4)
                sw.load[1] = 0.5;
            if (variant >= 4)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 1), SWQ_OK);
            swq_answers a = solve(ctx, &sw, true, "auto"),
                        b = solve(ctx, &sw, false, "aggregation");
            double expected = difference(ctx, &sw);
            assert_relative(a.slope.value, expected, 1e-9, "%s variant %d: %.15g %.15g",
                            cases[c].buffer, variant, a.slope.value, expected);
            assert_relative(b.slope.value, a.slope.value, 1e-10, "%s variant %d, not reduced",
                            cases[c].buffer, variant);
            cr_assert(fabs(a.slope.value - b.slope.value) <= a.slope.error + b.slope.error);
            cr_assert(a.slope.error <= 1e-7 * a.slope.value);
            cr_assert_eq(isnan(a.slope_by_load.value), variant == 2 || variant == 3);
            swq_answers_clear(ctx, &a);
            swq_answers_clear(ctx, &b);
        }
    }
    swq_context_free(ctx);
}

/* Losses of 1e-16 keep their digits: the slope is about ten times the loss. */
Test(slope, tiny)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 8, 0.25, "random");
    swq_answers a = solve(ctx, &sw, true, "auto");

    assert_relative(a.slope.value, difference(ctx, &sw), 1e-8, "%g", a.slope.value);
    cr_assert(a.slope.error < 1e-8 * a.slope.value);
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* With nothing refused, nothing created, or a load that cannot grow. */
Test(slope, edges)
{
    swq_context *ctx = swq_context_new();
    const double straight[] = {1, 0, 0, 1};
    swq_slopes slopes = {.receptions = 77};
    swq_chain *chain;
    swq_switch sw = test_switch(ctx, "fifo", 2, 2, 0.7, "random");

    cr_assert_eq(swq_traffic_matrix(ctx, &sw, straight), SWQ_OK);
    swq_answers a = solve(ctx, &sw, true, "auto");
    cr_assert(a.slope.value == 0, "%g", a.slope.value);
    swq_answers_clear(ctx, &a);
    sw.load[1] = 1;
    a = solve(ctx, &sw, true, "auto");
    cr_assert(isnan(a.slope.value));
    swq_answers_clear(ctx, &a);
    cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_OK);
    cr_assert_eq(swq_chain_slopes(ctx, chain, &slopes), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "input 1"), "%s", swq_context_message(ctx));
    cr_assert_eq(slopes.receptions, 77, "the output was touched");
    swq_chain_free(ctx, chain);
    sw.load[0] = sw.load[1] = 0;
    a = solve(ctx, &sw, true, "auto");
    cr_assert(isnan(a.slope.value));
    swq_answers_clear(ctx, &a);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static double row_sum(const swq_csr *m, int64_t i)
{
    double sum = 0;

    for (int64_t e = m->start ? m->start[i] : 0; m->start && e < m->start[i + 1]; e++)
        sum += m->value[e];
    return sum;
}

/* Rows of a factor still sum to one: what creations gain, idle sources lose. */
Test(slope, rows_balance)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};
    swq_context *ctx = swq_context_new();

    for (int b = 0; b < 3; b++) {
        for (int flow = 0; flow < 2; flow++) {
            swq_switch sw = test_switch(ctx, buffers[b], 3, 1, 0.6, "random");
            swq_chain *chain;
            swq_slopes slopes;
            sw.load[1] = 0.3;
            sw.flow = flow ? SWQ_BLOCK : SWQ_DISCARD;
            cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_OK);
            int64_t states = swq_chain_states(chain);
            cr_assert_eq(swq_chain_slopes(ctx, chain, &slopes), SWQ_OK);
            cr_assert_eq(swq_chain_states(chain), states, "states were added");
            for (int k = 0; k < slopes.receptions; k++) {
                for (int64_t i = 0; i < slopes.created[k].rows; i++)
                    assert_relative(row_sum(&slopes.created[k], i), row_sum(&slopes.idle[k], i),
                                    1e-14, "%s factor %d row %lld", buffers[b], k, (long long)i);
            }
            swq_slopes_clear(ctx, &slopes);
            swq_chain_free(ctx, chain);
        }
    }
    swq_context_free(ctx);
}

/* Every allocation fails, once and for good, with all of the answers requested. */
Test(slope, every_allocation_failing)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();

    options.variance = options.slope = true;
    for (int kind = 0; kind < 12; kind++) {
        swq_switch sw =
            test_switch(ctx, buffers[kind % 3], 2, kind % 3 == 2 ? 1 : 2, 0.7, "random");
        sw.flow = kind / 3 % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        cr_assert_eq(swq_solver_find(ctx, kind / 6 ? "aggregation" : "gth", &options.solver),
                     SWQ_OK);
        for (size_t after = 0;; after++) {
            swq_answers a = {.buffers = 77};
            swq_context_fail_allocations(ctx, after, kind / 3 % 2);
            swq_status status = swq_exact_solve(ctx, &sw, &options, &a);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            if (!status) {
                swq_answers_clear(ctx, &a);
                cr_assert_gt(after, 100);
                break;
            }
            cr_assert_eq(status, SWQ_ENOMEM, "after %zu: %d", after, status);
            cr_assert_eq(a.buffers, 77, "the output was touched");
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "leaked after %zu", after);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    swq_context_free(ctx);
}
