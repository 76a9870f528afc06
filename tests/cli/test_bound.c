/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq bound: its numbers in text, JSON and CSV, refusals of options, and an independent program
 * (tests/ref/bound_check.py), where Python has scipy.
 */
#include "tests/cli/program.h"
#include "tests/support/support.h"

TestSuite(cli_bound, .init = program_begin, .fini = program_end, .timeout = 240);

Test(cli_bound, numbers)
{
    const char *line = "bound --topology dragonfly --hosts 2 --traffic tornado";
    cJSON *tree = program_json("%s --json", line);
    program_run text = program_succeeds("%s", line), csv = program_succeeds("%s --csv", line);

    cr_expect_float_eq(json_number(tree, "result.ceiling"), 0.125, 1e-12);
    cr_expect_float_eq(json_number(tree, "result.load_bound"), 0.5625, 1e-6);
    cr_expect_float_eq(json_number(tree, "result.nodes_bound"), 1, 1e-9);
    cr_expect_str_eq(json_string(tree, "model.paths"), "any");
    cr_expect_str_eq(json_string(tree, "model.traffic"), "tornado");
    cr_expect(strstr(text.out, "ceiling by the routing 0.125 "), "%s", text.out);
    cr_expect(strstr(text.out, "bound for any routing  0.5625 "), "%s", text.out);
    cr_expect(strstr(text.out, "the link from switch 1 to switch 16 is always busy"), "%s",
              text.out);
    expect_cell(csv.out, 1, "throughput_bound", tree, "result.throughput_bound");
    cJSON_Delete(tree);
    program_free(&text);
    program_free(&csv);
    tree = program_json("bound --topology mesh --dims 3 --routing adaptive --json");
    cr_expect_str_eq(json_string(tree, "result.no_ceiling"),
                     "packets choose among outputs by the state of the network");
    cJSON_Delete(tree);
}

/* A ring of five without any one of its links is a line, whose middle carries 2 x 3 of the 5 x 4
 * pairs in each direction. */
Test(cli_bound, failed_links_are_missing)
{
    program_run made = program_shell("for k in 0 1 2 3 4; do echo host $k s$k; "
                                     "echo link s$k s$(( (k + 1) %% 5 )); done > ring.txt");

    for (int seed = 1; seed < 4; seed++) {
        cJSON *tree = program_json("bound --topology graph:ring.txt --fail 1:%d --json", seed);
        cr_expect_float_eq(json_number(tree, "result.load_bound"), 2.0 / 3, 1e-6);
        cr_expect_float_eq(json_number(tree, "result.ceiling"), 2.0 / 3, 1e-12);
        cJSON_Delete(tree);
    }
    program_free(&made);
}

/* All nodes of a router of a Slim Fly send to the router two further in a circle of five, 4 nodes a
 * router: each link of the circle carries what two routers send. */
Test(cli_bound, circles_of_a_slim_fly)
{
    program_run made = program_shell(
        "awk 'BEGIN { for (r = 0; r < 50; r++) for (a = 0; a < 4; a++) for (b = 0; b < 4; b++) "
        "print 4 * r + a, 4 * (r - r %% 5 + (r + (r < 25 ? 2 : 4)) %% 5) + b, 0.25 }' > circles");
    cJSON *tree = program_json("bound --topology slim-fly --order 5 --routing valiant "
                               "--paths minimal+valiant --traffic file:circles --json");

    cr_expect_float_eq(json_number(tree, "result.ceiling"), 6.0 / 13, 1e-9);
    cr_expect_gt(json_number(tree, "result.load_bound"), 6.0 / 13);
    cJSON_Delete(tree);
    tree = program_json("sim --topology slim-fly --order 5 --architecture wormhole --length 1 "
                        "--load 1 --cycles 500 --traffic file:circles --json");
    cr_expect_leq(json_number(tree, "result.throughput.mean"), 1.0 / 8);
    cJSON_Delete(tree);
    program_free(&made);
}

Test(cli_bound, refusals)
{
    static const struct {
        const char *line, *message;
    } row[] = {
        {"bound", "--topology is required"},
        {"bound --topology mesh --dims 3 --buffer damq",
         "--buffer changes nothing about what links"},
        {"bound --topology mesh --dims 3 --load 0.5", "--load changes nothing about what links"},
        {"bound --topology mesh --dims 3 --length 8", "--length changes nothing about what links"},
        {"bound --topology mesh --dims 3 --traffic trace:x", "--traffic must be a pattern or a"},
        {"bound --topology mesh --dims 3 --traffic all:0:0", "copies of multicast messages share"},
        {"bound --topology mesh --dims 3 --paths minimal+valiant",
         "--paths minimal+valiant is for routings valiant and ugal, not for deterministic"},
        {"bound --topology mesh --dims 3 --paths none",
         "--paths 'none' is unknown; known: any, minimal+valiant, minimal"},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        program_run run = program("%s", row[k].line);
        cr_expect_eq(run.status, 2, "%s: %d", row[k].line, run.status);
        cr_expect(strstr(run.err, row[k].message), "%s: %s", row[k].line, run.err);
        program_free(&run);
    }
}

Test(cli_bound, memory_is_foreseen)
{
    program_run run = program("bound --topology torus --dims 9x9 --mem 8M");

    cr_expect_eq(run.status, 3, "%d", run.status);
    cr_expect(strstr(run.err, "columns would take about"), "%s", run.err);
    program_free(&run);
}

Test(cli_bound, another_program_agrees)
{
    program_run run =
        program_shell("python3 -B \"$SWITCHQ_SOURCE\"/tests/ref/bound_check.py \"$SWITCHQ\"");

    if (run.status == 77)
        cr_skip_test("no scipy");
    cr_expect_eq(run.status, 0, "%s%s", run.out, run.err);
    program_free(&run);
}
