/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains with bursty sources: against a reference that lists every packet (tests/ref/ref_bursts.h),
 * against closed forms, against themselves without bursts and made in other ways.
 */
#include "switchq/chain.h"
#include "switchq/packets.h"
#include "switchq/rational.h"
#include "tests/ref/ref_bursts.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

TestSuite(bursts, .timeout = 240);

static swq_switch bursty(swq_context *ctx, const char *buffer, int ports, int slots, double load,
                         double burst)
{
    swq_switch sw = test_switch(ctx, buffer, ports, slots, load, "random");

    sw.burst = burst;
    return sw;
}

static swq_answers solve(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

/* Unequal loads and destinations, so that symmetry can hide nothing. */
static void make_lopsided(swq_switch *sw)
{
    static const double dest[3][3] = {{0.6, 0.4, 0}, {0.25, 0.75, 0}, {0, 0, 1}};

    for (int i = 0; i < sw->ports; i++) {
        sw->load[i] = 0.9 - 0.25 * i;
        for (int j = 0; j < sw->ports; j++)
            sw->dest[i][j] = dest[i][j];
    }
}

/* ---- the reference ---- */

static ref_bursts reference_of(const swq_switch *sw)
{
    ref_bursts r = {.ports = sw->ports,
                    .pool = sw->buffer.scope == SWQ_POOL,
                    .queue_per_output = sw->buffer.queues != SWQ_ONE_QUEUE,
                    .read_all = sw->buffer.read == SWQ_READ_EACH_QUEUE,
                    .capacity = sw->buffer.capacity,
                    .longest = strcmp(sw->arbiter->name, "longest") == 0,
                    .block = sw->flow == SWQ_BLOCK,
                    .credit_next = sw->credit == SWQ_CREDIT_NEXT,
                    .burst = sw->burst};

    for (int i = 0; i < sw->ports; i++) {
        r.load[i] = sw->load[i];
        for (int j = 0; j < sw->ports; j++)
            r.dest[i][j] = sw->dest[i][j];
    }
    return r;
}

static void same(double value, double expected, const char *what, const char *where)
{
    cr_expect(fabs(value - expected) <= 1e-12 + 1e-11 * expected, "%s: %s is %.15g, not %.15g",
              where, what, value, expected);
}

static void compare(swq_context *ctx, const swq_switch *sw, const char *where)
{
    ref_bursts_answer r;
    ref_bursts reference = reference_of(sw);
    const int n = sw->ports;

    cr_assert_eq(ref_bursts_solve(&reference, &r), 0, "%s: the reference gives up", where);
    for (int reduce = 0; reduce < 2; reduce++) {
        swq_answers a = solve(ctx, sw, reduce);
        double packets = 0, in = 0, out = 0;
        for (int i = 0; i < n; i++) {
            packets += r.waiting_for[i];
            in += r.accepted[i];
            out += r.refused[i];
        }
        for (int i = 0; i < n; i++) {
            same(a.refusal_input[i], r.refused[i] / (r.refused[i] + r.accepted[i]), "refusal",
                 where);
            same(a.throughput_output[i], r.sent_to[i], "sent", where);
            same(a.waiting_output[i], r.waiting_for[i], "waiting", where);
            same(a.refusal_output[i], r.refused_to[i] / (r.refused_to[i] + r.sent_to[i]),
                 "refused for an output", where);
        }
        for (int b = 0; b < a.buffers; b++)
            same(a.full[b], r.full[b], "full", where);
        same(a.mean_packets, packets, "mean packets", where);
        same(a.mean_held, r.held, "mean held", where);
        same(a.mean_delay, 1 + packets / in, "mean delay", where);
        same(a.throughput.value, in / n, "throughput", where);
        same(a.refusal, out / (in + out), "refusals", where);
        if (sw->flow == SWQ_DISCARD)
            same(a.discard.value, out / (in + out), "discards", where);
        swq_answers_clear(ctx, &a);
    }
}

/* Flow controls and credits in turn; traffic and arbiter too. */
static void compare_buffer(const char *buffer, int slots)
{
    swq_context *ctx = swq_context_new();
    char where[120];

    for (int k = 0; k < 8; k++) {
        swq_switch sw = bursty(ctx, buffer, 2, slots, 0.8, k % 3 == 0 ? 3 : 1.5);
        sw.flow = k & 1 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.credit = k & 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        if (k & 4)
            make_lopsided(&sw);
        if (k % 3 == 1)
            cr_assert_eq(swq_arbiter_find(ctx, "longest", &sw.arbiter), SWQ_OK);
        snprintf(where, sizeof where, "%s-%d, case %d", buffer, slots, k);
        compare(ctx, &sw, where);
    }
    swq_context_free(ctx);
}

Test(bursts, fifo_lists_every_packet)
{
    compare_buffer("fifo", 1);
    compare_buffer("fifo", 2);
}

Test(bursts, damq_lists_every_packet)
{
    compare_buffer("damq", 1);
    compare_buffer("damq", 2);
}

Test(bursts, dafc_lists_every_packet)
{
    compare_buffer("dafc", 2);
}

Test(bursts, pools_list_every_packet)
{
    compare_buffer("cbda", 1);
    compare_buffer("cbda", 2);
}

/* Three packets in a FIFO queue are the least number that has bits for two pairs. */
Test(bursts, longer_fifo_lists_every_packet)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2; k++) {
        swq_switch sw = bursty(ctx, "fifo", 2, 3, 0.8, 2);
        if (k)
            make_lopsided(&sw);
        compare(ctx, &sw, "fifo-3");
    }
    swq_context_free(ctx);
}

