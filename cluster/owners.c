/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sharing groups of nodes out among ranks, by cutting them in two again and again, each level at
 * its own length, so that every box has its part of every level. (Recursive coordinate bisection:
 * M. Berger, S. Bokhari, IEEE Trans. Computers C-36(5), 1987.) All ranks compute the same cuts.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/owners.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

uint64_t swq_mix_bits(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t swq_node_hash(const swq_word *node, int words)
{
    uint64_t h = 0x2545f4914f6cdd1du;

    for (int w = 0; w < words; w++)
        h = swq_mix_bits(h + node[w] + 0x9e3779b97f4a7c15u);
    return h;
}

/* A group, or the part of one whose nodes have hashes in [from, to). */
typedef struct {
    int64_t from, to;
    double weight;
    int32_t group, rank;
    swq_word length; /* by which the box is cut */
} part;

/* The parts of all levels in a box. */
typedef struct {
    part *part[SWQ_CHAIN_LEVELS];
    int64_t parts[SWQ_CHAIN_LEVELS];
} box;

typedef struct {
    swq_context *ctx;
    const swq_groups *groups;
    int levels;
    box done; /* with ranks */
    int64_t room[SWQ_CHAIN_LEVELS];
} division;

static void clear_box(swq_context *ctx, box *b)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++)
        swq_free(ctx, b->part[k]);
    *b = (box){0};
}

static const swq_word *key_of(const division *d, int level, const part *p)
{
    return swq_intern_state(&d->groups->keys[level], p->group);
}

/* Find the word of the keys in which the nodes of the levels differ most. */
static int widest_word(const division *d, const box *b)
{
    double most = -1;
    int widest = 0;

    for (int w = 0; w < d->groups->words; w++) {
        double spread = 0;
        for (int k = 0; k < d->levels; k++) {
            double all = 0, sum = 0, squares = 0;
            for (int64_t i = 0; i < b->parts[k]; i++) {
                const double x = key_of(d, k, &b->part[k][i])[w], weight = b->part[k][i].weight;
                all += weight;
                sum += weight * x;
                squares += weight * x * x;
            }
            spread += all > 0 ? squares - sum * sum / all : 0;
        }
        if (spread > most) {
            most = spread;
            widest = w;
        }
    }
    return widest;
}

