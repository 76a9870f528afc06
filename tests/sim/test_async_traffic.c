/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What senders of asynchronous networks send, and when: distributions of intervals and lengths,
 * destinations, groups, split messages, loads. Seen from outside, as transmissions that begin.
 */
#include "sim/traffic/pareto.h"
#include "sim/traffic/spread.h"
#include "tests/sim/inspector.h"

#include <gsl/gsl_cdf.h>

TestSuite(async_traffic, .timeout = 240);

/* Room for everything, so that senders wait only for their own links. */
static swq_async roomy(swq_shape shape)
{
    swq_async n = async_network(shape, "dafc", 4096);

    n.link.hop_delay = 1;
    n.link.rest = 0;
    return n;
}

static swq_sender_group a_group(swq_source_kind kind, swq_spread interval, swq_spread length)
{
    return (swq_sender_group){
        .kind = kind,
        .interval = interval,
        .type = {{.probability = 1, .pattern = &swq_pattern_uniform, .length = length}},
        .types = 1};
}

/* Runs it and records what senders begin to send. */
static start_log sent_by(swq_async *n, const swq_sender_group *group, int groups, uint64_t cycles)
{
    swq_async_result r;

    n->traffic.group = group;
    n->traffic.groups = groups;
    start_log log = run_logged(n, cycles, &r);
    size_t kept = 0;
    for (size_t k = 0; k < log.count; k++) {
        if (log.at[k].switch_ == SWQ_NO_WHERE)
            log.at[kept++] = log.at[k];
    }
    log.count = kept;
    return log;
}

/* ---- distributions ---- */

/* The probability of each number under a distribution. */
static double chance(const swq_spread *s, double value)
{
    double q;

    switch (s->kind) {
    case SWQ_CONSTANT:
        return value == s->first;
    case SWQ_UNIFORM:
        return value >= s->first && value <= s->second ? 1 / (s->second - s->first + 1) : 0;
    case SWQ_PARETO:
        q = swq_pareto_scale(s);
        return value >= 1 ? pow(1 + (value - 1) / q, -s->second) - pow(1 + value / q, -s->second)
                          : 0;
    case SWQ_GEOMETRIC:
        break;
    }
    q = (s->first - s->second) / (1 + s->first - s->second);
    return value >= s->second ? (1 - q) * pow(q, value - s->second) : 0;
}

/* Chi-square of counts of 0 .. most, pooled into cells of at least ten; the probability of a larger
 * value must be above 1e-6. */
static void check_counts(const uint64_t *count, uint32_t most, const swq_spread *s,
                         const char *what)
{
    double n = 0, square = 0, expected = 0, seen = 0, left = 1;
    int cells = 0;

    for (uint32_t v = 0; v <= most; v++)
        n += (double)count[v];
    for (uint32_t v = 0; v <= most; v++) {
        double p = chance(s, v);
        cr_assert(p > 0 || count[v] == 0, "%s: %u, which cannot be", what, v);
        left -= p;
        expected += n * p;
        seen += (double)count[v];
        if (expected >= 10 && n * left >= 10) {
            square += (seen - expected) * (seen - expected) / expected;
            expected = seen = 0;
            cells++;
        }
    }
    expected += n * fmax(left, 0);
    if (expected > 0)
        square += (seen - expected) * (seen - expected) / expected;
    if (cells > 0)
        cr_assert(gsl_cdf_chisq_Q(square, cells) > 1e-6, "%s: chi-square %g of %d cells", what,
                  square, cells + 1);
}

/* Zeta functions, by summation. */
Test(async_traffic, heavy_tails_have_the_mean_that_is_asked_for)
{
    static const swq_spread spreads[] = {{SWQ_PARETO, 1.5, 1.2}, {SWQ_PARETO, 640, 1.4}};

    for (size_t k = 0; k < sizeof spreads / sizeof *spreads; k++) {
        const swq_spread *s = &spreads[k];
        const double scale = swq_pareto_scale(s);
        double mean = 0, packets = 0;
        for (int x = SWQ_MAX_MESSAGE - 1; x >= 0; x--) {
            const double more = exp(-s->second * log1p(x / scale));
            mean += more;
            if (x % 32 == 0)
                packets += more;
        }
        cr_assert_float_eq(mean, s->first, 1e-8 * s->first, "%g", mean);
        cr_assert_float_eq(swq_spread_link_time(s, 32, 2), s->first + 2 * packets, 1e-8 * s->first);
        const swq_drawn drawn = swq_spread_prepare(s);
        cr_assert_eq(swq_spread_draw(&drawn, UINT64_MAX), 1);
        cr_assert_leq(swq_spread_draw(&drawn, 0), SWQ_MAX_MESSAGE);
    }
    const swq_spread one = {SWQ_PARETO, 1, 1.5};
    const swq_drawn drawn = swq_spread_prepare(&one);
    cr_assert_eq(swq_spread_draw(&drawn, 0), 1);
}

