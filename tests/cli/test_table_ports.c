/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.1 --ports N: the three forms, the verdict and the exit status, the plot, what
 * does not fit, bad options, Ctrl-C.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(cli_table_ports, .init = program_begin, .fini = program_end, .timeout = 480);

/* A number, or NAN for null. */
static double number_or_nan(const cJSON *row, const char *key)
{
    const cJSON *value = json_at(row, key);

    cr_assert(cJSON_IsNumber(value) || cJSON_IsNull(value), "%s", key);
    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

Test(cli_table_ports, json_has_every_key_and_counts_add_up)
{
    static const char *const counts[] = {"agree",      "outside",      "too_rare",
                                         "not_judged", "does_not_fit", "not_run"};
    cJSON *tree = program_json("table 4.1 --ports 3 --quick --seed 4 --most-states 100 --json");
    const cJSON *row, *rows = json_at(tree, "rows");
    int agree = 0, large = 0, sum = 0, c = 0;

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/table/1");
    cr_assert_str_eq(json_string(tree, "table"), "4.1");
    cr_assert_eq(json_number(tree, "ports"), 3);
    cr_assert_str_eq(json_string(tree, "arbiter"), "random");
    cr_assert_str_eq(json_string(tree, "pool_rule"), "ports");
    cr_assert(strstr(json_string(tree, "rule"), "99.9%"));
    cr_assert_eq(json_number(tree, "most_states"), 100);
    cr_assert_eq(json_number(tree, "seed"), 4);
    cr_assert_eq(json_number(tree, "cycles"), 50000);
    cr_assert(cJSON_IsTrue(json_at(tree, "agrees")));
    cr_assert(cJSON_IsFalse(json_at(tree, "interrupted")));
    cr_assert_eq(cJSON_GetArraySize(rows), 36);
    cJSON_ArrayForEach(row, rows)
    {
        double computed = number_or_nan(row, "computed"), off = number_or_nan(row, "off");
        const char *verdict = json_string(row, "verdict");
        bool fits = json_number(row, "states_foreseen") <= 100;
        cr_assert(json_number(row, "slots") >= 1 && json_number(row, "slots") <= 3);
        cr_assert_eq(json_number(row, "seed"), 4000 + c);
        cr_assert_eq(isfinite(computed), fits);
        cr_assert_eq(isfinite(number_or_nan(row, "states")), fits);
        cr_assert_eq(strcmp(verdict, "does not fit") == 0, !fits);
        cr_assert(!fits || (number_or_nan(row, "lower") <= computed &&
                            computed <= number_or_nan(row, "upper")));
        cr_assert_float_eq(json_number(row, "lost") / json_number(row, "offered_packets"),
                           json_number(row, "simulated"), 1e-12);
        cr_assert(json_number(row, "half_width") >= 0 && json_number(row, "batches") >= 8);
        cr_assert_eq(cJSON_IsTrue(json_at(row, "agrees")), strcmp(verdict, "agrees") == 0);
        cr_assert(!cJSON_IsTrue(json_at(row, "agrees")) || fabs(off) < 6);
        cr_assert_eq(*json_string(row, "note") == '\0',
                     strcmp(verdict, "agrees") == 0 || strcmp(verdict, "outside") == 0);
        agree += strcmp(verdict, "agrees") == 0;
        large += !fits;
        c++;
    }
    cr_assert_eq(json_number(tree, "agree"), agree);
    cr_assert_eq(json_number(tree, "does_not_fit"), large);
    cr_assert_eq(large, 4, "DAMQ 3");
    for (int v = 0; v < 6; v++)
        sum += (int)json_number(tree, counts[v]);
    cr_assert_eq(sum, 36);
    cr_assert_float_eq(json_number(tree, "expected_outside"), 0.001 * (36 - large), 1e-12);
    cJSON_Delete(tree);
}

Test(cli_table_ports, csv_is_the_same_as_json)
{
#define LINE "table 4.1 --ports 3 --slots 2 --loads 0.3,0.95 --cycles 3000"
    cJSON *tree = program_json(LINE " --threads 2 --json");
    program_run run = program_succeeds(LINE " --threads 1 --csv");

    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "rows")), 8);
    expect_rows(run.out, json_at(tree, "rows"));
    cr_assert(csv_has(run.out, "ports") && csv_has(run.out, "cycles"));
    program_free(&run);
    cJSON_Delete(tree);
}

