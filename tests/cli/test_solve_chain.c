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

/* DRN has all that PRISM's files have but names of states. */
Test(cli_solve_chain, drn_gives_the_numbers_of_prism)
{
    static const char *const keys[] = {"result.mean_reward", "result.mean_reward_lower",
                                       "result.mean_reward_upper", "solver.relative_error"};

    for (int k = 0; k < 2; k++) {
        program_run run = program("export --format %s -o x --buffer samq --slots 4 --load 0.7",
                                  k ? "drn" : "prism");
        cr_assert_eq(run.status, 0, "%s", run.err);
        program_free(&run);
    }
    cJSON *tra = program_json("solve --json --chain x.tra"),
          *drn = program_json("solve --json --chain x.drn");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        cr_expect_eq(json_number(tra, keys[k]), json_number(drn, keys[k]), "%s", keys[k]);
    cr_expect_str_eq(json_string(drn, "result.reward"), "refused");
    cJSON_Delete(tra);
    cJSON_Delete(drn);
}

static void expect_proven(const cJSON *tree, const char *key, double truth)
{
    char lower[64], upper[64];

    snprintf(lower, sizeof lower, "%s_lower", key);
    snprintf(upper, sizeof upper, "%s_upper", key);
    cr_expect(json_number(tree, lower) <= truth * (1 + 1e-15) &&
                  truth * (1 - 1e-15) <= json_number(tree, upper),
              "%s: %.17g is not in %.17g to %.17g", key, truth, json_number(tree, lower),
              json_number(tree, upper));
    cr_expect_leq(json_number(tree, upper) - json_number(tree, lower), 1e-11 * truth, "%s", key);
}

/* M/M/1/2 with 3 and 4 by rates: 16, 12, 9 in 37; with and without the diagonal. */
Test(cli_solve_chain, rates)
{
    write_file("q.csv", "0,1,3\n1,0,4\n1,2,3\n2,1,4\n");
    write_file("q.tra", "3 7\n0 0 -3\n0 1 3\n1 0 4\n1 1 -7\n1 2 3\n2 1 4\n2 2 -4\n");
    write_file("q.drn", "@type: CTMC\n@parameters\n\n@reward_models\nn\n@nr_states\n3\n@model\n"
                        "state 0 !3 [0]\naction 0\n1 : 3\nstate 1 !7 [1]\naction 0\n0 : 4\n2 : 3\n"
                        "state 2 !4 [2]\naction 0\n1 : 4\n");
    write_file("r", "0\n1\n2\n");
    static const char *const files[] = {"q.csv --rewards r", "q.tra --rewards r", "q.drn"};
    for (int k = 0; k < 3; k++) {
        cJSON *tree = program_json("solve --json --states --rates --chain %s", files[k]);
        expect_proven(tree, "result.mean_reward", (12 + 2 * 9) / 37.0);
        const cJSON *last = cJSON_GetArrayItem(json_at(tree, "result.states"), 2);
        assert_relative(json_number(last, "probability"), 9 / 37.0, 1e-13, "pi");
        cJSON_Delete(tree);
    }
    /* from empty to full: (1/3)(1 + 7/3 ...) by hand: t1 = 1/3 + t0', 1 up from 0 takes 1/3, from 1
     * it takes 1/7 + 4/7 (1/3 + t) = t, so t = 7/9 * (1/7 + 4/21) = 7/9 */
    cJSON *tree = program_json("solve --json --rates --chain q.csv --start 0 --until 2");
    expect_proven(tree, "result.mean_time", 1 / 3.0 + 7 / 9.0);
    cr_expect_eq(json_number(tree, "result.arrives"), 1);
    cJSON_Delete(tree);
    program_run run = program_succeeds("solve --rates --chain q.csv --rewards r");
    cr_expect(strstr(run.out, "per unit of time") && !strstr(run.out, "period"), "%s", run.out);
    program_free(&run);
}

/* Of 1, 2, 3 and 8 the path from 1 ends in 0 with 4/7 and in 3 with 3/7, after 12/7 steps. */
#define RUIN "4 6\n0 0 1\n1 0 0.5\n1 2 0.5\n2 1 0.25\n2 3 0.75\n3 3 1\n"

Test(cli_solve_chain, from_a_start)
{
    write_file("x.tra", RUIN);
    write_file("r", "1\n2\n3\n8\n");
    cJSON *tree = program_json("solve --json --states --chain x.tra --rewards r --start 1");
    const cJSON *endings = json_at(tree, "result.endings");
    cr_assert_eq(cJSON_GetArraySize(endings), 2);
    expect_proven(cJSON_GetArrayItem(endings, 0), "probability", 4 / 7.0);
    expect_proven(cJSON_GetArrayItem(endings, 1), "probability", 3 / 7.0);
    cr_expect_eq(json_number(cJSON_GetArrayItem(endings, 1), "state"), 3);
    expect_proven(tree, "result.mean_time", 12 / 7.0);
    expect_proven(tree, "result.mean_reward", 28 / 7.0);
    cr_expect_eq(json_number(tree, "chain.start"), 1);
    cJSON_Delete(tree);

    /* until 3: with 3/7; until 0 or 3: always; states 1 and 2 give 2 and 3 while they last */
    tree = program_json("solve --json --chain x.tra --start 1 --until 3");
    expect_proven(tree, "result.arrives", 3 / 7.0);
    cr_expect(!cJSON_GetObjectItem(json_at(tree, "result"), "mean_time"), "infinite");
    cJSON_Delete(tree);
    tree = program_json("solve --json --chain x.tra --rewards r --start 1 --until 0,3-3 --after 2");
    expect_proven(tree, "result.mean_time", 12 / 7.0);
    expect_proven(tree, "result.collected", (2 * 8 + 3 * 4) / 7.0);
    expect_proven(tree, "result.arrived", 0.5 + 0.5 * 0.75);
    cJSON_Delete(tree);

    /* labels; init begins where there is no --start */
    write_file("x.lab", "0=\"init\" 1=\"ends\"\n0: 1\n1: 0\n3: 1\n");
    tree = program_json("solve --json --chain x.tra --start 2 --until ends");
    expect_proven(tree, "result.mean_time", 10 / 7.0);
    cJSON_Delete(tree);
    tree = program_json("solve --json --chain x.tra");
    cr_expect_eq(json_number(tree, "chain.start"), 1);
    cr_expect_eq(cJSON_GetArraySize(json_at(tree, "result.endings")), 2);
    cJSON_Delete(tree);
}