enum { MOST = 4000 };

/* Intervals between births of one sender (open), or from the end, or the start, of one transmission
 * to the next birth (hold), and lengths. */
Test(async_traffic, intervals_and_lengths_are_drawn_as_asked)
{
    static const swq_spread intervals[] = {{SWQ_CONSTANT, 40, 0},    {SWQ_UNIFORM, 35, 60},
                                           {SWQ_GEOMETRIC, 60, 1},   {SWQ_GEOMETRIC, 1, 1},
                                           {SWQ_GEOMETRIC, 45.5, 0}, {SWQ_UNIFORM, 0, 3},
                                           {SWQ_PARETO, 50, 1.8},    {SWQ_GEOMETRIC, 0, 0},
                                           {SWQ_GEOMETRIC, 0.4, 0},  {SWQ_CONSTANT, 0, 0}};
    static const swq_spread lengths[] = {{SWQ_CONSTANT, 7, 0},
                                         {SWQ_UNIFORM, 1, 32},
                                         {SWQ_GEOMETRIC, 3, 1},
                                         {SWQ_GEOMETRIC, 1, 1},
                                         {SWQ_PARETO, 4, 2.5}};
    static uint64_t count[MOST + 1], bytes[MOST + 1];
    char what[100];

    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        for (int kind = 0; kind < 3; kind++) { /* open, hold, hold from the start */
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                swq_async n = roomy(shape_in_stages("switch", 8, 1));
                n.packet.max = 1000;
                give_buffer(&n, "dafc", 16000);
                n.link.rest = (int)l;
                swq_sender_group g =
                    a_group(kind ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN, intervals[i], lengths[l]);
                g.from_start = kind == 2;
                g.type[0].aim = SWQ_AIM_NODE;
                if (kind == 0 && intervals[i].kind != SWQ_GEOMETRIC && intervals[i].first < 1)
                    continue;
                if (kind == 0 && intervals[i].kind == SWQ_GEOMETRIC && intervals[i].second < 1)
                    continue;
                /* each to a node of its own, so that the switch delays nobody */
                swq_sender_group each[8];
                for (uint32_t k = 0; k < 8; k++) {
                    each[k] = g;
                    each[k].mask = 7;
                    each[k].value = each[k].type[0].value = k;
                }
                start_log log = sent_by(&n, each, 8, 12000);
                int64_t before[8];
                memset(before, 0xff, sizeof before);
                memset(count, 0, sizeof count);
                memset(bytes, 0, sizeof bytes);
                snprintf(what, sizeof what, "interval %zu, length %zu, %d", i, l, kind);
                for (size_t k = 0; k < log.count; k++) {
                    const swq_start *s = &log.at[k];
                    int64_t apart = s->birth - before[s->from];
                    cr_assert_eq(s->to, s->from);
                    cr_assert(s->bytes <= MOST && apart >= 0);
                    bytes[s->bytes]++;
                    if (before[s->from] >= 0)
                        count[apart < MOST ? apart : MOST]++;
                    before[s->from] = kind == 0   ? s->birth
                                      : kind == 1 ? s->cycle + s->bytes + n.link.rest
                                                  : s->cycle;
                }
                cr_assert(log.count > 500, "%s: %zu", what, log.count);
                check_counts(count, MOST, &intervals[i], what);
                check_counts(bytes, MOST, &lengths[l], what);
                free(log.at);
            }
        }
    }
}

/* Four nodes whose packets, of 32 bytes, end only when the network knows it: flit by flit, cell by
 * cell, and in pieces. */
