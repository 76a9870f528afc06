/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of data-centre switches (sim/datacentre/topology.c, graph_file.c, ways.c, route.c): the
 * time of one flow over lines of any rates and delays against its closed form, distances and
 * numbers of ways in fat trees, and what the ways of spreading packets have in common.
 */
#include "sim/datacentre/net.h"
#include "tests/sim/datacentre/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(datacentre_networks, .timeout = 120);

#define MS UINT64_C(1000000000) /* ps */
#define NS UINT64_C(1000)

static swq_dc_result run(swq_context *ctx, const swq_dc *dc, uint64_t duration)
{
    swq_dc_options o = swq_dc_options_defaults();
    swq_dc_result r = {0};

    o.warmup = 0;
    o.duration = duration;
    o.replications = 1;
    cr_assert_eq(swq_dc_run(ctx, dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.conserved);
    return r;
}

/* Packets of 1,500 bytes, 1,460 of them payload, over lines of unlike rates and delays: one packet
 * takes its time on each line and the delays; each further one comes later by its time on the
 * slowest line. */
Test(datacentre_networks, a_flow_over_lines_of_unlike_rates)
{
    static const char chain[] = "host a one speed=25 delay=500\n"
                                "link one two speed=100 delay=3000\n"
                                "link two three\n" /* 10 Gb/s, 1 us */
                                "host b three speed=40 delay=0.25\n";
    static const double rates[] = {25, 100, 10, 40}, delays[] = {500, 3000, 1000, .25};
    static const char *const senders[] = {"open", "window", "dctcp"};
    double first = 0;

    for (int k = 0; k < 4; k++)
        first += 12000 / rates[k] + delays[k]; /* ns */
    for (size_t s = 0; s < sizeof senders / sizeof *senders; s++) {
        swq_context *ctx = swq_context_new();
        swq_dc_graph *g = dc_graph_of(ctx, chain, 1000000);
        swq_dc dc = swq_dc_defaults();
        dc.network.topology = dc_topology_named("graph");
        dc.network.graph = g;
        dc.network.sending[0].sender = dc_sender_named(senders[s]);
        dc.network.window = 1000;
        for (int packets = 1; packets < 400; packets += 199) {
            char line[60];
            snprintf(line, sizeof line, "0,0,1,%d\n", 1460 * packets);
            const swq_dc_result r = dc_run_list(dc, line, 20 * MS);
            cr_assert_eq(dc_all_sizes(&r)->completed, 1);
            cr_expect_float_eq(dc_all_sizes(&r)->time.mean / 1000, first + (packets - 1) * 1200.,
                               1e-3, "%s, %d packets: %.12g", senders[s], packets,
                               dc_all_sizes(&r)->time.mean);
            cr_expect_float_eq(dc_all_sizes(&r)->slowdown.mean, 1, 1e-12);
        }
        swq_dc_graph_free(ctx, g);
        cr_expect_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}

static swq_dc tree(int ports, const char *name)
{
    swq_dc dc = swq_dc_defaults();

    dc.network.topology = dc_topology_named("fat-tree");
    dc.ports = ports;
    dc.network.hosts = ports / 2;
    dc.network.sending[0].sender = dc_sender_named(name);
    return dc;
}

/* Switches from one to another on the way that takes the last of the ports that lead nearer. */
static int switches_between(const swq_dc_graph *g, uint32_t from, uint32_t to)
{
    uint32_t w = dc_switch_of(g, from);
    int count = 1;

    for (; w != dc_switch_of(g, to); count++) {
        const uint8_t *way = dc_ways(g, w, to);
        w = g->of[g->to[g->first[w] + way[way[0] + 1]]];
    }
    return count;
}

/* A fat tree of k ports has 5 k^2 / 4 switches and k^3 / 4 hosts; a way has 1, 3 or 5 switches, and
 * upwards there are k / 2 ports to choose from, downwards one. */
Test(datacentre_networks, fat_trees_are_those_of_al_fares)
{
    for (int k = 4; k <= 12; k += 4) {
        swq_context *ctx = swq_context_new();
        swq_dc_graph *g = NULL;
        const swq_dc dc = tree(k, "open");
        const uint32_t half = (uint32_t)k / 2;
        cr_assert_eq(dc_graph_make(ctx, &dc, &g), SWQ_OK);
        cr_assert_eq(dc_graph_find_ways(ctx, g), SWQ_OK);
        cr_expect_eq(g->switches, 5 * half * half);
        cr_expect_eq(g->hosts, 2 * half * half * half);
        cr_expect_eq(g->rack, half);
        for (uint32_t p = 0; p < g->ports; p++) {
            cr_assert_neq(g->to[p], DC_NONE);
            if (g->to[p] < g->ports)
                cr_assert_eq(g->to[g->to[p]], p);
        }
        for (uint32_t h = 0; h < g->hosts; h++) {
            const int switches = h < half ? 1 : h < half * half ? 3 : 5;
            cr_assert_eq(switches_between(g, 0, h), switches, "%u", h);
            cr_assert_eq(switches_between(g, h, 0), switches, "%u", h);
        }
        const uint32_t far = g->hosts - 1, below = 0, above = (uint32_t)k * half;
        cr_expect_eq(dc_ways(g, below, far)[0] + 1, half);
        cr_expect_eq(dc_ways(g, above, far)[0] + 1, half);
        for (uint32_t w = 2 * above; w < g->switches; w++)
            cr_assert_eq(dc_ways(g, w, far)[0], 0);
        swq_dc_graph_free(ctx, g);
        swq_context_free(ctx);
    }
}

/* 1,500 bytes at 10 Gb/s take 1.2 us, and a link 1 us. */
Test(datacentre_networks, times_in_a_fat_tree_by_hand)
{
    static const struct {
        const char *flow;
        double ns;
    } cases[] = {{"0,0,1,1460\n", 2 * 2200}, {"0,0,2,1460\n", 4 * 2200}, {"0,0,15,1460\n", 13200}};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const swq_dc_result r = dc_run_list(tree(4, "open"), cases[k].flow, 20 * MS);
        cr_expect_float_eq(dc_all_sizes(&r)->time.mean, 1000 * cases[k].ns, .5, "%s: %g",
                           cases[k].flow, dc_all_sizes(&r)->time.mean);
    }
    swq_context_free(ctx);
}

/* Each host of a pod sends to its counterpart in another. Packets that are spread over all ways
 * evenly find as many lines as there are senders at each level, so that hosts' lines are used in
 * full; with a hash for each flow some lines have several flows. */
Test(datacentre_networks, spreading_packets_uses_all_ways)
{
    static const swq_dc_spread spreads[] = {SWQ_DC_ECMP, SWQ_DC_SPRAY, SWQ_DC_ADAPTIVE};
    char lines[400] = "";
    double goodput[3];
    swq_context *ctx = swq_context_new();

    for (int h = 0; h < 16; h++)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "0,%d,%d,3000000\n", h,
                 (h + 4) % 16);
    for (int k = 0; k < 3; k++) {
        swq_dc dc = tree(4, "open");
        dc.network.spread = spreads[k];
        dc.memory.bytes = 40000000;
        const swq_dc_result r = dc_run_list(dc, lines, 20 * MS);
        cr_assert_eq(dc_all_sizes(&r)->completed, 16);
        goodput[k] = 3000000 * 8e12 / 1e10 / dc_all_sizes(&r)->time_at[SWQ_DC_PERCENTILES - 1].mean;
    }
    cr_expect_gt(goodput[1], .9 * 1460 / 1500);
    cr_expect_gt(goodput[2], .9 * 1460 / 1500);
    cr_expect_lt(goodput[0], .7);
    swq_context_free(ctx);
}

