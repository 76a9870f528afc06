/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure's files, read: YAML to lines, curves and claims; CSV to printed numbers.
 * Room: cli.
 */
#include "cli/figures/paper.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/question.h"
#include "study/tree.h"
#include "validate/figures/figures.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_XS = 64, MEGABYTES = 4 };

typedef struct {
    swq_figure_kind kind; /* first, so that its address is the paper's */
    swq_figure_plan plan;
    swq_context *ctx;
    swq_arena arena;
    const char *path;               /* for messages */
    const swq_node *figure, *paper; /* the two files; the second may be NULL */
    bool equal_all;
} paper_reader;

/* What the x axis is, and the option that it sets; NULL: none. */
static const struct {
    const char *word, *option;
} axes[] = {
    [SWQ_OVER_THROUGHPUT] = {"throughput", "load"},
    [SWQ_OVER_PERCENT] = {"percent", "high"},
    [SWQ_OVER_BISECTION] = {"bisection", "load"},
    [SWQ_OVER_BYTES] = {"bytes", "bytes"},
    [SWQ_OVER_CYCLES] = {"cycles", NULL},
    [SWQ_OVER_LOAD] = {"load", "load"},
    [SWQ_OVER_CELLS] = {"cells", NULL},
    [SWQ_OVER_LANES] = {"lanes", NULL},
    [SWQ_OVER_PORTS] = {"ports", "ports"},
};
enum { AXES = sizeof axes / sizeof *axes };

/* ---- the files as trees ---- */

static swq_status complain(const paper_reader *r, const swq_node *node, const char *what,
                           const char *text)
{
    return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, line %d: %s%s%.60s%s", r->path,
                    node ? node->line : 1, what, text ? " '" : "", text ? text : "",
                    text ? "'" : "");
}

/* A key of the figure or, if it has none, of its paper. */
static const swq_node *key_of(const paper_reader *r, const char *key)
{
    const swq_node *own = swq_node_at(r->figure, key);

    return own || !r->paper ? own : swq_node_at(r->paper, key);
}

/* A text, in which "$NAME" alone stands for a text among the paper's `words`. */
static swq_status text_at(const paper_reader *r, const swq_node *node, const char **text)
{
    if (!node)
        return SWQ_OK;
    if (node->kind != SWQ_NODE_TEXT)
        return complain(r, node, "this must be a text", NULL);
    *text = node->text;
    if (*node->text != '$')
        return SWQ_OK;
    const swq_node *words = key_of(r, "words");
    const swq_node *word = words ? swq_node_at(words, node->text + 1) : NULL;
    if (!word || word->kind != SWQ_NODE_TEXT)
        return complain(r, node, "`words` does not have", node->text + 1);
    *text = word->text;
    return SWQ_OK;
}

static swq_status text_of(const paper_reader *r, const swq_node *map, const char *key,
                          const char **text)
{
    return map && map->kind == SWQ_NODE_MAP ? text_at(r, swq_node_at(map, key), text) : SWQ_OK;
}

static swq_status number_at(const paper_reader *r, const swq_node *node, double *number)
{
    char *end;

    if (!node)
        return SWQ_OK;
    const double value = node->kind == SWQ_NODE_TEXT ? strtod(node->text, &end) : NAN;
    if (node->kind != SWQ_NODE_TEXT || end == node->text || *end || !isfinite(value))
        return complain(r, node, "this must be a number, not",
                        node->kind == SWQ_NODE_TEXT ? node->text : "a list");
    *number = value;
    return SWQ_OK;
}

static swq_status number_of(const paper_reader *r, const swq_node *map, const char *key,
                            double *number)
{
    return map ? number_at(r, swq_node_at(map, key), number) : SWQ_OK;
}

static swq_status need(const paper_reader *r, const swq_node *node, swq_node_kind kind,
                       const char *what)
{
    if (node && node->kind == kind)
        return SWQ_OK;
    return complain(r, node ? node : r->figure,
                    kind == SWQ_NODE_MAP ? "a map must be at" : "a list must be at", what);
}

/* Refuses keys that mean nothing. */
static swq_status known_keys(const paper_reader *r, const swq_node *map, const char *const *keys)
{
    for (int k = 0; k < map->count; k++) {
        const char *const *known = keys;
        while (*known && strcmp(*known, map->key[k]->text) != 0)
            known++;
        if (!*known)
            return complain(r, map->key[k], "there is no key", map->key[k]->text);
    }
    return SWQ_OK;
}

