/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rare discards against what they must be: the exact chain, crude simulation draw for draw, and
 * themselves with another importance. Seeds are fixed; what is asked of a score has a chance of
 * about 1e-5 to fail for another seed. The long version is bench/rare_coverage.c.
 */
#include "sim/rare/check.h"
#include "sim/rare/split.h"
#include "tests/sim/samples.h"

#include <float.h>
#include <string.h>

TestSuite(rare, .timeout = 480);

static swq_rare_options few_steps(uint64_t seed)
{
    swq_rare_options o = swq_rare_defaults();

    o.seed = seed;
    o.pilot_steps = 5000;
    o.warmup = 200;
    o.precision = 0.25;
    return o;
}

static const swq_importance *importance(swq_context *ctx, const char *name)
{
    const swq_importance *row = NULL;

    cr_assert_eq(swq_importance_find(ctx, name, &row), SWQ_OK);
    return row;
}

static swq_rare_result rare(swq_context *ctx, const swq_network *n, const swq_rare_options *o)
{
    swq_rare_result r;

    cr_assert_eq(swq_rare_run(ctx, n, o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    return r;
}

static double score(const swq_rare_result *r, double exact)
{
    return score_of(&r->discard_fraction, exact, (size_t)r->replications, 0.95);
}

/* ---- unbiased ---- */

typedef struct {
    const char *buffer, *arbiter;
    int ports, slots;
    double load;
} rare_point;

Test(rare, every_buffer_within_its_interval_of_its_chain)
{
    static const rare_point points[] = {
        {"fifo", "random", 2, 4, 0.25},  {"samq", "random", 2, 8, 0.25},
        {"safc", "random", 2, 6, 0.25},  {"damq", "rotating", 2, 4, 0.3},
        {"dafc", "longest", 2, 3, 0.25}, {"cbda", "random", 2, 3, 0.25},
        {"damq", "islip", 2, 3, 0.3},    {"samq", "maximum", 3, 6, 0.2},
        {"fifo", "random", 3, 3, 0.25},  {"damq", "maximum-longest", 2, 3, 0.4},
    };
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        const rare_point *p = &points[k];
        swq_switch sw = test_switch(ctx, p->buffer, p->ports, p->slots, p->load, p->arbiter);
        swq_network n = network_of(&sw);
        swq_rare_options o = few_steps(10 + k);
        o.importance = importance(ctx, strcmp(p->buffer, "cbda") ? "rivals" : "drain");
        swq_rare_result r = rare(ctx, &n, &o);
        double exact = test_discard(&sw), z = score(&r, exact);
        cr_assert(r.enough && r.relative <= o.precision && r.stopped_by == SWQ_STOP_PRECISION);
        cr_assert(fabs(z) < 4.5, "%s %s: %g, not %g", p->buffer, p->arbiter,
                  r.discard_fraction.mean, exact);
    }
    swq_context_free(ctx);
}

/* Reserved slots, dynamic thresholds, hot spots, loads by input. */
Test(rare, other_admissions_and_traffic)
{
    swq_context *ctx = swq_context_new();
    double loads[2] = {0.4, 0.15};

    for (int k = 0; k < 3; k++) {
        swq_switch sw = test_switch(ctx, k == 1 ? "cbda" : "damq", 2, 4, 0.3, "random");
        swq_network n;
        if (k == 0) {
            sw.buffer.queue_min = 1;
            sw.buffer.queue_max = 3;
        }
        if (k == 1)
            sw.buffer.alpha = 1;
        n = network_of(&sw);
        if (k == 2) {
            memcpy(sw.load, loads, sizeof loads);
            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 1), SWQ_OK);
            n.traffic.node_load = loads;
            n.traffic.hot[0] = (swq_hot_spot){1, 0.2};
            n.traffic.hot_spots = 1;
        }
        swq_rare_options o = few_steps(60 + (uint64_t)k);
        o.importance = importance(ctx, "fill");
        swq_rare_result r = rare(ctx, &n, &o);
        double exact = test_discard(&sw), z = score(&r, exact);
        cr_assert(fabs(z) < 4.5, "%d: %g, not %g", k, r.discard_fraction.mean, exact);
    }
    swq_context_free(ctx);
}

