/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asynchronous networks against what can be computed by other means: latencies of single packets,
 * what a link can carry, loads of links by enumeration, a queue with a closed form, and synchronous
 * switches, simulated and exactly solved, slowed down by the length of a packet.
 */
#include "tests/sim/inspector.h"

TestSuite(async_theory, .timeout = 480);

static uint64_t state_of_draws;

static uint32_t draw(uint32_t n)
{
    uint64_t z = state_of_draws += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((z ^ z >> 31) >> 33) % n);
}

static swq_shape grid(const char *kind, int a, int b, int c)
{
    swq_shape shape = shape_of_grid(kind, c ? 3 : b ? 2 : 1, a);

    shape.extent[1] = b;
    shape.extent[2] = c;
    return shape;
}

static swq_shape with(swq_shape shape, bool one_way, bool chained)
{
    shape.one_way = one_way;
    shape.chained = chained;
    return shape;
}

/* ---- single packets ---- */

/* The number of switches on a shortest route, by coordinates; 0: not predicted (chains of
 * switches). */
static uint32_t switches_on_the_way(const swq_shape *s, uint32_t from, uint32_t to)
{
    uint32_t hops = 0, a = from, b = to;

    if (s->kind == &swq_fabric_multistage)
        return (uint32_t)s->stages;
    if (s->kind == &swq_fabric_hypercube)
        return 1 + (uint32_t)__builtin_popcount(from ^ to);
    if (s->chained)
        return 0;
    for (int d = s->dims - 1; d >= 0; d--) { /* the last dimension is the low one in both cases */
        uint32_t n = (uint32_t)s->extent[d], up = (b % n + n - a % n) % n, down = (n - up) % n;
        uint32_t mesh = a % n > b % n ? a % n - b % n : b % n - a % n;
        hops += s->kind == &swq_fabric_mesh ? mesh : s->one_way || up < down ? up : down;
        a /= n;
        b /= n;
    }
    return 1 + hops;
}

/* A lone packet is sent on by every switch the hop delay after the one before, whatever its length,
 * the blocks and the buffer; all pairs, one after the other. */
static void send_all_pairs(swq_async n, const char *what)
{
    const uint32_t nodes = nodes_of(&n);
    const bool itself = n.shape.kind == &swq_fabric_multistage;
    swq_async_message *trace = calloc((size_t)nodes * nodes, sizeof *trace);
    uint64_t lines = 0, apart = 0;
    swq_async_result r;

    apart = (uint64_t)(n.link.hop_delay * 40 + n.packet.max + n.link.rest + 1);
    for (uint32_t from = 0; from < nodes; from++) {
        for (uint32_t to = 0; to < nodes; to++) {
            if (from != to || itself) {
                trace[lines] = (swq_async_message){3 + apart * lines, from, to,
                                                   1 + draw((uint32_t)n.packet.max)};
                lines++;
            }
        }
    }
    n.traffic.trace = trace;
    n.traffic.trace_messages = lines;
    start_log log = run_logged(&n, 3 + apart * (lines + 1), &r);
    cr_assert_eq(r.sim.stopped_by, SWQ_STOP_TRACE_END, "%s", what);
    size_t k = 0;
    for (uint64_t line = 0; line < lines; line++) {
        const swq_async_message *m = &trace[line];
        uint32_t entered = 0, way = switches_on_the_way(&n.shape, m->source, m->destination);
        cr_assert(k < log.count && log.at[k].switch_ == SWQ_NO_WHERE);
        for (; k < log.count && log.at[k].birth == m->cycle; k++) {
            const swq_start *s = &log.at[k];
            cr_assert(s->from == m->source && s->to == m->destination && s->bytes == m->bytes);
            cr_assert_eq(s->cycle, m->cycle + entered * (uint32_t)n.link.hop_delay,
                         "%s: %u to %u, switch %u in cycle %u", what, m->source, m->destination,
                         entered, s->cycle - s->birth);
            entered++;
        }
        cr_assert(entered - 1 == way || way == 0, "%s: %u to %u by %u switches, not %u", what,
                  m->source, m->destination, entered - 1, way);
    }
    cr_assert_eq(k, log.count);
    cr_assert_eq(r.sim.all.delivered, lines);
    assert_relative(r.sim.all.latency.mean, n.link.hop_delay * r.sim.all.hops.mean, 1e-12, "%s",
                    what);
    free(log.at);
    free(trace);
}