/* With a gap that every packet exceeds, flowlets are packets; with one that none does, a flow stays
 * on one way, and all its packets come in order. */
Test(datacentre_networks, flowlets_lie_between_packets_and_flows)
{
    swq_context *ctx = swq_context_new();
    swq_dc dc = tree(4, "open");

    dc.flows.sizes = "60000";
    dc.flows.load = .5;
    dc.network.spread = SWQ_DC_SPRAY;
    const swq_dc_result packets = run(ctx, &dc, 2 * MS);
    dc.network.spread = SWQ_DC_FLOWLET;
    dc.network.flowlet_gap = 1;
    const swq_dc_result least = run(ctx, &dc, 2 * MS);
    cr_expect_eq(packets.all.delay.mean, least.all.delay.mean);
    cr_expect_eq(packets.all.sent, least.all.sent);

    dc.network.sending[0].sender = dc_sender_named("dctcp");
    dc.memory.bytes = 40000000;
    dc.network.spread = SWQ_DC_SPRAY;
    cr_expect_gt(run(ctx, &dc, 2 * MS).retransmitted, 0);
    dc.network.spread = SWQ_DC_FLOWLET;
    dc.network.flowlet_gap = 1000 * MS;
    cr_expect_eq(run(ctx, &dc, 2 * MS).retransmitted, 0);
    swq_context_free(ctx);
}

