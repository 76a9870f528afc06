/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Open sources are stationary from the first cycle on: the residual of every distribution, and the
 * messages of any number of cycles, of both engines.
 */
#include "sim/traffic/pareto.h"
#include "sim/traffic/residual.h"
#include "tests/sim/inspector.h"
#include "tests/sim/samples.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>

TestSuite(beginning, .timeout = 240);

static const swq_spread spreads[] = {
    {SWQ_CONSTANT, 1, 0},    {SWQ_CONSTANT, 40, 0},  {SWQ_UNIFORM, 35, 60},
    {SWQ_UNIFORM, 1, 9},     {SWQ_GEOMETRIC, 60, 1}, {SWQ_GEOMETRIC, 1, 1},
    {SWQ_PARETO, 1.2, 1.05}, {SWQ_PARETO, 32, 1.6},  {SWQ_PARETO, 50, 8},
};
enum { SPREADS = sizeof spreads / sizeof *spreads };

/* The chance of more than k. */
static double tail(const swq_spread *s, double k)
{
    switch (s->kind) {
    case SWQ_CONSTANT:
        return k < s->first;
    case SWQ_UNIFORM:
        return k < s->first ? 1 : fmax(0, (s->second - k) / (s->second - s->first + 1));
    case SWQ_PARETO:
        return k < SWQ_MAX_MESSAGE ? pow(1 + k / swq_pareto_scale(s), -s->second) : 0;
    case SWQ_GEOMETRIC:
        break;
    }
    return pow((s->first - s->second) / (1 + s->first - s->second), fmax(0, k - s->second + 1));
}

/* Chi-square of counts of 0 .. most - 1, and of all that is larger. */
static void expect_chances(const uint64_t *count, const double *chance, int most, uint64_t n,
                           const char *what)
{
    double square = 0, expected = 0, seen = 0, left = (double)n, unseen = (double)n;
    int cells = 0;

    for (int k = 0; k < most; k++) {
        expected += (double)n * chance[k];
        seen += (double)count[k];
        if (expected < 10 || left - expected < 10)
            continue;
        square += (seen - expected) * (seen - expected) / expected;
        left -= expected;
        unseen -= seen;
        expected = seen = 0;
        cells++;
    }
    square += left > 1e-6 * (double)n ? (unseen - left) * (unseen - left) / left : unseen;
    cr_expect(cells == 0 ? square < 1e-6 : gsl_cdf_chisq_Q(square, cells) > 1e-6,
              "%s: chi-square %g of %d cells", what, square, cells + 1);
}

Test(beginning, a_residual_is_more_than_k_over_the_mean)
{
    enum { DRAWS = 200000, MOST = 400 };
    const swq_streams streams = swq_streams_of(7, 0);

    for (int i = 0; i < SPREADS; i++) {
        const swq_drawn drawn = swq_spread_prepare(&spreads[i]);
        uint64_t count[MOST] = {0};
        double chance[MOST];
        char what[20];
        for (uint32_t n = 0; n < DRAWS; n++) {
            swq_words w = swq_stream_words(&streams, SWQ_STREAM_PACKET, n, 0);
            swq_endless_words words =
                swq_words_from(&streams, n, 0, (uint64_t)w.v[0] << 32 | w.v[1]);
            const uint32_t k = swq_residual_draw(&drawn, &words);
            cr_assert_lt(k, SWQ_MAX_MESSAGE);
            if (k < MOST)
                count[k]++;
        }
        for (int k = 0; k < MOST; k++)
            chance[k] = tail(&spreads[i], k) / swq_spread_mean(&spreads[i]);
        snprintf(what, sizeof what, "spread %d", i);
        expect_chances(count, chance, MOST, DRAWS, what);
    }
}

/* ---- a network ---- */

enum { NODES = 64, BYTES = 5 };

static swq_async sixty_four(void)
{
    swq_async n = async_network(shape_in_stages("omega", 8, 2), "dafc", 4096);

    n.link.rest = 2;
    n.packet.max = 64;
    return n;
}

static swq_sender_group to_anyone(swq_spread interval, double burst, swq_spread length)
{
    return (swq_sender_group){
        .kind = SWQ_SOURCE_OPEN,
        .interval = interval,
        .burst = burst,
        .type = {{.probability = 1, .pattern = &swq_pattern_uniform, .length = length}},
        .types = 1};
}

