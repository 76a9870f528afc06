/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/names.c: the edit distance on pairs worked out by hand, and what a look-up says.
 */
#include "base/names.h"
#include "tests/support/support.h"

#include <ctype.h>
#include <limits.h>

TestSuite(names, .timeout = 120);

Test(names, distance)
{
    static const struct {
        const char *a, *b;
        int distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"damq", "damq", 0},
        {"damq", "DaMQ", 0},  /* case */
        {"damq", "damp", 1},  /* a substitution */
        {"damq", "dam", 1},   /* a deletion */
        {"damq", "damqs", 1}, /* an insertion at the end */
        {"damq", "xdamq", 1}, /* and at the beginning */
        {"damq", "dmaq", 1},  /* a transposition of neighbours */
        {"damq", "DMAQ", 1},  /* whatever the case */
        {"damq", "adqm", 2},  /* two of them */
        {"damq", "mdaq", 2},  /* a transposition of letters that are not neighbours */
        {"kitten", "sitting", 3},
        {"fifo", "samq", 4},
        {"ca", "abc", 3}, /* optimal string alignment; unrestricted it would be 2 */
        {"random", "random-outputs", 8},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cr_assert_eq(swq_name_distance(cases[c].a, cases[c].b), cases[c].distance, "%s %s: %d",
                     cases[c].a, cases[c].b, swq_name_distance(cases[c].a, cases[c].b));
        cr_assert_eq(swq_name_distance(cases[c].b, cases[c].a), cases[c].distance, "%s %s",
                     cases[c].b, cases[c].a);
    }
}

Test(names, long_names_are_far_from_everything)
{
    char longest[65];

    memset(longest, 'a', 64);
    longest[64] = '\0';
    cr_assert_eq(swq_name_distance(longest, "a"), INT_MAX);
    cr_assert_eq(swq_name_distance("a", longest), INT_MAX);
    longest[63] = '\0';
    cr_assert_eq(swq_name_distance(longest, "a"), 62);
    cr_assert_eq(swq_name_distance(longest, longest), 0);
}

typedef struct {
    const char *name;
    int number;
} name_row;

static const name_row rows[] = {{"fifo", 0}, {"samq", 1}, {"damq", 2}, {"a-long-name", 3}};
static const void *const table[] = {&rows[0], &rows[1], &rows[2], &rows[3], NULL};

Test(names, a_known_name_is_found)
{
    swq_context *ctx = swq_context_new();

    for (int r = 0; r < 4; r++)
        cr_assert_eq(swq_name_lookup(ctx, "thing", rows[r].name, table), &rows[r]);
    cr_assert_str_empty(swq_context_message(ctx));
    swq_context_free(ctx);
}

Test(names, an_unknown_one_gets_the_nearest_suggested)
{
    static const struct {
        const char *name, *suggestion;
    } cases[] = {
        {"damp", "damq"},
        {"fif", "fifo"},
        {"DAMQ", "damq"},
        {"smaq", "samq"},
        {"a-lnog-nam", "a-long-name"},
    };
    swq_context *ctx = swq_context_new();
    char part[80];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cr_assert_null(swq_name_lookup(ctx, "thing", cases[c].name, table), "%s", cases[c].name);
        snprintf(part, sizeof part, "thing '%s' is unknown; did you mean '%s'?", cases[c].name,
                 cases[c].suggestion);
        cr_assert_not_null(strstr(swq_context_message(ctx), part), "%s", swq_context_message(ctx));
        cr_assert_not_null(strstr(swq_context_message(ctx), "fifo, samq, damq, a-long-name"), "%s",
                           swq_context_message(ctx));
    }
    swq_context_free(ctx);
}

Test(names, nothing_is_suggested_that_is_not_alike)
{
    static const char *const names[] = {"", "x", "zzzz", "voq", "dxyz", "random", "fixed-it-all"};
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof names / sizeof *names; c++) {
        cr_assert_null(swq_name_lookup(ctx, "thing", names[c], table));
        cr_assert_null(strstr(swq_context_message(ctx), "did you mean"), "%s",
                       swq_context_message(ctx));
        cr_assert_not_null(strstr(swq_context_message(ctx), "known: fifo, samq, damq, a-long-name"),
                           "%s", swq_context_message(ctx));
    }
    swq_context_free(ctx);
}

Test(names, an_endless_name_and_an_endless_table)
{
    enum { ROWS = 300 };
    static char text[ROWS][16];
    static name_row many[ROWS];
    static const void *pointers[ROWS + 1];
    swq_context *ctx = swq_context_new();
    char endless[5000];

    for (int r = 0; r < ROWS; r++) {
        snprintf(text[r], sizeof text[r], "name%d", r);
        many[r] = (name_row){text[r], r};
        pointers[r] = &many[r];
    }
    memset(endless, 'z', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    cr_assert_null(swq_name_lookup(ctx, "thing", endless, pointers));
    cr_assert_not_null(strstr(swq_context_message(ctx), "is unknown"));
    cr_assert_eq(swq_name_lookup(ctx, "thing", "name299", pointers), &many[299]);
    pointers[0] = NULL; /* an empty table */
    cr_assert_null(swq_name_lookup(ctx, "thing", "x", pointers));
    cr_assert_not_null(strstr(swq_context_message(ctx), "thing 'x' is unknown"));
    swq_context_free(ctx);
}

/* The tables of the library: names are distinct and plain, and each finds its own row. */
static void expect_table(const void *const *rows_of, const char *what)
{
    swq_context *ctx = swq_context_new();

    for (int a = 0; rows_of[a]; a++) {
        const char *name = *(const char *const *)rows_of[a];
        for (const char *p = name; *p; p++)
            cr_assert(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '-',
                      "%s '%s'", what, name);
        cr_assert_eq(swq_name_lookup(ctx, what, name, rows_of), rows_of[a], "%s '%s'", what, name);
    }
    swq_context_free(ctx);
}

Test(names, the_tables_of_the_library)
{
    expect_table((const void *const *)swq_buffer_kinds, "buffer");
    expect_table((const void *const *)swq_arbiters, "arbiter");
    expect_table((const void *const *)swq_export_formats, "format");
    expect_table((const void *const *)swq_solvers, "solver");
}

Test(names, finders_leave_their_output_alone_on_failure)
{
    swq_context *ctx = swq_context_new();
    const swq_buffer_kind *kind = NULL;
    const swq_arbiter *arbiter = NULL;
    const swq_export_format *format = NULL;

    cr_assert_eq(swq_buffer_kind_find(ctx, "damp", &kind), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "buffer 'damp' is unknown; did you mean"),
                       "%s", swq_context_message(ctx));
    cr_assert_eq(swq_arbiter_find(ctx, "randon", &arbiter), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "did you mean 'random'"), "%s",
                       swq_context_message(ctx));
    cr_assert_eq(swq_export_find(ctx, "prisn", &format), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "did you mean 'prism'"), "%s",
                       swq_context_message(ctx));
    cr_assert(!kind && !arbiter && !format);
    /* names that do not fit are not truncated */
    const swq_formula *formula = NULL;
    cr_assert_eq(swq_formula_find(ctx, "nothing-like-it", &formula), SWQ_EINVAL);
    const char *message = swq_context_message(ctx), *end = message + strlen(message) - 5;
    cr_assert(strcmp(end, ", ...") == 0 && !formula, "%s", message);
    swq_context_free(ctx);
}