/* Of switches, lines carry what all lines do, lose what is lost, and pause as often as all; and
 * what enters a switch leaves by its lines, is lost there, or is inside at the beginning or the
 * end. */
static void expect_sums(bool pauses_wanted)
{
    swq_context *ctx = swq_context_new();
    swq_dc_options o = swq_dc_options_defaults();
    swq_dc dc = tree(4, "window");
    swq_dc_result r = {0};
    uint64_t bytes = 0, sent = 0, lost = 0, marked = 0, pauses = 0, before[20] = {0};
    double paused = 0, left = 0;

    dc.classes = 2;
    dc.pfc.classes = pauses_wanted;
    dc.pfc.headroom = 9000;
    dc.marking = (swq_dc_marking){.on = true, .low = 9000, .high = 9000, .most = 1};
    dc.memory.bytes = pauses_wanted ? 120000 : 60000;
    dc.flows.sizes = "60000";
    dc.flows.load = .8;
    o.warmup = 0;
    o.duration = MS;
    o.replications = 2;
    o.per_link = true;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(r.links, 2 * (20 * 4 + 16)); /* 20 switches of 4 ports, 16 hosts; 2 classes */
    for (uint32_t k = 0; k < r.links; k++) {
        const swq_dc_link *l = &r.link[k];
        pauses += l->pauses;
        paused += l->paused.mean;
        if (!l->to_host)
            before[l->to] += l->packets;
        if (l->from_host)
            continue;
        before[l->from] -= l->packets + l->lost;
        sent += l->packets;
        bytes += l->bytes;
        lost += l->lost;
        marked += l->marked;
        if (l->traffic_class == 0)
            left += l->use.mean * 1e10;
    }
    cr_expect_eq(sent, r.all.sent);
    cr_expect_eq(lost, r.all.lost);
    cr_expect_gt(marked, 0);
    cr_expect_eq(pauses > 0, pauses_wanted);
    cr_expect_eq(lost > 0, !pauses_wanted);
    cr_expect_eq(pauses, r.pauses);
    cr_expect_float_eq(paused / 80, r.paused.mean, 1e-9);
    cr_expect_float_eq(left / r.line_rates, r.all.throughput.mean, 1e-9);
    /* but for the packets that were being sent at the end, one of at most 1,500 bytes at a port */
    cr_expect_float_eq((double)bytes * 8 / 2 / 1e-3 / r.line_rates, r.all.throughput.mean,
                       1500 * 8 / 1e-3 / 1e10);
    uint64_t inside = 0;
    for (int w = 0; w < 20; w++) {
        cr_expect_leq(before[w], 2 * (120000 / 64 + 4), "switch %d: %llu", w,
                      (unsigned long long)before[w]); /* what is on lines, and in the memory */
        inside += before[w];
    }
    cr_expect_gt(inside, 0);
    swq_dc_result_clear(ctx, &r);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(datacentre_networks, lines_add_up)
{
    expect_sums(true);
    expect_sums(false);
}

/* The windows of a series are all of the measured time, and change nothing of its results. */
Test(datacentre_networks, windows_add_up)
{
    static const uint64_t lengths[] = {MS / 7, MS, 3 * MS};
    swq_context *ctx = swq_context_new();
    swq_dc_options o = swq_dc_options_defaults();
    swq_dc dc = tree(4, "open");
    swq_dc_result plain = {0};

    dc.memory.bytes = 20000;
    dc.flows.sizes = "60000";
    dc.flows.load = .8;
    o.warmup = MS / 10;
    o.duration = MS;
    o.replications = 3;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &plain), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect_gt(plain.all.lost, 0);
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        double use = 0, used = 0, goodput = 0;
        uint64_t end = 0;
        swq_dc_result r = {0};
        o.series = lengths[n];
        cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK);
        cr_assert_eq(r.windows, n == 0 ? 8 : 1);
        for (uint32_t k = 0; k < r.windows; k++) {
            const double share = (double)r.window[k].length / (double)o.duration;
            cr_expect_eq(r.window[k].begin, end);
            end += r.window[k].length;
            use += share * r.window[k].use.mean;
            used += share * r.window[k].used.mean;
            goodput += share * r.window[k].goodput.mean;
        }
        cr_expect_eq(end, o.duration);
        cr_expect_float_eq(use, plain.all.throughput.mean, 1e-12);
        cr_expect_float_eq(used, plain.occupancy.mean, 1e-12);
        cr_expect_float_eq(goodput, plain.goodput.mean, 1e-12);
        cr_expect_eq(r.all.delay.mean, plain.all.delay.mean);
        cr_expect_eq(r.occupancy.mean, plain.occupancy.mean);
        if (n > 0)
            cr_expect_float_eq(r.window[0].loss.mean, plain.all.loss.mean, 1e-12);
        swq_dc_result_clear(ctx, &r);
    }
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(datacentre_networks, racks_are_switches_with_equally_many_hosts)
{
    static const struct {
        const char *text;
        uint32_t rack;
    } cases[] = {
        {"host a s\nhost b s\nhost c t\nhost d t\nlink s t\n", 2},
        {"host a s\nhost b t\nhost c s\nhost d t\nlink s t\n", 1},
        {"host a s\nhost b s\nhost c t\nlink s t\n", 1},
        {"host a s\nhost b s\nhost c s\n", 1},
        {"host a s\nhost b t\nlink s u\nlink u t\n", 1},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_context *ctx = swq_context_new();
        swq_dc_graph *g = dc_graph_of(ctx, cases[k].text, 1000000);
        cr_expect_eq(g->rack, cases[k].rack, "%s: %u", cases[k].text, g->rack);
        swq_dc_graph_free(ctx, g);
        swq_context_free(ctx);
    }
}

