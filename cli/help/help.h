/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pages of help on topics that are not commands.
 * Room: cli.
 */
#ifndef SWQ_CLI_HELP_H
#define SWQ_CLI_HELP_H

#include "cli/options/options.h"

/* A page: half a screen or a screen of plain text, at most 80 columns wide, whose lines that begin
 * with "  $ switchq " are commands that run. `list` is the list of `switchq list` that is printed
 * below it; NULL: none. */
typedef struct cli_topic {
    const char *name, *title, *list, *text;
} cli_topic;

/* All topics, ended by a row of NULLs. */
extern const cli_topic cli_topics[];

/* The help of a command whose options are `table`: those that are used most, or `all`. */
void cli_print_help(const cli_command *self, const struct poptOption *table, bool all);

/* Wrap words before the terminal's last column, and indent every line by this number of blanks. */
void cli_print_paragraph(const char *text, int indent);

/* All commands and topics. */
void cli_usage(FILE *stream);

#endif