Test(bursts, three_ports_list_every_packet)
{
    swq_context *ctx = swq_context_new();
    static const char *const buffers[] = {"fifo", "damq"};

    for (int k = 0; k < 2; k++) {
        swq_switch sw = bursty(ctx, buffers[k], 3, 1, 0.7, 3);
        compare(ctx, &sw, buffers[k]);
    }
    swq_context_free(ctx);
}

/* ---- no bursts ---- */

/* Bursts of one packet are no bursts, and bursts of nearly one are nearly none. */
Test(bursts, of_one_packet_change_nothing)
{
    static const char *const buffers[] = {"fifo", "damq", "safc", "cbda"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 8; k++) {
        swq_switch sw = bursty(ctx, buffers[k / 2], 2, 2, 0.8, 0);
        sw.flow = k % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        swq_answers none = solve(ctx, &sw, true);
        sw.burst = 1;
        swq_answers one = solve(ctx, &sw, true);
        sw.burst = 1 + 0x1p-42;
        swq_answers nearly = solve(ctx, &sw, true);
        cr_expect_eq(one.states, none.states);
        cr_expect_eq(one.refusal, none.refusal);
        cr_expect_eq(one.mean_packets, none.mean_packets);
        cr_expect_gt(nearly.states, none.states);
        assert_relative(nearly.refusal, none.refusal, 1e-11, "%s", buffers[k / 2]);
        assert_relative(nearly.mean_packets, none.mean_packets, 1e-11, "%s", buffers[k / 2]);
        assert_relative(nearly.throughput.value, none.throughput.value, 1e-11, "%s",
                        buffers[k / 2]);
        swq_answers_clear(ctx, &none);
        swq_answers_clear(ctx, &one);
        swq_answers_clear(ctx, &nearly);
    }
    swq_context_free(ctx);
}

/* ---- closed forms ---- */

/* Two saturated FIFO inputs: let r = 1 / (2 B) be the probability that a new head has another
 * destination than the last. Heads that differ both leave, and the next two are equal with
 * probability 2 r (1 - r); of equal heads one leaves, and they differ next with probability r. So
 * the throughput is (2 - r) / (3 - 2 r) = (4 B - 1) / (6 B - 2). */
