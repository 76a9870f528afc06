/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq figure: every figure's files and outputs with the shortest of runs, and bad input.
 */
#include "tests/cli/program.h"

#include <stdio.h>
#include <string.h>

TestSuite(cli_figure, .init = program_begin, .fini = program_end, .timeout = 480);

static const char *const names[] = {"4.1", "4.2", "5.1", "5.2", "5.3",  "5.4",  "5.5",
                                    "5.6", "5.7", "5.8", "5.9", "6.1",  "6.2",  "6.3",
                                    "6.4", "6.5", "6.8", "6.9", "6.10", "6.11", "6.12"};
enum { NAMES = sizeof names / sizeof *names };

static const char header[] =
    "figure,seed,cut_short,part,curve,panel,quantity,at,x,y,half_width,load,throughput,"
    "throughput_half_width,packets_a_node,cycles";

/* Short runs prove nothing: whatever they find is no failure. */
static program_run figure(const char *arguments)
{
    return program_succeeds("figure %s", arguments);
}

/* Counts commas outside quotes. */
static int commas(const char *line, const char *end)
{
    bool quoted = false;
    int count = 0;

    for (; line < end; line++) {
        quoted ^= *line == '"';
        count += *line == ',' && !quoted;
    }
    return count;
}

Test(cli_figure, each_writes_its_csv_and_json)
{
    for (int k = 0; k < NAMES; k++) {
        char line[80], file[40];
        snprintf(line, sizeof line, "%s --cycles 20 --no-plot --json", names[k]);
        snprintf(file, sizeof file, "figure-%s.csv", names[k]);
        program_run run = figure(line);
        char *csv = file_text(file);
        cr_assert(strncmp(csv, header, sizeof header - 1) == 0, "%.200s", csv);
        const int columns = commas(csv, strchr(csv, '\n'));
        int lines = 0;
        for (char *at = csv, *end; (end = strchr(at, '\n')); at = end + 1, lines++) {
            cr_assert_eq(commas(at, end), columns, "%.*s", (int)(end - at), at);
            cr_assert(lines == 0 || strncmp(at, names[k], strlen(names[k])) == 0);
        }
        cr_assert_eq(csv[strlen(csv) - 1], '\n', "whole");

        cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
        cr_assert(tree, "%s: not JSON, or not only: %.200s", names[k], run.out);
        cr_assert_str_eq(json_string(tree, "schema"), "switchq/figure/1");
        cr_assert_str_eq(json_string(tree, "figure"), names[k]);
        const cJSON *curve, *point, *claim;
        int points = 0;
        cJSON_ArrayForEach(curve, json_at(tree, "curves"))
        {
            json_string(curve, "name");
            json_string(curve, "quantity");
            cJSON_ArrayForEach(point, json_at(curve, "points"))
            {
                bool latency = *names[k] < '6' || strstr(json_string(curve, "quantity"), "latency");
                cr_assert(json_number(point, "x") >= 0);
                cr_assert(json_number(point, "y") >= (latency ? 3 : 0));
                /* over time there is none */
                cr_assert(cJSON_IsNull(json_at(point, "throughput")) ==
                          (strcmp(json_string(point, "at"), "time") == 0));
                json_at(point, "half_width"); /* null for a single batch */
                points++;
            }
        }
        points += cJSON_GetArraySize(json_at(tree, "printed"));
        if (strncmp(names[k], "6.1", 3) == 0 && strlen(names[k]) == 4)
            points += 11 * cJSON_GetArraySize(json_at(json_at(tree, "map"), "rings"));
        cr_assert_eq(lines, 1 + points, "%s: %d lines, %d points", names[k], lines, points);
        cJSON_ArrayForEach(claim, json_at(tree, "claims"))
        {
            const char *verdict = json_string(claim, "verdict");
            cr_assert(strcmp(verdict, "holds") == 0 || strcmp(verdict, "holds in part") == 0 ||
                      strcmp(verdict, "does not hold") == 0 ||
                      strcmp(verdict, "cannot be told") == 0);
            json_string(claim, "claim");
            json_string(claim, "measured");
            json_string(claim, "criterion");
        }
        cr_assert_gt(cJSON_GetArraySize(json_at(tree, "claims")), 0);
        cJSON_Delete(tree);
        free(csv);
        program_free(&run);
    }
}

