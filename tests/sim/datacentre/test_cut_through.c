/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cut through (sim/datacentre/cut_through.c): the time of a packet, and of a flow, that is alone
 * against closed forms; waits of M/D/1, which do not change, and how many packets leave before all
 * of them is there; each packet of busy networks against tests/ref/ref_cut_through.c; and what
 * holds with every rule and sender: conservation, and headrooms that are enough.
 */
#include "sim/datacentre/net.h"
#include "switchq/datacentre.h"
#include "tests/base/folder.h"
#include "tests/ref/ref_cut_through.h"
#include "tests/sim/datacentre/runs.h"
#include "tests/sim/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(cut_through, .init = folder_make, .fini = folder_remove, .timeout = 120);

#define MS UINT64_C(1000000000) /* ps */
#define US UINT64_C(1000000)
#define GB UINT64_C(1000000000) /* bit/s */

static swq_dc cutting(const char *name)
{
    swq_dc dc = swq_dc_defaults();

    dc.cut_through = true;
    dc.memory.bytes = 100000000;
    if (name)
        dc.network.sending[0].sender = dc_sender_named(name);
    return dc;
}

static void write_list(const char *name, const char *text)
{
    FILE *file = fopen(folder_path(name), "w");

    cr_assert(file);
    fprintf(file, "%s", text);
    fclose(file);
}

/* ---- alone ---- */

/* A chain of switches with lines of these rates, in Gb/s, and these delays, in ps. A packet waits
 * at a switch for its header, or, if the next line is faster, for all of it; and a flow comes at
 * the rate of its slowest line. Exact to the ps. */
Test(cut_through, time_of_a_packet_alone)
{
    enum { LINES = 5 };
    static const uint64_t delays[LINES] = {500000, 3000000, 250, 1000000, 7000};
    static const uint64_t chains[][LINES] = {
        {10, 10, 10, 10, 10}, {100, 50, 25, 10, 1}, {10, 25, 25, 100, 100}, {25, 100, 10, 40, 40}};
    static const uint64_t headers[] = {1, 64, 500, 1500};
    static const uint64_t sizes[] = {24, 25, 461, 1460}; /* payload */

    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        const uint64_t *rate = chains[c];
        swq_context *ctx = swq_context_new();
        swq_dc_graph *g = NULL;
        char text[600];
        snprintf(text, sizeof text,
                 "host a s1 speed=%d delay=500\nlink s1 s2 speed=%d delay=3000\n"
                 "link s2 s3 speed=%d delay=0.25\nlink s3 s4 speed=%d delay=1000\n"
                 "host b s4 speed=%d delay=7\n",
                 (int)rate[0], (int)rate[1], (int)rate[2], (int)rate[3], (int)rate[4]);
        write_list("chain", text);
        cr_assert_eq(swq_dc_graph_read(ctx, folder_path("chain"), GB, US, &g), SWQ_OK);
        for (uint32_t w = 0; w < 4; w++)
            swq_dc_graph_give_memory(g, w, 1000000);
        for (int k = 0; k < 16; k++) {
            swq_dc dc = cutting("open");
            dc.network.topology = dc_topology_named("graph");
            dc.network.graph = g;
            dc.cut_after = (uint32_t)headers[k / 4];
            const uint64_t bytes = sizes[k % 4] + 40, header = headers[k / 4];
            uint64_t time = 0;
            for (int l = 0; l < LINES; l++) {
                const bool cuts = l + 1 < LINES && rate[l + 1] <= rate[l] && bytes > header;
                time += swq_dc_time(cuts ? header : bytes, rate[l] * GB) + delays[l];
            }
            snprintf(text, sizeof text, "start_ps,source,destination,bytes\n0,0,1,%d\n",
                     (int)sizes[k % 4]);
            write_list("one", text);
            dc.flows.list = folder_path("one");
            const swq_dc_options o = dc_runs(MS, 1);
            const swq_dc_result r = dc_run(&dc, &o);
            cr_expect_eq(r.by_size[0].time.mean, (double)time, "chain %zu, %d bytes, header %d", c,
                         (int)bytes, (int)header);
            cr_expect_float_eq(dc_all_sizes(&r)->slowdown.mean, 1, 1e-6);
        }
        swq_dc_graph_free(ctx, g);
        swq_context_free(ctx);
    }
}

