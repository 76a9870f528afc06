/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generating a chain on many ranks: each expands the nodes that it owns, some thousands at a time,
 * and asks the owners of their successors for the successors' numbers, by which owners also learn
 * of new nodes. This goes level by level around the cycle, until no rank has a node that is not yet
 * expanded. The chain is generated twice: first only to see which nodes there are, with owners by a
 * hash; and then, with nodes shared out so that neighbours are together, to keep the factors.
 * Factors are packed as they grow.
 */
#ifdef SWQ_HAVE_PETSC

#include "base/context.h"
#include "cluster/met.h"
#include "cluster/spread.h"
#include "models/growing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 4096,       /* nodes expanded between two exchanges */
    MOST_WAYS = 1 << 18 /* most transitions of these nodes: beyond, an exchange comes earlier */
};

/* One transition from a node that is being expanded: the node that it leads to, and its
 * probability. */
typedef struct {
    int32_t seen;
    int32_t met;
    long double chance;
} way;

typedef struct {
    swq_spread_chain *s;
    swq_context *ctx;
    int words;
    bool looks; /* only looks for nodes, and notes their numbers of transitions */
    int64_t expanded[SWQ_CHAIN_LEVELS];
    int32_t *weight[SWQ_CHAIN_LEVELS]; /* [nodes] of those expanded */
    int64_t weight_room[SWQ_CHAIN_LEVELS];
    swq_growing home[SWQ_CHAIN_LEVELS], away[SWQ_CHAIN_LEVELS];
    swq_met met[SWQ_CHAIN_LEVELS]; /* nodes of other ranks */
    swq_intern seen;               /* nodes to which transitions of the batch lead */
    uint64_t *hash;                /* [seen] */
    int32_t *owner;                /* [seen] */
    int32_t *place;                /* [seen] 1 + the place of the node in the row; later, what
                                      factors call it */
    int64_t seen_room;
    way *row; /* the transitions of the batch; those of one node are merged */
    int64_t ways, ways_room, row_begins;
    int64_t row_ends[BATCH];
    swq_growing_entry *near, *far; /* [longest row] */
    int64_t row_room;
    int32_t *order;                             /* [seen] by owner */
    int *send, *send_at, *receive, *receive_at; /* [ranks] */
    swq_word *out, *in;                         /* words sent and received */
    int32_t *asked, *told;
    int64_t in_room;
} exploration;

static swq_status room_for_seen(exploration *x, int64_t count)
{
    if (count <= x->seen_room)
        return SWQ_OK;
    const int64_t room = 2 * count + 1024;
    if (!swq_resize_array(x->ctx, &x->hash, room, sizeof *x->hash) ||
        !swq_resize_array(x->ctx, &x->owner, room, sizeof *x->owner) ||
        !swq_resize_array(x->ctx, &x->place, room, sizeof *x->place) ||
        !swq_resize_array(x->ctx, &x->order, room, sizeof *x->order) ||
        !swq_resize_array(x->ctx, &x->told, room, sizeof *x->told) ||
        !swq_resize_array(x->ctx, &x->out, room, sizeof *x->out * (size_t)x->words))
        return swq_memory_status(x->ctx);
    x->seen_room = room;
    return SWQ_OK;
}

/* Add a transition. Transitions to the same node are merged in the order in which they are
 * generated, so that the sum does not depend on how nodes are distributed. */
static swq_status add_way(void *arg, const swq_word *node, long double chance)
{
    exploration *x = arg;
    const int64_t known = x->seen.count, at = swq_intern_number(x->ctx, &x->seen, node);

    if (at < 0)
        return swq_memory_status(x->ctx);
    swq_status status = room_for_seen(x, at + 1);
    if (status)
        return status;
    if (at == known) {
        x->hash[at] = swq_node_hash(node, x->words);
        x->place[at] = 0;
    }
    if (x->place[at] > 0) {
        x->row[x->row_begins + x->place[at] - 1].chance += chance;
        x->row[x->row_begins + x->place[at] - 1].met++;
        return SWQ_OK;
    }
    if (x->ways == x->ways_room) {
        const int64_t room = 2 * x->ways_room + 64;
        if (!swq_resize_array(x->ctx, &x->row, room, sizeof *x->row))
            return swq_memory_status(x->ctx);
        x->ways_room = room;
    }
    x->row[x->ways++] = (way){(int32_t)at, 1, chance};
    x->place[at] = (int32_t)(x->ways - x->row_begins);
    return SWQ_OK;
}

