/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generating a chain on many ranks: each expands the nodes that it owns, some thousands at a time,
 * and asks the owners of all nodes that these lead to for their numbers, by which owners also learn
 * of new nodes. Level by level around the cycle, until no rank has a node that is not yet expanded.
 * Room: cluster. Includes models, base.
 */
#ifdef SWQ_HAVE_PETSC

#include "base/context.h"
#include "cluster/spread.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 4096 /* nodes expanded between two exchanges */ };

/* Products of probabilities below this are too close to the end of double's range to keep their
 * digits. */
#define LEAST_PROBABILITY 1e-290L

/* One transition from the node that is being expanded. */
typedef struct {
    int32_t seen;
    int32_t met;
    long double chance;
} way;

typedef struct {
    swq_spread_chain *s;
    swq_context *ctx;
    int words;
    swq_intern seen; /* nodes that this batch leads to */
    uint64_t *hash;  /* [seen] */
    int32_t *place;  /* [seen] 1 + the place of the node in the row */
    int64_t seen_room;
    way *row; /* the transitions of one node, merged */
    int64_t ways, ways_room;
    int32_t *order;                             /* [seen] by owner */
    int *send, *send_at, *receive, *receive_at; /* [ranks] */
    swq_word *out, *in;                         /* words sent and received */
    int32_t *asked, *told;
    int64_t out_room, in_room;
} exploration;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t hash_node(const swq_word *node, int words)
{
    uint64_t h = 0x2545f4914f6cdd1du;

    for (int w = 0; w < words; w++)
        h = mix(h + node[w] + 0x9e3779b97f4a7c15u);
    return h;
}

static int owner_of(const swq_fleet *fleet, uint64_t hash)
{
    return (int)((hash >> 16) % (uint64_t)fleet->ranks);
}

int swq_spread_owner(const swq_fleet *fleet, const swq_word *node, int words)
{
    return owner_of(fleet, hash_node(node, words));
}

static swq_status room_for_seen(exploration *x, int64_t count)
{
    if (count <= x->seen_room)
        return SWQ_OK;
    const int64_t room = 2 * count + 1024;
    if (!swq_resize_array(x->ctx, &x->hash, room, sizeof *x->hash) ||
        !swq_resize_array(x->ctx, &x->place, room, sizeof *x->place) ||
        !swq_resize_array(x->ctx, &x->order, room, sizeof *x->order) ||
        !swq_resize_array(x->ctx, &x->told, room, sizeof *x->told) ||
        !swq_resize_array(x->ctx, &x->out, room, sizeof *x->out * (size_t)x->words))
        return swq_memory_status(x->ctx);
    x->seen_room = room;
    return SWQ_OK;
}

/* Add a transition, merged with those to the same node, in the order in which they are generated,
 * so that the sum does not depend on how nodes are distributed. */
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
        x->hash[at] = hash_node(node, x->words);
        x->place[at] = 0;
    }
    if (x->place[at] > 0) {
        x->row[x->place[at] - 1].chance += chance;
        x->row[x->place[at] - 1].met++;
        return SWQ_OK;
    }
    if (x->ways == x->ways_room) {
        const int64_t room = 2 * x->ways_room + 64;
        if (!swq_resize_array(x->ctx, &x->row, room, sizeof *x->row))
            return swq_memory_status(x->ctx);
        x->ways_room = room;
    }
    x->row[x->ways] = (way){(int32_t)at, 1, chance};
    x->place[at] = (int32_t)++x->ways;
    return SWQ_OK;
}

static swq_status room_for_row(exploration *x, swq_spread_rows *rows)
{
    if (rows->rows + 2 > rows->rows_room) {
        const int64_t room = rows->rows_room + rows->rows_room / 2 + 1024;
        if (!swq_resize_array(x->ctx, &rows->start, room, sizeof *rows->start))
            return swq_memory_status(x->ctx);
        rows->rows_room = room;
    }
    if (rows->entries + x->ways > rows->room) {
        const int64_t room = rows->room + rows->room / 4 + x->ways + 4096;
        if (!swq_resize_array(x->ctx, &rows->owner, room, sizeof *rows->owner) ||
            !swq_resize_array(x->ctx, &rows->number, room, sizeof *rows->number) ||
            !swq_resize_array(x->ctx, &rows->value, room, sizeof *rows->value))
            return swq_memory_status(x->ctx);
        rows->room = room;
    }
    return SWQ_OK;
}

