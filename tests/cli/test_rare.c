/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --rare at the command line: the answer and its keys, the three ways to print it, what
 * does not go with it, and bad input.
 */
#include "tests/cli/program.h"

TestSuite(cli_rare, .init = program_begin, .fini = program_end, .timeout = 240);

#define SWITCH "sim --rare --topology switch --ports 2 --buffer damq --slots 4 --arbiter random "
#define QUICK  "--importance rivals --pilot-steps 5000 --precision 0.3 --warmup 200 "

Test(cli_rare, json_has_the_answer_and_how_it_came_about)
{
    cJSON *tree = program_json(SWITCH QUICK "--load 0.25 --seed 3 --json");
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.25, "random");
    double exact = test_discard(&sw);
    double mean = json_number(tree, "result.discard_probability.mean");
    double half = json_number(tree, "result.discard_probability.half_width");

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/rare/1");
    cr_assert_str_eq(json_string(tree, "model.buffer"), "damq");
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "precision");
    cr_assert_str_eq(json_string(tree, "splitting.importance"), "rivals");
    cr_assert(fabs(mean - exact) < 2 * half, "%g +- %g, not %g", mean, half, exact);
    assert_relative(json_number(tree, "result.discard_probability.relative"), half / mean, 1e-12,
                    "relative");
    cr_assert(half / mean <= 0.3);
    cr_assert(cJSON_IsTrue(json_at(tree, "result.enough")));
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "result.stages")), 1);
    double copies = 1;
    const cJSON *level, *levels = json_at(tree, "splitting.levels");
    cr_assert(cJSON_GetArraySize(levels) > 3);
    cJSON_ArrayForEach(level, levels)
    {
        copies *= json_number(level, "factor");
        cr_assert(json_number(level, "probability.mean") < 1);
        cr_assert(json_number(level, "importance_threshold") >= 1);
    }
    assert_relative(copies, json_number(tree, "splitting.copies"), 1e-12, "copies");
    cr_assert(json_number(tree, "splitting.effective_families") >= 50);
    cr_assert(json_number(tree, "splitting.contributing") <=
              json_number(tree, "splitting.crossings"));
    cr_assert(json_number(tree, "run.steps") > json_number(tree, "run.cycles"));
    cr_assert(json_number(tree, "run.pilot_steps") >= 5000);
    cr_assert_eq(json_number(tree, "run.replications"), 32);
    cr_assert(json_number(tree, "result.gain") > 10);
    cJSON_Delete(tree);
    swq_context_free(ctx);
}

Test(cli_rare, text_and_csv_say_the_same)
{
    program_run text = program_succeeds(SWITCH QUICK "--load 0.4");
    program_run csv = program_succeeds(SWITCH QUICK "--load 0.4 --csv");
    program_run again = program_succeeds(SWITCH QUICK "--load 0.4 --csv --threads 2");
    double mean, printed;

    char *cell = csv_cell(csv.out, csv_row(csv.out, "part", "all"), "discard_probability");
    mean = atof(cell);
    free(cell);
    cr_assert_eq(
        sscanf(strstr(text.out, "discard probability"), "discard probability %lf", &printed), 1);
    assert_relative(mean, printed, 1e-3, "%g, printed %g", mean, printed);
    cr_assert(strstr(text.out, "importance rivals"));
    cr_assert(strstr(text.out, "stopped by: precision"));
    cr_assert_str_eq(csv.out, again.out, "threads change numbers");
    program_free(&text);
    program_free(&csv);
    program_free(&again);
}

Test(cli_rare, levels_by_hand_and_too_few_families)
{
    cJSON *tree = program_json(SWITCH "--load 0.5 --importance fill --levels 2:4,3:9,4:9 "
                                      "--cycles 2000 --warmup 100 --json");
    program_run few = program(SWITCH "--load 0.25 --importance fill --levels none --cycles 100 "
                                     "--warmup 10");

    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "splitting.levels")), 3);
    cr_assert_eq(json_number(tree, "splitting.copies"), 324);
    cr_assert_eq(json_number(tree, "run.cycles"), 64000);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "cycles");
    cr_assert_eq(few.status, 1);
    cr_assert(strstr(few.out, "no packet was lost"));
    cJSON_Delete(tree);
    program_free(&few);
}

