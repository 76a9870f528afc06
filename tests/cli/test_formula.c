/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq formula: the list, one point, tables over ranges in every form, plots, and refusals.
 */
#include "switchq/formula.h"
#include "tests/cli/program.h"

TestSuite(cli_formula, .init = program_begin, .fini = program_end, .timeout = 240);

Test(cli_formula, without_a_name_all_rows_are_listed)
{
    program_run run = program_succeeds("formula");
    cJSON *tree = program_json("formula --json");
    const cJSON *row = NULL;
    const char *at = run.out;
    char text[200];
    int k = 0;

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/formula/1");
    cJSON_ArrayForEach(row, json_at(tree, "formulas"))
    {
        const swq_formula *f = swq_formulas[k++];
        cr_assert_str_eq(json_string(row, "name"), f->name);
        cr_assert(*json_string(row, "family") && *json_string(row, "standing"));
        cr_assert_eq(cJSON_GetArraySize(json_at(row, "parameters")), f->parameters);
        cr_assert_eq(cJSON_GetArraySize(json_at(row, "results")), f->results);
        if (f->family) {
            snprintf(text, sizeof text, "%s:\n", f->family);
            cr_assert(strncmp(strstr(at, text) ? strstr(at, text) : "", text, strlen(text)) == 0);
        }
        snprintf(text, sizeof text, "  %s (%s): ", f->name, json_string(row, "standing"));
        at = strstr(at, text);
        cr_assert(at, "%s in its place", f->name);
    }
    cr_assert_null(swq_formulas[k]);
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_formula, one_point)
{
    static const char *const expected[] = {
        "hol-saturation: saturation throughput of FIFO input queues",
        "\n  ports 4, speedup 1\n",
        "\n  throughput             0.655241935484 packets per output and cycle\n",
        "\n  limit                  0.585786437627 ",
        "\n  standing: exact\n",
        "\n  assumes: every input always has packets",
        "\n  source: Karol, Hluchyj and Morgan (1987)",
    };
    program_run run = program_succeeds("formula hol-saturation --ports 4");

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    cr_assert_null(strstr(run.out, "off by"));
    program_free(&run);
    run = program_succeeds("formula input-queue-hui-arthurs --load 0.5");
    cr_assert(strstr(run.out, "standing: approximation\n") && strstr(run.out, "off by: against"));
    program_free(&run);
    run = program_succeeds("formula output-queue --load 1 --ports 2");
    cr_assert(strstr(run.out, "  wait                   infinite "), "%s", run.out);
    program_free(&run);
}

Test(cli_formula, json_has_all_that_is_asked)
{
    cJSON *tree = program_json("formula output-queue-finite --load 0.5:1:0.25 --ports 2 --slots 3 "
                               "--json");
    const cJSON *points = json_at(tree, "points");

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/formula/1");
    cr_assert_str_eq(json_string(tree, "formula.name"), "output-queue-finite");
    cr_assert_str_eq(json_string(tree, "formula.family"), "output queues");
    cr_assert_str_eq(json_string(tree, "formula.standing"), "exact");
    cr_assert(cJSON_IsNull(json_at(tree, "formula.accuracy")));
    cr_assert_eq(cJSON_GetArraySize(points), 3);
    for (int k = 0; k < 3; k++) {
        const cJSON *point = cJSON_GetArrayItem(points, k);
        double load = json_number(point, "parameters.load");
        cr_assert_eq(load, 0.5 + 0.25 * k);
        cr_assert_eq(json_number(point, "parameters.ports"), 2);
        cr_assert_eq(json_number(point, "results.loss"), swq_output_queue_loss(2, load, 3, NULL));
    }
    cJSON_Delete(tree);
    tree = program_json("formula output-queue --load 0.1:0.3:0.1 --ports 2 --json");
    cr_assert_eq(json_number(cJSON_GetArrayItem(json_at(tree, "points"), 2), "parameters.load"),
                 0.3, "decimals as they are meant");
    cJSON_Delete(tree);
    tree = program_json("formula output-queue --load 1 --ports 2 --json");
    const cJSON *point = cJSON_GetArrayItem(json_at(tree, "points"), 0);
    cr_assert(cJSON_IsNull(json_at(point, "results.wait")));
    cr_assert_str_eq(cJSON_GetArrayItem(json_at(point, "infinite"), 0)->valuestring, "wait");
    cJSON_Delete(tree);
}

