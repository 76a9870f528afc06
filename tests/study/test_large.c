/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Large studies: read in time that grows with their size and not with its square, refused where a
 * bound is passed, and given up when reading is interrupted. The time allowed is generous: each of
 * these files once took from ten seconds to minutes.
 */
#include "base/context.h"
#include "tests/study/studies.h"

#include <stdarg.h>

TestSuite(study_large, .timeout = 240);

typedef struct {
    char *text;
    size_t used, room;
} growing;

static void put(growing *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(growing *g, const char *format, ...)
{
    va_list arguments;

    if (g->room - g->used < 200) {
        g->room = 2 * g->room + 1000;
        g->text = realloc(g->text, g->room);
        cr_assert(g->text);
    }
    va_start(arguments, format);
    g->used += (size_t)vsnprintf(g->text + g->used, g->room - g->used, format, arguments);
    va_end(arguments);
}

static void expect_refused(growing *g, const char *line, const char *why)
{
    swq_context *ctx = swq_context_new();
    swq_study *study = NULL;

    cr_expect_eq(swq_study_parse(ctx, "s.yaml", g->text, g->used, &test_language, &study),
                 SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), line), "%s", swq_context_message(ctx));
    cr_expect(strstr(swq_context_message(ctx), why), "%s", swq_context_message(ctx));
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    free(g->text);
    *g = (growing){0};
}

Test(study_large, depth, .timeout = 120)
{
    static const char *const opening[] = {"[", "{a: ", "- ", "? "};

    for (int k = 0; k < 4; k++) {
        growing g = {0};
        put(&g, "command: solve\n---\n");
        for (int depth = 0; depth < 100000; depth++)
            put(&g, "%s", opening[k]);
        expect_refused(&g, "line 3", "too deep");
    }
}

Test(study_large, keys_and_anchors, .timeout = 120)
{
    growing g = {0};

    put(&g, "command: solve\nset:\n");
    for (int k = 0; k < 100000; k++)
        put(&g, "  k%d: 1\n", k);
    expect_refused(&g, "line 1003", "more than 1000 keys");
    put(&g, "[");
    for (int k = 0; k < 100000; k++)
        put(&g, "&a%d x,\n", k);
    put(&g, "y]");
    expect_refused(&g, "line 1001", "more than 1000 anchors");
    put(&g, "command: solve\nset: {slots: 1, load: 1, ports: 2,\n load: 2, slots: 2}");
    expect_refused(&g, "line 3", "'load' stands twice here, first in line 2");
}

Test(study_large, values)
{
    growing g = {0};

    for (int k = 0; k < 5; k++)
        put(&g,
            "- {command: solve, over: {load: {from: 0, to: 1, points: 900000}},\n   set: {slots: "
            "%d}}\n",
            k + 1);
    expect_refused(&g, "line 9", "more than 4000000 values");
    put(&g, "[");
    for (int k = 0; k < 1 << 21; k++)
        put(&g, "1,");
    put(&g, "1]");
    expect_refused(&g, "line 1", "more than 2 million values");
}

static int questions;

static swq_option_use count_questions(void *arg, const char *command, const char *name,
                                      const char **nearest)
{
    questions++;
    return test_language.option(arg, command, name, nearest);
}

