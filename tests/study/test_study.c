/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies: the points that a file comes to, one key for a point however it is written, refusals
 * with file and line, failing allocations.
 */
#include "study/plan.h"
#include "tests/study/studies.h"

TestSuite(study, .timeout = 240);

static void expect_points(const char *text, const char *points)
{
    char *found = test_points(text);

    cr_expect_str_eq(found, points, "%s comes to\n%s", text, found);
    free(found);
}

Test(study, options_are_crossed_in_their_order_and_sorted_in_a_point)
{
    expect_points("command: solve\n"
                  "set: {slots: 4}\n"
                  "over:\n"
                  "  load: [0.5, 0.9]\n"
                  "  buffer: [fifo, damq]\n",
                  "solve --buffer fifo --load 0.5 --slots 4\n"
                  "solve --buffer damq --load 0.5 --slots 4\n"
                  "solve --buffer fifo --load 0.9 --slots 4\n"
                  "solve --buffer damq --load 0.9 --slots 4\n");
}

Test(study, a_block_without_lists_is_one_point)
{
    expect_points("{command: solve, set: {slots: 4}}", "solve --slots 4\n");
    expect_points("command: solve", "solve\n");
    expect_points("formula: known\nset: {load: 0.5}", "formula known --load 0.5\n");
    expect_points("{command: formula, formula: known}", "formula known\n");
}

Test(study, json_is_a_study_too)
{
    expect_points(
        "{\"command\": \"solve\", \"over\": {\"load\": [0.5, {\"from\": 0.6, \"to\": 0.7, "
        "\"step\": 0.1}]}}",
        "solve --load 0.5\nsolve --load 0.6\nsolve --load 0.7\n");
}

Test(study, blocks_are_documents_or_a_list)
{
    static const char points[] = "solve --slots 1\nsolve --slots 2\n";

    expect_points("command: solve\nset: {slots: 1}\n---\ncommand: solve\nset: {slots: 2}\n",
                  points);
    expect_points("- {command: solve, set: {slots: 1}}\n- {command: solve, set: {slots: 2}}\n",
                  points);
}

Test(study, an_alias_stands_for_what_it_names)
{
    expect_points("- command: solve\n  set: &s {slots: 1}\n- command: solve\n  set: *s\n"
                  "  over: {load: [0.5]}\n",
                  "solve --slots 1\nsolve --load 0.5 --slots 1\n");
}

Test(study, ranges_do_not_gather_roundings)
{
    char *points = test_points("{command: solve, over: {load: {from: 0.1, to: 0.9, step: 0.1}}}");
    char expected[400] = "";

    for (int k = 1; k <= 9; k++)
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                 "solve --load 0.%d\n", k);
    cr_assert_str_eq(points, expected);
    free(points);
    points = test_points("{command: solve, over: {load: {from: 0, to: 1, step: 0.0001}}}");
    cr_assert(strstr(points, "--load 0.2999\nsolve --load 0.3\nsolve --load 0.3001\n"));
    cr_assert(strstr(points, "--load 0.9999\nsolve --load 1\n"));
    free(points);
}

Test(study, ranges_fall_go_by_points_and_in_decades)
{
    expect_points("{command: solve, over: {load: {from: 0.3, to: 0.1, step: -0.1}}}",
                  "solve --load 0.3\nsolve --load 0.2\nsolve --load 0.1\n");
    expect_points("{command: solve, over: {load: {from: 0.2, to: 0.8, points: 4}}}",
                  "solve --load 0.2\nsolve --load 0.4\nsolve --load 0.6\nsolve --load 0.8\n");
    expect_points("{command: solve, over: {load: {from: 1e-6, to: 1e-4, points: 3, scale: log}}}",
                  "solve --load 1e-6\nsolve --load 1e-5\nsolve --load 0.0001\n");
    expect_points("{command: solve, over: {slots: {from: 2, to: 16, points: 4, scale: log}}}",
                  "solve --slots 2\nsolve --slots 4\nsolve --slots 8\nsolve --slots 16\n");
    /* a step that does not reach the end stops before it */
    expect_points("{command: solve, over: {slots: {from: 2, to: 7, step: 2}}}",
                  "solve --slots 2\nsolve --slots 4\nsolve --slots 6\n");
}