/* If there is no interval, stages and levels have none either, least of all 0 +- 0. */
Test(cli_rare, too_few_families_withhold_all_intervals)
{
    const char *line = "sim --rare --topology omega --ports 2 --stages 2 --buffer damq --slots 3 "
                       "--load 0.4 --importance rivals --levels 9:3,17:3,29:2 --cycles 100 "
                       "--replications 4 --warmup 50 --seed 2";
    program_run json = program("%s --json", line), csv = program("%s --csv", line);
    program_run text = program("%s", line);
    cJSON *tree = cJSON_Parse(json.out);
    const cJSON *one;

    cr_assert_eq(json.status, 1);
    cr_assert(cJSON_IsFalse(json_at(tree, "result.enough")));
    cr_assert(json_number(tree, "result.discard_probability.mean") > 0);
    cr_assert(cJSON_IsNull(json_at(tree, "result.discard_probability.half_width")));
    cJSON_ArrayForEach(one, json_at(tree, "result.stages"))
        cr_expect(cJSON_IsNull(json_at(one, "discard_probability.half_width")));
    cJSON_ArrayForEach(one, json_at(tree, "splitting.levels"))
        cr_expect(cJSON_IsNull(json_at(one, "probability.half_width")));
    char *width =
        csv_cell(csv.out, csv_row(csv.out, "part", "stages 1"), "discard_probability_half_width");
    cr_expect_str_empty(width, "%s", csv.out);
    free(width);
    cr_expect(strstr(text.out, "TOO FEW families"));
    cr_expect(!strstr(text.out, "+-") && !strstr(text.out, "inf"), "%s", text.out);
    cJSON_Delete(tree);
    program_free(&json);
    program_free(&csv);
    program_free(&text);
}

typedef struct {
    const char *arguments, *name, *value;
} refusal;

Test(cli_rare, bad_input_is_refused_by_name)
{
    static const refusal refusals[] = {
        {"--load 0.5 --flow block", "flow", "discard"},
        {"--load 0.5 --resend", "resend", NULL},
        {"--load 0.5 --sources open", "sources", NULL},
        {"--load 0.5 --burst 3", "burst", "3"},
        {"--load 0.5 --importance fil", "importance", "fil"},
        {"--load 0.5 --importance drain", "importance drain", "use fill, packets, rivals, chain"},
        {"--load 0.5 --importance drain --levels 1:2", "importance drain", "use fill, packets"},
        {"--load 0.5 --importance fill --levels 1:2,300:5", "1 to ", "300"},
        {"--load 0", "load", "above 0"},
        {"--load 0.5 --levels 1:2", "importance", NULL},
        {"--load 0.5 --importance fill --levels 1:2,", "levels", "1:2,"},
        {"--load 0.5 --importance fill --levels 2:2,1:2", "threshold", "1"},
        {"--load 0.5 --importance fill --levels 1:0", "levels", "1:0"},
        {"--load 0.5 --importance fill --levels 1:2 --pilot-steps 5000", "pilot-steps", NULL},
        {"--load 0.5 --pilot-steps 5", "pilot-steps", "5"},
        {"--load 0.5 --replications 1", "replications", "1"},
        {"--load 0.5 --per-node", "per-node", NULL},
        {"--load 0.5 --packets 100", "packets", NULL},
        {"--find-saturation", "find-saturation", NULL},
        {"--load 0.5 --engine async", "rare", "async"},
        {"--json", "load", NULL},
    };

    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        program_run run = program(SWITCH "%s", refusals[k].arguments);
        expect_refusal(&run, 2, refusals[k].name, refusals[k].value);
        program_free(&run);
    }
    program_run alone = program("sim --topology switch --ports 2 --buffer damq --slots 4 "
                                "--load 0.5 --importance fill");
    expect_refusal(&alone, 2, "importance", "--rare");
    program_free(&alone);
    program_run memory = program(SWITCH "--load 0.5 --mem 200000");
    expect_refusal(&memory, 3, "memory", NULL);
    program_free(&memory);
}

Test(cli_rare, nothing_to_lose_is_no_interval_but_a_message)
{
    program_run run = program(SWITCH "--load 0.5 --traffic neighbour --pilot-steps 1000");

    expect_refusal(&run, 1, "no packet was lost",
                   "if packets can be lost at all; for a single switch");
    cr_expect(strstr(run.err, "'switchq solve'"));
    program_free(&run);
    run = program("sim --rare --topology omega --ports 2 --stages 2 --buffer damq --slots 4 "
                  "--load 0.02 --pilot-steps 1000");
    expect_refusal(&run, 1, "no packet was lost", NULL);
    cr_expect_not(strstr(run.err, "solve"), "a network has no chain");
    program_free(&run);
}

/* ---- pilot runs after which nothing follows, and their results ---- */

