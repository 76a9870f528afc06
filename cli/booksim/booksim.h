/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A configuration of BookSim 2 as a question of `switchq sim` (--booksim FILE). Presets are those
 * of BookSim's booksim_config.cpp at commit 28f4329.
 */
#ifndef SWQ_CLI_BOOKSIM_H
#define SWQ_CLI_BOOKSIM_H

#include "cli/options/arguments.h"

/* --booksim. */
extern struct poptOption cli_booksim_options[];

/* Makes the options of `switchq sim` of the configuration that --booksim names, except those that
 * the command line replaces. Prints a note for each setting that has no counterpart. Errors:
 * SWQ_EIO, SWQ_ENOMEM; SWQ_EINVAL for text that is no configuration, and if a setting without a
 * counterpart changes the numbers. */
extern const cli_translator cli_booksim;

/* If reading `path` failed with `status` because it is a configuration of BookSim, the message
 * names
 * --booksim instead. Returns status. */
swq_status cli_booksim_hint(swq_context *ctx, const char *path, swq_status status);

#endif