Test(bursts, saturated_fifo)
{
    static const struct {
        const char *burst, *throughput;
    } cases[] = {
        {"1", "3/4"}, {"2", "7/10"}, {"3", "11/16"}, {"7/2", "13/19"}, {"1e5", "399999/599998"}};
    swq_context *ctx = swq_context_new();
    char text[80];

    for (int slots = 1; slots <= 3; slots++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            swq_switch sw = test_switch(ctx, "fifo", 2, slots, 1, "random");
            swq_rational_traffic t = {
                .load = {"1", "1"}, .pattern = SWQ_RATIONAL_UNIFORM, .burst = cases[k].burst};
            swq_rational_answers a;
            sw.flow = SWQ_BLOCK;
            cr_assert_eq(swq_rational_solve(ctx, &sw, &t, true, &a), SWQ_OK, "%s",
                         swq_context_message(ctx));
            snprintf(text, sizeof text, "%s/%s", a.throughput.numerator, a.throughput.denominator);
            cr_expect_str_eq(text, cases[k].throughput, "burst %s, %d slots: %s", cases[k].burst,
                             slots, text);
            swq_rational_answers_clear(ctx, &a);
        }
    }
    swq_context_free(ctx);
}

/* All packets of n inputs go to one output whose queue is practically unlimited: with g the
 * correlation of what an input creates in two consecutive cycles, (1 - 1/B) (1 - a), the squares of
 * the queue's length before and after a cycle give its mean, n (n - 1) load^2 / (2 (1 - n load)) (1
 * + g) / (1 - g). */
Test(bursts, one_output_without_end)
{
    swq_context *ctx = swq_context_new();

    for (int n = 2; n <= 3; n++) {
        for (int b = 1; b <= 3; b++) {
            const double load = 0.6 / n, begin = load / (load + b * (1 - load));
            const double g = (1 - 1.0 / b) * (1 - begin);
            const double mean =
                n * (n - 1) * load * load / (2 * (1 - n * load)) * (1 + g) / (1 - g);
            swq_switch sw = bursty(ctx, "cbda", n, 150 / n, load, b);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++)
                    sw.dest[i][j] = j == 0;
            }
            swq_answers a = solve(ctx, &sw, true);
            assert_relative(a.mean_packets, mean, 1e-9, "%d inputs, bursts of %d: %.12g, not %.12g",
                            n, b, a.mean_packets, mean);
            swq_answers_clear(ctx, &a);
        }
    }
    swq_context_free(ctx);
}

/* ---- the same by other methods ---- */