static swq_async slow_to_end(int k)
{
    swq_async n =
        k < 2 ? swq_async_defaults() : async_network(shape_in_stages("omega", 2, 2), "damq", 96);

    if (k < 2) {
        n.shape = shape_of_grid("mesh", 2, 2);
        n.architecture.row = k ? &swq_atlas_cells : &swq_wormhole_lanes;
    } else {
        n.packet.piece = 8;
        n.link.hop_delay = 2;
    }
    n.link.rest = k;
    return n;
}

/* Intervals from the start of one message to the birth of the next, which may be before its end:
 * then it waits, and counts as waiting. */
Test(async_traffic, the_next_message_may_wait_while_one_is_sent)
{
    static const int intervals[] = {0, 1, 20, 33, 60};
    char what[60];

    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
            swq_async n = slow_to_end(k);
            swq_sender_group g = a_group(SWQ_SOURCE_HOLD, constantly(intervals[i]), constantly(32));
            swq_async_result r;
            int64_t before[4] = {-1, -1, -1, -1};
            g.from_start = true;
            n.traffic.group = &g;
            n.traffic.groups = 1;
            start_log log = run_logged(&n, 6000, &r);
            snprintf(what, sizeof what, "network %d, interval %d", k, intervals[i]);
            for (size_t s = 0; s < log.count; s++) {
                const swq_start *at = &log.at[s];
                if (at->switch_ != SWQ_NO_WHERE)
                    continue;
                if (before[at->from] >= 0)
                    cr_assert_eq(at->birth, before[at->from] + intervals[i], "%s", what);
                before[at->from] = at->cycle;
            }
            cr_assert_gt(r.sim.all.delivered, 100, "%s", what);
            cr_assert(r.sim.conserved, "%s", what);
            cr_assert(r.sim.little_exact, "%s: packet-cycles do not add up", what);
            free(log.at);
        }
    }
}

/* ---- destinations ---- */

/* Chi-square of how often each (from, to) was sent, compared with weights. */
static void check_pairs(const start_log *log, uint32_t nodes, const double *weight,
                        const char *what)
{
    double *seen = calloc((size_t)nodes * nodes, sizeof *seen), square = 0;
    int cells = 0;

    for (size_t k = 0; k < log->count; k++)
        seen[log->at[k].from * nodes + log->at[k].to]++;
    for (uint32_t i = 0; i < nodes; i++) {
        double n = 0;
        for (uint32_t j = 0; j < nodes; j++)
            n += seen[i * nodes + j];
        for (uint32_t j = 0; j < nodes; j++) {
            double expected = n * weight[i * nodes + j], off = seen[i * nodes + j] - expected;
            cr_assert(weight[i * nodes + j] > 0 || off == 0, "%s: from %u to %u", what, i, j);
            square += expected > 0 ? off * off / expected : 0;
            cells += weight[i * nodes + j] > 0;
        }
        cells -= n > 0;
    }
    if (cells > 0)
        cr_assert(gsl_cdf_chisq_Q(square, cells) > 1e-6, "%s: chi-square %g, %d degrees", what,
                  square, cells);
    free(seen);
}

enum { AIMED_NODES = 16, AIMS = 7 };

/* What case k configures: one kind of destination each, and then a mixture. */
static void aim_case(swq_context *ctx, int k, swq_sender_group *g)
{
    const swq_pattern *transpose, *complement;

    cr_assert_eq(swq_pattern_find(ctx, "transpose", &transpose), SWQ_OK);
    cr_assert_eq(swq_pattern_find(ctx, "bit-complement", &complement), SWQ_OK);
    if (k == 1) {
        g->type[0].pattern = complement;
    } else if (k == 2) { /* the diagonal sends to itself, or nothing */
        g->type[0].pattern = transpose;
    } else if (k == 3) {
        g->type[0].aim = SWQ_AIM_SUBSET;
        g->type[0].mask = 5;
        g->type[0].value = 4;
    } else if (k == 4) {
        g->type[0].aim = SWQ_AIM_NODE;
        g->type[0].value = 9;
    } else if (k == 5) {
        g->type[0].pattern = &swq_pattern_random_permutation;
    } else if (k == 6) { /* a hot spot, a permutation, a subset, and the rest */
        g->types = 4;
        g->type[1] = g->type[2] = g->type[3] = g->type[0];
        g->type[0].aim = SWQ_AIM_NODE;
        g->type[0].value = 3;
        g->type[0].probability = 0.125;
        g->type[1].pattern = complement;
        g->type[1].probability = 0.25;
        g->type[2].aim = SWQ_AIM_SUBSET;
        g->type[2].mask = 8;
        g->type[2].value = 8;
        g->type[2].probability = 0.5;
        g->type[3].probability = 0.125;
    }
}

