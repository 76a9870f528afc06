/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text, numbers and trees for HTML pages, and what all pages begin with.
 */
#ifndef SWQ_CLI_HTML_H
#define SWQ_CLI_HTML_H

#include "switchq/context.h"

#include "cli/print/output.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* From the doctype to the end of the head, including style and icon. */
void cli_html_head(FILE *to, const char *title);

/* Text between tags, or in an attribute's quotes, escaped. */
void cli_html(FILE *to, const char *text);
void cli_html_format(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A tree as JSON in a script element of that class, for the page's scripts. */
swq_status cli_html_json(swq_context *ctx, FILE *to, const char *class, const cJSON *tree);

/* Writes the palette (base/palette.h) as the JavaScript constant `palette`, which report.js reads.
 */
void cli_html_palette(FILE *to);

/* A number rounded to the precision that a plot needs; null if the number is not finite. */
cJSON *cli_rounded(double value);

/* The text, the number or the truth under a key of a tree; "", NAN or false if the tree has no such
 * key or the value is of another type. */
const char *cli_string_of(const cJSON *tree, const char *key);
double cli_number_of(const cJSON *tree, const char *key);
bool cli_true_of(const cJSON *tree, const char *key);

#endif