/* as in an option of solve and sim */
Test(study, ranges_are_written_as_on_the_command_line)
{
    expect_points("{command: solve, over: {load: 0.1:0.3:0.1}}",
                  "solve --load 0.1\nsolve --load 0.2\nsolve --load 0.3\n");
    expect_points("{command: solve, over: {slots: [2:4:2, 8]}}",
                  "solve --slots 2\nsolve --slots 4\nsolve --slots 8\n");
    expect_points("{command: solve, over: {load: ['0.1:0.3:0.1']}}",
                  "solve --load 0.1:0.3:0.1\n"); /* unchanged, in quotes */
}

Test(study, zipped_lists_go_side_by_side)
{
    expect_points("command: solve\n"
                  "zip: {slots: [2, 4], load: [0.5, 0.9]}\n"
                  "over: {buffer: [fifo, damq]}\n",
                  "solve --buffer fifo --load 0.5 --slots 2\n"
                  "solve --buffer damq --load 0.5 --slots 2\n"
                  "solve --buffer fifo --load 0.9 --slots 4\n"
                  "solve --buffer damq --load 0.9 --slots 4\n");
}

Test(study, cases_may_have_different_options)
{
    expect_points("command: solve\n"
                  "cases:\n"
                  "  - {buffer: fifo, slots: 4}\n"
                  "  - {buffer: damq, slots: 3, slope: true}\n"
                  "over: {load: [0.5]}\n",
                  "solve --buffer fifo --load 0.5 --slots 4\n"
                  "solve --buffer damq --load 0.5 --slope --slots 3\n");
}

Test(study, exclusions_match_all_of_an_entry)
{
    expect_points("command: solve\n"
                  "over: {buffer: [fifo, damq], slots: [2, 4, 6], slope: [true, false]}\n"
                  "without:\n"
                  "  - {buffer: fifo, slots: [4, 6]}\n"
                  "  - {slope: true, slots: 2.0}\n"
                  "  - {slope: no, buffer: damq}\n",
                  "solve --buffer fifo --slots 2\n"
                  "solve --buffer damq --slope --slots 4\n"
                  "solve --buffer damq --slope --slots 6\n");
}

Test(study, lists_as_values_are_joined)
{
    expect_points("{command: solve, set: {load: [0.70, 5e-1]}}", "solve --load 0.7,0.5\n");
    expect_points("{command: solve, over: {load: [[0.7, 0.5], 0.9]}}",
                  "solve --load 0.7,0.5\nsolve --load 0.9\n");
}

/* The same point, written in many ways. */
Test(study, a_point_has_one_key)
{
    static const char *const ways[] = {
        "{command: solve, set: {load: 0.1, slots: 4, slope: true}}",
        "{command: solve, set: {slope: yes, slots: 4.0, load: 0.10}}",
        "{command: solve, set: {slots: +4, slope: on}, over: {load: [1e-1]}}",
        "{command: solve, set: {slots: 0.4e1, slope: on}, over: {load: [.1]}}",
        "{\"command\": \"solve\", \"set\": {\"load\": 0.100, \"slots\": 4, \"slope\": true}}",
        "{command: solve, zip: {load: [1.00E-01], slots: [04]}, cases: [{slope: true}]}",
        ("{command: solve, set: {slots: 4, slope: true}, "
         "over: {load: {from: 0.1, to: 0.15, step: 0.1}}}"),
        "{command: solve, set: {slots: 4, slope: true, exact: false, load: '0.1'}}",
    };

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        expect_points(ways[k], "solve --load 0.1 --slope --slots 4\n");
}

