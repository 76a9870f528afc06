/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command of the command line, its exit status, and its message when it fails.
 */
#ifndef SWQ_CLI_H
#define SWQ_CLI_H

#include "switchq/context.h"

#include <stdbool.h>

/* Exit statuses that other programs may rely on. */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,    /* a check failed, or an iteration did not converge */
    CLI_BAD_INPUT = 2, /* the message names the option, the value and what is allowed */
    CLI_LIMIT = 3      /* memory or size */
};

enum { CLI_MOST_ARGUMENTS = 4096 }; /* the files of a job array, say */

struct poptOption;
struct cli_arguments;
struct cli_axes;
struct cli_points_how;

/* A file of another program, or a name, that becomes options of a command: the option that names
 * it, and what makes the other options of it, but for those that the table marks as given. */
typedef struct cli_translator {
    const char *option;
    const char *name; /* of such a file or name, as it begins a line */
    swq_status (*translate)(swq_context *ctx, const struct poptOption *table,
                            struct cli_arguments *to);
    /* If reading `path` failed with `status` because it is such a file, the message names the
     * option instead. Returns status. NULL: it names no file. */
    swq_status (*hint)(swq_context *ctx, const char *path, swq_status status);
} cli_translator;
enum { CLI_TRANSLATORS = 2 }; /* of a command, at most */

/* A command: run gets the arguments after the command's name, and its own row. */
typedef struct cli_command {
    const char *name;
    const char *usage;  /* arguments, as shown in --help */
    const char *common; /* the options used most, separated by blanks, for a short help; NULL: there
                           are few */
    const char *summary;
    const char *examples; /* lines for --help */
    const char *notes;    /* lines above the examples; NULL: none */
    bool no_file; /* the command has neither --config nor --save-config, as it computes nothing or
                     has a file of its own */
    const cli_translator *translator[CLI_TRANSLATORS]; /* those that are there first */
    bool plugins; /* the command looks up rows that plug-ins may add, and has --plugin */
    /* Does the command always refuse this option, which stands in its tables only because other
     * commands share them? The help omits such options. NULL: none. */
    bool (*refuses)(const char *option);
    int (*run)(swq_context *ctx, const struct cli_command *self, int argc, const char **argv);
    /* A command whose questions the runner answers (cli/runner): its options, and a function that
     * chooses how, with the options as they were given. It returns -1, or the exit status if it has
     * answered, or refused, the question itself. NULL: the runner answers none of the command's
     * questions. */
    struct poptOption *options;
    int (*question)(swq_context *ctx, const struct cli_axes *axes, struct cli_points_how *how);
    /* Prints the help on an argument of the command, such as a formula's name; false: there is
     * none. NULL: for no argument. */
    bool (*help)(swq_context *ctx, const char *argument);
} cli_command;

extern const cli_command cli_solve, cli_sim, cli_approx, cli_formula, cli_table, cli_figure,
    cli_list, cli_export, cli_chip, cli_cost, cli_bound, cli_worst, cli_headroom, cli_compare,
    cli_sweep, cli_validate, cli_report, cli_help, cli_completion;

/* All commands, ended by NULL. */
extern const cli_command *const cli_commands[];

/* The command `name`, or the only command whose name begins with `name`. NULL: there is no such
 * command, or there are several; the context has the message. */
const cli_command *cli_command_find(swq_context *ctx, const char *name);

/* Runs a command and, if it accepted its options, writes the file that --save-config asks for.
 * Returns the exit status. */
int cli_command_run(swq_context *ctx, const cli_command *command, int argc, const char **argv);

/* A note on an answer: `switchq: ` and the text, to stderr; for a question asked in this process,
 * it becomes the answer's message. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints `switchq: ` and the context's message to stderr; returns the matching exit status. */
int cli_fail(swq_context *ctx, swq_status status);

#endif
