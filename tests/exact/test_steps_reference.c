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

static void compare_one(swq_context *ctx, const swq_switch *sw, const char *what)
{
    const ref_steps s = to_steps(sw);
    swq_answers a = test_solve(ctx, sw, "auto");
    ref_steps_answer r;

    cr_assert_eq(ref_steps_solve(&s, 0, &r), 0, "%s", what);
    compare_answers(&a, sw, &r, what);
    swq_answers_clear(ctx, &a);
}

/* A cioq or input-crosspoint switch of the list, which the caller then changes. */
static swq_switch a_case(swq_context *ctx, const char *begins)
{
    char what[160];

    for (int k = 0; k < step_cases(); k++) {
        const swq_switch sw = step_case(ctx, k, what, sizeof what);
        if (strncmp(what, begins, strlen(begins)) == 0)
            return sw;
    }
    cr_assert(false, "no %s", begins);
    return (swq_switch){0};
}

/* Reserved slots, caps, thresholds and rounds. */
Test(exact_steps, limits_and_iterations)
{
    static const char *const begins[] = {"cioq damq-2, longest",
                                         "input-crosspoint damq-2, longest"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2; k++) {
        for (int limits = 0; limits < 3; limits++) {
            swq_switch sw = a_case(ctx, begins[k]);
            sw.credit = limits == 1 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            sw.output_slots = sw.output_slots ? 1 : 0; /* no more states than the reference takes */
            sw.buffer.capacity = 3;
            sw.buffer.queue_max = limits < 2 ? 2 : 3;
            sw.buffer.queue_min = limits == 1;
            sw.buffer.alpha = limits == 2 ? 1.5 : 0;
            compare_one(ctx, &sw, begins[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        swq_switch sw = a_case(ctx, "cioq damq-1, random, 3 ports");
        cr_assert_eq(swq_arbiter_find(ctx, "pim", &sw.arbiter), SWQ_OK);
        sw.speedup = 1 + k;
        sw.iterations = 2;
        compare_one(ctx, &sw, "pim, two rounds");
    }
    swq_context_free(ctx);
}

/* With a speedup of n and room behind it a crossbar is no obstacle: packets wait as in unlimited
 * output queues, (n - 1) / n p / (2 (1 - p)) cycles (Karol, Hluchyj and Morgan 1987). */
Test(exact_steps, full_speedup_is_output_queueing)
{
    swq_context *ctx = swq_context_new();
    double before = 1;

    for (int b = 4; b <= 16; b += 4) {
        swq_switch sw = a_case(ctx, "cioq damq-2, random");
        sw.speedup = 2;
        sw.output_slots = b;
        sw.load[0] = sw.load[1] = 0.5;
        swq_traffic_uniform(&sw);
        swq_answers a = test_solve(ctx, &sw, "auto");
        const double off = fabs(a.mean_delay - (1 + 0.5 * 0.5 / (2 * (1 - 0.5))));
        cr_assert_lt(off, before / 10, "%d slots: %.3g off", b, off);
        cr_assert_lt(a.discard.value, before / 10, "%d slots lose %.3g", b, a.discard.value);
        before = off;
        swq_answers_clear(ctx, &a);
    }
    cr_assert_lt(before, 1e-7, "%g", before);
    swq_context_free(ctx);
}

static void same_answers(swq_context *ctx, const swq_switch *a, const swq_switch *b,
                         const char *what)
{
    swq_answers is = test_solve(ctx, a, "auto"), other = test_solve(ctx, b, "auto");

    expect(is.refusal, other.refusal, what, "refusal");
    expect(is.throughput.value, other.throughput.value, what, "throughput");
    expect(is.mean_packets, other.mean_packets, what, "packets");
    expect(is.mean_delay, other.mean_delay, what, "delay");
    for (int k = 0; k < a->ports; k++)
        expect(is.refusal_input[k], other.refusal_input[k], what, "refusal of an input");
    swq_answers_clear(ctx, &is);
    swq_answers_clear(ctx, &other);
}

/* With one phase a packet leaves its output queue in the cycle in which it enters: the switch
 * equals the input-queued one, whatever room there is behind. */
Test(exact_steps, one_phase_is_input_queueing)
{
    static const char *const begins[] = {"cioq damq-2, longest", "cioq fifo-2, random",
                                         "cioq damq-2, max-weight", "cioq safc-2, random",
                                         "cioq damq-2, rotating"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 5; k++) {
        for (int c = 0; c < 8; c++) {
            swq_switch sw = a_case(ctx, begins[k]), plain;
            sw.speedup = 1;
            sw.output_slots = 1 + c % 2 * 2;
            sw.flow = c / 2 % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = c / 4 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            plain = sw;
            plain.speedup = plain.output_slots = 0;
            cr_assert_eq(
                swq_architecture_find(ctx, "input-queued", SWQ_ENGINE_SYNC, &plain.architecture),
                SWQ_OK);
            same_answers(ctx, &sw, &plain, begins[k]);
        }
    }
    swq_context_free(ctx);
}

/* Crosspoints served at random: safc's queues, of which as many as possible send. */
Test(exact_steps, random_crosspoints_are_safc)
{
    swq_context *ctx = swq_context_new();

    for (int c = 1; c <= 2; c++) {
        swq_switch sw = a_case(ctx, "crosspoint -0, random, 2 ports");
        swq_switch safc = test_switch(ctx, "safc", 2, 2 * c, 0, "maximum");
        sw.crosspoint_slots = c;
        swq_switch_own_memory(&sw);
        memcpy(safc.load, sw.load, sizeof safc.load);
        memcpy(safc.dest, sw.dest, sizeof safc.dest);
        safc.flow = sw.flow;
        safc.credit = sw.credit;
        same_answers(ctx, &sw, &safc, "crosspoint");
    }
    swq_context_free(ctx);
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
