/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranges in solve and sim: every point is what the command answers for it alone, whatever the
 * number of threads; tables, JSON, CSV and plots have all of them; what is no range is refused.
 */
#include "tests/cli/program.h"

TestSuite(cli_ranges, .init = program_begin, .fini = program_end, .timeout = 240);

#define SIM   "sim --ports 2 --stages 2 --cycles 2000 --warmup 100"
#define ASYNC "sim --engine async --ports 2 --stages 2 --cycles 3000 --warmup 100"

/* Compares the points of a range with the single questions that they stand for, in order. */
static void expect_points(const char *range, const char *const *single, int count)
{
    cJSON *all = program_json("%s --json --threads 2", range);
    const cJSON *points = json_at(all, "points");

    cr_assert_str_eq(json_string(all, "schema"), "switchq/points/1");
    cr_assert_eq(cJSON_GetArraySize(points), count, "%d points", cJSON_GetArraySize(points));
    for (int k = 0; k < count; k++) {
        cJSON *one = program_json("%s --json", single[k]);
        const cJSON *point = cJSON_GetArrayItem(points, k);
        cr_expect(cJSON_Compare(json_at(point, "result"), json_at(one, "result"), true), "%s",
                  single[k]);
        cr_expect(cJSON_Compare(json_at(point, "model"), json_at(one, "model"), true), "%s",
                  single[k]);
        cr_expect_str_eq(json_string(point, "schema"), json_string(one, "schema"));
        cJSON_Delete(one);
    }
    cJSON_Delete(all);
}

Test(cli_ranges, points_are_those_of_single_questions)
{
    static const char *const solve[] = {
        "solve --buffer fifo --slots 2 --load 0.3", "solve --buffer fifo --slots 2 --load 0.6",
        "solve --buffer fifo --slots 4 --load 0.3", "solve --buffer fifo --slots 4 --load 0.6",
        "solve --buffer damq --slots 2 --load 0.3", "solve --buffer damq --slots 2 --load 0.6",
        "solve --buffer damq --slots 4 --load 0.3", "solve --buffer damq --slots 4 --load 0.6",
    };
    static const char *const sim[] = {
        SIM " --buffer damq --slots 2 --credit same --flow discard --load 0.3",
        SIM " --buffer damq --slots 3 --credit same --flow discard --load 0.3",
        SIM " --buffer damq --slots 2 --credit same --flow block --load 0.3",
        SIM " --buffer damq --slots 3 --credit same --flow block --load 0.3",
    };
    static const char *const async[] = {
        ASYNC " --buffer fifo --load 0.2 --bytes 64",
        ASYNC " --buffer fifo --load 0.2 --bytes 96",
        ASYNC " --buffer fifo --load 0.2 --bytes 128",
    };

    static const char *const lanes[] = {
        ASYNC " --architecture wormhole --lanes 1 --lane-flits 4 --load 0.2",
        ASYNC " --architecture wormhole --lanes 2 --lane-flits 4 --load 0.2",
        ASYNC " --architecture wormhole --lanes 4 --lane-flits 4 --load 0.2",
    };

    expect_points(ASYNC " --architecture wormhole --lanes 1,2,4 --lane-flits 4 --load 0.2", lanes,
                  3);
    expect_points("solve --buffer fifo,damq --slots 2,4 --load 0.3:0.6:0.3", solve, 8);
    expect_points(SIM " --buffer damq --slots 2:3:1 --credit same --flow discard,block --load 0.3",
                  sim, 4);
    expect_points(ASYNC " --buffer fifo --load 0.2 --bytes 64:128:32", async, 3);
}

/* Values that contain commas: a scheme begins with a word and a colon, counters are words or groups
 * of five numbers. */
