/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights that groups of nodes send to one another, given the weights of the nodes.
 */
#include "base/context.h"
#include "base/packed.h"
#include "solvers/grid.h"

#include <math.h>
#include <string.h>

enum { SUMS_EACH = 64 /* entries for each sum of a part, at least */ };

/* Shares whose relative difference is at most this differ only by rounding. */
#define STEADY 1e-12

/* The number of parts in which a level is weighed: at most one for each strip, and so that the
 * parts have few sums compared with the entries. The number must not depend on the number of
 * threads, since each part is rounded separately. */
static int64_t weighing_parts(const swq_chain_grid *g, int level)
{
    const swq_csr *f = &g->p.factor[level], *into = &g->coarser->own[level];
    int64_t parts = 1;

    while (f->packed && parts < SWQ_MOST_PARTS && parts < f->packed->strips &&
           (parts + 1) * SUMS_EACH * swq_csr_nnz(into) <= f->packed->entries)
        parts++;
    return parts;
}

/* Allocate the weights of groups, and the sums of parts. */
swq_status swq_chain_grid_furnish_weights(swq_context *ctx, swq_chain_grid *g)
{
    int64_t most = 0, entries[SWQ_MOST_PARTS] = {0};

    for (int k = 0; k < g->p.factors; k++) {
        most = g->groups[k] > most ? g->groups[k] : most;
        const int64_t sums = swq_csr_nnz(&g->coarser->own[k]);
        for (int64_t part = weighing_parts(g, k) - 1; part > 0; part--)
            entries[part] = sums > entries[part] ? sums : entries[part];
    }
    g->weight = swq_calloc(ctx, (size_t)most, sizeof *g->weight);
    bool room = g->weight != NULL;
    for (int part = 1; part < SWQ_MOST_PARTS && entries[part] > 0 && room; part++) {
        g->parts[part] = swq_calloc(ctx, (size_t)entries[part], sizeof *g->parts[part]);
        room = g->parts[part] != NULL;
    }
    return room ? SWQ_OK : swq_memory_status(ctx);
}

/* Sum the current weights of the nodes of a level by group. */
static void weigh_groups(const swq_chain_grid *g, int level)
{
    const double *x = g->op.level[level];

    memset(g->weight, 0, sizeof *g->weight * (size_t)g->groups[level]);
    for (int64_t i = 0; i < g->p.factor[level].rows; i++)
        g->weight[g->group[level][i]] += x[i];
}

/* Sum the weights that the nodes of a level send to groups of the next level. */
static void weigh_entries(const swq_chain_grid *g, int level, int64_t part)
{
    const swq_csr *f = &g->p.factor[level];
    const swq_csr *into = &g->coarser->own[level];
    const double *x = g->op.level[level];
    double *sum = part == 0 ? into->value : g->parts[part];

    memset(sum, 0, sizeof *sum * (size_t)swq_csr_nnz(into));
    if (f->packed)
        swq_near_weigh(f, g->group[level], x, &g->near[level], into, part, weighing_parts(g, level),
                       sum);
    for (int64_t i = 0; i < (f->packed ? 0 : f->rows); i++) {
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++)
            sum[g->slot[level][e]] += x[i] * f->value[e];
    }
}

static int64_t weighing_tasks(void *arg, int level)
{
    const swq_chain_grid *g = arg;

    return g->steady[level] ? 0 : weighing_parts(g, level) + 1;
}

static void weigh(void *arg, int level, int64_t task)
{
    const swq_chain_grid *g = arg;
    const int64_t parts = weighing_parts(g, level);

    if (task < parts)
        weigh_entries(g, level, task);
    else
        weigh_groups(g, level);
}

/* Finish a factor of the chain of the groups: its entries are the shares of a group's weight that
 * go to each group of the next level. */
static void finish_weighing(void *arg, int level)
{
    const swq_chain_grid *g = arg;
    swq_csr *into = &g->coarser->own[level];

    if (g->steady[level])
        return;
    for (int64_t part = 1; part < weighing_parts(g, level); part++) {
        for (int64_t e = 0; e < swq_csr_nnz(into); e++)
            into->value[e] += g->parts[part][e];
    }
    for (int64_t group = 0; group < into->rows; group++) {
        int64_t from = into->start[group], to = into->start[group + 1];
        double all = g->weight[group];
        /* the transitions of a group without weight are arbitrary */
        for (int64_t e = from; e < to; e++)
            into->value[e] = all > 0 ? into->value[e] / all : 1 / (double)(to - from);
    }
    if (g->p.factor[level].packed)
        swq_near_let_go(&g->near[level]);
}

static void weigh_level(swq_chain_grid *g, int level)
{
    for (int64_t task = 0; task < weighing_tasks(g, level); task++)
        weigh(g, level, task);
    finish_weighing(g, level);
}

void swq_chain_grid_coarsen(swq_chain_grid *g)
{
    const swq_beside beside = {g, weighing_tasks, weigh, finish_weighing};
    swq_chain_grid *c = g->coarser;

    if (!g->sweep.p)
        swq_operator_spread(&g->op, &beside);
    else
        weigh_level(g, 0);
    memset(c->own_b, 0, sizeof *c->own_b * (size_t)c->op.n);
    for (int64_t i = 0; i < (g->b ? g->op.n : 0); i++)
        c->own_b[g->group[0][i]] += g->b[i];
    if (!g->b)
        c->own_b[g->group[0][g->root]] = 1;
}

/* A pseudo-random weight between 1 and 2 for node i. */
static double irregular(int64_t i, uint64_t seed)
{
    uint64_t h = ((uint64_t)i + seed) * 0x9e3779b97f4a7c15u;

    h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
    return 1 + (double)(h >> 11) * 0x1p-53;
}

/* Make the values of a coarse factor for nodes with pseudo-random weights. */
static void weigh_irregular(swq_chain_grid *g, int level, uint64_t seed)
{
    double *x = g->op.level[level];

    for (int64_t i = 0; i < g->p.factor[level].rows; i++)
        x[i] = irregular(i, seed);
    weigh_level(g, level);
}

/* If the shares are equal for two pseudo-random distributions of weights in the groups, they are
 * taken to be equal for all distributions; in the rare case of a coincidence the iteration would
 * not converge. */
swq_status swq_chain_grid_find_steady(swq_context *ctx, swq_chain_grid *g)
{
    for (int k = 0; k < g->p.factors; k++) {
        const swq_csr *into = &g->coarser->own[k];
        const size_t bytes = sizeof *into->value * (size_t)swq_csr_nnz(into);
        double *first = swq_calloc(ctx, (size_t)swq_csr_nnz(into) + 1, sizeof *first);
        bool same = true;
        if (!first)
            return swq_memory_status(ctx);
        weigh_irregular(g, k, 1);
        memcpy(first, into->value, bytes);
        weigh_irregular(g, k, 1 + (uint64_t)g->p.factor[k].rows);
        for (int64_t e = 0; e < swq_csr_nnz(into) && same; e++)
            same = fabs(into->value[e] - first[e]) <= STEADY * first[e];
        swq_free(ctx, first);
        g->steady[k] = same;
        if (same) { /* the places of entries are no longer needed */
            swq_near_clear(ctx, &g->near[k]);
            swq_free(ctx, g->slot[k]);
            g->slot[k] = NULL;
        }
    }
    return SWQ_OK;
}
