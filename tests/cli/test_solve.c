/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve: what it prints in its three forms, that the three agree, and the keys that other
 * programs rely on. That the numbers are right is for tests/exact; a few known ones are asserted
 * here so that no number ends up under another's name.
 */
#include "tests/cli/program.h"

TestSuite(cli_solve, .init = program_begin, .fini = program_end, .timeout = 240);

#define DAMQ "solve --buffer damq --slots 4 --load 0.9"

static int count_lines(const char *text)
{
    int lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

Test(cli_solve, text_tells_the_model_the_answer_and_how_it_was_found)
{
    static const char *const expected[] = {
        ("damq, 2 x 2, 4 slots per input port, load 0.9, flow discard, credit same, arbiter "
         "random,"),
        "discard probability    0.0336438363",
        "proven to within",
        "throughput             0.869720547",
        "packets per output and cycle",
        "mean packets           3.99385",
        "mean delay             3.29605 cycles",
        "discarded by input     0.0336438 0.0336438\n",
        "buffer full            0.0336438 0.0336438\n",
        "packets held      buffer 0      buffer 1\n",
        "             0     0.0786017     0.0786017\n",
        "             4     0.0336438     0.0336438\n",
        "140 states (225 with all contents written out), 1412 transitions",
        "solved by gth",
        "auto: ",
        "residual",
    };
    program_run run = program_succeeds(DAMQ " --reduce none");

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    program_free(&run);
}

Test(cli_solve, json_has_every_key_of_the_design)
{
    static const char *const numbers[] = {
        "model.ports", "model.slots", "model.load", "chain.states", "chain.states_unreduced",
        "chain.transitions", "solver.iterations", "solver.residual", "solver.seconds",
        "solver.peak_bytes", "result.discard_probability", "result.discard_lower",
        "result.discard_upper", "result.throughput", "result.mean_packets",
        "result.mean_delay_cycles",
        /* additional fields */
        "model.capacity", "model.queue_min", "model.queue_max", "model.alpha",
        "chain.intermediate_states", "chain.transient_states", "chain.period",
        "solver.relative_error", "result.throughput_lower", "result.throughput_upper",
        "result.refusal_probability"};
    static const char *const strings[][2] = {
        {"schema", "switchq/solve/1"}, {"model.buffer", "damq"},    {"model.flow", "discard"},
        {"model.credit", "same"},      {"model.arbiter", "random"}, {"model.traffic", "uniform"},
        {"model.scope", "input"},      {"model.queues", "output"},  {"model.read", "one"},
        {"model.pool_rule", "room"},   {"solver.name", "gth"}};
    cJSON *tree = program_json(DAMQ " --reduce none --json");

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        json_number(tree, numbers[k]);
    for (size_t k = 0; k < sizeof strings / sizeof *strings; k++)
        cr_assert_str_eq(json_string(tree, strings[k][0]), strings[k][1]);
    cr_assert(strlen(json_string(tree, "solver.why")) > 0);
    cr_assert(cJSON_IsTrue(json_at(tree, "solver.converged")));
    cr_assert_eq(json_number(tree, "model.ports"), 2);
    cr_assert_eq(json_number(tree, "model.slots"), 4);
    cr_assert_eq(json_number(tree, "model.load"), 0.9);
    cr_assert_eq(json_number(tree, "chain.states"), 140);
    cr_assert_eq(json_number(tree, "chain.states_unreduced"), 225);
    cr_assert_eq(json_number(tree, "chain.transitions"), 1412);
    cr_assert(json_number(tree, "solver.peak_bytes") > 140 * 1412 / 10);
    cr_assert(json_number(tree, "result.discard_lower") <=
              json_number(tree, "result.discard_probability"));
    cr_assert(json_number(tree, "result.discard_probability") <=
              json_number(tree, "result.discard_upper"));
    assert_relative(json_number(tree, "result.discard_probability"), 0.033643836371766815, 1e-11,
                    "discard");
    /* Little's law and conservation relate the other figures to it */
    double thru = json_number(tree, "result.throughput");
    assert_relative(thru, 0.9 * (1 - json_number(tree, "result.discard_probability")), 1e-12,
                    "throughput");
    assert_relative(json_number(tree, "result.mean_delay_cycles"),
                    1 + json_number(tree, "result.mean_packets") / (2 * thru), 1e-12, "delay");
    cJSON_Delete(tree);
}

Test(cli_solve, json_tells_inputs_and_buffers_apart)
{
    cJSON *tree = program_json("solve --buffer fifo --slots 3 --load 0.4,0.8 --json");
    const cJSON *load = json_at(tree, "model.load"), *by = json_at(tree, "result.discard_by_input");
    const cJSON *occupancy = json_at(tree, "result.occupancy_distribution");

    cr_assert_eq(cJSON_GetArraySize(load), 2);
    cr_assert_eq(cJSON_GetArrayItem(load, 0)->valuedouble, 0.4);
    cr_assert_eq(cJSON_GetArrayItem(load, 1)->valuedouble, 0.8);
    cr_assert_eq(cJSON_GetArraySize(by), 2);
    cr_assert(cJSON_GetArrayItem(by, 0)->valuedouble < cJSON_GetArrayItem(by, 1)->valuedouble);
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "result.refusal_by_input")), 2);
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "result.buffer_full")), 2);
    cr_assert_eq(cJSON_GetArraySize(occupancy), 2);
    for (int b = 0; b < 2; b++) {
        double sum = 0;
        cr_assert_eq(cJSON_GetArraySize(cJSON_GetArrayItem(occupancy, b)), 4);
        for (int k = 0; k < 4; k++)
            sum += cJSON_GetArrayItem(cJSON_GetArrayItem(occupancy, b), k)->valuedouble;
        assert_relative(sum, 1, 1e-13, "buffer %d", b);
    }
    cJSON_Delete(tree);
    /* one load for all, written out, is the same as one load */
    tree = program_json("solve --buffer fifo --slots 3 --load 0.4,0.4 --json");
    cr_assert_eq(json_number(tree, "model.load"), 0.4);
    cJSON_Delete(tree);
}

