/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A description of the program as a tree, made from the tables of commands, options, lists and
 * topics: for `switchq help --json`, manual pages and completion scripts.
 */
#ifndef SWQ_CLI_HELP_TREE_H
#define SWQ_CLI_HELP_TREE_H

#include "cli/help/help.h"
#include "cli/print/output.h"

/* The help of a command, or of a topic. Each of a command's "options" is
 *     {"name","short","argument","text","section","heading","words","flag","repeats","formulas",
 *      "value"}
 * where "flag" is true if the option takes no value, "heading" precedes the first option of a
 * section of a manual page, and "formulas" are the formulas that have the option as a parameter.
 * "words" are the words that the option takes; "value", which a command with an argument also has,
 * describes the words further:
 *     {"kind": "files", "folders", "words", "list", "topics" or "any", "command", "list",
 *      "items": [{"name","word","summary","begins"}, ..]}
 * "begins": the word is only a beginning, which something must follow. Functions here return NULL
 * if there is no memory. */
cJSON *cli_help_of_command(swq_context *ctx, const cli_command *command);
cJSON *cli_help_of_topic(const cli_topic *topic);

/* {"commands":[..],"topics":[..]}. A formula has options of its own, so that the command has
 * "forms": [{"form","options"}, ..], where "*" stands for any other argument, and for a missing
 * argument. */
cJSON *cli_help_of_all(swq_context *ctx);

/* Writes a template (cli/print/template.h), filled from such a tree, to standard output, and frees
 * the tree. Errors: SWQ_ENOMEM, SWQ_EIO. */
swq_status cli_help_write(swq_context *ctx, const char *text, cJSON *tree, const char *escape);

#endif
