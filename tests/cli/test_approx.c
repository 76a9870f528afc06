/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: one point, ranges, comparison and tables in every form, and refusals.
 */
#include "tests/cli/program.h"

TestSuite(cli_approx, .init = program_begin, .fini = program_end, .timeout = 480);

#define FIFO "--buffer fifo --slots 4 "

Test(cli_approx, one_point_says_how_it_was_found)
{
    static const char *const expected[] = {
        "omega, 3 stages, 64 nodes, fifo, 4 x 4, 4 slots per input port, flow discard, ",
        "uniform traffic, load 0.5, hold sources",
        "\n  throughput ",
        "\n  mean latency ",
        "\n  discarded ",
        "\n  stage  packets/switch  sent/output  discarded\n",
        "\n  method exact-chains: throughput was up to 4% too high (fifo)",
        "'switchq approx --methods'",
    };
    program_run run = program_succeeds("approx " FIFO "--load 0.5 --method exact-chains");

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    cr_assert_null(strstr(run.out, "; simulated"));
    program_free(&run);
}

/* The errors that an answer states are those of its own network, and what was not measured is said
 * not to be. */
Test(cli_approx, the_errors_stated_are_of_the_network)
{
    static const char *const cases[][2] = {
        {"--ports 2 --stages 10 --buffer damq --slots 2 --flow block --find-saturation",
         "against a simulation of this network"},
        {"--ports 2 --stages 5 --buffer damq --slots 3 --flow block --load 0.3",
         "next to this one (4 and 6 stages, 2 and 4 slots)"},
        {"--stages 10 --buffer fifo --slots 4 --flow block --find-saturation",
         "outside of what was measured"},
        {"--ports 3 --stages 2 --buffer fifo --slots 4 --flow block --load 0.3",
         "outside of what was measured: fifo, samq"},
        {"--buffer damq --slots 4 --flow discard --queue-max 2 --load 0.3",
         "outside of what was measured: fifo, samq"},
        {"--buffer fifo --slots 4 --flow discard --arbiter random --load 0.3",
         "outside of what was measured: fifo, samq"},
        {"--ports 2 --stages 4 --buffer fifo --slots 2 --load 0.3 --method exact-chains",
         "it was not measured in a network like this one; in 3 stages of 4 x 4 switches"},
        {"--ports 2 --stages 4 --buffer damq --slots 4 --flow block --traffic hotspot:0.05 "
         "--load 0.05",
         "it was not measured in a network like this one"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *tree = program_json("approx %s --json", cases[k][0]);
        const char *measured = json_string(json_at(tree, "method"), "measured");
        cr_expect(strstr(measured, cases[k][1]), "%s: %s", cases[k][0], measured);
        cJSON_Delete(tree);
    }
}

Test(cli_approx, a_range_has_the_discards_that_were_simulated)
{
    program_run run = program_succeeds("approx --ports 2 --stages 2 --buffer dafc --slots 2 --load "
                                       "0.5:1:0.5 --flow discard --compare --cycles 500");
    cr_assert(strstr(run.out, "simulated discards") && strstr(run.out, "discards off by"), "%s",
              run.out);
    program_free(&run);
    run = program_succeeds("approx --ports 2 --stages 2 --buffer damq --slots 2 --load 0.5:1:0.5 "
                           "--flow block --compare --cycles 500");
    cr_assert_null(strstr(run.out, "discards"), "%s", run.out);
    program_free(&run);
}

/* 4 slots: 3e-5 at load 0.5; 14: some losses, hidden by rounding. Programs get the number. */
Test(cli_approx, small_losses_are_not_told_as_none)
{
    program_run run =
        program_succeeds("approx --buffer damq --slots 14 --ports 2 --stages 2 --load 0.5");
    cr_assert(strstr(run.out, "\n  discarded              below 1e-12 of the packets offered\n"),
              "%s", run.out);
    program_free(&run);

    run = program_succeeds(
        "approx --buffer damq --slots 14 --ports 2 --stages 2 --load 0:1:0.5 --compare "
        "--cycles 200");
    cr_assert(strstr(run.out, "  below 1e-12  "), "%s", run.out);
    program_free(&run);

    run = program_succeeds("approx --buffer damq --slots 4 --ports 2 --stages 2 --load 0.5");
    cr_assert(!strstr(run.out, "1e-12") && strstr(run.out, "e-05 of the packets offered\n"), "%s",
              run.out);
    program_free(&run);

    run = program_succeeds("approx --buffer damq --slots 14 --ports 2 --stages 2 --load 0");
    cr_assert(!strstr(run.out, "1e-12"), "%s", run.out);
    program_free(&run);

    cJSON *tree =
        program_json("approx --buffer damq --slots 14 --ports 2 --stages 2 --load 0.5 --json");
    double lost = json_number(json_at(tree, "result"), "discard_fraction.mean");
    cr_assert(lost >= 0 && lost < 1e-12, "%g", lost);
    cJSON_Delete(tree);
}

Test(cli_approx, the_best_method_is_taken_when_none_is_named)
{
    cJSON *tree = program_json("approx " FIFO "--load 0.5 --flow block --json");

    cr_assert_str_eq(json_string(tree, "method.name"), "links");
    cJSON_Delete(tree);
}

Test(cli_approx, json_has_a_point_for_each_load)
{
    cJSON *tree = program_json("approx " FIFO "--flow block --load 0.2:0.6:0.2 --method "
                               "small-cycle --json");
    const cJSON *points = json_at(tree, "points");

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/points/1"); /* as of solve and sim */
    cr_assert_eq(cJSON_GetArraySize(points), 3);
    for (int k = 0; k < 3; k++) {
        const cJSON *answer = cJSON_GetArrayItem(points, k), *point = json_at(answer, "result");
        cr_assert_str_eq(json_string(answer, "schema"), "switchq/approx/2");
        cr_assert_str_eq(json_string(answer, "model.buffer"), "fifo");
        cr_assert_eq(json_number(answer, "model.nodes"), 64);
        cr_assert_float_eq(json_number(answer, "model.load"), 0.2 + 0.2 * k, 1e-15);
        cr_assert_str_eq(json_string(answer, "method.name"), "small-cycle");
        cr_assert(*json_string(answer, "method.assumptions"));
        cr_assert(*json_string(answer, "method.accuracy"));
        cr_assert_float_eq(json_number(point, "load"), 0.2 + 0.2 * k, 1e-15);
        cr_assert(json_number(point, "throughput.mean") <= json_number(point, "load"));
        cr_assert(json_number(point, "latency_cycles.mean") > 3);
        cr_assert(cJSON_IsTrue(json_at(point, "converged")));
        cr_assert_eq(cJSON_GetArraySize(json_at(point, "stages")), 3);
        cr_assert_null(cJSON_GetObjectItem(point, "simulated"));
    }
    cJSON_Delete(tree);
}

/* Each class has a line of its own, and no column stands twice in one. */
Test(cli_approx, csv_has_a_line_for_each_class)
{
    program_run run = program_succeeds("approx --ports 4 --stages 2 --buffer damq --slots 4 "
                                       "--high 0.3 --priority queue --flow block --load 0.7 "
                                       "--method classes --csv");
    const char *const parts[] = {"all", "classes normal", "classes high"};

    for (int k = 0; k < 3; k++)
        cr_expect_geq(csv_row(run.out, "part", parts[k]), 0, "%s in %s", parts[k], run.out);
    program_free(&run);
}

Test(cli_approx, csv_has_a_line_for_each_load)
{
    program_run run = program_succeeds("approx " FIFO "--flow block --load 0.2:0.6:0.2 --method "
                                       "small-cycle --csv");
    int lines = 0;

    for (int row = 1; row <= 13; row++) {
        char *part = csv_cell(run.out, row, "part"), *load = csv_cell(run.out, row, "load");
        char *throughput = csv_cell(run.out, row, "throughput");
        if (strcmp(part, "all") == 0)
            lines++;
        if (lines == 3 && strcmp(part, "all") == 0)
            cr_assert(strcmp(load, "0.6") == 0 && strncmp(throughput, "0.58", 4) == 0, "%s",
                      run.out);
        free(part);
        free(load);
        free(throughput);
        if (lines == 3)
            break;
    }
    cr_assert_eq(lines, 3);
    program_free(&run);
}

/* The simulated values are those of `sim` for the same point. */
Test(cli_approx, compare_simulates_the_same_point)
{
    cJSON *tree = program_json("approx " FIFO "--flow block --load 0.5 --method small-cycle "
                               "--compare --cycles 20000 --seed 7 --json");
    cJSON *sim = program_json("sim " FIFO "--flow block --load 0.5 --cycles 20000 --seed 7 --json");
    const cJSON *point = json_at(tree, "result");

    cr_assert_eq(json_number(point, "simulated.throughput.mean"),
                 json_number(sim, "result.throughput.mean"));
    cr_assert_eq(json_number(point, "simulated.latency_cycles.half_width"),
                 json_number(sim, "result.latency_cycles.half_width"));
    cr_assert_eq(json_number(point, "simulated.seed"), 7);
    assert_relative(json_number(point, "off_by.latency_cycles"),
                    json_number(point, "latency_cycles.mean") /
                            json_number(sim, "result.latency_cycles.mean") -
                        1,
                    1e-9, "off by");
    cJSON_Delete(tree);
    cJSON_Delete(sim);
    program_run run = program_succeeds("approx " FIFO "--flow block --load 0.3:0.5:0.2 --method "
                                       "small-cycle --compare --cycles 500");
    cr_assert(strstr(run.out, "simulated") && strstr(run.out, "%"), "%s", run.out);
    program_free(&run);
}

Test(cli_approx, saturation_is_full_load)
{
    cJSON *tree = program_json("approx " FIFO "--flow block --find-saturation --method "
                               "small-cycle --json");
    const cJSON *point = json_at(tree, "result");

    cr_assert_eq(json_number(point, "load"), 1);
    cr_assert_float_eq(json_number(point, "throughput.mean"), 0.6183, 6e-5);
    cJSON_Delete(tree);
    program_run run =
        program_succeeds("approx " FIFO "--flow block --find-saturation --method small-cycle");
    cr_assert(strstr(run.out, "\n  saturation  "), "%s", run.out);
    program_free(&run);
}

Test(cli_approx, a_hot_spot_is_told_by_class_of_switch)
{
    cJSON *tree = program_json("approx --buffer damq --slots 4 --flow block --traffic hotspot:0.05 "
                               "--load 0.2 --json");
    const cJSON *point = json_at(tree, "result");
    const cJSON *last = cJSON_GetArrayItem(json_at(point, "hot_spot.stages"), 2);

    cr_assert_str_eq(json_string(tree, "method.name"), "hot-tree");
    cr_assert_float_eq(json_number(point, "hot_spot.bound"), 1 / 4.15, 1e-12);
    cr_assert(json_number(point, "hot_spot.hot_latency_cycles") >
              json_number(point, "hot_spot.other_latency_cycles"));
    /* 0.2 packets per cycle from each of 64 nodes: 5% of them, and one in 64 of the rest */
    cr_assert_float_eq(json_number(last, "sent_hot"), 0.2 * (64 * 0.05 + 0.95), 1e-6);
    cr_assert_float_eq(json_number(last, "sent_other"), 0.2 * 0.95, 1e-6);
    cJSON_Delete(tree);
    program_run run = program_succeeds("approx --buffer damq --slots 4 --flow block --traffic "
                                       "hotspot:0.05 --load 0.2");
    cr_assert(strstr(run.out, "occupancy on tree  occupancy off tree"), "%s", run.out);
    program_free(&run);
}

#define TORUS "--topology torus --dims 8x8 --buffer damq "

Test(cli_approx, a_torus_is_told_up_to_its_knee)
{
    static const char *const expected[] = {"\n  mean latency ", "cycles (exact)", "(the knee)",
                                           "within 5%", "  turns "};
    program_run run = program_succeeds("approx " TORUS "--load 0.3");

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        cr_assert(strstr(run.out, expected[k]), "no '%s' in: %s", expected[k], run.out);
    program_free(&run);
    cJSON *tree = program_json("approx " TORUS "--load 0.2:0.8:0.2 --json");
    const cJSON *points = json_at(tree, "points");
    cr_assert_eq(cJSON_GetArraySize(points), 4);
    cr_assert(cJSON_IsNull(json_at(tree, "points.3.result.latency_cycles.mean")),
              "there is none beyond the knee");
    cr_assert_eq(json_number(tree, "points.3.result.throughput.mean"),
                 json_number(tree, "points.0.result.knee"));
    cJSON_Delete(tree);
    tree = program_json("approx --topology mesh --dims 8x8 --buffer damq --load 0.9 --json");
    cr_assert_eq(json_number(tree, "result.load"), 0.9);
    cJSON_Delete(tree);
    run = program_succeeds("approx " TORUS "--load 0.1:0.3:0.1 --compare --cycles 3000 --csv "
                           "--plot a.svg");
    cr_assert(csv_has(run.out, "alone_cycles") && csv_has(run.out, "simulated_latency_cycles"),
              "%s", run.out);
    char *text = file_text("a.svg");
    cr_assert(strstr(text, "simulated"));
    free(text);
    program_free(&run);
}

Test(cli_approx, a_lone_packet_in_a_torus_takes_what_is_simulated)
{
    cJSON *tree = program_json("approx " TORUS "--load 0.01 --compare --cycles 400000 --json");
    const cJSON *point = json_at(tree, "result");

    cr_assert(fabs(json_number(point, "off_by.latency_cycles")) < 0.02);
    cJSON_Delete(tree);
}

Test(cli_approx, methods_are_listed)
{
    cJSON *tree = program_json("approx --methods --json");
    program_run run = program_succeeds("approx --methods");
    const cJSON *row;
    int k = 0;

    cJSON_ArrayForEach(row, json_at(tree, "methods"))
    {
        cr_assert_str_eq(json_string(row, "name"), swq_approx_methods[k++]->name);
        cr_assert(strstr(run.out, json_string(row, "name")));
    }
    cr_assert_null(swq_approx_methods[k]);
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_approx, a_table_has_three_numbers_a_cell)
{
    program_run run = program("approx --table 4.2 --method patel --cycles 300 --json");
    cJSON *tree = cJSON_Parse(run.out);
    const cJSON *row;
    int judged = 0, within = 0;

    cr_assert_eq(run.status, 1, "a network without buffers is far off");
    cr_assert_str_empty(run.err);
    cr_assert_str_eq(json_string(tree, "schema"), "switchq/approx-table/1");
    cr_assert(strstr(json_string(tree, "rule"), "1% of throughput"));
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "rows")), 162);
    cJSON_ArrayForEach(row, json_at(tree, "rows"))
    {
        bool discards = strcmp(json_string(row, "quantity"), "discarded") == 0;
        double simulated = json_number(row, "simulated"), value = json_number(row, "approximated");
        if (discards) {
            simulated = 1 - simulated;
            value = 1 - value;
        }
        assert_relative(json_number(row, "off_by"), value / simulated - 1, 1e-6, "off by");
        bool in =
            fabs(value - simulated) <= 0.01 * simulated + json_number(row, "half_width") + 1e-12;
        cr_assert_eq(cJSON_IsTrue(json_at(row, "within")), in);
        judged += cJSON_IsTrue(json_at(row, "judged"));
        within += in;
    }
    cr_assert_eq(judged, json_number(tree, "cells_judged"));
    cr_assert_eq(within, json_number(tree, "cells_within"));
    cJSON_Delete(tree);
    program_free(&run);
    run = program("approx --table 4.2 --method patel --cycles 300");
    cr_assert(strstr(run.out, "FIFO  1         printed") && strstr(run.out, "Rule: "), "%s",
              run.out);
    program_free(&run);
    run = program("approx --table 4.2 --method patel --cycles 300 --csv");
    cr_assert(strstr(run.out, ",fifo,1,discarded,0.10,1.5,"), "%s", run.out);
    program_free(&run);
}

