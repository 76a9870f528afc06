/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Architectures central and prizma by themselves: cycles worked out by hand from the rules of
 * docs/asynchronous.md, "One memory for all", what small packets cost, and what is refused.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"
#include "tests/support/support.h"

TestSuite(central, .timeout = 120);

enum { MOST = 64, HOP = 3 };

typedef struct {
    swq_start start[MOST];
    int starts;
} central_seen;

static void note(void *arg, const swq_start *x)
{
    central_seen *s = arg;

    if (s->starts < MOST)
        s->start[s->starts++] = *x;
}

/* A switch with that many ports, chunks of that many flits, and a pool of that many chunks. */
static swq_async a_switch(swq_context *ctx, int ports, int chunks, int longest)
{
    swq_async n = swq_async_defaults();

    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.shape.ports = ports;
    n.shape.stages = 1;
    n.architecture.row = &swq_central_queue;
    n.link.hop_delay = HOP;
    n.link.rest = 0;
    n.packet.block = ports;
    n.packet.max = longest;
    n.memory.bytes = n.architecture.stores.fifo + chunks;
    return n;
}

static swq_async_result run(swq_context *ctx, swq_async *n, const swq_async_message *trace,
                            uint64_t messages, central_seen *s)
{
    static swq_async_result r;
    swq_sim_options o = swq_sim_defaults();
    swq_async_watch watch = {.started = note, .arg = s};

    o.replications = o.threads = 1;
    o.warmup = 0;
    o.cycles = 20000;
    n->traffic.trace = trace;
    n->traffic.trace_messages = messages;
    s->starts = 0;
    cr_assert_eq(swq_async_run(ctx, n, &o, &watch, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact, "not conserved");
    cr_expect_eq(r.sim.total_delivered, r.sim.total_created, "not all is delivered");
    return r;
}

/* The cycle of the k-th transmission of a packet over a link, 0 being its sender's. */
static uint64_t begun(const central_seen *s, uint32_t from, int k)
{
    for (int i = 0; i < s->starts; i++) {
        const swq_start *x = &s->start[i];
        const bool link = x->switch_ == SWQ_NO_WHERE || x->output_store;
        if (x->from == from && link && k-- == 0)
            return x->cycle;
    }
    return UINT64_MAX;
}

/* Nothing waits: two cycles per switch and one per link, whatever the length. */
Test(central, two_cycles_a_switch)
{
    swq_context *ctx = swq_context_new();

    for (int modules = 0; modules < 2; modules++) {
        swq_async n = a_switch(ctx, 4, 64, 100);
        central_seen s;
        const swq_async_message trace[] = {{7, 5, 60, 100}};
        n.shape = (swq_shape){.kind = &swq_fabric_tree, .levels = 3, .arity = {4, 4, 4}};
        n.packet.block = 8;
        n.memory.bytes = 640;
        n.architecture.row = modules ? &swq_prizma : &swq_central_queue;
        run(ctx, &n, trace, 1, &s);
        for (int hop = 0; hop <= 5; hop++)
            cr_expect_eq(begun(&s, 5, hop), 7 + 3 * (uint64_t)hop, "hop %d", hop);
    }
    swq_context_free(ctx);
}

/* Three packets of 100 flits for one output, in a pool of 100: the first bypasses, the second takes
 * the pool, the third stalls in a FIFO of 32, and so does its sender, until the output is idle. */
Test(central, a_packet_stalls)
{
    enum { L = 100, B = 32 };
    swq_context *ctx = swq_context_new();
    swq_async n = a_switch(ctx, 4, L / 4, L);
    const swq_async_message trace[] = {{0, 0, 2, L}, {0, 1, 2, L}, {0, 3, 2, L}, {1, 3, 1, L}};
    central_seen s;

    n.memory.bytes = B + L / 4;
    run(ctx, &n, trace, 4, &s);
    cr_expect_eq(begun(&s, 0, 1), HOP);
    cr_expect_eq(begun(&s, 1, 1), HOP + L); /* stored; behind the tail of the first */
    cr_expect_eq(begun(&s, 3, 1), HOP + 2 * L);
    /* its last flit waits for the one B before it to leave the FIFO: a cycle later */
    const uint64_t tail = HOP + 2 * L + (L - 1 - B) + 1;
    cr_expect_eq(begun(&s, 3, 2), tail + 1, "the sender's next: %d", (int)begun(&s, 3, 2));
    /* which has its header as soon as the FIFO has passed the tail on, since it was there before */
    cr_expect_eq(begun(&s, 3, 3), HOP + 3 * L);
    swq_context_free(ctx);
}

/* A packet that is stored is gathered into a chunk, written and read. */
Test(central, stored_packets_begin_later)
{
    swq_context *ctx = swq_context_new();
    swq_async n = a_switch(ctx, 4, 64, 100);
    central_seen s;

    /* a flit is on its way when the packet of input 1 arrives; it could follow in the next cycle */
    const swq_async_message trace[] = {{0, 0, 2, 1}, {0, 1, 2, 20}};
    run(ctx, &n, trace, 2, &s);
    cr_expect_eq(begun(&s, 0, 1), HOP);
    cr_expect_eq(begun(&s, 1, 1), HOP + 4 + 1);
    n.architecture.row = &swq_prizma;
    n.memory.bytes = 132; /* modules do not require gathering */
    run(ctx, &n, trace, 2, &s);
    cr_expect_eq(begun(&s, 1, 1), HOP + 1);
    swq_context_free(ctx);
}

/* ---- small packets ---- */

static swq_async_result loaded(swq_context *ctx, swq_async *n, int length, int to)
{
    static swq_async_result r;
    swq_sim_options o = swq_sim_defaults();
    swq_sender_group g =
        swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, length, 0});

    if (to >= 0) {
        g.type[0].aim = SWQ_AIM_SUBSET;
        g.type[0].mask = g.type[0].value = (uint32_t)to;
    }
    o.replications = o.threads = 1;
    o.warmup = 1000;
    o.cycles = 20000;
    n->traffic.group = &g;
    n->traffic.groups = 1;
    cr_assert_eq(swq_async_run(ctx, n, &o, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact, "not conserved");
    return r;
}

