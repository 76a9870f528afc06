/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hosts of data-centre networks: flows alone, where everything is known; windows; what is lost and
 * sent again; marks; and priority flow control.
 */
#include "tests/sim/datacentre/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(datacentre_hosts, .timeout = 120);

#define MS UINT64_C(1000000000) /* ps */
#define US UINT64_C(1000000)

Test(datacentre_hosts, a_flow_alone_takes_the_time_alone)
{
    static const char *const senders[] = {"open",  "window", "reno", "cubic",
                                          "dctcp", "delay",  "swift"};
    static const char *const flows[] = {"0,0,1,1\n", "0,0,1,1460\n", "0,0,1,1461\n",
                                        "0,0,5,1000000\n", "0,11,2,2920\n"};

    for (size_t s = 0; s < sizeof senders / sizeof *senders; s++) {
        for (size_t k = 0; k < sizeof flows / sizeof *flows; k++) {
            swq_dc dc = dc_leaves(senders[s]);
            dc.network.window = 2000;
            const swq_dc_result r = dc_run_list(dc, flows[k], 20 * MS);
            cr_assert_eq(dc_all_sizes(&r)->completed, 1);
            cr_expect_float_eq(dc_all_sizes(&r)->slowdown.mean, 1, 1e-12, "%s, %s", senders[s],
                               flows[k]);
        }
    }
}

/* Worked out by hand: 1500 bytes at 10 Gbit/s take 1.2 us, a link 1 us, two links near and four
 * far; of two packets the second comes 1.2 us behind the first. */
Test(datacentre_hosts, times_alone_by_hand)
{
    const struct {
        const char *flow;
        double ns;
    } cases[] = {{"0,0,1,1460\n", 4400},
                 {"0,0,4,1460\n", 8800},
                 {"0,0,4,2920\n", 10000},
                 {"0,0,1,60\n", 2160}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const swq_dc_result r = dc_run_list(dc_leaves("open"), cases[k].flow, MS);
        cr_expect_float_eq(dc_all_sizes(&r)->time.mean, 1000 * cases[k].ns, .5, "%s: %g",
                           cases[k].flow, dc_all_sizes(&r)->time.mean);
    }
}

/* With a window of one packet, each packet waits for the acknowledgement of the one before. */
Test(datacentre_hosts, a_window_of_one_packet_takes_a_round_trip_for_each)
{
    swq_dc dc = dc_leaves("window");
    const double round = 2 * (1200 + 1000) + 2 * (51.2 + 1000); /* ns, near */

    dc.network.window = 1;
    const swq_dc_result r = dc_run_list(dc, "0,0,1,14600\n", MS);
    cr_expect_float_eq(dc_all_sizes(&r)->time.mean / 1000, 9 * round + 4400, 1e-3);
}

/* Jain's index of n shares x is (sum x)^2 / (n sum x^2): of hosts, of which one of 12 sends, 1/12;
 * of two that send 1 and 2, 9/60. */
Test(datacentre_hosts, jains_index_by_hand)
{
    const swq_dc_result one = dc_run_list(dc_leaves("open"), "0,0,1,14600\n", MS);
    cr_expect_float_eq(one.jain.mean, 1. / 12, 1e-12);
    cr_expect_float_eq(dc_all_sizes(&one)->jain.mean, 1, 1e-12);
    const double first = 6 * 1.2 + 3.2, second = 12 * 1.2 + 3.2; /* us: 1.2 a packet, 3.2 a way */
    const double sum = 6 / first + 12 / second;
    const swq_dc_result two = dc_run_list(dc_leaves("open"), "0,0,1,8760\n0,2,3,17520\n", MS);
    cr_expect_float_eq(dc_all_sizes(&two)->jain.mean,
                       sum * sum / 2 / (pow(6 / first, 2) + pow(12 / second, 2)), 1e-9);
    cr_expect_float_eq(two.jain.mean, 9. / 12 / 5, 1e-12); /* 1 and 2 of 12 hosts */
}

/* What comes twice is no goodput: all of a flow that arrived, whatever was sent again, is its size.
 */
Test(datacentre_hosts, goodput_counts_what_comes_for_the_first_time)
{
    swq_dc dc = dc_leaves("window");

    dc.network.spread = SWQ_DC_SPRAY;
    dc.network.window = 100;
    const swq_dc_result r = dc_run_list(dc, "0,0,4,1460000\n0,1,5,1460000\n", 20 * MS);
    cr_expect_gt(r.retransmitted, 0);
    cr_expect_float_eq(r.goodput.mean * 12 * 1e10 * 20e-3 / 8, 2 * 1460000, 1e-3);
}

