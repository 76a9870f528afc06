/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/main.c: Ctrl-C, SIGTERM and SIGHUP end a command cleanly, with what it has; a second one of
 * any kind ends it at once; a limit on the size of files is an error; and no temporary file is
 * left.
 */
#include "tests/cli/program.h"

#include <signal.h>

TestSuite(cli_signals, .init = program_begin, .fini = program_end, .timeout = 480);

/* Long commands of all kinds, and whether they print partial results. */
static const struct {
    const char *arguments;
    bool answers;
} commands[] = {
    {"sim --buffer damq --slots 4 --load 0.5 --cycles 4000000000 --json", true},
    {"sim --topology torus --dims 8x8 --buffer damq --bytes 256 --load 0.3 --cycles 4000000000 "
     "--csv",
     true},
    {"sim --topology torus --dims 8x8 --buffer damq --bytes 256 --load 0.3 --cycles 4000000000 "
     "--starts starts.csv",
     true},
    {"sim --rare --topology switch --ports 2 --buffer damq --slots 8 --load 0.25 --precision 0.001",
     false},
    {"solve --buffer fifo --slots 200 --load 0.95 --reduce none --solver power", false},
    {"solve --ports 4 --buffer damq --slots 6 --load 0.9 --arbiter random --scratch .", false},
    {"figure 5.7 --cycles 100000000 --no-plot", false},
    {"chip --begin 0.5 --cycles 5000000000 --json", true},
    {"chip --begin 0.5 --cycles 5000000000 --waves waves.vcd", true},
    {"worst --queues 8 --slots 8 --admission followlqd", false},
    {"worst --queues 5 --slots 18 --admission lqd", true},
    {"validate --full", false},
};

/* Shell commands that start a command as process p in the background. */
#define START "\"$SWITCHQ\" %s >out 2>err & p=$!; sleep 1; "

static void expect_clean(const char *arguments, bool answers, const char *signal)
{
    program_run run = program_shell(START "kill -%s $p; wait $p; echo status $?; cat err >&2; "
                                          "test -s out && echo answered; rm -f out err starts.csv",
                                    arguments, signal);
    cr_expect(strstr(run.out, "status 1\n"), "%s, %s: %s%s", arguments, signal, run.out, run.err);
    if (answers)
        cr_expect(strstr(run.out, "answered"), "%s, %s: no answer: %s", arguments, signal, run.err);
    program_free(&run);
    char *names = folder_names();
    cr_expect_str_empty(names, "%s, %s: left %s", arguments, signal, names);
    free(names);
}

Test(cli_signals, the_end_of_a_job_is_as_a_ctrl_c)
{
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
        expect_clean(commands[c].arguments, commands[c].answers, "TERM");
}

Test(cli_signals, the_end_of_a_login_is_as_a_ctrl_c)
{
    expect_clean(commands[0].arguments, commands[0].answers, "HUP");
    expect_clean(commands[2].arguments, commands[2].answers, "HUP");
}

/* A run that ignores SIGHUP from its beginning is ended by the first other signal, cleanly. */
Test(cli_signals, nohup_makes_a_run_outlast_its_login)
{
    program_run run = program_shell("nohup " START "kill -HUP $p; kill -HUP $p; sleep 0.2; "
                                    "kill -TERM $p; wait $p; echo status $?; rm -f out err",
                                    commands[0].arguments);
    cr_expect(strstr(run.out, "status 1\n"), "%s%s", run.out, run.err);
    program_free(&run);
}

Test(cli_signals, what_was_measured_is_whole)
{
    program_run run =
        program_shell(START "kill -TERM $p; wait $p; echo $?; cat err >&2", commands[0].arguments);
    cr_assert_str_eq(run.out, "1\n");
    program_free(&run);
    char *text = file_text("out");
    cJSON *tree = cJSON_ParseWithOpts(text, NULL, true);
    cr_assert(tree, "%s", text);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "interrupted");
    cJSON_Delete(tree);
    free(text);
}

Test(cli_signals, a_chip_says_how_far_it_got)
{
    program_run run = program_shell(START "kill -INT $p; wait $p; echo $?; cat err >&2",
                                    "chip --begin 0.5 --cycles 5000000000 --json");
    cr_assert_str_eq(run.out, "1\n");
    cr_assert(strstr(run.err, "switchq: interrupted: only "), "%s", run.err);
    cr_assert(strstr(run.err, " of 5000000000 cycles\n"), "%s", run.err);
    program_free(&run);
    char *text = file_text("out");
    cJSON *tree = cJSON_ParseWithOpts(text, NULL, true);
    cr_assert(tree, "%s", text);
    cr_assert(cJSON_IsTrue(json_at(tree, "result.interrupted")));
    cr_assert_lt(json_number(tree, "result.cycles"), 5e9);
    cJSON_Delete(tree);
    free(text);
}

/* A stopped program handles neither signal until it continues, and then both in immediate
 * succession, the lower number first. */
Test(cli_signals, a_second_one_of_either_kind_ends_it_without_temporary_files)
{
    program_run run = program_shell(START "ls | grep -c 'starts.csv[.]'; kill -STOP $p; "
                                          "kill -INT $p; kill -TERM $p; kill -CONT $p; wait $p; "
                                          "echo $?; rm out err",
                                    commands[2].arguments);
    cr_assert_str_eq(run.out, "1\n143\n", "%s%s", run.out, run.err);
    program_free(&run);
    char *names = folder_names();
    cr_assert_str_empty(names, "left %s", names);
    free(names);
}

/* A program that was started with hangups ignored, as by nohup, goes on ignoring them. */
Test(cli_signals, a_second_hangup_ends_it_without_temporary_files)
{
    struct sigaction now;

    if (sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
        cr_skip_test("hangups are ignored here");
    program_run run = program_shell(START "kill -STOP $p; kill -HUP $p; kill -TERM $p; "
                                          "kill -CONT $p; wait $p; echo $?; rm out err",
                                    commands[2].arguments);
    cr_assert_str_eq(run.out, "143\n", "%s%s", run.out, run.err);
    program_free(&run);
    char *names = folder_names();
    cr_assert_str_empty(names, "left %s", names);
    free(names);
}

/* Commands that write a file which does not fit into some kilobytes. */
static const char *const large[] = {
    "sim --buffer damq --slots 4 --load 0.5 --cycles 2000 --per-link --plot large.svg",
    "sim --buffer damq --slots 4 --load 0.5 --cycles 2000 --starts large.csv",
    "export --ports 2 --buffer damq --slots 6 --load 0.5 --format prism -o large",
};

Test(cli_signals, a_limit_on_the_size_of_files_is_an_error)
{
    for (size_t c = 0; c < sizeof large / sizeof *large; c++) {
        program_run run = program_shell("(ulimit -f 8; exec \"$SWITCHQ\" %s)", large[c]);
        cr_expect_eq(run.status, 2, "%s: %d: %s", large[c], run.status, run.err);
        cr_expect(strstr(run.err, "File too large"), "%s: %s", large[c], run.err);
        program_free(&run);
        char *names = folder_names();
        cr_expect_str_empty(names, "%s: left %s", large[c], names);
        free(names);
    }
}
