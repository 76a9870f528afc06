/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one runner. A question is a command with its options; the runner answers a list of questions
 * on threads. A range (cli/points), and a point of a study or of a comparison in its worker, run
 * here, and so may any list of command lines (cli_ask_all).
 *
 * A question goes through four steps. Options are global, so that three of the steps happen on the
 * caller's thread with the question's options set; only the long one is spread over threads:
 *
 *     read     options -> a typed spec, checked: bad input is refused before anything is computed
 *     answer   spec -> results, on any thread
 *     record   results -> a record, which is what --json prints and what a study stores
 *     end      notes on the answer, and its exit status
 */
#ifndef SWQ_CLI_RUNNER_H
#define SWQ_CLI_RUNNER_H

#include "cli/answer.h"
#include "cli/record/record.h"

/* ---- a kind of question ---- */

typedef struct cli_question_kind {
    const char *stage; /* the stage that progress shows */
    size_t size;       /* bytes of a question, which comes zeroed */
    /* Reads the options as they are set; many: several questions may be answered at a time, so that
     * each has one thread. After an error there is nothing to clear. */
    swq_status (*read)(swq_context *ctx, void *question, bool many);
    /* Foresees the memory of the answer, in bytes; 0, or NULL: it is not known before. */
    double (*bytes)(swq_context *ctx, const void *question);
    /* Answers the question, with the context of the thread. A message there is the question's. */
    swq_status (*answer)(swq_context *ctx, void *question);
    /* The answer as a record; NULL: no memory. */
    cli_record *(*record)(swq_context *ctx, const void *question);
    /* Notes on the answer (cli_note, cli_fail), each beginning with `where`, which names the
     * question among many ("load 0.4: ") and is empty for a single question; returns the exit
     * status. NULL: there is nothing to note, and the status is CLI_OK. */
    int (*end)(swq_context *ctx, const void *question, const char *where);
    void (*clear)(swq_context *ctx, void *question);
} cli_question_kind;

/* ---- questions as command lines ---- */

/* A question and, after the run, its answer. */
typedef struct cli_asked {
    const char *words; /* "sim --buffer damq --slots 4 --load 0.5", as swq_point has it */
    cli_answer answer; /* as cli_ask gives it: the tree of --json, or a message with a status */
    bool interrupted;  /* not answered, or cut short, as the run was cancelled */
    double cpu_seconds, wall_seconds; /* of the answer */
} cli_asked;

/* Answers all questions on `threads` threads, and fills in the answers; a question that is refused
 * or fails has a status and a message, and the others are answered all the same. Cancelled (Ctrl-C,
 * or the context's time limit), keeps the answers that are finished, marks the rest as interrupted,
 * and returns SWQ_ECANCELLED. The threads change no number. Questions of commands that are not
 * simulated, solved or approximated are asked one after another. `beside`: other threads read
 * options, too (cli_begin_options); such a question may not be a figure, a table, or another
 * command that reads networks on threads of its own. Free the answers with cli_asked_clear. Errors:
 * SWQ_ENOMEM, SWQ_EINVAL for `threads` outside 1 .. SWQ_MAX_THREADS. */
swq_status cli_ask_all(swq_context *ctx, cli_asked *asked, int count, int threads, bool beside);
void cli_asked_clear(cli_asked *asked, int count);

/* ---- the steps, for callers whose questions are no command lines ---- */

/* A question on its way. */
typedef struct cli_one_question {
    const cli_question_kind *kind;
    void *at;           /* NULL: not read, or refused */
    swq_status status;  /* of the answer; SWQ_OK if there is something to record */
    size_t memory;      /* the limit that its options set */
    cli_answer *answer; /* where notes and messages go; NULL: to whom the caller answers */
    double cpu_seconds, wall_seconds;
} cli_one_question;

/* Questions to be read, and their results. Begin with zeros, but for the first three. */
typedef struct cli_questions {
    int count;
    void *arg;
    /* Sets the options of question k and names its kind. Errors: as read. */
    swq_status (*set)(swq_context *ctx, void *arg, int k, const cli_question_kind **kind);
    cli_one_question *one; /* [count] */
} cli_questions;

/* Reads question k; the first call makes room for all. Errors: SWQ_ENOMEM; those of set and read.
 */
swq_status cli_questions_read(swq_context *ctx, cli_questions *q, int k);

/* Answers all questions that have been read, on fewer threads if the memory that is foreseen for
 * the largest questions would not fit into the context's limit together. A single one is answered
 * by the caller's thread and context. Returns the status of the first question that failed, with
 * its message in ctx; SWQ_ECANCELLED if none failed but some were not begun. Ctrl-C leaves finished
 * answers. */
swq_status cli_questions_answer(swq_context *ctx, cli_questions *q, int threads);

/* The record of the answer to question k; NULL: no memory. The second function prints the notes on
 * this answer, each beginning with `where`, and returns the exit status. Both first set the options
 * to those of question k. */
cli_record *cli_questions_record(swq_context *ctx, const cli_questions *q, int k);
int cli_questions_end(swq_context *ctx, const cli_questions *q, int k, const char *where);

void cli_questions_clear(swq_context *ctx, cli_questions *q);

#endif
