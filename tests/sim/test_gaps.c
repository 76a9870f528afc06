/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Geometric draws at rates down to the smallest: what the sources of synchronous networks and the
 * senders of asynchronous ones draw has the rate that was asked for, however small it is.
 */
#include "sim/traffic/spread.h"

#include "sim/stages/fast/gaps.h"
#include "sim/stages/sources.h"
#include "sim/stream.h"
#include "tests/support/support.h"

#include <math.h>

static const double rates[] = {1e-3,  1e-5,  1e-7,  1e-9,  1e-11, 1e-12,  1e-13,  1e-14, 1e-15,
                               1e-16, 1e-17, 1e-18, 1e-20, 1e-30, 1e-100, 1e-300, 5e-324};
enum { RATES = sizeof rates / sizeof *rates, DRAWS = 200000 };

/* A network of two nodes, all of them at `load` or node by node. */
static swq_net *net_at(swq_context *ctx, double load, bool node_by_node)
{
    static double loads[2]; /* what a network is made of outlives it */
    static swq_sim_options options;
    static swq_network n;
    const swq_buffer_kind *kind;
    swq_net *net;

    loads[0] = loads[1] = load;
    options = swq_sim_defaults();
    n = (swq_network){.shape.stages = 1, .traffic = swq_traffic_defaults()};
    n.traffic.load = load;
    n.traffic.node_load = node_by_node ? loads : NULL;
    n.sw.ports = 2;
    n.sw.flow = SWQ_DISCARD;
    cr_assert_eq(swq_fabric_find(ctx, "switch", &n.shape), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &n.sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 2, 4, &n.sw.buffer), SWQ_OK);
    cr_assert_eq(swq_net_new(ctx, &n, &options, 0, &net), SWQ_OK, "%s", swq_context_message(ctx));
    return net;
}

/* That the draws below `limit` are as many as they should be, to five standard deviations. */
static void expect_count(int count, double rate, double limit, const char *what)
{
    const double chance = -expm1(limit * log1p(-rate)), mean = DRAWS * chance;

    cr_assert(fabs(count - mean) <= 5 * sqrt(mean * (1 - chance)) + 1e-3,
              "%s at rate %g: %d gaps below %g, not %g", what, rate, count, limit, mean);
}

Test(gaps, sources_keep_the_rate)
{
    swq_context *ctx = swq_context_new();
    const swq_streams streams = swq_streams_of(5, 0);

    for (int k = 0; k < 2 * RATES; k++) {
        const double rate = rates[k / 2], limit = rate > 1e-9 ? 1 / rate : 3e9;
        swq_net *net = net_at(ctx, rate, k % 2);
        int count = 0;
        for (uint64_t d = 0; d < DRAWS; d++) {
            uint64_t first, second;
            swq_stream_pair(&streams, SWQ_STREAM_PACKET, 0, d, &first, &second);
            count += swq_gap(net, 0, first) < limit;
        }
        expect_count(count, rate, limit, "sources");
        swq_net_free(ctx, net);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The largest uniform number below 1 is 1 - 2^-53, which gives the shortest gaps. */
Test(gaps, the_shortest_gap_of_a_source)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < RATES; k++) {
        swq_net *net = net_at(ctx, rates[k], false);
        const double gap = floor(0x1p-53 / rates[k] * (1 + 1e-12));
        const uint32_t drawn = swq_gap(net, 0, ~(uint64_t)0 - (1 << 11));
        cr_assert_eq(drawn, gap < 4e9 ? (uint32_t)gap : SWQ_NEVER, "rate %g: %u, not %g", rates[k],
                     drawn, gap);
        swq_net_free(ctx, net);
    }
    swq_context_free(ctx);
}

Test(gaps, full_load_has_none_and_no_load_nothing_else)
{
    swq_context *ctx = swq_context_new();
    swq_net *full = net_at(ctx, 1, false), *none = net_at(ctx, 0, false);

    for (uint64_t word = 0; word < 64; word++) {
        const uint64_t spread = word * (UINT64_MAX / 63);
        cr_assert_eq(swq_gap(full, 0, spread), 0);
        cr_assert_eq(swq_gap(none, 0, spread), SWQ_NEVER);
    }
    swq_net_free(ctx, full);
    swq_net_free(ctx, none);
    swq_context_free(ctx);
}

