/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several memories in a switch (sim/datacentre/memories.c): under every rule each of them decides
 * about each packet as a switch of its own would; what is counted of each adds up to the whole; and
 * lengths under dynamic thresholds are those of each memory.
 */
#include "sim/datacentre/net.h"
#include "switchq/datacentre.h"
#include "tests/ref/ref_memory_trace.h"
#include "tests/sim/datacentre/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(memories, .timeout = 120);

#define MS UINT64_C(1000000000) /* ps */

enum { PORTS = 8, PACKETS = 6000 };

static void draw(swq_dc_arrival *arrival, unsigned seed, int inputs)
{
    static ref_memory_arrival drawn[PACKETS];
    const ref_memory_traffic t = {.seed = seed,
                                  .ports = PORTS,
                                  .classes = 2,
                                  .rate = 10000000000,
                                  .load = 1,
                                  .incasts = .15,
                                  .burst = 8,
                                  .unit = 100,
                                  .most = 1500,
                                  .step = 80000,
                                  .hot = .25,
                                  .first_round_trip = .3};

    ref_memory_draw(&t, drawn, PACKETS);
    for (int k = 0; k < PACKETS; k++)
        arrival[k] = (swq_dc_arrival){
            .time = (uint64_t)drawn[k].time,
            .bytes = (uint32_t)drawn[k].bytes,
            .input = (uint16_t)(drawn[k].input % inputs),
            .output = (uint16_t)drawn[k].output,
            .traffic_class = (uint8_t)drawn[k].class,
            .flags = drawn[k].first_round_trip ? SWQ_DC_FIRST_ROUND_TRIP : 0,
        };
}

static swq_dc busy(const swq_admission_rule *rule, int ports, uint64_t bytes, unsigned parts)
{
    swq_dc dc = swq_dc_defaults();

    dc.arrivals = SWQ_DC_TRACE;
    dc.ports = ports;
    dc.classes = 2;
    dc.schedule = SWQ_DC_ROUND_ROBIN;
    dc.memory.bytes = bytes;
    dc.memory.parts = parts;
    dc.memory.cell = 80;
    dc.memory.admission = rule;
    dc.memory.queue_max = bytes / parts / 3;
    dc.memory.queue_min = rule == &swq_admission_minimum ? 800 : 0;
    dc.memory.congested = 3000;
    dc.memory.interval = 5000000;
    dc.memory.new_flow = 4000;
    dc.memory.flow_pause = 20000000;
    dc.memory.expel_bucket = 40;
    return dc;
}

/* The fates of a trace. */
static swq_dc_result run(swq_context *ctx, swq_dc dc, const swq_dc_arrival *arrival,
                         uint64_t packets, swq_dc_fate *fate)
{
    swq_dc_options o = dc_runs(MS, 1);
    swq_dc_result r = {0};

    dc.trace = arrival;
    dc.packets = packets;
    o.fate = fate;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    return r;
}

/* The part of a trace that is for one memory, with its outputs counted from 0. place: of each of
 * its packets in the whole. */
static uint64_t part_of(const swq_dc_arrival *all, int outputs, int memory, swq_dc_arrival *part,
                        int *place)
{
    uint64_t count = 0;

    for (int k = 0; k < PACKETS; k++) {
        if (all[k].output / outputs != memory)
            continue;
        part[count] = all[k];
        part[count].output = (uint16_t)(all[k].output % outputs);
        place[count++] = k;
    }
    return count;
}

Test(memories, each_is_a_switch_of_its_own)
{
    static swq_dc_arrival all[PACKETS], part[PACKETS];
    static swq_dc_fate fate[PACKETS], alone[PACKETS];
    static int place[PACKETS];

    for (int outputs = 2; outputs <= 4; outputs += 2) {
        const int parts = PORTS / outputs;
        draw(all, (unsigned)outputs, outputs);
        for (const swq_admission_rule *const *rule = swq_admission_rules; *rule; rule++) {
            if (!swq_dc_admits(*rule))
                continue;
            swq_context *ctx = swq_context_new();
            uint64_t lost = 0;
            swq_dc_result r =
                run(ctx, busy(*rule, PORTS, (uint64_t)(4000 * PORTS), (unsigned)parts), all,
                    PACKETS, fate);
            cr_assert_eq(r.memories, (uint32_t)parts);
            for (int m = 0; m < parts; m++) {
                const uint64_t count = part_of(all, outputs, m, part, place);
                const swq_dc_result one = run(
                    ctx, busy(*rule, outputs, (uint64_t)(4000 * outputs), 1), part, count, alone);
                for (uint64_t k = 0; k < count; k++) {
                    const swq_dc_fate *with = &fate[place[k]];
                    cr_assert(with->end == alone[k].end && with->time == alone[k].time,
                              "%s, memory %d of %d: packet %d", (*rule)->name, m, parts, place[k]);
                }
                cr_expect_eq(r.memory[m].first_port, (uint32_t)(m * outputs));
                cr_expect_eq(r.memory[m].offered, count);
                cr_expect_eq(r.memory[m].offered, r.memory[m].sent + r.memory[m].lost);
                cr_expect_eq(r.memory[m].sent, one.all.sent);
                cr_expect_eq(r.memory[m].lost, one.all.lost);
                cr_expect_eq(r.memory[m].lost_bytes, one.all.lost_bytes);
                cr_expect_eq(r.memory[m].most, one.occupancy_most);
                lost += one.all.lost;
            }
            cr_expect_eq(lost, r.all.lost, "%s", (*rule)->name);
            cr_expect_gt(lost, 100, "%s", (*rule)->name);
            swq_dc_result_clear(ctx, &r);
            cr_expect_eq(swq_context_live_blocks(ctx), 0);
            swq_context_free(ctx);
        }
    }
}