Test(async_theory, single_packets_take_the_hop_delay_per_switch)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};
    const swq_shape shapes[] = {
        shape_in_stages("switch", 5, 1),
        shape_in_stages("omega", 2, 4),
        shape_in_stages("butterfly", 3, 2),
        shape_in_stages("flip", 4, 2),
        grid("torus", 6, 0, 0),
        grid("torus", 5, 4, 0),
        grid("torus", 2, 3, 4),
        with(grid("torus", 4, 3, 0), true, false),
        with(grid("torus", 3, 2, 3), false, true),
        grid("mesh", 7, 0, 0),
        grid("mesh", 4, 5, 0),
        with(grid("mesh", 3, 4, 2), false, true),
        shape_of_grid("hypercube", 4, 2),
    };
    char what[100];

    state_of_draws = 1;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int k = 0; k < 5; k++) {
            const char *buffer = buffers[(k + (int)s) % 5];
            swq_async n = async_network(shapes[s], buffer, 128);
            n.packet.max = k == 0 ? 32 : 1 + (int)draw(70);
            n.packet.block = k == 0 ? 8 : 1 + (int)draw(20);
            n.link.hop_delay = k == 0 ? 5 : 1 + (int)draw(40);
            n.link.rest = (int)draw(5);
            n.memory.release = (swq_release)draw(4);
            /* room for one packet per queue */
            give_buffer(&n, buffer,
                        (n.packet.max + n.packet.block - 1) / n.packet.block * n.packet.block * 9);
            n.arbiter.row = swq_arbiters[draw(10)];
            if (n.arbiter.row->most_ports)
                n.arbiter.row = swq_arbiters[0];
            snprintf(what, sizeof what, "shape %zu, %s, hop delay %d, packets of %d", s, buffer,
                     n.link.hop_delay, n.packet.max);
            send_all_pairs(n, what);
        }
    }
}

/* At low load nearly all packets meet no other, and none is faster than a lone packet. */
Test(async_theory, low_load_is_no_load)
{
    const swq_shape shapes[] = {shape_in_stages("omega", 4, 3), grid("torus", 8, 8, 0),
                                shape_of_grid("hypercube", 6, 2)};

    for (size_t s = 0; s < 3; s++) {
        for (int kind = 0; kind < 2; kind++) {
            swq_async n = async_network(shapes[s], "damq", 128);
            swq_sender_group g =
                swq_sender_group_uniform(&n, kind ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, 0.002,
                                         (swq_spread){SWQ_UNIFORM, 1, 32});
            n.traffic.group = &g;
            n.traffic.groups = 1;
            swq_sim_options options = run_of(5 + s, 1, 1000, 40000);
            swq_async_result r = run_async(&n, &options, NULL);
            double least = n.link.hop_delay * r.sim.all.hops.mean;
            cr_assert(r.sim.all.delivered > 200);
            cr_assert(r.sim.all.latency.mean > least - 1e-9 &&
                          r.sim.all.latency.mean < least + 0.25,
                      "%g, at least %g", r.sim.all.latency.mean, least);
        }
    }
}

/* ---- what a link carries ---- */

static swq_sender_group saturating(const swq_async *n, const char *pattern, swq_spread length)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group g = swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 1, length);

    cr_assert_eq(swq_pattern_find(ctx, pattern, &g.type[0].pattern), SWQ_OK);
    swq_context_free(ctx);
    return g;
}

/* Without conflicts every link is always busy or resting: L / (L + R). With buffers of one packet,
 * which are free again when it has left, a packet follows when the one before has left the next
 * buffer: L / (L + H), or L / (1 + H) if that is less and the buffer is free in the cycle after its
 * transmission began. */
