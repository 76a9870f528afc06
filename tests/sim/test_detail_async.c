/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is measured beyond the means of a whole asynchronous network, held against books that are
 * kept from the transmissions as they begin, and against enumerated ways.
 */
#include "switchq/detail.h"
#include "tests/sim/inspector.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

TestSuite(detail_async, .timeout = 480);

static swq_async a_network(swq_shape shape, swq_sender_group *group, double load, swq_spread length)
{
    swq_async n = async_network(shape, "damq", 256);

    n.flow.row = &swq_flow_maximum_usage;
    n.flow.threshold = 20;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, load, length);
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

/* ---- the tail ---- */

/* A packet's last byte arrives as many cycles after its last transmission began as it has bytes. */
Test(detail_async, the_tail_arrives_a_length_later)
{
    static const int length[] = {1, 17, 32};

    for (int k = 0; k < 3; k++) {
        swq_sender_group group;
        const swq_spread constant = {SWQ_CONSTANT, length[k], 0};
        swq_async n = a_network(shape_of_grid("torus", 2, 4), &group, 0.4, constant);
        const swq_sim_options options = run_of(3, 2, 500, 30000);
        const swq_async_result r = run_async(&n, &options, NULL);
        const swq_estimate *head = &r.sim.all.latency, *tail = &r.sim.all.tail_latency;
        assert_relative(tail->mean, head->mean + length[k], 1e-14, "%d bytes", length[k]);
        assert_relative(tail->half_width, head->half_width, 1e-9, "%d bytes", length[k]);
    }
}

Test(detail_async, the_tail_of_packets_of_any_length)
{
    swq_sender_group group;
    const swq_spread any = {SWQ_UNIFORM, 3, 90};
    swq_async n = a_network(shape_in_stages("omega", 2, 3), &group, 0.5, any);
    const swq_sim_options options = run_of(5, 1, 300, 8000);
    start_log log = {0};
    swq_async_watch watch = {.started = log_start, .arg = &log};
    const swq_async_result r = run_async(&n, &options, &watch);
    double packets = 0, head = 0, tail = 0;

    for (size_t k = 0; k < log.count; k++) {
        const swq_start *s = &log.at[k];
        if (s->switch_ == SWQ_NO_WHERE || s->switch_ < 2 * 4 || s->cycle < 300)
            continue;
        packets++;
        head += s->cycle - s->birth;
        tail += s->cycle + s->bytes - s->birth;
    }
    cr_assert(packets > 1000);
    assert_relative(r.sim.all.latency.mean, head / packets, 1e-12, "head");
    assert_relative(r.sim.all.tail_latency.mean, tail / packets, 1e-12, "tail");
    cr_assert(isfinite(r.sim.all.tail_latency.half_width));
    free(log.at);
}

/* ---- nodes and links, from every transmission ---- */

typedef struct {
    uint64_t *packets, *bytes, *created, *delivered, *latency; /* of links, and of nodes */
    double *area;                                              /* of input ports */
} books;

static books books_for(size_t links)
{
    return (books){calloc(links, 8), calloc(links, 8), calloc(links, 8),
                   calloc(links, 8), calloc(links, 8), calloc(links, sizeof(double))};
}

static void close_books(books *b)
{
    free(b->packets);
    free(b->bytes);
    free(b->created);
    free(b->delivered);
    free(b->latency);
    free(b->area);
}

/* Cycles from `from` on that are measured ones. */
static double measured(uint32_t from, uint32_t warmup, uint32_t end)
{
    return from < warmup ? end - warmup : end - from;
}

static void keep_books(const start_log *log, const swq_fabric *f, uint32_t warmup, uint32_t end,
                       books *b)
{
    for (size_t k = 0; k < log->count; k++) {
        const swq_start *s = &log->at[k];
        const bool sender = s->switch_ == SWQ_NO_WHERE;
        const uint32_t first = sender ? 0 : s->switch_ * (uint32_t)f->ports;
        const size_t link = sender ? s->from : f->nodes + (size_t)first + s->output;
        const uint32_t next = sender ? f->entry[s->from] : f->link[first + s->output];
        if (!(next & SWQ_TO_NODE))
            b->area[next] += measured(s->cycle, warmup, end);
        if (!sender)
            b->area[first + s->input] -= measured(s->cycle, warmup, end);
        if (s->cycle < warmup)
            continue;
        b->packets[link]++;
        b->bytes[link] += s->bytes;
        if (next & SWQ_TO_NODE) {
            b->delivered[next & ~SWQ_TO_NODE]++;
            b->latency[next & ~SWQ_TO_NODE] += s->cycle - s->birth;
        }
    }
}

