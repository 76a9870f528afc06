/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of the command line as numbers, sizes, ranges and choices; and whole files.
 */
#ifndef SWQ_CLI_PARSE_H
#define SWQ_CLI_PARSE_H

#include "base/outfile.h"
#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

/* Reads a number that is all of the text, and not NaN. Errors name the option. */
swq_status cli_integer(swq_context *ctx, const char *option, const char *text, int least, int most,
                       int *value);
swq_status cli_number(swq_context *ctx, const char *option, const char *text, double least,
                      double most, double *value);

/* A number that may have to be whole. */
swq_status cli_number_or_whole(swq_context *ctx, const char *option, const char *text, double least,
                               double most, bool whole, double *value);

/* FROM:TO:STEP; TO is included if the steps reach it. *value, [*points], is the caller's to
 * free(). */
enum { CLI_MOST_POINTS = 100000 };
bool cli_is_range(const char *text); /* true for a range; false for a number, a file, or NULL */
swq_status cli_range(swq_context *ctx, const char *option, const char *text, double least,
                     double most, bool whole, double **value, int *points);

/* A whole number that may need more than 31 bits. */
swq_status cli_big(swq_context *ctx, const char *option, const char *text, double least,
                   double most, uint64_t *value);

/* --threads, or, if `text` is NULL, as many as the machine has cores; at most SWQ_MAX_THREADS. */
int cli_usual_threads(void);
swq_status cli_threads(swq_context *ctx, const char *text, int *threads);

/* Memory sizes: 512M, 2G, 1.5G, or bytes. */
swq_status cli_bytes(swq_context *ctx, const char *option, const char *text, size_t *value);

/* Reads one of several words; *value is the word's index in `words`, which NULL ends. */
swq_status cli_word(swq_context *ctx, const char *option, const char *text,
                    const char *const *words, int *value);

/* The status for a file that could not be opened or read, errno being set: SWQ_EIO naming the path,
 * or SWQ_ECANCELLED if Ctrl-C ended a wait for the file. */
swq_status cli_cannot_read(swq_context *ctx, const char *path);

/* SWQ_ECANCELLED after Ctrl-C, for loops over the contents of a file. */
swq_status cli_go_on_reading(swq_context *ctx, const char *path);

/* Makes the folder of --output, and the folders above it, unless they exist. Errors: SWQ_EIO. */
swq_status cli_make_folder(swq_context *ctx, const char *path);

/* Can a plot be written to `path`? Checks the path's suffix and its folder, which is made if it is
 * missing. */
swq_status cli_plot_check(swq_context *ctx, const char *path);

/* As swq_outfile_open, but makes the file's folder if it is missing. */
swq_status cli_outfile_open(swq_context *ctx, const char *path, swq_outfile *file);

/* Makes the folders above a file of --output; NULL: no file. Errors are noticed when the file is
 * written. */
void cli_make_folder_for(const char *file);

/* Reads a file smaller than that many megabytes as text; the caller frees it with free(). Errors:
 * SWQ_EIO naming the path, SWQ_ECANCELLED, SWQ_ENOMEM. */
swq_status cli_read_file(swq_context *ctx, const char *path, int megabytes, char **text);

#endif
