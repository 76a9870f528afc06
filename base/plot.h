/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Line plots through gnuplot, as SVG or PNG.
 * Room: base.
 */
#ifndef SWQ_BASE_PLOT_H
#define SWQ_BASE_PLOT_H

#include "switchq/context.h"

#include <stddef.h>

typedef struct swq_curve {
    char name[48];
    const double *x, *y; /* [points] */
    size_t points;
    int colour; /* curves of one family share a colour, 0 .. */
    int mark;   /* and differ in their point mark, 0 .. */
} swq_curve;

typedef struct swq_plot {
    const char *title, *x_label, *y_label;
    bool log_y;
    double y_least, y_most; /* range of the y axis; both 0: chosen by gnuplot */
    const swq_curve *curve; /* [curves] */
    size_t curves;
} swq_plot;

/* Is `path` one that swq_plot_write can write (.svg or .png)? Errors: SWQ_EINVAL. */
swq_status swq_plot_check(swq_context *ctx, const char *path);

/* Write the plot to `path`, whole or not at all. Errors: SWQ_EINVAL for another suffix; SWQ_EIO
 * when gnuplot is missing or fails, or the file cannot be written; SWQ_ENOMEM. */
swq_status swq_plot_write(swq_context *ctx, const swq_plot *plot, const char *path);

#endif
