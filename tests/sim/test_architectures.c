/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches with output stores against what is known of them otherwise: packets alone by the rules,
 * Karol's head-of-line limit times the speedup, the waits of output queues, a tree's links, and the
 * laws that hold of every run.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"
#include "tests/sim/inspector.h"

#include <math.h>
#include <string.h>

TestSuite(architectures, .timeout = 480);

static uint64_t state_of_draws;

static uint32_t draw(uint32_t n)
{
    uint64_t z = state_of_draws += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((z ^ z >> 31) >> 33) % n);
}

static swq_shape tree(int arity, int levels)
{
    swq_shape shape = {.kind = &swq_fabric_tree, .levels = levels};

    for (int l = 0; l < levels; l++)
        shape.arity[l] = arity;
    return shape;
}

static void give_outputs(swq_async *n, int bytes, int speedup_bytes, int speedup_cycles)
{
    n->architecture.row = &swq_cioq;
    n->architecture.output.blocks = bytes / n->packet.block;
    n->architecture.output.speedup_bytes = speedup_bytes;
    n->architecture.output.speedup_cycles = speedup_cycles;
}

/* ---- packets alone ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The cycles from its creation until a packet of L bytes begins its last transmission, through that
 * many switches, by the text of docs/asynchronous.md: `header` and `tail` are when they can go
 * on. */
static int64_t alone(const swq_async *n, int bytes, int switches)
{
    const bool whole = n->architecture.output.store_and_forward;
    const int64_t cross =
        (bytes * n->architecture.output.speedup_cycles + n->architecture.output.speedup_bytes - 1) /
        n->architecture.output.speedup_bytes;
    int64_t header = n->link.hop_delay, tail = bytes - 1 + n->link.hop_delay, begin = 0;

    for (int s = 0; s < switches; s++) {
        begin = whole ? tail : header; /* over the crossbar */
        header = begin + n->architecture.output.crossbar_delay;
        tail = larger(begin + cross, tail + 1) - 1 + n->architecture.output.crossbar_delay;
        begin = whole ? tail : header; /* over the link */
        header = begin + n->link.hop_delay;
        tail = larger(begin + bytes, tail + 1) - 1 + n->link.hop_delay;
    }
    return begin;
}

Test(architectures, a_packet_alone)
{
    static const int speed[][2] = {{1, 1}, {2, 1}, {3, 2}, {4, 1}, {7, 3}};

    state_of_draws = 2;
    for (int k = 0; k < 60; k++) {
        swq_async n =
            async_network(k % 2 ? tree(2, 3) : shape_in_stages("omega", 4, 2), "damq", 256);
        const int *s = speed[k % 5];
        const int bytes = 1 + (int)draw(32);
        const uint32_t from = draw(8), to = (from + 1 + draw(7)) % 8;
        const swq_async_message message = {5, from, to, (uint32_t)bytes};
        n.link.hop_delay = 1 + (int)draw(8);
        n.architecture.output.crossbar_delay = 1 + (int)draw(5);
        n.link.rest = (int)draw(4);
        n.architecture.output.store_and_forward = k / 5 % 2;
        give_outputs(&n, 64, s[0], s[1]);
        n.traffic.trace = &message;
        n.traffic.trace_messages = 1;
        n.traffic.groups = 0;
        const swq_sim_options options = run_of(1, 1, 0, 5000);
        const swq_async_result r = run_async(&n, &options, NULL);
        int switches = 2;
        if (k % 2) {
            switches = 1;
            for (uint32_t a = from / 2, b = to / 2; a != b; a /= 2, b /= 2)
                switches += 2;
        }
        cr_assert_eq(r.sim.total_delivered, 1);
        cr_expect_eq((int64_t)r.sim.all.latency.mean, alone(&n, bytes, switches),
                     "case %d: %d bytes through %d switches: %g cycles, not %lld", k, bytes,
                     switches, r.sim.all.latency.mean, (long long)alone(&n, bytes, switches));
        cr_expect_eq((int)r.sim.packet_hops, switches, "case %d", k);
    }
}

