/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hipiqs, crosspoint and multi-buffer: least cycles of the ways through a switch, by hand; every
 * start against the reference that goes flit by flit (tests/ref/ref_flits.c); what must hold of any
 * run; and crosspoint buffers against SAFC, which they are.
 */
#include "models/arbiters/arbiters.h"
#include "tests/ref/ref_flits.h"
#include "tests/sim/inspector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(choosing, .timeout = 240);

enum { MOST = 400 };

static swq_shape tree_of(int arity, int levels)
{
    swq_shape shape = {.kind = &swq_fabric_tree, .levels = levels};

    for (int l = 0; l < levels; l++)
        shape.arity[l] = arity;
    return shape;
}

/* A hop delay of 3, no rest of links; memory and lengths in flits. */
static swq_async choosing_of(swq_shape shape, const swq_architecture *row, int memory, int chunk)
{
    swq_async n = swq_async_defaults();

    n.shape = shape;
    n.architecture.row = row;
    n.memory.bytes = memory;
    n.packet.block = chunk;
    n.packet.max = 40;
    n.link.hop_delay = 3;
    n.link.rest = 0;
    return n;
}

static uint64_t draws;

static int between(int least, int most)
{
    uint64_t z = draws += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return least + (int)((z ^ z >> 31) % (uint64_t)(most - least + 1));
}

/* Messages of packets. */
static void give(swq_async *n, const ref_flit_packet *packet, int packets,
                 swq_async_message *message)
{
    for (int k = 0; k < packets; k++)
        message[k] = (swq_async_message){(uint64_t)packet[k].time, (uint32_t)packet[k].from,
                                         (uint32_t)packet[k].to, (uint32_t)packet[k].flits};
    n->traffic.trace = message;
    n->traffic.trace_messages = (uint64_t)packets;
    n->traffic.groups = 0;
}

/* The cycles in which a packet's transmissions started: from its sender, and from each switch. */
static int starts_of(const start_log *log, const ref_flit_packet *p, long *cycle)
{
    int hops = 0;

    for (size_t k = 0; k < log->count; k++) {
        const swq_start *s = &log->at[k];
        if ((int)s->from == p->from && (int)s->to == p->to && s->birth == p->time &&
            hops < REF_FLIT_HOPS)
            cycle[hops++] = s->cycle;
    }
    return hops;
}

/* ---- by hand ---- */

/* Checks the starts, from the one switch with four ports, of packets in order. */
static void run_switch(const swq_async *n, const ref_flit_packet *packet, int packets, long *start)
{
    swq_async_message message[MOST];
    swq_async traced = *n;
    swq_async_result r;

    give(&traced, packet, packets, message);
    start_log log = run_logged(&traced, 5000, &r);
    cr_assert_eq((int)r.sim.total_delivered, packets);
    cr_assert(r.sim.conserved);
    for (int k = 0; k < packets; k++) {
        long cycle[REF_FLIT_HOPS] = {0};
        cr_assert_eq(starts_of(&log, &packet[k], cycle), 2);
        start[k] = cycle[1];
    }
    free(log.at);
}

/* Nothing waits: the header arrives in the input register one cycle after it was sent, and goes on
 * to the output's two cycles later. */
Test(choosing, two_cycles_a_switch_where_nothing_waits)
{
    const swq_architecture *const rows[] = {&swq_hipiqs, &swq_crosspoint_queued, &swq_multi_buffer};

    for (int k = 0; k < 3; k++) {
        swq_async n = choosing_of(tree_of(4, 2), rows[k], 640, k == 0 ? 8 : 1);
        const ref_flit_packet packet[] = {{5, 0, 13, 12}, {100, 4, 5, 1}};
        swq_async_message message[2];
        swq_async_result r;
        long cycle[REF_FLIT_HOPS];
        give(&n, packet, 2, message);
        start_log log = run_logged(&n, 1000, &r);
        cr_assert_eq(starts_of(&log, &packet[0], cycle), 4);
        for (int h = 0; h < 4; h++)
            cr_expect_eq(cycle[h], 5 + 3 * h, "%s: hop %d at %ld", rows[k]->name, h, cycle[h]);
        cr_assert_eq(starts_of(&log, &packet[1], cycle), 2);
        cr_expect_eq(cycle[1], 103);
        free(log.at);
    }
}

