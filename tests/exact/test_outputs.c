/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers by output: what they must add up to, under traffic that tells outputs apart, with and
 * without symmetry. That they are right one by one is asserted in test_against_reference.c.
 */
#include "tests/ref/ref_switch.h"
#include "tests/support/support.h"

TestSuite(outputs, .timeout = 480);

static swq_answers solve(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

/* An output's throughput is what is created for it minus what is lost; packets wait for some
 * output. */
static void check_sums(const swq_switch *sw, const swq_answers *a, const char *what)
{
    double sent = 0, waiting = 0, lost = 0, created = 0;

    for (int j = 0; j < sw->ports; j++) {
        double offered = 0;
        for (int i = 0; i < sw->ports; i++)
            offered += sw->load[i] * sw->dest[i][j];
        if (sw->flow == SWQ_DISCARD)
            assert_relative(a->throughput_output[j], offered * (1 - a->discard_output[j]), 1e-12,
                            "%s: output %d", what, j);
        cr_assert(a->throughput_output[j] <= 1 + 1e-12);
        sent += a->throughput_output[j];
        waiting += a->waiting_output[j];
        lost += offered * a->discard_output[j];
        created += offered;
    }
    assert_relative(sent, sw->ports * a->throughput.value, 1e-12, "%s: sent", what);
    assert_relative(waiting, a->mean_packets, 1e-12, "%s: waiting", what);
    assert_relative(lost / created, a->discard.value, 1e-11, "%s: lost", what);
}

Test(outputs, sums)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};
    static const char *const arbiters[] = {"random", "islip", "maximum"};
    swq_context *ctx = swq_context_new();
    char what[100];

    for (int k = 0; k < 72; k++) {
        const char *buffer = buffers[k % 6], *arbiter = arbiters[k / 6 % 3];
        int ports = strcmp(arbiter, "islip") == 0 || k % 2 ? 2 : 3;
        swq_switch sw = test_switch(ctx, buffer, ports, ports, 0.8, arbiter);
        sw.flow = k / 18 % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.credit = k % 5 == 0 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        if (strcmp(buffer, "fifo") == 0 || strcmp(buffer, "damq") == 0)
            sw.buffer.capacity = sw.buffer.queue_max = 2;
        if (k / 36)
            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.25, 1), SWQ_OK);
        swq_answers a = solve(ctx, &sw, true);
        snprintf(what, sizeof what, "%s %s %d ports, %d", buffer, arbiter, ports, k);
        check_sums(&sw, &a, what);
        if (k / 36)
            cr_assert(a.waiting_output[1] > a.waiting_output[0] &&
                          a.throughput_output[1] > a.throughput_output[0],
                      "%s: the hot output", what);
        else
            assert_relative(a.refusal_output[0], a.refusal_output[1], 1e-12, "%s: alike", what);
        if (a.states < 5000 && a.unreduced < 5000) {
            swq_answers b = solve(ctx, &sw, false);
            for (int j = 0; j < ports; j++) {
                assert_relative(a.refusal_output[j], b.refusal_output[j], 1e-11, "%s", what);
                assert_relative(a.waiting_output[j], b.waiting_output[j], 1e-11, "%s", what);
                assert_relative(a.throughput_output[j], b.throughput_output[j], 1e-11, "%s", what);
            }
            swq_answers_clear(ctx, &b);
        }
        swq_answers_clear(ctx, &a);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Inputs and outputs that can only be permuted together: the symmetry is a list, not a product of
 * classes. */
Test(outputs, turning_together)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};
    swq_context *ctx = swq_context_new();
    const double turning[] = {0.625, 0.25, 0.125, 0.125, 0.625, 0.25, 0.25, 0.125, 0.625};

    for (int k = 0; k < 3; k++) {
        swq_switch sw = test_switch(ctx, buffers[k], 3, 1, 0.7, "random");
        cr_assert_eq(swq_traffic_matrix(ctx, &sw, turning), SWQ_OK);
        swq_answers a = solve(ctx, &sw, true), b = solve(ctx, &sw, false);
        cr_assert_lt(a.states, b.states);
        check_sums(&sw, &a, buffers[k]);
        for (int j = 0; j < 3; j++) {
            assert_relative(a.refusal_output[j], b.refusal_output[j], 1e-11, "%s", buffers[k]);
            assert_relative(a.waiting_output[j], b.waiting_output[j], 1e-11, "%s", buffers[k]);
        }
        swq_answers_clear(ctx, &a);
        swq_answers_clear(ctx, &b);
    }
    swq_context_free(ctx);
}

/* FIFOs lose packets whatever their destination; separate queues lose those for the hot output. */
Test(outputs, who_pays_for_the_hot_spot)
{
    swq_context *ctx = swq_context_new();
    swq_switch fifo = test_switch(ctx, "fifo", 2, 4, 0.7, "random");
    swq_switch samq = test_switch(ctx, "samq", 2, 4, 0.7, "random");

    cr_assert_eq(swq_traffic_hotspot(ctx, &fifo, 0.3, 0), SWQ_OK);
    cr_assert_eq(swq_traffic_hotspot(ctx, &samq, 0.3, 0), SWQ_OK);
    swq_answers a = solve(ctx, &fifo, true), b = solve(ctx, &samq, true);
    assert_relative(a.discard_output[0], a.discard_output[1], 1e-13, "FIFO");
    cr_assert(b.discard_output[0] > 5 * b.discard_output[1], "SAMQ %g %g", b.discard_output[0],
              b.discard_output[1]);
    swq_answers_clear(ctx, &a);
    swq_answers_clear(ctx, &b);
    swq_context_free(ctx);
}
