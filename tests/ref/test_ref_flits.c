/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/ref_flits.c by itself: cycles worked out by hand from the HIPIQS report, and what must
 * hold of any workload.
 */
#include "tests/ref/ref_flits.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(ref_flits, .timeout = 120);

enum { KINDS = REF_CENTRAL + 1, MOST = 4096 };

static const char *const name[KINDS] = {"hipiqs",   "crosspoint", "pairs",  "shared",
                                        "one FIFO", "multi",      "prizma", "central"};

/* A switch of four ports, chunks of four flits, and room for ten packets an input. */
static ref_flits a_switch(ref_flit_kind kind)
{
    return (ref_flits){.kind = kind,
                       .levels = 1,
                       .down = 4,
                       .buffer = 400,
                       .chunk = 4,
                       .module = 40,
                       .link = 1,
                       .cycles = 100000};
}

static void run(ref_flits n, const ref_flit_packet *packet, long packets, ref_flit_trip *trip)
{
    ref_flits_outcome o;

    n.packet = packet;
    n.packets = packets;
    ref_flits_run(&n, trip, &o);
    cr_expect_eq(o.broken, 0, "%s: an invariant is broken %d times", name[n.kind], o.broken);
    cr_expect_eq(o.delivered, packets, "%s: %ld of %ld packets", name[n.kind], o.delivered,
                 packets);
    cr_expect_eq(o.flits_inside, 0, "%s: %ld flits remain", name[n.kind], o.flits_inside);
    cr_expect_eq(o.chunks_left, 0, "%s: %d chunks remain", name[n.kind], o.chunks_left);
    /* section 3.3: "fragmentation is limited to at most k chunks" */
    cr_expect(n.apart || o.most_partial <= n.down * (n.levels == 1 ? 1 : 2), "%s", name[n.kind]);
}

static void expect_hop(const ref_flit_trip *t, int hop, int path, long came, long start, long tail)
{
    const ref_flit_hop *h = &t->hop[hop];

    cr_expect(h->path == path && h->came == came && h->start == start && h->tail == tail,
              "hop %d: path %d, came %ld, from %ld to %ld", hop, h->path, h->came, h->start,
              h->tail);
}

/* Section 3.4: "This two stage (two cycle) pipeline is the normal data path". */
Test(ref_flits, two_cycles_a_switch_at_zero_load)
{
    const ref_flit_packet packet[] = {{0, 0, 13, 12}, {100, 5, 4, 1}, {200, 7, 7, 3}};
    const int hops[] = {4, 2, 2};

    for (int kind = 0; kind < KINDS; kind++)
        for (int link = 1; link <= REF_FLIT_LINK; link++) {
            ref_flits n = a_switch((ref_flit_kind)kind);
            ref_flit_trip t[3];

            n.levels = 2;
            n.link = link;
            run(n, packet, 3, t);
            for (int p = 0; p < 3; p++) {
                cr_assert_eq(t[p].hops, hops[p]);
                for (int h = 0; h < hops[p]; h++) {
                    const ref_flit_hop *hop = &t[p].hop[h];

                    cr_expect_eq(hop->start, packet[p].time + h * (2 + link));
                    cr_expect_eq(hop->tail, hop->start + packet[p].flits - 1);
                }
            }
        }
}

/* The ways through the tree: up to level 1 by any port, then down by the digits of node 13 = 31 to
 * the base of 4; straight up, by its last digit. */