static void expect_pilot(const program_run *run, const char *stopped_by)
{
    cJSON *tree = cJSON_Parse(run->out);

    cr_assert(tree, "%s: %s%s", run->arguments, run->out, run->err);
    cr_expect_eq(run->status, 1, "%s", run->arguments);
    cr_expect(strstr(run->err, "switchq: only the pilot run was begun"), "%s", run->err);
    cr_expect(cJSON_IsTrue(json_at(tree, "run.pilot_only")), "%s", run->arguments);
    cr_expect_str_eq(json_string(tree, "run.stopped_by"), stopped_by);
    cr_expect(cJSON_IsNull(json_at(tree, "result.discard_probability.half_width")));
    cr_expect_gt(json_number(tree, "run.pilot_steps"), 0);
    cr_expect_lt(json_number(tree, "run.wall_seconds"), 20);
    cr_expect_gt(json_number(tree, "splitting.importance_reached"), 0);
    cr_expect_gt(json_number(tree, "splitting.reached_probability"), 0);
    cJSON_Delete(tree);
}

#define LONG_PILOT                                                                                 \
    "sim --rare --topology omega --ports 4 --stages 3 --buffer damq --slots 8 --load 0.1 "         \
    "--pilot-steps 1000000000 --importance fill --warmup 100 "

Test(cli_rare, a_pilot_run_that_is_cut_short_says_what_it_knows)
{
    program_run run = program(SWITCH "--load 0.25 --cycles 100 --json");
    expect_pilot(&run, "cycles");
    program_free(&run);
    run = program(LONG_PILOT "--time 0.7 --json");
    expect_pilot(&run, "time");
    program_free(&run);
    run = program_shell(
        "timeout --foreground --preserve-status -k 30 -s INT 1 \"$SWITCHQ\" " LONG_PILOT "--json");
    expect_pilot(&run, "interrupted");
    program_free(&run);
    run = program(LONG_PILOT "--time 0.7");
    cr_expect(strstr(run.out, "stopped by: time, in the pilot run"), "%s", run.out);
    cr_expect(strstr(run.out, "; got to ") && !strstr(run.out, "nan"), "%s", run.out);
    program_free(&run);
}

Test(cli_rare, a_time_limit_ends_the_replications)
{
    program_run run = program("sim --rare --topology omega --ports 2 --stages 3 --buffer damq "
                              "--slots 3 --load 0.4 --precision 0.0001 --importance fill --levels "
                              "2:3,3:3 --warmup 100 --time 1 --json");
    cJSON *tree = cJSON_Parse(run.out);

    cr_assert(tree, "%s", run.err);
    cr_expect_eq(run.status, 1, "the precision is missed");
    cr_expect_str_eq(json_string(tree, "run.stopped_by"), "time");
    cr_expect(cJSON_IsFalse(json_at(tree, "run.pilot_only")));
    cr_expect(cJSON_IsTrue(json_at(tree, "result.enough")));
    cJSON_Delete(tree);
    program_free(&run);
}

/* Printed before the run, which would go on for hours and is killed here. */
Test(cli_rare, a_pilot_run_says_that_crude_simulation_is_cheaper)
{
    program_run run = program_shell("timeout --foreground -s KILL 6 \"$SWITCHQ\" " SWITCH
                                    "--load 0.95 --precision 0.000001");
    cr_assert_str_empty(run.out);
    cr_assert(strstr(run.err, "crude simulation is cheaper"), "%s", run.err);
    program_free(&run);
    run = program_succeeds(SWITCH "--load 0.25 --precision 0.4");
    program_free(&run);
}

/* For so high a precision a run would go on for hours. */
Test(cli_rare, interrupted_it_tells_what_all_replications_have)
{
    program_run run = program_shell(
        "timeout --foreground --preserve-status -k 30 -s INT 3 \"$SWITCHQ\" sim --rare --topology "
        "omega --ports 2 --stages 3 --buffer damq --slots 3 --load 0.4 --precision 0.0001 "
        "--importance fill --levels 2:3,3:3 --warmup 100 --json");
    cJSON *tree = cJSON_Parse(run.out);

    cr_assert_eq(run.status, 1, "%d: %s", run.status, run.err);
    cr_assert(tree);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "interrupted");
    cr_assert_eq(json_number(tree, "run.replications"), 32);
    cr_assert(cJSON_IsTrue(json_at(tree, "result.enough")));
    cr_assert(json_number(tree, "result.discard_probability.relative") > 0);
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_rare, help_says_that_priorities_are_not_told_apart)
{
    program_run run = program_shell("\"$SWITCHQ\" sim --help-all | tr -s ' \\n' '  '");

    cr_assert(strstr(run.out, "of all priorities together"));
    program_free(&run);
}