/* The packets created in that many cycles, in each of some runs: does their mean have this value?
 * At 4.5 standard errors, from the scatter of the runs. */
static void expect_created(const swq_async *n, uint64_t cycles, double wanted, const char *what)
{
    enum { RUNS = 100 };
    double created[RUNS];

    for (int k = 0; k < RUNS; k++) {
        const swq_sim_options options = run_of((uint64_t)k + 1, 1, 0, cycles);
        created[k] = (double)run_async(n, &options, NULL).sim.total_created;
    }
    const double mean = gsl_stats_mean(created, 1, RUNS);
    const double error = gsl_stats_sd(created, 1, RUNS) / sqrt(RUNS);
    cr_expect(fabs(mean - wanted) <= 4.5 * error + 1e-9, "%s, %d cycles: %g +- %g, not %g", what,
              (int)cycles, mean, error, wanted);
}

/* Far below the mean interval and about twice as long. */
Test(beginning, messages_are_as_many_as_the_mean_interval_says)
{
    const swq_spread length = {SWQ_CONSTANT, BYTES, 0};
    const double bursts[] = {1, 6};

    for (int i = 0; i < 2 * SPREADS; i++) {
        const swq_spread *s = &spreads[i / 2];
        const double burst = bursts[i % 2];
        const double mean = (swq_spread_mean(s) + (burst - 1) * (BYTES + 2)) / burst;
        swq_async n = sixty_four();
        swq_sender_group g = to_anyone(*s, burst, length);
        char what[40];
        n.traffic.group = &g;
        n.traffic.groups = 1;
        snprintf(what, sizeof what, "spread %d, bursts of %g", i / 2, burst);
        const uint64_t shorter = (uint64_t)ceil(mean / 8), longer = (uint64_t)(2.3 * mean) + 1;
        expect_created(&n, shorter, NODES * (double)shorter / mean, what);
        expect_created(&n, longer, NODES * (double)longer / mean, what);
    }
}

/* Two types of message: a sender is more often in the midst of a burst of longer messages, by the
 * time that they take, while a burst that begins has either type as often as asked. */
Test(beginning, a_sender_is_in_the_midst_of_bursts_as_long_as_they_take)
{
    enum { CYCLES = 3, RUNS = 400 };
    swq_async n = sixty_four();
    swq_sender_group g = to_anyone((swq_spread){SWQ_UNIFORM, 20, 120}, 4, (swq_spread){0});
    double messages = 0, longer = 0;

    g.types = 2;
    g.type[1] = g.type[0];
    g.type[0].length = (swq_spread){SWQ_UNIFORM, 1, 7};
    g.type[1].length = (swq_spread){SWQ_UNIFORM, 40, 60};
    g.type[0].probability = 0.7;
    g.type[1].probability = 0.3;
    n.traffic.group = &g;
    n.traffic.groups = 1;
    expect_created(&n, CYCLES, NODES * CYCLES / ((70 + 3 * (0.7 * 6 + 0.3 * 52)) / 4), "two types");
    for (int k = 0; k < RUNS; k++) {
        start_log log = {0};
        swq_async_watch watch = {.started = log_start, .arg = &log};
        const swq_sim_options options = run_of((uint64_t)k + 1, 1, 0, CYCLES);
        run_async(&n, &options, &watch);
        for (size_t m = 0; m < log.count; m++) {
            messages += log.at[m].switch_ == SWQ_NO_WHERE;
            longer += log.at[m].switch_ == SWQ_NO_WHERE && log.at[m].bytes >= 40;
        }
        free(log.at);
    }
    /* in the midst of a burst more often, but of no more messages for each cycle in it */
    cr_expect(fabs(longer - 0.3 * messages) < 4.5 * sqrt(0.21 * messages), "%g of %g", longer,
              messages);
}

/* A group in time begins in its first cycle as one that has always been there. */
Test(beginning, groups_in_time_begin_as_if_they_had_always_sent)
{
    swq_async n = sixty_four();
    swq_sender_group g[2];

    g[0] = to_anyone((swq_spread){SWQ_CONSTANT, 1000, 0}, 1, (swq_spread){SWQ_CONSTANT, BYTES, 0});
    g[1] = to_anyone((swq_spread){SWQ_UNIFORM, 100, 500}, 1, (swq_spread){SWQ_CONSTANT, BYTES, 0});
    g[0].from = 50;
    g[0].until = 300;
    g[1].from = 300;
    n.traffic.group = g;
    n.traffic.groups = 2;
    expect_created(&n, 300, NODES * 250 / 1000.0, "one group");
    expect_created(&n, 350, NODES * (250 / 1000.0 + 50 / 300.0), "and another");
}

