/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines and fields of text files.
 */
#include "base/lines.h"

#include "base/context.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, MOST_ROOM = 1 << 20, LONGEST_FIELD = 120 };

#define BLANKS " \t"

swq_status swq_lines_fail(swq_lines *l, const char *format, ...)
{
    char text[320];
    va_list args;

    va_start(args, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above */
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return swq_fail(l->ctx, SWQ_EINVAL, "'%.120s', line %lld: %s", l->path, (long long)l->number,
                    text);
}

static swq_status interrupted(const swq_lines *l)
{
    return swq_fail(l->ctx, SWQ_ECANCELLED, "interrupted while reading '%.200s'", l->path);
}

/* Waiting for a pipe also fails if it is interrupted. */
static swq_status io_failure(swq_lines *l)
{
    if (swq_context_cancelled(l->ctx))
        return interrupted(l);
    return swq_fail(l->ctx, SWQ_EIO, "cannot read '%.200s': %s", l->path, strerror(errno));
}

swq_status swq_lines_open(swq_context *ctx, const char *path, swq_lines *lines, bool *missing)
{
    swq_lines l = {.ctx = ctx, .path = path};

    l.stream = fopen(path, "r");
    if (missing)
        *missing = !l.stream && errno == ENOENT;
    if (!l.stream)
        return missing && *missing ? SWQ_OK : io_failure(&l);
    l.room = FIRST_ROOM;
    l.line = swq_calloc(ctx, l.room, 1);
    if (!l.line) {
        fclose(l.stream);
        return swq_memory_status(ctx);
    }
    *lines = l;
    return SWQ_OK;
}

void swq_lines_close(swq_lines *l)
{
    if (l->stream)
        fclose(l->stream);
    if (l->ctx)
        swq_free(l->ctx, l->line);
    *l = (swq_lines){0};
}

static swq_status more_room(swq_lines *l)
{
    if (l->room == MOST_ROOM)
        return swq_lines_fail(l, "the line is longer than 1 MB");
    char *line = swq_resize(l->ctx, l->line, 2 * l->room, 1);
    if (!line)
        return swq_memory_status(l->ctx);
    l->line = line;
    l->room *= 2;
    return SWQ_OK;
}

static swq_status read_line(swq_lines *l, bool *more)
{
    size_t length = 0;
    int c;

    if (swq_context_cancelled(l->ctx))
        return interrupted(l);
    l->number++;
    while ((c = getc_unlocked(l->stream)) != EOF && c != '\n') {
        if (iscntrl(c) && c != '\t' && c != '\r')
            return swq_lines_fail(l, "there is a byte of value %d, so this is no text file", c);
        if (length + 1 == l->room) {
            swq_status status = more_room(l);
            if (status)
                return status;
        }
        l->line[length++] = (char)c;
    }
    if (ferror(l->stream))
        return io_failure(l);
    *more = c != EOF || length > 0;
    length -= length > 0 && l->line[length - 1] == '\r';
    l->line[length] = '\0';
    if (strchr(l->line, '\r'))
        return swq_lines_fail(l, "lines must end in LF or CR LF, not in CR");
    l->at = l->line;
    return SWQ_OK;
}

swq_status swq_lines_next(swq_lines *l, bool *more)
{
    swq_status status;

    do {
        status = read_line(l, more);
    } while (!status && *more && !swq_lines_field_left(l));
    return status;
}

swq_status swq_lines_next_but(swq_lines *l, char comment, bool *more)
{
    swq_status status;

    do {
        status = swq_lines_next(l, more);
    } while (!status && *more && l->line[0] == comment);
    return status;
}

bool swq_lines_field_left(swq_lines *l)
{
    l->at += strspn(l->at, BLANKS);
    return *l->at != '\0';
}

/* Cut off the next field; "" at the end of the line. */
static void cut_field(swq_lines *l, char field[LONGEST_FIELD])
{
    swq_lines_field_left(l);
    size_t length = strcspn(l->at, BLANKS);
    snprintf(field, LONGEST_FIELD, "%.*s", (int)(length < LONGEST_FIELD ? length : LONGEST_FIELD),
             l->at);
    l->at += length;
}

swq_status swq_lines_integer(swq_lines *l, const char *what, int64_t least, int64_t most,
                             int64_t *value)
{
    char field[LONGEST_FIELD], *end;

    cut_field(l, field);
    errno = 0;
    long long number = strtoll(field, &end, 10);
    if (!*field || *end || errno == ERANGE || number < least || number > most)
        return swq_lines_fail(l, "%s must be a whole number from %lld to %lld, not '%.40s'", what,
                              (long long)least, (long long)most, field);
    *value = number;
    return SWQ_OK;
}

static bool in_range(double value)
{
    return fabs(value) >= 1e-290 && fabs(value) <= 1e290;
}

/* strtod alone would accept blanks, "inf", "nan" and hexadecimal numbers. */
static bool plain(const char *text, size_t length, double *value)
{
    char *end;

    if (length == 0 || strspn(text, "0123456789.eE+-") < length)
        return false;
    *value = strtod(text, &end);
    if (end != text + length)
        return false;
    size_t mantissa = strcspn(text, "eE/");
    if (strcspn(text, "123456789") >= mantissa)
        return true; /* the text is a zero; 1e-400 is not, although strtod gives 0 for it */
    return in_range(*value);
}

swq_status swq_lines_number(swq_lines *l, const char *what, double *value, bool *fraction)
{
    char field[LONGEST_FIELD];
    double number = 0, below = 1;

    cut_field(l, field);
    size_t length = strlen(field), upper = strcspn(field, "/");
    bool fine = length + 1 < LONGEST_FIELD && plain(field, upper, &number);
    if (fine && upper < length) {
        fine = plain(field + upper + 1, length - upper - 1, &below) && below > 0;
        if (fine && number != 0) {
            number /= below;
            fine = in_range(number);
        }
    }
    if (!fine)
        return swq_lines_fail(
            l, "%s must be a number, 0 or between 1e-290 and 1e290 in size, not '%.40s'", what,
            field);
    *value = number;
    if (fraction)
        *fraction = upper < length;
    return SWQ_OK;
}

swq_status swq_lines_end(swq_lines *l)
{
    if (!swq_lines_field_left(l))
        return SWQ_OK;
    return swq_lines_fail(l, "nothing is expected where there is '%.40s'", l->at);
}
