/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One switch with a shared memory (sim/datacentre/kernel.c and run.c) against closed forms: waits
 * and losses of single-server queues, lengths under dynamic thresholds, shares of deficit round
 * robin, fractions of marked packets; and what holds in every run: conservation, Little's law, the
 * same numbers with any number of threads.
 *
 * Means with an interval are held against exact values by their normal scores: all scores of a test
 * together by Holm's method with a chance of 1% of a false alarm. tests/cli and
 * test_datacentre_chain.c have the rest: bad input, and chains.
 */
#include "sim/datacentre/net.h"
#include "switchq/datacentre.h"
#include "tests/sim/samples.h"

#include <gsl/gsl_cdf.h>

TestSuite(datacentre, .timeout = 240);

enum { MOST = 40, PACKET = 1500 };
#define PACKET_PS 1200000. /* of 1500 bytes at 10 Gbit/s */

/* ---- scores ---- */

typedef struct {
    int count;
    double score[MOST];
    char what[MOST][80];
} family;

static void add(family *f, const swq_estimate *e, double exact, int replications, const char *what)
{
    cr_assert_lt(f->count, MOST);
    f->score[f->count] = score_of(e, exact, (size_t)replications, .95);
    snprintf(f->what[f->count++], sizeof f->what[0], "%s: %.6g +- %.3g, exactly %.6g", what,
             e->mean, e->half_width, exact);
}

/* Holm's method begins with the largest score: if it passes, all do. */
static void expect_right(const family *f)
{
    const double limit = gsl_cdf_ugaussian_Qinv(.01 / 2 / f->count);

    for (int k = 0; k < f->count; k++)
        cr_expect(fabs(f->score[k]) <= limit, "z = %.2f of %s", f->score[k], f->what[k]);
}

/* ---- runs ---- */

static swq_dc_options run_for(double milliseconds, int replications)
{
    swq_dc_options o = swq_dc_options_defaults();

    o.duration = (uint64_t)(milliseconds * 1e9);
    o.replications = replications;
    o.threads = 2;
    return o;
}

static swq_dc loaded(double load)
{
    swq_dc dc = swq_dc_defaults();

    dc.memory.bytes = 100000000;
    for (int i = 0; i < dc.ports; i++)
        dc.load[i] = load;
    return dc;
}

static void two_classes(swq_dc *dc, double first)
{
    dc->classes = 2;
    dc->class_share[0] = first;
    dc->class_share[1] = 1 - first;
}

static void short_and_long(swq_dc *dc)
{
    dc->sizes = 2;
    dc->size_bytes[0] = 300;
    dc->size_bytes[1] = PACKET;
    dc->size_share[0] = dc->size_share[1] = .5;
}

static swq_dc_result run(const swq_dc *dc, const swq_dc_options *options)
{
    swq_context *ctx = swq_context_new();
    swq_dc_result r;

    cr_assert_eq(swq_dc_run(ctx, dc, options, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.conserved);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return r;
}

/* ---- waits ---- */

Test(datacentre, waits_of_a_queue_with_constant_service)
{
    static const double loads[] = {.3, .6, .8};
    const swq_dc_options o = run_for(20, 16);
    family f = {0};

    for (int k = 0; k < 3; k++) {
        const swq_dc dc = loaded(loads[k]);
        const swq_dc_result r = run(&dc, &o);
        const double wait = loads[k] / 2 / (1 - loads[k]);
        add(&f, &r.all.delay, PACKET_PS * (1 + wait), 16, "M/D/1 delay");
        add(&f, &r.all.throughput, loads[k], 16, "M/D/1 throughput");
        add(&f, &r.all.queue, PACKET * loads[k] * (1 + wait), 16, "M/D/1 queue");
    }
    expect_right(&f);
}

/* The waiting time of M/D/1 (Erlang 1909): with time in services, and load r,
 * P(W <= t) = (1 - r) sum over k from 0 to t of (r (k - t))^k / k! e^(r (t - k)). */
static double waits_at_most(double load, double t)
{
    double sum = 0;

    for (int k = 0; k <= t; k++)
        sum += pow(load * (k - t), k) / tgamma(k + 1.) * exp(load * (t - k));
    return (1 - load) * sum;
}

/* The time in services that the share `level` of the waits does not exceed. */
static double wait_at(double load, double level)
{
    double low = 0, high = 40;

    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        *(waits_at_most(load, middle) < level ? &low : &high) = middle;
    }
    return low;
}

