/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq compare: a small study, what it answers, what it keeps, what it refuses.
 */
#include "tests/cli/program.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

TestSuite(cli_compare, .init = program_begin, .fini = program_end, .timeout = 120);

#define STUDY                                                                                      \
    "set: {ports: 2, stages: 2, sources: open, flow: block, cycles: 600, warmup: 100}\n"           \
    "contestants:\n  FIFO: {buffer: fifo, slots: 4}\n  DAMQ: {buffer: damq, slots: 4}\n"           \
    "scenarios:\n  low: {load: 0.3}\n  high: {load: 0.55}\n"

static void write_study(const char *text)
{
    FILE *file = fopen("c.yaml", "w");

    fputs(text, file);
    fclose(file);
}

static const cJSON *outcome(const cJSON *answer, int k)
{
    return cJSON_GetArrayItem(json_at(answer, "outcomes"), k);
}

/* The numbers are those of switchq sim with the same seeds. */
Test(cli_compare, numbers_are_those_of_the_simulator)
{
    double mean = 0;

    write_study(STUDY "repeats: 4\nseed: 3\n");
    cJSON *answer = program_json("compare c.yaml --threads 2 --json");
    for (int seed = 3; seed < 7; seed++) {
        cJSON *one = program_json("sim --ports 2 --stages 2 --sources open --flow block --cycles "
                                  "600 --warmup 100 --buffer damq --slots 4 --load 0.55 --seed %d "
                                  "--json",
                                  seed);
        mean += json_number(one, "result.latency_cycles.mean") / 4;
        cJSON_Delete(one);
    }
    cr_expect_str_eq(json_string(outcome(answer, 3), "contestant"), "DAMQ");
    cr_expect_float_eq(json_number(outcome(answer, 3), "achieved.mean"), mean, 1e-9);
    cr_expect_eq(json_number(outcome(answer, 3), "rank"), 1);
    cr_expect_eq(json_number(outcome(answer, 2), "rank"), 2, "FIFO at 0.55 is behind");
    cr_expect_gt(json_number(cJSON_GetArrayItem(json_at(answer, "contestants"), 1), "area_cells"),
                 json_number(cJSON_GetArrayItem(json_at(answer, "contestants"), 0), "area_cells"));
    cJSON_Delete(answer);
}

Test(cli_compare, what_is_answered_is_kept)
{
    write_study(STUDY "repeats: 4\n");
    program_run quick = program_succeeds("compare c.yaml --quick --csv --database kept.db");
    cr_expect_eq(access("kept.db", F_OK), 0);
    cr_expect(strstr(quick.out, "outcomes low") && strstr(quick.out, "contestants FIFO"));
    cr_expect(!strstr(quick.out, "all,"), "a row without a number: %s", quick.out);
    cJSON *all = program_json("compare c.yaml --database kept.db --retry --json");
    cJSON *again = program_json("compare c.yaml --database kept.db --json");
    cJSON_DeleteItemFromObject(all, "asked");
    cJSON_DeleteItemFromObject(again, "asked");
    cr_expect(cJSON_Compare(all, again, true));
    cr_expect_eq(json_number(all, "comparison.repeats"), 4);
    program_free(&quick);
    cJSON_Delete(all);
    cJSON_Delete(again);
}

Test(cli_compare, page_plot_and_terms)
{
    write_study(STUDY "repeats: 3\n");
    FILE *terms = fopen("terms.yaml", "w");
    fputs("register-cells: 50\n", terms);
    fclose(terms);
    cJSON *usual = program_json("compare c.yaml --page p.html --plot p.svg --json");
    cJSON *other = program_json("compare c.yaml --cost-file terms.yaml --json");
    char *page = file_text("p.html"), *plot = file_text("p.svg");

    cr_expect(strstr(page, "<svg") && strstr(page, "DAMQ") && !strstr(page, "src="));
    cr_expect(strstr(plot, "<svg"));
    cr_expect_gt(json_number(cJSON_GetArrayItem(json_at(other, "contestants"), 0), "area_cells"),
                 json_number(cJSON_GetArrayItem(json_at(usual, "contestants"), 0), "area_cells"));
    free(page);
    free(plot);
    cJSON_Delete(usual);
    cJSON_Delete(other);
}

