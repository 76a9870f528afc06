/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --json and --csv of a command whose answer is a record.
 */
#ifndef SWQ_CLI_FORMAT_H
#define SWQ_CLI_FORMAT_H

#include "cli/options/options.h"
#include "cli/record/record.h"

/* To be included in a command's option table. */
extern struct poptOption cli_format_options[];

/* The output format that was given. A command that asks other commands reads its own format first,
 * since options are global. Errors: SWQ_EINVAL if two formats were given. */
swq_status cli_format_read(swq_context *ctx, cli_format *format);

#endif