/* Percentiles of all replications together; of the intervals of many seeds, 95% have the value. A
 * bin is .8% wide at most, within which the value is not known. */
Test(datacentre, percentiles_of_a_queue_with_constant_service)
{
    enum { SEEDS = 60, LEVELS = 3 };
    const double load = .6, bin = .004;
    const swq_dc dc = loaded(load);
    int covered[LEVELS] = {0};

    for (int seed = 1; seed <= SEEDS; seed++) {
        swq_dc_options o = run_for(1, 8);
        o.seed = (uint64_t)seed;
        const swq_dc_result r = run(&dc, &o);
        for (int p = 0; p < LEVELS; p++) {
            const double value = PACKET_PS * (1 + wait_at(load, swq_dc_percentiles[p]));
            const swq_estimate *e = &r.all.delay_at[p];
            covered[p] += fabs(e->mean - value) <= e->half_width + bin * value;
            cr_expect_float_eq(e->mean, value, .2 * value);
        }
        if (seed == 1)
            cr_expect(isfinite(r.all.delay_at[3].half_width));
    }
    for (int p = 0; p < LEVELS; p++) /* a chance of .0006 of fewer than 51, if 95% are right */
        cr_expect_geq(covered[p], 51, "level %g: %d of %d", swq_dc_percentiles[p], covered[p],
                      SEEDS);
}

/* Pollaczek and Khinchine. */
Test(datacentre, waits_of_a_queue_with_packets_of_two_sizes)
{
    const double load = .7, mean = 900. * PACKET_PS / PACKET;
    const double square = (.5 * 300 * 300 + .5 * PACKET * PACKET) * pow(PACKET_PS / PACKET, 2);
    const swq_dc_options o = run_for(20, 16);
    swq_dc dc = loaded(load);
    family f = {0};

    short_and_long(&dc);
    const swq_dc_result r = run(&dc, &o);
    add(&f, &r.all.delay, mean + load / mean * square / 2 / (1 - load), 16, "M/G/1 delay");
    add(&f, &r.all.throughput, load, 16, "M/G/1 throughput");
    expect_right(&f);
}

/* Cobham (1954): the class that goes first waits R / (1 - a), the other R / ((1 - a) (1 - load)),
 * where a is the first one's load, and R what is left of the packet being sent. */
Test(datacentre, waits_of_two_classes_with_priority)
{
    const double load = .8, first = .4, a = load * first;
    const double mean = 900. * PACKET_PS / PACKET;
    const double square = (.5 * 300 * 300 + .5 * PACKET * PACKET) * pow(PACKET_PS / PACKET, 2);
    const double left = load / mean * square / 2;
    const swq_dc_options o = run_for(20, 16);
    swq_dc dc = loaded(load);
    family f = {0};

    short_and_long(&dc);
    two_classes(&dc, first);
    dc.schedule = SWQ_DC_PRIORITY;
    const swq_dc_result r = run(&dc, &o);
    add(&f, &r.by_class[0].delay, mean + left / (1 - a), 16, "first class");
    add(&f, &r.by_class[1].delay, mean + left / (1 - a) / (1 - load), 16, "second class");
    expect_right(&f);
}

/* The loss of M/D/1/K is 1 - 1 / (p0 + load), where p0 is the probability that a departure leaves
 * the system empty: the chain embedded at departures, of K states, is that of M/D/1 cut off. */
static double loss_with_constant_service(double load, int room)
{
    double p[16] = {1}, sum = 1, chance[16] = {exp(-load)};

    for (int k = 1; k < room; k++)
        chance[k] = chance[k - 1] * load / k;
    for (int k = 0; k + 1 < room; k++) { /* p_k = p_0 c_k + sum p_j c_(k-j+1), j = 1 .. k + 1 */
        double rest = p[k] - p[0] * chance[k];
        for (int j = 1; j <= k; j++)
            rest -= p[j] * chance[k - j + 1];
        p[k + 1] = rest / chance[0];
        sum += p[k + 1];
    }
    return 1 - 1 / (p[0] / sum + load);
}

