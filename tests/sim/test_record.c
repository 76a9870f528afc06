/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings against the simulator's own totals and against the trace that was played, and traces
 * of phases against what was asked of them.
 */
#include "switchq/record.h"
#include "tests/support/support.h"

TestSuite(record, .timeout = 240);

enum { NODES = 64, CYCLES = 600 };

static swq_network network_of(swq_context *ctx, const char *buffer)
{
    swq_network n = {
        .shape = {.kind = &swq_fabric_multistage, .wiring = swq_topologies[0], .stages = 3},
        .sw = {.ports = 4, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT},
        .traffic = swq_traffic_defaults()};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &n.sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 4, 4, &n.sw.buffer), SWQ_OK);
    n.traffic.load = 0.6;
    return n;
}

/* The packets in all buffers at the end of a frame. */
static uint64_t held(const swq_recording *r, uint32_t frame, const uint16_t *what)
{
    const size_t size = (size_t)r->stages * r->buffers;
    uint64_t sum = 0;

    for (size_t k = 0; k < size; k++)
        sum += what[frame * size + k];
    return sum;
}

static uint64_t sum(const uint32_t *value, uint32_t count)
{
    uint64_t all = 0;

    for (uint32_t k = 0; k < count; k++)
        all += value[k];
    return all;
}

static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda", NULL};

