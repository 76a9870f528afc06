/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-counter flow control: its special cases are flow controls that are written elsewhere, to the
 * bit, and counters fall with time. What it does in every cycle is held against
 * tests/ref/ref_async.c by test_async_reference.c.
 */
#include "switchq/async.h"
#include "tests/support/support.h"

TestSuite(two_counter, .timeout = 240);

typedef struct {
    uint64_t hash, starts;
    uint32_t
        sender[8]; /* cycles in which senders have begun to send, the first ones after `from` */
    uint32_t from;
    int senders;
} counter_onlooker;

static void watch_starts(void *arg, const swq_start *x)
{
    counter_onlooker *o = arg;
    const uint64_t what = (uint64_t)x->cycle << 32 | x->switch_ << 12 | x->input << 6 | x->output;

    o->hash = (o->hash ^ what) * UINT64_C(0x9e3779b97f4a7c15);
    o->hash ^= o->hash >> 29;
    o->starts++;
    if (x->switch_ == SWQ_NO_WHERE && x->cycle > o->from && o->senders < 8)
        o->sender[o->senders++] = x->cycle;
}

static swq_async network(swq_context *ctx, const char *buffer, int bytes, int stages)
{
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;

    n.shape.ports = 2;
    n.shape.stages = stages;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, bytes), SWQ_OK);
    return n;
}

static counter_onlooker run(swq_context *ctx, swq_async *n, uint32_t from, uint64_t cycles)
{
    swq_sender_group group = swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 0.9,
                                                      (swq_spread){SWQ_UNIFORM, 1, n->packet.max});
    swq_sim_options options = swq_sim_defaults();
    counter_onlooker o = {.from = from};
    swq_async_watch watch = {.started = watch_starts, .arg = &o};
    swq_async_result r;

    if (n->shape.stages == 1) { /* all to node 0 */
        group.type[0].aim = SWQ_AIM_NODE;
        group.type[0].value = 0;
    }
    n->traffic.group = &group;
    n->traffic.groups = 1;
    options.warmup = 0;
    options.cycles = cycles;
    options.replications = 1;
    options.threads = 1;
    cr_assert_eq(swq_async_run(ctx, n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(r.sim.conserved && r.sim.little_exact);
    cr_assert_neq(r.sim.stopped_by, SWQ_STOP_DEADLOCK);
    return o;
}

static swq_two_counter counters(int sigma, int x_inc, int x_dec, int y, int y_max)
{
    return (swq_two_counter){
        .sigma = sigma, .x_inc = x_inc, .x_dec = x_dec, .y = y, .y_max = y_max};
}

/* Y = Ymax = sigma = 1 and Xinc = Xdec - 1 (8.4.3). */
Test(two_counter, is_maximum_usage)
{
    static const char *const buffer[] = {"fifo", "damq", "dafc", "samq", "safc"};
    swq_context *ctx = swq_context_new();
    uint64_t before = 0;

    for (int k = 0; k < 40; k++) {
        swq_async n = network(ctx, buffer[k % 5], 128, 2);
        const int threshold = k / 5;
        n.memory.release = k % 3 == 0   ? SWQ_RELEASE_BLOCKS
                           : k % 3 == 1 ? SWQ_RELEASE_START
                                        : SWQ_RELEASE_END;
        n.flow.threshold = threshold;
        n.flow.row = &swq_flow_maximum_usage;
        const counter_onlooker usage = run(ctx, &n, 0, 3000);
        n.flow.row = &swq_flow_two_counter;
        n.flow.counters = counters(1, threshold, threshold + 1, 1, 1);
        const counter_onlooker two = run(ctx, &n, 0, 3000);
        cr_expect_eq(usage.hash, two.hash, "%s, threshold %d: %llu starts, not %llu", buffer[k % 5],
                     threshold, (unsigned long long)two.starts, (unsigned long long)usage.starts);
        cr_expect_neq(usage.hash, before);
        before = usage.hash;
    }
    swq_context_free(ctx);
}

/* Reiser's, of a FIFO buffer; and Yum and Yen's, of the queues of a buffer, here with parts of
 * their own: stop-and-go that is heard at once, written elsewhere, stops at Xinc + 1 and goes at
 * Xdec - 1.
 */
Test(two_counter, is_hysteresis)
{
    swq_context *ctx = swq_context_new();
    int differ = 0;

    for (int k = 0; k < 30; k++) {
        const bool parts = k % 2;
        swq_async n = network(ctx, parts ? "samq" : "fifo", 192, 2);
        const int x_inc = k / 2 % (parts ? 8 : 12), x_dec = 1 + k / 3 % (x_inc + 1);
        n.memory.release = k % 3 ? SWQ_RELEASE_BLOCKS : SWQ_RELEASE_START;
        n.flow.credit_delay = 0;
        n.flow.stop = x_inc + 1;
        n.flow.go = x_dec - 1;
        n.flow.row = &swq_flow_stop_go;
        const counter_onlooker stops = run(ctx, &n, 0, 3000);
        n.flow.row = &swq_flow_two_counter;
        n.flow.counters = counters(1, x_inc, x_dec, 1, 1);
        cr_expect_eq(stops.hash, run(ctx, &n, 0, 3000).hash, "above %d, below %d", x_inc, x_dec);
        n.flow.counters.x_dec = x_inc + 1;
        differ += stops.hash != run(ctx, &n, 0, 3000).hash;
    }
    cr_expect_gt(differ, 10);
    swq_context_free(ctx);
}

/* Two senders keep the way to one node busy: neither queue is empty in cycle 3000, when the first
 * update closes both, and both are empty in cycle 6000, whose update opens them. Both senders are
 * woken then, though that is farther ahead than the wheels reach. */
Test(two_counter, opens_with_time)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128, 1);

    n.flow.row = &swq_flow_two_counter;
    n.flow.counters = counters(3000, 0, 1, 1, 4);
    const counter_onlooker o = run(ctx, &n, 2999, 7000);
    cr_assert_geq(o.senders, 2);
    cr_expect_eq(o.sender[0], 6000, "%u", o.sender[0]);
    cr_expect_eq(o.sender[1], 6000, "%u", o.sender[1]);
    swq_context_free(ctx);
}