/* The share of i's traffic that should go to j, by hand; `others`: nobody sends to itself. */
static double aimed_at(int k, bool others, uint32_t i, uint32_t j)
{
    const double uniform = others ? (i != j) / 15.0 : 1 / 16.0;
    const double upper = j >= 8 ? others ? (i != j) / (i >= 8 ? 7.0 : 8.0) : 0.125 : 0;

    if (others && i == j)
        return 0;
    switch (k) {
    case 1:
        return j == 15 - i;
    case 2:
        return j == (i % 4) * 4 + i / 4;
    case 3:
        return (j & 5) == 4;
    case 4:
        return j == 9;
    case 6:
        return 0.125 * (j == 3) + 0.25 * (j == 15 - i) + 0.125 * uniform + 0.5 * upper;
    default:
        return uniform;
    }
}

/* Whatever permutation was drawn, it is kept, and no node receives from two. */
static void permutation_of(const start_log *log, double *weight, const char *what)
{
    bool aimed[AIMED_NODES] = {false};

    memset(weight, 0, sizeof *weight * AIMED_NODES * AIMED_NODES);
    for (uint32_t i = 0; i < AIMED_NODES; i++) {
        for (size_t at = 0; at < log->count; at++) {
            if (log->at[at].from == i) {
                weight[i * AIMED_NODES + log->at[at].to] = 1;
                cr_assert(!aimed[log->at[at].to], "%s", what);
                aimed[log->at[at].to] = true;
                break;
            }
        }
    }
}

/* Uniform (without self if there is no route), subsets, one node, permutations, and mixtures. */
Test(async_traffic, destinations_are_drawn_as_asked)
{
    const swq_shape shapes[] = {shape_of_grid("torus", 2, 4), shape_in_stages("omega", 4, 2),
                                shape_of_grid("hypercube", 4, 2), shape_of_grid("mesh", 2, 4)};
    enum { N = AIMED_NODES };
    swq_context *ctx = swq_context_new();
    char what[100];

    for (int c = 0; c < 4 * AIMS; c++) {
        const swq_shape *shape = &shapes[c / AIMS];
        const int k = c % AIMS;
        double weight[N * N] = {0};
        swq_async n = roomy(*shape);
        swq_sender_group g =
            a_group(SWQ_SOURCE_OPEN, (swq_spread){SWQ_GEOMETRIC, 5, 1}, constantly(1));
        aim_case(ctx, k, &g);
        start_log log = sent_by(&n, &g, 1, 4000);
        snprintf(what, sizeof what, "%s, case %d", shape->kind->name, k);
        for (uint32_t i = 0; i < N; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < N; j++)
                sum += weight[i * N + j] = aimed_at(k, shape->kind->point_to_point, i, j);
            for (uint32_t j = 0; j < N && sum > 0; j++)
                weight[i * N + j] /= sum;
        }
        if (k == 5)
            permutation_of(&log, weight, what);
        check_pairs(&log, N, weight, what);
        cr_assert(log.count > 4000, "%s: %zu", what, log.count);
        free(log.at);
    }
    swq_context_free(ctx);
}

/* ---- bursts ---- */

/* A burst begins after an interval, which other messages do not have; within it, messages follow as
 * fast as the link carries them, to one destination. The lengths of bursts are geometric. */
