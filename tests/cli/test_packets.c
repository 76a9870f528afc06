/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * solve --delay and --losses: what is printed agrees with solve's own mean delay and loss, and
 * wrong use is named.
 */
#include "tests/cli/program.h"

TestSuite(cli_packets, .init = program_begin, .fini = program_end, .timeout = 240);

#define DAMQ "solve --buffer damq --slots 3 --load 0.8"

Test(cli_packets, json_agrees_with_the_rest)
{
    cJSON *tree = program_json(DAMQ " --traffic hotspot:0.2 --delay --losses --json");
    double little = json_number(tree, "result.mean_delay_cycles");

    assert_relative(json_number(tree, "delay.mean_delay_cycles"), little, 1e-12, "mean delay");
    cr_assert(json_number(tree, "delay.mean_delay_cycles_lower") <= little * (1 + 1e-14));
    cr_assert(json_number(tree, "delay.mean_delay_cycles_upper") >= little * (1 - 1e-14));
    cr_assert(json_number(tree, "delay.p50") <= json_number(tree, "delay.p999"));
    cr_assert(json_number(tree, "delay.variance") > 0);
    cr_assert(cJSON_IsTrue(json_at(tree, "delay.complete")));
    const cJSON *probability = json_at(tree, "delay.probability");
    double sum = 0, mean = 0;
    for (int k = 0; k < cJSON_GetArraySize(probability); k++) {
        sum += cJSON_GetArrayItem(probability, k)->valuedouble;
        mean += k * cJSON_GetArrayItem(probability, k)->valuedouble;
    }
    assert_relative(sum, 1, 1e-13, "sum");
    assert_relative(mean, little, 1e-12, "mean");
    const cJSON *by_output = json_at(tree, "delay.mean_by_output");
    cr_assert(cJSON_GetArrayItem(by_output, 0)->valuedouble >
              cJSON_GetArrayItem(by_output, 1)->valuedouble);
    const cJSON *input = cJSON_GetArrayItem(json_at(tree, "losses.by_input"), 1);
    double repeat = json_number(input, "loss_after_loss");
    assert_relative(json_number(input, "discard_probability"),
                    json_number(tree, "result.discard_probability"), 1e-12, "loss");
    assert_relative(json_number(input, "mean_in_a_row"), 1 / (1 - repeat), 1e-12, "in a row");
    cJSON_Delete(tree);
}

Test(cli_packets, text)
{
    static const char *const expected[] = {
        "Delay of an accepted packet, from reception to departure\n",
        "  mean                   2.234264",
        "  percentile 99          7 cycles\n",
        "               1      0.412528      0.587472\n",
        "Losses in a row, of the packets that one source creates\n\n  input 0 1\n",
        "  lost                   0.02482334",
        "  lost after a loss      0.21173963",
        "  mean in a row          1.26861636",
        "with a mark",
    };
    program_run run = program_succeeds(DAMQ " --delay --losses");

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    program_free(&run);
    run = program_succeeds(DAMQ);
    cr_assert(!strstr(run.out, "Delay of an accepted packet") && !strstr(run.out, "in a row"));
    program_free(&run);
}

/* If a switch could not be solved as precisely as asked there are no packets to follow: what was
 * found is printed, without a crash and without a delay of 0. */
Test(cli_packets, none_where_the_switch_is_not_solved)
{
    program_run run = program(DAMQ " --delay --tol 1e-15");

    cr_expect_eq(run.status, 1, "status %d", run.status);
    cr_expect(strstr(run.out, "discard probability") && !strstr(run.out, "Delay of"), "%s",
              run.out);
    program_free(&run);
    run = program(DAMQ " --delay --tol 1e-15 --json");
    cr_expect_eq(run.status, 1, "status %d", run.status);
    cr_expect(strstr(run.out, "discard_probability") && !strstr(run.out, "\"delay\""), "%s",
              run.out);
    program_free(&run);
}

Test(cli_packets, refusals)
{
    static const struct {
        const char *arguments, *name, *value;
    } wrong[] = {
        {DAMQ " --tail 1e-9", "--tail", "--delay"},
        {DAMQ " --delay --tail 0", "--tail", "0"},
        {DAMQ " --delay --tail x", "--tail", "x"},
        {DAMQ " --losses --flow block", "losses", "discard"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run run = program("%s", wrong[k].arguments);
        expect_refusal(&run, 2, wrong[k].name, wrong[k].value);
        program_free(&run);
    }
}
