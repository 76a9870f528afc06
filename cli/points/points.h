/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranges: an option that is given several values, FROM:TO:STEP for a number or A,B,C for a word,
 * stands for a point each; several such options for all combinations, the last one varying
 * quickest. All points are read first, so that bad input is refused before anything is computed,
 * then answered on threads, and told as one table.
 */
#ifndef SWQ_CLI_POINTS_H
#define SWQ_CLI_POINTS_H

#include "cli/options/options.h"
#include "cli/runner/runner.h"

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

/* Keys of what is drawn: y over x, or over the last axis with numbers if x is NULL; a NULL y ends
 * the list. */
typedef struct cli_points_panel {
    const char *x, *y, *axis; /* axis: only if this option is the x axis; NULL: any */
    const char *worms_y;      /* in place of y, if a point is of a wormhole network; NULL: y */
    bool log_y;
    bool grows;         /* without bound past saturation: points there do not set the axis */
    const char *beside; /* a group of the result whose x and y are drawn as points; NULL: none */
    const char *option, *counts; /* this option, as an axis, counts what that key does */
} cli_points_panel;

/* What --panel, --x-range, --y-range and --log-axes ask of the first panel. */
typedef struct cli_points_view {
    bool asked;
    char y[80], x[80];      /* --panel; "": none, or over the range */
    double x_least, x_most; /* both 0: by the points */
    double y_least, y_most;
    bool log_x, log_y;
} cli_points_view;
extern struct poptOption cli_points_plot_options[];

/* Reads these options. drawn: is a range drawn? Else they are refused. Errors: SWQ_EINVAL. */
swq_status cli_points_view_read(swq_context *ctx, bool drawn, cli_points_view *view);

/* How the points are answered and shown. */
typedef struct cli_points_how {
    const cli_question_kind *kind;
    cli_format format;
    int threads;
    const char *plot;              /* NULL: none */
    const cli_points_panel *panel; /* of a range */
    /* Draws a single point, whose answer is that record; NULL: --plot needs a range. */
    swq_status (*draw)(swq_context *ctx, const void *point, const cli_record *record,
                       const char *path);
    /* Takes the words of the question that all points share, before `close`; NULL: not needed. */
    void (*entitle)(const char *words);
    /* Completes what all points have written together or, with `keep` false, removes it; NULL: they
     * write nothing. */
    swq_status (*close)(swq_context *ctx, bool keep);
} cli_points_how;

/* A command whose questions the runner answers: reads the options, and answers and prints the
 * question, or all points of its ranges. Returns the exit status. Bad input is refused before
 * anything is computed; points answered before Ctrl-C are printed. */
int cli_points_run(swq_context *ctx, const cli_command *self, int argc, const char **argv);

/* The words of the question that all points share, without the options of the axes; returns text.
 */
const char *cli_points_words(const cli_axes *axes, cli_record *const *record, int count, char *text,
                             size_t size);

/* These words, and a line for each point: its place on the axes, and every figure that the first
 * record shows. */
void cli_points_text(const cli_axes *axes, cli_record *const *record, const int *point, int count);

/* Says on stderr which options that were not given differ between the points, because their
 * defaults depend on an option of a range. The options are set as for the last point. */
void cli_points_tell_unlike(const cli_axes *axes, cli_record *const *record, const int *point,
                            int count);

/* Curves over all axes but the x axis. Errors: those of swq_plot_write; SWQ_EINVAL if --panel names
 * what no answer has. */
swq_status cli_points_plot(swq_context *ctx, const cli_axes *axes, const cli_points_panel *panel,
                           const cli_points_view *view, cli_record *const *record, const int *point,
                           int count, const char *path);

/* The windows of an answer over time, with a curve for all packets and for each group or class.
 * Errors: as above, SWQ_EINVAL if it has no windows. */
swq_status cli_points_plot_series(swq_context *ctx, const cli_record *record, const char *path);

#endif
