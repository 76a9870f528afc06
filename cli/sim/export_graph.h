/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq export --format graph: the network of a simulation, for the command of chains.
 */
#ifndef SWQ_CLI_SIM_EXPORT_GRAPH_H
#define SWQ_CLI_SIM_EXPORT_GRAPH_H

#include "cli/options/options.h"

/* Does a command line of export ask for this format? */
bool cli_export_asks_graph(int argc, const char **argv);

/* Reads the options and writes the file; returns the exit status. */
int cli_export_graph(swq_context *ctx, const cli_command *self, int argc, const char **argv);

#endif