/* Two packets of 32 bytes for one output, which come together, by hand: hop delay 5, crossbar delay
 * 1, link rest 2, twice as fast a crossbar. The first one crosses in 16 cycles, or, on the go, when
 * its tail does: it comes in cycle 36, so the channel is free from 37 on. */
Test(architectures, two_packets_by_hand)
{
    static const uint32_t cycles[2][4] = {{5, 6, 37, 40}, {36, 52, 52, 86}};
    static const swq_async_message two[] = {{0, 0, 1, 32}, {0, 1, 1, 32}};

    for (int whole = 0; whole < 2; whole++) {
        swq_async n = async_network(shape_in_stages("switch", 2, 1), "fifo", 64);
        swq_async_result r;
        give_outputs(&n, 64, 2, 1);
        n.architecture.output.store_and_forward = whole;
        n.traffic.trace = two;
        n.traffic.trace_messages = 2;
        n.traffic.groups = 0;
        start_log log = run_logged(&n, 1000, &r);
        int at = 0;
        cr_assert_eq(log.count, 6); /* two of them are the senders' */
        for (size_t k = 0; k < log.count; k++) {
            if (log.at[k].switch_ == SWQ_NO_WHERE)
                continue;
            cr_expect_eq(log.at[k].cycle, cycles[whole][at], "%d, start %d: cycle %u", whole, at,
                         log.at[k].cycle);
            cr_expect(log.at[k].switch_ == 0 && log.at[k].output == 1, "%d, start %d", whole, at);
            at++;
        }
        free(log.at);
    }
}

/* The store before the link admits the second packet when enough of the first has left: 48 bytes
 * are six blocks, a packet takes four, and two are free when two have been sent. */
Test(architectures, an_output_store_closes)
{
    static const swq_async_message two[] = {{0, 0, 1, 32}, {0, 1, 1, 32}};
    swq_async n = async_network(shape_in_stages("switch", 2, 1), "fifo", 64);
    swq_async_result r;
    uint32_t last = 0;

    give_outputs(&n, 48, 2, 1);
    n.architecture.output.store_and_forward = true;
    n.traffic.trace = two;
    n.traffic.trace_messages = 2;
    n.traffic.groups = 0;
    start_log log = run_logged(&n, 1000, &r);
    for (size_t k = 0; k < log.count; k++) {
        if (log.at[k].switch_ == 0 && !log.at[k].output_store)
            last = log.at[k].cycle;
    }
    /* the first is sent from 52 on, one block in 8 cycles */
    cr_expect_eq(last, 52 + 16, "%u", last);
    free(log.at);
}

/* ---- a switch alone ---- */

/* Inputs that are always busy, FIFO: Karol, Hluchyj and Morgan's saturation throughput, times the
 * speedup of the crossbar. */
Test(architectures, the_head_of_line_limit_times_the_speedup)
{
    static const struct {
        int ports;
        double limit;
    } karol[] = {{2, 0.75}, {4, 0.65524}, {8, 0.61839}, {16, 0.60162}};
    static const int speed[][2] = {{1, 1}, {5, 4}, {3, 2}, {2, 1}};
    enum { BYTES = 60 }; /* whole cycles at each speed */
    scores all = {.quantity = "throughput"};

    for (size_t k = 0; k < 4 * sizeof karol / sizeof *karol; k++) {
        const int *s = speed[k % 4];
        swq_async n = async_network(shape_in_stages("switch", karol[k / 4].ports, 1), "fifo", 4096);
        n.packet.max = n.packet.block = BYTES;
        n.link.rest = 0;
        n.link.hop_delay = 1;
        n.memory.buffer.capacity = n.memory.buffer.queue_max = 50;
        give_outputs(&n, 200 * BYTES, s[0], s[1]);
        n.arbiter.row = &swq_arbiter_random;
        n.architecture.output.store_and_forward = true;
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(BYTES));
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(20 + k, 8, 40000, 150000);
        const swq_async_result r = run_async(&n, &options, NULL);
        const double limit = karol[k / 4].limit * s[0] / s[1];
        char what[80];
        snprintf(what, sizeof what, "%d ports, speedup %d/%d", karol[k / 4].ports, s[0], s[1]);
        if (limit < 0.97)
            scores_add(&all, score_of(&r.sim.all.throughput, limit, 8, options.confidence), what);
        else /* all that arrives */
            cr_expect_gt(r.sim.all.throughput.mean, 0.96, "%s: %g", what,
                         r.sim.all.throughput.mean);
    }
    cr_expect_geq(all.count, 8);
}