Test(study, canonical_numbers)
{
    static const char *const pairs[][2] = {
        {"0.10", "0.1"},
        {"1e3", "1000"},
        {"1e6", "1000000"},
        {"1E+02", "100"},
        {"-0", "0"},
        {"0.000001", "1e-6"},
        {"0.00010", "0.0001"},
        {"1e-7", "1e-7"},
        {"9/10", "9/10"},
        {"8x8", "8x8"},
        {"6-32", "6-32"},
        {"2G", "2G"},
        {"hotspot:0.20:1", "hotspot:0.2:1"},
        {"0.70,0.5", "0.7,0.5"},
        {"0.1:0.90:0.10", "0.1:0.9:0.1"},
        {"file:007", "file:007"},
        {"matrix:file:1.0,2.0", "matrix:file:1.0,2.0"},
        {"123456789012345678", "123456789012345678"},         /* a seed keeps its digits */
        {"0.12345678901234567890", "0.12345678901234567890"}, /* for exact fractions */
        {"1.", "1"},
        {"abc", "abc"},
        {"1e", "1e"},
        {"", ""},
    };
    char text[64];

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const size_t length = swq_plan_canonical(pairs[k][0], text, sizeof text);
        cr_expect_str_eq(text, pairs[k][1], "%s becomes %s", pairs[k][0], text);
        cr_expect_eq(length, strlen(pairs[k][1]), "%s", pairs[k][0]);
        char again[64];
        swq_plan_canonical(text, again, sizeof again);
        cr_expect_str_eq(again, text, "%s becomes %s", text, again);
    }
    cr_assert_eq(swq_plan_canonical("0.25", text, 3), 4);
    cr_assert_str_eq(text, "0.");
}

/* Words as a shell would read them. */
Test(study, awkward_values_are_quoted_and_read_back)
{
    swq_context *ctx = swq_context_new();
    char *points =
        test_points("{command: solve, set: {name: \"it's a 'file' \\\\ here\", load: ''}}");
    const char *word[8];
    int count = 0;

    points[strcspn(points, "\n")] = '\0';
    cr_assert_str_eq(points, "solve --load '' --name 'it'\\''s a '\\''file'\\'' \\ here'");
    cr_assert_eq(swq_point_split(ctx, points, word, 8, &count), SWQ_OK);
    cr_assert_eq(count, 5);
    cr_assert_str_eq(word[2], "");
    cr_assert_str_eq(word[3], "--name");
    cr_assert_str_eq(word[4], "it's a 'file' \\ here");
    char many[] = "a b c", open[] = "a 'b";
    cr_assert_eq(swq_point_split(ctx, many, word, 2, &count), SWQ_EINVAL);
    cr_assert_eq(swq_point_split(ctx, open, word, 8, &count), SWQ_EINVAL);
    free(points);
    swq_context_free(ctx);
}

static swq_status check_options(void *arg, const swq_point *point)
{
    cr_expect_str_eq(point->options, arg);
    return SWQ_OK;
}

Test(study, options_are_json)
{
    swq_context *ctx = swq_context_new();
    char expected[] =
        "{\"buffer\":\"damq\",\"load\":0.5,\"name\":\"a \\\"b\\\" \\\\\",\"slope\":true,"
        "\"slots\":\"1.\"}";
    swq_study *study =
        test_study(ctx, "{command: solve, set: {slots: '1.', load: 0.50, buffer: damq, "
                        "slope: true, name: 'a \"b\" \\'}}");

    cr_assert_eq(swq_study_points(ctx, study, check_options, expected), SWQ_OK);
    swq_study_free(ctx, study);
    swq_context_free(ctx);
}

/* ---- seeds ---- */

/* FNV-1a and splitmix64's finalizer, written once more from their definitions, in Python. */
Test(study, seeds_are_what_the_documentation_says)
{
    cr_expect_eq(swq_point_seed(7, "sim --load 0.5", 0), UINT64_C(3193260049746192));
    cr_expect_eq(swq_point_seed(7, "sim --load 0.5", 1), UINT64_C(3062870597946810));
    cr_expect_eq(swq_point_seed(8, "sim --load 0.5", 0), UINT64_C(2929354138715611));
    cr_expect_eq(swq_point_seed(1, "", 123456), UINT64_C(5587334038064836));
    for (int repeat = 0; repeat < 1000; repeat++)
        cr_expect(swq_point_seed(1, "sim", repeat) < UINT64_C(1) << 53);
}

