/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From any state, go on to a state from which there is no way back, as long as there is one: the
 * last such state is in a closed class, which consists of all states that can be reached from it.
 */
#include "exact/closed_class.h"

#include "base/context.h"

#include <string.h>

/* The transitions in one direction: forwards, or backwards. */
typedef struct {
    const int64_t *start;
    const int32_t *to;
} arrows;

typedef struct {
    int64_t rows;
    arrows ahead, back;
    bool *reached, *reaching; /* [rows]: reached from the state in question; states that reach it */
    bool *settled;            /* [rows]: leads to a known closed class */
    int32_t *stack;           /* [rows] */
} class_search;

/* Mark everything to which the arrows lead from state `from`. */
static void follow(const class_search *s, const arrows *a, int32_t from, bool *marked)
{
    int64_t depth = 0;

    memset(marked, 0, sizeof *marked * (size_t)s->rows);
    marked[from] = true;
    s->stack[depth++] = from;
    while (depth > 0) {
        int32_t at = s->stack[--depth];
        for (int64_t e = a->start[at]; e < a->start[at + 1]; e++) {
            if (!marked[a->to[e]]) {
                marked[a->to[e]] = true;
                s->stack[depth++] = a->to[e];
            }
        }
    }
}

/* Find a closed class from a state: the states of the class are left in `reached`, and all states
 * that lead to the class in `reaching`. */
static void find_class_from(const class_search *s, int32_t state)
{
    for (int64_t t = 0; t < s->rows;) {
        follow(s, &s->ahead, state, s->reached);
        follow(s, &s->back, state, s->reaching);
        for (t = 0; t < s->rows && !(s->reached[t] && !s->reaching[t]); t++)
            ;
        state = (int32_t)t;
    }
}

static swq_status turn_around(swq_context *ctx, const swq_integer_rows *p, int64_t **start,
                              int32_t **to)
{
    int64_t entries = p->start[p->rows];
    int64_t *count = swq_calloc(ctx, (size_t)p->rows + 2, sizeof *count);
    int32_t *from = swq_calloc(ctx, (size_t)entries + 1, sizeof *from);

    *start = count;
    *to = from;
    if (!count || !from)
        return swq_memory_status(ctx);
    for (int64_t e = 0; e < entries; e++)
        count[p->col[e] + 2]++;
    for (int64_t s = 0; s < p->rows; s++)
        count[s + 2] += count[s + 1];
    for (int64_t s = 0; s < p->rows; s++) {
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++)
            from[count[p->col[e] + 1]++] = (int32_t)s;
    }
    return SWQ_OK;
}

static void number_class(const class_search *s, int32_t *number, int64_t *states)
{
    int32_t next = 0;

    for (int64_t t = 0; t < s->rows; t++)
        number[t] = s->reached[t] ? next++ : -1;
    *states = next;
}

swq_status swq_closed_classes(swq_context *ctx, const swq_integer_rows *p, int32_t *number,
                              int64_t *states, int64_t *classes)
{
    size_t rows = (size_t)p->rows;
    int64_t *start;
    int32_t *to;
    swq_status status = turn_around(ctx, p, &start, &to);
    class_search s = {.rows = p->rows, .ahead = {p->start, p->col}, .back = {start, to}};

    if (!status) {
        s.reached = swq_calloc(ctx, rows, 3 * sizeof *s.reached);
        s.stack = s.reached ? swq_calloc(ctx, rows, sizeof *s.stack) : NULL;
        status = s.stack ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status) {
        s.reaching = s.reached + rows;
        s.settled = s.reaching + rows;
        *classes = 0;
        for (int32_t t = 0; t < p->rows; t++) {
            if (s.settled[t])
                continue;
            find_class_from(&s, t);
            if (++*classes == 1)
                number_class(&s, number, states);
            for (int64_t k = 0; k < p->rows; k++)
                s.settled[k] = s.settled[k] || s.reaching[k];
        }
    }
    swq_free(ctx, s.reached);
    swq_free(ctx, s.stack);
    swq_free(ctx, start);
    swq_free(ctx, to);
    return status;
}
