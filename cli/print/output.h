/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes to standard output and to the terminal: numbers, JSON, progress.
 * Room: cli.
 */
#ifndef SWQ_CLI_OUTPUT_H
#define SWQ_CLI_OUTPUT_H

#include "switchq/exact.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* A progress line is on the terminal; cli_clear_progress wipes it before anything else is printed.
 */
extern bool cli_progress_shown;
void cli_clear_progress(void);

/* What watches the context when there is a terminal; arg is &cli_progress_shown. */
void cli_show_progress(void *arg, const char *stage, double done, double total);

/* The shortest decimal, from 15 digits on, that reads back as exactly this number. Returns text. */
const char *cli_number_text(double value, char text[40]);

/* Add a number to a JSON object, exactly; null if it is not finite. */
void cli_json_number(cJSON *object, const char *key, double value);

/* An array of such numbers. */
cJSON *cli_json_numbers(const double *value, int count);

/* Print a JSON tree (NULL: it could not be built) to stdout, with the question that it answers, and
 * free it. Who asks in this process gets it as it is. */
swq_status cli_json_print(swq_context *ctx, cJSON *tree);

/* Flush standard output. Errors: SWQ_EIO. */
swq_status cli_flush(swq_context *ctx);

#endif
