/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which states of a chain recur, in how many closed classes, and with what period.
 */
#include "base/context.h"
#include "base/packed.h"
#include "solvers/solvers.h"
#include "solvers/timed.h"

/* The nodes of all levels of a product, numbered consecutively over the levels. */
typedef struct {
    const swq_product *p;
    int32_t base[SWQ_MOST_FACTORS + 1];
    int32_t nodes;
} graph;

static int level_of(const graph *g, int32_t node)
{
    int level = 0;
    while (node >= g->base[level + 1])
        level++;
    return level;
}

/* The entries of a node: the first of *count columns, to which *base is added. */
static const int32_t *entries_of(const graph *g, int32_t node, int64_t *count, int32_t *base)
{
    int level = level_of(g, node), next = (level + 1) % g->p->factors;
    const swq_csr *m = &g->p->factor[level];
    int64_t row = node - g->base[level];

    *base = g->base[next];
    *count = m->start[row + 1] - m->start[row];
    return m->col + m->start[row];
}

/* Tarjan's depth-first search, without recursion. */
typedef struct {
    graph g;
    int32_t *index; /* order of discovery + 1; 0: not seen */
    int32_t *low;   /* earliest node on the stack that can be reached */
    int32_t *stack; /* nodes not yet assigned to a component */
    int32_t *path;  /* nodes being explored */
    int32_t *edge;  /* next entry to follow */
    int32_t *of;    /* component, numbered in reverse topological order; -1: none yet */
    int32_t stacked, deep, seen, components;
} tarjan;

static void enter(tarjan *t, int32_t s)
{
    t->index[s] = t->low[s] = ++t->seen;
    t->stack[t->stacked++] = s;
    t->path[t->deep++] = s;
    t->edge[s] = 0;
    t->of[s] = -1;
}

static void leave(tarjan *t, int32_t s)
{
    if (t->low[s] == t->index[s]) {
        int32_t top;
        do {
            top = t->stack[--t->stacked];
            t->of[top] = t->components;
        } while (top != s);
        t->components++;
    }
    t->deep--;
    if (t->deep > 0) {
        int32_t parent = t->path[t->deep - 1];
        if (t->low[s] < t->low[parent])
            t->low[parent] = t->low[s];
    }
}

static void search_from(tarjan *t, int32_t root)
{
    enter(t, root);
    while (t->deep > 0) {
        int32_t s = t->path[t->deep - 1], base;
        int64_t count;
        const int32_t *col = entries_of(&t->g, s, &count, &base);
        if (t->edge[s] == count) {
            leave(t, s);
            continue;
        }
        int32_t next = base + col[t->edge[s]++];
        if (!t->index[next])
            enter(t, next);
        else if (t->of[next] < 0 && t->index[next] < t->low[s])
            t->low[s] = t->index[next];
    }
}

/* The period is the greatest common divisor of depth(i) + 1 - depth(j) over the transitions i -> j
 * of the class, which is closed, for any spanning tree that the depths come from; a step is one
 * factor. */
