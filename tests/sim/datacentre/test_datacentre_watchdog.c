/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The watchdog of pauses (sim/datacentre/watchdog.c): it breaks a circle of pauses; it drops
 * packets after pauses of at least the detection time, to the picosecond, and up to the restoration
 * time after their end; and one that never sees such a pause changes nothing.
 */
#include "tests/sim/datacentre/runs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(datacentre_watchdog, .timeout = 60);

#define US UINT64_C(1000000) /* ps */

static const char ring[] = "host h0 a\nhost h1 b\nhost h2 c\nhost h3 d\nhost h4 e\n"
                           "link a b speed=10 delay=1000\nlink b c speed=10 delay=1000\n"
                           "link c d speed=10 delay=1000\nlink d e speed=10 delay=1000\n"
                           "link e a speed=10 delay=1000\n";
static const char round_the_ring[] = "0,0,2,3000000\n0,1,3,3000000\n0,2,4,3000000\n"
                                     "0,3,0,3000000\n0,4,1,3000000\n";

/* A host at one switch, and one at the other, send to a third one. */
static const char two[] = "host h0 a\nhost h1 b\nhost h2 b\nlink a b speed=10 delay=1000\n";

typedef struct {
    swq_dc_result all;
    uint64_t between, pauses; /* packets from the first switch to the second, and pauses there */
    uint64_t paused;          /* ps of them */
} watched_run;

static watched_run run(const char *text, const char *flows, uint64_t detection,
                       uint64_t restoration)
{
    swq_context *ctx = swq_context_new();
    char path[] = "/tmp/switchq-flows-XXXXXX";
    swq_dc_options o = dc_runs(20000 * US, 1);
    swq_dc dc = swq_dc_defaults();
    swq_dc_graph *graph = dc_graph_of(ctx, text, 200000);
    watched_run out = {.pauses = 0};
    uint64_t storms = 0, in_storm = 0;

    dc_write_file(path, "start_ps,source,destination,bytes\n", flows);
    dc.network = (swq_dc_network){.topology = dc_topology_named("graph"),
                                  .graph = graph,
                                  .delay = US,
                                  .header = 40,
                                  .ack = 64,
                                  .window = 10,
                                  .least_timeout = 10000 * US,
                                  .sending = {{.sender = dc_sender_named("open")}}};
    dc.memory.bytes = 200000;
    dc.pfc.classes = 1;
    dc.pfc.headroom = 20000;
    dc.pfc.detection = detection;
    dc.pfc.restoration = restoration;
    dc.flows.list = path;
    o.per_link = true;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &out.all), SWQ_OK, "%s", swq_context_message(ctx));
    for (uint32_t k = 0; k < out.all.links; k++) {
        const swq_dc_link *l = &out.all.link[k];
        storms += l->storms;
        in_storm += l->in_storm;
        cr_expect(l->in_storm <= l->lost && (!l->from_host || l->storms == 0));
        if (l->from_host || l->to_host || l->from != 0)
            continue;
        out.between = l->packets;
        out.pauses = l->pauses;
        out.paused = (uint64_t)(l->paused.mean * (double)o.duration + .5);
    }
    /* those of all lines are those of the run */
    cr_expect_eq(storms, out.all.all.storms);
    cr_expect_eq(in_storm, out.all.all.in_storm);
    unlink(path);
    swq_dc_result_clear(ctx, &out.all);
    swq_dc_graph_free(ctx, graph);
    swq_context_free(ctx);
    cr_expect(out.all.conserved);
    cr_expect_eq(out.all.all.lost, out.all.all.in_storm);
    cr_expect_eq(out.all.all.in_storm > 0, out.all.all.storms > 0);
    cr_expect_eq(out.all.by_class[0].storms, out.all.all.storms);
    return out;
}

