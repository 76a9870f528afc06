/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pages of help on topics that are not commands.
 */
#ifndef SWQ_CLI_HELP_H
#define SWQ_CLI_HELP_H

#include "cli/options/options.h"

/* A page of plain text, up to a screen long and at most 80 columns wide; its lines that begin with
 * " $ switchq " are commands that work. `list` is the list of `switchq list` printed below it;
 * NULL: none. */
typedef struct cli_topic {
    const char *name, *title, *list, *text;
} cli_topic;

/* All topics, ended by a row of NULLs. */
extern const cli_topic cli_topics[];

/* The text of a page. The page of defaults is made from the tables of options, below `begin`. */
const char *cli_topic_text(const cli_topic *topic);
const char *cli_defaults_page(const char *begin);

/* Prints the help of a command whose options are `table`: the options used most, or `all`. */
void cli_print_help(const cli_command *self, const struct poptOption *table, bool all);

/* Wraps words before the terminal's last column, and indents every line by that many blanks. */
void cli_print_paragraph(const char *text, int indent);

/* All commands and topics. */
void cli_usage(FILE *stream);

#endif