/* Main paths so short that their ends matter: copies that outlive them, and copies that are missing
 * when they begin. Splitting them as they begin would give 30% too much here. */
Test(rare, the_ends_of_short_paths_even_out)
{
    static const swq_rare_level levels[] = {{8, 10}, {16, 10}};
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "samq", 2, 4, 0.4, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);

    o.importance = importance(ctx, "rivals");
    o.level = levels;
    o.levels = 2;
    o.precision = 0;
    o.cycles = 10;
    o.warmup = 100;
    o.replications = 4096;
    swq_rare_result r = rare(ctx, &n, &o);
    double exact = test_discard(&sw), z = score(&r, exact);
    cr_assert(r.relative < 0.1);
    cr_assert(fabs(z) < 4.5, "%g, not %g", r.discard_fraction.mean, exact);
    swq_context_free(ctx);
}

/* An importance that has little to do with discards: packets of input 0 for output 1, plus one for
 * an odd number of packets at input 1. */
static bool always(const swq_net *net)
{
    (void)net;
    return true;
}

static uint32_t misleading(const swq_net *net, const swq_importance_aid *aid)
{
    (void)aid;
    return net->length[1] + ((net->length[2] + net->length[3]) & 1);
}

static uint32_t misleading_most(const swq_net *net)
{
    return (uint32_t)net->slots + 1;
}

Test(rare, a_bad_importance_has_the_same_mean)
{
    swq_context *ctx = swq_context_new();
    struct swq_importance_of rule = {.fits = always, .value = misleading, .most = misleading_most};
    const swq_importance row = {"misleading", "as it says", &rule};
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.6, "random");
    swq_network n = network_of(&sw);
    swq_rare_level level[] = {{1, 2}, {2, 5}, {3, 3}};
    swq_rare_options o = few_steps(3);

    o.importance = &row;
    o.level = level;
    o.levels = 3;
    o.precision = 0;
    o.cycles = 6000;
    swq_rare_result r = rare(ctx, &n, &o);
    double exact = test_discard(&sw);
    cr_assert(r.relative < 0.1);
    cr_assert(fabs(score(&r, exact)) < 4.5, "%g +- %g, not %g", r.discard_fraction.mean,
              r.discard_fraction.half_width, exact);
    swq_context_free(ctx);
}

/* A pool's fill is its number of packets, whose distribution comes from the chain. */
Test(rare, level_probabilities_are_those_of_the_chain)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "cbda", 2, 3, 0.5, "random");
    swq_network n = network_of(&sw);
    swq_rare_level level[] = {{1, 2}, {2, 4}, {3, 6}, {4, 6}, {5, 8}};
    swq_rare_options o = few_steps(4);
    swq_answers a = test_solve(ctx, &sw, "auto");

    o.importance = importance(ctx, "fill");
    o.level = level;
    o.levels = sizeof level / sizeof *level;
    o.precision = 0;
    o.cycles = 2000;
    swq_rare_result r = rare(ctx, &n, &o);
    cr_assert_eq(r.levels, o.levels);
    for (int i = 0; i < r.levels; i++) {
        double exact = 0;
        for (uint32_t v = level[i].threshold; v <= (uint32_t)a.capacity; v++)
            exact += a.occupancy[v];
        double z = score_of(&r.level[i].probability, exact, (size_t)r.replications, 0.95);
        cr_assert(fabs(z) < 4.5, "%u: %g, not %g", level[i].threshold, r.level[i].probability.mean,
                  exact);
    }
    cr_assert(fabs(score(&r, a.discard.value)) < 4.5);
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

/* ---- intervals ---- */

