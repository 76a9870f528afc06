/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cleaning texts for JSON, in one place for all commands.
 */
#ifndef SWQ_CLI_TEXT_H
#define SWQ_CLI_TEXT_H

#include "cli/print/output.h"

/* The JSON text of a tree, in lines for people or in one line. It is valid UTF-8 whatever bytes its
 * names and messages contain: each invalid byte becomes U+FFFD. The caller frees it with free();
 * NULL: there is no tree, or no memory. */
char *cli_json_text(const cJSON *tree, bool lines);

#endif
