/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure whose points are answers of other commands: panels with axes of their own, and lines,
 * which are options. Each line has a curve in each panel, and each x is a command line.
 */
#include "cli/figures/paper_files.h"

#include "base/context.h"
#include "cli/print/append.h"
#include "cli/spec/question.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a panel shows: who is asked, and where the number is in the answer. `whole`: --slots is of
 * the whole memory, of --queues, rather than of each of --ports. */
static const struct asked {
    const char *name, *command;
    const char *value, *lower, *upper, *exactly;
    bool whole;
    const char *width;
} quantities[] = {
    {"loss", "solve", "result.discard_probability", "result.discard_lower", "result.discard_upper",
     NULL, false, NULL},
    {"worst case", "worst", "result.competitive_ratio", NULL, NULL, "result.exactly", true, NULL},
    {"slowdown", "sim", "result.by_size.0.slowdown.p99.mean", NULL, NULL, NULL, false,
     "result.by_size.0.slowdown.p99.half_width"},
    {"query time", "sim", "result.queries.completion_ns.mean", NULL, NULL, NULL, false,
     "result.queries.completion_ns.half_width"},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities, MOST_WORDS = 600 };

static const struct {
    const char *word;
    swq_figure_axis axis;
} axes[] = {{"load", SWQ_OVER_LOAD},
            {"slots", SWQ_OVER_SLOTS},
            {"burst", SWQ_OVER_BURST},
            {"memory", SWQ_OVER_MEMORY}};
enum { AXES = sizeof axes / sizeof *axes };

/* A panel while its questions are made. */
typedef struct {
    const swq_node *node, *at;
    const struct asked *asked;
    const char *x; /* the option of the axis */
    bool slow;
} asked_panel;

static swq_status read_axis(cli_paper_reader *r, int p, asked_panel *panel)
{
    static const char *const keys[] = {"over", "at", "most", NULL};
    const swq_node *x = swq_node_at(panel->node, "x");
    const char *over = "";
    int k = 0;
    swq_status status = cli_paper_need(&r->tree, x, SWQ_NODE_MAP, "x");

    if (!status)
        status = cli_paper_known_keys(&r->tree, x, keys);
    if (!status)
        status = cli_paper_text_of(&r->tree, x, "over", &over);
    while (!status && k < AXES && strcmp(axes[k].word, over) != 0)
        k++;
    if (!status && k == AXES)
        status =
            cli_paper_complain(&r->tree, x, "over must be load, slots, burst or memory, not", over);
    if (!status)
        status = cli_paper_need(&r->tree, swq_node_at(x, "at"), SWQ_NODE_LIST, "at");
    if (status)
        return status;
    panel->at = swq_node_at(x, "at");
    panel->x = axes[k].word;
    r->kind.panel[p].over = axes[k].axis;
    return cli_paper_number_of(&r->tree, x, "most", &r->kind.panel[p].x_most);
}

static swq_status read_panel(cli_paper_reader *r, int p, asked_panel *panel)
{
    static const char *const keys[] = {"letter", "title", "y",   "most", "asks",
                                       "x",      "set",   "log", "slow", NULL};
    const char *letter = "", *title = "", *y = "", *asks = "", *log = "", *slow = "";
    const struct {
        const char *key, **text;
    } texts[] = {{"letter", &letter}, {"title", &title}, {"y", &y},
                 {"asks", &asks},     {"log", &log},     {"slow", &slow}};
    double most = 0;
    int k = 0;
    swq_status status = cli_paper_need(&r->tree, panel->node, SWQ_NODE_MAP, "panels");

    if (!status)
        status = cli_paper_known_keys(&r->tree, panel->node, keys);
    for (size_t t = 0; t < sizeof texts / sizeof *texts && !status; t++)
        status = cli_paper_text_of(&r->tree, panel->node, texts[t].key, texts[t].text);
    if (!status)
        status = cli_paper_number_of(&r->tree, panel->node, "most", &most);
    while (!status && k < QUANTITIES && strcmp(quantities[k].name, asks) != 0)
        k++;
    if (!status && k == QUANTITIES)
        status = cli_paper_complain(
            &r->tree, panel->node, "a panel asks for loss, worst case, slowdown or query time, not",
            asks);
    if (status)
        return status;
    panel->asked = &quantities[k];
    panel->slow = strcmp(slow, "true") == 0;
    r->kind.panel[p].letter = letter;
    r->kind.panel[p].title = title;
    r->kind.panel[p].y_label = y;
    r->kind.panel[p].y_most = most;
    r->kind.panel[p].log_y = strcmp(log, "true") == 0;
    return read_axis(r, p, panel);
}