Test(datacentre, losses_of_a_queue_with_constant_service)
{
    static const int rooms[] = {1, 2, 5};
    const swq_dc_options o = run_for(50, 16);
    family f = {0};

    cr_assert_float_eq(loss_with_constant_service(.5, 1), .5 / 1.5, 1e-12); /* Erlang */
    for (int k = 0; k < 3; k++) {
        swq_dc dc = loaded(.8);
        dc.ports = 1;
        dc.memory.bytes = (uint64_t)rooms[k] * PACKET + 1;
        const swq_dc_result r = run(&dc, &o);
        add(&f, &r.all.loss, loss_with_constant_service(.8, rooms[k]), 16, "M/D/1/K loss");
    }
    expect_right(&f);
}

/* ---- lengths under dynamic thresholds ---- */

/* n overloaded outputs hold alpha B / (1 + n alpha) each (Choudhury and Hahne, 1998), to within two
 * packets; `formula dynamic-threshold` is the same. */
Test(datacentre, overloaded_outputs_share_by_dynamic_thresholds)
{
    static const double alphas[] = {.5, 1, 2, 8};
    swq_dc_options o = run_for(2, 2);

    o.warmup = UINT64_C(10000000000);
    for (int a = 0; a < 4; a++) {
        for (int n = 1; n <= 8; n += 3) {
            swq_dc dc = loaded(0);
            dc.memory.bytes = 2000000;
            dc.memory.admission = &swq_admission_threshold;
            dc.memory.alpha[0] = alphas[a];
            for (int i = 0; i < n; i++)
                dc.load[i] = 4;
            const swq_dc_result r = run(&dc, &o);
            const double held = alphas[a] * 2e6 / (1 + n * alphas[a]);
            cr_expect(fabs(r.all.queue.mean * dc.ports / n - held) < 2 * PACKET,
                      "alpha %g, %d outputs: %.0f, not %.0f bytes", alphas[a], n,
                      r.all.queue.mean * dc.ports / n, held);
            cr_expect(fabs(r.occupancy.mean * 2e6 - n * held) < 2 * n * PACKET);
        }
    }
}

/* 2 MB at 40 Gbit/s: a queue of alpha 8 beside seven of alpha 1 has 1 MB, and so has a queue of
 * alpha 1 alone. */
Test(datacentre, a_large_alpha_is_worth_as_much_as_being_alone)
{
    swq_dc_options o = run_for(2, 2);
    swq_dc dc = loaded(0);

    o.warmup = UINT64_C(10000000000);
    dc.ports = 1;
    dc.rate = UINT64_C(40000000000);
    dc.memory.bytes = 2000000;
    dc.memory.admission = &swq_admission_threshold;
    dc.load[0] = 3;
    swq_dc_result r = run(&dc, &o);
    cr_expect(fabs(r.all.queue.mean - 1e6) < 2 * PACKET, "%g", r.all.queue.mean);

    dc.classes = 8;
    dc.schedule = SWQ_DC_ROUND_ROBIN;
    dc.memory.alpha[0] = 8;
    dc.load[0] = 20;
    for (int k = 0; k < 8; k++)
        dc.class_share[k] = 1. / 8;
    r = run(&dc, &o);
    cr_expect(fabs(r.by_class[0].queue.mean - 1e6) < 2 * 8 * PACKET, "%g",
              r.by_class[0].queue.mean);
    for (int k = 1; k < 8; k++)
        cr_expect(fabs(r.by_class[k].queue.mean - 125e3) < 2 * PACKET, "%g",
                  r.by_class[k].queue.mean);
}

/* ---- ports ---- */

