/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold of every answer: tiny values right in relative terms, conservation, Little's law,
 * bounds that hold and are tight, edges of the parameter range, failures without a trace.
 */
#include "exact/plausible.h"
#include "tests/support/support.h"

#include <stdint.h>

TestSuite(answers, .timeout = 480);

static const char *const presets[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};

/* Values for which general methods lose digits: from gth on independent builds, with 11 and 8
 * digits. */
Test(answers, tiny_values)
{
    swq_context *ctx = swq_context_new();
    const struct {
        const char *buffer;
        int slots;
        double load, discard, tolerance;
    } cases[] = {
        {"damq", 6, 0.25, 5.490632028e-12, 1e-10},
        {"damq", 8, 0.25, 9.66229475551e-16, 1e-12},
        {"damq", 10, 0.1, 1.4181419e-28, 1e-7},
        {"damq", 4, 0.01, 5.1844157721626284e-20, 1e-12}, /* exact rational arithmetic */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_switch sw =
            test_switch(ctx, cases[c].buffer, 2, cases[c].slots, cases[c].load, "random");
        assert_relative(test_discard(&sw), cases[c].discard, cases[c].tolerance,
                        "%s %d at %g: %.17g", cases[c].buffer, cases[c].slots, cases[c].load,
                        test_discard(&sw));
    }
    swq_context_free(ctx);
}

/* FIFO-1 at load p -> 0 is p^2 / 4; three powers further than most tools reach. */
Test(answers, loads_down_to_1e_minus_30)
{
    swq_context *ctx = swq_context_new();
    for (double p = 1e-30; p < 1e-3; p *= 1000) {
        swq_switch sw = test_switch(ctx, "fifo", 2, 1, p, "random");
        assert_relative(test_discard(&sw), p * p / (2 * (p * p - p + 2)), 1e-13, "p = %g", p);
        sw = test_switch(ctx, "damq", 2, 4, p, "random");
        swq_answers auto_ = test_solve(ctx, &sw, "sparse-gth"), gth = test_solve(ctx, &sw, "gth");
        assert_relative(auto_.discard.value, gth.discard.value, 1e-12, "damq 4 at %g", p);
        cr_assert(gth.discard.value > 0, "damq 4 at %g", p);
        swq_answers_clear(ctx, &auto_);
        swq_answers_clear(ctx, &gth);
    }
    swq_context_free(ctx);
}

/* The default bounds hold everywhere on the 2x2 grid, and all elimination methods agree. */
Test(answers, bounds_are_tight_and_solvers_agree)
{
    const double load[] = {0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};
    swq_context *ctx = swq_context_new();

    for (size_t b = 0; b < sizeof presets / sizeof *presets; b++) {
        for (int slots = 2; slots <= 6; slots += 2) {
            for (size_t l = 0; l < sizeof load / sizeof *load; l++) {
                swq_switch sw = test_switch(ctx, presets[b], 2, slots, load[l], "random");
                swq_answers a = test_solve(ctx, &sw, "sparse-gth"), g = test_solve(ctx, &sw, "gth");
                double width = (a.discard.upper - a.discard.lower) / a.discard.value;
                cr_assert(width < 1e-9, "%s %d at %g: width %g", presets[b], slots, load[l], width);
                cr_assert(a.discard.lower <= g.discard.value && g.discard.value <= a.discard.upper,
                          "%s %d at %g: gth outside", presets[b], slots, load[l]);
                assert_relative(a.discard.value, g.discard.value, 1e-12, "%s %d at %g", presets[b],
                                slots, load[l]);
                swq_answers_clear(ctx, &a);
                swq_answers_clear(ctx, &g);
            }
        }
    }
    swq_context_free(ctx);
}

/* Accepted = sent; occupancies are distributions with the reported mean; Little's law. */
Test(answers, conservation)
{
    swq_context *ctx = swq_context_new();

    for (size_t b = 0; b < sizeof presets / sizeof *presets; b++) {
        for (int k = 0; swq_arbiters[k]; k++) {
            for (int flow = 0; flow < 4; flow++) {
                swq_switch sw = test_switch(ctx, presets[b], 2, 4, 0.8, swq_arbiters[k]->name);
                sw.load[1] = 0.6;
                sw.flow = flow / 2 ? SWQ_BLOCK : SWQ_DISCARD;
                sw.credit = flow % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 1), SWQ_OK);
                swq_answers a = test_solve(ctx, &sw, "auto");
                double packets = 0;
                for (int i = 0; i < a.buffers; i++) {
                    double sum = 0;
                    for (int n = 0; n <= a.capacity; n++) {
                        sum += a.occupancy[i * (a.capacity + 1) + n];
                        packets += n * a.occupancy[i * (a.capacity + 1) + n];
                    }
                    assert_relative(sum, 1, 1e-13, "%s buffer %d sums to %.17g", presets[b], i,
                                    sum);
                }
                assert_relative(packets, a.mean_packets, 1e-12, "%s mean packets", presets[b]);
                double accepted = 2 * a.throughput.value;
                assert_relative(a.mean_delay, 1 + a.mean_packets / accepted, 1e-12, "Little's law");
                if (sw.flow == SWQ_DISCARD) {
                    assert_relative(accepted, 1.4 * (1 - a.discard.value), 1e-12, "%s throughput",
                                    presets[b]);
                } else {
                    /* a source creates when it holds nothing: held + created / rate = 1 */
                    assert_relative(a.mean_source_wait * accepted, a.mean_held, 1e-12, "held");
                    /* with more offered, no less is sent; not so for pointers that may
                     * synchronize */
                    bool monotone = strcmp(sw.arbiter->name, "islip") != 0;
                    cr_assert(!monotone || a.saturation.value >= a.throughput.value * (1 - 1e-9),
                              "%s %s", presets[b], swq_arbiters[k]->name);
                    cr_assert(a.saturation.value > 0.5 && a.saturation.value <= 1);
                }
                swq_answers_clear(ctx, &a);
            }
        }
    }
    swq_context_free(ctx);
}