Test(ref_flits, up_to_the_nearest_common_ancestor_and_down)
{
    const ref_flit_packet packet[] = {{0, 0, 13, 4}, {0, 1, 13, 4}, {0, 4, 6, 4}};
    ref_flits n = a_switch(REF_HIPIQS);
    ref_flit_trip t[3];

    n.levels = 2;
    n.lowest = 1;
    run(n, packet, 3, t);
    cr_expect_eq(t[0].hop[1].output, 4);
    cr_expect_eq(t[1].hop[1].output, 5); /* of the way taken by the first, the queue is longer */
    cr_expect_eq(t[0].hop[2].place, 4);
    cr_expect_eq(t[0].hop[2].output, 3);
    cr_expect_eq(t[0].hop[3].place, 3);
    cr_expect_eq(t[0].hop[3].output, 1);
    cr_expect_eq(t[2].hops, 2);
    cr_expect_eq(t[2].hop[1].output, 2);
    n.straight = 1;
    run(n, packet, 3, t);
    cr_expect_eq(t[0].hop[1].output, 5);
    cr_expect_eq(t[1].hop[1].output, 5);
    expect_hop(&t[1], 1, 1, 1, 7, 10); /* behind the four flits of the first */
}

/* A header finds the FIFO occupied: R4 and one flit behind it, of the packet before. The output
 * takes R4's in that very cycle, as the tail of the packet of input 0 is in its output buffer. */
Test(ref_flits, fifo_occupied)
{
    const ref_flit_packet registers[] = {{0, 0, 2, 2}, {1, 1, 2, 2}, {3, 1, 2, 1}};
    const ref_flit_packet ram[] = {{0, 0, 2, 3}, {1, 1, 2, 3}, {4, 1, 2, 1}};
    ref_flits n = a_switch(REF_HIPIQS);
    ref_flit_trip t[3];

    run(n, registers, 3, t);
    expect_hop(&t[0], 1, 1, 1, 3, 4);
    expect_hop(&t[1], 1, 1, 2, 5, 6);
    expect_hop(&t[2], 1, 2, 4, 7, 7); /* pipe 2: 4 + 3 */
    n.ram = 1;
    run(n, ram, 3, t);
    expect_hop(&t[1], 1, 1, 2, 6, 8);
    expect_hop(&t[2], 1, 2, 5, 9, 9); /* pipe 2': 5 + 4 */
    run(n, registers, 3, t);
    expect_hop(&t[1], 1, 1, 2, 5, 7); /* its second flit came in cycle 3, and is four behind */
    expect_hop(&t[2], 1, 2, 4, 8, 8);
}

/* A header finds the FIFO full: of two chunks of two flits. */
Test(ref_flits, fifo_full)
{
    const ref_flit_packet registers[] = {{0, 0, 1, 5}, {1, 1, 1, 5}, {6, 1, 1, 1}};
    const ref_flit_packet ram[] = {{0, 0, 1, 6}, {1, 1, 1, 6}, {7, 1, 1, 1}};
    ref_flits n = a_switch(REF_HIPIQS);
    ref_flit_trip t[3];

    n.down = n.chunk = 2;
    run(n, registers, 3, t);
    expect_hop(&t[1], 1, 1, 2, 8, 12);
    expect_hop(&t[2], 1, 3, 7, 13, 13); /* pipe 3: 7 + 6 */
    n.ram = 1;
    run(n, ram, 3, t);
    expect_hop(&t[1], 1, 1, 2, 9, 14);
    expect_hop(&t[2], 1, 3, 8, 15, 15); /* pipe 3': 8 + 7 */
}

/* To be seen, pipe 3 must be longer than what is in front of it: with FIFOs of one flit. The packet
 * of input 1 has a flit in R4 and one in the FIFO when the next one arrives. */
Test(ref_flits, queue_occupied)
{
    const ref_flit_packet packet[] = {{0, 0, 1, 2}, {1, 1, 1, 2}, {3, 1, 1, 1}, {6, 1, 1, 1}};
    ref_flits n = a_switch(REF_HIPIQS);
    ref_flit_trip t[4];

    n.fifo = 1;
    run(n, packet, 4, t);
    expect_hop(&t[1], 1, 1, 2, 5, 6);
    expect_hop(&t[2], 1, 3, 4, 10, 10); /* the FIFO is full in cycle 4: 4 + 6 */
    expect_hop(&t[3], 1, 3, 7, 13, 13); /* the flit before is in R2 in cycle 7: 7 + 6 */
}