Test(cli_ranges, values_with_commas_are_told_apart)
{
    static const char *const sender[] = {
        ASYNC " --buffer damq --load 0.2 --sender window:1",
        ASYNC " --buffer damq --load 0.2 --sender bucket:0.1,64",
        ASYNC " --buffer damq --load 0.2 --sender tokens:8,stay",
        ASYNC " --buffer damq --load 0.2 --sender feedback:2,1,9",
        ASYNC " --buffer damq --load 0.2 --sender tokens:8",
    };
    static const char *const counter[] = {
        ASYNC " --buffer damq --load 0.4 --flow two-counter --two-counter H",
        ASYNC " --buffer damq --load 0.4 --flow two-counter --two-counter 20,8,4,2,4",
        ASYNC " --buffer damq --load 0.4 --flow two-counter --two-counter 1,4,5,1,1",
        ASYNC " --buffer damq --load 0.4 --flow two-counter --two-counter tH",
    };
    static const char *const clock[] = {
        ASYNC " --buffer damq --load 0.1 --flow virtual-clock --clock-ahead 0",
        ASYNC " --buffer damq --load 0.1 --flow virtual-clock --clock-ahead 150",
    };

    expect_points(ASYNC " --buffer damq --load 0.2 --sender "
                        "window:1,bucket:0.1,64,tokens:8,stay,feedback:2,1,9,tokens:8",
                  sender, 5);
    expect_points(ASYNC " --buffer damq --load 0.4 --flow two-counter --two-counter "
                        "H,20,8,4,2,4,1,4,5,1,1,tH",
                  counter, 4);
    expect_points(ASYNC " --buffer damq --load 0.1 --flow virtual-clock --clock-ahead 0:150:150",
                  clock, 2);
}

Test(cli_ranges, threads_change_nothing)
{
    const char *line = SIM " --buffer damq,safc --slots 4 --load 0.2:0.8:0.2";
    static const char *const forms[] = {"", "--csv"};

    for (int k = 0; k < 2; k++) {
        program_run one = program("%s %s --threads 1", line, forms[k]),
                    two = program("%s %s --threads 3", line, forms[k]);
        cr_expect_str_eq(one.out, two.out);
        program_free(&one);
        program_free(&two);
    }
}

Test(cli_ranges, a_table_a_csv_and_a_plot_have_all_points)
{
    const char *line = SIM " --buffer fifo,damq --slots 4 --load 0.2:0.6:0.2";
    program_run text = program("%s --plot curves.svg", line), csv = program("%s --csv", line);
    cJSON *all = program_json("%s --json", line);
    char *picture = file_text("curves.svg");
    int rows = 0;

    cr_assert_eq(text.status, 0, "%s", text.err);
    for (const char *at = text.out; (at = strstr(at, "damq   0.")); at++)
        rows++;
    cr_expect_eq(rows, 3, "%s", text.out);
    cr_expect(strstr(text.out, "throughput: packets per node and cycle"), "%s", text.out);
    cr_expect(strstr(picture, "damq") && strstr(picture, "latency") && strstr(picture, "load"));
    for (int k = 0, row = 1; k < 6; k++, row++) {
        char *part = csv_cell(csv.out, row, "part");
        for (; strcmp(part, "all") != 0; part = csv_cell(csv.out, ++row, "part"))
            free(part);
        free(part);
        expect_cell(csv.out, row, "latency_cycles", cJSON_GetArrayItem(json_at(all, "points"), k),
                    "result.latency_cycles.mean");
        expect_cell(csv.out, row, "load", cJSON_GetArrayItem(json_at(all, "points"), k),
                    "model.load");
    }
    free(picture);
    cJSON_Delete(all);
    program_free(&text);
    program_free(&csv);
}

/* RECN's switches have other buffers and packets than VOQsw's, and blocking has its own credits;
 * different buffers, loads and slots are what was asked for. */
