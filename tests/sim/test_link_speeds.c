/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links of several speeds in wormhole networks: times to the cycle on chains of unlike links, loads
 * of hosts with slow links, the wait for a slow link in closed form, what a slow link carries,
 * ceilings and bounds, and the same bits on several threads. test_graph_reference.c compares random
 * networks with an independent program.
 */
#include "switchq/async.h"
#include "switchq/bound.h"
#include "switchq/ceiling.h"
#include "switchq/detail.h"
#include "switchq/graph.h"
#include "switchq/live.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static swq_context *ctx;
static char path[] = "/tmp/switchq-speeds-XXXXXX";
static swq_graph graph;

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
    swq_graph_clear(ctx, &graph);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(link_speeds, .init = setup, .fini = teardown, .timeout = 120);

static swq_status read_text(const char *text)
{
    FILE *file = fopen(path, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return swq_graph_read(ctx, path, NULL, &graph);
}

/* A wormhole network of this file, with one lane and a switch that takes two cycles. */
static swq_async network_of(const char *text)
{
    swq_async n = swq_async_defaults();
    swq_link_lanes *lanes = &n.architecture.lanes;

    swq_graph_clear(ctx, &graph);
    cr_assert_eq(read_text(text), SWQ_OK, "%s", swq_context_message(ctx));
    n.shape = (swq_shape){.kind = &swq_fabric_graph, .graph = &graph};
    n.architecture.row = &swq_wormhole_lanes;
    n.link.rest = 0;
    n.packet.max = 64;
    n.flow.credit_delay = 0;
    cr_assert_eq(swq_lane_choice_find(ctx, "any", &lanes->choice), SWQ_OK);
    lanes->count = lanes->of_node = 1;
    lanes->flits = 16;
    lanes->router_delay[0] = 0;
    lanes->router_delay[1] = 1;
    lanes->router_delay[2] = 1;
    lanes->router_delay[3] = 0;
    lanes->link_delay = 1;
    return n;
}

static swq_async_result run_of(const swq_async *n, uint64_t warmup, uint64_t cycles, int threads)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;

    options.warmup = warmup;
    options.cycles = cycles;
    options.threads = threads;
    cr_assert_eq(swq_async_run(ctx, n, &options, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact);
    return r;
}

/* ---- times to the cycle ---- */

/* Links of 2, 12, 8 and 3 of a speed, 12 being a flit a cycle: 6, 1, 3/2 and 4 cycles for a flit. A
 * delay is 1, a header waits a cycle for its lane in each switch, and a grant is a cycle before the
 * link. A flit that finds its link free is at its end 1 + 1 + ceil(P) - 1 cycles after its grant.
 */
Test(link_speeds, a_chain_of_unlike_links)
{
    enum { FLITS = 5 };
    const swq_async_message message = {0, 0, 1, FLITS};
    swq_async n = network_of("host a s speed=2\nlink s t speed=12\nlink t u speed=8\n"
                             "host b u speed=3\n");

    n.traffic.trace = &message;
    n.traffic.trace_messages = 1;
    const swq_async_result r = run_of(&n, 0, 1000, 1);
    /* at the first switch, the second, the third, and on the last link */
    const double head = 6 + (1 + 1 + 1) + (1 + 1 + 2) + (1 + 1);
    /* the last flit begins 6 cycles behind the one before, and finds all links free */
    const double tail = 6 * (FLITS - 1) + 6 + (1 + 1) + (1 + 2) + (1 + 4);
    cr_expect_eq(r.sim.all.latency.mean, head, "%g, not %g", r.sim.all.latency.mean, head);
    cr_expect_eq(r.sim.all.tail_latency.mean, tail, "%g, not %g", r.sim.all.tail_latency.mean,
                 tail);
}

/* Over an idle path, flits of a long packet follow one another on the slowest link without drift:
 * at 5/7 of the fastest speed, flit k is there ceil(7 (k + 1) / 5) cycles after the first began. */
Test(link_speeds, no_time_is_lost_between_flits)
{
    static const char chain[] = "host a s speed=7\nhost b t speed=7\nlink s t speed=5\n";
    swq_async n = network_of(chain);

    for (uint32_t flits = 1; flits <= 64; flits++) {
        const swq_async_message message = {0, 0, 1, flits};
        n.traffic.trace = &message;
        n.traffic.trace_messages = 1;
        const swq_async_result r = run_of(&n, 0, 1000, 1);
        /* the header is granted the slow link in cycle 2, and flits are granted the last one when
         * they come, but the header, and the flit behind it, a cycle later */
        const double comes = 2 + 1 + ceil(7 * flits / 5.0);
        const double tail = comes + (flits <= 2) + 1 + 1;
        cr_expect_eq(r.sim.all.tail_latency.mean, tail, "%u flits: %g, not %g", flits,
                     r.sim.all.tail_latency.mean, tail);
    }
}

/* ---- loads ---- */

static swq_sender_group uniform(const swq_async *n, double load, double flits)
{
    return swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, load,
                                    (swq_spread){SWQ_UNIFORM, flits, flits});
}

