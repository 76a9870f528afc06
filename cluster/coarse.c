/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of groups over all ranks.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/coarse.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

enum {
    FEW_GROUPS = 1500, /* elimination takes a few hundredths of a second */
    MOST_DEPTH = 12,
    COARSE_CYCLES = 2 /* a coarse chain mixes as slowly as the fine one */
};

/* Shares that differ by this part of themselves differ by rounding. */
#define STEADY 1e-12

/* The pattern of a coarse factor as a square of bits. */
typedef struct {
    const int32_t *group, *next;
    int64_t cols;
    uint64_t *bit;
} pattern;

static void mark_pair(uint64_t *bit, int64_t at)
{
    bit[at / 64] |= UINT64_C(1) << (at % 64);
}

static void mark_entry(void *arg, int64_t row, int64_t col, double value)
{
    const pattern *p = arg;

    (void)value;
    mark_pair(p->bit, p->group[row] * p->cols + p->next[col]);
}

/* Find the pairs of groups of which one leads to the other on any rank. halo: the groups of the
 * halo's nodes. */
static swq_status find_pattern(swq_coarse *c, int k, const int32_t *halo)
{
    swq_spread_chain *s = c->s;
    const int next = (k + 1) % s->levels;
    const int64_t rows = c->groups[k], cols = c->groups[next], words = rows * cols / 64 + 1;
    uint64_t *bit = swq_calloc(s->ctx, (size_t)words, sizeof *bit);
    swq_csr *f = &c->factor[k];
    pattern home = {s->groups.of[k], s->groups.of[next], cols, bit};
    pattern away = {s->groups.of[k], halo, cols, bit};
    int64_t entries = 0;

    *f = (swq_csr){.rows = rows, .cols = cols};
    f->start = swq_calloc(s->ctx, (size_t)rows + 1, sizeof *f->start);
    swq_status status =
        swq_fleet_agree(s->fleet, bit && f->start ? SWQ_OK : swq_memory_status(s->ctx));
    if (!status) {
        swq_spread_entries(&s->home[k], mark_entry, &home);
        swq_spread_entries(&s->away[k], mark_entry, &away);
        if (k == 0 && c->root_was_alone) /* nobody is left in its group, which goes anywhere */
            mark_pair(bit, c->root_group * cols);
        MPI_Allreduce(MPI_IN_PLACE, bit, (int)words, MPI_UINT64_T, MPI_BOR, s->fleet->comm);
        for (int64_t w = 0; w < words; w++)
            entries += __builtin_popcountll(bit[w]);
        f->col = swq_calloc(s->ctx, (size_t)entries + 1, sizeof *f->col);
        f->value = swq_calloc(s->ctx, (size_t)entries + 1, sizeof *f->value);
        status = swq_fleet_agree(s->fleet, f->col && f->value ? SWQ_OK : swq_memory_status(s->ctx));
    }
    entries = 0;
    for (int64_t i = 0; i < rows && !status; i++) {
        for (int64_t j = 0; j < cols; j++) {
            if (bit[(i * cols + j) / 64] >> ((i * cols + j) % 64) & 1)
                f->col[entries++] = (int32_t)j;
        }
        f->start[i + 1] = entries;
    }
    swq_free(s->ctx, bit);
    return status;
}

/* The pattern of factor k, and where its entries are added. */
static swq_status place_entries(swq_coarse *c, int k)
{
    swq_spread_chain *s = c->s;
    const int32_t *group = s->groups.of[k], *next = s->groups.of[(k + 1) % s->levels];
    int32_t *halo = swq_calloc(s->ctx, (size_t)s->halo[k].nodes + 1, sizeof *halo);

    c->held[k] = swq_calloc(s->ctx, (size_t)c->groups[k] + 1, sizeof *c->held[k]);
    swq_status status =
        swq_fleet_agree(s->fleet, halo && c->held[k] ? SWQ_OK : swq_memory_status(s->ctx));
    if (!status)
        status = swq_spread_show(s, k, next, halo);
    if (!status)
        status = find_pattern(c, k, halo);
    if (!status) {
        status = swq_near_place(s->ctx, &s->home[k], group, next, &c->factor[k], &c->home[k]);
        if (!status)
            status = swq_near_place(s->ctx, &s->away[k], group, halo, &c->factor[k], &c->away[k]);
        status = swq_fleet_agree(s->fleet, status);
    }
    swq_free(s->ctx, halo);
    return status;
}