Test(cli_formula, ranges_make_tables)
{
    program_run run =
        program_succeeds("formula output-queue --load 0.1:0.3:0.1 --ports 2:8:3 --csv");
    const char *line = run.out;
    int lines = 0;

    cr_assert(strncmp(line, "formula,part,load,ports,wait,wait_variance,queue,mean_wait_cycles\n",
                      66) == 0,
              "%s", line);
    for (double load = 0.1; load < 0.35; load += 0.1) {
        for (int ports = 2; ports <= 8; ports += 3, lines++) {
            double got[3];
            line = strchr(line, '\n') + 1;
            cr_assert_eq(sscanf(line, "output-queue,all,%lf,%lf,%lf", &got[0], &got[1], &got[2]), 3,
                         "%s", line);
            cr_assert_float_eq(got[0], load, 1e-15);
            cr_assert_eq(got[1], ports);
            assert_relative(got[2], swq_output_queue_wait(ports, load), 1e-14, "%s", line);
        }
    }
    cr_assert(lines == 9 && strchr(line, '\n')[1] == '\0');
    program_free(&run);
    run = program_succeeds("formula output-queue --load 0.2 --ports 2:4:1");
    cr_assert(strstr(run.out, "\n  load 0.2\n\n  ports     "), "%s", run.out);
    cr_assert(strstr(run.out, "\n  4              0.09375  "), "%s", run.out);
    program_free(&run);
    run = program_succeeds("formula input-queue-fifo-heads --load 0.5:0.6:0.05 --csv");
    cr_assert(strstr(run.out, "all,0.6,,,,wait;"), "%s", run.out);
    program_free(&run);
}

Test(cli_formula, lists)
{
    program_run run = program_succeeds("formula complete-sharing --load 0.5,0.7 --slots 2:3:1 "
                                       "--csv");

    cr_assert(strstr(run.out, ",0.5;0.7,") && strstr(run.out, ",3,"), "%s", run.out);
    program_free(&run);
    run = program_succeeds("formula complete-sharing --load 0.5,0.7 --slots 2");
    cr_assert(strstr(run.out, "\n  load 0.5,0.7, "), "%s", run.out);
    program_free(&run);
    cJSON *tree = program_json("formula complete-sharing --load 0.5,0.7 --slots 2 --json");
    const cJSON *point = cJSON_GetArrayItem(json_at(tree, "points"), 0);
    cr_assert_eq(cJSON_GetArraySize(json_at(point, "parameters.load")), 2);
    cJSON_Delete(tree);
    run = program("formula complete-sharing --load 0.5,x --slots 2");
    expect_refusal(&run, 2, "--load", "'x'");
    program_free(&run);
    run = program("formula complete-sharing --load 0.5, --slots 2");
    expect_refusal(&run, 2, "--load", "''");
    program_free(&run);
}

/* A panel for each result, a curve for each point of the shorter range. */
Test(cli_formula, plots)
{
    program_run run = program_succeeds("formula output-queue-finite --load 0.1:0.9:0.1 --ports 4 "
                                       "--slots 2:6:2 --plot a.svg");
    char *svg = file_text("a.svg");

    cr_assert(strstr(svg, "<svg") && strstr(svg, "slots 2") && strstr(svg, "slots 6"));
    cr_assert(strstr(svg, "throughput") &&
              strstr(svg, "output-queue-finite: fraction of packets lost (ports 4)"));
    cr_assert_null(strstr(svg, "slots 8"));
    free(svg);
    program_free(&run);
    char *names = folder_names();
    cr_assert_str_eq(names, "a.svg ");
    free(names);
}