Test(cli_figure, plots_go_where_they_should)
{
    program_run run = program_shell("mkdir 'a b' && \"$SWITCHQ\" figure 5.7 --cycles 50 -o 'a b' "
                                    "&& ls 'a b'; ls | wc -l");
    cr_assert(strstr(run.out, "figure-5.7.csv\nfigure-5.7.png\nfigure-5.7.svg\n1\n"), "%s %s",
              run.out, run.err);
    program_free(&run);
    char *svg = file_text("a b/figure-5.7.svg"), *png = file_text("a b/figure-5.7.png");
    cr_assert(strstr(svg, "</svg>") && strstr(svg, "DAMQ, 8 queues") && strstr(svg, "CBDA"));
    cr_assert(strncmp(png, "\x89PNG", 4) == 0);
    free(svg);
    free(png);

    run = figure("5.1 --cycles 20"); /* two panels, and printed points */
    svg = file_text("figure-5.1.svg");
    cr_assert(strstr(svg, "Figure 5.1: ") && strstr(svg, "(b) ") && strstr(svg, "printed"));
    free(svg);
    program_free(&run);
}

/* A map: its rows in text and JSON, pictures of the map and of the course of events, an
 * animation. */
Test(cli_figure, maps)
{
    program_run run =
        program_shell("mkdir m && \"$SWITCHQ\" figure 6.11 --cycles 300 --threshold 10 "
                      "-o m && ls m | tr '\\n' ' '");
    cr_assert(strstr(run.out, "figure-6.11-time.png figure-6.11-time.svg figure-6.11.csv "
                              "figure-6.11.gif figure-6.11.png figure-6.11.svg "),
              "%s %s", run.out, run.err);
    cr_assert_str_empty(run.err, "%s", run.err);
    cr_assert(strstr(run.out, "threshold 10 blocks"));
    int rows = 0;
    for (const char *at = run.out; (at = strstr(at, "\n   ")); at++) {
        const char *end = strchr(at + 1, '\n');
        rows += end - at == 25 && strspn(at + 4, "=pPnN ") == 21;
    }
    cr_assert_eq(rows, 11, "%d rings in: %s", rows, run.out);
    program_free(&run);
    char *gif = file_text("m/figure-6.11.gif"), *svg = file_text("m/figure-6.11.svg");
    cr_assert(strncmp(gif, "GIF89a", 6) == 0 && strstr(svg, "place in the ring"));
    free(gif);
    free(svg);

    run = figure("6.11 --cycles 300 --no-plot --json");
    cJSON *tree = cJSON_Parse(run.out);
    cr_assert(tree);
    const cJSON *map = json_at(tree, "map");
    cr_assert_eq(json_number(map, "threshold"), 26);
    cr_assert_eq(cJSON_GetArraySize(json_at(map, "rings")), 11);
    cr_assert_eq(cJSON_GetArraySize(cJSON_GetArrayItem(json_at(map, "difference"), 10)), 11);
    for (int k = 0; k < 121; k++) {
        char letter = cJSON_GetArrayItem(json_at(map, "rings"), k / 11)->valuestring[k % 11];
        double d =
            cJSON_GetArrayItem(cJSON_GetArrayItem(json_at(map, "difference"), k / 11), k % 11)
                ->valuedouble;
        cr_assert_eq(letter, d >= 8 ? 'P' : d >= 1 ? 'p' : d <= -8 ? 'N' : d <= -1 ? 'n' : '=');
    }
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_figure, asynchronous_text)
{
    static const char *const expected[] = {"synchronous and asynchronous",
                                           "stage cycles",
                                           "clock cycles",
                                           "memory free when the header is in",
                                           "offered",
                                           " @0.",
                                           "block by block"};
    program_run run = figure("6.1 --cycles 60 --no-plot");

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    program_free(&run);
    run = figure("6.4 --cycles 20 --no-plot");
    cr_assert(strstr(run.out, "bytes  ") && strstr(run.out, "  2048 "), "%s", run.out);
    program_free(&run);
    run = figure("6.2 --cycles 200 --no-plot");
    cr_assert(strstr(run.out, "  cycle ") && strstr(run.out, "2.5%"), "%s", run.out);
    cr_assert(strstr(run.out, "\n18 runs of 3297 cycles, seed 1\n"), "of one length: %s", run.out);
    program_free(&run);
    run = figure("6.10 --cycles 200 --no-plot");
    cr_assert(strstr(run.out, "\n32 runs of 400 cycles, seed 1\n"), "%s", run.out);
    program_free(&run);
}

