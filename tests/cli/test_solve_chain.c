/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --chain: what export writes is solved to the same figures; chains with odd
 * structure; what --chain does not go with.
 */
#include "tests/cli/program.h"

#include <stdio.h>

TestSuite(cli_solve_chain, .init = program_begin, .fini = program_end, .timeout = 240);

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

Test(cli_solve_chain, round_trip)
{
    static const char *const specs[] = {
        "--buffer damq --slots 4 --load 0.9",
        "--buffer fifo --slots 3 --load 0.9,0.6 --traffic hotspot:0.3",
        "--buffer samq --slots 4 --load 0.25",
        "--buffer damq --ports 3 --slots 2 --load 0.7",
    };
    static const double created[] = {1.8, 1.5, 0.5, 2.1};

    for (int k = 0; k < 4; k++) {
        for (int reduce = 0; reduce < 2; reduce++) {
            const char *word = reduce ? "auto" : "none";
            program_run run = program("export --format prism -o x --reduce %s %s", word, specs[k]);
            cr_assert_eq(run.status, 0, "%s", run.err);
            program_free(&run);
            run = program("export --format mtx -o x --reduce %s %s", word, specs[k]);
            cr_assert_eq(run.status, 0, "%s", run.err);
            program_free(&run);
            cJSON *spec = program_json("solve --json %s", specs[k]);
            cJSON *tra = program_json("solve --json --chain x.tra");
            cJSON *mtx = program_json("solve --json --chain x.mtx --rewards x.srew");
            double discard = json_number(spec, "result.discard_probability");
            double mean = json_number(tra, "result.mean_reward");
            assert_relative(mean / created[k], discard, 1e-10, "%s: %.17g, not %.17g", specs[k],
                            mean / created[k], discard);
            cr_assert_eq(json_number(mtx, "result.mean_reward"), mean);
            cr_assert(json_number(tra, "result.mean_reward_lower") <= mean &&
                      mean <= json_number(tra, "result.mean_reward_upper"));
            cr_assert_lt(json_number(tra, "result.mean_reward_upper") -
                             json_number(tra, "result.mean_reward_lower"),
                         1e-9 * mean);
            cr_assert_str_eq(json_string(tra, "result.reward"), "refused");
            cr_assert_str_eq(json_string(tra, "schema"), "switchq/solve-chain/1");
            if (reduce)
                cr_assert_eq(json_number(tra, "chain.states"), json_number(spec, "chain.states"));
            cJSON_Delete(spec);
            cJSON_Delete(tra);
            cJSON_Delete(mtx);
        }
    }
}

/* pi = (0.4, 0.6) by hand; the mean of 1 and 2 is 1.6. */
#define TWO "2 4\n0 0 0.4\n0 1 0.6\n1 0 0.4\n1 1 0.6\n"

Test(cli_solve_chain, states_labels_and_rewards)
{
    write_file("x.tra", TWO);
    write_file("r", "1\n2\n");
    write_file("x.lab", "0=\"init\" 1=\"all\" 2=\"last\"\n0: 0 1\n1: 1 2\n");
    write_file("x.sta", "(a)\n0:(7)\n1:(8)\n");
    cJSON *tree = program_json("solve --json --chain x.tra --rewards r --states");
    assert_relative(json_number(tree, "result.mean_reward"), 1.6, 1e-15, "mean");
    const cJSON *states = json_at(tree, "result.states"), *labels = json_at(tree, "result.labels");
    cr_assert_eq(cJSON_GetArraySize(states), 2);
    assert_relative(json_number(cJSON_GetArrayItem(states, 1), "probability"), 0.6, 1e-15, "pi");
    cr_assert_eq(json_number(cJSON_GetArrayItem(states, 1), "reward"), 2);
    cr_assert_eq(json_number(cJSON_GetArrayItem(states, 1), "state"), 1);
    cr_assert_str_eq(json_string(cJSON_GetArrayItem(states, 1), "name"), "(8)");
    assert_relative(json_number(cJSON_GetArrayItem(labels, 0), "probability"), 0.4, 1e-15, "init");
    assert_relative(json_number(cJSON_GetArrayItem(labels, 1), "probability"), 1, 1e-15, "all");
    assert_relative(json_number(cJSON_GetArrayItem(labels, 2), "probability"), 0.6, 1e-15, "last");
    cJSON_Delete(tree);

    program_run run = program_succeeds("solve --csv --chain x.tra --rewards r --states");
    int state;
    double p, reward;
    cr_assert_eq(strncmp(run.out, "state,probability,reward,name\n0,", 32), 0, "%s", run.out);
    cr_assert_eq(sscanf(strchr(run.out, '\n') + 1, "%d,%lf,%lf,\"(7)\"", &state, &p, &reward), 3);
    cr_assert(fabs(p - 0.4) < 1e-15 && reward == 1);
    program_free(&run);

    run = program_succeeds("solve --chain x.tra --states");
    cr_assert(strstr(run.out, "no rewards given") && strstr(run.out, "label init") &&
                  strstr(run.out, "(8)") && strstr(run.out, "2 states, 4 transitions"),
              "%s", run.out);
    cr_assert_lt(strstr(run.out, "(8)"), strstr(run.out, "(7)"), "the most likely state first");
    program_free(&run);

    run = program_succeeds("solve --csv --chain x.tra --solver lu");
    cr_assert(strstr(run.out, ",2,4,0,1,"), "%s", run.out);
    cr_assert_eq(csv_row(run.out, "solver", "lu"), 1);
    program_free(&run);

    /* a .mtx counts from 1, also in the output */
    write_file("x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n"
                        "1 1 0.4\n1 2 0.6\n2 1 0.4\n2 2 0.6\n");
    run = program_succeeds("solve --csv --states --chain x.mtx");
    cr_assert(strstr(run.out, "\n1,0.4") && strstr(run.out, "\n2,") && !strstr(run.out, "\n0,"),
              "%s", run.out);
    program_free(&run);
}

