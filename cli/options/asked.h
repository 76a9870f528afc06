/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The question that the user asked, for its answer to repeat: the command line, quoted for a
 * shell.
 */
#ifndef SWQ_CLI_ASKED_H
#define SWQ_CLI_ASKED_H

#include "cli/cli.h"
#include "cli/print/output.h"

/* Keeps a copy of a command and its arguments as the question. A question asked within this process
 * (cli_ask) is not the user's, and is ignored. */
void cli_asked_set(const cli_command *command, int argc, const char *const *argv);

/* The question, as a line for a shell; NULL: there is none. */
const char *cli_asked_line(void);

/* Adds {"asked": {"command": "switchq solve ...", "version": "..."}} to an answer that is an
 * object, if there was a question. */
void cli_asked_echo(cJSON *tree);

#endif