void swq_coarse_note(void *arg, int k, const double *x)
{
    swq_coarse *c = arg;
    const swq_spread_chain *s = c->s;
    const int32_t *group = s->groups.of[k];
    swq_csr *f = &c->factor[k];

    if (c->steady[k] && k > 0)
        return;
    memset(c->held[k], 0, sizeof *c->held[k] * (size_t)c->groups[k]);
    for (int64_t i = 0; i < s->own[k]; i++)
        c->held[k][group[i]] += x[i];
    if (c->steady[k])
        return;
    memset(f->value, 0, sizeof *f->value * (size_t)swq_csr_nnz(f));
    swq_near_weigh(&s->home[k], group, x, &c->home[k], f, 0, 1, f->value);
    swq_near_weigh(&s->away[k], group, x, &c->away[k], f, 0, 1, f->value);
}

/* Sum over all ranks, at rank 0. */
static void sum_up(const swq_fleet *fleet, double *value, int64_t count)
{
    MPI_Reduce(fleet->rank == 0 ? MPI_IN_PLACE : value, value, (int)count, MPI_DOUBLE, MPI_SUM, 0,
               fleet->comm);
}

/* The probabilities of the coarse chain, at rank 0. */
static void collect(swq_coarse *c, int k)
{
    const swq_fleet *fleet = c->s->fleet;
    swq_csr *f = &c->factor[k];
    const double *held = c->held[k];

    if (!c->steady[k] || k == 0)
        sum_up(fleet, c->held[k], c->groups[k]);
    if (c->steady[k])
        return;
    sum_up(fleet, f->value, swq_csr_nnz(f));
    for (int64_t g = 0; g < f->rows && fleet->rank == 0; g++) {
        const int64_t from = f->start[g], to = f->start[g + 1];
        for (int64_t e = from; e < to; e++) /* for a group that holds nothing, any transitions do */
            f->value[e] = held[g] > 0 ? f->value[e] / held[g] : 1 / (double)(to - from);
    }
}

/* Between 1 and 2, and anything but regular in i. */
static double irregular(int64_t i)
{
    return 1 + (double)(swq_mix_bits((uint64_t)i + 1) >> 11) * 0x1p-53;
}

/* Find the shares for nodes that hold something irregular. */
static void weigh_irregular(swq_coarse *c, int k, int64_t seed, double *x)
{
    const swq_spread_chain *s = c->s;

    for (int64_t i = 0; i < s->own[k]; i++)
        x[i] = irregular(s->first[k] + i + seed);
    swq_coarse_note(c, k, x);
    collect(c, k);
}

/* If a group's shares are the same for two ways to distribute the group's sum over its nodes, they
 * are the same for all ways: see swq_chain_grid_find_steady. The places of entries are then needed
 * no more. */
static swq_status find_steady(swq_coarse *c, int k)
{
    swq_spread_chain *s = c->s;
    swq_csr *f = &c->factor[k];
    const int64_t entries = swq_csr_nnz(f);
    double *first = swq_calloc(s->ctx, (size_t)entries + 1, sizeof *first);
    double *x = swq_calloc(s->ctx, (size_t)s->own[k] + 1, sizeof *x);
    swq_status status = swq_fleet_agree(s->fleet, first && x ? SWQ_OK : swq_memory_status(s->ctx));

    if (!status) {
        int same = 1;
        weigh_irregular(c, k, 0, x);
        memcpy(first, f->value, sizeof *first * (size_t)entries);
        weigh_irregular(c, k, s->all[k], x);
        for (int64_t e = 0; e < entries && same; e++)
            same = fabs(f->value[e] - first[e]) <= STEADY * first[e];
        MPI_Bcast(&same, 1, MPI_INT, 0, s->fleet->comm);
        c->steady[k] = same;
        if (same) {
            swq_near_clear(s->ctx, &c->home[k]);
            swq_near_clear(s->ctx, &c->away[k]);
        }
        if (same && s->fleet->rank > 0)
            swq_csr_clear(s->ctx, f);
    }
    swq_free(s->ctx, first);
    swq_free(s->ctx, x);
    return status;
}

