/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains of every architecture in stage cycles against the reference that lists every packet
 * (tests/ref/ref_steps.h), which was written from docs/switches.md without sight of them: loss,
 * throughput, packets and delay, reduced and not, to 1e-12 relatively; and delays' distributions.
 */
#include "tests/support/step_cases.h"
#include "tests/support/support.h"

TestSuite(exact_steps, .timeout = 240);

static void expect(double is, double expected, const char *what, const char *quantity)
{
    assert_relative(is, expected, 1e-12, "%s: %s %.15g, not %.15g", what, quantity, is, expected);
}

static void compare_answers(const swq_answers *a, const swq_switch *sw, const ref_steps_answer *r,
                            const char *what)
{
    expect(a->refusal, r->refusal, what, "refusal");
    expect(a->discard.value, sw->flow == SWQ_DISCARD ? r->refusal : 0, what, "discard");
    expect(a->throughput.value, r->throughput, what, "throughput");
    expect(a->mean_packets, r->mean_packets, what, "packets");
    expect(a->mean_delay, r->mean_delay, what, "delay");
    expect(a->mean_held, r->mean_held, what, "held");
    for (int k = 0; k < sw->ports; k++) {
        expect(a->refusal_input[k], r->refusal_input[k], what, "refusal of an input");
        expect(a->refusal_output[k], r->refusal_output[k], what, "refusal of an output");
        expect(a->throughput_output[k], r->throughput_output[k], what, "an output's throughput");
        expect(a->waiting_output[k], r->waiting_output[k], what, "packets for an output");
    }
    cr_assert(a->discard.lower <= a->discard.value * (1 + 1e-14) &&
                  a->discard.value <= a->discard.upper * (1 + 1e-14),
              "%s: bounds", what);
}

static void compare_part(int part, int parts)
{
    swq_context *ctx = swq_context_new();

    for (int k = part; k < step_cases(); k += parts) {
        char what[160];
        const swq_switch sw = step_case(ctx, k, what, sizeof what);
        const ref_steps s = to_steps(&sw);
        ref_steps_answer r;
        cr_assert_eq(ref_steps_solve(&s, 0, &r), 0, "%s", what);
        for (int reduce = 0; reduce < 2; reduce++) {
            swq_exact_options options = swq_exact_options_defaults();
            swq_answers a;
            options.reduce = reduce;
            cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK, "%s: %s", what,
                         swq_context_message(ctx));
            compare_answers(&a, &sw, &r, what);
            swq_answers_clear(ctx, &a);
        }
    }
    swq_context_free(ctx);
}

Test(exact_steps, reference_0)
{
    compare_part(0, 3);
}

Test(exact_steps, reference_1)
{
    compare_part(1, 3);
}

Test(exact_steps, reference_2)
{
    compare_part(2, 3);
}

/* Fractions of packets that leave in their first, second, ... cycle. */
Test(exact_steps, delays)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < step_cases(); k += 7) {
        char what[160];
        const swq_switch sw = step_case(ctx, k, what, sizeof what);
        const ref_steps s = to_steps(&sw);
        const swq_exact_options options = swq_exact_options_defaults();
        const swq_packets_options packets = swq_packets_options_defaults();
        ref_steps_answer r;
        swq_delay d;
        if (sw.ports > 2)
            continue;
        cr_assert_eq(ref_steps_solve(&s, 1, &r), 0, "%s", what);
        cr_assert_eq(swq_exact_delay(ctx, &sw, &options, &packets, &d), SWQ_OK, "%s: %s", what,
                     swq_context_message(ctx));
        expect(d.mean.value, r.marked_delay, what, "mean of the delays");
        for (int t = 1; t <= STEPS_DELAYS && t <= d.most; t++)
            cr_assert(fabs(d.probability[t] - r.delay[t]) < 1e-13, "%s: %d cycles %.15g %.15g",
                      what, t, d.probability[t], r.delay[t]);
        swq_delay_clear(ctx, &d);
    }
    swq_context_free(ctx);
}
