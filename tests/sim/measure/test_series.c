/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows of a run hold exactly what the run does: their packets add up to its totals, what is in
 * flight follows from them, one window of all cycles is the whole run, and asking for windows
 * changes nothing else.
 */
#include "base/statistics.h"
#include "tests/sim/inspector.h"
#include "tests/sim/samples.h"

TestSuite(sim_series, .timeout = 240);

enum { NETWORKS = 7, GROUPS = 3 };

/* A run of either engine, chosen by its number. */
typedef struct {
    swq_async async;
    swq_sender_group group[2];
    uint8_t members[64];
    swq_network sync;
    bool is_async;
} either;

static void choose(swq_context *ctx, int which, either *e, swq_sim_options *options)
{
    static const char *const buffer[NETWORKS] = {"damq", "samq", "cbda", "damq", "fifo"};
    swq_switch sw = test_switch(ctx, which < 5 ? buffer[which] : "damq", 4, 4, 0.9, "rotating");

    *e = (either){.is_async = which >= 5};
    if (which == 1 || which == 4) {
        sw.flow = SWQ_BLOCK;
        sw.credit = SWQ_CREDIT_NEXT;
    }
    if (!e->is_async) {
        e->sync = network_in_stages(ctx, "omega", 3, &sw);
        e->sync.resend = which == 3;
        e->sync.traffic.load = which == 3 ? 0.3 : 0.9;
        if (which == 4) {
            e->sync.traffic.kind = SWQ_SOURCE_OPEN;
            e->sync.traffic.queue_limit = 3;
            e->sync.sw.priority.fraction = 0.2;
        }
        for (int i = 0; i < 64; i++)
            e->members[i] = (uint8_t)(i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : 2);
        if (which != 1) {
            options->group = e->members;
            options->groups = GROUPS;
        }
        return;
    }
    e->async = async_network(shape_of_grid("torus", 2, 4), "damq", 160);
    e->async.flow.row = &swq_flow_maximum_usage;
    e->async.flow.threshold = 8;
    e->group[0] =
        swq_sender_group_uniform(&e->async, SWQ_SOURCE_OPEN, 0.4, (swq_spread){SWQ_UNIFORM, 4, 60});
    e->group[1] =
        swq_sender_group_uniform(&e->async, SWQ_SOURCE_HOLD, 0.9, (swq_spread){SWQ_UNIFORM, 4, 60});
    e->group[0].mask = e->group[0].value = which == 5;
    e->async.traffic.group = e->group;
    e->async.traffic.groups = which == 5 ? 2 : 1;
}

static swq_sim_result result_of(swq_context *ctx, const either *e, const swq_sim_options *options)
{
    swq_sim_result r;
    static swq_async_result a;
    swq_status status = e->is_async ? swq_async_run(ctx, &e->async, options, NULL, &a)
                                    : swq_sim_run(ctx, &e->sync, options, &r);

    cr_assert_eq(status, SWQ_OK, "%s", swq_context_message(ctx));
    return e->is_async ? a.sim : r;
}

static void expect_same_estimate(swq_estimate a, swq_estimate b, const char *what)
{
    cr_expect(memcmp(&a, &b, sizeof a) == 0 || (isnan(a.mean) && isnan(b.mean)),
              "%s: %.17g +- %.17g, not %.17g +- %.17g", what, a.mean, a.half_width, b.mean,
              b.half_width);
}

/* The same means, whatever their intervals. */
static void expect_same_means(const swq_flow_result *a, const swq_flow_result *b, const char *what)
{
    const double pairs[][2] = {{a->throughput.mean, b->throughput.mean},
                               {a->latency.mean, b->latency.mean},
                               {a->hops.mean, b->hops.mean},
                               {a->discard_fraction.mean, b->discard_fraction.mean},
                               {a->bytes, b->bytes}};

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        cr_expect((isnan(pairs[k][0]) && isnan(pairs[k][1])) ||
                      relative_difference(pairs[k][0], pairs[k][1]) < 1e-13,
                  "%s, mean %zu: %.17g is not %.17g", what, k, pairs[k][0], pairs[k][1]);
    cr_expect(a->created == b->created && a->delivered == b->delivered &&
                  a->discarded == b->discarded,
              "%s: other packets", what);
}