/* The row is complete. Add it to the fingerprint, or note how many transitions it has. */
static swq_status finish_row(exploration *x, int level, int64_t row, const swq_word *node)
{
    swq_spread_chain *s = x->s;
    const uint64_t from = swq_mix_bits(swq_node_hash(node, x->words) + (uint64_t)level);

    for (int64_t k = x->row_begins; k < x->ways; k++) {
        const way *w = &x->row[k];
        const double value = (double)w->chance;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        x->place[w->seen] = 0;
        if (!x->looks)
            s->fingerprint +=
                swq_mix_bits(from ^ swq_mix_bits(x->hash[w->seen] + swq_mix_bits(bits)));
    }
    if (x->looks && row >= x->weight_room[level]) {
        const int64_t room = row + row / 2 + BATCH;
        if (!swq_resize_array(x->ctx, &x->weight[level], room, sizeof *x->weight[level]))
            return swq_memory_status(x->ctx);
        x->weight_room[level] = room;
    }
    if (x->looks) {
        x->weight[level][row] = (int32_t)(x->ways - x->row_begins);
        x->ways = 0;
    }
    x->row_begins = x->ways;
    return SWQ_OK;
}

/* Sort the nodes in `seen` by owner, and count them. */
static void sort_by_owner(exploration *x, int into)
{
    const swq_fleet *f = x->s->fleet;
    int at = 0;

    memset(x->send, 0, sizeof *x->send * (size_t)f->ranks);
    for (int64_t k = 0; k < x->seen.count; k++)
        x->owner[k] = swq_owners_find(&x->s->owners, f, x->s->chain, into,
                                      swq_intern_state(&x->seen, k), x->hash[k]);
    for (int64_t k = 0; k < x->seen.count; k++)
        x->send[x->owner[k]]++;
    for (int r = 0; r < f->ranks; r++) {
        x->send_at[r] = at;
        at += x->send[r];
    }
    for (int64_t k = 0; k < x->seen.count; k++) {
        const int to = x->send_at[x->owner[k]]++;
        x->order[to] = (int32_t)k;
        memcpy(x->out + (int64_t)to * x->words, swq_intern_state(&x->seen, k),
               sizeof *x->out * (size_t)x->words);
    }
    for (int r = 0; r < f->ranks; r++)
        x->send_at[r] -= x->send[r];
}

/* Number the nodes that other ranks have sent. */
static swq_status number_nodes(exploration *x, int into, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t number =
            swq_intern_number(x->ctx, &x->s->chain->node[into], x->in + k * x->words);
        if (number < 0)
            return swq_memory_status(x->ctx);
        x->asked[k] = (int32_t)number;
    }
    return SWQ_OK;
}

/* Send the nodes in `seen` to their owners, which reply with the numbers. `status`: that of the
 * expansion on this rank. */
static swq_status ask_owners(exploration *x, int into, swq_status status)
{
    const swq_fleet *f = x->s->fleet;
    MPI_Datatype node;
    int64_t count = 0;

    status = swq_fleet_agree(x->s->fleet, status);
    if (status)
        return status;
    sort_by_owner(x, into);
    MPI_Alltoall(x->send, 1, MPI_INT, x->receive, 1, MPI_INT, f->comm);
    for (int r = 0; r < f->ranks; r++) {
        x->receive_at[r] = (int)count;
        count += x->receive[r];
    }
    if (count > x->in_room) {
        const int64_t room = 2 * count + 1024;
        if (!swq_resize_array(x->ctx, &x->in, room, sizeof *x->in * (size_t)x->words) ||
            !swq_resize_array(x->ctx, &x->asked, room, sizeof *x->asked))
            status = swq_memory_status(x->ctx);
        else
            x->in_room = room;
    }
    status = swq_fleet_agree(x->s->fleet, status);
    if (status)
        return status;
    MPI_Type_contiguous(x->words, MPI_UINT16_T, &node);
    MPI_Type_commit(&node);
    MPI_Alltoallv(x->out, x->send, x->send_at, node, x->in, x->receive, x->receive_at, node,
                  f->comm);
    MPI_Type_free(&node);
    status = swq_fleet_agree(x->s->fleet, number_nodes(x, into, count));
    if (!status)
        MPI_Alltoallv(x->asked, x->receive, x->receive_at, MPI_INT32_T, x->told, x->send,
                      x->send_at, MPI_INT32_T, f->comm);
    return status;
}

