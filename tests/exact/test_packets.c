/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delays of accepted packets and losses in a row: against the brute force in tests/ref, which
 * follows lists of packets and counts runs from their first loss; against closed forms; Little's
 * law, which the distribution of the delay does not use; the simulator for larger switches;
 * failures without a trace.
 */
#include "switchq/packets.h"
#include "tests/ref/ref_packets.h"
#include "tests/support/support.h"

#include <stdint.h>
#include <stdio.h>

TestSuite(packets, .timeout = 480);

static swq_delay delay_of(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_packets_options packets = swq_packets_options_defaults();
    swq_delay d;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_delay(ctx, sw, &options, &packets, &d), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return d;
}

static swq_losses losses_of(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_packets_options packets = swq_packets_options_defaults();
    swq_losses l;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_losses(ctx, sw, &options, &packets, &l), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return l;
}

/* The reference iterates in long double until nothing changes any more, which leaves an error of
 * about this size. */
#define REFERENCE 1e-13

static void compare_delay(swq_context *ctx, const swq_switch *sw, const ref_packets_answer *ref,
                          bool reduce, const char *what)
{
    swq_delay d = delay_of(ctx, sw, reduce);

    cr_assert(d.complete, "%s", what);
    for (int64_t k = 0; k <= d.most && k <= REF_PACKETS_MOST; k++)
        assert_relative(d.probability[k], ref->delay[k], REFERENCE + d.relative_error,
                        "%s: delay %d: %.17g, not %.17g", what, (int)k, d.probability[k],
                        ref->delay[k]);
    for (int i = 0; i < 2 && !reduce; i++) { /* reduced: means of classes */
        assert_relative(d.mean_input[i], ref->mean_input[i], 1e-12, "%s: input %d", what, i);
        assert_relative(d.mean_output[i], ref->mean_output[i], 1e-12, "%s: output %d", what, i);
    }
    swq_delay_clear(ctx, &d);
}

static void compare_losses(swq_context *ctx, const swq_switch *sw, const ref_packets_answer *ref,
                           bool reduce, const char *what)
{
    swq_losses l = losses_of(ctx, sw, reduce);

    cr_assert(l.complete, "%s", what);
    for (int i = 0; i < 2; i++) {
        const swq_loss_runs *r = &l.input[i];
        double mean = 0;
        assert_relative(r->loss.value, ref->loss[i], REFERENCE + l.relative_error, "%s: loss",
                        what);
        if (ref->loss[i] == 0)
            continue;
        assert_relative(r->repeat.value, ref->repeat[i], REFERENCE + l.relative_error,
                        "%s: repeat %.17g %.17g", what, r->repeat.value, ref->repeat[i]);
        for (int64_t k = 1; k <= r->most && k <= REF_PACKETS_MOST; k++) {
            double off = fabs(r->probability[k] - ref->run[i][k]);
            mean += (double)k * ref->run[i][k];
            cr_assert(off <= (REFERENCE + l.relative_error) * (r->longer[k - 1] + r->longer[k]),
                      "%s: %d in a row: %.17g, not %.17g", what, (int)k, r->probability[k],
                      ref->run[i][k]);
        }
        assert_relative(r->length.value, mean, 1e-12, "%s: mean in a row %.17g %.17g", what,
                        r->length.value, mean);
    }
    swq_losses_clear(ctx, &l);
}

static void compare(const swq_switch *sw, const char *what)
{
    static ref_packets_answer expected;
    swq_context *ctx = swq_context_new();
    ref_packets spec = {.one_queue = sw->buffer.queues == SWQ_ONE_QUEUE,
                        .read_each = sw->buffer.read == SWQ_READ_EACH_QUEUE,
                        .capacity = sw->buffer.capacity,
                        .queue_max = sw->buffer.queue_max,
                        .block = sw->flow == SWQ_BLOCK,
                        .arbiter = sw->arbiter->name};

    for (int i = 0; i < 2; i++) {
        spec.load[i] = sw->load[i];
        memcpy(spec.dest[i], sw->dest[i], sizeof spec.dest[i]);
    }
    cr_assert_eq(ref_packets_solve(&spec, &expected), 0);
    for (int reduce = 0; reduce < 2; reduce++) {
        compare_delay(ctx, sw, &expected, reduce, what);
        if (sw->flow == SWQ_DISCARD)
            compare_losses(ctx, sw, &expected, reduce, what);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s: leaked", what);
    swq_context_free(ctx);
}

Test(packets, against_reference)
{
    static const struct {
        const char *buffer;
        int slots;
    } buffers[] = {{"fifo", 1}, {"fifo", 2}, {"fifo", 3}, {"damq", 1}, {"damq", 2}, {"damq", 3},
                   {"samq", 2}, {"samq", 4}, {"safc", 2}, {"safc", 4}, {"dafc", 3}};
    static const char *const arbiters[] = {"random", "longest", "fixed", "random-outputs"};
    swq_context *ctx = swq_context_new();
    char what[120];

    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++) {
        for (int variant = 0; variant < 4; variant++) {
            /* every arbiter with every traffic over the table, not with every buffer */
            const char *arbiter = arbiters[(b + (size_t)variant) % 4];
            swq_switch sw = test_switch(ctx, buffers[b].buffer, 2, buffers[b].slots, 0.75, arbiter);
            if (variant == 1 || variant == 3)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.25, 1), SWQ_OK);
            if (variant == 2) {
                sw.load[1] = 0.4;
                sw.dest[0][0] = 0.625;
                sw.dest[0][1] = 0.375;
            }
            snprintf(what, sizeof what, "%s %d %s variant %d", buffers[b].buffer, buffers[b].slots,
                     arbiter, variant);
            sw.flow = variant == 3 ? SWQ_BLOCK : SWQ_DISCARD;
            compare(&sw, what);
        }
    }
    swq_context_free(ctx);
}

