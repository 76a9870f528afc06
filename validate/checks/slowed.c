/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The asynchronous simulator against the synchronous one, where they coincide. A single
 * asynchronous switch is a synchronous one slowed down by L, the length of all packets in bytes,
 * when packets are created in cycles k L + 1 and there is no rest; the hop delay is L - 1, so that
 * packets sent in cycle k L + 1 can be sent on in (k + 1) L, by all inputs alike; and memory is
 * free in the cycle after a transmission began, when senders look again. A latency of l cycles is L
 * l - 1 then. Arbiters that draw random numbers, or whose pointer moves in empty cycles, are left
 * out: they draw at other times in the two simulators.
 */
#include "base/context.h"
#include "models/buffers/buffers.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/networks.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 12, PORTS = 4, LINES = 1200, CYCLES = 4000, BUFFERS = 5, SIZES = 3 };

static const swq_buffer_kind *const buffers[BUFFERS] = {
    &swq_buffer_fifo, &swq_buffer_samq, &swq_buffer_safc, &swq_buffer_damq, &swq_buffer_dafc};

static int count(swq_effort effort)
{
    return BUFFERS * SIZES * (effort == SWQ_EFFORT_FULL ? 40 : 3);
}

typedef struct {
    const swq_buffer_kind *buffer;
    int slots;
    double load;
} slow_case;

static slow_case case_of(int k)
{
    return (slow_case){.buffer = buffers[k % BUFFERS],
                       .slots = 1 + k / BUFFERS % SIZES,
                       .load = 0.3 + 0.3 * (k / BUFFERS / SIZES % 3)};
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const slow_case c = case_of(k);

    (void)effort;
    snprintf(check->name, sizeof check->name, "sync-async/buffer=%s,slots=%d,load=%g,trace=%d",
             c.buffer->name, c.slots, c.load, k / BUFFERS / SIZES);
    snprintf(check->claim, sizeof check->claim,
             "4x4 %s of %d slots, fixed, load %g: %d packets take %d times as long", c.buffer->name,
             c.slots, c.load, LINES, LENGTH);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.01;
}

typedef struct {
    swq_trace_packet fast[LINES];
    swq_async_message slow[LINES];
    swq_sim_result sync;
    swq_async_result async;
} slowed_work;

static void draw_trace(slowed_work *w, double load, swq_draws *d)
{
    for (int line = 0; line < LINES; line++) {
        const uint64_t cycle = (uint64_t)(line / load / PORTS);
        const uint32_t from = (uint32_t)swq_draw(d, PORTS), to = (uint32_t)swq_draw(d, PORTS);
        w->fast[line] = (swq_trace_packet){cycle, from, to, 0};
        w->slow[line] = (swq_async_message){cycle * LENGTH + 1, from, to, LENGTH};
    }
}

static swq_status run_synchronous(swq_context *ctx, slowed_work *w, const slow_case *c)
{
    swq_sim_options options = swq_sim_defaults();
    swq_figure_setting s;
    swq_status status = figure_network(
        ctx, &s,
        "--topology switch --ports 4 --buffer %s --slots %d --flow block --credit same --arbiter "
        "fixed --load 1",
        c->buffer->name, c->buffer->partitioned ? PORTS * c->slots : c->slots);

    s.network.traffic.kind = SWQ_SOURCE_TRACE;
    s.network.traffic.trace = w->fast;
    s.network.traffic.trace_packets = LINES;
    options.warmup = 0;
    options.cycles = CYCLES;
    return status ? status : swq_sim_run(ctx, &s.network, &options, &w->sync);
}

static swq_status run_asynchronous(swq_context *ctx, slowed_work *w, const slow_case *c)
{
    swq_sim_options options = swq_sim_defaults();
    swq_figure_setting s;
    swq_status status = figure_network(
        ctx, &s,
        "--engine async --topology switch --ports 4 --buffer %s --bytes %d --block %d --max-packet "
        "%d --arbiter fixed --hop-delay %d --link-rest 0 --release start --load 1",
        c->buffer->name, LENGTH * (c->buffer->partitioned ? PORTS * c->slots : c->slots), LENGTH,
        LENGTH, LENGTH - 1);

    s.async.traffic.trace = w->slow;
    s.async.traffic.trace_messages = LINES;
    options.warmup = 0;
    options.cycles = CYCLES * LENGTH;
    return status ? status : swq_async_run(ctx, &s.async, &options, NULL, &w->async);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    swq_draws draws = swq_draws_of(seed, "sync-async", k);
    const slow_case c = case_of(k);
    slowed_work *w = swq_calloc(ctx, 1, sizeof *w);
    swq_status status = w ? SWQ_OK : swq_memory_status(ctx);

    (void)effort;
    if (!status) {
        draw_trace(w, c.load, &draws);
        status = run_synchronous(ctx, w, &c);
    }
    if (!status)
        status = run_asynchronous(ctx, w, &c);
    if (!status) {
        const swq_flow_result *fast = &w->sync.all, *slow = &w->async.sim.all;
        swq_compare(f, "delivered", (double)slow->delivered, (double)fast->delivered);
        swq_compare(f, "all delivered", (double)slow->delivered, LINES);
        swq_compare(f, "mean latency", slow->latency.mean, LENGTH * fast->latency.mean - 1);
        swq_compare(f, "variance of latency", slow->variance, LENGTH * LENGTH * fast->variance);
        swq_compare(f, "longest latency", slow->max, LENGTH * fast->max - 1);
        for (int p = 0; p < SWQ_PERCENTILES; p++)
            swq_compare(f, "percentile", slow->percentile[p], LENGTH * fast->percentile[p] - 1);
        swq_judge(f, 1e-9);
    }
    swq_free(ctx, w);
    return status;
}

const swq_family swq_family_slowed = {
    .name = "sync-async",
    .title = "Asynchronous simulator against the synchronous one slowed down",
    .legs = "asynchronous switch with packets of 12 bytes; synchronous switch, same trace",
    .criterion = "every packet arrives; mean, variance, percentiles and maximum of the latency "
                 "are 12 times the synchronous ones less one cycle, to within 1e-9",
    .count = count,
    .describe = describe,
    .run = run,
};
