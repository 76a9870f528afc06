/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command's arguments rewritten: abbreviations in full, options from a file in front.
 * Room: cli.
 */
#ifndef SWQ_CLI_ARGUMENTS_H
#define SWQ_CLI_ARGUMENTS_H

#include "cli/options/options.h"

/* Words of others, and some of its own. Set count to 0 to begin with. */
typedef struct cli_arguments {
    int count;
    const char *without; /* an option that is to be left out; NULL: none */
    const char *word[CLI_MOST_ARGUMENTS];
    char *own[CLI_MOST_ARGUMENTS]; /* those to be freed with the list; NULL: it is another's */
} cli_arguments;

/* Add a word, which must outlive the list; or an option, "--NAME" with "=VALUE" or nothing behind.
 * Errors: SWQ_EINVAL for too many, SWQ_ENOMEM. */
swq_status cli_arguments_add(swq_context *ctx, cli_arguments *words, const char *word);
swq_status cli_arguments_option(swq_context *ctx, cli_arguments *words, const char *name,
                                const char *rest);
void cli_arguments_clear(cli_arguments *words);

/* Append arguments, long options in full: one that no option is called, and that one alone begins
 * with, becomes that one. What is unknown stays as it is. Errors: SWQ_EINVAL for one that several
 * begin with, naming them. */
swq_status cli_arguments_in_full(swq_context *ctx, const cli_command *command,
                                 const struct poptOption *table, int argc, const char *const *argv,
                                 cli_arguments *to);

#endif
