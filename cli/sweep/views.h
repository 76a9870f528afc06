/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking at a study's database: how far it is, all of it as a table, a plot of it; and merging
 * others into it. All work while others write, and see the wanted points alone.
 * Room: cli.
 */
#ifndef SWQ_CLI_SWEEP_VIEWS_H
#define SWQ_CLI_SWEEP_VIEWS_H

#include "cli/options/options.h"
#include "cli/print/output.h"
#include "study/store.h"

/* ---- cli/sweep/view.c: which one ---- */

/* --status, --export, --plot, --merge, -o and --prefer; was one of the first four given; is it
 * --merge, which alone writes to the database; are they given sensibly, with so many words behind
 * the study, and beside an option of the run (NULL: none is given); and do it. title: of a plot.
 * word: [words], those behind the study. */
extern struct poptOption cli_sweep_view_options[];
bool cli_sweep_view_asked(void);
bool cli_sweep_view_merges(void);
swq_status cli_sweep_view_check(swq_context *ctx, int words, const char *run_option);
swq_status cli_sweep_view(swq_context *ctx, swq_store *store, const char *title,
                          const char *const *word, int words, bool json);

/* ---- what they do ---- */

/* Print how many points are done, failed (and why), under way (where) and open, and the time left;
 * as JSON if asked. */
swq_status cli_sweep_status(swq_context *ctx, swq_store *store, bool json);

/* Write a line for each point to `path` ("-" or NULL: standard output). format: one of "csv" and
 * "json". Memory: that of the longest answer and the names of the columns; two passes over the
 * points. Errors: SWQ_EINVAL for another format, SWQ_EIO. */
swq_status cli_sweep_export(swq_context *ctx, swq_store *store, const char *format,
                            const char *path);

/* What is to be drawn, in the words of the command line: x=KEY y=KEY [by=KEY,...] [logx] [logy]
 * [where KEY=VALUE ...]. The texts are the caller's. */
typedef struct cli_sweep_axes cli_sweep_axes;
enum { CLI_SWEEP_MOST_BY = 6, CLI_SWEEP_MOST_WHERE = 16 };
struct cli_sweep_axes {
    char *words; /* what the texts below point into; freed by cli_sweep_axes_clear */
    const char *x, *y, *by[CLI_SWEEP_MOST_BY];
    struct {
        const char *key, *value;
    } where[CLI_SWEEP_MOST_WHERE];
    int bys, wheres;
    bool logx, logy;
};

/* Read them; several words may stand in one, between blanks. Errors: SWQ_EINVAL. */
swq_status cli_sweep_axes_read(swq_context *ctx, const char *const *word, int words,
                               cli_sweep_axes *axes);
void cli_sweep_axes_clear(swq_context *ctx, cli_sweep_axes *axes);

/* Draw the points that are done to `path` (.svg or .png), as title says. Errors: SWQ_EINVAL for a
 * key that no point has (those there are go to stderr), for nothing to draw, and for points at one
 * place that differ in more than their seeds; SWQ_EIO. Memory: some 40 bytes a point drawn. */
swq_status cli_sweep_plot(swq_context *ctx, swq_store *store, const char *title,
                          const cli_sweep_axes *axes, const char *path);

/* Take the answers of other databases into this one, and say how many. prefer: NULL, or "newest".
 * Errors: as swq_store_merge. */
swq_status cli_sweep_merge(swq_context *ctx, swq_store *store, const char *const *part, int parts,
                           const char *prefer);

/* Read --share: "K/N", share K of N, 1 <= K <= N, or "slurm", which share this task of a job array
 * is. Point number i (0, 1, ...) of the study is of share i % N + 1: neighbours, which take about
 * as long as one another, are spread. Errors: SWQ_EINVAL. */
swq_status cli_sweep_share(swq_context *ctx, const char *text, int *share, int *shares);

/* ---- shared by them ---- */

/* Names, sorted, each once. Zero it to begin with. */
typedef struct cli_names {
    char **name; /* [count] */
    int count, room;
} cli_names;

/* Where a name is; -1: nowhere. */
int cli_names_find(const cli_names *names, const char *name);
swq_status cli_names_add(swq_context *ctx, cli_names *names, const char *name);
void cli_names_clear(swq_context *ctx, cli_names *names);

/* Add the names of a point's options (but for seed, which has a place of its own), and of its
 * results; with `numbers`, of those results alone that are numbers. */
swq_status cli_sweep_option_names(swq_context *ctx, const cJSON *options, cli_names *names);
swq_status cli_sweep_result_names(swq_context *ctx, const cJSON *answer, bool numbers,
                                  cli_names *names);

/* The JSON of a row, parsed. Errors: SWQ_EIO naming the point if it is none. */
swq_status cli_sweep_parse(swq_context *ctx, const swq_row *row, const char *text, cJSON **tree);

#endif
