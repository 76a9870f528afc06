/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --variance, --slope and --by-output: the right numbers under the right names, only
 * when they are asked for.
 */
#include "tests/cli/program.h"

TestSuite(cli_solve_more, .init = program_begin, .fini = program_end, .timeout = 240);

#define FIFO "solve --buffer fifo --slots 1 --load 0.5"

Test(cli_solve_more, variance_and_slope)
{
    cJSON *tree = program_json(FIFO " --variance --slope --json");
    const double variance = 13.0 / 196 + 3.0 / 343; /* by hand: tests/exact/test_variance.c */

    cr_assert_float_eq(json_number(tree, "result.refusals_per_cycle"), 1.0 / 14, 1e-15);
    cr_assert_float_eq(json_number(tree, "result.asymptotic_variance"), variance, 1e-15);
    cr_assert_float_eq(json_number(tree, "result.dispersion_index"), 14 * variance, 1e-13);
    cr_assert_lt(json_number(tree, "result.asymptotic_variance_error"), 1e-13);
    cr_assert_float_eq(json_number(tree, "result.slope_by_load"), 2.0 / 7, 1e-14);
    cr_assert_float_eq(json_number(tree, "result.slope_by_log_load"), 1.0 / 7, 1e-14);
    cJSON_Delete(tree);

    program_run text = program_succeeds(FIFO " --variance --slope");
    static const char *const expected[] = {
        "variance of discards   0.075072886", "index of dispersion    1.05102\n",
        "error if simulated     3.84 / sqrt(cycles)", "slope                  0.142857",
        "slope                  0.285714"};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(text.out, expected[k]), "no '%s' in: %s", expected[k], text.out);
    program_free(&text);
}

Test(cli_solve_more, only_when_asked)
{
    cJSON *tree = program_json(FIFO " --json");
    program_run text = program_succeeds(FIFO);

    cr_assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "result"), "asymptotic_variance"));
    cr_assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "result"), "slope_by_load"));
    cr_assert_null(strstr(text.out, "slope"));
    cr_assert_null(strstr(text.out, "variance"));
    cr_assert_null(strstr(text.out, "by output"));
    cJSON_Delete(tree);
    program_free(&text);
}

Test(cli_solve_more, what_there_is_not)
{
    program_run full = program_succeeds("solve --buffer fifo --slots 1 --load 1 --slope");
    program_run none = program_succeeds(
        "solve --buffer fifo --slots 2 --load 0.5 --traffic 'matrix:1,0/0,1' --variance");

    cr_assert(strstr(full.out, "a load is 1 and cannot grow"), "%s", full.out);
    cr_assert(strstr(none.out, "nothing is ever refused"), "%s", none.out);
    program_free(&full);
    program_free(&none);
}

Test(cli_solve_more, outputs)
{
    program_run hot =
        program_succeeds("solve --buffer samq --slots 4 --load 0.7 --traffic hotspot:0.3:1");
    program_run asked = program_succeeds(FIFO " --by-output");
    cJSON *tree = program_json(FIFO " --json");

    cr_assert(strstr(hot.out, "throughput by output"), "%s", hot.out);
    cr_assert(strstr(hot.out, "discarded by output"), "%s", hot.out);
    cr_assert(strstr(hot.out, "waiting by output"), "%s", hot.out);
    cr_assert(strstr(asked.out, "discarded by output    0.0714286 0.0714286\n"), "%s", asked.out);
    for (int k = 0; k < 4; k++) {
        static const char *const by[] = {"result.throughput_by_output", "result.discard_by_output",
                                         "result.refusal_by_output", "result.waiting_by_output"};
        cr_assert_eq(cJSON_GetArraySize(json_at(tree, by[k])), 2, "%s", by[k]);
    }
    program_free(&hot);
    program_free(&asked);
    cJSON_Delete(tree);
}

Test(cli_solve_more, not_for_any_chain_or_in_fractions)
{
    program_run chain = program("solve --chain c.tra --slope");
    program_run exact = program(FIFO " --exact --variance");

    expect_refusal(&chain, 2, "--slope", "--chain");
    expect_refusal(&exact, 2, "--exact", "--variance");
    program_free(&chain);
    program_free(&exact);
    chain = program("solve --chain c.tra --threads -5");
    exact = program(FIFO " --exact --threads nan");
    program_run network = program("solve --topology omega --stages 2 --ports 2 --buffer fifo "
                                  "--slots 1 --load 1 --flow block --exact --threads ''");
    expect_refusal(&chain, 2, "--threads", "--chain");
    expect_refusal(&exact, 2, "--threads", "--exact");
    expect_refusal(&network, 2, "--threads", "--exact");
    program_free(&chain);
    program_free(&exact);
    program_free(&network);
}

/* What was solved before the memory ran out is told, and what to do then. */
Test(cli_solve_more, a_target_beyond_the_memory_tells_what_was_found)
{
    program_run run = program("solve --buffer damq --ports 4 --mem 20M --load 0.5 --target 1e-9");

    expect_refusal(&run, 3, "2 slots still lose 0.0139, more than 1e-09, and with 3",
                   "sim --rare --topology switch");
    program_free(&run);
}

/* In a network that discards, a packet that a later stage loses has a delay, too, until it is lost;
 * a switch, or a network that blocks, loses none that it has accepted. */
Test(cli_solve_more, delays_that_end_with_a_loss)
{
    static const char *const cases[][2] = {
        {"--stages 2 --flow discard", "cycles from reception to departure or loss\n"},
        {"--stages 2 --flow discard --exact", "cycles from reception to departure or loss"},
        {"--stages 1 --flow discard", "cycles from reception to departure\n"},
        {"--stages 2 --flow block", "cycles from reception to departure\n"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program_succeeds("solve --topology omega --ports 2 --buffer fifo "
                                           "--slots 1 --load 0.5 %s",
                                           cases[k][0]);
        cr_expect(strstr(run.out, cases[k][1]), "%s: %s", run.arguments, run.out);
        program_free(&run);
    }
}

/* Divided slots are those of samq, whose sizes are multiples of the queues too. */
Test(cli_solve_more, a_target_finds_slots_that_a_rule_divides)
{
    cJSON *divided = program_json(
        "solve --buffer damq --admission partitioning --load 0.5 --target 1e-3 --json");
    cJSON *samq = program_json("solve --buffer samq --load 0.5 --target 1e-3 --json");

    cr_expect_float_eq(json_number(divided, "model.slots"), json_number(samq, "model.slots"), 0);
    cJSON_Delete(divided);
    cJSON_Delete(samq);
    program_run run = program("solve --buffer damq --slots 1 --admission partitioning --load 0.5");
    cr_expect_eq(run.status, 2);
    cr_expect(strstr(run.err, "admission partitioning needs a slot for each of 2 queues"), "%s",
              run.err);
    program_free(&run);
}
