/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot that grows point by point: panels, curves in them, points on these.
 */
#ifndef SWQ_CLI_DRAWING_H
#define SWQ_CLI_DRAWING_H

#include "base/plot.h"

typedef struct cli_panel cli_panel;

/* Begin with {0}; cli_draw frees its contents. */
typedef struct cli_drawing {
    cli_panel *panel;
    size_t panels;
    bool failed; /* memory ran out, which cli_draw reports */
    swq_curve none;
} cli_drawing;

/* Begins a panel with the axes of `like` and this title. Labels are copied. */
void cli_draw_panel(cli_drawing *d, const swq_plot *like, const char *title, ...)
    __attribute__((format(printf, 3, 4)));

/* Begins a curve in the last panel. Its kind, band and so on may be set in the result until the
 * next one begins. Its colour, dash and marks are those of the kind (base/palette.h), or of the
 * first kind among the words of its name. */
swq_curve *cli_draw_curve(cli_drawing *d, const char *name, ...)
    __attribute__((format(printf, 2, 3)));

/* Gives each of the curves of a panel the style of its kind. */
void cli_draw_styles(swq_curve *curve, size_t curves);

/* Adds a point to the last curve, with the half-width of its error bar (0: none), unless a
 * coordinate is not finite. */
void cli_draw_point(cli_drawing *d, double x, double y, double half);

/* The last point is drawn hollow: the network is past saturation there. */
void cli_draw_hollow(cli_drawing *d);

/* Writes the drawing to a file and frees it. Curves without points and panels without curves are
 * left out; `path` NULL: only frees it. Errors: SWQ_EINVAL: there is nothing to draw; those of
 * swq_plot_write. */
swq_status cli_draw(swq_context *ctx, cli_drawing *d, const char *path);

#endif
