/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Line plots and maps through gnuplot, as SVG, PNG or PDF, and maps over time as animated GIF; and
 * the points of all of them as CSV.
 */
#ifndef SWQ_BASE_PLOT_H
#define SWQ_BASE_PLOT_H

#include "base/palette.h"
#include "switchq/context.h"

#include <stddef.h>

typedef struct swq_curve {
    char name[48];
    const double *x, *y; /* [points] */
    const double *half;  /* [points] half-widths of error bars, 0 for none; or NULL */
    size_t points;
    const bool *hollow; /* [points] points drawn as hollow marks; NULL: none */
    swq_palette_style style;
    char kind[32];   /* the word that decides about the style (cli/print/drawing.h); "": the name */
    int place;       /* of a curve of no kind: its place in the palette + 1; 0: the next one */
    int mark;        /* of such a curve with a place */
    bool aside;      /* paler than the curve of the same kind that it belongs to */
    bool band;       /* `half` as a band around the curve rather than bars */
    bool steps;      /* a line without marks, horizontal around each point */
    bool stairs;     /* a line without marks, horizontal from each point to the next */
    bool faint;      /* small grey points, without a line */
    char beside[24]; /* label beside each point; "": none */
    bool printed; /* no line: hollow black marks, to be listed after the curves that they belong to;
                     the style is not used */
} swq_curve;

typedef struct swq_plot {
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
    double x_least, x_most; /* range of the x axis; both 0: chosen by gnuplot */
    double y_least, y_most; /* of the y axis */
    bool y_of_solid;        /* hollow points do not set the y axis, unless there are no others */
    const swq_curve *curve; /* [curves] */
    size_t curves;
} swq_plot;

/* Can swq_plot_write write a file of this name (.svg, .png, .pdf or .csv)? Errors: SWQ_EINVAL. */
swq_status swq_plot_check(swq_context *ctx, const char *path);

/* Is there a gnuplot in PATH, unless the file of this name needs none (.csv)? Errors: SWQ_EIO. */
swq_status swq_plot_find_program(swq_context *ctx, const char *path);

/* Write the plot to `path`, whole or not at all: as a picture or, to .csv, as a table of its points
 * with title, labels, curve, interval and whether a point is hollow. Errors: SWQ_EINVAL for another
 * suffix; SWQ_EIO when gnuplot is missing or fails, or the file cannot be written; SWQ_ENOMEM. */
swq_status swq_plot_write(swq_context *ctx, const swq_plot *plot, const char *path);

/* Write several plots, one below the other, into one picture. plot: [plots], plots >= 1. */
swq_status swq_plot_write_panels(swq_context *ctx, const swq_plot *plot, size_t plots,
                                 const char *path);

/* Numbers on a grid as colours from blue (negative) over white to red, or as many grids in turn. */
typedef struct swq_colour_map {
    const char *title, *x_label, *y_label, *value_label;
    size_t rows, columns, frames; /* all >= 1 */
    const double *value;          /* [frames * rows * columns], the first row on top */
    const char *letter; /* [frames * rows * columns] characters in the squares, of any kind except
                           quotes; or NULL */
    double most;        /* end of the colour scale, > 0; larger values have the colour of `most` */
    double frame_time;  /* > 0: frame k is titled with the time (k + 1) * frame_time */
} swq_colour_map;

/* Write a map: one frame as .svg, .png or .pdf, all frames in turn as .gif or .csv. Errors: as
 * above; SWQ_EINVAL for several frames in another file. */
swq_status swq_plot_write_map(swq_context *ctx, const swq_colour_map *map, const char *path);

/* A drawing in colours from pale (0) to dark red (`most`): boxes, and arrows. */
typedef struct swq_heat_mark {
    double x0, y0, x1, y1; /* opposite corners of a box; the beginning and the tip of an arrow */
    double value;          /* NAN: grey */
    bool arrow;
} swq_heat_mark;

typedef struct swq_heat_map {
    const char *title, *x_label, *y_label, *value_label;
    const swq_heat_mark *mark; /* [marks] */
    size_t marks;              /* >= 1 */
    double most;               /* end of the colour scale, > 0 */
    const char *const *x_name; /* [x_names] labels of x = 0, 1, ...; NULL: numbers */
    size_t x_names;
    bool square; /* one unit of x is as long as one of y */
} swq_heat_map;

/* Write the drawing as .svg, .png, .pdf or .csv. Errors: as swq_plot_write. */
swq_status swq_plot_write_heat(swq_context *ctx, const swq_heat_map *map, const char *path);

#endif