static void *take(paper_reader *r, int count, size_t size)
{
    return swq_arena_take(r->ctx, &r->arena, (size_t)(count > 0 ? count : 1), size);
}

/* A text that outlives the figure: findings of `switchq validate` keep criteria. */
static const char *for_good(const char *text)
{
    static struct kept {
        struct kept *before;
        char text[];
    } * last;
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&turn);
    struct kept *k = last;
    while (k && strcmp(k->text, text) != 0)
        k = k->before;
    if (!k && (k = malloc(sizeof *k + strlen(text) + 1))) {
        memcpy(k->text, text, strlen(text) + 1);
        k->before = last;
        last = k;
    }
    pthread_mutex_unlock(&turn);
    return k ? k->text : "";
}

/* ---- axes and panels ---- */

static swq_status read_axis(paper_reader *r)
{
    static const char *const keys[] = {"over", "at", "most", "ratio", NULL};
    const swq_node *x = swq_node_at(r->figure, "x"), *at;
    const char *over = "throughput";
    int k = 0;
    swq_status status = need(r, x, SWQ_NODE_MAP, "x");

    if (!status)
        status = known_keys(r, x, keys);
    if (!status)
        status = text_of(r, x, "over", &over);
    while (!status && k < AXES && strcmp(axes[k].word, over) != 0)
        k++;
    if (!status && k == AXES)
        status = complain(r, x,
                          "over must be throughput, percent, bisection, bytes, cycles, load, "
                          "cells, lanes or ports, not",
                          over);
    if (status)
        return status;
    r->kind.over = (swq_figure_axis)k;
    r->plan.full = r->kind.over == SWQ_OVER_THROUGHPUT || r->kind.over == SWQ_OVER_BISECTION;
    at = swq_node_at(x, "at");
    r->plan.xs = at && at->kind == SWQ_NODE_LIST ? at->count : 0;
    if (r->plan.xs > MOST_XS)
        return complain(r, at, "at most 64 values of x", NULL);
    r->plan.x = take(r, r->plan.xs, sizeof *r->plan.x);
    if (!r->plan.x)
        return swq_memory_status(r->ctx);
    for (int i = 0; i < r->plan.xs && !status; i++)
        status = number_at(r, at->item[i], &r->plan.x[i]);
    return status ? status : number_of(r, x, "most", &r->kind.x_most);
}

static swq_status read_panels(paper_reader *r)
{
    static const char *const keys[] = {"letter", "title", "y", "most", NULL};
    const swq_node *panels = swq_node_at(r->figure, "panels");
    swq_status status = need(r, panels, SWQ_NODE_LIST, "panels");

    if (!status && (panels->count < 1 || panels->count > SWQ_FIGURE_PANELS))
        status = complain(r, panels, "there must be 1 to 6 panels", NULL);
    for (int k = 0; !status && k < panels->count; k++) {
        const swq_node *panel = panels->item[k];
        r->kind.panel[k].letter = r->kind.panel[k].title = r->kind.panel[k].y_label = "";
        status = need(r, panel, SWQ_NODE_MAP, "panels");
        if (!status)
            status = known_keys(r, panel, keys);
        if (!status)
            status = text_of(r, panel, "letter", &r->kind.panel[k].letter);
        if (!status)
            status = text_of(r, panel, "title", &r->kind.panel[k].title);
        if (!status)
            status = text_of(r, panel, "y", &r->kind.panel[k].y_label);
        if (!status)
            status = number_of(r, panel, "most", &r->kind.panel[k].y_most);
    }
    r->kind.panels = status ? 0 : panels->count;
    return status;
}

/* ---- lines ---- */

static bool is_option(const char *key)
{
    static const char *const others[] = {"name", "only", "slower", "multiples", "all",
                                         "like", "end",  "onset",  "over",      NULL};
    int k = 0;

    while (others[k] && strcmp(others[k], key) != 0)
        k++;
    return !others[k];
}

/* Adds the options of a map; a list has a value for each x, "-" where there is no such network, but
 * of groups it has them all. false in *there: there is no network. */
