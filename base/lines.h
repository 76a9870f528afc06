/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text files read line by line and field by field, of any length, strictly: whatever is wrong is
 * named with file and line.
 * Room: base.
 */
#ifndef SWQ_BASE_LINES_H
#define SWQ_BASE_LINES_H

#include "switchq/context.h"

#include <stdint.h>
#include <stdio.h>

/* One file under way. `line` is the line read last, without its end, and `at` what is left of it.
 */
typedef struct swq_lines {
    swq_context *ctx;
    const char *path; /* the caller's */
    FILE *stream;
    char *line, *at;
    size_t room;
    int64_t number; /* of that line, from 1 */
} swq_lines;

/* Errors: SWQ_EIO naming the path. `*missing` (if not NULL) receives whether there is no such file,
 * which then is no error, and nothing is open. */
swq_status swq_lines_open(swq_context *ctx, const char *path, swq_lines *lines, bool *missing);

/* Safe on a zeroed struct. */
void swq_lines_close(swq_lines *lines);

/* The next line that is not blank; *more is false at the end of the file. LF and CR LF end a line,
 * and the last one may do without. Errors: SWQ_EIO; SWQ_EINVAL for a control character other
 * than tab (a terminal should not meet it in a name) or a line of more than 1 MB; SWQ_ECANCELLED;
 * SWQ_ENOMEM. */
swq_status swq_lines_next(swq_lines *lines, bool *more);

/* The same without the lines that begin with `comment`. */
swq_status swq_lines_next_but(swq_lines *lines, char comment, bool *more);

/* Is there another field in the line? Fields stand between blanks and tabs. */
bool swq_lines_field_left(swq_lines *lines);

/* The next field as a whole number, or as a decimal number that is 0 or at least 1e-290 (below,
 * double loses its digits) and at most 1e290; a fraction of two such, "1/3", will do too, and
 * *fraction (if not NULL) says so. No sign but + or -, no hex, no inf. Errors: SWQ_EINVAL naming
 * file, line, `what` and what is allowed. */
swq_status swq_lines_integer(swq_lines *lines, const char *what, int64_t least, int64_t most,
                             int64_t *value);
swq_status swq_lines_number(swq_lines *lines, const char *what, double *value, bool *fraction);

/* Errors: SWQ_EINVAL when something is left in the line. */
swq_status swq_lines_end(swq_lines *lines);

/* Record "PATH, line N: ..." and return SWQ_EINVAL. */
swq_status swq_lines_fail(swq_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