/* Without it the ring ends in a deadlock, with packets inside. */
Test(datacentre_watchdog, a_circle_of_pauses_is_broken)
{
    const uint64_t packets = 5 * 2055; /* 3 MB in payloads of 1460 bytes */
    const watched_run none = run(ring, round_the_ring, 0, 0);
    const watched_run watched = run(ring, round_the_ring, 50 * US, 50 * US);
    const swq_dc_flow *all = &watched.all.all;

    cr_expect_eq(none.all.deadlocks, 1);
    cr_expect_gt(none.all.inside, 0);
    cr_expect_eq(none.all.all.storms, 0);
    cr_expect_eq(watched.all.deadlocks, 0);
    cr_expect_eq(watched.all.inside, 0);
    cr_expect_gt(all->storms, 0);
    cr_expect_eq(watched.all.packets, packets);
    /* it would be broken after the run */
    const watched_run later = run(ring, round_the_ring, 50000 * US, US);
    cr_expect_eq(later.all.deadlocks, 1);
    cr_expect_eq(later.all.circle.outputs, 5);
    cr_expect_eq(later.all.inside, none.all.inside);
    cr_expect_eq(later.all.all.sent, none.all.all.sent);
    /* each packet that is not lost passes three switches, and one that is lost up to two */
    cr_expect_geq(all->sent, 3 * (packets - all->lost));
    cr_expect_leq(all->sent, 3 * packets - all->lost);
}

/* The output of the first switch is paused once, with packets that wait. A pause that ends when the
 * detection time is over is no storm. */
Test(datacentre_watchdog, a_pause_is_a_storm_from_the_detection_time_on)
{
    static const char flows[] = "0,0,2,100000\n0,1,2,200000\n";
    const watched_run none = run(two, flows, 0, 0);
    const watched_run longer = run(two, flows, none.paused, US);
    const watched_run shorter = run(two, flows, none.paused - 1, US);

    cr_assert_eq(none.pauses, 1);
    cr_assert_gt(none.paused, 0);
    cr_expect_eq(none.between, 69); /* 100,000 bytes in payloads of 1460 */
    cr_expect_eq(longer.all.all.storms, 0);
    cr_expect_eq(longer.between, none.between);
    cr_expect_eq(longer.all.all.sent, none.all.all.sent);
    cr_expect_eq(longer.all.all.delay.mean, none.all.all.delay.mean);
    cr_expect_eq(shorter.all.all.storms, 1);
    cr_expect_eq(shorter.between + shorter.all.all.in_storm, none.between);
}

/* Five pauses, of which the first, of 11 us, is the longest: together they last for 28 us, which is
 * no storm. */
Test(datacentre_watchdog, each_pause_begins_anew)
{
    static const char flows[] = "0,0,2,300000\n0,1,2,100000\n";

    for (uint64_t us = 11; us <= 30; us++) {
        const watched_run o = run(two, flows, us * US, us * US);
        cr_expect_eq(o.all.all.storms, 0, "%d us", (int)us);
        cr_expect_eq(o.pauses, 5);
        cr_expect_gt(o.paused, 28 * US);
    }
}

/* A host sends a packet of 1500 bytes each 1.2 us, so that a restoration time that is longer by
 * that, and by 50 times that, has 1 and 50 more of them dropped. The other host has then sent all
 * that it has, and there are no other pauses. */
Test(datacentre_watchdog, packets_are_dropped_until_the_restoration_time_is_over)
{
    static const char flows[] = "0,0,2,300000\n0,1,2,100000\n";
    const uint64_t lengthened[] = {0, 1200000, 50 * 1200000};
    uint64_t dropped[3];

    for (int k = 0; k < 3; k++) {
        const watched_run o = run(two, flows, 10 * US, 60 * US + lengthened[k]);
        cr_assert_eq(o.all.all.storms, 1);
        cr_expect_eq(o.between + o.all.all.in_storm, 206); /* 300,000 bytes */
        dropped[k] = o.all.all.in_storm;
        /* from the beginning of the pause on, and up to two that waited then */
        const uint64_t came = (o.paused + 60 * US + lengthened[k]) / 1200000;
        cr_assert_eq(o.pauses, 1);
        cr_expect_geq(dropped[k], came);
        cr_expect_leq(dropped[k], came + 2);
    }
    cr_expect_eq(dropped[1], dropped[0] + 1);
    cr_expect_eq(dropped[2], dropped[0] + 50);
}

/* All 64 packets of the first flow have left as the output is paused. Those of the second come when
 * the detection time is over, and are a storm at once. */
Test(datacentre_watchdog, a_packet_that_comes_late_in_a_pause_is_dropped)
{
    static const char flows[] = "0,0,2,93440\n0,1,2,200000\n86000000,0,2,14600\n";
    const watched_run o = run(two, flows, 2 * US, 20 * US);

    cr_expect_eq(o.pauses, 1);
    cr_expect_eq(o.between, 64);
    cr_expect_eq(o.all.all.storms, 1);
    cr_expect_eq(o.all.all.in_storm, 10);
}