/* Packets of one slot that arrive in slots, and a crossbar that takes all packets of a slot to one
 * output within it: a packet waits as long as in Karol's output queues, (N - 1) / N * p / (2 (1 -
 * p)). */
Test(architectures, output_queues_wait_as_computed)
{
    enum { SLOT = 16, SLOTS = 60000, MOST = 4 * SLOTS };
    swq_async_message *trace = calloc(MOST, sizeof *trace);
    scores all = {.quantity = "wait"};

    state_of_draws = 3;
    for (int k = 0; k < 6; k++) {
        const uint32_t ports = k < 3 ? 2 : 4, load = 40 + 15 * (uint32_t)(k % 3); /* percent */
        uint64_t count = 0;
        for (uint64_t slot = 0; slot < SLOTS; slot++) {
            for (uint32_t from = 0; from < ports; from++) {
                if (draw(100) < load)
                    trace[count++] = (swq_async_message){slot * SLOT, from, draw(ports), SLOT};
            }
        }
        swq_async n = async_network(shape_in_stages("switch", (int)ports, 1), "fifo", 4096);
        n.packet.max = SLOT;
        n.packet.block = 8;
        n.link.rest = 0;
        n.memory.buffer.capacity = n.memory.buffer.queue_max = 40;
        give_outputs(&n, 4096 * 8, (int)ports, 1);
        n.architecture.row = &swq_output_queued;
        n.architecture.output.store_and_forward = true;
        n.traffic.trace = trace;
        n.traffic.trace_messages = count;
        n.traffic.groups = 0;
        const swq_sim_options options = run_of(1, 1, 2000 * SLOT, (uint64_t)(SLOTS - 2100) * SLOT);
        const swq_async_result r = run_async(&n, &options, NULL);
        const double p = load / 100.0, wait = (ports - 1.0) / ports * p / (2 * (1 - p));
        const double exact = (double)alone(&n, SLOT, 1) + SLOT * wait;
        char what[80];
        snprintf(what, sizeof what, "%u ports, load %g", ports, p);
        scores_add(&all,
                   score_of(&r.sim.all.latency, exact, (size_t)r.sim.batches, options.confidence),
                   what);
    }
    cr_expect_eq(all.count, 6);
    free(trace);
}

/* ---- a tree ---- */

static double carried(swq_async n, const swq_architecture *architecture)
{
    n.packet.max = 64;
    n.link.rest = 0;
    n.memory.buffer.capacity = n.memory.buffer.queue_max = 512; /* 64 packets of 64 bytes */
    if (architecture->async.output_stores)
        give_outputs(&n, 4096, 2, 1);
    const swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(64));
    n.traffic.group = &group;
    n.traffic.groups = 1;
    const swq_sim_options options = run_of(1, 2, 20000, 30000);
    return run_async(&n, &options, NULL).sim.all.throughput.mean;
}

/* 64 nodes, 64 packets of 64 bytes per input and output: head-of-line blocking costs a third of the
 * links' capacity, which a speedup of 2 recovers. */
