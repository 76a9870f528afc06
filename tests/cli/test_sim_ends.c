/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a simulation ends: a precision that was missed, a network past saturation, a time limit; and
 * fractions of rare events. What has to be noted is a line on stderr, whatever is printed.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(cli_sim_ends, .init = program_begin, .fini = program_end, .timeout = 480);

#define OMEGA                                                                                      \
    "sim --topology omega --ports 4 --stages 3 --buffer damq --slots 4 --flow block --cycles "     \
    "2000 "
#define TORUS "sim --topology torus --dims 4x4 --buffer damq --bytes 128 --cycles 4000 "

static const char *const formats[] = {"", "--json", "--csv"};

/* The number of lines that begin with this. */
static int lines(const char *text, const char *begin)
{
    int count = 0;

    for (; *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : "")
        count += strncmp(text, begin, strlen(begin)) == 0;
    return count;
}

/* ---- a precision that is missed ---- */

static void expect_missed(const char *arguments)
{
    for (int f = 0; f < 3; f++) {
        program_run run = program("%s %s", arguments, formats[f]);
        cr_expect_eq(run.status, 1, "%s: status %d", run.arguments, run.status);
        cr_expect_eq(lines(run.err, "switchq: the precision of 0.001 was not reached: "), 1,
                     "%s: %s", run.arguments, run.err);
        cr_expect(strlen(run.out) > 100 && !strstr(run.out, "was not reached"), "%s",
                  run.arguments);
        if (f == 1) {
            cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
            cr_assert(tree, "%s", run.out);
            cr_expect(cJSON_IsFalse(json_at(tree, "run.precision_reached")));
            cr_expect_str_eq(json_string(tree, "run.stopped_by"), "cycles");
            cJSON_Delete(tree);
        }
        program_free(&run);
    }
}

Test(cli_sim_ends, a_precision_that_is_missed)
{
    expect_missed(OMEGA "--load 0.5 --precision 0.001");
    expect_missed(TORUS "--load 0.2 --precision 0.001");
    expect_missed("sim --rare --topology switch --ports 2 --buffer damq --slots 4 --load 0.5 "
                  "--importance fill --levels 2:4,3:9,4:9 --cycles 2000 --precision 0.001");
}

Test(cli_sim_ends, a_precision_that_is_reached_or_not_asked_for)
{
    cJSON *tree = program_json("sim --topology omega --ports 4 --stages 3 --buffer damq --slots 4 "
                               "--flow block --load 0.5 --precision 0.01 --json");
    cr_expect(cJSON_IsTrue(json_at(tree, "run.precision_reached")));
    cJSON_Delete(tree);
    tree = program_json(OMEGA "--load 0.5 --json");
    cr_expect(cJSON_IsNull(json_at(tree, "run.precision_reached")));
    cJSON_Delete(tree);
}

/* ---- past saturation ---- */

static void expect_saturated(const char *arguments, bool saturated)
{
    for (int f = 0; f < 3; f++) {
        program_run run = program("%s %s", arguments, formats[f]);
        cr_expect_eq(run.status, 0, "%s: status %d", run.arguments, run.status);
        if (saturated)
            cr_expect_eq(lines(run.err, "switchq: past saturation: "), 1, "%s: %s", run.arguments,
                         run.err);
        else
            cr_expect_null(strstr(run.err, "past saturation"), "%s: %s", run.arguments, run.err);
        if (f == 1) {
            cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
            cr_assert(tree, "%s", run.out);
            const cJSON *told = json_at(tree, "result.saturated");
            cr_expect(saturated ? cJSON_IsTrue(told) : cJSON_IsFalse(told), "%s", run.arguments);
            cJSON_Delete(tree);
        }
        program_free(&run);
    }
}

Test(cli_sim_ends, past_saturation)
{
    expect_saturated(OMEGA "--load 1", true);
    expect_saturated(OMEGA "--load 0.9", true);
    expect_saturated(OMEGA "--load 0.9 --sources open", true);
    expect_saturated(OMEGA "--load 0.75 --sources open", true); /* it delivers 0.715 */
    expect_saturated(OMEGA "--load 0.5 --traffic hotspot:0.05", true);
    expect_saturated(TORUS "--load 1", true);
    expect_saturated(TORUS "--load 1 --sources open", true);
    expect_saturated("sim --topology switch --ports 2 --buffer damq --slots 4 --load 1 --flow "
                     "block --cycles 4000",
                     true);
}

#define WORMS "sim --engine async --architecture wormhole --cycles 4000 "

/* A worm leaves its sender in part and then stalls there, so that nothing waits to begin. */
Test(cli_sim_ends, worms_that_stall_at_their_senders_are_held_back)
{
    expect_saturated(WORMS "--load 1", true);
    expect_saturated(WORMS "--load 0.6", true);
    expect_saturated(WORMS "--load 0.3", false);
}