/* The run that is recorded is the run that is measured. */
Test(record, agrees_with_the_simulator)
{
    swq_context *ctx = swq_context_new();

    for (int b = 0; buffers[b]; b++) {
        swq_network n = network_of(ctx, buffers[b]);
        swq_sim_options o = swq_sim_defaults();
        swq_sim_result result;
        swq_recording r = {0};
        o.seed = 7;
        o.cycles = CYCLES;
        o.warmup = 0;
        cr_assert_eq(swq_sim_run(ctx, &n, &o, &result), SWQ_OK);
        cr_assert_eq(swq_sim_record(ctx, &n, 7, CYCLES, 1, 5, &r), SWQ_OK);
        cr_assert_eq(sum(r.delivered, CYCLES), result.total_delivered, "%s", buffers[b]);
        cr_assert_eq(held(&r, CYCLES - 1, r.packets) + r.waiting[CYCLES - 1],
                     result.total_in_flight, "%s", buffers[b]);
        uint64_t latency = 0;
        for (int f = 0; f < CYCLES; f++)
            latency += r.latency[f];
        assert_relative((double)latency / (double)result.total_delivered, result.all.latency.mean,
                        1e-12, "%s", buffers[b]);
        swq_recording_clear(ctx, &r);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(record, knows_the_shape_of_buffers)
{
    swq_context *ctx = swq_context_new();

    for (int b = 0; buffers[b]; b++) {
        swq_network n = network_of(ctx, buffers[b]);
        const bool pool = strcmp(buffers[b], "cbda") == 0;
        swq_recording r = {0};
        n.traffic.load = 1;
        cr_assert_eq(swq_sim_record(ctx, &n, 1, 100, 2, 0, &r), SWQ_OK);
        cr_assert_eq(r.stages, 3);
        cr_assert_eq(r.buffers, pool ? 16 : NODES);
        cr_assert_eq(r.slots, pool ? 16 : 4);
        for (size_t k = 0; k < 100 * 3 * (size_t)r.buffers; k++) {
            cr_assert(r.packets[k] <= r.slots);
            cr_assert(r.marked[k] <= r.packets[k]);
        }
        swq_recording_clear(ctx, &r);
    }
    swq_context_free(ctx);
}

/* A frame of several cycles has the state of the last of as many frames of one cycle, and their
 * sums. */
Test(record, coarse_frames_are_fine_ones_put_together)
{
    swq_context *ctx = swq_context_new();
    swq_network n = network_of(ctx, "damq");
    swq_recording fine = {0}, coarse = {0};
    const size_t size = 3 * NODES;

    cr_assert_eq(swq_sim_record(ctx, &n, 3, 300, 1, 9, &fine), SWQ_OK);
    cr_assert_eq(swq_sim_record(ctx, &n, 3, 60, 5, 9, &coarse), SWQ_OK);
    for (size_t f = 0; f < 60; f++) {
        cr_assert(memcmp(coarse.packets + f * size, fine.packets + (5 * f + 4) * size, size) == 0);
        cr_assert(memcmp(coarse.marked + f * size, fine.marked + (5 * f + 4) * size, size) == 0);
        cr_assert_eq(coarse.delivered[f], sum(fine.delivered + 5 * f, 5));
        cr_assert_eq(coarse.marked_delivered[f], sum(fine.marked_delivered + 5 * f, 5));
    }
    swq_recording_clear(ctx, &fine);
    swq_recording_clear(ctx, &coarse);
    swq_context_free(ctx);
}

/* The packets that a trace creates are delivered, held or waiting, in every frame; and in the end,
 * with nothing more to come, every packet of the marked node has reached it. */
Test(record, loses_nothing_of_a_trace)
{
    swq_context *ctx = swq_context_new();
    const swq_phase phase[] = {{.load = 0.2},
                               {.from = 50, .load = 0.3, .fraction = 0.1, .hot = 11},
                               {.from = 150, .load = 0}};
    swq_trace_packet *trace = NULL;
    uint64_t packets;

    cr_assert_eq(swq_trace_of_phases(ctx, phase, 3, NODES, 200, 4, &trace, &packets), SWQ_OK);
    for (int b = 0; buffers[b]; b++) {
        swq_network n = network_of(ctx, buffers[b]);
        swq_recording r = {0};
        uint64_t created = 0, delivered = 0, marked = 0, at = 0;
        n.traffic.kind = SWQ_SOURCE_TRACE;
        n.traffic.trace = trace;
        n.traffic.trace_packets = packets;
        cr_assert_eq(swq_sim_record(ctx, &n, 1, 800, 1, 11, &r), SWQ_OK);
        for (uint32_t f = 0; f < 800; f++) {
            for (; at < packets && trace[at].cycle <= f; at++)
                created++;
            delivered += r.delivered[f];
            cr_assert_eq(created, delivered + held(&r, f, r.packets) + r.waiting[f], "%s, cycle %u",
                         buffers[b], f);
            cr_assert(r.marked_delivered[f] <= 1, "a link carries one packet a cycle");
        }
        for (uint64_t k = 0; k < packets; k++)
            marked += trace[k].destination == 11;
        cr_assert_eq(delivered, packets);
        cr_assert_eq(sum(r.marked_delivered, 800), marked);
        swq_recording_clear(ctx, &r);
    }
    swq_trace_free(ctx, trace);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(record, phases_have_their_loads_and_hot_spots)
{
    swq_context *ctx = swq_context_new();
    const swq_phase phase[] = {{.load = 0.2},
                               {.from = 2000, .load = 0.5, .fraction = 0.25, .hot = 3}};
    const swq_phase other[] = {{.load = 0.2}, {.from = 2000, .load = 0.1}};
    swq_trace_packet *trace = NULL, *second = NULL;
    uint64_t packets, seconds, count[2] = {0}, hot[2] = {0};

    cr_assert_eq(swq_trace_of_phases(ctx, phase, 2, NODES, 4000, 9, &trace, &packets), SWQ_OK);
    for (uint64_t k = 0; k < packets; k++) {
        const int late = trace[k].cycle >= 2000;
        cr_assert(k == 0 || trace[k].cycle >= trace[k - 1].cycle);
        cr_assert(trace[k].source < NODES && trace[k].destination < NODES && trace[k].high == 0);
        count[late]++;
        hot[late] += trace[k].destination == 3;
    }
    /* binomial: 128,000 trials a phase; five standard deviations */
    cr_assert_float_eq((double)count[0], 25600, 5 * 143.1);
    cr_assert_float_eq((double)count[1], 64000, 5 * 178.9);
    cr_assert_float_eq((double)hot[0], (double)count[0] / NODES,
                       5 * sqrt((double)count[0] / NODES));
    const double share = 0.25 + 0.75 / NODES;
    cr_assert_float_eq((double)hot[1], share * (double)count[1],
                       5 * sqrt(share * (1 - share) * (double)count[1]));

    cr_assert_eq(swq_trace_of_phases(ctx, other, 2, NODES, 4000, 9, &second, &seconds), SWQ_OK);
    cr_assert(memcmp(trace, second, (size_t)count[0] * sizeof *trace) == 0,
              "a later phase changes nothing before it");
    cr_assert(seconds < packets);
    swq_trace_free(ctx, trace);
    swq_trace_free(ctx, second);
    swq_context_free(ctx);
}

static void expect(swq_context *ctx, swq_status status, const char *word)
{
    cr_assert_eq(status, SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), word), "%s", swq_context_message(ctx));
}

Test(record, bad_input_is_named)
{
    swq_context *ctx = swq_context_new();
    swq_network n = network_of(ctx, "damq");
    swq_recording r = {0};
    swq_trace_packet *trace = NULL;
    uint64_t packets;
    const swq_phase good = {.load = 0.5}, late = {.from = 3, .load = 0.5}, heavy = {.load = 1.5},
                    wrong = {.load = 1, .fraction = -0.1}, none = {.load = 1, .hot = NODES};
    const swq_phase back[] = {{.load = 0.5}, {.from = 0, .load = 0.1}};

    expect(ctx, swq_sim_record(ctx, &n, 1, 0, 1, 0, &r), "frames must be 1 to");
    expect(ctx, swq_sim_record(ctx, &n, 1, 1, 0, 0, &r), "every must be 1 to");
    expect(ctx, swq_sim_record(ctx, &n, 1, 1, 1, NODES, &r),
           "marked must be a node, 0 to 63, not 64");
    n.traffic.load = 2;
    expect(ctx, swq_sim_record(ctx, &n, 1, 1, 1, 0, &r), "load");
    cr_assert_null(r.packets);
    expect(ctx, swq_trace_of_phases(ctx, &late, 1, NODES, 9, 1, &trace, &packets), "from");
    expect(ctx, swq_trace_of_phases(ctx, back, 2, NODES, 9, 1, &trace, &packets), "from");
    expect(ctx, swq_trace_of_phases(ctx, &heavy, 1, NODES, 9, 1, &trace, &packets), "load");
    expect(ctx, swq_trace_of_phases(ctx, &wrong, 1, NODES, 9, 1, &trace, &packets), "fraction");
    expect(ctx, swq_trace_of_phases(ctx, &none, 1, NODES, 9, 1, &trace, &packets), "hot");
    expect(ctx, swq_trace_of_phases(ctx, &good, 0, NODES, 9, 1, &trace, &packets), "phases");
    expect(ctx, swq_trace_of_phases(ctx, &good, 1, 0, 9, 1, &trace, &packets), "nodes");
    expect(ctx, swq_trace_of_phases(ctx, &good, 1, NODES, 0, 1, &trace, &packets), "cycles");
    cr_assert_null(trace);
    swq_context_cancel(ctx);
    n.traffic.load = 0.5;
    cr_assert_eq(swq_sim_record(ctx, &n, 1, 9, 1, 0, &r), SWQ_ECANCELLED);
    cr_assert_null(r.packets);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(record, every_allocation_may_fail)
{
    const swq_phase phase = {.load = 0.5};

    for (size_t k = 0;; k++) {
        swq_context *ctx = swq_context_new();
        swq_network n = network_of(ctx, "damq");
        swq_recording r = {0};
        swq_trace_packet *trace = NULL;
        uint64_t packets;
        swq_context_fail_allocations(ctx, k, false);
        swq_status status = swq_trace_of_phases(ctx, &phase, 1, NODES, 9, 1, &trace, &packets);
        if (!status)
            status = swq_sim_record(ctx, &n, 1, 9, 1, 0, &r);
        swq_trace_free(ctx, trace);
        swq_recording_clear(ctx, &r);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
        swq_context_free(ctx);
        if (!status) {
            cr_assert(k > 10);
            return;
        }
        cr_assert_eq(status, SWQ_ENOMEM);
    }
}