/* A cell that cannot be computed is blank, with a reason. */
Test(cli_compare, a_contestant_that_cannot_run_is_blank)
{
    write_study("set: {ports: 2, stages: 2, cycles: 200, warmup: 50, slots: 4, buffer: damq}\n"
                "contestants:\n  a: {flow: block}\n  b: {flow: discard}\n"
                "scenarios:\n  s: {load: 0.3}\n  t: {load: 0.3, resend: true}\nrepeats: 2\n");
    cJSON *answer = program_json("compare c.yaml --json");
    const cJSON *why = cJSON_GetObjectItem(outcome(answer, 2), "blank_because");

    cr_expect(why && strstr(why->valuestring, "resend"), "%s", why ? why->valuestring : "none");
    cJSON_Delete(answer);
}

/* Past saturation a latency grows with the run, and nobody is told what to build on the strength of
 * a difference that may be chance. */
Test(cli_compare, runs_that_say_little_are_counted)
{
    write_study("set: {ports: 2, stages: 2, sources: open, flow: block, cycles: 600, slots: 4}\n"
                "contestants:\n  FIFO: {buffer: fifo}\n  DAMQ: {buffer: damq}\n"
                "scenarios:\n  low: {load: 0.2, measure: throughput}\n"
                "  full: {load: 1, gain: no}\nrepeats: 3\n");
    cJSON *answer = program_json("compare c.yaml --json");
    program_run text = program_succeeds("compare c.yaml");

    for (int k = 0; k < 4; k++)
        cr_expect_eq(json_number(outcome(answer, k), "unsettled_runs"), k < 2 ? 0 : 3, "%d", k);
    cr_expect(strstr(text.out, "6 of 6 in full") && !strstr(text.out, "in low"), "%s", text.out);
    cr_expect(strstr(text.out, "no contestant gains more, by more than chance, than all that"),
              "%s", text.out);
    program_free(&text);
    cJSON_Delete(answer);
}

/* ---- sizes of memory ---- */

/* A network of two stages of 2 x 2 switches; "memory" is the value of --bytes or of the file. */
#define SIZED                                                                                      \
    "set: {engine: async, ports: 2, stages: 2, link-rest: 0, cycles: 1000, warmup: 200}\n"         \
    "contestants:\n"                                                                               \
    "  FIFO: {buffer: fifo, bytes: memory}\n"                                                      \
    "  DAMQ: {buffer: damq, bytes: memory}\n"                                                      \
    "  CIOQ: {architecture: cioq, buffer: damq, bytes: memory/2, output-bytes: memory-64}\n"       \
    "  thirds: {buffer: damq, bytes: memory/3*2}\n"                                                \
    "  too much: {buffer: damq, bytes: memory+32}\n"                                               \
    "scenarios:\n  low: {load: 0.3}\n  full: {load: 1, measure: throughput}\n"                     \
    "memory: [128, 192]\nrepeats: 3\n"

static const cJSON *outcome_of(const cJSON *answer, const char *scenario, const char *contestant,
                               double memory)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, json_at(answer, "outcomes"))
    {
        if (strcmp(json_string(item, "scenario"), scenario) == 0 &&
            strcmp(json_string(item, "contestant"), contestant) == 0 &&
            json_number(item, "memory_given") == memory)
            return item;
    }
    cr_assert_fail("no outcome of %s in %s at %g", contestant, scenario, memory);
    return NULL;
}

Test(cli_compare, memory_is_put_in)
{
    write_study(SIZED);
    cJSON *answer = program_json("compare c.yaml --page p.md --json");
    cJSON *asked = program_json("compare c.yaml --bytes 192 --json");
    char *page = file_text("p.md");
    const char *why = json_string(outcome_of(answer, "full", "thirds", 128), "blank_because");

    cr_expect(strstr(why, "memory/3*2 of 128 bytes is no whole number"), "%s", why);
    why = json_string(outcome_of(answer, "full", "CIOQ", 192), "blank_because");
    cr_expect(strstr(why, "224 bytes an input, more than 192"), "%s", why);
    why = json_string(outcome_of(answer, "low", "too much", 128), "blank_because");
    cr_expect(strstr(why, "160 bytes an input, more than 128"), "%s", why);
    cr_expect_gt(json_number(outcome_of(answer, "full", "thirds", 192), "achieved.mean"), 0.3);
    cr_expect_gt(json_number(outcome_of(answer, "full", "CIOQ", 128), "achieved.mean"), 0.3);
    cr_expect(cJSON_Compare(json_at(outcome_of(answer, "full", "DAMQ", 192), "achieved"),
                            json_at(outcome_of(asked, "full", "DAMQ", 192), "achieved"), true));
    cr_expect_eq(cJSON_GetArraySize(json_at(answer, "outcomes")), 20);
    cr_expect_eq(cJSON_GetArraySize(json_at(answer, "advice")), 2);
    cr_expect_eq(cJSON_GetArraySize(json_at(asked, "outcomes")), 10);
    cr_expect(strstr(page, "at 192 bytes an input") && strstr(page, "more than 128"));
    free(page);
    cJSON_Delete(answer);
    cJSON_Delete(asked);
}