/* In networks whose packets are lost, with warm-up and packets inside at both ends. */
Test(memories, counts_add_up_to_the_whole)
{
    swq_context *ctx = swq_context_new();
    swq_dc dc = dc_leaves("dctcp");
    swq_dc_options o = dc_runs(MS / 2, 3);
    swq_dc_result r = {0};

    dc.network.leaves = 4;
    dc.memory.bytes = 60000;
    dc.memory.parts = 2;
    dc.flows = (swq_dc_flows){.sizes = "30000", .load = .9};
    o.warmup = MS / 4;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(r.memories, 2 * (4 + 2));
    swq_dc_memory sum = {0};
    double used = 0;
    for (uint32_t k = 0; k < r.memories; k++) {
        const swq_dc_memory *m = &r.memory[k];
        cr_expect_eq(m->at, k / 2);
        cr_expect_eq(m->bytes, 30000);
        cr_expect_leq(m->most, 30000);
        cr_expect_eq(m->ports, k < 8 ? 3 : 2);
        cr_expect_eq(m->first_port, k % 2 * m->ports);
        sum.offered += m->offered;
        sum.sent += m->sent;
        sum.lost += m->lost;
        sum.lost_bytes += m->lost_bytes;
        sum.most = m->most > sum.most ? m->most : sum.most;
        used += m->used.mean / r.memories;
    }
    cr_expect(r.conserved);
    cr_expect_gt(r.all.lost, 0);
    cr_expect_eq(sum.offered, r.all.offered);
    cr_expect_eq(sum.sent, r.all.sent);
    cr_expect_eq(sum.lost, r.all.lost);
    cr_expect_eq(sum.lost_bytes, r.all.lost_bytes);
    cr_expect_eq(sum.most, r.occupancy_most);
    cr_expect_float_eq(used, r.occupancy.mean, 1e-12);
    swq_dc_result_clear(ctx, &r);
    swq_context_free(ctx);
}

/* Choudhury and Hahne (1998): n overloaded queues of a memory of B bytes hold alpha B / (1 + n
 * alpha) each. Here one memory has four of them, the other one. */
Test(memories, thresholds_are_of_each_memory)
{
    swq_context *ctx = swq_context_new();
    swq_dc dc = swq_dc_defaults();
    swq_dc_options o = dc_runs(10 * MS, 2);
    swq_dc_result r = {0};

    dc.memory.bytes = 2000000;
    dc.memory.parts = 2;
    dc.memory.admission = &swq_admission_threshold;
    for (int k = 0; k < 8; k++)
        dc.load[k] = k < 5 ? 3 : 0;
    o.warmup = 10 * MS;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect_float_eq(r.memory[0].used.mean, 4. / 5, .005);
    cr_expect_float_eq(r.memory[1].used.mean, 1. / 2, .005);
    swq_dc_result_clear(ctx, &r);
    swq_context_free(ctx);
}

/* One replication, in a context of its own. */
static swq_status replicate(swq_context *ctx, const swq_dc *dc)
{
    dc_net net;
    swq_dc_graph *graph = NULL;
    swq_status status = dc_graph_make(ctx, dc, &graph);

    if (!status)
        status = dc_graph_find_ways(ctx, graph);
    if (!status) {
        status = dc_net_make(ctx, dc, graph, 1, 0, &net);
        if (!status)
            status = dc_memories_make(ctx, &net);
        if (!status)
            status = dc_net_run(&net, UINT64_C(50000000));
        dc_net_free(ctx, &net);
    }
    swq_dc_graph_free(ctx, graph);
    return status;
}

/* Every allocation fails once, or from then on: an error, and no memory is left. */
Test(memories, every_allocation_fails)
{
    swq_dc dc = dc_leaves("hpcc");

    dc.network.leaves = 4;
    dc.memory.parts = 2;
    dc.cut_through = true;
    dc.flows = (swq_dc_flows){.sizes = "3000", .load = .9};
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t after = 0;
        for (; status == SWQ_ENOMEM; after++) {
            swq_context *ctx = swq_context_new();
            swq_context_fail_allocations(ctx, after, for_good);
            status = replicate(ctx, &dc);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
            swq_context_free(ctx);
        }
        cr_assert_eq(status, SWQ_OK, "after %zu", after);
        cr_assert_gt(after, 50);
    }
}
