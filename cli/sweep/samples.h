/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the points of a study to a plot: samples (which curve, x, y), and their means where a point
 * was repeated. Points that differ in an option which the plot does not name are not averaged, but
 * an error.
 */
#ifndef SWQ_CLI_SWEEP_SAMPLES_H
#define SWQ_CLI_SWEEP_SAMPLES_H

#include "cli/sweep/views.h"
#include "cli/sweep/words.h"

enum { CLI_SWEEP_MOST_CURVES = 64 };

typedef struct cli_sample {
    int curve;
    double x, y, half; /* half: 0 if there is none */
    bool saturated;    /* past saturation; of repeats: one of them is */
    uint64_t rest;     /* identifies the values of the options that are on no axis */
    int64_t id, order;
} cli_sample;

typedef struct cli_sample_curve {
    char text[160];      /* the values of `by` */
    size_t first, count; /* its samples */
    size_t repeats;      /* the most repeats behind one mean */
    size_t barred;       /* number of samples with an interval */
} cli_sample_curve;

typedef struct cli_samples {
    const cli_sweep_axes *axes;
    char unit[2][60];               /* of x and y; "": none, or not the same in all points */
    char label[2][80];              /* the same in words: "mean latency" */
    bool synchronous, asynchronous; /* are there such answers? */
    cli_common_words *common;       /* the words that all points share */
    bool x_is_option;               /* else a result */
    cli_names options, numbers;     /* names of the options and numbers that exist in the answers */
    cli_sample *sample;             /* [count], sorted by curve */
    size_t count, room;
    cli_sample_curve curve[CLI_SWEEP_MOST_CURVES];
    int curves;
    int64_t undone, without; /* wanted points that are not done; points without x or y */
    swq_context *ctx;
} cli_samples;

/* Fills a zeroed struct, which has to be cleared in any case. Errors: as cli_sweep_plot. */
swq_status cli_samples_find(swq_context *ctx, swq_store *store, const cli_sweep_axes *axes,
                            cli_samples *samples);
void cli_samples_clear(swq_context *ctx, cli_samples *samples);

#endif