/* A size that leaves 64 bits on its way, on either side, is read as no size at all. */
Test(cli_compare, sizes_stay_within_64_bits)
{
    static const char *const sizes[] = {
        "memory*1000000*1000000*1000000",
        "memory-1000000*1000000*1000000",
        "memory-1000000*1000000*1000000*1000000*1000000",
        "memory-1000000*1000000*1000000*1000000*999999",
    };

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char study[400];
        snprintf(study, sizeof study,
                 "set: {engine: async, ports: 2, stages: 2, link-rest: 0, cycles: 1000}\n"
                 "contestants:\n  one: {buffer: fifo, bytes: %s}\n"
                 "  two: {buffer: damq, bytes: %s}\n"
                 "scenarios: {low: {load: 0.3}}\nmemory: 128\nrepeats: 2\n",
                 sizes[k], sizes[k]);
        write_study(study);
        program_run run = program("compare c.yaml");
        expect_refusal(&run, 2, "bytes", sizes[k]);
        cr_expect(!strstr(run.err, "is no whole number"), "%s", run.err);
        program_free(&run);
    }
}

static const cJSON *contestant_of(const cJSON *answer, const char *name)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, json_at(answer, "contestants"))
    {
        if (strcmp(json_string(item, "contestant"), name) == 0)
            return item;
    }
    cr_assert_fail("no contestant %s", name);
    return NULL;
}

/* The most memory with which a switch is no larger: 32 more bytes would exceed the area. */
Test(cli_compare, silicon_is_equal)
{
    write_study(
        "set: {engine: async, ports: 2, stages: 2, link-rest: 0, cycles: 500, warmup: 100}\n"
        "contestants:\n  FIFO: {buffer: fifo, bytes: memory}\n"
        "  DAMQ: {buffer: damq, bytes: memory}\n"
        "  SAMQ: {buffer: samq, bytes: memory}\n"
        "  CIOQ: {architecture: cioq, buffer: damq, bytes: memory/4, output-bytes: memory/4}\n"
        "  never: {buffer: damq, bytes: memory, by: chain}"
        "\nscenarios: {s: {load: 0.3}}\nmemory: 128\nrepeats: 2\n");
    cJSON *answer = program_json("compare c.yaml --area 3000 --json");
    static const char *const buffer[][2] = {{"FIFO", "fifo"}, {"DAMQ", "damq"}, {"SAMQ", "samq"}};

    for (int k = 0; k < 3; k++) {
        const cJSON *mine = contestant_of(answer, buffer[k][0]);
        const double bytes = json_number(mine, "input_bytes");
        cJSON *more = program_json("cost --engine async --ports 2 --stages 2 --buffer %s --bytes "
                                   "%.0f --json",
                                   buffer[k][1], bytes + 32);
        cr_expect_leq(json_number(mine, "area_cells"), 3000);
        cr_expect_gt(json_number(more, "cost.area_cells"), 3000, "%s: %g", buffer[k][0], bytes);
        cr_expect_eq(json_number(mine, "area_given"), 3000);
        cJSON_Delete(more);
    }
    cr_expect_gt(json_number(contestant_of(answer, "FIFO"), "input_bytes"),
                 json_number(contestant_of(answer, "DAMQ"), "input_bytes"));
    cr_expect_eq(fmod(json_number(contestant_of(answer, "CIOQ"), "input_bytes"), 16), 0);
    cJSON_Delete(answer);
    answer = program_json("compare c.yaml --area 3000,300 --json");
    const cJSON *cioq = cJSON_GetArrayItem(json_at(answer, "outcomes"), 8);
    const char *why = json_string(cioq, "blank_because");
    cr_expect_str_eq(json_string(cioq, "contestant"), "CIOQ");
    cr_expect_gt(strlen(why), 10, "%s", why);
    cJSON_Delete(answer);
}

static double innocent_bytes(const cJSON *answer)
{
    const cJSON *group = cJSON_GetArrayItem(json_at(answer, "result.groups"), 1);

    cr_assert_str_eq(json_string(group, "name"), "G_0");
    return json_number(group, "delivered_bytes");
}

/* All senders except those that congest the network: in II, where half of the senders do, G_0; in
 * VI all. */
