/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/ref_steps.c by itself, and against what was there before it: input-queued switches'
 * chains, Hluchyj and Karol's output queue, hand-written cases.
 */
#include "tests/ref/ref_steps.h"
#include "tests/support/support.h"

TestSuite(ref_steps, .timeout = 120);

/* Inputs and outputs differ, so that errors do not cancel. */
static void lopsided(ref_steps *s, double load)
{
    for (int i = 0; i < s->ports; i++) {
        s->load[i] = load * (1 - i / 4.0);
        for (int j = 0; j < s->ports; j++)
            s->dest[i][j] = 0.75 / s->ports + (j == i ? 0.25 * i : 0);
        s->dest[i][s->ports - 1] += 0.25 * (1 - i);
    }
}

static ref_steps a_switch(ref_steps_kind kind, int ports, const char *arbiter, double load)
{
    ref_steps s = {.kind = kind,
                   .ports = ports,
                   .queue_per_output = 1,
                   .capacity = 2,
                   .output_slots = 2,
                   .crosspoint_slots = 1,
                   .speedup = 1,
                   .arbiter = arbiter,
                   .iterations = 1};
    lopsided(&s, load);
    return s;
}

static ref_steps_answer solve(const ref_steps *s, int follow)
{
    ref_steps_answer a;

    cr_assert_eq(ref_steps_solve(s, follow, &a), 0, "kind %d", (int)s->kind);
    return a;
}

/* The input-queued switch of the library. */
static swq_switch to_library(const ref_steps *s, const char *buffer, int slots)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, buffer, s->ports, slots, 0, s->arbiter);

    sw.flow = s->block ? SWQ_BLOCK : SWQ_DISCARD;
    sw.credit = s->credit_next ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    for (int i = 0; i < s->ports; i++) {
        sw.load[i] = s->load[i];
        for (int j = 0; j < s->ports; j++)
            sw.dest[i][j] = s->dest[i][j];
    }
    swq_context_free(ctx);
    return sw;
}