static swq_status check_seed(void *arg, const swq_point *point)
{
    int *repeats = arg;
    char words[80];
    const uint64_t seed = swq_point_seed(7, "sim --load 0.5 --slots 4", *repeats);

    snprintf(words, sizeof words, "sim --load 0.5 --seed %llu --slots 4", (unsigned long long)seed);
    cr_expect_eq(point->repeat, *repeats);
    cr_expect(point->seeded);
    cr_expect_eq(point->seed, seed);
    cr_expect_str_eq(point->words, words);
    ++*repeats;
    return SWQ_OK;
}

Test(study, repeats_have_seeds_of_their_own)
{
    swq_context *ctx = swq_context_new();
    swq_study *study =
        test_study(ctx, "{command: sim, set: {slots: 4, load: 0.5}, repeats: 3, seed: 7}");
    int repeats = 0;

    cr_assert_eq(swq_study_points(ctx, study, check_seed, &repeats), SWQ_OK);
    cr_assert_eq(repeats, 3);
    swq_study_free(ctx, study);
    swq_context_free(ctx);
}

Test(study, a_seed_among_the_options_is_taken)
{
    expect_points("{command: sim, over: {seed: [1, 2]}}", "sim --seed 1\nsim --seed 2\n");
}

Test(study, precision_is_passed_on)
{
    expect_points("{command: sim, set: {seed: 1}, precision: 0.010}",
                  "sim --precision 0.01 --seed 1\n");
}

/* ---- refusals ---- */

