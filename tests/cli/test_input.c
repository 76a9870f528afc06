/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bad input, one by one: exit status 2 (3 for memory and size), nothing on stdout, and one line on
 * stderr that names the option and the offending value. Also output that cannot be written.
 */
#include "tests/cli/program.h"

#include <unistd.h>

TestSuite(cli_input, .init = program_begin, .fini = program_end, .timeout = 240);

static void refuse_all(const bad_input *cases, size_t count, int status, const char *rest)
{
    for (size_t c = 0; c < count; c++) {
        program_run run = program("%s %s", cases[c].arguments, rest);
        expect_refusal(&run, status, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

#define REFUSE(cases, rest) refuse_all(cases, sizeof cases / sizeof *cases, 2, rest)

#define FIFTY "00000000000000000000000000000000000000000000000000"

Test(cli_input, loads)
{
    static const bad_input cases[] = {
        {"solve --load 1.5", "--load", "'1.5'"},
        {"solve --load 1.0000000001", "--load", "'1.0000000001'"},
        {"solve --load -0.1", "--load", "'-0.1'"},
        {"solve --load 1e9", "--load", "'1e9'"},
        {"solve --load 1e999", "--load", "'1e999'"},
        {"solve --load nan", "--load", "'nan'"},
        {"solve --load NaN", "--load", "'NaN'"},
        {"solve --load -nan", "--load", "'-nan'"},
        {"solve --load inf", "--load", "'inf'"},
        {"solve --load -inf", "--load", "'-inf'"},
        {"solve --load infinity", "--load", "'infinity'"},
        {"solve --load 0x1p-1", "--load", "'0x1p-1'"},
        {"solve --load 0x0", "--load", "'0x0'"},
        {"solve --load 0.5x", "--load", "'0.5x'"},
        {"solve --load 0.5.5", "--load", "'0.5.5'"},
        {"solve --load 5e", "--load", "'5e'"},
        {"solve --load .", "--load", "'.'"},
        {"solve --load 50%", "--load", "'50%'"},
        {"solve --load half", "--load", "'half'"},
        {"solve --load ''", "--load", "''"},
        {"solve --load ' 0.5'", "--load", "' 0.5'"},
        {"solve --load '0.5 '", "--load", "'0.5 '"},
        {"solve --load 0.5,", "--load", "''"},
        {"solve --load ,0.5", "--load", "''"},
        {"solve --load 0.5,2", "--load", "'2'"},
        {"solve --load '0.5;0.5'", "--load", "'0.5;0.5'"},
        {"solve --load 0.5,0.5,0.5", "--load", "'0.5,0.5,0.5'"},
        {"solve --ports 3 --load 0.5,0.5", "--load", "'0.5,0.5'"},
        {"solve --ports 3 --load 0.5,0.5,0.5,0.5", "--load", "'0.5,0.5,0.5,0.5'"},
        {"solve --load 1e-31", "load", "1e-31"},
    };

    REFUSE(cases, "--buffer damq --slots 4");
}

/* No part of a number may be cut off or lost before it is judged. */
Test(cli_input, numbers_of_any_length_are_read_whole)
{
    static const bad_input cases[] = {
        {"solve --load 0.5" FIFTY FIFTY "x", "--load", "0.5"},
        {"solve --load 0.5" FIFTY FIFTY "e9", "--load", "0.5"},
        {"solve --load 1e-400", "load", "1e-400"},
        {"solve --load 0.5 --traffic hotspot:0.5" FIFTY FIFTY "x", "hotspot", "0.5"},
        {"solve --load 0.5 --traffic matrix:0.5" FIFTY FIFTY "x,0.5/0.5,0.5", "--traffic", "0.5"},
    };

    REFUSE(cases, "--buffer damq --slots 4");
    /* valid numbers are accepted at any length */
    program_run run = program("solve --buffer damq --slots 1 --csv --load 0.25" FIFTY FIFTY);
    cr_expect_eq(run.status, 0, "%s", run.err);
    program_free(&run);
    run = program("solve --buffer damq --slots 1 --csv --load 0.25" FIFTY FIFTY "e-3");
    cr_expect(run.status == 2 || strstr(run.out, ",0.00025,"), "%s", run.out);
    program_free(&run);
}

Test(cli_input, slots)
{
    static const bad_input cases[] = {
        {"solve --slots 0", "--slots", "'0'"},
        {"solve --slots -1", "--slots", "'-1'"},
        {"solve --slots 2048", "--slots", "'2048'"},
        {"solve --slots 99999999999999999999", "--slots", "'99999999999999999999'"},
        {"solve --slots 1e3x", "--slots", "'1e3x'"},
        {"solve --slots 4.0", "--slots", "'4.0'"},
        {"solve --slots ' 4'", "--slots", "' 4'"},
        {"solve --slots '4 '", "--slots", "'4 '"},
        {"solve --slots 0x4", "--slots", "'0x4'"},
        {"solve --slots 4,4", "--slots", "'4' twice"},
        {"solve --slots four", "--slots", "'four'"},
        {"solve --slots ''", "--slots", "''"},
    };
    static const bad_input shares[] = {
        {"solve --buffer samq --slots 3", "slots", "3 is not"},
        {"solve --buffer safc --slots 1", "slots", "1 is not"},
        {"solve --buffer samq --ports 4 --slots 6", "slots", "6 is not"},
    };

    REFUSE(cases, "--buffer damq --load 0.5");
    REFUSE(shares, "--load 0.5");
}

Test(cli_input, ports)
{
    static const bad_input cases[] = {
        {"solve --ports 0", "--ports", "'0'"},   {"solve --ports 33", "--ports", "'33'"},
        {"solve --ports -2", "--ports", "'-2'"}, {"solve --ports 2.5", "--ports", "'2.5'"},
        {"solve --ports ''", "--ports", "''"},   {"solve --ports 2x2", "--ports", "'2x2'"},
    };
    static const bad_input queues[] = {{"solve --ports 64", "'64'", "formula output-queue-finite"}};

    REFUSE(cases, "--buffer damq --slots 2 --load 0.5");
    REFUSE(queues, "--architecture output-queued --output-slots 4 --load 0.5");
}

Test(cli_input, the_limits_of_a_queue)
{
    static const bad_input cases[] = {
        {"solve --queue-min 5", "--queue-min", "'5'"},
        {"solve --queue-min 3", "queue-min", "3"},
        {"solve --queue-min -1", "--queue-min", "'-1'"},
        {"solve --queue-min x", "--queue-min", "'x'"},
        {"solve --queue-max 0", "--queue-max", "'0'"},
        {"solve --queue-max 5", "--queue-max", "'5'"},
        {"solve --queue-min 2 --queue-max 1", "queue-max", "1"},
        {"solve --alpha -1", "--alpha", "'-1'"},
        {"solve --alpha nan", "--alpha", "'nan'"},
        {"solve --alpha 1e7", "--alpha", "'1e7'"},
        {"solve --scope pool --queues one", "pool", "one queue"},
        {"solve --scope pool --read one", "pool", "one"},
        {"solve --pool-rule ports", "pool-rule", "ports"},
        {"solve --pool-rule oldest", "pool-rule", "oldest"},
        {"solve --scope pool --read queue --pool-rule oldest", "pool-rule oldest", "ages"},
        {"export --format mtx -o x --scope pool --read queue --pool-rule oldest", "oldest", "ages"},
        {"solve --queue-min 2 --queue-max 2", "--queue-min", "--queue-max"},
        {"solve --iterations 2", "--iterations", "islip or pim"},
        {"solve --iterations 0", "--iterations", "'0'"},
        {"solve --iterations 257", "--iterations", "'257'"},
        {"solve --iterations 1.5", "--iterations", "'1.5'"},
        {"solve --ports 9 --arbiter maximum", "arbiter maximum", "ports is 9"},
        {"solve --ports 9 --arbiter max-weight", "arbiter max-weight", "beyond 8 ports"},
    };

    REFUSE(cases, "--buffer damq --slots 4 --load 0.5");
}

/* Unknown words, with the one that was probably meant. */
Test(cli_input, unknown_words)
{
    static const struct {
        const char *arguments, *name, *value, *meant;
    } cases[] = {
        {"solve --buffer dmaq --slots 4 --load 0.5", "buffer", "'dmaq'", "'damq'"},
        {"solve --buffer DAMQ --slots 4 --load 0.5", "buffer", "'DAMQ'", "'damq'"},
        {"solve --buffer fif --slots 4 --load 0.5", "buffer", "'fif'", "'fifo'"},
        {"solve --buffer '' --slots 4 --load 0.5", "buffer", "''", "fifo, samq"},
        {"solve --buffer quantum --slots 4 --load 0.5", "buffer", "'quantum'", "fifo, samq"},
        {"solve --arbiter longets", "arbiter", "'longets'", "'longest'"},
        {"solve --arbiter ''", "arbiter", "''", "random, "},
        {"solve --solver umfpak", "solver", "'umfpak'", "'umfpack'"},
        {"solve --solver gauss", "solver", "'gauss'", "gauss-seidel"},
        {"solve --flow blokc", "flow", "'blokc'", "'block'"},
        {"solve --credit nxet", "credit", "'nxet'", "'next'"},
        {"solve --traffic unifrom", "traffic", "'unifrom'", "'uniform'"},
        {"solve --traffic hotspto:0.2", "traffic", "'hotspto'", "'hotspot'"},
        {"solve --traffic ''", "traffic", "''", "uniform, "},
        {"solve --scope poll", "scope", "'poll'", "'pool'"},
        {"solve --queues on", "queues", "'on'", "'one'"},
        {"solve --read qeue", "read", "'qeue'", "'queue'"},
        {"solve --pool-rule rooom", "pool-rule", "'rooom'", "'room'"},
        {"solve --pool-rule odlest", "pool-rule", "'odlest'", "'oldest'"},
        {"solve --arbiter isilp", "arbiter", "'isilp'", "'islip'"},
        {"solve --arbiter rotatin", "arbiter", "'rotatin'", "'rotating'"},
        {"solve --iteratoins 2", "option", "--iteratoins", "--iterations"},
        {"solve --reduce atuo", "reduce", "'atuo'", "'auto'"},
        {"table 4.1 --reduce nnoe", "reduce", "'nnoe'", "'none'"},
        {"solve --laod 0.5", "option", "--laod", "--load"},
        {"solve --sloots 4", "option", "--sloots", "--slots"},
        {"solve --frobnicate", "option", "--frobnicate", "solve --help"},
        {"solve -x", "option", "-x", "solve --help"},
        {"solve -load 0.5", "option", "-load", "--load"},
        {"table 4.1 --arbitre maximum", "option", "--arbitre", "--arbiter"},
        {"table 4.1 --arbiter maximun", "arbiter", "'maximun'", "'maximum'"},
        {"table 4.1 --pool-rule prots", "pool-rule", "'prots'", "'ports'"},
        {"table 4.1 --buffer damq", "option", "--buffer", "table --help"},
        {"table 4.5", "table", "'4.5'", "4.1, 4.2, "},
        {"table", "table", NULL, "4.1"},
        {"list bufers", "topic", "'bufers'", "'buffers'"},
        {"list nothing", "topic", "'nothing'", "buffers, "},
        {"list --jsno", "option", "--jsno", "--json"},
        {"export --format dto", "format", "'dto'", "'dot'"},
        {"export --format xml", "format", "'xml'", "prism, "},
        {"export --format mtx --ouptut x", "option", "--ouptut", "--output"},
        {"slove", "command", "'slove'", "'solve'"},
        {"SOLVE", "command", "'SOLVE'", "'solve'"},
        {"frobnicate", "command", "'frobnicate'", "solve, "},
        {"''", "command", "''", "solve, "},
        {"--jsno", "command", "'--jsno'", "solve, "},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bool solves = strncmp(cases[c].arguments, "solve ", 6) == 0;
        bool complete = strstr(cases[c].arguments, "--buffer") != NULL;
        program_run run = program("%s %s", cases[c].arguments,
                                  solves && !complete ? "--buffer damq --slots 4 --load 0.5" : "");
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        cr_expect(strstr(run.err, cases[c].meant), "%s: no %s in: %s", cases[c].arguments,
                  cases[c].meant, run.err);
        program_free(&run);
    }
}

Test(cli_input, what_is_required_is_asked_for)
{
    static const bad_input cases[] = {
        {"solve", "--buffer", "required"},
        {"solve --slots 4 --load 0.5", "--buffer", "required"},
        {"solve --buffer damq --load 0.5", "--slots", "required"},
        {"solve --buffer damq --slots 4", "--load", "required"},
        {"export --buffer damq --slots 4 --load 0.5", "--format", "required"},
        {"export --format mtx", "--buffer", "required"},
        {"export --format mtx --buffer damq --slots 4", "--load", "required"},
        {"solve --buffer damq --slots 4 --load", "--load", "missing"},
        {"solve --buffer", "--buffer", "missing"},
        {"export -o", "-o", "missing"},
        {"table 4.1 --plot", "--plot", "missing"},
    };

    REFUSE(cases, "");
}

Test(cli_input, what_does_not_belong_is_refused)
{
    static const bad_input cases[] = {
        {"solve --buffer damq --slots 4 --load 0.5 surplus", "argument", "'surplus'"},
        {"solve --buffer damq --slots 4 --load 0.5 0.7", "argument", "'0.7'"},
        {"solve --buffer damq --slots 4 --load 0.5 --json=yes", "--json", "argument"},
        {"solve --buffer damq --slots 4 --load 0.5 --json --csv", "--json", "--csv"},
        {"table 4.1 4.2", "argument", "'4.2'"},
        {"table 4.1 --cycles 500", "--cycles", "4.1"},
        {"table 4.1 --json --csv", "--json", "--csv"},
        {"list buffers arbiters", "argument", "'arbiters'"},
        {"export --format mtx --buffer damq --slots 1 --load 0.5 surplus", "argument", "'surplus'"},
        {"export --format prism --buffer damq --slots 1 --load 0.5", "prism", "-o"},
        {"export --format prism -o - --buffer damq --slots 1 --load 0.5", "prism", "-o"},
    };

    REFUSE(cases, "");
    program_run run = program("list $(yes -- --json | head -n 4100)");
    expect_refusal(&run, 2, "4096", "4100");
    program_free(&run);
}

Test(cli_input, traffic)
{
    static const bad_input cases[] = {
        {"solve --traffic uniform:0.5", "--traffic", "'uniform:0.5'"},
        {"solve --traffic hotspot", "--traffic hotspot", "needs a value"},
        {"solve --traffic hotspot:", "--traffic hotspot", "needs a value"},
        {"solve --traffic hotspot:1.5", "--traffic hotspot", "'1.5'"},
        {"solve --traffic hotspot:nan", "--traffic hotspot", "'nan'"},
        {"solve --traffic hotspot:0.5x", "--traffic hotspot", "'0.5x'"},
        {"solve --traffic hotspot::1", "--traffic hotspot", "''"},
        {"solve --traffic hotspot:0.5:2", "--traffic hotspot output", "'2'"},
        {"solve --traffic hotspot:0.5:-1", "--traffic hotspot output", "'-1'"},
        {"solve --traffic hotspot:0.5:", "--traffic hotspot output", "''"},
        {"solve --traffic hotspot:0.5:1:1", "--traffic hotspot output", "'1:1'"},
        {"solve --traffic matrix", "--traffic matrix", "needs a value"},
        {"solve --traffic matrix:1", "--traffic matrix", "not 1"},
        {"solve --traffic matrix:0.5,0.5/0.5", "--traffic matrix", "not 3"},
        {"solve --traffic matrix:0.5,0.5/0.5,0.5,0", "--traffic", "0.5,0.5/0.5,0.5,0"},
        {"solve --traffic matrix:0.5,0.5/0.5,half", "--traffic", "'half'"},
        {"solve --traffic matrix:0.5,0.5/1.5,-0.5", "--traffic", "'1.5'"},
        {"solve --traffic matrix:0.5,0.5/0.5,0.4", "input 1", "0.9"},
        {"solve --traffic matrix:0.6,0.5/0.5,0.5", "input 0", "1.1"},
        {"solve --traffic matrix:0,0/0.5,0.5", "input 0", "not 0"},
        {"solve --traffic matrix:0.5,0.50000001/0.5,0.5", "input 0", "1.00000001"},
        {"solve --traffic file", "--traffic file", "needs a value"},
        {"solve --traffic file:nowhere", "'nowhere'", "No such file"},
        {"solve --traffic file:.", "'.'", "directory"},
        {"solve --traffic file:/", "'/'", "directory"},
        {"solve --traffic file:empty", "traffic", NULL},
        {"solve --traffic file:three", "--traffic", "not 3"},
        {"solve --traffic file:five", "--traffic", "4 numbers"},
        {"solve --traffic file:words", "--traffic", "'a'"},
        {"solve --traffic file:sums", "input 1", "0.9"},
        {"solve --traffic file:huge", "'huge'", "1 MB"},
        {"solve --traffic file:binary", "--traffic", NULL},
    };
    program_run made = program_shell(
        ": >empty; echo 0.5 0.5 0.5 >three; echo 1 0 1 0 0 >five; echo a b c d >words; "
        "printf '0.5 0.5\\n0.5 0.4\\n' >sums; head -c 1100000 /dev/zero | tr '\\0' ' ' >huge; "
        "head -c 100 /dev/urandom | tr '\\n\\0' 'ab' >binary");

    cr_assert_eq(made.status, 0, "%s", made.err);
    program_free(&made);
    REFUSE(cases, "--buffer damq --slots 4 --load 0.5");
}

Test(cli_input, an_unreadable_file_is_named)
{
    if (getuid() == 0) /* for root nothing is unreadable, except a device without a medium */
        return;
    program_run run =
        program_shell("echo 1 0 0 1 >locked; chmod 0 locked; \"$SWITCHQ\" solve --buffer "
                      "damq --slots 4 --load 0.5 --traffic file:locked");
    expect_refusal(&run, 2, "'locked'", "denied");
    program_free(&run);
}

Test(cli_input, the_solver)
{
    static const bad_input cases[] = {
        {"solve --tol 0", "--tol", "'0'"},
        {"solve --tol 1", "--tol", "'1'"},
        {"solve --tol -1e-9", "--tol", "'-1e-9'"},
        {"solve --tol 1e-16", "--tol", "'1e-16'"},
        {"solve --tol nan", "--tol", "'nan'"},
        {"solve --max-iterations 0", "--max-iterations", "'0'"},
        {"solve --max-iterations 1e-6", "--max-iterations", "'1e-6'"},
        {"solve --max-iterations -5", "--max-iterations", "'-5'"},
        {"solve --max-iterations 3000000000", "--max-iterations", "'3000000000'"},
        {"solve --mem rubbish", "--mem", "'rubbish'"},
        {"solve --mem 0", "--mem", "'0'"},
        {"solve --mem -1G", "--mem", "'-1G'"},
        {"solve --mem G", "--mem", "'G'"},
        {"solve --mem 1X", "--mem", "'1X'"},
        {"solve --mem 1GB", "--mem", "'1GB'"},
        {"solve --mem '1 G'", "--mem", "'1 G'"},
        {"solve --mem nan", "--mem", "'nan'"},
        {"solve --mem 1e30", "--mem", "'1e30'"},
        {"solve --mem 0x10", "--mem", "'0x10'"},
        {"solve --mem ''", "--mem", "''"},
        {"solve --mem 1" FIFTY, "--mem", "'1000"},
        {"solve --mem 0.5", "--mem", "'0.5'"},
    };
    static const bad_input table[] = {
        {"table 4.1 --tol 2", "--tol", "'2'"},
        {"table 4.1 --mem lots", "--mem", "'lots'"},
        {"table 4.1 --solver best", "solver", "'best'"},
    };

    REFUSE(cases, "--buffer damq --slots 4 --load 0.5");
    REFUSE(table, "");
}

/* Refused before it is reached, if it can be foreseen, with what it would need. */
Test(cli_input, too_large_is_exit_3)
{
    static const bad_input cases[] = {
        {"solve --mem 1K --buffer damq --slots 4 --load 0.9", "may have up to", "limit is 1 KB"},
        {"solve --mem 1M --buffer fifo --slots 2047 --load 0.9", "states", "limit is 1 MB"},
        {"solve --buffer damq --ports 8 --slots 8 --load 0.9", "4.66e+23 states", "TB to generate"},
        {"solve --buffer damq --ports 32 --slots 2047 --load 0.9", "states", "memory limit"},
        {"table 4.1 --mem 1K", "states", "limit is 1 KB"},
        {"export --format dot --buffer damq --slots 6 --load 0.9", "200 states", "525"},
    };

    refuse_all(cases, sizeof cases / sizeof *cases, 3, "");
}

/* Even a number too large for a double is not reported as "inf states". */
Test(cli_input, what_it_would_take_is_said_as_a_number)
{
    program_run run = program("solve --buffer damq --ports 32 --slots 2047 --load 0.9");

    expect_refusal(&run, 3, "memory limit", NULL);
    cr_expect(!strstr(run.err, " inf "), "%s", run.err);
    program_free(&run);
}

/* However little memory there is, the estimate itself does not exceed the limit. */
Test(cli_input, what_it_would_take_is_said_under_any_limit)
{
    static const bad_input cases[] = {
        {"--mem 1K --buffer damq --ports 4 --slots 6", "may have up to", "GB to generate"},
        {"--mem 100 --buffer damq --slots 6", "may have up to", "KB to generate"},
        {"--mem 1 --buffer fifo --slots 6", "may have up to", "KB to generate"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("solve --load 0.9 %s", cases[c].arguments);
        expect_refusal(&run, 3, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

/* Directories that cannot be used, and commands that have no use for one. */
Test(cli_input, a_scratch_directory_that_is_none)
{
    static const bad_input cases[] = {
        {"--slots 2 --scratch /nonexistent", "'/nonexistent'", "No such file"},
        {"--slots 2 --scratch /dev/null", "'/dev/null'", "Not a directory"},
        {"--slots 2 --exact --scratch /tmp", "--scratch", "--exact"},
        {"--slots 2 --policy optimal --scratch /tmp", "--scratch", "--policy"},
        {"--slots 5 --ports 4 --scratch /tmp --mem 1M", "states", "memory limit"},
    };
    const int status[] = {2, 2, 2, 2, 3};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("solve --buffer damq --load 0.9 %s", cases[c].arguments);
        expect_refusal(&run, status[c], cases[c].name, cases[c].value);
        program_free(&run);
    }
}

/* The same for export, which generates the same chain in the same memory. */
Test(cli_input, export_foresees_what_solve_foresees)
{
    program_run run = program_shell("timeout 2 \"$SWITCHQ\" export --format mtx -o x --buffer damq "
                                    "--ports 8 --slots 8 --load 0.9");
    expect_refusal(&run, 3, "7.53e+32 states", "memory limit");
    program_free(&run);
}

/* From generating to solving, every limit either suffices or is refused. */
Test(cli_input, any_memory_limit_ends_in_an_answer_or_exit_3)
{
    int refused = 0, solved = 0;

    for (double kilobytes = 1; kilobytes < 4000; kilobytes *= 1.1) {
        program_run run =
            program("solve --buffer damq --slots 4 --load 0.9 --csv --mem %gK", kilobytes);
        if (run.status == 0) {
            cr_expect_str_empty(run.err);
            solved++;
        } else {
            expect_refusal(&run, 3, "memory limit", NULL);
            cr_expect_eq(solved, 0, "%s: less was enough", run.arguments);
            refused++;
        }
        program_free(&run);
    }
    cr_assert(refused > 10 && solved > 10, "%d %d", refused, solved);
}

/* Whatever a value contains, the message is one line without control characters. */
Test(cli_input, a_message_is_one_line_whatever_is_in_the_value)
{
    static const char *const values[] = {"$(printf '0.5\\nswitchq: all is well')",
                                         "$(printf '0.5\\r\\033[2J')"};

    for (int k = 0; k < 2; k++) {
        program_run run = program("solve --buffer damq --slots 4 --load \"%s\"", values[k]);
        expect_refusal(&run, 2, "--load", NULL);
        for (const char *c = run.err; *c; c++)
            cr_expect(*c == '\n' || (unsigned char)*c >= ' ', "%s: control character %d",
                      run.arguments, *c);
        program_free(&run);
    }
}

/* Very long values are cut off without an overrun. */
Test(cli_input, long_values_are_cut)
{
    static const char *const where[] = {
        "solve --buffer %s --slots 4 --load 0.5",
        "solve --buffer damq --slots %s --load 0.5",
        "solve --buffer damq --slots 4 --load %s",
        "solve --%s",
        "solve %s",
        "%s",
        "list %s",
        "table %s",
        "table 4.1 --plot %s",
        "table 4.1 --ports %s",
        "table 4.1 --ports 3 --loads %s",
        "export --format %s",
        "solve --buffer damq --slots 4 --load 0.5 --traffic %s",
        "solve --buffer damq --slots 4 --load 0.5 --traffic file:%s",
        "solve --buffer damq --slots 4 --load 0.5 --traffic hotspot:0.5:%s",
        "solve --buffer damq --slots 4 --load 0.5 --mem %s",
        "solve --buffer damq --slots 4 --load 0.5 --arbiter %s",
    };
    char value[2001];

    memset(value, 'z', 2000);
    value[2000] = '\0';
    for (size_t k = 0; k < sizeof where / sizeof *where; k++) {
        char arguments[2200];
        const char *hole = strstr(where[k], "%s");
        snprintf(arguments, sizeof arguments, "%.*s%s%s", (int)(hole - where[k]), where[k], value,
                 hole + 2);
        program_run run = program("%s", arguments);
        snprintf(run.arguments, sizeof run.arguments, "%s", where[k]);
        expect_refusal(&run, 2, "zzzzzzzzzz", NULL);
        cr_expect(strlen(run.err) < 400, "%s: %zu bytes", where[k], strlen(run.err));
        program_free(&run);
    }
}

/* A full disk, and no standard output at all. */
Test(cli_input, output_that_does_not_arrive_is_an_error)
{
    static const char *const commands[] = {
        "solve --buffer damq --slots 4 --load 0.9",
        "solve --buffer damq --slots 4 --load 0.9 --json",
        "solve --buffer damq --slots 4 --load 0.9 --csv",
        "table 4.1",
        "table 4.1 --json",
        "table 4.1 --csv",
        "table 4.1 --ports 3 --slots 1 --cycles 1000",
        "table 4.1 --ports 3 --slots 1 --cycles 1000 --json",
        "table 4.1 --ports 3 --slots 1 --cycles 1000 --csv",
        "list",
        "list --json",
        "sim --buffer damq --slots 4 --load 0.5 --stages 1 --cycles 500",
        "sim --buffer damq --slots 4 --load 0.5 --stages 1 --cycles 500 --json",
        "sim --buffer damq --slots 4 --load 0.5 --stages 1 --cycles 500 --csv",
        "export --format mtx --buffer damq --slots 6 --load 0.9",
        "export --format drn --buffer damq --slots 2 --load 0.9",
        "export --format dot --buffer damq --slots 2 --load 0.9",
        "--help",
        "--version",
        "solve --help",
        "table --help",
        "list --help",
        "sim --help",
        "export --help",
    };

    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        program_run run = program("%s >/dev/full", commands[k]);
        expect_refusal(&run, 2, "standard output", "No space left on device");
        program_free(&run);
        run = program("%s >&-", commands[k]);
        expect_refusal(&run, 2, "standard output", "Bad file descriptor");
        program_free(&run);
    }
}

/* --target finds what is left out: exactly one of --slots and --load. */
Test(cli_input, a_target_needs_something_to_find)
{
    static const bad_input cases[] = {
        {"solve --buffer damq --slots 4 --load 0.5 --target 1e-6", "--target", "leave one"},
        {"solve --buffer damq --target 1e-6", "--slots", "required"},
        {"solve --buffer damq --slots 4 --target 1e-6x", "--target", "'1e-6x'"},
        {"solve --buffer damq --slots 4 --target 2", "--target", "'2'"},
        {"solve --buffer damq --slots 4 --target 0", "target", "above 0"},
        {"solve --buffer damq --slots 4 --target 0.1 --flow block", "--target", "discard"},
        {"solve --buffer damq --load 0.5 --target 0.1 --queue-max 3", "--queue-max", "--slots"},
        {"solve --buffer fifo --load 0.9 --target 0.1", "target 0.1", "no longer falls"},
    };
    REFUSE(cases, "");
}

/* What cannot fit is refused with what would fit, and so is what would take for ever. */
Test(cli_input, what_would_fit_is_said)
{
    static const struct {
        const char *arguments, *fits;
    } cases[] = {
        {"--buffer damq --ports 4 --slots 8 --mem 4G", "(6 slots per input port would fit)"},
        {"--buffer damq --ports 4 --slots 8 --mem 1M", "(2 slots per input port would fit)"},
        {"--buffer samq --ports 4 --slots 40 --mem 2G", "(8 slots per input port would fit)"},
        /* 14 are reserved: the search begins with these */
        {"--buffer damq --slots 40 --queue-min 7 --mem 800K",
         "(14 slots per input port would fit)"},
        {"--buffer damq --slots 6 --mem 100", "(no fewer slots would fit)"},
        /* with classes inputs do not take turns, so all receptions of a pool are enumerated */
        {"--buffer cbda --ports 8 --slots 3 --high 0.5 --priority arbiter --mem 100G",
         "receptions"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("solve --load 0.9 %s", cases[c].arguments);
        expect_refusal(&run, 3, cases[c].fits, NULL);
        program_free(&run);
    }
}

/* Ctrl-C while a command waits for input ends it at once; it used to be reported as an input error,
 * or took effect only after the next line. */
Test(cli_input, reading_can_be_interrupted)
{
    static const char *const waiting[] = {
        "sweep - --list <pipe",
        "solve --chain pipe.mtx",
        "solve --buffer damq --slots 2 --load 0.5 --traffic file:pipe",
        "sim --buffer damq --slots 2 --stages 1 --traffic trace:pipe",
        "sim --buffer damq --slots 2 --stages 1 --load 0.5 --traffic file:pipe",
    };

    program_run pipe = program_shell("mkfifo pipe pipe.mtx");
    program_free(&pipe);
    for (size_t k = 0; k < sizeof waiting / sizeof *waiting; k++) {
        program_run run = program_shell("exec 8<>pipe 9<>pipe.mtx; timeout --preserve-status -s "
                                        "INT 1 \"$SWITCHQ\" %s",
                                        waiting[k]);
        expect_refusal(&run, 1, "interrupted while reading", NULL);
        program_free(&run);
    }
}

/* Words of the field for buffers: the row that is meant, or the rows that may be. */
Test(cli_input, words_of_the_field_lead_to_rows)
{
    static const char *const same[][2] = {{"input-queued", "fifo"},
                                          {"crosspoint", "safc"},
                                          {"shared-memory", "cbda"},
                                          {"complete-sharing", "cbda"}};
    static const bad_input bad[] = {
        {"solve --buffer smxq --slots 4 --load 0.5", "'cbda'", "--queue-max M"},
        {"solve --buffer SMA --slots 4 --load 0.5", "'cbda'", "--queue-min N"},
        {"solve --buffer complete-partitioning --slots 4 --load 0.5", "'output-queued'",
         "all are reserved"},
        {"solve --buffer dynamic-threshold --slots 4 --load 0.5", "'cbda'", "--alpha A"},
        {"solve --buffer voq --slots 4 --load 0.5", "'voq'", "samq"},
        {"sim --buffer voq --slots 4 --load 0.5", "'voq'", "damq (they share it)"},
        {"sim --topology torus --dims 4 --buffer output-queued --load 0.5", "output-queued",
         "cbda"},
        {"solve --buffer crospoint --slots 4 --load 0.5", "'crospoint' is unknown", NULL},
    };

    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        program_run word = program_succeeds("sim --buffer %s --slots 4 --load 0.3 --cycles 4000 "
                                            "--flow block --csv",
                                            same[k][0]),
                    row = program_succeeds("sim --buffer %s --slots 4 --load 0.3 --cycles 4000 "
                                           "--flow block --csv",
                                           same[k][1]);
        cr_expect_str_eq(word.out, row.out, "%s", same[k][0]);
        program_free(&word);
        program_free(&row);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        program_run run = program("%s", bad[k].arguments);
        expect_refusal(&run, 2, bad[k].name, bad[k].value);
        program_free(&run);
    }
}