/* Replace the nodes in `seen` by their names in the factor: own nodes by number, other ranks' nodes
 * by their place in the halo. */
static swq_status name_nodes(exploration *x, int level)
{
    const int here = x->s->fleet->rank;

    for (int64_t k = 0; k < x->seen.count; k++) {
        const int32_t seen = x->order[k], owner = x->owner[seen];
        int64_t name = x->told[k];
        if (owner != here)
            name = swq_met_number(x->ctx, &x->met[level],
                                  (uint64_t)owner << 32 | (uint32_t)x->told[k]);
        if (name < 0)
            return swq_memory_status(x->ctx);
        x->place[seen] = (int32_t)name;
    }
    return SWQ_OK;
}

/* Append a row to both parts of the factor. */
static swq_status append_row(exploration *x, int level, const way *row, int64_t ways)
{
    int64_t near = 0, far = 0;

    if (ways > x->row_room) {
        if (!swq_resize_array(x->ctx, &x->near, 2 * ways, sizeof *x->near) ||
            !swq_resize_array(x->ctx, &x->far, 2 * ways, sizeof *x->far))
            return swq_memory_status(x->ctx);
        x->row_room = 2 * ways;
    }
    for (int64_t k = 0; k < ways; k++) {
        const swq_growing_entry entry = {x->place[row[k].seen], row[k].met, row[k].chance, 0, 0};
        if (x->owner[row[k].seen] == x->s->fleet->rank)
            x->near[near++] = entry;
        else
            x->far[far++] = entry;
    }
    swq_growing_merge(x->near, near); /* sorts the entries; no two are for the same node */
    swq_growing_merge(x->far, far);
    swq_status status = swq_growing_append(x->ctx, &x->home[level], x->near, near);
    return status ? status : swq_growing_append(x->ctx, &x->away[level], x->far, far);
}

/* Expand some nodes of a level; ranks that have none left still take part in the exchange. */
static swq_status expand_batch(exploration *x, int level)
{
    swq_spread_chain *s = x->s;
    const swq_intern *nodes = &s->chain->node[level];
    int rows = 0;
    swq_status status = room_for_seen(x, 1);

    swq_intern_clear(x->ctx, &x->seen);
    swq_intern_init(&x->seen, x->words);
    x->ways = x->row_begins = 0;
    while (x->expanded[level] < nodes->count && rows < BATCH && x->ways < MOST_WAYS && !status) {
        const int64_t row = x->expanded[level]++;
        swq_word node[SWQ_ROW_PORTS];
        memcpy(node, swq_intern_state(nodes, row), sizeof *node * (size_t)x->words);
        status = swq_share_expand(s->share, level, row, add_way, x);
        if (!status)
            status = finish_row(x, level, row, node);
        x->row_ends[rows++] = x->ways;
    }
    status = ask_owners(x, (level + 1) % s->levels, status);
    if (status || x->looks)
        return status;
    status = name_nodes(x, level);
    for (int64_t k = 0, from = 0; k < rows && !status; from = x->row_ends[k++])
        status = append_row(x, level, x->row + from, x->row_ends[k] - from);
    return swq_fleet_agree(s->fleet, status);
}

