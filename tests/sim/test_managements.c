/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Managements of congestion: rows whose queues are those of a buffer give that buffer's numbers to
 * the bit; the hooks are called when they should be; notices take their time; the laws that hold of
 * every run; and that more queues protect more.
 */
#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/frame/net.h"
#include "sim/frame/schemes.h"
#include "tests/sim/inspector.h"

#include <math.h>
#include <string.h>

TestSuite(managements, .timeout = 480);

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

static void manage(swq_async *n, const swq_management *row, int bytes)
{
    swq_context *ctx = swq_context_new();

    n->management.row = row;
    n->management.queues = row->default_queues;
    cr_assert_eq(swq_async_memory(ctx, n, bytes), SWQ_OK, "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}

/* ---- equality to the bit ---- */

static void expect_same_starts(const start_log *a, const start_log *b, const char *what)
{
    cr_assert_eq(a->count, b->count, "%s: %zu starts, not %zu", what, a->count, b->count);
    for (size_t k = 0; k < a->count; k++) {
        const swq_start *x = &a->at[k], *y = &b->at[k];
        cr_assert(x->cycle == y->cycle && x->from == y->from && x->to == y->to &&
                      x->birth == y->birth && x->switch_ == y->switch_ && x->input == y->input &&
                      x->output == y->output && x->output_store == y->output_store,
                  "%s: start %zu", what, k);
    }
}

/* Everything in a result that describes the simulation, rather than the time it took. */
static void expect_same_results(swq_async_result a, swq_async_result b, const char *what)
{
    a.sim.cpu_seconds = b.sim.cpu_seconds = a.sim.wall_seconds = b.sim.wall_seconds = 0;
    a.sim.bytes = b.sim.bytes = 0;
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "%s", what);
}

static void draw_network(swq_async *n, int which)
{
    static const swq_arbiter *const arbiters[] = {&swq_arbiter_rotating, &swq_arbiter_random,
                                                  &swq_arbiter_longest, &swq_arbiter_islip};

    n->link.hop_delay = 1 + (int)draw(8);
    n->architecture.output.crossbar_delay = 1 + (int)draw(8);
    n->link.rest = (int)draw(4);
    n->memory.release = (swq_release)draw(4);
    n->arbiter.row = arbiters[which / 6 % 4];
    if (draw(3) == 0) {
        n->architecture.row = &swq_cioq;
        n->architecture.output.blocks = 4 + (int)draw(12);
        n->architecture.output.speedup_bytes = 2 + (int)draw(2);
        n->architecture.output.speedup_cycles = 2;
    }
    if (draw(3) == 0) {
        n->flow.row = &swq_flow_maximum_usage;
        n->flow.threshold = (int)draw(16);
    }
}

static swq_shape drawn_shape(int which)
{
    switch (which) {
    case 0:
        return tree(2 + (int)draw(2), 2);
    case 1:
        return shape_in_stages("omega", 2, 3);
    case 2:
        return shape_of_grid("torus", 1 + (int)draw(2), 3 + (int)draw(2));
    case 3:
        return shape_of_grid("mesh", 2, 3);
    case 4:
        return (swq_shape){.kind = &swq_fabric_hypercube, .dims = 3};
    default:
        return shape_in_stages("switch", 2 + (int)draw(5), 1);
    }
}

static swq_sender_group drawn_senders(const swq_async *n)
{
    swq_sender_group g =
        swq_sender_group_uniform(n, draw(2) ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN,
                                 0.2 + 0.1 * draw(9), (swq_spread){SWQ_UNIFORM, 1, 40});

    if (draw(2)) {
        g.types = 2;
        g.type[1] = g.type[0];
        g.type[0].probability = 0.1;
        g.type[0].aim = SWQ_AIM_NODE;
        g.type[1].probability = 0.9;
        swq_sender_group_load(n, &g, 0.2 + 0.1 * draw(9));
    }
    return g;
}

/* voqsw is damq, and 1q is fifo, in their results and in every start. */
Test(managements, queues_of_buffers_give_their_numbers_to_the_bit)
{
    static const struct {
        const char *buffer;
        const swq_management *row;
    } same[] = {{"damq", &swq_management_voqsw}, {"fifo", &swq_management_1q}};
    int moved = 0;

    state_of_draws = 1;
    for (int k = 0; k < 144; k++) {
        const int bytes = 64 + 8 * (int)draw(30);
        swq_async n = async_network(drawn_shape(k % 6), same[k % 2].buffer, bytes);
        draw_network(&n, k);
        const swq_sender_group group = drawn_senders(&n);
        char what[40];
        n.traffic.group = &group;
        n.traffic.groups = 1;
        snprintf(what, sizeof what, "case %d", k);
        start_log seen[2] = {{0}};
        swq_async_result r[2];
        for (int managed = 0; managed < 2; managed++) {
            swq_async_watch watch = {.started = log_start, .arg = &seen[managed]};
            swq_sim_options options = run_of((uint64_t)k, 1 + (k & 1), 500, 3000);
            if (managed)
                manage(&n, same[k % 2].row, bytes);
            options.confidence = 0.9;
            r[managed] = run_async(&n, &options, &watch);
        }
        expect_same_starts(&seen[0], &seen[1], what);
        expect_same_results(r[0], r[1], what);
        moved += r[0].sim.total_delivered > 100;
        free(seen[0].at);
        free(seen[1].at);
    }
    cr_expect_gt(moved, 120);
}

/* A queue for each destination, as many as there are nodes, is dbbm with that many, however many
 * words they take. */
Test(managements, voqnet_is_dbbm_with_a_queue_for_each_node)
{
    for (int k = 0; k < 2; k++) {
        swq_async n = async_network(k ? tree(3, 4) : shape_in_stages("omega", 4, 3), "fifo", 512);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.8, constantly(32));
        const swq_sim_options options = run_of(3, 1, 500, 3000);
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const int parts = 64 * (int)nodes_of(&n); /* two packets in each queue */
        manage(&n, &swq_management_voqnet, parts);
        const swq_async_result own = run_async(&n, &options, NULL);
        manage(&n, &swq_management_dbbm, parts);
        n.management.queues = (int)nodes_of(&n);
        n.flow.row = &swq_flow_maximum_usage;
        n.flow.threshold = 4;
        expect_same_results(own, run_async(&n, &options, NULL), "voqnet");
        n.flow.row = &swq_flow_blocking;
        manage(&n, &swq_management_dbbm, 512);
        n.management.queues = (int)nodes_of(&n);
        const swq_async_result by_node = run_async(&n, &options, NULL);
        n.management.queues = SWQ_MAX_STORE_QUEUES; /* most of them are always empty */
        expect_same_results(by_node, run_async(&n, &options, NULL), "many queues");
        manage(&n, &swq_management_4q, 512);
        const swq_async_result four = run_async(&n, &options, NULL);
        manage(&n, &swq_management_dbbm, 512);
        n.management.queues = 4;
        expect_same_results(four, run_async(&n, &options, NULL), "4q");
        n.management.queues = 1;
        const swq_async_result one = run_async(&n, &options, NULL);
        manage(&n, &swq_management_1q, 512);
        expect_same_results(one, run_async(&n, &options, NULL), "1q");
        cr_expect_gt(by_node.sim.all.throughput.mean, four.sim.all.throughput.mean);
        cr_expect_gt(four.sim.all.throughput.mean, one.sim.all.throughput.mean);
    }
}

