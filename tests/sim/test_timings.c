/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links with timings of their own in networks of bytes: a packet alone takes the cycles that the
 * links of its way add up to; delays that are all alike are a longer hop delay, to the bit; a
 * credit's round trip is as long as its link; and what does not know such links is refused by name.
 * The references of test_async_reference.c and test_crossbar_reference.c have random networks.
 */
#include "switchq/async.h"
#include "switchq/graph.h"
#include "switchq/live.h"
#include "tests/support/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static swq_context *ctx;
static char path[] = "/tmp/switchq-timings-XXXXXX";

static void setup(void)
{
    ctx = swq_context_new();
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
}

static void teardown(void)
{
    remove(path);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(timings, .init = setup, .fini = teardown, .timeout = 120);

static void read_text(const char *text, swq_graph *g)
{
    FILE *file = fopen(path, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    cr_assert_eq(swq_graph_read(ctx, path, NULL, g), SWQ_OK, "%s", swq_context_message(ctx));
}

/* Switches on the graph of a file, with room for several packets. */
static swq_async network_on(swq_graph *g, const swq_architecture *row, int bytes)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = &swq_fabric_graph, .graph = g};
    n.architecture.row = row;
    n.packet.max = 64;
    give_buffer(&n, "damq", bytes);
    n.architecture.output.blocks = bytes / n.packet.block;
    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &n.arbiter.row), SWQ_OK);
    n.flow.row = &swq_flow_blocking;
    if (row == &swq_output_queued) {
        n.architecture.output.speedup_bytes = g->ports;
        n.architecture.output.store_and_forward = true;
    }
    return n;
}

