/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/ref_async.c by itself: cycles worked out by hand from docs/asynchronous.md, what must
 * hold of every run, and deadlock where the document says that there is, or is none.
 */
#include "tests/ref/networks.h"
#include "tests/ref/ref_async.h"
#include "tests/support/support.h"

TestSuite(ref_async, .timeout = 120);

/* Packets of at most 32 bytes in blocks of 8, hop delay 5, link rest 2, rotating arbiter. */
static ref_async network_of(const ref_plan *plan, const char *buffer, int bytes)
{
    bool statically = strcmp(buffer, "samq") == 0 || strcmp(buffer, "safc") == 0;

    return (ref_async){.wiring = plan->wiring,
                       .one_queue = strcmp(buffer, "fifo") == 0,
                       .read_each = strcmp(buffer + 2, "fc") == 0,
                       .partitioned = statically,
                       .bytes = bytes,
                       .block = 8,
                       .max_packet = 32,
                       .threshold = REF_NO_THRESHOLD,
                       .hop_delay = 5,
                       .link_rest = 2,
                       .cycles = -1};
}

static ref_outcome run_messages(ref_async network, const ref_message *message, int messages)
{
    ref_outcome o;

    network.message = message;
    network.messages = messages;
    ref_async_run(&network, &o);
    return o;
}

/* Compares the cycles in which packets of `from` to `to` begin to leave a switch (REF_SENDER: their
 * sender) with those expected, ended by -1. */
static void expect_starts(const ref_outcome *o, int switch_, int from, int to, const long *cycle)
{
    long k = 0;

    for (long i = 0; i < o->starts; i++) {
        const ref_start *s = &o->start[i];
        if (s->switch_ != switch_ || s->from != from || s->to != to)
            continue;
        cr_assert_geq(cycle[k], 0, "switch %d, %d to %d: another one in cycle %ld", switch_, from,
                      to, s->cycle);
        cr_expect_eq(s->cycle, cycle[k], "switch %d, %d to %d, number %ld: in cycle %ld, not %ld",
                     switch_, from, to, k, s->cycle, cycle[k]);
        k++;
    }
    cr_expect_eq(cycle[k], -1, "switch %d, %d to %d: only %ld", switch_, from, to, k);
}

#define STARTS(o, switch_, from, to, ...)                                                          \
    expect_starts(&(o), switch_, from, to, (const long[]){__VA_ARGS__, -1})

/* From 1 to 2 in an omega network of 2 x 2 switches: line 1 is shuffled to line 2, switch 1, which
 * sends it up to line 3 (the destination is 10 in base 2), shuffled to line 3 of the second stage:
 * switch 3, which sends it down. */