/* Packets of 8 flits of inputs 0 and 1 for output 3 are sent in cycle 0; that of 0 goes first, in
 * cycle 3, and that of 1 in cycle 11, so that its last flit is on the link in 18. The header of
 * input 1's second packet, of one flit, is in the input register a cycle after it was `sent`: with
 * none, one or more flits before it then. One of these is in the register at the output, the others
 * in the FIFO, or, where that is full, in the memory. Its way through these takes longer than the
 * packet before it is still there with a RAM alone. A switch of two ports has the smallest FIFO. */
Test(choosing, the_ways_behind_a_blocked_packet)
{
    static const struct {
        int ports, chunk, sent;
        bool ram;
        long starts; /* of input 1's second packet */
    } cases[] =
        {
            {4, 8, 18, false, 21},                        /* no flit: two cycles */
            {4, 8, 17, false, 20}, {4, 8, 16, false, 19}, /* one, which leaves as it comes */
            {4, 8, 15, false, 19},                        /* two: three cycles, */
            {4, 8, 17, true, 20},  {4, 8, 16, true, 19},
            {4, 8, 15, true, 20}, /* or four through a RAM */
            {4, 8, 14, true, 19}, /* three: hidden */
            {2, 2, 15, false, 19}, {2, 2, 15, true, 20},
            {2, 2, 13, true, 19},  {2, 2, 12, false, 19},
            {2, 2, 12, true, 20}, /* five, so that the FIFO is full: seven */
            {2, 2, 11, true, 19},
        };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_async n = choosing_of(shape_in_stages("omega", cases[k].ports, 1), &swq_hipiqs, 64,
                                  cases[k].chunk);
        n.architecture.stores.crosspoint =
            cases[k].ram ? SWQ_CROSSPOINT_RAM : SWQ_CROSSPOINT_REGISTERS;
        const int to = cases[k].ports - 1;
        const ref_flit_packet packet[] = {{0, 0, to, 8}, {0, 1, to, 8}, {cases[k].sent, 1, to, 1}};
        long start[3];
        run_switch(&n, packet, 3, start);
        cr_expect_eq(start[0], 3);
        cr_expect_eq(start[1], 11);
        cr_expect_eq(start[2], cases[k].starts, "case %zu: %ld", k, start[2]);
    }
}

/* ---- against the reference ---- */

typedef struct {
    swq_async network;
    ref_flits reference;
    ref_flit_packet packet[MOST];
    int packets;
    swq_async_message message[MOST];
    char what[200];
} flit_case;

/* No two packets of a sender are created in one cycle. */
static void draw_packets(flit_case *c, int nodes, int longest)
{
    long time[REF_FLIT_PORTS * REF_FLIT_PORTS], now = 0;

    memset(time, -1, sizeof time);
    c->packets = between(40, MOST);
    const int apart = between(0, 6);
    for (int k = 0; k < c->packets; k++) {
        ref_flit_packet *p = &c->packet[k];
        now += between(0, apart);
        p->from = between(0, nodes - 1);
        if (time[p->from] == now)
            now++;
        p->to = (p->from + between(1, nodes - 1)) % nodes;
        p->flits = between(1, longest);
        p->time = time[p->from] = now;
    }
}

/* Room and size of the networks of some cases: `WIDE`: a switch of more than 32 ports. */
enum { ROOM, TIGHT, WIDE };

