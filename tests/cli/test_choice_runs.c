/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routing with a choice, and managements of congestion, from outside: trees of 16 and 256 nodes, as
 * studies, from files, and the search for their saturation.
 */
#include "tests/cli/program.h"
#include "tests/support/support.h"

TestSuite(cli_choice_runs, .init = program_begin, .fini = program_end, .timeout = 240);

#define TREE                                                                                       \
    "sim --engine async --topology tree --max-packet 64 --length 64 --link-rest 0 --load 1 "       \
    "--warmup 2000 "

static double throughput(const char *line, double *half, double *out_of_order)
{
    cJSON *tree = program_json(TREE "%s --json", line);
    const double mean = json_number(tree, "result.throughput.mean");

    cr_expect(cJSON_IsTrue(json_at(tree, "invariants.conserved")), "%s", line);
    cr_expect(cJSON_IsTrue(json_at(tree, "invariants.little_exact")), "%s", line);
    /* most of these runs are too short for an interval; then differences have to be clear alone */
    const cJSON *known = json_at(tree, "result.throughput.half_width");
    *half = cJSON_IsNumber(known) ? known->valuedouble : 0;
    *out_of_order = strstr(line, "adaptive") /* without a choice, none can be */
                        ? json_number(tree, "result.out_of_order_fraction.mean")
                        : 0;
    cJSON_Delete(tree);
    return mean;
}

/* A permutation that would send all packets of a switch up one link is where a choice helps: k
 * links up instead of one. With the destination digit, transpose loads a link with packets of
 * N^(1/2) nodes, so each node sends exactly N^(-1/2) bytes per cycle. */
static void expect_gain(const char *arity, int nodes, int cycles, double least)
{
    static const char *const choices[] = {"random", "room", "queue", "first"};
    char line[300];
    double half, late;

    snprintf(line, sizeof line,
             "--arity %s --buffer damq --bytes 1024 --traffic transpose "
             "--cycles %d",
             arity, cycles);
    const double fixed = throughput(line, &half, &late);
    cr_expect(fabs(fixed - 1 / sqrt(nodes)) <= 3 * half + 0.001, "%s: %g +- %g", line, fixed, half);
    for (int k = 0; k < 4; k++) {
        snprintf(line, sizeof line,
                 "--arity %s --buffer damq --bytes 1024 --traffic transpose "
                 "--cycles %d --routing adaptive --choice %s",
                 arity, cycles, choices[k]);
        const double carried = throughput(line, &half, &late);
        cr_expect_geq(carried, least, "%s: %g", line, carried);
        cr_expect(late > 0 && late < 1, "%s: %g out of order", line, late);
    }
}

Test(cli_choice_runs, transpose_on_16_nodes)
{
    expect_gain("4,4", 16, 8000, 2.5 / 4);
}

Test(cli_choice_runs, transpose_on_256_nodes)
{
    expect_gain("4,4,4,4", 256, 4000, 6.0 / 16);
}

/* Under uniform traffic the heads of queues limit FIFO inputs, with or without a choice; a crossbar
 * of twice the speed removes that limit. */
static void expect_uniform(const char *arity, double low, double high, double least)
{
    static const char *const ways[] = {"", "--routing adaptive",
                                       "--routing adaptive --choice first"};
    char line[300];
    double half, late;

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        snprintf(line, sizeof line, "--arity %s --buffer fifo --bytes 4096 --cycles 4000 %s", arity,
                 ways[k]);
        const double fifo = throughput(line, &half, &late);
        cr_expect(fifo > low && fifo < high, "%s: %g", line, fifo);
        snprintf(line, sizeof line,
                 "--arity %s --buffer fifo --bytes 4096 --cycles 4000 --architecture cioq "
                 "--speedup 2 --output-bytes 4096 %s",
                 arity, ways[k]);
        const double cioq = throughput(line, &half, &late);
        cr_expect_geq(cioq, least, "%s: %g", line, cioq);
    }
}

Test(cli_choice_runs, uniform_on_16_nodes)
{
    expect_uniform("4,4", 0.62, 0.82, 0.90);
}

Test(cli_choice_runs, uniform_on_256_nodes)
{
    expect_uniform("4,4,4,4", 0.58, 0.72, 0.85);
}

/* ---- studies, files ---- */

