/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table: the three forms, the verdict and the exit status, the plot.
 */
#include "tests/cli/program.h"

TestSuite(cli_table, .init = program_begin, .fini = program_end, .timeout = 240);

Test(cli_table, all_cells_of_4_1_agree)
{
    program_run run = program_succeeds("table 4.1");

    cr_assert(strstr(run.out, "176 of 176 cells agree."));
    cr_assert(!strchr(run.out, '*'), "nothing is marked as different");
    cr_assert(
        strstr(run.out, "DAMQ  4       printed    0+     0+     0.4     0.9     1.8     3.3"));
    cr_assert(strstr(run.out, "3.364"));
    program_free(&run);
}

Test(cli_table, json_has_every_key_of_the_design)
{
    cJSON *tree = program_json("table 4.1 --json");
    const cJSON *row, *rows = json_at(tree, "rows");
    int agree = 0;

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/table/1");
    cr_assert_str_eq(json_string(tree, "table"), "4.1");
    cr_assert_str_eq(json_string(tree, "arbiter"), "random");
    cr_assert_str_eq(json_string(tree, "pool_rule"), "ports");
    cr_assert_eq(json_number(tree, "agree"), 176);
    cr_assert_eq(json_number(tree, "differ"), 0);
    cr_assert_eq(cJSON_GetArraySize(rows), 176);
    cJSON_ArrayForEach(row, rows)
    {
        double computed = json_number(row, "computed"), load = json_number(row, "load");
        const char *paper = json_string(row, "paper");
        json_string(row, "buffer");
        json_string(row, "agreement");
        cr_assert(json_number(row, "slots") >= 1 && json_number(row, "slots") <= 6);
        cr_assert(load >= 0.25 && load <= 0.99);
        cr_assert(json_number(row, "lower") <= computed && computed <= json_number(row, "upper"));
        agree += cJSON_IsTrue(json_at(row, "agrees"));
        /* the rule, implemented once more: truncated or rounded to one decimal, in percent */
        double off = strcmp(paper, "0+") == 0 ? 0 : strtod(paper, NULL) - 100 * computed;
        cr_assert(off <= 0.05 + 1e-9 && off > -0.1, "%s: %g", paper, computed);
        cr_assert(strcmp(paper, "0+") != 0 || (computed > 0 && computed < 0.001));
    }
    cr_assert_eq(agree, 176);
    cJSON_Delete(tree);
}

Test(cli_table, csv_is_the_same_as_json)
{
    cJSON *tree = program_json("table 4.1 --json");
    program_run run = program_succeeds("table 4.1 --csv");

    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "rows")), 176);
    expect_rows(run.out, json_at(tree, "rows"));
    cr_assert(csv_has(run.out, "arbiter") && csv_has(run.out, "pool_rule"));
    program_free(&run);
    cJSON_Delete(tree);
}

/* Other rules than the print's: differences are expected, and marked. */
Test(cli_table, other_rules_differ_and_that_is_no_failure)
{
    static const char *const other[] = {"--arbiter maximum", "--arbiter longest",
                                        "--pool-rule room"};

    for (int k = 0; k < 3; k++) {
        cJSON *tree = program_json("table 4.1 %s --json", other[k]);
        program_run run = program_succeeds("table 4.1 %s", other[k]);
        const cJSON *row;
        int differ = (int)json_number(tree, "differ"), marks = 0, found = 0;
        char verdict[80];
        cJSON_ArrayForEach(row, json_at(tree, "rows"))
        {
            bool differs = strcmp(json_string(row, "agreement"), "differs") == 0;
            cr_assert_eq(differs, cJSON_IsFalse(json_at(row, "agrees")));
            found += differs;
        }
        cr_assert(differ > 0 && found == differ, "%s: %d %d", other[k], differ, found);
        cr_assert_eq(json_number(tree, "agree"), 176 - differ);
        snprintf(verdict, sizeof verdict, "%d of 176 cells agree; * marks the %d that differ",
                 176 - differ, differ);
        cr_assert(strstr(run.out, verdict), "%s", run.out);
        for (const char *at = run.out; (at = strchr(at, '*')); at++)
            marks++;
        cr_assert_eq(marks, differ + 1, "the legend has one as well");
        program_free(&run);
        cJSON_Delete(tree);
    }
}

Test(cli_table, any_solver_regenerates_it)
{
    static const char *const solvers[] = {"gth",     "sparse-gth",   "lu",
                                          "umfpack", "gauss-seidel", "power"};

    for (int k = 0; k < 6; k++) {
        program_run run =
            program_succeeds("table 4.1 --max-iterations 10000 --solver %s", solvers[k]);
        cr_assert(strstr(run.out, "176 of 176 cells agree."), "%s", solvers[k]);
        program_free(&run);
    }
}

Test(cli_table, a_plot_is_drawn)
{
    program_run run = program_succeeds("table 4.1 --plot 'a plot.svg'");
    char *svg = file_text("a plot.svg"), *names = folder_names();
    static const char *const expected[] = {"<svg", "FIFO 1", "CBDA 6", "arbiter random", "</svg>"};

    cr_assert(strstr(run.out, "176 of 176 cells agree."), "the table is printed as well");
    for (int k = 0; k < 5; k++)
        cr_assert(strstr(svg, expected[k]), "no %s in the plot", expected[k]);
    cr_assert_str_eq(names, "a plot.svg ", "nothing else is left");
    free(names);
    free(svg);
    program_free(&run);

    run = program_succeeds("table 4.1 --json --plot \"it's.png\"");
    char *png = file_text("it's.png");
    cr_assert(strncmp(png, "\x89PNG", 4) == 0);
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
    cr_assert(tree, "JSON and nothing else beside a plot");
    cJSON_Delete(tree);
    free(png);
    program_free(&run);
}

/* gnuplot is told characters of UTF-8, and warns where the locale has none. */
Test(cli_table, a_plot_in_any_locale_warns_of_nothing)
{
    program_run run = program_shell("LC_ALL=C \"$SWITCHQ\" table 4.1 --plot x.svg");

    cr_assert_eq(run.status, 0);
    cr_assert_str_empty(run.err);
    program_free(&run);
}

Test(cli_table, a_plot_that_cannot_be_drawn_leaves_nothing)
{
    static const struct {
        const char *line, *name, *value;
    } cases[] = {
        {"\"$SWITCHQ\" table 4.1 --plot x.eps", "plot", "'x.eps'"},
        {"\"$SWITCHQ\" table 4.1 --plot svg", "plot", "'svg'"},
        {"\"$SWITCHQ\" table 4.1 --plot ''", "plot", "''"},
        {"\"$SWITCHQ\" table 4.1 --plot x.svg.gz", "plot", "'x.svg.gz'"},
        {"\"$SWITCHQ\" table 4.1 --plot /dev/null/x.svg", "/dev/null/x.svg", "Not a directory"},
        {"PATH=/nowhere \"$SWITCHQ\" table 4.1 --plot x.svg", "gnuplot", "No such file"},
        {"mkdir d.svg; \"$SWITCHQ\" table 4.1 --plot d.svg; s=$?; rmdir d.svg; (exit $s)", "d.svg",
         "Is a directory"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program_shell("%s", cases[c].line);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
        char *names = folder_names();
        cr_expect_str_empty(names, "%s: left %s", cases[c].line, names);
        free(names);
    }
}