/* In fractions, which have an enumeration of their own; both flow controls. */
Test(bursts, fractions)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 6; k++) {
        swq_switch sw = bursty(ctx, buffers[k / 2], 2, 2, 0.75, 2.5);
        swq_rational_traffic t = {
            .load = {"3/4", "0.75"}, .pattern = SWQ_RATIONAL_UNIFORM, .burst = "5/2"};
        swq_rational_answers r;
        sw.flow = k % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.credit = k % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        swq_answers a = solve(ctx, &sw, true);
        cr_assert_eq(swq_rational_solve(ctx, &sw, &t, true, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        assert_relative(a.refusal, atof(r.refusal.decimal), 1e-12, "refusal");
        assert_relative(a.mean_packets, atof(r.mean_packets.decimal), 1e-12, "packets");
        if (k % 2) {
            assert_relative(a.mean_held, atof(r.mean_held.decimal), 1e-12, "held");
            assert_relative(a.saturation.value, atof(r.saturation.decimal), 1e-12, "saturation");
        }
        swq_answers_clear(ctx, &a);
        swq_rational_answers_clear(ctx, &r);
    }
    swq_context_free(ctx);
}

/* By rows and as a whole: the same states and rewards, and no more states than predicted. */
static void compare_rows(swq_context *ctx, const swq_switch *sw, bool reduce, int k)
{
    swq_chain *rows, *whole;
    swq_chain_size size;
    uint16_t words[100];

    cr_assert_eq(swq_chain_generate(ctx, sw, reduce, &rows), SWQ_OK);
    cr_assert_eq(swq_chain_generate_whole(ctx, sw, reduce, &whole), SWQ_OK);
    cr_assert_eq(swq_chain_foresee(ctx, sw, reduce, &size), SWQ_OK);
    int64_t n = swq_chain_states(rows);
    cr_expect_eq(n, swq_chain_states(whole), "case %d: %lld and %lld states", k, (long long)n,
                 (long long)swq_chain_states(whole));
    cr_expect_leq((double)n, size.states, "case %d: %lld states, %g foreseen", k, (long long)n,
                  size.states);
    for (int64_t s = 0; s < n; s++) {
        double got[3][SWQ_CHAIN_PORTS], expected[3][SWQ_CHAIN_PORTS];
        swq_chain_state(rows, s, words);
        int64_t at = swq_chain_find(ctx, whole, words);
        cr_assert_geq(at, 0, "case %d: a state is missing", k);
        swq_chain_outputs(rows, s, got[0], got[1], got[2]);
        swq_chain_outputs(whole, at, expected[0], expected[1], expected[2]);
        for (int q = 0; q < 3 * sw->ports; q++)
            assert_relative(got[q / sw->ports][q % sw->ports],
                            expected[q / sw->ports][q % sw->ports], 1e-13,
                            "case %d, expectation %d", k, q);
    }
    swq_chain_free(ctx, rows);
    swq_chain_free(ctx, whole);
}

Test(bursts, by_rows_as_whole)
{
    static const struct {
        const char *buffer;
        int ports, slots;
    } cases[] = {{"fifo", 2, 3}, {"damq", 2, 2}, {"safc", 2, 2}, {"fifo", 3, 1}, {"damq", 3, 1}};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 20; k++) {
        swq_switch sw =
            bursty(ctx, cases[k / 4].buffer, cases[k / 4].ports, cases[k / 4].slots, 0.8, 3);
        bool reduce = k & 1;
        sw.flow = k & 2 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.credit = k & 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        if (reduce && sw.ports == 2)
            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 1), SWQ_OK);
        compare_rows(ctx, &sw, reduce, k);
    }
    swq_context_free(ctx);
}

/* Behind the buffers as well: by rows as by the whole, and as in fractions; with bursts of one
 * packet as without bursts. */
