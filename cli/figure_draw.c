/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure as plots, its map as a picture and as one that moves.
 * Room: cli.
 */
#include "cli/figure.h"

#include "base/context.h"
#include "base/plot.h"

/* The curves of a panel, and one of printed points; x and y: room for all of them. */
static void fill_panel(const swq_figure *f, int panel, swq_curve *curve, double *x, double *y,
                       swq_plot *plot)
{
    size_t curves = 0, printed = 0;

    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *from = &f->curve[c];
        swq_curve *to = &curve[curves];
        if (from->panel != panel || from->points == 0)
            continue;
        *to = (swq_curve){.x = x,
                          .y = y,
                          .points = (size_t)from->points,
                          .colour = from->colour,
                          .mark = from->mark,
                          .dashed = from->dashed};
        snprintf(to->name, sizeof to->name, "%s", from->name);
        for (int k = 0; k < from->points; k++) {
            *x++ = from->point[k].x;
            *y++ = from->point[k].y;
        }
        curves++;
    }
    for (int k = 0; k < f->printeds; k++) {
        if (f->curve[f->printed[k].curve].panel == panel) {
            x[printed] = f->printed[k].x;
            y[printed++] = f->printed[k].y;
        }
    }
    if (printed)
        curve[curves++] =
            (swq_curve){.name = "printed", .x = x, .y = y, .points = printed, .printed = true};
    plot->curve = curve;
    plot->curves = curves;
}

/* The map, whole and as it grows. */
static swq_status draw_map(swq_context *ctx, const swq_figure *f, const char *folder)
{
    const swq_figure_map *m = &f->map;
    const size_t squares = (size_t)m->rows * (size_t)m->columns, frames = (size_t)m->frames;
    char title[240], path[CLI_FIGURE_PATH];
    swq_status status = SWQ_OK;
    swq_colour_map map = {.title = title,
                          .x_label = "place in the ring (dimension traversed first)",
                          .y_label = "ring",
                          .value_label = "mean blocks of Q1+ less Q1-",
                          .rows = (size_t)m->rows,
                          .columns = (size_t)m->columns,
                          .frames = 1,
                          .value = cli_figure_map(m),
                          .most = 16};
    char *letter = swq_calloc(ctx, squares, 1);

    if (!letter)
        return swq_memory_status(ctx);
    for (size_t k = 0; k < squares; k++)
        letter[k] = swq_figure_map_letter(map.value[k]);
    map.letter = letter;
    snprintf(title, sizeof title, "Figure %s: %s", f->kind->name, f->kind->title);
    for (int k = 0; k < 2 && !status; k++) {
        cli_figure_path(folder, f->kind->name, "", k ? "png" : "svg", path, sizeof path);
        status = swq_plot_write_map(ctx, &map, path);
    }
    if (!status && frames) {
        map.letter = NULL;
        map.value = m->difference;
        map.frames = frames;
        map.frame_time = m->frame_cycles;
        cli_figure_path(folder, f->kind->name, "", "gif", path, sizeof path);
        status = swq_plot_write_map(ctx, &map, path);
    }
    swq_free(ctx, letter);
    return status;
}

static swq_status draw_panels(swq_context *ctx, const swq_figure *f, const char *folder)
{
    const swq_figure_kind *kind = f->kind;
    swq_plot plot[SWQ_FIGURE_PANELS];
    char title[SWQ_FIGURE_PANELS][240], path[CLI_FIGURE_PATH];
    size_t points = (size_t)f->printeds, curves = (size_t)f->curves + SWQ_FIGURE_PANELS, panels = 0;
    swq_status status = SWQ_OK;

    for (int c = 0; c < f->curves; c++)
        points += (size_t)f->curve[c].points;
    /* each panel gets room for all */
    swq_curve *curve = swq_calloc(ctx, SWQ_FIGURE_PANELS * curves, sizeof *curve);
    double *number = swq_calloc(ctx, SWQ_FIGURE_PANELS * 2 * points, sizeof *number);
    if (!curve || !number)
        status = swq_memory_status(ctx);
    for (int p = 0; p < kind->panels && !status; p++) {
        double *x = number + (size_t)p * 2 * points;
        bool one = kind->panels == 1;
        snprintf(title[panels], sizeof title[panels], "%s%s%s%s%s%s%s%s", p ? "" : "Figure ",
                 p ? "" : kind->name, p ? "" : ": ", p ? "" : kind->title,
                 one ? ""
                 : p ? "("
                     : "\n(",
                 kind->panel[p].letter, one ? "" : ") ", kind->panel[p].title);
        plot[panels] = (swq_plot){.title = title[panels],
                                  .x_label = cli_figure_axes[kind->over].label,
                                  .y_label = kind->panel[p].y_label,
                                  .x_most = kind->x_most,
                                  .y_most = kind->panel[p].y_most};
        fill_panel(f, p, curve + (size_t)p * curves, x, x + points, &plot[panels]);
        panels += plot[panels].curves > 0;
    }
    for (int k = 0; k < 2 && !status && panels; k++) {
        cli_figure_path(folder, f->kind->name, f->map.rows ? "-time" : "", k ? "png" : "svg", path,
                        sizeof path);
        status = swq_plot_write_panels(ctx, plot, panels, path);
    }
    swq_free(ctx, curve);
    swq_free(ctx, number);
    return status;
}

swq_status cli_figure_draw(swq_context *ctx, const swq_figure *f, const char *folder)
{
    swq_status status = draw_panels(ctx, f, folder);

    return !status && f->map.rows ? draw_map(ctx, f, folder) : status;
}
