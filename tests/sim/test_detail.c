/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is told of each node, link and latency of a synchronous network: it adds up to what is told
 * of the whole, both engines tell the same, and percentiles' intervals hold what they should.
 */
#include "switchq/detail.h"
#include "tests/sim/samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(detail, .timeout = 480);

static swq_network a_network(swq_context *ctx, const char *buffer, swq_flow flow, double load)
{
    swq_switch sw = {.ports = 4, .flow = flow, .credit = SWQ_CREDIT_NEXT};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 4, 4, &sw.buffer), SWQ_OK);
    swq_network n = network_in_stages(ctx, "omega", 3, &sw);
    n.traffic.load = load;
    return n;
}

enum { NODES = 64, STAGES = 3, LINKS = NODES * (STAGES + 1), EVERYTHING = 7 };

static void check_nodes(const swq_detail *d, const swq_sim_result *r, const char *what)
{
    uint64_t created = 0, delivered = 0, discarded = 0;
    double latency = 0, throughput = 0;

    for (uint32_t i = 0; i < d->nodes; i++) {
        const swq_node_detail *n = &d->node[i];
        created += n->created;
        delivered += n->delivered;
        discarded += n->discarded;
        throughput += n->throughput.mean;
        latency += n->latency.mean * (double)n->delivered;
        cr_assert_eq(n->delivered, d->link[STAGES * NODES + i].packets, "%s: node %u", what, i);
        cr_assert(n->throughput.half_width > 0 && n->latency.half_width > 0, "%s", what);
    }
    cr_assert_eq(created, r->all.created, "%s", what);
    cr_assert_eq(delivered, r->all.delivered, "%s", what);
    cr_assert_eq(discarded, r->all.discarded, "%s", what);
    assert_relative(throughput / NODES, r->all.throughput.mean, 1e-12, "%s", what);
    assert_relative(latency / (double)delivered, r->all.latency.mean, 1e-12, "%s", what);
}

static void check_links(const swq_detail *d, const swq_sim_result *r, bool pool, const char *what)
{
    for (int s = 0; s <= STAGES; s++) {
        const swq_link_detail *link = d->link + s * NODES;
        const double switches = NODES / 4.0;
        uint64_t packets = 0;
        double occupancy = 0;
        for (int k = 0; k < NODES; k++) {
            packets += link[k].packets;
            occupancy += link[k].occupancy.mean;
            assert_relative(link[k].utilisation.mean, (double)link[k].packets / (double)r->cycles,
                            1e-12, "%s", what);
        }
        if (s > 0)
            assert_relative((double)packets / (double)r->cycles / NODES, r->stage[s - 1].sent.mean,
                            1e-12, "%s: stage %d", what, s);
        if (s < STAGES)
            assert_relative(occupancy / switches / (pool ? 4 : 1), r->stage[s].occupancy.mean,
                            1e-12, "%s: stage %d", what, s);
        else
            cr_assert(isnan(occupancy));
    }
}

static void check_bins(const swq_detail *d, const swq_sim_result *r, const char *what)
{
    uint64_t packets = 0;
    double latency = 0;

    for (size_t b = 0; b < d->bins; b++) {
        cr_assert(b == 0 || d->bin[b].least > d->bin[b - 1].most, "%s", what);
        packets += d->bin[b].packets;
        latency += d->bin[b].least * (double)d->bin[b].packets;
    }
    cr_assert_eq(packets, r->all.delivered, "%s", what);
    assert_relative(latency / (double)packets, r->all.latency.mean, 1e-12, "%s", what);
    for (int p = 0; p < SWQ_PERCENTILES; p++) {
        cr_assert_eq(d->percentile[p].value, r->all.percentile[p], "%s", what);
        cr_assert(d->percentile[p].lower <= d->percentile[p].value &&
                      d->percentile[p].upper >= d->percentile[p].value,
                  "%s", what);
    }
}

static swq_detail asked_for(swq_context *ctx)
{
    swq_detail d;

    cr_assert_eq(swq_detail_new(ctx, NODES, STAGES * NODES, EVERYTHING, &d), SWQ_OK);
    d.percentiles = SWQ_PERCENTILES;
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        d.percentile[p].level = swq_percentile_levels[p];
    return d;
}

/* Asking changes no number; the fast engine counts what the plain one does. */
static void check_network(swq_context *ctx, const swq_network *n, bool pool, const char *what)
{
    swq_detail d = asked_for(ctx), plain = asked_for(ctx);
    swq_sim_options o = run_of(3, 1, 300, 2000);
    const swq_sim_result without = simulate(ctx, n, &o);

    o.detail = &d;
    const swq_sim_result r = simulate(ctx, n, &o);
    cr_assert_eq(memcmp(&r.all, &without.all, sizeof r.all), 0, "%s: other numbers", what);
    cr_assert_str_eq(r.engine, without.engine);
    check_nodes(&d, &r, what);
    check_links(&d, &r, pool, what);
    check_bins(&d, &r, what);
    o.plain = true;
    o.detail = &plain;
    simulate(ctx, n, &o);
    cr_assert_eq(memcmp(d.node, plain.node, NODES * sizeof *d.node), 0, "%s: nodes", what);
    cr_assert_eq(memcmp(d.link, plain.link, LINKS * sizeof *d.link), 0, "%s: links", what);
    swq_detail_clear(ctx, &d);
    swq_detail_clear(ctx, &plain);
}