Test(datacentre, deficit_round_robin_shares_by_quanta)
{
    static const uint32_t quanta[][2] = {{1500, 4500}, {100, 100}, {9000, 1000}};
    const swq_dc_options o = run_for(10, 2);

    for (int k = 0; k < 3; k++) {
        swq_dc dc = loaded(4);
        short_and_long(&dc);
        two_classes(&dc, .5);
        dc.memory.bytes = 1000000;
        dc.memory.admission = &swq_admission_partitioning;
        dc.schedule = SWQ_DC_DRR;
        for (int c = 0; c < 2; c++)
            dc.quantum[c] = quanta[k][c];
        const swq_dc_result r = run(&dc, &o);
        const double share = (double)quanta[k][0] / (quanta[k][0] + quanta[k][1]);
        cr_expect(fabs(r.all.throughput.mean - 1) < 1e-3, "%g", r.all.throughput.mean);
        cr_expect(fabs(r.by_class[0].throughput.mean - share) < 2e-3, "quanta %u, %u: %g",
                  quanta[k][0], quanta[k][1], r.by_class[0].throughput.mean);
    }
}

/* A class that asks for less than its turns gets what it asks for. */
Test(datacentre, round_robin_and_priority_share_by_packets)
{
    const swq_dc_options o = run_for(10, 2);
    swq_dc dc = loaded(4);

    two_classes(&dc, .2);
    for (int i = 0; i < dc.ports; i++)
        dc.load[i] = 1.5;
    dc.memory.bytes = 1000000;
    dc.memory.admission = &swq_admission_partitioning;
    dc.schedule = SWQ_DC_ROUND_ROBIN;
    swq_dc_result r = run(&dc, &o);
    cr_expect(fabs(r.by_class[0].throughput.mean - .3) < .01, "%g", r.by_class[0].throughput.mean);
    dc.class_share[0] = dc.class_share[1] = .5;
    r = run(&dc, &o);
    cr_expect(fabs(r.by_class[0].throughput.mean - .5) < 2e-3, "%g", r.by_class[0].throughput.mean);
    dc.schedule = SWQ_DC_PRIORITY;
    for (int i = 0; i < dc.ports; i++)
        dc.load[i] = 4;
    r = run(&dc, &o);
    cr_expect(r.by_class[0].throughput.mean > .999 && r.by_class[1].throughput.mean < 1e-3);
}

/* ---- marks ---- */

/* Packets see what there is at any time: marked above 0 bytes, a fraction `load` is. With a chance
 * in proportion to the queue, the fraction is that of the mean queue. */
Test(datacentre, marks_are_those_of_the_queue_that_packets_meet)
{
    const swq_dc_options o = run_for(20, 16);
    swq_dc dc = loaded(.7);
    family f = {0};

    dc.marking = (swq_dc_marking){.on = true};
    swq_dc_result r = run(&dc, &o);
    add(&f, &r.all.marks, .7, 16, "step:0");
    dc.marking = (swq_dc_marking){.on = true, .high = 1000000, .most = 1};
    r = run(&dc, &o);
    add(&f, &r.all.marks, PACKET * .7 * (1 + .7 / 2 / .3) / 1e6, 16, "red:0,1M,1");
    dc.marking.most = .25;
    r = run(&dc, &o);
    add(&f, &r.all.marks, .25 * PACKET * .7 * (1 + .7 / 2 / .3) / 1e6, 16, "red:0,1M,0.25");
    dc.marking = (swq_dc_marking){.on = true, .low = 50000000, .high = 50000000};
    r = run(&dc, &o);
    cr_expect_eq(r.all.marked, 0);
    expect_right(&f);
}

/* ---- what always holds ---- */

static const swq_admission_rule *const rules[] = {
    &swq_admission_sharing,         &swq_admission_partitioning,
    &swq_admission_maximum,         &swq_admission_minimum,
    &swq_admission_minimum_maximum, &swq_admission_square_root,
    &swq_admission_threshold,       &swq_admission_longest_queue_drop,
    &swq_admission_harmonic,        &swq_admission_abm,
    &swq_admission_occamy,          &swq_admission_follow_lqd,
    &swq_admission_credence,        &swq_admission_ib,
    &swq_admission_reverie};
enum { RULES = sizeof rules / sizeof *rules };

