/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every preset, arbiter, flow and credit on small switches against the brute-force reference in
 * tests/ref, which lists every packet, shares no code with the generator and was written without
 * sight of it. All answers must agree to 1e-12 relatively. Not pinned: numbers of states, since the
 * reference does not defer destinations.
 */
#include "tests/support/support.h"
#include "tests/support/to_reference.h"

TestSuite(reference, .timeout = 480);

static void compare_answers(const swq_switch *sw, const ref_answer *ref, bool reduce,
                            const char *what)
{
    const ref_answer expected = *ref;
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;
    const double tolerance = 1e-12;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));

    assert_relative(a.discard.value, expected.discard_probability, tolerance,
                    "%s: discard %.17g %.17g", what, a.discard.value, expected.discard_probability);
    cr_assert(a.discard.lower <= expected.discard_probability * (1 + 1e-14) &&
                  expected.discard_probability <= a.discard.upper * (1 + 1e-14),
              "%s: bounds", what);
    assert_relative(a.refusal, expected.refusal_probability, tolerance, "%s: refusal", what);
    assert_relative(a.throughput.value, expected.throughput, tolerance, "%s: throughput", what);
    assert_relative(a.mean_packets, expected.mean_packets, tolerance, "%s: packets", what);
    assert_relative(a.mean_held, expected.mean_held, tolerance, "%s: held", what);
    for (int i = 0; i < sw->ports; i++)
        assert_relative(a.discard_input[i], expected.discard_input[i], tolerance, "%s: input %d",
                        what, i);
    for (int j = 0; j < sw->ports; j++) {
        assert_relative(a.refusal_output[j], expected.refusal_output[j], tolerance,
                        "%s: refusal, output %d", what, j);
        cr_assert_eq(a.discard_output[j], sw->flow == SWQ_DISCARD ? a.refusal_output[j] : 0);
        assert_relative(a.throughput_output[j], expected.throughput_output[j], tolerance,
                        "%s: throughput of output %d", what, j);
        assert_relative(a.waiting_output[j], expected.waiting_output[j], tolerance,
                        "%s: waiting for output %d: %.17g %.17g", what, j, a.waiting_output[j],
                        expected.waiting_output[j]);
    }
    for (int b = 0; b < a.buffers; b++) {
        assert_relative(a.full[b], expected.full_probability[b], tolerance, "%s: full %d", what, b);
        for (int k = 0; k <= a.capacity; k++)
            assert_relative(a.occupancy[b * (a.capacity + 1) + k], expected.occupancy[b][k],
                            tolerance, "%s: buffer %d holds %d", what, b, k);
    }
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* Returns false if the reference finds the case too large. */
static bool compare(const swq_switch *sw, const char *what)
{
    static ref_answer expected;
    ref_switch r = to_reference(sw);
    if (ref_solve(&r, &expected) != 0)
        return false;
    compare_answers(sw, &expected, false, what);
    compare_answers(sw, &expected, true, what);
    return true;
}

static int compare_flows(swq_switch sw, const char *name)
{
    int done = 0;
    char what[160];

    for (int flow = SWQ_DISCARD; flow <= SWQ_BLOCK; flow++) {
        for (int credit = SWQ_CREDIT_SAME; credit <= SWQ_CREDIT_NEXT; credit++) {
            sw.flow = (swq_flow)flow;
            sw.credit = (swq_credit)credit;
            snprintf(what, sizeof what, "%s %dx%d capacity %d %s flow %d credit %d load %g", name,
                     sw.ports, sw.ports, sw.buffer.capacity, sw.arbiter->name, flow, credit,
                     sw.load[0]);
            done += compare(&sw, what);
        }
    }
    return done;
}

/* Unequal loads and destinations, so that symmetry can hide nothing. */
static void make_lopsided(swq_switch *sw)
{
    static const double dest[3][3] = {{0.6, 0.4, 0}, {0.25, 0.75, 0}, {0, 0, 1}};
    static const double dest3[3][3] = {{0.5, 0.3, 0.2}, {0.1, 0.2, 0.7}, {0.4, 0.4, 0.2}};

    for (int i = 0; i < sw->ports; i++) {
        sw->load[i] = 0.9 - 0.25 * i;
        for (int j = 0; j < sw->ports; j++)
            sw->dest[i][j] = sw->ports == 3 ? dest3[i][j] : dest[i][j];
    }
}

