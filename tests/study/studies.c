/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See studies.h.
 */
#include "tests/study/studies.h"

char study_folder[] = "/tmp/switchq-study-XXXXXX";

swq_context *study_begin(void)
{
    cr_assert(mkdtemp(study_folder));
    return swq_context_new();
}

void study_end(swq_context *ctx)
{
    char line[80];

    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    snprintf(line, sizeof line, "rm -rf '%s'", study_folder);
    cr_assert_eq(system(line), 0);
}

static const char *const commands[] = {"solve", "sim", "formula", NULL};

static swq_option_use option(void *arg, const char *command, const char *name, const char **nearest)
{
    static const char *const known[] = {"buffer",    "slots", "load",  "seed",
                                        "precision", "name",  "ports", NULL};

    (void)arg;
    if (strcmp(command, "formula known") == 0)
        return strcmp(name, "load") == 0 ? SWQ_OPTION_VALUE : SWQ_OPTION_UNKNOWN;
    *nearest = strcmp(name, "json") == 0 ? "it is" : strcmp(name, "lod") == 0 ? "load" : NULL;
    for (int k = 0; known[k]; k++) {
        if (strcmp(known[k], name) == 0)
            return SWQ_OPTION_VALUE;
    }
    return strcmp(name, "json") == 0                                  ? SWQ_OPTION_BARRED
           : strcmp(name, "slope") == 0 || strcmp(name, "exact") == 0 ? SWQ_OPTION_FLAG
                                                                      : SWQ_OPTION_UNKNOWN;
}

static swq_status formula(void *arg, swq_context *ctx, const char *name)
{
    (void)arg;
    return strcmp(name, "known") == 0
               ? SWQ_OK
               : swq_fail(ctx, SWQ_EINVAL, "formula '%s' is not the known one", name);
}

const swq_study_language test_language = {NULL, commands, option, formula, false};

swq_study *test_study(swq_context *ctx, const char *text)
{
    swq_study *study = NULL;
    swq_status status = swq_study_parse(ctx, "s.yaml", text, strlen(text), &test_language, &study);

    cr_assert_eq(status, SWQ_OK, "%s: %s", text, swq_context_message(ctx));
    return study;
}

typedef struct {
    char *text;
    size_t used;
} study_list;

static swq_status add(void *arg, const swq_point *point)
{
    study_list *l = arg;
    const size_t length = strlen(point->words);

    l->text = realloc(l->text, l->used + length + 2);
    cr_assert(l->text);
    memcpy(l->text + l->used, point->words, length);
    strcpy(l->text + l->used + length, "\n");
    l->used += length + 1;
    return SWQ_OK;
}

char *test_points(const char *text)
{
    swq_context *ctx = swq_context_new();
    swq_study *study = test_study(ctx, text);
    study_list l = {calloc(1, 1), 0};
    int64_t count = 0, lines = 0;

    cr_assert_eq(swq_study_points(ctx, study, add, &l), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_study_count(ctx, study, &count), SWQ_OK);
    for (const char *at = l.text; *at; at++)
        lines += *at == '\n';
    cr_assert_eq(lines, count, "%lld points, but %lld are counted", (long long)lines,
                 (long long)count);
    swq_study_free(ctx, study);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return l.text;
}

void expect_bad_study(const char *text, const char *line, const char *key, const char *allowed)
{
    swq_context *ctx = swq_context_new();
    swq_study *study = NULL;
    swq_status status = swq_study_parse(ctx, "s.yaml", text, strlen(text), &test_language, &study);
    const char *message = swq_context_message(ctx);

    cr_expect_eq(status, SWQ_EINVAL, "%s: status %d: %s", text, status, message);
    cr_expect_null(study);
    cr_expect(strncmp(message, "s.yaml", 6) == 0, "%s", message);
    cr_expect(strstr(message, line), "%s: no '%s' in: %s", text, line, message);
    cr_expect(strstr(message, key), "%s: no '%s' in: %s", text, key, message);
    cr_expect(strstr(message, allowed), "%s: no '%s' in: %s", text, allowed, message);
    cr_expect_eq(swq_context_live_blocks(ctx), 0, "%s", text);
    swq_context_free(ctx);
}