/* Every point has the same answer as its own command line; returns the number of points. */
static int study(const char *text)
{
    FILE *file = fopen("s.yaml", "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    cJSON *summary = program_json("sweep s.yaml --json --threads 1");
    const int points = (int)json_number(summary, "point_count");
    cr_expect_eq(json_number(summary, "done"), points);
    cr_expect_eq(json_number(summary, "failed"), 0);
    cJSON_Delete(summary);
    program_run list = program_succeeds("sweep s.yaml --list"),
                answers = program_succeeds("sweep s.yaml --export csv --output answers.csv");
    char *csv = file_text("answers.csv"), *line = strtok(list.out, "\n");
    for (int row = 1; line; row++, line = strtok(NULL, "\n")) {
        cr_assert_eq(strncmp(line, "switchq ", 8), 0, "%s", line);
        cJSON *tree = program_json("%s --json", line + 8);
        expect_cell(csv, row, "result.throughput.mean", tree, "result.throughput.mean");
        cJSON_Delete(tree);
    }
    free(csv);
    program_free(&list);
    program_free(&answers);
    return points;
}

Test(cli_choice_runs, a_study_of_choices)
{
    cr_expect_eq(
        study("command: sim\n"
              "set: {engine: async, topology: tree, arity: '4,4', buffer: damq, bytes: 256, "
              "load: 0.6, cycles: 1000, warmup: 500}\n"
              "over: {routing: [adaptive], choice: [random, room, queue, first]}\n"
              "---\n"
              "command: sim\n"
              "set: {topology: mesh, dims: 4x4, buffer: damq, bytes: 256, load: 0.2, "
              "cycles: 1000, warmup: 500}\n"
              "over: {routing: [deterministic, adaptive, unguarded]}\n"),
        7);
}

Test(cli_choice_runs, a_study_of_managements)
{
    cr_expect_eq(study("command: sim\n"
                       "set: {engine: async, topology: omega, ports: 4, stages: 2, bytes: 256, "
                       "load: 0.4, cycles: 1000, warmup: 500}\n"
                       "over: {management: [1q, 4q, dbbm, voqsw, voqnet]}\n"
                       "zip: {xoff: [4, 6], xon: [2, 3]}\n"),
                 10);
}

Test(cli_choice_runs, saved_and_run_again)
{
    static const char *const lines[] = {
        "sim --topology torus --dims 4x4 --routing adaptive --choice room --buffer damq "
        "--bytes 256 --load 0.3 --cycles 1000 --warmup 500 --csv",
        "sim --engine async --topology tree --arity 4,4 --management dbbm --queues 8 --bytes 256 "
        "--xoff 4 --xon 1 --load 0.5 --cycles 1000 --warmup 500 --csv"};

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run one = program("%s --save-config a.yaml", lines[k]),
                    other = program("sim --config a.yaml --csv");
        char *mine = csv_cell(one.out, 1, "throughput"),
             *theirs = csv_cell(other.out, 1, "throughput");
        cr_expect_eq(one.status + other.status, 0, "%s", lines[k]);
        cr_expect_str_eq(mine, theirs, "%s", lines[k]);
        free(mine);
        free(theirs);
        program_free(&one);
        program_free(&other);
    }
}

/* ---- saturation ---- */

static double found(const char *line)
{
    cJSON *tree = program_json("sim %s --find-saturation --resolution 0.1 --cycles 2000 "
                               "--warmup 1000 --json",
                               line);
    const double highest = json_number(tree, "saturation.throughput.mean"),
                 load = json_number(tree, "saturation.load");

    cr_expect_geq(highest, json_number(tree, "saturation.at_full_load.mean"), "%s", line);
    cr_expect(load > 0 && load <= 1, "%s: %g", line, load);
    cr_expect_geq(json_number(tree, "saturation.runs"), 8, "%s", line);
    cJSON_Delete(tree);
    return highest;
}

Test(cli_choice_runs, saturation_with_a_choice)
{
    const double fixed = found("--engine async --topology tree --arity 4,4 --buffer damq --bytes "
                               "512 --traffic transpose"),
                 choice = found("--engine async --topology tree --arity 4,4 --buffer damq --bytes "
                                "512 --traffic transpose --routing adaptive --choice queue");

    cr_expect_geq(choice, 2 * fixed);
    found("--topology torus --dims 4x4 --buffer damq --bytes 256 --routing adaptive");
}

/* More queues do not reduce throughput, except by what the short runs cannot tell. */
Test(cli_choice_runs, saturation_with_managements)
{
    static const char *const rows[] = {"1q", "dbbm", "voqsw", "voqnet"};
    double carried[4];
    char line[200];

    for (int k = 0; k < 4; k++) {
        snprintf(line, sizeof line,
                 "--engine async --topology omega --ports 4 --stages 2 --bytes 512 --management %s",
                 rows[k]);
        carried[k] = found(line);
    }
    cr_expect_gt(carried[2], carried[0]);
    cr_expect_gt(carried[3], carried[0]);
}
