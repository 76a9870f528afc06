/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multilevel aggregation on products of factors.
 * Room: solvers. Includes base.
 */
#include "solvers/multilevel.h"

#include "base/context.h"
#include "base/packed.h"
#include "base/team.h"
#include "solvers/mixing.h"
#include "solvers/near.h"
#include "solvers/operator.h"
#include "solvers/solvers.h"
#include "solvers/sweep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 3,      /* of the iteration in each cycle */
    SWEEPS = 2,     /* forwards and back, where entries are at hand */
    LONG_WAIT = 40, /* cycles without a new least change that show that rounding is reached */
    STALLED = 1000, /* ... or that nothing more will come */
    MOST_PARTS = 8, /* in which a level is weighed */
    SUMS_EACH = 64, /* entries for each sum of a part, at least */
};

/* Changes that rounding alone can cause in the largest chains. */
#define ROUGH 1e-11

/* One degree of coarseness. */
typedef struct grid {
    swq_product p;
    swq_operator op;
    swq_sweep sweep; /* of the single factor; p == NULL: steps of the iteration instead */
    bool borrows;    /* op has somebody else's vectors */
    int64_t root;
    const double *b;                        /* [states]; NULL: the root's unit vector */
    double *own_b;                          /* ... of a coarse grid, or of sweeps */
    const int32_t *group[SWQ_MOST_FACTORS]; /* of each node; NULL in the coarsest grid */
    int32_t *renumbered[SWQ_MOST_FACTORS];  /* ... where they are not those of the grouping */
    int64_t groups[SWQ_MOST_FACTORS];
    int32_t *sorted[SWQ_MOST_FACTORS]; /* nodes by group, while the pattern is found */
    int64_t *first[SWQ_MOST_FACTORS];  /* where a group begins in sorted */
    int32_t *slot[SWQ_MOST_FACTORS];   /* where each entry is added in the coarse factor */
    swq_near near[SWQ_MOST_FACTORS];   /* ... if the factor is packed */
    double *weight;                    /* [groups of any level] what groups hold */
    double *parts[MOST_PARTS];         /* what entries add to a coarse factor, but for part 0 */
    double *held;                      /* [states] what the groups held before they were solved;
                                          NULL in the finest grid */
    swq_csr own[SWQ_MOST_FACTORS];     /* a coarse grid's factors */
    struct grid *coarser;
} grid;

struct swq_multilevel {
    grid *finest;
    swq_mixing mixing;
    swq_grouping distances; /* where no grouping was given */
};

static void free_grid(swq_context *ctx, grid *g)
{
    if (!g)
        return;
    free_grid(ctx, g->coarser);
    for (int k = 0; k < SWQ_MOST_FACTORS; k++) {
        swq_free(ctx, g->renumbered[k]);
        swq_free(ctx, g->sorted[k]);
        swq_free(ctx, g->first[k]);
        swq_free(ctx, g->slot[k]);
        swq_near_clear(ctx, &g->near[k]);
        swq_csr_clear(ctx, &g->own[k]);
    }
    for (int k = 0; k < MOST_PARTS; k++)
        swq_free(ctx, g->parts[k]);
    swq_free(ctx, g->weight);
    swq_free(ctx, g->own_b);
    swq_free(ctx, g->held);
    if (!g->borrows)
        swq_operator_clear(ctx, &g->op);
    swq_sweep_clear(ctx, &g->sweep);
    swq_free(ctx, g);
}

void swq_multilevel_free(swq_context *ctx, swq_multilevel *m)
{
    if (!m)
        return;
    free_grid(ctx, m->finest);
    swq_mixing_clear(ctx, &m->mixing);
    swq_grouping_clear(ctx, &m->distances);
    swq_free(ctx, m);
}

static swq_status new_grid(swq_context *ctx, int factors, const swq_csr *factor, grid **out)
{
    grid *g = swq_calloc(ctx, 1, sizeof *g);

    if (!g)
        return swq_memory_status(ctx);
    *out = g;
    g->p = (swq_product){factors, factor ? factor : g->own, 0, false};
    return SWQ_OK;
}

/* Vectors, once the sizes are known. `omega` as in swq_multilevel_new. */
static swq_status furnish(swq_context *ctx, grid *g, double omega)
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
static swq_status sort_level(swq_context *ctx, grid *g, int level)
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
static swq_status number_groups(swq_context *ctx, grid *g, int level, int64_t most,
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

/* Are groups numbered without gaps in the order in which nodes need them? Then they may stay. */
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

/* Groups at depth d of the grouping, for the grid whose nodes are those at depth d - 1. As groups
 * were renumbered on the way, `given` finds the number of a node in the grouping. */
static swq_status take_groups(swq_context *ctx, grid *g, const swq_grouping *grouping, int depth,
                              int32_t *given[])
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

/* Which groups of the next level a group leads to: one row of the pattern. place[group] - 1 is its
 * entry. */
static swq_status pattern_row(swq_context *ctx, grid *g, int level, int64_t group, int32_t *touched,
                              int64_t *place, int64_t *room)
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

/* The pattern of a coarse factor, and for each entry of the fine one where it is added. */
static swq_status find_pattern(swq_context *ctx, grid *g, int level)
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
    swq_free(ctx, g->sorted[level]); /* needed no more */
    swq_free(ctx, g->first[level]);
    g->sorted[level] = NULL;
    g->first[level] = NULL;
    return status;
}

