/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transitions in any order become rows with ascending columns.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <math.h>
#include <stdio.h>

enum { FIRST_ROOM = 1024, LINES_PER_REPORT = 1 << 16 };

transitions transitions_begin(const swq_import_options *options)
{
    const double slack = fmax(options->normalise, IMPORT_SUM_TOLERANCE);

    return (transitions){.rates = options->rates, .most = options->rates ? 1e290 : 1 + slack};
}

swq_status transitions_sizes(swq_lines *l, const transitions *t, int64_t states, int64_t entries)
{
    if (states > INT32_MAX)
        return swq_lines_fail(l, "%lld states are more than the %lld that can be numbered",
                              (long long)states, (long long)INT32_MAX);
    if (t->rates ? entries < states - entries : entries < states)
        return swq_lines_fail(l,
                              "%lld transitions are too few for %lld states, each of which must "
                              "lead somewhere",
                              (long long)entries, (long long)states);
    return SWQ_OK;
}

void transitions_clear(swq_context *ctx, transitions *t)
{
    swq_free(ctx, t->from);
    swq_free(ctx, t->to);
    swq_free(ctx, t->value);
    *t = (transitions){0};
}

/* Memory grows with what was read, not by what a header promises. */
static swq_status grow(swq_context *ctx, transitions *t)
{
    int64_t room = t->room ? 2 * t->room : FIRST_ROOM;
    int32_t *from = swq_resize(ctx, t->from, (size_t)room, sizeof *from);

    if (!from)
        return swq_memory_status(ctx);
    t->from = from;
    int32_t *to = swq_resize(ctx, t->to, (size_t)room, sizeof *to);
    if (!to)
        return swq_memory_status(ctx);
    t->to = to;
    double *value = swq_resize(ctx, t->value, (size_t)room, sizeof *value);
    if (!value)
        return swq_memory_status(ctx);
    t->value = value;
    t->room = room;
    return SWQ_OK;
}

bool transitions_refuse(const transitions *t, bool diagonal, double value, char text[160])
{
    const char *hint =
        !t->rates && value > t->most ? "; if the numbers are rates, give --rates" : "";

    if (t->rates ? value >= 0 || diagonal : value >= 0 && value <= t->most)
        return false;
    if (diagonal)
        hint =
            value < 0 ? "; the generator matrix of a chain in continuous time needs --rates" : hint;
    if (t->rates)
        snprintf(text, 160, "a rate must not be negative, as %g is", value);
    else
        snprintf(text, 160, "the probability must be 0 to 1, not %g%s", value, hint);
    return true;
}

swq_status transitions_add(swq_context *ctx, transitions *t, int64_t from, int64_t to, double value)
{
    if (value == 0)
        return SWQ_OK;
    if (t->count == t->room) {
        swq_status status = grow(ctx, t);
        if (status)
            return status;
    }
    t->from[t->count] = (int32_t)from;
    t->to[t->count] = (int32_t)to;
    t->value[t->count++] = value;
    return SWQ_OK;
}

swq_status transitions_read_value(swq_lines *l, int64_t from, int64_t to, bool both, transitions *t)
{
    double value;
    bool fraction;
    swq_status status =
        swq_lines_number(l, t->rates ? "the rate" : "the probability", &value, &fraction);
    char text[160];

    if (!status && transitions_refuse(t, from == to, value, text))
        status = swq_lines_fail(l, "%s", text);
    if (!status)
        status = transitions_add(l->ctx, t, from, to, value);
    if (!status && both && from != to)
        status = transitions_add(l->ctx, t, to, from, value);
    if (status)
        return status;
    t->fractions = t->fractions || fraction;
    if (l->number % LINES_PER_REPORT == 0)
        swq_progress(l->ctx, "reading lines", (double)l->number, 0);
    return SWQ_OK;
}

swq_status transitions_read(swq_lines *l, int64_t states, int base, transitions *t)
{
    int64_t from, to;
    swq_status status = swq_lines_integer(l, "the state left", base, states - 1 + base, &from);

    if (!status)
        status = swq_lines_integer(l, "the state entered", base, states - 1 + base, &to);
    return status ? status : transitions_read_value(l, from - base, to - base, false, t);
}

/* Sort by rows, in the order of the file; columns may be in any order and repeat. */
static swq_status into_rows(swq_context *ctx, const transitions *t, int64_t states, swq_csr *p)
{
    swq_csr m = {.rows = states, .cols = states};

    m.start = swq_calloc(ctx, (size_t)states + 1, sizeof *m.start);
    m.col = swq_calloc(ctx, (size_t)t->count, sizeof *m.col);
    m.value = swq_calloc(ctx, (size_t)t->count, sizeof *m.value);
    if (!m.start || !m.col || !m.value) {
        swq_status status = swq_memory_status(ctx);
        swq_csr_clear(ctx, &m);
        return status;
    }
    for (int64_t e = 0; e < t->count; e++)
        m.start[t->from[e]]++;
    for (int64_t i = 1; i <= states; i++) /* start[i]: the end of row i */
        m.start[i] += m.start[i - 1];
    for (int64_t e = t->count - 1; e >= 0; e--) {
        int64_t at = --m.start[t->from[e]];
        m.col[at] = t->to[e];
        m.value[at] = t->value[e];
    }
    *p = m;
    return SWQ_OK;
}

/* Transposing twice puts columns in ascending order. */
static swq_status sort_columns(swq_context *ctx, swq_csr *p)
{
    swq_csr t = {0}, sorted = {0};
    bool ascending = true;

    for (int64_t i = 0; i < p->rows && ascending; i++) {
        for (int64_t e = p->start[i] + 1; e < p->start[i + 1]; e++)
            ascending = ascending && p->col[e] >= p->col[e - 1];
    }
    if (ascending)
        return SWQ_OK;
    swq_status status = swq_csr_transpose(ctx, p, &t);
    if (!status) {
        swq_csr_clear(ctx, p);
        status = swq_csr_transpose(ctx, &t, &sorted);
    }
    swq_csr_clear(ctx, &t);
    if (!status)
        *p = sorted;
    return status;
}

/* Add up entries in the same place; returns the most entries that were added into one. */
static int64_t merge(swq_csr *p)
{
    int64_t out = 0, begin = 0, most = 1;

    for (int64_t i = 0; i < p->rows; i++) {
        int64_t row = out, met = 1;
        for (int64_t e = begin; e < p->start[i + 1]; e++) {
            if (out > row && p->col[out - 1] == p->col[e]) {
                p->value[out - 1] += p->value[e];
                met++;
            } else {
                p->col[out] = p->col[e];
                p->value[out++] = p->value[e];
                met = 1;
            }
            most = met > most ? met : most;
        }
        begin = p->start[i + 1];
        p->start[i + 1] = out;
    }
    return most;
}

swq_status transitions_sort(swq_context *ctx, transitions *t, int64_t states, swq_imported *chain)
{
    swq_csr p = {0};
    bool fractions = t->fractions;
    swq_status status = into_rows(ctx, t, states, &p);

    transitions_clear(ctx, t);
    if (!status)
        status = sort_columns(ctx, &p);
    if (status) {
        swq_csr_clear(ctx, &p);
        return status;
    }
    /* a decimal is rounded once, a fraction three times, and a sum of k once for each addition */
    chain->roundings = (fractions ? 3 : 1) + merge(&p) - 1;
    chain->p = p;
    return SWQ_OK;
}