Test(cli_sim_ends, not_past_saturation)
{
    expect_saturated(OMEGA "--load 0.65", false);
    expect_saturated(OMEGA "--load 0.65 --sources open", false);
    expect_saturated(OMEGA "--load 0.1 --traffic hotspot:0.05", false);
    expect_saturated(
        "sim --topology omega --ports 4 --stages 3 --buffer damq --slots 4 --flow discard --load 1 "
        "--cycles 2000",
        false); /* nothing waits */
    expect_saturated(TORUS "--load 0.2", false);
    expect_saturated(TORUS "--load 0.2 --sources open", false);
    /* an identity, which never blocks, at full load */
    expect_saturated("sim --topology switch --ports 2 --buffer damq --slots 4 --load 1 --flow "
                     "block --cycles 1000 --traffic neighbour",
                     false);
}

/* The rule allows one false alarm in a thousand. */
Test(cli_sim_ends, no_false_alarms)
{
    static const char *const loads[] = {"0.3", "0.5", "0.65"};
    static const char *const sources[] = {"hold", "open"};

    for (int k = 0; k < 120; k++) {
        program_run run = program(OMEGA "--load %s --sources %s --seed %d --csv", loads[k % 3],
                                  sources[k / 3 % 2], k);
        cr_expect_null(strstr(run.err, "past saturation"), "%s: %s", run.arguments, run.err);
        program_free(&run);
    }
}

/* A search for saturation does not warn about it. */
Test(cli_sim_ends, saturation_that_is_sought)
{
    program_run run = program(OMEGA "--find-saturation --resolution 0.2");

    cr_expect_eq(run.status, 0);
    cr_expect_str_empty(run.err, "%s", run.err);
    program_free(&run);
    run = program(TORUS "--find-saturation --resolution 0.25");
    cr_expect_str_empty(run.err, "%s", run.err);
    program_free(&run);
}

/* ---- a limit of time ---- */

Test(cli_sim_ends, a_time_limit_shows_what_there_is)
{
    static const char *const runs[] = {
        "sim --buffer damq --slots 4 --load 0.5 --cycles 4000000000 --time 0.5 --json",
        "sim --topology torus --dims 4x4 --buffer damq --bytes 128 --load 0.2 --cycles 4000000000 "
        "--time 0.5 --replications 2 --threads 2 --json",
    };

    for (int k = 0; k < 2; k++) {
        cJSON *tree = program_json("%s", runs[k]);
        cr_expect_str_eq(json_string(tree, "run.stopped_by"), "time");
        cr_expect_lt(json_number(tree, "run.wall_seconds"), 5);
        cr_expect_gt(json_number(tree, "run.cycles"), 0);
        cJSON_Delete(tree);
    }
    program_run run = program("sim --buffer damq --slots 4 --load 0.5 --warmup 200000000 "
                              "--time 0.2");
    expect_refusal(&run, 1, "the time was up", NULL);
    program_free(&run);
    run = program("sim --buffer damq --slots 4 --load 0.5 --time 0");
    expect_refusal(&run, 2, "time", "0");
    program_free(&run);
    run = program("sim --buffer damq --slots 4 --flow block --find-saturation --time 1");
    expect_refusal(&run, 2, "--time", "--find-saturation");
    program_free(&run);
}

/* ---- rare events ---- */

/* 0 +- 0 would claim that there are none. */
Test(cli_sim_ends, fractions_of_rare_events_have_a_bound)
{
    static const char network[] = "sim --topology switch --ports 2 --buffer damq --flow block "
                                  "--warmup 100 --cycles";
    cJSON *tree = program_json("%s 2000 --slots 4 --load 0.25 --json", network);
    const cJSON *refusal = json_at(tree, "result.refusal_probability");
    const cJSON *stage = cJSON_GetArrayItem(json_at(tree, "result.stages"), 0);

    cr_assert_eq(json_number(refusal, "mean"), 0);
    cr_expect(cJSON_IsNull(json_at(refusal, "half_width")));
    /* two offers together, of about 1000 */
    cr_expect_float_eq(json_number(refusal, "below"), 2 * 3 / 1000.0, 1e-3);
    cr_expect_not(cJSON_HasObjectItem(json_at(stage, "discard_probability"), "below"),
                  "it cannot discard");
    /* two nodes; a packet waits while two others pass */
    const cJSON *queue = json_at(tree, "result.source_queue");
    cr_assert_eq(json_number(queue, "mean"), 0);
    cr_expect(cJSON_IsNull(json_at(queue, "half_width")));
    cr_expect_float_eq(json_number(queue, "below"), 2 * 3 / 4000.0, 1e-4);
    cJSON_Delete(tree);

    program_run run = program_succeeds("%s 2000 --slots 4 --load 0.25", network);
    cr_expect(strstr(run.out, " offers: below ") && strstr(run.out, "refused                none "),
              "%s", run.out);
    program_free(&run);

    run = program_succeeds("%s 200 --slots 2 --load 0.5 --seed 3", network);
    cr_expect(strstr(run.out, "too rare for an interval: below "), "%s", run.out);
    program_free(&run);

    tree = program_json("%s 2000 --slots 2 --load 0.9 --json", network);
    refusal = json_at(tree, "result.refusal_probability");
    cr_expect_gt(json_number(refusal, "half_width"), 0);
    cr_expect_not(cJSON_HasObjectItem(refusal, "below"));
    cr_expect_gt(json_number(tree, "result.source_queue.half_width"), 0);
    cJSON_Delete(tree);

    /* where packets never wait, that is certain */
    tree = program_json("sim --topology switch --ports 2 --buffer damq --slots 4 --load 0.5 "
                        "--cycles 500 --json");
    cr_expect_eq(json_number(tree, "result.source_queue.half_width"), 0);
    cJSON_Delete(tree);
}