Test(cli_solve, json_tells_the_traffic)
{
    cJSON *tree = program_json(DAMQ " --traffic hotspot:0.2:1 --json");
    const cJSON *row = cJSON_GetArrayItem(json_at(tree, "model.destinations"), 1);

    cr_assert_str_eq(json_string(tree, "model.traffic"), "hotspot");
    cr_assert_eq(json_number(tree, "model.hot_fraction"), 0.2);
    cr_assert_eq(json_number(tree, "model.hot_output"), 1);
    assert_relative(cJSON_GetArrayItem(row, 0)->valuedouble, 0.4, 1e-15, "cold");
    assert_relative(cJSON_GetArrayItem(row, 1)->valuedouble, 0.6, 1e-15, "hot");
    cJSON_Delete(tree);
}

/* Every number of the CSV row equals that of the JSON, to the last bit. */
static void compare_csv_with_json(const char *arguments)
{
    static const char *const path[][2] = {
        {"buffer", "model.buffer"},
        {"ports", "model.ports"},
        {"slots", "model.slots"},
        {"load", "model.load"},
        {"flow", "model.flow"},
        {"credit", "model.credit"},
        {"arbiter", "model.arbiter"},
        {"traffic", "model.traffic"},
        {"states", "chain.states"},
        {"transitions", "chain.transitions"},
        {"solver", "solver.name"},
        {"discard_probability", "result.discard_probability"},
        {"discard_lower", "result.discard_lower"},
        {"discard_upper", "result.discard_upper"},
        {"throughput", "result.throughput"},
        {"mean_packets", "result.mean_packets"},
        {"mean_delay_cycles", "result.mean_delay_cycles"},
        {"refusal_probability", "result.refusal_probability"},
        {"saturation_throughput", "result.saturation_throughput"},
    };
    cJSON *tree = program_json("%s --json", arguments);
    program_run run = program_succeeds("%s --csv", arguments);
    bool block = strcmp(json_string(tree, "model.flow"), "block") == 0;

    cr_assert_eq(count_lines(run.out), 2, "%s", run.out);
    for (size_t k = 0; k < sizeof path / sizeof *path; k++) {
        if (k + 1 == sizeof path / sizeof *path && !block) {
            cr_assert(!csv_has(run.out, path[k][0]));
            continue;
        }
        const cJSON *item = json_at(tree, path[k][1]);
        char *field = csv_cell(run.out, 1, path[k][0]);
        if (cJSON_IsString(item))
            cr_assert_str_eq(field, item->valuestring);
        else if (cJSON_IsNull(item))
            cr_assert_str_empty(field);
        else
            cr_assert_eq(strtod(field, NULL), item->valuedouble, "%s: %s, not %.17g", path[k][0],
                         field, item->valuedouble);
        free(field);
    }
    program_free(&run);
    cJSON_Delete(tree);
}

