/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of nodes of a chain that are alike enough to be moved together when the chain is solved by
 * aggregation. Any grouping is correct. A good grouping puts together nodes between which the
 * switch moves quickly, and keeps apart nodes that differ in a quantity that changes slowly: the
 * packets that wait for each output and the packets in each buffer (buffers with a queue per
 * output), the length of each queue (single queues). With both sums, and buffers that share all
 * slots, all nodes of a group go to the same groups in a reception. With two ports, or a pool,
 * there is little else to gather, and queue lengths are halved instead. Groups are gathered again,
 * by halving, until they are few.
 */
#include "base/context.h"
#include "models/chain_parts.h"

#include <string.h>

enum {
    FEW_GROUPS = 200, /* elimination takes about a millisecond */
    FEW_HALVED = 300, /* halving again costs little */
    MOST_DEPTH = 12,
    KEY_WORDS = 2 * SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS + 1
};

static void sort_descending(swq_word *key, int words)
{
    for (int i = 1; i < words; i++) {
        swq_word moving = key[i];
        int at = i;
        for (; at > 0 && key[at - 1] < moving; at--)
            key[at] = key[at - 1];
        key[at] = moving;
    }
}

/* The queue lengths of a node, buffer by buffer. */
static void read_lengths(const swq_chain *c, const swq_word *words, swq_word *length)
{
    size_t queues = (size_t)c->layout.queues;

    if (!c->by_rows) {
        memcpy(length, words, sizeof *length * (size_t)c->layout.buffers * queues);
        return;
    }
    for (int k = 0, i = 0; k < c->rows.tuple; k++) {
        if (swq_row_class(&c->rows, words[k]) != c->rows.outputs)
            memcpy(length + i++ * c->layout.queues, swq_row_content(&c->rows, words[k]),
                   sizeof *length * queues);
    }
}

/* Packets behind the buffers for each output, added to the key. */
static void add_behind(const swq_chain *c, const swq_word *words, swq_word *key)
{
    const swq_layout *l = &c->layout;

    for (int j = 0; !c->by_rows && j < l->ports; j++)
        key[j] = (swq_word)(key[j] + swq_behind_for(l, words, j));
    for (int k = 0; c->by_rows && k < c->rows.tuple; k++) {
        const swq_word *content = swq_row_content(&c->rows, words[k]);
        const bool queues = swq_row_class(&c->rows, words[k]) == c->rows.outputs;
        for (int j = 0; j < l->ports && (queues || c->rows.cross >= 0); j++)
            key[j] = (swq_word)(key[j] + content[queues ? j : c->rows.cross + j]);
    }
}

/* Halve all lengths, and sort the outputs and then the inputs, so that nodes that differ only by
 * the names of ports usually get the same key. */
static void halved_contents(const swq_layout *l, const swq_word *length, swq_word *key)
{
    int b = l->buffers, q = l->queues, column[2 * SWQ_CHAIN_PORTS];
    uint64_t mark[2 * SWQ_CHAIN_PORTS] = {0};

    for (int j = 0; j < q; j++) {
        for (int i = 0; i < b; i++) {
            uint64_t half = (uint64_t)(length[i * q + j] + 1) / 2;
            mark[j] += half << 40 | half * half;
        }
        int at = j;
        for (; at > 0 && mark[column[at - 1]] < mark[j]; at--)
            column[at] = column[at - 1];
        column[at] = j;
    }
    for (int i = 0; i < b; i++) {
        swq_word row[2 * SWQ_CHAIN_PORTS] = {0};
        for (int j = 0; j < q; j++)
            row[j] = (swq_word)((length[i * q + column[j]] + 1) / 2);
        int at = i;
        for (; at > 0 && memcmp(key + (at - 1) * q, row, sizeof *row * (size_t)q) < 0; at--)
            memcpy(key + at * q, key + (at - 1) * q, sizeof *row * (size_t)q);
        memcpy(key + at * q, row, sizeof *row * (size_t)q);
    }
}

static bool halves_contents(const swq_layout *l)
{
    return l->buffers == 1 || (l->ports == 2 && l->queues > 1);
}

/* Are the packets in each buffer counted, besides those for each output? With a single queue per
 * buffer, its packets are counted anyway. */
static bool counts_buffers(const swq_layout *l)
{
    return !halves_contents(l) && l->queues > 1;
}

/* Sources in the middle of a burst: they change as slowly as the buffers. */
static swq_word count_bursts(const swq_chain *c, const swq_word *words)
{
    int bursts = 0;

    for (int i = 0; i < c->sw.ports; i++)
        bursts += c->by_rows ? swq_row_held(&c->rows, words[i]) : words[c->layout.held + i] != 0;
    return (swq_word)(2 * bursts); /* twice the number, since it is halved with the rest */
}