Test(detail, parts_add_up_to_the_whole)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};
    swq_context *ctx = swq_context_new();
    char what[80];

    for (int b = 0; b < 6; b++) {
        for (int discard = 0; discard < 2; discard++) {
            swq_network n =
                a_network(ctx, buffers[b], discard ? SWQ_DISCARD : SWQ_BLOCK, discard ? 0.9 : 0.6);
            snprintf(what, sizeof what, "%s, %s", buffers[b], discard ? "discard" : "block");
            check_network(ctx, &n, strcmp(buffers[b], "cbda") == 0, what);
            n.resend = discard; /* the plain engine alone has it */
            n.traffic.load = 0.3;
            check_network(ctx, &n, strcmp(buffers[b], "cbda") == 0, what);
        }
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(detail, room_for_another_network_is_refused)
{
    swq_context *ctx = swq_context_new();
    const swq_network n = a_network(ctx, "damq", SWQ_BLOCK, 0.5);
    swq_sim_options o = run_of(3, 1, 300, 2000);
    swq_sim_result r;
    swq_detail d;

    o.detail = &d;
    cr_assert_eq(swq_detail_new(ctx, NODES, 5, SWQ_DETAIL_LINKS, &d), SWQ_OK);
    cr_assert_eq(swq_sim_run(ctx, &n, &o, &r), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "256 links"), "%s", swq_context_message(ctx));
    swq_detail_clear(ctx, &d);
    cr_assert_eq(swq_detail_new(ctx, 16, 48, SWQ_DETAIL_NODES, &d), SWQ_OK);
    cr_assert_eq(swq_sim_run(ctx, &n, &o, &r), SWQ_EINVAL);
    swq_detail_clear(ctx, &d);
    cr_assert_eq(swq_detail_new(ctx, NODES, 0, 0, &d), SWQ_OK);
    d.percentiles = 1;
    d.percentile[0].level = 1;
    cr_assert_eq(swq_sim_run(ctx, &n, &o, &r), SWQ_EINVAL);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Room for details, and what is collected from them. */
Test(detail, every_allocation_fails)
{
    swq_status status = SWQ_ENOMEM;
    size_t after = 0;

    for (; status == SWQ_ENOMEM; after++) {
        swq_context *ctx = swq_context_new();
        const swq_network n = a_network(ctx, "damq", SWQ_BLOCK, 0.5);
        swq_sim_options o = run_of(3, 2, 10, 64);
        swq_sim_result r;
        swq_detail d = {0};
        swq_context_fail_allocations(ctx, after, after % 2);
        status = swq_detail_new(ctx, NODES, STAGES * NODES, EVERYTHING, &d);
        o.detail = &d;
        if (!status)
            status = swq_sim_run(ctx, &n, &o, &r);
        cr_assert(status == SWQ_ENOMEM || status == SWQ_OK, "%d", status);
        swq_detail_clear(ctx, &d);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
        swq_context_free(ctx);
    }
    cr_assert_gt(after, 20);
}

/* ---- percentiles ---- */

/* The percentile that a long run tells lies in about as many intervals of short ones as it should.
 * Latencies are whole numbers, so that the intervals are somewhat too wide, and more of them hold
 * it. */
Test(detail, intervals_of_percentiles_hold_them)
{
    enum { RUNS = 300, LEVELS = 4 };
    static const double level[LEVELS] = {0.5, 0.9, 0.99, 0.999};
    swq_context *ctx = swq_context_new();
    const swq_network n = a_network(ctx, "damq", SWQ_BLOCK, 0.65);
    swq_sim_options o = run_of(1995, 4, 1000, 100000);
    const swq_sim_result truth = simulate(ctx, &n, &o);
    int held[LEVELS] = {0}, bounded[LEVELS] = {0};
    swq_detail d;

    cr_assert_eq(swq_detail_new(ctx, NODES, 0, 0, &d), SWQ_OK);
    d.percentiles = LEVELS;
    for (int p = 0; p < LEVELS; p++)
        d.percentile[p].level = level[p];
    for (int run = 0; run < RUNS; run++) {
        o = run_of(100 + (uint64_t)run, 1, 300, 6000);
        o.confidence = 0.9;
        o.detail = &d;
        simulate(ctx, &n, &o);
        for (int p = 0; p < LEVELS; p++) {
            held[p] += d.percentile[p].lower <= truth.all.percentile[p] &&
                       d.percentile[p].upper >= truth.all.percentile[p];
            bounded[p] += isfinite(d.percentile[p].upper);
        }
    }
    for (int p = 0; p < LEVELS; p++) {
        /* four standard deviations below 90 percent */
        cr_expect(held[p] >= RUNS * 0.9 - 4 * sqrt(RUNS * 0.09), "%g%%: %d of %d", 100 * level[p],
                  held[p], RUNS);
        cr_expect(bounded[p] > RUNS * 0.95, "%g%%: %d intervals of %d", 100 * level[p], bounded[p],
                  RUNS);
    }
    swq_detail_clear(ctx, &d);
    swq_context_free(ctx);
}