Test(cli_solve_chain, at_a_time)
{
    write_file("x.tra", TWO);
    write_file("r", "1\n2\n");
    /* both rows are 0.4, 0.6: from the first step on */
    cJSON *tree =
        program_json("solve --json --states --chain x.tra --rewards r --start 1 --after 9");
    expect_proven(tree, "result.reward_then", 1.6);
    cJSON_Delete(tree);
    tree =
        program_json("solve --json --states --rates --chain x.tra --rewards r --start 1 --after 2");
    expect_proven(tree, "result.reward_then", 1.6 + 0.4 * exp(-2));
    cJSON_Delete(tree);
    program_run run = program("solve --chain x.tra --start 0 --after 1000000 --tol 1e-13");
    cr_expect_eq(run.status, 1);
    cr_expect(strstr(run.err, "--tol"), "%s", run.err);
    program_free(&run);
}

Test(cli_solve_chain, rounded_rows)
{
    write_file("x.csv", "0,0,0.33\n0,1,0.66\n1,0,1\n");
    program_run run = program("solve --chain x.csv");
    expect_refusal(&run, 2, "sum to 0.99", "--normalise");
    program_free(&run);
    run = program("solve --chain x.csv --normalise 0.009");
    expect_refusal(&run, 2, "sum to 0.99", "0.009");
    program_free(&run);
    cJSON *tree = program_json("solve --json --states --chain x.csv --normalise 0.02");
    assert_relative(
        json_number(cJSON_GetArrayItem(json_at(tree, "result.states"), 0), "probability"), 0.6,
        1e-14, "2/3 leads on, all leads back");
    assert_relative(json_number(tree, "chain.row_sum_error"), 0.01, 1e-12, "told");
    cJSON_Delete(tree);
}

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
        {"--rates --buffer damq --slots 2 --load 0.5", "--rates", "--chain"},
        {"--start 0 --buffer damq --slots 2 --load 0.5", "--start", "--chain"},
        {"--chain x.tra --until 1", "--until", "--start"},
        {"--chain x.tra --after 1", "--after", "--start"},
        {"--chain x.tra --start 2", "--start", "'2'"},
        {"--chain x.tra --start 0x", "--start", "'0x'"},
        {"--chain x.tra --start 0 --until 1-0", "--until", "'1-0'"},
        {"--chain x.tra --start 0 --until 1,", "--until", "'1,'"},
        {"--chain x.tra --start 0 --until nix", "--until", "'nix'"},
        {"--chain x.tra --start 0 --until 1 --states", "--until", "--states"},
        {"--chain x.tra --start 0 --after 1.5", "--after", "1.5"},
        {"--chain x.tra --start 0 --after -1", "--after", "-1"},
        {"--chain x.tra --start 0 --after 1 --solver gth", "--after", "--solver"},
        {"--chain x.tra --normalise 2", "--normalise", "'2'"},
        {"--chain fast.csv", "line 1", "--rates"},
        {"--chain bad.csv --rates", "state 0", "diagonal"},
        {"--chain x.txt", ".tra, .mtx, .drn, .csv or .npy", "x.txt"},
        {"--chain bad.tra", "line 2", "'nan'"},
        {"--chain .", ".tra, .mtx, .drn, .csv or .npy", NULL},
    };

    write_file("x.tra", TWO);
    write_file("bad.tra", "1 1\n0 0 nan\n");
    write_file("fast.csv", "0,1,3\n1,0,4\n");
    write_file("bad.csv", "0,1,3\n0,0,-2\n1,0,4\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("solve %s", cases[k].options);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
    program_run run = program("solve --chain fast.csv --rates --start 0 --after 1e12");
    expect_refusal(&run, 3, "steps would be needed", NULL);
    program_free(&run);
    run = program("solve --chain x.tra --mem 1K");
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

/* A matrix of rows is the same chain as the list of its entries; its zeros are no transitions. */
Test(cli_solve_chain, csv_of_rows)
{
    write_file("rows.csv", "0.5, 0.5, 0, 0\n0;0.25;0.75;0\n# by hand\n0,0,0,1\n1/2,0,1/2,0\n");
    write_file("list.csv", "0,0,0.5\n0,1,0.5\n1,1,0.25\n1,2,0.75\n2,3,1\n3,0,0.5\n3,2,0.5\n");
    cJSON *rows = program_json("solve --chain rows.csv --json");
    cJSON *list = program_json("solve --chain list.csv --json");

    cr_expect_float_eq(json_number(rows, "chain.transitions"), 7, 0);
    cr_expect(cJSON_Compare(json_at(rows, "result"), json_at(list, "result"), true));
    cJSON_Delete(rows);
    cJSON_Delete(list);
    program_run a = program_succeeds("solve --chain rows.csv --states --csv");
    program_run b = program_succeeds("solve --chain list.csv --states --csv");
    cr_expect_str_eq(a.out, b.out);
    program_free(&a);
    program_free(&b);
}