/* A closed sender that never waits for the network is late by at most half a message. */
Test(beginning, closed_senders_begin_with_a_residual_interval)
{
    swq_async n = sixty_four();
    swq_sender_group g =
        to_anyone((swq_spread){SWQ_CONSTANT, 2000, 0}, 1, (swq_spread){SWQ_CONSTANT, BYTES, 0});

    g.kind = SWQ_SOURCE_HOLD;
    n.traffic.group = &g;
    n.traffic.groups = 1;
    expect_created(&n, 1000, NODES * (1000 - (BYTES + 2 - 1) / 2.0) / 2000, "hold");
}

/* Synchronous bursts: in every cycle, the first one included, as many packets as the load says. */
Test(beginning, synchronous_bursts_are_stationary)
{
    enum { RUNS = 200 };
    const uint64_t cycles[] = {1, 7, 60};
    swq_context *ctx = swq_context_new();
    const swq_switch sw = test_switch(ctx, "damq", 4, 4, 0.5, "rotating");
    swq_network n = network_in_stages(ctx, "omega", 3, &sw);

    n.traffic.burst = 20;
    n.traffic.load = 0.3;
    for (int kind = 0; kind < 2; kind++) {
        n.traffic.kind = kind ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD;
        for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++) {
            double created[RUNS];
            for (int k = 0; k < RUNS; k++) {
                const swq_sim_options options = run_of((uint64_t)k + 1, 1, 0, cycles[c]);
                swq_sim_result r;
                cr_assert_eq(swq_sim_run(ctx, &n, &options, &r), SWQ_OK);
                created[k] = (double)r.total_created;
            }
            const double mean = gsl_stats_mean(created, 1, RUNS);
            const double error = gsl_stats_sd(created, 1, RUNS) / sqrt(RUNS);
            cr_expect(fabs(mean - 64 * 0.3 * (double)cycles[c]) < 4.5 * error,
                      "%s, %d cycles: %g +- %g", kind ? "open" : "hold", (int)cycles[c], mean,
                      error);
        }
    }
    swq_context_free(ctx);
}

/* ---- how slowly they change ---- */

Test(beginning, the_slowest_process_of_the_sources)
{
    const swq_spread short_ = {SWQ_CONSTANT, BYTES, 0}, long_ = {SWQ_CONSTANT, 640, 0};
    const struct {
        swq_source_kind kind;
        swq_spread interval;
        double burst;
        swq_spread length;
        double cycles;
    } row[] = {
        {SWQ_SOURCE_OPEN, {SWQ_GEOMETRIC, 70, 1}, 1, short_, 0},
        {SWQ_SOURCE_HOLD, {SWQ_GEOMETRIC, 70, 0}, 1, short_, 0},
        {SWQ_SOURCE_OPEN, {SWQ_CONSTANT, 70, 0}, 1, short_, 70},
        {SWQ_SOURCE_HOLD, {SWQ_CONSTANT, 70, 0}, 1, short_, 70 + BYTES + 2},
        {SWQ_SOURCE_OPEN, {SWQ_GEOMETRIC, 70, 1}, 10, short_, 70 + 9 * (BYTES + 2)},
        {SWQ_SOURCE_HOLD, {SWQ_GEOMETRIC, 70, 0}, 10, short_, 70 + 10 * (BYTES + 2)},
        {SWQ_SOURCE_OPEN, {SWQ_GEOMETRIC, 7000, 1}, 1, long_, 640 + 10 * 2},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        swq_async n = sixty_four();
        swq_sender_group g = to_anyone(row[k].interval, row[k].burst, row[k].length);
        g.kind = row[k].kind;
        n.traffic.group = &g;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1, 1, SWQ_WARMUP_AUTO, 40000);
        const swq_sim_result r = run_async(&n, &options, NULL).sim;
        cr_expect_eq(r.source_cycles, row[k].cycles, "row %zu: %g", k, r.source_cycles);
        cr_expect_geq(r.warmup, 10 * (uint64_t)row[k].cycles, "row %zu: %llu", k,
                      (unsigned long long)r.warmup);
        cr_expect(row[k].cycles > 100 || r.warmup == 1024, "row %zu: %llu", k,
                  (unsigned long long)r.warmup);
    }
}
