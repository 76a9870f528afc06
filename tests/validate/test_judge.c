/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The language of claims, on made-up cells: each comparison can hold and fail, readings are what
 * they say, templates show them, and mistakes are named. And a figure of a user's file.
 */
#include "tests/support/support.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

TestSuite(judge, .timeout = 120);

enum { LINES = 3, XS = 4, COLUMNS = XS + FIGURE_BENDS + 1 };

static swq_claim claim;
static swq_context *ctx;

/* Lines A and B at x = 10 .. 40 and full load: latencies 2 4 3 8 and 16, and 1 9 9 9 and 18, each
 * +- 0.5; throughputs x / 100 and 0.5. Line C is run at 20, with a latency of 9, and at 40, with
 * 1. */
static swq_figure judged(const char *that, const char *measured, const char *shown)
{
    static const double y[LINES][XS + 1] = {
        {2, 4, 3, 8, 16}, {1, 9, 9, 9, 18}, {NAN, 9, NAN, 1, NAN}};
    static double x[XS] = {10, 20, 30, 40};
    static figure_line line[] = {{.id = "A", .slower = 1, .only = -1},
                                 {.id = "B b", .name = "Bee", .slower = 1, .only = -1},
                                 {.id = "C", .slower = 1, .only = -1}};
    static figure_cell cell[LINES * COLUMNS];
    const char *comparison[] = {that};
    figure_claim_row row = {.text = "it is so",
                            .criterion = "how",
                            .measured = measured,
                            .shown = shown,
                            .comparison = comparison,
                            .comparisons = 1};
    const swq_figure_plan plan = {
        .line = line, .lines = LINES, .x = x, .xs = XS, .full = true, .claim = &row, .claims = 1};
    const swq_figure_kind kind = {.name = "made", .plan = &plan};
    swq_figure out = {.claim = &claim};
    figure_work f = {.ctx = ctx, .kind = &kind, .plan = &plan, .cell = cell, .out = &out};

    memset(&claim, 0, sizeof claim);
    memset(cell, 0, sizeof cell);
    for (int n = 0; n < LINES; n++) {
        for (int k = 0; k <= XS; k++) {
            const swq_estimate carried = {k < XS ? x[k] / 100 : 0.5, 0};
            figure_cell *c = &cell[n * COLUMNS + (k < XS ? k : COLUMNS - 1)];
            c->there = !isnan(y[n][k]);
            c->throughput = c->value[THROUGHPUT] = carried;
            c->value[MEAN_ALL] = (swq_estimate){y[n][k], 0.5};
        }
    }
    figure_judge_claims(&f);
    out.claims = f.status ? -1 : f.numbers;
    return out;
}

static void expect(const char *that, int holds, int fails, int open)
{
    swq_figure out = judged(that, "", NULL);
    cr_assert_geq(out.claims, 0, "%s: %s", that, swq_context_message(ctx));
    cr_expect(claim.holds == holds && claim.fails == fails && claim.open == open, "%s: %d %d %d",
              that, claim.holds, claim.fails, claim.open);
}

