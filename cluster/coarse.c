/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of nodes over all ranks, and the chain of groups.
 * Room: cluster. Includes models, solvers, base.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/coarse.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 2 * SWQ_MAX_PORTS * SWQ_MAX_PORTS + 2,
    MOST_GROUPS = 16384, /* the pattern of a factor is found in a square of bits */
    FEW_GROUPS = 1500,   /* elimination takes a few hundredths of a second */
    MOST_DEPTH = 12,
    COARSE_CYCLES = 2 /* a coarse chain mixes as slowly as the fine one */
};

static void halve(swq_word *key, int words)
{
    for (int w = 0; w < words; w++)
        key[w] = (swq_word)((key[w] + 1) / 2);
}

/* The key of a node. Its last word distinguishes the root. */
static void key_of(const swq_coarse *c, int level, int64_t node, int64_t root, int halvings,
                   swq_word *key)
{
    swq_chain_key(c->s->chain, level, node, key);
    for (int h = 0; h < halvings; h++)
        halve(key, c->words - 1);
    key[c->words - 1] = level == 0 && node == root;
}

static int by_words(const void *a, const void *b)
{
    const swq_word *x = a, *y = b;
    /* each key begins with its number of words */
    return memcmp(x + 1, y + 1, sizeof *x * x[0]);
}

/* Unite the keys of all ranks, numbered in the same order on each. */
static swq_status unite_keys(swq_coarse *c, const swq_intern *mine, swq_intern *all)
{
    const swq_fleet *f = c->s->fleet;
    swq_context *ctx = c->s->ctx;
    const size_t ranks = (size_t)f->ranks, item = (size_t)c->words + 1;
    int *count = swq_calloc(ctx, ranks, sizeof *count), *at = swq_calloc(ctx, ranks, sizeof *at);
    int64_t total = 0;
    int words = 0;
    swq_word *gathered = NULL;
    swq_status status = swq_fleet_agree(c->s->fleet, count && at ? SWQ_OK : swq_memory_status(ctx));

    if (!status) {
        words = (int)(mine->count * c->words);
        MPI_Allgather(&words, 1, MPI_INT, count, 1, MPI_INT, f->comm);
        for (int r = 0; r < f->ranks; r++) {
            at[r] = (int)total;
            total += count[r];
        }
        gathered = swq_calloc(ctx, (size_t)(total / c->words) * item + (size_t)total + 1,
                              sizeof *gathered);
        status = swq_fleet_agree(c->s->fleet, gathered ? SWQ_OK : swq_memory_status(ctx));
    }
    if (!status) {
        swq_word *sorted = gathered + total;
        const int64_t keys = total / c->words;
        MPI_Allgatherv(mine->state, words, MPI_UINT16_T, gathered, count, at, MPI_UINT16_T,
                       f->comm);
        for (int64_t k = 0; k < keys; k++) {
            sorted[k * (int64_t)item] = (swq_word)c->words;
            memcpy(sorted + k * (int64_t)item + 1, gathered + k * c->words,
                   sizeof *sorted * (size_t)c->words);
        }
        qsort(sorted, (size_t)keys, item * sizeof *sorted, by_words);
        swq_intern_init(all, c->words);
        for (int64_t k = 0; k < keys && !status; k++) {
            if (swq_intern_number(ctx, all, sorted + k * (int64_t)item + 1) < 0)
                status = swq_memory_status(ctx);
        }
        status = swq_fleet_agree(c->s->fleet, status);
    }
    swq_free(ctx, gathered);
    swq_free(ctx, count);
    swq_free(ctx, at);
    return status;
}

