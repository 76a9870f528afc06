/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep: what its files share.
 * Room: cli.
 */
#ifndef SWQ_CLI_SWEEP_H
#define SWQ_CLI_SWEEP_H

#include "study/crew.h"
#include "study/mpi.h"

/* ---- cli/sweep/language.c: commands and options as a study may use them ---- */

/* Fill in a language; it lives as long as the program. */
void cli_sweep_language(swq_context *ctx, swq_study_language *language);

/* Answers a point by asking its command in this process: a swq_answer_fn, for workers. arg: the
 * memory limit of one worker in bytes, a size_t. */
void cli_sweep_answer(void *arg, const char *words, swq_reply *reply);

/* The same, for a keeper's workers: what a command says beside its answer goes nowhere. */
void cli_sweep_answer_quietly(void *arg, const char *words, swq_reply *reply);

/* ---- cli/sweep/sweep.c ---- */

/* Under mpirun or srun: join the other ranks, once workers are forked, or without MPI say what
 * happens instead. *mpi stays where there are none. Errors: as swq_mpi_open. */
swq_status cli_sweep_join(swq_context *ctx, swq_mpi **mpi);

/* ---- cli/sweep/show.c ---- */

/* What came of a sweep. */
typedef struct cli_sweep_outcome {
    const char *study, *database;
    swq_store_counts before, after;
    swq_crew_result crew;
    double overhead_seconds; /* CPU of all processes beside the points' own; NAN: not known */
    bool interrupted;
    bool dry_run;       /* nothing was run; ... */
    int64_t to_compute; /* ... so many points would be */
} cli_sweep_outcome;

/* The closing summary, as text or JSON on standard output. */
swq_status cli_sweep_print(swq_context *ctx, const cli_sweep_outcome *outcome, bool json);

#endif
