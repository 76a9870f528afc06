/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --plot FILE.csv: the points of a plot as a table, written without gnuplot.
 */
#include "tests/cli/program.h"

#include <stdlib.h>
#include <string.h>

TestSuite(plot_csv, .init = program_begin, .fini = program_end, .timeout = 240);

#define NETWORK "sim --stages 2 --slots 4 --flow block --cycles 2000 "

static const char header[] = "series,label,x,y,low,high,past_saturation,x_label,y_label,title\n";
static const char map_header[] =
    "mark,x0,y0,x1,y1,value,x_name,x_label,y_label,value_label,title\n";

/* The table that a command line draws, in a folder without a gnuplot. */
static char *table_of(const char *line)
{
    program_run run = program_shell("PATH=/nowhere \"$SWITCHQ\" %s p.csv", line);

    cr_assert_eq(run.status, 0, "%s: %s", line, run.err);
    program_free(&run);
    return file_text("p.csv");
}

/* The rows below the header. */
static int rows_of(const char *table)
{
    int rows = -1;

    for (const char *at = table; *at; at++)
        rows += *at == '\n';
    return rows;
}

/* The number in a cell, which must not be empty. */
static double number_at(const char *table, int row, const char *column)
{
    char *cell = csv_cell(table, row, column);
    const double value = atof(cell);

    cr_assert_neq(*cell, '\0', "%s of row %d is empty", column, row);
    free(cell);
    return value;
}

static void expect_text(const char *table, int row, const char *column, const char *text)
{
    char *cell = csv_cell(table, row, column);

    cr_expect_str_eq(cell, text, "row %d, %s", row, column);
    free(cell);
}

/* The first panel is latency over throughput: the numbers of --json, to the digit. */
Test(plot_csv, points_of_a_range_with_their_intervals)
{
    char *table = table_of(NETWORK "--buffer fifo,damq --load 0.3:0.9:0.3 --plot");
    program_run run = program(NETWORK "--buffer fifo,damq --load 0.3:0.9:0.3 --json");
    cJSON *answer = cJSON_Parse(run.out);

    cr_assert_not_null(answer, "%s", run.err);
    cr_expect_eq(strncmp(table, header, strlen(header)), 0, "%s", table);
    for (int k = 0; k < 6; k++) {
        const cJSON *point = cJSON_GetArrayItem(json_at(answer, "points"), k);
        const double y = json_number(point, "result.latency_cycles.mean");
        const double half = json_number(point, "result.latency_cycles.half_width");
        expect_text(table, k + 1, "series", k < 3 ? "fifo" : "damq");
        expect_cell(table, k + 1, "x", point, "result.throughput.mean");
        expect_cell(table, k + 1, "y", point, "result.latency_cycles.mean");
        cr_expect_eq(number_at(table, k + 1, "low"), y - half);
        cr_expect_eq(number_at(table, k + 1, "high"), y + half);
        expect_text(table, k + 1, "past_saturation",
                    cJSON_IsTrue(json_at(point, "result.saturated")) ? "true" : "false");
        expect_text(table, k + 1, "y_label", "mean latency (cycles)");
    }
    expect_text(table, 3, "past_saturation", "true");
    free(table);
    cJSON_Delete(answer);
    program_free(&run);
}

/* What the axes leave out of the picture is not in the table. */
Test(plot_csv, ranges_of_the_axes_count)
{
    char *all = table_of(NETWORK "--buffer damq --load 0.1:0.5:0.1 --panel throughput --plot");
    char *some = table_of(NETWORK "--buffer damq --load 0.1:0.5:0.1 --panel throughput "
                                  "--x-range 0.15:0.45 --plot");

    cr_expect_eq(rows_of(all), 5, "%s", all);
    cr_expect_eq(rows_of(some), 3, "%s", some);
    cr_expect_eq(number_at(some, 1, "x"), 0.2);
    free(all);
    free(some);
}