Test(rare, scores_are_normal)
{
    static const rare_point points[] = {{"damq", "random", 2, 4, 0.25},
                                        {"cbda", "random", 2, 3, 0.5}};
    enum { RUNS = 12 };
    swq_context *ctx = swq_context_new();
    scores *all = calloc(1, sizeof *all);

    all->quantity = "rare discards";
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        const rare_point *p = &points[k];
        swq_switch sw = test_switch(ctx, p->buffer, p->ports, p->slots, p->load, p->arbiter);
        swq_network n = network_of(&sw);
        swq_rare_options o = few_steps(100);
        double exact = test_discard(&sw);
        o.precision = 0.35;
        o.replications = 12;
        swq_rare_result pilot = rare(ctx, &n, &o);
        swq_rare_level level[SWQ_RARE_LEVELS];
        for (int i = 0; i < pilot.levels; i++)
            level[i] = pilot.level[i].level;
        o.importance = pilot.importance;
        o.level = level;
        o.levels = pilot.levels;
        for (uint64_t run = 0; run < RUNS; run++) {
            o.seed = 200 + run;
            swq_rare_result r = rare(ctx, &n, &o);
            scores_add(all, score(&r, exact), p->buffer);
        }
    }
    scores_check(all, 2 * RUNS);
    free(all);
    swq_context_free(ctx);
}

/* ---- crude simulation ---- */

/* At most one copy, with no levels or with factors of one: draw for draw a plain simulation. */
Test(rare, one_copy_is_crude_simulation_draw_for_draw)
{
    static const char *const buffers[] = {"fifo", "samq", "damq", "cbda"};
    static const swq_rare_level ones[] = {{1, 1}, {2, 1}, {4, 1}};
    static const int reached[] = {2, 1, 2, 3}; /* of these, by buffer */
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < 8; k++) {
        swq_switch sw = test_switch(ctx, buffers[k / 2], 2, 2, 0.7, "rotating");
        swq_network n = network_in_stages(ctx, "omega", 2, &sw);
        swq_rare_options o = few_steps(9);
        swq_sim_options crude = run_of(9, 3, 100, 1500);
        o.importance = importance(ctx, "fill");
        o.level = ones;
        o.levels = k % 2 ? reached[k / 2] : 0;
        o.precision = 0;
        o.cycles = 1500;
        o.warmup = 100;
        o.replications = 3;
        swq_rare_result r = rare(ctx, &n, &o);
        swq_sim_result s = simulate(ctx, &n, &crude);
        cr_assert(s.all.discarded > 100);
        cr_assert_eq(r.discards, s.all.discarded, "%s: %llu, not %llu", buffers[k / 2],
                     (unsigned long long)r.discards, (unsigned long long)s.all.discarded);
        cr_assert_eq(r.cycles, 4500);
        cr_assert_eq(r.steps, r.cycles);
        assert_relative(r.discard_fraction.mean, (double)s.all.discarded / (4500 * 4 * 0.7), 1e-12,
                        "weights");
        double stages = 0;
        for (int i = 0; i < 2; i++)
            stages += r.stage[i].mean;
        assert_relative(stages, r.discard_fraction.mean, 1e-12, "stages");
    }
    swq_context_free(ctx);
}

/* Where both observe losses, a network agrees with crude simulation. */
Test(rare, a_network_agrees_with_crude_simulation)
{
    static const char *const names[] = {"rivals", "chain"};
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.5, "rotating");
    swq_network n = network_in_stages(ctx, "omega", 3, &sw);
    swq_sim_options crude = run_of(5, 4, 500, 60000);
    swq_rare_options o = few_steps(5);

    n.traffic.load = 0.5;
    o.precision = 0.15;
    swq_sim_result s = simulate(ctx, &n, &crude);
    cr_assert(s.all.discarded > 100);
    for (int i = 0; i < 2; i++) {
        o.importance = importance(ctx, names[i]);
        swq_rare_result r = rare(ctx, &n, &o);
        cr_assert(r.levels > 0 && r.gain > 0);
        const swq_estimate a = s.all.discard_fraction, b = r.discard_fraction;
        cr_assert(fabs(a.mean - b.mean) < 2.3 * hypot(a.half_width, b.half_width),
                  "%s: %g +- %g, %g +- %g", names[i], a.mean, a.half_width, b.mean, b.half_width);
        for (int k = 0; k < 3; k++)
            cr_assert(r.stage[k].mean >= 0);
    }
    swq_context_free(ctx);
}

