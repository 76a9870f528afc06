/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranges: an option that is given several values, FROM:TO:STEP for a number or A,B,C for a word,
 * stands for a point each; several such options for all combinations, the last one varying
 * quickest. All points are read first, so that bad input is refused before anything is computed,
 * then answered on threads, and told as one table.
 * Room: cli.
 */
#ifndef SWQ_CLI_POINTS_H
#define SWQ_CLI_POINTS_H

#include "cli/options/options.h"
#include "cli/record/record.h"

enum { CLI_MOST_AXES = 4, CLI_MOST_RANGE_POINTS = 10000 };

/* An option with several values. */
typedef struct cli_axis {
    const char *option;
    char **slot, *given; /* where popt keeps its text, and the text that was given */
    char **value;        /* [count] */
    int count;
    bool number; /* its values are numbers */
} cli_axis;

typedef struct cli_axes {
    cli_axis axis[CLI_MOST_AXES];
    int axes, points; /* 0, 1: no option has several values */
} cli_axes;

/* Find the options of a table that have several values. Errors: SWQ_EINVAL for a range that is
 * none, too many axes or points. Free with cli_axes_clear, which puts back what was given. */
swq_status cli_axes_read(swq_context *ctx, const struct poptOption *table, cli_axes *axes);
void cli_axes_clear(cli_axes *axes);

/* Have the options say what they say at a point. */
void cli_axes_set(const cli_axes *axes, int point);

/* The place of a point on an axis, 0 .. count - 1. */
int cli_axes_place(const cli_axes *axes, int point, int axis);

/* What a command does with its points, one by one. */
typedef struct cli_points_kind {
    size_t size; /* of a point, zeroed */
    /* Read the options as they are set, for one of `many` points, of which several may be answered
     * at a time; on the main thread. Errors leave nothing to clear. */
    swq_status (*read)(swq_context *ctx, void *point, bool many);
    /* Answer; on any thread, with its context. A message there is the point's. */
    swq_status (*answer)(swq_context *ctx, void *point);
    /* The answer, options being set as when it was read. */
    cli_record *(*record)(swq_context *ctx, const void *point);
    /* What is to be told beside it on stderr, and the exit status that it deserves. */
    int (*end)(swq_context *ctx, const void *point);
    /* Draw the one point that there is, whose answer is that record; NULL: --plot is for ranges. */
    swq_status (*plot)(swq_context *ctx, const void *point, const cli_record *record,
                       const char *path);
    void (*clear)(swq_context *ctx, void *point);
    const char *stage; /* how progress is told */
    /* Keys of what is drawn: y over x, or over the last axis of numbers if x is NULL; ended by a
     * NULL y. */
    const struct cli_points_panel {
        const char *x, *y, *axis; /* axis: only if this option is the axis; NULL: any */
        bool log_y;
    } * panel;
} cli_points_kind;

typedef struct cli_points_how {
    cli_format format;
    int threads;
    const char *plot; /* NULL: none */
} cli_points_how;

/* Read, answer and tell all points; returns the exit status. What was answered before Ctrl-C is
 * told. */
int cli_points_run(swq_context *ctx, const cli_axes *axes, const cli_points_kind *kind,
                   const cli_points_how *how);

/* A line for each point: its place on the axes, and every figure that the first record shows. */
void cli_points_text(const cli_axes *axes, cli_record *const *record, const int *point, int count);

/* Curves by all axes but the one that is drawn over. Errors: those of swq_plot_write. */
swq_status cli_points_plot(swq_context *ctx, const cli_axes *axes,
                           const struct cli_points_panel *panel, cli_record *const *record,
                           const int *point, int count, const char *path);

/* The windows of one answer over time, with curves of its own and of its groups or classes. Errors:
 * as above, SWQ_EINVAL if it has no windows. */
swq_status cli_points_plot_series(swq_context *ctx, const cli_record *record, const char *path);

#endif