Test(async_theory, links_are_used_as_far_as_they_can_be)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};

    for (int k = 0; k < 60; k++) {
        const int packets = k % 3 == 0 ? 1 : 2, rest = k % 4, hop = 1 + k % 7;
        const int length = k % 2 ? 32 : 5 + k;
        bool pair = k % 5 == 0;
        swq_async n =
            async_network(pair ? shape_in_stages("switch", 2, 1) : shape_in_stages("omega", 2, 4),
                          buffers[k % 5], 128);
        n.packet.max = length;
        n.packet.block = 1 + k % 9;
        n.link.hop_delay = hop;
        n.link.rest = rest;
        n.memory.release = (swq_release)(k / 5 % 4);
        int blocks = (length + n.packet.block - 1) / n.packet.block;
        give_buffer(&n, buffers[k % 5],
                    packets * blocks * n.packet.block *
                        (swq_buffer_partitioned(&n.memory.buffer) ? 2 : 1));
        /* the identity, which passes an omega network without conflicts: each node sends to
         * itself */
        swq_sender_group g[16];
        for (uint32_t i = 0; i < 16; i++) {
            g[i] = saturating(&n, "uniform", constantly(length));
            g[i].mask = 15;
            g[i].value = i;
            g[i].type[0].aim = SWQ_AIM_NODE;
            g[i].type[0].value = pair ? 1 - i % 2 : i;
            g[i].silent = pair && i != 0;
        }
        n.traffic.group = g;
        n.traffic.groups = pair ? 2 : 16;
        swq_sim_options options = run_of(1, 1, 500, 40000);
        swq_async_result r = run_async(&n, &options, NULL);
        /* the cycle in which the next buffer is open again, counted from a packet's start into it
         */
        int open = hop + (n.memory.release == SWQ_RELEASE_START                 ? 1
                          : n.memory.release == SWQ_RELEASE_HOP && hop < length ? hop
                                                                                : length);
        int period = length + rest;
        if (packets == 1 && open > period)
            period = open;
        double expected = (double)length / period;
        for (int stage = 0; stage < r.sim.stages; stage++)
            cr_assert_float_eq(r.sim.stage[stage].sent.mean * (pair ? 2 : 1), expected,
                               1.01 * length / 40000.0, "%s, case %d: %.9g of %.9g", buffers[k % 5],
                               k, r.sim.stage[stage].sent.mean, expected);
        cr_assert_eq(r.sim.all.max, hop * r.sim.stages + period - length - rest);
    }
}

/* The dissertation's numbers: 32 bytes and a rest of two cycles. */
Test(async_theory, thirty_two_of_thirty_four)
{
    swq_async n = async_network(grid("torus", 8, 8, 0), "damq", 160);
    swq_sender_group g = saturating(&n, "neighbour", constantly(32));

    n.traffic.group = &g;
    n.traffic.groups = 1;
    swq_sim_options options = run_of(3, 2, 1000, 34000);
    swq_async_result r = run_async(&n, &options, NULL);
    cr_assert_float_eq(r.sim.all.throughput.mean, 32 / 34.0, 1.0 / 34000, "%.9g",
                       r.sim.all.throughput.mean);
}

/* ---- loads of links ---- */

