/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations: a function lists the messages of each, and is called twice, to count them
 * and to write them down. The closed forms of bounds stand beside the rules that they follow from.
 */
#include "sim/traffic/collectives.h"
#include "base/context.h"

#include <stdlib.h>

typedef struct swq_collective_list {
    uint32_t nodes;
    uint64_t bytes, longest; /* of the operation; of a message */
    uint64_t messages, dependencies;
    swq_trace_messages *to; /* NULL: only count */
    uint32_t *phase;
} swq_collective_list;

/* The next message, whose number is returned. */
static uint64_t send(swq_collective_list *l, uint32_t phase, uint64_t from, uint64_t to,
                     uint64_t bytes)
{
    if (l->to) {
        l->to->message[l->messages] =
            (swq_async_message){0, (uint32_t)from, (uint32_t)to, (uint32_t)bytes};
        l->phase[l->messages] = phase;
    }
    l->longest = bytes > l->longest ? bytes : l->longest;
    return l->messages++;
}

static void await(swq_collective_list *l, uint64_t message, uint64_t on)
{
    if (l->to)
        l->to->dependency[l->dependencies] = (swq_async_dependency){message, on, 1};
    l->dependencies++;
}

/* Part k of bytes that are split evenly; the first parts have the remainder. */
static uint64_t part(uint64_t bytes, uint64_t parts, uint64_t k)
{
    return bytes / parts + (k < bytes % parts);
}

static uint64_t ceiling_log2(uint32_t nodes)
{
    uint64_t k = 0;

    while (UINT64_C(1) << k < nodes)
        k++;
    return k;
}

/* ---- all-to-all ---- */

/* In phase r, from 1 on, node i sends its part r to node i + r, when what node i - r + 1 sent it in
 * the phase before has arrived. */
static void list_all_to_all(swq_collective_list *l)
{
    const uint64_t n = l->nodes;

    for (uint32_t r = 1; r < l->nodes; r++) {
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t m = send(l, r - 1, i, (i + r) % n, part(l->bytes, n - 1, r - 1));
            if (r > 1)
                await(l, m, (r - 2) * n + (i + n - (r - 1)) % n);
        }
    }
}

static uint32_t all_to_all_phases(uint32_t nodes)
{
    return nodes - 1;
}

static uint64_t all_but_one(uint32_t nodes)
{
    return nodes - 1;
}

/* Each message waits for one of the phase before, and the parts of all phases are S bytes. */
static uint64_t all_to_all_bound(uint32_t nodes, uint64_t bytes, uint64_t more)
{
    return bytes + (nodes - 1) * more + nodes - 2;
}

const swq_collective swq_all_to_all = {
    .name = "all-to-all",
    .summary =
        "each of N nodes sends S bytes, a part to each other node, in N - 1 phases: in phase r "
        "node i sends to node i + r, once what it receives in the phase before has arrived",
    .source = "",
    .phases = all_to_all_phases,
    .least = all_but_one,
    .list = list_all_to_all,
    .bound = all_to_all_bound,
};

/* ---- ring all-reduce ---- */

/* In phase p node i sends chunk i - p to node i + 1, when this chunk has come from node i - 1 in
 * the phase before. */
static void list_ring(swq_collective_list *l)
{
    const uint64_t n = l->nodes;

    for (uint64_t p = 0; p < 2 * (n - 1); p++) {
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t chunk = (i + 2 * n - p) % n;
            const uint64_t m = send(l, (uint32_t)p, i, (i + 1) % n, part(l->bytes, n, chunk));
            if (p > 0)
                await(l, m, (p - 1) * n + (i + n - 1) % n);
        }
    }
}

static uint32_t ring_phases(uint32_t nodes)
{
    return 2 * (nodes - 1);
}

static uint64_t all(uint32_t nodes)
{
    return nodes;
}

/* The longest chunk goes round: 2 (N - 1) messages, each of which waits for the one before. */
static uint64_t ring_bound(uint32_t nodes, uint64_t bytes, uint64_t more)
{
    const uint64_t chunk = bytes / nodes + (bytes % nodes > 0);

    return ring_phases(nodes) * (chunk + more + 1) - 1;
}

const swq_collective swq_ring_all_reduce = {
    .name = "ring-all-reduce",
    .summary =
        "S bytes are cut into N chunks, which go round in 2 (N - 1) phases: each node sends to "
        "the next one the chunk that it has received in the phase before",
    .source = "Patarasuk and Yuan (2009)",
    .phases = ring_phases,
    .least = all,
    .list = list_ring,
    .bound = ring_bound,
};

/* ---- tree all-reduce ---- */

enum { MOST_CHILDREN = 32 };

/* A binomial tree. In phase k a node whose lowest bit is k sends all bytes to the node without this
 * bit, when all its own children have sent theirs; then node 0 sends the sum down the same tree, to
 * its largest subtree first. */
