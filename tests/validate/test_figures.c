/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures: the logic of claims by hand, and what every figure promises: curves in order, printed
 * numbers judged, claims with verdicts, the same numbers on any number of threads, nothing leaked
 * when memory fails or somebody cancels. Not pinned: the verdicts, which are the papers' affair,
 * but for two that must come out in a short run.
 */
#include "cli/figures/paper.h"
#include "tests/support/support.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <string.h>

TestSuite(figures, .timeout = 480);

static swq_estimate e(double mean, double half_width)
{
    return (swq_estimate){mean, half_width};
}

/* ---- claims ---- */

Test(figures, less_counts_only_what_lies_apart)
{
    figure_tally t = {0};

    figure_less(&t, e(1, 0.1), e(2, 0.1), figure_where("", 1));
    cr_assert(t.holds == 1 && t.fails == 0 && t.open == 0);
    figure_less(&t, e(2, 0.1), e(1, 0.1), figure_where("", 2));
    cr_assert(t.holds == 1 && t.fails == 1 && t.open == 0);
    figure_less(&t, e(1, 0.6), e(2, 0.6), figure_where("A", 3));
    figure_less(&t, e(1, INFINITY), e(2, 0.1), figure_where("A", 4));
    figure_less(&t, e(1, 0), e(1, 0), figure_where("A", 5)); /* equal is not less */
    cr_assert(t.holds == 1 && t.fails == 1 && t.open == 3);
    figure_less(&t, e(NAN, NAN), e(1, 0), figure_where("", 6));
    figure_less(&t, e(1, 0), e(NAN, NAN), figure_where("", 6));
    cr_assert(t.holds == 1 && t.fails == 1 && t.open == 3, "what is not there counts as nothing");
    cr_assert_str_eq(t.where_fails, "2");
    cr_assert_str_eq(t.where_open, "A at 3, A at 4, A at 5");
}

Test(figures, same_needs_more_than_noise_to_fail)
{
    figure_tally t = {0};

    figure_same(&t, e(10.2, 0), e(10, 0), 0.03, 0.05, figure_where("", 1));
    figure_same(&t, e(1.04, 0), e(1, 0), 0.03, 0.05, figure_where("", 2));
    cr_assert(t.holds == 2 && t.fails == 0 && t.open == 0);
    figure_same(&t, e(10.4, 0.06), e(10, 0.06), 0.03, 0.05, figure_where("", 3));
    cr_assert(t.holds == 2 && t.fails == 0 && t.open == 1);
    figure_same(&t, e(9.6, 0.04), e(10, 0.04), 0.03, 0.05, figure_where("", 4));
    cr_assert(t.holds == 2 && t.fails == 1 && t.open == 1);
    figure_same(&t, e(9.6, INFINITY), e(10, 0.04), 0.03, 0.05, figure_where("", 5));
    cr_assert(t.holds == 2 && t.fails == 1 && t.open == 2);
}

Test(figures, bounds)
{
    figure_tally t = {0};

    figure_at_least(&t, e(1.4, 0.05), 1.3, figure_where("", 1));
    figure_at_most(&t, e(1.2, 0.05), 1.3, figure_where("", 2));
    cr_assert(t.holds == 2);
    figure_at_least(&t, e(1.2, 0.05), 1.3, figure_where("", 3));
    figure_at_most(&t, e(1.4, 0.05), 1.3, figure_where("", 4));
    cr_assert(t.holds == 2 && t.fails == 2);
    figure_at_least(&t, e(1.31, 0.05), 1.3, figure_where("", 5));
    figure_at_most(&t, e(1.29, 0.05), 1.3, figure_where("", 6));
    cr_assert(t.holds == 2 && t.fails == 2 && t.open == 2);
}

