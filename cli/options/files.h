/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that options name, looked at before anything is computed.
 */
#ifndef SWQ_CLI_FILES_H
#define SWQ_CLI_FILES_H

#include "cli/options/options.h"

/* Checks the options of a table that name a file: a file to be read can be opened, a file to be
 * written can be made, and no two files are written to the same place. Errors: SWQ_EIO, SWQ_EINVAL,
 * naming the options. */
swq_status cli_files_check(swq_context *ctx, const struct poptOption *table);

/* Does the option name a file that is written, whose missing folders are made? */
bool cli_files_written(const struct poptOption *option);

/* Checks that one file, which an option reads, can be opened; "-" is standard input. Errors:
 * SWQ_EIO. */
swq_status cli_files_readable(swq_context *ctx, const char *option, const char *path);

/* Can the folder of a file that an option writes be written to, or be made? Errors: SWQ_EIO. */
swq_status cli_files_folder(swq_context *ctx, const char *option, const char *path);

/* Refuses two options that write to the same file, even by different paths. "-" is not a file.
 * Errors: SWQ_EINVAL naming both options. */
swq_status cli_files_differ(swq_context *ctx, const char *option, const char *path,
                            const char *other, const char *its_path);

/* Puts the option before the context's message. Returns status. */
swq_status cli_blame_option(swq_context *ctx, const char *option, swq_status status);

#endif
