/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix Market coordinates, "%%MatrixMarket matrix coordinate real general": row i holds the
 * transitions out of state i, counted from 1.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <ctype.h>
#include <string.h>

/* The next word of the banner, in lower case. */
static void next_word(swq_lines *l, char *word, size_t size)
{
    size_t length = 0;

    swq_lines_field_left(l);
    for (; *l->at && *l->at != ' ' && *l->at != '\t'; l->at++) {
        if (length + 1 < size)
            word[length++] = (char)tolower((unsigned char)*l->at);
    }
    word[length] = '\0';
}

static swq_status read_banner(swq_lines *l)
{
    static const char banner[] = "%%MatrixMarket";
    char object[32], format[32], field[32], symmetry[32];
    bool more;
    swq_status status = swq_lines_next(l, &more);

    if (status)
        return status;
    if (!more || l->number != 1 || strncmp(l->line, banner, sizeof banner - 1) != 0)
        return swq_lines_fail(l, "the file must begin with '%s matrix coordinate real general'",
                              banner);
    l->at += sizeof banner - 1;
    next_word(l, object, sizeof object);
    next_word(l, format, sizeof format);
    next_word(l, field, sizeof field);
    next_word(l, symmetry, sizeof symmetry);
    if (strcmp(object, "matrix") != 0)
        return swq_lines_fail(l, "a matrix is needed, not '%s'", object);
    if (strcmp(format, "coordinate") != 0)
        return swq_lines_fail(l, "the format must be coordinate, not '%s'", format);
    if (strcmp(field, "pattern") == 0)
        return swq_lines_fail(l, "a pattern has places and no probabilities; real is needed");
    if (strcmp(field, "real") != 0 && strcmp(field, "integer") != 0 && strcmp(field, "double") != 0)
        return swq_lines_fail(l, "the numbers must be real, not '%s'", field);
    if (strcmp(symmetry, "general") != 0)
        return swq_lines_fail(l, "the matrix must be stored as general, not '%s'", symmetry);
    return swq_lines_end(l);
}

static swq_status read_sizes(swq_lines *l, int64_t *states, int64_t *entries)
{
    int64_t columns = 0;
    bool more;
    swq_status status = swq_lines_next_but(l, '%', &more);

    if (!status && !more)
        status = swq_lines_fail(l, "the file ends before 'ROWS COLUMNS ENTRIES'");
    if (!status)
        status = swq_lines_integer(l, "the number of rows", 1, INT64_MAX, states);
    if (!status)
        status = swq_lines_integer(l, "the number of columns", 1, INT64_MAX, &columns);
    if (!status)
        status = swq_lines_integer(l, "the number of entries", 1, INT64_MAX, entries);
    if (!status)
        status = swq_lines_end(l);
    if (!status && columns != *states)
        status = swq_lines_fail(l, "a transition matrix must be square, not %lld x %lld",
                                (long long)*states, (long long)columns);
    return status ? status : transitions_sizes(l, *states, *entries);
}

static swq_status read_mtx(swq_context *ctx, const char *path, swq_imported *chain)
{
    swq_lines l = {0};
    transitions t = {0};
    int64_t states = 0, entries = 0, seen = 0;
    bool more = true;
    swq_status status = swq_lines_open(ctx, path, &l, NULL);

    if (!status)
        status = read_banner(&l);
    if (!status)
        status = read_sizes(&l, &states, &entries);
    while (!status && more) {
        status = swq_lines_next_but(&l, '%', &more);
        if (status || !more)
            break;
        if (seen++ == entries)
            status = swq_lines_fail(&l, "there are more than the %lld entries announced",
                                    (long long)entries);
        if (!status)
            status = transitions_read(&l, states, 1, &t);
        if (!status)
            status = swq_lines_end(&l);
    }
    if (!status && seen < entries)
        status = swq_lines_fail(&l, "the file ends after %lld of the %lld entries announced",
                                (long long)seen, (long long)entries);
    swq_lines_close(&l);
    if (!status)
        status = transitions_sort(ctx, &t, states, chain);
    transitions_clear(ctx, &t);
    return status;
}

const swq_import_format swq_import_mtx = {
    .name = "mtx",
    .summary = "Matrix Market coordinates of the transition matrix",
    .suffix = ".mtx",
    .first = 1,
    .read = read_mtx,
};