/* The time alone, of which slowdowns are multiples, is right for flows of any number of packets. */
Test(cut_through, time_of_a_flow_alone)
{
    static const char *const chains[] = {
        "host a s1\nlink s1 s2\nhost b s2\n",
        "host a s1 speed=40\nlink s1 s2 speed=25\nlink s2 s3 speed=25\nhost b s3 speed=10\n",
        "host a s1 speed=10\nlink s1 s2 speed=40\nlink s2 s3 speed=5\nhost b s3 speed=10\n"};

    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        swq_context *ctx = swq_context_new();
        swq_dc_graph *g = NULL;
        write_list("chain", chains[c]);
        cr_assert_eq(swq_dc_graph_read(ctx, folder_path("chain"), 10 * GB, US, &g), SWQ_OK);
        for (uint32_t w = 0; w < swq_dc_graph_switches(g); w++)
            swq_dc_graph_give_memory(g, w, 10000000);
        for (int bytes = 1; bytes < 400000; bytes = 7 * bytes + 460) {
            swq_dc dc = cutting("open");
            char text[80];
            dc.network.topology = dc_topology_named("graph");
            dc.network.graph = g;
            snprintf(text, sizeof text, "start_ps,source,destination,bytes\n0,0,1,%d\n", bytes);
            write_list("one", text);
            dc.flows.list = folder_path("one");
            const swq_dc_options o = dc_runs(MS, 1);
            const swq_dc_result r = dc_run(&dc, &o);
            cr_expect_eq(dc_all_sizes(&r)->completed, 1);
            cr_expect_float_eq(dc_all_sizes(&r)->slowdown.mean, 1, 1e-6,
                               "chain %zu, %d bytes: %.9g", c, bytes,
                               dc_all_sizes(&r)->slowdown.mean);
        }
        swq_dc_graph_free(ctx, g);
        swq_context_free(ctx);
    }
}

/* ---- one queue ---- */

/* All packets come earlier by the same time, so that waits are those of M/D/1: with load r and
 * header h of L bytes the delay from the last bit on is the wait and h's time, and those that wait
 * for less than what is to come, (1 - r) e^(r (1 - h/L)), are cut through. */
Test(cut_through, waits_are_those_of_constant_service)
{
    enum { REPLICATIONS = 16 };
    static const double loads[] = {.3, .6, .8};
    static const uint32_t headers[] = {64, 750};
    double worst = 0;

    for (int k = 0; k < 6; k++) {
        const double load = loads[k / 2], part = headers[k % 2] / 1500.;
        swq_dc dc = cutting(NULL);
        swq_dc_options o = swq_dc_options_defaults();
        dc.cut_after = headers[k % 2];
        for (int i = 0; i < dc.ports; i++)
            dc.load[i] = load;
        o.duration = 5 * MS;
        o.replications = REPLICATIONS;
        o.threads = 2;
        const swq_dc_result r = dc_run(&dc, &o);
        const double delay = 1200000 * (part + load / 2 / (1 - load));
        const double z[] = {
            score_of(&r.all.delay, delay, REPLICATIONS, .95),
            score_of(&r.all.cut, (1 - load) * exp(load * (1 - part)), REPLICATIONS, .95)};
        for (int i = 0; i < 2; i++) {
            worst = fmax(worst, fabs(z[i]));
            cr_expect_lt(fabs(z[i]), 3.34, "load %g, header %u: z %g", load, headers[k % 2], z[i]);
        }
    }
    cr_expect_gt(worst, 0);
}

/* Of the packets that left in the measured time, of which one may have begun before it, and one
 * begins in it that leaves later. */
Test(cut_through, no_more_packets_are_cut_through_than_leave)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        swq_dc dc = cutting(NULL);
        swq_dc_options o = dc_runs(MS / 100, seed);
        dc.cut_after = 1;
        for (int i = 0; i < dc.ports; i++)
            dc.load[i] = .1;
        const swq_dc_result r = dc_run(&dc, &o);
        cr_expect(!(r.all.cut.mean > 1), "seed %d: %g", (int)seed, r.all.cut.mean);
    }
}

