/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flow controls whose senders know what has come back. Without a delay they are what is known
 * already, to the bit; with any, no buffer ever overflows, nothing is lost, and threads do not
 * matter. What they do in every cycle is held against tests/ref/ref_told.c by
 * test_async_reference.c and test_crossbar_reference.c.
 */
#include "switchq/async.h"
#include "tests/support/support.h"

#include <string.h>

TestSuite(credits, .timeout = 240);

typedef struct {
    uint64_t hash;
    /* blocks in each input store and queue, with `end` as release: what begins to leave in t is
     * free in t + bytes */
    const swq_async *network;
    const swq_fabric *fabric;
    int *held;      /* [inputs * classes], whatever has begun to come and has not left */
    int *most;      /* [inputs] that a store has held */
    uint32_t *gone; /* [departures] cycle, store and class, blocks */
    size_t departures, first, room;
} onlooker;

static void fold(onlooker *o, uint64_t x)
{
    o->hash = (o->hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    o->hash ^= o->hash >> 29;
}

static int blocks_of(const swq_async *n, uint32_t bytes)
{
    return ((int)bytes + n->packet.block - 1) / n->packet.block;
}

static void watch_starts(void *arg, const swq_start *x)
{
    onlooker *o = arg;

    fold(o, (uint64_t)x->cycle << 32 | x->from << 16 | x->to);
    fold(o, (uint64_t)x->switch_ << 32 | x->input << 16 | x->output << 1 | x->output_store);
}

static swq_async network(swq_context *ctx, const char *buffer, int bytes)
{
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;

    n.shape.ports = n.shape.stages = 2;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, bytes), SWQ_OK);
    return n;
}

static int shortest = 1; /* bytes of messages */

static uint64_t run(swq_context *ctx, swq_async *n, int threads, swq_async_result *r)
{
    swq_sender_group group = swq_sender_group_uniform(
        n, SWQ_SOURCE_HOLD, 0.8, (swq_spread){SWQ_UNIFORM, shortest, n->packet.max});
    swq_sim_options options = swq_sim_defaults();
    onlooker o = {0};
    swq_async_watch watch = {.started = watch_starts, .arg = &o};

    n->traffic.group = &group;
    n->traffic.groups = 1;
    options.warmup = 500;
    options.cycles = 6000;
    options.replications = 2;
    options.threads = threads;
    cr_assert_eq(swq_async_run(ctx, n, &options, &watch, r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(r->sim.conserved && r->sim.little_exact);
    n->traffic.group = NULL;
    n->traffic.groups = 0;
    return o.hash;
}

/* The same starts, and the same results. */
static void expect_same(swq_context *ctx, swq_async *a, swq_async *b, const char *what)
{
    static swq_async_result x, y;
    const uint64_t one = run(ctx, a, 1, &x), other = run(ctx, b, 1, &y);

    cr_expect_eq(one, other, "%s: other starts", what);
    cr_expect_eq(x.sim.all.delivered, y.sim.all.delivered, "%s", what);
    cr_expect_eq(x.sim.all.latency.mean, y.sim.all.latency.mean, "%s", what);
}

static void expect_others(swq_context *ctx, swq_async *a, swq_async *b, const char *what)
{
    static swq_async_result x, y;

    cr_expect_neq(run(ctx, a, 1, &x), run(ctx, b, 1, &y), "%s: the same starts", what);
}

static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};

/* A sender that knows at once sees: the pool's rule is the buffer's own, whatever that is. */
Test(credits, no_delay_is_blocking)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 5; k++) {
        for (int release = SWQ_RELEASE_BLOCKS; release <= SWQ_RELEASE_END; release++) {
            swq_async sees = network(ctx, buffers[k], 96), told;
            sees.memory.release = (swq_release)release;
            told = sees;
            told.flow.row = &swq_flow_credits;
            told.flow.credit_delay = 0;
            told.flow.credit_unit = SWQ_CREDIT_POOL;
            expect_same(ctx, &sees, &told, buffers[k]);
            told.flow.credit_unit = buffers[k][0] == 's' ? SWQ_CREDIT_QUEUE : SWQ_CREDIT_CHANNEL;
            expect_same(ctx, &sees, &told, buffers[k]);
            told.flow.credit_delay = 3;
            expect_others(ctx, &sees, &told, buffers[k]);
            told.flow.credit_delay = 0;
            told.flow.row = &swq_flow_stop_go;
            told.flow.stop = swq_async_highest_stop(&told);
            told.flow.go = told.flow.stop - 1;
            expect_same(ctx, &sees, &told, buffers[k]);
            told.flow.go = 0;
            expect_others(ctx, &sees, &told, buffers[k]);
        }
    }
    swq_context_free(ctx);
}