/* A few hundred packets may have latencies that are alike by chance. */
Test(cli_sim_ends, a_precision_takes_four_thousand_packets)
{
    cJSON *tree = program_json("sim --engine async --topology omega --ports 2 --stages 3 --buffer "
                               "damq --load 0.5 --precision 0.2 --json");

    cr_expect_str_eq(json_string(tree, "run.stopped_by"), "precision");
    cr_expect_geq(json_number(tree, "run.packets"), 4096);
    cJSON_Delete(tree);
}

/* ---- too short for its sources ---- */

/* A burst of 20 packets and the pause before it take 100 cycles at a load of 0.2. */
Test(cli_sim_ends, a_run_too_short_for_its_sources)
{
    cJSON *tree = program_json(OMEGA "--load 0.2 --burst 20 --json");
    program_run text = program_succeeds(OMEGA "--load 0.2 --burst 20");
    program_run csv = program(OMEGA "--load 0.2 --burst 20 --csv");
    program_run longer = program_succeeds("sim --topology omega --ports 4 --stages 3 --buffer damq "
                                          "--slots 4 --load 0.2 --burst 20 --cycles 5000");

    cr_expect_float_eq(json_number(tree, "run.source_cycles"), 100, 1e-9);
    cr_expect_float_eq(json_number(tree, "run.source_cycles_seen"), 20, 1e-9);
    cr_expect(strstr(text.out, "SHORT FOR ITS SOURCES: their slowest process takes 100 cycles"));
    cr_expect_eq(lines(csv.err, "switchq: the slowest process of the sources takes 100 cycles"), 1,
                 "%s", csv.err);
    cr_expect(!strstr(longer.out, "SHORT"), "%s", longer.out);
    program_free(&text);
    program_free(&csv);
    program_free(&longer);
    cJSON_Delete(tree);
}

/* ---- a trace ---- */

/* Both engines say what --cycles has cut off, and nothing of a trace has an interval. */
Test(cli_sim_ends, a_trace_that_is_cut)
{
    static const char *const runs[] = {
        "sim --ports 4 --stages 3 --buffer damq --slots 4 --flow block --traffic trace:packets.txt",
        "sim --engine async --ports 4 --stages 3 --buffer damq --traffic trace:messages.txt "};
    static const char *const words[] = {"packet", "message"};

    program_run files = program_shell("printf '0 0 3\\n0 3 0\\n9 5 2\\n400 6 7\\n' > packets.txt; "
                                      "printf '0 0 3 8\\n0 3 0 640\\n9 5 2 64\\n400 6 7 8\\n' > "
                                      "messages.txt");
    program_free(&files);
    for (int k = 0; k < 2; k++) {
        char line[100];
        snprintf(line, sizeof line, "1 of the trace's %ss was not created by the last cycle",
                 words[k]);
        program_run text = program_succeeds("%s --cycles 100", runs[k]);
        cr_expect(strstr(text.out, line), "%s", text.out);
        cr_expect(!strstr(text.out, "+-") && !strstr(text.out, "below"), "%s", text.out);
        cr_expect(strstr(text.out, "intervals: none"), "%s", text.out);
        program_free(&text);
        cJSON *tree = program_json("%s --cycles 100 --json", runs[k]);
        cr_expect_eq(json_number(tree, "trace_left"), 1);
        cr_expect(cJSON_IsNull(json_at(tree, "result.throughput.half_width")));
        cJSON_Delete(tree);
        tree = program_json("%s --cycles 4000 --json", runs[k]);
        cr_expect_eq(json_number(tree, "trace_left"), 0);
        cJSON_Delete(tree);
    }
}
