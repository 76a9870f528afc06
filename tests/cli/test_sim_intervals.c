/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: a run has the intervals that it is long enough for, and says why it has no others.
 */
#include "tests/cli/program.h"

TestSuite(cli_sim_intervals, .init = program_begin, .fini = program_end, .timeout = 120);

#define TORUS "sim --engine async --topology torus --dims 8x8 --buffer damq --load 1 --warmup 2000 "

static double half_width(const char *line, const char *of)
{
    cJSON *tree = program_json("%s --json", line);
    char path[80];

    snprintf(path, sizeof path, "result.%s.half_width", of);
    const cJSON *item = json_at(tree, path);
    const double half = cJSON_IsNumber(item) ? item->valuedouble : -1;
    cJSON_Delete(tree);
    return half;
}

/* A torus of full buffers remembers for some thousand cycles. */
Test(cli_sim_intervals, a_short_run_has_means_alone)
{
    cJSON *tree = program_json(TORUS "--cycles 5000 --json");
    program_run text = program_succeeds(TORUS "--cycles 5000");

    cr_assert(json_number(tree, "result.latency_cycles.mean") > 100);
    cr_assert(cJSON_IsNull(json_at(tree, "result.latency_cycles.half_width")));
    cr_assert(cJSON_IsNull(json_at(tree, "result.throughput.half_width")));
    cr_assert_str_eq(json_string(tree, "run.without_interval"), "all");
    cr_assert(json_number(tree, "run.memory_cycles") > 500);
    cr_assert(strstr(text.out, "an interval needs over 50 times: try --cycles"), "%s", text.out);
    program_free(&text);
    cJSON_Delete(tree);
}

Test(cli_sim_intervals, a_precision_is_reached_by_a_run_that_is_long_enough)
{
    cJSON *tree = program_json(TORUS "--precision 0.05 --json");

    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "precision");
    cr_assert(json_number(tree, "run.cycles") >= 50 * json_number(tree, "run.memory_cycles"));
    cr_assert(json_number(tree, "result.latency_cycles.half_width") > 0);
    cJSON_Delete(tree);
}

Test(cli_sim_intervals, confidence_widens_them)
{
    static const char line[] = "sim --buffer damq --slots 4 --load 0.8 --cycles 20000 --seed 3 ";
    char less[120], more[120];

    snprintf(less, sizeof less, "%s --confidence 0.8", line);
    snprintf(more, sizeof more, "%s --confidence 0.99", line);
    cr_assert(half_width(less, "throughput") > 0);
    cr_assert(half_width(more, "throughput") > 1.5 * half_width(less, "throughput"));
}

Test(cli_sim_intervals, a_latency_that_hardly_varies_has_none)
{
    cr_assert_eq(half_width("sim --engine async --stages 2 --ports 2 --buffer samq --load 0.02 "
                            "--cycles 5000",
                            "latency_cycles"),
                 -1);
}

Test(cli_sim_intervals, nothing_without_a_variance_has_one)
{
    program_run run = program_succeeds("sim --engine async --stages 3 --ports 2 --buffer damq "
                                       "--load 0.4 --length pareto:32:1.6 --sources open");

    cr_assert(strstr(run.out, "infinite variance"), "%s", run.out);
    program_free(&run);
}