/* Memory that counts for some cycles more is memory of which the sender hears that much later. */
Test(credits, a_delay_is_a_later_release)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 5; k++) {
        swq_async sees = network(ctx, buffers[k], 96), told = sees;
        told.flow.row = &swq_flow_credits;
        told.flow.credit_unit = SWQ_CREDIT_POOL;
        told.memory.release = SWQ_RELEASE_HOP;
        told.flow.credit_delay = 3;
        sees.memory.release = SWQ_RELEASE_AFTER;
        sees.memory.release_cycles = sees.link.hop_delay + told.flow.credit_delay;
        shortest = sees.memory.release_cycles;
        expect_same(ctx, &sees, &told, buffers[k]);
        sees.memory.release_cycles++;
        expect_others(ctx, &sees, &told, buffers[k]);
    }
    swq_context_free(ctx);
}

/* Reserved blocks, limits and thresholds, and the store before a link. */
Test(credits, no_delay_in_a_pool)
{
    swq_context *ctx = swq_context_new();
    swq_async sees = network(ctx, "damq", 128), told;

    sees.memory.buffer.queue_min = 4;
    sees.memory.buffer.queue_max = 11;
    for (int k = 0; k < 3; k++) {
        told = sees;
        told.flow.row = &swq_flow_credits;
        told.flow.credit_unit = SWQ_CREDIT_POOL;
        told.flow.credit_delay = 0;
        expect_same(ctx, &sees, &told, "pool");
        told.flow.credit_delay = 5;
        expect_others(ctx, &sees, &told, "pool");
        if (k == 0)
            sees.memory.buffer.alpha = 0.75;
        sees.architecture.row = k == 1 ? &swq_cioq : sees.architecture.row;
        sees.architecture.output.speedup_bytes = 2;
        sees.architecture.output.blocks = 9;
    }
    swq_context_free(ctx);
}

/* Credits for each queue's part make a partition of the buffer. */
Test(credits, by_queue_is_a_partition)
{
    static const char *const pair[][2] = {{"damq", "samq"}, {"dafc", "safc"}};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2; k++) {
        for (int delay = 0; delay < 20; delay += 9) {
            swq_async shared = network(ctx, pair[k][0], 96), split = network(ctx, pair[k][1], 96);
            shared.flow.row = split.flow.row = &swq_flow_credits;
            shared.flow.credit_unit = split.flow.credit_unit = SWQ_CREDIT_QUEUE;
            shared.flow.credit_delay = split.flow.credit_delay = delay;
            expect_same(ctx, &shared, &split, pair[k][0]);
        }
    }
    swq_context_free(ctx);
}

Test(credits, threads_do_not_matter)
{
    swq_context *ctx = swq_context_new();
    static swq_async_result x, y;
    swq_async n = network(ctx, "damq", 160);

    for (int k = 0; k < 2; k++) {
        n.flow.row = k ? &swq_flow_stop_go : &swq_flow_credits;
        n.flow.credit_delay = 6;
        n.flow.stop = 8;
        n.flow.go = 3;
        cr_expect_eq(run(ctx, &n, 1, &x), run(ctx, &n, 2, &y));
        cr_expect_eq(x.sim.all.latency.mean, y.sim.all.latency.mean);
    }
    swq_context_free(ctx);
}

/* ---- memory ---- */