/* In a FIFO-1 switch a packet that loses arbitration lets the other one leave, and competes with
 * whichever arrives there next. */
Test(packets, fifo_with_one_slot)
{
    swq_context *ctx = swq_context_new();

    for (int step = 1; step <= 10; step++) {
        double p = step / 10.0, blocked = p * p / 2 / (1 + p * p / 2 - p / 2);
        double other = (2 * p * (1 - blocked) + blocked) / (2 * (1 - blocked) + blocked);
        double stays = p / 4, repeat = p * stays / (1 - (1 - p) * stays);
        swq_switch sw = test_switch(ctx, "fifo", 2, 1, p, "random");
        swq_delay d = delay_of(ctx, &sw, true);
        swq_losses l = losses_of(ctx, &sw, true);
        for (int64_t k = 1; k <= d.most; k++)
            assert_relative(d.longer[k], other / 4 * pow(stays, (double)k - 1), 1e-13,
                            "load %g: longer than %d", p, (int)k);
        assert_relative(l.input[0].loss.value, p * p / (2 * (p * p - p + 2)), 1e-13, "load %g", p);
        assert_relative(l.input[0].repeat.value, repeat, 1e-13, "load %g", p);
        assert_relative(l.input[0].length.value, 1 / (1 - repeat), 1e-13, "load %g", p);
        for (int64_t k = 0; k <= l.input[0].most; k++)
            assert_relative(l.input[0].longer[k], pow(repeat, (double)k), 1e-12,
                            "load %g: more than %d in a row", p, (int)k);
        swq_delay_clear(ctx, &d);
        swq_losses_clear(ctx, &l);
    }
    swq_context_free(ctx);
}

static void check_distribution(const swq_delay *d, const swq_answers *a, const char *what)
{
    double sum = 0, mean = 0, square = 0;

    assert_relative(d->mean.value, a->mean_delay, 1e-12 + d->relative_error + a->relative_error,
                    "%s: mean delay %.17g, by Little's law %.17g", what, d->mean.value,
                    a->mean_delay);
    cr_assert(d->complete && isfinite(d->mean.upper), "%s", what);
    for (int64_t k = d->most; k >= 1; k--) {
        sum += d->probability[k];
        mean += (double)k * d->probability[k];
        square += (double)(k * k) * d->probability[k];
        assert_relative(sum + d->longer[d->most], d->longer[k - 1], 1e-12,
                        "%s: longer than %d: %.17g %.17g", what, (int)k - 1,
                        sum + d->longer[d->most], d->longer[k - 1]);
    }
    assert_relative(mean, d->mean.value, 1e-12, "%s: mean", what);
    cr_assert(fabs(square - mean * mean - d->variance.value) <= 1e-12 * square, "%s: variance",
              what);
    for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++) {
        int64_t v = d->percentile[p];
        double slowest = 1 - swq_delay_percentiles[p];
        cr_assert(v >= 1 && d->longer[v - 1] >= slowest && d->longer[v] < slowest, "%s: percentile",
                  what);
    }
}