static void list_tree(swq_collective_list *l)
{
    const uint32_t n = l->nodes, depth = (uint32_t)ceiling_log2(n);
    uint64_t first[MOST_CHILDREN + 1]; /* the first message of each phase up */
    uint64_t root[MOST_CHILDREN];      /* the messages up to node 0 */
    uint32_t children = 0;

    /* the message from i in phase k up is first[k] + i / 2^(k + 1) */
    for (uint32_t k = 0; k < depth; k++) {
        first[k] = l->messages;
        for (uint64_t i = UINT64_C(1) << k; i < n; i += UINT64_C(2) << k) {
            const uint64_t to = i - (UINT64_C(1) << k), m = send(l, k, i, to, l->bytes);
            for (uint32_t c = 0; c < k && i + (UINT64_C(1) << c) < n; c++)
                await(l, m, first[c] + (i >> (c + 1)));
            if (to == 0)
                root[children++] = m;
        }
    }
    /* the message to i in the phase down whose distance is 2^k is down[k] + i / 2^(k + 1) */
    uint64_t down[MOST_CHILDREN];
    for (uint32_t p = 0; p < depth; p++) {
        const uint32_t k = depth - 1 - p;
        down[k] = l->messages;
        for (uint64_t i = 0; i + (UINT64_C(1) << k) < n; i += UINT64_C(2) << k) {
            const uint64_t m = send(l, depth + p, i, i + (UINT64_C(1) << k), l->bytes);
            for (uint32_t c = 0; i == 0 && c < children; c++)
                await(l, m, root[c]);
            if (i > 0) {
                const uint32_t bit = (uint32_t)__builtin_ctzll(i);
                await(l, m, down[bit] + (i >> (bit + 1)));
            }
        }
    }
}

static uint32_t tree_phases(uint32_t nodes)
{
    return 2 * (uint32_t)ceiling_log2(nodes);
}

static uint64_t one(uint32_t nodes)
{
    (void)nodes;
    return 1;
}

/* Node 0 receives S bytes from each of its children, and then sends S bytes to each. With 2^D nodes
 * a way of D messages leads to node 0, and another from there, each of which waits for the one
 * before.
 */
static uint64_t tree_bound(uint32_t nodes, uint64_t bytes, uint64_t more)
{
    const uint64_t depth = ceiling_log2(nodes);
    const uint64_t links = 2 * (depth * bytes + more) + 1;
    const uint64_t way = 2 * depth * (bytes + more + 1) - 1;

    return nodes == UINT64_C(1) << depth && way > links ? way : links;
}

const swq_collective swq_tree_all_reduce = {
    .name = "tree-all-reduce",
    .summary = "S bytes go up a binomial tree and down again, in 2 ceil(log2 N) phases: each node "
               "sends to its parent when all its children have sent, and to its children when its "
               "parent has",
    .source = "Thakur, Rabenseifner and Gropp (2005)",
    .phases = tree_phases,
    .least = one,
    .list = list_tree,
    .bound = tree_bound,
};

const swq_collective *const swq_collectives[] = {&swq_all_to_all, &swq_ring_all_reduce,
                                                 &swq_tree_all_reduce, NULL};

/* ---- the list ---- */

static swq_status check(swq_context *ctx, const swq_collective *row, const swq_collective_list *l)
{
    if (l->bytes < row->least(l->nodes))
        return swq_fail(ctx, SWQ_EINVAL, "%s of %u nodes needs at least %llu bytes, not %llu",
                        row->name, l->nodes, (unsigned long long)row->least(l->nodes),
                        (unsigned long long)l->bytes);
    if (l->longest > SWQ_MAX_MESSAGE)
        return swq_fail(ctx, SWQ_EINVAL, "%s: a message may have %d bytes at most, not %llu",
                        row->name, SWQ_MAX_MESSAGE, (unsigned long long)l->longest);
    if (l->messages > SWQ_COLLECTIVE_MESSAGES || l->dependencies > SWQ_COLLECTIVE_MESSAGES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s of %u nodes has %llu messages with %llu dependencies; there may be %d",
                        row->name, l->nodes, (unsigned long long)l->messages,
                        (unsigned long long)l->dependencies, SWQ_COLLECTIVE_MESSAGES);
    return SWQ_OK;
}

swq_status swq_collective_make(swq_context *ctx, const swq_collective *row, uint32_t nodes,
                               uint64_t bytes, swq_trace_messages *trace, uint32_t **phase)
{
    swq_collective_list l = {.nodes = nodes, .bytes = bytes};

    *phase = NULL;
    row->list(&l);
    const swq_status status = check(ctx, row, &l);
    if (status)
        return status;
    trace->message = calloc(l.messages, sizeof *trace->message);
    trace->dependency = calloc(l.dependencies + 1, sizeof *trace->dependency);
    *phase = calloc(l.messages, sizeof **phase);
    if (!trace->message || !trace->dependency || !*phase)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the messages of %s", row->name);
    trace->messages = l.messages;
    trace->dependencies = l.dependencies;
    l = (swq_collective_list){.nodes = nodes, .bytes = bytes, .to = trace, .phase = *phase};
    row->list(&l);
    return SWQ_OK;
}