Test(study_large, the_language_is_asked_once_for_each_option_of_a_block)
{
    swq_study_language language = test_language;
    swq_context *ctx = swq_context_new();
    swq_study *study = NULL;
    growing g = {0};
    int64_t points;

    language.option = count_questions;
    put(&g, "command: solve\nset: {buffer: damq}\nover:\n  load: [0");
    for (int k = 1; k < 10000; k++)
        put(&g, ", %g", k / 10000.0);
    put(&g, "]\nwithout:\n");
    for (int k = 0; k < 5000; k++)
        put(&g, "  - {load: %g}\n", k / 10000.0);
    put(&g, "---\ncommand: solve\nset: {load: 0.5}\n");
    cr_assert_eq(swq_study_parse(ctx, "s.yaml", g.text, g.used, &language, &study), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(questions, 3, "%d", questions);
    cr_assert_eq(swq_study_count(ctx, study, &points), SWQ_OK);
    cr_assert_eq(points, 5001);
    swq_study_free(ctx, study);
    swq_context_free(ctx);
    free(g.text);
}

Test(study_large, exclusions, .timeout = 120)
{
    growing g = {0};

    put(&g, "command: solve\nover:\n  slots: {from: 1, to: 40000, step: 1}\n  load: [0.5]\n"
            "without:\n");
    for (int k = 1; k < 40000; k++)
        put(&g, "  - {slots: %d, load: 0.5}\n", k);
    char *points = test_points(g.text);
    cr_assert_str_eq(points, "solve --load 0.5 --slots 40000\n");
    free(points);
    free(g.text);
}

/* ---- exclusions against the rule itself ---- */

enum { SLOTS = 5, LOADS = 4, PORTS = 3, RULES = 6 };

/* An exclusion: bits of the values of each option; 0: it has no rule for it. */
typedef struct {
    unsigned slots, loads, ports;
} mask;

static void put_values(growing *g, const char *option, unsigned bits, bool *first)
{
    if (!bits)
        return;
    put(g, "%s%s: [", *first ? "" : ", ", option);
    *first = false;
    for (int k = 0; bits >> k; k++) {
        if (bits >> k & 1)
            put(g, "%d,%d,", k + 1, k + 1); /* duplicates count once */
    }
    put(g, "]");
}

static bool left_out(const mask *m, int slots, int load, int ports)
{
    for (int k = 0; k < RULES; k++) {
        if ((!m[k].slots || m[k].slots >> slots & 1) && (!m[k].loads || m[k].loads >> load & 1) &&
            (!m[k].ports || m[k].ports >> ports & 1))
            return true;
    }
    return false;
}

/* slots are cases, the first of which has no ports; loads and ports are crossed with them. */
Test(study_large, exclusions_mean_what_they_say)
{
    unsigned dice = 1;

    for (int trial = 0; trial < 200; trial++) {
        mask m[RULES];
        growing g = {0}, expected = {0};
        put(&g, "command: solve\nset: {buffer: damq}\nover:\n  slots: [1,2,3,4,5]\n"
                "  load: [1,2,3,4]\n  ports: [1,2,3]\nwithout:\n");
        put(&expected, "%s", "");
        for (int k = 0; k < RULES; k++) {
            bool first = true;
            dice = dice * 1664525 + 1013904223;
            m[k] = (mask){dice >> 8 & dice >> 16 & 31, dice >> 13 & 15, dice >> 21 & 7};
            put(&g, "  - {");
            put_values(&g, "slots", m[k].slots, &first);
            put_values(&g, "load", m[k].loads, &first);
            put_values(&g, "ports", m[k].ports, &first);
            put(&g, "%s}\n", first ? "buffer: damq" : "");
        }
        for (int s = 0; s < SLOTS; s++) {
            for (int l = 0; l < LOADS; l++) {
                for (int p = 0; p < PORTS; p++) {
                    if (!left_out(m, s, l, p))
                        put(&expected, "solve --buffer damq --load %d --ports %d --slots %d\n",
                            l + 1, p + 1, s + 1);
                }
            }
        }
        if (expected.used) { /* otherwise it is an error, since nothing is left */
            char *points = test_points(g.text);
            cr_expect_str_eq(points, expected.text, "%s", g.text);
            free(points);
        }
        free(g.text);
        free(expected.text);
    }
}

Test(study_large, cases_without_the_option_stay)
{
    char *points = test_points("command: solve\ncases: [{slots: 1}, {ports: 2, slots: 2}, {ports: "
                               "3}, {ports: 2}]\nwithout: [{ports: 2}, {slots: 2, ports: [3, 2]}]");

    cr_assert_str_eq(points, "solve --slots 1\nsolve --ports 3\n");
    free(points);
}

/* ---- interrupted ---- */

Test(study_large, reading_can_be_interrupted)
{
    static const char text[] = "command: solve\nset: {load: 0.5}\n";
    swq_context *ctx = swq_context_new();
    swq_study *study = NULL;

    swq_context_cancel(ctx);
    cr_assert_eq(swq_study_parse(ctx, "s.yaml", text, strlen(text), &test_language, &study),
                 SWQ_ECANCELLED);
    cr_assert(strstr(swq_context_message(ctx), "interrupted while reading 's.yaml'"), "%s",
              swq_context_message(ctx));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