Test(datacentre_networks, every_allocation_of_a_graph_fails)
{
    char path[] = "/tmp/switchq-graph-XXXXXX";

    dc_write_file(path, "", "host a s\nhost b t speed=25\nlink s u\nlink u t delay=2\nlink s t\n");
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t after = 0; status == SWQ_ENOMEM; after++) {
            swq_context *ctx = swq_context_new();
            swq_dc_graph *g = NULL;
            swq_context_fail_allocations(ctx, after, for_good);
            status = swq_dc_graph_read(ctx, path, UINT64_C(10000000000), 0, &g);
            cr_expect_eq(status == SWQ_OK, g != NULL);
            swq_dc_graph_free(ctx, g);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
            swq_context_free(ctx);
        }
        cr_expect_eq(status, SWQ_OK);
    }
    unlink(path);
}

Test(datacentre_networks, bad_graphs_are_refused_by_line)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"host a s\nhost b t\narc s t\narc t s\n", "line 3: an arc leads one way"},
        {"link s t speed=20000\nhost a s\nhost b t\n", "line 1: speed must be 0.001 to 10000"},
        {"host a s\nhost b t\nlink s t speed=20000\n", "line 3: speed must be 0.001 to 10000"},
        {"host a s\nhost b t\nlink s t delay=1e16\n", "line 3: delay must be at most"},
        {"host a s\nhost b t\nlink s t\nroute s b 1\n", "line 4: routes are not read here"},
        {"host a s\nhost b t\nlink s u\n", "no way between the hosts of switch t and of switch s"},
        {"host a s:256\nhost b t\nlink s t\n", "the port in 's:256' must be 0 to 255"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[] = "/tmp/switchq-graph-XXXXXX";
        swq_context *ctx = swq_context_new();
        swq_dc_graph *g = NULL;
        dc_write_file(path, "", cases[k].text);
        cr_expect_eq(swq_dc_graph_read(ctx, path, UINT64_C(10000000000), 0, &g), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s: %s", cases[k].text,
                  swq_context_message(ctx));
        cr_expect_eq(swq_context_live_blocks(ctx), 0);
        unlink(path);
        swq_context_free(ctx);
    }
}