Test(cli_compare, benchmarks_are_scenarios)
{
    write_study("set: {engine: async, stages: 3, ports: 4, bytes: 128, cycles: 1000, warmup: 200}\n"
                "contestants: {FIFO: {buffer: fifo}, DAMQ: {buffer: damq}}\nrepeats: 2\n");
    cJSON *answer = program_json("compare c.yaml --benchmark --json");
    cJSON *one = program_json("sim --engine async --ports 4 --stages 3 --bytes 128 --cycles 1000 "
                              "--warmup 200 --buffer damq --benchmark II --load 1 --seed %d --json",
                              1);
    cJSON *two = program_json("sim --engine async --ports 4 --stages 3 --bytes 128 --cycles 1000 "
                              "--warmup 200 --buffer damq --benchmark II --load 1 --seed %d --json",
                              2);
    const double bytes = innocent_bytes(one) + innocent_bytes(two);

    cr_expect_eq(cJSON_GetArraySize(json_at(answer, "outcomes")), 12);
    cr_expect_str_eq(json_string(outcome(answer, 3), "scenario"), "benchmark II");
    cr_expect_float_eq(json_number(outcome(answer, 3), "achieved.mean"), bytes / 2000, 1e-9);
    for (int k = 0; k < 12; k++)
        cr_expect_gt(json_number(outcome(answer, k), "achieved.mean"), 1, "outcome %d", k);
    cJSON_Delete(answer);
    cJSON_Delete(one);
    cJSON_Delete(two);
}

/* A small league, with two seeds. */
Test(cli_compare, no_mark_changes_sign_with_the_seed)
{
    write_study(
        "set: {engine: async, ports: 2, stages: 3, link-rest: 0, cycles: 2000, warmup: 400}\n"
        "contestants:\n  FIFO: {buffer: fifo, bytes: memory}\n"
        "  SAMQ: {buffer: samq, bytes: memory}\n  DAMQ: {buffer: damq, bytes: memory}\n"
        "  PRIZMA: {architecture: prizma, bytes: memory}\n"
        "scenarios:\n  third: {load: 0.3, sources: open}\n"
        "  full: {load: 1, measure: throughput}\nmemory: [128, 256]\nrepeats: 6\n");
    cJSON *answer =
        program_json("compare c.yaml --seed 5 --second-seed 105 --database s.db --json");
    program_run points = program_succeeds("sweep s.db --export csv");

    cr_expect_eq(json_number(answer, "comparison.first_seed"), 5);
    cr_expect_eq(json_number(answer, "comparison.marks_reversed"), 0);
    cr_expect_gt(json_number(answer, "comparison.marks_in_both"), 8);
    cr_expect_leq(json_number(answer, "comparison.marks_in_both"),
                  json_number(answer, "comparison.marks_of_second"));
    cr_expect(strstr(points.out, ",5,") && strstr(points.out, ",110,"), "both seeds were run");
    program_free(&points);
    cJSON_Delete(answer);
}

/* Differences of FIFO near its saturation are less precise than those far below it. */
Test(cli_compare, repeats_go_where_they_are_needed)
{
    write_study(STUDY "repeats: 3\n");
    cJSON *answer = program_json("compare c.yaml --precision 0.02 --json");
    const cJSON *low = cJSON_GetArrayItem(json_at(answer, "scenarios"), 0);
    const cJSON *high = cJSON_GetArrayItem(json_at(answer, "scenarios"), 1);

    cr_expect_leq(json_number(low, "paired_precision"), 0.02);
    cr_expect_leq(json_number(high, "paired_precision"), 0.02);
    cr_expect_gt(json_number(high, "most_repeats"), 3);
    cr_expect_geq(json_number(high, "most_repeats"), json_number(low, "most_repeats"));
    cJSON_Delete(answer);
}

/* ---- chains and approximations ---- */

/* A switch with exact answers and its simulation; and an approximated network, which wins
 * nothing. */