static swq_status begin(exploration *x)
{
    const size_t ranks = (size_t)x->s->fleet->ranks;
    swq_status status = SWQ_OK;

    for (int k = 0; k < x->s->levels; k++)
        x->home[k] = x->away[k] = (swq_growing){.packs = true, .bare = true};
    x->send = swq_calloc(x->ctx, ranks, sizeof *x->send);
    x->send_at = swq_calloc(x->ctx, ranks, sizeof *x->send_at);
    x->receive = swq_calloc(x->ctx, ranks, sizeof *x->receive);
    x->receive_at = swq_calloc(x->ctx, ranks, sizeof *x->receive_at);
    if (!x->send || !x->send_at || !x->receive || !x->receive_at)
        status = swq_memory_status(x->ctx);
    return swq_fleet_agree(x->s->fleet, status);
}

/* The empty switch is where it starts. */
static swq_status first_node(exploration *x)
{
    const swq_spread_chain *s = x->s;
    swq_word node[SWQ_ROW_PORTS];
    swq_status status = swq_share_first(s->share, node);

    if (!status &&
        swq_owners_find(&s->owners, s->fleet, s->chain, 0, node, swq_node_hash(node, x->words)) ==
            s->fleet->rank &&
        swq_intern_number(x->ctx, &s->chain->node[0], node) < 0)
        status = swq_memory_status(x->ctx);
    return swq_fleet_agree(s->fleet, status);
}

static swq_status explore(exploration *x)
{
    swq_spread_chain *s = x->s;
    swq_status status = first_node(x);
    bool more = true;

    while (more && !status) {
        more = false;
        for (int level = 0; level < s->levels && !status; level++) {
            const int64_t left = s->chain->node[level].count - x->expanded[level];
            const int64_t rounds = swq_fleet_most(s->fleet, (left + BATCH - 1) / BATCH);
            more = more || rounds > 0;
            for (int64_t k = 0; k < rounds && !status; k++) {
                status = expand_batch(x, level);
                swq_progress(x->ctx, "generating states",
                             (double)s->chain->node[0].count * s->fleet->ranks, 0);
            }
        }
        if (!status && swq_fleet_cancelled(s->fleet))
            status = swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled while states were generated");
    }
    return status;
}

/* See which nodes there are, and share them out. */
static swq_status look_for_nodes(exploration *x)
{
    swq_spread_chain *s = x->s;

    x->looks = true;
    swq_status status = explore(x);
    if (!status)
        status = swq_owners_divide(s->fleet, s->chain, x->weight, &s->owners);
    for (int k = 0; k < s->levels; k++) {
        swq_intern_clear(x->ctx, &s->chain->node[k]);
        swq_intern_init(&s->chain->node[k], x->words);
        swq_free(x->ctx, x->weight[k]);
        x->weight[k] = NULL;
        x->expanded[k] = 0;
    }
    x->looks = false;
    return status;
}

static void clear(exploration *x)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++) {
        swq_growing_clear(x->ctx, &x->home[k]);
        swq_growing_clear(x->ctx, &x->away[k]);
        swq_met_clear(x->ctx, &x->met[k]);
        swq_free(x->ctx, x->weight[k]);
    }
    swq_free(x->ctx, x->owner);
    swq_free(x->ctx, x->near);
    swq_free(x->ctx, x->far);
    swq_intern_clear(x->ctx, &x->seen);
    swq_free(x->ctx, x->hash);
    swq_free(x->ctx, x->place);
    swq_free(x->ctx, x->row);
    swq_free(x->ctx, x->order);
    swq_free(x->ctx, x->send);
    swq_free(x->ctx, x->send_at);
    swq_free(x->ctx, x->receive);
    swq_free(x->ctx, x->receive_at);
    swq_free(x->ctx, x->out);
    swq_free(x->ctx, x->in);
    swq_free(x->ctx, x->asked);
    swq_free(x->ctx, x->told);
}

/* The memory of a rank without a chain, and the ratio between its part of a spread chain and the
 * same part of what is foreseen for a single process, which grows with the halos; measured in
 * docs/cluster.md. */
#define RANK_BYTES                55e6
#define SPREAD_TO_FORESEEN(ranks) (0.75 - 0.3 / (ranks))