/* Flows of all hosts of one end to those of the other: what the links between the two carry, the
 * acknowledgements' line being idle. Each of n flows of P packets over k links of 2 Gb/s takes P
 * packets' times on its share of a link. */
Test(datacentre_networks, flows_share_the_links_of_a_dumbbell)
{
    enum { PAYLOAD = 1460, PACKETS = 200 };
    for (int hosts = 1; hosts <= 4; hosts++) {
        char lines[400] = "";
        swq_dc dc = swq_dc_defaults();
        dc.network.topology = dc_topology_named("dumbbell");
        dc.network.hosts = hosts;
        dc.network.spine_rate = UINT64_C(2000000000);
        dc.network.sending[0].sender = dc_sender_named("open");
        dc.memory.bytes = 100000000;
        for (int h = 0; h < hosts; h++)
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "0,%d,%d,%d\n", h,
                     hosts + h, PAYLOAD * PACKETS);
        const swq_dc_result r = dc_run_list(dc, lines, 20 * MS);
        /* ns: a packet takes 1,200 on a host's line and 6,000 between the ends */
        const double last = 3 * 1000 + 2 * 1200 + 6000. * PACKETS * hosts;
        cr_assert_eq(dc_all_sizes(&r)->completed, (unsigned)hosts);
        /* packets of the flows come in turn, so that they end one packet after another */
        cr_expect_float_eq(dc_all_sizes(&r)->time.mean / 1000, last - 6000. * (hosts - 1) / 2, 1e-3,
                           "%d hosts: %.12g", hosts, dc_all_sizes(&r)->time.mean / 1000);
        cr_expect_eq(r.all.lost, 0);
    }
}

/* Every built-in topology: switches of a level have the ports that the level says, all of them
 * joined, hosts first; each line leads back; the rates are those that shares of a memory count. */
Test(datacentre_networks, levels_say_what_the_graph_is)
{
    const swq_dc_topology *const *rows = swq_dc_topologies();
    int built = 0;

    for (int k = 0; rows[k]; k++) {
        swq_context *ctx = swq_context_new();
        swq_dc dc = dc_leaves("open");
        swq_dc_level level[SWQ_DC_LEVELS];
        swq_dc_graph *g = NULL;
        dc.network.topology = rows[k];
        dc.network.spine_links = 2;
        dc.network.spine_rate = rows[k]->number[SWQ_DC_SPINE_RATE] ? UINT64_C(40000000000) : 0;
        const int levels = swq_dc_levels(&dc, level);
        cr_expect_eq(levels == 0, rows[k]->file);
        if (levels == 0) {
            swq_context_free(ctx);
            continue;
        }
        cr_assert_eq(dc_graph_make(ctx, &dc, &g), SWQ_OK);
        uint32_t w = 0, hosts = 0;
        for (int l = 0; l < levels; l++) {
            for (uint32_t last = w + level[l].switches; w < last; w++) {
                uint64_t rates;
                cr_assert_eq(swq_dc_graph_ports(g, w, &rates), level[l].ports);
                cr_expect_eq(rates, swq_dc_level_rates(&dc, &level[l]), "%s, switch %u",
                             rows[k]->name, w);
                for (uint32_t p = 0; p < level[l].ports; p++) {
                    const uint32_t port = g->first[w] + p, to = g->to[port];
                    cr_assert_eq(p < level[l].hosts, to >= g->ports, "%s", rows[k]->name);
                    if (p < level[l].hosts)
                        cr_expect_eq(to - g->ports, hosts++);
                    else
                        cr_expect_eq(g->to[to], port);
                }
            }
        }
        cr_expect_eq(hosts, g->hosts);
        cr_expect_eq(w, g->switches);
        built++;
        swq_dc_graph_free(ctx, g);
        cr_expect_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
    cr_expect_geq(built, 4);
}
