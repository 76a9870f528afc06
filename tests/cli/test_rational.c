/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --exact: its three forms, what it reads, and what it refuses. That the fractions
 * are right is for tests/exact/test_rational.c.
 */
#include "tests/cli/program.h"

TestSuite(cli_rational, .init = program_begin, .fini = program_end, .timeout = 240);

#define DAMQ "solve --exact --buffer damq --slots 2 --load 9/10"

Test(cli_rational, text_shows_fractions_and_decimals)
{
    static const char *const expected[] = {
        ("damq, 2 x 2, 2 slots per input port, load 0.9, flow discard, credit same, arbiter "
         "random,"),
        "discard probability    6950218203/65707870201\n",
        "= 0.10577451653415827018\n",
        "throughput             264409433991/328539351005\n",
        "mean delay             246141242051/117515303996\n",
        "discarded, each input  6950218203/65707870201\n",
        "as it was written: load 9/10\n",
        "7 states",
    };
    program_run run = program_succeeds(DAMQ);

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_expect(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    program_free(&run);
    run = program_succeeds("solve --exact --buffer damq --slots 6 --load 0.9");
    cr_expect(strstr(run.out, "discard probability    654847131251...(364 digits)/"
                              "561360666596...(366 digits)\n"),
              "%s", run.out);
    program_free(&run);
    run = program_succeeds("solve --exact --buffer damq --slots 2 --load 1/2,1");
    cr_expect(strstr(run.out, "discarded, input 1"), "%s", run.out);
    cr_expect(strstr(run.out, "load 1/2, 1\n"), "%s", run.out);
    program_free(&run);
}

Test(cli_rational, json_has_all_digits)
{
    static const char *const keys[] = {"discard_probability", "throughput", "mean_packets",
                                       "mean_delay_cycles"};
    cJSON *tree = program_json("solve --exact --buffer damq --slots 6 --load 0.9 --json");
    cJSON *doubles = program_json("solve --buffer damq --slots 6 --load 0.9 --json");

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/solve-exact/1");
    cr_assert_eq(json_number(tree, "chain.states"), 144);
    cr_assert_eq(strlen(json_string(tree, "exact.discard_probability.numerator")), 364);
    cr_assert_eq(strlen(json_string(tree, "exact.discard_probability.denominator")), 366);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        char path[80], plain[80];
        snprintf(path, sizeof path, "exact.%s.decimal", keys[k]);
        snprintf(plain, sizeof plain, "result.%s", keys[k]);
        assert_relative(json_number(tree, path), json_number(doubles, plain), 1e-11, "%s", path);
    }
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "exact.discard_by_input")), 2);
    cJSON_Delete(tree);
    cJSON_Delete(doubles);
    tree = program_json(DAMQ " --flow block --json");
    json_number(tree, "exact.saturation_throughput.decimal");
    json_number(tree, "exact.mean_source_wait_cycles.decimal");
    json_number(tree, "exact.refusal_probability.decimal");
    cJSON_Delete(tree);
    tree = program_json("solve --exact --buffer damq --slots 2 --load 0 --json");
    cr_assert(cJSON_IsNull(json_at(tree, "exact.mean_delay_cycles")));
    cr_assert_str_eq(json_string(tree, "exact.discard_probability.numerator"), "0");
    cJSON_Delete(tree);
}

Test(cli_rational, csv_has_all_digits)
{
    program_run run =
        program_succeeds("solve --exact --buffer fifo --slots 1 --load 1/4,0.25 --csv");

    static const struct {
        int row;
        const char *column, *cell;
    } cells[] = {
        {1, "buffer", "fifo"},
        {1, "states", "2"},
        {1, "part", "all"},
        {1, "discard_probability_numerator", "1"},
        {1, "discard_probability_denominator", "58"},
        {1, "discard_probability_decimal", "0.017241379310344827586"},
        {1, "throughput_numerator", "57"},
        {1, "mean_delay_cycles_decimal", "1.0701754385964912281"},
        {2, "part", "load 1"},
        {2, "decimal", "0.25"},
        {5, "part", "discard_by_input 2"},
        {5, "denominator", "58"},
    };
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        char *cell = csv_cell(run.out, cells[k].row, cells[k].column);
        cr_expect_str_eq(cell, cells[k].cell, "%s", run.out);
        free(cell);
    }
    program_free(&run);
}

