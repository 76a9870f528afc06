/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every command under limits on the address space: an answer, or exit status 3 and one line, in
 * time. BLAS once waited for ever for a work space that it could not have.
 */
#include "tests/cli/program.h"

TestSuite(cli_limits, .init = program_begin, .fini = program_end, .timeout = 480);

static const char *const commands[] = {
    "list buffers",
    "help sources",
    "completion bash",
    "formula",
    "solve --buffer damq --slots 2 --load 0.5",
    "solve --buffer damq --ports 4 --slots 1 --load 0.5",
    "solve --buffer damq --ports 3 --slots 2 --load 0.5 --reduce none",
    "solve --buffer damq --slots 2 --load 0.5 --exact",
    "solve --buffer damq --slots 4 --load 0.5 --delay",
    "solve --buffer damq --load 0.5 --target 0.1",
    "export --buffer damq --slots 2 --load 0.5 --format mtx -o chain",
    "sim --buffer damq --slots 2 --load 0.5 --stages 2 --cycles 2000",
    "sim --topology torus --dims 4x4 --buffer damq --slots 4 --load 0.01 --cycles 2000",
    "approx --buffer damq --slots 4 --load 0.5",
    "approx --buffer fifo --slots 2 --load 0.5 --flow block",
    "approx --topology torus --dims 4x4 --buffer damq --slots 4 --load 0.01",
    "table 4.1",
    "sweep study.yaml",
    "validate --list",
};

/* Kilobytes that `ulimit -v` allows: some too few for BLAS, some enough. With less than some 61,000
 * the libraries cannot be loaded, or one of them crashes before the program starts. */
static const int limits[] = {70000, 90000, 120000, 160000, 200000, 260000, 400000};

static void expect_an_answer_or_status_3(const char *command, int kilobytes)
{
    program_run run =
        program_shell("ulimit -v %d; exec timeout 20 \"$SWITCHQ\" %s", kilobytes, command);

    if (run.status == 3)
        expect_refusal(&run, 3, NULL, NULL);
    else
        cr_expect_eq(run.status, 0, "ulimit -v %d: %s: status %d: %.200s", kilobytes, command,
                     run.status, run.err);
    program_free(&run);
}

/* gcc and clang indicate AddressSanitizer in different ways. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SHADOWED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SHADOWED
#endif

static void skip_where_address_space_is_shadowed(void)
{
#ifdef SHADOWED
    cr_skip_test("the sanitizer needs more address space than any limit here allows");
#endif
}

Test(cli_limits, every_command_ends)
{
    skip_where_address_space_is_shadowed();
    program_run file = program_shell("printf 'command: solve\\nset: {buffer: damq, slots: 2}\\n"
                                     "over: {load: [0.3, 0.5]}\\n' >study.yaml");
    program_free(&file);
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
            expect_an_answer_or_status_3(commands[c], limits[k]);
    }
}

/* Solvers that need BLAS say so; the others do not need it for a small chain. */
Test(cli_limits, solvers)
{
    static const char *const with_blas[] = {"sparse-gth", "lu", "umfpack", "arnoldi"},
                             *const without[] = {"auto",         "gth", "aggregation", "power",
                                                 "gauss-seidel", "sor", "anderson"};

    skip_where_address_space_is_shadowed();
    for (size_t k = 0; k < sizeof with_blas / sizeof *with_blas; k++) {
        program_run run = program_shell("ulimit -v 120000; exec timeout 20 \"$SWITCHQ\" solve "
                                        "--buffer damq --slots 2 --load 0.5 --solver %s",
                                        with_blas[k]);
        expect_refusal(&run, 3, with_blas[k], "ulimit -v");
        program_free(&run);
    }
    for (size_t k = 0; k < sizeof without / sizeof *without; k++) {
        program_run run = program_shell("ulimit -v 120000; exec timeout 20 \"$SWITCHQ\" solve "
                                        "--buffer damq --slots 2 --load 0.5 --solver %s",
                                        without[k]);
        cr_expect_eq(run.status, 0, "%s: status %d: %s", without[k], run.status, run.err);
        program_free(&run);
    }
}
