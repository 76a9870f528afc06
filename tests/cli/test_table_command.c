/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands that tables name for their cells: run, each gives the number of its cell.
 */
#include "tests/cli/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(cli_table_command, .init = program_begin, .fini = program_end, .timeout = 480);

/* The path of a simulated cell's quantity in an answer. */
static const char *place_of(const char *quantity)
{
    static const char *const places[][2] = {
        {"discarded", "result.discard_fraction.mean"},
        {"throughput", "result.throughput.mean"},
        {"latency", "result.latency_cycles.mean"},
        {"p99", "result.latency_cycles.mean_of_nodes.p99.mean"},
        {"max", "result.latency_cycles.mean_of_nodes.max.mean"},
    };

    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        if (strcmp(places[k][0], quantity) == 0)
            return places[k][1];
    }
    cr_assert_fail("%s", quantity);
    return NULL;
}

/* Runs the command of every step-th cell; returns how many were run. */
static int run_commands(const char *table, int step, const char *place)
{
    program_run run = program("table %s --json", table);
    cJSON *tree = cJSON_Parse(run.out);
    const cJSON *rows, *row;
    int k = 0, ran = 0;

    cr_assert(tree, "%s: %s", table, run.err);
    rows = json_at(tree, "rows");
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *command = json_at(row, "command");
        if (k++ % step || !cJSON_IsString(command) || !cJSON_IsNumber(json_at(row, "computed")))
            continue;
        cr_assert_eq(strncmp(command->valuestring, "switchq ", 8), 0);
        cJSON *alone = program_json("%s --json", command->valuestring + 8);
        double value = json_number(alone, place ? place : place_of(json_string(row, "quantity")));
        assert_relative(value, json_number(row, "computed"), 1e-9, "table %s: %s", table,
                        command->valuestring);
        cJSON_Delete(alone);
        ran++;
    }
    cJSON_Delete(tree);
    program_free(&run);
    return ran;
}

Test(cli_table_command, cells_that_are_solved)
{
#define LOSS "result.discard_probability"
    cr_expect_geq(run_commands("4.1", 13, LOSS), 13);
    cr_expect_geq(run_commands("4.1 --arbiter longest --pool-rule room", 37, LOSS), 4);
    cr_expect_geq(run_commands("4.1 --ports 3 --slots 3 --loads 0.9 --cycles 1000", 1, LOSS), 5);
}

Test(cli_table_command, cells_that_are_simulated)
{
    cr_expect_geq(run_commands("4.2 --cycles 300 --threads 2", 12, NULL), 10);
    cr_expect_geq(run_commands("4.3 --cycles 300 --threads 2", 12, NULL), 10);
    cr_expect_geq(run_commands("4.4 --cycles 300 --threads 2", 3, NULL), 8);
    cr_expect_geq(run_commands("5.1 --cycles 300 --threads 2", 7, NULL), 8);
    cr_expect_geq(run_commands("4.3 --cycles 300 --threads 2 --stale 2 --arbiter longest "
                               "--pool-rule room --seed 5",
                               23, NULL),
                  5);
}

/* Runs the last lines of the text in a shell. */
static program_run run_last(const char *table, const char *cell)
{
    program_run run = program("table %s", table);
    char *at = strstr(run.out, " by itself, as a command:\n"), line[800];

    cr_assert(at && strstr(run.out, cell), "%s", run.out);
    at = strchr(at, '\n') + 1;
    size_t length = strcspn(at, "\n");
    while (at[length - 1] == '\\')
        length += 1 + strcspn(at + length + 1, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, at);
    program_free(&run);
    return program_shell("ln -sf \"$SWITCHQ\" switchq; PATH=$PWD:$PATH; %s", line);
}

Test(cli_table_command, the_text_names_one_that_a_shell_takes)
{
    program_run solved = run_last("4.1", "\nCBDA 2 at 0.90 by itself"),
                simulated = run_last("4.4 --cycles 300", "\nCBDA 4, throughput, ");

    cr_expect_eq(solved.status, 0, "%s", solved.err);
    cr_expect(strstr(solved.out, "discard probability    0.067"), "%s", solved.out);
    cr_expect_eq(simulated.status, 0, "%s", simulated.err);
    cr_expect(strstr(simulated.out, "pool rule oldest"), "%s", simulated.out);
    program_free(&solved);
    program_free(&simulated);
}

/* The three updates of row A are the only number that the print has differently. */
Test(cli_table_command, parameters_of_two_counters)
{
    cJSON *tree = program_json("table 8.2 --json");
    static const int halted[] = {1, 20, 20, 40, 40}, resumed[] = {1, 20, 20, 60, 60};

    cr_assert_eq(json_number(tree, "agree"), 4);
    cr_assert_eq(json_number(tree, "differ"), 1);
    for (int k = 0; k < 5; k++) {
        const cJSON *row = cJSON_GetArrayItem(json_at(tree, "rows"), k);
        cr_expect_eq(json_number(row, "halted_after"), halted[k], "row %d", k);
        cr_expect_eq(json_number(row, "resumed_after"), resumed[k], "row %d", k);
    }
    cJSON_Delete(tree);
}