/* All of one preset's cases for 2x2: every arbiter, uniform and unequal traffic. */
static void compare_preset(const char *name, int least, int most, int step)
{
    swq_context *ctx = swq_context_new();
    int done = 0;

    for (int slots = least; slots <= most; slots += step) {
        for (int k = 0; swq_arbiters[k]; k++) {
            swq_switch sw = test_switch(ctx, name, 2, slots, 0.7, swq_arbiters[k]->name);
            done += compare_flows(sw, name);
            make_lopsided(&sw);
            done += compare_flows(sw, name);
        }
    }
    cr_assert(done >= 7 * 8, "only %d cases were small enough", done);
    swq_context_free(ctx);
}

Test(reference, fifo)
{
    compare_preset("fifo", 1, 3, 1);
}

Test(reference, samq)
{
    compare_preset("samq", 2, 4, 2);
}

Test(reference, safc)
{
    compare_preset("safc", 2, 4, 2);
}

Test(reference, damq)
{
    compare_preset("damq", 1, 3, 1);
}

Test(reference, dafc)
{
    compare_preset("dafc", 1, 3, 1);
}

Test(reference, cbda)
{
    compare_preset("cbda", 1, 3, 1);
}

/* The other pool rule, reserved slots, caps and dynamic thresholds. */
Test(reference, parameters)
{
    swq_context *ctx = swq_context_new();
    int done = 0;

    for (int lopsided = 0; lopsided < 2; lopsided++) {
        swq_switch pool = test_switch(ctx, "cbda", 2, 3, 0.8, "random");
        if (lopsided)
            make_lopsided(&pool);
        for (int variant = 0; variant < 6; variant++) {
            swq_switch sw = pool;
            sw.buffer.pool_rule = variant % 2 ? &swq_pool_ports : &swq_pool_room;
            if (variant >= 2)
                sw.buffer.queue_max = 4;
            if (variant >= 4)
                sw.buffer.queue_min = 1;
            done += compare_flows(sw, "cbda variant");
            sw.buffer.alpha = 0.75;
            done += compare_flows(sw, "cbda alpha");
        }
        swq_switch damq = test_switch(ctx, "damq", 2, 4, 0.8, "longest");
        if (lopsided)
            make_lopsided(&damq);
        damq.buffer.queue_max = 3;
        done += compare_flows(damq, "damq capped");
        damq.buffer.queue_min = 1;
        done += compare_flows(damq, "damq reserved");
        damq.buffer.queue_min = 0;
        damq.buffer.alpha = 1;
        done += compare_flows(damq, "damq threshold");
        swq_switch fifo = test_switch(ctx, "fifo", 2, 3, 0.8, "random");
        fifo.buffer.alpha = 2;
        done += compare_flows(fifo, "fifo threshold");
    }
    cr_assert(done >= 80, "only %d cases were small enough", done);
    swq_context_free(ctx);
}

Test(reference, three_ports)
{
    static const struct {
        const char *buffer;
        int slots;
    } cases[] = {{"fifo", 1}, {"damq", 1}, {"dafc", 1}, {"cbda", 1}, {"damq", 2}, {"cbda", 2}};
    swq_context *ctx = swq_context_new();
    int done = 0;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int k = 0; swq_arbiters[k]; k++) {
            swq_switch sw =
                test_switch(ctx, cases[c].buffer, 3, cases[c].slots, 0.8, swq_arbiters[k]->name);
            if (k % 2)
                make_lopsided(&sw);
            if (cases[c].slots == 1 && strcmp(cases[c].buffer, "cbda") != 0 && k < 3)
                done += compare_flows(sw, cases[c].buffer);
            else
                done += compare(&sw, cases[c].buffer);
        }
    }
    cr_assert(done >= 50, "only %d cases were small enough", done);
    swq_context_free(ctx);
}
