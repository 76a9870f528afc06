/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Option tables: reading them, showing them, and what was given.
 */
#ifndef SWQ_CLI_OPTIONS_H
#define SWQ_CLI_OPTIONS_H

#include "cli/cli.h"

#include <popt.h>

/* Rows of option tables that are no parameters (cli/options/parameter.h): an option with a value,
 * whose text goes to `to`; one without; and a table that is included, under a heading or NULL. */
#define CLI_TEXT_ROW(name, argument, to, help)                                                     \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, to, 0, help, argument                                         \
    }
#define CLI_FLAG_ROW(name, to, help)                                                               \
    {                                                                                              \
        name, '\0', POPT_ARG_NONE, to, 0, help, NULL                                               \
    }
#define CLI_TABLE(table, heading)                                                                  \
    {                                                                                              \
        NULL, '\0', POPT_ARG_INCLUDE_TABLE, table, 0, heading, NULL                                \
    }

/* Reads the options of `self` and sets the strings in its option table. Up to `most` other
 * arguments are left in other[]. Returns -1 to go on, or the exit status to end with (after --help,
 * or after a message about an unknown option or a surplus argument). */
int cli_read_options(swq_context *ctx, const cli_command *self, struct poptOption *options,
                     int argc, const char **argv, const char **other, int most);

/* The options of a command, with --help and all tables that it includes; valid until the next call.
 * The command is run as far as cli_read_options, where it names its options, so that there is no
 * second list of them. */
const struct poptOption *cli_options_of(swq_context *ctx, const cli_command *command);

/* ---- cli/options/table.c: questions to a table ---- */

enum { CLI_DEEPEST_TABLE = 6 };

/* A walk through the options of a table and of the tables that it includes, in order. `section` of
 * the depth is the heading of the last option, or NULL; heading: this option is the first under the
 * heading. */
typedef struct cli_options_walk {
    const struct poptOption *at[CLI_DEEPEST_TABLE];
    size_t stride[CLI_DEEPEST_TABLE]; /* from one row to the next: rows of parameters are longer */
    const char *section[CLI_DEEPEST_TABLE], *heading;
    int depth;
} cli_options_walk;
cli_options_walk cli_walk_options(const struct poptOption *table);

/* The next option; NULL behind the last. */
const struct poptOption *cli_next_option(cli_options_walk *walk);

/* An option's type as in popt: POPT_ARG_NONE, _STRING or _ARGV. And: was the option given? */
int cli_option_kind(const struct poptOption *option);
bool cli_is_given(const struct poptOption *option);

/* The option of a name, of which `length` characters count; NULL: the table has none. */
const struct poptOption *cli_option_named(const struct poptOption *table, const char *name,
                                          size_t length);

/* Resets all options to "not given", and frees their words, unless they are held. */
void cli_forget_options(const struct poptOption *table);

/* Option tables are global: threads that read options beside one another do so one at a time,
 * between these two calls, which must not be nested. */
void cli_begin_options(void);
void cli_end_options(void);

/* Between these two calls, which may be nested, forgotten options keep their words in memory: specs
 * that were read from them point to the words until their answers are recorded. */
void cli_hold_words(void);
void cli_free_held_words(void);

/* The long option that was surely meant by `name`, among the options that count (NULL: all options
 * do); NULL: no option is similar. */
const char *cli_nearest_option(const struct poptOption *table, const char *name,
                               bool (*counts)(void *arg, const struct poptOption *option),
                               void *arg);

/* Does the option apply to this argument of the command? A formula has only its own parameters; for
 * other commands, and without an argument, every option applies. */
bool cli_option_applies(const cli_command *command, const char *argument,
                        const struct poptOption *option);

/* The first option of a table, including included tables, that was given; NULL: none was. With a
 * name, only that option. */
const char *cli_given(const struct poptOption *table, const char *name);

/* The first option given that is not in the list, which NULL ends. */
const char *cli_given_but(const struct poptOption *table, const char *const *names);

/* The first option given that is marked (popt's `val`, a set of bits) and not by `mark`. The
 * command defines the marks: cli/spec/engine.h. */
const struct poptOption *cli_given_lacking(const struct poptOption *table, unsigned mark);

/* The text that an option was given; NULL: none. */
const char *cli_text(const struct poptOption *table, const char *name);

#endif