/* Groups of groups of one level, by halved keys; the root stays alone. keys: halved too, in turn.
 */
static swq_status group_level(swq_coarse *c, int level, swq_intern *keys, int32_t **of,
                              int64_t *groups)
{
    swq_context *ctx = c->s->ctx;
    const int words = c->s->groups.words;
    const bool with_root = level == 0;
    swq_intern coarser;
    swq_status status = SWQ_OK;

    swq_intern_init(&coarser, words);
    *of = swq_calloc(ctx, (size_t)keys->count + 1 + with_root, sizeof **of);
    status = *of ? SWQ_OK : swq_memory_status(ctx);
    for (int64_t i = 0; i < keys->count && !status; i++) {
        swq_word key[SWQ_KEY_WORDS];
        memcpy(key, swq_intern_state(keys, i), sizeof *key * (size_t)words);
        swq_groups_halve(key, words);
        const int64_t number = swq_intern_number(ctx, &coarser, key);
        status = number < 0 ? swq_memory_status(ctx) : SWQ_OK;
        (*of)[i] = (int32_t)number;
    }
    if (with_root && !status)
        (*of)[keys->count] = (int32_t)coarser.count;
    *groups = coarser.count + with_root;
    swq_intern_clear(ctx, keys);
    *keys = coarser;
    return status;
}

static swq_status copy_keys(swq_context *ctx, const swq_intern *from, swq_intern *to)
{
    swq_intern_init(to, from->words);
    for (int64_t i = 0; i < from->count; i++) {
        if (swq_intern_number(ctx, to, swq_intern_state(from, i)) < 0)
            return swq_memory_status(ctx);
    }
    return SWQ_OK;
}

/* Groups of groups, for rank 0. */
static swq_status group_further(swq_coarse *c)
{
    swq_context *ctx = c->s->ctx;
    const int levels = c->s->levels;
    swq_grouping *g = &c->further;
    const size_t arrays = (size_t)MOST_DEPTH * (size_t)levels;
    swq_intern keys[SWQ_CHAIN_LEVELS] = {{0}};
    swq_status status = SWQ_OK;
    int64_t most = 0;

    *g = (swq_grouping){.levels = levels};
    g->of = swq_calloc(ctx, arrays, sizeof *g->of);
    g->groups = swq_calloc(ctx, arrays, sizeof *g->groups);
    if (!g->of || !g->groups)
        return swq_memory_status(ctx);
    for (int k = 0; k < levels && !status; k++) {
        most = c->groups[k] > most ? c->groups[k] : most;
        status = copy_keys(ctx, &c->s->groups.keys[k], &keys[k]);
    }
    while (most > FEW_GROUPS && g->depth < MOST_DEPTH && !status) {
        const int d = g->depth++;
        most = 0;
        for (int k = 0; k < levels && !status; k++) {
            int64_t *groups = &g->groups[d * levels + k];
            status = group_level(c, k, &keys[k], &g->of[d * levels + k], groups);
            most = *groups > most ? *groups : most;
        }
    }
    for (int k = 0; k < levels; k++)
        swq_intern_clear(ctx, &keys[k]);
    return status;
}

/* Take the vectors of the coarse chain, and at rank 0 the solver of that chain. */
static swq_status furnish(swq_coarse *c)
{
    const swq_spread_chain *s = c->s;
    const size_t groups = (size_t)c->groups[0];
    swq_status status;

    c->b = swq_calloc(s->ctx, groups, sizeof *c->b);
    c->x = swq_calloc(s->ctx, groups, sizeof *c->x);
    c->before = swq_calloc(s->ctx, groups, sizeof *c->before);
    status = c->b && c->x && c->before ? SWQ_OK : swq_memory_status(s->ctx);
    if (status || s->fleet->rank > 0)
        return status;
    c->product = (swq_product){.factors = s->levels, .factor = c->factor};
    status = group_further(c);
    return status ? status
                  : swq_multilevel_new_varying(s->ctx, &c->product, &c->further, c->groups[0] - 1,
                                               &c->grids);
}