Test(cli_ranges, other_defaults_are_named)
{
    static const char *const unlike[][2] = {
        {"sim --topology tree --arity 4 --levels 2 --load 0.3 --cycles 200 --management recn,voqsw",
         "--architecture cioq or input-queued, --bytes 32768 or 128"},
        {"sim --topology tree --arity 4 --levels 2 --load 0.3 --cycles 200 --management recn,voqsw",
         "--max-packet 64 or 32, --link-rest 0 or 2"},
        {SIM " --buffer damq --slots 4 --load 0.3 --flow block,discard --json",
         "--credit next or same"},
    };
    static const char *const alike[] = {
        SIM " --buffer fifo,damq --slots 4,6 --load 0.1:0.3:0.1",
        SIM " --buffer damq --slots 4 --load 0.3 --credit same --flow block,discard",
        "solve --buffer fifo,samq,safc,damq --slots 2:4:2 --load 0.3",
    };

    for (size_t k = 0; k < sizeof unlike / sizeof *unlike; k++) {
        program_run run = program("%s", unlike[k][0]);
        cr_expect(run.status == 0 && strstr(run.err, unlike[k][1]), "%s: %s", unlike[k][0],
                  run.err);
        program_free(&run);
    }
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++) {
        program_run run = program_succeeds("%s", alike[k]);
        cr_expect(!strstr(run.err, "differ in options"), "%s: %s", alike[k], run.err);
        program_free(&run);
    }
}

/* A load for each input, and a matrix of traffic, contain commas and colons themselves. */
Test(cli_ranges, lists_that_are_one_value_stay_one)
{
    cJSON *tree = program_json("solve --buffer fifo --slots 2 --load 0.5,0.7 --json");
    cr_expect_str_eq(json_string(tree, "schema"), "switchq/solve/1");
    cJSON_Delete(tree);
    tree = program_json(SIM " --buffer fifo --slots 2 --load 0.2 --traffic hotspot:0.1:2 --json");
    cr_expect_str_eq(json_string(tree, "schema"), "switchq/sim/1");
    cJSON_Delete(tree);
}