static void draw_case(flit_case *c, ref_flit_kind kind, const swq_architecture *row, int which)
{
    const bool tight = which == TIGHT, wide = which == WIDE;
    /* the reference has banks for chunks of up to 64 flits */
    const int down = wide ? between(33, row->async.chunks ? 60 : 72) : between(2, 4);
    const int levels = wide ? 1 : between(1, 3);
    const int ports = levels == 1 ? down : 2 * down, longest = between(1, 40);
    const int chunk = row->async.chunks ? between(ports, ports + 4) : 1;
    int nodes = 1, memory = tight ? longest * between(1, 3) : wide ? 800 : 4000;

    for (int l = 0; l < levels; l++)
        nodes *= down;
    if (row->async.chunks) /* two packets, and several chunks */
        memory = (memory + longest + 5 * chunk) / chunk * chunk;
    else
        memory *= ports;
    const swq_shape shape = levels > 1 ? tree_of(down, levels) : shape_in_stages("omega", down, 1);
    memset(c, 0, sizeof *c);
    draw_packets(c, nodes, longest);
    c->network = choosing_of(shape, row, memory, chunk);
    c->network.packet.max = longest;
    c->reference = (ref_flits){.kind = kind,
                               .levels = levels,
                               .down = down,
                               .buffer = memory,
                               .chunk = chunk,
                               .link = between(1, REF_FLIT_LINK),
                               .straight = 1,
                               .packet = c->packet,
                               .packets = c->packets,
                               .cycles = 1000000,
                               .unchecked = 1};
    c->network.link.hop_delay = 2 + c->reference.link;
    give(&c->network, c->packet, c->packets, c->message);
    snprintf(c->what, sizeof c->what,
             "%s: %d levels of %d, %d flits in chunks of %d, %d packets of up to %d", row->name,
             levels, down, memory, chunk, c->packets, longest);
}

/* The number of starts that differ, and of all starts. */
static int differences(flit_case *c, int *all)
{
    static ref_flit_trip trip[MOST];
    ref_flits_outcome o;
    swq_async_result r;
    int different = 0;

    ref_flits_run(&c->reference, trip, &o);
    cr_assert_eq(o.delivered, c->packets, "%s", c->what);
    start_log log = run_logged(&c->network, 1000000, &r);
    cr_assert(r.sim.conserved, "%s", c->what);
    for (int k = 0; k < c->packets; k++) {
        long cycle[REF_FLIT_HOPS];
        const int hops = starts_of(&log, &c->packet[k], cycle);
        cr_assert_eq(hops, trip[k].hops, "%s: packet %d: %d hops, not %d", c->what, k, hops,
                     trip[k].hops);
        for (int h = 0; h < hops; h++, ++*all)
            different += cycle[h] != trip[k].hop[h].start;
    }
    free(log.at);
    return different;
}

static void expect_alike(ref_flit_kind kind, const swq_architecture *row, int which, int cases)
{
    static flit_case c;
    int different = 0, all = 0;

    for (int k = 0; k < cases; k++) {
        draw_case(&c, kind, row, which);
        const int here = differences(&c, &all);
        cr_expect_eq(here, 0, "%s: %d starts differ", c.what, here);
        different += here;
    }
    cr_expect_eq(different, 0, "%s%s: %d of %d starts differ", row->name,
                 which == WIDE    ? ", wide"
                 : which == TIGHT ? ", tight"
                                  : "",
                 different, all);
}

Test(choosing, hipiqs_starts_when_the_reference_does_with_room)
{
    draws = 1;
    expect_alike(REF_HIPIQS, &swq_hipiqs, ROOM, 60);
    expect_alike(REF_HIPIQS, &swq_hipiqs, WIDE, 6);
}

Test(choosing, crosspoints_start_when_the_reference_does)
{
    draws = 2;
    expect_alike(REF_PAIRS, &swq_crosspoint_queued, ROOM, 20);
    expect_alike(REF_PAIRS, &swq_crosspoint_queued, TIGHT, 60);
    expect_alike(REF_PAIRS, &swq_crosspoint_queued, WIDE, 6);
}

Test(choosing, several_fifos_start_when_the_reference_does)
{
    draws = 3;
    expect_alike(REF_MULTI, &swq_multi_buffer, ROOM, 20);
    expect_alike(REF_MULTI, &swq_multi_buffer, TIGHT, 60);
    expect_alike(REF_MULTI, &swq_multi_buffer, WIDE, 6);
}

