/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points of ranges, or windows of one run, as curves, intervals and proven bounds as bands.
 */
#include "base/context.h"
#include "cli/options/words.h"
#include "cli/points/points.h"
#include "cli/print/append.h"
#include "cli/print/drawing.h"
#include "cli/record/inside.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CURVES = 32, TITLE = 256 };

typedef cli_points_panel panel_row;

typedef struct {
    const cli_axes *axes;
    cli_record *const *record;
    const int *point;
    int count, along; /* along: the x axis */
    const char *what; /* the words that all points share */
} plotted;

/* A figure of an answer, in its result or, unless that is NULL, in a group of its result. */
static const cli_record *figure(const cli_record *root, const char *group, const char *key)
{
    for (const cli_record *g = root->child; g; g = g->next) {
        const cli_record *in = g->result && group ? cli_record_child(g, group) : g;
        const cli_record *f = g->result && in ? cli_record_child(in, key) : NULL;
        if (f)
            return f;
    }
    return NULL;
}

/* The last axis with numbers, or -1. */
static int numbers(const cli_axes *axes)
{
    for (int a = axes->axes - 1; a >= 0; a--) {
        if (axes->axis[a].number)
            return a;
    }
    return -1;
}

/* The curve of a point: its index over all axes but one. */
static int curve_of(const plotted *d, int point)
{
    int curve = 0;

    for (int a = 0; a < d->axes->axes; a++) {
        if (a != d->along)
            curve = curve * d->axes->axis[a].count + cli_axes_place(d->axes, point, a);
    }
    return curve;
}

/* "damq, slots 4"; with the group's name, unless that is NULL. */
static void name_curve(const plotted *d, int point, const char *group, char *name, size_t size)
{
    snprintf(name, size, "%s", group ? group : "");
    for (int a = 0; a < d->axes->axes; a++) {
        const cli_axis *axis = &d->axes->axis[a];
        if (a == d->along)
            continue;
        const char *value = axis->value[cli_axes_place(d->axes, point, a)];
        cli_append(name, size, "%s%s%s%s", *name ? ", " : "", axis->number ? axis->option : "",
                   axis->number ? " " : "", value);
    }
}

static double half_of(const cli_record *f)
{
    if (f->known == CLI_INTERVAL && isfinite(f->low))
        return f->low;
    return 0;
}

/* "mean delay"; with the unit in brackets for an axis. */
static void label_axis(const cli_record *f, const char *option, const panel_row *row,
                       bool with_unit, bool async, char *label)
{
    char text[130] = "", unit[110] = "";

    if (!f) {
        const bool other = row->option && strcmp(option, row->option) == 0;
        if (with_unit)
            cli_option_meaning(other ? row->counts : option, async, text, sizeof text);
        snprintf(label, TITLE, *text ? "%s (%s)" : "%s", option, text);
        return;
    }
    cli_record_label(f, text, sizeof text);
    cli_record_unit(f, unit, sizeof unit);
    if (*unit && with_unit)
        snprintf(label, TITLE, "%s (%s)", text, unit + 1);
    else
        snprintf(label, TITLE, "%s", text);
}

/* Begins a panel of y over x, or of y over an option, with their labels. */
static void begin_panel(cli_drawing *to, const cli_record *x, const char *over, const cli_record *y,
                        const panel_row *row, const cli_points_view *view, bool async,
                        const char *what)
{
    char label[4][TITLE];

    label_axis(x, over, row, false, async, label[0]);
    label_axis(y, row->y, row, false, async, label[1]);
    label_axis(x, over, row, true, async, label[2]);
    label_axis(y, row->y, row, true, async, label[3]);
    label[1][0] = (char)toupper((unsigned char)label[1][0]);
    cli_draw_panel(to,
                   &(swq_plot){.x_label = label[2],
                               .y_label = label[3],
                               .log_x = view->log_x,
                               .log_y = row->log_y || view->log_y,
                               .x_least = view->x_least,
                               .x_most = view->x_most,
                               .y_least = view->y_least,
                               .y_most = view->y_most,
                               .y_of_solid = row->grows},
                   "%.60s over %.60s: %s", label[1], label[0], what);
}

static swq_curve *begin_curve(cli_drawing *to, const char *name)
{
    swq_curve *curve = cli_draw_curve(to, "%s", name);

    curve->band = true;
    return curve;
}