Test(async_theory, loads_are_what_enumeration_says)
{
    const swq_shape shapes[] = {
        grid("torus", 8, 0, 0),
        grid("torus", 7, 5, 0),
        grid("torus", 8, 8, 0),
        grid("torus", 6, 3, 4),
        with(grid("torus", 5, 4, 0), true, false),
        with(grid("torus", 4, 3, 3), false, true),
        grid("mesh", 9, 0, 0),
        grid("mesh", 6, 5, 0),
        shape_of_grid("hypercube", 6, 2),
        shape_in_stages("omega", 4, 3),
        shape_in_stages("baseline", 2, 5),
    };
    static scores hops = {.quantity = "hops"}, offered = {.quantity = "throughput"};
    swq_context *ctx = swq_context_new();

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int kind = 0; kind < 4; kind++) {
            swq_fabric f;
            swq_fabric_loads expected;
            cr_assert_eq(swq_fabric_make(ctx, &shapes[s], &f), SWQ_OK);
            cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &expected), SWQ_OK);
            swq_async n = async_network(shapes[s], kind % 2 ? "damq" : "dafc", 512);
            n.flow.row = &swq_flow_maximum_usage; /* or the tori might deadlock */
            n.flow.threshold = 56;
            double load = 0.5 / fmax(1, expected.most);
            swq_sender_group g = swq_sender_group_uniform(
                &n, kind / 2 ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, load,
                kind % 2 ? constantly(24) : (swq_spread){SWQ_UNIFORM, 5, 30});
            n.traffic.group = &g;
            n.traffic.groups = 1;
            swq_sim_options options = run_of(10 * s + (uint64_t)kind, 1, 1000, 16384);
            swq_async_result r = run_async(&n, &options, NULL);
            scores_add(&hops, score_of(&r.sim.all.hops, expected.mean_entered, r.sim.batches, 0.95),
                       "hops");
            if (kind / 2)
                scores_add(&offered, score_of(&r.sim.all.throughput, load, r.sim.batches, 0.95),
                           "throughput");
            double carried = r.sim.all.throughput.mean;
            for (int l = 0; l < f.levels; l++) {
                /* relative to what was delivered, whose scatter causes most of that of the loads */
                double score = score_of(&r.sim.stage[l].sent, expected.level_load[l] * carried,
                                        r.sim.batches, 0.95);
                cr_assert(fabs(score) <= 4, "shape %zu, level %d: %g, expected %g", s, l,
                          r.sim.stage[l].sent.mean, expected.level_load[l] * carried);
            }
            swq_fabric_clear(ctx, &f);
        }
    }
    scores_check(&hops, 20);
    scores_check(&offered, 20);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- a queue with a closed form ---- */

/* Geometric intervals, constant service of S = L + R cycles, one server: the mean wait is
 * p E[S (S - 1)] / (2 (1 - p E[S])) (Geo/G/1, arrivals and services beginning at the same instants;
 * Hunter 1983), p being one over the mean interval. The queue is at the sender, whose link is the
 * server; behind it nobody waits. */
Test(async_theory, a_sender_is_a_discrete_queue)
{
    static scores waits = {.quantity = "wait"};

    for (int k = 0; k < 48; k++) {
        const bool varied = k % 2;
        const double utilisation[] = {0.2, 0.5, 0.7, 0.8};
        swq_async n = async_network(shape_in_stages("switch", 2, 1), "fifo", 256);
        swq_spread length = varied ? (swq_spread){SWQ_UNIFORM, 4, 31} : constantly(1 + k % 32);
        double mean = 0, square = 0;
        for (int l = 1; l <= 32; l++) {
            double chance = varied ? (l >= 4 && l <= 31) / 28.0 : l == length.first;
            mean += chance * (l + 2);
            square += chance * (l + 2) * (l + 1);
        }
        double p = utilisation[k / 2 % 4] / mean;
        swq_sender_group g = {
            .mask = 1,
            .kind = SWQ_SOURCE_OPEN,
            .interval = {SWQ_GEOMETRIC, 1 / p, 1},
            .type = {{.probability = 1, .aim = SWQ_AIM_NODE, .value = 1, .length = length}},
            .types = 1};
        n.traffic.group = &g;
        n.traffic.groups = 1;
        swq_sim_options options = run_of(100 + (uint64_t)k, 1, 4000, 120000);
        swq_async_result r = run_async(&n, &options, NULL);
        double expected = p * square / (2 * (1 - p * mean)) + n.link.hop_delay;
        scores_add(&waits, score_of(&r.sim.all.latency, expected, r.sim.batches, 0.95), "wait");
    }
    scores_check(&waits, 40);
}

/* ---- slowed down ---- */