static void setup(void)
{
    ctx = test_papers();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

Test(judge, comparisons, .init = setup, .fini = teardown)
{
    expect("latency(A, 20) < latency(B b, 20)", 1, 0, 0);
    expect("latency(B b, 20) < latency(A, 20)", 0, 1, 0);
    expect("latency(A, 20) > latency(B b, 20)", 0, 1, 0);
    expect("latency(A, 20) < latency(B b, 20) by 4.5", 0, 0, 1);
    expect("latency(A, 20) <= 4.5", 1, 0, 0);
    expect("latency(A, 20) <= 4.4", 0, 0, 1);
    expect("latency(A, 20) >= 4.6", 0, 1, 0);
    expect("latency(A, 20) = 4.1 within 3%", 1, 0, 0);
    expect("latency(A, 20) = 5 within 3%", 0, 1, 0);
    expect("latency(A, 20) = 5 within 3% or 1", 1, 0, 0);
    expect("latency(A, 20) = 4.6 within 0.6", 1, 0, 0);
    expect("latency(A, 20) in 3.5 .. 4.5", 1, 0, 0);
    expect("latency(A, 20) in 5 .. 6", 0, 1, 0);
    expect("latency(A, 20) not below 4.1 within 3%", 1, 0, 0);
    expect("latency(A, 20) not below 9 within 3%", 0, 1, 0);
    expect("latency(A, 25) < 9", 0, 0, 0);
}

Test(judge, numbers_of_the_text_are_counted_unless_they_are_about, .init = setup, .fini = teardown)
{
    cr_expect_eq(judged("latency(A, 20) is 4 within 3%", "number", NULL).claims, 1);
    cr_expect_str_eq(claim.measured, "4 +- 0.5; text: 4");
    cr_expect_eq(judged("latency(A, 20) is 4 within 10%", "number", NULL).claims, 0);
}

Test(judge, loops, .init = setup, .fini = teardown)
{
    expect("each x: latency(A) < latency(B b)", 2, 0, 2);
    expect("each x from 20 to 30: latency(A) < latency(B b)", 2, 0, 0);
    expect("each x: latency(A) < latency(C)", 1, 1, 0); /* only where both were run */
    expect("each x from 30: latency(A) < latency(C)", 0, 1, 0);
    expect("each x: latency(A) = latency(B b) within 15%", 1, 2, 1);
    expect("each x: latency(A) = latency(B b) within 15% or 5", 3, 0, 1);
    expect("each x: latency(A) = latency(C) within 15%", 0, 2, 0);
    expect("for n in A 'B b': each x to 10 + 10: latency($n) >= 3", 2, 2, 0);
    expect("for n in A 'B b', at in 10 20 30: latency($n, $at) >= 2.5 [$n @ $at]", 4, 1, 1);
    cr_expect(strstr(claim.measured, "not: B b at 10"), "%s", claim.measured);
    cr_expect(strstr(claim.measured, "cannot be told: A at 10"), "%s", claim.measured);
}

/* 7 is three fifths of the way from 4 to 9; between 30 and 40, A rises from 3 to 8. */
Test(judge, readings, .init = setup, .fini = teardown)
{
    static const struct {
        const char *sum;
        double value;
    } cases[] = {
        {"latency(A, full)", 16},
        {"latency(A, peak)", 16},
        {"latency(A, over 0.25)", 3.5},
        {"throughput(B b, over latency 5)", 0.15},
        {"saturation(A)", 0.5},
        {"crossing(latency, A, 3.5)", 31},
        {"passes(latency, B b, A)", 10 + 10 / 6.0},
        {"passes(latency, B b, A, A)", 2 + 2 / 6.0},
        {"higher(latency(A, 10), latency(B b, 10))", 2},
        {"larger(3, 4) + abs(2 - 5) * 2", 10},
        {"(1 + 2) * 3 - 4 / 2", 7},
        {"mean(latency(A, 10))", 2},
    };
    char that[120];

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(that, sizeof that, "mean(%s) = %.17g within 0.000001", cases[k].sum,
                 cases[k].value);
        expect(that, 1, 0, 0);
        snprintf(that, sizeof that, "mean(%s) = %.17g within 0.000001", cases[k].sum,
                 cases[k].value + 0.01);
        expect(that, 0, 1, 0);
    }
    expect("each x: best(latency, A, B b) >= 1.5", 4, 0, 0);
}

Test(judge, templates, .init = setup, .fini = teardown)
{
    judged("latency(A, 20) < 9",
           "{latency(A, 20) %.2f} +- {+- latency(A, 20) %.1g}: {1 - 3 %+.1f}%", NULL);
    cr_expect_str_eq(claim.measured, "4.00 +- 0.5: -2.0%");
    judged("latency(A, 20) < 9", "{latency(A, 25) %.2f|none} {latency(A, 25) %.2f}", NULL);
    cr_expect_str_eq(claim.measured, "none -");
    judged("each x: latency(A) < latency(B b)", NULL, "{most b - a %.0f}, {least b - a %+.0f}");
    cr_expect(strstr(claim.measured, "6, -1; holds at 2 of 4") == claim.measured, "%s",
              claim.measured);
    judged("for n in 10 20: latency(A, $n) < latency(B b, $n)", NULL, "{a %.0f} to {b %.0f}");
    cr_expect(strstr(claim.measured, "2 to 1, 4 to 9; ") == claim.measured, "%s", claim.measured);
    judged("latency(A, 20) < latency(B b, 20)", NULL, NULL);
    cr_expect_str_eq(claim.measured, "A 4 +- 0.5, Bee 9 +- 0.5");
    judged("latency(A, 20) = 4 within 3%", NULL, NULL);
    cr_expect_str_eq(claim.measured, "A 4 +- 0.5; text: 4");
}