/* The exact values are those of solve, and each cell can be simulated again by itself. */
Test(cli_table_ports, a_cell_is_what_solve_and_sim_say)
{
    cJSON *tree = program_json("table 4.1 --ports 3 --slots 3 --loads 0.9 --cycles 3000 --json");
    const cJSON *row;

    cJSON_ArrayForEach(row, json_at(tree, "rows"))
    {
        const char *buffer = json_string(row, "buffer");
        bool pool = strcmp(buffer, "cbda") == 0;
        char spec[200];
        snprintf(spec, sizeof spec, "--buffer %s --slots %g --ports 3 --load 0.9 %s --json", buffer,
                 json_number(row, "slots"), pool ? "--pool-rule ports" : "--arbiter random");
        cJSON *exact = program_json("solve %s", spec);
        cJSON *simulated =
            program_json("sim --topology switch --cycles 3000 --warmup 1000 --seed %.0f %s",
                         json_number(row, "seed"), spec);
        assert_relative(json_number(exact, "result.discard_probability"),
                        json_number(row, "computed"), 1e-12, "%s", spec);
        cr_assert_eq(json_number(simulated, "result.discarded"), json_number(row, "lost"));
        cJSON_Delete(exact);
        cJSON_Delete(simulated);
    }
    cJSON_Delete(tree);
}

Test(cli_table_ports, text_says_the_rule_and_fits_a_terminal)
{
    program_run run = program_succeeds("table 4.1 --ports 3 --quick --most-states 100");

    cr_assert(strstr(run.out, "Table 4.1 (Frazier 1995) for 3x3 switches, which it was not printed "
                              "for"));
    cr_assert(strstr(run.out, "Rule: a cell agrees when"));
    cr_assert(strstr(run.out, "FIFO  1                exact   9.795  20.616  27.429  31.327"), "%s",
              run.out);
    cr_assert(strstr(run.out, "\n309 states         simulated "));
    cr_assert(strstr(run.out, "(*); "));
    cr_assert(strstr(run.out, "; 4 without an exact value."));
    cr_assert(strstr(run.out, "Of 32 compared, 0.032 at most may be expected outside by chance"));
    cr_assert(strstr(run.out, "Exact values and simulator agree."));
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1)
        cr_assert(strcspn(line, "\n") <= 100, "%.120s", line);
    program_free(&run);

    /* all columns, and a row that only the memory limit excludes */
    run = program_succeeds("table 4.1 --ports 4 --slots 2 --cycles 1000 --mem 350K");
    cr_assert(strstr(run.out, "foreseen: no memory"), "%s", run.out);
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1)
        cr_assert(strcspn(line, "\n") <= 100, "%.120s", line);
    program_free(&run);
}

Test(cli_table_ports, a_cell_that_agrees_is_no_failure)
{
    program_run fine =
        program_succeeds("table 4.1 --ports 3 --slots 1 --loads 0.8 --cycles 1000 --seed 1");

    cr_assert(strstr(fine.out, "1 of 1 cells agree; 0 outside (*)."));
    program_free(&fine);
}

/* Nothing lost of about 3 * 0.05 * 1000 packets, so less than 3 / 150, two percent. */
Test(cli_table_ports, what_is_not_seen_is_bounded)
{
    program_run run =
        program_succeeds("table 4.1 --ports 3 --slots 3 --loads 0.05 --cycles 1000 --seed 1");
    const char *row = strstr(run.out, "CBDA  3"), *less = row ? strchr(row, '<') : NULL;
    char *end;

    cr_assert(less, "%s", run.out);
    double percent = strtod(less + 1, &end);
    cr_assert(percent > 1.4 && percent < 2.8, "%s", run.out);
    cr_assert_eq(*end, 'r', "%s", end);
    program_free(&run);
}

/* Both sides follow the rules, whatever these are. */
Test(cli_table_ports, other_rules_agree_as_well)
{
    static const char *const other[] = {"--arbiter longest", "--arbiter maximum --pool-rule room",
                                        "--arbiter rotating"};

    for (int k = 0; k < 3; k++) {
        cJSON *tree = program_json("table 4.1 --ports 3 --slots 2 --loads 0.6,0.9 --cycles 20000 "
                                   "%s --json",
                                   other[k]);
        cr_assert(cJSON_IsTrue(json_at(tree, "agrees")));
        cr_assert(json_number(tree, "agree") >= 6, "%g", json_number(tree, "agree"));
        cJSON_Delete(tree);
    }
}

Test(cli_table_ports, two_ports_are_the_print)
{
    program_run plain = program_succeeds("table 4.1"),
                two = program_succeeds("table 4.1 --ports 2");

    cr_assert_str_eq(plain.out, two.out);
    program_free(&plain);
    program_free(&two);
}