Test(cli_compare, chains_and_approximations_stand_beside_simulations)
{
    write_study("set: {topology: switch, ports: 2, slots: 3, flow: discard, arbiter: random}\n"
                "contestants:\n  DAMQ: {buffer: damq}\n  DAMQ by chain: {buffer: damq, by: chain}\n"
                "  FIFO by chain: {buffer: fifo, by: chain}\n"
                "scenarios:\n  s: {load: 0.9, cycles: 4000, warmup: 100, measure: throughput}\n"
                "repeats: 6\n");
    cJSON *answer = program_json("compare c.yaml --json");
    cJSON *exact = program_json("solve --ports 2 --slots 3 --buffer damq --load 0.9 --json");
    const double known = json_number(exact, "result.throughput");

    cr_expect_eq(json_number(outcome(answer, 1), "achieved.mean"), known);
    cr_expect_lt(json_number(outcome(answer, 1), "achieved.half_width"), 1e-9);
    cr_expect_float_eq(json_number(outcome(answer, 0), "achieved.mean"), known,
                       3 * json_number(outcome(answer, 0), "achieved.half_width"));
    cr_expect_eq(json_number(outcome(answer, 0), "rank"), 1);
    cr_expect_eq(json_number(outcome(answer, 1), "rank"), 1);
    cr_expect_eq(json_number(outcome(answer, 2), "rank"), 3);
    cJSON_Delete(answer);
    cJSON_Delete(exact);
    write_study("set: {ports: 2, stages: 2, slots: 4, flow: block, credit: next}\n"
                "contestants:\n  FIFO: {buffer: fifo}\n  FIFO, about: {buffer: fifo, by: "
                "approximation}\n  DAFC, about: {buffer: dafc, by: approximation}\n"
                "  chain: {buffer: dafc, by: chain}\n"
                "scenarios:\n  s: {load: 0.4, cycles: 2000, warmup: 100}\nrepeats: 3\n");
    answer = program_json("compare c.yaml --json");
    cr_expect_gt(json_number(outcome(answer, 1), "achieved.mean"), 2);
    cr_expect(!cJSON_HasObjectItem(outcome(answer, 1), "rank"));
    cr_expect(!cJSON_HasObjectItem(outcome(answer, 2), "winner"));
    cr_expect_eq(json_number(answer, "comparison.judged_pairs"), 0);
    cr_expect(
        strstr(json_string(outcome(answer, 3), "blank_because"), "--stages is for a network"));
    cJSON_Delete(answer);
}

/* ---- the league ---- */

static const char *blank_of(const cJSON *answer, const char *scenario, const char *contestant,
                            double memory)
{
    return json_string(outcome_of(answer, scenario, contestant, memory), "blank_because");
}

/* Five contestants in two scenarios, one for each engine: names that contain commas, options of one
 * engine, memory that depends on the network, gains relative to one of two. */
Test(cli_compare, a_part_of_the_league)
{
    cJSON *answer =
        program_json("compare league --contestants \"FIFO,DAMQ, dynamic "
                     "threshold,CBDA,input-crosspoint,VOQnet\" "
                     "--scenarios \"16 nodes, mixed lengths,stage cycles\" --quick --database l.db "
                     "--bytes 256,2048 --page l.md --json");
    char *page = file_text("l.md");
    const cJSON *sizes = json_at(answer, "outcomes");

    cr_expect_eq(cJSON_GetArraySize(sizes), 20);
    cr_expect(strstr(blank_of(answer, "stage cycles", "VOQnet", 256), "asynchronous engine"));
    cr_expect(strstr(blank_of(answer, "16 nodes, mixed lengths", "VOQnet", 256),
                     "1024 bytes an input, more than 256"));
    cr_expect(strstr(blank_of(answer, "16 nodes, mixed lengths", "input-crosspoint", 256),
                     "modelled in stage cycles"));
    cr_expect(strstr(blank_of(answer, "16 nodes, mixed lengths", "CBDA", 2048), "no pools"));
    const cJSON *pool = outcome_of(answer, "stage cycles", "CBDA", 256);
    const cJSON *fifo = outcome_of(answer, "stage cycles", "FIFO", 256);
    cr_expect_gt(json_number(pool, "achieved.mean"), json_number(fifo, "achieved.mean") + 0.2);
    cr_expect_eq(json_number(pool, "rank"), 1);
    fifo = outcome_of(answer, "16 nodes, mixed lengths", "FIFO", 2048);
    const cJSON *nodes = outcome_of(answer, "16 nodes, mixed lengths", "VOQnet", 2048);
    cr_expect_gt(json_number(nodes, "achieved.mean"), json_number(fifo, "achieved.mean"));
    cr_expect_float_eq(
        json_number(cJSON_GetArrayItem(json_at(answer, "contestants"), 9), "relative_gain.mean"),
        json_number(nodes, "achieved.mean") / json_number(fifo, "achieved.mean"), 1e-9,
        "of the one scenario that counts for gains");
    cr_expect(strstr(page, "sync: `--slots memory/32` `--flow block`"));
    cr_expect(strstr(page, "(does not count for gains)"));
    cr_expect(strstr(page, "--scenarios \"16 nodes, mixed lengths,stage cycles\""));
    free(page);
    cJSON_Delete(answer);
}