/* Output 3 is taken by a long packet; another fills R4 and the FIFO behind it; eight packets of a
 * flit then lie in two chunks, in eight if a chunk may not be shared, and in as many modules. */
Test(ref_flits, chunks_of_small_packets)
{
    ref_flit_packet packet[10] = {{0, 0, 3, 100}, {1, 1, 3, 9}};
    static ref_flit_sample sample[200];
    ref_flits n = a_switch(REF_HIPIQS);
    ref_flit_trip t[10];

    for (int p = 2; p < 10; p++)
        packet[p] = (ref_flit_packet){10, 1, 3, 1};
    n.cycles = 200;
    n.sample = sample;
    run(n, packet, 10, t);
    cr_expect(sample[60].chunks == 2 && sample[60].flits == 8);
    n.apart = 1;
    run(n, packet, 10, t);
    cr_expect(sample[60].chunks == 8 && sample[60].flits == 8);
    /* of the nine flits, eight wait in the output's register */
    n.kind = REF_CENTRAL;
    run(n, packet, 10, t);
    cr_expect(sample[60].chunks == 9 && sample[60].flits == 9);
    n.kind = REF_PRIZMA;
    n.module = 100;
    n.buffer = 300;
    run(n, packet, 10, t);
    cr_expect_eq(sample[60].chunks, 10);
}

/* A packet of the first output bypasses one that waits for the second; not with a FIFO. */
Test(ref_flits, head_of_line)
{
    const ref_flit_packet packet[] = {{0, 0, 3, 40}, {1, 1, 3, 8}, {9, 1, 2, 8}};
    const ref_flit_packet small[] = {{0, 0, 3, 40}, {1, 1, 3, 1}, {2, 1, 2, 1}};
    ref_flit_trip t[3];

    for (int kind = 0; kind < KINDS; kind++) {
        run(a_switch((ref_flit_kind)kind), packet, 3, t);
        cr_expect_eq(t[1].hop[1].start, 43, "%s: %ld", name[kind], t[1].hop[1].start);
        cr_expect_eq(t[2].hop[1].start, kind == REF_ONE_FIFO ? 51 : 12, "%s: %ld", name[kind],
                     t[2].hop[1].start);
        run(a_switch((ref_flit_kind)kind), small, 3, t);
        cr_expect_eq(t[1].hop[1].start, 43, "%s: %ld", name[kind], t[1].hop[1].start);
        cr_expect_eq(t[2].hop[1].start, kind == REF_ONE_FIFO ? 44 : 5, "%s: %ld", name[kind],
                     t[2].hop[1].start);
    }
}

/* An output takes the packets of modules in the order of arrival, others the inputs in turn. */
Test(ref_flits, first_come)
{
    const ref_flit_packet packet[] = {{0, 0, 3, 20}, {1, 2, 3, 5}, {4, 1, 3, 5}};
    ref_flit_trip t[3];

    for (int kind = 0; kind < KINDS; kind++) {
        const int in_order = kind == REF_PRIZMA || kind == REF_CENTRAL;

        run(a_switch((ref_flit_kind)kind), packet, 3, t);
        cr_expect_eq(t[1].hop[1].start, in_order ? 23 : 28, "%s", name[kind]);
        cr_expect_eq(t[2].hop[1].start, in_order ? 28 : 23, "%s", name[kind]);
    }
}

/* Section 3.3: packets of a flit, of which each has a chunk of its own, are all in the first bank,
 * and one of them is read in a cycle; those that share chunks are read by all outputs at once. Of
 * each 30 flits for three outputs, nine wait in R4 and the FIFO when the outputs get free. */