/* ---- four queues ---- */

/* One switch; node 0's packet is the first over the link to node 0, so two of node 1 wait, the
 * second one longer. In one queue they leave in order; in two the longer one leaves first. */
Test(managements, the_least_full_of_four_queues)
{
    static const swq_async_message sent[] = {{0, 0, 0, 32}, {0, 1, 0, 8}, {0, 1, 0, 32}};
    swq_async n = async_network(shape_in_stages("switch", 2, 1), "fifo", 512);

    manage(&n, &swq_management_4q_least, 512);
    n.traffic.trace = sent;
    n.traffic.trace_messages = 3;
    n.traffic.groups = 0;
    for (int least = 0; least < 2; least++) {
        swq_async_result r;
        n.management.row = least ? &swq_management_4q_least : &swq_management_4q;
        start_log log = run_logged(&n, 5000, &r);
        cr_assert_eq(log.count, 6);
        cr_expect_eq(log.at[4].bytes, least ? 32 : 8, "%u bytes", log.at[4].bytes);
        cr_expect_eq(log.at[4].from, 1);
        cr_expect_eq(r.sim.all.out_of_order, (uint64_t)least);
        free(log.at);
    }
}

/* A packet that is being read counts in its queue until the end: of the three short ones that
 * arrive meanwhile none joins that queue, so the long one after them must join one of theirs. */