static void check_links(const swq_detail *d, const swq_fabric *f, const swq_async_result *r,
                        const books *b, const char *what)
{
    const double cycles = (double)r->sim.cycles;
    uint64_t sent = 0;
    double occupancy = 0, all = 0;

    for (size_t k = 0; k < d->links; k++) {
        const swq_link_detail *link = &d->link[k];
        const uint32_t end = k < f->nodes ? f->entry[k] : f->link[k - f->nodes];
        cr_assert_eq(link->packets, b->packets[k], "%s: link %zu", what, k);
        cr_assert_eq(link->bytes, b->bytes[k], "%s: link %zu", what, k);
        assert_relative(link->utilisation.mean * cycles, (double)link->bytes, 1e-12, "%s", what);
        assert_relative(link->packet_rate.mean * cycles, (double)link->packets, 1e-12, "%s", what);
        sent += k < f->nodes ? 0 : link->bytes;
        if (end & SWQ_TO_NODE) {
            cr_assert(isnan(link->occupancy.mean));
            continue;
        }
        cr_assert_float_eq(link->occupancy.mean * cycles, b->area[end], 1e-6, "%s: link %zu", what,
                           k);
        occupancy += link->occupancy.mean;
    }
    for (int level = 0; level < f->levels; level++) {
        all += r->sim.stage[level].occupancy.mean * f->level_inputs[level];
        sent -= (uint64_t)llround(r->sim.stage[level].sent.mean * f->level_outputs[level] * cycles);
    }
    cr_assert_eq(sent, 0, "%s", what);
    assert_relative(occupancy, all, 1e-12, "%s", what);
}

static void check_nodes(const swq_detail *d, const swq_async_result *r, const books *b,
                        const char *what)
{
    uint64_t created = 0, delivered = 0, bytes = 0, bytes_created = 0;
    double offered = 0;

    for (uint32_t i = 0; i < d->nodes; i++) {
        const swq_node_detail *n = &d->node[i];
        cr_assert_eq(n->delivered, b->delivered[i], "%s: node %u", what, i);
        assert_relative(n->latency.mean * (double)n->delivered, (double)b->latency[i], 1e-12, "%s",
                        what);
        created += n->created;
        delivered += n->delivered;
        bytes += n->bytes_delivered;
        bytes_created += n->bytes_created;
        offered += n->offered.mean;
        cr_assert_eq(n->discarded, 0);
    }
    cr_assert_eq(created, r->sim.all.created, "%s", what);
    cr_assert_eq(delivered, r->sim.all.delivered, "%s", what);
    cr_assert_eq((double)bytes, r->sim.all.bytes, "%s", what);
    assert_relative(offered * (double)r->sim.cycles, (double)bytes_created, 1e-12, "%s", what);
}

static void check_shape(swq_context *ctx, swq_shape shape, const char *buffer, const char *what)
{
    enum { WARM_UP = 400, CYCLES = 4000 };
    swq_sender_group group;
    swq_async n = a_network(shape, &group, 0.35, (swq_spread){SWQ_UNIFORM, 5, 60});
    const swq_buffer_kind *kind;
    swq_sim_options options = run_of(9, 1, WARM_UP, CYCLES);
    start_log log = {0};
    swq_async_watch watch = {.started = log_start, .arg = &log};
    swq_fabric f;
    swq_detail d;

    n.flow.row = &swq_flow_blocking;
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 512), SWQ_OK);
    cr_assert_eq(swq_fabric_make(ctx, &n.shape, &f), SWQ_OK);
    const size_t outputs = (size_t)f.switches * (size_t)f.ports;
    cr_assert_eq(swq_detail_new(ctx, f.nodes, outputs, SWQ_DETAIL_NODES | SWQ_DETAIL_LINKS, &d),
                 SWQ_OK);
    const swq_async_result without = run_async(&n, &options, NULL);
    options.detail = &d;
    const swq_async_result r = run_async(&n, &options, &watch);
    cr_assert_eq(memcmp(&without.sim.all, &r.sim.all, sizeof r.sim.all), 0, "%s", what);
    books b = books_for(d.links);
    keep_books(&log, &f, WARM_UP, WARM_UP + CYCLES, &b);
    check_links(&d, &f, &r, &b, what);
    check_nodes(&d, &r, &b, what);
    close_books(&b);
    free(log.at);
    swq_detail_clear(ctx, &d);
    swq_fabric_clear(ctx, &f);
}

