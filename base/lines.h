/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text files read line by line and field by field, of any length, strictly: whatever is wrong is
 * named with file and line.
 */
#ifndef SWQ_BASE_LINES_H
#define SWQ_BASE_LINES_H

#include "switchq/context.h"

#include <stdint.h>
#include <stdio.h>

/* An open file. `line` is the line read last, without its end, and `at` the rest of it that is not
 * read yet. */
typedef struct swq_lines {
    swq_context *ctx;
    const char *path; /* the caller's */
    FILE *stream;
    char *line, *at;
    size_t room;
    int64_t number; /* of that line, from 1 */
} swq_lines;

/* Open a file. Errors: SWQ_EIO naming the path. If `missing` is not NULL, a file that does not
 * exist is not an error: *missing receives whether the file is missing, and nothing is open
 * then. */
swq_status swq_lines_open(swq_context *ctx, const char *path, swq_lines *lines, bool *missing);

/* Safe on a zeroed struct. */
void swq_lines_close(swq_lines *lines);

/* The next line that is not blank; *more is false at the end of the file. LF and CR LF end a line,
 * and the last line may lack its end. Errors: SWQ_EIO; SWQ_EINVAL for a control character other
 * than tab (names must be safe to print on a terminal) or a line of more than 1 MB; SWQ_ECANCELLED;
 * SWQ_ENOMEM. */
swq_status swq_lines_next(swq_lines *lines, bool *more);

/* The next line that is not blank and does not begin with the character `comment`. */
swq_status swq_lines_next_but(swq_lines *lines, char comment, bool *more);

/* Is there another field in the line? Fields are separated by blanks and tabs. */
bool swq_lines_field_left(swq_lines *lines);

/* The next field as a whole number, or as a decimal number whose absolute value is 0 or at least
 * 1e-290 (below, a double loses digits) and at most 1e290; a fraction of two such numbers, "1/3",
 * is also accepted, and *fraction (if not NULL) says so. Hexadecimal numbers, inf and nan are not
 * accepted. Errors: SWQ_EINVAL naming file, line, `what` and what is allowed. */
swq_status swq_lines_integer(swq_lines *lines, const char *what, int64_t least, int64_t most,
                             int64_t *value);
swq_status swq_lines_number(swq_lines *lines, const char *what, double *value, bool *fraction);

/* Check that the line ends here. Errors: SWQ_EINVAL if something is left in it. */
swq_status swq_lines_end(swq_lines *lines);

/* Record "PATH, line N: ..." and return SWQ_EINVAL. */
swq_status swq_lines_fail(swq_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