/* Two pairs of states coupled by 1e-13: an iteration on them settles before they do. */
#define COUPLED                                                                                    \
    "4 8\n0 0 0.4999999999999\n0 1 0.5\n0 2 1e-13\n1 0 1\n"                                        \
    "2 2 0.2999999999999\n2 3 0.7\n2 0 1e-13\n3 2 1\n"

Test(cli_solve_chain, an_answer_that_is_not_proven_is_not_a_success)
{
    static const char *const solvers[] = {"auto", "aggregation", "gauss-seidel"};

    write_file("x.tra", COUPLED);
    write_file("r", "1\n0\n0\n1\n");
    for (int k = 0; k < 6; k++) {
        const char *rewards = k % 2 ? "--rewards r" : "";
        program_run run =
            program("solve --json --chain x.tra %s --solver %s", rewards, solvers[k / 2]);
        cr_expect_eq(run.status, 1, "%s: %d", solvers[k / 2], run.status);
        cr_expect(strstr(run.err, "proven") && strstr(run.err, "--tol"), "%s", run.err);
        cr_expect(strstr(run.out, "\"converged\":\tfalse"), "%s", run.out);
        program_free(&run);
    }
    write_file("x.tra", TWO);
    write_file("r", "1\n2\n");
    program_run run = program("solve --chain x.tra --rewards r --tol 1e-15");
    cr_expect_eq(run.status, 1);
    cr_expect(strstr(run.err, "not 1e-15 as wanted (--tol)"), "%s", run.err);
    program_free(&run);
    run = program_succeeds("solve --chain x.tra --rewards r --tol 1e-14");
    program_free(&run);
}

Test(cli_solve_chain, more_states_than_are_printed)
{
    FILE *file = fopen("x.tra", "w");

    fputs("50 50\n", file);
    for (int s = 0; s < 50; s++)
        fprintf(file, "%d %d 1\n", s, (s + 1) % 50);
    fclose(file);
    program_run run = program_succeeds("solve --chain x.tra --states");
    cr_assert(strstr(run.out, "and 30 more") && strstr(run.out, "period 50"), "%s", run.out);
    program_free(&run);

    /* each half as likely as the one before: the most likely ones are printed, in that order */
    file = fopen("x.tra", "w");
    fputs("30 60\n", file);
    for (int s = 0; s < 30; s++)
        fprintf(file, "%d 0 0.5\n%d %d 0.5\n", s, s, (s + 1) % 30);
    fclose(file);
    run = program_succeeds("solve --chain x.tra --states");
    const char *at = strstr(run.out, "probability\n") + strlen("probability\n");
    for (int s = 0; s < 20; s++) {
        int state = -1;
        cr_assert(sscanf(at, "%d", &state) == 1 && state == s, "%s", run.out);
        at = strchr(at, '\n') + 1;
    }
    cr_assert(strstr(at, "and 10 more"), "%s", run.out);
    program_free(&run);
}