/* With a header as long as the packets all numbers are those of store and forward. */
Test(cut_through, whole_packets_are_stored_and_forwarded)
{
    static const char *const senders[] = {"open", "dctcp"};

    for (int s = 0; s < 2; s++) {
        swq_dc dc = cutting(senders[s]);
        const swq_dc_options o = dc_runs(MS / 2, 1);
        dc.memory.bytes = 60000;
        dc.memory.admission = &swq_admission_longest_queue_drop;
        dc.network.topology = dc_topology_named("leaf-spine");
        dc.network.spread = SWQ_DC_SPRAY;
        dc.flows = (swq_dc_flows){.sizes = "20000", .load = .7};
        dc.cut_after = 1500;
        const swq_dc_result whole = dc_run(&dc, &o);
        dc.cut_after = 64;
        const swq_dc_result cut = dc_run(&dc, &o);
        dc.cut_through = false;
        const swq_dc_result stored = dc_run(&dc, &o);
        cr_expect_eq(whole.all.cut.mean, 0);
        cr_expect_gt(cut.all.cut.mean, .2);
        cr_expect_eq(memcmp(&whole.by_size, &stored.by_size, sizeof stored.by_size), 0);
        cr_expect_eq(whole.all.delay.mean, stored.all.delay.mean);
        cr_expect_eq(whole.all.lost, stored.all.lost);
        cr_expect_gt(stored.all.lost, 0);
        cr_expect_lt(cut.all.delay.mean, stored.all.delay.mean);
    }
}

/* ---- packet by packet ---- */

enum { PACKETS = 4000 };

/* Flows of one packet each, in the order of their starts. */
static void draw(ref_cut_packet *packet, int hosts, uint64_t gap, unsigned seed)
{
    uint64_t at = 0;

    for (int k = 0; k < PACKETS; k++) {
        at += 1 + (uint64_t)(-(double)gap * log((rand_r(&seed) + 1.) / (RAND_MAX + 2.)));
        const int from = rand_r(&seed) % hosts, step = 1 + rand_r(&seed) % (hosts - 1);
        packet[k] = (ref_cut_packet){.start = at,
                                     .bytes = 41 + (uint64_t)(rand_r(&seed) % 1460),
                                     .from = from,
                                     .to = (from + step) % hosts};
    }
}

static void write_packets(const char *name, const ref_cut_packet *packet)
{
    FILE *file = fopen(folder_path(name), "w");

    cr_assert(file);
    fprintf(file, "start_ps,source,destination,bytes\n");
    for (int k = 0; k < PACKETS; k++)
        fprintf(file, "%llu,%d,%d,%llu\n", packet[k].start, packet[k].from, packet[k].to,
                packet[k].bytes - 40);
    fclose(file);
}

/* Holds the end of each packet against the list that a run has written. */
static void expect_ends(const char *name, const ref_cut_packet *packet, const char *what)
{
    FILE *file = fopen(folder_path(name), "r");
    char line[200];
    int found = 0, wrong = 0;

    cr_assert(file && fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        unsigned long long number, end;
        cr_assert_eq(sscanf(line, "%llu,%*u,%*u,%*u,%*u,%*u,%llu", &number, &end), 2, "%s", line);
        const ref_cut_packet *p = &packet[number];
        wrong += end != p->complete[p->lines - 1];
        found++;
    }
    fclose(file);
    cr_expect_eq(found, PACKETS, "%s", what);
    cr_expect_eq(wrong, 0, "%s: %d of %d", what, wrong, found);
}

