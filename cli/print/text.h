/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Escaping and cleaning texts for JSON and CSV, in one place for all commands.
 * Room: cli.
 */
#ifndef SWQ_CLI_TEXT_H
#define SWQ_CLI_TEXT_H

#include "cli/print/output.h"

#include <stdio.h>

/* The JSON text of a tree, in lines for people or in one line. It is valid UTF-8 whatever the names
 * and messages in the tree are: every byte that is none becomes U+FFFD. The caller's to free();
 * NULL: there is no tree, or no memory. */
char *cli_json_text(const cJSON *tree, bool lines);

/* A field of CSV, as RFC 4180 has it: quoted where it must be, and valid UTF-8 as above. A text
 * that a spreadsheet would take for a formula, one that begins with = + - @, a tab or a line end,
 * gets an apostrophe in front. Numbers are not to be written by this. */
void cli_csv_text(FILE *to, const char *text);

#endif
