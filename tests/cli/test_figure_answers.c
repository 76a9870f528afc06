/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq figure: figures whose points are answers of other commands, from a file of the user.
 */
#include "tests/cli/program.h"

#include <math.h>
#include <string.h>

TestSuite(cli_figure_answers, .init = program_begin, .fini = program_end, .timeout = 60);

/* The known values of two queues that share 16 slots, load 0.9. */
#define HEAD                                                                                       \
    "figure: own\ntitle: Own\nsource: none\nsection: none\nsetting: a memory\nasks: solve\n"
#define LOSS                                                                                       \
    "  - {letter: a, title: t, y: loss, asks: loss, log: true, "                                   \
    "set: {buffer: cbda, ports: 2, load: 0.9}, x: {over: slots, at: [16]}}\n"
#define WORST                                                                                      \
    "  - {letter: b, title: t, y: ratio, asks: worst case, set: {ports: 2}, "                      \
    "x: {over: slots, at: [8, 16]}}\n"
#define LINES                                                                                      \
    "lines:\n  best: {policy: optimal-push-out, only: loss}\n  sharing: {admission: sharing}\n"    \
    "  lqd: {admission: lqd}\n  alpha: {admission: threshold, alpha: 1}\n"                         \
    "  half: {admission: maximum, queue-max: 50%}\n  occamy: {admission: occamy}\n"

static const cJSON *curve_of(const cJSON *tree, const char *name, const char *panel)
{
    const cJSON *curve;

    cJSON_ArrayForEach(curve, json_at(tree, "curves"))
    {
        if (strcmp(json_string(curve, "name"), name) == 0 &&
            strcmp(json_string(curve, "panel"), panel) == 0)
            return curve;
    }
    cr_assert_fail("no curve %s", name);
    return NULL;
}

static program_run figure(const char *text, const char *options)
{
    return program_shell("printf '%%b' '%s' > own.yaml; \"$SWITCHQ\" figure own.yaml %s", text,
                         options);
}

Test(cli_figure_answers, known_values)
{
    program_run run = figure(HEAD "panels:\n" LOSS WORST LINES, "--no-plot --json");
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
    static const struct {
        const char *curve;
        double loss;
    } known[] = {{"sharing", 4.33594280573166e-4},
                 {"lqd", 2.59952943290704e-4},
                 {"best", 2.59952943290704e-4},
                 {"alpha", 4.66908151681625e-3},
                 {"half", 4.66908151681625e-3}};

    cr_assert(run.status == 0 && tree, "%s %s", run.out, run.err);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const cJSON *curve = curve_of(tree, known[k].curve, "a");
        const double y = json_number(curve, "points.0.y");
        cr_expect(fabs(y / known[k].loss - 1) < 1e-9, "%s: %.15g", known[k].curve, y);
        cr_expect(json_number(curve, "points.0.y_lower") <= y);
        cr_expect(json_number(curve, "points.0.y_upper") >= y);
        cr_expect_str_eq(json_string(curve, "x_quantity"), "slots");
    }
    const cJSON *worst = curve_of(tree, "lqd", "b");
    cr_expect_str_eq(json_string(worst, "points.0.exactly"), "14/11");
    cr_expect_str_eq(json_string(worst, "points.1.exactly"), "30/23");
    cr_expect_str_eq(json_string(worst, "points.1.question"),
                     "worst --queues 2 --admission lqd --slots 16");
    cr_expect_eq(cJSON_GetArraySize(json_at(tree, "missing")), 2);
    cr_expect_str_eq(json_string(tree, "missing.0.curve"), "occamy");
    cr_expect(strstr(json_string(tree, "missing.0.reason"), "expelled"));
    cJSON_Delete(tree);
    program_free(&run);
}

/* A point can be asked again by itself, and the text has the same numbers. */
Test(cli_figure_answers, text_and_questions)
{
    program_run run = figure(HEAD "panels:\n" LOSS WORST LINES, "--no-plot");
    char *csv = file_text("figure-own.csv");

    cr_assert(strstr(run.out, "\n  half") && strstr(run.out, " 30/23") &&
                  strstr(run.out, "0.00026") && strstr(run.out, "b) occamy, 8: admission occamy"),
              "%s", run.out);
    cr_assert(strstr(csv, "solve --buffer cbda --ports 2 --load 0.9 --admission maximum "
                          "--queue-max 8 --slots 8"),
              "%s", csv);
    free(csv);
    program_free(&run);
}