Test(cut_through, each_packet_of_busy_networks)
{
    static const struct {
        uint64_t spine, header, gap;
    } cases[] = {{10, 64, 200000}, {10, 0, 200000},   {10, 700, 300000}, {25, 64, 150000},
                 {4, 64, 500000},  {4, 1200, 500000}, {25, 1, 150000},   {10, 64, 2000000}};
    static ref_cut_packet packet[PACKETS];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const ref_cut_network n = {.leaves = 3,
                                   .hosts = 4,
                                   .rate = 10 * GB,
                                   .spine = cases[c].spine * GB,
                                   .delay = 300000,
                                   .header = cases[c].header};
        uint64_t cut = 0, hops = 0;
        double delay = 0;
        char what[60];
        snprintf(what, sizeof what, "spine %d, header %d", (int)cases[c].spine,
                 (int)cases[c].header);
        draw(packet, 12, cases[c].gap, (unsigned)c + 1);
        write_packets("list", packet);
        cr_assert_eq(ref_cut_through(&n, packet, PACKETS), 0, "%s", what);
        for (int k = 0; k < PACKETS; k++) {
            cut += (uint64_t)packet[k].cut;
            hops += (uint64_t)packet[k].lines - 1;
            for (int l = 1; l < packet[k].lines; l++)
                delay +=
                    (double)(packet[k].complete[l] - n.delay) - (double)packet[k].complete[l - 1];
        }
        swq_dc dc = cutting("open");
        swq_dc_options o = dc_runs(20 * MS, 1);
        dc.cut_through = cases[c].header > 0;
        dc.cut_after = (uint32_t)cases[c].header;
        dc.network.topology = dc_topology_named("leaf-spine");
        dc.network.leaves = 3;
        dc.network.hosts = 4;
        dc.network.spines = 1;
        dc.network.spine_rate = n.spine;
        dc.network.delay = n.delay;
        dc.flows.list = folder_path("list");
        o.flows = fopen(folder_path("ends"), "w");
        cr_assert(o.flows);
        const swq_dc_result r = dc_run(&dc, &o);
        fclose(o.flows);
        expect_ends("ends", packet, what);
        cr_expect_eq(r.all.sent, hops, "%s", what);
        cr_expect_float_eq(r.all.delay.mean * (double)hops, delay, 1e-9 * delay, "%s", what);
        cr_expect_float_eq(r.all.cut.mean * (double)hops, (double)cut, 1e-6, "%s", what);
        cr_expect((cut > 0) == (cases[c].header > 0), "%s", what);
    }
}

/* ---- every rule and sender ---- */

/* Packets that are lost at one switch while they are still being sent by another. */
static void expect_conserved(const swq_admission_rule *rule, const swq_dc_sender *sender)
{
    swq_dc dc = cutting(sender->name);
    const swq_dc_options o = dc_runs(MS / 5, 1);

    dc.memory.bytes = 40000;
    dc.memory.admission = rule;
    dc.memory.queue_max = 20000;
    dc.memory.drop_head = true;
    dc.memory.congested = 5000;
    dc.marking = (swq_dc_marking){.on = true, .low = 9000, .high = 9000};
    dc.network.topology = dc_topology_named("leaf-spine");
    dc.network.hosts = 4;
    dc.network.least_timeout = MS / 5;
    dc.flows = (swq_dc_flows){.sizes = "30000", .load = .9};
    const swq_dc_result r = dc_run(&dc, &o);
    cr_expect_gt(r.all.cut.mean, 0, "%s, %s", rule->name, sender->name);
    cr_expect_geq(r.all.delay.mean, 0);
}

Test(cut_through, packets_are_conserved)
{
    for (const swq_admission_rule *const *rule = swq_admission_rules; *rule; rule++) {
        if (swq_dc_admits(*rule))
            expect_conserved(*rule, dc_sender_named("open"));
    }
    for (const swq_dc_sender *const *s = swq_dc_senders(); *s; s++)
        expect_conserved(&swq_admission_longest_queue_drop, *s);
}

/* The headroom of test_datacentre_hosts.c is enough, as pauses are decided earlier. */
Test(cut_through, headrooms_keep_an_incast_whole)
{
    swq_dc dc = cutting("open");
    swq_dc_options o = dc_runs(20 * MS, 1);

    dc.network.topology = dc_topology_named("leaf-spine");
    dc.network.leaves = 3;
    dc.network.hosts = 4;
    dc.memory.bytes = 800000;
    dc.flows = (swq_dc_flows){.query_rate = 100, .fan_in = 8, .query_bytes = 1600000};
    dc.pfc.classes = 1;
    dc.pfc.headroom = 3 * 1500 + 64 + 2 * 1250 + 1500;
    const swq_dc_result r = dc_run(&dc, &o);
    cr_expect_eq(r.all.lost, 0);
    cr_expect_gt(r.pauses, 0);
    cr_expect_gt(r.headroom_most, 0);
    cr_expect_leq(r.headroom_most, dc.pfc.headroom);
    cr_expect_eq(r.queries.completed, r.queries.begun);
    dc.pfc.headroom = 3000;
    const swq_dc_result scarce = dc_run(&dc, &o);
    cr_expect_gt(scarce.all.lost, 0);
}