/* With room for two packets, or few more, the two differ by a little: the reference keeps the
 * chunks that a packet under way may need until its flits are where they go, and reads a queue
 * through two registers. Cycles until the last hop begins, in the mean over all packets of a case;
 * with room for one packet alone, which has to leave before the next one comes, they differ more.
 */
Test(choosing, hipiqs_with_little_room_takes_as_long_as_the_reference)
{
    static flit_case c;
    static ref_flit_trip trip[MOST];
    double ours = 0, theirs = 0;

    draws = 4;
    for (int k = 0; k < 60; k++) {
        ref_flits_outcome o;
        swq_async_result r;
        draw_case(&c, REF_HIPIQS, &swq_hipiqs, TIGHT);
        ref_flits_run(&c.reference, trip, &o);
        cr_assert_eq(o.delivered, c.packets, "%s", c.what);
        start_log log = run_logged(&c.network, 1000000, &r);
        cr_assert(r.sim.conserved, "%s", c.what);
        double a = 0, b = 0;
        for (int p = 0; p < c.packets; p++) {
            long cycle[REF_FLIT_HOPS];
            const int hops = starts_of(&log, &c.packet[p], cycle);
            a += (double)(cycle[hops - 1] - c.packet[p].time);
            b += (double)(trip[p].hop[hops - 1].start - c.packet[p].time);
        }
        ours += a / c.packets;
        theirs += b / c.packets;
        free(log.at);
    }
    cr_expect_float_eq(ours / theirs, 1, 0.01, "%g and %g", ours, theirs);
}

/* Up a tree by the output with the fewest flits, with ties broken at random: individual starts
 * differ, but the same packets take as long on average. */
Test(choosing, ways_up_by_the_fewest_flits_as_the_reference)
{
    long packets;
    ref_flit_packet *packet = ref_flits_draw(7, 16, REF_UNIFORM, 0.8, 16, 6000, &packets);
    ref_flits reference = {.kind = REF_HIPIQS,
                           .levels = 2,
                           .down = 4,
                           .buffer = 320,
                           .chunk = 8,
                           .link = 1,
                           .seed = 3,
                           .packet = packet,
                           .packets = packets,
                           .cycles = 100000,
                           .unchecked = 1};
    ref_flit_trip *trip = calloc((size_t)packets, sizeof *trip);
    swq_async_message *message = calloc((size_t)packets, sizeof *message);
    swq_async n = choosing_of(tree_of(4, 2), &swq_hipiqs, 320, 8);
    const swq_sim_options options = run_of(1, 1, 0, 100000);
    ref_flits_outcome o;
    double theirs = 0;

    cr_assert(trip && message);
    ref_flits_run(&reference, trip, &o);
    cr_assert_eq(o.delivered, packets);
    for (long k = 0; k < packets; k++)
        theirs += (double)(trip[k].hop[trip[k].hops - 1].start - packet[k].time) / (double)packets;
    n.packet.max = 16;
    n.shape.routing = &swq_routing_adaptive;
    cr_assert_eq(swq_selection_find(NULL, "queue", &n.arbiter.choice), SWQ_OK);
    give(&n, packet, (int)packets, message);
    const double by_queue = run_async(&n, &options, NULL).sim.all.latency.mean;
    n.arbiter.choice = NULL;
    const double by_chance = run_async(&n, &options, NULL).sim.all.latency.mean;
    cr_expect_float_eq(by_queue / theirs, 1, 0.03, "%g and %g", by_queue, theirs);
    cr_expect_gt(by_chance, 1.1 * by_queue, "%g and %g", by_chance, by_queue);
    free(packet);
    free(trip);
    free(message);
}

/* ---- crosspoint buffers are SAFC ---- */

/* With one arbiter per output that draws one of those that can be sent, a buffer per pair is the
 * same as an input buffer that is divided among its queues, each with its own read port. */