/* In how many parts a level is weighed: by its strips, and so that the parts' sums are few beside
 * the entries. It must not depend on the number of threads, since the parts are rounded apart. */
static int64_t weighing_parts(const grid *g, int level)
{
    const swq_csr *f = &g->p.factor[level], *into = &g->coarser->own[level];
    int64_t parts = 1;

    while (f->packed && parts < MOST_PARTS && parts < f->packed->strips &&
           (parts + 1) * SUMS_EACH * swq_csr_nnz(into) <= f->packed->entries)
        parts++;
    return parts;
}

/* Room for what groups hold, and for the sums of parts. */
static swq_status furnish_weights(swq_context *ctx, grid *g)
{
    int64_t most = 0, entries[MOST_PARTS] = {0};

    for (int k = 0; k < g->p.factors; k++) {
        most = g->groups[k] > most ? g->groups[k] : most;
        const int64_t sums = swq_csr_nnz(&g->coarser->own[k]);
        for (int64_t part = weighing_parts(g, k) - 1; part > 0; part--)
            entries[part] = sums > entries[part] ? sums : entries[part];
    }
    g->weight = swq_calloc(ctx, (size_t)most, sizeof *g->weight);
    bool room = g->weight != NULL;
    for (int part = 1; part < MOST_PARTS && entries[part] > 0 && room; part++) {
        g->parts[part] = swq_calloc(ctx, (size_t)entries[part], sizeof *g->parts[part]);
        room = g->parts[part] != NULL;
    }
    return room ? SWQ_OK : swq_memory_status(ctx);
}

/* The chain of the groups, but for the values. */
static swq_status make_coarser(swq_context *ctx, grid *g)
{
    swq_status status = new_grid(ctx, g->p.factors, NULL, &g->coarser);

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
    return g->coarser->held ? furnish_weights(ctx, g) : swq_memory_status(ctx);
}