/* Table 8.2, by its text. */
Test(two_counter, rows)
{
    swq_context *ctx = swq_context_new();
    static const struct {
        const char *name;
        int value[5];
    } row[] = {{"H", {1, 8, 4, 1, 1}},
               {"T", {20, 6, 6, 1, 1}},
               {"tH", {20, 8, 4, 1, 1}},
               {"A", {20, 8, 8, 2, 4}},
               {"aH", {20, 8, 4, 2, 4}}};
    swq_two_counter c;

    for (int k = 0; k < 5; k++) {
        cr_assert_eq(swq_two_counter_find(ctx, row[k].name, &c), SWQ_OK);
        const int value[] = {c.sigma, c.x_inc, c.x_dec, c.y, c.y_max};
        cr_expect_arr_eq(value, row[k].value, sizeof value, "%s", row[k].name);
    }
    cr_expect_eq(swq_two_counter_find(ctx, "hT", &c), SWQ_EINVAL);
    swq_context_free(ctx);
}

/* Contradictory options are refused by name, with the reason. */
Test(two_counter, refusals)
{
    static const struct {
        int value[5];
        const char *says;
    } bad[] = {
        {{1, 4, 6, 1, 1}, "XDEC must be at most XINC + 1 = 5, not 6"},
        {{1, 4, 0, 1, 1}, "XDEC must be at least 1"},
        {{1, 4, 5, 2, 1}, "Y must be at most YMAX = 1, not 2"},
        {{0, 4, 5, 1, 1}, "SIGMA must be 1 to 4096, not 0"},
        {{1, -1, 0, 1, 1}, "XINC must be 0 to"},
        {{1, 4, 5, 0, 1}, "Y must be 1 to 1, not 0"},
        {{1, 4, 5, 1, 65536}, "YMAX must be 1 to 65535"},
    };
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128, 2);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, (swq_spread){SWQ_CONSTANT, 32, 0});
    uint32_t nodes;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    n.flow.row = &swq_flow_two_counter;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const int *v = bad[k].value;
        n.flow.counters = counters(v[0], v[1], v[2], v[3], v[4]);
        cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", bad[k].says);
        cr_expect(strstr(swq_context_message(ctx), bad[k].says), "%s", swq_context_message(ctx));
    }
    n.flow.counters = counters(1, 4, 5, 1, 1);
    cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK);
    n.architecture.row = &swq_output_queued;
    n.architecture.output.blocks = 16;
    n.architecture.output.speedup_bytes = 2;
    n.architecture.output.store_and_forward = true;
    cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "flow two-counter"), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}