Test(cli_solve, csv_is_the_same_as_json)
{
    compare_csv_with_json(DAMQ);
    compare_csv_with_json(DAMQ " --flow block");
    compare_csv_with_json("solve --buffer cbda --slots 2 --load 0.123456789012345678 --ports 3");
    compare_csv_with_json("solve --buffer fifo --slots 2 --load 0");
}

/* A number that is read back must be the one that was computed, since the bounds are proven for it
 * and not for its neighbours. CSV has all 17 digits, so the JSON must agree with it to the last
 * bit. */
Test(cli_solve, json_numbers_are_exact)
{
    static const char *const keys[] = {"discard_probability", "discard_lower", "discard_upper",
                                       "throughput",          "mean_packets",  "mean_delay_cycles",
                                       "refusal_probability"};

    for (int tenth = 1; tenth < 10; tenth += 2) {
        cJSON *tree = program_json("solve --buffer damq --slots 4 --load 0.%d --json", tenth);
        program_run run =
            program_succeeds("solve --buffer damq --slots 4 --load 0.%d --csv", tenth);
        for (int k = 0; k < 7; k++) {
            char *field = csv_cell(run.out, 1, keys[k]), path[40];
            double value = strtod(field, NULL);
            snprintf(path, sizeof path, "result.%s", keys[k]);
            cr_expect_eq(json_number(tree, path), value, "load 0.%d, %s: %.17g, in CSV %.17g",
                         tenth, keys[k], json_number(tree, path), value);
            free(field);
        }
        program_free(&run);
        cJSON_Delete(tree);
    }
}

Test(cli_solve, csv_joins_different_loads_by_semicolons)
{
    program_run run = program_succeeds("solve --buffer fifo --slots 1 --load 0.25,0.75 --csv");

    cr_assert(strstr(run.out, "\nfifo,2,1,input-queued,0.25;0.75,discard,same,random,uniform,"),
              "%s", run.out);
    program_free(&run);
}

Test(cli_solve, what_is_undefined_is_null_or_empty)
{
    cJSON *tree = program_json("solve --buffer damq --slots 2 --load 0 --json");

    cr_assert(cJSON_IsNull(json_at(tree, "result.mean_delay_cycles")));
    cr_assert_eq(json_number(tree, "result.discard_probability"), 0);
    cr_assert_eq(json_number(tree, "result.discard_upper"), 0);
    cr_assert_eq(json_number(tree, "chain.states"), 1);
    cJSON_Delete(tree);
    program_run run = program_succeeds("solve --buffer damq --slots 2 --load 0");
    cr_assert(strstr(run.out, "discard probability    0 exactly"));
    cr_assert(!strstr(run.out, "mean delay") && !strstr(run.out, "nan"), "%s", run.out);
    program_free(&run);
}

/* A loss too small for a double is still not zero: buffers fill up at any load. */
Test(cli_solve, nothing_is_said_to_be_zero_that_is_not)
{
    static const char *const switches[] = {"--buffer fifo --slots 6 --load 1e-28",
                                           "--buffer fifo --slots 6 --load 1e-30"};

    for (int k = 0; k < 2; k++) {
        program_run run = program("solve %s", switches[k]);
        cr_expect_eq(run.status, 1, "%s", run.err);
        cr_expect(strstr(run.err, "could be proven"), "%s", run.err);
        cr_expect(strstr(run.out, "(proven to lie in 0 .. "), "%s", run.out);
        cr_expect(!strstr(run.out, "0 exactly"), "%s: %s", switches[k], run.out);
        program_free(&run);
    }
}