static swq_status build_grids(swq_context *ctx, swq_multilevel *m, const swq_grouping *grouping,
                              double omega)
{
    int32_t *given[SWQ_MOST_FACTORS] = {NULL};
    swq_status status = furnish(ctx, m->finest, omega);

    grid *g = m->finest;
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

/* Without anything known of the model: nodes equally far from the root are a group. */
static swq_status group_rows_by_distance(swq_context *ctx, const swq_product *p, int64_t root,
                                         swq_grouping *g)
{
    int64_t widest = swq_product_widest(p), left = 1;
    int32_t *list = swq_calloc(ctx, (size_t)widest, sizeof *list);
    int32_t *next = swq_calloc(ctx, (size_t)widest, sizeof *next);

    *g = (swq_grouping){.depth = 1, .levels = p->factors};
    g->of = swq_calloc(ctx, (size_t)p->factors, sizeof *g->of);
    g->groups = swq_calloc(ctx, (size_t)p->factors, sizeof *g->groups);
    bool room = list && next && g->of && g->groups;
    for (int k = 0; k < p->factors && room; k++) {
        g->of[k] = swq_calloc(ctx, (size_t)p->factor[k].rows, sizeof *g->of[k]);
        room = g->of[k] != NULL;
        for (int64_t i = 0; room && i < p->factor[k].rows; i++)
            g->of[k][i] = -1;
    }
    if (room) {
        list[0] = (int32_t)root;
        g->of[0][root] = 0;
        g->groups[0] = 1;
    }
    for (int k = 0; room && left > 0; k = (k + 1) % p->factors) {
        int into = (k + 1) % p->factors;
        int64_t found = 0;
        const swq_csr *m = &p->factor[k];
        for (int64_t a = 0; a < left; a++) {
            for (int64_t e = m->start[list[a]]; e < m->start[list[a] + 1]; e++) {
                if (g->of[into][m->col[e]] >= 0)
                    continue;
                g->of[into][m->col[e]] = (int32_t)g->groups[into];
                next[found++] = m->col[e];
            }
        }
        g->groups[into] += found > 0;
        int32_t *turn = list;
        list = next;
        next = turn;
        left = found;
    }
    for (int k = 0; k < p->factors && room; k++) { /* what the root does not lead to */
        int32_t rest = (int32_t)g->groups[k];
        for (int64_t i = 0; i < p->factor[k].rows; i++) {
            if (g->of[k][i] < 0) {
                g->of[k][i] = rest;
                g->groups[k] = rest + 1;
            }
        }
    }
    swq_free(ctx, list);
    swq_free(ctx, next);
    if (!room) {
        swq_grouping_clear(ctx, g);
        return swq_memory_status(ctx);
    }
    return SWQ_OK;
}

static swq_status group_by_distance(swq_context *ctx, const swq_product *p, int64_t root,
                                    swq_grouping *g)
{
    swq_csr plain[SWQ_MOST_FACTORS] = {{0}};

    if (!swq_product_packed(p))
        return group_rows_by_distance(ctx, p, root, g);
    swq_status status = swq_product_unpack(ctx, p, plain);
    if (!status)
        status = group_rows_by_distance(ctx, &(swq_product){p->factors, plain, p->roundings, false},
                                        root, g);
    for (int k = 0; k < p->factors; k++)
        swq_csr_clear(ctx, &plain[k]);
    return status;
}

/* With the vectors of an operator, or NULL. */
static swq_status new_multilevel(swq_context *ctx, const swq_product *p, const swq_operator *op,
                                 const swq_grouping *grouping, int64_t root, double omega,
                                 swq_multilevel **out)
{
    swq_multilevel *m = swq_calloc(ctx, 1, sizeof *m);

    if (!m)
        return swq_memory_status(ctx);
    swq_status status = new_grid(ctx, p->factors, p->factor, &m->finest);
    if (!status) {
        m->finest->root = root;
        m->finest->borrows = op != NULL;
        if (op)
            m->finest->op = *op;
        if (!grouping)
            status = group_by_distance(ctx, p, root, &m->distances);
    }
    if (!status)
        status = build_grids(ctx, m, grouping ? grouping : &m->distances, omega);
    if (!status) {
        status = swq_mixing_init(ctx, m->finest->op.n, SWQ_MIXING_DEPTH, &m->mixing);
    }
    if (status) {
        swq_multilevel_free(ctx, m);
        return status;
    }
    *out = m;
    return SWQ_OK;
}

swq_status swq_multilevel_new(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                              int64_t root, double omega, swq_multilevel **m)
{
    return new_multilevel(ctx, p, NULL, grouping, root, omega, m);
}

swq_status swq_multilevel_new_on(swq_context *ctx, const swq_operator *op,
                                 const swq_grouping *grouping, double omega, swq_multilevel **m)
{
    return new_multilevel(ctx, op->p, op, grouping, op->root, omega, m);
}

long double *swq_multilevel_lend(swq_multilevel *m, int k)
{
    long double *const block = (void *)m->mixing.block; /* forgotten by the next solve */

    assert(k < SWQ_LENT_VECTORS && SWQ_LENT_VECTORS * sizeof(long double) <= SWQ_MIXING_BYTES);
    return block + k * m->mixing.n;
}

/* x <- b + x Q, or sweeps that solve for each entry in turn. */
static void step(grid *g)
{
    if (g->sweep.p) {
        swq_sweep_run(&g->sweep, 1, g->b, g->op.level[0]);
        return;
    }
    swq_operator_spread(&g->op, NULL);
    const double *image = g->op.level[g->p.factors];
    double *x = g->op.level[0];
    for (int64_t i = 0; i < g->op.n; i++)
        x[i] = (g->b ? g->b[i] : i == g->root) + (i == g->root ? 0 : image[i]);
}

/* What the nodes of a level hold now, by group. */
static void weigh_groups(const grid *g, int level)
{
    const double *x = g->op.level[level];

    memset(g->weight, 0, sizeof *g->weight * (size_t)g->groups[level]);
    for (int64_t i = 0; i < g->p.factor[level].rows; i++)
        g->weight[g->group[level][i]] += x[i];
}

/* What they send to groups of the next level. */
static void weigh_entries(const grid *g, int level, int64_t part)
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
    return weighing_parts(arg, level) + 1;
}

static void weigh(void *arg, int level, int64_t task)
{
    const grid *g = arg;
    const int64_t parts = weighing_parts(g, level);

    if (task < parts)
        weigh_entries(g, level, task);
    else
        weigh_groups(g, level);
}

/* A factor of the chain of the groups: the share of what a group holds that goes to each other. */
static void finish_weighing(void *arg, int level)
{
    const grid *g = arg;
    swq_csr *into = &g->coarser->own[level];

    for (int64_t part = 1; part < weighing_parts(g, level); part++) {
        for (int64_t e = 0; e < swq_csr_nnz(into); e++)
            into->value[e] += g->parts[part][e];
    }
    for (int64_t group = 0; group < into->rows; group++) {
        int64_t from = into->start[group], to = into->start[group + 1];
        double all = g->weight[group];
        for (int64_t e = from; e < to; e++) /* a group that holds nothing goes anywhere */
            into->value[e] = all > 0 ? into->value[e] / all : 1 / (double)(to - from);
    }
    if (g->p.factor[level].packed)
        swq_near_let_go(&g->near[level]);
    if (level == 0)
        memcpy(g->coarser->op.level[0], g->weight, sizeof *g->weight * (size_t)into->rows);
}