/* A single asynchronous switch is a synchronous one slowed down by L, the length of all packets,
 * when
 *   packets are created in cycles k L + 1, and there is no rest time;
 *   the hop delay is L - 1: what is sent in k L + 1 can be sent on in (k + 1) L, by all inputs in
 *     the same cycle;
 *   memory is free in the cycle after the transmission began: at (k + 1) L + 1, when senders look
 *     again, as synchronous sources look after the transmissions of the cycle before;
 *   a packet is one block.
 * So nothing begins but in cycles k L + 1 (senders) and k L (the switch), and a packet of k sent on
 * in (u + 1) L has latency (u - k + 1) L - 1: L times the synchronous latency, less one.
 * What is not equal is the rotating pointer in a cycle in which nothing is sent: it moves on in the
 * synchronous switch if its input is empty, and stays here; and the choice among equally long
 * queues. So that arbiter is compared for FIFOs, where something is always sent; fixed priority,
 * that remembers and draws nothing, everywhere. Others draw other numbers, and are held against
 * their chains' exact answers. */
enum { LENGTH = 12, PORTS = 4, SLOW_NODES = PORTS };

static swq_async slowed(const char *buffer, int slots, int ports)
{
    swq_async n = async_network(shape_in_stages("switch", ports, 1), buffer, slots * LENGTH);

    n.packet.block = n.packet.max = LENGTH;
    give_buffer(&n, buffer, slots * LENGTH);
    n.link.hop_delay = LENGTH - 1;
    n.link.rest = 0;
    n.memory.release = SWQ_RELEASE_START;
    return n;
}

static void compare_flows(const swq_flow_result *slow, const swq_flow_result *fast,
                          const char *what)
{
    cr_assert_eq(slow->created, fast->created, "%s", what);
    cr_assert_eq(slow->delivered, fast->delivered, "%s", what);
    if (fast->delivered == 0)
        return;
    assert_relative(slow->latency.mean, LENGTH * fast->latency.mean - 1, 1e-12, "%s: %g, not %g",
                    what, slow->latency.mean, LENGTH * fast->latency.mean - 1);
    assert_relative(slow->variance, LENGTH * LENGTH * fast->variance, 1e-9, "%s: variance", what);
    cr_assert_eq(slow->max, LENGTH * fast->max - 1, "%s", what);
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        cr_assert_eq(slow->percentile[p], LENGTH * fast->percentile[p] - 1, "%s", what);
}

Test(async_theory, a_synchronous_switch_slowed_down)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};
    enum { LINES = 1200 };
    static swq_async_message slow[LINES];
    static swq_trace_packet fast[LINES];
    static const uint8_t group[SLOW_NODES] = {0, 1, 2, 3};
    swq_sender_group by_source[SLOW_NODES];
    swq_context *ctx = swq_context_new();
    char what[100];

    for (uint32_t i = 0; i < SLOW_NODES; i++)
        by_source[i] = (swq_sender_group){.mask = SLOW_NODES - 1, .value = i};
    state_of_draws = 4;
    for (int k = 0; k < 60; k++) {
        const char *buffer = buffers[k % 5];
        bool rotating = k % 5 == 0 && k / 5 % 2;
        int slots = (k % 5 == 1 || k % 5 == 2 ? PORTS : 1) * (1 + (int)draw(3));
        double load = rotating ? 1 : 0.2 + 0.1 * k / 10;
        swq_switch sw = test_switch(ctx, buffer, PORTS, slots, 1, rotating ? "rotating" : "fixed");
        sw.flow = SWQ_BLOCK;
        swq_network network = network_of(&sw);
        swq_async n = slowed(buffer, slots, PORTS);
        n.arbiter.row = sw.arbiter;
        /* all at the beginning, or one after the other */
        for (uint32_t line = 0; line < LINES; line++) {
            uint64_t cycle = rotating ? 0 : (uint64_t)(line / load / PORTS);
            uint32_t from = rotating ? line % PORTS : draw(PORTS), to = draw(PORTS);
            slow[line] = (swq_async_message){cycle * LENGTH + 1, from, to, LENGTH};
            fast[line] = (swq_trace_packet){cycle, from, to, 0};
        }
        n.traffic.trace = slow;
        network.traffic.trace = fast;
        n.traffic.trace_messages = network.traffic.trace_packets = LINES;
        network.traffic.kind = SWQ_SOURCE_TRACE;
        n.traffic.group = by_source;
        n.traffic.groups = SLOW_NODES;
        /* rotating: while all inputs have packets */
        swq_sim_options options = run_of(1, 1, 0, rotating ? 200 : 4000);
        options.group = group;
        options.groups = SLOW_NODES;
        options.group_by_source = true;
        swq_sim_result f = simulate(ctx, &network, &options);
        options.group = NULL;
        options.groups = 1;
        /* transmissions of cycle u are in (u + 1) L */
        options.cycles = rotating ? 200 * LENGTH + 1 : 4000 * LENGTH;
        swq_async_result s = run_async(&n, &options, NULL);
        snprintf(what, sizeof what, "%s of %d slots, %s, load %g", buffer, slots,
                 n.arbiter.row->name, load);
        if (!rotating)
            cr_assert(f.stopped_by == SWQ_STOP_TRACE_END && s.sim.stopped_by == SWQ_STOP_TRACE_END,
                      "%s", what);
        compare_flows(&s.sim.all, &f.all, what);
        for (int g = 0; g < SLOW_NODES; g++)
            compare_flows(&s.sim.by_group[g], &f.by_group[g], what);
    }
    swq_context_free(ctx);
}