/* Nothing is run if nothing can be compared; contestants left out are counted. */
Test(cli_compare, who_is_left_out_is_told)
{
    program_run run = program("compare league --quick --bytes 100000");

    expect_refusal(&run, 2, "39 of 40 contestants", "With --bytes 32768,");
    cr_expect_neq(access("league.db", F_OK), 0);
    program_free(&run);
    write_study(SIZED);
    run = program_succeeds("compare c.yaml --bytes 192");
    cr_expect(strstr(run.out, "left out of all scenarios at 192 bytes an input: 2 of 5"));
    cr_expect(strstr(run.out, "224 bytes an"), "%s", run.out);
    cr_expect(!strstr(run.out, "With --bytes"), "most can be built");
    program_free(&run);
    write_study(
        "set: {engine: async, ports: 2, stages: 2, link-rest: 0, cycles: 500, warmup: 100}\n"
        "contestants:\n  first: {buffer: fifo, bytes: memory/8}\n"
        "  large: {buffer: samq, bytes: memory/4}\n  FIFO: {buffer: fifo, bytes: memory}\n"
        "  DAMQ: {buffer: damq, bytes: memory}\n  SAMQ: {buffer: samq, bytes: memory/2}\n"
        "scenarios: {s: {load: 0.3}}\nmemory: 64\nrepeats: 2\n");
    run = program_succeeds("compare c.yaml");
    cr_expect(strstr(run.out, "With --bytes 128, 3 of 5 could be built"), "%s", run.out);
    cr_expect(strstr(run.out, "are relative to FIFO"), "%s", run.out);
    program_free(&run);
}

/* Each run fails: the reasons are in the table, and the exit status is not that of a success. */
Test(cli_compare, runs_that_all_fail_are_no_success)
{
    write_study(
        "set: {ports: 2, stages: 2, slots: 4}\ncontestants: {a: {buffer: fifo}, b: {buffer: "
        "damq}}\nscenarios: {s: {load: 1.3}}\nrepeats: 2\n");
    program_run run = program("compare c.yaml");

    cr_expect_eq(run.status, 1);
    cr_expect(strstr(run.out, "--load must be a number from 0 to 1"));
    cr_expect(strstr(run.err, "c.yaml: no run gave a number to compare: --load must be"), "%s",
              run.err);
    program_free(&run);
}

/* 1,000 hosts: straight ways of a dragonfly and of a HyperX carry 1/35 and 1/10 of the worst
 * traffic, of which 0.2 is asked; a network without groups has no such traffic, and says so. */
Test(cli_compare, a_part_of_the_thousand_hosts)
{
    cJSON *answer = program_json("compare 1000-hosts --contestants \"dragonfly, MIN,HyperX, MIN,"
                                 "Slim Fly, MIN\" --scenarios 'worst 20%%' --quick --json");
    const cJSON *dragonfly = outcome_of(answer, "worst 20%", "dragonfly, MIN", 192);
    const cJSON *hyperx = outcome_of(answer, "worst 20%", "HyperX, MIN", 192);

    cr_expect_float_eq(json_number(dragonfly, "achieved.mean"), 1 / 35.0, 0.001);
    cr_expect_float_eq(json_number(hyperx, "achieved.mean"), 0.1, 0.002);
    cr_expect(
        strstr(blank_of(answer, "worst 20%", "Slim Fly, MIN", 192), "topologies with groups"));
    cJSON_Delete(answer);
}

/* The league's file is part of the program: what it contains, without running any of it. */
Test(cli_compare, the_league_is_there_from_anywhere)
{
    program_run run = program("compare league --bytes 0");

    expect_refusal(&run, 2, "--bytes 0: memory is 1 to 8 whole numbers", NULL);
    program_free(&run);
    run = program_succeeds("compare --help");
    cr_expect(strstr(run.out, "league"));
    program_free(&run);
}

/* The worst case of a shared memory is that of switchq worst, for its ports and all its slots;
 * other buffers have none, and what is not known has a reason. */