/* Two flows to one host share its line: each gets half, and both end together. */
Test(datacentre_hosts, two_flows_to_a_host_share_its_line)
{
    swq_dc dc = dc_leaves("window");

    dc.network.window = 100;
    const swq_dc_result r = dc_run_list(dc, "0,0,2,1460000\n0,1,2,1460000\n", 10 * MS);
    cr_expect_eq(dc_all_sizes(&r)->completed, 2);
    cr_expect_float_eq(dc_all_sizes(&r)->slowdown.mean, 2, 0.01);
}

/* What is lost comes all the same, except of open senders; bytes that come are those of the flows.
 */
Test(datacentre_hosts, what_is_lost_is_sent_again)
{
    static const char *const senders[] = {"window", "reno",     "cubic",         "dctcp",
                                          "delay",  "swift",    "timely",        "dcqcn",
                                          "hpcc",   "powertcp", "theta-powertcp"};
    static const char *const lines = "0,0,3,500000\n0,1,3,500000\n0,2,3,500000\n0,8,3,500000\n";

    for (size_t s = 0; s < sizeof senders / sizeof *senders; s++) {
        swq_dc dc = dc_leaves(senders[s]);
        dc.network.window = 200;
        dc.memory.bytes = 30000;
        const swq_dc_result r = dc_run_list(dc, lines, 400 * MS);
        cr_expect_gt(r.all.lost, 0);
        cr_expect_gt(r.retransmitted, 0);
        cr_expect_eq(dc_all_sizes(&r)->completed, 4, "%s: %llu", senders[s],
                     (unsigned long long)dc_all_sizes(&r)->completed);
        cr_expect_eq(r.inside, 0);
    }
    swq_dc dc = dc_leaves("open");
    dc.memory.bytes = 30000;
    const swq_dc_result r = dc_run_list(dc, lines, 100 * MS);
    cr_expect_lt(dc_all_sizes(&r)->completed, 4);
    cr_expect_eq(r.timeouts, 0);
}

/* Alizadeh et al. (2010), section 3.3: a threshold above a seventh of the bandwidth and round trip
 * keeps the line busy, with a queue around the threshold. The round trip alone is 6.5 us here, so a
 * threshold of 20 packets is far above; reno, which sees no marks, fills the memory instead. */
Test(datacentre_hosts, dctcp_keeps_its_queue_near_the_threshold_and_the_line_busy)
{
    swq_dc dc = dc_leaves("dctcp");

    dc.marking = (swq_dc_marking){.on = true, .low = 30000, .high = 30000};
    dc.memory.bytes = 300000;
    const char *lines = "0,0,2,40000000\n0,1,2,40000000\n";
    const swq_dc_result r = dc_run_list(dc, lines, 40 * MS);
    cr_expect_eq(r.all.lost, 0);
    cr_expect_gt(r.goodput.mean * 12, .99 * 1460 / 1500);
    /* all but one queue are empty; 3 leaves and 2 spines have 24 ports */
    const double queue = r.all.queue.mean * 24;
    cr_expect(queue > 15000 && queue < 36000, "%g", queue);
    dc.network.sending[0].sender = dc_sender_named("reno");
    const swq_dc_result reno = dc_run_list(dc, lines, 40 * MS);
    cr_expect_gt(reno.all.queue.mean * 24, 3 * queue);
}

/* An incast of 11 hosts into one: with headrooms for what still comes, nothing is lost. What comes
 * after a pause is decided: the frame waits for a packet and is sent, travels, and a packet that
 * has begun ends, while the line is full: 2 x 1500 + 64 bytes, two delays of 1 us, and one packet
 * that was coming in. */
Test(datacentre_hosts, headrooms_keep_an_incast_whole)
{
    swq_dc dc = dc_leaves("open");
    swq_dc_options o = dc_runs(20 * MS, 2);

    dc.memory.bytes = 800000;
    dc.flows = (swq_dc_flows){.query_rate = 100, .fan_in = 8, .query_bytes = 1600000};
    const swq_dc_result lossy = dc_run(&dc, &o);
    cr_expect_gt(lossy.all.lost, 0);
    dc.pfc.classes = 1;
    dc.pfc.headroom = 3 * 1500 + 64 + 2 * 1250 + 1500;
    const swq_dc_result lossless = dc_run(&dc, &o);
    cr_expect_eq(lossless.all.lost, 0);
    cr_expect_gt(lossless.pauses, 0);
    cr_expect_gt(lossless.paused.mean, 0);
    cr_expect_leq(lossless.headroom_most, dc.pfc.headroom);
    cr_expect_eq(lossless.queries.completed, lossless.queries.begun);
    dc.pfc.headroom = 3000;
    const swq_dc_result scarce = dc_run(&dc, &o);
    cr_expect_gt(scarce.all.lost, 0);
}