static void expect_library(const ref_steps *s, const swq_switch *sw)
{
    swq_context *ctx = swq_context_new();
    const ref_steps_answer r = solve(s, 0);
    swq_answers a = test_solve(ctx, sw, "auto");

    assert_relative(a.refusal, r.refusal, 1e-12, "%s: refusal %.15g %.15g", s->arbiter, a.refusal,
                    r.refusal);
    assert_relative(a.throughput.value, r.throughput, 1e-12, "%s: throughput", s->arbiter);
    assert_relative(a.mean_packets, r.mean_packets, 1e-12, "%s: packets", s->arbiter);
    assert_relative(a.mean_delay, r.mean_delay, 1e-12, "%s: delay", s->arbiter);
    assert_relative(a.mean_held, r.mean_held, 1e-12, "%s: held", s->arbiter);
    for (int k = 0; k < s->ports; k++) {
        assert_relative(a.refusal_input[k], r.refusal_input[k], 1e-12, "%s: input %d", s->arbiter,
                        k);
        assert_relative(a.refusal_output[k], r.refusal_output[k], 1e-12, "%s: output %d",
                        s->arbiter, k);
        assert_relative(a.throughput_output[k], r.throughput_output[k], 1e-12, "%s: output %d",
                        s->arbiter, k);
    }
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

static const char *const arbiters[] = {"random",  "random-outputs",  "longest",    "fixed",
                                       "maximum", "maximum-longest", "max-weight", "islip",
                                       "pim",     "rotating",        "advancing"};
enum { ARBITERS = sizeof arbiters / sizeof *arbiters };

/* One phase, whatever the room behind it: the switch of model.md. */
Test(ref_steps, one_phase_is_input_queued)
{
    static const char *const buffers[] = {"damq", "fifo", "safc", "dafc"};

    for (int k = 0; k < ARBITERS; k++) {
        ref_steps s = a_switch(STEPS_CIOQ, 2, arbiters[k], 0.8);
        s.queue_per_output = k % 4 != 1;
        s.read_all = k % 4 > 1;
        s.queue_max = k % 4 == 2 ? 1 : 0;
        s.output_slots = 1 + k % 3;
        s.block = k / 2 % 2;
        s.credit_next = k % 2;
        const swq_switch sw = to_library(&s, buffers[k % 4], 2);
        expect_library(&s, &sw);
        s.kind = STEPS_INPUT_QUEUED;
        s.output_slots = 0;
        expect_library(&s, &sw);
    }
}

Test(ref_steps, crosspoints_that_serve_at_random_are_safc)
{
    for (int mode = 0; mode < 4; mode++) {
        for (int slots = 1; slots <= 2; slots++) {
            ref_steps s = a_switch(STEPS_CROSSPOINT, 2, "random", 0.9);
            s.crosspoint_slots = slots;
            s.block = mode / 2;
            s.credit_next = mode % 2;
            swq_switch sw = to_library(&s, "safc", 2 * slots);
            cr_assert_eq(swq_arbiter_find(NULL, "maximum", &sw.arbiter), SWQ_OK);
            expect_library(&s, &sw);
        }
    }
}

/* Hluchyj and Karol 1988: Q' = min(max(0, Q + A - 1), b - 1), A binomial; b counts before the
 * departure here. */
static double output_queue_loss(int n, double load, int b)
{
    double a[8] = {0}, q[16] = {1}, sum = 1;
    const double p = load / n;
    const int most = b - 1;

    for (int k = 0; k <= n; k++)
        a[k] = tgamma(n + 1) / tgamma(k + 1) / tgamma(n - k + 1) * pow(p, k) * pow(1 - p, n - k);
    for (int m = 1; m <= most; m++) {
        q[m] = q[m - 1];
        for (int j = 0; j < m; j++)
            q[m] -= m - j < 8 ? a[m - j] * q[j] : 0;
        if (m == 1)
            q[m] -= a[0]; /* an empty queue stays empty with no packet and with one */
        q[m] /= a[0];
        sum += q[m];
    }
    return 1 - (1 - a[0] / sum) / load;
}

Test(ref_steps, output_queues_are_hluchyj_and_karols)
{
    for (int n = 2; n <= 3; n++) {
        for (int b = 1; b <= 4 - (n > 2); b++) {
            ref_steps s = a_switch(STEPS_OUTPUT_QUEUED, n, "random", 0.8);
            s.output_slots = b;
            for (int i = 0; i < n; i++) {
                s.load[i] = 0.8;
                for (int j = 0; j < n; j++)
                    s.dest[i][j] = 1.0 / n;
            }
            const ref_steps_answer a = solve(&s, 0);
            assert_relative(a.refusal, output_queue_loss(n, 0.8, b), 1e-11, "%d, %d: %.15g %.15g",
                            n, b, a.refusal, output_queue_loss(n, 0.8, b));
        }
    }
}

/* By hand, one slot each: both packets come with 1/4 each way; the queue takes one of two. */
Test(ref_steps, one_output_slot_loses_what_comes_second)
{
    ref_steps s = a_switch(STEPS_OUTPUT_QUEUED, 2, "random", 1);
    s.output_slots = 1;
    s.load[0] = s.load[1] = 1;
    s.dest[0][0] = s.dest[0][1] = s.dest[1][0] = s.dest[1][1] = 0.5;
    ref_steps_answer a = solve(&s, 1);
    assert_relative(a.refusal, 0.25, 1e-15, "%g", a.refusal);
    assert_relative(a.delay[1], 1, 1e-15, "%g", a.delay[1]);
    /* it blocks the other one, whose output is the same in the next cycle: a source's destination
     * is free with probability 1/2 again, unless both hold for ... which one slot never allows */
    s.block = 1;
    a = solve(&s, 0);
    assert_relative(a.throughput, 0.75, 1e-15, "%g", a.throughput);
}

/* Little's law, and packets followed individually: two ways to the mean delay. */
Test(ref_steps, little_and_marked_packets)
{
    for (int kind = STEPS_INPUT_QUEUED; kind <= STEPS_CIOQ; kind++) {
        for (int mode = 0; mode < 8; mode++) {
            ref_steps s = a_switch((ref_steps_kind)kind, 2, mode % 2 ? "islip" : "random", 0.9);
            s.block = mode / 2 % 2;
            s.credit_next = s.block;
            s.departures_first = mode / 4;
            s.speedup = 2;
            s.capacity = mode % 2 ? 1 : 2;
            s.output_slots = kind == STEPS_CIOQ && mode % 2 ? 1 : 2;
            if (mode / 4 && kind != STEPS_CIOQ && kind != STEPS_INPUT_CROSSPOINT)
                continue;
            const ref_steps_answer a = solve(&s, 1);
            assert_relative(a.mean_delay, a.marked_delay, 1e-12, "kind %d, mode %d: %.15g %.15g",
                            kind, mode, a.mean_delay, a.marked_delay);
        }
    }
}

/* Every packet spends a cycle behind the crossbar if departures come first. */
Test(ref_steps, departures_first_take_two_cycles)
{
    ref_steps s = a_switch(STEPS_CIOQ, 2, "random", 0.5);
    s.departures_first = 1;
    cr_assert_eq(solve(&s, 1).delay[1], 0);
    s.kind = STEPS_INPUT_CROSSPOINT;
    cr_assert_eq(solve(&s, 1).delay[1], 0);
    s.departures_first = 0;
    cr_assert_gt(solve(&s, 1).delay[1], 0.5);
}

/* A switch of one port is a pipe; S = n empties the inputs into output queues that are large
 * enough. */
Test(ref_steps, full_speedup_loses_nothing)
{
    ref_steps s = a_switch(STEPS_CIOQ, 2, "random", 0.7);
    s.speedup = 2;
    s.output_slots = 2;
    const double first = solve(&s, 0).refusal;
    s.output_slots = 4;
    const double second = solve(&s, 0).refusal;
    s.output_slots = 6;
    const double third = solve(&s, 0).refusal;
    cr_assert(first > 3 * second && second > 3 * third, "%g %g %g", first, second, third);
}

/* b counts before the departure: one slot is empty between cycles. */
Test(ref_steps, one_slot_behind_the_crossbar_is_empty_between_cycles)
{
    ref_steps s = a_switch(STEPS_CIOQ, 2, "random", 0.9);
    s.speedup = 2;
    s.output_slots = 1;
    cr_assert_eq(solve(&s, 0).mean_behind, 0);
    s.output_slots = 2;
    cr_assert_gt(solve(&s, 0).mean_behind, 0.1);
}
