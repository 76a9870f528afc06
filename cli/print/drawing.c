/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot that grows point by point.
 */
#include "cli/print/drawing.h"
#include "base/context.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 512, TITLE = 2600 };

/* A point is three numbers: x, y, half-width. */
typedef struct {
    double *x, *y, *half;
    bool *hollow;
    size_t room;
    bool barred, hollowed; /* some point has a half-width, or is hollow */
} curve_points;

struct cli_panel {
    swq_plot plot;
    char title[TITLE], x_label[WORDS], y_label[WORDS];
    swq_curve *curve;
    curve_points *points; /* [curves] points of each */
    size_t curves;
};

static bool grow(void **array, size_t count, size_t bytes)
{
    void *grown = realloc(*array, count * bytes);

    if (grown)
        *array = grown;
    return grown != NULL;
}

void cli_draw_panel(cli_drawing *d, const swq_plot *like, const char *title, ...)
{
    void *panels = d->panel;
    va_list list;

    d->failed = d->failed || !grow(&panels, d->panels + 1, sizeof *d->panel);
    if (d->failed)
        return;
    d->panel = panels;
    cli_panel *p = &d->panel[d->panels++];
    *p = (cli_panel){.plot = *like};
    va_start(list, title);
    vsnprintf(p->title, sizeof p->title, title, list);
    va_end(list);
    snprintf(p->x_label, sizeof p->x_label, "%s", like->x_label);
    snprintf(p->y_label, sizeof p->y_label, "%s", like->y_label);
}

swq_curve *cli_draw_curve(cli_drawing *d, const char *name, ...)
{
    cli_panel *p = d->panels ? &d->panel[d->panels - 1] : NULL;
    void *curves = p ? p->curve : NULL, *points = p ? p->points : NULL;
    va_list list;

    d->failed = d->failed || !p || !grow(&curves, p->curves + 1, sizeof *p->curve);
    if (d->failed)
        return &d->none;
    p->curve = curves;
    d->failed = !grow(&points, p->curves + 1, sizeof *p->points);
    if (d->failed)
        return &d->none;
    p->points = points;
    swq_curve *curve = &p->curve[p->curves];
    *curve = (swq_curve){.points = 0};
    p->points[p->curves++] = (curve_points){0};
    va_start(list, name);
    vsnprintf(curve->name, sizeof curve->name, name, list);
    va_end(list);
    return curve;
}

void cli_draw_point(cli_drawing *d, double x, double y, double half)
{
    cli_panel *p = d->panels ? &d->panel[d->panels - 1] : NULL;

    if (d->failed || !p || !p->curves || !isfinite(x) || !isfinite(y))
        return;
    swq_curve *curve = &p->curve[p->curves - 1];
    curve_points *its = &p->points[p->curves - 1];
    if (curve->points == its->room) {
        const size_t room = 2 * its->room + 16;
        void *xs = its->x, *ys = its->y, *halves = its->half, *hollow = its->hollow;
        d->failed = !grow(&xs, room, sizeof *its->x) || !grow(&ys, room, sizeof *its->y) ||
                    !grow(&halves, room, sizeof *its->half) ||
                    !grow(&hollow, room, sizeof *its->hollow);
        its->x = xs;
        its->y = ys;
        its->half = halves;
        its->hollow = hollow;
        if (d->failed)
            return;
        its->room = room;
    }
    its->hollow[curve->points] = false;
    its->x[curve->points] = x;
    its->y[curve->points] = y;
    its->half[curve->points++] = half;
    its->barred = its->barred || half > 0;
}

void cli_draw_hollow(cli_drawing *d)
{
    cli_panel *p = d->panels ? &d->panel[d->panels - 1] : NULL;

    if (d->failed || !p || !p->curves || p->curve[p->curves - 1].points == 0)
        return;
    p->points[p->curves - 1].hollow[p->curve[p->curves - 1].points - 1] = true;
    p->points[p->curves - 1].hollowed = true;
}

/* ---- styles ---- */

/* The place of a curve's kind in the palette; -1: it has none. */
static int kind_of(const swq_curve *curve)
{
    return swq_palette_kind_of(*curve->kind ? curve->kind : curve->name);
}