/* Also through several stages, with room for everything: then it does not matter when memory is
 * free again, and a hop delay of L keeps all of them in step. Packets are created in cycles k L. */
Test(async_theory, a_synchronous_network_slowed_down)
{
    static const char *const buffers[] = {"fifo", "damq", "dafc"};
    enum { LINES = 2000, NODES = 8 };
    static swq_async_message slow[LINES];
    static swq_trace_packet fast[LINES];
    swq_context *ctx = swq_context_new();

    state_of_draws = 5;
    for (int k = 0; k < 12; k++) {
        swq_switch sw = test_switch(ctx, buffers[k % 3], 2, 200, 1, "fixed");
        sw.flow = SWQ_BLOCK;
        swq_network network = network_in_stages(ctx, k % 2 ? "omega" : "butterfly", 3, &sw);
        swq_async n = async_network(shape_in_stages(k % 2 ? "omega" : "butterfly", 2, 3),
                                    buffers[k % 3], 200 * LENGTH);
        n.packet.block = n.packet.max = n.link.hop_delay = LENGTH;
        give_buffer(&n, buffers[k % 3], 200 * LENGTH);
        n.link.rest = 0;
        n.arbiter.row = sw.arbiter;
        for (uint32_t line = 0; line < LINES; line++) {
            uint64_t cycle = (uint64_t)(line / (0.3 + 0.03 * k) / NODES);
            slow[line] = (swq_async_message){cycle * LENGTH, draw(NODES), draw(NODES), LENGTH};
            fast[line] = (swq_trace_packet){cycle, slow[line].source, slow[line].destination, 0};
        }
        n.traffic.trace = slow;
        network.traffic.trace = fast;
        n.traffic.trace_messages = network.traffic.trace_packets = LINES;
        network.traffic.kind = SWQ_SOURCE_TRACE;
        swq_sim_options options = run_of(1, 1, 0, 4000);
        swq_sim_result f = simulate(ctx, &network, &options);
        options.cycles *= LENGTH;
        swq_async_result s = run_async(&n, &options, NULL);
        cr_assert_eq(f.stopped_by, SWQ_STOP_TRACE_END);
        cr_assert_eq(s.sim.stopped_by, SWQ_STOP_TRACE_END);
        assert_relative(s.sim.all.latency.mean, LENGTH * f.all.latency.mean, 1e-12,
                        "case %d: %g, not %g", k, s.sim.all.latency.mean,
                        LENGTH * f.all.latency.mean);
        assert_relative(s.sim.all.variance, LENGTH * LENGTH * f.all.variance, 1e-9, "case %d", k);
        for (int p = 0; p < SWQ_PERCENTILES; p++)
            cr_assert_eq(s.sim.all.percentile[p], LENGTH * f.all.percentile[p]);
    }
    swq_context_free(ctx);
}

