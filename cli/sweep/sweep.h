/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep: what its files share.
 */
#ifndef SWQ_CLI_SWEEP_H
#define SWQ_CLI_SWEEP_H

#include "study/crew.h"

struct poptOption;

/* ---- cli/sweep/language.c: commands and options as a study may use them ---- */

/* Fills in the language of studies, which is valid as long as the program runs. */
void cli_sweep_language(swq_context *ctx, swq_study_language *language);

/* The options of a point's command, "sim" or "formula NAME"; valid until the next call. */
const struct poptOption *cli_sweep_options_of(swq_context *ctx, const char *command);

/* Answers a point by asking its command in this process: a swq_answer_fn, for workers. arg: a
 * size_t, the memory limit of a worker in bytes. */
void cli_sweep_answer(void *arg, const char *words, swq_reply *reply);

/* As cli_sweep_answer, for a keeper's workers: whatever the command prints is discarded. */
void cli_sweep_answer_quietly(void *arg, const char *words, swq_reply *reply);

/* ---- cli/sweep/show.c ---- */

/* The result of a sweep. */
typedef struct cli_sweep_outcome {
    const char *study, *database;
    swq_store_counts before, after;
    swq_crew_result crew;
    double overhead_seconds; /* CPU time of all processes beyond the points' own; NAN: unknown */
    bool interrupted;
    bool dry_run;       /* nothing was run */
    int64_t to_compute; /* points that would be computed */
} cli_sweep_outcome;

/* Prints the closing summary, as text or JSON, to standard output. */
swq_status cli_sweep_print(swq_context *ctx, const cli_sweep_outcome *outcome, bool json);

#endif
