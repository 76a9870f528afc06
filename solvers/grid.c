/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the grids of aggregation: groups, and the groups to which each group leads.
 */
#include "solvers/grid.h"

#include "base/context.h"
#include "base/packed.h"

#include <stdlib.h>

void swq_chain_grid_free(swq_context *ctx, swq_chain_grid *g)
{
    if (!g)
        return;
    swq_chain_grid_free(ctx, g->coarser);
    for (int k = 0; k < SWQ_MOST_FACTORS; k++) {
        swq_free(ctx, g->renumbered[k]);
        swq_free(ctx, g->sorted[k]);
        swq_free(ctx, g->first[k]);
        swq_free(ctx, g->slot[k]);
        swq_near_clear(ctx, &g->near[k]);
        swq_csr_clear(ctx, &g->own[k]);
    }
    for (int k = 0; k < SWQ_MOST_PARTS; k++)
        swq_free(ctx, g->parts[k]);
    swq_free(ctx, g->weight);
    swq_free(ctx, g->own_b);
    swq_free(ctx, g->held);
    if (!g->borrows)
        swq_operator_clear(ctx, &g->op);
    swq_sweep_clear(ctx, &g->sweep);
    swq_free(ctx, g);
}

swq_status swq_chain_grid_new(swq_context *ctx, int factors, const swq_csr *factor,
                              swq_chain_grid **out)
{
    swq_chain_grid *g = swq_calloc(ctx, 1, sizeof *g);

    if (!g)
        return swq_memory_status(ctx);
    *out = g;
    g->p = (swq_product){factors, factor ? factor : g->own, 0, false};
    return SWQ_OK;
}

/* Allocate the vectors, once the sizes are known. `omega` as in swq_multilevel_new. */
static swq_status furnish(swq_context *ctx, swq_chain_grid *g, double omega)
{
    swq_status status = g->borrows ? SWQ_OK : swq_operator_init(ctx, &g->p, g->root, &g->op);
    if (!status && omega > 0)
        status = swq_sweep_init(ctx, &g->p.factor[0], g->root, omega, &g->sweep);
    if (status)
        return status;
    const bool needed = !g->borrows || g->sweep.p;
    if (needed)
        g->own_b = swq_calloc(ctx, (size_t)g->op.n, sizeof *g->own_b);
    g->b = g->own_b;
    return needed && !g->own_b ? swq_memory_status(ctx) : SWQ_OK;
}

/* Sort the nodes of a level by group. */
static swq_status sort_level(swq_context *ctx, swq_chain_grid *g, int level)
{
    int64_t nodes = g->p.factor[level].rows, groups = g->groups[level];
    int64_t *first = swq_calloc(ctx, (size_t)groups + 2, sizeof *first);
    int32_t *sorted = swq_calloc(ctx, (size_t)nodes, sizeof *sorted);

    g->first[level] = first;
    g->sorted[level] = sorted;
    if (!first || !sorted)
        return swq_memory_status(ctx);
    for (int64_t i = 0; i < nodes; i++)
        first[g->group[level][i] + 2]++;
    for (int64_t k = 2; k <= groups + 1; k++)
        first[k] += first[k - 1];
    for (int64_t i = 0; i < nodes; i++)
        sorted[first[g->group[level][i] + 1]++] = (int32_t)i;
    return SWQ_OK;
}

/* Give the root a group of its own, and number the groups that are used without gaps. */
static swq_status number_groups(swq_context *ctx, swq_chain_grid *g, int level, int64_t most,
                                const int32_t *of, const int32_t *given)
{
    int64_t nodes = g->p.factor[level].rows, used = 0;
    int32_t *number = swq_calloc(ctx, (size_t)most + 1, sizeof *number);
    int32_t *mine = swq_calloc(ctx, (size_t)nodes, sizeof *mine);

    g->group[level] = g->renumbered[level] = mine;
    for (int64_t i = 0; i < nodes && mine && number; i++) {
        int32_t group = level == 0 && i == g->root ? (int32_t)most : of[given ? given[i] : i];
        if (!number[group])
            number[group] = (int32_t)++used;
        mine[i] = number[group] - 1;
    }
    g->groups[level] = used;
    const bool room = mine && number;
    swq_free(ctx, number);
    return room ? SWQ_OK : swq_memory_status(ctx);
}

/* Are groups numbered without gaps in the order in which nodes refer to them? Then they keep their
 * numbers. */
static bool in_order(const int32_t *of, int64_t nodes, int64_t *groups)
{
    int32_t next = 0;

    for (int64_t i = 0; i < nodes; i++) {
        if (of[i] > next)
            return false;
        next += of[i] == next;
    }
    *groups = next;
    return true;
}

/* Take the groups at depth d of the grouping for the grid whose nodes are the groups at depth d -
 * 1. As groups were renumbered at each depth, `given` has the number of each node in the
 * grouping. */