Test(detail_async, every_node_and_link_by_the_transmissions)
{
    swq_context *ctx = swq_context_new();
    swq_shape chained = shape_of_grid("mesh", 3, 3), one_way = shape_of_grid("torus", 2, 4);

    chained.chained = true;
    one_way.one_way = true;
    check_shape(ctx, shape_in_stages("omega", 4, 2), "damq", "omega");
    check_shape(ctx, shape_in_stages("butterfly", 2, 3), "safc", "butterfly");
    check_shape(ctx, shape_of_grid("mesh", 2, 5), "damq", "mesh");
    check_shape(ctx, shape_of_grid("mesh", 2, 4), "dafc", "mesh, dafc");
    check_shape(ctx, shape_of_grid("hypercube", 4, 2), "fifo", "hypercube");
    check_shape(ctx, chained, "damq", "chained mesh");
    check_shape(ctx, one_way, "safc", "one-way torus");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- by enumeration ---- */

enum { SIDE = 8 };

/* Ways from (x, y) to (y, x), x first, over each output of a node: up and down in x, in y. */
static void enumerate_transpose(int (*ways)[4])
{
    for (int x = 0; x < SIDE; x++) {
        for (int y = 0; y < SIDE; y++) {
            int a = x, b = y;
            for (; a != y; a += y > x ? 1 : -1)
                ways[a * SIDE + b][y > x ? 0 : 1]++;
            for (; b != x; b += x > y ? 1 : -1)
                ways[a * SIDE + b][x > y ? 2 : 3]++;
        }
    }
}

/* Where no sender waits for the network, a link carries the load of each that sends over it. */
Test(detail_async, links_of_a_mesh_under_transpose)
{
    static const double load = 0.04;
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n =
        a_network(shape_of_grid("mesh", 2, SIDE), &group, load, (swq_spread){SWQ_CONSTANT, 16, 0});
    const uint32_t nodes = SIDE * SIDE;
    swq_sim_options options = run_of(17, 2, 2000, 200000);
    int ways[SIDE * SIDE][4] = {{0}}, used = 0;
    scores all = {.quantity = "utilisation"};
    swq_detail d;

    cr_assert_eq(swq_pattern_find(ctx, "transpose", &group.type[0].pattern), SWQ_OK);
    swq_sender_group_load(&n, &group, load);
    cr_assert_eq(swq_detail_new(ctx, nodes, (size_t)nodes * 5, SWQ_DETAIL_LINKS, &d), SWQ_OK);
    options.detail = &d;
    const swq_async_result r = run_async(&n, &options, NULL);
    enumerate_transpose(ways);
    for (uint32_t i = 0; i < nodes; i++) {
        for (uint32_t p = 0; p < 4; p++) {
            const swq_link_detail *link = &d.link[nodes + i * 5 + p];
            used += ways[i][p] > 0;
            if (ways[i][p] == 0)
                cr_assert_eq(link->packets, 0, "node %u, output %u", i, p);
            else
                scores_add(&all,
                           score_of(&link->utilisation, load * ways[i][p], r.sim.batches, 0.95),
                           "utilisation");
        }
    }
    cr_assert_gt(used, 100);
    swq_detail_clear(ctx, &d);
    swq_context_free(ctx);
}

/* ---- percentiles ---- */

/* With latencies of hundreds of cycles intervals are not wide because these are whole numbers. They
 * are wider than the scatter, as the runs are not much longer than 50 memories; intervals of half
 * the confidence would show if they were much too wide. The slowest percent is worth six
 * independent packets, too few for such narrow ones. */
Test(detail_async, intervals_of_percentiles_hold_them)
{
    enum { RUNS = 300, LEVELS = 3 };
    static const double level[LEVELS] = {0.5, 0.9, 0.99};
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n =
        a_network(shape_in_stages("omega", 2, 3), &group, 0.6, (swq_spread){SWQ_UNIFORM, 6, 32});
    swq_sim_options o = run_of(1995, 8, 1000, 400000);
    int held[LEVELS] = {0}, given = 0;
    swq_detail d;

    const swq_async_result truth = run_async(&n, &o, NULL);
    cr_assert_eq(swq_detail_new(ctx, 8, 0, 0, &d), SWQ_OK);
    d.percentiles = LEVELS;
    for (int p = 0; p < LEVELS; p++)
        d.percentile[p].level = level[p];
    for (int run = 0; run < RUNS; run++) {
        o = run_of(100 + (uint64_t)run, 1 + run % 3, 1000, 20000);
        o.confidence = 0.5;
        o.detail = &d;
        run_async(&n, &o, NULL);
        given += isfinite(d.percentile[0].lower);
        for (int p = 0; p < LEVELS; p++)
            held[p] += d.percentile[p].lower <= truth.sim.all.percentile[p] &&
                       d.percentile[p].upper >= truth.sim.all.percentile[p];
    }
    cr_expect_gt(given, RUNS / 2);     /* others are too short for the network's memory */
    for (int p = 0; p < LEVELS; p++) { /* four standard deviations */
        cr_expect(held[p] > given * 0.5 - 4 * sqrt(given * 0.25) &&
                      (level[p] == 0.99 || held[p] < given * 0.85),
                  "%g%%: %d of %d", 100 * level[p], held[p], given);
    }
    swq_detail_clear(ctx, &d);
    swq_context_free(ctx);
}
