/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A description of the program as a tree, made from the tables of commands, options, lists and
 * topics: for `switchq help --json`, manual pages and completion scripts.
 * Room: cli.
 */
#ifndef SWQ_CLI_HELP_TREE_H
#define SWQ_CLI_HELP_TREE_H

#include "cli/help/help.h"
#include "cli/print/output.h"

/* What a command says, and in "options" each as
 *     {"name","short","argument","text","section","heading","words","flag","repeats","formulas",
 *      "value"}
 * where "flag" is true of one that takes nothing, "heading" stands in front of the first of a
 * section of a manual page, and "formulas" are those that it is a parameter of. "words" are those
 * that it takes, and "value", which commands with an argument have as well, says more of them:
 *     {"kind": "files", "folders", "words", "list", "topics" or "any", "command", "list",
 *      "items": [{"name","word","summary","begins"}, ..]}
 * "begins": something must follow the word. NULL of them all: no memory. */
cJSON *cli_help_of_command(swq_context *ctx, const cli_command *command);
cJSON *cli_help_of_topic(const cli_topic *topic);

/* {"commands":[..],"topics":[..]}; a formula has options of its own, so that command has "forms":
 * [{"form","options"}, ..], of which "*" is for any other argument, and none. */
cJSON *cli_help_of_all(swq_context *ctx);

/* Write a template (cli/print/template.h) to standard output, filled from such a tree, which is
 * freed. Errors: SWQ_ENOMEM, SWQ_EIO. */
swq_status cli_help_write(swq_context *ctx, const char *text, cJSON *tree, const char *escape);

#endif