static swq_status take_groups(swq_context *ctx, swq_chain_grid *g, const swq_grouping *grouping,
                              int depth, int32_t *given[])
{
    for (int k = 0; k < g->p.factors; k++) {
        int64_t nodes = g->p.factor[k].rows;
        int64_t most = grouping->groups[depth * grouping->levels + k];
        const int32_t *of = grouping->of[depth * grouping->levels + k];
        int32_t *coarse = swq_calloc(ctx, (size_t)most + 1, sizeof *coarse);
        if (!coarse)
            return swq_memory_status(ctx);
        swq_status status = SWQ_OK;
        if (k > 0 && !given[k] && in_order(of, nodes, &g->groups[k]))
            g->group[k] = of;
        else
            status = number_groups(ctx, g, k, most, of, given[k]);
        if (!status && !g->p.factor[k].packed)
            status = sort_level(ctx, g, k);
        for (int64_t i = 0; i < nodes && !status; i++)
            coarse[g->group[k][i]] = of[given[k] ? given[k][i] : i];
        swq_free(ctx, given[k]);
        given[k] = coarse;
        if (status)
            return status;
    }
    return SWQ_OK;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The groups of the next level to which a group leads: one row of the pattern. place[group] - 1 is
 * its entry. */
static swq_status pattern_row(swq_context *ctx, swq_chain_grid *g, int level, int64_t group,
                              int32_t *touched, int64_t *place, int64_t *room)
{
    const swq_csr *f = &g->p.factor[level];
    const int32_t *next = g->group[(level + 1) % g->p.factors];
    swq_csr *into = &g->coarser->own[level];
    int64_t from = into->start[group], count = 0;

    for (int64_t k = g->first[level][group]; k < g->first[level][group + 1]; k++) {
        int64_t i = g->sorted[level][k];
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            int32_t to = next[f->col[e]];
            if (!place[to])
                touched[count++] = to;
            place[to] = 1;
        }
    }
    if (from + count > *room) {
        int64_t more = 2 * (from + count) + 64;
        int32_t *col = swq_resize(ctx, into->col, (size_t)more, sizeof *col);
        if (!col)
            return swq_memory_status(ctx);
        into->col = col;
        *room = more;
    }
    qsort(touched, (size_t)count, sizeof *touched, ascending);
    for (int64_t k = 0; k < count; k++) {
        into->col[from + k] = touched[k];
        place[touched[k]] = from + k;
    }
    for (int64_t k = g->first[level][group]; k < g->first[level][group + 1]; k++) {
        int64_t i = g->sorted[level][k];
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++)
            g->slot[level][e] = (int32_t)place[next[f->col[e]]];
    }
    for (int64_t k = 0; k < count; k++)
        place[touched[k]] = 0;
    into->start[group + 1] = from + count;
    return SWQ_OK;
}

/* Find the pattern of a coarse factor, and for each entry of the fine factor the coarse entry to
 * which it is added. */
static swq_status find_pattern(swq_context *ctx, swq_chain_grid *g, int level)
{
    int64_t next = g->groups[(level + 1) % g->p.factors], room = 0;
    swq_csr *into = &g->coarser->own[level];
    int32_t *touched = swq_calloc(ctx, (size_t)next, sizeof *touched);
    int64_t *place = swq_calloc(ctx, (size_t)next, sizeof *place);
    size_t entries = (size_t)swq_csr_nnz(&g->p.factor[level]);

    g->slot[level] = swq_calloc(ctx, entries, sizeof *g->slot[level]);
    into->rows = g->groups[level];
    into->cols = next;
    into->start = swq_calloc(ctx, (size_t)into->rows + 1, sizeof *into->start);
    swq_status status =
        touched && place && g->slot[level] && into->start ? SWQ_OK : swq_memory_status(ctx);
    for (int64_t group = 0; group < into->rows && !status; group++)
        status = pattern_row(ctx, g, level, group, touched, place, &room);
    if (!status) {
        into->value = swq_calloc(ctx, (size_t)swq_csr_nnz(into), sizeof *into->value);
        status = into->value ? SWQ_OK : swq_memory_status(ctx);
    }
    swq_free(ctx, touched);
    swq_free(ctx, place);
    swq_free(ctx, g->sorted[level]); /* no longer needed */
    swq_free(ctx, g->first[level]);
    g->sorted[level] = NULL;
    g->first[level] = NULL;
    return status;
}

/* Make the chain of the groups, except its values. */
static swq_status make_coarser(swq_context *ctx, swq_chain_grid *g)
{
    swq_status status = swq_chain_grid_new(ctx, g->p.factors, NULL, &g->coarser);

    for (int k = 0; k < g->p.factors && !status; k++) {
        int next = (k + 1) % g->p.factors;
        status =
            g->p.factor[k].packed
                ? swq_near_find(ctx, &g->p.factor[k], g->group[k], g->groups[k], g->group[next],
                                g->groups[next], &g->coarser->own[k], &g->near[k])
                : find_pattern(ctx, g, k);
    }
    if (status)
        return status;
    g->coarser->root = g->group[0][g->root];
    status = furnish(ctx, g->coarser, g->sweep.omega);
    if (status)
        return status;
    g->coarser->held = swq_calloc(ctx, (size_t)g->coarser->op.n, sizeof *g->coarser->held);
    if (!g->coarser->held)
        return swq_memory_status(ctx);
    return swq_chain_grid_furnish_weights(ctx, g);
}

swq_status swq_chain_grid_build(swq_context *ctx, swq_chain_grid *finest,
                                const swq_grouping *grouping, double omega)
{
    int32_t *given[SWQ_MOST_FACTORS] = {NULL};
    swq_status status = furnish(ctx, finest, omega);

    swq_chain_grid *g = finest;
    for (int d = 0; d < grouping->depth && !status; d++) {
        status = take_groups(ctx, g, grouping, d, given);
        if (!status)
            status = make_coarser(ctx, g);
        g = g->coarser;
    }
    for (int k = 0; k < SWQ_MOST_FACTORS; k++)
        swq_free(ctx, given[k]);
    return status;
}