/* Append the row, with columns as places in `seen` until the owners have sent the numbers. */
static swq_status finish_row(exploration *x, int level, const swq_word *node)
{
    swq_spread_chain *s = x->s;
    swq_spread_rows *rows = &s->rows[level];
    const uint64_t from = mix(hash_node(node, x->words) + (uint64_t)level);
    swq_status status = room_for_row(x, rows);

    for (int64_t k = 0; k < x->ways && !status; k++) {
        const way *w = &x->row[k];
        const double value = (double)w->chance;
        uint64_t bits;
        if (w->chance < LEAST_PROBABILITY)
            status = swq_fail(x->ctx, SWQ_ERANGE,
                              "a transition has probability %Lg, too small for honest arithmetic; "
                              "loads or destination probabilities are too small",
                              w->chance);
        memcpy(&bits, &value, sizeof bits);
        s->fingerprint += mix(from ^ mix(x->hash[w->seen] + mix(bits)));
        s->inexact[level] = s->inexact[level] || value != w->chance;
        s->most_met[level] = w->met > s->most_met[level] ? w->met : s->most_met[level];
        rows->number[rows->entries] = w->seen;
        rows->value[rows->entries++] = value;
        x->place[w->seen] = 0;
    }
    rows->start[++rows->rows] = rows->entries;
    x->ways = 0;
    return status;
}