/* A small memory for its load, with each rule. */
static swq_dc crowded(int rule)
{
    swq_dc dc = loaded(1.1);

    short_and_long(&dc);
    two_classes(&dc, .3);
    dc.ports = 3;
    dc.load[1] = .7;
    dc.schedule = SWQ_DC_DRR;
    dc.memory.bytes = 60000;
    dc.memory.cell = 200;
    dc.memory.admission = rules[rule];
    dc.memory.queue_max = 20000;
    dc.memory.queue_min =
        rules[rule] == &swq_admission_minimum || rules[rule] == &swq_admission_minimum_maximum
            ? 2000
            : 0;
    dc.memory.alpha[1] = 2;
    dc.memory.expel_bucket = 8;
    dc.memory.congested = 6000;
    dc.marking = (swq_dc_marking){.on = true, .low = 3000, .high = 9000, .most = .4};
    return dc;
}

Test(datacentre, littles_law_and_counts_of_every_rule)
{
    const swq_dc_options o = run_for(20, 2);

    for (int k = 0; k < RULES; k++) {
        swq_dc dc = crowded(k);
        dc.memory.cell = 1;
        dc.sizes = 1; /* bytes are as many packets */
        dc.size_bytes[0] = PACKET;
        dc.size_share[0] = 1;
        /* packets that are pushed out have waited, too, which the mean delay does not tell */
        const bool loses_stored =
            rules[k] == &swq_admission_longest_queue_drop || rules[k] == &swq_admission_occamy;
        const swq_dc_result r = run(&dc, &o);
        uint64_t offered = 0, sent = 0, lost = 0;
        for (int c = 0; c < 2; c++) {
            const swq_dc_flow *f = &r.by_class[c];
            const double flow = f->throughput.mean * (double)dc.rate / 8e12; /* bytes a ps, port */
            const double held = f->queue.mean, by_law = flow * f->delay.mean;
            offered += f->offered;
            sent += f->sent;
            lost += f->lost;
            cr_expect_eq(f->lost, f->refused + f->pushed_out + f->expelled);
            cr_expect(f->lost > 0 && f->sent > 0, "%s", rules[k]->name);
            cr_expect(loses_stored ? held > by_law * .99 : fabs(held / by_law - 1) < .01,
                      "%s, class %d: %g, by Little's law %g", rules[k]->name, c, held, by_law);
        }
        cr_expect(r.all.offered == offered && r.all.sent == sent && r.all.lost == lost);
        cr_expect_eq(r.all.pushed_out > 0, rules[k] == &swq_admission_longest_queue_drop);
        cr_expect_leq(r.occupancy_most, dc.memory.bytes);
        cr_expect(r.occupancy.mean > 0 && r.occupancy_at[0].mean <= r.occupancy_at[3].mean);
    }
}

/* All of a result but times of the clock. */
static void expect_same(const swq_dc_result *a, const swq_dc_result *b, bool same, const char *what)
{
    swq_dc_result x = *a, y = *b;

    x.cpu_seconds = y.cpu_seconds = x.wall_seconds = y.wall_seconds = 0;
    const bool equal = memcmp(&x.all, &y.all, sizeof x.all) == 0 &&
                       memcmp(&x.by_class, &y.by_class, sizeof x.by_class) == 0 &&
                       memcmp(&x.occupancy, &y.occupancy, sizeof x.occupancy) == 0;
    cr_expect_eq(equal, same, "%s", what);
}

Test(datacentre, the_seed_gives_the_numbers_and_threads_do_not)
{
    for (int k = 0; k < RULES; k++) {
        const swq_dc dc = crowded(k);
        swq_dc_options o = run_for(.5, 5);
        o.threads = 1;
        const swq_dc_result first = run(&dc, &o);
        o.threads = 3;
        const swq_dc_result threads = run(&dc, &o);
        o.seed = 2;
        const swq_dc_result seed = run(&dc, &o);
        expect_same(&first, &threads, true, rules[k]->name);
        expect_same(&first, &seed, false, rules[k]->name);
    }
}

/* Each replication takes its memory from a context of its own. */
static swq_status replicate(swq_context *ctx, const swq_dc *dc)
{
    dc_net net;
    swq_dc_graph *graph = NULL;
    swq_status status = dc_graph_make(ctx, dc, &graph);

    if (!status)
        status = dc_graph_find_ways(ctx, graph);
    if (status) {
        swq_dc_graph_free(ctx, graph);
        return status;
    }
    status = dc_net_make(ctx, dc, graph, 1, 0, &net);
    if (!status)
        status = dc_net_run(&net, UINT64_C(50000000));
    dc_net_free(ctx, &net);
    swq_dc_graph_free(ctx, graph);
    return status;
}

