/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of a run: they add up to what the run tells, hold what is in flight, are the same by both
 * forms of the synchronous engine and as a recording has them, and change no number.
 */
#include "switchq/async.h"
#include "switchq/frames.h"
#include "switchq/record.h"
#include "tests/sim/samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(frames, .timeout = 240);

static uint64_t sum(const uint64_t *value, uint32_t count)
{
    uint64_t all = 0;

    for (uint32_t k = 0; k < count; k++)
        all += value[k];
    return all;
}

static uint64_t held_in(const swq_frames *f, const uint16_t *held, uint32_t frame)
{
    uint64_t all = 0;

    for (size_t k = 0; k < f->stores; k++)
        all += held[frame * f->stores + k];
    return all;
}

static swq_network a_network(swq_context *ctx, const char *buffer, bool discard)
{
    swq_switch sw = {
        .ports = 4, .flow = discard ? SWQ_DISCARD : SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 4, 4, &sw.buffer), SWQ_OK);
    swq_network n = network_in_stages(ctx, "omega", 2, &sw);
    n.traffic.load = 0.7;
    return n;
}

/* 256 cycles and 64 frames at most: thinned out at 64, 128 and 256 cycles, and none is left over.
 */
static void check_network(swq_context *ctx, const swq_network *n, const char *what)
{
    swq_frames f = swq_frames_of(64, 3), plain = swq_frames_of(64, 3);
    swq_sim_options o = run_of(3, 1, 0, 256);
    const swq_sim_result without = simulate(ctx, n, &o);

    o.frames = &f;
    const swq_sim_result r = simulate(ctx, n, &o);
    cr_assert_eq(memcmp(&r.all, &without.all, sizeof r.all), 0, "%s: other numbers", what);
    cr_assert_str_eq(r.engine, without.engine);
    cr_assert(f.frames == 32 && f.every == 8 && f.warmup == 0, "%s: %u, %d", what, f.frames,
              (int)f.every);
    cr_assert_eq(f.room, n->sw.buffer.capacity, "%s", what);
    cr_assert_eq(sum(f.delivered, 32), r.all.delivered, "%s", what);
    cr_assert_eq(sum(f.amount, 32), r.all.delivered, "%s", what);
    cr_assert_eq(sum(f.discarded, 32), r.all.discarded, "%s", what);
    assert_relative((double)sum(f.latency, 32), r.all.latency.mean * (double)r.all.delivered, 1e-9,
                    "%s", what);
    cr_assert_eq(held_in(&f, f.held, 31) + f.waiting[31], r.total_in_flight, "%s", what);
    cr_assert(held_in(&f, f.held_marked, 31) < held_in(&f, f.held, 31), "%s", what);
    o.plain = true;
    o.frames = &plain;
    simulate(ctx, n, &o);
    cr_assert_eq(memcmp(f.held, plain.held, 32 * f.stores * sizeof *f.held), 0, "%s", what);

    /* the same run, stopped every 8 cycles */
    swq_recording record = {0};
    cr_assert_eq(swq_sim_record(ctx, n, 3, 32, 8, 3, &record), SWQ_OK);
    for (size_t k = 0; k < 32 * f.stores; k++)
        cr_assert(f.held[k] == record.packets[k] && f.held_marked[k] == record.marked[k], "%s",
                  what);
    for (int k = 0; k < 32; k++)
        cr_assert(f.delivered[k] == record.delivered[k] && f.latency[k] == record.latency[k] &&
                      f.waiting[k] == record.waiting[k],
                  "%s", what);
    swq_recording_clear(ctx, &record);
    swq_frames_clear(ctx, &f);
    swq_frames_clear(ctx, &plain);
}

Test(frames, are_of_the_run_that_is_measured)
{
    swq_context *ctx = swq_context_new();

    for (int b = 0; swq_buffer_kinds[b]; b++) {
        for (int discard = 0; discard < 2; discard++) {
            const swq_network n = a_network(ctx, swq_buffer_kinds[b]->name, discard);
            check_network(ctx, &n, swq_buffer_kinds[b]->name);
        }
    }
    swq_context_free(ctx);
}

/* With a warm-up that is found, several replications, and a precision: the whole of the first. */
Test(frames, cover_the_warm_up)
{
    swq_context *ctx = swq_context_new();
    const swq_network n = a_network(ctx, "damq", false);
    swq_frames f = swq_frames_of(128, UINT32_MAX);
    swq_sim_options o = run_of(3, 2, SWQ_WARMUP_AUTO, 5000);

    o.precision = 0.05;
    const swq_sim_result without = simulate(ctx, &n, &o);
    o.frames = &f;
    const swq_sim_result r = simulate(ctx, &n, &o);
    cr_assert_eq(memcmp(&r.all, &without.all, sizeof r.all), 0);
    cr_assert_null(f.held_marked);
    cr_assert(f.warmup > 0 && f.warmup <= r.warmup);
    cr_assert(f.frames >= 64 && f.frames < 128);
    cr_assert(f.frames * f.every <= f.warmup + r.cycles &&
              (f.frames + 1) * f.every > f.warmup + r.cycles);
    for (uint32_t k = 0; k < f.frames; k++) /* no frame is torn by the end of the warm-up */
        cr_assert(f.amount[k] == f.delivered[k] && f.latency[k] >= 2 * f.delivered[k]);
    swq_frames_clear(ctx, &f);
    swq_context_free(ctx);
}