Test(managements, what_is_being_read_counts)
{
    static const swq_async_message sent[] = {{0, 0, 0, 32}, {0, 0, 0, 32}, {0, 1, 0, 32},
                                             {40, 1, 0, 8}, {48, 1, 0, 8}, {56, 1, 0, 8},
                                             {64, 1, 0, 32}};
    swq_async n = async_network(shape_in_stages("switch", 2, 1), "fifo", 512);
    swq_async_result r;
    int gone = 0;

    manage(&n, &swq_management_4q_least, 512);
    n.traffic.trace = sent;
    n.traffic.trace_messages = 7;
    n.traffic.groups = 0;
    n.link.rest = 0;
    start_log log = run_logged(&n, 5000, &r);
    for (size_t k = 0; k < log.count; k++) {
        const swq_start *s = &log.at[k];
        if (s->from == 1 && s->switch_ != SWQ_NO_WHERE && ++gone == 2)
            cr_expect_eq(s->bytes, 8, "%u bytes", s->bytes);
    }
    cr_expect_eq(gone, 5);
    cr_expect_eq(r.sim.all.out_of_order, 2, "%lu", (unsigned long)r.sim.all.out_of_order);
    free(log.at);
}

/* ---- interfaces ---- */

/* Schemes that hold senders back, with numbers that hold some packets back. */
static void hold_back(swq_async *n, const swq_sender_scheme *scheme)
{
    static const struct {
        const swq_sender_scheme *scheme;
        double value[SWQ_MAX_SENDER_PARAMETERS];
    } numbers[] = {{&swq_sender_window, {1}},
                   {&swq_sender_bucket, {0.1, 64}},
                   {&swq_sender_feedback, {3, 2, 9}},
                   {&swq_sender_tokens, {12, 0}},
                   {&swq_sender_dctcp, {4, 0.0625, 1}}};

    n->sender.row = scheme;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (numbers[k].scheme == scheme)
            memcpy(n->sender.value, numbers[k].value, sizeof n->sender.value);
    }
}

/* An interface with one queue that loses nothing equals a node without an interface, also where
 * a scheme holds senders back. */
Test(managements, an_interface_of_one_queue_changes_nothing)
{
    const swq_sim_options options = run_of(7, 1, 500, 6000);
    uint64_t free = 0;

    for (int scheme = -1; scheme < 0 || swq_sender_schemes[scheme]; scheme++) {
        for (int k = 1; k < 40; k += 13) {
            swq_async n = async_network(tree(2, 3), "fifo", 256);
            const swq_sender_group group =
                swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.7, constantly(32));
            n.traffic.group = &group;
            n.traffic.groups = 1;
            manage(&n, &swq_management_1q, 256);
            if (scheme >= 0)
                hold_back(&n, swq_sender_schemes[scheme]);
            const swq_async_result without = run_async(&n, &options, NULL);
            n.interface.present = n.interface.queued = true;
            n.interface.packets = k;
            const swq_async_result with = run_async(&n, &options, NULL);
            if (scheme < 0)
                free = without.sim.total_delivered;
            else
                cr_expect_neq(without.sim.total_delivered, free, "%d holds nothing back", scheme);
            cr_expect_eq(with.sim.total_delivered, without.sim.total_delivered, "%d", k);
            cr_expect_eq(with.sim.all.latency.mean, without.sim.all.latency.mean, "%d", k);
            cr_expect_eq(with.sim.source_queue.mean, without.sim.source_queue.mean, "%d", k);
        }
    }
}

/* Node 0 has packets for one node, and then for another, and sends each node one packet at a time.
 * With a queue for each node both get them side by side; with one queue one after the other. */
