/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command's answer as a tree rather than as text: for studies and reports, which ask thousands of
 * questions in one process. A question is the command line that a user would type.
 */
#ifndef SWQ_CLI_ANSWER_H
#define SWQ_CLI_ANSWER_H

#include "cli/print/output.h"

typedef struct cli_answer {
    int status;        /* the exit status of the command */
    cJSON *tree;       /* what --json prints; NULL: nothing was printed */
    char message[512]; /* why it failed, or notes on the answer; "": none */
} cli_answer;

/* Asks words[0], a command, with the words behind it and --json. Nothing is printed on standard
 * output, and notes on the answer (cli_note) become its message. Options of an earlier question are
 * forgotten. Not reentrant: option tables are global, so a process asks one question at a time.
 * Cost beyond the command's own: microseconds. */
void cli_ask(swq_context *ctx, int count, const char *const *words, cli_answer *answer);

void cli_answer_clear(cli_answer *answer);

/* From here on, commands of this thread leave their answers in `answer` (NULL: they print them for
 * the user). Returns the answer that was set before. */
cli_answer *cli_answer_expect(cli_answer *answer);

/* For cli_json_print, cli_fail and cli_note: is the command answering a question asked within this
 * process? The next functions hand the tree over to such a question, replace the question's
 * message, or add to the message. */
bool cli_answer_wanted(void);
bool cli_answer_take(cJSON *tree);
bool cli_answer_note(const char *message);
bool cli_answer_add(const char *message);

#endif
