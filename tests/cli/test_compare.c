/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq compare: a small study, what it answers, what it keeps, what it refuses.
 */
#include "tests/cli/program.h"

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
    cr_expect(strstr(quick.out, "FIFO"));
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

/* A cell that cannot be is blank, with its reason. */
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

Test(cli_compare, bad_input_is_named)
{
    static const char *const row[][2] = {
        {"contestants: {a: {buffer: fifo}}\nscenarios: {s: {load: 0.3}}\n", "contestants is a map"},
        {STUDY "repeat: 4\n", "unknown key 'repeat'"},
        {STUDY "repeats: 1\n", "repeats must be a whole number from 2"},
        {STUDY "measure: speed\n", "speed"},
        {STUDY "  low2: {load: 0.3, ports: 2}\n", "ports is in set, too"},
        {"set: {ports: 2, stages: 2, load: 0.3}\ncontestants:\n  a: {buffer: fifo, slots: 4}\n  b: "
         "{buffer: damq, slots: 5}\nscenarios:\n  s: {flow: block}\n",
         "equal: memory, but a has 128 bytes an input and b 160"},
        {STUDY "seed: -1\n", "seed must be a whole number"},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        write_study(row[k][0]);
        program_run run = program("compare c.yaml");
        expect_refusal(&run, 2, row[k][1], NULL);
        program_free(&run);
    }
    program_run run = program("compare");
    expect_refusal(&run, 2, "needs a study", NULL);
    program_free(&run);
}
