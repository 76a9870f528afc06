/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of nodes, united over the ranks.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/groups.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

void swq_groups_halve(swq_word *key, int words)
{
    for (int w = 0; w < words; w++)
        key[w] = (swq_word)((key[w] + 1) / 2);
}

static void key_of(const swq_groups *g, const swq_chain *chain, int level, const swq_word *node,
                   swq_word *key)
{
    swq_chain_key_of(chain, node, key);
    for (int h = 0; h < g->halvings[level]; h++)
        swq_groups_halve(key, g->words);
}

int64_t swq_groups_of(const swq_groups *g, const swq_chain *chain, int level, const swq_word *node)
{
    swq_word key[SWQ_KEY_WORDS];

    key_of(g, chain, level, node, key);
    return swq_intern_find(&g->keys[level], key);
}

static int by_words(const void *a, const void *b)
{
    const swq_word *x = a, *y = b;
    /* each key is preceded by its number of words */
    for (int w = 1; w <= x[0]; w++) {
        if (x[w] != y[w])
            return x[w] < y[w] ? -1 : 1;
    }
    return 0;
}

/* Number gathered keys in lexicographic order. */
static swq_status number_keys(swq_context *ctx, const swq_word *gathered, int64_t keys, int words,
                              swq_intern *all)
{
    const size_t item = (size_t)words + 1;
    swq_word *sorted = swq_calloc(ctx, (size_t)keys * item + 1, sizeof *sorted);
    swq_status status = sorted ? SWQ_OK : swq_memory_status(ctx);

    for (int64_t k = 0; k < keys && sorted; k++) {
        sorted[k * (int64_t)item] = (swq_word)words;
        memcpy(sorted + k * (int64_t)item + 1, gathered + k * words,
               sizeof *sorted * (size_t)words);
    }
    if (sorted)
        qsort(sorted, (size_t)keys, item * sizeof *sorted, by_words);
    swq_intern_init(all, words);
    for (int64_t k = 0; k < keys && !status; k++) {
        if (swq_intern_number(ctx, all, sorted + k * (int64_t)item + 1) < 0)
            status = swq_memory_status(ctx);
    }
    swq_free(ctx, sorted);
    return status;
}

/* Unite the keys of all ranks. */
static swq_status unite_keys(swq_fleet *f, const swq_intern *mine, swq_intern *all)
{
    swq_context *ctx = f->ctx;
    const size_t ranks = (size_t)f->ranks;
    int *count = swq_calloc(ctx, ranks, sizeof *count), *at = swq_calloc(ctx, ranks, sizeof *at);
    int64_t total = 0;
    int words = 0;
    swq_word *gathered = NULL;
    swq_status status = swq_fleet_agree(f, count && at ? SWQ_OK : swq_memory_status(ctx));

    if (!status) {
        words = (int)(mine->count * mine->words);
        MPI_Allgather(&words, 1, MPI_INT, count, 1, MPI_INT, f->comm);
        for (int r = 0; r < f->ranks; r++) {
            at[r] = (int)total;
            total += count[r];
        }
        gathered = swq_calloc(ctx, (size_t)total + 1, sizeof *gathered);
        status = swq_fleet_agree(f, gathered ? SWQ_OK : swq_memory_status(ctx));
    }
    if (!status) {
        MPI_Allgatherv(mine->state, words, MPI_UINT16_T, gathered, count, at, MPI_UINT16_T,
                       f->comm);
        status =
            swq_fleet_agree(f, number_keys(ctx, gathered, total / mine->words, mine->words, all));
    }
    swq_free(ctx, gathered);
    swq_free(ctx, count);
    swq_free(ctx, at);
    return status;
}

/* Find the keys of a level, halving until there are few enough. */
static swq_status find_keys(swq_fleet *f, const swq_chain *chain, int level, swq_groups *g)
{
    const swq_intern *nodes = &chain->node[level];
    int64_t groups = 0;
    swq_status status = SWQ_OK;

    do {
        swq_word key[SWQ_KEY_WORDS];
        swq_intern mine;
        swq_intern_init(&mine, g->words);
        g->halvings[level] += groups > 0;
        for (int64_t i = 0; i < nodes->count && mine.count <= SWQ_MOST_GROUPS && !status; i++) {
            key_of(g, chain, level, swq_intern_state(nodes, i), key);
            if (swq_intern_number(f->ctx, &mine, key) < 0)
                status = swq_memory_status(f->ctx);
        }
        status = swq_fleet_agree(f, status);
        groups = swq_fleet_most(f, mine.count);
        swq_intern_clear(f->ctx, &g->keys[level]);
        if (!status && groups <= SWQ_MOST_GROUPS) {
            status = unite_keys(f, &mine, &g->keys[level]);
            groups = g->keys[level].count;
        }
        swq_intern_clear(f->ctx, &mine);
    } while (!status && groups > SWQ_MOST_GROUPS);
    return status;
}

swq_status swq_groups_find(swq_fleet *f, const swq_chain *chain, swq_groups *g)
{
    swq_status status = SWQ_OK;

    *g = (swq_groups){.words = swq_chain_key_words(chain)};
    for (int k = 0; k < chain->levels && !status; k++) {
        const swq_intern *nodes = &chain->node[k];
        status = find_keys(f, chain, k, g);
        if (status)
            break;
        g->of[k] = swq_calloc(f->ctx, (size_t)nodes->count + 1, sizeof *g->of[k]);
        status = swq_fleet_agree(f, g->of[k] ? SWQ_OK : swq_memory_status(f->ctx));
        for (int64_t i = 0; i < nodes->count && !status; i++)
            g->of[k][i] = (int32_t)swq_groups_of(g, chain, k, swq_intern_state(nodes, i));
    }
    return status;
}

void swq_groups_clear(swq_context *ctx, swq_groups *g)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++) {
        swq_intern_clear(ctx, &g->keys[k]);
        swq_free(ctx, g->of[k]);
    }
    *g = (swq_groups){0};
}

#endif
