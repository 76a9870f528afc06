/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One writer for each shell. All write to standard output what the option tables, the lists and the
 * table of commands say; the script needs neither the program nor anything else when it runs.
 * Room: cli.
 */
#ifndef SWQ_CLI_COMPLETION_H
#define SWQ_CLI_COMPLETION_H

#include "cli/options/values.h"

enum { CLI_WORDS_ROOM = 512 }; /* of the words of one option */

void cli_complete_bash(swq_context *ctx);
void cli_complete_zsh(swq_context *ctx);
void cli_complete_fish(swq_context *ctx);

/* Print text with a backslash before each of these characters; a line end becomes a blank. Single
 * quotes, which end a quoted text in every shell, are written as the shell's `quote`. */
void cli_print_escaped(const char *text, const char *escaped, const char *quote);

#endif