Test(figures, verdicts)
{
    static const struct {
        figure_tally t;
        swq_claim_verdict verdict;
        const char *text;
    } cases[] = {
        {{.holds = 3}, SWQ_CLAIM_HOLDS, "holds"},
        {{.holds = 3, .open = 1}, SWQ_CLAIM_IN_PART, "holds in part"},
        {{.holds = 1, .fails = 5}, SWQ_CLAIM_IN_PART, "holds in part"},
        {{.fails = 1, .open = 5}, SWQ_CLAIM_FAILS, "does not hold"},
        {{.open = 5}, SWQ_CLAIM_OPEN, "cannot be told"},
        {{0}, SWQ_CLAIM_OPEN, "cannot be told"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cr_assert_eq(figure_verdict(&cases[k].t), cases[k].verdict, "case %zu", k);
        cr_assert_str_eq(swq_claim_verdict_text(cases[k].verdict), cases[k].text);
    }
    cr_assert(swq_claim_surprises(&(swq_claim){.verdict = SWQ_CLAIM_FAILS}));
    cr_assert(!swq_claim_surprises(&(swq_claim){.verdict = SWQ_CLAIM_FAILS, .known = "so"}));
    cr_assert(!swq_claim_surprises(&(swq_claim){.verdict = SWQ_CLAIM_IN_PART}));
}

Test(figures, long_lists_of_places_end_in_dots)
{
    figure_tally t = {0};

    for (int k = 0; k < 100; k++)
        figure_less(&t, e(2, 0), e(1, 0), figure_where("a rather long label indeed", k));
    cr_assert_eq(t.fails, 100);
    cr_assert_lt(strlen(t.where_fails), sizeof t.where_fails);
    cr_assert_str_eq(t.where_fails + strlen(t.where_fails) - 5, ", ...");
}

Test(figures, ratios_and_differences_keep_wide_intervals)
{
    swq_estimate ratio = figure_ratio(e(10, 1), e(5, 0.25));
    swq_estimate difference = figure_difference(e(10, 1), e(5, 0.25));

    cr_assert_float_eq(ratio.mean, 2, 1e-12);
    cr_assert_float_eq(ratio.half_width, 2 * (0.1 + 0.05), 1e-12);
    cr_assert(difference.mean == 5 && difference.half_width == 1.25);
}

/* A figure with two networks and four x, without simulations. */
static double made_x[] = {10, 20, 30, 40};
static const swq_figure_plan made_plan = {.lines = 2, .x = made_x, .xs = 4};

static figure_work made(figure_cell *cell, swq_figure *out)
{
    const double y[2][4] = {{2, 4, 3, 8}, {1, 9, 9, 9}};

    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < 4; k++) {
            figure_cell *c = &cell[n * figure_columns(&made_plan) + k];
            c->there = n == 0 || k == 0;
            c->value[P99_HIGH] = e(y[n][k], 0.5);
        }
        cell[n * figure_columns(&made_plan) + 6] =
            (figure_cell){.there = true, .throughput = e(0.5, 0.01)};
    }
    return (figure_work){.plan = &made_plan, .cell = cell, .out = out};
}

Test(figures, reading_off_and_crossings)
{
    figure_cell cell[2 * 7] = {{0}};
    figure_work f = made(cell, NULL);

    cr_assert_eq(figure_at(&f, 0, P99_HIGH, 20).mean, 4);
    cr_assert(isnan(figure_at(&f, 0, P99_HIGH, 25).mean));
    cr_assert(isnan(figure_at(&f, 1, P99_HIGH, 20).mean), "not run");
    cr_assert_eq(figure_saturation(&f, 1).mean, 0.5);
    /* above 3.5 at 20 and below again at 30: the last crossing counts */
    swq_estimate crossing = figure_crossing(&f, 0, P99_HIGH, 3.5);
    cr_assert_float_eq(crossing.mean, 31, 1e-9);
    cr_assert_float_eq(crossing.half_width, 1, 1e-9);
    cr_assert_float_eq(figure_crossing(&f, 0, P99_HIGH, 2.5).mean, 12.5, 1e-9);
    cr_assert(isnan(figure_crossing(&f, 0, P99_HIGH, 8).mean));
    cr_assert(isnan(figure_crossing(&f, 0, P99_HIGH, 1).mean), "it is above from the beginning");
}