Test(async_traffic, bursts_are_drawn_as_asked)
{
    enum { APART = 100, LENGTH = 10, MOST_BURST = 60, BURST_NODES = 16 };
    const double mean[] = {1, 2, 5};

    for (int c = 0; c < 6; c++) {
        const bool open = c / 3;
        const swq_spread size = {SWQ_GEOMETRIC, mean[c % 3], 1};
        uint64_t bursts[MOST_BURST + 1] = {0};
        struct {
            int64_t due; /* when the next message of the burst is created */
            uint32_t to, messages;
        } at[BURST_NODES] = {{0}};
        double *weight = calloc(BURST_NODES * BURST_NODES, sizeof *weight);
        swq_async n = roomy(shape_in_stages("omega", 4, 2));
        swq_sender_group g = a_group(open ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, constantly(APART),
                                     constantly(LENGTH));
        char what[60];
        n.link.rest = 3;
        g.burst = mean[c % 3];
        start_log log = sent_by(&n, &g, 1, 60000);
        size_t kept = 0;
        snprintf(what, sizeof what, "%s, bursts of %g", open ? "open" : "hold", mean[c % 3]);
        for (size_t k = 0; k < log.count; k++) {
            const swq_start *s = &log.at[k];
            const uint32_t i = s->from;
            const bool first = at[i].messages == 0;
            if (!first && s->birth == at[i].due) {
                cr_assert_eq(s->to, at[i].to, "%s", what);
                at[i].messages++;
            } else {
                const int64_t end = open ? at[i].due - LENGTH - n.link.rest : at[i].due;
                cr_assert(first || s->birth == end + APART, "%s: %u after %lld", what, s->birth,
                          (long long)at[i].due);
                bursts[at[i].messages < MOST_BURST ? at[i].messages : MOST_BURST] += !first;
                at[i].messages = 1;
                log.at[kept++] = *s; /* one per burst: its destination */
            }
            at[i].to = s->to;
            at[i].due = (int64_t)(open ? s->birth : s->cycle) + LENGTH + n.link.rest;
        }
        cr_assert(kept > 1000, "%s: %zu", what, kept);
        check_counts(bursts, MOST_BURST, &size, what);
        log.count = kept;
        for (int k = 0; k < BURST_NODES * BURST_NODES; k++)
            weight[k] = 1.0 / BURST_NODES;
        check_pairs(&log, BURST_NODES, weight, what);
        free(weight);
        free(log.at);
    }
}

/* Bursts do not change the load. 16 nodes create some 1900 bursts, whose bytes scatter by 4%. */
Test(async_traffic, bursts_leave_the_load)
{
    for (int k = 0; k < 2; k++) {
        swq_async n = roomy(shape_in_stages("omega", 4, 2));
        swq_sender_group g =
            a_group(k ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, constantly(0), constantly(32));
        swq_async_result r;
        g.burst = 5;
        n.link.rest = 2;
        n.traffic.group = &g;
        n.traffic.groups = 1;
        swq_sender_group_load(&n, &g, 0.25);
        free(run_logged(&n, 75000, &r).at);
        cr_expect_float_eq((double)r.bytes_created / (16 * 75000.0), 0.25, 0.04, "%d: %g", k,
                           (double)r.bytes_created / (16 * 75000.0));
    }
}

/* Types are distinguished by their lengths; each occurs as often as configured, destination and
 * length together. */
Test(async_traffic, types_have_their_probabilities)
{
    const double probability[5] = {0.1, 0.35, 0, 0.5, 0.05};
    swq_async n = roomy(shape_in_stages("switch", 5, 1));
    swq_sender_group g = {.kind = SWQ_SOURCE_OPEN, .interval = {SWQ_GEOMETRIC, 8, 1}, .types = 5};
    double seen[5] = {0}, square = 0;

    for (uint32_t t = 0; t < 5; t++)
        g.type[t] = (swq_message_type){.probability = probability[t],
                                       .aim = SWQ_AIM_NODE,
                                       .value = t,
                                       .length = constantly(1 + t)};
    start_log log = sent_by(&n, &g, 1, 20000);
    for (size_t k = 0; k < log.count; k++) {
        cr_assert_eq(log.at[k].bytes, log.at[k].to + 1);
        seen[log.at[k].to]++;
    }
    cr_assert_eq(seen[2], 0);
    for (int t = 0; t < 5; t++) {
        double expected = probability[t] * (double)log.count;
        square += t == 2 ? 0 : (seen[t] - expected) * (seen[t] - expected) / expected;
    }
    cr_assert(log.count > 8000 && gsl_cdf_chisq_Q(square, 3) > 1e-6, "chi-square %g", square);
    free(log.at);
}

/* ---- groups ---- */