Test(study, bad_studies_are_named_with_line_and_key)
{
    static const struct {
        const char *text, *line, *key, *allowed;
    } bad[] = {
        {"", "s.yaml", "empty", ""},
        {"# nothing\n", "s.yaml", "empty", ""},
        {"solve", "line 1", "map", "command:"},
        {"command: solve\novr: {}", "line 2", "'ovr'", "did you mean 'over'"},
        {"command: slove", "line 1", "'slove'", "did you mean 'solve'"},
        {"command: table", "line 1", "'table'", "known: solve, sim, formula"},
        {"set: {load: 1}", "line 1", "command is missing", "solve"},
        {"command: formula", "line 1", "formula: NAME", ""},
        {"formula: unknown", "line 1", "'unknown'", "known"},
        {"command: solve\nformula: known", "line 2", "formula", "solve"},
        {"formula: known\nset: {slots: 2}", "line 2", "slots", "formula known"},
        {"command: [solve]", "line 1", "command", "one word"},
        {"command: solve\nset: {lod: 1}", "line 2", "'lod'", "did you mean 'load'"},
        {"command: solve\nset: {xyz: 1}", "line 2", "'xyz'", "--help"},
        {"command: solve\nset: {json: true}", "line 2", "json", "it is"},
        {"command: solve\nset: [load]", "line 2", "set", "a map of options"},
        {"command: solve\nset: {slope: 3}", "line 2", "slope", "true or false, not '3'"},
        {"command: solve\nset: {load: }", "line 2", "load", "no value"},
        {"command: solve\nset: {load: []}", "line 2", "load", "empty"},
        {"command: solve\nset: {load: {from: 1, to: 2, step: 1}}", "line 2", "load", "one value"},
        {"command: solve\nset: {load: [[1]]}", "line 2", "load", "one value"},
        {"command: solve\nset: {load: 1}\nover: {load: [2]}", "line 3", "load", "first in line 2"},
        {"command: solve\ncases: [{load: 1}, {slots: 2}]\nover:\n  slots: [2]", "line 4", "slots",
         "first in line 2"},
        {"command: solve\nzip: {load: [1]}\nover: {load: [2]}", "line 3", "load",
         "first in line 2"},
        {"command: solve\nset: {load: 1}\nset: {slots: 1}", "line 3", "'set'", "first in line 2"},
        {"command: solve\nover: {load: []}", "line 2", "load", "empty"},
        {"command: solve\nover: [load]", "line 2", "over", "a map of options with lists"},
        {"command: solve\nover: {load: {from: 1, to: 2}}", "line 2", "'step'", "points"},
        {"command: solve\nover: {load: {from: 1, to: 2, step: 0}}", "line 2", "step", "0"},
        {"command: solve\nover: {load: {from: 1, to: 2, step: -1}}", "line 2", "step", "-1"},
        {"command: solve\nover: {load: {from: 1, to: 2, step: 1e-9}}", "line 2", "range",
         "1000000"},
        {"command: solve\nover: {load: {from: 1, to: 2, stp: 1}}", "line 2", "'stp'",
         "did you mean 'step'"},
        {"command: solve\nover: {load: {from: x, to: 2, step: 1}}", "line 2", "'from'", "'x'"},
        {"command: solve\nover: {load: {from: nan, to: 2, step: 1}}", "line 2", "'from'", "'nan'"},
        {"command: solve\nover: {load: {from: 1, to: 2, step: 1, points: 2}}", "line 2", "points",
         "not both"},
        {"command: solve\nover: {load: {from: 1, to: 2, points: 1}}", "line 2", "points", "from 2"},
        {"command: solve\nover: {load: {from: 1, to: 2, points: 2.5}}", "line 2", "points", "2.5"},
        {"command: solve\nover: {load: {from: 0, to: 2, points: 3, scale: log}}", "line 2", "log",
         "above 0"},
        {"command: solve\nover: {load: {from: 1, to: 2, step: 1, scale: log}}", "line 2", "log",
         "points"},
        {"command: solve\nover: {load: {from: 1, to: 2, points: 3, scale: lg}}", "line 2", "'lg'",
         "linear or log"},
        {"command: solve\nzip: {load: [1, 2], slots: [1]}", "line 2", "slots has 1",
         "the same length"},
        {"command: solve\nzip: [1]", "line 2", "zip", "the same length"},
        {"command: solve\ncases: {load: 1}", "line 2", "cases", "a list of maps"},
        {"command: solve\ncases: []", "line 2", "empty", ""},
        {"command: solve\ncases: [1]", "line 2", "cases", "a map"},
        {"command: solve\nset: {load: 1}\nwithout: {load: 1}", "line 3", "without", "a list"},
        {"command: solve\nset: {load: 1}\nwithout: [{slots: 1}]", "line 3", "slots",
         "no point has"},
        {"command: solve\nset: {load: 1}\nwithout: [{}]", "line 3", "empty", "no point"},
        {"command: solve\nover: {load: [0.1, 1]}\nwithout: [{load: [0.10, 0.2]}]", "line 3",
         "no point has load at 0.2", ""},
        {"command: solve\nset: {load: 1}\nwithout: [{load: 1}]", "s.yaml", "nothing is left", ""},
        {"command: solve\nrepeats: 2", "line 2", "repeats", "sim"},
        {"command: solve\nseed: 2", "line 2", "seed", "sim"},
        {"command: sim\nrepeats: 0", "line 2", "repeats", "from 1 to"},
        {"command: sim\nrepeats: 1.5", "line 2", "repeats", "'1.5'"},
        {"command: sim\nseed: -1", "line 2", "seed", "'-1'"},
        {"command: sim\nset: {seed: 1}\nrepeats: 2", "line 3", "repeats", "seed"},
        {"command: sim\nset: {precision: 1}\nprecision: 2", "line 3", "precision", "twice"},
        {"command: solve\nset: {load: [1", "line 3", "flow", ""},
        {"command: solve\n\tset: 1", "line 2", "tab", ""},
        {"command: solve\nset: {? [a] : 1}", "line 2", "key", "one word"},
        {"command: solve\nset: {name: \"a\\nb\"}", "line 2", "one line", ""},
        {"command: solve\nset: &a {load: [*a]}", "line 2", "alias", ""},
        {"command: solve\nset: {load: *b}", "line 2", "alias", ""},
        {"command: \xff\xfe", "byte", "", ""},
        {"command: sim\nover: {load: {from: 0, to: 1, step: 0.001}, slots: {from: 1, to: 1000, "
         "step: 1}, ports: {from: 1, to: 1000, step: 1}}",
         "s.yaml", "1e+09", "1e+08"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        expect_bad_study(bad[k].text, bad[k].line, bad[k].key, bad[k].allowed);
}

Test(study, depth_and_expansion_are_bounded)
{
    char deep[400] = "command: solve\nset: {load: ";

    memset(deep + strlen(deep), '[', 60);
    memset(deep + strlen(deep), ']', 60);
    strcat(deep, "}");
    expect_bad_study(deep, "line 2", "deep", "");
    /* a text that would expand to 2^30 items is read quickly, and refused for the right reason */
    char bomb[1000] = "command: solve\nset:\n  load: &a0 [1]\n";
    for (int k = 1; k < 28; k++)
        snprintf(bomb + strlen(bomb), sizeof bomb - strlen(bomb), "  x%d: &a%d [*a%d,*a%d]\n", k, k,
                 k - 1, k - 1);
    expect_bad_study(bomb, "line 4", "x1", "");
}

Test(study, a_point_may_not_be_endless)
{
    swq_context *ctx = swq_context_new();
    char text[6000] = "{command: solve, set: {name: '";
    swq_study *study = NULL;

    memset(text + strlen(text), 'x', 5000);
    strcat(text, "'}}");
    cr_assert_eq(swq_study_parse(ctx, "s.yaml", text, strlen(text), &test_language, &study),
                 SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "name"), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}

Test(study, a_missing_file_is_named)
{
    swq_context *ctx = swq_context_new();
    swq_study *study = NULL;

    cr_assert_eq(swq_study_read(ctx, "/nowhere/s.yaml", &test_language, &study), SWQ_EIO);
    cr_assert(strstr(swq_context_message(ctx), "/nowhere/s.yaml"));
    cr_assert_eq(swq_study_read(ctx, "/", &test_language, &study), SWQ_EIO);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- memory ---- */

static swq_status ignore(void *arg, const swq_point *point)
{
    (void)arg;
    (void)point;
    return SWQ_OK;
}

static const char everything[] = "command: sim\n"
                                 "set: {name: [a, b], slope: true}\n"
                                 "cases: [{slots: 1}, {slots: 2}]\n"
                                 "zip: {ports: [2, 4], buffer: [fifo, damq]}\n"
                                 "over: {load: [{from: 0.1, to: 0.9, step: 0.1}, 0.95]}\n"
                                 "without: [{slots: 2, load: [0.1, 0.2]}]\n"
                                 "repeats: 2\n"
                                 "precision: 0.1\n"
                                 "---\n"
                                 "formula: known\n";

static swq_status all_of_it(swq_context *ctx)
{
    swq_study *study = NULL;
    swq_status status =
        swq_study_parse(ctx, "s.yaml", everything, sizeof everything - 1, &test_language, &study);

    cr_assert_eq(status != SWQ_OK, study == NULL);
    if (!status)
        status = swq_study_points(ctx, study, ignore, NULL);
    swq_study_free(ctx, study);
    return status;
}

Test(study, every_failing_allocation_is_reported)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t k = 0;
        for (; status; k++) {
            swq_context *ctx = swq_context_new();
            cr_assert(k < 1000);
            swq_context_fail_allocations(ctx, k, for_good);
            status = all_of_it(ctx);
            cr_assert(!status || status == SWQ_ENOMEM, "allocation %zu: %s", k,
                      swq_context_message(ctx));
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
            swq_context_free(ctx);
        }
        cr_assert(k > 5, "only %zu allocations", k);
    }
}
