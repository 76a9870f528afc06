/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fault tests of tests/faults, in a short form: sweeps that are killed, run out of room, or
 * share a database. 'make faults' has the long one.
 */
#include "tests/cli/program.h"

TestSuite(sweep_faults, .init = program_begin, .fini = program_end, .timeout = 480);

static void run_script(const char *arguments)
{
    if (system("command -v python3 >/dev/null 2>&1") != 0)
        cr_skip_test("no python3 here");
    program_run run = program_shell("python3 -B \"$SWITCHQ_SOURCE\"/tests/faults/%s", arguments);
    cr_assert_eq(run.status, 0, "%s%s", run.out, run.err);
    if (strstr(run.out, ": skipped"))
        cr_skip_test("%s", run.out);
    program_free(&run);
}

Test(sweep_faults, killed)
{
    run_script("kill.py kills=8 repeats=8 longest=0.25 cycles=4000");
}

Test(sweep_faults, no_room)
{
    run_script("disk.py repeats=12");
}

Test(sweep_faults, several_processes)
{
    run_script("several.py repeats=8 cycles=4000");
}

Test(sweep_faults, ranks)
{
    run_script("ranks.py repeats=3 cycles=4000");
}