Test(datacentre, every_allocation_fails)
{
    for (int k = 0; k < RULES; k++) {
        for (int for_good = 0; for_good < 2; for_good++) {
            swq_status status = SWQ_ENOMEM;
            size_t after = 0;
            for (; status == SWQ_ENOMEM; after++) {
                swq_context *ctx = swq_context_new();
                const swq_dc dc = crowded(k);
                swq_context_fail_allocations(ctx, after, for_good);
                status = replicate(ctx, &dc);
                cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s, allocation %zu", rules[k]->name,
                             after);
                cr_assert(status == SWQ_ENOMEM || status == SWQ_OK, "%d", status);
                swq_context_free(ctx);
            }
            cr_assert(after > 14, "%s: only %zu allocations", rules[k]->name, after);
        }
    }
}

/* Where a number of things cannot be larger, the message says what it is, and how there are
 * fewer. */
Test(datacentre, limits_are_named)
{
    swq_context *ctx = swq_context_new();
    swq_dc dc = swq_dc_defaults();
    swq_dc_graph *graph = NULL;
    dc_events *events = NULL;
    dc_net net;

    dc.network.sending[0].sender = *swq_dc_senders();
    cr_assert_eq(dc_graph_make(ctx, &dc, &graph), SWQ_OK);
    cr_assert_eq(dc_net_make(ctx, &dc, graph, 1, 0, &net), SWQ_OK);
    net.own.room = (1u << DC_PLACE_BITS) - 64;
    const swq_listed_flow flow = {.bytes = 1, .source = 0, .destination = 1};
    dc_flow_begin(&net, &flow, 0);
    cr_expect_eq(net.events->failed, SWQ_ELIMIT);
    cr_expect(strstr(swq_context_message(ctx), "more than 268435392 flows are on their way"));
    net.own.room = 0;
    dc_net_free(ctx, &net);
    swq_dc_graph_free(ctx, graph);

    cr_assert_eq(dc_events_make(ctx, 1, &events), SWQ_OK);
    events->room = 1u << 30;
    cr_expect_not(dc_events_grow(ctx, events));
    cr_expect_eq(events->failed, SWQ_ELIMIT);
    cr_expect(strstr(swq_context_message(ctx), "more than 1073741824 events are due"));
    dc_events_free(ctx, events);

    dc_packets packets = {.free = DC_NONE, .room = DC_MOST_PACKETS};
    cr_expect_eq(dc_packet_take(ctx, &packets), DC_NONE);
    cr_expect_eq(dc_no_packet(ctx, &packets), SWQ_ELIMIT);
    cr_expect(strstr(swq_context_message(ctx), "more than 1073741824 packets"));

    dc_waiting waiting = {.room = DC_MOST_WAITING, .slots = DC_MOST_WAITING};
    uint32_t first = DC_NO_FLOW, slot;
    bool due;
    waiting.first = &first;
    cr_expect_eq(dc_waiting_add(ctx, &waiting, &flow, 1, &slot, &due), SWQ_ELIMIT);
    cr_expect(strstr(swq_context_message(ctx), "more than 67108864 flows wait for others"));
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* With too little memory for a run, a result is left alone. */
Test(datacentre, a_limit_of_memory_is_kept)
{
    for (uint64_t limit = 1000; limit < 400000; limit *= 2) {
        swq_context *ctx = swq_context_new();
        const swq_dc dc = crowded(0);
        const swq_dc_options o = run_for(.05, 2);
        swq_dc_result r, before;
        memset(&r, 0x55, sizeof r);
        before = r;
        swq_context_limit_memory(ctx, limit);
        const swq_status status = swq_dc_run(ctx, &dc, &o, &r);
        cr_expect(status == SWQ_ENOMEM || status == SWQ_ELIMIT, "%d", status);
        cr_expect(memcmp(&r, &before, sizeof r) == 0);
        cr_expect_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}
