/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim --series: the same windows in text, JSON and CSV, in both engines.
 */
#include "tests/cli/program.h"

TestSuite(cli_series, .init = program_begin, .fini = program_end, .timeout = 240);

#define SYNC                                                                                       \
    "sim --ports 2 --stages 3 --buffer damq --slots 4 --load 0.8 --node-groups 0-1 --cycles 1000 "
#define ASYNC                                                                                      \
    "sim --engine async --ports 2 --stages 3 --buffer damq --load 0.3 --cycles 3000 "              \
    "--group mask=1,value=1,load=0.4 --group mask=0,value=0 "

static double sum_of(const cJSON *series, const char *key)
{
    const cJSON *window;
    double sum = 0;

    cJSON_ArrayForEach(window, series) sum += json_number(window, key);
    return sum;
}

static const cJSON *at(const cJSON *list, const char *path, int k)
{
    return cJSON_GetArrayItem(json_at(list, path), k);
}

static void check(const char *arguments, int windows, int every, const char *stages)
{
    cJSON *tree = program_json("%s --series %d --replications 2 --json", arguments, every);
    cJSON *one = program_json("%s --series %d --json", arguments, every);
    program_run csv = program_succeeds("%s --series %d --replications 2 --csv", arguments, every);
    program_run text = program_succeeds("%s --series %d --replications 2", arguments, every);
    const cJSON *series = json_at(tree, "result.series");
    char part[60];

    cr_assert_eq(cJSON_GetArraySize(series), windows);
    cr_expect_eq(sum_of(series, "created"), json_number(tree, "result.created"));
    cr_expect_eq(sum_of(series, "delivered"), json_number(tree, "result.delivered"));
    cr_expect_eq(sum_of(series, "cycles"), json_number(tree, "run.cycles"));
    cr_expect_eq(json_number(tree, "run.warmup_cycles"), 0);
    for (int k = 0; k < windows; k++) {
        const cJSON *w = cJSON_GetArrayItem(series, k);
        cr_expect_eq(json_number(w, "first_cycle"), k * every);
        snprintf(part, sizeof part, "window %d", k + 1);
        int row = csv_row(csv.out, "part", part);
        expect_cell(csv.out, row, "throughput", w, "throughput.mean");
        expect_cell(csv.out, row, "in_flight_half_width", w, "in_flight.half_width");
        expect_cell(csv.out, row, "first_cycle", w, "first_cycle");
        expect_cell(csv.out, row, "cycles", w, "cycles");
        snprintf(part, sizeof part, "window %d groups 1", k + 1);
        expect_cell(csv.out, csv_row(csv.out, "part", part), "latency_cycles", at(w, "groups", 1),
                    "latency_cycles.mean");
        const cJSON *stage = at(w, stages, 1);
        const cJSON *name = cJSON_GetObjectItem(stage, "name");
        snprintf(part, sizeof part, "window %d %s %s", k + 1, stages,
                 name ? name->valuestring : "2");
        const bool levels = strcmp(stages, "levels") == 0;
        expect_cell(csv.out, csv_row(csv.out, "part", part),
                    levels ? "packets_per_port" : "mean_packets", stage,
                    levels ? "packets_per_port.mean" : "mean_packets.mean");
        cr_expect(cJSON_IsNull(
            json_at(at(json_at(one, "result"), "series", k), "throughput.half_width")));
    }
    cr_expect(strstr(text.out, "window  first cycle"), "%s", text.out);
    program_free(&csv);
    program_free(&text);
    cJSON_Delete(tree);
    cJSON_Delete(one);
}

Test(cli_series, text_json_and_csv_have_the_same_windows)
{
    check(SYNC "--warmup 0 ", 4, 300, "stages");
    check(ASYNC "--warmup 0 ", 3, 1000, "levels");
}

/* The windows of a run whose warm-up is found automatically include it, and change nothing else. */
Test(cli_series, the_other_results_stay_what_they_are)
{
    static const char *const runs[] = {SYNC, ASYNC};

    for (int k = 0; k < 2; k++) {
        cJSON *with = program_json("%s --series 400 --json", runs[k]);
        cJSON *without = program_json("%s --json", runs[k]);
        const cJSON *series = json_at(with, "result.series");
        cr_expect_gt(json_number(with, "run.warmup_cycles"), 0);
        cr_expect_eq(json_number(with, "run.warmup_cycles"),
                     json_number(without, "run.warmup_cycles"));
        cr_expect_eq(json_number(cJSON_GetArrayItem(series, 0), "first_cycle"), 0);
        cr_expect_eq(sum_of(series, "cycles"),
                     json_number(with, "run.cycles") + json_number(with, "run.warmup_cycles"));
        cr_expect_eq(sum_of(series, "created"), json_number(with, "invariants.all_created"));
        cJSON_DeleteItemFromObject(cJSON_GetObjectItem(with, "result"), "series");
        cr_expect(cJSON_Compare(cJSON_GetObjectItem(with, "result"),
                                cJSON_GetObjectItem(without, "result"), true));
        cJSON_Delete(with);
        cJSON_Delete(without);
    }
}