static swq_async_result run(const swq_async *n, uint64_t warmup, uint64_t cycles)
{
    static swq_async_result r;
    swq_sim_options options = swq_sim_defaults();

    options.warmup = warmup;
    options.cycles = cycles;
    cr_assert_eq(swq_async_run(ctx, n, &options, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    return r;
}

static uint32_t draw(uint32_t below)
{
    static uint64_t state = 11;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* ---- a packet alone ---- */

enum { MOST_LINKS = 8 };

/* A chain of switches between two hosts; link k of the way has delay[k]. */
static void chain(int links, const int *delay, swq_graph *g)
{
    char text[1000];
    int used = snprintf(text, sizeof text, "host from s1 delay=%d\nhost to s%d delay=%d\n",
                        delay[0], links - 1, delay[links - 1]);

    for (int k = 1; k < links - 1; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "link s%d s%d delay=%d\n", k,
                         k + 1, delay[k]);
    read_text(text, g);
}

/* Each link but the last takes the hop delay, a cycle of which is its wire's; a crossbar before
 * output stores takes its own, and a switch that stores packets first waits for the tail. */
Test(timings, a_packet_alone_takes_the_sum_of_its_links)
{
    const swq_architecture *const row[] = {&swq_input_queued, &swq_cioq, &swq_output_queued};

    for (int k = 0; k < 90; k++) {
        const int links = 3 + (int)draw(MOST_LINKS - 2), hop = 1 + (int)draw(9);
        const int bytes = 1 + (int)draw(64);
        int delay[MOST_LINKS], head = 0;
        swq_async_message m = {draw(100), 0, 1, (uint32_t)bytes};
        swq_graph g;

        for (int i = 0; i < links; i++)
            delay[i] = 1 + (int)draw(k % 2 ? 300 : 3);
        chain(links, delay, &g);
        swq_async n = network_on(&g, row[k % 3], 256);
        n.link.hop_delay = hop;
        n.traffic.trace = &m;
        n.traffic.trace_messages = 1;
        for (int i = 0; i < links - 1; i++)
            head += hop + delay[i] - 1;
        if (k % 3 > 0)
            head += (links - 1) * n.architecture.output.crossbar_delay;
        if (k % 3 == 2) { /* the tail of a packet, over a link and over the crossbar */
            const int ports = n.architecture.output.speedup_bytes;
            head += (links - 1) * (bytes - 1 + (bytes + ports - 1) / ports - 1);
        }
        const swq_async_result r = run(&n, 0, 20000);
        cr_expect_eq(r.sim.all.latency.mean, head, "case %d: %g, not %d", k, r.sim.all.latency.mean,
                     head);
        const int tail = head + bytes + delay[links - 1] - 1;
        cr_expect_eq(r.sim.all.tail_latency.mean, tail, "case %d: %g, not %d", k,
                     r.sim.all.tail_latency.mean, tail);
        swq_graph_clear(ctx, &g);
    }
}

/* ---- speeds ---- */

/* A packet begins as soon as its header is there and its tail will not be late for the next link,
 * which takes whole cycles for it: slower, faster and alike. */
Test(timings, a_packet_alone_over_links_of_several_speeds)
{
    static const int speed[] = {100, 75, 40, 25, 10};

    for (int k = 0; k < 120; k++) {
        const int links = 3 + (int)draw(MOST_LINKS - 2), hop = 1 + (int)draw(9);
        const int bytes = 1 + (int)draw(64);
        int own[MOST_LINKS], delay[MOST_LINKS], fastest = 1;
        char text[1000];
        swq_graph g;

        for (int i = 0; i < links; i++) {
            own[i] = speed[draw(5)];
            delay[i] = 1 + (int)draw(20);
            fastest = own[i] > fastest ? own[i] : fastest;
        }
        int used = snprintf(text, sizeof text,
                            "host from s1 speed=%d delay=%d\nhost to s%d speed=%d delay=%d\n",
                            own[0], delay[0], links - 1, own[links - 1], delay[links - 1]);
        for (int i = 1; i < links - 1; i++)
            used += snprintf(text + used, sizeof text - (size_t)used,
                             "link s%d s%d speed=%d delay=%d\n", i, i + 1, own[i], delay[i]);
        read_text(text, &g);
        swq_async n = network_on(&g, &swq_input_queued, 256);
        swq_async_message m = {draw(100), 0, 1, (uint32_t)bytes};
        n.link.hop_delay = hop;
        n.traffic.trace = &m;
        n.traffic.trace_messages = 1;
        int begins = 0, header = 0, whole = 0;
        for (int i = 0; i < links; i++) {
            const int takes = (int)ceil((double)bytes * fastest / own[i] - 1e-9);
            begins = whole - takes > header ? whole - takes : header;
            header = begins + (int)ceil((double)fastest / own[i] - 1e-9) - 1 + hop + delay[i] - 1;
            whole = begins + takes + hop + delay[i] - 1;
        }
        const swq_async_result r = run(&n, 0, 40000);
        cr_expect_eq(r.sim.all.latency.mean, begins, "case %d: %g, not %d", k,
                     r.sim.all.latency.mean, begins);
        /* the last hop delay is that of the next switch, which there is none */
        cr_expect_eq(r.sim.all.tail_latency.mean, whole - hop, "case %d: %g, not %d", k,
                     r.sim.all.tail_latency.mean, whole - hop);
        swq_graph_clear(ctx, &g);
    }
}

/* A fast host behind a link of a fifth of its speed: a packet in ceil((L + R) 5) cycles. */
Test(timings, a_slow_link_carries_what_it_can)
{
    enum { PACKETS = 300 };
    const swq_architecture *const row[] = {&swq_input_queued, &swq_cioq, &swq_output_queued};
    static swq_async_message m[PACKETS];

    for (int k = 0; k < 3; k++) {
        swq_graph g;
        read_text("host a x speed=5\nhost b y speed=5\nlink x y speed=1\n", &g);
        swq_async n = network_on(&g, row[k], 256);
        for (int i = 0; i < PACKETS; i++)
            m[i] = (swq_async_message){0, 0, 1, 33};
        n.traffic.trace = m;
        n.traffic.trace_messages = PACKETS;
        const swq_async_result r = run(&n, 0, 100000);
        const int beat = 5 * (33 + n.link.rest);
        cr_expect_eq(r.sim.all.delivered, PACKETS);
        cr_expect(fabs((double)r.sim.cycles - PACKETS * beat) < 3 * beat, "%s: %lu cycles, not %d",
                  row[k]->name, (unsigned long)r.sim.cycles, PACKETS * beat);
        swq_graph_clear(ctx, &g);
    }
}

/* Many hosts that send to one whose line has a quarter of their speed: the queue before the line is
 * M/D/1, with the wait rho c / 2 (1 - rho). */
Test(timings, the_queue_before_a_slow_line)
{
    enum { HOSTS = 24, BYTES = 32 };
    const double rho = 0.6, service = 4 * BYTES;
    char text[1000];
    int used = snprintf(text, sizeof text, "host slow x speed=25\n");
    swq_graph g;

    for (int h = 1; h <= HOSTS; h++)
        used += snprintf(text + used, sizeof text - (size_t)used, "host h%d x speed=100\n", h);
    read_text(text, &g);
    swq_async n = network_on(&g, &swq_output_queued, 256);
    n.link.rest = 0;
    n.packet.max = BYTES;
    n.architecture.output.blocks = 4000;
    swq_sender_group group[2] = {{.kind = SWQ_SOURCE_OPEN,
                                  .interval = {SWQ_GEOMETRIC, HOSTS * service / rho, 1},
                                  .type = {{.probability = 1,
                                            .aim = SWQ_AIM_NODE,
                                            .value = 0,
                                            .length = {SWQ_CONSTANT, BYTES, 0}}},
                                  .types = 1}};
    group[1] = group[0];
    group[0].mask = UINT32_MAX; /* the slow host */
    group[0].silent = true;
    n.traffic.group = group;
    n.traffic.groups = 2;
    const swq_async_result r = run(&n, 20000, 6000000);
    const int ports = n.architecture.output.speedup_bytes;
    const double alone = n.link.hop_delay + n.architecture.output.crossbar_delay + BYTES - 1 +
                         (BYTES + ports - 1) / ports - 1;
    const double exact = alone + rho * service / (2 * (1 - rho));
    cr_expect(r.sim.all.latency.half_width < 0.05 * exact);
    cr_expect(fabs(r.sim.all.latency.mean - exact) < 2 * r.sim.all.latency.half_width,
              "%g +- %g, not %g", r.sim.all.latency.mean, r.sim.all.latency.half_width, exact);
    swq_graph_clear(ctx, &g);
}

/* An answer waits for the last byte of its question, over all wires. */
Test(timings, a_ping_pong)
{
    enum { TIMES = 9, WAIT = 7 };
    static const int delay[] = {40, 3, 100};

    for (int bytes = 24; bytes <= 96; bytes += 72) { /* a packet, and two */
        swq_async_message m[TIMES];
        swq_async_dependency d[TIMES - 1];
        swq_graph g;

        chain(3, delay, &g);
        swq_async n = network_on(&g, &swq_input_queued, 256);
        for (int i = 0; i < TIMES; i++)
            m[i] = (swq_async_message){3, i % 2, !(i % 2), (uint32_t)bytes};
        for (int i = 0; i < TIMES - 1; i++)
            d[i] = (swq_async_dependency){(uint64_t)i + 1, (uint64_t)i, WAIT};
        n.traffic.trace = m;
        n.traffic.trace_messages = TIMES;
        n.traffic.dependency = d;
        n.traffic.dependencies = TIMES - 1;
        const swq_async_result r = run(&n, 0, 20000);
        const int rests = bytes > 64 ? n.link.rest : 0;
        const int once = 2 * n.link.hop_delay + (40 + 3 + 100 - 3) + bytes + rests;
        /* to one host or the other, whose own wires only change places */
        cr_expect_eq(r.sim.stopped_by, SWQ_STOP_TRACE_END);
        cr_expect_eq(r.sim.all.delivered, (uint64_t)TIMES * (bytes > 64 ? 2 : 1));
        const uint64_t end = 3 + (uint64_t)(TIMES * once + (TIMES - 1) * WAIT);
        /* the run ends when the last packet is delivered, before its bytes have come */
        cr_expect(r.sim.cycles <= end && r.sim.cycles + 64 + 100 >= end, "%lu, not about %lu",
                  (unsigned long)r.sim.cycles, (unsigned long)end);
        const double tails = bytes > 64 ? r.sim.all.message_tail.mean : r.sim.all.tail_latency.mean;
        cr_expect_eq(tails, once, "%g, not %d", tails, once);
        swq_graph_clear(ctx, &g);
    }
}

/* ---- alike ---- */

/* A ring of switches, or a single one, with hosts. */
static void write_ring(char *text, size_t size, int switches, int hosts, const char *more)
{
    int used = 0;

    for (int h = 0; h < hosts; h++)
        used +=
            snprintf(text + used, size - (size_t)used, "host h%d s%d %s\n", h, h % switches, more);
    for (int w = 0; switches > 1 && w < switches; w++)
        used += snprintf(text + used, size - (size_t)used, "link s%d s%d %s\n", w,
                         (w + 1) % switches, more);
    cr_assert_lt((size_t)used, size);
}

static swq_async_result loaded(swq_async *n, double load)
{
    static swq_sender_group group;

    group = (swq_sender_group){.kind = SWQ_SOURCE_OPEN,
                               .interval = {SWQ_GEOMETRIC, 32 / load, 1},
                               .type = {{.probability = 1,
                                         .pattern = &swq_pattern_uniform,
                                         .length = {SWQ_CONSTANT, 32, 0}}},
                               .types = 1};
    n->traffic.group = &group;
    n->traffic.groups = 1;
    return run(n, 500, 6000);
}

/* Links that are all as long are a longer hop delay: the kernels of general.c and its wide form are
 * the witnesses. The last wire counts for tails alone. */
Test(timings, delays_that_are_alike_are_a_longer_hop_delay)
{
    const swq_architecture *const row[] = {&swq_input_queued, &swq_cioq, &swq_output_queued};
    static char text[5000];

    for (int k = 0; k < 12; k++) {
        const int delay = 2 + (int)draw(20), switches = k < 6 ? 3 : 1;
        char more[20];
        swq_graph plain, longer;

        write_ring(text, sizeof text, switches, k < 6 ? 9 : 40, "");
        read_text(text, &plain);
        snprintf(more, sizeof more, "delay=%d", delay);
        write_ring(text, sizeof text, switches, k < 6 ? 9 : 40, more);
        read_text(text, &longer);
        swq_async n = network_on(&plain, row[k % 3], 320);
        n.memory.release = k % 2 ? SWQ_RELEASE_HOP : SWQ_RELEASE_BLOCKS;
        n.link.hop_delay = 4 + delay - 1;
        const swq_async_result a = loaded(&n, 0.6);
        n.shape.graph = &longer;
        n.link.hop_delay = 4;
        const swq_async_result b = loaded(&n, 0.6);
        cr_expect_gt(a.sim.all.delivered, 100);
        cr_expect_eq(a.sim.all.delivered, b.sim.all.delivered, "case %d", k);
        cr_expect_eq(a.sim.all.latency.mean, b.sim.all.latency.mean, "case %d: %g and %g", k,
                     a.sim.all.latency.mean, b.sim.all.latency.mean);
        cr_expect_eq(a.sim.all.throughput.mean, b.sim.all.throughput.mean, "case %d", k);
        cr_expect_float_eq(a.sim.all.tail_latency.mean + delay - 1, b.sim.all.tail_latency.mean,
                           1e-9, "case %d", k);
        swq_graph_clear(ctx, &plain);
        swq_graph_clear(ctx, &longer);
    }
}

/* ---- credits ---- */

/* A link that is never held back begins a round trip's packets; a buffer of k packets begins k in
 * max(k (L + R), T) cycles, with T = H + L + D and both wires of the link. */
Test(timings, a_round_trip_of_credits_is_as_long_as_its_link)
{
    for (int delay = 1; delay <= 81; delay += 20) {
        const int packets = 2, length = 32;
        char text[200];
        swq_graph g;

        snprintf(text, sizeof text, "host a x\nhost b y\nlink x y delay=%d\n", delay);
        read_text(text, &g);
        swq_async n = network_on(&g, &swq_input_queued, packets * length);
        n.packet.max = length;
        n.packet.block = length;
        give_buffer(&n, "fifo", packets * length);
        n.flow.row = &swq_flow_credits;
        n.flow.credit_unit = SWQ_CREDIT_CHANNEL;
        n.flow.credit_delay = 3;
        static swq_async_message m[200];
        for (int i = 0; i < 200; i++)
            m[i] = (swq_async_message){0, 0, 1, (uint32_t)length};
        n.traffic.trace = m;
        n.traffic.trace_messages = 200;
        const swq_async_result r = run(&n, 0, 100000);
        const double trip = n.link.hop_delay + length + n.flow.credit_delay + 2 * (delay - 1);
        const double beat = fmax(packets * (length + n.link.rest), trip) / packets;
        /* the first packets are under way and the last ones still there */
        cr_expect_float_eq((double)r.sim.cycles, 200 * beat, 2 * trip, "delay %d: %lu, not %g",
                           delay, (unsigned long)r.sim.cycles, 200 * beat);
        swq_graph_clear(ctx, &g);
    }
}

/* ---- stepping ---- */

/* A state that is brought back, memory half freed behind slow links included, has the same future;
 * and the steps are the run. A network of other delays refuses the state. */
Test(timings, a_network_is_stepped_and_brought_back)
{
    static const char text[] = "host a x speed=10\nhost b x speed=25 delay=9\nhost c y speed=40\n"
                               "host d y delay=30 speed=100\nlink x y delay=5 speed=75\n";
    swq_sender_group group = {.kind = SWQ_SOURCE_OPEN,
                              .interval = {SWQ_GEOMETRIC, 120, 1},
                              .type = {{.probability = 1,
                                        .pattern = &swq_pattern_uniform,
                                        .length = {SWQ_UNIFORM, 5, 60}}},
                              .types = 1};
    const swq_live_options options = {.seed = 3};
    swq_sim_options whole = swq_sim_defaults();
    static swq_async_result r;
    swq_graph g;

    for (int credits = 0; credits < 2; credits++) {
        swq_live *live = NULL;
        swq_live_counts a, b;
        read_text(text, &g);
        swq_async n = network_on(&g, credits ? &swq_input_queued : &swq_cioq, 72);
        n.flow.row = credits ? &swq_flow_credits : &swq_flow_blocking;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        cr_assert_eq(swq_live_open_async(ctx, &n, &options, &live), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const size_t bytes = swq_live_state_bytes(live);
        unsigned char *state = calloc(bytes, 1);
        for (int k = 0; k < 40; k++) { /* into a network in which nothing has happened */
            swq_live *other = NULL;
            cr_assert_eq(swq_live_open_async(ctx, &n, &options, &other), SWQ_OK);
            cr_assert_eq(swq_live_advance(live, 100, NULL), SWQ_OK);
            swq_live_save(live, state);
            cr_assert_eq(swq_live_restore(other, state, bytes), SWQ_OK);
            cr_assert_eq(swq_live_advance(live, 175, NULL), SWQ_OK);
            for (int step = 0; step < 25; step++)
                cr_assert_eq(swq_live_advance(other, 7, NULL), SWQ_OK);
            swq_live_read(live, &a);
            swq_live_read(other, &b);
            cr_expect_eq(a.packet_hops, b.packet_hops);
            cr_expect_eq(a.latency_cycles, b.latency_cycles);
            swq_live_close(other);
        }
        cr_expect_gt(a.delivered, 50);
        cr_expect_eq(a.delivered, b.delivered);
        cr_expect_eq(a.latency_cycles, b.latency_cycles);
        whole.seed = 3;
        whole.warmup = 0;
        whole.cycles = 40 * 275;
        cr_assert_eq(swq_async_run(ctx, &n, &whole, NULL, &r), SWQ_OK);
        cr_expect_eq(r.sim.total_delivered, a.delivered);
        swq_live_close(live);
        g.delays[g.entry[3]] = 31;
        cr_assert_eq(swq_live_open_async(ctx, &n, &options, &live), SWQ_OK);
        cr_expect_eq(swq_live_restore(live, state, bytes), SWQ_EINVAL);
        swq_live_close(live);
        free(state);
        swq_graph_clear(ctx, &g);
    }
}

/* ---- refusals ---- */

static void expect_refused(const swq_async *n, const char *part)
{
    swq_sim_options options = swq_sim_defaults();
    static swq_async_result r;

    options.cycles = 100;
    cr_expect_eq(swq_async_run(ctx, n, &options, NULL, &r), SWQ_EINVAL, "%s", part);
    cr_expect(strstr(swq_context_message(ctx), part), "%s: %s", part, swq_context_message(ctx));
}

Test(timings, what_does_not_know_them_is_refused_by_name)
{
    swq_async_message m = {0, 0, 1, 8};
    swq_graph g;

    read_text("host a x\nhost b y\nlink x y delay=7\n", &g);
    const swq_async plain = network_on(&g, &swq_input_queued, 256);
    swq_async n = plain;
    n.traffic.trace = &m;
    n.traffic.trace_messages = 1;
    const swq_async known = n;
    n.architecture.row = &swq_central_queue;
    n.memory.bytes = 4096;
    expect_refused(&n, "delays, which architecture central does not know");
    n = known;
    n.flow.row = &swq_flow_stop_go;
    n.flow.stop = 8;
    n.flow.go = 7;
    expect_refused(&n, "flow stop-go");
    n = known;
    n.management.row = &swq_management_4q;
    expect_refused(&n, "management 4q");
    n = known;
    n.packet.piece = 16;
    expect_refused(&n, "piece 16");
    swq_graph_clear(ctx, &g);
    read_text("host a x speed=1\nhost b y speed=1000\nlink x y\n", &g);
    n = known;
    n.flow.row = &swq_flow_two_counter;
    n.flow.counters = (swq_two_counter){.sigma = 1, .x_inc = 1, .x_dec = 2, .y = 1, .y_max = 1};
    expect_refused(&n, "several speeds, which flow two-counter does not know");
    n = known;
    expect_refused(&n, "takes more than 65535 cycles");
    swq_graph_clear(ctx, &g);
    read_text("host a x delay=1.5\nhost b y delay=1.5\nlink x y delay=1.5\n", &g);
    n = known;
    expect_refused(&n, "a delay of 1.5: it must be a whole number");
    swq_graph_clear(ctx, &g);
}
