/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --per-node, --per-link, --histogram and --percentiles: every form has every row, and
 * the rows add up; what is drawn, and what is refused.
 */
#include "tests/cli/program.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(cli_sim_detail, .init = program_begin, .fini = program_end, .timeout = 480);

#define SYNC "sim --ports 2 --stages 3 --buffer damq --slots 4 --cycles 30000 --warmup 300 "
#define ASYNC                                                                                      \
    "sim --topology mesh --dims 3x4 --buffer damq --bytes 256 --cycles 60000 --warmup 300 "

/* The sum over rows whose `level` begins with this; NULL: all rows. */
static double sum(const cJSON *rows, const char *key, const char *level)
{
    const cJSON *row;
    double all = 0;

    cJSON_ArrayForEach(row, rows)
    {
        if (!level || strncmp(json_string(row, "level"), level, strlen(level)) == 0)
            all += json_number(row, key);
    }
    return all;
}

static void check_rows(const char *line, int nodes, int links, const char *last)
{
    cJSON *tree = program_json("%s --per-node --per-link --json", line);
    const cJSON *node = json_at(tree, "result.nodes"), *link = json_at(tree, "result.links");
    const double delivered = json_number(tree, "result.delivered");

    cr_assert_eq(cJSON_GetArraySize(node), nodes, "%s", line);
    cr_assert_eq(cJSON_GetArraySize(link), links, "%s: %d", line, cJSON_GetArraySize(link));
    cr_assert_eq(sum(node, "delivered", NULL), delivered, "%s", line);
    cr_assert_eq(sum(node, "created", NULL), json_number(tree, "result.created"), "%s", line);
    cr_assert_eq(sum(node, "discarded", NULL), json_number(tree, "result.discarded"), "%s", line);
    cr_assert_eq(sum(link, "packets_sent", last), delivered, "%s", line);
    assert_relative(sum(node, "throughput.mean", NULL) / nodes,
                    json_number(tree, "result.throughput.mean"), 1e-12, "%s", line);
    cr_assert_gt(json_number(link->child, "utilisation.half_width"), 0);
    cr_assert_gt(json_number(node->child, "latency_cycles.half_width"), 0);

    program_run csv = program_succeeds("%s --per-node --per-link --csv", line);
    char name[200];
    snprintf(name, sizeof name, "links %s -> %s", json_string(link->child->next, "from"),
             json_string(link->child->next, "to"));
    const int row = csv_row(csv.out, "part", name);
    expect_cell(csv.out, row, "utilisation", link->child->next, "utilisation.mean");
    expect_cell(csv.out, row, "utilisation_half_width", link->child->next,
                "utilisation.half_width");
    expect_cell(csv.out, csv_row(csv.out, "part", "nodes 2"), "throughput", node->child->next->next,
                "throughput.mean");
    program_free(&csv);
    cJSON_Delete(tree);
}

Test(cli_sim_detail, rows_of_nodes_and_links_add_up_in_every_form)
{
    check_rows(SYNC "--load 0.6 --flow block", 8, 32, "stage 3");
    check_rows(SYNC "--load 0.9", 8, 32, "stage 3");
    check_rows(SYNC "--load 0.9 --replications 3 --threads 2", 8, 32, "stage 3");
    check_rows(SYNC "--load 0.5 --sources open --queue-limit 2 --flow block", 8, 32, "stage 3");
    check_rows(ASYNC "--load 0.3", 12, 12 + 2 * (3 * 3 + 2 * 4) + 12, "hosts");
    check_rows("sim --engine async --ports 2 --stages 3 --buffer safc --load 0.5 --cycles 90000", 8,
               32, "stage 3");
}

Test(cli_sim_detail, many_rows_are_summed_up_for_people)
{
    program_run few = program_succeeds(SYNC "--load 0.5 --flow block --per-link --per-node"),
                many = program_succeeds(
                    "sim --buffer damq --slots 4 --load 0.3 --traffic hotspot:0.05 --flow block "
                    "--cycles 3000 --per-link --per-node");

    cr_assert(strstr(few.out, "node 3 -> stage 1, switch"), "%s", few.out);
    cr_assert(strstr(few.out, "stage 3, switch 1, output 1 -> node 3"), "%s", few.out);
    cr_assert_null(strstr(few.out, "median"));
    cr_assert(strstr(many.out, "256 links"), "%s", many.out);
    cr_assert(strstr(many.out, "64 nodes"), "%s", many.out);
    cr_assert(strstr(many.out, "output 0 -> node 0\n"), "the hot spot has the most: %s", many.out);
    cr_assert(strstr(many.out, "--json or --csv"), "%s", many.out);
    program_free(&few);
    program_free(&many);
}

Test(cli_sim_detail, the_histogram_has_every_packet)
{
    const char *lines[] = {SYNC "--load 0.7 --flow block", ASYNC "--load 0.3", NULL};

    for (int k = 0; lines[k]; k++) {
        cJSON *tree = program_json("%s --histogram --percentiles 10,50,99.9 --json", lines[k]);
        const cJSON *bins = json_at(tree, "result.histogram"),
                    *at = json_at(tree, "result.percentiles"), *row;
        cr_assert_eq(sum(bins, "packets", NULL), json_number(tree, "result.delivered"));
        cr_assert_eq(cJSON_GetArraySize(at), 3);
        cr_assert_eq(json_number(at->child->next, "percentile_cycles"),
                     json_number(tree, "result.latency_cycles.p50"));
        cJSON_ArrayForEach(row, at)
            cr_assert(json_number(row, "lower_cycles") <= json_number(row, "percentile_cycles"));
        cr_assert(json_number(at->child, "upper_cycles") >=
                  json_number(at->child, "percentile_cycles"));
        program_run csv = program_succeeds("%s --percentiles 10,50,99.9 --csv", lines[k]);
        expect_cell(csv.out, csv_row(csv.out, "part", "percentiles 50"), "lower_cycles",
                    at->child->next, "lower_cycles");
        program_free(&csv);
        cJSON_Delete(tree);
    }
    program_run text = program_succeeds("%s --histogram", lines[0]);
    cr_assert(strstr(text.out, "latency (cycles)") && strstr(text.out, "upper end"), "%s",
              text.out);
    program_free(&text);
}

