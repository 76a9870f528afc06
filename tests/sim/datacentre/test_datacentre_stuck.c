/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deadlocks of pauses (sim/datacentre/stuck.c): a ring in which all flows go the same way round
 * ends in one, of all its links, after which nothing is sent any more; where a circle is not full,
 * or there is none, pauses end, however many there are.
 */
#include "sim/datacentre/net.h"
#include "tests/sim/datacentre/runs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(datacentre_stuck, .timeout = 60);

#define MS UINT64_C(1000000000) /* ps */

static const char ring[] = "host h0 a\nhost h1 b\nhost h2 c\nhost h3 d\nhost h4 e\n"
                           "link a b speed=10 delay=1000\nlink b c speed=10 delay=1000\n"
                           "link c d speed=10 delay=1000\nlink d e speed=10 delay=1000\n"
                           "link e a speed=10 delay=1000\n";

static swq_dc with_pauses(void)
{
    swq_dc dc = swq_dc_defaults();

    dc.network.sending[0].sender = dc_sender_named("open");
    dc.memory.bytes = 200000;
    dc.pfc.classes = 1;
    dc.pfc.alpha = 1;
    dc.pfc.headroom = 20000;
    dc.pfc.resume_below = 1248;
    dc.pfc.resume_offset = 2496;
    return dc;
}

/* Flows that begin at once, in a ring, or in the network of `dc` if text is NULL. */
static swq_dc_result run(swq_dc dc, const char *text, const char *flows, uint64_t duration)
{
    swq_context *ctx = swq_context_new();
    char path[] = "/tmp/switchq-flows-XXXXXX";
    const swq_dc_options o = dc_runs(duration, 1);
    swq_dc_graph *graph = NULL;
    swq_dc_result r = {0};

    if (text) {
        graph = dc_graph_of(ctx, text, dc.memory.bytes);
        dc.network.topology = dc_topology_named("graph");
        dc.network.graph = graph;
    }
    dc_write_file(path, "start_ps,source,destination,bytes\n", flows);
    dc.flows.list = path;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    unlink(path);
    cr_expect(r.conserved);
    cr_expect_eq(r.all.lost, 0);
    cr_expect_gt(r.pauses, 0);
    swq_dc_graph_free(ctx, graph);
    swq_context_free(ctx);
    return r;
}

static const char round_the_ring[] = "0,0,2,3000000\n0,1,3,3000000\n0,2,4,3000000\n"
                                     "0,3,0,3000000\n0,4,1,3000000\n";

/* Each flow takes two links of the ring, and each link is for two flows at full rate. */
Test(datacentre_stuck, a_ring_ends_in_a_circle_of_all_its_links)
{
    const swq_dc_result r = run(with_pauses(), ring, round_the_ring, 5 * MS);
    const swq_dc_result longer = run(with_pauses(), ring, round_the_ring, 50 * MS);

    cr_assert_eq(r.deadlocks, 1);
    cr_assert_eq(r.circle.outputs, 5);
    for (int k = 0; k < 5; k++) {
        const swq_dc_paused *p = &r.circle.output[k];
        cr_expect_eq(p->at, (r.circle.output[0].at + (uint32_t)k) % 5, "%d: switch %u", k, p->at);
        cr_expect_eq(p->traffic_class, 0);
    }
    cr_expect_eq(longer.all.sent, r.all.sent, "packets moved on after the deadlock");
    cr_expect_eq(longer.deadlocks, 1);
    cr_expect_gt(r.inside, 0);
}

/* At the end flows are still going on. Without one of the flows a switch always finds room; with
 * flows to one host alone, or in leaves and spines, whose ways go up and then down, pauses end. */
Test(datacentre_stuck, pauses_that_end_are_no_deadlock)
{
    swq_dc leaves = with_pauses();

    leaves.network.topology = dc_topology_named("leaf-spine");
    leaves.network.leaves = 3;
    leaves.network.hosts = 3;
    leaves.network.spines = 2;
    leaves.network.level_bytes[1] = 200000;
    const swq_dc_result most =
        run(with_pauses(), ring, "0,0,2,30000000\n0,1,3,30000000\n0,2,4,30000000\n0,3,0,30000000\n",
            2 * MS);
    const swq_dc_result incast =
        run(with_pauses(), ring, "0,0,2,30000000\n0,1,2,30000000\n0,3,2,30000000\n0,4,2,30000000\n",
            2 * MS);
    const swq_dc_result up_and_down =
        run(leaves, NULL,
            "0,0,4,30000000\n0,1,4,30000000\n0,3,7,30000000\n0,5,7,30000000\n0,6,0,30000000\n"
            "0,8,0,30000000\n",
            2 * MS);

    cr_expect_eq(most.deadlocks, 0);
    cr_expect_eq(incast.deadlocks, 0);
    cr_expect_eq(up_and_down.deadlocks, 0);
    cr_expect_eq(incast.circle.outputs, 0);
}