Test(choosing, crosspoint_buffers_are_safc_in_distribution)
{
    static const double loads[] = {0.5, 0.7, 1};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_buffer_kind_find(NULL, "safc", &kind), SWQ_OK);
    for (int k = 0; k < 3; k++) {
        swq_async a =
            choosing_of(shape_in_stages("omega", 4, 3), &swq_crosspoint_queued, 4 * 24, 1);
        a.packet.max = 10;
        a.arbiter.row = &swq_arbiter_random_outputs;
        const swq_sender_group group =
            swq_sender_group_uniform(&a, SWQ_SOURCE_HOLD, loads[k], constantly(10));
        a.traffic.group = &group;
        a.traffic.groups = 1;
        swq_async b = a;
        b.architecture.row = &swq_input_queued;
        cr_assert_eq(swq_async_buffer(NULL, &b, kind, a.memory.bytes), SWQ_OK);
        const swq_sim_options options = run_of(3, 2, 2000, 20000);
        const swq_async_result ours = run_async(&a, &options, NULL);
        const swq_async_result theirs = run_async(&b, &options, NULL);
        const swq_estimate *x[] = {&ours.sim.all.throughput, &ours.sim.all.latency};
        const swq_estimate *y[] = {&theirs.sim.all.throughput, &theirs.sim.all.latency};
        for (int q = 0; q < 2; q++) {
            const double apart = fabs(x[q]->mean - y[q]->mean);
            const double both = hypot(x[q]->half_width, y[q]->half_width);
            cr_expect_lt(apart, 1.5 * both, "load %g: %g +- %g, SAFC %g +- %g", loads[k],
                         x[q]->mean, x[q]->half_width, y[q]->mean, y[q]->half_width);
            cr_expect_lt(both, 0.03 * x[q]->mean, "load %g: %g of %g", loads[k], both, x[q]->mean);
        }
    }
}

/* ---- invariants ---- */

/* At full load, with memory for a few packets: flits and chunks add up, and no more than exist are
 * taken (run_async asserts what the engine reports of them). */
static swq_async_result run_full(swq_async *n, int longest)
{
    n->packet.max = longest;
    const swq_sender_group group = swq_sender_group_uniform(
        n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_UNIFORM, 1, (double)longest});
    const swq_sim_options options = run_of(1, 1, 500, 6000);
    n->traffic.group = &group;
    n->traffic.groups = 1;
    return run_async(n, &options, NULL);
}

Test(choosing, flits_and_chunks_are_conserved)
{
    draws = 9;
    for (int k = 0; k < 40; k++) {
        static const swq_architecture *const rows[] = {&swq_hipiqs, &swq_crosspoint_queued,
                                                       &swq_multi_buffer};
        const swq_architecture *row = rows[k % 3];
        const int down = between(2, 4), ports = 2 * down, longest = between(1, 40);
        const int chunk = row->async.chunks ? between(ports, ports + 8) : 1;
        const int packets = longest * between(1, 4);
        swq_async n = choosing_of(
            tree_of(down, 2), row,
            row->async.chunks ? (packets + chunk - 1) / chunk * chunk : packets * ports, chunk);
        if (k % 2)
            n.shape.routing = &swq_routing_adaptive;
        n.arbiter.choice = k % 2 ? swq_selections[k / 2 % 4] : NULL;
        n.arbiter.row = k % 5 ? &swq_arbiter_rotating : &swq_arbiter_random_outputs;
        if (row->async.crosspoints && k % 4 == 0) {
            n.architecture.stores.queue_min = chunk;
            n.memory.bytes += chunk * ports;
        }
        const swq_async_result r = run_full(&n, longest);
        cr_expect(r.sim.conserved, "case %d: %s", k, row->name);
        cr_expect_gt(r.sim.all.throughput.mean, 0.1, "case %d: %s", k, row->name);
        cr_expect_eq(isnan(r.chunks.taken), !row->async.chunks);
        if (row->async.chunks) {
            cr_expect_leq(r.chunks.taken, (double)n.memory.bytes / chunk, "case %d", k);
            cr_expect_leq(r.chunks.most_partly, ports, "case %d", k);
            cr_expect_leq(r.chunks.partly, r.chunks.taken, "case %d", k);
            cr_expect_leq(r.chunks.unfilled, r.chunks.partly * (chunk - 1) + 1e-9, "case %d", k);
        }
    }
}