/* Packets for each output, or in each single queue; then those in each buffer. */
static void count_packets(const swq_layout *l, const swq_word *length, swq_word *key)
{
    const bool buffers = counts_buffers(l);

    memset(key, 0, sizeof *key * (size_t)(l->ports + (buffers ? l->buffers : 0)));
    for (int i = 0; i < l->buffers; i++) {
        const swq_word *packets = length + i * l->queues;
        swq_word *sum = l->queues == 1 ? key + i : key, all = 0;
        for (int q = 0, j = 0; q < l->queues; q++, j = j + 1 < l->ports ? j + 1 : 0) {
            sum[j] = (swq_word)(sum[j] + packets[q]);
            all = (swq_word)(all + packets[q]);
        }
        if (buffers)
            key[l->ports + i] = all;
    }
}

int swq_chain_key_words(const swq_chain *c)
{
    const swq_layout *l = &c->layout;
    const int lengths = halves_contents(l) ? l->buffers * l->queues : c->sw.ports;

    return lengths + (counts_buffers(l) ? l->buffers : 0) + l->bursts;
}

void swq_chain_key(const swq_chain *c, int level, int64_t node, swq_word *key)
{
    swq_chain_key_of(c, swq_intern_state(&c->node[level], node), key);
}

void swq_chain_key_of(const swq_chain *c, const swq_word *words, swq_word *key)
{
    const swq_layout *l = &c->layout;
    swq_word length[KEY_WORDS];

    memset(length, 0, sizeof *length * (size_t)l->buffers * (size_t)l->queues);
    read_lengths(c, words, length);
    if (l->bursts)
        key[swq_chain_key_words(c) - 1] = count_bursts(c, words);
    if (halves_contents(l)) {
        halved_contents(l, length, key);
        return;
    }
    count_packets(l, length, key);
    if (!l->deferred && (l->cross >= 0 || l->out >= 0))
        add_behind(c, words, key);
    sort_descending(key, l->ports);
    if (counts_buffers(l))
        sort_descending(key + l->ports, l->buffers);
}

/* Number the keys of one level at one depth: of the nodes, or of the groups one depth before. */
static swq_status group_level(swq_context *ctx, const swq_chain *c, int level,
                              const swq_intern *finer, swq_intern *set, int32_t **of)
{
    int64_t nodes = finer ? finer->count : c->node[level].count;
    swq_word key[KEY_WORDS];

    *of = swq_calloc(ctx, (size_t)nodes, sizeof **of);
    if (!*of)
        return swq_memory_status(ctx);
    swq_intern_init(set, swq_chain_key_words(c));
    for (int64_t i = 0; i < nodes; i++) {
        if (finer) {
            for (int w = 0; w < finer->words; w++)
                key[w] = (swq_word)((swq_intern_state(finer, i)[w] + 1) / 2);
        } else {
            swq_chain_key(c, level, i, key);
        }
        int64_t group = swq_intern_number(ctx, set, key);
        if (group < 0)
            return swq_memory_status(ctx);
        (*of)[i] = (int32_t)group;
    }
    return SWQ_OK;
}

swq_status swq_chain_group(swq_context *ctx, const swq_chain *c, swq_grouping *grouping)
{
    swq_grouping g = {.levels = c->levels};
    swq_intern set[2][SWQ_CHAIN_LEVELS] = {{{0}}};
    size_t arrays = (size_t)MOST_DEPTH * (size_t)c->levels;
    bool few = false;
    swq_status status = SWQ_OK;

    g.of = swq_calloc(ctx, arrays, sizeof *g.of);
    g.groups = swq_calloc(ctx, arrays, sizeof *g.groups);
    if (!g.of || !g.groups)
        status = swq_memory_status(ctx);
    while (!status && !few && g.depth < MOST_DEPTH) {
        int d = g.depth++;
        int64_t most = 0;
        for (int k = 0; k < c->levels && !status; k++) {
            swq_intern *now = &set[d % 2][k];
            swq_intern_clear(ctx, now);
            status = group_level(ctx, c, k, d > 0 ? &set[1 - d % 2][k] : NULL, now,
                                 &g.of[d * c->levels + k]);
            g.groups[d * c->levels + k] = now->count;
            most = now->count > most ? now->count : most;
        }
        few = most <= (halves_contents(&c->layout) ? FEW_HALVED : FEW_GROUPS);
    }
    for (int k = 0; k < c->levels; k++) {
        swq_intern_clear(ctx, &set[0][k]);
        swq_intern_clear(ctx, &set[1][k]);
    }
    if (status) {
        swq_grouping_clear(ctx, &g);
        return status;
    }
    *grouping = g;
    return SWQ_OK;
}