Test(cli_compare, worst_cases_of_shared_memories)
{
    write_study("set: {topology: switch, ports: 3, load: 0.9, flow: discard, cycles: 500}\n"
                "contestants:\n"
                "  lqd: {buffer: cbda, slots: 2, admission: lqd}\n"
                "  alpha: {buffer: cbda, slots: 4, alpha: 1}\n"
                "  occamy: {buffer: cbda, slots: 2, admission: occamy}\n"
                "  large: {buffer: cbda, slots: 64, admission: lqd}\n"
                "  DAMQ: {buffer: damq, slots: 2}\n"
                "scenarios:\n  uniform: {traffic: uniform}\n"
                "measure: discards\nequal: none\nrepeats: 2\n");
    cJSON *answer = program_json("compare c.yaml --json");
    cJSON *lqd = program_json("worst --admission lqd --queues 3 --slots 6 --json");
    cJSON *alpha = program_json("worst --alpha 1 --queues 3 --slots 12 --json");
    cr_expect_str_eq(json_string(contestant_of(answer, "lqd"), "worst_case"),
                     json_string(lqd, "result.exactly"));
    cr_expect_str_eq(json_string(contestant_of(answer, "alpha"), "worst_case"),
                     json_string(alpha, "result.exactly"));
    cr_expect_null(cJSON_GetObjectItem(contestant_of(answer, "large"), "worst_case"));
    cr_expect_null(cJSON_GetObjectItem(contestant_of(answer, "DAMQ"), "worst_case"));
    program_run text = program_succeeds("compare c.yaml");
    cr_expect(strstr(text.out, "worst case, proven"), "%s", text.out);
    cr_expect(strstr(text.out, "worst case of large: not known"), "%s", text.out);
    cr_expect_null(strstr(text.out, "worst case of DAMQ"));
    program_free(&text);
    cJSON_Delete(answer);
    cJSON_Delete(lqd);
    cJSON_Delete(alpha);
}

/* Of rules of shared memories in bytes, the worst case and the loss are those of the same rule in
 * slots, and the area that of switchq cost; a line for each run has them all. */
Test(cli_compare, what_is_known_beside_the_runs)
{
    write_study("set: {architecture: shared-memory, ports: 4, load: 1.2, duration: 100us, "
                "memory: 20K}\n"
                "contestants:\n"
                "  DT: {admission: threshold, alpha: 2}\n"
                "  LQD: {admission: lqd, ties: high, drop: head}\n"
                "  maximum: {admission: maximum, queue-max: 9K}\n"
                "  Occamy: {admission: occamy}\n"
                "scenarios:\n  one: {packet-bytes: 1500}\n  small: {packet-bytes: 200}\n"
                "measure: discards\nequal: none\nrepeats: 2\n"
                "beside:\n"
                "  worst: {queues: 2, slots: 6}\n"
                "  solve: {buffer: cbda, ports: 2, slots: 3, load: 0.9}\n"
                "  cost: {cell: 100}\n");
    cJSON *answer = program_json("compare c.yaml --json --data runs.csv");
    cJSON *worst =
        program_json("worst --admission threshold --alpha 2 --queues 2 --slots 6 --json");
    cJSON *loss = program_json("solve --buffer cbda --ports 2 --slots 3 --load 0.9 --admission lqd "
                               "--ties high --drop head --json");
    cJSON *cost = program_json("cost --architecture shared-memory --ports 4 --memory 20K --cell "
                               "100 --admission threshold --json");
    cr_expect_str_eq(json_string(contestant_of(answer, "DT"), "worst_case"),
                     json_string(worst, "result.exactly"));
    cr_expect_str_eq(json_string(contestant_of(answer, "LQD"), "worst_question"),
                     "switchq worst --admission lqd --ties high --queues 2 --slots 6");
    cr_expect_eq(json_number(contestant_of(answer, "LQD"), "discard_probability"),
                 json_number(loss, "result.discard_probability"));
    cr_expect_eq(json_number(contestant_of(answer, "DT"), "area_cells"),
                 json_number(cost, "cost.area_cells"));
    cr_expect_null(cJSON_GetObjectItem(contestant_of(answer, "maximum"), "worst_case"));
    cr_expect_null(cJSON_GetObjectItem(contestant_of(answer, "Occamy"), "worst_case"));
    cr_expect_not_null(cJSON_GetObjectItem(contestant_of(answer, "Occamy"), "discard_probability"));
    program_run text = program_succeeds("compare c.yaml");
    cr_expect(strstr(text.out, "worst case of maximum: not known: --queue-max is not known to the "
                               "rule in slots"),
              "%s", text.out);
    program_free(&text);
    char *data = file_text("runs.csv");
    cr_expect(strncmp(data, "version,scenario,contestant,", 28) == 0);
    int count = 0;
    for (const char *at = data; *at; at++)
        count += *at == '\n';
    cr_expect_eq(count, 1 + 2 * 4 * 2);
    cr_expect(strstr(data, "\"small\",\"LQD\",,simulation,discards,2,"), "%s", data);
    free(data);
    cJSON_Delete(answer);
    cJSON_Delete(worst);
    cJSON_Delete(loss);
    cJSON_Delete(cost);
}

