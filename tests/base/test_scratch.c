/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/scratch.c: factors in a file are what they are in memory, to the bit, and the memory limit
 * does not count them; no file is left behind, seen, or needed to report that there is no room.
 */
#include "base/context.h"
#include "base/packed.h"
#include "switchq/exact.h"
#include "tests/support/support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

TestSuite(scratch, .timeout = 100);

static char directory[64];

static void make_directory(void)
{
    strcpy(directory, "/tmp/switchq-scratch-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
}

/* Nothing is visible in the directory; otherwise rmdir would fail. */
static void remove_empty_directory(void)
{
    cr_assert_eq(rmdir(directory), 0, "something was left in %s", directory);
}

static swq_context *context_with_file(void)
{
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_context_use_scratch(ctx, directory), SWQ_OK, "%s", swq_context_message(ctx));
    return ctx;
}

Test(scratch, the_same_answers_with_less_memory)
{
    static swq_answers answers[2];
    size_t peak[2];

    make_directory();
    for (int k = 0; k < 2; k++) {
        swq_context *ctx = k ? context_with_file() : swq_context_new();
        swq_switch sw = test_switch(ctx, "damq", 3, 6, 0.9, "longest");
        const swq_exact_options options = swq_exact_options_defaults();
        swq_context_use_threads(ctx, 2);
        cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &answers[k]), SWQ_OK);
        peak[k] = swq_context_peak_bytes(ctx);
        const swq_scratch *s = swq_context_scratch(ctx);
        cr_assert_eq(s->taken, 0, "%g bytes of the file are still in use", s->taken);
        cr_assert_eq(s->most > 5e5, k == 1, "%g", s->most);
        swq_answers_clear(ctx, &answers[k]);
        swq_context_free(ctx);
    }
    cr_assert_eq(answers[0].discard.value, answers[1].discard.value);
    cr_assert_eq(answers[0].discard.lower, answers[1].discard.lower);
    cr_assert_eq(answers[0].discard.upper, answers[1].discard.upper);
    cr_assert_eq(answers[0].mean_packets, answers[1].mean_packets);
    cr_assert_eq(answers[0].residual, answers[1].residual);
    cr_assert_lt(peak[1] + 500000, peak[0]);
    remove_empty_directory();
}

enum { ROWS = 3000, COLS = 70000, EACH = 3 };

/* A factor by rows with that many different values, in two strips. */
static void plain_factor(swq_context *ctx, int values, swq_csr *m)
{
    *m = (swq_csr){.rows = ROWS, .cols = COLS};
    m->start = swq_calloc(ctx, ROWS + 1, sizeof *m->start);
    m->col = swq_calloc(ctx, ROWS * EACH, sizeof *m->col);
    m->value = swq_calloc(ctx, ROWS * EACH, sizeof *m->value);
    for (int i = 0; i < ROWS; i++) {
        m->start[i + 1] = (i + 1) * EACH;
        for (int k = 0; k < EACH; k++) {
            m->col[i * EACH + k] = k * (COLS / EACH) + i;
            m->value[i * EACH + k] = 1 / (1.0 + (i * EACH + k) % values);
        }
    }
}

Test(scratch, packed_factors_with_few_and_many_values)
{
    static double x[ROWS], y[2][COLS];
    const int values[] = {10, 1000};

    make_directory();
    for (int i = 0; i < ROWS; i++)
        x[i] = 1 + 0.001 * i;
    for (int v = 0; v < 2; v++) {
        for (int k = 0; k < 2; k++) {
            swq_context *ctx = k ? context_with_file() : swq_context_new();
            swq_csr m;
            plain_factor(ctx, values[v], &m);
            cr_assert_eq(swq_csr_pack(ctx, &m), SWQ_OK);
            cr_assert(m.packed && m.packed->wide == (v == 1) && m.packed->filed == (k == 1));
            swq_packed_let_go(m.packed); /* what was written is still there */
            swq_csr_vector_times(x, &m, y[k]);
            swq_csr_clear(ctx, &m);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            swq_context_free(ctx);
        }
        for (int j = 0; j < COLS; j++)
            cr_assert(y[0][j] == y[1][j], "column %d", j);
    }
    remove_empty_directory();
}

Test(scratch, failing_allocations_are_reported)
{
    make_directory();
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t after = 0; status; after++) {
            swq_context *ctx = context_with_file();
            swq_csr m;
            plain_factor(ctx, 1000, &m);
            swq_context_fail_allocations(ctx, after, for_good);
            status = swq_csr_pack(ctx, &m);
            cr_assert(!status || status == SWQ_ENOMEM, "%d", status);
            swq_csr_clear(ctx, &m);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            cr_assert_eq(swq_context_scratch(ctx)->taken, 0);
            swq_context_free(ctx);
        }
    }
    remove_empty_directory();
}

Test(scratch, no_directory_and_a_full_disk_are_said)
{
    const struct rlimit small = {100000, 100000};
    swq_context *ctx = swq_context_new();
    swq_csr m;

    make_directory();
    cr_assert_eq(swq_context_use_scratch(ctx, "/nonexistent"), SWQ_EIO);
    cr_assert_not_null(strstr(swq_context_message(ctx), "'/nonexistent': No such file"));
    cr_assert_eq(swq_context_use_scratch(ctx, "/dev/null"), SWQ_EIO);
    cr_assert_not_null(strstr(swq_context_message(ctx), "'/dev/null': Not a directory"));
    cr_assert_not(swq_scratch_used(ctx));
    cr_assert_eq(swq_context_use_scratch(ctx, directory), SWQ_OK);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    plain_factor(ctx, 10, &m);
    cr_assert_eq(swq_csr_pack(ctx, &m), SWQ_EIO);
    cr_assert_not_null(strstr(swq_context_message(ctx), "cannot keep a file"));
    cr_assert_null(m.packed);
    swq_csr_clear(ctx, &m);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    remove_empty_directory();
}