/* Numbers of answers, by closed forms: an M/D/1 line waits load / (2 (1 - load)); a 2x2 switch with
 * two slots a FIFO loses a quarter at full load. A run has an interval. */
Test(judge, answers_of_commands, .init = setup, .fini = teardown)
{
    expect(
        "for l/w in 0.5/0.5 0.8/2: {formula m-d-1 --load $l : points.0.results.wait} = $w within "
        "1e-12",
        2, 0, 0);
    expect("{solve --ports 2 --buffer fifo --slots 2 --load 1 : result.discard_lower .. "
           "result.discard_upper} = 0.25 within 1e-9",
           1, 0, 0);
    expect("{100000 cycles of --topology switch --ports 2 --buffer fifo --slots 2 --flow discard "
           "--arbiter random --load 1 : discards} = 0.25 within 0.01",
           1, 0, 0);
    expect("{2000 cycles of --topology omega --buffer damq --slots 4 --load 0.2 : throughput} < "
           "{2000 cycles of --topology omega --buffer damq --slots 4 --load 0.4 : throughput}",
           1, 0, 0);
    expect(
        "{4000 cycles at 0.3 of --topology omega --buffer damq --slots 4 --flow block --load 1 : "
        "throughput} = 0.3 within 1%",
        1, 0, 0);
    expect("{formula m-d-1 --load 0.5:0.8:0.3 : points.0-1.results.wait} = 1.25 within 1e-9", 1, 0,
           0);
    expect("{formula m-d-1 --load 0.5 : points.0.results.wait} / {formula m-d-1 --load 0.5 : "
           "points.0.parameters.load} = 1 within 1e-12",
           1, 0, 0);
    expect(
        "for o/m in '--dims 3x3x3 --chained/0' '--dims 5x5/1': {sim --topology torus $o --buffer "
        "fifo --slots 4 --flow block --load 0.1 --cycles 100 : model.may_deadlock} = $m within 0",
        2, 0, 0);
    expect("larger({formula m-d-1 --load 0.8 : points.0.results.wait}, 1) = 2 within 1e-9", 1, 0,
           0);
    expect("smaller(2, 1) = 1 within 0", 1, 0, 0);
    expect("for a/b/c in 1/2/3: $a + $b = $c within 0", 1, 0, 0);
}

Test(judge, mistakes_are_named, .init = setup, .fini = teardown)
{
    static const char *const mistakes[][2] = {
        {"latency(D, 20) < 9", "there is no such line"},
        {"lateness(A, 20) < 9", "there is no such"},
        {"latency(A, 20) 9", "a comparison is missing"},
        {"made(synchronised DAMQ 0) < 9", "has not made this"},
        {"latency(A, 20) < ", "a number or a quantity is missing"},
        {"latency(A, 20) < 9 and more", "something is left"},
        {"each x latency(A) < 9", "':' is missing"},
        {"(1 < 2", "')' is missing"},
        {"{solve --ports 2} < 2", "{COMMAND : KEY}"},
        {"{formula m-d-1 --load 0.5 : points.0.nothing} < 2", "no such number"},
        {"{formula m-d-1 --load 2 : points.0.results.wait} < 2", "load"},
        {"{100 cycles of --topology omega --buffer damq --slots 4 --load 0.1 : joy} < 2", "joy"},
        {"{100 cycles at 0.9 of --topology omega --buffer fifo --slots 1 --load 1 : p99} < 2",
         "does not deliver"},
        {"{100 cycles at 0.1 of --engine async --buffer damq --load 1 : latency} < 2",
         "asynchronous"},
        {"{formula m-d-1 --load 0.5 : points.0-1.results.wait} < 2", "no such number"},
    };

    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        cr_assert_eq(judged(mistakes[k][0], "", NULL).claims, -1, "%s", mistakes[k][0]);
        cr_expect(strstr(swq_context_message(ctx), mistakes[k][1]), "%s: %s", mistakes[k][0],
                  swq_context_message(ctx));
    }
}