/* Saturated, compared with the exact throughput of the synchronous chain. */
Test(async_theory, the_chains_saturation_throughput)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
    } cases[] = {
        {"fifo", "random", 2, 1},     {"fifo", "rotating", 2, 4},   {"fifo", "fixed", 2, 2},
        {"damq", "random", 2, 3},     {"damq", "longest", 2, 4},    {"damq", "rotating", 2, 3},
        {"samq", "random", 2, 4},     {"safc", "random", 2, 4},     {"dafc", "random", 2, 3},
        {"damq", "maximum", 2, 3},    {"fifo", "random", 3, 2},     {"damq", "fixed", 3, 2},
        {"samq", "rotating", 2, 4},   {"damq", "islip", 2, 3},      {"damq", "islip", 2, 4},
        {"damq", "max-weight", 2, 4}, {"damq", "max-weight", 3, 2},
    };
    enum { SLOTS = 40000 };
    static scores throughputs = {.quantity = "saturation"};
    swq_context *ctx = swq_context_new();
    swq_async_message *trace = malloc(sizeof *trace * SLOTS * 4);

    state_of_draws = 6;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int ports = cases[k].ports;
        swq_switch sw =
            test_switch(ctx, cases[k].buffer, ports, cases[k].slots, 1, cases[k].arbiter);
        sw.flow = SWQ_BLOCK;
        swq_answers exact = test_solve(ctx, &sw, "auto");
        swq_async n = slowed(cases[k].buffer, cases[k].slots, ports);
        n.arbiter.row = sw.arbiter;
        for (uint32_t line = 0; line < SLOTS * (uint32_t)ports; line++)
            trace[line] =
                (swq_async_message){1, line % (uint32_t)ports, draw((uint32_t)ports), LENGTH};
        n.traffic.trace = trace;
        n.traffic.trace_messages = SLOTS * (uint64_t)ports;
        swq_sim_options options = run_of(7, 1, 1000, (uint64_t)LENGTH * 30000);
        swq_async_result r = run_async(&n, &options, NULL);
        double score = score_of(&r.sim.all.throughput, exact.throughput.value, r.sim.batches, 0.95);
        if (strcmp(cases[k].buffer, "fifo") == 0 && ports == 2 && k != 2)
            cr_assert_float_eq(exact.throughput.value, 0.75, 1e-9);
        scores_add(&throughputs, score, cases[k].buffer);
        swq_answers_clear(ctx, &exact);
    }
    scores_check(&throughputs, 10);
    free(trace);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The condition of docs/asynchronous.md, 32 blocks and packets of four. */
Test(async_theory, what_may_deadlock)
{
    static const struct {
        const char *buffer, *topology;
        int threshold, least, most;
        bool may;
    } row[] = {
        {"damq", "torus", -1, 32, 32, true},  {"fifo", "torus", -1, 32, 32, true},
        {"fifo", "torus", 10, 32, 32, true},  {"damq", "torus", 27, 32, 32, false},
        {"damq", "torus", 28, 32, 32, true},  {"damq", "torus", 24, 6, 32, false},
        {"damq", "torus", 25, 6, 32, true},   {"safc", "torus", -1, 6, 32, false},
        {"damq", "mesh", -1, 32, 32, false},  {"dafc", "torus", 26, 32, 32, false},
        {"damq", "torus", 26, 64, 64, false}, {"damq", "torus", 26, 65, 65, true},
        {"damq", "torus", 29, 8, 8, true},    {"damq", "torus", 27, 8, 8, false},
    };
    swq_context *ctx = swq_context_new();

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        swq_async n = swq_async_defaults();
        n.shape = (swq_shape){.dims = 2, .extent = {8, 8}};
        cr_assert_eq(swq_fabric_find(ctx, row[i].topology, &n.shape), SWQ_OK);
        give_buffer(&n, row[i].buffer, 256);
        if (row[i].threshold >= 0) {
            n.flow.row = &swq_flow_maximum_usage;
            n.flow.threshold = row[i].threshold;
        }
        swq_spread length = {row[i].least == row[i].most ? SWQ_CONSTANT : SWQ_UNIFORM, row[i].least,
                             row[i].most};
        swq_sender_group g = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, length);
        n.traffic.group = &g;
        n.traffic.groups = 1;
        cr_expect_eq(swq_async_may_deadlock(&n), row[i].may, "row %zu", i);
    }
    swq_context_free(ctx);
}

