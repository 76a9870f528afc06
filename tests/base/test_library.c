/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Libraries that are loaded late: once, whole or not at all, and by nobody who does not need them.
 */
#include "base/library.h"
#include "switchq/solver.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

TestSuite(library, .timeout = 120);

static bool mapped(const char *part)
{
    char line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");

    while (maps && fgets(line, sizeof line, maps))
        found = found || strstr(line, part);
    if (maps)
        fclose(maps);
    return found;
}

Test(library, names_what_cannot_be_loaded)
{
    swq_context *ctx = swq_context_new();
    int (*function)(void) = NULL;
    const swq_symbol symbols[] = {{"swq_nothing", &function}};

    cr_assert_eq(swq_library_load(ctx, "libswq-nowhere.so.7", symbols, 1), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "libswq-nowhere.so.7"), "%s",
              swq_context_message(ctx));
    swq_context_free(ctx);
}

Test(library, names_a_function_that_is_missing_and_fills_in_none)
{
    swq_context *ctx = swq_context_new();
    double (*cosine)(double) = NULL;
    int (*nothing)(void) = NULL;
    const swq_symbol symbols[] = {{"cos", &cosine}, {"swq_nothing", &nothing}};

    cr_assert_eq(swq_library_load(ctx, "libm.so.6", symbols, 2), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "swq_nothing"), "%s", swq_context_message(ctx));
    cr_assert(!cosine);
    cr_assert_eq(swq_library_load(ctx, "libm.so.6", symbols, 1), SWQ_OK);
    cr_assert_eq(cosine(0), 1);
    cr_assert_eq(swq_library_load(ctx, "libm.so.6", symbols, 1), SWQ_OK, "again");
    swq_context_free(ctx);
}

static void solve_by(swq_context *ctx, const char *name)
{
    int64_t start[] = {0, 2, 4};
    int32_t col[] = {0, 1, 0, 1};
    double value[] = {0.5, 0.5, 0.25, 0.75};
    const swq_csr p = {2, 2, start, col, value, NULL};
    swq_solver_options options = swq_solver_options_defaults();
    const swq_solver *solver;
    swq_solution solution = {0};

    cr_assert_eq(swq_solver_find(ctx, name, &solver), SWQ_OK);
    cr_assert_eq(swq_solve(ctx, &p, 0, solver, &options, NULL, 0, &solution), SWQ_OK);
    swq_solution_clear(ctx, &solution);
}

/* Loading BLAS and its dependents would take most of a small run's time. */
Test(library, small_chains_are_solved_without_blas)
{
    swq_context *ctx = swq_context_new();
    const char *late[] = {"libblas",    "openblas",   "liblapack",
                          "libumfpack", "libcholmod", "libarpack"};

    solve_by(ctx, "auto");
    for (size_t k = 0; k < sizeof late / sizeof *late; k++)
        cr_assert(!mapped(late[k]), "%s is loaded", late[k]);
    solve_by(ctx, "umfpack");
    cr_assert(mapped("libumfpack"), "this test would see it");
    swq_context_free(ctx);
}