/* Messages of a flit are created in each cycle with probability p, and wait for a link that takes P
 * cycles for each: Geo/D/1, a mean wait of p P (P - 1) / (2 (1 - p P)). */
Test(link_speeds, the_wait_for_a_slow_link)
{
    enum { CYCLES = 4000000 };
    static const char pair[] = "host a s speed=1\nhost b s speed=4\n";
    static const double loads[] = {0.3, 0.6, 0.8};
    swq_async n = network_of(pair);

    for (int k = 0; k < 3; k++) {
        /* only the slow host sends */
        const double node_load[] = {loads[k], 0}, P = 4, p = loads[k] / P;
        swq_sender_group g = uniform(&n, 1, 1);
        g.node_load = node_load;
        n.traffic.group = &g;
        n.traffic.groups = 1;
        const swq_async_result r = run_of(&n, 10000, CYCLES, 1);
        const double wait = p * P * (P - 1) / (2 * (1 - p * P));
        /* P on the slow link, 1 for a lane, 1 for the crossbar */
        const swq_estimate *is = &r.sim.all.latency;
        cr_expect_lt(fabs(is->mean - P - 2 - wait), 2 * is->half_width + 1e-9,
                     "load %g: %g +- %g, not %g", loads[k], is->mean, is->half_width, P + 2 + wait);
        cr_expect_lt(is->half_width, 0.05 * (1 + wait));
        /* of the lines of both hosts, 1/4 and 1 */
        cr_expect_float_eq(r.sim.all.throughput.mean, loads[k] * 0.25 / 1.25,
                           2 * r.sim.all.throughput.half_width);
    }
}

/* At one load each host fills the same part of its own link, closed senders as well as open ones;
 * but where a message has one flit, closed ones only if their links need whole cycles for it, since
 * their pauses begin with whole cycles. */