/* Reserved blocks, limits and dynamic thresholds keep a ring going if a queue of any length leaves
 * what another one needs; the largest threshold given is the last one for which this holds. */
Test(async_theory, the_largest_threshold_that_is_safe)
{
    static const struct {
        const char *buffer;
        int bytes, least, most; /* blocks of a queue; 0: as the row has it */
        double alpha;
        int shortest, longest; /* messages */
        int safe;
        bool may; /* without a threshold */
    } row[] = {
        {"damq", 128, 0, 0, 0, 32, 32, 11, true}, /* 11: the third packet is admitted, no fourth */
        {"damq", 256, 0, 0, 0, 32, 32, 27, true}, /* as computed by what_may_deadlock */
        {"damq", 256, 0, 0, 0, 6, 32, 24, true},
        {"dafc", 64, 0, 0, 0, 6, 32, 0, true},
        {"damq", 56, 0, 0, 0, 6, 32, -1, true}, /* no room for two packets */
        {"fifo", 256, 0, 0, 0, 32, 32, -1, true},
        {"samq", 256, 0, 0, 0, 32, 32, 32, false},
        {"damq", 256, 4, 0, 0, 6, 32, 32, false}, /* room for a packet is reserved for each queue */
        {"damq", 256, 3, 0, 0, 6, 32, 15, true},  /* 17 shared; 3 + 16 leave 1; 20 leave none */
        {"damq", 256, 0, 28, 0, 6, 32, 32, false},
        {"damq", 256, 0, 29, 0, 6, 32, 24, true}, /* up to 25, and 4 more */
        {"damq", 256, 0, 0, 1, 6, 32, 32, false}, /* 15 is less than 17: up to 19 */
        {"damq", 256, 0, 0, 8, 6, 32, 24, true},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        swq_async n = async_network(shape_of_grid("torus", 2, 8), row[i].buffer, row[i].bytes);
        swq_sender_group g = swq_sender_group_uniform(
            &n, SWQ_SOURCE_HOLD, 0.5,
            (swq_spread){row[i].shortest == row[i].longest ? SWQ_CONSTANT : SWQ_UNIFORM,
                         row[i].shortest, row[i].longest});
        n.traffic.group = &g;
        n.traffic.groups = 1;
        n.memory.buffer.alpha = row[i].alpha;
        if (row[i].least)
            n.memory.buffer.queue_min = row[i].least;
        if (row[i].most)
            n.memory.buffer.queue_max = row[i].most;
        nodes_of(&n);
        cr_expect_eq(swq_async_safe_threshold(&n), row[i].safe, "row %zu: %d", i,
                     swq_async_safe_threshold(&n));
        cr_expect_eq(swq_async_may_deadlock(&n), row[i].may, "row %zu", i);
        n.flow.row = &swq_flow_maximum_usage;
        for (n.flow.threshold = 0; n.flow.threshold <= n.memory.buffer.capacity; n.flow.threshold++)
            cr_expect_eq(swq_async_may_deadlock(&n), n.flow.threshold > row[i].safe, "row %zu, %d",
                         i, n.flow.threshold);
        n.shape = shape_of_grid("mesh", 2, 8);
        cr_expect_not(swq_async_may_deadlock(&n), "row %zu", i);
        cr_expect_eq(swq_async_safe_threshold(&n), n.memory.buffer.capacity, "row %zu", i);
    }
}
