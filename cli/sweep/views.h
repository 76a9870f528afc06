/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking at a study's database: its progress, its points as a table, a plot of them; and merging
 * other databases into it. All views work while other processes write, and see only the points that
 * the study wants.
 */
#ifndef SWQ_CLI_SWEEP_VIEWS_H
#define SWQ_CLI_SWEEP_VIEWS_H

#include "cli/options/options.h"
#include "cli/print/output.h"
#include "study/store.h"

/* ---- cli/sweep/view.c: which view ---- */

/* --status, --export, --plot, --merge, -o and --prefer. cli_sweep_view_asked: was one of the first
 * four given? _merges: is it --merge, the only view that writes to the database? _check: are the
 * options valid with `words` words after the study, and with run_option, an option of a run (NULL:
 * none is given)? cli_sweep_view shows the view. title: of a plot. word: [words], the words after
 * the study. */
extern struct poptOption cli_sweep_view_options[];
bool cli_sweep_view_asked(void);
bool cli_sweep_view_merges(void);
swq_status cli_sweep_view_check(swq_context *ctx, int words, const char *run_option);
swq_status cli_sweep_view(swq_context *ctx, swq_store *store, const char *title,
                          const char *const *word, int words, bool json);

/* ---- the views ---- */

/* Prints how many points are done, failed (and why), in progress (and where) and open, and the time
 * left; as JSON if asked. */
swq_status cli_sweep_status(swq_context *ctx, swq_store *store, bool json);

/* Writes a line for each point to `path` ("-" or NULL: standard output). format: "csv" or "json".
 * Memory: the longest answer and the names of the columns; two passes over the points. Errors:
 * SWQ_EINVAL for another format, SWQ_EIO. */
swq_status cli_sweep_export(swq_context *ctx, swq_store *store, const char *format,
                            const char *path);

/* The axes and the selection of a plot, in the words of the command line: x=KEY y=KEY [by=KEY,...]
 * [logx] [logy] [where KEY=VALUE ...]. The texts are the caller's. */
typedef struct cli_sweep_axes cli_sweep_axes;
enum { CLI_SWEEP_MOST_BY = 6, CLI_SWEEP_MOST_WHERE = 16 };
struct cli_sweep_axes {
    char *words; /* memory for the texts below; freed by cli_sweep_axes_clear */
    const char *x, *y, *by[CLI_SWEEP_MOST_BY];
    struct {
        const char *key, *value;
    } where[CLI_SWEEP_MOST_WHERE];
    int bys, wheres;
    bool logx, logy;
};

/* Reads the axes and the selection; an argument may contain several words separated by blanks.
 * Errors: SWQ_EINVAL. */
swq_status cli_sweep_axes_read(swq_context *ctx, const char *const *word, int words,
                               cli_sweep_axes *axes);
void cli_sweep_axes_clear(swq_context *ctx, cli_sweep_axes *axes);

/* Draws the points that are done to `path` (.svg, .png, .pdf or .csv) under the given title.
 * Errors: SWQ_EINVAL for a key that no point has (existing ones are listed on stderr), for nothing
 * to draw, and for points in the same place that differ in more than their seeds; SWQ_EIO. Memory:
 * some 40 bytes for each point drawn. */
swq_status cli_sweep_plot(swq_context *ctx, swq_store *store, const char *title,
                          const cli_sweep_axes *axes, const char *path);

/* Merges the answers of other databases into this one, and prints how many. prefer: NULL, or
 * "newest". Errors: as swq_store_merge. */
swq_status cli_sweep_merge(swq_context *ctx, swq_store *store, const char *const *part, int parts,
                           const char *prefer);

/* Reads --share: "K/N", share K of N, 1 <= K <= N, or "slurm", the share of this task of a job
 * array. Point number i (0, 1, ...) of the study belongs to share i % N + 1, so that neighbours,
 * which take similar times, are spread over the shares. Errors: SWQ_EINVAL. */
swq_status cli_sweep_share(swq_context *ctx, const char *text, int *share, int *shares);

/* ---- shared by the views ---- */

/* Names, sorted, each once. Begin with zeros. */
typedef struct cli_names {
    char **name; /* [count] */
    int count, room;
} cli_names;

/* The index of a name; -1: the name is not in the list. */
int cli_names_find(const cli_names *names, const char *name);
swq_status cli_names_add(swq_context *ctx, cli_names *names, const char *name);
void cli_names_clear(swq_context *ctx, cli_names *names);

/* Adds the names of a point's options (except seed, which has a place of its own). The next
 * function adds the names of its results, with `numbers` only of numeric results. */
swq_status cli_sweep_option_names(swq_context *ctx, const cJSON *options, cli_names *names);
swq_status cli_sweep_result_names(swq_context *ctx, const cJSON *answer, bool numbers,
                                  cli_names *names);

/* Parses the JSON of a row. Errors: SWQ_EIO naming the point if it is invalid. */
swq_status cli_sweep_parse(swq_context *ctx, const swq_row *row, const char *text, cJSON **tree);

#endif