/* A short table, and a remark where lines are left out. */
Test(cli_series, text_stays_short)
{
    program_run run = program_succeeds("%s --series 10 --warmup 0", SYNC);
    int lines = 0;

    for (const char *c = run.out; *c; c++)
        lines += *c == '\n';
    cr_expect_lt(lines, 60, "%d lines", lines);
    cr_expect(strstr(run.out, "one window in 5 is shown, of 100"), "%s", run.out);
    cr_expect(strstr(run.out, "have no intervals"), "%s", run.out);
    program_free(&run);
}

Test(cli_series, windows_after_a_warm_up)
{
    cJSON *tree = program_json("%s --series 500 --warmup 70 --json", SYNC);
    const cJSON *last = at(tree, "result.series", 1);

    cr_expect_eq(json_number(last, "first_cycle"), 570);
    cJSON_Delete(tree);
}

Test(cli_series, refusals)
{
    static const struct {
        const char *arguments, *name;
    } rows[] = {
        {"--series 0", "--series"},
        {"--series 10 --ignore 5", "--ignore"},
        {"--series 10 --precision 0.1", "--precision"},
        {"--series 1 --cycles 4000000000", "series"},
        {"--rare --series 10", "--series"},
        {"--onset 100", "--series"},
        {"--series 10 --onset 9", "--onset"},
        {"--series 10 --warmup 200 --onset 209", "--onset"},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        program_run run =
            program("sim --ports 2 --buffer damq --slots 4 --load 0.8 %s", rows[k].arguments);
        expect_refusal(&run, 2, rows[k].name, NULL);
        program_free(&run);
    }
    program_run run = program("sim --buffer damq --slots 4 --find-saturation --series 10");
    expect_refusal(&run, 2, "--find-saturation", NULL);
    program_free(&run);
}

/* ---- recovery ---- */

Test(cli_series, recovery)
{
    cJSON *tree =
        program_json("sim --topology torus --dims 4x4 --buffer damq --bytes 512 --load 0.1 "
                     "--cycles 60000 --series 1000 --onset 20000 "
                     "--group mask=1,value=1,from=20000,until=30000,traffic=node:5,load=0.9 "
                     "--group mask=0 --replications 8 --json");
    const cJSON *all = at(tree, "result.recovery", 0);

    cr_assert_not_null(all);
    cr_expect_float_eq(json_number(all, "throughput_before"), 0.1, 0.005);
    cr_expect_geq(json_number(all, "least_cycle"), 20000);
    cr_expect_lt(json_number(all, "least_throughput"), json_number(all, "throughput_before"));
    cJSON_Delete(tree);
}

/* ---- groups that begin and end ---- */

#define TORUS                                                                                      \
    "sim --topology torus --dims 4x4 --buffer damq --bytes 256 --threshold 24 --load 0.2 "         \
    "--cycles 3000 "
#define BURST "--group mask=1,value=1,from=1000,until=1500,traffic=node:5,load=0.9 --group mask=0 "

Test(cli_series, groups_in_time)
{
    cJSON *tree = program_json(TORUS BURST "--series 500 --json");
    program_run text = program_succeeds(TORUS BURST);

    cr_expect_eq(json_number(at(tree, "model.groups", 0), "from_cycle"), 1000);
    cr_expect_eq(json_number(at(tree, "model.groups", 0), "until_cycle"), 1500);
    cr_expect(cJSON_IsNull(json_at(at(tree, "model.groups", 1), "until_cycle")));
    cr_expect_eq(json_number(tree, "run.warmup_cycles"), 0);
    for (int w = 0; w < 6; w++) {
        const cJSON *burst = at(at(tree, "result.series", w), "groups", 0);
        cr_expect_eq(json_number(burst, "created") > 0, w == 2, "window %d", w);
    }
    cr_expect(strstr(text.out, "from cycle 1000, until cycle 1500"), "%s", text.out);
    cr_expect(strstr(text.out, "(nodes & 0x1 = 0x1; 8 nodes"), "%s", text.out);
    cr_expect(strstr(text.out, "(all nodes in no other group then; 16 nodes)"), "%s", text.out);
    cr_expect(strstr(text.out, "none of one run whose traffic changes"), "%s", text.out);
    program_free(&text);
    cJSON_Delete(tree);
}

Test(cli_series, groups_in_time_that_are_refused)
{
    static const struct {
        const char *arguments, *name, *value;
    } rows[] = {
        {"--group from=10,until=10", "until", "'10'"},
        {"--group from=x", "from", "'x'"},
        {"--group from=5,sources=open --group sources=hold", "same sources", NULL},
        {"--group from=5,burst=3", "burst", NULL},
        {"--group from=5 --precision 0.1", "--precision", NULL},
        {"--group from=5 --warmup auto", "--warmup auto", NULL},
        {"--group from=5,until=9 --group from=6,until=7", "group 2", NULL},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        program_run run = program(TORUS "%s", rows[k].arguments);
        expect_refusal(&run, 2, rows[k].name, rows[k].value);
        program_free(&run);
    }
    program_run run = program_shell("echo 0 0 1 32 > t.txt");
    program_free(&run);
    run = program("sim --topology torus --dims 4x4 --buffer damq --traffic "
                  "trace:t.txt --group mask=1,from=5");
    expect_refusal(&run, 2, "from", "trace");
    program_free(&run);
}