Test(cli_solve_chain, structure)
{
    /* periodic: the long-run average */
    write_file("x.tra", "2 2\n0 1 1\n1 0 1\n");
    write_file("r", "0\n3\n");
    cJSON *tree = program_json("solve --json --chain x.tra --rewards r");
    cr_assert_eq(json_number(tree, "result.mean_reward"), 1.5);
    cr_assert_eq(json_number(tree, "chain.period"), 2);
    cJSON_Delete(tree);
    program_run run = program("solve --chain x.tra --solver power");
    expect_refusal(&run, 2, "period 2", NULL);
    program_free(&run);

    /* transient: the first state is left for ever, and its reward does not count */
    write_file("x.tra", "3 4\n0 1 0.5\n0 2 0.5\n1 2 1\n2 1 1\n");
    write_file("r", "100\n1\n3\n");
    tree = program_json("solve --json --chain x.tra --rewards r --states");
    cr_assert_eq(json_number(tree, "result.mean_reward"), 2);
    cr_assert_eq(json_number(tree, "chain.transient_states"), 1);
    cr_assert_eq(json_number(cJSON_GetArrayItem(json_at(tree, "result.states"), 0), "probability"),
                 0);
    cJSON_Delete(tree);

    /* reducible: no single answer */
    write_file("x.tra", "3 4\n0 1 0.5\n0 2 0.5\n1 1 1\n2 2 1\n");
    run = program("solve --chain x.tra --json");
    expect_refusal(&run, 2, "reducible", "2 closed classes");
    program_free(&run);

    /* one state */
    write_file("x.tra", "1 1\n0 0 1\n");
    write_file("r", "0.125\n");
    tree = program_json("solve --json --chain x.tra --rewards r --states");
    cr_assert_eq(json_number(tree, "result.mean_reward"), 0.125);
    cJSON_Delete(tree);
}

Test(cli_solve_chain, what_does_not_go_together)
{
    static const struct {
        const char *options, *name, *value;
    } cases[] = {
        {"--chain x.tra --buffer damq", "--buffer", "--chain"},
        {"--chain x.tra --load 0.5", "--load", "--chain"},
        {"--chain x.tra --queue-max 2", "--queue-max", "--chain"},
        {"--chain x.tra --reduce none", "--reduce", "--chain"},
        {"--chain x.tra --target 0.1", "--target", "--chain"},
        {"--chain x.tra --json --csv", "--json", "--csv"},
        {"--chain x.tra --solver magic", "magic", NULL},
        {"--rewards r --buffer damq --slots 2 --load 0.5", "--rewards", "--chain"},
        {"--states --buffer damq --slots 2 --load 0.5", "--states", "--chain"},
        {"--chain nix.tra", "nix.tra", "No such file"},
        {"--chain x.tra --rewards nix", "nix", "No such file"},
        {"--chain x.txt", ".tra, .mtx, .drn, .csv or .npy", "x.txt"},
        {"--chain bad.tra", "line 2", "'nan'"},
        {"--chain .", ".tra, .mtx, .drn, .csv or .npy", NULL},
    };

    write_file("x.tra", TWO);
    write_file("bad.tra", "1 1\n0 0 nan\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("solve %s", cases[k].options);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
    program_run run = program("solve --chain x.tra --mem 1K");
    expect_refusal(&run, 3, "memory limit", NULL);
    program_free(&run);
}

/* A valid bound, although the iteration was cut short. */
Test(cli_solve_chain, the_last_iterate_comes_with_status_1)
{
    write_file("x.tra", "3 6\n0 0 0.9999\n0 1 0.0001\n1 1 0.9998\n1 2 0.0002\n2 2 0.9997\n"
                        "2 0 0.0003\n");
    write_file("r", "1\n0\n0\n");
    program_run run =
        program("solve --json --chain x.tra --rewards r --solver power --max-iterations 3");
    cr_assert_eq(run.status, 1, "%s", run.err);
    cJSON *tree = cJSON_Parse(run.out);
    cr_assert(tree);
    double truth = (1 / 0.0001) / (1 / 0.0001 + 1 / 0.0002 + 1 / 0.0003);
    cr_assert(json_number(tree, "result.mean_reward_lower") <= truth &&
              truth <= json_number(tree, "result.mean_reward_upper"));
    cJSON_Delete(tree);
    program_free(&run);
}
