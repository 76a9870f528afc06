/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure, opened: from a file, or from papers/, which the program contains.
 */
#include "cli/figures/paper.h"

#include "base/context.h"
#include "cli/figures/paper_files.h"
#include "cli/options/parse.h"
#include "cli/spec/question.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEGABYTES = 4 };

/* A figure that a function makes has no lines here. */
static swq_status read_made(cli_paper_reader *r, const char *name)
{
    for (const figure_maker *m = figure_makers; m->name; m++) {
        if (strcmp(m->name, name) == 0) {
            r->plan.maker = m;
            return SWQ_OK;
        }
    }
    return cli_paper_complain(&r->tree, swq_node_at(r->tree.figure, "made-by"),
                              "no function makes figure", name);
}

static swq_status read_figure(cli_paper_reader *r, const char *printed)
{
    static const char *const keys[] = {
        "figure", "title",   "source",    "short",  "section", "setting", "x",
        "panels", "lines",   "set",       "curves", "claims",  "jointly", "run",
        "words",  "made-by", "known-all", "table",  "cells",   "asks",    "values",
        "says",   "heading", "rule",      "rows",   NULL};
    const struct {
        const char *key, **text;
    } texts[] = {{"figure", &r->kind.name},        {"table", &r->kind.name},
                 {"title", &r->kind.title},        {"source", &r->kind.source},
                 {"short", &r->kind.short_source}, {"section", &r->kind.section},
                 {"setting", &r->kind.setting},    {"jointly", &r->plan.jointly},
                 {"says", &r->plan.says},          {"heading", &r->plan.heading},
                 {"rule", &r->plan.rule}};
    const char *made = NULL;
    const bool table = swq_node_at(r->tree.figure, "table");
    swq_status status = cli_paper_need(&r->tree, r->tree.figure, SWQ_NODE_MAP, "the whole");

    if (!status)
        status = cli_paper_known_keys(&r->tree, r->tree.figure, keys);
    r->kind.title = r->kind.source = r->kind.section = r->kind.setting = "";
    for (size_t k = 0; k < sizeof texts / sizeof *texts && !status; k++)
        status =
            cli_paper_text_at(&r->tree, cli_paper_key_of(&r->tree, texts[k].key), texts[k].text);
    if (!status && !r->kind.name)
        status = cli_paper_complain(&r->tree, r->tree.figure, "a figure needs its name at `figure`",
                                    NULL);
    if (!r->kind.short_source)
        r->kind.short_source = r->kind.source;
    if (!status && swq_node_at(r->tree.figure, "asks")) {
        status = cli_paper_asked(r);
        return !status && swq_node_at(r->tree.figure, "claims") ? cli_paper_claims(r) : status;
    }
    if (!status)
        status = cli_paper_axis(r);
    if (!status)
        status = table ? cli_paper_cells(r) : cli_paper_panels(r);
    if (!status)
        status = cli_paper_text_of(&r->tree, r->tree.figure, "made-by", &made);
    if (!status && made) {
        status = read_made(r, made);
        return status ? status : cli_paper_claims(r);
    }
    if (!status)
        status = cli_paper_run(r);
    if (!status)
        status = cli_paper_lines(r);
    if (!status)
        status = table ? cli_paper_values(r) : cli_paper_curves(r);
    if (!status)
        status = cli_paper_printed(r, printed);
    return status ? status : cli_paper_claims(r);
}

static void close_figure(swq_context *ctx, swq_figure_kind *kind)
{
    cli_paper_reader *r = (cli_paper_reader *)kind;

    swq_arena_clear(ctx, &r->tree.arena);
    swq_free(ctx, r);
}

static swq_status read_tree(cli_paper_reader *r, const char *path, const char *text,
                            const swq_node **tree)
{
    swq_node **document;
    int documents;
    swq_status status =
        swq_yaml_read(r->tree.ctx, path, text, strlen(text), &r->tree.arena, &document, &documents);

    if (!status && documents != 1)
        status = swq_fail(r->tree.ctx, SWQ_EINVAL, "%.150s: one document, not %d", path, documents);
    if (!status)
        *tree = document[0];
    return status;
}