static swq_status add_options(const paper_reader *r, const swq_node *map, int column,
                              cli_setting *to, int *count, bool *there)
{
    for (int k = 0; map && k < map->count; k++) {
        const swq_node *value = map->item[k];
        const char *option = map->key[k]->text;
        const bool list = value->kind == SWQ_NODE_LIST, groups = strcmp(option, "group") == 0;
        if (!is_option(option))
            continue;
        if (value->kind == SWQ_NODE_MAP)
            return complain(r, value, "an option has a value, or a list with one for each x", NULL);
        if (list && !groups && value->count != r->plan.xs)
            return complain(r, value, "a list must have a value for each x:", option);
        for (int v = 0; v < (list && groups ? value->count : 1); v++) {
            const swq_node *one = !list                 ? value
                                  : groups              ? value->item[v]
                                  : column < r->plan.xs ? value->item[column]
                                                        : NULL;
            if (*count == CLI_MOST_SETTINGS)
                return complain(r, value, "too many options", NULL);
            if (!one || (list && strcmp(one->text, "-") == 0))
                *there = false;
            else
                to[(*count)++] = (cli_setting){option, one->text};
        }
    }
    return SWQ_OK;
}

/* The value of the x axis's option in a column. */
static swq_status add_x(const paper_reader *r, int column, cli_setting *to, int *count, char *text,
                        size_t size)
{
    const char *option = axes[r->kind.over].option;
    const swq_node *ratio = swq_node_at(swq_node_at(r->figure, "x"), "ratio");
    double value = column < r->plan.xs ? r->plan.x[column] : 1, part[2] = {1, 1};
    swq_status status = SWQ_OK;

    for (int k = 0; k < 2 && ratio && ratio->kind == SWQ_NODE_LIST && ratio->count == 2; k++)
        status = status ? status : number_at(r, ratio->item[k], &part[k]);
    if (r->kind.over == SWQ_OVER_PERCENT)
        value /= 100;
    if (ratio && column < r->plan.xs)
        value = fmin(1, value * part[0] / part[1]);
    snprintf(text, size, "%.17g", value);
    if (option)
        to[(*count)++] = (cli_setting){option, text};
    return status;
}

static const char full_load[] = "1"; /* unless an option says otherwise */

/* Do groups have loads of their own? */
static bool own_loads(const cli_setting *option, int count)
{
    bool groups = false;

    for (int k = 0; k < count; k++)
        groups = groups || strcmp(option[k].option, "group") == 0;
    return groups;
}

/* The network of a line in a column; xs: at full load. */
static swq_status read_network(paper_reader *r, const swq_node *line, int number, int column)
{
    const int place = number * (r->plan.xs + 1) + column;
    swq_figure_setting *setting = &r->plan.setting[place];
    cli_setting option[CLI_MOST_SETTINGS + 2];
    double multiple = 0;
    int count = 0;
    char x[40];
    bool there = true;
    swq_status status = add_options(r, r->paper ? swq_node_at(r->paper, "set") : NULL, column,
                                    option, &count, &there);

    option[count++] = (cli_setting){"load", full_load};
    if (!status)
        status = add_options(r, swq_node_at(r->figure, "set"), column, option, &count, &there);
    const char *like = NULL;
    if (!status)
        status = text_of(r, line, "like", &like);
    const swq_node *shared = r->paper ? swq_node_at(r->paper, "lines") : NULL;
    if (!status && like)
        status = add_options(r, shared ? swq_node_at(shared, like) : NULL, column, option, &count,
                             &there);
    if (!status)
        status = add_options(r, line, column, option, &count, &there);
    if (!status && r->equal_all)
        status = add_options(r, swq_node_at(line, "all"), column, option, &count, &there);
    if (!status)
        status = add_x(r, column, option, &count, x, sizeof x);
    if (!status)
        status = number_of(r, line, "multiples", &multiple);
    if (status || !there ||
        (multiple > 0 && column < r->plan.xs && fmod(r->plan.x[column], multiple) != 0))
        return status;
    for (int k = 0; k < count && own_loads(option, count); k++) {
        if (option[k].value == full_load) {
            memmove(&option[k], &option[k + 1], (size_t)(--count - k) * sizeof *option);
            break;
        }
    }
    status = cli_setting_read(r->ctx, option, count, setting);
    if (status == SWQ_EINVAL && r->equal_all)
        return SWQ_OK; /* what crosspoints leave of the memory may be too small for a message */
    r->plan.there[place] = !status;
    if (status == SWQ_EINVAL) {
        char why[400];
        snprintf(why, sizeof why, "%s", swq_context_message(r->ctx));
        return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, line %d: %s", r->path, line->line, why);
    }
    return status;
}