/* ---- the run ---- */

static void assert_same(const swq_rare_result *a, const swq_rare_result *b)
{
    cr_assert_eq(a->discard_fraction.mean, b->discard_fraction.mean);
    cr_assert_eq(a->discard_fraction.half_width, b->discard_fraction.half_width);
    cr_assert_eq(a->steps, b->steps);
    cr_assert_eq(a->cycles, b->cycles);
    cr_assert_eq(a->families, b->families);
    cr_assert_eq(a->levels, b->levels);
}

Test(rare, threads_change_no_number_and_seeds_do)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "samq", 2, 4, 0.4, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);
    o.importance = importance(ctx, "rivals");
    swq_rare_result one = rare(ctx, &n, &o), two, other;

    o.threads = 3;
    two = rare(ctx, &n, &o);
    assert_same(&one, &two);
    o.seed = 2;
    other = rare(ctx, &n, &o);
    cr_assert_neq(one.discard_fraction.mean, other.discard_fraction.mean);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(rare, too_few_families_give_no_interval)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.25, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);
    const swq_rare_level level[] = {{1, 8}, {2, 8}};

    o.importance = importance(ctx, "fill");
    o.level = level;
    o.levels = 2;
    o.precision = 0;
    o.cycles = 50;
    o.replications = 4;
    swq_rare_result r = rare(ctx, &n, &o);
    cr_assert_eq(r.stopped_by, SWQ_STOP_CYCLES);
    cr_assert(!r.pilot_only && isnan(r.pilot_gain));
    cr_assert(!r.enough && r.families < SWQ_RARE_FAMILIES);
    cr_assert(isinf(r.discard_fraction.half_width) && isinf(r.stage[0].half_width));
    cr_assert(r.levels > 0);
    for (int i = 0; i < r.levels; i++)
        cr_assert(isinf(r.level[i].probability.half_width));
    swq_context_free(ctx);
}

static void count_outlooks(void *arg, const swq_rare_outlook *outlook)
{
    int *seen = arg;

    cr_assert(outlook->importance && outlook->gain > 0 && outlook->loss > 0);
    ++*seen;
}