Test(cli_formula, refusals)
{
    static const struct {
        const char *arguments, *name, *value;
        int status;
    } wrong[] = {
        {"nonsense", "nonsense", "hol-saturation", 2},
        {"hol-saturation", "--ports is required", "1 to 40", 2},
        {"hol-saturation --ports 41", "--ports", "from 1 to 40, not '41'", 2},
        {"hol-saturation --ports 2.5", "whole number from 1 to 40", "'2.5'", 2},
        {"hol-saturation --ports x", "--ports", "'x'", 2},
        {"hol-saturation --ports ''", "--ports", "''", 2},
        {"hol-saturation --ports 4 --load 0.5", "--load", "--ports, --speedup", 2},
        {"hol-saturation --ports 4,5", "--ports", "'4,5'", 2},
        {"hol-saturation --prots 4", "--prots", "--ports", 2},
        {"hol-saturation extra --ports 4", "unexpected argument", "extra", 2},
        {"output-queue --load 1.1 --ports 2", "--load", "from 0 to 1, not '1.1'", 2},
        {"output-queue --load 0.1:0.5 --ports 2", "--load", "FROM:TO:STEP", 2},
        {"output-queue --load 0.1:0.5:0.1:2 --ports 2", "--load", "FROM:TO:STEP", 2},
        {"output-queue --load 0.1:1.5:0.1 --ports 2", "--load", "'1.5'", 2},
        {"output-queue --load 0.1:0.5:0 --ports 2", "--load", "STEP", 2},
        {"output-queue --load 0.1:0.5:-1 --ports 2", "--load", "STEP", 2},
        {"output-queue --load 0.5:0.1:0.1 --ports 2", "--load", "rise", 2},
        {"output-queue --load 0:1:1e-9 --ports 2", "--load", "100000", 2},
        {"output-queue --load 0:1:0.001 --ports 2:1000:1", "--ports", "100000", 2},
        {"output-queue --load 0.5 --ports 2:3:0.5", "--ports", "whole", 2},
        {"output-queue-finite --load 0.1:0.2:0.1 --ports 2:3:1 --slots 2:3:1", "--slots", "2", 2},
        {"output-queue-slots --load 1 --ports 2 --target 1e-9", "target", "100000", 3},
        {"output-queue --load 0.5 --ports 2 --plot a.svg", "--plot", "range", 2},
        {"output-queue --load 0.1:0.5:0.1 --ports 2 --plot a.gif", "plot", "a.gif", 2},
        {"output-queue --load 0:0.5:0.01 --ports 2:20:1 --plot a.svg", "--plot", "16", 2},
        {"output-queue --load 0.5 --ports 2 --json --csv", "--json", "--csv", 2},
        {"--csv", "--csv", "name", 2},
        {"--plot a.svg", "--plot", "name", 2},
        {"--load 0.5", "--load", "name", 2},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run run = program("formula %s", wrong[k].arguments);
        expect_refusal(&run, wrong[k].status, wrong[k].name, wrong[k].value);
        program_free(&run);
    }
    char *names = folder_names();
    cr_assert_str_empty(names);
    free(names);
}

/* A new row requires no change here or in cli/. */
Test(cli_formula, every_parameter_of_every_row_is_an_option)
{
    program_run run = program_succeeds("formula --help-all");

    for (int f = 0; swq_formulas[f]; f++) {
        for (int k = 0; k < swq_formulas[f]->parameters; k++) {
            char option[64];
            snprintf(option, sizeof option, "\n  --%s ", swq_formulas[f]->parameter[k].name);
            const char *at = strstr(run.out, option);
            cr_assert(at, "%s", option);
            bool list = strncmp(at + strlen(option), "X[,X]", 5) == 0;
            cr_assert(list || !swq_formulas[f]->parameter[k].list, "%s", option);
            cr_assert_null(strstr(at + 1, option), "%s once", option);
        }
    }
    program_free(&run);
}

/* --dims 4x4 has the same meaning in a formula as in sim. */
Test(cli_formula, dims_may_be_extents)
{
    static const char *const alike[][2] = {
        {"torus --dims 4x4", "torus --extent 4,4"},
        {"mesh --dims 4x3x2", "mesh --extent 4,3,2"},
        {"agarwal --dims 4x4x4 --load 0.1 --length 32",
         "agarwal --extent 4 --dims 3 --load 0.1 --length 32"},
    };
    static const char *const wrong[] = {"torus --dims 4x4 --extent 4", "torus --dims 4x",
                                        "torus --dims axb", "dally --dims 4x3 --load 0.1"};

    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++) {
        program_run one = program_succeeds("formula %s", alike[k][0]);
        program_run other = program_succeeds("formula %s", alike[k][1]);
        cr_expect_str_eq(one.out, other.out, "%s", alike[k][0]);
        program_free(&one);
        program_free(&other);
    }
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run run = program("formula %s", wrong[k]);
        expect_refusal(&run, 2, "--dims", NULL);
        program_free(&run);
    }
}