/* At full load there is a network only if the x axis is a load. */
static swq_status read_networks(paper_reader *r, const swq_node *line, int number)
{
    const char *option = axes[r->kind.over].option;
    const bool loads = (option && strcmp(option, "load") == 0) || r->kind.over == SWQ_OVER_CYCLES;
    const int xs = r->plan.xs, first = number * (xs + 1);
    swq_status status = loads ? read_network(r, line, number, xs) : SWQ_OK;
    const swq_figure_setting *full = &r->plan.setting[first + xs];

    for (int k = 0; k < xs && !status; k++) {
        if (!loads || full->asynchronous) {
            status = read_network(r, line, number, k);
        } else if (r->plan
                       .there[first + xs]) { /* at the load that gives a throughput, or at a load */
            r->plan.setting[first + k] = *full;
            r->plan.there[first + k] = true;
            if (r->kind.over == SWQ_OVER_LOAD)
                r->plan.setting[first + k].load = r->plan.setting[first + k].network.traffic.load =
                    r->plan.x[k];
        }
    }
    return status;
}

/* Of a figure over time: a line's own, or those of `run`. */
static swq_status read_times(const paper_reader *r, const swq_node *line, figure_times *times)
{
    static const char *const keys[] = {"end", "onset", "over"};
    const swq_node *run = key_of(r, "run");
    double value[3] = {0};
    swq_status status = SWQ_OK;

    for (int k = 0; k < 3 && !status; k++) {
        status = number_of(r, run, keys[k], &value[k]);
        if (!status)
            status = number_of(r, line, keys[k], &value[k]);
    }
    *times = (figure_times){(uint64_t)value[0], (uint64_t)value[1], (uint64_t)value[2]};
    return status;
}

static swq_status read_line(paper_reader *r, const swq_node *id, const swq_node *line, int number)
{
    figure_line *to = &r->plan.line[number];
    const swq_node *only = swq_node_at(line, "only");
    double x = NAN;
    swq_status status = SWQ_OK;

    *to = (figure_line){.id = id->text, .slower = 1, .only = -1};
    status = text_of(r, line, "name", &to->name);
    if (!status)
        status = number_of(r, line, "slower", &to->slower);
    if (!status)
        status = read_times(r, line, &to->times);
    if (!status && only && strcmp(only->text, "full") == 0)
        to->only = r->plan.xs;
    else if (!status)
        status = number_at(r, only, &x);
    for (int k = 0; k < r->plan.xs; k++) {
        if (r->plan.x[k] == x)
            to->only = k;
    }
    return status ? status : read_networks(r, line, number);
}

/* A map of lines; a list has names of lines of the paper. */
static swq_status read_lines(paper_reader *r)
{
    const swq_node *lines = swq_node_at(r->figure, "lines"),
                   *shared = r->paper ? swq_node_at(r->paper, "lines") : NULL;
    swq_status status = SWQ_OK;

    if (!lines || lines->kind == SWQ_NODE_TEXT)
        return complain(r, lines ? lines : r->figure, "lines must be a map or a list", NULL);
    const int count = r->plan.lines = lines->count, places = count * (r->plan.xs + 1);
    r->plan.line = take(r, count, sizeof *r->plan.line);
    r->plan.setting = take(r, places, sizeof *r->plan.setting);
    r->plan.there = take(r, places, sizeof *r->plan.there);
    if (!r->plan.line || !r->plan.setting || !r->plan.there)
        return swq_memory_status(r->ctx);
    for (int k = 0; k < count && !status; k++) {
        const bool own = lines->kind == SWQ_NODE_MAP;
        const swq_node *id = own ? lines->key[k] : lines->item[k];
        const swq_node *line = own                                   ? lines->item[k]
                               : shared && id->kind == SWQ_NODE_TEXT ? swq_node_at(shared, id->text)
                                                                     : NULL;
        if (!line || line->kind != SWQ_NODE_MAP)
            status = complain(r, id, "a line is a map of options; there is none at",
                              id->kind == SWQ_NODE_TEXT ? id->text : "a list");
        else
            status = read_line(r, id, line, k);
    }
    return status;
}

