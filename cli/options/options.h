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

/* Show the option table of a command, with --help and all tables that it includes, to `see`: the
 * command is run as far as cli_read_options, which is where it says what its options are, so no
 * second list of them is kept. */
typedef void (*cli_see_fn)(void *arg, const struct poptOption *table);
void cli_see_options(swq_context *ctx, const cli_command *command, cli_see_fn see, void *arg);

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