Test(packets, littles_law)
{
    static const struct {
        const char *buffer;
        int ports, slots;
    } cases[] = {{"fifo", 2, 6}, {"damq", 2, 6}, {"samq", 2, 6}, {"safc", 2, 6}, {"dafc", 2, 6},
                 {"cbda", 2, 3}, {"damq", 3, 3}, {"fifo", 3, 4}, {"dafc", 3, 2}, {"cbda", 3, 2},
                 {"samq", 3, 3}, {"damq", 4, 2}, {"fifo", 6, 2}, {"damq", 6, 1}, {"damq", 8, 1}};
    swq_context *ctx = swq_context_new();
    char what[120];
    int done = 0;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int k = 0; swq_arbiters[k]; k++) {
            const swq_arbiter *arbiter = swq_arbiters[k];
            bool large = cases[c].ports > 2 && (arbiter->memory || !swq_arbiter_blind(arbiter));
            for (int flow = 0; flow < 4; flow++) {
                if ((large && flow) || (arbiter->memory && cases[c].ports > 2) ||
                    (cases[c].ports > 3 && (flow || k > 2)))
                    continue;
                /* remembered packets multiply the states, and such chains are not reduced */
                int slots = arbiter->memory ? 2 : cases[c].slots;
                swq_switch sw =
                    test_switch(ctx, cases[c].buffer, cases[c].ports, slots, 0.8, arbiter->name);
                if (k % 2 && cases[c].ports < 4)
                    cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 0), SWQ_OK);
                sw.flow = flow / 2 ? SWQ_BLOCK : SWQ_DISCARD;
                sw.credit = flow % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
                snprintf(what, sizeof what, "%s %dx%d %s flow %d", cases[c].buffer, sw.ports,
                         sw.ports, arbiter->name, flow);
                swq_answers a = test_solve(ctx, &sw, "auto");
                swq_delay d = delay_of(ctx, &sw, true);
                check_distribution(&d, &a, what);
                if (flow == 0 && cases[c].ports < 4) {
                    swq_losses l = losses_of(ctx, &sw, true);
                    for (int i = 0; i < sw.ports; i++) {
                        const swq_loss_runs *r = &l.input[i];
                        double mean = r->longer[0];
                        for (int64_t n = 1; n <= r->most; n++)
                            mean += r->longer[n];
                        assert_relative(r->loss.value, a.discard_input[i], 1e-11, "%s", what);
                        if (r->loss.value > 0) {
                            assert_relative(r->length.value, mean, 1e-11, "%s", what);
                            assert_relative(r->length.value, 1 / (1 - r->repeat.value), 1e-11, "%s",
                                            what);
                        }
                    }
                    swq_losses_clear(ctx, &l);
                }
                swq_delay_clear(ctx, &d);
                swq_answers_clear(ctx, &a);
                done++;
            }
        }
    }
    cr_assert(done >= 200, "only %d cases", done);
    swq_context_free(ctx);
}

Test(packets, nothing_offered_or_lost)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0, "random");
    swq_delay d = delay_of(ctx, &sw, true);
    swq_losses l = losses_of(ctx, &sw, true);

    cr_assert(d.complete && d.most == 0 && isnan(d.mean.value) && isnan(d.mean_input[0]));
    cr_assert(l.complete && l.input[0].loss.value == 0 && isnan(l.input[0].repeat.value));
    swq_delay_clear(ctx, &d);
    swq_losses_clear(ctx, &l);
    /* alone in the switch: every packet leaves at once, and none is lost */
    sw = test_switch(ctx, "fifo", 1, 1, 1, "random");
    d = delay_of(ctx, &sw, true);
    l = losses_of(ctx, &sw, true);
    cr_assert(d.most == 1 && d.probability[1] == 1 && d.longer[1] == 0);
    cr_assert_eq(d.mean.value, 1);
    cr_assert_eq(l.input[0].loss.value, 0);
    swq_delay_clear(ctx, &d);
    swq_losses_clear(ctx, &l);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(packets, rejected)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    swq_exact_options options = swq_exact_options_defaults();
    swq_packets_options packets = swq_packets_options_defaults();
    swq_delay d;
    swq_losses l;

    packets.tail = 0;
    cr_assert_eq(swq_exact_delay(ctx, &sw, &options, &packets, &d), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "tail"));
    packets.tail = 1e-9;
    packets.most = 0;
    cr_assert_eq(swq_exact_losses(ctx, &sw, &options, &packets, &l), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "most"));
    packets.most = 3;
    cr_assert_eq(swq_exact_delay(ctx, &sw, &options, &packets, &d), SWQ_OK);
    cr_assert(!d.complete && d.most == 3 && d.longer[3] > 0);
    swq_delay_clear(ctx, &d);
    sw.flow = SWQ_BLOCK;
    cr_assert_eq(swq_exact_losses(ctx, &sw, &options, &packets, &l), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "block"));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Every allocation fails in turn, once and for good. */
static void fail_each(const char *buffer, const char *arbiter, bool losses)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_packets_options packets = swq_packets_options_defaults();

    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t after = 0; status != SWQ_OK; after++) {
            swq_context *ctx = swq_context_new();
            swq_switch sw = test_switch(ctx, buffer, 2, 2, 0.7, arbiter);
            swq_delay d = {.most = -5};
            swq_losses l = {.ports = -5};
            swq_context_fail_allocations(ctx, after, for_good);
            status = losses ? swq_exact_losses(ctx, &sw, &options, &packets, &l)
                            : swq_exact_delay(ctx, &sw, &options, &packets, &d);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%s", swq_context_message(ctx));
            if (status)
                cr_assert(d.most == -5 && l.ports == -5, "outputs touched");
            else if (losses)
                swq_losses_clear(ctx, &l);
            else
                swq_delay_clear(ctx, &d);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "leaked after %zu", after);
            swq_context_free(ctx);
        }
    }
}

Test(packets, failing_allocations)
{
    for (int losses = 0; losses < 2; losses++) {
        fail_each("damq", "random", losses);
        fail_each("fifo", "islip", losses);
        fail_each("cbda", "random", losses);
    }
}
