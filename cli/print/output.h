/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes to standard output and to the terminal: numbers, JSON, progress.
 */
#ifndef SWQ_CLI_OUTPUT_H
#define SWQ_CLI_OUTPUT_H

#include "switchq/exact.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* Whether a progress line is on the terminal; cli_clear_progress removes it before anything else is
 * printed. */
extern bool cli_progress_shown;
void cli_clear_progress(void);

/* The context's progress callback on a terminal; arg is &cli_progress_shown. */
void cli_show_progress(void *arg, const char *stage, double done, double total);

/* Adds a number to a JSON object exactly; null if it is not finite. */
void cli_json_number(cJSON *object, const char *key, double value);

/* An array of such numbers. */
cJSON *cli_json_numbers(const double *value, int count);

/* Prints a JSON tree (NULL: it could not be built) to stdout with the question that it answers, and
 * frees the tree. If the question was asked within this process, the tree is handed over
 * instead. */
swq_status cli_json_print(swq_context *ctx, cJSON *tree);

/* Flushes standard output. Errors: SWQ_EIO. */
swq_status cli_flush(swq_context *ctx);

#endif