/* The pilot run must keep the limits of the run; it knows how far it got. */
Test(rare, few_cycles_bound_the_pilot_run)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.25, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);
    int seen = 0;

    o.cycles = 300;
    o.piloted = count_outlooks;
    o.arg = &seen;
    swq_rare_result r = rare(ctx, &n, &o);
    cr_assert(r.pilot_only && !r.enough && r.precision_missed && seen == 0);
    cr_assert_eq(r.stopped_by, SWQ_STOP_CYCLES);
    cr_assert_leq(r.pilot_steps, 300 * (uint64_t)o.replications);
    cr_assert_eq(r.steps, 0);
    cr_assert_gt(r.reached, 0);
    cr_assert(r.reached_probability > 0 && r.reached_probability < 1);
    cr_assert(isinf(r.discard_fraction.half_width));
    o = few_steps(1);
    o.piloted = count_outlooks;
    o.arg = &seen;
    r = rare(ctx, &n, &o);
    cr_assert(!r.pilot_only && r.enough && !r.precision_missed && seen == 1);
    cr_assert_gt(r.pilot_gain, 1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static void stop_at_once(void *arg, const char *stage, double done, double total)
{
    (void)stage;
    (void)total;
    if (done >= 2)
        swq_context_cancel(arg);
}

Test(rare, cancelled_it_tells_what_was_measured)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.5, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);
    swq_rare_result r;

    o.importance = importance(ctx, "fill");
    o.precision = 0;
    o.cycles = 2000;
    swq_context_watch(ctx, stop_at_once, ctx);
    cr_assert_eq(swq_rare_run(ctx, &n, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(r.stopped_by, SWQ_STOP_INTERRUPTED);
    cr_assert(r.cycles >= 2 && r.cycles < 32 * o.cycles);
    cr_assert(r.replications >= 2 && r.replications < 32, "only those that have begun");
    cr_assert_eq(swq_rare_run(ctx, &n, &o, &r), SWQ_ECANCELLED);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

typedef struct {
    swq_context *ctx;
    int slices; /* slices before the one to stop in */
} stop_later;

static void stop_in_a_slice(void *arg, const char *stage, double done, double total)
{
    stop_later *s = arg;

    (void)stage;
    if (total != 32)
        return;
    s->slices -= done >= total;
    if (s->slices <= 0 && done >= 3 && done < total)
        swq_context_cancel(s->ctx);
}

/* A run with a high precision has soon begun all replications, and returns what they have. */
Test(rare, cancelled_later_it_leaves_an_interval, .timeout = 240)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.5, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);
    stop_later stop = {ctx, 16};
    swq_rare_result r;

    o.importance = importance(ctx, "rivals");
    o.precision = 0.001;
    swq_context_watch(ctx, stop_in_a_slice, &stop);
    cr_assert_eq(swq_rare_run(ctx, &n, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(r.stopped_by, SWQ_STOP_INTERRUPTED);
    cr_assert_eq(r.replications, 32, "%d", r.replications);
    cr_assert(r.enough && r.relative > 0.001 && r.relative < 0.3, "%g", r.relative);
    double z = score(&r, test_discard(&sw));
    cr_assert(fabs(z) < 4.5, "%g", z);
    swq_context_free(ctx);
}

Test(rare, where_nothing_can_be_lost_it_says_so)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.5, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);
    swq_rare_result r;

    o.pilot_steps = 1000;
    cr_assert_eq(swq_pattern_find(ctx, "neighbour", &n.traffic.pattern), SWQ_OK);
    cr_assert_eq(swq_rare_run(ctx, &n, &o, &r), SWQ_ECONVERGE);
    cr_assert(strstr(swq_context_message(ctx), "no packet was lost"));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- refusals ---- */

static void expect(swq_context *ctx, const swq_network *n, const swq_rare_options *o,
                   const char *word)
{
    swq_rare_result r;

    cr_assert_eq(swq_rare_run(ctx, n, o, &r), SWQ_EINVAL, "%s", word);
    cr_assert(strstr(swq_context_message(ctx), word), "%s: %s", word, swq_context_message(ctx));
}

Test(rare, what_it_is_not_for_is_refused_by_name)
{
    static const swq_rare_level falling[] = {{3, 2}, {2, 2}}, zero[] = {{1, 0}};
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.5, "random");
    const swq_network good = network_of(&sw);
    const swq_rare_options fine = few_steps(1);
    swq_network n;
    swq_rare_options o;

    n = good, n.sw.flow = SWQ_BLOCK, expect(ctx, &n, &fine, "flow");
    n = good, n.resend = true, expect(ctx, &n, &fine, "resend");
    n = good, n.traffic.kind = SWQ_SOURCE_OPEN, expect(ctx, &n, &fine, "sources");
    n = good, n.traffic.burst = 2, expect(ctx, &n, &fine, "burst");
    n = good, n.traffic.load = 2, expect(ctx, &n, &fine, "load");
    o = fine, o.replications = 1, expect(ctx, &good, &o, "replications");
    o = fine, o.precision = 1, expect(ctx, &good, &o, "precision");
    o = fine, o.threads = 0, expect(ctx, &good, &o, "threads");
    o = fine, o.cycles = 0, expect(ctx, &good, &o, "cycles");
    o = fine, o.pilot_steps = 10, expect(ctx, &good, &o, "pilot-steps");
    o = fine, o.level = falling, o.levels = 2, expect(ctx, &good, &o, "importance");
    o.importance = importance(ctx, "fill");
    expect(ctx, &good, &o, "thresholds");
    o.level = zero, o.levels = 1, expect(ctx, &good, &o, "factor");
    o.levels = SWQ_RARE_LEVELS + 1, expect(ctx, &good, &o, "levels");
    o = fine, o.importance = importance(ctx, "drain"), expect(ctx, &good, &o, "drain");
    cr_assert_eq(swq_importance_find(ctx, "fil", &o.importance), SWQ_EINVAL);
    swq_context_free(ctx);
}