/* ---- curves and printed numbers ---- */

/* [PANEL, NAME, LINE, QUANTITY, COLOUR, MARK, dashed], the last three optional. */
static swq_status read_curve(const paper_reader *r, const swq_node *list, int number,
                             figure_curve_row *curve)
{
    const char *part[7] = {NULL};
    double colour = number, mark = NAN;
    swq_status status = need(r, list, SWQ_NODE_LIST, "curves");

    if (!status && (list->count < 4 || list->count > 7))
        status = complain(r, list, "a curve is [panel, name, line, quantity, colour, mark, dashed]",
                          NULL);
    for (int k = 0; !status && k < list->count; k++)
        status = text_at(r, list->item[k], &part[k]);
    if (!status && part[4])
        status = number_at(r, list->item[4], &colour);
    if (!status && part[5])
        status = number_at(r, list->item[5], &mark);
    if (status)
        return status;
    *curve = (figure_curve_row){.name = part[1],
                                .panel = -1,
                                .line = -1,
                                .quantity = figure_quantity_of(part[3], strlen(part[3])),
                                .colour = (int)colour,
                                .mark = (int)(isnan(mark) ? colour : mark),
                                .dashed = part[6] != NULL};
    for (int p = 0; p < r->kind.panels; p++) {
        if (strcmp(r->kind.panel[p].letter, part[0]) == 0)
            curve->panel = p;
    }
    for (int l = 0; l < r->plan.lines; l++) {
        if (strcmp(r->plan.line[l].id, part[2]) == 0)
            curve->line = l;
    }
    if (curve->panel < 0)
        return complain(r, list, "there is no panel", part[0]);
    if (curve->line < 0)
        return complain(r, list, "there is no line", part[2]);
    return curve->quantity < FIGURE_QUANTITIES ? SWQ_OK
                                               : complain(r, list, "there is no quantity", part[3]);
}

static swq_status read_curves(paper_reader *r)
{
    const swq_node *curves = swq_node_at(r->figure, "curves");
    swq_status status = need(r, curves, SWQ_NODE_LIST, "curves");

    r->plan.curve = status ? NULL : take(r, curves->count, sizeof *r->plan.curve);
    if (!status && !r->plan.curve)
        status = swq_memory_status(r->ctx);
    for (int k = 0; !status && k < curves->count; k++)
        status = read_curve(r, curves->item[k], k, &r->plan.curve[r->plan.curves++]);
    return status;
}

/* The printed numbers: lines of panel, curve, x and y, where an x of "0.51 full" is at full load.
 */
static swq_status read_printed(paper_reader *r, const char *text)
{
    int lines = 0;

    for (const char *at = text; at && *at; at++)
        lines += *at == '\n';
    r->plan.printed = take(r, lines, sizeof *r->plan.printed);
    if (!r->plan.printed)
        return swq_memory_status(r->ctx);
    for (int number = 1; text && *text; number++) {
        char panel[16] = "", curve[60], x[40], y[40];
        const char *end = text + strcspn(text, "\n");
        const int got = sscanf(text, "%15[^,],%59[^,],%39[^,],%39[^,\n]", panel, curve, x, y);
        if (number > 1 && *text != '#' && end > text) {
            figure_printed_row *p = &r->plan.printed[r->plan.printeds];
            const char *digits = strchr(y, '.');
            char *after;
            *p = (figure_printed_row){.curve = -1, .x = strtod(x, &after)};
            p->at_full_load = strcmp(after, " full") == 0;
            for (int c = 0; c < r->plan.curves && got == 4; c++) {
                const figure_curve_row *row = &r->plan.curve[c];
                if (strcmp(row->name, curve) == 0 &&
                    strcmp(r->kind.panel[row->panel].letter, strcmp(panel, "-") ? panel : "") == 0)
                    p->curve = p->curve < 0 ? c : p->curve;
            }
            p->y = strtod(y, &after);
            p->unit = pow(10, digits ? -(double)strspn(digits + 1, "0123456789") : 0);
            if (got != 4 || p->curve < 0 || *after)
                return swq_fail(r->ctx, SWQ_EINVAL,
                                "%.150s: line %d of the printed numbers must be PANEL,CURVE,X,Y of "
                                "a curve, a panel without a letter being '-'",
                                r->path, number);
            r->plan.printeds++;
        }
        text = *end ? end + 1 : end;
    }
    return SWQ_OK;
}