Test(ref_flits, bandwidth_of_the_banks)
{
    ref_flit_packet packet[93] = {{0, 1, 1, 200}, {0, 2, 2, 200}, {0, 3, 3, 200}};
    const ref_flits n = a_switch(REF_HIPIQS);
    ref_flit_trip t[93];

    for (int p = 3; p < 93; p++)
        packet[p] = (ref_flit_packet){1, 0, p % 3 + 1, 1};
    for (int variant = 0; variant < 4; variant++) {
        ref_flits m = n;
        long last = 0;

        m.apart = variant & 1;
        m.banks = variant >> 1;
        run(m, packet, 93, t);
        for (int p = 3; p < 93; p++)
            last = t[p].hop[1].tail > last ? t[p].hop[1].tail : last;
        /* 203 + 29; or 63 flits are in R2 from 204 on, and in OB three cycles later */
        cr_expect_eq(last, m.apart && m.banks ? 269 : 232, "variant %d: %ld", variant, last);
    }
}

/* Section 4: a minimum of space for each queue leaves less to a queue that hogs. */
Test(ref_flits, queue_min)
{
    ref_flit_packet packet[20] = {{0, 1, 3, 32}, {1, 2, 3, 32}, {1, 3, 3, 32}};
    static ref_flit_sample sample[1000];
    ref_flits n = a_switch(REF_HIPIQS);
    ref_flit_trip t[20];

    for (int p = 3; p < 20; p++)
        packet[p] = (ref_flit_packet){1, 0, 3, 8};
    n.buffer = 64; /* sixteen chunks */
    n.cycles = 1000;
    n.sample = sample;
    run(n, packet, 20, t);
    cr_expect_eq(sample[95].chunks, 16, "%d", sample[95].chunks);
    n.queue_min = 1; /* packets take two chunks: thirteen are twelve */
    run(n, packet, 20, t);
    cr_expect_eq(sample[95].chunks, 12, "%d", sample[95].chunks);
    n.queue_min = 2;
    run(n, packet, 20, t);
    cr_expect_eq(sample[95].chunks, 10, "%d", sample[95].chunks);
}

/* A stored packet of a flit on its way through the pool of a central queue: in the input FIFO in
 * cycle 4, in the pool in 5, in the output's register in 6; behind the packet that goes past the
 * pool until 7. */
Test(ref_flits, central_pool)
{
    const ref_flit_packet packet[] = {{0, 0, 3, 2}, {2, 1, 3, 1}};
    ref_flits n = a_switch(REF_CENTRAL);
    ref_flit_trip t[2];

    run(n, packet, 2, t);
    expect_hop(&t[0], 1, 0, 1, 3, 4);
    expect_hop(&t[1], 1, 0, 3, 5, 5); /* nothing is in front of it any more: it bypasses the pool */
    run(n, (const ref_flit_packet[]){{0, 0, 3, 3}, {2, 1, 3, 1}}, 2, t);
    expect_hop(&t[1], 1, 0, 3, 7, 7); /* it was sent to the pool when the third flit left */
}

/* Packets of 1 to 40 flits. */
static long mixed(ref_flit_packet *packet, int nodes, unsigned seed)
{
    unsigned random = seed;
    long packets = 0;

    for (long c = 0; packets < MOST && c < 2500; c++)
        for (int node = 0; node < nodes && packets < MOST; node++) {
            random = random * 1664525u + 1013904223u;
            if ((random >> 16) % 22)
                continue;
            random = random * 1664525u + 1013904223u;
            packet[packets++] = (ref_flit_packet){c, node, (int)(random >> 8) & (nodes - 1),
                                                  1 + (int)(random >> 16) % 40};
        }
    return packets;
}

/* No flit or chunk is lost, and a packet's flits follow without a gap except where a switch has
 * credits for single flits, or a RAM. */