Test(link_speeds, a_load_is_a_part_of_the_own_link)
{
    static const char star[] = "host a s speed=10\nhost b s speed=25\nhost c s speed=40\n"
                               "host d s speed=100\nhost e s speed=33.3\n";
    static const swq_source_kind kinds[] = {SWQ_SOURCE_OPEN, SWQ_SOURCE_HOLD};
    swq_async n = network_of(star);
    swq_destinations ring;
    const uint64_t first[] = {0, 1, 2, 3, 4, 5};
    const uint32_t to[] = {3, 3, 3, 3, 2};
    const double share[] = {1, 1, 1, 1, 1};

    ring = (swq_destinations){.nodes = 5, .first = first, .to = to, .share = share};
    n.architecture.lanes.count = n.architecture.lanes.of_node = 4;
    for (int k = 0; k < 6; k++) {
        const double flits = k % 3 ? 1 + 19 * (k % 3 - 1) : 8; /* 8, 1 or 20 */
        swq_sender_group g = swq_sender_group_uniform(&n, kinds[k / 3], 0.4,
                                                      (swq_spread){SWQ_UNIFORM, flits, flits});
        g.type[0].pattern = &swq_pattern_matrix;
        g.type[0].matrix = &ring;
        n.traffic.group = &g;
        n.traffic.groups = 1;
        n.architecture.lanes.of_node = k == 5 ? 1 : 4;
        swq_sim_options options = swq_sim_defaults();
        swq_detail detail;
        swq_async_result r;
        options.cycles = 200000;
        cr_assert_eq(swq_detail_new(ctx, 5, (size_t)graph.switches * (size_t)graph.ports,
                                    SWQ_DETAIL_NODES | SWQ_DETAIL_LINKS, &detail),
                     SWQ_OK);
        options.detail = &detail;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        for (int i = 0; i < 5; i++) {
            if (k == 4 && (i == 2 || i == 4)) /* flits of 5/2 and of 1000/333 cycles */
                continue;
            const swq_estimate *sent = &detail.node[i].sender_throughput;
            const double use = detail.link[i].utilisation.mean;
            cr_expect_lt(fabs(sent->mean - 0.4 * (i != 3)), 2 * sent->half_width + 0.002,
                         "%d: host %d sends %g +- %g", k, i, sent->mean, sent->half_width);
            cr_expect_float_eq(use, sent->mean, 0.002);
        }
        swq_detail_clear(ctx, &detail);
    }
}

/* ---- what a slow link carries ---- */

static const char dumbbell[] = "host a s speed=4\nhost b s speed=4\nhost c t speed=4\n"
                               "host d t speed=4\nlink s t speed=1\n";

/* Two hosts at either side of a link of a quarter of their speed, to which all their packets go:
 * it is always busy, with a flit in every fourth cycle; and the ceiling and the bound are 1/8 of
 * the hosts' links. */
Test(link_speeds, a_bottleneck_of_a_quarter)
{
    enum { CYCLES = 40000 };
    const uint64_t first[] = {0, 1, 2, 3, 4};
    const uint32_t to[] = {2, 3, 0, 1};
    const double share[] = {1, 1, 1, 1};
    const swq_destinations across = {.nodes = 4, .first = first, .to = to, .share = share};
    const swq_bound_options how = swq_bound_defaults();
    swq_async n = network_of(dumbbell);
    swq_sender_group g = uniform(&n, 1, 8);
    swq_ceiling ceiling;
    swq_bound bound;

    g.kind = SWQ_SOURCE_HOLD;
    swq_sender_group_load(&n, &g, 1);
    g.type[0].pattern = &swq_pattern_matrix;
    g.type[0].matrix = &across;
    n.traffic.group = &g;
    n.traffic.groups = 1;
    n.architecture.lanes.count = 2;
    const swq_async_result r = run_of(&n, 1000, CYCLES, 1);
    cr_expect_float_eq(r.sim.all.throughput.mean, 0.125, 8.0 / CYCLES, "%.6f",
                       r.sim.all.throughput.mean);
    cr_expect_float_eq(r.sim.stage[0].sent.mean, 1, 8.0 / CYCLES, "%.6f", r.sim.stage[0].sent.mean);
    cr_assert_eq(swq_async_ceiling(ctx, &n, 1, &ceiling), SWQ_OK);
    cr_expect_float_eq(ceiling.load, 0.125, 1e-12);
    cr_expect_float_eq(ceiling.throughput, 0.125, 1e-12);
    cr_assert_eq(swq_bound_run(ctx, &n, &how, &bound), SWQ_OK);
    cr_expect_float_eq(bound.links_load, 0.125, 1e-6);
    cr_expect_float_eq(bound.nodes_load, 1, 1e-12);
}

/* Two ways between two switches, of speeds 3 and 1 of 6: together 4/6, so that a host at either
 * end fills 2/3 of its link at most, and by the one route half. */