static bool has_style(const swq_curve *curve)
{
    return !curve->printed && !curve->faint && !curve->stairs;
}

/* The curves of the same kind as one of them, of which it is number `which`; alone: there are no
 * other curves. */
static size_t count_alike(const swq_curve *curve, size_t curves, size_t one, size_t *which,
                          bool *alone)
{
    const int kind = kind_of(&curve[one]);
    size_t count = 0;

    *alone = true;
    for (size_t c = 0; c < curves; c++) {
        if (!has_style(&curve[c]))
            continue;
        const bool same = kind_of(&curve[c]) == kind;
        if (c == one)
            *which = count;
        count += same;
        *alone = *alone && same;
    }
    return count;
}

/* The first place of the palette that no kind of the curves has, after `which` others. */
static size_t free_place(const swq_curve *curve, size_t curves, size_t which)
{
    for (size_t place = 0;; place++) {
        bool taken = false;
        for (size_t c = 0; c < curves; c++)
            taken = taken || (has_style(&curve[c]) && kind_of(&curve[c]) == (int)place);
        if (!taken && which-- == 0)
            return place;
    }
}

void cli_draw_styles(swq_curve *curve, size_t curves)
{
    const double paler = 0.5;

    for (size_t c = 0; c < curves; c++) {
        swq_curve *its = &curve[c];
        size_t which = 0;
        bool alone;
        if (!has_style(its))
            continue;
        const int kind = kind_of(its);
        const size_t alike = count_alike(curve, curves, c, &which, &alone);
        its->style = kind >= 0    ? swq_palette_variant((size_t)kind, which, alike, alone)
                     : its->place ? swq_palette_at((size_t)its->place - 1)
                                  : swq_palette_at(free_place(curve, curves, which));
        if (kind < 0 && its->place)
            its->style.mark = its->mark;
        its->style.shade = its->aside ? paler : its->style.shade;
    }
}

/* Gives curves their styles, and then drops those without points, so that a curve looks the same in
 * all panels. */
static void finish(cli_panel *p)
{
    size_t kept = 0;

    cli_draw_styles(p->curve, p->curves);
    for (size_t c = 0; c < p->curves; c++) {
        const curve_points its = p->points[c];
        if (p->curve[c].points == 0)
            continue;
        p->points[c] = p->points[kept];
        p->points[kept] = its;
        p->curve[kept] = p->curve[c];
        p->curve[kept].x = its.x;
        p->curve[kept].y = its.y;
        p->curve[kept].hollow = its.hollowed ? its.hollow : NULL;
        p->curve[kept++].half = its.barred ? its.half : NULL;
    }
    p->plot.title = p->title;
    p->plot.x_label = p->x_label;
    p->plot.y_label = p->y_label;
    p->plot.curve = p->curve;
    p->plot.curves = kept;
}

static swq_status write_panels(swq_context *ctx, cli_drawing *d, const char *path)
{
    swq_plot *plot = d->failed ? NULL : calloc(d->panels + 1, sizeof *plot);
    size_t plots = 0;

    if (!plot)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the plot");
    for (size_t k = 0; k < d->panels; k++) {
        finish(&d->panel[k]);
        if (d->panel[k].plot.curves)
            plot[plots++] = d->panel[k].plot;
    }
    swq_status status = plots ? swq_plot_write_panels(ctx, plot, plots, path)
                              : swq_fail(ctx, SWQ_EINVAL, "--plot has no finite value to draw");
    free(plot);
    return status;
}

swq_status cli_draw(swq_context *ctx, cli_drawing *d, const char *path)
{
    swq_status status = path ? write_panels(ctx, d, path) : SWQ_OK;

    for (size_t k = 0; k < d->panels; k++) {
        cli_panel *p = &d->panel[k];
        for (size_t c = 0; c < p->curves; c++) {
            free(p->points[c].x);
            free(p->points[c].y);
            free(p->points[c].half);
            free(p->points[c].hollow);
        }
        free(p->points);
        free(p->curve);
    }
    free(d->panel);
    *d = (cli_drawing){0};
    return status;
}