/* ---- questions ---- */

/* Adds an option; one that is there already gets the new value. */
static swq_status add_option(const cli_paper_reader *r, const char *name, const swq_node *value,
                             cli_setting *to, int *count)
{
    int at = 0;

    if (value->kind != SWQ_NODE_TEXT)
        return cli_paper_complain(&r->tree, value, "an option has one value:", name);
    while (at < *count && strcmp(to[at].option, name) != 0)
        at++;
    if (at == CLI_MOST_SETTINGS)
        return cli_paper_complain(&r->tree, value, "too many options", NULL);
    *count += at == *count;
    to[at] = (cli_setting){name, value->text};
    return SWQ_OK;
}

static swq_status add_options(const cli_paper_reader *r, const swq_node *map, cli_setting *to,
                              int *count)
{
    swq_status status = SWQ_OK;

    for (int k = 0; map && k < map->count && !status; k++) {
        const char *name = map->key[k]->text;
        if (strcmp(name, "name") != 0 && strcmp(name, "only") != 0)
            status = add_option(r, name, map->item[k], to, count);
    }
    return status;
}

static double number_of(const cli_setting *option, int count, const char *name)
{
    double value = NAN;

    for (int k = 0; k < count; k++) {
        if (strcmp(option[k].option, name) == 0)
            value = atof(option[k].value);
    }
    return value;
}

/* The command line of a simulation: options as they are, but memory, which is in KB for each port
 * and Gb/s, and flags, which are true. */
static void write_simulation(const cli_setting *option, int count, char *text, size_t size)
{
    snprintf(text, size, "sim");

    for (int k = 0; k < count; k++)
        cli_append(text, size, " --%s %s%s", option[k].option,
                   strcmp(option[k].value, "true") ? option[k].value : "",
                   strcmp(option[k].option, "memory") ? "" : "K/port/Gbps");
}

/* The command line of a chain or a worst case. In the file, `slots` are those of the whole memory,
 * and a value in percent is a part of them, rounded down. */
static swq_status write_words(cli_paper_reader *r, const asked_panel *panel,
                              const cli_setting *option, int count, const swq_node *line,
                              const char **words)
{
    const double slots = number_of(option, count, "slots"),
                 ports = number_of(option, count, "ports");
    char text[MOST_WORDS];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", panel->asked->command);

    if (strcmp(panel->asked->command, "sim") == 0) {
        write_simulation(option, count, text, sizeof text);
        *words = swq_arena_text(r->tree.ctx, &r->tree.arena, text, strlen(text));
        return *words ? SWQ_OK : swq_memory_status(r->tree.ctx);
    }
    if (!(ports >= 1) || !(slots >= 1) || (!panel->asked->whole && fmod(slots, ports) != 0))
        return cli_paper_complain(&r->tree, line, "ports must share the slots evenly", NULL);
    for (int k = 0; k < count && used < sizeof text; k++) {
        const char *name = option[k].option, *value = option[k].value;
        const bool whole = panel->asked->whole;
        if (strcmp(name, "slots") == 0)
            used += (size_t)snprintf(text + used, sizeof text - used, " --slots %g",
                                     whole ? slots : slots / ports);
        else if (strcmp(name, "ports") == 0)
            used += (size_t)snprintf(text + used, sizeof text - used, " --%s %g",
                                     whole ? "queues" : "ports", ports);
        else if (strchr(value, '%'))
            used += (size_t)snprintf(text + used, sizeof text - used, " --%s %g", name,
                                     floor(slots * atof(value) / 100));
        else
            used += (size_t)snprintf(text + used, sizeof text - used, " --%s %s", name, value);
    }
    if (used >= sizeof text)
        return cli_paper_complain(&r->tree, line, "too many options", NULL);
    *words = swq_arena_text(r->tree.ctx, &r->tree.arena, text, used);
    return *words ? SWQ_OK : swq_memory_status(r->tree.ctx);
}