/* The first group that includes a sender is its group; senders in none are silent and count
 * nowhere. */
Test(async_traffic, the_first_group_counts)
{
    static const int group_of[16] = {0, 1, 0, 2, 0, 1, 0, 2, 0, -1, 0, 2, 0, -1, 0, 2};
    swq_async n = roomy(shape_of_grid("hypercube", 4, 2));
    swq_sender_group g[3];
    uint64_t packets[4] = {0};
    swq_async_result r;

    for (int k = 0; k < 3; k++)
        g[k] = a_group(SWQ_SOURCE_OPEN, constantly(10 + 3 * k), constantly(1 + k));
    g[0].mask = 1;
    g[0].value = 0; /* even nodes */
    g[1].mask = 10;
    g[1].value = 0; /* of the odd nodes, 1 and 5 */
    g[2].mask = 3;
    g[2].value = 3;
    n.traffic.group = g;
    n.traffic.groups = 3;
    start_log log = run_logged(&n, 3000, &r);
    for (size_t k = 0; k < log.count; k++) {
        const swq_start *s = &log.at[k];
        if (s->switch_ != SWQ_NO_WHERE)
            continue;
        int group = group_of[s->from];
        cr_assert(group >= 0, "sender %u is in no group", s->from);
        cr_assert_eq(s->bytes, (uint32_t)group + 1, "sender %u", s->from);
        packets[group]++;
    }
    free(log.at);
    const double senders[3] = {8, 2, 4};
    for (int k = 0; k < 3; k++) {
        const swq_flow_result *f = &r.sim.by_group[k];
        cr_assert_float_eq((double)packets[k], senders[k] * 3000 / (10 + 3 * k), senders[k] + 1);
        cr_assert(f->created >= packets[k] && f->created <= packets[k] + 16);
        assert_relative(f->throughput.mean * 3000 * senders[k], f->bytes, 1e-9,
                        "group %d: %g bytes", k, f->bytes);
        cr_assert_eq(f->bytes, (double)f->delivered * (k + 1));
    }
}

/* ---- loads ---- */

/* A sender that never waits for the network sends the configured load, whatever the lengths, even
 * if longer than a packet, and the rest. */
Test(async_traffic, loads_are_what_is_sent)
{
    static const swq_spread lengths[] = {{SWQ_CONSTANT, 32, 0},  {SWQ_UNIFORM, 1, 32},
                                         {SWQ_GEOMETRIC, 20, 1}, {SWQ_CONSTANT, 70, 0},
                                         {SWQ_UNIFORM, 10, 150}, {SWQ_GEOMETRIC, 90, 1}};
    static scores all = {.quantity = "load"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 96; k++) {
        const double load = 0.1 + 0.2 * (k / 12 % 4);
        swq_async n = roomy(shape_in_stages("omega", 2, 3));
        n.link.rest = k % 5;
        swq_sender_group g = swq_sender_group_uniform(&n, k % 2 ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD,
                                                      load, lengths[k / 2 % 6]);
        /* the identity: no packets meet */
        swq_sender_group each[8];
        for (uint32_t i = 0; i < 8; i++) {
            each[i] = g;
            each[i].mask = 7;
            each[i].value = each[i].type[0].value = i;
            each[i].type[0].aim = SWQ_AIM_NODE;
        }
        n.traffic.group = each;
        n.traffic.groups = 8;
        swq_sim_options options = run_of(300 + (uint64_t)k, 1, 5000, 60000);
        swq_async_result r = run_async(&n, &options, NULL);
        scores_add(&all, score_of(&r.sim.all.throughput, load, r.sim.batches, 0.95), "throughput");
    }
    scores_check(&all, 90);
    swq_context_free(ctx);
}

