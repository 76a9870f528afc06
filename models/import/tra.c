/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PRISM's explicit transitions: "STATES TRANSITIONS", then "FROM TO PROBABILITY [ACTION]", states
 * counted from 0, # before a comment.
 */
#include "base/context.h"
#include "models/import/formats.h"

static swq_status read_header(swq_lines *l, const transitions *t, int64_t *states, int64_t *entries)
{
    bool more;
    swq_status status = swq_lines_next_but(l, '#', &more);

    if (!status && !more)
        status = swq_lines_fail(l, "the file is empty; 'STATES TRANSITIONS' was expected");
    if (!status)
        status = swq_lines_integer(l, "the number of states", 1, INT64_MAX, states);
    if (!status)
        status = swq_lines_integer(l, "the number of transitions", 1, INT64_MAX, entries);
    if (!status && swq_lines_field_left(l))
        status =
            swq_lines_fail(l, "a third number means that there are choices; only the two numbers "
                              "of a chain can be solved");
    return status ? status : transitions_sizes(l, t, *states, *entries);
}

static swq_status read_tra(swq_context *ctx, const char *path, const swq_import_options *options,
                           swq_imported *chain)
{
    swq_lines l = {0};
    transitions t = transitions_begin(options);
    int64_t states = 0, entries = 0, seen = 0;
    bool more = true;
    swq_status status = swq_lines_open(ctx, path, &l, NULL);

    if (!status)
        status = read_header(&l, &t, &states, &entries);
    while (!status && more) {
        status = swq_lines_next_but(&l, '#', &more);
        if (status || !more)
            break;
        if (seen++ == entries)
            status = swq_lines_fail(&l, "there are more than the %lld transitions announced",
                                    (long long)entries);
        if (!status)
            status = transitions_read(&l, states, 0, &t);
        if (!status && swq_lines_field_left(&l)) { /* one more word is the name of an action */
            while (*l.at && *l.at != ' ' && *l.at != '\t')
                l.at++;
            status = swq_lines_end(&l);
        }
    }
    if (!status && seen < entries)
        status = swq_lines_fail(&l, "the file ends after %lld of the %lld transitions announced",
                                (long long)seen, (long long)entries);
    swq_lines_close(&l);
    if (!status)
        status = transitions_sort(ctx, &t, states, chain);
    transitions_clear(ctx, &t);
    return status;
}

const swq_import_format swq_import_tra = {
    .name = "prism",
    .summary = "PRISM explicit files: .tra, with .srew, .sta and .lab if they are beside it",
    .suffix = ".tra",
    .companions = true,
    .read = read_tra,
};