/* One buffer is not yet a pool. */
Test(cli_solve, the_columns_are_named_after_what_they_are)
{
    static const struct {
        const char *arguments, *name;
    } cases[] = {{"--buffer cbda --ports 2", "  the pool\n"},
                 {"--buffer cbda --ports 1", "  the pool\n"},
                 {"--buffer fifo --ports 1", "  buffer 0\n"},
                 {"--buffer damq --ports 3", "  buffer 0      buffer 1      buffer 2\n"}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program_succeeds("solve %s --slots 2 --load 0.9", cases[c].arguments);
        cr_expect(strstr(run.out, cases[c].name), "%s: no '%s' in: %s", cases[c].arguments,
                  cases[c].name, run.out);
        program_free(&run);
    }
}

Test(cli_solve, blocking_has_its_own_figures)
{
    cJSON *tree = program_json(DAMQ " --flow block --json");
    program_run run = program_succeeds(DAMQ " --flow block");

    cr_assert_str_eq(json_string(tree, "model.credit"), "next");
    cr_assert_eq(json_number(tree, "result.discard_probability"), 0);
    cr_assert(json_number(tree, "result.refusal_probability") > 0);
    cr_assert(json_number(tree, "result.mean_held_packets") > 0);
    cr_assert(json_number(tree, "result.mean_source_wait_cycles") > 0);
    double saturation = json_number(tree, "result.saturation_throughput");
    cr_assert(json_number(tree, "result.saturation_lower") <= saturation &&
              saturation <= json_number(tree, "result.saturation_upper"));
    cr_assert(json_number(tree, "result.throughput") < saturation);
    cr_assert(strstr(run.out, "saturation throughput") && strstr(run.out, "mean wait at source") &&
              strstr(run.out, "refused"));
    cr_assert(!strstr(run.out, "discard probability"), "%s", run.out);
    program_free(&run);
    cJSON_Delete(tree);
}

/* A matrix on the command line, the same matrix in a file with comments and irregular blanks, and
 * the pattern that it equals: the same chain. */
Test(cli_solve, a_matrix_may_come_in_a_file)
{
    FILE *file = fopen("m.txt", "w");
    double discard[3];
    static const char *const traffic[] = {"matrix:0.4,0.6/0.4,0.6", "file:m.txt", "hotspot:0.2:1"};

    fputs("# to the left, to the right\n  0.4,\t0.6 \r\n0.4 , 0.6 # second input\n\n", file);
    fclose(file);
    for (int k = 0; k < 3; k++) {
        cJSON *tree = program_json(DAMQ " --traffic %s --json", traffic[k]);
        cr_assert_str_eq(json_string(tree, "model.traffic"), k < 2 ? "matrix" : "hotspot");
        discard[k] = json_number(tree, "result.discard_probability");
        cJSON_Delete(tree);
    }
    cr_assert_eq(discard[0], discard[1]);
    assert_relative(discard[0], discard[2], 1e-12, "%.17g %.17g", discard[0], discard[2]);
}

/* All solvers that `list` names, on one switch. */
Test(cli_solve, every_solver_that_is_listed_gives_the_answer)
{
    cJSON *list = program_json("list solvers --json");
    const cJSON *row;

    cJSON_ArrayForEach(row, json_at(list, "solvers"))
    {
        cJSON *tree =
            program_json(DAMQ " --reduce none --json --solver %s", json_string(row, "name"));
        double value = json_number(tree, "result.discard_probability");
        assert_relative(value, 0.033643836371766815, 1e-9, "%s: %.17g", json_string(row, "name"),
                        value);
        bool automatic = strcmp(json_string(row, "name"), "auto") == 0;
        cr_assert_str_eq(json_string(tree, "solver.name"),
                         automatic ? "gth" : json_string(row, "name"));
        cr_assert_eq(automatic, cJSON_HasObjectItem(json_at(tree, "solver"), "why"));
        cJSON_Delete(tree);
    }
    cJSON_Delete(list);
}