static int by_length(const void *a, const void *b)
{
    const part *x = a, *y = b;

    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* Cut the sorted parts of a level where `share` of their weight is on the left. */
static swq_status cut_level(swq_context *ctx, box *left, box *right, int level, double share)
{
    const int64_t count = left->parts[level];
    part *parts = left->part[level];
    double before = 0, all = 0;
    int64_t at = 0;

    for (int64_t i = 0; i < count; i++)
        all += parts[i].weight;
    while (at < count && before + parts[at].weight <= share * all)
        before += parts[at++].weight;
    part *rest = swq_calloc(ctx, (size_t)(count - at) + 1, sizeof *rest);
    if (!rest)
        return swq_memory_status(ctx);
    memcpy(rest, parts + at, sizeof *rest * (size_t)(count - at));
    right->part[level] = rest;
    right->parts[level] = count - at;
    left->parts[level] = at;
    if (at == count)
        return SWQ_OK;
    const double of = (share * all - before) / rest[0].weight;
    const int64_t cut = rest[0].from + (int64_t)(of * (double)(rest[0].to - rest[0].from));
    if (cut > rest[0].from) { /* the part at the cut is divided */
        parts[at].to = rest[0].from = cut;
        parts[at].weight *= of;
        rest[0].weight *= 1 - of;
        left->parts[level]++;
    }
    return SWQ_OK;
}

/* All parts in a box belong to a rank. */
static swq_status give(division *d, const box *b, int rank)
{
    for (int k = 0; k < d->levels; k++) {
        const int64_t count = d->done.parts[k] + b->parts[k];
        if (count > d->room[k]) {
            if (!swq_resize_array(d->ctx, &d->done.part[k], 2 * count, sizeof *d->done.part[k]))
                return swq_memory_status(d->ctx);
            d->room[k] = 2 * count;
        }
        for (int64_t i = 0; i < b->parts[k]; i++) {
            part *to = &d->done.part[k][d->done.parts[k]++];
            *to = b->part[k][i];
            to->rank = rank;
        }
    }
    return SWQ_OK;
}

/* Share a box, which is cleared, out among `ranks` ranks from `first` on. */
static swq_status share_out(division *d, box *b, int first, int ranks)
{
    box right = {{0}, {0}};
    const int half = ranks / 2;
    swq_status status = SWQ_OK;

    if (ranks == 1) {
        status = give(d, b, first);
        clear_box(d->ctx, b);
        return status;
    }
    const int word = widest_word(d, b);
    for (int k = 0; k < d->levels && !status; k++) {
        for (int64_t i = 0; i < b->parts[k]; i++)
            b->part[k][i].length = key_of(d, k, &b->part[k][i])[word];
        if (b->parts[k] > 0)
            qsort(b->part[k], (size_t)b->parts[k], sizeof *b->part[k], by_length);
        status = cut_level(d->ctx, b, &right, k, (double)half / ranks);
    }
    if (!status)
        status = share_out(d, b, first, half);
    if (!status)
        status = share_out(d, &right, first + half, ranks - half);
    clear_box(d->ctx, b);
    clear_box(d->ctx, &right);
    return status;
}

/* Add up the weights of the groups of a level over all ranks, and make a part of each group. */
static swq_status weigh_level(swq_fleet *f, const swq_chain *chain, const swq_groups *g, int level,
                              const int32_t *weight, box *b)
{
    const int64_t groups = g->keys[level].count;
    double *sum = swq_calloc(f->ctx, (size_t)groups + 1, sizeof *sum);

    b->part[level] = swq_calloc(f->ctx, (size_t)groups + 1, sizeof *b->part[level]);
    swq_status status =
        swq_fleet_agree(f, sum && b->part[level] ? SWQ_OK : swq_memory_status(f->ctx));
    for (int64_t i = 0; i < chain->node[level].count && !status; i++)
        sum[g->of[level][i]] += weight[i];
    if (!status) {
        swq_fleet_add(f, sum, (int)groups);
        for (int64_t k = 0; k < groups; k++)
            b->part[level][k] = (part){0, INT64_C(1) << 32, sum[k], (int32_t)k, 0, 0};
        b->parts[level] = groups;
    }
    swq_free(f->ctx, sum);
    return status;
}

/* A table of the parts of a level, by group and hash. */
static swq_status list_level(division *d, swq_owners *o, int level)
{
    part *parts = d->done.part[level];
    const int64_t count = d->done.parts[level], groups = d->groups->keys[level].count;
    int32_t *first = swq_calloc(d->ctx, (size_t)groups + 1, sizeof *first);
    swq_owner_piece *piece = swq_calloc(d->ctx, (size_t)count + 1, sizeof *piece);

    o->first[level] = first;
    o->piece[level] = piece;
    if (!first || !piece)
        return swq_memory_status(d->ctx);
    for (int64_t i = 0; i < count; i++)
        parts[i].length = 0;
    if (count > 0)
        qsort(parts, (size_t)count, sizeof *parts, by_length);
    for (int64_t i = 0; i < count; i++) {
        piece[i] = (swq_owner_piece){(uint32_t)parts[i].from, parts[i].rank};
        first[parts[i].group + 1] = (int32_t)i + 1;
    }
    return SWQ_OK;
}

swq_status swq_owners_divide(swq_fleet *f, const swq_chain *chain, int32_t *const *weight,
                             swq_owners *o)
{
    division d = {.ctx = f->ctx, .groups = &o->groups, .levels = chain->levels};
    box all = {{0}, {0}};
    swq_status status = swq_groups_find(f, chain, &o->groups);

    for (int k = 0; k < d.levels && !status; k++)
        status = weigh_level(f, chain, &o->groups, k, weight[k], &all);
    for (int k = 0; k < d.levels; k++) {
        swq_free(f->ctx, o->groups.of[k]);
        o->groups.of[k] = NULL;
    }
    if (!status)
        status = share_out(&d, &all, 0, f->ranks);
    for (int k = 0; k < d.levels && !status; k++)
        status = list_level(&d, o, k);
    clear_box(f->ctx, &all);
    clear_box(f->ctx, &d.done);
    return swq_fleet_agree(f, status);
}

void swq_owners_clear(swq_context *ctx, swq_owners *o)
{
    swq_groups_clear(ctx, &o->groups);
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++) {
        swq_free(ctx, o->first[k]);
        swq_free(ctx, o->piece[k]);
    }
    *o = (swq_owners){0};
}

int swq_owners_find(const swq_owners *o, const swq_fleet *f, const swq_chain *chain, int level,
                    const swq_word *node, uint64_t hash)
{
    const int64_t group =
        o->groups.words > 0 && f->ranks > 1 ? swq_groups_of(&o->groups, chain, level, node) : -1;

    if (group < 0) /* before the nodes are known; or one of another chain, in a checkpoint */
        return (int)((hash >> 16) % (uint64_t)f->ranks);
    const swq_owner_piece *piece = o->piece[level];
    int32_t at = o->first[level][group];
    while (at + 1 < o->first[level][group + 1] && piece[at + 1].from <= (uint32_t)(hash >> 32))
        at++;
    return piece[at].rank;
}

#endif
