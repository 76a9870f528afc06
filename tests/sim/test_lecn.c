/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LECN: without congestion nothing is kept apart, packets of a pair stay in order, the innocent
 * wait less beside a hot spot, and what must hold of any run.
 */
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(lecn, .timeout = 240);

enum { PACKETS = 8, NODES = 64 };

static swq_async lecn_of(const swq_management *row, int output_packets)
{
    swq_async n = async_network(shape_in_stages("omega", 4, 3), "fifo", 512);
    swq_context *ctx = swq_context_new();

    n.architecture.row = &swq_cioq;
    n.management.row = row;
    cr_assert_eq(swq_async_memory(ctx, &n, 512), SWQ_OK);
    swq_context_free(ctx);
    n.architecture.output.speedup_bytes = 2;
    n.architecture.output.blocks = output_packets * 4;
    if (row->tells_upstream) {
        n.management.detect = PACKETS / 2;
        n.management.xon = 2;
    }
    return n;
}

/* An eighth of the nodes send to one; all others to all. */
static void heat(const swq_async *n, swq_sender_group group[2], double load)
{
    group[0] = swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 1, constantly(32));
    group[0].mask = 7;
    group[0].type[0].aim = SWQ_AIM_NODE;
    group[0].type[0].value = 63;
    group[1] = swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, load, constantly(32));
}

Test(lecn, without_congestion_it_is_voqsw)
{
    uint64_t delivered[2];
    double latency[2];

    for (int k = 0; k < 2; k++) {
        swq_async n = lecn_of(k ? &swq_management_lecn : &swq_management_voqsw, 64);
        swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.6, constantly(32));
        n.traffic.group = &group;
        n.traffic.groups = 1;
        n.management.detect = k ? 60 : 0;
        const swq_sim_options options = run_of(3, 1, 500, 5000);
        const swq_async_result r = run_async(&n, &options, NULL);
        delivered[k] = r.sim.total_delivered;
        latency[k] = r.sim.all.latency.mean;
        cr_expect_eq((int)r.notices, 0);
    }
    cr_expect_eq(delivered[0], delivered[1]);
    cr_expect_eq(latency[0], latency[1]);
}

Test(lecn, the_innocent_wait_less)
{
    double innocent[2];

    for (int k = 0; k < 2; k++) {
        swq_async n = lecn_of(k ? &swq_management_lecn : &swq_management_voqsw, PACKETS);
        swq_sender_group group[2];
        heat(&n, group, 0.5);
        n.traffic.group = group;
        n.traffic.groups = 2;
        const swq_sim_options options = run_of(1, 1, 20000, 60000);
        const swq_async_result r = run_async(&n, &options, NULL);
        innocent[k] = r.sim.by_group[1].latency.mean;
        cr_expect_eq(r.notices > 0, k == 1);
        cr_expect_eq(r.sim.stopped_by, SWQ_STOP_CYCLES);
    }
    cr_expect_lt(innocent[1], 0.95 * innocent[0], "%g, %g", innocent[1], innocent[0]);
}

/* Packets of a pair start over the last link in the order of their creation. */
Test(lecn, packets_of_a_pair_stay_in_order)
{
    static uint32_t latest[NODES][NODES];
    swq_async n = lecn_of(&swq_management_lecn, 3 * PACKETS);
    swq_sender_group group[2];
    swq_async_result r;
    start_log log = {0};
    swq_async_watch watch = {.started = log_start, .arg = &log};
    const swq_sim_options options = run_of(5, 1, 0, 30000);
    uint64_t last_links = 0, late = 0;

    heat(&n, group, 0.8);
    n.management.detect = n.management.xon = 1; /* often told of stores that soon have room again */
    n.link.hop_delay = 1;
    n.traffic.group = group;
    n.traffic.groups = 2;
    r = run_async(&n, &options, &watch);
    memset(latest, 0, sizeof latest);
    for (size_t k = 0; k < log.count; k++) {
        const swq_start *s = &log.at[k];
        if (!s->output_store || s->switch_ == SWQ_NO_WHERE || s->switch_ < 32)
            continue;
        last_links++;
        late += s->birth < latest[s->from][s->to];
        latest[s->from][s->to] = s->birth;
    }
    cr_expect_gt(r.notices, 100);
    cr_expect_geq(last_links, r.sim.total_delivered);
    cr_expect_eq((int)late, 0);
    free(log.at);
}

Test(lecn, what_must_hold_holds)
{
    for (int k = 0; k < 12; k++) {
        swq_async n = lecn_of(&swq_management_lecn, 3 + k % 4);
        swq_sender_group group[2];
        n.management.detect = 1 + k % 2;
        n.management.xon = 1 + (k / 2) % n.management.detect;
        n.link.hop_delay = 1 + 7 * (k % 3);
        n.architecture.output.store_and_forward = k % 5 == 0;
        if (k % 3 == 1)
            n.shape = shape_of_grid("mesh", 2, 3);
        heat(&n, group, 0.3 + 0.05 * k);
        group[0].type[0].value = 8;
        n.traffic.group = group;
        n.traffic.groups = 2;
        const swq_sim_options options = run_of((uint64_t)k, 1, 500, 5000);
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect_gt(r.sim.total_delivered, 100);
        cr_expect_eq(r.sim.stopped_by, SWQ_STOP_CYCLES, "case %d", k);
    }
}

Test(lecn, refusals)
{
    static const char *const part[] = {"detect must be 1 to 7", "xon must be 1 to 4",
                                       "xoff must not be given", "is for architecture cioq"};

    for (int k = 0; k < 4; k++) {
        swq_async n = lecn_of(&swq_management_lecn, PACKETS);
        swq_sender_group group[2];
        swq_context *ctx = swq_context_new();
        uint32_t nodes;
        heat(&n, group, 0.3);
        n.traffic.group = group;
        n.traffic.groups = 2;
        n.management.detect = k == 0 ? PACKETS : n.management.detect;
        n.management.xon = k == 1 ? 5 : n.management.xon;
        n.management.xoff = k == 2 ? 3 : 0;
        n.architecture.row = k == 3 ? &swq_input_queued : n.architecture.row;
        cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "case %d", k);
        cr_expect(strstr(swq_context_message(ctx), part[k]), "%s", swq_context_message(ctx));
        swq_context_free(ctx);
    }
}
