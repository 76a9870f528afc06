/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Escaping and cleaning texts for JSON and CSV, in one place for all commands.
 */
#ifndef SWQ_CLI_TEXT_H
#define SWQ_CLI_TEXT_H

#include "cli/print/output.h"

#include <stdio.h>

/* The JSON text of a tree, in lines for people or in one line. It is valid UTF-8 whatever bytes its
 * names and messages contain: each invalid byte becomes U+FFFD. The caller frees it with free();
 * NULL: there is no tree, or no memory. */
char *cli_json_text(const cJSON *tree, bool lines);

/* Writes a field of CSV as in RFC 4180: quoted where necessary, and valid UTF-8 as above. Text that
 * a spreadsheet would take for a formula, beginning with = + - @, a tab or a line end, gets an
 * apostrophe in front. Not for numbers. */
void cli_csv_text(FILE *to, const char *text);

#endif