Test(managements, a_packet_that_is_held_back_holds_up_its_own_queue_alone)
{
    enum { EACH = 40 };
    static swq_async_message sent[2 * EACH];
    uint32_t last[2];

    for (int k = 0; k < 2 * EACH; k++)
        sent[k] = (swq_async_message){0, 0, k < EACH ? 2 : 3, 32};
    for (int queues = 0; queues < 2; queues++) {
        swq_async n = async_network(tree(2, 2), "fifo", 1024);
        swq_async_result r;
        manage(&n, queues ? &swq_management_voqnet : &swq_management_1q, 1024);
        hold_back(&n, &swq_sender_window);
        n.interface.present = n.interface.queued = true;
        n.interface.packets = 64;
        n.traffic.trace = sent;
        n.traffic.trace_messages = 2 * EACH;
        n.traffic.groups = 0;
        n.link.hop_delay = 40;
        start_log log = run_logged(&n, 60000, &r);
        cr_expect_eq(r.sim.total_delivered, 2 * EACH);
        last[queues] = log.at[log.count - 1].cycle;
        free(log.at);
    }
    /* 3 switches, and the links to them and to the node: (3 + 2) H + L from a start to its
     * acknowledgement, and 3 H to the last link. The first packet for the second node begins when
     * the link has rested; side by side, in the cycle in which the interface gets it. */
    const uint32_t trip = 5 * 40 + 32, end = 3 * 40;
    cr_expect_eq(last[0], 2 * (EACH - 1) * trip + 32 + 2 + end, "%u", last[0]);
    cr_expect_eq(last[1], (EACH - 1) * trip + EACH + end, "%u", last[1]);
}

Test(managements, who_has_no_interfaces)
{
    swq_context *ctx = swq_context_new();
    uint32_t nodes;

#define REFUSED(change, words)                                                                     \
    do {                                                                                           \
        swq_async n = async_network(tree(2, 3), "fifo", 1024);                                     \
        const swq_sender_group group =                                                             \
            swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.7, constantly(32));                    \
        n.traffic.group = &group;                                                                  \
        n.traffic.groups = 1;                                                                      \
        manage(&n, &swq_management_voqnet, 1024);                                                  \
        n.interface.present = true;                                                                \
        cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));    \
        change;                                                                                    \
        cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", words);                   \
        cr_expect(strstr(swq_context_message(ctx), words), "%s", swq_context_message(ctx));        \
    } while (0)

    REFUSED(n.management.row = &swq_management_none, "not for management none");
    REFUSED(n.interface.packets = 0, "interface-packets must be 1 to");
    REFUSED(n.interface.packets = SWQ_MAX_INTERFACE + 1, "interface-packets must be 1 to");
    REFUSED(n.packet.max = n.packet.block = 16, "max-packet must be the longest message");
    REFUSED((n.architecture.row = &swq_cioq, n.architecture.output.blocks = 64,
             n.architecture.output.speedup_bytes = 2, n.management.row = &swq_management_lecn,
             n.management.detect = 2, n.management.xon = 1),
            "not for management lecn");
    REFUSED((n.management.row = &swq_management_4q_least, n.interface.present = false,
             n.management.xoff = 2),
            "has no xoff");
#undef REFUSED
    swq_context_free(ctx);
}

/* ---- notices ---- */

/* One switch, hop delay 5, rest 2, packets of 32 bytes, all to node 0: node 0's are the first over
 * the link to it, so node 1's wait. Every entry sends a notice; Xoff at 2 waiting packets arrives
 * at the sender 5 cycles after the second has begun, before it could begin a third. */
Test(managements, a_queue_stops_its_sender_and_lets_it_go_on)
{
    enum { EACH = 6 };
    static swq_async_message sent[2 * EACH];
    swq_async n = async_network(shape_in_stages("switch", 2, 1), "fifo", 512);
    swq_async_result r;

    for (int k = 0; k < 2 * EACH; k++)
        sent[k] = (swq_async_message){0, (uint32_t)k / EACH, 0, 32};
    manage(&n, &swq_management_dbbm, 512);
    n.traffic.trace = sent;
    n.traffic.trace_messages = 2 * EACH;
    n.traffic.groups = 0;
    for (int xoff = 1; xoff < 4; xoff++) {
        n.management.xoff = xoff;
        n.management.xon = xoff - 1;
        start_log log = run_logged(&n, 5000, &r);
        int inside[2] = {0, 0}, most = 0;
        for (size_t k = 0; k < log.count; k++) {
            const swq_start *s = &log.at[k];
            inside[s->from] += s->switch_ == SWQ_NO_WHERE ? 1 : -1;
            most = inside[s->from] > most ? inside[s->from] : most;
        }
        cr_expect_eq(most, xoff, "%d wait, Xoff at %d", most, xoff);
        cr_expect_eq(r.sim.total_delivered, 2 * EACH);
        cr_expect(r.notices > 2 && r.notices % 2 == 0, "%lu notices", (unsigned long)r.notices);
        free(log.at);
    }
}