/* All buffers with all arbiters, both flows, both credits. */
Test(cli_solve, everything_that_is_listed_can_be_solved)
{
    cJSON *list = program_json("list --json");
    const cJSON *buffer, *arbiter;
    int turn = 0;

    cJSON_ArrayForEach(buffer, json_at(list, "buffers"))
    {
        cJSON_ArrayForEach(arbiter, json_at(list, "arbiters"))
        {
            if (strcmp(json_string(buffer, "name"), "cbda") == 0)
                continue; /* a pool has no arbiter */
            cJSON *tree = program_json(
                "solve --buffer %s --arbiter %s --slots 2 --load 0.6 --flow %s --credit %s --json",
                json_string(buffer, "name"), json_string(arbiter, "name"),
                turn % 2 ? "block" : "discard", turn % 3 ? "same" : "next");
            turn++;
            cr_assert_str_eq(json_string(tree, "model.buffer"), json_string(buffer, "name"));
            cr_assert_str_eq(json_string(tree, "model.arbiter"), json_string(arbiter, "name"));
            cr_assert(json_number(tree, "result.throughput") > 0.4);
            cJSON_Delete(tree);
        }
    }
    cr_assert(turn >= 42, "%d", turn);
    cJSON *pool = program_json("solve --buffer cbda --slots 2 --load 0.6 --json");
    cr_assert(json_number(pool, "result.throughput") > 0.4);
    cJSON_Delete(pool);
    cJSON_Delete(list);
}

/* The four choices of a buffer can be overridden one by one, which the model shows. */
Test(cli_solve, a_preset_can_be_overridden)
{
    cJSON *tree = program_json("solve --buffer fifo --slots 4 --load 0.9 --queues output --read "
                               "queue --queue-max 3 --queue-min 1 --alpha 1.5 --json");
    cr_assert_str_eq(json_string(tree, "model.queues"), "output");
    cr_assert_str_eq(json_string(tree, "model.read"), "queue");
    cr_assert_eq(json_number(tree, "model.queue_max"), 3);
    cr_assert_eq(json_number(tree, "model.queue_min"), 1);
    cr_assert_eq(json_number(tree, "model.alpha"), 1.5);
    cJSON_Delete(tree);
    /* a fifo with a queue per output is a damq; with a read port for each queue, a dafc; as a pool,
     * a cbda */
    static const char *const same[][2] = {
        {"--buffer fifo --queues output", "--buffer damq"},
        {"--buffer fifo --queues output --read queue", "--buffer dafc"},
        {"--buffer damq --read queue", "--buffer dafc"},
        {"--buffer dafc --scope pool", "--buffer cbda"},
        {"--buffer samq --queue-min 0 --queue-max 4", "--buffer damq"},
    };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            tree = program_json("solve %s --slots 4 --load 0.9 --json", same[k][side]);
            value[side] = json_number(tree, "result.discard_probability");
            cJSON_Delete(tree);
        }
        assert_relative(value[0], value[1], 1e-12, "%s: %.17g, %s: %.17g", same[k][0], value[0],
                        same[k][1], value[1]);
    }
}