Test(answers, nothing_offered)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0, "random");
    swq_answers a = test_solve(ctx, &sw, "auto");

    cr_assert_eq(a.states, 1);
    cr_assert_eq(a.discard.value, 0);
    cr_assert_eq(a.discard.upper, 0);
    cr_assert_eq(a.throughput.value, 0);
    cr_assert(isnan(a.mean_delay));
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* Each input to an output of its own: nothing can ever be lost, and the answer is exactly zero. */
Test(answers, permutation_loses_nothing)
{
    swq_context *ctx = swq_context_new();
    const double straight[] = {1, 0, 0, 1};
    for (size_t b = 0; b < sizeof presets / sizeof *presets; b++) {
        swq_switch sw = test_switch(ctx, presets[b], 2, 2, 1, "random");
        cr_assert_eq(swq_traffic_matrix(ctx, &sw, straight), SWQ_OK);
        swq_answers a = test_solve(ctx, &sw, "auto");
        cr_assert_eq(a.discard.value, 0, "%s", presets[b]);
        cr_assert_eq(a.discard.upper, 0, "%s", presets[b]);
        assert_relative(a.throughput.value, 1, 1e-13, "%s", presets[b]);
        swq_answers_clear(ctx, &a);
    }
    swq_context_free(ctx);
}

/* A load at which the empty switch is left for good: transient states have probability exactly
 * zero. */
Test(answers, transient_states)
{
    swq_context *ctx = swq_context_new();
    const double both_to_first[] = {1, 0, 1, 0};
    swq_switch sw = test_switch(ctx, "fifo", 2, 3, 1, "random");
    cr_assert_eq(swq_traffic_matrix(ctx, &sw, both_to_first), SWQ_OK);
    swq_answers a = test_solve(ctx, &sw, "auto");

    cr_assert(a.transient > 0);
    cr_assert_eq(a.occupancy[0], 0, "input 0 is never empty");
    assert_relative(a.throughput.value, 0.5, 1e-13, "one output works, one idles");
    assert_relative(a.discard.value, 0.5, 1e-13, "half is lost");
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* A value given as a probability that is none is an error, and named. */
Test(answers, no_probability_is_above_one)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.8, "random");
    swq_answers good = test_solve(ctx, &sw, "auto");
    double *const field[] = {
        &good.discard.value,       &good.throughput.value,  &good.refusal,
        &good.refusal_input[1],    &good.refusal_output[1], &good.throughput_output[0],
        &good.occupancy[2 * 3 - 1]};

    cr_assert_eq(swq_answers_check(ctx, &good, 2), SWQ_OK, "%s", swq_context_message(ctx));
    for (size_t k = 0; k < sizeof field / sizeof *field; k++) {
        const double was = *field[k];
        *field[k] = 1.001;
        cr_assert_eq(swq_answers_check(ctx, &good, 2), SWQ_EINTERNAL, "field %zu", k);
        *field[k] = -0.001;
        cr_assert_eq(swq_answers_check(ctx, &good, 2), SWQ_EINTERNAL, "field %zu", k);
        *field[k] = was;
    }
    swq_answers_clear(ctx, &good);
    swq_context_free(ctx);
}

/* Every allocation fails once, and then for good from each point on: a clean status, and no
 * leak. */
static void fail_all_allocations(swq_switch sw, const char *solver, bool for_good)
{
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    swq_status status = SWQ_ENOMEM;
    size_t k;

    cr_assert_eq(swq_solver_find(ctx, solver, &options.solver), SWQ_OK);
    for (k = 0; status == SWQ_ENOMEM; k++) {
        swq_answers answers;
        memset(&answers, 0x5a, sizeof answers);
        swq_context_fail_allocations(ctx, k, for_good);
        status = swq_exact_solve(ctx, &sw, &options, &answers);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        if (status == SWQ_OK) {
            swq_answers_clear(ctx, &answers);
        } else {
            cr_assert_eq(status, SWQ_ENOMEM, "allocation %zu: %s", k, swq_status_text(status));
            cr_assert_eq(*(unsigned char *)&answers, 0x5a, "allocation %zu: output touched", k);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu leaked", k);
    }
    cr_assert(k > 20, "only %zu allocations", k);
    swq_context_free(ctx);
}

Test(answers, allocation_failure)
{
    swq_context *ctx = swq_context_new();
    for (int s = 1; swq_solvers[s]; s++) {
        swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.8, "random");
        fail_all_allocations(sw, swq_solvers[s]->name, false);
        fail_all_allocations(sw, swq_solvers[s]->name, true);
    }
    swq_switch transient = test_switch(ctx, "fifo", 2, 3, 1, "random");
    transient.flow = SWQ_BLOCK;
    fail_all_allocations(transient, "auto", false);
    swq_context_free(ctx);
}

Test(answers, memory_limit)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 4, 4, 0.8, "random");
    swq_answers answers;
    swq_exact_options options = swq_exact_options_defaults();

    options.reduce = false;
    swq_context_limit_memory(ctx, 64 << 20);
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &answers), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "states and takes about"), "%s",
              swq_context_message(ctx));
    cr_assert_eq(swq_context_peak_bytes(ctx) > 1 << 20, false, "memory was taken first");
    swq_context_free(ctx);
}
