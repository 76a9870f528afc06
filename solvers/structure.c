/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which states of a chain recur, in how many closed classes, and with what period.
 * Room: solvers. Includes base.
 */
#include "base/context.h"
#include "solvers/solvers.h"

/* Tarjan's depth-first search, without recursion. */
typedef struct {
    const swq_csr *p;
    int64_t *index; /* order of discovery + 1; 0: not seen */
    int64_t *low;   /* earliest state on the stack that can be reached */
    int64_t *stack; /* states not yet given to a component */
    int64_t *path;  /* states being explored */
    int64_t *edge;  /* next entry to follow */
    int64_t *of;    /* component, numbered in reverse topological order; -1: none yet */
    int64_t stacked, deep, seen, components;
} tarjan;

static void enter(tarjan *t, int64_t s)
{
    t->index[s] = t->low[s] = ++t->seen;
    t->stack[t->stacked++] = s;
    t->path[t->deep++] = s;
    t->edge[s] = t->p->start[s];
    t->of[s] = -1;
}

static void leave(tarjan *t, int64_t s)
{
    if (t->low[s] == t->index[s]) {
        int64_t top;
        do {
            top = t->stack[--t->stacked];
            t->of[top] = t->components;
        } while (top != s);
        t->components++;
    }
    t->deep--;
    if (t->deep > 0) {
        int64_t parent = t->path[t->deep - 1];
        if (t->low[s] < t->low[parent])
            t->low[parent] = t->low[s];
    }
}

static void search_from(tarjan *t, int64_t root)
{
    enter(t, root);
    while (t->deep > 0) {
        int64_t s = t->path[t->deep - 1];
        if (t->edge[s] == t->p->start[s + 1]) {
            leave(t, s);
            continue;
        }
        int64_t next = t->p->col[t->edge[s]++];
        if (!t->index[next])
            enter(t, next);
        else if (t->of[next] < 0 && t->index[next] < t->low[s])
            t->low[s] = t->index[next];
    }
}

/* The period is the greatest common divisor of depth(i) + 1 - depth(j) over the transitions i -> j
 * of the class, which is closed, whatever spanning tree the depths come from. */
static int64_t find_period(const swq_csr *p, int64_t first, int64_t *queue, int64_t *depth)
{
    int64_t head = 0, tail = 0, divisor = 0;

    for (int64_t s = 0; s < p->rows; s++)
        depth[s] = -1;
    queue[tail++] = first;
    depth[first] = 0;
    while (head < tail) {
        int64_t s = queue[head++];
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++) {
            int64_t next = p->col[e];
            if (depth[next] < 0) {
                depth[next] = depth[s] + 1;
                queue[tail++] = next;
            }
            int64_t a = depth[s] + 1 - depth[next];
            for (a = a < 0 ? -a : a; a;) {
                int64_t rest = divisor % a;
                divisor = a;
                a = rest;
            }
        }
    }
    return divisor ? divisor : 1;
}

/* closed[c] for every component c: does no transition leave it? */
static void mark_closed(const tarjan *t, int64_t *closed)
{
    for (int64_t c = 0; c < t->components; c++)
        closed[c] = 1;
    for (int64_t s = 0; s < t->p->rows; s++) {
        for (int64_t e = t->p->start[s]; e < t->p->start[s + 1]; e++) {
            if (t->of[t->p->col[e]] != t->of[s])
                closed[t->of[s]] = 0;
        }
    }
}

swq_status swq_structure_find(swq_context *ctx, const swq_csr *p, swq_structure *structure)
{
    size_t n = (size_t)p->rows;
    int64_t *block = swq_calloc(ctx, n, 7 * sizeof *block);
    if (!block)
        return swq_memory_status(ctx);
    int64_t *closed = block + 6 * n;
    tarjan t = {.p = p,
                .index = block,
                .low = block + n,
                .stack = block + 2 * n,
                .path = block + 3 * n,
                .edge = block + 4 * n,
                .of = block + 5 * n};
    swq_structure found = {0};
    int64_t class = -1;

    for (int64_t s = 0; s < p->rows; s++) {
        if (!t.index[s])
            search_from(&t, s);
    }
    mark_closed(&t, closed);
    for (int64_t c = 0; c < t.components; c++)
        found.closed_classes += closed[c];
    for (int64_t s = 0; s < p->rows && class < 0; s++)
        class = closed[t.of[s]] ? t.of[s] : -1;
    for (int64_t s = 0; s < p->rows; s++)
        found.recurrent += t.of[s] == class;
    found.class_state = swq_calloc(ctx, (size_t)found.recurrent, sizeof *found.class_state);
    if (!found.class_state) {
        swq_free(ctx, block);
        return swq_memory_status(ctx);
    }
    found.recurrent = 0;
    for (int64_t s = 0; s < p->rows; s++) {
        if (t.of[s] == class)
            found.class_state[found.recurrent++] = s;
    }
    found.period = find_period(p, found.class_state[0], t.stack, t.low);
    swq_free(ctx, block);
    *structure = found;
    return SWQ_OK;
}

void swq_structure_clear(swq_context *ctx, swq_structure *structure)
{
    swq_free(ctx, structure->class_state);
    *structure = (swq_structure){0};
}