Test(cli_table_command, groups_of_the_benchmarks)
{
    cJSON *tree = program_json("table 8.4 --json");
    program_run run = program("table 8.4 --cycles 100");

    cr_assert_str_eq(json_string(tree, "table"), "8.4");
    cr_assert_eq(json_number(tree, "agree"), 16);
    cr_assert_eq(json_number(tree, "differ"), 0);
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "rows")), 16);
    cr_assert_eq(json_number(cJSON_GetArrayItem(json_at(tree, "rows"), 1), "mask"), 0x3c);
    expect_refusal(&run, 2, "--cycles", "table 8.4");
    program_free(&run);
    cJSON_Delete(tree);
}

/* --mem is read where something is computed, and refused elsewhere. */
Test(cli_table_command, memory)
{
    static const char *const lines[][3] = {
        {"8.2 --mem 1", "--mem", "not for table 8.2"},
        {"8.4 --mem nan", "--mem", "not for table 8.4"},
        {"benchmarks --mem nan", "--mem", "'nan'"},
        {"small-packets --mem nan", "--mem", "'nan'"},
        {"4.4 --mem nan", "--mem", "'nan'"},
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run = program("table %s", lines[k][0]);
        expect_refusal(&run, 2, lines[k][1], lines[k][2]);
        program_free(&run);
    }
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

/* Neither what follows a sum nor a value of x that stands twice is passed over. */
Test(cli_table_command, what_a_file_says_is_used_whole)
{
    static const char form[] =
        "table: t\ntitle: t\nx: {over: cells, at: [1, %s]}\ncells: [a, b]\n"
        "set: {topology: switch, flow: discard, load: 1, ports: [2, 4], slots: 1}\n"
        "lines:\n  F: {buffer: fifo}\nvalues:\n"
        "  - {key: throughput, is: \"throughput($line)%s\"}\n";
    static const char *const wrong[][4] = {
        {"2", "*100", "something is left", "*100"},
        {"2", " +1", "something is left", "throughput($line) +1"},
        {"1", "", "line 3", "must rise"}};
    char path[40] = "/tmp/switchq-whole-XXXXXX", text[500];

    cr_assert(mkdtemp(path));
    strcat(path, "/a.yaml");
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        snprintf(text, sizeof text, form, wrong[k][0], wrong[k][1]);
        write_text(path, text);
        program_run run = program("table %s --quick", path);
        expect_refusal(&run, 2, wrong[k][2], wrong[k][3]);
        program_free(&run);
    }
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

/* A table of one's own, the example of docs/papers.md: 3/4 and .65524 at full load (Karol, Hluchyj
 * and Morgan 1987). */
Test(cli_table_command, a_table_of_a_file)
{
    char text[4000], path[40] = "/tmp/switchq-mine-XXXXXX";
    snprintf(text, sizeof text, "%s/docs/papers.md", getenv("SWITCHQ_SOURCE"));
    FILE *docs = fopen(text, "r"), *file;
    bool inside = false;

    cr_assert(docs && mkdtemp(path));
    snprintf(path + strlen(path), sizeof path - strlen(path), "/a.yaml");
    file = fopen(path, "w");
    while (fgets(text, sizeof text, docs)) {
        inside = (inside || strcmp(text, "table: mine\n") == 0) && strcmp(text, "```\n") != 0;
        if (inside)
            fputs(text, file);
    }
    fclose(docs);
    fclose(file);
    cJSON *tree = program_json("table %s --quick --json", path);
    cr_expect_float_eq(json_number(tree, "rows.0.throughput.mean"), 0.75, 0.02);
    cr_expect_float_eq(json_number(tree, "rows.1.throughput.mean"), 0.65524, 0.02);
    cr_expect_str_eq(json_string(tree, "rows.1.table_cell"), "4 ports");
    cJSON_Delete(tree);
    /* printed numbers beside the file: one is right, one is far off, and one is of no cell */
    char csv[44];
    snprintf(csv, sizeof csv, "%.*s.csv", (int)(strlen(path) - 5), path);
    write_text(csv, "value,line,x,y\n-,FIFO,1,0.75\n");
    tree = program_json("table %s --quick --json", path);
    cr_expect_str_eq(json_string(tree, "rows.0.paper"), "0.75");
    cr_expect(cJSON_IsTrue(json_at(tree, "rows.0.agrees")) &&
              !cJSON_GetObjectItem(json_at(tree, "rows.1"), "agrees"));
    cJSON_Delete(tree);
    write_text(csv, "value,line,x,y\nthroughput,FIFO,1,0.75\n-,FIFO,2,0.70\n");
    program_run run = program("table %s --quick", path);
    cr_expect_eq(run.status, 1);
    cr_expect(strstr(run.out, "0.75 ") && strstr(run.out, "0.70!") && strstr(run.out, "FIFO at 2"),
              "%s", run.out);
    program_free(&run);
    write_text(csv, "value,line,x,y\n-,FIFO,3,0.75\n");
    run = program("table %s --quick", path);
    expect_refusal(&run, 2, "line 2 of the printed numbers", "KEY,LINE,X,Y");
    program_free(&run);
    unlink(csv);
    run = program("figure %s", path);
    expect_refusal(&run, 2, "is no figure", "'switchq table' prints tables");
    program_free(&run);
    run = program("table %s", "/nowhere/a.yaml");
    expect_refusal(&run, 2, "/nowhere/a.yaml", "cannot read");
    program_free(&run);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}