Test(ref_async, cut_through)
{
    ref_plan *plan = ref_omega(2, 2);
    ref_outcome o = run_messages(network_of(plan, "damq", 64), &(ref_message){7, 1, 2, 100}, 1);

    STARTS(o, REF_SENDER, 1, 2, 7, 41, 75, 109);
    STARTS(o, 1, 1, 2, 12, 46, 80, 114);
    STARTS(o, 3, 1, 2, 17, 51, 85, 119);
    cr_expect_eq(o.start[o.starts - 1].bytes, 4);
    cr_expect_eq(o.delivered, 4);
    cr_expect_eq(o.latency_sum, 4 * 2 * 5); /* packets are created when the link has rested */
    cr_expect_eq(o.bytes_arrived, 100);
    cr_expect_eq(o.links_bytes, 2 * 100);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* Two senders to one output; the second one's third packet finds three free blocks in cycle 68 and
 * four from 71 on, when the last byte of its first packet has been sent. */
Test(ref_async, less_than_a_packet_blocks)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_message message[] = {{0, 0, 0, 32}, {0, 1, 0, 128}};
    ref_outcome o = run_messages(network_of(plan, "fifo", 64), message, 2);

    STARTS(o, REF_SENDER, 0, 0, 0);
    STARTS(o, REF_SENDER, 1, 0, 0, 34, 71, 105);
    STARTS(o, 0, 0, 0, 5);
    STARTS(o, 0, 1, 0, 39, 73, 107, 141);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* A packet of 32 bytes leaves from cycle 5 on; the next one waits at its sender from cycle 34 on
 * for room of 32 bytes. */
Test(ref_async, blocks_are_freed_one_by_one)
{
    static const struct {
        int bytes, block;
        long opens;
    } row[] = {{40, 8, 34},  {32, 8, 37},  {32, 32, 37}, {64, 32, 34}, {36, 1, 34},
               {34, 1, 35},  {33, 1, 36},  {32, 1, 37},  {32, 16, 37}, {48, 16, 34},
               {36, 12, 37}, {48, 12, 34}, {35, 5, 37},  {40, 5, 35}};
    ref_plan *plan = ref_omega(2, 1);
    ref_message message[] = {{0, 0, 1, 32}, {1, 0, 1, 32}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ref_async network = network_of(plan, "fifo", row[i].bytes);
        network.block = row[i].block;
        ref_outcome o = run_messages(network, message, 2);
        STARTS(o, REF_SENDER, 0, 1, 0, row[i].opens);
        ref_outcome_clear(&o);
    }
    ref_plan_free(plan);
}

/* Output 0 is busy from 5 to 39, so that input 0's packet for it leaves from 39 on; that for output
 * 1 is ready in cycle 40 and needs a read port. */
Test(ref_async, read_ports)
{
    static const struct {
        const char *buffer;
        long second;
    } row[] = {{"fifo", 71}, {"samq", 71}, {"damq", 71}, {"safc", 40}, {"dafc", 40}};
    ref_plan *plan = ref_omega(2, 1);
    ref_message message[] = {{0, 1, 0, 32}, {1, 0, 0, 32}, {2, 0, 1, 32}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ref_outcome o = run_messages(network_of(plan, row[i].buffer, 128), message, 3);
        STARTS(o, REF_SENDER, 0, 1, 35);
        STARTS(o, 0, 1, 0, 5);
        STARTS(o, 0, 0, 0, 39);
        STARTS(o, 0, 0, 1, row[i].second);
        ref_outcome_clear(&o);
    }
    ref_plan_free(plan);
}

/* A statically partitioned queue of 32 bytes accepts nothing while a block of it is held; one of 64
 * bytes accepts one packet more. */
Test(ref_async, partitions)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_message message[] = {{0, 0, 0, 32}, {0, 1, 0, 32}, {0, 1, 0, 32}};
    ref_outcome o = run_messages(network_of(plan, "samq", 64), message, 3);

    STARTS(o, REF_SENDER, 1, 0, 0, 71);
    ref_outcome_clear(&o);
    o = run_messages(network_of(plan, "samq", 128), message, 3);
    STARTS(o, REF_SENDER, 1, 0, 0, 34);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* With a threshold of 2 blocks a queue of 2 blocks is open, one of 3 is not; another queue is. */
Test(ref_async, threshold)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_message message[] = {
        {0, 0, 0, 32}, {0, 1, 0, 16}, {0, 1, 0, 1}, {0, 1, 0, 32}, {0, 1, 1, 8}};
    ref_async network = network_of(plan, "damq", 128);

    network.threshold = 2;
    ref_outcome o = run_messages(network, message, 5);
    /* output 0 is busy until 39; then 16 bytes leave and one block is free in 47 */
    STARTS(o, REF_SENDER, 1, 0, 0, 18, 47);
    STARTS(o, REF_SENDER, 1, 1, 81);
    ref_outcome_clear(&o);
    network.threshold = 3;
    o = run_messages(network, message, 5);
    STARTS(o, REF_SENDER, 1, 0, 0, 18, 21);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* All wait for one output, and the pointer advances. */
Test(ref_async, pointer_moves)
{
    ref_plan *plan = ref_omega(4, 1);
    ref_message message[] = {{0, 0, 0, 8}, {0, 1, 0, 8}, {0, 2, 0, 8}, {0, 3, 0, 8}, {15, 0, 0, 8}};
    ref_outcome o = run_messages(network_of(plan, "damq", 64), message, 5);

    STARTS(o, 0, 0, 0, 5, 45);
    STARTS(o, 0, 1, 0, 15);
    STARTS(o, 0, 2, 0, 25);
    STARTS(o, 0, 3, 0, 35);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* Input 1, named by the pointer from cycle 5 on, waits for output 0 while input 2 sends to output 1
 * in cycle 20; it is still first in cycle 39, when input 2 waits for output 0 as well. */
Test(ref_async, pointer_stays)
{
    ref_plan *plan = ref_omega(3, 1);
    ref_message message[] = {
        {0, 0, 0, 32}, {0, 1, 0, 8}, {10, 1, 0, 8}, {15, 2, 1, 8}, {15, 2, 0, 8}};
    ref_outcome o = run_messages(network_of(plan, "damq", 64), message, 5);

    STARTS(o, 0, 0, 0, 5);
    STARTS(o, 0, 2, 1, 20);
    STARTS(o, 0, 1, 0, 39, 59);
    STARTS(o, 0, 2, 0, 49);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* Both outputs are busy from 5 to 39, inputs 0 and 1 having sent in cycle 5 and the pointer naming
 * input 1. Input 2 then sends from its longest queue, even if that packet came later, or, of
 * equally long ones, the packet that came first. */
Test(ref_async, longest_queue_first)
{
    ref_plan *plan = ref_omega(3, 1);

    for (int bytes = 8; bytes <= 16; bytes += 8) {
        ref_message message[] = {{0, 0, 0, 32}, {0, 1, 1, 32}, {0, 2, 0, 8}, {18, 2, 1, bytes}};
        ref_outcome o = run_messages(network_of(plan, "damq", 96), message, 4);
        STARTS(o, 0, 2, 0, bytes == 8 ? 39 : 55);
        STARTS(o, 0, 2, 1, bytes == 8 ? 47 : 39);
        ref_outcome_clear(&o);
    }
    ref_plan_free(plan);
}

/* Both outputs are free from cycle 39 on, and input 2 has a packet for either. */
Test(ref_async, two_in_a_cycle)
{
    static const struct {
        const char *buffer;
        int fixed;
        long first, second;
    } row[] = {{"damq", 0, 39, 47}, {"damq", 1, 39, 47}, {"dafc", 0, 39, 39}, {"dafc", 1, 39, 39}};
    ref_plan *plan = ref_omega(3, 1);
    ref_message message[] = {{0, 0, 0, 32}, {0, 1, 1, 32}, {0, 2, 0, 8}, {0, 2, 1, 8}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ref_async network = network_of(plan, row[i].buffer, 96);
        network.fixed = row[i].fixed;
        ref_outcome o = run_messages(network, message, 4);
        STARTS(o, 0, 2, 0, row[i].first);
        STARTS(o, 0, 2, 1, row[i].second);
        ref_outcome_clear(&o);
    }
    ref_plan_free(plan);
}

/* What is sent in a cycle is not seen by other switches in that cycle. Input 2 waits with one block
 * for either output when both are free in cycle 37, and the one for output 0 came first; that its
 * sender sends a third packet just then does not make the other queue longer. */
Test(ref_async, a_sender_is_not_seen_in_the_same_cycle)
{
    ref_plan *plan = ref_omega(3, 1);
    ref_message message[] = {
        {0, 0, 0, 32}, {0, 1, 1, 32}, {0, 2, 0, 8}, {8, 2, 1, 8}, {37, 2, 1, 8}};
    ref_async network = network_of(plan, "damq", 96);

    network.link_rest = 0;
    ref_outcome o = run_messages(network, message, 5);
    STARTS(o, REF_SENDER, 2, 0, 0);
    STARTS(o, REF_SENDER, 2, 1, 8, 37);
    STARTS(o, 0, 2, 0, 37);
    STARTS(o, 0, 2, 1, 45, 53);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* The same from switch to switch: 1 sends its last packet to the queue for output 1 of switch 2 in
 * cycle 50, when either queue there has one block and the one for output 0 came first. */
Test(ref_async, a_switch_is_not_seen_in_the_same_cycle)
{
    ref_plan *plan = ref_omega(2, 2);
    ref_message message[] = {
        {0, 0, 0, 32}, {0, 1, 0, 8}, {0, 1, 1, 32}, {0, 1, 1, 5}, {0, 1, 1, 5}};
    ref_async network = network_of(plan, "damq", 96);

    network.link_rest = 0;
    ref_outcome o = run_messages(network, message, 5);
    STARTS(o, REF_SENDER, 1, 1, 8, 40, 45);
    STARTS(o, 1, 1, 1, 13, 45, 50);
    STARTS(o, 2, 0, 0, 10);
    STARTS(o, 2, 1, 0, 50);
    STARTS(o, 2, 1, 1, 18, 58, 63);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* A packet waits for a block of a buffer of two from cycle 17 on. One of them is being sent until
 * 22; the other's packet, of one byte, waits for its output until 18, and its block is free in 19.
 */
Test(ref_async, the_later_packet_frees_first)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_message message[] = {{0, 0, 1, 13}, {0, 1, 1, 1}, {0, 1, 0, 16}, {0, 1, 0, 2}};
    ref_async network = network_of(plan, "dafc", 32);

    network.link_rest = 0;
    network.block = network.max_packet = 16;
    ref_outcome o = run_messages(network, message, 4);
    STARTS(o, REF_SENDER, 1, 0, 1, 19);
    STARTS(o, 0, 1, 1, 18);
    STARTS(o, 0, 1, 0, 6, 24);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* With the fixed arbiter the lowest input and its lowest output come first. */
Test(ref_async, fixed_arbiter)
{
    ref_plan *plan = ref_omega(3, 1);
    ref_message message[] = {{0, 0, 0, 8}, {0, 2, 0, 8}, {0, 1, 0, 8}, {10, 0, 0, 8}};
    ref_async network = network_of(plan, "damq", 96);

    network.fixed = 1;
    ref_outcome o = run_messages(network, message, 4);
    STARTS(o, 0, 0, 0, 5, 15);
    STARTS(o, 0, 1, 0, 25);
    STARTS(o, 0, 2, 0, 35);
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

static const int ring4[] = {4}, ring5[] = {5}, grid54[] = {5, 4};

/* Switches and classes along a packet's route. */
static void expect_way(const ref_plan *plan, int from, int to, int hops, const int *node,
                       const int *class_)
{
    ref_outcome o = run_messages(network_of(plan, "damq", 64), &(ref_message){0, from, to, 8}, 1);

    cr_assert_eq(o.starts, hops + 1, "%d to %d: %ld switches", from, to, o.starts - 1);
    for (int i = 0; i < hops; i++) {
        cr_expect_eq(o.start[i + 1].cycle, 5 * (i + 1));
        cr_expect_eq(o.start[i + 1].switch_, node[i], "%d to %d: not by %d", from, to, node[i]);
        cr_expect_eq(o.start[i + 1].class_, class_[i], "%d to %d: class %d at %d", from, to,
                     o.start[i + 1].class_, node[i]);
    }
    ref_outcome_clear(&o);
}

#define WAY(plan, from, to, hops, nodes, classes)                                                  \
    expect_way(plan, from, to, hops, (const int[]){nodes}, (const int[]){classes})
#define LIST(...) __VA_ARGS__

Test(ref_async, ways)
{
    ref_plan *five = ref_torus(1, ring5, 0), *four = ref_torus(1, ring4, 0),
             *one_way = ref_torus(1, ring5, 1), *mesh = ref_mesh(1, ring5),
             *torus = ref_torus(2, grid54, 0);
    /* in a ring 0 goes up, 1 down; wrapped ones the other way round, one way 2; to the host 2 */
    WAY(five, 4, 1, 3, LIST(4, 0, 1), LIST(0, 1, 2));
    WAY(five, 3, 1, 3, LIST(3, 2, 1), LIST(1, 1, 2));
    WAY(five, 0, 3, 3, LIST(0, 4, 3), LIST(1, 0, 2));
    WAY(four, 0, 2, 3, LIST(0, 1, 2), LIST(0, 0, 2));
    WAY(four, 2, 0, 3, LIST(2, 3, 0), LIST(0, 0, 2));
    WAY(four, 1, 3, 3, LIST(1, 0, 3), LIST(1, 1, 2));
    WAY(four, 3, 1, 3, LIST(3, 2, 1), LIST(1, 1, 2));
    WAY(one_way, 3, 2, 5, LIST(3, 4, 0, 1, 2), LIST(0, 0, 2, 2, 1));
    WAY(mesh, 4, 1, 4, LIST(4, 3, 2, 1), LIST(1, 1, 1, 2));
    /* (4, 1) to (1, 3): up twice, through the wrap link; then, from an odd coordinate, down
     * twice, through the other */
    WAY(torus, 17, 7, 5, LIST(17, 1, 5, 4, 7), LIST(0, 1, 3, 3, 4));
    ref_plan_free(five);
    ref_plan_free(four);
    ref_plan_free(one_way);
    ref_plan_free(mesh);
    ref_plan_free(torus);
}

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Nothing is lost, no link or read port has two packets at once, and each packet takes at least the
 * hop delay from switch to switch. */
static void check(const ref_async *n, const ref_outcome *o, const char *what)
{
    size_t links = (size_t)(n->wiring.switches * n->wiring.ports);
    long *until = calloc(links + (size_t)n->wiring.nodes, sizeof *until), bytes = 0, sent = 0;
    size_t reads = links * (size_t)n->wiring.classes;
    long *read = calloc(reads, sizeof *read);

    cr_assert(until && read);
    for (int i = 0; i < n->messages; i++)
        bytes += n->message[i].bytes;
    cr_expect_eq(o->bytes_created, bytes, "%s", what);
    cr_expect_eq(o->bytes_arrived, bytes, "%s", what);
    cr_expect_eq(o->bytes_delivered, bytes, "%s", what);
    cr_expect_eq(o->created, o->delivered, "%s", what);
    cr_expect_eq(o->lefts, 0, "%s", what);
    cr_expect_eq(o->starts, o->entered + o->created, "%s", what);
    cr_expect_geq(o->latency_sum, n->hop_delay * o->entered, "%s", what);
    for (long i = 0; i < o->starts; i++) {
        const ref_start *s = &o->start[i];
        size_t base = (size_t)(s->switch_ * n->wiring.ports);
        size_t at = s->switch_ == REF_SENDER ? links + (size_t)s->from : base + (size_t)s->output;
        cr_expect_geq(s->cycle, until[at], "%s: link", what);
        until[at] = s->cycle + s->bytes + n->link_rest;
        if (s->switch_ == REF_SENDER)
            continue;
        size_t r = (base + (size_t)s->input) * (size_t)n->wiring.classes +
                   (size_t)(n->read_each ? s->class_ : 0);
        cr_expect_geq(s->cycle, read[r], "%s: read port", what);
        read[r] = s->cycle + s->bytes;
        sent += s->bytes;
    }
    cr_expect_eq(o->links_bytes, sent, "%s", what);
    free(until);
    free(read);
}

Test(ref_async, nothing_is_lost)
{
    static const char *const buffer[] = {"fifo", "samq", "safc", "damq", "dafc"};
    enum { MOST = 200 };
    ref_plan *plan[] = {ref_omega(3, 1), ref_omega(2, 3), ref_mesh(2, grid54),
                        ref_torus(2, grid54, 0)};
    unsigned state = 1;

    for (int k = 0; k < 80; k++) {
        const ref_plan *p = plan[k % 4];
        const char *kind = buffer[draw(&state, 5)];
        ref_message message[MOST];
        char what[64];
        long now = 0;
        for (int i = 0; i < MOST; i++) {
            now += draw(&state, 3);
            int from = (int)draw(&state, (unsigned)p->wiring.nodes);
            int to =
                (from + 1 + (int)draw(&state, (unsigned)p->wiring.nodes - 1)) % p->wiring.nodes;
            message[i] = (ref_message){now, from, to, 1 + (int)draw(&state, 60)};
        }
        ref_async n = network_of(p, kind, 40 * p->wiring.classes);
        n.hop_delay = 1 + (int)draw(&state, 9);
        n.link_rest = (int)draw(&state, 5);
        n.fixed = draw(&state, 4) == 0;
        /* a FIFO of a torus may deadlock; the longest queue must leave room for a packet */
        if (k % 4 == 3 && strcmp(kind, "fifo") == 0)
            continue;
        if (k % 4 == 3 && !n.partitioned)
            n.threshold = 5 * p->wiring.classes - 8;
        n.message = message;
        n.messages = MOST;
        ref_outcome o;
        ref_async_run(&n, &o);
        snprintf(what, sizeof what, "case %d, %s", k, kind);
        check(&n, &o, what);
        ref_outcome_clear(&o);
    }
    for (int i = 0; i < 4; i++)
        ref_plan_free(plan[i]);
}

/* Four packets, each of which has gone one hop, fill four buffers and wait for each other. */
Test(ref_async, four_packets_deadlock)
{
    ref_plan *plan = ref_torus(1, ring4, 1);
    ref_message message[] = {{0, 0, 3, 32}, {0, 1, 0, 32}, {0, 2, 1, 32}, {0, 3, 2, 32}};
    ref_outcome o = run_messages(network_of(plan, "fifo", 32), message, 4);

    cr_expect(o.deadlock);
    cr_expect_eq(o.starts, 8);
    cr_assert_eq(o.lefts, 4);
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(o.left[i].port % 2, 0); /* ring ports */
        cr_expect_eq(o.left[i].place, 0);
        cr_expect_eq(o.left[i].blocks, 4);
    }
    ref_outcome_clear(&o);
    ref_plan_free(plan);
}

/* A ring all of whose packets go to the node after the next but one. The ring's buffers fill with
 * packets that go on, unless a threshold keeps room for a packet. */
Test(ref_async, deadlock)
{
    static const struct {
        const char *buffer;
        int threshold, deadlock;
    } row[] = {{"fifo", REF_NO_THRESHOLD, 1},
               {"damq", REF_NO_THRESHOLD, 1},
               {"dafc", REF_NO_THRESHOLD, 1},
               {"damq", 8, 0},
               {"dafc", 8, 0},
               {"safc", REF_NO_THRESHOLD, 0},
               {"samq", REF_NO_THRESHOLD, 0}};
    ref_plan *plan = ref_torus(1, ring5, 1);
    ref_message message[5];

    for (int i = 0; i < 5; i++)
        message[i] = (ref_message){0, i, (i + 3) % 5, 3200};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ref_async n = network_of(plan, row[i].buffer, 128);
        if (n.partitioned)
            n.bytes = 96;
        n.threshold = row[i].threshold;
        ref_outcome o = run_messages(n, message, 5);
        cr_expect_eq(o.deadlock, row[i].deadlock, "%s, threshold %d: %ld of %ld delivered",
                     row[i].buffer, row[i].threshold, o.delivered, o.created);
        cr_expect_eq(o.lefts > 0, row[i].deadlock);
        ref_outcome_clear(&o);
    }
    ref_plan_free(plan);
}