/* The kind that decides about the style of a curve: a word of its name or, if it has none, the
 * buffer or else the architecture of its network. */
static void set_kind(const cli_record *root, swq_curve *curve)
{
    static const char *const keys[] = {"buffer", "architecture"};
    const cli_record *model = cli_record_child(root, "model");
    char value[CLI_RECORD_VALUE];

    for (int k = 0; k < 2 && model && swq_palette_kind_of(curve->name) < 0 && !*curve->kind; k++) {
        const cli_record *f = cli_record_child(model, keys[k]);
        if (f && cli_record_value(f, value) && swq_palette_find(value, strlen(value)) >= 0)
            snprintf(curve->kind, sizeof curve->kind, "%.31s", value);
    }
    if (!*curve->name)
        snprintf(curve->name, sizeof curve->name, "%s", curve->kind);
}

/* Is the network past saturation? */
static bool is_saturated(const cli_record *root)
{
    const cli_record *f = figure(root, NULL, "saturated");

    return f && f->count != 0;
}

/* The first point with this figure, or NULL. */
static const cli_record *first_of(const plotted *d, const char *key)
{
    const cli_record *f = NULL;

    for (int k = 0; k < d->count && key && !f; k++)
        f = figure(d->record[k], NULL, key);
    return f;
}

/* Draws the curve of number c, of figures in a group of the result; NULL: of the result itself. */
static void draw_curve(const plotted *d, const panel_row *row, const cli_points_view *view,
                       const char *group, int c, cli_drawing *to)
{
    const cli_axis *along = &d->axes->axis[d->along];
    char name[sizeof((swq_curve *)0)->name];
    int first = 0;

    while (first < d->count && curve_of(d, d->point[first]) != c)
        first++;
    if (first == d->count)
        return;
    /* begun even if it stays empty, so that the next curves look the same in every panel */
    name_curve(d, d->point[first], group, name, sizeof name);
    swq_curve *curve = begin_curve(to, name);
    curve->printed = group != NULL;
    set_kind(d->record[first], curve);
    for (int k = first; k < d->count; k++) {
        const cli_record *y = figure(d->record[k], group, row->y);
        const cli_record *x = row->x ? figure(d->record[k], group, row->x) : NULL;
        const double at =
            x ? x->value : atof(along->value[cli_axes_place(d->axes, d->point[k], d->along)]);
        if (curve_of(d, d->point[k]) != c || !y || (row->x && !x) ||
            ((row->log_y || view->log_y) && !(y->value > 0)) || (view->log_x && !(at > 0)))
            continue;
        cli_draw_point(to, at, y->value, half_of(y));
        if (is_saturated(d->record[k]))
            cli_draw_hollow(to);
    }
}

/* Is a point of a wormhole network? */
static bool has_worms(const plotted *d)
{
    bool any = false;

    for (int k = 0; k < d->count && !any; k++) {
        const cli_record *model = cli_record_child(d->record[k], "model");
        any = model && cli_record_child(model, "lane_flits");
    }
    return any;
}

/* Does an engine count bytes, and no packets of one cycle? */
static bool in_bytes(const char *engine)
{
    return strcmp(engine, "async") == 0 || strcmp(engine, "timed") == 0;
}

static void draw_panel(const plotted *d, const panel_row *row, const cli_points_view *view,
                       cli_drawing *to)
{
    const cli_record *run = cli_record_child(d->record[0], "run");
    const cli_record *engine = run ? cli_record_child(run, "engine") : NULL;

    begin_panel(to, first_of(d, row->x), d->axes->axis[d->along].option, first_of(d, row->y), row,
                view, engine && in_bytes(engine->text), d->what);
    for (int c = 0; c < MOST_CURVES; c++) {
        draw_curve(d, row, view, NULL, c, to);
        if (row->beside)
            draw_curve(d, row, view, row->beside, c, to);
    }
}

/* The panel that --panel asks for: as the command's own, if it has one of the same y. Errors:
 * SWQ_EINVAL. */
