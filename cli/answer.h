/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command's answer as a tree rather than as text: for studies and reports, which ask thousands of
 * questions in one process. A question is the command line that a user would type.
 * Room: cli.
 */
#ifndef SWQ_CLI_ANSWER_H
#define SWQ_CLI_ANSWER_H

#include "cli/cli.h"

typedef struct cli_answer {
    int status;        /* the exit status that the command would have */
    cJSON *tree;       /* what --json prints; NULL: nothing was printed */
    char message[512]; /* why it failed; "" if it did not */
} cli_answer;

/* Ask words[0], a command, with the words behind it and --json. Nothing is printed on standard
 * output; notes that the command makes beside its answer go to stderr as ever. Options of an
 * earlier question are forgotten. Not re-entrant: option tables are the process's, so one question
 * at a time in a process. Cost beside the command's own: microseconds. */
void cli_ask(swq_context *ctx, int count, const char *const *words, cli_answer *answer);

void cli_answer_clear(cli_answer *answer);

/* For cli_json_print and cli_fail: is a question being asked, which then takes the tree, or the
 * message? */
bool cli_answer_take(cJSON *tree);
bool cli_answer_note(const char *message);

#endif
