/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run from a file (--config), in the words of a study (docs/sweep.md), and the file of a run
 * (--save-config). The command line takes precedence over the file.
 */
#ifndef SWQ_CLI_CONFIG_H
#define SWQ_CLI_CONFIG_H

#include "cli/options/arguments.h"

/* --config and --save-config. */
extern struct poptOption cli_config_options[];

bool cli_config_given(void);

/* The file's options as arguments, except options that the tables mark as given; and the file's
 * argument (a formula's name) unless an argument has been given already. Errors: SWQ_EIO,
 * SWQ_EINVAL with file and line, SWQ_ENOMEM. */
swq_status cli_config_read(swq_context *ctx, const cli_command *command,
                           const struct poptOption *table, const char *argument, cli_arguments *to);

/* Adds file and line to a message about an option that came from the file; other messages are
 * unchanged. May use text. */
const char *cli_config_blame(swq_status status, const char *message, char *text, size_t size);

/* For --save-config: keeps the contents of the tables for cli_config_finish to write. Errors:
 * SWQ_EINVAL for what a file cannot hold, SWQ_ENOMEM. */
swq_status cli_config_keep(swq_context *ctx, const cli_command *command,
                           const struct poptOption *table, const char *argument);

/* Forgets the file that was read, before another command line is read. */
void cli_config_forget(void);

/* The file that --save-config makes the current command write; its path is NULL if there is none.
 * Another command may run within it: cli_config_set_aside takes the outer one's file away, and
 * cli_config_finish writes the inner one's file, if wanted, and puts the outer one back. Errors:
 * SWQ_EIO. */
typedef struct cli_config_file {
    char *path, *text;
} cli_config_file;
cli_config_file cli_config_set_aside(void);
swq_status cli_config_finish(swq_context *ctx, cli_config_file outer, bool wanted);

#endif
