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
    char **slot, *given; /* where popt keeps its text, and the original text */
    char **value;        /* [count] */
    int count;
    bool number; /* its values are numbers */
} cli_axis;

typedef struct cli_axes {
    const struct poptOption *table; /* the command's options */
    cli_axis axis[CLI_MOST_AXES];
    int axes, points; /* 0, 1: no option has several values */
} cli_axes;

/* Finds the options of a table that have several values. Errors: SWQ_EINVAL for a malformed range,
 * too many axes or points. Free with cli_axes_clear, which restores the options. */
swq_status cli_axes_read(swq_context *ctx, const struct poptOption *table, cli_axes *axes);
void cli_axes_clear(cli_axes *axes);

/* Sets the options to their values at a point. */
void cli_axes_set(const cli_axes *axes, int point);

/* The index of a point on an axis, 0 .. count - 1. */
int cli_axes_place(const cli_axes *axes, int point, int axis);

/* The functions with which a command handles its points, one by one. */
typedef struct cli_points_kind {
    size_t size; /* bytes of a point, which comes zeroed */
    /* Reads the options as they are set, for one of `many` points, several of which may be answered
     * at a time; on the main thread. After an error there is nothing to clear. */
    swq_status (*read)(swq_context *ctx, void *point, bool many);
    /* Answers a point; on any thread, with that thread's context. A message there is the
     * point's. */
    swq_status (*answer)(swq_context *ctx, void *point);
    /* The answer as a record; the options are set as when the point was read. */
    cli_record *(*record)(swq_context *ctx, const void *point);
    /* Prints the notes on a point to stderr, each beginning with `where`, which names the point
     * among many ("load 0.4: ") and is empty for a single one; returns its exit status. */
    int (*end)(swq_context *ctx, const void *point, const char *where);
    /* Draws the only point, whose answer is that record; NULL: --plot needs a range. */
    swq_status (*plot)(swq_context *ctx, const void *point, const cli_record *record,
                       const char *path);
    void (*clear)(swq_context *ctx, void *point);
    const char *stage; /* the stage that progress shows */
    /* Keys of what is drawn: y over x, or over the last axis with numbers if x is NULL; a NULL y
     * ends the list. */
    const struct cli_points_panel {
        const char *x, *y, *axis; /* axis: only if this option is the x axis; NULL: any */
        bool log_y;
    } * panel;
} cli_points_kind;

typedef struct cli_points_how {
    cli_format format;
    int threads;
    const char *plot; /* NULL: none */
} cli_points_how;

/* Reads, answers and prints all points; returns the exit status. Points answered before Ctrl-C are
 * printed. */
int cli_points_run(swq_context *ctx, const cli_axes *axes, const cli_points_kind *kind,
                   const cli_points_how *how);

/* A line for each point: its place on the axes, and every figure that the first record shows. */
void cli_points_text(const cli_axes *axes, cli_record *const *record, const int *point, int count);

/* Says on stderr which options that were not given differ between the points, because their
 * defaults depend on an option of a range. The options are set as for the last point. */
void cli_points_tell_unlike(const cli_axes *axes, cli_record *const *record, const int *point,
                            int count);

/* Curves over all axes but the x axis. Errors: those of swq_plot_write. */
swq_status cli_points_plot(swq_context *ctx, const cli_axes *axes,
                           const struct cli_points_panel *panel, cli_record *const *record,
                           const int *point, int count, const char *path);

/* The windows of an answer over time, with a curve for all packets and for each group or class.
 * Errors: as above, SWQ_EINVAL if it has no windows. */
swq_status cli_points_plot_series(swq_context *ctx, const cli_record *record, const char *path);

#endif