Test(architectures, a_tree_needs_a_speedup)
{
    const swq_async n = async_network(tree(4, 3), "fifo", 4096);
    const double fifo = carried(n, &swq_input_queued), cioq = carried(n, &swq_cioq);

    cr_expect_float_eq(fifo, 0.67, 0.02, "%g", fifo);
    cr_expect_geq(cioq, 0.9, "%g", cioq);
}

/* ---- laws ---- */

/* The kernels differ in what they leave out, never in their numbers: here with and without output
 * stores, for each case. */
static void expect_same_of_every_kernel(swq_async n, const swq_sim_options *options,
                                        const swq_async_result *lean, int k)
{
    for (int without = 0; without < 2; without++) {
        swq_async_result r = *lean, general;
        if (without) {
            n.architecture.row = &swq_input_queued;
            n.architecture.output.store_and_forward = n.general = false;
            r = run_async(&n, options, NULL);
        }
        n.general = true;
        general = run_async(&n, options, NULL);
        cr_assert_eq(memcmp(&general.sim.all, &r.sim.all, sizeof r.sim.all), 0, "case %d", k);
        cr_assert_eq(memcmp(&general.sim.stage, &r.sim.stage, sizeof r.sim.stage), 0, "case %d", k);
        cr_assert_eq(general.bytes_delivered, r.bytes_delivered, "case %d", k);
    }
}

Test(architectures, random_cases_keep_the_laws)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};
    static const int speed[][2] = {{1, 1}, {2, 1}, {3, 2}, {4, 3}};
    int stuck = 0, moved = 0;

    state_of_draws = 4;
    for (int k = 0; k < 200; k++) {
        const int which = (int)draw(4);
        const bool ring = which == 2; /* which may deadlock */
        swq_async n = async_network(which == 0   ? tree(2 + (int)draw(2), 2)
                                    : which == 1 ? shape_in_stages("omega", 2, 3)
                                    : which == 2 ? shape_of_grid("torus", 1, 5)
                                                 : shape_in_stages("switch", 2 + (int)draw(5), 1),
                                    ring ? "damq" : buffers[draw(5)], ring ? 64 : 512);
        n.shape.one_way = ring;
        const int *s = speed[draw(which == 1 ? 2 : 4)];
        n.link.hop_delay = 1 + (int)draw(8);
        n.architecture.output.crossbar_delay = 1 + (int)draw(8);
        n.link.rest = (int)draw(4);
        n.architecture.output.store_and_forward = draw(2);
        n.memory.release = (swq_release)draw(4);
        if (draw(3) == 0)
            n.arbiter.row = &swq_arbiter_random;
        give_outputs(&n, 32 + 8 * (int)draw(ring ? 4 : 20), s[0], s[1]);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, draw(2) ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN,
                                     0.2 + 0.1 * draw(8), (swq_spread){SWQ_UNIFORM, 1, 32});
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of((uint64_t)k, 1, 500, 6000);
        const swq_async_result r = run_async(&n, &options, NULL); /* asserts those */
        expect_same_of_every_kernel(n, &options, &r, k);
        cr_assert(r.sim.conserved && r.sim.little_exact, "case %d", k);
        stuck += r.sim.stopped_by == SWQ_STOP_DEADLOCK;
        moved += r.sim.total_delivered > 100;
        if (r.sim.stopped_by == SWQ_STOP_DEADLOCK) {
            cr_assert(swq_async_may_deadlock(&n), "case %d", k);
            for (int w = 0; w < r.waiting_count && w < SWQ_MAX_WAITING; w++)
                cr_assert(r.waiting[w].port < 10 && r.waiting[w].next_port < 10, "case %d", k);
        }
    }
    cr_expect_gt(moved, 150);
    cr_expect(stuck > 0 && stuck < 50, "%d deadlocks", stuck);
}

/* ---- refusals ---- */