/* Group the nodes of a level, halving until there are few enough groups. */
static swq_status group_level(swq_coarse *c, int level, int64_t root, int *halvings)
{
    swq_spread_chain *s = c->s;
    swq_context *ctx = s->ctx;
    swq_word key[MOST_WORDS];
    swq_status status = SWQ_OK;

    swq_intern mine;
    swq_intern_init(&mine, c->words);
    for (int64_t i = 0; i < s->own[level] && !status; i++) {
        key_of(c, level, i, root, *halvings, key);
        if (swq_intern_number(ctx, &mine, key) < 0)
            status = swq_memory_status(ctx);
    }
    status = swq_fleet_agree(s->fleet, status);
    swq_intern_clear(ctx, &c->keys[level]);
    if (!status)
        status = unite_keys(c, &mine, &c->keys[level]);
    swq_intern_clear(ctx, &mine);
    c->groups[level] = c->keys[level].count;
    if (!status && c->groups[level] > MOST_GROUPS) {
        ++*halvings;
        return group_level(c, level, root, halvings);
    }
    return status;
}

/* Find the group of each own node, and the nodes of each group. */
static swq_status place_nodes(swq_coarse *c, int level, int64_t root, int halvings)
{
    swq_spread_chain *s = c->s;
    const size_t own = (size_t)s->own[level];
    swq_word key[MOST_WORDS];
    int64_t *at = swq_calloc(s->ctx, (size_t)c->groups[level] + 1, sizeof *at);

    c->of[level] = swq_calloc(s->ctx, own + 1, sizeof *c->of[level]);
    c->order[level] = swq_calloc(s->ctx, own + 1, sizeof *c->order[level]);
    c->held[level] = swq_calloc(s->ctx, (size_t)c->groups[level] + 1, sizeof *c->held[level]);
    if (!at || !c->of[level] || !c->order[level] || !c->held[level]) {
        swq_free(s->ctx, at);
        return swq_memory_status(s->ctx);
    }
    for (int64_t i = 0; i < s->own[level]; i++) {
        key_of(c, level, i, root, halvings, key);
        c->of[level][i] = (int32_t)swq_intern_find(&c->keys[level], key);
        at[c->of[level][i] + 1]++;
    }
    for (int64_t g = 1; g <= c->groups[level]; g++)
        at[g] += at[g - 1];
    for (int64_t i = 0; i < s->own[level]; i++)
        c->order[level][at[c->of[level][i]]++] = (int32_t)i;
    swq_free(s->ctx, at);
    return SWQ_OK;
}

static void mark_row(const swq_spread_part *part, int64_t i, const int32_t *group, int64_t from,
                     int64_t groups, uint64_t *bit)
{
    for (PetscInt e = part->start[i]; e < part->start[i + 1]; e++) {
        const int64_t at = from * groups + group[part->col[e]];
        bit[at / 64] |= UINT64_C(1) << (at % 64);
    }
}