static swq_status chosen_panel(swq_context *ctx, const plotted *d, const panel_row *panel,
                               const cli_points_view *view, panel_row chosen[2])
{
    const char *const key[] = {view->y, view->x};

    chosen[0] = (panel_row){.y = view->y};
    for (; panel->y; panel++) {
        if (strcmp(panel->y, view->y) == 0)
            chosen[0] = *panel;
    }
    chosen[0].y = view->y;
    chosen[0].x = *view->x ? view->x : NULL;
    chosen[0].axis = chosen[0].worms_y = NULL;
    chosen[1] = (panel_row){.y = NULL};
    for (int k = 0; k < 2; k++) {
        const cli_record *f = *key[k] ? first_of(d, key[k]) : NULL;
        if (*key[k] && (!f || f->kind != CLI_NUMBER))
            return swq_fail(ctx, SWQ_EINVAL, "--panel: no answer has a number '%s'", key[k]);
    }
    return SWQ_OK;
}

swq_status cli_points_plot(swq_context *ctx, const cli_axes *axes, const panel_row *panel,
                           const cli_points_view *view, cli_record *const *record, const int *point,
                           int count, const char *path)
{
    static const cli_points_view plain;
    panel_row chosen[2];
    char what[CLI_QUESTION_WORDS];
    plotted d = {axes, record, point, count, numbers(axes), what};
    cli_drawing to = {0};

    if (d.along < 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--plot needs a range of numbers, such as --load 0.1:0.9:0.1");
    const int curves = axes->points / axes->axis[d.along].count;
    if (curves > MOST_CURVES)
        return swq_fail(ctx, SWQ_EINVAL, "--plot draws at most %d curves, not %d", MOST_CURVES,
                        curves);
    cli_points_words(axes, record, count, what, sizeof what);
    if (*view->y && chosen_panel(ctx, &d, panel, view, chosen))
        return SWQ_EINVAL;
    for (const panel_row *row = *view->y ? chosen : panel; row->y; row++) {
        panel_row drawn = *row;
        if (row->axis && strcmp(row->axis, axes->axis[d.along].option) != 0)
            continue;
        if (row->worms_y && has_worms(&d))
            drawn.y = row->worms_y;
        draw_panel(&d, &drawn, view, &to);
        view = &plain;
    }
    return cli_draw(ctx, &to, path);
}

/* ---- over time ---- */

/* Stream c of a window: 0 is all packets, the others are its groups or classes; NULL: there is
 * none. */
static const cli_record *stream(const cli_record *window, int c)
{
    const cli_record *list = cli_record_child(window, "groups");

    if (c == 0)
        return window;
    list = list ? list : cli_record_child(window, "classes");
    const cli_record *item = list ? list->child : NULL;
    while (item && --c > 0)
        item = item->next;
    return item;
}

/* A curve for each stream over the windows. */
static void draw_over_time(const cli_record *list, const char *key, const char *what,
                           cli_drawing *to)
{
    const cli_record time = {.key = "first_cycle", .label = "time", .unit = "cycles"};
    char name[40] = "all";

    begin_panel(to, &time, NULL, cli_record_child(list->child, key), &(panel_row){.y = key},
                &(cli_points_view){.asked = false}, false, what);
    for (int c = 0; c < MOST_CURVES && stream(list->child, c); c++) {
        if (c > 0)
            snprintf(name, sizeof name, "%s%.20s",
                     cli_record_child(list->child, "groups") ? "group " : "",
                     stream(list->child, c)->text);
        begin_curve(to, name);
        for (const cli_record *w = list->child; w; w = w->next) {
            const cli_record *f = cli_record_child(stream(w, c), key);
            if (f && !f->quiet)
                cli_draw_point(to, (double)cli_record_child(w, "first_cycle")->count, f->value,
                               half_of(f));
        }
    }
}

swq_status cli_points_plot_series(swq_context *ctx, const cli_record *record, const char *path)
{
    static const char *const keys[] = {"throughput", "latency_cycles", "in_flight",
                                       "discard_fraction"};
    const cli_record *list = figure(record, NULL, "series");
    char what[CLI_QUESTION_WORDS];
    cli_drawing to = {0};

    if (!list || !list->child)
        return swq_fail(ctx, SWQ_EINVAL, "--plot has no windows to draw");
    cli_question_of(record, what, sizeof what);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        draw_over_time(list, keys[k], what, &to);
    return cli_draw(ctx, &to, path);
}