Test(architectures, bad_ones_are_named)
{
    swq_context *ctx = swq_context_new();
    static const struct {
        const swq_architecture *architecture;
        int blocks, bytes, cycles, delay;
        bool whole;
        const char *says;
    } bad[] = {
        {NULL, 16, 2, 1, 1, false, "architecture must be given"},
        {&swq_cioq, 3, 2, 1, 1, false, "output-bytes must be 32 to"},
        {&swq_cioq, 16, 1, 2, 1, false, "speedup must be 1 to 4"},
        {&swq_cioq, 16, 5, 1, 1, false, "speedup must be 1 to 4"},
        {&swq_cioq, 16, 2, 0, 1, false, "speedup must be 1 to 4"},
        {&swq_cioq, 16, 2, 1, 0, false, "crossbar-delay must be 1 to"},
        {&swq_output_queued, 16, 2, 1, 1, true, "has a speedup of 4"},
        {&swq_output_queued, 16, 4, 1, 1, false, "packets cross whole"},
    };
    const swq_architecture *row;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        swq_async n = async_network(shape_in_stages("omega", 4, 2), "damq", 256);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, constantly(32));
        uint32_t nodes;
        give_outputs(&n, bad[k].blocks * n.packet.block, bad[k].bytes, bad[k].cycles);
        n.architecture.row = bad[k].architecture;
        n.architecture.output.crossbar_delay = bad[k].delay;
        n.architecture.output.store_and_forward = bad[k].whole;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "case %zu", k);
        cr_expect(strstr(swq_context_message(ctx), bad[k].says), "case %zu: %s", k,
                  swq_context_message(ctx));
    }
    cr_expect_eq(swq_architecture_find(ctx, "ciqo", SWQ_ENGINE_ASYNC, &row), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "did you mean 'cioq'"), "%s",
              swq_context_message(ctx));
    swq_context_free(ctx);
}

/* An engine refuses the rows of the other by name, however it comes by them. */
Test(architectures, each_engine_has_its_rows_of_the_table)
{
    swq_context *ctx = swq_context_new();
    int both = 0;

    for (int k = 0; swq_architectures[k]; k++) {
        const swq_architecture *row = swq_architectures[k], *found = NULL;
        const bool sync = row->engines & SWQ_ENGINE_SYNC, async = row->engines & SWQ_ENGINE_ASYNC;
        uint32_t nodes;

        both += sync && async;
        cr_expect(sync || async || row->engines == SWQ_ENGINE_TIMED, "%s", row->name);
        cr_expect_eq(async, row->async.place != NULL, "%s", row->name);
        cr_expect_eq(async, row->async.kernel || row->async.stores, "%s", row->name);
        cr_expect_eq(!async, (row->needs & SWQ_NEEDS(SWQ_NEED_STAGES)) != 0, "%s", row->name);
        cr_expect_eq(!sync, (row->needs & SWQ_NEEDS(SWQ_NEED_BYTES)) != 0, "%s", row->name);
        cr_expect_eq(swq_architecture_find(ctx, row->name, SWQ_ENGINE_SYNC, &found),
                     sync ? SWQ_OK : SWQ_EINVAL, "%s", row->name);
        cr_expect_eq(swq_architecture_find(ctx, row->name, SWQ_ENGINE_ASYNC, &found),
                     async ? SWQ_OK : SWQ_EINVAL, "%s", row->name);
        if (async)
            continue;
        swq_async n = async_network(
            (swq_shape){.kind = &swq_fabric_torus, .dims = 1, .extent = {4}}, "damq", 512);
        const swq_sender_group group = swq_sender_group_uniform(
            &n, SWQ_SOURCE_OPEN, 0.1, (swq_spread){.kind = SWQ_CONSTANT, .first = 32});
        n.architecture.row = row;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", row->name);
        cr_expect(strstr(swq_context_message(ctx), row->name), "%s", swq_context_message(ctx));
    }
    cr_expect_eq(both, 4);
    swq_context_free(ctx);
}