/* ---- files ---- */

static void write_to(const char *folder, const char *name, const char *text, char *path)
{
    snprintf(path, 300, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static const char head[] =
    "figure: mine\ntitle: t\nx: {over: ports, at: [2, 4]}\npanels: [{y: throughput}]\n"
    "set: {topology: switch, flow: discard, load: 1}\n";

Test(judge, a_figure_of_a_file)
{
    char folder[] = "/tmp/switchq-paper-XXXXXX", path[300], csv[300];
    swq_figure_options o = {.cycles = 2000, .seed = 1, .threads = 1};
    swq_figure f;

    cr_assert(mkdtemp(folder));
    ctx = test_papers();
    write_to(folder, "mine.csv", "panel,curve,x,y\n-,F,2,0.750\n-,F,4,0.95\n", csv);
    char text[900];
    snprintf(text, sizeof text,
             "%slines: {F: {buffer: fifo, slots: 4}}\ncurves: [[\"\", F, F, throughput]]\n"
             "claims: [{claim: c, by: b, that: 'throughput(F, 4) < throughput(F, 2)'}]\n",
             head);
    write_to(folder, "mine.yaml", text, path);
    cr_assert_eq(test_figure(ctx, path, &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect_eq(f.curve[0].points, 2);
    cr_expect_eq(f.printed[0].verdict, SWQ_PRINTED_AGREES);
    cr_expect_eq(f.printed[1].verdict, SWQ_PRINTED_DIFFERS);
    cr_expect_eq(f.claim[1].verdict, SWQ_CLAIM_HOLDS, "%s", f.claim[1].measured);
    test_figure_clear(ctx, &f);
    static const char *const wrong[][2] = {
        {"lines: {F: {buffer: fofo, slots: 4}}\ncurves: []\n", "line 6: "},
        {"lines: {F: {bufer: fifo}}\ncurves: []\n", "did you mean 'buffer'"},
        {"lines: {F: {buffer: fifo, slots: [4]}}\ncurves: []\n", "a value for each x: 'slots'"},
        {"lines: {F: {buffer: fifo, slots: 4}}\ncurves: [[\"\", F, G, throughput]]\n",
         "there is no line 'G'"},
        {"lines: {F: {buffer: fifo, slots: 4}}\ncurves: [[\"\", F, F, packets G]]\n",
         "there is no store 'packets G'"},
        {"lines: {F: {buffer: fifo, slots: 4}}\ncurves: [[\"\", F, F, throughput G]]\n",
         "there is no quantity 'throughput G'"},
        {"lines: {F: {buffer: fifo, slots: 4, stores: {G: [0, 0, 0]}}}\ncurves: []\n",
         "no flows through stages have the store 'G'"},
        {"lines: {F: {buffer: fifo, slots: 4}}\ncurves: []\n", "line 2 of the printed numbers"},
        {"clames: []\n", "there is no key 'clames'"},
        {"setting: $nothing\n", "does not have 'nothing'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        snprintf(text, sizeof text, "%s%s", head, wrong[k][0]);
        write_to(folder, "mine.yaml", text, path);
        cr_assert_eq(test_figure(ctx, path, &o, &f), SWQ_EINVAL, "%s", wrong[k][0]);
        cr_expect(strstr(swq_context_message(ctx), wrong[k][1]), "%s: %s", wrong[k][0],
                  swq_context_message(ctx));
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    remove(path);
    remove(csv);
    rmdir(folder);
    swq_context_free(ctx);
}