Test(cli_compare, bad_input_is_named)
{
    static const char *const row[][2] = {
        {"contestants: {a: {buffer: fifo}}\nscenarios: {s: {load: 0.3}}\n", "contestants is a map"},
        {STUDY "repeat: 4\n", "unknown key 'repeat'"},
        {STUDY "repeats: 1\n", "repeats must be a whole number from 2"},
        {STUDY "measure: speed\n", "speed"},
        {STUDY "  low2: {load: 0.3, ports: 2}\n", "ports is also in set"},
        {"set: {ports: 2, stages: 2, load: 0.3}\ncontestants:\n  a: {buffer: fifo, slots: 4}\n  b: "
         "{buffer: damq, slots: 5}\nscenarios:\n  s: {flow: block}\n",
         "equal: memory, but a has 128 bytes an input and b has 160"},
        {STUDY "seed: -1\n", "seed must be a whole number"},
        {STUDY "beside: {report: {}}\n", "beside has worst, solve and cost"},
        {STUDY "beside: {worst: [1]}\n", "beside has worst, solve and cost"},
        {STUDY "beside: 3\n", "beside is a map of worst, solve and cost"},
        {STUDY "precision: 2\n", "precision is a number between 0 and 1"},
        {STUDY "memory: []\n", "memory is 1 to 8 whole numbers"},
        {STUDY "memory: 1k\n", "memory is 1 to 8 whole numbers"},
        {"set: {ports: 2, stages: 2, slots: 4}\ncontestants: {a: {buffer: fifo, by: hand}, b: "
         "{buffer: damq}}\nscenarios: {s: {load: 0.3}}\n",
         "by 'hand' is unknown"},
        {"set: {ports: 2, stages: 2, slots: 4}\ncontestants: {a: {buffer: fifo}, b: {buffer: "
         "damq, load: 0.4}}\nscenarios: {s: {load: 0.3}}\n",
         "load is also in the scenario s"},
        {"set: {ports: 2, sync: {slots: 4}}\ncontestants: {a: {buffer: fifo, sync: {slots: 5}}, b: "
         "{buffer: damq}}\nscenarios: {s: {load: 0.3}}\n",
         "slots is also in set"},
        {"contestants: {a: {buffer: fifo, sync: 3}, b: {buffer: damq}}\nscenarios: {s: {load: "
         "1}}\n",
         "sync is a map of options for that engine alone"},
        {"contestants: {a: {buffer: fifo, slots: 3, sync: {slots: 4}}, b: {buffer: damq}}\n"
         "scenarios: {s: {load: 1}}\n",
         "slots is also outside of sync"},
        {"contestants: {a: {buffer: fifo, async: {engine: sync}}, b: {buffer: damq}}\n"
         "scenarios: {s: {load: 1}}\n",
         "engine belongs outside of async"},
        {STUDY "  odd: {load: 0.1, gain: maybe}\n", "gain is yes, or no"},
        {"contestants: {a: {buffer: fifo}, b: {buffer: damq, flit: 2}}\n"
         "scenarios: {s: {engine: async, load: 1}}\n",
         "flit must be the same for all contestants"},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        write_study(row[k][0]);
        program_run run = program("compare c.yaml");
        expect_refusal(&run, 2, row[k][1], NULL);
        program_free(&run);
    }
    static const char *const line[][2] = {
        {"compare", "needs a study"},
        {"compare c.yaml --bytes 128", "has neither memory nor area, so its"},
        {"compare c.yaml --seed 1 --second-seed 1", "--second-seed 1 is also the first seed"},
        {"compare c.yaml --precision 2", "--precision"},
        {"compare c.yaml --area 3000", "has neither memory nor area, so its"},
        {"compare c.yaml --contestants FIFO", "--contestants must name at least 2"},
        {"compare c.yaml --contestants FIFO,DMAQ", "has no 'DMAQ'; did you mean DAMQ?"},
        {"compare c.yaml --contestants xx,FIFO", "has no 'xx'; it has FIFO, DAMQ"},
        {"compare c.yaml --scenarios medium", "has no 'medium'; it has low, high"},
        {"compare c.yaml --area 3000 --bytes 3", "--bytes and --area cannot both be given"},
    };
    write_study(STUDY);
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        program_run run = program("%s", line[k][0]);
        expect_refusal(&run, 2, line[k][1], NULL);
        program_free(&run);
    }
}
