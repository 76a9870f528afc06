/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network whose lanes can wait in a circle is refused, with the circle's name and what excludes
 * it, and run if the user asks for it.
 */
#include "tests/cli/program.h"

TestSuite(circles_refused, .init = program_begin, .fini = program_end, .timeout = 240);

#define SIM " --engine async --architecture wormhole --load 0.1 --cycles 200 "

static void make_ring(int switches)
{
    program_run run = program_shell("for k in $(seq 0 %d); do echo host h$k s$k; "
                                    "echo link s$k s$(( (k + 1) %% %d )); done > ring.txt",
                                    switches - 1, switches);
    program_free(&run);
}

Test(circles_refused, with_their_lanes_and_the_remedy)
{
    static const bad_input cases[] = {
        {"--topology torus --dims 5x5 --lane-choice any", "lane 0 of dimension 1", "dateline"},
        {"--topology dragonfly --hosts 1 --routers 2 --globals 1 --lane-choice any",
         "lane 0 of global link", "--lane-choice phase"},
        {"--topology graph:ring.txt --lane-choice any --lanes 3", "of links of switch",
         "--lane-choice phase"},
        {"--topology torus --dims 5x5 --lane-choice any --deadlock maybe", "--deadlock", "maybe"},
    };

    make_ring(5);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("sim" SIM "%s", cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
}

/* What is refused does deadlock: a ring of 8 at full load, with one lane. */
Test(circles_refused, are_run_if_allowed_and_deadlock)
{
    make_ring(8);
    program_run run = program("sim --topology graph:ring.txt --architecture wormhole --lanes 1 "
                              "--lane-flits 2 --load 1 --length 16 --cycles 20000 --lane-choice "
                              "any --deadlock allow");
    cr_expect(strstr(run.out, "deadlock allow"), "%s", run.out);
    cr_expect(strstr(run.out, "deadlocked after"), "%s", run.out);
    cr_expect(strstr(run.err, "deadlock"), "%s", run.err);
    program_free(&run);
}

/* No circle, no refusal. */
Test(circles_refused, only_where_there_is_one)
{
    static const char *const fine[] = {
        "--topology mesh --dims 4x4 --lane-choice any", "--topology torus --dims 5x5",
        "--topology hyperx --dims 3x3 --hosts 2 --routing valiant --lane-choice any",
        "--topology torus --dims 5x5 --routing unguarded", "--topology graph:ring.txt --lanes 3"};

    make_ring(5);
    for (size_t k = 0; k < sizeof fine / sizeof *fine; k++) {
        program_run run = program("sim" SIM "%s", fine[k]);
        cr_expect_eq(run.status, 0, "%s: %s", fine[k], run.err);
        program_free(&run);
    }
}