Test(rare, memory_is_foreseen_and_its_lack_survived)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.6, "random");
    swq_network n = network_of(&sw);
    swq_rare_options o = few_steps(1);
    swq_rare_result r;
    const swq_rare_level level[] = {{3, 2}};

    o.importance = importance(ctx, "fill");
    o.level = level;
    o.levels = 1;
    o.precision = 0;
    o.cycles = 100;
    o.replications = 2;
    swq_context_limit_memory(ctx, 200000);
    cr_assert_eq(swq_rare_run(ctx, &n, &o, &r), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "would take"));
    swq_context_limit_memory(ctx, 0);
    r = rare(ctx, &n, &o);
    cr_assert(swq_context_peak_bytes(ctx) <= 1.1 * (double)r.bytes + 4096, "%zu, foreseen %zu",
              swq_context_peak_bytes(ctx), r.bytes);

    o.level = NULL;
    o.pilot_steps = 1000;
    o.warmup = SWQ_WARMUP_AUTO;
    for (int k = 0; k < 2; k++) {
        for (size_t after = 0;; after++) {
            swq_context_fail_allocations(ctx, after, k);
            swq_status status = swq_rare_run(ctx, &n, &o, &r);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            if (status == SWQ_OK)
                break;
            cr_assert_eq(status, SWQ_ENOMEM);
        }
    }
    swq_context_free(ctx);
}

/* An estimate may exceed 1 a little, but not by many half-widths; without an interval the run was
 * too short. */
Test(rare, no_probability_is_above_one)
{
    swq_context *ctx = swq_context_new();
    swq_rare_result r = {.discard_fraction = {0.5, 0.01}, .levels = 1};
    swq_estimate *const field[] = {&r.discard_fraction, &r.stage[1], &r.level[0].probability};

    r.stage[1] = r.level[0].probability = r.discard_fraction;
    cr_assert_eq(swq_rare_check_result(ctx, &r, 2), SWQ_OK);
    for (int k = 0; k < 3; k++) {
        const swq_estimate was = *field[k];
        *field[k] = (swq_estimate){1.03, 0.01};
        cr_assert_eq(swq_rare_check_result(ctx, &r, 2), SWQ_OK);
        *field[k] = (swq_estimate){1.05, 0.01};
        cr_assert_eq(swq_rare_check_result(ctx, &r, 2), SWQ_EINTERNAL);
        *field[k] = (swq_estimate){1.6e16, 1e15};
        cr_assert_eq(swq_rare_check_result(ctx, &r, 2), SWQ_EINTERNAL);
        *field[k] = (swq_estimate){50, INFINITY};
        cr_assert_eq(swq_rare_check_result(ctx, &r, 2), SWQ_ECONVERGE);
        *field[k] = (swq_estimate){0.5, INFINITY};
        cr_assert_eq(swq_rare_check_result(ctx, &r, 2), SWQ_OK);
        *field[k] = was;
    }
    swq_context_free(ctx);
}