/* The pattern of a coarse factor: which groups lead to which, on any rank. */
static swq_status find_pattern(swq_coarse *c, int k)
{
    swq_spread_chain *s = c->s;
    const int next = (k + 1) % s->levels;
    const int64_t rows = c->groups[k], cols = c->groups[next], words = rows * cols / 64 + 1;
    uint64_t *bit = swq_calloc(s->ctx, (size_t)words, sizeof *bit);
    swq_csr *f = &c->factor[k];
    swq_spread_part near = {0}, far = {0};
    int64_t entries = 0;

    *f = (swq_csr){.rows = rows, .cols = cols};
    f->start = swq_calloc(s->ctx, (size_t)rows + 1, sizeof *f->start);
    swq_status status = bit && f->start ? SWQ_OK : swq_memory_status(s->ctx);
    if (!status)
        status = swq_spread_open_part(s->ctx, s->diagonal[k], &near);
    if (!status)
        status = swq_spread_open_part(s->ctx, s->beside[k], &far);
    status = swq_fleet_agree(s->fleet, status);
    if (!status) {
        for (int64_t i = 0; i < s->own[k]; i++) {
            mark_row(&near, i, c->of[next], c->of[k][i], cols, bit);
            mark_row(&far, i, c->halo[k], c->of[k][i], cols, bit);
        }
        swq_spread_close_part(&far);
        swq_spread_close_part(&near);
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

/* Groups of groups, for rank 0, by repeated halving of keys. */
static swq_status group_further(swq_coarse *c)
{
    swq_context *ctx = c->s->ctx;
    const int levels = c->s->levels;
    swq_grouping *g = &c->further;
    const size_t arrays = (size_t)MOST_DEPTH * (size_t)levels;
    swq_status status = SWQ_OK;
    int64_t most = 0;

    *g = (swq_grouping){.levels = levels};
    g->of = swq_calloc(ctx, arrays, sizeof *g->of);
    g->groups = swq_calloc(ctx, arrays, sizeof *g->groups);
    if (!g->of || !g->groups)
        return swq_memory_status(ctx);
    for (int k = 0; k < levels; k++)
        most = c->groups[k] > most ? c->groups[k] : most;
    while (most > FEW_GROUPS && g->depth < MOST_DEPTH && !status) {
        const int d = g->depth++;
        most = 0;
        for (int k = 0; k < levels && !status; k++) {
            swq_intern coarser;
            swq_intern_init(&coarser, c->words);
            const int64_t nodes = c->keys[k].count;
            int32_t *of = swq_calloc(ctx, (size_t)nodes + 1, sizeof *of);
            g->of[d * levels + k] = of;
            for (int64_t i = 0; i < nodes && of && !status; i++) {
                swq_word key[MOST_WORDS];
                memcpy(key, swq_intern_state(&c->keys[k], i), sizeof *key * (size_t)c->words);
                halve(key, c->words - 1);
                const int64_t number = swq_intern_number(ctx, &coarser, key);
                status = number < 0 ? swq_memory_status(ctx) : SWQ_OK;
                of[i] = (int32_t)number;
            }
            status = of ? status : swq_memory_status(ctx);
            g->groups[d * levels + k] = coarser.count;
            most = coarser.count > most ? coarser.count : most;
            swq_intern_clear(ctx, &c->keys[k]); /* the next round halves these */
            c->keys[k] = coarser;
        }
    }
    return status;
}

swq_status swq_coarse_new(swq_spread_chain *s, int64_t root, swq_coarse *c)
{
    int halvings[SWQ_CHAIN_LEVELS] = {0};
    int64_t most = 0, root_group = -1;
    swq_status status = SWQ_OK;

    *c = (swq_coarse){.s = s, .words = swq_chain_key_words(s->chain) + 1};
    for (int k = 0; k < s->levels && !status; k++)
        status = group_level(c, k, root, &halvings[k]);
    for (int k = 0; k < s->levels && !status; k++) {
        status = swq_fleet_agree(s->fleet, place_nodes(c, k, root, halvings[k]));
        most = c->groups[k] > most ? c->groups[k] : most;
    }
    for (int k = 0; k < s->levels && !status; k++) {
        c->halo[k] = swq_calloc(s->ctx, (size_t)s->halo[k].nodes + 1, sizeof *c->halo[k]);
        status = swq_fleet_agree(s->fleet, c->halo[k] ? SWQ_OK : swq_memory_status(s->ctx));
        if (!status)
            status = swq_spread_show(s, k, c->of[(k + 1) % s->levels], c->halo[k]);
        if (!status)
            status = find_pattern(c, k);
    }
    if (!status) {
        c->place = swq_calloc(s->ctx, (size_t)most + 1, sizeof *c->place);
        c->b = swq_calloc(s->ctx, (size_t)c->groups[0] + 1, sizeof *c->b);
        c->x = swq_calloc(s->ctx, (size_t)c->groups[0] + 1, sizeof *c->x);
        c->before = swq_calloc(s->ctx, (size_t)c->groups[0] + 1, sizeof *c->before);
        status = c->place && c->b && c->x && c->before ? SWQ_OK : swq_memory_status(s->ctx);
        root_group = root >= 0 ? c->of[0][root] : -1;
        root_group = swq_fleet_most(s->fleet, root_group);
    }
    if (!status && s->fleet->rank == 0) {
        c->product = (swq_product){.factors = s->levels, .factor = c->factor};
        status = group_further(c);
        if (!status)
            status = swq_multilevel_new_varying(s->ctx, &c->product, &c->further, root_group,
                                                &c->grids);
    }
    return swq_fleet_agree(s->fleet, status);
}

void swq_coarse_clear(swq_coarse *c)
{
    if (!c->s)
        return;
    swq_context *ctx = c->s->ctx;
    swq_multilevel_free(ctx, c->grids);
    swq_grouping_clear(ctx, &c->further);
    for (int k = 0; k < c->s->levels; k++) {
        swq_intern_clear(ctx, &c->keys[k]);
        swq_free(ctx, c->of[k]);
        swq_free(ctx, c->halo[k]);
        swq_free(ctx, c->order[k]);
        swq_free(ctx, c->held[k]);
        swq_csr_clear(ctx, &c->factor[k]);
    }
    swq_free(ctx, c->place);
    swq_free(ctx, c->b);
    swq_free(ctx, c->x);
    swq_free(ctx, c->before);
    *c = (swq_coarse){0};
}

void swq_coarse_start(swq_coarse *c, const double *b)
{
    memset(c->b, 0, sizeof *c->b * (size_t)c->groups[0]);
    for (int64_t i = 0; i < c->s->own[0]; i++)
        c->b[c->of[0][i]] += b[i];
    swq_fleet_add(c->s->fleet, c->b, (int)c->groups[0]);
}

static void add_row(const swq_spread_part *part, int64_t i, double held, const int32_t *group,
                    const int32_t *place, double *value)
{
    for (PetscInt e = part->start[i]; e < part->start[i + 1]; e++)
        value[place[group[part->col[e]]]] += held * part->value[e];
}

swq_status swq_coarse_note(swq_coarse *c, int k, const double *x)
{
    swq_spread_chain *s = c->s;
    const int next = (k + 1) % s->levels;
    swq_csr *f = &c->factor[k];
    swq_spread_part near = {0}, far = {0};
    int64_t group = -1;
    swq_status status = swq_spread_open_part(s->ctx, s->diagonal[k], &near);

    if (!status)
        status = swq_spread_open_part(s->ctx, s->beside[k], &far);
    if (status)
        return status;
    memset(f->value, 0, sizeof *f->value * (size_t)swq_csr_nnz(f));
    memset(c->held[k], 0, sizeof *c->held[k] * (size_t)c->groups[k]);
    for (int64_t at = 0; at < s->own[k]; at++) {
        const int64_t i = c->order[k][at];
        if (c->of[k][i] != group) {
            group = c->of[k][i];
            for (int64_t e = f->start[group]; e < f->start[group + 1]; e++)
                c->place[f->col[e]] = (int32_t)e;
        }
        c->held[k][group] += x[i];
        add_row(&near, i, x[i], c->of[next], c->place, f->value);
        add_row(&far, i, x[i], c->halo[k], c->place, f->value);
    }
    swq_spread_close_part(&far);
    swq_spread_close_part(&near);
    return SWQ_OK;
}

/* Sum over all ranks, at rank 0, to get the probabilities of the coarse chain. */
static void collect(swq_coarse *c)
{
    const swq_fleet *fleet = c->s->fleet;
    const bool here = fleet->rank == 0;

    for (int k = 0; k < c->s->levels; k++) {
        swq_csr *f = &c->factor[k];
        double *held = c->held[k];
        MPI_Reduce(here ? MPI_IN_PLACE : held, held, (int)f->rows, MPI_DOUBLE, MPI_SUM, 0,
                   fleet->comm);
        MPI_Reduce(here ? MPI_IN_PLACE : f->value, f->value, (int)swq_csr_nnz(f), MPI_DOUBLE,
                   MPI_SUM, 0, fleet->comm);
        for (int64_t g = 0; g < f->rows && here; g++) {
            const int64_t from = f->start[g], to = f->start[g + 1];
            for (int64_t e = from; e < to;
                 e++) /* for a group that holds nothing, any transitions will do */
                f->value[e] = held[g] > 0 ? f->value[e] / held[g] : 1 / (double)(to - from);
        }
    }
}

swq_status swq_coarse_correct(swq_coarse *c, double *x)
{
    swq_spread_chain *s = c->s;
    const int64_t groups = c->groups[0];
    swq_status status = SWQ_OK;

    collect(c);
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
        x[i] *= c->x[c->of[0][i]];
    return SWQ_OK;
}

#endif