Test(frames, bad_ones_are_refused)
{
    swq_context *ctx = swq_context_new();
    const swq_network n = a_network(ctx, "damq", false);
    swq_sim_options o = run_of(3, 1, 0, 100);
    swq_sim_result r;
    const swq_frames bad[] = {swq_frames_of(0, 0), swq_frames_of(33, 0), swq_frames_of(200000, 0),
                              swq_frames_of(32, 16)};

    for (int k = 0; k < 4; k++) {
        swq_frames f = bad[k];
        o.frames = &f;
        cr_assert_eq(swq_sim_run(ctx, &n, &o, &r), SWQ_EINVAL, "%d", k);
        cr_assert(strstr(swq_context_message(ctx), k == 3 ? "marked" : "most frames"));
    }
    swq_context_free(ctx);
}

/* ---- asynchronous networks ---- */

static swq_async a_line(swq_context *ctx, const swq_architecture *architecture)
{
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;

    n.shape = (swq_shape){.kind = &swq_fabric_mesh, .dims = 1, .extent = {4}};
    n.architecture.row = architecture;
    n.architecture.output.blocks = architecture->async.output_stores ? 16 : 0;
    cr_assert_eq(swq_buffer_kind_find(ctx, "dafc", &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 128), SWQ_OK);
    return n;
}

static swq_async_result run_async(swq_context *ctx, const swq_async *n, const swq_sim_options *o)
{
    swq_async_result r;

    cr_assert_eq(swq_async_run(ctx, n, o, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(r.sim.conserved && r.sim.little_exact);
    return r;
}

/* A packet of four blocks, from one end of a line of four switches to the other, alone. It begins
 * to enter a switch every five cycles, leaves it as it comes, and a switch gives back a block
 * every eight cycles from then on: some time after 32 + 5 cycles the first is empty. */
Test(frames, a_packet_by_hand)
{
    swq_context *ctx = swq_context_new();
    const swq_async_message message = {.cycle = 10, .source = 0, .destination = 3, .bytes = 32};
    swq_frames f = swq_frames_of(200, 3);
    swq_sim_options o = run_of(1, 1, 0, 150);

    swq_async n = a_line(ctx, &swq_input_queued);
    n.traffic.trace = &message;
    n.traffic.trace_messages = 1;
    o.frames = &f;
    const swq_async_result r = run_async(ctx, &n, &o);
    cr_assert_eq(f.every, 1);
    cr_assert(f.frames > 0 && sum(f.delivered, f.frames) == 1);
    cr_assert_eq(sum(f.amount, f.frames), 32);
    cr_assert_eq(sum(f.latency, f.frames), (uint64_t)r.sim.all.latency.mean);
    cr_assert_eq(held_in(&f, f.held, 9), 0);
    for (uint32_t t = 10; t < f.frames; t++) {
        const uint32_t hops = (t - 10) / 5 < 3 ? (t - 10) / 5 : 3;
        uint64_t expected = 0, leaving = 0;
        for (uint32_t h = 0; h <= hops; h++) { /* it left switch h in cycle 15 + 5 h */
            const uint32_t gone = t < 15 + 5 * h ? 0 : (t - 15 - 5 * h + 1) / 8;
            expected += gone < 4 ? 4 - gone : 0;
            leaving += t >= 15 + 5 * h && gone < 4 ? 4 - gone : 0;
        }
        cr_assert_eq(held_in(&f, f.held, t), expected, "cycle %u: %d, not %d", t,
                     (int)held_in(&f, f.held, t), (int)expected);
        cr_assert_eq(held_in(&f, f.held_marked, t), expected - leaving, "cycle %u", t);
    }
    swq_frames_clear(ctx, &f);
    swq_context_free(ctx);
}

Test(frames, of_asynchronous_networks_add_up)
{
    static const swq_architecture *const row[] = {&swq_input_queued, &swq_cioq};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2; k++) {
        swq_async n = a_line(ctx, row[k]);
        swq_frames f = swq_frames_of(64, UINT32_MAX);
        swq_sim_options o = run_of(1, 1, 0, 4096);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, (swq_spread){SWQ_CONSTANT, 8, 0});
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_async_result without = run_async(ctx, &n, &o);
        o.frames = &f;
        const swq_async_result r = run_async(ctx, &n, &o);
        cr_assert_eq(memcmp(&r.sim.all, &without.sim.all, sizeof r.sim.all), 0, "%d", k);
        cr_assert(f.frames == 32 && f.every == 128);
        cr_assert_eq(f.stores, (k + 1) * f.inputs);
        cr_assert_eq(sum(f.delivered, 32), r.sim.all.delivered);
        cr_assert_eq(sum(f.amount, 32), r.bytes_delivered);
        /* messages of a block each, and those that are leaving still hold it */
        cr_assert_geq(held_in(&f, f.held, 31) + f.waiting[31], r.sim.total_in_flight);
        for (size_t s = 0; s < 32 * f.stores; s++)
            cr_assert_leq(f.held[s], s % f.stores < f.inputs ? f.room : f.output_room);
        swq_frames_clear(ctx, &f);
    }
    swq_context_free(ctx);
}