/* path: for messages; printed and paper may be NULL. */
static swq_status open_texts(swq_context *ctx, const char *path, const char *text,
                             const char *printed, const char *paper, bool equal_all,
                             swq_figure_kind **kind)
{
    cli_paper_reader *r = swq_calloc(ctx, 1, sizeof *r);

    if (!r)
        return swq_memory_status(ctx);
    r->tree.ctx = ctx;
    r->equal_all = equal_all;
    r->tree.path = swq_arena_text(ctx, &r->tree.arena, path, strlen(path));
    swq_status status = r->tree.path ? SWQ_OK : swq_memory_status(ctx);
    if (!status)
        status = read_tree(r, path, text, &r->tree.figure);
    if (!status && paper)
        status = read_tree(r, "paper.yaml", paper, &r->tree.paper);
    if (!status)
        status = read_figure(r, printed);
    r->kind.plan = &r->plan;
    if (status)
        close_figure(ctx, &r->kind);
    else
        *kind = &r->kind;
    return status;
}

/* A file that may be missing. */
static swq_status read_beside(swq_context *ctx, const char *path, char **text)
{
    FILE *file = fopen(path, "r");

    *text = NULL;
    if (!file)
        return SWQ_OK;
    fclose(file);
    return cli_read_file(ctx, path, MEGABYTES, text);
}

static swq_status open_file(swq_context *ctx, const char *path, bool equal_all,
                            swq_figure_kind **kind)
{
    char *text = NULL, *printed = NULL, *paper = NULL, beside[PATH_MAX];
    const char *slash = strrchr(path, '/');
    swq_status status = cli_read_file(ctx, path, MEGABYTES, &text);

    snprintf(beside, sizeof beside, "%.*s.csv", (int)(strlen(path) - strlen(".yaml")), path);
    if (!status)
        status = read_beside(ctx, beside, &printed);
    snprintf(beside, sizeof beside, "%.*spaper.yaml", slash ? (int)(slash + 1 - path) : 0, path);
    if (!status)
        status = read_beside(ctx, beside, &paper);
    if (!status)
        status = open_texts(ctx, path, text, printed, paper, equal_all, kind);
    free(text);
    free(printed);
    free(paper);
    return status;
}

static swq_status open_table(swq_context *ctx, const char *name, swq_figure_kind **kind)
{
    const size_t length = strlen(name);

    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0)
        return open_file(ctx, name, false, kind);
    for (int k = 0; cli_paper_tables[k]; k++) {
        const cli_paper_figure *t = cli_paper_tables[k];
        if (strcmp(t->name, name) == 0)
            return open_texts(ctx, name, t->text, t->printed, t->paper, false, kind);
    }
    return swq_fail(ctx, SWQ_EINVAL, "table '%.40s' is not known", name);
}

static swq_status open_figure(swq_context *ctx, const char *name, bool equal_all,
                              swq_figure_kind **kind)
{
    const size_t length = name ? strlen(name) : 0;
    char known[900] = "";
    size_t used = 0;

    if (name && strncmp(name, "table ", 6) == 0)
        return open_table(ctx, name + 6, kind);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0)
        return open_file(ctx, name, equal_all, kind);
    for (int k = 0; cli_paper_figures[k]; k++) {
        const cli_paper_figure *f = cli_paper_figures[k];
        if (name && strcmp(f->name, name) == 0)
            return open_texts(ctx, name, f->text, f->printed, f->paper, equal_all, kind);
        if (used < sizeof known)
            used +=
                (size_t)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", f->name);
    }
    if (!name)
        return swq_fail(ctx, SWQ_EINVAL, "which figure? known: %s", known);
    return swq_fail(ctx, SWQ_EINVAL, "figure '%.40s' is not known; known: %s", name, known);
}

const swq_figure_source cli_papers = {.open = open_figure,
                                      .close = close_figure,
                                      .answer = cli_paper_answer,
                                      .network = cli_setting_words};
