/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/lines: fields of lines, and every way in which they can be wrong.
 */
#include "base/lines.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

static swq_context *ctx;
static swq_lines l;

static void setup(void)
{
    folder_make();
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_lines_close(&l);
    swq_lines_close(&l); /* safe again */
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    folder_remove();
}

TestSuite(lines, .init = setup, .fini = teardown, .timeout = 120);

static void begin(const char *text)
{
    swq_lines_close(&l);
    folder_write("f", text);
    cr_assert_eq(swq_lines_open(ctx, folder_path("f"), &l, NULL), SWQ_OK);
}

static bool next(void)
{
    bool more;

    cr_assert_eq(swq_lines_next_but(&l, '#', &more), SWQ_OK, "%s", swq_context_message(ctx));
    return more;
}

Test(lines, blank_lines_comments_and_ends)
{
    begin("# no\n\n \t\n  a b\r\n#x\nlast");
    cr_assert(next());
    cr_assert_str_eq(l.line, "  a b");
    cr_assert_eq(l.number, 4);
    cr_assert(next());
    cr_assert_str_eq(l.line, "last");
    cr_assert_eq(l.number, 6);
    cr_assert(!next());
    begin("");
    cr_assert(!next());
}

Test(lines, numbers)
{
    static const struct {
        const char *text;
        double value;
        bool fine, fraction;
    } cases[] = {
        {"0", 0, true, false},       {"0.0e-400", 0, true, false},
        {"-0.5", -0.5, true, false}, {"1e-290", 1e-290, true, false},
        {"0.1", 0.1, true, false},   {".5", 0.5, true, false},
        {"+1e2", 100, true, false},  {"1/3", 1.0 / 3, true, true},
        {"0/7", 0, true, true},      {"2.5e-1/0.5", 0.5, true, true},
        {"1e-400", 0, false, false}, {"1e-291", 0, false, false},
        {"1e291", 0, false, false},  {"1e999", 0, false, false},
        {"nan", 0, false, false},    {"inf", 0, false, false},
        {"-inf", 0, false, false},   {"0x1p-1", 0, false, false},
        {"1/0", 0, false, false},    {"1/-3", 0, false, false},
        {"1/", 0, false, false},     {"/3", 0, false, false},
        {"1/2/3", 0, false, false},  {"1e-200/1e200", 0, false, false},
        {"1,5", 0, false, false},    {"1.5.2", 0, false, false},
        {"e", 0, false, false},      {"-", 0, false, false},
        {"", 0, false, false},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char line[80];
        double value = -7;
        bool fraction = false;
        snprintf(line, sizeof line, "x %s\n", cases[k].text);
        begin(line);
        cr_assert(next());
        l.at++; /* after the x, which keeps the line from being blank */
        swq_status status = swq_lines_number(&l, "the chance", &value, &fraction);
        cr_assert_eq(!status, cases[k].fine, "'%s'", cases[k].text);
        cr_assert(status == SWQ_OK || status == SWQ_EINVAL);
        if (cases[k].fine) {
            cr_assert(value == cases[k].value && fraction == cases[k].fraction, "'%s' is %g",
                      cases[k].text, value);
        } else {
            cr_assert_eq(value, -7, "an output was touched");
            cr_assert(strstr(swq_context_message(ctx), "line 1: the chance must be"), "%s",
                      swq_context_message(ctx));
        }
    }
    begin("1 "
          "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "000000000000000000000000000000000000000000000000000000000000000000\n");
    double value;
    cr_assert(next());
    cr_assert_eq(swq_lines_number(&l, "x", &value, NULL), SWQ_OK);
    cr_assert_eq(swq_lines_number(&l, "x", &value, NULL), SWQ_EINVAL, "a field that was cut off");
}

Test(lines, whole_numbers)
{
    static const char *const bad[] = {"-1", "11", "1.5", "x", "99999999999999999999", "1x", ""};
    int64_t value = -7;

    begin("10 0 +3\n");
    cr_assert(next());
    cr_assert_eq(swq_lines_integer(&l, "n", 0, 10, &value), SWQ_OK);
    cr_assert_eq(value, 10);
    cr_assert_eq(swq_lines_end(&l), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "'0 +3'"), "%s", swq_context_message(ctx));
    cr_assert_eq(swq_lines_integer(&l, "n", 0, 10, &value), SWQ_OK);
    cr_assert_eq(value, 0);
    cr_assert_eq(swq_lines_integer(&l, "n", 0, 10, &value), SWQ_OK);
    cr_assert_eq(value, 3);
    cr_assert_eq(swq_lines_end(&l), SWQ_OK);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char line[80];
        snprintf(line, sizeof line, "x %s\n", bad[k]);
        begin(line);
        cr_assert(next());
        l.at++;
        value = -7;
        cr_assert_eq(swq_lines_integer(&l, "n", 0, 10, &value), SWQ_EINVAL, "'%s'", bad[k]);
        cr_assert_eq(value, -7);
        cr_assert(strstr(swq_context_message(ctx), "from 0 to 10"), "%s", swq_context_message(ctx));
    }
}

Test(lines, long_lines_zero_bytes_and_folders)
{
    enum { LONG = 1 << 20 };
    char *text = malloc(LONG + 2);
    bool more, missing;

    cr_assert(text);
    memset(text, 'a', LONG + 1);
    text[LONG + 1] = '\0';
    text[LONG - 1] = '\n'; /* just fits */
    begin(text);
    cr_assert(next());
    cr_assert_eq(strlen(l.line), LONG - 1);
    text[LONG - 1] = 'a';
    begin(text);
    cr_assert_eq(swq_lines_next(&l, &more), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "longer than 1 MB"), "%s", swq_context_message(ctx));
    free(text);

    FILE *file = fopen(folder_path("f"), "w");
    fwrite("ab\0c\n", 1, 5, file);
    fclose(file);
    swq_lines_close(&l);
    cr_assert_eq(swq_lines_open(ctx, folder_path("f"), &l, NULL), SWQ_OK);
    cr_assert_eq(swq_lines_next(&l, &more), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "a byte of value 0"), "%s",
              swq_context_message(ctx));
    begin("a\033[2J\n");
    cr_assert_eq(swq_lines_next(&l, &more), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "a byte of value 27"), "%s",
              swq_context_message(ctx));
    begin("a\rb\r");
    cr_assert_eq(swq_lines_next(&l, &more), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "not in CR"), "%s", swq_context_message(ctx));
    swq_lines_close(&l);

    cr_assert_eq(swq_lines_open(ctx, folder_path("."), &l, &missing), SWQ_OK);
    cr_assert(!missing);
    cr_assert_eq(swq_lines_next(&l, &more), SWQ_EIO, "a folder");
    swq_lines_close(&l);
    cr_assert_eq(swq_lines_open(ctx, folder_path("nix"), &l, NULL), SWQ_EIO);
    cr_assert_eq(swq_lines_open(ctx, folder_path("nix"), &l, &missing), SWQ_OK);
    cr_assert(missing);
}

Test(lines, reading_can_be_interrupted)
{
    bool more;

    begin("a\nb\n");
    cr_assert(next());
    swq_context_cancel(ctx);
    cr_assert_eq(swq_lines_next(&l, &more), SWQ_ECANCELLED);
    cr_assert(strstr(swq_context_message(ctx), "interrupted while reading"), "%s",
              swq_context_message(ctx));
}
