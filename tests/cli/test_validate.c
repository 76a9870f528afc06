/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq validate at the command line: what it lists, prints and refuses.
 */
#include "tests/cli/program.h"

TestSuite(cli_validate, .init = program_begin, .fini = program_end, .timeout = 240);

/* A family that is quick. */
#define SOME "--only 'reduced-unreduced/buffer=fifo-1,ports=2'"

Test(cli_validate, rules_come_first_and_counts_last)
{
    program_run run = program_succeeds("validate " SOME);
    const char *rule = strstr(run.out, "rule: "), *passed = strstr(run.out, " pass; ");

    cr_assert(rule && passed && rule < passed, "%s", run.out);
    cr_assert(strstr(run.out, "seed 1."));
    cr_assert(strstr(run.out, "left out by --only"));
    cr_assert(strstr(run.out, "more in --full only"));
    cr_assert_not(strstr(run.out, "  pass "), "not each of them");
    cr_assert(strstr(run.out, "\npassed\n"));
    program_free(&run);
}

Test(cli_validate, verbose_shows_all)
{
    program_run run = program_succeeds("validate --verbose --threads 1 " SOME);

    cr_assert(strstr(run.out, "  pass    reduced-unreduced/buffer=fifo-1,ports=2"), "%s", run.out);
    cr_assert(strstr(run.out, "allowed 1e-09"));
    program_free(&run);
}

Test(cli_validate, a_list_runs_nothing)
{
    program_run run = program_succeeds("validate --list --full --only chain-simulator");

    cr_assert(strstr(run.out, "STAT      chain-simulator/refusals,buffer=fifo-1"), "%.300s",
              run.out);
    cr_assert(strstr(run.out, "more match in --quick only"));
    program_free(&run);
}

Test(cli_validate, json)
{
    cJSON *tree = program_json("validate --json --seed 7 " SOME);
    const cJSON *family = cJSON_GetArrayItem(json_at(tree, "families"), 0);
    const cJSON *check = cJSON_GetArrayItem(json_at(family, "checks"), 0);

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/validate/1");
    cr_assert_str_eq(json_string(tree, "effort"), "quick");
    cr_assert_eq(json_number(tree, "seed"), 7);
    cr_assert_str_eq(json_string(family, "name"), "reduced-unreduced");
    cr_assert(json_string(family, "title")[0] && json_string(family, "legs")[0] &&
              json_string(family, "criterion")[0]);
    cr_assert_str_eq(json_string(check, "check_kind"), "EXACT");
    cr_assert_str_eq(json_string(check, "outcome"), "pass");
    cr_assert(json_string(check, "claim")[0]);
    cr_assert(json_number(check, "deviation") <= json_number(check, "allowed"));
    cr_assert_float_eq(json_number(check, "left"), json_number(check, "right"), 1e-9);
    cr_assert(cJSON_IsNull(json_at(check, "p")));
    cr_assert(json_number(check, "seconds") >= 0);
    cr_assert_eq(json_number(tree, "summary.check_count"),
                 cJSON_GetArraySize(json_at(family, "checks")));
    cr_assert_eq(json_number(tree, "summary.levels.EXACT.pass"),
                 json_number(tree, "summary.check_count"));
    cr_assert(cJSON_IsTrue(json_at(tree, "summary.passed")));
    cJSON_Delete(tree);

    tree = program_json("validate --list --json " SOME);
    cr_assert_null(cJSON_GetObjectItem(json_at(tree, "summary"), "passed"));
    cJSON_Delete(tree);
}

Test(cli_validate, a_seed_gives_the_same_again)
{
    const char *once = "validate --json --only 'chain-simulator/*fifo-1,ports=2,load=0.6' --seed 3";
    cJSON *a = program_json("%s --threads 1", once), *b = program_json("%s --threads 2", once);
    const cJSON *x = json_at(cJSON_GetArrayItem(json_at(a, "families"), 0), "checks");
    const cJSON *y = json_at(cJSON_GetArrayItem(json_at(b, "families"), 0), "checks");

    cr_assert(cJSON_GetArraySize(x) > 2);
    for (int k = 0; k < cJSON_GetArraySize(x); k++)
        cr_assert_eq(json_number(cJSON_GetArrayItem(x, k), "right"),
                     json_number(cJSON_GetArrayItem(y, k), "right"));
    cJSON_Delete(a);
    cJSON_Delete(b);
}

static void refused(const char *arguments, const char *name, const char *value)
{
    program_run run = program("validate %s", arguments);

    expect_refusal(&run, 2, name, value);
    program_free(&run);
}

Test(cli_validate, bad_input)
{
    refused("--only nothing-like-it", "no check's name", "'nothing-like-it'");
    refused("--only nothing-like-it", "families are", "reduced-unreduced");
    refused("--only nothing-like-it", "approximations-direct, orderings\n", NULL);
    refused("--only ''", "--only", "part of a check's name");
    refused("--quick --full", "--quick", "--full");
    refused("--list --verbose", "--list", "--verbose");
    refused("--threads 0 " SOME, "threads", "0");
    refused("--seed -1 " SOME, "seed", "-1");
    refused("--seed 1.5 " SOME, "seed", "1.5");
    refused("--sed 1", "--sed", "--seed");
    refused("anchors", "anchors", NULL);
}

/* What was finished is shown, and the run has not passed. (--foreground: otherwise timeout signals
 * twice, the process and its group, and a second Ctrl-C ends the program at once.) */
Test(cli_validate, interrupted)
{
    program_run run = program_shell(
        "timeout --foreground -s INT 1 $SWITCHQ validate --full --only coverage --threads 1; echo "
        "status $?");

    cr_assert(strstr(run.out, "CUT SHORT"), "%s", run.out);
    cr_assert(strstr(run.out, "not run"));
    cr_assert(strstr(run.out, "not finished"));
    program_free(&run);
    run = program_shell(
        "timeout --foreground -s INT 1 $SWITCHQ validate --full --only coverage --json");
    cJSON *tree = cJSON_Parse(run.out);
    cr_assert(tree && cJSON_IsTrue(json_at(tree, "summary.interrupted")), "%s", run.out);
    cr_assert(cJSON_IsFalse(json_at(tree, "summary.passed")));
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_validate, one_check_is_one_check)
{
    program_run list = program_succeeds("validate --list --only orderings/6.2.3/lengths,safc");

    cr_assert(strstr(list.out, "\n1 check (--quick);"), "%s", list.out);
    program_free(&list);
}

Test(cli_validate, csv_has_a_row_a_check)
{
    program_run run = program_succeeds("validate --only 'known-values*fifo-1*' --csv");
    cJSON *tree = program_json("validate --only 'known-values*fifo-1*' --json");
    const cJSON *family = cJSON_GetArrayItem(json_at(tree, "families"), 0), *check;
    int row = 0;

    cJSON_ArrayForEach(check, json_at(family, "checks"))
    {
        char *name = csv_cell(run.out, ++row, "name");
        cr_expect_str_eq(name, json_string(check, "name"));
        expect_cell(run.out, row, "left", check, "left");
        expect_cell(run.out, row, "seed", tree, "seed");
        free(name);
    }
    cr_expect_gt(row, 1);
    cJSON_Delete(tree);
    program_free(&run);
}
