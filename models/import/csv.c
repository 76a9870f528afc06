/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines "from,to,probability", with a header or without; # begins a comment. States are counted
 * from 0, or from 1 if there is no state 0, which no chain could lack. Semicolons and tabs separate
 * fields as well. A file whose first line has no header and other than three fields is a matrix
 * instead, a line for each row.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <string.h>

/* A line of words, before all others, names the columns. */
static bool is_header(const swq_lines *l, int64_t lines)
{
    return lines == 0 && !strpbrk(l->at, "0123456789") && strpbrk(l->at, ",;\t");
}

/* The number of fields of a line, which blanks separate from then on. */
static int split(swq_lines *l)
{
    int fields = 1;

    for (char *c = l->at; *c; c++) {
        fields += strchr(",;\t", *c) != NULL;
        *c = strchr(",;", *c) ? ' ' : *c;
    }
    return fields;
}

/* Row number `row` of a matrix. */
static swq_status read_row(swq_lines *l, transitions *t, int64_t row, int fields, int columns)
{
    swq_status status = SWQ_OK;

    if (fields != columns)
        return swq_lines_fail(l,
                              "a row of %d numbers was expected, as in the first line, not of %d",
                              columns, fields);
    if (row == columns)
        return swq_lines_fail(l, "a matrix of %d columns has %d rows, and no more", columns,
                              columns);
    for (int to = 0; to < columns && !status; to++)
        status = transitions_read_value(l, row, to, false, t);
    return status ? status : swq_lines_end(l);
}

static swq_status read_line(swq_lines *l, transitions *t, int fields, int64_t *least, int64_t *most)
{
    int64_t from = 0, to = 0;

    if (fields != 3)
        return swq_lines_fail(l, "'FROM,TO,%s' was expected, not %d field%s",
                              t->rates ? "RATE" : "PROBABILITY", fields, fields == 1 ? "" : "s");
    swq_status status = swq_lines_integer(l, "the state left", 0, INT32_MAX - 1, &from);
    if (!status)
        status = swq_lines_integer(l, "the state entered", 0, INT32_MAX - 1, &to);
    if (!status)
        status = transitions_read_value(l, from, to, false, t);
    if (!status)
        status = swq_lines_end(l);
    const int64_t low = from < to ? from : to, high = from < to ? to : from;
    *least = low < *least ? low : *least;
    *most = high > *most ? high : *most;
    return status;
}

static swq_status read_csv(swq_context *ctx, const char *path, const swq_import_options *options,
                           swq_imported *chain)
{
    swq_lines l = {0};
    transitions t = transitions_begin(options);
    int64_t least = INT32_MAX, most = -1, lines = 0, states = 0;
    int columns = 0; /* of a matrix; 0: the file is a list */
    bool more = true;
    swq_status status = swq_lines_open(ctx, path, &l, NULL);

    while (!status && !(status = swq_lines_next_but(&l, '#', &more)) && more) {
        const bool header = is_header(&l, lines);
        const int fields = header ? 0 : split(&l);
        if (lines == 0 && fields > 1 && fields != 3)
            columns = fields;
        if (columns)
            status = read_row(&l, &t, lines, fields, columns);
        else if (!header)
            status = read_line(&l, &t, fields, &least, &most);
        lines++;
    }
    if (!status && lines < columns)
        status = swq_lines_fail(&l, "a matrix of %d columns must have %d rows, not %lld", columns,
                                columns, (long long)lines);
    if (!status && !columns && most < 0)
        status = swq_lines_fail(&l, "the file has no transitions; lines 'FROM,TO,%s' were expected",
                                t.rates ? "RATE" : "PROBABILITY");
    if (!status && columns) {
        chain->first = 0;
        states = columns;
    } else if (!status) {
        chain->first = least >= 1;
        states = most + 1 - chain->first;
    }
    if (!status)
        status = transitions_sizes(&l, &t, states, lines);
    swq_lines_close(&l);
    for (int64_t e = 0; e < t.count && !status; e++) {
        t.from[e] -= chain->first;
        t.to[e] -= chain->first;
    }
    if (!status)
        status = transitions_sort(ctx, &t, states, chain);
    transitions_clear(ctx, &t);
    return status;
}

const swq_import_format swq_import_csv = {
    .name = "csv",
    .summary = "lines from,to,probability, or rows of a matrix of other than three states; states "
               "are counted from 0, or from 1 without a state 0",
    .suffix = ".csv",
    .read = read_csv,
};
