/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Option tables: reading them, showing them, and what was given.
 * Room: cli.
 */
#ifndef SWQ_CLI_OPTIONS_H
#define SWQ_CLI_OPTIONS_H

#include "cli/cli.h"

#include <popt.h>

/* Read the options of `self`; the strings in the option table are set. At most `most` other
 * arguments are left in other[]. Returns -1 to go on, or the exit status to end with (after --help,
 * or a message about an unknown option or a surplus argument). */
int cli_read_options(swq_context *ctx, const cli_command *self, struct poptOption *options,
                     int argc, const char **argv, const char **other, int most);

/* The options of a command, with --help and all tables that it includes; to be used before the next
 * call. The command is run as far as cli_read_options, which is where it says what its options are,
 * so no second list of them is kept. */
const struct poptOption *cli_options_of(swq_context *ctx, const cli_command *command);

/* ---- cli/options/table.c: questions to a table ---- */

enum { CLI_DEEPEST_TABLE = 6 };

/* A walk through the options of a table and of those that it includes, in order: `section` of the
 * depth is the heading that the last one stands under, or NULL; heading: it is the first one there.
 */
typedef struct cli_options_walk {
    const struct poptOption *at[CLI_DEEPEST_TABLE];
    const char *section[CLI_DEEPEST_TABLE], *heading;
    int depth;
} cli_options_walk;
cli_options_walk cli_walk_options(const struct poptOption *table);

/* The next option; NULL behind the last. */
const struct poptOption *cli_next_option(cli_options_walk *walk);

/* Its type as popt has it: POPT_ARG_NONE, _STRING or _ARGV; was it given? */
int cli_option_kind(const struct poptOption *option);
bool cli_is_given(const struct poptOption *option);

/* As if nothing had ever been given. */
void cli_forget_options(const struct poptOption *table);

/* The long option that was surely meant by `name`, of those that count (NULL: all do); NULL: none
 * is like it. */
const char *cli_nearest_option(const struct poptOption *table, const char *name,
                               bool (*counts)(void *arg, const struct poptOption *option),
                               void *arg);

/* Is the option for this argument of the command? A formula has its own parameters alone; with any
 * other command, and without an argument, the answer is yes. */
bool cli_option_applies(const cli_command *command, const char *argument,
                        const struct poptOption *option);

/* The first option of a table, included tables too, that was given; NULL: none was. With a name,
 * that option or none. */
const char *cli_given(const struct poptOption *table, const char *name);

/* The first one given but for those of a list, which NULL ends. */
const char *cli_given_but(const struct poptOption *table, const char *const *names);

/* The first one given that is marked (popt's `val`, a set of bits) and not by `mark`. What marks
 * mean is for the command to say: cli/spec/engine.h. */
const struct poptOption *cli_given_lacking(const struct poptOption *table, unsigned mark);

/* What an option that takes a text was given; NULL: nothing. */
const char *cli_text(const struct poptOption *table, const char *name);

#endif