/* Sort the nodes in `seen` by owner, and count them. */
static void sort_by_owner(exploration *x)
{
    const swq_fleet *f = x->s->fleet;
    int at = 0;

    memset(x->send, 0, sizeof *x->send * (size_t)f->ranks);
    for (int64_t k = 0; k < x->seen.count; k++)
        x->send[owner_of(f, x->hash[k])]++;
    for (int r = 0; r < f->ranks; r++) {
        x->send_at[r] = at;
        at += x->send[r];
    }
    for (int64_t k = 0; k < x->seen.count; k++) {
        const int to = x->send_at[owner_of(f, x->hash[k])]++;
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
    sort_by_owner(x);
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

/* Write the owners' numbers into the rows from entry `from` on. */
static void write_numbers(exploration *x, swq_spread_rows *rows, int64_t from)
{
    for (int64_t k = 0; k < x->seen.count; k++)
        x->place[x->order[k]] = x->told[k];
    for (int64_t e = from; e < rows->entries; e++) {
        const int32_t seen = rows->number[e];
        rows->owner[e] = (uint16_t)owner_of(x->s->fleet, x->hash[seen]);
        rows->number[e] = x->place[seen];
    }
}

/* Expand some nodes of a level; ranks that have none left still take part in the exchange. */
static swq_status expand_batch(exploration *x, int level)
{
    swq_spread_chain *s = x->s;
    swq_spread_rows *rows = &s->rows[level];
    const int into = (level + 1) % s->levels;
    const int64_t from = rows->entries, last = rows->rows + BATCH;
    swq_status status = room_for_seen(x, 1);

    swq_intern_clear(x->ctx, &x->seen);
    swq_intern_init(&x->seen, x->words);
    while (rows->rows < s->chain->node[level].count && rows->rows < last && !status) {
        swq_word node[SWQ_ROW_PORTS];
        memcpy(node, swq_intern_state(&s->chain->node[level], rows->rows),
               sizeof *node * (size_t)x->words);
        status = swq_share_expand(s->share, level, rows->rows, add_way, x);
        if (!status)
            status = finish_row(x, level, node);
    }
    status = ask_owners(x, into, status);
    if (!status)
        write_numbers(x, rows, from);
    return status;
}

static swq_status begin(exploration *x)
{
    swq_word node[SWQ_ROW_PORTS];
    const swq_fleet *f = x->s->fleet;
    swq_status status = swq_share_first(x->s->share, node);
    const size_t ranks = (size_t)f->ranks;

    x->send = swq_calloc(x->ctx, ranks, sizeof *x->send);
    x->send_at = swq_calloc(x->ctx, ranks, sizeof *x->send_at);
    x->receive = swq_calloc(x->ctx, ranks, sizeof *x->receive);
    x->receive_at = swq_calloc(x->ctx, ranks, sizeof *x->receive_at);
    if (!status && (!x->send || !x->send_at || !x->receive || !x->receive_at))
        status = swq_memory_status(x->ctx);
    if (!status && swq_spread_owner(f, node, x->words) == f->rank &&
        swq_intern_number(x->ctx, &x->s->chain->node[0], node) < 0)
        status = swq_memory_status(x->ctx);
    return swq_fleet_agree(x->s->fleet, status);
}

static swq_status explore(exploration *x)
{
    swq_spread_chain *s = x->s;
    swq_status status = begin(x);
    bool more = true;

    while (more && !status) {
        more = false;
        for (int level = 0; level < s->levels && !status; level++) {
            const int64_t left = s->chain->node[level].count - s->rows[level].rows;
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

static void clear(exploration *x)
{
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
 * same part in a single process, where factors are packed; measured in docs/cluster.md. */
#define RANK_BYTES              45e6
#define SPREAD_TO_PACKED(ranks) (3 - 1.5 / (ranks))

/* A rank's part must be within the rank's memory limit. */
static swq_status check_limit(swq_fleet *f, const swq_chain *chain)
{
    const double limit = (double)swq_context_memory_limit(f->ctx);
    const double bytes = RANK_BYTES + chain->foreseen.bytes / f->ranks * SPREAD_TO_PACKED(f->ranks);
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
static void gather_notes(swq_spread_chain *s)
{
    uint64_t all;

    MPI_Allreduce(&s->fingerprint, &all, 1, MPI_UINT64_T, MPI_SUM, s->fleet->comm);
    s->fingerprint = all;
    for (int k = 0; k < s->levels; k++) {
        s->most_met[k] = swq_fleet_most(s->fleet, s->most_met[k]);
        s->inexact[k] = swq_fleet_most(s->fleet, s->inexact[k]) != 0;
        s->roundings += swq_share_roundings(s->share, k, s->most_met[k], s->inexact[k]);
        s->own[k] = s->chain->node[k].count;
        s->all[k] = swq_fleet_sum(s->fleet, s->own[k]);
        int64_t before = 0;
        MPI_Exscan(&s->own[k], &before, 1, MPI_INT64_T, MPI_SUM, s->fleet->comm);
        s->first[k] = s->fleet->rank == 0 ? 0 : before;
        s->entries += s->rows[k].entries;
    }
    for (int k = 1; k < s->levels; k++) { /* numbers of these nodes are not needed any more */
        swq_free(s->ctx, s->chain->node[k].slot);
        s->chain->node[k].slot = NULL;
        s->chain->node[k].slots = 0;
    }
    s->most_entries = swq_fleet_most(s->fleet, s->entries);
    s->entries = swq_fleet_sum(s->fleet, s->entries);
}

swq_status swq_spread_generate(swq_fleet *fleet, const swq_switch *sw, bool reduce,
                               swq_spread_chain *s)
{
    exploration x = {.s = s, .ctx = fleet->ctx};

    *s = (swq_spread_chain){.fleet = fleet, .ctx = fleet->ctx};
    swq_status status = swq_share_new(s->ctx, sw, reduce, &s->share);
    if (!status) {
        s->chain = swq_share_chain(s->share);
        s->levels = s->chain->levels;
        x.words = s->chain->rows.tuple;
        status = check_limit(fleet, s->chain);
    }
    status = swq_fleet_agree(fleet, status);
    if (!status)
        status = explore(&x);
    clear(&x);
    if (!status)
        gather_notes(s);
    return status;
}

#endif