/* ---- runs and claims ---- */

static swq_status read_run(paper_reader *r)
{
    static const char *const keys[] = {
        "measured", "warmup", "settle", "most-warmup", "replications", "at-end", "search",
        "hold",     "group",  "equal",  "complete",    "window",       "whole",  "end",
        "onset",    "over",   NULL};
    const swq_node *run = key_of(r, "run");
    figure_lengths *to = &r->plan.run;
    double settle = 0, most = 0, replications = 1, at_end = 0, group = -1, equal = 0;
    double window = 0, whole = 0;
    swq_status status = SWQ_OK;

    *to = (figure_lengths){.measured = 1};
    if (run && run->kind == SWQ_NODE_MAP)
        status = known_keys(r, run, keys);
    const struct {
        const char *key;
        double *number;
    } numbers[] = {{"measured", &to->measured},
                   {"warmup", &to->warmup},
                   {"settle", &settle},
                   {"most-warmup", &most},
                   {"replications", &replications},
                   {"at-end", &at_end},
                   {"search", &to->search},
                   {"hold", &to->hold},
                   {"group", &group},
                   {"equal", &equal},
                   {"complete", &to->complete},
                   {"window", &window},
                   {"whole", &whole}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && !status; k++)
        status = number_of(r, run, numbers[k].key, numbers[k].number);
    to->settle = (uint64_t)settle;
    to->most_warmup = (uint64_t)most;
    to->replications = (int)replications;
    to->at_end = (int)at_end;
    to->group = (int)group;
    to->window = (uint64_t)window;
    to->whole = whole > 0;
    r->plan.equal = equal > 0;
    return status;
}

static swq_status read_claim(paper_reader *r, const swq_node *map, figure_claim_row *claim)
{
    static const char *const keys[] = {"claim", "by",       "known", "known-all",
                                       "that",  "measured", "shown", NULL};
    swq_status status = need(r, map, SWQ_NODE_MAP, "claims");
    const char **comparison, *known_all = NULL;

    if (!status)
        status = known_keys(r, map, keys);
    if (status)
        return status;
    claim->text = claim->criterion = "";
    status = text_of(r, map, "claim", &claim->text);
    if (!status)
        status = text_of(r, map, "by", &claim->criterion);
    if (!status)
        status = text_of(r, map, "known", &claim->known);
    if (!status)
        status = text_at(r, key_of(r, "known-all"), &known_all);
    if (!claim->known && r->equal_all)
        claim->known = known_all;
    if (!status)
        status = text_of(r, map, "measured", &claim->measured);
    if (!status)
        status = text_of(r, map, "shown", &claim->shown);
    const swq_node *that = swq_node_at(map, "that");
    const bool list = that && that->kind == SWQ_NODE_LIST;
    claim->comparisons = list ? that->count : that ? 1 : 0;
    if (!status && (!*claim->text || !*claim->criterion || !that))
        status = complain(r, map,
                          "a claim has `claim`, its text; `by`, the criterion; and `that`, "
                          "comparisons",
                          NULL);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    comparison = status ? NULL : take(r, claim->comparisons, sizeof *comparison);
    if (!status && !comparison)
        status = swq_memory_status(r->ctx);
    for (int k = 0; k < claim->comparisons && !status; k++)
        status = text_at(r, list ? that->item[k] : that, &comparison[k]);
    claim->comparison = comparison;
    claim->criterion = for_good(claim->criterion);
    return status;
}

static swq_status read_claims(paper_reader *r)
{
    const swq_node *claims = swq_node_at(r->figure, "claims");
    swq_status status = claims ? need(r, claims, SWQ_NODE_LIST, "claims") : SWQ_OK;

    r->plan.claim = status || !claims ? NULL : take(r, claims->count, sizeof *r->plan.claim);
    if (!status && claims && !r->plan.claim)
        status = swq_memory_status(r->ctx);
    if (!status && claims && claims->count > FIGURE_CLAIMS - 1)
        status = complain(r, claims, "at most 23 claims", NULL);
    for (int k = 0; !status && claims && k < claims->count; k++)
        status = read_claim(r, claims->item[k], &r->plan.claim[r->plan.claims++]);
    return status;
}