/* A reduction changes the number of states and nothing else. */
Test(cli_solve, a_reduced_chain_gives_the_same_answers)
{
    static const char *const switches[] = {
        "--buffer damq --slots 4 --load 0.9", "--buffer fifo --slots 5 --load 0.8 --flow block",
        "--buffer cbda --slots 3 --load 0.9", "--buffer samq --ports 3 --slots 3 --load 0.7"};
    static const char *const keys[] = {"result.discard_probability", "result.throughput",
                                       "result.mean_packets", "result.mean_delay_cycles",
                                       "result.refusal_probability"};

    for (int k = 0; k < 4; k++) {
        cJSON *all = program_json("solve %s --json --reduce none", switches[k]);
        cJSON *few = program_json("solve %s --json --reduce auto", switches[k]);
        cJSON *plain = program_json("solve %s --json", switches[k]);
        cr_assert(json_number(few, "chain.states") < json_number(all, "chain.states"));
        cr_assert_eq(json_number(plain, "chain.states"), json_number(few, "chain.states"));
        cr_assert_eq(json_number(few, "chain.states_unreduced"),
                     json_number(all, "chain.states_unreduced"));
        for (int i = 0; i < 5; i++)
            assert_relative(json_number(all, keys[i]), json_number(few, keys[i]), 1e-11, "%s: %s",
                            switches[k], keys[i]);
        cJSON_Delete(all);
        cJSON_Delete(few);
        cJSON_Delete(plain);
    }
}

Test(cli_solve, options_may_be_joined_to_their_values)
{
    program_run apart = program_succeeds(DAMQ " --csv");
    program_run joined = program_succeeds("solve --csv --load=0.9 --slots=4 --buffer=damq");

    cr_assert_str_eq(apart.out, joined.out);
    program_free(&apart);
    program_free(&joined);
}

/* The last iterate is printed with its bounds, and the exit status says that it is not
 * converged. */
Test(cli_solve, an_iteration_that_ends_early_is_told)
{
    static const char *const forms[] = {"", "--json", "--csv"};

    for (int k = 0; k < 3; k++) {
        program_run run = program(DAMQ " --solver power --max-iterations 3 %s", forms[k]);
        cr_assert_eq(run.status, 1, "%s", run.arguments);
        cr_assert_eq(count_lines(run.err), 1, "%s", run.err);
        cr_assert(strncmp(run.err, "switchq: power did not reach", 28) == 0, "%s", run.err);
        cr_assert_eq(count_lines(run.out) == 2, k == 2);
        if (k == 1) {
            cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
            cr_assert(tree);
            cr_assert(cJSON_IsFalse(json_at(tree, "solver.converged")));
            cr_assert(cJSON_IsNull(json_at(tree, "solver.relative_error")));
            cr_assert(json_number(tree, "solver.residual") > 0.01);
            cr_assert(json_number(tree, "result.discard_lower") <= 0.0336 &&
                      0.0337 <= json_number(tree, "result.discard_upper"));
            cJSON_Delete(tree);
        }
        program_free(&run);
    }
}

/* Heavy load and long queues: the chain stays far from the empty switch. Conservation of flow at
 * saturation gives the answer: a 2x2 FIFO switch sends 3/4, so 1 - 0.75 / 0.95 is lost. */
Test(cli_solve, long_queues_near_saturation_converge, .timeout = 120)
{
    program_run run = program("solve --buffer fifo --slots 40 --load 0.95 --solver gauss-seidel "
                              "--max-iterations 2500 --csv");

    cr_assert_eq(run.status, 0, "%s: status %d: %s", run.arguments, run.status, run.err);
    cr_assert(strstr(run.out, ",0.2105263157"), "%s", run.out);
    program_free(&run);
}

/* One Ctrl-C ends long work cleanly, whether generating or iterating. */
Test(cli_solve, an_interrupt_ends_it_cleanly)
{
    static const char *const work[] = {
        "--buffer damq --ports 4 --slots 6 --load 0.9",
        "--buffer fifo --slots 60 --load 0.95 --reduce none --solver power",
    };

    for (int k = 0; k < 2; k++) {
        /* --foreground: one signal, to the program alone */
        program_run run = program_shell("timeout --foreground --preserve-status -s INT 0.3 "
                                        "\"$SWITCHQ\" solve %s",
                                        work[k]);
        expect_refusal(&run, 1, "cancelled", NULL);
        program_free(&run);
    }
}

Test(cli_solve, the_same_question_gives_the_same_bytes)
{
    program_run first = program_succeeds(DAMQ " --csv"), second = program_succeeds(DAMQ " --csv");

    cr_assert_str_eq(first.out, second.out);
    program_free(&first);
    program_free(&second);
}
