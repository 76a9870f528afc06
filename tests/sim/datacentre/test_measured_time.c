/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is counted is that of the measured time, and nothing of the warm-up before or of the time in
 * which flows are completed afterwards: counts of the same events in parts of a time add up to
 * those of the whole time.
 */
#include "tests/sim/datacentre/runs.h"

#include <math.h>
#include <string.h>

TestSuite(datacentre_measured_time, .timeout = 120);

#define US UINT64_C(1000000) /* ps */

enum { PARTS = 50 };

/* 8 hosts at a switch, flows of 200 KB at 95% of what their lines carry. */
static swq_dc busy(const char *name)
{
    swq_dc dc = swq_dc_defaults();

    dc.network.sending[0].sender = dc_sender_named(name);
    dc.flows.sizes = "200000";
    dc.flows.load = .95;
    return dc;
}

static swq_dc_result measured(const swq_dc *dc, uint64_t warmup, uint64_t duration)
{
    swq_context *ctx = swq_context_new();
    swq_dc_options o = swq_dc_options_defaults();
    swq_dc_result r = {0};

    o.warmup = warmup;
    o.duration = duration;
    o.replications = 1;
    cr_assert_eq(swq_dc_run(ctx, dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    swq_context_free(ctx);
    return r;
}

/* Losses of a small memory, and timeouts, from the warm-up to the end of the last flow. */
Test(datacentre_measured_time, timeouts_and_retransmissions_of_parts_add_up)
{
    swq_dc dc = busy("dctcp");
    uint64_t timeouts = 0, again = 0, lost = 0;

    dc.memory.bytes = 60000;
    dc.network.least_timeout = 100 * US;
    const swq_dc_result whole = measured(&dc, 500 * US, 500 * US);
    for (uint64_t k = 0; k < PARTS; k++) {
        const swq_dc_result part = measured(&dc, (500 + 10 * k) * US, 10 * US);
        timeouts += part.timeouts;
        again += part.retransmitted;
        lost += part.all.lost;
    }
    cr_assert_gt(whole.timeouts, 0);
    cr_expect_eq(timeouts, whole.timeouts, "%llu, %llu", (unsigned long long)timeouts,
                 (unsigned long long)whole.timeouts);
    cr_expect_eq(again, whole.retransmitted, "%llu, %llu", (unsigned long long)again,
                 (unsigned long long)whole.retransmitted);
    cr_expect_eq(lost, whole.all.lost);
}

/* A window without a loss has the upper bound that the whole time has; one with few has no
 * interval. */
Test(datacentre_measured_time, losses_of_windows_are_bounded)
{
    swq_context *ctx = swq_context_new();
    swq_dc dc = swq_dc_defaults();
    swq_dc_options o = swq_dc_options_defaults();
    swq_dc_result r = {0};

    for (int k = 0; k < dc.ports; k++)
        dc.load[k] = .5;
    o.duration = 200 * US;
    o.series = 200 * US;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(r.all.lost, 0);
    cr_expect_float_eq(r.window[0].loss_below, r.all.loss_below, 1e-15);
    cr_expect(isinf(r.window[0].loss.half_width));
    cr_expect(r.window[0].loss_below > 0 && r.window[0].loss_below < .1);
    swq_dc_result_clear(ctx, &r);
    swq_context_free(ctx);
}

/* A packet takes 1.2 us on a line that is always busy: times of any length and beginning, and their
 * parts, see the line in use all of the time, and share it between the classes. */
Test(datacentre_measured_time, a_busy_line_is_in_use_all_of_the_time)
{
    static const uint64_t durations[] = {US / 10, US, 12 * US, 13 * US + 1};
    swq_dc dc = swq_dc_defaults();

    dc.ports = 1;
    dc.load[0] = 3;
    dc.classes = 2;
    dc.class_share[0] = dc.class_share[1] = .5;
    for (size_t k = 0; k < sizeof durations / sizeof *durations; k++) {
        swq_context *ctx = swq_context_new();
        swq_dc_options o = swq_dc_options_defaults();
        swq_dc_result r = {0};
        o.duration = durations[k];
        o.series = US;
        o.per_link = true;
        cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
        cr_expect_float_eq(r.all.throughput.mean, 1, 1e-12, "%.12g", r.all.throughput.mean);
        for (int c = 0; c < 2; c++)
            cr_expect_float_eq(r.link[c].use.mean, r.by_class[c].throughput.mean, 1e-12);
        cr_expect_float_eq(r.link[0].use.mean + r.link[1].use.mean, 1, 1e-12);
        for (uint32_t w = 0; w < r.windows; w++)
            cr_expect_float_eq(r.window[w].use.mean, 1, 1e-9, "%.12g", r.window[w].use.mean);
        swq_dc_result_clear(ctx, &r);
        swq_context_free(ctx);
    }
}

/* Most pauses are longer than a part. */
Test(datacentre_measured_time, pauses_of_parts_add_up)
{
    swq_dc dc = busy("open");
    double paused = 0;
    uint64_t pauses = 0;

    dc.memory.bytes = 400000;
    dc.pfc.classes = 1;
    dc.pfc.headroom = 20000;
    const swq_dc_result whole = measured(&dc, 2000 * US, PARTS * 20 * US);
    cr_assert_gt(whole.pauses, 0);
    for (uint64_t k = 0; k < PARTS; k++) {
        const swq_dc_result part = measured(&dc, (2000 + 20 * k) * US, 20 * US);
        paused += part.paused.mean / PARTS;
        pauses += part.pauses;
    }
    cr_expect_eq(pauses, whole.pauses);
    cr_expect_float_eq(paused, whole.paused.mean, 1e-12, "%.12g, %.12g", paused, whole.paused.mean);
}
