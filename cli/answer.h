/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command's answer as a tree rather than as text: for studies and reports, which ask thousands of
 * questions in one process. A question is the command line that a user would type.
 * Room: cli.
 */
#ifndef SWQ_CLI_ANSWER_H
#define SWQ_CLI_ANSWER_H

#include "cli/print/output.h"

typedef struct cli_answer {
    int status;        /* the exit status that the command would have */
    cJSON *tree;       /* what --json prints; NULL: nothing was printed */
    char message[512]; /* why it failed, or what is to be noted about the answer; "": nothing */
} cli_answer;

/* Ask words[0], a command, with the words behind it and --json. Nothing is printed on standard
 * output, and what is to be noted about the answer (cli_note) is its message. Options of an
 * earlier question are forgotten. Not re-entrant: option tables are the process's, so one question
 * at a time in a process. Cost beside the command's own: microseconds. */
void cli_ask(swq_context *ctx, int count, const char *const *words, cli_answer *answer);

void cli_answer_clear(cli_answer *answer);

/* From here on, commands answer to this one (NULL: to the user). Returns the one before. */
cli_answer *cli_answer_expect(cli_answer *answer);

/* For cli_json_print, cli_fail and cli_note: is a question being asked; and does it take the tree,
 * the message in place of any other, or one more? */
bool cli_answer_wanted(void);
bool cli_answer_take(cJSON *tree);
bool cli_answer_note(const char *message);
bool cli_answer_add(const char *message);

#endif