Test(cli_ranges, what_is_no_range_is_refused_before_anything_is_run)
{
    static const struct {
        const char *arguments, *name, *value;
    } wrong[] = {
        {"solve --buffer fifo --slots 2 --load 0.9:0.1:0.1", "--load", "0.9:0.1:0.1"},
        {"solve --buffer fifo --slots 1:5:0.5 --load 0.5", "--slots", "0.5"},
        {"solve --buffer fifo,fifo --slots 2 --load 0.5", "--buffer", "twice"},
        {"solve --buffer fifo,nonsense --slots 2 --load 0.5", "nonsense", NULL},
        {"solve --buffer fifo,samq --slots 2:3:1 --load 0.5", "slots", "samq"},
        {"solve --buffer fifo --slots 2 --load 0:1:0.00001", "--load", "points"},
        {ASYNC " --buffer damq --load 0.2 --sender window:1,window:1", "--sender", "twice"},
        {ASYNC " --buffer damq --load 0.2 --sender window:1,window:", "--sender", "''"},
        {ASYNC " --buffer damq --load 0.2 --flow two-counter --two-counter H,1,2,3,1",
         "--two-counter", "'1,2,3,1'"},
        {"solve --buffer fifo --slots 2 --load 0.5 --plot a.svg", "--plot", "range"},
        {"solve --buffer fifo,damq --slots 2 --load 0.5 --plot a.svg", "--plot", "range"},
        {"solve --buffer fifo --slots 2 --load 0.1:0.5:0.1 --plot a.jpg", "a.jpg", NULL},
        {"solve --buffer fifo --slots 1 --load 0.5 --topology omega --stages 2 --ports 2 --threads "
         "2",
         "--threads", "range"},
        {SIM " --buffer fifo --slots 2 --load 0.5 --plot a.svg", "--plot", "range"},
        {SIM " --buffer fifo --slots 2 --load 0.1:0.5:0.1 --series 100", "--series", "range"},
        {SIM " --buffer fifo,damq --slots 2 --load 0.5 --series 100 --plot a.svg", "--series",
         "range"},
        {"sim --rare --topology switch --buffer damq --slots 2:3:1 --load 0.5", "--rare",
         "--slots"},
        {"solve --buffer damq --slots 2:4:1 --target 1e-3", "--target", "--slots"},
        {"sim --buffer damq --slots 2:4:1 --find-saturation", "--find-saturation", "--slots"},
        {ASYNC " --buffer damq,fifo --load 0.2 --starts s.csv", "--starts", "range"},
        {SIM " --buffer fifo,damq --arbiter random,longest --flow block,discard --slots 2:4:2 "
             "--load 0.1:0.2:0.1",
         "--load", "at most 4"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run run = program("%s", wrong[k].arguments);
        expect_refusal(&run, 2, wrong[k].name, wrong[k].value);
        program_free(&run);
    }
    char *names = folder_names();
    cr_assert_str_empty(names);
    free(names);
}

Test(cli_ranges, missing_folders_of_files_are_made)
{
    static const char *const lines[] = {
        "solve --buffer fifo --slots 2 --load 0.1:0.5:0.1 --plot a/b/c.svg",
        SIM " --buffer fifo --slots 2 --load 0.1:0.5:0.1 --plot a/b/c.svg",
        SIM " --buffer fifo --slots 2 --load 0.5 --starts a/b/c.svg",
        SIM " --buffer fifo --slots 2 --load 0.5 --watch a/b/c.svg",
        SIM " --buffer fifo --slots 2 --load 0.5 --save-config a/b/c.svg",
        "formula hol-saturation --ports 2:8:1 --plot a/b/c.svg",
        "table 4.1 --plot a/b/c.svg",
        "worst --admission lqd --slots 3 --certificate a/b/c.svg",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run =
            program_shell("\"$SWITCHQ\" %s && test -s a/b/c.svg && rm -r a", lines[k]);
        cr_assert_eq(run.status, 0, "%s: %s", lines[k], run.err);
        program_free(&run);
    }
}

/* What one point of many cannot have is refused before another one is answered. */
Test(cli_ranges, all_points_are_checked_first)
{
    static const char *const lines[][3] = {
        {"--load 0.5 --high 0.2 --priority buffer --burst 1,2", "bursts", "high priority"},
        {"--load 0.5 --high 0:0.4:0.2 --burst 2", "bursts", "high priority"},
        {"--load 0.5 --flow discard,block --losses", "--losses", "--flow discard"},
        {"--load 0.5 --ports 2:9:7 --policy optimal", "policy optimal", "ports"},
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run = program("solve --buffer damq --slots 2 %s --json", lines[k][0]);
        expect_refusal(&run, 2, lines[k][1], lines[k][2]);
        program_free(&run);
    }
}

/* A table has no room for what makes a run doubtful, so lines on standard error say it, each with
 * the point that it is about; a single answer says it itself, and JSON has it. */
Test(cli_ranges, warnings_name_their_points)
{
    static const char worms[] = "sim --engine async --topology torus --dims 4x4 --architecture "
                                "wormhole --lanes 2 --lane-flits 2 --sources open --cycles 2000 "
                                "--seed 3 --load 0.1:0.9:0.4";
    program_run run = program(worms);

    cr_assert_eq(run.status, 0, "%s", run.err);
    cr_assert(strstr(run.err, "switchq: load 0.5: past saturation: "), "%s", run.err);
    cr_assert(strstr(run.err, "switchq: load 0.9: past saturation: "), "%s", run.err);
    cr_assert(strstr(run.err, "switchq: load 0.1: intervals: none: "), "%s", run.err);
    cr_assert(strstr(run.err, "switchq: load 0.9: not stationary: ") ||
                  strstr(run.err, "switchq: load 0.9: the batches are correlated"),
              "%s", run.err);
    program_free(&run);
    run = program("sim --ports 2 --stages 2 --buffer damq,fifo --slots 2 --flow block --cycles "
                  "2000 --load 1 --json");
    cr_assert(strstr(run.err, "switchq: buffer damq: past saturation: "), "%s", run.err);
    cr_assert(strstr(run.err, "switchq: buffer fifo: past saturation: "), "%s", run.err);
    program_free(&run);
}