Test(ref_flits, conservation)
{
    static ref_flit_packet packet[MOST];
    static ref_flit_trip t[MOST];

    for (int kind = 0; kind < KINDS; kind++)
        for (int variant = 0; variant < 6; variant++) {
            ref_flits n = a_switch((ref_flit_kind)kind);

            n.levels = 1 + (variant & 1);
            n.ram = variant == 2 || variant == 3;
            n.banks = variant == 3;
            n.fifo = variant == 3;
            n.apart = variant == 4;
            n.credit = variant;
            n.queue_min = variant == 5 ? 3 : 0;
            n.late = variant > 3;
            n.buffer = kind == REF_CENTRAL ? 44 : kind != REF_HIPIQS ? 400 : n.queue_min ? 160 : 60;
            const long packets = mixed(packet, n.levels == 1 ? 4 : 16, 7u + (unsigned)variant);
            run(n, packet, packets, t);
            for (long p = 0; p < packets; p++)
                for (int h = 0; h < t[p].hops; h++) {
                    const ref_flit_hop *hop = &t[p].hop[h];

                    cr_assert_geq(hop->start, hop->came + (h > 0 ? 2 : 0));
                    cr_assert(hop->tail == hop->start + packet[p].flits - 1 || n.ram || n.banks ||
                                  kind == REF_CENTRAL,
                              "%s: from %ld to %ld", name[kind], hop->start, hop->tail);
                }
        }
}

static void expect_equal(const ref_flit_trip *a, const ref_flit_trip *b, long packets)
{
    for (long p = 0; p < packets; p++)
        for (int h = 0; h < a[p].hops; h++) {
            const ref_flit_hop *i = &a[p].hop[h], *j = &b[p].hop[h];

            cr_assert(i->start == j->start && i->tail == j->tail && i->output == j->output,
                      "packet %ld, hop %d: %ld and %ld", p, h, i->start, j->start);
        }
}

/* Crosspoint queues, as a pipeline of FIFOs and as a queue per pair of input and output. */
Test(ref_flits, crosspoint_queues_are_a_queue_a_pair)
{
    static ref_flit_packet packet[MOST];
    static ref_flit_trip a[MOST], b[MOST];

    for (int variant = 0; variant < 6; variant++) {
        ref_flits n = a_switch(REF_CROSSPOINT);

        n.levels = 1 + variant % 2;
        n.lowest = 1;
        n.buffer = (variant < 3 ? 48 : 90) * (n.levels == 1 ? 4 : 8);
        n.credit = variant;
        const long packets = mixed(packet, n.levels == 1 ? 4 : 16, 1u + (unsigned)variant);
        run(n, packet, packets, a);
        n.kind = REF_PAIRS;
        run(n, packet, packets, b);
        expect_equal(a, b, packets);
    }
}

/* A packet of 40 flits of input 1 waits for output 3; the next one is on the source's link as soon
 * as there is room for all of it in the 60 flits of the input, whichever queue it is to join. */
Test(ref_flits, shared_memory)
{
    const ref_flit_packet packet[] = {{0, 0, 3, 40}, {1, 1, 3, 40}, {42, 1, 2, 40}};
    ref_flits n = a_switch(REF_SHARED);
    ref_flit_trip t[3];

    n.buffer = 60;
    run(n, packet, 3, t);
    cr_expect_eq(t[1].hop[1].start, 43);
    cr_expect_eq(t[2].hop[0].start, 63, "%ld", t[2].hop[0].start);
    n.buffer = 80;
    run(n, packet, 3, t);
    cr_expect_eq(t[2].hop[0].start, 42, "%ld", t[2].hop[0].start);
}

/* With sufficient memory HIPIQS sends whatever a queue per pair sends, at the same times: its
 * longer pipes are hidden, as section 3.4 says. */
Test(ref_flits, the_longer_pipes_are_hidden)
{
    static ref_flit_packet packet[MOST];
    static ref_flit_trip a[MOST], b[MOST];
    int longer = 0;

    for (int levels = 1; levels <= 2; levels++) {
        ref_flits n = a_switch(REF_HIPIQS);

        n.levels = levels;
        n.straight = 1;
        n.buffer = 100000;
        const long packets = mixed(packet, levels == 1 ? 4 : 16, 5);
        run(n, packet, packets, a);
        for (long p = 0; p < packets; p++)
            longer += a[p].hop[1].path == 3;
        n.kind = REF_PAIRS;
        run(n, packet, packets, b);
        expect_equal(a, b, packets);
        n.kind = REF_SHARED;
        run(n, packet, packets, b);
        expect_equal(a, b, packets);
    }
    cr_expect_gt(longer, 100);
}
