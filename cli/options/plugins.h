/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plug-ins of a command line (--plugin): loaded before its other options are understood, and
 * closed when the command has ended.
 */
#ifndef SWQ_CLI_PLUGINS_H
#define SWQ_CLI_PLUGINS_H

#include "cli/options/options.h"
#include "cli/print/output.h"

/* --plugin, for commands that look up rows of arbiters, buffers or patterns of traffic. */
extern struct poptOption cli_plugin_options[];

/* Puts the plug-ins that were given into use, and no others; none if the command does not have the
 * option. Errors: those of swq_plugin_load, with the option's name. */
swq_status cli_plugins_load(swq_context *ctx, bool has_option);

/* The files of the option, with commas between them, to be freed with swq_free; NULL: none were
 * given, or no memory. */
char *cli_plugins_given(swq_context *ctx);

/* A command may run within another one, each with its own plug-ins: cli_plugins_set_aside takes the
 * outer command's plug-ins away, and cli_plugins_finish closes those of the inner command and puts
 * the outer ones back. */
struct swq_plugins *cli_plugins_set_aside(swq_context *ctx);
void cli_plugins_finish(swq_context *ctx, struct swq_plugins *outer);

/* Adds {"plugins": [{"file", "checksum", "file_bytes"}]} to an answer that is an object, if there
 * are plug-ins. */
void cli_plugins_echo(const swq_context *ctx, cJSON *tree);

#endif