static int64_t find_period(const graph *g, int32_t first, int32_t *queue, int32_t *depth)
{
    int64_t head = 0, tail = 0, divisor = 0;

    for (int32_t s = 0; s < g->nodes; s++)
        depth[s] = -1;
    queue[tail++] = first;
    depth[first] = 0;
    while (head < tail) {
        int32_t s = queue[head++], base;
        int64_t count;
        const int32_t *col = entries_of(g, s, &count, &base);
        for (int64_t e = 0; e < count; e++) {
            int32_t next = base + col[e];
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
    return divisor ? divisor / g->p->factors : 1;
}

/* closed[c] for every component c: does no transition leave it? */
static void mark_closed(const tarjan *t, int32_t *closed)
{
    for (int32_t c = 0; c < t->components; c++)
        closed[c] = 1;
    for (int32_t s = 0; s < t->g.nodes; s++) {
        int32_t base;
        int64_t count;
        const int32_t *col = entries_of(&t->g, s, &count, &base);
        for (int64_t e = 0; e < count; e++) {
            if (t->of[base + col[e]] != t->of[s])
                closed[t->of[s]] = 0;
        }
    }
}

/* All components: t->of, and closed[component]. They lie in *block, which the caller frees also on
 * failure. */
static swq_status find_components(swq_context *ctx, const swq_product *p, tarjan *t,
                                  int32_t **closed, int32_t **block)
{
    int64_t nodes = 0;

    t->g.p = p;
    *block = NULL;
    for (int k = 0; k < p->factors; k++) {
        t->g.base[k] = (int32_t)nodes;
        nodes += p->factor[k].rows;
        if (nodes > INT32_MAX - 1)
            return swq_fail(ctx, SWQ_ELIMIT, "the chain has more than %d nodes", INT32_MAX - 1);
        t->g.base[k + 1] = (int32_t)nodes;
    }
    t->g.nodes = (int32_t)nodes;
    const int32_t states = (int32_t)p->factor[0].rows;
    size_t n = (size_t)nodes;
    *block = swq_calloc(ctx, n, 7 * sizeof **block);
    if (!*block)
        return swq_memory_status(ctx);
    t->index = *block;
    t->low = *block + n;
    t->stack = *block + 2 * n;
    t->path = *block + 3 * n;
    t->edge = *block + 4 * n;
    t->of = *block + 5 * n;
    *closed = *block + 6 * n;
    for (int32_t s = 0; s < states; s++) {
        if (!t->index[s])
            search_from(t, s);
    }
    for (int32_t s = states; s < t->g.nodes; s++) {
        if (!t->index[s]) /* a node that no state reaches */
            search_from(t, s);
    }
    mark_closed(t, *closed);
    return SWQ_OK;
}

swq_status swq_classes_find(swq_context *ctx, const swq_csr *p, int32_t *of, int64_t *classes)
{
    const swq_product single = {1, p, 0, false};
    tarjan t = {0};
    int32_t *closed, *block;
    swq_status status = find_components(ctx, &single, &t, &closed, &block);

    *classes = 0;
    for (int64_t s = 0; s < p->rows && !status; s++) {
        int32_t *class =
            &closed[t.of[s]]; /* 1: closed, and not numbered yet; then minus its number */
        if (*class == 1)
            *class = -(int32_t)++ * classes;
        of[s] = *class < 0 ? -*class - 1 : -1;
    }
    swq_free(ctx, block);
    return status;
}

static swq_status search_product(swq_context *ctx, const swq_product *p, swq_structure *structure)
{
    tarjan t = {0};
    swq_structure found = {0};
    int32_t class = -1, states = (int32_t)p->factor[0].rows, *closed, *block;
    swq_status status = find_components(ctx, p, &t, &closed, &block);

    if (status) {
        swq_free(ctx, block);
        return status;
    }
    for (int32_t s = 0; s < states && class < 0; s++)
        class = closed[t.of[s]] ? t.of[s] : -1;
    for (int32_t s = 0; s < states; s++) { /* count each closed component once */
        found.closed_classes += closed[t.of[s]] == 1;
        closed[t.of[s]] += closed[t.of[s]] == 1;
        found.recurrent += t.of[s] == class;
    }
    found.class_state = swq_calloc(ctx, (size_t)found.recurrent, sizeof *found.class_state);
    if (!found.class_state) {
        swq_free(ctx, block);
        return swq_memory_status(ctx);
    }
    found.recurrent = 0;
    for (int32_t s = 0; s < states; s++) {
        if (t.of[s] == class)
            found.class_state[found.recurrent++] = s;
    }
    found.period = find_period(&t.g, (int32_t)found.class_state[0], t.stack, t.low);
    swq_free(ctx, block);
    *structure = found;
    return SWQ_OK;
}

/* least[i] = the least next[column] over the entries of row i. */
static void least_of_rows(const swq_csr *m, const int32_t *next, int32_t *least)
{
    for (int64_t i = 0; i < m->rows; i++)
        least[i] = INT32_MAX;
    for (int64_t i = 0; !m->packed && i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            least[i] = next[m->col[e]] < least[i] ? next[m->col[e]] : least[i];
    }
    for (int64_t s = 0; m->packed && s < m->packed->strips; s++) {
        const swq_strip *strip = &m->packed->strip[s];
        const int32_t *to = next + (s << SWQ_STRIP_BITS);
        int32_t *at = least;
        for (int64_t k = 0; k < swq_strip_chunks(strip); k++) {
            swq_packed_chunk w = swq_strip_chunk(strip, k, m->packed->wide);
            for (int64_t e = 0; e < w.count; e++) {
                at += swq_word_gap(&w, e, m->packed->wide);
                int32_t found = to[swq_word_col(&w, e)];
                if (found < *at && swq_word_value(&w, e, m->packed->wide) != 0)
                    *at = found;
            }
        }
    }
}

/* If states are numbered in the order in which they are reached from the first, most chains lead
 * from each state to one with a smaller number in one cycle, and so back to the first: then all
 * states are one class, which is aperiodic if the first state has a transition to itself. One pass
 * over the entries in any order shows this; if the states are not numbered in this way, *seen is
 * false. */
static swq_status look_for_one_class(swq_context *ctx, const swq_product *p,
                                     swq_structure *structure, bool *seen)
{
    int64_t widest = 0, states = p->factor[0].rows;

    *seen = false;
    for (int k = 0; k < p->factors; k++)
        widest = p->factor[k].rows > widest ? p->factor[k].rows : widest;
    int32_t *block = swq_calloc(ctx, (size_t)widest, 2 * sizeof *block);
    if (!block)
        return swq_memory_status(ctx);
    int32_t *next = block, *least = block + widest;
    for (int64_t i = 0; i < states; i++)
        next[i] = (int32_t)i;
    for (int k = p->factors - 1; k >= 0; k--) {
        least_of_rows(&p->factor[k], next, least);
        int32_t *turn = next;
        next = least;
        least = turn;
    }
    bool one = next[0] == 0;
    for (int64_t i = 1; i < states && one; i++)
        one = next[i] < i;
    swq_free(ctx, block);
    int64_t *all = one ? swq_calloc(ctx, (size_t)states, sizeof *all) : NULL;
    if (!all)
        return one ? swq_memory_status(ctx) : SWQ_OK;
    for (int64_t i = 0; i < states; i++)
        all[i] = i;
    *structure =
        (swq_structure){.closed_classes = 1, .recurrent = states, .period = 1, .class_state = all};
    *seen = true;
    return SWQ_OK;
}

swq_status swq_structure_of_product(swq_context *ctx, const swq_product *p,
                                    swq_structure *structure)
{
    swq_csr plain[SWQ_MOST_FACTORS] = {{0}};
    bool seen = false;
    swq_status status = p->from_first ? look_for_one_class(ctx, p, structure, &seen) : SWQ_OK;

    if (status || seen)
        return status;
    if (!swq_product_packed(p))
        return search_product(ctx, p, structure);
    status = swq_product_unpack(ctx, p, plain);
    if (!status)
        status =
            search_product(ctx, &(swq_product){p->factors, plain, p->roundings, false}, structure);
    for (int k = 0; k < p->factors; k++)
        swq_csr_clear(ctx, &plain[k]);
    return status;
}

swq_status swq_structure_find(swq_context *ctx, const swq_csr *p, swq_structure *structure)
{
    swq_product single = {1, p, 0, false};
    return swq_structure_of_product(ctx, &single, structure);
}

void swq_structure_clear(swq_context *ctx, swq_structure *structure)
{
    swq_free(ctx, structure->class_state);
    *structure = (swq_structure){0};
}