Test(cli_table_ports, a_plot_is_drawn)
{
    program_run run =
        program_succeeds("table 4.1 --ports 3 --quick --most-states 100 --plot p.svg --csv");
    char *svg = file_text("p.svg"), *names = folder_names();
    static const char *const expected[] = {
        "<svg",        "3x3 switch",       "FIFO 1",         "CBDA 3", "DAMQ 3 simulated",
        ">simulated<", "stroke-dasharray", "arbiter random", "</svg>"};

    cr_assert(csv_has(run.out, "buffer"), "the table is printed as well");
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(svg, expected[k]), "no %s in the plot", expected[k]);
    cr_assert_str_eq(names, "p.svg ", "nothing else is left");
    free(names);
    free(svg);
    program_free(&run);
}

Test(cli_table_ports, bad_options)
{
    static const struct {
        const char *arguments, *name, *value;
    } cases[] = {
        {"4.1 --ports 1", "--ports", "'1'"},
        {"4.1 --ports 33", "--ports", "'33'"},
        {"4.1 --ports many", "--ports", "'many'"},
        {"4.2 --ports 3", "--ports", "4.1"},
        {"4.2 --slots 3", "--slots", "4.1"},
        {"4.2 --loads 0.5", "--loads", "4.1"},
        {"4.2 --most-states 10", "--most-states", "4.1"},
        {"4.1 --slots 3", "--slots", "--ports"},
        {"4.1 --loads 0.5", "--loads", "--ports"},
        {"4.1 --most-states 10", "--most-states", "--ports"},
        {"4.1 --ports 2 --quick", "--quick", "--ports"},
        {"4.1 --ports 2 --slots 3", "--slots", "--ports"},
        {"4.1 --ports 3 --stale 1", "--stale", "networks"},
        {"4.1 --ports 3 --slots 0", "--slots", "'0'"},
        {"4.1 --ports 3 --slots 2048", "--slots", "'2048'"},
        {"4.1 --ports 3 --loads ''", "--loads", "''"},
        {"4.1 --ports 3 --loads 0.5,", "--loads", "''"},
        {"4.1 --ports 3 --loads 0.5,x", "--loads", "'x'"},
        {"4.1 --ports 3 --loads 0", "--loads", "'0'"},
        {"4.1 --ports 3 --loads 0.5,1.5", "--loads", "'1.5'"},
        {"4.1 --ports 3 --loads 0.5,0.5", "--loads", "increase"},
        {"4.1 --ports 3 --loads .1,.2,.3,.4,.5,.6,.7,.8,.9", "--loads", "1 to 8"},
        {"4.1 --ports 3 --most-states 0", "--most-states", "'0'"},
        {"4.1 --ports 3 --most-states 1e5k", "--most-states", "'1e5k'"},
        {"4.1 --ports 3 --cycles 999", "--cycles", "'999'"},
        {"4.1 --ports 3 --quick --cycles 5000", "--quick", "--cycles"},
        {"4.1 --ports 3 --seed -1", "--seed", "'-1'"},
        {"4.1 --ports 3 --seed 1000000000000", "--seed", "999999999999"},
        {"4.1 --ports 3 --threads 0", "--threads", "'0'"},
        {"4.1 --ports 3 --pool-rule oldest", "pool-rule", "oldest"},
        {"4.1 --ports 3 --pool-rule odlest", "pool-rule", "'odlest'"},
        {"4.1 --ports 3 --arbiter rnadom", "arbiter", "'random'"},
        {"4.1 --ports 3 --solver best", "solver", "'best'"},
        {"4.1 --ports 3 --mem lots", "--mem", "'lots'"},
        {"4.1 --ports 3 --plot x.eps", "plot", "'x.eps'"},
        {"4.1 --ports 3 --json --csv", "--json", "--csv"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("table %s", cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

/* Ctrl-C: the table so far, marked as incomplete, and exit status 1. */
Test(cli_table_ports, an_interrupt_ends_it_with_what_there_is)
{
    program_run run = program_shell("\"$SWITCHQ\" table 4.1 --ports 3 --cycles 1000000000 & "
                                    "sleep 1; kill -INT $!; wait $!");

    cr_assert_eq(run.status, 1, "%d %s", run.status, run.err);
    cr_assert(strstr(run.out, "FIFO  1           exact   2.368"), "solved before: %s", run.out);
    cr_assert(strstr(run.out, "CUT SHORT"), "%s", run.out);
    cr_assert(strstr(run.out, "FIFO  2       simulated not run"), "%s", run.out);
    cr_assert(strstr(run.out, "0 of 160 cells agree; 0 outside (*); 160 not run."));
    cr_assert(strstr(run.out, "Nothing could be compared."));
    program_free(&run);
}