static void forget_gone(onlooker *o, uint32_t cycle)
{
    for (; o->first < o->departures && o->gone[3 * o->first] <= cycle; o->first++)
        o->held[o->gone[3 * o->first + 1]] -= (int)o->gone[3 * o->first + 2];
}

/* All packets take as long, so that they leave in the order in which they begin to. */
static void count_blocks(void *arg, const swq_start *x)
{
    onlooker *o = arg;
    const swq_fabric *f = o->fabric;
    const int blocks = blocks_of(o->network, x->bytes);
    uint32_t to = SWQ_NO_WHERE;

    forget_gone(o, x->cycle);
    if (x->switch_ == SWQ_NO_WHERE) {
        to = f->entry[x->from];
    } else {
        const uint32_t port = x->switch_ * (uint32_t)f->ports;
        to = f->link[port + x->output];
        if (o->departures == o->room) {
            o->room = 2 * o->room + 1024;
            o->gone = realloc(o->gone, o->room * 3 * sizeof *o->gone);
            cr_assert(o->gone);
        }
        o->gone[3 * o->departures] = x->cycle + x->bytes;
        o->gone[3 * o->departures + 1] = port + x->input;
        o->gone[3 * o->departures++ + 2] = (uint32_t)blocks;
    }
    if (to & SWQ_TO_NODE)
        return;
    o->held[to] += blocks;
    o->most[to] = o->held[to] > o->most[to] ? o->held[to] : o->most[to];
}

/* The most blocks that any buffer holds, its packets all being of that length and sent by senders
 * that never pause. */
static int most_held(swq_context *ctx, swq_async *n, int length)
{
    static int held[64], most[64];
    static swq_async_result r;
    swq_sim_options options = swq_sim_defaults();
    swq_fabric f = {0};
    swq_sender_group group =
        swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, length, 0});
    onlooker o = {.network = n, .fabric = &f, .held = held, .most = most};
    swq_async_watch watch = {.started = count_blocks, .arg = &o};
    int all = 0;

    memset(held, 0, sizeof held);
    memset(most, 0, sizeof most);
    n->traffic.group = &group;
    n->traffic.groups = 1;
    n->memory.release = SWQ_RELEASE_END;
    if (n->flow.row->stop_go) {
        n->flow.stop = swq_async_highest_stop(n);
        n->flow.go = n->flow.stop / 2;
    }
    options.warmup = 0;
    options.cycles = 4000;
    cr_assert_eq(swq_fabric_make(ctx, &n->shape, &f), SWQ_OK);
    cr_assert_eq(swq_async_run(ctx, n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    for (uint32_t k = 0; k < f.switches * (uint32_t)f.ports; k++)
        all = most[k] > all ? most[k] : all;
    swq_fabric_clear(ctx, &f);
    free(o.gone);
    return all;
}

/* They fill what there is, and nothing more. */
Test(credits, no_buffer_overflows)
{
    swq_context *ctx = swq_context_new();

    for (int delay = 0; delay <= 40; delay += 5) {
        for (int length = 8; length <= 32; length += 8) {
            const int whole = 20 / (length / 8) * (length / 8);
            swq_async n = network(ctx, delay % 2 ? "fifo" : "damq", 160);
            n.packet.max = length;
            n.flow.credit_delay = delay;
            for (int k = 0; k < 2; k++) {
                n.flow.row = k ? &swq_flow_stop_go : &swq_flow_credits;
                const int most = most_held(ctx, &n, length);
                cr_expect_leq(most, whole, "flow %d, %d, %d: %d", k, delay, length, most);
                if (delay == 0 && length > 8)
                    cr_expect_eq(most, whole, "flow %d, %d, %d: %d", k, delay, length, most);
            }
        }
    }
    swq_context_free(ctx);
}

/* Two packets of a block in the time until a stop is heard, and one of four before. */
Test(credits, highest_stop)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_UNIFORM, 1, 32});

    n.traffic.group = &group;
    n.traffic.groups = 1;
    n.flow.credit_delay = 0;
    cr_expect_eq(swq_async_highest_stop(&n), 13);
    n.flow.credit_delay = 2; /* a byte and a rest of 2 take 3 cycles */
    cr_expect_eq(swq_async_highest_stop(&n), 13);
    n.flow.credit_delay = 6;
    cr_expect_eq(swq_async_highest_stop(&n), 11);
    group.type[0].length = (swq_spread){SWQ_UNIFORM, 20, 32}; /* three blocks in 22 */
    cr_expect_eq(swq_async_highest_stop(&n), 13);
    n.flow.credit_delay = 26;
    cr_expect_eq(swq_async_highest_stop(&n), 10);
    n.flow.credit_delay = 27; /* four in 27 */
    cr_expect_eq(swq_async_highest_stop(&n), 9);
    n.flow.credit_delay = 4096;
    cr_expect_lt(swq_async_highest_stop(&n), 1);
    swq_context_free(ctx);
}