/* A table over the load has a row for each load that was run. */
Test(cli_figure, every_panel_has_its_rows)
{
    program_run run = figure("000.6 --cycles 10 --no-plot");
    int rows = 0, tables = 0;

    for (const char *at = run.out; (at = strstr(at, "\n  0.")); at++)
        rows++;
    for (const char *at = run.out; (at = strstr(at, "\n  applied ")); at++)
        tables++;
    cr_assert_eq(tables, 4, "%s", run.out);
    cr_assert_eq(rows, 4 * 8, "%s", run.out);
    program_free(&run);
}

Test(cli_figure, text_and_csv)
{
    program_run run = figure("5.7 --cycles 50 --no-plot");
    static const char *const expected[] = {"Figure 5.7",
                                           "DAMQ, 5 queues",
                                           "full load",
                                           "Claims:",
                                           "criterion: ",
                                           "fewer than 100 packets a node",
                                           "of 50 cycles or more, seed 1"};

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    program_free(&run);
    run = figure("5.7 --cycles 50 --no-plot --csv --threads 2");
    char *csv = file_text("figure-5.7.csv");
    cr_assert_str_eq(run.out, csv, "the same on stdout");
    program_free(&run);
    run = figure("5.7 --cycles 50 --no-plot --csv --seed 2");
    cr_assert_str_neq(run.out, csv, "another seed");
    free(csv);
    program_free(&run);
}

Test(cli_figure, a_folder_that_is_missing_is_made)
{
    program_run run = figure("5.7 --cycles 20 --no-plot -o 'new folder'");
    char *csv = file_text("new folder/figure-5.7.csv");

    cr_assert(strncmp(csv, header, sizeof header - 1) == 0, "%.200s", csv);
    free(csv);
    program_free(&run);
    run = program_shell("\"$SWITCHQ\" figure 5.7 -o other --seed x; s=$?; ls; "
                        "rm -r 'new folder'; (exit $s)");
    cr_assert(run.status == 2 && !strstr(run.out, "other"), "not for bad input: %s", run.out);
    program_free(&run);
}

Test(cli_figure, help_names_all_options)
{
    static const char *const expected[] = {
        "-o, --output DIR", "--no-plot", "--quick", "--cycles N",    "--seed S",     "--threads T",
        "--json",           "--csv",     "--mem ",  "--threshold T", "--release hop"};
    program_run run = program_succeeds("figure --help-all");

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no %s in: %s", expected[k], run.out);
    program_free(&run);
}

Test(cli_figure, list_has_them)
{
    program_run run = program_succeeds("list figures");

    for (int k = 0; k < NAMES; k++)
        cr_assert(strstr(run.out, names[k]), "no %s", names[k]);
    program_free(&run);
}