/* The loss is what a chunk is not filled with. */
Test(central, fragmentation)
{
    swq_context *ctx = swq_context_new();
    const struct {
        int length, chunks, fill;
    } packet[] = {{1, 1, 1}, {3, 1, 3}, {8, 1, 8}, {9, 2, 1}, {16, 2, 8}, {23, 3, 7}};

    for (size_t k = 0; k < sizeof packet / sizeof *packet; k++) {
        const int length = packet[k].length, chunks = packet[k].chunks, fill = packet[k].fill;
        swq_async n = a_switch(ctx, 8, 64, length);
        const swq_async_result r = loaded(ctx, &n, length, -1);
        cr_expect_float_eq(r.chunks.lost, (8.0 - fill) / (8 * chunks), 1e-12, "%d flits", length);
        cr_expect_float_eq(r.chunks.unfilled, (8 - fill) * r.chunks.partly, 1e-9);
        cr_expect(fill < 8 ? r.chunks.partly > 0 && r.chunks.partly <= r.chunks.taken
                           : r.chunks.partly == 0);
    }
    swq_context_free(ctx);
}

/* All send to four of the eight outputs. Traffic through the memory, rather than past it, is
 * limited to one chunk per cycle, however full the chunk is. Modules are all read at once. */
Test(central, a_read_a_cycle)
{
    swq_context *ctx = swq_context_new();
    const int length[] = {1, 2, 3};

    for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
        swq_async n = a_switch(ctx, 8, 256, 16);
        const swq_async_result r = loaded(ctx, &n, length[k], 4);
        const double stored = 8 * r.sim.stage[1].sent.mean; /* the level of crossbars */
        cr_expect(stored <= length[k] + 0.01 && stored > 0.97 * length[k] - 0.1, "%d flits: %g",
                  length[k], stored);
        n.architecture.row = &swq_prizma;
        const swq_async_result p = loaded(ctx, &n, length[k], 4);
        cr_expect(8 * p.sim.all.throughput.mean > 3.9, "%g", 8 * p.sim.all.throughput.mean);
        cr_expect_float_eq(p.chunks.unfilled, (16 - length[k]) * p.chunks.taken, 1e-9);
        cr_expect(isnan(p.chunks.lost));
    }
    swq_context_free(ctx);
}