Test(async_traffic, no_load_and_full_load)
{
    swq_async n = roomy(shape_in_stages("switch", 4, 1));
    swq_sender_group g = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0, constantly(8));
    swq_sim_options options = run_of(1, 1, 0, 1000);

    cr_assert(g.silent);
    n.traffic.group = &g;
    n.traffic.groups = 1;
    swq_async_result r = run_async(&n, &options, NULL);
    cr_assert_eq(r.sim.total_created, 0);
    cr_assert(isnan(r.sim.all.latency.mean));
    cr_assert_eq(r.sim.all.throughput.mean, 0);

    g = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(8));
    cr_assert_eq(swq_spread_mean(&g.interval), 0);
    n.link.rest = 2; /* not even 0.9 can be carried: no intervals */
    g = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.9, constantly(8));
    cr_assert_eq(swq_spread_mean(&g.interval), 0);
    g = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, constantly(8));
    assert_relative(swq_spread_mean(&g.interval), 8 / 0.5 - 10, 1e-12, "%g", g.interval.first);
    g = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.5, constantly(8));
    assert_relative(swq_spread_mean(&g.interval), 16, 1e-12, "%g", g.interval.first);
}

/* ---- split messages ---- */

/* A message of 100 bytes is sent as 32, 32, 32 and 4: each packet is created when the link has
 * rested after the one before, all to one node; the next message is created after the last of them
 * (hold), or when it is due (open). */
Test(async_traffic, messages_are_split)
{
    for (int kind = 0; kind < 3; kind++) {
        static const uint32_t bytes[4] = {32, 32, 32, 4};
        swq_async n = async_network(shape_in_stages("switch", 4, 1), "dafc", 4096);
        swq_sender_group g = a_group(kind ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN,
                                     constantly(kind ? 5 : 150), constantly(100));
        g.from_start = kind == 2;
        start_log log = sent_by(&n, &g, 1, 4000);
        swq_start before[4];
        uint32_t first[4];
        int packets[4] = {0};
        for (size_t k = 0; k < log.count; k++) {
            const swq_start *s = &log.at[k];
            const uint32_t i = s->from;
            cr_assert_eq(s->bytes, bytes[packets[i] % 4]);
            if (packets[i] > 0) {
                const uint32_t rested = before[i].cycle + before[i].bytes + 2;
                if (packets[i] % 4) {
                    cr_assert_eq(s->to, before[i].to);
                    cr_assert_eq(s->birth, rested);
                } else {
                    cr_assert_eq(s->birth, kind == 0   ? first[i] + 150
                                           : kind == 1 ? rested + 5
                                                       : before[i].cycle + 5);
                }
            }
            if (packets[i] % 4 == 0)
                first[i] = s->birth;
            before[i] = *s;
            packets[i]++;
        }
        for (int i = 0; i < 4; i++)
            cr_assert(packets[i] > 80, "%d", packets[i]);
        free(log.at);
    }
}

/* ... and in a trace, whose next message may be due before the one before has been sent. */
Test(async_traffic, a_trace_is_split_too)
{
    static const swq_async_message trace[] = {
        {10, 0, 2, 70}, {20, 0, 1, 33}, {20, 3, 3, 1}, {20, 3, 2, 32}, {20, 3, 1, 2}};
    static const uint32_t expected[][5] = {
        /* cycle, from, to, birth, bytes */
        {10, 0, 2, 10, 32}, {20, 3, 3, 20, 1}, {23, 3, 2, 20, 32}, {44, 0, 2, 44, 32},
        {57, 3, 1, 20, 2},  {78, 0, 2, 78, 6}, {86, 0, 1, 20, 32}, {120, 0, 1, 120, 1}};
    swq_async n = async_network(shape_in_stages("switch", 4, 1), "dafc", 4096);
    swq_async_result r;

    n.traffic.trace = trace;
    n.traffic.trace_messages = 5;
    start_log log = run_logged(&n, 1000, &r);
    size_t at = 0;
    for (size_t k = 0; k < log.count; k++) {
        const swq_start *s = &log.at[k];
        if (s->switch_ != SWQ_NO_WHERE)
            continue;
        const uint32_t is[5] = {s->cycle, s->from, s->to, s->birth, s->bytes};
        cr_assert(memcmp(is, expected[at], sizeof is) == 0, "packet %zu in cycle %u", at, s->cycle);
        at++;
    }
    cr_assert_eq(at, 8);
    cr_assert_eq(r.sim.stopped_by, SWQ_STOP_TRACE_END);
    cr_assert_eq(r.sim.cycles, 126, "the last begins to leave in cycle 125, not %llu",
                 (unsigned long long)r.sim.cycles - 1);
    cr_assert_eq(r.sim.total_delivered, 8);
    cr_assert_eq(r.bytes_delivered, 138);
    free(log.at);
}