/* An importance that depends only on the cycle: two of every 16 cycles begin at 3, all others at
 * 0. */
static uint32_t two_of_sixteen(const swq_net *net, const swq_importance_aid *aid)
{
    (void)aid;
    return net->cycle % 16 / 2 == 4 ? 3 : 0;
}

static uint32_t three_at_most(const swq_net *net)
{
    (void)net;
    return 3;
}

/* A path that jumps over several thresholds is split at each of them at once, and so are its copies
 * where they begin: all cycles at 3 are in the highest zone, for all 2 * 3 * 2 copies. */
Test(rare, a_jump_is_split_at_every_threshold)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.6, "random");
    const struct swq_importance_of rule = {.value = two_of_sixteen, .most = three_at_most};
    const swq_rare_level level[] = {{1, 2}, {2, 3}, {3, 2}};
    const swq_sim_options o = swq_sim_defaults();
    swq_network n = network_of(&sw);
    enum { PERIODS = 10 };
    swq_split split;
    swq_net *net;

    cr_assert_eq(swq_net_new(ctx, &n, &o, 0, &net), SWQ_OK);
    cr_assert_eq(swq_split_new(ctx, net, &rule, NULL, false, &split), SWQ_OK);
    cr_assert_eq(swq_split_set(ctx, &split, level, 3), SWQ_OK);
    cr_assert(swq_split_run(&split, ctx, 16 * PERIODS, UINT64_MAX));
    cr_assert_eq(split.total[0].steps + split.family[0].steps, 14 * PERIODS);
    cr_assert_eq(split.total[1].steps, 0);
    cr_assert_eq(split.total[2].steps, 0);
    cr_assert_eq(split.total[3].steps, 2 * 12 * PERIODS);
    for (int i = 1; i <= 3; i++)
        assert_relative(swq_split_time(&split, i), 2 * PERIODS, 1e-12, "level %d", i);
    cr_assert_eq(swq_split_all_families(&split).crossings, PERIODS);
    swq_split_free(ctx, &split);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The results of the families add up to the losses. */
Test(rare, families_add_up_to_the_losses)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.6, "random");
    swq_network n = network_of(&sw);
    swq_sim_options o = swq_sim_defaults();
    const swq_rare_level level[] = {{2, 3}, {3, 4}};
    swq_split split;
    swq_net *net;

    cr_assert_eq(swq_net_new(ctx, &n, &o, 0, &net), SWQ_OK);
    cr_assert_eq(swq_split_new(ctx, net, importance(ctx, "fill")->rule, NULL, true, &split),
                 SWQ_OK);
    cr_assert_eq(swq_split_set(ctx, &split, level, 2), SWQ_OK);
    cr_assert(swq_split_run(&split, ctx, 20000, UINT64_MAX));
    swq_split_families f = swq_split_all_families(&split);
    cr_assert(f.contributing > 100 && f.contributing <= f.crossings);
    assert_relative(f.sum, swq_split_lost(&split, 0), 1e-9, "%g lost, %g in families",
                    swq_split_lost(&split, 0), f.sum);
    cr_assert_eq(swq_split_cycles(&split), 20000);
    cr_assert(swq_split_steps(&split) > 20000);
    /* the levels that the pilot run makes, one importance after the other, are those that estimates
     * use */
    for (int i = 1; i <= 2; i++) {
        double time = 0;
        for (uint32_t v = level[i - 1].threshold; v <= split.most; v++)
            time += (double)split.visits[v] * split.weight[split.level_of[v]];
        assert_relative(time, swq_split_time(&split, i), 1e-9, "%g visits, %g steps", time,
                        swq_split_time(&split, i));
    }
    /* stopped in the midst of a family, it discards that family and is on the main path again */
    cr_assert_not(swq_split_run(&split, ctx, 30000, 5));
    cr_assert_eq(split.born, 0);
    cr_assert(swq_split_cycles(&split) <= 20005);
    swq_split_free(ctx, &split);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