/* A rank's part must be within the rank's memory limit. */
static swq_status check_limit(swq_fleet *f, const swq_chain *chain)
{
    const double limit = (double)swq_context_memory_limit(f->ctx);
    const double bytes =
        RANK_BYTES + chain->foreseen.bytes / f->ranks * SPREAD_TO_FORESEEN(f->ranks);
    char needed[40], allowed[40];

    if (limit == 0 || bytes <= limit)
        return SWQ_OK;
    return swq_fail(f->ctx, SWQ_ELIMIT,
                    "the chain may have up to %.3g states and takes about %s on each of %d ranks; "
                    "the memory limit of a rank is %s (--mem)",
                    chain->foreseen.states, swq_bytes_text(bytes, needed, sizeof needed), f->ranks,
                    swq_bytes_text(limit, allowed, sizeof allowed));
}

/* Combine the records of all ranks. */
static void gather_notes(exploration *x)
{
    swq_spread_chain *s = x->s;
    uint64_t all;

    MPI_Allreduce(&s->fingerprint, &all, 1, MPI_UINT64_T, MPI_SUM, s->fleet->comm);
    s->fingerprint = all;
    for (int k = 0; k < s->levels; k++) {
        const swq_growing *home = &x->home[k], *away = &x->away[k];
        const int64_t met = home->most_met > away->most_met ? home->most_met : away->most_met;
        const int64_t most_met = swq_fleet_most(s->fleet, met);
        const bool inexact = swq_fleet_most(s->fleet, home->inexact || away->inexact) != 0;
        s->roundings += swq_share_roundings(s->share, k, most_met, inexact);
        s->own[k] = s->chain->node[k].count;
        s->all[k] = swq_fleet_sum(s->fleet, s->own[k]);
        int64_t before = 0;
        MPI_Exscan(&s->own[k], &before, 1, MPI_INT64_T, MPI_SUM, s->fleet->comm);
        s->first[k] = s->fleet->rank == 0 ? 0 : before;
    }
}

/* After the last node: finish the factors, and tell each rank which of its nodes other ranks need.
 */
static swq_status end_factors(exploration *x)
{
    swq_spread_chain *s = x->s;
    swq_status status = SWQ_OK;

    for (int k = 0; k < s->levels && !status; k++) {
        status = swq_intern_trim(x->ctx, &s->chain->node[k], k > 0);
        if (!status)
            status = swq_growing_end_alone(x->ctx, &x->home[k], s->own[(k + 1) % s->levels],
                                           &s->home[k]);
        if (!status)
            status = swq_growing_end_alone(x->ctx, &x->away[k], x->met[k].count, &s->away[k]);
        status = swq_fleet_agree(s->fleet, status);
        if (!status)
            status = swq_spread_meet(s, k, x->met[k].node, x->met[k].count);
        swq_met_clear(x->ctx, &x->met[k]);
        s->entries += swq_csr_nnz(&s->home[k]) + swq_csr_nnz(&s->away[k]);
    }
    s->most_entries = swq_fleet_most(s->fleet, s->entries);
    s->entries = swq_fleet_sum(s->fleet, s->entries);
    return status;
}

swq_status swq_spread_generate(swq_fleet *fleet, const swq_switch *sw, bool reduce,
                               swq_spread_chain *s)
{
    *s = (swq_spread_chain){.fleet = fleet, .ctx = fleet->ctx};
    exploration *x = swq_calloc(fleet->ctx, 1, sizeof *x);
    swq_status status =
        x ? swq_share_new(s->ctx, sw, reduce, &s->share) : swq_memory_status(s->ctx);

    if (!status) {
        s->chain = swq_share_chain(s->share);
        s->levels = s->chain->levels;
        x->s = s;
        x->ctx = s->ctx;
        x->words = s->chain->rows.tuple;
        status = check_limit(fleet, s->chain);
    }
    status = swq_fleet_agree(fleet, status);
    if (!status)
        status = begin(x);
    if (!status && fleet->ranks > 1)
        status = look_for_nodes(x);
    if (!status)
        status = explore(x);
    if (!status) {
        gather_notes(x);
        status = end_factors(x);
    }
    if (x)
        clear(x);
    swq_free(s->ctx, x);
    return status;
}

#endif