/* ---- all ---- */

/* A figure that a function makes has no lines here. */
static swq_status read_made(paper_reader *r, const char *name)
{
    for (const figure_maker *m = figure_makers; m->name; m++) {
        if (strcmp(m->name, name) == 0) {
            r->plan.maker = m;
            return SWQ_OK;
        }
    }
    return complain(r, swq_node_at(r->figure, "made-by"), "no function makes figure", name);
}

static swq_status read_figure(paper_reader *r, const char *printed)
{
    static const char *const keys[] = {"figure",  "title",     "source",  "short", "section",
                                       "setting", "x",         "panels",  "lines", "set",
                                       "curves",  "claims",    "jointly", "run",   "words",
                                       "made-by", "known-all", NULL};
    const struct {
        const char *key, **text;
    } texts[] = {{"figure", &r->kind.name},     {"title", &r->kind.title},
                 {"source", &r->kind.source},   {"short", &r->kind.short_source},
                 {"section", &r->kind.section}, {"setting", &r->kind.setting},
                 {"jointly", &r->plan.jointly}};
    const char *made = NULL;
    swq_status status = need(r, r->figure, SWQ_NODE_MAP, "the whole");

    if (!status)
        status = known_keys(r, r->figure, keys);
    r->kind.title = r->kind.source = r->kind.section = r->kind.setting = "";
    for (size_t k = 0; k < sizeof texts / sizeof *texts && !status; k++)
        status = text_at(r, key_of(r, texts[k].key), texts[k].text);
    if (!status && !r->kind.name)
        status = complain(r, r->figure, "a figure needs its name at `figure`", NULL);
    if (!r->kind.short_source)
        r->kind.short_source = r->kind.source;
    if (!status)
        status = read_axis(r);
    if (!status)
        status = read_panels(r);
    if (!status)
        status = text_of(r, r->figure, "made-by", &made);
    if (!status && made)
        return read_made(r, made);
    if (!status)
        status = read_run(r);
    if (!status)
        status = read_lines(r);
    if (!status)
        status = read_curves(r);
    if (!status)
        status = read_printed(r, printed);
    return status ? status : read_claims(r);
}

static void close_figure(swq_context *ctx, swq_figure_kind *kind)
{
    paper_reader *r = (paper_reader *)kind;

    swq_arena_clear(ctx, &r->arena);
    swq_free(ctx, r);
}

static swq_status read_tree(paper_reader *r, const char *path, const char *text,
                            const swq_node **tree)
{
    swq_node **document;
    int documents;
    swq_status status =
        swq_yaml_read(r->ctx, path, text, strlen(text), &r->arena, &document, &documents);

    if (!status && documents != 1)
        status = swq_fail(r->ctx, SWQ_EINVAL, "%.150s: one document, not %d", path, documents);
    if (!status)
        *tree = document[0];
    return status;
}

/* path: for messages; printed and paper may be NULL. */
static swq_status open_texts(swq_context *ctx, const char *path, const char *text,
                             const char *printed, const char *paper, bool equal_all,
                             swq_figure_kind **kind)
{
    paper_reader *r = swq_calloc(ctx, 1, sizeof *r);

    if (!r)
        return swq_memory_status(ctx);
    r->ctx = ctx;
    r->equal_all = equal_all;
    r->path = swq_arena_text(ctx, &r->arena, path, strlen(path));
    swq_status status = r->path ? SWQ_OK : swq_memory_status(ctx);
    if (!status)
        status = read_tree(r, path, text, &r->figure);
    if (!status && paper)
        status = read_tree(r, "paper.yaml", paper, &r->paper);
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

static swq_status open_figure(swq_context *ctx, const char *name, bool equal_all,
                              swq_figure_kind **kind)
{
    const size_t length = name ? strlen(name) : 0;
    char known[900] = "";
    size_t used = 0;

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

const swq_figure_source cli_papers = {.open = open_figure, .close = close_figure};