/* The flow of a window: of all, of a group, or of a class. */
static const swq_flow_result *flow_of(const swq_window *w, int k)
{
    return k == 0 ? &w->all : k <= GROUPS ? &w->by_group[k - 1] : &w->by_class[k - 1 - GROUPS];
}

/* The windows' sums (`whole`, unless it is NULL), and how packets in flight carry over from one
 * window to the next. `lost`: discarded packets do not return. */
static void check_sums(const swq_sim_result *r, int replications, int k,
                       const swq_flow_result *whole, bool lost, bool from_empty, const char *what)
{
    uint64_t created = 0, delivered = 0, discarded = 0;
    double before = 0;

    for (size_t w = 0; w < r->series->windows; w++) {
        const swq_flow_result *f = flow_of(&r->series->window[w], k);
        const double now = f->in_flight.mean * replications;
        const double more =
            (double)f->created - (double)f->delivered - (lost ? (double)f->discarded : 0);
        if ((w > 0 || from_empty) && r->series->window[w].replications == replications)
            cr_expect(fabs(now - before - more) < 1e-6,
                      "%s, flow %d, window %zu: %.9g in flight after %.9g and %.9g more", what, k,
                      w, now, before, more);
        before = now;
        created += f->created;
        delivered += f->delivered;
        discarded += f->discarded;
    }
    if (!whole)
        return;
    cr_expect(
        created == whole->created && delivered == whole->delivered && discarded == whole->discarded,
        "%s, flow %d: windows have %llu, %llu, %llu packets", what, k, (unsigned long long)created,
        (unsigned long long)delivered, (unsigned long long)discarded);
    if (k == 0 && r->stopped_by == SWQ_STOP_CYCLES)
        cr_expect(fabs(before - (double)r->total_in_flight) < 1e-6, "%s: %.9g at the end", what,
                  before);
}