Test(cli_figure_answers, quick_leaves_out_slow_panels)
{
    program_run run = figure(
        HEAD "panels:\n  - {letter: a, title: t, y: loss, asks: loss, slow: true, "
             "set: {buffer: cbda, ports: 2, load: 0.9}, x: {over: slots, at: [16]}}\n" WORST LINES,
        "--no-plot --quick");

    cr_assert(!strstr(run.out, "\na)") && strstr(run.out, "\nb)"), "%s", run.out);
    program_free(&run);
}

Test(cli_figure_answers, bad_input)
{
    static const struct {
        const char *text, *options, *says;
    } bad[] = {
        {HEAD "panels:\n" LOSS LINES, "--cycles 20", "--cycles is for figures of simulations"},
        {HEAD "panels:\n" LOSS LINES, "--seed 2", "--seed is for figures of simulations"},
        {HEAD
         "panels:\n  - {letter: a, title: t, y: l, asks: delay, x: {over: load, at: [1]}}\n" LINES,
         "", "a panel asks for loss, worst case, slowdown or query time, not"},
        {HEAD
         "panels:\n  - {letter: a, title: t, y: l, asks: loss, x: {over: cells, at: [1]}}\n" LINES,
         "", "over must be load, slots, burst or memory, not"},
        {HEAD "panels:\n  - {letter: a, title: t, y: l, asks: loss, set: {buffer: cbda, ports: 2}, "
              "x: {over: slots, at: [5]}}\n" LINES,
         "", "ports must share the slots evenly"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        program_run run = figure(bad[k].text, bad[k].options);
        cr_expect(run.status == 2 && strstr(run.err, bad[k].says), "%s: %d %s", bad[k].says,
                  run.status, run.err);
        program_free(&run);
    }
}

/* Measurements have intervals, and claims read them off: those of switchq sim. */
Test(cli_figure_answers, claims_of_measurements)
{
    static const char text[] =
        "figure: own\ntitle: Own\nsource: none\nsection: none\nsetting: a memory\nasks: sim\n"
        "panels:\n  - {letter: a, title: t, y: slowdown, asks: slowdown, x: {over: memory, at: [1, "
        "50]}, set: {architecture: shared-memory, ports: 4, sender: reno, sizes: 30000, load: "
        "0.8, "
        "warmup: 1ms, duration: 2ms, replications: 16}}\n"
        "lines:\n  DT: {admission: threshold, alpha: 0.5}\n  LQD: {admission: lqd}\n"
        "claims:\n"
        "  - claim: one\n    by: two\n    that: answer(a, DT, 50) < answer(a, DT, 1)\n    "
        "measured: m\n"
        "  - claim: two\n    by: two\n    that: answer(a, DT, 1) < answer(a, DT, 50)\n    "
        "measured: m\n";
    program_run run = figure(text, "--no-plot --json");
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
    cJSON *sim = program_json("sim --architecture shared-memory --ports 4 --sender reno --sizes "
                              "30000 --load 0.8 --warmup 1ms --duration 2ms --replications 16 "
                              "--admission threshold --alpha 0.5 --memory 50K/port/Gbps --json");

    cr_assert(tree, "%s %s", run.out, run.err);
    const cJSON *point = cJSON_GetArrayItem(json_at(curve_of(tree, "DT", "a"), "points"), 1);
    const double mean = json_number(sim, "result.by_size.0.slowdown.p99.mean");
    cr_expect_float_eq(json_number(point, "y"), mean, 1e-9 * mean);
    const cJSON *claims = json_at(tree, "claims");
    cr_expect_str_eq(json_string(cJSON_GetArrayItem(claims, 0), "verdict"), "holds");
    cr_expect_str_eq(json_string(cJSON_GetArrayItem(claims, 1), "verdict"), "does not hold");
    cJSON_Delete(sim);
    cJSON_Delete(tree);
    program_free(&run);
}