Test(cli_approx, a_plot_is_drawn)
{
    program_run run = program_succeeds("approx " FIFO "--flow block --load 0.2:0.6:0.2 --method "
                                       "small-cycle --compare --cycles 300 --plot a.svg");
    char *text = file_text("a.svg");

    cr_assert(strstr(text, "latency (cycles)") && strstr(text, "simulated"));
    free(text);
    program_free(&run);
}

Test(cli_approx, bad_input_is_refused)
{
    static const struct {
        const char *arguments, *name, *value;
    } cases[] = {
        {"", "buffer", NULL},
        {FIFO, "load", NULL},
        {FIFO "--load 1.5", "load", "1.5"},
        {FIFO "--load 0.1:0.9", "load", "0.1:0.9"},
        {FIFO "--load 0.5,0.6", "a range FROM:TO:STEP", "0.5,0.6"},
        {TORUS "--load 0.5,0.6", "a range FROM:TO:STEP", "0.5,0.6"},
        {FIFO "--load 0.9:0.1:0.1", "load", "0.9:0.1:0.1"},
        {FIFO "--load 0:1:0.0001", "load", "1000"},
        {FIFO "--load 0.5 --method jenk", "method", "jenk"},
        {FIFO "--load 0.5 --method jenq", "jenq", NULL},
        {FIFO "--load 0.5 --cycles 1000", "--cycles", "--compare"},
        {FIFO "--load 0.5 --compare --cycles 10", "cycles", "10"},
        {FIFO "--load 0.5 --compare --threads 0", "threads", "0"},
        {FIFO "--load 0.5 --find-saturation", "--load", "--find-saturation"},
        {FIFO "--load 0.5 --json --csv", "json", "csv"},
        {FIFO "--load 0.5 --plot a.svg", "plot", "range"},
        {FIFO "--load 0.1:0.5:0.1 --plot a.txt", "a.txt", NULL},
        {FIFO "--load 0.5 --traffic tornado", "traffic", NULL},
        {FIFO "--load 0.5 --sources open", "sources", NULL},
        {TORUS, "load", NULL},
        {TORUS "--load 0.3 --method links", "method", "torus"},
        {TORUS "--load 0.3 --find-saturation", "find-saturation", NULL},
        {TORUS "--load 0.3 --credit same", "credit", "torus"},
        {TORUS "--load 0.3 --chained", "chained", NULL},
        {TORUS "--load 0.3 --traffic tornado", "uniform", NULL},
        {FIFO "--load 0.3 --dims 8x8", "dims", "torus"},
        {"--table 4.1", "table", "4.1"},
        {"--table 5.1", "table", "5.1"},
        {"--table 4.2 --load 0.5", "load", "--table"},
        {"--table 4.2 --compare", "compare", "--table"},
        {"--table 4.2 --dims 4x4", "dims", "--table"},
        {"--table 4.2 --methods", "table", "--methods"},
        {"--methods --compare", "compare", "--methods"},
        {"--methods --hop-delay 3", "hop-delay", "--methods"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("approx %s", cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
    char *names = folder_names();
    cr_assert_str_empty(names);
    free(names);
}

/* At load 0 all networks give the latency of a packet that meets no other; a simulation has no
 * latency to compare with it. */
Test(cli_approx, load_0_and_next_to_nothing)
{
    static const char *const networks[] = {
        "--buffer damq --slots 4", "--buffer fifo --slots 2 --flow block",
        "--buffer damq --slots 4 --traffic hotspot:0.1",
        "--topology torus --dims 4x4 --buffer damq", "--topology mesh --dims 3x3 --buffer damq"};

    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        cJSON *none = program_json("approx %s --load 0 --json", networks[k]);
        const cJSON *point = json_at(none, "result");
        const double latency = json_number(point, "latency_cycles.mean");
        cr_expect_eq(json_number(point, "throughput.mean"), 0, "%s", networks[k]);
        cr_expect(latency > 0, "%s: %g", networks[k], latency);
        program_run run =
            program_succeeds("approx %s --load 0 --compare --cycles 1000", networks[k]);
        cr_expect(!strstr(run.out, "nan"), "%s:\n%s", networks[k], run.out);
        program_free(&run);
        cJSON_Delete(none);
    }
    cJSON *tree = program_json("approx --buffer damq --slots 4 --load 1e-15 --json");
    const cJSON *point = json_at(tree, "result");
    cr_expect_eq(json_number(point, "throughput.mean"), 1e-15);
    const double latency = json_number(point, "latency_cycles.mean");
    cr_expect(latency >= 3 && latency < 3 + 1e-12, "%.17g", latency);
    cJSON_Delete(tree);
}

/* --target sizes large pools, alone and over a range. */
Test(cli_approx, a_target_sizes_a_large_memory)
{
#define POOL "approx --topology switch --buffer cbda --ports 64 "
    cJSON *tree = program_json(POOL "--load 0.8 --target 1e-9 --json");
    const cJSON *target = json_at(tree, "target"),
                *found = json_at(json_at(tree, "result"), "found");
    const double slots = json_number(json_at(tree, "model"), "slots");

    cr_assert_str_eq(json_string(target, "found"), "slots");
    cr_assert_gt(json_number(target, "loss_before"), 1e-9);
    cr_assert_leq(json_number(json_at(tree, "result"), "discard_fraction.mean"), 1e-9);
    cr_assert_float_eq(json_number(found, "slots"), slots, 0);
    cr_assert_leq(json_number(found, "memory_slots"), 64 * slots);
    cJSON_Delete(tree);
    program_run run = program_succeeds(POOL "--load 0.5:0.8:0.1 --target 1e-9");
    cr_assert(strstr(run.out, "a loss of at most 1e-9"), "%s", run.out);
    cr_assert(strstr(run.out, "load  slots  memory"), "%s", run.out);
    program_free(&run);
}

Test(cli_approx, what_no_target_is_for_is_refused)
{
    static const bad_input cases[] = {
        {POOL "--load 0.8 --slots 4 --target 1e-9", "--target finds --slots or --load", "none"},
        {POOL "--target 1e-9", "--target finds --slots or --load", "both"},
        {POOL "--load 0.8 --target 1e-13", "1e-11", "1e-13"},
        {POOL "--load 0.8 --flow block --target 1e-9", "--target", "--flow discard"},
        {POOL "--slots 8 --target 1e-9 --find-saturation", "--target", "find-saturation"},
        {"approx --topology torus --dims 4x4 --buffer damq --load 0.1 --target 1e-3", "--target",
         "torus"},
        {POOL "--load 0.8 --slots 8 --traffic hotspot:0.1", "method shared-memory alone",
         "hot spots"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("%s", cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
}

/* A pool that takes long is announced, whatever its load; other ones are not. */
Test(cli_approx, a_long_run_is_announced)
{
#define LINKS "approx --topology switch --method links --load 0.001 --json "
    program_run run = program(LINKS "--buffer cbda --ports 16 --slots 8");
    cr_assert_eq(run.status, 0);
    cr_assert(strstr(run.err, "takes some ") && strstr(run.err, "CPU time"), "%s", run.err);
    cr_assert_eq(strstr(run.out, "takes some "), NULL);
    program_free(&run);
    run = program_succeeds(LINKS "--buffer cbda --ports 16 --slots 2");
    cr_assert_str_empty(run.err);
    program_free(&run);
    run = program_succeeds(LINKS "--buffer damq --ports 16 --slots 8");
    cr_assert_str_empty(run.err);
    program_free(&run);
    run = program(LINKS "--buffer cbda --ports 32 --slots 30");
    expect_refusal(&run, 3, "pool of 960 slots", "too large");
    cr_assert_eq(strstr(run.err, "takes some "), NULL);
    program_free(&run);
}