enum { BATCH = 256 };

/* Compares a batch with single draws; returns how many needed a logarithm in double. */
static uint32_t check_batch(const swq_net *net, double rate, const uint64_t *word)
{
    static const uint32_t source[BATCH];
    uint32_t gap[BATCH], untold[BATCH], count = 0;

    draw_gaps(net, source, word, BATCH, gap);
    for (uint32_t k = 0; k < BATCH; k++)
        cr_assert_eq(gap[k], swq_gap(net, 0, word[k]), "rate %g, word %llx", rate,
                     (unsigned long long)word[k]);
    tell_gaps(word, BATCH, (float)-net->sources.per_log[0], gap, untold);
    for (uint32_t k = 0; k < BATCH; k++)
        count += untold[k];
    return count;
}

/* Words about as far from those where gap `gap` begins as a logarithm in float can see. */
static void words_at(const swq_net *net, double gap, uint64_t *word)
{
    const double begin = exp(gap / net->sources.per_log[0]);

    for (int k = 0; k < BATCH; k++) {
        const double u = begin * (1 + ldexp(k % 2 ? -1 : 1, -k / 5));
        word[k] = u < 1 ? (uint64_t)ldexp(u, 53) << 11 : UINT64_MAX;
    }
}

Test(gaps, many_at_a_time_are_those_drawn_one_by_one)
{
    static const double rate[] = {1e-6, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999};
    swq_context *ctx = swq_context_new();
    const swq_streams streams = swq_streams_of(6, 0);
    uint64_t word[BATCH];

    for (size_t r = 0; r < sizeof rate / sizeof *rate; r++) {
        swq_net *net = net_at(ctx, rate[r], false);
        uint32_t untold = 0;
        for (double gap = 0; gap < 400 && gap < 12 / rate[r]; gap++) {
            words_at(net, gap, word);
            check_batch(net, rate[r], word);
        }
        for (uint64_t d = 0; d < 400; d++) {
            for (uint32_t k = 0; k < BATCH; k++) {
                uint64_t second;
                swq_stream_pair(&streams, SWQ_STREAM_PACKET, k, d, &word[k], &second);
            }
            untold += check_batch(net, rate[r], word);
        }
        /* a 1024th of the words lie too near to 0, and twice the error around each whole number */
        const double share = 1. / 1024 + 2 * 4e-6 / -log1p(-rate[r]);
        cr_assert(rate[r] < 1e-4 || untold < 400 * BATCH * (1.1 * share + 3e-4),
                  "rate %g: %u not told", rate[r], untold);
        swq_net_free(ctx, net);
    }
    swq_context_free(ctx);
}

Test(gaps, senders_keep_the_rate)
{
    const swq_streams streams = swq_streams_of(6, 0);

    for (int k = 0; k < RATES; k++) {
        const double mean = fmin(1 / rates[k], 1e300), limit = fmin(mean, 3e9);
        const swq_spread spread = {.kind = SWQ_GEOMETRIC, .first = mean, .second = 0};
        const swq_drawn drawn = swq_spread_prepare(&spread);
        int count = 0;
        for (uint64_t d = 0; d < DRAWS; d++) {
            uint64_t first, second;
            swq_stream_pair(&streams, SWQ_STREAM_PACKET, 0, d, &first, &second);
            count += swq_spread_draw(&drawn, first) < limit;
        }
        expect_count(count, 1 / (1 + mean), limit, "senders");
    }
}

Test(gaps, senders_without_spread)
{
    const swq_spread spread = {.kind = SWQ_GEOMETRIC, .first = 1, .second = 1};
    const swq_drawn drawn = swq_spread_prepare(&spread);

    for (uint64_t word = 0; word < 64; word++)
        cr_assert_eq(swq_spread_draw(&drawn, word * (UINT64_MAX / 63)), 1);
}