Test(datacentre_hosts, threads_change_no_number)
{
    swq_dc dc = dc_leaves("dctcp");
    swq_dc_options o = dc_runs(2 * MS, 4);

    dc.flows = (swq_dc_flows){
        .sizes = "websearch", .load = .3, .query_rate = 200, .fan_in = 6, .query_bytes = 90000};
    const swq_dc_result one = dc_run(&dc, &o);
    o.threads = 3;
    const swq_dc_result three = dc_run(&dc, &o);
    cr_expect_eq(one.all.offered, three.all.offered);
    cr_expect_eq(one.all.delay.mean, three.all.delay.mean);
    cr_expect_eq(dc_all_sizes(&one)->slowdown.mean, dc_all_sizes(&three)->slowdown.mean);
    cr_expect_eq(one.queries.time.mean, three.queries.time.mean);
    cr_expect_gt(one.queries.completed, 0);
}

/* Flows come at the load that was asked for, and packets over several links arrive all the same. */
Test(datacentre_hosts, every_spread_carries_the_load)
{
    for (int spread = SWQ_DC_ECMP; spread <= SWQ_DC_ADAPTIVE; spread++) {
        swq_dc dc = dc_leaves("open");
        swq_dc_options o = dc_runs(10 * MS, 4);
        dc.network.spread = (swq_dc_spread)spread;
        dc.network.spine_links = 2;
        dc.flows = (swq_dc_flows){.sizes = "14600", .load = .5};
        const swq_dc_result r = dc_run(&dc, &o);
        const double error = 3 * r.goodput.half_width;
        cr_expect_float_eq(r.goodput.mean, .5, error, "%g +- %g", r.goodput.mean, error);
        cr_expect_eq(dc_all_sizes(&r)->completed, dc_all_sizes(&r)->begun);
    }
}

/* A line for each flow that began in the measured time and is complete; the mean of their slowdowns
 * is the answer's. */
Test(datacentre_hosts, flows_are_written)
{
    swq_dc dc = dc_leaves("open");
    swq_dc_options o = dc_runs(MS, 1);
    FILE *file = tmpfile();
    char line[200];
    double slowdown, sum = 0;
    uint64_t lines = 0;

    dc.flows = (swq_dc_flows){.sizes = "20000", .load = .2};
    o.flows = file;
    const swq_dc_result r = dc_run(&dc, &o);
    rewind(file);
    cr_assert(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        cr_assert_eq(sscanf(strrchr(line, ',') + 1, "%lf", &slowdown), 1);
        cr_assert_geq(slowdown, 1);
        sum += slowdown;
        lines++;
    }
    cr_expect_eq(lines, dc_all_sizes(&r)->completed);
    cr_expect_float_eq(sum / (double)lines, dc_all_sizes(&r)->slowdown.mean, 1e-5);
    fclose(file);
}

/* After a loss CUBIC keeps 0.7 of its window and reno half, so that CUBIC fills more of a memory
 * that four long flows overflow again and again. A threshold leaves room for the acknowledgements
 * that come the other way. */
Test(datacentre_hosts, cubic_falls_back_less_than_reno)
{
    static const char *const lines =
        "0,0,2,50000000\n0,1,2,50000000\n0,3,2,50000000\n0,4,2,50000000\n";
    swq_dc dc = dc_leaves("reno");

    dc.network.delay = 10 * US;
    dc.network.least_timeout = MS;
    dc.memory.bytes = 400000;
    dc.memory.admission = &swq_admission_threshold;
    const swq_dc_result reno = dc_run_list(dc, lines, 100 * MS);
    dc.network.sending[0].sender = dc_sender_named("cubic");
    const swq_dc_result cubic = dc_run_list(dc, lines, 100 * MS);
    cr_expect_gt(cubic.all.queue.mean, reno.all.queue.mean);
    /* the mean windows of a sawtooth that a memory does not even out: (1 + .7) / 2 and (1 + .5) / 2
     */
    cr_expect_gt(cubic.goodput.mean * 12, .85 * 1460 / 1500);
    cr_expect_gt(reno.goodput.mean * 12, .75 * 1460 / 1500);
    cr_expect_gt(reno.all.lost, 0);
    cr_expect_gt(cubic.all.lost, 0);
}