/* ---- trees ---- */

/* Half of the nodes send to one, and fill the modules with packets for it. On their way up packets
 * wait for modules that packets on their way down hold, and vice versa: if a head did not bypass
 * the memory when no module is free, nothing would move any more. */
Test(central, trees_with_a_hot_node_do_not_stand_still)
{
    swq_context *ctx = swq_context_new();
    swq_async n = a_switch(ctx, 4, 64, 16);
    swq_sim_options o = swq_sim_defaults();
    swq_async_result r;

    n.shape = (swq_shape){.kind = &swq_fabric_tree, .levels = 3, .arity = {2, 2, 2}};
    n.architecture.row = &swq_prizma;
    n.architecture.stores.fifo = 8;
    n.memory.bytes = 64;
    swq_sender_group all =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 16, 0});
    swq_sender_group group[2] = {all, all};
    group[0].mask = 1;
    group[0].type[0].aim = SWQ_AIM_NODE;
    group[0].type[0].value = 1;
    n.traffic.group = group;
    n.traffic.groups = 2;
    o.replications = o.threads = 1;
    o.warmup = 10000; /* without that, everything would have stopped by then */
    o.cycles = 10000;
    cr_assert_eq(swq_async_run(ctx, &n, &o, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.sim.conserved);
    cr_expect(r.sim.all.throughput.mean > 0.25, "%g", r.sim.all.throughput.mean);
    swq_context_free(ctx);
}

/* ---- refused ---- */

Test(central, refusals)
{
    swq_context *ctx = swq_context_new();
    const struct {
        int memory, fifo, block, module, packet;
        bool modules, islip, by_hop;
        const char *says;
    } bad[] = {
        {640, 3, 8, 0, 64, false, false, false, "fifo-bytes must be 4 to"},
        {640, 32, 7, 0, 64, false, false, false, "chunk must be at least 8"},
        {39, 32, 8, 0, 64, false, false, false, "bytes must be at least 40"},
        {20, 32, 8, 0, 64, false, false, false, "bytes must be at least 40"},
        {39, 32, 8, 0, 64, true, false, false, "bytes must be at least 40"},
        {640, 32, 8, 63, 64, true, false, false, "module must be at least 64"},
        {100000, 32, 8, 1, 1, true, false, false, "at most 65534 modules"},
        {640, 32, 8, 0, 64, false, true, false, "arbiter islip is not for"},
        {640, 32, 8, 0, 64, false, false, true, "release must be blocks"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        swq_async n = a_switch(ctx, 8, 64, bad[k].packet);
        uint32_t nodes;
        swq_sender_group g =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, (swq_spread){SWQ_CONSTANT, 1, 0});
        n.traffic.group = &g;
        n.traffic.groups = 1;
        n.architecture.row = bad[k].modules ? &swq_prizma : &swq_central_queue;
        n.memory.bytes = bad[k].memory;
        n.architecture.stores.fifo = bad[k].fifo;
        n.packet.block = bad[k].block;
        n.architecture.stores.module = bad[k].module;
        if (bad[k].islip)
            n.arbiter.row = &swq_arbiter_islip;
        if (bad[k].by_hop)
            n.memory.release = SWQ_RELEASE_HOP;
        cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s is not refused",
                     bad[k].says);
        cr_expect(strstr(swq_context_message(ctx), bad[k].says), "%s", swq_context_message(ctx));
    }
    swq_async n = a_switch(ctx, 8, 64, 64);
    uint32_t nodes;
    n.shape = (swq_shape){.kind = &swq_fabric_torus, .dims = 1, .extent = {5}};
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "topology torus is not for"), "%s",
              swq_context_message(ctx));
    swq_context_free(ctx);
}
