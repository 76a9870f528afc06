/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure as plots, and its map as a picture and as an animation.
 */
#include "cli/figures/figure.h"
#include "cli/print/drawing.h"

#include "base/context.h"
#include "base/plot.h"

/* The curves of a panel, and one curve of the printed points. */
static void draw_panel(const swq_figure *f, int panel, cli_drawing *to)
{
    const swq_figure_kind *kind = f->kind;
    const bool one = kind->panels == 1;
    const swq_plot like = {.x_label = cli_figure_axes[kind->panel[panel].over].label,
                           .y_label = kind->panel[panel].y_label,
                           .log_y = kind->panel[panel].log_y,
                           .x_most = kind->panel[panel].x_most,
                           .y_most = kind->panel[panel].y_most};

    cli_draw_panel(to, &like, "%s%s%s%s%s%s%s%s", panel ? "" : "Figure ", panel ? "" : kind->name,
                   panel ? "" : ": ", panel ? "" : kind->title,
                   one     ? ""
                   : panel ? "("
                           : "\n(",
                   kind->panel[panel].letter, one ? "" : ") ", kind->panel[panel].title);
    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *from = &f->curve[c];
        if (from->panel != panel)
            continue;
        swq_curve *curve = cli_draw_curve(to, "%s", from->name);
        curve->place = from->colour + 1;
        curve->mark = from->mark;
        curve->aside = from->dashed;
        for (int k = 0; k < from->points; k++)
            cli_draw_point(to, from->point[k].x, from->point[k].y, 0);
    }
    cli_draw_curve(to, "printed")->printed = true;
    for (int k = 0; k < f->printeds; k++) {
        if (f->curve[f->printed[k].curve].panel == panel)
            cli_draw_point(to, f->printed[k].x, f->printed[k].y, 0);
    }
}

/* Draws the map, complete and as it grows. */
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

/* Draws nothing if no run gave a point. */
static swq_status draw_panels(swq_context *ctx, const swq_figure *f, const char *folder)
{
    char path[CLI_FIGURE_PATH];
    swq_status status = SWQ_OK;
    int points = f->printeds;

    for (int c = 0; c < f->curves; c++)
        points += f->curve[c].points;
    for (int k = 0; k < 2 && !status && points; k++) {
        cli_drawing to = {0};
        cli_figure_path(folder, f->kind->name, f->map.rows ? "-time" : "", k ? "png" : "svg", path,
                        sizeof path);
        for (int p = 0; p < f->kind->panels; p++)
            draw_panel(f, p, &to);
        status = cli_draw(ctx, &to, path);
    }
    return status;
}

swq_status cli_figure_draw(swq_context *ctx, const swq_figure *f, const char *folder)
{
    swq_status status = draw_panels(ctx, f, folder);

    return !status && f->map.rows ? draw_map(ctx, f, folder) : status;
}