Test(figures, stating_a_claim)
{
    swq_figure out = {0};
    static swq_claim claim[FIGURE_CLAIMS];
    figure_cell cell[2 * 7] = {{0}};
    figure_work f = made(cell, &out);
    figure_tally t = {.holds = 2, .fails = 1, .open = 1, .where_fails = "0.3", .where_open = "0.4"};

    out.claim = claim;
    figure_claim(&f, &t, "it is so", "how", "why not", "numbers: %d", 7);
    cr_assert_str_eq(claim[0].text, "it is so");
    cr_assert_str_eq(claim[0].measured,
                     "numbers: 7; holds at 2 of 4; not: 0.3; cannot be told: 0.4");
    cr_assert_eq(claim[0].verdict, SWQ_CLAIM_IN_PART);
    figure_claim(&f, &(figure_tally){0}, "nothing", "how", NULL, "%s", "");
    cr_assert_str_eq(claim[1].measured, "nothing to compare");
    for (int k = 0; k < 2 * FIGURE_CLAIMS; k++)
        figure_claim(&f, &t, "more than there is room for", "how", NULL, "%s", "");
    cr_assert_eq(out.claims, FIGURE_CLAIMS);
}

/* ---- the table of figures ---- */

Test(figures, the_files_fit_together)
{
    swq_context *ctx = test_papers();

    for (int k = 0; cli_paper_figures[k]; k++) {
        swq_figure_kind *kind;
        cr_assert_eq(swq_figure_open(ctx, cli_paper_figures[k]->name, false, &kind), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const swq_figure_plan *plan = kind->plan;
        cr_assert_str_eq(kind->name, cli_paper_figures[k]->name);
        cr_assert_str_eq(kind->title, cli_paper_figures[k]->title);
        cr_assert(*kind->source && *kind->section && *kind->setting, "%s", kind->name);
        for (int x = 1; x < plan->xs; x++)
            cr_assert(plan->x[x] > plan->x[x - 1], "%s", kind->name);
        for (int p = 0; p < plan->printeds; p++) {
            bool there = plan->printed[p].at_full_load;
            for (int x = 0; x < plan->xs; x++)
                there = there || fabs(plan->x[x] - plan->printed[p].x) < 1e-9;
            cr_assert(there, "%s: nothing is run at printed x %g", kind->name, plan->printed[p].x);
        }
        swq_figure_close(ctx, kind);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    swq_context_free(ctx);
}

Test(figures, finding)
{
    swq_context *ctx = test_papers();
    swq_figure_kind *kind = NULL;

    cr_assert_eq(swq_figure_open(ctx, "5.10", false, &kind), SWQ_EINVAL);
    cr_assert_str_eq(
        swq_context_message(ctx),
        "figure '5.10' is not known; known: 4.1, 4.2, 5.1, 5.2, 5.3, 5.4, 5.5, 5.6, "
        "5.7, 5.8, 5.9, 6.1, 6.2, 6.3, 6.4, 6.5, 6.8, 6.9, 6.10, 6.11, 6.12, 8.5, "
        "8.7, 8.8, 8.9, 8.10, 8.11, 8.13, 8.14, 8.15, 8.16, 8.18, 8.19, 8.20, 8.21, "
        "8.23, 8.24, 8.25, 8.26, 8.27, 8.28, 8.29, 8.30, 8.31, 8.32, 8.33, 8.34, "
        "8.35, 8.36, 8.37, 8.38, 8.39, 8.40, 8.43, 8.44, text, 000.1, 000.6, 000.7, 001.9, "
        "001.10, 001.11, 001.12, 002.2, 002.3, 002.5, 002.6, 002.7, 002.8, 003.7, "
        "003.8, 003.9, 003.10, 003.11, 003.12, karol.1, karol.2, sharing, "
        "low-diameter, abm.senders, abm.6, reverie");
    cr_assert_null(kind);
    swq_figures_from(ctx, NULL);
    cr_assert_eq(swq_figure_open(ctx, "5.1", false, &kind), SWQ_EINVAL);
    swq_context_free(ctx);
}

/* Every rule of admission that chains know is in figure sharing, for each number of queues. */
Test(figures, sharing_has_every_rule)
{
    swq_context *ctx = test_papers();
    swq_figure_kind *kind;

    cr_assert_eq(swq_figure_open(ctx, "sharing", false, &kind), SWQ_OK, "%s",
                 swq_context_message(ctx));
    for (int k = 0; swq_admission_rules[k]; k++) {
        const swq_admission_rule *rule = swq_admission_rules[k];
        swq_switch sw = test_switch(ctx, "cbda", 2, 4, 0.5, "random");
        sw.buffer.admission = rule;
        const swq_status status = swq_chain_check(ctx, &sw);
        const bool known = !status || !strstr(swq_context_message(ctx), "which a chain does not");
        for (int n = 2; n <= 8 && known && rule != swq_admission_rules[0]; n *= 2) {
            char has[60], ports[32];
            int found = 0;
            snprintf(has, sizeof has, "--admission %s ", rule->name);
            snprintf(ports, sizeof ports, "--ports %d ", n);
            for (int q = 0; q < kind->plan->questions; q++)
                found += strstr(kind->plan->question[q].words, has) &&
                         strstr(kind->plan->question[q].words, ports);
            cr_expect_gt(found, 0, "%s is not in figure sharing for %d queues", rule->name, n);
        }
    }
    swq_figure_close(ctx, kind);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- running ---- */

static swq_figure_options short_runs(void)
{
    swq_figure_options o = swq_figure_defaults(true);

    o.cycles = 300;
    return o;
}

/* A claim that is so clear that the shortest run shows it. */
static void expect_claim(const swq_figure *f, const char *begins)
{
    for (int k = 0; k < f->claims; k++) {
        if (strncmp(f->claim[k].text, begins, strlen(begins)) == 0) {
            cr_assert_eq(f->claim[k].verdict, SWQ_CLAIM_HOLDS, "%s: %s", f->claim[k].text,
                         f->claim[k].measured);
            return;
        }
    }
    cr_assert_fail("no claim '%s'", begins);
}

Test(figures, a_short_run_has_it_all)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = short_runs();
    swq_figure f;

    o.cycles = 2000; /* so that its clear claims are clear */
    cr_assert_eq(test_figure(ctx, "4.1", &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(!f.cut_short && f.curves == 5 && f.printeds == 30 && f.claims >= 6);
    for (int c = 0; c < f.curves; c++) {
        const swq_figure_curve *curve = &f.curve[c];
        cr_assert_gt(curve->points, 8);
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            cr_assert(p->x > 0.05 && p->x < 0.9 && p->y >= 3 && p->half_width >= 0 && p->load <= 1);
            cr_assert(k == 0 || p->load > p[-1].load, "%s: point %d", curve->name, k);
            cr_assert_eq(p->x, p->throughput.mean);
            bool asked = p->origin == SWQ_AT_THROUGHPUT;
            cr_assert(asked ? fabs(p->x / p->asked - 1) < 0.01 : isnan(p->asked));
            cr_assert_float_eq(p->a_node, p->x * (double)o.cycles, 1e-6 * p->a_node);
        }
        cr_assert_eq(curve->point[curve->points - 1].origin, SWQ_AT_FULL_LOAD);
        cr_assert_eq(curve->point[curve->points - 1].load, 1);
    }
    for (int k = 0; k < f.claims; k++)
        cr_assert(*f.claim[k].text && *f.claim[k].measured && *f.claim[k].criterion);
    expect_claim(&f, "4.5: at throughput 0.50, DAMQ's latency is below");
    expect_claim(&f, "4.5: with one slot a queue, SAMQ's and SAFC's latency does not rise");
    test_figure_clear(ctx, &f);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* How congestion begins, and how soon it is over; two runs. Basic RECN falls deeper than the
 * document says, but not for longer; repeating refused notices would bear it out. */
Test(figures, recn_over_time)
{
    swq_context *ctx = test_papers();
    const swq_figure_options o = short_runs();
    swq_figure f;

    cr_assert_eq(test_figure(ctx, "001.12", &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    expect_claim(&f, "5, Fig. 12, for enhanced RECN: it drops to 90%");
    expect_claim(&f, "5: no more than 8 SAQs");
    expect_claim(&f, "5: the SAQs in use follow");
    cr_assert_eq(f.claims, 6);
    cr_expect_eq(f.claim[0].verdict, SWQ_CLAIM_FAILS, "%s", f.claim[0].measured);
    cr_expect(f.claim[0].known && strstr(f.claim[0].known, "no value of --refused"));
    for (int k = 1; k < 5; k++)
        cr_expect_neq(f.claim[k].verdict, SWQ_CLAIM_FAILS, "%s", f.claim[k].measured);
    cr_expect(strstr(f.claim[4].measured, "holds at 4 of 4"), "%s", f.claim[4].measured);
    cr_expect_eq(f.curves, 10);
    cr_expect_eq(f.setting[3].async.management.refused, SWQ_REFUSED_REPEAT);
    cr_expect_eq(f.setting[5].async.management.saqs, 24);
    cr_expect_eq(f.setting[5].async.link.rest, 2);
    cr_expect_eq(f.curve[1].points, 40);
    for (int w = 1; w < 20; w++) /* 48 nodes send half a byte per cycle each */
        cr_expect_float_eq(f.curve[1].point[w].y, 24, 1);
    test_figure_clear(ctx, &f);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Flows at full rate involve no randomness: the shortest runs show everything that the survey
 * claims; what its text says about flows for different outputs does not hold in a crossbar. */
Test(figures, congestion_trees)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = short_runs();
    swq_figure f;

    cr_assert_eq(test_figure(ctx, "002.2", &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect_eq(f.claims, 5);
    cr_expect_eq(f.curves, 13);
    for (int k = 0; k < f.claims; k++)
        cr_expect_eq(f.claim[k].verdict, SWQ_CLAIM_HOLDS, "%s: %s", f.claim[k].text,
                     f.claim[k].measured);
    for (int c = 0; c < f.curves; c++) {
        for (int k = 0; k < f.curve[c].points; k++) /* a store holds 32 packets */
            cr_assert(f.curve[c].point[k].y >= 0 && f.curve[c].point[k].y <= 32);
    }
    test_figure_clear(ctx, &f);
    cr_assert_eq(test_figure(ctx, "002.3", &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    expect_claim(&f, "3.1, Fig. 3.a");
    expect_claim(&f, "3.1, Fig. 3.b");
    expect_claim(&f, "3.1, Fig. 3.c");
    expect_claim(&f, "3.1: ... regardless of the destination");
    test_figure_clear(ctx, &f);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(figures, percentages)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = short_runs();
    swq_figure f;

    o.cycles = 100;
    cr_assert_eq(test_figure(ctx, "5.8", &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    for (int c = 0; c < f.curves; c++) {
        const swq_figure_curve *curve = &f.curve[c];
        bool high = strstr(curve->quantity, "high") != NULL;
        cr_assert_gt(curve->points, 10, "%s: %d", curve->name, curve->points);
        /* with no packets of high priority there is nothing to say of them */
        cr_assert(high ? curve->point[0].x > 0 : curve->point[0].x == 0, "%s", curve->name);
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            cr_assert(p->x == p->asked && p->origin == SWQ_AT_THROUGHPUT);
            cr_assert_float_eq(p->throughput.mean, 0.5, 0.006);
        }
    }
    test_figure_clear(ctx, &f);
    swq_context_free(ctx);
}

Test(figures, the_numbers_do_not_depend_on_threads)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = short_runs();
    swq_figure one, three;

    o.cycles = 150;
    cr_assert_eq(test_figure(ctx, "5.7", &o, &one), SWQ_OK);
    o.threads = 3;
    cr_assert_eq(test_figure(ctx, "5.7", &o, &three), SWQ_OK);
    cr_assert_eq(one.curves, three.curves);
    for (int c = 0; c < one.curves; c++) {
        cr_assert_eq(one.curve[c].points, three.curve[c].points);
        for (int k = 0; k < one.curve[c].points; k++) {
            cr_assert_eq(one.curve[c].point[k].x, three.curve[c].point[k].x);
            cr_assert_eq(one.curve[c].point[k].y, three.curve[c].point[k].y);
        }
    }
    for (int k = 0; k < one.claims; k++)
        cr_assert_str_eq(one.claim[k].measured, three.claim[k].measured);
    test_figure_clear(ctx, &one);
    test_figure_clear(ctx, &three);
    test_figure_clear(ctx, &three); /* safe a second time */
    swq_context_free(ctx);
}

/* Networks said in words: what `switchq sim` reads, and its refusals. */
Test(figures, networks_in_words)
{
    swq_context *ctx = test_papers();
    swq_figure_setting s;

    cr_assert_eq(figure_network(ctx, &s,
                                "--topology torus --dims %s --one-way --buffer damq --bytes 256 "
                                "--group mask=1,load=%.17g --group load=1",
                                "3x4", 0.1),
                 SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(s.asynchronous && s.async.shape.one_way && s.async.shape.extent[1] == 4);
    cr_assert(s.async.traffic.group == s.group && s.async.traffic.groups == 2);
    cr_assert_eq(s.memory, 256);
    cr_assert_eq(figure_network(ctx, &s, "--buffer fifo --slots 4 --load 0.5"), SWQ_OK);
    cr_assert(!s.asynchronous && s.network.sw.buffer.capacity == 4);
    cr_assert_eq(figure_network(ctx, &s, "--dims 3x3 4x4"), SWQ_EINVAL);
    cr_assert_str_eq(swq_context_message(ctx), "'4x4' is no option of a network");
    cr_assert_eq(figure_network(ctx, &s, "--dimensions 3x3"), SWQ_EINVAL);
    swq_figures_from(ctx, NULL);
    cr_assert_eq(figure_network(ctx, &s, "--load 1"), SWQ_EINVAL);
    swq_context_free(ctx);
}

/* A node's 99th percentile of fewer than 100 packets is their maximum: such points have no
 * interval, and nothing is judged by them. */
Test(figures, percentiles_of_few_packets_are_not_judged)
{
    swq_context *ctx = test_papers();
    const swq_figure_options o = {.cycles = 300, .seed = 1, .threads = 1};
    int judged = 0, not_judged = 0;
    swq_figure f;

    cr_assert_eq(test_figure(ctx, "5.2", &o, &f), SWQ_OK);
    for (int c = 0; c < f.curves; c++) {
        const bool p99 = strncmp(f.curve[c].quantity, "99th", 4) == 0;
        for (int k = 0; k < f.curve[c].points; k++) {
            const swq_figure_point *p = &f.curve[c].point[k];
            cr_expect_eq(isnan(p->half_width), p99 && p->a_node < 100, "%s at %g", f.curve[c].name,
                         p->x);
        }
    }
    for (int k = 0; k < f.printeds; k++) {
        const swq_printed_point *p = &f.printed[k];
        if (p->verdict == SWQ_PRINTED_NOT_RUN)
            continue;
        const bool few = strstr(f.curve[p->curve].quantity, "high") || 300 * p->x < 95;
        if (few)
            cr_expect_eq(p->verdict, SWQ_PRINTED_NOT_JUDGED, "%s at %g", f.curve[p->curve].name,
                         p->x);
        judged += p->verdict <= SWQ_PRINTED_DIFFERS;
        not_judged += p->verdict == SWQ_PRINTED_NOT_JUDGED;
    }
    cr_expect_geq(judged, 5);
    cr_expect_geq(not_judged, 25);
    cr_expect(strstr(f.claim[1].text, "lowers the 99th percentile"), "%s", f.claim[1].text);
    cr_expect_eq(f.claim[1].holds + f.claim[1].fails, 0);
    cr_expect_eq(f.claim[1].verdict, SWQ_CLAIM_OPEN);
    test_figure_clear(ctx, &f);
    swq_context_free(ctx);
}

/* Nodes get enough packets of high priority, if necessary by longer runs. */
Test(figures, the_least_number_of_packets)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = {.cycles = 60, .least_a_node = 3, .seed = 1, .threads = 1};
    swq_figure f;

    cr_assert_eq(test_figure(ctx, "5.4", &o, &f), SWQ_OK);
    const swq_figure_point *first = f.curve[0].point, *last = first + f.curve[0].points - 1;
    cr_assert_eq(first->cycles, 600, "3 of 5%% of 0.1: %llu", (unsigned long long)first->cycles);
    cr_assert_eq(last->cycles, 120);
    cr_assert_float_eq(first->a_node, 3, 1);
    test_figure_clear(ctx, &f);
    o.least_a_node = 1000000;
    o.cycles = 20;
    cr_assert_eq(test_figure(ctx, "5.4", &o, &f), SWQ_OK);
    cr_assert_eq(f.curve[0].point[0].cycles, 200, "at most ten times as long");
    test_figure_clear(ctx, &f);
    swq_context_free(ctx);
}

Test(figures, bad_options)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = short_runs();
    swq_figure f = {.curves = 77};

    o.cycles = 0;
    cr_assert_eq(test_figure(ctx, "4.1", &o, &f), SWQ_EINVAL);
    cr_assert_str_eq(swq_context_message(ctx), "cycles must be positive");
    o = short_runs();
    o.threads = 0;
    cr_assert_eq(test_figure(ctx, "4.1", &o, &f), SWQ_EINVAL);
    cr_assert_str_eq(swq_context_message(ctx), "threads must be 1 to 256, not 0");
    cr_assert_eq(f.curves, 77, "outputs are untouched on failure");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(figures, no_memory)
{
    for (size_t after = 0; after < 7; after++) {
        swq_context *ctx = test_papers();
        swq_figure_options o = short_runs();
        swq_figure f;
        swq_context_fail_allocations(ctx, after, true);
        cr_assert_eq(test_figure(ctx, "4.1", &o, &f), SWQ_ENOMEM);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}

static void cancel_after(void *arg, const char *stage, double done, double total)
{
    void **both = arg;

    (void)stage;
    (void)total;
    if (done >= *(const double *)both[1])
        swq_context_cancel(both[0]);
}

Test(figures, cancelled)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = short_runs();
    double when = 3;
    void *both[2] = {ctx, &when};
    swq_figure f;

    swq_context_watch(ctx, cancel_after, both);
    cr_assert_eq(test_figure(ctx, "4.1", &o, &f), SWQ_OK);
    cr_assert(f.cut_short && f.runs == 3, "%d runs", f.runs);
    for (int c = 0; c < f.curves; c++)
        cr_assert_eq(f.curve[c].points, c < 3, "%s", f.curve[c].name);
    for (int k = 0; k < f.printeds; k++)
        cr_assert(f.printed[k].verdict == SWQ_PRINTED_NOT_RUN || f.printed[k].at_full_load);
    test_figure_clear(ctx, &f);
    cr_assert_eq(test_figure(ctx, "4.1", &o, &f), SWQ_ECANCELLED);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* 3% of a printed .06 is less than its last digit: .055 to .065 are all printed so. */
Test(figures, a_quoted_number_may_be_off_by_half_of_its_last_digit)
{
    static const struct {
        double quoted, found;
        bool holds;
    } cases[] = {
        {0.06, 0.0551, true}, {0.06, 0.0549, false}, {0.10, 0.1049, true},  {0.10, 0.1051, false},
        {0.80, 0.8239, true}, {0.80, 0.8241, false}, {0.235, 0.2419, true}, {0.235, 0.2423, false},
        {1445, 1488, true},   {1445, 1489, false},   {4.9, 5.04, true},     {4.9, 5.06, false},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        figure_tally t = {0};
        figure_near(&t, (swq_estimate){cases[k].found, 0}, cases[k].quoted, 0.03,
                    figure_where("", 0));
        cr_expect_eq(t.holds, cases[k].holds, "%g for %g", cases[k].found, cases[k].quoted);
        cr_expect_eq(t.fails, !cases[k].holds);
    }
}

/* A figure is as good as its numbers and its worst claim. */
Test(figures, verdict_of_numbers_and_claims)
{
    swq_claim claim[2] = {{.verdict = SWQ_CLAIM_HOLDS, .holds = 3},
                          {.verdict = SWQ_CLAIM_IN_PART, .holds = 2, .open = 1}};
    swq_figure f = {.claim = claim, .claims = 2, .joint = {.verdict = SWQ_JOINT_NONE}};

    cr_expect_eq(swq_figure_verdict(&f), SWQ_JOINT_AGREES, "what cannot be told is no difference");
    f.joint.verdict = SWQ_JOINT_KNOWN;
    cr_expect_eq(swq_figure_verdict(&f), SWQ_JOINT_KNOWN);
    claim[0].fails = 1;
    claim[0].known = "a cause";
    f.joint.verdict = SWQ_JOINT_AGREES;
    cr_expect_eq(swq_figure_verdict(&f), SWQ_JOINT_KNOWN);
    claim[1].fails = 1;
    cr_expect_eq(swq_figure_verdict(&f), SWQ_JOINT_DIFFERS);
    claim[1].known = "another";
    f.joint.verdict = SWQ_JOINT_DIFFERS;
    cr_expect_eq(swq_figure_verdict(&f), SWQ_JOINT_DIFFERS);
}