Test(sim_series, windows_add_up_to_the_run_which_they_do_not_change)
{
    swq_context *ctx = swq_context_new();
    char what[60];

    for (int k = 0; k < 2 * NETWORKS; k++) {
        const int which = k / 2, warm = k % 2;
        either *e = calloc(1, sizeof *e);
        swq_sim_options options = run_of(5, 1 + k % 3, warm ? 150 : 0, 1010);
        choose(ctx, which, e, &options);
        const swq_sim_result without = result_of(ctx, e, &options);
        cr_assert_null(without.series);
        options.series = 100;
        options.threads = 1 + k % 2;
        const swq_sim_result r = result_of(ctx, e, &options);
        snprintf(what, sizeof what, "network %d after %d cycles", which, warm ? 150 : 0);
        expect_same_estimate(r.all.throughput, without.all.throughput, what);
        expect_same_estimate(r.all.latency, without.all.latency, what);
        expect_same_estimate(r.stage[0].occupancy, without.stage[0].occupancy, what);
        cr_expect_eq(r.all.max, without.all.max);
        cr_assert_eq(r.series->windows, 11);
        for (size_t w = 0; w < 11; w++) {
            cr_expect_eq(r.series->window[w].first, (warm ? 150 : 0) + 100 * w);
            cr_expect_eq(r.series->window[w].cycles, w < 10 ? 100 : 10);
            cr_expect_eq(r.series->window[w].replications, options.replications);
        }
        check_sums(&r, options.replications, 0, &r.all, which != 3, !warm, what);
        for (int g = 0; g < r.groups && r.groups > 1; g++)
            check_sums(&r, options.replications, 1 + g, &r.by_group[g], which != 3, !warm, what);
        for (int c = 0; c < SWQ_CLASSES && which == 4; c++)
            check_sums(&r, options.replications, 1 + GROUPS + c, &r.by_class[c], true, !warm, what);
        cr_expect_gt(r.all.delivered, 200, "%s", what);
        swq_series_free(ctx, r.series);
        free(e);
    }
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* An automatic warm-up is not changed by windows, which show it, too. */
Test(sim_series, windows_begin_before_an_automatic_warm_up)
{
    swq_context *ctx = swq_context_new();
    char what[60];

    for (int which = 0; which < NETWORKS; which++) {
        either *e = calloc(1, sizeof *e);
        swq_sim_options options = run_of(5, 2, SWQ_WARMUP_AUTO, 3000);
        choose(ctx, which, e, &options);
        const swq_sim_result without = result_of(ctx, e, &options);
        options.series = 100;
        const swq_sim_result r = result_of(ctx, e, &options);
        uint64_t created = 0, delivered = 0;
        for (size_t w = 0; w < r.series->windows; w++) {
            created += r.series->window[w].all.created;
            delivered += r.series->window[w].all.delivered;
        }
        snprintf(what, sizeof what, "network %d", which);
        cr_expect_eq(r.warmup, without.warmup, "%s", what);
        expect_same_estimate(r.all.throughput, without.all.throughput, what);
        expect_same_estimate(r.all.latency, without.all.latency, what);
        expect_same_estimate(r.stage[0].occupancy, without.stage[0].occupancy, what);
        cr_expect_eq(r.series->window[0].first, 0, "%s", what);
        cr_expect_eq(created, r.total_created, "%s", what);
        cr_expect_eq(delivered, r.total_delivered, "%s", what);
        check_sums(&r, 2, 0, NULL, which != 3, true, what);
        for (int g = 0; g < r.groups && r.groups > 1; g++)
            check_sums(&r, 2, 1 + g, NULL, which != 3, true, what);
        swq_series_free(ctx, r.series);
        free(e);
    }
    swq_context_free(ctx);
}

Test(sim_series, one_window_is_the_whole_run)
{
    swq_context *ctx = swq_context_new();

    for (int which = 0; which < NETWORKS; which++) {
        either *e = calloc(1, sizeof *e);
        swq_sim_options options = run_of(9, 3, 200, 1000);
        char what[60];
        choose(ctx, which, e, &options);
        options.series = 1000 + (uint64_t)which;
        const swq_sim_result r = result_of(ctx, e, &options);
        snprintf(what, sizeof what, "network %d", which);
        cr_assert_eq(r.series->windows, 1);
        const swq_window *w = r.series->window;
        expect_same_means(&w->all, &r.all, what);
        for (int g = 0; g < r.groups && r.groups > 1; g++)
            expect_same_means(&w->by_group[g], &r.by_group[g], what);
        for (int s = 0; s < r.stages; s++) {
            assert_relative(w->stage[s].occupancy.mean, r.stage[s].occupancy.mean, 1e-13, "%s",
                            what);
            assert_relative(w->stage[s].sent.mean, r.stage[s].sent.mean, 1e-13, "%s", what);
        }
        assert_relative(w->source_queue.mean, r.source_queue.mean, 1e-13, "%s", what);
        swq_series_free(ctx, r.series);
        free(e);
    }
    swq_context_free(ctx);
}

/* Of two replications, the second one's value follows from the mean and the first one's; and for
 * two values a and b the half-width is t |a - b| / 2. */
Test(sim_series, intervals_are_those_of_replications)
{
    swq_context *ctx = swq_context_new();

    for (int which = 0; which < NETWORKS; which++) {
        either *e = calloc(1, sizeof *e);
        swq_sim_options options = run_of(3, 1, 100, 600);
        choose(ctx, which, e, &options);
        options.series = 200;
        const swq_sim_result one = result_of(ctx, e, &options);
        options.replications = 2;
        const swq_sim_result two = result_of(ctx, e, &options);
        for (size_t k = 0; k < 3; k++) {
            const swq_window *a = &one.series->window[k], *both = &two.series->window[k];
            const double t = swq_student_t(options.confidence, 1);
            const swq_estimate *of_one[] = {&a->all.throughput, &a->all.in_flight,
                                            &a->stage[1].occupancy, &a->source_queue};
            const swq_estimate *of_two[] = {&both->all.throughput, &both->all.in_flight,
                                            &both->stage[1].occupancy, &both->source_queue};
            for (size_t q = 0; q < 4; q++) {
                const double half = t * fabs(of_one[q]->mean - of_two[q]->mean);
                cr_expect(isnan(of_one[q]->half_width), "network %d: an interval of one", which);
                cr_expect(fabs(of_two[q]->half_width - half) <= 1e-9 * (1 + half),
                          "network %d, window %zu, %zu: %.12g, not %.12g", which, k, q,
                          of_two[q]->half_width, half);
            }
        }
        swq_series_free(ctx, one.series);
        swq_series_free(ctx, two.series);
        free(e);
    }
    swq_context_free(ctx);
}

/* Runs that end early have fewer windows, and a shorter last one. */
Test(sim_series, a_run_that_ends_early)
{
    swq_context *ctx = swq_context_new();

    for (int which = 0; which < NETWORKS; which++) {
        either *e = calloc(1, sizeof *e);
        swq_sim_options options = run_of(3, 2, 0, 100000);
        choose(ctx, which, e, &options);
        options.series = 70;
        options.packets = 1234;
        const swq_sim_result r = result_of(ctx, e, &options);
        const swq_series *s = r.series;
        uint64_t cycles = 0;
        cr_expect_eq(r.stopped_by, SWQ_STOP_PACKETS);
        cr_assert(s->windows > 0 && s->windows < 1000, "%zu windows", s->windows);
        for (size_t k = 0; k < s->windows; k++)
            cycles += s->window[k].cycles;
        cr_expect_eq(cycles, r.cycles);
        check_sums(&r, 2, 0, &r.all, which != 3, false, "a run that ends early");
        swq_series_free(ctx, r.series);
        free(e);
    }
    swq_context_free(ctx);
}

Test(sim_series, what_cannot_be_cut_into_windows_is_refused)
{
    swq_context *ctx = swq_context_new();
    either *e = calloc(1, sizeof *e);
    swq_sim_options good = run_of(3, 1, 0, 1000), bad[4];
    swq_sim_result r;

    choose(ctx, 1, e, &good);
    good.series = 10;
    for (int k = 0; k < 4; k++)
        bad[k] = good;
    bad[0].warmup = SWQ_WARMUP_AUTO; /* which may take as long again */
    bad[0].cycles = 5 * (uint64_t)SWQ_MAX_WINDOWS + 1;
    bad[1].ignore = 10;
    bad[2].precision = 0.1;
    bad[3].cycles = 10 * (uint64_t)SWQ_MAX_WINDOWS + 1;
    for (int k = 0; k < 4; k++) {
        cr_expect_eq(swq_sim_run(ctx, &e->sync, &bad[k], &r), SWQ_EINVAL, "%d", k);
        cr_expect(strstr(swq_context_message(ctx), "series"), "%s", swq_context_message(ctx));
    }
    free(e);
    swq_context_free(ctx);
}

Test(sim_series, every_allocation_fails)
{
    swq_context *ctx = swq_context_new();

    for (int which = 0; which < NETWORKS; which += 5) {
        either *e = calloc(1, sizeof *e);
        swq_sim_options options = run_of(3, 2, 0, 100);
        bool failed = true;
        choose(ctx, which, e, &options);
        options.series = 30;
        for (size_t after = 0; failed; after++) {
            static swq_async_result a;
            swq_sim_result r = {0};
            swq_context_fail_allocations(ctx, after, false);
            swq_status status = e->is_async ? swq_async_run(ctx, &e->async, &options, NULL, &a)
                                            : swq_sim_run(ctx, &e->sync, &options, &r);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            failed = status != SWQ_OK;
            if (failed)
                cr_assert_eq(status, SWQ_ENOMEM);
            else
                swq_series_free(ctx, e->is_async ? a.sim.series : r.series);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "after %zu", after);
            cr_assert_lt(after, 1000);
        }
        free(e);
    }
    swq_context_free(ctx);
}
