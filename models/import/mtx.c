/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix Market, "%%MatrixMarket matrix coordinate real general": row i holds the transitions out
 * of state i, counted from 1. An array has all numbers of the matrix, column by column; of a
 * symmetric matrix only the lower triangle is in the file.
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

/* What the banner says. */
typedef struct {
    bool array, symmetric;
} mtx_layout;

static swq_status read_banner(swq_lines *l, mtx_layout *is)
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
    is->array = strcmp(format, "array") == 0;
    if (!is->array && strcmp(format, "coordinate") != 0)
        return swq_lines_fail(l, "the format must be coordinate or array, not '%s'", format);
    if (strcmp(field, "pattern") == 0)
        return swq_lines_fail(l, "a pattern has places and no probabilities; real is needed");
    if (strcmp(field, "real") != 0 && strcmp(field, "integer") != 0 && strcmp(field, "double") != 0)
        return swq_lines_fail(l, "the numbers must be real, not '%s'", field);
    is->symmetric = strcmp(symmetry, "symmetric") == 0;
    if (!is->symmetric && strcmp(symmetry, "general") != 0)
        return swq_lines_fail(l, "the matrix must be stored as general or symmetric, not '%s'",
                              symmetry);
    return swq_lines_end(l);
}

static swq_status read_sizes(swq_lines *l, const mtx_layout *is, const transitions *t,
                             int64_t *states, int64_t *entries)
{
    int64_t columns = 0;
    bool more;
    swq_status status = swq_lines_next_but(l, '%', &more);

    if (!status && !more)
        status = swq_lines_fail(l, "the file ends before '%s'",
                                is->array ? "ROWS COLUMNS" : "ROWS COLUMNS ENTRIES");
    if (!status)
        status = swq_lines_integer(l, "the number of rows", 1, INT64_MAX, states);
    if (!status)
        status = swq_lines_integer(l, "the number of columns", 1, INT64_MAX, &columns);
    if (!status && !is->array)
        status = swq_lines_integer(l, "the number of entries", 1, INT64_MAX / 2, entries);
    if (!status)
        status = swq_lines_end(l);
    if (!status && columns != *states)
        status = swq_lines_fail(l, "a transition matrix must be square, not %lld x %lld",
                                (long long)*states, (long long)columns);
    if (!status)
        status = transitions_sizes(l, t, *states,
                                   is->array       ? *states
                                   : is->symmetric ? 2 * *entries
                                                   : *entries);
    if (!status && is->array)
        *entries = is->symmetric ? *states * (*states + 1) / 2 : *states * *states;
    return status;
}

/* The place in an array after (row, column): down the column, then to the next one. */
static void advance(const mtx_layout *is, int64_t states, int64_t *row, int64_t *column)
{
    if (++*row == states) {
        ++*column;
        *row = is->symmetric ? *column : 0;
    }
}

static swq_status read_entry(swq_lines *l, const mtx_layout *is, int64_t states, transitions *t)
{
    int64_t row = 0, column = 0;
    swq_status status = swq_lines_integer(l, "the state left", 1, states, &row);

    if (!status)
        status = swq_lines_integer(l, "the state entered", 1, states, &column);
    if (!status && is->symmetric && column > row)
        status = swq_lines_fail(l,
                                "a symmetric matrix has its lower triangle only, and column "
                                "%lld is above row %lld",
                                (long long)column, (long long)row);
    return status ? status : transitions_read_value(l, row - 1, column - 1, is->symmetric, t);
}

static swq_status read_mtx(swq_context *ctx, const char *path, const swq_import_options *options,
                           swq_imported *chain)
{
    swq_lines l = {0};
    transitions t = transitions_begin(options);
    mtx_layout is = {0};
    int64_t states = 0, entries = 0, seen = 0, row = 0, column = 0;
    bool more = true;
    swq_status status = swq_lines_open(ctx, path, &l, NULL);

    if (!status)
        status = read_banner(&l, &is);
    if (!status)
        status = read_sizes(&l, &is, &t, &states, &entries);
    while (!status && more) {
        status = swq_lines_next_but(&l, '%', &more);
        if (status || !more)
            break;
        if (seen++ == entries)
            status = swq_lines_fail(&l, "there are more than the %lld entries announced",
                                    (long long)entries);
        else if (is.array)
            status = transitions_read_value(&l, row, column, is.symmetric, &t);
        else
            status = read_entry(&l, &is, states, &t);
        advance(&is, states, &row, &column);
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
    chain->first = 1;
    return status;
}

const swq_import_format swq_import_mtx = {
    .name = "mtx",
    .summary =
        "Matrix Market: the transition matrix, as coordinates or array, general or symmetric",
    .suffix = ".mtx",
    .read = read_mtx,
};