/* Proven bounds of a chain are narrower than a line and not drawn: no interval. */
Test(plot_csv, of_chains_and_approximations)
{
    char *chain = table_of("solve --buffer damq --slots 2:4:1 --load 0.5 --panel throughput "
                           "--plot");
    cJSON *answer = program_json("solve --buffer damq --slots 2:4:1 --load 0.5 --json");

    cr_expect_eq(rows_of(chain), 3);
    for (int k = 0; k < 3; k++)
        expect_cell(chain, k + 1, "y", cJSON_GetArrayItem(json_at(answer, "points"), k),
                    "result.throughput");
    expect_text(chain, 1, "low", "");
    expect_text(chain, 1, "past_saturation", "false");
    free(chain);
    cJSON_Delete(answer);
    char *rough = table_of("approx --buffer damq --slots 4 --load 0.1:0.3:0.1 --plot");
    cr_expect_eq(rows_of(rough), 3);
    free(rough);
}

Test(plot_csv, maps_of_links_and_nodes)
{
    char *links = table_of("sim --topology mesh --dims 3x3 --buffer damq --load 0.2 "
                           "--cycles 500 --per-link --plot");

    cr_expect_eq(strncmp(links, map_header, strlen(map_header)), 0, "%s", links);
    cr_expect_eq(rows_of(links), 9 + 24, "nodes, and links in both directions: %s", links);
    expect_text(links, 1, "mark", "box");
    expect_text(links, 1, "value", "");
    expect_text(links, 10, "mark", "arrow");
    const double used = number_at(links, 10, "value");
    cr_expect(used > 0 && used < 1, "%g", used);
    free(links);
    char *levels = table_of("sim --topology hyperx --dims 2x2 --hosts 2 --architecture wormhole "
                            "--load 0.2 --cycles 500 --per-link --plot");
    cr_expect_eq(rows_of(levels), 8 + 8, "links of two levels in both directions, and to nodes: %s",
                 levels);
    free(levels);
    char *stages = table_of("sim --stages 2 --buffer damq --slots 4 --load 0.5 --cycles 500 "
                            "--per-link --plot");
    cr_expect_eq(rows_of(stages), 3 * 16, "%s", stages);
    expect_text(stages, 1, "x_name", "sources");
    free(stages);
    char *nodes = table_of("sim --stages 2 --buffer damq --slots 4 --load 0.5 --cycles 500 "
                           "--per-node --plot");
    cr_expect_eq(rows_of(nodes), 16);
    expect_text(nodes, 16, "x", "15");
    free(nodes);
}

Test(plot_csv, of_windows_histograms_formulas_tables_and_worst_cases)
{
    static const char *const lines[] = {
        "sim --buffer damq --slots 4 --load 0.5 --cycles 500 --series 50 --plot",
        "sim --buffer damq --slots 4 --load 0.5 --cycles 500 --histogram --plot",
        "formula hol-saturation --ports 2:8:1 --plot",
        "table 4.1 --plot",
        "worst --admission lqd --queues 2 --slots 2:4:1 --plot",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        char *table = table_of(lines[k]);
        cr_expect_gt(rows_of(table), 2, "%s", lines[k]);
        free(table);
    }
}

/* A load of shared memories is of bytes on lines, in no cycles. */
Test(plot_csv, load_of_shared_memories)
{
    char *table = table_of("sim --architecture shared-memory --replications 2 --duration 50us "
                           "--warmup 0 --load 0.3:0.6:0.3 --plot");
    expect_text(table, 1, "x_label", "load (bytes, as a fraction of what a link carries)");
    free(table);
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

Test(plot_csv, of_studies_and_comparisons)
{
    write_text("study.yaml", "command: solve\nset: {ports: 2, slots: 2}\n"
                             "over: {buffer: [fifo, damq], load: [0.3, 0.5]}\n");
    program_run run = program_shell("\"$SWITCHQ\" sweep study.yaml");
    cr_assert_eq(run.status, 0, "%s", run.err);
    program_free(&run);
    char *table = table_of("sweep study.yaml --plot x=load y=discard by=buffer -o");
    cr_expect_eq(rows_of(table), 4, "%s", table);
    expect_text(table, 3, "series", "damq");
    expect_text(table, 4, "x", "0.5");
    free(table);

    write_text("c.yaml", "set: {ports: 2, stages: 2, cycles: 200, warmup: 50, slots: 4}\n"
                         "contestants:\n  one: {buffer: fifo}\n  two: {buffer: damq}\n"
                         "scenarios:\n  s: {load: 0.3}\n  t: {load: 0.5}\nrepeats: 3\n");
    table = table_of("compare c.yaml --plot");
    expect_text(table, rows_of(table), "series", "two");
    expect_text(table, rows_of(table), "label", "two");
    free(table);
}