/* Give the root a group of its own. */
static void take_out_root(swq_coarse *c)
{
    const swq_spread_chain *s = c->s;
    int32_t *of = s->groups.of[0];
    int64_t others = 0;

    c->root_group = (int32_t)swq_fleet_most(s->fleet, c->root >= 0 ? of[c->root] : -1);
    if (c->root >= 0)
        of[c->root] = (int32_t)c->groups[0] - 1;
    for (int64_t i = 0; i < s->own[0]; i++)
        others += of[i] == c->root_group;
    c->root_was_alone = swq_fleet_sum(s->fleet, others) == 0;
}

swq_status swq_coarse_new(swq_spread_chain *s, int64_t root, swq_coarse *c)
{
    swq_status status = SWQ_OK;

    *c = (swq_coarse){.s = s, .root = root};
    for (int k = 0; k < s->levels; k++)
        c->groups[k] = s->groups.keys[k].count + (k == 0);
    take_out_root(c);
    for (int k = 0; k < s->levels && !status; k++) {
        status = place_entries(c, k);
        if (!status)
            status = find_steady(c, k);
    }
    return status ? status : swq_fleet_agree(s->fleet, furnish(c));
}

void swq_coarse_clear(swq_coarse *c)
{
    if (!c->s)
        return;
    swq_context *ctx = c->s->ctx;
    if (c->root >= 0)
        c->s->groups.of[0][c->root] = c->root_group;
    swq_multilevel_free(ctx, c->grids);
    swq_grouping_clear(ctx, &c->further);
    for (int k = 0; k < c->s->levels; k++) {
        swq_near_clear(ctx, &c->home[k]);
        swq_near_clear(ctx, &c->away[k]);
        swq_free(ctx, c->held[k]);
        swq_csr_clear(ctx, &c->factor[k]);
    }
    swq_free(ctx, c->b);
    swq_free(ctx, c->x);
    swq_free(ctx, c->before);
    *c = (swq_coarse){0};
}

void swq_coarse_start(swq_coarse *c, const double *b)
{
    memset(c->b, 0, sizeof *c->b * (size_t)c->groups[0]);
    for (int64_t i = 0; i < c->s->own[0]; i++)
        c->b[c->s->groups.of[0][i]] += b[i];
    swq_fleet_add(c->s->fleet, c->b, (int)c->groups[0]);
}

swq_status swq_coarse_correct(swq_coarse *c, double *x)
{
    swq_spread_chain *s = c->s;
    const int64_t groups = c->groups[0];
    swq_status status = SWQ_OK;

    for (int k = 0; k < s->levels; k++)
        collect(c, k);
    if (s->fleet->rank == 0) {
        double change;
        int64_t cycles = 0;
        memcpy(c->x, c->held[0], sizeof *c->x * (size_t)groups);
        memcpy(c->before, c->x, sizeof *c->x * (size_t)groups);
        status = swq_multilevel_solve(s->ctx, c->grids, c->b, c->x, 1e-13,
                                      c->further.depth > 0 ? COARSE_CYCLES : 1, &change, &cycles);
        if (status == SWQ_ECONVERGE) /* an approximate solution is enough */
            status = SWQ_OK;
        for (int64_t g = 0; g < groups; g++) {
            const double factor = c->x[g] / c->before[g];
            c->x[g] = factor > 0 && isfinite(factor) ? factor : 1;
        }
    }
    status = swq_fleet_agree(s->fleet, status);
    if (status)
        return status;
    MPI_Bcast(c->x, (int)groups, MPI_DOUBLE, 0, s->fleet->comm);
    for (int64_t i = 0; i < s->own[0]; i++)
        x[i] *= c->x[s->groups.of[0][i]];
    return SWQ_OK;
}

#endif