Test(bursts, other_architectures)
{
    static const struct {
        const char *name, *buffer;
        int behind, speedup;
    } cases[] = {{"output-queued", "damq", 3, 0},
                 {"crosspoint", "damq", 2, 0},
                 {"input-crosspoint", "fifo", 1, 0},
                 {"input-crosspoint", "damq", 1, 0},
                 {"cioq", "fifo", 2, 2},
                 {"cioq", "damq", 2, 2}};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 24; k++) {
        swq_switch sw = bursty(ctx, cases[k / 4].buffer, 2, 2, 0.75, 2.5);
        swq_rational_traffic t = {
            .load = {"3/4", "0.75"}, .pattern = SWQ_RATIONAL_UNIFORM, .burst = "5/2"};
        swq_rational_answers r;
        cr_assert_eq(
            swq_architecture_find(ctx, cases[k / 4].name, SWQ_ENGINE_SYNC, &sw.architecture),
            SWQ_OK);
        sw.output_slots = sw.architecture->stage.output_queues ? cases[k / 4].behind : 0;
        sw.crosspoint_slots = sw.architecture->stage.crosspoints ? cases[k / 4].behind : 0;
        sw.speedup = cases[k / 4].speedup;
        sw.departures_first = cases[k / 4].speedup && k & 1;
        sw.flow = k & 2 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.credit = k & 2 && k & 1 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        swq_switch_own_memory(&sw);
        compare_rows(ctx, &sw, false, k);
        compare_rows(ctx, &sw, true, k);
        swq_answers a = solve(ctx, &sw, true);
        cr_assert_eq(swq_rational_solve(ctx, &sw, &t, true, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        assert_relative(a.refusal, atof(r.refusal.decimal), 1e-12, "case %d, refusal", k);
        assert_relative(a.mean_packets, atof(r.mean_packets.decimal), 1e-12, "case %d", k);
        swq_answers_clear(ctx, &a);
        swq_rational_answers_clear(ctx, &r);
    }
    swq_context_free(ctx);
}

/* Delays of marked packets: Little's law, which their computation does not use. Consecutive losses:
 * the loss, and the same with and without reduction, also in a pool, whose inputs have bursts of
 * their own. */
Test(bursts, single_packets)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    const swq_packets_options packets = swq_packets_options_defaults();

    for (int k = 0; k < 3; k++) {
        swq_switch sw = bursty(ctx, buffers[k], 2, 2, 0.8, 2);
        swq_answers a = solve(ctx, &sw, true);
        double again = 0;
        for (int reduce = 0; reduce < 2; reduce++) {
            swq_delay d;
            swq_losses l;
            options.reduce = reduce;
            cr_assert_eq(swq_exact_delay(ctx, &sw, &options, &packets, &d), SWQ_OK);
            assert_relative(d.mean.value, a.mean_delay, 1e-12, "%s: delay", buffers[k]);
            cr_assert_eq(swq_exact_losses(ctx, &sw, &options, &packets, &l), SWQ_OK);
            assert_relative(l.input[0].loss.value, a.discard.value, 1e-12, "%s: loss", buffers[k]);
            if (reduce)
                assert_relative(l.input[0].repeat.value, again, 1e-12, "%s: loss after a loss",
                                buffers[k]);
            again = l.input[0].repeat.value;
            cr_expect_gt(again, a.discard.value);
            swq_delay_clear(ctx, &d);
            swq_losses_clear(ctx, &l);
        }
        swq_answers_clear(ctx, &a);
    }
    swq_context_free(ctx);
}

static double headline(swq_context *ctx, const swq_switch *sw, double log_factor)
{
    swq_switch scaled = *sw;

    for (int i = 0; i < sw->ports; i++)
        scaled.load[i] *= exp(log_factor);
    swq_answers a = solve(ctx, &scaled, true);
    double value = sw->flow == SWQ_BLOCK ? a.throughput.value : a.discard.value;
    swq_answers_clear(ctx, &a);
    return value;
}

/* Compared with differences of fourth order. Gaps shrink when loads grow. */
Test(bursts, slopes)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};
    swq_context *ctx = swq_context_new();
    swq_exact_options options = swq_exact_options_defaults();
    const double h = 0x1p-9;

    options.slope = true;
    for (int k = 0; k < 6; k++) {
        swq_switch sw = bursty(ctx, buffers[k / 2], 2, 2, 0.6, 3);
        swq_answers a;
        sw.flow = k % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.load[1] = 0.8;
        double slope = (8 * (headline(ctx, &sw, h) - headline(ctx, &sw, -h)) -
                        (headline(ctx, &sw, 2 * h) - headline(ctx, &sw, -2 * h))) /
                       (12 * h);
        cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
        assert_relative(a.slope.value, slope, 1e-8, "%s, flow %d: %.12g, not %.12g", buffers[k / 2],
                        k % 2, a.slope.value, slope);
        swq_answers_clear(ctx, &a);
    }
    swq_context_free(ctx);
}

/* ---- refusals ---- */

Test(bursts, bad_bursts_are_named)
{
    swq_context *ctx = swq_context_new();
    swq_chain *chain = NULL;
    static const struct {
        const char *buffer;
        int slots;
        double burst;
        const char *word;
    } cases[] = {{"damq", 2, 0.5, "burst must be"},
                 {"damq", 2, NAN, "burst must be"},
                 {"damq", 2, 2e6, "burst must be"},
                 {"fifo", 17, 2, "at most 16 slots, not 17"}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw = bursty(ctx, cases[k].buffer, 2, cases[k].slots, 0.5, cases[k].burst);
        cr_expect_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].word), "%s", swq_context_message(ctx));
    }
    swq_context_free(ctx);
}