/* Rows may be separated by ';'; a file has no rows, only numbers. */
Test(cli_rational, fractions_in_a_matrix)
{
    static const char *const same[] = {"'matrix:1/3,2/3;3/4,1/4'", "'matrix:1/3,2/3;0.75,25e-2'",
                                       "file:m"};
    char *first = NULL;

    program_run made = program_shell("printf '# thirds\\n1/3 2/3\\n0.75, 1/4\\n' > m");
    program_free(&made);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        program_run run = program_succeeds(DAMQ " --csv --traffic %s", same[k]);
        if (first)
            cr_expect_str_eq(run.out, first, "%s", same[k]);
        else
            first = strdup(run.out);
        program_free(&run);
    }
    free(first);
    program_run run = program_succeeds(DAMQ " --csv --traffic matrix:0.3,0.7/0.5,0.5");
    program_run hot = program_succeeds(DAMQ " --csv --traffic hotspot:1/3:1");
    cr_expect(strstr(hot.out, "hotspot"));
    program_free(&run);
    program_free(&hot);
}

Test(cli_rational, bad_input_is_refused)
{
    static const struct {
        const char *arguments, *name, *value;
        int status;
    } cases[] = {
        {"--load 10/9", "--load", "'10/9'", 2},
        {"--load 1/0", "--load", "'1/0'", 2},
        {"--load 0.9.1", "--load", "'0.9.1'", 2},
        {"--load 0.5/2", "--load", "'0.5/2'", 2},
        {"--load ''", "--load", "''", 2},
        {"--load -1/2", "--load", "'-1/2'", 2},
        {"--load 1.00000000000000000000001", "load of input 0", "'1.00000000000000000000001'", 2},
        {"", "--load", NULL, 2},
        {"--load 0.5 --target 0.01", "--target", "--exact", 2},
        {"--target 0.01", "--target", "--exact", 2},
        {"--load 0.5 --solver auto", "--solver", "--exact", 2},
        {"--load 0.5 --tol 1e-9", "--tol", "--exact", 2},
        {"--load 0.5 --max-iterations 9", "--max-iterations", "--exact", 2},
        {"--load 0.5 --json --csv", "--json", "--csv", 2},
        {"--load 0.5 --traffic matrix:0.5,0.5/0.3,0.6", "input 1", "0.9", 2},
        {"--load 0.5 --traffic matrix:0.5,0.5/0.333333333333,0.666666666666", "input 1",
         "exactly 1", 2},
        {"--load 0.5 --traffic hotspot:4/3", "hotspot", "'4/3'", 2},
        {"--load 1e-99999999999999999999", "--load", "'1e-99999999999999999999'", 2},
        {"--load 1e-1000", "--load must be 0 or at least 1e-300", "'1e-1000'", 2},
        {"--load 0.5 --traffic hotspot:1e-400", "hotspot must be 0 or at least 1e-300", "'1e-400'",
         2},
        {"--load 0.5 --burst 1e-99999999999999999999", "--burst", "'1e-99999999999999999999'", 2},
        {"--load 0.5 --mem 10000", "", NULL, 3},
    };
    program_run run;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run = program("solve --exact --buffer damq --slots 3 %s", cases[k].arguments);
        expect_refusal(&run, cases[k].status, cases[k].name, cases[k].value);
        program_free(&run);
    }
    run = program("solve --exact --buffer damq --slots 50 --load 0.5");
    expect_refusal(&run, 3, "13 slots per input port would fit", "3000");
    program_free(&run);
    /* without --exact, a fraction is not a number */
    run = program("solve --buffer damq --slots 3 --load 9/10");
    expect_refusal(&run, 2, "--load", "'9/10'");
    program_free(&run);
}