/* Make the chain of the groups from what the nodes hold: all levels in one step of the iteration,
 * which leaves level 0 as it is, or the one level there is. */
static void coarsen(grid *g)
{
    const swq_beside beside = {g, weighing_tasks, weigh, finish_weighing};
    grid *c = g->coarser;

    if (!g->sweep.p) {
        swq_operator_spread(&g->op, &beside);
    } else {
        for (int64_t task = 0; task < weighing_tasks(g, 0); task++)
            weigh(g, 0, task);
        finish_weighing(g, 0);
    }
    memset(c->own_b, 0, sizeof *c->own_b * (size_t)c->op.n);
    for (int64_t i = 0; i < (g->b ? g->op.n : 0); i++)
        c->own_b[g->group[0][i]] += g->b[i];
    if (!g->b)
        c->own_b[g->group[0][g->root]] = 1;
}

/* The coarsest chain, by elimination. */
static swq_status eliminate(swq_context *ctx, grid *g)
{
    const swq_solver *method = swq_solver_elimination(g->op.n);
    swq_solver_options options = swq_solver_options_defaults();
    swq_csr p = {0};
    void *work = NULL;

    if (!method)
        return swq_solver_has_room(ctx, &swq_solver_sparse_gth);
    swq_status status = swq_product_multiply(ctx, &g->p, &p, NULL);
    if (!status)
        status = method->prepare(ctx, &p, g->root, &options, &work);
    if (!status)
        status = method->visits(ctx, work, g->b, g->op.level[0]);
    if (work)
        method->release(ctx, work);
    swq_csr_clear(ctx, &p);
    return status;
}

static swq_status cycle(swq_context *ctx, grid *g)
{
    grid *c = g->coarser;

    if (!c)
        return eliminate(ctx, g);
    if (g->sweep.p) {
        swq_sweep_run(&g->sweep, SWEEPS, g->b, g->op.level[0]);
    } else {
        for (int k = 0; k < STEPS; k++)
            step(g);
    }
    coarsen(g);
    if (c->sweep.p)
        swq_sweep_values(&c->sweep);
    memcpy(c->held, c->op.level[0], sizeof *c->held * (size_t)c->op.n);
    swq_status status = cycle(ctx, c);
    if (!status && c->coarser) /* twice: a coarse chain mixes as slowly as the fine one */
        status = cycle(ctx, c);
    for (int64_t i = 0; i < g->op.n && !status; i++) {
        int32_t group = g->group[0][i];
        double factor = c->op.level[0][group] / c->held[group];
        if (factor > 0 && isfinite(factor))
            g->op.level[0][i] *= factor;
    }
    return status;
}

swq_status swq_multilevel_solve(swq_context *ctx, swq_multilevel *m, const double *b, double *x,
                                double tolerance, int64_t most_cycles, double *change,
                                int64_t *cycles)
{
    grid *g = m->finest;
    size_t bytes = sizeof *x * (size_t)g->op.n;
    double least = INFINITY;
    int64_t waited = 0;
    swq_status status = SWQ_OK;

    g->b = b ? b : g->own_b;
    if (!b && g->own_b) {
        memset(g->own_b, 0, bytes);
        g->own_b[g->root] = 1;
    }
    swq_mixing_restart(&m->mixing);
    for (int64_t k = 0;; k++) {
        memcpy(g->op.level[0], x, bytes);
        status = cycle(ctx, g);
        if (status)
            return status;
        step(g);
        ++*cycles;
        *change = swq_mixing_step(&m->mixing, x, g->op.level[0], x);
        if (*change <= tolerance) {
            memcpy(x, g->op.level[0], bytes); /* not the mixture, whose change is not known */
            return SWQ_OK;
        }
        waited = *change < least ? 0 : waited + 1;
        least = fmin(least, *change);
        if (waited > LONG_WAIT && least < ROUGH) {
            memcpy(x, g->op.level[0], bytes);
            return SWQ_OK;
        }
        if (k + 1 >= most_cycles || waited > STALLED)
            return swq_fail(ctx, SWQ_ECONVERGE,
                            "aggregation did not reach a change of %g in %lld cycles", tolerance,
                            (long long)k + 1);
        swq_progress(ctx, "cycles of aggregation", (double)*cycles, 0);
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld cycles", (long long)*cycles);
    }
}