Test(cli_figure, bad_input)
{
    static const struct {
        const char *arguments, *name, *value;
    } cases[] = {
        {"", "which figure?", "5.9"},
        {"9.9", "'9.9'", "4.1, 4.2, 5.1"},
        {"4", "'4'", "known: 4.1"},
        {"5.7 5.8", "5.8", "unexpected"},
        {"5.7 --cycles 0", "--cycles", "'0'"},
        {"5.7 --cycles -5", "--cycles", "'-5'"},
        {"5.7 --cycles 1e-3", "--cycles", "'1e-3'"},
        {"5.7 --seed x", "--seed", "'x'"},
        {"5.7 --threads 0", "--threads", "'0'"},
        {"5.7 --threads 1000", "--threads", "256"},
        {"5.7 --json --csv", "--json", "--csv"},
        {"5.7 -o /dev/null", "--output", "'/dev/null'"},
        {"5.7 -o ''", "--output", "''"},
        {"5.7 --quik", "--quick", "--quik"},
        {"6.11 --threshold 9", "--threshold must be 26 or 10", "'9'"},
        {"6.11 --threshold 12", "--threshold must be 26 or 10", "'12'"},
        {"6.11 --threshold ten", "--threshold must be 26 or 10", "'ten'"},
        {"6.2 --threshold 10", "threshold", "6.10, 6.11, 6.12"},
        {"5.7 --threshold 26", "figure 5.7", "6.10, 6.11, 6.12"},
        {"5.7 -o /proc", "/proc", "figure-5.7.csv"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("figure %s", cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
    char *left = folder_names();
    cr_assert_str_empty(left, "left %s", left);
    free(left);
}

Test(cli_figure, files_whole_or_not_at_all)
{
    /* without gnuplot there are still numbers */
    program_run run = program_shell("PATH=/nowhere \"$SWITCHQ\" figure 5.7 --cycles 20");
    char *left = folder_names();

    cr_assert_eq(run.status, 2);
    cr_assert(strstr(run.err, "gnuplot") && strstr(run.out, "Claims:"), "%s", run.err);
    cr_assert_str_eq(left, "figure-5.7.csv ");
    free(left);
    program_free(&run);

    run = program_shell("rm -f *; mkdir figure-5.7.csv; \"$SWITCHQ\" figure 5.7 --cycles 20; s=$?; "
                        "rmdir figure-5.7.csv; (exit $s)");
    left = folder_names();
    cr_assert(run.status == 2 && strstr(run.err, "figure-5.7.csv"), "%d: %s", run.status, run.err);
    cr_assert_str_empty(left, "%s", left);
    free(left);
    program_free(&run);
}

/* What was finished is shown, and marked as incomplete. */
Test(cli_figure, interrupted)
{
    program_run run = program_shell("\"$SWITCHQ\" figure 5.3 --threads 1 --cycles 40000 & p=$!; "
                                    "sleep 1; kill -INT $p; wait $p");
    char *left = folder_names();

    cr_assert_eq(run.status, 1, "%d: %s", run.status, run.err);
    cr_assert(strstr(run.err, "interrupted"), "%s", run.err);
    cr_assert(!*run.out || strstr(run.out, "CUT SHORT"), "%s", run.out);
    cr_assert_str_empty(left, "no files: %s", left);
    free(left);
    program_free(&run);

    /* half a figure is not judged */
    run = program_shell("\"$SWITCHQ\" figure 6.3 --threads 1 --cycles 2000 & p=$!; sleep 1; "
                        "kill -INT $p; wait $p");
    cr_assert_eq(run.status, 1, "%d: %s", run.status, run.err);
    cr_assert(!strstr(run.out, "nan") && !strstr(run.out, "[holds"), "%s", run.out);
    cr_assert(!*run.out || strstr(run.out, "[not run]"), "%s", run.out);
    program_free(&run);
}

/* Files that cannot be written are noticed before anything is run. */
Test(cli_figure, a_folder_that_takes_no_files)
{
    program_run run =
        program_shell("mkdir figure-5.7.csv; \"$SWITCHQ\" figure 5.7 --cycles 20; s=$?;"
                      " rmdir figure-5.7.csv; (exit $s)");

    expect_refusal(&run, 2, "figure-5.7.csv", NULL);
    program_free(&run);
    run = program_shell("\"$SWITCHQ\" figure 6.2 --threads 1 -o /proc");
    expect_refusal(&run, 2, "/proc", NULL);
    program_free(&run);
    run = program_shell("mkfifo figure-5.7.csv; cat figure-5.7.csv & "
                        "timeout 20 \"$SWITCHQ\" figure 5.7 --cycles 20 --no-plot --json >j; wait");
    cr_assert(strncmp(run.out, header, sizeof header - 1) == 0, "a pipe is opened once: %s",
              run.out);
    program_free(&run);
}

/* ---- a row is enough to run its point again ---- */

/* Runs the network of a row by itself, with the options that its columns name and `more`; its
 * result is the row's y. */
static void expect_again(const char *csv, int row, const char *columns, const char *more)
{
    char line[600] = "", name[40], *y = csv_cell(csv, row, "y");
    size_t used = 0;

    for (const char *at = columns; *at; at += strspn(at, " ")) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
        at += strlen(name);
        char *cell = csv_cell(csv, row, name);
        cr_assert(*cell, "%s in row %d", name, row);
        for (char *c = name; *c; c++)
            *c = *c == '_' ? '-' : *c;
        name[strcmp(name, "warmup-cycles") == 0 ? 6 : strlen(name)] = '\0';
        const char *option = strcmp(name, "buffer-bytes") == 0 ? "bytes" : name;
        used += (size_t)snprintf(line + used, sizeof line - used, " --%s %s", option, cell);
        free(cell);
    }
    cJSON *tree = program_json("sim --json%s %s", line, more);
    cr_expect_float_eq(json_number(tree, "result.latency_cycles.mean"), atof(y), 1e-12, "%s", line);
    cJSON_Delete(tree);
    free(y);
}

Test(cli_figure, a_csv_row_has_all_that_runs_it_again)
{
    program_run run = figure("4.1 --cycles 300 --no-plot --csv");

    for (int k = 0; k < 2; k++)
        expect_again(run.out, k ? csv_row(run.out, "at", "full-load") : 1,
                     "topology stages ports buffer slots flow credit arbiter load cycles "
                     "warmup_cycles seed",
                     "");
    program_free(&run);
    run = figure("6.8 --cycles 20 --no-plot --csv");
    expect_again(
        run.out, csv_row(run.out, "load", "0.29090909090909095"),
        "topology buffer buffer_bytes flow threshold release arbiter hop_delay link_rest load "
        "warmup_cycles replications seed",
        "--dims 11x11 --cycles 80");
    program_free(&run);
}

Test(cli_figure, numbers_and_claims_have_a_joint_verdict)
{
    cJSON *tree = program_json("figure 4.1 --cycles 300 --no-plot --json");
    const cJSON *parts = json_at(tree, "joint.parts");

    cr_assert_eq(cJSON_GetArraySize(parts), 1, "means");
    cr_expect(json_number(parts->child, "numbers") > 20);
    json_string(tree, "verdict");
    cJSON_Delete(tree);

    tree = program_json("figure 5.3 --cycles 300 --no-plot --json");
    cr_expect_str_eq(json_string(tree, "joint.verdict"), "not judged", "it has no numbers");
    cJSON_Delete(tree);
}

/* A setting would outlive the graph, which is freed when its options have been read. */
Test(cli_figure, a_network_from_a_file_is_refused)
{
#define OWN                                                                                        \
    "figure: own\ntitle: Own\nsource: none\nsection: none\nsetting: a ring\n"                      \
    "x: {over: load, at: [0.1]}\npanels:\n  - {y: latency}\n"                                      \
    "set: {topology: \"%s\"}\nlines:\n  one: {buffer: damq, engine: async}\n"                      \
    "curves:\n  - [\"\", one, one, latency, 0]\n"
    static const char *const topologies[] = {"graph:ring.txt", "omega"};

    for (int k = 0; k < 2; k++) {
        FILE *graph = fopen("ring.txt", "w"), *own = fopen("own.yaml", "w");
        fputs("host h0 a\nhost h1 b\nhost h2 c\nlink a b\nlink b c\nlink c a\n", graph);
        fprintf(own, OWN, topologies[k]);
        fclose(graph);
        fclose(own);
        program_run run = program("figure own.yaml --cycles 200 --no-plot");
        if (k == 0)
            expect_refusal(&run, 2, "a network from a file (--topology graph:FILE)",
                           "does not go into a figure");
        else
            cr_expect_neq(run.status, 2, "the file is right but for the graph: %s", run.err);
        program_free(&run);
    }
}