/* Half of the nodes send all they can to node 0, the others a little to node 1, over the same
 * links. Without a reserve the queues for node 0 take all chunks of the last stage, and packets for
 * node 1 cannot enter; with a reserve they can. */
Test(choosing, a_reserve_for_each_queue_is_against_hogging)
{
    double other[2];

    for (int k = 0; k < 2; k++) {
        swq_async n = choosing_of(shape_in_stages("omega", 4, 2), &swq_hipiqs, 160, 4);
        n.packet.max = 16;
        n.architecture.stores.queue_min = k ? 16 : 0;
        swq_sender_group group[2] = {
            {.mask = 12,
             .value = 12,
             .kind = SWQ_SOURCE_HOLD,
             .type =
                 {{.probability = 1, .aim = SWQ_AIM_NODE, .value = 1, .length = constantly(16)}},
             .types = 1},
            {.kind = SWQ_SOURCE_HOLD,
             .type = {{.probability = 1, .aim = SWQ_AIM_NODE, .length = constantly(16)}},
             .types = 1},
        };
        swq_sender_group_load(&n, &group[0], 0.2);
        swq_sender_group_load(&n, &group[1], 1);
        n.traffic.group = group;
        n.traffic.groups = 2;
        const swq_sim_options options = run_of(1, 1, 1000, 20000);
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect(r.sim.conserved);
        other[k] = r.sim.by_group[0].throughput.mean;
    }
    cr_expect_float_eq(other[1], 0.2, 0.01, "%g", other[1]);
    cr_expect_lt(other[0], 0.7 * other[1], "%g, not well below %g", other[0], other[1]);
}

/* ---- turns at the banks ---- */

/* An output asks for a turn early enough: outputs wait for one another at the banks, but no packet
 * begins a cycle later for it, or has a gap. */
Test(choosing, turns_at_the_banks_cost_nothing)
{
    static const int lengths[] = {1, 4, 64, 256};

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        swq_async n = choosing_of(tree_of(4, 2), &swq_hipiqs, 640, 8);
        const swq_sim_options options = run_of(1, 1, 500, 12000);
        double throughput[2];
        n.packet.max = lengths[k];
        n.shape.routing = &swq_routing_adaptive;
        n.arbiter.choice = swq_selections[2];
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(lengths[k]));
        n.traffic.group = &group;
        n.traffic.groups = 1;
        for (int turns = 0; turns < 2; turns++) {
            n.architecture.stores.bank_turns = turns;
            const swq_async_result r = run_async(&n, &options, NULL);
            throughput[turns] = r.sim.all.throughput.mean;
            cr_expect(turns ? r.chunks.turns > 20 * r.chunks.waited : r.chunks.turns == 0,
                      "%d flits: %g turns after %g cycles", lengths[k], r.chunks.turns,
                      r.chunks.waited);
            cr_expect_eq(r.chunks.gaps, 0, "%d flits: %g gaps", lengths[k], r.chunks.gaps);
            cr_expect(!turns || lengths[k] == 256 || r.chunks.waited > 0);
        }
        cr_expect_eq(throughput[1], throughput[0], "%d flits: %g, not %g", lengths[k],
                     throughput[1], throughput[0]);
    }
}

/* ---- what cannot be ---- */

typedef struct {
    void (*change)(swq_async *n);
    const char *says;
} cannot_be;

#define CHANGE(name, what)                                                                         \
    static void name(swq_async *n)                                                                 \
    {                                                                                              \
        what;                                                                                      \
    }
