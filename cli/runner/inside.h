/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question on its way, for the files of the runner.
 * Room: cli.
 */
#ifndef SWQ_CLI_RUNNER_INSIDE_H
#define SWQ_CLI_RUNNER_INSIDE_H

#include "cli/runner/runner.h"

typedef struct cli_one_question {
    const cli_question_kind *kind;
    void *at; /* NULL: not read, or refused */
    swq_status status;
    size_t memory;      /* the limit that its options set */
    cli_answer *answer; /* where notes and messages go; NULL: to whom the caller answers */
    double cpu_seconds, wall_seconds;
} cli_one_question;

#endif