Test(link_speeds, a_bound_over_unlike_ways)
{
    const swq_bound_options how = swq_bound_defaults();
    swq_async n = network_of("host a s speed=6\nhost b t speed=6\nlink s t speed=3\n"
                             "link s u speed=1\nlink u t speed=2\n");
    swq_sender_group g = uniform(&n, 0.5, 8);
    swq_ceiling ceiling;
    swq_bound bound;

    n.traffic.group = &g;
    n.traffic.groups = 1;
    cr_assert_eq(swq_async_ceiling(ctx, &n, 1, &ceiling), SWQ_OK);
    cr_expect_float_eq(ceiling.load, 0.5, 1e-12);
    cr_assert_eq(swq_bound_run(ctx, &n, &how, &bound), SWQ_OK);
    cr_expect_float_eq(bound.links_load, 2.0 / 3, 1e-6, "%g", bound.links_load);
    cr_expect_float_eq(bound.flow_load, 2.0 / 3, 1e-6, "%g", bound.flow_load);
}

/* UGAL by way of a node of three, a third of all packets by way of c: with the share x of these
 * that take it, links of 3/6 and 1/6 carry 1 - x / 3 and x / 3 of the load: 2/3 at x = 3/4. */
Test(link_speeds, a_bound_of_two_ways)
{
    const uint64_t first[] = {0, 1, 2, 2};
    const uint32_t to[] = {1, 0};
    const double share[] = {1, 1};
    const swq_destinations across = {.nodes = 3, .first = first, .to = to, .share = share};
    const swq_bound_options how = {.paths = SWQ_PATHS_MINIMAL_VALIANT, .seed = 1};
    swq_async n = network_of("host a s speed=6\nhost b t speed=6\nhost c u speed=6\n"
                             "link s t speed=3\nlink s u speed=1\nlink u t speed=2\n");
    swq_sender_group g = uniform(&n, 0.5, 8);
    swq_bound bound;

    g.type[0].pattern = &swq_pattern_matrix;
    g.type[0].matrix = &across;
    n.traffic.group = &g;
    n.traffic.groups = 1;
    n.shape.routing = &swq_routing_ugal;
    n.architecture.lanes.count = 4;
    cr_assert_eq(swq_bound_run(ctx, &n, &how, &bound), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect_float_eq(bound.links_load, 2.0 / 3, 1e-6, "%g", bound.links_load);
    cr_expect_float_eq(bound.flow_load, 2.0 / 3, 1e-6, "%g", bound.flow_load);
}

/* ---- the same network ---- */

static bool same_bits(const swq_async_result *a, const swq_async_result *b)
{
    return a->sim.total_delivered == b->sim.total_delivered &&
           memcmp(&a->sim.all.latency, &b->sim.all.latency, sizeof a->sim.all.latency) == 0 &&
           memcmp(&a->sim.all.throughput, &b->sim.all.throughput, sizeof a->sim.all.throughput) ==
               0 &&
           memcmp(a->sim.stage, b->sim.stage, sizeof a->sim.stage) == 0;
}

/* A torus of 8 x 8 switches, with three hosts at each second switch; links and hosts have one of
 * `speeds` speeds. */
static void write_torus(char *text, size_t size, int speeds, const char *factor)
{
    size_t used = 0;

    for (int w = 0; w < 64; w++) {
        const int x = w % 8, y = w / 8;
        used += (size_t)snprintf(text + used, size - used, "host h%d s%d speed=%d%s\n", w, w,
                                 1 + w % speeds, factor);
        used += (size_t)snprintf(text + used, size - used, "link s%d s%d speed=%d%s\n", w,
                                 8 * y + (x + 1) % 8, 1 + (w + y) % speeds, factor);
        used += (size_t)snprintf(text + used, size - used, "link s%d s%d speed=%d%s\n", w,
                                 8 * ((y + 1) % 8) + x, 1 + (w + x) % speeds, factor);
    }
}

static swq_async torus(int speeds, const char *factor, swq_sender_group *g)
{
    static char text[20000];

    write_torus(text, sizeof text, speeds, factor);
    swq_async n = network_of(text);
    n.architecture.lanes.count = 8;
    cr_assert_eq(swq_lane_choice_find(ctx, "phase", &n.architecture.lanes.choice), SWQ_OK);
    *g = uniform(&n, 0.2, 4);
    n.traffic.group = g;
    n.traffic.groups = 1;
    return n;
}

Test(link_speeds, several_threads_have_the_same_bits)
{
    swq_sender_group g;
    const swq_async n = torus(3, "", &g);
    const swq_async_result one = run_of(&n, 500, 5000, 1), two = run_of(&n, 500, 5000, 2);

    cr_expect_gt(one.sim.total_delivered, 10000);
    cr_expect(same_bits(&one, &two));
}

/* Only ratios count; and with one speed, whatever it is, links are as if it were not given. */
Test(link_speeds, only_ratios_count)
{
    swq_sender_group g;
    swq_async n = torus(3, "", &g);
    const swq_async_result a = run_of(&n, 500, 3000, 1);
    n = torus(3, "00", &g);
    const swq_async_result b = run_of(&n, 500, 3000, 1);
    n = torus(1, "", &g);
    const swq_async_result c = run_of(&n, 500, 3000, 1);
    n = torus(1, "00", &g);
    const swq_async_result d = run_of(&n, 500, 3000, 1);

    cr_expect(same_bits(&a, &b) && same_bits(&c, &d) && !same_bits(&a, &c));
}

/* A switch of so many hosts, of speeds 1 to 3. */
static swq_async star_of(int hosts)
{
    static char text[4000];
    size_t used = 0;

    for (int h = 0; h < hosts; h++)
        used += (size_t)snprintf(text + used, sizeof text - used, "host h%d s speed=%d\n", h,
                                 1 + h % 3);
    return network_of(text);
}

/* Switches of more than 64 ports have their own form of a cycle: hosts that send nothing change
 * nothing, with lanes of their own buffers as with a pool. */
Test(link_speeds, wide_switches)
{
    enum { MESSAGES = 400 };
    static swq_async_message message[MESSAGES];
    swq_async_result r[2];

    for (uint32_t k = 0; k < MESSAGES; k++)
        message[k] =
            (swq_async_message){7 * (k / 6), k % 6, (k % 6 + 1 + k / 6 % 5) % 6, 1 + k % 9};
    for (int pool = 0; pool < 2; pool++) {
        for (int wide = 0; wide < 2; wide++) {
            swq_async n = star_of(wide ? 80 : 6);
            n.architecture.lanes.count = 2;
            n.architecture.lanes.pool = pool ? 8 : 0;
            n.architecture.lanes.reserve = 1;
            n.architecture.lanes.flits = 6;
            n.traffic.trace = message;
            n.traffic.trace_messages = MESSAGES;
            r[wide] = run_of(&n, 0, 100000, 1);
            cr_expect_eq(r[wide].sim.total_delivered, MESSAGES);
        }
        cr_expect_eq(r[0].sim.all.latency.mean, r[1].sim.all.latency.mean);
        cr_expect_eq(r[0].sim.all.tail_latency.mean, r[1].sim.all.tail_latency.mean);
        cr_expect_gt(r[0].sim.all.latency.mean, 10);
    }
}

static uint64_t created_in(swq_live *live, uint64_t cycles)
{
    swq_live_counts before, after;

    swq_live_read(live, &before);
    cr_assert_eq(swq_live_advance(live, cycles, NULL), SWQ_OK);
    swq_live_read(live, &after);
    return after.created - before.created;
}

/* A network that is stepped takes another load, which is again a part of the own links; and a
 * state has the clocks of links. */
Test(link_speeds, a_network_that_is_stepped)
{
    enum { CYCLES = 100000, FLITS = 4 };
    swq_async n = star_of(9);
    swq_sender_group g =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.1, (swq_spread){SWQ_UNIFORM, FLITS, FLITS});
    const swq_live_options options = swq_live_defaults();
    const double lines = 3 * (1 + 2 + 3) / 3.0; /* in links of the fastest hosts */
    swq_live *live, *other;

    n.architecture.lanes.count = 8;
    n.traffic.group = &g;
    n.traffic.groups = 1;
    cr_assert_eq(swq_live_open_async(ctx, &n, &options, &live), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect_float_eq((double)created_in(live, CYCLES), 0.1 * lines * CYCLES / FLITS,
                       0.04 * 0.1 * lines * CYCLES / FLITS);
    cr_assert_eq(swq_live_set_load(live, 0.02), SWQ_OK, "%s", swq_context_message(ctx));
    (void)created_in(live, 1001);
    cr_expect_float_eq((double)created_in(live, CYCLES), 0.02 * lines * CYCLES / FLITS,
                       0.08 * 0.02 * lines * CYCLES / FLITS);
    cr_assert_eq(swq_live_set_load(live, 0.3), SWQ_OK);
    (void)created_in(live, 1001);

    const size_t bytes = swq_live_state_bytes(live);
    void *state = malloc(bytes);
    swq_live_counts a, b;
    cr_assert(state);
    swq_live_save(live, state);
    cr_assert_eq(swq_live_open_async(ctx, &n, &options, &other), SWQ_OK);
    cr_assert_eq(swq_live_restore(other, state, bytes), SWQ_OK, "%s", swq_context_message(ctx));
    (void)created_in(live, 5000);
    (void)created_in(other, 5000);
    swq_live_read(live, &a);
    swq_live_read(other, &b);
    cr_expect_eq(a.created, b.created);
    cr_expect_eq(a.latency_cycles, b.latency_cycles);
    cr_expect_gt(a.latency_cycles, 0);
    free(state);
    swq_live_close(live);
    swq_live_close(other);
}

/* A written file has the speeds and the delays of the one that was read, also of an arc each way.
 */
Test(link_speeds, a_written_file_is_the_same_network)
{
    swq_fabric fabric;
    swq_async n = network_of("host a s speed=2.5 delay=2\nhost b t speed=10\n"
                             "arc s:3 t:4 speed=5 delay=3\narc t:4 s:3 speed=7.5 delay=4\n");
    swq_sender_group g = uniform(&n, 0.3, 4);

    n.traffic.group = &g;
    n.traffic.groups = 1;
    const swq_async_result a = run_of(&n, 500, 3000, 1);
    cr_assert_eq(swq_fabric_make(ctx, &n.shape, &fabric), SWQ_OK);
    cr_assert_eq(swq_graph_write(ctx, &fabric, path), SWQ_OK);
    swq_fabric_clear(ctx, &fabric);
    swq_graph_clear(ctx, &graph);
    cr_assert_eq(swq_graph_read(ctx, path, NULL, &graph), SWQ_OK, "%s", swq_context_message(ctx));
    const swq_async_result b = run_of(&n, 500, 3000, 1);
    cr_expect(same_bits(&a, &b));
}

/* ---- what is refused ---- */

static void expect_refused(swq_status status, const char *words)
{
    cr_expect_eq(status, SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), words), "%s", swq_context_message(ctx));
}

Test(link_speeds, what_is_refused)
{
    uint32_t nodes;
    swq_async n = network_of(dumbbell);
    swq_sender_group g = uniform(&n, 0.1, 8);

    n.traffic.group = &g;
    n.traffic.groups = 1;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
    n.architecture.row = &swq_central_queue;
    n.memory.bytes = 4096;
    expect_refused(swq_async_check(ctx, &n, &nodes),
                   "have several speeds, which architecture central does not know");
    n = network_of("host a s speed=1\nhost b s speed=4\n");
    g.burst = 2;
    n.traffic.group = &g;
    n.traffic.groups = 1;
    expect_refused(swq_async_check(ctx, &n, &nodes), "burst must be 1 where links of nodes");
    swq_graph_clear(ctx, &graph);
    expect_refused(read_text("host a s speed=1\nhost b s speed=0.3333333\n"), "six decimals");
    expect_refused(read_text("host a s speed=1\nhost b s speed=2000\n"), "at least 1/1024");
    expect_refused(read_text("host a s speed=1\nhost b s speed=1e10\n"), "at most 1e9");
}