CHANGE(chunks_that_do_not_divide, n->memory.bytes = 641)
CHANGE(less_than_a_packet, n->memory.bytes = 32)
CHANGE(no_chunk, n->packet.block = 0)
CHANGE(fewer_banks_than_ports, n->packet.block = 4)
CHANGE(turns_through_a_ram, (n->architecture.stores.bank_turns = true,
                             n->architecture.stores.crosspoint = SWQ_CROSSPOINT_RAM))
CHANGE(turns_over_long_links, (n->architecture.stores.bank_turns = true, n->link.hop_delay = 5))
CHANGE(one_chunk_at_a_crosspoint, n->architecture.stores.crosspoint_chunks = 1)
CHANGE(no_memory, n->memory.bytes = 0)
CHANGE(part_of_a_chunk_reserved, n->architecture.stores.queue_min = 12)
CHANGE(too_much_reserved, n->architecture.stores.queue_min = 120)
CHANGE(all_counted, (n->architecture.stores.count_all = true, n->memory.bytes = 160))
CHANGE(too_fast, n->link.hop_delay = 2)
CHANGE(another_flow, (n->flow.row = &swq_flow_maximum_usage, n->flow.threshold = 4))
CHANGE(another_management, (n->management.row = &swq_management_voqsw))
CHANGE(another_arbiter, n->arbiter.row = &swq_arbiter_longest)
CHANGE(pieces, n->packet.piece = 8)
CHANGE(another_release, n->memory.release = SWQ_RELEASE_START)
CHANGE(a_torus, n->shape = shape_of_grid("torus", 2, 4))
CHANGE(no_fifos, (n->architecture.row = &swq_multi_buffer, n->packet.block = 1,
                  n->architecture.stores.fifos = -1))
CHANGE(parts_that_do_not_divide, (n->architecture.row = &swq_multi_buffer, n->packet.block = 1,
                                  n->architecture.stores.fifos = 3, n->memory.bytes = 640))
CHANGE(small_parts,
       (n->architecture.row = &swq_crosspoint_queued, n->packet.block = 1, n->memory.bytes = 312))

Test(choosing, what_cannot_be_is_refused_by_name)
{
    static const cannot_be cases[] = {
        {chunks_that_do_not_divide, "bytes must be whole chunks of 8 flits, not 641"},
        {less_than_a_packet, "bytes must be at least 40 flits"},
        {no_chunk, "chunk must be 1"},
        {fewer_banks_than_ports, "chunk must be 8 to 1024 flits"},
        {one_chunk_at_a_crosspoint, "crosspoint-chunks must be 2"},
        {turns_through_a_ram,
         "banks turns needs crosspoint registers and a hop-delay of 3, not ram"},
        {turns_over_long_links,
         "banks turns needs crosspoint registers and a hop-delay of 3, not registers and 5"},
        {no_memory, "bytes must be 1"},
        {part_of_a_chunk_reserved, "queue-min must be whole chunks of 8 flits, not 12"},
        {too_much_reserved, "bytes must be at least"},
        {all_counted, "bytes must be at least"},
        {too_fast, "hop-delay must be 3"},
        {another_flow, "flow maximum-usage is not for architecture hipiqs"},
        {another_management, "management voqsw is not for architecture hipiqs"},
        {another_arbiter, "arbiter longest is not for architecture hipiqs"},
        {pieces, "piece must not be given with architecture hipiqs"},
        {another_release, "release must be blocks"},
        {a_torus, "topology torus is not for architecture hipiqs"},
        {no_fifos, "fifos must be 1"},
        {parts_that_do_not_divide, "bytes must be a multiple of the 3 fifos"},
        {small_parts, "bytes must be at least 320 flits"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_async n = choosing_of(tree_of(4, 2), &swq_hipiqs, 640, 8);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, constantly(8));
        swq_context *ctx = swq_context_new();
        uint32_t nodes;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
        cases[k].change(&n);
        cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", cases[k].says);
        cr_expect_eq(strncmp(swq_context_message(ctx), cases[k].says, strlen(cases[k].says)), 0,
                     "'%s' does not begin with '%s'", swq_context_message(ctx), cases[k].says);
        swq_context_free(ctx);
    }
}