/* Bytes, packets and packet-cycles are conserved, every notice finds its memory, and whatever
 * deadlocks was predicted to be able to. */
Test(managements, random_cases_keep_the_laws)
{
    int moved = 0, told = 0;

    state_of_draws = 2;
    for (int k = 0; k < 120; k++) {
        const swq_management *row = swq_managements[1 + draw(5)];
        const int bytes = 64 + 8 * (int)draw(40);
        swq_async n = async_network(drawn_shape(k % 6), "fifo", bytes);
        draw_network(&n, k);
        const swq_sender_group group = drawn_senders(&n);
        n.traffic.group = &group;
        n.traffic.groups = 1;
        manage(&n, row, row->apart ? 64 * (int)nodes_of(&n) : bytes);
        if (row->apart && n.architecture.output.blocks < 8 * (int)nodes_of(&n))
            n.architecture.output.blocks = 8 * (int)nodes_of(&n);
        n.management.xoff = draw(3) ? 1 + (int)draw((uint32_t)(bytes / 32)) : 0;
        n.management.xon = n.management.xoff ? (int)draw((uint32_t)n.management.xoff) : 0;
        const swq_sim_options options = run_of((uint64_t)k, 1, 500, 4000);
        const swq_async_result r = run_async(&n, &options, NULL); /* asserts those */
        moved += r.sim.total_delivered > 100;
        told += r.notices > 0;
        cr_expect(r.sim.stopped_by != SWQ_STOP_DEADLOCK || swq_async_may_deadlock(&n), "case %d",
                  k);
        cr_expect(n.management.xoff || r.notices == 0, "case %d", k);
    }
    cr_expect_gt(moved, 90);
    cr_expect_gt(told, 30);
}

/* ---- protection ---- */

/* A hot node takes the most that its link carries, and the others send to nodes d with d & 4, half
 * of which share node 0's queue in 4q and none in dbbm with 8 queues. With a limit per queue
 * (Xoff), dbbm and voqnet carry all of it; with 4q a sender, which is a FIFO, soon waits with a
 * packet for that half, so it does little better than 1q, and less than half as well as they. */
Test(managements, more_queues_protect_more)
{
    static const swq_management *const rows[] = {&swq_management_1q, &swq_management_4q,
                                                 &swq_management_dbbm, &swq_management_voqnet};
    double innocent[4];

    for (int k = 0; k < 4; k++) {
        swq_async n = async_network(tree(4, 3), "fifo", 1024);
        swq_sender_group group[2] = {
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, constantly(32)),
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.4, constantly(32))};
        const swq_sim_options options = run_of(5, 1, 2000, 4000);
        group[0].mask = group[0].value = 1;
        group[0].type[0].aim = SWQ_AIM_NODE;
        /* half of which share node 0's queue in 4q, none in dbbm */
        group[1].type[0].aim = SWQ_AIM_SUBSET;
        group[1].type[0].mask = group[1].type[0].value = 4;
        n.traffic.group = group;
        n.traffic.groups = 2;
        manage(&n, rows[k], rows[k]->apart ? 4096 : 1024);
        n.management.xoff = 4;
        n.management.xon = 2;
        innocent[k] = run_async(&n, &options, NULL).sim.by_group[1].throughput.mean;
    }
    cr_expect(innocent[0] < innocent[1] + 0.02, "%g, %g", innocent[0], innocent[1]);
    cr_expect(2 * innocent[1] < innocent[2], "%g, %g", innocent[1], innocent[2]);
    for (int k = 2; k < 4; k++)
        cr_expect(fabs(innocent[k] - 0.4) < 0.03, "%s: %g", rows[k]->name, innocent[k]);
}
