/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/options/files.c: files that cannot be read or written, and files that would replace one
 * another, are refused before anything is computed.
 */
#include "tests/cli/program.h"

#include <sys/stat.h>
#include <unistd.h>

static void begin(void)
{
    program_begin();
    mkdir("folder", 0777);
    mkdir("sub", 0777);
    program_run made = program_shell("echo >file && ln -s ../x sub/link && ln -s x here");
    program_free(&made);
}

TestSuite(cli_files, .init = begin, .fini = program_end, .timeout = 240);

#define SIM   "sim --stages 2 --ports 2 --buffer damq --slots 2 --cycles 500 "
#define SOLVE "solve --buffer damq --slots 2 "

/* Nothing is printed and nothing is made. */
static void expect_none(const char *line, const char *first, const char *second)
{
    char *before = folder_names();
    program_run run = program("%s", line);

    expect_refusal(&run, 2, first, second);
    program_free(&run);
    char *after = folder_names();
    cr_expect_str_eq(before, after, "%s", line);
    free(before);
    free(after);
}

Test(cli_files, no_two_are_written_to_one_place)
{
    static const char *const lines[][3] = {
        {SIM "--load 0.5 --starts x --watch x", "--starts", "--watch"},
        {SIM "--load 0.5 --starts x --watch sub/../x", "--starts", "--watch"},
        {SIM "--load 0.5 --starts x --save-config ./x", "--starts", "--save-config"},
        {SIM "--load 0.1:0.3:0.1 --watch q.svg --plot q.svg", "--watch", "--plot"},
        {SIM "--load 0.1:0.3:0.1 --watch new/q.svg --plot new/q.svg", "--watch", "--plot"},
        {"chip --waves x --save-config x", "--waves", "--save-config"},
        {"export --format mtx --buffer damq --slots 2 --load 0.5 --reduce auto -o q --map q.mtx",
         "--output", "--map"},
        {"export --format prism --buffer damq --slots 2 --load 0.5 --reduce auto -o q --map q.sta",
         "--output", "--map"},
        {"export --format mtx --buffer damq --slots 2 --load 0.5 -o q.mtx --save-config q.mtx",
         "--output", "--save-config"},
        {"export --format mtx --buffer damq --slots 2 --load 0.5 --reduce auto --map q "
         "--save-config q",
         "--map", "--save-config"},
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        expect_none(lines[k][0], lines[k][1], lines[k][2]);
}

/* Links count as what they lead to, and devices are no places. */
Test(cli_files, places_are_not_names)
{
    program_run made = program_shell("echo >x");
    program_free(&made);
    expect_none(SIM "--load 0.5 --starts here --watch x", "--starts", "--watch");
    expect_none(SIM "--load 0.5 --starts sub/link --watch x", "--starts", "--watch");
    program_run run = program_succeeds(SIM "--load 0.5 --starts sub/x --save-config y --csv");
    cr_expect_eq(access("sub/x", F_OK), 0);
    cr_expect_eq(access("y", F_OK), 0);
    program_free(&run);
    run = program_succeeds(SIM "--load 0.5 --starts /dev/null --save-config /dev/null --csv");
    program_free(&run);
}

Test(cli_files, what_cannot_be_written_is_found_first)
{
    static const char *const lines[][3] = {
        {SIM "--load 0.5 --starts folder", "--starts: cannot write 'folder'", "Is a directory"},
        {SIM "--load 0.5 --watch file/x", "--watch: cannot write 'file/x'", "Not a directory"},
        {SIM "--load 0.5 --watch=", "--watch must name a file", NULL},
        {SIM "--load 0.5 --starts=", "--starts must name a file", NULL},
        {SOLVE "--load 0.5 --save-config folder", "--save-config: cannot write 'folder'", NULL},
        {SOLVE "--load 0.5 --save-config file/x/y", "--save-config: cannot write", NULL},
        {SOLVE "--load 0.1:0.5:0.1 --plot file/x.svg", "--plot: cannot write", NULL},
        {"formula output-queue --load 0.1:0.3:0.1 --ports 2 --plot file/x.svg",
         "--plot: cannot write", NULL},
        {"export --format mtx --buffer damq --slots 2 --load 0.5 -o file/x",
         "--output: cannot write", "Not a directory"},
        {"chip --waves folder", "--waves: cannot write 'folder'", "Is a directory"},
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        expect_none(lines[k][0], lines[k][1], lines[k][2]);
}

Test(cli_files, what_cannot_be_read_is_named_with_its_option)
{
    program_run made = program_shell("printf '2 2\\n0 1 1\\n1 0 1\\n' >c.tra");
    program_free(&made);
    expect_none("solve --config folder", "--config: cannot read 'folder'", "Is a directory");
    expect_none("solve --config none", "--config: cannot read 'none'", "No such file");
    expect_none("solve --chain c.tra --rewards folder", "--rewards: cannot read", NULL);
    expect_none("cost --buffer damq --cost-file none", "--cost-file: cannot read 'none'", NULL);
    expect_none(SOLVE "--load 0.5 --scratch file", "--scratch: cannot keep a file in", "'file'");
}

Test(cli_files, gnuplot_is_looked_for_first)
{
    static const char *const lines[] = {
        SIM "--load 0.1:0.3:0.1 --plot a.svg",
        SOLVE "--load 0.1:0.3:0.1 --plot a.svg",
        "approx --stages 2 --ports 2 --buffer fifo --slots 1 --load 0.1:0.3:0.1 --plot a.svg",
        "formula output-queue --load 0.1:0.3:0.1 --ports 2 --plot a.svg",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run = program_shell("PATH=/nowhere \"$SWITCHQ\" %s", lines[k]);
        expect_refusal(&run, 2, "gnuplot", "No such file");
        program_free(&run);
    }
}
