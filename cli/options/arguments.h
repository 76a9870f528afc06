/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command's arguments rewritten: abbreviations in full, options from a file in front.
 */
#ifndef SWQ_CLI_ARGUMENTS_H
#define SWQ_CLI_ARGUMENTS_H

#include "cli/options/options.h"

/* A list of words, some of them its own. Set count to 0 to begin with. */
typedef struct cli_arguments {
    int count;
    const char *without; /* an option to be left out; NULL: none */
    const char *word[CLI_MOST_ARGUMENTS];
    char *own[CLI_MOST_ARGUMENTS]; /* words to be freed with the list; NULL: the word belongs to
                                      somebody else */
} cli_arguments;

/* Adds a word, which must outlive the list; or an option, "--NAME" followed by "=VALUE" or nothing.
 * Errors: SWQ_EINVAL for too many, SWQ_ENOMEM. */
swq_status cli_arguments_add(swq_context *ctx, cli_arguments *words, const char *word);
swq_status cli_arguments_option(swq_context *ctx, cli_arguments *words, const char *name,
                                const char *rest);
/* Adds a copy of a word. */
swq_status cli_arguments_own(swq_context *ctx, cli_arguments *words, const char *word);
void cli_arguments_clear(cli_arguments *words);

/* Appends arguments with long options written out: an abbreviation that only one option matches
 * becomes that option. Unknown ones are kept. Errors: SWQ_EINVAL for an ambiguous abbreviation,
 * naming the options. */
swq_status cli_arguments_in_full(swq_context *ctx, const cli_command *command,
                                 const struct poptOption *table, int argc, const char *const *argv,
                                 cli_arguments *to);

#endif