/* ---- deadlocks ---- */

/* Four packets in a ring, each on its way to the third switch, whose headers come after thousands
 * of cycles: nothing leaves any buffer for a long time, but they say go, not stop. */
Test(credits, no_false_deadlock)
{
    static const swq_async_message trace[] = {
        {0, 0, 3, 32}, {0, 1, 0, 32}, {0, 2, 1, 32}, {0, 3, 2, 32}};
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "fifo", 128);
    swq_sim_options options = swq_sim_defaults();
    static swq_async_result r;

    n.shape = (swq_shape){.kind = &swq_fabric_torus, .dims = 1, .extent = {4}, .one_way = true};
    n.link.hop_delay = 4096;
    n.flow.row = &swq_flow_stop_go;
    n.flow.stop = 12;
    n.traffic.trace = trace;
    n.traffic.trace_messages = 4;
    options.warmup = 0;
    options.cycles = 40000;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect_eq(r.sim.stopped_by, SWQ_STOP_TRACE_END);
    swq_context_free(ctx);
}

/* ---- refusals ---- */

static void refused(swq_context *ctx, swq_async n, const char *said)
{
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    uint32_t nodes;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", said);
    cr_expect(strstr(swq_context_message(ctx), said), "%s: %s", said, swq_context_message(ctx));
}

Test(credits, refusals)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128), samq = network(ctx, "samq", 128);

    n.flow.row = samq.flow.row = &swq_flow_credits;
    samq.flow.credit_unit = SWQ_CREDIT_CHANNEL;
    refused(ctx, samq, "credit-unit channel");
    n.flow.credit_delay = 4097;
    refused(ctx, n, "credit-delay must be 0 to 4096");
    n.flow.credit_delay = 1;
    n.flow.credit_unit = (swq_credit_unit)7;
    refused(ctx, n, "credit-unit must be");
    n.flow.credit_unit = SWQ_CREDIT_CHANNEL;
    n.memory.buffer.queue_min = 2;
    refused(ctx, n, "queue-min");
    n.memory.buffer.queue_min = 0;
    n.memory.buffer.queue_max = 9;
    refused(ctx, n, "queue-max");
    n.memory.buffer.queue_max = 16;
    n.memory.buffer.alpha = 1;
    refused(ctx, n, "alpha");
    n.flow.credit_unit = SWQ_CREDIT_QUEUE;
    refused(ctx, n, "alpha");
    n.memory.buffer.alpha = 0;
    n.memory.buffer.capacity = n.memory.buffer.queue_max = 7;
    refused(ctx, n, "below a packet");
    n.memory.buffer.capacity = n.memory.buffer.queue_max = 16;
    n.flow.row = &swq_flow_stop_go;
    n.flow.credit_delay = 40; /* a packet takes 34 cycles */
    n.flow.stop = 10;
    n.flow.go = 2;
    refused(ctx, n, "stop must be 1 to 9 of 16 blocks");
    n.flow.stop = 9;
    n.flow.go = 9;
    refused(ctx, n, "go must be 0 to 8");
    n.flow.credit_delay = 400;
    refused(ctx, n, "overflow");
    swq_context_free(ctx);
}
