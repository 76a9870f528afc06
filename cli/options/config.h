/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run from a file (--config), in the words of a study (docs/sweep.md), and the file of a run
 * (--save-config). The command line takes precedence over the file.
 * Room: cli.
 */
#ifndef SWQ_CLI_CONFIG_H
#define SWQ_CLI_CONFIG_H

#include "cli/options/arguments.h"

/* --config and --save-config. */
extern struct poptOption cli_config_options[];

bool cli_config_given(void);

/* The file's options as arguments, but for those that the tables say were given, and its argument
 * (a formula's name) unless there is one already. Errors: SWQ_EIO, SWQ_EINVAL with file and line,
 * SWQ_ENOMEM. */
swq_status cli_config_read(swq_context *ctx, const cli_command *command,
                           const struct poptOption *table, const char *argument, cli_arguments *to);

/* A message about an option that came from the file, with file and line; else as it is. May use
 * text. */
const char *cli_config_blame(swq_status status, const char *message, char *text, size_t size);

/* For --save-config: keep what the tables say, for cli_config_finish to write. Errors: SWQ_EINVAL
 * for what a file cannot hold, SWQ_ENOMEM. */
swq_status cli_config_keep(swq_context *ctx, const cli_command *command,
                           const struct poptOption *table, const char *argument);

/* No file has been read for the command line that is read next. */
void cli_config_forget(void);

/* The file that the command under way is to leave; its path is NULL if there is none. Another
 * command may run within it: set its file aside, and with that finish the other one, whose own is
 * written if wanted. Errors: SWQ_EIO. */
typedef struct cli_config_file {
    char *path, *text;
} cli_config_file;
cli_config_file cli_config_set_aside(void);
swq_status cli_config_finish(swq_context *ctx, cli_config_file outer, bool wanted);

#endif
