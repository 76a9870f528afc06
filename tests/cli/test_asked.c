/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer as JSON says what was asked, such that a shell asks it again and gets the same.
 */
#include "tests/cli/program.h"

TestSuite(cli_asked, .init = program_begin, .fini = program_end, .timeout = 240);

/* Removes what differs between two runs of one question. */
static void strip(cJSON *tree)
{
    static const char *const clock[] = {"seconds", "cpu_seconds", "wall_seconds", "peak_bytes"};

    for (size_t k = 0; k < sizeof clock / sizeof *clock; k++)
        cJSON_DeleteItemFromObjectCaseSensitive(tree, clock[k]);
    for (cJSON *item = tree->child; item; item = item->next)
        strip(item);
}

static cJSON *parse(program_run *run)
{
    cJSON *tree = cJSON_ParseWithOpts(run->out, NULL, true);

    cr_assert(tree, "%s: %.300s %.300s", run->arguments, run->out, run->err);
    strip(tree);
    program_free(run);
    return tree;
}

Test(cli_asked, the_echoed_command_gives_the_same_answer)
{
    static const char *const lines[] = {
        "solve --buffer damq --slots 4 --load 0.9 --json",
        "solve --buffer=fifo,damq --slots 4 --load 0.1:0.5:0.2 --json --threads 2",
        "solve --buffer damq --slots 2 --load 9/10 --exact --json",
        "solve --json --chain 'my $HOME \"chain\".tra'",
        "sim --buffer damq --slots 4 --load 0.5 --flow block --cycles 500 --seed 7 --json",
        "sim --topology torus --dims 4x4 --buffer damq --bytes 256 --load 0.3 --cycles 500 --json",
        ("sim --rare --topology switch --ports 2 --buffer damq --slots 2 --load 0.5 --cycles 5000 "
         "--json"),
        "approx --buffer damq --slots 4 --load 0.5 --flow block --json",
        "formula output-queue --load 0.1:0.9:0.4 --ports 2 --json",
        "table 4.1 --json",
        "figure 6.12 --cycles 10 --no-plot --json",
        "validate --list --json",
        "list buffers --json",
        "help solve --json",
    };

    program_run file = program_shell(
        "printf '2 4\\n0 0 0.5\\n0 1 0.5\\n1 0 0.2\\n1 1 0.8\\n' >'my $HOME \"chain\".tra'");
    program_free(&file);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run = program("%s", lines[k]);
        cJSON *first = parse(&run);
        const char *command = json_string(first, "asked.command");
        cr_assert_eq(strncmp(command, "switchq ", 8), 0, "%s", command);
        cr_expect_str_eq(json_string(first, "asked.version"), SWQ_VERSION);
        program_run again = program("%s", command + 8);
        cJSON *second = parse(&again);
        cr_expect(cJSON_Compare(first, second, true), "%s: %s gives another answer", lines[k],
                  command);
        cJSON_Delete(first);
        cJSON_Delete(second);
    }
}

/* Once for a range, and not in each point of a study. */
Test(cli_asked, a_range_and_a_study_say_it_once)
{
    static const char study[] = "command: solve\nset: {buffer: fifo, load: 0.5}\n"
                                "over: {slots: [1, 2]}\n";

    program_run range = program_succeeds("solve --buffer fifo --slots 1:2:1 --load 0.5 --json");
    const char *at = strstr(range.out, "\"asked\"");
    cr_assert(at);
    cr_expect_not(strstr(at + 1, "\"asked\""));
    program_free(&range);
    program_run write = program_shell("printf '%s' >s.yaml", study);
    program_free(&write);
    program_run sweep = program_succeeds("sweep s.yaml --json");
    cr_expect(strstr(sweep.out, "\"command\":\t\"switchq sweep s.yaml --json\""), "%s", sweep.out);
    program_free(&sweep);
    program_run dump = program_shell("grep -c '\"asked\"' s.db");
    cr_expect_eq(dump.status, 1);
    program_free(&dump);
}