/* A curve: the questions of a line in a panel. */
static swq_status ask(cli_paper_reader *r, const asked_panel *panel, const swq_node *line,
                      swq_figure_question *to)
{
    swq_status status = SWQ_OK;

    for (int k = 0; k < panel->at->count && !status; k++) {
        swq_figure_question *q = &to[r->plan.questions];
        cli_setting option[CLI_MOST_SETTINGS + 1];
        int count = 0;
        const swq_node *at = panel->at->item[k];
        *q = (swq_figure_question){.value = panel->asked->value,
                                   .lower = panel->asked->lower,
                                   .upper = panel->asked->upper,
                                   .exactly = panel->asked->exactly,
                                   .width = panel->asked->width,
                                   .curve = r->plan.curves - 1,
                                   .slow = panel->slow};
        status = cli_paper_number_at(&r->tree, at, &q->x);
        if (!status)
            status = add_options(r, swq_node_at(panel->node, "set"), option, &count);
        if (!status)
            status = add_options(r, line, option, &count);
        if (!status)
            status = add_option(r, panel->x, at, option, &count);
        if (!status)
            status = write_words(r, panel, option, count, line, &q->words);
        r->plan.questions += !status;
    }
    return status;
}

/* The curves of a panel: of all lines but those that are only for another quantity. */
static swq_status ask_lines(cli_paper_reader *r, int p, const asked_panel *panel,
                            swq_figure_question *to)
{
    const swq_node *lines = swq_node_at(r->tree.figure, "lines");
    swq_status status = SWQ_OK;

    for (int k = 0; k < lines->count && !status; k++) {
        const swq_node *line = lines->item[k];
        const char *name = lines->key[k]->text, *only = panel->asked->name;
        status = cli_paper_need(&r->tree, line, SWQ_NODE_MAP, name);
        if (!status)
            status = cli_paper_text_of(&r->tree, line, "only", &only);
        if (status || strcmp(only, panel->asked->name) != 0)
            continue;
        status = cli_paper_text_of(&r->tree, line, "name", &name);
        r->plan.quantity[r->plan.curves] = panel->asked->name;
        /* colours and marks come round after eight; names of the same colour differ in the mark */
        r->plan.curve[r->plan.curves++] =
            (figure_curve_row){.name = name, .panel = p, .colour = k, .mark = k + k / 8};
        if (!status)
            status = ask(r, panel, line, to);
    }
    return status;
}

swq_status cli_paper_asked(cli_paper_reader *r)
{
    const swq_node *panels = swq_node_at(r->tree.figure, "panels"),
                   *lines = swq_node_at(r->tree.figure, "lines");
    asked_panel panel[SWQ_FIGURE_PANELS];
    int points = 0;
    swq_status status = cli_paper_need(&r->tree, panels, SWQ_NODE_LIST, "panels");

    if (!status)
        status = cli_paper_need(&r->tree, lines, SWQ_NODE_MAP, "lines");
    if (!status && (panels->count < 1 || panels->count > SWQ_FIGURE_PANELS))
        status = cli_paper_complain(&r->tree, panels, "there must be 1 to 12 panels", NULL);
    for (int p = 0; !status && p < panels->count; p++) {
        panel[p] = (asked_panel){.node = panels->item[p]};
        status = read_panel(r, p, &panel[p]);
        points += status ? 0 : panel[p].at->count * lines->count;
    }
    if (status)
        return status;
    r->kind.panels = panels->count;
    r->kind.over = r->kind.panel[0].over;
    r->plan.curve = cli_paper_take(&r->tree, panels->count * lines->count, sizeof *r->plan.curve);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    r->plan.quantity = cli_paper_take(&r->tree, panels->count * lines->count, sizeof(char *));
    swq_figure_question *question = cli_paper_take(&r->tree, points, sizeof *question);
    r->plan.question = question;
    if (!r->plan.curve || !r->plan.quantity || !question)
        return swq_memory_status(r->tree.ctx);
    for (int p = 0; p < panels->count && !status; p++)
        status = ask_lines(r, p, &panel[p], question);
    return status;
}