/* ---- drawings ---- */

static bool is_drawn(const char *line, const char *title)
{
    struct stat file;
    program_run run = program("%s --plot map.svg", line);
    cr_assert_eq(run.status, 0, "%s: %s", line, run.err);
    program_free(&run);
    cr_assert_eq(stat("map.svg", &file), 0, "%s", line);
    program_run svg = program_shell("cat map.svg; rm map.svg");
    const bool there = strstr(svg.out, title) && strstr(svg.out, "</svg>");
    program_free(&svg);
    return there;
}

Test(cli_sim_detail, maps_are_drawn_of_every_kind_of_network)
{
    cr_expect(is_drawn("sim --topology mesh --dims 16x16 --buffer damq --load 0.05 --traffic "
                       "transpose --cycles 2000 --per-link",
                       "Utilisation of links: mesh, dims 16x16, 256 nodes, "));
    cr_expect(is_drawn(ASYNC "--load 0.3 --per-node", "Throughput of nodes: mesh, dims 3x4, "));
    cr_expect(is_drawn("sim --topology torus --dims 5 --one-way --buffer damq --bytes 256 --load "
                       "0.2 --cycles 2000 --per-link",
                       "torus, dims 5, one way, "));
    cr_expect(is_drawn("sim --topology torus --dims 3x3x3 --buffer damq --load 0.2 --cycles 2000 "
                       "--per-link",
                       "dimension 3 down"));
    cr_expect(is_drawn("sim --topology hypercube --dims 3 --buffer damq --load 0.2 --cycles 2000 "
                       "--per-link",
                       "dimension 3"));
    cr_expect(
        is_drawn("sim --topology mesh --dims 3x3x2 --chained --buffer damq --load 0.2 --cycles "
                 "2000 --per-link",
                 "mesh, dims 3x3x2, chained, "));
    cr_expect(is_drawn(SYNC "--load 0.5 --flow block --per-link", "stage 3"));
    cr_expect(is_drawn(SYNC "--load 0.5 --flow block --per-node", "Throughput of nodes: omega"));
    cr_expect(is_drawn(SYNC "--load 0.5 --flow block --histogram", "latency (cycles)"));
}

/* ---- refusals ---- */

Test(cli_sim_detail, what_cannot_be_told_is_refused)
{
    static const struct {
        const char *line, *name, *value;
    } cases[] = {
        {SYNC "--load 0.5 --plot a.svg", "--plot", "--per-link"},
        {SYNC "--load 0.5 --per-node --per-link --plot a.svg", "--plot", "at a time"},
        {SYNC "--load 0.5 --per-link --plot a.jpg", "a.jpg", NULL},
        {SYNC "--load 0.1:0.3:0.1 --per-link", "--per-link", "--json"},
        {SYNC "--load 0.1:0.3:0.1 --percentiles 5", "--percentiles", "--json"},
        {SYNC "--load 0.5 --percentiles 0", "--percentiles", "'0'"},
        {SYNC "--load 0.5 --percentiles 90,50", "--percentiles", "ascending"},
        {SYNC "--load 0.5 --percentiles 50,100", "--percentiles", "'50,100'"},
        {SYNC "--load 0.5 --percentiles 50,", "--percentiles", "'50,'"},
        {"sim --rare --topology switch --ports 2 --buffer damq --slots 4 --load 0.5 --per-link",
         "per-link", NULL},
        {"sim --rare --topology switch --ports 2 --buffer damq --slots 4 --load 0.5 --histogram",
         "histogram", NULL},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("%s", cases[k].line);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
    program_run run = program_shell("ls a.svg a.jpg 2>/dev/null | wc -l");
    cr_assert_eq(atoi(run.out), 0, "half a plot is there");
    program_free(&run);
}

/* Points of a range have these rows if the format has room for them, and a trace has no
 * intervals. */
Test(cli_sim_detail, ranges_and_traces)
{
    cJSON *tree = program_json(SYNC "--load 0.2:0.4:0.2 --per-link --json");
    const cJSON *point;

    cJSON_ArrayForEach(point, json_at(tree, "points"))
        cr_assert_eq(cJSON_GetArraySize(json_at(point, "result.links")), 32);
    cJSON_Delete(tree);
    program_run trace = program_shell("printf '0 0 1 8\\n3 2 1 16\\n50 1 3 8\\n' >t.txt");
    program_free(&trace);
    tree = program_json("sim --engine async --ports 2 --stages 2 --buffer damq --traffic "
                        "trace:t.txt --per-node --percentiles 50 --json");
    const cJSON *node = cJSON_GetArrayItem(json_at(tree, "result.nodes"), 1);
    cr_assert_eq(json_number(node, "delivered"), 2);
    cr_assert(cJSON_IsNull(json_at(node, "throughput.half_width")));
    cr_assert(cJSON_IsNull(json_at(json_at(tree, "result.percentiles")->child, "lower_cycles")));
    cJSON_Delete(tree);
}
